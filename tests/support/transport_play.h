/* Random calls of a transport, the same on all ranks, compared with values that each rank computes by itself. */
#ifndef CAROM_TESTS_TRANSPORT_PLAY_H
#define CAROM_TESTS_TRANSPORT_PLAY_H

#include "base/memory.h"
#include "dice.h"
#include "parallel/links.h"
#include "parallel/transport.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAY_NEED(condition, ...)                                                                                      \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s: ", #condition);                                                                       \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { PLAY_RANKS_MOST = 16 };

/* Random numbers of a call and two ranks: their message, its size, whether it exists. */
static inline dice play_dice(uint64_t seed, int call, int from, int to)
{
    dice d = {seed * 1000003 + (uint64_t)call * 10007 + (uint64_t)from * 101 + (uint64_t)to};
    dice_bits(&d);
    return d;
}

/* Sizes about the ends of messages are frequent. */
static inline size_t play_size(dice *d)
{
    switch (dice_below(d, 6)) {
    case 0:
        return 0;
    case 1:
        return 3979 + dice_below(d, 12);
    case 2:
        return dice_below(d, 100000);
    default:
        return dice_below(d, 300);
    }
}

static inline char *play_message(uint64_t seed, int call, int from, int to, size_t *bytes)
{
    dice d = play_dice(seed, call, from, to);
    *bytes = play_size(&d);
    char *message = memory_new(*bytes + 1, 1);
    for (size_t k = 0; k < *bytes; k++) message[k] = (char)dice_bits(&d);
    return message;
}

static inline void play_check(uint64_t seed, int call, int to, const parcel *p)
{
    size_t bytes;
    char *wanted = play_message(seed, call, p->rank, to, &bytes);
    PLAY_NEED(p->bytes == bytes, "call %d: %zu bytes from rank %d to %d, not %zu", call, p->bytes, p->rank, to, bytes);
    PLAY_NEED(bytes == 0 || memcmp(p->data, wanted, bytes) == 0, "call %d: from rank %d to %d", call, p->rank, to);
    memory_free(wanted);
}

static inline void play_exchange(transport *t, uint64_t seed, int call)
{
    const int rank = transport_rank(t), ranks = transport_ranks(t);
    parcel out[PLAY_RANKS_MOST], in[PLAY_RANKS_MOST];
    error e = {0};
    int count = 0;
    for (int k = 1; k < ranks; k++) { /* each rank has an order of its own */
        const int other = (rank + k) % ranks;
        dice d = play_dice(seed, call, rank < other ? rank : other, 100 + (rank < other ? other : rank));
        if (dice_below(&d, 4) == 0) continue;
        out[count].data = play_message(seed, call, rank, other, &out[count].bytes);
        out[count++].rank = other;
    }
    PLAY_NEED(transport_exchange(t, count, out, in, &e) == CAROM_OK, "%s", error_text(&e));
    for (int k = 0; k < count; k++) {
        PLAY_NEED(in[k].rank == out[k].rank, "call %d: rank %d instead of %d", call, in[k].rank, out[k].rank);
        PLAY_NEED((uintptr_t)in[k].data % _Alignof(max_align_t) == 0, "call %d: alignment", call);
        play_check(seed, call, rank, &in[k]);
        memory_free((void *)out[k].data);
    }
}

static inline void play_gather(transport *t, uint64_t seed, int call)
{
    parcel all[PLAY_RANKS_MOST];
    size_t bytes;
    error e = {0};
    char *own = play_message(seed, call, transport_rank(t), 0, &bytes);
    PLAY_NEED(transport_gather(t, own, bytes, all, &e) == CAROM_OK, "%s", error_text(&e));
    for (int k = 0; transport_rank(t) == 0 && k < transport_ranks(t); k++) {
        PLAY_NEED(all[k].rank == k, "call %d: rank %d instead of %d", call, all[k].rank, k);
        play_check(seed, call, 0, &all[k]);
    }
    memory_free(own);
}

static inline void play_broadcast(transport *t, uint64_t seed, int call)
{
    size_t bytes;
    error e = {0};
    char *wanted = play_message(seed, call, 0, 0, &bytes), *data = memory_new(bytes + 1, 1);
    if (transport_rank(t) == 0) memcpy(data, wanted, bytes);
    PLAY_NEED(transport_broadcast(t, data, bytes, &e) == CAROM_OK, "%s", error_text(&e));
    PLAY_NEED(memcmp(data, wanted, bytes) == 0, "call %d: broadcast of %zu bytes at rank %d", call, bytes,
              transport_rank(t));
    memory_free(wanted);
    memory_free(data);
}

/* Position in the total order of the reals, in which -0 is less than +0. */
static inline int64_t play_order(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static inline double play_real(dice *d, transport_op op)
{
    static const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, 0x1p-1074, 0x1p1000};
    if (op == TRANSPORT_SUM) return (double)dice_below(d, 1u << 30) * 0x1p-10 - 0x1p18; /* exact */
    if (dice_below(d, 40) == 0) return NAN;
    return dice_below(d, 2) == 0 ? special[dice_below(d, 8)] : dice_real(d, -1, 1);
}

static inline double play_combined(transport_op op, double x, double y)
{
    if (op == TRANSPORT_SUM) return x + y;
    if (x != x || y != y) return NAN;
    return (play_order(x) < play_order(y)) == (op == TRANSPORT_MIN) ? x : y;
}

static inline void play_reals(transport *t, uint64_t seed, int call)
{
    enum { MOST = 1500 };
    dice common = play_dice(seed, call, 0, 0);
    const transport_op op = (transport_op)dice_below(&common, 3);
    const size_t count = dice_below(&common, 8) == 0 ? dice_below(&common, MOST) : dice_below(&common, 5);
    double x[MOST], wanted[MOST];
    error e = {0};
    for (int rank = 0; rank < transport_ranks(t); rank++) {
        dice d = play_dice(seed, call, rank, 77);
        for (size_t k = 0; k < count; k++) {
            const double own = play_real(&d, op);
            if (rank == transport_rank(t)) x[k] = own;
            wanted[k] = rank == 0 ? own : play_combined(op, wanted[k], own);
        }
    }
    PLAY_NEED(transport_reduce_real(t, op, count, x, &e) == CAROM_OK, "%s", error_text(&e));
    for (size_t k = 0; k < count; k++)
        PLAY_NEED(wanted[k] != wanted[k] ? x[k] != x[k] : play_order(x[k]) == play_order(wanted[k]),
                  "call %d: operation %d: %a instead of %a", call, (int)op, x[k], wanted[k]);
}

static inline void play_counts(transport *t, uint64_t seed, int call)
{
    enum { MOST = 1500 };
    dice common = play_dice(seed, call, 0, 1);
    const transport_op op = (transport_op)dice_below(&common, 3);
    const size_t count = dice_below(&common, 8) == 0 ? dice_below(&common, MOST) : dice_below(&common, 5);
    uint64_t x[MOST], wanted[MOST];
    error e = {0};
    for (int rank = 0; rank < transport_ranks(t); rank++) {
        dice d = play_dice(seed, call, rank, 78);
        for (size_t k = 0; k < count; k++) {
            const uint64_t own = dice_below(&d, 3) == 0 ? dice_below(&d, 3) : dice_bits(&d);
            if (rank == transport_rank(t)) x[k] = own;
            wanted[k] = rank == 0             ? own
                        : op == TRANSPORT_SUM ? wanted[k] + own
                        : op == TRANSPORT_MIN ? (own < wanted[k] ? own : wanted[k])
                                              : (own > wanted[k] ? own : wanted[k]);
        }
    }
    PLAY_NEED(transport_reduce_count(t, op, count, x, &e) == CAROM_OK, "%s", error_text(&e));
    for (size_t k = 0; k < count; k++)
        PLAY_NEED(x[k] == wanted[k], "call %d: operation %d: %llu instead of %llu", call, (int)op,
                  (unsigned long long)x[k], (unsigned long long)wanted[k]);
}

/* Rounded sums depend on the order of the ranks, and are the same on all of them. */
static inline void play_rounded_sum(transport *t, uint64_t seed, int call)
{
    dice d = play_dice(seed, call, transport_rank(t), 79);
    double x = dice_real(&d, -1, 1) * pow(2, dice_below(&d, 40)), of_root;
    error e = {0};
    PLAY_NEED(transport_reduce_real(t, TRANSPORT_SUM, 1, &x, &e) == CAROM_OK, "%s", error_text(&e));
    of_root = x;
    PLAY_NEED(transport_broadcast(t, &of_root, sizeof of_root, &e) == CAROM_OK, "%s", error_text(&e));
    PLAY_NEED(x == of_root, "call %d: rank %d: %a instead of %a", call, transport_rank(t), x, of_root);
}

static inline void play_calls(transport *t, uint64_t seed, int calls)
{
    static void (*const plays[])(transport *, uint64_t, int) = {
        play_exchange, play_exchange, play_gather, play_broadcast, play_reals, play_counts, play_rounded_sum};
    dice d = {seed};
    for (int n = 0; n < calls; n++) plays[dice_below(&d, sizeof plays / sizeof *plays)](t, seed, n);
}

/* Parcels and broadcasts of several messages. */
static inline void play_long(transport *t)
{
    enum { BYTES = 2 * LINKS_MESSAGE_MOST + 12345 };
    const int rank = transport_rank(t), ranks = transport_ranks(t);
    char *data = memory_new(BYTES, 1);
    parcel in, out = {.rank = rank ^ 1, .data = data, .bytes = BYTES - (size_t)rank};
    error e = {0};
    for (size_t k = 0; k < BYTES; k++) data[k] = (char)(k * 7 + k / 4096 + (size_t)rank);
    const int count = out.rank < ranks ? 1 : 0;
    PLAY_NEED(transport_exchange(t, count, &out, &in, &e) == CAROM_OK, "%s", error_text(&e));
    if (count > 0) PLAY_NEED(in.bytes == BYTES - (size_t)in.rank, "%zu bytes", in.bytes);
    for (size_t k = 0; count > 0 && k < in.bytes; k++)
        if (((const char *)in.data)[k] != (char)(k * 7 + k / 4096 + (size_t)in.rank)) PLAY_NEED(false, "byte %zu", k);
    PLAY_NEED(transport_broadcast(t, data, BYTES, &e) == CAROM_OK, "%s", error_text(&e));
    for (size_t k = 0; k < BYTES; k++)
        if (data[k] != (char)(k * 7 + k / 4096)) PLAY_NEED(false, "byte %zu of the broadcast", k);
    memory_free(data);
}

#endif
