/* The box, the largest packing fraction, and the conditions for a compression. */
#include <assert.h>
#include <math.h>

#include "geometry/ball.h"
#include "geometry/shape.h"
#include "scene/scale.h"
#include "scene/state/build.h"

/* Volume of all particles of the start, by compensated summation: the box must not lose digits in a sum of a million terms. */
static double total_volume(const build *b)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < build_particles(b); i++) {
        if (build_is_absent(b, i)) continue;
        double d = b->state->diameter[i];
        double full = scene_fullness(b->s, b->state->species[i]);
        double term = (b->s->dimension == 2 ? d * d : d * d * d) * full - lost;
        double next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum * ball_volume(b->s->dimension, 1);
}

/* The volume of the unions of the start, beyond that of the spheres. */
static double clumps_volume(const build *b)
{
    double sum = 0;
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        if (!build_is_clump(b, entry) || b->s->particles[entry].place == PLACE_INFLOW) continue;
        const scene_clump *clump = &b->s->clumps[b->s->particles[entry].clump];
        double change = b->clumps[b->s->particles[entry].clump].body.volume;
        for (size_t k = 0; k < clump->sphere_count; k++)
            change -= ball_volume(b->s->dimension, clump->spheres[k].diameter);
        sum += (double)build_items(b, entry) * change;
    }
    return sum;
}

static void set_size(build *b, double volume)
{
    const scene_box *box = &b->s->box;
    double *size = b->state->size, ratios = 1, product = 1;
    for (int k = 0; k < b->s->dimension; k++) ratios *= box->aspect[k];
    double unit = box->packing_fraction > 0 ? volume / box->packing_fraction / ratios : 0;
    unit = b->s->dimension == 2 ? sqrt(unit) : cbrt(unit);
    b->box.dimension = b->s->dimension;
    for (int k = 0; k < 3; k++) {
        bool used = k < b->s->dimension;
        size[k] = !used ? 1 : box->packing_fraction > 0 ? unit * box->aspect[k] : box->size[k];
        product *= size[k];
        b->box.size[k] = size[k];
        b->box.periodic[k] = used && box->boundary[k] == BOUNDARY_PERIODIC;
    }
    b->phi = volume / product;
}

static bool any_open(const build *b)
{
    for (int k = 0; k < b->s->dimension; k++)
        if (b->s->box.boundary[k] == BOUNDARY_OPEN) return true;
    return false;
}

/* Densest packings of equal spheres (Hales 2005) and disks (Thue 1910). */
static double densest(int dimension)
{
    return dimension == 2 ? 0.90689968211710892 : 0.74048048969306104;
}

static carom_status check_fraction(const build *b, error *e)
{
    if (any_open(b) || scene_has_bodies(b->s) || b->s->drive_count > 0 || b->s->segments_count > 0 ||
        b->s->mesh_count > 0)
        return CAROM_OK; /* no limit: particles may extend beyond such a box, or overlap */
    const char *what = b->s->shaped ? scene_particle_shape(b->s)->plural : b->s->dimension == 2 ? "disks" : "spheres";
    double most = densest(b->s->dimension);
    if (b->equal && !b->s->shaped && build_particles(b) > 1 && b->phi > most * (1 + 1e-9))
        return scene_refuse(scene_at_size(b->s), e,
                            "packing fraction %.6g is above %.6g, the densest possible of equal %s", b->phi, most,
                            what);
    if (b->phi >= 1)
        return scene_refuse(scene_at_size(b->s), e, "packing fraction %.6g: the %s do not fit into the box", b->phi,
                            what);
    return CAROM_OK;
}

static carom_status check_width(const build *b, error *e)
{
    double widest = b->widest;
    for (size_t k = 0; k < b->s->mesh_count; k++) widest = fmax(widest, b->s->meshes[k].thickness);
    for (int k = 0; k < b->s->dimension; k++) {
        double size = b->box.size[k];
        if (b->box.periodic[k] && size < SCALE_PERIODIC * widest)
            return scene_refuse(scene_at_size(b->s), e,
                                "the periodic box is too small for its particles: it is %.6g long along %c, and "
                                "needs %g times the largest diameter, %.6g" HINT "use more particles or a larger box",
                                size, "xyz"[k], SCALE_PERIODIC, SCALE_PERIODIC * widest);
        if (b->s->box.boundary[k] == BOUNDARY_WALL && size < widest)
            return scene_refuse(scene_at_size(b->s), e,
                                "a particle of diameter %.6g does not fit between the walls of the box, %.6g apart "
                                "along %c",
                                widest, size, "xyz"[k]);
    }
    return CAROM_OK;
}

/* Only randomly placed particles can grow together. */
static carom_status find_compression(const build *b, size_t *entry, error *e)
{
    size_t found = 0, others = 0, last = 0;
    for (size_t i = 0; i < b->s->particles_count; i++) {
        if (b->s->particles[i].place == PLACE_COMPRESS) {
            if (found++ == 0) *entry = i;
            last = i;
        } else if (b->s->particles[i].place != PLACE_RANDOM) {
            others++;
        }
    }
    if (found == 0) *entry = b->s->particles_count;
    if (found > 1)
        return scene_refuse(scene_at(b->s, "particles.%zu.place", last), e,
                            "several entries of particles have place: compress" HINT "give it to one of them, and "
                            "place: random to the others (all are compressed together)");
    if (found == 1 && others > 0)
        return scene_refuse(scene_at_compression(b->s), e,
                            "place: compress goes together with place: random only; all particles are compressed "
                            "together");
    return CAROM_OK;
}

static carom_status set_compression(build *b, error *e)
{
    size_t entry = 0;
    TRY(find_compression(b, &entry, e));
    if (entry == b->s->particles_count) return CAROM_OK;
    const scene_particles *p = &b->s->particles[entry];
    assert(p->compress_from > 0);
    if (b->phi <= p->compress_from) return CAROM_OK;
    b->scale = pow(p->compress_from / b->phi, 1.0 / b->s->dimension);
    b->state->compress_to = b->phi;
    b->state->compress_scale = b->scale;
    b->state->compress_rate = p->compress_rate;
    return CAROM_OK;
}

carom_status build_box(build *b, error *e)
{
    if (b->s->box.packing_fraction > 0 && build_present(b) == 0)
        return scene_refuse(scene_at(b->s, "box.packing_fraction"), e,
                            "packing_fraction needs particles" HINT "set box.size instead");
    set_size(b, b->s->clump_count > 0 ? total_volume(b) + clumps_volume(b) : total_volume(b));
    TRY(build_check_sizes(b, e));
    TRY(check_fraction(b, e));
    TRY(build_check_clumps(b, e));
    TRY(check_width(b, e));
    return set_compression(b, e);
}
