/* Creation of shells from their draft. */
#include "variational/kernel/features/shells_plates.h"

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
    shell_set *set = &c->set;
    set->triangle = s->triangle + s->triangle_count;
    set->hinge = s->hinge + s->hinge_count;
    shell_membrane *membrane = s->membrane != NULL ? s->membrane + s->triangle_count : NULL;
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const uint32_t from = (uint32_t)triangles[n];
        if (d->triangle_class[from] != class) continue;
        c->damped = c->damped || d->triangle[from].viscous > 0;
        if (membrane != NULL) membrane[set->triangle_count] = d->membrane[from];
        if (membrane != NULL && membrane[set->triangle_count].kind != MEMBRANE_LINEAR) set->membrane = membrane;
        set->triangle[set->triangle_count++] = d->triangle[from];
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const uint32_t from = (uint32_t)hinges[n];
        if (d->hinge_class[from] != class) continue;
        c->damped = c->damped || d->hinge[from].viscous > 0;
        c->plastic = c->plastic || isfinite(d->hinge[from].yield);
        set->hinge[set->hinge_count++] = d->hinge[from];
    }
    for (int k = 0; k < DAMPING_GROUPS; k++) c->group[k].stages = d->stages[class][k];
    s->triangle_count += set->triangle_count;
    s->hinge_count += set->hinge_count;
    s->plastic = s->plastic || c->plastic;
}

typedef enum element_kind { TRIANGLES, HINGES } element_kind;

static size_t corners_in(const shell_set *set, element_kind kind)
{
    return kind == TRIANGLES ? 3 * (size_t)set->triangle_count : 4 * (size_t)set->hinge_count;
}

/* The node at a corner, counted over all elements of a kind: its index in the set's list or, before that exists, in the whole. */
static uint32_t *corner_of(const shell_set *set, element_kind kind, size_t corner)
{
    return kind == TRIANGLES ? &set->triangle[corner / 3].at[corner % 3] : &set->hinge[corner / 4].at[corner % 4];
}

/* Converts the nodes of elements, of a whole of so many, into indices of the set's list. */
static bool list_nodes(shell_set *set, uint32_t whole, uint32_t *local)
{
    for (uint32_t i = 0; i < whole; i++) local[i] = NONE;
    for (element_kind kind = TRIANGLES; kind <= HINGES; kind++)
        for (size_t q = 0; q < corners_in(set, kind); q++) local[*corner_of(set, kind, q)] = 0;
    for (uint32_t i = 0; i < whole; i++) set->node_count += local[i] == 0;
    set->node = NEW_ARRAY(set->node_count, uint32_t);
    if (set->node == NULL) return false;
    set->node_count = 0;
    for (uint32_t i = 0; i < whole; i++) {
        if (local[i] == NONE) continue;
        local[i] = set->node_count;
        set->node[set->node_count++] = i;
    }
    for (element_kind kind = TRIANGLES; kind <= HINGES; kind++)
        for (size_t q = 0; q < corners_in(set, kind); q++) *corner_of(set, kind, q) = local[*corner_of(set, kind, q)];
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------------------------------- */

/* The smallest index of the nodes of an element. */
static uint32_t start_of(const shell_set *set, element_kind kind, uint32_t n)
{
    return kind == TRIANGLES ? first_node(set->triangle[n].at, 3) : first_node(set->hinge[n].at, 4);
}

static bool element_reaches(const shell_set *set, element_kind kind, uint32_t n, uint32_t from)
{
    const int corners = kind == TRIANGLES ? 3 : 4;
    for (int q = 0; q < corners; q++)
        if (*corner_of(set, kind, (size_t)corners * n + (size_t)q) >= from) return true;
    return false;
}

/* Elements are sorted by their first nodes. */
static bool make_span(const shell_set *set, element_kind kind, const shell_part *part, element_span *span)
{
    const uint32_t count = kind == TRIANGLES ? set->triangle_count : set->hinge_count;
    while (span->from < count && start_of(set, kind, span->from) < part->node_from) span->from++;
    span->to = span->from;
    while (span->to < count && start_of(set, kind, span->to) < part->node_to) span->to++;
    for (uint32_t n = 0; n < span->from; n++) span->before_count += element_reaches(set, kind, n, part->node_from);
    span->before = NEW_ARRAY(span->before_count, uint32_t);
    if (span->before == NULL) return false;
    for (uint32_t n = 0, q = 0; n < span->from; n++)
        if (element_reaches(set, kind, n, part->node_from)) span->before[q++] = n;
    return true;
}

static bool make_parts(shell_set *set, int threads)
{
    const uint32_t count = set->triangle_count + set->hinge_count > FEW_ELEMENTS ? (uint32_t)threads : 1;
    set->part = NEW_ARRAY(count, shell_part);
    if (set->part == NULL) return false;
    for (; set->part_count < count; set->part_count++) {
        shell_part *part = &set->part[set->part_count];
        part->node_from = (uint32_t)((uint64_t)set->node_count * set->part_count / count);
        part->node_to = (uint32_t)((uint64_t)set->node_count * (set->part_count + 1) / count);
        if (!make_span(set, TRIANGLES, part, &part->triangles) || !make_span(set, HINGES, part, &part->hinges))
            return false;
    }
    return true;
}

static bool list_set(shell_set *set, uint32_t whole, int threads, uint32_t *local)
{
    return list_nodes(set, whole, local) && make_parts(set, threads);
}

/* ---- groups of damping ------------------------------------------------------------------------------------------- */

static bool fill_group(const shell_class *c, damping_group *g, uint32_t group, int threads, uint32_t *local)
{
    shell_set *set = &g->set;
    for (uint32_t n = 0; n < c->set.triangle_count; n++) set->triangle_count += c->set.triangle[n].group == group;
    for (uint32_t n = 0; n < c->set.hinge_count; n++) set->hinge_count += c->set.hinge[n].group == group;
    set->triangle = NEW_ARRAY(set->triangle_count, shell_triangle);
    set->hinge = NEW_ARRAY(set->hinge_count, shell_hinge);
    g->hinge_of = NEW_ARRAY(set->hinge_count, uint32_t);
    if (c->set.membrane != NULL) set->membrane = g->membrane = NEW_ARRAY(set->triangle_count, shell_membrane);
    if (set->triangle == NULL || set->hinge == NULL || g->hinge_of == NULL ||
        (c->set.membrane != NULL && g->membrane == NULL))
        return false;
    set->triangle_count = set->hinge_count = 0;
    for (uint32_t n = 0; n < c->set.triangle_count; n++) {
        if (c->set.triangle[n].group != group) continue;
        if (g->membrane != NULL) g->membrane[set->triangle_count] = c->set.membrane[n];
        set->triangle[set->triangle_count++] = c->set.triangle[n];
    }
    for (uint32_t n = 0; n < c->set.hinge_count; n++) {
        if (c->set.hinge[n].group != group) continue;
        g->hinge_of[set->hinge_count] = n;
        set->hinge[set->hinge_count++] = c->set.hinge[n];
    }
    return list_set(set, c->set.node_count, threads, local);
}

static bool fill_groups(shell_class *c, int threads, uint32_t *local)
{
    bool made = true;
    for (uint32_t k = 0; made && c->damped && k < DAMPING_GROUPS; k++)
        if (c->group[k].stages > 0) made = fill_group(c, &c->group[k], k, threads, local);
    return made;
}

static size_t larger_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Work arrays for one class at a time. */
static bool make_shell_room(shells *s)
{
    size_t nodes = 0, plastic = 0, damped = 0, turns = 0, off = 0, plates = 0, flow = 0, row_flow = 0;
    for (uint32_t k = 0; k < s->class_count; k++) {
        const shell_class *c = &s->class[k];
        nodes = larger_size(nodes, c->set.node_count);
        plastic = larger_size(plastic, c->plastic ? c->set.hinge_count : 0);
        damped = larger_size(damped, c->damped ? c->set.node_count : 0);
        turns = larger_size(turns, c->turns ? c->set.hinge_count : 0);
        off = larger_size(off, c->plate_count > 0 ? c->set.hinge_count : 0);
        plates = larger_size(plates, c->plate_count);
        flow = larger_size(flow, 3 * (size_t)c->yield_count);
        row_flow = larger_size(row_flow, c->yield_count > 0 ? c->plate_count : 0);
    }
    s->at = NEW_ARRAY(nodes, shell_place);
    s->force = memory_new(nodes, sizeof *s->force);
    s->drag = memory_new(damped, sizeof *s->drag);
    s->lost = NEW_ARRAY(plastic, double);
    s->damped = NEW_ARRAY(damped, double);
    s->stage = NEW_ARRAY(damped, shell_stage);
    s->gradient = memory_new(turns, sizeof *s->gradient);
    s->moment = NEW_ARRAY(turns, double);
    s->stage_force = memory_new(damped, sizeof *s->stage_force);
    s->off = NEW_ARRAY(off, double);
    s->plate_state = NEW_ARRAY(plates, plate_state);
    s->flow = NEW_ARRAY(flow, double);
    s->row_flow = NEW_ARRAY(row_flow, double);
    return s->at != NULL && s->force != NULL && s->drag != NULL && s->lost != NULL && s->damped != NULL &&
           s->stage != NULL && s->gradient != NULL && s->off != NULL && s->plate_state != NULL && s->moment != NULL &&
           s->stage_force != NULL && s->flow != NULL && s->row_flow != NULL;
}

static void find_shared(shells *s)
{
    for (uint32_t k = 0; k < s->class_count; k++) {
        shell_class *c = &s->class[k];
        for (uint32_t n = 0; n < c->set.node_count && !c->shares; n++)
            c->shares = s->first_seat[c->set.node[n] + 1] - s->first_seat[c->set.node[n]] > 1;
    }
}

/* Whether a kick of one class may appear as motion to the damping of another, or any kick to a dissipative contact. */
static bool needs_kicks(const world *w, const shells *s)
{
    uint32_t classes = 0;
    bool damped = false;
    for (uint32_t k = 0; k < s->class_count; k++) {
        classes += s->class[k].set.node_count > 0;
        damped = damped || s->class[k].damped;
    }
    return !w->contacts.elastic || (damped && classes > 1);
}

/* Arrays of the last kicks. */
static bool make_kicks(const world *w, shells *s)
{
    for (uint32_t k = 0; k < s->class_count; k++) s->kick_count += s->class[k].set.node_count;
    s->kick = memory_new(s->kick_count, sizeof *s->kick);
    s->first_seat = NEW_ARRAY((size_t)w->count + 2, uint32_t);
    s->seat = NEW_ARRAY(s->kick_count, shell_seat);
    if (s->kick == NULL || s->first_seat == NULL || s->seat == NULL) return false;
    uint32_t *end = s->first_seat + 1; /* during filling: place of a node's next seat */
    double(*next)[3] = s->kick;
    for (uint32_t k = 0; k < s->class_count; k++) {
        s->class[k].kick = next;
        next += s->class[k].set.node_count;
        for (uint32_t n = 0; n < s->class[k].set.node_count; n++) end[s->class[k].set.node[n] + 1]++;
    }
    for (uint32_t i = 0; i < w->count; i++) end[i + 1] += end[i];
    for (uint32_t k = 0; k < s->class_count; k++)
        for (uint32_t n = 0; n < s->class[k].set.node_count; n++)
            s->seat[end[s->class[k].set.node[n]]++] = (shell_seat){k, (uint32_t)(s->class[k].kick - s->kick) + n};
    find_shared(s);
    return true;
}

static bool fill_shells(const world *w, shells *s, const shell_draft *d)
{
    uint64_t *triangles = NEW_ARRAY(d->triangle_count, uint64_t), *hinges = NEW_ARRAY(d->hinge_count, uint64_t);
    uint64_t *space = NEW_ARRAY(larger_size(d->triangle_count, d->hinge_count), uint64_t);
    const size_t rows = d->plate == NULL ? 0 : d->hinge_count;
    uint32_t *local = NEW_ARRAY(w->count, uint32_t), *row_of = NEW_ARRAY(rows, uint32_t);
    s->plate = NEW_ARRAY(rows, plate_row);
    s->yield = NEW_ARRAY(d->yield_count, plate_yield);
    s->yield_parts = memory_new(d->yield_count > 0 ? rows : 0, sizeof *s->yield_parts);
    bool made = triangles != NULL && hinges != NULL && space != NULL && local != NULL && row_of != NULL &&
                s->plate != NULL && s->yield != NULL && s->yield_parts != NULL;
    if (made) sort_elements(d, triangles, space, false);
    if (made) sort_elements(d, hinges, space, true);
    for (uint32_t k = 0; made && k < SHELL_CLASSES; k++) {
        fill_class(s, d, triangles, hinges, k);
        if (rows > 0) fill_plates(s, d, hinges, k, row_of);
        shell_class *c = &s->class[k];
        c->turns = c->damped || c->plastic || c->plate_count > 0;
        made = list_set(&c->set, w->count, w->team.most, local) && fill_groups(c, w->team.most, local);
        if (c->set.node_count > 0) s->class_count = k + 1;
    }
    memory_free(triangles);
    memory_free(hinges);
    memory_free(space);
    memory_free(local);
    memory_free(row_of);
    return made && make_shell_room(s) && (!needs_kicks(w, s) || make_kicks(w, s));
}

static carom_status add_shell_clocks(world *w, double longest, error *e)
{
    shells *s = w->shells;
    for (uint32_t k = 0; k < s->class_count; k++) {
        s->step[k] = ldexp(longest, -(int)k);
        if (s->class[k].set.node_count > 0 && clock_add(w, CLOCK_SHELLS, k, 0, s->step[k]) == NONE)
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
    s->membrane = d->membrane != NULL ? NEW_ARRAY(d->triangle_count, shell_membrane) : NULL;
    s->hinge = NEW_ARRAY(d->hinge_count, shell_hinge);
    if (s->triangle == NULL || (d->membrane != NULL && s->membrane == NULL) || s->hinge == NULL ||
        !fill_shells(w, s, d))
        return error_memory(e, "shells", d->triangle_count * sizeof *s->triangle + d->hinge_count * sizeof *s->hinge);
    return add_shell_clocks(w, d->longest, e);
}
