/* The constants of time stepping: unit, origin of the value, and effect of a change. "Speed only": results keep every
 * bit. */
#ifndef CAROM_AGGREGATION_STEPS_CONSTANTS_H
#define CAROM_AGGREGATION_STEPS_CONSTANTS_H

/* ---- the pair list ----------------------------------------------------------------------------------------------- */

/* Mean distances of particles: path of a cluster after which its particles are listed again. Chosen by measurement of
 * the time per step. Speed only. */
static const double MARGIN_SHARE = 0.2;

/* Margins: largest displacement of a particle by solvers, relative to its cluster, before it is listed again. Speed
 * only. */
static const double DRIFT_SHARE = 0.01;

/* Particles: a larger cluster is listed as a whole. Chosen by hand; speed only. */
enum { LARGE_CLUSTER = 16 };

/* Margins: width of cells in excess of two particles in contact, which is the range of a query between two particles of
 * a level. Speed only. */
static const double CELL_MARGINS = 3;

/* Number of classes of radii, each half as large as the one before. The last class contains all smaller particles.
 * Speed only. */
enum { MOST_LEVELS = 24 };

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* Clusters or pairs: smallest number that is distributed over threads; a tenth of it for queries, a hundredth for
 * problems. Chosen by hand; speed only. */
enum { PARALLEL_FROM = 10000, PARALLEL_QUERIES = PARALLEL_FROM / 10, PARALLEL_PROBLEMS = PARALLEL_FROM / 100 };

/* ---- displacements ----------------------------------------------------------------------------------------------- */

/* Tolerances: a particle that a solver has displaced by more is checked against others. Higher: an overlap below the
 * tolerance and this share is found one step later. It is part of the result. */
static const double MOVED_SHARE = 0.1;

/* Radii: a particle within this distance of the end of its cluster counts as the outermost one. Lower: rounding makes
 * an extent too large. It is part of the result if there are walls. */
static const double OUTERMOST_SHARE = 1e-9;

/* ---- solvers: all of these are part of the result ---------------------------------------------------------------- */

/* sor: sweeps with full correction of bonds that are too long. After them the correction decreases by a factor each
 * sweep, until it is so small that other spheres must block the bonds. Fewer sweeps: bonds that could be closed stay
 * open. */
enum { SOR_FULL_SWEEPS = 60 };
static const double SOR_FADING = 0.9, SOR_FADED = 1e-9;

/* newton: largest number of steps (it converges in a few steps or not at all); relative residual of the linear system
 * at which the next step of Newton's method is cheaper; rounds of conjugate gradients, and rounds for each bond;
 * squared displacement, in contact distances, that counts as divergence. */
enum { NEWTON_STEPS = 50, NEWTON_ROUNDS = 20, NEWTON_ROUNDS_PER_BOND = 2 };
static const double NEWTON_RESIDUAL = 1e-6, NEWTON_DIVERGED = 1e4;

/* daha, aha. Tolerances: displacement of a node beyond which its bonds are added to the problem. Contact distances:
 * displacement in one iteration that counts as divergence. Tolerances: motion below which the nodes are at rest.
 * Contact distances: replaces a smaller distance, for which the direction of a bond is undefined. */
static const double HURWICZ_EXPAND = 3, HURWICZ_DIVERGED = 1e3, HURWICZ_REST = 0.01, HURWICZ_LEAST_DISTANCE = 1e-3;

/* daha.evolve: factors of pseudo-time after a step in which more than one problem in EVOLVE_PROBLEMS stalled, and after
 * other steps; and its limits. */
enum { EVOLVE_PROBLEMS = 20 };
static const double EVOLVE_SLOWER = 0.9, EVOLVE_FASTER = 1.01, EVOLVE_LEAST = 0.25, EVOLVE_MOST = 1.15;

#endif
