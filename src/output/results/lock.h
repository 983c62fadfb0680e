/* A single writer for each result. The lock is a file `<result>.lock` held with flock; the lock of HDF5 on the
 * result itself would exclude readers. It is removed when the run ends; a lock file left by a killed run can be
 * locked again. */
#ifndef CAROM_OUTPUT_RESULTS_LOCK_H
#define CAROM_OUTPUT_RESULTS_LOCK_H

#include "base/error.h"

typedef struct path_lock {
    char *path;
    int fd; /* meaningful while path is not NULL */
} path_lock;

/* CAROM_NO_CREATE: another run holds it, or the folder cannot be written. */
carom_status lock_take(path_lock *lock, const char *result, error *e);
void lock_drop(path_lock *lock);

/* Removes a lock file left by a killed run. */
void lock_sweep(const char *result);

#endif
