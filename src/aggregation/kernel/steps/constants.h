/* The constants of time stepping: unit, how each was determined, and what a change does. "Speed only": results keep
 * every bit. */
#ifndef CAROM_AGGREGATION_STEPS_CONSTANTS_H
#define CAROM_AGGREGATION_STEPS_CONSTANTS_H

/* ---- the pair list ----------------------------------------------------------------------------------------------- */

/* Mean distances of particles: how far a cluster flies before its particles are listed again. By measurement of the time
 * per step. Speed only. */
static const double MARGIN_SHARE = 0.2;

/* Margins: how far solvers may move a particle within its cluster before it is listed again. Speed only. */
static const double DRIFT_SHARE = 0.01;

/* Particles: a cluster with more is listed as a whole. Chosen by hand; speed only. */
enum { LARGE_CLUSTER = 16 };

/* Margins: cells are wider by so many than two particles in contact, which is what a query between two of a level
 * reaches. Speed only. */
static const double CELL_MARGINS = 3;

/* Classes of radii, each half as large as the one before. Smaller particles are in the last: speed only. */
enum { MOST_LEVELS = 24 };

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Clusters or pairs: with fewer, the work is not shared; with a tenth of that, queries, and with a hundredth, problems
 * are not. Chosen by hand; speed only. */
enum { PARALLEL_FROM = 10000, PARALLEL_QUERIES = PARALLEL_FROM / 10, PARALLEL_PROBLEMS = PARALLEL_FROM / 100 };

/* ---- displacements ----------------------------------------------------------------------------------------------- */

/* Tolerances: a particle that a solver has moved by more is checked against others. Higher: an overlap within the
 * tolerance and this share is found a step later. It is part of the result. */
static const double MOVED_SHARE = 0.1;

/* Radii: within so much of the end of its cluster a particle counts as the outermost. Lower: rounding makes an extent
 * too large. It is part of the result where there are walls. */
static const double OUTERMOST_SHARE = 1e-9;

/* ---- solvers: all of these are part of the result ---------------------------------------------------------------- */

/* sor: sweeps that pull at full strength at bonds that are too long; then the pull fades by a factor each sweep, until
 * it is so small that the bonds count as blocked by others. Fewer sweeps: bonds that can be closed stay open. */
enum { SOR_FULL_SWEEPS = 60 };
static const double SOR_FADING = 0.9, SOR_FADED = 1e-9;

/* newton: steps at most (it converges in a few or not at all); residual of the linear system, relative, after which
 * another step of Newton's method is better; conjugate gradients' rounds, and rounds for each bond; displacement, squared,
 * in contact distances, that is a divergence. */
enum { NEWTON_STEPS = 50, NEWTON_ROUNDS = 20, NEWTON_ROUNDS_PER_BOND = 2 };
static const double NEWTON_RESIDUAL = 1e-6, NEWTON_DIVERGED = 1e4;

/* daha, aha. Tolerances: a node that has moved further has its bonds added to the problem. Contact distances: a
 * displacement in one iteration that means divergence. Tolerances: a smaller motion counts as rest. Contact distances:
 * replaces a smaller distance, where a bond has no direction. */
static const double HURWICZ_EXPAND = 3, HURWICZ_DIVERGED = 1e3, HURWICZ_REST = 0.01, HURWICZ_LEAST_DISTANCE = 1e-3;

/* daha.evolve: factors of pseudo-time after a step in which more than one problem in EVOLVE_PROBLEMS stalled, and after
 * another; and its limits. */
enum { EVOLVE_PROBLEMS = 20 };
static const double EVOLVE_SLOWER = 0.9, EVOLVE_FASTER = 1.01, EVOLVE_LEAST = 0.25, EVOLVE_MOST = 1.15;

#endif
