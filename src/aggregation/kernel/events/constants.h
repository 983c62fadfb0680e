/* The constants of the kernels of events: unit, how each was determined, and what a change does. "Speed only": results
 * keep every bit, which tests/physics/test_aggregation_paths.c checks against the reference with several skins. */
#ifndef CAROM_AGGREGATION_EVENTS_CONSTANTS_H
#define CAROM_AGGREGATION_EVENTS_CONSTANTS_H

#include "aggregation/kernel.h"

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* Factors that make bounds safe against rounding: some 4000 and four million units of the last place, far more than the
 * few operations behind each bound can lose. Without them a bound can lie beyond the event that it bounds, and the event
 * is missed. Larger distances from 1: speed only. */
static const double ROUND_DOWN = 1 - 0x1p-40;
static const double ROUND_UP = 1 + 0x1p-30;

/* The same for the reach of a cluster that turns: by as much as ROUND_DOWN. */
static const double ROUND_OUT = 1 + 0x1p-40;

/* ---- grid and skin ----------------------------------------------------------------------------------------------- */

/* The chosen skin, in contact distances of the largest particles, is at least SKIN_LEAST, and else SKIN_SHARE of the
 * mean gap between particles, which makes cells as wide as the mean distance. Chosen by hand; speed only. */
static const double SKIN_LEAST = 0.15, SKIN_SHARE = 0.5;

/* Contact distances: the least skin that the scene can set. A skin near 0 is used up at every step. Speed only. */
static const double SKIN_LEAST_SET = 0.01;

/* Sides of the box: the least skin of all. Rounding alone can use up a thinner one, and the run makes no progress. */
static const double SKIN_LEAST_OF_BOX = 1e-9;

/* Of half a periodic side less two radii: how far two clusters may move before the nearest image of a pair may be
 * another one. Each of the two moves a skin, twice, so it must be below 1/4; otherwise contacts through the boundary are
 * missed. */
static const double HORIZON_SHARE = 0.249;

/* Cells along a periodic axis: with at least this number, particles in adjacent cells, at most two widths and two skins
 * apart, are nearest by the image that makes their cells adjacent. With fewer cells, each move of a particle to another
 * cell replans it. Lower: contacts by another image are missed. */
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

/* Particles of a cell that are found before their clusters are read, and particles ahead that are fetched from memory.
 * Chosen by hand; speed only. */
enum { FOUND_AT_ONCE = 48, FETCH_PARTICLE = 16, FETCH_CLUSTER = 8 };

/* ---- isolated clusters ------------------------------------------------------------------------------------------- */

/* Skins that a cluster must gain by leaving the grid. Chosen by hand; speed only. */
enum { LEAST_GAIN = 4 };

/* Clusters: up to CHECK_ALL of them, all are compared with each other; up to CHECK_LARGE, also those too large for
 * their cells. Isolated clusters are sought once there is one cluster for PARTICLES_PER_CLUSTER particles, and no
 * longer when less than one attempt in ATTEMPTS_PER_SUCCESS succeeds, until the grid is rebuilt. Chosen by hand; speed
 * only. */
enum { CHECK_ALL = 64, CHECK_LARGE = 256, PARTICLES_PER_CLUSTER = 32, ATTEMPTS_PER_SUCCESS = 16 };

/* COARSE_WIDTH, in mean distances of clusters: the width of their cells. COARSE_SHARE, of that width: the largest half
 * extent of a cluster in a cell, and the room between clusters in cells that are not adjacent; the two add up to 1/2.
 * With a higher share, clusters are taken for isolated that are not, and contacts are missed. */
static const double COARSE_WIDTH = 3, COARSE_SHARE = 0.25;

/* ---- progress ---------------------------------------------------------------------------------------------------- */

/* Steps of the event loop without a merge, besides one for each cluster, after which all velocities are compared: the
 * comparison costs no more than these steps. Speed only. */
enum { STEPS_BEFORE_CHECK = 1000 };

/* ---- clusters that turn ------------------------------------------------------------------------------------------ */

/* Contact distances: a gap that is no larger and closes is a contact. It has to be well above the rounding of positions
 * (GAP_NOISE, in sides of the box, times GAP_NOISES), or a contact is jumped over; overlaps and energy errors grow with
 * it. It is part of the result: a change changes bits. */
static const double CONTACT_GAP = 1e-10, GAP_NOISE = 0x1p-48, GAP_NOISES = 4;

/* Skins: how far ahead a contact of two particles is sought, at their highest speeds. Beyond, other particles are their
 * neighbours. Speed only. */
static const double SEARCH_SKINS = 4;

/* Radians: the search for a contact of a cluster with a wall ends after this angle, and goes on later, which bounds the
 * cost of one search. Speed only. */
static const double WALL_SEARCH = 100;

/* Sides of the box: added to the reach of a cluster when the time is bounded at which it can meet a wall, for the
 * rounding of its place. Lower: contacts with walls are found late. */
static const double WALL_NOISE = 0x1p-44;

/* Radians: a checkpoint with a cluster that has turned further since its last event is refused, as its motion has to be
 * followed from there, piece by piece. */
static const double MOST_TURNS = 1e9;

/* Of the square: an attitude of a checkpoint may differ from length 1 by so much. Runs keep within rounding (1e-12); what
 * differs more was changed. */
static const double ATTITUDE_OFF = 0.01;

/* Newton's method for the largest moment of inertia comes from above. It ends when a step is this part of the value; the
 * margin exceeds what is missing then, as convergence is quadratic. With a smaller margin the bound on the angular
 * velocity can be too low, and contacts are missed. */
static const double MOMENT_STEP = 1e-5, MOMENT_MARGIN = 1e-6;

/* Terms of the Taylor series of an attitude; the last term at the end of a piece, and the ratio of terms at most, which
 * is a radius of convergence. The sum is exact to the last digit. They are part of the result: a change changes bits. */
enum { SERIES_ORDER = 16 };
static const double SERIES_LAST = 0x1p-55, SERIES_BEFORE_LAST = 0x1p-50, SERIES_RATIO = 32, SERIES_SHORTER = 0.75;

#endif
