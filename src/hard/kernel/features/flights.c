/* Flights: the contribution of free flow to the Helfand moments (transport.c). */
#include "hard/kernel/features/flights.h"

static void add_flight(const gas *g, uint32_t i, real t, transport_sums *sums)
{
    const body *b = &g->body[i];
    const double scale = ldexp(1, (int)-g->scale), way = mass_of(g, i) * ldexp((double)(t - b->t), (int)g->scale);
    double v[DIM], square = 0;
    for (int k = 0; k < DIM; k++) {
        v[k] = (double)b->v[k] * scale;
        square += v[k] * v[k];
    }
    for (int a = 0; a < DIM; a++) {
        for (int c = 0; c <= a; c++) exact_add(&sums->flow[component(a, c)], way * v[a] * v[c]);
        exact_add(&sums->heat[a], 0.5 * way * square * v[a]);
    }
}

static void tally_flight(gas *g, uint32_t i, real t)
{
    if (g->counts) add_flight(g, i, t, g->transport);
}
