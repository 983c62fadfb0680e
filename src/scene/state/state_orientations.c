/* Initial orientations and gaps of bodies that are not spheres. */
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "base/pi.h"
#include "base/random.h"
#include "geometry/shapes.h"
#include "scene/state/build.h"

/* A uniform direction: the height of a uniform point on a sphere is uniform (Archimedes). */
static void draw_axis(const build *b, size_t i, double axis[3])
{
    const random_key key = {b->s->seed, RANDOM_ORIENTATION};
    double u[2];
    random_uniform2(key, i, 0, u);
    const double height = b->s->dimension == 3 ? 2 * u[1] - 1 : 0, across = sqrt(1 - height * height);
    axis[0] = across * cos(2 * PI * u[0]);
    axis[1] = across * sin(2 * PI * u[0]);
    axis[2] = height;
}

static void set_axis(const build *b, const double given[3], double axis[3])
{
    double square = 0;
    for (int k = 0; k < b->s->dimension; k++) square += given[k] * given[k];
    for (int k = 0; k < 3; k++) axis[k] = k < b->s->dimension ? given[k] / sqrt(square) : 0;
}

static bool is_direction(const build *b, const double given[3])
{
    double square = 0;
    for (int k = 0; k < b->s->dimension; k++) square += given[k] * given[k];
    return square > 1e-200 && square < 1e200;
}

carom_status build_orientations(build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_particles *p = &b->s->particles[entry];
        const size_t count = build_count(b, entry);
        if (p->orientation == ORIENTATION_EACH && p->axes_count != count)
            return scene_refuse(scene_at(b->s, "particles.%zu.orientation", entry), e,
                                "particles.%zu: %zu directions for %zu particles", entry, p->axes_count, count);
        const double(*given)[3] = (const double(*)[3])b->files[entry].axis;
        if (p->orientation == ORIENTATION_FILE && given == NULL && p->orientation_given)
            return scene_refuse(scene_at(b->s, "particles.%zu.orientation", entry), e,
                                "particles.%zu: %s holds no orientations", entry, p->from);
        for (size_t n = 0; n < count; n++) {
            double *axis = b->state->axis[b->first[entry] + n];
            const bool from_file = p->orientation == ORIENTATION_FILE && given != NULL;
            if (p->orientation == ORIENTATION_RANDOM || (p->orientation == ORIENTATION_FILE && !from_file))
                draw_axis(b, b->first[entry] + n, axis);
            else if (from_file && !is_direction(b, given[n]))
                return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                                    "particle %zu of %s has an orientation of length zero", n, p->from);
            else if (from_file)
                set_axis(b, given[n], axis);
            else
                set_axis(b, p->axes[p->orientation == ORIENTATION_ALONG ? 0 : n], axis);
        }
    }
    for (size_t i = build_particles(b); i < b->state->count; i++) b->state->axis[i][0] = 1;
    return CAROM_OK;
}

void build_spin_across(const build *b, size_t i)
{
    if (b->state->axis == NULL || build_is_sphere(b, i)) return;
    double *spin = b->state->spin[i];
    const double *axis = b->state->axis[i], along = dot3(spin, axis);
    for (int k = 0; k < 3; k++) spin[k] -= along * axis[k];
}

static posed pose_of(const build *b, size_t i)
{
    const double *half = b->s->species[b->state->species[i]].half, radius = 0.5 * b->state->diameter[i];
    const bool round = build_is_sphere(b, i);
    posed p = {.along = round ? radius : half[0], .across = round ? radius : half[1]};
    memcpy(p.axis, b->state->axis[i], sizeof p.axis);
    return p;
}

/* NULL: a sphere. */
static const body_shape *shape_of(const build *b, size_t i)
{
    return build_is_sphere(b, i) ? NULL : shapes[b->s->species[b->state->species[i]].shape];
}

double build_gap(const build *b, size_t i, size_t j)
{
    const posed p = pose_of(b, i), q = pose_of(b, j);
    double r[3];
    for (int k = 0; k < 3; k++) {
        r[k] = b->state->position[i][k] - b->state->position[j][k];
        if (k < b->s->dimension && b->box.periodic[k]) r[k] -= nearest_periods(r[k], b->box.size[k]);
    }
    return shapes_gap(shape_of(b, i), shape_of(b, j), &p, &q, r);
}

double build_reach(const build *b, size_t i, const double n[3])
{
    const posed p = pose_of(b, i);
    return shapes[build_is_sphere(b, i) ? BODY_ELLIPSOID : b->s->species[b->state->species[i]].shape]->reach(&p, n);
}

static bool same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

bool build_common_axes(const build *b, double reach[3])
{
    const initial_state *state = b->state;
    if (state->axis == NULL || build_particles(b) == 0 || build_is_sphere(b, 0)) return false;
    if (!shape_of(b, 0)->stretched) return false;
    for (size_t i = 1; i < build_particles(b); i++)
        if (state->species[i] != state->species[0] || !same(state->axis[i], state->axis[0])) return false;
    int turned = 0;
    for (int k = 0; k < 3; k++) {
        const double n[3] = {k == 0, k == 1, k == 2};
        turned += state->axis[0][k] != 0;
        reach[k] = build_reach(b, 0, n);
    }
    return turned == 1;
}
