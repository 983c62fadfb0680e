/* Detects wrong branches of the stable event-detection rule, and results that differ from its definition. */
#include "../support/contact_oracle.h"
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "geometry/contact.h"

#include <stdint.h>

#define NEVER ((double)INFINITY)

/* ---- exact values ------------------------------------------------------------------------------------------------ */

typedef struct sphere_case {
    const char *name;
    double a, b, c, dt;
} sphere_case;

static const sphere_case spheres[] = {
    {"apart, receding", 1, 1, 1, NEVER},
    {"apart, at rest", 0, 0, 1, NEVER},
    {"apart, sideways", 4, 0, 1, NEVER},
    {"touching, receding", 1, 1, 0, NEVER},
    {"touching, sideways", 1, 0, 0, NEVER},
    {"touching, at rest", 0, 0, 0, NEVER},
    {"overlapping, receding", 1, 1, -1, NEVER},
    {"overlapping, sideways", 1, 0, -1, NEVER},
    {"overlapping, at rest", 0, 0, -1, NEVER},
    {"touching, approaching", 1, -1, 0, 0},
    {"overlapping, approaching", 1, -1, -1, 0},
    {"overlapping by the least number", 1, -1, -0x1p-1074, 0},
    {"glancing", 1, -1, 1, NEVER},
    {"missing", 1, -1, 2, NEVER},
    {"head on", 1, -2, 3, 1},
    {"head on, unequal numbers", 4, -10, 24, 2},
    {"barely approaching", 1, -0x1p-60, 0, 0},
    {"large", 0x1p400, -0x1p500, 0x1.8p599, 0x1p99},
    {"small", 0x1p-500, -0x1p-499, 0x1.8p-499, 1},
};

START_TEST(spheres_exactly)
{
    const sphere_case *t = &spheres[_i];
    double dt = contact_spheres(t->a, t->b, t->c), general = contact_parabola(t->a, t->b, t->c);
    printf("%s: %.17g, wanted %.17g\n", t->name, dt, t->dt);
    if (t->b != -0x1p500) ck_assert_msg(dt == t->dt && !signbit(dt), "%s: %.17g, wanted %.17g", t->name, dt, t->dt);
    ck_assert_msg(dt == general, "%s: the general rule says %.17g", t->name, general);
    ck_assert(oracle_agrees(t->a, t->b, t->c, dt));
}
END_TEST

typedef struct plane_case {
    const char *name;
    double x, v, a, dt;
} plane_case;

static const plane_case planes[] = {
    {"below, sinking", -1, -1, -1, 0},
    {"below, sinking, pulled away", -1, -1, 1, 0},
    {"touching, sinking", 0, -1, -1, 0},
    {"touching, sinking, no field", 0, -1, 0, 0},
    {"touching, sinking, pulled away", 0, -1, 4, 0},
    {"no field, receding", 1, 1, 0, NEVER},
    {"no field, at rest", 1, 0, 0, NEVER},
    {"no field, below, receding", -1, 1, 0, NEVER},
    {"no field, below, at rest", -1, 0, 0, NEVER},
    {"no field, approaching", 3, -2, 0, 1.5},
    {"pulled away, receding", 1, 1, 1, NEVER},
    {"pulled away, at rest", 1, 0, 1, NEVER},
    {"pulled away, below, at rest", -1, 0, 1, NEVER},
    {"pulled away, glancing", 0.5, -1, 1, NEVER},
    {"pulled away, missing", 1, -1, 1, NEVER},
    {"pulled away, reaching", 1.5, -2, 1, 1},
    {"overlapping, the peak does not clear it", -1, 1, -1, 1},
    {"overlapping, at its peak", -1, 0, -1, 0},
    {"overlapping, the peak touches", -0.5, 1, -1, 1},
    {"overlapping, jumps clear of it", -1.5, 2, -1, 3},
    {"touching, thrown up", 0, 1, -1, 2},
    {"above, thrown up", 1.5, 1, -1, 3},
    {"above, dropped", 0.5, 0, -1, 1},
    {"above, thrown down", 1.5, -1, -1, 1},
    {"at rest on the plane: 0/0", 0, 0, -1, 0},
    {"at rest on the plane, negative zeros", -0.0, -0.0, -1, 0},
    {"the least height, dropped", 0x1p-1074, 0, -0x1p-1074, 1.4142135623730951},
};

START_TEST(planes_exactly)
{
    const plane_case *t = &planes[_i];
    double dt = contact_parabola(t->a, t->v, 2 * t->x);
    printf("%s: %.17g, wanted %.17g\n", t->name, dt, t->dt);
    if (t->x == 0x1p-1074)
        ck_assert_msg(dt >= 0 && !isnan(dt), "%s: %.17g", t->name, dt);
    else
        ck_assert_msg(dt == t->dt && !signbit(dt), "%s: %.17g, wanted %.17g", t->name, dt, t->dt);
    ck_assert(oracle_agrees(t->a, t->v, 2 * t->x, dt));
}
END_TEST

/* ---- the definition ---------------------------------------------------------------------------------------------- */

static dice die;

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

/* A number of size 2^-range .. 2^range, or sometimes zero. */
static double number(double range)
{
    double sign = dice_bits(&die) % 2 == 0 ? 1 : -1;
    return dice_bits(&die) % 16 == 0 ? sign * 0.0 : sign * exp2(uniform(-range, range));
}

static void compare(double a, double b, double c)
{
    double dt = contact_parabola(a, b, c);
    if (!oracle_agrees(a, b, c, dt)) {
        wide exact = -1;
        bool hits = oracle_contact(a, b, c, &exact);
        ck_abort_msg("a %a b %a c %a: %.17g; by definition %s %.17g", a, b, c, dt, hits ? "at" : "never",
                     (double)exact);
    }
    if (a < 0 || (a == 0 && b != 0)) return; /* no pair of spheres */
    double pair = contact_spheres(a, b, c);
    if (a == 0)
        ck_assert(pair == NEVER || b < 0);
    else if (pair != dt)
        ck_abort_msg("a %a b %a c %a: %.17g for spheres, %.17g in general", a, b, c, pair, dt);
}

START_TEST(agrees_with_the_definition)
{
    static const double ranges[] = {0.5, 4, 30, 450};
    die.state = 7 + (uint64_t)_i;
    for (int n = 0; n < 50000; n++) compare(number(ranges[_i]), number(ranges[_i]), number(ranges[_i]));
}
END_TEST

/* Near grazing, near contact, near the peak: where the branches meet. */
START_TEST(agrees_where_branches_meet)
{
    die.state = 99;
    for (int n = 0; n < 50000; n++) {
        double a = number(3), b = number(3), off = ldexp(uniform(-1, 1), -(int)(dice_bits(&die) % 56));
        double c = a != 0 ? b * b / a * (1 + off) : off;
        compare(a, b, c);
        compare(a, b, off * off * off);
        compare(a, b * off * off, c);
        compare(off * off * off, b, c);
    }
}
END_TEST

/* Denormal distances, speeds and fields: an answer, and no NaN. */
START_TEST(survives_the_smallest_numbers)
{
    die.state = 5;
    for (int n = 0; n < 50000; n++) {
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = dice_bits(&die) % 3 == 0 ? number(4) : ldexp(uniform(-1, 1), -1022 - (int)(dice_bits(&die) % 53));
            if (dice_bits(&die) % 9 == 0) x[k] = 0;
        }
        double dt = contact_parabola(x[0], x[1], x[2]);
        ck_assert_msg(dt >= 0, "a %a b %a c %a: %.17g", x[0], x[1], x[2], dt);
        if (x[0] >= 0) dt = contact_spheres(x[0], x[1], x[2]);
        ck_assert_msg(dt >= 0, "spheres a %a b %a c %a: %.17g", x[0], x[1], x[2], dt);
    }
}
END_TEST

int main(void)
{
    TCase *exact = tcase_create("exact"), *definition = tcase_create("definition");
    tcase_add_loop_test(exact, spheres_exactly, 0, sizeof spheres / sizeof *spheres);
    tcase_add_loop_test(exact, planes_exactly, 0, sizeof planes / sizeof *planes);
    tcase_add_loop_test(definition, agrees_with_the_definition, 0, 4);
    tcase_add_test(definition, agrees_where_branches_meet);
    tcase_add_test(definition, survives_the_smallest_numbers);
    tcase_set_timeout(definition, 60);
    return suite_run("contact", exact, definition);
}
