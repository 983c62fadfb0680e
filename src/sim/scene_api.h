/* carom_scene: a checked scene with its overrides and its message. */
#ifndef CAROM_SIM_SCENE_API_H
#define CAROM_SIM_SCENE_API_H

#include "engine/engine.h"
#include "measure/measure.h"

struct carom_scene {
    scene *checked; /* NULL before a successful load */
    char **sets;    /* overrides, or keys to remove where `unset` is true */
    bool *unset;
    size_t set_count;
    scene_array *arrays;
    char *folder; /* of the files of texts; NULL: the working directory */
    bool endless; /* scenes need no limits */
    bool stored;  /* the scene of a result, which may lack its arrays */
    error message;
    error forecast;          /* warnings of the last check */
    carom_estimate estimate; /* of the last check; dimension 0: there was none, or it failed */
    engine_steps steps;
};

/* Engines and observables that scenes may name. */
extern scene_vocabulary vocabulary;

/* The first frame for observers, without an engine. The caller destroys the frame, also after a failure. */
carom_status scene_first_frame(carom_frame *f, const scene *s, const initial_state *state, error *e);

/* Frees the scene that was loaded before. */
void scene_unload(carom_scene *loaded);

/* As carom_scene_load_text, with the folder of its files. */
carom_status scene_load_from(carom_scene *loaded, const char *name, const char *folder, const char *text);

/* Checks of a scene that has been read: engine and observables. On failure it is freed, and *checked is NULL. */
carom_status scene_check_read(scene **checked, error *e);

const engine *engine_of(const scene *s);
const engine *engine_named(const char *name); /* NULL: there is none */
const observable *observable_of(const scene_observe *o);

#endif
