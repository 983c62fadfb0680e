#include "stochastic.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double strain_of(const problem *p, const bond *l, double r[DIM])
{
    bond_now(p, l, r);
    const double strain = sqrt(dot(r, r)) / l->length - 1;
    return l->slack && strain > 0 ? 0 : strain;
}

double worst_strain(const problem *p)
{
    double worst = 0, r[DIM];
    for (uint32_t n = 0; n < p->bond_count; n++) worst = fmax(worst, fabs(strain_of(p, &p->bonds[n], r)));
    return worst;
}

/* ---- projection in random order ---------------------------------------------------------------------------------- */

static void project(problem *p, const bond *l, double relaxation, double tolerance)
{
    node *a = &p->nodes[l->a], *b = &p->nodes[l->b];
    double r[DIM], strain = strain_of(p, l, r);
    if (fabs(strain) <= tolerance || dot(r, r) == 0) return;
    const double way = relaxation * strain / ((strain + 1) * (a->w + b->w));
    node_move(a, r, -way * a->w);
    node_move(b, r, way * b->w);
}

static bool is_done(problem *p, const steps_settings *settings)
{
    const bool grown = p->expand != NULL && p->expand(p, 0, false);
    return !grown && worst_strain(p) <= settings->tolerance;
}

solution solve_shuffled(problem *p, const steps_settings *settings, dice *d)
{
    solution result = {0};
    uint32_t *order = NULL, known = 0;
    for (; result.iterations < settings->iterations && !result.converged; result.iterations++) {
        if (p->bond_count > known) {
            uint32_t *more = realloc(order, p->bond_count * sizeof *more);
            if (more == NULL) break;
            order = more;
            while (known < p->bond_count) {
                order[known] = known;
                known++;
            }
        }
        for (uint32_t n = known; n > 1; n--) {
            const uint32_t m = dice_below(d, n), last = order[n - 1];
            order[n - 1] = order[m];
            order[m] = last;
        }
        for (uint32_t n = 0; n < known; n++)
            project(p, &p->bonds[order[n]], known == 1 ? 1 : settings->relaxation, settings->tolerance);
        result.converged = is_done(p, settings);
    }
    free(order);
    return result;
}

solution solve_drawn(problem *p, const steps_settings *settings, dice *d)
{
    solution result = {0};
    for (; result.iterations < settings->iterations && !result.converged; result.iterations++) {
        const uint32_t count = p->bond_count;
        for (uint32_t n = 0; n < count; n++)
            project(p, &p->bonds[dice_below(d, count)], count == 1 ? 1 : settings->relaxation, settings->tolerance);
        result.converged = is_done(p, settings);
    }
    return result;
}

/* ---- random batches ---------------------------------------------------------------------------------------------- */

/* The forces of the smooth constraint, equal masses; for the links in the batch. */
static void push(const problem *p, const steps_hurwicz *h, const double *lambda, const bool *in, double *force)
{
    memset(force, 0, p->node_count * DIM * sizeof *force);
    for (uint32_t n = 0; n < p->bond_count; n++) {
        if (!in[n]) continue;
        const bond *l = &p->bonds[n];
        double r[DIM];
        bond_now(p, l, r);
        const double phi = 1 - dot(r, r) / (l->length * l->length);
        const double by = 2 * (h->alpha2 * (1 - 2 * lambda[n]) - 2 * h->gamma * lambda[n] * phi);
        for (uint32_t k = 0; k < DIM; k++) {
            force[l->a * DIM + k] += by * r[k];
            force[l->b * DIM + k] -= by * r[k];
        }
    }
}

solution solve_batches(problem *p, const steps_settings *settings, dice *d)
{
    const steps_hurwicz *h = &settings->daha;
    const size_t nodes = (size_t)p->node_count * DIM, bonds = p->bond_count;
    double *force = calloc(2 * nodes + bonds, sizeof *force), *before = force + nodes, *lambda = before + nodes;
    bool *in = calloc(bonds, sizeof *in);
    solution result = {0};
    for (uint32_t n = 0; force != NULL && n < bonds; n++) lambda[n] = 0.5;
    for (; force != NULL && in != NULL && result.iterations < settings->iterations && !result.converged;
         result.iterations++) {
        for (uint32_t n = 0; n < bonds; n++) in[n] = bonds == 1 || dice_below(d, 2) == 0;
        push(p, h, lambda, in, force);
        for (uint32_t n = 0; n < p->node_count; n++)
            for (uint32_t k = 0; k < DIM; k++) {
                double *u = &p->nodes[n].u[k], now = *u, *old = &before[n * DIM + k];
                *u = (2 * now - (1 - h->damping / 2) * *old - force[n * DIM + k]) / (1 + h->damping / 2);
                *old = now;
            }
        for (uint32_t n = 0; n < bonds; n++) {
            double r[DIM];
            bond_now(p, &p->bonds[n], r);
            const double phi = 1 - dot(r, r) / (p->bonds[n].length * p->bonds[n].length);
            if (in[n]) lambda[n] = fmax(0, lambda[n] + 2 * h->beta * phi);
        }
        result.converged = worst_strain(p) <= settings->tolerance;
    }
    free(force);
    free(in);
    return result;
}

/* ---- of the sum of squared strains ------------------------------------------------------------------------------- */

static double energy_of(const problem *p)
{
    double sum = 0, r[DIM];
    for (uint32_t n = 0; n < p->bond_count; n++) {
        const double strain = strain_of(p, &p->bonds[n], r);
        sum += strain * strain;
    }
    return sum;
}

solution solve_annealed(problem *p, const steps_settings *settings, dice *d)
{
    const double first = worst_strain(p),
                 cooling = pow(settings->tolerance / first, 1.0 / (double)settings->iterations);
    solution result = {0};
    double energy = energy_of(p), size = first;
    for (; result.iterations < settings->iterations && !result.converged; result.iterations++, size *= cooling) {
        for (uint32_t n = 0; n < p->node_count; n++) {
            node *a = &p->nodes[dice_below(d, p->node_count)];
            const node kept = *a;
            for (int k = 0; k < DIM; k++) a->u[k] += p->bonds[0].length * size * dice_real(d, -1, 1);
            const double next = energy_of(p);
            if (dice_real(d, 0, 1) < exp((energy - next) / (0.1 * size * size)))
                energy = next;
            else
                *a = kept;
        }
        result.converged = worst_strain(p) <= settings->tolerance;
    }
    return result;
}

static double normal(dice *d)
{
    return sqrt(-2 * log(1 - dice_real(d, 0, 1))) * cos(2 * pi * dice_real(d, 0, 1));
}

static void put(problem *p, const double *x)
{
    for (uint32_t n = 0; n < p->node_count; n++)
        for (uint32_t k = 0; k < DIM; k++) p->nodes[n].u[k] = x[n * DIM + k];
}

solution solve_consensus(problem *p, const steps_settings *settings, dice *d)
{
    enum { AGENTS = 50 };
    const double drift = 0.1, noise = 0.2, sharpness = 50, spread = worst_strain(p) * p->bonds[0].length;
    const size_t size = (size_t)p->node_count * DIM;
    double *agents = calloc((AGENTS + 1) * size, sizeof *agents), *mean = agents + AGENTS * size, energy[AGENTS];
    solution result = {0};
    for (size_t n = 0; agents != NULL && n < AGENTS * size; n++) agents[n] = spread * normal(d);
    for (; agents != NULL && result.iterations < settings->iterations && !result.converged; result.iterations++) {
        double least = (double)INFINITY, weights = 0;
        for (int a = 0; a < AGENTS; a++) {
            put(p, agents + (size_t)a * size);
            energy[a] = energy_of(p);
            least = fmin(least, energy[a]);
        }
        memset(mean, 0, size * sizeof *mean);
        for (int a = 0; a < AGENTS; a++) {
            const double weight = exp(-sharpness * (energy[a] / fmax(least, 1e-300) - 1));
            weights += weight;
            for (size_t n = 0; n < size; n++) mean[n] += weight * agents[(size_t)a * size + n];
        }
        for (size_t n = 0; n < size; n++) mean[n] /= weights;
        for (size_t n = 0; n < AGENTS * size; n++) {
            const double off = agents[n] - mean[n % size];
            agents[n] += -drift * off + noise * off * normal(d);
        }
        put(p, mean);
        result.converged = worst_strain(p) <= settings->tolerance;
    }
    free(agents);
    return result;
}
