#include "view/render/occlusion.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Each pixel samples TAPS of the TAPS * PATTERNS points of a disk; the pixels of a square of SIDE x SIDE sample all. */
enum { TAPS = 8, SIDE = 4, PATTERNS = SIDE * SIDE };

static const int pattern_of[SIDE][SIDE] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

typedef struct taps {
    float x[PATTERNS][TAPS], y[PATTERNS][TAPS];
} taps;

/* A Fermat spiral with the golden angle: uniform density. */
static void place_taps(taps *t)
{
    const double turn[2] = {-0.73736887807831963, 0.67549029426152364};
    double way[2] = {1, 0};
    for (int n = 0; n < TAPS * PATTERNS; n++) {
        const double far = sqrt((n + 0.5) / (TAPS * PATTERNS));
        t->x[n % PATTERNS][n / PATTERNS] = (float)(far * way[0]);
        t->y[n % PATTERNS][n / PATTERNS] = (float)(far * way[1]);
        const double next = way[0] * turn[0] - way[1] * turn[1];
        way[1] = way[0] * turn[1] + way[1] * turn[0];
        way[0] = next;
    }
}

/* The slope of the surface along an axis of `most` pixels, `step` apart, at pixel n: the smaller of the slopes to both
 * sides, since one may cross an edge; 0 in a gap. */
static float slope_at(const float *near, int n, int most, ptrdiff_t step)
{
    const float low = near[0] - near[n > 0 ? -step : 0], high = near[n + 1 < most ? step : 0] - near[0];
    if (n == 0 || n + 1 == most) return n == 0 ? high : low;
    if ((low < 0) != (high < 0)) return 0;
    return fabsf(low) < fabsf(high) ? low : high;
}

/* `out`: distance of a body from the plane of a surface, in units of the reach. Distant bodies in front of a wall do
 * not shade it. */
static float shade_of(float out, bool wall)
{
    const float share = (out - 0.03f) / 0.32f;
    if (share <= 0) return 0;
    return (share < 1 ? share * share * (3 - 2 * share) : 1) / (1 + 0.25f * out * out * (wall ? out * out : 1));
}

static float shade_at(const occlusion *o, const taps *t, int x, int y)
{
    const size_t width = (size_t)o->width, at = (size_t)y * width + (size_t)x;
    const float here = o->seen[at];
    const float across = slope_at(o->seen + at, x, o->width, 1), down = slope_at(o->seen + at, y, o->height, o->width);
    const float most = 0.1f * (float)o->height, asked = (float)(o->scale * o->reach) * here;
    const float wide = asked < 2 ? 2 : asked < most ? asked : most;
    const float reach = (float)o->reach;
    const bool wall = !(o->bodies[at] > 0);
    const int pattern = pattern_of[y % SIDE][x % SIDE];
    float sum = 0;
    for (int k = 0; k < TAPS; k++) {
        const int dx = (int)lrintf(wide * t->x[pattern][k]), dy = (int)lrintf(wide * t->y[pattern][k]);
        if (x + dx < 0 || x + dx >= o->width || y + dy < 0 || y + dy >= o->height) continue;
        const float there = o->bodies[(size_t)(y + dy) * width + (size_t)(x + dx)];
        const float even = here + across * (float)dx + down * (float)dy, least = 0.25f * here;
        const float plane = even > least ? even : least;
        if (there > plane) sum += shade_of((there - plane) / (there * (plane * reach)), wall);
    }
    return sum / TAPS;
}

/* Adds `share` times the value at the distance `step` from each pixel to its sum, if the depths agree. */
static void add_shifted(const float *near, const float *in, ptrdiff_t step, int count, float share, float slack,
                        float *sum, float *weight)
{
    for (int x = 0; x < count; x++) {
        const float here = near[x], apart = near[x + step] - here;
        const float most = (apart < 0 ? -apart : apart) <= slack * here * here ? share : 0;
        sum[x] += most * in[x + step];
        weight[x] += most;
    }
}

/* The mean over SIDE + 1 pixels along an axis, with weight 1/2 at the ends; pixels at other depths are omitted. weight:
 * [width]. */
static void smooth(const occlusion *o, const float *in, float *out, float *weight, bool down)
{
    const float slack = 0.3f * (float)o->reach;
    for (int y = 0; y < o->height; y++) {
        const size_t row = (size_t)y * (size_t)o->width;
        memset(out + row, 0, (size_t)o->width * sizeof *out);
        memset(weight, 0, (size_t)o->width * sizeof *weight);
        for (int k = -SIDE / 2; k <= SIDE / 2; k++) {
            const float share = k == -SIDE / 2 || k == SIDE / 2 ? 0.5f : 1;
            const int from = !down && k < 0 ? -k : 0, to = o->width - (!down && k > 0 ? k : 0);
            if ((down && (y + k < 0 || y + k >= o->height)) || to <= from) continue;
            const size_t at = row + (size_t)from;
            add_shifted(o->seen + at, in + at, (ptrdiff_t)k * (down ? o->width : 1), to - from, share, slack, out + at,
                        weight + from);
        }
        for (int x = 0; x < o->width; x++) out[row + (size_t)x] /= weight[x];
    }
}

carom_status occlusion_light(const occlusion *o, float *light, error *e)
{
    const size_t count = (size_t)o->width * (size_t)o->height;
    float *rough = NEW_ARRAY(count, float), *weight = NEW_ARRAY((size_t)o->width, float);
    carom_status status = CAROM_OK;
    taps t;
    place_taps(&t);
    if (rough == NULL || weight == NULL) status = error_memory(e, "a picture", count * sizeof *rough);
    for (int y = 0; status == CAROM_OK && y < o->height; y++)
        for (int x = 0; x < o->width; x++) {
            const size_t at = (size_t)y * (size_t)o->width + (size_t)x;
            light[at] = o->seen[at] > 0 ? shade_at(o, &t, x, y) : 0;
        }
    if (status == CAROM_OK) smooth(o, light, rough, weight, false);
    if (status == CAROM_OK) smooth(o, rough, light, weight, true);
    for (size_t at = 0; status == CAROM_OK && at < count; at++)
        light[at] = 1 - (o->bodies[at] > 0 ? 0.7f : 0.5f) * light[at];
    memory_free(rough);
    memory_free(weight);
    return status;
}
