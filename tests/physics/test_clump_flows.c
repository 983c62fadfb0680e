/* Detects clumps that enter or leave at wrong times, in parts, with wrong energies or momenta, or outside of their region, that count
 * once for each sphere, and bits that depend on threads, the reference or a resumed run.
 * Closed forms: the parabola of the centre of mass; the moments of a dumbbell of disks. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

static const double PI_OF = 3.14159265358979323846;

/* The centre of mass of the clump that begins with a point, without periodic images. */
static void centre_of(const carom_frame *f, size_t first, double x[3])
{
    const size_t d = (size_t)f->dimension;
    double mass = 0;
    memset(x, 0, 3 * sizeof *x);
    for (size_t n = 0; n < f->solids; n++) {
        const frame_solid *s = &f->solid[n];
        for (int a = 0; a < 4 && s->first == first; a++)
            for (int b = 0; b < 4; b++) {
                mass += s->share_mass[a][b];
                for (size_t k = 0; k < d; k++) x[k] += s->share_mass[a][b] * f->position[d * s->corner[a] + k];
            }
    }
    ck_assert(mass > 0);
    for (size_t k = 0; k < d; k++) x[k] /= mass;
}

static double mass_of(const carom_frame *f, size_t first, size_t count)
{
    double mass = 0;
    for (size_t i = first; i < first + count; i++) mass += f->mass[i];
    return mass;
}

/* ---- without contacts -------------------------------------------------------------------------------------------- */

/* Three different moments of inertia: the clumps tumble. They enter 2 s apart, with speed 1 downwards. */
#define FALL                                                                                                           \
    "dimension: 3\nseed: 5\nbox: {size: [60, 60, 14], boundary: open}\nspecies: {a: {diameter: 1, density: 2}}\n"      \
    "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 0.8}, "        \
    "{at: [0, 0.4, 0.3], diameter: 0.5}]}]\n"                                                                          \
    "particles: [{clump: c, count: 10, velocity: {each: [0.3, 0, -1]}, angular_velocity: {each: [0.4, 1, 0.2]},\n"     \
    "  place: {inflow: {region: {box: {from: [0, 0, 10], to: [60, 60, 12]}}, rate: 0.5, start: 1}}}]\n"                \
    "outflow: [{name: below, region: {box: {from: [-100, -100, -100], to: [200, 200, 1]}}, every: 0.01}]\n"            \
    "fields: {gravity: [0, 0, -2]}\nvariational: {rotation: true, stiffness: 1e4%s}\n"

enum { FALLS = 10, SPHERES = 3 };

/* The number of the first check after a fall from a height to 1. */
static double exit_check(double height, double start)
{
    const double end = start + 0.5 * (sqrt(1 + 4 * (height - 1)) - 1);
    ck_assert(fabs(end / 0.01 - rint(end / 0.01)) > 1e-6);
    return ceil(end / 0.01);
}

/* The balance on both sides of a moment at which a clump enters or leaves; a rotation changes it by less in 1e-9 s, and kicks of
 * gravity, at the same moments, by more. */
static void pass_moment(play *p, double time, bool kicked)
{
    if (kicked) {
        play_advance(p, time);
        return;
    }
    play_advance(p, time - 1e-9);
    const double before = budget(p);
    play_advance(p, time);
    EXPECT_CLOSE("energy balance", budget(p), before, 1e-12 * (1 + frame(p)->tallies.flow.energy_entered));
}

START_TEST(a_fall_takes_its_time)
{
    char body[1500];
    snprintf(body, sizeof body, FALL, _i == 0 ? "" : ", gravity: kick, step: 1e-3");
    play p = open_scene(body, _i == 2 ? "variational.reference=true" : NULL);
    /* kicks: of the order of g times fall times step; thousands of roundings */
    const double place = _i == 0 ? 1e-12 : 1e-2, across = _i == 0 ? 1e-12 : 3e-11;
    double from[3] = {0}, begun = 0;
    for (int k = 0; k <= FALLS; k++) {
        const double last[3] = {from[0], from[1], from[2]}, since = begun;
        double x[3];
        begun = 1 + 2 * k;
        if (k < FALLS) {
            pass_moment(&p, begun, _i > 0);
            ck_assert_uint_eq(frame(&p)->tallies.flow.entered, (uint64_t)k + 1);
            frame_need(frame(&p), FRAME_ALL);
            centre_of(frame(&p), SPHERES * (size_t)k, from);
        }
        if (k == 0) continue;
        const double check = exit_check(last[2], since), t = 0.01 * check - 0.004 - since;
        play_advance(&p, since + t);
        const frame_flow *flow = &frame(&p)->tallies.flow;
        ck_assert_uint_eq(flow->left, (uint64_t)k - 1);
        ck_assert_uint_eq(frame_present(frame(&p)), k < FALLS ? 2 : 1);
        frame_need(frame(&p), FRAME_ALL);
        centre_of(frame(&p), SPHERES * (size_t)(k - 1), x);
        EXPECT_CLOSE("x", x[0], last[0] + 0.3 * t, across);
        EXPECT_CLOSE("y", x[1], last[1], across);
        EXPECT_CLOSE("z", x[2], last[2] - t - t * t, place);
        const double mass = mass_of(frame(&p), 0, SPHERES), both = k < FALLS ? 2 : 1;
        EXPECT_CLOSE("momentum", frame_energy_of(frame(&p)).momentum[0], 0.3 * both * mass, 1e-13);
        EXPECT_CLOSE("mass that has left", flow->mass_left, (k - 1) * mass, 1e-14 * k);
        if (_i > 0) continue;
        pass_moment(&p, 0.01 * check, false);
        ck_assert_uint_eq(frame(&p)->tallies.flow.left, (uint64_t)k);
    }
    play_close(&p);
}
END_TEST

/* Absent clumps are at rest at the origin with all their spheres, and numbers stay. */
START_TEST(clumps_are_absent_as_a_whole)
{
    char body[1500];
    snprintf(body, sizeof body, FALL, "");
    play p = open_scene(body, NULL);
    for (int n = 0; n < 12; n++) {
        play_advance(&p, 1.7 * n + 0.5);
        const carom_frame *f = frame(&p);
        frame_need(f, FRAME_ALL);
        size_t present = 0;
        for (size_t i = 0; i < SPHERES * FALLS; i++) {
            ck_assert_uint_eq(f->id[i], i);
            ck_assert_int_eq(f->clump[i], (int)(i / SPHERES));
            ck_assert_int_eq(frame_is_absent(f, i), frame_is_absent(f, i - i % SPHERES));
            ck_assert(f->inertia[i] == 0);
            present += !frame_is_absent(f, i);
            double all = 0;
            for (size_t k = 0; k < 3; k++)
                all += fabs(f->position[3 * i + k]) + fabs(f->velocity[3 * i + k]) + fabs(f->spin[3 * i + k]);
            ck_assert_int_eq(all == 0, frame_is_absent(f, i));
        }
        ck_assert_uint_eq(present, SPHERES * frame_present(f));
        ck_assert_uint_eq(frame_present(f), f->tallies.flow.entered - f->tallies.flow.left);
    }
    play_close(&p);
}
END_TEST

/* Dumbbells of two disks, which turn at a constant rate: all energies are exact. I = 2 (m R^2 / 2 + m a^2). */
START_TEST(energies_are_exact)
{
    const double m = 2 * PI_OF / 4, inertia = 2 * (0.5 * m * 0.25 + m * 0.36);
    play p = open_scene(
        "dimension: 2\nbox: {size: [40, 12], boundary: open}\nspecies: {a: {diameter: 1, density: 2}}\n"
        "clumps: [{name: c, species: a, spheres: [{at: [0, 0.6], diameter: 1}, {at: [0, -0.6], diameter: 1}]}]\n"
        "particles: [{clump: c, count: 8, orientation: fixed, velocity: {each: [0, -1]}, angular_velocity: {each: 3},\n"
        "  place: {inflow: {region: {box: {from: [0, 8], to: [40, 10.2001]}}, rate: 0.5}}}]\n"
        "outflow: [{name: below, side: y-, every: 0.01}]\nfields: {gravity: [0, -2]}\n"
        "variational: {rotation: true, stiffness: 1e4}\n",
        NULL);
    for (int n = 0; n < 60; n++) {
        play_advance(&p, 0.3 * n + 0.05);
        const frame_flow *flow = &frame(&p)->tallies.flow;
        const double each = 2 * m * (0.5 + 2 * 9.10005) + 0.5 * inertia * 9;
        EXPECT_CLOSE("energy that has entered", flow->energy_entered, each * (double)flow->entered, 7e-3);
        EXPECT_CLOSE("energy that has left", flow->energy_left, each * (double)flow->left, 7e-3);
        EXPECT_CLOSE("mass that has entered", flow->mass_entered, 2 * m * (double)flow->entered, 1e-13);
        EXPECT_CLOSE("energy balance", budget(&p), 0, 1e-13 * (1 + flow->energy_entered));
    }
    ck_assert_uint_eq(frame(&p)->tallies.flow.left, 8);
    play_close(&p);
}
END_TEST

static bool is_inside(int kind, const double x[3], double radius)
{
    const double r2 = (x[0] - 4) * (x[0] - 4) + (x[1] - 4) * (x[1] - 4), z = x[2] - 4, most = 2.5 - radius + 1e-12;
    if (kind == 0) return fabs(x[0] - 4) <= most && fabs(x[1] - 4) <= most && fabs(z) <= most;
    if (kind == 1) return sqrt(r2) <= most && fabs(z) <= most;
    return sqrt(r2 + z * z) <= most;
}

/* Clumps of a periodic box, some across its faces, leave at 1.3 after each entry: each one enters an empty region. */
START_TEST(all_spheres_enter_in_the_region)
{
    static const char *const regions[] = {"box: {from: [1.5, 1.5, 1.5], to: [6.5, 6.5, 6.5]}",
                                          "cylinder: {from: [4, 4, 1.5], to: [4, 4, 6.5], radius: 2.5}",
                                          "ball: {centre: [4, 4, 4], radius: 2.5}"};
    char body[1200];
    enum { COUNT = 200 };
    snprintf(body, sizeof body,
             "dimension: 3\nbox: {size: [5.5, 8, 8], boundary: [periodic, open, wall]}\n"
             "species: {a: {diameter: 1, density: 1}}\n"
             "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [1.2, 0, 0], diameter: 0.6}, "
             "{at: [0, 1, 0], diameter: 0.5}]}]\n"
             "particles: [{clump: c, count: %d, place: {inflow: {region: {%s}, rate: 1, start: 1}}}]\n"
             "outflow: [{name: all, region: {box: {from: [0, 0, 0], to: [5.5, 8, 8]}}, every: 0.5}]\n"
             "variational: {rotation: true, stiffness: 100}\n",
             COUNT, regions[_i]);
    play p = open_scene(body, NULL);
    for (size_t n = 0; n < COUNT; n++) {
        play_advance(&p, 1.2 + (double)n);
        const carom_frame *f = frame(&p);
        ck_assert_uint_eq(f->tallies.flow.entered, n + 1);
        ck_assert_uint_eq(frame_present(f), 1);
        frame_need(f, FRAME_ALL);
        for (size_t i = 3 * n; i < 3 * n + 3; i++) {
            double x[3], y[3];
            memcpy(x, f->position + 3 * i, sizeof x);
            memcpy(y, x, sizeof y);
            y[0] += 5.5;
            ck_assert(is_inside(_i, x, f->radius[i]) || is_inside(_i, y, f->radius[i]));
        }
    }
    play_close(&p);
}
END_TEST

/* By the centre of mass, also across a periodic face; linked clumps stay, with all their spheres. */
START_TEST(clumps_of_the_start_leave)
{
    play p = open_scene(
        "dimension: 2\nbox: {size: [6, 6], boundary: [periodic, open]}\nspecies: {a: {diameter: 0.4, mass: 1}}\n"
        "clumps: [{name: c, species: a, density: 1, spheres: [{at: [-0.3, 0], diameter: 0.4}, {at: [0.3, 0], diameter: "
        "0.4}]}]\n"
        "particles:\n  - {clump: c, orientation: fixed, place: {at: [[0.05, 3], [3, 3], [1.5, 1], [4, 1]]}}\n"
        "  - {species: a, place: {at: [[4.3, 2], [5.5, 1]]}}\n"
        "springs: [{name: tie, pairs: [[7, 8]], stiffness: 1, length: 1}]\n"
        "outflow:\n  - {name: face, region: {ball: {centre: [6, 3], radius: 0.3}}, every: 1, end: 5}\n"
        "  - {name: sphere, region: {ball: {centre: [3.3, 3], radius: 0.2}}, every: 1, end: 5}\n"
        "  - {name: below, region: {box: {from: [0, 0], to: [6, 2.5]}}, every: 1, start: 6}\n"
        "variational: {rotation: true, stiffness: 100}\n",
        NULL);
    const double start = budget(&p), mass = PI_OF / 4 * 0.16 * 2;
    play_advance(&p, 5.5);
    ck_assert_uint_eq(frame(&p)->tallies.flow.left, 1);
    ck_assert_uint_eq(frame_present(frame(&p)), 5);
    frame_need(frame(&p), FRAME_ALL);
    ck_assert(frame_is_absent(frame(&p), 0) && frame_is_absent(frame(&p), 1) && !frame_is_absent(frame(&p), 3));
    EXPECT_CLOSE("mass", frame(&p)->tallies.flow.mass_left, mass, 1e-15);
    play_advance(&p, 6.5); /* a clump and a single disk; not the tied ones */
    ck_assert_uint_eq(frame(&p)->tallies.flow.left, 3);
    EXPECT_CLOSE("mass", frame(&p)->tallies.flow.mass_left, 2 * mass + 1, 1e-14);
    frame_need(frame(&p), FRAME_ALL);
    ck_assert(!frame_is_absent(frame(&p), 6) && !frame_is_absent(frame(&p), 7) && !frame_is_absent(frame(&p), 8));
    EXPECT_CLOSE("energy balance", budget(&p), start, 1e-14);
    play_close(&p);
}
END_TEST

/* Dumbbells have two spheres: a condition for three or four particles holds as the third or fourth one enters. */
START_TEST(conditions_count_clumps)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: variational\ndimension: 3\nbox: {size: [20, 20, 20], boundary: open}\n"
        "species: {a: {diameter: 1, density: 1}}\n"
        "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 1}]}]\n"
        "particles: [{clump: c, count: 5, place: {inflow: {region: {box: {from: [0, 0, 0], to: [20, 20, 20]}}, "
        "rate: 1, start: 1}}}]\n"
        "meshes: [{name: gate, shape: {rectangle: {length: 1, width: 1, along: 1, across: 1}}, place: {at: [30, 30, "
        "30]}, rigid: true, thickness: 0.1, vanish: {when: {particles: 3, every: 0.25}}}]\n"
        "run: {until: {time: 20, rest: {slower: 1, every: 0.25, particles: 4}}}\nvariational: {rotation: true, "
        "stiffness: 100}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_REST);
    json_t *summary = play_summary(&p);
    EXPECT_CLOSE("end", play_number(summary, "time"), 4, 1e-12);
    EXPECT_CLOSE("the gate vanishes", play_number(summary, "meshes.gate.vanished"), 3.25, 1e-12); /* the next check */
    EXPECT_CLOSE("present", play_number(summary, "flow.present"), 4, 0);
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* Observables see the clumps that are present: the temperature is that of those on their way. */
START_TEST(observables_see_the_present_ones)
{
    char body[1700];
    snprintf(body, sizeof body, FALL "observe: [{what: temperature, every: 0.5, start: 1.2}]\n", "");
    play p = open_scene(body, NULL);
    for (int n = 0; n < 20; n++) {
        const double now = 1.7 + 0.5 * n;
        play_advance(&p, now + 1e-6);
        const carom_table *t = &carom_sim_observable(p.sim, 0)->tables[0];
        const bool sampled = t->rows > 0 && fabs(t->columns[0].data[t->rows - 1] - now) < 1e-9;
        double kinetic = 0, count = 0, velocity = 0;
        for (int k = 0; k < FALLS; k++) {
            const double since = now - 1 - 2 * k;
            if (since < 0 || frame_is_absent(frame(&p), SPHERES * (size_t)k)) continue;
            velocity += 1 + 2 * since;
            kinetic += (1 + 2 * since) * (1 + 2 * since);
            count++;
        }
        printf("%g present at %g\n", count, now);
        ck_assert(sampled == (count > 1));
        if (!sampled) continue;
        kinetic = mass_of(frame(&p), 0, SPHERES) * (kinetic - velocity * velocity / count);
        EXPECT_CLOSE("temperature", t->columns[1].data[t->rows - 1], kinetic / (3 * (count - 1)), 1e-12 * kinetic);
    }
    play_close(&p);
}
END_TEST

/* ---- with contacts ----------------------------------------------------------------------------------------------- */

/* A bed into which clumps and grains fall, and of which a part leaves, in contact. */
#define BED                                                                                                            \
    "dimension: 3\nseed: %d\nbox: {size: [3.5, 3, 6], boundary: [periodic, wall, open]}\n"                             \
    "species: {a: {diameter: 1, density: 1.9}, b: {diameter: 0.7, mass: 0.4}}\n"                                       \
    "clumps:\n  - {name: bell, species: a, spheres: [{at: [0, 0, 0], diameter: 0.8}, {at: [0.5, 0, 0], diameter: "     \
    "0.6}]}\n"                                                                                                         \
    "  - {name: bent, species: b, density: 2, spheres: [{at: [0, 0, 0], diameter: 0.6}, {at: [0.4, 0, 0], diameter: "  \
    "0.6}, {at: [0.4, 0.4, 0], diameter: 0.5}]}\n"                                                                     \
    "particles:\n"                                                                                                     \
    "  - {clump: bell, count: 3, place: {random: {region: {box: {from: [0, 0, 1], to: [3.5, 3, 3]}}}}}\n"              \
    "  - {clump: bent, count: 14, velocity: {maxwell: 0.2}, angular_velocity: {maxwell: 1},\n"                         \
    "     place: {inflow: {region: {cylinder: {from: [1.7, 1.5, 3.5], to: [1.7, 1.5, 5.5], radius: 1.5}}, rate: "      \
    "4}}}\n"                                                                                                           \
    "  - {species: b, count: 5, place: {inflow: {region: {ball: {centre: [1, 1, 5], radius: 1}}, rate: 1}}}\n"         \
    "  - {clump: bell, count: 6, place: {inflow: {region: {box: {from: [2.5, 0, 4], to: [4.5, 3, 6]}}, rate: 1, "      \
    "start: 2}}}\n"                                                                                                    \
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"                                                   \
    "meshes: [{name: post, rigid: true, thickness: 0.2, shape: {solid: {kind: octahedron, radius: 0.5}}, place: {at: " \
    "[1.5, 1.5, 0.8]}}]\n"                                                                                             \
    "contacts:\n  - {between: [a, a], restitution: 0.6, friction: 0.4, rolling_friction: 0.1%s}\n"                     \
    "  - {between: [a, b], restitution: 0.6, friction: 0.4}\n  - {between: [b, b], restitution: 0.6, friction: 0.4}\n" \
    "  - {between: [a, floor], restitution: 0.6, friction: 0.4}\n  - {between: [b, floor], restitution: 0.6, "         \
    "friction: 0.4}\n"                                                                                                 \
    "  - {between: [a, wall], restitution: 0.6, friction: 0.4}\n  - {between: [b, wall], restitution: 0.6, friction: " \
    "0.4}\n"                                                                                                           \
    "outflow:\n  - {name: drain, region: {box: {from: [0, 0, -1], to: [1.2, 3, 0.9]}}, every: 0.7, start: 2.1, end: "  \
    "7}\n"                                                                                                             \
    "  - {name: splash, side: z+, every: 0.5}\n"                                                                       \
    "fields: {gravity: [0, 0, -1]}\nvariational: {rotation: true, courant: 0.2%s}\n"

static const char *bed_text(int seed)
{
    static char body[3000];
    snprintf(body, sizeof body, BED, seed, seed % 2 == 0 ? ", cohesion: 0.05" : "",
             seed % 3 == 2 ? ", gravity: kick" : "");
    return body;
}

enum { SEEDS = 6, SOME = 1 };

START_TEST(the_reference_agrees)
{
    reference_gives_the_same(bed_text(_i), 1.2, 3);
    play p = open_scene(bed_text(_i), NULL);
    play_advance(&p, 3.6);
    ck_assert_uint_gt(frame(&p)->tallies.flow.left, 0);
    play_close(&p);
}
END_TEST

START_TEST(resumed_runs_and_threads_agree)
{
    char name[40];
    snprintf(name, sizeof name, "clump-flows-%d", _i);
    parts_give_the_same(name, bed_text(_i), NULL, 6);
}
END_TEST

/* The drift of the balance is that of clumps in scenes without exchange. Gravity in kicks, seed 2, has an error of its own. */
enum { BALANCES = 4 };

START_TEST(the_energy_is_balanced)
{
    static const int SEED[BALANCES] = {0, 1, 3, 4};
    play p = open_scene(bed_text(SEED[_i]), "variational.courant=0.05");
    const double start = budget(&p);
    play_advance(&p, 14);
    EXPECT_CLOSE("drift / energy that has entered", (budget(&p) - start) / frame(&p)->tallies.flow.energy_entered, 0,
                 1e-5);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, a_fall_takes_its_time, 0, 3);
    tcase_add_test(all, clumps_are_absent_as_a_whole);
    tcase_add_test(all, energies_are_exact);
    tcase_add_loop_test(all, all_spheres_enter_in_the_region, 0, 3);
    tcase_add_test(all, clumps_of_the_start_leave);
    tcase_add_test(all, conditions_count_clumps);
    tcase_add_test(all, observables_see_the_present_ones);
    suite_split_loop(more, rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_and_threads_agree, SOME, SEEDS);
    suite_split_loop(more, rest, the_energy_is_balanced, 1, BALANCES);
    tcase_set_timeout(all, 300);
    return suite_run("clump flows", all, more, rest);
}
