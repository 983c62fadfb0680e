/* Connections of particles, stored once in a result file: springs and segments, and the particles of bodies and drives.
 *
 *     /carom/springs      i, j [S]
 *     /carom/bonds        i, j, shortest, longest [S]: instead of springs
 *     /carom/segments     i, j, radius [S]
 *     /carom/owner        [N]: 0, or a number that particles of the same body, clump or drive share
 *     /carom/meshes       see meshes.h
 *     /carom/solids       see solids.h
 *     /carom/clumps       see clumps.h
 *     /carom              attribute closed: 1 if there are no external forces (no planes, no drives, no loads) */
#ifndef CAROM_OUTPUT_RESULTS_LINKS_H
#define CAROM_OUTPUT_RESULTS_LINKS_H

#include "frame/frame.h"
#include "output/results/meshes.h"
#include "output/results/solids.h"

typedef struct result_links {
    size_t springs, segments;
    uint32_t *spring[2], *segment[2]; /* ends */
    double *shortest, *longest;       /* [springs], if they are bonds; else NULL */
    double *radius;                   /* [segments] */
    uint32_t *owner;                  /* [particles]; NULL without bodies and drives */
    bool closed;
    result_mesh *mesh; /* [meshes] */
    size_t meshes;
    result_solid *solid; /* [solids]: bodies of meshes */
    size_t solids;
    result_clump *clump; /* [clumps]: templates */
    size_t clumps;
} result_links;

/* Whether a mesh is not in the system at the time of a frame (FRAME_PRESENT). */
static inline bool links_mesh_is_absent(const result_links *links, size_t k, const carom_frame *f)
{
    return links->mesh[k].vertices > 0 && frame_is_absent(f, links->mesh[k].first);
}

carom_status links_of_scene(result_links *links, const struct scene *s, const struct initial_state *state, error *e);
void links_free(result_links *links);

/* Writes the links below `file`; links may be NULL: none. */
bool links_store(hid_t file, const result_links *links, size_t particles);

/* Reads the stored links. CAROM_BAD_DATA (without a text), with *fault: damaged. */
carom_status links_load(hid_t file, size_t particles, result_links *links, const char **fault, error *e);

#endif
