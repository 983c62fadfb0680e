/* Helfand moments (Phys. Rev. 119, 1 (1960)): the growth of their mean squares gives the viscosities and the thermal
 * conductivity.
 *
 * >
 *     dP_ab = sum m v_a v_b dt + J_a r_b           (momentum: free flow, and transfer over the distance of a collision)
 *     dH_a  = sum v_a m v^2 / 2 dt + r_a (dE_i - dE_j) / 2                                         (kinetic energy)
 *
 * Velocities are constant between collisions, so that the integrals are exact. Each event updates the sums over all
 * bodies. Each re-basing recomputes them, so that their rounding does not accumulate. In unscaled units. */
#include "hard/kernel/features/transport.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/numbers.h"

#include "engine/sound.h"

/* Adds the contribution of body i, times `sign`. */
static void add_body(gas *g, uint32_t i, double sign)
{
    transport *p = g->transport;
    const double scale = ldexp(1, (int)-g->scale), mass = mass_of(g, i);
    double v[DIM], square = 0;
    for (int k = 0; k < DIM; k++) {
        v[k] = (double)g->body[i].v[k] * scale;
        square += v[k] * v[k];
    }
    for (int a = 0; a < DIM; a++) {
        for (int b = 0; b < DIM; b++) p->flow[a][b] += sign * (mass * v[a] * v[b]);
        p->heat_flow[a] += sign * (0.5 * mass * square * v[a]);
    }
}

static double energy_of(const gas *g, uint32_t i)
{
    return ldexp(kinetic_of(g, i), (int)(-2 * g->scale));
}

static void transport_sum(gas *g)
{
    transport *p = g->transport;
    memset(p->flow, 0, sizeof p->flow);
    memset(p->heat_flow, 0, sizeof p->heat_flow);
    for (uint32_t i = 0; i < g->count; i++) add_body(g, i, 1);
}

static void integrate(const transport *p, double span, frame_transport *moment)
{
    for (int a = 0; a < DIM; a++) {
        for (int b = 0; b < DIM; b++) moment->momentum[a][b] += p->flow[a][b] * span;
        moment->heat[a] += p->heat_flow[a] * span;
    }
}

/* Integrates up to t. */
static void transport_reach(gas *g, real t)
{
    transport *p = g->transport;
    integrate(p, ldexp((double)(t - p->since), (int)g->scale), &g->tallies.transport);
    p->since = t;
}

static void transport_before(gas *g, uint32_t i, uint32_t j, real t)
{
    transport_reach(g, t);
    add_body(g, i, -1);
    if (j != i) add_body(g, j, -1);
    g->transport->energy = energy_of(g, i) - energy_of(g, j);
    memcpy(g->transport->virial, g->tallies.virial, sizeof g->transport->virial);
}

static void transport_after(gas *g, uint32_t i, uint32_t j, real t)
{
    transport *p = g->transport;
    frame_transport *moment = &g->tallies.transport;
    real r[DIM], v[DIM];
    add_body(g, i, 1);
    if (j == i) return;
    add_body(g, j, 1);
    relative_at(g, i, j, t, t, r, v);
    const double passed = 0.5 * (energy_of(g, i) - energy_of(g, j) - p->energy);
    for (int a = 0; a < DIM; a++) {
        for (int b = 0; b < DIM; b++) moment->momentum[a][b] += g->tallies.virial[a][b] - p->virial[a][b];
        moment->heat[a] += (double)r[a] * passed;
    }
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool transport_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)state;
    return (tallies & TALLY_TRANSPORT) != 0;
}

static void transport_rebased(gas *g)
{
    g->transport->since = 0;
    transport_sum(g);
}

static int transport_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/transport", g->transport, sizeof *g->transport};
    return 1;
}

static const char *transport_fault(const gas *g)
{
    const transport *p = g->transport;
    const bool good = is_number(p->since) && sound_numbers(&p->flow[0][0], DIM * DIM) &&
                      sound_numbers(p->heat_flow, DIM) && isfinite(p->energy);
    return good ? NULL : "engine/transport";
}

static void transport_fill_frame(const gas *g, real t, carom_frame *f)
{
    f->tallies.transport = g->tallies.transport;
    integrate(g->transport, ldexp((double)(t - g->transport->since), (int)g->scale), &f->tallies.transport);
}

static const feature feature_transport = {.name = "transport",
                                          FEATURE_STATE(transport),
                                          .enabled = transport_enabled,
                                          .tallies = TALLY_TRANSPORT,
                                          .rebase = transport_reach,
                                          .rebased = transport_rebased,
                                          .saved = transport_saved,
                                          .fault = transport_fault,
                                          .fill_frame = transport_fill_frame};
