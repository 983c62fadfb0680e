/* The folder of a sweep. Several processes may use it: shards hold a shared lock, a whole sweep an exclusive one, and
 * their runs inherit it. Each process writes rows to its own file. */
#include "sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "json.h"

enum { LOCK_TRIES = 200, LOCK_PAUSE_MS = 25 }; /* waits until the runs of a killed sweep have stopped */

char *sweep_path(const sweep_work *w, const char *format, ...)
{
    char name[128];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    size_t size = strlen(w->folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) snprintf(path, size, "%s/%s", w->folder, name);
    return path;
}

static carom_status no_memory(void)
{
    complain("out of memory");
    return CAROM_INTERNAL;
}

carom_status sweep_read_text(const char *path, char **text, size_t *length)
{
    struct stat about;
    *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return CAROM_NO_INPUT;
    carom_status status = CAROM_IO;
    if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)) {
        *text = malloc((size_t)about.st_size + 1);
        *length = *text != NULL ? fread(*text, 1, (size_t)about.st_size, file) : 0;
        if (*text != NULL) (*text)[*length] = '\0';
        status = *text == NULL ? CAROM_INTERNAL : ferror(file) ? CAROM_IO : CAROM_OK;
    }
    fclose(file);
    return status;
}

/* ---- The folder ---- */

static bool is_ours(const char *name)
{
    static const char *const ours[] = {".",        "..",        "lock",          "record",        "runs",
                                       "runs.csv", "table.csv", "runs.csv.part", "table.csv.part"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0) return true;
    return strncmp(name, "record.", 7) == 0 || strncmp(name, "rows", 4) == 0;
}

/* Whether the folder contains files of a sweep only; false is reported. */
static bool is_sweep_folder(const char *folder)
{
    DIR *all = opendir(folder);
    bool good = all != NULL;
    if (all == NULL) complain("cannot read the folder '%s': %s", folder, strerror(errno));
    for (struct dirent *one; good && (one = readdir(all)) != NULL;) {
        good = is_ours(one->d_name);
        if (!good) complain("'%s' contains other files ('%s'); choose another folder with -o", folder, one->d_name);
    }
    if (all != NULL) closedir(all);
    return good;
}

static carom_status make_folder(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return CAROM_OK;
    complain("cannot create the folder '%s': %s; choose another with -o", path, strerror(errno));
    return CAROM_NO_CREATE;
}

static bool lock_in_time(int file, int how)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_MS * 1000000L};
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(file, how | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return errno == ENOLCK || errno == ENOTSUP; /* no locks on this file system */
        nanosleep(&pause, NULL);
    }
    return false;
}

/* Children inherit the lock: the runs of a killed sweep hold it until they have stopped. */
static carom_status lock_folder(sweep_work *w)
{
    char *path = sweep_path(w, "lock");
    if (path == NULL) return no_memory();
    w->lock = open(path, O_RDWR | O_CREAT, 0666);
    if (w->lock < 0) complain("cannot create '%s': %s", path, strerror(errno));
    free(path);
    if (w->lock < 0) return CAROM_NO_CREATE;
    if (lock_in_time(w->lock, w->members > 1 ? LOCK_SH : LOCK_EX)) return CAROM_OK;
    complain("another carom sweep is running in '%s'", w->folder);
    return CAROM_NO_CREATE;
}

/* ---- The record of the sweep ---- */

/* The first process writes it: a link can be created only once. */
static carom_status write_record(sweep_work *w, const char *path)
{
    char *aside = sweep_path(w, "record.%ld", (long)getpid());
    if (aside == NULL) return no_memory();
    carom_status status = put_text(aside, carom_sweep_record(w->sweep));
    if (status == CAROM_OK && link(aside, path) != 0 && errno != EEXIST && rename(aside, path) != 0) {
        complain("cannot create '%s': %s", path, strerror(errno));
        status = CAROM_NO_CREATE;
    }
    unlink(aside);
    free(aside);
    return status;
}

static void remove_all(const char *folder, bool (*which)(const char *name))
{
    DIR *all = opendir(folder);
    for (struct dirent *one; all != NULL && (one = readdir(all)) != NULL;) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        if (which(one->d_name) && length > 0 && (size_t)length < sizeof path) unlink(path);
    }
    if (all != NULL) closedir(all);
}

static bool is_row_or_table(const char *name)
{
    return is_ours(name) && strcmp(name, "lock") != 0 && name[0] != '.';
}

static bool is_run_file(const char *name)
{
    return strncmp(name, "point-", 6) == 0;
}

static carom_status begin_anew(sweep_work *w, const char *path)
{
    if (!lock_in_time(w->lock, LOCK_EX)) {
        complain("another carom sweep is running in '%s'", w->folder);
        return CAROM_NO_CREATE;
    }
    char *runs = sweep_path(w, "runs");
    if (runs == NULL) return no_memory();
    remove_all(w->folder, is_row_or_table);
    remove_all(runs, is_run_file);
    free(runs);
    carom_status status = write_record(w, path);
    if (w->members > 1) flock(w->lock, LOCK_SH);
    return status;
}

static carom_status compare_record(sweep_work *w, const char *path, const char *stored)
{
    char *key = NULL;
    bool read = carom_sweep_difference(w->sweep, stored, &key) == CAROM_OK;
    if (read && key == NULL) return CAROM_OK;
    const char *name = !read ? "record" : strcmp(key, "points") == 0 ? "scene" : key;
    carom_status status = CAROM_BAD_DATA;
    if (w->args->force && !w->args->dry_run)
        status = begin_anew(w, path);
    else
        complain("the sweep or its scene is not that of '%s': it differs at `%s`; undo the change, choose another "
                 "folder with -o, or delete its contents and start again with --force",
                 w->folder, name);
    carom_free(key);
    return status;
}

static carom_status check_record(sweep_work *w, bool write)
{
    char *text = NULL, *path = sweep_path(w, "record");
    size_t length;
    if (path == NULL) return no_memory();
    carom_status status = sweep_read_text(path, &text, &length);
    if (status == CAROM_NO_INPUT && w->args->collect)
        complain("the folder '%s' contains no sweep to collect", w->folder);
    else if (status == CAROM_NO_INPUT)
        status = write ? write_record(w, path) : CAROM_OK;
    else if (status == CAROM_OK)
        status = compare_record(w, path, text);
    else
        complain("cannot read '%s'", path);
    free(text);
    free(path);
    return status;
}

carom_status sweep_open_folder(sweep_work *w)
{
    bool exists = access(w->folder, F_OK) == 0, look_only = w->args->dry_run;
    if (look_only) return exists ? check_record(w, false) : CAROM_OK;
    if (w->args->collect) return check_record(w, false);
    carom_status status = make_folder(w->folder);
    if (status == CAROM_OK && !is_sweep_folder(w->folder)) status = CAROM_NO_CREATE;
    if (status == CAROM_OK) status = lock_folder(w);
    if (status == CAROM_OK) status = check_record(w, true);
    char *runs = sweep_path(w, "runs");
    if (runs == NULL) return no_memory();
    if (status == CAROM_OK) status = make_folder(runs);
    free(runs);
    return status;
}

/* ---- Rows ---- */

static void free_row(sweep_row *row, size_t measures)
{
    for (size_t i = 0; row->values != NULL && i < measures; i++) free(row->values[i]);
    free((void *)row->values);
    free(row->settled);
    free(row->message);
    *row = (sweep_row){0};
}

void sweep_free_rows(sweep_work *w)
{
    for (size_t i = 0; w->rows != NULL && i < w->runs; i++) free_row(&w->rows[i], carom_sweep_measure_count(w->sweep));
}

bool sweep_is_finished(const sweep_row *row)
{
    return row->known && (row->exit == CAROM_OK || row->exit == CAROM_DYNAMICS);
}

static long find_seed(const sweep_work *w, uint64_t seed)
{
    uint64_t first = carom_sweep_seed(w->sweep, 0);
    if (seed - first < w->seeds && carom_sweep_seed(w->sweep, seed - first) == seed) return (long)(seed - first);
    for (size_t i = 0; i < w->seeds; i++)
        if (carom_sweep_seed(w->sweep, i) == seed) return (long)i;
    return -1;
}

/* "msd.diffusion", as in `carom info`, or a complete path. *mean: the quantity of which the value is the mean; NULL:
 * not a mean. */
static const char *find_measure(const char *summary, const char *name, const char **mean)
{
    char first[128], quantity[64];
    const char *value = json_find(summary, name), *all = json_find(summary, "observables");
    const size_t length = strlen(name), step = strcspn(name, ".");
    *mean = NULL;
    if (value != NULL && (*value == '{' || *value == '[')) value = NULL; /* `energy` may be an observable */
    if (value != NULL && length > 5 && length < sizeof first && strcmp(name + length - 5, ".mean") == 0) {
        snprintf(first, sizeof first, "%.*s", (int)length - 5, name);
        *mean = json_find(summary, first);
    }
    if (value != NULL || all == NULL || step >= sizeof first) return value;
    snprintf(first, sizeof first, "%.*s", (int)step, name);
    *mean = json_find(all, first);
    if (*mean == NULL) return NULL;
    json_text(json_find(*mean, "quantity"), quantity, sizeof quantity);
    if (name[step] != '\0' && strcmp(name + step + 1, quantity) != 0) *mean = json_find(*mean, name + step + 1);
    return *mean != NULL ? json_find(*mean, "mean") : NULL;
}

static bool has_settled(const char *mean)
{
    const char *converged = mean != NULL ? json_find(mean, "converged") : NULL;
    return converged != NULL && strncmp(converged, "true", 4) == 0;
}

static carom_status take_values(sweep_work *w, sweep_row *row, const char *summary)
{
    size_t count = carom_sweep_measure_count(w->sweep);
    row->values = calloc(count, sizeof *row->values);
    row->settled = calloc(count, sizeof *row->settled);
    if (row->values == NULL || row->settled == NULL) return no_memory();
    for (size_t i = 0; i < count && summary != NULL; i++) {
        const char *mean, *value = find_measure(summary, carom_sweep_measure(w->sweep, i), &mean);
        if (value == NULL || *value == '{' || *value == '[') continue;
        w->measured[i] = true;
        w->averaged[i] = w->averaged[i] || mean != NULL;
        row->settled[i] = has_settled(mean);
        if (strncmp(value, "null", 4) == 0) continue;
        row->values[i] = strndup(value, json_length(value));
        if (row->values[i] == NULL) return no_memory();
    }
    return CAROM_OK;
}

/* Contents of a line of a row file. */
typedef struct stored_row {
    double point, code;
    uint64_t inputs; /* 0: the scene has no input files */
    const char *seed, *message, *summary;
} stored_row;

/* An incomplete row, after a kill, does not count. */
static bool parse_line(stored_row *stored, const char *line, size_t length)
{
    if (length < 2 || line[length - 1] != '\n' || line[length - 2] != '}') return false;
    *stored = (stored_row){
        .seed = json_find(line, "seed"), .message = json_find(line, "message"), .summary = json_find(line, "summary")};
    const char *inputs = json_find(line, "inputs");
    if (inputs != NULL) stored->inputs = strtoull(inputs + 1, NULL, 16);
    return stored->seed != NULL && stored->message != NULL && stored->summary != NULL &&
           json_number(json_find(line, "point"), &stored->point) && stored->point >= 1 &&
           json_number(json_find(line, "exit"), &stored->code) && stored->code >= 0 && stored->code < 256;
}

static carom_status keep_row(sweep_work *w, sweep_row *row, const stored_row *stored, bool values)
{
    size_t size = json_length(stored->message) + 1;
    char *message = malloc(size), version[32];
    if (message == NULL) return no_memory();
    json_text(stored->message, message, size);
    *row = (sweep_row){.known = true, .exit = (int)stored->code, .message = message};
    if (!values) return CAROM_OK;
    json_text(json_find(stored->summary, "carom"), version, sizeof version);
    if (version[0] != '\0' && strcmp(version, carom_version()) != 0) w->other_version = true;
    return take_values(w, row, stored->summary);
}

/* Failed runs are repeated in any case. */
static bool has_other_files(const sweep_work *w, const stored_row *stored)
{
    const sweep_row row = {.known = true, .exit = (int)stored->code};
    return sweep_is_finished(&row) && stored->inputs != carom_sweep_inputs(w->sweep, (size_t)stored->point - 1);
}

/* Invalid rows are skipped: the run is then repeated. */
static carom_status take_line(sweep_work *w, const char *line, size_t length, bool values)
{
    stored_row stored;
    if (!parse_line(&stored, line, length)) return CAROM_OK;
    long index = find_seed(w, strtoull(stored.seed, NULL, 10));
    if (index < 0 || stored.point > (double)w->points) {
        complain("'%s' has runs with seed %.*s, which `seeds` no longer contains; restore it, or choose another folder "
                 "with -o",
                 w->folder, (int)json_length(stored.seed), stored.seed);
        return CAROM_BAD_DATA;
    }
    sweep_row *row = &w->rows[((size_t)stored.point - 1) * w->seeds + (size_t)index];
    if (sweep_is_finished(row)) return CAROM_OK;
    if (has_other_files(w, &stored)) {
        row->other_files = !row->known;
        return CAROM_OK;
    }
    free_row(row, carom_sweep_measure_count(w->sweep));
    return keep_row(w, row, &stored, values);
}

static carom_status load_file(sweep_work *w, const char *path, bool values)
{
    char *line = NULL;
    size_t room = 0;
    carom_status status = CAROM_OK;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        complain("cannot read '%s': %s", path, strerror(errno));
        return CAROM_IO;
    }
    for (ssize_t length; status == CAROM_OK && (length = getline(&line, &room, file)) > 0;)
        status = take_line(w, line, (size_t)length, values);
    if (status == CAROM_OK && ferror(file)) {
        complain("cannot read '%s': %s", path, strerror(errno));
        status = CAROM_IO;
    }
    free(line);
    fclose(file);
    return status;
}

/* Runs whose input files have changed since, without a later row. */
static carom_status check_files(const sweep_work *w)
{
    if (w->args->force && !w->args->dry_run) return CAROM_OK;
    for (size_t i = 0; i < w->runs; i++) {
        if (!w->rows[i].other_files) continue;
        complain("a file of meshes or particles that the scene names has changed since point %zu ran in '%s'; restore "
                 "it, choose another folder with -o, or repeat the runs concerned with --force",
                 i / w->seeds + 1, w->folder);
        return CAROM_BAD_DATA;
    }
    return CAROM_OK;
}

static int is_row_file(const struct dirent *one)
{
    size_t length = strlen(one->d_name);
    return strncmp(one->d_name, "rows", 4) == 0 && length > 6 && strcmp(one->d_name + length - 6, ".jsonl") == 0;
}

carom_status sweep_load_rows(sweep_work *w, bool values)
{
    struct dirent **names = NULL;
    sweep_free_rows(w);
    int count = scandir(w->folder, &names, is_row_file, alphasort);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count; i++) {
        char *path = sweep_path(w, "%s", names[i]->d_name);
        if (status == CAROM_OK) status = path != NULL ? load_file(w, path, values) : no_memory();
        free(path);
        free(names[i]);
    }
    free((void *)names);
    return status == CAROM_OK ? check_files(w) : status;
}

/* Removes an incomplete row, after a kill, so that the next row begins a line. */
static bool cut_torn_row(int file)
{
    off_t end = lseek(file, 0, SEEK_END);
    char last = '\n';
    while (end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n') end--;
    return end >= 0 && ftruncate(file, end) == 0;
}

carom_status sweep_open_store(sweep_work *w)
{
    char *path =
        w->members > 1 ? sweep_path(w, "rows-%dof%d.jsonl", w->member, w->members) : sweep_path(w, "rows.jsonl");
    if (path == NULL) return no_memory();
    carom_status status = CAROM_OK;
    w->store = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (w->store < 0) {
        complain("cannot create '%s': %s", path, strerror(errno));
        status = CAROM_NO_CREATE;
    } else if (!lock_in_time(w->store, LOCK_EX)) {
        complain("another carom sweep is running part %d of %d in '%s'", w->member, w->members, w->folder);
        status = CAROM_NO_CREATE;
    } else if (!cut_torn_row(w->store)) {
        complain("cannot write '%s': %s", path, strerror(errno));
        status = CAROM_IO;
    }
    free(path);
    return status;
}

static void put_escaped(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04x", (unsigned)*text);
        else
            fprintf(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    }
}

/* In one write, and synced before the files of the run may be deleted. */
static carom_status append(sweep_work *w, const char *line, size_t length)
{
    off_t before = lseek(w->store, 0, SEEK_END);
    ssize_t written = write(w->store, line, length);
    if (written == (ssize_t)length && fdatasync(w->store) == 0) return CAROM_OK;
    complain("cannot write a row in '%s': %s", w->folder, strerror(written < 0 ? errno : ENOSPC));
    if (before >= 0 && ftruncate(w->store, before) != 0) complain("the last row in '%s' is incomplete", w->folder);
    return CAROM_IO;
}

carom_status sweep_add_row(sweep_work *w, size_t run, int code, const char *message, const char *summary)
{
    char *line = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&line, &length);
    if (to == NULL) return no_memory();
    const uint64_t inputs = carom_sweep_inputs(w->sweep, run / w->seeds);
    fprintf(to, "{\"point\": %zu, \"seed\": %llu, \"exit\": %d, ", run / w->seeds + 1,
            (unsigned long long)carom_sweep_seed(w->sweep, run % w->seeds), code);
    if (inputs != 0) fprintf(to, "\"inputs\": \"%016llx\", ", (unsigned long long)inputs);
    fputs("\"message\": \"", to);
    put_escaped(to, message);
    fputs("\", \"summary\": ", to);
    for (const char *c = summary != NULL ? summary : "null"; *c != '\0'; c++)
        if (*c != '\n') fputc(*c, to);
    fputs("}\n", to);
    carom_status status = fclose(to) == 0 ? append(w, line, length) : no_memory();
    free(line);
    return status;
}
