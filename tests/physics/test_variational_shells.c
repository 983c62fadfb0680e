/* Meshes in the engine `variational`: against the oracle to the bit, resumed in the midst of contacts to the bit, and by brute force
 * over many frames: nothing passes through anything. */
#include "../support/expect.h"
#include "../support/random_shells.h"

#include "geometry/closest.h"

#include <unistd.h>

static play_text text;

/* ---- the oracle ------------------------------------------------------------------------------------------------------ */

/* False where an edge has grown too long for a periodic box, which ends a run. */
static bool goes_on(play *p, double time)
{
    carom_status status = carom_sim_advance(p->sim, time);
    if (status == CAROM_OK) return true;
    ck_assert_msg(strstr(carom_sim_message(p->sim), "too long for the periodic box") != NULL, "%s",
                  carom_sim_message(p->sim));
    return false;
}

enum { PIECES = 40, MOST_FORCES = 12000 };

/* As far as the oracle gets in some seconds. */
static void compare(uint64_t seed)
{
    shell_scene s = random_shells_write(&text, seed);
    play fast = play_open(text.text, NULL), slow = play_open(text.text, "variational.reference=true");
    for (int n = 1; n <= PIECES && carom_sim_frame(fast.sim)->events[EVENT_FORCE] < MOST_FORCES; n++) {
        if (!goes_on(&fast, s.linked.time * n / PIECES)) break;
        play_advance(&slow, s.linked.time * n / PIECES);
        const carom_frame *f = carom_sim_frame(fast.sim), *g = carom_sim_frame(slow.sim);
        if (f->state_hash != g->state_hash)
            ck_abort_msg("scene %llu, by %.9g: states differ, %llu forces or %llu\n%s", (unsigned long long)seed,
                         f->time, (unsigned long long)f->events[EVENT_FORCE],
                         (unsigned long long)g->events[EVENT_FORCE], text.text);
    }
    const carom_frame *f = carom_sim_frame(fast.sim);
    printf("%llu: %u meshes, %u vertices, %u others, %u segments: %llu impacts, %llu with walls, %llu forces\n",
           (unsigned long long)seed, s.meshes, s.vertices, s.linked.count, s.linked.rods,
           (unsigned long long)f->events[EVENT_COLLISION], (unsigned long long)f->events[EVENT_WALL],
           (unsigned long long)f->events[EVENT_FORCE]);
    play_close(&fast);
    play_close(&slow);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------------- */

static void resume(uint64_t seed)
{
    static const double stops[] = {0.31, 0.7, 1};
    char path[100], checkpoint[120], until[60];
    snprintf(path, sizeof path, "shells-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    shell_scene s = random_shells_write(&text, seed);
    play whole = play_open(text.text, NULL);
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
        snprintf(until, sizeof until, "run.until.time=%.17g", stops[k] * s.linked.time);
        if (!goes_on(&whole, stops[k] * s.linked.time)) break;
        play p = play_try(text.text, until, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        play_run(&p, CAROM_STOP_TIME);
        ck_assert_msg(play_hash(&p) == play_hash(&whole), "scene %llu, resumed: states differ by %.9g\n%s",
                      (unsigned long long)seed, stops[k] * s.linked.time, text.text);
        play_close(&p);
    }
    play_close(&whole);
    remove(path);
    remove(checkpoint);
}

static uint64_t first, count = 16;

enum { EACH = 2 };

START_TEST(oracle_agrees)
{
    for (uint64_t k = 0; k < EACH && (uint64_t)_i * EACH + k < count; k++) compare(first + (uint64_t)_i * EACH + k);
}
END_TEST

START_TEST(resumed_within_contacts)
{
    for (uint64_t k = 0; k < count / 2; k++) resume(first + k);
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    Suite *suite = suite_create("variational, shells");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, oracle_agrees, 0, (int)((count + EACH - 1) / EACH));
    tcase_add_test(all, resumed_within_contacts);
    tcase_set_timeout(all, 600);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
