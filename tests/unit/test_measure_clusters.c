/* Detects wrong numbers, masses and size distributions of clusters. */
#include "../support/observe.h"
#include "../support/suite.h"

/* Five particles of masses 1, 1, 2, 4, 8. */
static carom_frame five(void)
{
    static const double masses[] = {1, 1, 2, 4, 8};
    carom_frame f = frame_of(2, 5, 10.0);
    for (uint32_t i = 0; i < 5; i++) f.mass[i] = masses[i];
    return f;
}

static double column(const measure_result *r, const char *name, size_t at)
{
    measure_table t = result_table(r, "clusters");
    return table_column(&t, name).data[at];
}

START_TEST(numbers_and_masses)
{
    carom_frame f = five();
    observer o = observer_new("clusters");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    f.time = 1;
    f.cluster[3] = f.cluster[1] = 0; /* 0, 1, 3: mass 6; 2: mass 2; 4: mass 8 */
    observer_sample(&o, &f);
    f.time = 2;
    for (int i = 0; i < 5; i++) f.cluster[i] = 0;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    static const double wanted[3][5] = {
        {5, 16.0 / 5, 86.0 / 16, 8, 5}, {3, 16.0 / 3, 104.0 / 16, 8, 2}, {1, 16, 16, 16, 0}};
    static const char *const names[] = {"number", "mean_mass", "weighted_mass", "largest_mass", "single_particles"};
    for (size_t row = 0; row < 3; row++)
        for (size_t k = 0; k < 5; k++) EXPECT_CLOSE(names[k], column(&r, names[k], row), wanted[row][k], 1e-15);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Octaves from the smallest mass on; the last holds all of it. */
START_TEST(octaves_of_mass)
{
    carom_frame f = five();
    observer o = observer_new("clusters");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    f.cluster[3] = f.cluster[1] = 0;
    observer_sample(&o, &f);
    for (int i = 0; i < 5; i++) f.cluster[i] = 0;
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "octaves");
    ck_assert_uint_eq(t.rows, 5);
    static const double number[3][5] = {{2, 1, 1, 1, 0}, {0, 1, 1, 1, 0}, {0, 0, 0, 0, 1}};
    static const double mass[3][5] = {{2, 2, 4, 8, 0}, {0, 2, 6, 8, 0}, {0, 0, 0, 0, 16}};
    for (size_t row = 0; row < 3; row++)
        for (size_t k = 0; k < 5; k++) {
            EXPECT_CLOSE("number", column(&r, "number_per_octave", 5 * row + k), number[row][k], 0);
            EXPECT_CLOSE("mass", column(&r, "mass_per_octave", 5 * row + k), mass[row][k], 0);
        }
    for (size_t k = 0; k < 5; k++) {
        EXPECT_CLOSE("from", table_column(&t, "mass_from").data[k], ldexp(1, (int)k), 0);
        EXPECT_CLOSE("to", table_column(&t, "mass_to").data[k], ldexp(2, (int)k), 0);
    }
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

/* Whichever particle is the smallest. */
START_TEST(octaves_begin_at_the_smallest)
{
    carom_frame f = five();
    f.mass[0] = 8;
    f.mass[4] = 1;
    observer o = observer_new("clusters");
    observer_start(&o, &f);
    observer_sample(&o, &f);
    measure_result r = observer_result(&o);
    measure_table t = result_table(&r, "octaves");
    ck_assert_uint_eq(t.rows, 5);
    EXPECT_CLOSE("from", table_column(&t, "mass_from").data[0], 1, 0);
    EXPECT_CLOSE("particles of mass 1", column(&r, "number_per_octave", 0), 2, 0);
    EXPECT_CLOSE("particles of mass 8", column(&r, "number_per_octave", 3), 1, 0);
    observer_free(&o);
    frame_destroy(&f);
}
END_TEST

START_TEST(what_cannot_be)
{
    carom_frame f = five(), gas = frame_of(2, 5, 10.0);
    observer o = observer_new("clusters"), none = observer_new("clusters");
    observer_start(&o, &f);
    f.cluster[2] = 5;
    ck_assert(o.type->sample(o.self, &f, &o.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&o.e), "error: clusters: particle 2 is in cluster 5, which cannot be");
    memory_free(gas.cluster);
    gas.cluster = NULL;
    ck_assert(none.type->create(&none.self, none.settings, &gas, &none.e) == CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&none.e), "error: clusters: this engine has no merges; use `engine: aggregation`");
    observer_free(&o);
    observer_free(&none);
    frame_destroy(&f);
    frame_destroy(&gas);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("clusters");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, numbers_and_masses);
    tcase_add_test(all, octaves_of_mass);
    tcase_add_test(all, octaves_begin_at_the_smallest);
    tcase_add_test(all, what_cannot_be);
    return suite_run("clusters", all);
}
