#include "scene/language/text_check.h"

#include <string.h>

typedef struct scan {
    const unsigned char *c, *end;
    uint32_t line, column;
    bool indenting; /* only blanks so far on this line */
    uint32_t tab;   /* column of the first tab in the indentation; 0: none */
} scan;

/* Reads one character; 0xffffffff if the bytes are not UTF-8. */
static uint32_t decode(scan *s)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = *s->c;
    size_t length = lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : 2;
    if (length > 1 && (lead < 0xc2 || lead > 0xf4)) return UINT32_MAX;
    if ((size_t)(s->end - s->c) < length) return UINT32_MAX;
    uint32_t value = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s->c[i] & 0xc0) != 0x80) return UINT32_MAX;
        value = value << 6 | (s->c[i] & 0x3f);
    }
    if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return UINT32_MAX;
    s->c += length;
    return value;
}

static bool is_break(uint32_t value)
{
    return value == '\n' || value == '\r';
}

static void next_line(scan *s, uint32_t value)
{
    if (value == '\r' && s->c < s->end && *s->c == '\n') s->c++;
    s->line++;
    s->column = 1;
    s->indenting = true;
    s->tab = 0;
}

/* Characters not permitted in YAML: control characters, and line breaks that editors do not count. */
static bool is_control(uint32_t value)
{
    return (value < ' ' && value != '\t') || (value >= 0x7f && value < 0xa0) || value == 0x2028 || value == 0x2029 ||
           value == 0xfeff || value == 0xfffe || value == 0xffff;
}

static void note_indentation(scan *s, uint32_t value, faults *f, uint16_t source)
{
    if (value == '\t' && s->tab == 0) s->tab = s->column;
    if (value == ' ' || value == '\t') return;
    s->indenting = false;
    if (s->tab != 0 && value != '#')
        fault_add_place(f, source, s->line, s->tab, "a tab indents this line; YAML is indented with spaces");
}

bool text_check(const tree *t, faults *f, uint16_t source)
{
    const tree_source *text = &t->sources[source];
    const unsigned char *start = (const unsigned char *)text->text;
    scan s = {start, start + text->length, 1, 1, true, 0};
    size_t before = f->count;
    if (text->length >= 2 && (memcmp(start, "\xff\xfe", 2) == 0 || memcmp(start, "\xfe\xff", 2) == 0)) {
        fault_add_hidden(f, source, 1, 1, "this is UTF-16" HINT "save the scene as UTF-8");
        return false;
    }
    if (memchr(start, 0, text->length) != NULL) {
        fault_add_hidden(f, source, 1, 1, "this is binary data, not a scene");
        return false;
    }
    while (s.c < s.end) {
        uint32_t value = decode(&s);
        if (value == UINT32_MAX) {
            fault_add_hidden(f, source, s.line, s.column, "not UTF-8 from here on; is this a scene? Save it as UTF-8");
            return false;
        }
        if (is_break(value)) {
            next_line(&s, value);
            continue;
        }
        if (is_control(value)) {
            fault_add_hidden(f, source, s.line, s.column, "the control character U+%04X; is this a scene?", value);
            return false;
        }
        if (s.indenting) note_indentation(&s, value, f, source);
        s.column++;
    }
    return f->count == before;
}
