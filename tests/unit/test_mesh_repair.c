/* Detects repairs of meshes that leave a fault, or change more than the fault. */
#include <math.h>
#include <string.h>

#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "mesh/check.h"
#include "mesh/make.h"
#include "mesh/repair.h"
#include "mesh/topology.h"

static mesh sphere(void)
{
    mesh m = {0};
    error e = {0};
    ck_assert(mesh_make_sphere(&m, 1, 4, &e) == CAROM_OK);
    return m;
}

static void flip(mesh *m, size_t n)
{
    const uint32_t swap = m->triangles[n][0];
    m->triangles[n][0] = m->triangles[n][1];
    m->triangles[n][1] = swap;
}

static mesh_repaired mend(mesh *m, unsigned repairs, const char *text)
{
    mesh_repaired done;
    error e = {0};
    char said[200];
    ck_assert(mesh_mend(m, repairs, 0, &done, &e) == CAROM_OK);
    mesh_repaired_text(&done, said, sizeof said);
    printf("%s\n", said);
    ck_assert_str_eq(said, text);
    return done;
}

static uint64_t faults_of(const mesh *m)
{
    mesh_report report;
    error e = {0};
    uint64_t count = 0;
    ck_assert(mesh_check(&report, m, true, &e) == CAROM_OK);
    for (int kind = 0; kind < MESH_FAULTS; kind++) count += report.count[kind];
    return count;
}

static void expect_sphere(const mesh *m)
{
    mesh whole = sphere();
    bool closed;
    error e = {0};
    ck_assert(mesh_is_closed(m, &closed, &e) == CAROM_OK && closed);
    ck_assert_uint_eq(faults_of(m), 0);
    ck_assert_uint_eq(m->vertex_count, whole.vertex_count);
    ck_assert_uint_eq(m->triangle_count, whole.triangle_count);
    EXPECT_CLOSE("volume", mesh_volume(m), mesh_volume(&whole), 1e-14);
    mesh_free(&whole);
}

START_TEST(sound_stays)
{
    mesh m = sphere(), same = sphere();
    mend(&m, MESH_WELD | MESH_DROP_UNUSED | MESH_ORIENT | MESH_FILL, "nothing to repair");
    ck_assert(memcmp(m.triangles, same.triangles, m.triangle_count * sizeof *m.triangles) == 0);
    ck_assert(memcmp(m.vertices, same.vertices, m.vertex_count * sizeof *m.vertices) == 0);
    mesh_free(&m);
    mesh_free(&same);
}
END_TEST

/* Every facet with corners of its own, as STL has them; and some twice. */
START_TEST(soup)
{
    mesh whole = sphere(), m = {0};
    for (size_t n = 0; n < whole.triangle_count; n++) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) {
            const double *r = whole.vertices[whole.triangles[n][k]];
            corner[k] = mesh_add_vertex(&m, r[0], r[1], r[2]);
        }
        mesh_add_triangle(&m, corner[0], corner[1], corner[2]);
        if (n % 64 == 0) mesh_add_triangle(&m, corner[1], corner[2], corner[0]);
        if (n % 160 == 0) mesh_add_triangle(&m, corner[0], corner[1], corner[1]);
    }
    ck_assert_uint_gt(faults_of(&m), 0);
    mend(&m, MESH_WELD, "798 vertices welded, 7 triangles dropped");
    expect_sphere(&m);
    mesh_free(&m);
    mesh_free(&whole);
}
END_TEST

/* Every facet with corners of its own, a little off: cells of all kinds lie between those that are welded. */
START_TEST(soup_that_is_off)
{
    mesh whole = sphere(), m = {0};
    dice d = {.state = 5};
    for (size_t n = 0; n < whole.triangle_count; n++) {
        uint32_t corner[3];
        for (int k = 0; k < 3; k++) {
            const double *at = whole.vertices[whole.triangles[n][k]];
            double r[3];
            for (int c = 0; c < 3; c++) r[c] = at[c] + dice_real(&d, -1e-7, 1e-7);
            corner[k] = mesh_add_vertex(&m, r[0], r[1], r[2]);
        }
        mesh_add_triangle(&m, corner[0], corner[1], corner[2]);
    }
    mesh_repaired done;
    error e = {0};
    const size_t most = m.vertex_count;
    mend(&m, MESH_WELD, "nothing to repair");
    ck_assert_uint_eq(m.vertex_count, most);
    ck_assert(mesh_mend(&m, MESH_WELD, 4e-7, &done, &e) == CAROM_OK);
    ck_assert_uint_eq(m.vertex_count, whole.vertex_count);
    ck_assert_uint_eq(done.welded, most - whole.vertex_count);
    ck_assert_uint_eq(faults_of(&m), 0);
    EXPECT_CLOSE("volume", mesh_volume(&m), mesh_volume(&whole), 1e-6);
    mesh_free(&m);
    mesh_free(&whole);
}
END_TEST

START_TEST(unused)
{
    mesh m = sphere();
    for (int k = 0; k < 3; k++) mesh_add_vertex(&m, 5 + k, 0, 0);
    ck_assert_uint_eq(faults_of(&m), 3);
    mend(&m, MESH_DROP_UNUSED, "3 vertices dropped");
    expect_sphere(&m);
    mesh_free(&m);
}
END_TEST

START_TEST(flipped)
{
    mesh m = sphere();
    size_t flips = 0;
    for (size_t n = 0; n < m.triangle_count; n++)
        if (n * 2654435761U % 100 < 30) {
            flip(&m, n);
            flips++;
        }
    char text[60];
    snprintf(text, sizeof text, "%zu triangles turned", flips);
    ck_assert_uint_gt(faults_of(&m), 0);
    mend(&m, MESH_ORIENT, text);
    expect_sphere(&m);
    mesh_free(&m);
}
END_TEST

/* Two spheres: each by itself. */
START_TEST(flipped_parts)
{
    mesh m = sphere(), more = sphere();
    for (size_t i = 0; i < more.vertex_count; i++) more.vertices[i][0] += 5;
    for (size_t n = 0; n < 9; n++) flip(&more, 7 * n);
    mesh_append(&m, &more);
    for (size_t n = 0; n < 4; n++) flip(&m, 11 * n);
    mend(&m, MESH_ORIENT, "13 triangles turned");
    ck_assert_uint_eq(faults_of(&m), 0);
    mesh_free(&m);
    mesh_free(&more);
}
END_TEST

/* A band with half a turn has one side: nothing helps. */
START_TEST(moebius)
{
    mesh m = {0};
    enum { AROUND = 12 };
    for (int k = 0; k < AROUND; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double a = 6.283185307179586 * k / AROUND, out = 2 + 0.3 * side * cos(a / 2);
            mesh_add_vertex(&m, out * cos(a), out * sin(a), 0.3 * side * sin(a / 2));
        }
    for (uint32_t k = 0; k < AROUND; k++) {
        const bool last = k + 1 == AROUND;
        const uint32_t next = last ? 0 : 2 * k + 2;
        const uint32_t low = last ? next + 1 : next, high = last ? next : next + 1;
        mesh_add_triangle(&m, 2 * k, low, 2 * k + 1);
        mesh_add_triangle(&m, 2 * k + 1, low, high);
    }
    mesh_repaired done;
    error e = {0};
    ck_assert(mesh_mend(&m, MESH_ORIENT, 0, &done, &e) == CAROM_OK);
    ck_assert_uint_gt(faults_of(&m), 0);
    mesh_free(&m);
}
END_TEST

static void remove_triangle(mesh *m, size_t n)
{
    memmove(m->triangles[n], m->triangles[--m->triangle_count], sizeof *m->triangles);
}

/* A triangle is put back as it was; six around a vertex leave a hexagon, which is filled around its middle. */
START_TEST(holes)
{
    mesh m = sphere();
    bool closed;
    error e = {0};
    remove_triangle(&m, 100);
    mend(&m, MESH_FILL, "1 hole filled, 1 triangle added");
    expect_sphere(&m);
    size_t around = 0;
    const uint32_t middle = 100; /* of those that have six */
    for (size_t n = m.triangle_count; n-- > 0;)
        if (m.triangles[n][0] == middle || m.triangles[n][1] == middle || m.triangles[n][2] == middle) {
            remove_triangle(&m, n);
            around++;
        }
    printf("%zu triangles around a vertex\n", around);
    char text[80];
    snprintf(text, sizeof text, "1 vertex dropped, 1 hole filled, %zu triangles added", around);
    mend(&m, MESH_DROP_UNUSED | MESH_FILL, text);
    ck_assert(mesh_is_closed(&m, &closed, &e) == CAROM_OK && closed);
    ck_assert_uint_eq(faults_of(&m), 0);
    mesh_free(&m);
}
END_TEST

/* A tube has two ends. */
START_TEST(ends_of_a_tube)
{
    mesh m = {0};
    bool closed;
    error e = {0};
    mesh_make_tube(&m, 1, 3, 12, 4);
    mend(&m, MESH_FILL, "2 holes filled, 24 triangles added");
    ck_assert(mesh_is_closed(&m, &closed, &e) == CAROM_OK && closed);
    ck_assert_uint_eq(faults_of(&m), 0);
    EXPECT_CLOSE("volume", mesh_volume(&m), 3 * 12 * 0.5 * sin(6.283185307179586 / 12), 1e-12);
    mesh_free(&m);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("repair");
    tcase_add_test(cases, sound_stays);
    tcase_add_test(cases, soup);
    tcase_add_test(cases, soup_that_is_off);
    tcase_add_test(cases, unused);
    tcase_add_test(cases, flipped);
    tcase_add_test(cases, flipped_parts);
    tcase_add_test(cases, moebius);
    tcase_add_test(cases, holes);
    tcase_add_test(cases, ends_of_a_tube);
    return suite_run("mesh_repair", cases);
}
