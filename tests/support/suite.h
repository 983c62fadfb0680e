/* What every test program ends with: its cases run, a process a test, and are counted as tools/test.sh reads it. */
#ifndef CAROM_TESTS_SUITE_H
#define CAROM_TESTS_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline TCase *suite_tagged_case(const char *tier)
{
    TCase *c = tcase_create(tier);
    tcase_set_tags(c, tier);
    tcase_set_timeout(c, 600);
    return c;
}

/* Cases that `make test` leaves out; their source file is then registered once more for each (cmake/tests.cmake). Of
 * the two `.ci/run` runs only the first, `make test-all` both. */
static inline TCase *suite_ci_case(void)
{
    return suite_tagged_case("ci");
}

static inline TCase *suite_long_case(void)
{
    return suite_tagged_case("long");
}

/* A loop test from 0 to `count`: `make test` runs the first `quick` numbers. */
#define suite_split_loop(quick_case, long_case, test, quick, count)                                                    \
    (tcase_add_loop_test(quick_case, test, 0, (count) < (quick) ? (count) : (quick)),                                  \
     tcase_add_loop_test(long_case, test, quick, count))

/* What main returns. CAROM_TIER (quick, ci, long) selects cases; without it all of them run. */
static inline int suite_run_cases(const char *name, TCase *const *cases)
{
    Suite *suite = suite_create(name);
    while (*cases != NULL) suite_add_tcase(suite, *cases++);
    SRunner *runner = srunner_create(suite);
    const char *tier = getenv("CAROM_TIER");
    const bool quick = tier != NULL && strcmp(tier, "quick") == 0;
    const bool one = tier != NULL && (strcmp(tier, "ci") == 0 || strcmp(tier, "long") == 0);
    srunner_run_tagged(runner, NULL, NULL, one ? tier : NULL, quick ? "ci long" : NULL, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

/* suite_run(NAME, CASE...) */
#define suite_run(name, ...) suite_run_cases(name, (TCase *const[]){__VA_ARGS__, NULL})

/* PROGRAM [FIRST [COUNT]]: the numbers of the random scenes that it tries. */
static inline void suite_scenes(int argc, char **argv, uint64_t *first, uint64_t *count)
{
    if (argc > 1) *first = strtoull(argv[1], NULL, 10);
    if (argc > 2) *count = strtoull(argv[2], NULL, 10);
}

#endif
