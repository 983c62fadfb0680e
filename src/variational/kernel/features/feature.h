/* A feature: one const struct, which owns its state. The core (create.c, frame.c, save.c, steps.c, fire.c) does all
 * cold operations by a loop over the table of them; functions that a feature does not need are NULL. */
#ifndef CAROM_VARIATIONAL_FEATURE_H
#define CAROM_VARIATIONAL_FEATURE_H

#include "variational/kernel/world.h"

enum { FEATURE_ARRAYS = 3 };

typedef struct feature {
    const char *name;
    bool (*enabled)(const world *w); /* by the scene, or by what the user has added */
    carom_status (*create)(world *w, const initial_state *state, error *e);
    void (*destroy)(world *w); /* also after a failure of create */
    /* Its clock: the kicks of a tick, and what it books when they have been given. */
    void (*fire)(world *w, const clock *c, double t);
    void (*book)(world *w, double t);
    /* The arrays of its state: how many. */
    int (*saved)(const world *w, snapshot_part parts[FEATURE_ARRAYS]);
    uint64_t (*hash)(const world *w, uint64_t hash);
    /* The name of an array that has been loaded and cannot be right, NULL: none. before: the same arrays as the scene
     * makes them. */
    const char *(*find_unsound)(const world *w, void *const before[FEATURE_ARRAYS]);
    bool (*contact_is_sound)(const contact *c);         /* the same of its share of a contact */
    void (*set_kinds)(const world *w, node_kind *kind); /* [count] of nodes that the state gives others */
    void (*loaded)(world *w);
    void (*fill_frame)(const world *w, double t, carom_frame *f); /* adds to the ledger */
    carom_status (*steps)(const world *w, const initial_state *state, engine_steps *out, error *e);
} feature;

/* In the order in which they are made. */
#define COUNT(name) +1
enum { FEATURE_COUNT = 0 VARIATIONAL_FEATURES(COUNT) };
#undef COUNT
static const feature *const FEATURES[FEATURE_COUNT];

/* That of a clock; NULL: layers. */
static const feature *const FEATURE_OF_CLOCK[CLOCK_LAYER + 1];

#endif
