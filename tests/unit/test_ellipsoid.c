/* Detects a wrong gap of two ellipsoids, in the engine and in verify, against known cases and brute force. */
#include "../support/expect.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

#include "geometry/ellipsoid.h"
#include "output/verify/verify_ellipsoids.h"

static posed made(dice *d, int dimension, double slender)
{
    const double stretch = exp(dice_real(d, -log(slender), log(slender))), size = dice_real(d, 0.3, 1);
    posed e = {.along = size * sqrt(stretch), .across = size / sqrt(stretch)};
    double square = 0;
    for (int k = 0; k < dimension; k++) {
        e.axis[k] = dice_real(d, -1, 1);
        square += e.axis[k] * e.axis[k];
    }
    for (int k = 0; k < dimension; k++) e.axis[k] /= sqrt(square);
    return e;
}

static double gap_at(const posed *p, const posed *q, const double r[3], double n[3])
{
    double share = posed_guess(p, q);
    return ellipsoid_gap(p, q, r, &share, n);
}

static double along_normal(const posed *p, const posed *q, const double r[3], const double n[3])
{
    return dot3(n, r) - ellipsoid_reach(p, n, NULL) - ellipsoid_reach(q, n, NULL);
}

/* Climbs from n: the largest gap of shadows near it, by ever smaller random steps. */
static double climb(dice *d, int dimension, const posed *p, const posed *q, const double r[3], double n[3])
{
    double best = along_normal(p, q, r, n);
    for (double step = 0.5; step > 1e-9; step *= 0.9)
        for (int try = 0; try < 12; try++) {
            double m[3] = {0}, square = 0;
            for (int k = 0; k < dimension; k++) {
                m[k] = n[k] + step * dice_real(d, -1, 1);
                square += m[k] * m[k];
            }
            for (int k = 0; k < 3; k++) m[k] /= sqrt(square);
            const double gap = along_normal(p, q, r, m);
            if (gap <= best) continue;
            best = gap;
            memcpy(n, m, sizeof m);
        }
    return best;
}

START_TEST(aligned_are_stretched_spheres)
{
    dice d = {7};
    for (int n = 0; n < 1000; n++) {
        posed p = {.axis = {0, 0, 1}, .along = 1.7, .across = 0.4}, q = p;
        double r[3], normal[3], square = 0, wide = dice_real(&d, -1e-6, 1e-6) * (n % 2);
        for (int k = 0; k < 3; k++) {
            r[k] = dice_real(&d, -1, 1);
            square += r[k] * r[k];
        }
        for (int k = 0; k < 3; k++) r[k] *= 2 * (1 + wide) / sqrt(square) * (k == 2 ? 1.7 : 0.4);
        const double gap = gap_at(&p, &q, r, normal);
        REQUIRE(n % 2 ? gap * wide > 0 : fabs(gap) < 1e-14);
        for (int k = 0; k < 3; k++) { /* the normal of the ellipsoid twice as large */
            const double semi = k == 2 ? 1.7 : 0.4, level = r[k] / (semi * semi);
            square = hypot(hypot(r[0] / 0.16, r[1] / 0.16), r[2] / 2.89);
            REQUIRE(fabs(normal[k] - level / square) < 1e-13);
        }
    }
}
END_TEST

/* Along axes of symmetry gaps are sums of lengths. */
START_TEST(on_a_line)
{
    const posed rod = {{1, 0, 0}, 2, 0.1}, coin = {{1, 0, 0}, 0.1, 2}, ball = {{0, 1, 0}, 0.5, 0.5},
                cross = {{0, 0, 1}, 2, 0.1};
    double n[3];
    EXPECT_CLOSE("rod, ball", gap_at(&rod, &ball, (double[]){2.75, 0, 0}, n), 0.25, 1e-14);
    EXPECT_CLOSE("rod, ball beside", gap_at(&rod, &ball, (double[]){0, 0.75, 0}, n), 0.15, 1e-14);
    EXPECT_CLOSE("coin, rod", gap_at(&coin, &rod, (double[]){2.25, 0, 0}, n), 0.15, 1e-14);
    EXPECT_CLOSE("coin, coin", gap_at(&coin, &coin, (double[]){0.25, 0, 0}, n), 0.05, 1e-14);
    EXPECT_CLOSE("crossed rods", gap_at(&rod, &cross, (double[]){0, 0.3, 0}, n), 0.1, 1e-14);
    EXPECT_CLOSE("a T", gap_at(&rod, &cross, (double[]){2.2, 0, 0}, n), 0.1, 1e-14);
    EXPECT_CLOSE("deep in each other", gap_at(&rod, &cross, (double[]){0, 0, 0}, n) < 0, 1, 0);
}
END_TEST

/* Never more than the largest gap of shadows, of its sign, and that itself in contact. */
START_TEST(brute_force)
{
    dice d = {11};
    double worst = 0;
    for (int n = 0; n < 300; n++) {
        const int dimension = 2 + n % 2;
        const posed p = made(&d, dimension, n % 3 ? 3 : 20), q = made(&d, dimension, n % 3 ? 3 : 20);
        double way[3] = {0}, r[3], normal[3], low = 0, high = 20;
        for (int k = 0; k < dimension; k++) way[k] = dice_real(&d, -1, 1);
        const double length = sqrt(dot3(way, way));
        for (int step = 0; step < 200; step++) { /* into contact */
            const double middle = 0.5 * (low + high);
            for (int k = 0; k < 3; k++) r[k] = middle * way[k] / length;
            if (gap_at(&p, &q, r, normal) > 0)
                high = middle;
            else
                low = middle;
        }
        const double contact = climb(&d, dimension, &p, &q, r, normal);
        worst = fmax(worst, fabs(contact));
        for (double scale = 0.97; scale < 3; scale *= 1.3) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = scale * r[k];
            const double gap = gap_at(&p, &q, at, normal), most = climb(&d, dimension, &p, &q, at, normal);
            REQUIRE((gap > 0) == (scale > 1) && (most > 0) == (scale > 1) && gap <= most + 1e-12);
        }
    }
    EXPECT_CLOSE("largest gap of shadows in contact", worst, 0, 1e-10);
}
END_TEST

/* Two ways to tell an overlap that share nothing: a third of the pairs nearly touch. */
START_TEST(verify_agrees)
{
    dice d = {13};
    int overlaps = 0, unclear = 0;
    double deepest = 0;
    for (int n = 0; n < 200000; n++) {
        const int dimension = 2 + n % 2;
        const posed p = made(&d, dimension, 20), q = made(&d, dimension, 20);
        const double u[2][3] = {{p.axis[0], p.axis[1], p.axis[2]}, {q.axis[0], q.axis[1], q.axis[2]}};
        const double semi[2][3] = {{p.along, p.across, p.across}, {q.along, q.across, q.across}};
        double r[3] = {0}, normal[3];
        for (int k = 0; k < dimension; k++) r[k] = dice_real(&d, -2, 2);
        double gap = gap_at(&p, &q, r, normal);
        for (int near = 0; n % 3 == 0 && near < 3; near++) {
            for (int k = 0; k < 3; k++) r[k] -= 0.999 * gap * normal[k];
            gap = gap_at(&p, &q, r, normal);
        }
        const double depth = verify_ellipsoids_depth(u, semi, r), thin = fmin(fmin(p.along, p.across), q.across);
        if (fabs(gap) < 1e-11 * thin || fabs(depth) < 1e-11) {
            unclear++;
            continue;
        }
        REQUIRE((depth > 0) == (gap < 0));
        overlaps += depth > 0;
        deepest = fmax(deepest, depth);
    }
    printf("%d of 200000 pairs overlap, the deepest by %g; %d within rounding\n", overlaps, deepest, unclear);
    ck_assert_int_gt(overlaps, 20000);
    ck_assert_int_lt(unclear, 10000);
}
END_TEST

int main(void)
{
    TCase *gap = tcase_create("gap");
    tcase_add_test(gap, aligned_are_stretched_spheres);
    tcase_add_test(gap, on_a_line);
    tcase_add_test(gap, brute_force);
    tcase_add_test(gap, verify_agrees);
    return suite_run("ellipsoid", gap);
}
