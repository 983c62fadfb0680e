/* carom: event-driven contact dynamics.
 *
 * This is the complete public interface. A carom_scene holds a checked scene (YAML), a carom_sim runs it, a
 * carom_frame is the state at one time. Lengths, masses and times are in the units of the scene.
 *
 *     carom_scene *scene = carom_scene_new();
 *     carom_sim *sim = NULL;
 *     if (carom_scene_load(scene, "gas.yaml") == CAROM_OK && carom_sim_new(&sim, scene, NULL) == CAROM_OK)
 *         carom_sim_run(sim);
 *
 * Errors: each call that can fail returns a carom_status. The text for the user, with the remedy, is the message of
 * the object (carom_scene_message, carom_sim_message, ...). The library never prints and never exits. Each call can
 * return CAROM_INTERNAL when there is no memory, and CAROM_USAGE for wrong arguments; the comments below name the
 * other values.
 *
 * Threads: one thread uses an object at a time; different objects are independent. The calls named *_request_* may
 * come from any thread or signal handler. Callbacks are called in the thread of the call that causes them.
 *
 * Memory: an object from carom_X_new or carom_X_open is freed with carom_X_free, which accepts NULL. Text of type
 * `char *` is freed with carom_free. Text of type `const char *` belongs to its object; it is valid until the next
 * call that changes the object.
 *
 * Wrong calls are safe: NULL for an object or a required argument, an object whose creation or loading failed, an
 * index that does not exist, a number out of range. Such a call returns a status (with a message on the object, if
 * there is one), or NULL, 0, "" or false, and has no other effect. Arrays must have the length of their count, and
 * text must end in a zero byte. A simulation that ended by an error of memory, files or a callback returns that error
 * again. Within a callback, the calls carom_sim_request_stop, carom_sim_request_checkpoint, carom_sim_message and
 * carom_sim_stop on its simulation are permitted; carom_sim_free has no effect, and other calls return CAROM_USAGE or
 * NULL. A callback `progress` may also call carom_sim_frame and carom_sim_take. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined _WIN32
/* Marks a function of the public interface. */
#define CAROM_API
#else
/* Marks a function of the public interface; the shared library exports these functions and no others. */
#define CAROM_API __attribute__((visibility("default")))
#endif

/* Result of a call. The values are the exit codes of the command `carom` (those of sysexits.h where one applies). */
typedef enum carom_status {
    CAROM_OK = 0,         /* success */
    CAROM_USAGE = 64,     /* wrong call: unknown option, value out of range */
    CAROM_BAD_DATA = 65,  /* scene or data file with errors */
    CAROM_NO_INPUT = 66,  /* file that does not exist or cannot be opened for reading */
    CAROM_INTERNAL = 70,  /* no memory, or an error in carom */
    CAROM_NO_CREATE = 73, /* output that cannot be created, or that exists */
    CAROM_IO = 74,        /* read or write that failed */
    CAROM_EARLY = 75,     /* run stopped by request; its checkpoint allows it to be resumed */
    CAROM_DYNAMICS = 76,  /* run ended by the dynamics: collapse, no_progress, squeezed, stretched */
    CAROM_VIOLATION = 77  /* carom_file_verify found a violation */
} carom_status;

/* Why a run ended. carom_stop_name gives the word used in files and JSON; docs/manual.md explains each. */
typedef enum carom_stop {
    CAROM_STOP_NONE = 0,    /* the run has not ended */
    CAROM_STOP_TIME,        /* limit run.until.time */
    CAROM_STOP_EVENTS,      /* limit run.until.events */
    CAROM_STOP_COLLISIONS,  /* limit run.until.collisions */
    CAROM_STOP_CLUSTERS,    /* limit run.until.clusters, or one cluster left */
    CAROM_STOP_PRESSURE,    /* limit run.until.pressure */
    CAROM_STOP_WALL_TIME,   /* limit run.until.wall_time */
    CAROM_STOP_NO_EVENTS,   /* no further event is possible */
    CAROM_STOP_NO_PROGRESS, /* simulated time hardly advances, or no further merge is to be expected */
    CAROM_STOP_COLLAPSE,    /* inelastic collapse (McNamara, Young 1992) */
    CAROM_STOP_SQUEEZED,    /* `variational`: a pair is compressed until no time step is short enough */
    CAROM_STOP_STRETCHED,   /* `variational`: the nearest image of the ends of a segment is ambiguous */
    CAROM_STOP_SIGNAL,      /* carom_sim_request_stop or carom_view_request_stop */
    CAROM_STOP_REST         /* limit run.until.rest */
} carom_stop;

/* Limits of the interface. */
enum {
    CAROM_THREADS_MOST = 1024,   /* largest number of threads of one simulation */
    CAROM_THREADS_AUTOMATIC = -1 /* as many, up to the number of cores, as shorten the run; one on ranks */
};

/* A scene: overrides, the checked scene, a message. */
typedef struct carom_scene carom_scene;
/* A simulation of a scene: state, observables, result file. */
typedef struct carom_sim carom_sim;
/* The state of a simulation at one time. */
typedef struct carom_frame carom_frame;

/* The engines, as the key `engine` of a scene names them: each(hard) each(aggregation) ... */
#define CAROM_ENGINES(each) each(hard) each(aggregation) each(variational)

/* Version, as "0.1.0". Static text. */
CAROM_API const char *carom_version(void);
/* Commit of the build; "unknown" for a build outside a checkout. Static text. */
CAROM_API const char *carom_commit(void);
/* Word for a reason ("time", "collapse", ...); "unknown" for other values. Static text. */
CAROM_API const char *carom_stop_name(carom_stop stop);

/* Frees text that a call returned as `char *`. NULL is allowed. */
CAROM_API void carom_free(void *text);

/* ---- Scenes ---------------------------------------------------------------------------------------------------- */

/* Creates an empty scene. NULL when there is no memory. */
CAROM_API carom_scene *carom_scene_new(void);
/* Frees a scene. Simulations of it must be freed first. NULL is allowed. */
CAROM_API void carom_scene_free(carom_scene *scene);

/* Overrides one key of the scenes that are loaded afterwards: "run.until.time=10"; items of lists by index:
 * "particles.0.count=5". The key is checked at loading. */
CAROM_API carom_status carom_scene_set(carom_scene *scene, const char *key_equals_value);

/* Removes one key from the scenes that are loaded afterwards, after the overrides before and before those that
 * follow. */
CAROM_API carom_status carom_scene_unset(carom_scene *scene, const char *key);

/* Permits scenes without `run.until` in the loads that follow: the calls that run a simulation then give the limits. */
CAROM_API carom_status carom_scene_allow_endless(carom_scene *scene);

/* Sets the folder of the files that the texts of carom_scene_load_text name; NULL: the working directory. */
CAROM_API carom_status carom_scene_set_folder(carom_scene *scene, const char *folder);

/* Particles in arrays. Arrays other than `positions` may be NULL: the scene determines these quantities. */
typedef struct carom_point_arrays {
    size_t count;                     /* number of particles */
    int dimension;                    /* components of a vector: 2 or 3 */
    const double *positions;          /* [count][dimension] */
    const double *velocities;         /* [count][dimension] */
    const double *radii;              /* [count] */
    const double *masses;             /* [count] */
    const double *angular_velocities; /* [count][3], in two dimensions [count] */
    const double *orientations;       /* [count][dimension]: axes of bodies that are not spheres, of any length but 0 */
    const uint32_t *species; /* [count]: indices of species_names, or without these of the species of the scene */
    const char *const *species_names; /* [species_count] */
    size_t species_count;             /* number of species_names */
} carom_point_arrays;

/* Gives the scenes that are loaded afterwards particles under a name: `place: {array: NAME}`. The arrays are copied. A
 * run that resumes needs equal arrays. CAROM_USAGE: a name that is not a letter followed by letters, digits, '_' and
 * '-'; no positions. The numbers are checked with the scene. */
CAROM_API carom_status carom_scene_set_points(carom_scene *scene, const char *name, const carom_point_arrays *arrays);

/* A triangle mesh in arrays. */
typedef struct carom_mesh_arrays {
    const double *vertices;    /* [vertex_count][3] */
    size_t vertex_count;       /* number of vertices */
    const uint32_t *triangles; /* [triangle_count][3]: vertices, counterclockwise seen from outside */
    size_t triangle_count;     /* number of triangles */
} carom_mesh_arrays;

/* The same for a mesh: `meshes: [{name: ..., array: NAME, ...}]`. */
CAROM_API carom_status carom_scene_set_mesh(carom_scene *scene, const char *name, const carom_mesh_arrays *arrays);

/* Sets *json to the scene of a text as written, with the overrides, as JSON: maps, lists, text, true and false, numbers,
 * and null for absent values. Keys and values are not checked. The caller frees it. CAROM_BAD_DATA: not YAML of the
 * scene language. CAROM_USAGE (an override with an error). */
CAROM_API carom_status carom_scene_tree(carom_scene *scene, const char *name, const char *text, size_t length,
                                        char **json);

/* Reads and checks a scene file; the message lists all errors. CAROM_BAD_DATA, CAROM_NO_INPUT, CAROM_USAGE (an override
 * with an error). Simulations of the scene loaded before must be freed first. */
CAROM_API carom_status carom_scene_load(carom_scene *scene, const char *path);
/* Like carom_scene_load, for `length` bytes of text in memory. `name` stands for the file in messages. */
CAROM_API carom_status carom_scene_load_text(carom_scene *scene, const char *name, const char *text, size_t length);

/* Message of the last call: for each error a line `file:line:col: error: ...` with the line of the scene and a caret.
 * "" after success; after carom_scene_check one line for each repair of a mesh (`repair`) and for each warning. */
CAROM_API const char *carom_scene_message(const carom_scene *scene);

/* One fault of a scene, or of a file that it names. The message of the object prints it as
 * "FILE:LINE:COLUMN: error: MESSAGE". */
typedef struct carom_fault {
    const char *file;    /* the scene or the file with the fault; "--set KEY=VALUE" or "--unset KEY"; "": unknown */
    uint32_t line;       /* from 1; 0: unknown */
    uint32_t column;     /* in characters, from 1; 0: unknown */
    const char *key;     /* path of the key, as "particles.0.count"; "": the scene as a whole, or unknown */
    const char *message; /* what is wrong, and the remedy */
    const char *hint;    /* the last part of the message, if this is a remedy of its own; otherwise "" */
} carom_fault;

/* Number of faults of the last call. Errors without a place (memory, wrong arguments) are in the message only. */
CAROM_API size_t carom_scene_fault_count(const carom_scene *scene);
/* Fault number n, in the order of the message, which leaves out some if there are more than 50; NULL beyond the last.
 * Valid until the next call that changes the scene. */
CAROM_API const carom_fault *carom_scene_fault(const carom_scene *scene, size_t n);

/* The loaded scene as YAML with all defaults. NULL before a successful load. */
CAROM_API const char *carom_scene_resolved(const carom_scene *scene);

/* Name of species number n of the loaded scene; frames contain these numbers. NULL beyond the last. */
CAROM_API const char *carom_scene_species(const carom_scene *scene, size_t n);

/* Limits of a run, or of a part of it. 0: no limit. */
typedef struct carom_limits {
    double time;         /* simulated time: all events up to and including it take place */
    uint64_t events;     /* number of physical events since the start of the run */
    uint64_t collisions; /* number of collisions between particles since the start of the run */
    double wall_s;       /* duration in seconds, of the run or of the call */
} carom_limits;

/* Sets *limits to the limits of the loaded scene (run.until). CAROM_USAGE without a loaded scene. */
CAROM_API carom_status carom_scene_limits(const carom_scene *scene, carom_limits *limits);

/* Whether the scene reads the file `path` (particles or a mesh). An output must not replace such a file. */
CAROM_API bool carom_scene_reads(const carom_scene *scene, const char *path);

/* Size and memory of a run. */
typedef struct carom_estimate {
    int dimension;           /* 2 or 3 */
    uint64_t particles;      /* without vertices of meshes */
    uint64_t vertices;       /* of the meshes that are part of the state */
    double packing_fraction; /* volume of the particles and of the bodies of meshes over that of the box */
    double box[3];           /* sides; the first `dimension` are set */
    uint64_t memory_bytes;   /* of the run, about */
    uint64_t frame_bytes;    /* of one frame in the result file, before compression */
    uint64_t frames;         /* number of frames; 0: unknown before the run */
} carom_estimate;
/* Draws the initial state of the loaded scene and estimates the run. Detects overlaps and particles outside the box
 * (a state that needs compression is not compressed). CAROM_BAD_DATA, CAROM_NO_INPUT (a file that
 * the scene names). */
CAROM_API carom_status carom_scene_check(carom_scene *scene, carom_estimate *estimate);

/* A time step of a run, for one kind of element, and the element that determines it. The engine `hard` and the
 * event-driven methods of `aggregation` have none. */
typedef struct carom_step {
    char kind[24];         /* "layers", "springs", "stretch", ...: docs/variational.md */
    double step;           /* shortest step of this kind, at the start */
    double bound;          /* stability bound of the step; 0: this kind has none */
    uint64_t elements;     /* number of elements of this kind */
    char element[200];     /* "triangle 17 (vertices 3, 4, 9) of mesh 'cloth'"; "": no single element determines it */
    uint32_t particles[4]; /* the particles or vertices of that element, by number */
    int particle_count;    /* number of entries of `particles` */
    double position[3];    /* mean of their positions at the start; NaN: unknown before compression or entry */
    uint64_t outliers;     /* number of elements that together cost ten times all the others or more; 0: none */
    double excess;         /* their cost divided by that of the others; 0: no outliers */
    char warning[400];     /* sentence on the outliers, with the remedy; "": no outliers */
    char source[200];      /* of `layers`: the stiffness and the rule that has chosen it; "": other kinds */
} carom_step;

/* Step number n of the last successful carom_scene_check; NULL beyond the last. Valid until the next check or load, or
 * until the scene is freed. */
CAROM_API const carom_step *carom_scene_step(const carom_scene *scene, size_t n);

/* Cost of a run, measured or extrapolated from a trial. Input of carom_scene_report. */
typedef struct carom_cost {
    double events;       /* number of events of the run; negative: unknown */
    double wall_s;       /* duration of the run in seconds; negative: unknown */
    double events_per_s; /* events per second in the trial */
    double trial_time;   /* simulated time that the trial reached */
    double trial_s;      /* duration of the trial in seconds */
    bool whole;          /* the trial reached the end of the run */
    bool fails;          /* the dynamics ended the trial (CAROM_DYNAMICS), and will end the run */
} carom_cost;

/* Sets *json to the results of the last carom_scene_check as one JSON object (docs/formats.md). cost may be NULL: no
 * trial. The caller frees *json. CAROM_USAGE without a successful check. */
CAROM_API carom_status carom_scene_report(carom_scene *scene, const carom_cost *cost, char **json);

/* ---- Simulations ----------------------------------------------------------------------------------------------- */

/* Progress of a placement, a compression, a run or a verification. Counts are totals since the start of the run. */
typedef struct carom_progress {
    double time;               /* simulated time */
    double until_time;         /* limit; 0: none */
    uint64_t collisions;       /* between particles */
    uint64_t until_collisions; /* limit; 0: none */
    uint64_t events;           /* physical events */
    uint64_t until_events;     /* limit; 0: none */
    uint64_t merges;           /* of clusters */
    double fraction;           /* part done, in [0, 1], by the limit that is nearest; negative: unknown */
    double events_per_s;       /* events per second since the start or resume */
    double wall_s;             /* duration so far, in seconds */
    double left_s;             /* estimated remaining duration, in seconds; negative: unknown */
    const char *phase;         /* "place", "compress", "run", "verify" */
    double packing_fraction;   /* phase "compress": present packing fraction */
} carom_progress;
/* Number of cores that this process may use, within the limits of a batch system or a container. At least 1. */
CAROM_API int carom_cores(void);

/* Receives the progress a few times a second. *progress is valid during the call; user: from the options. */
typedef void (*carom_progress_callback)(const carom_progress *progress, void *user);

/* Options of a simulation. {0}: no result file, one thread, no callbacks. */
typedef struct carom_options {
    const char *output;   /* result file; must stay valid as long as the simulation; NULL: none */
    bool force;           /* replace an existing result */
    bool resume;          /* continue from the newest checkpoint of `output` */
    bool keep_checkpoint; /* keep the checkpoint file of a finished run instead of storing it in the result */
    bool ranks;           /* all processes of a launcher of MPI simulate together (carom_rank) */
    int threads;          /* number of threads, at most CAROM_THREADS_MOST, or CAROM_THREADS_AUTOMATIC; 0: one */
    carom_progress_callback progress;              /* receives the progress; may be NULL */
    void (*warning)(const char *line, void *user); /* receives warnings, one line each; may be NULL */
    void *user;                                    /* argument of the callbacks */
} carom_options;

/* Prepares a run: draws the initial state, creates engine, observables and result file, or resumes from a checkpoint.
 * options (NULL: {0}) is copied; the scene must outlive the simulation and must not be loaded again. On failure *out
 * holds the message and has to be freed; it is NULL only when there is no memory. CAROM_BAD_DATA, CAROM_NO_INPUT,
 * CAROM_NO_CREATE, CAROM_IO, CAROM_EARLY (a stop request during compression), CAROM_DYNAMICS. */
CAROM_API carom_status carom_sim_new(carom_sim **out, const carom_scene *scene, const carom_options *options);
/* Closes the result file and frees the simulation. NULL is allowed. */
CAROM_API void carom_sim_free(carom_sim *sim);

/* A user-defined potential for the engine `variational`: a spring to a point, a trap, a field. */
typedef struct carom_potential {
    /* The forces act as impulses at multiples of this time. It must be below the stability bound 2 / omega of the
     * fastest oscillation (Hairer, Lubich, Wanner 2006). */
    double step;
    const size_t *particles; /* numbers of the particles on which it acts; NULL: all, vertices of meshes included */
    size_t count;            /* number of entries of `particles` */
    /* Returns the potential energy at positions[count][dimension], which are not wrapped into periodic boxes, and sets
     * forces[count][dimension] unless forces is NULL. Numbers that are not finite, or a force that moves a particle by
     * more than 1e6 sides of the box in one step, end the run with CAROM_BAD_DATA. */
    double (*force)(void *user, double time, const double *positions, double *forces);
    void *user; /* argument of `force` */
} carom_potential;

/* The processes that a launcher of MPI (mpirun, srun) has started together are the ranks of a run: number of this
 * process among them, from 0; 0 without a launcher. With the option `ranks`, carom_sim_new loads MPI if there are
 * several. All ranks make the same calls with the same scene: carom_sim_new, carom_sim_run, carom_sim_free,
 * carom_ranks_end. Rank 0 has the result and the callbacks, and may make other calls, but for changes of the
 * simulation and observables with tallies of their own. On the others carom_sim_run returns when rank 0 has freed its
 * simulation, and all other calls fail. CAROM_USAGE from carom_sim_new: the ranks
 * differ, or the engine has one process; CAROM_IO from any call: a rank has ended. The status of a failure on one rank
 * is that of all. */
CAROM_API int carom_rank(void);
/* Their number; 1 without a launcher. */
CAROM_API int carom_ranks(void);

/* Ends the part of this process in runs on several ranks, before the process ends. status: 0, or an error before
 * carom_sim_new for which the others must not wait, with its message. It waits for the others; if one has been lost, it
 * ends the processes of all. */
CAROM_API void carom_ranks_end(int status, const char *message);

/* Adds a potential to a simulation before it runs, or after it was resumed (checkpoints do not contain potentials).
 * *potential and its list are copied. CAROM_USAGE: the engine has no forces, a particle does not exist, or the step is
 * too short (more than 1e15 steps in the run, or less than 1e-9 of the step of the engine). CAROM_BAD_DATA: the energy
 * is not finite. */
CAROM_API carom_status carom_sim_add_potential(carom_sim *sim, const carom_potential *potential);

/* Runs to the end that the scene sets, and completes the result file. CAROM_OK, CAROM_EARLY (stop request),
 * CAROM_DYNAMICS, CAROM_IO, CAROM_BAD_DATA (from a potential). CAROM_OK without effect when the run has ended. */
CAROM_API carom_status carom_sim_run(carom_sim *sim);

/* Runs up to a time (or to the end of the run, if it comes first), with all events up to and including this time.
 * Samples and frames that are due are taken. carom_sim_run continues the run and completes the result file. Status as
 * of carom_sim_run. */
CAROM_API carom_status carom_sim_advance(carom_sim *sim, double time);

/* Runs to the first of the limits. They replace those of the scene (run.until); samples and frames that are due are
 * taken. Without further events the run ends, unless a limit is a time: bodies then move freely until this time. The
 * run can go on afterwards, also after a stop request; carom_sim_run completes the result file. limits NULL: to the end
 * that the scene sets, without completing the result file. CAROM_OK: a limit is reached, or carom_sim_stop says why
 * there is nothing left to run. CAROM_EARLY: a stop request. CAROM_DYNAMICS, CAROM_IO, CAROM_BAD_DATA (from a
 * potential), CAROM_USAGE (a limit that is not a number, or negative). */
CAROM_API carom_status carom_sim_run_to(carom_sim *sim, const carom_limits *limits);

/* The same, with a pause at the first of other limits (without wall_s), if it comes before: a run in parts ends where
 * carom_sim_run_to with the same limits ends it. */
CAROM_API carom_status carom_sim_pause_at(carom_sim *sim, const carom_limits *pause, const carom_limits *limits);

/* Ends the run at the present time: last samples and frame; completes the result file. carom_sim_stop is then the limit
 * that carom_sim_run_to reached last, or CAROM_STOP_SIGNAL. The result file can be resumed. CAROM_OK without effect when
 * the run has ended. CAROM_IO, CAROM_BAD_DATA (from a potential). */
CAROM_API carom_status carom_sim_finish(carom_sim *sim);

/* Requests that the run writes a checkpoint and ends with CAROM_EARLY. Async-signal-safe, from any thread. */
CAROM_API void carom_sim_request_stop(carom_sim *sim);
/* Requests a checkpoint; the run continues. Async-signal-safe, from any thread. */
CAROM_API void carom_sim_request_checkpoint(carom_sim *sim);

/* Message of the last error, or the report of the dynamics that ended the run; "" if there is none. */
CAROM_API const char *carom_sim_message(const carom_sim *sim);
/* As carom_scene_fault_count and carom_scene_fault, of the message of a simulation. */
CAROM_API size_t carom_sim_fault_count(const carom_sim *sim);
/* Fault number n of the message; NULL beyond the last. Valid until the next call on the simulation. */
CAROM_API const carom_fault *carom_sim_fault(const carom_sim *sim, size_t n);
/* Why the run ended; CAROM_STOP_NONE while it has not ended. */
CAROM_API carom_stop carom_sim_stop(const carom_sim *sim);

/* Summary of the run as one JSON object (docs/formats.md). The caller frees it. NULL when there is no memory. */
CAROM_API char *carom_sim_summary(carom_sim *sim);

/* The present state. Valid until the simulation runs on or is freed. NULL after an error. */
CAROM_API const carom_frame *carom_sim_frame(carom_sim *sim);

/* Simulated time that the run has reached. */
CAROM_API double carom_sim_time(const carom_sim *sim);
/* Number of events of a kind since the start of the run: "collision", "wall", "merge", "force", "certificate",
 * "transfer", "rebase", or "total" (the physical ones, the first four). 0 for other words. */
CAROM_API uint64_t carom_sim_events(const carom_sim *sim, const char *kind);

/* Sets *frame to a copy of the present state, which neither the simulation nor its end changes. *frame is NULL, or an
 * earlier copy, which is overwritten: its arrays stay where they are, unless the number of particles has changed. The
 * caller frees it with carom_frame_free. After CAROM_BAD_DATA (from a potential) the numbers of an earlier copy are
 * lost; after any other failure *frame is as before. Each array is copied when it is first read; a frame that is not
 * freed before the simulation runs on is completed then. */
CAROM_API carom_status carom_sim_take(carom_sim *sim, carom_frame **frame);
/* Frees a frame from carom_sim_take; the simulation may keep the memory of one for the next. NULL is allowed. */
CAROM_API void carom_frame_free(carom_frame *frame);

/* 2 or 3. */
CAROM_API int carom_frame_dimension(const carom_frame *frame);
/* Number of points: first the particles, then the vertices of meshes. */
CAROM_API size_t carom_frame_count(const carom_frame *frame);
/* Number of particles. */
CAROM_API size_t carom_frame_particles(const carom_frame *frame);
/* Simulated time. */
CAROM_API double carom_frame_time(const carom_frame *frame);
/* Positions [count][dimension], inside the box along periodic axes. Owned by the frame. */
CAROM_API const double *carom_frame_positions(const carom_frame *frame);
/* Velocities [count][dimension], in the units of the scene. Owned by the frame. */
CAROM_API const double *carom_frame_velocities(const carom_frame *frame);
/* Radii [count]. Owned by the frame. */
CAROM_API const double *carom_frame_radii(const carom_frame *frame);
/* Boundary along an axis, from 0: "periodic", "wall" or "open"; "" for other axes. Static text. */
CAROM_API const char *carom_frame_boundary(const carom_frame *frame, int axis);
/* Hash of the exact state, which the summary prints as state_hash. */
CAROM_API uint64_t carom_frame_state_hash(const carom_frame *frame);

/* Energies and momentum of a frame, in the units of the scene. */
typedef struct carom_energy {
    double kinetic;    /* with rotation */
    double potential;  /* of gravity and of pairs */
    double stored;     /* in springs, contacts and shells, in engines with an energy balance */
    double total;      /* kinetic, potential and stored */
    double dissipated; /* since the start of the run */
    double supplied;   /* by heat baths, shear and changes of the state since the start of the run */
    double conserved; /* total and dissipated energy, less work of drives and supplied energy: constant but for drift */
    double temperature; /* 2 K / (D N) of the translation, with the motion of the centre of mass */
    double momentum[3]; /* total; the first `dimension` are set */
} carom_energy;
/* Computes the energies of a frame. CAROM_USAGE: an argument is NULL. */
CAROM_API carom_status carom_frame_energy(const carom_frame *frame, carom_energy *energy);

/* Types of the elements of arrays. */
typedef enum carom_type {
    CAROM_U8,  /* uint8_t */
    CAROM_I32, /* int32_t */
    CAROM_U32, /* uint32_t */
    CAROM_I64, /* int64_t */
    CAROM_U64, /* uint64_t */
    CAROM_F64  /* double */
} carom_type;

/* Limits of channels. */
enum {
    CAROM_CHANNEL_NUMBERS = 9 /* largest number of values of a channel without an array */
};

/* A quantity of a frame: an array with one element for each point, or a few numbers of the whole state. */
typedef struct carom_channel {
    const char *name;                       /* "position", "velocity", "kinetic", "virial", ... : docs/formats.md */
    const char *quantity;                   /* kind of its unit: "length", "energy", ...; "": a pure number */
    const void *data;                       /* elements in C order, owned by the frame; NULL: numbers */
    carom_type type;                        /* of the elements */
    int rank;                               /* number of axes; the first of an array counts the points */
    size_t shape[3];                        /* lengths of the axes */
    double numbers[CAROM_CHANNEL_NUMBERS];  /* the values, if there is no array */
    uint64_t counts[CAROM_CHANNEL_NUMBERS]; /* the same without rounding, for the type CAROM_U64 */
} carom_channel;

/* Name of channel number n of the frame; NULL beyond the last. */
CAROM_API const char *carom_frame_channel_name(const carom_frame *frame, size_t n);
/* Sets *out to a channel of a frame. Velocities are in the units of the scene. CAROM_USAGE: the frame has no channel of
 * that name. */
CAROM_API carom_status carom_frame_channel(const carom_frame *frame, const char *name, carom_channel *out);

/* ---- Observables ------------------------------------------------------------------------------------------------- */

/* Limits of the values of observables. */
enum {
    CAROM_VALUE_WIDTH = 9 /* numbers in the widest value: a tensor in 3D */
};

/* A number, vector or tensor with its standard error. NAN if undefined: a mean without samples, an error with fewer
 * than two. */
typedef struct carom_value {
    const char *name;                /* "pressure", ... */
    const char *unit;                /* in words, as "energy / volume"; "" for pure numbers */
    size_t width;                    /* numbers: 1, D, or D * D row by row */
    double mean[CAROM_VALUE_WIDTH];  /* the first `width` are set */
    double error[CAROM_VALUE_WIDTH]; /* standard error, for correlated samples (Flyvbjerg, Petersen 1989) */
    bool converged;                  /* the error is reliable: the samples exceed their correlation time */
} carom_value;

/* A column of a table. */
typedef struct carom_column {
    const char *name;   /* "time", "pressure", "r", "g", ... */
    const char *unit;   /* as of a value */
    size_t width;       /* numbers in a row: 1, D, or D * D */
    const double *data; /* [rows][width] */
} carom_column;

/* A table. Its first column is the abscissa: the time of each sample, a lag, the centre of each bin. */
typedef struct carom_table {
    const char *name;            /* key in the result file */
    bool series;                 /* one row for each sample; any other table is complete at each call */
    uint64_t first_row;          /* of a series: number of earlier rows, which are in the result file only */
    size_t rows;                 /* number of rows in `columns` */
    const carom_column *columns; /* [column_count] */
    size_t column_count;         /* number of columns */
} carom_table;

/* The results of an observable. */
typedef struct carom_observable {
    const char *name;          /* its key in the results */
    const char *what;          /* the observable, as in the scene */
    const carom_value *values; /* [value_count]; values[0] is the main value; the list may be empty */
    size_t value_count;        /* number of values */
    const carom_table *tables; /* [table_count]; tables[0] is the main table */
    size_t table_count;        /* number of tables */
} carom_observable;

/* Adds an observable to a simulation: `entry` is one item of the key `observe` of scenes, as YAML ("{what: pressure,
 * every: 0.1}"). Without `start` the observation begins at the present time. A result file contains it if it is added
 * before the run has begun. CAROM_BAD_DATA: an error in the entry. CAROM_USAGE: the run writes a result file and has
 * begun; or the engine cannot begin to record now what the observable requires. On failure the simulation is as
 * before. */
CAROM_API carom_status carom_sim_observe(carom_sim *sim, const char *entry);
/* The present results of observable number n: those of the scene, then those added. NULL beyond the last, or after an
 * error. Valid until the next call for this simulation. */
CAROM_API const carom_observable *carom_sim_observable(carom_sim *sim, size_t n);

/* ---- Saving ------------------------------------------------------------------------------------------------------ */

/* Writes the exact state of a simulation, with its observables and the text of its scene, to a file. The file does not
 * depend on the result file of the simulation. Potentials are not saved. An existing file is replaced. CAROM_IO. */
CAROM_API carom_status carom_sim_save(carom_sim *sim, const char *path);
/* Loads the scene of a saved simulation. Its files (particles, meshes) must exist. CAROM_BAD_DATA, CAROM_NO_INPUT. */
CAROM_API carom_status carom_scene_load_saved(carom_scene *scene, const char *path);
/* Creates a simulation of a scene, like carom_sim_new, in the state of a file of carom_sim_save. It continues with the
 * same bits. The scene must equal that of the file, except for run.until, output and view; its files must be unchanged.
 * options->resume must be false. A result file begins at the saved time; CAROM_USAGE if the saved simulation had one,
 * which contains the earlier rows of its series. Otherwise status as of carom_sim_new. */
CAROM_API carom_status carom_sim_load(carom_sim **out, const carom_scene *scene, const char *path,
                                      const carom_options *options);

/* ---- Changes of the state ------------------------------------------------------------------------------------------
 *
 * Between two calls of a run, at its present time. They are validated as an initial state is; on CAROM_USAGE and
 * CAROM_BAD_DATA the simulation is as before. Time, counters and tallies continue. The energy that a change adds counts
 * as supplied from outside (as work, in an energy balance). */

/* Sets the velocities of particles. ids: channel `id` of frames; NULL: all particles in the order of frames, or, in
 * `variational`, all particles and vertices; count is then their number. velocities: [count][dimension]. In
 * `aggregation` it is the velocity of the centre of mass of the cluster; named particles of one cluster must have the
 * same. CAROM_USAGE: no such particle, a particle that is driven or in a rigid body, a velocity that is not finite, a
 * compression. */
CAROM_API carom_status carom_sim_set_velocities(carom_sim *sim, size_t count, const uint32_t *ids,
                                                const double *velocities);

/* Particles to add. Arrays may be NULL where a default is stated. */
typedef struct carom_particles {
    size_t count;             /* number of particles */
    const char *species;      /* name of a species of the scene; NULL: the first */
    const double *positions;  /* [count][dimension] */
    const double *velocities; /* [count][dimension]; NULL: 0 */
    const double *radii;      /* [count]; NULL: that of the species, which must have one size */
    const double *spins;      /* [count][3] angular velocities, of particles that rotate (2D: along z); NULL: 0 */
} carom_particles;
/* Adds particles, after all others in the order of frames. ids: NULL, or [added->count] that receive their new, unique
 * ids. CAROM_BAD_DATA: overlap, outside the box. CAROM_USAGE: the engine or a feature of the scene does not permit it,
 * an observable follows particles, or the run writes a result file. */
CAROM_API carom_status carom_sim_add_particles(carom_sim *sim, const carom_particles *added, uint32_t *ids);
/* Removes particles; the others keep their order and ids. Status as of carom_sim_add_particles. */
CAROM_API carom_status carom_sim_remove_particles(carom_sim *sim, size_t count, const uint32_t *ids);

/* Changes a setting of the scene: "fields.gravity=[0, -1]". The scene is checked with it as in carom_scene_set.
 * CAROM_BAD_DATA: an error in it. CAROM_USAGE: a key of the initial state, or one that changes the arrays of the state;
 * the engine does not permit it; or the run writes a result file, which has one scene. */
CAROM_API carom_status carom_sim_change(carom_sim *sim, const char *key_equals_value);
/* The present scene, with all changes and added observables, as YAML with all defaults. NULL if the creation of the
 * simulation failed. Valid until the next call that changes the simulation. */
CAROM_API const char *carom_sim_scene(const carom_sim *sim);

/* ---- Events ------------------------------------------------------------------------------------------------------ */

/* Kinds of recorded events. carom_event_kind_name gives the words used in scenes and files. */
typedef enum carom_event_kind {
    CAROM_EVENT_COLLISION, /* between two particles (`variational`: a whole impact of two elements) */
    CAROM_EVENT_WALL,  /* of a particle with a wall of the box, a plane, another surface, or a rigid mesh of `hard` */
    CAROM_EVENT_MERGE, /* two clusters become one */
    CAROM_EVENT_STEP,  /* a pair at a step of its potential, or at the end of its bond */
    CAROM_EVENT_KICK,  /* by the heat bath */
    CAROM_EVENT_SLEEP, /* a particle comes to rest and stays at its place */
    CAROM_EVENT_WAKE   /* a sleeping particle is free to move again */
} carom_event_kind;

/* What takes part in an event. */
typedef enum carom_event_body {
    CAROM_BODY_PARTICLE, /* particle or vertex of a mesh, by id */
    CAROM_BODY_WALL,     /* wall of the box: number 2 axis, plus 1 for the upper one */
    CAROM_BODY_PLANE,    /* number in the list `planes` of the scene */
    CAROM_BODY_SURFACE,  /* cylinder, or another exact surface, by number */
    CAROM_BODY_TRIANGLE, /* triangle, numbered through all meshes */
    CAROM_BODY_ROD,      /* `variational`: segment, then edges of meshes, by number */
    CAROM_BODY_NONE      /* nothing: the event has no partner */
} carom_event_body;

/* Limits of events. */
enum {
    CAROM_EVENT_KINDS = 7 /* number of kinds of recorded events */
};

/* An event, in the units of the scene. The momentum of i (or of its cluster) increases by `impulse`, that of j decreases
 * by it: between events particles fly freely. i < j for two particles. docs/events.md has the details. */
typedef struct carom_event {
    double time;       /* of the event; of an impact with a duration: of its end */
    double duration;   /* of an impact of `variational`; else 0 */
    double normal[3];  /* unit vector from j to i at the contact; 0 without a contact */
    double impulse[3]; /* on i: mass length / time */
    uint32_t i;        /* number (of particles: id) of the first body */
    uint32_t j;        /* the same of its partner; 0 without a partner */
    uint32_t kind;     /* a carom_event_kind */
    uint16_t i_type;   /* a carom_event_body: what i counts */
    uint16_t j_type;   /* a carom_event_body: what j counts */
} carom_event;

/* Word for a kind of events ("collision", ...); "unknown" for other values. Static text. */
CAROM_API const char *carom_event_kind_name(carom_event_kind kind);

/* Choice of events, and their destination. {0} with `events` or `buffer`: all events. An event passes if its kind is
 * chosen, and one of its particles is listed or belongs to a listed species (without lists: any event). */
typedef struct carom_record_options {
    uint32_t kinds;             /* sum of 1 << kind; 0: all kinds */
    const size_t *particles;    /* ids of particles and vertices; may be NULL */
    size_t particle_count;      /* number of entries of `particles` */
    const char *const *species; /* names; may be NULL */
    size_t species_count;       /* number of entries of `species` */
    /* Receives events in order, about ten thousand at a time. They are valid during the call. NULL: `buffer` receives
     * them. */
    void (*events)(const carom_event *events, size_t count, void *user);
    void *user;          /* argument of `events` */
    carom_event *buffer; /* memory for events, valid until the recording ends; NULL if there is a callback */
    size_t capacity;     /* number of events that fit into `buffer` */
} carom_record_options;

/* A recording of the events of a simulation. */
typedef struct carom_recording carom_recording;

/* Begins to record the events of later calls of carom_sim_run and others. options is copied. The recording belongs to
 * the simulation: carom_sim_free frees it, too. Results do not depend on it. On failure *out is
 * NULL. CAROM_USAGE: the engine has no events, or `hard` runs on several threads or ranks; a particle or a species does
 * not exist; there is neither a callback nor a buffer. */
CAROM_API carom_status carom_sim_record(carom_sim *sim, const carom_record_options *options, carom_recording **out);
/* Ends a recording and frees it, before its simulation is freed. NULL is allowed. Within a callback of the simulation it
 * has no effect. */
CAROM_API void carom_recording_free(carom_recording *recording);
/* Number of events in the buffer since the start or the last carom_recording_clear. */
CAROM_API size_t carom_recording_count(const carom_recording *recording);
/* Number of chosen events since the start, also of those for which the buffer had no room. */
CAROM_API uint64_t carom_recording_total(const carom_recording *recording);
/* Removes all events from the buffer: the next ones are written to its start. */
CAROM_API void carom_recording_clear(carom_recording *recording);

/* ---- Result files ---------------------------------------------------------------------------------------------- */

/* A result file, or a checkpoint file (for carom_file_info and carom_file_contents only), opened for reading. */
typedef struct carom_file carom_file;

/* Opens a file. On failure *out holds the message and has to be freed; it is NULL only when there is no memory.
 * CAROM_NO_INPUT, CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_open(carom_file **out, const char *path);
/* Closes and frees. NULL is allowed. */
CAROM_API void carom_file_free(carom_file *file);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_file_message(const carom_file *file);

/* Sets *out to a description of the contents: text for a terminal, or one JSON object. The caller frees it.
 * CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_info(carom_file *file, bool json, char **out);

/* Reads again what a run has added since the file was opened: frames, observables, merges, the summary. Without effect
 * on a complete file that has not been replaced. What other calls have returned for the file is no longer valid.
 * CAROM_NO_INPUT: the file no longer exists; what was read before remains. CAROM_BAD_DATA: damaged; the file can then
 * only be freed. */
CAROM_API carom_status carom_file_refresh(carom_file *file);

/* Properties of a result or of a checkpoint. Texts belong to the file; "" if they do not exist. */
typedef struct carom_contents {
    bool checkpoint;        /* a checkpoint: it has no frames, observables, meshes or summary */
    bool being_written;     /* by a run, or by one that was killed */
    const char *version;    /* version of carom that wrote it */
    const char *commit;     /* its commit */
    const char *engine;     /* "hard", ... */
    const char *title;      /* of the scene */
    const char *scene;      /* the scene with all defaults, YAML */
    const char *summary;    /* JSON summary of the run; "" until it has ended */
    const char *stop;       /* why the run ended; "none" until it has ended */
    const char *state_hash; /* of the final state, likewise */
    uint64_t seed;          /* of the scene; 0 for a checkpoint */
    int threads;            /* of the run; 0 for a checkpoint */
    int dimension;          /* 2 or 3; 0 for a checkpoint */
    uint64_t particles;     /* without vertices of meshes */
    uint64_t vertices;      /* of meshes; their points follow those of the particles */
    uint64_t frames;        /* number of complete frames */
    uint64_t merges;        /* number of merges */
    uint64_t bytes;         /* of the file; 0 for a checkpoint */
    size_t observables;     /* number of observables */
    size_t species;         /* number of species */
    double time;            /* simulated time of the end, of the last frame, or of the checkpoint */
} carom_contents;
/* Sets *out to the properties of the file. CAROM_USAGE: no file has been opened. */
CAROM_API carom_status carom_file_contents(carom_file *file, carom_contents *out);
/* Name of species number n, from 0; NULL beyond the last. */
CAROM_API const char *carom_file_species(const carom_file *file, size_t n);

/* Reads frame number `index`, from 0, and compares it with its checksums. *frame does not depend on the file
 * afterwards; the caller frees it with carom_frame_free. CAROM_USAGE: no such frame. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_frame(carom_file *file, uint64_t index, carom_frame **frame);
/* Name of channel number n that the file stores for each frame as numbers ("time", "kinetic", ...); NULL beyond the
 * last. */
CAROM_API const char *carom_file_numbers_name(const carom_file *file, size_t n);
/* Reads such a channel of `count` frames from number `first` on, without their arrays: out->data is [count] followed by
 * the axes of the channel, valid until the next call of this function for the file. CAROM_USAGE: no such channel or
 * frames. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_numbers(carom_file *file, const char *name, uint64_t first, uint64_t count,
                                          carom_channel *out);

/* Observable number n of a result; NULL beyond the last, or after an error (carom_file_message). Without `data` the
 * columns of its tables have no numbers (NULL). Valid until the next call of this function for the same observable. */
CAROM_API const carom_observable *carom_file_observable(carom_file *file, size_t n, bool data);

/* A merge: two particles, i < j, at whose contact two clusters became one. */
typedef struct carom_merge {
    double time; /* of the contact */
    uint32_t i;  /* number of one particle */
    uint32_t j;  /* number of the other */
} carom_merge;
/* Sets *merges to the merges of the run in order of time, owned by the file. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_merges(carom_file *file, const carom_merge **merges, size_t *count);

/* A triangle mesh, whose vertices are points of the frames. */
typedef struct carom_mesh {
    const char *name;          /* in the scene */
    const char *repairs;       /* changes with respect to its file; NULL: none were requested */
    size_t first;              /* number of the point that is its vertex 0 */
    size_t vertices;           /* number of vertices */
    const uint32_t *triangles; /* [triangle_count][3]: vertices, counted from 0 */
    size_t triangle_count;     /* number of triangles */
    bool rigid;                /* all distances between its vertices are constant */
} carom_mesh;
/* Connections of particles, which do not change during a run. */
typedef struct carom_links {
    const uint32_t *spring_i;  /* [springs]: particles at the ends of springs or bonds */
    const uint32_t *spring_j;  /* [springs] */
    const double *shortest;    /* [springs]: limits of the lengths of bonds; NULL: they are springs */
    const double *longest;     /* [springs], likewise */
    size_t springs;            /* number of springs or bonds */
    const uint32_t *segment_i; /* [segments]: particles at the ends of segments */
    const uint32_t *segment_j; /* [segments] */
    const double *radius;      /* [segments] */
    size_t segments;           /* number of segments */
    const uint32_t *owner;     /* [points]: a number for each rigid body or drive, 0: none; NULL: there are none */
    const carom_mesh *meshes;  /* [mesh_count] */
    size_t mesh_count;         /* number of meshes */
} carom_links;
/* Sets *out to the connections in a result. Its arrays belong to the file. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_links(carom_file *file, carom_links *out);

/* Checks a result independently of the engines: overlaps beyond rounding, passages between frames, balance of energy
 * and momentum, bounds of the box. *report: text for a terminal, or one JSON object; the caller frees it, also after
 * CAROM_VIOLATION. CAROM_VIOLATION: a check failed. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_verify(carom_file *file, bool json, char **report);

/* Lets carom_file_verify report its progress: the time of the frame, `fraction`, `wall_s`, `left_s`, phase "verify".
 * NULL ends this. */
CAROM_API void carom_file_follow(carom_file *file, carom_progress_callback progress, void *user);

/* Writes the frames to `target` in a format of docs/formats.md ("xyz", "vtp", "csv", ...). CAROM_NO_CREATE: the target
 * exists and force is false, or cannot be created. CAROM_BAD_DATA, CAROM_USAGE (format), CAROM_IO. */
CAROM_API carom_status carom_file_export(carom_file *file, const char *format, const char *target, bool force);

/* Writes a table to `target` as CSV, one row for each sample, bin or event. what: "NAME" (the first table of an
 * observable), "NAME/TABLE", or "events" (the recorded events). Status as of carom_file_export. */
CAROM_API carom_status carom_file_export_table(carom_file *file, const char *what, const char *target, bool force);

/* Number of events in a result (docs/events.md); 0: none, or a checkpoint. */
CAROM_API uint64_t carom_file_event_count(const carom_file *file);
/* Reads `count` events from number `first` on into events[count]. CAROM_USAGE: there are fewer. CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_events(carom_file *file, uint64_t first, carom_event *events, size_t count);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* A plot of results: panels of curves. */
typedef struct carom_plot carom_plot;

/* Options of a plot. {0}: all panels, light. */
typedef struct carom_plot_options {
    const char *const *what; /* names of panels or observables; NULL: all panels */
    size_t what_count;       /* number of entries of `what` */
    const char *log;         /* logarithmic axes: "none", "x", "y", "xy"; NULL: chosen for each panel */
    bool dark;               /* light on dark */
} carom_plot_options;

/* Reads results for a plot with one panel for each quantity; each panel compares all files. A folder, or a file that
 * ends in .csv, is the table of a sweep. options may be NULL. On failure *out holds the message and has to be freed; it
 * is NULL only when there is no memory. CAROM_NO_INPUT, CAROM_BAD_DATA (nothing to plot), CAROM_USAGE (panel). */
CAROM_API carom_status carom_plot_new(carom_plot **out, const char *const *files, size_t count,
                                      const carom_plot_options *options);
/* Frees a plot. NULL is allowed. */
CAROM_API void carom_plot_free(carom_plot *plot);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_plot_message(const carom_plot *plot);

/* Draws to a file that ends in .svg, .pdf or .png. json may be NULL; else *json is set to a description of the panels,
 * one JSON object, which the caller frees. CAROM_NO_CREATE: the file exists and force is false, or cannot be created.
 * CAROM_USAGE: unknown ending, or carom was built without cairo. CAROM_IO. */
CAROM_API carom_status carom_plot_write(carom_plot *plot, const char *target, bool force, char **json);

/* Values of carom_render_options.frame that are not numbers of frames. */
enum {
    CAROM_RENDER_SUITS = -1, /* the last frame for a picture, all frames for a movie or numbered pictures */
    CAROM_RENDER_LAST = -2,  /* the last frame */
    CAROM_RENDER_ALL = -3    /* all frames */
};

/* Options of pictures and movies. {.frame = CAROM_RENDER_SUITS} stands for the defaults. */
typedef struct carom_render_options {
    int64_t frame;      /* number of the frame, from 0; or CAROM_RENDER_SUITS, CAROM_RENDER_LAST, CAROM_RENDER_ALL */
    int width;          /* in pixels; 0: chosen for the scene */
    int height;         /* in pixels; 0: chosen for the scene */
    const char *colour; /* by "species", "speed", "cluster", "molecule", "strain" or "layers"; NULL: chosen */
    bool turned;        /* azimuth and elevation are given */
    double azimuth;     /* direction of the camera around the vertical, in degrees; 0: along the second axis */
    double elevation;   /* height of the camera above the horizontal plane, in degrees */
    double zoom;        /* magnification; 0 or 1: the whole scene is in the picture */
    double rate;        /* frames per second of a movie; 0: chosen */
    bool dark;          /* light on dark */
    const char
        *meshes;   /* "solid", "transparent", "edges" or "hidden"; NULL: as the view of the scene says, else solid */
    bool whole;    /* molecules and clusters in one piece, outside the box where they cross a periodic boundary */
    bool unshaded; /* without ambient occlusion (3D) */
} carom_render_options;

/* Draws the frames of a result: a picture (.png), a movie (.mp4, by ffmpeg) or one picture for each frame
 * ("frames-%d.png"). options may be NULL. json may be NULL; else *json is set to a report, one JSON object, which the
 * caller frees. CAROM_USAGE, CAROM_BAD_DATA (no frames), CAROM_NO_CREATE, CAROM_IO. */
CAROM_API carom_status carom_file_render(carom_file *file, const char *target, bool force,
                                         const carom_render_options *options, char **json);

/* Draws one state of a simulation in the same way, without a result file. frame NULL: the present state; otherwise a
 * frame from carom_sim_take with the same particles. options->frame must be CAROM_RENDER_SUITS or CAROM_RENDER_LAST.
 * CAROM_USAGE, CAROM_NO_CREATE, CAROM_IO. */
CAROM_API carom_status carom_sim_render(carom_sim *sim, const carom_frame *frame, const char *target, bool force,
                                        const carom_render_options *options, char **json);

/* ---- Sweeps: one scene over seeds and parameters ----------------------------------------------------------------- */

/* A sweep: parameters with their values, seeds, measures. */
typedef struct carom_sweep carom_sweep;

/* Creates an empty sweep. NULL when there is no memory. */
CAROM_API carom_sweep *carom_sweep_new(void);
/* Frees a sweep. NULL is allowed. */
CAROM_API void carom_sweep_free(carom_sweep *sweep);

/* Reads and checks a sweep (docs/sweep.md), and its scene at each point. CAROM_BAD_DATA, CAROM_NO_INPUT. */
CAROM_API carom_status carom_sweep_load(carom_sweep *sweep, const char *path);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_sweep_message(const carom_sweep *sweep);

/* Path of the scene file. This text and those below are valid until the next load. */
CAROM_API const char *carom_sweep_scene(const carom_sweep *sweep);
/* Whether the sweep keeps the result files of its runs. */
CAROM_API bool carom_sweep_keeps_results(const carom_sweep *sweep);
/* Number of points: combinations of values of the parameters. Points count from 0, the last parameter fastest. */
CAROM_API size_t carom_sweep_point_count(const carom_sweep *sweep);
/* Number of seeds; there is one run for each seed at each point. */
CAROM_API size_t carom_sweep_seed_count(const carom_sweep *sweep);
/* Seed number `index`, from 0. */
CAROM_API uint64_t carom_sweep_seed(const carom_sweep *sweep, size_t index);
/* Number of parameters. */
CAROM_API size_t carom_sweep_parameter_count(const carom_sweep *sweep);
/* Key of the scene that the parameter sets. */
CAROM_API const char *carom_sweep_parameter(const carom_sweep *sweep, size_t parameter);
/* Value of a parameter at a point, as it appears in tables. */
CAROM_API const char *carom_sweep_value(const carom_sweep *sweep, size_t point, size_t parameter);
/* The same value as YAML, for carom_scene_set. */
CAROM_API const char *carom_sweep_set(const carom_sweep *sweep, size_t point, size_t parameter);
/* Digest of the files of meshes and particles that the scene names at a point; 0: no such file, or one that cannot be
 * read. */
CAROM_API uint64_t carom_sweep_inputs(const carom_sweep *sweep, size_t point);

/* Number of measures: paths into the JSON summary of a run. */
CAROM_API size_t carom_sweep_measure_count(const carom_sweep *sweep);
/* Measure number `index`, as "observables.pressure.mean". */
CAROM_API const char *carom_sweep_measure(const carom_sweep *sweep, size_t index);
/* Whether the sweep lists its measures; otherwise they are the default ones, of which a summary may lack some. */
CAROM_API bool carom_sweep_measures_chosen(const carom_sweep *sweep);

/* Text that identifies the runs: the parameters and the scene, without the seeds. Sweeps with equal records give equal
 * numbers. */
CAROM_API const char *carom_sweep_record(const carom_sweep *sweep);
/* Sets *key to the first key in which another record differs from that of the sweep; NULL: they are equal. The caller
 * frees it. CAROM_BAD_DATA: not a record. */
CAROM_API carom_status carom_sweep_difference(carom_sweep *sweep, const char *record, char **key);

/* Statistics of a sample. NAN where there are too few numbers. */
typedef struct carom_statistics {
    size_t count;       /* n, without the NANs */
    double mean;        /* arithmetic mean */
    double deviation;   /* standard deviation of the sample, divisor n - 1 */
    double error;       /* standard error of the mean: deviation / sqrt(n), for independent numbers */
    double least;       /* smallest number */
    double quantile_05; /* quantiles p: linear interpolation of the order statistics at (n - 1) p, counted from 0 */
    double quantile_25; /* first quartile */
    double median;      /* quantile 1/2 */
    double quantile_75; /* third quartile */
    double quantile_95; /* quantile 0.95 */
    double greatest;    /* largest number */
} carom_statistics;
/* Statistics of `count` numbers. Sorts them in place. NANs are left out. */
CAROM_API carom_statistics carom_statistics_of(double *values, size_t count);

/* ---- Comparisons: one scene with several engines ----------------------------------------------------------------- */

/* A comparison: a scene, and the summary of its run with each engine. */
typedef struct carom_compare carom_compare;

/* Input of a comparison. */
typedef struct carom_compare_options {
    const char *scene;                             /* path of the scene; with `text` its name in messages */
    const char *text;                              /* the scene; NULL: it is read from the file */
    size_t length;                                 /* bytes of `text` */
    const char *const *engines;                    /* "hard", "variational", ...; an engine may occur twice */
    size_t engine_count;                           /* 1 to 8 */
    const char *const *sets;                       /* overrides, as for carom_scene_set */
    size_t set_count;                              /* number of overrides */
    int threads;                                   /* of each run; 0: one */
    carom_progress_callback progress;              /* receives the progress of the present run; may be NULL */
    void (*warning)(const char *line, void *user); /* receives warnings, one line each; may be NULL */
    void *user;                                    /* argument of the callbacks */
} carom_compare_options;

/* Loads the scene for each engine. An engine need not have all observables of the scene if another one has them. On
 * failure *out holds the message and has to be freed; it is NULL only when there is no memory. CAROM_BAD_DATA,
 * CAROM_NO_INPUT, CAROM_USAGE. */
CAROM_API carom_status carom_compare_new(carom_compare **out, const carom_compare_options *options);
/* Frees a comparison. NULL is allowed. */
CAROM_API void carom_compare_free(carom_compare *compare);
/* Message of the last call; after a run also the report of the dynamics that ended it. */
CAROM_API const char *carom_compare_message(const carom_compare *compare);

/* Runs the scene with engine number `index`, from 0, to the end that the scene sets. Pressure and collision rate are
 * measured where they exist, with the settings of the scene; other observables are not. Status as of carom_sim_new and
 * carom_sim_run. */
CAROM_API carom_status carom_compare_run(carom_compare *compare, size_t index);
/* Ends the present or next run with CAROM_EARLY. Async-signal-safe, from any thread. */
CAROM_API void carom_compare_request_stop(carom_compare *compare);

/* JSON summary of the run with engine number `index`. NULL: it has not run. */
CAROM_API const char *carom_compare_summary(const carom_compare *compare, size_t index);
/* Sets *out to a table with one column for each engine, or to one JSON object with the summaries of all (null: not
 * run). The caller frees it. */
CAROM_API carom_status carom_compare_report(carom_compare *compare, bool json, char **out);

/* ---- Shapes of clusters ---------------------------------------------------------------------------------------- */

/* A study of the shapes of clusters in one or several results. */
typedef struct carom_shape carom_shape;

/* Values of carom_shape_options.frame and .cluster that are not numbers of frames or clusters. */
enum {
    CAROM_SHAPE_LAST = -1,    /* the last frame */
    CAROM_SHAPE_ALL = -2,     /* all frames; all clusters */
    CAROM_SHAPE_LARGEST = -3, /* the largest cluster of each frame */
    CAROM_SHAPE_TOGETHER = -4 /* all particles of a frame as one cluster */
};

/* Choice of frames and clusters. */
typedef struct carom_shape_options {
    int64_t frame;     /* number of the frame, from 0; or CAROM_SHAPE_LAST, CAROM_SHAPE_ALL */
    int64_t cluster;   /* smallest number of a particle in the cluster; or CAROM_SHAPE_LARGEST, CAROM_SHAPE_ALL,
                        * CAROM_SHAPE_TOGETHER */
    uint64_t min_size; /* CAROM_SHAPE_ALL, and the fit of R_g against mass, leave out smaller clusters; 0: 2 */
    double gap;        /* results without cluster ids: particles within (1 + gap) contact distances touch; 0: 1e-6 */
} carom_shape_options;

/* Begins a study (docs/shape.md). options may be NULL: the largest cluster of the last frame. On failure *out holds the
 * message and has to be freed; it is NULL only when there is no memory. */
CAROM_API carom_status carom_shape_new(carom_shape **out, const carom_shape_options *options);
/* Frees a study. NULL is allowed. */
CAROM_API void carom_shape_free(carom_shape *shape);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_shape_message(const carom_shape *shape);

/* Adds the chosen frames of a result file. CAROM_NO_INPUT, CAROM_BAD_DATA, CAROM_USAGE (no such frame or cluster). */
CAROM_API carom_status carom_shape_add(carom_shape *shape, const char *path);

/* Sets *out to the measures of all clusters and the statistics over them, as "text", "json" or "csv" (one row for each
 * cluster). The caller frees it. */
CAROM_API carom_status carom_shape_report(carom_shape *shape, const char *format, char **out);

/* ---- The live page --------------------------------------------------------------------------------------------- */

/* A server of the live page (docs/view.md). */
typedef struct carom_view carom_view;

/* Address of the server. {0}: a free port of 127.0.0.1. */
typedef struct carom_view_options {
    /* Address to listen on; NULL: 127.0.0.1. If given, each request must contain the token of the URL. */
    const char *bind;
    /* 1 to 65535; 0: a free one. */
    int port;
    /* Pages of this machine (a notebook at localhost) may show the page in a frame. */
    bool framed;
} carom_view_options;

/* Opens the port. options may be NULL. On failure *out holds the message and has to be freed; it is NULL only when
 * there is no memory. CAROM_NO_CREATE (the port is in use, ...), CAROM_USAGE. */
CAROM_API carom_status carom_view_new(carom_view **out, const carom_view_options *options);
/* Closes the port and frees. NULL is allowed. */
CAROM_API void carom_view_free(carom_view *view);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_view_message(const carom_view *view);

/* URL of the page. Valid as long as the view. */
CAROM_API const char *carom_view_url(const carom_view *view);

/* Runs a simulation as carom_sim_run does, and shows it. The run starts when a browser has opened the page; viewers
 * choose its speed. The results have the same bits as without a view. The last state is shown until a stop is
 * requested. Returns the status of the run; CAROM_EARLY: the request came before the end. CAROM_USAGE: the run has
 * ended already, or the view has shown something before. */
CAROM_API carom_status carom_view_simulate(carom_view *view, carom_sim *sim);

/* Runs a part of a simulation as carom_sim_run_to does, and shows it like carom_view_simulate. The run can continue
 * afterwards. CAROM_EARLY: the request came before a limit. CAROM_USAGE: the view has shown something before, or as of
 * carom_sim_run_to. */
CAROM_API carom_status carom_view_run(carom_view *view, carom_sim *sim, const carom_limits *limits);

/* Shows the frames of a result until a stop is requested. CAROM_BAD_DATA, CAROM_USAGE (the view has shown something
 * before). */
CAROM_API carom_status carom_view_replay(carom_view *view, carom_file *file);

/* Ends carom_view_simulate, carom_view_run or carom_view_replay. Async-signal-safe, from any thread. */
CAROM_API void carom_view_request_stop(carom_view *view);

/* ---- The page as a file ------------------------------------------------------------------------------------------ */

/* Frames that are recorded for a page: one HTML file, which needs neither a server nor a network (docs/view.md). */
typedef struct carom_page carom_page;

/* Limits of a page. {0}: the defaults. Frames beyond a limit are thinned out: every second, third, ... is kept, and the
 * last. */
typedef struct carom_page_options {
    int frames;       /* largest number of frames, at least 2; 0: 300 */
    int particles;    /* largest number of particles, vertices of meshes excluded; 0: 150000, which is also the limit */
    double megabytes; /* largest size of the file, in 10^6 bytes; 0: 20 */
} carom_page_options;

/* Begins a page. options may be NULL. On failure *out holds the message and has to be freed; it is NULL only when there
 * is no memory. CAROM_USAGE. */
CAROM_API carom_status carom_page_new(carom_page **out, const carom_page_options *options);
/* Frees a page. NULL is allowed. */
CAROM_API void carom_page_free(carom_page *page);
/* Message of the last call; "" after success. */
CAROM_API const char *carom_page_message(const carom_page *page);

/* Adds the present state of a simulation as the next frame; the simulation does not change. CAROM_USAGE: the page has
 * the frames of a file, of a simulation with other particles, or of later times. */
CAROM_API carom_status carom_page_record(carom_page *page, carom_sim *sim);
/* Adds the frames of a result, and its observables. CAROM_BAD_DATA, CAROM_USAGE (the page has frames already). */
CAROM_API carom_status carom_page_add_file(carom_page *page, carom_file *file);

/* Number of frames that the page keeps; the limit of its size applies when it is written. */
CAROM_API size_t carom_page_frames(const carom_page *page);
/* Number of frames that were recorded, or that the result has. */
CAROM_API size_t carom_page_recorded(const carom_page *page);

/* Writes the page. CAROM_NO_CREATE: the target exists and force is false, or cannot be created. CAROM_USAGE: there are
 * no frames, or two frames exceed the largest size. CAROM_IO. */
CAROM_API carom_status carom_page_write(carom_page *page, const char *target, bool force);
/* Sets *html to the page. The caller frees it. CAROM_USAGE as of carom_page_write. */
CAROM_API carom_status carom_page_text(carom_page *page, char **html);

/* ---- Help texts -------------------------------------------------------------------------------------------------- */

/* Sets *out to the help on a topic: NULL or "scene" (all keys), "observables", the path of a key, or any word, which is
 * searched for. The caller frees it. CAROM_USAGE: nothing found; *out is then the message. */
CAROM_API carom_status carom_help(const char *topic, char **out);
/* Sets *json to the keys below a path of a scene ("": those of a scene; "particles.0.place"), a JSON list of objects
 * with `name`, `help`, `unit`, `default` (null: required or none) and `kind` ("map", "list" or "value"). The caller frees
 * it. CAROM_USAGE: there are none; *json is then NULL. */
CAROM_API carom_status carom_keys(const char *path, char **json);
/* Sets *out to the reference of scenes (docs/scene.md), Markdown. The caller frees it. */
CAROM_API carom_status carom_reference(char **out);
/* Sets *out to a commented scene to start from; name "": to the list of names. The caller frees it. CAROM_USAGE: no
 * such name; *out is then the message. */
CAROM_API carom_status carom_starter(const char *name, char **out);

#ifdef __cplusplus
}
#endif
#endif
