/* Transfer of pictures from the engine to the server. A new picture replaces an older one, and neither thread waits for
 * the other. */
#ifndef CAROM_VIEW_SERVER_MAILBOX_H
#define CAROM_VIEW_SERVER_MAILBOX_H

#include <stdatomic.h>

#include "view/server/picture.h"

/* One buffer is being filled, one is stored, one is being read. */
enum { MAILBOX_PICTURES = 3 };

typedef struct mailbox {
    picture pictures[MAILBOX_PICTURES];
    atomic_bool used[MAILBOX_PICTURES];
    atomic_int latest; /* index of the stored buffer; -1: none */
} mailbox;

carom_status mailbox_create(mailbox *m, const view_subject *s, const view_choice *c, error *e);
void mailbox_destroy(mailbox *m);

/* The writer: a buffer to fill, and its publication. An older unread picture is discarded. */
picture *mailbox_open(mailbox *m);
void mailbox_post(mailbox *m, picture *p);

/* The reader: the newest picture, NULL if there is none since the last call; and its return. */
picture *mailbox_take(mailbox *m);
void mailbox_return(mailbox *m, picture *p);

#endif
