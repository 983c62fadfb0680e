/* What engines without images of planes refuse. */
#ifndef CAROM_SCENE_PLANES_H
#define CAROM_SCENE_PLANES_H

#include "scene/scene.h"

/* Planes that lean along a periodic axis would be crossed by their own images. */
carom_status scene_refuse_leaning(const scene *s, error *e);

#endif
