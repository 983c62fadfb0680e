/* Molecules: particles that springs, bonds and segments connect; and how they lie in one piece. */
#ifndef CAROM_VIEW_RENDER_MOLECULES_H
#define CAROM_VIEW_RENDER_MOLECULES_H

#include "frame/frame.h"

typedef struct molecules {
    size_t count;   /* particles */
    uint32_t *root; /* [count]: the first particle of its molecule */
    uint32_t *from; /* [count]: the particle from which it is reached along a connection; itself: a root */
    uint32_t *turn; /* [count]: all particles, each after that from which it is reached */
} molecules;

/* ends: [2][links] of each kind of connection. */
typedef struct connection {
    const uint32_t *const *ends;
    size_t count;
} connection;

carom_status molecules_create(molecules *m, size_t count, const connection *kinds, size_t kind_count, error *e);
void molecules_free(molecules *m);

/* Moves particles by whole boxes, so that each molecule is in one piece around its first particle. What winds round the
 * box stays in pieces. */
void molecules_unwrap(const molecules *m, carom_frame *f);

/* Likewise clusters, along contacts, in frames that have any. */
carom_status clusters_unwrap(carom_frame *f, error *e);

#endif
