#include "output/verify/verify_turning.h"

#include <math.h>

static bool is_alone(const carom_frame *f)
{
    bool alone = f->spin != NULL && f->inertia != NULL;
    for (int k = 0; k < f->dimension; k++) alone = alone && f->boundary[k] == FRAME_OPEN && f->gravity[k] == 0;
    return alone;
}

/* A momentum at point i, and the inertia with which its spin adds. */
static void add_moment(turning_sum *t, const carom_frame *f, size_t i, const double p[3], double inertia)
{
    const size_t d = (size_t)f->dimension;
    double r[3] = {0};
    for (size_t k = 0; k < d; k++) r[k] = f->position[i * d + k];
    for (size_t k = 0; k < 3; k++) {
        const size_t a = (k + 1) % 3, b = (k + 2) % 3;
        const double own = inertia * f->spin[3 * i + k];
        t->angular[k] += r[a] * p[b] - r[b] * p[a] + own;
        t->scale += fabs(r[a] * p[b]) + fabs(r[b] * p[a]) + fabs(own);
    }
}

static void add_solid(turning_sum *t, const carom_frame *f, const frame_solid *s)
{
    const size_t d = (size_t)f->dimension;
    const double none[3] = {0};
    for (int i = 0; i < 4; i++) {
        double p[3] = {0};
        for (size_t k = 0; k < d; k++)
            for (int j = 0; j < 4; j++) p[k] += s->share_mass[i][j] * f->velocity[s->corner[j] * d + k];
        add_moment(t, f, s->corner[i], p, 0);
    }
    add_moment(t, f, s->first, none, s->own_inertia);
}

turning_sum verify_turning(const carom_frame *f)
{
    const size_t d = (size_t)f->dimension;
    turning_sum t = {.known = is_alone(f)};
    size_t i = 0;
    for (size_t n = 0; t.known && n <= f->solids; n++) {
        const size_t end = n < f->solids ? f->solid[n].first : f->count;
        for (; i < end; i++) {
            double p[3] = {0};
            for (size_t k = 0; k < d; k++) p[k] = f->mass[i] * f->velocity[i * d + k];
            add_moment(&t, f, i, p, f->inertia[i]);
        }
        if (n == f->solids) break;
        add_solid(&t, f, &f->solid[n]);
        i += f->solid[n].count;
    }
    for (size_t k = 0; k < 3; k++) t.angular[k] = frame_true(f, t.angular[k]);
    t.scale = frame_true(f, t.scale);
    return t;
}
