/* Segments in the grid of homes. One is entered in all cells of the box round its ends, wider by the largest radius,
 * its own and the skin: what is at home in a cell need not look for segments in others. And how edges and faces of
 * meshes, which have a net of their own, look into the grid. */
#include "variational/kernel/broad/origins.h"

#include "variational/kernel/schedule/flight_bound.h"

#include "base/memory.h"

/* Cells from `low`, `count` along each axis, wrapped where the box is periodic. */
typedef struct cell_span {
    int32_t low[3], count[3];
} cell_span;

/* Cells of the box round an element's ends at home. */
static cell_span span_of(const world *w, const near *n, uint32_t who, double wider)
{
    cell_span s = {{0, 0, 0}, {1, 1, 1}};
    double low[DIM], high[DIM];
    home_box(w, n, who, low, high);
    for (int k = 0; k < DIM; k++) {
        low[k] -= wider;
        high[k] += wider;
        s.low[k] = near_place(w, n, k, low[k]);
        if (n->wraps[k])
            s.count[k] = (int32_t)lesser(floor((high[k] - low[k]) * n->per_length[k]) + 2, n->cells[k]);
        else
            s.count[k] = near_place(w, n, k, high[k]) - s.low[k] + 1;
    }
    return s;
}

static size_t cell_of(const near *n, const cell_span *s, const int32_t at[3])
{
    size_t cell = 0;
    for (int k = 0; k < DIM; k++) cell = cell * n->cells[k] + (size_t)((s->low[k] + at[k]) % (int32_t)n->cells[k]);
    return cell;
}

#define FOR_CELLS(at, s)                                                                                               \
    for (int32_t at[3] = {0, 0, 0}; at[0] < (s).count[0]; at[0]++)                                                     \
        for (at[1] = 0; at[1] < (s).count[1]; at[1]++)                                                                 \
            for (at[2] = 0; at[2] < (s).count[2]; at[2]++)

static bool enter_cell(near *n, uint32_t *head, uint32_t who)
{
    uint32_t place = n->crossing_free;
    if (place != NOBODY) {
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
    n->crossing[place] = (crossing){who, *head};
    *head = place;
    return true;
}

static void take_out_of_cell(near *n, uint32_t *head, uint32_t who)
{
    uint32_t *at = head;
    while (n->crossing[*at].who != who) at = &n->crossing[*at].next;
    uint32_t place = *at;
    *at = n->crossing[place].next;
    n->crossing[place].next = n->crossing_free;
    n->crossing_free = place;
}

static int home_of(const world *w, const near *n, uint32_t who, double x[3][DIM])
{
    if (who < w->count) {
        memcpy(x[0], n->home[who].x, sizeof x[0]);
        return 1;
    }
    const int count = is_face(w, who) ? 3 : 2;
    memcpy(x, ends_at_home(w, n, who), (size_t)count * sizeof x[0]);
    return count;
}

static void home_box(const world *w, const near *n, uint32_t who, double low[DIM], double high[DIM])
{
    double x[3][DIM];
    int ends = home_of(w, n, who, x);
    join_ends(w, x, ends, NULL, 0);
    for (int k = 0; k < DIM; k++) {
        low[k] = high[k] = x[0][k];
        for (int p = 1; p < ends; p++) {
            low[k] = lesser(low[k], x[p][k]);
            high[k] = greater(high[k], x[p][k]);
        }
    }
}

/* Whether the boxes round two are farther apart than this. */
static bool boxes_apart(double x[3][DIM], int m, double y[3][DIM], int q, double far)
{
    for (int k = 0; k < DIM; k++) {
        double low[2] = {x[0][k], y[0][k]}, high[2] = {x[0][k], y[0][k]};
        for (int p = 1; p < m; p++) {
            low[0] = lesser(low[0], x[p][k]);
            high[0] = greater(high[0], x[p][k]);
        }
        for (int p = 1; p < q; p++) {
            low[1] = lesser(low[1], y[p][k]);
            high[1] = greater(high[1], y[p][k]);
        }
        if (low[0] - high[1] > far || low[1] - high[0] > far) return true;
    }
    return false;
}

static bool are_near(const world *w, const near *n, uint32_t i, uint32_t who)
{
    double x[3][DIM], y[3][DIM], r[DIM], share[2][3];
    double far = w->radius[i] + w->radius[who] + 0.5 * (skin_of(w, n, i) + skin_of(w, n, who));
    int m = home_of(w, n, i, x), q = home_of(w, n, who, y);
    join_ends(w, x, m, y, q);
    if (boxes_apart(x, m, y, q, far) || never_touch(w, i, who)) return false;
    closest_of_ends(x, m, y, q, r, share);
    return dot(r, r) <= far * far;
}

/* Notes the segments that are entered in these cells and near. */
static void search_crossings(const world *w, near *n, finds *f, uint32_t i, const cell_span *s)
{
    uint32_t seen = ++n->marks;
    FOR_CELLS(at, *s)
    {
        for (uint32_t p = n->crossed[cell_of(n, s, at)]; p != NOBODY; p = n->crossing[p].next) {
            uint32_t who = n->crossing[p].who, *mark = &n->mark[who - w->count];
            if (who == i || *mark == seen) continue;
            *mark = seen;
            if (are_near(w, n, i, who)) near_remember(f, who);
        }
    }
}

static void rods_search(const world *w, near *n, finds *f, uint32_t i)
{
    cell_span s = {{0, 0, 0}, {1, 1, 1}};
    if (w->edges_from == w->count) return;
    for (int k = 0; k < DIM; k++) s.low[k] = near_place(w, n, k, n->home[i].x[k]);
    search_crossings(w, n, f, i, &s);
}

/* Where that is less than to look into all the cells: all of them. */
static void search_all_nodes(const world *w, const near *n, finds *f, uint32_t who)
{
    for (uint32_t j = 0; j < w->count; j++)
        if (!is_vertex(w, j) && n->home[j].cell != NOBODY && are_near(w, n, who, j)) near_remember(f, j);
}

static void search_segment_nodes(const world *w, const near *n, finds *f, uint32_t who, const cell_span *s)
{
    if ((double)s->count[0] * s->count[1] * s->count[2] > 64.0 + w->count) {
        search_all_nodes(w, n, f, who);
        return;
    }
    FOR_CELLS(at, *s)
    {
        for (uint32_t j = n->head[cell_of(n, s, at)]; j != NOBODY; j = n->home[j].next)
            if (are_near(w, n, who, j)) near_remember(f, j);
    }
}

/* A rod can be no deeper in a surface than its ends; all surfaces are looked at. */
static void search_segment_surfaces(const world *w, finds *f, uint32_t who)
{
    if (never_touch(w, who, NODES)) return;
    for (uint32_t s = 0; s < w->surface_count; s++) near_remember(f, NODES + s);
}

static double widening(const world *w, const near *n, uint32_t who)
{
    return n->widest + w->radius[who] + n->skin;
}

static void parts_search(const world *w, near *n, finds *f, uint32_t who)
{
    if (is_face(w, who)) {
        net_search(w, n, f, who, NET_VERTEX);
        if (w->balls == 0) return;
        cell_span here = span_of(w, n, who, widening(w, n, who));
        search_segment_nodes(w, n, f, who, &here);
        return;
    }
    if (who < w->edges_from) {
        cell_span here = span_of(w, n, who, widening(w, n, who));
        search_segment_nodes(w, n, f, who, &here);
        search_segment_surfaces(w, f, who);
    }
    if (w->edges_from > w->count) {
        cell_span line = span_of(w, n, who, 0);
        search_crossings(w, n, f, who, &line);
    }
    net_search(w, n, f, who, NET_EDGE);
}

static bool enter_segment(const world *w, near *n, uint32_t who)
{
    bool made = true;
    cell_span here = span_of(w, n, who, widening(w, n, who));
    FOR_CELLS(at, here) made = made && enter_cell(n, &n->crossed[cell_of(n, &here, at)], who);
    return made;
}

static bool move_segment(const world *w, near *n, uint32_t who, double t)
{
    double v[DIM];
    uint32_t ends[3];
    if (n->at_home[who - w->count]) {
        cell_span old = span_of(w, n, who, widening(w, n, who));
        FOR_CELLS(at, old) take_out_of_cell(n, &n->crossed[cell_of(n, &old, at)], who);
    }
    ends_of(w, who, ends); /* their homes are not ahead: check_stretch counts on it */
    for (int q = 0; q < 2; q++) nominal_at(w, ends[q], t, ends_at_home(w, n, who)[q], v);
    return enter_segment(w, n, who);
}

static carom_status parts_restore(const world *w, near *n, uint32_t who, error *e)
{
    n->at_home[who - w->count] = true;
    if (who >= w->edges_from)
        net_enter(w, n, who);
    else if (!enter_segment(w, n, who))
        return error_memory(e, "segments", n->crossing_capacity * sizeof *n->crossing);
    return CAROM_OK;
}

static carom_status parts_move(world *w, near *n, uint32_t who, double t, error *e)
{
    const uint32_t p = who - w->count;
    uint32_t ends[3];
    if (is_rod(w, who)) TRY(check_stretch(w, who, t, 2 * n->widest + 2 * n->skin, e));
    if (who < w->edges_from) {
        if (!move_segment(w, n, who, t)) return error_memory(e, "segments", n->crossing_capacity * sizeof *n->crossing);
    } else {
        if (n->at_home[p]) net_take_out(w, n, who);
        for (int q = ends_of(w, who, ends); q-- > 0;) near_settle(w, n, ends[q], t, ends_at_home(w, n, who)[q]);
        net_enter(w, n, who);
    }
    n->at_home[p] = true;
    return CAROM_OK;
}
