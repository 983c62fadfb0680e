/* The scene language as settings tables. Entries of type SHAPE, LIST and NAMED are read by hand, the others by the tables. */
#ifndef CAROM_SCENE_LANGUAGE_H
#define CAROM_SCENE_LANGUAGE_H

#include "scene/scene.h"

extern const settings_table table_scene; /* fills a scene */
extern const settings_table table_box;   /* a scene_box */
extern const settings_table table_species;
extern const settings_table table_particles; /* a scene_particles */
extern const settings_table table_compress;  /* a scene_particles */
extern const settings_table table_contact;
extern const settings_table table_plane;
extern const settings_table table_observe; /* a scene_observe */
extern const settings_table table_until;   /* a scene */
extern const settings_table table_frames;  /* a scene */

extern const char *const boundary_words[]; /* by scene_boundary */
extern const char *const place_words[];    /* by scene_place, as far as they stand alone */

/* Engines that are planned and not in this version. */
extern const char *const coming_engines[];

#endif
