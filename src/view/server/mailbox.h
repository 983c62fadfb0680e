/* Where the engine leaves the newest picture, and the server finds it: the latest wins, and neither ever waits for the
 * other. */
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

/* The writer: one to fill, and into the box with it. What lay there unread is gone. */
picture *mailbox_open(mailbox *m);
void mailbox_post(mailbox *m, picture *p);

/* The reader: the newest, NULL where there is none that it has not had; and back. */
picture *mailbox_take(mailbox *m);
void mailbox_return(mailbox *m, picture *p);

#endif
