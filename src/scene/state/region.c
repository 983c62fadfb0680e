#include "scene/state/region.h"

#include <math.h>

#include "geometry/ball.h"
#include "mesh/topology.h"

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

/* Length and direction of the axis of a cylinder. */
static double axis_of(const scene_region *region, double axis[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) square += (region->to[k] - region->from[k]) * (region->to[k] - region->from[k]);
    const double length = sqrt(square);
    for (int k = 0; k < 3; k++) axis[k] = (region->to[k] - region->from[k]) / length;
    return length;
}

bool region_holds(const scene_region *region, int dimension, const double r[3], double radius)
{
    double axis[3], along = 0, square = 0;
    if (region->kind == REGION_BOX)
        for (int k = 0; k < dimension; k++)
            if (r[k] - radius < region->from[k] || r[k] + radius > region->to[k]) return false;
    if (region->kind == REGION_ALL || region->kind == REGION_BOX) return true;
    for (int k = 0; k < dimension; k++) square += (r[k] - region->from[k]) * (r[k] - region->from[k]);
    const double room = region->radius - radius;
    if (region->kind == REGION_BALL) return room >= 0 && square <= room * room;
    const double length = axis_of(region, axis);
    for (int k = 0; k < 3; k++) along += (r[k] - region->from[k]) * axis[k];
    return room >= 0 && along >= radius && along <= length - radius && square - along * along <= room * room;
}

bool region_range(const scene_region *region, int k, double radius, double *low, double *high)
{
    double axis[3], reach = region->radius;
    if (region->kind == REGION_ALL) return false;
    *low = *high = region->from[k];
    if (region->kind == REGION_BALL) {
        reach -= radius;
    } else {
        *low = fmin(region->from[k], region->to[k]);
        *high = fmax(region->from[k], region->to[k]);
    }
    if (region->kind == REGION_CYLINDER) {
        const double length = axis_of(region, axis), inset = fmin(radius, 0.5 * length) * fabs(axis[k]);
        *low += inset;
        *high -= inset;
        reach = (reach - radius) * sqrt(fmax(1 - axis[k] * axis[k], 0));
    } else if (region->kind == REGION_BOX) {
        reach = -radius;
    }
    *low -= reach;
    *high += reach;
    return true;
}

static double volume_of(const scene_region *region, int dimension)
{
    double axis[3], volume = 1;
    if (region->kind == REGION_BALL) return ball_volume(dimension, 2 * region->radius);
    if (region->kind == REGION_CYLINDER) return axis_of(region, axis) * ball_volume(2, 2 * region->radius);
    for (int k = 0; k < dimension; k++) volume *= region->to[k] - region->from[k];
    return volume;
}

/* ---- the initial state ------------------------------------------------------------------------------------------- */

static carom_status check_closed(const build *b, size_t entry, size_t which, const char *side, error *e)
{
    bool closed = true;
    if (which == SIZE_MAX) return CAROM_OK;
    TRY(mesh_is_closed(&b->state->meshes[which], &closed, e));
    if (closed) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                        "particles are to be %s of mesh '%s', which is not closed: it has edges with a "
                        "triangle on one side only, or triangles that face different ways",
                        side, b->s->meshes[which].name);
}

static double largest_of(const build *b, size_t entry)
{
    double most = 0;
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++) most = fmax(most, b->state->diameter[i]);
    return most;
}

/* Random placement reaches no higher packing fraction than compression. */
static carom_status check_room(const build *b, size_t entry, error *e)
{
    const scene_region *region = &b->s->particles[entry].region;
    const double room = volume_of(region, b->s->dimension), most = scene_densest_packing(b->s->dimension);
    double taken = 0;
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++)
        taken += ball_volume(b->s->dimension, b->state->diameter[i]) * scene_fullness(b->s, b->state->species[i]);
    if (taken <= most * room || build_count(b, entry) == 1 || build_is_clump(b, entry)) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                        "%zu particles fill %.3g times the volume of their region: use fewer or smaller particles, or "
                        "a larger region",
                        build_count(b, entry), taken / room);
}

static carom_status check_region(const build *b, size_t entry, error *e)
{
    const scene_region *region = &b->s->particles[entry].region;
    const double widest = largest_of(b, entry);
    const scene_spot at = scene_at(b->s, "particles.%zu.place", entry);
    if (b->scale < 1)
        return scene_refuse(at, e, "particles placed by compression end up anywhere: a region needs other places");
    for (int k = 0; k < b->s->dimension; k++) {
        double low, high;
        region_range(region, k, 0, &low, &high);
        if (b->s->box.boundary[k] != BOUNDARY_OPEN && (low >= b->box.size[k] || high <= 0))
            return scene_refuse(at, e, "the region lies outside the box: along %c from %.6g to %.6g", "xyz"[k], low,
                                high);
        region_range(region, k, 0.5 * widest, &low, &high);
        if (low > high)
            return scene_refuse(at, e, "a particle of diameter %.6g does not fit into the region along %c", widest,
                                "xyz"[k]);
    }
    return check_room(b, entry, e);
}

carom_status region_check(const build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_particles *p = &b->s->particles[entry];
        TRY(check_closed(b, entry, p->inside, "inside", e));
        TRY(check_closed(b, entry, p->outside, "outside", e));
        if (p->region.kind != REGION_ALL && build_count(b, entry) > 0) TRY(check_region(b, entry, e));
    }
    return CAROM_OK;
}

/* Whether mesh `outer` encloses mesh `inner`; the two do not intersect. */
static bool goes_round(const build *b, size_t outer, size_t inner)
{
    const mesh *m = &b->state->meshes[inner];
    return m->vertex_count > 0 && mesh_space_encloses(&b->meshes, outer, m->vertices[0]);
}

carom_status region_bar_meshes(const build *b, size_t entry, bool *barred, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    for (size_t k = 0; k < b->s->mesh_count; k++) {
        bool closed = k == p->outside;
        barred[k] = false;
        if (k == p->inside) continue;
        if (b->s->meshes[k].rigid && !closed) TRY(mesh_is_closed(&b->state->meshes[k], &closed, e));
        barred[k] = closed && (p->inside == SIZE_MAX || k == p->outside || !goes_round(b, k, p->inside));
    }
    return CAROM_OK;
}
