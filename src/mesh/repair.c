#include "mesh/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/topology.h"
#include "mesh/weld.h"
#include "mesh/weld_near.h"

/* ---- welding ----------------------------------------------------------------------------------------------------- */

/* The corners of a triangle in ascending order, and its index. */
typedef struct corners {
    uint32_t corner[3], triangle;
} corners;

static int compare_corners(const void *left, const void *right)
{
    const corners *a = left, *b = right;
    for (int k = 0; k < 3; k++)
        if (a->corner[k] != b->corner[k]) return a->corner[k] < b->corner[k] ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

static corners sorted_corners(const mesh *m, uint32_t triangle)
{
    corners c = {.triangle = triangle};
    memcpy(c.corner, m->triangles[triangle], sizeof c.corner);
    for (int k = 0; k < 3; k++) {
        const int a = k == 1 ? 1 : 0;
        if (c.corner[a] <= c.corner[a + 1]) continue;
        const uint32_t swap = c.corner[a];
        c.corner[a] = c.corner[a + 1];
        c.corner[a + 1] = swap;
    }
    return c;
}

static bool is_point_or_line(const uint32_t corner[3])
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

/* Triangles of zero area, and duplicates. */
static carom_status drop_triangles(mesh *m, mesh_repaired *done, error *e)
{
    corners *all = NEW_ARRAY(m->triangle_count, corners);
    bool *gone = NEW_ARRAY(m->triangle_count, bool);
    carom_status status = CAROM_OK;
    if (all == NULL || gone == NULL) {
        status = error_memory(e, "a repair of a mesh", m->triangle_count * sizeof *all);
    } else {
        size_t kept = 0;
        for (size_t n = 0; n < m->triangle_count; n++) {
            all[n] = sorted_corners(m, (uint32_t)n);
            gone[n] = is_point_or_line(m->triangles[n]) || !mesh_has_area(m, n);
        }
        qsort(all, m->triangle_count, sizeof *all, compare_corners);
        for (size_t n = 1; n < m->triangle_count; n++)
            if (memcmp(all[n].corner, all[n - 1].corner, sizeof all->corner) == 0) gone[all[n].triangle] = true;
        for (size_t n = 0; n < m->triangle_count; n++) {
            if (gone[n])
                done->dropped_triangles++;
            else
                memmove(m->triangles[kept++], m->triangles[n], sizeof *m->triangles);
        }
        m->triangle_count = kept;
    }
    memory_free(all);
    memory_free(gone);
    return status;
}

/* Removes vertices; others[i] is i, or the vertex that replaces it. */
static carom_status renumber(mesh *m, const bool *gone, const uint32_t *others, error *e)
{
    uint32_t *number = NEW_ARRAY(m->vertex_count, uint32_t);
    size_t kept = 0;
    if (number == NULL) return error_memory(e, "a repair of a mesh", m->vertex_count * sizeof *number);
    for (size_t i = 0; i < m->vertex_count; i++) {
        if (gone[i]) continue;
        number[i] = (uint32_t)kept;
        memmove(m->vertices[kept++], m->vertices[i], sizeof *m->vertices);
    }
    for (size_t n = 0; n < 3 * m->triangle_count; n++) {
        uint32_t *corner = &m->triangles[n / 3][n % 3];
        *corner = number[others != NULL ? others[*corner] : *corner];
    }
    m->vertex_count = kept;
    memory_free(number);
    return CAROM_OK;
}

/* others[i]: the first vertex with the position of vertex i. */
static carom_status find_same(mesh *m, uint32_t *others, error *e)
{
    weld places = {0};
    for (size_t i = 0; i < m->vertex_count && !m->failed; i++) {
        const uint32_t first = weld_find(&places, m, m->vertices[i]);
        others[i] = first != MESH_NONE ? first : (uint32_t)i;
        if (first == MESH_NONE) weld_tell(&places, m, (uint32_t)i);
    }
    weld_free(&places);
    return mesh_done(m, e);
}

static carom_status weld_vertices(mesh *m, double within, mesh_repaired *done, error *e)
{
    bool *gone = NEW_ARRAY(m->vertex_count, bool);
    uint32_t *others = NEW_ARRAY(m->vertex_count, uint32_t);
    carom_status status = CAROM_OK;
    if (gone == NULL || others == NULL)
        status = error_memory(e, "a repair of a mesh", m->vertex_count * sizeof *others);
    else
        status = within > 0 ? weld_near(m, within, others, e) : find_same(m, others, e);
    for (size_t i = 0; status == CAROM_OK && i < m->vertex_count; i++) {
        gone[i] = others[i] != i;
        done->welded += gone[i];
    }
    if (status == CAROM_OK) status = renumber(m, gone, others, e);
    memory_free(gone);
    memory_free(others);
    return status == CAROM_OK ? drop_triangles(m, done, e) : status;
}

static carom_status drop_unused(mesh *m, mesh_repaired *done, error *e)
{
    bool *gone = NEW_ARRAY(m->vertex_count, bool);
    if (gone == NULL) return error_memory(e, "a repair of a mesh", m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++) gone[i] = true;
    for (size_t n = 0; n < 3 * m->triangle_count; n++) gone[m->triangles[n / 3][n % 3]] = false;
    for (size_t i = 0; i < m->vertex_count; i++) done->dropped_vertices += gone[i];
    const carom_status status = renumber(m, gone, NULL, e);
    memory_free(gone);
    return status;
}

/* ---- orientation ------------------------------------------------------------------------------------------------- */

/* Whether triangle n runs along the edge from its smaller vertex. */
static bool runs_along(const mesh *m, const mesh_edge *edge, uint32_t n)
{
    const uint32_t *t = m->triangles[n];
    for (int k = 0; k < 3; k++)
        if (t[k] == edge->vertex[0]) return t[(k + 1) % 3] == edge->vertex[1];
    return false;
}

typedef struct sides {
    uint32_t (*neighbour)[3]; /* [triangles]: the triangle across each edge of two triangles; MESH_NONE */
    bool (*differs)[3];       /* it has the opposite orientation */
    uint32_t *queue;
    bool *seen, *turned;
} sides;

static void find_neighbours(sides *s, const mesh *m, const mesh_topology *t, uint32_t *first)
{
    for (size_t n = 0; n < t->edge_count; n++) first[n] = MESH_NONE;
    for (uint32_t n = 0; n < m->triangle_count; n++)
        for (int k = 0; k < 3; k++) {
            const uint32_t edge = t->triangle_edges[n][k];
            s->neighbour[n][k] = MESH_NONE;
            if (t->edges[edge].uses != 2) continue;
            const uint32_t other = first[edge];
            first[edge] = n;
            if (other == MESH_NONE || other == n) continue;
            const bool differs = runs_along(m, &t->edges[edge], n) == runs_along(m, &t->edges[edge], other);
            int l = 0;
            while (t->triangle_edges[other][l] != edge) l++;
            s->neighbour[n][k] = other;
            s->neighbour[other][l] = n;
            s->differs[n][k] = s->differs[other][l] = differs;
        }
}

/* Follows a surface from triangle `start`; the triangles in the minority are reversed. */
static void turn_surface(sides *s, mesh *m, uint32_t start, mesh_repaired *done)
{
    size_t count = 0, turned = 0;
    s->queue[count++] = start;
    s->seen[start] = true;
    for (size_t at = 0; at < count; at++) {
        const uint32_t n = s->queue[at];
        turned += s->turned[n];
        for (int k = 0; k < 3; k++) {
            const uint32_t next = s->neighbour[n][k];
            if (next == MESH_NONE || s->seen[next]) continue;
            s->seen[next] = true;
            s->turned[next] = s->turned[n] != s->differs[n][k];
            s->queue[count++] = next;
        }
    }
    const bool fewer = 2 * turned <= count;
    for (size_t at = 0; at < count; at++) {
        uint32_t *t = m->triangles[s->queue[at]];
        if (s->turned[s->queue[at]] != fewer) continue;
        const uint32_t swap = t[1];
        t[1] = t[2];
        t[2] = swap;
        done->turned++;
    }
}

static carom_status orient(mesh *m, mesh_repaired *done, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    sides s = {.neighbour = memory_new(m->triangle_count, sizeof *s.neighbour),
               .differs = memory_new(m->triangle_count, sizeof *s.differs),
               .queue = NEW_ARRAY(m->triangle_count, uint32_t),
               .seen = NEW_ARRAY(m->triangle_count, bool),
               .turned = NEW_ARRAY(m->triangle_count, bool)};
    uint32_t *first = NEW_ARRAY(t.edge_count, uint32_t);
    carom_status status = CAROM_OK;
    if (s.neighbour == NULL || s.differs == NULL || s.queue == NULL || s.seen == NULL || s.turned == NULL ||
        first == NULL) {
        status = error_memory(e, "a repair of a mesh", m->triangle_count * sizeof *s.neighbour);
    } else {
        find_neighbours(&s, m, &t, first);
        for (uint32_t n = 0; n < m->triangle_count; n++)
            if (!s.seen[n]) turn_surface(&s, m, n, done);
    }
    memory_free(s.neighbour);
    memory_free(s.differs);
    memory_free(s.queue);
    memory_free(s.seen);
    memory_free(s.turned);
    memory_free(first);
    mesh_topology_free(&t);
    return status;
}

/* ---- holes ------------------------------------------------------------------------------------------------------- */

/* next[v]: next vertex of the boundary after v, against the orientation of its triangles; MESH_NONE: none, or not
 * unique. */
static void follow_boundary(const mesh *m, const mesh_topology *t, uint32_t *next)
{
    for (size_t i = 0; i < m->vertex_count; i++) next[i] = MESH_NONE;
    for (size_t n = 0; n < t->edge_count; n++) {
        const mesh_edge *edge = &t->edges[n];
        if (edge->uses != 1) continue;
        const bool along = edge->left != MESH_NONE; /* the new triangle runs along the edge in the opposite direction */
        const uint32_t from = edge->vertex[along ? 1 : 0], to = edge->vertex[along ? 0 : 1];
        next[from] = next[from] == MESH_NONE ? to : from; /* marked: two boundaries touch here */
    }
}

/* The vertices of a boundary from `start`; 0 if it is not closed. Removes it from `next`. */
static size_t take_loop(uint32_t *next, uint32_t start, uint32_t *loop)
{
    size_t count = 0;
    uint32_t at = start;
    while (at != MESH_NONE) {
        const uint32_t to = next[at];
        if (to == at) return 0;
        next[at] = MESH_NONE;
        loop[count++] = at;
        if (to == start) return count;
        at = to;
    }
    return 0;
}

static void fill_loop(mesh *m, const uint32_t *loop, size_t count, mesh_repaired *done)
{
    double middle[3] = {0};
    done->holes++;
    done->added_triangles += count == 3 ? 1 : count;
    if (count == 3) {
        mesh_add_triangle(m, loop[0], loop[1], loop[2]);
        return;
    }
    for (size_t n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) middle[k] += m->vertices[loop[n]][k] / (double)count;
    const uint32_t centre = mesh_add_vertex(m, middle[0], middle[1], middle[2]);
    for (size_t n = 0; n < count; n++) mesh_add_triangle(m, loop[n], loop[(n + 1) % count], centre);
}

static carom_status fill(mesh *m, mesh_repaired *done, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    const size_t vertices = m->vertex_count;
    uint32_t *next = NEW_ARRAY(vertices, uint32_t), *loop = NEW_ARRAY(vertices, uint32_t);
    carom_status status = CAROM_OK;
    if (next == NULL || loop == NULL) {
        status = error_memory(e, "a repair of a mesh", vertices * sizeof *next);
    } else {
        follow_boundary(m, &t, next);
        for (uint32_t i = 0; i < vertices && !m->failed; i++) {
            const size_t count = take_loop(next, i, loop);
            if (count >= 3) fill_loop(m, loop, count, done);
        }
        status = mesh_done(m, e);
    }
    memory_free(next);
    memory_free(loop);
    mesh_topology_free(&t);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

carom_status mesh_mend(mesh *m, unsigned repairs, double within, mesh_repaired *done, error *e)
{
    *done = (mesh_repaired){0};
    if (repairs & MESH_WELD) TRY(weld_vertices(m, within, done, e));
    if (repairs & MESH_DROP_UNUSED) TRY(drop_unused(m, done, e));
    if (repairs & MESH_ORIENT) TRY(orient(m, done, e));
    if (repairs & MESH_FILL) TRY(fill(m, done, e));
    return CAROM_OK;
}

void mesh_repaired_text(const mesh_repaired *done, char *out, size_t length)
{
    const struct {
        uint64_t count;
        const char *one, *many;
    } parts[] = {{done->welded, "vertex welded", "vertices welded"},
                 {done->dropped_triangles, "triangle dropped", "triangles dropped"},
                 {done->dropped_vertices, "vertex dropped", "vertices dropped"},
                 {done->turned, "triangle turned", "triangles turned"},
                 {done->holes, "hole filled", "holes filled"},
                 {done->added_triangles, "triangle added", "triangles added"}};
    size_t used = 0;
    snprintf(out, length, "nothing to repair");
    for (size_t k = 0; k < sizeof parts / sizeof *parts && used < length; k++)
        if (parts[k].count > 0)
            used += (size_t)snprintf(out + used, length - used, "%s%llu %s", used > 0 ? ", " : "",
                                     (unsigned long long)parts[k].count,
                                     parts[k].count == 1 ? parts[k].one : parts[k].many);
}
