/* Exact surfaces: what a scene can tell of each kind of them, and how far away they are. */
#ifndef CAROM_SCENE_EXACT_H
#define CAROM_SCENE_EXACT_H

#include "geometry/outline.h"
#include "scene/scene.h"

/* One const descriptor a kind (scene/exact/NAME.c). `one` is a struct of that kind (scene/exact/kinds.h); `moved`, which
 * may be NULL, is how far it has come from its place. */
typedef struct exact_kind {
    const char *name, *names;    /* "cylinder", "cylinders": the keys of drives and of the scene, and in messages */
    const settings_table *table; /* its keys */
    bool turns;                  /* drives may turn it, about an axis of its own */

    /* Whether there would be images of it that cross each other, were this axis periodic; and what a message says then:
     * "cylinder 'c' (crossing) axis x", about the key `crossing_key`. */
    bool (*crosses)(const void *one, int dimension, int axis);
    const char *crossing, *crossing_key;

    /* How far a point is from it: positive on the side where particles are. Also what `carom verify` measures. */
    double (*height)(const void *one, const double *moved, const double r[3]);

    /* What pictures show of it. `middle`: of all that is shown. */
    void (*draw)(const void *one, const double *moved, const outline *to);
    void (*extent)(const void *one, const double *moved, const double middle[3], outline_extent *found);
} exact_kind;

extern const exact_kind *const exact_kinds[EXACT_COUNT];

/* ---- those of a scene, numbered on: kind by kind ---- */

typedef struct scene_exact {
    const exact_kind *kind;
    const void *one;
    size_t index; /* among those of its kind */
} scene_exact;

scene_exact scene_exact_at(const scene *s, size_t n);
const char *scene_exact_name(const scene *s, size_t n);

double scene_exact_height(const scene_exact *e, const double *moved, const double r[3]);

/* How far the n-th has come at a time that a drive moves; zeros where none does. */
void scene_exact_moved(const scene *s, size_t n, double time, double moved[3]);

/* Which one a drive moves; SIZE_MAX: none. And its kind, also where it names one that is not there. */
size_t scene_drive_exact(const scene *s, const scene_drive *d);
const exact_kind *scene_drive_exact_kind(const scene_drive *d);

/* Those that would be crossed by their own images along periodic axes. */
carom_status scene_refuse_crossing(const scene *s, error *e);

/* ---- in messages ---- */

/* The kinds in words: `between` before each but the last and `last` before that, `after` after each. The first kind of
 * the table is always among them, others where the scene has some: so messages stay short. */
typedef struct exact_words {
    char text[200];
} exact_words;

exact_words scene_exact_words(const scene *s, bool many, const char *between, const char *last, const char *after);

#endif
