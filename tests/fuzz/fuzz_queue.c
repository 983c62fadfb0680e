/* Detects event lists whose next event differs from that of a linear search. Bytes become calls. */
#include "queue/fel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 600 };

typedef struct stream {
    const uint8_t *at, *end;
} stream;

static uint8_t byte(stream *s)
{
    return s->at < s->end ? *s->at++ : 0;
}

static uint64_t bytes(stream *s, int count)
{
    uint64_t value = 0;
    while (count-- > 0) value = value << 8 | byte(s);
    return value;
}

static bool rank_before(const void *context, uint32_t a, uint32_t b)
{
    const uint8_t *rank = context;
    return rank[a] < rank[b];
}

/* A time from a few bytes: near `now`, far, equal to others, or any bits at all. */
static double read_time(stream *s, double now)
{
    uint8_t kind = byte(s);
    double time;
    uint64_t bits;
    switch (kind % 8) {
    case 0:
        return INFINITY;
    case 1:
        return now;
    case 2:
        return floor(now) + byte(s);
    case 3:
        time = now + ldexp(byte(s), -(kind >> 3));
        break;
    case 4:
        time = now + ldexp(byte(s), (kind >> 3) * 33);
        break;
    case 5:
        time = now * (1.0 + ldexp(byte(s), -(kind >> 3) - 20));
        break;
    case 6:
        time = ldexp(byte(s), -1074 + (kind >> 3));
        break;
    default:
        bits = bytes(s, 8);
        memcpy(&time, &bits, sizeof time);
        break;
    }
    return isnan(time) ? 0.0 : time;
}

typedef struct model {
    fel *q;
    uint32_t count;
    double time[MOST];
    uint8_t rank[MOST];
} model;

static bool model_before(const model *m, uint32_t a, uint32_t b)
{
    if (m->time[a] != m->time[b]) return m->time[a] < m->time[b];
    if (m->rank[a] != m->rank[b]) return m->rank[a] < m->rank[b];
    return a < b;
}

static void schedule(model *m, uint32_t id, double time)
{
    if (time == -INFINITY) time = INFINITY;
    m->time[id] = time;
    fel_schedule(m->q, id, time);
}

static uint32_t look(const model *m, double *now)
{
    uint32_t best = 0, id = 0;
    double time = 0.0;
    for (uint32_t i = 1; i < m->count; i++) {
        if (model_before(m, i, best)) best = i;
    }
    bool any = m->time[best] < INFINITY;
    if (fel_peek(m->q, &id, &time) != any) abort();
    if (any && (id != best || time != m->time[best])) abort();
    if (any) *now = time;
    return best;
}

static void step(model *m, stream *s, double *now)
{
    uint8_t call = byte(s);
    uint32_t id = (uint32_t)bytes(s, 2) % m->count;
    switch (call % 8) {
    case 0:
    case 1:
        schedule(m, look(m, now), read_time(s, *now));
        break;
    case 2:
        look(m, now);
        break;
    case 3:
        m->rank[id] = byte(s);
        fel_schedule(m->q, id, m->time[id]);
        break;
    case 4: { /* many at once, so that short inputs reach buckets and overflow */
        double time = read_time(s, *now), gap = ldexp(byte(s), (int)(int8_t)byte(s));
        for (uint32_t k = byte(s); k > 0; k--, id = (id + 1) % m->count) {
            double next = time + gap * k;
            schedule(m, id, isnan(next) ? time : next);
        }
        break;
    }
    case 5:
        if (call < 240) break;
        fel_reset(m->q, 0.0);
        for (uint32_t i = 0; i < m->count; i++) m->time[i] = INFINITY;
        *now = 0.0;
        break;
    default:
        schedule(m, id, read_time(s, *now));
        break;
    }
}

/* All that is left comes once each and in order. */
static void drain(model *m)
{
    uint32_t left = 0, id, last = 0;
    double time;
    for (uint32_t i = 0; i < m->count; i++) left += m->time[i] < INFINITY;
    for (bool first = true; left > 0; left--, first = false) {
        if (!fel_peek(m->q, &id, &time) || time != m->time[id]) abort();
        if (!first && !model_before(m, last, id)) abort();
        fel_schedule(m->q, id, INFINITY);
        last = id;
    }
    if (fel_peek(m->q, &id, &time)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static model m;
    stream s = {data, data + size};
    error e = {0};
    double now = 0.0;
    m.count = 1 + (uint32_t)bytes(&s, 2) % MOST;
    if (fel_create(&m.q, m.count, rank_before, m.rank, &e) != CAROM_OK) abort();
    for (uint32_t i = 0; i < m.count; i++) {
        m.time[i] = INFINITY;
        m.rank[i] = 0;
    }
    while (s.at < s.end) step(&m, &s, &now);
    drain(&m);
    fel_destroy(m.q);
    return 0;
}
