/* Detects tied knots that intersect themselves or are other knots than stated. Their middles are closed outside and
 * drawn on a plane; the Alexander polynomial at -1 (the determinant of the knot) and at 2 follow from the crossings,
 * modulo a prime. */
#include <stdlib.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "mesh/check.h"
#include "mesh/make.h"
#include "mesh/topology.h"

enum { ALONG = 312, ACROSS = 16, PRIME = 1000003, MOST_POINTS = 800, MOST_CROSSINGS = 60 };

typedef struct curve {
    double points[MOST_POINTS][3];
    size_t count;
} curve;

/* A passage through a crossing, and where on the curve. */
typedef struct passage {
    double at;
    size_t crossing;
    bool over;
} passage;

typedef struct diagram {
    passage passages[2 * MOST_CROSSINGS];
    int signs[MOST_CROSSINGS];
    size_t crossings;
} diagram;

static void add_point(curve *c, double x, double y, double z)
{
    ck_assert_uint_lt(c->count, MOST_POINTS);
    c->points[c->count][0] = x;
    c->points[c->count][1] = y;
    c->points[c->count++][2] = z;
}

/* The middle of a ribbon, each second row. */
static void add_middle(curve *c, const mesh *m, size_t first, bool back)
{
    for (size_t i = 0; i <= ALONG; i += 2) {
        const double *r = m->vertices[first + (back ? ALONG - i : i) * (ACROSS + 1) + ACROSS / 2];
        add_point(c, r[0], r[1], r[2]);
    }
}

static int compare_passages(const void *left, const void *right)
{
    const passage *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

static void cross_segments(diagram *d, const curve *c, size_t i, size_t j)
{
    const double *a = c->points[i], *b = c->points[(i + 1) % c->count], *p = c->points[j],
                 *q = c->points[(j + 1) % c->count];
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    const double det = u[0] * v[1] - u[1] * v[0], w[2] = {p[0] - a[0], p[1] - a[1]};
    const double s = (w[0] * v[1] - w[1] * v[0]) / det, t = (w[0] * u[1] - w[1] * u[0]) / det;
    if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) return;
    const bool over = a[2] + s * u[2] > p[2] + t * v[2];
    ck_assert_uint_lt(d->crossings, MOST_CROSSINGS);
    d->passages[2 * d->crossings] = (passage){(double)i + s, d->crossings, over};
    d->passages[2 * d->crossings + 1] = (passage){(double)j + t, d->crossings, !over};
    d->signs[d->crossings++] = (det > 0) == over ? 1 : -1;
}

static int64_t power(int64_t base, int64_t exponent)
{
    int64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % PRIME)
        if (exponent % 2 != 0) result = result * base % PRIME;
    return result;
}

static int64_t determinant(int64_t (*m)[MOST_CROSSINGS], size_t n)
{
    int64_t value = 1;
    for (size_t k = 0; k < n; k++) {
        size_t pivot = k;
        while (pivot < n && m[pivot][k] == 0) pivot++;
        if (pivot == n) return 0;
        for (size_t j = 0; j < n; j++) {
            int64_t swap = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = swap;
        }
        if (pivot != k) value = PRIME - value;
        value = value * m[k][k] % PRIME;
        const int64_t inverse = power(m[k][k], PRIME - 2);
        for (size_t i = k + 1; i < n; i++) {
            const int64_t factor = m[i][k] * inverse % PRIME;
            for (size_t j = k; j < n; j++) m[i][j] = (m[i][j] + (PRIME - factor) * m[k][j]) % PRIME;
        }
    }
    return value;
}

/* Alexander's matrix: a row a crossing, (1 - t) over + t (arc that comes in) - (arc that goes out), or these two
 * exchanged. */
static int64_t alexander(const diagram *d, int64_t t)
{
    static int64_t matrix[MOST_CROSSINGS][MOST_CROSSINGS];
    const size_t n = d->crossings;
    size_t arc = 0, over[MOST_CROSSINGS], in[MOST_CROSSINGS];
    for (size_t i = 0; i < 2 * n; i++) {
        if (d->passages[i].over)
            over[d->passages[i].crossing] = arc;
        else
            in[d->passages[i].crossing] = arc++;
    }
    memset(matrix, 0, sizeof matrix);
    for (size_t c = 0; c < n; c++) {
        const size_t one = in[c] % n, two = (in[c] + 1) % n;
        matrix[c][over[c] % n] += 1 - t + PRIME;
        matrix[c][d->signs[c] > 0 ? one : two] += t + PRIME;
        matrix[c][d->signs[c] > 0 ? two : one] += PRIME - 1;
        for (size_t k = 0; k < n; k++) matrix[c][k] %= PRIME;
    }
    return n < 2 ? 1 : determinant(matrix, n - 1);
}

/* The value without sign and powers of t = 2, which depend on the drawing. */
static int64_t plain(int64_t value)
{
    int64_t least = PRIME;
    for (int k = 0; k < 2 * MOST_CROSSINGS; k++, value = value * ((PRIME + 1) / 2) % PRIME) {
        if (value < least) least = value;
        if (PRIME - value < least) least = PRIME - value;
    }
    return least;
}

/* The determinant, and the polynomial at 2; returns the writhe, which depends on the drawing. */
static int expect_knot(const char *name, const curve *c, int64_t determinant_wanted, int64_t at_two)
{
    diagram *d = calloc(1, sizeof *d);
    ck_assert_ptr_nonnull(d);
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = i + 2; j < c->count; j++)
            if (i > 0 || j + 1 < c->count) cross_segments(d, c, i, j);
    qsort(d->passages, 2 * d->crossings, sizeof *d->passages, compare_passages);
    int sum = 0;
    for (size_t i = 0; i < d->crossings; i++) sum += d->signs[i];
    int64_t minus = alexander(d, PRIME - 1), two = plain(alexander(d, 2));
    if (minus > PRIME / 2) minus = PRIME - minus;
    printf("%s: %zu crossings, writhe %d, determinant %lld, at 2 %lld; ", name, d->crossings, sum, (long long)minus,
           (long long)two);
    for (size_t i = 0; i < 2 * d->crossings; i++)
        printf("%c%zu%c ", d->passages[i].over ? 'o' : 'u', d->passages[i].crossing,
               d->signs[d->passages[i].crossing] > 0 ? '+' : '-');
    printf("\n");
    ck_assert_int_eq(minus, determinant_wanted);
    ck_assert_int_eq(two, at_two);
    free(d);
    return sum;
}

static void expect_sound(const char *name, const mesh *m, size_t ribbons)
{
    error e = {0};
    mesh_report report;
    mesh_topology t;
    ck_assert_int_eq(mesh_check(&report, m, true, &e), CAROM_OK);
    ck_assert_msg(mesh_report_faults(&report, (error_place){.text = name}, "m", &e) == CAROM_OK, "%s", error_text(&e));
    ck_assert_int_eq(mesh_topology_create(&t, m, &e), CAROM_OK);
    ck_assert_uint_eq(m->vertex_count, ribbons * 5321);
    ck_assert_uint_eq(t.component_count, ribbons);
    ck_assert_int_eq(mesh_euler(m, &t), (int64_t)ribbons);
    ck_assert_uint_eq(t.boundary_count, ribbons * 2 * (ALONG + ACROSS));
    mesh_topology_free(&t);
}

/* The least distance of vertices of two ribbons, or of rows of one that are more than 20 apart along it. Vertices lie
 * at most 0.13 apart, so that surfaces that met would have some nearer than that. */
static double least_gap(const mesh *m)
{
    double least = INFINITY;
    for (size_t i = 0; i < m->vertex_count; i++)
        for (size_t j = 0; j < i; j++) {
            if (i / 5321 == j / 5321 && (i - j) / (ACROSS + 1) <= 20) continue;
            double square = 0;
            for (int k = 0; k < 3; k++) {
                const double way = m->vertices[i][k] - m->vertices[j][k];
                square += way * way;
            }
            if (square < least) least = square;
        }
    return sqrt(least);
}

/* How much longer or shorter the edges along the ribbons are than those of a flat one. */
static double most_stretch(const mesh *m, double length)
{
    double most = 0;
    for (size_t i = 0; i + ACROSS + 1 < m->vertex_count; i++) {
        if (i % 5321 >= ALONG * (ACROSS + 1)) continue;
        const double *a = m->vertices[i], *b = m->vertices[i + ACROSS + 1];
        most = fmax(most, fabs(hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]) * ALONG / length - 1));
    }
    return most;
}

static void expect_loose(const char *name, const mesh *m, double length, double gap, double stretch)
{
    const double least = least_gap(m), most = most_stretch(m, length);
    printf("%s: at least %.3f apart, stretched by at most %.1f %%\n", name, least, 100 * most);
    ck_assert(least > gap);
    ck_assert(most < stretch);
}

/* The trefoil and the figure of eight, to see that the invariants are computed. */
START_TEST(known_knots)
{
    const double pi = 3.14159265358979323846;
    curve *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    for (int i = 0; i < 200; i++) {
        const double s = 2 * pi * (i + 0.3) / 200;
        add_point(c, sin(s) + 2 * sin(2 * s), cos(s) - 2 * cos(2 * s), -sin(3 * s));
    }
    ck_assert_int_eq(expect_knot("trefoil", c, 3, 3), -3);
    c->count = 0;
    for (int i = 0; i < 200; i++) {
        const double s = 2 * pi * (i + 0.3) / 200;
        add_point(c, (2 + cos(2 * s)) * cos(3 * s), (2 + cos(2 * s)) * sin(3 * s), sin(4 * s));
    }
    ck_assert_int_eq(expect_knot("figure of eight", c, 5, 1), 0);
    free(c);
}
END_TEST

/* A square knot, one trefoil and its mirror image: determinant 9, and writhe 0, where a granny knot has 6. */
START_TEST(reef_knot)
{
    mesh m = {0};
    error e = {0};
    const uint32_t cells[2] = {ALONG, ACROSS};
    ck_assert_msg(mesh_make_knot(&m, REEF_KNOT, 27, 2, cells, &e) == CAROM_OK, "%s", error_text(&e));
    expect_sound("reef knot", &m, 2);
    expect_loose("reef knot", &m, 27, 0.35, 0.15);
    curve *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    add_middle(c, &m, 0,
               false); /* from the upper left to the lower left; round below to the lower right, and back above */
    add_point(c, -30, -1.3, 0);
    add_point(c, -30, -30, 0);
    add_point(c, 30, -30, 0);
    add_point(c, 30, -1.3, 0);
    add_middle(c, &m, 5321, true);
    add_point(c, 30, 1.3, 0);
    add_point(c, 30, 30, 0);
    add_point(c, -30, 30, 0);
    add_point(c, -30, 1.3, 0);
    ck_assert_int_eq(expect_knot("reef knot", c, 9, 9), 0);
    free(c);
    mesh_free(&m);
}
END_TEST

/* Its ends are closed far away, once below everything and once above: that closes the tail through the eye in both
 * ways. The values are those of 3_1 # 3_1 (or 8_20: they have the same polynomial) and of 6_3, as for the diagram of a
 * bowline. */
START_TEST(bowline)
{
    mesh m = {0};
    error e = {0};
    const uint32_t cells[2] = {ALONG, ACROSS};
    ck_assert_msg(mesh_make_knot(&m, BOWLINE, 27, 1.3, cells, &e) == CAROM_OK, "%s", error_text(&e));
    expect_sound("bowline", &m, 1);
    expect_loose("bowline", &m, 27, 0.17, 0.5);
    for (int above = 0; above < 2; above++) {
        curve *c = calloc(1, sizeof *c);
        ck_assert_ptr_nonnull(c);
        add_middle(c, &m, 0, false);
        const double *tail = c->points[c->count - 1], *start = c->points[0], z = above != 0 ? 30 : -30;
        add_point(c, tail[0] + 0.001, tail[1] - 0.002, z);
        add_point(c, start[0] + 0.017, 61, z);
        add_point(c, start[0] + 0.013, 60, start[2]);
        expect_knot(above != 0 ? "bowline, closed above" : "bowline, closed below", c, above != 0 ? 13 : 9,
                    above != 0 ? 7 : 9);
        free(c);
    }
    mesh_free(&m);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("mesh_knots");
    tcase_add_test(cases, known_knots);
    tcase_add_test(cases, reef_knot);
    tcase_add_test(cases, bowline);
    return suite_run("mesh_knots", cases);
}
