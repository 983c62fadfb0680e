/* Momentum and angular momentum of a frame, and what of them and the energy stays where a vessel turns. */
#ifndef CAROM_TESTS_MOMENTA_H
#define CAROM_TESTS_MOMENTA_H

#include "expect.h"
#include "play.h"

typedef struct momenta {
    double linear[3], angular[3];
} momenta;

/* About a place (NULL: the origin), spins included; places as they are in the box. */
static inline momenta momenta_of(const carom_frame *f, const double about[3])
{
    const size_t d = (size_t)f->dimension;
    const double solid = d == 2 ? 0.5 : 0.4;
    long double p[3] = {0}, l[3] = {0};
    for (size_t i = 0; i < f->count; i++) {
        long double r[3] = {0}, v[3] = {0};
        for (size_t k = 0; k < d; k++) {
            r[k] = (long double)f->position[i * d + k] - (about != NULL ? about[k] : 0);
            v[k] = f->velocity[i * d + k];
        }
        const double own = f->inertia != NULL ? f->inertia[i] : solid * f->mass[i] * f->radius[i] * f->radius[i];
        for (size_t k = 0; k < 3; k++) {
            const size_t a = (k + 1) % 3, b = (k + 2) % 3;
            p[k] += f->mass[i] * v[k];
            l[k] += f->mass[i] * (r[a] * v[b] - r[b] * v[a]);
            if (f->spin != NULL) l[k] += (long double)own * f->spin[3 * i + k];
        }
    }
    momenta m;
    for (int k = 0; k < 3; k++) {
        m.linear[k] = (double)ldexpl(p[k], (int)-f->scale);
        m.angular[k] = (double)ldexpl(l[k], (int)-f->scale);
    }
    return m;
}

/* What turns at a rate W, about the third axis through a place, does the work W dL on what it holds: with elastic
 * contacts E - W L stays to the end of the run. */
static inline void expect_turning(play *p, double rate, const double through[3], double tolerance)
{
    double invariant[2], work[2];
    for (int look = 0; look < 2; look++) {
        const carom_frame *f = carom_sim_frame(p->sim);
        const double energy = frame_energy_of(f).kinetic;
        invariant[look] = energy - rate * momenta_of(f, through).angular[2];
        work[look] = f->tallies.ledger.work - energy;
        if (look == 0) play_run(p, CAROM_STOP_EVENTS);
    }
    EXPECT_CLOSE("E - W L", invariant[1], invariant[0], tolerance);
    EXPECT_CLOSE("energy less the work done", work[1], work[0], tolerance);
}

#endif
