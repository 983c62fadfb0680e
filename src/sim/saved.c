/* Saved simulations: a checkpoint without a result file. */
#include "sim/sim.h"

#include "base/memory.h"
#include "base/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char folder_part[] = "run/folder";

/* The folder of the files of the scene, absolute, so that the saved file can be read from another folder. */
static carom_status save_folder(const carom_sim *sim, snapshot *out, error *e)
{
    const char *folder = sim->scene->folder;
    char *absolute = realpath(folder != NULL && folder[0] != '\0' ? folder : ".", NULL);
    const char *text = absolute != NULL ? absolute : "";
    const carom_status status = snapshot_put(out, folder_part, SNAPSHOT_U8, strlen(text), text, e);
    free(absolute);
    return status;
}

static carom_status save(carom_sim *sim, const char *path)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    checkpoint c = {.version = (char *)carom_version(),
                    .commit = (char *)carom_commit(),
                    .scene = sim->scene->resolved,
                    .title = sim->scene->title,
                    .engine = (char *)sim->engine->settings->name,
                    .time = fmax(sim->time, sim->kernel->time(sim->gas)),
                    .particles = frame_particles(&sim->frame),
                    .events = events_total(events),
                    .collisions = events[EVENT_COLLISION]};
    look(sim, sim->time);
    carom_status status = callbacks_check(sim);
    if (status == CAROM_OK) status = files_save_state(sim, &c.state, &sim->message);
    if (status == CAROM_OK) status = population_save(sim, &c.state, &sim->message);
    if (status == CAROM_OK) status = save_folder(sim, &c.state, &sim->message);
    if (status == CAROM_OK) status = checkpoint_write(path, &c, &sim->message);
    snapshot_free(&c.state);
    return status;
}

/* A file that cannot be written leaves the simulation as it is. */
carom_status carom_sim_save(carom_sim *sim, const char *path)
{
    ENTER(sim, "the simulation has not been created");
    NEED(sim, path);
    if (scene_reads(sim->scene, path))
        return error_set(&sim->message, CAROM_USAGE,
                         "error: the saved simulation would replace '%s', an input file of the scene", path);
    sim->guard.busy = true;
    const carom_status status = save(sim, path);
    (void)guard_leave(&sim->guard, status == CAROM_IO ? CAROM_OK : status);
    return status;
}

static carom_status read_saved(checkpoint *c, const char *path, error *e)
{
    TRY(checkpoint_read(c, path, e));
    if (snapshot_find(&c->state, folder_part) != NULL) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA,
                     "error: '%s' is the checkpoint of a result file, which `carom run --resume` continues; a saved "
                     "simulation is written by carom_sim_save",
                     path);
}

static char *folder_of(const checkpoint *c)
{
    const snapshot_array *part = snapshot_find(&c->state, folder_part);
    char *folder = part->type == SNAPSHOT_U8 ? memory_new(part->count + 1, 1) : NULL;
    if (folder != NULL && part->count > 0) memcpy(folder, part->data, part->count);
    return folder;
}

carom_status carom_scene_load_saved(carom_scene *loaded, const char *path)
{
    if (loaded == NULL) return CAROM_USAGE;
    NEED(loaded, path);
    checkpoint c = {0};
    scene_unload(loaded);
    carom_status status = read_saved(&c, path, &loaded->message);
    char *folder = status == CAROM_OK ? folder_of(&c) : NULL;
    if (status == CAROM_OK && folder == NULL) status = error_memory(&loaded->message, "a path", 256);
    if (status == CAROM_OK) status = scene_load_from(loaded, path, folder, c.scene);
    memory_free(folder);
    checkpoint_free(&c);
    return status;
}

carom_status carom_sim_load(carom_sim **out, const carom_scene *loaded, const char *path, const carom_options *options)
{
    if (out == NULL) return CAROM_USAGE;
    checkpoint c = {0};
    error e = {0};
    carom_status status =
        path != NULL ? read_saved(&c, path, &e) : error_set(&e, CAROM_USAGE, "error: the argument `path` is NULL");
    if (status == CAROM_OK && options != NULL && options->resume)
        status = error_set(&e, CAROM_USAGE, "error: a saved simulation is loaded, not resumed: leave out `resume`");
    if (status == CAROM_OK) {
        status = sim_create(out, loaded, options, &c, path);
    } else {
        *out = NEW_ARRAY(1, carom_sim);
        if (*out != NULL) (*out)->message = e;
        if (*out == NULL) error_clear(&e);
    }
    checkpoint_free(&c);
    return *out != NULL ? status : CAROM_INTERNAL;
}
