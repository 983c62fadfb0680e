/* What a body does next with its neighbours and with surfaces.
 *
 * In double precision neighbours are predicted a few at a time without branches, in the very operations of detect_pair, so
 * that any number of lanes gives the same bits. */
#include "hard/kernel/gas.h"
#include "hard/kernel/lanes.h"

#if CAROM_REAL == 0

/* The columns of a body as eight doubles. */
enum { COLUMN_R = 0, COLUMN_V = DIM, COLUMN_T = 2 * DIM, COLUMN_TAG = 2 * DIM + 1 };

_Static_assert(sizeof(body) == 8 * sizeof(double), "a body is transposed as eight numbers");

/* Tags are a body's stamp and kind, as they lie in memory. */
typedef union tags {
    lanes all;
    uint32_t half[LANES][2];
} tags;

static inline lanes contact_distances(const gas *g, uint32_t i, const tags *t)
{
    if (g->kind_count == 1) return lanes_of(g->radius[0] + g->radius[0]);
    lanes s;
    for (int k = 0; k < LANES; k++) s[k] = g->radius[t->half[k][1]];
    return radius_of(g, i) + s;
}

typedef struct meeting {
    lanes time;
    tags tag;
    unsigned meets; /* a bit a lane */
} meeting;

/* relative_at and contact_spheres for some neighbours; `pulled` (is there gravity?) is a constant to the compiler. */
static inline __attribute__((always_inline)) meeting meet_some(const gas *g, uint32_t i, const uint32_t *list, bool pulled)
{
    const body *self = &g->body[i];
    const double *record[LANES];
    lanes column[8];
    for (int k = 0; k < LANES; k++) record[k] = g->body[list[k]].r;
    lanes_transpose(record, column);

    const lanes t = lanes_later(lanes_of(self->t), column[COLUMN_T]);
    const lanes dt_a = t - self->t, dt_b = t - column[COLUMN_T], ahead = g->now - t;
    lanes vv, vr, rr;
    for (int a = 0; a < DIM; a++) {
        const double pull = g->gravity[a];
        lanes v_b = column[COLUMN_V + a], v = self->v[a] - v_b, r_a, r_b;
        if (pulled) {
            v = (self->v[a] + pull * dt_a) - (v_b + pull * dt_b);
            r_a = self->r[a] + dt_a * (self->v[a] + pull * (dt_a / 2));
            r_b = column[COLUMN_R + a] + dt_b * (v_b + pull * (dt_b / 2));
        } else {
            r_a = self->r[a] + dt_a * self->v[a];
            r_b = column[COLUMN_R + a] + dt_b * v_b;
        }
        lanes r = r_a - r_b, image = (r + v * ahead) * g->inverse_box[a];
        image = (image + REAL_ROUNDER) - REAL_ROUNDER;
        r -= image * g->box[a];
        vv = a == 0 ? v * v : vv + v * v;
        vr = a == 0 ? v * r : vr + v * r;
        rr = a == 0 ? r * r : rr + r * r;
    }

    meeting m = {.tag.all = column[COLUMN_TAG]};
    const lanes zero = lanes_of(0), s = contact_distances(g, i, &m.tag);
    const lanes c = rr - s * s, discriminant = vr * vr - vv * c;
    m.time = t + lanes_later(c, zero) / (lanes_sqrt(lanes_later(discriminant, zero)) - vr);
    m.meets = lanes_less(vr, zero) & (~lanes_less(zero, c) | lanes_less(zero, discriminant));
    return m;
}

static inline __attribute__((always_inline)) void predict_lanes(const gas *g, uint32_t i, const uint32_t *list,
                                                                uint32_t length, plan *p, bool pulled)
{
    for (uint32_t from = 0; from < length; from += LANES) {
        const meeting m = meet_some(g, i, list + from, pulled);
        unsigned left = m.meets & ~lanes_less(lanes_of(p->second.time), m.time);
        for (; left != 0; left &= left - 1) {
            int k = __builtin_ctz(left);
            consider(p, i, (next_event){m.time[k], list[from + (uint32_t)k], m.tag.half[k][0]});
        }
    }
}

#endif

static void predict_one_by_one(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    for (uint32_t k = 0; k < length; k++) {
        uint32_t j = list[k];
        if (j != i) consider(p, i, (next_event){detect_pair(g, i, j, g->now), j, g->body[j].stamp});
    }
}

void predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
#if CAROM_REAL == 0
    bool plain = g->asleep == NULL && g->growth == 0 && g->settings->detection == DETECTION_STABLE;
    if (plain && g->has_gravity)
        predict_lanes(g, i, list, length, p, true);
    else if (plain)
        predict_lanes(g, i, list, length, p, false);
    if (plain) return;
#endif
    predict_one_by_one(g, i, list, length, p);
}

void plan_surfaces(const gas *g, uint32_t i, plan *p)
{
    if (g->asleep != NULL && g->asleep[i]) return;
    for (uint32_t k = 0; k < g->surface_count; k++)
        consider(p, i, (next_event){detect_surface(g, i, k), PARTNER_SURFACE + k, 0});
}
