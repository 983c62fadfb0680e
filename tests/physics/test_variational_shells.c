/* Detects errors of meshes in the engine `variational`: other bits than the oracle or a run resumed during contacts,
 * and crossings found by brute force over many frames. */
#include "../support/expect.h"
#include "../support/oracle.h"
#include "../support/random_shells.h"
#include "../support/suite.h"

#include "geometry/closest.h"

static play_text text;

/* ---- the oracle -------------------------------------------------------------------------------------------------- */

/* Things are drawn so close together that some scenes overlap, and are refused: passed over. */
static bool is_sound(uint64_t seed, shell_scene *s)
{
    *s = random_shells_write(&text, seed);
    play p = play_try(text.text, NULL, NULL);
    bool sound = p.created == CAROM_OK;
    if (!sound && strstr(carom_sim_message(p.sim), "overlap") == NULL &&
        strstr(carom_sim_message(p.sim), "closer than") == NULL)
        ck_abort_msg("%s", carom_sim_message(p.sim));
    play_close(&p);
    return sound;
}

/* A run ends where an edge has grown too long. */
static oracle_case case_of(const shell_scene *s, uint64_t seed)
{
    return (oracle_case){.text = text.text,
                         .ending = "along a periodic axis, which allows at most",
                         .seed = seed,
                         .time = s->linked.time};
}

static void compare(uint64_t seed)
{
    shell_scene s;
    if (!is_sound(seed, &s)) return;
    const oracle_case c = case_of(&s, seed);
    printf("%llu: %u meshes, %u vertices, %u others, %u segments: ", (unsigned long long)seed, s.meshes, s.vertices,
           s.linked.count, s.linked.rods);
    oracle_compare(&c, 12000);
}

static void expect_bits_of_oracle(const char *scene, uint64_t impacts)
{
    play fast = play_open(scene, NULL), slow = play_open(scene, "variational.reference=true");
    play_run(&fast, CAROM_STOP_TIME);
    play_run(&slow, CAROM_STOP_TIME);
    ck_assert_uint_gt(carom_sim_frame(fast.sim)->events[EVENT_COLLISION], impacts);
    ck_assert(play_hash(&fast) == play_hash(&slow));
    play_close(&fast);
    play_close(&slow);
}

/* A thick sheet comes from afar to a plate of so small triangles that its tolerance is a large part of the lists' skin:
 * lists that are used up at once would hold the run without end. */
static const char *const THICK_AND_FINE =
    "carom: 1\nengine: variational\nbox: {size: [4, 4, 4], boundary: [open, open, open]}\n"
    "species: {a: {diameter: 0.1}}\n"
    "meshes:\n"
    "  - {name: plate, shape: {rectangle: {length: 0.16, width: 0.16, along: 8, across: 8}}, place: {at: [2, 2, 1]},\n"
    "     thickness: 0.15, rigid: true}\n"
    "  - {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}},\n"
    "     place: {at: [2, 2, 1.4], rotate: {axis: [1, 0.3, 0.1], angle: 0.1}}, thickness: 0.15, density: 10,\n"
    "     stretch: 50, bend: 0.01, velocity: [0.3, 0, -2]}\n"
    "variational: {eta: 0.0749}\n"
    "run: {until: {time: 0.3}}\n";

START_TEST(thick_and_fine)
{
    expect_bits_of_oracle(THICK_AND_FINE, 100);
}
END_TEST

/* A vertex on the axis of what turns moves by rounding alone: nothing must follow that step by step without end. */
static const char *const TURNING_FLOOR =
    "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies: {a: {diameter: 1}}\n"
    "meshes:\n"
    "  - {name: floor, shape: {rectangle: {length: 6, width: 6, along: 2, across: 2}}, place: {at: [4, 4, 2]},\n"
    "     thickness: 0.05, rigid: true}\n"
    "  - {name: cloth, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [4, 4, 2.5]},\n"
    "     thickness: 0.05, stretch: 400, bend: 0.05}\n"
    "drives: [{name: tilt, mesh: floor, motion: [{velocity: [0, 0, 0],\n"
    "          turn: {axis: [1, 0, 0], through: [4, 4, 2], rate: 1}}]}]\n"
    "fields: {gravity: [0, 0, -10]}\nrun: {until: {time: 0.6}}\n";

START_TEST(axis_through_a_vertex)
{
    expect_bits_of_oracle(TURNING_FLOOR, 10);
}
END_TEST

/* Contacts of vertices with faces and of edges with edges, whose impulses depend on velocities and masses at the closest points. */
static const char *const ROUGH_SHEETS =
    "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies: {a: {diameter: 1}}\n"
    "meshes:\n"
    "  - {name: lower, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [4, 4, 1.08],\n"
    "     rotate: {axis: [1, 0.2, 0], angle: 0.01}}, thickness: 0.1, density: 10, stretch: 500, bend: 0.1}\n"
    "  - {name: upper, shape: {rectangle: {length: 1.5, width: 1.5, along: 2, across: 2}}, place: {at: [4.3, 4.2, "
    "1.3],\n"
    "     rotate: {axis: [0.2, 1, 0.5], angle: 0.1}}, thickness: 0.1, density: 10, stretch: 500, bend: 0.1,\n"
    "     velocity: [1, 0.5, -3]}\n"
    "planes: [{name: table, point: [0, 0, 1], normal: [0, 0, 1]}]\n"
    "contacts: [{between: [a, a], restitution: 0.3, friction: 0.4}]\n"
    "fields: {gravity: [0, 0, -10]}\nvariational: {stiffness: 400}\nrun: {until: {time: 0.12}}\n";

START_TEST(sheets_with_friction)
{
    expect_bits_of_oracle(ROUGH_SHEETS, 50);
}
END_TEST

/* Two elastic cloths on a floor of another law: contacts exchange energy between their kicks, and the books close over
 * all of them. */
static const char *const TWO_LAWS =
    "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\n"
    "species: {cloth: {diameter: 1}, floor: {diameter: 1}}\n"
    "meshes:\n"
    "  - {name: floor, shape: {rectangle: {length: 6, width: 6, along: 2, across: 2}}, place: {at: [4, 4, 1]},\n"
    "     thickness: 0.1, rigid: true, species: floor}\n"
    "  - {name: lower, shape: {rectangle: {length: 2, width: 2, along: 4, across: 4}}, place: {at: [4, 4, 1.2]},\n"
    "     thickness: 0.1, density: 10, stretch: 500, bend: 0.1, species: cloth}\n"
    "  - {name: upper, shape: {rectangle: {length: 2, width: 2, along: 3, across: 3}}, place: {at: [4.1, 4.1, 1.4]},\n"
    "     thickness: 0.1, density: 10, stretch: 500, bend: 0.1, species: cloth}\n"
    "fields: {gravity: [0, 0, -10]}\nvariational: {stiffness: 400}\nrun: {until: {time: 1}}\n";

START_TEST(books_of_two_laws)
{
    static const char *const laws[] = {
        "contacts=[{between: [cloth, cloth], restitution: 1}, {between: [cloth, floor], restitution: 0.2}]",
        "contacts=[{between: [cloth, cloth], restitution: 1}, {between: [cloth, floor], restitution: 1, friction: "
        "0.3}]"};
    play p = play_open(TWO_LAWS, laws[_i]);
    frame_energy energy = frame_energy_of(carom_sim_frame(p.sim));
    const double first = frame_budget(carom_sim_frame(p.sim), &energy);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const frame_ledger *l = &f->tallies.ledger;
    energy = frame_energy_of(f);
    const double lost = l->restitution + l->friction, drift = frame_budget(f, &energy) - first;
    printf("restitution %.4g, friction %.4g, drift %.3g\n", l->restitution, l->friction, drift);
    ck_assert_double_gt(lost, 0.5);
    /* what steps may cost: output/verify/verify_drift.h */
    ck_assert_double_le(fabs(drift), 0.05 / 50 * first);
    if (_i == 1) ck_assert(l->restitution == 0);
    play_close(&p);
}
END_TEST

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static void resume(uint64_t seed)
{
    shell_scene s;
    if (!is_sound(seed, &s)) return;
    const oracle_case c = case_of(&s, seed);
    oracle_resume(&c, "shells");
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Many frames, each looked at by `carom verify`: nothing passes through anything. */
static void look(uint64_t seed)
{
    char path[100], every[80], *report = NULL;
    snprintf(path, sizeof path, "shells-%ld-frames.h5", (long)getpid());
    shell_scene s;
    if (!is_sound(seed, &s)) return;
    snprintf(every, sizeof every, "output.frames.every=%.17g", s.linked.time / 100);
    play p = play_try(text.text, every, &(carom_options){.output = path, .force = true});
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    (void)carom_sim_run(p.sim);
    play_close(&p);
    carom_file *result = NULL;
    ck_assert_int_eq(carom_file_open(&result, path), CAROM_OK);
    carom_status status = carom_file_verify(result, false, &report);
    if (status != CAROM_OK) ck_abort_msg("scene %llu: %s", (unsigned long long)seed, report);
    carom_free(report);
    carom_file_free(result);
    remove(path);
}

static uint64_t first, count = 8;

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

START_TEST(nothing_crosses)
{
    for (uint64_t k = 0; k < count; k++) look(first + (uint64_t)_i * count + k);
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    suite_scenes(argc, argv, &first, &count);
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(rest, oracle_agrees, 0, 1);
    tcase_add_loop_test(all, oracle_agrees, 1, 2);
    tcase_add_loop_test(rest, oracle_agrees, 2, (int)((count + EACH - 1) / EACH));
    tcase_add_test(all, thick_and_fine);
    tcase_add_test(more, axis_through_a_vertex);
    tcase_add_test(all, sheets_with_friction);
    tcase_add_loop_test(all, books_of_two_laws, 0, 2);
    tcase_add_test(all, resumed_within_contacts);
    suite_split_loop(all, rest, nothing_crosses, 1, 4);
    tcase_set_timeout(all, 600);
    return suite_run("variational, shells", all, more, rest);
}
