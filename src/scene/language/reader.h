/* Common parts of the keys of the scene language. The files keys_*.c contain the tables of settings, and the functions
 * that read, check and write values of several forms. Each reading function reports errors as faults and continues; it
 * returns whether the value is valid. */
#ifndef CAROM_SCENE_READER_H
#define CAROM_SCENE_READER_H

#include "base/text.h"
#include "scene/language/language.h"
#include "scene/language/tree.h"

#define TABLE_OF(text, type, list, words)                                                                              \
    .name = text, .help = words, .size = sizeof(type), .entries = list, .count = sizeof(list) / sizeof(list)[0]
#include "scene/scene.h"

typedef struct reader reader;
typedef struct writer writer;

struct reader {
    tree *t;
    faults *f;
    arena *memory; /* the scene's */
    scene *s;
    const scene_vocabulary *vocabulary;
    const char *folder;        /* NULL: relative to the working directory */
    const scene_array *arrays; /* that the scene may name */
    bool endless;              /* `run.until` may be missing */
    bool stored;               /* arrays may be missing */
    bool engine_known;         /* s->engine is that of the scene */
    const node *root;
    const node *map;    /* the row whose value a form reads; NULL: an absent value, which has its default */
    const setting *row; /* of that value */
    const node *where;  /* for `finish` of a table: its map, or the map that could contain it */
    uint64_t particles; /* number of all particles, after they are read; UINT64_MAX if it depends on files */
};

/* Zeroed memory, owned by the scene; a failure is recorded, and NULL returned. */
void *read_new(reader *r, size_t count, size_t size);

/* ---- Values (values.c). Faults are reported at `n`, which must not be NULL. */

const char *value_quote(reader *r, const node *n);               /* the text of a scalar (otherwise ""), for messages */
void value_refuse(reader *r, const node *n, const char *wanted); /* "expected WANTED, found ..." */
void value_refuse_empty(reader *r, const node *n);               /* an empty list */
bool value_number(reader *r, const node *n, double *out);
bool value_number_in(reader *r, const node *n, const setting *range, double *out); /* within the setting's range */
bool value_count(reader *r, const node *n, uint64_t *out);
bool value_count_in(reader *r, const node *n, const setting *range, uint64_t *out);
bool value_bool(reader *r, const node *n, bool *out);
char *value_text(reader *r, const node *n);                              /* NULL if it is not a text */
bool value_numbers(reader *r, const node *n, size_t count, double *out); /* a list of exactly `count` */
bool value_vector(reader *r, const node *n, double out[3]);              /* as many as the scene has dimensions */
/* Index of a word; messages call it `what` ("boundary"). -1 if it is unknown. */
int value_choice(reader *r, const node *n, const char *what, const char *const *words);
/* The single key of a map, which names the form of the value; NULL if there is not exactly one. */
const node *value_only_key(reader *r, const node *map, const char *what);
/* The path of a file, relative to the folder of the scene; NULL if there is none. */
char *value_path(reader *r, const node *n);
bool value_is_list(reader *r, const node *n, const char *wanted);
bool value_is_map(reader *r, const node *n, const char *wanted);
/* A list of *count vectors, in the memory of the scene. NULL if one is invalid. */
double (*value_vectors(reader *r, const node *n, size_t *count))[3];

/* ---- Tables (settings.c) */

/* The functions of a value that has several forms, or fills more than the field of its row. `into` and `from` are the
 * struct of the table, r->row and w->row the row. They also read the default of the row. */
typedef struct setting_form {
    void (*read)(reader *r, const node *n, void *into);
    void (*write)(writer *w, const void *from);
    bool own_lines; /* writes lines of its own below the key of the resolved scene */
} setting_form;

/* Reads an optional map with the keys of the table of the row; if it is absent, its fields do not change. */
extern const setting_form form_map;

/* References by name (keys_names.c): the field is an index, size_t; species: scene/settings.h. */
extern const setting_form form_mesh, form_plane, form_exact, form_clump;

/* Particle numbers (keys_numbers.c), in structs that begin like `numbered` there. */
extern const char *const numbers_shapes[];
extern const setting_form form_numbers, form_pairs, form_pair_chain, form_triples, form_triple_chain;
/* The item that contains the number at `index`, of a list that was read without faults. */
const node *numbers_item(reader *r, const node *n, size_t index);
bool is_pair_chain(const scene *s, const void *from);
bool is_pair_list(const scene *s, const void *from);
bool is_triple_chain(const scene *s, const void *from);
bool is_triple_list(const scene *s, const void *from);

/* The choice of events in the result (keys_events.c). */
extern const settings_table table_events;
extern const setting_form form_events; /* of a scene_events */

extern const setting_form form_shape; /* of a scene_mesh (keys_shapes.c) */

enum { LIST_MOST = 10000 };

/* The field points to an array of the structs of the table. */
typedef struct setting_list {
    const char *wanted;                       /* "a list of planes": in messages */
    size_t count;                             /* offset of the number of items, in the struct that contains the list */
    uint32_t most;                            /* largest number of items; 0: LIST_MOST */
    const char *things;                       /* "planes": in messages about too many */
    bool silent;                              /* the resolved scene omits an empty list */
    void (*read)(reader *r, const node *n);   /* reads all items, instead of one after the other; NULL: none */
    void (*finish)(reader *r, const node *n); /* called after that; n is NULL if the key is absent */
    void (*write)(writer *w);                 /* writes all items, instead of one after the other */
} setting_list;

/* The lists of a scene, each next to its table. */
extern const setting_list list_species, list_particles, list_contacts, list_planes, list_meshes;
extern const setting_list list_potentials, list_bonds, list_springs, list_hinges, list_rods, list_segments;
extern const setting_list list_drives, list_loads, list_bodies, list_clumps, list_observe, list_outflow;
#define EXACT_DECLARED(one, many, ONE, words)                                                                          \
    extern const setting_list list_##many;                                                                             \
    extern const settings_table table_##many;
EXACT_KINDS(EXACT_DECLARED)

/* Fills a struct from a map (NULL: all defaults; messages refer to `where`). */
void settings_read(reader *r, const settings_table *table, const node *map, const node *where, void *into);
/* Fills it from a value that must be a map; false if it is not. */
bool settings_read_map(reader *r, const settings_table *table, const node *n, void *into);
void settings_read_list(reader *r, const setting *s, const node *n, void *holder);
/* Sets the defaults. */
void settings_defaults(reader *r, const settings_table *table, void *into);
/* Reports keys that are in neither table (`also` may be NULL). */
void settings_check_keys(reader *r, const node *map, const settings_table *table, const settings_table *also);
void settings_missing(reader *r, const node *where, const char *prefix, const setting *s);
const setting *settings_find(const settings_table *table, const char *name);

/* ---- Checks of several parts of a scene */

void read_shapes(reader *r, const node *root); /* reports combinations that are not permitted */

/* Records the position of each key under `root`, for later messages (where.h). */
void read_places(reader *r, const node *root);

/* Reports particles, planes and exact surfaces that are in two of the drives and bodies under `root`. */
void read_owners(reader *r, const node *root);

/* The name of an engine that has the feature (ENGINE_ flags), if the engine of the scene does not have it; NULL: it
 * does, or is unknown. */
const char *read_engine_instead(const reader *r, unsigned feature);

/* Reports `key` (may be NULL) if the engine does not have the feature, "rough spheres" in words. */
void read_needs(reader *r, const node *key, unsigned feature, const char *what);

/* The same for rotating particles. Returns true. */
bool read_needs_rough(reader *r, const node *key);

/* A user-defined name: a letter, then letters, digits, '_' and '-'; not `wall`. */
bool read_is_name(reader *r, const node *at, const char *text, size_t length);
/* The key of a map by name: a user-defined name, stored in the first field of `one`. */
void read_item_name(reader *r, const node *key, void *one);
/* A user-defined name for an element of a list of structs that begin with their name; it must differ from those
 * before. */
void read_list_name(reader *r, const node *item, const void *first, size_t size, const void *own, const char *what);
/* The same for an exact surface, which begins with its name: it must differ from those of species, planes and other
 * surfaces. */
void read_exact_name(reader *r, const node *map, exact_id kind, const void *own);
/* Normalises a vector; a unit vector is not changed. False for a zero vector. */
bool read_unit(double v[3]);
/* Index of the species with the name `n`; UINT32_MAX after a report of an unknown name. */
uint32_t read_species_name(reader *r, const node *n);
/* Whether the names under a key of the scene are complete; false after a fault in the list (or map). */
bool read_knows(const reader *r, const char *key);
/* Index of the mesh with the name `n`; the count of meshes after a report of an unknown name. */
size_t read_find_mesh(reader *r, const node *n);
/* The array of the name `n`, its name and its name in messages; NULL after a report of an unknown name, and for a stored
 * scene. */
const scene_array *read_array_name(reader *r, const node *n, given_kind kind, char **name, char **from);
/* Index of a species by name; UINT32_MAX if there is none (without a report). */
uint32_t read_find_species(const reader *r, const char *name, size_t length);

/* Checks the magnitudes of all numbers of the scene (scene/scale.h). Adds faults to `e`, each with its place.
 * CAROM_BAD_DATA if there is one. */
carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e);

/* The table of limits in Markdown, for docs/scene.md. */
void scale_reference(text_buffer *out);

/* ---- The resolved scene (resolved.c) */

struct writer {
    text_buffer *out;
    const scene *s;
    const scene_vocabulary *vocabulary;
    const setting *row; /* the row whose value a form writes */
    const char *folder; /* NULL: relative to the working directory */
};

/* Defines a function for `written`; `one` is the struct of the table. */
#define WRITTEN_IF(name, type, condition)                                                                              \
    static bool name(const scene *s, const void *from)                                                                 \
    {                                                                                                                  \
        const type *one = from;                                                                                        \
        (void)s;                                                                                                       \
        return condition;                                                                                              \
    }

/* For `written`: rows that the resolved scene expresses by others. */
bool write_never(const scene *s, const void *from);

void write_number(writer *w, double value);
void write_key_number(writer *w, const char *key, double value); /* "key" and the number */
void write_text(writer *w, const char *value);                   /* in quotes if necessary */
void write_path(writer *w, const char *path);                    /* relative to the folder of the scene */
void write_numbers(writer *w, const double *values, size_t count);
void write_vector(writer *w, const double v[3]); /* as many as the scene has dimensions */
void write_vectors(writer *w, double (*vectors)[3], size_t count, int dimension);
void write_map(writer *w, const settings_table *table, const void *from); /* {key: value, ...} */
/* One line per key, below a key; `count` of them. */
size_t write_lines(writer *w, const settings_table *table, const void *from, int indent);
/* An item of a list of the scene: one line per key, with a dash before the first. */
void write_dashed(writer *w, const settings_table *table, const void *from);

/* The resolved text of a scene, owned by the scene; NULL without memory. */
char *resolved_write(const scene *s, const scene_vocabulary *vocabulary, const char *folder, arena *memory);

#endif
