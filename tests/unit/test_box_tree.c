/* Detects pairs that the tree of boxes misses or invents, against all pairs of boxes. */
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"

#include "neighbors/box_tree.h"

#include <string.h>

enum { MOST = 300 };

static dice die = {7};

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

static tree_box boxes[MOST];
static int told[MOST];

static void tell(tree_path *path, uint32_t item, void *data)
{
    (void)path;
    (void)data;
    told[item]++;
}

/* Squared distance of a place on the way from a box. */
static double apart(const tree_path *p, double share, const tree_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double x = p->from[k] + share * p->way[k];
        const double off = x < b->low[k] ? b->low[k] - x : x > b->high[k] ? x - b->high[k] : 0;
        sum += off * off;
    }
    return sum;
}

/* Every box that the ball touches is told, once; few others are. */
static void look(const box_tree *t, uint32_t count, tree_path path, uint64_t *all, uint64_t *needed)
{
    memset(told, 0, sizeof told);
    const double share = path.share;
    box_tree_follow(t, &path, tell, NULL);
    for (uint32_t n = 0; n < count; n++) {
        double least = INFINITY;
        for (int k = 0; k <= 200; k++) least = fmin(least, apart(&path, share * k / 200, &boxes[n]));
        const bool touched = least <= path.reach * path.reach;
        ck_assert_msg(!touched || told[n] == 1, "box %u told %d times", n, told[n]);
        ck_assert_int_le(told[n], 1);
        *all += (uint64_t)told[n];
        *needed += touched;
    }
}

START_TEST(balls_and_boxes)
{
    uint64_t all = 0, needed = 0;
    for (uint32_t trial = 0; trial < 200; trial++) {
        const uint32_t count = trial < 20 ? trial : 20 + trial;
        error e = {0};
        box_tree *t;
        for (uint32_t n = 0; n < count; n++)
            for (int k = 0; k < 3; k++) {
                boxes[n].low[k] = trial % 5 == 0 ? floor(uniform(-3, 3)) : uniform(-3, 3); /* many alike, too */
                boxes[n].high[k] = boxes[n].low[k] + (trial % 3 == 0 ? 0 : uniform(0, 0.5));
            }
        ck_assert_int_eq(box_tree_create(&t, boxes, count, &e), CAROM_OK);
        for (int n = 0; n < 20; n++) {
            tree_path p = {.reach = n % 3 == 0 ? 0.01 : uniform(0, 0.7), .share = uniform(0, 1)};
            for (int k = 0; k < 3; k++) {
                p.from[k] = uniform(-4, 4);
                p.way[k] = n % 4 == 0 && k < 2 ? 0 : uniform(-6, 6);
            }
            look(t, count, p, &all, &needed);
        }
        box_tree_destroy(t);
    }
    printf("%llu boxes touched, %llu told\n", (unsigned long long)needed, (unsigned long long)all);
    ck_assert_uint_lt(all, 10 * needed);
}
END_TEST

START_TEST(renumbered)
{
    error e = {0};
    box_tree *t;
    uint32_t before[50], seen[50] = {0};
    for (uint32_t n = 0; n < 50; n++)
        for (int k = 0; k < 3; k++) boxes[n].low[k] = boxes[n].high[k] = uniform(-1, 1);
    ck_assert_int_eq(box_tree_create(&t, boxes, 50, &e), CAROM_OK);
    box_tree_renumber(t, before);
    for (uint32_t n = 0; n < 50; n++) seen[before[n]]++;
    for (uint32_t n = 0; n < 50; n++) ck_assert_uint_eq(seen[n], 1);
    for (uint32_t n = 0; n < 50; n++) {
        tree_path p = {.reach = 1e-9, .share = 1};
        memcpy(p.from, boxes[before[n]].low, sizeof p.from);
        memset(told, 0, sizeof told);
        box_tree_follow(t, &p, tell, NULL);
        ck_assert_int_eq(told[n], 1);
    }
    box_tree_destroy(t);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, balls_and_boxes);
    tcase_add_test(all, renumbered);
    return suite_run("box tree", all);
}
