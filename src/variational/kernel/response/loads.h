/* Loads: for each contact, the impulses since its last entry in the contact log (TALLY_CONTACTS). A contact is entered at the
 * end of its impact, and when the log is taken at a sample. Without a request w->loads is NULL. */
#ifndef CAROM_VARIATIONAL_LOADS_H
#define CAROM_VARIATIONAL_LOADS_H

#include "variational/kernel/world.h"

#include "frame/contact_log.h"

typedef struct load {
    double impulse[DIM];      /* on i */
    double product[DIM][DIM]; /* sum of J_a r_b, as in the virial; of boundaries only the part of r in a clump */
    bool acts;
} load;

typedef struct loads {
    contact_log log;
    load *at; /* [contacts.contact_capacity] */
} loads;

static carom_status loads_create(world *w, unsigned tallies, error *e);
static void loads_destroy(world *w);
static bool loads_grow(world *w, uint32_t from, uint32_t capacity);

/* Adds an impulse on element i of a contact at time t; r: from j to i. */
static void load_add(world *w, uint32_t index, const double impulse[DIM], const double r[DIM], double t);
/* Enters the load of a contact, which ends. */
static void load_end(world *w, uint32_t index);

/* The log; with `lasting`, after the loads of lasting contacts have been entered, in the order of their pairs. NULL: not
 * requested. */
static contact_log *world_take_contacts(void *self, double time, bool lasting);
static carom_status world_request(void *self, double time, unsigned tallies, error *e);

/* Loads, in the order in which contacts are saved. */
static carom_status loads_save(const world *w, uint32_t rank_count, snapshot *out, error *e);
/* Those of the first `count` contacts of the pool, which have just been loaded. */
static carom_status loads_load(world *w, const snapshot *in, size_t count, const uint32_t *loaded, error *e);

#endif
