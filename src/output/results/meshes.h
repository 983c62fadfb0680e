/* Meshes, stored once in a result file: the particles that are their vertices, and their triangles.
 *
 *     /carom/meshes             attribute names, in the order of the scene
 *     /carom/meshes/NAME        attributes first (particle that is vertex 0), vertices (number), rigid, repairs
 *                               (changes to the file, as text; if repairs were requested)
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

/* Meshes with particles as vertices. *out: [*count]; freed with meshes_free, also after a failure. */
carom_status meshes_of_state(result_mesh **out, size_t *count, const struct scene *s, const struct initial_state *state,
                             error *e);
void meshes_free(result_mesh *meshes, size_t count);

bool meshes_store(hid_t root, const result_mesh *meshes, size_t count);

/* Number of points that are vertices: all from the first vertex of the first mesh on. Returns false if the data are
 * damaged. */
bool meshes_count_vertices(hid_t file, size_t points, size_t *vertices);

/* Empty without meshes. CAROM_BAD_DATA (without a text): damaged. */
carom_status meshes_load(hid_t file, size_t particles, result_mesh **out, size_t *count, error *e);

#endif
