/* Detects wrong elastic rods in the engine `variational`: a cantilever that is no elastica or vibrates at a wrong frequency, a ring
 * that buckles at a wrong twist, momenta and energy that change, a wrong work of ends that rotate, wrong bits of the oracle
 * and of resumed runs, and refused scenes. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/relax.h"
#include "../support/same_bits.h"
#include "../support/suite.h"

#include <math.h>

static const double PI_ = 3.14159265358979323846;

static play_text text;

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

/* Rods have the bending stiffness 1 and the mass 1 per length. */
static double young_of(double diameter)
{
    return 64 / (PI_ * pow(diameter, 4));
}

static void begin_scene(double mass, double end_mass)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\nspecies:\n"
             "  bead: {diameter: 0.01, mass: %.17g}\n  end: {diameter: 0.01, mass: %.17g}\nparticles:\n",
             mass, end_mass);
}

static void add_point(bool first, const double x[3])
{
    play_add(&text, "%s[%.17g, %.17g, %.17g]", first ? "" : ", ", x[0], x[1], x[2]);
}

/* Straight, of length 1 from a clamp at (3, 4, 4); `shape` gives the speed of each of its points (NULL: 0). The point before the clamp
 * is particle 0. */
static play open_cantilever(int edges, double (*shape)(double), const char *rod, const char *rest)
{
    begin_scene(1.0 / edges, 0.5 / edges);
    for (int part = 0; part < 2; part++) {
        const int from = part == 0 ? -1 : edges, to = part == 0 ? edges - 1 : edges;
        play_add(&text, "  - {species: %s, place: {at: [", part == 0 ? "bead" : "end");
        for (int i = from; i <= to; i++) add_point(i == from, (double[3]){3 + (double)i / edges, 4, 4});
        play_add(&text, "]}, velocity: {each: [");
        for (int i = from; i <= to; i++)
            add_point(i == from, (double[3]){0, 0, shape != NULL && i > 0 ? shape((double)i / edges) : 0});
        play_add(&text, "]}}\n");
    }
    play_add(&text,
             "rods: [{name: bar, particles: {from: 0, to: %d}, %s}]\ndrives: [{name: clamp, particles: [0, 1]}]\n%s\n",
             edges + 1, rod, rest);
    return play_open(text.text, NULL);
}

/* ---- statics ----------------------------------------------------------------------------------------------------- */

/* theta'' = -load (1 - s) (1 + strain) cos(theta), theta(0) = 0, strain = soft load (1 - s) sin(theta): theta' at the end, for
 * theta'(0). */
static double shoot(double load, double soft, double bent, double end[2])
{
    const int steps = 2000;
    const double h = 1.0 / steps;
    double y[4] = {0, bent, 0, 0}; /* theta, theta', x, z */
    for (int n = 0; n < steps; n++) {
        double k[4][4], at[4];
        for (int q = 0; q < 4; q++) {
            const double part = q == 0 ? 0 : q == 3 ? 1 : 0.5;
            for (int i = 0; i < 4; i++) at[i] = y[i] + (q > 0 ? part * h * k[q - 1][i] : 0);
            const double above = load * (1 - (n + part) * h), longer = 1 + soft * above * sin(at[0]);
            k[q][0] = at[1];
            k[q][1] = -above * longer * cos(at[0]);
            k[q][2] = longer * cos(at[0]);
            k[q][3] = longer * sin(at[0]);
        }
        for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    end[0] = y[2];
    end[1] = y[3];
    return y[1];
}

START_TEST(cantilever_is_an_elastica)
{
    const double load = 3, diameter = 0.05, soft = diameter * diameter / 16;
    double wanted[2], end[2][2], low = 0, high = load;
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        *(shoot(load, soft, middle, wanted) > 0 ? &high : &low) = middle;
    }
    for (int n = 0; n < 2; n++) {
        char rod[100];
        const int edges = 8 << n;
        snprintf(rod, sizeof rod, "young: %.17g, diameter: %g, damping: 3e-4", young_of(diameter), diameter);
        play p = open_cantilever(edges, NULL, rod,
                                 "fields: {gravity: [0, 0, 3]}\nrun: {until: {time: 100}}\nvariational: {stiffness: 1, "
                                 "courant: 0.1}");
        relax(&p, 6, 12);
        const double *x = carom_sim_frame(p.sim)->position + 3 * (edges + 1);
        end[n][0] = x[0] - 3;
        end[n][1] = x[2] - 4;
        printf("%d edges: end at %.7g, %.7g; errors %.3g, %.3g\n", edges, end[n][0], end[n][1], end[n][0] - wanted[0],
               end[n][1] - wanted[1]);
        play_close(&p);
    }
    for (int k = 0; k < 2; k++) {
        EXPECT_CLOSE("errors, with edges half as long", (end[1][k] - wanted[k]) / (end[0][k] - wanted[k]), 0.25, 0.03);
        EXPECT_CLOSE("extrapolated to short edges", (4 * end[1][k] - end[0][k]) / 3, wanted[k],
                     8e-5); /* the next order */
    }
}
END_TEST

/* ---- vibrations -------------------------------------------------------------------------------------------------- */

static const double ROOT = 1.8751040687119611; /* cosh(x) cos(x) = -1 */

/* The first mode of a cantilever. */
static double mode(double x)
{
    const double a = ROOT * x, ratio = (cosh(ROOT) + cos(ROOT)) / (sinh(ROOT) + sin(ROOT));
    return 1e-3 * (cosh(a) - cos(a) - ratio * (sinh(a) - sin(a)));
}

/* Euler and Bernoulli: angular frequency ROOT^2 of the first mode. Damping: exp(-damping w^2 t / 2). */
START_TEST(vibrations)
{
    const double frequency = ROOT * ROOT, damping = 1e-3;
    double off[2];
    for (int n = 0; n < 2; n++) {
        char rod[120];
        const int edges = 8 << n;
        double at[3] = {0}, speed[2] = {0};
        for (int run = 0; run < 2; run++) { /* the second one with damping */
            snprintf(rod, sizeof rod, "young: %.17g, diameter: 0.1, damping: %g", young_of(0.1),
                     run == 0 ? 0 : damping);
            play p = open_cantilever(edges, mode, rod,
                                     "run: {until: {time: 100}}\nvariational: {stiffness: 1, courant: 0.05}");
            double before = 0, last = 0;
            int crossings = 0;
            for (int k = 1; crossings < (run == 0 ? 3 : 0); k++) {
                play_advance(&p, 0.01 * k);
                const double z = carom_sim_frame(p.sim)->position[3 * (edges + 1) + 2] - 4;
                if (before * z < 0) at[crossings++] = last + 0.01 * before / (before - z);
                before = z;
                last = 0.01 * k;
            }
            if (run == 1) { /* speed of the end after one and after three periods */
                for (int k = 0; k < 2; k++) {
                    play_advance(&p, (1 + 2 * k) * at[1]);
                    speed[k] = carom_sim_frame(p.sim)->velocity[3 * (edges + 1) + 2];
                }
                const carom_frame *f = carom_sim_frame(p.sim);
                ck_assert(f->tallies.ledger.damping > 0);
            }
            play_close(&p);
        }
        off[n] = PI_ / (at[2] - at[1]) / frequency - 1;
        const double decay = log(speed[0] / speed[1]) / (2 * at[1]);
        printf("%d edges: frequency %.3e off; decay %.6g, of the material %.6g\n", edges, off[n], decay,
               0.5 * damping * frequency * frequency);
        EXPECT_CLOSE("decay", decay / (0.5 * damping * frequency * frequency), 1, 0.03);
    }
    EXPECT_CLOSE("errors, with edges half as long", off[1] / off[0], 0.25, 0.03);
}
END_TEST

/* ---- rings ------------------------------------------------------------------------------------------------------- */

static play_text everything;

/* A ring of radius 1 out of its plane, with some velocities, of a given twist; `more`: further particles. */
static const char *write_ring(int count, double out, double twist, const char *more, const char *rod, const char *rest)
{
    begin_scene(2 * PI_ / count, 1);
    play_add(&text, "  - {species: bead, place: {at: [");
    for (int i = 0; i < count; i++) {
        const double a = 2 * PI_ * i / count;
        add_point(i == 0, (double[3]){4 + cos(a), 4 + sin(a), 4 + out * (cos(2 * a) + 0.3 * sin(3 * a))});
    }
    play_add(&text, "]}, velocity: {each: [");
    for (int i = 0; i < count; i++) {
        const double a = 2 * PI_ * i / count;
        add_point(i == 0, (double[3]){0.1 - 0.2 * sin(a), 0.2 * cos(a), 0.1 * sin(a)});
    }
    play_add(
        &text,
        "]}}\n%srods: [{name: ring, particles: {from: 0, to: %d}, closed: true, young: %.17g, diameter: 0.1, twist: "
        "%.17g, "
        "%s}]\n%s\n",
        more, count - 1, young_of(0.1), twist, rod, rest);
    return text.text;
}

/* Returns the largest change of the energy over its value. */
static double turn_ring(double courant)
{
    char rest[100];
    snprintf(rest, sizeof rest, "run: {until: {time: 100}}\nvariational: {stiffness: 1, courant: %g}", courant);
    play p = play_open(write_ring(40, 0.01, 25, "", "poisson: 0.2", rest), NULL);
    const momenta start = momenta_of(carom_sim_frame(p.sim), NULL);
    const double energy = frame_energy_of(carom_sim_frame(p.sim)).total;
    double moved = 0, drift = 0, least = 1;
    for (int n = 1; n <= 20; n++) {
        play_advance(&p, 0.25 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        const momenta now = momenta_of(f, NULL);
        for (int k = 0; k < 3; k++)
            moved = fmax(moved, fmax(fabs(now.linear[k] - start.linear[k]), fabs(now.angular[k] - start.angular[k])));
        drift = fmax(drift, fabs(frame_energy_of(f).total / energy - 1));
        least = fmin(least, f->tallies.ledger.twist / energy);
    }
    printf("  courant %g: energy %.3e off; least share of the twist %g\n", courant, drift, least);
    ck_assert(least < 0.5); /* it has buckled */
    EXPECT_CLOSE("momentum and angular momentum", moved, 0, 6e-13);
    play_close(&p);
    return drift;
}

START_TEST(momenta_and_energy)
{
    const double coarse = turn_ring(0.1), fine = turn_ring(0.05);
    EXPECT_CLOSE("errors of the energy, with half the step", fine / coarse, 0.25, 0.1);
    EXPECT_CLOSE("error of the energy", fine, 0, 3.3e-4); /* 1.1e-4 */
}
END_TEST

/* A straight clamped rod whose end rotates: moment G J twist / length, of which the work is the energy. It then buckles. */
START_TEST(ends_that_rotate)
{
    const double poisson = 0.25, rate = 6, until = 4;
    begin_scene(0.05, 1);
    play_add(&text, "  - {species: bead, place: {at: [");
    for (int i = -1; i <= 21; i++) add_point(i == -1, (double[3]){3 + i / 20.0, 4, 4 + (i == 10 ? 1e-4 : 0)});
    play_add(
        &text,
        "]}}\nrods: [{name: bar, particles: {from: 0, to: 22}, young: %.17g, poisson: %g, diameter: 0.1, twist: 0, "
        "twist_rate: %g, twist_until: %g}]\ndrives: [{name: clamps, particles: [0, 1, 21, 22]}]\n"
        "run: {until: {time: 100}}\nvariational: {stiffness: 1}\n",
        young_of(0.1), poisson, rate, until);
    play p = play_open(text.text, NULL);
    double worst = 0;
    for (int n = 1; n <= 60; n++) {
        play_advance(&p, 0.1 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        const frame_ledger *l = &f->tallies.ledger;
        if (n <= 15) EXPECT_CLOSE("energy", l->twist, 0.5 / (1 + poisson) * pow(rate * f->time, 2), 2e-5);
        worst = fmax(worst, fabs(frame_energy_of(f).total - l->work));
    }
    const frame_ledger *l = &carom_sim_frame(p.sim)->tallies.ledger;
    printf("  work %g, twist %g, bending %g\n", l->work, l->twist, l->bend);
    ck_assert(l->bend > 1);
    EXPECT_CLOSE("energy less work", worst, 0, 9e-4);
    play_close(&p);
}
END_TEST

/* A free bar, twisted, whose ends are held against rotation about it: they do no work. */
START_TEST(ends_that_move)
{
    begin_scene(0.1, 1);
    play_add(&text, "  - {species: bead, place: {at: [");
    for (int i = 0; i <= 10; i++) add_point(i == 0, (double[3]){3 + i / 10.0, 4, 4});
    play_add(&text, "]}, velocity: {each: [");
    for (int i = 0; i <= 10; i++) add_point(i == 0, (double[3]){0, 5 * cos(0.6 * i), 5 * sin(0.6 * i)});
    play_add(&text,
             "]}}\nrods: [{name: bar, particles: {from: 0, to: 10}, young: %.17g, diameter: 0.1, twist: 12}]\n"
             "run: {until: {time: 100}}\nvariational: {stiffness: 1}\n",
             young_of(0.1));
    play p = play_open(text.text, NULL);
    const double energy = frame_energy_of(carom_sim_frame(p.sim)).total;
    double drift = 0, least = INFINITY, most = 0;
    for (int n = 1; n <= 20; n++) {
        play_advance(&p, 0.05 * n);
        const carom_frame *f = carom_sim_frame(p.sim);
        drift = fmax(drift, fabs(frame_energy_of(f).total / energy - 1));
        least = fmin(least, f->tallies.ledger.twist);
        most = fmax(most, f->tallies.ledger.twist);
    }
    printf("  energy %g, of the twist %g to %g\n", energy, least, most);
    ck_assert(most > 2 * least);
    EXPECT_CLOSE("error of the energy, which is seen between kicks", drift, 0,
                 1.1e-2); /* 3.8e-3; h / 2 times the power */
    play_close(&p);
}
END_TEST

/* ---- bits -------------------------------------------------------------------------------------------------------- */

/* A twisted ring, and a bar with an end that rotates, which falls on it, with damping and friction. */
static const char *write_everything(double until)
{
    const int count = 12;
    char rest[200], rod[200];
    everything.length = 0;
    snprintf(rest, sizeof rest, "run: {until: {time: %.17g}}\nvariational: {stiffness: 1e4}\n", until);
    snprintf(rod, sizeof rod,
             "damping: 5e-4}, {name: bar, particles: {from: 12, to: 16}, young: %.17g, diameter: 0.1, twist: 2, "
             "twist_rate: 1",
             young_of(0.1));
    write_ring(
        count, 0.3, 60,
        "  - {species: bead, place: {at: [[2.5, 4.1, 4.5], [3.1, 4.1, 4.5], [3.7, 4.1, 4.5], [4.3, 4.1, 4.5], [4.9, "
        "4.1, 4.5]]}, velocity: {each: [[0, 0, -3], [0, 0, -3], [0, 0, -3], [0, 0, -3], [0, 0, -3]]}}\n",
        rod, rest);
    play_add(&everything, "%s", text.text);
    play_add(&everything, "segments: [{name: bar, diameter: 0.1, species: bead, chain: {from: 12, to: 16}}, "
                          "{name: ring, diameter: 0.1, species: bead, pairs: [");
    for (int i = 0; i < count; i++) play_add(&everything, "%s[%d, %d]", i > 0 ? ", " : "", i, (i + 1) % count);
    play_add(&everything, "]}]\ncontacts: [{between: [bead, bead], restitution: 0.5, friction: 0.3}]\n");
    return everything.text;
}

START_TEST(bits_of_the_oracle)
{
    expect_bits_of_reference(write_everything(0.4), 0.4);
}
END_TEST

START_TEST(bits_of_threads_and_checkpoints)
{
    expect_bits_of_parts(write_everything(0.4), 0.4);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("variational_rods");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, cantilever_is_an_elastica);
    tcase_add_test(c, vibrations);
    tcase_add_test(c, momenta_and_energy);
    tcase_add_test(c, ends_that_rotate);
    tcase_add_test(c, ends_that_move);
    tcase_add_test(c, bits_of_the_oracle);
    tcase_add_test(c, bits_of_threads_and_checkpoints);
    return suite_run("variational_rods", c);
}
