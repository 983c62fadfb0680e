/* Detects event lists whose next event differs from that of a linear search. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "queue/fel.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

/* ck_assert notes every success in a file: too slow for millions. */
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) ck_abort_msg("%s", #condition);                                                              \
    } while (0)

static dice die;

static double uniform(void)
{
    return dice_real(&die, 0, 1);
}

static uint32_t below(uint32_t n)
{
    return dice_below(&die, n);
}

/* ---- The oracle ------------------------------------------------------------------------------------------------ */

typedef struct pair {
    fel *q;
    double *time; /* [count], INFINITY: absent */
    uint32_t *rank;
    uint32_t count;
    bool by_rank;
    uint64_t peeks, digest;
} pair;

static bool rank_before(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *rank = context;
    return rank[a] < rank[b];
}

static void pair_open(pair *p, uint32_t count, bool by_rank)
{
    error e = {0};
    *p = (pair){.count = count, .by_rank = by_rank};
    p->time = NEW_ARRAY(count, double);
    p->rank = NEW_ARRAY(count, uint32_t);
    for (uint32_t id = 0; id < count; id++) {
        p->time[id] = INFINITY;
        p->rank[id] = below(count / 2 + 1);
    }
    ck_assert_int_eq(fel_create(&p->q, count, by_rank ? rank_before : NULL, p->rank, &e), CAROM_OK);
}

static void pair_close(pair *p)
{
    fel_destroy(p->q);
    memory_free(p->time);
    memory_free(p->rank);
}

static bool oracle_before(const pair *p, uint32_t a, uint32_t b)
{
    if (p->time[a] < p->time[b] || p->time[a] > p->time[b]) return p->time[a] < p->time[b];
    if (p->by_rank && p->rank[a] != p->rank[b]) return p->rank[a] < p->rank[b];
    return a < b;
}

static void schedule(pair *p, uint32_t id, double time)
{
    p->time[id] = time;
    fel_schedule(p->q, id, time);
}

/* The earliest id, the same from both; -1 where both are empty. */
static int64_t earliest(pair *p)
{
    uint32_t best = 0, id = UINT32_MAX;
    double time = -1.0;
    for (uint32_t i = 1; i < p->count; i++) {
        if (oracle_before(p, i, best)) best = i;
    }
    bool any = p->count > 0 && p->time[best] < INFINITY;
    REQUIRE(fel_peek(p->q, &id, &time) == any);
    p->peeks++;
    if (!any) return -1;
    if (id != best || time < p->time[best] || time > p->time[best]) {
        ck_abort_msg("peek %llu: id %u at %a, expected %u at %a", (unsigned long long)p->peeks, id, time, best,
                     p->time[best]);
    }
    p->digest = p->digest * 0x100000001b3ull + id;
    return id;
}

/* ---- Random mixes ---------------------------------------------------------------------------------------------- */

typedef double increment(double now);

static double step_exponential(double now)
{
    return now - log1p(-uniform());
}

static double step_lattice(double now)
{
    return now + (double)below(4);
}

static double step_spread(double now)
{
    return now + exp(1380.0 * (uniform() - 0.5));
}

static double step_near_and_far(double now)
{
    double far = below(20) == 0 ? 1.0 : 1e-6;
    return now - far * log1p(-uniform());
}

static double step_ulps(double now)
{
    for (uint32_t k = below(5); k > 0; k--) now = nextafter(now, INFINITY);
    return now;
}

static double step_denormal(double now)
{
    return now + 0x1p-1074 * (double)below(1000);
}

static double step_still(double now)
{
    return now;
}

static double step_huge(double now)
{
    return now < 1e300 ? 1e300 + 7e307 * uniform() : fmin(now * (1.0 + uniform()), DBL_MAX);
}

static double step_shrinking(double now)
{
    return now + ldexp(uniform(), -(int)below(60));
}

static double step_bursts(double now)
{
    return (below(10) == 0 ? floor(now) + 10.0 : now) + (below(3) == 0 ? 0.0 : 1e-9 * uniform());
}

static double step_two_worlds(double now)
{
    return now < 1.0 && below(100) > 0 ? now + 1e-28 * uniform() : 1e300 + 1e299 * (double)below(3);
}

typedef struct mix {
    const char *name;
    increment *step;
    double start;
} mix;

static const mix mixes[] = {
    {"exponential", step_exponential, 0.0},
    {"lattice", step_lattice, 0.0},
    {"spread", step_spread, 0.0},
    {"near and far", step_near_and_far, 1e3},
    {"ulps", step_ulps, 1.0},
    {"denormal", step_denormal, 0.0},
    {"still", step_still, 5.0},
    {"huge", step_huge, 0.0},
    {"shrinking", step_shrinking, -3.0},
    {"bursts", step_bursts, 0.0},
    {"two worlds", step_two_worlds, 0.0},
    {"from below", step_exponential, -DBL_MAX},
};
enum { MIXES = sizeof mixes / sizeof *mixes };

static const uint32_t sizes[] = {1, 2, 3, 5, 64, 65, 66, 100, 129, 500, 2000};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Moves as an engine makes them: the earliest goes on, a few others are moved, some leave, some tie orders change. */
static void run_mix(pair *p, const mix *m, int events)
{
    double now = m->start;
    for (uint32_t id = 0; id < p->count; id++) schedule(p, id, below(8) == 0 ? INFINITY : m->step(now));
    for (int k = 0; k < events; k++) {
        int64_t first = earliest(p);
        if (first >= 0) now = fmax(now, p->time[first]);
        if (first >= 0) schedule(p, (uint32_t)first, below(50) == 0 ? INFINITY : m->step(now));
        for (uint32_t moves = below(6); moves > 0; moves--) {
            uint32_t id = below(p->count);
            schedule(p, id, below(30) == 0 ? INFINITY : m->step(now));
        }
        uint32_t moved = below(p->count);
        p->rank[moved] = below(p->count / 2 + 1);
        fel_schedule(p->q, moved, p->time[moved]);
    }
    while (earliest(p) >= 0) schedule(p, (uint32_t)earliest(p), INFINITY);
}

START_TEST(test_mixes)
{
    const mix *m = &mixes[_i / SIZES];
    uint32_t count = sizes[_i % SIZES];
    die.state = (uint64_t)_i;
    for (int by_rank = 0; by_rank < 2; by_rank++) {
        pair p;
        pair_open(&p, count, by_rank);
        run_mix(&p, m, count < 1000 ? 3000 : 1500);
        fel_reset(p.q, m->start);
        run_mix(&p, m, 300);
        printf("%s, %u ids: %llu peeks agree\n", m->name, count, (unsigned long long)p.peeks);
        pair_close(&p);
    }
}
END_TEST

/* One list after another distribution, so that buckets that fitted no longer do. */
START_TEST(test_changing_mixes)
{
    die.state = 77;
    pair p;
    pair_open(&p, 300, true);
    for (int k = 0; k < 40; k++) {
        const mix *m = &mixes[below(MIXES)];
        fel_reset(p.q, 0.0);
        for (uint32_t id = 0; id < p.count; id++) p.time[id] = INFINITY;
        run_mix(&p, m, 200);
    }
    pair_close(&p);
}
END_TEST

/* ---- Single cases ---------------------------------------------------------------------------------------------- */

START_TEST(test_empty)
{
    fel *q = NULL;
    error e = {0};
    uint32_t id;
    double time;
    ck_assert_int_eq(fel_create(&q, 0, NULL, NULL, &e), CAROM_OK);
    ck_assert(!fel_peek(q, &id, &time));
    fel_reset(q, 1.0);
    ck_assert(!fel_peek(q, &id, &time));
    fel_destroy(q);
    fel_destroy(NULL);
    ck_assert_int_eq(fel_create(&q, UINT32_MAX, NULL, NULL, &e), CAROM_USAGE);
    ck_assert_ptr_null(q);
    ck_assert_ptr_nonnull(strstr(error_text(&e), "event list"));
    error_clear(&e);
}
END_TEST

START_TEST(test_negative_zero)
{
    fel *q = NULL;
    error e = {0};
    uint32_t id;
    double time;
    ck_assert_int_eq(fel_create(&q, 2, NULL, NULL, &e), CAROM_OK);
    fel_schedule(q, 1, -0.0);
    fel_schedule(q, 0, 0.0);
    ck_assert(fel_peek(q, &id, &time) && id == 0);
    fel_schedule(q, 0, INFINITY);
    ck_assert(fel_peek(q, &id, &time) && id == 1 && !signbit(time));
    fel_schedule(q, 1, INFINITY);
    fel_schedule(q, 1, INFINITY);
    ck_assert(!fel_peek(q, &id, &time));
    fel_destroy(q);
}
END_TEST

/* Entries earlier than what was seen last still come first. */
START_TEST(test_into_the_past)
{
    die.state = 5;
    pair p;
    pair_open(&p, 400, false);
    for (uint32_t id = 0; id < p.count; id++) schedule(&p, id, uniform());
    for (int k = 0; k < 3000; k++) {
        int64_t first = earliest(&p);
        schedule(&p, (uint32_t)first, p.time[first] + uniform());
        schedule(&p, below(p.count), p.time[first] - 2.0 * uniform());
    }
    pair_close(&p);
}
END_TEST

/* Buckets of 1e-28 know no bucket number for 1e300; once there is only a heap, such entries belong into it as well. */
START_TEST(test_far_beyond_the_buckets)
{
    enum { COUNT = 200, LEFT = 60 };
    fel *q = NULL;
    error e = {0};
    uint32_t id;
    double time;
    ck_assert_int_eq(fel_create(&q, COUNT, NULL, NULL, &e), CAROM_OK);
    for (uint32_t i = 0; i < COUNT; i++) fel_schedule(q, i, 1e-28 * (i + 1));
    ck_assert(fel_peek(q, &id, &time) && id == 0);
    for (uint32_t i = 0; i < COUNT; i++) fel_schedule(q, i, i > 0 && i < LEFT ? 1e300 : INFINITY);
    ck_assert(fel_peek(q, &id, &time) && id == 1);
    fel_schedule(q, 0, 1e300);
    ck_assert(fel_peek(q, &id, &time));
    ck_assert_uint_eq(id, 0);
    fel_destroy(q);
}
END_TEST

/* Two ways to the same entries give the same order. */
START_TEST(test_history_does_not_matter)
{
    enum { COUNT = 5000 };
    uint64_t digest[2];
    for (int way = 0; way < 2; way++) {
        die.state = 11;
        double *time = NEW_ARRAY(COUNT, double);
        for (int i = 0; i < COUNT; i++) time[i] = (double)below(700) * (i % 3 == 0 ? 1e-7 : 1.0);
        fel *q = NULL;
        error e = {0};
        ck_assert_int_eq(fel_create(&q, COUNT, NULL, NULL, &e), CAROM_OK);
        uint32_t id;
        double t;
        for (int k = 0; way == 1 && k < 3 * COUNT; k++) {
            fel_schedule(q, below(COUNT), exp(20.0 * uniform()));
            if (k % 7 == 0) fel_peek(q, &id, &t);
        }
        for (uint32_t i = 0; i < COUNT; i++)
            fel_schedule(q, way == 0 ? i : COUNT - 1 - i, time[way == 0 ? i : COUNT - 1 - i]);
        digest[way] = 0;
        while (fel_peek(q, &id, &t)) {
            REQUIRE(t <= time[id] && t >= time[id]);
            digest[way] = digest[way] * 0x100000001b3ull + id;
            fel_schedule(q, id, INFINITY);
        }
        fel_destroy(q);
        memory_free(time);
    }
    printf("digests %llx %llx\n", (unsigned long long)digest[0], (unsigned long long)digest[1]);
    ck_assert_uint_eq(digest[0], digest[1]);
}
END_TEST

/* ---- Many entries: order and work, where an oracle would take too long ------------------------------------------ */

/* The comparisons an order callback sees are the work done on ties; they stay near-linear. */
static uint64_t comparisons;

static bool counting_before(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    comparisons++;
    return a > b;
}

START_TEST(test_all_equal)
{
    enum { COUNT = 200000 };
    fel *q = NULL;
    error e = {0};
    uint32_t id;
    double time;
    ck_assert_int_eq(fel_create(&q, COUNT, counting_before, NULL, &e), CAROM_OK);
    comparisons = 0;
    for (uint32_t i = 0; i < COUNT; i++) fel_schedule(q, i, 3.0);
    for (uint32_t i = COUNT; i-- > 0;) {
        REQUIRE(fel_peek(q, &id, &time));
        REQUIRE(id == i);
        fel_schedule(q, id, INFINITY);
    }
    ck_assert(!fel_peek(q, &id, &time));
    printf("%.1f comparisons an entry\n", (double)comparisons / COUNT);
    ck_assert_uint_lt(comparisons, 100ull * COUNT);
    fel_destroy(q);
}
END_TEST

/* Each mix drained and refilled at a size where anything that grows with N squared would not end. */
START_TEST(test_many)
{
    enum { COUNT = 100000 };
    const mix *m = &mixes[_i];
    die.state = 3;
    fel *q = NULL;
    error e = {0};
    uint32_t id = 0, last_id = 0;
    double now = m->start, time, last = -INFINITY;
    ck_assert_int_eq(fel_create(&q, COUNT, NULL, NULL, &e), CAROM_OK);
    for (uint32_t i = 0; i < COUNT; i++) fel_schedule(q, i, m->step(now));
    for (int k = 0; k < 3 * COUNT; k++) {
        REQUIRE(fel_peek(q, &id, &time));
        REQUIRE(time >= last);
        last = now = time;
        fel_schedule(q, id, m->step(now));
        fel_schedule(q, below(COUNT), m->step(now));
    }
    last = -INFINITY;
    for (int k = 0; k < COUNT; k++) {
        REQUIRE(fel_peek(q, &id, &time));
        REQUIRE(time > last || (time >= last && id > last_id));
        last = time;
        last_id = id;
        fel_schedule(q, id, INFINITY);
    }
    ck_assert(!fel_peek(q, &id, &time));
    fel_destroy(q);
}
END_TEST

int main(void)
{
    TCase *oracle = tcase_create("oracle");
    tcase_set_timeout(oracle, 120);
    tcase_add_loop_test(oracle, test_mixes, 0, MIXES * SIZES);
    tcase_add_test(oracle, test_changing_mixes);
    tcase_add_test(oracle, test_empty);
    tcase_add_test(oracle, test_negative_zero);
    tcase_add_test(oracle, test_into_the_past);
    tcase_add_test(oracle, test_far_beyond_the_buckets);
    tcase_add_test(oracle, test_history_does_not_matter);
    tcase_add_test(oracle, test_all_equal);
    tcase_add_loop_test(oracle, test_many, 0, MIXES);
    return suite_run("queue", oracle);
}
