/* Detects wrong historic detection rules (before the stable rule): each formula by hand, where it holds and where it
 * fails; steps from one floating-point number to the next. */
#include "../support/suite.h"
#include "geometry/contact.h"
#include "geometry/remedies.h"

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEVER ((double)INFINITY)

typedef struct remedy_case {
    const char *name;
    double a, b, c;
    double naive, root, ignoring; /* dt by each */
} remedy_case;

/* f = a dt^2 + 2 b dt + c. Overlapping pairs that approach met in the past: f = dt^2 - 2 dt - 3 is zero at -1 and 3. */
static const remedy_case cases[] = {
    {"head on: zeros at 1 and 3", 1, -2, 3, 1, 1, 1},
    {"apart, receding", 1, 2, 3, NEVER, NEVER, NEVER},
    {"missing", 1, -1, 2, NEVER, NEVER, NEVER},
    {"glancing", 1, -1, 1, 1, NEVER, NEVER},
    {"touching, approaching", 1, -1, 0, 0, 0, 0},
    {"touching, receding", 1, 1, 0, NEVER, NEVER, NEVER},
    {"overlapping, approaching", 1, -1, -3, -1, -1, NEVER},
    {"overlapping, receding", 1, 1, -3, NEVER, NEVER, NEVER},
};

START_TEST(pairs_exactly)
{
    const remedy_case *t = &cases[_i];
    double naive = contact_naive(t->a, t->b, t->c), root = contact_root(t->a, t->b, t->c);
    double ignoring = contact_ignoring(t->a, t->b, t->c);
    printf("%s: naive %g, root %g, ignoring overlaps %g\n", t->name, naive, root, ignoring);
    ck_assert(naive == t->naive && root == t->root && ignoring == t->ignoring);
}
END_TEST

/* A ball and a plate, f = 2 x: the later zero counts, and where the peak does not clear an overlap there is none. */
START_TEST(plates_exactly)
{
    ck_assert_double_eq(contact_naive(-1, 1, 3), 3);
    ck_assert_double_eq(contact_naive(0, -2, 6), 1.5);
    ck_assert_double_eq(contact_naive(0, 2, 6), NEVER);
    ck_assert_double_eq(contact_naive(-1, 1, -2), NEVER);
    ck_assert_double_eq(contact_parabola(-1, 1, -2), 1);
}
END_TEST

/* Head on at speed 1 from distance 4, s = 2: a bias of 1/4 makes contact at 2.5. Within the wider distance, s counts;
 * and an overlap has met in the past as it has with no bias. */
START_TEST(bias_exactly)
{
    ck_assert_double_eq(contact_biased(1, -4, 16, 2, 0), 2);
    ck_assert_double_eq(contact_biased(1, -4, 16, 2, 0.25), 1.5);
    ck_assert_double_eq(contact_biased(1, -2.5, 6.25, 2, 0.25), 0.5);
    ck_assert_double_eq(contact_biased(1, -2.25, 5.0625, 2, 0.25), 0.25);
    ck_assert_double_eq(contact_biased(1, -1, 1, 2, 0.25), -1);
    ck_assert_double_eq(contact_biased(1, 1, 1, 2, 0.25), NEVER);
}
END_TEST

/* An overlap by rounding, while approaching: the rule says now, the others before, never, before. */
START_TEST(all_differ_from_the_rule_at_contact)
{
    double c = -0x1p-40;
    ck_assert_double_eq(contact_spheres(1, -1, c), 0);
    ck_assert_double_lt(contact_naive(1, -1, c), 0);
    ck_assert_double_lt(contact_root(1, -1, c), 0);
    ck_assert_double_eq(contact_ignoring(1, -1, c), NEVER);
    ck_assert_double_lt(contact_biased(1, -1, 1 + c, 1, 1e-15), 0);
}
END_TEST

/* ---- steps from number to number --------------------------------------------------------------------------------- */

static int64_t bits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

START_TEST(steps_are_differences_of_bits)
{
    static const double from[] = {1, 0.7, 1.5, 2, 0.1, 1e-9, 3e8, 0x1.fffffffffffffp+0};
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        for (int64_t n = -3000; n <= 3000; n++) {
            int64_t bits = bits_of(from[k]) + n;
            double x;
            memcpy(&x, &bits, sizeof x);
            if (real_steps(x, from[k], 4096) != n) ck_abort_msg("%lld from %a", (long long)n, from[k]);
        }
        ck_assert_int_eq(real_steps(from[k] * 0.9, from[k], 4096), -4096);
        ck_assert_int_eq(real_steps(from[k] * 1.1, from[k], 4096), 4096);
        ck_assert_int_eq(real_steps(from[k] / 8, from[k], 4096), -4096);
        ck_assert_int_eq(real_steps(from[k] * 8, from[k], 4096), 4096);
    }
}
END_TEST

/* What rounds to a number reaches half way to its neighbours. */
START_TEST(widths_lie_side_by_side)
{
    static const double from[] = {1, 0.7, 1.5, 2, 0x1.fffffffffffffp+0};
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        const double spacing = nextafter(from[k], INFINITY) - from[k];
        for (int64_t n = -3; n <= 3; n++) {
            int64_t bits = bits_of(from[k]) + n;
            double x;
            memcpy(&x, &bits, sizeof x);
            const double half = 0.5 * (nextafter(x, INFINITY) - x) + 0.5 * (x - nextafter(x, 0));
            ck_assert_double_eq(real_width(x, from[k]), half / spacing);
        }
    }
    ck_assert_double_eq(real_width(1, 1), 0.75);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, pairs_exactly, 0, sizeof cases / sizeof *cases);
    tcase_add_test(all, plates_exactly);
    tcase_add_test(all, bias_exactly);
    tcase_add_test(all, all_differ_from_the_rule_at_contact);
    tcase_add_test(all, steps_are_differences_of_bits);
    tcase_add_test(all, widths_lie_side_by_side);
    return suite_run("remedies", all);
}
