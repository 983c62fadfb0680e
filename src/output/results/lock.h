/* One writer a result. The lock is a file `<result>.lock` held with flock: HDF5's own lock on the result itself would
 * keep readers out. It is gone when the run ends; one that a killed run leaves behind is free to take. */
#ifndef CAROM_OUTPUT_RESULTS_LOCK_H
#define CAROM_OUTPUT_RESULTS_LOCK_H

#include "base/error.h"

typedef struct path_lock {
    char *path;
    int fd; /* meaningful while path is not NULL */
} path_lock;

/* CAROM_NO_CREATE where another run holds it or the folder cannot be written. */
carom_status lock_take(path_lock *lock, const char *result, error *e);
void lock_drop(path_lock *lock);

/* Removes one that a killed run has left behind. */
void lock_sweep(const char *result);

#endif
