/* Contact time of two spheres. */
#include "hard/kernel/narrow/spheres.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/remedies.h"

#include "geometry/contact.h"
#include "geometry/quartic.h"

/* A sleeping and a falling body: the squared distance is a quartic in time. */
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

static real detect_spheres(const gas *g, uint32_t i, uint32_t j, real now)
{
    real t = later(g->body[i].t, g->body[j].t);
    real r[DIM], v[DIM];
    relative_at(g, i, j, t, now, r, v);
    real s = contact_distance(g, i, j, t);
    if (g->sleep != NULL) {
        if (g->sleep->asleep[i] && g->sleep->asleep[j]) return REAL_NEVER;
        if (g->has_gravity && g->sleep->asleep[i] != g->sleep->asleep[j]) return t + detect_unequal(g, i, r, v, s);
    }
    if (!is_stable(g)) return remedy_pair(g, i, j, t, r, v, s);
    real a = dot(v, v), b = dot(v, r), c = dot(r, r) - s * s;
    real discriminant = a * (s * s) - moment_squared(r, v);
    if (g->growth == 0) return t + contact_meeting(b, c, discriminant);
    real rate = (radius_of(g, i) + radius_of(g, j)) * g->growth;
    discriminant = discriminant + rate * (rate * dot(r, r) - 2 * s * b);
    return t + contact_on_parabola(a - rate * rate, b - s * rate, c, discriminant);
}
