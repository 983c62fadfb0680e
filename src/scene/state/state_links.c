/* Springs, hinges, segments, drives and bodies of the initial state. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/pair_key.h"
#include "base/periodic.h"
#include "base/sort.h"
#include "geometry/closest.h"
#include "scene/state/build.h"

/* ---- existence of particles: if files contain the particles, the reader does not know their number --------------- */

static carom_status check_list(const build *b, const char *lists, size_t index, const char *name, const uint32_t *list,
                               size_t count, error *e)
{
    const char *what = strcmp(lists, "bodies") == 0 ? "body" : lists;
    for (size_t i = 0; i < count; i++)
        if (list[i] >= b->state->count)
            return scene_refuse(scene_at(b->s, "%s.%zu", lists, index), e,
                                "%s '%s': no particle %lu: there are %zu, numbered from 0", what, name,
                                (unsigned long)list[i], b->state->count);
    for (size_t i = 0; i < count; i++)
        if (build_is_absent(b, list[i]))
            return scene_refuse(scene_at(b->s, "%s.%zu", lists, index), e,
                                "%s '%s': particle %lu enters during the run (`inflow`) and cannot be linked", what,
                                name, (unsigned long)list[i]);
    return CAROM_OK;
}

static void note(carom_status *all, carom_status now)
{
    if (*all == CAROM_OK) *all = now;
}

carom_status build_check_numbers(const build *b, error *e)
{
    const scene *s = b->s;
    carom_status all = CAROM_OK;
    for (size_t k = 0; k < s->springs_count; k++)
        note(&all, check_list(b, "springs", k, s->springs[k].name, s->springs[k].pairs[0], 2 * s->springs[k].count, e));
    for (size_t k = 0; k < s->hinges_count; k++)
        note(&all, check_list(b, "hinges", k, s->hinges[k].name, s->hinges[k].triples[0], 3 * s->hinges[k].count, e));
    for (size_t k = 0; k < s->rods_count; k++)
        note(&all, check_list(b, "rods", k, s->rods[k].name, s->rods[k].particles, s->rods[k].count, e));
    for (size_t k = 0; k < s->segments_count; k++)
        note(&all,
             check_list(b, "segments", k, s->segments[k].name, s->segments[k].pairs[0], 2 * s->segments[k].count, e));
    for (size_t k = 0; k < s->bonds_count; k++)
        note(&all, check_list(b, "bonds", k, s->bonds[k].name, s->bonds[k].pairs[0], 2 * s->bonds[k].count, e));
    note(&all, build_drives(b, e));
    for (size_t k = 0; k < s->body_count; k++)
        note(&all, check_list(b, "bodies", k, s->bodies[k].name, s->bodies[k].particles, s->bodies[k].count, e));
    if (all == CAROM_OK) note(&all, build_bodies(b, e));
    if (all == CAROM_OK) note(&all, build_loads(b, e));
    return all;
}

/* ---- Members of bodies and drives ---- */

static const char *owner_name(const build *b, uint32_t owner)
{
    const size_t bodies = b->state->body_count;
    if (owner <= b->s->body_count) return b->s->bodies[owner - 1].name;
    if (owner <= bodies) return b->s->clumps[b->state->bodies[owner - 1].template].name;
    return b->s->drives[owner - 1 - bodies].name;
}

/* The reader has checked that no particle is in two lists, except vertices of meshes. */
#define ONE_OWNER HINT "list each particle, vertex and mesh in one body or drive"

static carom_status own_bodies(const build *b, error *e)
{
    for (size_t k = b->s->body_count; k < b->state->body_count; k++)
        for (size_t n = 0; n < b->state->bodies[k].count; n++)
            b->owner[b->state->bodies[k].particles[n]] = (uint32_t)(1 + k);
    for (size_t k = 0; k < b->s->body_count; k++)
        for (size_t n = 0; n < b->state->bodies[k].count; n++) {
            const uint32_t i = b->state->bodies[k].particles[n];
            if (b->owner[i] != 0) {
                char who[160];
                state_name(b->state, b->s, i, who, sizeof who);
                return scene_refuse(scene_at(b->s, "bodies.%zu", k), e, "body '%s': %s is in '%s' already" ONE_OWNER,
                                    b->s->bodies[k].name, who, owner_name(b, b->owner[i]));
            }
            b->owner[i] = (uint32_t)(1 + k);
        }
    return CAROM_OK;
}

static carom_status own_driven(const build *b, error *e)
{
    for (size_t k = 0; k < b->state->drive_count; k++)
        for (size_t n = 0; n < b->state->drives[k].count; n++) {
            uint32_t i = b->state->drives[k].particles[n], *owner = &b->owner[i];
            if (*owner != 0) {
                char who[160];
                state_name(b->state, b->s, i, who, sizeof who);
                return scene_refuse(scene_at(b->s, "drives.%zu", k), e, "drive '%s': %s is in '%s' already" ONE_OWNER,
                                    b->s->drives[k].name, who, owner_name(b, *owner));
            }
            *owner = (uint32_t)(1 + b->state->body_count + k);
        }
    return CAROM_OK;
}

/* Particles that are free before the start of their drive belong to no drive: their overlaps are errors. */
static void disown_free(const build *b)
{
    for (size_t k = 0; k < b->state->drive_count; k++)
        for (size_t n = 0; b->s->drives[k].start.free && n < b->state->drives[k].count; n++)
            b->owner[b->state->drives[k].particles[n]] = 0;
}

carom_status build_find_owners(build *b, error *e)
{
    const scene *s = b->s;
    if (b->state->body_count + s->drive_count > 0) {
        b->owner = NEW_ARRAY(b->state->count, uint32_t);
        if (b->owner == NULL) return error_memory(e, "the bodies", b->state->count * sizeof *b->owner);
    }
    TRY(own_bodies(b, e));
    TRY(own_driven(b, e));
    disown_free(b);
    for (size_t k = 0; k < s->segments_count; k++) b->ends_count += s->segments[k].count;
    for (size_t k = 0; k < s->bonds_count; k++) b->ends_count += s->bonds[k].count;
    b->ends = NEW_ARRAY(b->ends_count, uint64_t);
    uint64_t *space = NEW_ARRAY(b->ends_count, uint64_t);
    carom_status status = CAROM_OK;
    if (b->ends == NULL || space == NULL) {
        status = error_memory(e, "segments and bonds", b->ends_count * sizeof *b->ends);
    } else {
        size_t n = 0;
        for (size_t k = 0; k < s->segments_count; k++)
            for (size_t i = 0; i < s->segments[k].count; i++)
                b->ends[n++] = pair_key(s->segments[k].pairs[i][0], s->segments[k].pairs[i][1]);
        for (size_t k = 0; k < s->bonds_count; k++)
            for (size_t i = 0; i < s->bonds[k].count; i++)
                b->ends[n++] = pair_key(s->bonds[k].pairs[i][0], s->bonds[k].pairs[i][1]);
        sort_u64(b->ends, space, n);
    }
    memory_free(space);
    return status;
}

bool build_may_overlap(const build *b, uint32_t i, uint32_t j)
{
    if (b->owner != NULL && b->owner[i] != 0 && b->owner[i] == b->owner[j]) return true;
    return pair_keys_have(b->ends, b->ends_count, i, j);
}

/* ---- Shapes ---- */

/* Vector from particle i to the nearest image of j. */
static void way_to(const build *b, uint32_t i, uint32_t j, double out[3])
{
    out[2] = 0;
    for (int k = 0; k < b->s->dimension; k++) {
        out[k] = b->state->position[j][k] - b->state->position[i][k];
        if (b->box.periodic[k]) out[k] -= nearest_periods(out[k], b->box.size[k]);
    }
}

/* A body without inertia about some axis: its particles are at one point or, in 3D, on one line. */
static carom_status check_body(const build *b, const scene_body *body, error *e)
{
    double longest[3] = {0}, way[3], length2 = 0, beside2 = 0;
    for (size_t i = 1; i < body->count; i++) {
        way_to(b, body->particles[0], body->particles[i], way);
        double now = dot3(way, way);
        if (now <= length2) continue;
        length2 = now;
        for (int k = 0; k < 3; k++) longest[k] = way[k];
    }
    if (!(length2 > 0))
        return scene_refuse(scene_at(b->s, "bodies.%zu", (size_t)(body - b->s->bodies)), e,
                            "body '%s': all its particles have the same position", body->name);
    for (size_t i = 1; i < body->count; i++) {
        way_to(b, body->particles[0], body->particles[i], way);
        double along = dot3(way, longest) / length2;
        for (int k = 0; k < 3; k++) way[k] -= along * longest[k];
        beside2 = fmax(beside2, dot3(way, way));
    }
    if (b->s->dimension == 2 || beside2 > 1e-18 * length2) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "bodies.%zu", (size_t)(body - b->s->bodies)), e,
                        "body '%s': its particles lie on one line, about which it has no inertia" HINT
                        "add a particle off the line",
                        body->name);
}

static carom_status check_hinges(const build *b, const scene_hinges *hinges, error *e)
{
    for (size_t i = 0; i < hinges->count; i++)
        for (size_t k = 0; k < 2; k++) {
            double way[3] = {0};
            way_to(b, hinges->triples[i][k], hinges->triples[i][k + 1], way);
            if (dot3(way, way) > 0) continue;
            return scene_refuse(
                scene_at(b->s, "hinges.%zu", (size_t)(hinges - b->s->hinges)), e,
                "hinges '%s': particles %lu and %lu have the same position, so that the angle is undefined",
                hinges->name, (unsigned long)hinges->triples[i][k], (unsigned long)hinges->triples[i][k + 1]);
        }
    return CAROM_OK;
}

static carom_status check_bonds(const build *b, const scene_bonds *bonds, error *e)
{
    for (size_t k = 0; k < bonds->count; k++) {
        double way[3] = {0};
        const uint32_t i = bonds->pairs[k][0], j = bonds->pairs[k][1];
        way_to(b, i, j, way);
        const double length = sqrt(dot3(way, way)), slack = 1e-12 * bonds->longest;
        if (length >= bonds->shortest - slack && length <= bonds->longest + slack) continue;
        return scene_refuse(scene_at(b->s, "bonds.%zu", (size_t)(bonds - b->s->bonds)), e,
                            "bonds '%s': particles %lu and %lu are %.10g apart at the start, not between %.10g "
                            "and %.10g",
                            bonds->name, (unsigned long)i, (unsigned long)j, length, bonds->shortest, bonds->longest);
    }
    return CAROM_OK;
}

/* In two entries: the reader has checked each. No engine has both bonds and segments. */
static carom_status check_twice(const build *b, error *e)
{
    const char *lists = b->s->bonds_count > 0 ? "bonds" : "segments";
    for (size_t n = 1; n < b->ends_count; n++)
        if (b->ends[n] == b->ends[n - 1])
            return scene_refuse(scene_at(b->s, "%s", lists), e,
                                "particles %lu and %lu are a pair in two of the %s" HINT "list it once",
                                (unsigned long)(b->ends[n] >> 32), (unsigned long)(b->ends[n] & UINT32_MAX), lists);
    return CAROM_OK;
}

/* ---- overlaps of segments with particles and with each other ---- */

/* A segment, or a particle as a segment of zero length. */
typedef struct rod {
    double at[3], way[3], middle[3], radius;
    uint32_t ends[2];
    size_t of; /* index in segments; SIZE_MAX: a particle */
} rod;

typedef struct rods {
    const build *b;
    rod *list; /* segments, then particles */
    size_t segments, count;
    double (*middle)[3];
    double reach;                    /* largest half extent */
    packing_pair named[BUILD_NAMED]; /* by index in the list */
    uint64_t found;
} rods;

static double half_length(const rod *r)
{
    return 0.5 * sqrt(dot3(r->way, r->way)) + r->radius;
}

static void set_rod(const build *b, rod *r, uint32_t i, uint32_t j, double diameter, size_t of)
{
    *r = (rod){.radius = 0.5 * diameter, .ends = {i, j}, .of = of};
    way_to(b, i, j, r->way);
    for (int k = 0; k < b->s->dimension; k++) {
        r->at[k] = b->state->position[i][k];
        r->middle[k] = r->at[k] + 0.5 * r->way[k];
        if (b->box.periodic[k]) r->middle[k] = periodic_image(r->middle[k], b->box.size[k]);
    }
}

static carom_status make_rods(rods *all, error *e)
{
    const build *b = all->b;
    const scene *s = b->s;
    for (size_t k = 0; k < s->segments_count; k++) all->segments += s->segments[k].count;
    all->count = all->segments + b->state->count;
    all->list = NEW_ARRAY(all->count, rod);
    all->middle = memory_new(all->count, sizeof *all->middle);
    if (all->list == NULL || all->middle == NULL) return error_memory(e, "the segments", all->count * sizeof(rod));
    rod *next = all->list;
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t i = 0; i < s->segments[k].count; i++)
            set_rod(b, next++, s->segments[k].pairs[i][0], s->segments[k].pairs[i][1], s->segments[k].diameter, k);
    for (size_t i = 0; i < b->state->count; i++)
        set_rod(b, next++, (uint32_t)i, (uint32_t)i, b->state->diameter[i], SIZE_MAX);
    for (size_t i = 0; i < all->count; i++) {
        for (int k = 0; k < 3; k++) all->middle[i][k] = all->list[i].middle[k];
        all->reach = fmax(all->reach, half_length(&all->list[i]));
    }
    return CAROM_OK;
}

/* Pairs with a common particle, or with all particles in one body or drive. */
static bool excused(const build *b, const rod *x, const rod *y)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (x->ends[i] == y->ends[j]) return true;
    if (b->owner == NULL) return false;
    uint32_t owner = b->owner[x->ends[0]];
    return owner != 0 && owner == b->owner[x->ends[1]] && owner == b->owner[y->ends[0]] &&
           owner == b->owner[y->ends[1]];
}

/* Between nearest images of the middles, since the vectors are those of nearest images already. */
static double rod_distance(const build *b, const rod *x, const rod *y)
{
    double r[3] = {0};
    for (int k = 0; k < b->s->dimension; k++) {
        double d = x->middle[k] - y->middle[k];
        if (b->box.periodic[k]) d -= nearest_periods(d, b->box.size[k]);
        r[k] = d - 0.5 * x->way[k] + 0.5 * y->way[k];
    }
    return sqrt(segment_distance2(r, x->way, y->way));
}

static void compare_rods(rods *all, uint32_t i, uint32_t j)
{
    const rod *x = &all->list[i], *y = &all->list[j];
    double contact = x->radius + y->radius, longest = 0;
    for (int k = 0; k < all->b->s->dimension; k++) longest = fmax(longest, fmax(all->b->box.size[k], fabs(x->at[k])));
    double slack = fmax(1e-12 * contact, 4 * DBL_EPSILON * longest);
    if (excused(all->b, x, y)) return;
    double distance = rod_distance(all->b, x, y);
    if (distance < contact - slack)
        packing_keep(all->named, BUILD_NAMED, all->found++, (packing_pair){i, j, distance, contact});
}

static void report_rods(const rods *all, error *e)
{
    const scene_segments *segments = all->b->s->segments;
    for (size_t n = 0; n < all->found && n < BUILD_NAMED; n++) {
        const rod *x = &all->list[all->named[n].i], *y = &all->list[all->named[n].j];
        char other[180];
        if (y->of == SIZE_MAX)
            snprintf(other, sizeof other, "particle %lu", (unsigned long)y->ends[0]);
        else
            snprintf(other, sizeof other, "the segment of '%s' between particles %lu and %lu", segments[y->of].name,
                     (unsigned long)y->ends[0], (unsigned long)y->ends[1]);
        scene_refuse(scene_at(all->b->s, "segments.%zu", x->of), e,
                     "the segment of '%s' between particles %lu and %lu overlaps %s: their distance is "
                     "%.10g, contact is at %.10g",
                     segments[x->of].name, (unsigned long)x->ends[0], (unsigned long)x->ends[1], other,
                     all->named[n].distance, all->named[n].contact);
    }
    if (all->found > BUILD_NAMED)
        scene_refuse(scene_whole(all->b->s), e, "segments overlap others in %llu pairs at the start",
                     (unsigned long long)all->found);
}

static uint64_t check_end(const build *b, const rod *x, uint32_t end, error *e)
{
    const double *r = b->state->position[end];
    build_who who;
    if (build_check_inside(b, NULL, r, 2 * x->radius, 0, e) == 0) return 0;
    snprintf(who.name, sizeof who.name, "the end of a segment of '%s', particle %lu,", b->s->segments[x->of].name,
             (unsigned long)end);
    who.at = scene_at(b->s, "segments.%zu", x->of);
    return build_check_inside(b, &who, r, 2 * x->radius, BUILD_NAMED, e);
}

static carom_status check_ends(const rods *all, error *e)
{
    const build *b = all->b;
    uint64_t found = 0;
    for (size_t n = 0; n < all->segments && found < BUILD_NAMED; n++) {
        const rod *x = &all->list[n];
        for (int i = 0; i < 2; i++) found += check_end(b, x, x->ends[i], e);
        if (dot3(x->way, x->way) > 0) continue;
        found++;
        scene_refuse(scene_at(b->s, "segments.%zu", x->of), e,
                     "segments '%s': particles %lu and %lu have the same position", b->s->segments[x->of].name,
                     (unsigned long)x->ends[0], (unsigned long)x->ends[1]);
    }
    return found > 0 ? CAROM_BAD_DATA : CAROM_OK;
}

static carom_status search_rods(rods *all, error *e)
{
    const build *b = all->b;
    cells grid = {0};
    uint32_t *next = NEW_ARRAY(all->count, uint32_t);
    carom_status status = next != NULL ? CAROM_OK : error_memory(e, "a cell grid", all->count * sizeof *next);
    if (status == CAROM_OK) status = cells_create(&grid, &b->box, 2 * all->reach, all->count, next, e);
    for (size_t i = 0; status == CAROM_OK && i < all->count; i++) cells_add(&grid, (uint32_t)i, all->middle[i]);
    for (size_t i = 0; status == CAROM_OK && i < all->segments; i++) {
        cells_walk walk = cells_near(&grid, all->middle[i], half_length(&all->list[i]) + all->reach);
        for (uint32_t j; (j = cells_step(&walk)) != CELLS_END;)
            if (j > i) compare_rods(all, (uint32_t)i, j);
    }
    cells_destroy(&grid);
    memory_free(next);
    return status;
}

static carom_status check_segments(const build *b, error *e)
{
    rods all = {.b = b};
    carom_status status = make_rods(&all, e);
    if (status == CAROM_OK) status = check_ends(&all, e);
    if (status == CAROM_OK) status = search_rods(&all, e);
    report_rods(&all, e);
    memory_free(all.list);
    memory_free(all.middle);
    return status == CAROM_OK && all.found > 0 ? CAROM_BAD_DATA : status;
}

carom_status build_check_links(const build *b, error *e)
{
    const scene *s = b->s;
    carom_status all = CAROM_OK;
    if (b->scale < 1 && s->segments_count + s->rods_count + b->state->body_count + s->hinges_count + s->bonds_count > 0)
        return scene_refuse(
            scene_at_compression(b->s), e,
            "compression changes the positions of particles: with segments, rods, hinges, bodies or bonds "
            "use another `place`");
    for (size_t k = 0; k < s->body_count; k++)
        if (!b->state->bodies[k].solid) note(&all, check_body(b, &s->bodies[k], e));
    for (size_t k = 0; k < s->bonds_count; k++) note(&all, check_bonds(b, &s->bonds[k], e));
    note(&all, check_twice(b, e));
    for (size_t k = 0; k < s->hinges_count; k++) note(&all, check_hinges(b, &s->hinges[k], e));
    if (s->segments_count > 0) note(&all, check_segments(b, e));
    return all;
}
