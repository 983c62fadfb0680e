#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

static bool make_room(text_buffer *t, size_t more)
{
    if (t->failed) return false;
    if (t->capacity - t->length > more) return true;
    size_t capacity = t->capacity < 128 ? 128 : t->capacity;
    while (capacity - t->length <= more) {
        if (capacity > (size_t)-1 / 4) {
            t->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *bigger = memory_resize(t->data, t->capacity, capacity, 1);
    t->failed = bigger == NULL;
    if (t->failed) return false;
    t->data = bigger;
    t->capacity = capacity;
    return true;
}

void text_add_bytes(text_buffer *t, const char *bytes, size_t length)
{
    if (!make_room(t, length)) return;
    memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_add(text_buffer *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || !make_room(t, (size_t)length)) return;
    va_start(args, format);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

void text_add_number(text_buffer *t, double value)
{
    char digits[NUMBER_SIZE];
    text_add_bytes(t, digits, number_write(digits, value));
}

void text_add_rounded(text_buffer *t, double value, int digits)
{
    char text[NUMBER_SIZE];
    if (snprintf(text, sizeof text, "%.*e", digits - 1, value) < NUMBER_SIZE) value = strtod(text, NULL);
    text_add_number(t, value);
}

void text_free(text_buffer *t)
{
    memory_free(t->data);
    *t = (text_buffer){0};
}

bool text_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), more = strlen(ending);
    return length > more && strcmp(text + length - more, ending) == 0;
}

size_t text_character(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t length = s[0] < 0x80                   ? 1
                          : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                          : (s[0] & 0xf0) == 0xe0       ? 3
                          : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t k = 1; k < length; k++)
        if ((s[k] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;
    if (s[0] == 0xed && s[1] >= 0xa0) return 0;
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;
    if (s[0] == 0xf4 && s[1] >= 0x90) return 0;
    return length;
}

void text_add_json(text_buffer *t, const char *text, size_t length)
{
    text_add_bytes(t, "\"", 1);
    for (size_t i = 0, size = 1; i < length; i += size) {
        const unsigned char c = (unsigned char)text[i];
        const size_t whole = text_character(text + i);
        const bool valid = whole > 0 && whole <= length - i;
        size = valid ? whole : 1;
        if (c < ' ' || c == 0x7f)
            text_add(t, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            text_add(t, "\\%c", c);
        else
            text_add_bytes(t, valid ? text + i : "?", size);
    }
    text_add_bytes(t, "\"", 1);
}
