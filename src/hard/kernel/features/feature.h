/* A feature of the scene, as the core of the kernel sees it: one const descriptor, which says when the feature is enabled
 * and what it adds to creation, re-basing, sorting, checkpoints, the state hash and frames. The core loops over all features
 * in these operations. What happens in events (prediction, collision) are direct calls.
 *
 * A feature keeps its state in a struct of its own, to which a member of `gas` points: NULL where it is not enabled. */
#ifndef CAROM_HARD_KERNEL_FEATURE_H
#define CAROM_HARD_KERNEL_FEATURE_H

#include "hard/kernel/gas.h"
#include "hard/kernel/numbers.h"

/* How the numbers of an array change when the clock is set back, or velocities are rescaled by a power of two. */
typedef enum array_kind {
    ARRAY_PLAIN,      /* not at all */
    ARRAY_TIMES,      /* one `real` a body, a local time */
    ARRAY_VELOCITIES, /* `real`s */
    ARRAY_SCRATCH     /* meaningless between events: neither sorted nor saved */
} array_kind;

typedef enum array_hash { HASH_NOTHING, HASH_FLAG, HASH_REALS } array_hash;

/* An array with one element a body, which the core creates, frees, re-bases, rescales, sorts with the bodies, saves, loads
 * and hashes. */
typedef struct body_array {
    const char *name; /* in checkpoints */
    size_t member;    /* offset of the pointer in the state of the feature, */
    size_t size;      /* bytes of an element */
    array_kind kind;
    array_hash hash; /* what of an element goes into the state hash; features are hashed in the order of their table */
} body_array;

/* Where the hash of what a feature has one of goes: the order of the state hash is older than this table. */
typedef enum hash_place { HASH_BEFORE_CLOCK, HASH_AFTER_CLOCK, HASH_AFTER_COLLISIONS, HASH_PLACES } hash_place;

enum { MOST_FEATURE_PARTS = 3 };

typedef struct feature {
    const char *name;
    size_t member, size; /* offset of the pointer in `gas`, and bytes of the state that it points to */
    bool (*enabled)(const gas *g, const initial_state *state, unsigned tallies);
    const body_array *arrays;
    int array_count;
    bool feeds;    /* energy comes from outside, not by work: frames say so */
    bool accounts; /* the work that is done from outside is tallied: frames have an energy balance */

    /* Each may be NULL; they are called where the feature is enabled. */
    carom_status (*create)(gas *g, const initial_state *state, error *e); /* before there are bodies */
    carom_status (*place)(gas *g, const initial_state *state, error *e);  /* bodies are where the scene says */
    void (*start)(gas *g);   /* velocities are those of the frame of reference; bodies are in the scene's order */
    void (*destroy)(gas *g); /* what `create` and `place` have made */
    bool (*holds)(const gas *g, int k);                /* does it single out a place or a velocity along axis k? */
    void (*rebase)(gas *g, real t);                    /* bodies are at local time t, which becomes the origin */
    void (*rescale)(gas *g, int bits);                 /* velocities are multiplied by 2^bits */
    void (*rebased)(gas *g);                           /* the new stage begins; also at the start */
    void (*reorder)(gas *g, struct curve_place *from); /* as `rearrange`, of what is no body_array */

    int (*saved)(gas *g, snapshot_part parts[MOST_FEATURE_PARTS]); /* parts of checkpoints besides the arrays */
    carom_status (*load)(gas *g, const snapshot *in, error *e);    /* reads these parts, where their sizes vary */
    const char *(*fault)(const gas *g);                            /* name of a part that cannot be; NULL: none */
    void (*loaded)(gas *g);                                        /* what follows from the parts */

    hash_place hash_place;
    uint64_t (*hash)(const gas *g, uint64_t hash);

    void (*fill_frame)(const gas *g, real t, carom_frame *f); /* at local time t; places and velocities are there */
} feature;

#define FEATURE_STATE(field) .member = offsetof(gas, field), .size = sizeof *((gas *)0)->field
#define BODY_ARRAY(type, field) .member = offsetof(type, field), .size = sizeof *((type *)0)->field
#define FEATURE_ARRAYS(list) .arrays = list, .array_count = (int)(sizeof(list) / sizeof *(list))

#endif
