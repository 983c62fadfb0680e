/* The bodies of a domain: arrays, entry and departure, order in memory. */
#ifndef CAROM_HARD_KERNEL_MEMBERS_H
#define CAROM_HARD_KERNEL_MEMBERS_H

#include "hard/kernel/parallel/domain.h"

/* Makes the arrays of a domain without bodies, and frees them. */
static carom_status members_create(domain *d, uint32_t room, error *e);
static void members_destroy(domain *d);

/* Adds a body from the bytes of its state, which are passed, or removes one. Lists and queue follow, unless domain.rebuild is set. */
static carom_status members_enter(domain *d, const char **state, body_role role, uint32_t *at, error *e);
static void members_leave(domain *d, uint32_t i);

/* Adds an owned body of the whole, while domain.rebuild is set. The buffer is scratch. */
static carom_status members_take(domain *d, uint32_t of_whole, buffer *scratch, error *e);

/* Frees lists and queue. */
static void drop_search(gas *g);

/* Renews the list or the cell of body i, which has a new state, unless it remains valid. */
static carom_status members_renew(gas *g, uint32_t i, error *e);

/* Sorts the bodies along a curve, without gaps, and makes lists, queue and all predictions anew. */
static carom_status members_restart(domain *d, error *e);

#endif
