/* Detects bodies that are held by supports which cannot carry them, and bodies that are not held by those which can. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"

#define CAROM_DIM 3
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

static double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void any_direction(dice *d, double n[3])
{
    do
        for (int k = 0; k < 3; k++) n[k] = dice_real(d, -1, 1);
    while (length_of(n) > 1 || length_of(n) < 0.1);
    const double length = length_of(n);
    for (int k = 0; k < 3; k++) n[k] /= length;
}

/* An orthonormal frame. */
static void any_frame(dice *d, double x[3], double y[3], double z[3])
{
    any_direction(d, x);
    do any_direction(d, y);
    while (fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) > 0.9);
    cross_of(x, y, z);
    const double length = length_of(z);
    for (int k = 0; k < 3; k++) z[k] /= length;
    cross_of(z, x, y);
}

/* Two walls, at the angle a to the middle of their normals; gravity at the angle f to it. Without friction they carry a
 * sphere for |f| <= a. Friction helps if each wall is within the cone of the other, tan a >= 1 / mu: then the walls may
 * press on the sphere with any force. A force along the groove makes it roll. Two bodies must be lower for that. */
START_TEST(two_walls)
{
    dice d = {99};
    int held = 0, wedged = 0;
    struct rotation rough = {.spin = NULL};
    for (int n = 0; n < 2000; n++) {
        const double a = dice_real(&d, 0.05, 1.5), f = dice_real(&d, 0, 1.5), mu = dice_real(&d, 0, 2);
        const double margin = fabs(mu * tan(a) - 1), aside = n % 5 == 0 ? 0.1 : 0;
        const bool bodies = n % 2 == 0;
        double x[3], y[3], z[3];
        any_frame(&d, x, y, z);
        gas g = {.rotation = &rough};
        supports s = {.count = 0};
        for (int k = 0; k < 3; k++) g.gravity[k] = sin(f) * x[k] - cos(f) * z[k] + aside * y[k];
        for (uint32_t side = 0; side < 2; side++) {
            real normal[3];
            for (int k = 0; k < 3; k++) normal[k] = cos(a) * z[k] + (side == 0 ? 1 : -1) * sin(a) * x[k];
            add_support(&s, (bodies ? 0 : PARTNER_SURFACE) + side, normal, 1, mu);
        }
        if (fabs(f - a) < 0.01 || margin < 0.05) continue;
        if (bodies && a > 1.2) continue; /* the search for forces without friction has too few sweeps */
        const bool wedge = mu * tan(a) > 1 && (!bodies || f + a < acos(0)), expected = aside == 0 && (f < a || wedge);
        ck_assert_msg(carried(&g, &s) == expected, "normals at %g, gravity at %g, mu %g, aside %g", a, f, mu, aside);
        held += expected;
        wedged += expected && f > a;
    }
    printf("%d held, %d of them by friction\n", held, wedged);
    ck_assert_int_ge(wedged, 100);
}
END_TEST

/* Friction holds what pressure holds; with smooth supports that is all, but for the limited number of sweeps. */
START_TEST(smooth_supports)
{
    dice d = {7};
    struct rotation rough = {.spin = NULL};
    int held = 0, differ = 0;
    for (int n = 0; n < 2000; n++) {
        gas g = {.rotation = &rough, .gravity = {0, 0, -1}};
        supports smooth = {.count = 0}, firm = {.count = 0};
        const uint32_t count = 1 + (uint32_t)dice_below(&d, 6);
        for (uint32_t k = 0; k < count; k++) {
            double normal[3];
            any_direction(&d, normal);
            if (normal[2] < -0.5) normal[2] = -normal[2];
            add_support(&smooth, PARTNER_SURFACE + k, normal, 1, 0);
            add_support(&firm, PARTNER_SURFACE + k, normal, 1, n % 2 ? 0.3 : INFINITY);
        }
        const bool pressed = carried_by_pressure(&g, &smooth), exact = carried_by_friction(&g, &smooth);
        differ += pressed != exact;
        held += pressed;
        if (pressed) ck_assert(exact && carried_by_friction(&g, &firm));
    }
    printf("%d held, %d more without a limit of sweeps\n", held, differ);
    ck_assert_int_le(differ, 40); /* 28: at the edge of the cones */
    ck_assert_int_gt(held, 200);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, two_walls);
    tcase_add_test(all, smooth_supports);
    return suite_run("supports", all);
}
