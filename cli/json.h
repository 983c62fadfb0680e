/* A reader for the JSON of the library, which is well formed. */
#ifndef CAROM_CLI_JSON_H
#define CAROM_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* The value at a dotted path ("energy.total", "momentum.0") in the object or array at `object`; NULL if it does not
 * exist. */
const char *json_find(const char *object, const char *path);

/* Iterates over the members of an object: *at is NULL before the first. False after the last. */
bool json_next(const char *object, const char **at, const char **name, size_t *name_length, const char **value);

/* The value as a number; false for other types (null, text). */
bool json_number(const char *value, double *number);

/* The number of characters of the value. */
size_t json_length(const char *value);

/* Copies a text value without its quotes and escapes. */
void json_text(const char *value, char *text, size_t size);

#endif
