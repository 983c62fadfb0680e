#include "parallel/transport.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/round.h"

/* ---- ranks --------------------------------------------------------------------------------------------------------- */

transport *transport_alone(void)
{
    static transport alone = {.links = {.ranks = 1}};
    return &alone;
}

int transport_rank(const transport *t)
{
    return t != NULL ? t->links.rank : 0;
}

int transport_ranks(const transport *t)
{
    return t != NULL ? t->links.ranks : 1;
}

const char *transport_host(const transport *t, int rank)
{
    return t != NULL && t->processes != NULL ? t->processes[rank].host : "?";
}

transport_cost transport_cost_of(const transport *t)
{
    return t != NULL ? t->cost : (transport_cost){0};
}

void transport_hurry(transport *t)
{
    if (t != NULL) atomic_store(&t->urgent, true);
}

/* ---- parcels ------------------------------------------------------------------------------------------------------- */

/* Purposes of rounds. */
enum { KIND_EXCHANGE = 1, KIND_REDUCE, KIND_GATHER, KIND_BROADCAST };

static void begin_call(transport *t, uint32_t kind)
{
    t->cost.calls++;
    t->call++;
    t->kind = kind;
}

carom_status transport_exchange(transport *t, int count, const parcel *out, parcel *in, error *e)
{
    if (transport_ranks(t) == 1) return CAROM_OK;
    begin_call(t, KIND_EXCHANGE);
    for (int k = 0; k < count; k++)
        assert(out[k].rank >= 0 && out[k].rank < t->links.ranks && out[k].rank != t->links.rank);
    for (int k = 0; k < count; k++) in[k] = (parcel){.rank = out[k].rank};
    return round_run(t, count, out, count, in, e);
}

carom_status transport_gather(transport *t, const void *data, size_t bytes, parcel *all, error *e)
{
    const parcel own = {0, data, bytes};
    const int ranks = transport_ranks(t);
    if (ranks > 1) {
        begin_call(t, KIND_GATHER);
        if (t->links.rank > 0) return round_run(t, 1, &own, 0, NULL, e);
        for (int k = 1; k < ranks; k++) all[k] = (parcel){.rank = k};
        TRY(round_run(t, 0, NULL, ranks - 1, all + 1, e));
    }
    all[0] = own;
    return CAROM_OK;
}

/* ---- broadcasts: along a binomial tree, in pieces, so that a long one needs little memory ------------------------------- */

enum { PIECE_BYTES = 1 << 22, TREE_DEPTH_MOST = 31 };

static carom_status broadcast_piece(transport *t, char *data, size_t bytes, error *e)
{
    const int rank = t->links.rank, ranks = t->links.ranks;
    parcel in, out[TREE_DEPTH_MOST];
    int above = 1, count = 0; /* lowest set bit of the rank; for rank 0, the first power of two that is not smaller */
    while (above < ranks && (rank & above) == 0) above *= 2;
    if (rank > 0) {
        in = (parcel){.rank = rank - above};
        TRY(round_run(t, 0, NULL, 1, &in, e));
        assert(in.bytes == bytes);
        memcpy(data, in.data, bytes);
    }
    for (int below = above / 2; below > 0; below /= 2)
        if (rank + below < ranks) out[count++] = (parcel){rank + below, data, bytes};
    return count > 0 ? round_run(t, count, out, 0, NULL, e) : CAROM_OK;
}

carom_status transport_broadcast(transport *t, void *data, size_t bytes, error *e)
{
    if (transport_ranks(t) == 1) return CAROM_OK;
    begin_call(t, KIND_BROADCAST);
    for (size_t at = 0; at < bytes; at += PIECE_BYTES)
        TRY(broadcast_piece(t, (char *)data + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES, e));
    return CAROM_OK;
}

/* ---- reductions: by recursive doubling ---------------------------------------------------------------------------------- */

typedef void combine(transport_op op, size_t count, void *x, const void *y);

/* Both partners of a step call it with exchanged arguments, and have to obtain the same bits. */
static double combine_real(transport_op op, double x, double y)
{
    if (op == TRANSPORT_SUM) return x + y;
    if (isnan(x) || isnan(y)) return NAN;
    if (x == y) return (signbit(x) != 0) == (op == TRANSPORT_MIN) ? x : y;
    return (x < y) == (op == TRANSPORT_MIN) ? x : y;
}

static void combine_reals(transport_op op, size_t count, void *x, const void *y)
{
    double *to = x;
    const double *from = y;
    for (size_t k = 0; k < count; k++) to[k] = combine_real(op, to[k], from[k]);
}

static uint64_t combine_count(transport_op op, uint64_t x, uint64_t y)
{
    if (op == TRANSPORT_SUM) return x + y;
    return (x < y) == (op == TRANSPORT_MIN) ? x : y;
}

static void combine_counts(transport_op op, size_t count, void *x, const void *y)
{
    uint64_t *to = x;
    const uint64_t *from = y;
    for (size_t k = 0; k < count; k++) to[k] = combine_count(op, to[k], from[k]);
}

/* Ranks beyond the last power of two give their values to a partner below it, and receive the result. */
static carom_status reduce(transport *t, combine *with, transport_op op, size_t count, void *x, error *e)
{
    const int rank = t->links.rank, ranks = t->links.ranks;
    const size_t bytes = count * sizeof(uint64_t);
    int even = 1;
    while (even <= ranks / 2) even *= 2;
    const int extra = rank >= even ? rank - even : rank + even;
    const parcel to_extra = {extra, x, bytes};
    parcel in = {.rank = extra};
    if (rank >= even) {
        TRY(round_run(t, 1, &to_extra, 0, NULL, e));
        TRY(round_run(t, 0, NULL, 1, &in, e));
        memcpy(x, in.data, bytes);
        return CAROM_OK;
    }
    if (extra < ranks) {
        TRY(round_run(t, 0, NULL, 1, &in, e));
        with(op, count, x, in.data);
    }
    for (int step = 1; step < even; step *= 2) {
        const parcel out = {rank ^ step, x, bytes};
        in = (parcel){.rank = out.rank};
        TRY(round_run(t, 1, &out, 1, &in, e));
        with(op, count, x, in.data);
    }
    return extra < ranks ? round_run(t, 1, &to_extra, 0, NULL, e) : CAROM_OK;
}

carom_status transport_reduce_real(transport *t, transport_op op, size_t count, double *x, error *e)
{
    if (transport_ranks(t) == 1 || count == 0) return CAROM_OK;
    begin_call(t, KIND_REDUCE);
    return reduce(t, combine_reals, op, count, x, e);
}

carom_status transport_reduce_count(transport *t, transport_op op, size_t count, uint64_t *x, error *e)
{
    if (transport_ranks(t) == 1 || count == 0) return CAROM_OK;
    begin_call(t, KIND_REDUCE);
    return reduce(t, combine_counts, op, count, x, e);
}
