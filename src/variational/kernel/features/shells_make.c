/* Creation of shells from their draft. */
#include "variational/kernel/features/shell_draft.h"

#include "base/memory.h"
#include "base/sort.h"

/* ---- order ------------------------------------------------------------------------------------------------------- */

static uint32_t first_node(const uint32_t *at, int count)
{
    uint32_t first = at[0];
    for (int q = 1; q < count; q++) first = at[q] < first ? at[q] : first;
    return first;
}

/* The elements in the order of their first nodes, so that elements with common nodes are close in memory. */
static void sort_elements(const shell_draft *d, uint64_t *key, uint64_t *space, bool hinges)
{
    const uint32_t count = hinges ? d->hinge_count : d->triangle_count;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t first = hinges ? first_node(d->hinge[n].at, 4) : first_node(d->triangle[n].at, 3);
        key[n] = (uint64_t)first << 32 | n;
    }
    sort_u64(key, space, count);
}

static void fill_class(shells *s, const shell_draft *d, const uint64_t *triangles, const uint64_t *hinges,
                       uint32_t class)
{
    shell_class *c = &s->class[class];
    c->triangle = s->triangle + s->triangle_count;
    c->hinge = s->hinge + s->hinge_count;
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const uint32_t from = (uint32_t)triangles[n];
        if (d->triangle_class[from] != class) continue;
        c->damped = c->damped || d->triangle[from].viscous > 0;
        c->triangle[c->triangle_count++] = d->triangle[from];
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const uint32_t from = (uint32_t)hinges[n];
        if (d->hinge_class[from] != class) continue;
        c->damped = c->damped || d->hinge[from].viscous > 0;
        c->plastic = c->plastic || isfinite(d->hinge[from].yield);
        c->hinge[c->hinge_count++] = d->hinge[from];
    }
    s->triangle_count += c->triangle_count;
    s->hinge_count += c->hinge_count;
    s->plastic = s->plastic || c->plastic;
}

typedef enum element_kind { TRIANGLES, HINGES } element_kind;

static size_t slots_of(const shell_class *c, element_kind kind)
{
    return kind == TRIANGLES ? 3 * (size_t)c->triangle_count : 4 * (size_t)c->hinge_count;
}

/* The node at a slot: its index in the class's list or, before that exists, in the world. */
static uint32_t *corner_of(const shell_class *c, element_kind kind, size_t slot)
{
    return kind == TRIANGLES ? &c->triangle[slot / 3].at[slot % 3] : &c->hinge[slot / 4].at[slot % 4];
}

/* Converts the nodes of elements into indices of the class's list. */
static bool list_nodes(const world *w, shell_class *c, uint32_t *local)
{
    for (uint32_t i = 0; i < w->count; i++) local[i] = NONE;
    for (element_kind kind = TRIANGLES; kind <= HINGES; kind++)
        for (size_t q = 0; q < slots_of(c, kind); q++) local[*corner_of(c, kind, q)] = 0;
    for (uint32_t i = 0; i < w->count; i++) c->node_count += local[i] == 0;
    c->node = NEW_ARRAY(c->node_count, uint32_t);
    if (c->node == NULL) return false;
    c->node_count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (local[i] == NONE) continue;
        local[i] = c->node_count;
        c->node[c->node_count++] = i;
    }
    for (element_kind kind = TRIANGLES; kind <= HINGES; kind++)
        for (size_t q = 0; q < slots_of(c, kind); q++) *corner_of(c, kind, q) = local[*corner_of(c, kind, q)];
    return true;
}

/* The slots of each node, in the order of the elements. */
static bool list_slots(const shell_class *c, element_kind kind, slot_list *of)
{
    const size_t slots = slots_of(c, kind);
    of->first = NEW_ARRAY((size_t)c->node_count + 2, uint32_t);
    of->at = NEW_ARRAY(slots, uint32_t);
    if (of->first == NULL || of->at == NULL) return false;
    uint32_t *end = of->first + 1; /* during filling: place of a node's next slot */
    for (size_t q = 0; q < slots; q++) end[*corner_of(c, kind, q) + 1]++;
    for (uint32_t n = 0; n < c->node_count; n++) end[n + 1] += end[n];
    for (size_t q = 0; q < slots; q++) of->at[end[*corner_of(c, kind, q)]++] = (uint32_t)q;
    return true;
}

static size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Work arrays for one class at a time. */
static bool make_shell_room(shells *s)
{
    size_t nodes = 0, slots = 0, hinges = 0;
    bool damped = false;
    for (uint32_t k = 0; k < s->class_count; k++) {
        const shell_class *c = &s->class[k];
        nodes = larger_size(nodes, c->node_count);
        slots = larger_size(slots, larger_size(slots_of(c, TRIANGLES), slots_of(c, HINGES)));
        hinges = larger_size(hinges, c->plastic ? c->hinge_count : 0);
        damped = damped || c->damped;
    }
    s->at = NEW_ARRAY(nodes, shell_place);
    s->slot = memory_new(slots, sizeof *s->slot);
    s->force = memory_new(nodes, sizeof *s->force);
    s->drag = memory_new(damped ? nodes : 0, sizeof *s->drag);
    s->lost = NEW_ARRAY(hinges, double);
    s->damped = NEW_ARRAY(damped ? nodes : 0, double);
    return s->at != NULL && s->slot != NULL && s->force != NULL && s->drag != NULL && s->lost != NULL &&
           s->damped != NULL;
}

/* Arrays of the last kicks, for the ledger of dissipative contacts. */
static bool make_kicks(const world *w, shells *s)
{
    for (uint32_t k = 0; k < s->class_count; k++) s->kick_count += s->class[k].node_count;
    s->kick = memory_new(s->kick_count, sizeof *s->kick);
    s->first_seat = NEW_ARRAY((size_t)w->count + 2, uint32_t);
    s->seat = NEW_ARRAY(s->kick_count, shell_seat);
    if (s->kick == NULL || s->first_seat == NULL || s->seat == NULL) return false;
    uint32_t *end = s->first_seat + 1; /* during filling: place of a node's next seat */
    double(*next)[3] = s->kick;
    for (uint32_t k = 0; k < s->class_count; k++) {
        s->class[k].kick = next;
        next += s->class[k].node_count;
        for (uint32_t n = 0; n < s->class[k].node_count; n++) end[s->class[k].node[n] + 1]++;
    }
    for (uint32_t i = 0; i < w->count; i++) end[i + 1] += end[i];
    for (uint32_t k = 0; k < s->class_count; k++)
        for (uint32_t n = 0; n < s->class[k].node_count; n++) s->seat[end[s->class[k].node[n]]++] = (shell_seat){k, n};
    return true;
}

static bool fill_shells(const world *w, shells *s, const shell_draft *d)
{
    uint64_t *triangles = NEW_ARRAY(d->triangle_count, uint64_t), *hinges = NEW_ARRAY(d->hinge_count, uint64_t);
    uint64_t *space = NEW_ARRAY(larger_size(d->triangle_count, d->hinge_count), uint64_t);
    uint32_t *local = NEW_ARRAY(w->count, uint32_t);
    bool made = triangles != NULL && hinges != NULL && space != NULL && local != NULL;
    if (made) sort_elements(d, triangles, space, false);
    if (made) sort_elements(d, hinges, space, true);
    for (uint32_t k = 0; made && k < SHELL_CLASSES; k++) {
        fill_class(s, d, triangles, hinges, k);
        shell_class *c = &s->class[k];
        made = list_nodes(w, c, local) && list_slots(c, TRIANGLES, &c->triangle_slots) &&
               list_slots(c, HINGES, &c->hinge_slots);
        if (c->node_count > 0) s->class_count = k + 1;
    }
    memory_free(triangles);
    memory_free(hinges);
    memory_free(space);
    memory_free(local);
    return made && make_shell_room(s) && (w->contacts.elastic || make_kicks(w, s));
}

static carom_status add_shell_clocks(world *w, double longest, error *e)
{
    shells *s = w->shells;
    for (uint32_t k = 0; k < s->class_count; k++) {
        s->step[k] = ldexp(longest, -(int)k);
        if (s->class[k].node_count > 0 && clock_add(w, CLOCK_SHELLS, k, 0, s->step[k]) == NONE)
            return error_memory(e, "clocks", sizeof(clock));
    }
    return CAROM_OK;
}

static carom_status make_shells(world *w, shell_draft *d, error *e)
{
    TRY(shell_draft_classes(w, d, e));
    shells *s = w->shells = NEW_ARRAY(1, shells);
    if (s == NULL) return error_memory(e, "shells", sizeof *s);
    s->triangle = NEW_ARRAY(d->triangle_count, shell_triangle);
    s->hinge = NEW_ARRAY(d->hinge_count, shell_hinge);
    if (s->triangle == NULL || s->hinge == NULL || !fill_shells(w, s, d))
        return error_memory(e, "shells", d->triangle_count * sizeof *s->triangle + d->hinge_count * sizeof *s->hinge);
    return add_shell_clocks(w, d->longest, e);
}
