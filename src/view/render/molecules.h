/* Molecules: particles connected by springs, bonds and segments; their unwrapped positions. */
#ifndef CAROM_VIEW_RENDER_MOLECULES_H
#define CAROM_VIEW_RENDER_MOLECULES_H

#include "frame/frame.h"

typedef struct molecules {
    size_t count;   /* particles */
    uint32_t *root; /* [count]: the first particle of its molecule */
    uint32_t *from; /* [count]: the particle from which a connection leads to this one; itself: a root */
    uint32_t *turn; /* [count]: all particles, each after its predecessor */
} molecules;

/* ends: [2][links] of each kind of connection. */
typedef struct connection {
    const uint32_t *const *ends;
    size_t count;
} connection;

carom_status molecules_create(molecules *m, size_t count, const connection *kinds, size_t kind_count, error *e);
void molecules_free(molecules *m);

/* Moves particles by whole box lengths, so that each molecule is in one piece around its first particle. A molecule
 * that connects to its own image stays wrapped. */
void molecules_unwrap(const molecules *m, carom_frame *f);

/* The same for clusters, along contacts, in frames that contain any. */
carom_status clusters_unwrap(carom_frame *f, error *e);

#endif
