/* Reading decimal numbers: the same double as the C library, and nothing that is no number. */
#include <locale.h>
#include <string.h>

#include "base/decimal.h"
#include "base/random.h"
#include "../support/expect.h"

static bool read(const char *text, double *out)
{
    return decimal_real(text, strlen(text), out);
}

START_TEST(same_as_the_library)
{
    static const char *const texts[] = {"0", "-0", "1", "-1.5", "+2", ".5", "5.", "1e3", "1E+3", "1e-3", "0.1", "123456789012345678901234567890",
        "9007199254740993", "9007199254740992.5", "0.30000000000000004", "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308",
        "0.000000000000000000000000000001", "1e-400", "10000000000000000000000e-22", "18446744073709551615", "18446744073709551616",
        "1844674407370955161.5", "0.9999999999999999999", "0000000000000000000000000001.25", "8.5899345920000010e9", "1.00000000000000011102230246251565",
        "1.00000000000000011102230246251565404"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = NAN, wanted = strtod(texts[i], NULL);
        ck_assert_msg(read(texts[i], &value), "%s", texts[i]);
        ck_assert_msg(memcmp(&value, &wanted, sizeof value) == 0, "%s: %.17g, not %.17g", texts[i], value, wanted);
    }
}
END_TEST

START_TEST(random_numbers_round_trip)
{
    const random_key key = {3, RANDOM_GENERAL};
    static const char *const formats[] = {"%.17g", "%.16g", "%.15f", "%.19f", "%.6f", "%.18e", "%.3g"};
    for (uint64_t i = 0; i < 70000; i++) {
        char text[400];
        double value, wanted, x = (random_uniform(key, i, 0) - 0.5) * pow(10, (int)(i % 11) - 5);
        snprintf(text, sizeof text, formats[i % 7], x);
        wanted = strtod(text, NULL);
        ck_assert_msg(read(text, &value) && value == wanted, "%s: %.17g, not %.17g", text, value, wanted);
    }
}
END_TEST

START_TEST(refuses)
{
    static const char *const texts[] = {"", " ", "+", ".", "e5", "1e", "1e+", "1,5", "nan", "inf", "0x10", "1 ", " 1", "1.2.3", "--1", "1e400", "-1e400", "1d3", "1_0"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = 7;
        ck_assert_msg(!read(texts[i], &value) && value == 7, "'%s' is taken for %g", texts[i], value);
    }
    double value;
    ck_assert(decimal_real("12x", 2, &value) && value == 12);
}
END_TEST

START_TEST(long_texts)
{
    static char text[100003];
    memset(text, '1', sizeof text - 1);
    text[1] = '.';
    double value = 0;
    ck_assert(read(text, &value));
    EXPECT_CLOSE("1.111...", value, 10.0 / 9, 0);
    memset(text, '1', sizeof text - 1);
    ck_assert(!read(text, &value));
}
END_TEST

START_TEST(integers)
{
    uint64_t n = 7;
    ck_assert(decimal_integer("18446744073709551615", 20, &n) && n == UINT64_MAX);
    ck_assert(decimal_integer("007", 3, &n) && n == 7);
    ck_assert(!decimal_integer("18446744073709551616", 20, &n));
    ck_assert(!decimal_integer("", 0, &n) && !decimal_integer("-1", 2, &n) && !decimal_integer("1.0", 3, &n));
}
END_TEST

START_TEST(decimal_commas_do_not_matter)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
        printf("no locale with decimal commas is installed\n");
    double value = 0;
    ck_assert(read("1.5e-40", &value));
    EXPECT_CLOSE("1.5e-40", value, 1.5e-40, 0);
    setlocale(LC_ALL, "C");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decimal");
    TCase *cases = tcase_create("decimal");
    tcase_add_test(cases, same_as_the_library);
    tcase_add_test(cases, random_numbers_round_trip);
    tcase_add_test(cases, refuses);
    tcase_add_test(cases, long_texts);
    tcase_add_test(cases, integers);
    tcase_add_test(cases, decimal_commas_do_not_matter);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
