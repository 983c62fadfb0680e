/* STL: triangles with the positions of their corners, as text or binary (80 bytes, the number of triangles, 50 bytes
 * each). Corners at exactly the same position become one vertex; normals are skipped. */
#include <math.h>
#include <string.h>

#include "mesh/bytes.h"
#include "mesh/scan.h"
#include "mesh/weld.h"

enum { HEADER = 84, FACET = 50 };

static carom_status need_words(scan *s, span *line, const char *first, const char *second, const char *what)
{
    span one = span_word(line), two = second != NULL ? span_word(line) : (span){NULL, 0};
    if (span_is(one, first) && (second == NULL || span_is(two, second))) return CAROM_OK;
    return SCAN_FAULT(s, "expected '%s', found '%s'", what, excerpt_of(one).text);
}

static carom_status read_corner(scan *s, weld *w, uint32_t *out)
{
    static const char *const axes[3] = {"x", "y", "z"};
    span line;
    double r[3];
    TRY(scan_need_line(s, "'vertex'", &line));
    TRY(need_words(s, &line, "vertex", NULL, "vertex"));
    for (int k = 0; k < 3; k++) TRY(scan_real(s, &line, axes[k], &r[k]));
    TRY(scan_end(s, line));
    *out = weld_vertex(w, s->m, r);
    return CAROM_OK;
}

/* After "facet ...". */
static carom_status read_facet(scan *s, weld *w)
{
    span line;
    uint32_t corners[3] = {0};
    TRY(scan_need_line(s, "'outer loop'", &line));
    TRY(need_words(s, &line, "outer", "loop", "outer loop"));
    for (int k = 0; k < 3; k++) TRY(read_corner(s, w, &corners[k]));
    TRY(scan_need_line(s, "'endloop'", &line));
    TRY(need_words(s, &line, "endloop", NULL, "endloop"));
    TRY(scan_need_line(s, "'endfacet'", &line));
    TRY(need_words(s, &line, "endfacet", NULL, "endfacet"));
    mesh_add_triangle(s->m, corners[0], corners[1], corners[2]);
    return CAROM_OK;
}

static carom_status parse_text(scan *s, weld *w)
{
    span line;
    bool open = false;
    while (!s->m->failed && scan_line(s, &line)) {
        span word = span_word(&line);
        bool begins = span_is(word, "solid");
        if (begins ? open : !open)
            return SCAN_FAULT(s, "expected '%s', found '%s'", open ? "facet or endsolid" : "solid",
                              excerpt_of(word).text);
        if (begins)
            open = true;
        else if (span_is(word, "endsolid"))
            open = false;
        else if (span_is(word, "facet"))
            TRY(read_facet(s, w));
        else
            return SCAN_FAULT(s, "expected 'facet' or 'endsolid', found '%s'", excerpt_of(word).text);
    }
    if (open && !s->m->failed) return SCAN_FAULT(s, "%s", "the file ends without 'endsolid'; is it complete?");
    return CAROM_OK;
}

static carom_status parse_binary(scan *s, weld *w, size_t count)
{
    const char *facet = s->text.at + HEADER;
    for (size_t i = 0; i < count && !s->m->failed; i++, facet += FACET) {
        uint32_t corners[3];
        for (int c = 0; c < 3; c++) {
            double r[3];
            for (int k = 0; k < 3; k++) {
                r[k] = bytes_float(facet + 12 + 12 * c + 4 * k, false);
                if (!isfinite(r[k])) return SCAN_FILE_FAULT(s, "triangle %zu has a corner that is not finite", i);
            }
            corners[c] = weld_vertex(w, s->m, r);
        }
        mesh_add_triangle(s->m, corners[0], corners[1], corners[2]);
    }
    return CAROM_OK;
}

static bool says_solid(const scan *s)
{
    span text = {s->text.at, (size_t)(s->text.end - s->text.at)};
    while (text.length > 0 && (span_is_blank(*text.start) || *text.start == '\n' || *text.start == '\r'))
        text = (span){text.start + 1, text.length - 1};
    return text.length >= 5 && memcmp(text.start, "solid", 5) == 0;
}

/* Binary files may begin with "solid" as well; the file length distinguishes the two formats. */
carom_status stl_parse(scan *s)
{
    weld w = {0};
    const size_t length = (size_t)(s->text.end - s->text.at);
    const uint64_t count = length >= HEADER ? bytes_unsigned(s->text.at + HEADER - 4, 4, false) : 0;
    carom_status status;
    if (length >= HEADER && length == HEADER + FACET * count)
        status = parse_binary(s, &w, (size_t)count);
    else if (says_solid(s))
        status = parse_text(s, &w);
    else if (length < HEADER)
        status = SCAN_FILE_FAULT(s, "%s", "not an STL file: it is too short, and does not begin with 'solid'");
    else
        status = SCAN_FILE_FAULT(
            s, "the header of this binary STL announces %llu triangles, %llu bytes, but the file has %zu",
            (unsigned long long)count, (unsigned long long)(HEADER + FACET * count), length);
    weld_free(&w);
    return status;
}
