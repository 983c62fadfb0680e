#include "view/server/mailbox.h"

#include <assert.h>

carom_status mailbox_create(mailbox *m, const view_subject *s, const view_choice *c, error *e)
{
    atomic_init(&m->latest, -1);
    for (int k = 0; k < MAILBOX_PICTURES; k++) atomic_init(&m->used[k], false);
    for (int k = 0; k < MAILBOX_PICTURES; k++) TRY(picture_create(&m->pictures[k], s, c, e));
    return CAROM_OK;
}

void mailbox_destroy(mailbox *m)
{
    for (int k = 0; k < MAILBOX_PICTURES; k++) picture_destroy(&m->pictures[k]);
}

picture *mailbox_open(mailbox *m)
{
    for (int k = 0; k < MAILBOX_PICTURES; k++)
        if (!atomic_exchange(&m->used[k], true)) return &m->pictures[k];
    assert(false); /* three buffers suffice for one writer and one reader */
    return NULL;
}

void mailbox_post(mailbox *m, picture *p)
{
    int before = atomic_exchange(&m->latest, (int)(p - m->pictures));
    if (before >= 0) atomic_store(&m->used[before], false);
}

picture *mailbox_take(mailbox *m)
{
    int latest = atomic_exchange(&m->latest, -1);
    return latest >= 0 ? &m->pictures[latest] : NULL;
}

void mailbox_return(mailbox *m, picture *p)
{
    atomic_store(&m->used[p - m->pictures], false);
}
