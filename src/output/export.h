/* Results in the formats of other programs.
 *
 *     xyz   extended XYZ, all frames in one file (OVITO, ASE)
 *     vtp   <target without .pvd>_000000.vtp, ... and a .pvd that lists them with their times (ParaView, VTK)
 *     csv   one row a particle and frame
 *     obj, ply   the meshes: <target without the ending>_000000.obj, ...
 *
 * 2D is written with z = 0. Velocities are true ones. Numbers have the digits that bring the same double back. */
#ifndef CAROM_OUTPUT_EXPORT_H
#define CAROM_OUTPUT_EXPORT_H

#include "output/read.h"

/* CAROM_USAGE: no such format. CAROM_NO_CREATE: a file exists and !force, or cannot be made. CAROM_IO: a write failed;
 * what was half-written is removed. */
carom_status export_result(const reader *r, const char *format, const char *target, bool force, error *e);

#endif
