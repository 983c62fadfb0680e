/* Initial angular velocities. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "scene/state/build.h"

static void draw_maxwell(build *b, size_t i, double temperature)
{
    const random_key key = {b->s->seed, RANDOM_SPIN};
    const initial_state *state = b->state;
    double normal[4], radius = 0.5 * state->diameter[i];
    double inertia = scene_inertia(b->s, state->species[i]) * state->mass[i] * radius * radius;
    random_normal2(key, i, 0, normal);
    random_normal2(key, i, 1, normal + 2);
    for (int k = b->s->dimension == 3 ? 0 : 2; k < 3; k++) state->spin[i][k] = sqrt(temperature / inertia) * normal[k];
}

/* All spheres of a clump have its angular velocity. */
static void turn_clump(build *b, size_t entry, size_t n)
{
    const scene_particles *p = &b->s->particles[entry];
    const size_t size = scene_item_size(b->s, entry);
    double spin[3] = {0};
    if (p->spin == SPIN_MAXWELL) build_thermal_spin(b, build_clump_body(b, entry, n), p->spin_temperature, spin);
    for (int k = 0; p->spin == SPIN_EACH && k < 3; k++) spin[k] = p->spins[p->spin_count == 1 ? 0 : n][k];
    if (p->spin == SPIN_FILE && b->files[entry].spin != NULL) memcpy(spin, b->files[entry].spin[n * size], sizeof spin);
    for (size_t m = 0; m < size; m++) memcpy(b->state->spin[b->first[entry] + n * size + m], spin, sizeof spin);
    if (b->state->bodies != NULL) memcpy(build_clump_body(b, entry, n)->angular_velocity, spin, sizeof spin);
}

carom_status build_spins(build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_particles *p = &b->s->particles[entry];
        size_t count = build_items(b, entry);
        if (p->spin == SPIN_EACH && p->spin_count != 1 && p->spin_count != count)
            return scene_refuse(scene_at(b->s, "particles.%zu.angular_velocity", entry), e,
                                "particles.%zu: %zu angular velocities for %zu particles", entry, p->spin_count, count);
        const double(*given)[3] = (const double(*)[3])b->files[entry].spin;
        if (p->spin == SPIN_FILE && p->spin_given && given == NULL)
            return scene_refuse(scene_at(b->s, "particles.%zu.angular_velocity", entry), e,
                                "particles.%zu: %s holds no angular velocities", entry, p->from);
        for (size_t n = 0; n < count && build_is_clump(b, entry); n++) turn_clump(b, entry, n);
        for (size_t n = 0; n < count && p->spin != SPIN_ZERO && !build_is_clump(b, entry); n++) {
            double *spin = b->state->spin[b->first[entry] + n];
            if (p->spin == SPIN_MAXWELL) draw_maxwell(b, b->first[entry] + n, p->spin_temperature);
            for (int k = 0; p->spin == SPIN_EACH && k < 3; k++) spin[k] = p->spins[p->spin_count == 1 ? 0 : n][k];
            for (int k = b->s->dimension == 3 ? 0 : 2; p->spin == SPIN_FILE && k < 3; k++)
                spin[k] = given != NULL ? given[n][k] : 0;
            build_spin_across(b, b->first[entry] + n);
        }
    }
    return CAROM_OK;
}
