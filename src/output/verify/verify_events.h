/* Recorded events: their order, their bodies, and the motion of the particles that follows from them. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_EVENTS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_EVENTS_H

#include "output/results/read.h"
#include "scene/scene.h"

typedef struct event_check event_check;
struct verifier;

/* *out is NULL if no events are recorded. */
carom_status event_check_open(event_check **out, const reader *r, const scene *s, error *e);
void event_check_close(event_check *c);

/* Follows the events up to frame v->f, which must be valid. */
carom_status verify_events(struct verifier *v, error *e);

#endif
