/* Neighbour lists: entries, and their memory. */
#include "variational/kernel/broad/origins.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

#include <assert.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Blocks have FIRST_ENTRIES entries (a cache line), or 2, 4, 8 ... times as many. */
enum { FIRST_ENTRIES = 4, SLAB_ENTRIES = 1 << 14 };

static bool pool_add_slab(list_pool *s, uint32_t entries)
{
    neighbour *slab = NEW_ARRAY((size_t)entries + FIRST_ENTRIES, neighbour);
    if (slab == NULL) return false;
    free_block *link = (free_block *)(void *)slab;
    link->next = s->slab;
    s->slab = link;
    s->next = slab + FIRST_ENTRIES;
    s->left = entries;
    return true;
}

/* The remainder of a slab is lost when a new one begins. It is small, as most lists are short. */
static neighbour *pool_take(list_pool *s, int size)
{
    const uint32_t entries = (uint32_t)FIRST_ENTRIES << size;
    free_block *again = s->unused[size];
    if (again != NULL) {
        s->unused[size] = again->next;
        return (neighbour *)(void *)again;
    }
    if (s->left < entries && !pool_add_slab(s, entries > SLAB_ENTRIES ? entries : SLAB_ENTRIES)) return NULL;
    neighbour *at = s->next;
    s->next += entries;
    s->left -= entries;
    return at;
}

static void pool_give(list_pool *s, neighbour *at, int size)
{
    free_block *link = (free_block *)(void *)at;
    link->next = s->unused[size];
    s->unused[size] = link;
}

static bool list_grow(grid *n, list *l)
{
    int size = 0;
    while ((uint32_t)FIRST_ENTRIES << size <= l->capacity) size++;
    if (size >= POOL_SIZES) return false;
    neighbour *at = pool_take(&n->list_pool, size);
    if (at == NULL) return false;
    if (l->count > 0) memcpy(at, l->at, l->count * sizeof *at);
    if (l->capacity > 0) pool_give(&n->list_pool, l->at, size - 1);
    l->at = at;
    l->capacity = (uint32_t)FIRST_ENTRIES << size;
    return true;
}

static void lists_destroy(grid *n)
{
    for (free_block *slab = n->list_pool.slab, *before; slab != NULL; slab = before) {
        before = slab->next;
        memory_free(slab);
    }
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static neighbour *list_seek(const list *l, uint32_t element)
{
    for (uint32_t k = 0; k < l->count; k++)
        if (l->at[k].partner == element) return &l->at[k];
    return NULL;
}

static neighbour *list_find(list *l, uint32_t element)
{
    neighbour *n = list_seek(l, element);
    assert(n != NULL && "a neighbour");
    return n;
}

static bool list_add(grid *n, list *l, uint32_t element)
{
    if (l->count == l->capacity && !list_grow(n, l)) return false;
    l->at[l->count++] = (neighbour){element, NONE, -INFINITY};
    return true;
}

static void list_drop(list *l, neighbour *n)
{
    assert(n->contact == NONE);
    *n = l->at[--l->count];
}

static uint32_t *search_mark_of(const world *w, grid *n, uint32_t element)
{
    return is_part(w, element) ? &n->mark[element - w->count] : &n->origin[element].mark;
}

/* Removes entries that the search has not found, except contacts with active layers, and adds new ones. The search
 * may find an element twice: cells may share a hash in the mesh grid. */
static bool list_renew(world *w, grid *n, uint32_t i, const uint32_t *all, uint32_t count)
{
    list *mine = &w->neighbours.list[i];
    uint32_t found = ++n->marks, known = ++n->marks;
    for (uint32_t k = 0; k < count; k++)
        if (all[k] < NODES) *search_mark_of(w, n, all[k]) = found;
    for (uint32_t k = mine->count; k-- > 0;) {
        uint32_t partner = mine->at[k].partner;
        if (mine->at[k].contact != NONE || (partner < NODES && *search_mark_of(w, n, partner) == found)) {
            if (partner < NODES) *search_mark_of(w, n, partner) = known;
            continue;
        }
        if (partner < NODES) list_drop(&w->neighbours.list[partner], list_find(&w->neighbours.list[partner], i));
        list_drop(mine, &mine->at[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t partner = all[k];
        if (partner < NODES ? *search_mark_of(w, n, partner) == known : list_seek(mine, partner) != NULL) continue;
        if (partner < NODES) *search_mark_of(w, n, partner) = known;
        if (!list_add(n, mine, partner) || (partner < NODES && !list_add(n, &w->neighbours.list[partner], i)))
            return false;
    }
    return true;
}

static bool lists_add_pair(world *w, uint32_t i, uint32_t partner, double until, double back)
{
    list *mine = &w->neighbours.list[i], *other = partner < NODES ? &w->neighbours.list[partner] : NULL;
    if (!list_add(w->neighbours.grid, mine, partner) || (other != NULL && !list_add(w->neighbours.grid, other, i)))
        return false;
    mine->at[mine->count - 1].until = until;
    if (other != NULL) other->at[other->count - 1].until = back;
    return true;
}

static void lists_empty(world *w, uint32_t i)
{
    list *mine = &w->neighbours.list[i];
    for (uint32_t k = mine->count; k-- > 0;) {
        const uint32_t partner = mine->at[k].partner;
        if (partner < NODES) list_drop(&w->neighbours.list[partner], list_find(&w->neighbours.list[partner], i));
        list_drop(mine, &mine->at[k]);
    }
}

static void lists_remove_untouchable(world *w, uint32_t i)
{
    list *mine = &w->neighbours.list[i];
    for (uint32_t k = mine->count; k-- > 0;) {
        const uint32_t partner = mine->at[k].partner;
        if (!never_touch(w, i, partner)) continue;
        if (partner < NODES) list_drop(&w->neighbours.list[partner], list_find(&w->neighbours.list[partner], i));
        list_drop(mine, &mine->at[k]);
    }
}
