/* Particles and meshes that a program gives in memory, by name. A scene refers to them as to files. */
#ifndef CAROM_SCENE_ARRAYS_H
#define CAROM_SCENE_ARRAYS_H

#include "base/error.h"

typedef enum given_kind { GIVEN_POINTS, GIVEN_MESH } given_kind;

typedef struct scene_array {
    struct scene_array *next; /* given earlier */
    given_kind kind;
    char *name;
    bool replaced;             /* only the scene that has been loaded refers to it */
    carom_point_arrays points; /* copies */
    carom_mesh_arrays mesh;
    uint64_t digest; /* of all numbers and names */
} scene_array;

/* Adds a copy to the front of a list. `loaded`: a scene may refer to an array of this kind and name, which is then kept
 * until arrays_drop_replaced. CAROM_USAGE: wrong names, dimensions or counts. */
carom_status arrays_add_points(scene_array **first, const char *name, const carom_point_arrays *points, bool loaded,
                               error *e);
carom_status arrays_add_mesh(scene_array **first, const char *name, const carom_mesh_arrays *mesh, bool loaded,
                             error *e);

void arrays_drop_replaced(scene_array **first);
void arrays_free(scene_array *first);

/* The newest array of that name from `first` on, which may be the front of an earlier list; NULL: there is none. */
const scene_array *arrays_find(const scene_array *first, given_kind kind, const char *name);

#endif
