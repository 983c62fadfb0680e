/* Detects numbers that are read or written in another way than the C library does. */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "base/random.h"

/* clang-format off */
static number_fault read_number(const char *text, double *value)
{
    return number_read(text, strlen(text), value, NULL);
}

START_TEST(reads_what_strtod_reads)
{
    static const char *const texts[] = {"0", "1", "-2", "+3", ".5", "5.", "1e3", "1E-3", "-1.25e+2", "0.1", "1e22", "1e23",
                                        "9007199254740993", "123456789012345678901234567890", "2.2250738585072011e-308",
                                        "4.9e-324", "1.7976931348623157e308", "0.30000000000000004", "1e-22", "007",
                                        "0e999999999999", "8.41e-295", "0.000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value = -1, wanted = strtod(texts[i], NULL);
        ck_assert_int_eq(read_number(texts[i], &value), NUMBER_OK);
        printf("%s = %.17g\n", texts[i], value);
        ck_assert_msg(memcmp(&value, &wanted, sizeof value) == 0, "%s gives %.17g", texts[i], value);
    }
}
END_TEST

START_TEST(random_doubles_survive)
{
    random_key key = {7, RANDOM_GENERAL};
    for (uint64_t i = 0; i < 200000; i++) {
        double scale[2], u = random_uniform(key, i, 1), back;
        random_uniform2(key, i, 2, scale);
        double value = i % 2 == 0 ? u * 100 : ldexp(u - 0.5, (int)(scale[0] * 2000) - 1000);
        char text[NUMBER_SIZE], printed[40];
        size_t length = number_write(text, value);
        ck_assert_uint_eq(length, strlen(text));
        ck_assert_msg(strtod(text, NULL) == value, "%.17g is written %s", value, text);
        ck_assert_int_eq(number_read(text, length, &back, NULL), NUMBER_OK);
        ck_assert_msg(back == value, "%s reads back as %.17g", text, back);
        for (int digits = 15; digits <= 17; digits++) { /* the shortest of these that survives */
            snprintf(printed, sizeof printed, "%.*g", digits, value);
            if (strtod(printed, NULL) == value) break;
        }
        ck_assert_msg(length <= strlen(printed) + 1, "%s is longer than %s", text, printed);
    }
}
END_TEST

/* Texts of many lengths, as other programs print them. */
START_TEST(printed_numbers_read_like_strtod)
{
    const random_key key = {3, RANDOM_GENERAL};
    static const char *const formats[] = {"%.17g", "%.16g", "%.15f", "%.19f", "%.6f", "%.18e", "%.3g"};
    for (uint64_t i = 0; i < 140000; i++) {
        char text[400];
        double value, wanted, x = (random_uniform(key, i, 0) - 0.5) * pow(10, (int)(i % 11) - 5);
        snprintf(text, sizeof text, formats[i % 7], x);
        wanted = strtod(text, NULL);
        ck_assert_int_eq(read_number(text, &value), NUMBER_OK);
        ck_assert_msg(value == wanted, "%s gives %.17g, not %.17g", text, value, wanted);
    }
}
END_TEST

/* Ties between two doubles, and one digit to either side. */
START_TEST(ties_go_to_even)
{
    static const char *const texts[] = {"9007199254740993.0", "9007199254740993.1", "9007199254740992.9", "9007199254740995.0",
                                        "0.5000000000000000555", "4503599627370497.5", "4503599627370498.5", "1844674407370955161.5",
                                        "0.9999999999999999999", "1000000000.000000059604644775390625"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value;
        ck_assert_int_eq(read_number(texts[i], &value), NUMBER_OK);
        ck_assert_msg(value == strtod(texts[i], NULL), "%s gives %.17g", texts[i], value);
    }
}
END_TEST

START_TEST(writes_plainly)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"}, {-0.0, "-0"}, {1, "1"}, {-2.5, "-2.5"}, {1000, "1000"}, {0.1, "0.1"}, {1e-3, "0.001"},
                 {1e-5, "1e-5"}, {1.5e-7, "1.5e-7"}, {1e16, "10000000000000000"}, {1e17, "1e17"}, {1.5e300, "1.5e300"},
                 {0.1 + 0.2, "0.30000000000000004"}, {1.0 / 3, "0.3333333333333333"}, {4.9e-324, "4.94065645841247e-324"},
                 {DBL_MAX, "1.7976931348623157e308"}, {100000000000000, "100000000000000"}, {123456.789, "123456.789"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_SIZE];
        number_write(text, cases[i].value);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

START_TEST(powers_of_two_survive)
{
    for (int exponent = -1074; exponent <= 1023; exponent++)
        for (int side = -1; side <= 1; side++) {
            double value = ldexp(1, exponent), back;
            if (side != 0) value = nextafter(value, side < 0 ? 0 : INFINITY);
            char text[NUMBER_SIZE];
            size_t length = number_write(text, value);
            if (value == 0) continue;
            ck_assert_int_eq(number_read(text, length, &back, NULL), NUMBER_OK);
            ck_assert_msg(back == value && strtod(text, NULL) == value, "%.17g is written %s", value, text);
        }
}
END_TEST

START_TEST(refuses_what_is_no_number)
{
    static const struct {
        const char *text;
        number_fault fault;
    } cases[] = {{"", NUMBER_NONE}, {"-", NUMBER_NONE}, {".", NUMBER_NONE}, {"e3", NUMBER_NONE}, {"abc", NUMBER_NONE},
                 {"1x", NUMBER_JUNK}, {"1,5", NUMBER_JUNK}, {"1e", NUMBER_JUNK}, {"1e+", NUMBER_JUNK}, {"1 ", NUMBER_JUNK},
                 {"1.2.3", NUMBER_JUNK}, {"0x10", NUMBER_HEX}, {"-0X1p3", NUMBER_HEX}, {"nan", NUMBER_NOT_FINITE},
                 {"NaN", NUMBER_NOT_FINITE}, {".nan", NUMBER_NOT_FINITE}, {"-inf", NUMBER_NOT_FINITE},
                 {"+.INF", NUMBER_NOT_FINITE}, {"infinity", NUMBER_NOT_FINITE}, {"1e400", NUMBER_TOO_LARGE},
                 {"-1e309", NUMBER_TOO_LARGE}, {"1e99999999999999999999", NUMBER_TOO_LARGE}, {"1e-400", NUMBER_TOO_SMALL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        ck_assert_msg(read_number(cases[i].text, &value) == cases[i].fault, "'%s'", cases[i].text);
    }
}
END_TEST

START_TEST(counts)
{
    static const struct {
        const char *text;
        number_fault fault;
        uint64_t value;
    } cases[] = {{"0", NUMBER_OK, 0}, {"-0", NUMBER_OK, 0}, {"42", NUMBER_OK, 42}, {"1e6", NUMBER_OK, 1000000},
                 {"5.0", NUMBER_OK, 5}, {"1.5e1", NUMBER_OK, 15}, {"18446744073709551615", NUMBER_OK, UINT64_MAX},
                 {"18446744073709551616", NUMBER_TOO_LARGE, 0}, {"1e20", NUMBER_TOO_LARGE, 0}, {"1.5", NUMBER_FRACTION, 0},
                 {"1e-1", NUMBER_FRACTION, 0}, {"-1", NUMBER_NEGATIVE, 0}, {"0x10", NUMBER_HEX, 0}, {"12a", NUMBER_JUNK, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t value;
        ck_assert_msg(number_read_count(cases[i].text, strlen(cases[i].text), &value, NULL) == cases[i].fault, "'%s'",
                      cases[i].text);
        ck_assert_uint_eq(value, cases[i].value);
    }
}
END_TEST

/* Where a locale with decimal commas is installed, nothing changes. */
START_TEST(locale_does_not_matter)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "de_AT.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && set == NULL; i++) set = setlocale(LC_ALL, names[i]);
    printf("locale: %s\n", set != NULL ? set : "(none with decimal commas here)");
    double value;
    char text[NUMBER_SIZE];
    ck_assert_int_eq(read_number("0.30000000000000004", &value), NUMBER_OK);
    EXPECT_CLOSE("value", value, 0.30000000000000004, 0);
    number_write(text, 1.5e-300);
    ck_assert_str_eq(text, "1.5e-300");
    setlocale(LC_ALL, "C");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, reads_what_strtod_reads);
    tcase_add_test(tests, random_doubles_survive);
    tcase_add_test(tests, printed_numbers_read_like_strtod);
    tcase_add_test(tests, ties_go_to_even);
    tcase_add_test(tests, writes_plainly);
    tcase_add_test(tests, powers_of_two_survive);
    tcase_add_test(tests, refuses_what_is_no_number);
    tcase_add_test(tests, counts);
    tcase_add_test(tests, locale_does_not_matter);
    return suite_run("number", tests);
}
