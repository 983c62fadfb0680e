/* Clocks: a binary heap by (time, rank), and the batches of touches that they fire. */
#include "variational/kernel/schedule/clocks.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- the heap ---------------------------------------------------------------------------------------------------- */

static bool clock_before(const world *w, uint32_t a, uint32_t b)
{
    const clock *p = &w->schedule.clock[a], *q = &w->schedule.clock[b];
    double s = clock_time(p), t = clock_time(q);
    if (OWN_CLOCKS && s == t && p->rank == q->rank) return p->pair < q->pair;
    return s < t || (s == t && p->rank < q->rank);
}

static void heap_put(world *w, uint32_t place, uint32_t c)
{
    w->schedule.heap[place] = c;
    w->schedule.clock[c].place = place;
}

static void heap_rise(world *w, uint32_t place, uint32_t c)
{
    while (place > 0) {
        uint32_t above = (place - 1) / 2;
        if (!clock_before(w, c, w->schedule.heap[above])) break;
        heap_put(w, place, w->schedule.heap[above]);
        place = above;
    }
    heap_put(w, place, c);
}

static void heap_sink(world *w, uint32_t place, uint32_t c)
{
    for (;;) {
        uint32_t below = 2 * place + 1;
        if (below >= w->schedule.heap_count) break;
        if (below + 1 < w->schedule.heap_count && clock_before(w, w->schedule.heap[below + 1], w->schedule.heap[below]))
            below++;
        if (!clock_before(w, w->schedule.heap[below], c)) break;
        heap_put(w, place, w->schedule.heap[below]);
        place = below;
    }
    heap_put(w, place, c);
}

/* ---- clocks ------------------------------------------------------------------------------------------------------ */

static uint32_t clock_add(world *w, clock_kind kind, uint32_t group, uint32_t layer, double step)
{
    if (w->schedule.clock_count == w->schedule.clock_capacity) {
        uint32_t capacity = w->schedule.clock_capacity > 0 ? 2 * w->schedule.clock_capacity : 32;
        clock *clocks = memory_resize(w->schedule.clock, w->schedule.clock_capacity, capacity, sizeof *clocks);
        if (clocks != NULL) w->schedule.clock = clocks;
        uint32_t *heap = memory_resize(w->schedule.heap, w->schedule.clock_capacity, capacity, sizeof *heap);
        if (heap != NULL) w->schedule.heap = heap;
        if (clocks == NULL || heap == NULL) {
            w->progress.out_of_memory = true;
            return NONE;
        }
        w->schedule.clock_capacity = capacity;
    }
    clock *c = &w->schedule.clock[w->schedule.clock_count];
    *c = (clock){.step = step, .place = NONE, .kind = kind, .group = group, .layer = layer};
    c->rank = (uint64_t)kind << 56 | (uint64_t)layer << 16 | group;
    return w->schedule.clock_count++;
}

static bool clocks_make_room(world *w, uint32_t rows, uint32_t more)
{
    uint32_t **clocks = memory_resize(w->schedule.layer_clock, rows, rows + more, sizeof *clocks);
    if (clocks != NULL) w->schedule.layer_clock = clocks;
    uint32_t *counts = memory_resize(w->schedule.layer_count, rows, rows + more, sizeof *counts);
    if (counts != NULL) w->schedule.layer_count = counts;
    return clocks != NULL && counts != NULL;
}

static bool lengthen_row(world *w, uint32_t row, uint32_t layer)
{
    uint32_t count = w->schedule.layer_count[row], longer = layer < 8 ? 8 : 2 * layer;
    uint32_t *clocks = memory_resize(w->schedule.layer_clock[row], count, longer, sizeof *clocks);
    if (clocks == NULL) {
        w->progress.out_of_memory = true;
        return false;
    }
    for (uint32_t l = count; l < longer; l++) clocks[l] = NONE;
    w->schedule.layer_clock[row] = clocks;
    w->schedule.layer_count[row] = longer;
    return true;
}

static uint32_t clock_of_layer(world *w, uint32_t row, uint32_t layer)
{
    if (layer > w->schedule.layer_count[row] && !lengthen_row(w, row, layer)) return NONE;
    uint32_t *c = &w->schedule.layer_clock[row][layer - 1];
    if (*c != NONE) return *c;
    const uint32_t class = OWN_CLOCKS ? 0 : row;
    const double l = layer, p = w->choice.exponent;
    double step = ldexp(w->choice.step, (int)class) * pow(l, -w->settings->step_law);
    *c = clock_add(w, CLOCK_LAYER, class, layer, step);
    if (*c == NONE) return NONE;
    clock *new = &w->schedule.clock[*c];
    new->thickness = 2 * w->choice.eta / l;
    new->strength = step *p * w->choice.coefficient *pow(l, p + 1);
    return *c;
}

static bool clock_start(world *w, uint32_t index, double t)
{
    clock *c = &w->schedule.clock[index];
    if (c->place != NONE) return true;
    c->tick = floor(t / c->step);
    if (!(c->tick < 0x1p52)) return false;
    while (clock_time(c) <= t) c->tick++;
    while (c->tick > 0 && (c->tick - 1) * c->step > t) c->tick--;
    heap_rise(w, w->schedule.heap_count++, index);
    return true;
}

static bool clock_is_busy(const clock *c)
{
    return c->kind != CLOCK_LAYER || c->pairs.count > c->pairs.dead || c->surfaces.count > c->surfaces.dead ||
           c->linked.count > c->linked.dead;
}

static void heap_leave(world *w, uint32_t index)
{
    uint32_t place = w->schedule.clock[index].place, last = w->schedule.heap[--w->schedule.heap_count];
    w->schedule.clock[index].place = NONE;
    if (last == index) return;
    if (place > 0 && clock_before(w, last, w->schedule.heap[(place - 1) / 2]))
        heap_rise(w, place, last);
    else
        heap_sink(w, place, last);
}

static void clock_fired(world *w, uint32_t index)
{
    clock *c = &w->schedule.clock[index];
    c->tick++;
    if (clock_is_busy(c))
        heap_sink(w, c->place, index);
    else
        heap_leave(w, index);
}

static double step_of_clock(const world *w, clock_kind kind)
{
    for (uint32_t c = 0; c < w->schedule.clock_count; c++)
        if (w->schedule.clock[c].kind == (uint32_t)kind) return w->schedule.clock[c].step;
    return 0;
}

/* ---- clocks of single contacts: OWN_CLOCKS ----------------------------------------------------------------------- */

/* The pool's numbers change with a checkpoint, but pairs do not. */
static bool clock_begin(world *w, uint32_t at, uint32_t index, double t)
{
    clock *c = &w->schedule.clock[at];
    const contact *of = &w->contacts.contact[index];
    const double first = ldexp(w->choice.step, (int)of->class) * pow(c->layer, -w->settings->step_law);
    c->strength *= first / c->step;
    c->step = first;
    c->pair = (uint64_t)of->i << 32 | of->j;
    c->origin = t;
    c->tick = IMPULSES ? 0 : 1;
    heap_rise(w, w->schedule.heap_count++, at);
    return t + first > t;
}

static void clock_rest(world *w, uint32_t index)
{
    clock *c = &w->schedule.clock[index];
    c->pairs.count = c->pairs.sorted = c->pairs.dead = 0;
    c->surfaces.count = c->surfaces.sorted = c->surfaces.dead = 0;
    c->linked.count = c->linked.sorted = c->linked.dead = 0;
    heap_leave(w, index);
}

static void clock_set(world *w, uint32_t index, double from, double tick)
{
    heap_leave(w, index);
    w->schedule.clock[index].origin = from;
    w->schedule.clock[index].tick = tick;
    heap_rise(w, w->schedule.heap_count++, index);
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */

static bool batch_grow(world *w, batch *b)
{
    uint32_t capacity = b->capacity > 0 ? 2 * b->capacity : 16;
    touch *at = memory_resize(b->at, b->capacity, capacity, sizeof *at);
    if (at == NULL) {
        w->progress.out_of_memory = true;
        return false;
    }
    b->at = at;
    b->capacity = capacity;
    return true;
}

static void batch_add(world *w, batch *b, const touch *new)
{
    if (b->count == b->capacity && !batch_grow(w, b)) return;
    b->at[b->count++] = *new;
}

static int touch_by_pair(const void *a, const void *b)
{
    const touch *p = a, *q = b;
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    return p->j < q->j ? -1 : p->j > q->j;
}

static uint32_t drop_dead(touch *at, uint32_t count)
{
    uint32_t kept = 0;
    while (kept < count && at[kept].contact != NONE) kept++;
    for (uint32_t k = kept; k < count; k++)
        if (at[k].contact != NONE) at[kept++] = at[k];
    return kept;
}

/* The number of touches before this one. */
static uint32_t touches_before(const touch *at, uint32_t count, const touch *one)
{
    uint32_t from = 0;
    while (from < count) {
        const uint32_t middle = from + (count - from) / 2;
        if (touch_by_pair(&at[middle], one) < 0)
            from = middle + 1;
        else
            count = middle;
    }
    return from;
}

/* The new touches are few: from the end, each moves to its place, and the touches after it move up once. */
static void batch_sort(world *w, batch *b)
{
    uint32_t added = b->count - b->sorted;
    added = drop_dead(b->at + b->sorted, added);
    qsort(b->at + b->sorted, added, sizeof *b->at, touch_by_pair);
    while (b->count + added > b->capacity)
        if (!batch_grow(w, b)) return;
    touch *tail = b->at + b->capacity - added;
    memmove(tail, b->at + b->sorted, added * sizeof *tail);
    uint32_t old = b->dead > 0 ? drop_dead(b->at, b->sorted) : b->sorted;
    b->count = b->sorted = old + added;
    b->dead = 0;
    while (added > 0) {
        const uint32_t before = touches_before(b->at, old, &tail[--added]);
        memmove(&b->at[before + added + 1], &b->at[before], (old - before) * sizeof *tail);
        b->at[before + added] = tail[added];
        old = before;
    }
}

static void clocks_destroy(world *w)
{
    for (uint32_t c = 0; c < w->schedule.clock_count; c++) {
        memory_free(w->schedule.clock[c].pairs.at);
        memory_free(w->schedule.clock[c].surfaces.at);
        memory_free(w->schedule.clock[c].linked.at);
    }
    const uint32_t rows = OWN_CLOCKS ? w->contacts.contact_capacity : w->schedule.class_count;
    for (uint32_t k = 0; w->schedule.layer_clock != NULL && k < rows; k++) memory_free(w->schedule.layer_clock[k]);
    memory_free(w->schedule.layer_clock);
    memory_free(w->schedule.layer_count);
    memory_free(w->schedule.clock);
    memory_free(w->schedule.heap);
}
