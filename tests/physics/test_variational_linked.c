/* Detects errors of linked segments, rigid bodies, drives and springs in the engine `variational`: other bits than
 * the oracle or a resumed run, and crossings found by brute force. */
#include "../support/expect.h"
#include "../support/oracle.h"
#include "../support/random_linked.h"
#include "../support/suite.h"

#include "geometry/closest.h"

static play_text text;

static oracle_case case_of(const linked_scene *s, uint64_t seed)
{
    return (oracle_case){.text = text.text, .seed = seed, .time = s->time};
}

static void compare(uint64_t seed)
{
    const linked_scene s = random_linked_write(&text, seed);
    const oracle_case c = case_of(&s, seed);
    printf("%llu: %dd, %u nodes, %u rods: ", (unsigned long long)seed, s.dimension, s.count, s.rods);
    oracle_compare(&c, UINT64_MAX);
}

static void resume(uint64_t seed)
{
    const linked_scene s = random_linked_write(&text, seed);
    const oracle_case c = case_of(&s, seed);
    oracle_resume(&c, "linked");
}

/* ---- brute force ------------------------------------------------------------------------------------------------- */

/* A rod, or a ball: a rod without length. */
typedef struct shape {
    double at[3], way[3], radius;
    uint32_t ends[2];
} shape;

static void nearest(const linked_scene *s, double r[3])
{
    for (int k = 0; k < s->dimension; k++)
        if (s->periodic[k]) r[k] -= s->edge * rint(r[k] / s->edge);
}

static shape shape_of(const linked_scene *s, const carom_frame *f, uint32_t i, uint32_t j, double diameter)
{
    const size_t d = (size_t)s->dimension;
    shape a = {.radius = 0.5 * diameter, .ends = {i, j}};
    for (size_t k = 0; k < d; k++) {
        a.at[k] = f->position[i * d + k];
        a.way[k] = f->position[j * d + k] - a.at[k];
    }
    nearest(s, a.way);
    return a;
}

static bool may_touch(const linked_scene *s, const shape *a, const shape *b)
{
    bool one = true, driven = true;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            uint32_t i = a->ends[p], j = b->ends[q];
            if (i == j) return false;
            one = one && s->owner[i] > 0 && s->owner[i] == s->owner[j];
            driven = driven && s->driven[i] && s->driven[j];
        }
    return !one && !driven;
}

/* Between surfaces, which the layers keep apart: at contact the gap of the cores is the thickness. */
static double gap_of(const linked_scene *s, const shape *a, const shape *b)
{
    double r[3] = {0}, shift[3] = {0};
    for (int k = 0; k < s->dimension; k++) {
        r[k] = a->at[k] - b->at[k];
        shift[k] = r[k] + 0.5 * (a->way[k] - b->way[k]);
        r[k] -= shift[k];
    }
    nearest(s, shift);
    for (int k = 0; k < s->dimension; k++) r[k] += shift[k];
    return sqrt(segment_distance2(r, a->way, b->way)) - a->radius - b->radius;
}

static double height(const linked_scene *s, const shape *a, double time, double begins)
{
    const int last = s->dimension - 1;
    double floor = s->plane + s->lift * fmax(time - begins, 0);
    return fmin(a->at[last], a->at[last] + a->way[last]) - floor - a->radius;
}

/* The smallest gap of a frame between surfaces, walls too. */
static double smallest_gap(const linked_scene *s, const carom_frame *f)
{
    static shape all[LINKED_MOST + LINKED_RODS];
    uint32_t count = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < s->count; i++) all[count++] = shape_of(s, f, i, i, s->ball);
    for (uint32_t r = 0; r < s->rods; r++) all[count++] = shape_of(s, f, s->ends[r][0], s->ends[r][1], s->rod);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++)
            if (may_touch(s, &all[i], &all[j])) least = fmin(least, gap_of(s, &all[i], &all[j]));
        for (int k = 0; k < s->dimension && !s->driven[all[i].ends[0]]; k++) {
            if (f->boundary[k] != FRAME_WALL) continue;
            double low = fmin(all[i].at[k], all[i].at[k] + all[i].way[k]),
                   high = fmax(all[i].at[k], all[i].at[k] + all[i].way[k]);
            least = fmin(least, fmin(low, s->edge - high) - all[i].radius);
        }
        if (!isnan(s->plane) && !s->driven[all[i].ends[0]])
            least = fmin(least, height(s, &all[i], f->time, 0.2 * s->time / 1.5));
    }
    return least;
}

enum { LOOKS = 150 };

/* Cores never touch: surfaces, which are eta farther out, overlap by less than twice that. */
static double watch(uint64_t seed)
{
    linked_scene s = random_linked_write(&text, seed);
    play p = play_open(text.text, NULL);
    const double eta = strstr(text.text, "eta: 0.05") != NULL ? 0.05 : 0.02;
    double least = INFINITY;
    for (int n = 1; n <= LOOKS; n++) {
        play_advance(&p, s.time * n / LOOKS);
        double gap = smallest_gap(&s, carom_sim_frame(p.sim)) + 2 * eta;
        if (!(gap > 0))
            ck_abort_msg("scene %llu: at %.9g cores overlap by %.3g\n%s", (unsigned long long)seed, s.time * n / LOOKS,
                         -gap, text.text);
        least = fmin(least, gap / (2 * eta));
    }
    play_close(&p);
    return least;
}

static uint64_t first, count = 16;

START_TEST(oracle_agrees)
{
    if ((uint64_t)_i < count) compare(first + (uint64_t)_i);
}
END_TEST

START_TEST(resumed_within_contacts)
{
    for (uint64_t k = 0; k < count / 2; k++) resume(first + k);
}
END_TEST

START_TEST(nothing_crosses)
{
    double least = INFINITY;
    for (uint64_t k = 0; k < count; k++) least = fmin(least, watch(first + k));
    printf("smallest gap of cores over the thickness: %.3g\n", least);
    ck_assert_double_lt(least, 0.5); /* there were impacts, and hard ones */
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    suite_scenes(argc, argv, &first, &count);
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(rest, oracle_agrees, 0, 3);
    tcase_add_loop_test(more, oracle_agrees, 3, 4);
    tcase_add_loop_test(all, oracle_agrees, 4, 5); /* of few forces */
    tcase_add_loop_test(rest, oracle_agrees, 5, (int)count);
    tcase_add_test(all, resumed_within_contacts);
    tcase_add_test(all, nothing_crosses);
    tcase_set_timeout(all, 600);
    return suite_run("variational, linked", all, more, rest);
}
