/* Detects differences in bits between the fast and the reference path over scenes of all kinds, and effects of
 * frames, slices or the neighbour search on the result. */
#include "../support/random_scene.h"
#include "../support/suite.h"

typedef struct outcome {
    carom_status status;
    carom_stop stop;
    uint64_t hash, events[EVENT_KINDS];
    double time;
    frame_tallies tallies;
    uint64_t impact[IMPACT_BINS];
    double impact_density[IMPACT_BINS];
} outcome;

static void look(play *p, outcome *o)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    o->stop = carom_sim_stop(p->sim);
    o->hash = f->state_hash;
    o->time = f->time;
    o->tallies = f->tallies;
    o->tallies.impact = NULL;
    o->tallies.impact_density = NULL;
    for (int k = 0; k < EVENT_KINDS; k++) o->events[k] = k == EVENT_TRANSFER ? 0 : f->events[k];
    if (f->tallies.impact == NULL) return;
    memcpy(o->impact, f->tallies.impact, sizeof o->impact);
    memcpy(o->impact_density, f->tallies.impact_density, sizeof o->impact_density);
}

/* Runs to the end, halting `halts` times before `until`. false: such a scene cannot be (no room, jammed). */
static bool run(const char *text, const char *set, int halts, double until, outcome *o)
{
    memset(o, 0, sizeof *o);
    play p = play_try(text, set, NULL);
    bool made = p.created == CAROM_OK;
    if (!made) REQUIRE(p.created == CAROM_BAD_DATA);
    for (int k = 1; made && k <= halts && carom_sim_stop(p.sim) == CAROM_STOP_NONE; k++)
        (void)carom_sim_advance(p.sim, until * k / halts);
    if (made) {
        o->status = carom_sim_run(p.sim);
        look(&p, o);
    }
    play_close(&p);
    return made;
}

static const char *difference(const outcome *a, const outcome *b)
{
    if (a->hash != b->hash) return "states differ";
    if (memcmp(a->events, b->events, sizeof a->events) != 0) return "counts differ";
    if (memcmp(&a->tallies, &b->tallies, sizeof a->tallies) != 0) return "tallies differ";
    if (memcmp(a->impact, b->impact, sizeof a->impact) != 0) return "impact histograms differ";
    if (memcmp(a->impact_density, b->impact_density, sizeof a->impact_density) != 0) return "impact densities differ";
    if (a->stop != b->stop) return "stops differ";
    if (a->status != b->status) return "statuses differ";
    return NULL;
}

static void compare(uint64_t seed, uint64_t events)
{
    static play_text t;
    static outcome fast, slow, halting;
    random_scene s = random_scene_write(&t, seed, events);
    if (!run(t.text, NULL, 0, 0, &fast)) return;
    run(t.text, "hard.reference=true", 0, 0, &slow);
    run(t.text, NULL, 101, fast.time, &halting);
    printf("%4llu: %dd, %3u particles, %s, %s: %llu collisions, %llu with walls, %llu stabilising, %llu origins, %s\n",
           (unsigned long long)seed, s.dimension, s.count, s.policy, s.precision,
           (unsigned long long)fast.events[EVENT_COLLISION], (unsigned long long)fast.events[EVENT_WALL],
           (unsigned long long)fast.tallies.stabilising, (unsigned long long)fast.events[EVENT_REBASE],
           carom_stop_name(fast.stop));
    const char *fault = difference(&fast, &slow), *trace = difference(&fast, &halting);
    if (fault != NULL) ck_abort_msg("seed %llu: fast and reference: %s\n%s", (unsigned long long)seed, fault, t.text);
    if (trace != NULL)
        ck_abort_msg("seed %llu: with and without halts: %s\n%s", (unsigned long long)seed, trace, t.text);
}

enum { GROUPS = 8, EACH = 16 };

START_TEST(scenes_of_all_kinds)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) compare(seed, 2000);
}
END_TEST

/* Many bodies, many origins of time: 200 re-base after every 3200 events. */
START_TEST(long_runs)
{
    static const char *const scenes[] = {
        "dimension: 3\nbox: {packing_fraction: 0.3}\ncontacts: [{between: [a, a], restitution: 0.9}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.6, boundary: [wall, periodic]}\n",
        "dimension: 3\nbox: {packing_fraction: 0.02}\ncontacts: [{between: [a, a], restitution: 0.8}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.1, boundary: [periodic, wall]}\nfields: {gravity: [0, -0.1]}\n",
    };
    static play_text t;
    static outcome fast, slow;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: hard\nseed: 3\n%sspecies: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\n",
             scenes[_i]);
    play_add(&t, "particles: [{species: a, count: 150, place: compress, velocity: {maxwell: 1}}]\n");
    play_add(&t, "run: {until: {events: 15000}}\n");
    REQUIRE(run(t.text, NULL, 0, 0, &fast) && run(t.text, "hard.reference=true", 0, 0, &slow));
    printf("%d: %llu origins, hash %016llx\n", _i, (unsigned long long)fast.events[EVENT_REBASE],
           (unsigned long long)fast.hash);
    const char *fault = difference(&fast, &slow);
    ck_assert_msg(fault == NULL, "%s", fault);
    ck_assert_uint_ge(fast.events[EVENT_REBASE], 6);
}
END_TEST

/* Boxes little longer than two bodies, in which it takes some time until the image of a neighbour that is not the
 * nearest comes to a contact before a list has been renewed. */
START_TEST(small_boxes)
{
    static const char *const scenes[] = {
        "dimension: 2\nbox: {packing_fraction: 0.15}\nspecies: {a: {diameter: 1}}\n",
        "dimension: 2\nbox: {packing_fraction: 0.3}\nspecies: {a: {diameter: {uniform: [0.6, 1.2]}}}\n",
        "dimension: 3\nbox: {packing_fraction: 0.05}\nspecies: {a: {diameter: 1}}\n",
        "dimension: 2\nbox: {packing_fraction: 0.15}\nspecies: {a: {diameter: 1}}\n"
        "contacts: [{between: [a, a], tangential: 1}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.15}\nspecies: {a: {diameter: 1}}\nhard: {shear: {rate: 0.3}}\n",
        "dimension: 2\nbox: {packing_fraction: 0.1}\nspecies: {a: {diameter: 1}}\n"
        "potentials: [{between: [a, a], square_well: {range: 1.3, depth: 0.5}}]\n",
        "dimension: 2\nbox: {packing_fraction: 0.15, boundary: [periodic, wall]}\nspecies: {a: {diameter: 1}}\n"
        "fields: {gravity: [0, -0.1]}\n",
    };
    static const int counts[] = {4, 8, 8, 4, 6, 6, 4};
    static play_text t;
    static outcome fast, slow;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: hard\nseed: 3\n%sparticles: [{species: a, count: %d, place: random, "
             "velocity: {maxwell: 1}}]\nrun: {until: {events: 60000}}\n",
             scenes[_i], counts[_i]);
    REQUIRE(run(t.text, NULL, 0, 0, &fast) && run(t.text, "hard.reference=true", 0, 0, &slow));
    printf("%d: hash %016llx at %g, %s\n", _i, (unsigned long long)fast.hash, fast.time, carom_stop_name(fast.stop));
    const char *fault = difference(&fast, &slow);
    ck_assert_msg(fault == NULL, "%s", fault);
    ck_assert_int_eq(fast.stop, CAROM_STOP_EVENTS);
}
END_TEST

/* Giants among the small, heavy and light, in all that they may meet. */
START_TEST(giants)
{
    static const char *const surroundings[] = {
        "boundary: periodic}\ndimension: 3\n",
        "boundary: [wall, periodic]}\ndimension: 2\n"
        "contacts: [{between: [small, large], restitution: 0.9}]\n",
        "boundary: wall}\ndimension: 3\nfields: {gravity: [0, 0, -0.3]}\n",
        "boundary: [wall, wall, wall]}\ndimension: 3\nfields: {gravity: [0, 0, -1]}\n"
        "contacts: [{between: [small, small], restitution: 0.6}, {between: [small, large], restitution: 0.6}]\nhard: "
        "{collapse: {policy: sleep, speed: 0.05}}\n",
        "boundary: periodic}\ndimension: 2\nhard: {precision: float}\n",
        "boundary: periodic}\ndimension: 3\nhard: {precision: long_double, collapse: {policy: tc, tc: 1e-4}}\n"
        "contacts: [{between: [small, small], restitution: 0.7}, {between: [small, large], restitution: 0.7}]\n",
    };
    static const double ratios[] = {2.5, 6, 15}, fractions[] = {0.3, 0.18, 0.1};
    static play_text t;
    static outcome fast, slow, halting;
    const int where = _i % 6, which = _i / 6;
    for (int heavy = 0; heavy < 2; heavy++) {
        const double ratio = ratios[which], mass = heavy ? ratio * ratio * ratio : 1;
        t.length = 0;
        play_add(&t, "carom: 1\nengine: hard\nseed: %d\nbox: {packing_fraction: %g, %s", _i + 1, fractions[which],
                 surroundings[where]);
        play_add(&t, "species: {small: {diameter: {uniform: [0.7, 1.3]}, mass: 1}, large: {diameter: %g, mass: %g}}\n",
                 ratio, mass);
        play_add(&t,
                 "particles:\n  - {species: large, count: %d, place: random, velocity: {maxwell: 1}}\n"
                 "  - {species: small, count: 250, place: random, velocity: {maxwell: 1}}\n"
                 "run: {until: {events: 5000}}\n",
                 which == 0 ? 20 : 3);
        REQUIRE(run(t.text, NULL, 0, 0, &fast) && run(t.text, "hard.reference=true", 0, 0, &slow));
        REQUIRE(run(t.text, NULL, 31, fast.time, &halting));
        printf("%d, ratio %g, mass %g: %llu collisions, %llu with walls, hash %016llx\n", where, ratio, mass,
               (unsigned long long)fast.events[EVENT_COLLISION], (unsigned long long)fast.events[EVENT_WALL],
               (unsigned long long)fast.hash);
        const char *fault = difference(&fast, &slow), *trace = difference(&fast, &halting);
        if (fault != NULL) ck_abort_msg("fast and reference: %s\n%s", fault, t.text);
        if (trace != NULL) ck_abort_msg("with and without halts: %s\n%s", trace, t.text);
    }
}
END_TEST

/* Frames and observers at every moment, or none. */
START_TEST(looking_changes_nothing)
{
    static play_text t;
    uint64_t hash[3];
    static const char *const watched[] = {
        "",
        "observe:\n  - {what: energy, every: 0.003}\n  - {what: msd, every: 0.01}\noutput: {frames: {every: 0.002}}\n",
        "observe: [{what: pressure, every_collisions: 1}]\noutput: {frames: {every_collisions: 7}}\n"};
    for (int k = 0; k < 3; k++) {
        t.length = 0;
        play_add(&t,
                 "carom: 1\nengine: hard\nseed: 8\nbox: {packing_fraction: 0.4, boundary: [periodic, wall, periodic]}\n"
                 "species: {a: {diameter: 1, mass: 1}}\nfields: {gravity: [0, -0.2, 0]}\n"
                 "particles: [{species: a, count: 100, place: compress, velocity: {maxwell: 1}}]\n"
                 "contacts: [{between: [a, a], restitution: 0.95}]\n%srun: {until: {time: 4}}\n",
                 watched[k]);
        play p = play_open(t.text, NULL);
        play_run(&p, CAROM_STOP_TIME);
        hash[k] = play_hash(&p);
        play_close(&p);
    }
    printf("hashes %016llx %016llx %016llx\n", (unsigned long long)hash[0], (unsigned long long)hash[1],
           (unsigned long long)hash[2]);
    ck_assert(hash[0] == hash[1] && hash[0] == hash[2]);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, scenes_of_all_kinds, 0, 4);
    tcase_add_loop_test(more, scenes_of_all_kinds, 4, 6);
    tcase_add_loop_test(rest, scenes_of_all_kinds, 6, GROUPS);
    tcase_add_loop_test(all, long_runs, 0, 4);
    tcase_add_loop_test(all, small_boxes, 0, 7);
    tcase_add_loop_test(all, giants, 0, 5);
    tcase_add_loop_test(rest, giants, 5, 13);
    tcase_add_loop_test(all, giants, 13, 15);
    tcase_add_loop_test(more, giants, 15, 17);
    tcase_add_loop_test(rest, giants, 17, 18);
    tcase_add_test(all, looking_changes_nothing);
    tcase_set_timeout(all, 300);
    return suite_run("paths", all, more, rest);
}
