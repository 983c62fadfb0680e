/* Meshes from files: Wavefront OBJ, STL (text and binary), PLY (text and binary), OFF, Gmsh MSH (2.2 and 4.1, text).
 * Vertices and triangles keep the order of the file; numbers are doubles; polygons are divided into fans. Other
 * contents (normals, colours, lines, names of groups) are skipped. */
#ifndef CAROM_MESH_READ_H
#define CAROM_MESH_READ_H

#include "mesh/mesh.h"

typedef enum mesh_format { MESH_OBJ, MESH_STL, MESH_PLY, MESH_OFF, MESH_GMSH, MESH_FORMATS } mesh_format;

#define MESH_ENDINGS ".obj, .stl, .ply, .off or .msh (Gmsh)"

/* Whether the extension of a path is one of these. */
bool mesh_is_readable(const char *path);

/* Reads a file in the format of its extension. CAROM_NO_INPUT: cannot be opened. CAROM_BAD_DATA: the message contains
 * the line, or for binary files the triangle. On failure *m is empty. */
carom_status mesh_read(mesh *m, const char *path, error *e);

/* The same from memory; messages contain `name` as the file. */
carom_status mesh_parse(mesh *m, mesh_format format, const char *name, const char *data, size_t length, error *e);

#endif
