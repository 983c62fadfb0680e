/* Wavefront OBJ: lines "v x y z" and "f i j k ...", where i may be i/texture/normal, and counts from 1 or, negative,
 * back from the last vertex. */
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "mesh/scan.h"

/* Keywords that are skipped. */
static const char *const passed_over[] = {"vt",       "vn",     "vp",     "g",          "o",        "s",     "mg",
                                          "usemtl",   "mtllib", "usemap", "maplib",     "lod",      "bevel", "c_interp",
                                          "d_interp", "l",      "p",      "shadow_obj", "trace_obj"};

static bool is_passed_over(span word)
{
    for (size_t i = 0; i < sizeof passed_over / sizeof *passed_over; i++)
        if (span_is(word, passed_over[i])) return true;
    return false;
}

static carom_status read_corner(scan *s, span word, uint32_t *out)
{
    const char *slash = memchr(word.start, '/', word.length);
    span number = {word.start, slash != NULL ? (size_t)(slash - word.start) : word.length};
    bool back = number.length > 0 && number.start[0] == '-';
    uint64_t index, count = s->m->vertex_count;
    if (back) number = (span){number.start + 1, number.length - 1};
    if (number_read_count(number.start, number.length, &index, NULL) != NUMBER_OK || index == 0)
        return SCAN_FAULT(s, "expected the number of a vertex, from 1, found '%s'", excerpt_of(word).text);
    if (index > count)
        return SCAN_FAULT(s, "no vertex %s%llu: there are %llu above this line", back ? "-" : "",
                          (unsigned long long)index, (unsigned long long)count);
    *out = (uint32_t)(back ? count - index : index - 1);
    return CAROM_OK;
}

static carom_status read_face(scan *s, span line, polygon *face)
{
    face->count = 0;
    for (span word = span_word(&line); word.length > 0; word = span_word(&line)) {
        uint32_t corner = 0;
        TRY(read_corner(s, word, &corner));
        TRY(polygon_add(face, corner, s->e));
    }
    if (face->count < 3) return SCAN_FAULT(s, "a face of %zu vertices; a face needs at least three", face->count);
    mesh_add_polygon(s->m, face->corners, face->count);
    return CAROM_OK;
}

static carom_status read_line(scan *s, span line, polygon *face)
{
    span word = span_word(&line);
    if (line.length > 0 && line.start[line.length - 1] == '\\')
        return SCAN_FAULT(s, "%s", "this line continues on the next ('\\'); join the two");
    if (span_is(word, "v")) return scan_vertex(s, &line); /* a weight or a colour may follow */
    if (span_is(word, "f")) return read_face(s, line, face);
    if (is_passed_over(word)) return CAROM_OK;
    return SCAN_FAULT(s, "unknown keyword '%s'; only polygons can be read (v, f), no curves or surfaces",
                      excerpt_of(word).text);
}

carom_status obj_parse(scan *s)
{
    polygon face = {0};
    span line;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && !s->m->failed && scan_line(s, &line)) status = read_line(s, line, &face);
    memory_free(face.corners);
    return status;
}
