/* Nodes whose flights are pending: they are checked after all kicks of the present time. */
#ifndef CAROM_VARIATIONAL_PENDING_H
#define CAROM_VARIATIONAL_PENDING_H

#include "variational/kernel/world.h"

/* KICKED: the flight may leave its ball. EXPIRED: the stretch ends. TOLERANCE_TOO_LARGE: the tolerance is too large
 * for the distance of a neighbour. */
typedef enum pending_why { NOT_PENDING, KICKED, EXPIRED, TOLERANCE_TOO_LARGE } pending_why;

/* Marks node i for an update after all kicks of the present time. */
static inline void pending_add_to(world *w, pending_nodes *nodes, uint32_t i, pending_why why)
{
    if (w->flights.pending_reason[i] == NOT_PENDING) nodes->at[nodes->count++] = i;
    if (w->flights.pending_reason[i] < (uint8_t)why) w->flights.pending_reason[i] = (uint8_t)why;
}

static inline void pending_add(world *w, uint32_t i, pending_why why)
{
    pending_add_to(w, &w->flights.pending, i, why);
}

#endif
