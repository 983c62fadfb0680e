/* Detects a wrong default of `courant` in the engine `variational`, and a loss of accuracy at the default where every contact loses
 * energy: restitution, friction, rolling and energy there, with the longer step that tests of accuracy do not take. */
#include "../support/grains.h"
#include "../support/suite.h"

/* ---- the choice -------------------------------------------------------------------------------------------------- */

static double step_of(const char *body, const char *set)
{
    play p = open_scene(body, set);
    json_t *summary = play_summary(&p);
    const double step = play_number(summary, "layers.step");
    json_decref(summary);
    play_close(&p);
    return step;
}

/* The default step is that of this value of `courant`. */
static void expect_courant(const char *body, double expected)
{
    char set[60];
    snprintf(set, sizeof set, "variational.courant=%g", expected);
    EXPECT_CLOSE("step", step_of(body, NULL), step_of(body, set), 0);
}

#define TWO                                                                                                            \
    "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 1}}\nbox: {size: 9, boundary: %s}\ndimension: 2\n"    \
    "particles:\n  - {species: a, place: {at: [[2, 2], [6, 2]]}, velocity: {each: [[0.5, 0], [-0.5, 0]]}}\n"           \
    "%s%s"

START_TEST(automatic_courant)
{
    static const struct {
        const char *walls, *more, *contacts;
        double expected;
    } cases[] = {
        {"open", "", "contacts: [{between: [a, a], restitution: 0.5}]\n", 0.2}, /* nothing has the species b */
        {"open", "", "", 0.05},
        {"open", "", "contacts: [{between: [a, a], restitution: {table: [[1, 0.9], [2, 0.5]]}}]\n", 0.2},
        {"open", "", "contacts: [{between: [a, a], restitution: {table: [[1, 1], [2, 0.5]]}}]\n", 0.05},
        {"open", "", "contacts: [{between: [a, a], restitution: {viscoelastic: 0.1}}]\n", 0.2},
        {"open", "", "contacts: [{between: [a, a], restitution: {viscoelastic: 0}}]\n", 0.05},
        {"wall", "", "contacts: [{between: [a, a], restitution: 0.5}]\n", 0.05},
        {"wall", "", "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, wall], restitution: 0}]\n", 0.2},
        {"open", "planes: [{name: floor, point: [0, 0], normal: [0, 1]}]\n",
         "contacts: [{between: [a, a], restitution: 0.5}]\n", 0.05},
        /* one particle of a species does not meet another one */
        {"open", "  - {species: b, place: {at: [[4, 7]]}, velocity: zero}\n",
         "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5}]\n", 0.2},
        {"open", "  - {species: b, place: {at: [[4, 7], [7, 7]]}, velocity: zero}\n",
         "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5}]\n", 0.05},
        /* nor does one body meet itself */
        {"open",
         "  - {species: b, place: {at: [[4, 7], [7, 7]]}, velocity: zero}\nbodies: [{name: pair, particles: [2, 3]}]\n",
         "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5}]\n", 0.2},
        {"open",
         "  - {species: b, place: {at: [[4, 7], [7, 7], [2, 7]]}, velocity: zero}\nbodies: [{name: pair, particles: "
         "[2, 3]}]\n",
         "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5}]\n", 0.05},
        {"open", "segments: [{name: rod, pairs: [[0, 1]], diameter: 0.2, species: b}]\n",
         "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5}]\n", 0.05},
        /* the paper's exponent scatters energy at long steps, and its rule of restitution does */
        {"open", "", "contacts: [{between: [a, a], restitution: 0.5}]\nvariational: {exponent: 2}\n", 0.05},
        {"open", "", "contacts: [{between: [a, a], restitution: 0.5}]\nvariational: {restitution_rule: paper}\n", 0.05},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1000];
        snprintf(body, sizeof body, TWO, cases[k].walls, cases[k].more, cases[k].contacts);
        printf("case %zu\n", k);
        expect_courant(body, cases[k].expected);
    }
}
END_TEST

/* Masses beyond a factor of 4 have several clocks: heaps of them vibrate at long steps. */
START_TEST(automatic_courant_of_sizes)
{
    static const struct {
        const char *a, *b;
        double expected;
    } cases[] = {{"diameter: 1, density: 1", "diameter: 0.63, density: 1", 0.2}, /* 0.63^-3 = 3.9992 */
                 {"diameter: 1, density: 1", "diameter: 0.629, density: 1", 0.05},
                 {"diameter: 1, mass: 1", "diameter: 0.5, mass: 4", 0.2},
                 {"diameter: 1, mass: 1", "diameter: 1, mass: 4.1", 0.05},
                 {"diameter: {uniform: [0.7, 1.1]}, density: 1", "diameter: 1, density: 1", 0.2},
                 {"diameter: {uniform: [0.6, 1]}, density: 1", "diameter: 1, density: 1", 0.05}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "box: {size: [9, 9, 9], boundary: open}\nspecies: {a: {%s}, b: {%s}}\n"
                 "particles:\n  - {species: a, place: {at: [[2, 2, 2], [6, 2, 2]]}, velocity: {each: [1, 0, 0]}}\n"
                 "  - {species: b, place: {at: [[2, 6, 2], [6, 6, 2]]}, velocity: {each: [0, 1, 0]}}\n"
                 "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, b], restitution: 0.5},\n"
                 "           {between: [b, b], restitution: 0.5}]\n",
                 cases[k].a, cases[k].b);
        printf("case %zu\n", k);
        expect_courant(body, cases[k].expected);
    }
}
END_TEST

/* Masses of clumps are known for one template only. */
START_TEST(automatic_courant_of_clumps)
{
    static const struct {
        const char *second;
        double expected;
    } cases[] = {{"clump: a, count: 5", 0.2},
                 {"clump: b, count: 0", 0.2},
                 {"clump: b, count: 5", 0.05},
                 {"species: s, count: 5", 0.05}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1000];
        snprintf(
            body, sizeof body,
            "seed: 1\nbox: {size: [9, 9, 9], boundary: open}\nspecies: {s: {diameter: 1, mass: 1}}\n"
            "clumps:\n  - {name: a, species: s, density: 1, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.5, 0, 0], "
            "diameter: 1}]}\n"
            "  - {name: b, species: s, density: 1, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.4, 0, 0], diameter: "
            "1}]}\n"
            "particles:\n  - {clump: a, count: 5, place: random, velocity: {maxwell: 1}}\n"
            "  - {%s, place: random, velocity: {maxwell: 1}}\n"
            "contacts: [{between: [s, s], restitution: 0.5}]\nvariational: {rotation: true}\n",
            cases[k].second);
        printf("case %zu\n", k);
        expect_courant(body, cases[k].expected);
    }
}
END_TEST

/* Rigid meshes do not meet each other; a shell meets itself. */
START_TEST(automatic_courant_of_meshes)
{
    static const char *const rigid[] = {"rigid: true", "density: 1, stretch: 10, bend: 0.01"};
    for (int k = 0; k < 2; k++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "box: {size: [9, 9, 9], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}, floor: {diameter: 1}}\n"
                 "particles: [{species: a, place: {at: [[2, 2, 5], [6, 2, 5]]}, velocity: {each: [0, 0, -1]}}]\n"
                 "meshes: [{name: plate, shape: {rectangle: {length: 4, width: 4, along: 1, across: 1}}, %s,\n"
                 "          thickness: 0.4, species: floor, place: {at: [4, 4, 2]}}]\n"
                 "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, floor], restitution: 0.5}]\n",
                 rigid[k]);
        expect_courant(body, k == 0 ? 0.2 : 0.05);
    }
}
END_TEST

/* ---- accuracy at the default ------------------------------------------------------------------------------------- */

/* A ball meets a wall, and a pair of masses 1:4 each other: e is exact at speeds up to ten times that of the layers' design. */
START_TEST(restitution_is_exact)
{
    static const double ratios[] = {0.9, 0.5, 0.2}, speeds[] = {0.01, 1, 10};
    for (int k = 0; k < 9; k++) {
        char body[800];
        const double e = ratios[k / 3], v = speeds[k % 3];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: [20, 20], boundary: [open, wall]}\n"
                 "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 4}}\n"
                 "particles:\n  - {species: a, place: {at: [[5, 2]]}, velocity: {each: [0, %g]}}\n"
                 "  - {species: b, place: {at: [[8, 10]]}, velocity: {each: [%g, 0]}}\n"
                 "  - {species: a, place: {at: [[12, 10]]}, velocity: zero}\n"
                 "contacts: [{between: [a, a], restitution: %g}, {between: [a, b], restitution: %g},\n"
                 "           {between: [a, wall], restitution: %g}, {between: [b, wall], restitution: %g}]\n"
                 "variational: {eta: 0.05, stiffness: 500}\n",
                 -v, v, e, e, e, e);
        play p = open_scene(body, NULL);
        play_advance(&p, 6 / v);
        const double *u = carom_frame_velocities(frame(&p));
        EXPECT_CLOSE("off the wall", u[1] / v, e, 1.9e-15);
        EXPECT_CLOSE("of the pair", (u[4] - u[2]) / v, e, 1.9e-15);
        play_close(&p);
    }
}
END_TEST

/* A ball on a slope of 1/2: it rolls with 5/7 g sin, and slides or sticks without rotation beside mu = 1/2. */
#define SLOPE                                                                                                          \
    "dimension: 3\nbox: {size: [200, 4, 4], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                   \
    "particles: [{species: a, place: {at: [[2, 2, 0.5]]}, velocity: zero}]\n"                                          \
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\nfields: {gravity: [%.17g, 0, %.17g]}\n"             \
    "contacts: [{between: [a, floor], restitution: 0, friction: %g}]\n"                                                \
    "variational: {rotation: %s, eta: 0.001, stiffness: 1e5}\n"

static double acceleration(double mu, const char *rotation, double *height)
{
    char body[1000];
    const double down = 1 / sqrt(1.25);
    snprintf(body, sizeof body, SLOPE, 0.5 * down, -down, mu, rotation);
    play p = open_scene(body, NULL);
    double x[3];
    for (int k = 0; k < 3; k++) {
        play_advance(&p, 1 + 2 * k);
        x[k] = carom_frame_positions(frame(&p))[0];
    }
    const double a = (x[0] - 2 * x[1] + x[2]) / 4;
    *height = carom_frame_positions(frame(&p))[2];
    play_close(&p);
    return a;
}

START_TEST(slope)
{
    double arm;
    const double g = 1 / sqrt(1.25), rolling = acceleration(0.4, "true", &arm);
    EXPECT_CLOSE("rolling", rolling, 0.5 * g / (1 + 0.1 / (arm * arm)), 4e-8);
    EXPECT_CLOSE("sliding", acceleration(0.49, "false", &arm), 0.01 * g, 1.1e-8);
    EXPECT_CLOSE("sticking", acceleration(0.51, "false", &arm), 0, 1.1e-8);
}
END_TEST

/* A ball meets the corner of a rigid octahedron with e = 0: the elements that meet there act in turn, and the dashpot is weaker at
 * long steps. */
START_TEST(corner_of_a_mesh)
{
    play p =
        open_scene("dimension: 3\nbox: {size: [10, 10, 10], boundary: open}\nspecies: {a: {diameter: 0.5, mass: 0.2}}\n"
                   "particles: [{species: a, place: {at: [[5, 5, 7]]}, velocity: {each: [0, 0, -1]}}]\n"
                   "meshes: [{name: rock, shape: {solid: {kind: octahedron, radius: 1}}, place: {at: [5, 5, 5]},\n"
                   "          thickness: 0.05, rigid: true}]\n"
                   "contacts: [{between: [a, a], restitution: 0}]\n",
                   NULL);
    play_advance(&p, 4);
    EXPECT_CLOSE("speed that is left", sqrt(frame_energy_of(frame(&p)).kinetic / 0.1), 0, 0.1);
    play_close(&p);
}
END_TEST

/* Disks with friction and rolling resistance rest; what the energy balance misses belongs to the impacts. */
START_TEST(heap_comes_to_rest)
{
    play p = open_scene("dimension: 2\nseed: 3\nbox: {size: [8, 10], boundary: wall}\nfields: {gravity: [0, -1]}\n"
                        "species: {a: {diameter: {uniform: [0.8, 1.2]}, density: 1}}\n"
                        "particles: [{species: a, count: 30, place: random, velocity: {maxwell: 1}}]\n"
                        "contacts: [{between: [a, a], restitution: 0.7, friction: 0.4, rolling_friction: 0.05}, "
                        "{between: [a, wall], restitution: 0.5, friction: 0.3, rolling_friction: 0.05}]\n"
                        "variational: {rotation: true}\n",
                        NULL);
    const double whole = budget(&p);
    double place[60];
    play_advance(&p, 50);
    memcpy(place, carom_frame_positions(frame(&p)), sizeof place);
    play_advance(&p, 60);
    double most = 0;
    for (int k = 0; k < 60; k++) most = fmax(most, fabs(carom_frame_positions(frame(&p))[k] - place[k]));
    EXPECT_CLOSE("energy balance", budget(&p), whole, 3.2e-7 * whole);
    EXPECT_CLOSE("creep over 10 time units", most, 0, 1.3e-6);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, automatic_courant);
    tcase_add_test(all, automatic_courant_of_sizes);
    tcase_add_test(all, automatic_courant_of_clumps);
    tcase_add_test(all, automatic_courant_of_meshes);
    tcase_add_test(all, restitution_is_exact);
    tcase_add_test(all, slope);
    tcase_add_test(all, corner_of_a_mesh);
    tcase_add_test(all, heap_comes_to_rest);
    tcase_set_timeout(all, 600);
    return suite_run("variational_default_step", all);
}
