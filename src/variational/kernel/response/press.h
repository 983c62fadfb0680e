/* Pressing: the force evaluation of one layer of one contact, at one time. Several threads may press touches of a
 * batch at once: each changes the data of its own contacts only. The result carries all other effects. */
#ifndef CAROM_VARIATIONAL_PRESS_H
#define CAROM_VARIATIONAL_PRESS_H

#include "variational/kernel/features/feature.h"
#include "variational/kernel/response/contacts.h"

static const feature restitution_feature, friction_feature;

/* Returns PRESSED_ bits. Writes the kick and the response, if there are any. */
static unsigned press(world *w, const clock *c, batch_kind kind, touch *p, double t, kick *out, response *r);

/* Presses the touches of a block, one after the other. */
static void press_block(world *w, const clock *c, block *k, double t);

/* Handles the effects beyond the contact. */
static void press_noted(world *w, const touch *p, unsigned pressed);

/* If not all contacts of a scene are elastic and smooth, each replaces the impulse of a layer by an impulse along
 * the normal and one along the surfaces. v: velocity of i with respect to j; place: from j to i. See restitution.c. */
static void respond_normally(world *w, uint32_t index, const clock *c, const double v[DIM], double gap, double t,
                             response *r);

/* Adds the impulse of friction to a response of the first layer. See friction.c. */
static void apply_friction(world *w, const clock *c, const double v[DIM], double gap, double t, response *r);

/* Friction of a response that `slides`, on its kick, too. */
static void slide_one(world *w, response *r, double step, double t);

/* After all kicks of the present time: updates the data of contacts and the ledger. */
static void book_responses(world *w, double t);

/* The same for friction, and its remaining impulse after separation. */
static void book_friction(world *w, const double v[DIM], response *r);
static void part_contact(world *w, response *r, double t);

#endif
