/* State of a running sweep, common to the parts of `carom sweep`. Each run is a process, `carom run`: a crash does
 * not affect the others, and its memory is returned to the system. */
#ifndef CAROM_CLI_SWEEP_H
#define CAROM_CLI_SWEEP_H

#include <stdint.h>
#include <stdio.h>

#include "cli.h"
#include "progress.h"

/* Result of a run. */
typedef struct sweep_row {
    bool known;
    bool other_files; /* its files of meshes or particles have changed since */
    int exit;         /* of `carom run`; 128 + signal if it was killed */
    char *message;
    bool *settled; /* [measures] whether the mean has converged */
    char **values; /* [measures] text of JSON scalars; NULL: absent. All NULL: not loaded */
} sweep_row;

typedef struct sweep_work {
    carom_sweep *sweep;
    const arguments *args;
    char *folder;
    char *program;        /* the file of this program */
    size_t points, seeds; /* run = point * seeds + index of the seed: the order of all tables */
    size_t runs;
    sweep_row *rows; /* [runs] */
    bool *measured;  /* [measures] whether any run has it */
    bool *averaged;  /* [measures] it is a mean over a run, which may not have converged */

    int member, members; /* part of the work of this process: 1 of 1, a shard, or a rank of MPI */
    bool mpi;
    int lock, store; /* files: the lock of the folder, the rows of this process */

    size_t next;              /* the first run that has not been distributed */
    size_t mine, done, taken; /* runs of this part; ended; distributed */
    bool other_version;       /* another version has written some of the rows */
    bool unfinished;          /* a run was stopped */
    carom_status status;      /* an error of the sweep itself */
    progress_view view;
    double began;
} sweep_work;

/* ---- sweep_store.c: the folder, its lock, its record, and the rows */

/* FOLDER/NAME, formatted. NULL if there is no memory; freed by the caller. */
char *sweep_path(const sweep_work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
carom_status sweep_read_text(const char *path, char **text, size_t *length); /* without messages; freed by the caller */
/* Creates the folder, or checks that it belongs to this sweep. */
carom_status sweep_open_folder(sweep_work *w);
/* The rows of all row files; with the measured values if `values`. */
carom_status sweep_load_rows(sweep_work *w, bool values);
carom_status sweep_open_store(sweep_work *w);
/* Appends a complete row. `summary` may be NULL. */
carom_status sweep_add_row(sweep_work *w, size_t run, int code, const char *message, const char *summary);
void sweep_free_rows(sweep_work *w);
/* Whether a run need not be repeated: complete, or ended by its dynamics. */
bool sweep_is_finished(const sweep_row *row);

/* ---- sweep_runs.c: the processes */

/* "runs/point-1-seed-7" + ending, in the folder. */
char *sweep_run_file(const sweep_work *w, size_t run, const char *ending);
bool sweep_can_resume(const sweep_work *w, size_t run);
/* The command of a run, terminated by NULL; sweep_free_command frees it. */
char **sweep_command(const sweep_work *w, size_t run, bool resume);
void sweep_free_command(char **words);
/* Executes the runs of this process until none is left or a signal stops it (w->unfinished). */
void sweep_work_through(sweep_work *w);
/* The next unfinished run of this process; -1: none. */
long sweep_next(sweep_work *w);
double sweep_clock(void);

/* ---- sweep_tables.c: tables */

carom_status sweep_write_tables(sweep_work *w); /* runs.csv and table.csv */
carom_status sweep_write_json(sweep_work *w, const char *path);

/* ---- sweep_mpi.c: several processes of `mpirun` share the runs. Without MPI: one process. */

/* False, with a printed error, if MPI cannot start. */
bool team_begin(int *rank, int *size);
/* Broadcast from rank 0. */
carom_status team_share(carom_status status);
/* Requests a run from rank 0; -1: none. */
long team_ask(void);
/* Rank 0: answers the requests of other ranks. */
void team_answer(sweep_work *w);
/* True when all ranks have arrived; it does not block. */
bool team_gathered(void);
void team_end(void);
/* Ends all processes, so that none waits for a failed one. */
void team_abort(carom_status status);

#endif
