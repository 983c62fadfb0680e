#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char out_of_memory_text[] = "out of memory";

static void set_text(error *e, char *text, size_t length)
{
    if (e->text != out_of_memory_text) free(e->text);
    e->text = text;
    e->length = length;
}

static void set_out_of_memory(error *e)
{
    set_text(e, out_of_memory_text, sizeof out_of_memory_text - 1);
}

/* Returns NULL if there is no memory. The arguments may point into the present text of the error, which is not changed
 * before they are read. */
static char *format_line(const char *format, va_list args, size_t *length)
{
    va_list again;
    va_copy(again, args);
    int wanted = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (wanted < 0) return NULL;
    *length = (size_t)wanted;
    char *line = malloc(*length + 1);
    if (line != NULL) vsnprintf(line, *length + 1, format, args);
    return line;
}

carom_status error_set(error *e, carom_status status, const char *format, ...)
{
    va_list args;
    size_t length;
    va_start(args, format);
    char *line = format_line(format, args, &length);
    va_end(args);
    if (line != NULL)
        set_text(e, line, length);
    else
        set_out_of_memory(e);
    e->status = status;
    return status;
}

carom_status error_add(error *e, carom_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_add_list(e, status, format, args);
    va_end(args);
    return status;
}

carom_status error_add_list(error *e, carom_status status, const char *format, va_list args)
{
    size_t length;
    if (e->status == CAROM_OK) e->status = status;
    if (e->text == out_of_memory_text) return status;
    char *line = format_line(format, args, &length);
    if (line == NULL || e->length == 0) {
        if (line != NULL)
            set_text(e, line, length);
        else
            set_out_of_memory(e);
        return status;
    }
    char *text = realloc(e->text, e->length + 1 + length + 1);
    if (text == NULL) {
        set_out_of_memory(e);
    } else {
        text[e->length] = '\n';
        memcpy(text + e->length + 1, line, length + 1);
        e->text = text;
        e->length += 1 + length;
    }
    free(line);
    return status;
}

carom_status error_memory(error *e, const char *what, size_t bytes)
{
    size_t tenths = bytes / 100000; /* integers, so that the locale has no effect */
    if (tenths == 0) return error_set(e, CAROM_INTERNAL, "error: out of memory: there is no room for %s", what);
    return error_set(
        e, CAROM_INTERNAL,
        "error: out of memory: there is no room for %s (%zu.%zu MB); use fewer particles or raise the limit", what,
        tenths / 10, tenths % 10);
}

const char *error_text(const error *e)
{
    return e->text != NULL ? e->text : "";
}

void error_clear(error *e)
{
    set_text(e, NULL, 0);
    e->status = CAROM_OK;
}
