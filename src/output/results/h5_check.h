/* A look at all objects of an HDF5 file before any is trusted. Their headers have checksums, which HDF5 looks at when it
 * opens them; texts of variable length (files of earlier versions, and those that other programs have changed) have
 * none, and HDF5 1.10 crashes on damaged ones, so that a child process reads them first. */
#ifndef CAROM_OUTPUT_RESULTS_H5_CHECK_H
#define CAROM_OUTPUT_RESULTS_H5_CHECK_H

#include "output/results/h5.h"

/* Whether all can be opened; else `where` is the path of the first that cannot. `path` names the file. */
enum { H5_WHERE = 256 };
bool h5_check(hid_t file, const char *path, char where[H5_WHERE]);

#endif
