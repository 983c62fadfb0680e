/* Newton's method for "every bond has its length", with the smallest displacement (weighted by mass). Each step solves
 * J W J' mu = g by conjugate gradients, with rows scaled to a unit diagonal, and moves by -W J' mu. */
#include "aggregation/kernel/steps/solvers.h"

/* Per bond: direction (scaled), and vectors of the conjugate gradients; per node: one vector. */
typedef struct linear_system {
    double *direction, *mu, *residual, *search, *image, *nodes;
} linear_system;

static bool make_system(problem *p, linear_system *s)
{
    size_t m = p->bond_count;
    double *work = problem_work(p, m * (DIM + 4) + (size_t)p->node_count * DIM);
    if (work == NULL) return false;
    s->direction = work;
    s->mu = work + m * DIM;
    s->residual = s->mu + m;
    s->search = s->residual + m;
    s->image = s->search + m;
    s->nodes = s->image + m;
    return true;
}

/* The directions and errors of the bonds. Returns true if all bonds are within the tolerance. */
static bool linearise(const problem *p, linear_system *s, double tolerance)
{
    bool met = true;
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const bond *l = &p->bonds[n];
        double r[DIM];
        bond_now(p, l, r);
        double square = dot(r, r), distance = sqrt(square);
        bool counts = !(l->slack && distance > l->length);
        if (distance == 0) r[0] = square = 1;
        double scale = 1 / sqrt(square * (p->nodes[l->a].w + p->nodes[l->b].w));
        for (int k = 0; k < DIM; k++) s->direction[n * DIM + (uint32_t)k] = counts ? scale * r[k] : 0;
        s->residual[n] = counts ? scale * 0.5 * (distance * distance - l->length * l->length) : 0;
        met = met && bond_is_met(l, distance, tolerance);
    }
    return met;
}

/* nodes = W J' of a vector. */
static void spread(const problem *p, linear_system *s, const double *vector)
{
    for (size_t n = 0; n < (size_t)p->node_count * DIM; n++) s->nodes[n] = 0;
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const bond *l = &p->bonds[n];
        for (uint32_t k = 0; k < DIM; k++) {
            double part = s->direction[n * DIM + k] * vector[n];
            s->nodes[l->a * DIM + k] += p->nodes[l->a].w * part;
            s->nodes[l->b * DIM + k] -= p->nodes[l->b].w * part;
        }
    }
}

static double product(const problem *p, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t n = 0; n < p->bond_count; n++) sum += a[n] * b[n];
    return sum;
}

/* image = J W J' search */
static void apply(const problem *p, linear_system *s)
{
    spread(p, s, s->search);
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const bond *l = &p->bonds[n];
        double sum = 0;
        for (uint32_t k = 0; k < DIM; k++)
            sum += s->direction[n * DIM + k] * (s->nodes[l->a * DIM + k] - s->nodes[l->b * DIM + k]);
        s->image[n] = sum;
    }
}

static void solve_linear(const problem *p, linear_system *s)
{
    const uint32_t most = NEWTON_ROUNDS + NEWTON_ROUNDS_PER_BOND * p->bond_count;
    double square = product(p, s->residual, s->residual), goal = square * NEWTON_RESIDUAL * NEWTON_RESIDUAL;
    for (uint32_t n = 0; n < p->bond_count; n++) {
        s->mu[n] = 0;
        s->search[n] = s->residual[n];
    }
    for (uint32_t round = 0; round < most && square > goal; round++) {
        apply(p, s);
        double curvature = product(p, s->search, s->image);
        if (!(curvature > 0)) break; /* bonds that contradict each other */
        double step = square / curvature;
        for (uint32_t n = 0; n < p->bond_count; n++) {
            s->mu[n] += step * s->search[n];
            s->residual[n] -= step * s->image[n];
        }
        double next = product(p, s->residual, s->residual);
        for (uint32_t n = 0; n < p->bond_count; n++) s->search[n] = s->residual[n] + next / square * s->search[n];
        square = next;
    }
}

/* The largest squared displacement, before the bounds are applied. */
static double newton_move(problem *p, linear_system *s)
{
    double most = 0;
    spread(p, s, s->mu);
    for (uint32_t n = 0; n < p->node_count; n++) {
        most = fmax(most, dot(&s->nodes[n * DIM], &s->nodes[n * DIM]));
        node_move(&p->nodes[n], &s->nodes[n * DIM], -1);
    }
    return most;
}

static solution solve_newton(problem *p, const steps_settings *settings, double pseudo_time_scale)
{
    (void)pseudo_time_scale;
    const double far = (double)INFINITY; /* all relevant nodes have been expanded above */
    solution result = {0};
    linear_system s;
    for (; result.iterations < NEWTON_STEPS && result.iterations < settings->iterations; result.iterations++) {
        if (p->expand != NULL) p->expand(p, settings->tolerance, false);
        if (p->out_of_memory || !make_system(p, &s)) return result;
        if (linearise(p, &s, settings->tolerance)) {
            result.converged = p->expand == NULL || !p->expand(p, far, true);
            if (result.converged) return result;
            continue;
        }
        solve_linear(p, &s);
        double way = newton_move(p, &s), length = p->bonds[0].length;
        if (!(way < length * length * NEWTON_DIVERGED)) return result;
    }
    return result;
}
