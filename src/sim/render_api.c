/* Pictures of frames of carom.h. */
#include <string.h>

#include "base/memory.h"
#include "output/results/export_frame.h"
#include "output/results/json_text.h"
#include "sim/file_api.h"
#include "sim/scene_api.h"
#include "sim/sim.h"
#include "sim/view_api.h"
#include "view/render/render.h"

static void planes_at(const void *world, double time, view_plane *planes, size_t count)
{
    scene_planes_at(world, time, planes, count);
}

static carom_status read_options(const carom_render_options *o, const scene *s, render_options *chosen, error *e)
{
    int by = 0;
    while (o->colour != NULL && by < RENDER_BYS && strcmp(render_by_names[by], o->colour) != 0) by++;
    if (by == RENDER_BYS)
        return error_set(e, CAROM_USAGE,
                         "error: colours: expected species, speed, cluster, molecule, strain or layers, found '%s'",
                         o->colour);
    mesh_style look = o->meshes == NULL ? mesh_style_of(s) : MESH_SOLID;
    while (o->meshes != NULL && look < MESH_STYLES && strcmp(mesh_style_names[look], o->meshes) != 0) look++;
    if (look == MESH_STYLES)
        return error_set(e, CAROM_USAGE, "error: meshes: expected solid, transparent, edges or hidden, found '%s'",
                         o->meshes);
    if (o->frame < CAROM_RENDER_ALL || !(o->zoom >= 0) || o->zoom > 1e6 || !(o->rate >= 0) || o->rate > 1000)
        return error_set(e, CAROM_USAGE, "error: frame, zoom or rate is out of range");
    *chosen = (render_options){.frame = o->frame,
                               .width = o->width,
                               .height = o->height,
                               .by = (render_by)by,
                               .dark = o->dark,
                               .meshes = look,
                               .whole = o->whole || (s != NULL && s->view.whole),
                               .unshaded = o->unshaded,
                               .camera = camera_of(s),
                               .plane_count = s != NULL ? s->plane_count : 0,
                               .planes_at = planes_at,
                               .world = s,
                               .exact = view_exact_of(s),
                               .rate = o->rate};
    if (o->turned) chosen->camera.azimuth = o->azimuth;
    if (o->turned) chosen->camera.elevation = o->elevation;
    if (o->zoom > 0) chosen->camera.zoom = o->zoom;
    return CAROM_OK;
}

static carom_status report_json(const render_report *report, const char *target, char **out, error *e)
{
    json_text j = {0};
    json_open(&j, '{');
    json_key(&j, "picture");
    json_word(&j, target);
    json_key(&j, "first");
    json_count_put(&j, report->first);
    json_key(&j, "frames");
    json_count_put(&j, report->frames);
    json_key(&j, "width");
    json_count_put(&j, (uint64_t)report->width);
    json_key(&j, "height");
    json_count_put(&j, (uint64_t)report->height);
    json_key(&j, "colour");
    json_word(&j, report->by);
    json_key(&j, "draw_s");
    json_number_put(&j, report->draw_s);
    json_key(&j, "write_s");
    json_number_put(&j, report->write_s);
    json_close(&j, '}');
    *out = j.text.data;
    if (!j.text.failed) return CAROM_OK;
    text_free(&j.text);
    *out = NULL;
    return error_memory(e, "a report", 1 << 10);
}

/* In two dimensions the camera cannot be rotated. */
static carom_status check_camera(const result_about *about, const char *name, const carom_render_options *o, error *e)
{
    const bool turned = o != NULL && o->turned && (o->azimuth != 0 || o->elevation != 0);
    if (!turned || about->dimension == 3) return CAROM_OK;
    return error_set(e, CAROM_USAGE, "error: '%s' is two-dimensional: azimuth and elevation of the camera must be 0,0",
                     name);
}

static const carom_render_options usual = {.frame = CAROM_RENDER_SUITS};

carom_status carom_file_render(carom_file *file, const char *target, bool force, const carom_render_options *options,
                               char **json)
{
    render_options chosen;
    render_report report;
    if (json != NULL) *json = NULL;
    TRY(file_need_result(file, "render"));
    NEED(file, target);
    TRY(check_camera(reader_about(file->result), reader_path(file->result), options, &file->message));
    carom_scene *loaded = stored_scene(file->result);
    const scene *s = loaded != NULL ? loaded->checked : NULL;
    carom_status status = read_options(options != NULL ? options : &usual, s, &chosen, &file->message);
    if (status == CAROM_OK) status = render_result(file->result, target, force, &chosen, &report, &file->message);
    carom_scene_free(loaded);
    return status == CAROM_OK && json != NULL ? report_json(&report, target, json, &file->message) : status;
}

/* ---- the state of a simulation ----------------------------------------------------------------------------------- */

static carom_status create_of_state(const void *self, carom_frame *f, error *e)
{
    return frame_clone(f, self, e);
}

static carom_status frame_of_state(const void *self, uint64_t index, carom_frame *f, error *e)
{
    (void)index, (void)e;
    frame_copy(f, self);
    export_true_velocities(f);
    return CAROM_OK;
}

static carom_status time_of_state(const void *self, uint64_t index, double *time, error *e)
{
    (void)index, (void)e;
    *time = ((const carom_frame *)self)->time;
    return CAROM_OK;
}

static result_about about_of_state(const carom_frame *f)
{
    result_about about = {.dimension = f->dimension, .count = f->count, .vertices = f->vertices, .frames = 1};
    memcpy(about.boundary, f->boundary, sizeof about.boundary);
    memcpy(about.gravity, f->gravity, sizeof about.gravity);
    for (size_t i = 0; i < frame_channel_count; i++) about.has[i] = frame_has(f, &frame_channels[i]);
    return about;
}

static carom_status draw_state(carom_sim *sim, const carom_frame *state, const char *target, bool force,
                               const carom_render_options *options, char **json)
{
    const scene *s = sim->scene;
    error *e = &sim->message;
    render_options chosen;
    render_report report;
    char **species = NEW_ARRAY(s->species_count, char *);
    if (species == NULL) return error_memory(e, "a picture", s->species_count * sizeof *species);
    for (size_t k = 0; k < s->species_count; k++) species[k] = s->species[k].name;
    result_about about = about_of_state(state);
    about.species = species;
    about.species_count = s->species_count;
    const render_source from = {.name = s->source,
                                .about = &about,
                                .self = state,
                                .create = create_of_state,
                                .read = frame_of_state,
                                .time = time_of_state,
                                .links = &sim->links};
    carom_status status = check_camera(&about, from.name, options, e);
    if (status == CAROM_OK) status = read_options(options, s, &chosen, e);
    if (status == CAROM_OK) status = render_frames(&from, target, force, &chosen, &report, e);
    memory_free(species);
    return status == CAROM_OK && json != NULL ? report_json(&report, target, json, e) : status;
}

carom_status carom_sim_render(carom_sim *sim, const carom_frame *frame, const char *target, bool force,
                              const carom_render_options *options, char **json)
{
    if (json != NULL) *json = NULL;
    ENTER(sim, "the simulation has not been created");
    NEED(sim, target);
    if (options == NULL) options = &usual;
    if (options->frame != CAROM_RENDER_SUITS && options->frame != CAROM_RENDER_LAST)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: a simulation has one state; frames by number are those of its result file");
    if (options->colour != NULL && strcmp(options->colour, render_by_names[RENDER_STRAIN]) == 0)
        return error_set(&sim->message, CAROM_USAGE,
                         "error: strain refers to the first frame of a result; colour by species or speed");
    carom_frame *own = NULL;
    if (frame == NULL) TRY(carom_sim_take(sim, &own));
    const carom_frame *state = frame != NULL ? frame : own;
    const carom_status status =
        frame_matches(state, &sim->frame)
            ? draw_state(sim, state, target, force, options, json)
            : error_set(&sim->message, CAROM_USAGE, "error: the frame does not have the particles of the simulation");
    carom_frame_free(own);
    return status;
}
