/* Final check of an initial state: all particles inside the box, no overlaps. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene/exact.h"
#include "scene/planes.h"
#include "scene/state/build.h"

/* Permitted extension of a sphere beyond a boundary, from rounding. */
static double tolerance(const build *b, const double r[3], double diameter)
{
    double longest = 0;
    for (int k = 0; k < b->s->dimension; k++) longest = fmax(longest, fmax(b->box.size[k], fabs(r[k])));
    return fmax(1e-12 * diameter, 4 * DBL_EPSILON * longest);
}

static void report_outside(const build *b, const build_who *who, const double r[3], double diameter, double depth,
                           const char *surface, error *e)
{
    char z[40] = "";
    if (b->s->dimension == 3) snprintf(z, sizeof z, ", %.10g", r[2]);
    scene_refuse(who->at, e, "%s at (%.10g, %.10g%s), diameter %.6g, is %.4g outside %s", who->name, r[0], r[1], z,
                 diameter, depth, surface);
}

static const char *const wall_names[6] = {"the wall at low x",  "the wall at high x", "the wall at low y",
                                          "the wall at high y", "the wall at low z",  "the wall at high z"};

/* The depth of a sphere in a wall of the box; negative: outside of it, or there is no wall. */
static double wall_depth(const build *b, int wall, const double r[3], double diameter)
{
    const int k = wall / 2;
    if (b->s->box.boundary[k] != BOUNDARY_WALL) return -INFINITY;
    return wall % 2 == 0 ? 0.5 * diameter - r[k] : r[k] + 0.5 * diameter - b->box.size[k];
}

static uint64_t check_walls(const build *b, const build_who *who, const double r[3], double diameter, uint64_t room,
                            error *e)
{
    const double slack = tolerance(b, r, diameter) + b->soft;
    uint64_t found = 0;
    for (int wall = 0; wall < 2 * b->s->dimension; wall++) {
        const double depth = wall_depth(b, wall, r, diameter);
        if (depth <= slack) continue;
        found++;
        if (found <= room) report_outside(b, who, r, diameter, depth, wall_names[wall], e);
    }
    return found;
}

bool build_is_free(const build *b, const double r[3], double diameter)
{
    const scene *s = b->s;
    bool is_free = true;
    for (size_t k = 0; k < s->plane_count && is_free; k++)
        is_free = scene_plane_height(&s->planes[k], NULL, r) >= 0.5 * diameter;
    const size_t exact = scene_exact_count(s);
    for (size_t k = 0; k < exact && is_free; k++) {
        const scene_exact one = scene_exact_at(s, k);
        is_free = scene_exact_height(&one, NULL, r) >= 0.5 * diameter;
    }
    return is_free;
}

enum { SURFACE_NAME = 80 };

/* The depth of a sphere in surface k: planes, then exact surfaces. Sets its name where it is positive. */
static double surface_depth(const build *b, size_t k, const double r[3], double diameter, char name[SURFACE_NAME])
{
    const scene *s = b->s;
    const bool plane = k < s->plane_count;
    scene_exact exact = {0};
    if (!plane) exact = scene_exact_at(s, k - s->plane_count);
    const double depth =
        0.5 * diameter - (plane ? scene_plane_height(&s->planes[k], NULL, r) : scene_exact_height(&exact, NULL, r));
    if (depth > 0)
        snprintf(name, SURFACE_NAME, "%s %.60s", plane ? "plane" : exact.kind->name,
                 plane ? s->planes[k].name : scene_exact_name(s, k - s->plane_count));
    return depth;
}

static uint64_t check_surfaces(const build *b, const build_who *who, const double r[3], double diameter, uint64_t room,
                               error *e)
{
    uint64_t found = 0;
    for (size_t k = 0; k + 1 < scene_surfaces(b->s); k++) {
        char surface[SURFACE_NAME];
        const double depth = surface_depth(b, k, r, diameter, surface);
        if (depth <= tolerance(b, r, diameter) + b->soft) continue;
        found++;
        if (found <= room) report_outside(b, who, r, diameter, depth, surface, e);
    }
    return found;
}

uint64_t build_check_inside(const build *b, const build_who *who, const double r[3], double diameter, uint64_t room,
                            error *e)
{
    uint64_t walls = check_walls(b, who, r, diameter, room, e);
    return walls + check_surfaces(b, who, r, diameter, walls < room ? room - walls : 0, e);
}

/* As build_check_inside, for a body that is not a sphere: with its width normal to the boundary. */
static uint64_t check_shape(const build *b, const build_who *who, size_t i, uint64_t room, error *e)
{
    const double *r = b->state->position[i];
    uint64_t found = 0;
    for (int k = 0; k < b->s->dimension; k++) {
        const double n[3] = {k == 0, k == 1, k == 2}, width = 2 * build_reach(b, i, n);
        const double out = fmax(0.5 * width - r[k], r[k] + 0.5 * width - b->box.size[k]);
        if (b->s->box.boundary[k] != BOUNDARY_WALL || out <= tolerance(b, r, width)) continue;
        if (found++ < room) report_outside(b, who, r, width, out, "a wall of the box", e);
    }
    for (size_t p = 0; p < b->s->plane_count; p++) {
        const double width = 2 * build_reach(b, i, b->s->planes[p].normal);
        const double out = 0.5 * width - scene_plane_height(&b->s->planes[p], NULL, r);
        if (out <= tolerance(b, r, width)) continue;
        char surface[SURFACE_NAME];
        snprintf(surface, sizeof surface, "plane %.60s", b->s->planes[p].name);
        if (found++ < room) report_outside(b, who, r, width, out, surface, e);
    }
    return found;
}

scene_spot build_where(const build *b, size_t i, const char *key)
{
    size_t k = 0;
    if (i >= build_particles(b)) {
        while (i >= b->state->mesh_first[k + 1]) k++;
        return scene_at(b->s, "meshes.%zu.%s", k, key);
    }
    while (i >= b->first[k + 1]) k++;
    return scene_at(b->s, "particles.%zu.%s", k, key);
}

/* Without messages if `who` is NULL and `room` is 0. */
static uint64_t check_one(const build *b, size_t i, const build_who *who, uint64_t room, error *e)
{
    if (!build_is_sphere(b, i)) return check_shape(b, who, i, room, e);
    return build_check_inside(b, who, b->state->position[i], b->scale * b->state->diameter[i], room, e);
}

static bool is_rigid_vertex(const build *b, size_t i)
{
    size_t k = 0;
    while (i >= b->state->mesh_first[k + 1]) k++;
    return b->s->meshes[k].rigid;
}

static carom_status check_inside(const build *b, error *e)
{
    uint64_t found = 0, particles = 0;
    for (size_t i = 0; i < b->state->count; i++) {
        if (i >= build_particles(b) && is_rigid_vertex(b, i)) continue; /* no boundaries apply */
        if (build_is_absent(b, i)) continue;
        const uint64_t here = check_one(b, i, NULL, 0, e);
        if (here > 0 && found < BUILD_NAMED) {
            build_who who = {.at = build_where(b, i, "place")};
            state_name(b->state, b->s, i, who.name, sizeof who.name);
            check_one(b, i, &who, BUILD_NAMED - found, e);
        }
        found += here;
        particles += here > 0;
    }
    if (found > BUILD_NAMED)
        scene_refuse(scene_whole(b->s), e, "%llu particles in all are outside walls, planes%s",
                     (unsigned long long)particles, scene_exact_words(b->s, true, ", ", " or ", "").text);
    return found > 0 ? CAROM_BAD_DATA : CAROM_OK;
}

/* Overlapping pairs, except those permitted to overlap. */
typedef struct overlaps {
    const build *b;
    packing_pair named[BUILD_NAMED];
    uint64_t found;
} overlaps;

static bool note_overlap(const packing_pair *pair, void *user)
{
    overlaps *o = user;
    if (build_may_overlap(o->b, pair->i, pair->j) || pair->distance > pair->contact - o->b->soft) return true;
    const bool spheres = build_is_sphere(o->b, pair->i) && build_is_sphere(o->b, pair->j);
    if (!spheres && build_gap(o->b, pair->i, pair->j) > -1e-12 * pair->contact) return true;
    packing_keep(o->named, BUILD_NAMED, o->found, *pair);
    return ++o->found < PACKING_MANY;
}

/* Particles that are there at the start, and their numbers. */
typedef struct present {
    size_t count;
    double (*position)[3], *diameter;
    uint32_t *number;
    overlaps *out;
} present;

static bool note_present(const packing_pair *pair, void *user)
{
    const present *p = user;
    packing_pair named = *pair;
    named.i = p->number[pair->i];
    named.j = p->number[pair->j];
    return note_overlap(&named, p->out);
}

static carom_status find_among_present(const build *b, present *p, error *e)
{
    const initial_state *state = b->state;
    for (size_t i = 0; i < build_particles(b); i++) {
        if (state->absent[i]) continue;
        memcpy(p->position[p->count], state->position[i], sizeof *p->position);
        p->diameter[p->count] = state->diameter[i];
        p->number[p->count++] = (uint32_t)i;
    }
    return packing_pairs(&b->box, p->count, (const double(*)[3])p->position, p->diameter, b->scale, note_present, p, e);
}

static carom_status find_overlaps(const build *b, overlaps *o, error *e)
{
    const initial_state *state = b->state;
    const size_t all = build_particles(b);
    if (state->absent == NULL)
        return packing_pairs(&b->box, all, (const double(*)[3])state->position, state->diameter, b->scale, note_overlap,
                             o, e);
    present p = {0, memory_new(all, sizeof *p.position), NEW_ARRAY(all, double), NEW_ARRAY(all, uint32_t), o};
    carom_status status = CAROM_OK;
    if (p.position == NULL || p.diameter == NULL || p.number == NULL)
        status = error_memory(e, "the initial state", all * sizeof *p.position);
    if (status == CAROM_OK) status = find_among_present(b, &p, e);
    memory_free(p.position);
    memory_free(p.diameter);
    memory_free(p.number);
    return status;
}

static carom_status check_overlaps(const build *b, error *e)
{
    overlaps o = {.b = b};
    TRY(find_overlaps(b, &o, e));
    if (o.found == 0) return CAROM_OK;
    for (size_t n = 0; n < o.found && n < BUILD_NAMED; n++)
        scene_refuse(build_where(b, o.named[n].i, "place"), e,
                     "particles %lu and %lu overlap: their distance is %.10g, %s at %.10g", (unsigned long)o.named[n].i,
                     (unsigned long)o.named[n].j, o.named[n].distance,
                     b->s->shaped ? "spheres around them touch" : "contact is", o.named[n].contact);
    if (o.found > BUILD_NAMED)
        scene_refuse(scene_whole(b->s), e, "%llu pairs%s overlap at the start", (unsigned long long)o.found,
                     o.found >= PACKING_MANY ? " or more" : "");
    if (b->hint[0] != '\0') scene_refuse(scene_at(b->s, "particles.%zu.place", b->hint_entry), e, "%s", b->hint);
    return CAROM_BAD_DATA;
}

/* Contacts of `variational` are compressed by at most their layers, of which the cores do not touch. */
static double softness(const build *b)
{
    double eta = scene_engine_number(b->s, "eta", -1), smallest = INFINITY, thinnest = INFINITY;
    if (eta < 0 || !state_is_given(b->s)) return 0;
    for (size_t i = 0; i < build_particles(b); i++) smallest = fmin(smallest, b->state->diameter[i]);
    for (size_t k = 0; k < b->s->mesh_count; k++)
        if (b->s->meshes[k].thickness > 0) thinnest = fmin(thinnest, b->s->meshes[k].thickness);
    if (eta == 0) eta = state_layer(smallest, thinnest);
    return STATE_COMPRESSION * 2 * eta;
}

/* The sphere that is deepest in a boundary, in units of its diameter. */
typedef struct intruder {
    size_t particle;
    double part; /* depth / diameter */
    char surface[SURFACE_NAME];
} intruder;

static void compare_depth(intruder *worst, size_t i, double part, const char *surface)
{
    if (!(part > worst->part)) return;
    worst->particle = i;
    worst->part = part;
    snprintf(worst->surface, sizeof worst->surface, "%s", surface);
}

static intruder find_intruder(const build *b)
{
    intruder worst = {0};
    for (size_t i = 0; i < build_particles(b); i++) {
        const double *r = b->state->position[i], diameter = b->state->diameter[i];
        if (build_is_absent(b, i) || !build_is_sphere(b, i)) continue;
        for (int wall = 0; wall < 2 * b->s->dimension; wall++)
            compare_depth(&worst, i, wall_depth(b, wall, r, diameter) / diameter, wall_names[wall]);
        for (size_t k = 0; k + 1 < scene_surfaces(b->s); k++) {
            char surface[SURFACE_NAME] = "";
            compare_depth(&worst, i, surface_depth(b, k, r, diameter, surface) / diameter, surface);
        }
    }
    return worst;
}

/* The default of eta depends on the smallest particle and thinnest mesh, which may differ from those of the earlier run.
 * A sphere with its centre beyond a boundary is not in a contact: the earlier run had other boundaries. */
static carom_status explain_state(const build *b, error *e)
{
    size_t k = 0;
    char name[100];
    if (!(b->soft > 0)) return CAROM_BAD_DATA;
    while (b->s->particles[k].place != PLACE_FILE) k++;
    const scene_spot at = scene_at(b->s, "particles.%zu.place", k);
    if (b->files[k].clumps && !build_is_clump(b, k))
        return scene_refuse(at, e,
                            "%s holds spheres of clumps" HINT "give `clump: NAME`, the name of a template under "
                            "`clumps` with these spheres, instead of `species`",
                            b->s->particles[k].from);
    const intruder worst = find_intruder(b);
    if (worst.part <= 0.5)
        return scene_refuse(
            at, e,
            "the contacts of a stored state are compressed by as much as the `eta` of its run permits" HINT
            "give 'variational.eta' of that run (`layers.eta` in its summary)");
    state_name(b->state, b->s, worst.particle, name, sizeof name);
    return scene_refuse(at, e,
                        "%s is %.4g beyond %s with its centre, where the stored state had no such boundary" HINT
                        "give the boundaries of its run, or leave these particles out",
                        name, (worst.part - 0.5) * b->state->diameter[worst.particle], worst.surface);
}

carom_status build_check(build *b, error *e)
{
    b->soft = softness(b);
    TRY(build_check_numbers(b, e));
    TRY(build_find_owners(b, e));
    carom_status inside = check_inside(b, e);
    carom_status apart = check_overlaps(b, e);
    carom_status links = build_check_links(b, e);
    if (inside == CAROM_BAD_DATA || apart == CAROM_BAD_DATA) TRY(explain_state(b, e));
    TRY(inside);
    TRY(apart);
    return links;
}
