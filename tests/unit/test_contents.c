/* Detects contents of result files and comparisons that carom.h returns wrongly: compared with the frames of the run, with
 * its summary, and with the reader of the library. */
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/suite.h"
#include "carom/carom.h"

#define PATH "/tmp/carom-contents-%d.h5"

static const char sticky[] = "carom: 1\n"
                             "engine: aggregation\n"
                             "dimension: 2\n"
                             "box: {size: 20, boundary: wall}\n"
                             "species: {a: {diameter: 1, mass: 2}, b: {diameter: 0.5}}\n"
                             "particles:\n"
                             "  - {species: a, count: 20, place: random, velocity: {circle: 1}}\n"
                             "  - {species: b, count: 20, place: random, velocity: {circle: 1}}\n"
                             "run: {until: {time: 6}}\n"
                             "observe: [{what: clusters, every: 1}, {what: energy, every: 0.5}]\n"
                             "output: {frames: {every: 2}}\n";

static char path[64];
static carom_scene *scene;
static carom_sim *sim;

static void begin(void)
{
    snprintf(path, sizeof path, PATH, (int)getpid());
    const carom_options options = {.output = path, .force = true};
    scene = carom_scene_new();
    ck_assert_int_eq(carom_scene_load_text(scene, "scene", sticky, strlen(sticky)), CAROM_OK);
    ck_assert_int_eq(carom_sim_new(&sim, scene, &options), CAROM_OK);
}

static void end(void)
{
    carom_sim_free(sim);
    carom_scene_free(scene);
    unlink(path);
}

static carom_file *opened(void)
{
    carom_file *file = NULL;
    ck_assert_int_eq(carom_file_open(&file, path), CAROM_OK);
    return file;
}

static void expect_same(const carom_frame *f, const carom_frame *g)
{
    static const char *const names[] = {"position", "velocity", "radius", "mass", "species", "id", "cluster", "image"};
    ck_assert_uint_eq(carom_frame_count(f), carom_frame_count(g));
    ck_assert_double_eq(carom_frame_time(f), carom_frame_time(g));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        carom_channel a, b;
        ck_assert_int_eq(carom_frame_channel(f, names[k], &a), CAROM_OK);
        ck_assert_int_eq(carom_frame_channel(g, names[k], &b), CAROM_OK);
        const size_t size = a.type == CAROM_U32 ? 4 : 8;
        ck_assert_mem_eq(a.data, b.data, a.shape[0] * (a.rank > 1 ? a.shape[1] : 1) * size);
    }
}

START_TEST(frames)
{
    carom_frame *states[4] = {NULL}, *read = NULL;
    for (int n = 0; n < 4; n++) {
        ck_assert_int_eq(carom_sim_advance(sim, 2 * n), CAROM_OK);
        ck_assert_int_eq(carom_sim_take(sim, &states[n]), CAROM_OK);
    }
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_file *file = opened();
    for (uint64_t n = 0; n < 4; n++) {
        ck_assert_int_eq(carom_file_frame(file, n, &read), CAROM_OK);
        expect_same(read, states[n]);
        carom_frame_free(read);
        carom_frame_free(states[n]);
    }
    ck_assert_int_eq(carom_file_frame(file, 4, &read), CAROM_USAGE);
    ck_assert_ptr_null(read);
    puts(carom_file_message(file));
    ck_assert(strstr(carom_file_message(file), "4 frames") != NULL);
    carom_file_free(file);
}
END_TEST

START_TEST(numbers)
{
    carom_channel c;
    carom_frame *frame = NULL;
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_file *file = opened();
    for (size_t n = 0; carom_file_numbers_name(file, n) != NULL; n++) {
        const char *name = carom_file_numbers_name(file, n);
        carom_channel one;
        ck_assert_int_eq(carom_file_numbers(file, name, 1, 2, &c), CAROM_OK);
        ck_assert_uint_eq(c.shape[0], 2);
        ck_assert_int_eq(carom_file_frame(file, 2, &frame), CAROM_OK);
        ck_assert_int_eq(carom_frame_channel(frame, name, &one), CAROM_OK);
        ck_assert_int_eq(one.rank, c.rank - 1);
        const size_t width = (c.rank > 1 ? c.shape[1] : 1) * (c.rank > 2 ? c.shape[2] : 1);
        for (size_t k = 0; k < width && c.type == CAROM_F64; k++) {
            const double stored = ((const double *)c.data)[width + k];
            printf("%s %zu: %.17g %.17g\n", name, k, stored, one.numbers[k]);
            ck_assert_double_le(fabs(stored - one.numbers[k]), 1e-12 * fabs(stored) + 1e-15);
        }
        for (size_t k = 0; k < width && c.type == CAROM_U64; k++)
            ck_assert_uint_eq(((const uint64_t *)c.data)[width + k], one.counts[k]);
        carom_frame_free(frame);
        frame = NULL;
    }
    ck_assert_int_eq(carom_file_numbers(file, "position", 0, 1, &c), CAROM_USAGE);
    ck_assert_int_eq(carom_file_numbers(file, "time", 3, 2, &c), CAROM_USAGE);
    ck_assert_int_eq(carom_file_numbers(file, "time", UINT64_MAX, 2, &c), CAROM_USAGE);
    ck_assert_int_eq(carom_file_numbers(file, "time", 0, UINT64_MAX, &c), CAROM_USAGE);
    carom_file_free(file);
}
END_TEST

START_TEST(contents)
{
    carom_contents about;
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    char *summary = carom_sim_summary(sim);
    carom_file *file = opened(); /* the run has ended; the simulation has not closed its file */
    ck_assert_int_eq(carom_file_contents(file, &about), CAROM_OK);
    ck_assert(!about.checkpoint && !about.being_written);
    ck_assert_str_eq(about.engine, "aggregation");
    ck_assert_str_eq(about.stop, "time");
    ck_assert_str_eq(about.scene, carom_scene_resolved(scene));
    ck_assert(strncmp(about.summary, summary, 200) == 0); /* its durations are those of another moment */
    ck_assert_uint_eq(about.particles, 40);
    ck_assert_uint_eq(about.frames, 4);
    ck_assert_uint_eq(about.merges, carom_sim_events(sim, "merge"));
    ck_assert_uint_eq(about.observables, 2);
    ck_assert_uint_eq(about.species, 2);
    ck_assert_str_eq(carom_file_species(file, 1), "b");
    ck_assert_ptr_null(carom_file_species(file, 2));
    carom_free(summary);
    carom_file_free(file);
}
END_TEST

START_TEST(merges)
{
    const carom_merge *list;
    carom_frame *last = NULL;
    carom_channel cluster;
    size_t count;
    uint32_t root[40];
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_file *file = opened();
    ck_assert_int_eq(carom_file_merges(file, &list, &count), CAROM_OK);
    ck_assert_uint_eq(count, carom_sim_events(sim, "merge"));
    ck_assert_uint_gt(count, 0);
    for (uint32_t i = 0; i < 40; i++) root[i] = i;
    for (size_t k = 0; k < count; k++) {
        const uint32_t from = root[list[k].j] > root[list[k].i] ? root[list[k].j] : root[list[k].i];
        const uint32_t to = root[list[k].j] > root[list[k].i] ? root[list[k].i] : root[list[k].j];
        ck_assert_uint_lt(list[k].i, list[k].j);
        ck_assert_uint_ne(from, to);
        ck_assert(k == 0 || list[k].time >= list[k - 1].time);
        for (uint32_t i = 0; i < 40; i++)
            if (root[i] == from) root[i] = to;
    }
    ck_assert_int_eq(carom_sim_take(sim, &last), CAROM_OK);
    ck_assert_int_eq(carom_frame_channel(last, "cluster", &cluster), CAROM_OK);
    ck_assert_mem_eq(cluster.data, root, sizeof root);
    carom_frame_free(last);
    carom_file_free(file);
}
END_TEST

START_TEST(observables)
{
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_file *file = opened();
    const carom_observable *energy = carom_file_observable(file, 1, false);
    ck_assert_ptr_nonnull(energy);
    ck_assert_str_eq(energy->name, "energy");
    ck_assert_ptr_null(energy->tables[0].columns[0].data);
    ck_assert_uint_eq(energy->tables[0].rows, 13);
    energy = carom_file_observable(file, 1, true);
    for (size_t k = 0; k < 13; k++) ck_assert_double_eq(energy->tables[0].columns[0].data[k], 0.5 * (double)k);
    energy = carom_file_observable(file, 1, false); /* frees the numbers */
    ck_assert_ptr_null(energy->tables[0].columns[0].data);
    ck_assert_ptr_null(carom_file_observable(file, 2, true));
    ck_assert_str_eq(carom_file_message(file), "");
    carom_file_free(file);
}
END_TEST

START_TEST(growing)
{
    carom_contents about;
    ck_assert_int_eq(carom_sim_advance(sim, 3), CAROM_OK);
    carom_file *file = opened();
    ck_assert_int_eq(carom_file_contents(file, &about), CAROM_OK);
    ck_assert_uint_eq(about.frames, 2);
    ck_assert(about.being_written);
    ck_assert_str_eq(about.stop, "none");
    ck_assert_int_eq(carom_sim_run(sim), CAROM_OK);
    carom_sim_free(sim);
    sim = NULL;
    ck_assert_int_eq(carom_file_refresh(file), CAROM_OK);
    ck_assert_int_eq(carom_file_contents(file, &about), CAROM_OK);
    ck_assert_uint_eq(about.frames, 4);
    ck_assert(!about.being_written);
    ck_assert_str_eq(about.stop, "time");
    unlink(path);
    ck_assert_int_eq(carom_file_refresh(file), CAROM_NO_INPUT);
    ck_assert_int_eq(carom_file_contents(file, &about), CAROM_OK);
    ck_assert_int_eq(mkdir(path, 0777), 0); /* the name is now that of something else */
    ck_assert_int_eq(carom_file_refresh(file), CAROM_BAD_DATA);
    ck_assert_int_eq(carom_file_contents(file, &about), CAROM_BAD_DATA);
    ck_assert_int_eq(rmdir(path), 0);
    carom_file_free(file);
}
END_TEST

START_TEST(comparison)
{
    static const char *const engines[] = {"aggregation", "hard"}, *const sets[] = {"seed=5", "run.until.time=2"};
    carom_compare_options options = {.scene = "scene",
                                     .text = sticky,
                                     .length = sizeof sticky - 1,
                                     .engines = engines,
                                     .engine_count = 2,
                                     .sets = sets,
                                     .set_count = 2};
    carom_compare *compare = NULL;
    char *report = NULL;
    ck_assert_int_eq(carom_compare_new(&compare, &options), CAROM_OK);
    ck_assert_ptr_null(carom_compare_summary(compare, 0));
    ck_assert_int_eq(carom_compare_report(compare, true, &report), CAROM_OK);
    ck_assert_str_eq(report, "{\"runs\": [\nnull,\nnull\n]}");
    carom_free(report);
    ck_assert_int_eq(carom_compare_run(compare, 0), CAROM_OK);
    ck_assert(strstr(carom_compare_summary(compare, 0), "\"seed\": 5") != NULL);
    carom_compare_request_stop(compare);
    ck_assert_int_eq(carom_compare_run(compare, 1), CAROM_EARLY);
    ck_assert(strstr(carom_compare_summary(compare, 1), "\"stop\": \"signal\"") != NULL);
    ck_assert_int_eq(carom_compare_run(compare, 1), CAROM_OK);
    ck_assert(strstr(carom_compare_summary(compare, 1), "\"stop\": \"time\"") != NULL);
    ck_assert_int_eq(carom_compare_run(compare, 2), CAROM_USAGE);
    carom_compare_free(compare);
    options.engine_count = 9;
    ck_assert_int_eq(carom_compare_new(&compare, &options), CAROM_USAGE);
    puts(carom_compare_message(compare));
    carom_compare_free(compare);
}
END_TEST

static atomic_bool begun, done;

static void *request_stops(void *compare)
{
    while (!atomic_load(&done)) {
        carom_compare_request_stop(compare);
        atomic_store(&begun, true);
    }
    return NULL;
}

/* From another thread at any moment, also while a run begins and ends: the requests must not reach a simulation that
 * has been freed (address sanitizer). */
START_TEST(requests_from_another_thread)
{
    static const char *const engines[] = {"aggregation"};
    const carom_compare_options options = {
        .scene = "scene", .text = sticky, .length = sizeof sticky - 1, .engines = engines, .engine_count = 1};
    carom_compare *compare = NULL;
    pthread_t thread;
    ck_assert_int_eq(carom_compare_new(&compare, &options), CAROM_OK);
    ck_assert_int_eq(pthread_create(&thread, NULL, request_stops, compare), 0);
    while (!atomic_load(&begun)) sched_yield();
    ck_assert_int_eq(carom_compare_run(compare, 0), CAROM_EARLY);
    for (int n = 0; n < 60; n++) {
        const carom_status status = carom_compare_run(compare, 0);
        ck_assert(status == CAROM_OK || status == CAROM_EARLY);
    }
    atomic_store(&done, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    carom_compare_free(compare);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("contents");
    tcase_add_checked_fixture(c, begin, end);
    tcase_add_test(c, frames);
    tcase_add_test(c, numbers);
    tcase_add_test(c, contents);
    tcase_add_test(c, merges);
    tcase_add_test(c, observables);
    tcase_add_test(c, growing);
    tcase_add_test(c, comparison);
    tcase_add_test(c, requests_from_another_thread);
    return suite_run("contents", c);
}
