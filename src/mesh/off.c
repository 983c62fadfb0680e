/* OFF: the word OFF, the numbers of vertices, faces and edges, then one line for each vertex and one for each face
 * ("3 i j k", from 0). */
#include "base/memory.h"
#include "mesh/scan.h"

static carom_status read_header(scan *s, span *line)
{
    TRY(scan_need_line(s, "'OFF'", line));
    span word = span_word(line);
    /* With colours or normals, which follow the position. */
    if (!span_is(word, "OFF") && !span_is(word, "COFF") && !span_is(word, "NOFF") && !span_is(word, "CNOFF"))
        return SCAN_FAULT(s, "expected 'OFF' (or COFF, NOFF), found '%s'", excerpt_of(word).text);
    span rest = *line, next = span_word(&rest);
    if (span_is(next, "BINARY")) return SCAN_FAULT(s, "%s", "binary OFF cannot be read; save it as text, or as PLY");
    return next.length > 0 ? CAROM_OK : scan_need_line(s, "the numbers of vertices and faces", line);
}

static carom_status read_face(scan *s, span line, polygon *face)
{
    uint64_t size, corner = 0;
    face->count = 0;
    TRY(scan_count(s, &line, "the number of corners", UINT32_MAX, &size));
    if (size < 3)
        return SCAN_FAULT(s, "a face of %llu vertices; a face needs at least three", (unsigned long long)size);
    for (uint64_t i = 0; i < size; i++) {
        TRY(scan_count(s, &line, "the number of a vertex", s->m->vertex_count - 1, &corner));
        TRY(polygon_add(face, (uint32_t)corner, s->e));
    }
    mesh_add_polygon(s->m, face->corners, face->count);
    return CAROM_OK;
}

static carom_status read_faces(scan *s, uint64_t count, polygon *face)
{
    span line;
    for (uint64_t i = 0; i < count && !s->m->failed; i++) {
        TRY(scan_need_line(s, "a face", &line));
        TRY(read_face(s, line, face));
    }
    return CAROM_OK;
}

carom_status off_parse(scan *s)
{
    polygon face = {0};
    span line;
    uint64_t vertices, faces;
    TRY(read_header(s, &line));
    TRY(scan_count(s, &line, "the number of vertices", UINT32_MAX - 1, &vertices));
    TRY(scan_count(s, &line, "the number of faces", UINT32_MAX - 1, &faces));
    if (vertices == 0) return SCAN_FAULT(s, "%s", "no vertices");
    for (uint64_t i = 0; i < vertices && !s->m->failed; i++) {
        TRY(scan_need_line(s, "a vertex", &line));
        TRY(scan_vertex(s, &line));
    }
    if (s->m->failed) return CAROM_OK;
    carom_status status = read_faces(s, faces, &face);
    memory_free(face.corners);
    if (status == CAROM_OK && !s->m->failed && scan_line(s, &line))
        status = SCAN_FAULT(s, "%s", "the file continues after its last face");
    return status;
}
