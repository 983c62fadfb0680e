/* Whether an element may enter the system. */
#ifndef CAROM_VARIATIONAL_CLEAR_H
#define CAROM_VARIATIONAL_CLEAR_H

#include "variational/kernel/world.h"

/* Whether the first layer of an element acts on no other element and no surface. */
static carom_status element_is_clear(const world *w, uint32_t element, double t, bool *is_clear, error *e);

#endif
