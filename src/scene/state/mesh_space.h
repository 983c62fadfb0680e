/* The meshes of a scene where they are at the start, and the room that they leave: for placing particles, and for
 * looking at places that are given. */
#ifndef CAROM_SCENE_MESH_SPACE_H
#define CAROM_SCENE_MESH_SPACE_H

#include "mesh/mesh.h"
#include "neighbors/box_tree.h"
#include "scene/scene.h"

typedef struct mesh_space {
    const scene *s;
    const mesh *meshes; /* [mesh_count] of the scene */
    double size[3];     /* of the box */
    box_tree **tree;    /* [mesh_count]; NULL of a mesh without triangles */
} mesh_space;

/* It looks at `meshes` as long as it lives. Zeros, before it is created, may be destroyed. */
carom_status mesh_space_create(mesh_space *m, const scene *s, const mesh *meshes, const double size[3], error *e);
void mesh_space_destroy(mesh_space *m);

/* The triangle of a mesh, of a periodic image too, that is nearest to a place. */
typedef struct mesh_near {
    double distance; /* INFINITY: none is within reach */
    uint32_t triangle;
} mesh_near;

mesh_near mesh_space_nearest(const mesh_space *m, size_t which, const double at[3], double reach);

/* Whether nothing of any mesh is as near to a sphere as half its thickness. */
bool mesh_space_clear(const mesh_space *m, const double at[3], double radius);

/* Whether a mesh goes all the way round a place (not those of its images). Only of closed ones this means much. */
bool mesh_space_encloses(const mesh_space *m, size_t which, const double at[3]);

/* The same of the mesh and its periodic images. */
bool mesh_space_encloses_image(const mesh_space *m, size_t which, const double at[3]);

#endif
