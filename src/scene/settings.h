/* Settings tables: name, type, unit, default, range and one line of help for each key. The tables are used to read,
 * check and resolve a scene, and to generate its messages, `carom help scene`, the scene reference and the metadata of
 * a result. */
#ifndef CAROM_SCENE_SETTINGS_H
#define CAROM_SCENE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum setting_type {
    SETTING_BOOL,    /* bool; true | false */
    SETTING_INTEGER, /* uint64_t */
    SETTING_REAL,    /* double */
    SETTING_TEXT,    /* char *, owned by the scene */
    SETTING_CHOICE,  /* int: index into `choices` */
    SETTING_VECTOR,  /* double[3]: as many numbers as the scene has dimensions */
    SETTING_TABLE,   /* a nested struct described by `table` */
    SETTING_SHAPE, /* one of the forms in `choices`, read and written by `form`; `table`: keys of forms that are maps */
    SETTING_LIST,  /* a list of maps described by `table`; `list` states where it is stored */
    SETTING_NAMED  /* a map from user-defined names to maps described by `table`; likewise */
} setting_type;

/* For the scene language (language/reader.h): NULL in the tables of engines and observables, but for the forms below. */
struct reader;
struct node;
struct scene;
struct setting_form;
struct setting_list;
struct settings_table;

/* Species by name: the field is the index, uint32_t, or uint32_t[2] for a list of two different names. Of an optional row
 * `begin` sets NO_SPECIES. */
#define NO_SPECIES UINT32_MAX
extern const struct setting_form form_species, form_species_pair;
bool setting_has_species(const struct scene *s, const void *from); /* `written`, if the struct begins with the field */

typedef struct setting {
    const char *name;
    setting_type type;
    size_t offset;    /* offset of the field in the struct of the table */
    const char *unit; /* the quantity, in words: "length", "time", "speed", "" for pure numbers */
    /* The default, as scene text; NULL: the key is required; "": the key is optional, and the field is zero (a text:
     * empty) without it. Ignored for SETTING_TABLE: its entries have defaults. */
    const char *fallback;
    double min, max;                    /* inclusive range of numbers; ignored if min >= max */
    bool above_min;                     /* the minimum itself is excluded */
    const char *const *choices;         /* SETTING_CHOICE: words, NULL at the end */
    const struct settings_table *table; /* SETTING_TABLE */
    const char *help;
    const struct setting_form *form; /* reads and writes the value instead of the type */
    const struct setting_list *list;
    const char *instead_of; /* another key of the table: the two exclude each other */
    bool unlisted;          /* omitted from the lists of known keys in messages */
    bool rotates;           /* SETTING_BOOL: if it is true, particles rotate (scene.rough) */
    int early;              /* rows with a higher number are read first: later rows refer to them */
    bool (*written)(const struct scene *s, const void *from); /* if resolved scenes contain it; NULL: if present */
} setting;

typedef struct settings_table {
    const char *name; /* as in the scene: "hard", "pressure" */
    const char *help; /* one line */
    size_t size;      /* size of the struct */
    const setting *entries;
    size_t count;
    const char *wanted; /* "a map with 'name' and 'point'": in messages; NULL: "a map" */
    bool lines;         /* resolved scenes have one line per key of an item, instead of one per item */
    void (*begin)(struct reader *r, void *filled); /* sets defaults other than zero before the keys are read */
    /* Checks of several keys, after all are read; `map` is NULL if the scene does not contain the table. */
    void (*finish)(struct reader *r, const struct node *map, void *filled);
} settings_table;

/* The first entry of a filled table, or of the tables in it, that differs from its default, with its path in the table
 * ("daha.beta") in `path`. NULL: none. For settings that do nothing beside others: a resolved scene contains all defaults, so
 * that the presence of a key means nothing. */
const setting *settings_first_changed(const settings_table *table, const void *filled, char *path, size_t size);

/* The same for one entry. */
bool settings_changed(const settings_table *table, const void *filled, const char *name);

/* Capabilities of engines that common keys of a scene may require. */
enum {
    ENGINE_MERGES = 1,     /* merging of particles into clusters: `run.until.clusters` */
    ENGINE_COMPRESSES = 2, /* compression: `run.until.pressure` */
    ENGINE_ROUGH = 4,      /* rough spheres: rotating particles with friction in contacts */
    ENGINE_SHAPES = 8,     /* particles that are not spheres */
    ENGINE_STEPS = 16,     /* stepped potentials and bonds */
    ENGINE_FLOWS = 32,     /* particles that enter and leave: `place: {inflow: ...}`, `outflow` */
    ENGINE_LOADS = 64      /* loads on vertices of shells: `loads` */
};

/* The names that a scene may use: the table of each engine (its name is a key and a value of `engine:`) and of each
 * observable (its name is a value of `what:`). The caller passes it to the reader, which includes neither. */
typedef struct scene_vocabulary {
    const settings_table *const *engines;
    size_t engine_count;
    const settings_table *const *observables;
    size_t observable_count;
    const unsigned *features; /* [engine_count] ENGINE_ flags; NULL: all flags for each */
} scene_vocabulary;

#endif
