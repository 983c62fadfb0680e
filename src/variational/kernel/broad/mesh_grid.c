/* Homes of the elements of meshes: for each kind a grid of cells of many sizes, each twice as wide as those of the
 * level below, hashed, so that boxes may be open. An element is entered in one cell, that of the middle of the box
 * round its home, on the level whose cells are as wide as the box; a search looks into the cells round
 * its own home, wider by half a cell, on every level on which there are some. */
#include "variational/kernel/broad/origins.h"

#include "base/memory.h"

/* A box, by its middle and half its width along each axis. */
typedef struct net_bounds {
    double middle[DIM], half[DIM];
} net_bounds;

/* Cells of a level. */
typedef struct net_patch {
    int64_t low[3], count[3], wrap[3]; /* wrap: 0: never */
    int level;
} net_patch;

static net_kind net_kind_of(const world *w, uint32_t who)
{
    return who < w->count ? NET_VERTEX : who < w->faces_from ? NET_EDGE : NET_FACE;
}

static net_bounds bounds_of(const world *w, const near *n, uint32_t who)
{
    net_bounds b;
    double low[DIM], high[DIM];
    home_box(w, n, who, low, high);
    for (int k = 0; k < DIM; k++) {
        b.middle[k] = 0.5 * (low[k] + high[k]);
        b.half[k] = 0.5 * (high[k] - low[k]);
    }
    return b;
}

static int level_of(const net *g, const float half[DIM])
{
    int level = 0;
    for (int k = 0; k < DIM; k++)
        while (level < NET_LEVELS - 1 && 2 * (double)half[k] * ldexp(g->per_length[k], -level) > 1) level++;
    return level;
}

static int64_t cell_at(double x)
{
    return (int64_t)lesser(greater(floor(x), -0x1p40), 0x1p40);
}

/* How many cells a level has along a periodic axis; 0: without end. */
static int64_t wrap_of(const net *g, int k, int level)
{
    if (g->cells[k] == 0) return 0;
    return g->cells[k] >> level > 1 ? g->cells[k] >> level : 1;
}

/* The cells in which the middles of those lie that are entered on this level and reach into the box. */
static net_patch patch_of(const net *g, const net_bounds *b, int level)
{
    net_patch p = {.count = {1, 1, 1}, .level = level};
    for (int k = 0; k < DIM; k++) {
        const double scale = ldexp(g->per_length[k], -level), half = b->half[k] * scale + 0.5;
        p.low[k] = cell_at(b->middle[k] * scale - half);
        p.count[k] = cell_at(b->middle[k] * scale + half) - p.low[k] + 1;
        p.wrap[k] = wrap_of(g, k, level);
        if (p.wrap[k] > 0) p.count[k] = p.count[k] < p.wrap[k] ? p.count[k] : p.wrap[k];
    }
    return p;
}

/* What a cell's place along an axis adds to its hash. */
static inline uint64_t hash_along(int k, int64_t wrap, int64_t cell)
{
    static const uint64_t odd[3] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};
    if (wrap > 0) cell = ((cell % wrap) + wrap) % wrap;
    return (uint64_t)cell * odd[k];
}

static inline uint32_t *head_of(const net *g, net_kind kind, int level, uint64_t sum)
{
    uint64_t hash = (sum + (uint64_t)level) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return &g->head[kind][(uint32_t)(hash >> 32) & g->mask];
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static double net_spacing(const world *w)
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

static carom_status net_create(const world *w, near *n, error *e)
{
    net *g = &n->net;
    const double width = 2 * w->spacing; /* most boxes fit in, and few cells are looked into */
    uint32_t size = 64;
    for (uint32_t q = w->edges_from; q < w->elements; q++) g->widest = greater(g->widest, w->radius[q]);
    if (w->face_count == 0) return CAROM_OK;
    while (size < 4 * w->face_count && size < 1u << 28) size *= 2;
    g->mask = size - 1;
    g->at = NEW_ARRAY(w->elements, net_entry);
    for (int kind = 0; kind < NET_KINDS; kind++) {
        g->head[kind] = NEW_ARRAY(size, uint32_t);
        if (g->head[kind] == NULL || g->at == NULL)
            return error_memory(e, "the net of meshes", size * sizeof *g->head[kind]);
        for (uint32_t c = 0; c < size; c++) g->head[kind][c] = NOBODY;
    }
    for (int k = 0; k < DIM; k++) {
        g->per_length[k] = 1 / width;
        if (w->box[k] == 0) continue;
        g->cells[k] = 1;
        while (g->cells[k] < 1 << 20 && 2 * (double)g->cells[k] * width <= w->box[k]) g->cells[k] *= 2;
        g->per_length[k] = (double)g->cells[k] / w->box[k];
    }
    return CAROM_OK;
}

static void net_destroy(near *n)
{
    for (int kind = 0; kind < NET_KINDS; kind++) memory_free(n->net.head[kind]);
    memory_free(n->net.at);
}

/* ---- homes ------------------------------------------------------------------------------------------------------- */

static uint32_t *head_of_entry(const net *g, net_kind kind, const net_entry *own)
{
    const int level = level_of(g, own->half);
    uint64_t sum = 0;
    for (int k = 0; k < DIM; k++)
        sum += hash_along(k, wrap_of(g, k, level), cell_at((double)own->middle[k] * ldexp(g->per_length[k], -level)));
    return head_of(g, kind, level, sum);
}

static void net_enter(const world *w, near *n, uint32_t who)
{
    net *g = &n->net;
    net_entry *own = &g->at[who];
    const net_kind kind = net_kind_of(w, who);
    const net_bounds b = bounds_of(w, n, who);
    for (int k = 0; k < DIM; k++) {
        own->middle[k] = (float)b.middle[k];
        own->half[k] = (float)(b.half[k] + 0x1p-22 * (fabs(b.middle[k]) + b.half[k])); /* beyond what is rounded off */
    }
    uint32_t *head = head_of_entry(g, kind, own);
    g->count[kind][level_of(g, own->half)]++;
    own->prior = NOBODY;
    own->next = *head;
    if (*head != NOBODY) g->at[*head].prior = who;
    *head = who;
}

static void net_take_out(const world *w, near *n, uint32_t who)
{
    net *g = &n->net;
    const net_entry *own = &g->at[who];
    const net_kind kind = net_kind_of(w, who);
    g->count[kind][level_of(g, own->half)]--;
    if (own->next != NOBODY) g->at[own->next].prior = own->prior;
    *(own->prior != NOBODY ? &g->at[own->prior].next : head_of_entry(g, kind, own)) = own->next;
}

/* ---- looking ----------------------------------------------------------------------------------------------------- */

static inline bool reaches(const world *w, const net_bounds *b, const net_entry *other)
{
    double apart[DIM];
    bool all = true;
    for (int k = 0; k < DIM; k++) apart[k] = b->middle[k] - (double)other->middle[k];
    if (w->periodic) shorten(w, apart);
    for (int k = 0; k < DIM; k++) all &= fabs(apart[k]) <= b->half[k] + (double)other->half[k];
    return all;
}

static inline void look_at(const world *w, const near *n, finds *f, uint32_t who, const net_bounds *b, uint32_t other)
{
    if (reaches(w, b, &n->net.at[other]) && other != who && are_near(w, n, who, other)) near_remember(f, other);
}

/* All of a level, where that is less than to look into all the cells. */
static void search_level(const world *w, const near *n, finds *f, uint32_t who, const net_bounds *b, net_kind kind,
                         int level)
{
    const uint32_t from[] = {0, w->edges_from, w->faces_from}, to[] = {w->count, w->faces_from, w->elements};
    for (uint32_t j = from[kind]; j < to[kind]; j++) {
        const bool entered = j >= w->count ? n->at_home[j - w->count] : is_vertex(w, j) && n->home[j].cell != NOBODY;
        if (entered && level_of(&n->net, n->net.at[j].half) == level) look_at(w, n, f, who, b, j);
    }
}

static void search_patch(const world *w, const near *n, finds *f, uint32_t who, const net_bounds *b, net_kind kind,
                         const net_patch *p)
{
    const net *g = &n->net;
    for (int64_t x = 0; x < p->count[0]; x++)
        for (int64_t y = 0; y < p->count[1]; y++) {
            const uint64_t sum = hash_along(0, p->wrap[0], p->low[0] + x) + hash_along(1, p->wrap[1], p->low[1] + y);
            for (int64_t z = 0; z < p->count[2]; z++) {
                const uint64_t last = DIM == 3 ? hash_along(2, p->wrap[2], p->low[2] + z) : 0;
                for (uint32_t j = *head_of(g, kind, p->level, sum + last); j != NOBODY; j = g->at[j].next)
                    look_at(w, n, f, who, b, j);
            }
        }
}

static void net_search(const world *w, const near *n, finds *f, uint32_t who, net_kind kind)
{
    if (w->face_count == 0) return;
    const net *g = &n->net;
    net_bounds b = bounds_of(w, n, who);
    const double wider = w->radius[who] + g->widest + 0.5 * (skin_of(w, n, who) + n->mesh_skin);
    for (int k = 0; k < DIM; k++) b.half[k] += wider + 0x1p-40 * (fabs(b.middle[k]) + wider);
    for (int level = 0; level < NET_LEVELS; level++) {
        if (g->count[kind][level] == 0) continue;
        net_patch p = patch_of(g, &b, level);
        double cells = (double)p.count[0] * (double)p.count[1] * (double)p.count[2];
        if (cells > 64 + 4.0 * g->count[kind][level])
            search_level(w, n, f, who, &b, kind, level);
        else
            search_patch(w, n, f, who, &b, kind, &p);
    }
}
