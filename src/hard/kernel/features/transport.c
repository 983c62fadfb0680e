/* Helfand moments (Phys. Rev. 119, 1 (1960)): the growth of their mean squares gives the viscosities and the thermal
 * conductivity.
 *
 * >
 *     dP_ab = sum m v_a v_b dt + J_a r_b           (momentum: free flow, and transfer over the distance of a collision)
 *     dH_a  = sum v_a m v^2 / 2 dt + r_a (dE_i - dE_j) / 2                                         (kinetic energy)
 *
 * Velocities are constant during a flight, so that its integral is exact. The sums contain the completed flights of all
 * bodies; frames add the present ones. The transfer of momentum is the virial. */
#include "hard/kernel/features/transport.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/flights.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/tallies.h"

static double energy_difference(const gas *g, uint32_t i, uint32_t j)
{
    return ldexp(kinetic_of(g, i) - kinetic_of(g, j), (int)(-2 * g->scale));
}

static void tally_transfer(gas *g, uint32_t i, uint32_t j, double before)
{
    real r[DIM], v[DIM];
    if (!g->counts) return;
    relative_at(g, i, j, g->body[i].t, g->body[i].t, r, v);
    const double passed = 0.5 * (energy_difference(g, i, j) - before);
    for (int a = 0; a < DIM; a++) exact_add(&g->transport->heat[a], (double)r[a] * passed);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool transport_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)state;
    return (tallies & TALLY_TRANSPORT) != 0;
}

static carom_status transport_create(gas *g, const initial_state *state, error *e)
{
    (void)state;
    (void)e;
    for (int a = 0; a < DIM; a++)
        for (int b = 0; b < DIM; b++) tallies_virial(g, a, b, &g->transport->before[a][b]);
    return CAROM_OK;
}

static int transport_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    parts[0] = (snapshot_part){"engine/transport", g->transport, sizeof *g->transport};
    return 1;
}

static const char *transport_fault(const gas *g)
{
    const transport_sums *p = g->transport;
    const bool good = exact_are_sound(p->flow, PLANES) && exact_are_sound(p->heat, DIM) &&
                      exact_are_sound(&p->before[0][0], DIM * DIM);
    return good ? NULL : "engine/transport";
}

static void transport_settle(gas *g)
{
    transport_sums *p = g->transport;
    for (int n = 0; n < PLANES; n++) exact_settle(&p->flow[n]);
    for (int n = 0; n < DIM; n++) exact_settle(&p->heat[n]);
}

static void clear_sums(transport_sums *p)
{
    memset(p->flow, 0, sizeof p->flow);
    memset(p->heat, 0, sizeof p->heat);
}

static bool transport_divide(gas *g, const gas *whole)
{
    (void)whole;
    clear_sums(g->transport);
    return true;
}

static void transport_collect(gas *g, gas *part)
{
    for (int n = 0; n < PLANES; n++) exact_merge(&g->transport->flow[n], &part->transport->flow[n]);
    for (int n = 0; n < DIM; n++) exact_merge(&g->transport->heat[n], &part->transport->heat[n]);
    clear_sums(part->transport);
}

static void transport_fill_frame(const gas *g, real t, carom_frame *f)
{
    transport_sums sums = *g->transport;
    for (uint32_t i = 0; i < g->count; i++) add_flight(g, i, t, &sums);
    for (int a = 0; a < DIM; a++) {
        for (int b = 0; b < DIM; b++) {
            exact_sum moment;
            tallies_virial(g, a, b, &moment);
            exact_subtract(&moment, &sums.before[a][b]);
            exact_merge(&moment, &sums.flow[component(a, b)]);
            f->tallies.transport.momentum[a][b] = exact_value(&moment);
        }
        f->tallies.transport.heat[a] = exact_value(&sums.heat[a]);
    }
}

static const feature feature_transport = {.name = "transport",
                                          FEATURE_STATE(transport),
                                          .enabled = transport_enabled,
                                          .tallies = TALLY_TRANSPORT,
                                          .create = transport_create,
                                          .settle = transport_settle,
                                          .saved = transport_saved,
                                          .fault = transport_fault,
                                          .fill_frame = transport_fill_frame,
                                          .divide = transport_divide,
                                          .collect = transport_collect};
