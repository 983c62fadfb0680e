/* Flight of bodies between events, and relative positions of pairs. */
#ifndef CAROM_HARD_KERNEL_FLIGHT_H
#define CAROM_HARD_KERNEL_FLIGHT_H

#include "frame/image.h"
#include "hard/kernel/features/flights.h"
#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/images.h"
#include "hard/kernel/parallel/notes.h"

/* Acceleration along axis k: sleeping bodies do not fall. */
static inline real acceleration(const gas *g, uint32_t i, int k)
{
    return is_asleep(g, i) ? 0 : g->gravity[k];
}

static inline void position_at(const gas *g, uint32_t i, real t, real r[DIM])
{
    const body *b = &g->body[i];
    real dt = t - b->t;
    for (int k = 0; k < DIM; k++) r[k] = b->r[k] + dt * (b->v[k] + acceleration(g, i, k) * (dt / 2));
}

/* Distance vector r_i - r_j and relative velocity of a pair at local time t, for the image of j that is nearest at
 * local time `now`. Exactly antisymmetric in i and j. */
static inline __attribute__((always_inline)) void relative_at(const gas *g, uint32_t i, uint32_t j, real t, real now,
                                                              real r[DIM], real v[DIM])
{
    const body *a = &g->body[i], *b = &g->body[j];
    real dt_a = t - a->t, dt_b = t - b->t;
    for (int k = 0; k < DIM; k++) {
        real g_a = acceleration(g, i, k), g_b = acceleration(g, j, k);
        real r_a = a->r[k] + dt_a * (a->v[k] + g_a * (dt_a / 2));
        real r_b = b->r[k] + dt_b * (b->v[k] + g_b * (dt_b / 2));
        v[k] = (a->v[k] + g_a * dt_a) - (b->v[k] + g_b * dt_b);
        r[k] = r_a - r_b;
        if (g->shear != NULL) continue;
        real image = (r[k] + v[k] * (now - t)) * g->inverse_box[k];
        image = nearest_whole(image);
        r[k] -= image * g->box[k];
    }
    if (g->shear != NULL) shear_nearest(g, t, now - t, r, v);
}

/* Whether the pair overlaps at local time `now`. */
static inline bool is_overlapping(const gas *g, uint32_t i, uint32_t j, real now)
{
    real r[DIM], v[DIM];
    relative_at(g, i, j, now, now, r, v);
    real s = contact_distance(g, i, j, now);
    return dot(r, r) < s * s;
}

/* Whether the gap exceeds rounding, so that the contact search failed. */
static inline bool is_apart(const gas *g, uint32_t i, real gap, real rate, real size)
{
    if (!(gap > UNFINISHED_GAP * size)) return false;
    real way = real_fabs(rate * g->now);
    for (int k = 0; k < DIM; k++) way += real_fabs(g->body[i].r[k]);
    return gap > UNFINISHED_ROUNDING * way;
}

/* Advances body i to local time t and, on periodic axes, moves it into the box: its stored state changes. */
static inline void fly(gas *g, uint32_t i, real t)
{
    if (g->shear != NULL) {
        shear_fly(g, i, t);
        return;
    }
    if (g->transport != NULL) tally_flight(g, i, t);
    body *b = &g->body[i];
    real dt = t - b->t;
    for (int k = 0; k < DIM; k++) {
        real a = acceleration(g, i, k);
        b->r[k] += dt * (b->v[k] + a * (dt / 2));
        b->v[k] += a * dt;
        real turns = real_floor(b->r[k] * g->inverse_box[k]);
        if (turns != 0) {
            if (g->domain != NULL) note_image(g->domain, i);
            b->r[k] -= turns * g->box[k];
            image_put(g, i, k, image_moved(image_at(g, i, k), (double)turns));
        }
    }
    if (g->shapes != NULL) shapes_fly(g, i, t);
    b->t = t;
    b->stamp++;
}

#endif
