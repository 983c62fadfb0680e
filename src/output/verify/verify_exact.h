/* Particles beyond exact surfaces: an independent check with the positions of surfaces in the scene. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_EXACT_H
#define CAROM_OUTPUT_VERIFY_VERIFY_EXACT_H

#include "output/results/links.h"
#include "scene/scene.h"

/* Called for particle i of the frame, which is beyond the surface "cylinder" "pipe" by `depth`. */
typedef void beyond_found(const char *kind, const char *name, uint32_t i, double depth, void *data);

/* Reports all particles beyond surfaces by more than the tolerance. Vertices of meshes are not checked. */
void verify_exact(const carom_frame *f, const scene *s, const result_links *links, double tolerance,
                  beyond_found *found, void *data);

#endif
