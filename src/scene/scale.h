/* The magnitudes that a scene may have, so that no engine computes with numbers whose products overflow, vanish or lose
 * all digits beside others. docs/scene.md lists them. */
#ifndef CAROM_SCENE_SCALE_H
#define CAROM_SCENE_SCALE_H

#include "base/text.h"
#include "mesh/mesh.h"
#include "scene/scene.h"

/* Lengths differ by no more than this factor, from the box and the places in it down to the smallest thickness. */
#define SCALE_LENGTHS 1e12
/* Places given in a periodic box are at most so many boxes away. */
#define SCALE_IMAGES 1e9
/* Boxes along a periodic axis that a mesh extends over. */
#define SCALE_MESH_IMAGES 100

/* All numbers that the scene gives. Faults are added to `e`, each where it stands. CAROM_BAD_DATA where there is one. */
carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e);

/* A mesh where it is placed: its coordinates. */
carom_status scale_check_mesh(const scene *s, size_t which, const mesh *m, error *e);

struct build;

/* Of the state: sizes, masses and the box, before anything is placed; then places, speeds and energies. */
carom_status scale_check_sizes(const struct build *b, error *e);
carom_status scale_check_state(const struct build *b, error *e);

/* The table of limits in Markdown, for docs/scene.md. */
void scale_reference(text_buffer *out);

#endif
