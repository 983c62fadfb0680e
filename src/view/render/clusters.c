/* Colours of clusters and molecules. There are fewer colours than clusters: they repeat, but not for neighbours. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "view/render/render.h"

/* Two clusters are neighbours if they are side by side in the default view of the box, independently of the camera. On
 * a grid over that view, with cells about as large as a particle, neighbours are at most REACH cells apart. */
enum { REACH = 6, PAIRS_A_CELL = 2 * REACH * (REACH + 1), SIDE = 1000 };

typedef struct grid {
    camera camera;
    double cell; /* pixels */
    size_t columns, rows;
    uint32_t *cluster; /* [rows][columns]: the cluster closest to the camera; NONE */
    float *depth;
} grid;

#define NONE UINT32_MAX

static double mean_diameter(const renderer *v, const camera *c)
{
    double sum = 0;
    for (size_t i = 0; i < v->frame.count; i++) sum += 2 * v->frame.radius[i];
    const double pixels = sum / fmax((double)v->frame.count, 1) * c->scale / c->distance;
    return isfinite(pixels) ? pixels : 0;
}

static void enter_particle(const renderer *v, grid *g, size_t particle)
{
    const carom_frame *f = &v->frame;
    const size_t dimension = (size_t)f->dimension;
    double x[3] = {0}, seen[3], pixel[2];
    for (size_t k = 0; k < dimension; k++) {
        x[k] = f->position[particle * dimension + k];
        /* It may be drawn outside the box, in one piece with its cluster. */
        if (f->boundary[k] == FRAME_PERIODIC) x[k] -= f->box[k] * floor(x[k] / f->box[k]);
    }
    camera_see(&g->camera, x, seen);
    camera_project(&g->camera, seen, pixel);
    if (!(pixel[0] >= 0 && pixel[0] < SIDE && pixel[1] >= 0 && pixel[1] < SIDE)) return;
    const size_t at = (size_t)(pixel[1] / g->cell) * g->columns + (size_t)(pixel[0] / g->cell);
    if (g->cluster[at] != NONE && g->depth[at] <= (float)seen[2]) return;
    g->cluster[at] = v->group[particle];
    g->depth[at] = (float)seen[2];
}

static bool grid_create(grid *g, const renderer *v, const uint32_t *sizes)
{
    enum { CELLS_ACROSS = 100 };
    static const double origin[3] = {0};
    camera_options usual = camera_default();
    usual.upward = camera_upward(&usual, v->about->gravity);
    camera_fit(&g->camera, v->frame.dimension, origin, v->frame.box, &usual, (viewport){0, 0, SIDE, SIDE});
    g->cell = fmax((double)SIDE / CELLS_ACROSS, mean_diameter(v, &g->camera));
    g->columns = (size_t)(SIDE / g->cell) + 1;
    g->rows = (size_t)(SIDE / g->cell) + 1;
    g->cluster = NEW_ARRAY(g->columns * g->rows, uint32_t);
    g->depth = NEW_ARRAY(g->columns * g->rows, float);
    if (g->cluster == NULL || g->depth == NULL) return false;
    memset(g->cluster, 0xff, g->columns * g->rows * sizeof *g->cluster);
    for (size_t i = 0; i < v->frame.count; i++)
        if (v->group[i] < v->frame.count && sizes[v->group[i]] > 1) enter_particle(v, g, i);
    return true;
}

/* Both orders of each pair of neighbours, as sort keys; returns their number. */
static size_t list_pairs(const grid *g, uint64_t *pairs)
{
    size_t count = 0;
    for (size_t y = 0; y < g->rows; y++)
        for (size_t x = 0; x < g->columns; x++) {
            const uint32_t a = g->cluster[y * g->columns + x];
            for (size_t j = y; a != NONE && j <= y + REACH && j < g->rows; j++)
                for (size_t i = j == y ? x + 1 : x > REACH ? x - REACH : 0; i <= x + REACH && i < g->columns; i++) {
                    const uint32_t b = g->cluster[j * g->columns + i];
                    if (b == NONE || b == a) continue;
                    pairs[count++] = (uint64_t)a << 32 | b;
                    pairs[count++] = (uint64_t)b << 32 | a;
                }
        }
    return count;
}

static size_t first_pair(const uint64_t *pairs, size_t count, uint32_t cluster)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pairs[middle] >> 32 < cluster)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The penalty of a colour for a cluster: neighbours with the same colour or hue, then the number of its uses. A cluster
 * keeps its colour of the previous frame if no neighbour has it. */
static uint8_t choose_shade(const renderer *v, const uint64_t *pairs, size_t count, uint32_t cluster,
                            const bool *settled, const double *taken)
{
    enum { SAME = 1000, SAME_HUE = 20 };
    double cost[COLOUR_MANY] = {0};
    for (int k = 0; k < COLOUR_MANY; k++) cost[k] = taken[k];
    for (size_t p = first_pair(pairs, count, cluster); p < count && pairs[p] >> 32 == cluster; p++) {
        const uint32_t other = (uint32_t)pairs[p];
        if (!settled[other] || (p > 0 && pairs[p] == pairs[p - 1])) continue;
        const int theirs = v->shade[other] - 1;
        for (int k = theirs % COLOUR_HUES; k < COLOUR_MANY; k += COLOUR_HUES) cost[k] += k == theirs ? SAME : SAME_HUE;
    }
    const int before = v->shade[cluster] - 1;
    if (before >= 0 && cost[before] < SAME) return v->shade[cluster];
    int best = 0;
    for (int k = 1; k < COLOUR_MANY; k++)
        if (cost[k] < cost[best]) best = k;
    return (uint8_t)(best + 1);
}

/* In the order of decreasing size. */
static void choose_all(renderer *v, const uint32_t *sizes, const uint64_t *pairs, size_t count, uint64_t *order,
                       uint64_t *space, bool *settled)
{
    double taken[COLOUR_MANY] = {0};
    size_t clusters = 0;
    for (size_t c = 0; c < v->frame.count; c++)
        if (sizes[c] > 1) order[clusters++] = (uint64_t)(UINT32_MAX - sizes[c]) << 32 | c;
    sort_u64(order, space, clusters);
    for (size_t n = 0; n < clusters; n++) {
        const uint32_t c = (uint32_t)order[n];
        v->shade[c] = choose_shade(v, pairs, count, c, settled, taken);
        settled[c] = true;
        taken[v->shade[c] - 1] += 1;
    }
}

void render_shade_clusters(renderer *v, const uint32_t *sizes)
{
    grid g = {0};
    const size_t particles = v->frame.count;
    uint64_t *order = NEW_ARRAY(2 * particles, uint64_t), *pairs = NULL;
    bool *settled = NEW_ARRAY(particles, bool);
    if (order != NULL && settled != NULL && grid_create(&g, v, sizes)) {
        const size_t most = 2 * PAIRS_A_CELL * g.columns * g.rows;
        pairs = NEW_ARRAY(2 * most, uint64_t);
        const size_t count = pairs != NULL ? list_pairs(&g, pairs) : 0;
        if (pairs != NULL) sort_u64(pairs, pairs + most, count);
        choose_all(v, sizes, pairs, count, order, order + particles, settled);
    }
    memory_free(g.cluster);
    memory_free(g.depth);
    memory_free(order);
    memory_free(pairs);
    memory_free(settled);
}
