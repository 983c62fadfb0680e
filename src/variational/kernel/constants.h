/* Tuned constants of the kernel: unit, why the value, and what fails if it is changed. They are of three sorts.
 *
 * COST: no motion depends on them, only how often certificates and lists are made anew, and so the event counts of
 * these. `make bench` shows what they are worth.
 *
 * MODEL: contacts, and with them state hashes and the numbers of docs/validation.md, change with them.
 *
 * SAFETY: beyond them rounding decides; the tests of the guarantees (test_variational_paths, the invariants of debug
 * builds) fail.
 *
 * Where no origin is named none is recorded: the value is one that does well on the scenes of bench/ and examples/. */
#ifndef CAROM_VARIATIONAL_KERNEL_CONSTANTS_H
#define CAROM_VARIATIONAL_KERNEL_CONSTANTS_H

#include <stdint.h>

#include "variational/constants.h"

/* ---- flights and certificates ------------------------------------------------------------------------------------ */

/* COST, of eta: the tolerance of nominal motions. Larger: kicks need new motions less often, layers wake earlier. */
static const double TAU_OF_ETA = 0.06;

/* COST, steps of the first layer: the tolerance is no more than a typical speed crosses in so many. Larger: where
 * layers are so stiff that contacts last a small part of eta, pairs that approach tick long before they touch. */
static const double TAU_STEPS = 8;

/* SAFETY, of eta and of the box: layers wake earlier than they need by this margin, which has to exceed the rounding of
 * positions (2^-53 of the box, a few times over). */
static const double MARGIN_OF_ETA = 1e-9, MARGIN_OF_BOX = 1e-14;

/* COST, of a pair's gap: both tolerances together. Larger: contacts wake too many layers. */
static const double TOLERATED = 0.25;

/* COST, of the time that a flight certainly stays within its tolerance: the stretch that it gets. Must be below 1; near
 * 1 the ball in which it must end becomes small. */
static const double BOUND_USE = 0.6;

/* COST, steps of the first layer: shorter stretches are not worth a place in the queue; a new nominal motion is. */
static const double WORTHWHILE_STEPS = 4;

/* COST, of a layer's step: bounds are not reached, and a layer wakes rather than be looked at again after less. */
static const double SHORTEST_WAIT = 0.5;

/* MODEL of the experiments (own clocks), of a layer's step: by which a layer that is seen by bounds may wake before it
 * begins; and until a pair that has been turned round is looked at again. Larger: certificates end too early. */
static const double EARLY = 1e-3, AGAIN = 0.01;

/* ---- neighbours: all COST but for IMAGE_ROOM --------------------------------------------------------------------- */

/* The skin of balls: of the mean free space between them, of the largest radius at least, and of the tolerance at
 * least. Larger: longer lists; smaller: lists are made anew more often. */
static const double SKIN_OF_SPACE = 0.9, SKIN_OF_RADIUS = 0.6, SKIN_OF_TAU = 4;

/* SAFETY, of a periodic box, and of the largest radius: while a list holds, no second image may come within reach,
 * which takes a skin below a quarter of the box less the radius. */
static const double IMAGE_ROOM = 0.25, LEAST_SKIN_OF_RADIUS = 0.02;

/* The skin of meshes, of the mean length of their edges: neighbours in a sheet stay few. */
static const double MESH_SKIN_OF_SPACING = 0.35;

/* How far ahead of a flight its reference position lies: of the mesh's skin, and of half the balls' less the
 * tolerance. */
static const double MESH_AHEAD = 0.3, BALLS_AHEAD = 0.9, MESH_AHEAD_OF_ROOM = 0.75;

/* The largest tolerance, of the mesh's skin: of all nodes, and of vertices that have room. Larger: lists are used up at
 * once. */
static const double TAU_OF_MESH_SKIN = 0.25, TREMBLING_OF_MESH_SKIN = 0.1;

/* ---- responses: all MODEL ---------------------------------------------------------------------------------------- */

/* A budget that others have brought out of step with the layers enlarges no force more than so many times. */
static const double MOST_GAIN = 10;

/* Of the normal speed: what a kick of a pair at rest takes; with the default step that is twice the critical damping in
 * the first layer. Less: piles tremble for longer. */
static const double RESTING_DAMPING = 0.25;

/* Of what a layer's kick adds to the speed: less is rest; a pair at rest shall rise no faster than SLOW. */
static const double STILL = 1e-6, SLOW = 0.05;

/* The share of the layers' strength that a pair has when it comes to rest, and its growth a kick. Larger: a pair that
 * was stopped deep in its layers jumps. */
static const double FIRST_SHARE = 1e-3, STIFFENING = 1.05;

/* Turns without parting, and kicks that withhold force from a pair that approaches, after which it is at rest. Smaller:
 * impacts are taken for rest and lose too much; larger: pairs under load sink. */
enum { MOST_TURNS = 16, MOST_WITHHELD = 256 };

/* Ticks of the first layer: friction's mean over the normal impulses. Smaller: its cap fluctuates; larger: it lags. Its
 * damping is in units of the critical one. */
static const double FRICTION_WINDOW = 16, FRICTION_DAMPING = 0.5;

/* A pair is squeezed: it stays in the deepest layers for so many steps; comes there so often while what the scene moves
 * does so much work (in k eta^2); or holds so much more than an impact has. Smaller: hard impacts are taken for it. */
static const double SQUEEZE_STEPS = 4, SQUEEZE_OFTEN = 100, SQUEEZE_HELD = 1e4;

/* SAFETY: layers of a contact; the steps of the last are 1e7 times as short as those of the first. */
enum { MOST_LAYERS = 1 << 16 };

/* ---- materials: all MODEL ---------------------------------------------------------------------------------------- */

/* The longest component of a spring, or of an arm of a hinge, in periodic boxes. 0.5: a step may take it past the place where the
 * nearest image is another. */
static const double LINK_REACH = 0.49;

/* Steps of the first layer: the longest of springs and shells. Larger: their kicks scatter the energy of contacts,
 * which last more than a hundred steps. Contacts that lose energy take their kicks at once: no larger than the layers',
 * and not in phase with them. */
static const double MATERIAL_STEPS = 4, MATERIAL_STEPS_LOSSY = 0.98;

/* Of the bound of stability 2 / sqrt(f): the longest step of a shell's element that is given; and, in units of the
 * courant factor, of one that is chosen. 1: unstable. */
static const double SHELL_SAFE = 0.5, SHELL_SHARE_OF_BOUND = 4;

/* Steps of the first layer to one of the clock of bodies, so that what an ordinary impact sets turning turns by a few
 * hundredths meanwhile; and by which angle (radians) bodies that spin at the start turn at most. */
static const double BODY_TICKS = 4, BODY_TURN = 0.01;

/* Radians: circles of drives are polygons with corners so far apart, off by 1.25e-5 of the radius. */
static const double DRIVE_CORNER = 0.01;
enum { MOST_CORNERS = 10000000 }; /* memory: 40 bytes each */

/* ---- threads: COST, the same bits
 * ---------------------------------------------------------------------------------- */

/* Kicks, touches and responses; nodes and lists; elements of shells: fewer are not worth waking other threads for. */
enum {
    FEW_KICKS = 1000,
    FEW_TOUCHES = 1000,
    FEW_RESPONSES = 1000,
    FEW_NODES = 64,
    FEW_LISTS = 64,
    FEW_ELEMENTS = 2000
};

/* What a thread takes at a time. */
enum { BLOCK_TOUCHES = 256, SOME_NODES = 16, SOME_LISTS = 16 };

/* How far ahead loops fetch: touches, kicks and responses, and the contacts of these. */
enum { AHEAD = 6, RESPONSES_AHEAD = 4, CONTACTS_AHEAD = 10 };

/* ---- runs -------------------------------------------------------------------------------------------------------- */

/* Checks of certificates an element without any event after which a run without an end is over: more than any gas needs
 * between two impacts. */
static const uint64_t QUIET_CHECKS = 1000000;

/* SAFETY, boxes: so far away numbers begin to fail; checkpoints beyond are refused. */
static const double FAR = 0x1p40;

#endif
