/* Coming to rest under a drag that leaves equilibria unchanged, and positions there. */
#ifndef CAROM_TESTS_RELAX_H
#define CAROM_TESTS_RELAX_H

#include "play.h"

#include <math.h>

/* Drag on all vertices alike, in proportion to their masses: equilibria are not changed by it. */
typedef struct drag {
    const carom_frame *frame;
    double rate, step;
    double *before;
} drag;

static inline double pull_back(void *user, double time, const double *positions, double *forces)
{
    drag *d = user;
    (void)time;
    if (forces == NULL) return 0;
    for (size_t k = 0; k < 3 * d->frame->count; k++) {
        forces[k] = -d->rate * d->frame->mass[k / 3] * (positions[k] - d->before[k]) / d->step;
        d->before[k] = positions[k];
    }
    return 0;
}

static inline void relax(play *p, double rate, double time)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    drag d = {f, rate, 0.02 / rate, malloc(3 * f->count * sizeof(double))};
    memcpy(d.before, f->position, 3 * f->count * sizeof(double));
    const carom_potential potential = {.step = d.step, .force = pull_back, .user = &d};
    ck_assert_int_eq(carom_sim_add_potential(p->sim, &potential), CAROM_OK);
    play_advance(p, time);
    double fastest = 0;
    f = carom_sim_frame(p->sim);
    for (size_t k = 0; k < 3 * f->count; k++) fastest = fmax(fastest, fabs(f->velocity[k]));
    printf("  at rest to %.2g at time %g\n", fastest, time);
    free(d.before);
}

/* Mean of a coordinate over those where another is largest. */
static inline double mean_at_end(const carom_frame *f, size_t along, double end, size_t what)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (fabs(f->position[3 * i + along] - end) > 0.02) continue;
        sum += f->position[3 * i + what];
        count++;
    }
    return sum / (double)count;
}

#endif
