/* Initial velocities. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/random.h"
#include "scene/state/build.h"

/* For particle i of an entry. */
static double temperature_of(const build *b, const scene_particles *p, size_t i)
{
    size_t k = 0;
    if (p->temperatures == NULL) return p->a;
    while (p->shares[k].species != b->state->species[i]) k++;
    return p->temperatures[k];
}

static void draw_maxwell(build *b, size_t i, double mass, double temperature)
{
    const random_key key = {b->s->seed, RANDOM_VELOCITY};
    double normal[4], speed = sqrt(temperature / mass);
    random_normal2(key, i, 0, normal);
    random_normal2(key, i, 1, normal + 2);
    for (int k = 0; k < b->s->dimension; k++) b->state->velocity[i][k] = speed * normal[k];
}

static void draw_uniform(build *b, size_t i, double low, double high)
{
    const random_key key = {b->s->seed, RANDOM_VELOCITY};
    double u[4];
    random_uniform2(key, i, 0, u);
    random_uniform2(key, i, 1, u + 2);
    for (int k = 0; k < b->s->dimension; k++) b->state->velocity[i][k] = low + (high - low) * u[k];
}

/* A uniform direction: the height of a uniform point on a sphere is uniform (Archimedes). */
static void draw_circle(build *b, size_t i, double speed)
{
    const random_key key = {b->s->seed, RANDOM_VELOCITY};
    double u[2], *v = b->state->velocity[i];
    random_uniform2(key, i, 0, u);
    double height = b->s->dimension == 3 ? 2 * u[1] - 1 : 0, across = sqrt(1 - height * height);
    v[0] = speed * across * cos(2 * PI * u[0]);
    v[1] = speed * across * sin(2 * PI * u[0]);
    v[2] = speed * height;
}

void build_draw_velocity(build *b, const scene_particles *p, size_t n, size_t i, double mass)
{
    double *v = b->state->velocity[i];
    v[0] = v[1] = v[2] = 0;
    switch (p->velocity) {
    case VELOCITY_ZERO:
    case VELOCITY_FILE:
        break;
    case VELOCITY_MAXWELL:
        draw_maxwell(b, i, mass, temperature_of(b, p, i));
        break;
    case VELOCITY_UNIFORM:
        draw_uniform(b, i, p->a, p->b);
        break;
    case VELOCITY_CIRCLE:
        draw_circle(b, i, p->a);
        break;
    case VELOCITY_EACH:
        for (int k = 0; k < b->s->dimension; k++) v[k] = p->each[p->each_count == 1 ? 0 : n][k];
        break;
    }
}

static void take_from_file(const build *b, size_t entry, size_t n, double v[3])
{
    if (build_is_clump(b, entry)) {
        build_file_velocity(b, entry, n, v);
        return;
    }
    for (int k = 0; k < b->s->dimension; k++) v[k] = b->files[entry].velocity[n][k];
}

static void draw(build *b, size_t entry)
{
    const scene_particles *p = &b->s->particles[entry];
    const size_t size = scene_item_size(b->s, entry);
    for (size_t n = 0; n < build_items(b, entry); n++) {
        size_t i = b->first[entry] + n * size;
        const double mass = build_is_clump(b, entry) ? b->clumps[p->clump].body.mass : b->state->mass[i];
        double *v = b->state->velocity[i];
        build_draw_velocity(b, p, n, i, mass);
        if (p->velocity == VELOCITY_FILE) take_from_file(b, entry, n, v);
        for (size_t m = 1; m < size; m++) memcpy(b->state->velocity[i + m], v, sizeof b->state->velocity[i]);
    }
}

typedef struct sum {
    double value, lost;
} sum;

/* Compensated summation (Neumaier 1974), in index order. */
static void sum_add(sum *s, double term)
{
    double next = s->value + term;
    s->lost += fabs(s->value) >= fabs(term) ? (s->value - next) + term : (term - next) + s->value;
    s->value = next;
}

static double momentum_of(const build *b, size_t entry, int axis, double *mass)
{
    sum momentum = {0, 0}, total = {0, 0};
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++) {
        sum_add(&momentum, b->state->mass[i] * b->state->velocity[i][axis]);
        sum_add(&total, b->state->mass[i]);
    }
    *mass = total.value + total.lost;
    return momentum.value + momentum.lost;
}

/* Subtracts the velocity of the centre of mass. */
static void stop_drift(build *b, size_t entry)
{
    for (int k = 0; k < b->s->dimension; k++) {
        double mass, momentum = momentum_of(b, entry, k, &mass);
        for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++) b->state->velocity[i][k] -= momentum / mass;
    }
}

/* Scales velocities to 2K / (D N) = temperature, of all or of one species. No effect on particles at rest. */
static void set_temperature(build *b, size_t entry, double temperature, uint32_t species)
{
    sum twice_kinetic = {0, 0};
    size_t count = 0;
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++) {
        if (species != UINT32_MAX && b->state->species[i] != species) continue;
        count++;
        for (int k = 0; k < b->s->dimension; k++)
            sum_add(&twice_kinetic, b->state->mass[i] * b->state->velocity[i][k] * b->state->velocity[i][k]);
    }
    double wanted = temperature * b->s->dimension * (double)(count / scene_item_size(b->s, entry));
    double have = twice_kinetic.value + twice_kinetic.lost;
    if (!(have > 0)) return;
    double factor = sqrt(wanted / have);
    for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++)
        for (int k = 0; k < b->s->dimension && (species == UINT32_MAX || b->state->species[i] == species); k++)
            b->state->velocity[i][k] *= factor;
}

/* Sets the total momentum to zero and, for a Maxwell distribution, the exact temperature. The mean velocity is
 * subtracted twice, to remove its rounding error. With a temperature for each species, the remaining mean velocity is
 * larger, and temperatures deviate by about the inverse number of particles. */
static void set_zero_momentum(build *b, size_t entry)
{
    const scene_particles *p = &b->s->particles[entry];
    if (build_items(b, entry) == 1) {
        for (size_t i = b->first[entry]; i < b->first[entry + 1]; i++)
            for (int k = 0; k < 3; k++) b->state->velocity[i][k] = 0;
        return;
    }
    stop_drift(b, entry);
    if (p->velocity == VELOCITY_MAXWELL && p->temperatures == NULL) set_temperature(b, entry, p->a, UINT32_MAX);
    for (size_t k = 0; p->temperatures != NULL && k < p->share_count; k++)
        set_temperature(b, entry, p->temperatures[k], p->shares[k].species);
    stop_drift(b, entry);
}

carom_status build_velocities(build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        const scene_particles *p = &b->s->particles[entry];
        size_t count = build_items(b, entry);
        if (count == 0) continue;
        if (p->velocity == VELOCITY_FILE && p->place != PLACE_FILE)
            return scene_refuse(scene_at(b->s, "particles.%zu.velocity", entry), e,
                                "particles.%zu: velocity: file requires place: {file: ...}", entry);
        if (p->velocity == VELOCITY_EACH && p->each_count != 1 && p->each_count != count)
            return scene_refuse(scene_at(b->s, "particles.%zu.velocity", entry), e,
                                "particles.%zu: %zu velocities for %zu particles", entry, p->each_count, count);
        draw(b, entry);
        if (p->zero_momentum) set_zero_momentum(b, entry);
    }
    if (b->state->spin != NULL) TRY(build_spins(b, e));
    return build_copy_velocities(b, e);
}
