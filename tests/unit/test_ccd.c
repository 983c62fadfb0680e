/* Detects missed or early contacts of the continuous collision check, against exact contacts, an oracle of all
 * critical times, and samples. */
#include "../support/ccd_oracle.h"
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "geometry/ccd.h"

#include <float.h>
#include <stdint.h>

static dice die;

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

static int whole(int low, int high)
{
    return (int)floor(uniform(low, high + 1));
}

static const char *describe(query_kind k, const query *q)
{
    static char text[2048];
    int used = snprintf(text, sizeof text, "%s", k == VERTEX_FACE ? "vertex-face" : "edge-edge");
    for (int i = 0; i < 8; i++) {
        const double *p = q->point[i / 4][i % 4];
        used += snprintf(text + used, sizeof text - (size_t)used, "\n  {%a, %a, %a}", p[0], p[1], p[2]);
    }
    return text;
}

/* ---- Contacts that are exact by construction --------------------------------------------------------------------- */

static void whole_vector(int size, int out[3])
{
    for (int x = 0; x < 3; x++) out[x] = whole(-size, size);
}

/* Four points that touch in `meeting`, all numbers whole: with weights in sixteenths, zero ones included. */
static void touching_points(query_kind k, const int meeting[3], int out[4][3])
{
    int p[3], q[3], i = whole(0, 16), j = whole(0, k == VERTEX_FACE ? 16 - i : 16);
    whole_vector(whole(0, 5), p);
    whole_vector(whole(0, 5), q);
    for (int x = 0; x < 3; x++) {
        if (k == VERTEX_FACE) {
            out[0][x] = meeting[x];
            out[1][x] = meeting[x] - i * p[x] - j * q[x];
            out[2][x] = out[1][x] + 16 * p[x];
            out[3][x] = out[1][x] + 16 * q[x];
        } else {
            out[0][x] = meeting[x] - i * p[x];
            out[1][x] = out[0][x] + 16 * p[x];
            out[2][x] = meeting[x] - j * q[x];
            out[3][x] = out[2][x] + 16 * q[x];
        }
    }
}

/* Touches at eighths / 8, moved by up to 2^38 and scaled by a power of two: no number is rounded. */
static query touching_query(query_kind k, int eighths)
{
    int meeting[3], points[4][3];
    whole_vector(20, meeting);
    touching_points(k, meeting, points);
    const double shift = whole(0, 3) == 0 ? ldexp(whole(-1000, 1000), 28) : 0.0;
    const int exponent = whole(0, 3) == 0 ? whole(-600, 600) : 0;
    query q = {.meets = true};
    for (int i = 0; i < 4; i++) {
        int step[3];
        whole_vector(whole(0, 4), step);
        for (int x = 0; x < 3; x++) {
            q.point[0][i][x] = ldexp(shift + points[i][x] - eighths * step[x], exponent);
            q.point[1][i][x] = ldexp(shift + points[i][x] + (8 - eighths) * step[x], exponent);
        }
    }
    return q;
}

START_TEST(test_touching)
{
    die.state = 1;
    for (int n = 0; n < 200000; n++) {
        const query_kind k = (query_kind)(n % 2);
        const int eighths = whole(0, 8);
        const query q = touching_query(k, eighths);
        double t = NAN;
        ck_assert_msg(ask(k, &q, 0.0, &t), "missed: %s", describe(k, &q));
        ck_assert_msg(t >= 0.0 && t <= eighths / 8.0, "at %a, not by %d/8: %s", t, eighths, describe(k, &q));
    }
}
END_TEST

/* ---- Random queries ---------------------------------------------------------------------------------------------- */

typedef enum family { WHOLE, PLANAR, WIDE, SHORT, SLIVER, STILL, ROUNDED, FAMILIES } family;

static void add_noise(query *q, int time, int point, double size)
{
    for (int x = 0; x < 3; x++) q->point[time][point][x] += uniform(-size, size);
}

/* Points 1, 2 and 3 (2 and 3 for edges) on a line at time 0, but for 1e-6. */
static void make_sliver(query *q)
{
    for (int i = 1; i < 4; i++) {
        double along = uniform(-1.0, 1.0);
        for (int x = 0; x < 3; x++) q->point[0][i][x] = along * q->point[0][0][x] + uniform(-1e-6, 1e-6);
    }
}

static query random_query(family f)
{
    query q = {0};
    for (int i = 0; i < 8; i++) {
        double *p = q.point[i / 4][i % 4];
        for (int x = 0; x < 3; x++) p[x] = f == WIDE || f >= SHORT ? uniform(-1.0, 1.0) : whole(-3, 3);
        if (f == PLANAR) p[2] = whole(0, 20) == 0 ? 1.0 : 0.0;
        if (f == STILL || f == SHORT) memcpy(q.point[1], q.point[0], sizeof q.point[1]);
    }
    if (f == STILL) {
        for (int i = 0; i < 8; i++) {
            for (int x = 0; x < 3; x++) q.point[i / 4][i % 4][x] = rint(2.0 * q.point[i / 4][i % 4][x]);
        }
    }
    if (f == SLIVER) make_sliver(&q);
    for (int i = 0; i < 4; i++) {
        if (f == SHORT) add_noise(&q, 1, i, 0.2);
        if (f == ROUNDED && i < 3) memcpy(q.point[1][i + 1], q.point[0][i], sizeof q.point[0][i]);
    }
    return q;
}

static const char *const family_names[FAMILIES] = {"whole", "planar", "wide", "short", "sliver", "still", "rounded"};

START_TEST(test_oracle)
{
    const family f = (family)(_i / 2);
    const query_kind k = (query_kind)(_i % 2);
    die.state = 10 + (uint64_t)_i;
    long met = 0, needless = 0, late = 0;
    for (int n = 0; n < 15000; n++) {
        const query q = random_query(f);
        const oracle o = oracle_new(k, &q);
        const first_touch truth = oracle_first_touch(&o, 1e-10L);
        double t = NAN;
        const bool answer = ask(k, &q, 0.0, &t);
        if (truth.time <= 1.0L) { /* known to the root of the distance that counts as touching */
            met++;
            ck_assert_msg(answer, "missed at %.17Lg: %s", truth.time, describe(k, &q));
            ck_assert_msg(t <= truth.time + 1e-5L, "at %.17g, not by %.17Lg: %s", t, truth.time, describe(k, &q));
            late += t < truth.time - 1e-6L;
        } else {
            needless += answer;
        }
        ck_assert(answer ? t >= 0.0 && t <= 1.0 : isinf(t));
    }
    printf("%s, %s: %ld meet, %ld needless, %ld a millionth early\n", family_names[f],
           k == VERTEX_FACE ? "vertex-face" : "edge-edge", met, needless, late);
    ck_assert_int_gt(met, 40);
    ck_assert_int_eq(needless, 0);
    ck_assert_int_le(late, met / 50);
}
END_TEST

/* ---- Symmetries -------------------------------------------------------------------------------------------------- */

static void swap_points(query *q, int i, int j)
{
    for (int time = 0; time < 2; time++) {
        double kept[3];
        memcpy(kept, q->point[time][i], sizeof kept);
        memcpy(q->point[time][i], q->point[time][j], sizeof kept);
        memcpy(q->point[time][j], kept, sizeof kept);
    }
}

static query reversed(const query *q)
{
    query r = *q;
    memcpy(r.point[0], q->point[1], sizeof r.point[0]);
    memcpy(r.point[1], q->point[0], sizeof r.point[1]);
    return r;
}

/* Another order of the corners, ends or edges. */
static query shuffled(query_kind k, const query *q)
{
    query r = *q;
    if (k == VERTEX_FACE) {
        swap_points(&r, 1, whole(1, 3));
        swap_points(&r, 2, whole(2, 3));
        return r;
    }
    if (whole(0, 1)) swap_points(&r, 0, 1);
    if (whole(0, 1)) swap_points(&r, 2, 3);
    if (whole(0, 1)) {
        swap_points(&r, 0, 2);
        swap_points(&r, 1, 3);
    }
    return r;
}

START_TEST(test_symmetries)
{
    die.state = 100;
    for (int n = 0; n < 60000; n++) {
        const query_kind k = (query_kind)(n % 2);
        query q = random_query((family)(n / 2 % FAMILIES)), r = reversed(&q), s = shuffled(k, &q), scaled = q;
        double t, scaled_t;
        const int exponent = whole(-500, 500);
        for (int i = 0; i < 8; i++) {
            for (int x = 0; x < 3; x++) {
                scaled.point[i / 4][i % 4][x] = ldexp(q.point[i / 4][i % 4][x], exponent);
            }
        }
        const bool answer = ask(k, &q, 0.0, &t);
        ck_assert_msg(ask(k, &r, 0.0, NULL) == answer, "other with time reversed: %s", describe(k, &q));
        ck_assert_msg(ask(k, &s, 0.0, NULL) == answer, "other in another order: %s", describe(k, &q));
        ck_assert_msg(ask(k, &scaled, 0.0, &scaled_t) == answer, "other times 2^%d: %s", exponent, describe(k, &q));
        ck_assert_msg(t <= scaled_t && t >= scaled_t, "at %a, and %a times 2^%d: %s", t, scaled_t, exponent,
                      describe(k, &q));
    }
}
END_TEST

/* ---- Together ---------------------------------------------------------------------------------------------------- */

/* Turned by a third of a right angle about two axes. */
static void turned(const double p[3], double out[3])
{
    const double c = 0.866, s = 0.5, y = c * p[1] - s * p[2];
    out[2] = s * p[1] + c * p[2];
    out[0] = c * p[0] - s * y;
    out[1] = s * p[0] + c * y;
}

/* Two features a hair apart turn as one body. An invertible linear map at all times, they stay apart. */
START_TEST(test_turning_together)
{
    die.state = 400;
    for (int n = 0; n < 3000; n++) {
        const query_kind k = (query_kind)(n % 2);
        const double hair = ldexp(1.0, -whole(10, 30)), u = uniform(0.0, 1.0), w = uniform(0.0, 1.0 - u);
        query q = random_query(WIDE);
        double(*p)[3] = q.point[0];
        for (int i = 0; i < 4; i++) p[i][2] = 0.0;
        for (int x = 0; x < 2; x++) { /* the vertex over the face, or the second edge through a point of the first */
            if (k == VERTEX_FACE) p[0][x] = p[1][x] + u * (p[2][x] - p[1][x]) + w * (p[3][x] - p[1][x]);
            if (k == EDGE_EDGE) p[3][x] = 2.0 * (p[0][x] + u * (p[1][x] - p[0][x])) - p[2][x];
        }
        p[0][2] = hair;
        if (k == EDGE_EDGE) p[1][2] = hair;
        for (int i = 0; i < 4; i++) turned(p[i], q.point[1][i]);
        ck_assert_msg(!ask(k, &q, 0.0, NULL), "needless, %g apart: %s", hair, describe(k, &q));
    }
}
END_TEST

/* ---- Separation -------------------------------------------------------------------------------------------------- */

START_TEST(test_separation)
{
    enum { SAMPLES = 200 };
    die.state = 200;
    int no = 0;
    for (int n = 0; n < 10000; n++) {
        const query_kind k = (query_kind)(n % 2);
        const query q = random_query((family)(WIDE + n / 2 % 3));
        const oracle o = oracle_new(k, &q);
        wide least = INFINITY, fastest = 0;
        for (int i = 0; i <= SAMPLES; i++) least = fminl(least, oracle_distance(&o, (wide)i / SAMPLES));
        for (int i = 0; i < o.corners; i++) fastest = fmaxl(fastest, sqrtl(wide_dot(o.speed[i], o.speed[i])));
        double t;
        ck_assert_msg(ask(k, &q, (double)least * (1.0 + 1e-15), &t), "missed within %.17Lg: %s", least,
                      describe(k, &q));
        ck_assert_msg(oracle_distance(&o, t) >= least * (1.0L - 1e-6L), "late: %s", describe(k, &q));
        const double clear = (double)(least - fastest / (2 * SAMPLES)) * (1.0 - 1e-9);
        if (clear <= 0.0) continue;
        no++;
        ck_assert_msg(!ask(k, &q, clear, NULL), "needless at %.17g: %s", clear, describe(k, &q));
    }
    printf("%d of 10000 keep clear\n", no);
    ck_assert_int_gt(no, 4000);
}
END_TEST

/* ---- Exact cases ------------------------------------------------------------------------------------------------- */

typedef struct exact_case {
    const char *name;
    query_kind kind;
    bool meets;
    double time, separation;
    double point[2][4][3];
} exact_case;

#define FLOOR                                                                                                          \
    {-1, -1, 0}, {1, -1, 0},                                                                                           \
    {                                                                                                                  \
        0, 2, 0                                                                                                        \
    }
#define RAISED(z)                                                                                                      \
    {-1, -1, z}, {1, -1, z},                                                                                           \
    {                                                                                                                  \
        0, 2, z                                                                                                        \
    }
#define ALONG_X                                                                                                        \
    {-1, 0, 0},                                                                                                        \
    {                                                                                                                  \
        1, 0, 0                                                                                                        \
    }
#define H 0.5
static const exact_case exact_cases[] = {
    {"falls through", VERTEX_FACE, true, 0.5, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, -1}, FLOOR}}},
    {"falls onto, touching at 1", VERTEX_FACE, true, 1.0, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, 0}, FLOOR}}},
    {"rises from, touching at 0", VERTEX_FACE, true, 0.0, 0, {{{0, 0, 0}, FLOOR}, {{0, 0, 1}, FLOOR}}},
    {"stops a hair above", VERTEX_FACE, false, 0, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, 0x1p-60}, FLOOR}}},
    {"passes beside", VERTEX_FACE, false, 0, 0, {{{0, -1.25, 1}, FLOOR}, {{0, -1.25, -1}, FLOOR}}},
    {"passes a hair beside", VERTEX_FACE, false, 0, 0, {{{0, -1 - 0x1p-40, 1}, FLOOR}, {{0, -1 - 0x1p-40, -1}, FLOOR}}},
    {"through an edge", VERTEX_FACE, true, 0.5, 0, {{{0.25, -1, 1}, FLOOR}, {{0.25, -1, -1}, FLOOR}}},
    {"through a corner", VERTEX_FACE, true, 0.75, 0, {{{0, 2, 3}, FLOOR}, {{0, 2, -1}, FLOOR}}},
    {"slides in its plane into it", VERTEX_FACE, true, 0.5, 0, {{{0, -2, 0}, FLOOR}, {{0, 0, 0}, FLOOR}}},
    {"slides in its plane past a corner", VERTEX_FACE, true, 0.5, 0, {{{-1, 2, 0}, FLOOR}, {{1, 2, 0}, FLOOR}}},
    {"slides in its plane beside it", VERTEX_FACE, false, 0, 0, {{{-1, 2.25, 0}, FLOOR}, {{1, 2.25, 0}, FLOOR}}},
    {"rests in it", VERTEX_FACE, true, 0.0, 0, {{{0, 0, 0}, FLOOR}, {{0, 0, 0}, FLOOR}}},
    {"rests above it", VERTEX_FACE, false, 0, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, 1}, FLOOR}}},
    {"flies along with it", VERTEX_FACE, false, 0, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, 9}, RAISED(8)}}},
    {"is overtaken by it", VERTEX_FACE, true, 0.5, 0, {{{0, 0, 1}, FLOOR}, {{0, 0, 1}, RAISED(2)}}},
    {"a face that is a line",
     VERTEX_FACE,
     true,
     0.5,
     0,
     {{{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 0, -1}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}}},
    {"a face that is a line, missed",
     VERTEX_FACE,
     false,
     0,
     0,
     {{{0, 0.5, 1}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 0.5, -1}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}}},
    {"a face that is a point",
     VERTEX_FACE,
     true,
     0.25,
     0,
     {{{0, 0, 1}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}}, {{8, 8, 5}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}}}},
    {"a face that is a point, missed",
     VERTEX_FACE,
     false,
     0,
     0,
     {{{0, 0, 1}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}}, {{8, 8, 6}, {2, 2, 2}, {2, 2, 2}, {2, 2, 2}}}},
    {"a face that turns over",
     VERTEX_FACE,
     true,
     0.5,
     0,
     {{{0, 0, 0.5}, {-1, -1, 0}, {1, -1, 0}, {0, 2, 0}}, {{0, 0, 0.5}, {-1, -1, 1}, {1, -1, 1}, {0, 2, 1}}}},
    {"a face that closes on it as a line",
     VERTEX_FACE,
     true,
     1.0,
     0,
     {{{0, 0, 0}, {-1, 0, 1}, {1, 0, 1}, {0, 1, 1}}, {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}}},
    {"a sliver, met",
     VERTEX_FACE,
     true,
     0.5,
     0,
     {{{0, 0, 1}, {-1, 0, 0}, {1, 0, 0}, {0, 0x1p-40, 0}}, {{0, 0, -1}, {-1, 0, 0}, {1, 0, 0}, {0, 0x1p-40, 0}}}},
    {"a sliver, missed",
     VERTEX_FACE,
     false,
     0,
     0,
     {{{0, -0x1p-40, 1}, {-1, 0, 0}, {1, 0, 0}, {0, 0x1p-40, 0}},
      {{0, -0x1p-40, -1}, {-1, 0, 0}, {1, 0, 0}, {0, 0x1p-40, 0}}}},
    {"within the separation", VERTEX_FACE, true, 0.75, 0.25, {{{0, 0, 1}, FLOOR}, {{0, 0, 0}, FLOOR}}},
    {"stops outside the separation", VERTEX_FACE, false, 0, 0.25, {{{0, 0, 1}, FLOOR}, {{0, 0, 0.250001}, FLOOR}}},
    {"a crossing of edges",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {0, -1, 1}, {0, 1, 1}}, {ALONG_X, {0, -1, -1}, {0, 1, -1}}}},
    {"edges touch at 1", EDGE_EDGE, true, 1.0, 0, {{ALONG_X, {0, -1, 1}, {0, 1, 1}}, {ALONG_X, {0, -1, 0}, {0, 1, 0}}}},
    {"edges touch at 0", EDGE_EDGE, true, 0.0, 0, {{ALONG_X, {0, -1, 0}, {0, 1, 0}}, {ALONG_X, {0, -1, 1}, {0, 1, 1}}}},
    {"an end passes over an end",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {1, 0, 1}, {1, 1, 1}}, {ALONG_X, {1, 0, -1}, {1, 1, -1}}}},
    {"edges pass by", EDGE_EDGE, false, 0, 0, {{ALONG_X, {0, 1, 1}, {0, 2, 1}}, {ALONG_X, {0, 1, -1}, {0, 2, -1}}}},
    {"edges pass by a hair",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {0, 0x1p-50, 1}, {0, 2, 1}}, {ALONG_X, {0, 0x1p-50, -1}, {0, 2, -1}}}},
    {"parallel edges meet",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {0, 0, 1}, {2, 0, 1}}, {ALONG_X, {0, 0, -1}, {2, 0, -1}}}},
    {"parallel edges pass by",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {0, 0.5, 1}, {2, 0.5, 1}}, {ALONG_X, {0, 0.5, -1}, {2, 0.5, -1}}}},
    {"collinear edges run into each other",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {2, 0, 0}, {3, 0, 0}}, {ALONG_X, {0, 0, 0}, {1, 0, 0}}}},
    {"collinear edges stay apart",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {2, 0, 0}, {3, 0, 0}}, {ALONG_X, {1.25, 0, 0}, {2, 0, 0}}}},
    {"coplanar edges meet",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {0, 1, 0}, {0, 2, 0}}, {ALONG_X, {0, -1, 0}, {0, 0, 0}}}},
    {"coplanar edges stay apart",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {0, 1, 0}, {0, 2, 0}}, {ALONG_X, {2, 1, 0}, {2, 2, 0}}}},
    {"an edge of no length meets an edge",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{ALONG_X, {H, 0, 1}, {H, 0, 1}}, {ALONG_X, {H, 0, -1}, {H, 0, -1}}}},
    {"an edge of no length passes an edge",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {H, 0.5, 1}, {H, 0.5, 1}}, {ALONG_X, {H, 0.5, -1}, {H, 0.5, -1}}}},
    {"two edges of no length meet",
     EDGE_EDGE,
     true,
     0.5,
     0,
     {{{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}}}},
    {"two edges of no length pass",
     EDGE_EDGE,
     false,
     0,
     0,
     {{{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, {{1, 1, 1}, {1, 1, 1}, {0, 0.5, 0}, {0, 0.5, 0}}}},
    {"still and crossing",
     EDGE_EDGE,
     true,
     0.0,
     0,
     {{ALONG_X, {0, -1, 0}, {0, 1, 0}}, {ALONG_X, {0, -1, 0}, {0, 1, 0}}}},
    {"still and apart", EDGE_EDGE, false, 0, 0, {{ALONG_X, {0, -1, H}, {0, 1, H}}, {ALONG_X, {0, -1, H}, {0, 1, H}}}},
    {"an edge turns about itself in place",
     EDGE_EDGE,
     false,
     0,
     0,
     {{ALONG_X, {-1, 1, 1}, {1, -1, 1}}, {ALONG_X, {1, -1, 1}, {-1, 1, 1}}}},
    {"edges within the separation",
     EDGE_EDGE,
     true,
     0.5,
     0.5,
     {{ALONG_X, {0, -1, 1}, {0, 1, 1}}, {ALONG_X, {0, -1, 0}, {0, 1, 0}}}},
    {"edges outside the separation",
     EDGE_EDGE,
     false,
     0,
     0.4999999,
     {{ALONG_X, {0, -1, 1}, {0, 1, 1}}, {ALONG_X, {0, -1, H}, {0, 1, H}}}},
    {"all in one point",
     EDGE_EDGE,
     true,
     0.0,
     0,
     {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}},
};

START_TEST(test_exact)
{
    const exact_case *c = &exact_cases[_i];
    query q;
    memcpy(q.point, c->point, sizeof q.point);
    double t;
    ck_assert_msg(ask(c->kind, &q, c->separation, &t) == c->meets, "%s: %s", c->name, c->meets ? "missed" : "needless");
    if (c->meets) EXPECT_CLOSE(c->name, t, c->time, 1e-7);
    ck_assert_msg(!c->meets || t <= c->time, "%s: late", c->name);
}
END_TEST

/* Numbers that no arithmetic can be trusted with: the answer is yes, at once. */
START_TEST(test_unfit_numbers)
{
    const exact_case *above = NULL;
    for (size_t i = 0; i < sizeof exact_cases / sizeof *exact_cases; i++) {
        if (strcmp(exact_cases[i].name, "rests above it") == 0) above = &exact_cases[i];
    }
    ck_assert(above != NULL);
    const double unfit[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 24; i++) {
        for (int k = 0; k < 3; k++) {
            query q;
            double t = NAN;
            memcpy(q.point, above->point, sizeof q.point);
            ck_assert(!ask(VERTEX_FACE, &q, 0.0, &t) && isinf(t));
            q.point[i / 12][i / 3 % 4][i % 3] = unfit[k];
            ck_assert(ask(VERTEX_FACE, &q, 0.0, &t) && t <= 0.0);
            ck_assert(ask(EDGE_EDGE, &q, 0.0, &t) && t <= 0.0);
        }
    }
    query q;
    memcpy(q.point, above->point, sizeof q.point);
    const double separations[] = {NAN, INFINITY, -1.0};
    for (int k = 0; k < 3; k++) ck_assert(ask(VERTEX_FACE, &q, separations[k], NULL));
    ck_assert(ask(VERTEX_FACE, &q, DBL_MAX, NULL));
    ck_assert(!ask(VERTEX_FACE, &q, DBL_TRUE_MIN, NULL));
    for (int i = 0; i < 24; i++) q.point[i / 12][i / 3 % 4][i % 3] *= DBL_MAX; /* differences overflow */
    ck_assert(ask(VERTEX_FACE, &q, 0.0, NULL));
}
END_TEST

/* Differences of subnormal size. */
START_TEST(test_smallest_numbers)
{
    die.state = 300;
    int met = 0;
    for (int n = 0; n < 20000; n++) {
        const query_kind k = (query_kind)(n % 2);
        query q = random_query(WHOLE), small = q;
        for (int i = 0; i < 24; i++) small.point[i / 12][i / 3 % 4][i % 3] *= DBL_TRUE_MIN;
        const bool answer = ask(k, &q, 0.0, NULL);
        met += answer;
        ck_assert_msg(ask(k, &small, 0.0, NULL) == answer, "%s", describe(k, &q));
    }
    ck_assert_int_gt(met, 1000);
}
END_TEST

/* ---- Queries of simulated meshes, with truth in exact arithmetic ------------------------------------------------- */

/* tools/ccd_queries.py tests/unit/ccd_queries --met 15 */
START_TEST(test_simulated)
{
    static const char *const scenes[] = {"cloth", "twist", "chain", "grains"};
    static const char *const kinds[] = {"vertex-face", "edge-edge"};
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/unit/ccd_queries/%s/%s.csv", CAROM_SOURCE_DIR, scenes[_i / 2], kinds[_i % 2]);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    query q;
    long row = 0, count = 0, met = 0;
    int state;
    while ((state = read_query(file, &q, &row)) == 1) {
        count++;
        met += q.meets;
        ck_assert_msg(!q.rounded, "%s:%ld: not a double", path, row);
        ck_assert_msg(ask((query_kind)(_i % 2), &q, 0.0, NULL) == q.meets, "%s:%ld: %s", path, row,
                      q.meets ? "missed" : "needless");
    }
    fclose(file);
    ck_assert_msg(state == 0, "%s:%ld: not as it should be", path, row);
    ck_assert_int_eq(count, 30);
    ck_assert_int_eq(met, 15);
}
END_TEST

int main(void)
{
    TCase *queries = tcase_create("queries"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_set_timeout(queries, 300);
    tcase_add_loop_test(queries, test_exact, 0, sizeof exact_cases / sizeof *exact_cases);
    tcase_add_test(queries, test_touching);
    tcase_add_loop_test(queries, test_oracle, 0, 3);
    tcase_add_loop_test(more, test_oracle, 3, 6);
    tcase_add_loop_test(rest, test_oracle, 6, 2 * FAMILIES);
    tcase_add_test(queries, test_symmetries);
    tcase_add_test(queries, test_turning_together);
    tcase_add_test(queries, test_separation);
    tcase_add_test(queries, test_unfit_numbers);
    tcase_add_test(queries, test_smallest_numbers);
    tcase_add_loop_test(queries, test_simulated, 0, 8);
    return suite_run("ccd", queries, more, rest);
}
