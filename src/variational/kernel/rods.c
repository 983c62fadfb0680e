/* Rods in the grid of homes. A rod is entered in all cells of the box round its ends, wider by the largest radius, its
 * own and the skin: what is at home in a cell need not look for rods in others. */
#include "variational/kernel/homes.h"

#include "variational/kernel/leash.h"

#include "base/memory.h"

/* Cells from `low`, `count` along each axis, wrapped where the box is periodic. */
typedef struct span {
    int32_t low[3], count[3];
} span;

static span span_of(const world *w, const near *n, uint32_t r, double wider)
{
    span s = {{0, 0, 0}, {1, 1, 1}};
    double d[DIM];
    for (int k = 0; k < DIM; k++) d[k] = n->ends[r][1][k] - n->ends[r][0][k];
    shorten(w, d);
    for (int k = 0; k < DIM; k++) {
        double low = n->ends[r][0][k] + lesser(d[k], 0) - wider, high = n->ends[r][0][k] + greater(d[k], 0) + wider;
        s.low[k] = near_place(w, n, k, low);
        if (n->wraps[k])
            s.count[k] = (int32_t)lesser(floor((high - low) * n->per_length[k]) + 2, n->cells[k]);
        else
            s.count[k] = near_place(w, n, k, high) - s.low[k] + 1;
    }
    return s;
}

static size_t cell_of(const near *n, const span *s, const int32_t at[3])
{
    size_t cell = 0;
    for (int k = 0; k < DIM; k++) cell = cell * n->cells[k] + (size_t)((s->low[k] + at[k]) % (int32_t)n->cells[k]);
    return cell;
}

#define FOR_CELLS(at, s)                                                                                               \
    for (int32_t at[3] = {0, 0, 0}; at[0] < (s).count[0]; at[0]++)                                                     \
        for (at[1] = 0; at[1] < (s).count[1]; at[1]++)                                                                 \
            for (at[2] = 0; at[2] < (s).count[2]; at[2]++)

static bool enter(near *n, size_t cell, uint32_t r)
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
    n->crossing[place] = (crossing){r, n->crossed[cell]};
    n->crossed[cell] = place;
    return true;
}

static void take_out(near *n, size_t cell, uint32_t r)
{
    uint32_t *at = &n->crossed[cell];
    while (n->crossing[*at].rod != r) at = &n->crossing[*at].next;
    uint32_t place = *at;
    *at = n->crossing[place].next;
    n->crossing[place].next = n->crossing_free;
    n->crossing_free = place;
}

/* Whether two may meet before one of them leaves home. */
static bool are_near(const world *w, const near *n, uint32_t i, uint32_t who)
{
    const uint32_t pair[2] = {i, who};
    double x[2][DIM], d[2][DIM], shift[DIM], image[DIM], r[DIM], along[2];
    double far = w->radius[i] + w->radius[who] + n->skin;
    for (int q = 0; q < 2; q++) {
        const double(*ends)[DIM] = is_rod(w, pair[q]) ? n->ends[pair[q] - w->count] : NULL;
        for (int k = 0; k < DIM; k++) {
            x[q][k] = ends != NULL ? ends[0][k] : n->home[pair[q]].x[k];
            d[q][k] = ends != NULL ? ends[1][k] - ends[0][k] : 0;
        }
        shorten(w, d[q]);
    }
    for (int k = 0; k < DIM; k++) shift[k] = image[k] = (x[0][k] + 0.5 * d[0][k]) - (x[1][k] + 0.5 * d[1][k]);
    shorten(w, image);
    for (int k = 0; k < DIM; k++) x[1][k] += shift[k] - image[k];
    closest_of_rods(x[0], d[0], x[1], d[1], r, along);
    return dot(r, r) <= far * far && !never_touch(w, i, who);
}

/* Notes the rods that are entered in these cells and near. */
static bool search_crossings(const world *w, near *n, uint32_t i, const span *s)
{
    uint32_t seen = ++n->marks;
    FOR_CELLS(at, *s)
    {
        for (uint32_t p = n->crossed[cell_of(n, s, at)]; p != NOBODY; p = n->crossing[p].next) {
            uint32_t who = w->count + n->crossing[p].rod;
            if (who == i || n->mark[n->crossing[p].rod] == seen) continue;
            n->mark[n->crossing[p].rod] = seen;
            if (are_near(w, n, i, who) && !near_remember(n, who)) return false;
        }
    }
    return true;
}

bool rods_search(const world *w, near *n, uint32_t i)
{
    span s = {{0, 0, 0}, {1, 1, 1}};
    if (w->rod_count == 0) return true;
    for (int k = 0; k < DIM; k++) s.low[k] = near_place(w, n, k, n->home[i].x[k]);
    return search_crossings(w, n, i, &s);
}

static bool search_nodes(const world *w, near *n, uint32_t who, const span *s)
{
    FOR_CELLS(at, *s)
    {
        for (uint32_t j = n->head[cell_of(n, s, at)]; j != NOBODY; j = n->home[j].next)
            if (are_near(w, n, who, j) && !near_remember(n, j)) return false;
    }
    return true;
}

/* A rod can be no deeper in a surface than its ends; all surfaces are looked at. */
static bool search_surfaces(const world *w, near *n, uint32_t who)
{
    if (never_touch(w, who, NODES)) return true;
    for (uint32_t s = 0; s < w->surface_count; s++)
        if (!near_remember(n, NODES + s)) return false;
    return true;
}

carom_status rods_renew(world *w, near *n, uint32_t who, double t, error *e)
{
    uint32_t r = who - w->count;
    double v[DIM], wider = n->widest + w->radius[who] + n->skin;
    if (n->at_home[r]) {
        span old = span_of(w, n, r, wider);
        FOR_CELLS(at, old) take_out(n, cell_of(n, &old, at), r);
    }
    nominal_at(w, w->rod[r].a, t, n->ends[r][0], v);
    nominal_at(w, w->rod[r].b, t, n->ends[r][1], v);
    TRY(check_stretch(w, who, t, 2 * n->widest + 2 * n->skin, e));
    n->at_home[r] = true;
    n->found_count = 0;
    bool made = true;
    span here = span_of(w, n, r, wider), line = span_of(w, n, r, 0);
    FOR_CELLS(at, here) made = made && enter(n, cell_of(n, &here, at), r);
    made = made && search_nodes(w, n, who, &here) && search_crossings(w, n, who, &line) && search_surfaces(w, n, who) &&
           near_renew_list(w, n, who);
    return made ? CAROM_OK : error_memory(e, "lists", n->found_capacity * sizeof *n->found);
}
