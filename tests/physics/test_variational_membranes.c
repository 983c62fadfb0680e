/* Detects wrong shells of rubber and of fabric in the engine `variational`: pulled sheets against closed forms, a bent fabric,
 * energy and momentum that change, the bits of the oracle, threads and resumed runs. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/relax.h"
#include "../support/resumed.h"
#include "../support/suite.h"

#include <math.h>

static const double PI_ = 3.14159265358979323846;

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

/* ---- pulled sheets --------------------------------------------------------------------------------------------------- */

enum { ALONG = 4, ACROSS = 3 };

/* A free sheet, 2 by 1, of 4 by 3 cells, pulled by forces per length at both ends and, if it is not 0, at both sides. Its
 * corners after it has come to rest. */
static void pulled_sheet(const char *material, double pull, double sides, double corner[4][3])
{
    static const size_t of[4] = {0, ALONG, ACROSS * (ALONG + 1), (ACROSS + 1) * (ALONG + 1) - 1};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [16, 16, 16], boundary: open}\n"
             "species: {shell: {diameter: 1, mass: 1}}\nmeshes:\n  - {name: sheet, shape: {rectangle: {length: 2, "
             "width: 1, along: %d, across: %d}}, place: {at: [8, 8, 8]}, thickness: 0.01, density: 100, "
             "elastic_thickness: 0.1, damping: {stretch: 1}, %s}\nloads:\n",
             ALONG, ACROSS, material);
    for (int end = -1; end <= 1; end += 2) {
        play_add(&text,
                 "  - {name: end%d, mesh: sheet, within: {from: [%g, 0, 0], to: [%g, 16, 16]}, force: [%.17g, 0, 0]}\n",
                 1 + end, 8 + end - 0.01, 8 + end + 0.01, end * pull);
        if (sides > 0)
            play_add(
                &text,
                "  - {name: side%d, mesh: sheet, within: {from: [0, %g, 0], to: [16, %g, 16]}, force: [0, %.17g, 0]}\n",
                1 + end, 8 + 0.5 * end - 0.01, 8 + 0.5 * end + 0.01, 2 * end * sides);
    }
    play_add(&text, "run: {until: {time: 100}}\nvariational: {stiffness: 1, material_step: 1e-3}\n");
    play open = play_open(text.text, NULL);
    relax(&open, 5, 14);
    for (int n = 0; n < 4; n++) memcpy(corner[n], carom_sim_frame(open.sim)->position + 3 * of[n], sizeof(double[3]));
    play_close(&open);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

/* E = 1000, h = 0.1. Nominal stress by the stretch a of a neo-Hookean strip: mu (a - a^(-1 - 2 nu)), and across a^-nu. */
START_TEST(a_strip_of_rubber)
{
    static const double ratios[3] = {0, 0.3, 0.5};
    const double nu = ratios[_i], stretch = 2, mu = 1000 / (2 * (1 + nu));
    char material[100];
    double x[4][3];
    snprintf(material, sizeof material, "young: 1000, poisson: %g, material: neo_hookean", nu);
    pulled_sheet(material, 0.1 * mu * (stretch - pow(stretch, -1 - 2 * nu)), 0, x);
    EXPECT_CLOSE("stretch", distance(x[0], x[1]) / 2, stretch, 2.1e-13);
    EXPECT_CLOSE("stretch across", distance(x[0], x[2]), pow(stretch, -nu), 2.1e-13);
}
END_TEST

/* Pulled alike along and across: mu (a - a^(-1 - 4 nu / (1 - nu))); of a balloon, with nu = 0.5, mu (a - a^-5). */
START_TEST(a_sheet_of_rubber)
{
    static const double ratios[3] = {0, 0.3, 0.5};
    const double nu = ratios[_i], stretch = 1.8, mu = 1000 / (2 * (1 + nu));
    const double pull = 0.1 * mu * (stretch - pow(stretch, -1 - 4 * nu / (1 - nu)));
    char material[100];
    double x[4][3];
    snprintf(material, sizeof material, "young: 1000, poisson: %g, material: neo_hookean", nu);
    pulled_sheet(material, pull, pull, x);
    EXPECT_CLOSE("stretch", distance(x[0], x[1]) / 2, stretch, 2.1e-13);
    EXPECT_CLOSE("stretch across", distance(x[0], x[2]), stretch, 2.1e-13);
}
END_TEST

/* Pulled at an angle from the warp: 1 / E = cos^4 / E1 + sin^4 / E2 + (1 / G - 2 nu / E1) sin^2 cos^2. The Piola stress S is
 * along the sheet alone, for its ends as well remain parallel to the sides: force per width = stretch S, Green's strain = S / E. */
START_TEST(a_strip_of_fabric)
{
    static const double angles[5] = {0, 0.3, PI_ / 4, 1, PI_ / 2};
    const double c = cos(angles[_i]), s = sin(angles[_i]), e1 = 1000, e2 = 400, g = 150, nu = 0.2;
    const double modulus = 1 / (pow(c, 4) / e1 + pow(s, 4) / e2 + (1 / g - 2 * nu / e1) * c * c * s * s);
    const double strain = 0.06, stretch = sqrt(1 + 2 * strain);
    char material[160];
    double x[4][3];
    snprintf(material, sizeof material,
             "young: %g, poisson: %g, fabric: {weft: %g, shear: %g, warp: [%.17g, %.17g, 0]}", e1, nu, e2, g, c, s);
    pulled_sheet(material, 0.1 * modulus * strain * stretch, 0, x);
    EXPECT_CLOSE("stretch", distance(x[0], x[1]) / 2, stretch, 4.9e-14);
    EXPECT_CLOSE("stretch of the other side", distance(x[2], x[3]) / 2, stretch, 4.9e-14);
}
END_TEST

/* ---- bending --------------------------------------------------------------------------------------------------------- */

/* A tube that is flat at rest: half the rigidity around times the area over the radius squared, poisson 0. */
START_TEST(a_fabric_bends_by_the_moduli_of_its_directions)
{

    double off[2];
    for (int n = 0; n < 2; n++) {
        text.length = 0;
        play_add(&text,
                 "carom: 1\nengine: variational\nbox: {size: [6, 6, 6], boundary: open}\nspecies: {shell: {diameter: "
                 "1, mass: "
                 "1}}\nmeshes:\n  - {name: tube, shape: {tube: {radius: 1, length: 2, around: %d, along: %d}}, place: "
                 "{at: [3, 3, "
                 "3], rotate: {axis: [0, 1, 0], angle: 1}}, thickness: 0.001, density: 1000, young: 3e6, poisson: 0, "
                 "elastic_thickness: 0.01, fabric: {weft: 1e6, shear: 1e5, warp: [0, 0, 1]}, rest: flat}\n"
                 "run: {until: {time: 1}}\nvariational: {stiffness: 1000, material_step: 1e-4}\n",
                 24 << n, 10 << n);
        play p = play_open(text.text, NULL);
        off[n] = summed(&p, "bend") / (0.5 * 1e6 * 1e-6 / 12 * 4 * PI_) - 1;
        play_close(&p);
    }
    printf("errors %.3g, %.3g\n", off[0], off[1]);
    EXPECT_CLOSE("second order", off[0] / off[1], 4, 0.53); /* 0.18: the accuracy of the moments */
    EXPECT_CLOSE("error", off[1], 0, 2.1e-3);               /* 6.8e-4 */
}
END_TEST

/* ---- energy, momentum, bits ------------------------------------------------------------------------------------------ */

#define RUBBER "young: 2000, poisson: 0.45, material: neo_hookean"
#define FABRIC "young: 2000, poisson: 0.2, fabric: {weft: 800, shear: 200, warp: [1, 1, 0]}"

/* A sheet that loads pull, and let go at a time. */
static play open_sheet(const char *material, const char *more, double step)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: variational\nbox: {size: [8, 8, 8], boundary: open}\n"
        "species: {shell: {diameter: 1, mass: 1}}\nmeshes:\n  - {name: sheet, shape: {rectangle: {length: 3, "
        "width: 2, along: 6, across: 4}}, place: {at: [4, 4, 4]}, thickness: 0.1, density: 20, elastic_thickness: 0.2, "
        "velocity: [0.1, 0.2, -0.3], %s%s}\n"
        "loads:\n  - {name: pull, mesh: sheet, within: {from: [5.4, 0, 0], to: [6, 8, 8]}, force: [80, 4, 8], "
        "ramp: "
        "[{time: 0.2, factor: 1}, {time: 0.3, factor: 0}]}\n"
        "  - {name: back, mesh: sheet, within: {from: [2, 0, 0], to: [2.6, 8, 8]}, force: [-80, -4, -8], ramp: "
        "[{time: 0.2, factor: 1}, {time: 0.3, factor: 0}]}\n"
        "run: {until: {time: 100}}\nvariational: {stiffness: 1, material_step: %g}\n",
        material, more, step);
    return play_open(text.text, NULL);
}

START_TEST(energy_and_momenta_are_kept)
{
    const char *material = _i == 0 ? RUBBER : FABRIC;
    double off[2] = {0};
    for (int fine = 0; fine < 2; fine++) {
        const double step = fine ? 1e-3 : 2e-3;
        play p = open_sheet(material, "", step);
        const momenta before = momenta_of(carom_sim_frame(p.sim), NULL);
        play_advance(&p, 0.4 + step / 2);
        const momenta then = momenta_of(carom_sim_frame(p.sim), NULL);
        const double work = summed(&p, "work");
        for (int n = 1; n <= 100; n++) {
            play_advance(&p,
                         0.4 + 0.02 * n + step / 2); /* in the middle of a step, where the error is of second order */
            off[fine] += pow(summed(&p, "drift") / work, 2) / 100;
        }
        off[fine] = sqrt(off[fine]);
        const momenta after = momenta_of(carom_sim_frame(p.sim), NULL);
        printf("work %.4g, stretch %.4g, bend %.4g, drift over the work %.3g\n", work, summed(&p, "stretch"),
               summed(&p, "bend"), off[fine]);
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 1.5e-14);
            EXPECT_CLOSE("angular momentum", after.angular[k], then.angular[k], 1.6e-13);
        }
        play_close(&p);
    }
    EXPECT_CLOSE("drift over the work", off[1], 0, 6.8e-5);
    EXPECT_CLOSE("second order", off[0] / off[1], 4, 0.034);
}
END_TEST

START_TEST(damping_closes_the_balance)
{
    play p = open_sheet(_i == 0 ? RUBBER : FABRIC, ", damping: {stretch: 5, bend: 0.1}", 1e-3);
    play_advance(&p, 3);
    printf("damped %.4g, work %.4g, drift %.3g\n", summed(&p, "damping"), summed(&p, "work"), summed(&p, "drift"));
    EXPECT_CLOSE("drift over the work", summed(&p, "drift") / summed(&p, "work"), 0, 2.8e-5);
    play_close(&p);
}
END_TEST

/* Rubber is pulled to nine times its length: its damping does not become unstable at steps that are chosen at rest. */
START_TEST(damped_rubber_is_pulled_far)
{
    const double force = 1e6 / 3 * 2e-5 * (9 - 1 / 81.0);
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: variational\nbox: {size: [2, 0.1, 0.1], boundary: open}\nspecies: {rubber: {diameter: "
             "0.001}}\n"
             "meshes:\n  - {name: strip, shape: {rectangle: {length: 0.1, width: 0.02, along: 20, across: 4}}, place: "
             "{at: [1, 0.05, 0.05]}, "
             "thickness: 0.001, density: 950, young: 1e6, poisson: 0.5, material: neo_hookean, damping: {stretch: "
             "0.2}}\nloads:\n"
             "  - {name: right, mesh: strip, within: {from: [1.0499, 0, 0], to: [2, 0.1, 0.1]}, force: [%.17g, 0, 0], "
             "ramp: [{time: 0.03, factor: 1}]}\n"
             "  - {name: left, mesh: strip, within: {from: [0, 0, 0], to: [0.9501, 0.1, 0.1]}, force: [%.17g, 0, 0], "
             "ramp: [{time: 0.03, factor: 1}]}\n"
             "run: {until: {time: 1}}\nvariational: {stiffness: 1, material_step: 2e-5}\n",
             force, -force);
    play p = play_open(text.text, NULL);
    play_advance(&p, 0.25);
    const double *x = carom_sim_frame(p.sim)->position;
    EXPECT_CLOSE("stretch", (x[3 * 20] - x[0]) / 0.1, 9, 1e-6);
    EXPECT_CLOSE("damped energy over the work, a tenth at most", summed(&p, "damping") / summed(&p, "work"), 0.05,
                 0.05);
    EXPECT_CLOSE("drift over the work", summed(&p, "drift") / summed(&p, "work"), 0, 1.6e-7);
    play_close(&p);
}
END_TEST

/* Rubber falls onto a fabric, beside a sheet of hinges; the two have triangles of several materials in a class. */
static const char *write_everything(int cells, double until)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: variational\nbox: {size: [2, 2, 4], boundary: [periodic, periodic, wall]}\n"
        "species: {cloth: {diameter: 1, mass: 1}}\nmeshes:\n"
        "  - {name: cloth, shape: {rectangle: {length: 1, width: 1, along: %d, across: %d}}, place: {at: [0.1, 1.9, "
        "0.6], "
        "rotate: {axis: [1, 0, 0], angle: 1}}, thickness: 0.02, density: 50, elastic_thickness: 0.03, " FABRIC
        ", damping: "
        "{stretch: 0.1, bend: 0.001}}\n"
        "  - {name: ball, shape: {solid: {kind: icosahedron, radius: 0.2}}, place: {at: [0.1, 0.1, 1.25]}, thickness: "
        "0.05, "
        "density: 2, " RUBBER ", velocity: [0, 0, -3]}\n"
        "  - {name: old, shape: {rectangle: {length: 0.4, width: 0.4, along: 2, across: 2}}, place: {at: [1, 1, 3]}, "
        "thickness: 0.05, density: 20, stretch: 50, bend: 0.02, yield: {angle: 0.1}}\n"
        "drives: [{name: pin, mesh: cloth, vertices: [0], motion: [{time: 0.05, velocity: [0, 0, 0.5]}, {time: 0.3, "
        "velocity: [0, 0, 0]}]}]\n"
        "contacts: [{between: [cloth, cloth], restitution: 0.5, friction: 0.2}]\n"
        "fields: {gravity: [0, 0, -5]}\nrun: {until: {time: %g}}\nvariational: {stiffness: 200, material_step: 1e-3}\n",
        cells, cells, until);
    return text.text;
}

START_TEST(bits_of_the_oracle)
{
    const double until = 0.1;
    play fast = play_open(write_everything(3, until), NULL), slow = play_open(text.text, "variational.reference=true");
    for (int n = 1; n <= 5; n++) {
        play_advance(&fast, until * n / 5);
        play_advance(&slow, until * n / 5);
        ck_assert_uint_eq(play_hash(&fast), play_hash(&slow));
    }
    ck_assert(summed(&fast, "stretch") > 0);
    play_close(&fast);
    play_close(&slow);
}
END_TEST

/* More elements than one thread takes alone. */
START_TEST(bits_of_threads_and_checkpoints)
{
    const double until = 0.06;
    play whole = play_open(write_everything(24, until), NULL);
    play_advance(&whole, until);
    const uint64_t hash = play_hash(&whole);
    play_close(&whole);
    play parts = resumed_in_parts(write_everything(24, until), until);
    ck_assert_uint_eq(play_hash(&parts), hash);
    play_close(&parts);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("variational_membranes"), *more = suite_ci_case();
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, a_strip_of_rubber, 0, 3);
    tcase_add_loop_test(cases, a_sheet_of_rubber, 0, 3);
    tcase_add_loop_test(cases, a_strip_of_fabric, 0, 5);
    tcase_add_test(cases, a_fabric_bends_by_the_moduli_of_its_directions);
    tcase_add_loop_test(cases, energy_and_momenta_are_kept, 0, 2);
    tcase_add_loop_test(cases, damping_closes_the_balance, 0, 2);
    tcase_add_test(cases, damped_rubber_is_pulled_far);
    tcase_add_test(more, bits_of_the_oracle);
    tcase_add_test(cases, bits_of_threads_and_checkpoints);
    return suite_run("variational_membranes", cases, more);
}
