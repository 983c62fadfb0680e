/* A sweep at work: what the parts of `carom sweep` share. Every run is a process of its own, `carom run`, so that a
 * crash of one loses nothing of the others, and its memory is given back. */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include <stdint.h>
#include <stdio.h>

#include "cli.h"
#include "progress.h"

/* How a run went. */
typedef struct sweep_row {
    bool known;
    bool other_files; /* it has run with other files of meshes or particles */
    int exit;         /* of `carom run`; 128 + signal where it was killed */
    char *message;
    bool *settled; /* [measures] a mean that has converged */
    char **values; /* [measures] JSON scalars as they are written; NULL where the run has none. All NULL: not loaded */
} sweep_row;

typedef struct sweep_work {
    carom_sweep *sweep;
    const arguments *args;
    char *folder;
    char *program;        /* this program's file */
    size_t points, seeds; /* run = point * seeds + index of the seed: the order of all tables */
    size_t runs;
    sweep_row *rows; /* [runs] */
    bool *measured;  /* [measures] some run has it */
    bool *averaged;  /* [measures] it is a mean over a run, which may not have converged */

    int member, members; /* which part of the work is ours: 1 of 1, a shard, or a process of MPI */
    bool mpi;
    int lock, store; /* files: the folder's lock, our rows */

    size_t next;              /* the first run that is not given out yet */
    size_t mine, done, taken; /* runs of this part; ended; given out */
    bool other_version;       /* another carom has made some of the rows */
    bool unfinished;          /* a run was stopped */
    carom_status status;      /* a failure of our own */
    progress_view view;
    double began;
} sweep_work;

/* ---- sweep_store.c: the folder, its lock, its record, and the rows */

/* FOLDER/NAME, formatted. NULL where there is no memory; freed by the caller. */
char *sweep_path(const sweep_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
carom_status sweep_read_text(const char *path, char **text, size_t *length); /* silent; freed by the caller */
/* Makes the folder or finds it as this sweep left it. */
carom_status sweep_open_folder(sweep_work *w);
/* The rows of all row files; with the measured values where `values`. */
carom_status sweep_load_rows(sweep_work *w, bool values);
carom_status sweep_open_store(sweep_work *w);
/* Appends a row, whole. `summary` may be NULL. */
carom_status sweep_add_row(sweep_work *w, size_t run, int code, const char *message, const char *summary);
void sweep_free_rows(sweep_work *w);
/* A run that needs no other try: done, or stopped by its dynamics. */
bool sweep_is_finished(const sweep_row *row);

/* ---- sweep_runs.c: the processes */

/* "runs/point-1-seed-7" + ending, in the folder. */
char *sweep_run_file(const sweep_work *w, size_t run, const char *ending);
bool sweep_can_resume(const sweep_work *w, size_t run);
/* The command of a run, a NULL at the end; sweep_free_command frees it. */
char **sweep_command(const sweep_work *w, size_t run, bool resume);
void sweep_free_command(char **words);
/* Runs all that is ours until there is no more, or a signal stops it (w->unfinished). */
void sweep_work_through(sweep_work *w);
/* The next run that is not finished, of those that are ours; -1: none is left. */
long sweep_next(sweep_work *w);
double sweep_clock(void);

/* ---- sweep_tables.c: what comes out */

carom_status sweep_write_tables(sweep_work *w); /* runs.csv and table.csv */
carom_status sweep_write_json(sweep_work *w, const char *path);

/* ---- sweep_mpi.c: several processes of `mpirun` share the runs. Without MPI: one process. */

/* False where it cannot begin; reported. */
bool team_begin(int *rank, int *size);
/* What rank 0 says, to all. */
carom_status team_share(carom_status status);
/* Asks rank 0 for a run; -1: none is left. */
long team_ask(void);
/* Rank 0: answers the ranks that have asked. */
void team_answer(sweep_work *w);
/* True when all have come here; does not wait. */
bool team_gathered(void);
void team_end(void);
/* One process alone cannot go on: all end, rather than wait for it. */
void team_abort(carom_status status);

#endif
