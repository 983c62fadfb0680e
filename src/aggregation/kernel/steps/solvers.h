/* Problems and their solvers, all functions static: part of the kernel, and of tests and experiments that solve problems
 * of their own. */
#ifndef CAROM_AGGREGATION_STEPS_SOLVERS_H
#define CAROM_AGGREGATION_STEPS_SOLVERS_H

#include "aggregation/kernel/steps/problem.h"

/* The index of a new node or bond; PROBLEM_NONE where there is no memory. A node may move freely until bounds are
 * set. */
static uint32_t problem_add_node(problem *p, uint32_t element, double mass);
static uint32_t problem_add_bond(problem *p, uint32_t a, uint32_t b, const double r[DIM], double length);
static void problem_free(problem *p);

/* Zeroed work space of `count` numbers; what was there stays in front. NULL where there is no memory. */
static double *problem_work(problem *p, size_t count);

/* By the solver of the settings; where that does not converge, by SOLVER_FALLBACK. `pseudo_time_scale` is of the
 * Arrow-Hurwicz iterations; 1 is as the settings say. */
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
