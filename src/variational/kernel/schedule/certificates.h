/* Certificates: times before which inactive layers cannot act. */
#ifndef CAROM_VARIATIONAL_CERTIFICATES_H
#define CAROM_VARIATIONAL_CERTIFICATES_H

#include "variational/kernel/response/contacts.h"

typedef enum scope { DUE, ALL } scope;

/* Computes certificates of element i and its neighbours: all, or those that end by `until`. Sets recheck.next, which
 * lists_keep_valid has initialised, to the earliest time at which a layer may begin to act or the neighbour list
 * expires. After a new nominal motion the scope is ALL. The certificates in the neighbours' lists for element i are
 * then out of date, and may end without effect: the newer ones are here. Several threads may run at once, each for
 * elements of its own. */
static void certify_element(world *w, uint32_t i, double t, double until, scope of);

/* Enters the number of a contact (NONE: there is none) of element i and `partner` into the lists of its elements. */
static void enter_contact(world *w, uint32_t i, uint32_t partner, uint32_t index);

/* Activates the layers that may begin to act by `until`, before the next check. */
static void certify_wake(world *w, uint32_t i, double t, double until);

/* The shortest certificate, half the step of the layer. A bound is never reached exactly, so below this time the
 * layer becomes active, in place of repeated checks. */
static double shortest_wait(const world *w, uint32_t layer);

/* Makes the layer of touch `at` of a clock's batch inactive, if it is the contact's deepest and a certificate
 * excludes its action for a while. */
static void contact_sleep(world *w, clock *c, batch *b, uint32_t at, double t);

/* Ends a contact, also with active layers. */
static void contact_remove_touches(world *w, uint32_t index);

#endif
