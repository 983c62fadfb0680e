/* Positions in the text of a scene, for messages about a scene that has been read. */
#ifndef CAROM_SCENE_WHERE_H
#define CAROM_SCENE_WHERE_H

#include "scene/scene.h"

typedef struct scene_spot {
    const char *place;     /* "gas.yaml:12:5", "--set run.until.time=10"; the source alone: the scene as a whole */
    const char *excerpt;   /* the line and a caret below; NULL: none */
    const char *key;       /* path of the key that is there; NULL: the scene as a whole */
    size_t file_length;    /* bytes of `place` that are the name of the source */
    uint32_t line, column; /* 0: the source has no lines */
} scene_spot;

/* The same for base/error.h. */
static inline error_place spot_place(scene_spot at)
{
    return (error_place){
        .text = at.place, .file_length = at.file_length, .line = at.line, .column = at.column, .key = at.key};
}

/* The position of a key ("hard.collapse.policy", "contacts.1.friction", items of a list by index), or of the nearest
 * key above it in the text; for absent settings of an engine, the name of the engine. */
scene_spot scene_at(const scene *s, const char *path, ...) __attribute__((format(printf, 2, 3)));

/* For faults of the scene as a whole. */
scene_spot scene_whole(const scene *s);

/* The contact of a law, or a key of it. */
scene_spot scene_at_law(const scene *s, size_t law, const char *key);

/* The first entry of particles placed by compression. */
scene_spot scene_at_compression(const scene *s);

/* The key that determines the size of the box. */
scene_spot scene_at_size(const scene *s);

/* Adds "PLACE: error: ..." and the line to `e`; successive messages at one place show the line once. CAROM_BAD_DATA. */
carom_status scene_refuse(scene_spot at, error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for the dynamics of a run, which end it. CAROM_DYNAMICS. */
carom_status scene_end(scene_spot at, error *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
