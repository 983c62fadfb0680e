/* Detects misread XYZ files, and messages that differ from the exact text. */
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/expect.h"
#include "../support/make_scene.h"
#include "../support/suite.h"
#include "base/random.h"
#include "scene/state/points.h"

static char grain[] = "grain", dust[] = "dust";
static const scene_species two[] = {{.name = grain}, {.name = dust}};
static const points_rules in_3d = {.dimension = 3, .species = two, .species_count = 2, .frame = -1},
                          in_2d = {.dimension = 2, .species = two, .species_count = 2, .frame = -1};

static void parse(points *p, const char *text, const points_rules *rules)
{
    error e = {0};
    ck_assert_msg(xyz_parse(p, "a.xyz", text, strlen(text), rules, &e) == CAROM_OK, "%s", error_text(&e));
}

static void refuse_rules(const char *text, size_t length, const points_rules *rules, const char *message)
{
    error e = {0};
    points p;
    carom_status status = xyz_parse(&p, "a.xyz", text, length, rules, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), message);
    ck_assert_ptr_null(p.position);
    error_clear(&e);
}

static void refuse(const char *text, const char *message)
{
    refuse_rules(text, strlen(text), &in_3d, message);
}

START_TEST(plain_frames)
{
    points p;
    parse(&p, "1\n\ngrain 9 9 9\n2\nany words \"at all\ndust 1 -2.5e1 3\n\tgrain  4 5 .5 \n\n\n", &in_3d);
    ck_assert_uint_eq(p.count, 2);
    ck_assert(p.velocity == NULL && p.diameter == NULL && p.mass == NULL && !p.has_box);
    ck_assert(p.species[0] == 1 && p.species[1] == 0);
    EXPECT_CLOSE("y", p.position[0][1], -25, 0);
    EXPECT_CLOSE("z", p.position[1][2], 0.5, 0);
    points_free(&p);
}
END_TEST

START_TEST(extended)
{
    points p;
    parse(&p,
          "\xef\xbb\xbf"
          "2\r\nLattice=\"10 0 0 0 20 0 0 0 30\" Time=4 "
          "Properties=id:I:1:pos:R:3:species:S:1:velo:R:3:radius:R:1:mass:R:1:note:S:2 pbc=\"T T F\"\r\n"
          "7 1 2 3 dust 4 5 6 0.25 8 a b\r\n"
          "8 1.5 2 3 grain 4 5 6.5 0.5 9 a b",
          &in_3d);
    ck_assert_uint_eq(p.count, 2);
    ck_assert(p.species[0] == 1 && p.species[1] == 0 && p.has_box);
    EXPECT_CLOSE("x", p.position[1][0], 1.5, 0);
    EXPECT_CLOSE("vz", p.velocity[1][2], 6.5, 0);
    EXPECT_CLOSE("diameter", p.diameter[0], 0.5, 0);
    EXPECT_CLOSE("mass", p.mass[1], 9, 0);
    EXPECT_CLOSE("box", p.box[1], 20, 0);
    points_free(&p);
}
END_TEST

START_TEST(two_dimensions)
{
    points p;
    parse(&p, "1\nProperties=pos:R:2:vel:R:3\n1 2 3 4 0\n", &in_2d);
    EXPECT_CLOSE("y", p.position[0][1], 2, 0);
    EXPECT_CLOSE("vy", p.velocity[0][1], 4, 0);
    ck_assert_ptr_null(p.species);
    points_free(&p);
    refuse_rules("1\nProperties=pos:R:3\n1 2 3\n", 27, &in_2d,
                 "a.xyz:3: error: pos: the third component is 3, but the scene has two dimensions");
    refuse("1\nProperties=pos:R:2\n1 2\n", "a.xyz:2: error: property pos has 2 columns, expected 3");
}
END_TEST

START_TEST(messages)
{
    refuse("", "a.xyz: error: the file is empty");
    refuse("\n \n", "a.xyz: error: the file is empty");
    refuse("two\n", "a.xyz:1: error: expected the number of particles, found 'two'");
    refuse("2 3\n", "a.xyz:1: error: expected the number of particles, found '2 3'");
    refuse("-1\n\n", "a.xyz:1: error: expected the number of particles, found '-1'");
    refuse("99999999999999999999\n\n",
           "a.xyz:1: error: expected the number of particles, found '99999999999999999999'");
    refuse("4294967295\n\n", "a.xyz:1: error: 4294967295 particles are too many");
    refuse("4000000000\n\n", "a.xyz:2: error: the file ends after 0 of 4000000000 particles");
    refuse("3", "a.xyz:1: error: the file ends where the comment line should be");
    refuse("3\n\ngrain 1 2 3\ngrain 1 2 3\n", "a.xyz:4: error: the file ends after 2 of 3 particles");
    refuse("1\n\ngrain 1 2 3\ngrain 4 5 6\n", "a.xyz:4: error: expected the number of particles, found 'grain 4 5 6'");
    refuse("1\n\ngrain 1 2\n", "a.xyz:3: error: 3 columns, expected 4");
    refuse("1\n\ngrain 1 2 3 4\n", "a.xyz:3: error: more than 4 columns, the next is '4'; name them with Properties=");
    refuse("1\n\nsand 1 2 3\n", "a.xyz:3: error: unknown species 'sand'; the scene has grain, dust");
    refuse("1\n\ngrain 1 2 3x\n", "a.xyz:3: error: pos: '3x' is no number");
    refuse("1\n\ngrain 1 nan 3\n", "a.xyz:3: error: pos: 'nan' is no number");
    refuse("1\n\ngrain 1 1e400 3\n", "a.xyz:3: error: pos: '1e400' is too large");
    refuse("1\n\ngrain 1 0,5 3\n", "a.xyz:3: error: pos: '0,5' is no number");
    refuse("2\nProperties=pos:R:3:radius:R:1\n1 1 1 1\n1 1 1 0\n", "a.xyz:4: error: radius: 0 is not above 0");
    refuse("1\nProperties=pos:R:3:radius:R:1\n1 1 1 1e308\n", "a.xyz:3: error: radius: 1e308 is too large");
    refuse("1\nProperties=pos:R:3:mass:R:1\n1 1 1 -2\n", "a.xyz:3: error: mass: -2 is not above 0");
    refuse("1\nProperties=pos:R:3:pos:R:3\n", "a.xyz:2: error: the file ends after 0 of 1 particles");
    refuse("1\nProperties=pos:R:3:pos:R:3\n1\n", "a.xyz:2: error: property pos is given twice");
    refuse("1\nProperties=pos:R:3:vel:R:3:velo:R:3\n1\n", "a.xyz:2: error: property velo is given twice");
    refuse("1\nProperties=species:S:1\n1\n", "a.xyz:2: error: Properties: no positions (pos:R:3)");
    refuse("1\nProperties=pos:R\n1\n", "a.xyz:2: error: Properties: expected name:type:columns, found 'pos:R:'");
    refuse("1\nProperties=pos:S:3\n1\n", "a.xyz:2: error: property pos has type 'S', expected R");
    refuse("1\nProperties=pos:R:3:x:R:1000\n1\n", "a.xyz:2: error: more than 64 columns");
    refuse("1\nProperties=pos:R:3:radius:R:1:diameter:R:1\n1\n",
           "a.xyz:2: error: Properties: both radius and diameter");
    refuse("1\nLattice=\"1 0 0 0 1 0 0 0\"\ngrain 1 1 1\n", "a.xyz:2: error: Lattice: '' is no number");
    refuse("1\nLattice=\"1 0 0 0 1 0 0 0 1 1\"\ngrain 1 1 1\n", "a.xyz:2: error: Lattice: more than nine numbers");
    refuse("1\nLattice=\"1 0 0 .1 1 0 0 0 1\"\ngrain 1 1 1\n",
           "a.xyz:2: error: Lattice: only boxes with their sides along the axes can be used");
    refuse("1\nOrigin=\"1 0 0\"\ngrain 1 1 1\n",
           "a.xyz:2: error: Origin: only boxes with their corner at 0 0 0 can be used");
    static const char binary[] = "\x7f"
                                 "ELF";
    refuse_rules(binary, sizeof binary, &in_3d, "a.xyz:1: error: expected the number of particles, found '?ELF?'");
}
END_TEST

/* What is written with 17 digits comes back to the bit, also in a locale with decimal commas. */
START_TEST(round_trip)
{
    enum { COUNT = 2000 };
    const random_key key = {5, RANDOM_GENERAL};
    char *text = malloc(COUNT * 100 + 200), *at = text;
    at += sprintf(at, "%d\nProperties=species:S:1:pos:R:3\n", COUNT);
    for (uint64_t i = 0; i < COUNT; i++)
        at += sprintf(at, "grain %.17g %.17g %.17g\n", random_uniform(key, i, 0), 1e6 * random_uniform(key, i, 1),
                      1e-12 * random_uniform(key, i, 2));
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) printf("no locale with decimal commas is installed\n");
    points p;
    parse(&p, text, &in_3d);
    for (uint64_t i = 0; i < COUNT; i++) {
        ck_assert(p.position[i][0] == random_uniform(key, i, 0));
        ck_assert(p.position[i][1] == 1e6 * random_uniform(key, i, 1));
        ck_assert(p.position[i][2] == 1e-12 * random_uniform(key, i, 2));
    }
    setlocale(LC_ALL, "C");
    points_free(&p);
    free(text);
}
END_TEST

static char path[] = "/tmp/carom-test-xyz-XXXXXX";

static void write_file(const char *text)
{
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void refuse_state(const made_scene *m, carom_status wanted, const char *format)
{
    error e = {0};
    initial_state state;
    char message[400];
    snprintf(message, sizeof message, format, path);
    carom_status status = state_create(&state, &m->s, &e);
    printf("%s\n", error_text(&e));
    ck_assert_int_eq(status, wanted);
    ck_assert_str_eq(error_text(&e), message);
    error_clear(&e);
}

START_TEST(a_state_from_a_file)
{
    made_scene m;
    initial_state state;
    error e = {0};
    made_start(&m, 3, 10);
    m.species[0].mass = 0;
    m.species[0].density = 6;
    m.species[0].diameter = (scene_size){.law = SIZE_UNIFORM, .a = 1, .b = 4};
    write_file("3\nLattice=\"10 0 0 0 10 0 0 0 10.000001\" Properties=pos:R:3:velo:R:3:radius:R:1\n1 1 1 0 0 2 .5\n-4 "
               "4 24 0 1 0 1\n4 9 9 0 0 0 2");
    scene_particles *p = made_entry(&m, 0, PLACE_FILE);
    p->from = p->file = path;
    p->velocity = VELOCITY_FILE;
    ck_assert_msg(state_create(&state, &m.s, &e) == CAROM_OK, "%s", error_text(&e));
    ck_assert_uint_eq(state.count, 3);
    EXPECT_CLOSE("wrapped x", state.position[1][0], 6, 0);
    EXPECT_CLOSE("wrapped z", state.position[1][2], 4, 0);
    EXPECT_CLOSE("velocity", state.velocity[0][2], 2, 0);
    EXPECT_CLOSE("diameter", state.diameter[1], 2, 0);
    EXPECT_CLOSE("mass by density and the file's size", state.mass[1], 3.141592653589793 * 8, 1e-14);
    state.velocity[0][2] = 7;
    ck_assert(state_draw_velocities(&state, &m.s, &e) == CAROM_OK);
    EXPECT_CLOSE("velocity drawn again", state.velocity[0][2], 2, 0);
    state_free(&state);
    p->count = 4;
    refuse_state(&m, CAROM_BAD_DATA, "scene.yaml: error: particles.0: count is 4, but %s holds 3 particles");
    p->count = 3;
    m.species[0].diameter = (scene_size){.law = SIZE_CONSTANT, .a = 1};
    refuse_state(&m, CAROM_BAD_DATA,
                 "scene.yaml: error: particle 1 of %s has diameter 2, but species 'grain' has 1; give the species "
                 "`diameter: {uniform: [1, 4]}` (each particle keeps that of the file), or use a file without radii");
    m.species[0].diameter = (scene_size){.law = SIZE_UNIFORM, .a = 1, .b = 4};
    m.s.box.size[1] = 9;
    refuse_state(&m, CAROM_BAD_DATA, "scene.yaml: error: the box of %s is 10 long along y, but that of the scene is 9");
    unlink(path);
    refuse_state(&m, CAROM_NO_INPUT, "%s: error: cannot be opened: No such file or directory");
    write_file("1\n\ngrain 1 1 1\n");
    p->count = 0;
    refuse_state(&m, CAROM_BAD_DATA, "scene.yaml: error: particles.0: %s holds no velocities");
    unlink(path);
    write_file("0\n\n");
    p->velocity = VELOCITY_ZERO;
    refuse_state(&m, CAROM_BAD_DATA,
                 "scene.yaml: error: no particles: the file has none; vertices of meshes are left out");
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    refuse_state(&m, CAROM_NO_INPUT, "%s: error: not a regular file");
    rmdir(path);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("xyz");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, plain_frames);
    tcase_add_test(cases, extended);
    tcase_add_test(cases, two_dimensions);
    tcase_add_test(cases, messages);
    tcase_add_test(cases, round_trip);
    tcase_add_test(cases, a_state_from_a_file);
    return suite_run("xyz", cases);
}
