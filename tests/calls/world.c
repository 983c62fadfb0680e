/* The objects and files of a world. */
#define _XOPEN_SOURCE 700
#include "world.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    char *bytes;
    size_t length;
    struct stat about;
} file;

static file files[] = {{.name = SCENE},     {.name = HARD_SCENE}, {.name = BAD_SCENE},  {.name = SWEEP},
                       {.name = BAD_SWEEP}, {.name = RESULT},     {.name = CHECKPOINT}, {.name = DAMAGED}};
enum { FILES = sizeof files / sizeof *files };
static char folder[] = "/tmp/carom-calls-XXXXXX";

static bool write_file(const char *name, const char *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    if (f == NULL) return false;
    const bool written = fwrite(bytes, 1, length, f) == length;
    return (fclose(f) == 0) && written;
}

static bool keep_file(file *f)
{
    FILE *in = fopen(f->name, "rb");
    if (in == NULL || fstat(fileno(in), &f->about) != 0) return false;
    f->length = (size_t)f->about.st_size;
    f->bytes = malloc(f->length + 1);
    const bool read = f->bytes != NULL && fread(f->bytes, 1, f->length, in) == f->length;
    fclose(in);
    return read;
}

static void restore_file(file *f)
{
    struct stat now;
    if (stat(f->name, &now) == 0 && now.st_ino == f->about.st_ino && now.st_size == f->about.st_size &&
        now.st_mtim.tv_sec == f->about.st_mtim.tv_sec && now.st_mtim.tv_nsec == f->about.st_mtim.tv_nsec)
        return;
    (void)remove(f->name);
    if (!write_file(f->name, f->bytes, f->length) || stat(f->name, &f->about) != 0) abort();
}

static bool make_result(void)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    const carom_options options = {.output = RESULT, .force = true};
    bool made = scene != NULL && carom_scene_load(scene, SCENE) == CAROM_OK &&
                carom_sim_new(&sim, scene, &options) == CAROM_OK && carom_sim_advance(sim, 0.5) == CAROM_OK;
    carom_sim_request_checkpoint(sim);
    made = made && carom_sim_advance(sim, 1) == CAROM_OK;
    carom_sim_request_stop(sim);
    made = made && carom_sim_run(sim) == CAROM_EARLY;
    carom_sim_free(sim);
    carom_scene_free(scene);
    return made;
}

/* Cut off half-way: HDF5 1.10 itself leaks after other damage. */
static bool make_damaged(void)
{
    file result = {.name = RESULT};
    if (!keep_file(&result)) return false;
    const bool written = write_file(DAMAGED, result.bytes, result.length / 2);
    free(result.bytes);
    return written;
}

static bool write_text(const char *name, const char *text)
{
    return write_file(name, text, strlen(text));
}

bool world_open(void)
{
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return false;
    if (!write_text(SCENE, SCENE_TEXT) || !write_text(HARD_SCENE, SCENE_OF("hard")) ||
        !write_text(BAD_SCENE, "carom: 1\nengine: none\n") ||
        !write_text(SWEEP, "carom: 1\nscene: " SCENE "\nseeds: [1, 2]\nparameters: {run.until.time: [1, 2]}\n") ||
        !write_text(BAD_SWEEP, "carom: 1\nscene: " SCENE "\nseeds: [1]\nparameters: {run.until.tim: [1, 2]}\n"))
        return false;
    if (!make_result() || !make_damaged()) return false;
    for (size_t k = 0; k < FILES; k++)
        if (!keep_file(&files[k])) return false;
    return true;
}

static int remove_file(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

void world_close(void)
{
    for (size_t k = 0; k < FILES; k++) free(files[k].bytes);
    if (chdir("/") == 0) nftw(folder, remove_file, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static struct {
    carom_scene *scene, *hard, *sound;
    carom_sim *sim;
    carom_file *file;
    carom_plot *plot;
    carom_sweep *sweep;
    carom_page *page;
    carom_shape *shape;
    carom_view *view;
    carom_compare *compare;
    carom_recording *recording; /* of `sim` */
} world;

/* From text: a call may have written to its file. */
static carom_scene *loaded(carom_scene **scene, const char *text)
{
    if (*scene != NULL) return *scene;
    *scene = carom_scene_new();
    if (carom_scene_load_text(*scene, "scene", text, strlen(text)) != CAROM_OK) abort();
    return *scene;
}

carom_scene *pick_scene(chooser *c)
{
    const size_t chosen = choose(c, 5);
    if (chosen == 0) return NULL;
    if (world.scene != NULL) return world.scene;
    world.scene = carom_scene_new();
    if (chosen == 2) (void)carom_scene_load(world.scene, BAD_SCENE);
    if (chosen == 3) (void)carom_scene_load(world.scene, HARD_SCENE);
    if (chosen == 4) (void)carom_scene_load(world.scene, SCENE);
    return world.scene;
}

void freed_scene(void)
{
    world.scene = NULL;
}

static void call_back(const carom_progress *progress, void *user)
{
    (void)progress, (void)user;
    world_call_back();
}

static double nothing(void *user, double time, const double *positions, double *forces)
{
    (void)user, (void)time, (void)positions, (void)forces;
    return (double)NAN;
}

/* Its scene is one that no call changes or frees, which a program owes it. */
static carom_sim *make_sim(size_t chosen)
{
    carom_sim *sim = NULL;
    carom_options options = {.progress = call_back};
    const carom_scene *scene = chosen == 5 ? loaded(&world.hard, SCENE_OF("hard")) : loaded(&world.sound, SCENE_TEXT);
    if (chosen == 2) options.threads = CAROM_THREADS_MOST + 1;
    if (chosen == 3) options.output = "missing/file.h5"; /* the engine is there, but no file */
    if (chosen == 6) options.output = "sim.h5";
    options.force = chosen == 6;
    (void)carom_sim_new(&sim, chosen == 1 ? NULL : scene, &options);
    if (chosen == 4) {
        const carom_potential fault = {.step = 1e-3, .force = nothing};
        (void)carom_sim_add_potential(sim, &fault);
    }
    if (chosen == 7) (void)carom_sim_run(sim);
    if (chosen == 8) (void)carom_sim_advance(sim, 0.5);
    return sim;
}

carom_sim *pick_sim(chooser *c)
{
    const size_t chosen = choose(c, 10);
    if (chosen == 0) return NULL;
    if (world.sim == NULL) world.sim = make_sim(chosen);
    return world.sim;
}

void freed_sim(void)
{
    world.sim = NULL;
    world.recording = NULL;
}

carom_recording *pick_recording(chooser *c)
{
    carom_record_options options = good_carom_record_options();
    const size_t chosen = choose(c, 3);
    if (chosen == 0) return NULL;
    if (world.sim == NULL) world.sim = make_sim(9);
    if (chosen == 1) options.species_count = 1; /* of no list */
    if (world.recording == NULL) (void)carom_sim_record(world.sim, &options, &world.recording);
    return world.recording;
}

void freed_recording(void)
{
    world.recording = NULL;
}

const carom_frame *pick_frame(chooser *c)
{
    return choose(c, 2) == 0 ? NULL : carom_sim_frame(pick_sim(c));
}

/* A copy that belongs to the caller. */
carom_frame *pick_own_frame(chooser *c)
{
    carom_frame *frame = NULL;
    (void)carom_sim_take(pick_sim(c), &frame);
    return frame;
}

void freed_frame(void)
{
}

carom_file *pick_file(chooser *c)
{
    static const char *const names[] = {NULL, NULL, "missing.h5", DAMAGED, SCENE, CHECKPOINT, RESULT};
    const size_t chosen = choose(c, 7);
    if (chosen == 0) return NULL;
    if (world.file == NULL) (void)carom_file_open(&world.file, names[chosen]);
    return world.file;
}

void freed_file(void)
{
    world.file = NULL;
}

carom_plot *pick_plot(chooser *c)
{
    static const char *const missing[] = {"missing.h5"}, *const sound[] = {RESULT};
    const size_t chosen = choose(c, 4);
    if (chosen == 0) return NULL;
    if (world.plot == NULL) (void)carom_plot_new(&world.plot, chosen == 1 ? missing : sound, chosen == 2 ? 0 : 1, NULL);
    return world.plot;
}

void freed_plot(void)
{
    world.plot = NULL;
}

carom_sweep *pick_sweep(chooser *c)
{
    static const char *const names[] = {NULL, NULL, "missing.yaml", SCENE, BAD_SWEEP, SWEEP};
    const size_t chosen = choose(c, 6);
    if (chosen == 0) return NULL;
    if (world.sweep == NULL) {
        world.sweep = carom_sweep_new();
        if (chosen > 1) (void)carom_sweep_load(world.sweep, names[chosen]);
    }
    return world.sweep;
}

void freed_sweep(void)
{
    world.sweep = NULL;
}

carom_shape *pick_shape(chooser *c)
{
    const size_t chosen = choose(c, 4);
    carom_shape_options options = good_carom_shape_options();
    if (chosen == 0) return NULL;
    if (world.shape == NULL) {
        if (chosen == 1) options.gap = -1;
        (void)carom_shape_new(&world.shape, &options);
        if (chosen == 3) (void)carom_shape_add(world.shape, RESULT);
    }
    return world.shape;
}

void freed_shape(void)
{
    world.shape = NULL;
}

carom_page *pick_page(chooser *c)
{
    const size_t chosen = choose(c, 4);
    const carom_page_options wrong = {.frames = -1};
    if (chosen == 0) return NULL;
    if (world.page == NULL) {
        (void)carom_page_new(&world.page, chosen == 1 ? &wrong : NULL);
        if (chosen == 3) (void)carom_page_record(world.page, world.sim);
    }
    return world.page;
}

void freed_page(void)
{
    world.page = NULL;
}

/* A sound one has been asked to stop, or its calls would wait for viewers. */
carom_view *pick_view(chooser *c)
{
    const size_t chosen = choose(c, 3);
    const carom_view_options wrong = {.port = -1};
    if (chosen == 0) return NULL;
    if (world.view == NULL) {
        (void)carom_view_new(&world.view, chosen == 1 ? &wrong : NULL);
        carom_view_request_stop(world.view);
    }
    return world.view;
}

void freed_view(void)
{
    world.view = NULL;
}

static void never(bool happened)
{
    if (!happened) return;
    fputs("a call from within a callback has had an effect\n", stderr);
    abort();
}

static void compare_call_back(const carom_progress *progress, void *user)
{
    char *report = NULL;
    (void)progress, (void)user;
    never(carom_compare_run(world.compare, 0) == CAROM_OK);
    never(carom_compare_report(world.compare, true, &report) == CAROM_OK);
    never(carom_compare_summary(world.compare, 0) != NULL);
    carom_compare_free(world.compare);
}

carom_compare *pick_compare(chooser *c)
{
    const size_t chosen = choose(c, 4);
    carom_compare_options options = good_carom_compare_options();
    if (chosen == 0) return NULL;
    if (world.compare == NULL) {
        if (chosen == 1) options.engine_count = 0;
        options.progress = compare_call_back;
        (void)carom_compare_new(&world.compare, &options);
        if (chosen == 3) (void)carom_compare_run(world.compare, 0);
    }
    return world.compare;
}

void freed_compare(void)
{
    world.compare = NULL;
}

/* ---- from within a callback -------------------------------------------------------------------------------------- */

void world_call_back(void)
{
    carom_sim *sim = world.sim;
    carom_potential potential = good_carom_potential();
    if (sim == NULL) return;
    never(carom_sim_run(sim) == CAROM_OK);
    never(carom_sim_advance(sim, 1) == CAROM_OK);
    never(carom_sim_run_to(sim, NULL) == CAROM_OK);
    never(carom_sim_add_potential(sim, &potential) == CAROM_OK);
    never(carom_sim_record(sim, NULL, NULL) == CAROM_OK);
    carom_recording_free(world.recording);
    never(world.view != NULL && carom_view_simulate(world.view, sim) == CAROM_OK);
    never(carom_sim_observe(sim, "{what: energy}") == CAROM_OK);
    never(carom_sim_observable(sim, 0) != NULL);
    never(carom_sim_save(sim, "callback.saved") == CAROM_OK);
    never(carom_sim_change(sim, "fields.gravity=[0, -1]") == CAROM_OK);
    never(carom_sim_set_velocities(sim, 1, (const uint32_t[]){0}, (const double[]){0, 0}) == CAROM_OK);
    never(carom_sim_remove_particles(sim, 1, (const uint32_t[]){0}) == CAROM_OK);
    never(world.page != NULL && carom_page_record(world.page, sim) == CAROM_OK);
    never(carom_sim_summary(sim) != NULL);
    never(carom_sim_message(sim) == NULL);
    (void)carom_frame_time(carom_sim_frame(sim));
    carom_frame *frame = NULL;
    (void)carom_sim_take(sim, &frame);
    carom_frame_free(frame);
    (void)carom_sim_stop(sim);
    carom_sim_request_checkpoint(sim);
    carom_sim_free(sim);
}

/* ---- after a call ------------------------------------------------------------------------------------------------ */

static bool wrong_number(const double *x, size_t count)
{
    for (size_t k = 0; x != NULL && k < count; k++)
        if (!isfinite(x[k])) return true;
    return false;
}

/* Runs on: numbers stay numbers, and a potential that returned others has its status. */
bool world_use(chooser *c)
{
    if (world.sim == NULL) return true;
    const carom_status advanced = carom_sim_advance(world.sim, 0.05), status = carom_sim_run(world.sim);
    const carom_frame *f = carom_sim_frame(world.sim);
    const size_t numbers = carom_frame_count(f) * (size_t)carom_frame_dimension(f);
    char *summary = carom_sim_summary(world.sim);
    carom_free(summary);
    if (advanced == CAROM_OK && status == CAROM_OK && f == NULL) c->failed = true;
    return !c->failed && !wrong_number(carom_frame_positions(f), numbers) &&
           !wrong_number(carom_frame_velocities(f), numbers);
}

void world_renew(void)
{
    carom_sim_free(world.sim);
    carom_scene_free(world.scene);
    carom_scene_free(world.hard);
    carom_scene_free(world.sound);
    carom_file_free(world.file);
    carom_plot_free(world.plot);
    carom_sweep_free(world.sweep);
    carom_page_free(world.page);
    carom_shape_free(world.shape);
    carom_view_free(world.view);
    carom_compare_free(world.compare);
    memset(&world, 0, sizeof world);
    for (size_t k = 0; k < FILES; k++) restore_file(&files[k]);
}
