/* Detects results that depend on cuts which follow the work of the domains during a run, on threads and ranks; and cuts that do not
 * follow it: the scenes must have new ones. */
#include "../support/lone_ranks.h"
#include "../support/suite.h"

enum { PARTS = 2 };

static play_text text;

/* Of the head, with dimension and seed; the rest has no numbers. */
static const char *const scenes[] = {
    /* a pile settles at the bottom of a tall box */
    "box: {size: [10, 60], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 150, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], restitution: 0.9}]\n"
    "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: tc, tc: 1e-3}}\n"
    "run: {until: {time: 400, events: 16000}}\n",
    /* a gas of dissipative disks forms clusters */
    "box: {size: 60, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles: [{species: a, count: 400, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, a], restitution: 0.2}]\nhard: {collapse: {policy: tc, tc: 1e-3}}\n"
    "run: {until: {time: 1e5, events: 24000}}\n",
    /* heavy particles sink in a tall box */
    "box: {size: [40, 8, 8], boundary: [wall, periodic, periodic]}\n"
    "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 0.1}}\n"
    "particles: [{species: a, count: 200, place: random, velocity: {maxwell: 2}},\n"
    "            {species: b, count: 200, place: random, velocity: {maxwell: 0.1}}]\n"
    "fields: {gravity: [-0.5, 0, 0]}\nrun: {until: {time: 1000, events: 24000}}\n",
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static play open_scene(int number)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\nseed: 7\n%s", number == 2 ? 3 : 2, scenes[number]);
    play p = play_try(text.text, NULL, NULL);
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text.text);
    return p;
}

/* In two parts: the second begins with the cuts of the first. */
static void advance(lone_engine *l, int part)
{
    lone_advance(l, part == 0 ? 0.01 : 1);
}

static void require_same(const lone_engine *expected, const lone_engine *found, int domains, int part)
{
    if (!lone_same(expected, found)) ck_abort_msg("part %d: other results in %d domains\n%s", part, domains, text.text);
}

static void require_recuts(const lone_engine *l)
{
    engine_domains cost;
    ck_assert(l->kernel->domains(l->self, &cost));
    printf("%d domains: %llu new cuts, %llu windows\n", cost.count, (unsigned long long)cost.recuts,
           (unsigned long long)cost.windows);
    ck_assert_uint_gt(cost.recuts, 0);
}

START_TEST(threads_with_new_cuts_give_the_bits_of_one)
{
    static const int threads[] = {2, 3, 5, 8};
    play p = open_scene(_i / 4);
    const engine_workers workers = {.threads = threads[_i % 4]};
    lone_engine serial = {.self = NULL}, parallel = {.self = NULL};
    lone_create(&serial, p.scene, NULL, NULL);
    lone_create(&parallel, p.scene, NULL, &workers);
    for (int part = 0; part < PARTS; part++) {
        advance(&serial, part);
        advance(&parallel, part);
        require_same(&serial, &parallel, workers.threads, part);
    }
    require_recuts(&parallel);
    lone_destroy(&serial);
    lone_destroy(&parallel);
    play_close(&p);
}
END_TEST

static void lead(lone_engine *own, int domains, const void *expected)
{
    for (int part = 0; part < PARTS; part++) {
        advance(own, part);
        require_same((const lone_engine *)expected + part, own, domains, part);
    }
    require_recuts(own);
}

START_TEST(ranks_with_new_cuts_give_the_bits_of_one)
{
    const int ranks = 2 + _i % 3, threads = ranks == 2 ? 2 : 1;
    play p = open_scene(_i / 3);
    lone_engine alone[PARTS] = {{.self = NULL}, {.self = NULL}};
    for (int k = 0; k < PARTS; k++) {
        lone_create(&alone[k], p.scene, NULL, NULL);
        for (int part = 0; part <= k; part++) advance(&alone[k], part);
    }
    lone_ranks_run(ranks, (uint64_t)_i, (lone_ranks){p.scene, threads, lead, alone});
    for (int k = 0; k < PARTS; k++) lone_destroy(&alone[k]);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("recuts"), *more = suite_ci_case();
    suite_split_loop(c, more, threads_with_new_cuts_give_the_bits_of_one, 5, 4 * SCENES);
    suite_split_loop(c, more, ranks_with_new_cuts_give_the_bits_of_one, 4, 3 * SCENES);
    tcase_set_timeout(c, 60);
    return suite_run("test_recuts", c, more);
}
