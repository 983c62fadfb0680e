/* Meshes of a frame that intersect each other or segments, or are too close to each other, to segments or to
 * particles. It shares no code with the engines. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_MESHES_H
#define CAROM_OUTPUT_VERIFY_VERIFY_MESHES_H

#include "frame/frame.h"
#include "output/results/links.h"

/* A triangle of a mesh, or in place of a mesh: */
#define PART_PARTICLE SIZE_MAX
#define PART_SEGMENT (SIZE_MAX - 1)

typedef struct mesh_part {
    size_t mesh;
    uint32_t number;
} mesh_part;

/* Called for each triangle `a` and triangle, segment or particle `b` that intersect outside common corners (`depth`
 * INFINITY), or whose distance is below the contact distance, reduced by the leeway of the frame. */
typedef void mesh_found(mesh_part a, mesh_part b, double depth, void *data);

/* Stores the data of meshes at rest from frame to frame. */
typedef struct meshes_look meshes_look;

/* `f`: any frame of the run. After a failure, *out must be destroyed as well. */
carom_status meshes_look_create(meshes_look **out, const carom_frame *f, const result_links *links, error *e);
void meshes_look_destroy(meshes_look *l);
carom_status meshes_look_at(meshes_look *l, const carom_frame *f, double tolerance, mesh_found *found, void *data,
                            error *e);

/* Whether particle i is a vertex of a mesh. */
bool verify_is_vertex(const result_links *links, size_t i);

#endif
