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

const char *json_find(const char *object, const char *path)
{
    size_t length = strcspn(path, ".");
    const char *at = NULL, *name, *value;
    size_t name_length;
    while (json_next(object, &at, &name, &name_length, &value))
        if (name_length == length && strncmp(name, path, length) == 0)
            return path[length] == '.' ? json_find(value, path + length + 1) : value;
    return NULL;
}

bool json_number(const char *value, double *number)
{
    if (value == NULL || strchr("-0123456789", *value) == NULL || *value == '\0') return false;
    *number = strtod(value, NULL);
    return true;
}

void json_text(const char *value, char *text, size_t size)
{
    text[0] = '\0';
    if (value == NULL || *value != '"') return;
    snprintf(text, size, "%.*s", (int)(skip_string(value) - value) - 2, value + 1);
}
