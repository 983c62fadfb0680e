/* Meshes from files: Wavefront OBJ, STL (text and binary), PLY (text and binary), OFF, Gmsh MSH (2.2 and 4.1, text).
 * Vertices and triangles keep the order of the file; numbers are doubles; polygons are divided into fans. Other
 * contents (normals, colours, lines, names of groups) are skipped. */
#ifndef CAROM_MESH_READ_H
#define CAROM_MESH_READ_H

#include "mesh/mesh.h"

typedef enum mesh_format { MESH_OBJ, MESH_STL, MESH_PLY, MESH_OFF, MESH_GMSH, MESH_FORMATS } mesh_format;

#define MESH_ENDINGS ".obj, .stl, .ply, .off or .msh (Gmsh)"

/* Whether the ending of a path is one of these. */
bool mesh_is_readable(const char *path);

/* Reads a file in the format of its ending. CAROM_NO_INPUT: cannot be opened. CAROM_BAD_DATA: the message has the
 * line, or the triangle in binary files. On failure *m is empty. */
carom_status mesh_read(mesh *m, const char *path, error *e);

/* The same from memory; `name` stands for the file in messages. */
carom_status mesh_parse(mesh *m, mesh_format format, const char *name, const char *data, size_t length, error *e);

#endif
