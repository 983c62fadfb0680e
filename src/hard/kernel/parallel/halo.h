/* Halos: which bodies belong to which domain, and which have copies where. */
#ifndef CAROM_HARD_KERNEL_HALO_H
#define CAROM_HARD_KERNEL_HALO_H

#include "hard/kernel/parallel/domain.h"
#include "hard/kernel/parallel/notes.h"

/* Chooses the lengths that determine the halos, for the range of interactions and the number of bodies. */
static void halo_choose(crew *c);

/* Chooses the adjacent domains, after a change of the cuts. before: c->cuts, or other cuts by which the domains have their
 * bodies: then they are those that may have to pass bodies to each other. */
static carom_status halo_connect(crew *c, const cuts *before, error *e);

/* At c->reached, where all states are exact: bounds the speeds of all bodies and finds those near other domains; holds
 * until c->survey_end. */
static carom_status halo_survey(crew *c, error *e);

/* At c->reached: gives bodies to the domains in which they are, and renews the halos; holds until c->epoch_end. */
static carom_status halo_renew(crew *c, error *e);

static void adjacent_free(domain *d);

/* Position of body i in the box at local time g->now; coordinates that the scene lacks are 0. */
static void place_in_box(const gas *g, uint32_t i, double place[3]);

/* Messages between adjacent domains. */
static buffer *message_to(adjacent *a);
static const buffer *message_from(const adjacent *a);

/* Runs a step for each domain, in the team. */
static carom_status crew_each(crew *c, void (*step)(domain *d), error *e);

#endif
