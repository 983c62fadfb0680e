/* Interface of a feature: one const descriptor with the condition under which the feature is enabled, and its part of
 * creation, re-basing, sorting, checkpoints, the state hash and frames. In these operations the core loops over all
 * features. Events (prediction, collision) use direct calls.
 *
 * A feature has a struct for its state, to which a member of `gas` points. The pointer is NULL if the feature is not
 * enabled. */
#ifndef CAROM_HARD_KERNEL_FEATURE_H
#define CAROM_HARD_KERNEL_FEATURE_H

#include "hard/kernel/gas.h"
#include "hard/kernel/numbers.h"
#include "parallel/buffer.h"

/* Change of the numbers of an array at a re-basing, or when velocities are rescaled by a power of two. */
typedef enum array_kind {
    ARRAY_PLAIN,      /* none */
    ARRAY_TIMES,      /* one `real` for each body, a local time */
    ARRAY_VELOCITIES, /* `real`s */
    ARRAY_SCRATCH     /* scratch between events: neither sorted nor saved */
} array_kind;

typedef enum array_hash { HASH_NOTHING, HASH_FLAG, HASH_REALS } array_hash;

/* An array with one element for each body, which the core creates, frees, re-bases, rescales, sorts with the bodies,
 * saves, loads and hashes. */
typedef struct body_array {
    const char *name; /* in checkpoints */
    size_t member;    /* offset of the pointer in the state of the feature */
    size_t size;      /* bytes of an element */
    array_kind kind;
    array_hash
        hash; /* part of an element that enters the state hash; features are hashed in the order of their table */
} body_array;

/* Position in the state hash of data that are not arrays of bodies. The order of the state hash is older than this
 * table. */
typedef enum hash_place { HASH_BEFORE_CLOCK, HASH_AFTER_CLOCK, HASH_AFTER_COLLISIONS, HASH_PLACES } hash_place;

enum { MOST_FEATURE_PARTS = 3 };

typedef struct feature {
    const char *name;
    size_t member, size; /* offset of the pointer in `gas`, and bytes of the state that it points to */
    bool (*enabled)(const gas *g, const initial_state *state, unsigned tallies);
    const body_array *arrays;
    int array_count;
    unsigned
        tallies;   /* TALLY_ flag that enables it, without arrays and without the initial state; 0: enabled otherwise */
    bool feeds;    /* energy is supplied other than by work: frames state this */
    bool accounts; /* external work is tallied: frames have an energy balance */

    /* Each may be NULL. They are called if the feature is enabled. */
    carom_status (*create)(gas *g, const initial_state *state, error *e); /* before the bodies exist */
    carom_status (*place)(gas *g, const initial_state *state, error *e);  /* bodies are at their initial positions */
    void (*start)(gas *g); /* velocities are relative to the frame of reference; bodies are in the order of the scene */
    void (*destroy)(gas *g);            /* frees the memory of `create` and `place` */
    bool (*holds)(const gas *g, int k); /* whether it breaks the symmetry under translations or boosts along axis k */
    void (*rebase)(gas *g, real t);     /* all bodies are at local time t, which becomes the origin */
    void (*rescale)(gas *g, int bits);  /* velocities are multiplied by 2^bits */
    void (*rebased)(gas *g);            /* after each re-basing; also at the start */
    void (*reorder)(gas *g, struct curve_place *from); /* sorts data that are no body_array, as `rearrange` */

    int (*saved)(gas *g, snapshot_part parts[MOST_FEATURE_PARTS]); /* parts of checkpoints besides the arrays */
    carom_status (*load)(gas *g, const snapshot *in, error *e);    /* reads these parts if their sizes vary */
    const char *(*fault)(const gas *g);                            /* name of an invalid part; NULL: none */
    void (*loaded)(gas *g);                                        /* computes data that follow from the parts */

    hash_place hash_place;
    uint64_t (*hash)(const gas *g, uint64_t hash);

    void (*fill_frame)(const gas *g, real t, carom_frame *f); /* numbers, at local time t */
    void (*fill_columns)(const gas *g, real t, unsigned columns, carom_frame *f);

    /* Parallel runs: the domains share the state of the feature, except body arrays and what `divide` replaces. */
    bool (*divide)(gas *g, const gas *whole); /* false: no memory */
    void (*unite)(gas *g);                    /* frees that memory */
    void (*collect)(gas *g, gas *part);       /* adds the tallies of a domain to those of the whole, and clears them */
    void (*settle)(gas *g);                   /* gives equal tallies equal bytes, before they are saved */
    bool (*widen)(gas *g, uint32_t before, uint32_t room); /* memory for more bodies; body arrays are widened before */
    /* Data of a body that are no body_array. `get` returns the end of its bytes. */
    void (*put)(const gas *g, uint32_t i, struct buffer *out);
    const char *(*get)(gas *g, uint32_t i, const char *from);
    size_t (*bytes)(const char *from); /* of these data */
    void (*join)(gas *g, uint32_t i);  /* the same from the whole, when all bodies of the domain are there */
    void (*leave)(gas *g, uint32_t i); /* the body leaves the domain */
    uint64_t (*chain)(const gas *g, uint32_t i, uint64_t hash);
} feature;

#define FEATURE_STATE(field) .member = offsetof(gas, field), .size = sizeof *((gas *)0)->field
#define BODY_ARRAY(type, field) .member = offsetof(type, field), .size = sizeof *((type *)0)->field
#define FEATURE_ARRAYS(list) .arrays = list, .array_count = (int)(sizeof(list) / sizeof *(list))

#endif
