/* Detects stop requests whose delay grows with the scene, and bits that depend on where a slice ends. Slices counted
 * in events fail, since one event may be the tick of a whole mesh. */
#include "../support/play.h"
#include "../support/suite.h"

#include "sim/sim.h"

#include <math.h>

static const char shell[] = "carom: 1\n"
                            "engine: variational\n"
                            "box: {size: [40, 40, 20], boundary: open}\n"
                            "species: {cloth: {diameter: 1}}\n"
                            "meshes:\n"
                            "  - name: cloth\n"
                            "    shape: {rectangle: {length: 30, width: 30, along: 56, across: 56, rough: true}}\n"
                            "    place: {at: [20, 20, 5]}\n"
                            "    thickness: 0.1\n"
                            "    stretch: 2000\n"
                            "    bend: 0.5\n"
                            "    damping: {stretch: 2, bend: 0.001}\n"
                            "fields: {gravity: [0, 0, -1]}\n"
                            "run: {until: {time: 1}}\n";

#define GAS(engine, count, more)                                                                                       \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "dimension: 2\n"                                                                                                   \
    "box: {packing_fraction: 0.2, boundary: periodic}\n"                                                               \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, count: " count ", place: random, velocity: {maxwell: 1}}]\n"                         \
    "run: {until: {time: 1000}}\n" more

/* `events` and `looks`: as many physical events, and looks and transfers, as one slice may hold at most. */
static const struct {
    const char *name, *text;
    uint64_t events, looks;
    double time; /* to which one slice and slices of one operation go in the test of bits */
} cases[] = {
    {"hard", GAS("hard", "2000", ""), RUN_SLICE, RUN_SLICE, 2},
    {"hard, reference", GAS("hard", "2000", "hard: {reference: true}\n"), RUN_SLICE / 100, RUN_SLICE / 100, 0.02},
    {"aggregation", GAS("aggregation", "2000", ""), RUN_SLICE, RUN_SLICE, 2},
    {"aggregation, reference", GAS("aggregation", "800", "aggregation: {reference: true}\n"), 2, 2, 0.02},
    {"aggregation, rotating", GAS("aggregation", "500", "aggregation: {rotation: true}\n"), RUN_SLICE, RUN_SLICE, 2},
    {"aggregation, steps", GAS("aggregation", "5000", "aggregation: {method: steps}\n"), RUN_SLICE, 4 * RUN_SLICE, 2},
    {"variational", GAS("variational", "500", ""), RUN_SLICE, RUN_SLICE, 0.5},
    {"variational, reference", GAS("variational", "200", "variational: {reference: true}\n"), RUN_SLICE / 50, RUN_SLICE,
     0.5},
    {"shell", shell, 10 * RUN_SLICE, RUN_SLICE, 0.002},
};

static uint64_t looks_of(const uint64_t *events)
{
    return events[EVENT_CERTIFICATE] + events[EVENT_TRANSFER];
}

static void advance(play *p, double time, uint64_t slice, carom_stop *stop)
{
    const engine_limits limits = {
        .time = time, .events = UINT64_MAX, .collisions = UINT64_MAX, .slice = slice, .clusters = 1};
    error e = {0};
    if (p->sim->kernel->advance(p->sim->gas, &limits, stop, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
}

START_TEST(a_slice_is_bounded_in_work)
{
    carom_stop stop;
    play p = play_open(cases[_i].text, NULL);
    const uint64_t *events = p.sim->kernel->events(p.sim->gas), looked = looks_of(events);
    advance(&p, 1000, RUN_SLICE, &stop);
    printf("%s: %llu events, %llu looks in a slice\n", cases[_i].name, (unsigned long long)events_total(events),
           (unsigned long long)(looks_of(events) - looked));
    ck_assert_int_eq(stop, CAROM_STOP_NONE);
    ck_assert_uint_le(events_total(events), cases[_i].events);
    ck_assert_uint_le(looks_of(events) - looked, cases[_i].looks);
    ck_assert_uint_gt(events_total(events) + looks_of(events), 0);
    play_close(&p);
}
END_TEST

static uint64_t hash_after(const char *text, double time, uint64_t slice, uint64_t *slices)
{
    carom_stop stop = CAROM_STOP_NONE;
    play p = play_open(text, NULL);
    for (*slices = 0; stop == CAROM_STOP_NONE; ++*slices) advance(&p, time, slice, &stop);
    ck_assert_int_eq(stop, CAROM_STOP_TIME);
    look(p.sim, time);
    const uint64_t hash = carom_frame_state_hash(&p.sim->frame);
    play_close(&p);
    return hash;
}

START_TEST(bits_do_not_depend_on_slices)
{
    uint64_t one, many;
    const uint64_t whole = hash_after(cases[_i].text, cases[_i].time, UINT64_MAX / 2, &one);
    const uint64_t pieces = hash_after(cases[_i].text, cases[_i].time, 1, &many);
    printf("%s: %llu slices\n", cases[_i].name, (unsigned long long)many);
    ck_assert_uint_eq(one, 1);
    ck_assert_uint_gt(many, 4);
    ck_assert_uint_eq(whole, pieces);
}
END_TEST

/* A request that is there when the run begins is answered after the first slice; the last checkpoint is the end. */
START_TEST(a_request_ends_the_next_slice)
{
    play p = play_open(shell, NULL);
    carom_sim_request_stop(p.sim);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_EARLY);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_SIGNAL);
    const uint64_t forces = p.sim->frame.events[EVENT_FORCE], tick = 6272 + 9436; /* triangles, and edges of two */
    printf("forces until the stop: %llu\n", (unsigned long long)forces);
    ck_assert_uint_le(forces, tick);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("slices");
    const int count = sizeof cases / sizeof *cases;
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, a_slice_is_bounded_in_work, 0, count);
    tcase_add_loop_test(all, bits_do_not_depend_on_slices, 0, count);
    tcase_add_test(all, a_request_ends_the_next_slice);
    return suite_run("slices", all);
}
