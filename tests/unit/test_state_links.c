/* Detects wrong springs, hinges, segments, drives and bodies in the initial state: allowed overlaps and refusals. */
#include "../support/expect.h"
#include "../support/suite.h"
#include "../support/vocabulary.h"
#include "geometry/closest.h"
#include "scene/state.h"

#define PLANE(boundary, places)                                                                                        \
    "carom: 1\nengine: hard\ndimension: 2\nbox: {size: 10, boundary: " boundary "}\n"                                  \
    "species: {bead: {diameter: 1}}\nrun: {until: {time: 5}}\n"                                                        \
    "particles: [{species: bead, place: {at: [" places "]}}]\n"
#define SPACE(places)                                                                                                  \
    "carom: 1\nengine: hard\nbox: {size: 10, boundary: wall}\n"                                                        \
    "species: {bead: {diameter: 1}}\nrun: {until: {time: 5}}\n"                                                        \
    "particles: [{species: bead, place: {at: [" places "]}}]\n"

static const struct {
    const char *name, *text, *message; /* "": sound */
} cases[] = {
    {"two that overlap", PLANE("wall", "[2, 2], [2.5, 2]"),
     "s.yaml:7:29: error: particles 0 and 1 overlap: their distance is 0.5, contact is at 1\n"
     "    particles: [{species: bead, place: {at: [[2, 2], [2.5, 2]]}}]\n"
     "                                ^"},
    {"of one body", PLANE("wall", "[2, 2], [2.5, 2]") "bodies: [{name: block, particles: [0, 1]}]\n", ""},
    {"of two bodies",
     PLANE("wall",
           "[2, 2], [4, 2], [4.5, 2], [7, 2]") "bodies: [{name: a, particles: [0, 1]}, {name: b, particles: [2, 3]}]\n",
     "s.yaml:7:29: error: particles 1 and 2 overlap: their distance is 0.5, contact is at 1\n"
     "    particles: [{species: bead, place: {at: [[2, 2], [4, 2], [4.5, 2], [7, 2]]}}]\n"
     "                                ^"},
    {"of one drive", PLANE("wall", "[2, 2], [2.5, 2]") "drives: [{name: stop, particles: [0, 1]}]\n", ""},
    {"ends of a segment",
     PLANE("wall", "[2, 2], [2.5, 2]") "segments: [{name: rod, pairs: [[1, 0]], diameter: 1, species: bead}]\n", ""},
    {"ends of a spring", PLANE("wall", "[2, 2], [2.5, 2]") "springs: [{name: tie, pairs: [[0, 1]], stiffness: 1}]\n",
     "s.yaml:7:29: error: particles 0 and 1 overlap: their distance is 0.5, contact is at 1\n"
     "    particles: [{species: bead, place: {at: [[2, 2], [2.5, 2]]}}]\n"
     "                                ^"},
    {"a particle on a segment",
     PLANE("wall",
           "[2, 2], [8, 2], [5, 2.7]") "segments: [{name: rod, pairs: [[0, 1]], diameter: 0.5, species: bead}]\n",
     "s.yaml:8:12: error: the segment of 'rod' between particles 0 and 1 overlaps particle 2: their distance is 0.7, "
     "contact is at 0.75\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 0.5, species: bead}]\n"
     "               ^"},
    {"a particle that touches a segment",
     PLANE("wall",
           "[2, 2], [8, 2], [5, 2.75]") "segments: [{name: rod, pairs: [[0, 1]], diameter: 0.5, species: bead}]\n",
     ""},
    {"two segments that cross",
     PLANE("wall", "[2, 2], [8, 8], [2, 8], [8, 2]") "segments: [{name: rod, pairs: [[0, 1], [2, 3]], diameter: 0.5, "
                                                     "species: bead}]\n",
     "s.yaml:8:12: error: the segment of 'rod' between particles 0 and 1 overlaps the segment of 'rod' between "
     "particles 2 and 3: their distance is 0, contact is at 0.5\n"
     "    segments: [{name: rod, pairs: [[0, 1], [2, 3]], diameter: 0.5, species: bead}]\n"
     "               ^"},
    {"two segments that cross in a body",
     PLANE("wall", "[2, 2], [8, 8], [2, 8], [8, 2]") "segments: [{name: rod, pairs: [[0, 1], [2, 3]], diameter: 0.5, "
                                                     "species: bead}]\n"
                                                     "bodies: [{name: cross, particles: {from: 0, to: 3}}]\n",
     ""},
    {"segments that share an end",
     PLANE("wall",
           "[2, 2], [8, 2], [8, 8]") "segments: [{name: rod, chain: {from: 0, to: 2}, diameter: 0.5, species: bead}]\n",
     ""},
    {"one end in the body alone",
     PLANE("wall", "[5, 2], [5, 3], [2, 2.5], [8, 2.5]") "segments: [{name: rod, pairs: [[2, 3]], diameter: 0.25, "
                                                         "species: bead}]\n"
                                                         "bodies: [{name: block, particles: [0, 1, 2]}]\n",
     "s.yaml:8:12: error: the segment of 'rod' between particles 2 and 3 overlaps particle 0: their distance is 0.5, "
     "contact is at 0.625\n"
     "s.yaml:8:12: error: the segment of 'rod' between particles 2 and 3 overlaps particle 1: their distance is 0.5, "
     "contact is at 0.625\n"
     "    segments: [{name: rod, pairs: [[2, 3]], diameter: 0.25, species: bead}]\n"
     "               ^"},
    {"a segment across the boundary",
     PLANE("periodic",
           "[9, 5], [1, 5], [0, 5.7]") "segments: [{name: rod, pairs: [[0, 1]], diameter: 0.5, species: bead}]\n",
     "s.yaml:8:12: error: the segment of 'rod' between particles 0 and 1 overlaps particle 2: their distance is 0.7, "
     "contact is at 0.75\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 0.5, species: bead}]\n"
     "               ^"},
    {"a thick segment in a wall",
     PLANE("wall", "[0.5, 5], [5, 5]") "segments: [{name: rod, pairs: [[0, 1]], diameter: 2, species: bead}]\n",
     "s.yaml:8:12: error: the end of a segment of 'rod', particle 0, at (0.5, 5), diameter 2, is 0.5 outside the wall "
     "at low x\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 2, species: bead}]\n"
     "               ^"},
    {"a segment of no length",
     PLANE("wall", "[5, 5], [5, 5]") "segments: [{name: rod, pairs: [[0, 1]], diameter: 1, species: bead}]\n",
     "s.yaml:8:12: error: segments 'rod': particles 0 and 1 have the same position\n"
     "    segments: [{name: rod, pairs: [[0, 1]], diameter: 1, species: bead}]\n"
     "               ^"},
    {"segments apart in space",
     SPACE("[2, 5, 5], [8, 5, 5], [5, 2, 6], [5, 8, 6]") "segments: [{name: rod, pairs: [[0, 1], [2, 3]], diameter: 1, "
                                                         "species: bead}]\n",
     ""},
    {"segments too near in space",
     SPACE("[2, 5, 5], [8, 5, 5], [5, 2, 5.75], [5, 8, 5.75]") "segments: [{name: rod, pairs: [[0, 1], [2, 3]], "
                                                               "diameter: 1, species: bead}]\n",
     "s.yaml:7:12: error: the segment of 'rod' between particles 0 and 1 overlaps the segment of 'rod' between "
     "particles 2 and 3: their distance is 0.75, contact is at 1\n"
     "    segments: [{name: rod, pairs: [[0, 1], [2, 3]], diameter: 1, species: bead}]\n"
     "               ^"},
    {"a body at a point", PLANE("wall", "[5, 5], [5, 5]") "bodies: [{name: dot, particles: [0, 1]}]\n",
     "s.yaml:8:10: error: body 'dot': all its particles have the same position\n"
     "    bodies: [{name: dot, particles: [0, 1]}]\n"
     "             ^"},
    {"a body on a line", SPACE("[2, 2, 2], [4, 4, 4], [8, 8, 8]") "bodies: [{name: line, particles: [0, 1, 2]}]\n",
     "s.yaml:7:10: error: body 'line': its particles lie on one line, about which it has no inertia; add a "
     "particle off the line\n"
     "    bodies: [{name: line, particles: [0, 1, 2]}]\n"
     "             ^"},
    {"a body beside a line", SPACE("[2, 2, 2], [4, 4, 5], [8, 8, 8]") "bodies: [{name: line, particles: [0, 1, 2]}]\n",
     ""},
    {"a hinge without an angle",
     PLANE("wall", "[2, 2], [5, 5], [5, 5]") "hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1}]\n"
                                             "drives: [{name: end, particles: [1, 2]}]\n",
     "s.yaml:8:10: error: hinges 'bend': particles 1 and 2 have the same position, so that the angle is undefined\n"
     "    hinges: [{name: bend, triples: [[0, 1, 2]], stiffness: 1}]\n"
     "             ^"},
    {"segments and compression",
     "carom: 1\nengine: hard\nbox: {packing_fraction: 0.4}\nspecies: {bead: {diameter: 1}}\nrun: {until: {time: 1}}\n"
     "particles: [{species: bead, count: 100, place: compress}]\n"
     "segments: [{name: rod, pairs: [[0, 1]], diameter: 1, species: bead}]\n",
     "s.yaml:6:41: error: compression changes the positions of particles: with segments, rods, hinges, bodies or "
     "bonds use another `place`\n"
     "    particles: [{species: bead, count: 100, place: compress}]\n"
     "                                            ^"},
    {"no mass",
     "carom: 1\nengine: hard\nbox: {size: 1}\nspecies: {bead: {diameter: 1e-25, density: 1}}\nrun: {until: {time: "
     "1}}\n"
     "particles: [{species: bead, place: {at: [[0, 0, 0]]}}]\n",
     "s.yaml:4:11: error: particle 0 has a mass of 5.24e-76; masses must lie between 1e-60 and 1e+60: choose other "
     "units\n"
     "    species: {bead: {diameter: 1e-25, density: 1}}\n"
     "              ^"},
};

START_TEST(state_is_judged)
{
    error e = {0};
    scene *s;
    initial_state state;
    carom_status status =
        scene_read(&s, "s.yaml", NULL, cases[_i].text, strlen(cases[_i].text), NULL, 0, &toy_vocabulary, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    status = state_create(&state, s, &e);
    printf("%s: %s\n", cases[_i].name, error_text(&e));
    ck_assert_str_eq(error_text(&e), cases[_i].message);
    ck_assert_int_eq(status, cases[_i].message[0] != '\0' ? CAROM_BAD_DATA : CAROM_OK);
    state_free(&state);
    scene_free(s);
    error_clear(&e);
}
END_TEST

/* How many particles there are is known from their file alone. */
START_TEST(missing_particle_of_a_file)
{
    static const char text[] =
        "carom: 1\nengine: hard\ndimension: 2\nbox: {size: 10}\nspecies: {bead: {diameter: 1}}\nrun: {until: {time: "
        "1}}\n"
        "particles: [{species: bead, place: {file: links.xyz}}]\n"
        "springs: [{name: tie, pairs: [[0, 1]], stiffness: 1}, {name: net, pairs: [[1, 2]], stiffness: 1}]\n"
        "bodies: [{name: block, particles: {from: 1, to: 3}}]\n";
    error e = {0};
    scene *s;
    initial_state state;
    FILE *file = fopen("links.xyz", "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "2\n\nbead 1 1 0\nbead 5 5 0\n");
    fclose(file);
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, sizeof text - 1, NULL, 0, &toy_vocabulary, &e), CAROM_OK);
    ck_assert_int_eq(state_create(&state, s, &e), CAROM_BAD_DATA);
    printf("%s\n", error_text(&e));
    ck_assert_str_eq(
        error_text(&e),
        "s.yaml:8:55: error: springs 'net': no particle 2: there are 2, numbered from 0\n"
        "    springs: [{name: tie, pairs: [[0, 1]], stiffness: 1}, {name: net, pairs: [[1, 2]], stiffness: 1}]\n"
        "                                                          ^\n"
        "s.yaml:9:10: error: body 'block': no particle 2: there are 2, numbered from 0\n"
        "    bodies: [{name: block, particles: {from: 1, to: 3}}]\n"
        "             ^");
    scene_free(s);
    error_clear(&e);
    remove("links.xyz");
}
END_TEST

/* Against the least of many points on both. */
START_TEST(segments_have_their_distance)
{
    unsigned seed = 1;
    double worst = 0;
    for (int trial = 0; trial < 300; trial++) {
        double x[9], least = INFINITY;
        for (int i = 0; i < 9; i++) {
            seed = seed * 1664525u + 1013904223u;
            x[i] = trial % 3 == 0 && i % 3 == 2 ? 0 : (double)(seed >> 8) / (1 << 24) * 4 - 2;
        }
        const int steps = 200;
        for (int i = 0; i <= steps; i++)
            for (int j = 0; j <= steps; j++) {
                double d2 = 0;
                for (int k = 0; k < 3; k++) {
                    double d = x[k] + x[3 + k] * i / steps - x[6 + k] * j / steps;
                    d2 += d * d;
                }
                least = fmin(least, d2);
            }
        double found = sqrt(segment_distance2(x, x + 3, x + 6));
        ck_assert(found <= sqrt(least) + 1e-12);
        worst = fmax(worst, sqrt(least) - found);
    }
    printf("at most %.3g below the grid's\n", worst);
    ck_assert(worst < 0.02); /* half a step of each, at most 2 sqrt(3) * 2 / 400 */
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("links");
    tcase_add_loop_test(tests, state_is_judged, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, missing_particle_of_a_file);
    tcase_add_test(tests, segments_have_their_distance);
    return suite_run("state_links", tests);
}
