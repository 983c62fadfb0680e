/* Detects columns of frames that depend on when they are filled: all together, one after the other, after the end of
 * the simulation; and frames that change when the run goes on. */
#include "../support/play.h"
#include "../support/suite.h"

#include "frame/channels.h"
#include "sim/sim.h"

#include <math.h>
#include <unistd.h>

#define TIME 0.5
#define HEAD(engine, dimension)                                                                                        \
    "carom: 1\nseed: 9\nrun: {until: {time: 1}}\nengine: " engine "\ndimension: " dimension "\n"
#define GRAIN "species: {a: {diameter: 1, mass: 1.5}}\n"
#define GAS(count) "particles: [{species: a, count: " count ", place: random, velocity: {maxwell: 1}}]\n"
#define ELASTIC "contacts: [{between: [a, a], restitution: 1}]\n"

static const char *const scenes[] = {
    HEAD("hard",
         "3") "box: {size: [5, 6, 7]}\nspecies: {a: {diameter: {uniform: [0.8, 1]}, density: 2}, b: {diameter: "
              "0.5, mass: 3}}\nparticles: [{species: {a: 2, b: 1}, count: 60, place: random, velocity: {maxwell: "
              "1}, zero_momentum: false}]\n",
    HEAD("hard", "2") "box: {size: [9, 8], boundary: [periodic, wall]}\n" GRAIN
                      "fields: {gravity: [0.5, -1]}\n" GAS("30"),
    HEAD("hard", "2") "box: {size: [9, 8]}\n" GRAIN "hard: {precision: float}\n" GAS("30"),
    HEAD("hard", "3") "box: {size: [5, 6, 7], boundary: [wall, periodic, wall]}\n" GRAIN
                      "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}, angular_velocity: "
                      "{maxwell: 2}}]\ncontacts: [{between: [a, a], restitution: 0.9, tangential: 0.5}]\n",
    HEAD("hard",
         "3") "box: {size: [5, 6, 7]}\nspecies: {a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}, b: {diameter: 0.8}}\n"
              "particles: [{species: {a: 2, b: 1}, count: 30, place: random, velocity: {maxwell: 1}}]\n",
    HEAD("hard", "3") "box: {size: [5, 6, 7]}\n" GRAIN GAS("40") "hard: {shear: {rate: 0.5}}\n"
                                                                 "contacts: [{between: [a, a], restitution: 0.8}]\n",
    HEAD("hard", "3") "box: {packing_fraction: 0.3}\n" GRAIN GAS("40") "hard: {compression: {rate: 0.02}}\n",
    HEAD("hard",
         "3") "box: {size: [6, 6, 8], boundary: wall}\n" GRAIN
              "meshes: [{name: plate, shape: {rectangle: {length: 6, width: 6, along: 2, across: 2}}, place: {at: "
              "[3, 3, 1]}, rigid: true}]\ndrives: [{name: up, mesh: plate, motion: [{velocity: [0, 0, 0.1]}]}]\n"
              "particles: [{species: a, place: {at: [[2, 3, 4], [4, 3, 5]]}, velocity: {maxwell: 1}}]\n",
    HEAD("hard", "3") "box: {size: [5, 6, 7]}\n" GRAIN GAS(
        "40") "potentials: [{between: [a, a], square_well: {range: 1.5, depth: 1}}]\n",
    HEAD("aggregation", "2") "box: {size: [20, 24]}\n" GRAIN GAS("60"),
    HEAD("aggregation", "3") "box: {size: [8, 9, 10]}\n" GRAIN GAS("60") "aggregation: {rotation: true}\n",
    HEAD("aggregation", "2") "box: {size: [14, 12], boundary: wall}\n" GRAIN GAS(
        "40") "aggregation: {method: steps, steps: {dt: 0.05}}\n",
    HEAD("variational", "3") "box: {size: [6, 4, 4], boundary: open}\nspecies: {a: {diameter: 0.2}}\nfields: {gravity: "
                             "[0, 0, -1]}\nmeshes: [{name: sheet, shape: {rectangle: {length: 1, width: 1, along: 2, "
                             "across: 2}}, place: {at: [2, 2, 1.15]}, thickness: 0.1, density: 10, stretch: 50, bend: "
                             "0.05}]\nparticles: [{species: a, place: {at: [[2, 2, 1.4]]}}]\n",
    HEAD("variational", "2") "box: {size: [9, 8]}\n" GRAIN GAS("30"),
};
enum { SCENES = sizeof scenes / sizeof *scenes, MOST_CHANNELS = FRAME_CHANNELS_MOST };

/* The values of all channels of a frame, in the order of their names or the reverse. */
typedef struct values {
    size_t count, bytes[MOST_CHANNELS];
    void *data[MOST_CHANNELS];
} values;

static void read_channel(values *v, const carom_frame *f, size_t n)
{
    carom_channel c;
    REQUIRE(carom_frame_channel(f, carom_frame_channel_name(f, n), &c) == CAROM_OK);
    size_t elements = 1;
    for (int k = 0; k < c.rank; k++) elements *= c.shape[k];
    const size_t each = c.data != NULL ? snapshot_element_size((snapshot_type)c.type) : sizeof *c.numbers;
    v->bytes[n] = elements * each;
    v->data[n] = malloc(v->bytes[n] + 1);
    REQUIRE(v->data[n] != NULL);
    memcpy(v->data[n],
           c.data != NULL        ? c.data
           : c.type == CAROM_U64 ? (void *)c.counts
                                 : (void *)c.numbers,
           v->bytes[n]);
}

static values read_values(const carom_frame *f, bool reverse)
{
    values v = {.count = 0};
    while (carom_frame_channel_name(f, v.count) != NULL) v.count++;
    for (size_t n = 0; n < v.count; n++) read_channel(&v, f, reverse ? v.count - 1 - n : n);
    return v;
}

static void free_values(values *v)
{
    for (size_t n = 0; n < v->count; n++) free(v->data[n]);
}

static void expect_values(const carom_frame *f, const values *wanted, bool reverse, const char *what)
{
    values v = read_values(f, reverse);
    ck_assert_uint_eq(v.count, wanted->count);
    for (size_t n = 0; n < v.count; n++) {
        ck_assert_uint_eq(v.bytes[n], wanted->bytes[n]);
        ck_assert_msg(memcmp(v.data[n], wanted->data[n], v.bytes[n]) == 0, "%s: %s differs", what,
                      carom_frame_channel_name(f, n));
    }
    printf("%s: %zu channels are equal\n", what, v.count);
    free_values(&v);
}

static play run_to(const char *text, double time, const carom_options *options)
{
    play p = play_try(text, NULL, options);
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = time}), CAROM_OK);
    return p;
}

static carom_frame *take(const play *p)
{
    carom_frame *f = NULL;
    ck_assert_int_eq(carom_sim_take(p->sim, &f), CAROM_OK);
    return f;
}

/* All columns in one pass, by another simulation. */
static values values_at(const char *text, double time)
{
    play p = run_to(text, time, NULL);
    const values v = read_values(carom_sim_frame(p.sim), false);
    play_close(&p);
    return v;
}

START_TEST(columns_do_not_depend_on_when_they_are_filled)
{
    values wanted = values_at(scenes[_i], TIME);
    play p = run_to(scenes[_i], TIME, NULL);
    carom_frame *unread = take(&p), *last = take(&p), *read = take(&p), *part = take(&p);
    expect_values(read, &wanted, true, "one after the other");
    REQUIRE(carom_frame_velocities(part) != NULL && carom_frame_radii(part) != NULL);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = 2 * TIME}), CAROM_OK);
    expect_values(unread, &wanted, false, "completed before the run went on");
    expect_values(part, &wanted, true, "read in part before");
    carom_frame_free(part);
    carom_frame_free(read);
    values later = values_at(scenes[_i], 2 * TIME);
    carom_frame *end = take(&p); /* in the memory of one of those */
    play_close(&p);
    expect_values(last, &wanted, false, "after the end of the simulation");
    expect_values(end, &later, true, "at the end of the simulation");
    carom_frame_free(unread);
    carom_frame_free(last);
    carom_frame_free(end);
    free_values(&wanted);
    free_values(&later);
}
END_TEST

static void compare_result(const char *text, double time, const char *set, int threads)
{
    char folder[] = "/tmp/columnsXXXXXX", path[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/run.h5", folder);
    const carom_options options = {.output = path, .threads = threads};
    play whole = run_to(text, time, NULL), p = play_try(text, set, &options);
    ck_assert_int_eq(p.created, CAROM_OK);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_OK);
    play_close(&p);
    carom_file *file;
    carom_frame *stored = NULL;
    const carom_frame *f = carom_sim_frame(whole.sim);
    ck_assert_int_eq(carom_file_open(&file, path), CAROM_OK);
    ck_assert_int_eq(carom_file_frame(file, 1, &stored), CAROM_OK);
    ck_assert(carom_frame_time(stored) == time && carom_frame_state_hash(stored) == carom_frame_state_hash(f));
    carom_energy energy;
    carom_channel kinetic; /* the sum when it was written */
    REQUIRE(carom_frame_energy(f, &energy) == CAROM_OK);
    REQUIRE(carom_frame_channel(stored, "kinetic", &kinetic) == CAROM_OK);
    ck_assert(energy.kinetic == kinetic.numbers[0]);
    size_t arrays = 0;
    for (size_t n = 0; carom_frame_channel_name(f, n) != NULL; n++) {
        carom_channel a, b;
        REQUIRE(carom_frame_channel(f, carom_frame_channel_name(f, n), &a) == CAROM_OK);
        if (a.data == NULL) continue;
        REQUIRE(carom_frame_channel(stored, a.name, &b) == CAROM_OK);
        const size_t elements = a.shape[0] * (a.rank > 1 ? a.shape[1] : 1);
        ck_assert_mem_eq(a.data, b.data, elements * snapshot_element_size((snapshot_type)a.type));
        arrays++;
    }
    printf("%zu arrays are equal\n", arrays);
    carom_frame_free(stored);
    carom_file_free(file);
    play_close(&whole);
    unlink(path);
    rmdir(folder);
}

/* Columns are written one after the other, each from a frame that has forgotten the one before if they are large. */
START_TEST(results_have_the_same_columns)
{
    compare_result(scenes[_i], TIME, "output.frames.every=0.5", 1);
}
END_TEST

/* Of many particles they are written in blocks, whose columns come from the gas or from two domains. A chunk of positions has an
 * odd number of particles here: digests require whole words. */
START_TEST(large_results_have_the_same_columns)
{
    compare_result(HEAD("hard", "3") "box: {packing_fraction: 0.1}\noutput: {frames: {every: 0.02}}\n" GRAIN
                                     "particles: [{species: a, count: 350001, place: fcc, velocity: {maxwell: 1}}]\n",
                   0.02, "run.until.time=0.02", 1 + _i);
}
END_TEST

/* A frame that is freed before the run goes on costs no column. */
START_TEST(only_frames_in_use_are_completed)
{
    play p = run_to(scenes[0], TIME, NULL);
    carom_frame *kept = take(&p), *freed = take(&p);
    const frame_source *source = freed->source;
    REQUIRE(carom_frame_velocities(freed) != NULL);
    ck_assert_uint_eq(source->filled, FRAME_VELOCITY);
    ck_assert_uint_eq(kept->source->filled, 0);
    carom_frame_free(freed);
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = 2 * TIME}), CAROM_OK);
    ck_assert_uint_eq(kept->source->filled & FRAME_ALL, FRAME_ALL);
    ck_assert_uint_eq(source->filled, FRAME_VELOCITY);
    carom_frame *again = take(&p);
    ck_assert_ptr_eq(again->source, source); /* its memory is used again */
    ck_assert_uint_eq(source->filled, 0);
    REQUIRE(carom_frame_radii(again) != NULL);
    carom_frame_free(again);
    again = take(&p);
    ck_assert_uint_eq(source->filled, FRAME_RADIUS); /* a constant */
    carom_frame_free(again);
    carom_frame_free(kept);
    play_close(&p);
}
END_TEST

/* Changes from outside between two parts of a run. */
START_TEST(frames_do_not_change_with_the_state)
{
    values wanted = values_at(scenes[0], TIME);
    play p = run_to(scenes[0], TIME, NULL);
    carom_frame *before = take(&p);
    double *still = calloc(60 * 3, sizeof *still);
    REQUIRE(still != NULL);
    ck_assert_int_eq(carom_sim_set_velocities(p.sim, 60, NULL, still), CAROM_OK);
    carom_frame *stopped = take(&p);
    expect_values(before, &wanted, true, "before the velocities were set");
    const uint32_t id = 7;
    ck_assert_int_eq(carom_sim_remove_particles(p.sim, 1, &id), CAROM_OK);
    carom_frame *fewer = take(&p);
    ck_assert_uint_eq(carom_frame_count(fewer), 59);
    ck_assert_uint_eq(carom_frame_count(stopped), 60);
    carom_energy energy;
    ck_assert_int_eq(carom_frame_energy(stopped, &energy), CAROM_OK);
    ck_assert(energy.kinetic == 0);
    const double *r = carom_frame_positions(stopped), *wanted_r = carom_frame_positions(before);
    for (size_t k = 0; k < 60 * 3; k++) REQUIRE(fabs(r[k] - wanted_r[k]) < 1e-14); /* rounded once more */
    carom_channel ids;
    ck_assert_int_eq(carom_sim_change(p.sim, "fields.gravity=[0, 0, -1]"), CAROM_OK);
    carom_frame *falling = take(&p);
    ck_assert_int_eq(carom_sim_remove_particles(p.sim, 1, &(uint32_t){3}), CAROM_OK);
    ck_assert_int_eq(carom_frame_channel(falling, "id", &ids), CAROM_OK);
    for (uint32_t n = 0; n < 59; n++) REQUIRE(((const uint32_t *)ids.data)[n] == n + (n >= 7));
    carom_frame_free(falling);
    ck_assert_int_eq(carom_frame_channel(fewer, "id", &ids), CAROM_OK);
    for (uint32_t n = 0; n < 59; n++) REQUIRE(((const uint32_t *)ids.data)[n] == n + (n >= 7));
    carom_frame_free(before);
    carom_frame_free(stopped);
    carom_frame_free(fewer);
    play_close(&p);
    free_values(&wanted);
    free(still);
}
END_TEST

START_TEST(a_frame_can_be_overwritten)
{
    values early = values_at(scenes[_i], TIME), late = values_at(scenes[_i], 2 * TIME);
    play p = run_to(scenes[_i], TIME, NULL);
    carom_frame *f = take(&p);
    const void *at = carom_frame_positions(f);
    expect_values(f, &early, false, "the first time");
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = 2 * TIME}), CAROM_OK);
    ck_assert_int_eq(carom_sim_take(p.sim, &f), CAROM_OK);
    ck_assert_ptr_eq(carom_frame_positions(f), at);
    expect_values(f, &late, true, "overwritten");
    carom_frame_free(f);
    play_close(&p);
    free_values(&early);
    free_values(&late);
}
END_TEST

/* The kernel of an engine that fills frames at once. */
static const engine_kernel *divided;

static void fill_at_once(void *self, double time, carom_frame *f)
{
    engine_fill_frame(divided, self, time, FRAME_ALL, f);
}

START_TEST(engines_may_fill_frames_at_once)
{
    values wanted = values_at(scenes[_i], TIME);
    play p = play_open(scenes[_i], NULL);
    engine_kernel whole = *(divided = p.sim->kernel);
    whole.fill_frame = fill_at_once;
    whole.fill_columns = NULL;
    p.sim->kernel = &whole;
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = TIME}), CAROM_OK);
    carom_frame *f = take(&p);
    expect_values(carom_sim_frame(p.sim), &wanted, true, "of the simulation");
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.time = 2 * TIME}), CAROM_OK);
    expect_values(f, &wanted, true, "taken before");
    carom_frame_free(f);
    play_close(&p);
    free_values(&wanted);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("columns of frames");
    tcase_add_loop_test(c, columns_do_not_depend_on_when_they_are_filled, 0, SCENES);
    tcase_add_loop_test(c, results_have_the_same_columns, 0, SCENES);
    tcase_add_loop_test(c, large_results_have_the_same_columns, 0, 2);
    tcase_add_loop_test(c, a_frame_can_be_overwritten, 0, SCENES);
    tcase_add_loop_test(c, engines_may_fill_frames_at_once, 0, SCENES);
    tcase_add_test(c, only_frames_in_use_are_completed);
    tcase_add_test(c, frames_do_not_change_with_the_state);
    return suite_run("columns of frames", c);
}
