/* Predictions for pairs with stepped potentials, liquid bridges or bonds: linked pairs move between two spheres, pairs
 * outside can only enter. In double precision several pairs at a time (pair_batches.h), with the operations of
 * stepped_next. */
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/narrow/lanes.h"
#include "hard/kernel/narrow/pair_batches.h"

#include "geometry/step.h"

#if CAROM_REAL == 0

/* Squared distances of the first event of pairs outside, in contact distances. */
static inline lanes outermost_squares(const gas *g, uint32_t i, const tags *t)
{
    const uint32_t count = (uint32_t)g->scene->species_count;
    if (count == 1) return lanes_of(g->stepped->outermost[0]);
    const double *row = g->stepped->outermost + (size_t)species_of(g, i) * count;
    lanes square = lanes_of(0);
    for (int k = 0; k < LANES; k++) square[k] = row[g->species[t->half[k][1]]];
    return square;
}

/* contact_meeting for LANES neighbours, batch n, without those that are linked. */
static inline __attribute__((always_inline)) void enter_some(const gas *g, uint32_t i, const uint32_t *list, uint32_t n,
                                                             batch_times *m, bool pulled)
{
    const pair_terms a = terms_of_pairs(g, i, list, pulled, false);
    m->tag[n] = a.tag;
    const lanes zero = lanes_of(0), s = contact_distances(g, i, &m->tag[n]);
    const lanes square = outermost_squares(g, i, &m->tag[n]) * (s * s);
    const lanes c = a.rr - square, discriminant = a.vv * square - a.moment;
    m->time[n] = a.t + lanes_later(c, zero) / (lanes_sqrt(lanes_later(discriminant, zero)) - a.vr);
    uint64_t hits = lanes_less(a.vr, zero) & (~lanes_less(zero, c) | lanes_less(zero, discriminant));
    for (uint32_t k = 0; k < LANES; k++) hits &= ~((uint64_t)g->stepped->linked[list[k]] << k);
    m->hits |= hits << n * LANES;
}

/* Squared radii of the spheres between which linked pairs move. */
static inline void spheres_around(const gas *g, uint32_t i, const tags *t, const uint32_t *shells, lanes *inner,
                                  lanes *outer)
{
    const lanes s = contact_distances(g, i, t);
    lanes unit = s * s;
    for (int k = 0; k < LANES; k++) {
        const shell *in = &g->stepped->shell[shells[k]];
        (*inner)[k] = in->inner;
        (*outer)[k] = in->outer;
        if (in->lengths) unit[k] = 1;
    }
    *inner *= unit;
    *outer *= unit;
}

/* step_next for LANES linked bodies. */
static inline __attribute__((always_inline)) void leave_some(const gas *g, uint32_t i, const uint32_t *list,
                                                             const uint32_t *shells, uint32_t n, batch_times *m,
                                                             bool pulled)
{
    const pair_terms a = terms_of_pairs(g, i, list, pulled, false);
    const lanes zero = lanes_of(0), one = lanes_of(1);
    lanes inner = zero, outer = zero;
    m->tag[n] = a.tag;
    spheres_around(g, i, &a.tag, shells, &inner, &outer);
    const lanes in = a.rr - inner, out = outer - a.rr;
    const lanes in_root = a.vv * inner - a.moment, out_root = a.vv * outer - a.moment;
    const unsigned inwards = lanes_less(a.vr, zero) & (~lanes_less(zero, in) | lanes_less(zero, in_root));
    lanes hits = zero; /* 1: inwards */
    for (int k = 0; k < LANES; k++) hits[k] = inwards >> k & 1;
    const lanes root = lanes_sqrt(lanes_later(lanes_pick(zero, hits, in_root, out_root), zero));
    /* Inwards in / (root - vr); outwards, if the pair approaches, (root - vr) / vv, else out / (root + vr). */
    const lanes gap = lanes_later(lanes_pick(zero, hits, in, out), zero), less = root - a.vr;
    lanes above = lanes_pick(a.vr, zero, less, gap), below = lanes_pick(a.vr, zero, a.vv, root + a.vr);
    above = lanes_pick(zero, hits, gap, above);
    below = lanes_pick(zero, hits, less, below);
    const lanes stays = lanes_pick(zero, above, below, one); /* 0 / 0 becomes 0 */
    m->time[n] = a.t + above / stays;
    m->hits |= (uint64_t)(inwards | lanes_less(zero, a.vv)) << n * LANES;
}

static inline __attribute__((always_inline)) void enter_batches(const gas *g, uint32_t i, const uint32_t *list,
                                                                uint32_t length, plan *p, bool pulled)
{
    for (uint32_t from = 0; from < length; from += BATCH) {
        batch_times m;
        uint32_t end = length - from < BATCH ? length - from : BATCH;
        m.hits = 0;
        for (uint32_t k = 0; k < end; k += LANES) enter_some(g, i, list + from + k, k / LANES, &m, pulled);
        consider_batch(g, &m, i, list + from, p);
    }
}

static inline __attribute__((always_inline)) void leave_batches(const gas *g, uint32_t i, plan *p, bool pulled)
{
    const link *row = links_of(g, i);
    const uint32_t length = g->stepped->length[i];
    for (uint32_t from = 0; from < length; from += BATCH) {
        batch_times m;
        uint32_t list[BATCH], shells[BATCH], end = length - from < BATCH ? length - from : BATCH, k = 0;
        for (; k < end; k++) {
            list[k] = row[from + k].with;
            shells[k] = row[from + k].shell;
        }
        for (; k % LANES != 0; k++) {
            list[k] = i; /* no relative velocity: no event */
            shells[k] = SHELL_OUTSIDE;
        }
        m.hits = 0;
        for (k = 0; k < end; k += LANES) leave_some(g, i, list + k, shells + k, k / LANES, &m, pulled);
        consider_batch(g, &m, i, list, p);
    }
}

static void plan_links(const gas *g, uint32_t i, plan *p)
{
    if (g->has_gravity)
        leave_batches(g, i, p, true);
    else
        leave_batches(g, i, p, false);
}

static void plan_unlinked(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    links_mark(g, i, true);
    if (g->has_gravity)
        enter_batches(g, i, list, length, p, true);
    else
        enter_batches(g, i, list, length, p, false);
    links_mark(g, i, false);
}

#else

static void plan_links(const gas *g, uint32_t i, plan *p)
{
    const link *row = links_of(g, i);
    bool outward;
    for (uint32_t k = 0; k < g->stepped->length[i]; k++) {
        uint32_t j = row[k].with;
        consider(g, p, i, (next_event){stepped_next(g, i, j, row[k].shell, g->now, &outward), j, g->body[j].stamp});
    }
}

static void plan_unlinked(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    bool outward;
    links_mark(g, i, true);
    for (uint32_t k = 0; k < length; k++) {
        uint32_t j = list[k];
        if (j == i || g->stepped->linked[j]) continue;
        consider(g, p, i, (next_event){stepped_next(g, i, j, SHELL_OUTSIDE, g->now, &outward), j, g->body[j].stamp});
    }
    links_mark(g, i, false);
}

#endif
