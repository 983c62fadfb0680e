/* Flights of bodies in the Helfand moments. */
#ifndef CAROM_HARD_KERNEL_FLIGHTS_H
#define CAROM_HARD_KERNEL_FLIGHTS_H

#include "hard/kernel/features/transport.h"

/* Adds the flight of body i from its stored time to local time t. */
static void add_flight(const gas *g, uint32_t i, real t, transport_sums *sums);

/* The same to the tallies, for a flight that ends. */
static void tally_flight(gas *g, uint32_t i, real t);

#endif
