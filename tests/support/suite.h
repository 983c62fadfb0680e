/* What every test program ends with: its cases run, a process a test, and are counted as tools/test.sh reads it. */
#ifndef CAROM_TESTS_SUITE_H
#define CAROM_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* What main returns. */
static inline int suite_run_cases(const char *name, TCase *const *cases)
{
    Suite *suite = suite_create(name);
    while (*cases != NULL) suite_add_tcase(suite, *cases++);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
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
