#include "scene/state/region.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "geometry/ball.h"
#include "mesh/topology.h"

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

double region_axis(const scene_region *region, double axis[3])
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
    const double length = region_axis(region, axis);
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
        const double length = region_axis(region, axis), inset = fmin(radius, 0.5 * length) * fabs(axis[k]);
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

/* ---- periodic boxes ---------------------------------------------------------------------------------------------- */

enum { IMAGES = 27 };

/* Image `n` of 27 along periodic axes: its displacement; false if it is another one as well. */
static bool image_at(const scene *s, const double size[3], int n, double away[3])
{
    for (int k = 0; k < 3; k++, n /= 3) {
        const int step = n % 3 == 2 ? -1 : n % 3;
        away[k] = 0;
        if (step == 0) continue;
        if (k >= s->dimension || s->box.boundary[k] != BOUNDARY_PERIODIC) return false;
        away[k] = step * size[k];
    }
    return true;
}

/* Of boxes and balls the image nearest to the middle is furthest inside; cylinders at an angle may hold another one. */
bool region_holds_image(const scene_region *region, const scene *s, const double size[3], const double r[3],
                        double radius)
{
    double nearest[3] = {r[0], r[1], r[2]}, low, high;
    for (int k = 0; k < s->dimension && region_range(region, k, 0, &low, &high); k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC && (low < 0 || high > size[k]))
            nearest[k] -= nearest_periods(nearest[k] - 0.5 * (low + high), size[k]);
    for (int n = 0; n < (region->kind == REGION_CYLINDER ? IMAGES : 1); n++) {
        double away[3];
        if (!image_at(s, size, n, away)) continue;
        for (int k = 0; k < 3; k++) away[k] += nearest[k];
        if (region_holds(region, s->dimension, away, radius)) return true;
    }
    return false;
}

void region_limit_range(double period, double *low, double *high)
{
    if (*high - *low < period) return;
    *low = 0;
    *high = period;
}

double region_wrap(double x, double period)
{
    if (x >= 0 && x < period) return x;
    x -= floor(x / period) * period;
    return x >= 0 && x < period ? x : 0;
}

double region_volume(const scene_region *region, int dimension)
{
    double axis[3], volume = 1;
    if (region->kind == REGION_BALL) return ball_volume(dimension, 2 * region->radius);
    if (region->kind == REGION_CYLINDER) return region_axis(region, axis) * ball_volume(2, 2 * region->radius);
    for (int k = 0; k < dimension; k++) volume *= region->to[k] - region->from[k];
    return volume;
}

/* ---- the initial state ------------------------------------------------------------------------------------------- */

static carom_status check_closed(const build *b, scene_spot at, size_t which, const char *side, error *e)
{
    bool closed = true;
    if (which == SIZE_MAX) return CAROM_OK;
    TRY(mesh_is_closed(&b->state->meshes[which], &closed, e));
    if (closed) return CAROM_OK;
    return scene_refuse(at, e,
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
    const double room = region_volume(region, b->s->dimension), most = scene_densest_packing(b->s->dimension);
    double taken = 0;
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++)
        taken += ball_volume(b->s->dimension, b->state->diameter[i]) * scene_fullness(b->s, b->state->species[i]);
    if (taken <= most * room || build_count(b, entry) == 1 || build_is_clump(b, entry)) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                        "%zu particles fill %.3g times the volume of their region: use fewer or smaller particles, or "
                        "a larger region",
                        build_count(b, entry), taken / room);
}

/* Beyond open sides a region may lie outside of the box; beyond periodic ones it continues on the other side. */
static carom_status check_within_box(const build *b, const scene_region *region, scene_spot at, error *e)
{
    const double most = 3; /* region_holds_image */
    for (int k = 0; k < b->s->dimension; k++) {
        double low = 0, high = 0;
        region_range(region, k, 0, &low, &high);
        if (b->s->box.boundary[k] != BOUNDARY_OPEN && (low >= b->box.size[k] || high <= 0))
            return scene_refuse(at, e, "the region lies outside the box: along %c from %.6g to %.6g", "xyz"[k], low,
                                high);
        const bool periodic = b->s->box.boundary[k] == BOUNDARY_PERIODIC && region->kind == REGION_CYLINDER;
        if (periodic && high - low > most * b->box.size[k])
            return scene_refuse(
                at, e,
                "the cylinder has %.3g times the periodic side along %c: a shorter one, or a box, covers "
                "the same",
                (high - low) / b->box.size[k], "xyz"[k]);
    }
    return CAROM_OK;
}

/* Whether two spheres at a distance a - b, with radii whose sum is `width`, fit into a region. A clump fits into a box if any two of
 * its spheres do; in other regions that is necessary. */
static bool pair_fits(const scene_region *region, int dimension, const double a[3], const double b[3], double width)
{
    double away[3], axis[3], square = 0, along = 0;
    for (int k = 0; k < 3; k++) away[k] = a[k] - b[k];
    for (int k = 0; k < dimension; k++) {
        square += away[k] * away[k];
        if (region->kind == REGION_BOX && fabs(away[k]) + width > region->to[k] - region->from[k]) return false;
    }
    if (region->kind == REGION_BALL) return sqrt(square) + width <= 2 * region->radius;
    if (region->kind != REGION_CYLINDER) return true;
    const double length = region_axis(region, axis);
    for (int k = 0; k < 3; k++) along += away[k] * axis[k];
    return fabs(along) + width <= length && sqrt(fmax(square - along * along, 0)) + width <= 2 * region->radius;
}

static bool clump_fits(const build *b, const scene_particles *p, const double (*arm)[3])
{
    const scene_clump *of = &b->s->clumps[p->clump];
    for (size_t i = 0; i < of->sphere_count; i++)
        for (size_t j = 0; j <= i; j++)
            if (!pair_fits(&p->region, b->s->dimension, arm[i], arm[j],
                           0.5 * (of->spheres[i].diameter + of->spheres[j].diameter)))
                return false;
    return true;
}

/* The orientation of a clump does not depend on its place. */
static carom_status check_clumps(const build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    const size_t size = scene_item_size(b->s, entry), count = build_items(b, entry);
    double(*arm)[3] = memory_new(size, sizeof *arm);
    if (arm == NULL) return error_memory(e, "the clumps", size * sizeof *arm);
    size_t n = 0;
    for (bool fits = true; fits && n < count; n += fits) {
        for (size_t m = 0; m < size; m++) build_clump_arm(b, entry, n, m, arm[m]);
        fits = clump_fits(b, p, (const double(*)[3])arm);
    }
    memory_free(arm);
    if (n == count) return CAROM_OK;
    return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                        "clump %zu of %zu of '%s', in its orientation, does not fit into the region of the inflow" HINT
                        "make the region larger, or the clumps smaller",
                        n + 1, count, b->s->clumps[p->clump].name);
}

static carom_status check_region(const build *b, size_t entry, error *e)
{
    const scene_region *region = &b->s->particles[entry].region;
    const double widest = largest_of(b, entry);
    const scene_spot at = scene_at(b->s, "particles.%zu.place", entry);
    if (b->scale < 1)
        return scene_refuse(at, e, "particles placed by compression end up anywhere: a region needs other places");
    TRY(check_within_box(b, region, at, e));
    for (int k = 0; k < b->s->dimension; k++) {
        double low, high;
        region_range(region, k, 0.5 * widest, &low, &high);
        if (low > high)
            return scene_refuse(at, e, "a particle of diameter %.6g does not fit into the region along %c", widest,
                                "xyz"[k]);
    }
    if (b->s->particles[entry].place != PLACE_INFLOW) return check_room(b, entry, e);
    return build_is_clump(b, entry) ? check_clumps(b, entry, e) : CAROM_OK;
}

/* Particles enter and leave where there is no mesh at the start. */
static carom_status check_inflow_at(const build *b, const mesh_space *meshes, size_t entry, const scene_region *region,
                                    error *e)
{
    double middle[3], low, high;
    for (int k = 0; k < 3; k++) {
        region_range(region, k, 0, &low, &high);
        middle[k] = 0.5 * (low + high);
    }
    for (size_t n = 0; n < b->s->mesh_count; n++) {
        const mesh *m = &b->state->meshes[n];
        bool meets = false, closed = false;
        for (size_t t = 0; t < m->triangle_count && !meets; t++) {
            double corner[3][3];
            for (int c = 0; c < 3; c++) memcpy(corner[c], m->vertices[m->triangles[t][c]], sizeof corner[c]);
            meets = region_meets(region, (const double(*)[3])corner);
        }
        if (!meets && b->s->meshes[n].rigid) TRY(mesh_is_closed(m, &closed, e));
        if (meets || (closed && b->s->meshes[n].solid && mesh_space_encloses(meshes, n, middle)))
            return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                                "the region of the inflow %s mesh '%s'" HINT "move it to where there is room",
                                meets ? "intersects" : "lies inside of", b->s->meshes[n].name);
    }
    return CAROM_OK;
}

static carom_status check_inflow(const build *b, const mesh_space *meshes, size_t entry, error *e)
{
    for (int n = 0; n < IMAGES; n++) {
        double away[3];
        scene_region image = b->s->particles[entry].region;
        if (!image_at(b->s, b->box.size, n, away)) continue;
        for (int k = 0; k < 3; k++) {
            image.from[k] += away[k];
            image.to[k] += away[k];
        }
        TRY(check_inflow_at(b, meshes, entry, &image, e));
    }
    return CAROM_OK;
}

carom_status region_check_inflows(const build *b, error *e)
{
    mesh_space meshes = {0};
    carom_status status = CAROM_OK;
    if (b->state->absent == NULL || b->s->mesh_count == 0) return CAROM_OK;
    status = mesh_space_create(&meshes, b->s, b->state->meshes, b->box.size, e);
    for (size_t entry = 0; status == CAROM_OK && entry < b->s->particles_count; entry++)
        if (b->s->particles[entry].place == PLACE_INFLOW) status = check_inflow(b, &meshes, entry, e);
    mesh_space_destroy(&meshes);
    return status;
}

carom_status region_check_copies(const build *b, size_t body, double diameter, error *e)
{
    const scene_particles *p = &b->s->bodies[body].copies;
    const scene_spot at = scene_at(b->s, "bodies.%zu.copies.place", body);
    TRY(check_closed(b, at, p->inside, "inside", e));
    TRY(check_closed(b, at, p->outside, "outside", e));
    if (p->region.kind != REGION_ALL) TRY(check_within_box(b, &p->region, at, e));
    for (int k = 0; k < b->s->dimension; k++) {
        double low = 0, high = b->box.size[k];
        const bool region = region_range(&p->region, k, 0, &low, &high);
        const bool open = region && b->s->box.boundary[k] == BOUNDARY_OPEN;
        const double room = open ? high - low : fmin(high - low, b->box.size[k]);
        if (diameter > room)
            return scene_refuse(at, e,
                                "a sphere around a copy of '%s' has a diameter of %.6g, and there is room for %.6g "
                                "along %c" HINT "use a smaller mesh, or give the copies more room",
                                b->s->meshes[b->s->bodies[body].mesh].name, diameter, room, "xyz"[k]);
    }
    return CAROM_OK;
}

carom_status region_check(const build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_particles *p = &b->s->particles[entry];
        const scene_spot at = scene_at(b->s, "particles.%zu.place", entry);
        TRY(check_closed(b, at, p->inside, "inside", e));
        TRY(check_closed(b, at, p->outside, "outside", e));
        if (p->region.kind != REGION_ALL && build_count(b, entry) > 0) TRY(check_region(b, entry, e));
    }
    for (size_t k = 0; k < b->s->outflow_count; k++) {
        const scene_outflow *o = &b->s->outflows[k];
        if (o->region.kind != REGION_ALL)
            TRY(check_within_box(b, &o->region, scene_at(b->s, "outflow.%zu.region", k), e));
    }
    return region_check_inflows(b, e);
}

/* Whether mesh `outer` encloses mesh `inner`; the two do not intersect. */
static bool goes_round(const build *b, size_t outer, size_t inner)
{
    const mesh *m = &b->state->meshes[inner];
    return m->vertex_count > 0 && mesh_space_encloses(&b->meshes, outer, m->vertices[0]);
}

carom_status region_bar_meshes(const build *b, const scene_particles *p, bool *barred, error *e)
{
    for (size_t k = 0; k < b->s->mesh_count; k++) {
        bool closed = k == p->outside || b->s->meshes[k].copied; /* copies are bodies, and closed */
        barred[k] = false;
        if (k == p->inside) continue;
        if (b->s->meshes[k].rigid && !closed) TRY(mesh_is_closed(&b->state->meshes[k], &closed, e));
        barred[k] = closed && (p->inside == SIZE_MAX || k == p->outside || !goes_round(b, k, p->inside));
    }
    return CAROM_OK;
}
