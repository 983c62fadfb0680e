#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char out_of_memory_text[] = "out of memory";

static void clear_faults(error *e)
{
    for (size_t n = 0; n < e->fault_count; n++) free((char *)e->faults[n].file);
    free(e->faults);
    e->faults = NULL;
    e->fault_count = 0;
}

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
    char *line = malloc(*length + 2); /* HINT becomes two characters */
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
    clear_faults(e);
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

char *error_split(char *text, size_t room)
{
    char *mark = strchr(text, HINT[0]);
    const size_t length = strlen(text);
    if (mark == NULL) return text + length;
    const size_t after = length - (size_t)(mark + 1 - text) + 1; /* with the zero byte */
    if (length + 2 > room) {
        *mark = ';';
        return text + length;
    }
    memmove(mark + 2, mark + 1, after);
    mark[0] = ';';
    mark[1] = ' ';
    return mark + 2;
}

static bool grow_faults(error *e, size_t more)
{
    if (more == 0) return false;
    carom_fault *faults = realloc(e->faults, (e->fault_count + more) * sizeof *faults);
    if (faults != NULL) e->faults = faults;
    return faults != NULL;
}

void error_note(error *e, error_place at, const char *message, const char *hint)
{
    const char *key = at.key != NULL ? at.key : "";
    const size_t key_size = strlen(key) + 1, size = strlen(message) + 1;
    char *block = malloc(at.file_length + 1 + key_size + size);
    if (block == NULL || !grow_faults(e, 1)) {
        free(block);
        return;
    }
    char *own_key = block + at.file_length + 1, *own = own_key + key_size;
    memcpy(block, at.text, at.file_length);
    block[at.file_length] = '\0';
    memcpy(own_key, key, key_size);
    memcpy(own, message, size);
    e->faults[e->fault_count++] = (carom_fault){.file = block,
                                                .line = at.line,
                                                .column = at.column,
                                                .key = own_key,
                                                .message = own,
                                                .hint = own + (hint - message)};
}

carom_status error_add_at(error *e, carom_status status, error_place at, const char *format, ...)
{
    va_list args;
    size_t length;
    va_start(args, format);
    char *message = format_line(format, args, &length);
    va_end(args);
    const char *hint = message != NULL ? error_split(message, length + 2) : NULL;
    error_add(e, status, "%s: error: %s", at.text, message != NULL ? message : out_of_memory_text);
    if (message != NULL) error_note(e, at, message, hint);
    free(message);
    return status;
}

carom_status error_set_at(error *e, carom_status status, const char *file, size_t line, const char *format, ...)
{
    va_list args;
    size_t length;
    va_start(args, format);
    char *message = format_line(format, args, &length);
    va_end(args);
    const char *text = message != NULL ? message : out_of_memory_text;
    if (line > 0)
        error_set(e, status, "%s:%zu: error: %s", file, line, text);
    else
        error_set(e, status, "%s: error: %s", file, text);
    const error_place at = {.text = file, .file_length = strlen(file), .line = (uint32_t)line};
    if (message != NULL) error_note(e, at, message, message + length);
    free(message);
    return status;
}

void error_move(error *e, error *from)
{
    if (from->length > 0) error_add(e, from->status, "%s", from->text);
    if (grow_faults(e, from->fault_count)) {
        memcpy(e->faults + e->fault_count, from->faults, from->fault_count * sizeof *e->faults);
        e->fault_count += from->fault_count;
        from->fault_count = 0; /* their blocks belong to e */
    }
    error_clear(from);
}

void error_clear(error *e)
{
    clear_faults(e);
    set_text(e, NULL, 0);
    e->status = CAROM_OK;
}
