/* The oracle: the paper's algorithms 2 to 5, one event a force, one certificate a pair, all pairs, one binary heap. */
#ifndef CAROM_VARIATIONAL_REFERENCE_H
#define CAROM_VARIATIONAL_REFERENCE_H

#include "frame/snapshot.h"
#include "variational/kernel/world.h"

static carom_status reference_create(world *w, error *e);
static void reference_destroy(world *w);

/* When the next event is due. */
static double reference_next(const world *w);

/* Carries out what comes first, if it comes by `until`. */
static carom_status reference_step(world *w, double until, bool *done, error *e);

/* Node i has been kicked: its certificates are void. */
static void reference_kicked(world *w, uint32_t i);

/* Node i has a new velocity, or a surface that it may touch. */
static void reference_moved(world *w, uint32_t i);

/* Two that touch never will again: their contact ends; and then the events of all such are taken out. */
static void reference_drop(world *w, uint32_t i, uint32_t partner);
static void reference_part(world *w);

/* For checkpoints; what is loaded is checked, and replaces what reference_create has made. */
static carom_status reference_save(const world *w, snapshot *out, error *e);
static carom_status reference_load(world *w, const snapshot *in, error *e);

#endif
