/* Tuned constants of the engine `hard`: unit, origin of the value, and the effect of a change.
 *
 * The first part affects speed and memory only: results keep their bits. The second part affects the stored states:
 * a change changes state hashes, not the physics. The third part limits searches and runs that make no progress. */
#ifndef CAROM_HARD_KERNEL_TUNING_H
#define CAROM_HARD_KERNEL_TUNING_H

#include "base/real.h"

/* ---- speed only: neighbour lists --------------------------------------------------------------------------------- */

/* Skin of neighbour lists: these fractions of the contact distance and of the mean gap between neighbours. Fastest
 * by measurement from packing fraction 0.05 to 0.49. Thinner: more renewals of lists; thicker: more bodies in each
 * prediction. */
#define SKIN_OF_CONTACT 0.55
#define SKIN_OF_GAP 0.85

/* Longest skin in a small periodic box, as a fraction of half the box less the contact distance. Below 1/2: then
 * contact distance + two skins are below half of the box, and only the nearest image can be in contact. A value of
 * 1/2 or more misses collisions with other images. */
#define IMAGE_MARGIN 0.45

/* Distance added to the reach of neighbour lists for rounding of positions and of squares in single precision, as a
 * fraction of contact distance + skin. Some 30 roundings of single precision, 8192 of the number type. Much smaller:
 * missing neighbours. */
#define LIST_ROUNDING fmax(4e-6, 0x1p13 * (double)REAL_GRAIN)

/* Rounding of the distance to an offset from the corner of a cell, which is a multiple of 1 / 65535 of the largest width of
 * the cell, as a fraction of this width: above sqrt(3) / 2 of such a step, the largest, and above sqrt(17) / 4 of it, the
 * largest at MOST_STRAIN. Smaller: missing neighbours. */
#define OFFSET_ROUNDING ((real)0x1p-15)

/* Room of a row of a neighbour list, in bodies: FACTOR times the mean number of neighbours in a homogeneous fluid + SPARE,
 * rounded up to whole halves of a cache line. Less: more lists apart from the rows; more: memory. Rows are widened when
 * the lists are rebuilt if more than one list in LONG_LISTS_PART is longer. */
#define CAPACITY_FACTOR 1.15
enum { CAPACITY_SPARE = 2, LONG_LISTS_PART = 16 };

/* Cells of a grid beyond one for each body: if all bodies have about one size, else for each size; blocks added to
 * the pool at least. More: memory; fewer: wider cells if there are few bodies. */
enum { SPARE_CELLS = 64, SPARE_CELLS_OF_LEVEL = 8, SPARE_BLOCKS = 64 };

/* Cells are widened by this factor until there are few enough, and by 2 as long as there are FAR_TOO_MANY_CELLS
 * times as many. Nearer to 1: narrower cells, after more iterations. */
#define GRID_WIDENING 1.1
enum { FAR_TOO_MANY_CELLS = 8 };

/* Strain (displacement along the flow over distance across it, sheared boxes) since the last renewal of the grid at
 * which it is renewed. Larger: wider searches along x; smaller: more renewals. */
#define MOST_STRAIN ((real)0.5)

/* ---- speed only: cells without lists ----------------------------------------------------------------------------- */

/* Largest number of bodies in the 27 (2D: 9) cells around a body for which cells are faster than lists: if all
 * bodies had the mean volume, and with their volumes. By measurement. */
#define CELLS_MOST_OTHERS 18.0
#define CELLS_MOST_OTHERS_OF_ANY_SIZE 40.0

/* Cells along a periodic axis, at least: with fewer the cells around a body contain two images of one neighbour.
 * Cells for each body, at most, and SPARE_CELLS_OF_GAS in all: more cost memory. */
enum { FEWEST_CELLS = 5, CELLS_PER_BODY = 5, SPARE_CELLS_OF_GAS = 4000 };

/* Mean number of bodies in a cell from which on each cell has CELL_SLOTS slots; further bodies are linked to the last one.
 * Lower: cells that are mostly empty take up the caches; higher: more bodies are linked. By measurement. */
#define ONE_SLOT_MOST 0.74
enum { CELL_SLOTS = 4 };

/* Width of a cell beyond the contact distance, for rounding, as a fraction: 8192 roundings of the number type. Much
 * smaller: missing neighbours. Cells are widened by CELL_WIDENING until there are few enough. */
#define CELL_ROUNDING fmax(1e-6, 0x1p13 * (double)REAL_GRAIN)
#define CELL_WIDENING 1.05

/* Width of a cell beyond the contact distance for crossings that are made together, as a fraction of this distance.
 * Larger: fewer and longer periods, but more bodies in each prediction. Speed, in sum v^2 / sum |v| of the components of
 * all velocities, up to which a body crosses together with others. Lower: more single crossings; higher: shorter
 * periods. Number of periods in the calendar of crossings: fewer: crossings are inserted more than once; more: memory.
 * By measurement. */
#define CELL_SLACK 0.01
#define CROSSING_SPEED 3.2
enum { CROSSING_PERIODS = 1024 };

/* Bodies from which on crossings are made together. Fewer: few crossings in a period. By measurement. */
enum { FEWEST_TOGETHER = 250 };

/* Bodies of one batch of predictions, cells of a row around a body, and padding for the widest vectors (AVX-512: 8
 * doubles). A smaller batch: more calls; a larger one: more stack. */
enum { CELL_BATCH = 120, CELLS_PER_ROW = 3, CELLS_PER_LAYER = 9, PADDING = 8 };

/* ---- speed only: large bodies, bounds ---------------------------------------------------------------------------- */

/* Radius, in mean radii, from which on a body stores lower bounds of its contact times. Smaller: more bounds than
 * predictions that they save; larger: more predictions for each event of a large body. By measurement. */
#define LARGE_BODY_RADII 2.0

/* Permitted deviation of a large body from its stored velocity, in mean relative speeds of its neighbours. Smaller:
 * more renewals of the bounds; larger: weaker bounds. By measurement. The bounds are renewed at the fraction USED;
 * the rest covers rounding. */
#define LARGE_BODY_DEVIATION 0.125
#define LARGE_BODY_DEVIATION_USED ((real)0.9)

/* A lower bound of a contact time is multiplied by BOUND_SHARE, and counts only for gaps above CONTACT_ROUNDING, in
 * contact distances: both cover the rounding of the bound, which has some ten operations. Nearer to 1 and 0: a
 * contact may be lost. */
#define BOUND_SHARE ((real)0.999)
#define CONTACT_ROUNDING ((real)0x1p10 * REAL_GRAIN)

/* Rounding of coordinates of meshes, as a fraction of the largest coordinate: 4096 roundings of the number type.
 * Smaller: the search for triangles may lose contacts; larger: more candidates. Triangles whose doubled area is at
 * most SLIVER_HEIGHT times their squared radius have no reliable plane, and no test of it. */
#define MESH_ROUNDING fmax(1e-10, 0x1p12 * (double)REAL_GRAIN)
#define SLIVER_HEIGHT 1e-4

/* ---- speed only: memory ------------------------------------------------------------------------------------------ */

/* Number of bodies from which on they are sorted in space at each re-basing; fewer fit into the caches in any order. */
enum { FEWEST_SORTED = 2048 };

/* Bodies whose state fits into the second and into the last cache of a core, about: beyond, memory of coming events
 * is prefetched, one and two buckets of the queue ahead. */
enum { IN_NEAR_CACHE = 2500, IN_FAR_CACHE = 40000 };

/* ---- speed only: parallel runs ----------------------------------------------------------------------------------- */

/* Lengths of halos (parallel/halo.c), in mean contact distances: displacement of two bodies in an epoch, to which a
 * fraction of the mean gap between neighbours is added; thickness beyond the contact layer. Larger: more copies; smaller: more
 * renewals of the halos, shorter windows. The depth of the bodies that a survey finds beyond that is the mean of this displacement
 * and the side of a domain, times the root of HALO_MARGIN: it makes the cost of surveys, which visit all bodies, and of renewals,
 * which visit these, least. Larger: more bodies in each renewal; smaller: more surveys. */
#define HALO_SLACK 0.2
#define HALO_SLACK_OF_GAP 1.0
#define HALO_SHIELD 1.6
#define HALO_PARTNERS                                                                                                  \
    1.0 /* the shield in units of the reach of a body: with 1 the copies in the layer have all partners */
#define HALO_MARGIN 0.09

/* Largest speed, relative to that of the survey, for which the halos are made. Nearer to 1: more surveys. */
#define SPEED_ROOM 1.25

/* Change of the length of windows after one that was accepted, or repeated; at most so many events. Slower growth:
 * fewer repetitions, shorter windows. */
#define WINDOW_GROWTH 1.004
#define WINDOW_SHRINKAGE 0.7
enum { FIRST_WINDOWS = 16 }; /* windows of the first epoch */
enum { WINDOW_EVENTS_MOST = 20000 };

/* New cuts of space (parallel/recut.c): excess of the work of one domain over the mean from which on they are made, as a
 * fraction, in standard deviations of a random count, and in events for each body of a domain, which is the cost of new cuts; the
 * resolution of weights. A smaller excess: more new cuts; a larger one: domains wait for each other. */
#define RECUT_IMBALANCE 0.1
#define RECUT_DEVIATIONS 3.0
#define RECUT_COST 0.5
enum { RECUT_WEIGHT = 1024 };

/* Work without events, besides one unit for each body, after which the serial loop tests whether there will be any. */
enum { IDLE_WORK = 10000 };

/* Physical events between two re-basings: for each body, and at least in all. They keep the rounding of local times
 * at that of positions in the box. More: gaps of bodies in contact lose digits; fewer: O(N) work for few events. */
enum { EVENTS_PER_BODY = 16, FEWEST_EVENTS = 128 };

/* Sides of the box that the fastest body may fly between two re-basings: then the rounding of time, multiplied by
 * its speed, is that of a position. */
enum { FAR = 16 };

/* Powers of two by which the r.m.s. speed decreases until velocities are rescaled. Later, the drift of the centre of
 * mass by rounding would exceed the velocities. Single precision has fewer digits for that. */
enum { COOLED_BITS = CAROM_REAL == 3 ? 10 : 32 };

/* Growth of spheres between two re-basings of a compression, relative to their size: lists are made for the size at
 * the end. More: longer lists; less: more re-basings. */
#define COMPRESSION_STAGE ((real)0.02)

/* ---- part of the state: searches for contacts -------------------------------------------------------------------- */

/* Steps of a search for a contact time (triangles, moving planes, exact surfaces, shapes). Searches take some ten
 * steps. One that exceeds the limit gives an event without effect, after which the search is repeated: a lower limit
 * costs events. */
enum { MOST_SEARCH_STEPS = 1000 };

/* Gap beyond which an event is such an unfinished search and not a contact: as a fraction of the contact distance,
 * and in roundings of positions and of the distance flown since time 0. Smaller: contacts are lost by rounding;
 * larger: unfinished searches change velocities. */
#define UNFINISHED_GAP ((real)0x1p-20)
#define UNFINISHED_ROUNDING (8 * REAL_GRAIN)

/* Time for which the acceleration in a rotating frame is bounded, as an angle in radians. Longer: weaker bounds;
 * shorter: more steps. */
#define ROTATION_WINDOW ((real)0.5)

/* Time between two searches for contacts of a body with moving boundaries, as a phase of the oscillation and as an angle
 * of rotation, in radians. Longer: more steps of a search; shorter: more repetitions. At most MOST_LOOKAHEADS of these
 * times are between two re-basings: a search starts at the stored time of a body and would exceed its limit of
 * steps. */
#define OSCILLATION_LOOKAHEAD ((real)12)
#define ROTATION_LOOKAHEAD ((real)1)
enum { MOST_LOOKAHEADS = 64 };

/* Depth of a contact of rough spheres, in roundings of positions, up to which it has no tangential impulse. Smaller:
 * the direction of the normal is rounding; larger: friction is missing in slow contacts. */
#define GLANCING_ROUNDING (8 * REAL_GRAIN)

/* ---- part of the state: sleep ------------------------------------------------------------------------------------ */

/* Consecutive slow contacts before a supported body may fall asleep; between two tests of a body for motion within a
 * gap; speed, in sleeping speeds, above which a body does not sleep. Lower: bodies fall asleep in motion; higher:
 * piles take longer. */
enum { SLOW_CONTACTS = 8, CONFINED_ROW = 64, FAST = 16 };

/* Supports of one body that count (equal spheres have at most 12), sweeps of the coordinate descent for their
 * forces, steps and the smallest relative gain of a step for those with friction, and the weight that may remain without
 * support, as a fraction. Fewer sweeps or a smaller fraction: bodies
 * on steep supports stay awake; a larger fraction: bodies sleep without support. */
enum { MOST_SUPPORTS = 16, SUPPORT_SWEEPS = 200, FRICTION_STEPS = 100 };
#define SUPPORT_ERROR 1e-3
#define FRICTION_GAIN 1e-9

/* Largest gaps of bodies that touch, and of bodies that may support each other, in smallest radii. Larger: bodies
 * sleep above their supports; smaller: a body whose bounces are higher than the gap stays awake. */
#define TOUCHING_GAP 0.01
#define HOLDING_GAP 0.05

/* A support is checked again after the time of a fall by the radius / (2 SUPPORT_CHECKS): one twentieth of the
 * radius. Fewer: bodies hang longer after the loss of their support. */
enum { SUPPORT_CHECKS = 10 };

/* ---- limits of runs without progress ----------------------------------------------------------------------------- */

/* Roundings of time in which the collisions of an inelastic collapse take place, at least. */
enum { FEWEST_GRAINS = 64 };

/* Collisions in the time of a fall by a diameter that count as no progress: in all (about a day of computation), and
 * for each body (100 times those of a bed at rest with the policy `tc`). Lower: slow runs are stopped; higher: they
 * take longer to stop. */
#define MOST_EVENTS_AHEAD 1e11
#define MOST_EVENTS_AHEAD_OF_BODY 1e7

/* Collisions without progress before a run stops, in collapse counts (scene key hard.collapse.count) of all bodies,
 * and at least. More than one count: bodies that fall asleep or collapse do so within one. */
enum { SLOW_ROWS = 4, FEWEST_SLOW_EVENTS = 100000 };

/* Transfers at one time that stop a run: for each body, and in all. A body causes a few; lower limits stop valid
 * runs. */
enum { TRANSFERS_AT_ONE_TIME_PER_BODY = 1000, TRANSFERS_AT_ONE_TIME = 100000 };

/* ---- growth of spheres for an initial state (compress.c) --------------------------------------------------------- */

/* Collisions of each particle between two rescalings of the velocities; relative growth in that time below which the
 * spheres are jammed. Fewer collisions: more overhead; more: hotter spheres. A larger growth: dense states are
 * refused. */
enum { COLLISIONS_PER_ROUND = 20 };
#define JAMMED_GROWTH 1e-7

/* hard.collapse.count during the growth, where collisions are frequent near jamming; rate that the message on
 * jamming proposes, in rates of the scene. */
enum { GROWTH_COLLAPSE_COUNT = 1000000 };
#define GROWTH_SLOWER 0.1

#endif
