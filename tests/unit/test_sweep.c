/* Detects misread sweeps, a wrong order of their points, records that change, and wrong statistics. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/suite.h"
#include "base/memory.h"
#include "scene/scene.h"
#include "sweep/sweep.h"

#define HEAD "carom: 1\nscene: gas.yaml\n"

static sweep *read_good(const char *text)
{
    error e = {0};
    sweep *s = NULL;
    carom_status status = sweep_read(&s, "s.yaml", "lab", text, strlen(text), &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    return s;
}

static void expect_point(const sweep *s, size_t point, const char *const *values)
{
    for (size_t i = 0; i < s->parameter_count; i++) {
        const sweep_value *value = sweep_value_at(s, point, i);
        printf("point %zu: %s = %s\n", point, s->parameters[i].name, value->yaml);
        ck_assert_str_eq(value->yaml, values[i]);
    }
}

START_TEST(defaults)
{
    sweep *s = read_good(HEAD);
    ck_assert_str_eq(s->scene, "lab/gas.yaml");
    ck_assert_uint_eq(s->seed_count, 1);
    ck_assert_uint_eq(s->seeds[0], 1);
    ck_assert_uint_eq(s->point_count, 1);
    ck_assert_uint_eq(s->parameter_count, 0);
    ck_assert_uint_eq(s->measure_count, 0);
    ck_assert_int_eq(s->keep, 0);
    sweep_free(s);
}
END_TEST

START_TEST(forms_of_seeds)
{
    static const struct {
        const char *text;
        uint64_t first, last;
        size_t count;
    } cases[] = {
        {HEAD "seeds: 32\n", 1, 32, 32},
        {HEAD "seeds: [7, 2, 18446744073709551615]\n", 7, UINT64_MAX, 3},
        {HEAD "seeds: {from: 100, count: 5}\n", 100, 104, 5},
        {HEAD "seeds: {from: 18446744073709551614, count: 2}\n", UINT64_MAX - 1, UINT64_MAX, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sweep *s = read_good(cases[i].text);
        printf("%zu seeds, %llu to %llu\n", s->seed_count, (unsigned long long)s->seeds[0],
               (unsigned long long)s->seeds[s->seed_count - 1]);
        ck_assert_uint_eq(s->seed_count, cases[i].count);
        ck_assert_uint_eq(s->seeds[0], cases[i].first);
        ck_assert_uint_eq(s->seeds[s->seed_count - 1], cases[i].last);
        sweep_free(s);
    }
}
END_TEST

/* All combinations, the last parameter fastest; `together` is one axis, the slowest. */
START_TEST(order_of_points)
{
    sweep *s = read_good(HEAD "parameters:\n  box.size: [3, [4, 5]]\n  a: [x, 'y z', {b: 1}]\n"
                              "together:\n  c: [1, 2]\n  d: [1e-3, true]\n");
    ck_assert_uint_eq(s->point_count, 12);
    ck_assert_uint_eq(s->parameter_count, 4);
    expect_point(s, 0, (const char *const[]){"1", "1e-3", "3", "x"});
    expect_point(s, 1, (const char *const[]){"1", "1e-3", "3", "'y z'"});
    expect_point(s, 2, (const char *const[]){"1", "1e-3", "3", "{b: 1}"});
    expect_point(s, 3, (const char *const[]){"1", "1e-3", "[4, 5]", "x"});
    expect_point(s, 6, (const char *const[]){"2", "true", "3", "x"});
    expect_point(s, 11, (const char *const[]){"2", "true", "[4, 5]", "{b: 1}"});
    ck_assert_str_eq(sweep_value_at(s, 1, 3)->text, "y z");
    sweep_free(s);
}
END_TEST

static void expect_difference(const char *a, const char *b, const char *scene_b, uint64_t hash_b, const char *wanted)
{
    error e = {0};
    char *key = NULL;
    sweep *one = read_good(a), *other = read_good(b);
    char *left = sweep_record(one, "engine: hard\nbox: {size: 3}\n", 1), *right = sweep_record(other, scene_b, hash_b);
    ck_assert_int_eq(scene_text_difference(left, right, &key, &e), CAROM_OK);
    printf("differs at %s, expected %s\n", key != NULL ? key : "nothing", wanted != NULL ? wanted : "nothing");
    if (wanted == NULL)
        ck_assert_ptr_null(key);
    else
        ck_assert_str_eq(key, wanted);
    memory_free(key);
    memory_free(left);
    memory_free(right);
    sweep_free(one);
    sweep_free(other);
}

START_TEST(records_differ_where_runs_do)
{
    static const char a[] = HEAD "seeds: 3\nparameters: {box.size: [3, 4]}\n",
                      same[] = "engine: hard\nbox: {size: 3}\n";
    expect_difference(a, HEAD "seeds: 5\nkeep: nothing\nmeasure: [time]\nparameters: {box.size: [3, 4]}\n", same, 1,
                      NULL);
    expect_difference(a, HEAD "parameters: {box.size: [3, 5]}\n", same, 1, "parameters.box.size.1");
    expect_difference(a, HEAD "parameters: {box.size: [3, 4, 5]}\n", same, 1, "parameters.box.size");
    expect_difference(a, HEAD "parameters: {box.side: [3, 4]}\n", same, 1, "parameters.box.size");
    expect_difference(a, HEAD "together: {box.size: [3, 4]}\n", same, 1, "parameters");
    expect_difference(a, a, "engine: hard\nbox: {size: 4}\n", 1, "scene.box.size");
    expect_difference(a, a, "engine: hard\nrun: {until: 1}\nbox: {size: 3}\n", 1, "scene.run");
    expect_difference(a, a, same, 2, "points");
}
END_TEST

static void expect_statistics(const char *name, double *values, size_t count, const double wanted[10])
{
    static const char *const names[] = {"mean", "sd", "error", "min", "q05", "q25", "median", "q75", "q95", "max"};
    carom_statistics s = carom_statistics_of(values, count);
    const double got[] = {s.mean,        s.deviation, s.error,       s.least,       s.quantile_05,
                          s.quantile_25, s.median,    s.quantile_75, s.quantile_95, s.greatest};
    ck_assert_uint_eq(s.count, count);
    for (size_t i = 0; i < 10; i++) {
        printf("%s: %s = %.17g, expected %.17g\n", name, names[i], got[i], wanted[i]);
        if (isnan(wanted[i]))
            ck_assert(isnan(got[i]));
        else
            ck_assert(fabs(got[i] - wanted[i]) <= 4e-16 * fabs(wanted[i]));
    }
}

/* By hand from the definitions that numpy documents: mean; std with ddof=1; quantile with method 'linear'. */
START_TEST(statistics_by_hand)
{
    double five[] = {3, 1, 4, 1.5, 9}, four[] = {4, 1, 3, 2}, two[] = {10, -10}, one[] = {7};
    expect_statistics("five", five, 5, (const double[]){3.7, sqrt(10.2), sqrt(2.04), 1, 1.1, 1.5, 3, 4, 8, 9});
    expect_statistics("four", four, 4,
                      (const double[]){2.5, sqrt(5.0 / 3), sqrt(5.0 / 12), 1, 1.15, 1.75, 2.5, 3.25, 3.85, 4});
    expect_statistics("two", two, 2, (const double[]){0, sqrt(200), 10, -10, -9, -5, 0, 5, 9, 10});
    expect_statistics("one", one, 1, (const double[]){7, NAN, NAN, 7, 7, 7, 7, 7, 7, 7});
    expect_statistics("none", one, 0, (const double[]){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN});
}
END_TEST

/* The bits do not depend on the order in which the runs ended. */
START_TEST(statistics_in_any_order)
{
    double a[] = {0.1, 1e16, 0.7, -1e16, 3e-5}, b[] = {-1e16, 3e-5, 0.7, 0.1, 1e16};
    carom_statistics s = carom_statistics_of(a, 5), t = carom_statistics_of(b, 5);
    printf("mean %.17g and %.17g\n", s.mean, t.mean);
    ck_assert(s.mean == t.mean && s.deviation == t.deviation);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("sweep");
    tcase_add_test(all, defaults);
    tcase_add_test(all, forms_of_seeds);
    tcase_add_test(all, order_of_points);
    tcase_add_test(all, records_differ_where_runs_do);
    tcase_add_test(all, statistics_by_hand);
    tcase_add_test(all, statistics_in_any_order);
    return suite_run("sweep", all);
}
