/* The meshes of a scene at their initial positions, and the free space outside them: for placing particles and for
 * checking given positions. */
#ifndef CAROM_SCENE_MESH_SPACE_H
#define CAROM_SCENE_MESH_SPACE_H

#include "mesh/mesh.h"
#include "neighbors/box_tree.h"
#include "scene/scene.h"

typedef struct mesh_space {
    const scene *s;
    const mesh *meshes; /* [mesh_count] of the scene */
    double size[3];     /* of the box */
    box_tree **tree;    /* [mesh_count]; NULL: a mesh without triangles */
} mesh_space;

/* Refers to `meshes`, which must outlive it. A zeroed struct may be destroyed. */
carom_status mesh_space_create(mesh_space *m, const scene *s, const mesh *meshes, const double size[3], error *e);
void mesh_space_destroy(mesh_space *m);

/* The nearest triangle of a mesh or of its periodic images to a position. */
typedef struct mesh_near {
    double distance; /* INFINITY: no triangle within the search distance */
    uint32_t triangle;
} mesh_near;

mesh_near mesh_space_nearest(const mesh_space *m, size_t which, const double at[3], double reach);

/* Whether the gap between a sphere and each mesh is more than half of the thickness of the mesh. */
bool mesh_space_clear(const mesh_space *m, const double at[3], double radius);

/* Whether a closed mesh (without its images) encloses a position. */
bool mesh_space_encloses(const mesh_space *m, size_t which, const double at[3]);

/* The same for the mesh and its periodic images. */
bool mesh_space_encloses_image(const mesh_space *m, size_t which, const double at[3]);

#endif
