/* Resistance to rolling and twisting of contacts, by torques on both sides, opposite to each other.
 *
 * With springs (Luding, Granular Matter 10, 235 (2008); Ai et al., Powder Technol. 206, 269 (2011), model C): the rotation of
 * one side with respect to the other, normal to the contact (rolling) and about its normal (twisting), winds up a spring
 * with a dashpot. Its torque is at most mu R N: R the reduced radius, N the normal force as friction averages it. Beyond that
 * the rest position follows. Viscous (Brilliantov and Poeschel, Europhys. Lett. 42, 511 (1998); model B): the torque is
 * tau R N times the rate of rotation.
 *
 * The springs are as stiff as those of the layers in their effect on the motion: K / I = k / m. */
#ifndef CAROM_VARIATIONAL_ROLLING_H
#define CAROM_VARIATIONAL_ROLLING_H

#include "variational/kernel/response/surface_motion.h"

static inline bool resists_rolling(const world *w, const contact *c)
{
    return w->spins != NULL && restitution_resists_rolling(w->contacts.law[c->law].restitution);
}

/* Sets the torque of a contact for this tick of the first layer, and adds its work at the present rates to
 * response.friction. since: rotation of both sides since the last tick. Returns the energy of the springs, whose change is
 * booked in response.rolling and twisting only: friction's is that of all springs of the contact. */
HOT double resist_rolling(world *w, response *r, const contact_sides *side, const double since[2][3], double force,
                          double step);

/* Applies the torques of a batch. */
static void give_torques(world *w, double t);

/* After all kicks of a batch: the work of the torque at the rates after them. */
HOT void book_torque(world *w, response *r, const contact_sides *side);

/* A contact ends: the springs of rolling lose their energy. */
static void book_wound(const world *w, response *r);

#endif
