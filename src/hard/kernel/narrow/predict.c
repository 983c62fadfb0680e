/* Predictions of a body against its neighbours and surfaces.
 *
 * In double precision several neighbours are predicted at a time (pair_batches.h). */
#include "hard/kernel/narrow/predict.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/features/shapes.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/narrow/detect.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/lanes.h"
#include "hard/kernel/narrow/pair_batches.h"

#if CAROM_REAL == 0

/* The contacts of i with LANES neighbours, batch n. */
static inline __attribute__((always_inline)) void
contacts_of_some(const gas *g, uint32_t i, const uint32_t *list, uint32_t n, batch_times *m, bool pulled, bool sheared)
{
    const pair_terms a = terms_of_pairs(g, i, list, pulled, sheared);
    m->tag[n] = a.tag;
    m->hits |= contacts_of_lanes(&a, contact_distances(g, i, &m->tag[n]), &m->time[n]) << n * LANES;
}

static inline __attribute__((always_inline)) void predict_batches(const gas *g, uint32_t i, const uint32_t *list,
                                                                  uint32_t length, plan *p, bool pulled, bool sheared)
{
    for (uint32_t from = 0; from < length; from += BATCH) {
        batch_times m;
        uint32_t end = length - from < BATCH ? length - from : BATCH;
        m.hits = 0;
        for (uint32_t k = 0; k < end; k += LANES)
            contacts_of_some(g, i, list + from + k, k / LANES, &m, pulled, sheared);
        consider_batch(g, &m, i, list + from, p);
    }
}

static inline __attribute__((always_inline)) void contact_batches(const gas *g, const uint32_t *i, const uint32_t *j,
                                                                  uint32_t count, bool pulled)
{
    for (uint32_t from = 0; from < count; from += LANES) {
        const body_lanes first = lanes_of_bodies(g, i + from), second = lanes_of_bodies(g, j + from);
        const pair_terms a = terms_of_lanes(g, &first, &second, pulled, false);
        lanes time;
        uint64_t hits = contacts_of_lanes(&a, sums_of_radii(g, &first.tag, &second.tag), &time);
        for (; hits != 0; hits &= hits - 1) {
            const uint32_t k = (uint32_t)__builtin_ctzll(hits), of = i[from + k];
            consider(g, &g->plan[of], of, (next_event){time[k], j[from + k], second.tag.half[k][0]});
        }
    }
}

#endif

static void predict_one_by_one(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    for (uint32_t k = 0; k < length; k++) {
        uint32_t j = list[k];
        if (j != i) consider(g, p, i, (next_event){detect_pair(g, i, j, g->now), j, g->body[j].stamp});
    }
}

/* For bodies that all fall. */
static void predict_falling(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
#if CAROM_REAL == 0
    predict_batches(g, i, list, length, p, true, false);
#else
    predict_one_by_one(g, i, list, length, p);
#endif
}

/* Lower bound of the local time of a contact of a sleeping and a falling body: no path is longer than a straight
 * fall. */
static real unequal_not_before(const gas *g, uint32_t i, uint32_t j)
{
    real r[DIM], v[DIM];
    relative_at(g, i, j, g->now, g->now, r, v);
    const real gap = real_sqrt(dot(r, r)) - contact_distance(g, i, j, g->now) * (1 + CONTACT_ROUNDING);
    if (gap <= 0) return g->now;
    const real speed = real_sqrt(dot(v, v)), pull = real_sqrt(dot(g->gravity, g->gravity));
    return g->now + BOUND_SHARE * (2 * gap / (speed + real_sqrt(speed * speed + 2 * pull * gap)));
}

/* With sleeping bodies: first, for a falling body, the falling neighbours in batches; then the neighbours in the other
 * state, which are expensive, if they may come first. */
static void predict_among_sleepers(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    enum { SOME = 64 };
    uint32_t alike[SOME + PADDING], count = 0;
    for (uint32_t k = 0; k < length && !g->sleep->asleep[i]; k++) {
        if (list[k] != i && !g->sleep->asleep[list[k]]) alike[count++] = list[k];
        if (count < SOME && k + 1 < length) continue;
        for (uint32_t pad = 0; pad < PADDING; pad++) alike[count + pad] = i;
        predict_falling(g, i, alike, count, p);
        count = 0;
    }
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t j = list[k];
        if (g->sleep->asleep[j] == g->sleep->asleep[i] || unequal_not_before(g, i, j) > p->second.time) continue;
        consider(g, p, i, (next_event){detect_pair(g, i, j, g->now), j, g->body[j].stamp});
    }
}

static void predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    if (g->stepped != NULL) {
        plan_unlinked(g, i, list, length, p);
        return;
    }
    if (g->shapes != NULL) {
        shapes_predict(g, i, list, length, p);
        return;
    }
    if (g->sleep != NULL && g->has_gravity && is_stable(g)) {
        predict_among_sleepers(g, i, list, length, p);
        return;
    }
#if CAROM_REAL == 0
    bool plain = g->sleep == NULL && g->growth == 0 && is_stable(g);
    if (plain && g->has_gravity)
        predict_batches(g, i, list, length, p, true, false);
    else if (plain && g->shear != NULL)
        predict_batches(g, i, list, length, p, false, true);
    else if (plain)
        predict_batches(g, i, list, length, p, false, false);
    if (plain) return;
#endif
    predict_one_by_one(g, i, list, length, p);
}

static void predict_pairs(gas *g, const uint32_t *i, const uint32_t *j, uint32_t count)
{
#if CAROM_REAL == 0
    if (g->has_gravity)
        contact_batches(g, i, j, count, true);
    else
        contact_batches(g, i, j, count, false);
#else
    for (uint32_t k = 0; k < count; k++)
        consider(g, &g->plan[i[k]], i[k], (next_event){detect_pair(g, i[k], j[k], g->now), j[k], g->body[j[k]].stamp});
#endif
}

static void plan_surfaces(const gas *g, uint32_t i, plan *p)
{
    const bool leans = g->shapes != NULL && shapes_any(g, i, i);
    for (uint32_t k = 0; k < g->surface_count && leans; k++)
        consider(g, p, i, (next_event){shapes_detect_surface(g, i, k, p->second.time), PARTNER_SURFACE + k, 0});
    for (uint32_t k = 0; k < g->surface_count && !leans; k++)
        if (may_be_hit(g, i, g->surface[k].motion))
            consider(g, p, i, (next_event){detect_surface(g, i, k), PARTNER_SURFACE + k, 0});
    if (g->motions != NULL) consider(g, p, i, (next_event){lookahead_end(g, i), PARTNER_TRANSFER, TRANSFER_REPEAT});
}
