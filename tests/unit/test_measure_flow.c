/* Detects crossings of a plane that are lost, counted twice, or of the wrong direction, against straight flights. */
#include "../support/observe.h"
#include "../support/suite.h"

enum { COUNT = 60, SAMPLES = 12, COLUMNS = 8 };
static const char *const names[COLUMNS] = {"mass_flow", "number_flow", "forward_mass_flow", "forward_number_flow",
                                           "mass",      "number",      "forward_mass",      "forward_number"};

/* Straight flights from the positions of a gas, in one box for all boundaries. */
typedef struct flight {
    double start[COUNT][3], velocity[COUNT][3];
} flight;

static void take_off(flight *from, carom_frame *f, double speed)
{
    const size_t d = (size_t)f->dimension;
    frame_gas(f, speed * speed, 3);
    memset(from, 0, sizeof *from);
    for (size_t i = 0; i < COUNT; i++) {
        f->mass[i] = 1 + (double)(i % 4);
        memcpy(from->start[i], f->position + i * d, d * sizeof(double));
        memcpy(from->velocity[i], f->velocity + i * d, d * sizeof(double));
    }
}

static double place_of(const flight *of, size_t i, size_t k, double time)
{
    return of->start[i][k] + of->velocity[i][k] * time;
}

static void fly_to(const flight *of, carom_frame *f, double time)
{
    const size_t d = (size_t)f->dimension;
    f->time = time;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < d; k++) {
            const double x = place_of(of, i, k, time),
                         turns = f->boundary[k] == BOUNDARY_PERIODIC ? floor(x / f->box[k]) : 0;
            f->position[i * d + k] = x - turns * f->box[k];
            f->image[i * d + k] = (int64_t)turns;
        }
}

static observer observe_plane(const double point[3], const double normal[3], double radius)
{
    observer o = observer_new("mass_flow");
    observer_set_vector(&o, "point", point[0], point[1], point[2]);
    observer_set_vector(&o, "normal", normal[0], normal[1], normal[2]);
    observer_set(&o, "radius", radius);
    return o;
}

/* Planes across flights in open and periodic boxes: images at or below a particle at both ends of each interval. */
static void expect_crossings(int dimension, bool periodic, const double normal[3])
{
    const double point[3] = {1.3, 2.1, 0.7}, side = 4, step = 0.7;
    carom_frame f = frame_of(dimension, COUNT, side);
    flight all;
    take_off(&all, &f, 9); /* several boxes from sample to sample */
    for (int k = 0; k < 3; k++) f.boundary[k] = periodic ? BOUNDARY_PERIODIC : BOUNDARY_OPEN;
    observer o = observe_plane(point, normal, 0);
    observer_start(&o, &f);
    observer_sample(&o, &f); /* no time has passed: no row */
    double sum[4] = {0}, last[4];
    for (int n = 1; n <= SAMPLES; n++) {
        memcpy(last, sum, sizeof last);
        for (size_t i = 0; i < COUNT; i++) {
            double height[2] = {0}, number;
            for (size_t k = 0; k < (size_t)dimension; k++)
                for (int end = 0; end < 2; end++)
                    height[end] += normal[k] * (place_of(&all, i, k, (n - 1 + end) * step) - point[k]);
            number = periodic ? floor(height[1] / side) - floor(height[0] / side) : (height[1] >= 0) - (height[0] >= 0);
            sum[0] += f.mass[i] * number;
            sum[1] += number;
            sum[2] += number > 0 ? f.mass[i] * number : 0;
            sum[3] += number > 0 ? number : 0;
        }
        fly_to(&all, &f, n * step);
        observer_sample(&o, &f);
        measure_result r = observer_result(&o);
        measure_table t = result_table(&r, "mass_flow");
        ck_assert_uint_eq(t.rows, (size_t)n);
        for (int c = 0; c < 4; c++) {
            const double *rate = table_column(&t, names[c]).data, *total = table_column(&t, names[4 + c]).data;
            EXPECT_CLOSE(names[4 + c], total[n - 1], sum[c], 0);
            EXPECT_CLOSE(names[c], rate[n - 1], (sum[c] - last[c]) / step, 1e-12 * fabs(sum[c] - last[c]));
        }
    }
    ck_assert_double_ge(sum[3], periodic ? 300 : 5);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("mean flow", result_value(&r, "number_flow").mean[0], sum[1] / (SAMPLES * step), 1e-12 * fabs(sum[1]));
    observer_free(&o);
    frame_destroy(&f);
}

START_TEST(crossings_are_those_of_straight_flights)
{
    const double axes[][3] = {{1, 0, 0}, {0, -1, 0}, {0, 1, 0}}, inclined[3] = {0.6, -0.8, 0.0}, steep[3] = {1, 2, -3};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (size_t k = 0; k < 3; k++) {
            expect_crossings(dimension, false, axes[k]);
            if (axes[k][1] >= 0) expect_crossings(dimension, true, axes[k]);
        }
        expect_crossings(dimension, false, inclined);
    }
    expect_crossings(3, false, steep);
}
END_TEST

/* The same flow seen from behind. */
START_TEST(a_reversed_normal_reverses_the_flow)
{
    const double point[3] = {1.3, 2.1, 0.7}, forward[3] = {0, 2, 0}, backward[3] = {0, -0.5, 0};
    carom_frame f = frame_of(3, COUNT, 4);
    flight all;
    take_off(&all, &f, 3);
    observer one = observe_plane(point, forward, 0), other = observe_plane(point, backward, 0);
    observer_start(&one, &f);
    observer_start(&other, &f);
    fly_to(&all, &f, 2);
    observer_sample(&one, &f);
    observer_sample(&other, &f);
    measure_result a = observer_result(&one), b = observer_result(&other);
    for (int c = 0; c < 2; c++) {
        const double net = result_value(&a, names[c]).mean[0], ahead = result_value(&a, names[2 + c]).mean[0];
        EXPECT_CLOSE("net", result_value(&b, names[c]).mean[0], -net, 0);
        EXPECT_CLOSE("forward", result_value(&b, names[2 + c]).mean[0], ahead - net, 0);
        ck_assert(ahead > net);
    }
    observer_free(&one);
    observer_free(&other);
    frame_destroy(&f);
}
END_TEST

/* A particle that flies round a ring k times has crossed k times, however far its image is. */
START_TEST(windings_count)
{
    const double point[3] = {9.5, 0, 0}, normal[3] = {1, 0, 0};
    const int64_t far = INT64_C(1) << 50;
    carom_frame f = frame_of(2, 2, 10);
    f.image[0] = far;
    f.position[0] = 0.5;
    f.position[2] = 9.75; /* behind the plane */
    f.mass[1] = 0.25;
    observer o = observe_plane(point, normal, 0);
    observer_start(&o, &f);
    f.time = 2;
    f.image[0] = far + 1000;
    f.image[2] = -3;
    f.position[2] = 9.25;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("number", result_value(&r, "number_flow").mean[0], (1000 - 4) / 2.0, 0);
    EXPECT_CLOSE("mass", result_value(&r, "mass_flow").mean[0], (1000 - 4 * 0.25) / 2.0, 0);
    EXPECT_CLOSE("forward", result_value(&r, "forward_number_flow").mean[0], 1000 / 2.0, 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Through a hole of radius 1 in the plane y = 2: the crossing lies on the straight path, and the hole has images along x. */
START_TEST(a_hole_passes_what_crosses_inside)
{
    static const struct {
        double from[2], to[2];
        int passes;
    } paths[] = {{{4.0, 3}, {4.0, 1}, -1},   {{4.9, 1}, {4.9, 3}, 1},    {{5.1, 1}, {5.1, 3}, 0},
                 {{4.2, 1}, {8.2, 5}, 0},    {{2.2, 1}, {6.2, 5}, 1},    {{8.5, 3}, {14.5, 1}, 0},
                 {{13.6, 1}, {14.6, 3}, 1},  {{-6.6, 3}, {-6.6, 1}, -1}, {{4.0, 1}, {4.0, 1.9}, 0},
                 {{4.0, 2.5}, {9.0, 2.6}, 0}};
    enum { PATHS = sizeof paths / sizeof *paths };
    const double point[3] = {4, 2, 0}, normal[3] = {0, 1, 0};
    for (size_t n = 0; n < PATHS; n++) {
        carom_frame f = frame_of(2, 1, 10);
        f.boundary[1] = BOUNDARY_WALL;
        observer o = observe_plane(point, normal, 1);
        for (int end = 0; end < 2; end++) {
            const double *x = end ? paths[n].to : paths[n].from, turns = floor(x[0] / 10);
            f.time = end;
            f.position[0] = x[0] - turns * 10;
            f.position[1] = x[1];
            f.image[0] = (int64_t)turns;
            if (end == 0)
                observer_start(&o, &f);
            else
                observer_sample(&o, &f);
        }
        measure_result r = observer_result(&o);
        EXPECT_CLOSE("passes", result_value(&r, "number_flow").mean[0], paths[n].passes, 0);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* Round a ring with a hole: one flight that spirals through it, and out of it. */
START_TEST(each_winding_has_its_own_crossing)
{
    const double point[3] = {5, 1, 0}, normal[3] = {1, 0, 0};
    carom_frame f = frame_of(2, 1, 10);
    f.boundary[1] = BOUNDARY_OPEN;
    f.position[1] = 0;
    observer o = observe_plane(point, normal, 1.6);
    observer_start(&o, &f);
    f.time = 1;
    f.image[0] = 8; /* crossings at y = 0.25, 0.75, 1.25, ... 3.75; the first five are within 1.6 of y = 1 */
    f.position[1] = 4;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    EXPECT_CLOSE("crossings inside", result_value(&r, "number_flow").mean[0], 5, 0);
    f.time = 2;
    f.image[0] = INT64_C(1) << 40;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(error_text(&o.e), "sample more often"));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(impossible_planes_are_refused)
{
    const double point[3] = {1, 1, 1}, none[3] = {0, 0, 0}, inclined[3] = {1, 1, 0}, along[3] = {0, 1, 1};
    carom_frame f = frame_of(3, 2, 10);
    f.boundary[1] = f.boundary[2] = BOUNDARY_WALL;
    for (int k = 0; k < 3; k++) {
        observer o = observe_plane(point, k == 0 ? none : k == 1 ? inclined : along, 0);
        const carom_status status = o.type->create(&o.self, o.settings, &f, &o.e);
        ck_assert(status == (k < 2 ? CAROM_BAD_DATA : CAROM_OK)); /* along x nothing crosses the last one */
        if (k < 2) ck_assert_str_eq(o.e.key, "normal");
        if (k < 2) ck_assert_ptr_null(o.self);
        observer_free(&o);
    }
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("flow");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, crossings_are_those_of_straight_flights);
    tcase_add_test(all, a_reversed_normal_reverses_the_flow);
    tcase_add_test(all, windings_count);
    tcase_add_test(all, a_hole_passes_what_crosses_inside);
    tcase_add_test(all, each_winding_has_its_own_crossing);
    tcase_add_test(all, impossible_planes_are_refused);
    return suite_run("flow", all);
}
