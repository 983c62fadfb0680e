/* Copies of bodies: `copies` of an entry of `bodies`. */
#ifndef CAROM_SCENE_COPIES_H
#define CAROM_SCENE_COPIES_H

#include "scene/scene.h"

/* Puts a body and a mesh for each copy, named "die.0", "die.1", ..., into the lists in the place of their templates, and
 * corrects the indices of meshes. After the resolved text, which has the templates, is written. */
carom_status copies_expand(scene *s, error *e);

/* Whether the mesh belongs to a copy other than the first. */
static inline bool scene_is_further_copy(const scene *s, size_t which)
{
    return s->meshes[which].copied && s->meshes[which].copy_of != which;
}

static inline bool scene_has_copies(const scene *s)
{
    return s->expanded;
}

#endif
