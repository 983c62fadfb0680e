/* An HDF5 file driver for writing that never reports a failed write to HDF5. HDF5 1.10 cannot close a file after a
 * failed write, and crashes at the end of the program. The driver records the first failure and discards all later
 * writes, so that the file keeps its previous contents (which SWMR keeps readable). The writer checks `failure`.
 * Readers of files that are being written use it too: each of them has metadata of its own. */
#ifndef CAROM_OUTPUT_RESULTS_DISK_H
#define CAROM_OUTPUT_RESULTS_DISK_H

#include <hdf5.h>

typedef struct disk {
    int fd;
    int failure; /* errno of the first failed write; 0: none */
} disk;

/* Selects this driver in an access list. */
herr_t disk_use(hid_t access);

/* The state of a file opened with such a list, valid until it is closed. */
disk *disk_of(hid_t file);

#endif
