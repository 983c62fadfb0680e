/* Problems and their solvers. All functions are static: they are part of the kernel, and of tests and experiments with
 * other problems. */
#ifndef CAROM_AGGREGATION_STEPS_SOLVERS_H
#define CAROM_AGGREGATION_STEPS_SOLVERS_H

#include "aggregation/kernel/steps/problem.h"

/* Returns the index of a new node or bond; PROBLEM_NONE if there is no memory. A node is free until bounds are set. */
static uint32_t problem_add_node(problem *p, uint32_t element, double mass);
static uint32_t problem_add_bond(problem *p, uint32_t a, uint32_t b, const double r[DIM], double length);
static void problem_free(problem *p);

/* Work space of `count` numbers; the previous contents are kept, the rest is zero. NULL if there is no memory. */
static double *problem_work(problem *p, size_t count);

/* Solves a problem with the solver of the settings, and with SOLVER_FALLBACK if that does not converge.
 * `pseudo_time_scale` is the factor of pseudo-time in Arrow-Hurwicz iterations; 1: as in the settings. */
static solution problem_solve(problem *p, const steps_settings *settings, double pseudo_time_scale);

typedef solution solver_function(problem *p, const steps_settings *settings, double pseudo_time_scale);
typedef struct solver_row {
    const char *name;
    solver_function *solve;
} solver_row;

#define SOLVER_PROTOTYPE(constant, name, help) static solver_function solve_##name;
STEPS_SOLVERS(SOLVER_PROTOTYPE)
#undef SOLVER_PROTOTYPE

#include "aggregation/kernel/steps/problem.c"
#include "aggregation/kernel/steps/solvers/hurwicz.c"
#include "aggregation/kernel/steps/solvers/newton.c"
#include "aggregation/kernel/steps/solvers/sor.c"

#endif
