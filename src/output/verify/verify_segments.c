#include "output/verify/verify_segments.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Segments, then particles as segments of zero length. */
typedef struct rod {
    double at[3], way[3], radius;
    double low, high; /* along x */
    size_t number;    /* index in the order of the caller */
    uint32_t ends[2];
    bool again; /* position in the previous list, one box length further */
} rod;

typedef struct sweep {
    const carom_frame *f;
    const result_links *links;
    double tolerance;
    segment_found *found;
    void *data;
    rod *rods; /* sorted by `low`; items across a periodic boundary are listed twice */
    size_t count, segments;
} sweep;

static double nearest(const carom_frame *f, size_t k, double d)
{
    return f->boundary[k] == FRAME_PERIODIC ? d - f->box[k] * rint(d / f->box[k]) : d;
}

static void add_rod(sweep *s, size_t number, uint32_t i, uint32_t j, double radius)
{
    const carom_frame *f = s->f;
    size_t dimension = (size_t)f->dimension;
    rod r = {.radius = radius, .number = number, .ends = {i, j}};
    for (size_t k = 0; k < dimension; k++) {
        r.at[k] = f->position[i * dimension + k];
        r.way[k] = nearest(f, k, f->position[j * dimension + k] - r.at[k]);
    }
    r.low = fmin(r.at[0], r.at[0] + r.way[0]) - radius;
    r.high = fmax(r.at[0], r.at[0] + r.way[0]) + radius;
    if (f->boundary[0] == FRAME_PERIODIC) {
        double shift = -f->box[0] * floor(r.low / f->box[0]);
        r.low += shift;
        r.high += shift;
        r.at[0] += shift;
    }
    s->rods[s->count++] = r;
    if (f->boundary[0] != FRAME_PERIODIC || r.high <= f->box[0]) return;
    r.low -= f->box[0];
    r.high -= f->box[0];
    r.at[0] -= f->box[0];
    r.again = true;
    s->rods[s->count++] = r;
}

static int compare(const void *left, const void *right)
{
    const rod *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The squared distance between the point s along a and b, at fixed s; r: from the start of b to that of a. */
static double distance2_at(const double r[3], const double a[3], const double b[3], double s)
{
    double from[3], along = 0, length2 = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        from[k] = r[k] + s * a[k];
        along += from[k] * b[k];
        length2 += b[k] * b[k];
    }
    double t = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
    for (int k = 0; k < 3; k++) sum += (from[k] - t * b[k]) * (from[k] - t * b[k]);
    return sum;
}

/* This function is convex in s: minimum by trisection. */
static double distance(const double r[3], const double a[3], const double b[3])
{
    double low = 0, high = 1;
    for (int n = 0; n < 100; n++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;
        if (distance2_at(r, a, b, one) < distance2_at(r, a, b, two))
            high = two;
        else
            low = one;
    }
    double least = fmin(distance2_at(r, a, b, 0), distance2_at(r, a, b, 1));
    return sqrt(fmin(least, distance2_at(r, a, b, 0.5 * (low + high))));
}

static bool may_touch(const result_links *links, const rod *a, const rod *b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (a->ends[i] == b->ends[j]) return true;
    if (links->owner == NULL) return false;
    uint32_t owner = links->owner[a->ends[0]];
    return owner != 0 && owner == links->owner[a->ends[1]] && owner == links->owner[b->ends[0]] &&
           owner == links->owner[b->ends[1]];
}

static void meet(const sweep *s, const rod *a, const rod *b)
{
    double r[3], contact = a->radius + b->radius;
    if (may_touch(s->links, a, b)) return;
    for (size_t k = 0; k < 3; k++) {
        double middles = a->at[k] + 0.5 * a->way[k] - b->at[k] - 0.5 * b->way[k];
        r[k] = nearest(s->f, k, middles) - 0.5 * a->way[k] + 0.5 * b->way[k];
    }
    double apart = distance(r, a->way, b->way), depth = contact - apart;
    if (depth <= s->tolerance + s->f->leeway * contact) return;
    if (a->number < b->number)
        s->found(a->number, b->number, apart, depth, s->data);
    else
        s->found(b->number, a->number, apart, depth, s->data);
}

/* Each item against those that begin before it ends. Pairs of particles, and a segment and its own image, are not
 * tested. */
static void meet_all(const sweep *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const rod *a = &s->rods[i];
        for (size_t j = i + 1; j < s->count && s->rods[j].low < a->high; j++) {
            const rod *b = &s->rods[j];
            if (a->number >= s->segments && b->number >= s->segments) continue;
            if (a->number != b->number && !(a->again && b->again)) meet(s, a, b);
        }
    }
}

carom_status verify_segments(const carom_frame *f, const result_links *links, double tolerance, segment_found *found,
                             void *data, error *e)
{
    sweep s = {
        .f = f, .links = links, .tolerance = tolerance, .found = found, .data = data, .segments = links->segments};
    if (links->segments == 0) return CAROM_OK;
    s.rods = NEW_ARRAY(2 * (links->segments + f->count), rod);
    if (s.rods == NULL) return error_memory(e, "the segments", (links->segments + f->count) * sizeof(rod));
    for (size_t n = 0; n < links->segments; n++)
        add_rod(&s, n, links->segment[0][n], links->segment[1][n], links->radius[n]);
    for (size_t i = 0; i < f->count; i++)
        if (!frame_is_absent(f, i)) add_rod(&s, links->segments + i, (uint32_t)i, (uint32_t)i, f->radius[i]);
    qsort(s.rods, s.count, sizeof *s.rods, compare);
    meet_all(&s);
    memory_free(s.rods);
    return CAROM_OK;
}
