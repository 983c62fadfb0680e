/* Detects wrong contact times, against known roots, closed forms, and a search in small steps in long double. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "geometry/quartic.h"

#include <float.h>
#include <stdint.h>

static dice die;

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

static int whole(int low, int high)
{
    return (int)floor(uniform(low, high + 1));
}

static long double f_at(const double c[5], long double t)
{
    return (((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0];
}

static long double slope_at(const double c[5], long double t)
{
    return ((4.0L * c[4] * t + 3.0L * c[3]) * t + 2.0L * c[2]) * t + c[1];
}

/* The first of the steps at which f overlaps and closes; INFINITY where none does up to `end`. */
static double by_steps(const double c[5], double end, double step)
{
    for (long k = 0; (double)k * step <= end; k++) {
        long double t = (long double)((double)k * step);
        if (f_at(c, t) <= 0.0L && slope_at(c, t) < 0.0L) return (double)t;
    }
    return INFINITY;
}

/* c = a (t - r0)(t - r1)(t - r2)(t - r3) */
static void from_roots(double a, const double r[4], double c[5])
{
    double p[5] = {1.0};
    for (int n = 0; n < 4; n++) {
        for (int k = n + 1; k > 0; k--) p[k] = p[k - 1] - r[n] * p[k];
        p[0] *= -r[n];
    }
    for (int k = 0; k < 5; k++) c[k] = a * p[k];
}

START_TEST(test_whole_roots)
{
    die.state = 1;
    int found = 0;
    double worst = 0.0;
    for (int k = 0; k < 4000; k++) {
        double r[4] = {whole(-8, 8), whole(-8, 8), whole(-8, 8), whole(-8, 8)}, c[5];
        from_roots(k % 2 == 0 ? 1.0 : -0.5, r, c);
        double t = quartic_contact(c), wanted = by_steps(c, 40.0, 1.0 / 128.0);
        if (isinf(wanted)) {
            ck_assert_msg(isinf(t) || t > 30.0, "%g for roots %g %g %g %g", t, r[0], r[1], r[2], r[3]);
            continue;
        }
        found++;
        ck_assert_msg(t <= wanted && t >= wanted - 1.0 / 64.0, "%.17g, not before %.17g, for %g %g %g %g", t, wanted,
                      r[0], r[1], r[2], r[3]);
        int times = 0;
        for (int i = 0; i < 4; i++) times += r[i] >= rint(t) && r[i] <= rint(t);
        if (times == 1 && fabs(t - rint(t)) < 1e-6) worst = fmax(worst, fabs(t - rint(t)));
    }
    EXPECT_CLOSE("worst simple root", worst, 0.0, 2e-15);
    printf("%d contacts of 4000\n", found);
    ck_assert_int_gt(found, 1500);
}
END_TEST

START_TEST(test_random_coefficients)
{
    die.state = 2;
    int found = 0;
    for (int k = 0; k < 3000; k++) {
        double c[5];
        for (int i = 0; i < 5; i++) c[i] = uniform(-1.0, 1.0);
        if (k % 3 == 0) c[whole(1, 4)] = 0.0;
        double t = quartic_contact(c), wanted = by_steps(c, 30.0, 1.0 / 256.0);
        if (isinf(wanted)) {
            ck_assert_msg(isinf(t) || t > 29.0 || fabsl(slope_at(c, t)) < 1e-2L, "unexpected %.17g", t);
            continue;
        }
        found++;
        /* between two steps f may overlap and open again: then the answer is earlier, and must prove itself */
        ck_assert_msg(t <= wanted, "%.17g is later than %.17g", t, wanted);
        double rounding = 1e-15 * (1.0 + t) * (1.0 + t) * (1.0 + t) * (1.0 + t);
        ck_assert_msg(f_at(c, t) <= rounding && slope_at(c, t) <= rounding, "no contact at %.17g", t);
    }
    printf("%d contacts of 3000\n", found);
}
END_TEST

/* Two spheres flying freely, one of which has been let go: the first touch is where the distance is s. */
START_TEST(test_spheres)
{
    die.state = 3;
    double worst = 0.0;
    for (int k = 0; k < 2000; k++) {
        double r[3], v[3], a[3], rr = 0, rv = 0, ra = 0, vv = 0, va = 0, aa = 0, s = uniform(0.1, 1.0);
        for (int i = 0; i < 3; i++) {
            r[i] = uniform(-3.0, 3.0);
            v[i] = uniform(-2.0, 2.0);
            a[i] = uniform(-1.0, 1.0);
            rr += r[i] * r[i];
            rv += r[i] * v[i];
            ra += r[i] * a[i];
            vv += v[i] * v[i];
            va += v[i] * a[i];
            aa += a[i] * a[i];
        }
        double c[5] = {rr - s * s, 2.0 * rv, vv + ra, va, 0.25 * aa};
        double t = quartic_contact(c);
        if (isinf(t) || c[0] < 0.0) continue;
        double d = 0.0;
        for (int i = 0; i < 3; i++) {
            double x = r[i] + t * (v[i] + 0.5 * t * a[i]);
            d += x * x;
        }
        worst = fmax(worst, fabs(sqrt(d) - s) / fmax(1.0, t * t));
    }
    EXPECT_CLOSE("worst gap at contact", worst, 0.0, 2e-14);
}
END_TEST

static double quadratic(double a, double b, double c)
{
    if (c <= 0.0 && b < 0.0) return 0.0;
    double disc = b * b - a * c;
    if (b >= 0.0 || disc <= 0.0) return INFINITY;
    return c / (-b + sqrt(disc));
}

START_TEST(test_quadratic)
{
    die.state = 4;
    double worst = 0.0;
    for (int k = 0; k < 2000; k++) {
        double size = ldexp(1.0, whole(-400, 400)), speed = ldexp(1.0, whole(-100, 100));
        double a = uniform(0.0, 4.0), b = uniform(-4.0, 1.0), g = uniform(-1.0, 4.0);
        double c[5] = {g * size, 2.0 * b * size * speed, a * size * speed * speed, 0.0, 0.0};
        double t = quartic_contact(c) * speed, wanted = quadratic(a, b, g);
        if (fabs(b * b - a * g) < 1e-3) continue;
        ck_assert_msg(isinf(t) == isinf(wanted), "%.17g, expected %.17g (%a %a %a)", t, wanted, a, b, g);
        if (!isinf(wanted)) worst = fmax(worst, fabs(t - wanted) / fmax(wanted, DBL_MIN));
    }
    EXPECT_CLOSE("worst relative difference", worst, 0.0, 1e-12);
}
END_TEST

typedef struct exact {
    const char *name;
    double c[5], t;
} exact;

static const exact exact_cases[] = {
    {"never: constant", {1, 0, 0, 0, 0}, INFINITY},
    {"never: nothing at all", {0, 0, 0, 0, 0}, INFINITY},
    {"never: overlapping at rest", {-1, 0, 0, 0, 0}, INFINITY},
    {"never: overlapping and opening", {-1, 1, 0, 0, 0}, INFINITY},
    {"at once: overlapping and closing", {-1, -1, 9, 9, 9}, 0.0},
    {"at once: touching and closing", {0, -1, 9, 9, 9}, 0.0},
    {"at once: touching at rest, pulled together", {0, 0, -1, 0, 0}, 0.0},
    {"at once: touching, pulled together by the last term", {0, 0, 0, 0, -1}, 0.0},
    {"never: touching at rest, pulled apart", {0, 0, 1, 0, 0}, INFINITY},
    {"linear", {3, -2, 0, 0, 0}, 1.5},
    {"cubic: (1 - t)(t^2 + 1)", {1, -1, 1, -1, 0}, 1.0},
    {"glancing: (t - 1)^2", {1, -2, 1, 0, 0}, INFINITY},
    {"glancing twice: (t - 1)^2 (t - 2)^2", {4, -12, 13, -6, 1}, INFINITY},
    {"glancing, then through: (t - 1)^2 (3 - t)", {3, -7, 5, -1, 0}, 3.0},
    {"turning while overlapping: t (1 - t) - 1, at 1/2", {-1, 1, -1, 0, 0}, 0x1.0000000000001p-1},
    {"turning far inside: t^2 (2 - t^2) - 9, at 1", {-9, 0, 2, 0, -1}, 0x1.0000000000001p0},
    {"first of four: (t - 1)(t - 2)(t - 3)(t - 4)", {24, -50, 35, -10, 1}, 1.0},
    {"turning where it touches: -(t - 3/2)^2", {-2.25, 3.0, -1.0, 0.0, 0.0}, 0x1.8000000000001p0},
    {"1e100 apart", {1e200, -1e100, 0, 0, 0}, 1e100},
    {"a root where t^4 overflows", {1e300, -1e-5, 0, 0, 0}, 1e305},
    {"a root beyond all doubles", {1e300, -1e-50, 0, 0, 0}, INFINITY},
    {"the smallest numbers", {0x1p-1074, -0x1p-1074, 0, 0, 0}, 1.0},
    {"the largest numbers", {DBL_MAX, -DBL_MAX, 0, 0, 0}, 1.0},
    {"terms 600 decades apart", {1e-300, -1e300, 0, 0, 0}, 0x1p-1074},
};

START_TEST(test_exact)
{
    const exact *e = &exact_cases[_i];
    double t = quartic_contact(e->c);
    printf("%s: %a, expected %a\n", e->name, t, e->t);
    if (isinf(e->t))
        ck_assert(isinf(t));
    else
        ck_assert_double_le(fabs(t - e->t), 4e-16 * e->t);
}
END_TEST

/* The answer scales exactly with powers of two in time and length. */
START_TEST(test_scales)
{
    die.state = 6;
    for (int k = 0; k < 500; k++) {
        double c[5], scaled[5];
        for (int i = 0; i < 5; i++) c[i] = uniform(-1.0, 1.0);
        c[0] = fabs(c[0]);
        double t = quartic_contact(c);
        for (int exponent = -120; exponent <= 120; exponent += 40) {
            for (int i = 0; i < 5; i++) scaled[i] = ldexp(c[i], 300 - i * exponent);
            double s = quartic_contact(scaled);
            ck_assert_msg(s >= ldexp(t, exponent) && s <= ldexp(t, exponent), "%a is not %a 2^%d", s, t, exponent);
        }
    }
}
END_TEST

int main(void)
{
    TCase *contacts = tcase_create("contacts");
    tcase_set_timeout(contacts, 120);
    tcase_add_test(contacts, test_whole_roots);
    tcase_add_test(contacts, test_random_coefficients);
    tcase_add_test(contacts, test_spheres);
    tcase_add_test(contacts, test_quadratic);
    tcase_add_loop_test(contacts, test_exact, 0, sizeof exact_cases / sizeof *exact_cases);
    tcase_add_test(contacts, test_scales);
    return suite_run("quartic", contacts);
}
