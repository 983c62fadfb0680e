/* Tallies of events. Each count and each addition goes through a function of this file, which skips it if the present
 * event does not count (gas.counts). A sum takes rounded contributions, in true units, and is itself exact: it does not
 * depend on the order of events, and sums over parts of the events can be added. */
#ifndef CAROM_HARD_KERNEL_TALLIES_H
#define CAROM_HARD_KERNEL_TALLIES_H

#include "hard/kernel/gas.h"

/* Counts a physical event. */
static inline void count_event(gas *g, event_kind kind)
{
    g->events[kind] += g->counts;
}

static inline void tally_stabilising(gas *g)
{
    g->tallies.stabilising += g->counts;
}

static inline void tally_three_body(gas *g, bool again, bool both)
{
    g->tallies.three_body_again += g->counts && again;
    g->tallies.three_body_double += g->counts && both;
}

static inline void tally_overlap(gas *g, double overlap)
{
    if (g->counts && overlap > g->tallies.max_overlap) g->tallies.max_overlap = overlap;
}

/* Adds the contributions that wait to the sums. Their number has no effect on the sums. */
static void tallies_collect(event_tallies *all);

/* An impact of a pair: adds the impulse p r on the first body to the virial; r = r_i - r_j, `scale` = 2^-g->scale. */
static inline void tally_impulse(gas *g, real p, const real r[DIM], double scale, double dissipated)
{
    if (!g->counts) return;
    double *row = g->tallies.pending[g->tallies.pending_count++];
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b <= a; b++) row[component(a, b)] = (double)(p * r[a] * r[b]) * scale;
    row[PAIR_DISSIPATED] = dissipated;
    if (g->tallies.pending_count == EXACT_ROWS) tallies_collect(&g->tallies);
}

/* An impulse in any direction. */
static inline void tally_virial(gas *g, const real impulse[DIM], const real r[DIM], double scale)
{
    if (!g->counts) return;
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < DIM; b++) exact_add(&g->tallies.virial[a][b], (double)(impulse[a] * r[b]) * scale);
}

static inline void tally_wall_impulse(gas *g, const surface *s, double impulse)
{
    if (g->counts && s->axis >= 0) exact_add(&g->tallies.wall_impulse[s->axis][s->side], impulse);
}

static inline void tally_dissipated(gas *g, double energy)
{
    if (g->counts && energy != 0) exact_add(&g->tallies.pair[PAIR_DISSIPATED], energy);
}

/* Energy dissipated by friction, a part of the former. */
static inline void tally_friction(gas *g, double energy)
{
    if (g->counts) exact_add(&g->tallies.friction, energy);
}

static inline void tally_supplied(gas *g, double energy)
{
    if (g->counts) exact_add(&g->tallies.supplied, energy);
}

static inline void tally_work(gas *g, double energy)
{
    if (g->counts) exact_add(&g->tallies.work, energy);
}

/* Completes the sums: then they have the same bytes for all orders of events. Call before the sums are read or saved. */
static void tallies_settle(event_tallies *all);

/* Adds the tallies of a part of the events, and clears them. */
static void tallies_merge(event_tallies *all, event_tallies *part);

static bool tallies_are_sound(const event_tallies *all);

/* One component of the virial. */
static void tallies_virial(const gas *g, int a, int b, exact_sum *sum);

/* Rounds the sums. */
static void tallies_fill_frame(const gas *g, frame_tallies *out);

#endif
