/* The order of the bodies in memory: along a space-filling curve, so that what meets lies close together. It is renewed with
 * the clock, on all paths alike, and is part of the state: ties between events go by it. */
#include "hard/kernel/gas.h"

#include <string.h>

/* PASSES: even, so that what is sorted ends where it was. */
enum { FEWEST = 2048, DIGIT = 8, DIGITS = 1 << DIGIT, PASSES = 32 / DIGIT };

typedef struct place {
    uint32_t key, body;
} place;

/* Spreads the bits of x so that there is room for those of the other axes between them. */
static uint32_t spread(uint32_t x)
{
    uint32_t spread_out = 0;
    for (int bit = 0; bit < 32 / DIM; bit++) spread_out |= (x >> bit & 1) << (bit * DIM);
    return spread_out;
}

/* Places on a grid with about one body a cell, numbered in Morton's order. */
static void find_places(const gas *g, place *p)
{
    int levels = 0;
    while (levels < 32 / DIM && (uint64_t)1 << levels * DIM < g->count) levels++;
    const uint32_t cells = 1u << levels;
    real low[DIM], length[DIM];
    for (int k = 0; k < DIM; k++) span_of(g, k, &low[k], &length[k]);
    for (uint32_t i = 0; i < g->count; i++) {
        real r[DIM];
        p[i] = (place){0, i};
        position_at(g, i, g->now, r);
        for (int k = 0; k < DIM; k++) {
            real x = length[k] > 0 ? (r[k] - low[k]) / length[k] : 0;
            if (g->box[k] > 0) x -= real_floor(x);
            p[i].key |= spread(!(x > 0) ? 0 : x < 1 ? (uint32_t)(x * (real)cells) : cells - 1) << k;
        }
    }
}

/* Sorts by key, equal keys as they were; `room` is scratch of the same size. */
static void sort(place *p, place *room, uint32_t count)
{
    for (int pass = 0; pass < PASSES; pass++) {
        const int shift = pass * DIGIT;
        uint32_t start[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) start[(p[i].key >> shift & (DIGITS - 1)) + 1]++;
        for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
        for (uint32_t i = 0; i < count; i++) room[start[p[i].key >> shift & (DIGITS - 1)]++] = p[i];
        place *other = p;
        p = room;
        room = other;
    }
}

/* Puts element from[i] of an array to place i, for all i, along the cycles. The keys say what is done. */
static void rearrange(void *array, size_t size, place *from, uint32_t count)
{
    char *a = array, held[128];
    for (uint32_t i = 0; i < count; i++) from[i].key = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (from[i].key != 0) continue;
        memcpy(held, a + i * size, size);
        uint32_t to = i;
        for (; from[to].body != i; to = from[to].body) {
            memcpy(a + to * size, a + from[to].body * size, size);
            from[to].key = 1;
        }
        memcpy(a + to * size, held, size);
        from[to].key = 1;
    }
}

#define REARRANGE(array) rearrange((array), sizeof *(array), from, g->count)

void order_bodies(gas *g)
{
    if (g->count < FEWEST || g->asleep != NULL) return;
    _Static_assert(sizeof(plan) >= 2 * sizeof(place) && sizeof(body) <= 128, "plans are scratch; a body is held");
    place *from = (place *)(void *)g->plan; /* plans are made anew after this */
    find_places(g, from);
    sort(from, from + g->count, g->count);
    REARRANGE(g->body);
    REARRANGE(g->id);
    REARRANGE(g->image);
    if (g->last_contact != NULL) REARRANGE(g->last_contact);
    if (g->stalls) REARRANGE(g->stall_time);
    if (g->stalls) REARRANGE(g->stall_count);
    g->witness_stamps = 0;
}
