/* Monitoring of the inactive layers. It follows from the state except for the times of the last checks. */
#ifndef CAROM_VARIATIONAL_MONITORING_H
#define CAROM_VARIATIONAL_MONITORING_H

#include "frame/snapshot.h"
#include "variational/kernel/world.h"

/* Begins with no active layer and no neighbours. The clocks of springs and gravity run. */
static carom_status monitoring_begin(world *w, error *e);
static void monitoring_end(world *w);

/* For checkpoints. monitoring_load follows monitoring_begin, and checks the data that it loads. */
static carom_status monitoring_save(const world *w, snapshot *out, error *e);
static carom_status monitoring_load(world *w, const snapshot *in, error *e);

#endif
