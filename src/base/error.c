#include "base/error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char out_of_memory_text[] = "out of memory";

static void drop_text(error *e)
{
    if (e->text != out_of_memory_text) free(e->text);
    e->text = NULL;
    e->length = 0;
}

static void append(error *e, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || e->text == out_of_memory_text) return;
    size_t gap = e->length > 0 ? 1 : 0;
    char *text = realloc(e->text, e->length + gap + (size_t)length + 1);
    if (text == NULL) {
        drop_text(e);
        e->text = out_of_memory_text;
        e->length = sizeof out_of_memory_text - 1;
        return;
    }
    if (gap > 0) text[e->length] = '\n';
    vsnprintf(text + e->length + gap, (size_t)length + 1, format, args);
    e->text = text;
    e->length += gap + (size_t)length;
}

carom_status error_set(error *e, carom_status status, const char *format, ...)
{
    va_list args;
    error_clear(e);
    e->status = status;
    va_start(args, format);
    append(e, format, args);
    va_end(args);
    return status;
}

carom_status error_add(error *e, carom_status status, const char *format, ...)
{
    va_list args;
    if (e->status == CAROM_OK) e->status = status;
    va_start(args, format);
    append(e, format, args);
    va_end(args);
    return status;
}

carom_status error_memory(error *e, const char *what, size_t bytes)
{
    return error_set(e, CAROM_INTERNAL, "error: out of memory: %s needs %.1f MB; use fewer particles or raise the limit",
                     what, (double)bytes / 1e6);
}

const char *error_text(const error *e)
{
    return e->text != NULL ? e->text : "";
}

void error_clear(error *e)
{
    drop_text(e);
    e->status = CAROM_OK;
}
