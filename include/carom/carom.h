/* carom: event-driven contact dynamics.
 *
 * The whole public interface. A scene (text) is checked into a carom_scene; a carom_sim runs it; a carom_frame
 * says what is where at a time. Lengths, masses and times are in the scene's own units throughout.
 *
 *     carom_scene *scene = carom_scene_new();
 *     carom_sim *sim = NULL;
 *     if (carom_scene_load(scene, "gas.yaml") == CAROM_OK && carom_sim_new(&sim, scene, NULL) == CAROM_OK)
 *         carom_sim_run(sim);
 *
 * Every call that can fail returns a carom_status; what went wrong and what to do about it is the text that
 * carom_scene_message or carom_sim_message gives. The library never prints and never exits. An object is used
 * by one thread at a time; different objects are independent.
 *
 * Wrong calls are safe. NULL for an object or an argument that is needed, an object whose creation or loading failed, an
 * index that does not exist and a number out of range give a status, with a message on the object where there is one, or
 * NULL, 0, "" or false; nothing else happens. (An array is as long as its count says, and text ends in a zero byte.) A
 * simulation that an error of memory, files or a callback has ended returns that error again. Within a callback its
 * simulation can be asked to stop, to write a checkpoint and for its message; other calls on it return CAROM_USAGE or
 * NULL, and carom_sim_free does nothing. `progress` may also look at carom_sim_frame. */
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
#define CAROM_API
#else
#define CAROM_API __attribute__((visibility("default")))
#endif

/* What a call came to. The values are the command's exit codes (sysexits where one fits). */
typedef enum carom_status {
    CAROM_OK = 0,
    CAROM_USAGE = 64,     /* wrong call: an unknown option, a value out of range */
    CAROM_BAD_DATA = 65,  /* a scene or a data file that cannot be used as it is */
    CAROM_NO_INPUT = 66,  /* a file that is not there or cannot be opened for reading */
    CAROM_INTERNAL = 70,  /* no memory, or a fault of carom itself */
    CAROM_NO_CREATE = 73, /* an output that cannot be created, or that exists */
    CAROM_IO = 74,        /* a read or write that failed half-way */
    CAROM_EARLY = 75,     /* stopped early by a signal, with a checkpoint to resume */
    CAROM_DYNAMICS = 76,  /* the dynamics stopped it: collapse, no progress, squeezed, stretched */
    CAROM_VIOLATION = 77  /* `verify` found a violation */
} carom_status;

/* Why a run ended; carom_stop_name gives the word used in files and JSON. */
typedef enum carom_stop {
    CAROM_STOP_NONE = 0, /* still running */
    CAROM_STOP_TIME,
    CAROM_STOP_EVENTS,
    CAROM_STOP_COLLISIONS,
    CAROM_STOP_CLUSTERS,
    CAROM_STOP_PRESSURE,
    CAROM_STOP_WALL_TIME,
    CAROM_STOP_NO_EVENTS,
    CAROM_STOP_NO_PROGRESS,
    CAROM_STOP_COLLAPSE,
    CAROM_STOP_SQUEEZED,
    CAROM_STOP_STRETCHED,
    CAROM_STOP_SIGNAL
} carom_stop;

enum { CAROM_THREADS_MOST = 1024 }; /* of one simulation */

typedef struct carom_scene carom_scene;
typedef struct carom_sim carom_sim;
typedef struct carom_frame carom_frame;

/* The release, as in "0.1.0", and the commit it was built from ("unknown" outside a checkout). */
CAROM_API const char *carom_version(void);
CAROM_API const char *carom_commit(void);
CAROM_API const char *carom_stop_name(carom_stop stop);

/* Text that a call hands out is freed with this. NULL is allowed. */
CAROM_API void carom_free(void *text);

/* ---- Scenes ---------------------------------------------------------------------------------------------------- */

CAROM_API carom_scene *carom_scene_new(void); /* NULL when there is no memory */
CAROM_API void carom_scene_free(carom_scene *scene);

/* Overrides one key of the scene that is loaded next: "run.until.time=10", list items by index
 * ("particles.0.count=5"). */
CAROM_API carom_status carom_scene_set(carom_scene *scene, const char *key_equals_value);

/* Reads and checks a scene file, or a scene in memory (`name` stands for the file in messages). All faults are
 * reported at once. CAROM_BAD_DATA, CAROM_NO_INPUT, CAROM_USAGE (a bad override). */
CAROM_API carom_status carom_scene_load(carom_scene *scene, const char *path);
CAROM_API carom_status carom_scene_load_text(carom_scene *scene, const char *name, const char *text, size_t length);

/* What went wrong last: one `file:line:col: error: ...` a fault, with the line and a caret. "" after success; after a
 * successful carom_scene_check what has been repaired of meshes (`repair`), a line each. */
CAROM_API const char *carom_scene_message(const carom_scene *scene);

/* The scene as it will run, every default written out. NULL before a successful load. */
CAROM_API const char *carom_scene_resolved(const carom_scene *scene);

/* Whether `path` is a file of particles or of a mesh that the scene reads: what writes there would destroy it. */
CAROM_API bool carom_scene_reads(const carom_scene *scene, const char *path);

/* What a run of the scene will need. Draws the initial state (unless it needs compression), so that overlaps and
 * particles outside the box are found. */
typedef struct carom_estimate {
    int dimension;
    uint64_t particles, vertices; /* vertices: of meshes that take part */
    double packing_fraction;      /* of the particles */
    double box[3];
    uint64_t memory_bytes;
    uint64_t frame_bytes; /* of one frame in the result file */
    uint64_t frames;      /* 0: not known beforehand */
} carom_estimate;
CAROM_API carom_status carom_scene_check(carom_scene *scene, carom_estimate *estimate);

/* A time step that a run takes, of one kind of element, and the element that determines it. Runs by events have none. */
typedef struct carom_step {
    char kind[24];         /* "layers", "springs", "stretch", ...: see docs/variational.md */
    double step;           /* at the start, of the elements that have the shortest */
    double bound;          /* what stability allows there; 0: it sets no bound */
    uint64_t elements;     /* of that kind */
    char element[200];     /* "triangle 17 (vertices 3, 4, 9) of mesh 'cloth'"; "" where none determines it */
    uint32_t particles[4]; /* its particles, by number, vertices of meshes included */
    int particle_count;
    double position[3]; /* their mean at the start; NaN: not known before particles have been compressed */
    uint64_t outliers;  /* so many elements cost ten times all the others together; 0: there are none such */
    double excess;      /* by how much they do: what they cost over what the others do */
    char warning[400];  /* that as a sentence, with the remedy; "" */
} carom_step;

/* The n-th of them, known after a successful carom_scene_check; NULL beyond the last. It is the scene's, up to the next
 * check or load. */
CAROM_API const carom_step *carom_scene_step(const carom_scene *scene, size_t n);

/* What a run costs, by a trial of it. */
typedef struct carom_cost {
    double events, wall_s; /* of the whole run; negative: not known */
    double events_per_s;
    double trial_time, trial_s; /* how far the trial came, and how long it took */
    bool whole;                 /* it came to the end of the run */
    bool fails;                 /* or to where the dynamics stop it (CAROM_DYNAMICS), as they will the run */
} carom_cost;

/* What carom_scene_check has found, as one JSON object; cost: NULL where there was no trial. */
CAROM_API carom_status carom_scene_report(carom_scene *scene, const carom_cost *cost, char **json);

/* ---- Simulations ----------------------------------------------------------------------------------------------- */

typedef struct carom_progress {
    double time, until_time; /* until: 0 where the scene sets no such limit */
    uint64_t collisions, until_collisions;
    uint64_t events, until_events;
    uint64_t merges;
    double fraction; /* done, in [0, 1], by the limit that is nearest; negative: not known */
    double events_per_s;
    double wall_s, left_s;   /* left_s negative: not known */
    const char *phase;       /* "compress", "run" */
    double packing_fraction; /* while compressing */
} carom_progress;
typedef void (*carom_progress_callback)(const carom_progress *progress, void *user);

typedef struct carom_options {
    const char *output;               /* result file; NULL: none is written */
    bool force;                       /* replace an existing result */
    bool resume;                      /* continue from the newest checkpoint of `output` */
    bool keep_checkpoint;             /* of a run that finishes: leave its file instead of storing it in the result */
    int threads;                      /* at most CAROM_THREADS_MOST; 0: one */
    carom_progress_callback progress; /* a few times a second; may be NULL */
    void (*warning)(const char *line, void *user); /* what a user should know; may be NULL */
    void *user;
} carom_options;

/* Prepares a run: draws the initial state, creates engine, observers and result file. options may be NULL. On failure
 * *out still carries the message (free it); it is NULL only where there was no memory at all. The scene must outlive
 * it. */
CAROM_API carom_status carom_sim_new(carom_sim **out, const carom_scene *scene, const carom_options *options);
CAROM_API void carom_sim_free(carom_sim *sim);

/* A potential of your own, for the engine `variational`: a spring to somewhere, a trap, a field. It acts at multiples
 * of `step`, which must be below its stability bound: 2 / omega for the fastest oscillation that it allows. */
typedef struct carom_potential {
    double step;
    const size_t *particles; /* whom it acts on, by their numbers in the scene; NULL: all */
    size_t count;            /* of them */
    /* Sets the forces, [count][dimension], at these positions, [count][dimension] and not wrapped into a periodic box,
     * and returns the potential energy. forces is NULL where the energy alone is wanted. An energy or force that is not
     * a number, or a force that moves a particle by more than a million lengths of the box in a step, ends the run with
     * CAROM_BAD_DATA. */
    double (*force)(void *user, double time, const double *positions, double *forces);
    void *user;
} carom_potential;

/* Adds a potential to a simulation that has not run yet, or that has been resumed: a checkpoint does not hold it. The
 * struct and the list are copied. CAROM_USAGE in engines without forces, for particles that are not there, and for steps
 * so short that the run would have no end (1e15 of them to its end, or 1e-9 of the engine's own step). */
CAROM_API carom_status carom_sim_add_potential(carom_sim *sim, const carom_potential *potential);

/* Runs to the end that the scene sets. CAROM_OK, CAROM_EARLY (stop requested), CAROM_DYNAMICS (collapse, ...),
 * CAROM_IO, ... */
CAROM_API carom_status carom_sim_run(carom_sim *sim);

/* Runs on to a time, past which nothing happens; observers and result file see what falls due on the way. */
CAROM_API carom_status carom_sim_advance(carom_sim *sim, double time);

/* Async-signal-safe: asks a running simulation to checkpoint and stop, or to checkpoint and go on. */
CAROM_API void carom_sim_request_stop(carom_sim *sim);
CAROM_API void carom_sim_request_checkpoint(carom_sim *sim);

CAROM_API const char *carom_sim_message(const carom_sim *sim);
CAROM_API carom_stop carom_sim_stop(const carom_sim *sim);

/* The run in one JSON object (docs/formats.md). Caller frees with carom_free; NULL when there is no memory. */
CAROM_API char *carom_sim_summary(carom_sim *sim);

/* What is where now. Valid until the simulation runs on or is freed. */
CAROM_API const carom_frame *carom_sim_frame(carom_sim *sim);

CAROM_API int carom_frame_dimension(const carom_frame *frame);
CAROM_API size_t carom_frame_count(const carom_frame *frame);     /* particles, then the vertices of meshes */
CAROM_API size_t carom_frame_particles(const carom_frame *frame); /* those that are no vertices */
CAROM_API double carom_frame_time(const carom_frame *frame);
CAROM_API const double *carom_frame_positions(const carom_frame *frame); /* [count][dimension] */
CAROM_API const double *
carom_frame_velocities(const carom_frame *frame);                    /* [count][dimension], in the units of the scene */
CAROM_API const double *carom_frame_radii(const carom_frame *frame); /* [count] */

/* ---- Result files ---------------------------------------------------------------------------------------------- */

typedef struct carom_file carom_file;

/* On failure *out still carries the message (free it). CAROM_NO_INPUT, CAROM_BAD_DATA. */
CAROM_API carom_status carom_file_open(carom_file **out, const char *path);
CAROM_API void carom_file_free(carom_file *file);
CAROM_API const char *carom_file_message(const carom_file *file);

/* What is in the file: text for a terminal, or one JSON object. Caller frees. */
CAROM_API carom_status carom_file_info(carom_file *file, bool json, char **out);

/* An independent look: overlaps beyond rounding, passages between frames, energy and momentum budget, box bounds. The
 * report: text for a terminal, or one JSON object. CAROM_VIOLATION where something is violated. Caller frees. */
CAROM_API carom_status carom_file_verify(carom_file *file, bool json, char **report);

/* Makes carom_file_verify call `progress` a few times a second, with the time of the frame, `fraction`, `wall_s`, `left_s`
 * and the phase "verify". NULL: not at all. */
CAROM_API void carom_file_follow(carom_file *file, carom_progress_callback progress, void *user);

/* Writes the frames ("xyz", "vtp", "csv", "h5md", "obj", "ply") to `target`, docs/formats.md; CAROM_NO_CREATE where it exists and !force. */
CAROM_API carom_status carom_file_export(carom_file *file, const char *format, const char *target, bool force);

/* Writes a table of an observable to `target` as CSV, a row a sample or bin: "NAME", its first one, or "NAME/TABLE". */
CAROM_API carom_status carom_file_export_table(carom_file *file, const char *what, const char *target, bool force);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

typedef struct carom_plot carom_plot;

typedef struct carom_plot_options {
    const char *const *what; /* the panels, by their names or those of observables; NULL: all that the files give */
    size_t what_count;
    const char *log; /* "none", "x", "y", "xy"; NULL: as suits each panel */
    bool dark;       /* light on dark */
} carom_plot_options;

/* Plots what results hold, a panel a quantity, several files over one another. A folder (or its table.csv) is that of a
 * sweep. On failure *out still carries the message (free it), unless it is NULL: no memory. CAROM_NO_INPUT,
 * CAROM_BAD_DATA (nothing to plot), CAROM_USAGE (no such panel). options may be NULL. */
CAROM_API carom_status carom_plot_new(carom_plot **out, const char *const *files, size_t count,
                                      const carom_plot_options *options);
CAROM_API void carom_plot_free(carom_plot *plot);
CAROM_API const char *carom_plot_message(const carom_plot *plot);

/* Draws to a file that ends in .svg, .pdf or .png. *json, unless json is NULL, says what is drawn, in one object;
 * caller frees. CAROM_NO_CREATE where the file exists and !force, CAROM_USAGE where carom was built without cairo. */
CAROM_API carom_status carom_plot_write(carom_plot *plot, const char *target, bool force, char **json);

enum { CAROM_RENDER_SUITS = -1, CAROM_RENDER_LAST = -2, CAROM_RENDER_ALL = -3 };

typedef struct carom_render_options {
    int64_t frame;      /* its number, from 0; CAROM_RENDER_LAST, CAROM_RENDER_ALL; CAROM_RENDER_SUITS: the last in a
                        * picture, all in movies and in files a frame */
    int width, height;  /* in pixels; 0, 0: as suits the scene */
    const char *colour; /* by "species", "speed", "cluster", "molecule", "strain" or "layers"; NULL: as suits */
    bool turned;        /* the angles are given */
    double azimuth, elevation; /* degrees: the eye goes round to the right, and up; 0, 0: along the second axis (where
                                * the third points up) */
    double zoom;               /* 0 or 1: all is in sight */
    double rate;               /* frames a second of a movie; 0: as suits */
    bool dark;                 /* light on dark */
    const char *meshes; /* "solid", "transparent", "edges" or "hidden"; NULL: as the scene's view says, else solid */
    bool whole;         /* molecules and clusters in one piece, outside the box where they cross a periodic boundary */
    bool unshaded;      /* hollows get as much light as all else (3 dimensions) */
} carom_render_options;

/* Draws a result's bodies, to a picture (.png), a movie (.mp4, by ffmpeg) or a picture a frame ("frames-%d.png").
 * *json, unless json is NULL, says what was drawn, in one object; caller frees. CAROM_USAGE, CAROM_BAD_DATA (no
 * frames), CAROM_NO_CREATE, CAROM_IO. options may be NULL. */
CAROM_API carom_status carom_file_render(carom_file *file, const char *target, bool force,
                                         const carom_render_options *options, char **json);

/* ---- Sweeps: one scene over seeds and parameters ----------------------------------------------------------------- */

typedef struct carom_sweep carom_sweep;

CAROM_API carom_sweep *carom_sweep_new(void); /* NULL when there is no memory */
CAROM_API void carom_sweep_free(carom_sweep *sweep);

/* Reads and checks a sweep (docs/sweep.md), and its scene at every point of the parameters. */
CAROM_API carom_status carom_sweep_load(carom_sweep *sweep, const char *path);
CAROM_API const char *carom_sweep_message(const carom_sweep *sweep);

/* What a loaded sweep says. Points count from 0, the last parameter varying fastest; every seed runs at every point. */
CAROM_API const char *carom_sweep_scene(const carom_sweep *sweep); /* the scene's file */
CAROM_API bool carom_sweep_keeps_results(const carom_sweep *sweep);
CAROM_API size_t carom_sweep_point_count(const carom_sweep *sweep);
CAROM_API size_t carom_sweep_seed_count(const carom_sweep *sweep);
CAROM_API uint64_t carom_sweep_seed(const carom_sweep *sweep, size_t index);
CAROM_API size_t carom_sweep_parameter_count(const carom_sweep *sweep);
CAROM_API const char *carom_sweep_parameter(const carom_sweep *sweep, size_t parameter); /* a key of the scene */
CAROM_API const char *carom_sweep_value(const carom_sweep *sweep, size_t point, size_t parameter);
CAROM_API const char *carom_sweep_set(const carom_sweep *sweep, size_t point, size_t parameter); /* the value as YAML */
/* A digest of the files of meshes and particles that the scene of a point names; 0: it names none, or one cannot be
 * read. */
CAROM_API uint64_t carom_sweep_inputs(const carom_sweep *sweep, size_t point);

/* Dotted paths into the JSON summary of a run. `chosen`: the sweep lists them; else they are the usual ones, of which a
 * scene may give only some. */
CAROM_API size_t carom_sweep_measure_count(const carom_sweep *sweep);
CAROM_API const char *carom_sweep_measure(const carom_sweep *sweep, size_t index);
CAROM_API bool carom_sweep_measures_chosen(const carom_sweep *sweep);

/* All that decides on the numbers of the runs - the parameters and the scene, not the seeds - in one text, and the
 * first key in which another such text differs (NULL: in none; caller frees). */
CAROM_API const char *carom_sweep_record(const carom_sweep *sweep);
CAROM_API carom_status carom_sweep_difference(carom_sweep *sweep, const char *record, char **key);

/* Statistics of numbers, which are sorted on the way. The deviation is that of a sample (divided by count - 1), the
 * error of the mean deviation / sqrt(count). The quantile p is interpolated linearly between the order statistics
 * around (count - 1) p, counted from 0. What there are too few numbers for is NAN. */
typedef struct carom_statistics {
    size_t count;
    double mean, deviation, error;
    double least, quantile_05, quantile_25, median, quantile_75, quantile_95, greatest;
} carom_statistics;
CAROM_API carom_statistics carom_statistics_of(double *values, size_t count);

/* ---- Shapes of clusters ---------------------------------------------------------------------------------------- */

typedef struct carom_shape carom_shape;

enum { CAROM_SHAPE_LAST = -1, CAROM_SHAPE_ALL = -2, CAROM_SHAPE_LARGEST = -3, CAROM_SHAPE_TOGETHER = -4 };

typedef struct carom_shape_options {
    int64_t frame;     /* its number, from 0; CAROM_SHAPE_LAST, CAROM_SHAPE_ALL */
    int64_t cluster;   /* its id, the smallest particle id in it; CAROM_SHAPE_LARGEST, CAROM_SHAPE_ALL;
                        * CAROM_SHAPE_TOGETHER: all particles as if they were one */
    uint64_t min_size; /* smaller clusters are left out of CAROM_SHAPE_ALL, and of R_g against mass; 0: 2 */
    double gap;        /* where a file has no cluster ids, particles touch up to (1 + gap) contact distances; 0: 1e-6 */
} carom_shape_options;

/* The statistics of docs/shape.md, of the clusters of one or many results. options may be NULL: the largest cluster of
 * the last frame. On failure of carom_shape_new *out still carries the message (free it), unless it is NULL: no memory. */
CAROM_API carom_status carom_shape_new(carom_shape **out, const carom_shape_options *options);
CAROM_API void carom_shape_free(carom_shape *shape);
CAROM_API const char *carom_shape_message(const carom_shape *shape);

/* Adds the frames of a result file. CAROM_NO_INPUT, CAROM_BAD_DATA, CAROM_USAGE (no such frame or cluster). */
CAROM_API carom_status carom_shape_add(carom_shape *shape, const char *path);

/* All that was found, and statistics over it: "text", "json" or "csv" (a row a cluster). Caller frees. */
CAROM_API carom_status carom_shape_report(carom_shape *shape, const char *format, char **out);

/* ---- The live page --------------------------------------------------------------------------------------------- */

typedef struct carom_view carom_view;

typedef struct carom_view_options {
    const char *bind; /* address to listen at; requests then need the token of the URL; NULL: 127.0.0.1 */
    int port;         /* 0: one that is free */
} carom_view_options;

/* Listens. options may be NULL. CAROM_NO_CREATE (the port is in use, ...), CAROM_USAGE. On failure *out still carries
 * the message (free it), unless it is NULL: no memory. */
CAROM_API carom_status carom_view_new(carom_view **out, const carom_view_options *options);
CAROM_API void carom_view_free(carom_view *view);
CAROM_API const char *carom_view_message(const carom_view *view);

/* Where a browser finds the page. */
CAROM_API const char *carom_view_url(const carom_view *view);

/* Runs a simulation that has not ended, as carom_sim_run does, and shows it: from the first viewer on, at the pace that
 * viewers choose. The bits are those of a run without a view. Shows the end until a stop is requested. The status is
 * the run's; CAROM_EARLY where the request came before its end. A view shows one subject: CAROM_USAGE for a second. */
CAROM_API carom_status carom_view_simulate(carom_view *view, carom_sim *sim);

/* Shows the frames of a result until a stop is requested. */
CAROM_API carom_status carom_view_replay(carom_view *view, carom_file *file);

/* Async-signal-safe. */
CAROM_API void carom_view_request_stop(carom_view *view);

/* ---- Help texts (for the command, the manual and other front ends); callers free --------------------------------- */

CAROM_API carom_status carom_help(const char *topic, char **out);     /* "scene", "observables", a key path, any word */
CAROM_API carom_status carom_reference(char **out);                   /* the scene reference, Markdown */
CAROM_API carom_status carom_starter(const char *engine, char **out); /* a commented scene; "" lists them */

#ifdef __cplusplus
}
#endif
#endif
