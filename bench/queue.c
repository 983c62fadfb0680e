/* The event queue compared with a plain binary heap with positions: ns per event against the number of entries.
 *
 *     queue [largest exponent of ten, default 6] [events in millions, default 2]
 *
 * CPU time, since other programs affect it less.
 *
 * hold: the earliest entry is delayed by an exponential time, the classic hold model.
 * pairs: as in event-driven dynamics: the earliest id and a neighbour get new times, and four more near it are moved.
 * flurry: pairs, where one id in ten is a thousand times quicker than the rest. */
#include "base/memory.h"
#include "queue/fel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t random_state;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Exponential times interpolated in a table: the logarithm would cost more than the list. */
enum { TABLE = 1 << 12 };
static double exponential_table[TABLE + 1];

static double exponential(void)
{
    uint64_t bits = random_bits();
    const double *entry = &exponential_table[bits >> 52];
    return entry[0] + (entry[1] - entry[0]) * (double)(bits & 0xffffffffffffull) * 0x1p-48;
}

static double cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* ---- The plain heap -------------------------------------------------------------------------------------------- */

typedef struct plain {
    double *time;
    uint32_t *heap, *place;
    uint32_t count;
} plain;

static void plain_swap(plain *p, uint32_t a, uint32_t b)
{
    uint32_t id = p->heap[a];
    p->heap[a] = p->heap[b];
    p->heap[b] = id;
    p->place[p->heap[a]] = a;
    p->place[p->heap[b]] = b;
}

static void plain_schedule(void *self, uint32_t id, double time)
{
    plain *p = self;
    p->time[id] = time;
    uint32_t at = p->place[id];
    while (at > 0 && time < p->time[p->heap[(at - 1) / 2]]) {
        plain_swap(p, at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= p->count) return;
        if (child + 1 < p->count && p->time[p->heap[child + 1]] < p->time[p->heap[child]]) child++;
        if (time <= p->time[p->heap[child]]) return;
        plain_swap(p, at, child);
        at = child;
    }
}

static bool plain_peek(void *self, uint32_t *id, double *time)
{
    plain *p = self;
    *id = p->heap[0];
    *time = p->time[*id];
    return true;
}

static void *plain_new(uint32_t count)
{
    plain *p = NEW_ARRAY(1, plain);
    if (p == NULL) return NULL;
    *p = (plain){NEW_ARRAY(count, double), NEW_ARRAY(count, uint32_t), NEW_ARRAY(count, uint32_t), count};
    for (uint32_t id = 0; p->time != NULL && p->heap != NULL && p->place != NULL && id < count; id++) {
        p->time[id] = 1e9;
        p->heap[id] = p->place[id] = id;
    }
    return p;
}

static void plain_free(void *self)
{
    plain *p = self;
    memory_free(p->time);
    memory_free(p->heap);
    memory_free(p->place);
    memory_free(p);
}

/* ---- common interface of the two --------------------------------------------------------------------------------- */

static void *list_new(uint32_t count)
{
    fel *q;
    error e = {0};
    if (fel_create(&q, count, NULL, NULL, &e) != CAROM_OK) fprintf(stderr, "%s\n", error_text(&e));
    error_clear(&e);
    return q;
}

static void list_free(void *self)
{
    fel_destroy(self);
}

static void list_schedule(void *self, uint32_t id, double time)
{
    fel_schedule(self, id, time);
}

static bool list_peek(void *self, uint32_t *id, double *time)
{
    return fel_peek(self, id, time);
}

typedef struct queue {
    const char *name;
    void *(*create)(uint32_t count);
    void (*schedule)(void *self, uint32_t id, double time);
    bool (*peek)(void *self, uint32_t *id, double *time);
    void (*destroy)(void *self);
} queue;

static const queue queues[] = {
    {"event list", list_new, list_schedule, list_peek, list_free},
    {"binary heap", plain_new, plain_schedule, plain_peek, plain_free},
};
enum { QUEUES = sizeof queues / sizeof *queues };

/* ---- Patterns --------------------------------------------------------------------------------------------------- */

typedef enum pattern { HOLD, PAIRS, FLURRY, PATTERNS } pattern;
static const char *const pattern_names[] = {"hold", "pairs", "flurry"};

static double step(pattern kind, uint32_t id)
{
    double dt = exponential();
    return kind == FLURRY && id % 10 == 0 ? 1e-3 * dt : dt;
}

static double run(const queue *kind, pattern p, uint32_t count, long events, uint64_t *digest)
{
    void *self = kind->create(count);
    if (self == NULL) return NAN;
    random_state = 88172645463325252ull;
    for (uint32_t id = 0; id < count; id++) kind->schedule(self, id, step(p, id));
    double start = 0.0;
    *digest = 0;
    for (long k = -events / 2; k < events; k++) {
        uint32_t id;
        double now;
        if (k == 0) start = cpu_ns();
        kind->peek(self, &id, &now);
        *digest = *digest * 0x100000001b3ull + id;
        kind->schedule(self, id, now + step(p, id));
        if (p == HOLD) continue;
        uint64_t bits = random_bits();
        for (int other = 0; other < 5; other++, bits >>= 12) {
            uint32_t neighbour = (uint32_t)((id + (bits & 0xff) + 1) % count);
            kind->schedule(self, neighbour, now + step(p, neighbour));
        }
    }
    double ns = (cpu_ns() - start) / (double)events;
    kind->destroy(self);
    return ns;
}

int main(int argc, char **argv)
{
    int largest = argc > 1 ? atoi(argv[1]) : 6;
    long events = (argc > 2 ? atol(argv[2]) : 2) * 1000000;
    for (int i = 0; i <= TABLE; i++) exponential_table[i] = -log((i + 0.5) / (TABLE + 1));
    printf("%-8s %-12s %9s %10s %10s\n", "pattern", "queue", "N", "ns/event", "bytes/id");
    for (int p = 0; p < PATTERNS; p++) {
        double first[QUEUES] = {0}, last[QUEUES] = {0};
        uint32_t count = 100;
        for (int exponent = 2; exponent <= largest; exponent++, count *= 10) {
            uint64_t digest[QUEUES];
            for (int k = 0; k < QUEUES; k++) {
                last[k] = run(&queues[k], (pattern)p, count, events, &digest[k]);
                if (exponent == 3) first[k] = last[k];
                double bytes = k == 0 ? (double)fel_memory(count) / count : 16.0;
                printf("%-8s %-12s %9u %10.1f %10.1f\n", pattern_names[p], queues[k].name, count, last[k], bytes);
            }
            if (digest[0] != digest[1]) printf("the results differ\n");
        }
        for (int k = 0; k < QUEUES; k++) {
            printf("%-8s %-12s from 1e3 to 1e%d: times %.2f\n", pattern_names[p], queues[k].name, largest,
                   last[k] / first[k]);
        }
    }
    return 0;
}
