/* The state of a parallel run: in the domains, or in the gas of the whole. */
#ifndef CAROM_HARD_KERNEL_COLLECT_H
#define CAROM_HARD_KERNEL_COLLECT_H

#include "hard/kernel/parallel/domain.h"

/* Frames can be read from now on: the sums are in g and, unless the domains are the parts that are read (parts.h), the states of the
 * bodies too. */
static carom_status crew_collect(gas *g, error *e);

/* Parts on each rank: of crew_collect, with the places of the bodies in lists if these are wanted; and of crew_unite,
 * after which the state is that of rank 0. The arrays of bodies of the whole exist from here on until the state
 * changes. */
static carom_status collect_domains(crew *c, bool places, error *e);
static carom_status unite_domains(crew *c, error *e);

/* The same for readers that cannot fail; the next call of crew_advance does. Returns false then: g has no bodies. */
static bool crew_read(gas *g);

/* Before a checkpoint, for a serial gas too: also list origins (crew.list_origin). *searched: a gas with lists or
 * cells. */
static carom_status crew_prepare_save(gas *g, const gas **searched, error *e);

/* For a serial gas too: the same, with lists and queue: the gas continues as a serial one, until the next call of crew_advance. */
static carom_status crew_unite(gas *g, error *e);

/* Sets the time of the whole. Domains at rest reach the end of a run without limits, which is no time of a state. */
static void crew_set_clock(crew *c);

/* Divides space and bodies among the domains, and finds all events, unless the state is there already. From now on the
 * state changes. */
static carom_status crew_disperse(crew *c, error *e);

/* The failure of a collection for a frame, which could not report it. */
static carom_status crew_usable(const crew *c, error *e);

#endif
