/* When does a sphere touch a triangle? The overlap function is f(t) = d(t) - s, d the distance of its centre from the
 * triangle and s the contact distance, whatever of the triangle is nearest: face, edge or corner.
 *
 * A triangle is convex. It lies behind the plane through its nearest point that faces the centre, so that the time at
 * which the sphere touches that plane comes before the contact, or is it; from there one looks again (conservative
 * advancement; Newton's method on a convex function). No root is jumped over, none lies between face and edge, and a
 * contact with a face is found in one step. And d'' >= -|a| for an acceleration a, since d is a convex function of
 * place: a sphere that overlaps and moves away by d' goes on doing so for a time d' / |a|. */
#include "hard/kernel/meshes.h"

#include "geometry/closest.h"
#include "geometry/contact.h"

enum { MOST_STEPS = 1000 };

void touch_place(const gas *g, uint32_t i, const element *of, real dt, real x[3], real v[3])
{
    const body *b = &g->body[i];
    for (int k = 0; k < 3; k++) {
        if (k >= DIM) {
            x[k] = v[k] = 0;
            continue;
        }
        const real a = acceleration(g, i, k);
        x[k] = b->r[k] + dt * (b->v[k] + a * (dt / 2)) - (real)of->image[k] * g->box[k];
        v[k] = b->v[k] + a * dt;
    }
}

void touch_look(const gas *g, uint32_t i, const element *of, real dt, sight *s)
{
    real x[3], v[3], share[3];
    touch_place(g, i, of, dt, x, v);
    closest_in_triangle(x, (const real(*)[3])of->of->corner[of->triangle], s->normal, share);
    const real distance = real_sqrt(segment_dot(s->normal, s->normal));
    for (int k = 0; k < 3; k++) s->normal[k] /= distance;
    s->gap = distance - (radius_of(g, i) + of->of->reach);
    s->rate = segment_dot(s->normal, v);
}

/* Accelerations: all of it, and along the normal. */
static real pull_along(const gas *g, uint32_t i, const sight *s, real *all)
{
    real along = 0, square = 0;
    for (int k = 0; k < DIM; k++) {
        const real a = acceleration(g, i, k);
        along += s->normal[k] * a;
        square += a * a;
    }
    *all = real_sqrt(square);
    return along;
}

/* The least by which time goes on, where steps get lost in rounding. */
static real least_step(const gas *g, uint32_t i, real dt, real all)
{
    const body *b = &g->body[i];
    const real speed = real_sqrt(dot(b->v, b->v)) + all * dt, grain = REAL_GRAIN * (real_fabs(b->t) + dt);
    const real way = REAL_GRAIN * radius_of(g, i);
    return later(grain, speed > 0 ? way / speed : real_sqrt(way / all));
}

real touch_time(const gas *g, uint32_t i, const element *of, real until)
{
    const real start = g->body[i].t;
    real dt = 0, least = 0;
    for (int n = 0; n < MOST_STEPS && start + dt <= until; n++) {
        sight s;
        touch_look(g, i, of, dt, &s);
        if (s.gap <= 0 && s.rate < 0) return start + dt;
        real all, pull = pull_along(g, i, &s, &all), step;
        if (s.gap > 0)
            step = contact_parabola(pull, s.rate, 2 * s.gap);
        else if (all == 0)
            return REAL_NEVER;
        else {
            least = later(2 * least, least_step(g, i, dt, all));
            step = later(s.rate / all, least);
        }
        if (!(step < REAL_NEVER)) return REAL_NEVER;
        if (!(dt + step > dt)) { /* as near as time can tell */
            if (s.rate < 0) return start + dt;
            step = least_step(g, i, dt, all);
        }
        dt += step;
    }
    return start + dt <= until ? start + dt : REAL_NEVER;
}
