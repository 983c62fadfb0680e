/* carom sweep: one scene with several seeds and parameters. */
#include "sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file of this program, so that all runs use the same build. */
static char *own_program(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return strdup("carom");
    path[length] = '\0';
    return access(path, X_OK) == 0 ? strdup(path) : strdup("/proc/self/exe"); /* a new build has replaced the file */
}

static char *folder_of(const arguments *args)
{
    if (args->output == NULL) return name_with_ending(args->operand, "");
    size_t length = strlen(args->output);
    while (length > 1 && args->output[length - 1] == '/') length--;
    return strndup(args->output, length);
}

static carom_status load(sweep_work *w)
{
    w->sweep = carom_sweep_new();
    if (w->sweep == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    carom_status status = carom_sweep_load(w->sweep, w->args->operand);
    if (status != CAROM_OK) {
        complain_message(carom_sweep_message(w->sweep));
        return status;
    }
    if (w->args->json != NULL && same_file(w->args->json, carom_sweep_scene(w->sweep))) {
        complain("--json would replace the scene");
        return CAROM_USAGE;
    }
    w->points = carom_sweep_point_count(w->sweep);
    w->seeds = carom_sweep_seed_count(w->sweep);
    w->runs = w->points * w->seeds;
    w->folder = folder_of(w->args);
    w->program = own_program();
    w->rows = calloc(w->runs, sizeof *w->rows);
    w->measured = calloc(carom_sweep_measure_count(w->sweep), sizeof *w->measured);
    w->averaged = calloc(carom_sweep_measure_count(w->sweep), sizeof *w->averaged);
    if (w->folder != NULL && w->program != NULL && w->rows != NULL && w->measured != NULL && w->averaged != NULL)
        return CAROM_OK;
    complain("out of memory");
    return CAROM_INTERNAL;
}

/* ---- Messages ---- */

static bool is_mine(const sweep_work *w, size_t run)
{
    return w->mpi || (int)(run % (size_t)w->members) + 1 == w->member;
}

static void put_shell_word(const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%";
    bool bare = *word != '\0' && word[strspn(word, safe)] == '\0';
    out(bare ? " " : " '");
    for (const char *c = word; *c != '\0'; c++) out(*c == '\'' ? "'\\''" : "%c", *c);
    if (!bare) out("'");
}

/* "new     carom run ..." for each run. */
static carom_status list_runs(const sweep_work *w)
{
    for (size_t run = 0; run < w->runs; run++) {
        if (!is_mine(w, run)) continue;
        bool resume = sweep_can_resume(w, run), done = sweep_is_finished(&w->rows[run]);
        const char *state = done ? "done" : resume ? "resume" : w->rows[run].known ? "again" : "new";
        char **words = sweep_command(w, run, resume);
        if (words == NULL) {
            complain("out of memory");
            return CAROM_INTERNAL;
        }
        out("%-7s", state);
        for (size_t i = 0; words[i] != NULL; i++) put_shell_word(words[i]);
        out("\n");
        sweep_free_command(words);
    }
    return CAROM_OK;
}

/* Warns of measures that no run has. */
static void warn_of_measures(const sweep_work *w)
{
    for (size_t i = 0; carom_sweep_measures_chosen(w->sweep) && i < carom_sweep_measure_count(w->sweep); i++)
        if (!w->measured[i])
            fprintf(stderr,
                    "carom: warning: no run has a number or a word at '%s'; docs/formats.md lists the contents of a "
                    "summary\n",
                    carom_sweep_measure(w->sweep, i));
}

typedef struct tally {
    size_t ended, failed;
    int first_exit; /* of the first run, in the order of the table, that failed */
} tally;

static tally count_rows(const sweep_work *w)
{
    tally t = {0};
    for (size_t run = 0; run < w->runs; run++) {
        const sweep_row *row = &w->rows[run];
        if (!row->known) continue;
        t.ended++;
        if (row->exit == CAROM_OK) continue;
        t.failed++;
        if (t.first_exit == 0) t.first_exit = row->exit;
        if (t.failed == 1 && !w->args->quiet)
            complain("the run at point %zu with seed %llu failed with exit status %d: %s", run / w->seeds + 1,
                     (unsigned long long)carom_sweep_seed(w->sweep, run % w->seeds), row->exit,
                     row->message != NULL ? row->message : "");
    }
    return t;
}

/* ---- The end: tables from all rows ---- */

static carom_status conclude(sweep_work *w)
{
    carom_status status = sweep_load_rows(w, true);
    if (status != CAROM_OK) return status;
    tally t = count_rows(w);
    if (t.ended < w->runs && !w->args->collect) {
        if (!w->args->quiet)
            fprintf(stderr, "%zu of %zu runs have ended; the last part writes the tables, --collect writes them now\n",
                    t.ended, w->runs);
        return CAROM_OK;
    }
    status = sweep_write_tables(w);
    if (status == CAROM_OK && w->args->json != NULL) status = sweep_write_json(w, w->args->json);
    if (status != CAROM_OK) return status;
    warn_of_measures(w);
    if (w->other_version)
        fprintf(stderr, "carom: warning: a version other than %s has written some of the rows in '%s'\n",
                carom_version(), w->folder);
    if (!w->args->quiet)
        fprintf(stderr, "%zu of %zu runs have ended, %zu failed\n  %-8s %s/runs.csv\n  %-8s %s/table.csv\n", t.ended,
                w->runs, t.failed, "runs", w->folder, "table", w->folder);
    if (t.first_exit == 0) return CAROM_OK;
    return t.first_exit < 128 ? (carom_status)t.first_exit : CAROM_INTERNAL; /* a crash of carom, or a kill */
}

/* ---- The work ---- */

static void begin_work(sweep_work *w)
{
    for (size_t run = 0; run < w->runs; run++) w->mine += is_mine(w, run) && !sweep_is_finished(&w->rows[run]);
    if (!w->args->quiet && w->member == 1 && w->mine < w->runs && w->members == 1)
        fprintf(stderr, "%zu of %zu runs are done already\n", w->runs - w->mine, w->runs);
}

static carom_status work(sweep_work *w)
{
    begin_work(w);
    w->status = sweep_open_store(w);
    sweep_work_through(w);
    if (w->store >= 0) close(w->store);
    if (w->status != CAROM_OK) return w->status;
    if (w->unfinished) {
        if (!w->args->quiet && (w->member == 1 || !w->mpi))
            fprintf(stderr, "stopped; the same command continues the sweep\n");
        return CAROM_EARLY;
    }
    return w->mpi && w->member > 1 ? CAROM_OK : conclude(w);
}

/* Rank 0 prepares the folder before the others. */
static carom_status prepare(sweep_work *w)
{
    carom_status status = CAROM_OK;
    if (w->member == 1 || !w->mpi) {
        status = load(w);
        if (status == CAROM_OK) status = sweep_open_folder(w);
        if (status == CAROM_OK) status = sweep_load_rows(w, false);
    }
    if (!w->mpi) return status;
    status = team_share(status);
    if (status != CAROM_OK || w->member == 1) return status;
    status = load(w);
    if (status == CAROM_OK) status = sweep_open_folder(w);
    if (status != CAROM_OK) team_abort(status);
    return status;
}

static carom_status check_usage(const arguments *args, bool mpi)
{
    const char *clash = NULL;
    if (args->shards > 0 && mpi)
        clash = "under mpirun the runs are already distributed; leave out --shard";
    else if (args->collect && (args->shards > 0 || args->dry_run || args->force))
        clash = "--collect runs nothing and cannot be combined with --shard, --dry-run or --force";
    else if (args->json != NULL && args->dry_run)
        clash = "--dry-run computes no statistics for --json";
    if (args->json != NULL && same_file(args->json, args->operand)) clash = "--json would replace the sweep";
    if (clash == NULL) return CAROM_OK;
    complain("%s", clash);
    return CAROM_USAGE;
}

static carom_status carry_out(sweep_work *w)
{
    carom_status status = check_usage(w->args, w->mpi);
    if (status == CAROM_OK) status = prepare(w);
    if (status != CAROM_OK) return status;
    if (w->args->dry_run) return w->member == 1 || !w->mpi ? list_runs(w) : CAROM_OK;
    if (w->args->collect) return w->member == 1 || !w->mpi ? conclude(w) : CAROM_OK;
    return work(w);
}

static void free_work(sweep_work *w)
{
    sweep_free_rows(w);
    free(w->rows);
    free(w->measured);
    free(w->averaged);
    free(w->folder);
    free(w->program);
    carom_sweep_free(w->sweep);
    if (w->lock >= 0) close(w->lock);
}

static int sweep(const arguments *given)
{
    arguments args = *given;
    int rank, size;
    if (!team_begin(&rank, &size)) return CAROM_USAGE;
    sweep_work w = {.args = &args, .member = 1, .members = 1, .mpi = size > 1, .lock = -1, .store = -1};
    if (args.shards > 0) {
        w.member = args.shard;
        w.members = args.shards;
    }
    if (w.mpi) {
        w.member = rank + 1;
        w.members = size;
    }
    int cores = w.mpi ? 1 : carom_cores() / (args.threads > 0 ? args.threads : 1);
    if (args.jobs == 0) args.jobs = cores > 0 ? cores : 1;
    w.view = progress_begin(args.quiet);
    carom_status status = carry_out(&w);
    free_work(&w);
    team_end();
    return (int)status;
}

static const option options[] = {
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "FOLDER", NULL, false,
     "folder for rows, tables and results; default: the name of the sweep without its ending, in the current folder"},
    {"jobs", 'j', OPTION_THREADS, offsetof(arguments, jobs), "N", NULL, false,
     "runs at a time; default: the number of cores, under mpirun one for each process"},
    {"threads", 0, OPTION_THREADS, offsetof(arguments, threads), "N", NULL, false, "threads of each run; default: 1"},
    {"shard", 0, OPTION_SHARD, 0, "I/N", NULL, false,
     "only the I-th of N parts (from 1), for arrays of jobs; the part that ends last writes the tables"},
    {"collect", 0, OPTION_FLAG, offsetof(arguments, collect), NULL, NULL, false,
     "run nothing; write the tables of the runs that have ended"},
    {"dry-run", 'n', OPTION_FLAG, offsetof(arguments, dry_run), NULL, NULL, false,
     "run nothing; list the runs, their state and their commands"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false,
     "if the sweep or its scene has changed: remove the contents of the folder and start again"},
    {"quiet", 'q', OPTION_FLAG, offsetof(arguments, quiet), NULL, NULL, false, "no progress and no summary"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write the statistics also as one JSON object; - is standard output"},
};

const command command_sweep = {
    .name = "sweep",
    .summary = "run a scene over seeds and parameters",
    .text = "Runs the scene that SWEEP (a YAML file, docs/sweep.md) names with each of its seeds at each point of its "
            "parameters, as many runs at a time as there are cores, and writes one row for each run and the statistics "
            "of each point as CSV. The row of a run that fails has its exit status and message; the other runs "
            "continue. Ctrl-C or SIGTERM lets all runs write checkpoints and stops with exit status 75; the same "
            "command continues the sweep, also after a kill. The tables are the same for any number of jobs, shards "
            "(--shard) or processes of mpirun.",
    .operand = OPERAND_SWEEP,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = sweep,
};
