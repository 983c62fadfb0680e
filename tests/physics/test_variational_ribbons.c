/* Detects wrong ribbons and rods that are curved at rest in the engine `variational`: momenta and energy that change, a wrong work of
 * ends that rotate, a shape at rest with stress, wrong bits of the oracle and of resumed runs, and refused scenes. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/same_bits.h"
#include "../support/suite.h"

#include <math.h>

static const double PI_ = 3.14159265358979323846;

static play_text text;

/* A coil of two turns with the keys `rod`; `speed` is that of the disturbance. */
static const char *write_coil(double speed, const char *rod, const char *rest)
{
    enum { POINTS = 25 };
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies:\n"
                    "  bead: {diameter: 0.05, mass: 0.05}\nparticles:\n  - {species: bead, place: {at: [");
    for (int i = 0; i < POINTS; i++) {
        const double a = PI_ * i / 6;
        play_add(&text, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", 4 + 0.5 * cos(a), 4 + 0.5 * sin(a),
                 3.6 + 0.03 * i);
    }
    play_add(&text, "]}, velocity: {each: [");
    for (int i = 0; i < POINTS; i++)
        play_add(&text, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", speed * cos(1.3 * i), speed * cos(2.1 * i + 1),
                 speed * cos(0.4 * i + 2));
    play_add(&text, "]}}\nrods: [{name: coil, particles: {from: 0, to: %d}, young: 1e6, diameter: 0.03, %s}]\n%s\n",
             POINTS - 1, rod, rest);
    return text.text;
}

static const char RIBBON[] = "width: 0.06, width_along: [0, 0, 1], rest: start";

/* ---- conservation ------------------------------------------------------------------------------------------------ */

/* The root of the mean square error of the energy, relative to the initial one, in each of two halves of the run. */
typedef struct errors {
    double half[2];
} errors;

static errors fly(double courant, const char *rod, double until)
{
    enum { SAMPLES = 200 };
    char rest[100];
    snprintf(rest, sizeof rest, "run: {until: {time: 100}}\nvariational: {stiffness: 1, courant: %g}", courant);
    play p = play_open(write_coil(0.4, rod, rest), NULL);
    const momenta start = momenta_of(carom_sim_frame(p.sim), NULL);
    const double energy = frame_energy_of(carom_sim_frame(p.sim)).total;
    double moved = 0, bent = 0, twisted = 0;
    errors off = {{0}};
    for (int n = 0; n < SAMPLES; n++) {
        play_advance(&p, until * (n + 1) / SAMPLES);
        const carom_frame *f = carom_sim_frame(p.sim);
        const momenta now = momenta_of(f, NULL);
        for (int k = 0; k < 3; k++)
            moved = fmax(moved, fmax(fabs(now.linear[k] - start.linear[k]), fabs(now.angular[k] - start.angular[k])));
        const double drift = (frame_energy_of(f).total + f->tallies.ledger.damping) / energy - 1;
        off.half[2 * n / SAMPLES] += 2 * drift * drift / SAMPLES;
        bent = fmax(bent, f->tallies.ledger.bend / energy);
        twisted = fmax(twisted, f->tallies.ledger.twist / energy);
    }
    for (int k = 0; k < 2; k++) off.half[k] = sqrt(off.half[k]);
    printf("  courant %g: energy %.3e and %.3e off; shares of bending %.2f, of twist %.2f\n", courant, off.half[0],
           off.half[1], bent, twisted);
    ck_assert(bent > 0.02 && twisted > 0.02);
    EXPECT_CLOSE("momentum and angular momentum", moved, 0, 2e-14);
    play_close(&p);
    return off;
}

/* The energy is seen between kicks, half a step of the power of the forces off. */
START_TEST(momenta_and_energy)
{
    const errors coarse = fly(0.1, RIBBON, 5), fine = fly(0.05, RIBBON, 5);
    EXPECT_CLOSE("errors of the energy, with half the step", fine.half[0] / coarse.half[0], 0.5, 0.1);
    EXPECT_CLOSE("growth in the second half of the run", fmax(fine.half[1] / fine.half[0], 1), 1, 0.3);
    EXPECT_CLOSE("error of the energy", fine.half[0], 0, 5e-3);
}
END_TEST

START_TEST(damped)
{
    const errors off = fly(0.1, "width: 0.06, width_along: [0, 0, 1], rest: start, damping: 1e-3", 1);
    EXPECT_CLOSE("error of the energy", off.half[0], 0, 1e-3);
}
END_TEST

/* A coil without twist is at rest in its own shape; straight at rest, it is not. */
START_TEST(rest_shapes)
{
    static const char *const rods[2] = {"width: 0.06, width_along: [0, 0, 1], rest: start",
                                        "width: 0.06, width_along: [0, 0, 1]"};
    for (int k = 0; k < 2; k++) {
        play p = play_open(write_coil(0, rods[k], "run: {until: {time: 1}}\nvariational: {stiffness: 1}"), NULL);
        play_advance(&p, 0.1);
        const double moving = frame_energy_of(carom_sim_frame(p.sim)).kinetic;
        if (k == 0) EXPECT_CLOSE("kinetic energy", moving, 0, 1e-20);
        ck_assert(k == 0 || moving > 0.01);
        play_close(&p);
    }
}
END_TEST

/* A straight clamped ribbon whose end rotates: its moment is G J twist / length, G J by Saint-Venant's formula for an ellipse, and the
 * work is the energy. It then buckles. */
START_TEST(ends_that_rotate)
{
    const double young = 1e6, poisson = 0.25, a = 0.06, b = 0.03, rate = 10, until = 4;
    const double stiff = young / (2 * (1 + poisson)) * PI_ * pow(a * b, 3) / (16 * (a * a + b * b));
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies:\n"
                    "  bead: {diameter: 0.01, mass: 0.05}\nparticles:\n  - {species: bead, place: {at: [");
    for (int i = -1; i <= 21; i++)
        play_add(&text, "%s[%.17g, 4, %.17g]", i > -1 ? ", " : "", 3 + i / 20.0, 4 + (i == 10 ? 1e-4 : 0));
    play_add(
        &text,
        "]}}\nrods: [{name: bar, particles: {from: 0, to: 22}, young: %g, poisson: %g, diameter: %g, width: %g, "
        "width_along: [0, 1, 0], twist: 0, twist_rate: %g, twist_until: %g}]\n"
        "drives: [{name: clamps, particles: [0, 1, 21, 22]}]\nrun: {until: {time: 100}}\nvariational: {stiffness: 1}\n",
        young, poisson, b, a, rate, until);
    play p = play_open(text.text, NULL);
    double worst = 0;
    for (int n = 1; n <= 60; n++) {
        play_advance(&p, 0.1 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        const frame_ledger *l = &f->tallies.ledger;
        if (n <= 8)
            EXPECT_CLOSE("energy over that of uniform twist", l->twist / (0.5 * stiff * pow(rate * f->time, 2)), 1,
                         1e-6);
        worst = fmax(worst, fabs(frame_energy_of(f).total - l->work));
    }
    const frame_ledger *l = &carom_sim_frame(p.sim)->tallies.ledger;
    printf("  work %g, twist %g, bending %g\n", l->work, l->twist, l->bend);
    ck_assert(l->bend > 0.1);
    EXPECT_CLOSE("energy less work", worst / l->work, 0, 9e-7);
    play_close(&p);
}
END_TEST

/* A flat strip of ten edges of length 0.1, straight or a coil of radius 0.05. */
static play open_strip(bool coiled, const char *rod, const char *rest)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies:\n"
                    "  bead: {diameter: 0.002, mass: 0.01}\nparticles: [{species: bead, place: {at: [");
    for (int i = 0; i <= 10; i++)
        play_add(&text, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", 3 + 0.1 * i, 4 + (coiled ? 0.05 * sin(i) : 0),
                 4 + (coiled ? 0.05 * cos(i) : 0));
    play_add(&text, "]}, velocity: {each: [");
    for (int i = 0; i <= 10; i++)
        play_add(&text, "%s[%.17g, %.17g, %.17g]", i > 0 ? ", " : "", coiled ? 0.8 * cos(1.3 * i) : 0,
                 coiled ? 0.8 * cos(2.1 * i + 1) : 0, coiled ? 0.8 * cos(0.4 * i + 2) : 0);
    play_add(&text,
             "]}}]\nrods: [{name: strip, particles: {from: 0, to: 10}, diameter: 0.01, %s}]\n"
             "run: {until: {time: 100}}\n%s\n",
             rod, rest);
    return play_open(text.text, NULL);
}

/* A free strip tumbles. Energy that its directors lose where their minimum ceases to exist is dissipated. */
START_TEST(jumps_dissipate)
{
    play p = open_strip(true, "young: 1e4, width: 0.3, width_along: [0, 1, 0]", "variational: {stiffness: 1}");
    const double energy = frame_energy_of(carom_sim_frame(p.sim)).total;
    double before = 0, drift = 0;
    for (int n = 1; n <= 40; n++) {
        play_advance(&p, 0.05 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert(f->tallies.ledger.damping >= before);
        before = f->tallies.ledger.damping;
        drift = fmax(drift, fabs((frame_energy_of(f).total + before) / energy - 1));
    }
    printf("  dissipated: %g of %g\n", before, energy);
    ck_assert(before > 0.01 * energy);
    EXPECT_CLOSE("error of the energy", drift, 0, 9.8e-3);
    play_close(&p);
}
END_TEST

START_TEST(fast_ends)
{
    play p = open_strip(
        false, "young: 1e6, width: 0.2, width_along: [0, 1, 0], twist: 0, twist_rate: 1e5, twist_until: 1e-2",
        "drives: [{name: clamps, particles: [0, 1, 9, 10]}]\nvariational: {stiffness: 1, material_step: 1e-4}");
    play_advance(&p, 2e-4);
    play_advance(&p, 5e-4);
    const frame_ledger *l = &carom_sim_frame(p.sim)->tallies.ledger;
    const double stiff = 1e6 / 2.6 * PI_ * pow(0.2 * 0.01, 3) / (16 * (0.2 * 0.2 + 0.01 * 0.01));
    EXPECT_CLOSE("energy of 50 radians", l->twist / (0.5 * stiff / 0.8 * 2500), 1, 1e-12);
    EXPECT_CLOSE("work", l->work / l->twist, 1, 1e-12);
    play_close(&p);
}
END_TEST

/* A strip held by an edge within, its width along gravity: each wing is a cantilever. With moments 1, 0.6, 0.3, 0.1 m g at joints that are
 * 0.4, 0.3, 0.2, 0.1 from the end, and 0.05 (at the clamp) and 0.1 long, the end sags by 0.045 m g / (E I). */
START_TEST(clamps_within)
{
    play p = open_strip(false, "young: 1e6, width: 0.2, width_along: [0, 0, 1], damping: 2e-3",
                        "fields: {gravity: [0, 0, 0.01]}\ndrives: [{name: clamp, particles: [5, 6]}]\n"
                        "variational: {stiffness: 1}");
    play_advance(&p, 0.6);
    const double sag = carom_sim_frame(p.sim)->position[3 * 10 + 2] - 4;
    const double stiff = 1e6 * PI_ / 64 * pow(0.2, 3) * 0.01;
    EXPECT_CLOSE("sag of the end over that of a polygon", sag / (0.01 * 0.01 / stiff * 0.045), 1, 3e-3);
    play_close(&p);
}
END_TEST

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static const char *write_everything(double until)
{
    char rest[300];
    snprintf(rest, sizeof rest,
             "segments: [{name: coil, diameter: 0.05, species: bead, chain: {from: 0, to: 24}}]\n"
             "contacts: [{between: [bead, bead], restitution: 0.5, friction: 0.3}]\n"
             "run: {until: {time: %.17g}}\nvariational: {stiffness: 1e4}\n",
             until);
    return write_coil(
        2, "width: 0.06, width_along: [0, 0, 1], rest: start, damping: 1e-4, twist: 2, twist_rate: 3, twist_until: 1",
        rest);
}

START_TEST(bits_of_the_oracle)
{
    expect_bits_of_reference(write_everything(0.3), 0.3);
}
END_TEST

START_TEST(bits_of_threads_and_checkpoints)
{
    expect_bits_of_parts(write_everything(0.3), 0.3);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("variational_ribbons");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, momenta_and_energy);
    tcase_add_test(c, damped);
    tcase_add_test(c, rest_shapes);
    tcase_add_test(c, ends_that_rotate);
    tcase_add_test(c, jumps_dissipate);
    tcase_add_test(c, fast_ends);
    tcase_add_test(c, clamps_within);
    tcase_add_test(c, bits_of_the_oracle);
    tcase_add_test(c, bits_of_threads_and_checkpoints);
    return suite_run("variational_ribbons", c);
}
