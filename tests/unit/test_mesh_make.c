/* Detects wrong generated meshes: numbers of vertices and triangles, areas and volumes in closed form, Euler
 * characteristic, faults. */
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "mesh/check.h"
#include "mesh/make.h"
#include "mesh/solid.h"
#include "mesh/topology.h"

static const double pi = 3.14159265358979323846;

/* No fault; as many vertices, triangles, sides of its boundary and pieces; the Euler characteristic. */
static void expect_mesh(const char *name, const mesh *m, size_t vertices, size_t triangles, size_t boundary,
                        int64_t euler)
{
    error e = {0};
    mesh_report report;
    mesh_topology t;
    ck_assert(!m->failed);
    ck_assert_int_eq(mesh_check(&report, m, true, &e), CAROM_OK);
    ck_assert_msg(mesh_report_faults(&report, (error_place){.text = name}, "m", &e) == CAROM_OK, "%s", error_text(&e));
    ck_assert_int_eq(mesh_topology_create(&t, m, &e), CAROM_OK);
    printf("%s: %zu vertices, %zu triangles, %zu edges, %zu of them on the boundary, %zu hinges\n", name,
           m->vertex_count, m->triangle_count, t.edge_count, t.boundary_count, t.hinge_count);
    ck_assert_uint_eq(m->vertex_count, vertices);
    ck_assert_uint_eq(m->triangle_count, triangles);
    ck_assert_uint_eq(t.boundary_count, boundary);
    ck_assert_uint_eq(t.hinge_count, t.edge_count - boundary);
    ck_assert_uint_eq(t.component_count, 1);
    ck_assert_int_eq(mesh_euler(m, &t), euler);
    mesh_topology_free(&t);
}

/* All triangles look along z. */
static void expect_upward(const mesh *m)
{
    for (size_t t = 0; t < m->triangle_count; t++) {
        const double *a = m->vertices[m->triangles[t][0]], *b = m->vertices[m->triangles[t][1]],
                     *c = m->vertices[m->triangles[t][2]];
        ck_assert((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]));
        ck_assert(a[2] == 0 && b[2] == 0 && c[2] == 0);
    }
}

/* Diagonals of a rectangle alternate, so that it is as stiff along both: at an inner vertex all four meet, or none. */
static void expect_crosses(const mesh *m)
{
    int at[40] = {0};
    for (size_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) at[m->triangles[t][k]]++;
    for (int j = 1; j < 4; j++)
        for (int i = 1; i < 7; i++) ck_assert(at[8 * j + i] == 4 || at[8 * j + i] == 8);
}

START_TEST(flat)
{
    mesh m = {0};
    mesh_make_rectangle(&m, (double[]){3, 2}, (uint32_t[]){7, 4});
    expect_mesh("rectangle", &m, 40, 56, 22, 1);
    expect_crosses(&m);
    EXPECT_CLOSE("area", mesh_area(&m), 6, 1e-14);
    expect_upward(&m);
    mesh_free(&m);
    for (uint64_t seed = 0; seed < 20; seed++) {
        mesh_make_rough_rectangle(&m, (double[]){3, 2}, (uint32_t[]){7, 5}, seed);
        expect_mesh("rough rectangle", &m, 8 * 3 + 9 * 3, 75, 2 * 7 + 2 * 5 + 1, 1);
        EXPECT_CLOSE("area", mesh_area(&m), 6, 1e-14);
        expect_upward(&m);
        mesh_free(&m);
    }
    mesh_make_disk(&m, 2, 5);
    expect_mesh("disk", &m, 91, 150, 30, 1);
    EXPECT_CLOSE("area", mesh_area(&m), 30 * 0.5 * 4 * sin(2 * pi / 30), 1e-13);
    expect_upward(&m);
    mesh_free(&m);
}
END_TEST

START_TEST(platonic)
{
    static const size_t vertices[5] = {4, 8, 6, 20, 12}, triangles[5] = {4, 12, 8, 36, 20};
    /* by the lengths of their edges */
    const double edge_20 = 4 / (sqrt(3) * (1 + sqrt(5))), edge_12 = 1 / sin(2 * pi / 5);
    const double volumes[5] = {8 * sqrt(3) / 27, 8 / (3 * sqrt(3)), 4.0 / 3, (15 + 7 * sqrt(5)) / 4 * pow(edge_20, 3),
                               5 * (3 + sqrt(5)) / 12 * pow(edge_12, 3)};
    for (int k = 0; k < 5; k++) {
        mesh m = {0};
        error e = {0};
        mesh_make_platonic(&m, (platonic_solid)k, 1);
        expect_mesh("platonic solid", &m, vertices[k], triangles[k], 0, 2);
        EXPECT_CLOSE("volume", mesh_volume(&m), volumes[k], 1e-14);
        ck_assert_int_eq(mesh_refine(&m, 3, &e), CAROM_OK);
        expect_mesh("refined", &m, 2 + 9 * triangles[k] / 2, 9 * triangles[k], 0, 2);
        EXPECT_CLOSE("volume", mesh_volume(&m), volumes[k], 1e-13);
        mesh_free(&m);
    }
}
END_TEST

START_TEST(round_things)
{
    mesh m = {0};
    error e = {0};
    ck_assert_int_eq(mesh_make_sphere(&m, 4.97, 3, &e), CAROM_OK);
    expect_mesh("sphere of 92 vertices", &m, 92, 180, 0, 2);
    for (size_t i = 0; i < m.vertex_count; i++)
        ck_assert(fabs(hypot(hypot(m.vertices[i][0], m.vertices[i][1]), m.vertices[i][2]) - 4.97) < 1e-14);
    mesh_free(&m);
    ck_assert_int_eq(mesh_make_sphere(&m, 1, 30, &e), CAROM_OK);
    expect_mesh("fine sphere", &m, 9002, 18000, 0, 2);
    EXPECT_CLOSE("volume", mesh_volume(&m), 4 * pi / 3, 0.005);
    EXPECT_CLOSE("area", mesh_area(&m), 4 * pi, 0.01);
    mesh_free(&m);
    mesh_make_globe(&m, 1, 40, 20);
    expect_mesh("globe", &m, 2 + 40 * 19, 2 * 40 * 19, 0, 2);
    EXPECT_CLOSE("volume", mesh_volume(&m), 4 * pi / 3, 0.06);
    mesh_free(&m);
    mesh_make_globe(&m, 1, 3, 2);
    expect_mesh("coarsest globe", &m, 5, 6, 0, 2);
    mesh_free(&m);
    mesh_make_torus(&m, 3, 1, 60, 30);
    expect_mesh("torus", &m, 1800, 3600, 0, 0);
    EXPECT_CLOSE("volume", mesh_volume(&m), 60 * 3 * sin(2 * pi / 60) * 15 * sin(2 * pi / 30),
                 8e-13); /* of polygons; off by 2.7e-13 */
    mesh_free(&m);
    mesh_make_tube(&m, 1.5, 6, 46, 28);
    expect_mesh("tube of 1,334 vertices", &m, 1334, 2 * 46 * 28, 92, 0);
    EXPECT_CLOSE("area", mesh_area(&m), 46 * 2 * 1.5 * sin(pi / 46) * 6, 1e-11);
    ck_assert(mesh_volume(&m) > 0);
    mesh_free(&m);
}
END_TEST

/* Volume and second moments across and along z of the solid inside. */
static void moments_of(const mesh *m, double out[3])
{
    error e = {0};
    mesh_topology t;
    mesh_solid solid;
    ck_assert_int_eq(mesh_topology_create(&t, m, &e), CAROM_OK);
    ck_assert_int_eq(mesh_solid_of(&solid, m, &t, &e), CAROM_OK);
    mesh_topology_free(&t);
    out[0] = solid.volume;
    out[1] = 0.5 * (solid.second[0][0] + solid.second[1][1]);
    out[2] = solid.second[2][2];
}

START_TEST(boxes)
{
    mesh m = {0};
    error e = {0};
    double has[3];
    mesh_make_box(&m, (double[]){1, 2, 0.5});
    expect_mesh("box", &m, 8, 12, 0, 2);
    moments_of(&m, has);
    EXPECT_CLOSE("volume", has[0], 1, 1e-15);
    EXPECT_CLOSE("second moment across", has[1], 0.5 * (1 + 4) / 12., 1e-15);
    EXPECT_CLOSE("second moment along", has[2], 0.25 / 12, 1e-15);
    ck_assert_int_eq(mesh_refine(&m, 3, &e), CAROM_OK);
    expect_mesh("divided box", &m, 56, 108, 0, 2);
    EXPECT_CLOSE("area", mesh_area(&m), 2 * (2 + 0.5 + 1), 1e-13);
    mesh_free(&m);
}
END_TEST

/* Polygons approach the spherocylinder in second order: errors fall to a quarter, and without that term they are small. */
START_TEST(capsules)
{
    enum { LEVELS = 4 };
    const double l = 1.3, r = 0.4, ball = 4. / 15 * pi * pow(r, 5);
    const double exact[3] = {pi * r * r * l + 4. / 3 * pi * r * r * r, pi * pow(r, 4) * l / 4 + ball,
                             pi * r * r * pow(l, 3) / 12 + l * l / 3 * pi * pow(r, 3) + l * pi * pow(r, 4) / 2 + ball};
    double has[LEVELS][3];
    for (int n = 0; n < LEVELS; n++) {
        mesh m = {0};
        error e = {0};
        const uint32_t around = 16U << n, bands = around / 4, along = (uint32_t)n + 1;
        const size_t vertices = 2 + (size_t)around * (2 * bands + along - 1);
        ck_assert_int_eq(mesh_make_capsule(&m, l, r, around, along, &e), CAROM_OK);
        expect_mesh("capsule", &m, vertices, 2 * vertices - 4, 0, 2);
        for (size_t i = 0; i < vertices; i++) {
            const double *v = m.vertices[i], above = fmax(fabs(v[2]) - 0.5 * l, 0);
            ck_assert(fabs(hypot(hypot(v[0], v[1]), above) - r) < 1e-15);
        }
        moments_of(&m, has[n]);
        mesh_free(&m);
    }
    for (int k = 0; k < 3; k++) {
        for (int n = 1; n < LEVELS; n++) {
            const double fell = (exact[k] - has[n][k]) / (exact[k] - has[n - 1][k]);
            printf("error %g, %g of that before\n", has[n][k] / exact[k] - 1, fell);
            fflush(stdout);
            ck_assert(fabs(fell - 0.25) < 0.02);
        }
        const double limit = (4 * has[LEVELS - 1][k] - has[LEVELS - 2][k]) / 3;
        EXPECT_CLOSE("limit over the exact value", limit / exact[k], 1, 1e-5);
    }
    for (uint32_t around = 3; around < 12; around++) {
        mesh m = {0};
        error e = {0};
        const uint32_t bands = around < 6 ? 1 : around < 10 ? 2 : 3;
        ck_assert_int_eq(mesh_make_capsule(&m, l, r, around, 1, &e), CAROM_OK);
        expect_mesh("coarse capsule", &m, 2 + 2 * around * bands, 4 * around * bands, 0, 2);
        mesh_free(&m);
    }
}
END_TEST

/* Cones, cylinders and rings of polygons, in closed form. */
START_TEST(surfaces_of_revolution)
{
    enum { AROUND = 24 };
    const double side = 2 * sin(pi / AROUND), polygon = 0.5 * AROUND * sin(2 * pi / AROUND), inner = cos(pi / AROUND);
    const double silo[][3] = {{1, 0, 0}, {3, 2, 0}, {3, 6, 0}},
                 drum[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 5, 0}, {0, 5, 0}},
                 ring[][3] = {{2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0}, {2, 0, 0}};
    mesh m = {0};
    mesh_make_revolution(&m, silo, 3, AROUND);
    expect_mesh("silo", &m, 3 * AROUND, 4 * AROUND, 2 * AROUND, 0);
    EXPECT_CLOSE("area", mesh_area(&m), AROUND * side * (2 * hypot(2 * inner, 2) + 3 * 4), 1e-12);
    mesh_free(&m);
    mesh_make_revolution(&m, drum, 4, AROUND);
    expect_mesh("drum", &m, 2 * AROUND + 2, 4 * AROUND, 0, 2);
    EXPECT_CLOSE("volume", mesh_volume(&m), 4 * polygon * 5, 1e-12);
    mesh_free(&m);
    mesh_make_revolution(&m, ring, 5, AROUND);
    expect_mesh("ring", &m, 4 * AROUND, 8 * AROUND, 0, 0);
    EXPECT_CLOSE("volume", mesh_volume(&m), (9 - 4) * polygon, 1e-12);
    mesh_free(&m);
}
END_TEST

START_TEST(obstacles)
{
    mesh m = {0};
    error e = {0};
    ck_assert_int_eq(mesh_make_prism(&m, 12.92, 20.05, 38.41, 2, 4, &e), CAROM_OK);
    expect_mesh("prism", &m, 15 + 39, 26 * 4, 0, 2);
    EXPECT_CLOSE("volume", mesh_volume(&m), 12.92 * 20.05 / 2 * 38.41, 1e-11);
    mesh_free(&m);
    const double radius = 7.8 * 2 * sin(3.47 * pi / 360);
    mesh_make_spikes(&m, (double[]){20, 20}, (uint32_t[]){6, 6}, 7.8, radius);
    expect_mesh("spikes", &m, 49 + 36 * 7, 36 * 16, 24, 1);
    const double hexagon = 1.5 * sqrt(3) * radius * radius, apothem = radius * sqrt(0.75);
    EXPECT_CLOSE("area", mesh_area(&m), 400 + 36 * (3 * radius * hypot(7.8, apothem) - hexagon), 1e-11);
    mesh_free(&m);
}
END_TEST

START_TEST(strips_and_places)
{
    enum { ROWS = 9 };
    double points[ROWS][3], sides[ROWS][3];
    mesh m = {0}, two = {0};
    error e = {0};
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++) {
            points[i][k] = k == 0 ? i * 0.5 : 0;
            sides[i][k] = k == 1;
        }
    mesh_make_strip(&m, (const double(*)[3])points, (const double(*)[3])sides, ROWS, 0.8, 4);
    expect_mesh("strip", &m, 45, 64, 24, 1);
    EXPECT_CLOSE("area", mesh_area(&m), 3.2, 1e-14);
    mesh_append(&two, &m);
    mesh_place(&m, (double[]){1, 2, 3}, (const double[3][3]){{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}, 2);
    EXPECT_CLOSE("x of the first", m.vertices[0][0], 1 + 2 * 0.4, 1e-15);
    EXPECT_CLOSE("y of the last", m.vertices[44][1], 2 + 2 * 4, 1e-15);
    EXPECT_CLOSE("area", mesh_area(&m), 4 * 3.2, 1e-13);
    mesh_append(&two, &m);
    ck_assert_uint_eq(two.vertex_count, 90);
    mesh_topology t;
    ck_assert_int_eq(mesh_topology_create(&t, &two, &e), CAROM_OK);
    ck_assert_uint_eq(t.component_count, 2);
    ck_assert(t.component[63] == 0 && t.component[64] == 1 && t.component[127] == 1);
    mesh_topology_free(&t);
    mesh_free(&m);
    mesh_free(&two);
}
END_TEST

START_TEST(too_large)
{
    mesh m = {0};
    error e = {0};
    mesh_make_platonic(&m, ICOSAHEDRON, 1);
    ck_assert_int_eq(mesh_refine(&m, 100000, &e), CAROM_INTERNAL);
    printf("%s\n", error_text(&e));
    ck_assert(m.vertices == NULL);
    error_clear(&e);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("mesh_make");
    tcase_add_test(cases, flat);
    tcase_add_test(cases, platonic);
    tcase_add_test(cases, round_things);
    tcase_add_test(cases, boxes);
    tcase_add_test(cases, capsules);
    tcase_add_test(cases, surfaces_of_revolution);
    tcase_add_test(cases, obstacles);
    tcase_add_test(cases, strips_and_places);
    tcase_add_test(cases, too_large);
    return suite_run("mesh_make", cases);
}
