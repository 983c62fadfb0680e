/* Detects wrong image counts of bodies that cross more periodic boxes than 32 bits count, and misread files with
 * 32-bit images. */
#include <hdf5.h>
#include <math.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "base/memory.h"
#include "frame/image.h"
#include "output/results/read.h"
#include "sim/sim.h"

START_TEST(counts_end_where_double_precision_does)
{
    const int64_t most = INT64_C(9007199254740992);
    ck_assert_int_eq(image_of(-3), -3);
    ck_assert_int_eq(image_of(3e9), INT64_C(3000000000));
    ck_assert_int_eq(image_of(9007199254740991.0), most - 1);
    ck_assert_int_eq(image_of(1e300), most);
    ck_assert_int_eq(image_of(-INFINITY), -most);
    ck_assert_int_eq(image_moved(most - 1, -3e9), most - 1 - INT64_C(3000000000));
    ck_assert_int_eq(image_moved(most - 1, 5), most);
    ck_assert_int_eq(image_moved(-most, -5), -most);
    ck_assert_int_eq(image_moved(INT64_MAX, 1e300), most);
    ck_assert_int_eq(image_moved(INT64_MIN, -1e300), -most);
}
END_TEST

/* ---- flights ----------------------------------------------------------------------------------------------------- */

/* `grain`: the spacing of the engine's numbers at 1. */
typedef struct flight {
    const char *what, *scene;
    double grain;
} flight;

static const flight flights[] = {
    {"hard", "engine: hard\n", 0x1p-52},
    {"hard, long double", "engine: hard\nhard: {precision: long_double}\n", 0x1p-52},
};
enum { FLIGHTS = sizeof flights / sizeof *flights };

static const double speeds[] = {7.5e8 + 0.1875, -7.5e8 - 0.1875, 2.5e11 + 0.1875};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

/* Two spheres side by side in a box of length 1, for 4 units of time; they bounce between its walls. */
static void fly(const flight *of, double speed, const char *output)
{
    static play_text t;
    const carom_options options = {.output = output, .force = true};
    t.length = 0;
    play_add(&t,
             "carom: 1\ndimension: 2\nbox: {size: [1, 1], boundary: [periodic, wall]}\n%s"
             "species: {a: {diameter: 0.125, mass: 1}}\n"
             "particles: [{species: a, place: {at: [[0.5, 0.5], [0, 0.5]]}, velocity: {each: [%.17g, 1]}}]\n"
             "run: {until: {time: 4}}\noutput: {frames: {every: 2}}\nobserve: [{what: msd, every: 2}]\n",
             of->scene, speed);
    play p = play_try(t.text, NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), t.text);
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
}

static void check_msd(const reader *r, const flight *of, double speed, error *e)
{
    const reader_observable *o = &reader_about(r)->observables[0];
    double *lag, *square;
    gas_must(reader_numbers(r, o, 0, 0, &lag, e), e);
    gas_must(reader_numbers(r, o, 0, 1, &square, e), e);
    ck_assert_uint_gt(o->tables[0].rows, 0);
    for (size_t n = 0; n < o->tables[0].rows; n++) {
        const double way = speed * lag[n];
        EXPECT_CLOSE("root of the mean square displacement", sqrt(square[n]), fabs(way),
                     8 * (of->grain + 0x1p-52 * fabs(way)));
    }
    memory_free(lag);
    memory_free(square);
}

START_TEST(flights_are_counted)
{
    const flight *of = &flights[_i / SPEEDS];
    const double speed = speeds[_i % SPEEDS];
    error e = {0};
    reader *r;
    carom_frame f;
    gas_folder();
    printf("%s, %g boxes\n", of->what, speed);
    fly(of, speed, "r.h5");
    gas_must(reader_open(&r, "r.h5", &e), &e);
    gas_must(reader_frame_create(r, &f, &e), &e);
    ck_assert_uint_eq(reader_about(r)->frames, 3);
    for (uint64_t n = 0; n < 3; n++) {
        const double place = 0.5 + speed * 2 * (double)n;
        gas_must(reader_frame(r, n, &f, &e), &e);
        ck_assert(f.image[0] == (int64_t)floor(place));
        EXPECT_CLOSE("place", frame_unwrapped(&f, 0, 0), place, 8 * (of->grain + 0x1p-52 * fabs(place)));
    }
    check_msd(r, of, speed, &e);
    frame_destroy(&f);
    reader_close(r);
}
END_TEST

/* ---- from far away ----------------------------------------------------------------------------------------------- */

/* Two that fly against each other along y, in lanes of their own: no drift is left for the clocks to take away. */
static play two_lanes(const char *settings)
{
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [1, 1], boundary: periodic}\n%s"
             "species: {a: {diameter: 0.125, mass: 1}}\n"
             "particles: [{species: a, place: {at: [[0.25, 0.5], [0.75, 0.5]]}, velocity: {each: [[0, 8], [0, -8]]}}]\n"
             "run: {until: {time: 100}}\n",
             settings);
    return play_open(t.text, NULL);
}

/* Sets images as if the bodies had travelled over so many boxes, up and down. */
static void preset(play *p, int64_t images, error *e)
{
    snapshot s = {0};
    int64_t image[2][2] = {{0, images}, {0, -images}};
    gas_must(p->sim->kernel->save(p->sim->gas, &s, e), e);
    gas_must(snapshot_own(&s, e), e);
    const snapshot_array *kept = snapshot_find(&s, "engine/image"), *id = snapshot_find(&s, "engine/id");
    ck_assert_uint_eq(kept->count, sizeof image);
    uint32_t first;
    memcpy(&first, id->data, sizeof first);
    if (first == 1) image[0][1] = -images, image[1][1] = images;
    memcpy(kept->data, image, sizeof image);
    gas_must(p->sim->kernel->load(p->sim->gas, &s, e), e);
    snapshot_free(&s);
}

START_TEST(counting_goes_on_from_far_away)
{
    static const struct {
        int64_t from, to;
    } counts[] = {
        {INT64_C(2147483000), INT64_C(2147483800)},
        {INT64_C(1000000000000), INT64_C(1000000000800)},
        {IMAGE_MOST - 80, IMAGE_MOST},
    };
    error e = {0};
    play p = two_lanes("");
    preset(&p, counts[_i % 3].from, &e);
    play_advance(&p, 100);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%lld and %lld\n", (long long)f->image[1], (long long)f->image[3]);
    ck_assert(f->image[1] == counts[_i % 3].to);
    ck_assert(f->image[3] == -counts[_i % 3].to || f->image[3] == -counts[_i % 3].to - 1);
    play_close(&p);
}
END_TEST

/* Of engines that do not wrap positions into the box: shifts the array of that name. */
static double move(play *p, const char *name, double boxes, error *e)
{
    snapshot s = {0};
    double place;
    gas_must(p->sim->kernel->save(p->sim->gas, &s, e), e);
    const snapshot_array *kept = snapshot_find(&s, name);
    ck_assert_ptr_nonnull(kept);
    memcpy(&place, kept->data, sizeof place);
    place += boxes;
    memcpy(kept->data, &place, sizeof place);
    gas_must(p->sim->kernel->load(p->sim->gas, &s, e), e);
    snapshot_free(&s);
    return place;
}

START_TEST(places_far_away_are_counted)
{
    static const char *const engines[][2] = {
        {"engine: aggregation\naggregation: {method: steps}\n", "engine/motion"},
    };
    static const double boxes[] = {3e9, -3e9, 1e12};
    static play_text t;
    error e = {0};
    t.length = 0;
    play_add(&t,
             "carom: 1\ndimension: 2\nbox: {size: [1, 1], boundary: [periodic, wall]}\n%s"
             "species: {a: {diameter: 0.125, mass: 1}}\n"
             "particles: [{species: a, place: {at: [[0.5, 0.5], [0, 0.5]]}, velocity: {each: [8, 0.25]}}]\n"
             "run: {until: {time: 2}}\n",
             engines[_i / 3][0]);
    play p = play_open(t.text, NULL);
    const double from = move(&p, engines[_i / 3][1], boxes[_i % 3], &e);
    play_advance(&p, 1);
    const carom_frame *f = carom_sim_frame(p.sim);
    const size_t i = fmod(from, 1) == 0;                             /* whichever the engine has first */
    EXPECT_CLOSE("place", frame_unwrapped(f, i, 0), from + 8, 0.01); /* frames of steps are as of the last one */
    play_close(&p);
}
END_TEST

/* ---- files of 32-bit images -------------------------------------------------------------------------------------- */

enum { SIDE = 3, OLD_FRAMES = 4 };
static const char images[] = "particles/all/image/value";

static void run_gas(const char *path, int64_t shift)
{
    error e = {0};
    carom_frame f;
    gas_measure m;
    result *r;
    const result_header header = gas_header();
    gas_create(&f, 3, SIDE);
    gas_measure_create(&m);
    gas_at(&f, SIDE, 0);
    gas_must(result_create(&r, path, true, &header, m.watched, 2, &f, &e), &e);
    for (uint64_t n = 0; n < OLD_FRAMES; n++) {
        gas_at(&f, SIDE, 40 * (double)n);
        for (size_t i = 0; i < 3 * f.count; i++) f.image[i] -= shift;
        gas_must(result_frame(r, &f, &e), &e);
    }
    gas_finish(r, &f, &m);
    frame_destroy(&f);
}

/* Writes the images as 32-bit integers, with digests of these, as earlier versions did. */
static void narrow(const char *path)
{
    enum { NUMBERS = 3 * SIDE * SIDE * SIDE };
    static int32_t all[OLD_FRAMES][NUMBERS];
    uint64_t digests[OLD_FRAMES];
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), wide = H5Dopen2(file, images, H5P_DEFAULT);
    hid_t space = H5Dget_space(wide), create = H5Dget_create_plist(wide), type = H5Dget_type(wide);
    ck_assert_uint_eq(H5Tget_size(type), 8);
    ck_assert_int_eq(H5Sget_simple_extent_npoints(space), OLD_FRAMES * NUMBERS);
    ck_assert_int_ge(H5Dread(wide, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), 0);
    H5Dclose(wide);
    H5Ldelete(file, images, H5P_DEFAULT);
    hid_t old = H5Dcreate2(file, images, H5T_NATIVE_INT32, space, H5P_DEFAULT, create, H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite(old, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, all), 0);
    hid_t digest = H5Dopen2(file, "particles/all/image/digest", H5P_DEFAULT);
    ck_assert_int_ge(H5Dread(digest, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, digests), 0);
    for (int n = 0; n < OLD_FRAMES; n++) ck_assert(digests[n] == h5_digest(all[n], sizeof all[n]));
    H5Dclose(digest);
    H5Dclose(old);
    H5Tclose(type);
    H5Pclose(create);
    H5Sclose(space);
    H5Fclose(file);
}

/* Reads all of a file and compares its images. */
static void check_images(const char *path, int64_t shift)
{
    error e = {0};
    reader *r;
    carom_frame f, wanted;
    gas_create(&wanted, 3, SIDE);
    gas_must(reader_open(&r, path, &e), &e);
    gas_must(reader_check(r, NULL, &e), &e);
    gas_must(reader_frame_create(r, &f, &e), &e);
    ck_assert_uint_eq(reader_about(r)->frames, OLD_FRAMES);
    for (uint64_t n = 0; n < OLD_FRAMES; n++) {
        gas_must(reader_frame(r, n, &f, &e), &e);
        gas_at(&wanted, SIDE, 40 * (double)n);
        for (size_t i = 0; i < 3 * f.count; i++) ck_assert(f.image[i] == wanted.image[i] - shift);
    }
    frame_destroy(&f);
    frame_destroy(&wanted);
    reader_close(r);
}

static void resume(const char *path)
{
    const uint64_t lengths[4] = {OLD_FRAMES};
    error e = {0};
    carom_frame f;
    gas_measure m;
    result *r;
    const result_header header = gas_header();
    gas_create(&f, 3, SIDE);
    gas_measure_create(&m);
    gas_at(&f, SIDE, 0);
    gas_must(result_resume(&r, path, lengths, 4, &header, m.watched, 2, &f, &e), &e);
    gas_finish(r, &f, &m);
    frame_destroy(&f);
}

START_TEST(files_of_32_bit_images_are_read)
{
    const int64_t shift = _i == 0 ? 100 : INT32_MAX;
    gas_folder();
    run_gas("r.h5", shift);
    narrow("r.h5");
    check_images("r.h5", shift);
    resume("r.h5");
    check_images("r.h5", shift);
}
END_TEST

START_TEST(files_keep_64_bit_images)
{
    gas_folder();
    run_gas("r.h5", INT64_C(1) << 40);
    check_images("r.h5", INT64_C(1) << 40);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, counts_end_where_double_precision_does);
    tcase_add_loop_test(all, flights_are_counted, 0, FLIGHTS * SPEEDS);
    tcase_add_loop_test(all, counting_goes_on_from_far_away, 0, 3);
    tcase_add_loop_test(all, places_far_away_are_counted, 0, 3);
    tcase_add_loop_test(all, files_of_32_bit_images_are_read, 0, 2);
    tcase_add_test(all, files_keep_64_bit_images);
    return suite_run("images", all);
}
