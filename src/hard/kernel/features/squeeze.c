/* Compression, as Lubachevsky and Stillinger do it (J. Stat. Phys. 60, 561 (1990)): spheres grow in a box. Seen from
 * outside the spheres keep their sizes and the box shrinks; lengths are taken that way whenever clocks are re-based,
 * and in frames. What pushes heats: at each re-basing the velocities are brought back to the temperature of the
 * start. */
#include "hard/kernel/features/squeeze.h"

/* By how much spheres may grow between two re-basings. */
#define STAGE ((real)0.02)

static double kinetic(const gas *g)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->count; i++) sum += kinetic_of(g, i);
    return sum;
}

static void squeeze_start(gas *g)
{
    double mass = 0;
    if (!is_squeezed(g)) return;
    for (uint32_t i = 0; i < g->count; i++) mass += mass_of(g, i);
    g->squeeze.kinetic = kinetic(g);
    const double thermal = sqrt(2 * g->squeeze.kinetic / (DIM * mass));
    g->growth = (real)(g->settings->compression.rate * thermal / (double)mean_contact(g));
    g->grow_to = 1 + STAGE;
}

static real squeeze_due(const gas *g)
{
    return is_squeezed(g) ? STAGE / g->growth : REAL_NEVER;
}

static void squeeze_fit(gas *g)
{
    for (int k = 0; k < DIM; k++) {
        if (g->box[k] == 0) continue;
        g->box[k] = g->size[k];
        g->inverse_box[k] = 1 / g->size[k];
    }
    for (uint32_t s = 0; s < g->surface_count; s++) /* walls: there are no planes */
        g->surface[s].point[g->surface[s].axis] = g->surface[s].side == 0 ? 0 : g->size[g->surface[s].axis];
}

static void shrink(gas *g, real by)
{
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < DIM; k++) g->body[i].r[k] /= by;
    for (int k = 0; k < DIM; k++) g->size[k] /= by;
    squeeze_fit(g);
}

/* P V / (N T) of the time t that has passed. */
static void measure_pressure(gas *g, real t, double now)
{
    double virial = 0, mean = 0.5 * (g->squeeze.kinetic + now);
    for (int k = 0; k < DIM; k++) virial += g->tallies.virial[k][k];
    if (t > 0) g->squeeze.pressure = 1 + (virial - g->squeeze.virial) / (2 * mean * (double)t);
    g->squeeze.virial = virial;
}

static void squeeze(gas *g, real t)
{
    const double now = kinetic(g);
    measure_pressure(g, t, now);
    shrink(g, 1 + g->growth * t);
    const real slower = (real)sqrt(g->squeeze.kinetic / now);
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < DIM; k++) g->body[i].v[k] *= slower;
    g->tallies.ledger.work += g->squeeze.kinetic - now;
}

static void squeeze_count_work(gas *g, real impulse, real speed)
{
    if (is_squeezed(g)) g->tallies.ledger.work += (double)(impulse * speed);
}
