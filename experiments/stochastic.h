/* Prototypes of stochastic minimisation, which paper 2 names as future work, on the problems of time stepping: to be
 * measured beside the engine's solvers (solver_iterates.c), and no part of the product. */
#ifndef CAROM_EXPERIMENTS_STOCHASTIC_H
#define CAROM_EXPERIMENTS_STOCHASTIC_H

#include "../tests/support/dice.h"
#include "aggregation/kernel/steps/problem.h"

/* Over-relaxed projection of links in a new random order each sweep. */
solution solve_shuffled(problem *p, const steps_settings *settings, dice *d);

/* Over-relaxed projection of links drawn at random, with replacement (randomised Kaczmarz); as many draws as links are
 * one iteration. */
solution solve_drawn(problem *p, const steps_settings *settings, dice *d);

/* The damped Arrow-Hurwicz algorithm with a random half of the links in each iteration, twice as strong (random
 * batches). */
solution solve_batches(problem *p, const steps_settings *settings, dice *d);

/* Of the sum of squared strains: Metropolis' moves of single nodes, cooled from the first strain to the tolerance. */
solution solve_annealed(problem *p, const steps_settings *settings, dice *d);

/* Of the same sum: agents that drift to a weighted mean of all, with noise in proportion to their distance from it
 * (consensus-based optimisation). */
solution solve_consensus(problem *p, const steps_settings *settings, dice *d);

/* The worst of |distance / length - 1|, of slack links only where they overlap. */
double worst_strain(const problem *p);

#endif
