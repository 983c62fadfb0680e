/* Scenes of the engine `variational` without an end, from the rest of their text; their frame and energy balance. */
#ifndef CAROM_TESTS_GRAINS_H
#define CAROM_TESTS_GRAINS_H

#include "play.h"

static play_text text;

static inline play open_scene(const char *body, const char *set)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 1e6}}\n%s", body);
    return play_open(text.text, set);
}

static inline const carom_frame *frame(const play *p)
{
    return carom_sim_frame(p->sim);
}

static inline double budget(const play *p)
{
    const carom_frame *f = frame(p);
    const frame_energy energy = frame_energy_of(f);
    return frame_budget(f, &energy);
}

#endif
