/* Order of the bodies in memory: along a space-filling curve, so that neighbours in space are near each other in
 * memory. Bodies are sorted at each re-basing. The order affects speed only: events are ordered, and results stored, by
 * the numbers of the bodies in the scene. */
#include "hard/kernel/broad/order.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/rearrange.h"

#include "neighbors/curve.h"

#include <string.h>

/* Positions on a grid with about one body in each cell. */
static void find_places(const gas *g, curve_place *p)
{
    const int levels = curve_levels(DIM, g->count);
    coverage s[DIM];
    for (int k = 0; k < DIM; k++) s[k] = coverage_of(g, k);
    for (uint32_t i = 0; i < g->count; i++) {
        real r[DIM];
        double inside[DIM];
        position_at(g, i, g->now, r);
        for (int k = 0; k < DIM; k++) {
            const real x = image_from(g, k, s[k].first, r[k]) - s[k].low;
            inside[k] = s[k].length > 0 ? (double)(x / s[k].length) : 0;
        }
        p[i] = (curve_place){curve_key(DIM, levels, inside), i};
    }
}

#define REARRANGE(array) rearrange((array), sizeof *(array), from, g->count, held)

/* Moves body from[i].item to index i, for all i. */
static void arrange_bodies(gas *g, curve_place *from)
{
    _Static_assert(sizeof(body) <= 128, "a body is held");
    char held[128];
    REARRANGE(g->body);
    REARRANGE(g->id);
    REARRANGE(g->image);
    if (g->images_long) REARRANGE(g->image_high);
    if (g->stall.any) REARRANGE(g->stall.time);
    if (g->stall.any) REARRANGE(g->stall.count);
    features_reorder(g, from, held);
    g->ending.witness_stamps = 0;
}

static void order_bodies(gas *g)
{
    if (g->count < FEWEST_SORTED || g->sleep != NULL || g->crew != NULL) return;
    _Static_assert(sizeof(plan) >= 2 * sizeof(curve_place), "plans are scratch");
    curve_place *from = (curve_place *)(void *)g->plan; /* plans are rebuilt after this */
    find_places(g, from);
    curve_sort(from, from + g->count, g->count);
    arrange_bodies(g, from);
}
