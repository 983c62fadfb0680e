/* Detects domains that do not fill space, or have other weights than the mean, that disagree on their distance, or whose distances from points are wrong. */
#include "../support/dice.h"
#include "../support/suite.h"

#include "base/memory.h"
#include "parallel/cuts.h"

#include <math.h>

enum { POINTS = 200, SCENES = 200, DOMAINS_DRAWN = 12 };

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

typedef struct points {
    double (*r)[3];
    uint64_t *weight;
} points;

static carom_status count_points(void *context, const cutting *k, uint64_t *table, error *e)
{
    const points *p = context;
    (void)e;
    for (int i = 0; i < POINTS; i++) cutting_count(k, table, p->r[i], p->weight[i]);
    return CAROM_OK;
}

static cuts_bodies bodies_of(points *p)
{
    cuts_bodies b = {.context = p, .count = count_points};
    for (int k = 0; k < 3; k++) {
        b.low[k] = b.high[k] = p->r[0][k];
        for (int i = 0; i < POINTS; i++) {
            b.low[k] = fmin(b.low[k], p->r[i][k]);
            b.high[k] = fmax(b.high[k], p->r[i][k]);
        }
    }
    return b;
}

/* At each of the levels of cuts a body may be on the wrong side. */
static void check_weights(const cuts *c, const points *p)
{
    double of[DOMAINS_DRAWN] = {0}, mean = 0, most = 0, levels = ceil(log2(c->domains));
    for (int i = 0; i < POINTS; i++) {
        of[cuts_domain(c, p->r[i])] += (double)p->weight[i];
        mean += (double)p->weight[i] / c->domains;
        most = fmax(most, (double)p->weight[i]);
    }
    for (int n = 0; n < c->domains; n++)
        if (fabs(of[n] - mean) > levels * most)
            ck_abort_msg("domain %d of %d has the weight %g, the mean is %g", n, c->domains, of[n], mean);
}

static void check_point(const cuts *c, const double r[3])
{
    const int own = cuts_domain(c, r);
    ck_assert(own >= 0 && own < c->domains);
    for (int n = 0; n < c->domains; n++) {
        const double wanted = distance_squared(c, n, r), found = cuts_distance_squared(c, n, r);
        if (fabs(found - wanted) > 1e-13 * (1 + wanted))
            ck_abort_msg("distance^2 %.17g, expected %.17g", found, wanted);
        if (n != own) ck_assert(sqrt(found) >= cuts_depth(c, own, r) - 1e-12);
    }
}

START_TEST(distances_are_those_of_all_images)
{
    die = (dice){(uint64_t)_i};
    const int dimension = 2 + (int)dice_below(&die, 2), domains = 1 + (int)dice_below(&die, DOMAINS_DRAWN);
    double r[POINTS][3] = {{0}}, box[3], dense = dice_real(&die, 0.3, 3);
    uint64_t weight[POINTS];
    points p = {r, weight};
    cuts c, again;
    error e = {0};
    for (int k = 0; k < 3; k++) box[k] = dice_below(&die, 3) > 0 ? dice_real(&die, 1, 100) : 0;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < dimension; k++) r[i][k] = (box[k] > 0 ? box[k] : 10) * pow(dice_real(&die, 0, 1), dense);
    for (int i = 0; i < POINTS; i++) weight[i] = 1 + dice_below(&die, 4);
    const cuts_bodies bodies = bodies_of(&p);
    ck_assert_int_eq(cuts_make(&c, dimension, box, domains, NULL, &bodies, &e), CAROM_OK);
    for (int i = 0; i < POINTS; i++) check_point(&c, r[i]);
    check_weights(&c, &p);
    for (int n = 0; n < domains; n++)
        for (int m = 0; m < n; m++)
            ck_assert(cuts_between_squared(&c, &c.region[n], m) ==
                      cuts_between_squared(&c, &c.region[m], n)); /* to the last bit */
    for (int i = 0; i < POINTS; i++) weight[i] = 1 + dice_below(&die, 4);
    ck_assert_int_eq(cuts_make(&again, dimension, box, domains, &c, &bodies, &e), CAROM_OK);
    check_weights(&again, &p);
    cuts_free(&c);
    cuts_free(&again);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("cuts");
    tcase_add_loop_test(c, distances_are_those_of_all_images, 0, SCENES);
    return suite_run("test_cuts", c);
}
