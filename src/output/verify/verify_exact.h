/* Particles that are beyond exact surfaces: an independent look, with the places that the scene says. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_EXACT_H
#define CAROM_OUTPUT_VERIFY_VERIFY_EXACT_H

#include "output/results/links.h"
#include "scene/scene.h"

/* Particle i of the frame sticks out of the surface, "cylinder" "pipe", by `depth`. */
typedef void beyond_found(const char *kind, const char *name, uint32_t i, double depth, void *data);

/* Tells of all that stick out by more than the tolerance; vertices of meshes may be anywhere. */
void verify_exact(const carom_frame *f, const scene *s, const result_links *links, double tolerance,
                  beyond_found *found, void *data);

#endif
