/* Tuned constants of the hard kernel. Each says its unit, how it was determined, and what a change does. Those of the first
 * part only change how fast events are found: results keep their bits. Those of the second part decide when clocks are
 * re-based, and with that the bits of all later states: a change of them changes state hashes, not the physics. */
#ifndef CAROM_HARD_KERNEL_TUNING_H
#define CAROM_HARD_KERNEL_TUNING_H

#include "base/real.h"

/* ---- speed only -------------------------------------------------------------------------------------------------- */

/* Skin of neighbour lists: these parts of the contact distance and of the mean gap between neighbours. Fastest by measurement
 * from packing fraction 0.05 to 0.49. Thinner: lists are renewed more often; thicker: each prediction looks at more bodies. */
#define SKIN_OF_CONTACT 0.55
#define SKIN_OF_GAP 0.85

/* Bodies in the 27 (2D: 9) cells around a body up to which cells are faster than lists: as if all bodies had the mean volume,
 * and as they are. By measurement. */
#define CELLS_MOST_OTHERS 18.0
#define CELLS_MOST_OTHERS_OF_ANY_SIZE 40.0

/* Displacement along the flow over distance across it (sheared boxes) from which on the grid of lists is made anew. More: rows
 * of cells are searched wider; less: the grid is made anew more often. */
#define MOST_LEAN ((real)0.5)

/* A large body: radius, in mean radii, from which on its neighbours have times before which they need no prediction. */
#define GIANT 2.0

/* How far a large body may stray from its path until these times are made anew, in distances that its neighbours fly at their
 * mean relative speed. Less: they are made anew more often; more: they exclude fewer neighbours. */
#define WANDER 0.125

/* Bodies whose state stays in the second and in the last cache of a core, about: how far ahead events are fetched. */
enum { IN_NEAR_CACHE = 2500, IN_FAR_CACHE = 40000 };

/* ---- part of the state ------------------------------------------------------------------------------------------- */

/* Bodies from which on they are sorted in space at each re-basing; fewer stay in the caches in any order. Ties between events
 * go by this order. */
enum { FEWEST_SORTED = 2048 };

/* Physical events between two re-basings: so many a body, and at least so many in all. Local times stay so short that their
 * rounding is that of places in the box. More: gaps of bodies in contact lose digits; fewer: O(N) work for few events. */
enum { EVENTS_PER_BODY = 16, FEWEST_EVENTS = 128 };

/* Sides of the box that the fastest body may fly between two re-basings: the rounding of the clock, at its speed, is that of
 * a place then. */
enum { FAR = 16 };

/* Powers of two by which the r.m.s. speed falls until velocities are rescaled: before the drift that rounding gives the centre
 * of mass is all that is left. Single precision has fewer digits for that. */
enum { COOLED_BITS = CAROM_REAL == 3 ? 10 : 32 };

/* Lookaheads of what moves between two re-basings: searches begin where a body was stored, and end without an answer when
 * they become too long. */
enum { MOST_LOOKAHEADS = 64 };

/* By how much spheres may grow between two re-basings of a run that compresses, relative to their size: lists are made for
 * the size at the end. More: thicker lists; less: more re-basings. */
#define COMPRESSION_STAGE ((real)0.02)

/* Falling asleep: slow contacts in a row until a body that is carried may sleep; until one that rattles is looked at; speed, in
 * sleeping speeds, of a body that is on its way. Lower: bodies fall asleep that still move; higher: piles take longer. */
enum { SLOW_CONTACTS = 8, CONFINED_ROW = 64, FAST = 16 };

#endif
