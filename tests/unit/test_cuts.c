/* Detects domains that do not fill space, that disagree on their distance, or whose distances from points are wrong. */
#include "../support/dice.h"
#include "../support/suite.h"

#include "base/memory.h"
#include "parallel/cuts.h"

#include <math.h>

enum { POINTS = 200, SCENES = 200 };

static dice die;

static double squared(double x)
{
    return x * x;
}

/* Squared distance of a point from a region: the least of those of all images of the point. */
static double distance_squared(const cuts *c, int domain, const double r[3])
{
    double square = 0;
    for (int k = 0; k < c->dimension; k++) {
        double least = INFINITY;
        for (int turn = c->box[k] > 0 ? -1 : 0; turn <= (c->box[k] > 0 ? 1 : 0); turn++) {
            const double x = r[k] + turn * c->box[k];
            least = fmin(least, fmax(fmax(c->region[domain].low[k] - x, x - c->region[domain].high[k]), 0));
        }
        square += squared(least);
    }
    return square;
}

static void check_point(const cuts *c, const double r[3])
{
    const int own = cuts_domain(c, r);
    ck_assert(own >= 0 && own < c->domains);
    for (int n = 0; n < c->domains; n++) {
        const double wanted = distance_squared(c, n, r), found = cuts_distance_squared(c, n, r);
        if (fabs(found - wanted) > 1e-13 * (1 + wanted))
            ck_abort_msg("distance^2 %.17g, expected %.17g", found, wanted);
        const double depth = dice_real(&die, 0, 5);
        if (n != own && cuts_is_deep(c, own, r, depth)) ck_assert(found >= squared(depth) * (1 - 1e-13));
    }
}

START_TEST(distances_are_those_of_all_images)
{
    die = (dice){(uint64_t)_i};
    const int dimension = 2 + (int)dice_below(&die, 2), domains = 1 + (int)dice_below(&die, 12);
    double points[POINTS][3] = {{0}}, box[3];
    cuts c = {.domains = 0};
    error e = {0};
    for (int k = 0; k < 3; k++) box[k] = dice_below(&die, 3) > 0 ? dice_real(&die, 1, 100) : 0;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < dimension; k++) points[i][k] = dice_real(&die, 0, box[k] > 0 ? box[k] : 10);
    ck_assert_int_eq(cuts_make(&c, dimension, box, domains, POINTS, points, &e), CAROM_OK);
    for (int i = 0; i < POINTS; i++) check_point(&c, points[i]);
    for (int n = 0; n < domains; n++)
        for (int m = 0; m < n; m++)
            ck_assert(cuts_between_squared(&c, n, m) == cuts_between_squared(&c, m, n)); /* to the last bit */
    cuts_free(&c);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("cuts");
    tcase_add_loop_test(c, distances_are_those_of_all_images, 0, SCENES);
    return suite_run("test_cuts", c);
}
