#include "base/lines.h"

#include <string.h>

lines lines_begin(const char *text, size_t length)
{
    size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return (lines){text + mark, text + length, 0};
}

bool lines_next(lines *l, span *line)
{
    if (l->at == l->end) return false;
    const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
    const char *last = stop != NULL ? stop : l->end;
    *line = (span){l->at, (size_t)(last - l->at)};
    if (line->length > 0 && line->start[line->length - 1] == '\r') line->length--;
    l->at = stop != NULL ? stop + 1 : l->end;
    l->number++;
    return true;
}

bool span_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

span span_word(span *line)
{
    const char *p = line->start, *end = p + line->length;
    while (p < end && span_is_blank(*p)) p++;
    span word = {p, 0};
    while (p < end && !span_is_blank(*p)) p++;
    word.length = (size_t)(p - word.start);
    *line = (span){p, (size_t)(end - p)};
    return word;
}

bool span_is(span s, const char *text)
{
    return strlen(text) == s.length && memcmp(text, s.start, s.length) == 0;
}

excerpt excerpt_of(span s)
{
    excerpt out = {{0}};
    size_t most = sizeof out.text - 4, n = s.length < most ? s.length : most;
    for (size_t i = 0; i < n; i++) out.text[i] = s.start[i] >= ' ' && s.start[i] <= '~' ? s.start[i] : '?';
    if (n < s.length) memcpy(out.text + n, "...", 3);
    return out;
}
