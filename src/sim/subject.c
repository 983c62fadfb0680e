/* What a page shows of a simulation or a result. */
#include "base/memory.h"
#include "sim/view_api.h"

#include <math.h>

/* Meshes, segments and springs; the arrays belong to the links. */
static carom_status take_links(subject *to, const result_links *links, error *e)
{
    view_subject *s = &to->shown;
    to->meshes = NEW_ARRAY(links->meshes, view_mesh);
    if (to->meshes == NULL) return error_memory(e, "the list of meshes", links->meshes * sizeof *to->meshes);
    for (size_t m = 0; m < links->meshes; m++) {
        const result_mesh *from = &links->mesh[m];
        to->meshes[m] =
            (view_mesh){from->name,           from->first,     from->vertices, (const uint32_t(*)[3])from->triangles,
                        from->triangle_count, from->rigid != 0};
    }
    s->meshes = to->meshes;
    s->mesh_count = links->meshes;
    s->segment = (const uint32_t *const *)links->segment;
    s->segment_count = links->segments;
    s->segment_radius = links->radius;
    s->spring = (const uint32_t *const *)links->spring;
    s->spring_count = links->springs;
    return CAROM_OK;
}

static void take_surfaces(view_subject *s, const view_surfaces *surfaces)
{
    s->plane_count = surfaces->plane_count;
    s->cylinder_count = surfaces->cylinder_count;
    s->outlined = surfaces->outlined;
}

carom_status subject_of_sim(subject *to, carom_sim *sim, const view_surfaces *surfaces, error *e)
{
    const scene *s = sim->scene;
    *to = (subject){.species = NEW_ARRAY(s->species_count, const char *)};
    if (to->species == NULL) return error_memory(e, "the list of species", s->species_count * sizeof *to->species);
    for (size_t k = 0; k < s->species_count; k++) to->species[k] = s->species[k].name;
    look(sim, sim->time);
    frame_need(&sim->frame, FRAME_ALL & ~FRAME_HASH);
    to->shown = (view_subject){.title = s->title,
                               .engine = sim->engine->settings->name,
                               .step = sim->engine->single,
                               .species = to->species,
                               .species_count = s->species_count,
                               .first = &sim->frame,
                               .camera = camera_of(s),
                               .style = mesh_style_of(s),
                               .whole = s->view.whole,
                               .begin = sim->time,
                               .end = isfinite(until_time(s)) ? until_time(s) : NAN};
    take_surfaces(&to->shown, surfaces);
    return take_links(to, &sim->links, e);
}

carom_status subject_of_result(subject *to, const reader *r, const result_links *links, const scene *known,
                               const carom_frame *first, const view_surfaces *surfaces, error *e)
{
    const result_about *about = reader_about(r);
    frame_row last = {0};
    *to = (subject){0};
    TRY(reader_row(r, about->frames - 1, &last, e));
    const double begin = first->time, end = last.f.time;
    to->shown = (view_subject){.title = about->title,
                               .engine = about->engine,
                               .step = "one frame of the file",
                               .species = (const char *const *)about->species,
                               .species_count = about->species_count,
                               .first = first,
                               .camera = camera_of(known),
                               .style = mesh_style_of(known),
                               .whole = known != NULL && known->view.whole,
                               .frames = about->frames,
                               .begin = begin,
                               .end = end,
                               .speed = end > begin ? (end - begin) / (VIEW_SECONDS / 2) : INFINITY};
    take_surfaces(&to->shown, surfaces);
    return take_links(to, links, e);
}

void subject_free(subject *s)
{
    memory_free(s->meshes);
    memory_free((void *)s->species);
    *s = (subject){0};
}

carom_status moment_of_result(const reader *r, uint64_t index, view_moment *m, error *e)
{
    const result_about *about = reader_about(r);
    frame_row row = {0};
    TRY(reader_row(r, index, &row, e));
    *m = (view_moment){.time = row.f.time, .kinetic = row.kinetic, .potential = row.potential, .total = row.total};
    m->stored = frame_balance(&row.f, BALANCE_STORED, 0);
    m->events = (double)events_total(row.f.events);
    m->clusters = ABOUT_HAS(about, cluster) ? (double)(about->count - row.f.events[EVENT_MERGE]) : NAN;
    return CAROM_OK;
}
