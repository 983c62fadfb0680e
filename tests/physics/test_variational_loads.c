/* Detects wrong loads on vertices of shells in the engine `variational`: shares, momentum and angular momentum that they
 * give, their work, ramps, cantilevers that are no elastica and no circle, the bits of the oracle, threads and resumed
 * runs. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/relax.h"
#include "../support/resumed.h"
#include "../support/suite.h"

#include <math.h>

static play_text text;

static double summed(play *p, const char *what)
{
    char path[60];
    json_t *summary = play_summary(p);
    snprintf(path, sizeof path, "energy.%s", what);
    const double value = play_number(summary, path);
    json_decref(summary);
    return value;
}

/* ---- a free sheet ------------------------------------------------------------------------------------------------ */

static const double STEP = 0.01; /* of all elements */

/* x from 2.5 to 5.5, y from 3 to 5: 5 rows of 7 vertices. */
static play open_sheet(const char *loads, const char *more, const char *set)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\n"
             "species: {shell: {diameter: 1, mass: 1}}\nmeshes:\n  - {name: sheet, shape: {rectangle: {length: 3, "
             "width: 2, along: 6, across: 4}}, place: {at: [4, 4, 4]}, thickness: 0.1, density: 20, young: 100, "
             "elastic_thickness: 0.2%s}\nloads:\n%srun: {until: {time: 100}}\nvariational: {stiffness: 1, "
             "material_step: 0.01}\n",
             more, loads);
    return play_open(text.text, set);
}

#define EDGE "within: {from: [5.4, 0, 0], to: [6, 8, 8]}"
#define TWO_ROWS "within: {from: [4.9, 0, 0], to: [6, 8, 8]}"
#define RAMP "ramp: [{time: 0.105, factor: 1}, {time: 0.305, factor: -0.5}]"

/* The sum of the factors of RAMP over n ticks. */
static double ramp_sum(int n)
{
    double sum = 0;
    for (int k = 1; k <= n; k++) {
        const double t = k * STEP;
        sum += t < 0.105 ? t / 0.105 : t < 0.305 ? 1 - 1.5 * (t - 0.105) / 0.2 : -0.5;
    }
    return sum;
}

START_TEST(forces_give_momentum)
{
    static const double force[3] = {0.3, -0.2, 0.5};
    play p = open_sheet("  - {name: pull, mesh: sheet, " EDGE ", force: [0.3, -0.2, 0.5], " RAMP "}\n", "", NULL);
    for (int n = 7; n < 60; n += 13) {
        play_advance(&p, (n + 0.5) * STEP);
        const momenta m = momenta_of(carom_sim_frame(p.sim), NULL);
        for (int k = 0; k < 3; k++) EXPECT_CLOSE("momentum", m.linear[k], STEP * force[k] * ramp_sum(n), 5e-17);
    }
    play_close(&p);
}
END_TEST

START_TEST(moments_give_angular_momentum)
{
    play p = open_sheet("  - {name: turn, mesh: sheet, " TWO_ROWS ", moment: [0.3, 1.2, -0.4], " RAMP "}\n", "", NULL);
    for (int n = 7; n < 60; n += 13) {
        play_advance(&p, (n + 0.5) * STEP);
        const momenta m = momenta_of(carom_sim_frame(p.sim), NULL);
        const double along = (0.3 * m.angular[0] + 1.2 * m.angular[1] - 0.4 * m.angular[2]) / 1.3;
        for (int k = 0; k < 3; k++) EXPECT_CLOSE("momentum", m.linear[k], 0, 4e-15);
        EXPECT_CLOSE("angular momentum", along, 1.3 * STEP * ramp_sum(n), 4e-14);
    }
    play_close(&p);
}
END_TEST

/* The flat sheet has no forces of its own at the first tick. */
static void expect_shares(const char *load, const size_t *vertices, const double *shares, size_t count)
{
    play p = open_sheet(load, "", NULL);
    play_advance(&p, 1.5 * STEP);
    const carom_frame *f = carom_sim_frame(p.sim);
    double sum = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t i = vertices[n];
        EXPECT_CLOSE("share", f->mass[i] * f->velocity[3 * i + 2], STEP * shares[n], 1e-16);
    }
    for (size_t i = 0; i < f->count; i++) sum += f->mass[i] * f->velocity[3 * i + 2];
    EXPECT_CLOSE("sum", sum, STEP, 1e-16);
    play_close(&p);
}

START_TEST(vertices_share_a_force_by_lengths)
{
    static const size_t edge[5] = {6, 13, 20, 27, 34}, corners[2] = {0, 34};
    static const double by_length[5] = {0.125, 0.25, 0.25, 0.25, 0.125}, equal[2] = {0.5, 0.5};
    expect_shares("  - {name: lift, mesh: sheet, " EDGE ", force: [0, 0, 1]}\n", edge, by_length, 5);
    expect_shares("  - {name: lift, mesh: sheet, vertices: [0, 34], force: [0, 0, 1]}\n", corners, equal, 2);
}
END_TEST

/* Work, kinetic and elastic energy of large motions. */
START_TEST(work_closes_the_balance)
{
    static const char loads[] = "  - {name: pull, mesh: sheet, " EDGE ", force: [0.2, 0.1, 0.3], " RAMP "}\n"
                                "  - {name: turn, mesh: sheet, " TWO_ROWS ", moment: [0.1, 0.6, -0.2]}\n";
    double off[2] = {0}, work = 0;
    for (int fine = 0; fine < 2; fine++) {
        const double step = fine ? STEP / 4 : STEP / 2;
        play p = open_sheet(loads, "", fine ? "variational.material_step=0.0025" : "variational.material_step=0.005");
        for (int n = 1; n <= 200; n++) {
            play_advance(&p, STEP * n + step / 2); /* in the middle of a step, where the error is of second order */
            off[fine] += pow(summed(&p, "drift"), 2) / 200;
        }
        work = summed(&p, "work");
        off[fine] = sqrt(off[fine]);
        play_close(&p);
    }
    printf("work %.4g, drift %.3g, with half the step %.3g\n", work, off[0], off[1]);
    EXPECT_CLOSE("drift over the work", off[1] / work, 0, 2.6e-6);
    EXPECT_CLOSE("second order", off[0] / off[1], 4, 0.006);
}
END_TEST

/* ---- cantilevers ------------------------------------------------------------------------------------------------- */

/* The end of a rod of length 1, clamped horizontally, under an upward force at its end: angle'' = -force cos(angle),
 * angle(0) = 0, angle'(1) = 0, force over rigidity. Shooting, with Runge and Kutta's method. */
static double shoot(double force, double bend, double end[2])
{
    enum { PARTS = 2000 };
    double y[4] = {0, bend, 0, 0};
    const double step = 1.0 / PARTS;
    for (int n = 0; n < PARTS; n++) {
        double sum[4] = {0}, rate[4] = {0};
        for (int stage = 0; stage < 4; stage++) {
            const double ahead = stage == 0 ? 0 : stage == 3 ? step : step / 2;
            const double angle = y[0] + ahead * rate[0], curvature = y[1] + ahead * rate[1];
            rate[0] = curvature;
            rate[1] = -force * cos(angle);
            rate[2] = cos(angle);
            rate[3] = sin(angle);
            for (int k = 0; k < 4; k++) sum[k] += (stage == 1 || stage == 2 ? 2 : 1) * rate[k];
        }
        for (int k = 0; k < 4; k++) y[k] += step / 6 * sum[k];
    }
    end[0] = y[2];
    end[1] = y[3];
    return y[1];
}

static void elastica(double force, double end[2])
{
    double low = 0, high = force;
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        *(shoot(force, middle, end) > 0 ? &high : &low) = middle;
    }
}

/* The mean end of a strip of so many cells beyond the clamp, in units of its length. `load` over the rigidity. */
static void cantilever(int cells, bool moment, double load, double end[2])
{
    const double rigidity = 20, h = 0.02, late = 2e-4; /* stiffness of a rod; thickness; damping over stiffness */
    const double young = 12 * rigidity / (h * h * h), cell = 1.0 / cells;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [6, 6, 6], boundary: open}\n"
             "species: {shell: {diameter: 1, mass: 1}}\nmeshes:\n  - {name: strip, shape: {rectangle: {length: %.17g, "
             "width: 0.25, along: %d, across: %d}}, place: {at: [%.17g, 3, 3]}, thickness: 0.001, density: 1000, "
             "young: %.17g, poisson: 0, elastic_thickness: %g, damping: {stretch: %g, bend: %g}}\n"
             "drives: [{name: clamp, mesh: strip, within: {from: [0, 0, 0], to: [3.001, 6, 6]}}]\n"
             "loads: [{name: end, mesh: strip, within: {from: [%.17g, 0, 0], to: [6, 6, 6]}, %s: [0, %.17g, %.17g]}]\n"
             "run: {until: {time: 100}}\nvariational: {stiffness: 1, material_step: 1e-3}\n",
             1 + cell, cells + 1, cells / 4, 3.5 - cell / 2, young, h, young * h * late, rigidity / 6 * late,
             moment ? 3.999 - cell : 3.999, moment ? "moment" : "force", moment ? -0.25 * rigidity * load : 0.0,
             moment ? 0.0 : 0.25 * rigidity * load);
    play open = play_open(text.text, NULL);
    relax(&open, 30, 0.8);
    const double *x = carom_sim_frame(open.sim)->position;
    end[0] = end[1] = 0;
    for (int n = 0; n <= cells / 4; n++) {
        const double *at = x + 3 * ((n + 1) * (cells + 2) - 1);
        end[0] += (at[0] - 3) / (cells / 4 + 1);
        end[1] += (at[2] - 3) / (cells / 4 + 1);
    }
    play_close(&open);
}

static void compare_ends(bool moment, double load, const double wanted[2], double bound)
{
    double end[2][2];
    for (int n = 0; n < 2; n++) {
        cantilever(8 << n, moment, load, end[n]);
        printf("%d cells: end at %.6g, %.6g; errors %.3g, %.3g\n", 8 << n, end[n][0], end[n][1], end[n][0] - wanted[0],
               end[n][1] - wanted[1]);
    }
    for (int k = 0; k < 2; k++)
        EXPECT_CLOSE("extrapolated to small cells", (4 * end[1][k] - end[0][k]) / 3, wanted[k], bound);
}

START_TEST(an_end_force_gives_an_elastica)
{
    double wanted[2];
    elastica(4, wanted);
    compare_ends(false, 4, wanted, 2.6e-4); /* 8.6e-5 */
}
END_TEST

START_TEST(an_end_moment_gives_a_circle)
{
    const double turn = 4, wanted[2] = {sin(turn) / turn, (1 - cos(turn)) / turn};
    compare_ends(true, turn, wanted, 1.1e-3); /* 3.5e-4 */
}
END_TEST

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static const char *write_everything(int cells, double until)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: variational\nbox: {size: [4, 4, 4], boundary: [periodic, periodic, wall]}\n"
        "species: {cloth: {diameter: 1, mass: 1}}\nmeshes:\n"
        "  - {name: cloth, shape: {rectangle: {length: 1, width: 1, along: %d, across: %d}}, place: {at: [0.1, 1.9, "
        "0.3]}, thickness: 0.02, density: 50, young: 5e3, elastic_thickness: 0.03, damping: {stretch: 0.1, bend: "
        "0.001}}\n"
        "  - {name: other, shape: {rectangle: {length: 0.4, width: 0.4, along: 2, across: 2}}, place: {at: [0.1, "
        "1.9, 0.34]}, thickness: 0.02, density: 20, stretch: 500, bend: 0.2}\n"
        "drives: [{name: pin, mesh: cloth, vertices: [0]}]\n"
        "loads:\n  - {name: lift, mesh: cloth, vertices: {from: 1, to: 9}, force: [0, 1, 20], ramp: [{time: 0.03, "
        "factor: 1}]}\n  - {name: turn, mesh: other, moment: [0, 0.5, 0.1]}\n"
        "contacts: [{between: [cloth, cloth], restitution: 0.5, friction: 0.2}]\n"
        "fields: {gravity: [0, 0, -5]}\nrun: {until: {time: %g}}\nvariational: {stiffness: 200}\n",
        cells, cells, until);
    return text.text;
}

START_TEST(bits_of_the_oracle)
{
    const double until = 0.05;
    play fast = play_open(write_everything(3, until), NULL), slow = play_open(text.text, "variational.reference=true");
    for (int n = 1; n <= 5; n++) {
        play_advance(&fast, until * n / 5);
        play_advance(&slow, until * n / 5);
        ck_assert_uint_eq(play_hash(&fast), play_hash(&slow));
        ck_assert_double_eq(summed(&fast, "work"), summed(&slow, "work"));
    }
    play_close(&fast);
    play_close(&slow);
}
END_TEST

/* More elements than one thread takes alone; work and bits of a resumed run. */
START_TEST(bits_of_threads_and_checkpoints)
{
    const double until = 0.03;
    play whole = play_open(write_everything(24, until), NULL);
    play_advance(&whole, until);
    const uint64_t hash = play_hash(&whole);
    const double work = summed(&whole, "work");
    play_close(&whole);
    play parts = resumed_in_parts(write_everything(24, until), until);
    ck_assert_uint_eq(play_hash(&parts), hash);
    ck_assert_double_eq(summed(&parts, "work"), work);
    play_close(&parts);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("variational_loads"), *more = suite_ci_case();
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, forces_give_momentum);
    tcase_add_test(cases, moments_give_angular_momentum);
    tcase_add_test(cases, vertices_share_a_force_by_lengths);
    tcase_add_test(cases, work_closes_the_balance);
    tcase_add_test(more, an_end_force_gives_an_elastica);
    tcase_add_test(cases, an_end_moment_gives_a_circle);
    tcase_add_test(cases, bits_of_the_oracle);
    tcase_add_test(cases, bits_of_threads_and_checkpoints);
    return suite_run("variational_loads", cases, more);
}
