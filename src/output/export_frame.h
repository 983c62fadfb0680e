/* What the export formats share. */
#ifndef CAROM_OUTPUT_EXPORT_FRAME_H
#define CAROM_OUTPUT_EXPORT_FRAME_H

#include "output/read.h"
#include "output/sink.h"

/* Reads frame `index`, with true velocities (scale 0). */
carom_status export_frame(const reader *r, uint64_t index, carom_frame *f, error *e);

/* The name of a species; "species<n>" (in `room`) where the file has none. */
const char *export_species(const result_about *about, uint32_t species, char room[24]);

/* Three numbers after a separator each; 0 for the third in 2D. */
void export_vector(text_buffer *t, const double *x, int dimension, char separator);

/* VTP and PVD, in their own file. */
carom_status export_vtp(const reader *r, carom_frame *f, const char *target, bool force, error *e);

/* The meshes as OBJ or PLY, in their own file. */
carom_status export_meshes(const reader *r, carom_frame *f, const char *format, const char *target, bool force,
                           error *e);

#endif
