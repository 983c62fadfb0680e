/* Tuned constants of the kernel: unit, reason for the value, and effect of a change. There are three kinds.
 *
 * COST: motion does not depend on them. The number of new certificates and lists does, and with it their event counts.
 * `make bench` measures their effect.
 *
 * MODEL: contacts depend on them, and with contacts the state hashes and the numbers of docs/validation.md.
 *
 * SAFETY: beyond them rounding decides the result. The tests of the guarantees (test_variational_paths, the invariants
 * of debug builds) fail.
 *
 * If no origin is named, none is recorded: the value gives low cost on the scenes of bench/ and examples/. */
#ifndef CAROM_VARIATIONAL_KERNEL_CONSTANTS_H
#define CAROM_VARIATIONAL_KERNEL_CONSTANTS_H

#include <stdint.h>

#include "variational/constants.h"

/* ---- elastic rods ------------------------------------------------------------------------------------------------ */

/* MODEL: cosine of the largest angle of a rod at a particle at the start, 120 degrees. The bending energy diverges at 180. */
static const double ROD_FOLD = -0.5;

/* SAFETY, radians: largest twist of a loaded state. Beyond it the angle has few bits. */
static const double ROD_MOST_TWIST = 0x1p40;

/* ---- flights and certificates ------------------------------------------------------------------------------------ */

/* COST, of eta: the tolerance of nominal motions. Larger: kicks need new motions less often, layers become active
 * earlier. */
static const double TAU_OF_ETA = 0.06;

/* COST, steps of the first layer: a typical speed needs at least this time to cross the tolerance. Larger: if layers
 * are so stiff that contacts last a small part of eta, approaching pairs have ticks long before contact. */
static const double TAU_STEPS = 8;

/* SAFETY, of eta and of the box: layers become active earlier than necessary by this margin. It has to exceed the
 * rounding of positions (several times 2^-53 of the box). */
static const double MARGIN_OF_ETA = 1e-9, MARGIN_OF_BOX = 1e-14;

/* COST, of a pair's gap: the sum of both tolerances. Larger: contacts activate too many layers. */
static const double TOLERATED = 0.25;

/* COST, of the time for which a flight certainly stays within its tolerance: the length of its stretch. Must be
 * below 1. Near 1 the ball in which the flight must end becomes small. */
static const double BOUND_USE = 0.6;

/* COST, steps of the first layer: the shortest stretch that gets an entry in the queue. Below it a new nominal
 * motion is cheaper. */
static const double WORTHWHILE_STEPS = 4;

/* COST, of a layer's step: the shortest wait for a check. A bound is never reached exactly, so below this wait the
 * layer becomes active. Checks that are due within this part of the first layer's step are carried out together. */
static const double SHORTEST_WAIT = 0.5;

/* MODEL of the experiments (own clocks), of a layer's step. EARLY: the largest time between the activation of a
 * layer by a bound and its beginning. AGAIN: the wait for the next check of a pair after a reversal. Larger:
 * certificates end too early. */
static const double EARLY = 1e-3, AGAIN = 0.01;

/* ---- neighbours: all COST but for IMAGE_ROOM --------------------------------------------------------------------- */

/* The skin of balls: of the mean free space between them, at least of the largest radius, and at least of the
 * tolerance. Larger: longer lists. Smaller: more frequent new lists. */
static const double SKIN_OF_SPACE = 0.9, SKIN_OF_RADIUS = 0.6, SKIN_OF_TAU = 4;

/* SAFETY, of a periodic box, and of the largest radius: while a list holds, no second image may come within reach.
 * This requires a skin below a quarter of the box less the radius. */
static const double IMAGE_ROOM = 0.25, LEAST_SKIN_OF_RADIUS = 0.02;

/* The skin of meshes, of the mean length of their edges: the neighbours in a sheet are few. */
static const double MESH_SKIN_OF_SPACING = 0.35;

/* Distance of a reference position ahead of its flight: of the mesh's skin, and of half the balls' skin less the
 * tolerance. */
static const double MESH_AHEAD = 0.3, BALLS_AHEAD = 0.9, MESH_AHEAD_OF_ROOM = 0.75;

/* The largest tolerance, of the mesh's skin: that of all nodes, and that of vertices with free space around them.
 * Larger: lists expire at once. */
static const double TAU_OF_MESH_SKIN = 0.25, TREMBLING_OF_MESH_SKIN = 0.1;

/* ---- responses: all MODEL ---------------------------------------------------------------------------------------- */

/* Largest factor by which the budget enlarges a force. Other contacts may change the energy of the layers and with
 * it the ratio. */
static const double MOST_GAIN = 10;

/* Critical ones: the dashpot of a dissipative contact. Smaller: impacts with small e rebound faster. Larger: loaded contacts
 * reach their equilibrium later. Below 0.8 grains vibrate around it. */
static const double CONTACT_DAMPING = 1;

/* Of the normal speed: the largest part that a kick of the dashpot removes. 12 contacts of a sphere are stable up to 0.5; larger
 * steps than courant 0.06 reach it deep in the first layer. And of the sliding speed: 12 contacts are stable up to 0.25. */
static const double MOST_DAMPING = 0.25, MOST_FRICTION_DAMPING = 0.2;

/* Of the layer's force: the largest force of its dashpot. Smaller: impacts with small e rebound faster if other contacts act.
 * Larger: the first kicks of many contacts in parallel, whose number is not known yet, create energy. */
static const double MOST_OF_LAYER = 4;

/* Contacts in parallel, as those of a body with many vertices on a plane: largest number, and the part of it that a kick
 * keeps. Larger: the dashpots are weaker for longer. */
static const double MOST_TOGETHER = 1e4, TOGETHER_KEPT = 0.8;

/* Of the largest speed of an impact: change of speed between kicks from which on the pair counts as loaded. */
static const double STILL = 1e-6;

/* Cells of the area of contact of elastic spheres, each of them (but for the innermost) this much narrower than the next
 * outer one. With 8 and 0.7 local angles of oblique impacts have errors of up to 0.03 (validate/annuli.py); at small overlaps,
 * below 0.007 eta, one cell is left, which does not slip in part. More cells: memory and time of contacts. */
enum { HERTZ_CELLS = 8 };
static const double HERTZ_NARROWER = 0.7;

/* Critical ones: the dashpot of friction, also of rolling resistance. */
static const double FRICTION_DAMPING = 0.5;

/* A pair is squeezed if it stays in the deepest layers for so many steps, if it enters them so many times while
 * drives do so much work (in k eta^2), or if it holds so many times the energy of an impact. Smaller: hard impacts
 * count as squeezed. */
static const double SQUEEZE_STEPS = 4, SQUEEZE_OFTEN = 100, SQUEEZE_HELD = 1e4;

/* SAFETY: layers of a contact; the steps of the last are 1e7 times as short as those of the first. */
enum { MOST_LAYERS = 1 << 16 };

/* ---- materials: all MODEL ---------------------------------------------------------------------------------------- */

/* The longest component of a spring, or of an arm of a hinge, in periodic boxes. At 0.5 a step may change the
 * nearest image. */
static const double LINK_REACH = 0.49;

/* Steps of the first layer: the longest step of springs and shells. Larger: their kicks scatter the energy of
 * contacts, which last more than a hundred steps. Dissipative contacts respond to these kicks at once: the step is
 * no larger than that of the layers, and not in phase with them. */
static const double MATERIAL_STEPS = 4, MATERIAL_STEPS_LOSSY = 0.98;

/* Of the bound of stability 2 / sqrt(f): the longest step of a shell's element in the scene; and, in units of the
 * courant factor, the longest automatic one. 1: unstable. */
static const double SHELL_SAFE = 0.5, SHELL_SHARE_OF_BOUND = 4;

/* The largest number of stages of a shell's damping, a power of 2. Larger: a sliver with strong damping costs more than with
 * shorter steps. Smaller: strong damping of a whole mesh halves its step. */
enum { MOST_STAGES = 64 };

/* The moments of plates: their largest relative error, and the largest number of turns for it. Larger errors or fewer turns:
 * the rigidity depends on the mesh. More turns: slivers, which alone need them, increase the cost of each force of their class. */
static const double PLATE_ACCURACY = 1e-5;
enum { MOST_PLATE_TURNS = 48 };

/* Steps of the first layer per tick of the bodies' clock: after an ordinary impact a body turns by a few hundredths
 * per tick. And the largest angle (radians) per tick of bodies that spin at the start. */
static const double BODY_TICKS = 4, BODY_TURN = 0.01;

/* Radians: distance of the corners of the polygons that replace circles of drives. Their error is 1.25e-5 of the
 * radius. */
static const double DRIVE_CORNER = 0.01;
enum { MOST_CORNERS = 10000000 }; /* memory: 40 bytes each */

/* ---- threads: COST, the same bits -------------------------------------------------------------------------------- */

/* Kicks, touches and responses; nodes and lists; elements of shells: for smaller numbers further threads do not pay. */
enum {
    FEW_KICKS = 1000,
    FEW_TOUCHES = 1000,
    FEW_RESPONSES = 1000,
    FEW_NODES = 64,
    FEW_LISTS = 64,
    FEW_ELEMENTS = 2000,
    FEW_ROWS = 10000 /* of plates: up to 48 short loops for a force */
};

/* Sizes of the portions of work of a thread. */
enum { BLOCK_TOUCHES = 256, SOME_NODES = 16, SOME_LISTS = 16 };

/* COST: contacts that have begun since the pool was arranged, of those that exist. Smaller: more time for arranging. Larger: more
 * cache misses. */
static const double ARRANGED_SHARE = 0.25;
enum { ARRANGED_LEAST = 256 };

/* Prefetch distances of loops: touches, kicks and responses, and the contacts of these. */
enum { AHEAD = 6, RESPONSES_AHEAD = 4, CONTACTS_AHEAD = 10 };

/* SAFETY, of the rms distance of the vertices of a moment from their centre: the least one from the axis. */
static const double SHORTEST_ARM = 1e-6;

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Certificate checks per element without any other event after which a run without an end stops: more than any gas
 * needs between two impacts. */
static const uint64_t QUIET_CHECKS = 1000000;

/* SAFETY, boxes: largest distance at which numbers are accurate enough. Checkpoints with larger ones are refused. */
static const double FAR = 0x1p40;

#endif
