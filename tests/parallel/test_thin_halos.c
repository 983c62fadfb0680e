/* Detects results of parallel runs that depend on the cuts of space (drawn at random, moved during the run, domains without bodies)
 * or on the thickness of halos: some so thin that windows contain few events. */
#include "../support/random_domains.h"
#include "../support/suite.h"

#include "hard/kernel/tuning.h"
#include "parallel/cuts.h" /* before its function has another name */

#undef HALO_SHIELD
#define HALO_SHIELD drawn_shield
#undef HALO_PARTNERS
#define HALO_PARTNERS 0
#undef RECUT_IMBALANCE
#define RECUT_IMBALANCE (-1.0) /* new cuts at each re-basing */
#undef RECUT_DEVIATIONS
#define RECUT_DEVIATIONS 0
#undef RECUT_COST
#define RECUT_COST (-1.0)
#define cuts_make drawn_cuts
static double drawn_shield = 1;
static carom_status drawn_cuts(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                               const cuts_bodies *bodies, error *e);

#define CAROM_DIM 2
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"
#undef cuts_make

#include "../support/lone_engine.h"

enum { QUICK = 20, ALL = 120, EVENTS_MOST = 1500, STRETCHES = 4 };

static dice die;
static play_text text;

enum { POINTS = 64 };

static carom_status count_points(void *context, const cutting *k, uint64_t *table, error *e)
{
    const double(*r)[3] = context;
    (void)e;
    for (int n = 0; n < POINTS; n++) cutting_count(k, table, r[n], 1);
    return CAROM_OK;
}

/* Bisects points at random in a part of the box, in place of the bodies. */
static carom_status drawn_cuts(cuts *c, int dimension, const double box[3], int domains, const cuts *before,
                               const cuts_bodies *bodies, error *e)
{
    double r[POINTS][3] = {{0}};
    const double dense = dice_real(&die, 0.5, 4);
    cuts_bodies drawn = {.context = r, .count = count_points};
    (void)bodies;
    for (int k = 0; k < dimension; k++) {
        drawn.high[k] = box[k] > 0 ? box[k] : 12;
        for (int n = 0; n < POINTS; n++) r[n][k] = drawn.high[k] * pow(dice_real(&die, 0, 1), dense);
    }
    return cuts_make(c, dimension, box, domains, before, &drawn, e);
}

/* A change of no velocities: the bodies are united, and divided by new cuts. */
static void move_cuts(lone_engine *l, double time)
{
    if (l->kernel->set_velocities(l->self, time, 0, NULL, NULL, &l->e) != CAROM_OK)
        ck_abort_msg("%s", error_text(&l->e));
}

START_TEST(results_depend_neither_on_cuts_nor_on_halos)
{
    static const double shields[] = {0.01, 0.1, 0.5, 1.5};
    uint64_t number = 2 * (uint64_t)_i;
    die = (dice){number + 77};
    while (random_domains_write(&text, number, false, EVENTS_MOST).dimension != CAROM_DIM) number++;
    drawn_shield = shields[dice_below(&die, 4)];
    const engine_workers workers = {.threads = 2 + (int)dice_below(&die, 7)};
    play p = play_try(text.text, "hard.precision=double", NULL);
    lone_engine serial = {.self = NULL}, parallel = {.self = NULL};
    lone_create(&serial, p.scene, NULL, NULL);
    lone_create(&parallel, p.scene, &hard_kernel_of_test.run, &workers);
    for (int k = 1; k <= STRETCHES; k++) {
        lone_advance(&serial, (double)k / STRETCHES);
        lone_advance(&parallel, (double)k / STRETCHES);
        if (!lone_same(&serial, &parallel))
            ck_abort_msg("part %d: other results on %d threads with shields of %g\n%s", k, workers.threads,
                         drawn_shield, text.text);
        if (serial.stop != CAROM_STOP_TIME) break;
        const double time = (double)k / STRETCHES * serial.scene->until.time;
        move_cuts(&serial, time);
        move_cuts(&parallel, time);
    }
    lone_destroy(&serial);
    lone_destroy(&parallel);
    play_close(&p);
}
END_TEST

int main(int argc, char **argv)
{
    uint64_t first = 0, count = 0;
    suite_scenes(argc, argv, &first, &count);
    TCase *c = tcase_create("thin_halos"), *rest = suite_long_case();
    if (count > 0) {
        tcase_add_loop_test(c, results_depend_neither_on_cuts_nor_on_halos, (int)first, (int)(first + count));
        return suite_run("test_thin_halos", c);
    }
    suite_split_loop(c, rest, results_depend_neither_on_cuts_nor_on_halos, QUICK, ALL);
    tcase_set_timeout(c, 60);
    return suite_run("test_thin_halos", c, rest);
}
