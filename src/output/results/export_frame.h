/* Common parts of the export formats. */
#ifndef CAROM_OUTPUT_RESULTS_EXPORT_FRAME_H
#define CAROM_OUTPUT_RESULTS_EXPORT_FRAME_H

#include "output/results/read.h"
#include "output/results/sink.h"

/* Points of tables of particles: all but the vertices of rigid meshes. mesh[i]: 0 for a particle, else the number of
 * its mesh, from 1. */
typedef struct export_points {
    size_t count;
    uint32_t *point, *mesh; /* [count] */
    bool shells;            /* whether there are vertices among them */
} export_points;

/* Reads frame `index`, with true velocities (scale 0). */
carom_status export_frame(const reader *r, uint64_t index, carom_frame *f, error *e);

/* The name of a species; "species<n>" (in `room`) if the file has none. */
const char *export_species(const result_about *about, uint32_t species, char room[24]);

/* Three numbers after a separator each; 0 for the third in 2D. */
void export_vector(text_buffer *t, const double *x, int dimension, char separator);

/* Exports with one file for each frame create a folder: "dir/gas" for the target "dir/gas.obj" with that ending,
 * "dir/gas" or "dir/gas/". NULL: no memory. */
char *export_folder(const char *target, const char *ending);

/* A file in it: "dir/gas/gas_000003.obj". */
char *export_name(const char *folder, uint64_t index, const char *ending);

/* VTP and PVD, in their own file. */
carom_status export_vtp(const reader *r, carom_frame *f, const char *target, bool force, error *e);

/* H5MD, in its own file. */
carom_status export_h5md(const reader *r, carom_frame *f, const export_points *all, const char *target, bool force,
                         error *e);

/* The meshes as OBJ or PLY, in their own file. */
carom_status export_meshes(const reader *r, carom_frame *f, const char *format, const char *target, bool force,
                           error *e);

#endif
