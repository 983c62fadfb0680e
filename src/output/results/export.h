/* Results in the formats of other programs.
 *
 *     xyz   extended XYZ, all frames in one file (OVITO, ASE)
 *     vtp   NAME/NAME_000000.vtp, ... and NAME.pvd that lists them with their times (ParaView, VTK)
 *     csv   one row a particle and frame; export_table: one a sample
 *     h5md  H5MD with units, the group `trajectory` and three dimensions (MDAnalysis)
 *     obj, ply   the meshes: NAME/NAME_000000.obj, ...; NAME is the target without the ending
 *
 * 2D is written with z = 0. Velocities are true ones. Numbers have the digits that bring the same double back. */
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
