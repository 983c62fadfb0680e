/* Detects inelastic collapse that goes unnoticed, policies against it that do something else, and wrong sleep of
 * particles. */
#include "../support/expect.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

static play open_scene(const char *set, const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\n%s", body);
    return play_open(text.text, set);
}

static double energy_of(play *p)
{
    return frame_energy_of(carom_sim_frame(p->sim)).total;
}

/* ---- three balls on a line (McNamara and Young, Phys. Fluids A 4, 496 (1992)) ------------------------------------ */

/* Two balls run into one at rest between them. They collapse for e < 7 - 4 sqrt(3) = 0.0718. */
#define THREE_BALLS                                                                                                    \
    "dimension: 3\nbox: {size: [12, 4, 4], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                    \
    "particles: [{species: a, place: {at: [[2, 2, 2], [6, 2, 2], [9.7, 2, 2]]},"                                       \
    " velocity: {each: [[1, 0, 0], [0, 0, 0], [-1, 0, 0]]}}]\nrun: {until: {time: 100}}\n"

static carom_stop three_balls(double e, const char *set, uint64_t *collisions)
{
    char contact[500];
    snprintf(contact, sizeof contact, "%scontacts: [{between: [a, a], restitution: %.17g}]\n", THREE_BALLS, e);
    play p = open_scene(set, contact);
    (void)carom_sim_run(p.sim);
    *collisions = carom_sim_frame(p.sim)->events[EVENT_COLLISION];
    carom_stop stop = carom_sim_stop(p.sim);
    play_close(&p);
    return stop;
}

START_TEST(three_balls_collapse_below_the_critical_restitution)
{
    static const struct {
        double e;
        bool collapses;
    } cases[] = {{0.01, true}, {0.05, true}, {0.07, true}, {0.0735, false}, {0.09, false}, {0.2, false}, {0.9, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int reference = 0; reference < 2; reference++) {
            uint64_t collisions;
            carom_stop stop = three_balls(cases[k].e, reference ? "hard.reference=true" : NULL, &collisions);
            printf("e = %g: %llu collisions, stopped by %s\n", cases[k].e, (unsigned long long)collisions,
                   carom_stop_name(stop));
            ck_assert_int_eq(stop == CAROM_STOP_COLLAPSE, cases[k].collapses);
        }
}
END_TEST

START_TEST(policies_resolve_three_balls)
{
    static const char *const policies[] = {"{policy: tc, tc: 1e-9}", "{policy: cutoff, speed: 1e-9}"};
    for (size_t k = 0; k < 2; k++)
        for (int reference = 0; reference < 2; reference++) {
            char body[600];
            snprintf(body, sizeof body,
                     "%scontacts: [{between: [a, a], restitution: 0.01}]\nhard: {reference: %s, collapse: %s}\n",
                     THREE_BALLS, reference ? "true" : "false", policies[k]);
            play p = open_scene(NULL, body);
            ck_assert_int_eq(carom_sim_run(p.sim), CAROM_OK);
            printf("%s: %llu collisions\n", policies[k],
                   (unsigned long long)carom_sim_frame(p.sim)->events[EVENT_COLLISION]);
            EXPECT_CLOSE("momentum", frame_energy_of(carom_sim_frame(p.sim)).momentum[0], 0,
                         7e-16); /* exact: three grains of its parts */
            play_close(&p);
        }
}
END_TEST

/* ---- gases ----------------------------------------------------------------------------------------------------- */

static void strong_gas(play_text *t, double e, const char *collapse, int dimension)
{
    t->length = 0;
    play_add(t, "carom: 1\nengine: hard\ndimension: %d\nseed: 4\nbox: {packing_fraction: %g}\n", dimension,
             dimension == 2 ? 0.4 : 0.25);
    play_add(t,
             "species: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, count: 200, place: random, velocity: {maxwell: 1}, zero_momentum: true}]\n"
             "contacts: [{between: [a, a], restitution: %g}]\nhard: {collapse: %s}\n",
             e, collapse);
    play_add(t, "run: {until: {collisions: 100000}}\n");
}

START_TEST(strongly_inelastic_gases_run_by_policy)
{
    static const double es[] = {0, 0.1, 0.3};
    static const char *const policies[] = {"{policy: tc, tc: 1e-5}", "{policy: cutoff, speed: 1e-4}"};
    for (int k = 0; k < 6; k++) {
        strong_gas(&text, es[k / 2], policies[k % 2], 2 + _i);
        play p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_COLLISIONS);
        const carom_frame *f = carom_sim_frame(p.sim);
        frame_energy e = frame_energy_of(f);
        printf("e = %g, %s: t = %g, T = %g, deepest overlap %g\n", es[k / 2], policies[k % 2], f->time, e.temperature,
               f->tallies.max_overlap);
        /* 1.1e-14, and 1.3e-13: sums of 100,000 terms */
        ck_assert(f->tallies.max_overlap > 1e-16 && f->tallies.max_overlap < 3.4e-14);
        EXPECT_CLOSE("energy and what was dissipated", (e.total + f->tallies.dissipated) / 300,
                     _i == 0 ? 200.0 / 300 : 1, 4e-13);
        play_close(&p);
    }
}
END_TEST

START_TEST(strongly_inelastic_gases_stop_cleanly)
{
    static const double es[] = {0, 0.1};
    for (int k = 0; k < 2; k++) {
        strong_gas(&text, es[k], "{policy: stop}", 2 + _i);
        play p = play_open(text.text, NULL);
        carom_status status = carom_sim_run(p.sim);
        printf("e = %g: %s at t = %g after %llu collisions\n", es[k], carom_stop_name(carom_sim_stop(p.sim)),
               carom_frame_time(carom_sim_frame(p.sim)),
               (unsigned long long)carom_sim_frame(p.sim)->events[EVENT_COLLISION]);
        ck_assert_int_eq(status, CAROM_DYNAMICS);
        ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_COLLAPSE);
        ck_assert(strstr(carom_sim_message(p.sim), "  particle ") != NULL);
        ck_assert(strstr(carom_sim_message(p.sim), "policy: tc | cutoff}") != NULL);
        play_close(&p);
    }
}
END_TEST

/* A ball without restitution that slides on a corner that swings hits it by rounding alone, at a few grains of its place
 * from hit to hit. That is a collapse, too; going on, it would sink in grain by grain. */
START_TEST(sliding_by_rounding_is_a_collapse)
{
    static const char scene[] =
        "carom: 1\nengine: hard\nseed: 592\nbox: {size: [6, 6, 6], boundary: wall}\nspecies: {a: {diameter: 1.3}}\n"
        "particles: [{species: a, count: 35, place: random, velocity: {maxwell: 1e-06}}]\nfields: {gravity: [0, 0, "
        "-1]}\n"
        "contacts: [{between: [a, a], restitution: 0}, {between: [a, wall], restitution: 0.8}]\n"
        "meshes: [{name: m, shape: {sphere: {radius: 0.4, parts: 2}}, place: {at: [3, 3, 3]}, rigid: true}]\n"
        "drives: [{name: d, mesh: m, motion: [{oscillate: {by: [0, 0, 0.2], frequency: 1}}]}]\n"
        "hard: {collapse: {policy: tc, tc: 1e-4}}\nrun: {until: {events: 100000}}\n";
    play p = play_open(scene, NULL);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_COLLAPSE);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("t = %.17g, deepest overlap %g\n", f->time, f->tallies.max_overlap);
    EXPECT_CLOSE("deepest overlap", f->tallies.max_overlap, 0, 5.3e-13); /* 1.8e-13: a thousand grains, hit by hit */
    play_close(&p);
}
END_TEST

/* Where `size - radius` and the height differ by a rounding, a ball at rest falls through it again and again, in a time far
 * above that of the clock. */
START_TEST(resting_by_rounding_is_a_collapse)
{
    static const double heights[] = {3, 3.1, 3.2, 3.3, 3.4, 3.7}, restitutions[] = {0, 0.1, 0.5};
    for (int k = 0; k < 36; k++) {
        char body[600];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: [8, 6], boundary: wall}\nspecies: {a: {diameter: 0.9}}\n"
                 "particles: [{species: a, place: {at: [[3, %g]]}}]\nfields: {gravity: [0, %g]}\n"
                 "contacts: [{between: [a, wall], restitution: %g}]\nrun: {until: {time: 10, events: 10000}}\n",
                 heights[k / 6], k % 2 ? 0.8 : -0.8, restitutions[k / 2 % 3]);
        play p = open_scene(NULL, body);
        ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
        ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_COLLAPSE);
        play_close(&p);
    }
}
END_TEST

/* The run stops with a checkpoint, and a resumed one stops again, where it stood. */
START_TEST(collapse_leaves_a_checkpoint)
{
    char path[100];
    snprintf(path, sizeof path, "collapse-%ld.h5", (long)getpid());
    strong_gas(&text, 0, "{policy: stop}", 3);
    uint64_t hash = 0, collisions = 0;
    for (int turn = 0; turn < 3; turn++) {
        carom_options options = {.output = path, .force = turn == 0, .resume = turn > 0};
        play p = play_try(text.text, NULL, &options);
        ck_assert_msg(p.created == CAROM_OK, "%s", carom_sim_message(p.sim));
        ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
        ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_COLLAPSE);
        const carom_frame *f = carom_sim_frame(p.sim);
        printf("turn %d: %llu collisions, hash %016llx\n", turn, (unsigned long long)f->events[EVENT_COLLISION],
               (unsigned long long)f->state_hash);
        ck_assert_uint_ge(f->events[EVENT_COLLISION], collisions);
        ck_assert_uint_le(f->events[EVENT_COLLISION], turn == 0 ? UINT64_MAX : collisions + 100);
        collisions = f->events[EVENT_COLLISION];
        ck_assert(turn == 0 || hash != 0);
        hash = f->state_hash;
        play_close(&p);
    }
    remove(path);
    char checkpoint[120];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    remove(checkpoint);
}
END_TEST

/* ---- sleep ----------------------------------------------------------------------------------------------------- */

#define FLOOR                                                                                                          \
    "dimension: 2\nseed: 9\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 20}}\n"                        \
    "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.01}}\nrun: {until: {time: 2000}}\n"         \
    "contacts:\n  - {between: [a, a], restitution: 0.6}\n  - {between: [a, b], restitution: 0.6}\n"                    \
    "  - {between: [a, wall], restitution: 0.6}\n  - {between: [b, wall], restitution: 0.6}\n"

/* Runs to the end in steps, and watches the energy. */
static void run_down(play *p, carom_stop stop)
{
    double energy = energy_of(p);
    for (int k = 1; k <= 400 && carom_sim_stop(p->sim) == CAROM_STOP_NONE; k++) {
        play_advance(p, 0.05 * k);
        double now = energy_of(p);
        ck_assert_msg(now <= energy * (1 + 1e-12), "energy rises from %.17g to %.17g", energy, now);
        energy = now;
    }
    play_run(p, stop);
    ck_assert_double_le(energy_of(p), energy * (1 + 1e-12));
}

static void expect_rest(const carom_frame *f)
{
    for (size_t k = 0; k < f->count * (size_t)f->dimension; k++)
        ck_assert_msg(f->velocity[k] == 0, "velocity %zu is %.17g", k, f->velocity[k]);
}

/* The twelfth impact, at 0.0063, is the first that is slower than 0.01: it and the seven that follow lose nothing, and
 * then the ball sleeps. */
START_TEST(a_ball_falls_asleep)
{
    for (int reference = 0; reference < 2; reference++) {
        play p = open_scene(reference ? "hard.reference=true" : NULL,
                            "box: {size: [6, 6], boundary: wall}\n" FLOOR
                            "particles: [{species: a, place: {at: [[3, 2]]}, velocity: zero}]\n");
        run_down(&p, CAROM_STOP_NO_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        expect_rest(f);
        const double speed = sqrt(2 * 1.5), slow = speed * pow(0.6, 11);
        const double rest = speed + 2 * 0.6 / (1 - 0.6) * (speed - slow) + 7 * 2 * slow;
        EXPECT_CLOSE("time of rest", carom_frame_time(f), rest, 1.6e-14); /* 5e-15 */
        EXPECT_CLOSE("height", f->position[1], 0.5, 2e-16);
        EXPECT_CLOSE("energy ledger", energy_of(&p) + f->tallies.dissipated, 2, 3e-15);
        play_close(&p);
    }
}
END_TEST

/* A heavy ball comes down on one that has been asleep for long. */
START_TEST(a_hard_hit_wakes)
{
    for (int reference = 0; reference < 2; reference++) {
        play p = open_scene(reference ? "hard.reference=true" : NULL,
                            "box: {size: [8, 400], boundary: wall}\n" FLOOR
                            "particles:\n  - {species: a, place: {at: [[3, 0.75]]}, velocity: zero}\n"
                            "  - {species: b, place: {at: [[3.3, 300]]}, velocity: zero}\n");
        play_advance(&p, 20);
        ck_assert(carom_sim_frame(p.sim)->velocity[1] == 0);
        double x = carom_sim_frame(p.sim)->position[0];
        run_down(&p, CAROM_STOP_NO_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        printf("from x = %g to %g\n", x, f->position[0]);
        ck_assert_double_ge(fabs(f->position[0] - x), 0.1);
        expect_rest(f);
        play_close(&p);
    }
}
END_TEST

/* A ball settles in the hollow between two that sleep; when one of them is knocked away, it falls. */
START_TEST(a_lost_support_wakes_what_it_carried)
{
    for (int reference = 0; reference < 2; reference++) {
        play p = open_scene(
            reference ? "hard.reference=true" : NULL,
            "box: {size: [3, 40], boundary: wall}\n" FLOOR
            "particles:\n  - {species: a, place: {at: [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5]]}, velocity: zero}\n"
            "  - {species: a, place: {at: [[1.02, 1.6]]}, velocity: zero}\n"
            "  - {species: a, place: {at: [[2, 3]]}, velocity: zero}\n");
        run_down(&p, CAROM_STOP_NO_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        expect_rest(f);
        /* what a hop at 0.01 comes to, v^2 / 2 g, and as far aside */
        EXPECT_CLOSE("x in the hollow", f->position[6], 1, 5e-5);
        EXPECT_CLOSE("height in the hollow", f->position[7], 0.5 + sqrt(0.75), 5e-5);
        EXPECT_CLOSE("height of the other", f->position[9], 0.5 + sqrt(0.75), 5e-5);
        play_close(&p);
    }
    play p = open_scene(NULL, "box: {size: [40, 40], boundary: [open, wall]}\n" FLOOR
                              "particles:\n  - {species: b, place: {at: [[3, 0.5]]}, velocity: zero}\n"
                              "  - {species: a, place: {at: [[4, 0.5]]}, velocity: zero}\n"
                              "  - {species: a, place: {at: [[3.5, 1.366025405]]}, velocity: zero}\n"
                              "  - {species: b, place: {at: [[24, 0.6]]}, velocity: {each: [-0.9, 0]}}\n");
    play_advance(&p, 10);
    EXPECT_CLOSE("height on the pair", carom_sim_frame(p.sim)->position[5], 0.5 + sqrt(0.75), 5e-5);
    play_advance(&p, 200);
    EXPECT_CLOSE("height after the pair was hit", carom_sim_frame(p.sim)->position[5], 0.5, 5e-5);
    play_close(&p);
}
END_TEST

/* Two that touch slowly, in flight, part by a hop: their momentum stays, and the speed of one on the other. */
START_TEST(a_hop_keeps_momentum)
{
    play p = play_open("carom: 1\nengine: hard\ndimension: 2\nbox: {size: 20, boundary: wall}\n"
                       "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 3}}\nparticles:\n"
                       "  - {species: a, place: {at: [[8, 15]]}, velocity: {each: [[0.02, 0.1]]}}\n"
                       "  - {species: b, place: {at: [[9.01, 15]]}, velocity: {each: [[0, 0]]}}\n"
                       "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 0.1}}\n"
                       "run: {until: {time: 1}}\n",
                       NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double *v = f->velocity;
    ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
    ck_assert_double_lt(v[0] - v[2], -0.04); /* half the speed of sleep, along a normal that leans, not 0.02 */
    EXPECT_CLOSE("momentum along x", v[0] + 3 * v[2], 0.02, 1.1e-17);
    EXPECT_CLOSE("momentum along y", v[1] + 3 * v[3], 0.1 - 4, 1.4e-15);
    EXPECT_CLOSE("relative speed", hypot(v[0] - v[2], v[1] - v[3]), hypot(0.02, 0.1), 3e-16);
    play_close(&p);
}
END_TEST

/* Where no friction is, a ball that has stopped bouncing slides on. */
START_TEST(a_slider_slides)
{
    play p = open_scene(NULL, "box: {size: [6, 6], boundary: [periodic, wall]}\n" FLOOR
                              "particles: [{species: a, place: {at: [[3, 1]]}, velocity: {each: [-2, 0]}}]\n");
    play_advance(&p, 50);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%llu contacts\n", (unsigned long long)f->events[EVENT_WALL]);
    EXPECT_CLOSE("speed", f->velocity[0], -2, 0);
    EXPECT_CLOSE("height", f->position[1], 0.5, 5e-5);
    /* falls by 0.5: impacts at 0.6^n, the eleventh is slower than 0.01, and so it goes on */
    const double slow = pow(0.6, 10), then = 1 + 3 * (1 - slow);
    EXPECT_CLOSE("contacts", (double)f->events[EVENT_WALL], 11 + (50 - then) / (2 * slow), 1);
    play_close(&p);
}
END_TEST

START_TEST(a_pile_comes_to_rest)
{
    uint64_t hash[2];
    for (int reference = 0; reference < 2; reference++) {
        play p = open_scene(reference ? "hard.reference=true" : NULL,
                            "box: {size: [8.6, 16], boundary: wall}\n" FLOOR
                            "particles: [{species: a, count: 30, place: random, velocity: {maxwell: 0.1}}]\n");
        run_down(&p, CAROM_STOP_NO_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        frame_energy e = frame_energy_of(f);
        printf("at rest at %g after %llu collisions; potential energy a ball %g\n", carom_frame_time(f),
               (unsigned long long)f->events[EVENT_COLLISION], e.potential / 30);
        expect_rest(f);
        EXPECT_CLOSE("deepest overlap", f->tallies.max_overlap, 0, 6.6e-15); /* 2.2e-15 of seven seeds */
        EXPECT_CLOSE("potential energy of a ball", e.potential / 30, 1.72,
                     3 * 0.017); /* 1.71 in full rows; seven seeds */
        hash[reference] = f->state_hash;
        play_close(&p);
    }
    ck_assert(hash[0] == hash[1]);
}
END_TEST

/* A pile that falls from high on a floor with a plugged hole: it presses on itself in flight, comes to rest, and most
 * of it runs out when the plug has gone. */
static void write_drained_pile(void)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [6, 6, 12], boundary: wall}\n"
             "species: {a: {diameter: 1, mass: 1}, floor: {diameter: 1, mass: 1}}\nfields: {gravity: [0, 0, -1]}\n"
             "particles: [{species: a, place: {at: [");
    for (int k = 0; k < 75; k++)
        play_add(&text, "%s[%g, %g, %g]", k > 0 ? ", " : "", 0.7 + 1.1 * (k % 5) + 0.01 * (k % 7),
                 0.7 + 1.1 * (k / 5 % 5) + 0.01 * (k % 3), 8.2 + 1.2 * (k / 25) + 0.02 * (k % 11));
    play_add(&text, "]}}]\nmeshes:\n");
    static const double plates[][4] = {
        {0.5, 3, 0.98, 5.9}, {5.5, 3, 0.98, 5.9}, {3, 0.5, 3.98, 0.9}, {3, 5.5, 3.98, 0.9}, {3, 3, 3.96, 3.96}};
    for (int k = 0; k < 5; k++)
        play_add(&text,
                 "  - {name: %c, rigid: true, species: floor, place: {at: [%g, %g, 4]}, shape: {rectangle: "
                 "{length: %g, width: %g, along: 1, across: 1}}}\n",
                 'a' + k, plates[k][0], plates[k][1], plates[k][2], plates[k][3]);
    play_add(
        &text,
        "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, wall], restitution: 0.5}, {between: [a, floor], "
        "restitution: 0.5}]\n"
        "drives: [{name: plug, mesh: e, motion: [{time: 0}, {time: 30, velocity: [0, 0, -20]}, {time: 30.15}]}]\n"
        "hard: {collapse: {policy: sleep, speed: 0.2}}\nrun: {until: {time: 60}}\n");
}

START_TEST(a_pile_is_drained)
{
    uint64_t hash[2];
    write_drained_pile();
    for (int reference = 0; reference < 2; reference++) {
        play p = play_open(text.text, reference ? "hard.reference=true" : NULL);
        int asleep = 0, below = 0;
        double least = INFINITY;
        for (int t = 1; t <= (reference ? 33 : 50); t++) {
            play_advance(&p, t);
            const carom_frame *f = carom_sim_frame(p.sim);
            const frame_energy e = frame_energy_of(f);
            REQUIRE(e.total <= least * (1 + 1e-12));
            least = e.total;
            asleep = below = 0;
            for (size_t i = 0; i < 75; i++) {
                asleep += f->velocity[3 * i] == 0 && f->velocity[3 * i + 1] == 0 && f->velocity[3 * i + 2] == 0;
                below += f->position[3 * i + 2] < 4;
            }
            if (t == 33) hash[reference] = play_hash(&p);
            if (t == 29) printf("%d asleep, %d below the floor at %d\n", asleep, below, t);
            if (t == 29) ck_assert(asleep > 46 && below == 0);
        }
        printf("%d asleep, %d below the floor at the end\n", asleep, below);
        ck_assert(reference || (asleep > 30 && below > 33 && below < 59));
        play_close(&p);
    }
    ck_assert(hash[0] == hash[1]);
}
END_TEST

/* ---- no progress: a bed at rest whose collisions are elastic for good ------------------------------------------- */

/* A triangular lattice on the floor, with gaps of this size. */
static const char *bed(double gap, double gravity, const char *more)
{
    enum { ROWS = 5, COLUMNS = 4 };
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 2\nseed: 1\nbox: {size: [%.17g, 40], boundary: [periodic, wall]}\n"
             "species: {grain: {diameter: 1}}\nfields: {gravity: [0, %.17g]}\ncontacts:\n"
             "  - {between: [grain, grain], restitution: 0.7, tangential: 0, friction: 0.3}\n"
             "  - {between: [grain, wall], restitution: 0.7, tangential: 0, friction: 0.3}\n%s"
             "particles: [{species: grain, velocity: {maxwell: 1e-9}, place: {at: [",
             COLUMNS * (1 + gap), -gravity, more);
    for (int n = 0; n < ROWS * COLUMNS; n++) {
        const int row = n / COLUMNS, column = n % COLUMNS;
        play_add(&text, "%s[%.17g, %.17g]", n > 0 ? ", " : "", (column + 0.5 * (row % 2) + 0.25) * (1 + gap),
                 0.5 + gap / 2 + row * sqrt(0.75) * (1 + gap));
    }
    play_add(&text, "]}}]\n");
    return text.text;
}

#define TC "hard: {collapse: {policy: tc, tc: 1e-2}}\nrun: {until: {time: 10}}\n"
#define TC_REFERENCE "hard: {reference: true, collapse: {policy: tc, tc: 1e-2}}\nrun: {until: {time: 10}}\n"

static uint64_t run_to_stall(const char *scene, double *time)
{
    play p = play_open(scene, NULL);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
    printf("%s at %.17g: %s\n", carom_stop_name(carom_sim_stop(p.sim)), carom_sim_frame(p.sim)->time,
           carom_sim_message(p.sim));
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_NO_PROGRESS);
    ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "hard.collapse.tc"));
    ck_assert_ptr_nonnull(strstr(carom_sim_message(p.sim), "variational"));
    *time = carom_sim_frame(p.sim)->time;
    const uint64_t hash = carom_sim_frame(p.sim)->state_hash;
    play_close(&p);
    return hash;
}

/* Stopped and resumed on the way. */
static uint64_t resume_to_stall(const char *scene)
{
    char path[100];
    snprintf(path, sizeof path, "stall-%ld.h5", (long)getpid());
    for (int resumed = 0;; resumed++) {
        const carom_options options = {.output = path, .force = resumed == 0, .resume = resumed > 0};
        char set[60];
        snprintf(set, sizeof set, "run.until={time: 10, events: %d}", 30000 * (resumed + 1));
        play p = play_try(scene, set, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        const carom_status status = carom_sim_run(p.sim);
        const uint64_t hash = carom_sim_frame(p.sim)->state_hash;
        play_close(&p);
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_DYNAMICS);
            ck_assert_int_gt(resumed, 1);
            char checkpoint[120];
            snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
            remove(path);
            remove(checkpoint);
            return hash;
        }
    }
}

START_TEST(a_bed_at_rest_without_progress_is_reported)
{
    double time, again;
    const uint64_t hash = run_to_stall(bed(1e-15, 1, TC), &time);
    ck_assert_uint_eq(resume_to_stall(bed(1e-15, 1, TC)), hash);
    ck_assert_uint_eq(run_to_stall(bed(1e-15, 1, TC_REFERENCE), &again), hash);
    ck_assert(time == again);
}
END_TEST

/* A bed that goes on, if slowly; an elastic gas in hardly any gravity, whose bodies fall far more slowly than they fly. */
START_TEST(slow_progress_is_progress)
{
    static const struct {
        double gap, gravity;
        const char *more, *set;
    } cases[] = {
        {1e-8, 1, "hard: {collapse: {policy: tc, tc: 1e-2}}\nrun: {until: {events: 400000}}\n", NULL},
        {1e-3, 1e-30, "hard: {collapse: {policy: tc, tc: 1e9}}\nrun: {until: {events: 400000}}\n",
         "particles.0.velocity={maxwell: 1}"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        play p = play_open(bed(cases[k].gap, cases[k].gravity, cases[k].more), cases[k].set);
        play_run(&p, CAROM_STOP_EVENTS);
        printf("gap %g: time %g\n", cases[k].gap, carom_sim_frame(p.sim)->time);
        play_close(&p);
    }
}
END_TEST

/* What lies in a bowl that will move stays awake and goes along, in hops; asleep it would hang in the air. */
START_TEST(a_bowl_is_lowered)
{
    static const char lowered[] =
        "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [10, 20], boundary: open}\nspecies: {a: {diameter: 1}}\n"
        "particles: [{species: a, place: {at: [[5, 12.6]]}, velocity: {each: [[0, 0]]}}]\n"
        "cylinders: [{name: bowl, through: [5, 15], radius: 3, side: inside}]\n"
        "drives: [{name: d, cylinder: bowl, motion: [{time: 0}, {time: 5, velocity: [0, -0.05]}]}]\n"
        "contacts: [{between: [a, bowl], restitution: 0.5}]\nfields: {gravity: [0, -1]}\n"
        "hard: {collapse: {policy: sleep, speed: 0.05}}\nrun: {until: {time: 13}}\n";
    const double hop = 0.05 * 0.05 / 2; /* its height, at the speed of sleep */
    play p = play_open(lowered, NULL);
    for (int t = 4; t <= 12; t++) {
        play_advance(&p, t);
        const double bottom = 12.5 - 0.05 * fmax(t - 5, 0);
        EXPECT_CLOSE("height above the bowl", carom_sim_frame(p.sim)->position[1], bottom + hop / 2, hop / 2);
    }
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_test(all, three_balls_collapse_below_the_critical_restitution);
    tcase_add_test(all, policies_resolve_three_balls);
    tcase_add_loop_test(all, strongly_inelastic_gases_run_by_policy, 0, 2);
    tcase_add_loop_test(all, strongly_inelastic_gases_stop_cleanly, 0, 2);
    tcase_add_test(all, sliding_by_rounding_is_a_collapse);
    tcase_add_test(all, resting_by_rounding_is_a_collapse);
    tcase_add_test(all, collapse_leaves_a_checkpoint);
    tcase_add_test(all, a_bed_at_rest_without_progress_is_reported);
    tcase_add_test(more, slow_progress_is_progress);
    tcase_add_test(all, a_ball_falls_asleep);
    tcase_add_test(all, a_hard_hit_wakes);
    tcase_add_test(all, a_lost_support_wakes_what_it_carried);
    tcase_add_test(all, a_slider_slides);
    tcase_add_test(all, a_hop_keeps_momentum);
    tcase_add_test(all, a_pile_comes_to_rest);
    tcase_add_test(more, a_pile_is_drained);
    tcase_add_test(all, a_bowl_is_lowered);
    tcase_set_timeout(all, 200);
    return suite_run("collapse", all, more);
}
