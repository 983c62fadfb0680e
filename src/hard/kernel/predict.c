/* What a body does next: its earliest two events among those with its neighbours, the surfaces and the end of its list.
 *
 * Pairs are predicted a batch at a time: the neighbours' states are gathered into arrays and the rule is applied to all of
 * them without branches, in the very operations of detect_pair, so that a vector of any width gives the same bits. */
#include "hard/kernel/gas.h"

enum { BATCH = 64, LANES = 8 };

typedef struct batch {
    alignas(64) real r[DIM][BATCH];
    real v[DIM][BATCH], t[BATCH], s[BATCH], time[BATCH];
} batch;

static inline void gather(const gas *g, uint32_t i, const uint32_t *list, uint32_t n, batch *b)
{
    const real radius = radius_of(g, i);
    for (uint32_t k = 0; k < n; k++) {
        const body *other = &g->body[list[k]];
        for (int a = 0; a < DIM; a++) {
            b->r[a][k] = other->r[a];
            b->v[a][k] = other->v[a];
        }
        b->t[k] = other->t;
        b->s[k] = radius + g->radius[other->kind];
    }
}

/* relative_at and contact_spheres, for all of a batch; `gravity` is a constant to the compiler. */
static inline __attribute__((always_inline)) void solve(const gas *g, uint32_t i, uint32_t n, batch *b, bool gravity)
{
    const body *self = &g->body[i];
    const real now = g->now;
    for (uint32_t k = 0; k < n; k++) {
        real t = later(self->t, b->t[k]), dt_a = t - self->t, dt_b = t - b->t[k], ahead = now - t;
        real vv = 0, vr = 0, rr = 0;
        for (int a = 0; a < DIM; a++) {
            real pull = gravity ? g->gravity[a] : 0;
            real r_a = self->r[a] + dt_a * (gravity ? self->v[a] + pull * (dt_a / 2) : self->v[a]);
            real r_b = b->r[a][k] + dt_b * (gravity ? b->v[a][k] + pull * (dt_b / 2) : b->v[a][k]);
            real v = gravity ? (self->v[a] + pull * dt_a) - (b->v[a][k] + pull * dt_b) : self->v[a] - b->v[a][k];
            real r = r_a - r_b, image = (r + v * ahead) * g->inverse_box[a];
            image = (image + REAL_ROUNDER) - REAL_ROUNDER;
            r -= image * g->box[a];
            vv = a == 0 ? v * v : vv + v * v;
            vr = a == 0 ? v * r : vr + v * r;
            rr = a == 0 ? r * r : rr + r * r;
        }
        real c = rr - b->s[k] * b->s[k], discriminant = vr * vr - vv * c;
        real dt = c / (real_sqrt(discriminant > 0 ? discriminant : 0) - vr);
        bool meets = vr < 0 && (c <= 0 || discriminant > 0);
        b->time[k] = meets ? t + (c <= 0 ? 0 : dt) : REAL_NEVER;
    }
}

static void predict_batches(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    batch b;
    for (uint32_t from = 0; from < length; from += BATCH) {
        uint32_t n = length - from < BATCH ? length - from : BATCH;
        uint32_t padded = (n + LANES - 1) / LANES * LANES;
        gather(g, i, list + from, padded, &b);
        if (g->has_gravity)
            solve(g, i, padded, &b, true);
        else
            solve(g, i, padded, &b, false);
        for (uint32_t k = 0; k < n; k++) {
            if (!(b.time[k] <= p->second.time && b.time[k] < REAL_NEVER)) continue;
            uint32_t j = list[from + k];
            consider(p, i, (next_event){b.time[k], j, g->body[j].stamp});
        }
    }
}

static void predict_one_by_one(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    for (uint32_t k = 0; k < length; k++) {
        uint32_t j = list[k];
        next_event e = {detect_pair(g, i, j, g->now), j, g->body[j].stamp};
        if (e.time < REAL_NEVER) consider(p, i, e);
    }
}

void predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    const next_event never = {REAL_NEVER, PARTNER_NONE, 0};
    p->first = p->second = never;
    bool plain = g->asleep == NULL && g->growth == 0 && g->settings->detection == DETECTION_STABLE;
    if (plain)
        predict_batches(g, i, list, length, p);
    else
        predict_one_by_one(g, i, list, length, p);
    if (g->asleep != NULL && g->asleep[i]) return;
    for (uint32_t k = 0; k < g->surface_count; k++) {
        next_event e = {detect_surface(g, i, k), PARTNER_SURFACE + k, 0};
        if (e.time < REAL_NEVER) consider(p, i, e);
    }
}
