/* The keys of the scene language, one after another. */
#ifndef CAROM_SCENE_REFERENCE_H
#define CAROM_SCENE_REFERENCE_H

#include "scene/scene.h"

/* Every key of the scene, of the engines and of the observables, by its path. */
typedef void (*scene_key_visit)(const char *path, const setting *s, void *user);
void scene_each_key(const scene_vocabulary *vocabulary, scene_key_visit visit, void *user);

#endif
