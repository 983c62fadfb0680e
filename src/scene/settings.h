/* Settings tables: name, type, unit, default, range and one line of help of each key, written once. They read, check
 * and resolve a scene, and make its messages, `carom help scene`, the scene reference and the metadata of a result. */
#ifndef CAROM_SCENE_SETTINGS_H
#define CAROM_SCENE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum setting_type {
    SETTING_BOOL,    /* bool; true | false */
    SETTING_INTEGER, /* uint64_t */
    SETTING_REAL,    /* double */
    SETTING_TEXT,    /* char *, owned by the scene */
    SETTING_CHOICE,  /* int: index into `choices` */
    SETTING_VECTOR,  /* double[3]: as many numbers as the scene has dimensions */
    SETTING_TABLE,   /* a nested struct described by `table` */
    SETTING_SHAPE, /* one of several forms, each spelled out in `choices`; `form` reads and writes them, `table` has the
                    * keys of those that are maps */
    SETTING_LIST,  /* a list, each item a map described by `table`; `list` says where it is kept */
    SETTING_NAMED  /* a map from names of the user's to maps described by `table`; likewise */
} setting_type;

/* Of the scene language (language/reader.h): NULL in the tables of engines and observables. */
struct reader;
struct node;
struct scene;
struct setting_form;
struct setting_list;
struct settings_table;

typedef struct setting {
    const char *name;
    setting_type type;
    size_t offset;        /* of the field in the table's struct */
    const char *unit;     /* the quantity, in words: "length", "time", "speed", "" for pure numbers */
    const char *fallback; /* the default, as scene text; NULL: the key must be given; "": may be left out, and the field
                           * then stays zero (text: stays empty). Ignored for SETTING_TABLE: its entries have theirs. */
    double min, max;      /* inclusive range of numbers; ignored where min >= max */
    bool above_min;       /* the minimum itself is excluded */
    const char *const *choices;         /* SETTING_CHOICE: words, NULL at the end */
    const struct settings_table *table; /* SETTING_TABLE */
    const char *help;
    const struct setting_form *form; /* reads and writes the value in place of what its type says */
    const struct setting_list *list;
    const char *instead_of; /* another key of the table: only one of the two may be given */
    bool unlisted;          /* left out where a message lists all keys that are known */
    int early;              /* rows with a higher number are read first: what later ones refer to */
    bool (*written)(const struct scene *s, const void *from); /* in the resolved scene; NULL: unless it is absent */
} setting;

typedef struct settings_table {
    const char *name; /* as in the scene: "hard", "pressure" */
    const char *help; /* one line */
    size_t size;      /* of the struct that it fills */
    const setting *entries;
    size_t count;
    const char *wanted; /* "a map with 'name' and 'point'": in messages; NULL: "a map" */
    bool lines;         /* items of a list are resolved to a line a key, not a line an item */
    void (*begin)(struct reader *r, void *filled); /* sets what is not zero before the keys are read */
    /* Checks what concerns several keys, once all are read; `map` is NULL where the scene leaves a whole table out. */
    void (*finish)(struct reader *r, const struct node *map, void *filled);
} settings_table;

/* What only some engines have, of what a scene may ask for in common keys. */
enum {
    ENGINE_MERGES = 1,     /* particles into clusters: `run.until.clusters` */
    ENGINE_COMPRESSES = 2, /* runs that compress: `run.until.pressure` */
    ENGINE_ROUGH = 4,      /* rough spheres: particles that turn in contacts */
    ENGINE_SHAPES = 8,     /* particles that are no spheres */
    ENGINE_STEPS = 16      /* potentials in steps, and bonds */
};

/* What a scene may name: each engine's table (its name is the key that holds it and the value of `engine:`) and
 * each observable's (its name is the value of `what:`). Handed to the reader, which includes neither. */
typedef struct scene_vocabulary {
    const settings_table *const *engines;
    size_t engine_count;
    const settings_table *const *observables;
    size_t observable_count;
    const unsigned *features; /* [engine_count] ENGINE_ flags; NULL: each has all of them */
} scene_vocabulary;

#endif
