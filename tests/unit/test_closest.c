/* Detects wrong closest points of points, triangles and segments, against an exhaustive search in extended precision, and other
 * bits for several pairs at a time. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"

#include "geometry/closest_lanes.h"

typedef long double wide;

static wide wide_dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Squared distance of a point at w from the start of a segment; 0 <= s <= 1. */
static wide from_segment(const wide w[3], const wide d[3])
{
    wide square = wide_dot(d, d), s = square > 0 ? wide_dot(w, d) / square : 0, r[3];
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    for (int k = 0; k < 3; k++) r[k] = w[k] - s * d[k];
    return wide_dot(r, r);
}

/* Shortest |w + s d - u f| by thirds in s: the distance from a segment is convex. */
static wide between_segments(const wide w[3], const wide d[3], const wide f[3])
{
    wide low = 0, high = 1, best = INFINITY, x[3];
    for (int n = 0; n < 240; n++) {
        wide s[2] = {low + (high - low) / 3, high - (high - low) / 3}, value[2];
        for (int q = 0; q < 2; q++) {
            for (int k = 0; k < 3; k++) x[k] = w[k] + s[q] * d[k];
            value[q] = from_segment(x, f);
            best = value[q] < best ? value[q] : best;
        }
        *(value[0] < value[1] ? &high : &low) = value[0] < value[1] ? s[1] : s[0];
    }
    for (int q = 0; q < 2; q++) {
        for (int k = 0; k < 3; k++) x[k] = w[k] + q * d[k];
        best = from_segment(x, f) < best ? from_segment(x, f) : best;
    }
    return sqrtl(best);
}

/* A triangle is made of segments parallel to its first side. */
static wide from_triangle(const double p[3], const double t[3][3])
{
    wide low = 0, high = 1, best = INFINITY, w[3], d[3];
    for (int n = 0; n < 240; n++) {
        wide s[2] = {low + (high - low) / 3, high - (high - low) / 3}, value[2];
        for (int q = 0; q < 2; q++) {
            for (int k = 0; k < 3; k++) {
                w[k] = (wide)p[k] - t[0][k] - s[q] * ((wide)t[2][k] - t[0][k]);
                d[k] = (1 - s[q]) * ((wide)t[1][k] - t[0][k]);
            }
            value[q] = from_segment(w, d);
            best = value[q] < best ? value[q] : best;
        }
        *(value[0] < value[1] ? &high : &low) = value[0] < value[1] ? s[1] : s[0];
    }
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            w[k] = (wide)p[k] - t[c][k];
            d[k] = (wide)t[(c + 1) % 3][k] - t[c][k];
        }
        wide side = from_segment(w, d);
        best = side < best ? side : best;
    }
    return sqrtl(best);
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static dice die;

static double uniform(void)
{
    return dice_real(&die, 0, 1);
}

static uint32_t below(uint32_t n)
{
    return dice_below(&die, n);
}

static double coordinate(void)
{
    switch (below(4)) {
    case 0:
        return below(3);
    case 1:
        return below(5) * 0.25;
    default:
        return 2 * uniform() - 1;
    }
}

static void scatter(double (*x)[3], int count)
{
    for (int n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) x[n][k] = coordinate();
}

/* Moves x[n] near to a combination of two others: on their line, or nearly so. */
static void degrade(double (*x)[3], int count)
{
    static const double sizes[] = {0, 0, 1e-300, 1e-18, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-3};
    int n = (int)below((uint32_t)count), i = (int)below((uint32_t)count), j = (int)below((uint32_t)count);
    double share = below(3) == 0 ? below(2) : 3 * uniform() - 1, size = sizes[below(12)];
    for (int k = 0; k < 3; k++) x[n][k] = x[i][k] + share * (x[j][k] - x[i][k]) + size * (2 * uniform() - 1);
}

/* The last segment parallel to the first, or nearly so. */
static void align(double x[4][3])
{
    double by = 4 * uniform() - 2, off = pow(10, -18 * uniform());
    for (int k = 0; k < 3; k++) x[3][k] = x[2][k] + by * (x[1][k] - x[0][k]) + off * (2 * uniform() - 1);
}

static void draw(double x[4][3], bool may_align)
{
    scatter(x, 4);
    for (uint32_t n = below(4); n > 0; n--) degrade(x, 4);
    if (may_align && below(3) == 0) align(x);
    const double size = below(4) == 0 ? pow(10, 12 * uniform() - 6) : 1;
    for (int n = 0; n < 12; n++) x[n / 3][n % 3] *= size;
}

static double size_of(double x[4][3])
{
    double most = 0;
    for (int n = 1; n < 4; n++)
        for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[n][k] - x[0][k]));
    return most;
}

/* Neither larger than the truth nor smaller, but for rounding: in units of the sizes. */
static double error_of(const double r[3], wide truth, double size)
{
    double distance = sqrt(dot3(r, r));
    ck_assert(isfinite(distance));
    return size > 0 ? (double)fabsl(distance - truth) / size : distance;
}

enum { TRIALS = 60000 };

START_TEST(triangles)
{
    double worst = 0;
    die.state = 1;
    for (int n = 0; n < TRIALS; n++) {
        double x[4][3], r[3], share[3], at[3];
        draw(x, false);
        const double(*t)[3] = (const double(*)[3])x;
        closest_in_triangle(x[3], t, r, share);
        worst = fmax(worst, error_of(r, from_triangle(x[3], t), size_of(x)));
        ck_assert_double_ge(fmin(fmin(share[0], share[1]), share[2]), 0);
        ck_assert_double_le(fabs(share[0] + share[1] + share[2] - 1), 1e-15);
        for (int k = 0; k < 3; k++) {
            at[k] = x[3][k] - (share[0] * x[0][k] + share[1] * x[1][k] + share[2] * x[2][k]) - r[k];
            ck_assert_double_le(fabs(at[k]), 1e-14 * (size_of(x) + fabs(x[0][k])));
        }
    }
    printf("triangles: worst error %.3g of the size\n", worst);
    ck_assert_double_lt(worst, 2e-14);
}
END_TEST

START_TEST(segments)
{
    double worst = 0;
    die.state = 2;
    for (int n = 0; n < TRIALS; n++) {
        double x[4][3], w[3], d[3], f[3], r[3], along[2];
        wide ww[3], wd[3], wf[3];
        draw(x, true);
        for (int k = 0; k < 3; k++) {
            ww[k] = w[k] = x[0][k] - x[2][k];
            wd[k] = d[k] = x[1][k] - x[0][k];
            wf[k] = f[k] = x[3][k] - x[2][k];
        }
        closest_of_segments(w, d, f, r, along);
        worst = fmax(worst, error_of(r, between_segments(ww, wd, wf), size_of(x)));
        for (int q = 0; q < 2; q++) ck_assert(along[q] >= 0 && along[q] <= 1);
        for (int k = 0; k < 3; k++)
            ck_assert_double_le(fabs(w[k] + along[0] * d[k] - along[1] * f[k] - r[k]), 1e-14 * size_of(x));
    }
    printf("segments: worst error %.3g of the size\n", worst);
    ck_assert_double_lt(worst, 4e-15);
}
END_TEST

/* ---- several pairs at a time ------------------------------------------------------------------------------------- */

static void enter(const double *from, int count, lanes *to, int lane)
{
    for (int k = 0; k < count; k++) to[k][lane] = from[k];
}

static void expect_lane(const double *expected, int count, const lanes *all, int lane)
{
    for (int k = 0; k < count; k++) {
        const double one = all[k][lane];
        ck_assert_msg(memcmp(&one, &expected[k], sizeof one) == 0, "number %d: %a, expected %a", k, one, expected[k]);
    }
}

START_TEST(lanes_of_triangles)
{
    die.state = 3;
    for (int n = 0; n < TRIALS / LANES; n++) {
        double x[4][3], r[LANES][3], share[LANES][3];
        lanes p[3], t[3][3], all[3], shares[3];
        for (int lane = 0; lane < LANES; lane++) {
            draw(x, false);
            enter(x[3], 3, p, lane);
            for (int c = 0; c < 3; c++) enter(x[c], 3, t[c], lane);
            closest_in_triangle(x[3], (const double(*)[3])x, r[lane], share[lane]);
        }
        closest_in_triangle_lanes(p, (const lanes(*)[3])t, all, shares);
        for (int lane = 0; lane < LANES; lane++) {
            expect_lane(r[lane], 3, all, lane);
            expect_lane(share[lane], 3, shares, lane);
        }
    }
}
END_TEST

START_TEST(lanes_of_segments)
{
    die.state = 4;
    for (int n = 0; n < TRIALS / LANES; n++) {
        double x[4][3], w[3], d[3], f[3], r[LANES][3], along[LANES][2];
        lanes ws[3], ds[3], fs[3], all[3], alongs[2];
        for (int lane = 0; lane < LANES; lane++) {
            draw(x, true);
            for (int k = 0; k < 3; k++) {
                w[k] = x[0][k] - x[2][k];
                d[k] = x[1][k] - x[0][k];
                f[k] = x[3][k] - x[2][k];
            }
            enter(w, 3, ws, lane);
            enter(d, 3, ds, lane);
            enter(f, 3, fs, lane);
            closest_of_segments(w, d, f, r[lane], along[lane]);
        }
        closest_of_segments_lanes(ws, ds, fs, all, alongs);
        for (int lane = 0; lane < LANES; lane++) {
            expect_lane(r[lane], 3, all, lane);
            expect_lane(along[lane], 2, alongs, lane);
        }
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, triangles);
    tcase_add_test(all, segments);
    tcase_add_test(all, lanes_of_triangles);
    tcase_add_test(all, lanes_of_segments);
    tcase_set_timeout(all, 300);
    return suite_run("closest points", all);
}
