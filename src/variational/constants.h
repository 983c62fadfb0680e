/* Tuned constants of the automatic settings, and of the checks before a run: unit, reason for the value, and effect
 * of a change. kernel/constants.h has those of the kernel, and explains MODEL and SAFETY. */
#ifndef CAROM_VARIATIONAL_CONSTANTS_H
#define CAROM_VARIATIONAL_CONSTANTS_H

/* MODEL. eta is the smallest diameter over the first, or the smallest thickness of a mesh over the second, whichever
 * is less. Smaller numbers: contacts begin visibly early. Larger: steps become shorter in proportion. */

/* MODEL. Energy of the hardest expected impact, in those of ordinary impacts. Impacts of this energy still scatter
 * little of it. Smaller: layers are stiffer, and steps shorter. Larger: hard impacts go deep into the layers, which
 * costs more kicks and scatters energy. */
static const double HARDEST_IMPACT = 20;

/* MODEL. Energy of an ordinary impact, as a part of that which the first layer stores before the second begins. By
 * measurement impacts then cost least. Larger: impacts reach the second layer, with half the step. Smaller: steps
 * are shorter than necessary. */
static const double FILLED = 0.4;

/* COST. The longest automatic courant of bodies at rest. 0.2: a house of seven cards gains energy from its contacts. Smaller: slower
 * in proportion. */
static const double REST_COURANT = 0.1;

/* MODEL, of elastic spheres: energy that the first layer stores before the second begins, in those of the hardest
 * expected impact. Smaller: impacts leave Hertz's law. Larger: steps become shorter, as its power of -1/10. */
static const double HERTZ_ROOM = 4;

/* SAFETY, of the box: thinner layers are below the rounding of positions (2^-53 of the box), and pairs pass through
 * each other. */
static const double FINEST = 1e-10;

/* SAFETY, contact distances: elements of drives within this distance collide. Larger: elements in contact at the
 * start count as a collision, by rounding. */
static const double COLLIDING = 1 - 1e-9;

/* SAFETY, ticks of a run: the 53 bits of a time do not distinguish more. */
static const double MOST_TICKS = 0x1p50;

#endif
