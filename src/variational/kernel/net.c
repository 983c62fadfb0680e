/* Homes of the elements of meshes: a grid of cells of many sizes, each twice as wide as those of the level
 * below, hashed, so that boxes may be open. An element is entered on the level whose cells are as wide as the
 * box round it, in eight of them at most; who looks for others looks into the cells round its own home on every
 * level on which there are some. */
#include "variational/kernel/homes.h"

#include "base/memory.h"

typedef struct bounds {
    double low[DIM], high[DIM];
} bounds;

/* Cells of a level. */
typedef struct patch {
    int64_t low[3], count[3], wrap[3]; /* wrap: 0: never */
    net_kind kind;
    int level;
} patch;

static net_kind net_kind_of(const world *w, uint32_t who)
{
    return who < w->count ? NET_VERTEX : who < w->faces_from ? NET_EDGE : NET_FACE;
}

static bounds bounds_of(const world *w, const near *n, uint32_t who, double wider)
{
    bounds b;
    double x[3][DIM];
    int ends = home_of(w, n, who, x);
    join_ends(w, x, ends, NULL, 0);
    for (int k = 0; k < DIM; k++) {
        b.low[k] = b.high[k] = x[0][k];
        for (int p = 1; p < ends; p++) {
            b.low[k] = lesser(b.low[k], x[p][k]);
            b.high[k] = greater(b.high[k], x[p][k]);
        }
        b.low[k] -= wider;
        b.high[k] += wider;
    }
    return b;
}

static int level_of(const net *g, const bounds *b)
{
    int level = 0;
    for (int k = 0; k < DIM; k++)
        while (level < NET_LEVELS - 1 && (b->high[k] - b->low[k]) * ldexp(g->per_length[k], -level) > 1) level++;
    return level;
}

static int64_t cell_at(double x)
{
    return (int64_t)lesser(greater(floor(x), -0x1p40), 0x1p40);
}

static patch patch_of(const net *g, const bounds *b, net_kind kind, int level)
{
    patch p = {.count = {1, 1, 1}, .kind = kind, .level = level};
    for (int k = 0; k < DIM; k++) {
        double scale = ldexp(g->per_length[k], -level);
        p.low[k] = cell_at(b->low[k] * scale);
        p.count[k] = cell_at(b->high[k] * scale) - p.low[k] + 1;
        if (g->cells[k] == 0) continue;
        p.wrap[k] = g->cells[k] >> level > 1 ? g->cells[k] >> level : 1;
        p.count[k] = p.count[k] < p.wrap[k] ? p.count[k] : p.wrap[k];
    }
    return p;
}

static uint32_t *head_of(const net *g, const patch *p, const int64_t at[3])
{
    uint64_t hash = (uint64_t)p->kind << 8 | (uint64_t)p->level;
    for (int k = 0; k < DIM; k++) {
        int64_t cell = p->low[k] + at[k];
        if (p->wrap[k] > 0) cell = ((cell % p->wrap[k]) + p->wrap[k]) % p->wrap[k];
        hash = (hash ^ (uint64_t)cell) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return &g->head[(uint32_t)(hash >> 16) & g->mask];
}

#define FOR_PATCH(at, p)                                                                                               \
    for (int64_t at[3] = {0, 0, 0}; at[0] < (p).count[0]; at[0]++)                                                     \
        for (at[1] = 0; at[1] < (p).count[1]; at[1]++)                                                                 \
            for (at[2] = 0; at[2] < (p).count[2]; at[2]++)

/* ---- making ------------------------------------------------------------------------------------------------------ */

double net_spacing(const world *w)
{
    double least = INFINITY, sum = 0, r[DIM], y[DIM];
    uint32_t count = 0;
    for (uint32_t q = w->edges_from; q < w->faces_from; q++) {
        const rod *edge = &w->rod[q - w->count];
        node_place(w, edge->a, w->now, r);
        node_place(w, edge->b, w->now, y);
        for (int k = 0; k < DIM; k++) r[k] -= y[k];
        shorten(w, r);
        sum += sqrt(dot(r, r));
        count++;
        if (q + 1 < w->faces_from && w->species[q + 1] == w->species[q] && w->radius[q + 1] == w->radius[q]) continue;
        least = lesser(least, sum / count);
        sum = 0;
        count = 0;
    }
    return least;
}

carom_status net_create(const world *w, near *n, error *e)
{
    net *g = &n->net;
    double width = net_spacing(w);
    uint32_t size = 64;
    for (uint32_t q = w->edges_from; q < w->elements; q++) g->widest = greater(g->widest, w->radius[q]);
    if (w->face_count == 0) return CAROM_OK;
    while (size < 4 * w->face_count && size < 1u << 28) size *= 2;
    g->mask = size - 1;
    g->head = NEW_ARRAY(size, uint32_t);
    g->level = NEW_ARRAY(w->elements - w->count, uint8_t);
    if (g->head == NULL || g->level == NULL) return error_memory(e, "the net of meshes", size * sizeof *g->head);
    for (uint32_t c = 0; c < size; c++) g->head[c] = NOBODY;
    for (int k = 0; k < DIM; k++) {
        g->per_length[k] = 1 / width;
        if (w->box[k] == 0) continue;
        g->cells[k] = 1;
        while (g->cells[k] < 1 << 20 && 2 * (double)g->cells[k] * width <= w->box[k]) g->cells[k] *= 2;
        g->per_length[k] = (double)g->cells[k] / w->box[k];
    }
    return CAROM_OK;
}

void net_destroy(near *n)
{
    memory_free(n->net.head);
    memory_free(n->net.level);
}

/* ---- homes ------------------------------------------------------------------------------------------------------- */

bool net_enter(const world *w, near *n, uint32_t who)
{
    net *g = &n->net;
    bounds b = bounds_of(w, n, who, 0);
    net_kind kind = net_kind_of(w, who);
    int level = level_of(g, &b);
    patch p = patch_of(g, &b, kind, level);
    if (who >= w->count) g->level[who - w->count] = (uint8_t)level;
    g->count[kind][level]++;
    FOR_PATCH(at, p)
    {
        if (!near_enter(n, head_of(g, &p, at), who)) return false;
    }
    return true;
}

void net_take_out(const world *w, near *n, uint32_t who)
{
    net *g = &n->net;
    bounds b = bounds_of(w, n, who, 0);
    net_kind kind = net_kind_of(w, who);
    int level = level_of(g, &b);
    patch p = patch_of(g, &b, kind, level);
    g->count[kind][level]--;
    FOR_PATCH(at, p) near_take_out(n, head_of(g, &p, at), who);
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static bool look_at(const world *w, near *n, uint32_t who, uint32_t other, uint32_t seen)
{
    uint32_t *mark = other < w->count ? &n->home[other].mark : &n->mark[other - w->count];
    if (other == who || *mark == seen) return true;
    *mark = seen;
    return !are_near(w, n, who, other) || near_remember(n, other);
}

/* All of a level, where that is less than to look into all the cells. */
static bool search_all(const world *w, near *n, uint32_t who, const patch *p, uint32_t seen)
{
    if (p->kind == NET_VERTEX) {
        for (uint32_t j = 0; j < w->count; j++)
            if (is_vertex(w, j) && n->home[j].cell != NOBODY && !look_at(w, n, who, j, seen)) return false;
        return true;
    }
    uint32_t from = p->kind == NET_EDGE ? w->edges_from : w->faces_from;
    uint32_t to = p->kind == NET_EDGE ? w->faces_from : w->elements;
    for (uint32_t j = from; j < to; j++)
        if (n->at_home[j - w->count] && n->net.level[j - w->count] == p->level && !look_at(w, n, who, j, seen))
            return false;
    return true;
}

static bool search_patch(const world *w, near *n, uint32_t who, const patch *p, uint32_t seen)
{
    FOR_PATCH(at, *p)
    {
        for (uint32_t q = *head_of(&n->net, p, at); q != NOBODY; q = n->crossing[q].next) {
            uint32_t other = n->crossing[q].who;
            if (net_kind_of(w, other) == p->kind && !look_at(w, n, who, other, seen)) return false;
        }
    }
    return true;
}

bool net_search(const world *w, near *n, uint32_t who, net_kind kind)
{
    if (w->face_count == 0) return true;
    const net *g = &n->net;
    uint32_t seen = ++n->marks;
    double wider = w->radius[who] + g->widest + 0.5 * (skin_of(w, n, who) + n->mesh_skin);
    bounds b = bounds_of(w, n, who, wider);
    for (int level = 0; level < NET_LEVELS; level++) {
        if (g->count[kind][level] == 0) continue;
        patch p = patch_of(g, &b, kind, level);
        double cells = (double)p.count[0] * (double)p.count[1] * (double)p.count[2];
        bool all = cells > 64 + 4.0 * g->count[kind][level];
        if (!(all ? search_all(w, n, who, &p, seen) : search_patch(w, n, who, &p, seen))) return false;
    }
    return true;
}
