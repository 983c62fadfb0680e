/* Detects mesh faults that are missed or described in other words, and missed intersections of triangles, against a
 * plain search and rational arithmetic on small integers, where every degenerate case occurs. */
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/orient.h"
#include "mesh/check.h"
#include "mesh/intersect.h"
#include "mesh/make.h"
#include "mesh/topology.h"

static void expect_faults(mesh *m, const char *wanted)
{
    error e = {0};
    mesh_report report;
    ck_assert_int_eq(mesh_check(&report, m, true, &e), CAROM_OK);
    carom_status status = mesh_report_faults(&report, (error_place){.text = "s.yaml"}, "m", &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, wanted[0] != '\0' ? CAROM_BAD_DATA : CAROM_OK);
    ck_assert_str_eq(error_text(&e), wanted);
    error_clear(&e);
    mesh_free(m);
}

static mesh square(void)
{
    mesh m = {0};
    mesh_make_rectangle(&m, (double[]){2, 2}, (uint32_t[]){2, 2});
    return m;
}

#define FAULT "s.yaml: error: mesh 'm': "

START_TEST(faults)
{
    mesh m = square();
    expect_faults(&m, "");
    m = square();
    mesh_add_vertex(&m, 0, 0, 5);
    expect_faults(&m, FAULT "vertex 9 belongs to no triangle; remove it");
    m = square();
    mesh_add_triangle(&m, 0, 1, 2);
    mesh_add_triangle(&m, 3, 3, 4);
    expect_faults(&m, FAULT "triangle 8 has no area; remove it\n" FAULT "triangle 9 has no area; remove it");
    m = square();
    mesh_add_triangle(&m, m.triangles[3][1], m.triangles[3][0], m.triangles[3][2]);
    expect_faults(&m, FAULT "triangle 8 has the corners of triangle 3; remove one");
    m = square();
    uint32_t twin = mesh_add_vertex(&m, 0, 0, -0.0), far = mesh_add_vertex(&m, 0, 0.5, 3);
    mesh_add_triangle(&m, twin, far, mesh_add_vertex(&m, 0.5, 0, 3));
    expect_faults(&m, FAULT "vertices 9 and 4 have the same position; merge them");
    m = square();
    mesh_add_triangle(&m, 3, 4, mesh_add_vertex(&m, 0, 0, 1));
    expect_faults(&m, FAULT "the edge of vertices 3 and 4 has 3 triangles; at most two are possible");
    m = square();
    uint32_t swap = m.triangles[0][0];
    m.triangles[0][0] = m.triangles[0][1];
    m.triangles[0][1] = swap;
    expect_faults(&m, FAULT
                  "the two triangles at the edge of vertices 0 and 4 have opposite orientations; reverse one\n" FAULT
                  "the two triangles at the edge of vertices 1 and 4 have opposite orientations; reverse one");
}
END_TEST

START_TEST(many_faults)
{
    mesh m = {0};
    for (int i = 0; i < 7; i++) mesh_add_vertex(&m, i, 0, 0);
    for (uint32_t i = 0; i < 5; i++) mesh_add_triangle(&m, i, i + 1, i + 2);
    mesh_add_triangle(&m, 0, 1, 6);
    expect_faults(&m, FAULT "triangle 0 has no area; remove it\n" FAULT "triangle 1 has no area; remove it\n" FAULT
                            "triangle 2 has no area; remove it\n" FAULT "triangle 3 has no area; remove it\n" FAULT
                            "triangle 4 has no area; remove it\n" FAULT "6 triangles without area in all");
    mesh_make_rectangle(&m, (double[]){2, 2}, (uint32_t[]){40, 40});
    mesh again = {0};
    mesh_append(&again, &m);
    mesh_place(&again, (double[]){0.001, 0.002, 0}, (const double[3][3]){{1, 0, 0}, {0, 0.8, -0.6}, {0, 0.6, 0.8}}, 1);
    mesh_append(&m, &again);
    mesh_report report;
    error e = {0};
    ck_assert_int_eq(mesh_check(&report, &m, true, &e), CAROM_OK);
    printf("%llu pairs along the line where two sheets cross\n", (unsigned long long)report.count[MESH_INTERSECTION]);
    ck_assert(report.count[MESH_INTERSECTION] >= 80 && report.count[MESH_INTERSECTION] < 400);
    mesh_free(&m);
    mesh_make_rectangle(&m, (double[]){2, 2}, (uint32_t[]){40, 40});
    mesh_place(&again, (double[]){0.0, 0.0, 0}, (const double[3][3]){{1, 0, 0}, {0, 0.8, 0.6}, {0, -0.6, 0.8}}, 1);
    mesh_place(&again, (double[]){0.0001, 0.0002, 0}, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, 1);
    mesh_append(&m, &again);
    mesh_free(&again);
    ck_assert_int_eq(mesh_check(&report, &m, true, &e), CAROM_OK);
    mesh_report_faults(&report, (error_place){.text = "s.yaml"}, "m", &e);
    ck_assert_ptr_nonnull(strstr(error_text(&e), "at least 1000 pairs of triangles that intersect in all"));
    error_clear(&e);
    mesh_free(&m);
}
END_TEST

/* ---- Orientation ---- */

static double pick(uint64_t entity, uint64_t index, uint64_t below)
{
    return (double)random_below((random_key){7, RANDOM_GENERAL}, entity, index, below);
}

START_TEST(orientation)
{
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0}, up[3] = {0.3, 0.3, 5e-324};
    ck_assert_int_eq(orient_2d(a, b, c, 0, 1), 1);
    ck_assert_int_eq(orient_2d(a, c, b, 0, 1), -1);
    ck_assert_int_eq(orient_3d(a, b, c, (const double[]){0.2, 0.2, 1}), 1);
    ck_assert_int_eq(orient_3d(a, c, b, (const double[]){0.2, 0.2, 1}), -1);
    ck_assert_int_eq(orient_3d(a, b, c, up), 1);
    size_t zeros = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        double p[4][3];
        int64_t n[4][3];
        for (uint64_t k = 0; k < 12; k++) {
            n[k / 3][k % 3] = (int64_t)pick(i, k, 9) - 4;
            p[k / 3][k % 3] = (i % 2 == 0 ? 1e5 : 0) + (double)n[k / 3][k % 3] * 0x1p-30; /* exact */
        }
        int64_t u[3], v[3], w[3];
        for (int k = 0; k < 3; k++) {
            u[k] = n[0][k] - n[3][k];
            v[k] = n[1][k] - n[3][k];
            w[k] = n[2][k] - n[3][k];
        }
        int64_t det = u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
                      u[2] * (v[0] * w[1] - v[1] * w[0]);
        int64_t flat = u[0] * v[1] - u[1] * v[0];
        zeros += det == 0;
        ck_assert_int_eq(orient_3d(p[0], p[1], p[2], p[3]), (det < 0) - (det > 0));
        ck_assert_int_eq(orient_2d(p[0], p[1], p[3], 0, 1), (flat > 0) - (flat < 0));
    }
    printf("%zu of 20000 determinants are zero\n", zeros);
    ck_assert(zeros > 100 && zeros < 10000);
}
END_TEST

/* ---- Triangles that meet ---- */

/* Whole numbers: two triangles meet if and only if no plane parts them. The candidates for its normal are those of the
 * two triangles, the products of their edges, and, where they lie in one plane, the normals of edges in it. */
static bool parted(const int64_t s[3][3], const int64_t t[3][3], const int64_t n[3])
{
    int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
    for (int k = 0; k < 3; k++) {
        const int64_t at[2] = {s[k][0] * n[0] + s[k][1] * n[1] + s[k][2] * n[2],
                               t[k][0] * n[0] + t[k][1] * n[1] + t[k][2] * n[2]};
        for (int i = 0; i < 2; i++) {
            if (at[i] < low[i]) low[i] = at[i];
            if (at[i] > high[i]) high[i] = at[i];
        }
    }
    return high[0] < low[1] || high[1] < low[0];
}

static void product(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static bool oracle_meet(const int64_t s[3][3], const int64_t t[3][3])
{
    int64_t edges[6][3], normals[2][3], n[3];
    for (int k = 0; k < 3; k++)
        for (int x = 0; x < 3; x++) {
            edges[k][x] = s[(k + 1) % 3][x] - s[k][x];
            edges[3 + k][x] = t[(k + 1) % 3][x] - t[k][x];
        }
    product(edges[0], edges[1], normals[0]);
    product(edges[3], edges[4], normals[1]);
    if (parted(s, t, normals[0]) || parted(s, t, normals[1])) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 3; j < 6; j++) {
            product(edges[i], edges[j], n);
            if (parted(s, t, n)) return false;
        }
    for (int i = 0; i < 6; i++) {
        product(edges[i], normals[i / 3], n);
        if (parted(s, t, n)) return false;
    }
    return true;
}

START_TEST(two_triangles)
{
    size_t meeting = 0, tried = 0;
    for (uint64_t i = 0; i < 40000; i++) {
        const uint64_t below = 2 + i % 6;
        int64_t p[6][3];
        mesh m = {0};
        for (uint64_t k = 0; k < 18; k++) p[k / 3][k % 3] = (int64_t)pick(i, 100 + k, below);
        for (int k = 0; k < 6; k++) mesh_add_vertex(&m, (double)p[k][0], (double)p[k][1], (double)p[k][2]);
        mesh_add_triangle(&m, 0, 1, 2);
        mesh_add_triangle(&m, 3, 4, 5);
        mesh_report report;
        error e = {0};
        ck_assert_int_eq(mesh_check(&report, &m, true, &e), CAROM_OK);
        if (report.count[MESH_DEGENERATE] == 0) {
            bool wanted = oracle_meet((const int64_t(*)[3])p, (const int64_t(*)[3])(p + 3));
            ck_assert_int_eq(mesh_triangles_meet(&m, 0, 1), wanted);
            ck_assert_int_eq(mesh_triangles_meet(&m, 1, 0), wanted);
            meeting += wanted;
            tried++;
        }
        mesh_free(&m);
    }
    printf("%zu of %zu pairs meet\n", meeting, tried);
    ck_assert(meeting > 5000 && tried - meeting > 5000);
}
END_TEST

/* Two triangles at a vertex, or at an edge. */
static bool neighbours_meet(const double r[5][3], int shared)
{
    mesh m = {0};
    for (int k = 0; k < 5; k++) mesh_add_vertex(&m, r[k][0], r[k][1], r[k][2]);
    mesh_add_triangle(&m, 2, 0, 1);
    if (shared == 1)
        mesh_add_triangle(&m, 3, 4, 0);
    else
        mesh_add_triangle(&m, 1, 0, 3);
    bool meet = mesh_triangles_meet(&m, 0, 1);
    ck_assert_int_eq(meet, mesh_triangles_meet(&m, 1, 0));
    mesh_free(&m);
    return meet;
}

START_TEST(neighbours)
{
    /* at the vertex 0: beside, through, touching the far side, folded onto */
    ck_assert(!neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}, 1));
    ck_assert(!neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 1, 0.001}}, 1));
    ck_assert(neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 1, -1}}, 1));
    ck_assert(neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.1, 0.1, 1}, {0.1, 0.1, -1}}, 1));
    ck_assert(neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}, {0.5, 0.5, -1}}, 1));
    ck_assert(neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.1, 0}, {-1, -1, 0}}, 1));
    ck_assert(!neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.2, 0.1, 0}, {-1, -1, 0}}, 1));
    /* at the edge 0 1: spread out, bent, nearly and wholly folded */
    ck_assert(!neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, 2));
    ck_assert(!neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 1e-300}}, 2));
    ck_assert(neighbours_meet((const double[5][3]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 2, 0}}, 2));
}
END_TEST

START_TEST(all_pairs)
{
    enum { COUNT = 300 };
    mesh m = {0};
    error e = {0};
    mesh_pair *pairs = NEW_ARRAY(MESH_PAIRS_MOST, mesh_pair);
    for (uint64_t i = 0; i < COUNT; i++)
        for (uint64_t k = 0; k < 3; k++) {
            double r[4];
            random_uniform2((random_key){3, RANDOM_GENERAL}, i, 2 * k, r);
            random_uniform2((random_key){3, RANDOM_GENERAL}, i, 2 * k + 1, r + 2);
            mesh_add_vertex(&m, 6 * pick(i, 0, 1000) / 1000 + r[0], 4 * pick(i, 1, 1000) / 1000 + r[1], r[2]);
            if (k == 2) mesh_add_triangle(&m, (uint32_t)(3 * i), (uint32_t)(3 * i + 1), (uint32_t)(3 * i + 2));
        }
    size_t count, plain = 0;
    ck_assert_int_eq(mesh_intersections(&m, (mesh_meeting){NULL, NULL}, pairs, &count, &e), CAROM_OK);
    for (uint32_t a = 0; a < COUNT; a++)
        for (uint32_t b = a + 1; b < COUNT; b++) {
            if (!mesh_triangles_meet(&m, a, b)) continue;
            ck_assert(plain < count && pairs[plain].first == a && pairs[plain].second == b);
            plain++;
        }
    printf("%zu pairs meet\n", count);
    ck_assert_uint_eq(plain, count);
    ck_assert(count > 100 && count < MESH_PAIRS_MOST);
    memory_free(pairs);
    mesh_free(&m);
}
END_TEST

START_TEST(topology)
{
    mesh m = square();
    mesh_topology t;
    error e = {0};
    ck_assert_int_eq(mesh_topology_create(&t, &m, &e), CAROM_OK);
    ck_assert_uint_eq(t.edge_count, 16);
    ck_assert_uint_eq(t.hinge_count, 8);
    for (size_t i = 0; i < t.hinge_count; i++) {
        const mesh_hinge *h = &t.hinges[i];
        const mesh_edge *edge = &t.edges[h->edge];
        ck_assert(h->a == edge->vertex[0] && h->b == edge->vertex[1] && h->a < h->b);
        const double *a = m.vertices[h->a], *b = m.vertices[h->b], *c = m.vertices[h->c], *d = m.vertices[h->d];
        ck_assert_int_eq(orient_2d(a, b, c, 0, 1), 1);
        ck_assert_int_eq(orient_2d(a, b, d, 0, 1), -1);
    }
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const mesh_edge *edge = &t.edges[t.triangle_edges[i][k]];
            uint32_t a = m.triangles[i][k], b = m.triangles[i][(k + 1) % 3];
            ck_assert(edge->vertex[0] == (a < b ? a : b) && edge->vertex[1] == (a < b ? b : a));
            ck_assert_uint_eq(a < b ? edge->left : edge->right, i);
        }
    mesh_topology_free(&t);
    mesh_free(&m);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("mesh_check");
    tcase_add_test(cases, faults);
    tcase_add_test(cases, many_faults);
    tcase_add_test(cases, orientation);
    tcase_add_test(cases, two_triangles);
    tcase_add_test(cases, neighbours);
    tcase_add_test(cases, all_pairs);
    tcase_add_test(cases, topology);
    return suite_run("mesh_check", cases);
}
