/* Detects clusters and contact trees that result files change or lose, also when resumed, and faults of theirs that
 * verify misses. */
#define _GNU_SOURCE
#include <hdf5.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/h5_number.h"
#include "../support/suite.h"
#include "../support/unseal.h"
#include "base/memory.h"
#include "output/results/read.h"
#include "output/verify/verify.h"
#include "output/verify/verify_clusters.h"

enum { SIDE = 3, COUNT = SIDE * SIDE, FRAMES = 12 };

/* ---- a chain of particles that grows by one at each frame -------------------------------------------------------- */

static frame_merge chain[COUNT - 1];

static void chain_create(carom_frame *f)
{
    error e = {0};
    gas_create(f, 2, SIDE);
    gas_must(FRAME_ADD(f, cluster, &e), &e);
    for (uint32_t k = 0; k < COUNT - 1; k++) chain[k] = (frame_merge){0.25 + 0.5 * k, k, k + 1};
}

/* Frame n, at time n / 2: n merges have been, as long as there are particles. */
static void chain_at(carom_frame *f, uint64_t n)
{
    const uint64_t merged = n < COUNT - 1 ? n : COUNT - 1;
    gas_at(f, SIDE, 0.5 * (double)n);
    for (uint32_t i = 0; i < COUNT; i++) f->cluster[i] = i <= merged ? 0 : i;
    f->clusters = COUNT - merged;
    f->events[EVENT_MERGE] = merged;
    f->tallies.merges = chain;
    f->tallies.merge_count = merged;
}

static void write_frames(result *r, carom_frame *f, uint64_t from, uint64_t to)
{
    error e = {0};
    for (uint64_t n = from; n < to; n++) {
        chain_at(f, n);
        gas_must(result_frame(r, f, &e), &e);
    }
}

static result *start(const char *path, carom_frame *f)
{
    error e = {0};
    result *r;
    result_header header = gas_header();
    header.engine = "aggregation";
    chain_create(f);
    chain_at(f, 0);
    gas_must(result_create(&r, path, true, &header, NULL, 0, f, &e), &e);
    return r;
}

static void finish(result *r, carom_frame *f)
{
    error e = {0};
    gas_must(result_finish(r, "clusters", "{}", f, &e), &e);
    gas_must(result_close(r, &e), &e);
    frame_destroy(f);
}

static void whole_run(const char *path)
{
    carom_frame f;
    result *r = start(path, &f);
    write_frames(r, &f, 0, FRAMES);
    finish(r, &f);
}

static void check_file(const char *path, uint64_t frames)
{
    error e = {0};
    reader *r;
    carom_frame read, f;
    frame_merge *merges;
    chain_create(&f);
    gas_must(reader_open(&r, path, &e), &e);
    const result_about *about = reader_about(r);
    ck_assert(ABOUT_HAS(about, cluster));
    ck_assert_uint_eq(about->frames, frames);
    ck_assert_uint_eq(about->merges, frames > COUNT ? COUNT - 1 : frames - 1);
    gas_must(reader_merges(r, &merges, &e), &e);
    for (uint64_t k = 0; k < about->merges; k++) {
        ck_assert_double_eq(merges[k].time, chain[k].time);
        ck_assert_uint_eq(merges[k].i, chain[k].i);
        ck_assert_uint_eq(merges[k].j, chain[k].j);
    }
    gas_must(reader_frame_create(r, &read, &e), &e);
    for (uint64_t n = 0; n < frames; n++) {
        chain_at(&f, n);
        gas_must(reader_frame(r, n, &read, &e), &e);
        ck_assert_mem_eq(f.cluster, read.cluster, COUNT * sizeof *f.cluster);
        ck_assert_uint_eq(read.clusters, f.clusters);
        ck_assert_uint_eq(read.events[EVENT_MERGE], f.events[EVENT_MERGE]);
    }
    printf("%s: %d frames, %d merges\n", path, (int)frames, (int)about->merges);
    memory_free(merges);
    reader_close(r);
    frame_destroy(&read);
    frame_destroy(&f);
}

START_TEST(clusters_come_back)
{
    gas_folder();
    whole_run("r.h5");
    check_file("r.h5", FRAMES);
}
END_TEST

START_TEST(a_result_without_clusters)
{
    gas_folder();
    error e = {0};
    carom_frame f;
    result *r;
    reader *read;
    frame_merge *merges;
    result_header header = gas_header();
    gas_create(&f, 2, SIDE);
    gas_at(&f, SIDE, 0);
    gas_must(result_create(&r, "r.h5", true, &header, NULL, 0, &f, &e), &e);
    gas_must(result_frame(r, &f, &e), &e);
    finish(r, &f);
    gas_must(reader_open(&read, "r.h5", &e), &e);
    ck_assert(!ABOUT_HAS(reader_about(read), cluster));
    ck_assert_uint_eq(reader_about(read)->merges, 0);
    gas_must(reader_merges(read, &merges, &e), &e);
    gas_must(reader_frame_create(read, &f, &e), &e);
    ck_assert_ptr_null(f.cluster);
    memory_free(merges);
    frame_destroy(&f);
    reader_close(read);
}
END_TEST

/* Cut back to `at` frames and written on, it is the file of a run that was never stopped. */
START_TEST(a_resumed_tree)
{
    gas_folder();
    for (uint64_t at = 1; at < FRAMES; at++) {
        error e = {0};
        carom_frame f;
        result_header header = gas_header();
        header.engine = "aggregation";
        result *r = start("r.h5", &f);
        write_frames(r, &f, 0, FRAMES - 1);
        gas_must(result_close(r, &e), &e);
        chain_at(&f, at - 1);
        const uint64_t lengths[2] = {at, f.tallies.merge_count};
        gas_must(result_resume(&r, "r.h5", lengths, 2, &header, NULL, 0, &f, &e), &e);
        write_frames(r, &f, at, FRAMES);
        finish(r, &f);
        check_file("r.h5", FRAMES);
    }
}
END_TEST

START_TEST(more_merges_than_there_are)
{
    gas_folder();
    whole_run("r.h5");
    error e = {0};
    carom_frame f;
    result *r;
    result_header header = gas_header();
    chain_create(&f);
    chain_at(&f, 3);
    const uint64_t lengths[2] = {4, COUNT};
    ck_assert_int_eq(result_resume(&r, "r.h5", lengths, 2, &header, NULL, 0, &f, &e), CAROM_BAD_DATA);
    printf("%s\n", error_text(&e));
    check_file("r.h5", FRAMES);
    frame_destroy(&f);
    error_clear(&e);
}
END_TEST

/* ---- verify ------------------------------------------------------------------------------------------------------ */

typedef struct faults {
    int count;
    size_t who[32];
    char last[100];
} faults;

static void note_fault(size_t i, const char *what, void *data)
{
    faults *f = data;
    if (f->count < 32) f->who[f->count] = i;
    f->count++;
    snprintf(f->last, sizeof f->last, "%s", what);
}

static faults look(const carom_frame *f)
{
    faults found = {0};
    error e = {0};
    gas_must(verify_clusters(f, chain, COUNT - 1, note_fault, &found, &e), &e);
    printf("%d faults, the last: particle %d %s\n", found.count, found.count > 0 ? (int)found.who[found.count - 1] : -1,
           found.last);
    return found;
}

START_TEST(sound_clusters)
{
    carom_frame f;
    chain_create(&f);
    for (uint64_t n = 0; n < FRAMES; n++) {
        chain_at(&f, n);
        ck_assert_int_eq(look(&f).count, 0);
    }
    frame_destroy(&f);
}
END_TEST

static void expect_fault(const carom_frame *f, size_t who, const char *what)
{
    faults found = look(f);
    ck_assert_int_eq(found.count, 1);
    ck_assert_uint_eq(found.who[0], who);
    ck_assert_str_eq(found.last, what);
}

START_TEST(each_fault_is_found)
{
    carom_frame f;
    chain_create(&f);
    chain_at(&f, 4);
    f.cluster[6] = 0;
    expect_fault(&f, 6, "is not in the cluster that the merges give");
    chain_at(&f, 4);
    f.cluster[2] = 2;
    expect_fault(&f, 2, "is not in the cluster that the merges give");
    chain_at(&f, 4);
    f.cluster[8] = COUNT;
    expect_fault(&f, 8, "is not in the cluster that the merges give");
    chain_at(&f, 4);
    f.velocity[2 * 3] += 1e-6; /* particle 3 is above 0: turn the velocity towards it */
    f.velocity[2 * 3 + 1] += 1e-6;
    expect_fault(&f, 3, "does not move with its cluster");
    chain_at(&f, 4);
    chain[2].time = 0.3; /* before its predecessor */
    expect_fault(&f, 2, "merges out of order in time");
    frame_destroy(&f);
    chain_create(&f);
    chain_at(&f, 4);
    chain[3] = (frame_merge){chain[3].time, 1, 3}; /* all of one cluster already */
    faults found = look(&f);
    ck_assert_int_eq(found.count, 2); /* and particle 4, which has no way into the cluster */
    ck_assert_uint_eq(found.who[0], 1);
    ck_assert_uint_eq(found.who[1], 4);
    chain[3] = (frame_merge){chain[3].time, 4, COUNT};
    found = look(&f);
    ck_assert_int_eq(found.count, 2);
    ck_assert_uint_eq(found.who[0], 4);
    frame_destroy(&f);
}
END_TEST

/* Of particle 5, where there is a number for each. */
static void edit(const char *path, const char *name, hsize_t at, uint32_t value)
{
    unseal(path);
    h5_set_number(path, name, (hsize_t[]){at, 5}, value);
}

static void expect_verdict(carom_status wanted, const char *words)
{
    error e = {0};
    reader *r;
    char *report;
    gas_must(reader_open(&r, "r.h5", &e), &e);
    ck_assert_int_eq(verify_result(r, NULL, NULL, false, &report, &e), wanted);
    printf("%s\n", report);
    ck_assert_msg(strstr(report, words) != NULL, "no '%s' in the report", words);
    memory_free(report);
    reader_close(r);
}

/* Particle 5 of frame 2, of which it says that it is alone. */
START_TEST(the_report_names_the_particle)
{
    gas_folder();
    whole_run("r.h5");
    expect_verdict(CAROM_OK, "clusters                    0");
    edit("r.h5", "particles/all/cluster/value", 2, 0);
    expect_verdict(CAROM_VIOLATION, "frame 2, time 1: particle 5 is not in the cluster that the merges give");
    edit("r.h5", "particles/all/cluster/value", 2, 5);
    edit("r.h5", "carom/merges/j", 5, 4); /* the sixth: 5 with 6 becomes 5 with 4 */
    expect_verdict(CAROM_VIOLATION, "particle 5 merges with its own cluster, or with none");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, clusters_come_back);
    tcase_add_test(tests, a_result_without_clusters);
    tcase_add_test(tests, a_resumed_tree);
    tcase_add_test(tests, more_merges_than_there_are);
    tcase_add_test(tests, sound_clusters);
    tcase_add_test(tests, each_fault_is_found);
    tcase_add_test(tests, the_report_names_the_particle);
    return suite_run("clusters in results", tests);
}
