/* A feature: one const struct, which owns its state. The core (create.c, frame.c, save.c, steps.c, fire.c) carries
 * out all infrequent operations by a loop over the table of features. Functions that a feature does not need are
 * NULL. */
#ifndef CAROM_VARIATIONAL_FEATURE_H
#define CAROM_VARIATIONAL_FEATURE_H

#include "variational/kernel/world.h"

enum { FEATURE_ARRAYS = 3 };

typedef struct feature {
    const char *name;
    bool (*enabled)(const world *w); /* by the scene, or by a potential of the user */
    carom_status (*create)(world *w, const initial_state *state, error *e);
    void (*destroy)(world *w); /* also after a failure of create */
    /* Its clock: the kicks of a tick, and the entries in the ledger after them. */
    void (*fire)(world *w, const clock *c, double t);
    void (*book)(world *w, double t);
    /* The arrays of its state. Returns their number. */
    int (*saved)(const world *w, snapshot_part parts[FEATURE_ARRAYS]);
    uint64_t (*hash)(const world *w, uint64_t hash);
    /* The name of a loaded array with invalid data; NULL: none. before: the same arrays according to the scene. */
    const char *(*find_unsound)(const world *w, void *const before[FEATURE_ARRAYS]);
    bool (*contact_is_sound)(const contact *c);         /* the same for its part of a contact */
    void (*set_kinds)(const world *w, node_kind *kind); /* [count] kinds of nodes that depend on the state */
    void (*loaded)(world *w);
    void (*fill_frame)(const world *w, double t, carom_frame *f); /* adds to the ledger */
    carom_status (*steps)(const world *w, const initial_state *state, engine_steps *out, error *e);
} feature;

/* In the order of creation. */
#define COUNT(name) +1
enum { FEATURE_COUNT = 0 VARIATIONAL_FEATURES(COUNT) };
#undef COUNT
static const feature *const FEATURES[FEATURE_COUNT];

/* The feature of a clock; NULL: layers. */
static const feature *const FEATURE_OF_CLOCK[CLOCK_LAYER + 1];

#endif
