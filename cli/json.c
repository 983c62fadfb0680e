#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *skip_string(const char *p)
{
    for (p++; *p != '\0' && *p != '"'; p++)
        if (*p == '\\' && p[1] != '\0') p++;
    return *p == '"' ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
    size_t depth = 0;
    do {
        p = skip_space(p);
        if (*p == '"') {
            p = skip_string(p);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            depth--;
            p++;
        } else if (depth > 0 && (*p == ',' || *p == ':')) {
            p++;
        } else {
            size_t length = strcspn(p, ",:{}[]\" \t\r\n");
            if (length == 0) return p;
            p += length;
        }
    } while (depth > 0 && *p != '\0');
    return p;
}

bool json_next(const char *object, const char **at, const char **name, size_t *name_length, const char **value)
{
    const char *p = skip_space(*at != NULL ? *at : object);
    if (*at == NULL && *p != '{') return false;
    if (*at == NULL || *p == ',') p = skip_space(p + 1);
    if (*p != '"') return false;
    *name = p + 1;
    p = skip_string(p);
    *name_length = (size_t)(p - *name) - 1;
    p = skip_space(p);
    if (*p != ':') return false;
    *value = skip_space(p + 1);
    *at = skip_value(*value);
    return true;
}

/* The item of an array with the index in the first `length` characters of `step`. */
static const char *find_item(const char *array, const char *step, size_t length)
{
    const char *p = array;
    size_t index = 0;
    if (*p != '[' || length == 0 || length > 9 || strspn(step, "0123456789") < length) return NULL;
    for (size_t i = 0; i < length; i++) index = 10 * index + (size_t)(step[i] - '0');
    for (;;) {
        p = skip_space(p + 1);
        if (*p == ']' || *p == '\0') return NULL;
        if (index-- == 0) return p;
        p = skip_space(skip_value(p));
        if (*p != ',') return NULL;
    }
}

const char *json_find(const char *object, const char *path)
{
    size_t length = strcspn(path, ".");
    const char *at = NULL, *name, *value, *found = *object == '[' ? find_item(object, path, length) : NULL;
    size_t name_length;
    while (found == NULL && json_next(object, &at, &name, &name_length, &value))
        if (name_length == length && strncmp(name, path, length) == 0) found = value;
    return found != NULL && path[length] == '.' ? json_find(found, path + length + 1) : found;
}

size_t json_length(const char *value)
{
    return (size_t)(skip_value(value) - value);
}

bool json_number(const char *value, double *number)
{
    if (value == NULL || strchr("-0123456789", *value) == NULL || *value == '\0') return false;
    *number = strtod(value, NULL);
    return true;
}

/* Decodes an escape; *p moves from its backslash to its last character. */
static char unescape(const char **p)
{
    static const char codes[] = "b\bf\fn\nr\rt\t";
    const char *code = strchr(codes, *++*p);
    if (code != NULL && *code != '\0') return code[1];
    if (**p != 'u') return **p;
    char digits[5] = "";
    for (size_t i = 0; i < 4 && (*p)[1] != '\0'; i++) digits[i] = *++*p;
    return (char)strtol(digits, NULL, 16); /* the library writes UTF-8 as it is, and escapes only control characters */
}

void json_text(const char *value, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    if (value == NULL || *value != '"') return;
    const char *end = skip_string(value) - 1;
    for (const char *p = value + 1; p < end && used + 1 < size; p++) text[used++] = *p == '\\' ? unescape(&p) : *p;
    text[used] = '\0';
}
