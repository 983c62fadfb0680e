/* An HDF5 file driver for files that are written: to HDF5 no write ever fails. HDF5 1.10 cannot close a file after a
 * failed write, and crashes when the program ends. Here the first failure is remembered and everything after it
 * dropped, so that on the disk stands what stood there before (which SWMR keeps readable); the writer looks at
 * `failure` itself. */
#ifndef CAROM_OUTPUT_RESULTS_DISK_H
#define CAROM_OUTPUT_RESULTS_DISK_H

#include <hdf5.h>

typedef struct disk {
    int fd;
    int failure; /* errno of the first write that failed; 0 while there is none */
} disk;

/* Makes an access list use this driver. */
herr_t disk_use(hid_t access);

/* The state of a file opened with such a list, valid until it is closed. */
disk *disk_of(hid_t file);

#endif
