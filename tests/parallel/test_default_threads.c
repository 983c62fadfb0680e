/* Detects a default number of threads that slows a run down, or that a feature of the scene refuses. */
#include "../support/suite.h"

#include "base/cores.h"
#include "base/memory.h"
#include "carom/carom.h"
#include "engine/engine.h"
#include "sim/scene_api.h"

typedef struct choice {
    const char *key; /* override of the scene; NULL: none */
    size_t count;    /* particles of diameter 1; the first has another: */
    double largest;
    double side; /* of the box */
    int cores, wanted;
} choice;

static const choice choices[] = {
    {NULL, 1000000, 1, 102.3, 16, 10},
    {NULL, 1000000, 1, 102.3, 2, 2},
    {NULL, 1000000, 1, 102.3, 1, 1},
    {NULL, 200000, 1, 59.8, 16, 2},
    {NULL, 199999, 1, 59.8, 16, 1},
    {NULL, 200000, 1, 128, 16, 2},
    {NULL, 200000, 30, 128, 16, 1},
    {NULL, 10000000, 5, 400, 64, 37}, /* sides of 120 */
    {"hard={collapse: {policy: sleep, speed: 0.01}}", 1000000, 1, 102.3, 16, 1},
    {"hard.detection=naive", 1000000, 1, 102.3, 16, 1},
    {"hard.reference=true", 1000000, 1, 102.3, 16, 1},
    {"output={events: {}}", 1000000, 1, 102.3, 16, 1},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static const char text[] =
    "carom: 1\nengine: hard\nseed: 3\nbox: {size: 100, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "fields: {gravity: [0, 0, -1]}\n"
    "particles: [{species: a, count: 40, place: random}]\nrun: {until: {time: 1}}\n";

START_TEST(threads_are_as_many_as_pay)
{
    const choice *c = &choices[_i];
    carom_scene *loaded = carom_scene_new();
    initial_state state = {.count = c->count, .size = {c->side, c->side, c->side}};
    state.diameter = NEW_ARRAY(c->count, double);
    for (size_t i = 0; i < c->count; i++) state.diameter[i] = i == 0 ? c->largest : 1;
    if (c->key != NULL) ck_assert_int_eq(carom_scene_set(loaded, c->key), CAROM_OK);
    if (carom_scene_load_text(loaded, "text", text, strlen(text)) != CAROM_OK)
        ck_abort_msg("%s", carom_scene_message(loaded));
    ck_assert_int_eq(engine_hard.threads(loaded->checked, &state, c->cores), c->wanted);
    memory_free(state.diameter);
    carom_scene_free(loaded);
}
END_TEST

/* On this machine: the choice of a small run, which the result and the summary state. */
START_TEST(small_runs_have_one_thread)
{
    carom_scene *loaded = carom_scene_new();
    carom_sim *sim = NULL;
    const carom_options options = {.threads = CAROM_THREADS_AUTOMATIC};
    ck_assert_int_eq(carom_scene_load_text(loaded, "text", text, strlen(text)), CAROM_OK);
    ck_assert_int_eq(carom_sim_new(&sim, loaded, &options), CAROM_OK);
    char *summary = carom_sim_summary(sim);
    ck_assert_ptr_nonnull(strstr(summary, "\"threads\": 1,"));
    ck_assert_int_ge(carom_cores(), 1);
    ck_assert_int_eq(carom_cores(), cores_usable());
    carom_free(summary);
    carom_sim_free(sim);
    carom_scene_free(loaded);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("threads");
    tcase_add_loop_test(c, threads_are_as_many_as_pay, 0, CHOICES);
    tcase_add_test(c, small_runs_have_one_thread);
    return suite_run("default threads", c);
}
