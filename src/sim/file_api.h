/* carom_file: a result, or a checkpoint (for carom_file_info only). */
#ifndef CAROM_SIM_FILE_API_H
#define CAROM_SIM_FILE_API_H

#include "output/results/checkpoint.h"
#include "output/results/read.h"
#include "sim/guard.h"

struct carom_file {
    guard guard;
    char *path;
    reader *result;        /* NULL: it is a checkpoint */
    checkpoint checkpoint; /* if the file is a checkpoint */
    error message;
    carom_progress_callback progress;
    void *user;
    double began, told; /* wall clock */
};

/* Clears the message. CAROM_BAD_DATA for a checkpoint; `purpose` is a verb for the message. */
carom_status file_need_result(carom_file *file, const char *purpose);

#endif
