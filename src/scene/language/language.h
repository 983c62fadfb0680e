/* Tables of the scene language for several files. */
#ifndef CAROM_SCENE_LANGUAGE_H
#define CAROM_SCENE_LANGUAGE_H

#include "scene/scene.h"

extern const settings_table table_scene; /* fills a scene */
extern const settings_table table_box;   /* a scene_box */
extern const settings_table table_species, table_particles;
extern const settings_table table_contacts; /* a restitution_law */
extern const settings_table table_planes;
extern const settings_table table_potentials, table_bonds;
extern const settings_table table_springs, table_hinges, table_rods, table_segments;
extern const settings_table table_drives, table_loads, table_ramp;     /* table_ramp: a scene_ramp */
extern const settings_table table_motion, table_turn, table_oscillate; /* a scene_motion */
extern const settings_table table_within;                              /* a scene_within */
extern const settings_table table_when, table_rest;                    /* a scene_condition */
extern const settings_table table_bodies, table_meshes;
extern const settings_table table_copies;                      /* a scene_particles */
extern const settings_table table_clumps, table_clump_spheres; /* a scene_clump, a scene_clump_sphere */
extern const settings_table table_appear, table_vanish;        /* a scene_moment */
extern const settings_table table_outflow;
extern const settings_table table_shape; /* its entries, by scene_shape_kind, each fill a scene_shape */
extern const settings_table table_observe;

extern const char *const when_shapes[], *const rest_shapes[]; /* of table_when, table_rest */
extern const char *const within_shapes[];                     /* of table_within */

#endif
