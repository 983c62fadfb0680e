#include "scene/copies.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

enum { DIGITS = 24 };

/* The lists of a scene with copies in the places of their templates. */
typedef struct expansion {
    scene *s;
    scene_body *bodies;
    scene_mesh *meshes;
    size_t body_count, mesh_count;
    size_t *place, *copies; /* [listed meshes]: new index of the mesh, or its first copy; number of copies, or 1 */
} expansion;

static bool has_copies(const scene_body *body)
{
    return body->copies.count > 0;
}

/* "NAME.COPY" */
static char *name_copy(const scene *s, const char *name, size_t copy)
{
    const size_t size = strlen(name) + DIGITS;
    char *text = arena_new(s->memory, size, 1);
    if (text != NULL) snprintf(text, size, "%s.%zu", name, copy);
    return text;
}

static bool open_expansion(expansion *x, scene *s)
{
    size_t more = 0;
    for (size_t k = 0; k < s->body_count; k++)
        if (has_copies(&s->bodies[k])) more += (size_t)s->bodies[k].copies.count - 1;
    *x = (expansion){.s = s,
                     .bodies = arena_new(s->memory, s->body_count + more, sizeof *x->bodies),
                     .meshes = arena_new(s->memory, s->mesh_count + more, sizeof *x->meshes),
                     .place = arena_new(s->memory, s->mesh_count, sizeof *x->place),
                     .copies = arena_new(s->memory, s->mesh_count, sizeof *x->copies)};
    return x->bodies != NULL && x->meshes != NULL && x->place != NULL && x->copies != NULL;
}

static bool expand_meshes(expansion *x)
{
    const scene *s = x->s;
    bool made = true;
    for (size_t k = 0; k < s->mesh_count; k++) x->copies[k] = 1;
    for (size_t k = 0; k < s->body_count; k++)
        if (has_copies(&s->bodies[k])) x->copies[s->bodies[k].mesh] = (size_t)s->bodies[k].copies.count;
    for (size_t k = 0; k < s->mesh_count; k++) {
        x->place[k] = x->mesh_count;
        for (size_t n = 0; n < x->copies[k]; n++) {
            scene_mesh *m = &x->meshes[x->mesh_count++];
            *m = s->meshes[k];
            m->listed = k;
        }
    }
    for (size_t k = 0; k < s->body_count && made; k++)
        for (size_t n = 0; has_copies(&s->bodies[k]) && n < s->bodies[k].copies.count && made; n++) {
            scene_mesh *m = &x->meshes[x->place[s->bodies[k].mesh] + n];
            m->copied = true;
            m->copy_of = x->place[s->bodies[k].mesh];
            m->name = name_copy(s, m->name, n);
            made = m->name != NULL;
        }
    return made;
}

static void move_index(const expansion *x, size_t *mesh)
{
    if (*mesh != SIZE_MAX) *mesh = x->place[*mesh];
}

static bool expand_bodies(expansion *x)
{
    const scene *s = x->s;
    bool made = true;
    for (size_t k = 0; k < s->body_count && made; k++) {
        const bool copied = has_copies(&s->bodies[k]);
        const size_t first = x->body_count, count = copied ? (size_t)s->bodies[k].copies.count : 1;
        for (size_t n = 0; n < count && made; n++) {
            scene_body *b = &x->bodies[x->body_count++];
            *b = s->bodies[k];
            b->listed = k;
            move_index(x, &b->mesh);
            if (!copied) continue;
            move_index(x, &b->copies.inside);
            move_index(x, &b->copies.outside);
            b->copied = true;
            b->copy_of = first;
            b->copy = n;
            b->mesh += n;
            b->name = name_copy(s, b->name, n);
            made = b->name != NULL;
        }
    }
    return made;
}

/* Conditions that name a template refer to all of its copies. */
static bool expand_condition(const expansion *x, scene_condition *when)
{
    size_t all = 0;
    if (when->mesh_count == 0) return true;
    for (size_t k = 0; k < when->mesh_count; k++) all += x->copies[when->meshes[k]];
    size_t *meshes = arena_new(x->s->memory, all, sizeof *meshes);
    if (meshes == NULL) return false;
    all = 0;
    for (size_t k = 0; k < when->mesh_count; k++)
        for (size_t n = 0; n < x->copies[when->meshes[k]]; n++) meshes[all++] = x->place[when->meshes[k]] + n;
    when->meshes = meshes;
    when->mesh_count = all;
    return true;
}

static bool expand_references(const expansion *x)
{
    scene *s = x->s;
    bool made = true;
    for (size_t k = 0; k < s->particles_count; k++) {
        move_index(x, &s->particles[k].inside);
        move_index(x, &s->particles[k].outside);
    }
    for (size_t k = 0; k < s->drive_count && made; k++) {
        move_index(x, &s->drives[k].mesh);
        made = expand_condition(x, &s->drives[k].start.when);
    }
    for (size_t k = 0; k < s->load_count; k++) move_index(x, &s->loads[k].mesh);
    for (size_t k = 0; k < x->mesh_count && made; k++)
        made = expand_condition(x, &x->meshes[k].appear.when) && expand_condition(x, &x->meshes[k].vanish.when);
    return made;
}

carom_status copies_expand(scene *s, error *e)
{
    expansion x;
    bool any = false;
    for (size_t k = 0; k < s->body_count; k++) any = any || has_copies(&s->bodies[k]);
    if (!any) return CAROM_OK;
    if (!open_expansion(&x, s) || !expand_meshes(&x) || !expand_bodies(&x) || !expand_references(&x))
        return error_memory(e, "copies of bodies", x.body_count * (sizeof(scene_body) + sizeof(scene_mesh)));
    s->bodies = x.bodies;
    s->body_count = x.body_count;
    s->meshes = x.meshes;
    s->mesh_count = x.mesh_count;
    s->expanded = true;
    return CAROM_OK;
}
