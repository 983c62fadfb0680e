/* Lists: what enters and leaves them; and where they lie. */
#include "variational/kernel/broad/origins.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

#include <assert.h>

/* ---- the shelf --------------------------------------------------------------------------------------------------- */

/* Blocks have FIRST entries, a cache line, or twice that, four times ... */
enum { FIRST_ENTRIES = 4, SLAB_ENTRIES = 1 << 14 };

static bool add_slab(shelf *s, uint32_t entries)
{
    neighbour *slab = NEW_ARRAY((size_t)entries + FIRST_ENTRIES, neighbour);
    if (slab == NULL) return false;
    spare *link = (spare *)(void *)slab;
    link->next = s->slab;
    s->slab = link;
    s->next = slab + FIRST_ENTRIES;
    s->left = entries;
    return true;
}

/* What is left of a slab when a new one is begun is lost: little, as most lists are short. */
static neighbour *take_block(shelf *s, int size)
{
    const uint32_t entries = (uint32_t)FIRST_ENTRIES << size;
    spare *again = s->unused[size];
    if (again != NULL) {
        s->unused[size] = again->next;
        return (neighbour *)(void *)again;
    }
    if (s->left < entries && !add_slab(s, entries > SLAB_ENTRIES ? entries : SLAB_ENTRIES)) return NULL;
    neighbour *at = s->next;
    s->next += entries;
    s->left -= entries;
    return at;
}

static void give_block(shelf *s, neighbour *at, int size)
{
    spare *link = (spare *)(void *)at;
    link->next = s->unused[size];
    s->unused[size] = link;
}

static bool list_grow(near *n, list *l)
{
    int size = 0;
    while ((uint32_t)FIRST_ENTRIES << size <= l->capacity) size++;
    if (size >= SHELF_SIZES) return false;
    neighbour *at = take_block(&n->shelf, size);
    if (at == NULL) return false;
    if (l->count > 0) memcpy(at, l->at, l->count * sizeof *at);
    if (l->capacity > 0) give_block(&n->shelf, l->at, size - 1);
    l->at = at;
    l->capacity = (uint32_t)FIRST_ENTRIES << size;
    return true;
}

static void lists_destroy(near *n)
{
    for (spare *slab = n->shelf.slab, *before; slab != NULL; slab = before) {
        before = slab->next;
        memory_free(slab);
    }
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static neighbour *near_seek(const list *l, uint32_t who)
{
    for (uint32_t k = 0; k < l->count; k++)
        if (l->at[k].who == who) return &l->at[k];
    return NULL;
}

static neighbour *near_find(list *l, uint32_t who)
{
    neighbour *n = near_seek(l, who);
    assert(n != NULL && "a neighbour");
    return n;
}

static bool list_add(near *n, list *l, uint32_t who)
{
    if (l->count == l->capacity && !list_grow(n, l)) return false;
    l->at[l->count++] = (neighbour){who, NOBODY, -INFINITY};
    return true;
}

static void list_drop(list *l, neighbour *n)
{
    assert(n->contact == NOBODY);
    *n = l->at[--l->count];
}

static uint32_t *mark_of(const world *w, near *n, uint32_t who)
{
    return is_part(w, who) ? &n->mark[who - w->count] : &n->home[who].mark;
}

/* What is no longer found leaves, but for those with layers awake; what is found anew enters. Some are found twice:
 * cells may share a place in the net. */
static bool near_renew_list(world *w, near *n, uint32_t i, const uint32_t *all, uint32_t count)
{
    list *mine = &w->list[i];
    uint32_t found = ++n->marks, known = ++n->marks;
    for (uint32_t k = 0; k < count; k++)
        if (all[k] < NODES) *mark_of(w, n, all[k]) = found;
    for (uint32_t k = mine->count; k-- > 0;) {
        uint32_t who = mine->at[k].who;
        if (mine->at[k].contact != NOBODY || (who < NODES && *mark_of(w, n, who) == found)) {
            if (who < NODES) *mark_of(w, n, who) = known;
            continue;
        }
        if (who < NODES) list_drop(&w->list[who], near_find(&w->list[who], i));
        list_drop(mine, &mine->at[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t who = all[k];
        if (who < NODES ? *mark_of(w, n, who) == known : near_seek(mine, who) != NULL) continue;
        if (who < NODES) *mark_of(w, n, who) = known;
        if (!list_add(n, mine, who) || (who < NODES && !list_add(n, &w->list[who], i))) return false;
    }
    return true;
}

static bool near_pair(world *w, uint32_t i, uint32_t who, double until, double back)
{
    list *mine = &w->list[i], *other = who < NODES ? &w->list[who] : NULL;
    if (!list_add(w->near, mine, who) || (other != NULL && !list_add(w->near, other, i))) return false;
    mine->at[mine->count - 1].until = until;
    if (other != NULL) other->at[other->count - 1].until = back;
    return true;
}

static void near_part(world *w, uint32_t i)
{
    list *mine = &w->list[i];
    for (uint32_t k = mine->count; k-- > 0;) {
        const uint32_t who = mine->at[k].who;
        if (!never_touch(w, i, who)) continue;
        if (who < NODES) list_drop(&w->list[who], near_find(&w->list[who], i));
        list_drop(mine, &mine->at[k]);
    }
}
