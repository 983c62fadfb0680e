/* carom_file: a result, or a checkpoint (for carom_file_info and carom_file_contents only). */
#ifndef CAROM_SIM_FILE_API_H
#define CAROM_SIM_FILE_API_H

#include "output/results/checkpoint.h"
#include "output/results/read.h"
#include "sim/guard.h"

/* What has been read from a result for a caller; each part when it is first asked for. */
typedef struct file_contents {
    frame_merge *merges;
    bool linked; /* whether these have been read: */
    result_links links;
    carom_mesh *meshes;
    void *numbers; /* of the last channel */
    carom_observable *observables;
    size_t observable_count;
} file_contents;

struct carom_file {
    guard guard;
    char *path;
    reader *result;        /* NULL: it is a checkpoint */
    checkpoint checkpoint; /* if the file is a checkpoint */
    file_contents contents;
    error message;
    carom_progress_callback progress;
    void *user;
    double began, told; /* wall clock */
};

/* Clears the message. CAROM_BAD_DATA for a checkpoint; `purpose` is a verb for the message. */
carom_status file_need_result(carom_file *file, const char *purpose);

/* ---- contents_api.c ---- */

void contents_free(file_contents *contents);

/* ---- observables_api.c ---- */

void contents_free_observables(file_contents *contents);

#endif
