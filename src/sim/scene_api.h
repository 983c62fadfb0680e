/* carom_scene: a checked scene, with the overrides and the message that go with it. */
#ifndef CAROM_SIM_SCENE_API_H
#define CAROM_SIM_SCENE_API_H

#include "engine/engine.h"
#include "measure/measure.h"

struct carom_scene {
    scene *checked; /* NULL before a successful load */
    char **sets;
    size_t set_count;
    error message;
};

/* What scenes may name. */
extern scene_vocabulary vocabulary;

const engine *engine_of(const scene *s);
const observable *observable_of(const scene_observe *o);

#endif
