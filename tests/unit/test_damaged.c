/* Detects damaged results and checkpoints that crash, hang or change the numbers of a reading command: each refuses
 * the file with a message, or gives what it gives for the whole file because it reads nothing of the damaged part.
 *     test_damaged [CASES [SEED]]
 * or CAROM_DAMAGED=CASES for the number. A case that fails is named by its number, from which it can be repeated with
 * CAROM_DAMAGED_ONLY=NUMBER. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hdf5.h>

#include "base/hash.h"
#include "carom/carom.h"

enum { KINDS = 4, MOST_PIECES = 4096, MOST_COMMANDS = 12 };

/* ---- what is damaged --------------------------------------------------------------------------------------------- */

#define HEAD "carom: 1\nseed: 5\n"
#define GRAIN "species: {grain: {diameter: 1, mass: 1}}\n"
#define TEN "particles: [{species: grain, count: 40, place: random, velocity: {maxwell: 1}}]\n"
#define END "run: {until: {time: 2}}\noutput: {frames: {every: 0.5}}\n"

static const char *const scenes[KINDS] = {
    HEAD "engine: hard\ndimension: 3\nbox: {size: [6, 6, 6], boundary: periodic}\n" GRAIN TEN
         "observe: [{what: energy, every: 0.1}, {what: radial_distribution, every: 0.5, bins: 10}]\n" END,
    HEAD "engine: aggregation\ndimension: 2\nbox: {size: [15, 15], boundary: periodic}\n" GRAIN TEN
         "observe: [{what: clusters, every: 0.1}]\n" END,
    HEAD
    "engine: variational\ndimension: 2\nbox: {size: [9, 9], boundary: wall}\n" GRAIN
    "particles: [{species: grain, place: {at: [[2, 2], [3.2, 2], [4.4, 2], [3, 4]]}, velocity: {uniform: [-1, 1]}}]\n"
    "springs: [{name: a, pairs: [[0, 1], [1, 2]], stiffness: 10}]\nobserve: [{what: ledger, every: 0.2}]\n" END,
    HEAD "engine: hard\ndimension: 3\nbox: {size: [8, 8, 8], boundary: periodic}\n" GRAIN
         "particles: [{species: grain, count: 120, place: random, velocity: {maxwell: 1}}]\n"
         "observe: [{what: pressure, every: 0.1}]\n"
         "run: {until: {time: 2}}\noutput: {frames: {every: 0.5}, compression: 1}\n",
};

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

/* Where a dataset's bytes lie in the file. */
typedef struct piece {
    size_t at, size;
} piece;

typedef struct outcome {
    carom_status status;
    uint64_t digest; /* of what came out */
} outcome;

typedef struct victim {
    const char *text;
    bytes result, checkpoint;
    piece pieces[MOST_PIECES];
    size_t piece_count;
    outcome whole[MOST_COMMANDS];
} victim;

static uint64_t dice_state;

static uint64_t dice(uint64_t below) /* xorshift64 (Marsaglia 2003) */
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return below > 0 ? (dice_state >> 11) % below : 0;
}

#define need(truth, what)                                                                                              \
    do {                                                                                                               \
        if (!(truth)) {                                                                                                \
            printf("%s\n", what);                                                                                      \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static bytes load(const char *path)
{
    struct stat there;
    bytes b = {0};
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &there) != 0) return b;
    b.size = (size_t)there.st_size;
    b.data = malloc(b.size + 1);
    need(fread(b.data, 1, b.size, file) == b.size, path);
    fclose(file);
    return b;
}

static void store(const char *path, bytes b)
{
    FILE *file = fopen(path, "wb");
    need(file != NULL && fwrite(b.data, 1, b.size, file) == b.size && fclose(file) == 0, path);
}

static void add_piece(victim *v, haddr_t at, hsize_t size)
{
    if (at == HADDR_UNDEF || size == 0 || at + size > v->result.size || v->piece_count == MOST_PIECES) return;
    v->pieces[v->piece_count++] = (piece){at, size};
}

static herr_t find_pieces(hid_t file, const char *name, const H5O_info_t *info, void *data)
{
    if (info->type != H5O_TYPE_DATASET) return 0;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t chunks = 0, offset[4], size;
    haddr_t at;
    unsigned mask;
    if (H5Dget_num_chunks(set, space, &chunks) < 0) chunks = 0;
    for (hsize_t k = 0; k < chunks; k++)
        if (H5Dget_chunk_info(set, space, k, offset, &mask, &at, &size) >= 0) add_piece(data, at, size);
    H5Sclose(space);
    H5Dclose(set);
    return 0;
}

/* ---- the commands ------------------------------------------------------------------------------------------------ */

static uint64_t digest_of(const char *text)
{
    return text != NULL ? hash_finish(hash_bytes(HASH_START, text, strlen(text))) : 0;
}

static uint64_t digest_file(const char *path)
{
    bytes b = load(path);
    const uint64_t digest = hash_finish(hash_bytes(HASH_START, b.data, b.size));
    free(b.data);
    unlink(path);
    return digest;
}

static char refusal[1024];

static void note_refusal(const char *message)
{
    snprintf(refusal, sizeof refusal, "%s", message);
}

static outcome info(const char *path, bool json)
{
    carom_file *file;
    char *text = NULL;
    outcome o = {.status = carom_file_open(&file, path)};
    if (o.status == CAROM_OK) o.status = carom_file_info(file, json, &text);
    if (o.status != CAROM_OK) note_refusal(carom_file_message(file));
    o.digest = digest_of(text);
    carom_free(text);
    carom_file_free(file);
    return o;
}

static outcome info_text(const char *path)
{
    return info(path, false);
}

static outcome info_json(const char *path)
{
    return info(path, true);
}

static outcome verify(const char *path)
{
    carom_file *file;
    char *text = NULL;
    outcome o = {.status = carom_file_open(&file, path)};
    if (o.status == CAROM_OK) o.status = carom_file_verify(file, true, &text);
    if (o.status != CAROM_OK) note_refusal(carom_file_message(file));
    o.digest = digest_of(text);
    carom_free(text);
    carom_file_free(file);
    return o;
}

static outcome export(const char *path, const char *format, const char *target)
{
    carom_file *file;
    outcome o = {.status = carom_file_open(&file, path)};
    if (o.status == CAROM_OK) o.status = carom_file_export(file, format, target, true);
    if (o.status != CAROM_OK) note_refusal(carom_file_message(file));
    if (o.status == CAROM_OK) o.digest = digest_file(target);
    carom_file_free(file);
    return o;
}

static outcome export_xyz(const char *path)
{
    return export(path, "xyz", "out.xyz");
}

static outcome export_csv(const char *path)
{
    return export(path, "csv", "out.csv");
}

static outcome plot(const char *path)
{
    carom_plot *made;
    char *json = NULL;
    outcome o = {.status = carom_plot_new(&made, &path, 1, NULL)};
    if (o.status == CAROM_OK) o.status = carom_plot_write(made, "out.svg", true, &json);
    if (o.status != CAROM_OK) note_refusal(carom_plot_message(made));
    if (o.status == CAROM_OK) o.digest = digest_of(json); /* ids in an SVG count on */
    unlink("out.svg");
    carom_free(json);
    carom_plot_free(made);
    return o;
}

static outcome render(const char *path)
{
    carom_file *file;
    const carom_render_options options = {.frame = CAROM_RENDER_LAST, .width = 48, .height = 48};
    outcome o = {.status = carom_file_open(&file, path)};
    if (o.status == CAROM_OK) o.status = carom_file_render(file, "out.png", true, &options, NULL);
    if (o.status != CAROM_OK) note_refusal(carom_file_message(file));
    if (o.status == CAROM_OK) o.digest = digest_file("out.png");
    carom_file_free(file);
    return o;
}

static outcome shape(const char *path)
{
    carom_shape *made;
    char *text = NULL;
    const carom_shape_options options = {.frame = CAROM_SHAPE_ALL, .cluster = CAROM_SHAPE_ALL};
    outcome o = {.status = carom_shape_new(&made, &options)};
    if (o.status == CAROM_OK) o.status = carom_shape_add(made, path);
    if (o.status == CAROM_OK) o.status = carom_shape_report(made, "json", &text);
    if (o.status != CAROM_OK) note_refusal(carom_shape_message(made));
    o.digest = digest_of(text);
    carom_free(text);
    carom_shape_free(made);
    return o;
}

typedef struct command {
    const char *name;
    outcome (*run)(const char *path);
} command;

static const command commands[] = {{"info", info_text},        {"info --json", info_json},
                                   {"verify", verify},         {"export xyz", export_xyz},
                                   {"export csv", export_csv}, {"plot", plot},
                                   {"render", render},         {"shape", shape}};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Goes on with d.h5 to its end; the digest is that of the state and of all that is stored. */
static outcome resume(const victim *v)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    const carom_options options = {.output = "d.h5", .resume = true};
    need(carom_scene_set(scene, "run.until.time=2.5") == CAROM_OK, "set");
    need(carom_scene_load_text(scene, "test.yaml", v->text, strlen(v->text)) == CAROM_OK, carom_scene_message(scene));
    outcome o = {.status = carom_sim_new(&sim, scene, &options)};
    if (o.status == CAROM_OK) o.status = carom_sim_run(sim);
    if (o.status != CAROM_OK) note_refusal(carom_sim_message(sim));
    carom_sim_free(sim);
    carom_scene_free(scene);
    if (o.status == CAROM_OK) o.digest = export_csv("d.h5").digest;
    return o;
}

/* ---- making the files -------------------------------------------------------------------------------------------- */

static void make(victim *v, const char *text)
{
    carom_scene *scene = carom_scene_new();
    carom_sim *sim = NULL;
    const carom_options options = {.output = "d.h5", .force = true, .keep_checkpoint = true};
    v->text = text;
    need(carom_scene_load_text(scene, "test.yaml", text, strlen(text)) == CAROM_OK, carom_scene_message(scene));
    need(carom_sim_new(&sim, scene, &options) == CAROM_OK, carom_sim_message(sim));
    need(carom_sim_run(sim) == CAROM_OK, carom_sim_message(sim));
    carom_sim_free(sim);
    carom_scene_free(scene);
    v->result = load("d.h5");
    v->checkpoint = load("d.h5.checkpoint");
    need(v->result.size > 0 && v->checkpoint.size > 0, "no files");
    hid_t file = H5Fopen("d.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    need(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, find_pieces, v) >= 0, "no datasets");
    H5Fclose(file);
    for (size_t c = 0; c < COMMANDS; c++) {
        v->whole[c] = commands[c].run("d.h5");
        printf("%s: %d\n", commands[c].name, (int)v->whole[c].status);
    }
    v->whole[COMMANDS] = resume(v);
    need(v->whole[COMMANDS].status == CAROM_OK, refusal);
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

static const piece *any_piece(const victim *v)
{
    return &v->pieces[dice(v->piece_count)];
}

static void flip(bytes b, size_t at)
{
    b.data[at] ^= (unsigned char)(1u << dice(8));
}

static void swap(bytes b, size_t one, size_t two, size_t size)
{
    for (size_t k = 0; k < size; k++) {
        const unsigned char held = b.data[one + k];
        b.data[one + k] = b.data[two + k];
        b.data[two + k] = held;
    }
}

/* Blocks as disks and file systems have them. */
static void damage_block(bytes *b, unsigned how)
{
    const size_t block = dice(2) > 0 ? 512 : 4096, blocks = b->size / block;
    if (blocks < 2) return;
    const size_t one = dice(blocks) * block, two = dice(blocks) * block;
    if (how == 0) memset(b->data + one, 0, block);
    if (how == 1 && one != two) swap(*b, one, two, block);
    if (how == 2) memmove(b->data + one, b->data + two, block);
}

/* Chunks of datasets, as wholes. */
static void damage_piece(const victim *v, bytes *b, unsigned how)
{
    const piece *one = any_piece(v), *two = any_piece(v);
    if (how == 0) memset(b->data + one->at, 0, one->size);
    for (int tries = 0; tries < 100 && two->size != one->size; tries++) two = any_piece(v);
    if (how == 1 && two->size == one->size && one != two) swap(*b, one->at, two->at, one->size);
    if (how == 2) flip(*b, one->at + dice(one->size));
}

static const char *damage_result(const victim *v, bytes *b)
{
    switch (dice(9)) {
    case 0:
        b->size = dice(b->size);
        return "cut";
    case 1:
        damage_block(b, 0);
        return "zeroed block";
    case 2:
        damage_block(b, 1);
        return "swapped blocks";
    case 3:
        damage_block(b, 2);
        return "copied block";
    case 4:
        damage_piece(v, b, 0);
        return "zeroed chunk";
    case 5:
        damage_piece(v, b, 1);
        return "swapped chunks";
    case 6:
        damage_piece(v, b, 2);
        return "flipped bit of a chunk";
    case 7:
        for (uint64_t k = 1 + dice(20); k > 0; k--) b->data[dice(b->size)] = (unsigned char)dice(256);
        return "random bytes";
    default:
        flip(*b, dice(b->size));
        return "flipped bit";
    }
}

static const char *damage_checkpoint(bytes *b)
{
    if (dice(4) == 0) {
        b->size = dice(b->size);
        return "cut checkpoint";
    }
    flip(*b, dice(b->size));
    return "flipped bit of the checkpoint";
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static uint64_t case_number, refused, equal;
static int failures;

static void judge(const char *name, const char *damage, outcome got, outcome whole)
{
    const bool same = got.status == whole.status && got.digest == whole.digest;
    const bool damaged = got.status == CAROM_BAD_DATA && refusal[0] != '\0';
    if (same || damaged) {
        refused += damaged && !same;
        equal += same;
        return;
    }
    failures++;
    printf("case %llu, %s: %s gives %d%s: %s\n", (unsigned long long)case_number, damage, name, (int)got.status,
           got.status == whole.status ? ", but other numbers" : "", refusal);
    fflush(stdout);
}

static bytes copy(bytes b)
{
    bytes c = {malloc(b.size + 1), b.size};
    memcpy(c.data, b.data, b.size);
    return c;
}

static void run_case(const victim *v)
{
    enum { RESUMES = 6 };
    bytes result = copy(v->result), checkpoint = copy(v->checkpoint);
    const char *damage = dice(10) == 0 ? damage_checkpoint(&checkpoint) : damage_result(v, &result);
    const bool goes_on = checkpoint.size != v->checkpoint.size || dice(RESUMES) == 0 ||
                         memcmp(checkpoint.data, v->checkpoint.data, checkpoint.size) != 0;
    store("d.h5", result);
    store("d.h5.checkpoint", checkpoint);
    for (size_t c = 0; c < COMMANDS; c++) {
        refusal[0] = '\0';
        judge(commands[c].name, damage, commands[c].run("d.h5"), v->whole[c]);
    }
    refusal[0] = '\0';
    if (goes_on) judge("run --resume", damage, resume(v), v->whole[COMMANDS]);
    free(result.data);
    free(checkpoint.data);
}

static void crashed(int signal_number)
{
    char text[80];
    const int length =
        snprintf(text, sizeof text, "case %llu: signal %d\n", (unsigned long long)case_number, signal_number);
    if (write(STDOUT_FILENO, text, (size_t)length) > 0) _exit(1);
    _exit(1);
}

static uint64_t number_from(const char *text, uint64_t otherwise)
{
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
    enum { CASES = 600, QUICK = 150, SECONDS = 60 };
    static victim victims[KINDS];
    const char *tier = getenv("CAROM_TIER");
    const bool quick = tier != NULL && strcmp(tier, "quick") == 0, rest = tier != NULL && strcmp(tier, "long") == 0;
    const uint64_t cases = number_from(argc > 1 ? argv[1] : getenv("CAROM_DAMAGED"), quick ? QUICK : CASES);
    const uint64_t seed = number_from(argc > 2 ? argv[2] : NULL, 1),
                   only = number_from(getenv("CAROM_DAMAGED_ONLY"), 0);
    char folder[] = "/tmp/carom-test-XXXXXX";
    need(mkdtemp(folder) != NULL && chdir(folder) == 0, "no folder");
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGABRT, crashed);
    signal(SIGFPE, crashed);
    signal(SIGALRM, crashed); /* it hangs */
    for (int k = 0; k < KINDS; k++) make(&victims[k], scenes[k]);
    for (case_number = rest ? QUICK + 1 : 1; case_number <= cases; case_number++) {
        dice_state = hash_finish(hash_u64(hash_u64(HASH_START, seed), case_number)) | 1;
        alarm(SECONDS);
        if (only == 0 || only == case_number) run_case(&victims[case_number % KINDS]);
    }
    alarm(0);
    printf("%llu cases: refused %llu times, equal %llu times, %d failures\n", (unsigned long long)cases,
           (unsigned long long)refused, (unsigned long long)equal, failures);
    return failures > 0 || refused < (rest ? cases - QUICK : cases);
}
