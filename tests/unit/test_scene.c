/* Detects misread sound scenes, and wrong resolved scenes, help and reference. */
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/expect.h"
#include "../support/suite.h"
#include "../support/vocabulary.h"
#include "base/memory.h"

#define SMALL                                                                                                          \
    "carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1}}\n"                                           \
    "particles: [{species: a, count: 1, place: fcc}]\nrun: {until: {time: 1}}\n"

static const char full[] =
    "carom: 1\n"
    "title: no\n"
    "engine: hard\n"
    "dimension: 3\n"
    "seed: 18446744073709551615\n"
    "box: {packing_fraction: .49, aspect: [1, 2, 1e0], boundary: [periodic, wall, open]}\n"
    "species:\n"
    "  grain: {diameter: 1, mass: 2}\n"
    "  dust: {radius: {normal: [0.1, 0.01], min: 0.05}, density: 3}\n"
    "particles:\n"
    "  - {species: grain, count: 1e3, place: compress, velocity: {maxwell: 1.5}, zero_momentum: true}\n"
    "  - species: {grain: 1, dust: 2.5}\n"
    "    place: {at: [[1, 2, 3], [.5, 1e3, -2]]}\n"
    "    velocity: {each: [1, 2, 3]}\n"
    "  - {species: dust, place: {file: start.xyz}, velocity: file}\n"
    "  - {species: dust, count: 7, place: {compress: {from: 0.3}}, velocity: {uniform: [-1, 1]}}\n"
    "contacts:\n"
    "  - {between: [dust, grain], restitution: 0.9}\n"
    "  - {between: [floor, grain], restitution: {table: [[0, 1], [1, .5]]}}\n"
    "  - {between: [dust, wall], restitution: {viscoelastic: 0.2}}\n"
    "  - {between: [grain, grain], restitution: 1.0}\n"
    "planes:\n"
    "  - {name: floor, point: [0, 0, 0], normal: [0, 3, 4]}\n"
    "fields: {gravity: [0, 0, -9.81]}\n"
    "run: {until: {collisions: 1e6, wall_time: 60}}\n"
    "observe:\n"
    "  - {what: pressure, every: 1, start: 5}\n"
    "  - {what: radial_distribution, every_collisions: 5, bins: 200}\n"
    "  - {what: pressure}\n"
    "output: {frames: {every: 0.5}}\n"
    "hard: {detection: naive, drift: [1, 2, 3]}\n"
    "soft: {stiffness: 4}\n";

static scene *read_text(const char *folder, const char *text, const char *const *sets, size_t count)
{
    error e = {0};
    scene *s;
    carom_status status = scene_read(&s, "s.yaml", folder, text, strlen(text), sets, count, &toy_vocabulary, &e);
    ck_assert_msg(status == CAROM_OK, "%s", error_text(&e));
    ck_assert_str_eq(error_text(&e), "");
    return s;
}

START_TEST(box_and_species)
{
    scene *s = read_text("data", full, NULL, 0);
    ck_assert_str_eq(s->source, "s.yaml");
    ck_assert_str_eq(s->title, "no");
    ck_assert_uint_eq(s->engine, 0);
    ck_assert_int_eq(s->dimension, 3);
    ck_assert_uint_eq(s->seed, UINT64_MAX);
    EXPECT_CLOSE("packing fraction", s->box.packing_fraction, 0.49, 0);
    EXPECT_CLOSE("aspect", s->box.aspect[1], 2, 0);
    ck_assert_int_eq(s->box.boundary[1], BOUNDARY_WALL);
    ck_assert_int_eq(s->box.boundary[2], BOUNDARY_OPEN);
    ck_assert_uint_eq(s->species_count, 2);
    ck_assert_str_eq(s->species[0].name, "grain");
    EXPECT_CLOSE("mass", s->species[0].mass, 2, 0);
    const scene_species *dust = &s->species[1];
    ck_assert_int_eq(dust->diameter.law, SIZE_NORMAL);
    EXPECT_CLOSE("mean diameter", dust->diameter.a, 0.2, 0);
    EXPECT_CLOSE("deviation", dust->diameter.b, 0.02, 0);
    EXPECT_CLOSE("smallest", dust->diameter.min, 0.1, 0);
    ck_assert(isinf(dust->diameter.max));
    EXPECT_CLOSE("density", dust->density, 3, 0);
    EXPECT_CLOSE("mass beside a density", dust->mass, 0, 0);
    scene_free(s);
}
END_TEST

START_TEST(particles)
{
    scene *s = read_text("data", full, NULL, 0);
    ck_assert_uint_eq(s->particles_count, 4);
    const scene_particles *p = s->particles;
    ck_assert_uint_eq(p[0].count, 1000);
    ck_assert_int_eq(p[0].place, PLACE_COMPRESS);
    EXPECT_CLOSE("rate", p[0].compress_rate, 0.01, 0);
    EXPECT_CLOSE("from", p[0].compress_from, 0.2, 0);
    ck_assert_int_eq(p[0].velocity, VELOCITY_MAXWELL);
    EXPECT_CLOSE("temperature", p[0].a, 1.5, 0);
    ck_assert(p[0].zero_momentum);
    ck_assert_uint_eq(p[1].count, 2);
    ck_assert_uint_eq(p[1].share_count, 2);
    ck_assert_uint_eq(p[1].shares[1].species, 1);
    EXPECT_CLOSE("ratio", p[1].shares[1].ratio, 2.5, 0);
    EXPECT_CLOSE("y of the second", p[1].at[1][1], 1000, 0);
    ck_assert_uint_eq(p[1].each_count, 1);
    EXPECT_CLOSE("vz", p[1].each[0][2], 3, 0);
    ck_assert_str_eq(p[2].file, "data/start.xyz");
    ck_assert_uint_eq(p[2].count, 0);
    ck_assert_int_eq(p[2].velocity, VELOCITY_FILE);
    EXPECT_CLOSE("from, given", p[3].compress_from, 0.3, 0);
    EXPECT_CLOSE("lowest component", p[3].a, -1, 0);
    scene_free(s);
}
END_TEST

START_TEST(contacts_and_planes)
{
    scene *s = read_text("data", full, NULL, 0);
    EXPECT_CLOSE("normal y", s->planes[0].normal[1], 0.6, 1e-16);
    EXPECT_CLOSE("normal z", s->planes[0].normal[2], 0.8, 1e-16);
    EXPECT_CLOSE("elastic", s->laws[0].value, 1, 0);
    ck_assert_uint_eq(s->law_count, 4);
    ck_assert_uint_eq(s->pair_law[0], 0);
    ck_assert_uint_eq(s->pair_law[3], 0);
    ck_assert_uint_eq(s->pair_law[1], s->pair_law[2]);
    EXPECT_CLOSE("e of grain and dust", s->laws[s->pair_law[1]].value, 0.9, 0);
    ck_assert_uint_eq(s->surface_law[0 * 2 + 0], 0);
    const restitution_law *floor_law = &s->laws[s->surface_law[0 * 2 + 1]],
                          *wall_law = &s->laws[s->surface_law[1 * 2 + 0]];
    ck_assert_int_eq(floor_law->kind, RESTITUTION_TABLE);
    ck_assert_uint_eq(floor_law->count, 2);
    EXPECT_CLOSE("e at speed 1", floor_law->table[1][1], 0.5, 0);
    ck_assert_int_eq(wall_law->kind, RESTITUTION_VISCOELASTIC);
    EXPECT_CLOSE("A", wall_law->value, 0.2, 0);
    EXPECT_CLOSE("gravity", s->gravity[2], -9.81, 0);
    scene_free(s);
}
END_TEST

START_TEST(run_observe_output)
{
    scene *s = read_text("data", full, NULL, 0);
    ck_assert(isinf(s->until.time));
    ck_assert_uint_eq(s->until.collisions, 1000000);
    EXPECT_CLOSE("wall time", s->until.wall_time, 60, 0);
    ck_assert_uint_eq(s->observe_count, 3);
    ck_assert_str_eq(s->observe[0].name, "pressure");
    ck_assert_str_eq(s->observe[2].name, "pressure_2");
    EXPECT_CLOSE("every", s->observe[0].every, 1, 0);
    EXPECT_CLOSE("start", s->observe[0].start, 5, 0);
    EXPECT_CLOSE("samples by itself", s->observe[2].every, 0, 0);
    ck_assert_uint_eq(s->observe[1].what, 1);
    ck_assert_uint_eq(s->observe[1].every_collisions, 5);
    ck_assert_uint_eq(((toy_bins *)s->observe[1].settings)->bins, 200);
    EXPECT_CLOSE("frames", s->output.frames_every, 0.5, 0);
    EXPECT_CLOSE("checkpoints", s->output.checkpoint_every_wall, 600, 0);
    const toy_hard *hard = s->engine_settings;
    ck_assert_int_eq(hard->detection, 1);
    ck_assert(!hard->reference);
    ck_assert_uint_eq(hard->cells, 7);
    ck_assert_str_eq(hard->note, "two words");
    EXPECT_CLOSE("drift", hard->drift[2], 3, 0);
    EXPECT_CLOSE("nested default", hard->sleep.speed, 0.5, 0);
    EXPECT_CLOSE("left out", hard->cutoff, 0, 0);
    scene_free(s);
}
END_TEST

START_TEST(one_word_changes_the_engine)
{
    const char *sets[] = {"engine=soft"};
    scene *s = read_text(NULL, full, sets, 1);
    ck_assert_uint_eq(s->engine, 1);
    EXPECT_CLOSE("stiffness", ((toy_soft *)s->engine_settings)->stiffness, 4, 0);
    scene_free(s);
}
END_TEST

START_TEST(two_dimensions)
{
    scene *s = read_text(NULL,
                         "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [3, 4], boundary: wall}\n"
                         "species: {a: {radius: {uniform: [1, 2]}}}\n"
                         "particles: [{species: a, place: {at: [[1, 2]]}, velocity: {each: [[3, 4]]}}]\n"
                         "planes: [{name: p, point: [1, 1], normal: [-2, 0]}]\nrun: {until: {time: 0}}\n",
                         NULL, 0);
    EXPECT_CLOSE("height of a flat box", s->box.size[2], 1, 0);
    EXPECT_CLOSE("its width", s->box.size[1], 4, 0);
    ck_assert_int_eq(s->box.boundary[0], BOUNDARY_WALL);
    ck_assert_int_eq(s->box.boundary[2], BOUNDARY_PERIODIC);
    EXPECT_CLOSE("largest", s->species[0].diameter.b, 4, 0);
    EXPECT_CLOSE("z", s->particles[0].at[0][2], 0, 0);
    EXPECT_CLOSE("normal", s->planes[0].normal[0], -1, 0);
    EXPECT_CLOSE("drift takes two", ((toy_hard *)s->engine_settings)->drift[1], 0.5, 0);
    EXPECT_CLOSE("until", s->until.time, 0, 0);
    scene_free(s);
}
END_TEST

START_TEST(overrides_apply)
{
    const char *sets[] = {"run.until.time=10",
                          "particles.0.velocity.maxwell=2",
                          "title=two: words",
                          "fields.gravity=[0, 0, -1]",
                          "particles.0.velocity={circle: 3}",
                          "seed=5",
                          "seed=6",
                          "hard.sleep.speed=.25",
                          "title="};
    scene *s = read_text(NULL, SMALL, sets, 2);
    EXPECT_CLOSE("time", s->until.time, 10, 0);
    ck_assert_int_eq(s->particles[0].velocity, VELOCITY_MAXWELL);
    EXPECT_CLOSE("temperature", s->particles[0].a, 2, 0);
    scene_free(s);
    s = read_text(NULL, SMALL, sets + 3, 6);
    ck_assert_str_eq(s->title, "");
    EXPECT_CLOSE("gravity", s->gravity[2], -1, 0);
    ck_assert_int_eq(s->particles[0].velocity, VELOCITY_CIRCLE);
    ck_assert_uint_eq(s->seed, 6);
    EXPECT_CLOSE("nested", ((toy_hard *)s->engine_settings)->sleep.speed, 0.25, 0);
    scene_free(s);
}
END_TEST

START_TEST(line_ends_and_byte_order_mark)
{
    static const char text[] =
        "\xef\xbb\xbf"
        "carom: 1\r\nengine: hard # a remark\r\nbox: {size: 10}\r\nspecies: {a: {diameter: 1}}\r\n"
        "particles: []\r\nrun: {until: {time: 1}}\r\ntitle: \"\xc3\xa9t\xc3\xa9 \\\" \\n\"\r\n";
    scene *s = read_text(NULL, text, NULL, 0);
    ck_assert_str_eq(s->title, "\xc3\xa9t\xc3\xa9 \" \n");
    ck_assert_uint_eq(s->particles_count, 0);
    scene_free(s);
}
END_TEST

static void expect_stable(const char *folder, const char *text)
{
    char *key;
    error e = {0};
    scene *first = read_text(folder, text, NULL, 0), *second = read_text(folder, first->resolved, NULL, 0);
    printf("%s\n", first->resolved);
    ck_assert_str_eq(first->resolved, second->resolved);
    ck_assert_int_eq(scene_difference(first->resolved, second->resolved, &key, &e), CAROM_OK);
    ck_assert_ptr_null(key);
    scene_free(first);
    scene_free(second);
}

START_TEST(resolved_reads_back)
{
    expect_stable(NULL, SMALL);
    expect_stable("data", full);
    expect_stable("data/", full);
    expect_stable(NULL,
                  "carom: 1\nengine: soft\ndimension: 2\nbox: {size: [3, 0.1], boundary: open}\ntitle: \"\xc3\xa9 \\\" "
                  "\\n\\t\\\\\"\n"
                  "species: {a: {radius: {lognormal: [0.1, 0.03], min: 0.07}}, b: {diameter: {uniform: [1, 2]}}}\n"
                  "particles:\n  - {species: {b: 2}, count: 3, place: hexagonal, velocity: {circle: 0.1}}\n"
                  "  - {species: a, count: 4, place: {file: 'a b.h5'}}\n"
                  "  - {species: a, place: {at: [[.1, .2], [.3, 1e-20]]}, velocity: {each: [[1, 2], [3, 4]]}}\n"
                  "planes: [{name: p, point: [0, 0], normal: [0.1, 0.7]}]\n"
                  "run: {until: {clusters: 3, time: 0, events: 5}}\nsoft: {stiffness: 0.30000000000000004}\n"
                  "output: {frames: {every_collisions: 12}, checkpoint: {every_wall: 1}}\n");
    expect_stable(NULL,
                  SMALL "cylinders: [{name: c, through: [1, 2, 3], axis: [1, 1, 0], radius: 0.1, side: outside},\n"
                        "  {name: d, through: [0, 0, 0], axis: [0, 0, 3], radius: 4, side: inside}]\n"
                        "contacts: [{between: [d, a], restitution: 0.5}]\n"
                        "drives: [{name: e, cylinder: d, motion: [{time: 1, turn: {rate: -2}}]}]\n");
    expect_stable(NULL, SMALL "view: {azimuth: -40, up: x, target: [0, 0, 0]}\n");
}
END_TEST

START_TEST(resolved_text)
{
    scene *s = read_text(NULL, SMALL, NULL, 0);
    ck_assert_str_eq(
        s->resolved,
        "carom: 1\ntitle: \"\"\nengine: hard\ndimension: 3\nseed: 0\n"
        "box:\n  size: [10, 10, 10]\n  boundary: [periodic, periodic, periodic]\n"
        "species:\n  a: {diameter: 1, mass: 1}\n"
        "particles:\n  - species: a\n    count: 1\n    place: fcc\n    velocity: zero\n"
        "    zero_momentum: false\ncontacts: []\nplanes: []\nfields:\n  gravity: [0, 0, 0]\n"
        "run:\n  until:\n    time: 1\nobserve: []\noutput:\n  frames: {}\n  checkpoint:\n"
        "    every_wall: 600\n  compression: 0\nhard:\n  detection: stable\n  reference: false\n  cells: 7\n"
        "  note: \"two words\"\n  drift: [0, 0.5, -1]\n  sleep:\n    speed: 0.5\n");
    scene_free(s);
}
END_TEST

/* Written where it is given; a target at the origin is one. */
START_TEST(view_is_kept)
{
    const char *const set[] = {"view={elevation: 50, zoom: 1.5, target: [0, 0, 0]}",
                               "view={zoom: 3, meshes: edges, low: [0, 0, 0], high: [1, 2, 3]}"};
    const char *const want[] = {
        "\nview:\n  azimuth: 30\n  elevation: 50\n  zoom: 1.5\n  target: [0, 0, 0]\n  up: gravity\n"
        "  meshes: solid\n  whole: false\n",
        "\nview:\n  azimuth: 30\n  elevation: 22\n  zoom: 3\n  up: gravity\n  low: [0, 0, 0]\n"
        "  high: [1, 2, 3]\n  meshes: edges\n  whole: false\n"};
    for (size_t k = 0; k < 2; k++) {
        scene *s = read_text(NULL, SMALL, &set[k], 1);
        ck_assert_ptr_nonnull(strstr(s->resolved, want[k]));
        ck_assert_int_eq(s->view.aimed, k == 0);
        scene_free(s);
    }
}
END_TEST

START_TEST(differences_are_named)
{
    static const struct {
        const char *set, *key;
    } cases[] = {{"seed=1", "seed"},
                 {"run.until.time=5", NULL},
                 {"run.until.events=5", NULL},
                 {"output.frames.every=2", NULL},
                 {"view.zoom=2", NULL},
                 {"particles.0.velocity={maxwell: 1}", "particles.0.velocity"},
                 {"species.b={diameter: 2}", "species.b"},
                 {"species.a.mass=2", "species.a.mass"},
                 {"particles=[]", "particles"},
                 {"hard.sleep.speed=0.25", "hard.sleep.speed"},
                 {"hard.cutoff=0.25", "hard.cutoff"},
                 {"box.boundary=[wall, wall, open]", "box.boundary.0"},
                 {"engine=soft", "engine"},
                 {"box.size=10.0", NULL}};
    scene *s = read_text(NULL, SMALL "soft: {stiffness: 1}\n", NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *key;
        error e = {0};
        scene *other = read_text(NULL, SMALL "soft: {stiffness: 1}\n", &cases[i].set, 1);
        ck_assert_int_eq(scene_difference(s->resolved, other->resolved, &key, &e), CAROM_OK);
        printf("%s: %s\n", cases[i].set, key != NULL ? key : "(equal)");
        if (cases[i].key == NULL)
            ck_assert_ptr_null(key);
        else
            ck_assert_pstr_eq(key, cases[i].key);
        memory_free(key);
        scene_free(other);
    }
    char *key;
    error e = {0};
    ck_assert_int_eq(scene_difference("a: [1", s->resolved, &key, &e), CAROM_BAD_DATA);
    ck_assert_ptr_null(key);
    error_clear(&e);
    scene_free(s);
}
END_TEST

START_TEST(a_file_and_its_folder)
{
    char path[] = "/tmp/carom_scene_XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(path));
    char *name = memory_format("%s/s.yaml", path), *wanted = memory_format("%s/p/start.xyz", path);
    FILE *stream = fopen(name, "w");
    fputs("carom: 1\nengine: hard\nbox: {size: 10}\nspecies: {a: {diameter: 1}}\n"
          "particles: [{species: a, place: {file: p/start.xyz}}, {species: a, place: {file: /x.xyz}}]\n"
          "run: {until: {time: 1}}\n",
          stream);
    fclose(stream);
    error e = {0};
    scene *s;
    ck_assert_int_eq(scene_read_file(&s, name, NULL, 0, &toy_vocabulary, &e), CAROM_OK);
    ck_assert_str_eq(s->particles[0].file, wanted);
    ck_assert_str_eq(s->particles[1].file, "/x.xyz");
    ck_assert_ptr_nonnull(strstr(s->resolved, "place: {file: p/start.xyz}"));
    remove(name);
    rmdir(path);
    scene_free(s);
    memory_free(name);
    memory_free(wanted);
}
END_TEST

/* Memory stays in proportion: about 32 bytes a number while reading. */
START_TEST(a_hundred_thousand_vectors)
{
    enum { COUNT = 100000 };
    char *text = memory_new(COUNT, 64);
    size_t length =
        (size_t)sprintf(text, "carom: 1\nengine: hard\nbox: {size: 1e6}\nspecies: {a: {diameter: 1}}\n"
                              "run: {until: {time: 1}}\nparticles:\n  - species: a\n    place:\n      at:\n");
    for (int i = 0; i < COUNT; i++) length += (size_t)sprintf(text + length, "      - [%d.25, 0.5, 1e%d]\n", i, i % 5);
    error e = {0};
    scene *s;
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, length, NULL, 0, &toy_vocabulary, &e), CAROM_OK);
    ck_assert_uint_eq(s->particles[0].count, COUNT);
    EXPECT_CLOSE("x of the last", s->particles[0].at[COUNT - 1][0], COUNT - 0.75, 0);
    EXPECT_CLOSE("z of the last", s->particles[0].at[COUNT - 1][2], 1e4, 0);
    memory_free(text);
    scene_free(s);
}
END_TEST

static char *help(const char *key)
{
    char *text;
    error e = {0};
    ck_assert_int_eq(scene_help(&text, key, &toy_vocabulary, &e), CAROM_OK);
    printf("%s\n", text);
    return text;
}

START_TEST(help_is_made_from_the_tables)
{
    static const char *const all[] = {"carom",     "packing_fraction", "restitution",
                                      "wall_time", "every_wall",       "detection"};
    char *text = help(NULL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) ck_assert_ptr_nonnull(strstr(text, all[i]));
    memory_free(text);
    text = help("hard.sleep");
    ck_assert_str_eq(text, "hard.sleep                 resting\n"
                           "  speed                    below which a particle rests\n"
                           "                           number (speed), at least 0, at most 1; default 0.5\n"
                           "  patience                 collisions before that\n"
                           "                           whole number; optional\n");
    memory_free(text);
    text = help("particles.0.place.compress.rate");
    ck_assert_ptr_nonnull(strstr(text, "number, greater than 0; default 0.01"));
    memory_free(text);
    text = help("species.grain.mass");
    ck_assert_ptr_nonnull(strstr(text, "species.mass"));
    memory_free(text);
    text = help("bins");
    ck_assert_ptr_nonnull(strstr(text, "radial_distribution.bins"));
    memory_free(text);
    text = help("observables");
    ck_assert_ptr_nonnull(strstr(text, "from the virial"));
    ck_assert_ptr_null(strstr(text, "packing_fraction"));
    memory_free(text);
}
END_TEST

START_TEST(help_suggests)
{
    char *text;
    error e = {0};
    ck_assert_int_eq(scene_help(&text, "run.until.tiem", &toy_vocabulary, &e), CAROM_USAGE);
    ck_assert_ptr_null(text);
    ck_assert_str_eq(error_text(&e), "error: unknown key 'run.until.tiem'; did you mean 'time'?");
    ck_assert_int_eq(scene_help(&text, "colour", &toy_vocabulary, &e), CAROM_USAGE);
    ck_assert_str_eq(error_text(&e), "error: unknown key 'colour'; 'carom help scene' lists them all");
    error_clear(&e);
}
END_TEST

START_TEST(reference_names_every_key)
{
    char *text;
    error e = {0};
    ck_assert_int_eq(scene_reference(&text, &toy_vocabulary, &e), CAROM_OK);
    static const char *const lines[] = {
        "## `box`",
        "## `particles.place.compress`",
        "### `hard.sleep`",
        "### `radial_distribution`",
        "| `cutoff` | number (speed), greater than 0 | optional | slower contacts are elastic |",
        "| `what` | `pressure`, `radial_distribution` | required |",
        "| `engine` | `hard`, `soft` | required |"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        ck_assert_msg(strstr(text, lines[i]) != NULL, "no line '%s' in\n%s", lines[i], text);
    memory_free(text);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("reading");
    tcase_add_test(tests, box_and_species);
    tcase_add_test(tests, particles);
    tcase_add_test(tests, contacts_and_planes);
    tcase_add_test(tests, run_observe_output);
    tcase_add_test(tests, one_word_changes_the_engine);
    tcase_add_test(tests, two_dimensions);
    tcase_add_test(tests, overrides_apply);
    tcase_add_test(tests, line_ends_and_byte_order_mark);
    tcase_add_test(tests, a_file_and_its_folder);
    tcase_add_test(tests, a_hundred_thousand_vectors);
    TCase *written = tcase_create("writing");
    tcase_add_test(written, resolved_reads_back);
    tcase_add_test(written, resolved_text);
    tcase_add_test(written, view_is_kept);
    tcase_add_test(written, differences_are_named);
    tcase_add_test(written, help_is_made_from_the_tables);
    tcase_add_test(written, help_suggests);
    tcase_add_test(written, reference_names_every_key);
    return suite_run("scene", tests, written);
}
