#include "output/verify/verify_turning.h"

#include <math.h>

static bool is_alone(const carom_frame *f)
{
    bool alone = f->spin != NULL && f->inertia != NULL;
    for (int k = 0; k < f->dimension; k++) alone = alone && f->boundary[k] == FRAME_OPEN && f->gravity[k] == 0;
    return alone;
}

turning_sum verify_turning(const carom_frame *f)
{
    const size_t d = (size_t)f->dimension;
    turning_sum t = {.known = is_alone(f)};
    for (size_t i = 0; t.known && i < f->count; i++) {
        double r[3] = {0}, p[3] = {0};
        for (size_t k = 0; k < d; k++) {
            r[k] = f->position[i * d + k];
            p[k] = f->mass[i] * f->velocity[i * d + k];
        }
        for (size_t k = 0; k < 3; k++) {
            const size_t a = (k + 1) % 3, b = (k + 2) % 3;
            const double own = f->inertia[i] * f->spin[3 * i + k];
            t.angular[k] += r[a] * p[b] - r[b] * p[a] + own;
            t.scale += fabs(r[a] * p[b]) + fabs(r[b] * p[a]) + fabs(own);
        }
    }
    for (size_t k = 0; k < 3; k++) t.angular[k] = frame_true(f, t.angular[k]);
    t.scale = frame_true(f, t.scale);
    return t;
}
