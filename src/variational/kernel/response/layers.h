/* Penalty layers: layer l acts at gaps below its thickness. */
#ifndef CAROM_VARIATIONAL_LAYERS_H
#define CAROM_VARIATIONAL_LAYERS_H

#include "variational/kernel/world.h"

/* The gap at which layer l begins. */
static inline double thickness(const world *w, uint32_t layer)
{
    return 2 * w->choice.eta / (double)layer;
}

/* Number of layers that act at a gap, and their energy in a contact. */
static uint32_t layers_within(const world *w, double gap);
static double layers_energy(const world *w, uint32_t index, double gap);

/* Minus the energy of cohesion. */
static inline double cohesion_energy(const world *w, const contact *c, double gap)
{
    return w->contacts.law[c->law].cohesion * greater(thickness(w, 1) - gap, 0);
}

#endif
