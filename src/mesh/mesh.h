/* Triangle meshes, built vertex by vertex and triangle by triangle. After a failed allocation further calls have no
 * effect; mesh_done reports it. A zeroed struct is an empty mesh. */
#ifndef CAROM_MESH_MESH_H
#define CAROM_MESH_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define MESH_NONE UINT32_MAX

typedef struct mesh {
    double (*vertices)[3];
    uint32_t (*triangles)[3]; /* corners, counterclockwise seen from outside */
    size_t vertex_count, triangle_count;
    size_t vertex_room, triangle_room;
    bool failed; /* no memory, or more vertices or triangles than 32-bit indices */
} mesh;

void mesh_free(mesh *m); /* the mesh is empty afterwards */

/* CAROM_INTERNAL after a failed allocation; `m` is then empty. */
carom_status mesh_done(mesh *m, error *e);

/* Returns the index of the new vertex. */
uint32_t mesh_add_vertex(mesh *m, double x, double y, double z);
void mesh_add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c);
/* a fan of triangles from the first corner */
void mesh_add_polygon(mesh *m, const uint32_t *corners, size_t count);
/* Appends a second mesh; its vertex indices follow those of the first. */
void mesh_append(mesh *m, const mesh *more);

/* Divides each triangle into parts * parts congruent ones; existing vertices keep their indices. */
carom_status mesh_refine(mesh *m, uint32_t parts, error *e);

/* r -> at + rotation * (scale * r), `rotation` a rotation matrix. Reflections (negative scale) are not permitted. */
void mesh_place(mesh *m, const double at[3], const double rotation[3][3], double scale);

/* The area; the volume of a closed mesh, positive if its triangles are oriented outwards. */
double mesh_area(const mesh *m);
double mesh_volume(const mesh *m);

#endif
