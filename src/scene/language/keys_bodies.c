/* The key `bodies`, and the owners of particles: bodies and drives. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "scene/exact.h"
#include "scene/language/reader.h"

enum { NAMED = 5 }; /* number of faults of a kind that are reported individually */

/* ---- particles and mesh ---- */

WRITTEN_IF(has_mesh, scene_body, one->mesh != SIZE_MAX)

static bool has_particles(const scene *s, const void *from)
{
    return !has_mesh(s, from);
}

/* Properties that exclude a mesh as a body. */
static void check_solid(reader *r, const node *name, const scene_body *body)
{
    scene_mesh *m = &r->s->meshes[body->mesh];
    const bool elastic = m->stretch > 0 || m->bend > 0 || m->young > 0 || m->stretch_damping > 0 || m->bend_damping > 0;
    for (const scene_body *before = r->s->bodies; before < body; before++)
        if (before->mesh == body->mesh)
            fault_add(r->f, name, "mesh '%s' is body '%s' already" HINT "give this body a mesh of its own, or `copies`",
                      m->name, before->name);
    if (m->rigid)
        fault_add(r->f, name, "mesh '%s' is `rigid`, an obstacle that does not move: leave 'rigid' out there", m->name);
    if (elastic)
        fault_add(r->f, name, "mesh '%s' is elastic: leave 'stretch', 'bend', 'young' and 'damping' out there",
                  m->name);
    if (!m->rigid && !(m->thickness > 0))
        fault_add(r->f, name, "mesh '%s' has no 'thickness', and touches nothing: give it one", m->name);
    m->solid = true;
}

static void check_matter(reader *r, const node *n, scene_body *body)
{
    const node *particles = tree_get(r->t, n, "particles"), *mesh = tree_get(r->t, n, "mesh");
    const node *density = tree_get(r->t, n, "density");
    if (particles == NULL && mesh == NULL)
        fault_add(r->f, n, "missing key 'particles' (or 'mesh'): the parts of the body");
    if (body->count == 1) fault_add(r->f, particles, "a body needs at least two particles");
    if (particles != NULL && mesh == NULL && density != NULL)
        fault_add(r->f, tree_key(r->t, density), "particles have their own masses: leave 'density' out");
    if (mesh == NULL) return;
    if (density == NULL) fault_add(r->f, n, "missing key 'density': mass over volume of the solid inside of the mesh");
    if (body->mesh < r->s->mesh_count)
        check_solid(r, mesh, body);
    else
        body->mesh = SIZE_MAX;
}

/* ---- copies ---- */

WRITTEN_IF(has_copies, scene_body, one->copies.count > 0)

/* Whether a place depends on the mesh of a body. */
static bool keeps_to(const scene_particles *p, const scene_body *body)
{
    return body->mesh != SIZE_MAX && (p->inside == body->mesh || p->outside == body->mesh);
}

/* Copies have no places yet when others are placed inside or outside of meshes. */
static void refuse_vessel(reader *r, const node *copies, const scene_body *body)
{
    fault_add(r->f, tree_key(r->t, copies),
              "mesh '%s' has copies: no `place` can be 'inside' or 'outside' of it" HINT
              "name a mesh there that is one body",
              r->s->meshes[body->mesh].name);
}

static void check_copies(reader *r, const node *map, const scene_body *body)
{
    const node *copies = tree_get(r->t, map, "copies");
    const scene *s = r->s;
    if (copies == NULL) return;
    if (tree_get(r->t, map, "mesh") == NULL)
        fault_add(r->f, tree_key(r->t, copies),
                  "only a body of a mesh has copies" HINT
                  "give a 'mesh', or leave 'copies' out; many bodies of spheres "
                  "are `clumps`");
    for (size_t k = 0; k < s->particles_count; k++)
        if (keeps_to(&s->particles[k], body)) refuse_vessel(r, copies, body);
    for (size_t k = 0; k < s->body_count && body->copies.count > 0; k++) {
        const scene_body *other = &s->bodies[k];
        if (other->copies.count == 0) continue;
        if (keeps_to(&body->copies, other)) refuse_vessel(r, copies, other);
        if (other != body && keeps_to(&other->copies, body)) refuse_vessel(r, copies, body);
    }
}

/* ---- angular_velocity ---- */

static void read_spin(reader *r, const node *n, void *into)
{
    scene_body *body = into;
    if (n->key == 0) return; /* the default */
    if (r->s->dimension == 3)
        value_vector(r, n, body->angular_velocity);
    else
        value_number(r, n, &body->angular_velocity[2]);
}

static void write_spin(writer *w, const void *from)
{
    const double *spin = ((const scene_body *)from)->angular_velocity;
    if (w->s->dimension == 3)
        write_numbers(w, spin, 3);
    else
        write_number(w, spin[2]);
}

static const setting_form form_spin = {read_spin, write_spin, false};

/* ---- A body as a whole ---- */

static void begin_body(reader *r, void *filled)
{
    (void)r;
    ((scene_body *)filled)->mesh = SIZE_MAX;
}

static void finish_body(reader *r, const node *map, void *filled)
{
    read_list_name(r, map, r->s->bodies, sizeof(scene_body), filled, "bodies");
    check_matter(r, map, filled);
    check_copies(r, map, filled);
}

const setting_list list_bodies = {.wanted = "a list of bodies", .count = offsetof(scene, body_count), .silent = true};

/* clang-format off */
static const char *const spin_shapes[] = {"a number (2 dimensions)", "[x, y, z] (3 dimensions)", NULL};
static const char *const copies_shapes[] = {"{count: N, place: random, orientation: random, ...}", NULL};
static const setting bodies_entries[] = {
    {.name = "name", .type = SETTING_TEXT, .offset = offsetof(scene_body, name), .unit = "",
     .help = "name in messages"},
    {.name = "particles", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = numbers_shapes,
     .form = &form_numbers, .written = has_particles,
     .help = "the particles of the body, by their numbers; at least two"},
    {.name = "mesh", .type = SETTING_SHAPE, .offset = offsetof(scene_body, mesh), .unit = "", .fallback = "",
     .form = &form_mesh, .instead_of = "particles", .written = has_mesh,
     .help = "instead of particles: the name of a closed mesh with a thickness. Mass, centre of mass and inertia are those of the solid inside"},
    {.name = "density", .type = SETTING_REAL, .offset = offsetof(scene_body, density), .unit = "mass / volume", .fallback = "", .min = 0,
     .max = INFINITY, .above_min = true, .help = "of the solid inside of the mesh; the thickness does not count"},
    {.name = "angular_velocity", .type = SETTING_SHAPE, .unit = "1 / time", .fallback = "0", .choices = spin_shapes,
     .form = &form_spin,
     .help = "at the start, about the centre of mass; the velocity of the centre is the mean of those of the particles, or that of the mesh"},
    {.name = "copies", .type = SETTING_SHAPE, .offset = offsetof(scene_body, copies), .unit = "", .fallback = "", .choices = copies_shapes,
     .table = &table_copies, .form = &form_map, .written = has_copies,
     .help = "of a mesh: many bodies like this one, NAME.0, NAME.1, ..., each with a mesh of its own; the mesh under `meshes` is their template"},
};
const settings_table table_bodies = {TABLE_OF("bodies", scene_body, bodies_entries, "a rigid body: of particles, or of a mesh"),
                                     .wanted = "a map with 'name', and 'particles' or 'mesh'", .begin = begin_body, .finish = finish_body};
/* clang-format on */

/* ---- each particle has at most one owner ------------------------------------------------------------------------- */

/* Bodies, then drives. */
typedef struct owner {
    const char *kind, *name;
    const node *at;
    const uint32_t *particles;
    size_t count;
} owner;

static owner body_owner(reader *r, const scene_body *b, const node *item)
{
    return (owner){"body", b->name, tree_get(r->t, item, "particles"), b->particles, b->count};
}

static owner drive_owner(reader *r, const scene_drive *d, const node *item)
{
    return (owner){"drive", d->name, tree_get(r->t, item, "particles"), d->particles,
                   d->mesh == SIZE_MAX ? d->count : 0};
}

static void refuse_owner(reader *r, const owner *before, const owner *now, uint32_t particle)
{
    size_t last = now->count - 1;
    while (now->particles[last] != particle) last--;
    const node *at = numbers_item(r, now->at, last);
    if (before == now)
        fault_add(r->f, at, "particle %lu is listed twice" HINT "list it once", (unsigned long)particle);
    else
        fault_add(r->f, at, "particle %lu is in %s '%s' already" HINT "list it in one of them", (unsigned long)particle,
                  before->kind, before->name != NULL ? before->name : "");
}

/* After sorting by particle and then by owner, particles with two owners are adjacent. */
static void compare_owners(reader *r, const owner *owners, size_t count)
{
    size_t total = 0, faults_found = 0;
    for (size_t i = 0; i < count; i++) total += owners[i].count;
    uint64_t *keys = NEW_ARRAY(total, uint64_t), *space = NEW_ARRAY(total, uint64_t);
    if (keys == NULL || space == NULL) {
        r->f->no_memory = total * sizeof *keys;
    } else {
        size_t k = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t p = 0; p < owners[i].count; p++) keys[k++] = (uint64_t)owners[i].particles[p] << 32 | i;
        sort_u64(keys, space, total);
        for (k = 1; k < total && faults_found < NAMED; k++) {
            if (keys[k] >> 32 != keys[k - 1] >> 32) continue;
            refuse_owner(r, &owners[(uint32_t)keys[k - 1]], &owners[(uint32_t)keys[k]], (uint32_t)(keys[k] >> 32));
            faults_found++;
        }
    }
    memory_free(keys);
    memory_free(space);
}

/* Planes and exact surfaces have at most one drive. */
static void refuse_second(reader *r, const node *item, const char *kind, const char *name, const scene_drive *before)
{
    fault_add(r->f, tree_get(r->t, item, kind), "%s '%s' is in drive '%s' already" HINT "give one drive all motions",
              kind, name, before->name != NULL ? before->name : "");
}

static void check_surfaces(reader *r, const node *list)
{
    const scene *s = r->s;
    const node *item = tree_first(r->t, list);
    for (size_t i = 0; i < s->drive_count; i++, item = tree_next(r->t, item))
        for (size_t j = 0; j < i; j++) {
            const scene_drive *one = &s->drives[i], *before = &s->drives[j];
            const bool plane = one->plane < s->plane_count && one->plane == before->plane;
            const size_t exact = scene_drive_exact(s, one);
            if (plane)
                refuse_second(r, item, "plane", s->planes[one->plane].name, before);
            else if (exact != SIZE_MAX && exact == scene_drive_exact(s, before))
                refuse_second(r, item, scene_drive_exact_kind(one)->name, scene_exact_name(s, exact), before);
        }
}

void read_owners(reader *r, const node *root)
{
    const scene *s = r->s;
    const node *bodies = tree_get(r->t, root, "bodies"), *drives = tree_get(r->t, root, "drives");
    size_t count = 0;
    owner *owners = NEW_ARRAY(s->body_count + s->drive_count, owner);
    if (owners == NULL) {
        r->f->no_memory = (s->body_count + s->drive_count) * sizeof *owners;
        return;
    }
    const node *item = s->body_count > 0 ? tree_first(r->t, bodies) : NULL;
    for (size_t i = 0; i < s->body_count; i++, item = tree_next(r->t, item))
        owners[count++] = body_owner(r, &s->bodies[i], item);
    item = s->drive_count > 0 ? tree_first(r->t, drives) : NULL;
    for (size_t i = 0; i < s->drive_count; i++, item = tree_next(r->t, item))
        owners[count++] = drive_owner(r, &s->drives[i], item);
    compare_owners(r, owners, count);
    if (s->drive_count > 0) check_surfaces(r, drives);
    memory_free(owners);
}
