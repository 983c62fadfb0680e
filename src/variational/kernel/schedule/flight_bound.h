/* Flights and their bounds: checks, extension, renewal. */
#ifndef CAROM_VARIATIONAL_FLIGHT_BOUND_H
#define CAROM_VARIATIONAL_FLIGHT_BOUND_H

#include "variational/kernel/schedule/nominal.h"

/* Whether node i is now within tau of its nominal motion. */
static bool nominal_is_close(const world *w, uint32_t i);

/* Updates all pending nodes: longer bounds or new nominal motions, with new certificates. */
static carom_status flights_update(world *w, double t, error *e);

/* Checks all elements whose bounds or certificates end by `until`, together, at time t. No kick may come before
 * `until`. An early check changes the cost and not the motion. */
static carom_status flights_recheck(world *w, double t, double until, error *e);

/* New nominal motions for all. */
static carom_status flights_renew_all(world *w, double t, error *e);

#endif
