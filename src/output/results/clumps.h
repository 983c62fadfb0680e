/* Clumps in a result file, once: rigid bodies of spheres, copies of templates.
 *
 *     /carom/clumps        attribute names: templates with copies
 *     /carom/clumps/NAME   attributes count (spheres), volume and mass; corners [4] (spheres, from 0), share_mass [16] and
 *                          own_inertia (frame.h), which do not depend on the orientation; first [copies]: number of the first
 *                          particle of each; the others follow it */
#ifndef CAROM_OUTPUT_RESULTS_CLUMPS_H
#define CAROM_OUTPUT_RESULTS_CLUMPS_H

#include "frame/frame.h"
#include "output/results/h5.h"

struct scene;
struct initial_state;

typedef struct result_clump {
    char *name;
    double volume, mass;
    frame_solid motion; /* of a copy whose first particle is number 0 */
    uint32_t *first;    /* [copies], in increasing order */
    size_t copies;
} result_clump;

#define CLUMPS_GROUP "carom/clumps"

/* *out: [*count], in the order of the scene; freed with clumps_free, also after a failure. */
carom_status clumps_of_state(result_clump **out, size_t *count, const struct scene *s,
                             const struct initial_state *state, error *e);
void clumps_free(result_clump *clumps, size_t count);

bool clumps_store(hid_t root, const result_clump *clumps, size_t count);

/* Empty without clumps. CAROM_BAD_DATA (without a text): damaged. */
carom_status clumps_load(hid_t file, size_t particles, result_clump **out, size_t *count, error *e);

/* Their number, and their motions in the order of their particles. */
size_t clumps_copies(const result_clump *clumps, size_t count);
void clumps_fill(const result_clump *clumps, size_t count, frame_solid *out);

#endif
