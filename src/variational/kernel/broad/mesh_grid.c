/* Reference positions of the elements of meshes. Each kind has a grid with levels of cells, each level with cells
 * twice as wide as the one below. Cells are hashed, so that boxes may be open. An element has an entry in one cell:
 * the level is the one with cells as wide as the box around its reference position, and the cell contains the middle
 * of this box. A search covers, on every level with entries, the cells around its own reference position, wider by
 * half of the widest box there. */
#include "variational/kernel/broad/origins.h"

#include "base/memory.h"

/* A box, by its middle and half its width along each axis. */
typedef struct mesh_grid_box {
    double middle[DIM], half[DIM];
} mesh_grid_box;

/* Cells of a level. */
typedef struct mesh_grid_patch {
    int64_t low[3], count[3], wrap[3]; /* wrap: 0: never */
    int level;
} mesh_grid_patch;

static mesh_grid_kind mesh_grid_kind_of(const world *w, uint32_t element)
{
    return element < w->count ? MESH_GRID_VERTEX : element < w->topology.faces_from ? MESH_GRID_EDGE : MESH_GRID_FACE;
}

static mesh_grid_box bounds_of(const world *w, const grid *n, uint32_t element)
{
    mesh_grid_box b;
    double low[DIM], high[DIM];
    origin_box(w, n, element, low, high);
    for (int k = 0; k < DIM; k++) {
        b.middle[k] = 0.5 * (low[k] + high[k]);
        b.half[k] = 0.5 * (high[k] - low[k]);
    }
    return b;
}

static int level_of(const mesh_grid *g, const float half[DIM])
{
    int level = 0;
    for (int k = 0; k < DIM; k++)
        while (level < MESH_GRID_LEVELS - 1 && 2 * (double)half[k] * ldexp(g->per_length[k], -level) > 1) level++;
    return level;
}

static int64_t cell_at(double x)
{
    return (int64_t)lesser(greater(floor(x), -0x1p40), 0x1p40);
}

/* Number of cells of a level along a periodic axis; 0: no limit. */
static int64_t wrap_of(const mesh_grid *g, int k, int level)
{
    if (g->cells[k] == 0) return 0;
    return g->cells[k] >> level > 1 ? g->cells[k] >> level : 1;
}

/* The cells of this level that may contain middles of boxes of this kind that overlap the given box. */
static mesh_grid_patch patch_of(const mesh_grid *g, mesh_grid_kind kind, const mesh_grid_box *b, int level)
{
    mesh_grid_patch p = {.count = {1, 1, 1}, .level = level};
    for (int k = 0; k < DIM; k++) {
        const double scale = ldexp(g->per_length[k], -level);
        const double half = (b->half[k] + (double)g->reach[kind][level][k]) * scale;
        p.low[k] = cell_at(b->middle[k] * scale - half);
        p.count[k] = cell_at(b->middle[k] * scale + half) - p.low[k] + 1;
        p.wrap[k] = wrap_of(g, k, level);
        if (p.wrap[k] > 0) p.count[k] = p.count[k] < p.wrap[k] ? p.count[k] : p.wrap[k];
    }
    return p;
}

/* The contribution of a cell's index along an axis to its hash. */
static inline uint64_t hash_along(int k, int64_t wrap, int64_t cell)
{
    static const uint64_t odd[3] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};
    if (wrap > 0) cell = ((cell % wrap) + wrap) % wrap;
    return (uint64_t)cell * odd[k];
}

static inline uint32_t *head_of(const mesh_grid *g, mesh_grid_kind kind, int level, uint64_t sum)
{
    uint64_t hash = (sum + (uint64_t)level) * 0xD6E8FEB86659FD93u;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93u;
    return &g->head[kind][(uint32_t)(hash >> 32) & g->mask];
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static double mesh_grid_spacing(const world *w)
{
    double least = INFINITY, sum = 0, r[DIM], y[DIM];
    uint32_t count = 0;
    for (uint32_t q = w->topology.edges_from; q < w->topology.faces_from; q++) {
        const rod *edge = &w->topology.rod[q - w->count];
        node_place(w, edge->a, w->now, r);
        node_place(w, edge->b, w->now, y);
        for (int k = 0; k < DIM; k++) r[k] -= y[k];
        nearest_image(w, r);
        sum += sqrt(dot(r, r));
        count++;
        if (q + 1 < w->topology.faces_from && w->species[q + 1] == w->species[q] && w->radius[q + 1] == w->radius[q])
            continue;
        least = lesser(least, sum / count);
        sum = 0;
        count = 0;
    }
    return least;
}

static carom_status mesh_grid_create(const world *w, grid *n, error *e)
{
    mesh_grid *g = &n->mesh_grid;
    const double width = 2 * w->neighbours.spacing; /* most boxes fit into a cell, and a search covers few cells */
    uint32_t size = 64;
    for (uint32_t q = w->topology.edges_from; q < w->elements; q++) g->widest = greater(g->widest, w->radius[q]);
    if (w->topology.face_count == 0) return CAROM_OK;
    while (size < 4 * w->topology.face_count && size < 1u << 28) size *= 2;
    g->mask = size - 1;
    g->at = NEW_ARRAY(w->elements, mesh_grid_entry);
    for (int kind = 0; kind < MESH_GRID_KINDS; kind++) {
        g->head[kind] = NEW_ARRAY(size, uint32_t);
        if (g->head[kind] == NULL || g->at == NULL)
            return error_memory(e, "the net of meshes", size * sizeof *g->head[kind]);
        for (uint32_t c = 0; c < size; c++) g->head[kind][c] = NONE;
    }
    for (int k = 0; k < DIM; k++) {
        g->per_length[k] = 1 / width;
        if (w->domain.box[k] == 0) continue;
        g->cells[k] = 1;
        while (g->cells[k] < 1 << 20 && 2 * (double)g->cells[k] * width <= w->domain.box[k]) g->cells[k] *= 2;
        g->per_length[k] = (double)g->cells[k] / w->domain.box[k];
    }
    return CAROM_OK;
}

static void mesh_grid_destroy(grid *n)
{
    for (int kind = 0; kind < MESH_GRID_KINDS; kind++) memory_free(n->mesh_grid.head[kind]);
    memory_free(n->mesh_grid.at);
}

/* ---- reference positions ----------------------------------------------------------------------------------------- */

static uint32_t *head_of_entry(const mesh_grid *g, mesh_grid_kind kind, const mesh_grid_entry *own)
{
    const int level = level_of(g, own->half);
    uint64_t sum = 0;
    for (int k = 0; k < DIM; k++)
        sum += hash_along(k, wrap_of(g, k, level), cell_at((double)own->middle[k] * ldexp(g->per_length[k], -level)));
    return head_of(g, kind, level, sum);
}

static void mesh_grid_enter(const world *w, grid *n, uint32_t element)
{
    mesh_grid *g = &n->mesh_grid;
    mesh_grid_entry *own = &g->at[element];
    const mesh_grid_kind kind = mesh_grid_kind_of(w, element);
    const mesh_grid_box b = bounds_of(w, n, element);
    for (int k = 0; k < DIM; k++) {
        own->middle[k] = (float)b.middle[k];
        own->half[k] = (float)(b.half[k] + 0x1p-22 * (fabs(b.middle[k]) + b.half[k])); /* more than the rounding */
    }
    uint32_t *head = head_of_entry(g, kind, own);
    const int level = level_of(g, own->half);
    g->count[kind][level]++;
    for (int k = 0; k < DIM; k++)
        if (own->half[k] > g->reach[kind][level][k]) g->reach[kind][level][k] = own->half[k];
    own->prior = NONE;
    own->next = *head;
    if (*head != NONE) g->at[*head].prior = element;
    *head = element;
}

static void mesh_grid_remove(const world *w, grid *n, uint32_t element)
{
    mesh_grid *g = &n->mesh_grid;
    const mesh_grid_entry *own = &g->at[element];
    const mesh_grid_kind kind = mesh_grid_kind_of(w, element);
    g->count[kind][level_of(g, own->half)]--;
    if (own->next != NONE) g->at[own->next].prior = own->prior;
    *(own->prior != NONE ? &g->at[own->prior].next : head_of_entry(g, kind, own)) = own->next;
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

static inline bool reaches(const world *w, const mesh_grid_box *b, const mesh_grid_entry *other)
{
    double apart[DIM];
    bool all = true;
    for (int k = 0; k < DIM; k++) apart[k] = b->middle[k] - (double)other->middle[k];
    if (w->domain.periodic) nearest_image(w, apart);
    for (int k = 0; k < DIM; k++) all &= fabs(apart[k]) <= b->half[k] + (double)other->half[k];
    return all;
}

static inline void look_at(const world *w, const grid *n, found_set *f, uint32_t element, const mesh_grid_box *b,
                           uint32_t other)
{
    if (reaches(w, b, &n->mesh_grid.at[other]) && other != element && are_near(w, n, element, other))
        found_add(f, other);
}

/* Searches all elements of a level, if these are fewer than the cells of the search. */
static void search_level(const world *w, const grid *n, found_set *f, uint32_t element, const mesh_grid_box *b,
                         mesh_grid_kind kind, int level)
{
    const uint32_t from[] = {0, w->topology.edges_from, w->topology.faces_from},
                   to[] = {w->count, w->topology.faces_from, w->elements};
    for (uint32_t j = from[kind]; j < to[kind]; j++) {
        const bool entered = j >= w->count ? n->has_origin[j - w->count] : is_vertex(w, j) && n->origin[j].cell != NONE;
        if (entered && level_of(&n->mesh_grid, n->mesh_grid.at[j].half) == level) look_at(w, n, f, element, b, j);
    }
}

/* First entries of cells, which a search reads in turn: the entries of different cells are on their way at the same time. */
enum { MESH_GRID_CHAINS = 64 };
typedef struct mesh_grid_chains {
    uint32_t *head[MESH_GRID_CHAINS], at[MESH_GRID_CHAINS];
    uint32_t count;
} mesh_grid_chains;

static void follow_chains(const world *w, const grid *n, found_set *f, uint32_t element, const mesh_grid_box *b,
                          mesh_grid_chains *c)
{
    const mesh_grid_entry *at = n->mesh_grid.at;
    uint32_t open = 0;
    for (uint32_t k = 0; k < c->count; k++) {
        if (*c->head[k] == NONE) continue;
        c->at[open++] = *c->head[k];
        __builtin_prefetch(&at[*c->head[k]]);
    }
    while (open > 0)
        for (uint32_t k = 0; k < open;) {
            const uint32_t here = c->at[k], next = at[here].next;
            look_at(w, n, f, element, b, here);
            if (next != NONE) __builtin_prefetch(&at[next]);
            c->at[k] = next != NONE ? next : c->at[--open];
            k += next != NONE;
        }
    c->count = 0;
}

static void search_patch(const world *w, const grid *n, found_set *f, uint32_t element, const mesh_grid_box *b,
                         mesh_grid_kind kind, const mesh_grid_patch *p)
{
    const mesh_grid *g = &n->mesh_grid;
    mesh_grid_chains chains = {.count = 0};
    for (int64_t x = 0; x < p->count[0]; x++)
        for (int64_t y = 0; y < p->count[1]; y++) {
            const uint64_t sum = hash_along(0, p->wrap[0], p->low[0] + x) + hash_along(1, p->wrap[1], p->low[1] + y);
            for (int64_t z = 0; z < p->count[2]; z++) {
                const uint64_t last = DIM == 3 ? hash_along(2, p->wrap[2], p->low[2] + z) : 0;
                uint32_t *head = head_of(g, kind, p->level, sum + last);
                __builtin_prefetch(head);
                chains.head[chains.count++] = head;
                if (chains.count == MESH_GRID_CHAINS) follow_chains(w, n, f, element, b, &chains);
            }
        }
    follow_chains(w, n, f, element, b, &chains);
}

static void mesh_grid_search(const world *w, const grid *n, found_set *f, uint32_t element, mesh_grid_kind kind)
{
    if (w->topology.face_count == 0) return;
    const mesh_grid *g = &n->mesh_grid;
    mesh_grid_box b = bounds_of(w, n, element);
    const double wider = w->radius[element] + g->widest + 0.5 * (skin_of(w, n, element) + n->mesh_skin);
    for (int k = 0; k < DIM; k++) b.half[k] += wider + 0x1p-40 * (fabs(b.middle[k]) + wider);
    for (int level = 0; level < MESH_GRID_LEVELS; level++) {
        if (g->count[kind][level] == 0) continue;
        mesh_grid_patch p = patch_of(g, kind, &b, level);
        double cells = (double)p.count[0] * (double)p.count[1] * (double)p.count[2];
        if (cells > 64 + 4.0 * g->count[kind][level])
            search_level(w, n, f, element, &b, kind, level);
        else
            search_patch(w, n, f, element, &b, kind, &p);
    }
}
