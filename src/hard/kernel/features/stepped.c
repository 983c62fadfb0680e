/* Stepped potentials, liquid bridges and bonds: events of a pair at its steps. */
#include "hard/kernel/features/stepped.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/collide.h"
#include "hard/kernel/response/tallies.h"

#include "geometry/step.h"

/* Crosses a step at local time t, or reflects the pair there. `wall`: the step is infinite. */
static carom_status cross_step(gas *g, uint32_t i, uint32_t j, real t, bool outward, bool wall, uint32_t from,
                               uint32_t to, error *e)
{
    const shell *here = &g->stepped->shell[from];
    real r[DIM], v[DIM], impulse;
    relative_at(g, i, j, t, t, r, v);
    fly(g, i, t);
    fly(g, j, t);
    count_event(g, EVENT_FORCE);
    real vr = dot(v, r), rr = dot(r, r);
    if (outward ? vr < 0 : vr > 0) return CAROM_OK; /* glancing, within rounding */
    real w_i = 1 / (real)mass_of(g, i), w_j = 1 / (real)mass_of(g, j), m = 1 / (w_i + w_j);
    double torn = wall || !outward ? 0 : here->torn;
    double rise = wall ? (double)INFINITY : g->stepped->shell[to].energy - here->energy + torn;
    bool passes = step_cross(vr, rr, m, wall ? REAL_NEVER : (real)ldexp(rise, (int)(2 * g->scale)), &impulse);
    for (int k = 0; k < DIM; k++) {
        real p = impulse * r[k];
        g->body[i].v[k] += p * w_i;
        g->body[j].v[k] -= p * w_j;
    }
    tally_pair(g, r, impulse, 0);
    if (!passes) return CAROM_OK;
    tally_dissipated(g, torn);
    return links_set(g, i, j, to, e);
}

static carom_status stepped_event(gas *g, uint32_t i, uint32_t j, real t, error *e)
{
    const uint32_t from = shell_of(g, i, j);
    const size_t pair = species_of(g, i) * g->scene->species_count + species_of(g, j);
    const shell *s = &g->stepped->shell[from];
    bool outward;
    stepped_next(g, i, j, from, t, &outward);
    if (from == SHELL_OUTSIDE && g->stepped->entered[pair] != SHELL_OUTSIDE)
        return cross_step(g, i, j, t, false, false, from, g->stepped->entered[pair], e);
    if (from != SHELL_OUTSIDE && (outward || s->lengths || s->inside != SHELL_CORE))
        return cross_step(g, i, j, t, outward, s->lengths, from, outward ? s->beyond : s->inside, e);
    collide_pair(g, i, j, t);
    if (from == SHELL_OUTSIDE && g->stepped->wetted[pair] != SHELL_OUTSIDE)
        return links_set(g, i, j, g->stepped->wetted[pair], e);
    return CAROM_OK;
}
