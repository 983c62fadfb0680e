/* `place` of an entry of `particles`. */
#ifndef CAROM_SCENE_LANGUAGE_PLACES_H
#define CAROM_SCENE_LANGUAGE_PLACES_H

#include "scene/language/reader.h"

extern const settings_table table_place; /* a scene_particles */
extern const setting_form form_place;

extern const setting_form form_velocity; /* of a scene_particles (keys_particles.c) */

/* A part of space: the field is a scene_region. */
extern const settings_table table_region;
extern const setting_form form_region;
extern const char *const region_shapes[];

/* Sets the defaults of all its forms. */
void place_begin(reader *r, scene_particles *p);

#endif
