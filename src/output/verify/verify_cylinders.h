/* Particles beyond cylinders: an independent check with the positions of cylinders in the scene. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_CYLINDERS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_CYLINDERS_H

#include "output/results/links.h"
#include "scene/scene.h"

/* Called for particle i of the frame, which is beyond a cylinder by `depth`. */
typedef void beyond_found(const char *cylinder, uint32_t i, double depth, void *data);

/* Reports all particles beyond cylinders by more than the tolerance. Vertices of meshes are not checked. */
void verify_cylinders(const carom_frame *f, const scene *s, const result_links *links, double tolerance,
                      beyond_found *found, void *data);

#endif
