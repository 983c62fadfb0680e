/* Traversal of the keys of the scene language. */
#ifndef CAROM_SCENE_REFERENCE_H
#define CAROM_SCENE_REFERENCE_H

#include "scene/scene.h"

/* Visits each key of the scene, of the engines and of the observables, with its path. */
typedef void (*scene_key_visit)(const char *path, const setting *s, void *user);
void scene_each_key(const scene_vocabulary *vocabulary, scene_key_visit visit, void *user);

#endif
