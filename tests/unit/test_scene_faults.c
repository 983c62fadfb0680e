/* Detects wrong messages for text that is no scene, invalid scalars, and overrides without a target. */
#include <stdlib.h>
#include <string.h>

#include "../support/scene_faults.h"
#include "../support/suite.h"
#include "base/memory.h"

/* A line of the test is a line of the scene. */
/* clang-format off */
static const faulty_scene cases[] = {
    {"empty",
     TEXT(""),
     "s.yaml:1:1: error: this scene is empty; 'carom init' writes an example"},
    {"only a comment",
     TEXT("# nothing\n"),
     "s.yaml:1:1: error: this scene is empty; 'carom init' writes an example"},
    {"text",
     TEXT("hello\n"),
     "s.yaml:1:1: error: expected a scene (a map that begins with 'carom: 1'), found text 'hello'\n"
     "    hello\n"
     "    ^"},
    {"list",
     TEXT("- 1\n"),
     "s.yaml:1:1: error: expected a scene (a map that begins with 'carom: 1'), found a list\n"
     "    - 1\n"
     "    ^"},
    {"binary",
     TEXT("carom: 1\x00\n"),
     "s.yaml:1:1: error: this is binary data, not a scene"},
    {"control character",
     TEXT("carom: \x07\n"),
     "s.yaml:1:8: error: the control character U+0007; is this a scene?"},
    {"not UTF-8",
     TEXT("carom: 1\n" "title: \xff\xfe\n"),
     "s.yaml:2:8: error: not UTF-8 from here on; is this a scene? Save it as UTF-8"},
    {"UTF-16",
     TEXT("\xff\xfe" "c\x00"),
     "s.yaml:1:1: error: this is UTF-16; save the scene as UTF-8"},
    {"tab",
     TEXT("carom: 1\n" "box:\n" "\tsize: 3\n"),
     "s.yaml:3:1: error: a tab indents this line; YAML is indented with spaces\n"
     "    \tsize: 3\n"
     "    ^"},
    {"tab after spaces",
     TEXT("carom: 1\n" "box:\n" "  \tsize: 3\n"),
     "s.yaml:3:3: error: a tab indents this line; YAML is indented with spaces\n"
     "      \tsize: 3\n"
     "      ^"},
    {"list not closed",
     TEXT("carom: [1\n" "engine: hard\n"),
     "s.yaml:1:8: error: not YAML: this list is not closed: expected ',' or ']' before line 2, column 7\n"
     "    carom: [1\n"
     "           ^"},
    {"map not closed",
     TEXT("carom: {a: 1\n"),
     "s.yaml:1:8: error: not YAML: this map is not closed: expected ',' or '}'\n"
     "    carom: {a: 1\n"
     "           ^"},
    {"quote not closed",
     TEXT("title: \"abc\n"),
     "s.yaml:1:8: error: not YAML: this quote is not closed\n"
     "    title: \"abc\n"
     "           ^"},
    {"colon",
     TEXT("title: a: b\n"),
     "s.yaml:1:9: error: not YAML: unexpected ':'; check the indentation, and quote text with a ':'\n"
     "    title: a: b\n"
     "            ^"},
    {"indentation",
     TEXT("carom: 1\n" " engine: hard\n"),
     "s.yaml:2:8: error: not YAML: unexpected ':'; check the indentation, and quote text with a ':'\n"
     "     engine: hard\n"
     "           ^"},
    {"bad indentation of a list",
     TEXT("observe:\n" "  - {what: pressure}\n" " - {what: pressure}\n"),
     "s.yaml:3:2: error: not YAML: expected a key; check the indentation\n"
     "     - {what: pressure}\n"
     "     ^"},
    {"forbidden character",
     TEXT("title: @x\n"),
     "s.yaml:1:8: error: not YAML: a value cannot begin with this character; quote it\n"
     "    title: @x\n"
     "           ^"},
    {"percent",
     TEXT("title: %x\n"),
     "s.yaml:1:8: error: not YAML: a value cannot begin with this character; quote it\n"
     "    title: %x\n"
     "           ^"},
    {"no colon",
     TEXT("carom: 1\n" "engine\n"),
     "s.yaml:2:1: error: not YAML: expected 'key: value'\n"
     "    engine\n"
     "    ^"},
    {"anchor",
     TEXT(HEAD BOX KINDS ONE RUN "title: &x y\n"),
     "s.yaml:7:8: error: anchors (&name) are not part of a scene; write the value out\n"
     "    title: &x y\n"
     "           ^"},
    {"alias",
     TEXT(HEAD BOX KINDS ONE RUN "title: *x\n"),
     "s.yaml:7:8: error: aliases (*name) are not part of a scene; write the value out\n"
     "    title: *x\n"
     "           ^"},
    {"alias bomb",
     TEXT(HEAD BOX KINDS ONE RUN "title: &a [x, x]\n" "fields: &b [*a, *a]\n" "output: [*b, *b]\n"),
     "s.yaml:7:8: error: anchors (&name) are not part of a scene; write the value out\n"
     "    title: &a [x, x]\n"
     "           ^\n"
     "s.yaml:8:9: error: anchors (&name) are not part of a scene; write the value out\n"
     "    fields: &b [*a, *a]\n"
     "            ^\n"
     "s.yaml:8:13: error: aliases (*name) are not part of a scene; write the value out\n"
     "    fields: &b [*a, *a]\n"
     "                ^\n"
     "s.yaml:8:17: error: aliases (*name) are not part of a scene; write the value out\n"
     "    fields: &b [*a, *a]\n"
     "                    ^\n"
     "s.yaml:9:9: error: expected a map, found a list\n"
     "    output: [*b, *b]\n"
     "            ^\n"
     "s.yaml:9:10: error: aliases (*name) are not part of a scene; write the value out\n"
     "    output: [*b, *b]\n"
     "             ^\n"
     "s.yaml:9:14: error: aliases (*name) are not part of a scene; write the value out\n"
     "    output: [*b, *b]\n"
     "                 ^"},
    {"tag",
     TEXT(HEAD BOX KINDS ONE RUN "title: !!str y\n"),
     "s.yaml:7:8: error: tags (!name) are not part of a scene; quote text that begins with '!'\n"
     "    title: !!str y\n"
     "           ^"},
    {"merge",
     TEXT(HEAD BOX KINDS ONE RUN "<<: {a: 1}\n"),
     "s.yaml:7:1: error: merge keys (<<) are not part of a scene; write the values out\n"
     "    <<: {a: 1}\n"
     "    ^"},
    {"two documents",
     TEXT(HEAD BOX KINDS ONE RUN "---\n" "carom: 1\n"),
     "s.yaml:7:1: error: a second document begins here; a scene is one document\n"
     "    ---\n"
     "    ^"},
    {"fault far along a line",
     TEXT(HEAD BOX KINDS ONE RUN
          "title: \"long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long \" x\n"),
     "s.yaml:7:161: error: not YAML: expected a key; check the indentation\n"
     "    ng long long long long long long long long long \" x\n"
     "                                                      ^"},
    {"character beyond ASCII",
     TEXT(HEAD BOX KINDS ONE RUN "title: \xc3\xa9 \xe2\x88\x91 {\n" "\xc3\xbc" "ber: 1\n"),
     "s.yaml:8:1: error: unknown key '\xc3\xbc" "ber'; known here: carom, title, engine, dimension, seed, box, species, clumps, particles, contacts, planes, cylinders, potentials, bonds, springs, hinges, rods, segments, drives, loads, bodies, meshes, outflow, fields, run, observe, output, view, hard, soft\n"
     "    \xc3\xbc" "ber: 1\n"
     "    ^"},
    {"list as key",
     TEXT(HEAD BOX KINDS ONE RUN "? [a, b]\n" ": 1\n"),
     "s.yaml:7:3: error: a key must be a word, not a list or a map\n"
     "    ? [a, b]\n"
     "      ^"},
    {"deep",
     TEXT(HEAD BOX KINDS ONE RUN "title: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"),
     "s.yaml:7:39: error: nested too deeply; no scene needs more than a few levels\n"
     "    title: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"
     "                                          ^"},
    {"duplicate key",
     TEXT(HEAD BOX KINDS ONE RUN "engine: hard\n"),
     "s.yaml:7:1: error: duplicate key 'engine'; the first is on line 2\n"
     "    engine: hard\n"
     "    ^"},
    {"duplicate key in a flow map",
     TEXT(HEAD BOX "species: {a: {diameter: 1}, a: {diameter: 2}}\n" "particles: []\n" RUN),
     "s.yaml:4:29: error: duplicate key 'a'; the first is on line 4\n"
     "    species: {a: {diameter: 1}, a: {diameter: 2}}\n"
     "                                ^"},
    {"no version",
     TEXT("engine: hard\n" BOX KINDS ONE RUN),
     "s.yaml:1:1: error: missing key 'carom': version of the scene language\n"
     "    engine: hard\n"
     "    ^"},
    {"other version",
     TEXT("carom: 2\n" "engine: hard\n" BOX KINDS ONE RUN),
     "s.yaml:1:8: error: this version of carom reads version 1 of the scene language, not 2\n"
     "    carom: 2\n"
     "           ^"},
    {"version is text",
     TEXT("carom: one\n" "engine: hard\n" BOX KINDS ONE RUN),
     "s.yaml:1:8: error: expected a whole number, found text 'one'\n"
     "    carom: one\n"
     "           ^"},
    {"no engine",
     TEXT("carom: 1\n" BOX KINDS ONE RUN),
     "s.yaml:1:1: error: missing key 'engine': the engine that runs the scene\n"
     "    carom: 1\n"
     "    ^"},
    {"unknown engine",
     TEXT("carom: 1\n" "engine: hrad\n" BOX KINDS ONE RUN),
     "s.yaml:2:9: error: unknown engine 'hrad'; did you mean 'hard'?\n"
     "    engine: hrad\n"
     "            ^"},
    {"far engine",
     TEXT("carom: 1\n" "engine: lattice-gas\n" BOX KINDS ONE RUN),
     "s.yaml:2:9: error: unknown engine 'lattice-gas'; known: hard, soft\n"
     "    engine: lattice-gas\n"
     "            ^"},
    {"engine is a list",
     TEXT("carom: 1\n" "engine: [hard]\n" BOX KINDS ONE RUN),
     "s.yaml:2:9: error: expected one of hard, soft, found a list\n"
     "    engine: [hard]\n"
     "            ^"},
    {"unknown key",
     TEXT(HEAD BOX KINDS ONE RUN "titel: x\n"),
     "s.yaml:7:1: error: unknown key 'titel'; did you mean 'title'?\n"
     "    titel: x\n"
     "    ^"},
    {"unknown key, nothing near",
     TEXT(HEAD BOX KINDS ONE RUN "wavelength: x\n"),
     "s.yaml:7:1: error: unknown key 'wavelength'; known here: carom, title, engine, dimension, seed, box, species, clumps, particles, contacts, planes, cylinders, potentials, bonds, springs, hinges, rods, segments, drives, loads, bodies, meshes, outflow, fields, run, observe, output, view, hard, soft\n"
     "    wavelength: x\n"
     "    ^"},
    {"missing keys",
     TEXT(HEAD),
     "s.yaml:1:1: error: missing key 'species': the kinds of particles, by name\n"
     "s.yaml:1:1: error: missing key 'box': the box that holds the particles\n"
     "s.yaml:1:1: error: missing key 'particles': the initial particles; required unless there are meshes\n"
     "s.yaml:1:1: error: missing key 'run.until': limits, at least one (time, events, ...); the run ends at the first\n"
     "    carom: 1\n"
     "    ^"},
    {"empty value",
     TEXT(HEAD BOX KINDS ONE RUN "observe:\n"),
     "s.yaml:7:9: error: expected a list of observables, found nothing\n"
     "    observe:\n"
     "            ^"},
    {"dimension",
     TEXT(HEAD BOX KINDS ONE RUN "dimension: 4\n"),
     "s.yaml:7:12: error: 'dimension' must be 2 or 3, not 4\n"
     "    dimension: 4\n"
     "               ^"},
    {"seed negative",
     TEXT(HEAD BOX KINDS ONE RUN "seed: -1\n"),
     "s.yaml:7:7: error: expected a whole number that is not negative, found -1\n"
     "    seed: -1\n"
     "          ^"},
    {"seed fraction",
     TEXT(HEAD BOX KINDS ONE RUN "seed: 1.5\n"),
     "s.yaml:7:7: error: expected a whole number, found 1.5\n"
     "    seed: 1.5\n"
     "          ^"},
    {"seed too large",
     TEXT(HEAD BOX KINDS ONE RUN "seed: 18446744073709551616\n"),
     "s.yaml:7:7: error: 18446744073709551616 is too large; whole numbers end at 18446744073709551615\n"
     "    seed: 18446744073709551616\n"
     "          ^"},
    {"seed beyond the range of numbers",
     TEXT(HEAD BOX KINDS ONE RUN "seed: 1e400\n"),
     "s.yaml:7:7: error: 1e400 is too large; whole numbers end at 18446744073709551615\n"
     "    seed: 1e400\n"
     "          ^"},
    {"seed quoted",
     TEXT(HEAD BOX KINDS ONE RUN "seed: \"1\"\n"),
     "s.yaml:7:7: error: expected a whole number, found quoted text '1'\n"
     "    seed: \"1\"\n"
     "          ^"},
    {"seed text",
     TEXT(HEAD BOX KINDS ONE RUN "seed: abc\n"),
     "s.yaml:7:7: error: expected a whole number, found text 'abc'\n"
     "    seed: abc\n"
     "          ^"},
    {"seed a list",
     TEXT(HEAD BOX KINDS ONE RUN "seed: [1]\n"),
     "s.yaml:7:7: error: expected a whole number, found a list\n"
     "    seed: [1]\n"
     "          ^"},
    {"title a map",
     TEXT(HEAD BOX KINDS ONE RUN "title: {a: 1}\n"),
     "s.yaml:7:8: error: expected text, found a map\n"
     "    title: {a: 1}\n"
     "           ^"},
    {"title with a control character",
     TEXT(HEAD BOX KINDS ONE RUN "title: \"a\\x07\"\n"),
     "s.yaml:7:8: error: this text holds the control character 0x07\n"
     "    title: \"a\\x07\"\n"
     "           ^"},
    {"no is text",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, zero_momentum: no}]\n" RUN),
     "s.yaml:5:63: error: expected true or false, found text 'no'\n"
     "    particles: [{species: a, count: 1, place: fcc, zero_momentum: no}]\n"
     "                                                                  ^"},
    {"True is text",
     TEXT(HEAD BOX KINDS "particles: [{species: a, count: 1, place: fcc, zero_momentum: True}]\n" RUN),
     "s.yaml:5:63: error: expected true or false, found text 'True'\n"
     "    particles: [{species: a, count: 1, place: fcc, zero_momentum: True}]\n"
     "                                                                  ^"},
    {"NaN",
     TEXT(HEAD "box: {size: nan}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number that is finite, found 'nan'\n"
     "    box: {size: nan}\n"
     "                ^"},
    {".nan",
     TEXT(HEAD "box: {size: .NaN}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number that is finite, found '.NaN'\n"
     "    box: {size: .NaN}\n"
     "                ^"},
    {"infinity",
     TEXT(HEAD "box: {size: [1, -inf, Infinity]}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:17: error: expected a number that is finite, found '-inf'\n"
     "    box: {size: [1, -inf, Infinity]}\n"
     "                    ^\n"
     "s.yaml:3:23: error: expected a number that is finite, found 'Infinity'\n"
     "    box: {size: [1, -inf, Infinity]}\n"
     "                          ^"},
    {"too large",
     TEXT(HEAD "box: {size: 1e400}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: 1e400 is too large; numbers end at 1.8e308: choose other units\n"
     "    box: {size: 1e400}\n"
     "                ^"},
    {"too small",
     TEXT(HEAD "box: {size: 1e-400}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: 1e-400 is too small; it would be rounded to zero\n"
     "    box: {size: 1e-400}\n"
     "                ^"},
    {"trailing junk",
     TEXT(HEAD "box: {size: 1.5x}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number, found '1.5x': 'x' is left over\n"
     "    box: {size: 1.5x}\n"
     "                ^"},
    {"comma",
     TEXT(HEAD "box: {size: 1;5}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number, found '1;5': ';5' is left over\n"
     "    box: {size: 1;5}\n"
     "                ^"},
    {"hexadecimal",
     TEXT(HEAD "box: {size: 0x10}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number in decimal, found '0x10'\n"
     "    box: {size: 0x10}\n"
     "                ^"},
    {"underscore",
     TEXT(HEAD "box: {size: 1_000}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number, found '1_000': '_000' is left over\n"
     "    box: {size: 1_000}\n"
     "                ^"},
    {"two points",
     TEXT(HEAD "box: {size: 1.2.3}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number, found '1.2.3': '.3' is left over\n"
     "    box: {size: 1.2.3}\n"
     "                ^"},
    {"number with a sign twice",
     TEXT(HEAD "box: {size: --1}\n" KINDS "particles: []\n" RUN),
     "s.yaml:3:13: error: expected a number, found text '--1'\n"
     "    box: {size: --1}\n"
     "                ^"},
    {"decimal comma",
     TEXT(HEAD BOX "species:\n" "  a:\n" "    diameter: 1,5\n" "particles: []\n" RUN),
     "s.yaml:6:15: error: expected a number, found '1,5': ',5' is left over (the decimal point is a point)\n"
     "        diameter: 1,5\n"
     "                  ^"},
};
/* clang-format on */

START_TEST(message_is_exact)
{
    const faulty_scene *one = &cases[_i];
    expect_message(one->name, one->text, one->length, NULL, 0, CAROM_BAD_DATA, one->message);
}
END_TEST

/* clang-format off */
static const struct faulty_set {
    const char *name, *sets[3], *message;
} set_cases[] = {
    {"no equals sign",
     {"foo"},
     "--set foo: error: expected key.path=value, as in run.until.time=10"},
    {"no path",
     {"=1"},
     "--set =1: error: expected key.path=value, as in run.until.time=10"},
    {"unknown key, --set",
     {"run.until.tiem=10"},
     "--set run.until.tiem=10: error: unknown key 'tiem'; did you mean 'time'?\n"
     "    run.until.tiem=10\n"
     "              ^"},
    {"unknown top key",
     {"seeed=1"},
     "--set seeed=1: error: unknown key 'seeed'; did you mean 'seed'?\n"
     "    seeed=1\n"
     "    ^"},
    {"bad value",
     {"run.until.time=abc"},
     "--set run.until.time=abc: error: expected a number, found text 'abc'\n"
     "    run.until.time=abc\n"
     "                   ^"},
    {"bad flow map",
     {"particles.0.velocity={maxwell: -1}"},
     "--set particles.0.velocity={maxwell: -1}: error: 'maxwell' must be at least 0, not -1\n"
     "    particles.0.velocity={maxwell: -1}\n"
     "                                   ^"},
    {"not closed, --set",
     {"particles.0.velocity={maxwell: 1"},
     "--set particles.0.velocity={maxwell: 1: error: not YAML: this map is not closed: expected ',' or '}'\n"
     "    particles.0.velocity={maxwell: 1\n"
     "                         ^"},
    {"index out of range",
     {"particles.3.count=1"},
     "--set particles.3.count=1: error: there is no item 3; the list has 1, counted from 0\n"
     "    particles.3.count=1\n"
     "              ^"},
    {"index is a word",
     {"particles.first.count=1"},
     "--set particles.first.count=1: error: 'first' stands for a list; give an item by its index, 0 being the first\n"
     "    particles.first.count=1\n"
     "              ^"},
    {"empty step",
     {"run..time=1"},
     "--set run..time=1: error: expected a key here, as in run.until.time=10\n"
     "    run..time=1\n"
     "        ^"},
    {"alias, --set",
     {"title=*x"},
     "--set title=*x: error: aliases (*name) are not part of a scene; write the value out\n"
     "    title=*x\n"
     "          ^"},
    {"two overrides",
     {"seed=-1", "dimension=5"},
     "--set seed=-1: error: expected a whole number that is not negative, found -1\n"
     "    seed=-1\n"
     "         ^\n"
     "--set dimension=5: error: 'dimension' must be 2 or 3, not 5\n"
     "    dimension=5\n"
     "              ^"},
    {"empty value, --set",
     {"seed="},
     "--set seed=: error: expected a whole number, found nothing\n"
     "    seed=\n"
     "         ^"},
};
/* clang-format on */

START_TEST(override_is_named)
{
    static const char sound[] = HEAD BOX KINDS ONE RUN;
    const struct faulty_set *one = &set_cases[_i];
    size_t count = 0;
    while (one->sets[count] != NULL) count++;
    expect_message(one->name, sound, sizeof sound - 1, one->sets, count, CAROM_USAGE, one->message);
}
END_TEST

/* A text of `unit` repeated. */
static char *repeat(const char *head, const char *unit, size_t times, const char *tail, size_t *length)
{
    size_t n = strlen(unit), at = strlen(head);
    *length = at + n * times + strlen(tail);
    char *text = memory_new(*length + 1, 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, head, at);
    for (size_t i = 0; i < times; i++, at += n) memcpy(text + at, unit, n);
    memcpy(text + at, tail, strlen(tail));
    return text;
}

START_TEST(many_faults_are_cut_short)
{
    size_t length, lines = 1;
    char *text =
        repeat("carom: 1\n" BOX KINDS ONE RUN "engine: hard\nobserve:\n", "  - {what: presure}\n", 2000, "", &length);
    error e = {0};
    scene *s;
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, length, NULL, 0, &toy_vocabulary, &e), CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), "s.yaml:8:3: error: more than 1000 observables\n"
                                     "      - {what: presure}\n"
                                     "      ^");
    memory_free(text);
    text = repeat("carom: 1\n" BOX KINDS ONE RUN "engine: hard\nplanes:\n", "  - 5\n", 2000, "", &length);
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, length, NULL, 0, &toy_vocabulary, &e), CAROM_BAD_DATA);
    for (const char *c = error_text(&e); *c != '\0'; c++) lines += *c == '\n';
    ck_assert_uint_eq(lines, 3 * 50 + 1);
    const char *last = strrchr(error_text(&e), '\n') + 1;
    printf("last line: %s\n", last);
    ck_assert_str_eq(last, "... and 1950 more");
    memory_free(text);
    error_clear(&e);
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    static const char *const openings[] = {"[", "{a: ", "- ", "? "};
    for (size_t i = 0; i < 4; i++) {
        size_t length;
        char *text = repeat("", openings[i], 200000, "", &length);
        error e = {0};
        scene *s;
        ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, length, NULL, 0, &toy_vocabulary, &e), CAROM_BAD_DATA);
        printf("%s\n", error_text(&e));
        ck_assert_ptr_nonnull(strstr(error_text(&e), "error: nested too deeply"));
        error_clear(&e);
        memory_free(text);
    }
}
END_TEST

START_TEST(long_number_is_refused)
{
    size_t length;
    char *text = repeat(HEAD "box: {size: ", "1", 401, "}\n" KINDS ONE RUN, &length);
    error e = {0};
    scene *s;
    ck_assert_int_eq(scene_read(&s, "s.yaml", NULL, text, length, NULL, 0, &toy_vocabulary, &e), CAROM_BAD_DATA);
    printf("%s\n", error_text(&e));
    ck_assert_ptr_nonnull(strstr(error_text(&e), "s.yaml:3:13: error: a number of 401 characters is too long\n"));
    error_clear(&e);
    memory_free(text);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    error e = {0};
    scene *s;
    ck_assert_int_eq(scene_read_file(&s, "no/such/scene.yaml", NULL, 0, &toy_vocabulary, &e), CAROM_NO_INPUT);
    ck_assert_str_eq(error_text(&e),
                     "no/such/scene.yaml: error: the scene cannot be opened: No such file or directory");
    ck_assert_int_eq(scene_read_file(&s, "/", NULL, 0, &toy_vocabulary, &e), CAROM_NO_INPUT);
    ck_assert_str_eq(error_text(&e), "/: error: this is a folder, not a scene");
    ck_assert_ptr_null(s);
    error_clear(&e);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("messages");
    tcase_add_loop_test(tests, message_is_exact, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(tests, override_is_named, 0, (int)(sizeof set_cases / sizeof set_cases[0]));
    tcase_add_test(tests, many_faults_are_cut_short);
    tcase_add_test(tests, deep_nesting_is_refused);
    tcase_add_test(tests, long_number_is_refused);
    tcase_add_test(tests, files_that_cannot_be_read);
    return suite_run("scene_faults", tests);
}
