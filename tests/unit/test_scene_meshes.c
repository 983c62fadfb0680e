/* Detects misread meshes in scenes, wrong resolved text, and wrong positions of vertices. */
#include <string.h>
#include <unistd.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "../support/vocabulary.h"
#include "scene/state.h"

static scene *make_scene(const char *text)
{
    error e = {0};
    scene *s;
    carom_status status = scene_read(&s, "s.yaml", NULL, text, strlen(text), NULL, 0, &toy_vocabulary, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    return s;
}

#define SCENE(text)                                                                                                    \
    "carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1}}\nparticles: [{species: a, count: 1, place: " \
    "sc}]\n"                                                                                                           \
    "run: {until: {time: 1}}\nmeshes:\n" text

static const char every_shape[] = SCENE(
    "  - {name: m0, shape: {rectangle: {length: 3, width: 2, along: 4, across: 5}}}\n"
    "  - {name: m1, shape: {rectangle: {length: 3, width: 2, along: 4, across: 5, rough: true, seed: 3}}, place: {at: "
    "[0, 0, 5]}}\n"
    "  - {name: m2, shape: {disk: {radius: 1, rings: 3}}, place: {at: [0, 0, 10]}}\n"
    "  - {name: m3, shape: {sphere: {radius: 1, parts: 2}}, place: {at: [0, 0, 15]}}\n"
    "  - {name: m4, shape: {globe: {radius: 1, around: 8, rings: 4}}, place: {at: [0, 0, 20]}}\n"
    "  - {name: m5, shape: {torus: {radius: 2, tube: 1, around: 8, across: 6}}, place: {at: [0, 0, 25]}}\n"
    "  - {name: m6, shape: {solid: {kind: dodecahedron, radius: 1, parts: 2}}, place: {at: [0, 0, 30]}}\n"
    "  - {name: m7, shape: {prism: {width: 2, height: 1, length: 3, along: 2}}, place: {at: [0, 0, 35]}}\n"
    "  - {name: m8, shape: {tube: {radius: 1, length: 2, around: 6, along: 2}}, place: {at: [0, 0, 40]}}\n"
    "  - {name: m9, shape: {spikes: {length: 2, width: 2, along: 2, across: 3, height: 1, radius: 0.2}}, place: {at: "
    "[0, 0, 45]}}\n"
    "  - {name: m10, shape: {ribbon: {points: [[0, 0, 0], [1, 1, 0], [2, 0, 0]], sides: [0, 0, 1], width: 1, along: 9, "
    "across: 2}},\n"
    "     place: {at: [0, 0, 50], rotate: {axis: [1, 2, 3], angle: -0.5}, scale: 1.5}}\n"
    "  - {name: m11, shape: {reef_knot: {length: 30, width: 2, along: 200, across: 8}}, place: {at: [0, 0, 60]}}\n"
    "  - {name: m12, shape: {revolution: {profile: [[0, 0], [1.5, 0], [2, 3]], around: 9}}, place: {at: [0, 0, "
    "65]}}\n");

static const size_t vertices[] = {30, 33, 37, 42, 26, 48, 74, 9, 18, 54, 30, 2 * 201 * 9, 19};

START_TEST(shapes)
{
    initial_state state;
    error e = {0};
    scene *s = make_scene(every_shape);
    ck_assert_uint_eq(s->mesh_count, 13);
    ck_assert_msg(state_create(&state, s, &e) == CAROM_OK, "%s", error_text(&e));
    for (size_t i = 0; i < 13; i++) {
        printf("%s: %zu vertices\n", s->meshes[i].name, state.meshes[i].vertex_count);
        ck_assert_uint_eq(state.meshes[i].vertex_count, vertices[i]);
    }
    state_free(&state);
    scene *again = make_scene(s->resolved);
    ck_assert_str_eq(again->resolved, s->resolved);
    scene_free(again);
    scene_free(s);
}
END_TEST

/* First scaled, then turned, then moved. */
START_TEST(places)
{
    initial_state state;
    error e = {0};
    scene *s = make_scene(
        SCENE("  - {name: m, shape: {rectangle: {length: 2, width: 4, along: 1, across: 1}},\n"
              "     place: {at: [1, 2, 3], rotate: {axis: [0, 0, 5], angle: 1.5707963267948966}, scale: 10}}\n"));
    ck_assert_int_eq(state_create(&state, s, &e), CAROM_OK);
    const double *last = state.meshes[0].vertices[3]; /* (1, 2, 0) at first */
    EXPECT_CLOSE("x", last[0], 1 - 20, 1e-13);
    EXPECT_CLOSE("y", last[1], 2 + 10, 1e-13);
    EXPECT_CLOSE("z", last[2], 3, 0);
    state_free(&state);
    scene_free(s);
    s = make_scene(SCENE("  - {name: m, shape: {rectangle: {length: 2, width: 4, along: 1, across: 1}},\n"
                         "     place: {rotate: {axis: [1, 1, 1], angle: 2.0943951023931953}}}\n"));
    ck_assert_int_eq(state_create(&state, s, &e), CAROM_OK);
    last = state.meshes[0].vertices[3]; /* a third of a turn about the diagonal: x to y to z to x */
    EXPECT_CLOSE("x", last[0], 0, 1e-15);
    EXPECT_CLOSE("y", last[1], 1, 1e-15);
    EXPECT_CLOSE("z", last[2], 2, 1e-15);
    state_free(&state);
    scene_free(s);
}
END_TEST

START_TEST(files)
{
    char path[] = "/tmp/carom_mesh_XXXXXX.off", text[1000];
    initial_state state;
    error e = {0};
    int file = mkstemps(path, 4);
    ck_assert_int_ge(file, 0);
    static const char off[] = "OFF\n3 1 0\n0.1 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    ck_assert_int_eq(write(file, off, sizeof off - 1), sizeof off - 1);
    close(file);
    snprintf(text, sizeof text, SCENE("  - {name: m, file: %s}\n"), path);
    scene *s = make_scene(text);
    ck_assert_ptr_nonnull(strstr(s->resolved, path));
    ck_assert_int_eq(state_create(&state, s, &e), CAROM_OK);
    ck_assert(state.meshes[0].vertices[0][0] == 0.1 && state.meshes[0].triangle_count == 1);
    state_free(&state);
    scene_free(s);
    unlink(path);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("scene_meshes");
    tcase_add_test(cases, shapes);
    tcase_add_test(cases, places);
    tcase_add_test(cases, files);
    return suite_run("scene_meshes", cases);
}
