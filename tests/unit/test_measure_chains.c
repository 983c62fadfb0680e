/* Detects wrong sizes of chains, against straight chains, polygons, and chains at random. */
#include "../support/observe.h"
#include "../support/suite.h"

#include "base/pi.h"

static observer observe_chains(double from, double to, double length)
{
    observer o = observer_new("chains");
    observer_set(&o, "from", from);
    if (to >= 0) observer_set(&o, "to", to);
    observer_set(&o, "length", length);
    return o;
}

static double value_of(observer *o, const char *name)
{
    measure_result r = observer_result(o);
    return result_value(&r, name).mean[0];
}

/* Puts a bead into the periodic box; places in the frame are in the reverse order of ids. */
static void put(carom_frame *f, size_t id, const double x[3])
{
    const size_t i = f->count - 1 - id, d = (size_t)f->dimension;
    f->id[i] = (uint32_t)id;
    for (size_t k = 0; k < d; k++) f->position[i * d + k] = x[k] - floor(x[k] / f->box[k]) * f->box[k];
}

/* n beads in a row with bonds b have (n - 1)^2 b^2 and b^2 (n^2 - 1) / 12, also longer than the box; a bead before and one after are
 * no part of them. */
START_TEST(straight_chains)
{
    enum { CHAINS = 3, BEADS = 17 };
    const double direction[2][3] = {{0.6, 0.8, 0}, {2 / 7.0, 3 / 7.0, 6 / 7.0}}, bond = 0.9, n = BEADS;
    for (int dimension = 2; dimension <= 3; dimension++) {
        carom_frame f = frame_of(dimension, CHAINS * BEADS + 2, 4);
        put(&f, 0, (const double[3]){1, 2, 3});
        put(&f, CHAINS * BEADS + 1, (const double[3]){3, 2, 3});
        for (size_t i = 0; i < CHAINS * BEADS; i++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = (double)(i / BEADS) + bond * (double)(i % BEADS) * direction[dimension - 2][k];
            put(&f, i + 1, x);
        }
        observer o = observe_chains(1, CHAINS * BEADS, BEADS);
        observer_start(&o, &f);
        observer_sample(&o, &f);
        EXPECT_CLOSE("ends", value_of(&o, "end_to_end_square"), pow((n - 1) * bond, 2), 1.2e-13);
        EXPECT_CLOSE("gyration", value_of(&o, "gyration_square"), bond * bond * (n * n - 1) / 12, 3e-14);
        EXPECT_CLOSE("bond", value_of(&o, "bond"), bond, 6e-16);
        observer_free(&o);
        frame_destroy(&f);
    }
}
END_TEST

/* A regular polygon of n beads at the radius R: the square of the radius of gyration is R^2, its ends are one side apart. */
START_TEST(polygons)
{
    enum { BEADS = 9 };
    carom_frame f = frame_of(2, BEADS, 5);
    for (size_t i = 0; i < BEADS; i++) {
        const double angle = 2 * PI * (double)i / BEADS;
        put(&f, i, (const double[3]){4.8 + 1.5 * cos(angle), 0.1 + 1.5 * sin(angle)});
    }
    const double side = 3 * sin(PI / BEADS);
    observer o = observe_chains(0, -1, 0);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    EXPECT_CLOSE("ends", value_of(&o, "end_to_end_square"), side * side, 1e-15);
    EXPECT_CLOSE("gyration", value_of(&o, "gyration_square"), 2.25, 1e-15);
    EXPECT_CLOSE("bond", value_of(&o, "bond"), side, 6e-16);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Bonds in random directions: (n - 1) b^2 and b^2 (n^2 - 1) / (6 n). */
START_TEST(random_chains)
{
    enum { CHAINS = 20000, BEADS = 12 };
    const double n = BEADS;
    carom_frame f = frame_of(3, CHAINS * BEADS, 9);
    const random_key key = {5, RANDOM_GENERAL};
    double x[3] = {0}, squares[2] = {0};
    for (size_t i = 0; i < CHAINS * BEADS; i++) {
        double u[2];
        random_uniform2(key, i, 0, u);
        const double z = 2 * u[0] - 1, r = sqrt(1 - z * z);
        x[0] += r * cos(2 * PI * u[1]);
        x[1] += r * sin(2 * PI * u[1]);
        x[2] += z;
        put(&f, i, x);
    }
    observer o = observe_chains(0, -1, BEADS);
    observer_start(&o, &f);
    observer_sample(&o, &f);
    for (size_t c = 0; c < CHAINS; c += 100) { /* the scatter of single chains */
        observer one = observe_chains((double)(c * BEADS), (double)(c * BEADS + BEADS - 1), 0);
        observer_start(&one, &f);
        observer_sample(&one, &f);
        squares[0] += pow(value_of(&one, "end_to_end_square") - (n - 1), 2) / (CHAINS / 100);
        squares[1] += pow(value_of(&one, "gyration_square") - (n * n - 1) / (6 * n), 2) / (CHAINS / 100);
        observer_free(&one);
    }
    EXPECT_CLOSE("ends", value_of(&o, "end_to_end_square"), n - 1, 3 * sqrt(squares[0] / CHAINS));
    EXPECT_CLOSE("gyration", value_of(&o, "gyration_square"), (n * n - 1) / (6 * n), 3 * sqrt(squares[1] / CHAINS));
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(impossible_chains_are_refused)
{
    static const struct {
        double from, to, length;
        const char *key;
    } cases[] = {{0, 12, 0, "to"},     {12, -1, 0, "from"},  {5, 4, 0, "from"},
                 {0, 11, 5, "length"}, {0, 11, 1, "length"}, {3, 3, 0, "length"}};
    carom_frame f = frame_of(2, 12, 9);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        observer o = observe_chains(cases[k].from, cases[k].to, cases[k].length);
        ck_assert(o.type->create(&o.self, o.settings, &f, &o.e) == CAROM_BAD_DATA);
        printf("%s: %s\n", o.e.key, error_text(&o.e));
        ck_assert_str_eq(o.e.key, cases[k].key);
        ck_assert_ptr_null(o.self);
        observer_free(&o);
    }
    frame_destroy(&f);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("chains");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, straight_chains);
    tcase_add_test(all, polygons);
    tcase_add_test(all, random_chains);
    tcase_add_test(all, impossible_chains_are_refused);
    return suite_run("chains", all);
}
