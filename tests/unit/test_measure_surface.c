/* Detects wrong angles of free surfaces, against particles on slopes of known angle. */
#include "../support/observe.h"
#include "../support/suite.h"

#include "base/pi.h"

enum { COUNT = 300 };

static double last_of(observer *o, const char *column)
{
    measure_result r = observer_result(o);
    ck_assert_uint_gt(r.tables[0].rows, 0);
    return table_column(&r.tables[0], column).data[r.tables[0].rows - 1];
}

/* Particles below a surface of this slope along axis `along`, a third of them on it; of two sizes, with their highest points there. */
static void pile_up(carom_frame *f, size_t along, size_t up, double slope)
{
    const size_t d = (size_t)f->dimension;
    frame_gas(f, 1, 5);
    for (size_t i = 0; i < f->count; i++) {
        const double depth = i % 3 == 0 ? 0 : 6 + f->position[i * d + up];
        f->radius[i] = i % 2 ? 0.5 : 0.7;
        f->position[i * d + up] = 8 + slope * f->position[i * d + along] - f->radius[i] - depth;
    }
}

START_TEST(a_slope_has_its_angle)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (double angle = -60; angle <= 60; angle += 15) {
            const size_t up = (size_t)dimension - 1, along = dimension == 3;
            carom_frame f = frame_of(dimension, COUNT, 20);
            pile_up(&f, along, up, tan(angle * PI / 180));
            f.gravity[up] = -3;
            observer o = observer_new("free_surface");
            observer_set_vector(&o, "axis", along == 0, 2 * (along == 1), 0);
            observer_start(&o, &f);
            observer_sample(&o, &f);
            EXPECT_CLOSE("angle", last_of(&o, "angle"), angle, 3e-14);
            EXPECT_CLOSE("deviation", last_of(&o, "deviation"), 0, 1e-14);
            ck_assert_double_ge(last_of(&o, "bins"), 8);
            observer_free(&o);
            frame_destroy(&f);
        }
}
END_TEST

/* A heap has one angle on each side, and gravity need not be along an axis: a level layer is then inclined. */
START_TEST(sides_and_inclined_gravity)
{
    const double angle = 25 * PI / 180, directions[][3] = {{1, 0, 0}, {-1, 0, 0}, {0.5, 9, 0}};
    carom_frame f = frame_of(2, COUNT, 20);
    frame_gas(&f, 1, 5);
    for (size_t i = 0; i < COUNT; i++) f.position[2 * i + 1] = 15 - tan(angle) * fabs(f.position[2 * i] - 10);
    f.gravity[1] = -1;
    for (int side = 0; side < 2; side++) {
        observer o = observer_new("free_surface");
        observer_set(&o, side ? "from" : "to", 10);
        observer_start(&o, &f);
        observer_sample(&o, &f);
        EXPECT_CLOSE("side", last_of(&o, "angle"), side ? -25 : 25, 1.1e-14);
        observer_free(&o);
    }
    for (size_t i = 0; i < COUNT; i++) f.position[2 * i + 1] = 3;
    f.gravity[0] = 2 * sin(angle);
    f.gravity[1] = -2 * cos(angle);
    for (int k = 0; k < 3; k++) {
        observer o = observer_new("free_surface");
        observer_set_vector(&o, "axis", directions[k][0], directions[k][1], 0);
        if (k == 1) observer_set_vector(&o, "up", 0, 7, 0); /* instead of gravity */
        observer_start(&o, &f);
        observer_sample(&o, &f);
        /* the third axis lies left of the vertical (-sin, cos): 0.5 cos + 9 sin > 0, so that it counts like the first */
        EXPECT_CLOSE("inclined", last_of(&o, "angle"), k == 1 ? 0 : -25, 1.1e-14);
        observer_free(&o);
    }
    frame_destroy(&f);
}
END_TEST

/* Heights 1, -1, -1, 1 at equal distances have no slope and the deviation 1; a bin has one point, the highest. */
START_TEST(deviations_are_root_mean_squares)
{
    carom_frame f = frame_of(2, 8, 20);
    const double wanted[4] = {1, -1, -1, 1};
    for (size_t i = 0; i < 8; i++) {
        f.position[2 * i] = 0.25 + 0.5 * (double)(i / 2);
        f.position[2 * i + 1] = i % 2 ? 5 + wanted[i / 2] : 0.1 * (double)i;
    }
    observer o = observer_new("free_surface");
    observer_set_vector(&o, "up", 0, 1, 0);
    observer_set(&o, "bin", 0.5);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    EXPECT_CLOSE("angle", last_of(&o, "angle"), 0, 0);
    EXPECT_CLOSE("deviation", last_of(&o, "deviation"), 1, 1e-15);
    EXPECT_CLOSE("bins", last_of(&o, "bins"), 4, 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* In an open box a particle may be far away, and bins may be narrow: the line is the same. */
START_TEST(distances_do_not_matter)
{
    const double scales[] = {1, 0x1p30, 0x1p400};
    carom_frame f = frame_of(2, 6, 20);
    for (size_t k = 0; k < 3; k++)
        for (size_t side = 0; side < 2; side++) {
            for (size_t i = 0; i < 6; i++) {
                f.position[2 * i] = (side == 0 ? 1 : -1) * 0.25 * (double)(i / 2) * (i < 4 ? 1 : scales[k]);
                f.position[2 * i + 1] = i % 2 ? 0.5 * f.position[2 * i] : f.position[2 * i] - 10 * scales[k];
                f.radius[i] = 0;
            }
            observer o = observer_new("free_surface");
            observer_set_vector(&o, "up", 0, 1, 0);
            observer_set(&o, "bin", k == 2 ? 0x1p-700 : 0.25);
            observer_start(&o, &f);
            observer_sample(&o, &f);
            EXPECT_CLOSE("slope", last_of(&o, "angle"), atan(0.5) * 180 / PI, 1e-13);
            EXPECT_CLOSE("bins", last_of(&o, "bins"), 3, 0);
            observer_free(&o);
        }
    frame_destroy(&f);
}
END_TEST

static void expect_refusal(const carom_frame *f, observer o, const char *key, const char *text)
{
    ck_assert(o.type->create(&o.self, o.settings, f, &o.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&o.e), text);
    ck_assert_str_eq(o.e.key, key);
    ck_assert_ptr_null(o.self);
    observer_free(&o);
}

START_TEST(no_vertical_no_axis_and_no_range_are_refused)
{
    carom_frame f = frame_of(3, 3, 20);
    observer o = observer_new("free_surface");
    expect_refusal(&f, o, "what", "error: free_surface: a scene without gravity has no vertical; give 'up'");
    f.gravity[0] = -1;
    o = observer_new("free_surface");
    expect_refusal(&f, o, "axis", "error: free_surface: the axis is vertical; give a horizontal one");
    o = observer_new("free_surface");
    observer_set_vector(&o, "axis", 0, 0, 0);
    expect_refusal(&f, o, "axis", "error: free_surface: the axis has no direction; give one that is not zero");
    o = observer_new("free_surface");
    observer_set_vector(&o, "axis", 0, 1, 0);
    observer_set(&o, "from", 2);
    observer_set(&o, "to", 2);
    expect_refusal(&f, o, "to", "error: free_surface: 'to' must be above 'from'");
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("free surface");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, a_slope_has_its_angle);
    tcase_add_test(all, sides_and_inclined_gravity);
    tcase_add_test(all, deviations_are_root_mean_squares);
    tcase_add_test(all, distances_do_not_matter);
    tcase_add_test(all, no_vertical_no_axis_and_no_range_are_refused);
    return suite_run("free surface", all);
}
