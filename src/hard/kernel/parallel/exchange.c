#include "hard/kernel/parallel/exchange.h"
#include "hard/kernel/parallel/times.h"

static int rank_of(const crew *c, int number)
{
    return number / c->own;
}

static bool has_ranks(const crew *c)
{
    return c->own < c->count;
}

/* ---- messages between domains ------------------------------------------------------------------------------------ */

static int adjacent_index(const domain *d, int other)
{
    for (int k = 0; k < d->adjacent_count; k++)
        if (d->adjacent[k].domain == other) return k;
    return -1;
}

static adjacent *find_adjacent(domain *d, int other)
{
    const int k = adjacent_index(d, other);
    return k >= 0 ? &d->adjacent[k] : NULL;
}

static carom_status connect_peer(crew *c, int rank, int count, peer *p, error *e)
{
    *p = (peer){.rank = rank, .count = count};
    p->out = NEW_ARRAY((size_t)count, adjacent *);
    p->in = NEW_ARRAY((size_t)count, adjacent *);
    if (p->out == NULL || p->in == NULL) return error_memory(e, "domains", 2 * (size_t)count * sizeof(adjacent *));
    int out = 0, in = 0;
    for (int n = c->first; n < c->first + c->own; n++)
        for (int m = rank * c->own; m < (rank + 1) * c->own; m++) {
            adjacent *a = find_adjacent(&c->domain[n], m);
            if (a != NULL) p->out[out++] = a;
        }
    for (int m = rank * c->own; m < (rank + 1) * c->own; m++)
        for (int n = c->first; n < c->first + c->own; n++) {
            adjacent *a = find_adjacent(&c->domain[n], m);
            if (a == NULL) continue;
            a->in = &a->copy;
            p->in[in++] = a;
        }
    return CAROM_OK;
}

static int pairs_with(const crew *c, int rank)
{
    int count = 0;
    for (int n = c->first; n < c->first + c->own; n++)
        for (int k = 0; k < c->domain[n].adjacent_count; k++)
            count += rank_of(c, c->domain[n].adjacent[k].domain) == rank;
    return count;
}

static carom_status exchange_connect(crew *c, error *e)
{
    const int ranks = c->count / c->own, rank = c->first / c->own;
    exchange_free(c);
    if (ranks == 1) return CAROM_OK;
    c->peer = NEW_ARRAY((size_t)ranks, peer);
    c->parcels = NEW_ARRAY(2 * (size_t)ranks, parcel);
    if (c->peer == NULL || c->parcels == NULL) return error_memory(e, "domains", (size_t)ranks * sizeof *c->peer);
    for (int r = 0; r < ranks; r++) {
        const int count = r != rank ? pairs_with(c, r) : 0;
        if (count > 0) TRY(connect_peer(c, r, count, &c->peer[c->peer_count++], e));
    }
    return CAROM_OK;
}

static void exchange_free(crew *c)
{
    for (int k = 0; k < c->peer_count; k++) {
        memory_free(c->peer[k].out);
        memory_free(c->peer[k].in);
        buffer_free(&c->peer[k].message);
    }
    memory_free(c->peer);
    memory_free(c->parcels);
    c->peer = NULL;
    c->parcels = NULL;
    c->peer_count = 0;
}

static bool pack_messages(peer *p)
{
    buffer_clear(&p->message);
    for (int n = 0; n < p->count; n++) {
        const uint64_t bytes = p->out[n]->out.size;
        buffer_put(&p->message, &bytes, sizeof bytes);
    }
    for (int n = 0; n < p->count; n++) buffer_put(&p->message, p->out[n]->out.data, p->out[n]->out.size);
    return !p->message.failed;
}

static carom_status unpack_messages(peer *p, const parcel *in, error *e)
{
    const char *sizes = in->data, *at = sizes + (size_t)p->count * sizeof(uint64_t), *end = sizes + in->bytes;
    if (in->bytes < (size_t)p->count * sizeof(uint64_t))
        return error_set(e, CAROM_INTERNAL, "error: a message of rank %d is too short", p->rank);
    for (int n = 0; n < p->count; n++) {
        uint64_t bytes;
        memcpy(&bytes, sizes + (size_t)n * sizeof bytes, sizeof bytes);
        if (bytes > (uint64_t)(end - at))
            return error_set(e, CAROM_INTERNAL, "error: a message of rank %d is too short", p->rank);
        buffer_clear(&p->in[n]->copy);
        buffer_put(&p->in[n]->copy, at, bytes);
        if (p->in[n]->copy.failed) return error_memory(e, "messages", bytes);
        at += bytes;
    }
    return CAROM_OK;
}

static void count_messages(crew *c)
{
    uint64_t messages = 0, bytes = 0;
    for (int n = c->first; n < c->first + c->own; n++) {
        const domain *d = &c->domain[n];
        uint64_t all = 0;
        for (int k = 0; k < d->adjacent_count; k++) all += d->adjacent[k].out.size;
        if ((uint64_t)d->adjacent_count > messages) messages = (uint64_t)d->adjacent_count;
        if (all > bytes) bytes = all;
    }
    c->cost.messages += messages;
    c->cost.bytes += bytes;
}

static carom_status exchange_messages(crew *c, error *e)
{
    parcel *in = c->parcels + c->peer_count;
    count_messages(c);
    if (c->peer_count == 0 && !has_ranks(c)) return CAROM_OK;
    for (int k = 0; k < c->peer_count; k++) {
        peer *p = &c->peer[k];
        if (!pack_messages(p)) return error_memory(e, "messages", p->message.size);
        c->parcels[k] = (parcel){p->rank, p->message.data, p->message.size};
    }
    TRY(transport_exchange(c->transport, c->peer_count, c->parcels, in, e));
    for (int k = 0; k < c->peer_count; k++) TRY(unpack_messages(&c->peer[k], &in[k], e));
    return CAROM_OK;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void add_result(window_result *r, const domain *d)
{
    r->halt = earlier(r->halt, d->halt);
    r->far = earlier(r->far, d->gas->far);
    if (d->mark_count > 0) r->last_event = later(r->last_event, d->marks[d->mark_count - 1].time);
    r->speed_found = fmax(r->speed_found, d->speed_found);
    for (int kind = 0; kind < EVENT_KINDS; kind++) r->events[kind] += d->gas->events[kind];
    for (uint32_t k = 0; k < d->mark_count; k++) {
        r->collisions += d->marks[k].collisions;
        r->counted += d->marks[k].events;
    }
    r->marks += d->mark_count;
    r->work += d->work;
}

static carom_status exchange_results(crew *c, error *e)
{
    window_result *r = &c->result;
    *r = (window_result){.halt = REAL_NEVER, .far = REAL_NEVER, .last_event = -REAL_NEVER};
    for (int n = c->first; n < c->first + c->own; n++) add_result(r, &c->domain[n]);
    if (!has_ranks(c)) return CAROM_OK;
    enum { TIMES = 4, COUNTS = EVENT_KINDS + 4 };
    double least[TIMES] = {(double)r->halt, (double)r->far, -(double)r->last_event, -r->speed_found};
    uint64_t sums[COUNTS] = {r->marks, r->collisions, r->counted, r->work};
    memcpy(sums + COUNTS - EVENT_KINDS, r->events, sizeof r->events);
    TRY(transport_reduce_real(c->transport, TRANSPORT_MIN, TIMES, least, e));
    TRY(transport_reduce_count(c->transport, TRANSPORT_SUM, COUNTS, sums, e));
    *r = (window_result){.halt = (real)least[0],
                         .far = (real)least[1],
                         .last_event = (real)-least[2],
                         .speed_found = -least[3],
                         .marks = sums[0],
                         .collisions = sums[1],
                         .counted = sums[2],
                         .work = sums[3]};
    memcpy(r->events, sums + COUNTS - EVENT_KINDS, sizeof r->events);
    return CAROM_OK;
}

static carom_status exchange_largest(crew *c, double *x, error *e)
{
    return transport_reduce_real(c->transport, TRANSPORT_MAX, 1, x, e);
}

/* parcels[0 ... ranks - 1]: by rank, at rank 0. */
static carom_status gather(crew *c, const void *data, size_t bytes, error *e)
{
    return transport_gather(c->transport, data, bytes, c->parcels, e);
}

static carom_status exchange_sum(crew *c, exact_sum *s, error *e)
{
    if (!has_ranks(c)) return CAROM_OK;
    TRY(gather(c, s, sizeof *s, e));
    for (int r = 1; c->first == 0 && r < c->count / c->own; r++) {
        exact_sum other;
        memcpy(&other, c->parcels[r].data, sizeof other);
        exact_merge(s, &other);
    }
    return transport_broadcast(c->transport, s, sizeof *s, e);
}

static carom_status exchange_marks(crew *c, mark **all, error *e)
{
    buffer own = {.data = NULL};
    carom_status status = CAROM_OK;
    *all = NULL;
    for (int n = c->first; n < c->first + c->own; n++)
        buffer_put(&own, c->domain[n].marks, c->domain[n].mark_count * sizeof(mark));
    if (own.failed) status = error_memory(e, "a window", own.size);
    if (status == CAROM_OK && has_ranks(c)) status = gather(c, own.data, own.size, e);
    if (status == CAROM_OK && c->first == 0) {
        *all = NEW_ARRAY(c->result.marks, mark);
        if (*all == NULL) status = error_memory(e, "a window", c->result.marks * sizeof **all);
    }
    char *at = (char *)*all;
    if (at != NULL && !has_ranks(c)) memcpy(at, own.data, own.size);
    for (int r = 0; at != NULL && has_ranks(c) && r < c->count / c->own; at += c->parcels[r++].bytes)
        if (c->parcels[r].bytes > 0) memcpy(at, c->parcels[r].data, c->parcels[r].bytes);
    buffer_free(&own);
    return status;
}
