/* The solvers of `method: steps`: ROW(constant, name, help). To add a solver, add a row here and a file
 * kernel/steps/solvers/NAME.c with its function solve_NAME, and include the file in kernel/steps/solvers.h. */
#ifndef CAROM_AGGREGATION_SOLVERS_H
#define CAROM_AGGREGATION_SOLVERS_H

/* `help` continues the sentence of the previous rows. */
#define STEPS_SOLVERS(ROW)                                                                                             \
    ROW(SOR, sor, "sor, over-relaxed projection")                                                                      \
    ROW(NEWTON, newton, "; newton, with conjugate gradients")                                                          \
    ROW(DAHA, daha, "; daha, the damped Arrow-Hurwicz algorithm")                                                      \
    ROW(AHA, aha, "; aha, the plain one")

#define SOLVER_CONSTANT(constant, name, help) SOLVER_##constant,
typedef enum steps_solver { STEPS_SOLVERS(SOLVER_CONSTANT) SOLVER_COUNT } steps_solver;
#undef SOLVER_CONSTANT

/* The solver that replaces one that has stalled. */
enum { SOLVER_FALLBACK = SOLVER_SOR };

#endif
