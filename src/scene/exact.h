/* Exact surfaces: the properties of each kind, and distances from surfaces. */
#ifndef CAROM_SCENE_EXACT_H
#define CAROM_SCENE_EXACT_H

#include "geometry/outline.h"
#include "scene/scene.h"

/* One const descriptor per kind (scene/exact/NAME.c). `one` is a struct of that kind (scene/exact/kinds.h); `moved` is
 * its displacement, may be NULL. */
typedef struct exact_kind {
    const char *name, *names;    /* "cylinder", "cylinders": the keys of drives and of the scene, also in messages */
    const settings_table *table; /* its keys */
    bool turns;                  /* drives may rotate it about its own axis */

    /* Whether its images would intersect each other if this axis were periodic. The message is then "cylinder 'c'
     * (crossing) axis x" at the key `crossing_key`. */
    bool (*crosses)(const void *one, int dimension, int axis);
    const char *crossing, *crossing_key;

    /* Distance of a point from the surface: positive on the side of the particles. `carom verify` uses it too. */
    double (*height)(const void *one, const double *moved, const double r[3]);

    /* Drawing of the surface. `middle`: centre of the region of a picture. */
    void (*draw)(const void *one, const double *moved, const outline *to);
    void (*extent)(const void *one, const double *moved, const double middle[3], outline_extent *found);
} exact_kind;

extern const exact_kind *const exact_kinds[EXACT_COUNT];

/* ---- surfaces of a scene, numbered by kind, then in the order of the scene ---- */

typedef struct scene_exact {
    const exact_kind *kind;
    const void *one;
    size_t index; /* among the surfaces of its kind */
} scene_exact;

scene_exact scene_exact_at(const scene *s, size_t n);
const char *scene_exact_name(const scene *s, size_t n);

double scene_exact_height(const scene_exact *e, const double *moved, const double r[3]);

/* Displacement of surface n by a drive at a time; zeros without a drive. */
void scene_exact_moved(const scene *s, size_t n, double time, double moved[3]);

/* Index of the surface that a drive moves; SIZE_MAX: none. And its kind, also if the name does not exist. */
size_t scene_drive_exact(const scene *s, const scene_drive *d);
const exact_kind *scene_drive_exact_kind(const scene_drive *d);

/* Refuses surfaces that would intersect their own images along periodic axes. */
carom_status scene_refuse_crossing(const scene *s, error *e);

/* ---- in messages ---- */

/* The names of the kinds: `between` before each except the last, `last` before the last, and `after` after each.
 * Contains the first kind of the table and the other kinds of the scene, so that messages stay short. */
typedef struct exact_words {
    char text[200];
} exact_words;

exact_words scene_exact_words(const scene *s, bool many, const char *between, const char *last, const char *after);

#endif
