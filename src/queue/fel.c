#include "queue/fel.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Time is cut into buckets by x = (time - base) * rate, which never decreases with time, so that rounding can put an
 * entry into a neighbouring bucket but never out of order:
 *
 *     x < heap_end               the heap: all of the bucket at hand and whatever is earlier
 *     heap_end <= x < list_end   a bucket of the ring; a tree of bits finds the next one that may hold something
 *     otherwise                  the overflow, in no order, looked through when `due` is reached
 *
 * An entry's record says where it is, so that taking it out touches the record and one bucket. Width and number of
 * buckets are chosen anew from all times present when they fit badly; `credit` counts calls since, which pay for it.
 *
 * Memory of many entries, in bytes for each: 16 for the record, 4 for the overflow, 7 to 14 for the buckets. The heap has
 * room for all entries, but only its first pages are touched unless all entries are in it. */

enum {
    SLOTS = 8, /* ids in a bucket; more are chained through the records */
    SLOT_BITS = 3,
    LOAD = 4,       /* target number of entries in the current bucket */
    SPREAD = 2,     /* entries over buckets, at most: the ring reaches LOAD / SPREAD mean waiting times and more */
    MANY = 1 << 18, /* from here on fewer buckets, which save more misses than the longer overflow costs */
    FEW = 64,       /* a heap alone serves that many */
    SURE = 32,      /* entries from which a density is estimated */
    LEVELS = 5,     /* of the tree of bits: 64^5 buckets */
    KIND_SHIFT = 29,
    MAX_IDS = 1 << 27, /* so that every detail of `where` fits */
    MAX_PRICE = 64
};

/* Where a record's entry is: kind << KIND_SHIFT | detail. */
typedef enum kind {
    ABSENT,      /* */
    IN_HEAP,     /* index in the heap */
    IN_BUCKET,   /* bucket << SLOT_BITS | slot */
    FIRST_CHAIN, /* bucket: first of its chain */
    IN_CHAIN,    /* the id before it in the chain */
    IN_OVERFLOW  /* index in the overflow */
} kind;

typedef struct record {
    double time;
    uint32_t where;
    uint32_t next; /* id + 1 in a chain, 0: the last */
} record;

/* What is put into a bucket, or taken out again, is only written: to wait for a bucket's cache line would be slow. */
typedef struct bucket {
    uint32_t id[SLOTS]; /* TAKEN where the entry has gone elsewhere */
} bucket;

#define TAKEN UINT32_MAX

typedef struct item {
    double time;
    uint32_t id;
} item;

struct fel {
    double base, rate;
    double heap_end, list_end;
    record *records;    /* [count] */
    bucket *buckets;    /* [bucket_limit] */
    uint8_t *filled;    /* slots of each bucket that have been used, */
    uint32_t *chain;    /* and id + 1 of the first beyond them, 0: none */
    item *heap;         /* [count], its children of one parent in a cache line */
    uint32_t *overflow; /* [count] */
    uint32_t heap_count, overflow_count;
    uint32_t mask;    /* buckets in use - 1 */
    uint32_t present; /* ids with a finite time */
    int64_t current;  /* number of the bucket at hand */
    double due;       /* no entry in the overflow has a smaller x */
    uint64_t credit;
    uint64_t drained; /* entries that came from the ring since `since` */
    int64_t since;
    uint32_t price; /* of a rebuild: grows while they do not help */
    uint32_t count, bucket_limit;
    bool ring; /* the ring is in use */
    fel_before *before;
    fel_hint *hint;
    int hints_ahead;
    const void *context;
    uint64_t *bits[LEVELS];
    item *items;
};

/* ---- Order ----------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) bool tie_earlier(const fel *q, uint32_t a, uint32_t b)
{
    if (q->before != NULL) {
        if (q->before(q->context, a, b)) return true;
        if (q->before(q->context, b, a)) return false;
    }
    return a < b;
}

static inline bool earlier(const fel *q, item a, item b)
{
    if (a.time != b.time) return a.time < b.time;
    return tie_earlier(q, a.id, b.id);
}

/* ---- The heap: four children a node ---------------------------------------------------------------------------- */

static inline void set_where(fel *q, uint32_t id, kind k, uint32_t detail)
{
    q->records[id].where = (uint32_t)k << KIND_SHIFT | detail;
}

static inline void heap_put(fel *q, uint32_t place, item it)
{
    q->heap[place] = it;
    set_where(q, it.id, IN_HEAP, place);
}

/* Both sift: `it` belongs at `place` or, as far as order wants it, above or below. */
static bool sift_up(fel *q, uint32_t place, item it)
{
    uint32_t start = place;
    while (place > 0) {
        uint32_t parent = (place - 1) / 4;
        if (!earlier(q, it, q->heap[parent])) break;
        heap_put(q, place, q->heap[parent]);
        place = parent;
    }
    heap_put(q, place, it);
    return place != start;
}

static void sift_down(fel *q, uint32_t place, item it)
{
    const uint32_t count = q->heap_count;
    for (;;) {
        uint32_t child = 4 * place + 1;
        if (child >= count) break;
        uint32_t end = child + 4 < count ? child + 4 : count;
        uint32_t least = child;
        for (uint32_t c = child + 1; c < end; c++) {
            if (earlier(q, q->heap[c], q->heap[least])) least = c;
        }
        if (!earlier(q, q->heap[least], it)) break;
        heap_put(q, place, q->heap[least]);
        place = least;
    }
    heap_put(q, place, it);
}

static void heap_move(fel *q, uint32_t place, item it)
{
    if (!sift_up(q, place, it)) sift_down(q, place, it);
}

static void heap_remove(fel *q, uint32_t place)
{
    item last = q->heap[--q->heap_count];
    if (place < q->heap_count) heap_move(q, place, last);
}

/* Orders a heap whose items were only appended. */
static void heap_build(fel *q)
{
    for (uint32_t place = 0; place < q->heap_count; place++) set_where(q, q->heap[place].id, IN_HEAP, place);
    if (q->heap_count < 2) return;
    for (uint32_t place = (q->heap_count - 2) / 4 + 1; place-- > 0;) sift_down(q, place, q->heap[place]);
}

/* ---- The tree of bits ------------------------------------------------------------------------------------------ */

/* A bucket is marked by each entry that is added, and unmarked only when it is drained: a test whether it is empty
 * would wait for its cache line. */

static inline void mark(fel *q, uint32_t b)
{
    for (int level = 0; level < LEVELS; level++, b >>= 6) {
        uint64_t *word = &q->bits[level][b >> 6], old = *word;
        *word = old | 1ull << (b & 63);
        if (old != 0) return;
    }
}

static inline void unmark(fel *q, uint32_t b)
{
    for (int level = 0; level < LEVELS; level++, b >>= 6) {
        uint64_t *word = &q->bits[level][b >> 6];
        *word &= ~(1ull << (b & 63));
        if (*word != 0) return;
    }
}

/* The first marked bucket from `from` on, -1 where there is none. */
static int64_t next_marked(const fel *q, uint32_t from)
{
    for (int level = 0; level < LEVELS; level++) {
        uint64_t word = q->bits[level][from >> 6] >> (from & 63);
        if (word != 0) {
            uint32_t b = from + (uint32_t)__builtin_ctzll(word);
            while (level-- > 0) b = b << 6 | (uint32_t)__builtin_ctzll(q->bits[level][b]);
            return b;
        }
        from = (from >> 6) + 1;
    }
    return -1;
}

/* Number of the next marked bucket of the ring, INT64_MAX where there is none. */
static int64_t next_bucket(const fel *q)
{
    uint32_t here = (uint32_t)q->current & q->mask;
    int64_t b = next_marked(q, here);
    if (b < 0) b = next_marked(q, 0);
    if (b < 0) return INT64_MAX;
    return q->current + (int64_t)(((uint32_t)b - here) & q->mask);
}

/* ---- Buckets and overflow -------------------------------------------------------------------------------------- */

static inline void bucket_put(fel *q, uint32_t b, uint32_t id)
{
    mark(q, b);
    if (q->filled[b] < SLOTS) {
        uint32_t slot = q->filled[b]++;
        q->buckets[b].id[slot] = id;
        set_where(q, id, IN_BUCKET, b << SLOT_BITS | slot);
        return;
    }
    if (q->chain[b] != 0) set_where(q, q->chain[b] - 1, IN_CHAIN, id);
    q->records[id].next = q->chain[b];
    q->chain[b] = id + 1;
    set_where(q, id, FIRST_CHAIN, b);
}

static inline void overflow_put(fel *q, uint32_t id, double x)
{
    const uint32_t place = q->overflow_count++;
    q->overflow[place] = id;
    set_where(q, id, IN_OVERFLOW, place);
    if (place == 0 || x < q->due) q->due = x;
}

static void overflow_remove(fel *q, uint32_t place)
{
    const uint32_t last = q->overflow[--q->overflow_count];
    if (place == q->overflow_count) return;
    q->overflow[place] = last;
    set_where(q, last, IN_OVERFLOW, place);
}

/* Time of entry `place` of the overflow. Times are visited in the order of the overflow, in which neighbours are far
 * apart in memory. */
static inline double overflow_time(const fel *q, uint32_t place)
{
    enum { NEAR = 16 };
    if (place + NEAR < q->overflow_count) __builtin_prefetch(&q->records[q->overflow[place + NEAR]], 1);
    return q->records[q->overflow[place]].time;
}

static inline void slot_remove(fel *q, uint32_t detail)
{
    q->buckets[detail >> SLOT_BITS].id[detail & ((1u << SLOT_BITS) - 1)] = TAKEN;
}

static void first_remove(fel *q, uint32_t b, uint32_t next)
{
    q->chain[b] = next;
    if (next != 0) set_where(q, next - 1, FIRST_CHAIN, b);
}

static void chain_remove(fel *q, uint32_t previous, uint32_t next)
{
    q->records[previous].next = next;
    if (next != 0) set_where(q, next - 1, IN_CHAIN, previous);
}

/* Takes a present entry out of wherever it is; its record still says that it is there. */
static inline void take(fel *q, const record *r)
{
    uint32_t detail = r->where & ((1u << KIND_SHIFT) - 1);
    switch ((kind)(r->where >> KIND_SHIFT)) {
    case ABSENT:
        break;
    case IN_HEAP:
        heap_remove(q, detail);
        break;
    case IN_BUCKET:
        slot_remove(q, detail);
        break;
    case FIRST_CHAIN:
        first_remove(q, detail, r->next);
        break;
    case IN_CHAIN:
        chain_remove(q, detail, r->next);
        break;
    case IN_OVERFLOW:
        overflow_remove(q, detail);
        break;
    }
}

/* Appends what bucket b holds to the heap, without order, and empties it. */
static void drain(fel *q, uint32_t b)
{
    const bucket *from = &q->buckets[b];
    for (uint32_t k = 0; k < q->filled[b]; k++) {
        uint32_t id = from->id[k];
        if (id != TAKEN) q->heap[q->heap_count++] = (item){.time = q->records[id].time, .id = id};
    }
    for (uint32_t id = q->chain[b]; id != 0; id = q->records[id - 1].next) {
        q->heap[q->heap_count++] = (item){.time = q->records[id - 1].time, .id = id - 1};
    }
    q->filled[b] = 0;
    q->chain[b] = 0;
    unmark(q, b);
}

/* ---- Choosing the buckets -------------------------------------------------------------------------------------- */

static void set_current(fel *q, int64_t current)
{
    q->current = current;
    q->heap_end = (double)(current + 1);
    q->list_end = (double)(current + 1 + (int64_t)q->mask);
}

/* Spreads the overflow over heap, ring and overflow by the present buckets. The heap is left without order. */
static void distribute(fel *q)
{
    uint32_t kept = 0;
    q->due = INFINITY;
    for (uint32_t place = 0; place < q->overflow_count; place++) {
        const double time = overflow_time(q, place), x = (time - q->base) * q->rate;
        const uint32_t id = q->overflow[place];
        if (x < q->heap_end) {
            q->heap[q->heap_count++] = (item){.time = time, .id = id};
        } else if (x < q->list_end) {
            bucket_put(q, (uint32_t)(int64_t)x & q->mask, id);
        } else {
            q->overflow[kept] = id;
            set_where(q, id, IN_OVERFLOW, kept++);
            if (x < q->due) q->due = x;
        }
    }
    q->overflow_count = kept;
}

/* Moves all entries into the overflow. Their records are not updated here. */
static void gather(fel *q)
{
    while (q->heap_count > 0) q->overflow[q->overflow_count++] = q->heap[--q->heap_count].id;
    for (int64_t b = next_marked(q, 0); b >= 0; b = next_marked(q, (uint32_t)b)) {
        drain(q, (uint32_t)b);
        while (q->heap_count > 0) q->overflow[q->overflow_count++] = q->heap[--q->heap_count].id;
    }
}

/* Everything into the heap: right for few entries, and where new buckets have not been paid for. */
static void heap_only(fel *q)
{
    q->ring = false;
    q->base = 0.0;
    q->rate = 1.0; /* x is the time itself: no finite one is left out */
    q->heap_end = INFINITY;
    q->list_end = INFINITY;
    for (uint32_t place = 0; place < q->overflow_count; place++)
        q->heap[q->heap_count++] = (item){.time = overflow_time(q, place), .id = q->overflow[place]};
    q->overflow_count = 0;
    q->due = INFINITY;
    heap_build(q);
}

/* The width that puts LOAD entries into a bucket where the times after `first` are densest, seen at scales of powers
 * of two; 0 where all times are equal. */
static double best_width(const fel *q, double first)
{
    uint32_t counts[2048] = {0};
    uint64_t later = 0;
    for (uint32_t place = 0; place < q->overflow_count; place++) {
        double gap = overflow_time(q, place) - first;
        uint64_t gap_bits;
        memcpy(&gap_bits, &gap, sizeof gap);
        counts[gap_bits >> 52] += gap > 0.0;
        later += gap > 0.0;
    }
    uint64_t nearer = 0, enough = later < SURE ? later : SURE;
    double width = INFINITY;
    for (int exponent = 0; exponent < 2047; exponent++) {
        nearer += counts[exponent];
        if (counts[exponent] == 0 || nearer < enough) continue;
        double w = ldexp((double)LOAD / (double)nearer, exponent - 1022);
        if (w < width) width = w;
    }
    return later > 0 ? width : 0.0;
}

/* Buckets for all that is present; into the heap where there is little or all times are equal. */
static void choose_buckets(fel *q)
{
    double first = INFINITY;
    for (uint32_t place = 0; place < q->overflow_count; place++) {
        const double time = overflow_time(q, place);
        first = time < first ? time : first;
    }
    double width = q->overflow_count > FEW ? best_width(q, first) : 0.0;
    if (width == 0.0) {
        heap_only(q);
        return;
    }
    width = fmin(fmax(width, 0x1p-1000), 0x1p1000);
    uint32_t buckets = 64;
    while (buckets < q->bucket_limit && buckets < q->overflow_count / SPREAD) buckets *= 2;
    q->mask = buckets - 1;
    q->base = first;
    q->rate = 1.0 / width;
    q->ring = true;
    q->drained = 0;
    q->since = 0;
    set_current(q, 0);
    distribute(q);
    heap_build(q);
}

static void rebuild(fel *q)
{
    gather(q);
    choose_buckets(q);
    q->credit = 0;
    if (q->heap_count <= FEW)
        q->price = 1;
    else if (q->price < MAX_PRICE)
        q->price *= 2;
}

static bool can_rebuild(const fel *q)
{
    return q->credit >= (uint64_t)q->price * (q->present / 4 + 128);
}

/* True while the buckets that went by held about LOAD entries each. */
static bool width_fits(const fel *q)
{
    double load = (double)q->drained / (double)(q->current - q->since + 1);
    return load > LOAD / 4.0 && load < LOAD * 4.0;
}

/* The overflow has fallen due: the heap is empty, and nothing in the ring is earlier than `due`. */
static void admit_overflow(fel *q)
{
    bool near = q->due < 0x1p50; /* bucket numbers stay exact */
    if (!q->ring || ((!near || !width_fits(q)) && can_rebuild(q))) {
        rebuild(q);
    } else if (near && 4 * q->credit >= q->overflow_count) {
        q->credit -= q->overflow_count / 4;
        set_current(q, (int64_t)q->due - 1);
        q->drained = 0;
        q->since = q->current;
        distribute(q);
    } else {
        gather(q);
        heap_only(q);
    }
}

/* Announces what has just come into the heap, and the buckets after it. */
static void give_hints(const fel *q)
{
    for (uint32_t k = 0; k < q->heap_count; k++) q->hint(q->context, q->heap[k].id, 0);
    int64_t next = (int64_t)((uint32_t)q->current & q->mask);
    for (int ahead = 1; ahead <= q->hints_ahead; ahead++) {
        next = next_marked(q, (uint32_t)next + 1);
        if (next < 0) return; /* at the end of the ring; the first buckets come without */
        const bucket *b = &q->buckets[next];
        for (uint32_t k = 0; k < q->filled[next]; k++) {
            if (b->id[k] == TAKEN) continue;
            if (ahead == q->hints_ahead) __builtin_prefetch(&q->records[b->id[k]], 1);
            q->hint(q->context, b->id[k], ahead);
        }
    }
    __builtin_prefetch(&q->buckets[(next + 2) & q->mask]);
}

/* Fills the empty heap; false where nothing is left. */
static bool refill(fel *q)
{
    while (q->heap_count == 0) {
        int64_t next = q->ring ? next_bucket(q) : INT64_MAX;
        if (q->overflow_count > 0 && (next == INT64_MAX || q->due < (double)next + 1.0)) {
            admit_overflow(q);
        } else if (next != INT64_MAX) {
            set_current(q, next);
            drain(q, (uint32_t)next & q->mask);
            heap_build(q);
            q->drained += q->heap_count;
            if (q->hint != NULL) give_hints(q);
        } else {
            return false;
        }
    }
    return true;
}

/* ---- The interface --------------------------------------------------------------------------------------------- */

static uint32_t bucket_limit_for(uint32_t count)
{
    const uint32_t least = count < MANY ? count / SPREAD : (uint32_t)(3 * (uint64_t)count / (8 * SPREAD));
    uint32_t limit = 64;
    while (limit < least) limit *= 2;
    return limit;
}

static size_t level_words(uint32_t bucket_limit, int level)
{
    return ((size_t)bucket_limit >> (6 * (level + 1))) + 1;
}

size_t fel_memory(uint32_t count)
{
    uint32_t limit = bucket_limit_for(count);
    size_t bytes = sizeof(fel) +
                   (size_t)count * (sizeof(record) + (count < MANY ? sizeof(item) : 0) + sizeof(uint32_t)) +
                   (size_t)limit * (sizeof(bucket) + sizeof(uint8_t) + sizeof(uint32_t));
    for (int level = 0; level < LEVELS; level++) bytes += 8 * level_words(limit, level);
    return bytes;
}

carom_status fel_create(fel **out, uint32_t count, fel_before *before, const void *context, error *e)
{
    *out = NULL;
    if (count > MAX_IDS) return error_set(e, CAROM_USAGE, "error: the event list takes at most %d entries", MAX_IDS);
    fel *q = NEW_ARRAY(1, fel);
    if (q == NULL) return error_memory(e, "the event list", fel_memory(count));
    q->count = count;
    q->before = before;
    q->context = context;
    q->bucket_limit = bucket_limit_for(count);
    q->records = NEW_ARRAY(count, record);
    q->buckets = NEW_ARRAY(q->bucket_limit, bucket);
    q->filled = NEW_ARRAY(q->bucket_limit, uint8_t);
    q->chain = NEW_ARRAY(q->bucket_limit, uint32_t);
    q->items = NEW_ARRAY((size_t)count + 3, item);
    q->overflow = NEW_ARRAY(count, uint32_t);
    bool done = q->records != NULL && q->buckets != NULL && q->filled != NULL && q->chain != NULL && q->items != NULL &&
                q->overflow != NULL;
    for (int level = 0; level < LEVELS; level++) {
        q->bits[level] = NEW_ARRAY(level_words(q->bucket_limit, level), uint64_t);
        done = done && q->bits[level] != NULL;
    }
    if (!done) {
        fel_destroy(q);
        return error_memory(e, "the event list", fel_memory(count));
    }
    q->heap = q->items + 3; /* the four children of a node share a cache line */
    fel_reset(q, 0.0);
    *out = q;
    return CAROM_OK;
}

void fel_set_hint(fel *q, fel_hint *hint, int ahead)
{
    q->hint = hint;
    q->hints_ahead = ahead;
}

void fel_prefetch(const fel *q, uint32_t id)
{
    __builtin_prefetch(&q->records[id], 1);
}

void fel_destroy(fel *q)
{
    if (q == NULL) return;
    for (int level = 0; level < LEVELS; level++) memory_free(q->bits[level]);
    memory_free(q->items);
    memory_free(q->overflow);
    memory_free(q->buckets);
    memory_free(q->filled);
    memory_free(q->chain);
    memory_free(q->records);
    memory_free(q);
}

void fel_schedule(fel *q, uint32_t id, double time)
{
    assert(id < q->count && time > -INFINITY); /* nor NaN */
    record *r = &q->records[id];
    time += 0.0; /* -0.0 is 0.0 */
    q->credit++;
    const item it = {.time = time, .id = id};
    const double x = (time - q->base) * q->rate;
    const uint32_t was = r->where >> KIND_SHIFT;
    if (was == IN_HEAP && x < q->heap_end) {
        r->time = time;
        heap_move(q, r->where & ((1u << KIND_SHIFT) - 1), it);
        return;
    }
    take(q, r);
    q->present += was == ABSENT;
    r->time = time;
    if (x < q->heap_end) {
        sift_up(q, q->heap_count++, it);
    } else if (x < q->list_end) {
        bucket_put(q, (uint32_t)(int64_t)x & q->mask, id);
    } else if (time < INFINITY) {
        overflow_put(q, id, x);
    } else {
        r->where = ABSENT;
        q->present--;
    }
}

bool fel_peek(fel *q, uint32_t *id, double *time)
{
    if (q->heap_count == 0 && !refill(q)) return false;
    if (q->heap_count > FEW && can_rebuild(q)) rebuild(q);
    *id = q->heap[0].id;
    *time = q->heap[0].time;
    return true;
}

void fel_reset(fel *q, double start)
{
    assert(isfinite(start));
    memset(q->records, 0, q->count * sizeof *q->records);
    memset(q->filled, 0, q->bucket_limit * sizeof *q->filled);
    memset(q->chain, 0, q->bucket_limit * sizeof *q->chain);
    for (int level = 0; level < LEVELS; level++) memset(q->bits[level], 0, 8 * level_words(q->bucket_limit, level));
    q->base = start;
    q->rate = 1.0;
    q->heap_end = -INFINITY; /* what comes is kept in the overflow until the first look */
    q->list_end = -INFINITY;
    q->heap_count = 0;
    q->overflow_count = 0;
    q->present = 0;
    q->due = INFINITY;
    q->credit = 0;
    q->price = 1;
    q->ring = false;
}
