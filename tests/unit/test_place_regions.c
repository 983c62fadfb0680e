/* Detects random positions outside their region, or inside meshes, and wrong temperatures of species. */
#include <math.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "../support/vocabulary.h"
#include "scene/state.h"

#define SCENE(boundary, particles, more)                                                                               \
    "carom: 1\nengine: hard\nbox: {size: 10, boundary: " boundary "}\n"                                                \
    "species: {a: {diameter: 0.5}, b: {diameter: 0.8, mass: 3}}\nparticles: [" particles                               \
    "]\nrun: {until: {time: 1}}\n" more
#define IN(region) "{species: a, count: 200, place: {random: " region "}}"

static scene *read(const char *text)
{
    error e = {0};
    scene *s;
    carom_status status = scene_read(&s, "s.yaml", NULL, text, strlen(text), NULL, 0, &toy_vocabulary, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    return s;
}

/* The state of a scene whose resolved text says the same. */
static initial_state made(const char *text)
{
    initial_state state;
    error e = {0};
    scene *s = read(text), *again = read(s->resolved);
    ck_assert_str_eq(again->resolved, s->resolved);
    ck_assert_msg(state_create(&state, s, &e) == CAROM_OK, "%s", error_text(&e));
    scene_free(again);
    scene_free(s);
    return state;
}

START_TEST(in_a_box)
{
    initial_state state = made(SCENE("periodic", IN("{region: {box: {from: [1, 2, 3], to: [5, 9, 6.5]}}}"), ""));
    const double low[3] = {1, 2, 3}, high[3] = {5, 9, 6.5};
    for (int k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < 200; i++) {
            least = fmin(least, state.position[i][k] - 0.25);
            most = fmax(most, state.position[i][k] + 0.25);
        }
        printf("%c from %g to %g\n", "xyz"[k], least, most);
        ck_assert(least >= low[k] && least < low[k] + 0.1 && most <= high[k] && most > high[k] - 0.1);
    }
    state_free(&state);
}
END_TEST

START_TEST(in_a_ball)
{
    initial_state state = made(SCENE("wall", IN("{region: {ball: {centre: [4, 5, 6], radius: 3}}}"), ""));
    double most = 0;
    for (size_t i = 0; i < 200; i++) {
        const double *r = state.position[i];
        most = fmax(most, sqrt((r[0] - 4) * (r[0] - 4) + (r[1] - 5) * (r[1] - 5) + (r[2] - 6) * (r[2] - 6)) + 0.25);
    }
    printf("up to %g from the centre\n", most);
    ck_assert(most <= 3 && most > 2.9);
    state_free(&state);
}
END_TEST

START_TEST(in_a_cylinder)
{
    initial_state state =
        made(SCENE("open", IN("{region: {cylinder: {from: [2, 2, 2], to: [8, 2, 8], radius: 1.5}}}"), ""));
    double wide = 0, low = INFINITY, high = 0;
    for (size_t i = 0; i < 200; i++) {
        const double *r = state.position[i], s = sqrt(0.5), x = r[0] - 2, y = r[1] - 2, z = r[2] - 2;
        const double along = s * (x + z), across = sqrt(x * x + y * y + z * z - along * along);
        wide = fmax(wide, across + 0.25);
        low = fmin(low, along - 0.25);
        high = fmax(high, along + 0.25);
    }
    printf("up to %g wide, from %g to %g along the axis\n", wide, low, high);
    ck_assert(wide <= 1.5 && wide > 1.45 && low >= 0 && low < 0.1);
    ck_assert(high <= 6 * sqrt(2) + 1e-12 && high > 6 * sqrt(2) - 0.1);
    state_free(&state);
}
END_TEST

/* A region goes on beyond an open boundary. */
START_TEST(beyond_the_box)
{
    initial_state state = made(SCENE("open", IN("{region: {box: {from: [0, 0, 12], to: [10, 10, 16]}}}"), ""));
    for (size_t i = 0; i < 200; i++) ck_assert(state.position[i][2] >= 12.25 && state.position[i][2] <= 15.75);
    state_free(&state);
}
END_TEST

static double fold(double x, double period)
{
    return x - period * floor(x / period);
}

/* A region that extends beyond a periodic face continues at the other one: numbers on both sides are as its volumes, within
 * three standard errors, and all is as in a shifted box. */
START_TEST(through_periodic_faces)
{
    static const char *const regions[] = {"{region: {box: {from: [8, 1, -3], to: [13, 9, 2]}}}",
                                          "{region: {ball: {centre: [10, 5, 0.5], radius: 3}}}",
                                          "{region: {cylinder: {from: [-1, 9, 2], to: [12, 11, 7], radius: 1.5}}}",
                                          "{region: {box: {from: [-20, 1, 3], to: [40, 9, 6]}}}"};
    for (size_t k = 0; k < 4; k++) {
        char text[900];
        snprintf(text, sizeof text, SCENE("periodic", "{species: a, count: 200, place: {random: %s}}", ""), regions[k]);
        initial_state state = made(text);
        size_t beyond = 0;
        const double end[2][3] = {{-1, 9, 2}, {12, 11, 7}};
        for (size_t i = 0; i < 200; i++) {
            const double *r = state.position[i];
            for (int a = 0; a < 3; a++) ck_assert(r[a] >= 0 && r[a] < 10);
            if (k == 0) {
                beyond += r[0] < 3;
                ck_assert(fold(r[0] - 8, 10) >= 0.25 && fold(r[0] - 8, 10) <= 4.75 && fold(r[2] + 3, 10) <= 4.75);
            } else if (k == 1) {
                const double d[3] = {remainder(r[0] - 10, 10), r[1] - 5, remainder(r[2] - 0.5, 10)};
                beyond += r[0] < 5;
                ck_assert(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= 2.75 * 2.75);
            } else if (k == 2) {
                double least = INFINITY;
                for (int n = 0; n < 27; n++) {
                    const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
                    double along = 0, square = 0, length = 0, d[3], axis[3];
                    for (int a = 0; a < 3; a++) {
                        d[a] = r[a] + 10 * step[a] - end[0][a];
                        axis[a] = end[1][a] - end[0][a];
                        length += axis[a] * axis[a];
                    }
                    for (int a = 0; a < 3; a++) along += d[a] * axis[a] / sqrt(length);
                    for (int a = 0; a < 3; a++) square += d[a] * d[a];
                    if (along >= 0.25 && along <= sqrt(length) - 0.25) least = fmin(least, square - along * along);
                }
                ck_assert(least <= 1.25 * 1.25 + 1e-12);
                beyond += r[1] < 5;
            } else {
                beyond += r[0] < 5;
            }
        }
        printf("%zu of 200 on the other side\n", beyond);
        /* centres in [8.25, 12.75], of which 2.75 of 4.5 beyond; halves; about a half; halves */
        const double share = k == 0 ? 2.75 / 4.5 : 0.5, sigma = sqrt(200 * share * (1 - share));
        if (k != 2) EXPECT_CLOSE("on the other side", (double)beyond, 200 * share, 3 * sigma);
        if (k == 2) ck_assert(beyond > 20 && beyond < 180);
        state_free(&state);
    }
}
END_TEST

START_TEST(in_a_disk)
{
    initial_state state = made("carom: 1\nengine: hard\ndimension: 2\nbox: {size: 10}\nspecies: {a: {diameter: 0.5}}\n"
                               "particles: [{species: a, count: 60, place: {random: {region: {ball: {centre: [3, 4], "
                               "radius: 3}}}}}]\nrun: {until: {time: 1}}\n");
    for (size_t i = 0; i < 60; i++)
        ck_assert(hypot(state.position[i][0] - 3, state.position[i][1] - 4) + 0.25 <= 3 + 1e-12);
    state_free(&state);
}
END_TEST

START_TEST(ellipsoids_in_a_ball)
{
    initial_state state =
        made("carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {semi_axes: [0.4, 0.2, 0.2]}}\n"
             "particles: [{species: a, count: 60, place: {random: {region: {ball: {centre: [3, 4, 5], "
             "radius: 3}}}}}]\nrun: {until: {time: 1}}\n");
    for (size_t i = 0; i < 60; i++) {
        const double *r = state.position[i];
        ck_assert(hypot(hypot(r[0] - 3, r[1] - 4), r[2] - 5) + 0.4 <= 3 + 1e-12);
    }
    state_free(&state);
}
END_TEST

#define GLOBE(name, radius, at, more)                                                                                  \
    "{name: " name ", shape: {sphere: {radius: " radius ", parts: 4}}, place: {at: " at "}" more "}"

/* Grains within `radius` of a place, or of one of its images. */
static size_t near(const initial_state *state, const double at[3], double radius, double period)
{
    size_t count = 0;
    for (size_t i = 0; i < 200; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = state->position[i][k] - at[k];
            if (period > 0) d = remainder(d, period);
            square += d * d;
        }
        count += square < radius * radius;
    }
    return count;
}

/* Across a periodic edge: its images have an inside, too. */
START_TEST(closed_meshes_stay_empty)
{
    initial_state state = made(SCENE("periodic", "{species: a, count: 200, place: random}",
                                     "meshes: [" GLOBE("m", "4", "[9, 9, 9]", ", rigid: true") "]\n"));
    ck_assert_uint_eq(near(&state, (const double[3]){9, 9, 9}, 3.9, 10), 0);
    state_free(&state);
}
END_TEST

/* Only where it is asked for: this one is a shell. */
START_TEST(outside_of_a_shell)
{
    const double at[3] = {5, 5, 5};
#define SHELL "meshes: [" GLOBE("m", "4", "[5, 5, 5]", ", thickness: 0.1, stretch: 1") "]\n"
    initial_state state = made(SCENE("periodic", IN("{outside: m}"), SHELL));
    ck_assert_uint_eq(near(&state, at, 3.9, 0), 0);
    state_free(&state);
    state = made(SCENE("periodic", "{species: a, count: 200, place: random}", SHELL));
    ck_assert_uint_gt(near(&state, at, 3.9, 0), 10);
    state_free(&state);
}
END_TEST

/* Inside the outer one, but not inside the inner one; a region cuts it in half. */
START_TEST(between_two_spheres)
{
    const double at[3] = {5, 5, 5};
    initial_state state = made(SCENE("open", IN("{inside: big, region: {box: {from: [0, 0, 5], to: [10, 10, 10]}}}"),
                                     "meshes: [" GLOBE("big", "4.8", "[5, 5, 5]", ", rigid: true") ", " GLOBE(
                                         "small", "2", "[5, 5, 5]", ", rigid: true") "]\n"));
    ck_assert_uint_eq(near(&state, at, 1.9, 0), 0);
    ck_assert_uint_eq(near(&state, at, 4.8, 0), 200);
    for (size_t i = 0; i < 200; i++) ck_assert(state.position[i][2] >= 5.25);
    state_free(&state);
    state = made(SCENE("open", IN("{inside: small, region: {box: {from: [0, 0, 0], to: [10, 10, 10]}}}"),
                       "meshes: [" GLOBE("big", "4.8", "[5, 5, 5]", ", rigid: true") ", " GLOBE(
                           "small", "3.5", "[5, 5, 5]", ", rigid: true") "]\n"));
    ck_assert_uint_eq(near(&state, at, 3.5, 0), 200);
    state_free(&state);
}
END_TEST

static const struct {
    const char *particles, *message;
} bad[] = {
    {IN("{region: {box: {from: [1, 2, 3], to: [5, 2, 6]}}}"), "an empty region: 'to' must be above 'from' along y"},
    {IN("{region: {cylinder: {from: [1, 2, 3], to: [1, 2, 3], radius: 1}}}"), "an empty region: 'to' must differ from"},
    {IN("{region: {ball: {centre: [1, 2, 3], radius: 0}}}"), "'radius' must be greater than 0, not 0"},
    {IN("{region: {ball: {radius: 1}}}"), "missing key 'centre'"},
    {IN("{region: {cube: {from: [1, 2, 3], to: [5, 2, 6]}}}"), "unknown region 'cube'; known: box, ball, cylinder"},
    {IN("{region: {box: {from: [1, 2, 3], to: [5, 6, 7]}, ball: {centre: [1, 2, 3], radius: 1}}}"),
     "expected one key in this map, the kind of region; found 2"},
    {IN("{region: here}"), "expected a map of box, ball or cylinder, found text 'here'"},
    {IN("{regions: {}}"), "unknown key 'regions'; did you mean 'region'?"},
    {IN("{outside: moon}"), "unknown mesh 'moon'"},
    {IN("{inside: m, outside: m}"), "no position is inside and outside of the same mesh"},
    {IN("{outside: m}"), "particles are to be outside of mesh 'm', which is not closed"},
    {IN("{region: {box: {from: [1, 2, 13], to: [5, 6, 17]}}}"),
     "the region lies outside the box: along z from 13 to 17"},
    {IN("{region: {ball: {centre: [-4, 2, 3], radius: 2}}}"), "the region lies outside the box: along x from -6 to -2"},
    {IN("{region: {box: {from: [1, 2, 3], to: [5, 6, 3.4]}}}"),
     "a particle of diameter 0.5 does not fit into the region along z"},
    {IN("{region: {box: {from: [1, 2, 3], to: [3, 4, 5]}}}"),
     "200 particles fill 1.64 times the volume of their region"},
    {"{species: {a: 1, b: 1}, count: 9, place: random, velocity: {maxwell: {a: 1}}}",
     "no temperature for species 'b' of this entry"},
    {"{species: a, count: 9, place: random, velocity: {maxwell: {a: 1, b: 2}}}",
     "this entry has no particles of species 'b'"},
    {"{species: a, count: 9, place: random, velocity: {maxwell: {a: -1}}}", "'maxwell' must be at least 0, not -1"},
};

START_TEST(faults_are_told)
{
    char text[2000], begin[] = "s.yaml:5:";
    error e = {0};
    scene *s;
    initial_state state;
    snprintf(text, sizeof text,
             SCENE("periodic", "%s",
                   "meshes: [{name: m, shape: {tube: {radius: 1, length: 3, around: 9, along: 3}}, place: {at: [5, 5, "
                   "5]}, rigid: true}]\n"),
             bad[_i].particles);
    carom_status status = scene_read(&s, "s.yaml", NULL, text, strlen(text), NULL, 0, &toy_vocabulary, &e);
    if (status == CAROM_OK) status = state_create(&state, s, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    ck_assert(strncmp(error_text(&e), begin, strlen(begin)) == 0);
    ck_assert_msg(strstr(error_text(&e), bad[_i].message) != NULL, "expected %s", bad[_i].message);
    error_clear(&e);
    scene_free(s);
}
END_TEST

static double temperature_of(const initial_state *state, size_t from, size_t to, uint32_t species)
{
    double twice = 0;
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        if (state->species[i] != species) continue;
        count++;
        for (int k = 0; k < 3; k++) twice += state->mass[i] * state->velocity[i][k] * state->velocity[i][k];
    }
    return twice / (3 * (double)count);
}

/* Of entries, and of the species of one; with the drift taken away, exactly but for that drift. */
START_TEST(temperatures)
{
    initial_state state = made(SCENE(
        "periodic",
        "{species: {a: 1, b: 1}, count: 400, place: random, velocity: {maxwell: {b: 9, a: 4}}, zero_momentum: true}, "
        "{species: a, count: 100, place: random, velocity: {maxwell: 0.25}, zero_momentum: true}",
        ""));
    const double cold = temperature_of(&state, 0, 400, 0), hot = temperature_of(&state, 0, 400, 1);
    double momentum[3] = {0};
    for (size_t i = 0; i < 400; i++)
        for (int k = 0; k < 3; k++) momentum[k] += state.mass[i] * state.velocity[i][k];
    EXPECT_CLOSE("temperature of a", cold, 4, 4e-5); /* 1.3e-5: the drift */
    EXPECT_CLOSE("temperature of b", hot, 9, 4e-5);
    EXPECT_CLOSE("of the other entry", temperature_of(&state, 400, 500, 0), 0.25, 1e-14);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("momentum", momentum[k], 0, 1e-11);
    state_free(&state);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("place_regions");
    tcase_add_test(cases, in_a_box);
    tcase_add_test(cases, in_a_ball);
    tcase_add_test(cases, in_a_cylinder);
    tcase_add_test(cases, beyond_the_box);
    tcase_add_test(cases, through_periodic_faces);
    tcase_add_test(cases, in_a_disk);
    tcase_add_test(cases, ellipsoids_in_a_ball);
    tcase_add_test(cases, closed_meshes_stay_empty);
    tcase_add_test(cases, outside_of_a_shell);
    tcase_add_test(cases, between_two_spheres);
    tcase_add_loop_test(cases, faults_are_told, 0, sizeof bad / sizeof *bad);
    tcase_add_test(cases, temperatures);
    return suite_run("place_regions", cases);
}
