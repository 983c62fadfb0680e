/* Detects wrong behaviour of variational.contact: impulses and realigned, which must fail as theory and an
 * independent model predict (random walk, growth), clocks lost from checkpoints, and errors of the paper's rule of
 * restitution. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

/* ---- instantaneous impulses -------------------------------------------------------------------------------------- */

/* The paper's springs on a plane, gravity and stretching kick together at multiples of h: between two kicks velocities
 * are constant. A bounce at the share f of a step, of the lower mass at the speed w while the force F acts on it, turns
 * -w into w where the smooth motion would have w + F h (1 - 2 f): the energy changes by F h w (1 - 2 f). f is as good
 * as random: the energy takes a random walk with the variance (F h w)^2 / 3 a bounce, and the mean (F h)^2 / 6, as it is
 * the faster of equally likely velocities that gains more. */
enum { SPRINGS = 400 };
static const double PULL = 16 /* so stiff that the masses do not meet */, STEP = 0.01, WALK = 20;

/* Starts that differ by so much that each bounce finds all phases of the step alike. */
static void write_springs(double start[SPRINGS][2])
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [5000, 8], boundary: open}\n"
                    "species: {ball: {radius: 0.1, mass: 1}}\nparticles: [{species: ball, place: {at: [");
    for (int k = 0; k < SPRINGS; k++) {
        start[k][0] = 1 + fmod(0.6180340 * k, 1);
        start[k][1] = start[k][0] + 0.8 + 0.4 * fmod(0.7548777 * k, 1);
        play_add(&text, "[%d,%.7f],[%d,%.7f]%s", 1 + 4 * k, start[k][0] + 0.1, 1 + 4 * k, start[k][1] + 0.1,
                 k + 1 < SPRINGS ? "," : "");
    }
    play_add(&text, "]}}]\nsprings: [{name: s, pairs: [");
    for (int k = 0; k < SPRINGS; k++) play_add(&text, "[%d,%d]%s", 2 * k, 2 * k + 1, k + 1 < SPRINGS ? "," : "");
    play_add(&text,
             "], stiffness: 16, length: 1}]\nplanes: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
             "fields: {gravity: [0, -1]}\nvariational: {eta: 0.05, stiffness: 1000, contact: impulses, gravity: kick, "
             "gravity_step: %.17g, material_step: %.17g}\nrun: {until: {time: 1e8}}\n",
             STEP, STEP);
}

/* Just after a kick, which has given half a step's more than the velocity of that time. */
static double spring_energy(const double y[2], const double v[2], double h)
{
    const double stretch = y[1] - y[0] - 1, low = v[0] - 0.5 * h * (stretch - 1),
                 high = v[1] - 0.5 * h * (-stretch - 1);
    return 0.5 * (low * low + high * high + PULL * stretch * stretch) + y[0] + y[1];
}

/* The spring by steps so short that they do not matter: its bounces, and the sums of (F w)^2 and F^2 over them. */
typedef struct bounces {
    double count, fw2, f2;
} bounces;

static void follow(const double start[2], bounces *sum)
{
    const double h = 5e-4;
    double y[2] = {start[0], start[1]}, v[2] = {0, 0};
    for (int n = 0; n < (int)(WALK / h); n++) {
        const double stretch = y[1] - y[0] - 1;
        v[0] += h * (PULL * stretch - 1);
        v[1] += h * (-PULL * stretch - 1);
        for (int k = 0; k < 2; k++) y[k] += h * v[k];
        if (y[0] > 0 || v[0] > 0) continue;
        sum->count++;
        sum->fw2 += pow((PULL * stretch - 1) * v[0], 2);
        sum->f2 += pow(PULL * stretch - 1, 2);
        v[0] = -v[0];
        y[0] = -y[0];
    }
}

START_TEST(impulses_walk_at_random)
{
    static double start[SPRINGS][2];
    bounces sum = {0, 0, 0};
    write_springs(start);
    play p = play_open(text.text, NULL);
    for (size_t k = 0; k < SPRINGS; k++) follow(start[k], &sum);
    play_advance(&p, WALK * (1 + 1e-12)); /* a kick's time */
    const carom_frame *f = carom_sim_frame(p.sim);
    double mean = 0, square = 0;
    for (size_t k = 0; k < SPRINGS; k++) {
        const double *x = f->position + 4 * k, *v = f->velocity + 4 * k, rest[2] = {0, 0};
        const double before = spring_energy(start[k], rest, 0);
        const double change =
            spring_energy((double[2]){x[1] - 0.1, x[3] - 0.1}, (double[2]){v[1], v[3]}, STEP) - before;
        mean += change / SPRINGS;
        square += change * change / SPRINGS;
    }
    const double n = sum.count / SPRINGS, variance = STEP * STEP * sum.fw2 / 3 / SPRINGS;
    printf("%.2f bounces a spring, deviation %.3g\n", n, sqrt(square));
    EXPECT_CLOSE("bounces", (double)f->events[EVENT_WALL] / SPRINGS, n, 3 * sqrt(n / SPRINGS));
    EXPECT_CLOSE("mean change", mean, STEP * STEP * sum.f2 / 6 / SPRINGS, 3 * sqrt(variance / SPRINGS));
    EXPECT_CLOSE("variance over that of a random walk", square / variance, 1, 3 * sqrt(2.0 / SPRINGS));
    play_close(&p);
}
END_TEST

/* Without forces that kick nothing changes the energy of a ball but its impulses, and these do not. */
START_TEST(impulses_alone_keep_the_energy)
{
    play p =
        play_open("carom: 1\nengine: variational\ndimension: 2\nbox: {size: [4, 8], boundary: open}\n"
                  "species: {ball: {radius: 0.1, mass: 1}}\nparticles: [{species: ball, place: {at: [[2, 0.6]]}}]\n"
                  "planes: [{name: floor, point: [0, 0], normal: [0, 1]}]\nfields: {gravity: [0, -1]}\n"
                  "variational: {eta: 0.05, stiffness: 1000, contact: impulses}\nrun: {until: {time: 100}}\n",
                  NULL);
    play_advance(&p, 60);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_WALL], 30);
    /* a rounding of the place, 1, and of the speed, 1, in each of 30 flights of two pieces */
    EXPECT_CLOSE("energy", 0.5 * f->velocity[1] * f->velocity[1] + f->position[1] - 0.1, 0.5, 3 * 60 * 0x1p-52);
    play_close(&p);
}
END_TEST

/* A ball strikes a free triangle, which nothing holds together but hardly: the first impulse keeps momentum, angular
 * momentum and energy. */
static const char *const STRIKE = "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\n"
                                  "species: {a: {diameter: 0.5, mass: 1}}\n"
                                  "particles: [{species: a, place: {at: [[4.1, 3.9, 5]]}, velocity: {each: [[0, 0.3, "
                                  "-1]]}}]\n"
                                  "meshes: [{name: m, shape: {rectangle: {length: 2, width: 2, along: 1, across: 1}}, "
                                  "place: {at: [4, 4, 4]}, thickness: 0.2, density: 1, stretch: 1e-9}]\n"
                                  "variational: {contact: impulses, stiffness: 100}\nrun: {until: {time: 0.8}}\n";

START_TEST(impulses_on_meshes_keep_momenta)
{
    play p = play_open(STRIKE, NULL);
    momenta before = momenta_of(carom_sim_frame(p.sim), NULL);
    const double kinetic = frame_energy_of(carom_sim_frame(p.sim)).kinetic;
    play_advance(&p, 0.8);
    const carom_frame *f = carom_sim_frame(p.sim);
    momenta after = momenta_of(f, NULL);
    ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
    for (int k = 0; k < 3; k++) {
        EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 3.4e-16);
        EXPECT_CLOSE("angular momentum", after.angular[k], before.angular[k], 2.7e-15);
    }
    EXPECT_CLOSE("kinetic energy", frame_energy_of(f).kinetic, kinetic,
                 6e-13);              /* stretch: 1e-9 for a length of time of 1, to 2e-13 */
    ck_assert(f->velocity[2] > -0.9); /* it was turned, or slowed down */
    play_close(&p);
}
END_TEST

/* ---- clocks that begin anew -------------------------------------------------------------------------------------- */

/* One impact on a wall at the speed v, in one dimension, each layer's clock begun when the gap comes to its thickness;
 * the speed after it. */
static double realigned_impact(double v, int p, double c, double law, double eta, double k)
{
    enum { MOST = 64 };
    const double unit = 2 * k / (p * (p - 1) * pow(2 * eta, p - 2)), first = c * sqrt(1 / k); /* two of mass 1 */
    double gap = 2 * eta, t = 0, begun[MOST], ticks[MOST];
    int n = 0;
    v = -v;
    while (v < 0 || gap < 2 * eta) {
        double due = v < 0 ? t + (gap - 2 * eta / (n + 1)) / -v : INFINITY;
        int fires = -1;
        for (int l = 0; l < n; l++)
            if (begun[l] + ticks[l] * first * pow(l + 1, -law) < due) {
                due = begun[l] + ticks[l] * first * pow(l + 1, -law);
                fires = l;
            }
        gap += v * (due - t);
        t = due;
        if (fires < 0) {
            ck_assert_int_lt(n, MOST);
            begun[n] = t;
            ticks[n++] = 1;
            continue;
        }
        const double l = fires + 1, depth = 2 * eta / l - gap;
        if (depth > 0) v += first * pow(l, -law) * p * unit * pow(l, p + 1) * pow(depth, p - 1);
        ticks[fires]++;
    }
    return v;
}

static const struct {
    int p;
    double speed, c, law;
} realigned[] = {{2, 1.3, 0.05, 1.5}, {2, 1.3, 0.2, 2}, {3, 1.3, 0.2, 1.5}, {2, 6, 0.05, 1.5}, {3, 4, 0.05, 2}};

/* Certificates have a margin of 1e-9 eta for each of two tolerances and themselves: the clock begins earlier by the time
 * that this takes, and a change of the phase by all of a step changes the speed by its own change. */
START_TEST(realigned_clocks_begin_at_the_moment)
{
    const double eta = 0.05, k = 1000, v = realigned[_i].speed;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [12, 12], boundary: wall}\n"
             "species: {ball: {radius: 0.1, mass: 1}}\n"
             "particles: [{species: ball, place: {at: [[6, 6]]}, velocity: {each: [[%.17g, 0]]}}]\n"
             "variational: {contact: realigned, eta: %.17g, stiffness: %.17g, exponent: %d, courant: %.17g, step_law: "
             "%.17g}\nrun: {until: {time: 100}}\n",
             v, eta, k, realigned[_i].p, realigned[_i].c, realigned[_i].law);
    play p = play_open(text.text, NULL);
    double wanted = v;
    for (int n = 1; n <= 5; n++) {
        const double before = wanted;
        wanted = realigned_impact(before, realigned[_i].p, realigned[_i].c, realigned[_i].law, eta, k);
        play_advance(&p, 11.8 * n / v);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert_uint_eq(f->events[EVENT_WALL], (unsigned)n);
        const double early = 3e-9 * eta / v, step = realigned[_i].c * sqrt(1 / k);
        printf("impact %d changes the speed by %.3g\n", n, wanted - before);
        EXPECT_CLOSE("speed", fabs(f->velocity[0]), wanted, 3 * n * (8 * early / step * fabs(wanted - v) + 1e-12));
    }
    play_close(&p);
}
END_TEST

/* Clocks of one contact that are over serve others, of any mass: four times the mass is as much as a quarter of the stiffness. */
START_TEST(realigned_clocks_of_two_masses)
{
    static const double speed[2] = {1.3, -1}, mass[2] = {1, 4};
    const double eta = 0.05, k = 1000, c = 0.2;
    double wanted[2] = {1.3, 1};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [12, 12], boundary: wall}\nspecies:\n"
             "  light: {radius: 0.1, mass: %g}\n  heavy: {radius: 0.1, mass: %g}\nparticles:\n"
             "  - {species: light, place: {at: [[6, 3]]}, velocity: {each: [[%g, 0]]}}\n"
             "  - {species: heavy, place: {at: [[6, 9]]}, velocity: {each: [[%g, 0]]}}\n"
             "variational: {contact: realigned, eta: %.17g, stiffness: %.17g, exponent: 2, courant: %.17g, step_law: "
             "1.5}\nrun: {until: {time: 100}}\n",
             mass[0], mass[1], speed[0], speed[1], eta, k, c);
    play p = play_open(text.text, NULL);
    for (int n = 1; n <= 2; n++) {
        play_advance(&p, n == 1 ? 9 : 21);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert_uint_eq(f->events[EVENT_WALL], 2 * (unsigned)n);
        for (int i = 0; i < 2; i++) {
            const double before = wanted[i], early = 3e-9 * eta / before, step = c * sqrt(mass[i] / k);
            wanted[i] = realigned_impact(before, 2, c, 1.5, eta, k / mass[i]);
            EXPECT_CLOSE("speed", fabs(f->velocity[2 * i]), wanted[i],
                         3 * n * (8 * early / step * fabs(wanted[i] - before) + 1e-12)); /* as above */
        }
    }
    play_close(&p);
}
END_TEST

/* At p = 2 such clocks gain in each impact; those that go on lose as often as they gain. */
START_TEST(clocks_that_go_on_gain_nothing)
{
    enum { COUNT = 500 };
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [60, 600], boundary: [wall, open]}\n"
                    "species: {ball: {radius: 0.1, mass: 1}}\nparticles: [{species: ball, place: {at: [");
    for (int k = 0; k < COUNT; k++) play_add(&text, "[%.5f,%d]%s", 1 + 0.001953 * k, k + 50, k + 1 < COUNT ? "," : "");
    play_add(&text, "]}, velocity: {each: [-1, 0]}}]\nvariational: {eta: 0.05, stiffness: 1000, exponent: 2, courant: "
                    "0.1, step_law: 1.5}\nrun: {until: {time: 100}}\n");
    play p = play_open(text.text, NULL);
    play_advance(&p, 10);
    const carom_frame *f = carom_sim_frame(p.sim);
    double mean = 0, square = 0;
    for (size_t k = 0; k < COUNT; k++) mean += (f->velocity[2 * k] - 1) / COUNT;
    for (size_t k = 0; k < COUNT; k++) square += pow(f->velocity[2 * k] - 1 - mean, 2) / (COUNT - 1);
    const double deviation = sqrt(square / COUNT), gained = realigned_impact(1, 2, 0.1, 1.5, 0.05, 1000) - 1;
    ck_assert_uint_eq(f->events[EVENT_WALL], COUNT);
    printf("begun anew: %+.3g of the speed\n", gained);
    EXPECT_CLOSE("mean change of the speed", mean, 0, 3 * deviation);
    ck_assert_double_gt(gained, 10 * deviation);
    play_close(&p);
}
END_TEST

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static const char *const CHAIN =
    "carom: 1\nengine: variational\ndimension: 2\nseed: 3\n"
    "box: {size: [6, 6], boundary: [wall, wall]}\n"
    "species: {a: {diameter: 0.4, mass: 1}, b: {diameter: 0.3, mass: 9}}\n"
    "particles:\n  - {species: a, count: 40, place: random, velocity: {uniform: [-2, 2]}}\n"
    "  - {species: b, count: 20, place: random, velocity: {uniform: [-1, 1]}}\n"
    "springs: [{name: s, pairs: [[0, 1], [2, 3], [4, 45]], stiffness: 3}]\n"
    "fields: {gravity: [0, -1]}\nrun: {until: {time: 4}}\n";
static const char *const SHEETS =
    "carom: 1\nengine: variational\nbox: {size: [4, 4, 4], boundary: open}\nspecies: {a: {diameter: 1}}\nmeshes:\n"
    "  - {name: l, shape: {rectangle: {length: 1, width: 1, along: 3, across: 3}}, place: {at: [2, 2, 2]}, "
    "thickness: "
    "0.1, stretch: 40, bend: 0.1}\n"
    "  - {name: u, shape: {disk: {radius: 0.5, rings: 2}}, place: {at: [2.1, 2, 2.3]}, thickness: 0.1, stretch: "
    "40, "
    "bend: 0.1, velocity: [0.1, 0, -1]}\nrun: {until: {time: 0.6}}\n";

static const struct {
    const char *scene, *contact;
    double until;
} resumed[] = {
    {"chain", "impulses", 4}, {"chain", "realigned", 4}, {"sheets", "impulses", 0.6}, {"sheets", "realigned", 0.6}};

/* Halted often, and resumed from checkpoints in the midst of contacts: a clock that a file has forgotten would fire at
 * another time. */
START_TEST(checkpoints_keep_the_clocks)
{
    const char *scene = strcmp(resumed[_i].scene, "chain") == 0 ? CHAIN : SHEETS;
    char set[100], path[100], checkpoint[120];
    snprintf(set, sizeof set, "variational={contact: %s%s}", resumed[_i].contact,
             strcmp(resumed[_i].contact, "impulses") == 0 ? "" : ", exponent: 2");
    snprintf(path, sizeof path, "clocks-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = play_open(scene, set);
    play_advance(&whole, resumed[_i].until);
    const carom_frame *f = carom_sim_frame(whole.sim);
    printf("%lu impacts\n", (unsigned long)(f->events[EVENT_COLLISION] + f->events[EVENT_WALL]));
    ck_assert_uint_gt(f->events[EVENT_COLLISION], 10);
    for (int k = 0; k <= 40; k++) {
        carom_options options = {.output = path, .force = k == 0, .resume = k > 0};
        play part = play_try(scene, set, &options);
        if (part.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(part.sim));
        if (k < 40) {
            play_advance(&part, resumed[_i].until * (k + 0.5) / 40);
            carom_sim_request_stop(part.sim);
        }
        (void)carom_sim_run(part.sim);
        const carom_frame *g = carom_sim_frame(part.sim);
        if (k == 40) {
            ck_assert_uint_eq(g->state_hash, f->state_hash);
            ck_assert_int_eq(memcmp(g->events, f->events, sizeof g->events), 0);
        }
        play_close(&part);
    }
    play_close(&whole);
    remove(path);
    remove(checkpoint);
}
END_TEST

/* ---- the paper's rule of restitution ----------------------------------------------------------------------------- */

/* Head on against a wall: the paper's factor s of the force is the ratio of energies, where kicks are small. The kick that
 * turns the pair round acts in full, up to (F h / m)^2 / 2 of energy of it after the turn, and kicks at other phases of
 * the clock scatter as much: with the first layer alone, p = 3, F h / (m v) is below sqrt(k / m) h = c sqrt(2). */
START_TEST(paper_rule_returns_a_share_of_the_energy)
{
    enum { COUNT = 200 };
    static const double factors[] = {0.9, 0.5, 0.2};
    const double factor = factors[_i];
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
        const double c = fine ? 0.0125 : 0.05;
        text.length = 0;
        play_add(&text, "carom: 1\nengine: variational\ndimension: 2\nbox: {size: [60, 300], boundary: [wall, open]}\n"
                        "species: {ball: {radius: 0.1, mass: 1}}\nparticles: [{species: ball, place: {at: [");
        for (int k = 0; k < COUNT; k++)
            play_add(&text, "[%.5f,%d]%s", 1 + 0.001953 * k, k + 50, k + 1 < COUNT ? "," : "");
        play_add(&text,
                 "]}, velocity: {each: [-1, 0]}}]\ncontacts: [{between: [ball, wall], restitution: %.17g}]\n"
                 "variational: {eta: 0.05, stiffness: 3000, courant: %.17g, restitution_rule: paper}\n"
                 "run: {until: {time: 100}}\n",
                 factor, c);
        play p = play_open(text.text, NULL);
        play_advance(&p, 10);
        const carom_frame *f = carom_sim_frame(p.sim);
        off[fine] = 0;
        for (size_t k = 0; k < COUNT; k++)
            off[fine] = fmax(off[fine], fabs(f->velocity[2 * k] * f->velocity[2 * k] - factor));
        EXPECT_CLOSE("farthest of the energies from the factor", off[fine], 0, 1.3 * c * c);
        const frame_ledger *l = &f->tallies.ledger;
        EXPECT_CLOSE("energy and what was lost", frame_energy_of(f).kinetic + l->restitution, 0.5 * COUNT,
                     8e-15 * COUNT);
        play_close(&p);
    }
    ck_assert_double_lt(off[1], 0.5 * off[0]);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("variational_clocks");
    tcase_add_test(cases, impulses_walk_at_random);
    tcase_add_test(cases, impulses_alone_keep_the_energy);
    tcase_add_test(cases, impulses_on_meshes_keep_momenta);
    tcase_add_loop_test(cases, realigned_clocks_begin_at_the_moment, 0, sizeof realigned / sizeof *realigned);
    tcase_add_test(cases, realigned_clocks_of_two_masses);
    tcase_add_test(cases, clocks_that_go_on_gain_nothing);
    tcase_add_loop_test(cases, checkpoints_keep_the_clocks, 0, sizeof resumed / sizeof *resumed);
    tcase_add_loop_test(cases, paper_rule_returns_a_share_of_the_energy, 0, 3);
    tcase_set_timeout(cases, 300);
    return suite_run("variational_clocks", cases);
}
