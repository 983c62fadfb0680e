/* Drives and bodies: particles that do not move each by itself. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "scene/language/reader.h"
#include "scene/language/suggest.h"

enum { NAMED = 5 };

/* Structs of `size` that begin with their name. */
typedef struct named {
    const void *list;
    size_t count, size;
    const char *kind, *key; /* "plane", which a scene has under "planes" */
} named;

/* Index of what `n` names; their count where there is none. */
static size_t find_named(reader *r, const node *n, const named *all)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "the name of a %s", all->kind);
    if (n->kind != NODE_SCALAR || n->length == 0) {
        value_refuse(r, n, wanted);
        return all->count;
    }
    suggest near = suggest_begin(n->text, n->length);
    for (size_t i = 0; i < all->count; i++) {
        const char *name = *(char *const *)((const char *)all->list + i * all->size);
        if (name == NULL) continue;
        if (node_is(n, name)) return i;
        suggest_try(&near, name);
    }
    if (near.best != NULL)
        fault_add(r->f, n, "unknown %s '%s'; did you mean '%s'?", all->kind, value_quote(r, n), near.best);
    else if (read_knows(r, all->key))
        fault_add(r->f, n, "unknown %s '%s'; it is not under '%s'", all->kind, value_quote(r, n), all->key);
    return all->count;
}

static size_t find_plane(reader *r, const node *n)
{
    const scene *s = r->s;
    return find_named(r, n, &(named){s->planes, s->plane_count, sizeof *s->planes, "plane", "planes"});
}

static size_t find_cylinder(reader *r, const node *n)
{
    const scene *s = r->s;
    return find_named(r, n, &(named){s->cylinders, s->cylinder_count, sizeof *s->cylinders, "cylinder", "cylinders"});
}

size_t read_find_mesh(reader *r, const node *n)
{
    const scene *s = r->s;
    return find_named(r, n, &(named){s->meshes, s->mesh_count, sizeof *s->meshes, "mesh", "meshes"});
}

/* Which vertices of a mesh: all, or those listed, or those in a box. */
static void read_vertices(reader *r, const node *map, const node *name, scene_drive *drive)
{
    const node *vertices = tree_get(r->t, map, "vertices"), *within = tree_get(r->t, map, "within");
    if (name == NULL && (vertices != NULL || within != NULL))
        fault_add(r->f, tree_key(r->t, vertices != NULL ? vertices : within), "missing key 'mesh': of which mesh");
    if (name == NULL) return;
    drive->mesh = read_find_mesh(r, name);
    if (vertices != NULL) drive->particles = read_numbers(r, vertices, &drive->count);
    if (within == NULL || !value_is_map(r, within, "a map of from and to")) return;
    settings_check_keys(r, within, &table_within, NULL);
    settings_read(r, &table_within, within, within, drive);
    drive->within = true;
    for (int k = 0; k < r->s->dimension; k++)
        if (drive->lowest[k] > drive->highest[k]) fault_add(r->f, within, "'to' must not be below 'from'");
}

/* A mesh needs to be told about which axis; a cylinder has its own. */
static void check_axis(reader *r, const node *n, const scene_drive *drive)
{
    static const char *const keys[] = {"axis", "through"};
    for (int k = 0; k < 2; k++) {
        const node *given = tree_get(r->t, n, keys[k]);
        if (drive->cylinder != SIZE_MAX && given != NULL)
            fault_add(r->f, tree_key(r->t, given), "a cylinder turns about its own axis: leave '%s' out", keys[k]);
        if (drive->cylinder == SIZE_MAX && given == NULL)
            settings_missing(r, n, "", settings_find(&table_turn, keys[k]));
    }
}

static void read_turn(reader *r, const node *n, const scene_drive *drive, scene_motion *piece)
{
    if (n == NULL || !value_is_map(r, n, "a map of axis, through and rate")) return;
    settings_check_keys(r, n, &table_turn, NULL);
    settings_read(r, &table_turn, n, n, piece);
    const node *axis = tree_get(r->t, n, "axis");
    const double *a = piece->axis;
    if (axis != NULL && axis->kind == NODE_LIST && a[0] == 0 && a[1] == 0 && a[2] == 0)
        fault_add(r->f, axis, "an axis of length zero has no direction");
    check_axis(r, n, drive);
    if (drive->cylinder == SIZE_MAX && drive->mesh == SIZE_MAX)
        fault_add(r->f, n, "only meshes and cylinders can be turned: give this drive a 'mesh' or a 'cylinder'");
}

static void read_oscillation(reader *r, const node *n, const scene_drive *drive, scene_motion *piece)
{
    if (n == NULL || !value_is_map(r, n, "a map of by, frequency and phase")) return;
    settings_check_keys(r, n, &table_oscillate, NULL);
    settings_read(r, &table_oscillate, n, n, piece);
    if (!(fabs(piece->phase) < 1e9)) fault_add(r->f, n, "'phase' must be less than 1e9 radians");
    if (drive->plane == SIZE_MAX && drive->cylinder == SIZE_MAX && drive->mesh == SIZE_MAX)
        fault_add(r->f, n,
                  "only planes, cylinders and meshes oscillate: give this drive a 'plane', 'cylinder' or 'mesh'");
}

static void read_piece(reader *r, const node *n, scene_drive *drive)
{
    scene_motion *piece = &drive->motion[drive->motion_count++];
    if (!value_is_map(r, n, "a map with 'time' and 'velocity'")) return;
    settings_check_keys(r, n, &table_motion, NULL);
    settings_read(r, &table_motion, n, n, piece);
    read_turn(r, tree_get(r->t, n, "turn"), drive, piece);
    read_oscillation(r, tree_get(r->t, n, "oscillate"), drive, piece);
    if (drive->motion_count < 2 || piece->time > piece[-1].time) return;
    const node *time = tree_get(r->t, n, "time");
    fault_add(r->f, time != NULL ? time : n, "'time' must be later than that of the item before, %.10g",
              piece[-1].time);
}

static void read_motion(reader *r, const node *n, scene_drive *drive)
{
    if (n == NULL || !value_is_list(r, n, "a list of {time, velocity}")) return;
    drive->motion = read_new(r, n->length, sizeof *drive->motion);
    if (drive->motion == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) read_piece(r, item, drive);
}

/* Places become velocities: the first leads from the start, after the last they stand. */
static void read_waypoint(reader *r, const node *n, scene_waypoint *last, scene_drive *drive)
{
    scene_waypoint next = *last;
    if (!value_is_map(r, n, "a map with 'time' and 'by'")) return;
    settings_check_keys(r, n, &table_path, NULL);
    settings_read(r, &table_path, n, n, &next);
    const node *time = tree_get(r->t, n, "time");
    if (!(next.time > last->time)) {
        fault_add(r->f, time != NULL ? time : n,
                  "'time' must be later than that of the item before, %.10g (the start: 0)", last->time);
        return;
    }
    scene_motion *piece = &drive->motion[drive->motion_count++];
    piece->time = last->time;
    for (int k = 0; k < 3; k++) piece->velocity[k] = (next.by[k] - last->by[k]) / (next.time - last->time);
    *last = next;
}

static void read_path(reader *r, const node *n, scene_drive *drive)
{
    scene_waypoint last = {0};
    if (n == NULL || !value_is_list(r, n, "a list of {time, by}")) return;
    if (drive->motion != NULL) {
        fault_add(r->f, n, "'motion' and 'path' exclude each other; give one");
        return;
    }
    drive->motion = read_new(r, (size_t)n->length + 1, sizeof *drive->motion);
    if (drive->motion == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_waypoint(r, item, &last, drive);
    drive->motion[drive->motion_count++].time = last.time;
}

/* Two keys of which a drive may have one. */
static void exclude(reader *r, const node *n, const char *one, const char *other)
{
    if (tree_get(r->t, n, one) != NULL && tree_get(r->t, n, other) != NULL)
        fault_add(r->f, tree_key(r->t, tree_get(r->t, n, other)), "'%s' and '%s' exclude each other; give one", one,
                  other);
}

/* What is moved. */
static void read_moved(reader *r, const node *n, scene_drive *drive)
{
    static const char *const keys[] = {"particles", "plane", "cylinder", "mesh"};
    const node *given[4];
    int count = 0;
    for (int k = 0; k < 4; k++) count += (given[k] = tree_get(r->t, n, keys[k])) != NULL;
    for (int k = 0; k < 4; k++)
        for (int other = k + 1; other < 4; other++) exclude(r, n, keys[k], keys[other]);
    if (count > 1) return;
    if (given[3] != NULL || tree_get(r->t, n, "vertices") != NULL || tree_get(r->t, n, "within") != NULL)
        read_vertices(r, n, given[3], drive);
    else if (given[0] != NULL)
        drive->particles = read_numbers(r, given[0], &drive->count);
    else if (given[1] != NULL)
        drive->plane = find_plane(r, given[1]);
    else if (given[2] != NULL)
        drive->cylinder = find_cylinder(r, given[2]);
    else
        fault_add(r->f, n, "missing key 'particles' (or 'plane', 'cylinder' or 'mesh'): what is moved");
}

/* Meshes that move by themselves. */
static void read_looked_at(reader *r, const node *n, scene_start *start)
{
    if (n == NULL || !value_is_list(r, n, "a list of names of meshes")) return;
    if (n->length == 0) fault_add(r->f, n, "no mesh is named; name some, or leave 'meshes' out for all that moves");
    start->meshes = read_new(r, n->length, sizeof *start->meshes);
    if (start->meshes == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item)) {
        const size_t mesh = read_find_mesh(r, item);
        if (mesh < r->s->mesh_count && r->s->meshes[mesh].rigid)
            fault_add(r->f, item, "mesh '%s' is `rigid`, and has no speed of its own; name one that is not",
                      r->s->meshes[mesh].name);
        start->meshes[start->mesh_count++] = mesh;
    }
}

static void read_start(reader *r, const node *n, scene_drive *drive)
{
    if (n == NULL || !value_is_map(r, n, "a map with 'when'")) return;
    const node *when = tree_get(r->t, n, "when");
    settings_check_keys(r, n, &table_start, NULL);
    if (when == NULL) settings_missing(r, n, "", settings_find(&table_start, "when"));
    if (when == NULL || !value_is_map(r, when, "a map of slower, for, every and meshes")) return;
    settings_check_keys(r, when, &table_when, NULL);
    settings_read(r, &table_start, n, n, drive);
    settings_read(r, &table_when, when, when, drive);
    read_looked_at(r, tree_get(r->t, when, "meshes"), &drive->start);
    drive->start.given = true;
    if (drive->plane != SIZE_MAX || drive->cylinder != SIZE_MAX)
        fault_add(r->f, n,
                  "only particles and meshes can wait: planes and cylinders move by the clock; leave 'start' out");
    else if (drive->motion_count == 0)
        fault_add(r->f, n,
                  "nothing begins: this drive holds still; give it a 'motion' or 'path', or leave 'start' out");
    else if (drive->start.free && drive->mesh < r->s->mesh_count && r->s->meshes[drive->mesh].rigid)
        fault_add(r->f, tree_get(r->t, n, "free"),
                  "mesh '%s' is `rigid`, and nothing but a drive moves it; leave 'free' out",
                  r->s->meshes[drive->mesh].name);
}

static void read_drive(reader *r, const node *n, scene_drive *drive)
{
    drive->plane = drive->cylinder = drive->mesh = SIZE_MAX;
    if (!value_is_map(r, n, "a map with 'name', 'particles' or 'plane', and 'motion'")) return;
    settings_check_keys(r, n, &table_drives, NULL);
    settings_read(r, &table_drives, n, n, drive);
    read_list_name(r, n, r->s->drives, sizeof *drive, drive, "drives");
    read_moved(r, n, drive);
    read_motion(r, tree_get(r->t, n, "motion"), drive);
    read_path(r, tree_get(r->t, n, "path"), drive);
    read_start(r, tree_get(r->t, n, "start"), drive);
}

void read_drives(reader *r, const node *n)
{
    r->s->drives = read_list(r, n, "a list of drives", sizeof *r->s->drives);
    if (r->s->drives == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_drive(r, item, &r->s->drives[r->s->drive_count++]);
}

/* What a mesh that is a body cannot be besides. */
static void check_solid(reader *r, const node *name, const scene_body *body)
{
    scene_mesh *m = &r->s->meshes[body->mesh];
    const bool elastic = m->stretch > 0 || m->bend > 0 || m->stretch_damping > 0 || m->bend_damping > 0;
    for (const scene_body *before = r->s->bodies; before < body; before++)
        if (before->mesh == body->mesh) fault_add(r->f, name, "mesh '%s' is body '%s' already", m->name, before->name);
    if (m->rigid)
        fault_add(r->f, name, "mesh '%s' is `rigid`, an obstacle that does not move: leave 'rigid' out there", m->name);
    if (elastic)
        fault_add(r->f, name, "mesh '%s' is elastic: leave 'stretch', 'bend' and 'damping' out there", m->name);
    if (!m->rigid && !(m->thickness > 0))
        fault_add(r->f, name, "mesh '%s' has no 'thickness', and touches nothing: give it one", m->name);
    m->solid = true;
}

/* The particles or the mesh. */
static void read_matter(reader *r, const node *n, scene_body *body)
{
    const node *particles = tree_get(r->t, n, "particles"), *mesh = tree_get(r->t, n, "mesh");
    const node *density = tree_get(r->t, n, "density");
    if (particles != NULL && mesh != NULL)
        fault_add(r->f, tree_key(r->t, mesh), "'particles' and 'mesh' exclude each other; give one");
    else if (particles == NULL && mesh == NULL)
        fault_add(r->f, n, "missing key 'particles' (or 'mesh'): what keeps its shape");
    if (particles != NULL) body->particles = read_numbers(r, particles, &body->count);
    if (body->count == 1) fault_add(r->f, particles, "a body needs two particles at least: one does not turn");
    if (particles != NULL && mesh == NULL && density != NULL)
        fault_add(r->f, tree_key(r->t, density), "particles have their own masses: leave 'density' out");
    if (mesh == NULL) return;
    if (density == NULL) fault_add(r->f, n, "missing key 'density': mass over volume of the solid inside of the mesh");
    body->mesh = read_find_mesh(r, mesh);
    if (body->mesh < r->s->mesh_count)
        check_solid(r, mesh, body);
    else
        body->mesh = SIZE_MAX;
}

static void read_body(reader *r, const node *n, scene_body *body)
{
    body->mesh = SIZE_MAX;
    if (!value_is_map(r, n, "a map with 'name', and 'particles' or 'mesh'")) return;
    settings_check_keys(r, n, &table_bodies, NULL);
    settings_read(r, &table_bodies, n, n, body);
    read_list_name(r, n, r->s->bodies, sizeof *body, body, "bodies");
    read_matter(r, n, body);
    const node *spin = tree_get(r->t, n, "angular_velocity");
    if (spin == NULL) return;
    if (r->s->dimension == 3)
        value_vector(r, spin, body->angular_velocity);
    else
        value_number(r, spin, &body->angular_velocity[2]);
}

void read_bodies(reader *r, const node *n)
{
    r->s->bodies = read_list(r, n, "a list of bodies", sizeof *r->s->bodies);
    if (r->s->bodies == NULL) return;
    for (const node *item = tree_first(r->t, n); item != NULL; item = tree_next(r->t, item))
        read_body(r, item, &r->s->bodies[r->s->body_count++]);
}

/* ---- Nothing has two owners ---- */

/* Bodies first, then drives. */
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
    if (before == now)
        fault_add(r->f, now->at, "particle %lu is listed twice", (unsigned long)particle);
    else
        fault_add(r->f, now->at, "particle %lu is in %s '%s' already", (unsigned long)particle, before->kind,
                  before->name != NULL ? before->name : "");
}

/* Sorted by particle and then by owner, those that two own stand side by side. */
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

/* Planes and cylinders have one drive at most. */
static void check_surfaces(reader *r, const node *list)
{
    const scene *s = r->s;
    const node *item = tree_first(r->t, list);
    for (size_t i = 0; i < s->drive_count; i++, item = tree_next(r->t, item))
        for (size_t j = 0; j < i; j++) {
            const scene_drive *one = &s->drives[i], *before = &s->drives[j];
            const bool plane = one->plane < s->plane_count && one->plane == before->plane;
            const bool cylinder = one->cylinder < s->cylinder_count && one->cylinder == before->cylinder;
            if (!plane && !cylinder) continue;
            const char *kind = plane ? "plane" : "cylinder";
            fault_add(r->f, tree_get(r->t, item, kind), "%s '%s' is in drive '%s' already", kind,
                      plane ? s->planes[one->plane].name : s->cylinders[one->cylinder].name,
                      before->name != NULL ? before->name : "");
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
