/* What every engine offers: one const struct. */
#ifndef CAROM_ENGINE_ENGINE_H
#define CAROM_ENGINE_ENGINE_H

#include "carom/carom.h"
#include "engine/steps.h"
#include "frame/channels.h"
#include "frame/snapshot.h"
#include "scene/scene.h"
#include "scene/state.h"

/* Where `advance` has to halt: whichever comes first. */
typedef struct engine_limits {
    double time;         /* all events up to and including this time have happened */
    uint64_t events;     /* total count since the start */
    uint64_t collisions; /* count since the start */
    uint64_t slice;      /* elementary operations, of which each costs a microsecond or less, as a rule: the call
                          * returns at the first event boundary after so many, so that the caller can look at the clock */
    uint64_t clusters;   /* left; 0: no such limit */
    double pressure;     /* P V / (N T); 0: no such limit */
} engine_limits;

/* What a simulation runs on: one for each way in which an engine is compiled. */
typedef struct engine_kernel {
    size_t (*memory)(size_t count); /* bytes that a run of so many particles needs, about */
    carom_status (*create)(void **self, const scene *s, const initial_state *state, unsigned tallies, error *e);
    /* Runs on. *stop: CAROM_STOP_TIME, _EVENTS, _COLLISIONS, _CLUSTERS, _PRESSURE where that limit was reached;
     * _NO_EVENTS, _COLLAPSE, _NO_PROGRESS, _SQUEEZED, _STRETCHED where the dynamics ended it (the report is on e);
     * CAROM_STOP_NONE after a slice. */
    carom_status (*advance)(void *self, const engine_limits *limits, carom_stop *stop, error *e);
    double (*time)(const void *self);                                /* of the last event or halt */
    const uint64_t *(*events)(const void *self);                     /* [EVENT_KINDS] */
    uint64_t (*clusters)(const void *self);                          /* left; NULL where nothing merges */
    void (*fill_frame)(void *self, double time, carom_frame *frame); /* time: between the last event and the next */
    carom_status (*save)(const void *self, snapshot *out, error *e);
    carom_status (*load)(void *self, const snapshot *in, error *e); /* into one created from the same scene */
    void (*destroy)(void *self);
    carom_status (*add_potential)(void *self, const carom_potential *p, error *e); /* NULL where there are no forces */
    /* The time steps of a run, and what determines them; NULL where there are none. */
    carom_status (*steps)(const scene *s, const initial_state *state, engine_steps *out, error *e);
} engine_kernel;

typedef struct engine {
    const char *summary;            /* one line */
    const char *single;             /* what a single step of the live page is: never less happens in one go */
    const char *starter;            /* the scene that `carom init` gives for it (sim/starters); NULL: none */
    unsigned features;              /* ENGINE_ flags (scene/settings.h): what a scene may ask of it */
    bool merges;                    /* particles into clusters: frames say which particle is in which */
    const settings_table *settings; /* its name is the engine's */
    /* What the settings tables cannot say: settings that need each other, what the engine has no means for. */
    carom_status (*check)(const scene *s, error *e);
    /* The same for the state that the scene describes. */
    carom_status (*check_state)(const scene *s, const initial_state *state, error *e);
    /* What is wrong with a state that only making the kernel tells: a run hears it then, `carom check` asks. NULL:
     * nothing. */
    carom_status (*try_state)(const scene *s, const initial_state *state, error *e);
    unsigned (*tallies)(const scene *s); /* TALLY_ flags: what observers may ask for */
    bool (*accounts)(const scene *s);    /* whether it keeps a ledger; NULL where it never does */
    bool (*shrinks)(const scene *s);     /* whether the box becomes smaller during the run; NULL: never */
    bool (*links)(const scene *s);       /* whether results keep what joins and moves particles, and whether anything
                                          * acts from outside, also where the scene has neither meshes nor bonds; NULL:
                                          * not */
    /* Allocates the optional arrays of a frame that it fills (frame/channels.h); NULL: none. */
    carom_status (*add_arrays)(const scene *s, carom_frame *f, error *e);
    const engine_kernel *(*kernel)(const scene *s); /* of a scene that has been checked */
} engine;

/* Each engine of CAROM_ENGINES is in the folder of src/ that has its name, and is engine_<name>. */
#define DECLARE_ENGINE(name) extern const engine engine_##name;
CAROM_ENGINES(DECLARE_ENGINE)
#undef DECLARE_ENGINE

#endif
