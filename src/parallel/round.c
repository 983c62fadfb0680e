#include "parallel/round.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>

#include "base/memory.h"
#include "parallel/pause.h"

enum { CALLS_OF_TAGS = LINKS_TAG_MOST / 2, HEADER_BYTES = 16, KEPT_MOST = 1 << 24 };

/* Number of an operation: lane * OPERATIONS + one of these. */
enum { OUT_FIRST, OUT_REST, IN_FIRST, IN_REST, OPERATIONS };

/* ---- failures -------------------------------------------------------------------------------------------------- */

static carom_status failed_before(const transport *t, error *e)
{
    return error_set(e, t->failure.status, "%s", error_text(&t->failure));
}

static carom_status fail_links(transport *t)
{
    t->lost = true;
    return error_set(&t->failure, CAROM_IO, "error: the communication between the ranks has failed: %s",
                     t->links.problem(t->links.self));
}

static carom_status fail_notice(transport *t)
{
    const abandonment *n = &t->notice;
    t->abandoned = true; /* the others have this notice too */
    const char *text = n->text, *prefix = "error: ";
    if (strncmp(text, prefix, strlen(prefix)) == 0) text += strlen(prefix);
    return error_set(&t->failure, (carom_status)n->status, "error: rank %d (%s): %s", n->rank,
                     transport_host(t, n->rank), text);
}

static carom_status fail_memory(transport *t, size_t bytes)
{
    error_memory(&t->failure, "messages between the ranks", bytes);
    transport_abandon(t, t->failure.status, error_text(&t->failure));
    return t->failure.status;
}

/* ---- ranks that have ended ----------------------------------------------------------------------------------------- */

typedef enum process_state { PROCESS_UNKNOWN, PROCESS_ALIVE, PROCESS_ENDED } process_state;

static process_state state_of(const transport *t, int rank)
{
    const rank_process *all = t->processes;
    if (all == NULL || all[rank].place == 0 || all[rank].place != all[t->links.rank].place) return PROCESS_UNKNOWN;
    return kill((pid_t)all[rank].number, 0) == 0 || errno != ESRCH ? PROCESS_ALIVE : PROCESS_ENDED;
}

bool round_has_ended(const transport *t, int rank)
{
    return state_of(t, rank) == PROCESS_ENDED;
}

/* The rank of lane k, if the round waits for it; else -1. Receipts first: a rank that has ended sends nothing. */
static int awaited(const transport *t, int k)
{
    if (k < t->in_count) return t->in[k].open > 0 ? t->in[k].rank : -1;
    const outlet *o = &t->out[k - t->in_count];
    return o->open > 0 ? o->rank : -1;
}

static carom_status fail_rank(transport *t, int rank, const char *what)
{
    t->lost = true;
    return error_set(&t->failure, CAROM_IO, "error: rank %d of %d (%s) %s", rank, t->links.ranks,
                     transport_host(t, rank), what);
}

/* A process that is known to be alive may take its time. */
static carom_status check_ranks(transport *t, bool impatient)
{
    for (int k = 0; k < t->in_count + t->out_count; k++) {
        const int rank = awaited(t, k);
        const process_state state = rank >= 0 ? state_of(t, rank) : PROCESS_ALIVE;
        if (state == PROCESS_ENDED) return fail_rank(t, rank, "has ended");
        if (state == PROCESS_UNKNOWN && impatient) return fail_rank(t, rank, "does not answer");
    }
    return CAROM_OK;
}

/* ---- operations ---------------------------------------------------------------------------------------------------- */

static int tag_of(const transport *t, bool rest)
{
    return 1 + 2 * (int)(t->call % CALLS_OF_TAGS) + (rest ? 1 : 0);
}

static bool first_only(uint64_t bytes)
{
    return bytes <= FIRST_BYTES;
}

/* What follows the first message, in pieces; out: NULL for a receipt. Returns their number, negative after a failure. */
static int begin_rest(transport *t, int number, int rank, const char *out, char *in, size_t bytes)
{
    const transport_links *l = &t->links;
    int pieces = 0;
    for (size_t at = 0; at < bytes; pieces++) {
        const size_t piece = bytes - at < LINKS_MESSAGE_MOST ? bytes - at : LINKS_MESSAGE_MOST;
        const bool begun = out != NULL ? l->send(l->self, number, rank, tag_of(t, true), out + at, piece)
                                       : l->receive(l->self, number, rank, tag_of(t, true), in + at, piece);
        if (!begun) return -1;
        at += piece;
    }
    return pieces;
}

static carom_status begin_send(transport *t, int k, const parcel *p)
{
    const transport_links *l = &t->links;
    outlet *o = &t->out[k];
    const size_t here = first_only(p->bytes) ? p->bytes : FIRST_BYTES;
    o->rank = p->rank;
    o->first->bytes = p->bytes;
    o->first->call = t->call;
    o->first->kind = t->kind;
    if (here > 0) memcpy(o->first->data, p->data, here);
    if (!l->send(l->self, k * OPERATIONS + OUT_FIRST, p->rank, tag_of(t, false), o->first, HEADER_BYTES + here))
        return fail_links(t);
    const char *data = p->data;
    const int rest = begin_rest(t, k * OPERATIONS + OUT_REST, p->rank, data + here, NULL, p->bytes - here);
    if (rest < 0) return fail_links(t);
    o->open = 1 + rest;
    t->open += o->open;
    t->cost.messages_out += (uint64_t)o->open;
    t->cost.bytes_out += HEADER_BYTES + p->bytes;
    return CAROM_OK;
}

static carom_status begin_receipt(transport *t, int k, int rank)
{
    const transport_links *l = &t->links;
    inlet *i = &t->in[k];
    i->rank = rank;
    if (!l->receive(l->self, k * OPERATIONS + IN_FIRST, rank, tag_of(t, false), i->block, sizeof(first_message)))
        return fail_links(t);
    i->open = 1;
    t->open++;
    return CAROM_OK;
}

static carom_status take_first(transport *t, int k)
{
    inlet *i = &t->in[k];
    const first_message *first = (const first_message *)(const void *)i->block;
    i->bytes = first->bytes;
    if (first->call != t->call || first->kind != t->kind) {
        error_set(&t->failure, CAROM_INTERNAL, "error: ranks %d and %d differ in their calls (%u.%u, %u.%u)",
                  t->links.rank, i->rank, t->call, t->kind, first->call, first->kind);
        transport_abandon(t, t->failure.status, error_text(&t->failure));
        return t->failure.status;
    }
    if (first_only(i->bytes)) return CAROM_OK;
    const size_t needed = HEADER_BYTES + i->bytes;
    if (needed > i->room) {
        const size_t room = needed + needed / 4;
        char *block = memory_resize(i->block, sizeof(first_message), room, 1);
        if (block == NULL) return fail_memory(t, room);
        i->block = block;
        i->room = room;
    }
    const int rest = begin_rest(t, k * OPERATIONS + IN_REST, i->rank, NULL, i->block + sizeof(first_message),
                                i->bytes - FIRST_BYTES);
    if (rest < 0) return fail_links(t);
    i->open += rest;
    t->open += rest;
    return CAROM_OK;
}

static carom_status complete(transport *t, int number)
{
    if (number == NUMBER_NOTICE) return fail_notice(t);
    const int k = number / OPERATIONS, operation = number % OPERATIONS;
    t->open--;
    if (operation == OUT_FIRST || operation == OUT_REST) {
        t->out[k].open--;
        return CAROM_OK;
    }
    t->in[k].open--;
    t->cost.messages_in++;
    return operation == IN_FIRST ? take_first(t, k) : CAROM_OK;
}

/* ---- waiting ------------------------------------------------------------------------------------------------------- */

/* Polling is cheaper than sleep for some microseconds; then other processes get the core; ranks that wait for a long
 * time, for files of rank 0 for example, sleep. */
static const int64_t SPIN_NS = 20000, YIELD_NS = 2000000, LOOK_NS = 50000000;
static const struct timespec NAP = {.tv_nsec = 50000};

typedef struct idle {
    int64_t since;        /* nothing has arrived since then; 0: something has */
    int64_t looked;       /* at the other processes */
    int64_t urgent_since; /* the end has been requested by then; 0: not yet */
} idle;

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static carom_status rest_briefly(transport *t, idle *i)
{
    const int64_t now = pause_clock_ns();
    if (i->since == 0) {
        i->since = i->looked = now;
        return CAROM_OK;
    }
    const int64_t waited = now - i->since;
    if (waited < SPIN_NS) {
        pause_briefly();
        return CAROM_OK;
    }
    if (i->urgent_since == 0 && atomic_load(&t->urgent)) i->urgent_since = now;
    const bool impatient = i->urgent_since > 0 && now - later(i->since, i->urgent_since) > t->patience_ns;
    if (impatient || now - i->looked > LOOK_NS) {
        i->looked = now;
        TRY(check_ranks(t, impatient));
    }
    if (waited < YIELD_NS)
        sched_yield();
    else
        nanosleep(&NAP, NULL);
    return CAROM_OK;
}

static carom_status await_all(transport *t)
{
    enum { AT_ONCE = 64 };
    int numbers[AT_ONCE];
    idle i = {0};
    while (t->open > 0) {
        const int count = t->links.completed(t->links.self, numbers, AT_ONCE);
        if (count < 0) return fail_links(t);
        for (int n = 0; n < count; n++) TRY(complete(t, numbers[n]));
        if (count > 0)
            i.since = 0;
        else
            TRY(rest_briefly(t, &i));
    }
    return CAROM_OK;
}

/* ---- rounds -------------------------------------------------------------------------------------------------------- */

static bool make_room(transport *t, int sends, int receipts)
{
    if (sends > t->out_room) {
        outlet *out = memory_resize(t->out, (size_t)t->out_room, (size_t)sends, sizeof *out);
        if (out == NULL) return false;
        t->out = out;
        for (; t->out_room < sends; t->out_room++)
            if ((out[t->out_room].first = NEW_ARRAY(1, first_message)) == NULL) return false;
    }
    if (receipts > t->in_room) {
        inlet *in = memory_resize(t->in, (size_t)t->in_room, (size_t)receipts, sizeof *in);
        if (in == NULL) return false;
        t->in = in;
        while (t->in_room < receipts) in[t->in_room++] = (inlet){0};
    }
    for (int k = 0; k < t->in_room; k++) {
        inlet *i = &t->in[k];
        if (i->room > KEPT_MOST ||
            i->block == NULL) { /* a frame has been gathered, and memory is short in large runs */
            memory_free(i->block);
            i->room = sizeof(first_message);
            if ((i->block = memory_new(1, i->room)) == NULL) return false;
        }
    }
    return true;
}

static carom_status run(transport *t, int sends, const parcel *out, int receipts, parcel *in)
{
    if (!make_room(t, sends, receipts)) return fail_memory(t, sizeof(first_message));
    t->in_count = receipts;
    t->out_count = sends;
    for (int k = 0; k < receipts; k++) TRY(begin_receipt(t, k, in[k].rank));
    for (int k = 0; k < sends; k++) TRY(begin_send(t, k, &out[k]));
    TRY(await_all(t));
    for (int k = 0; k < receipts; k++) {
        const inlet *i = &t->in[k];
        in[k] = (parcel){i->rank, i->block + HEADER_BYTES, i->bytes};
        t->cost.bytes_in += HEADER_BYTES + i->bytes;
    }
    return CAROM_OK;
}

carom_status round_run(transport *t, int sends, const parcel *out, int receipts, parcel *in, error *e)
{
    if (t->failure.status != CAROM_OK) return failed_before(t, e);
    const int64_t began = pause_clock_ns();
    const carom_status status = run(t, sends, out, receipts, in);
    t->cost.waited += 1e-9 * (double)(pause_clock_ns() - began);
    return status == CAROM_OK ? CAROM_OK : failed_before(t, e);
}
