/* Rigid bodies of meshes in a result file, once.
 *
 *     /carom/solids        attribute names, in the order of the meshes
 *     /carom/solids/NAME   attributes first, count (its particles: the vertices of its mesh), volume, mass; centre [3] and
 *                          inertia [9], about the centre, both at the start; corners [4] (particles) and share_mass [16]
 *                          (frame.h): kinetic energy 1/2 sum share_mass_ij v_i v_j, momentum sum share_mass_ij v_j */
#ifndef CAROM_OUTPUT_RESULTS_SOLIDS_H
#define CAROM_OUTPUT_RESULTS_SOLIDS_H

#include "frame/frame.h"
#include "output/results/clumps.h"
#include "output/results/h5.h"

struct scene;
struct initial_state;

typedef struct result_solid {
    char *name;
    double volume, mass, centre[3], inertia[9];
    frame_solid motion;
} result_solid;

#define SOLIDS_GROUP "carom/solids"

/* *out: [*count], by their particles; freed with solids_free, also after a failure. */
carom_status solids_of_state(result_solid **out, size_t *count, const struct scene *s,
                             const struct initial_state *state, error *e);
void solids_free(result_solid *solids, size_t count);

bool solids_store(hid_t root, const result_solid *solids, size_t count);

/* Empty without solids. CAROM_BAD_DATA (without a text): damaged. */
carom_status solids_load(hid_t file, size_t particles, result_solid **out, size_t *count, error *e);

/* Those of particles, then those of vertices. Writes nothing without solids. */
carom_status solids_to_frame(const result_solid *solids, size_t count, const result_clump *clumps, size_t clump_count,
                             carom_frame *f, error *e);

#endif
