/* Event detection: when do two bodies, or a body and a surface, next collide? */
#include "geometry/contact.h"
#include "geometry/quartic.h"
#include "hard/kernel/features/ellipsoids.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/features/steps.h"
#include "hard/kernel/narrow/flight.h"

/* One body sleeps and the other falls: the squared distance is a quartic in time. */
static real detect_unequal(const gas *g, uint32_t i, const real r[DIM], const real v[DIM], real s)
{
    real rr = dot(r, r), vr = dot(v, r), vv = dot(v, v), ar = 0, av = 0, aa = 0;
    real sign = g->sleep->asleep[i] ? -1 : 1;
    for (int k = 0; k < DIM; k++) {
        real a = sign * g->gravity[k];
        ar += a * r[k];
        av += a * v[k];
        aa += a * a;
    }
    double f[5] = {(double)(rr - s * s), (double)(2 * vr), (double)(vv + ar), (double)av, (double)(aa / 4)};
    return (real)quartic_contact(f);
}

static real detect_pair(const gas *g, uint32_t i, uint32_t j, real now)
{
    if (g->steps != NULL) return steps_detect(g, i, j, now);
    if (g->ellipsoids != NULL && ellipsoids_any(g, i, j)) return ellipsoids_meet(g, i, j, now);
    real t = later(g->body[i].t, g->body[j].t);
    real r[DIM], v[DIM];
    relative_at(g, i, j, t, now, r, v);
    real s = contact_distance(g, i, j, t);
    if (g->sleep != NULL) {
        if (g->sleep->asleep[i] && g->sleep->asleep[j]) return REAL_NEVER;
        if (g->has_gravity && g->sleep->asleep[i] != g->sleep->asleep[j]) return t + detect_unequal(g, i, r, v, s);
    }
    if (g->settings->detection != DETECTION_STABLE) return remedy_pair(g, i, j, t, r, v, s);
    real a = dot(v, v), b = dot(v, r), c = dot(r, r) - s * s;
    real discriminant = a * (s * s) - moment_squared(r, v);
    if (g->growth == 0) return t + contact_meeting(b, c, discriminant);
    real rate = (radius_of(g, i) + radius_of(g, j)) * g->growth;
    discriminant = discriminant + rate * (rate * dot(r, r) - 2 * s * b);
    return t + contact_on_parabola(a - rate * rate, b - s * rate, c, discriminant);
}

static real detect_surface(const gas *g, uint32_t i, uint32_t index)
{
    const body *b = &g->body[i];
    const surface *s = &g->surface[index];
    if (g->ellipsoids != NULL && ellipsoids_any(g, i, i)) return ellipsoids_touch(g, i, index, REAL_NEVER);
    if (s->motion != NULL) return touch_plane_time(g, i, s, lookahead_end(g));
    real distance = 0, speed = 0, pull = 0;
    for (int k = 0; k < DIM; k++) {
        distance += s->normal[k] * (b->r[k] - s->point[k]);
        speed += s->normal[k] * b->v[k];
        pull += s->normal[k] * g->gravity[k];
    }
    distance -= radius_of(g, i) * (1 + g->growth * b->t);
    speed -= radius_of(g, i) * g->growth;
    if (g->settings->detection != DETECTION_STABLE) return remedy_surface(g, i, s, pull, speed, distance);
    return b->t + contact_parabola(pull, speed, 2 * distance);
}

static void detect_surfaces(const gas *g, uint32_t i, next_event *best)
{
    for (uint32_t k = 0; k < g->surface_count; k++) {
        if (!may_be_hit(g, i, g->surface[k].motion)) continue;
        next_event e = {detect_surface(g, i, k), PARTNER_SURFACE + k, 0};
        if (e.time < REAL_NEVER && event_before(i, &e, i, best)) *best = e;
    }
    if (g->exact != NULL) exact_detect(g, i, best);
}

static bool detect_overlaps(const gas *g, uint32_t i, uint32_t j, real now)
{
    real r[DIM], v[DIM];
    relative_at(g, i, j, now, now, r, v);
    real s = contact_distance(g, i, j, now);
    return dot(r, r) < s * s;
}
