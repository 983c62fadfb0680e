/* Tuned constants of what is chosen where the scene does not set it, and of the checks before a run: unit, why the value,
 * and what fails if it is changed. kernel/constants.h has those of the kernel, and explains MODEL and SAFETY. */
#ifndef CAROM_VARIATIONAL_CONSTANTS_H
#define CAROM_VARIATIONAL_CONSTANTS_H

/* MODEL. The thickness of a layer is the smallest radius over the one, and the smallest thickness of a mesh over the
 * other, if that is less. Smaller numbers: contacts begin visibly early; larger: steps become shorter in proportion. */
static const double ETA_OF_RADIUS = 20, ETA_OF_MESH = 4;

/* MODEL. Energies of ordinary impacts that the hardest expected one has. Impacts so much harder still scatter little
 * energy. Smaller: layers are stiffer, and steps shorter; larger: hard impacts go deep into the layers, which costs more
 * kicks and scatters energy. */
static const double HARDEST_IMPACT = 20;

/* MODEL. Of the energy that the first layer takes before the second begins: that of an ordinary impact. By measurement:
 * impacts cost least. Larger: impacts reach the second layer, with half the step; smaller: steps are shorter than needed. */
static const double FILLED = 0.4;

/* SAFETY, of the box: thinner layers are lost in the rounding of positions (2^-53 of the box), and pairs pass through each
 * other. */
static const double FINEST = 1e-10;

/* SAFETY, contact distances: what the motions of drives bring nearer collides. Larger: what touches at the start counts as a
 * collision, by rounding. */
static const double COLLIDING = 1 - 1e-9;

/* SAFETY, ticks of a run: more are not told apart by the 53 bits of a time. */
static const double MOST_TICKS = 0x1p50;

#endif
