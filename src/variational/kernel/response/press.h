/* Pressing: one layer of one contact, at one moment. Several threads may press touches of a batch at once: what these
 * do concerns nothing but their own contacts, the rest is told by the result. */
#ifndef CAROM_VARIATIONAL_PRESS_H
#define CAROM_VARIATIONAL_PRESS_H

#include "variational/kernel/features/feature.h"
#include "variational/kernel/response/contacts.h"

static const feature restitution_feature, friction_feature;

/* PRESSED_ bits; writes the kick and the response where there are some. */
static unsigned press(world *w, const clock *c, batch_kind kind, touch *p, double t, kick *out, response *r);

/* Presses the touches of a block, one after the other. */
static void press_block(world *w, const clock *c, block *k, double t);

/* Handles what concerns more than the contact. */
static void press_noted(world *w, const touch *p, unsigned pressed);

/* Where the contacts of a scene are not all elastic and smooth, each answers the impulse of one of its layers: the
 * impulse along the normal, and along the surfaces, that it gives. v: velocity of i with respect to j; place: from j to
 * i. See restitution.c. */
static void respond_normally(world *w, uint32_t index, const clock *c, const double v[DIM], double gap, double t,
                             response *r);

/* The pull of friction, for a response to the first layer. See friction.c. */
static void apply_friction(world *w, const clock *c, const double v[DIM], double t, response *r);

/* When all kicks of the moment have been given: what contacts have to remember, and what has become of the energy. */
static void book_responses(world *w, const clock *c, double t);

/* The same of friction; and what is left of it where a pair has parted. */
static void book_friction(world *w, const double v[DIM], response *r);
static void part_contact(world *w, response *r, double t);

#endif
