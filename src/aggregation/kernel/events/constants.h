/* The constants of the kernels of events: unit, origin of the value, and effect of a change. "Speed only": results keep
 * every bit, which tests/physics/test_aggregation_paths.c checks against the reference path with several skins. */
#ifndef CAROM_AGGREGATION_EVENTS_CONSTANTS_H
#define CAROM_AGGREGATION_EVENTS_CONSTANTS_H

#include "aggregation/kernel.h"

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* Factors that make bounds safe against rounding: about 4000 and 4 million units of the last place, far more than the
 * rounding of the few operations behind each bound. Without them a bound can be later than the event that it bounds,
 * and the event is missed. Larger distances from 1: speed only. */
static const double ROUND_DOWN = 1 - 0x1p-40;
static const double ROUND_UP = 1 + 0x1p-30;

/* The same for the reach of a rotating cluster: the same margin as that of ROUND_DOWN. */
static const double ROUND_OUT = 1 + 0x1p-40;

/* ---- grid and skin ----------------------------------------------------------------------------------------------- */

/* The chosen skin, in contact distances of the largest particles, is at least SKIN_LEAST, and else SKIN_SHARE of the
 * mean gap between particles, which makes cells as wide as the mean distance. Chosen by hand; speed only. */
static const double SKIN_LEAST = 0.15, SKIN_SHARE = 0.5;

/* Contact distances: the smallest skin that a scene can set. A skin near 0 is used up at every step. Speed only. */
static const double SKIN_LEAST_SET = 0.01;

/* Sides of the box: the smallest skin of all. Rounding alone can use up a thinner skin, and the run makes no
 * progress. */
static const double SKIN_LEAST_OF_BOX = 1e-9;

/* Fraction of half a periodic side less two radii: the distance that two clusters may move before the nearest image of
 * a pair may change. Each of the two moves by a skin, twice, so the fraction must be below 1/4. A larger value misses
 * contacts through the boundary. */
static const double HORIZON_SHARE = 0.249;

/* Cells along a periodic axis: with at least this number, the nearest image of a particle in an adjacent cell (at most
 * two widths and two skins away) is the image in that adjacent cell. With fewer cells, each transfer of a particle
 * replans it. A lower value misses contacts with another image. */
enum { CELLS_ROOMY = 6 };

/* Cells along an axis at most, so that their number fits into PLACE_CELL; and factor by which cells are widened until
 * they are no more than about two for each particle. Speed and memory only. */
enum { CELLS_MOST = CAROM_DIM == 2 ? 30000 : 1000 };
static const double CELLS_WIDENING = 1.25;

/* ---- plans ------------------------------------------------------------------------------------------------------- */

/* Particles: the plans of a cluster of at least this size allow for other velocities, within VELOCITY_TOLERANCE of its
 * speed. Chosen by hand. Speed only: a higher tolerance makes bounds earlier, a lower one makes replanning more
 * frequent. */
enum { LARGE_CLUSTER = 16 };
static const double VELOCITY_TOLERANCE = 0.3;

/* Contact distances: a pair with a smaller gap is hot: its plan is exact, and is replaced once the pair may have moved
 * by HOT_RECHECK. Chosen by hand; speed only. */
static const double HOT_GAP = 1e-4, HOT_RECHECK = 1e-2;

/* Particles of a cell that are collected before their clusters are read, and number of particles that are prefetched.
 * Chosen by hand; speed only. */
enum { FOUND_AT_ONCE = 48, FETCH_PARTICLE = 16, FETCH_CLUSTER = 8 };

/* ---- isolated clusters ------------------------------------------------------------------------------------------- */

/* Skins: the smallest gain for which a cluster leaves the grid. Chosen by hand; speed only. */
enum { LEAST_GAIN = 4 };

/* Clusters: up to CHECK_ALL clusters, all pairs are compared; up to CHECK_LARGE, all pairs with a cluster too large for
 * its cell as well. The search for isolated clusters starts below one cluster for PARTICLES_PER_CLUSTER particles. It
 * stops, until the grid is rebuilt, when less than one attempt in ATTEMPTS_PER_SUCCESS succeeds. Chosen by hand; speed
 * only. */
enum { CHECK_ALL = 64, CHECK_LARGE = 256, PARTICLES_PER_CLUSTER = 32, ATTEMPTS_PER_SUCCESS = 16 };

/* COARSE_WIDTH, in mean distances of clusters: the width of the cells of clusters. COARSE_SHARE, as a fraction of that
 * width: the largest half extent of a cluster in a cell, and the space between clusters in cells that are not adjacent;
 * the two add up to 1/2. A higher share classifies clusters as isolated that are not, and misses contacts. */
static const double COARSE_WIDTH = 3, COARSE_SHARE = 0.25;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* Steps of the event loop without a merge, in addition to one for each cluster, after which all velocities are
 * compared: the comparison costs no more than these steps. Speed only. */
enum { STEPS_BEFORE_CHECK = 1000 };

/* ---- clusters that turn ------------------------------------------------------------------------------------------ */

/* Contact distances: a gap of at most this size that closes is a contact. The value has to be well above the rounding
 * of positions (GAP_NOISE, in sides of the box, times GAP_NOISES), or contacts are missed. Overlaps and energy errors
 * grow with it. It is part of the result: a change changes bits. */
static const double CONTACT_GAP = 1e-10, GAP_NOISE = 0x1p-48, GAP_NOISES = 4;

/* Skins: distance, at the highest speeds of two particles, within which their contact is searched. Beyond it, other
 * particles are their neighbours. Speed only. */
static const double SEARCH_SKINS = 4;

/* Radians: the search for a contact of a cluster with a wall stops after this angle and continues at a later event,
 * which bounds the cost of one search. Speed only. */
static const double WALL_SEARCH = 100;

/* Sides of the box: added to the reach of a cluster, for the rounding of its position, in the bound on the time of its
 * contact with a wall. A lower value finds contacts with walls late. */
static const double WALL_NOISE = 0x1p-44;

/* Radians: a checkpoint is refused if one of its clusters has rotated further since its last event, as the motion has
 * to be integrated from that event, piece by piece. */
static const double MOST_TURNS = 1e9;

/* Largest difference of the squared length of an attitude in a checkpoint from 1. Runs keep it within rounding (1e-12);
 * a larger difference means that the file was modified. */
static const double ATTITUDE_OFF = 0.01;

/* Newton's method for the largest moment of inertia converges from above. It stops when a step is below this fraction
 * of the value. The margin exceeds the remaining error, as convergence is quadratic. With a smaller margin the bound on
 * the angular velocity can be too low, and contacts are missed. */
static const double MOMENT_STEP = 1e-5, MOMENT_MARGIN = 1e-6;

/* Terms of the Taylor series of an attitude; the last term at the end of a piece; and the largest ratio of terms, which
 * is a radius of convergence. The sum is exact to the last digit. They are part of the result: a change changes
 * bits. */
enum { SERIES_ORDER = 16 };
static const double SERIES_LAST = 0x1p-55, SERIES_BEFORE_LAST = 0x1p-50, SERIES_RATIO = 32, SERIES_SHORTER = 0.75;

#endif
