#include "mesh/scan.h"

#include <string.h>

#include "base/memory.h"
#include "base/number.h"

bool scan_line(scan *s, span *line)
{
    while (lines_next(&s->text, line)) {
        const char *comment = memchr(line->start, '#', line->length);
        if (comment != NULL) line->length = (size_t)(comment - line->start);
        span rest = *line;
        if (span_word(&rest).length > 0) return true;
    }
    return false;
}

carom_status scan_need_line(scan *s, const char *what, span *line)
{
    return scan_line(s, line) ? CAROM_OK : SCAN_FAULT(s, "the file ends where %s should be; is it complete?", what);
}

carom_status scan_real(scan *s, span *line, const char *what, double *out)
{
    span word = span_word(line);
    if (word.length == 0) return SCAN_FAULT(s, "the line ends where %s should be", what);
    number_fault fault = number_read(word.start, word.length, out, NULL);
    if (fault == NUMBER_OK) return CAROM_OK;
    return SCAN_FAULT(s, "%s: '%s' is %s", what, excerpt_of(word).text,
                      fault == NUMBER_TOO_LARGE   ? "too large"
                      : fault == NUMBER_TOO_SMALL ? "too small"
                                                  : "no number");
}

carom_status scan_count(scan *s, span *line, const char *what, uint64_t most, uint64_t *out)
{
    span word = span_word(line);
    if (word.length == 0) return SCAN_FAULT(s, "the line ends where %s should be", what);
    if (number_read_count(word.start, word.length, out, NULL) != NUMBER_OK)
        return SCAN_FAULT(s, "expected %s, found '%s'", what, excerpt_of(word).text);
    if (*out <= most) return CAROM_OK;
    return SCAN_FAULT(s, "%s is %s, expected at most %llu", what, excerpt_of(word).text, (unsigned long long)most);
}

carom_status scan_vertex(scan *s, span *line)
{
    double r[3];
    static const char *const axes[3] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) TRY(scan_real(s, line, axes[k], &r[k]));
    mesh_add_vertex(s->m, r[0], r[1], r[2]);
    return CAROM_OK;
}

carom_status scan_end(scan *s, span line)
{
    span word = span_word(&line);
    return word.length == 0 ? CAROM_OK
                            : SCAN_FAULT(s, "'%s' is unexpected at the end of this line", excerpt_of(word).text);
}

carom_status polygon_add(polygon *p, uint32_t corner, error *e)
{
    if (p->count == p->room) {
        size_t room = p->room < 8 ? 16 : 2 * p->room;
        uint32_t *more = memory_resize(p->corners, p->room, room, sizeof *more);
        if (more == NULL) return error_memory(e, "a polygon", room * sizeof *more);
        p->corners = more;
        p->room = room;
    }
    p->corners[p->count++] = corner;
    return CAROM_OK;
}
