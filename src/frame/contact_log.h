/* The contact log: impulses of contacts of particles, with their places (TALLY_CONTACTS). An engine appends to it, and the
 * run loop empties it after each slice of the run, which bounds its size. */
#ifndef CAROM_FRAME_CONTACT_LOG_H
#define CAROM_FRAME_CONTACT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTACT_BOUNDARY = UINT32_MAX }; /* contact_impulse.j: a wall, plane, surface, or an element of a mesh */

/* An impulse, or the sum of those of a lasting contact since it was last in the log. True units. */
typedef struct contact_impulse {
    uint32_t i, j;        /* places in frames; i: a particle, j: another one, or CONTACT_BOUNDARY */
    uint32_t species[2];  /* of i and j; of a boundary: that of i */
    uint32_t boundary;    /* number of the boundary among those of the engine; 0 for a particle */
    double line[3];       /* from the centre of j, or from the point of contact, to the centre of i: along the normal */
    double place[3];      /* centre of i, in the box; of a clump its centre of mass */
    double branch[3];     /* from the centre of j, likewise, or from the point of contact, to the centre of i */
    double impulse[3];    /* on i; on j its opposite */
    double product[3][3]; /* sum of J_a r_b, with the branches r at the times of the impulses */
} contact_impulse;

typedef struct contact_log {
    contact_impulse *at;
    size_t count, capacity;
    bool no_memory; /* an impulse was lost; the run loop reports it */
} contact_log;

void contact_log_free(contact_log *log);
void contact_log_append(contact_log *log, const contact_impulse *impulse);

#endif
