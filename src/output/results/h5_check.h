/* Check of all objects of an HDF5 file before they are used. Their headers have checksums, which HDF5 checks on
 * opening. Texts of variable length (in files of earlier versions or changed by other programs) have none, and HDF5
 * 1.10 crashes if they are damaged; a child process therefore reads them first. */
#ifndef CAROM_OUTPUT_RESULTS_H5_CHECK_H
#define CAROM_OUTPUT_RESULTS_H5_CHECK_H

#include "output/results/h5.h"

/* Whether all objects can be opened; else `where` is the path of the first that cannot. `path` names the file. */
enum { H5_WHERE = 256 };
bool h5_check(hid_t file, const char *path, char where[H5_WHERE]);

#endif
