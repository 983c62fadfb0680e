/* The interface of engines: one const struct for each engine. */
#ifndef CAROM_ENGINE_ENGINE_H
#define CAROM_ENGINE_ENGINE_H

#include "carom/carom.h"
#include "engine/steps.h"
#include "frame/channels.h"
#include "frame/contact_log.h"
#include "frame/event_log.h"
#include "frame/snapshot.h"
#include "parallel/transport.h"
#include "scene/scene.h"
#include "scene/state.h"

/* Limits of `advance`: it stops at the first one that is reached. */
typedef struct engine_limits {
    double time;         /* all events up to and including this time have been executed */
    uint64_t events;     /* total count since the start */
    uint64_t collisions; /* count since the start */
    uint64_t slice;      /* elementary operations (each at most about a microsecond): the call returns at the first
                          * event boundary after that many, so that the caller can check the time */
    uint64_t clusters;   /* number of clusters left; 0: no limit */
    double pressure;     /* P V / (N T); 0: no limit */
} engine_limits;

/* What an engine can use of the machine. Results do not depend on it. */
typedef struct engine_workers {
    int threads;
    transport *transport; /* NULL: one rank */
} engine_workers;

/* What the domains of a parallel run have cost since its creation; those of this rank. */
typedef struct engine_domains {
    int count;                  /* of all ranks */
    uint64_t windows, repeated; /* repeated: of these, windows after which all domains returned to the start */
    uint64_t recuts;            /* divisions of space after the first, to balance the domains */
    double cpu_s;               /* sum over the domains, without communication */
    double critical_s;          /* sum over all steps of that of the slowest domain */
    uint64_t messages, bytes;   /* sums over all exchanges of those of the domain that sends most */
} engine_domains;

/* The operations of a simulation: one struct for each compiled variant of an engine. */
typedef struct engine_kernel {
    size_t (*memory)(size_t count); /* bytes for a run of that many particles, approximately */
    /* workers: NULL: one thread of one rank. */
    carom_status (*create)(void **self, const scene *s, const initial_state *state, unsigned tallies,
                           const engine_workers *workers, error *e);
    /* Makes data that do not require the initial state: after that has been freed, so that memory is never taken for
     * both. NULL: there are none. Other functions call it before they need them. */
    carom_status (*begin)(void *self, error *e);
    /* Continues the run. *stop: CAROM_STOP_TIME, _EVENTS, _COLLISIONS, _CLUSTERS, _PRESSURE if that limit was reached;
     * _NO_EVENTS, _COLLAPSE, _NO_PROGRESS, _SQUEEZED, _STRETCHED if the dynamics ended the run (with the report in e);
     * CAROM_STOP_NONE after a slice. */
    carom_status (*advance)(void *self, const engine_limits *limits, carom_stop *stop, error *e);
    double (*time)(const void *self);            /* of the last event or halt */
    const uint64_t *(*events)(const void *self); /* [EVENT_KINDS] */
    uint64_t (*clusters)(const void *self);      /* left; NULL if the engine has no merges */
    /* Sets the numbers of a frame. time: between the last event and the next. */
    void (*fill_frame)(void *self, double time, carom_frame *frame);
    /* Fills columns (FRAME_) of the same frame in the same state, without a change of anything else. NULL: fill_frame
     * fills them all. */
    void (*fill_columns)(void *self, unsigned columns, carom_frame *frame);
    bool (*fills_parts)(const void *self); /* whether `frame` may be a part (frame.first); NULL: no */
    carom_status (*save)(void *self, snapshot *out, error *e);
    carom_status (*load)(void *self, const snapshot *in, error *e); /* into a state created from the same scene */
    void (*destroy)(void *self);
    carom_status (*add_potential)(void *self, const carom_potential *p,
                                  error *e); /* NULL if the engine has no forces */
    /* Changes of the state between two calls of `advance`, at a time between the last event and the next, without a
     * change of time, counters and tallies. CAROM_USAGE: refused, with the state as before. Each may be NULL: not
     * possible (`record`: not necessary; `adopt`: a saved state is loaded instead).
     *
     * Sets velocities: [count][dimension], true units, of the particles with these numbers in frames. */
    carom_status (*set_velocities)(void *self, double time, size_t count, const uint32_t *particles,
                                   const double *velocities, error *e);
    /* Takes over the state of `before`, another kernel of the same variant, into one that has just been created from
     * another scene or from other particles. from[i]: number in `before` of particle i, UINT32_MAX for a new one; NULL:
     * the same particles. `before` is to be destroyed after success. */
    carom_status (*adopt)(void *self, void *before, double time, const uint32_t *from, error *e);
    /* Particles that enter and leave (`place: {inflow: ...}`, `outflow`), at a time between the last event and the next. Both
     * add the energy that enters or leaves to *energy. NULL: not possible.
     *
     * Particle `particle`, which is absent, enters at this position if it touches no other body there; a clump, given by its first
     * sphere, with its centre of mass there. */
    carom_status (*enter)(void *self, double time, uint32_t particle, const double position[3], bool *entered,
                          double *energy, error *e);
    /* The particles leave, which are present, and neither driven nor linked; clumps with all their spheres. */
    carom_status (*leave)(void *self, double time, size_t count, const uint32_t *particles, double *energy, error *e);
    /* Begins to record tallies (TALLY_ flags) that were not requested at creation. */
    carom_status (*record)(void *self, double time, unsigned tallies, error *e);
    /* Appends the events of later calls of `advance` to a log, which must stay valid; NULL: ceases to. The motion does
     * not depend on it. NULL if the engine records no events. */
    carom_status (*log_events)(void *self, event_log *log, error *e);
    /* The contact log, if TALLY_CONTACTS is requested; the caller empties it. `lasting`: with the impulses so far of contacts
     * that last, at `time`. Neither affects the motion. NULL if the engine has none. */
    contact_log *(*take_contacts)(void *self, double time, bool lasting);
    /* The time steps of a run, and the elements that determine them; NULL if there are none. */
    carom_status (*steps)(const scene *s, const initial_state *state, engine_steps *out, error *e);
    /* On ranks other than 0: carries out what the calls of rank 0 require, until rank 0 destroys its kernel. NULL: the
     * engine runs on one rank only. */
    carom_status (*follow)(void *self, error *e);
    bool (*domains)(const void *self, engine_domains *out); /* false: the run has none; NULL: the same */
} engine_kernel;

/* Fills a frame without a source. */
static inline void engine_fill_frame(const engine_kernel *kernel, void *self, double time, unsigned columns,
                                     carom_frame *frame)
{
    kernel->fill_frame(self, time, frame);
    if (kernel->fill_columns != NULL) kernel->fill_columns(self, columns, frame);
}

typedef struct engine {
    const char *summary;            /* one line */
    const char *single;             /* name of a single step of the live page: the smallest advance */
    const char *starter;            /* the scene of `carom init` for the engine (sim/starters); NULL: none */
    unsigned features;              /* ENGINE_ flags (scene/settings.h): scene features that the engine supports */
    bool merges;                    /* particles into clusters: frames contain the cluster of each particle */
    bool lasting;                   /* recorded impacts have a duration */
    const settings_table *settings; /* its name is that of the engine */
    /* Checks beyond the settings tables: settings that require each other, and unsupported combinations. */
    carom_status (*check)(const scene *s, error *e);
    /* The same for the initial state of the scene. */
    carom_status (*check_state)(const scene *s, const initial_state *state, error *e);
    /* Errors of a state that are found only when the kernel is created: a run reports them then, and `carom check`
     * calls this function. NULL: none. */
    carom_status (*try_state)(const scene *s, const initial_state *state, error *e);
    /* Calls `say` with warnings that need no run, one line each; NULL: there are none. */
    void (*foresee)(const scene *s, const initial_state *state, void (*say)(const char *line, void *user), void *user);
    unsigned (*tallies)(const scene *s); /* TALLY_ flags that observables may use */
    bool (*accounts)(const scene *s);    /* whether it has an energy balance; NULL: never */
    bool (*shrinks)(const scene *s);     /* whether the box shrinks during the run; NULL: never */
    bool (*links)(const scene *s);       /* whether results contain connections, drives and external forces, also of
                                          * scenes without meshes and bonds; NULL: no */
    /* Allocates the optional arrays of a frame that the engine fills (frame/channels.h); NULL: none. */
    carom_status (*add_arrays)(const scene *s, carom_frame *f, error *e);
    /* Number of threads, at most `cores`, with which a run from this state is faster than with fewer; NULL: one. */
    int (*threads)(const scene *s, const initial_state *state, int cores);
    const engine_kernel *(*kernel)(const scene *s); /* the kernel for a checked scene */
} engine;

/* Each engine of CAROM_ENGINES is in the folder of src/ with its name, and its struct is engine_<name>. */
#define DECLARE_ENGINE(name) extern const engine engine_##name;
CAROM_ENGINES(DECLARE_ENGINE)
#undef DECLARE_ENGINE

#endif
