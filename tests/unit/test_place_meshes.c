/* Detects random positions that lie in mesh obstacles, or outside of closed meshes. */
#include <math.h>
#include <string.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "../support/vocabulary.h"
#include "scene/state.h"
#include "scene/state/mesh_space.h"

static scene *read(const char *text)
{
    error e = {0};
    scene *s;
    carom_status status = scene_read(&s, "s.yaml", NULL, text, strlen(text), NULL, 0, &toy_vocabulary, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    return s;
}

#define SCENE(size, boundary, place, meshes)                                                                           \
    "carom: 1\nengine: hard\nbox: {size: " size ", boundary: " boundary "}\nspecies: {a: {diameter: 0.5}}\n"           \
    "particles: [{species: a, place: " place "}]\nrun: {until: {time: 1}}\nmeshes: [" meshes "]\n"

typedef struct ring {
    double middle[3], radius, tube; /* about z */
} ring;

static double depth_in(const ring *t, const double r[3])
{
    const double along = hypot(r[0] - t->middle[0], r[1] - t->middle[1]) - t->radius;
    return t->tube - hypot(along, r[2] - t->middle[2]);
}

static initial_state made(const scene *s)
{
    initial_state state;
    error e = {0};
    ck_assert_msg(state_create(&state, s, &e) == CAROM_OK, "%s", error_text(&e));
    return state;
}

/* A torus of triangles lies within the round one, by at most 0.04 here. */
START_TEST(inside_a_torus)
{
    const ring t = {.middle = {7, 6, 5}, .radius = 4, .tube = 1.6};
    scene *s = read(SCENE("14", "open", "{random: {inside: t}}, count: 300",
                          "{name: t, shape: {torus: {radius: 4, tube: 1.6, around: 60, across: 30}}, rigid: true, "
                          "place: {at: [7, 6, 5]}}"));
    initial_state state = made(s);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < 300; i++) {
        least = fmin(least, depth_in(&t, state.position[i]));
        most = fmax(most, depth_in(&t, state.position[i]));
    }
    printf("between %g and %g deep\n", least, most);
    ck_assert(least >= 0.25 && least < 0.35);
    ck_assert(most > 1.4);
    scene *again = read(s->resolved);
    ck_assert_str_eq(again->resolved, s->resolved);
    state_free(&state);
    scene_free(again);
    scene_free(s);
}
END_TEST

/* What a triangle takes of the sky, by the formula of van Oosterom and Strackee. */
static double half_angle(const mesh *m, size_t triangle, const double at[3])
{
    double c[3][3], volume = 0, dots[3] = {0}, length[3];
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 3; k++) c[n][k] = m->vertices[m->triangles[triangle][n]][k] - at[k];
        length[n] = sqrt(c[n][0] * c[n][0] + c[n][1] * c[n][1] + c[n][2] * c[n][2]);
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, n = (k + 2) % 3;
        volume += c[0][k] * (c[1][l] * c[2][n] - c[1][n] * c[2][l]);
        for (int i = 0; i < 3; i++) dots[i] += c[i][k] * c[(i + 1) % 3][k];
    }
    return atan2(volume,
                 length[0] * length[1] * length[2] + dots[0] * length[2] + dots[1] * length[0] + dots[2] * length[1]);
}

/* Inside is where all triangles together take the whole sky. Points on a lattice see edges behind each other often. */
START_TEST(inside_as_angles_tell)
{
    scene *s =
        read(SCENE("10", "open", "{at: [[1, 1, 1]]}",
                   "{name: t, shape: {torus: {radius: 2, tube: 1, around: 9, across: 6}}, place: {at: [5, 5, 5]}}, "
                   "{name: c, shape: {solid: {kind: cube, radius: 4, parts: 4}}, place: {at: [15, 5, 5]}}, "
                   "{name: g, shape: {globe: {radius: 4, around: 90, rings: 40}}, place: {at: [25, 5, 5]}}"));
    initial_state state = made(s);
    mesh_space space;
    error e = {0};
    ck_assert(mesh_space_create(&space, s, state.meshes, state.size, &e) == CAROM_OK);
    size_t inside = 0, all = 0;
    for (size_t which = 0; which < 3; which++)
        for (int x = 0; x <= 20; x++)
            for (int y = 0; y <= 20; y++)
                for (int z = 0; z <= 20; z++) {
                    const double at[3] = {10 * (double)which + 0.5 * x, 0.5 * y, 0.5 * z};
                    double angle = 0;
                    if (mesh_space_nearest(&space, which, at, 1e-6).distance < 1e-6) continue;
                    for (size_t n = 0; n < state.meshes[which].triangle_count; n++)
                        angle += half_angle(&state.meshes[which], n, at);
                    const bool around = fabs(angle) > 3.14159265;
                    ck_assert(mesh_space_encloses(&space, which, at) == around);
                    inside += around;
                    all++;
                }
    printf("%zu of %zu points inside\n", inside, all);
    ck_assert(inside > 2000 && all > 20000);
    mesh_space_destroy(&space);
    state_free(&state);
    scene_free(s);
}
END_TEST

/* A sheet across a periodic edge, and thick: no particle is nearer than contact to it or to its image. */
START_TEST(around_a_sheet)
{
    scene *s =
        read(SCENE("[8, 8, 8]", "periodic", "random, count: 300",
                   "{name: sheet, shape: {rectangle: {length: 8, width: 8, along: 6, across: 6}}, thickness: 0.5, "
                   "rigid: true, place: {at: [4, 4, 7.9]}}"));
    initial_state state = made(s);
    double least = INFINITY;
    for (size_t i = 0; i < 300; i++) least = fmin(least, fabs(remainder(state.position[i][2] - 7.9, 8)));
    printf("%g from the sheet\n", least);
    ck_assert(least >= 0.5 && least < 0.6);
    state_free(&state);
    scene_free(s);
}
END_TEST

START_TEST(no_inside)
{
    initial_state state;
    error e = {0};
    scene *s = read(SCENE("10", "open", "{random: {inside: t}}, count: 300",
                          "{name: t, shape: {tube: {radius: 2, length: 5, around: 12, along: 3}}, rigid: true}"));
    ck_assert(state_create(&state, s, &e) == CAROM_BAD_DATA);
    ck_assert_str_eq(
        error_text(&e),
        "s.yaml:5:26: error: particles are to be inside of mesh 't', which is not closed: it has edges with a triangle "
        "on one side only, or triangles that face different ways\n"
        "    particles: [{species: a, place: {random: {inside: t}}, count: 300}]\n"
        "                             ^");
    error_clear(&e);
    scene_free(s);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("place_meshes");
    tcase_add_test(cases, inside_a_torus);
    tcase_add_test(cases, inside_as_angles_tell);
    tcase_add_test(cases, around_a_sheet);
    tcase_add_test(cases, no_inside);
    return suite_run("place_meshes", cases);
}
