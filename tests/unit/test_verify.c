/* Detects faults of results that `carom verify` misses, and sound results that it rejects. */
#define _GNU_SOURCE
#include <hdf5.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/h5_number.h"
#include "../support/suite.h"
#include "../support/unseal.h"
#include "base/memory.h"
#include "base/random.h"
#include "output/verify/pairs.h"
#include "output/verify/verify.h"
#include "output/verify/verify_clusters.h"
#include "output/verify/verify_drift.h"

enum { SIDE = 4, FRAMES = 6 };

static double pull; /* of gravity, along z */

static void whole_run(const char *path, int boundary)
{
    error e = {0};
    carom_frame f;
    gas_measure m;
    result *r;
    result_header header = gas_header();
    gas_create(&f, 3, SIDE);
    for (int k = 0; k < 3; k++) f.boundary[k] = boundary;
    f.gravity[2] = pull;
    gas_measure_create(&m);
    gas_at(&f, SIDE, 0);
    gas_must(result_create(&r, path, true, &header, m.watched, 2, &f, &e), &e);
    gas_run(r, &f, SIDE, &m, 0, FRAMES);
    gas_finish(r, &f, &m);
    frame_destroy(&f);
}

static bool as_json;

static carom_status verify(const char *path, char **report)
{
    error e = {0};
    reader *r;
    gas_must(reader_open(&r, path, &e), &e);
    carom_status status = verify_result(r, NULL, NULL, as_json, report, &e);
    reader_close(r);
    if (*report != NULL)
        printf("%s\n", *report);
    else
        printf("%s\n", error_text(&e));
    return status;
}

/* Overwrites one number of a dataset. */
static void edit(const char *path, const char *name, const hsize_t *at, double value)
{
    unseal(path);
    h5_set_number(path, name, at, value);
}

static void expect_violation(const char *words)
{
    char *report;
    ck_assert_int_eq(verify("r.h5", &report), CAROM_VIOLATION);
    ck_assert_msg(strstr(report, words) != NULL, "no '%s' in the report", words);
    memory_free(report);
}

START_TEST(a_sound_result)
{
    gas_folder();
    char *report;
    whole_run("r.h5", FRAME_PERIODIC);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(report, "r.h5: sound; 6 frames of 64 particles"));
    memory_free(report);
}
END_TEST

START_TEST(a_particle_moved_onto_another)
{
    gas_folder();
    whole_run("r.h5", FRAME_PERIODIC);
    /* Frame 2, time 1: particle 5 stands at (3.25, 3.125, 1.5), its neighbour 6 at (5.25, ...). */
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, 4.5);
    expect_violation("frame 2, time 1: particles 5 and 6 are 0.75 apart, and overlap by 0.25");
    expect_violation("overlaps                    1\n");
}
END_TEST

START_TEST(an_overlap_through_the_periodic_box)
{
    gas_folder();
    whole_run("r.h5", FRAME_PERIODIC);
    /* Frame 0: particle 0 at (1, 1, 1) and 3 at (7, 1, 1) in a box of 8. */
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){0, 0, 0}, 0.125);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){0, 3, 0}, 7.5);
    expect_violation("particles 0 and 3 are 0.625 apart, and overlap by 0.375");
}
END_TEST

START_TEST(rounding_is_no_overlap)
{
    gas_folder();
    char *report;
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){0, 0, 0}, 2 + 100 * 0x1p-52);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){0, 0, 0}, 2 + 1e-11);
    expect_violation("overlap by 1.0");
}
END_TEST

START_TEST(a_particle_beyond_a_wall)
{
    gas_folder();
    whole_run("r.h5", FRAME_WALL);
    /* The box is 8 wide: particle 48 starts at z = 7, touches the wall at time 1 and is beyond it in the next frame. */
    expect_violation("frame 3, time 1.5: particle 48 at z = 7.75, beyond by 0.25");
    whole_run("r.h5", FRAME_OPEN);
    char *report;
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
}
END_TEST

/* A run with segments between particles of the grid, SIDE a row; they are 2 apart and drift together. */
static void linked_run(const char *path, const uint32_t (*pairs)[2], size_t count, uint32_t *owner)
{
    uint32_t triangle[1][3] = {{0, 3, 12}};
    result_mesh sheet = {.name = "sheet",
                         .first = SIDE * SIDE * (SIDE - 1),
                         .vertices = SIDE * SIDE,
                         .triangles = triangle,
                         .triangle_count = 1};
    error e = {0};
    carom_frame f;
    gas_measure m;
    result *r;
    result_header header = gas_header();
    uint32_t i[4], j[4];
    double radius[4];
    for (size_t n = 0; n < count; n++) i[n] = pairs[n][0], j[n] = pairs[n][1], radius[n] = 0.125;
    result_links links = {.segments = count, .segment = {i, j}, .radius = radius, .owner = owner, .closed = true};
    if (count == 0) links.mesh = &sheet, links.meshes = 1; /* instead: a large triangle of the highest layer */
    header.links = &links;
    gas_create(&f, 3, SIDE);
    gas_measure_create(&m);
    gas_at(&f, SIDE, 0);
    f.leeway = 0.01;
    f.tallies.ledger = (frame_ledger){.kept = true, .springs = 1};
    gas_must(result_create(&r, path, true, &header, m.watched, 2, &f, &e), &e);
    gas_run(r, &f, SIDE, &m, 0, FRAMES);
    f.time += 1;
    f.tallies.ledger.damping = 0.179;
    gas_must(result_frame(r, &f, &e), &e);
    gas_finish(r, &f, &m);
    frame_destroy(&f);
}

START_TEST(segments_are_looked_at)
{
    gas_folder();
    char *report;
    uint32_t owner[SIDE * SIDE * SIDE] = {[0] = 1, [1] = 1, [2] = 1};
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}, {0, 3}, {1, 6}}, 3, NULL);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    ck_assert_ptr_nonnull(strstr(report, "the energy balance drifts by at most 0.179, "));
    memory_free(report);
    /* In a row along y, one behind the other. */
    for (int back = 0; back < 2; back++) {
        const uint32_t ends[2][2][2] = {{{0, 4}, {8, 12}}, {{4, 0}, {12, 8}}};
        linked_run("r.h5", ends[back], 2, NULL);
        ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
        memory_free(report);
    }
    /* Particle 1 lies on the way from 0 to 2, unless they are one body. */
    linked_run("r.h5", (const uint32_t[][2]){{0, 2}}, 1, NULL);
    expect_violation("the segment between particles 0 and 2 and particle 1 are 0 apart, and overlap by 0.625");
    expect_violation("overlaps                    7\n");
    linked_run("r.h5", (const uint32_t[][2]){{0, 2}}, 1, owner);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
    /* What belongs to no body does not belong together. */
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, 4.5);
    expect_violation("frame 2, time 1: particles 5 and 6 are 0.75 apart, and overlap by 0.25");
    linked_run("r.h5", (const uint32_t[][2]){{0, 5}, {4, 1}}, 2, NULL);
    expect_violation("the segment between particles 0 and 5 and that between 4 and 1 are 0 apart, and overlap by 0.25");
    /* Two that cross through the boundary: 3 and 4 with 0 and 7, at x = 7 and 1 (9). */
    linked_run("r.h5", (const uint32_t[][2]){{3, 4}, {0, 7}}, 2, NULL);
    expect_violation("the segment between particles 3 and 4 and that between 0 and 7 are 0 apart");
    expect_violation("overlaps                    7\n");
}
END_TEST

/* Particle 37 rises through a triangle between frames 2 and 3, and is gone from there, or only seems to be. */
START_TEST(what_passes_between_frames)
{
    gas_folder();
    linked_run("r.h5", NULL, 0, NULL);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){3, 37, 2}, 0.75);
    edit("r.h5", "particles/all/image/value", (hsize_t[3]){3, 37, 2}, 1);
    for (hsize_t n = 2; n < 4; n++) edit("r.h5", "particles/all/velocity/value", (hsize_t[3]){n, 37, 2}, 6.5);
    expect_violation("passages between frames     1\n");
    expect_violation(
        "frame 3, time 1.5: particle 37 and triangle 0, 3 and 12 of mesh 'sheet' have passed through each other "
        "since the previous frame, about time 1.25");
    expect_violation("undecided passages          1\n"); /* on the way back */
    as_json = true;
    expect_violation("\"sound\": false");
    expect_violation("\"passages\": 1,");
    expect_violation("\"passages\": [\"frame 3, time 1.5: particle 37 and triangle 0, 3 and 12 of mesh 'sheet' have");
    expect_violation("\"unclear\": 1,");
    as_json = false;
    for (hsize_t n = 2; n < 4; n++) edit("r.h5", "particles/all/velocity/value", (hsize_t[3]){n, 37, 2}, 2);
    expect_violation("passages between frames     0\n");
    expect_violation("undecided passages          2\n");
    expect_violation("to decide them, record `paths` or write frames more often");
}
END_TEST

/* The two ends of a segment may overlap, others by the leeway alone, and then momentum must stay. */
START_TEST(leeway_and_momentum_of_a_linked_run)
{
    gas_folder();
    char *report;
    linked_run("r.h5", (const uint32_t[][2]){{5, 6}}, 1, NULL);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, 4.5);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, 5.25 - 0.9921875);
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, 5.25 - 0.984375);
    expect_violation("particles 5 and 6 are 0.984375 apart");
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "particles/all/velocity/value", (hsize_t[3]){2, 5, 0}, 0.5);
    expect_violation("momentum along x is ");
}
END_TEST

/* The kinetic energy is 15.75, the springs hold 1, and there are 64 particles: 0.05 sqrt(2 * 15.75) * 3 / 8 and 0.05 / 4
 * of the largest energy * 3 / 8 make 0.17906. Hence 0.179 more in an account is a drift that steps may cost
 * (segments_are_looked_at), and 0.181 is none; nor is 0.181 less. */
START_TEST(a_ledger_that_does_not_close)
{
    gas_folder();
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "carom/frames/damping", (hsize_t[1]){3}, 0.181);
    expect_violation("frame 3, time 1.5: the energy balance is 16.931, not 16.75");
    expect_violation("energy budget               1\n");
    expect_violation(
        "the energy balance drifts by at most 0.181, 0.0115 of the largest energy; the limit in that frame is 0.0114");
    edit("r.h5", "carom/frames/damping", (hsize_t[1]){3}, -0.181);
    expect_violation("frame 3, time 1.5: the energy balance is 16.569, not 16.75");
    /* Work of 16.1 that nothing has taken up is too much; with as much damping it is none. */
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "carom/frames/work", (hsize_t[1]){3}, 16.1);
    expect_violation("frame 3, time 1.5: the energy balance is 0.");
    edit("r.h5", "carom/frames/damping", (hsize_t[1]){3}, 16);
    expect_violation("frame 4, time 2: the energy dissipated by damping has fallen to ");
    for (hsize_t k = 4; k <= FRAMES; k++) {
        edit("r.h5", "carom/frames/work", (hsize_t[1]){k}, 16.1);
        edit("r.h5", "carom/frames/damping", (hsize_t[1]){k}, 16);
    }
    char *report;
    ck_assert_int_eq(verify("r.h5", &report), CAROM_OK);
    memory_free(report);
}
END_TEST

/* Accounts whose sum is unchanged: energy that damping and restitution have returned, and that another one has taken. */
START_TEST(a_dissipated_energy_that_returns)
{
    gas_folder();
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    for (hsize_t k = 3; k <= FRAMES; k++) {
        edit("r.h5", "carom/frames/damping", (hsize_t[1]){k}, -2);
        edit("r.h5", "carom/frames/friction", (hsize_t[1]){k}, 2);
    }
    expect_violation("frame 3, time 1.5: the energy dissipated by damping has fallen to -2 from 0\n");
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "carom/frames/restitution", (hsize_t[1]){3}, -2);
    edit("r.h5", "carom/frames/work", (hsize_t[1]){3}, -2);
    expect_violation("frame 3, time 1.5: the energy dissipated in all has fallen to -2 from 0\n");
    linked_run("r.h5", (const uint32_t[][2]){{0, 1}}, 1, NULL);
    edit("r.h5", "carom/frames/friction", (hsize_t[1]){3}, -2);
    edit("r.h5", "carom/frames/restitution", (hsize_t[1]){3}, 2);
    expect_violation("frame 3, time 1.5: the energy dissipated by friction has fallen to -2 from 0\n");
}
END_TEST

START_TEST(a_velocity_that_was_changed)
{
    gas_folder();
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "particles/all/velocity/value", (hsize_t[3]){3, 7, 1}, 0.5);
    char *report;
    ck_assert_int_eq(verify("r.h5", &report), CAROM_VIOLATION);
    ck_assert_ptr_nonnull(strstr(report, "frame 3, time 1.5: the stored kinetic energy is"));
    ck_assert_ptr_nonnull(strstr(report, "frame 3, time 1.5: energy + dissipated energy is"));
    ck_assert_ptr_nonnull(strstr(report, "frame 3, time 1.5: momentum along y is"));
    ck_assert_ptr_nonnull(strstr(report, "frame 4, time 2: momentum along y is"));
    memory_free(report);
}
END_TEST

/* A particle at rest at the start does not sleep: momentum is checked. One that rests later in gravity does. */
START_TEST(rest_at_the_start_is_no_sleep)
{
    gas_folder();
    char *report;
    pull = -0.125;
    for (hsize_t frame = 0; frame < 4; frame += 3) {
        whole_run("r.h5", FRAME_PERIODIC);
        for (hsize_t k = 0; k < 3; k++) edit("r.h5", "particles/all/velocity/value", (hsize_t[3]){frame, 7, k}, 0);
        ck_assert_int_eq(verify("r.h5", &report), CAROM_VIOLATION);
        ck_assert((strstr(report, ": momentum along x is") != NULL) == (frame == 0));
        memory_free(report);
    }
    pull = 0;
}
END_TEST

START_TEST(times_and_numbers)
{
    gas_folder();
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "particles/all/position/time", (hsize_t[1]){3}, 0.25);
    expect_violation("frame 3, time 0.25: the time of the previous frame was 1");
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "particles/all/position/value", (hsize_t[3]){2, 5, 0}, NAN);
    expect_violation("frame 2, time 1: position of particle 5");
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "carom/frames/events", (hsize_t[2]){4, 0}, 3);
    expect_violation("frame 4, time 2: collision events decrease from 15 to 3");
    whole_run("r.h5", FRAME_PERIODIC);
    edit("r.h5", "carom/frames/dissipated", (hsize_t[1]){1}, 1);
    expect_violation("frame 1, time 0.5: energy + dissipated energy is");
}
END_TEST

START_TEST(many_are_counted_and_ten_are_shown)
{
    gas_folder();
    whole_run("r.h5", FRAME_PERIODIC);
    for (hsize_t i = 0; i < 64; i++)
        for (hsize_t k = 0; k < 3; k++) edit("r.h5", "particles/all/position/value", (hsize_t[3]){5, i, k}, 1);
    expect_violation("overlaps                    2016\n"); /* 64 * 63 / 2 */
    expect_violation("  ... and 2006 more\n");
}
END_TEST

typedef struct pair_list {
    size_t count, sum;
} pair_list;

static void add_pair(size_t i, size_t j, double distance, void *data)
{
    pair_list *list = data;
    (void)distance;
    list->count++;
    list->sum += i * 1000003 + j;
    ck_assert_uint_lt(i, j);
}

static pair_list all_pairs(const carom_frame *f)
{
    pair_list list = {0, 0};
    size_t dimension = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = i + 1; j < f->count; j++) {
            double square = 0;
            for (size_t k = 0; k < dimension; k++) {
                double d = f->position[i * dimension + k] - f->position[j * dimension + k];
                if (f->boundary[k] == FRAME_PERIODIC && d > f->box[k] / 2) d -= f->box[k];
                if (f->boundary[k] == FRAME_PERIODIC && d < -f->box[k] / 2) d += f->box[k];
                square += d * d;
            }
            double distance = sqrt(square);
            if (distance < f->radius[i] + f->radius[j]) add_pair(i, j, distance, &list);
        }
    return list;
}

/* Spheres of very different sizes at random: the grid finds the pairs that a double loop finds. */
START_TEST(the_grid_finds_what_all_pairs_find)
{
    const random_key key = {7, RANDOM_GENERAL};
    for (uint64_t round = 0; round < 60; round++) {
        carom_frame f;
        error e = {0};
        int dimension = 2 + (int)(round % 2);
        size_t count = (size_t)random_below(key, round, 0, 300);
        ck_assert_int_eq(frame_create(&f, dimension, count, &e), CAROM_OK);
        for (int k = 0; k < dimension; k++) {
            f.box[k] = 1 + 9 * random_uniform(key, round, 1 + (uint64_t)k);
            f.boundary[k] = (int)random_below(key, round, 5 + (uint64_t)k, 3);
        }
        for (size_t i = 0; i < count; i++) {
            double size = random_uniform(key, round, 100 + i);
            f.radius[i] = 0.5 * pow(size, 1 + (double)(round % 7));
            for (int k = 0; k < dimension; k++)
                f.position[i * (size_t)dimension + (size_t)k] =
                    f.box[k] * random_uniform(key, round, 1000 + 3 * i + (uint64_t)k);
        }
        pair_list wanted = all_pairs(&f), list = {0, 0};
        ck_assert_int_eq(pairs_overlapping(&f, 0, add_pair, &list, &e), CAROM_OK);
        printf("%zu spheres in %dD: %zu pairs, wanted %zu\n", count, dimension, list.count, wanted.count);
        ck_assert_uint_eq(list.count, wanted.count);
        ck_assert_uint_eq(list.sum, wanted.sum);
        frame_destroy(&f);
    }
}
END_TEST

static void count_fault(size_t particle, const char *what, void *data)
{
    printf("particle %zu %s\n", particle, what);
    ++*(int *)data;
}

static int cluster_faults(const carom_frame *f)
{
    const frame_merge merge = {.time = 0, .i = 0, .j = 1};
    error e = {0};
    int count = 0;
    gas_must(verify_clusters(f, &merge, 1, count_fault, &count, &e), &e);
    return count;
}

/* Two that turn about each other across the boundary of the box, along a line that is no axis of it. */
START_TEST(clusters_that_turn)
{
    const double r[3] = {0.4, 0.6, 0.3}, w[3] = {0.2, -0.5, 1};
    error e = {0};
    carom_frame f;
    gas_must(frame_create(&f, 3, 2, &e), &e);
    gas_must(FRAME_ADD(&f, cluster, &e), &e);
    gas_must(FRAME_ADD(&f, spin, &e), &e);
    for (size_t k = 0; k < 3; k++) {
        f.box[k] = 6;
        f.radius[k % 2] = 0.5;
        f.id[k % 2] = (uint32_t)(k % 2);
        f.position[k] = k == 0 ? 5.9 : 1;
        f.position[3 + k] = f.position[k] + r[k] - (k == 0 ? 6 : 0);
        f.velocity[k] = 1 + (double)k;
        f.velocity[3 + k] = f.velocity[k] + w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3];
        f.spin[k] = f.spin[3 + k] = w[k];
    }
    f.image[3] = 1;
    f.cluster[0] = f.cluster[1] = 0;
    ck_assert_int_eq(cluster_faults(&f), 0);
    f.spin[0] += 1e-6; /* that of the first alone */
    ck_assert_int_eq(cluster_faults(&f), 1);
    f.spin[0] = w[0];
    f.velocity[4] += 1e-6; /* they part, and do not turn */
    ck_assert_int_eq(cluster_faults(&f), 2);
    frame_destroy(&f);
}
END_TEST

/* What verify_drift.h says, in numbers: courant sqrt(2 U K) and 0.25 courant of the energy (0.6 where the exponent is 2), of
 * many 3 / sqrt(n) of both, but courant / 50 at least; half a step of the layers of the rate of the stored energy; and a step of
 * gravity's pull on all that moves. */
START_TEST(how_far_the_energy_may_drift)
{
    static const struct {
        size_t count;
        double courant, exponent, step, first, allowed;
    } cases[] = {{2, 0.05, 3, 0, 0, 0.05 * 6 + 0.05 * 0.25 * 5},
                 {100, 0.05, 3, 0, 0, 0.3 * (0.05 * 6 + 0.05 * 0.25 * 5)},
                 {40000, 0.1, 3, 0, 0, 0.015 * 0.1 * 6 + 0.1 * 0.02 * 5},
                 {40000, 0.1, 3, 0, 0.02, 0.015 * 0.1 * 6 + 0.1 * 0.02 * 5 + 0.01 * 7},
                 {2, 0.05, 2, 0, 0, 0.05 * 6 + 0.05 * 0.6 * 5},
                 {400, 0.05, 2, 0, 0, 0.15 * (0.05 * 6 + 0.05 * 0.6 * 5)},
                 {2, 0.05, 4, 0.1, 0, 0.05 * 6 + 0.05 * 0.25 * 5 + 0.1 * 2 * 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const carom_frame f = {.dimension = 3,
                               .count = cases[k].count,
                               .gravity = {1.2, 0, -1.6},
                               .tallies.ledger = {.springs = -3, .contact = 2, .stretch = 1.5, .bend = 2.5}};
        const frame_energy energy = {.kinetic = 2};
        const drift_steps steps = {cases[k].courant, cases[k].step, cases[k].exponent, cases[k].first};
        const drift_scales scales = {.account = 5, .flow = 3, .rate = 7};
        EXPECT_CLOSE("allowed", verify_drift_allowed(&f, &energy, steps, scales), cases[k].allowed, 1e-15);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("verify");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_sound_result);
    tcase_add_test(tests, a_particle_moved_onto_another);
    tcase_add_test(tests, an_overlap_through_the_periodic_box);
    tcase_add_test(tests, rounding_is_no_overlap);
    tcase_add_test(tests, a_particle_beyond_a_wall);
    tcase_add_test(tests, segments_are_looked_at);
    tcase_add_test(tests, what_passes_between_frames);
    tcase_add_test(tests, leeway_and_momentum_of_a_linked_run);
    tcase_add_test(tests, a_ledger_that_does_not_close);
    tcase_add_test(tests, a_dissipated_energy_that_returns);
    tcase_add_test(tests, a_velocity_that_was_changed);
    tcase_add_test(tests, rest_at_the_start_is_no_sleep);
    tcase_add_test(tests, times_and_numbers);
    tcase_add_test(tests, many_are_counted_and_ten_are_shown);
    tcase_add_test(tests, the_grid_finds_what_all_pairs_find);
    tcase_add_test(tests, clusters_that_turn);
    tcase_add_test(tests, how_far_the_energy_may_drift);
    return suite_run("verify", tests);
}
