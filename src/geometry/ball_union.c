#include "geometry/ball_union.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pi.h"
#include "geometry/ball.h"

enum { POINTS = 12, DEPTH = 24 };

/* ---- Gauss-Legendre points ---- */

typedef struct rule {
    double x[POINTS], weight[POINTS]; /* on [-1, 1] */
} rule;

/* The roots of the Legendre polynomial, by Newton's method. */
static rule gauss(void)
{
    rule g;
    for (int i = 0; i < POINTS; i++) {
        double x = cos(PI * (i + 0.75) / (POINTS + 0.5)), slope = 1;
        for (int step = 0; step < 8; step++) {
            double last = 1, now = x;
            for (int n = 2; n <= POINTS; n++) {
                const double next = ((2 * n - 1) * x * now - (n - 1) * last) / n;
                last = now;
                now = next;
            }
            slope = POINTS * (x * now - last) / (x * x - 1);
            x -= now / slope;
        }
        g.x[i] = x;
        g.weight[i] = 2 / ((1 - x * x) * slope * slope);
    }
    return g;
}

/* ---- Union of disks ---- */

enum { AREA, X, Y, XX, XY, YY, PLANAR };

typedef struct disk {
    double x, y, radius;
} disk;

typedef struct span {
    double from, to;
} span;

typedef struct plane_sums {
    rule g;
    disk *disk;
    size_t count, room;
    span *covered; /* [2 room]: of one circle, by the other disks */
} plane_sums;

/* The integrals of x dy, x^2/2 dy, ... along an arc. On a quarter of a circle the points integrate these trigonometric
 * polynomials to rounding. */
static void add_arc(const rule *g, const disk *d, double from, double to, double sum[PLANAR])
{
    const int parts = 1 + (int)((to - from) / (PI / 2));
    const double half = 0.5 * (to - from) / parts;
    for (int part = 0; part < parts; part++)
        for (int i = 0; i < POINTS; i++) {
            const double angle = from + half * (2 * part + 1 + g->x[i]), c = cos(angle);
            const double x = d->x + d->radius * c, y = d->y + d->radius * sin(angle);
            const double dy = half * g->weight[i] * d->radius * c;
            sum[AREA] += x * dy;
            sum[X] += 0.5 * x * x * dy;
            sum[Y] += x * y * dy;
            sum[XX] += x * x * x / 3 * dy;
            sum[XY] += 0.5 * x * x * y * dy;
            sum[YY] += x * y * y * dy;
        }
}

static int by_start(const void *a, const void *b)
{
    const span *left = a, *right = b;
    return left->from < right->from ? -1 : left->from > right->from;
}

/* The part of circle i inside of the other disks; false: all of it. Of equal disks the first counts. */
static bool cover(plane_sums *p, size_t i, size_t *count)
{
    const disk *d = &p->disk[i];
    *count = 0;
    for (size_t j = 0; j < p->count; j++) {
        const disk *o = &p->disk[j];
        const double x = o->x - d->x, y = o->y - d->y, apart = sqrt(x * x + y * y);
        if (j == i || apart >= d->radius + o->radius) continue;
        const bool same = apart == 0 && o->radius == d->radius;
        if (same ? j < i : apart <= o->radius - d->radius) return false;
        if (same || apart <= d->radius - o->radius) continue;
        const double c = (apart * apart + d->radius * d->radius - o->radius * o->radius) / (2 * apart * d->radius);
        const double half = acos(fmax(-1, fmin(1, c))), middle = atan2(y, x);
        double from = middle - half;
        if (from < 0) from += 2 * PI;
        const double to = from + 2 * half;
        p->covered[(*count)++] = (span){from, fmin(to, 2 * PI)};
        if (to > 2 * PI) p->covered[(*count)++] = (span){0, to - 2 * PI};
    }
    return true;
}

static void add_circle(plane_sums *p, size_t i, double sum[PLANAR])
{
    size_t count;
    double reached = 0;
    if (!(p->disk[i].radius > 0) || !cover(p, i, &count)) return;
    qsort(p->covered, count, sizeof *p->covered, by_start);
    for (size_t k = 0; k < count; k++) {
        if (p->covered[k].from > reached) add_arc(&p->g, &p->disk[i], reached, p->covered[k].from, sum);
        reached = fmax(reached, p->covered[k].to);
    }
    if (reached < 2 * PI) add_arc(&p->g, &p->disk[i], reached, 2 * PI, sum);
}

static void add_plane(plane_sums *p, double sum[PLANAR])
{
    memset(sum, 0, PLANAR * sizeof *sum);
    for (size_t i = 0; i < p->count; i++) add_circle(p, i, sum);
}

/* ---- Slices of balls ---- */

/* Integrals over space: those of the slices, then z, z^2, x z, y z. */
enum { Z = PLANAR, ZZ, XZ, YZ, SPATIAL };

typedef struct slices {
    plane_sums plane;
    const ball *balls;
    size_t count;
    double middle, half;  /* of the interval: z = middle + half sin(angle), which removes the roots at its ends */
    double total, radius; /* scales of the error: volume, distance */
    double error;         /* relative */
} slices;

static void add_slice(slices *s, double angle, double weight, double sum[SPATIAL])
{
    const double z = s->middle + s->half * sin(angle), w = weight * s->half * cos(angle);
    double flat[PLANAR];
    s->plane.count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ball *b = &s->balls[i];
        const double square = (b->radius - (z - b->at[2])) * (b->radius + (z - b->at[2]));
        if (square > 0) s->plane.disk[s->plane.count++] = (disk){b->at[0], b->at[1], sqrt(square)};
    }
    add_plane(&s->plane, flat);
    for (int k = 0; k < PLANAR; k++) sum[k] += w * flat[k];
    sum[Z] += w * z * flat[AREA];
    sum[ZZ] += w * z * z * flat[AREA];
    sum[XZ] += w * z * flat[X];
    sum[YZ] += w * z * flat[Y];
}

static void add_points(slices *s, double from, double to, double sum[SPATIAL])
{
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    memset(sum, 0, SPATIAL * sizeof *sum);
    for (int i = 0; i < POINTS; i++) add_slice(s, middle + half * s->plane.g.x[i], half * s->plane.g.weight[i], sum);
}

/* The largest difference, relative to the whole union. */
static double difference(const slices *s, const double a[SPATIAL], const double b[SPATIAL])
{
    static const int power[SPATIAL] = {0, 1, 1, 2, 2, 2, 1, 2, 2, 2};
    double most = 0;
    for (int k = 0; k < SPATIAL; k++) most = fmax(most, fabs(a[k] - b[k]) / (s->total * pow(s->radius, power[k])));
    return most;
}

static void integrate(slices *s, double from, double to, const double whole[SPATIAL], int depth, double sum[SPATIAL])
{
    const double middle = 0.5 * (from + to), fine = 1e-14;
    double left[SPATIAL], right[SPATIAL], both[SPATIAL];
    add_points(s, from, middle, left);
    add_points(s, middle, to, right);
    for (int k = 0; k < SPATIAL; k++) both[k] = left[k] + right[k];
    const double error = difference(s, whole, both);
    if (error > fine && depth < DEPTH) {
        integrate(s, from, middle, left, depth + 1, sum);
        integrate(s, middle, to, right, depth + 1, sum);
        return;
    }
    s->error += error;
    for (int k = 0; k < SPATIAL; k++) sum[k] += both[k];
}

static int by_size(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

/* Heights at which the border of the slices changes: ends of the balls, and of the circles in which two of them
 * intersect. The corners of three balls are left to the adaptive integration. */
static size_t list_heights(const ball *balls, size_t count, double *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        out[found++] = balls[i].at[2] - balls[i].radius;
        out[found++] = balls[i].at[2] + balls[i].radius;
        for (size_t j = 0; j < i; j++) {
            const ball *a = &balls[i], *b = &balls[j];
            double n[3], square = 0;
            for (int k = 0; k < 3; k++) {
                n[k] = b->at[k] - a->at[k];
                square += n[k] * n[k];
            }
            const double apart = sqrt(square),
                         to = (square + a->radius * a->radius - b->radius * b->radius) / (2 * apart);
            const double across = (a->radius - to) * (a->radius + to);
            if (!(apart > 0) || !(across > 0)) continue;
            const double rise = sqrt(across * (n[0] * n[0] + n[1] * n[1])) / apart,
                         centre = a->at[2] + to * n[2] / apart;
            out[found++] = centre - rise;
            out[found++] = centre + rise;
        }
    }
    qsort(out, found, sizeof *out, by_size);
    return found;
}

static bool add_space(slices *s, double sum[SPATIAL])
{
    double *heights = NEW_ARRAY(s->count * (s->count + 1), double), whole[SPATIAL];
    if (heights == NULL) return false;
    const size_t found = list_heights(s->balls, s->count, heights);
    for (size_t k = 1; k < found; k++) {
        if (!(heights[k] > heights[k - 1])) continue;
        s->middle = 0.5 * (heights[k - 1] + heights[k]);
        s->half = 0.5 * (heights[k] - heights[k - 1]);
        add_points(s, -PI / 2, PI / 2, whole);
        integrate(s, -PI / 2, PI / 2, whole, 0, sum);
    }
    memory_free(heights);
    return true;
}

/* ---- The union ---- */

static bool any_overlap(const ball *balls, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            double square = 0;
            for (int k = 0; k < 3; k++) square += pow(balls[i].at[k] - balls[j].at[k], 2);
            if (sqrt(square) < (1 - 1e-12) * (balls[i].radius + balls[j].radius)) return true;
        }
    return false;
}

/* Sum of separate balls. */
static void add_separate(int dimension, const ball *balls, size_t count, double sum[SPATIAL])
{
    for (size_t i = 0; i < count; i++) {
        const double *r = balls[i].at, volume = ball_volume(dimension, 2 * balls[i].radius);
        const double own = balls[i].radius * balls[i].radius / (dimension + 2);
        sum[AREA] += volume;
        sum[X] += volume * r[0];
        sum[Y] += volume * r[1];
        sum[Z] += volume * r[2];
        sum[XX] += volume * (r[0] * r[0] + own);
        sum[YY] += volume * (r[1] * r[1] + own);
        sum[ZZ] += dimension == 3 ? volume * (r[2] * r[2] + own) : 0;
        sum[XY] += volume * r[0] * r[1];
        sum[XZ] += volume * r[0] * r[2];
        sum[YZ] += volume * r[1] * r[2];
    }
}

static void set_moments(const double sum[SPATIAL], const double origin[3], ball_moments *out)
{
    static const int second[3][3] = {{XX, XY, XZ}, {XY, YY, YZ}, {XZ, YZ, ZZ}}, first[3] = {X, Y, Z};
    out->volume = sum[AREA];
    for (int p = 0; p < 3; p++) out->centre[p] = origin[p] + sum[first[p]] / sum[AREA];
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) out->second[p][q] = sum[second[p][q]] - sum[first[p]] * sum[first[q]] / sum[AREA];
}

bool ball_union_of(int dimension, const ball *balls, size_t count, ball_moments *out)
{
    ball *near = NEW_ARRAY(count, ball); /* about the mean of their centres */
    slices s = {.plane = {.g = gauss(), .room = count}, .balls = near, .count = count};
    double sum[SPATIAL] = {0}, origin[3] = {0};
    s.plane.disk = NEW_ARRAY(count, disk);
    s.plane.covered = NEW_ARRAY(2 * count, span);
    bool done = near != NULL && s.plane.disk != NULL && s.plane.covered != NULL;
    for (size_t i = 0; done && i < count; i++)
        for (int k = 0; k < 3; k++) origin[k] += balls[i].at[k] / (double)count;
    for (size_t i = 0; done && i < count; i++) {
        near[i] = balls[i];
        for (int k = 0; k < 3; k++) near[i].at[k] -= origin[k];
        s.radius =
            fmax(s.radius, balls[i].radius + fmax(fabs(near[i].at[0]), fmax(fabs(near[i].at[1]), fabs(near[i].at[2]))));
        s.total = fmax(s.total, ball_volume(dimension, 2 * balls[i].radius));
    }
    if (done && !any_overlap(near, count)) {
        add_separate(dimension, near, count, sum);
    } else if (done && dimension == 2) {
        for (size_t i = 0; i < count; i++) s.plane.disk[i] = (disk){near[i].at[0], near[i].at[1], near[i].radius};
        s.plane.count = count;
        add_plane(&s.plane, sum);
    } else if (done) {
        done = add_space(&s, sum);
    }
    if (done) set_moments(sum, origin, out);
    if (done) out->error = s.error;
    memory_free(near);
    memory_free(s.plane.disk);
    memory_free(s.plane.covered);
    return done;
}
