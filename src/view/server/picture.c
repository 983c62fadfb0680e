#include "view/server/picture.h"

#include "base/memory.h"
#include "frame/frame.h"

#include <math.h>
#include <string.h>

/* ---- what is shown --------------------------------------------------------------------------------------------- */

static size_t vertices_of(const view_subject *s)
{
    size_t vertices = 0;
    for (size_t m = 0; m < s->mesh_count; m++) vertices += s->meshes[m].vertices;
    return vertices;
}

static bool is_vertex(const view_subject *s, size_t i)
{
    for (size_t m = 0; m < s->mesh_count; m++)
        if (i >= s->meshes[m].first && i - s->meshes[m].first < s->meshes[m].vertices) return true;
    return false;
}

carom_status choice_make(view_choice *c, const view_subject *s, error *e)
{
    size_t count = s->first->count, vertices = vertices_of(s);
    *c = (view_choice){.meshes = vertices <= VIEW_POINTS / 2};
    if (!c->meshes) vertices = 0;
    size_t grains = count - vertices, most = VIEW_POINTS - vertices;
    if (s->grains_most > 0 && s->grains_most < most) most = s->grains_most;
    c->stride = grains > most ? (grains + most - 1) / most : 1;
    c->grains = (grains + c->stride - 1) / c->stride;
    c->points = c->grains + vertices;
    c->particle = NEW_ARRAY(c->points, uint32_t);
    c->first_vertex = NEW_ARRAY(vertices, uint32_t);
    if (c->particle == NULL || c->first_vertex == NULL)
        return error_memory(e, "the list of what is shown", c->points * sizeof *c->particle);
    size_t n = 0, grain = 0;
    for (size_t i = 0; i < count; i++)
        if (vertices == 0 || !is_vertex(s, i)) {
            if (grain++ % c->stride == 0) c->particle[n++] = (uint32_t)i;
        }
    for (size_t m = 0; vertices > 0 && m < s->mesh_count; m++)
        for (uint32_t v = 0; v < s->meshes[m].vertices; v++) {
            c->first_vertex[n - c->grains] = s->meshes[m].first;
            c->particle[n++] = s->meshes[m].first + v;
        }
    return CAROM_OK;
}

void choice_place(const view_choice *c, size_t n, const carom_frame *f, double place[3])
{
    const size_t d = (size_t)f->dimension, i = c->particle[n],
                 reference = n < c->grains ? i : c->first_vertex[n - c->grains];
    for (size_t k = 0; k < d; k++)
        place[k] = f->position[i * d + k] + frame_boxes_apart(f, i, reference, k) * f->box[k];
}

void choice_free(view_choice *c)
{
    memory_free(c->particle);
    memory_free(c->first_vertex);
    c->particle = c->first_vertex = NULL;
}

static void see_meshes(framing *to, const view_subject *s)
{
    const carom_frame *f = s->first;
    for (size_t m = 0; m < s->mesh_count; m++)
        for (size_t i = s->meshes[m].first; i < (size_t)s->meshes[m].first + s->meshes[m].vertices; i++)
            for (int k = 0; k < f->dimension; k++) {
                const double x = frame_unwrapped(f, i, (size_t)k);
                if (isfinite(x)) framing_widen(to, k, x - f->radius[i], x + f->radius[i]);
            }
}

framing view_framing(const view_subject *s)
{
    const carom_frame *f = s->first;
    framing seen = framing_none(), all = framing_all();
    bool *left_out = NEW_ARRAY(f->count, bool); /* otherwise vertices count as bodies */
    for (size_t m = 0; left_out != NULL && m < s->mesh_count; m++)
        memset(left_out + s->meshes[m].first, 1, s->meshes[m].vertices * sizeof *left_out);
    framing_see(&seen, f, left_out, &all);
    memory_free(left_out);
    see_meshes(&seen, s);
    for (int k = 0; k < 3; k++) {
        if (k < f->dimension && f->boundary[k] != FRAME_OPEN) framing_widen(&seen, k, 0, f->box[k]);
        if (s->camera.framed) seen.low[k] = s->camera.low[k], seen.high[k] = s->camera.high[k];
        if (!(seen.high[k] >= seen.low[k])) seen.low[k] = seen.high[k] = 0;
    }
    return seen;
}

/* ---- pictures -------------------------------------------------------------------------------------------------- */

carom_status picture_create(picture *p, const view_subject *s, const view_choice *c, error *e)
{
    *p = (picture){.dimension = s->first->dimension, .points = c->points, .plane_count = s->plane_count};
    p->cylinder_count = s->cylinder_count;
    p->outline_count = s->outlined.count;
    p->position = NEW_ARRAY(3 * c->points, double);
    p->speed = NEW_ARRAY(c->points, float);
    bool made = p->position != NULL && p->speed != NULL;
    if (s->first->cluster != NULL) {
        p->cluster = NEW_ARRAY(c->points, uint32_t);
        made = made && p->cluster != NULL;
    }
    if (s->first->present != NULL) {
        p->absent = NEW_ARRAY(c->points, uint16_t);
        made = made && p->absent != NULL;
    }
    if (s->first->layers != NULL) {
        p->layers = NEW_ARRAY(c->points, uint16_t);
        made = made && p->layers != NULL;
    }
    if (s->first->axis != NULL) {
        p->axis = memory_new(c->points, sizeof *p->axis);
        made = made && p->axis != NULL;
    }
    return made ? CAROM_OK : error_memory(e, "a frame for the page", c->points * 44);
}

bool picture_suits(const picture *p, const carom_frame *f)
{
    return p->dimension == f->dimension && (p->cluster != NULL) == (f->cluster != NULL) &&
           (p->layers != NULL) == (f->layers != NULL) && (p->absent != NULL) == (f->present != NULL) &&
           (p->axis != NULL) == (f->axis != NULL);
}

void picture_destroy(picture *p)
{
    memory_free(p->position);
    memory_free(p->speed);
    memory_free(p->cluster);
    memory_free(p->layers);
    memory_free(p->absent);
    memory_free(p->axis);
    *p = (picture){0};
}

view_moment view_moment_of(const carom_frame *f)
{
    frame_energy energy = frame_energy_of(f);
    view_moment m = {.time = f->time, .kinetic = energy.kinetic, .potential = energy.potential};
    m.stored = energy.stored;
    m.total = energy.total;
    m.events = (double)events_total(f->events);
    m.clusters = f->cluster != NULL ? (double)f->clusters : NAN;
    return m;
}

void picture_fill(picture *p, const view_choice *c, const carom_frame *f, const view_status *status)
{
    const int dimension = f->dimension;
    const double unscale = frame_true(f, 1);
    p->moment = view_moment_of(f);
    p->status = *status;
    p->status.planes = p->planes;
    for (size_t k = 0; k < p->plane_count; k++) p->planes[k] = status->planes[k];
    p->status.cylinders = p->cylinders;
    for (size_t k = 0; k < p->cylinder_count; k++) p->cylinders[k] = status->cylinders[k];
    p->status.moved = p->moved;
    for (size_t k = 0; k < p->outline_count; k++) memcpy(p->moved[k], status->moved[k], sizeof p->moved[k]);
    memcpy(p->box, f->box, sizeof p->box);
    for (size_t n = 0; n < c->points; n++) {
        size_t i = c->particle[n];
        double square = 0;
        choice_place(c, n, f, p->position + 3 * n);
        for (int k = 0; k < dimension; k++) {
            double v = f->velocity[i * (size_t)dimension + (size_t)k];
            square += v * v;
        }
        p->speed[n] = (float)(sqrt(square) * unscale);
        if (p->cluster != NULL) p->cluster[n] = f->cluster[i];
        if (p->absent != NULL) p->absent[n] = frame_is_absent(f, i);
        if (p->layers != NULL) p->layers[n] = (uint16_t)(f->layers[i] < UINT16_MAX ? f->layers[i] : UINT16_MAX);
        for (int k = 0; p->axis != NULL && k < 3; k++) p->axis[n][k] = (float)f->axis[3 * i + (size_t)k];
    }
}
