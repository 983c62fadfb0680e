/* Ranks as threads of one process, with messages that are delayed and that overtake each other at random. A sender's
 * memory is read late, and a receiver's memory is written late, as a network does. */
#ifndef CAROM_TESTS_FAKE_RANKS_H
#define CAROM_TESTS_FAKE_RANKS_H

#include "base/memory.h"
#include "dice.h"
#include "parallel/round.h"

#include <check.h>
#include <pthread.h>
#include <string.h>

enum { FAKE_DELAY_MOST = 6 };

typedef struct fake_message {
    struct fake_message *next; /* in the order in which they were sent */
    int from, to, tag, number;
    const void *source;
    char *copy; /* NULL: the sender's memory has not been read */
    size_t bytes;
    uint32_t delay; /* polls of the sender until the memory is read, then of the receiver until delivery */
} fake_message;

typedef struct fake_receipt {
    struct fake_receipt *next;
    int number, from, tag;
    void *data;
    size_t room;
} fake_receipt;

typedef struct fake_network {
    pthread_mutex_t lock;
    fake_message *messages;
    dice die;
    int ranks;
    bool broken;       /* every later operation fails */
    uint64_t overtook; /* messages that arrived before an earlier one */
} fake_network;

typedef struct fake_rank {
    fake_network *network;
    int rank;
    fake_receipt *receipts; /* in the order in which they began */
    bool closed, whole;
} fake_rank;

static inline bool fake_send(void *self, int number, int rank, int tag, const void *data, size_t bytes)
{
    fake_rank *own = self;
    fake_network *net = own->network;
    fake_message *m = NEW_ARRAY(1, fake_message), **end = &net->messages;
    pthread_mutex_lock(&net->lock);
    if (bytes > LINKS_MESSAGE_MOST || tag > LINKS_TAG_MOST || rank < 0 || rank >= net->ranks || rank == own->rank)
        ck_abort_msg("message of %zu bytes from rank %d to %d with tag %d", bytes, own->rank, rank, tag);
    *m = (fake_message){.from = own->rank,
                        .to = rank,
                        .tag = tag,
                        .number = number,
                        .source = data,
                        .bytes = bytes,
                        .delay = dice_below(&net->die, FAKE_DELAY_MOST)};
    while (*end != NULL) end = &(*end)->next;
    *end = m;
    const bool sent = !net->broken;
    pthread_mutex_unlock(&net->lock);
    return sent;
}

static inline bool fake_receive(void *self, int number, int rank, int tag, void *data, size_t room)
{
    fake_rank *own = self;
    fake_receipt *r = NEW_ARRAY(1, fake_receipt), **end = &own->receipts;
    *r = (fake_receipt){NULL, number, rank, tag, data, room};
    memset(data, 0xa5, room);
    while (*end != NULL) end = &(*end)->next;
    *end = r;
    return true;
}

static inline void fake_drop(fake_message **m)
{
    fake_message *gone = *m;
    *m = gone->next;
    memory_free(gone->copy);
    memory_free(gone);
}

static inline bool fake_matches(const fake_message *m, int to, const fake_receipt *r)
{
    return m->to == to && m->tag == r->tag && (r->from == LINKS_ANY_RANK || m->from == r->from);
}

/* Delivers the oldest message that fits, unless it is still under way, or an earlier receipt waits for it. */
static inline bool fake_deliver(fake_rank *own, const fake_receipt *r)
{
    fake_message **m = &own->network->messages;
    for (const fake_receipt *k = own->receipts; k != r; k = k->next)
        if (k->from == r->from && k->tag == r->tag) return false;
    while (*m != NULL && !fake_matches(*m, own->rank, r)) m = &(*m)->next;
    if (*m == NULL || (*m)->copy == NULL) return false;
    if ((*m)->delay > 0) {
        (*m)->delay--;
        return false;
    }
    if ((*m)->bytes > r->room) ck_abort_msg("%zu bytes for a room of %zu", (*m)->bytes, r->room);
    for (const fake_message *k = own->network->messages; k != *m; k = k->next)
        if (k->to == own->rank) {
            own->network->overtook++;
            break;
        }
    memcpy(r->data, (*m)->copy, (*m)->bytes);
    fake_drop(m);
    return true;
}

static inline int fake_read_sources(fake_rank *own, int *numbers, int room)
{
    int count = 0;
    for (fake_message *m = own->network->messages; m != NULL && count < room; m = m->next) {
        if (m->from != own->rank || m->copy != NULL) continue;
        if (m->delay > 0) {
            m->delay--;
            continue;
        }
        m->copy = memory_new(m->bytes + 1, 1);
        memcpy(m->copy, m->source, m->bytes);
        m->delay = dice_below(&own->network->die, FAKE_DELAY_MOST);
        numbers[count++] = m->number;
    }
    return count;
}

static inline int fake_completed(void *self, int *numbers, int room)
{
    fake_rank *own = self;
    pthread_mutex_lock(&own->network->lock);
    int count = own->network->broken ? -1 : fake_read_sources(own, numbers, room);
    for (fake_receipt **r = &own->receipts; count >= 0 && *r != NULL && count < room;) {
        if (!fake_deliver(own, *r)) {
            r = &(*r)->next;
            continue;
        }
        fake_receipt *gone = *r;
        numbers[count++] = gone->number;
        *r = gone->next;
        memory_free(gone);
    }
    for (int k = count - 1; k > 0; k--) { /* in any order */
        const int other = (int)dice_below(&own->network->die, (uint32_t)k + 1), number = numbers[k];
        numbers[k] = numbers[other];
        numbers[other] = number;
    }
    pthread_mutex_unlock(&own->network->lock);
    return count;
}

static inline const char *fake_problem(void *self)
{
    (void)self;
    return "the network is down";
}

static inline void fake_close(void *self, bool whole, int code)
{
    fake_rank *own = self;
    (void)code;
    own->closed = true;
    own->whole = whole;
    while (own->receipts != NULL) {
        fake_receipt *gone = own->receipts;
        own->receipts = gone->next;
        memory_free(gone);
    }
}

/* ---- programs of all ranks ----------------------------------------------------------------------------------------------- */

typedef struct fake_program {
    fake_rank rank;
    void (*main)(transport *t, void *context);
    void *context;
    pthread_t thread;
} fake_program;

static inline void *fake_run_rank(void *of_program)
{
    fake_program *p = of_program;
    const transport_links links = {p->rank.rank, p->rank.network->ranks, &p->rank,     fake_send,
                                   fake_receive, fake_completed,         fake_problem, fake_close};
    transport *t;
    error e = {0};
    if (transport_open(&t, &links, false, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
    p->main(t, p->context);
    transport_close(t);
    return NULL;
}

/* Runs `main` on all ranks, each with its context, context[rank * size]. Returns the number of ranks that closed their
 * transport as a whole run. */
static inline int fake_run(int ranks, uint64_t seed, void (*main)(transport *, void *), void *context, size_t size,
                           uint64_t *overtook)
{
    fake_network net = {.die = {seed}, .ranks = ranks};
    fake_program *programs = NEW_ARRAY((size_t)ranks, fake_program);
    int whole = 0;
    pthread_mutex_init(&net.lock, NULL);
    for (int k = 0; k < ranks; k++) {
        programs[k] = (fake_program){
            .rank = {.network = &net, .rank = k}, .main = main, .context = (char *)context + (size_t)k * size};
        if (pthread_create(&programs[k].thread, NULL, fake_run_rank, &programs[k]) != 0) ck_abort_msg("no threads");
    }
    for (int k = 0; k < ranks; k++) {
        pthread_join(programs[k].thread, NULL);
        if (!programs[k].rank.closed) ck_abort_msg("rank %d has not closed its transport", k);
        whole += programs[k].rank.whole ? 1 : 0;
    }
    if (overtook != NULL) *overtook += net.overtook;
    while (net.messages != NULL) fake_drop(&net.messages);
    pthread_mutex_destroy(&net.lock);
    memory_free(programs);
    return whole;
}

#endif
