#include "variational/kernel/sight.h"

sight sight_of_nodes(const world *w, const motion *a, const motion *b)
{
    double r[DIM], v[DIM];
    for (int k = 0; k < DIM; k++) {
        r[k] = a->x[k] - b->x[k];
        v[k] = a->v[k] - b->v[k];
    }
    shorten(w, r);
    return (sight){dot(r, r), dot(r, v), dot(v, v), a->falls != b->falls ? w->fall : 0, false};
}

sight sight_of_surface(const world *w, const motion *a, const surface *s, double t)
{
    double y[DIM];
    sight seen = {.w2 = -1};
    surface_at(s, t, y);
    for (int k = 0; k < DIM; k++) {
        seen.r2 += (a->x[k] - y[k]) * s->normal[k];
        seen.rw += (a->v[k] - s->velocity[k]) * s->normal[k];
        seen.fall += a->falls ? w->gravity[k] * s->normal[k] : 0;
    }
    return seen;
}

/* When gap + rw s + fall s^2 / 2 falls to 0. */
static double wait_for_surface(const sight *s, double far)
{
    double gap = s->r2 - far, root = s->rw * s->rw - 2 * s->fall * gap;
    if (gap <= 0) return 0;
    if (s->fall >= 0 && (s->rw >= 0 || root <= 0)) return INFINITY;
    if (s->rw <= 0) return 2 * gap / (-s->rw + sqrt(root));
    return (s->rw + sqrt(root)) / -s->fall;
}

/* How long gap - speed s - fall s^2 / 2 stays above 0. */
static double wait_at_most(double gap, double speed, double fall)
{
    if (gap <= 0) return 0;
    double sum = speed + sqrt(speed * speed + 2 * fall * gap);
    return sum > 0 ? 2 * gap / sum : INFINITY;
}

double sight_wait(const sight *s, double far)
{
    if (s->bound) return wait_at_most(s->r2 - far, s->rw, s->fall);
    if (s->w2 < 0) return wait_for_surface(s, far);
    double rest = s->r2 - far * far;
    if (rest <= 0) return 0;
    if (s->fall > 0) return wait_at_most(rest / (sqrt(s->r2) + far), sqrt(s->w2), s->fall);
    double root = s->rw * s->rw - s->w2 * rest;
    if (s->rw >= 0 || root <= 0) return INFINITY;
    return rest / (-s->rw + sqrt(root));
}
