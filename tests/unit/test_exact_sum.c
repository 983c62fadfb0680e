/* Detects wrong exact sums: against expansions of doubles without rounding, in any order, in parts, at the limits of the
 * exponents, and of columns of tables. */
#include "../support/dice.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "base/exact_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 6000, MOST_TERMS = 64 };

/* ---- an independent sum ------------------------------------------------------------------------------------------ */

/* A sum of doubles that do not overlap, in ascending order (Shewchuk, Discrete Comput. Geom. 18, 305 (1997)). */
typedef struct expansion {
    double term[MOST_TERMS];
    int count;
} expansion;

static void grow(expansion *e, double x)
{
    int kept = 0;
    for (int k = 0; k < e->count; k++) {
        const double y = e->term[k], sum = x + y, of_y = sum - x, low = (x - (sum - of_y)) + (y - of_y);
        x = sum;
        if (low != 0) e->term[kept++] = low;
    }
    REQUIRE(kept < MOST_TERMS);
    if (x != 0) e->term[kept++] = x;
    e->count = kept;
}

static int sign_of(const expansion *e)
{
    return e->count == 0 ? 0 : e->term[e->count - 1] > 0 ? 1 : -1;
}

/* Sign of the expansion plus x. */
static int sign_with(const expansion *e, double x)
{
    expansion sum = *e;
    grow(&sum, x);
    return sign_of(&sum);
}

static bool is_even(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 1) == 0;
}

/* Whether x is the double nearest to the expansion: twice the expansion lies between x + below and x + above, the
 * neighbours of x. */
static bool is_nearest(const expansion *e, double x)
{
    expansion twice = *e;
    for (int k = 0; k < twice.count; k++) twice.term[k] *= 2;
    grow(&twice, -x);
    const int below = sign_with(&twice, -nextafter(x, -INFINITY)), above = sign_with(&twice, -nextafter(x, INFINITY));
    if (below == 0 || above == 0) return is_even(x);
    return below > 0 && above < 0;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static dice die = {20};
static double number[MOST];

/* Numbers whose exponents cover `range`, of which every second one cancels another to its last digits. */
static void draw_numbers(int count, int lowest, int range)
{
    for (int n = 0; n < count; n++) {
        const int exponent = lowest + (int)dice_below(&die, (uint32_t)range + 1);
        number[n] = ldexp(dice_real(&die, -1, 1), exponent);
        if (n % 2 == 1) number[n] = -number[n - 1] * (1 + dice_real(&die, -1e-15, 1e-15));
    }
}

static void shuffle(int count)
{
    for (int n = count - 1; n > 0; n--) {
        const int other = (int)dice_below(&die, (uint32_t)n + 1);
        const double held = number[n];
        number[n] = number[other];
        number[other] = held;
    }
}

static void expect_same(const exact_sum *a, const exact_sum *b)
{
    exact_sum one = *a, two = *b;
    exact_settle(&one);
    exact_settle(&two);
    ck_assert(memcmp(&one, &two, sizeof one) == 0);
}

/* In three orders, in one and in three parts. */
START_TEST(any_order)
{
    static const int lowest[] = {-40, -1073, -900, 900, -1000, -20}, range[] = {80, 100, 1800, 90, 60, 20};
    die.state += (uint64_t)_i * 977;
    const int count = 2 + (int)dice_below(&die, MOST - 1);
    draw_numbers(count, lowest[_i % 6], range[_i % 6]);
    expansion wanted = {.count = 0};
    exact_sum first = {.deferred = 0};
    for (int n = 0; n < count; n++) grow(&wanted, number[n]);
    for (int n = 0; n < count; n++) exact_add(&first, number[n]);
    ck_assert(is_nearest(&wanted, exact_value(&first)));
    for (int order = 0; order < 2; order++) {
        shuffle(count);
        exact_sum part[3] = {{.deferred = 0}}, whole = {.deferred = 0};
        for (int n = 0; n < count; n++) {
            exact_add(&whole, number[n]);
            exact_add(&part[dice_below(&die, 3)], number[n]);
        }
        expect_same(&whole, &first);
        exact_sum sum = part[1];
        exact_merge(&sum, &part[0]);
        exact_merge(&sum, &part[2]);
        expect_same(&sum, &first);
        exact_subtract(&sum, &part[1]);
        exact_merge(&part[2], &part[0]);
        expect_same(&sum, &part[2]);
    }
}
END_TEST

static double sum_of(int count, const double *x)
{
    exact_sum sum = {.deferred = 0};
    for (int n = 0; n < count; n++) exact_add(&sum, x[n]);
    return exact_value(&sum);
}

#define SUM(...) sum_of((int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), (double[]){__VA_ARGS__})
#define EXPECT_SUM(wanted, ...) ck_assert_double_eq(SUM(__VA_ARGS__), wanted)

START_TEST(rounding)
{
    const double ulp = DBL_EPSILON, least = 0x1p-1074, most = DBL_MAX,
                 half = 0x1p970; /* half the last digit of `most` */
    EXPECT_SUM(0.0, 0.0, -0.0);
    EXPECT_SUM(0.0, 1.0, -1.0);
    EXPECT_SUM(1.0, 1.0, ulp / 2);
    EXPECT_SUM(1.0 + ulp, 1.0, ulp / 2, least);
    EXPECT_SUM(1.0 + 2 * ulp, 1.0, ulp, ulp / 2);
    EXPECT_SUM(1.0 + ulp, 1.0, ulp, ulp / 2, -least);
    EXPECT_SUM(-1.0, -1.0, -ulp / 2);
    EXPECT_SUM(-1.0 - ulp, -1.0, -ulp / 2, -least);
    EXPECT_SUM(2.0, 2.0, -ulp / 2);
    EXPECT_SUM(2.0 - ulp, 2.0, -ulp / 2, -least);
    EXPECT_SUM(least, 0x1p-1022, least, -0x1p-1022);
    EXPECT_SUM(0x1p-1022, 0x1p-1022 - least, least);
    EXPECT_SUM(3 * least, least, least, least);
    EXPECT_SUM(1.0, 1e300, 1.0, -1e300);
    EXPECT_SUM(most, most, most, -most);
    EXPECT_SUM(most, most, half, -least);
    EXPECT_SUM(INFINITY, most, half);
    EXPECT_SUM(-INFINITY, -most, -most);
    EXPECT_SUM(INFINITY, 1.0, INFINITY);
    EXPECT_SUM(-INFINITY, most, most, -INFINITY);
    ck_assert(isnan(SUM(INFINITY, 1.0, -INFINITY)));
    ck_assert(isnan(SUM(1.0, (double)NAN)));
}
END_TEST

/* Carries: the largest mantissas, more often than a chunk can hold. The sum of 2^17 equal numbers is exact. */
START_TEST(carries)
{
    static const int exponent[] = {0, 11, 12, 31, -1022, -1000, 900, 1023 - 18};
    const double x = ldexp(2 - DBL_EPSILON, exponent[_i % 8]) * (_i < 8 ? 1 : -1);
    exact_sum sum = {.deferred = 0};
    for (int n = 0; n < 1 << 17; n++) exact_add(&sum, x);
    ck_assert_double_eq(exact_value(&sum), x * 0x1p17);
    for (int n = 0; n < 1 << 18; n++) exact_add(&sum, -x);
    ck_assert_double_eq(exact_value(&sum), -x * 0x1p17);
    for (int n = 0; n < 1 << 17; n++) exact_add(&sum, x);
    expect_same(&sum, &(exact_sum){.deferred = 0});
}
END_TEST

/* Columns with all kinds of numbers beside each other: those that vectors can split, and others. */
START_TEST(columns)
{
    static const int ranges[] = {0, 5, 40, 45, 60, 200}, lowest[] = {-10, -1073, -905, 990, 950, 1000};
    double row[EXACT_ROWS][EXACT_COLUMNS];
    exact_sum sum[EXACT_COLUMNS] = {{.deferred = 0}}, wanted[EXACT_COLUMNS] = {{.deferred = 0}};
    die.state += (uint64_t)_i * 31;
    for (int table = 0; table < 200; table++) {
        const int rows = (int)dice_below(&die, EXACT_ROWS + 1);
        for (int c = 0; c < EXACT_COLUMNS; c++) {
            const int place = lowest[dice_below(&die, 6)], most = 1023 - place;
            const int range = ranges[dice_below(&die, 6)];
            draw_numbers(rows, place, range < most ? range : most);
            for (int n = 0; n < rows; n++) row[n][c] = c == 3 ? 0 : number[n];
            if (rows > 0 && table == 100 + c) row[rows - 1][c] = c % 2 == 0 ? (double)INFINITY : DBL_MAX;
        }
        exact_add_rows(sum, (const double(*)[EXACT_COLUMNS])row, rows);
        for (int n = 0; n < rows; n++)
            for (int c = 0; c < EXACT_COLUMNS; c++) exact_add(&wanted[c], row[n][c]);
    }
    for (int c = 0; c < EXACT_COLUMNS; c++) expect_same(&sum[c], &wanted[c]);
}
END_TEST

/* Numbers of a damaged file. */
START_TEST(soundness)
{
    exact_sum sums[3] = {{.deferred = 0}};
    for (int n = 0; n < 3; n++) exact_add(&sums[n], n - 1.3e200);
    ck_assert(!exact_are_sound(sums, 3));
    for (int n = 0; n < 3; n++) exact_settle(&sums[n]);
    ck_assert(exact_are_sound(sums, 3));
    for (int kind = 0; kind < 5; kind++) {
        exact_sum damaged[3] = {sums[0], sums[1], sums[2]};
        if (kind == 0) damaged[2].chunk[5] = -1;
        if (kind == 1) damaged[1].chunk[EXACT_CHUNKS - 1] = INT64_MAX;
        if (kind == 2) damaged[0].deferred = UINT64_MAX;
        if (kind == 3) damaged[0].special = NAN;
        if (kind == 4) damaged[2].chunk[EXACT_CHUNKS - 1] = 0; /* a number beyond all doubles */
        ck_assert(!exact_are_sound(damaged, 3));
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("exact sums");
    tcase_add_loop_test(c, any_order, 0, 24);
    tcase_add_test(c, rounding);
    tcase_add_loop_test(c, carries, 0, 16);
    tcase_add_loop_test(c, columns, 0, 8);
    tcase_add_test(c, soundness);
    return suite_run("exact sums", c);
}
