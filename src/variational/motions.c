#include "variational/motions.h"

#include "geometry/closest.h"

#include <math.h>
#include <string.h>

bool drive_moves(const scene_drive *d)
{
    for (size_t k = 0; d != NULL && k < d->motion_count; k++)
        if (dot3(d->motion[k].velocity, d->motion[k].velocity) > 0) return true;
    return false;
}

/* The displacement of a drive at a time, and its velocity from then on. */
static void follow(const scene_drive *d, double t, double moved[3], double velocity[3])
{
    memset(moved, 0, 3 * sizeof *moved);
    memset(velocity, 0, 3 * sizeof *velocity);
    double since = 0;
    for (size_t k = 0; d != NULL && k < d->motion_count && d->motion[k].time <= t; k++) {
        double now = fmax(d->motion[k].time, 0);
        for (int c = 0; c < 3; c++) moved[c] += (now - since) * velocity[c];
        since = now;
        memcpy(velocity, d->motion[k].velocity, 3 * sizeof *velocity);
    }
    for (int c = 0; c < 3; c++) moved[c] += (t - since) * velocity[c];
}

static double next_change(const scene_drive *d, double t)
{
    for (size_t k = 0; d != NULL && k < d->motion_count; k++)
        if (d->motion[k].time > t) return d->motion[k].time;
    return INFINITY;
}

bool motion_piece(double end, const scene_drive *a, const scene_drive *b, double from, motion_part *p)
{
    double moved[3], velocity[3];
    if (!(from < end)) return false;
    p->from = from;
    p->to = fmin(fmin(next_change(a, from), next_change(b, from)), end);
    follow(a, from, p->moved, p->velocity);
    follow(b, from, moved, velocity);
    for (int k = 0; k < 3; k++) {
        p->moved[k] -= moved[k];
        p->velocity[k] -= velocity[k];
    }
    return true;
}
