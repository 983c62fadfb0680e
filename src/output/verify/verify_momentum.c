/* Momentum and angular momentum, where nothing acts from outside. */
#include <math.h>

#include "output/verify/verifier.h"

/* A particle at rest in gravity, after the start, is asleep; the boundary takes up its momentum. */
static bool any_sleeping(const verifier *v)
{
    const carom_frame *f = &v->f;
    const size_t dimension = (size_t)f->dimension;
    double pull = 0;
    for (size_t k = 0; k < dimension; k++) pull += fabs(f->gravity[k]);
    for (size_t i = 0; i < frame_particles(f) && pull > 0; i++) {
        double speed = 0;
        for (size_t k = 0; k < dimension; k++) speed += fabs(f->velocity[i * dimension + k]);
        if (speed == 0) return true;
    }
    return false;
}

static void check_linear(verifier *v, const frame_energy *own)
{
    static const char *const along[] = {"momentum along x", "momentum along y", "momentum along z"};
    for (int k = 0; k < v->f.dimension; k++)
        if (v->f.gravity[k] == 0)
            verify_compare(v, CHECK_MOMENTUM, along[k], own->momentum[k], v->last.momentum[k],
                           verify_rounding(v) * v->flow_scale);
}

static void check_angular(verifier *v, const turning_sum *now)
{
    static const char *const about[] = {"angular momentum about x", "angular momentum about y",
                                        "angular momentum about z"};
    for (int k = 0; k < 3 && now->known; k++)
        verify_compare(v, CHECK_MOMENTUM, about[k], now->angular[k], v->last_turning.angular[k],
                       verify_rounding(v) * fmax(now->scale, v->last_turning.scale));
}

/* A contact with a wall may last longer than a frame, so that with a ledger momentum is checked only without walls and
 * other external forces. */
static bool is_closed(const verifier *v)
{
    bool closed = v->links.closed;
    for (int k = 0; k < v->f.dimension; k++) closed = closed && v->f.boundary[k] != FRAME_WALL;
    return closed;
}

void verify_momentum(verifier *v, const frame_row *row, const frame_energy *own, const turning_sum *turning)
{
    if (v->f.tallies.ledger.kept) {
        if (is_closed(v)) check_linear(v, own);
        return;
    }
    if (reader_about(v->r)->edited) return;
    const bool slept = v->sleep;
    v->sleep = any_sleeping(v);
    if (slept || v->sleep) return;
    if (v->f.shear != 0 || row->f.tallies.supplied != v->last.f.tallies.supplied) return;
    if (row->f.events[EVENT_WALL] != v->last.f.events[EVENT_WALL]) return;
    check_linear(v, own);
    check_angular(v, turning);
}
