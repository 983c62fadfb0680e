/* Contact times of two particles of two clusters. */
#include "aggregation/kernel/events/state.h"

/* The relative motion of two particles at a time, by the nearest images at present. */
typedef struct pair {
    double d[DIM], u[DIM];
    double d2, du, u2;
    double contact;
} pair;

static inline pair pair_at(const cluster_state *s, uint32_t i, uint32_t j, double t)
{
    const particle *p = &s->particle[i], *q = &s->particle[j];
    const motion *m = &s->motion[p->root], *n = &s->motion[q->root];
    const double dt = t - m->t, dt_other = t - n->t;
    pair a = {.contact = s->kind[p->kind].radius + s->kind[q->kind].radius};
    for (int k = 0; k < DIM; k++) {
        double d = ((m->o[k] + m->v[k] * dt) + p->xi[k]) - ((n->o[k] + n->v[k] * dt_other) + q->xi[k]);
        double u = m->v[k] - n->v[k];
        if (s->period[k] > 0) d -= s->period[k] * nearest_whole((d + u * (s->now - t)) * s->per_period[k]);
        a.d[k] = d;
        a.u[k] = u;
        a.d2 += d * d;
        a.du += d * u;
        a.u2 += u * u;
    }
    return a;
}

/* u2 (contact^2 - closest^2), of the closest approach. It avoids the larger cancellation of du^2 - u2 c if the path is
 * long compared to the particles. */
static double discriminant(const pair *a)
{
    const double x = -a->du / a->u2;
    double closest2 = 0;
    for (int k = 0; k < DIM; k++) closest2 += (a->d[k] + a->u[k] * x) * (a->d[k] + a->u[k] * x);
    return a->u2 * (a->contact * a->contact - closest2);
}

static double touch_time(const cluster_state *s, uint32_t i, uint32_t j, double until)
{
    (void)until;
    const double t = later(s->motion[s->particle[i].root].t, s->motion[s->particle[j].root].t);
    const pair a = pair_at(s, i, j, t);
    const double c = a.d2 - a.contact * a.contact;
    if (!(a.du < 0)) return INFINITY;
    if (c <= 0) return t;
    const double disc = discriminant(&a);
    return disc < 0 ? INFINITY : t + c / (-a.du + sqrt(disc));
}

/* Contact of growing spheres: |d + u x| = contact + slack x, from the present on. The result is rounded down. */
static double touch_bound(const cluster_state *s, uint32_t i, uint32_t j)
{
    const double slack = s->motion[s->particle[i].root].slack + s->motion[s->particle[j].root].slack;
    const pair a = pair_at(s, i, j, s->now);
    const double c = a.d2 - a.contact * a.contact, b = a.du - a.contact * slack, square = a.u2 - slack * slack;
    const double disc = b * b - square * c;
    if (c <= 0) return s->now;
    if ((b >= 0 && square >= 0) || disc < 0) return INFINITY;
    return s->now + ROUND_DOWN * (c / (-b + sqrt(disc)));
}

static double touch_gap(const cluster_state *s, uint32_t i, uint32_t j, double *speed)
{
    const pair a = pair_at(s, i, j, s->now);
    *speed = sqrt(a.u2);
    return sqrt(a.d2) - a.contact;
}
