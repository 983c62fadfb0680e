/* Problems: creation, choice of the solver, fallback. */
#include "aggregation/kernel/steps/solvers.h"

#include "base/memory.h"

static bool grow(void **block, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity) return true;
    size_t larger = wanted + wanted / 2 + 16;
    void *moved = memory_resize(*block, *capacity, larger, size);
    if (moved == NULL) return false;
    *block = moved;
    *capacity = larger;
    return true;
}

static uint32_t problem_add_node(problem *p, uint32_t element, double mass)
{
    void *nodes = p->nodes;
    if (!grow(&nodes, &p->node_capacity, (size_t)p->node_count + 1, sizeof *p->nodes)) {
        p->out_of_memory = true;
        return NONE;
    }
    p->nodes = nodes;
    node *n = &p->nodes[p->node_count];
    *n = (node){.w = 1 / mass, .element = element, .reach = (double)INFINITY};
    for (int k = 0; k < DIM; k++) {
        n->low[k] = -(double)INFINITY;
        n->high[k] = (double)INFINITY;
    }
    return p->node_count++;
}

static uint32_t problem_add_bond(problem *p, uint32_t a, uint32_t b, const double r[DIM], double length)
{
    void *bonds = p->bonds;
    if (!grow(&bonds, &p->bond_capacity, (size_t)p->bond_count + 1, sizeof *p->bonds)) {
        p->out_of_memory = true;
        return NONE;
    }
    p->bonds = bonds;
    bond *l = &p->bonds[p->bond_count];
    *l = (bond){.a = a, .b = b, .length = length, .element = NONE};
    for (int k = 0; k < DIM; k++) l->r[k] = r[k];
    return p->bond_count++;
}

static void problem_free(problem *p)
{
    memory_free(p->nodes);
    memory_free(p->bonds);
    memory_free(p->work);
    *p = (problem){0};
}

static double *problem_work(problem *p, size_t count)
{
    void *work = p->work;
    if (!grow(&work, &p->work_capacity, count, sizeof *p->work)) {
        p->out_of_memory = true;
        return NULL;
    }
    p->work = work;
    return p->work;
}

static void start_again(problem *p)
{
    for (uint32_t n = 0; n < p->node_count; n++)
        for (int k = 0; k < DIM; k++) p->nodes[n].u[k] = 0;
}

#define SOLVER_ROW(constant, name, help) [SOLVER_##constant] = {#name, solve_##name},
static const solver_row solver_table[SOLVER_COUNT] = {STEPS_SOLVERS(SOLVER_ROW)};
#undef SOLVER_ROW

static solution problem_solve(problem *p, const steps_settings *settings, double pseudo_time_scale)
{
    solution s = solver_table[settings->solver].solve(p, settings, pseudo_time_scale);
    if (s.converged || p->out_of_memory || settings->solver == SOLVER_FALLBACK) return s;
    const uint64_t wasted = s.iterations;
    start_again(p);
    s = solver_table[SOLVER_FALLBACK].solve(p, settings, pseudo_time_scale);
    s.iterations += wasted;
    s.fell_back = true;
    return s;
}
