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

/* `pace` scales the pseudo-time of the Arrow-Hurwicz iterations; 1 is as the settings say. */
static solution problem_solve(problem *p, const steps_settings *settings, double pseudo_time_scale);

static solution solve_sor(problem *p, const steps_settings *settings);
static solution solve_newton(problem *p, const steps_settings *settings);
static solution solve_hurwicz(problem *p, const steps_settings *settings, double pseudo_time_scale);

#include "aggregation/kernel/steps/hurwicz.c"
#include "aggregation/kernel/steps/newton.c"
#include "aggregation/kernel/steps/problem.c"
#include "aggregation/kernel/steps/sor.c"

#endif
