#include "variational/kernel/narrow/separation.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/nominal.h"

static double separation_wait_for_surface(const separation *s, double far)
{
    double gap = s->surface.distance - far, rate = s->surface.rate, root = rate * rate - 2 * s->acceleration * gap;
    if (gap <= 0) return 0;
    if (s->acceleration >= 0 && (rate >= 0 || root <= 0)) return INFINITY;
    if (rate <= 0) return 2 * gap / (-rate + sqrt(root));
    return (rate + sqrt(root)) / -s->acceleration;
}

/* An end of an element: its position and motion. */
typedef struct mover {
    double x[DIM], v[DIM], acceleration, tau;
    bool falls;
} mover;

static mover mover_of(const world *w, uint32_t i, double t, bool by_nominal)
{
    mover m = {.falls = !node_is_held(&w->node[i])};
    if (by_nominal) {
        nominal_at(w, i, t, m.x, m.v);
        m.falls = !w->flights.nominal[i].straight;
        m.tau = w->flights.nominal[i].tau;
    } else {
        node_place(w, i, t, m.x);
        node_velocity(w, i, t, m.v);
        m.acceleration = node_acceleration(w, i);
    }
    return m;
}

/* Bounds from the ends of two elements. No two points of the elements approach each other faster than some pair of
 * ends. While all pairs of ends are apart along the present normal, the elements are apart as well. */
static void bound_ends(const world *w, const mover *a, int m, const mover *b, int n, double x[3][DIM], double y[3][DIM],
                       const double r[DIM], separation *s)
{
    for (int p = 0; p < m; p++)
        for (int q = 0; q < n; q++) {
            double square = 0, apart = 0, rate = 0;
            for (int k = 0; k < DIM; k++) {
                double v = a[p].v[k] - b[q].v[k];
                square += v * v;
                rate += v * r[k];
                apart += (x[p][k] - y[q][k]) * r[k];
            }
            s->bound.approach = greater(s->bound.approach, square);
            s->acceleration = greater(s->acceleration, (a[p].falls != b[q].falls ? w->domain.gravity_magnitude : 0) +
                                                           a[p].acceleration + b[q].acceleration);
            s->bound.apart[s->bound.pairs] = apart / s->bound.distance;
            s->bound.rate[s->bound.pairs++] = rate / s->bound.distance;
        }
    s->bound.approach = sqrt(s->bound.approach);
}

/* A rod and a surface. */
static separation separation_of_rod(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal,
                                    double *slack)
{
    const surface *f = &w->domain.surface[partner - NODES];
    uint32_t a[3];
    double r[DIM], share[2][3], tau = 0;
    separation s = {.kind = SEPARATION_BOUND, .bound = {.pairs = 0}};
    closest(w, i, partner, t, by_nominal, r, share);
    s.bound.distance = dot(r, f->normal);
    for (int p = ends_of(w, i, a); p-- > 0;) {
        mover one = mover_of(w, a[p], t, by_nominal);
        for (int k = 0; k < DIM; k++) one.v[k] -= f->velocity[k];
        s.bound.approach = greater(s.bound.approach, sqrt(dot(one.v, one.v)));
        s.acceleration = greater(s.acceleration, (one.falls ? w->domain.gravity_magnitude : 0) + one.acceleration);
        tau = greater(tau, one.tau);
    }
    *slack = w->flights.margin + tau;
    return s;
}

static separation separation_of_elements(const world *w, uint32_t i, uint32_t partner, double t, bool by_nominal,
                                         double *slack)
{
    uint32_t a[3], b[3];
    double r[DIM], share[2][3], x[3][DIM], y[3][DIM], tau[2] = {0, 0};
    mover one[3], other[3];
    if (partner >= NODES) return separation_of_rod(w, i, partner, t, by_nominal, slack);
    int m = ends_of(w, i, a), n = ends_of(w, partner, b);
    separation s = {.kind = SEPARATION_BOUND, .bound = {.pairs = 0}};
    for (int p = 0; p < m; p++) {
        one[p] = mover_of(w, a[p], t, by_nominal);
        tau[0] = greater(tau[0], one[p].tau);
        memcpy(x[p], one[p].x, sizeof x[p]);
    }
    for (int q = 0; q < n; q++) {
        other[q] = mover_of(w, b[q], t, by_nominal);
        tau[1] = greater(tau[1], other[q].tau);
        memcpy(y[q], other[q].x, sizeof y[q]);
    }
    join_ends(w, x, m, y, n);
    closest_of_ends(x, m, y, n, r, share);
    s.bound.distance = sqrt(dot(r, r));
    bound_ends(w, one, m, other, n, x, y, r, &s);
    if (!by_nominal || !(s.bound.distance > 0)) s.bound.pairs = 0; /* without lists other images may come near */
    *slack = w->flights.margin + tau[0] + tau[1];
    return s;
}
