/* carom_file: a result, or a checkpoint where only `info` is wanted. */
#ifndef CAROM_SIM_FILE_API_H
#define CAROM_SIM_FILE_API_H

#include "output/results/checkpoint.h"
#include "output/results/read.h"
#include "sim/guard.h"

struct carom_file {
    guard guard;
    char *path;
    reader *result;        /* NULL: it is a checkpoint */
    checkpoint checkpoint; /* where it is one */
    error message;
    carom_progress_callback progress;
    void *user;
    double began, told; /* wall clock */
};

/* Clears the message; CAROM_BAD_DATA where there are no frames to `purpose`. */
carom_status file_need_result(carom_file *file, const char *purpose);

#endif
