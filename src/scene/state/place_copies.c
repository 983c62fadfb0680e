/* Copies of bodies: random places by random sequential addition of spheres around them, or listed ones. A copy may have any
 * orientation in its sphere, so that places do not depend on orientations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/periodic.h"
#include "scene/copies.h"
#include "scene/state/build.h"
#include "scene/state/region.h"

enum { TRIALS = 100000 }; /* of one copy */

/* What the copies of a body have in common. */
typedef struct template
{
    size_t body;  /* the first copy */
    mesh shape;   /* as the scene places it; vertices from the centre of mass */
    double reach; /* of the sphere around it, including half of the thickness */
    bool *barred; /* [mesh_count] */
}
template;

/* Bodies for which there is no place yet. */
typedef struct copier {
    build *b;
    template *of; /* [count]: listed places first, then larger ones first */
    size_t count;
    packing placed;        /* spheres: particles with given places, then copies, by their bodies */
    double (*position)[3]; /* [particles + bodies] */
    double *diameter;
} copier;

/* ---- Templates ---- */

static carom_status take_shape(const build *b, template *t, error *e)
{
    const scene_body *body = &b->s->bodies[t->body];
    mesh_solid solid = {0};
    double square = 0;
    t->shape = b->state->meshes[body->mesh];
    b->state->meshes[body->mesh] = (mesh){0};
    TRY(build_solid(b, body, &t->shape, &solid, e));
    for (size_t n = 0; n < t->shape.vertex_count; n++) {
        double *r = t->shape.vertices[n];
        for (int k = 0; k < 3; k++) r[k] -= solid.centre[k];
        square = fmax(square, r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    }
    t->reach = sqrt(square) + 0.5 * b->s->meshes[body->mesh].thickness;
    if (body->copies.place != PLACE_AT) TRY(region_check_copies(b, t->body, 2 * t->reach, e));
    t->barred = NEW_ARRAY(b->s->mesh_count, bool);
    return t->barred != NULL ? CAROM_OK : error_memory(e, "copies of bodies", b->s->mesh_count);
}

static bool comes_before(const build *b, const template *a, const template *other)
{
    const bool listed = b->s->bodies[a->body].copies.place == PLACE_AT;
    const bool other_listed = b->s->bodies[other->body].copies.place == PLACE_AT;
    return listed != other_listed ? listed : !listed && a->reach > other->reach;
}

static carom_status list_templates(copier *c, error *e)
{
    const build *b = c->b;
    for (size_t k = 0; k < b->s->body_count; k++) {
        if (!b->s->bodies[k].copied || b->s->bodies[k].copy > 0) continue;
        size_t at = c->count++;
        c->of[at].body = k;
        TRY(take_shape(b, &c->of[at], e));
        for (; at > 0 && comes_before(b, &c->of[at], &c->of[at - 1]); at--) {
            const template held = c->of[at];
            c->of[at] = c->of[at - 1];
            c->of[at - 1] = held;
        }
    }
    return CAROM_OK;
}

/* ---- Places ---- */

static carom_status put_copy(const build *b, const template *t, const scene_body *body, const double centre[3],
                             error *e)
{
    static const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh *m = &b->state->meshes[body->mesh];
    double attitude[3][3];
    memcpy(attitude, none, sizeof none);
    if (body->copies.orientation == ORIENTATION_RANDOM)
        build_random_rotation(b, b->state->mesh_first[body->mesh], attitude);
    mesh_append(m, &t->shape);
    TRY(mesh_done(m, e));
    mesh_place(m, centre, (const double(*)[3])attitude, 1);
    return build_check_mesh_scale(b->s, body->mesh, m, e);
}

/* The centre of a sphere that touches nothing. */
static bool find_place(const copier *c, const template *t, const scene_body *body, double centre[3])
{
    const build *b = c->b;
    const double diameter = 2 * t->reach;
    const uint32_t id = (uint32_t)b->state->mesh_first[body->mesh];
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        build_draw_place(b, &body->copies, diameter, id, trial, centre);
        if (build_is_in_box(b, centre, diameter) && build_is_free(b, centre, diameter) &&
            packing_hit(&c->placed, centre, diameter) == CELLS_END &&
            build_place_allowed(b, &body->copies, t->barred, diameter, centre))
            return true;
    }
    return false;
}

static carom_status refuse_full(const copier *c, const template *t, const scene_body *body, error *e)
{
    const scene_mesh *m = &c->b->s->meshes[body->mesh];
    return scene_refuse(scene_at(c->b->s, "bodies.%zu.copies.place", t->body), e,
                        "random placement found no place for copy %zu of %llu, mesh '%s', in %d trials: spheres of "
                        "diameter %.6g around the copies must not touch" HINT
                        "use fewer or smaller copies, or give them more room",
                        body->copy + 1, (unsigned long long)body->copies.count, m->name, TRIALS, 2 * t->reach);
}

static carom_status place_copy(copier *c, const template *t, size_t index, error *e)
{
    const build *b = c->b;
    const scene_body *body = &b->s->bodies[index];
    const size_t at = build_particles(b) + index;
    double centre[3];
    if (body->copies.place == PLACE_AT)
        memcpy(centre, body->copies.at[body->copy], sizeof centre);
    else if (!find_place(c, t, body, centre))
        return refuse_full(c, t, body, e);
    for (int k = 0; k < 3; k++)
        c->position[at][k] = b->box.periodic[k] ? periodic_image(centre[k], b->box.size[k]) : centre[k];
    packing_add(&c->placed, (uint32_t)at);
    if (body->copy % 100 == 99) TRY(build_report(b, (double)(body->copy + 1) / (double)body->copies.count, e));
    return put_copy(b, t, body, centre, e);
}

static carom_status open_packing(copier *c, error *e)
{
    const build *b = c->b;
    const size_t particles = build_particles(b), all = particles + b->s->body_count;
    c->position = memory_new(all, sizeof *c->position);
    c->diameter = NEW_ARRAY(all, double);
    if (c->position == NULL || c->diameter == NULL)
        return error_memory(e, "copies of bodies", all * (sizeof *c->position + sizeof(double)));
    memcpy(c->position, b->state->position, particles * sizeof *c->position);
    memcpy(c->diameter, b->state->diameter, particles * sizeof *c->diameter);
    for (size_t k = 0; k < b->s->body_count; k++)
        c->diameter[particles + k] = 2 * c->of[0].reach; /* other bodies: any */
    for (size_t n = 0; n < c->count; n++)
        for (size_t k = c->of[n].body; k < b->s->body_count; k++)
            if (b->s->bodies[k].copied && b->s->bodies[k].copy_of == c->of[n].body)
                c->diameter[particles + k] = 2 * c->of[n].reach;
    TRY(packing_create(&c->placed, &b->box, all, (const double(*)[3])c->position, c->diameter, b->scale, e));
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_place place = b->s->particles[entry].place;
        const bool placed =
            place != PLACE_RANDOM && place != PLACE_COMPRESS && place != PLACE_WALK && place != PLACE_INFLOW;
        for (size_t i = b->first[entry]; placed && i < b->first[entry + 1]; i++) packing_add(&c->placed, (uint32_t)i);
    }
    return CAROM_OK;
}

static carom_status place_copies(copier *c, error *e)
{
    const scene *s = c->b->s;
    TRY(list_templates(c, e)); /* then the meshes of copies are empty until they have places */
    TRY(mesh_space_create(&c->b->meshes, s, c->b->state->meshes, c->b->box.size, e));
    TRY(open_packing(c, e));
    for (size_t n = 0; n < c->count; n++) {
        const template *t = &c->of[n];
        TRY(region_bar_meshes(c->b, &s->bodies[t->body].copies, t->barred, e));
        for (size_t k = t->body; k < s->body_count; k++)
            if (s->bodies[k].copied && s->bodies[k].copy_of == t->body) TRY(place_copy(c, t, k, e));
    }
    return CAROM_OK;
}

carom_status build_copies(build *b, error *e)
{
    if (!scene_has_copies(b->s)) return CAROM_OK;
    copier c = {.b = b, .of = NEW_ARRAY(b->s->body_count, template)};
    carom_status status =
        c.of != NULL ? CAROM_OK : error_memory(e, "copies of bodies", b->s->body_count * sizeof *c.of);
    if (status == CAROM_OK) status = place_copies(&c, e);
    for (size_t n = 0; n < c.count; n++) {
        mesh_free(&c.of[n].shape);
        memory_free(c.of[n].barred);
    }
    packing_destroy(&c.placed);
    mesh_space_destroy(&b->meshes);
    memory_free(c.of);
    memory_free(c.position);
    memory_free(c.diameter);
    if (status == CAROM_OK) status = build_check_apart(b, e);
    return status == CAROM_OK ? region_check_inflows(b, e) : status;
}

/* ---- Velocities ---- */

static void add_spin(const build *b, const scene_body *from, state_body *body)
{
    double spin[3];
    if (from->copies.spin != SPIN_MAXWELL) return;
    build_thermal_spin(b, body, from->copies.spin_temperature, spin);
    for (int k = 0; k < 3; k++) body->angular_velocity[k] = from->angular_velocity[k] + spin[k];
}

carom_status build_copy_velocities(build *b, error *e)
{
    const scene *s = b->s;
    for (size_t j = 0; j < s->body_count; j++) {
        const scene_body *from = &s->bodies[j];
        if (!from->copied) continue;
        const scene_particles *p = &from->copies;
        const size_t first = b->state->mesh_first[from->mesh], end = b->state->mesh_first[from->mesh + 1];
        if (p->velocity == VELOCITY_EACH && p->each_count != 1 && p->each_count != p->count)
            return scene_refuse(scene_at(s, "bodies.%zu.copies.velocity", j), e, "%zu velocities for %llu copies",
                                p->each_count, (unsigned long long)p->count);
        build_draw_velocity(b, p, from->copy, first, b->state->bodies[j].mass);
        for (int k = 0; k < 3; k++) b->state->velocity[first][k] += s->meshes[from->mesh].velocity[k];
        for (size_t i = first + 1; i < end; i++)
            memcpy(b->state->velocity[i], b->state->velocity[first], sizeof b->state->velocity[i]);
        add_spin(b, from, &b->state->bodies[j]);
    }
    return CAROM_OK;
}
