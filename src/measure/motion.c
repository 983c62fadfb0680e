#include "measure/motion.h"

#include <math.h>
#include <string.h>

#include "measure/sum.h"

double motion_flow(const carom_frame *f, size_t i)
{
    if (f->shear == 0) return 0;
    const double y = f->position[i * (size_t)f->dimension + 1];
    return motion_unscaled(f, f->shear * (y - f->box[1] / 2), -1);
}

static void centre_of_mass(const carom_frame *f, motion *m)
{
    sum mass = {0}, momentum[3] = {{0}};
    for (size_t i = 0; i < f->count; i++) {
        sum_add(&mass, f->mass[i]);
        for (int a = 0; a < f->dimension; a++) {
            const double flow = a == 0 ? motion_flow(f, i) : 0;
            sum_add(&momentum[a], f->mass[i] * (f->velocity[i * (size_t)f->dimension + (size_t)a] - flow));
        }
    }
    m->mass = sum_total(&mass);
    for (int a = 0; a < f->dimension && f->count > 0; a++) m->velocity[a] = sum_total(&momentum[a]) / m->mass;
}

motion motion_of(const carom_frame *f)
{
    motion m = {0};
    sum stress[3][3] = {{{0}}};
    frame_need(f, FRAME_MASS | FRAME_VELOCITY | (f->shear != 0 ? FRAME_POSITION : 0));
    centre_of_mass(f, &m);
    for (size_t i = 0; i < f->count; i++) {
        double v[3] = {0};
        memcpy(v, f->velocity + i * (size_t)f->dimension, (size_t)f->dimension * sizeof *v);
        v[0] -= motion_flow(f, i);
        for (int a = 0; a < f->dimension; a++)
            for (int b = 0; b <= a; b++)
                sum_add(&stress[a][b], f->mass[i] * (v[a] - m.velocity[a]) * (v[b] - m.velocity[b]));
    }
    double trace = 0.0;
    for (int a = 0; a < f->dimension; a++) {
        for (int b = 0; b <= a; b++) m.stress[a][b] = m.stress[b][a] = sum_total(&stress[a][b]);
        trace += m.stress[a][a];
    }
    if (f->count > 1) m.temperature = trace / ((double)f->dimension * (double)(f->count - 1));
    return m;
}

double motion_temperature_of(const carom_frame *f, const motion *all, uint32_t species)
{
    sum energy = {0}, mass = {0};
    double count = 0;
    frame_need(f, FRAME_SPECIES);
    for (size_t i = 0; i < f->count; i++) {
        const double *v = f->velocity + i * (size_t)f->dimension;
        if (f->species[i] != species) continue;
        count++;
        sum_add(&mass, f->mass[i]);
        for (int a = 0; a < f->dimension; a++) {
            const double c = v[a] - (a == 0 ? motion_flow(f, i) : 0) - all->velocity[a];
            sum_add(&energy, f->mass[i] * c * c);
        }
    }
    const double freedom = count - sum_total(&mass) / all->mass;
    return count > 0 && f->count > 1 ? sum_total(&energy) / (f->dimension * freedom) : (double)NAN;
}

/* The exponent of 2, clamped to the range beyond which any double becomes 0 or infinity. */
static int exponent(const carom_frame *f, int power)
{
    const int64_t beyond = 4400;
    int64_t scale = f->scale < -beyond ? -beyond : f->scale > beyond ? beyond : f->scale;
    return -power * (int)scale;
}

double motion_unscaled(const carom_frame *f, double x, int power)
{
    return ldexp(x, exponent(f, power));
}

double motion_log10(const carom_frame *f, double x, int power)
{
    const double log10_2 = 0.30102999566398119521;
    return log10(x) - (double)power * (double)f->scale * log10_2;
}
