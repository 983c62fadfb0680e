/* Segments in the grid of reference positions. A segment has entries in all cells of the box around its ends, wider
 * by the largest radius, its own and the skin. A node therefore needs the segments of its own cell only. Also the
 * search of edges and faces of meshes, which have a grid of their own, in this grid. */
#include "variational/kernel/broad/origins.h"

#include "variational/kernel/schedule/nominal.h"

#include "base/memory.h"

/* Cells from `low`, `count` along each axis, wrapped if the box is periodic. */
typedef struct cell_span {
    int32_t low[3], count[3];
} cell_span;

/* Cells of the box around the reference positions of an element's ends. */
static cell_span span_of(const world *w, const grid *n, uint32_t element, double wider)
{
    cell_span s = {{0, 0, 0}, {1, 1, 1}};
    double low[DIM], high[DIM];
    origin_box(w, n, element, low, high);
    for (int k = 0; k < DIM; k++) {
        low[k] -= wider;
        high[k] += wider;
        s.low[k] = grid_cell_along(n, k, low[k]);
        if (n->wraps[k])
            s.count[k] = (int32_t)lesser(floor((high[k] - low[k]) * n->per_length[k]) + 2, n->cells[k]);
        else
            s.count[k] = grid_cell_along(n, k, high[k]) - s.low[k] + 1;
    }
    return s;
}

static size_t cell_of(const grid *n, const cell_span *s, const int32_t at[3])
{
    size_t cell = 0;
    for (int k = 0; k < DIM; k++) cell = cell * n->cells[k] + (size_t)((s->low[k] + at[k]) % (int32_t)n->cells[k]);
    return cell;
}

#define FOR_CELLS(at, s)                                                                                               \
    for (int32_t at[3] = {0, 0, 0}; at[0] < (s).count[0]; at[0]++)                                                     \
        for (at[1] = 0; at[1] < (s).count[1]; at[1]++)                                                                 \
            for (at[2] = 0; at[2] < (s).count[2]; at[2]++)

static bool enter_cell(grid *n, uint32_t *head, uint32_t element)
{
    uint32_t place = n->crossing_free;
    if (place != NONE) {
        n->crossing_free = n->crossing[place].next;
    } else {
        if (n->crossing_count == n->crossing_capacity) {
            uint32_t capacity = n->crossing_capacity > 0 ? 2 * n->crossing_capacity : 64;
            crossing *more = memory_resize(n->crossing, n->crossing_capacity, capacity, sizeof *more);
            if (more == NULL) return false;
            n->crossing = more;
            n->crossing_capacity = capacity;
        }
        place = n->crossing_count++;
    }
    n->crossing[place] = (crossing){element, *head};
    *head = place;
    return true;
}

static void take_out_of_cell(grid *n, uint32_t *head, uint32_t element)
{
    uint32_t *at = head;
    while (n->crossing[*at].element != element) at = &n->crossing[*at].next;
    uint32_t place = *at;
    *at = n->crossing[place].next;
    n->crossing[place].next = n->crossing_free;
    n->crossing_free = place;
}

/* Records the segments with entries in these cells and near the element. */
static void search_crossings(const world *w, grid *n, found_set *f, uint32_t i, const cell_span *s)
{
    uint32_t seen = ++n->marks;
    FOR_CELLS(at, *s)
    {
        for (uint32_t p = n->crossed[cell_of(n, s, at)]; p != NONE; p = n->crossing[p].next) {
            uint32_t partner = n->crossing[p].element, *mark = &n->mark[partner - w->count];
            if (partner == i || *mark == seen) continue;
            *mark = seen;
            if (are_near(w, n, i, partner)) found_add(f, partner);
        }
    }
}

static void grid_search_segments(const world *w, grid *n, found_set *f, uint32_t i)
{
    cell_span s = {{0, 0, 0}, {1, 1, 1}};
    if (w->topology.edges_from == w->count) return;
    for (int k = 0; k < DIM; k++) s.low[k] = grid_cell_along(n, k, n->origin[i].x[k]);
    search_crossings(w, n, f, i, &s);
}

/* Searches all nodes, if these are fewer than the cells of the search. */
static void search_all_nodes(const world *w, const grid *n, found_set *f, uint32_t element)
{
    for (uint32_t j = 0; j < w->count; j++)
        if (!is_vertex(w, j) && n->origin[j].cell != NONE && are_near(w, n, element, j)) found_add(f, j);
}

static void search_segment_nodes(const world *w, const grid *n, found_set *f, uint32_t element, const cell_span *s)
{
    if ((double)s->count[0] * s->count[1] * s->count[2] > 64.0 + w->count) {
        search_all_nodes(w, n, f, element);
        return;
    }
    FOR_CELLS(at, *s)
    {
        for (uint32_t j = n->head[cell_of(n, s, at)]; j != NONE; j = n->origin[j].next)
            if (are_near(w, n, element, j)) found_add(f, j);
    }
}

/* No point of a rod is deeper in a surface than its ends. All surfaces are candidates. */
static void search_segment_surfaces(const world *w, found_set *f, uint32_t element)
{
    if (never_touch(w, element, NODES)) return;
    for (uint32_t s = 0; s < w->domain.surface_count; s++) found_add(f, NODES + s);
}

static double widening(const world *w, const grid *n, uint32_t element)
{
    return n->widest + w->radius[element] + n->skin;
}

static void grid_search_part(const world *w, grid *n, found_set *f, uint32_t element)
{
    if (is_face(w, element)) {
        mesh_grid_search(w, n, f, element, MESH_GRID_VERTEX);
        if (w->topology.balls == 0) return;
        cell_span here = span_of(w, n, element, widening(w, n, element));
        search_segment_nodes(w, n, f, element, &here);
        return;
    }
    if (element < w->topology.edges_from) {
        cell_span here = span_of(w, n, element, widening(w, n, element));
        search_segment_nodes(w, n, f, element, &here);
        search_segment_surfaces(w, f, element);
    }
    if (w->topology.edges_from > w->count) {
        cell_span line = span_of(w, n, element, 0);
        search_crossings(w, n, f, element, &line);
    }
    mesh_grid_search(w, n, f, element, MESH_GRID_EDGE);
}

static bool enter_segment(const world *w, grid *n, uint32_t element)
{
    bool made = true;
    cell_span here = span_of(w, n, element, widening(w, n, element));
    FOR_CELLS(at, here) made = made && enter_cell(n, &n->crossed[cell_of(n, &here, at)], element);
    return made;
}

static bool segment_origin_move(const world *w, grid *n, uint32_t element, double t)
{
    double v[DIM];
    uint32_t ends[3] = {0};
    if (n->has_origin[element - w->count]) {
        cell_span old = span_of(w, n, element, widening(w, n, element));
        FOR_CELLS(at, old) take_out_of_cell(n, &n->crossed[cell_of(n, &old, at)], element);
    }
    ends_of(w, element, ends); /* their reference positions are not ahead: check_stretch depends on it */
    for (int q = 0; q < 2; q++) nominal_at(w, ends[q], t, origin_ends(w, n, element)[q], v);
    return enter_segment(w, n, element);
}

static carom_status part_origin_restore(const world *w, grid *n, uint32_t element, error *e)
{
    n->has_origin[element - w->count] = true;
    if (element >= w->topology.edges_from)
        mesh_grid_enter(w, n, element);
    else if (!enter_segment(w, n, element))
        return error_memory(e, "segments", n->crossing_capacity * sizeof *n->crossing);
    return CAROM_OK;
}

static carom_status part_origin_move(world *w, grid *n, uint32_t element, double t, error *e)
{
    const uint32_t p = element - w->count;
    uint32_t ends[3];
    if (is_rod(w, element)) TRY(check_stretch(w, element, t, 2 * n->widest + 2 * n->skin, e));
    if (element < w->topology.edges_from) {
        if (!segment_origin_move(w, n, element, t))
            return error_memory(e, "segments", n->crossing_capacity * sizeof *n->crossing);
    } else {
        if (n->has_origin[p]) mesh_grid_remove(w, n, element);
        for (int q = ends_of(w, element, ends); q-- > 0;)
            origin_choose(w, n, ends[q], t, origin_ends(w, n, element)[q]);
        mesh_grid_enter(w, n, element);
    }
    n->has_origin[p] = true;
    return CAROM_OK;
}
