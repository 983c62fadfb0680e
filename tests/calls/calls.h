/* Wrong calls: how the arguments of a call are chosen, and the objects they may be. generate.py writes the calls. */
#ifndef CAROM_CALLS_H
#define CAROM_CALLS_H

#include "carom/carom.h"

/* Makes the choices of a call. The last alternative of each is the sound one. */
typedef struct chooser {
    const char *calling;     /* the function */
    uint64_t random;         /* state; 0: sound choices, besides the forced ones */
    size_t position;         /* choices so far in this call */
    size_t forced[2], to[2]; /* these positions take these values */
    size_t forced_count;
    size_t alternatives; /* at the last forced position; 0: not reached */
    size_t texts;        /* texts chosen so far in this call */
    bool failed;
} chooser;

size_t choose(chooser *c, size_t alternatives);
uint64_t next_random(uint64_t *state);

/* A folder of its own, with the files that calls may name. */
bool world_open(void);
void world_close(void);
void world_renew(void);     /* frees all objects and restores the files */
bool world_use(chooser *c); /* uses the objects as a correct program does; false: they fail */

void call_begins(chooser *c);
void call_ends(chooser *c);

const char *pick_text(chooser *c);
bool pick_bool(chooser *c);
int pick_int(chooser *c);
int64_t pick_int64(chooser *c);
uint64_t pick_uint64(chooser *c);
size_t pick_index(chooser *c);
uint32_t pick_uint32(chooser *c);
carom_event_kind pick_event_kind(chooser *c);
size_t pick_few(chooser *c);
const uint32_t *pick_indices(chooser *c);
double pick_double(chooser *c);
carom_stop pick_stop(chooser *c);
void *pick_own_text(chooser *c);
void *pick_user(chooser *c);
void pick_bytes(chooser *c, const char **text, size_t *length);
void pick_texts(chooser *c, const char *const **texts, size_t *count);
void pick_particles(chooser *c, const size_t **particles, size_t *count);
void pick_numbers(chooser *c, double **values, size_t *count);
void pick_ids(chooser *c, const uint32_t **ids, size_t *count);
void pick_places(chooser *c, const double **positions, size_t *count);
const double *pick_doubles(chooser *c);
uint32_t *pick_ids_out(chooser *c);
const char *pick_entry(chooser *c);
const char *pick_change(chooser *c);

typedef void (*warning_callback)(const char *line, void *user);
typedef double (*force_callback)(void *user, double time, const double *positions, double *forces);
carom_progress_callback pick_progress(chooser *c);
warning_callback pick_warning(chooser *c);
force_callback pick_force(chooser *c);
typedef void (*events_callback)(const carom_event *events, size_t count, void *user);
events_callback pick_events_callback(chooser *c);
void pick_events(chooser *c, carom_event **events, size_t *count);

carom_options good_carom_options(void);
carom_potential good_carom_potential(void);
carom_limits good_carom_limits(void);
carom_particles good_carom_particles(void);
carom_record_options good_carom_record_options(void);
carom_cost good_carom_cost(void);
carom_point_arrays good_carom_point_arrays(void);
carom_mesh_arrays good_carom_mesh_arrays(void);
carom_plot_options good_carom_plot_options(void);
carom_render_options good_carom_render_options(void);
carom_page_options good_carom_page_options(void);
carom_shape_options good_carom_shape_options(void);
carom_view_options good_carom_view_options(void);
carom_compare_options good_carom_compare_options(void);

/* Objects of this world, each NULL, failed, spent, finished or sound; made when first chosen. */
carom_scene *pick_scene(chooser *c);
carom_sim *pick_sim(chooser *c);
const carom_frame *pick_frame(chooser *c);
carom_frame *pick_own_frame(chooser *c);
carom_file *pick_file(chooser *c);
carom_plot *pick_plot(chooser *c);
carom_sweep *pick_sweep(chooser *c);
carom_page *pick_page(chooser *c);
carom_shape *pick_shape(chooser *c);
carom_view *pick_view(chooser *c);
carom_compare *pick_compare(chooser *c);
carom_recording *pick_recording(chooser *c);
void freed_scene(void);
void freed_sim(void);
void freed_file(void);
void freed_plot(void);
void freed_sweep(void);
void freed_page(void);
void freed_shape(void);
void freed_view(void);
void freed_frame(void);
void freed_compare(void);
void freed_recording(void);

/* What a call returns is looked at: texts end, statuses exist and errors carry a message. */
void see_status(chooser *c, carom_status status, const char *message);
void see_text(chooser *c, const char *text);
void see_own_text(chooser *c, char *text);
void see_bool(chooser *c, bool value);
void see_int(chooser *c, int value);
void see_int64(chooser *c, int64_t value);
void see_uint64(chooser *c, uint64_t value);
void see_count(chooser *c, size_t value);
void see_double(chooser *c, double value);
void see_stop(chooser *c, carom_stop value);
void see_numbers(chooser *c, const double *values);
void see_frame(chooser *c, const carom_frame *frame);
void see_step(chooser *c, const carom_step *step);
void see_observable(chooser *c, const carom_observable *observable);
void see_fault(chooser *c, const carom_fault *fault);
void see_scene(chooser *c, carom_scene *scene);
void see_sweep(chooser *c, carom_sweep *sweep);
void see_statistics(chooser *c, carom_statistics statistics);

#endif
