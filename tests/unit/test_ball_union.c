/* Detects wrong volumes, centres or second moments of balls that overlap: matter that counts twice or not at all. */
#include <math.h>
#include <string.h>

#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "base/pi.h"
#include "geometry/ball_union.h"
#include "geometry/closest.h"

static ball_moments union_of(int dimension, const ball *balls, size_t count)
{
    ball_moments m;
    ck_assert(ball_union_of(dimension, balls, count, &m));
    return m;
}

/* Integral of z^n over [a, b]. */
static double power(double a, double b, int n)
{
    return (pow(b, n + 1) - pow(a, n + 1)) / (n + 1);
}

static const double turned[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}, away[3] = {3, -7, 11};

static void turn(const double r[3], double out[3])
{
    for (int p = 0; p < 3; p++) out[p] = away[p] + dot3(turned[p], r);
}

/* Two balls of radius 1, a distance d apart: a solid of revolution, whose slices are those of one ball on each side. */
START_TEST(dimer)
{
    static const double apart[] = {2, 1.999, 1.5, 1, 0.3, 1e-3};
    const double d = apart[_i], h = d / 2, top = h + 1;
    /* radius^2 = 1 - (z - h)^2 = (1 - h^2) + 2 h z - z^2 */
    const double c[3] = {1 - h * h, 2 * h, -1};
    double volume = 0, along = 0, across = 0;
    for (int p = 0; p < 3; p++) {
        volume += 2 * PI * c[p] * power(0, top, p);
        along += 2 * PI * c[p] * power(0, top, p + 2);
        for (int q = 0; q < 3; q++) across += 2 * PI / 4 * c[p] * c[q] * power(0, top, p + q);
    }
    ball two[2] = {{{0, 0, -h}, 1}, {{0, 0, h}, 1}};
    for (int k = 0; k < 2; k++) {
        double r[3];
        turn(two[k].at, r);
        memcpy(two[k].at, r, sizeof r);
    }
    const ball_moments m = union_of(3, two, 2);
    printf("distance %g, estimated error %.1e\n", d, m.error);
    ck_assert_double_le(m.error, 1e-13);
    EXPECT_CLOSE("volume", m.volume, volume, 3e-13 * volume);
    for (int p = 0; p < 3; p++) {
        EXPECT_CLOSE("centre", m.centre[p], away[p], 1e-13 * 11);
        for (int q = 0; q < 3; q++) {
            const double wanted = (along - across) * turned[p][2] * turned[q][2] + (p == q ? across : 0);
            EXPECT_CLOSE("second moment", m.second[p][q], wanted, 3e-13 * (along + across));
        }
    }
}
END_TEST

/* Two disks: each is cut by the common chord. */
START_TEST(disks)
{
    const double d = 1.1, h = d / 2, half = acos(h), chord = sin(half);
    const double segment = half - h * chord;      /* beyond the chord, from the centre of its disk */
    const double first = 2.0 / 3 * pow(chord, 3); /* its integral of x */
    const double xx = 0.25 * (half - sin(4 * half) / 4),
                 yy = 0.25 * (half - 2.0 / 3 * sin(2 * half) + sin(4 * half) / 12);
    const double area = 2 * (PI - segment);
    /* each disk without its segment, about the middle: x = h + s, with the segment at s < -h */
    const double along = 2 * (h * h * (PI - segment) + 2 * h * first + PI / 4 - xx), across = 2 * (PI / 4 - yy);
    const ball two[2] = {{{-h, 0, 0}, 1}, {{h, 0, 0}, 1}};
    const ball_moments m = union_of(2, two, 2);
    EXPECT_CLOSE("area", m.volume, area, 1e-13);
    EXPECT_CLOSE("along", m.second[0][0], along, 1e-13);
    EXPECT_CLOSE("across", m.second[1][1], across, 1e-13);
    EXPECT_CLOSE("mixed", m.second[0][1], 0, 1e-13);
}
END_TEST

/* A ball inside of another, and one given twice, add nothing; separate balls add up. */
START_TEST(nested)
{
    const ball four[4] = {{{1, 2, 3}, 1}, {{1.2, 2, 3}, 0.5}, {{1, 2, 3}, 1}, {{4, 2, 3}, 0.5}};
    const ball_moments m = union_of(3, four, 4);
    const double big = 4 * PI / 3, small = big / 8, volume = big + small, x = (big + 4 * small) / volume;
    EXPECT_CLOSE("volume", m.volume, volume, 1e-12);
    EXPECT_CLOSE("centre", m.centre[0], x, 1e-12);
    const double xx = big * (0.2 + (x - 1) * (x - 1)) + small * (0.05 + (4 - x) * (4 - x));
    EXPECT_CLOSE("along", m.second[0][0], xx, 1e-11);
    EXPECT_CLOSE("across", m.second[1][1], big * 0.2 + small * 0.05, 1e-12);
}
END_TEST

/* Balls in a heap: turned, their moments turn along, though the slices are others; and random points inside count as many. */
START_TEST(heap)
{
    enum { MOST = 8, POINTS = 200000 };
    dice d = {.state = 77 + (uint64_t)_i};
    ball before[MOST], after[MOST];
    const size_t count = 3 + (size_t)_i % (MOST - 2);
    for (size_t i = 0; i < count; i++) {
        before[i].radius = dice_real(&d, 0.4, 1);
        for (int k = 0; k < 3; k++) before[i].at[k] = dice_real(&d, -0.7, 0.7);
        turn(before[i].at, after[i].at);
        after[i].radius = before[i].radius;
    }
    const ball_moments a = union_of(3, before, count), b = union_of(3, after, count);
    printf("%zu balls, estimated errors %.1e, %.1e\n", count, a.error, b.error);
    ck_assert_double_le(fmax(a.error, b.error), 1e-13);
    EXPECT_CLOSE("volume", b.volume, a.volume, 1e-13 * a.volume);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            double wanted = 0;
            for (int k = 0; k < 9; k++) wanted += turned[p][k / 3] * turned[q][k % 3] * a.second[k / 3][k % 3];
            EXPECT_CLOSE("second moment", b.second[p][q], wanted, 1e-13 * a.volume);
        }
    double hits = 0, square = 0;
    for (int n = 0; n < POINTS; n++) {
        double r[3], far = 0;
        bool inside = false;
        for (int k = 0; k < 3; k++) r[k] = dice_real(&d, -1.7, 1.7);
        for (size_t i = 0; i < count; i++) {
            far = 0;
            for (int k = 0; k < 3; k++) far += pow(r[k] - before[i].at[k], 2);
            inside = inside || far < before[i].radius * before[i].radius;
        }
        hits += inside;
        square += inside ? r[0] * r[0] : 0;
    }
    const double box = pow(3.4, 3), share = hits / POINTS;
    EXPECT_CLOSE("volume by random points", box * share, a.volume, 3 * box * sqrt(share * (1 - share) / POINTS));
    const double xx = a.second[0][0] + a.volume * a.centre[0] * a.centre[0];
    EXPECT_CLOSE("moment by random points", box * square / POINTS, xx, 3 * 1.7 * 1.7 * box * 0.5 / sqrt(POINTS));
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("union of balls");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, dimer, 0, 6);
    tcase_add_test(c, disks);
    tcase_add_test(c, nested);
    tcase_add_loop_test(c, heap, 0, 12);
    return suite_run("ball_union", c);
}
