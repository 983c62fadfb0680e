/* Results in the formats of other programs.
 *
 *     xyz   extended XYZ, all frames in one file (OVITO, ASE)
 *     vtp   NAME/NAME_000000.vtp, ... and NAME.pvd, a list of them with their times (ParaView, VTK)
 *     csv   one row for each particle and frame; export_table: one for each sample
 *     h5md  H5MD with units, the group `trajectory` and three dimensions (MDAnalysis)
 *     obj, ply   the meshes: NAME/NAME_000000.obj, ...; NAME is the target without the ending
 *
 * 2D is written with z = 0. Velocities are true ones. Numbers have enough digits to restore the same double. */
#ifndef CAROM_OUTPUT_RESULTS_EXPORT_H
#define CAROM_OUTPUT_RESULTS_EXPORT_H

#include "output/results/read.h"

/* CAROM_USAGE: no such format. CAROM_NO_CREATE: a file exists and !force, or cannot be created. CAROM_IO: a write
 * failed; incomplete files are removed. */
carom_status export_result(const reader *r, const char *format, const char *target, bool force, error *e);

/* A table of an observable as CSV: "NAME" (its first table) or "NAME/TABLE". CAROM_USAGE: no such table. Other
 * errors as of export_result. */
carom_status export_table(const reader *r, const char *what, const char *target, bool force, error *e);

#endif
