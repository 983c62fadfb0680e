/* Contact times of a body with several others at once, without branches, in double precision. The operations are those
 * of detect_pair, so that any number of lanes gives the same bits. */
#ifndef CAROM_HARD_KERNEL_PAIR_BATCHES_H
#define CAROM_HARD_KERNEL_PAIR_BATCHES_H

#include "hard/kernel/features/shear.h"
#include "hard/kernel/narrow/lanes.h"

#if CAROM_REAL == 0

/* A body as eight doubles. */
enum { COLUMN_R = 0, COLUMN_V = DIM, COLUMN_T = 2 * DIM, COLUMN_TAG = 2 * DIM + 1 };

_Static_assert(sizeof(body) == 8 * sizeof(double), "a body is transposed as eight numbers");

/* Tags: stamp and kind of a body, as in memory. */
typedef union tags {
    lanes all;
    uint32_t half[LANES][2];
} tags;

static inline lanes contact_distances(const gas *g, uint32_t i, const tags *t)
{
    if (g->kind_count == 1) return lanes_of(g->radius[0] + g->radius[0]);
    lanes s = lanes_of(0);
    for (int k = 0; k < LANES; k++) s[k] = g->radius[t->half[k][1]];
    return radius_of(g, i) + s;
}

/* Contact times of a body with a batch of others. */
enum { BATCH = 64 };
typedef struct batch_times {
    lanes time[BATCH / LANES];
    tags tag[BATCH / LANES];
    uint64_t hits; /* one bit for each contact */
} batch_times;

/* Relative state of several pairs, each at the later of its two times: squares and products of position and velocity,
 * and |r x v|^2. */
typedef struct pair_terms {
    lanes t, vv, vr, rr, moment;
    tags tag;
} pair_terms;

/* Reduces differences of positions and velocities to the nearest images; `sheared` as in shear_nearest. */
static inline __attribute__((always_inline)) void nearest_images(const gas *g, lanes t, lanes ahead, lanes r[DIM],
                                                                 lanes v[DIM], bool sheared)
{
    for (int step = 0; step < DIM; step++) {
        const int a = sheared && step < 2 ? 1 - step : step;
        lanes image = (r[a] + v[a] * ahead) * g->inverse_box[a];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        r[a] -= image * g->box[a];
        if (!sheared || a != 1) continue;
        r[0] -= image * (g->shear->offset + g->shear->slide * t);
        v[0] -= image * g->shear->slide;
    }
}

/* Bodies, one in each lane. */
typedef struct body_lanes {
    lanes r[DIM], v[DIM], t;
    tags tag;
} body_lanes;

static inline __attribute__((always_inline)) body_lanes lanes_of_bodies(const gas *g, const uint32_t *list)
{
    const double *record[LANES];
    lanes column[8];
    body_lanes b;
    for (int k = 0; k < LANES; k++) record[k] = g->body[list[k]].r;
    lanes_transpose(record, column);
    for (int a = 0; a < DIM; a++) {
        b.r[a] = column[COLUMN_R + a];
        b.v[a] = column[COLUMN_V + a];
    }
    b.t = column[COLUMN_T];
    b.tag.all = column[COLUMN_TAG];
    return b;
}

/* The same body in each lane. */
static inline __attribute__((always_inline)) body_lanes lanes_of_body(const gas *g, uint32_t i)
{
    const body *self = &g->body[i];
    body_lanes b;
    for (int a = 0; a < DIM; a++) {
        b.r[a] = lanes_of(self->r[a]);
        b.v[a] = lanes_of(self->v[a]);
    }
    b.t = lanes_of(self->t);
    for (int k = 0; k < LANES; k++) b.tag.half[k][1] = self->kind;
    return b;
}

/* relative_at for LANES pairs; `pulled` (gravity) and `sheared` are compile-time constants. */
static inline __attribute__((always_inline)) pair_terms terms_of_lanes(const gas *g, const body_lanes *i,
                                                                       const body_lanes *j, bool pulled, bool sheared)
{
    lanes r[DIM], v[DIM];
    const lanes t = lanes_later(i->t, j->t);
    const lanes dt_a = t - i->t, dt_b = t - j->t, ahead = g->now - t;
    for (int a = 0; a < DIM; a++) {
        const double pull = g->gravity[a];
        lanes r_a, r_b;
        v[a] = i->v[a] - j->v[a];
        if (pulled) {
            v[a] = (i->v[a] + pull * dt_a) - (j->v[a] + pull * dt_b);
            r_a = i->r[a] + dt_a * (i->v[a] + pull * (dt_a / 2));
            r_b = j->r[a] + dt_b * (j->v[a] + pull * (dt_b / 2));
        } else {
            r_a = i->r[a] + dt_a * i->v[a];
            r_b = j->r[a] + dt_b * j->v[a];
        }
        r[a] = r_a - r_b;
    }
    nearest_images(g, t, ahead, r, v, sheared);
    lanes vv = v[0] * v[0], vr = v[0] * r[0], rr = r[0] * r[0];
    for (int a = 1; a < DIM; a++) {
        vv = vv + v[a] * v[a];
        vr = vr + v[a] * r[a];
        rr = rr + r[a] * r[a];
    }
    const lanes about_z = r[0] * v[1] - r[1] * v[0];
    lanes moment = about_z * about_z;
#if CAROM_DIM == 3
    const lanes about_x = r[1] * v[2] - r[2] * v[1], about_y = r[2] * v[0] - r[0] * v[2];
    moment = moment + about_x * about_x + about_y * about_y;
#endif
    return (pair_terms){t, vv, vr, rr, moment, j->tag};
}

/* The same for a body and LANES neighbours. */
static inline __attribute__((always_inline)) pair_terms terms_of_pairs(const gas *g, uint32_t i, const uint32_t *list,
                                                                       bool pulled, bool sheared)
{
    const body_lanes self = lanes_of_body(g, i), others = lanes_of_bodies(g, list);
    return terms_of_lanes(g, &self, &others, pulled, sheared);
}

/* Sums of the radii of LANES pairs. */
static inline lanes sums_of_radii(const gas *g, const tags *i, const tags *j)
{
    if (g->kind_count == 1) return lanes_of(g->radius[0] + g->radius[0]);
    lanes s = lanes_of(0);
    for (int k = 0; k < LANES; k++) s[k] = g->radius[i->half[k][1]] + g->radius[j->half[k][1]];
    return s;
}

/* contact_meeting for LANES pairs: times, and one bit for each contact. */
static inline __attribute__((always_inline)) uint64_t contacts_of_lanes(const pair_terms *a, lanes s, lanes *time)
{
    const lanes zero = lanes_of(0), c = a->rr - s * s, discriminant = a->vv * (s * s) - a->moment;
    *time = a->t + lanes_later(c, zero) / (lanes_sqrt(lanes_later(discriminant, zero)) - a->vr);
    return lanes_less(a->vr, zero) & (~lanes_less(zero, c) | lanes_less(zero, discriminant));
}

/* The first two contacts, without branches that depend on the times; false if times are equal. */
static inline bool first_two(const batch_times *m, uint32_t which[2])
{
    const double *time = (const double *)m->time;
    double first = REAL_NEVER, second = REAL_NEVER;
    uint32_t k1 = BATCH, k2 = BATCH;
    bool tie = false;
    for (uint64_t left = m->hits; left != 0; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(left);
        double t = time[k], later_one = t < first ? first : t;
        uint32_t later_k = t < first ? k1 : k;
        tie |= (t == first) | (t == second);
        k2 = later_one < second ? later_k : k2;
        second = later_one < second ? later_one : second;
        k1 = t < first ? k : k1;
        first = t < first ? t : first;
    }
    which[0] = k1;
    which[1] = k2;
    return !tie;
}

static inline void consider_contact_time(const gas *g, const batch_times *m, uint32_t i, const uint32_t *list,
                                         uint32_t k, plan *p)
{
    if (k < BATCH)
        consider(g, p, i, (next_event){((const double *)m->time)[k], list[k], m->tag[k / LANES].half[k % LANES][0]});
}

/* Improves the plan of i by all contacts of a batch. */
static inline void consider_batch(const gas *g, const batch_times *m, uint32_t i, const uint32_t *list, plan *p)
{
    uint32_t which[2];
    if (first_two(m, which)) {
        consider_contact_time(g, m, i, list, which[0], p);
        consider_contact_time(g, m, i, list, which[1], p);
        return;
    }
    for (uint64_t left = m->hits; left != 0; left &= left - 1)
        consider_contact_time(g, m, i, list, (uint32_t)__builtin_ctzll(left), p);
}

#endif
#endif
