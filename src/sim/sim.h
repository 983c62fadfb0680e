/* A simulation: the engine, its observers, and its files. */
#ifndef CAROM_SIM_SIM_H
#define CAROM_SIM_SIM_H

#include <stdatomic.h>
#include <time.h>

#include "frame/event_log.h"
#include "output/results/checkpoint.h"
#include "output/results/result.h"
#include "sim/guard.h"
#include "sim/scene_api.h"

/* Runs of more steps or samples than this do not end in practice. */
#define MOST_STEPS 1e15

/* Times of samples or frames: multiples of a time, or of a count of events or collisions. */
typedef struct rhythm {
    double every, start; /* time; 0: not by time */
    uint64_t every_events, every_collisions;
    uint64_t done; /* number of times so far */
} rhythm;

/* One entry of `observe`. */
typedef struct observer {
    const scene_observe *entry;
    const observable *kind;
    void *self;
    rhythm rhythm;
    bool begun;       /* observation has begun (start) */
    double last_time; /* of the last sample */
} observer;

typedef struct own_potential own_potential;

/* Where a run ends: the limits of the scene, or of a call of carom_sim_run_to. Infinite, or UINT64_MAX: no limit. */
typedef struct run_until {
    double time, wall; /* wall: reading of clock_wall */
    uint64_t events, collisions;
    uint64_t clusters; /* 1: with one cluster no further event is possible */
    double pressure;   /* 0: no limit */
    bool rest;         /* the condition of the scene (rest.c) ends the run */
    bool coasts;       /* without further events, the bodies move freely until `time`; otherwise the run ends */
} run_until;

/* Changes of the state from outside: edit.c, change.c. */
typedef struct sim_changes {
    uint32_t *ids; /* [particles], ascending; NULL: particles have never been added or removed, and ids are numbers */
    uint32_t next_id;
    double supplied;        /* energy that the changes have added */
    const scene *of_engine; /* scene to which the engine refers */
    scene *last;    /* scene read for the last change, that of the simulation; NULL: it has that of its creation */
    scene *earlier; /* scene read for an earlier change, if the engine refers to it; else NULL */
} sim_changes;

/* Recordings of events. */
typedef struct recordings {
    event_log log; /* events of the last slice that at least one of them chooses */
    carom_recording *first;
    carom_event *chosen; /* [log.capacity] those of one recording */
    size_t room;         /* number of events that fit into `chosen` */
} recordings;

struct carom_sim {
    guard guard;
    bool between; /* within `progress`, between two stretches: carom_sim_frame is permitted */
    const scene *scene;
    const engine *engine;
    const engine_kernel *kernel;
    void *gas; /* state of the kernel */
    initial_state state;
    carom_options options;
    error message;
    carom_frame frame; /* state at frame.time: read columns after frame_need */
    frame_source source;
    bool given;                 /* carom_sim_frame has been called: its frame is complete after each part of the run */
    struct taken_frames *taken; /* by carom_sim_take; NULL: none yet */
    uint64_t edition;           /* number of changes of the bodies */
    size_t vertices;            /* of meshes, among the points */
    carom_frame compact;        /* without absent particles, for observers */
    observer *observers;
    size_t observer_count;
    struct charts *charts; /* of the observers; NULL without a live page */
    rhythm frames;
    own_potential *own; /* user-defined potentials, the newest first */
    recordings recordings;
    struct flows *flows; /* NULL: the number of particles is constant */
    struct rest *rest;   /* NULL: the scene has no `run.until.rest` */
    result_links links;  /* springs, segments, bodies, ... in engines with forces */
    result *result;      /* NULL: no result file */
    unsigned tallies;    /* that the engine records (TALLY_ flags) */
    engine_workers workers;
    bool follows; /* a rank other than 0: has the engine alone */
    sim_changes changes;
    carom_observable shown; /* of carom_sim_observable */
    uint64_t *inputs;       /* digests of the input files of the scene */
    size_t input_count;
    double time;          /* reached: of the last event or sample */
    double last_frame;    /* time of the last frame written */
    bool begun, finished; /* the run has started; the run is complete */
    double initial_energy;
    run_until planned, until;              /* the limits of the scene; those of the present call */
    carom_stop stop, reached;              /* reached: in the last call of carom_sim_run_to */
    double setup_s, cpu_s, wall_s;         /* of set-up, and of the run so far */
    double earlier_cpu_s, earlier_wall_s;  /* of the runs before a resume, and of earlier calls */
    uint64_t earlier_events;               /* at the start of this run, for the rate */
    double last_checkpoint, last_progress; /* wall clock */
    double checkpoint_time;                /* simulated time of the last one */
    double began_wall, began_cpu;
    uint64_t slice; /* elementary operations of the next stretch */
    atomic_int stop_requested, checkpoint_requested;
};

/* ---- summary.c ---- */

char *summary_text(carom_sim *sim); /* NULL without memory */

/* ---- rhythm.c ---- */

double rhythm_time(const rhythm *r); /* next; infinity: not by time */
bool rhythm_due(const rhythm *r, double time, const uint64_t events[EVENT_KINDS]);
uint64_t rhythm_events(const rhythm *r); /* next count; UINT64_MAX: not by that */
uint64_t rhythm_collisions(const rhythm *r);
void rhythm_pass(rhythm *r, double time,
                 const uint64_t events[EVENT_KINDS]); /* advances beyond all times that are due */
void rhythm_skip(rhythm *r, double time,
                 const uint64_t events[EVENT_KINDS]); /* the same, independent of the count so far */

/* ---- observe.c ---- */

/* Adapts the settings of observable k to the run of the scene. */
carom_status observer_plan(const scene *s, size_t k, const engine *used, error *e);
/* Checks that all observers of a scene accept this first frame, and determines their initial memory. */
carom_status observers_try(const scene *s, const carom_frame *first, size_t *bytes, error *e);
carom_status observers_create(carom_sim *sim);
void observers_destroy(carom_sim *sim);
carom_status observers_sample_due(carom_sim *sim, double time);
carom_status observers_gather(carom_sim *sim); /* passes the contacts of the last slice on */
carom_status observers_renew(carom_sim *sim, size_t count, const uint32_t *points); /* have entered, or are to leave */
carom_status observers_finish(carom_sim *sim);                                      /* last sample of the final state */
carom_status observers_store(carom_sim *sim); /* writes all their results to the result file */

/* Makes the observers of entries of `observe` that have been added to the scene; they begin with the present state. */
carom_status observers_add(carom_sim *sim);

/* ---- sim.c ---- */

/* carom_sim_new, in a saved state unless `saved` is NULL; path: its file, for messages. */
carom_status sim_create(carom_sim **out, const carom_scene *loaded, const carom_options *options,
                        const checkpoint *saved, const char *path);

/* Number in frames of the particle or vertex with this id; `frame.count` or more: there is none. */
size_t sim_number_of(const carom_sim *sim, size_t id);

/* Index of a species of the scene by name; UINT32_MAX: there is none. */
uint32_t sim_species_of(const carom_sim *sim, const char *name);

/* Tallies that the observables of a scene require. */
unsigned sim_tallies(const scene *s);

/* ---- population.c: states whose particles are not those of the scene ---- */

/* The present particles, and room for `more` of them at their end, as an initial state of a scene; meshes and drives
 * are those of the scene. */
carom_status population_state(const carom_sim *sim, const scene *s, size_t more, initial_state *out, error *e);

/* In saved states, if particles have been added or removed. */
carom_status population_save(const carom_sim *sim, snapshot *out, error *e);
carom_status population_load(carom_sim *sim, const snapshot *in, initial_state *out, error *e); /* count 0: none */

/* Moves the particles from number `first` on into periodic boxes. CAROM_BAD_DATA: their faults (magnitudes, outside the
 * box, overlaps). */
carom_status population_place(const carom_sim *sim, initial_state *state, size_t first, error *e);

/* ---- flows.c: particles that enter and leave ---- */

carom_status flows_create(carom_sim *sim); /* from the initial state */
carom_status flows_check(carom_sim *sim);  /* of rates and intervals, once the steps are known */
void flows_destroy(carom_sim *sim);
double flows_time(const carom_sim *sim);             /* at which the next ones may enter or leave; infinite: none */
bool flows_go_on(const carom_sim *sim);              /* whether events may follow, though the engine has none */
carom_status flows_pass(carom_sim *sim);             /* those that are due */
const frame_flow *flows_total(const carom_sim *sim); /* NULL: there are none */
void flows_warn_of_waits(const carom_sim *sim);      /* of regions that were occupied */
void flows_warn_of_starts(const carom_sim *sim);     /* of those that the run has not reached */
/* A particle, or the spheres of a clump: vectors from the centre of its mass, at the start, and radii. */
typedef struct flows_item {
    size_t count;
    const double (*arm)[3];
    const double *radius;
} flows_item;
void flows_arm(const scene *s, const initial_state *state, const state_body *clump, size_t n, double arm[3]);
/* A random place of the region of an inflow, between the walls of the box, for the centre of an item, with the number of its first
 * particle; false if not all of it is inside of the region. */
bool flows_place(const scene *s, const double box[3], size_t entry, uint64_t particle, const flows_item *item,
                 uint64_t draw, double r[3]);
/* By the position of a particle, or by the centre of the mass of a clump. */
bool flows_leaves(const scene *s, const double box[3], const scene_outflow *o, const double position[3]);
carom_status flows_save(const carom_sim *sim, snapshot *out, error *e);
carom_status flows_load(carom_sim *sim, const snapshot *in);

/* ---- rest.c: the end of a run whose system is at rest ---- */

carom_status rest_create(carom_sim *sim, const scene *s, const initial_state *state); /* again for another scene */
carom_status rest_check(carom_sim *sim); /* of the interval, once the steps are known */
void rest_destroy(carom_sim *sim);
double rest_time(const carom_sim *sim);     /* of the next check; infinite: none */
carom_status rest_pass(carom_sim *sim);     /* the check that is due */
bool rest_holds(const carom_sim *sim);      /* the system is at rest */
bool rest_may_follow(const carom_sim *sim); /* whether it may be later, without further events */
void rest_again(carom_sim *sim);            /* after a change of the state: earlier checks do not count */
void rest_warn(carom_sim *sim);             /* of a run that has ended without */
carom_status rest_save(const carom_sim *sim, snapshot *out, error *e);
carom_status rest_load(carom_sim *sim, const snapshot *in); /* at sim->time */

/* ---- change.c: the scene of a simulation that has begun ---- */

/* Reads the scene again: `text` (NULL: its resolved text) with an override (NULL: none). */
carom_status change_read(const scene *s, const char *name, const char *text, const char *set, scene **out, error *e);
/* Makes it the scene of the simulation, which owns it from then on. The observers keep their entries by number. The
 * engine refers to the scene before. */
void change_scene(carom_sim *sim, scene *fresh);
/* Another engine, which refers to the present scene, has replaced the one before. */
void change_engine(carom_sim *sim, void *gas);
void change_destroy(carom_sim *sim);

/* ---- edit.c ---- */

/* Whether changes are possible now; particles: also of their number. */
carom_status edit_ranks(carom_sim *sim, const char *what); /* refuses it in a run on several ranks */
carom_status edit_check(carom_sim *sim, const char *what, bool structure);
/* The energy balance before a change, and its entry afterwards. */
double edit_begin(carom_sim *sim);
carom_status edit_end(carom_sim *sim, double before);

/* ---- files.c: the result file and the checkpoint ---- */

/* The state of a simulation in a snapshot, with its observers. */
carom_status files_save_state(const carom_sim *sim, snapshot *out, error *e);
carom_status files_load_state(carom_sim *sim, const snapshot *in);
/* Whether the checkpoint is of the same scene, and of this build. `verb`: "resume from", for messages. */
carom_status files_check_same(const carom_sim *sim, const checkpoint *c, const char *path, const char *verb, error *e);
/* Ends with the reason NONE unless a limit of the scene is reached. */
bool files_has_ended(carom_sim *sim);
carom_status files_create_again(carom_sim *sim); /* before the first frame: with other observers */

carom_status files_look(carom_sim *sim); /* errors that are reported before the set-up */
carom_status files_create(carom_sim *sim);
carom_status files_resume(carom_sim *sim);
carom_status files_frame(carom_sim *sim);
carom_status files_checkpoint(carom_sim *sim);
carom_status files_finish(carom_sim *sim);
carom_status files_tidy(carom_sim *sim); /* the checkpoint of a finished run goes into its result */

/* ---- inputs.c: the files that the scene names ---- */

carom_status inputs_create(carom_sim *sim);
carom_status inputs_save(const carom_sim *sim, snapshot *out, error *e);
carom_status inputs_check(carom_sim *sim,
                          const snapshot *in); /* checks that they have not changed since the run began */

uint64_t inputs_hash(const scene *s); /* of all together; 0: there are none, or one cannot be read */

/* ---- ranks.c: runs on several ranks ---- */

/* Sets the transport to the other ranks, if there are any and the options ask for it. */
carom_status ranks_join(carom_sim *sim, bool saved);
/* Refuses ranks that differ in their program, scene or options. */
carom_status ranks_agree(carom_sim *sim);
carom_status ranks_check_engine(carom_sim *sim);
/* The run of a rank other than 0. */
carom_status ranks_follow(carom_sim *sim);
/* After a failure of this rank: ends the run of the others, and adds the checkpoint to the message. */
void ranks_fail(carom_sim *sim, carom_status status);

/* ---- callbacks.c: user-defined potentials ---- */

/* Adds the potentials of the simulation to another kernel. */
carom_status callbacks_move(carom_sim *sim, void *gas);

carom_status callbacks_check(carom_sim *sim); /* checks that all have returned finite numbers */
void callbacks_destroy(carom_sim *sim);

/* ---- record.c: recordings of events ---- */

carom_status recordings_check(carom_sim *sim);  /* whether that is possible, before there is a file */
carom_status recordings_create(carom_sim *sim); /* the one for the result file, if the scene requests it */
carom_status recordings_renew(carom_sim *sim);  /* after a change of the engine or of the particles */
carom_status recordings_pass(carom_sim *sim);   /* passes the events of the last slice on */
void recordings_destroy(carom_sim *sim);

/* ---- clock.c ---- */

double clock_wall(void);
double clock_cpu(void);
void report_progress(carom_sim *sim, bool always);
void report_placement(carom_sim *sim, double fraction);
void report_compression(carom_sim *sim, double factor);
void warn(const carom_sim *sim, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- run.c */

/* Largest number of elementary operations between two readings of the clock; reduced to those that take `seconds`. */
enum { RUN_SLICE = 20000 };
#define RUN_SECONDS 0.05

/* The end of a stretch of a run, unless the run ends earlier. */
typedef struct run_reach {
    double time;
    uint64_t events;     /* since the start */
    uint64_t collisions; /* since the start; 0: no end */
    double seconds;      /* of wall time, approximately */
} run_reach;

carom_status run_begin(carom_sim *sim);
carom_status run_status_of(carom_stop stop); /* CAROM_DYNAMICS, CAROM_EARLY or CAROM_OK */
/* Runs to the end of the stretch, or one slice; sim->stop must be CAROM_STOP_NONE. */
carom_status run_stretch(carom_sim *sim, const run_reach *reach);
carom_status run_finish(carom_sim *sim); /* last samples, files; the status of the end */

/* A part of a run (carom_sim_run_to): wrong calls; its begin, with its own limits or those of the scene (NULL); its end,
 * after which the run can go on. */
carom_status run_part_check(carom_sim *sim, const carom_limits *limits);
carom_status run_part_begin(carom_sim *sim, const carom_limits *limits);
carom_status run_part_end(carom_sim *sim, const carom_limits *limits, carom_status status);

/* ---- frames.c ---- */

/* Creates a frame with the arrays that the engine fills. */
carom_status sim_frame_create(const carom_sim *sim, carom_frame *f, error *e);

/* Makes the frame of the simulation, and its links, for the engine of a state. */
carom_status sim_make_frame(carom_sim *sim, const initial_state *state);

/* Sets sim->frame to the state at a time: that of the engine, with ids and energies of changes from outside. */
void look(carom_sim *sim, double time);
/* Fills all columns of the frame, if carom_sim_frame has given it to the caller. */
carom_status complete_given(carom_sim *sim);

/* Before each change of the state of the engine: completes the frames that have been taken. Columns of the frame of the
 * simulation are invalid, except those of `keep`. */
void frames_leave_state(carom_sim *sim, unsigned keep);

/* Returns the memory of the columns of the frame of the simulation, if they are large. */
void frames_release(carom_sim *sim);

/* Before the end of the engine. Frames that have been taken remain. */
void frames_end(carom_sim *sim);

/* ---- sim.c ---- */

/* The limits of the scene. */
run_until until_of_scene(const scene *s);
double until_time(const scene *s); /* infinite if not given */

/* The limit that the run has reached; CAROM_STOP_NONE: none. */
carom_stop limit_met(const carom_sim *sim);

#endif
