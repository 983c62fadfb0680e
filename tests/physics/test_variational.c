/* Detects wrong contacts of the engine `variational`: closest approach, crossings, momentum, restitution, time
 * reversal, the energy balance.
 * Bounds of what steps decide are three times the largest deviation of the cases. */
#include "../support/expect.h"
#include "../support/layer_sum.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

/* Two bodies of mass 1 (reduced mass 1/2) and diameter 1 come together along x with eta = 0.1 and k = 1; the layers
 * begin at the gap 0.2, where the centres are 1 apart. */
static const double eta = 0.1;

static void write_pair(play_text *t, double speed, int p, const char *law, double courant)
{
    t->length = 0;
    play_add(t,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [20, 4], boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}}\nparticles:\n  - {species: a, place: {at: [[9, 2], [11, 2]]},\n"
             "     velocity: {each: [[%.17g, 0], [%.17g, 0]]}}\n",
             0.5 * speed, -0.5 * speed);
    play_add(t, "contacts: [{between: [a, a], restitution: %s}]\n", law);
    play_add(t, "variational: {eta: %g, stiffness: 1, exponent: %d, courant: %g, step_law: 2}\n", eta, p, courant);
    play_add(t, "run: {until: {time: %.17g}}\n", 5 / speed + 0.1 + 1 / (0.2 + speed));
}

/* The speed of approach for an impact of this energy in units of k eta^2. */
static double speed_of(double energy)
{
    return sqrt(2 * energy * eta * eta / 0.5);
}

static double separation_speed(play *p)
{
    const double *v = carom_frame_velocities(carom_sim_frame(p->sim));
    return v[2] - v[0];
}

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

START_TEST(closest_approach)
{
    static play_text t;
    const int p = _i;
    double worst = 0;
    for (double decade = -2; decade <= 4; decade += 0.25) {
        double energy = pow(10, decade), wanted = layer_gap(energy, p);
        write_pair(&t, speed_of(energy), p, "1", 0.05);
        play run = play_open(t.text, NULL);
        play_run(&run, CAROM_STOP_TIME);
        double found = carom_sim_frame(run.sim)->tallies.closest;
        worst = fmax(worst, fabs(found / wanted - 1));
        play_close(&run);
    }
    printf("p = %d: ", p);
    EXPECT_CLOSE("closest approach over the exact one, less 1: worst", worst, 0, 0.02);
}
END_TEST

/* 10,000 times the speed for which k would have been chosen. */
START_TEST(far_too_fast)
{
    static const char *const laws[] = {"1.5", "2"};
    static const double close[2][2] = {{0.032, 3.6e-3}, {1.8e-4, 7e-5}},
                        fast[2][2] = {{0.036, 0.044}, {1.8e-4, 5.5e-5}};
    static play_text t;
    for (int p = 2; p <= 3; p++) {
        char set[60];
        snprintf(set, sizeof set, "variational.step_law=%s", laws[_i]);
        const double times = 1e4, speed = times * speed_of(1);
        write_pair(&t, speed, p, "1", 0.05);
        play run = play_open(t.text, set);
        play_run(&run, CAROM_STOP_TIME);
        const carom_frame *f = carom_sim_frame(run.sim);
        double wanted = layer_gap(times * times, p);
        printf("p = %d, x = %s: %llu forces; ", p, laws[_i], (unsigned long long)f->events[EVENT_FORCE]);
        EXPECT_CLOSE("closest over the exact one", f->tallies.closest / wanted, 1, close[_i][p - 2]);
        EXPECT_CLOSE("speed after over before", separation_speed(&run) / speed, 1, fast[_i][p - 2]);
        ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
        play_close(&run);
    }
}
END_TEST

START_TEST(restitution_of_impacts)
{
    static const double ratios[] = {0, 0.2, 0.5, 0.9}, speeds[] = {0.01, 0.1, 1, 10, 100};
    static play_text t;
    const double e = ratios[_i];
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        char law[30];
        double speed = speeds[k] * speed_of(1);
        snprintf(law, sizeof law, "%g", e);
        write_pair(&t, speed, 3, law, 0.05);
        play run =
            play_open(t.text, "variational.step_law=1.5"); /* what comes to rest in deep layers keeps them all awake */
        play_run(&run, CAROM_STOP_TIME);
        printf("%g times the design speed: ", speeds[k]);
        /* the last kick is fitted to what the law asks for, up to rounding; only 100 times too fast, where little is to be
         * lost, it does not get that far */
        EXPECT_CLOSE("speed after over before", separation_speed(&run) / speed, e,
                     e == 0                      ? 0
                     : speeds[k] > 10 && e > 0.5 ? 1.44e-4
                                                 : 1.7e-15);
        play_close(&run);
    }
}
END_TEST

/* ---- symmetries -------------------------------------------------------------------------------------------------- */

static const char crowd_2d[] =
    "dimension: 2\nbox: {size: 8, boundary: open}\nspecies: {a: {diameter: {uniform: [0.5, 1]}, density: 1}}\n"
    "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}}]\n"
    "variational: {gravity: drift}\nrun: {until: {time: 4}}\n";
static const char crowd_3d[] =
    "dimension: 3\nbox: {size: 5, boundary: open}\nspecies: {a: {diameter: 0.8, mass: 1}, b: {diameter: 0.6, mass: "
    "9}}\n"
    "particles: [{species: {a: 1, b: 1}, count: 50, place: random, velocity: {maxwell: 1}}]\n"
    "contacts: [{between: [a, b], restitution: 0.5}]\nrun: {until: {time: 4}}\n";
static const char bent_chain[] =
    "dimension: 2\nbox: {size: 12, boundary: open}\nspecies: {a: {diameter: 0.5, mass: 1}}\n"
    "particles: [{species: a, place: {at: [[2, 5], [3, 5.3], [4, 5.1], [5, 5], [6, 5.4], [7, 6]]},\n"
    "  velocity: {each: [[1, 0], [0, 1], [0, 0], [0, -1], [0, 0], [-3, 0]]}}]\n"
    "springs: [{name: rope, chain: {from: 0, to: 5}, stiffness: 50, damping: 0.3, length: 1}]\n"
    "hinges: [{name: bends, chain: {from: 0, to: 5}, stiffness: 3, angle: 0.2}]\nrun: {until: {time: 10}}\n";

START_TEST(momentum_is_kept)
{
    static const char *const scenes[] = {crowd_2d, crowd_3d, bent_chain};
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: variational\nseed: 3\n%s", scenes[_i]);
    play run = play_open(t.text, NULL);
    const momenta before = momenta_of(carom_sim_frame(run.sim), NULL);
    play_run(&run, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(run.sim);
    const momenta after = momenta_of(f, NULL);
    double size = 0;
    for (size_t i = 0; i < f->count; i++) size += f->mass[i];
    printf("%llu impacts, %llu forces\n", (unsigned long long)f->events[EVENT_COLLISION],
           (unsigned long long)f->events[EVENT_FORCE]);
    ck_assert_uint_gt(f->events[EVENT_FORCE], 500);
    for (int k = 0; k < f->dimension; k++) EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 7e-15 * size);
    EXPECT_CLOSE("angular momentum", after.angular[2], before.angular[2], 3.3e-15 * size * f->box[0]);
    play_close(&run);
}
END_TEST

/* Kicks at multiples of h_1 and flight between them are their own reverse, if the way back is begun at a multiple of
 * h_1: then the clock ticks at the same places. Else it does not, as nothing realigns a clock; other layers' clocks
 * have other periods. */
START_TEST(reversal)
{
    static play_text t;
    const double speed = 0.2 * speed_of(1), step = 0.05 * sqrt(2 * 0.5), turn = round(40 / step) + (_i == 0 ? 0 : 0.5);
    char set[100], back[400];
    write_pair(&t, speed, 2, "1", 0.05);
    snprintf(set, sizeof set, "run.until.time=%.17g", turn * step);
    play there = play_open(t.text, set);
    play_run(&there, CAROM_STOP_TIME);
    const double *x = carom_frame_positions(carom_sim_frame(there.sim)),
                 *v = carom_frame_velocities(carom_sim_frame(there.sim));
    ck_assert_uint_eq(carom_sim_frame(there.sim)->tallies.layers[0], 1);
    snprintf(back, sizeof back,
             "particles: [{species: a, place: {at: [[%.17g, 2], [%.17g, 2]]}, velocity: {each: [[%.17g, 0], "
             "[%.17g, 0]]}}]\n",
             x[0], x[2], -v[0], -v[2]);
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [20, 4], boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}}\n%s",
             back);
    play_add(&t, "variational: {eta: %g, stiffness: 1, exponent: 2, courant: 0.05}\nrun: {until: {time: %.17g}}\n", eta,
             turn * step);
    play again = play_open(t.text, NULL);
    play_run(&again, CAROM_STOP_TIME);
    double off = fabs(carom_frame_positions(carom_sim_frame(again.sim))[0] - 9);
    printf("back at the start, off by %.3g\n", off);
    if (_i == 0)
        EXPECT_CLOSE("off", off, 0, 6e-15); /* roundings of 9 */
    else
        ck_assert_double_gt(off, 1e-7);
    play_close(&there);
    play_close(&again);
}
END_TEST

/* ---- the account of energy --------------------------------------------------------------------------------------- */

static double account(const carom_frame *f)
{
    const frame_energy e = frame_energy_of(f);
    return frame_budget(f, &e);
}

static const char heap[] = "dimension: 2\nbox: {size: [6, 12], boundary: wall}\nspecies: {a: {diameter: 1, mass: "
                           "1}}\nfields: {gravity: [0, -1]}\n"
                           "particles: [{species: a, count: 20, place: random}]\n"
                           "contacts: [{between: [a, a], restitution: 0.6}, {between: [a, wall], restitution: "
                           "0.6}]\nrun: {until: {time: 8}}\n";

/* Kicks and places lie half a step apart: energies are off by a share of the step over the time in which they
 * change. Bounds are less than three times the most of nine seeds; of the chain, of nine speeds of its end. */
START_TEST(energy_is_accounted_for)
{
    static const char *const scenes[] = {crowd_2d, crowd_3d, bent_chain, heap};
    static const double within[] = {9e-7, 2.1e-15, 4.7e-3, 2.2e-5};
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: variational\nseed: 3\n%s", scenes[_i]);
    play run = play_open(t.text, NULL);
    double before = account(carom_sim_frame(run.sim));
    play_run(&run, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(run.sim);
    printf("lost: %g by restitution, %g by dashpots; in contacts %g, in springs %g\n", f->tallies.ledger.restitution,
           f->tallies.ledger.damping, f->tallies.ledger.contact, f->tallies.ledger.springs);
    EXPECT_CLOSE("all of the energy", account(f) / before, 1, within[_i]);
    play_close(&run);
}
END_TEST

/* Dashpots that share their nodes, from rest: the mean of what is missing is of second order in the step. */
START_TEST(dashpots_share_nodes)
{
    enum { SAMPLES = 800 };
    static const char chain[] =
        "carom: 1\nengine: variational\ndimension: 2\nbox: {size: 12, boundary: open}\n"
        "species: {a: {diameter: 0.5, mass: 1}}\n"
        "particles: [{species: a, place: {at: [[2, 5], [3, 5.3], [4, 5.1], [5, 5], [6, 5.4], [7, 6]]}}]\n"
        "springs: [{name: rope, chain: {from: 0, to: 5}, stiffness: 50, damping: 2, length: 0.8}]\n"
        "hinges: [{name: bends, chain: {from: 0, to: 5}, stiffness: 3, angle: 0.2}]\n"
        "variational: {stiffness: 1000, material_step: 0.02}\nrun: {until: {time: 20}}\n";
    play run = play_open(chain, NULL);
    const carom_frame *f = carom_sim_frame(run.sim);
    frame_energy e = frame_energy_of(f);
    const double before = frame_budget(f, &e);
    double missing = 0;
    for (int n = 0; n < SAMPLES; n++) {
        play_advance(&run, 9 + 0.0137 * n);
        f = carom_sim_frame(run.sim);
        e = frame_energy_of(f);
        missing += (frame_budget(f, &e) - before) / SAMPLES;
    }
    ck_assert_double_gt(f->tallies.ledger.damping, 0.9 * before);
    EXPECT_CLOSE("mean of the missing energy over the first", missing / before, 0, 1e-3);
    play_close(&run);
}
END_TEST

/* A hinge that is folded nearly back, from 3 radians to the right to 3 to the left, by way of half a turn. */
START_TEST(hinge_through_half_a_turn)
{
    play run =
        play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: 12, boundary: open}\n"
                  "species: {a: {diameter: 0.02, mass: 1}}\n"
                  "particles: [{species: a, place: {at: [[7, 5], [6, 5], [6.494996248300223, 5.070560004029934]]}}]\n"
                  "springs: [{name: rods, chain: {from: 0, to: 2}, stiffness: 500}]\n"
                  "hinges: [{name: fold, chain: {from: 0, to: 2}, stiffness: 3, angle: 3}]\n"
                  "variational: {stiffness: 1000, material_step: 0.002}\nrun: {until: {time: 5}}\n",
                  NULL);
    const double off = 2 * acos(-1) - 6, energy = 0.5 * 3 * off * off;
    double side[2] = {0};
    for (int n = 0; n <= 100; n++) {
        play_advance(&run, 0.05 * n);
        const carom_frame *f = carom_sim_frame(run.sim);
        const frame_energy e = frame_energy_of(f);
        const double *x = f->position;
        const double cross = (x[2] - x[0]) * (x[5] - x[3]) - (x[3] - x[1]) * (x[4] - x[2]);
        side[0] = fmin(side[0], cross);
        side[1] = fmax(side[1], cross);
        EXPECT_CLOSE("all of the energy", frame_budget(f, &e), energy, 1.6e-3);
    }
    ck_assert(side[0] < -0.05 && side[1] > 0.05);
    play_close(&run);
}
END_TEST

/* Of two entries of hinges, on straight chains, each is as stiff as is said of it. */
START_TEST(hinges_have_their_own_stiffness)
{
    play run = play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: 12, boundary: open}\n"
                         "species: {a: {diameter: 0.1, mass: 1}}\n"
                         "particles: [{species: a, place: {at: [[2, 3], [3, 3], [4, 3], [2, 8], [3, 8], [4, 8]]}}]\n"
                         "hinges: [{name: soft, chain: {from: 0, to: 2}, stiffness: 3, angle: 0.4},\n"
                         "         {name: stiff, chain: {from: 3, to: 5}, stiffness: 7, angle: 0.5}]\n"
                         "variational: {stiffness: 1000, material_step: 0.001}\nrun: {until: {time: 0.02}}\n",
                         NULL);
    EXPECT_CLOSE("energy of both", frame_energy_of(carom_sim_frame(run.sim)).total, 0.5 * (3 * 0.16 + 7 * 0.25), 5e-16);
    play_run(&run, CAROM_STOP_TIME);
    const double *v = carom_sim_frame(run.sim)->velocity; /* for so short a time torques are what they were */
    EXPECT_CLOSE("speeds of their ends", v[11] / v[5], 7 * 0.5 / (3 * 0.4), 0.05);
    play_close(&run);
}
END_TEST

/* Of two planes each has the contact that is said of it: e = 0.5 below, none is lost above. */
START_TEST(planes_have_their_own_contacts)
{
    play run = play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: 10, boundary: open}\n"
                         "species: {a: {diameter: 1, mass: 1}}\nplanes:\n"
                         "  - {name: top, point: [0, 9], normal: [0, -1]}\n"
                         "  - {name: floor, point: [0, 1], normal: [0, 1]}\n"
                         "particles: [{species: a, place: {at: [[5, 3]]}, velocity: {each: [[0, -1]]}}]\n"
                         "contacts: [{between: [a, floor], restitution: 0.5}]\nrun: {until: {time: 4}}\n",
                         NULL);
    play_run(&run, CAROM_STOP_TIME);
    EXPECT_CLOSE("speed after the floor", carom_sim_frame(run.sim)->velocity[1], 0.5, 1.7e-16);
    play_close(&run);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, closest_approach, 2, 5);
    tcase_add_loop_test(all, far_too_fast, 0, 2);
    tcase_add_loop_test(all, restitution_of_impacts, 0, 4);
    tcase_add_loop_test(all, momentum_is_kept, 0, 3);
    tcase_add_loop_test(all, reversal, 0, 2);
    tcase_add_loop_test(all, energy_is_accounted_for, 0, 4);
    tcase_add_test(all, dashpots_share_nodes);
    tcase_add_test(all, planes_have_their_own_contacts);
    tcase_add_test(all, hinges_have_their_own_stiffness);
    tcase_add_test(all, hinge_through_half_a_turn);
    tcase_set_timeout(all, 300);
    return suite_run("variational", all);
}
