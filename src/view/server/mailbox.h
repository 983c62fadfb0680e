/* Transfer of pictures from the engine to the server: a new picture replaces an older one, and neither thread waits
 * for the other. */
#ifndef CAROM_VIEW_SERVER_MAILBOX_H
#define CAROM_VIEW_SERVER_MAILBOX_H

#include <stdatomic.h>

#include "view/server/picture.h"

/* One is being filled, one lies in the box, one is being read. */
enum { MAILBOX_PICTURES = 3 };

typedef struct mailbox {
    picture pictures[MAILBOX_PICTURES];
    atomic_bool used[MAILBOX_PICTURES];
    atomic_int latest; /* its number; -1: none */
} mailbox;

carom_status mailbox_create(mailbox *m, const view_subject *s, const view_choice *c, error *e);
void mailbox_destroy(mailbox *m);

/* The writer: a buffer to fill, and its publication. An older picture that has not been read is discarded. */
picture *mailbox_open(mailbox *m);
void mailbox_post(mailbox *m, picture *p);

/* The reader: the newest picture, NULL if it has been read; and its return. */
picture *mailbox_take(mailbox *m);
void mailbox_return(mailbox *m, picture *p);

#endif
