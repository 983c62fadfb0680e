/* Shared by the parts of the scene reader. Every reading function reports what is wrong as faults and goes on; a bool
 * says whether the value is good. */
#ifndef CAROM_SCENE_READER_H
#define CAROM_SCENE_READER_H

#include "base/text.h"
#include "scene/language/language.h"
#include "scene/language/tree.h"
#include "scene/scene.h"

typedef struct reader {
    tree *t;
    faults *f;
    arena *memory; /* the scene's */
    scene *s;
    const scene_vocabulary *vocabulary;
    const char *folder; /* NULL: files lie relative to the working directory */
    bool engine_known;  /* s->engine is what the scene says */
    const node *root;
    uint64_t particles; /* in all, once they are read; UINT64_MAX where files say it, later */
} reader;

/* Zeroed memory that belongs to the scene; a failure is noted and NULL returned. */
void *read_new(reader *r, size_t count, size_t size);

/* ---- Values (values.c). They report on `n`, which must not be NULL. */

const char *value_quote(reader *r, const node *n);               /* the text of a scalar (else ""), for messages */
void value_refuse(reader *r, const node *n, const char *wanted); /* "expected WANTED, found ..." */
bool value_number(reader *r, const node *n, double *out);
bool value_number_in(reader *r, const node *n, const setting *range, double *out); /* within the setting's range */
bool value_count(reader *r, const node *n, uint64_t *out);
bool value_count_in(reader *r, const node *n, const setting *range, uint64_t *out);
bool value_bool(reader *r, const node *n, bool *out);
char *value_text(reader *r, const node *n);                              /* NULL where it is none */
bool value_numbers(reader *r, const node *n, size_t count, double *out); /* a list of exactly `count` */
bool value_vector(reader *r, const node *n, double out[3]);              /* as many as the scene has dimensions */
/* Index of a word; `what` names the kind in the message ("boundary"). -1 where it is none of them. */
int value_choice(reader *r, const node *n, const char *what, const char *const *words);
/* The single key of a map, which names the form that its value has; NULL where there is not one. */
const node *value_only_key(reader *r, const node *map, const char *what);
/* The path of a file, which counts from the scene's folder; NULL where there is none. */
char *value_path(reader *r, const node *n);
bool value_is_list(reader *r, const node *n, const char *wanted);
bool value_is_map(reader *r, const node *n, const char *wanted);
/* A list of vectors; *count of them, in the scene's memory. NULL where one is bad. */
double (*value_vectors(reader *r, const node *n, size_t *count))[3];

/* ---- Tables (settings.c) */

/* Fills a struct from a map (NULL: all defaults, and `where` stands for it in messages). */
void settings_read(reader *r, const settings_table *table, const node *map, const node *where, void *out);
/* Reports keys that are in neither table (`also` may be NULL). */
void settings_check_keys(reader *r, const node *map, const settings_table *table, const settings_table *also);
void settings_missing(reader *r, const node *where, const char *prefix, const setting *s);
const setting *settings_find(const settings_table *table, const char *name);

/* ---- Parts of a scene; `n` is NULL where the key is absent. */

void read_box(reader *r, const node *n);
void read_species(reader *r, const node *n);
void read_particles(reader *r, const node *n);
void read_spins(reader *r, const node *n, scene_particles *p);           /* angular_velocity of an entry of particles */
void read_random(reader *r, const node *n, scene_particles *p);          /* the map of place: {random: ...} */
void read_semi_axes(reader *r, const node *map, scene_species *species); /* of a map that has them */
void read_orientation(reader *r, const node *n, scene_particles *p);     /* of an entry of particles */
void read_ellipsoids(reader *r, const node *root);                       /* what does not go with them is reported */
void read_planes(reader *r, const node *n);
void read_cylinders(reader *r, const node *n);
void read_contacts(reader *r, const node *n);
void read_potentials(reader *r, const node *n);
void read_bonds(reader *r, const node *n);
void read_springs(reader *r, const node *n);
void read_hinges(reader *r, const node *n);
void read_segments(reader *r, const node *n);
void read_drives(reader *r, const node *n);
void read_bodies(reader *r, const node *n);
void read_meshes(reader *r, const node *n);
void read_observe(reader *r, const node *n);

/* Notes where each key under `root` stands, for what is said about the scene later (where.h). */
void read_places(reader *r, const node *root);

/* No particle, plane or cylinder may be in two of the drives and bodies under `root`. */
void read_owners(reader *r, const node *root);

/* What `key` says needs particles that turn: other engines than `hard` say so. True, as it needs them. */
bool read_needs_rough(reader *r, const node *key);

/* A user's name for a thing: letters, digits, '_' and '-', a letter first; not `wall`. */
bool read_is_name(reader *r, const node *at, const char *text, size_t length);
/* Zeroed structs of `size`, one for each item of a list; NULL where it is absent or bad. */
void *read_list(reader *r, const node *n, const char *what, size_t size);
/* A user's name for one of a list of structs that begin with their name: a name, and not that of one before. */
void read_list_name(reader *r, const node *item, const void *first, size_t size, const void *own, const char *what);
/* Makes a unit vector; one that is already stays as it is written. False for a zero vector. */
bool read_unit(double v[3]);
/* Index of the species that `n` names; UINT32_MAX where there is none, which is reported. */
uint32_t read_species_name(reader *r, const node *n);
/* The number of a particle that there is (as far as that is known). */
bool read_particle(reader *r, const node *n, uint32_t *out);
/* The pairs of particles of `map`, listed under `pairs` or in a chain; *count of them, 0 where they are bad. */
uint32_t (*read_pairs(reader *r, const node *map, const char *what, size_t *count))[2];
/* {from, to}. */
bool read_particle_range(reader *r, const node *n, read_range *out);
/* Numbers of particles: a range, or a list of numbers and ranges. NULL where one is bad. */
uint32_t *read_numbers(reader *r, const node *n, size_t *count);
/* Whether the names under a key of the scene are all known: not where it is no list (or map), which is reported. */
bool read_knows(const reader *r, const char *key);
/* Index of the mesh that `n` names; the count of meshes where there is none, which is reported. */
size_t read_find_mesh(reader *r, const node *n);
/* Index of a species by name; UINT32_MAX where there is none (not reported). */
uint32_t read_find_species(const reader *r, const char *name, size_t length);

/* `place` of an entry of particles in the resolved text: random places. */
void region_write(text_buffer *out, const scene *s, const scene_particles *p);

/* Magnitudes of all numbers that the scene gives (scene/scale.h). Faults are added to `e`, each with its place.
 * CAROM_BAD_DATA where there is one. */
carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e);

/* The table of limits in Markdown, for docs/scene.md. */
void scale_reference(text_buffer *out);

/* The resolved text of a scene; NULL when there is no memory. Lives in the scene's memory. */
char *resolved_write(const scene *s, const scene_vocabulary *vocabulary, const char *folder, arena *memory);

#endif
