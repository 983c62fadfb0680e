/* Meshes in a result file, once: whose particles are their vertices, and their triangles.
 *
 *     /carom/meshes             attribute names, in the order of the scene
 *     /carom/meshes/NAME        attributes first (particle that is vertex 0), vertices (how many), rigid, repairs (what
 *                               was changed of the file, in words; where something was to be)
 *     /carom/meshes/NAME/triangles  [T][3], vertices counted from 0 */
#ifndef CAROM_OUTPUT_RESULTS_MESHES_H
#define CAROM_OUTPUT_RESULTS_MESHES_H

#include "output/results/h5.h"

struct scene;
struct initial_state;

typedef struct result_mesh {
    char *name;
    uint32_t first, vertices, rigid;
    uint32_t (*triangles)[3];
    size_t triangle_count;
    char *repairs; /* repairs of its file; NULL: none requested */
} result_mesh;

/* Those whose vertices are particles. *out: [*count]; freed with meshes_free, also after a failure. */
carom_status meshes_of_state(result_mesh **out, size_t *count, const struct scene *s, const struct initial_state *state,
                             error *e);
void meshes_free(result_mesh *meshes, size_t count);

bool meshes_store(hid_t root, const result_mesh *meshes, size_t count);

/* How many of the points are vertices: all from the first mesh's first on. False where that is damaged. */
bool meshes_count_vertices(hid_t file, size_t points, size_t *vertices);

/* Empty without meshes. CAROM_BAD_DATA (without a text): damaged. */
carom_status meshes_load(hid_t file, size_t particles, result_mesh **out, size_t *count, error *e);

#endif
