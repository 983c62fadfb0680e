/* What every test program ends with: its cases run, a process a test, and are counted as tools/test.sh reads it. */
#ifndef CAROM_TESTS_SUITE_H
#define CAROM_TESTS_SUITE_H

#include <check.h>
#include <stddef.h>

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

#endif
