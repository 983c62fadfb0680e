/* Detects wrong standard errors, against series whose error is known in closed form. */
#include "../support/observe.h"
#include "../support/suite.h"
#include "measure/blocking.h"

/* x' = phi x + normal, started from its stationary distribution. */
static double *ar1(double phi, size_t count, uint64_t seed)
{
    double *x = NEW_ARRAY(count, double), normal[2];
    random_normal2((random_key){seed, RANDOM_GENERAL}, 0, 0, normal);
    x[0] = normal[0] / sqrt(1.0 - phi * phi);
    for (size_t i = 1; i < count; i++) {
        random_normal2((random_key){seed, RANDOM_GENERAL}, 0, i, normal);
        x[i] = phi * x[i - 1] + normal[0];
    }
    return x;
}

/* Exact: var(mean) = s2/n [ (1+phi)/(1-phi) - 2 phi (1 - phi^n) / (n (1-phi)^2) ], s2 = 1 / (1 - phi^2). */
static double ar1_error(double phi, size_t count)
{
    double n = (double)count, s2 = 1.0 / (1.0 - phi * phi);
    return sqrt(s2 / n * ((1.0 + phi) / (1.0 - phi) - 2.0 * phi * (1.0 - pow(phi, n)) / n / (1.0 - phi) / (1.0 - phi)));
}

START_TEST(an_ar1_series_has_its_known_error)
{
    const double phis[] = {0.0, 0.5, 0.9, 0.99, -0.5};
    enum { SEEDS = 40, COUNT = 20000 };
    for (size_t p = 0; p < 5; p++) {
        double exact = ar1_error(phis[p], COUNT), mean = 0.0, square = 0.0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            bool converged;
            double *x = ar1(phis[p], COUNT, seed), found = blocking_error(x, COUNT, 1, &converged);
            ck_assert(converged);
            mean += found / exact / SEEDS;
            square += found / exact * found / exact / SEEDS;
            memory_free(x);
        }
        printf("phi = %g: scatter %g\n", phis[p], sqrt(square - mean * mean));
        EXPECT_CLOSE("blocking error / exact error", mean, 1.0, 0.06);
        ck_assert_double_lt(sqrt(square - mean * mean), 0.25);
    }
}
END_TEST

START_TEST(too_short_a_series_is_said_to_be_so)
{
    enum { COUNT = 4000 };
    bool converged;
    double *x = ar1(0.9999, COUNT, 7), found = blocking_error(x, COUNT, 1, &converged), mean = 0.0, square = 0.0;
    ck_assert(!converged);
    for (size_t i = 0; i < COUNT; i++) mean += x[i] / COUNT;
    for (size_t i = 0; i < COUNT; i++) square += (x[i] - mean) * (x[i] - mean) / COUNT;
    printf("error %g, of independent samples %g\n", found, sqrt(square / COUNT));
    ck_assert_double_gt(found, 10.0 * sqrt(square / COUNT)); /* what it can see: blocks of 256 */
    memory_free(x);
    ck_assert(isnan(blocking_error((double[]){1.0}, 1, 1, &converged)));
    ck_assert(!converged);
}
END_TEST

START_TEST(a_drift_is_no_plateau)
{
    enum { COUNT = 4096 };
    double x[COUNT];
    bool converged;
    for (size_t i = 0; i < COUNT; i++) x[i] = (double)i;
    blocking_error(x, COUNT, 1, &converged);
    ck_assert(!converged);
}
END_TEST

START_TEST(equal_samples_have_no_error)
{
    double x[100];
    bool converged;
    for (size_t i = 0; i < 100; i++) x[i] = 0.1;
    ck_assert(blocking_error(x, 100, 1, &converged) == 0.0);
    ck_assert(converged);
}
END_TEST

/* Squares of the first two underflow and overflow; the others have no mean. */
START_TEST(what_is_conserved_but_for_rounding_is_no_transient)
{
    enum { COUNT = 500 };
    double x[COUNT];
    bool converged;
    for (int i = 0; i < COUNT; i++) x[i] = 1.0093458 * (1 + DBL_EPSILON * i / 100);
    ck_assert_double_lt(blocking_error(x, COUNT, 1, &converged), 1e-14);
    ck_assert(converged);
    for (int i = 0; i < COUNT; i++) x[i] = 1.0093458 * (1 + 1e-9 * i);
    ck_assert_double_gt(blocking_error(x, COUNT, 1, &converged), 1e-9);
    ck_assert(!converged);
}
END_TEST

START_TEST(samples_beyond_numbers_do_not_converge)
{
    const double scales[] = {1e-200, 1e200, INFINITY, NAN};
    for (size_t k = 0; k < 4; k++) {
        double x[100];
        bool converged = true;
        for (size_t i = 0; i < 100; i++) x[i] = scales[k] * (double)(1 + i * i % 7);
        const double found = blocking_error(x, 100, 1, &converged);
        printf("%g: %g\n", scales[k], found);
        ck_assert(isnan(found));
        ck_assert(!converged);
    }
}
END_TEST

START_TEST(independent_samples_have_the_naive_error)
{
    enum { COUNT = 4 };
    const double x[2 * COUNT] = {1e9 + 1, 0, 1e9 + 2, 0, 1e9 + 3, 0, 1e9 + 6, 0};
    bool converged;
    EXPECT_CLOSE("error of 1 2 3 6 on a pedestal", blocking_error(x, COUNT, 2, &converged), sqrt(14.0 / 3.0 / 4.0),
                 1e-14);
}
END_TEST

/* Blocking of a ratio: intervals of unequal length, counts Poisson-like with a rate of 3 per unit time. */
START_TEST(weights_give_the_error_of_a_ratio)
{
    enum { SEEDS = 200, COUNT = 1000 };
    double mean = 0.0, square = 0.0, found = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        blocking b;
        error e = {0};
        ck_assert(blocking_create(&b, 1, &e) == CAROM_OK);
        for (size_t i = 0; i < COUNT; i++) {
            double normal[2], uniform = random_uniform((random_key){seed, RANDOM_POSITION}, i, 0);
            random_normal2((random_key){seed, RANDOM_GENERAL}, i, 0, normal);
            double interval = 0.1 + 3.0 * uniform,
                   rate = (3.0 * interval + sqrt(3.0 * interval) * normal[0]) / interval;
            ck_assert(blocking_add(&b, interval, &rate, &e) == CAROM_OK);
        }
        bool converged;
        double ratio = blocking_mean(&b, 0);
        mean += ratio / SEEDS;
        square += (ratio - 3.0) * (ratio - 3.0) / SEEDS;
        found += blocking_standard_error(&b, 0, &converged) / SEEDS;
        blocking_destroy(&b);
    }
    double exact = sqrt(3.0 / (1.6 * COUNT)); /* of a rate 3 seen for a time of 1.6 * COUNT */
    EXPECT_CLOSE("mean rate", mean, 3.0, 3.0 * exact / sqrt(SEEDS));
    EXPECT_CLOSE("scatter / exact", sqrt(square) / exact, 1.0, 3.0 / sqrt(2.0 * SEEDS));
    EXPECT_CLOSE("error / exact", found / exact, 1.0, 0.05);
}
END_TEST

START_TEST(online_and_stored_agree)
{
    enum { COUNT = 1237 };
    double *x = ar1(0.7, COUNT, 3);
    blocking b;
    error e = {0};
    bool first, second;
    ck_assert(blocking_create(&b, 2, &e) == CAROM_OK);
    for (size_t i = 0; i < COUNT; i++) ck_assert(blocking_add(&b, 1.0, (double[]){-x[i], x[i]}, &e) == CAROM_OK);
    ck_assert(blocking_standard_error(&b, 1, &first) == blocking_error(x, COUNT, 1, &second));
    ck_assert(first == second);
    double mean = 0.0;
    for (size_t i = 0; i < COUNT; i++) mean += x[i] / COUNT;
    EXPECT_CLOSE("mean", blocking_mean(&b, 1), mean, 1e-14);
    blocking_destroy(&b);
    memory_free(x);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("blocking");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, an_ar1_series_has_its_known_error);
    tcase_add_test(all, too_short_a_series_is_said_to_be_so);
    tcase_add_test(all, a_drift_is_no_plateau);
    tcase_add_test(all, equal_samples_have_no_error);
    tcase_add_test(all, weights_give_the_error_of_a_ratio);
    tcase_add_test(all, online_and_stored_agree);
    tcase_add_test(all, what_is_conserved_but_for_rounding_is_no_transient);
    tcase_add_test(all, samples_beyond_numbers_do_not_converge);
    tcase_add_test(all, independent_samples_have_the_naive_error);
    return suite_run("blocking", all);
}
