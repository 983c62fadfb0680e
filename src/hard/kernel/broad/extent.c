/* Sizes of bodies, and the region that they occupy. */
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/parallel/reach.h"
#include "hard/kernel/totals.h"

#include "geometry/ball.h"

static real largest_contact(const gas *g)
{
    real largest = 0;
    for (uint32_t k = 0; k < g->kind_count; k++) largest = later(largest, g->radius[k]);
    return 2 * largest * g->grow_to * g->reach;
}

static real mean_contact(const gas *g)
{
    if (g->kind_count == 1) return largest_contact(g);
    const uint32_t count = all_bodies(g);
    return count > 0 ? 2 * total_radius(g) * g->grow_to * g->reach / (real)count : 0;
}

static double bodies_around(const gas *g)
{
    const double side = 3 * (double)largest_contact(g);
    double others = all_bodies(g);
    for (int k = 0; k < DIM; k++) others *= side / fmax((double)g->size[k], side);
    return others;
}

static real least_size(const gas *g, int k)
{
    double room = 1, taken = 0;
    if (g->compression == NULL) return g->size[k];
    for (int a = 0; a < DIM; a++) room *= (double)g->size[a];
    for (uint32_t i = 0; i < g->count; i++) taken += pow(2 * (double)radius_of(g, i), DIM);
    return g->size[k] * (real)pow(taken * ball_volume(DIM, 1) / room, 1.0 / DIM);
}

static void span_of(const gas *g, int k, real *low, real *length)
{
    *low = 0;
    *length = g->size[k];
    if (g->scene->box.boundary[k] != BOUNDARY_OPEN) return;
    if (g->count == 0) { /* a domain */
        *length = 0;
        return;
    }
    real high = -REAL_NEVER;
    *low = REAL_NEVER;
    for (uint32_t i = 0; i < g->count; i++) {
        real r[DIM];
        position_at(g, i, g->now, r);
        if (r[k] < *low) *low = r[k];
        if (r[k] > high) high = r[k];
    }
    *length = high - *low;
}

static coverage coverage_of(const gas *g, int k)
{
    coverage s = {.ring = g->box[k] > 0};
    span_of(g, k, &s.low, &s.length);
    if (g->domain == NULL || g->scene->box.boundary[k] == BOUNDARY_OPEN) return s;
    double low, high;
    domain_reach(g->domain, k, &low, &high);
    if (s.ring && !(high - low + (double)largest_contact(g) < (double)s.length)) return s;
    if (!s.ring) low = fmax(low, 0);
    if (!s.ring) high = fmin(high, (double)s.length);
    s.low = (real)low;
    s.length = (real)(high - low);
    s.first = s.ring ? s.low - (g->box[k] - s.length) / 2 : 0;
    s.ring = false;
    return s;
}
