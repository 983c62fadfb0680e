/* Parsing of the command line by the option table of the command. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { SHARDS_MAX = 100000 };

#define NAME(engine) #engine,
const char *const engine_names[] = {CAROM_ENGINES(NAME) NULL};
const char *const starter_names[] = {
    "gas",   "granular-gas",          "hopper", "pile", "drum", "cloth", "chain", "aggregates", "settling",
    "sweep", CAROM_ENGINES(NAME) NULL};
#undef NAME
const char *const help_topics[] = {"scene", "observables", NULL};

const option common_options[] = {
    {"help", 'h', OPTION_FLAG, offsetof(arguments, help), NULL, NULL, false,
     "print the description and options of the command"},
};
const size_t common_option_count = sizeof common_options / sizeof *common_options;

const char *operand_name(operand_kind kind)
{
    static const char *const names[] = {"", "SCENE", "SCENE|FILE", "FILE", "NAME", "TOPIC", "SWEEP"};
    return names[kind];
}

static const option *find_in(const option *options, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0) return &options[i];
    return NULL;
}

static const option *find_long(const command *c, const char *name, size_t length)
{
    const option *found = find_in(c->options, c->option_count, name, length);
    return found != NULL ? found : find_in(common_options, common_option_count, name, length);
}

static const option *find_short(const command *c, char letter)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].letter == letter) return &c->options[i];
    for (size_t i = 0; i < common_option_count; i++)
        if (common_options[i].letter == letter) return &common_options[i];
    return NULL;
}

static carom_status unknown_option(const command *c, const char *shown, const char *name)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < c->option_count && count < 60; i++)
        if (!c->options[i].hidden) names[count++] = c->options[i].name;
    for (size_t i = 0; i < common_option_count && count < 64; i++) names[count++] = common_options[i].name;
    const char *guess = closest(name, names, count);
    if (guess != NULL)
        complain("unknown option '%s'; did you mean '--%s'?", shown, guess);
    else
        complain("unknown option '%s'; see 'carom help %s'", shown, c->name);
    return CAROM_USAGE;
}

/* A whole number, digits only; false if invalid or too large. */
static bool whole_number(const char *text, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    if (*text == '\0') return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (max - digit) / 10) return false;
        sum = 10 * sum + digit;
    }
    *value = sum;
    return sum <= max;
}

static bool is_choice(const option *o, const char *value)
{
    for (size_t i = 0; o->choices != NULL && o->choices[i] != NULL; i++)
        if (strcmp(o->choices[i], value) == 0) return true;
    return false;
}

/* "a, b, c". */
static const char *list_choices(const option *o, char *list, size_t size)
{
    *list = '\0';
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        size_t used = strlen(list);
        snprintf(list + used, size - used, "%s%s", i > 0 ? ", " : "", o->choices[i]);
    }
    return list;
}

static carom_status store_choice(const option *o, const char **field, const char *value)
{
    char list[256];
    *field = value;
    if (is_choice(o, value)) return CAROM_OK;
    complain("option '--%s' is one of %s, not '%s'", o->name, list_choices(o, list, sizeof list), value);
    return CAROM_USAGE;
}

static carom_status store_list(const option *o, const char **field, const char *value)
{
    size_t count = 0, items = 1;
    char list[256], item[64];
    *field = value;
    while (o->choices[count] != NULL) count++;
    for (const char *at = value;; at++, items++) {
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item - 1), at);
        if (!is_choice(o, item)) {
            const char *guess = closest(item, o->choices, count);
            if (guess != NULL)
                complain("option '--%s': unknown '%s'; did you mean '%s'?", o->name, item, guess);
            else
                complain("option '--%s': unknown '%s'; known: %s", o->name, item, list_choices(o, list, sizeof list));
            return CAROM_USAGE;
        }
        at += length;
        if (*at == '\0') break;
    }
    if (items > 1) return CAROM_OK;
    complain("option '--%s' needs at least two, separated by commas, not '%s'", o->name, value);
    return CAROM_USAGE;
}

static carom_status store_count(const option *o, const char **field, const char *value)
{
    char list[256];
    uint64_t number;
    *field = value;
    if (is_choice(o, value) || whole_number(value, UINT64_MAX, &number)) return CAROM_OK;
    if (o->choices != NULL)
        complain("option '--%s' is a whole number or one of %s, not '%s'", o->name, list_choices(o, list, sizeof list),
                 value);
    else
        complain("option '--%s' needs a whole number from 0 to %llu, not '%s'", o->name, (unsigned long long)UINT64_MAX,
                 value);
    return CAROM_USAGE;
}

static carom_status store_number(const option *o, const char **field, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    *field = value;
    if (end != value && *end == '\0' && isfinite(number)) return CAROM_OK;
    complain("option '--%s' needs a number, not '%s'", o->name, value);
    return CAROM_USAGE;
}

static carom_status append(const char ***list, size_t *count, const char *value)
{
    const char **grown = realloc((void *)*list, (*count + 1) * sizeof *grown);
    if (grown == NULL) {
        complain("out of memory");
        return CAROM_INTERNAL;
    }
    *list = grown;
    (*list)[(*count)++] = value;
    return CAROM_OK;
}

static carom_status store_set(arguments *args, const char *value)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value) {
        complain("option '--set' needs KEY=VALUE, as in run.until.time=10, not '%s'", value);
        return CAROM_USAGE;
    }
    return append(&args->sets, &args->set_count, value);
}

/* "3/8": the third of eight parts. */
static carom_status store_shard(arguments *args, const char *value)
{
    char text[16];
    uint64_t part = 0, parts = 0;
    const char *slash = strchr(value, '/');
    size_t length = slash != NULL ? (size_t)(slash - value) : 0;
    snprintf(text, sizeof text, "%.*s", (int)length, value);
    bool good = length < sizeof text && slash != NULL && whole_number(text, SHARDS_MAX, &part) &&
                whole_number(slash + 1, SHARDS_MAX, &parts);
    if (!good || part < 1 || part > parts) {
        complain("option '--shard' needs I/N, part I of N, from 1/N to N/N, not '%s'", value);
        return CAROM_USAGE;
    }
    args->shard = (int)part;
    args->shards = (int)parts;
    return CAROM_OK;
}

static carom_status store(arguments *args, const option *o, const char *value)
{
    char *field = (char *)args + o->offset;
    uint64_t number = 0;
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return CAROM_OK;
    case OPTION_FILE:
        if (*value == '\0') {
            complain("option '--%s' needs a file name, not ''", o->name);
            return CAROM_USAGE;
        }
        *(const char **)field = value;
        return CAROM_OK;
    case OPTION_CHOICE:
        return store_choice(o, (const char **)field, value);
    case OPTION_LIST:
        return store_list(o, (const char **)field, value);
    case OPTION_COUNT:
        return store_count(o, (const char **)field, value);
    case OPTION_NUMBER:
        return store_number(o, (const char **)field, value);
    case OPTION_THREADS:
        if (!whole_number(value, CAROM_THREADS_MOST, &number) || number == 0) {
            complain("option '--%s' needs a whole number from 1 to %d, not '%s'", o->name, CAROM_THREADS_MOST, value);
            return CAROM_USAGE;
        }
        *(int *)field = (int)number;
        return CAROM_OK;
    case OPTION_SHARD:
        return store_shard(args, value);
    case OPTION_WORD:
        *(const char **)field = value;
        return CAROM_OK;
    case OPTION_WORDS:
        return append(&args->words, &args->word_count, value);
    case OPTION_SETS:
        return store_set(args, value);
    }
    return CAROM_INTERNAL;
}

/* `attached`: the value in the same word, or NULL. *next: index of the word that may be the value. */
static carom_status take_option(arguments *args, const option *o, const char *attached, char **next, int *used)
{
    if (o->kind == OPTION_FLAG && attached != NULL) {
        complain("option '--%s' takes no value", o->name);
        return CAROM_USAGE;
    }
    if (o->kind == OPTION_FLAG || attached != NULL) return store(args, o, attached);
    if (*next == NULL) {
        complain("option '--%s' needs a value: %s", o->name, o->value);
        return CAROM_USAGE;
    }
    *used = 1;
    return store(args, o, *next);
}

static carom_status take_word(arguments *args, const command *c, char **word, bool *only_operands, int *used)
{
    const char *text = *word;
    if (!*only_operands && strcmp(text, "--") == 0) {
        *only_operands = true;
        return CAROM_OK;
    }
    if (!*only_operands && strncmp(text, "--", 2) == 0) {
        size_t length = strcspn(text + 2, "=");
        const option *o = find_long(c, text + 2, length);
        if (o == NULL) return unknown_option(c, text, text + 2);
        return take_option(args, o, text[2 + length] == '=' ? text + 3 + length : NULL, word + 1, used);
    }
    if (!*only_operands && text[0] == '-' && text[1] != '\0') {
        const option *o = find_short(c, text[1]);
        if (o == NULL) return unknown_option(c, text, text + 1);
        return take_option(args, o, text[2] != '\0' ? text + 2 : NULL, word + 1, used);
    }
    if (c->operand == OPERAND_NONE || (args->operand != NULL && !c->operand_many)) {
        complain("unexpected argument '%s'; %s%s'", text,
                 strchr(text, '=') != NULL ? "settings are given by '--set KEY=VALUE', see 'carom help "
                                           : "see 'carom help ",
                 c->name);
        return CAROM_USAGE;
    }
    args->operand = text;
    return append(&args->operands, &args->operand_count, text);
}

carom_status parse_arguments(arguments *args, const command *c, int argc, char **argv)
{
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        int used = 0;
        carom_status status = take_word(args, c, argv + i, &only_operands, &used);
        if (status != CAROM_OK) return status;
        i += used;
    }
    if (c->operand_required && args->operand == NULL && !args->help) {
        complain("'carom %s' needs a %s; see 'carom help %s'", c->name, operand_name(c->operand), c->name);
        return CAROM_USAGE;
    }
    return CAROM_OK;
}
