/* Detects a wrong default stiffness of bodies and shells that rest at the start: its value, where it applies, and an overlap other
 * than half of eta under the weight. */
#include "../support/grains.h"
#include "../support/suite.h"

/* A block of four points of mass 1 on two of them; `more` follows the entries of particles. */
#define BLOCK                                                                                                          \
    "dimension: 2\nbox: {size: [40, 20], boundary: %s}\nfields: {gravity: [%g, -10]}\n"                                \
    "species: {a: {diameter: 0.2, mass: 1}, b: {diameter: 0.2, mass: 1}}\n"                                            \
    "particles:\n  - {species: a, place: {at: [[5, %.17g], [7, %.17g], [7, 1.1], [5, 1.1]]}, velocity: {each: [%g, "   \
    "0]}}\n"

#define FLOOR "planes: [{name: floor, point: [0, 0], normal: [0, 1]}]\n"
#define ONE "bodies: [{name: one, particles: {from: 0, to: 3}}]\n"
#define LOSE                                                                                                           \
    "contacts: [{between: [a, floor], restitution: 0}, {between: [b, floor], restitution: 0}, "                        \
    "{between: [a, b], restitution: 0}, {between: [a, a], restitution: 0}]\n"

static const double ETA = 0.01; /* a twentieth of the diameter */

static double stiffness_of(const char *body)
{
    play p = open_scene(body, NULL);
    json_t *summary = play_summary(&p);
    const double k = play_number(summary, "layers.stiffness");
    json_decref(summary);
    play_close(&p);
    return k;
}

/* Scenes with one block, of which something differs. With exponent 3 the force is k x^2 / (2 eta), with 2 it is 2 k x. */
START_TEST(single_block)
{
    static const struct {
        const char *what, *boundary, *rest;
        double aslant, height, speed, load, factor;
    } cases[] = {
        {"at rest", "open", FLOOR ONE LOSE, 0, 0.1, 0, 20, 8},
        {"on a slope", "open", FLOOR ONE LOSE, 10, 0.1, 0, 20 * M_SQRT2, 8},
        {"exponent 2", "open", FLOOR ONE LOSE "variational: {exponent: 2}\n", 0, 0.1, 0, 20, 1},
        {"above the floor by almost eta", "open", FLOOR ONE LOSE, 0, 0.1099, 0, 20, 8},
        {"on the wall of the box", "wall",
         ONE "contacts: [{between: [a, wall], restitution: 0}, {between: [b, wall], restitution: 0}]\n", 0, 0.1, 0, 20,
         8},
        {"above the floor by eta", "open", FLOOR ONE LOSE, 0, 0.1101, 0, 0, 0},
        {"moving", "open", FLOOR ONE LOSE, 0, 0.1, 0.01, 0, 0},
        {"elastic", "open", FLOOR ONE, 0, 0.1, 0, 0, 0},
        {"turning", "open", FLOOR "bodies: [{name: one, particles: {from: 0, to: 3}, angular_velocity: 0.01}]\n" LOSE,
         0, 0.1, 0, 0, 0},
        {"beside a driven plane", "open",
         FLOOR ONE LOSE "drives: [{name: lift, plane: floor, motion: [{velocity: [0, 0]}]}]\n", 0, 0.1, 0, 0, 0},
        {"above the floor only", "open", "planes: [{name: floor, point: [0, 1.2], normal: [0, -1]}]\n" ONE LOSE, 0, 0.1,
         0, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1500];
        snprintf(body, sizeof body, BLOCK "%s", cases[k].boundary, cases[k].aslant, cases[k].height, cases[k].height,
                 cases[k].speed, cases[k].rest);
        const double fall = 10 * 20 + cases[k].aslant * 40;
        const double of_fall = 4 * (2 * cases[k].speed * cases[k].speed + fall) / 20 * 6 / (0.4 * ETA * ETA);
        printf("%s\n", cases[k].what);
        EXPECT_CLOSE("stiffness",
                     stiffness_of(body) / (cases[k].load > 0 ? cases[k].factor * cases[k].load / ETA : of_fall), 1,
                     cases[k].load > 0 ? 1e-14 : 1e-2);
    }
}
END_TEST

/* A second block of the species b, in four positions, or a single particle. */
START_TEST(two_blocks)
{
    static const struct {
        const char *what, *second;
        double load;
    } cases[] = {
        {"beside the first, on one point of two", "[[15, 0.1], [17, 0.5], [17, 1.1], [15, 1.1]]}, velocity: zero}\n",
         40},
        {"on the first", "[[5, 1.3], [7, 1.3], [7, 2.3], [5, 2.3]]}, velocity: zero}\n", 40},
        {"high above the first", "[[5, 3], [7, 3], [7, 4], [5, 4]]}, velocity: zero}\n", 0},
        {"far from the first, above the floor", "[[15, 3], [17, 3], [17, 4], [15, 4]]}, velocity: zero}\n", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases + 1; k++) {
        char body[1500];
        const bool loose = k == sizeof cases / sizeof *cases;
        snprintf(body, sizeof body,
                 BLOCK "  - {species: b, place: {at: %s" FLOOR
                       "bodies: [{name: one, particles: {from: 0, to: 3}}%s]\n" LOSE "variational: {eta: %.17g}\n",
                 "open", 0.0, 0.1, 0.1, 0.0, loose ? "[[15, 0.1]]}, velocity: zero}\n" : cases[k].second,
                 loose ? "" : ", {name: two, particles: {from: 4, to: 7}}", ETA);
        char *at = strstr(body, "{between: [a, a]");
        memcpy(at, "{between: [b, b]", strlen("{between: [b, b]"));
        printf("%s\n", loose ? "beside a single particle" : cases[k].what);
        const double load = loose ? 0 : cases[k].load;
        EXPECT_CLOSE("stiffness", stiffness_of(body) / (load > 0 ? 8 * load / ETA : 4 * 200.0 / 20 * 15 / (ETA * ETA)),
                     1, 1e-14);
    }
}
END_TEST

/* A cube on four corners sinks by eta / 2 and stays: the default step is 5.6e-4, so that it vibrates by g h^2 / 8 = 3.9e-7. */
START_TEST(sinks_by_half_of_eta)
{
    play p = open_scene(
        "dimension: 3\nbox: {size: [10, 10, 10], boundary: open}\nfields: {gravity: [2, 0, -10]}\n"
        "species: {a: {diameter: 0.1, mass: 0.125}}\nparticles: [{species: a, place: {at: [[4, 4, 0.05], [4, 5, 0.05], "
        "[5, 4, 0.05], [5, 5, 0.05], [4, 4, 1.05], [4, 5, 1.05], [5, 4, 1.05], [5, 5, 1.05]]}}]\n"
        "bodies: [{name: cube, particles: {from: 0, to: 7}}]\nplanes: [{name: floor, point: [0, 0, 0], normal: [0, 0, "
        "1]}]\n"
        "contacts: [{between: [a, floor], restitution: 0, friction: 0.5}]\n",
        NULL);
    const double eta = 0.005;
    double mean = 0, place[3], moved[2] = {0};
    play_advance(&p, 10);
    memcpy(place, carom_frame_positions(frame(&p)), sizeof place);
    for (int n = 0; n < 8; n++)
        mean += (0.05 - carom_frame_positions(frame(&p))[3 * n + 2] + (n < 4 ? 0 : 1)) / (8 * eta);
    /* gravity is inclined: the normal load is 10 of the sqrt(104) for which the stiffness is chosen */
    EXPECT_CLOSE("overlap over eta", mean, 0.5 * sqrt(10 / sqrt(104)), 3e-3);
    for (int t = 11; t <= 30; t++) {
        play_advance(&p, t);
        const double *x = carom_frame_positions(frame(&p));
        moved[0] = fmax(moved[0], hypot(x[0] - place[0], x[1] - place[1]));
        moved[1] = fmax(moved[1], fabs(x[2] - place[2]));
    }
    EXPECT_CLOSE("creep and vibration along the floor", moved[0], 0, 1.3e-7);
    EXPECT_CLOSE("vibration along its normal", moved[1], 0, 6.4e-7);
    play_close(&p);
}
END_TEST

/* Two shells, one above the other: the weight of both is on the 4 x 3 vertices of the lower one. */
START_TEST(shells)
{
    const double k = stiffness_of(
        "dimension: 3\nbox: {size: [9, 9, 9], boundary: open}\nfields: {gravity: [0, 0, -10]}\nspecies: {a: {diameter: "
        "1}}\n"
        "meshes:\n  - {name: low, shape: {rectangle: {length: 2, width: 2, along: 3, across: 2}}, place: {at: [4, 4, "
        "0.05]}, "
        "thickness: 0.1, density: 10, stretch: 10, bend: 0.1}\n"
        "  - {name: high, shape: {rectangle: {length: 1, width: 1, along: 3, across: 2}}, place: {at: [4, 4, 0.16]}, "
        "thickness: 0.1, density: 10, stretch: 10, bend: 0.1}\n"
        "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
        "contacts: [{between: [a, floor], restitution: 0}, {between: [a, a], restitution: 0}]\n");
    EXPECT_CLOSE("stiffness", k, 8 * (4 + 1) * 10 / 12.0 / 0.025, 1e-11);
}
END_TEST

/* A heavy block on a light sheet of 441 vertices stands on four of them. */
static play open_block_on_a_sheet(void)
{
    return open_scene(
        "box: {size: [6, 6, 6], boundary: open}\nspecies: {a: {diameter: 1}}\nfields: {gravity: [0, 0, -10]}\n"
        "meshes:\n  - {name: sheet, shape: {rectangle: {length: 4, width: 4, along: 20, across: 20}}, place: {at: [3, "
        "3, 0.05]}, "
        "thickness: 0.1, density: 0.1, young: 1e3, damping: {stretch: 1, bend: 0.001}}\n"
        "  - {name: die, shape: {box: {size: [0.8, 0.8, 0.8]}}, place: {at: [3, 3, 0.55]}, thickness: 0.1}\n"
        "bodies: [{name: block, mesh: die, density: 20}]\nplanes: [{name: floor, point: [0, 0, 0], normal: [0, 0, "
        "1]}]\n"
        "contacts: [{between: [a, floor], restitution: 0.3, friction: 0.5}, {between: [a, a], restitution: 0.3, "
        "friction: 0.5}]\n",
        NULL);
}

START_TEST(heavy_block_on_a_sheet)
{
    play p = open_block_on_a_sheet();
    const double eta = 0.025;
    json_t *summary = play_summary(&p);
    EXPECT_CLOSE("stiffness", play_number(summary, "layers.stiffness"), 8 * 20 * 0.512 * 10 / 4 / eta, 1e-9);
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* The energy that its contacts create is below that of its layers; with the weight over 441 vertices it was 80 times as much. */
START_TEST(block_on_a_sheet_creates_little_energy)
{
    play p = open_block_on_a_sheet();
    const double start = budget(&p);
    play_advance(&p, 1);
    json_t *summary = play_summary(&p);
    const double layers = play_number(summary, "energy.contact");
    EXPECT_CLOSE("energy created by contacts", fmax(0, -play_number(summary, "energy.restitution")), 0, layers);
    json_decref(summary);
    EXPECT_CLOSE("energy balance", budget(&p), start, 0.02);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_test(all, single_block);
    tcase_add_test(all, two_blocks);
    tcase_add_test(all, sinks_by_half_of_eta);
    tcase_add_test(all, shells);
    tcase_add_test(all, heavy_block_on_a_sheet);
    tcase_add_test(more, block_on_a_sheet_creates_little_energy);
    tcase_set_timeout(all, 600);
    return suite_run("variational_rest", all, more);
}
