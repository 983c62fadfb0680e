/* The MSH format of Gmsh as text, versions 2.2 and 4.1: sections $Nodes and $Elements. Triangles and quadrangles are
 * read; points and lines, which mark parts of a geometry, are skipped. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/scan.h"

typedef struct tagged {
    uint64_t tag;
    uint32_t vertex;
} tagged;

typedef struct gmsh {
    scan *s;
    bool blocks; /* 4.1 */
    bool has_nodes, has_elements;
    tagged *nodes; /* [vertices]: by tag, after $Nodes */
    size_t node_count, node_room;
} gmsh;

static carom_status add_tag(gmsh *g, uint64_t tag, uint32_t vertex)
{
    if (g->node_count == g->node_room) {
        size_t room = g->node_room < 32 ? 64 : 2 * g->node_room;
        tagged *more = memory_resize(g->nodes, g->node_room, room, sizeof *more);
        if (more == NULL) return error_memory(g->s->e, "the nodes of a mesh", room * sizeof *more);
        g->nodes = more;
        g->node_room = room;
    }
    g->nodes[g->node_count++] = (tagged){tag, vertex};
    return CAROM_OK;
}

static int compare_tags(const void *left, const void *right)
{
    const tagged *a = left, *b = right;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static carom_status sort_tags(gmsh *g)
{
    if (g->node_count > 0) qsort(g->nodes, g->node_count, sizeof *g->nodes, compare_tags);
    for (size_t i = 1; i < g->node_count; i++)
        if (g->nodes[i].tag == g->nodes[i - 1].tag)
            return SCAN_FAULT(g->s, "two nodes have the number %llu", (unsigned long long)g->nodes[i].tag);
    return CAROM_OK;
}

static carom_status read_corner(gmsh *g, span *line, uint32_t *out)
{
    tagged key = {0};
    TRY(scan_count(g->s, line, "the number of a node", UINT64_MAX, &key.tag));
    const tagged *found = g->node_count > 0 ? bsearch(&key, g->nodes, g->node_count, sizeof key, compare_tags) : NULL;
    if (found == NULL) return SCAN_FAULT(g->s, "no node %llu", (unsigned long long)key.tag);
    *out = found->vertex;
    return CAROM_OK;
}

static carom_status read_tag(gmsh *g, span *line, uint32_t vertex)
{
    uint64_t tag;
    TRY(scan_count(g->s, line, "the number of a node", UINT64_MAX, &tag));
    return add_tag(g, tag, vertex);
}

/* "tag x y z" */
static carom_status read_plain_nodes(gmsh *g, span line)
{
    uint64_t count;
    TRY(scan_count(g->s, &line, "the number of nodes", UINT32_MAX - 1, &count));
    for (uint64_t i = 0; i < count && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "a node", &line));
        TRY(read_tag(g, &line, (uint32_t)g->s->m->vertex_count));
        TRY(scan_vertex(g->s, &line));
    }
    return CAROM_OK;
}

/* Each block contains the tags, then the positions. */
static carom_status read_node_block(gmsh *g, uint64_t count)
{
    span line;
    for (uint64_t i = 0; i < count && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "the number of a node", &line));
        TRY(read_tag(g, &line, (uint32_t)(g->s->m->vertex_count + i)));
    }
    for (uint64_t i = 0; i < count && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "a node", &line));
        TRY(scan_vertex(g->s, &line));
    }
    return CAROM_OK;
}

static carom_status read_block_nodes(gmsh *g, span line)
{
    uint64_t blocks, ignored, count;
    TRY(scan_count(g->s, &line, "the number of blocks", UINT32_MAX - 1, &blocks));
    for (uint64_t i = 0; i < blocks && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "a block of nodes", &line));
        for (int k = 0; k < 3; k++) TRY(scan_count(g->s, &line, "the head of a block", UINT64_MAX, &ignored));
        TRY(scan_count(g->s, &line, "the number of nodes", UINT32_MAX - 1, &count));
        TRY(read_node_block(g, count));
    }
    return CAROM_OK;
}

/* Number of corners of a type of element; 0: skipped. */
static carom_status corners_of(gmsh *g, uint64_t element, size_t *corners)
{
    *corners = element == 2 ? 3 : element == 3 ? 4 : 0;
    if (*corners > 0 || element == 1 || element == 15) return CAROM_OK;
    if (element >= 4 && element <= 7)
        return SCAN_FAULT(g->s, "%s", "this mesh has volume elements; save its surface only (gmsh -2)");
    return SCAN_FAULT(g->s,
                      "elements of type %llu cannot be read, only triangles and quadrangles of first order (gmsh -2 "
                      "-order 1)",
                      (unsigned long long)element);
}

static carom_status read_polygon(gmsh *g, span *line, size_t count)
{
    uint32_t corners[4];
    for (size_t k = 0; k < count; k++) TRY(read_corner(g, line, &corners[k]));
    mesh_add_polygon(g->s->m, corners, count);
    return scan_end(g->s, *line);
}

/* "number type tags... corners..." */
static carom_status read_plain_elements(gmsh *g, span line)
{
    uint64_t count, ignored, kind, tags;
    size_t corners;
    TRY(scan_count(g->s, &line, "the number of elements", UINT32_MAX - 1, &count));
    for (uint64_t i = 0; i < count && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "an element", &line));
        TRY(scan_count(g->s, &line, "the number of an element", UINT64_MAX, &ignored));
        TRY(scan_count(g->s, &line, "a type of element", UINT64_MAX, &kind));
        TRY(scan_count(g->s, &line, "the number of tags", UINT64_MAX, &tags));
        TRY(corners_of(g, kind, &corners));
        if (corners == 0) continue;
        for (uint64_t k = 0; k < tags; k++)
            if (span_word(&line).length == 0) return SCAN_FAULT(g->s, "%s", "the line ends where a tag should be");
        TRY(read_polygon(g, &line, corners));
    }
    return CAROM_OK;
}

static carom_status read_element_block(gmsh *g, uint64_t count, size_t corners)
{
    span line;
    uint64_t ignored;
    for (uint64_t i = 0; i < count && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "an element", &line));
        if (corners == 0) continue;
        TRY(scan_count(g->s, &line, "the number of an element", UINT64_MAX, &ignored));
        TRY(read_polygon(g, &line, corners));
    }
    return CAROM_OK;
}

static carom_status read_block_elements(gmsh *g, span line)
{
    uint64_t blocks, ignored, kind, count;
    size_t corners;
    TRY(scan_count(g->s, &line, "the number of blocks", UINT32_MAX - 1, &blocks));
    for (uint64_t i = 0; i < blocks && !g->s->m->failed; i++) {
        TRY(scan_need_line(g->s, "a block of elements", &line));
        for (int k = 0; k < 2; k++) TRY(scan_count(g->s, &line, "the head of a block", UINT64_MAX, &ignored));
        TRY(scan_count(g->s, &line, "a type of element", UINT64_MAX, &kind));
        TRY(scan_count(g->s, &line, "the number of elements", UINT32_MAX - 1, &count));
        TRY(corners_of(g, kind, &corners));
        TRY(read_element_block(g, count, corners));
    }
    return CAROM_OK;
}

/* ---- Sections ---- */

static carom_status need_end(gmsh *g, const char *end)
{
    span line;
    TRY(scan_need_line(g->s, end, &line));
    span word = span_word(&line);
    return span_is(word, end) ? CAROM_OK : SCAN_FAULT(g->s, "expected '%s', found '%s'", end, excerpt_of(word).text);
}

static carom_status skip_section(gmsh *g, span name)
{
    span line;
    while (lines_next(&g->s->text, &line)) {
        span word = span_word(&line);
        if (word.length == name.length + 3 && memcmp(word.start, "$End", 4) == 0 &&
            memcmp(word.start + 4, name.start + 1, name.length - 1) == 0)
            return CAROM_OK;
    }
    return SCAN_FAULT(g->s, "the section '%s' has no end; is the file complete?", excerpt_of(name).text);
}

static carom_status read_format(gmsh *g)
{
    span line;
    TRY(scan_need_line(g->s, "'$MeshFormat'", &line));
    if (!span_is(span_word(&line), "$MeshFormat"))
        return SCAN_FAULT(g->s, "%s", "not a Gmsh file: it does not begin with '$MeshFormat'");
    TRY(scan_need_line(g->s, "a version", &line));
    span version = span_word(&line), binary = span_word(&line);
    g->blocks = span_is(version, "4.1");
    if (!g->blocks && !span_is(version, "2.2"))
        return SCAN_FAULT(g->s, "version %s of the format cannot be read; save it as 2.2 or 4.1 (gmsh -format msh41)",
                          excerpt_of(version).text);
    if (!span_is(binary, "0"))
        return SCAN_FAULT(g->s, "%s", "binary Gmsh files cannot be read; save it as text (Mesh.Binary = 0)");
    return need_end(g, "$EndMeshFormat");
}

static carom_status read_nodes(gmsh *g)
{
    span line;
    if (g->has_nodes) return SCAN_FAULT(g->s, "%s", "a second section '$Nodes'");
    g->has_nodes = true;
    TRY(scan_need_line(g->s, "the number of nodes", &line));
    TRY(g->blocks ? read_block_nodes(g, line) : read_plain_nodes(g, line));
    if (g->s->m->failed) return CAROM_OK;
    TRY(need_end(g, "$EndNodes"));
    return sort_tags(g);
}

static carom_status read_elements(gmsh *g)
{
    span line;
    if (!g->has_nodes) return SCAN_FAULT(g->s, "%s", "'$Elements' before '$Nodes'");
    if (g->has_elements) return SCAN_FAULT(g->s, "%s", "a second section '$Elements'");
    g->has_elements = true;
    TRY(scan_need_line(g->s, "the number of elements", &line));
    TRY(g->blocks ? read_block_elements(g, line) : read_plain_elements(g, line));
    return g->s->m->failed ? CAROM_OK : need_end(g, "$EndElements");
}

static carom_status parse(gmsh *g)
{
    span line;
    TRY(read_format(g));
    while (!g->s->m->failed && scan_line(g->s, &line)) {
        span name = span_word(&line);
        if (name.start[0] != '$')
            return SCAN_FAULT(g->s, "expected a section ('$...'), found '%s'", excerpt_of(name).text);
        if (span_is(name, "$Nodes"))
            TRY(read_nodes(g));
        else if (span_is(name, "$Elements"))
            TRY(read_elements(g));
        else
            TRY(skip_section(g, name));
    }
    return CAROM_OK;
}

carom_status gmsh_parse(scan *s)
{
    gmsh g = {.s = s};
    carom_status status = parse(&g);
    memory_free(g.nodes);
    return status;
}
