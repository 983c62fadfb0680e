/* Clusters of a frame, and their positions unwrapped along contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/sort.h"
#include "measure/shape.h"
#include "neighbors/packing.h"

/* A pair of particles (places in the frame) that are near. */
typedef struct link {
    uint32_t i, j;
    bool touching, near;
} link;

/* Trees of particles: the position of i, unwrapped, is its own + (offset[i] + those of all above it) * box. */
typedef struct forest {
    uint32_t *parent;
    int32_t (*offset)[3];
    bool *round; /* a contact of this particle connects the cluster to its periodic image */
} forest;

typedef struct work {
    const carom_frame *f;
    const uint32_t *cluster; /* of each particle, or NULL */
    cells_box box;
    double gap;
    bool as_one;
    double (*position)[3]; /* [particles]: in the box */
    double *diameter;
    link *links;
    size_t link_count, link_room;
    bool full; /* out of memory */
    forest forest;
    uint64_t *keys, *space;
    uint32_t *group; /* [particles] */
} work;

static void work_free(work *w)
{
    memory_free(w->position);
    memory_free(w->diameter);
    memory_free(w->links);
    memory_free(w->forest.parent);
    memory_free(w->forest.offset);
    memory_free(w->forest.round);
    memory_free(w->keys);
    memory_free(w->space);
    memory_free(w->group);
}

static carom_status work_create(work *w, const carom_frame *f, double gap, bool as_one, error *e)
{
    size_t n = f->count;
    *w = (work){.f = f, .cluster = f->cluster, .gap = gap, .as_one = as_one, .box = {.dimension = f->dimension}};
    for (int k = 0; k < f->dimension; k++) {
        w->box.size[k] = f->box[k];
        w->box.periodic[k] = f->boundary[k] == FRAME_PERIODIC;
    }
    w->position = memory_new(n, sizeof *w->position);
    w->diameter = NEW_ARRAY(n, double);
    w->forest.parent = NEW_ARRAY(n, uint32_t);
    w->forest.offset = memory_new(n, sizeof *w->forest.offset);
    w->forest.round = NEW_ARRAY(n, bool);
    w->keys = NEW_ARRAY(n, uint64_t);
    w->space = NEW_ARRAY(n, uint64_t);
    w->group = NEW_ARRAY(n, uint32_t);
    bool good = w->position != NULL && w->diameter != NULL && w->forest.parent != NULL && w->forest.offset != NULL &&
                w->forest.round != NULL && w->keys != NULL && w->space != NULL && w->group != NULL;
    return good ? CAROM_OK : error_memory(e, "the clusters", n * 80);
}

/* Wraps positions into the box along periodic axes: a damaged file may contain any values. */
static carom_status take_particles(work *w, error *e)
{
    const carom_frame *f = w->f;
    for (int k = 0; k < f->dimension; k++)
        if (!(f->box[k] > 0) || isinf(f->box[k])) return error_set(e, CAROM_BAD_DATA, "error: the box has no size");
    for (size_t i = 0; i < f->count; i++) {
        bool good = f->radius[i] > 0 && isfinite(f->radius[i]) && isfinite(f->mass[i]);
        for (int k = 0; k < f->dimension; k++) {
            double x = f->position[i * (size_t)f->dimension + (size_t)k], side = f->box[k];
            if (w->box.periodic[k]) x -= floor(x / side) * side;
            if (w->box.periodic[k] && x >= side) x = 0;
            w->position[i][k] = x;
            good = good && isfinite(x);
        }
        if (!good)
            return error_set(e, CAROM_BAD_DATA, "error: particle %u has no valid position, radius or mass",
                             (unsigned)f->id[i]);
        w->diameter[i] = 2 * f->radius[i];
        w->forest.parent[i] = (uint32_t)i;
    }
    return CAROM_OK;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static bool keep_link(const packing_pair *pair, void *user)
{
    work *w = user;
    if (w->link_count == w->link_room) {
        size_t room = 2 * w->link_room + 1024;
        link *grown = memory_resize(w->links, w->link_room, room, sizeof *grown);
        w->full = grown == NULL;
        if (w->full) return false;
        w->links = grown;
        w->link_room = room;
    }
    double contact = w->f->radius[pair->i] + w->f->radius[pair->j];
    w->links[w->link_count++] = (link){.i = pair->i,
                                       .j = pair->j,
                                       .touching = pair->distance <= (1 + w->gap) * contact,
                                       .near = pair->distance <= SHAPE_NEAR * contact};
    return true;
}

static carom_status find_links(work *w, error *e)
{
    const double wider = 1 + 1e-9; /* packing_pairs leaves out those at exactly the distance */
    double scale = wider * fmax(SHAPE_NEAR, 1 + w->gap);
    w->links = NEW_ARRAY(1024, link);
    w->link_room = 1024;
    if (w->links == NULL) return error_memory(e, "the contacts", 1024 * sizeof *w->links);
    TRY(packing_pairs(&w->box, w->f->count, (const double(*)[3])w->position, w->diameter, scale, keep_link, w, e));
    return w->full ? error_memory(e, "the contacts", 2 * w->link_room * sizeof *w->links) : CAROM_OK;
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

/* The root of a particle, with path compression. */
static uint32_t find_root(forest *t, uint32_t particle)
{
    uint32_t root = particle;
    int32_t total[3] = {0, 0, 0};
    for (; t->parent[root] != root; root = t->parent[root])
        for (int k = 0; k < 3; k++) total[k] += t->offset[root][k];
    for (uint32_t at = particle; at != root;) {
        uint32_t above = t->parent[at];
        for (int k = 0; k < 3; k++) {
            int32_t own = t->offset[at][k];
            t->offset[at][k] = total[k];
            total[k] -= own;
        }
        t->parent[at] = root;
        at = above;
    }
    return root;
}

/* Periods to add to j's position for the image that is nearest to i. */
static void nearest_image(const work *w, uint32_t i, uint32_t j, int32_t shift[3])
{
    for (int k = 0; k < 3; k++) {
        bool periodic = k < w->box.dimension && w->box.periodic[k];
        shift[k] = periodic ? (int32_t)nearest_whole((w->position[i][k] - w->position[j][k]) / w->box.size[k]) : 0;
    }
}

/* Joins the trees of the two particles of a link; within one tree, tests whether the link connects it to its
 * periodic image. */
static void join(work *w, const link *l, bool check)
{
    forest *t = &w->forest;
    int32_t shift[3];
    uint32_t a = find_root(t, l->i), b = find_root(t, l->j);
    nearest_image(w, l->i, l->j, shift);
    for (int k = 0; k < 3; k++) /* displacement of the tree of j */
        shift[k] += t->offset[l->i][k] - t->offset[l->j][k];
    if (a == b) {
        if (check && (shift[0] != 0 || shift[1] != 0 || shift[2] != 0)) t->round[l->i] = true;
        return;
    }
    if (a < b) {
        t->parent[b] = a;
        memcpy(t->offset[b], shift, sizeof shift);
    } else {
        t->parent[a] = b;
        for (int k = 0; k < 3; k++) t->offset[a][k] = -shift[k];
    }
}

/* Contacts first; near pairs only if contacts do not connect a stored cluster. */
static void join_all(work *w)
{
    const uint32_t *cluster = w->cluster;
    for (size_t k = 0; k < w->link_count; k++) {
        const link *l = &w->links[k];
        if (l->touching && (cluster == NULL || cluster[l->i] == cluster[l->j])) join(w, l, true);
    }
    if (cluster == NULL) return;
    for (size_t k = 0; k < w->link_count; k++) {
        const link *l = &w->links[k];
        if (!l->touching && cluster[l->i] == cluster[l->j]) join(w, l, false);
    }
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    const shape_group *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id ? 1 : 0;
}

/* Whether a cluster begins at place k of the sorted keys. */
static bool begins(const work *w, size_t k)
{
    return k == 0 || w->keys[k] >> 32 != w->keys[k - 1] >> 32;
}

/* Sorts the particles by cluster, and within it by place; groups[k].first is its start in `keys`. */
static carom_status make_groups(work *w, shape_partition *p, error *e)
{
    const carom_frame *f = w->f;
    const uint32_t *cluster = w->cluster;
    for (size_t i = 0; i < f->count; i++) {
        uint64_t key = cluster != NULL ? cluster[i] : find_root(&w->forest, (uint32_t)i);
        w->keys[i] = (w->as_one ? 0 : key << 32) | i;
    }
    sort_u64(w->keys, w->space, f->count);
    for (size_t k = 0; k < f->count; k++)
        if (begins(w, k)) p->count++;
    p->groups = NEW_ARRAY(p->count, shape_group);
    if (p->groups == NULL) return error_memory(e, "the clusters", p->count * sizeof *p->groups);
    size_t found = 0;
    for (size_t k = 0; k < f->count; k++) {
        size_t i = w->keys[k] & UINT32_MAX;
        if (begins(w, k)) p->groups[found++] = (shape_group){.id = f->id[i], .first = k};
        shape_group *g = &p->groups[found - 1];
        if (f->id[i] < g->id) g->id = f->id[i];
        g->mass += f->mass[i];
        g->size++;
    }
    qsort(p->groups, p->count, sizeof *p->groups, by_size);
    return CAROM_OK;
}

static shape_state state_of(work *w, const shape_group *g)
{
    bool periodic = w->box.periodic[0] || w->box.periodic[1] || w->box.periodic[2];
    uint32_t root = find_root(&w->forest, w->keys[g->first] & UINT32_MAX);
    shape_state state = SHAPE_WHOLE;
    for (size_t k = g->first; periodic && k < g->first + g->size; k++) {
        uint32_t i = w->keys[k] & UINT32_MAX;
        if (w->forest.round[i]) return SHAPE_PERCOLATES;
        if (find_root(&w->forest, i) != root) state = SHAPE_APART;
    }
    return state;
}

/* Stores the particles of a group, which starts at `from` in the sorted keys. */
static void place_group(work *w, shape_partition *p, uint32_t number, size_t from)
{
    const shape_group *g = &p->groups[number];
    for (size_t k = 0; k < g->size; k++) {
        uint32_t i = w->keys[from + k] & UINT32_MAX;
        bool moved = g->state == SHAPE_WHOLE && find_root(&w->forest, i) != i;
        w->group[i] = number;
        p->place[g->first + k] = i;
        for (int a = 0; a < p->dimension; a++)
            p->position[g->first + k][a] = w->position[i][a] + (moved ? w->forest.offset[i][a] * p->box[a] : 0);
    }
}

static carom_status fill_partition(work *w, shape_partition *p, error *e)
{
    p->place = NEW_ARRAY(p->particles, uint32_t);
    p->position = memory_new(p->particles, sizeof *p->position);
    if (p->place == NULL || p->position == NULL) return error_memory(e, "the clusters", p->particles * 28);
    size_t first = 0;
    for (size_t k = 0; k < p->count; k++) {
        shape_group *g = &p->groups[k];
        size_t from = g->first;
        g->state = state_of(w, g);
        g->first = first;
        place_group(w, p, (uint32_t)k, from);
        first += g->size;
    }
    for (size_t k = 0; k < w->link_count; k++) {
        const link *l = &w->links[k];
        if (l->near && w->group[l->i] == w->group[l->j]) p->groups[w->group[l->i]].near_pairs++;
    }
    return CAROM_OK;
}

static carom_status divide(work *w, shape_partition *p, error *e)
{
    TRY(take_particles(w, e));
    TRY(find_links(w, e));
    join_all(w);
    TRY(make_groups(w, p, e));
    return fill_partition(w, p, e);
}

carom_status shape_partition_create(shape_partition *p, const carom_frame *f, double gap, bool as_one, error *e)
{
    work w;
    frame_need(f, FRAME_POSITION | FRAME_RADIUS | FRAME_MASS | FRAME_ID | FRAME_CLUSTER);
    *p = (shape_partition){.dimension = f->dimension, .particles = f->count};
    carom_status status = work_create(&w, f, gap, as_one, e);
    p->source = as_one ? SHAPE_ONE : w.cluster != NULL ? SHAPE_STORED : SHAPE_CONTACTS;
    for (int k = 0; k < f->dimension; k++) {
        p->box[k] = f->box[k];
        p->periodic[k] = w.box.periodic[k];
    }
    if (status == CAROM_OK) status = divide(&w, p, e);
    for (size_t i = 0; i < f->count; i++) p->radius += f->radius[i] / (double)f->count;
    work_free(&w);
    if (status != CAROM_OK) shape_partition_destroy(p);
    return status;
}

void shape_partition_destroy(shape_partition *p)
{
    memory_free(p->groups);
    memory_free(p->place);
    memory_free(p->position);
    *p = (shape_partition){0};
}
