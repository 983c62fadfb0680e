/* Detects bodies that are farther outside their cells than the width of the cells permits when crossings are made
 * together: collisions would be missed. Tests all bodies many times in a run, on one thread and in domains, which return
 * to the start of a window when they disagree. Also detects resumed runs with other coming crossings. */
#include "../support/suite.h"

#define CAROM_DIM 2
#define HARD_KERNEL hard_kernel_of_test
#include "hard/kernel/kernel.c"

#include "../support/play.h"
#include "sim/sim.h"

typedef struct case_of {
    const char *name, *scene;
} case_of;

#define GRAIN "species: {a: {diameter: 1, mass: 1}}\n"
#define GAS "particles: [{species: a, count: 1500, place: random, velocity: {maxwell: 1}}]\n"

static const case_of cases[] = {
    {"a gas", "box: {packing_fraction: 0.1}\n" GRAIN GAS},
    {"a thin gas between walls", "box: {packing_fraction: 0.02, boundary: wall}\n" GRAIN GAS},
    {"light bodies among heavy ones: some cross alone",
     "box: {packing_fraction: 0.1}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: {uniform: [0.5, 1]}, mass: "
     "0.01}}\n"
     "particles: [{species: {a: 0.9, b: 0.1}, count: 1500, place: random, velocity: {maxwell: 1}}]\n"},
    {"falls and rises, some so fast that they cross alone",
     "box: {size: [100, 100], boundary: [periodic, wall]}\nfields: {gravity: [0.01, -1]}\n" GRAIN GAS},
    {"clusters: many collisions in a period", "box: {packing_fraction: 0.15}\ncontacts: [{between: [a, a], "
                                              "restitution: 0.2}]\nhard: {collapse: {policy: tc, tc: "
                                              "1e-6}}\n" GRAIN GAS},
    {"a heat bath that heats",
     "box: {packing_fraction: 0.1}\nhard: {thermostat: {temperature: 100, rate: 0.3}}\n" GRAIN GAS},
    {"an open box, which the bodies leave", "box: {packing_fraction: 0.15, boundary: open}\n" GRAIN GAS},
};
enum { CASES = sizeof cases / sizeof *cases, COLLISIONS = 4000, SLICE = 400 };

static play_text text;

/* Whether each body is in its cell, or no farther outside than it may be. */
static void require_in_cells(const gas *g, const char *where)
{
    ck_assert_ptr_nonnull(g->cells);
    for (uint32_t i = 0; i < g->count; i++)
        if ((g->domain == NULL || g->domain->role[i] != ROLE_ABSENT) && !is_in_cell(g, i))
            ck_abort_msg("%s: at time %g body %u, number %u, is outside its cell", where, (double)g->now, i, g->id[i]);
}

static void require_all_in_cells(const gas *g, int *together)
{
    const crew *c = g->crew;
    const bool domains = c != NULL && c->dispersed;
    for (int n = 0; domains && n < c->count; n++) {
        require_in_cells(c->domain[n].gas, "in a domain");
        *together += c->domain[n].gas->cells->together;
    }
    if (domains) return;
    require_in_cells(g, "on one thread");
    *together += g->cells->together;
}

/* Whether a saved and loaded gas has the same cells and crossings. */
static void require_same_crossings(gas *g, const scene *s, const initial_state *state)
{
    error e = {0};
    snapshot saved = {0};
    void *other = NULL;
    REQUIRE(hard_kernel_of_test.run.save(g, &saved, &e) == CAROM_OK);
    REQUIRE(hard_kernel_of_test.run.create(&other, s, state, 0, NULL, &e) == CAROM_OK);
    if (hard_kernel_of_test.run.load(other, &saved, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
    for (uint32_t i = 0; i < g->count; i++) {
        const plan *a = &g->plan[i], *b = &((const gas *)other)->plan[i];
        ck_assert_mem_eq(a->cell, b->cell, sizeof a->cell);
        ck_assert(a->crossing == b->crossing);
        ck_assert_uint_eq(a->side, b->side);
    }
    snapshot_free(&saved);
    hard_kernel_of_test.run.destroy(other);
}

typedef struct outcome {
    uint64_t hash;
    int together, repeated; /* tests of a gas with crossings made together; parts with windows that were repeated */
} outcome;

static outcome run(const play *p, int threads)
{
    const engine_limits limits = {.time = INFINITY, .events = UINT64_MAX, .collisions = COLLISIONS, .slice = SLICE};
    const engine_workers workers = {.threads = threads};
    error e = {0};
    initial_state state;
    carom_frame frame;
    void *self = NULL;
    outcome o = {0};
    carom_stop stop = CAROM_STOP_NONE;
    REQUIRE(state_create(&state, p->scene->checked, &e) == CAROM_OK);
    REQUIRE(hard_kernel_of_test.run.create(&self, p->scene->checked, &state, 0, &workers, &e) == CAROM_OK);
    gas *g = self;
    while (stop == CAROM_STOP_NONE) {
        const real length = g->crew != NULL ? g->crew->length : 0;
        if (hard_kernel_of_test.run.advance(self, &limits, &stop, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
        require_all_in_cells(g, &o.together);
        if (threads == 1) require_same_crossings(g, p->scene->checked, &state);
        o.repeated += g->crew != NULL && g->crew->length < length;
    }
    ck_assert_int_eq(stop, CAROM_STOP_COLLISIONS);
    REQUIRE(sim_frame_create(p->sim, &frame, &e) == CAROM_OK);
    engine_fill_frame(&hard_kernel_of_test.run, self, hard_kernel_of_test.run.time(self), FRAME_ALL, &frame);
    o.hash = frame.state_hash;
    hard_kernel_of_test.run.destroy(self);
    frame_destroy(&frame);
    state_free(&state);
    return o;
}

START_TEST(bodies_are_in_their_cells)
{
    const case_of *c = &cases[_i];
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: 2\nseed: 5\n%srun: {until: {time: 1}}\n", c->scene);
    play p = play_open(text.text, NULL);
    const outcome alone = run(&p, 1), several = run(&p, 3);
    printf("%s: %d tests on one thread, %d in domains, repeated windows in %d parts\n", c->name, alone.together,
           several.together, several.repeated);
    ck_assert_int_gt(alone.together, 5);
    ck_assert_int_gt(several.together, 5);
    ck_assert_int_gt(several.repeated, 0);
    ck_assert_uint_eq(several.hash, alone.hash);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, bodies_are_in_their_cells, 0, CASES);
    tcase_set_timeout(all, 300);
    return suite_run("crossings", all);
}
