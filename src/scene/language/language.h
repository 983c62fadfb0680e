/* The scene language as settings tables. Entries of type SHAPE, LIST and NAMED are read by hand, the others by the
 * tables. */
#ifndef CAROM_SCENE_LANGUAGE_H
#define CAROM_SCENE_LANGUAGE_H

#include "scene/scene.h"

/* Particles from one number to another, both included. */
typedef struct read_range {
    uint64_t from, to;
} read_range;

/* What the forms of a potential may ask for. */
typedef struct read_form {
    double range; /* in contact distances */
    double depth;
    double core, cutoff; /* of the Lennard-Jones potential, in units of its sigma */
    double temperature;  /* for which it is put into steps */
    uint64_t steps;
} read_form;

extern const settings_table table_scene; /* fills a scene */
extern const settings_table table_box;   /* a scene_box */
extern const settings_table table_species;
extern const settings_table table_particles;                  /* a scene_particles */
extern const settings_table table_place_file, table_compress; /* a scene_particles */
extern const settings_table table_walk;                       /* a scene_particles */
extern const settings_table table_random;                     /* a scene_particles */
extern const settings_table table_region; /* its entries, by scene_region_kind - 1, each fill a scene_region */
extern const settings_table table_contact;
extern const settings_table table_plane;
extern const settings_table table_cylinder;   /* a scene_cylinder */
extern const settings_table table_potentials; /* the tables of its forms fill a read_form */
extern const settings_table table_bonds;      /* a scene_bonds */
extern const settings_table table_springs;    /* a scene_springs */
extern const settings_table table_hinges;     /* a scene_hinges */
extern const settings_table table_segments;   /* a scene_segments */
extern const settings_table table_drives;     /* a scene_drive */
extern const settings_table table_within;     /* a scene_drive */
extern const settings_table table_start;      /* likewise */
extern const settings_table table_when;       /* likewise */
extern const settings_table table_oscillate;  /* a scene_motion */
extern const settings_table table_turn;       /* a scene_motion */
extern const settings_table table_motion;     /* a scene_motion */
extern const settings_table table_path;       /* a scene_waypoint */
extern const settings_table table_bodies;     /* a scene_body */
extern const settings_table table_range;      /* a read_range */
extern const settings_table table_meshes;     /* a scene_mesh */
extern const settings_table table_shape;      /* its entries, by scene_shape_kind, each fill a scene_shape */
extern const settings_table table_observe;    /* a scene_observe */
extern const settings_table table_until;      /* a scene */
extern const settings_table table_frames;     /* a scene */
extern const settings_table table_view;       /* a scene */

extern const char *const boundary_words[]; /* by scene_boundary */
extern const char *const place_words[];    /* by scene_place, as far as they stand alone */

/* Engines that are planned and not in this version. */
extern const char *const coming_engines[];

#endif
