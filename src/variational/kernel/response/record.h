/* Recording of impacts: for each contact, the impulses since the beginning of its impact. An impact is recorded at its
 * end. Without a log w->impacts is NULL. */
#ifndef CAROM_VARIATIONAL_RECORD_H
#define CAROM_VARIATIONAL_RECORD_H

#include "variational/kernel/world.h"

typedef struct impact {
    double begin;        /* time of its first kick; NAN: before the recording */
    double normal[DIM];  /* sum of the impulses along normals, on i */
    double impulse[DIM]; /* with those of friction */
} impact;

typedef struct impacts {
    event_log *log; /* NULL: loaded from a checkpoint, and not recorded yet */
    impact *at;     /* [contacts.contact_capacity] */
} impacts;

static carom_status world_record(void *self, event_log *log, error *e);
static void impacts_destroy(world *w);
static bool impacts_grow(world *w, uint32_t from, uint32_t capacity);

/* Adds a kick of a contact. */
static void impact_add(world *w, uint32_t index, unsigned pressed, double t, const kick *q, const response *r);
/* Adds an impulse of friction. */
static void impact_add_friction(world *w, uint32_t index, const double impulse[DIM]);
/* Records the impact of a contact, which ends. */
static void impact_end(world *w, uint32_t index);

/* Impacts in progress, in the order in which contacts are saved. */
static carom_status impacts_save(const world *w, uint32_t rank_count, snapshot *out, error *e);
/* Those of the first `count` contacts of the pool, which have just been loaded. */
static carom_status impacts_load(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e);

#endif
