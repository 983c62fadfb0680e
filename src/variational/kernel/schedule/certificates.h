/* Certificates: until when can a sleeping layer not begin to act? */
#ifndef CAROM_VARIATIONAL_CERTIFICATES_H
#define CAROM_VARIATIONAL_CERTIFICATES_H

#include "variational/kernel/response/contacts.h"

typedef enum scope { DUE, ALL } scope;

/* Looks at the neighbours of element i, all or those whose certificates end by `until`, and finds the earliest time
 * at which a layer may begin to act, or at which the list of neighbours no longer holds all of them (recheck.next,
 * which lists_keep_valid has set). After a new nominal motion all are to be looked at. The certificates that the others
 * have of element i are then out of date, and may be passed over: this one has newer ones. Several threads may look
 * at once, each for elements of its own. */
static void certify_element(world *w, uint32_t i, double t, double until, scope of);

/* Wakes the layers that may begin to act now. */
static void certify_wake(world *w, uint32_t i, double t);

/* Bounds are not reached: rather than looking at a pair again and again, a layer wakes when less than this is certain,
 * half its step. */
static double shortest_wait(const world *w, uint32_t layer);

/* Puts touch `at` of a clock's batch to sleep where a certificate allows it: its layer is the contact's deepest and
 * will not act for a while. */
static void contact_sleep(world *w, clock *c, batch *b, uint32_t at, double t);

/* Ends a contact, whatever is awake of it. */
static void contact_remove_touches(world *w, uint32_t index);

#endif
