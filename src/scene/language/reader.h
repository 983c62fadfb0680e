/* Shared by the keys of the scene language: keys_*.c hold the tables of settings, and beside them the functions that
 * read, check and write the values that a table alone does not describe. Every reading function reports what is wrong as faults and goes on; a bool
 * says whether the value is good. */
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
    const char *folder; /* NULL: files lie relative to the working directory */
    bool engine_known;  /* s->engine is what the scene says */
    const node *root;
    const node *map;    /* whose value is being read by a form; NULL: the default of one that is left out */
    const setting *row; /* of that value */
    const node *where;  /* for `finish` of a table: its map, or the one that could have it */
    uint64_t particles; /* in all, once they are read; UINT64_MAX where files say it, later */
};

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

/* A value that has several forms, or fills more than the field of its row: how it is read and written. `into` and
 * `from` are the struct that the table fills, r->row and w->row the row. The default of the row is read as a value is. */
typedef struct setting_form {
    void (*read)(reader *r, const node *n, void *into);
    void (*write)(writer *w, const void *from);
    bool own_lines; /* in the resolved scene: lines of its own below the key */
} setting_form;

/* A map of the keys of the row's table, which may be left out: its fields then stay as they are. */
extern const setting_form form_map;

/* Names (keys_names.c): the row's field is the index of what is named; uint32_t of species, size_t of others. */
extern const setting_form form_species, form_mesh, form_plane, form_exact;

/* Particles by their numbers (keys_numbers.c), in structs that begin as `numbered` there. */
extern const setting_form form_numbers, form_pairs, form_pair_chain, form_triples, form_triple_chain;
bool is_pair_chain(const scene *s, const void *from);
bool is_pair_list(const scene *s, const void *from);
bool is_triple_chain(const scene *s, const void *from);
bool is_triple_list(const scene *s, const void *from);

extern const setting_form form_shape; /* of a scene_mesh (keys_shapes.c) */

enum { LIST_MOST = 10000 };

/* The row's field points to an array of the structs that its table fills. */
typedef struct setting_list {
    const char *wanted;                       /* "a list of planes": in messages */
    size_t count;                             /* offset of the number of items, in the struct that has the list */
    uint32_t most;                            /* items; 0: LIST_MOST */
    const char *things;                       /* "planes": in messages about too many */
    bool silent;                              /* an empty list is left out of the resolved scene */
    void (*read)(reader *r, const node *n);   /* reads all items, in place of one after another; NULL: none */
    void (*finish)(reader *r, const node *n); /* after that; n is NULL where the key is absent */
    void (*write)(writer *w);                 /* writes all items, in place of one after another */
} setting_list;

/* The lists of a scene, each beside its table. */
extern const setting_list list_species, list_particles, list_contacts, list_planes, list_meshes;
extern const setting_list list_potentials, list_bonds, list_springs, list_hinges, list_segments;
extern const setting_list list_drives, list_bodies, list_observe;
#define EXACT_DECLARED(one, many, ONE, words)                                                                          \
    extern const setting_list list_##many;                                                                             \
    extern const settings_table table_##many;
EXACT_KINDS(EXACT_DECLARED)

/* Fills a struct from a map (NULL: all defaults, and `where` stands for it in messages). */
void settings_read(reader *r, const settings_table *table, const node *map, const node *where, void *into);
/* From a value that has to be a map of the table's keys; false where it is none. */
bool settings_read_map(reader *r, const settings_table *table, const node *n, void *into);
void settings_read_list(reader *r, const setting *s, const node *n, void *holder);
/* Fills what has a default with it. */
void settings_defaults(reader *r, const settings_table *table, void *into);
/* Reports keys that are in neither table (`also` may be NULL). */
void settings_check_keys(reader *r, const node *map, const settings_table *table, const settings_table *also);
void settings_missing(reader *r, const node *where, const char *prefix, const setting *s);
const setting *settings_find(const settings_table *table, const char *name);

/* ---- Checks that concern several parts of a scene */

void read_shapes(reader *r, const node *root); /* what cannot be combined with them is reported */

/* Notes where each key under `root` stands, for what is said about the scene later (where.h). */
void read_places(reader *r, const node *root);

/* No particle, plane or exact surface may be in two of the drives and bodies under `root`. */
void read_owners(reader *r, const node *root);

/* The name of an engine that has the feature (ENGINE_ flags), where the scene's engine has it not; NULL: it has it, or is
 * not known. */
const char *read_engine_instead(const reader *r, unsigned feature);

/* `key` (may be NULL) needs the feature, "rough spheres" in words: reported where the engine has it not. */
void read_needs(reader *r, const node *key, unsigned feature, const char *what);

/* Likewise particles that turn. True, as it needs them. */
bool read_needs_rough(reader *r, const node *key);

/* A user's name for a thing: letters, digits, '_' and '-', a letter first; not `wall`. */
bool read_is_name(reader *r, const node *at, const char *text, size_t length);
/* The key of a map by name: a user's name, kept in the first field of `one`. */
void read_item_name(reader *r, const node *key, void *one);
/* A user's name for one of a list of structs that begin with their name: a name, and not that of one before. */
void read_list_name(reader *r, const node *item, const void *first, size_t size, const void *own, const char *what);
/* Likewise for an exact surface, which begins with its name: no species, plane or other surface has it. */
void read_exact_name(reader *r, const node *map, exact_id kind, const void *own);
/* Makes a unit vector; one that is already stays as it is written. False for a zero vector. */
bool read_unit(double v[3]);
/* Index of the species that `n` names; UINT32_MAX where there is none, which is reported. */
uint32_t read_species_name(reader *r, const node *n);
/* Whether the names under a key of the scene are all known: not where it is no list (or map), which is reported. */
bool read_knows(const reader *r, const char *key);
/* Index of the mesh that `n` names; the count of meshes where there is none, which is reported. */
size_t read_find_mesh(reader *r, const node *n);
/* Index of a species by name; UINT32_MAX where there is none (not reported). */
uint32_t read_find_species(const reader *r, const char *name, size_t length);

/* Magnitudes of all numbers that the scene gives (scene/scale.h). Faults are added to `e`, each with its place.
 * CAROM_BAD_DATA where there is one. */
carom_status scale_check_scene(const scene *s, const scene_vocabulary *vocabulary, error *e);

/* The table of limits in Markdown, for docs/scene.md. */
void scale_reference(text_buffer *out);

/* ---- The resolved scene (resolved.c) */

struct writer {
    text_buffer *out;
    const scene *s;
    const scene_vocabulary *vocabulary;
    const setting *row; /* whose value is being written by a form */
    const char *folder; /* NULL: files lie relative to the working directory */
};

/* Defines a function for `written`: `one` is the struct that the table fills. */
#define WRITTEN_IF(name, type, condition)                                                                              \
    static bool name(const scene *s, const void *from)                                                                 \
    {                                                                                                                  \
        const type *one = from;                                                                                        \
        (void)s;                                                                                                       \
        return condition;                                                                                              \
    }

/* For `written`: of rows that others stand for in the resolved scene. */
bool write_never(const scene *s, const void *from);

void write_number(writer *w, double value);
void write_key_number(writer *w, const char *key, double value); /* "key" and the number */
void write_text(writer *w, const char *value);                   /* in quotes where it needs them */
void write_path(writer *w, const char *path);                    /* as it counts from the scene's folder */
void write_numbers(writer *w, const double *values, size_t count);
void write_vector(writer *w, const double v[3]); /* as many as the scene has dimensions */
void write_vectors(writer *w, double (*vectors)[3], size_t count, int dimension);
void write_map(writer *w, const settings_table *table, const void *from); /* {key: value, ...} */
/* A line a key, below a key; their number. */
size_t write_lines(writer *w, const settings_table *table, const void *from, int indent);
/* An item of a list of the scene: a line a key, with a dash before the first. */
void write_dashed(writer *w, const settings_table *table, const void *from);

/* The resolved text of a scene; NULL when there is no memory. Lives in the scene's memory. */
char *resolved_write(const scene *s, const scene_vocabulary *vocabulary, const char *folder, arena *memory);

#endif
