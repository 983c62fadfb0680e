/* Detects particles beyond a cylinder, at rest and moved, that verify misses. */
#include <math.h>

#include "../support/expect.h"
#include "../support/make_scene.h"
#include "../support/suite.h"
#include "frame/frame.h"
#include "output/verify/verify_exact.h"

typedef struct beyond {
    int count;
    uint32_t last;
    double depth;
} beyond;

static void found(const char *kind, const char *name, uint32_t i, double depth, void *data)
{
    beyond *b = data;
    printf("particle %u is beyond %s %s by %g\n", (unsigned)i, kind, name, depth);
    b->count++;
    b->last = i;
    b->depth = depth;
}

/* Inside a cylinder along (1, 1, 0), radius 3, and outside one of radius 1. */
START_TEST(sticks_out)
{
    static char names[2][8] = {"pipe", "post"};
    const double half = sqrt(0.5);
    scene_cylinder pipes[] = {{names[0], {5, 5, 5}, {half, half, 0}, 3, SIDE_INSIDE},
                              {names[1], {5, 5, 5}, {half, half, 0}, 1, SIDE_OUTSIDE}};
    scene_motion motion[] = {{.time = 1, .velocity = {0, 0, 0.5}}, {.time = 3, .swing = {0, 0, 1}, .frequency = 0.25}};
    scene_drive drive = {.plane = SIZE_MAX, .exact = {0}, .mesh = SIZE_MAX, .motion = motion, .motion_count = 2};
    double position[3][3] = {{9, 9, 7.5}, {1, 1, 2.6}, {5, 5, 6.5}}, radius[3] = {0.5, 0.5, 0.5};
    made_scene m;
    result_links links = {.meshes = 0};
    made_start(&m, 3, 10);
    m.s.exact[EXACT_CYLINDER] = (exact_list){pipes, 2};
    m.s.drives = &drive;
    carom_frame f = {.dimension = 3, .count = 3, .position = position[0], .radius = radius};
    beyond b = {0};
    verify_exact(&f, &m.s, &links, 1e-12, found, &b);
    ck_assert_int_eq(b.count, 0);
    position[2][2] = 6.4;
    verify_exact(&f, &m.s, &links, 1e-12, found, &b);
    ck_assert(b.count == 1 && b.last == 2);
    EXPECT_CLOSE("depth", b.depth, 0.1, 1e-12);
    position[2][2] = 6.5;
    m.s.drive_count = 1;
    f.time = 4; /* the pipe has come up by 1 and swung by another */
    verify_exact(&f, &m.s, &links, 1e-12, found, &b);
    ck_assert(b.count == 2 && b.last == 1);
    EXPECT_CLOSE("depth, moved", b.depth, 1.9, 1e-12);
    motion[1].phase = acos(-1) / 2; /* from where it swings back: it is where it was at rest */
    verify_exact(&f, &m.s, &links, 1e-12, found, &b);
    ck_assert_int_eq(b.count, 2);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, sticks_out);
    return suite_run("verify, cylinders", all);
}
