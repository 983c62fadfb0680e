/* Detects results that lose frames on a kill or a full disk, damage that is not found, and resumed files that differ. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "output/results/read.h"

enum { SIDE = 3 };

typedef struct run {
    carom_frame f;
    gas_measure m;
    result *r;
    error e;
} run;

static void prepare(run *t, int dimension, size_t side)
{
    *t = (run){.r = NULL};
    gas_create(&t->f, dimension, side);
    gas_measure_create(&t->m);
    gas_at(&t->f, side, 0);
}

static carom_status create(run *t, const char *path, bool force)
{
    result_header header = gas_header();
    return result_create(&t->r, path, force, &header, t->m.watched, 2, &t->f, &t->e);
}

static void done(run *t)
{
    frame_destroy(&t->f);
    error_clear(&t->e);
}

static void whole_run(const char *path, uint64_t frames)
{
    run t;
    prepare(&t, 3, SIDE);
    ck_assert_msg(create(&t, path, false) == CAROM_OK, "%s", error_text(&t.e));
    gas_run(t.r, &t.f, SIDE, &t.m, 0, frames);
    gas_finish(t.r, &t.f, &t.m);
    done(&t);
}

static void same_bits(const void *a, const void *b, size_t size, const char *what)
{
    ck_assert_msg(memcmp(a, b, size) == 0, "%s differ", what);
}

static void same_frame(const carom_frame *a, const carom_frame *b)
{
    size_t n = a->count, d = (size_t)a->dimension;
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_double_eq(a->time, b->time);
    same_bits(a->position, b->position, n * d * 8, "positions");
    same_bits(a->velocity, b->velocity, n * d * 8, "velocities");
    same_bits(a->image, b->image, n * d * 8, "images");
    same_bits(a->radius, b->radius, n * 8, "radii");
    same_bits(a->mass, b->mass, n * 8, "masses");
    same_bits(a->species, b->species, n * 4, "species");
    same_bits(a->id, b->id, n * 4, "ids");
    same_bits(a->box, b->box, d * 8, "boxes");
    same_bits(a->events, b->events, sizeof a->events, "events");
    ck_assert_int_eq(a->scale, b->scale);
    ck_assert_uint_eq(a->state_hash, b->state_hash);
    ck_assert_double_eq(a->tallies.virial[0][1], b->tallies.virial[0][1]);
    ck_assert_uint_eq(a->tallies.stabilising, b->tallies.stabilising);
    ck_assert_double_eq(a->tallies.max_overlap, b->tallies.max_overlap);
}

/* The frames of a file, from one on, are those that gas_at gives. Returns their number. */
static uint64_t check_frames_from(const char *path, int dimension, size_t side, uint64_t from)
{
    run t;
    reader *r;
    carom_frame read;
    prepare(&t, dimension, side);
    ck_assert_msg(reader_open(&r, path, &t.e) == CAROM_OK, "%s", error_text(&t.e));
    ck_assert_int_eq(reader_frame_create(r, &read, &t.e), CAROM_OK);
    uint64_t frames = reader_about(r)->frames;
    for (uint64_t n = from; n < frames; n++) {
        gas_at(&t.f, side, 0.5 * (double)n);
        ck_assert_msg(reader_frame(r, n, &read, &t.e) == CAROM_OK, "%s", error_text(&t.e));
        same_frame(&t.f, &read);
    }
    ck_assert_int_eq(reader_frame(r, frames, &read, &t.e), CAROM_USAGE);
    frame_destroy(&read);
    reader_close(r);
    done(&t);
    return frames;
}

static uint64_t check_frames(const char *path, int dimension, size_t side)
{
    return check_frames_from(path, dimension, side, 0);
}

START_TEST(frames_come_back)
{
    gas_folder();
    for (int dimension = 2; dimension <= 3; dimension++) {
        run t;
        prepare(&t, dimension, SIDE);
        ck_assert_msg(create(&t, "r.h5", true) == CAROM_OK, "%s", error_text(&t.e));
        gas_run(t.r, &t.f, SIDE, &t.m, 0, 30);
        gas_finish(t.r, &t.f, &t.m);
        ck_assert_uint_eq(check_frames("r.h5", dimension, SIDE), 30);
        ck_assert_int_ne(access("r.h5.lock", F_OK), 0);
        ck_assert_int_ne(access("r.h5.part", F_OK), 0);
        done(&t);
    }
}
END_TEST

START_TEST(large_frames_in_pieces)
{
    gas_folder();
    run t;
    prepare(&t, 3, 61); /* 5.4 MB of positions: two chunks, the second not full */
    ck_assert_int_eq(create(&t, "r.h5", false), CAROM_OK);
    gas_run(t.r, &t.f, 61, &t.m, 0, 2);
    gas_finish(t.r, &t.f, &t.m);
    ck_assert_uint_eq(check_frames("r.h5", 3, 61), 2);
    done(&t);
}
END_TEST

START_TEST(nothing_in_the_box)
{
    gas_folder();
    run t;
    prepare(&t, 3, 0);
    ck_assert_msg(create(&t, "r.h5", false) == CAROM_OK, "%s", error_text(&t.e));
    gas_run(t.r, &t.f, 0, &t.m, 0, 3);
    gas_finish(t.r, &t.f, &t.m);
    ck_assert_uint_eq(check_frames("r.h5", 3, 0), 3);
    done(&t);
}
END_TEST

START_TEST(what_is_known_of_the_run)
{
    gas_folder();
    whole_run("r.h5", 6);
    reader *r;
    error e = {0};
    ck_assert_int_eq(reader_open(&r, "r.h5", &e), CAROM_OK);
    const result_about *about = reader_about(r);
    ck_assert_str_eq(about->title, "Drift");
    ck_assert_str_eq(about->scene, "carom: 1\ntitle: drift\n");
    ck_assert_str_eq(about->stop, "time");
    ck_assert_str_eq(about->summary, "{\"stop\": \"time\"}");
    ck_assert_str_eq(about->state_hash, "00000000feed0028");
    ck_assert_uint_eq(about->seed, 42);
    ck_assert_uint_eq(about->events[EVENT_COLLISION], 25);
    ck_assert_uint_eq(about->species_count, 2);
    ck_assert_str_eq(about->species[1], "heavy");
    ck_assert(!about->live);
    ck_assert_uint_eq(about->observable_count, 2);
    const reader_observable *pressure = &about->observables[0], *rdf = &about->observables[1];
    ck_assert_str_eq(pressure->name, "pressure");
    ck_assert_uint_eq(pressure->value_count, 1);
    EXPECT_CLOSE("mean", pressure->values[0].mean[0], 3 + 0.125 * 5, 0);
    ck_assert(pressure->values[0].converged);
    ck_assert_uint_eq(pressure->tables[0].rows, 6);
    ck_assert_uint_eq(pressure->tables[0].columns[2].width, 9);
    ck_assert_str_eq(rdf->what, "radial_distribution");
    ck_assert_uint_eq(rdf->tables[0].rows, 5);
    ck_assert_str_eq(rdf->tables[0].columns[1].name, "g");
    reader_close(r);
}
END_TEST

START_TEST(scaled_velocities_are_stored_true)
{
    gas_folder();
    run t;
    prepare(&t, 3, SIDE);
    ck_assert_int_eq(create(&t, "r.h5", false), CAROM_OK);
    t.f.scale = 7;
    ck_assert_int_eq(result_frame(t.r, &t.f, &t.e), CAROM_OK);
    ck_assert_int_eq(result_close(t.r, &t.e), CAROM_OK);
    hid_t file = H5Fopen("r.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "particles/all/velocity/value", H5P_DEFAULT);
    double velocity[SIDE * SIDE * SIDE][3];
    ck_assert_int_ge(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, velocity), 0);
    EXPECT_CLOSE("stored velocity", velocity[5][2], 0.5 / 128, 0);
    H5Dclose(dataset);
    H5Fclose(file);
    reader *r;
    carom_frame read;
    ck_assert_int_eq(reader_open(&r, "r.h5", &t.e), CAROM_OK);
    ck_assert_int_eq(reader_frame_create(r, &read, &t.e), CAROM_OK);
    ck_assert_int_eq(reader_frame(r, 0, &read, &t.e), CAROM_OK);
    same_frame(&t.f, &read);
    frame_destroy(&read);
    reader_close(r);
    done(&t);
}
END_TEST

START_TEST(nothing_is_replaced_unasked)
{
    gas_folder();
    whole_run("r.h5", 2);
    run t;
    prepare(&t, 3, SIDE);
    ck_assert_int_eq(create(&t, "r.h5", false), CAROM_NO_CREATE);
    ck_assert_str_eq(error_text(&t.e), "error: 'r.h5' exists; give another output with -o, --resume to continue it, or "
                                       "--force to replace it");
    ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), 2);
    close(open("s.h5.checkpoint", O_CREAT | O_WRONLY, 0666));
    ck_assert_int_eq(create(&t, "s.h5", false), CAROM_NO_CREATE);
    ck_assert_int_eq(create(&t, "s.h5", true), CAROM_OK);
    ck_assert_int_ne(access("s.h5.checkpoint", F_OK), 0);
    ck_assert_int_eq(result_close(t.r, &t.e), CAROM_OK);
    done(&t);
}
END_TEST

START_TEST(places_that_cannot_be)
{
    gas_folder();
    run t;
    prepare(&t, 3, SIDE);
    mkdir("folder", 0777);
    ck_assert_int_eq(create(&t, "folder", true), CAROM_NO_CREATE);
    ck_assert_str_eq(error_text(&t.e), "error: cannot create 'folder': it is a folder; name a file in it");
    ck_assert_int_eq(create(&t, "none/r.h5", false), CAROM_NO_CREATE);
    ck_assert_str_eq(error_text(&t.e),
                     "error: cannot create 'none/r.h5': No such file or directory; choose a folder that "
                     "exists and can be written");
    symlink("/dev/full", "full");
    ck_assert_int_eq(create(&t, "full", true), CAROM_NO_CREATE);
    ck_assert_str_eq(error_text(&t.e), "error: cannot create 'full': it is not a regular file; choose another name");
    ck_assert_ptr_null(t.r);
    done(&t);
}
END_TEST

START_TEST(one_writer_at_a_time)
{
    gas_folder();
    run t, other;
    prepare(&t, 3, SIDE);
    prepare(&other, 3, SIDE);
    ck_assert_int_eq(create(&t, "r.h5", false), CAROM_OK);
    ck_assert_int_eq(create(&other, "r.h5", true), CAROM_NO_CREATE);
    ck_assert_str_eq(error_text(&other.e),
                     "error: another run is writing 'r.h5'; wait for it, or choose another output with -o");
    gas_run(t.r, &t.f, SIDE, &t.m, 0, 3);
    gas_finish(t.r, &t.f, &t.m);
    ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), 3);
    ck_assert_int_eq(create(&other, "r.h5", true), CAROM_OK);
    ck_assert_int_eq(result_close(other.r, &other.e), CAROM_OK);
    done(&t);
    done(&other);
}
END_TEST

/* A child writes frames until it is killed; it says so in the pipe after each. Returns the file as the child left
 * it. */
static void killed_run(const char *path, uint64_t frames)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run t;
        prepare(&t, 3, SIDE);
        if (create(&t, path, true) != CAROM_OK) _exit(1);
        for (uint64_t n = 0;; n++) {
            gas_run(t.r, &t.f, SIDE, &t.m, n, n + 1);
            if (write(pipes[1], "", 1) != 1) _exit(1);
        }
    }
    close(pipes[1]);
    char said;
    for (uint64_t n = 0; n < frames; n++) ck_assert_int_eq(read(pipes[0], &said, 1), 1);
    kill(child, SIGKILL);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    close(pipes[0]);
}

START_TEST(a_kill_loses_no_whole_frame)
{
    gas_folder();
    for (uint64_t round = (uint64_t)_i * 20; round < (uint64_t)(_i + 1) * 20; round++) {
        uint64_t said = 1 + round * 7 % 40;
        killed_run("r.h5", said);
        uint64_t frames = check_frames("r.h5", 3, SIDE);
        reader *r;
        error e = {0};
        ck_assert_int_eq(reader_open(&r, "r.h5", &e), CAROM_OK);
        ck_assert(reader_about(r)->live);
        ck_assert_str_eq(reader_about(r)->stop, "none");
        uint64_t rows = reader_about(r)->observables[0].tables[0].rows;
        ck_assert_uint_ge(frames, said);
        ck_assert_uint_eq(rows, frames);
        reader_close(r);
    }
}
END_TEST

/* ---- a kill at each moment --------------------------------------------------------------------------------------- */

/* What has been written, page by page: Linux looks for a kill before each page, and leaves the rest of the write. */
typedef struct piece {
    off_t at;
    size_t size;
    char *bytes;     /* NULL: the file was cut or stretched to `at` */
    uint64_t frames; /* that were said to be whole before */
} piece;

static piece *pieces;
static size_t piece_count;
static bool noting;
static uint64_t whole_frames;

static void note(off_t at, size_t size, const char *bytes)
{
    enum { MOST = 1 << 16 };
    if (pieces == NULL) pieces = calloc(MOST, sizeof *pieces);
    REQUIRE(pieces != NULL && piece_count < MOST);
    piece *p = &pieces[piece_count++];
    *p = (piece){at, size, NULL, whole_frames};
    if (bytes != NULL) p->bytes = memcpy(malloc(size), bytes, size);
}

/* These stand in for the C library's: exported, so that the library under test calls them. */
#pragma GCC visibility push(default)
ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    enum { PAGE = 4096 };
    const ssize_t wrote = syscall(SYS_pwrite64, fd, data, size, at);
    for (off_t done = 0, some; noting && done < wrote; done += some) {
        some = PAGE - (at + done) % PAGE;
        if (some > wrote - done) some = wrote - done;
        note(at + done, (size_t)some, (const char *)data + done);
    }
    return wrote;
}

int ftruncate(int fd, off_t size)
{
    if (noting) note(size, 0, NULL);
    return (int)syscall(SYS_ftruncate, fd, size);
}
#pragma GCC visibility pop

static void redo(int fd, piece *p)
{
    if (p->bytes == NULL)
        REQUIRE(syscall(SYS_ftruncate, fd, p->at) == 0);
    else
        REQUIRE(syscall(SYS_pwrite64, fd, p->bytes, p->size, p->at) == (ssize_t)p->size);
    free(p->bytes);
}

static void copy_file(const char *from, const char *to)
{
    static char buffer[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;) REQUIRE(fwrite(buffer, 1, n, out) == n);
    REQUIRE(fclose(in) == 0 && fclose(out) == 0);
}

/* The file after each piece is a result with the frames that were said to be whole; those from `from` on are looked
 * at. */
static void replay(const char *path, size_t side, uint64_t from)
{
    int fd = open(path, O_WRONLY);
    ck_assert_int_ge(fd, 0);
    for (size_t k = 0; k < piece_count; k++) {
        redo(fd, &pieces[k]);
        ck_assert_uint_ge(check_frames_from(path, 3, side, from), pieces[k].frames);
    }
    close(fd);
}

/* Writes frames, and looks at the file after each piece from frame `from` on. */
static void kill_everywhere(size_t side, uint64_t from, uint64_t frames)
{
    gas_folder();
    run t;
    prepare(&t, 3, side);
    ck_assert_msg(create(&t, "r.h5", false) == CAROM_OK, "%s", error_text(&t.e));
    gas_run(t.r, &t.f, side, &t.m, 0, from);
    copy_file("r.h5", "killed.h5");
    noting = true;
    for (whole_frames = from; whole_frames < frames; whole_frames++)
        gas_run(t.r, &t.f, side, &t.m, whole_frames, whole_frames + 1);
    gas_finish(t.r, &t.f, &t.m);
    noting = false;
    replay("killed.h5", side, from > 0 ? from - 1 : 0);
    printf("%zu moments to be killed at in frames %d to %d\n", piece_count, (int)from, (int)frames);
    ck_assert_uint_gt(piece_count, 10 * (frames - from));
    done(&t);
}

START_TEST(no_moment_to_be_killed_at_is_a_bad_one)
{
    kill_everywhere(6, 0, 12);
}
END_TEST

START_TEST(nor_where_the_index_of_chunks_grows)
{
    kill_everywhere(14, 60, 70);
}
END_TEST

/* Every dataset of one file has the shape and bytes that it has in the other. */
static herr_t compare_object(hid_t a, const char *name, const H5O_info_t *info, void *other)
{
    if (info->type != H5O_TYPE_DATASET) return 0;
    hid_t sets[2] = {H5Dopen2(a, name, H5P_DEFAULT), H5Dopen2(*(hid_t *)other, name, H5P_DEFAULT)};
    void *data[2];
    hssize_t points[2];
    size_t size = 0;
    for (int i = 0; i < 2; i++) {
        ck_assert_msg(sets[i] >= 0, "%s is missing", name);
        hid_t space = H5Dget_space(sets[i]), type = H5Dget_type(sets[i]);
        points[i] = H5Sget_simple_extent_npoints(space);
        size = H5Tget_size(type);
        data[i] = calloc((size_t)points[i] + 1, size);
        ck_assert_int_ge(H5Dread(sets[i], type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data[i]), 0);
        H5Tclose(type);
        H5Sclose(space);
        H5Dclose(sets[i]);
    }
    ck_assert_msg(points[0] == points[1], "%s has %lld and %lld numbers", name, (long long)points[0],
                  (long long)points[1]);
    ck_assert_msg(memcmp(data[0], data[1], (size_t)points[0] * size) == 0, "%s differs", name);
    free(data[0]);
    free(data[1]);
    return 0;
}

static void same_files(const char *one, const char *two)
{
    hid_t a = H5Fopen(one, H5F_ACC_RDONLY, H5P_DEFAULT), b = H5Fopen(two, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert(a >= 0 && b >= 0);
    ck_assert_int_ge(H5Ovisit(a, H5_INDEX_NAME, H5_ITER_NATIVE, compare_object, &b), 0);
    ck_assert_int_ge(H5Ovisit(b, H5_INDEX_NAME, H5_ITER_NATIVE, compare_object, &a), 0);
    H5Fclose(a);
    H5Fclose(b);
}

static carom_status resume(run *t, const char *path, uint64_t frames, uint64_t rows)
{
    result_header header = gas_header();
    const uint64_t lengths[4] = {frames, rows, 0, 0}; /* the last: mergers */
    return result_resume(&t->r, path, lengths, 4, &header, t->m.watched, 2, &t->f, &t->e);
}

START_TEST(a_resumed_file_equals_an_uninterrupted_one)
{
    gas_folder();
    whole_run("whole.h5", 50);
    for (uint64_t round = 0; round < 10; round++) {
        uint64_t at = 3 * round;
        run t;
        killed_run("r.h5", at + 3);
        prepare(&t, 3, SIDE);
        t.m.series.first_row = at;
        ck_assert_msg(resume(&t, "r.h5", at, at) == CAROM_OK, "%s", error_text(&t.e));
        ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), at);
        gas_run(t.r, &t.f, SIDE, &t.m, at, 50);
        gas_finish(t.r, &t.f, &t.m);
        same_files("r.h5", "whole.h5");
        done(&t);
    }
}
END_TEST

static void add_layers(run *t)
{
    gas_must(FRAME_ADD(&t->f, layers, &t->e), &t->e);
    for (uint32_t i = 0; i < t->f.count; i++) t->f.layers[i] = 3 * i;
}

/* The layers of contacts are kept frame by frame, also across a resume; a file from before there were such goes on
 * without them. */
START_TEST(layers_are_kept)
{
    gas_folder();
    for (int old = 0; old < 2; old++) {
        run t;
        reader *r;
        carom_frame f;
        prepare(&t, 3, SIDE);
        if (!old) add_layers(&t);
        ck_assert_int_eq(create(&t, "l.h5", true), CAROM_OK);
        gas_run(t.r, &t.f, SIDE, &t.m, 0, 2);
        gas_must(result_close(t.r, &t.e), &t.e);
        done(&t);
        prepare(&t, 3, SIDE);
        add_layers(&t);
        t.m.series.first_row = 2;
        ck_assert_msg(resume(&t, "l.h5", 2, 2) == CAROM_OK, "%s", error_text(&t.e));
        gas_run(t.r, &t.f, SIDE, &t.m, 2, 4);
        gas_finish(t.r, &t.f, &t.m);
        done(&t);
        error e = {0};
        gas_must(reader_open(&r, "l.h5", &e), &e);
        gas_must(reader_frame_create(r, &f, &e), &e);
        printf("%s file: %s\n", old ? "old" : "new", f.layers != NULL ? "layers" : "no layers");
        ck_assert_uint_eq(reader_about(r)->frames, 4);
        ck_assert_int_eq(ABOUT_HAS(reader_about(r), layers), !old);
        ck_assert_int_eq(f.layers != NULL, !old);
        for (uint64_t n = 0; n < 4; n++) {
            gas_must(reader_frame(r, n, &f, &e), &e);
            for (uint32_t i = 0; i < f.count && !old; i++) ck_assert_uint_eq(f.layers[i], 3 * i);
        }
        frame_destroy(&f);
        reader_close(r);
    }
}
END_TEST

START_TEST(a_resume_that_does_not_fit)
{
    gas_folder();
    run t;
    prepare(&t, 3, SIDE);
    ck_assert_int_eq(resume(&t, "r.h5", 1, 1), CAROM_NO_INPUT);
    whole_run("r.h5", 4);
    ck_assert_int_eq(resume(&t, "r.h5", 5, 4), CAROM_BAD_DATA);
    ck_assert_int_eq(resume(&t, "r.h5", 4, 5), CAROM_BAD_DATA);
    printf("%s\n", error_text(&t.e));
    ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), 4);
    ck_assert_int_ne(access("r.h5.part", F_OK), 0);
    ck_assert_int_eq(truncate("r.h5", 5000), 0);
    ck_assert_int_eq(resume(&t, "r.h5", 4, 4), CAROM_BAD_DATA);
    done(&t);
}
END_TEST

/* Writes with a limit on the file's size, until that is met. */
START_TEST(a_full_disk_costs_no_whole_frame)
{
    gas_folder();
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 1000; limit < 400000; limit += 1973) {
        struct rlimit old, small;
        getrlimit(RLIMIT_FSIZE, &old);
        small = (struct rlimit){limit, old.rlim_max};
        run t;
        prepare(&t, 3, SIDE);
        setrlimit(RLIMIT_FSIZE, &small);
        uint64_t frames = 0;
        carom_status status = create(&t, "r.h5", true);
        bool created = status == CAROM_OK;
        while (status == CAROM_OK && frames < 500) {
            gas_at(&t.f, SIDE, 0.5 * (double)frames);
            status = result_frame(t.r, &t.f, &t.e);
            if (status == CAROM_OK) frames++;
        }
        ck_assert_int_eq(status, CAROM_IO);
        ck_assert_ptr_nonnull(strstr(error_text(&t.e), "File too large"));
        if (created) {
            ck_assert_int_eq(result_frame(t.r, &t.f, &t.e), CAROM_IO);
            ck_assert_int_eq(result_finish(t.r, "time", "{}", &t.f, &t.e), CAROM_IO);
            result_close(t.r, &t.e);
        }
        setrlimit(RLIMIT_FSIZE, &old);
        if (created) ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), frames);
        printf("limit %ld: %d frames\n", (long)limit, created ? (int)frames : -1);
        ck_assert_int_eq(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
        ck_assert_int_ne(access("r.h5.part", F_OK), 0);
        unlink("r.h5");
        done(&t);
    }
    ck_assert_int_ge(H5close(), 0);
}
END_TEST

static void expect_refused(const char *path, carom_status wanted, const char *message)
{
    reader *r;
    error e = {0};
    ck_assert_int_eq(reader_open(&r, path, &e), wanted);
    ck_assert_str_eq(error_text(&e), message);
    ck_assert_ptr_null(r);
    error_clear(&e);
}

START_TEST(what_is_no_result)
{
    gas_folder();
    expect_refused("none.h5", CAROM_NO_INPUT, "error: cannot open 'none.h5': No such file or directory");
    expect_refused("/tmp", CAROM_BAD_DATA, "error: '/tmp' is a folder, not a result of carom");
    FILE *text = fopen("text.h5", "w");
    fputs("carom: 1\n", text);
    fclose(text);
    expect_refused("text.h5", CAROM_BAD_DATA, "error: 'text.h5' is no HDF5 file, not a result of carom");
    H5Fclose(H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    expect_refused("other.h5", CAROM_BAD_DATA, "error: 'other.h5' is some other HDF5 file, not a result of carom");
    whole_run("cut.h5", 10);
    ck_assert_int_eq(truncate("cut.h5", 4000), 0);
    reader *r;
    error e = {0};
    ck_assert_int_eq(reader_open(&r, "cut.h5", &e), CAROM_BAD_DATA);
    printf("%s\n", error_text(&e));
    error_clear(&e);
}
END_TEST

/* Whether all of a file is what it was: its own checksums say so. */
static carom_status check_file(const char *path)
{
    reader *r;
    error e = {0};
    carom_status status = reader_open(&r, path, &e);
    if (status == CAROM_OK) status = reader_check(r, NULL, &e);
    ck_assert(status == CAROM_OK || (status == CAROM_BAD_DATA && e.length > 0));
    if (r != NULL) reader_close(r);
    error_clear(&e);
    return status;
}

/* A flipped bit is found, or was in a place that means nothing. */
START_TEST(flipped_bits_are_found)
{
    enum { TRIALS = 500, FRAMES = 4 };
    gas_folder();
    whole_run("r.h5", FRAMES);
    ck_assert_int_eq(check_file("r.h5"), CAROM_OK);
    struct stat there;
    ck_assert_int_eq(stat("r.h5", &there), 0);
    int found = 0, fd = open("r.h5", O_RDWR);
    uint64_t dice = 88172645463325252u * (2 * (uint64_t)_i + 1); /* xorshift64 (Marsaglia 2003) */
    for (int trial = 0; trial < TRIALS; trial++) {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        const off_t at = (off_t)(dice % (uint64_t)there.st_size);
        unsigned char old, new;
        ck_assert_int_eq(pread(fd, &old, 1, at), 1);
        new = (unsigned char)(old ^ 1u << (dice >> 60) % 8);
        ck_assert_int_eq(pwrite(fd, &new, 1, at), 1);
        if (check_file("r.h5") == CAROM_OK)
            ck_assert_uint_eq(check_frames("r.h5", 3, SIDE), FRAMES);
        else
            found++;
        ck_assert_int_eq(pwrite(fd, &old, 1, at), 1);
    }
    close(fd);
    printf("%d of %d found; %ld bytes\n", found, TRIALS, (long)there.st_size);
    ck_assert_int_ge(found, TRIALS / 20);
    ck_assert_int_eq(check_file("r.h5"), CAROM_OK);
}
END_TEST

START_TEST(compressed_frames_come_back)
{
    gas_folder();
    run t;
    prepare(&t, 3, 14);
    result_header header = gas_header();
    header.compression = 4;
    ck_assert_int_eq(result_create(&t.r, "r.h5", false, &header, t.m.watched, 2, &t.f, &t.e), CAROM_OK);
    gas_run(t.r, &t.f, 14, &t.m, 0, 5);
    gas_finish(t.r, &t.f, &t.m);
    ck_assert_uint_eq(check_frames("r.h5", 3, 14), 5);
    ck_assert_int_eq(check_file("r.h5"), CAROM_OK);
    done(&t);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("result files"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, frames_come_back);
    tcase_add_test(tests, large_frames_in_pieces);
    tcase_add_test(tests, nothing_in_the_box);
    tcase_add_test(tests, what_is_known_of_the_run);
    suite_split_loop(tests, rest, flipped_bits_are_found, 1, 6);
    tcase_add_test(tests, compressed_frames_come_back);
    tcase_add_test(tests, scaled_velocities_are_stored_true);
    tcase_add_test(tests, nothing_is_replaced_unasked);
    tcase_add_test(tests, places_that_cannot_be);
    tcase_add_test(tests, one_writer_at_a_time);
    suite_split_loop(tests, rest, a_kill_loses_no_whole_frame, 1, 3);
    tcase_add_test(more, no_moment_to_be_killed_at_is_a_bad_one);
    tcase_add_test(rest, nor_where_the_index_of_chunks_grows);
    tcase_add_test(tests, a_resumed_file_equals_an_uninterrupted_one);
    tcase_add_test(tests, layers_are_kept);
    tcase_add_test(tests, a_resume_that_does_not_fit);
    tcase_add_test(more, a_full_disk_costs_no_whole_frame);
    tcase_add_test(tests, what_is_no_result);
    return suite_run("result", tests, more, rest);
}
