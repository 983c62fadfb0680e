#include "measure/bodies.h"

#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "frame/channels.h"

void bodies_free(bodies *b)
{
    memory_free(b->f.position);
    memory_free(b->f.velocity);
    memory_free(b->f.mass);
    memory_free(b->f.species);
    *b = (bodies){.room = 0};
}

static carom_status reserve(bodies *b, const carom_frame *f, error *e)
{
    const size_t d = (size_t)f->dimension;
    if (f->count <= b->room) return CAROM_OK;
    bodies_free(b);
    b->f.position = NEW_ARRAY(f->count * d, double);
    b->f.velocity = NEW_ARRAY(f->count * d, double);
    b->f.mass = NEW_ARRAY(f->count, double);
    b->f.species = NEW_ARRAY(f->count, uint32_t);
    if (b->f.position == NULL || b->f.velocity == NULL || b->f.mass == NULL || b->f.species == NULL)
        return error_memory(e, "bodies", f->count * ((2 * d + 1) * sizeof(double) + sizeof(uint32_t)));
    b->room = f->count;
    return CAROM_OK;
}

static double mass_of_corner(const frame_solid *s, int corner)
{
    double mass = 0;
    for (int n = 0; n < 4; n++) mass += s->share_mass[corner][n];
    return mass;
}

/* Mass and velocity of the centre. */
static double centre_velocity(const carom_frame *f, const frame_solid *s, double v[3])
{
    double mass = 0;
    memset(v, 0, 3 * sizeof *v);
    for (int n = 0; n < 4; n++) {
        const double *of = f->velocity + s->corner[n] * (size_t)f->dimension, share = mass_of_corner(s, n);
        mass += share;
        for (int k = 0; k < f->dimension; k++) v[k] += share * of[k];
    }
    for (int k = 0; k < f->dimension; k++) v[k] /= mass;
    return mass;
}

/* Spheres of a clump may be in different boxes: relative to the first of them, at the nearest images. */
static void centre_place(const carom_frame *f, const frame_solid *s, double mass, double x[3])
{
    const double *from = f->position + s->corner[0] * (size_t)f->dimension;
    memcpy(x, from, (size_t)f->dimension * sizeof *x);
    for (int n = 1; n < 4; n++)
        for (int k = 0; k < f->dimension; k++) {
            double away = f->position[s->corner[n] * (size_t)f->dimension + (size_t)k] - from[k];
            if (f->boundary[k] == FRAME_PERIODIC) away -= nearest_periods(away, f->box[k]);
            x[k] += mass_of_corner(s, n) / mass * away;
        }
}

void bodies_centre(const carom_frame *f, const frame_solid *clump, double x[3])
{
    double mass = 0;
    for (int n = 0; n < 4; n++) mass += mass_of_corner(clump, n);
    centre_place(f, clump, mass, x);
}

static void add_clump(bodies *b, const carom_frame *f, const frame_solid *s)
{
    const size_t d = (size_t)f->dimension, n = b->f.count++;
    double v[3], x[3];
    b->f.mass[n] = centre_velocity(f, s, v);
    centre_place(f, s, b->f.mass[n], x);
    memcpy(b->f.velocity + n * d, v, d * sizeof *v);
    memcpy(b->f.position + n * d, x, d * sizeof *x);
    b->f.species[n] = f->species[s->first];
}

static void add_particle(bodies *b, const carom_frame *f, size_t i)
{
    const size_t d = (size_t)f->dimension, n = b->f.count++;
    b->f.mass[n] = f->mass[i];
    b->f.species[n] = f->species[i];
    memcpy(b->f.velocity + n * d, f->velocity + i * d, d * sizeof(double));
    memcpy(b->f.position + n * d, f->position + i * d, d * sizeof(double));
}

/* The numbers of the frame, with the arrays that are here. */
static void take_numbers(bodies *b, const carom_frame *f)
{
    const carom_frame own = b->f;
    b->f = *f;
    for (size_t k = 0; k < frame_channel_count; k++) {
        void *none = NULL;
        if (frame_channels[k].kind == CHANNEL_NUMBERS) continue;
        memcpy((char *)&b->f + frame_channels[k].offset, &none, sizeof none);
    }
    b->f.unscaled = b->f.unscaled_spin = NULL;
    b->f.solid = NULL;
    b->f.source = NULL;
    b->f.count = b->f.solids = 0;
    b->f.position = own.position;
    b->f.velocity = own.velocity;
    b->f.mass = own.mass;
    b->f.species = own.species;
}

carom_status bodies_of(bodies *b, const carom_frame *f, const carom_frame **out, error *e)
{
    size_t i = 0;
    *out = f;
    if (f->clump == NULL) return CAROM_OK;
    TRY(reserve(b, f, e));
    frame_need(f, FRAME_POSITION | FRAME_VELOCITY | FRAME_MASS | FRAME_SPECIES);
    take_numbers(b, f);
    for (size_t n = 0; n <= f->solids; n++) {
        const bool ends = n == f->solids || !f->solid[n].clump;
        for (; i < (ends ? f->count : f->solid[n].first); i++) add_particle(b, f, i);
        if (ends) break;
        add_clump(b, f, &f->solid[n]);
        i += f->solid[n].count;
    }
    *out = &b->f;
    return CAROM_OK;
}

double bodies_spin_energy(const carom_frame *f, const frame_solid *clump)
{
    const size_t d = (size_t)f->dimension;
    const double *w = f->spin + 3 * clump->first;
    double v[3], energy = 0.5 * clump->own_inertia * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    (void)centre_velocity(f, clump, v);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (size_t k = 0; k < d; k++)
                energy += 0.5 * clump->share_mass[a][b] * (f->velocity[clump->corner[a] * d + k] - v[k]) *
                          (f->velocity[clump->corner[b] * d + k] - v[k]);
    return energy;
}
