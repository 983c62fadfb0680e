/* Detects wrong drives of bodies that are free until the drive begins: motion before it, positions taken over,
 * contacts, checkpoints. */
#include "../support/expect.h"
#include "../support/oracle.h"
#include "../support/suite.h"

#include <math.h>

#define HEAD2 "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [10, 10], boundary: open}\n"
#define BALLS "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 3}}\n"

static const frame_ledger *ledger_of(play *p)
{
    return &carom_sim_frame(p->sim)->tallies.ledger;
}

static double start_of(play *p, size_t k)
{
    const frame_tallies *t = &carom_sim_frame(p->sim)->tallies;
    ck_assert_uint_lt(k, t->start_count);
    return t->starts[k].time;
}

/* ---- one body ---------------------------------------------------------------------------------------------------- */

/* Thrown up with 1, it is slower than 0.11 from 0.89 on; taken at the look at 0.9, where its speed is 0.1, it is held for 0.25, and
 * then drawn sideways and up for 0.75. A drive that held it would begin at the first look. */
static const char *const THROWN =
    HEAD2 BALLS "particles: [{species: b, place: {at: [[2, 3]]}, velocity: {each: [[0, 1]]}}]\n"
                "drives: [{name: up, particles: [0], motion: [{time: 0.25, velocity: [2, 0.5]}],\n"
                "          start: {when: {slower: 0.11, every: 0.1}, free: true}}]\n"
                "fields: {gravity: [0, -1]}\nrun: {until: {time: 1.9}}\n";

START_TEST(thrown_and_taken)
{
    const double mass = 3, begins = 0.9, speed = 1 - begins, rises = begins - 0.5 * begins * begins;
    play p = play_open(THROWN, NULL);
    play_advance(&p, 0.85);
    EXPECT_CLOSE("work while it is free", ledger_of(&p)->work, 0, 0);
    ck_assert(isnan(start_of(&p, 0)));
    play_advance(&p, 1.1);
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("begins", start_of(&p, 0), begins, 1e-15);
    EXPECT_CLOSE("x while it is held", f->position[0], 2, 0);
    EXPECT_CLOSE("y while it is held", f->position[1], 3 + rises, 1.4e-15);
    EXPECT_CLOSE("speed while it is held", hypot(f->velocity[0], f->velocity[1]), 0, 0);
    EXPECT_CLOSE("work while it is held", ledger_of(&p)->work, -0.5 * mass * speed * speed, 6e-18);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("x", f->position[0], 2 + 2 * 0.75, 1.4e-15);
    EXPECT_CLOSE("y", f->position[1], 3 + rises + 0.5 * 0.75, 1.4e-15);
    EXPECT_CLOSE("work", ledger_of(&p)->work, mass * (0.5 * (4 + 0.25 - speed * speed) + 0.5 * 0.75), 2.7e-15);
    play_close(&p);
}
END_TEST

/* ---- two on a spring --------------------------------------------------------------------------------------------- */

/* Two on a spring fly with 0.5; at 0.2 the one behind is taken and moves on with 1.5. The other then swings about its place in the
 * frame of that, from a speed of -1, for a quarter of a period; the work is all that has come to be. */
START_TEST(one_end_of_a_spring)
{
    const double k = 4, omega = 2, quarter = acos(-1) / 4, begins = 0.2;
    char text[2000];
    snprintf(text, sizeof text,
             HEAD2 BALLS
             "particles: [{species: a, place: {at: [[1, 5], [4, 5]]}, velocity: {each: [[0.5, 0], [0.5, 0]]}}]\n"
             "springs: [{name: s, pairs: [[0, 1]], stiffness: %g}]\n"
             "drives: [{name: d, particles: [0], motion: [{velocity: [1.5, 0]}],\n"
             "          start: {when: {slower: 1, every: 0.2}, free: true}}]\n"
             "variational: {material_step: 1e-4}\nrun: {until: {time: %.17g}}\n",
             k, begins + quarter);
    play p = play_open(text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double behind = 1 + 0.5 * begins + 1.5 * quarter, swing = -1 / omega;
    const double kinetic = 0.5 * 1.5 * 1.5 * 2, springs = 0.5 * k * swing * swing;
    /* a kick of 1e-4 stands for the time half a step before and after: its speed is of first order where the run ends
     * between two, a force of 2 for half a step at most, and its place, where it turns, of second order */
    EXPECT_CLOSE("the end that is drawn", f->position[0], behind, 1e-13);
    EXPECT_CLOSE("the other", f->position[2], behind + 3 + swing, 7e-9);
    EXPECT_CLOSE("its speed", f->velocity[2], 1.5, 1e-4);
    EXPECT_CLOSE("work", ledger_of(&p)->work, kinetic + springs - 2 * 0.5 * 0.25, 1.5e-4);
    play_close(&p);
}
END_TEST

/* Two on a damped spring fall on the floor; when they are at rest the upper one is drawn up at 0.5, and the lower one hangs from it in
 * the end. */
START_TEST(rests_and_is_drawn)
{
    const double every = 0.05, speed = 0.5;
    play p = play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: [10, 30], boundary: wall}\n" BALLS
                       "particles: [{species: a, place: {at: [[5, 1.5], [5, 3]]}}]\n"
                       "springs: [{name: s, pairs: [[0, 1]], stiffness: 20, damping: 4}]\n"
                       "contacts: [{between: [a, wall], restitution: 0.2}]\n"
                       "drives: [{name: d, particles: [1], motion: [{velocity: [0, 0.5]}],\n"
                       "          start: {when: {slower: 1e-3, for: 0.3, every: 0.05}, free: true}}]\n"
                       "variational: {material_step: 2e-4}\n"
                       "fields: {gravity: [0, -1]}\nrun: {until: {time: 22}}\n",
                       NULL);
    for (int look = 1; isnan(start_of(&p, 0)) && look < 400; look++) play_advance(&p, look * every);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double begins = start_of(&p, 0), rest[2] = {f->position[1], f->position[3]};
    EXPECT_CLOSE("begins at a look", f->time, begins, 0);
    EXPECT_CLOSE("is pressed together by the weight of one", rest[1] - rest[0], 1.5 - 1.0 / 20, 1.2e-4);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("drawn", f->position[3], rest[1] + speed * (f->time - begins), 2.7e-15);
    /* kicks come every h = 2e-4, and its speed is off by g h / 2 before and after: by as much of 4 that the dashpot pulls by 20 more
     * or less, 2e-5 */
    EXPECT_CLOSE("hangs", f->position[3] - f->position[1], 1.5 + 1.0 / 20, 3e-5);
    EXPECT_CLOSE("and moves with it", f->velocity[1], speed, 3e-4);
    play_close(&p);
}
END_TEST

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

/* Taken when another is so near that layers are awake, 1e-4 before they act: it gives no way. That one comes back with e of its
 * speed as from a wall, whose reduced mass is its own; with that of two free ones it would not. */
#define MET                                                                                                            \
    HEAD2 BALLS "particles: [{species: a, place: {at: [[2, 5]]}}, {species: b, place: {at: [[3.5001, 5]]}, velocity: " \
                "{each: [[-1, 0]]}}]\ncontacts: [{between: [a, b], restitution: 0.5}]\n"                               \
                "drives: [{name: d, particles: [0], motion: [{velocity: [0.25, 0]}],\n"                                \
                "          start: {when: {slower: 2, every: 0.5}, free: true}}]\nrun: {until: {time: 2}}\n"

START_TEST(gives_no_way)
{
    play p = play_open(MET, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
    EXPECT_CLOSE("goes on", f->velocity[0], 0.25, 0);
    EXPECT_CLOSE("comes back", f->velocity[2], 0.25 + 0.5 * 1.25, 3e-15);
    play_close(&p);
}
END_TEST

/* So near a wall that layers are awake, it is taken and drawn on: nothing but the scene moves either, and they never touch. */
#define THROUGH                                                                                                        \
    HEAD2 BALLS                                                                                                        \
        "particles: [{species: a, place: {at: [[2, 1.2501]]}, velocity: {each: [[0, -0.5]]}},\n"                       \
        "            {species: b, place: {at: [[4, 1.3], [6, 4]]}, velocity: {each: [[0, -0.5], [0, -0.5]]}}]\n"       \
        "planes: [{name: floor, point: [0, 0.5], normal: [0, 1]}]\n"                                                   \
        "drives: [{name: d, particles: [0], motion: [{velocity: [0.25, -0.5]}],\n"                                     \
        "          start: {when: {slower: 2, every: 0.5}, free: true}}]\nrun: {until: {time: 2}}\n"

START_TEST(never_touches_what_is_held)
{
    play p = play_open(THROUGH, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("x", f->position[0], 2 + 0.25 * 1.5, 1.4e-15);
    EXPECT_CLOSE("y", f->position[1], 1.2501 - 0.5 * 2, 1.7e-16);
    EXPECT_CLOSE("work", ledger_of(&p)->work, 0.5 * 0.25 * 0.25, 1.1e-17);
    ck_assert_uint_eq(f->events[EVENT_WALL], 1); /* of the second ball */
    play_close(&p);
}
END_TEST

/* ---- what presses ------------------------------------------------------------------------------------------------ */

static const char *const PRESSED =
    HEAD2 BALLS "particles: [{species: a, place: {at: [[2, 1.24]]}, velocity: {each: [[0, -0.5]]}}]\n"
                "planes: [{name: floor, point: [0, 0.5], normal: [0, 1]}]\n"
                "drives: [{name: hand, particles: [0], motion: [{velocity: [0, 0.5]}],\n"
                "          start: {when: {slower: 2, every: 0.5}, free: true}}]\nrun: {until: {time: 2}}\n";

/* The same with the paper's algorithms, and again when it is resumed. */
START_TEST(presses)
{
    char path[60], checkpoint[80];
    snprintf(path, sizeof path, "taken-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    uint64_t hash = 0;
    for (int n = 0; n < 3; n++) {
        const carom_options options = {.output = path, .force = n < 2, .resume = n == 2};
        play p = play_try(PRESSED, n == 1 ? "variational.reference=true" : "variational.reference=false",
                          n == 1 ? NULL : &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
        ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_SQUEEZED);
        const char *message = carom_sim_message(p.sim);
        printf("%s\n", message);
        ck_assert_ptr_nonnull(strstr(message, "at time 0.5 drive 'hand' begins, and particle 0, at (2, 0.99"));
        ck_assert_ptr_nonnull(strstr(message, "is pressed against a wall or plane"));
        if (n == 0) hash = play_hash(&p);
        ck_assert(play_hash(&p) == hash);
        play_close(&p);
    }
    remove(path);
    remove(checkpoint);
}
END_TEST

/* ---- bits -------------------------------------------------------------------------------------------------------- */

/* A damped sheet falls over the edge of a plate; the side that hangs in the air is taken there, and turned and drawn
 * away while what lies on the plate follows. Two balls hang and fall beside, one of which is taken when it flies. */
static const char *const SHEET =
    "carom: 1\nengine: variational\nbox: {size: [6, 4, 4], boundary: open}\nspecies: {a: {diameter: 0.2}}\n"
    "meshes:\n"
    "  - {name: plate, shape: {rectangle: {length: 1.3, width: 3, along: 2, across: 3}}, place: {at: [1.6, 2, 1]},\n"
    "     thickness: 0.1, rigid: true}\n"
    "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 3, across: 2, rough: true}},\n"
    "     place: {at: [2, 2, 1.102]}, thickness: 0.1, density: 10, stretch: 50, bend: 0.05,\n"
    "     damping: {stretch: 1, bend: 0.002}}\n"
    "drives:\n"
    "  - {name: side, mesh: sheet, within: {from: [2.49, 0, 0], to: [2.51, 4, 4]},\n"
    "     motion: [{velocity: [0.5, 0, 0.2], turn: {axis: [0, 1, 0], through: [2.5, 2, 1], rate: 0.5}},\n"
    "              {time: 0.05, velocity: [0, 0, 0]}],\n"
    "     start: {when: {slower: 5, for: 0.02, every: 0.02, meshes: [sheet]}, free: true}}\n"
    "  - {name: ball, particles: [0], motion: [{velocity: [0.3, 0, 0]}],\n"
    "     start: {when: {slower: 5, every: 0.06}, free: true}}\n"
    "particles: [{species: a, place: {at: [[4, 2, 2], [4.5, 2, 2], [4.02, 2.01, 1.4]]}}]\n"
    "springs: [{name: s, pairs: [[0, 1]], stiffness: 0.2, length: 0.3}]\n"
    "contacts: [{between: [a, a], restitution: 0.1, friction: 0.3}]\n"
    "fields: {gravity: [0, 0, -10]}\nrun: {until: {time: 0.12}}\n";

static void same_bits(const char *text, double time, const char *name)
{
    const oracle_case c = {.text = text, .time = time};
    oracle_compare(&c, UINT64_MAX);
    oracle_resume(&c, name);
    play one = play_open(text, NULL), two = play_try(text, NULL, &(carom_options){.threads = 2});
    play_run(&one, CAROM_STOP_TIME);
    play_run(&two, CAROM_STOP_TIME);
    ck_assert(play_hash(&one) == play_hash(&two));
    play_close(&one);
    play_close(&two);
}

START_TEST(same_bits_of_a_sheet)
{
    same_bits(SHEET, 0.12, "taken-sheet");
    play p = play_open(SHEET, NULL);
    play_run(&p, CAROM_STOP_TIME);
    printf("begun at %.9g and %.9g\n", start_of(&p, 0), start_of(&p, 1));
    EXPECT_CLOSE("the side's", start_of(&p, 0), 0.04,
                 0); /* the first and the second halt of oracle_resume are between these */
    EXPECT_CLOSE("the ball's", start_of(&p, 1), 0.06, 0);
    play_close(&p);
}
END_TEST

/* Halts just before, at and after the beginning. */
static void resumed_at(const char *text, double begins, int paths)
{
    const double halts[] = {begins - 0.005, begins, begins + 0.005};
    char path[60], checkpoint[80], until[60];
    snprintf(path, sizeof path, "taken-at-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    for (int reference = 0; reference < paths; reference++) {
        const char *set = reference ? "variational.reference=true" : "variational.reference=false";
        play whole = play_open(text, set);
        for (int k = 0; k < 3; k++) {
            const carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
            snprintf(until, sizeof until, "run.until.time=%.17g", halts[k]);
            play p = {.scene = carom_scene_new()};
            ck_assert_int_eq(carom_scene_set(p.scene, set), CAROM_OK);
            ck_assert_int_eq(carom_scene_set(p.scene, until), CAROM_OK);
            ck_assert_int_eq(carom_scene_load_text(p.scene, "test.yaml", text, strlen(text)), CAROM_OK);
            ck_assert_int_eq(carom_sim_new(&p.sim, p.scene, &options), CAROM_OK);
            play_run(&p, CAROM_STOP_TIME);
            play_advance(&whole, halts[k]);
            ck_assert(play_hash(&p) == play_hash(&whole));
            oracle_same_numbers(&(oracle_case){.text = text}, carom_sim_frame(whole.sim), carom_sim_frame(p.sim));
            play_close(&p);
        }
        const carom_options options = {.output = path, .resume = true};
        play last = play_try(text, set, &options);
        play_run(&last, CAROM_STOP_TIME);
        play_run(&whole, CAROM_STOP_TIME);
        ck_assert(play_hash(&last) == play_hash(&whole));
        oracle_same_numbers(&(oracle_case){.text = text}, carom_sim_frame(whole.sim), carom_sim_frame(last.sim));
        play_close(&last);
        play_close(&whole);
        remove(path);
        remove(checkpoint);
    }
}

START_TEST(resumed_before_at_and_after)
{
    resumed_at(SHEET, 0.06, 1);
    resumed_at(THROWN, 0.9, 2);
    resumed_at(MET, 0.5, 2);
    resumed_at(THROUGH, 0.5, 2);
}
END_TEST

START_TEST(same_bits_of_balls)
{
    same_bits(THROWN, 1.9, "taken-thrown");
    same_bits(MET, 2, "taken-met");
    same_bits(THROUGH, 2, "taken-through");
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, thrown_and_taken);
    tcase_add_test(all, one_end_of_a_spring);
    tcase_add_test(all, rests_and_is_drawn);
    tcase_add_test(all, gives_no_way);
    tcase_add_test(all, never_touches_what_is_held);
    tcase_add_test(all, presses);
    tcase_add_test(rest, same_bits_of_a_sheet);
    tcase_add_test(all, same_bits_of_balls);
    tcase_add_test(all, resumed_before_at_and_after);
    tcase_set_timeout(all, 600);
    return suite_run("variational, drive start", all, rest);
}
