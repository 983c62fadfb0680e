#include "variational/strains.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>

static double largest_factor(const scene_load *load)
{
    double most = load->ramp_count > 0 ? 0 : 1;
    for (size_t k = 0; k < load->ramp_count; k++) most = fmax(most, fabs(load->ramp[k].factor));
    return most;
}

/* The tension per length at a strain of 1. */
static double stretch_of(const scene_mesh *m)
{
    if (m->young == 0) return m->stretch;
    return fmax(m->young, m->fabric.weft) * (m->elastic_thickness > 0 ? m->elastic_thickness : m->thickness);
}

/* Of each load an equal part on each of its vertices. */
static void add_forces(const scene *s, const initial_state *state, double (*force)[3])
{
    for (size_t k = 0; k < state->load_count; k++) {
        const double part = largest_factor(&s->loads[k]) / (double)state->loads[k].count;
        for (size_t n = 0; n < state->loads[k].count; n++)
            for (int c = 0; c < 3; c++) force[state->loads[k].particles[n]][c] += part * s->loads[k].force[c];
    }
}

static double inverse_mass_of(const initial_state *state, const bool *held, size_t i)
{
    return held[i] ? 0 : 1 / state->mass[i];
}

/* Two vertices of a mesh, of which `i` has a load. */
static void consider(load_strain *worst, const scene *s, const initial_state *state, const double (*force)[3],
                     const bool *held, size_t which, const uint32_t edge[2])
{
    const size_t i = state->mesh_first[which] + edge[0], j = state->mesh_first[which] + edge[1];
    const double a = inverse_mass_of(state, held, i), b = inverse_mass_of(state, held, j);
    double apart[3], side[3];
    if (!(stretch_of(&s->meshes[which]) > 0)) return;
    if (!(dot3(force[i], force[i]) > 0) || !(a + b > 0)) return;
    for (int c = 0; c < 3; c++) {
        apart[c] = a * force[i][c] - b * force[j][c];
        side[c] = state->position[i][c] - state->position[j][c];
    }
    const double tension = sqrt(dot3(apart, apart)) / (a + b);
    const double strain = tension / (stretch_of(&s->meshes[which]) * sqrt(dot3(side, side)));
    if (!(strain > worst->strain)) return;
    *worst = (load_strain){.strain = strain, .force = sqrt(dot3(force[i], force[i])), .mesh = which, .vertex = edge[0]};
}

/* The load with the largest force on the vertex. */
static size_t load_on(const scene *s, const initial_state *state, size_t i)
{
    size_t best = 0;
    double most = -1;
    for (size_t k = 0; k < state->load_count; k++) {
        const double *force = s->loads[k].force, own = dot3(force, force) / (double)state->loads[k].count;
        for (size_t n = 0; n < state->loads[k].count; n++) {
            if (state->loads[k].particles[n] != i || !(own > most)) continue;
            most = own;
            best = k;
        }
    }
    return best;
}

static bool is_loaded(const scene *s, size_t which)
{
    for (size_t k = 0; k < s->load_count; k++)
        if (s->loads[k].mesh == which) return true;
    return false;
}

load_strain loads_strain(const scene *s, const initial_state *state)
{
    load_strain worst = {0};
    if (state->load_count == 0) return worst;
    double(*force)[3] = memory_new(state->count, sizeof *force);
    bool *held = state_find_held(state, s);
    if (force != NULL) add_forces(s, state, force);
    for (size_t k = 0; k < s->mesh_count && force != NULL && held != NULL; k++) {
        const mesh *m = &state->meshes[k];
        for (size_t n = 0; is_loaded(s, k) && n < m->triangle_count; n++)
            for (int q = 0; q < 3; q++) {
                const uint32_t edge[2][2] = {{m->triangles[n][q], m->triangles[n][(q + 1) % 3]},
                                             {m->triangles[n][(q + 1) % 3], m->triangles[n][q]}};
                consider(&worst, s, state, (const double(*)[3])force, held, k, edge[0]);
                consider(&worst, s, state, (const double(*)[3])force, held, k, edge[1]);
            }
    }
    memory_free(force);
    memory_free(held);
    if (worst.strain > 0) worst.load = load_on(s, state, state->mesh_first[worst.mesh] + worst.vertex);
    return worst;
}
