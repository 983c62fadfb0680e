/* Detects damaged, foreign or partly written checkpoints that are accepted, and arrays that change on the way. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../support/expect.h"
#include "../support/gas.h"
#include "../support/suite.h"
#include "base/hash.h"
#include "output/results/checkpoint.h"

static void fill(checkpoint *c, uint64_t salt)
{
    static uint64_t lengths[3] = {7, 5, 0};
    static char version[] = "0.1.0", commit[] = "abcdef", scene[] = "carom: 1\n", title[] = "Title", engine[] = "hard";
    error e = {0};
    double position[30];
    *c = (checkpoint){.version = version,
                      .commit = commit,
                      .scene = scene,
                      .title = title,
                      .engine = engine,
                      .time = 1.5,
                      .particles = 10,
                      .events = 1 + salt,
                      .collisions = salt,
                      .lengths = lengths,
                      .length_count = 3};
    for (int i = 0; i < 30; i++) position[i] = (double)salt + 0.1 * i;
    ck_assert_int_eq(snapshot_put(&c->state, "engine/position", SNAPSHOT_F64, 30, position, &e), CAROM_OK);
    ck_assert_int_eq(snapshot_put(&c->state, "engine/salt", SNAPSHOT_U64, 1, &salt, &e), CAROM_OK);
    ck_assert_int_eq(snapshot_put(&c->state, "engine/none", SNAPSHOT_I32, 0, NULL, &e), CAROM_OK);
}

static void write_one(const char *path, uint64_t salt)
{
    checkpoint c;
    error e = {0};
    fill(&c, salt);
    ck_assert_msg(checkpoint_write(path, &c, &e) == CAROM_OK, "%s", error_text(&e));
    snapshot_free(&c.state);
}

static size_t load(const char *path, unsigned char *data, size_t room)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(data, 1, room, file);
    fclose(file);
    return size;
}

static void store(const char *path, const unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

START_TEST(a_checkpoint_comes_back)
{
    gas_folder();
    checkpoint wrote, c;
    error e = {0};
    write_one("r.checkpoint", 3);
    fill(&wrote, 3);
    ck_assert_msg(checkpoint_read(&c, "r.checkpoint", &e) == CAROM_OK, "%s", error_text(&e));
    ck_assert(checkpoint_is("r.checkpoint"));
    ck_assert_str_eq(c.version, "0.1.0");
    ck_assert_str_eq(c.commit, "abcdef");
    ck_assert_str_eq(c.scene, "carom: 1\n");
    ck_assert_str_eq(c.title, "Title");
    ck_assert_str_eq(c.engine, "hard");
    ck_assert_double_eq(c.time, 1.5);
    ck_assert_uint_eq(c.particles, 10);
    ck_assert_uint_eq(c.events, 4);
    ck_assert_uint_eq(c.collisions, 3);
    ck_assert_uint_eq(c.length_count, 3);
    ck_assert_uint_eq(c.lengths[1], 5);
    ck_assert_uint_eq(c.state.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const snapshot_array *a = &c.state.arrays[i], *b = &wrote.state.arrays[i];
        ck_assert_str_eq(a->name, b->name);
        ck_assert_int_eq(a->type, b->type);
        ck_assert_uint_eq(a->count, b->count);
        ck_assert_int_eq(memcmp(a->data, b->data, a->count * snapshot_element_size(a->type)), 0);
    }
    checkpoint_free(&c);
    snapshot_free(&wrote.state);
}
END_TEST

START_TEST(large_ones_too)
{
    enum { COUNT = 500000 };
    gas_folder();
    checkpoint c, back;
    error e = {0};
    fill(&c, 1);
    double *values = malloc(COUNT * sizeof *values);
    for (int i = 0; i < COUNT; i++) values[i] = 1.0 / (i + 1);
    ck_assert_int_eq(snapshot_put(&c.state, "large", SNAPSHOT_F64, COUNT, values, &e), CAROM_OK);
    ck_assert_int_eq(checkpoint_write("r.checkpoint", &c, &e), CAROM_OK);
    ck_assert_msg(checkpoint_read(&back, "r.checkpoint", &e) == CAROM_OK, "%s", error_text(&e));
    ck_assert_int_eq(memcmp(snapshot_find(&back.state, "large")->data, values, COUNT * sizeof *values), 0);
    checkpoint_free(&back);
    snapshot_free(&c.state);
    free(values);
}
END_TEST

/* Each cut and each flipped bit is found. */
START_TEST(damage_is_found)
{
    gas_folder();
    unsigned char data[4096];
    checkpoint c;
    error e = {0};
    write_one("r.checkpoint", 3);
    size_t size = load("r.checkpoint", data, sizeof data);
    ck_assert_uint_lt(size, sizeof data);
    for (size_t cut = 0; cut < size; cut++) {
        store("cut", data, cut);
        ck_assert_msg(checkpoint_read(&c, "cut", &e) == CAROM_BAD_DATA, "cut to %zu of %zu bytes", cut, size);
    }
    printf("%s\n", error_text(&e));
    ck_assert_ptr_nonnull(strstr(error_text(&e), "is damaged"));
    for (size_t bit = 0; bit < 8 * size; bit++) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        store("flipped", data, size);
        ck_assert_msg(checkpoint_read(&c, "flipped", &e) == CAROM_BAD_DATA, "bit %zu", bit);
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    store("longer", data, size + 1);
    ck_assert_int_eq(checkpoint_read(&c, "longer", &e), CAROM_BAD_DATA);
    error_clear(&e);
}
END_TEST

/* With the checksum made right again, so that only the parts can tell. */
START_TEST(nonsense_with_a_right_checksum_is_found)
{
    gas_folder();
    unsigned char data[4096];
    checkpoint c;
    error e = {0};
    write_one("r.checkpoint", 3);
    size_t size = load("r.checkpoint", data, sizeof data) - 8;
    size_t refused = 0;
    for (size_t at = 32; at < size; at++) {
        unsigned char old = data[at];
        data[at] = 0xff;
        uint64_t sum = hash_finish(hash_bytes(HASH_START, data, size));
        memcpy(data + size, &sum, 8);
        store("odd", data, size + 8);
        carom_status status = checkpoint_read(&c, "odd", &e);
        ck_assert(status == CAROM_OK || status == CAROM_BAD_DATA);
        if (status == CAROM_OK)
            checkpoint_free(&c);
        else
            refused++;
        data[at] = old;
    }
    printf("%zu of %zu changes refused\n", refused, size - 32);
    ck_assert_uint_ge(refused, 100);
    error_clear(&e);
}
END_TEST

START_TEST(another_format_names_its_version)
{
    gas_folder();
    unsigned char data[4096];
    checkpoint c;
    error e = {0};
    write_one("r.checkpoint", 3);
    size_t size = load("r.checkpoint", data, sizeof data) - 8;
    data[20] = 9;
    uint64_t sum = hash_finish(hash_bytes(HASH_START, data, size));
    memcpy(data + size, &sum, 8);
    store("r.checkpoint", data, size + 8);
    ck_assert_int_eq(checkpoint_read(&c, "r.checkpoint", &e), CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e),
                     "error: checkpoint 'r.checkpoint' has format 9, this carom reads 8; resume it with "
                     "carom 0.1.0 (abcdef)");
    error_clear(&e);
}
END_TEST

START_TEST(what_is_no_checkpoint)
{
    gas_folder();
    checkpoint c;
    error e = {0};
    ck_assert_int_eq(checkpoint_read(&c, "none", &e), CAROM_NO_INPUT);
    ck_assert_int_eq(checkpoint_read(&c, "/tmp", &e), CAROM_BAD_DATA);
    store("text", (const unsigned char *)"a text that is longer than the magic words", 40);
    ck_assert_int_eq(checkpoint_read(&c, "text", &e), CAROM_BAD_DATA);
    ck_assert_str_eq(error_text(&e), "error: 'text' is not a checkpoint of carom");
    ck_assert(!checkpoint_is("text"));
    ck_assert(!checkpoint_is("none"));
    error_clear(&e);
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_one)
{
    gas_folder();
    signal(SIGXFSZ, SIG_IGN);
    checkpoint c, old;
    error e = {0};
    write_one("r.checkpoint", 3);
    fill(&c, 4);
    struct rlimit small, before;
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t limit = 0; limit < 500; limit += 50) {
        small = (struct rlimit){limit, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        ck_assert_int_eq(checkpoint_write("r.checkpoint", &c, &e), CAROM_IO);
        setrlimit(RLIMIT_FSIZE, &before);
        ck_assert_int_ne(access("r.checkpoint.part", F_OK), 0);
        ck_assert_int_eq(checkpoint_read(&old, "r.checkpoint", &e), CAROM_OK);
        ck_assert_uint_eq(old.collisions, 3);
        checkpoint_free(&old);
    }
    ck_assert_int_eq(checkpoint_write("none/r.checkpoint", &c, &e), CAROM_IO);
    ck_assert_str_eq(error_text(&e),
                     "error: cannot write checkpoint 'none/r.checkpoint': No such file or directory; an "
                     "earlier checkpoint, if any, remains valid");
    error_clear(&e);
    snapshot_free(&c.state);
}
END_TEST

/* A child writes checkpoint after checkpoint until it is killed: there is always a whole one. */
START_TEST(a_kill_leaves_a_whole_one)
{
    gas_folder();
    for (int round = 0; round < 12; round++) {
        int pipes[2], status;
        char said;
        ck_assert_int_eq(pipe(pipes), 0);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            for (uint64_t salt = 0;; salt++) {
                write_one("r.checkpoint", salt);
                if (write(pipes[1], "", 1) != 1) _exit(1);
            }
        close(pipes[1]);
        uint64_t said_count = 1 + (uint64_t)(round * 5 % 7);
        for (uint64_t i = 0; i < said_count; i++) ck_assert_int_eq(read(pipes[0], &said, 1), 1);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        close(pipes[0]);
        checkpoint c;
        error e = {0};
        ck_assert_msg(checkpoint_read(&c, "r.checkpoint", &e) == CAROM_OK, "%s", error_text(&e));
        ck_assert_uint_ge(c.collisions, said_count - 1);
        checkpoint_free(&c);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("checkpoints");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_checkpoint_comes_back);
    tcase_add_test(tests, large_ones_too);
    tcase_add_test(tests, damage_is_found);
    tcase_add_test(tests, nonsense_with_a_right_checksum_is_found);
    tcase_add_test(tests, another_format_names_its_version);
    tcase_add_test(tests, what_is_no_checkpoint);
    tcase_add_test(tests, a_full_disk_leaves_the_old_one);
    tcase_add_test(tests, a_kill_leaves_a_whole_one);
    return suite_run("checkpoint", tests);
}
