/* Clumps from a file or an array: its particles, in order, are the spheres of one clump after the other. Their attitudes and
 * velocities follow from the spheres. */
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "geometry/closest.h"
#include "scene/state/build.h"

/* Permitted difference between a clump of a file and its template, relative to its width: rounding by other programs. */
#define FITS 1e-6

/* From one position of the file to another: nearest images. */
static void between(const build *b, const double from[3], const double to[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        out[k] = k < b->s->dimension ? to[k] - from[k] : 0;
        if (k < b->s->dimension && b->box.periodic[k]) out[k] -= nearest_periods(out[k], b->box.size[k]);
    }
}

static void normalise(double v[3])
{
    const double length = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
}

/* A right-handed orthonormal frame with its first axis along `along`, and its second one in the plane of both if `aside` is not
 * NULL. False: they determine none. */
static bool frame_of(int dimension, const double along[3], const double aside[3], double axis[3][3])
{
    int least = 0;
    double second[3] = {0};
    memcpy(axis[0], along, sizeof axis[0]);
    normalise(axis[0]);
    for (int k = 1; k < 3; k++)
        if (fabs(axis[0][k]) < fabs(axis[0][least])) least = k;
    if (dimension == 2) {
        second[0] = -axis[0][1];
        second[1] = axis[0][0];
    } else if (aside != NULL) {
        memcpy(second, aside, sizeof second);
    } else {
        second[least] = 1;
    }
    const double part = dot3(second, axis[0]);
    for (int k = 0; k < 3; k++) axis[1][k] = second[k] - part * axis[0][k];
    normalise(axis[1]);
    cross3(axis[0], axis[1], axis[2]);
    return isfinite(axis[0][0]) && isfinite(axis[1][0]);
}

/* The rotation that takes three spheres of the template, each far from the line through the others, to those of the file. Spheres
 * on a line leave the angle about it open. */
void build_file_attitude(const build *b, size_t entry, size_t n, double out[3][3])
{
    const clump_model *model = &b->clumps[b->s->particles[entry].clump];
    const double(*place)[3] = (const double(*)[3])b->files[entry].position + n * model->body.count;
    const uint32_t *corner = model->body.corner;
    double was[2][3], is[2][3], from[3][3] = {{0}}, to[3][3] = {{0}};
    for (int k = 0; k < 2; k++) {
        for (int a = 0; a < 3; a++) was[k][a] = model->arm[corner[k + 1]][a] - model->arm[corner[0]][a];
        between(b, place[corner[0]], place[corner[k + 1]], is[k]);
    }
    const bool line = corner[2] == corner[0];
    const bool turned = corner[1] != corner[0] && frame_of(b->s->dimension, was[0], line ? NULL : was[1], from) &&
                        frame_of(b->s->dimension, is[0], line ? NULL : is[1], to);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = turned ? 0 : i == k;
            for (int a = 0; turned && a < 3; a++) out[i][k] += to[a][i] * from[a][k];
        }
}

void build_file_centres(const build *b, size_t entry, double (*centre)[3])
{
    const size_t size = scene_item_size(b->s, entry);
    for (size_t n = 0; n < build_items(b, entry); n++) {
        double arm[3];
        build_clump_arm(b, entry, n, 0, arm);
        for (int k = 0; k < 3; k++) centre[n][k] = b->files[entry].position[n * size][k] - arm[k];
    }
}

void build_file_velocity(const build *b, size_t entry, size_t n, double v[3])
{
    const points *file = &b->files[entry];
    const size_t first = n * scene_item_size(b->s, entry);
    double arm[3], moving[3];
    build_clump_arm(b, entry, n, 0, arm);
    cross3(file->spin[first], arm, moving);
    for (int k = 0; k < b->s->dimension; k++) v[k] = file->velocity[first][k] - moving[k];
}

/* ---- Checks ---- */

static scene_spot place_of(const build *b, size_t entry)
{
    return scene_at(b->s, "particles.%zu.place", entry);
}

carom_status build_count_clumps(const build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    const scene_particles *p = &b->s->particles[entry];
    const size_t size = scene_item_size(b->s, entry);
    if (!build_is_clump(b, entry)) return CAROM_OK;
    if (file->count % size != 0)
        return scene_refuse(place_of(b, entry), e,
                            "%s holds %zu particles, not a multiple of the %zu spheres of clump '%s'", p->from,
                            file->count, size, b->s->clumps[p->clump].name);
    if (p->velocity == VELOCITY_FILE && file->velocity != NULL && file->spin == NULL)
        return scene_refuse(scene_at(b->s, "particles.%zu.velocity", entry), e,
                            "%s holds no angular velocities, without which its velocities do not determine those of "
                            "the centres of clumps",
                            p->from);
    return CAROM_OK;
}

/* Whether a sphere of the file is where that of the template is, and has its diameter. */
static bool sphere_fits(const build *b, size_t entry, size_t n, size_t sphere, const double first[3])
{
    const points *file = &b->files[entry];
    const scene_clump *clump = &b->s->clumps[b->s->particles[entry].clump];
    const size_t at = n * clump->sphere_count;
    const double diameter = clump->spheres[sphere].diameter;
    double arm[3], there[3];
    build_clump_arm(b, entry, n, sphere, arm);
    between(b, file->position[at], file->position[at + sphere], there);
    const double width = diameter + clump->spheres[0].diameter + 2 * sqrt(dot3(arm, arm));
    for (int k = 0; k < b->s->dimension; k++)
        if (!(fabs(arm[k] - first[k] - there[k]) <= FITS * width)) return false;
    return file->diameter == NULL || fabs(file->diameter[at + sphere] - diameter) <= FITS * diameter;
}

carom_status build_compare_clumps(const build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    const size_t size = scene_item_size(b->s, entry);
    for (size_t n = 0; n < build_items(b, entry); n++) {
        double first[3];
        build_clump_arm(b, entry, n, 0, first);
        for (size_t m = 0; m < size; m++)
            if (!sphere_fits(b, entry, n, m, first))
                return scene_refuse(place_of(b, entry), e,
                                    "particles %zu to %zu of %s do not have the shape of clump '%s': sphere %zu is not "
                                    "at its place, or has another diameter" HINT
                                    "an entry takes a file in which all particles are spheres of one template, in its "
                                    "order",
                                    n * size, n * size + size - 1, p->from, b->s->clumps[p->clump].name, m);
    }
    return CAROM_OK;
}
