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
    carom_estimate estimate; /* of the last check; dimension 0: there was none, or it failed */
    engine_steps steps;
};

/* What scenes may name. */
extern scene_vocabulary vocabulary;

/* What observers are shown first, without an engine. The caller destroys the frame, also after a failure. */
carom_status scene_first_frame(carom_frame *f, const scene *s, const initial_state *state, error *e);

const engine *engine_of(const scene *s);
const observable *observable_of(const scene_observe *o);

#endif
