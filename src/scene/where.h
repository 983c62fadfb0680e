/* Where a scene says what: for messages about a scene that has been read. */
#ifndef CAROM_SCENE_WHERE_H
#define CAROM_SCENE_WHERE_H

#include "scene/scene.h"

typedef struct scene_spot {
    const char *place;   /* "gas.yaml:12:5", "--set run.until.time=10"; the scene's source alone: all of it */
    const char *excerpt; /* the line there and a caret below; NULL: none */
} scene_spot;

/* The place of a key ("hard.collapse.policy", "contacts.1.friction", items of a list by number), or of the nearest
 * above it that the text has; of an engine's settings that it has not, the name of the engine. */
scene_spot scene_at(const scene *s, const char *path, ...) __attribute__((format(printf, 2, 3)));

/* What is about the scene as a whole. */
scene_spot scene_whole(const scene *s);

/* The contact that a law is from, or a key of it. */
scene_spot scene_at_law(const scene *s, size_t law, const char *key);

/* Where particles are placed by compression: the first of them. */
scene_spot scene_at_compression(const scene *s);

/* What the size of the box follows from. */
scene_spot scene_at_size(const scene *s);

/* Adds "PLACE: error: ..." and the line to `e`; the line is shown once for all that are at one place.
 * CAROM_BAD_DATA. */
carom_status scene_refuse(scene_spot at, error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
