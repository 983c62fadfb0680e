/* Meshes as files. */
#ifndef CAROM_MESH_WRITE_H
#define CAROM_MESH_WRITE_H

#include "base/text.h"
#include "mesh/mesh.h"

/* Wavefront OBJ; numbers are written with full precision. */
void mesh_write_obj(text_buffer *out, const mesh *m);

/* Lines of the vertices; vertex numbers start at `first`. */
void mesh_write_obj_from(text_buffer *out, const mesh *m, size_t first);

/* Binary PLY, little-endian, with doubles. */
void mesh_write_ply(text_buffer *out, const mesh *m);

#endif
