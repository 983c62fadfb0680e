/* What every test program ends with: its cases run, a process a test, and are counted as tools/test.sh reads it. */
#ifndef CAROM_TESTS_SUITE_H
#define CAROM_TESTS_SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A case that `make test` leaves out and `make test-all` runs; its source file is then registered twice (cmake/tests.cmake). */
static inline TCase *suite_long_case(void)
{
    TCase *c = tcase_create("long");
    tcase_set_tags(c, "long");
    tcase_set_timeout(c, 600);
    return c;
}

/* A loop test from 0 to `count`: `make test` runs the first `quick` numbers. */
#define suite_split_loop(quick_case, long_case, test, quick, count)                                                    \
    (tcase_add_loop_test(quick_case, test, 0, (count) < (quick) ? (count) : (quick)),                                  \
     tcase_add_loop_test(long_case, test, quick, count))

/* What main returns. CAROM_TIER (quick, long) selects cases; without it all of them run. */
static inline int suite_run_cases(const char *name, TCase *const *cases)
{
    Suite *suite = suite_create(name);
    while (*cases != NULL) suite_add_tcase(suite, *cases++);
    SRunner *runner = srunner_create(suite);
    const char *tier = getenv("CAROM_TIER");
    const bool quick = tier != NULL && strcmp(tier, "quick") == 0, rest = tier != NULL && strcmp(tier, "long") == 0;
    srunner_run_tagged(runner, NULL, NULL, rest ? "long" : NULL, quick ? "long" : NULL, CK_NORMAL);
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
