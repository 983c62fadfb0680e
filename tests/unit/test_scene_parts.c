/* Detects faults whose parts (place, key, remedy) differ from the message, trees that change what is written, and wrong
 * removals of keys. */
#include "../support/suite.h"

#include <carom/carom.h>
#include <stdio.h>
#include <string.h>

#define BEGIN "carom: 1\nengine: hard\n"
#define REST                                                                                                           \
    "box: {size: 10}\nspecies: {grain: {diameter: 1}}\n"                                                               \
    "particles: [{species: grain, place: {at: [[2, 2, 2], [5, 5, 5]]}}]\nrun: {until: {time: 1}}\n"

static carom_scene *load(const char *text, carom_status wanted)
{
    carom_scene *scene = carom_scene_new();
    const carom_status status = carom_scene_load_text(scene, "s.yaml", text, strlen(text));
    printf("%s\n", carom_scene_message(scene));
    ck_assert_int_eq(status, wanted);
    return scene;
}

/* ---- Faults ---- */

/* clang-format off */
static const struct {
    const char *text, *set;
    carom_fault fault;
} cases[] = {
    {BEGIN REST "raduis: 3\n", NULL,
     {"s.yaml", 7, 1, "raduis", "unknown key 'raduis'; known here: ", "known here: "}},
    {BEGIN "species: {grain: {diameter: 1, mas: 2}}\n", NULL,
     {"s.yaml", 3, 32, "species.grain.mas", "unknown key 'mas'; did you mean 'mass'?", "did you mean 'mass'?"}},
    {BEGIN "box: {size: 10}\nspecies: {grain: {diameter: 1}}\nrun: {until: {time: 1}}\n"
     "particles:\n  - {species: grain, count: 1, place: sc}\n  - {species: grain, count: -5, place: sc}\n", NULL,
     {"s.yaml", 8, 29, "particles.1.count", "expected a whole number that is not negative, found -5", ""}},
    {BEGIN REST, "run.until.tim=3",
     {"--set run.until.tim=3", 0, 0, "run.until.tim", "unknown key 'tim'; did you mean 'time'?", "did you mean 'time'?"}},
    {BEGIN REST, "box.size=[1",
     {"--set box.size=[1", 0, 0, "box.size", "not YAML: this list is not closed: expected ',' or ']'", ""}},
    {BEGIN "box: {size: 10\n", NULL,
     {"s.yaml", 3, 6, "", "not YAML: this map is not closed: expected ',' or '}'", ""}},
    {"", NULL, {"s.yaml", 1, 1, "", "this scene is empty; 'carom init' writes an example", "'carom init' writes an example"}},
    {BEGIN REST "observe:\n  - {what: energy}\n  - {what: msd, every: 1, fit_from: 3, fit_to: 2}\n", NULL,
     {"s.yaml", 9, 27, "observe.1.fit_from", "msd: ", ""}},
    /* Found by the engine. */
    {BEGIN REST "springs: [{name: s, pairs: [[0, 1]], stiffness: 1}]\n", NULL,
     {"s.yaml", 7, 1, "springs", "the engine `hard` has no springs; leave them out, or use `engine: variational`",
      "leave them out, or use `engine: variational`"}},
    {BEGIN REST "hard: {bias: 1e-6}\n", NULL,
     {"s.yaml", 7, 8, "hard.bias", "hard.bias does nothing without hard.detection: bias; give that, too, or leave bias out",
      "give that, too, or leave bias out"}},
};
/* clang-format on */

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

START_TEST(parts_of_a_fault)
{
    const carom_fault *wanted = &cases[_i].fault;
    carom_scene *scene = carom_scene_new();
    if (cases[_i].set != NULL) carom_scene_set(scene, cases[_i].set);
    ck_assert_int_ne(carom_scene_load_text(scene, "s.yaml", cases[_i].text, strlen(cases[_i].text)), CAROM_OK);
    size_t n = 0; /* the fault in question, among others that the text has */
    while (n < carom_scene_fault_count(scene) && !begins_with(carom_scene_fault(scene, n)->message, wanted->message))
        n++;
    const carom_fault *fault = carom_scene_fault(scene, n);
    ck_assert_msg(fault != NULL, "%s", carom_scene_message(scene));
    ck_assert_str_eq(fault->file, wanted->file);
    ck_assert_uint_eq(fault->line, wanted->line);
    ck_assert_uint_eq(fault->column, wanted->column);
    ck_assert_str_eq(fault->key, wanted->key);
    if (wanted->hint[0] == '\0') ck_assert_str_eq(fault->hint, "");
    ck_assert_msg(begins_with(fault->hint, wanted->hint), "hint: %s", fault->hint);
    char line[600];
    if (fault->line > 0)
        snprintf(line, sizeof line, "%s:%u:%u: error: %s", fault->file, fault->line, fault->column, fault->message);
    else
        snprintf(line, sizeof line, "%s: error: %s", fault->file, fault->message);
    ck_assert_ptr_nonnull(strstr(carom_scene_message(scene), line));
    carom_scene_free(scene);
}
END_TEST

/* In the order of the message; none after a successful load. */
START_TEST(all_faults)
{
    carom_scene *scene = load("carom: 1\nengine: hrad\nbox: {size: ten}\nseed: -1\n", CAROM_BAD_DATA);
    const size_t count = carom_scene_fault_count(scene);
    ck_assert_uint_ge(count, 4);
    const char *rest = carom_scene_message(scene);
    for (size_t n = 0; n < count; n++) {
        rest = strstr(rest, carom_scene_fault(scene, n)->message);
        ck_assert_msg(rest != NULL, "fault %zu is not in the order of the message", n);
    }
    ck_assert_ptr_null(carom_scene_fault(scene, count));
    ck_assert_int_eq(carom_scene_load_text(scene, "s.yaml", BEGIN REST, strlen(BEGIN REST)), CAROM_OK);
    ck_assert_uint_eq(carom_scene_fault_count(scene), 0);
    carom_scene_free(scene);
}
END_TEST

/* Faults of the initial state and of the files that the scene names. */
START_TEST(faults_of_the_state)
{
    static const char overlap[] = BEGIN "box: {size: 10}\nspecies: {grain: {diameter: 1}}\nrun: {until: {time: 1}}\n"
                                        "particles:\n  - {species: grain, place: {at: [[2, 2, 2]]}}\n"
                                        "  - {species: grain, place: {at: [[2.5, 2, 2]]}}\n";
    static const char file[] = BEGIN "box: {size: 10}\nspecies: {grain: {diameter: 1}}\nrun: {until: {time: 1}}\n"
                                     "particles: [{species: grain, place: {file: parts.xyz}}]\n";
    carom_estimate estimate;
    carom_sim *sim;
    carom_scene *scene = load(overlap, CAROM_OK);
    ck_assert_int_eq(carom_scene_check(scene, &estimate), CAROM_BAD_DATA);
    ck_assert_uint_eq(carom_scene_fault_count(scene), 1);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->key, "particles.0.place");
    ck_assert_uint_eq(carom_scene_fault(scene, 0)->line, 7);
    ck_assert_int_eq(carom_sim_new(&sim, scene, NULL), CAROM_BAD_DATA);
    ck_assert_uint_eq(carom_sim_fault_count(sim), 1);
    ck_assert_str_eq(carom_sim_fault(sim, 0)->message, carom_scene_fault(scene, 0)->message);
    carom_sim_free(sim);
    carom_scene_free(scene);

    FILE *out = fopen("parts.xyz", "w");
    ck_assert(out != NULL && fputs("1\n\ngrain 1 2 x\n", out) >= 0 && fclose(out) == 0);
    scene = load(file, CAROM_OK);
    ck_assert_int_eq(carom_scene_check(scene, &estimate), CAROM_BAD_DATA);
    remove("parts.xyz");
    ck_assert_uint_eq(carom_scene_fault_count(scene), 1);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->file, "parts.xyz");
    ck_assert_uint_eq(carom_scene_fault(scene, 0)->line, 3);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->message, "pos: 'x' is no number");
    carom_scene_free(scene);
}
END_TEST

/* ---- Trees ---- */

static void expect_tree(const char *text, const char *set, const char *unset, const char *wanted)
{
    char *json = NULL;
    carom_scene *scene = carom_scene_new();
    if (set != NULL) carom_scene_set(scene, set);
    if (unset != NULL) carom_scene_unset(scene, unset);
    const carom_status status = carom_scene_tree(scene, "s.yaml", text, strlen(text), &json);
    ck_assert_msg(status == CAROM_OK, "%s", carom_scene_message(scene));
    ck_assert_str_eq(json, wanted);
    carom_free(json);
    carom_scene_free(scene);
}

START_TEST(trees)
{
    expect_tree("a: 1\nb: [1e3, -.5, +7, 007, 5., 0x1f, .inf, no, 1_000]\n", NULL, NULL,
                "{\"a\": 1, \"b\": [1e3, -0.5, 7, 7, 5, \"0x1f\", \".inf\", \"no\", \"1_000\"]}");
    expect_tree("'1': \"2\"\nc: true\nd: 'true'\ne:\nf: \"\"\ng: null\n", NULL, NULL,
                "{\"1\": \"2\", \"c\": true, \"d\": \"true\", \"e\": null, \"f\": \"\", \"g\": \"null\"}");
    expect_tree("t: \"a\\n\\\"b\\\\ \\x01 \xc3\xa9\"\n", NULL, NULL, "{\"t\": \"a\\u000a\\\"b\\\\ \\u0001 \xc3\xa9\"}");
    expect_tree("seed: 18446744073709551615\nx: [[1, 2], {y: {}}, []]\n", NULL, NULL,
                "{\"seed\": 18446744073709551615, \"x\": [[1, 2], {\"y\": {}}, []]}");
    expect_tree("a: {b: 1}\nl: [1, {c: 2}]\n", "l.1.c=[3, x]", "a.b", "{\"a\": {}, \"l\": [1, {\"c\": [3, \"x\"]}]}");
    expect_tree("a: {b: 1}\nl: [1, {c: 2}, 3]\n", "a.n.m=4", "l.1",
                "{\"a\": {\"b\": 1, \"n\": {\"m\": 4}}, \"l\": [1, 3]}");
}
END_TEST

START_TEST(removals)
{
    carom_scene *scene = carom_scene_new();
    carom_scene_unset(scene, "seed");
    ck_assert_int_eq(carom_scene_load_text(scene, "s.yaml", BEGIN "seed: 3\n" REST, strlen(BEGIN "seed: 3\n" REST)),
                     CAROM_OK);
    ck_assert_ptr_nonnull(strstr(carom_scene_resolved(scene), "\nseed: 0\n"));
    ck_assert_int_eq(carom_scene_load_text(scene, "s.yaml", BEGIN REST, strlen(BEGIN REST)), CAROM_USAGE);
    ck_assert_str_eq(carom_scene_message(scene),
                     "--unset seed: error: there is no key 'seed' to remove\n    seed\n    ^");
    carom_scene_free(scene);
    scene = carom_scene_new();
    carom_scene_unset(scene, "run.until"); /* then a required key is missing */
    ck_assert_int_eq(carom_scene_load_text(scene, "s.yaml", BEGIN REST, strlen(BEGIN REST)), CAROM_BAD_DATA);
    ck_assert_str_eq(carom_scene_fault(scene, 0)->key, "run");
    carom_scene_free(scene);
}
END_TEST

/* Only scenes of programs that give the limits themselves. */
START_TEST(scenes_without_limits)
{
    static const char text[] = BEGIN "box: {size: 10}\nspecies: {grain: {diameter: 1}}\n"
                                     "particles: [{species: grain, place: {at: [[2, 2, 2]]}}]\n";
    carom_scene *scene = load(text, CAROM_BAD_DATA);
    ck_assert_ptr_nonnull(strstr(carom_scene_message(scene), "missing key 'run.until'"));
    ck_assert_int_eq(carom_scene_allow_endless(scene), CAROM_OK);
    ck_assert_int_eq(carom_scene_load_text(scene, "s.yaml", text, strlen(text)), CAROM_OK);
    carom_scene *again = carom_scene_new(); /* its resolved text is such a scene, too */
    carom_scene_allow_endless(again);
    const char *resolved = carom_scene_resolved(scene);
    ck_assert_int_eq(carom_scene_load_text(again, "r.yaml", resolved, strlen(resolved)), CAROM_OK);
    ck_assert_str_eq(carom_scene_resolved(again), resolved);
    carom_scene_free(again);
    carom_scene_free(scene);
}
END_TEST

START_TEST(keys)
{
    char *json = NULL;
    ck_assert_int_eq(carom_keys("box", &json), CAROM_OK);
    ck_assert(begins_with(json, "[{\"name\": \"size\", \"help\": \""));
    ck_assert_ptr_nonnull(strstr(json, "{\"name\": \"boundary\""));
    ck_assert_ptr_null(strstr(json, "\"name\": \"box\""));
    carom_free(json);
    ck_assert_int_eq(carom_keys("", &json), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(json, "{\"name\": \"particles\""));
    ck_assert_ptr_nonnull(strstr(json, "{\"name\": \"aggregation\""));
    carom_free(json);
    ck_assert_int_eq(carom_keys("particles.3.place.compress", &json), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(json, "{\"name\": \"rate\""));
    ck_assert_ptr_nonnull(strstr(json, "\"default\": \"0.01\", \"kind\": \"value\"}"));
    carom_free(json);
    ck_assert_int_eq(carom_keys("seed", &json), CAROM_USAGE);
    ck_assert_ptr_null(json);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("scene parts");
    tcase_add_loop_test(all, parts_of_a_fault, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(all, all_faults);
    tcase_add_test(all, faults_of_the_state);
    tcase_add_test(all, trees);
    tcase_add_test(all, removals);
    tcase_add_test(all, scenes_without_limits);
    tcase_add_test(all, keys);
    return suite_run("scene parts", all);
}
