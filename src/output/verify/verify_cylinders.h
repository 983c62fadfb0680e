/* Particles that are beyond cylinders: an independent look, with the places that the scene says. */
#ifndef CAROM_OUTPUT_VERIFY_VERIFY_CYLINDERS_H
#define CAROM_OUTPUT_VERIFY_VERIFY_CYLINDERS_H

#include "output/results/links.h"
#include "scene/scene.h"

/* Particle i of the frame sticks out by `depth`. */
typedef void beyond_found(const char *cylinder, uint32_t i, double depth, void *data);

/* Tells of all that stick out by more than the tolerance; vertices of meshes may be anywhere. */
void verify_cylinders(const carom_frame *f, const scene *s, const result_links *links, double tolerance,
                      beyond_found *found, void *data);

#endif
