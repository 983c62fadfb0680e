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

carom_status export_points_create(export_points *all, const reader *r, const carom_frame *f, error *e);
void export_points_free(export_points *all);

/* Sets the scale of a frame to 0: its velocities are then the true ones. */
void export_true_velocities(carom_frame *f);

/* Reads frame `index`, with true velocities. */
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

/* A format: a const struct in the file that writes it. */
typedef struct export_format {
    const char *name;
    /* For formats with one text file: writes the frames to it. `all`: the points to be listed. */
    carom_status (*write_text)(const reader *r, carom_frame *f, const export_points *all, sink *s, error *e);
    /* For all others: creates the files at `target`. */
    carom_status (*write_files)(const reader *r, carom_frame *f, const char *target, bool force, error *e);
} export_format;

/* One line a format, in the order in which messages name them. */
#define EXPORT_FORMATS(each) each(xyz) each(vtp) each(csv) each(h5md) each(obj) each(ply)

#define DECLARE_FORMAT(name) extern const export_format export_##name;
EXPORT_FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

#endif
