/* Settings tables: name, type, unit, default, range and one line of help, written once. They drive the scene
 * reader, its messages, `carom help scene`, the scene reference and the metadata stored with a result. */
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
    /* Read by hand in scene/, never by the generic reader; listed so that the reference knows them. */
    SETTING_SHAPE, /* one of several forms, each spelled out in `choices`; `table` has the keys of those that are
                    * maps */
    SETTING_LIST,  /* a list, each item a map described by `table` */
    SETTING_NAMED  /* a map from names of the user's to maps described by `table` */
} setting_type;

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
} setting;

typedef struct settings_table {
    const char *name; /* as in the scene: "hard", "pressure" */
    const char *help; /* one line */
    size_t size;      /* of the struct that it fills */
    const setting *entries;
    size_t count;
} settings_table;

/* What a scene may name: each engine's table (its name is the key that holds it and the value of `engine:`) and
 * each observable's (its name is the value of `what:`). Handed to the reader, which includes neither. */
typedef struct scene_vocabulary {
    const settings_table *const *engines;
    size_t engine_count;
    const settings_table *const *observables;
    size_t observable_count;
} scene_vocabulary;

#endif
