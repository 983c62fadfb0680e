/* Detects meshes that intersect or come too close, and verify misses, in frames made by hand. */
#include "../support/expect.h"
#include "../support/suite.h"

#include "base/random.h"
#include "output/verify/verify_meshes.h"

#include <string.h>

static double position[21];
static double radius[7];
static int64_t image[21];
static uint32_t triangle[1][3] = {{0, 1, 2}};
static result_mesh meshes[2] = {
    {.name = "low", .vertices = 3, .triangles = triangle, .triangle_count = 1},
    {.name = "high", .first = 3, .vertices = 3, .triangles = triangle, .triangle_count = 1}};
static result_links links = {.mesh = meshes, .meshes = 2};

typedef struct counts {
    int through, near, particles, pierced, segments;
    double depth; /* of the last that do not pass through each other */
} counts;

static void count(mesh_part a, mesh_part b, double depth, void *data)
{
    counts *c = data;
    const bool through = !(depth < INFINITY);
    if (!through) c->depth = depth;
    ck_assert(a.mesh < 2 && a.number == 0);
    c->through += through && b.mesh < 2;
    c->near += !through && b.mesh < 2;
    c->particles += !through && b.mesh == PART_PARTICLE;
    c->pierced += through && b.mesh == PART_SEGMENT;
    c->segments += !through && b.mesh == PART_SEGMENT;
}

/* Two triangles, the second moved by `off`, and a ball. */
static carom_frame frame_with(const double off[3], const double ball[3], bool periodic)
{
    static const double corner[3][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}};
    carom_frame f = {.dimension = 3, .count = 7, .position = position, .radius = radius, .image = image};
    f.leeway = 0.5;
    for (size_t k = 0; k < 3; k++) {
        f.box[k] = 4;
        f.boundary[k] = periodic ? FRAME_PERIODIC : FRAME_OPEN;
        for (size_t n = 0; n < 7; n++) {
            double x = n < 3 ? corner[n][k] : n < 6 ? corner[n - 3][k] + off[k] : ball[k];
            image[3 * n + k] = periodic ? (int64_t)floor(x / 4) : 0;
            position[3 * n + k] = x - 4.0 * (double)image[3 * n + k];
        }
    }
    for (size_t n = 0; n < 7; n++) radius[n] = n < 6 ? 0.05 : 0.2;
    return f;
}

static counts look(const double off[3], const double ball[3], bool periodic)
{
    carom_frame f = frame_with(off, ball, periodic);
    counts c = {0};
    error e = {0};
    meshes_look *by;
    ck_assert_int_eq(meshes_look_create(&by, &f, &links, &e), CAROM_OK);
    ck_assert_int_eq(meshes_look_at(by, &f, 1e-12, count, &c, &e), CAROM_OK);
    counts again = {0};
    ck_assert_int_eq(meshes_look_at(by, &f, 1e-12, count, &again, &e), CAROM_OK);
    ck_assert_mem_eq(&again, &c, sizeof c);
    meshes_look_destroy(by);
    return c;
}

static const double nowhere[3] = {3.5, 3.5, 3.5};

START_TEST(apart)
{
    for (int periodic = 0; periodic < 2; periodic++) {
        counts c = look((double[]){0, 0, 0.06}, nowhere, periodic);
        ck_assert_int_eq(c.through + c.near + c.particles, 0);
        c = look((double[]){0, 0, 0.5}, (double[]){1.2, 1.2, 1.21}, periodic); /* eta is 0.025: cores at 0.2 */
        ck_assert_int_eq(c.through + c.near + c.particles, 0);
    }
}
END_TEST

START_TEST(near)
{
    for (int periodic = 0; periodic < 2; periodic++) {
        counts c = look((double[]){0, 0, 0.04}, nowhere, periodic);
        ck_assert_int_eq(c.through, 0);
        ck_assert_int_eq(c.near, 1);
        EXPECT_CLOSE("depth", c.depth, 0.05 + 0.05 - 0.04, 1e-13);
        c = look((double[]){0, 0, 0.5}, (double[]){1.2, 1.2, 1.19}, periodic);
        ck_assert_int_eq(c.particles, 1);
        EXPECT_CLOSE("depth", c.depth, 0.05 + 0.2 - 0.19, 1e-13);
    }
}
END_TEST

START_TEST(through)
{
    const double tilted[3] = {0.2, 0.2, 0};
    counts c = look(tilted, nowhere, false); /* in one plane */
    ck_assert_int_eq(c.through, 1);
    c = look((double[]){4.2, 0.2, -4}, nowhere, true);
    ck_assert_int_eq(c.through, 1);
    c = look((double[]){3.2, 0.2, 0}, nowhere, true); /* across the boundary: a corner reaches into the next box */
    ck_assert_int_eq(c.through, 1);
}
END_TEST

START_TEST(rigid)
{
    meshes[0].rigid = meshes[1].rigid = 1;
    counts c = look((double[]){0, 0, 0.04}, nowhere, false);
    ck_assert_int_eq(c.near, 0);
    meshes[1].rigid = 0;
    c = look((double[]){0, 0, 0.04}, nowhere, false);
    ck_assert_int_eq(c.near, 1);
    meshes[0].rigid = 0;
}
END_TEST

/* A segment from corner 3 of the second triangle to the ball: through the first, past one of its edges, and from it. */
START_TEST(segments)
{
    uint32_t ends[2] = {3, 6};
    double thick = 0.03;
    links.segments = 1;
    links.segment[0] = &ends[0];
    links.segment[1] = &ends[1];
    links.radius = &thick;
    for (int periodic = 0; periodic < 2; periodic++) {
        const double high[3] = {0.3, 0.3, 0.5};
        counts c = look(high, (double[]){1.3, 1.3, 0.2}, periodic);
        ck_assert_int_eq(c.pierced, 1);
        ck_assert_int_eq(c.through + c.near + c.particles, 0);
        c = look(high, (double[]){1.3, 0.72, 0.5}, periodic); /* through it, 0.01 beside its edge */
        ck_assert_int_eq(c.segments, 1);
        ck_assert_int_eq(c.pierced, 1);
        c = look(high, (double[]){1.3, 0.6, 0.5}, periodic); /* 0.04 outside: less than 0.08 - 0.03 */
        ck_assert_int_eq(c.pierced, 0);
        ck_assert_int_eq(c.segments, 1);
        c = look(high, (double[]){1.3, 0.5, 0.5}, periodic); /* 0.08 */
        ck_assert_int_eq(c.segments + c.pierced, 0);
    }
    ends[1] = 2; /* from corner to corner */
    counts c = look((double[]){0.3, 0.3, 0.5}, nowhere, false);
    ck_assert_int_eq(c.segments + c.pierced, 0);
    links.segments = 0;
}
END_TEST

/* What is kept of triangles that stand still changes nothing. */
START_TEST(kept_from_look_to_look)
{
    uint32_t ends[2] = {3, 6};
    double thick = 0.03;
    int met[2] = {0, 0};
    links.segment[0] = &ends[0];
    links.segment[1] = &ends[1];
    links.radius = &thick;
    for (int n = 0; n < 12; n++) {
        meshes_look *kept;
        error e = {0};
        const bool periodic = n % 2 == 1;
        links.segments = n % 4 > 1;
        meshes[0].rigid = meshes[1].rigid = n / 4 == 1;
        carom_frame f = frame_with(nowhere, nowhere, periodic);
        ck_assert_int_eq(meshes_look_create(&kept, &f, &links, &e), CAROM_OK);
        for (uint64_t k = 0; k < 60; k++) {
            const random_key key = {1, 9};
            const double high = 0.1 * random_uniform(key, k / 5, (uint64_t)n);
            const double ball[3] = {1.3, 1.3, 1 + 0.5 * random_uniform(key, k, 100)};
            counts now = {0};
            f = frame_with((const double[3]){k / 5 % 2 == 0 ? 0 : 4.2, 0.2, high - 0.05}, ball, periodic);
            ck_assert_int_eq(meshes_look_at(kept, &f, 1e-12, count, &now, &e), CAROM_OK);
            const counts fresh = look((const double[3]){k / 5 % 2 == 0 ? 0 : 4.2, 0.2, high - 0.05}, ball, periodic);
            ck_assert_mem_eq(&now, &fresh, sizeof now);
            met[0] += fresh.through + fresh.near;
            met[1] += fresh.particles + fresh.pierced + fresh.segments;
        }
        meshes_look_destroy(kept);
    }
    printf("%d triangles met, %d balls and segments\n", met[0], met[1]);
    ck_assert(met[0] > 100 && met[1] > 100);
    meshes[0].rigid = meshes[1].rigid = 0;
    links.segments = 0;
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, apart);
    tcase_add_test(all, near);
    tcase_add_test(all, through);
    tcase_add_test(all, rigid);
    tcase_add_test(all, segments);
    tcase_add_test(all, kept_from_look_to_look);
    return suite_run("verify, meshes", all);
}
