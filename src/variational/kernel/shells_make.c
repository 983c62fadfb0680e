/* Making shells: elements from meshes, and which class each is in. */
#include "variational/kernel/shells.h"

#include "variational/kernel/elements.h"
#include "variational/kernel/springs.h"

#include "base/memory.h"
#include "base/sort.h"
#include "mesh/topology.h"
#include "scene/where.h"

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Elements with the numbers of their nodes, before they are sorted. */
typedef struct draft {
    shell_triangle *triangle;
    shell_hinge *hinge;
    uint32_t triangle_count, hinge_count;
    double *pull, *drag; /* [nodes] sums of what elements pull with, and drag */
    uint8_t *triangle_class, *hinge_class;
    double longest; /* step of class 0 */
} draft;

static bool stretches(const scene_mesh *from)
{
    return !from->rigid && from->thickness > 0 && from->stretch + from->stretch_damping > 0;
}

static bool bends(const scene_mesh *from)
{
    return !from->rigid && from->thickness > 0 && from->bend + from->bend_damping > 0;
}

/* Whether any of them can be moved. */
static bool is_free(const world *w, const uint32_t *at, int count)
{
    bool any = false;
    for (int q = 0; q < count; q++) any = any || w->node[at[q]].w != 0;
    return any;
}

static void add_triangles(const world *w, draft *d, const scene_mesh *from, const mesh *m, size_t first)
{
    for (size_t n = 0; n < m->triangle_count; n++) {
        const uint32_t *corner = m->triangles[n];
        shell_triangle *s = &d->triangle[d->triangle_count];
        for (int q = 0; q < 3; q++) s->at[q] = w->index_of[first + corner[q]];
        bool made = triangle_set(s, m->vertices[corner[0]], m->vertices[corner[1]], m->vertices[corner[2]],
                                 from->stretch, from->stretch_damping, from->poisson);
        d->triangle_count += made && is_free(w, s->at, 3);
    }
}

static double area_of(const mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    vector3 d, f, normal;
    for (int k = 0; k < 3; k++) {
        d[k] = m->vertices[b][k] - m->vertices[a][k];
        f[k] = m->vertices[c][k] - m->vertices[a][k];
    }
    cross3(d, f, normal);
    return 0.5 * sqrt(dot3(normal, normal));
}

static void add_hinge(const world *w, draft *d, const scene_mesh *from, const mesh *m, const mesh_hinge *edge,
                      size_t first)
{
    const uint32_t at[4] = {edge->a, edge->b, edge->c, edge->d};
    const double *a = m->vertices[edge->a], *b = m->vertices[edge->b];
    const double area = area_of(m, edge->a, edge->b, edge->c) + area_of(m, edge->b, edge->a, edge->d);
    shell_hinge *s = &d->hinge[d->hinge_count];
    hinge_shape shape;
    double square = 0;
    for (int k = 0; k < 3; k++) square += (b[k] - a[k]) * (b[k] - a[k]);
    if (!(area > 0) || !hinge_look(a, b, m->vertices[edge->c], m->vertices[edge->d], &shape)) return;
    *s = (shell_hinge){.stiff = 3 * square / area * from->bend,
                       .viscous = 3 * square / area * from->bend_damping,
                       .rest = from->rest == REST_FLAT ? 0 : hinge_angle(&shape),
                       .yield = from->yield_angle > 0 ? from->yield_angle : INFINITY,
                       .hardening = from->hardening};
    for (int q = 0; q < 4; q++) s->at[q] = w->index_of[first + at[q]];
    d->hinge_count += is_free(w, s->at, 4);
}

static carom_status add_hinges(const world *w, draft *d, const scene_mesh *from, const mesh *m, size_t first, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    for (size_t n = 0; n < t.hinge_count; n++) add_hinge(w, d, from, m, &t.hinges[n], first);
    mesh_topology_free(&t);
    return CAROM_OK;
}

static carom_status add_elements(const world *w, draft *d, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    size_t triangles = 0, hinges = 0;
    for (size_t k = 0; k < s->mesh_count; k++) {
        if (stretches(&s->meshes[k])) triangles += state->meshes[k].triangle_count;
        if (bends(&s->meshes[k])) hinges += 3 * state->meshes[k].triangle_count / 2;
    }
    d->triangle = NEW_ARRAY(triangles, shell_triangle);
    d->hinge = NEW_ARRAY(hinges, shell_hinge);
    d->triangle_class = NEW_ARRAY(triangles, uint8_t);
    d->hinge_class = NEW_ARRAY(hinges, uint8_t);
    d->pull = NEW_ARRAY(w->count, double);
    d->drag = NEW_ARRAY(w->count, double);
    if (d->triangle == NULL || d->hinge == NULL || d->triangle_class == NULL || d->hinge_class == NULL ||
        d->pull == NULL || d->drag == NULL)
        return error_memory(e, "shells", triangles * sizeof(shell_triangle) + hinges * sizeof(shell_hinge));
    for (size_t k = 0; k < s->mesh_count; k++) {
        const scene_mesh *from = &s->meshes[k];
        if (stretches(from)) add_triangles(w, d, from, &state->meshes[k], state->mesh_first[k]);
        if (bends(from)) TRY(add_hinges(w, d, from, &state->meshes[k], state->mesh_first[k], e));
    }
    return CAROM_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Of the largest eigenvalue of a hinge's second derivative at its present angle, for `stiff` = 1. */
static double hinge_norm(const world *w, const shell_hinge *h)
{
    vector3 x[4] = {{0}}, gradient[4];
    hinge_shape shape;
    double sum = 0;
    for (int q = 0; q < 4; q++) node_place(w, h->at[q], w->now, x[q]);
    if (!hinge_look(x[0], x[1], x[2], x[3], &shape)) return 0;
    hinge_gradient(&shape, gradient);
    for (int q = 0; q < 4; q++) sum += dot3(gradient[q], gradient[q]);
    return 2 * sum;
}

static void pull_nodes(draft *d, const uint32_t *at, int count, double norm, double stiff, double viscous)
{
    for (int q = 0; q < count; q++) {
        d->pull[at[q]] += norm * stiff;
        d->drag[at[q]] += norm * viscous;
    }
}

/* No squared frequency is above what pulls at a node, over its mass, f, and no rate of decay above what drags at it, c:
 * kicks are stable below 2 / sqrt(f) and 2 / c. The steepest node of an element sets its bound. */
static double bound_of(const world *w, const draft *d, const uint32_t *at, int count)
{
    double least = INFINITY;
    for (int q = 0; q < count; q++) {
        const double f = d->pull[at[q]] * lightness(w, at[q]), c = d->drag[at[q]] * lightness(w, at[q]);
        if (f > 0) least = lesser(least, 2 / sqrt(f));
        if (c > 0) least = lesser(least, 2 / c);
    }
    return least;
}

/* Of a given step; of one that follows from the bound, by the courant factor. */
static const double SAFE = 0.5;
static const double SHARE_OF_BOUND = 4;

static double share_of_bound(const world *w)
{
    return w->settings->material_step > 0 ? SAFE : lesser(SAFE, SHARE_OF_BOUND * w->settings->courant);
}

static void choose_longest(const world *w, draft *d)
{
    const double share = share_of_bound(w);
    d->longest = w->settings->material_step;
    if (d->longest > 0) return;
    for (uint32_t n = 0; n < d->triangle_count; n++)
        d->longest = greater(d->longest, share * bound_of(w, d, d->triangle[n].at, 3));
    for (uint32_t n = 0; n < d->hinge_count; n++)
        d->longest = greater(d->longest, share * bound_of(w, d, d->hinge[n].at, 4));
    d->longest = lesser(d->longest, longest_material_step(w));
}

/* More of them are not told apart by the 53 bits of a time. */
static const double TICKS = 0x1p50;

/* SHELL_CLASSES: there is none. */
static uint32_t class_of(const world *w, const draft *d, const uint32_t *at, int count)
{
    const double most = share_of_bound(w) * bound_of(w, d, at, count), until = w->scene->until.time;
    const double least = isfinite(until) ? until / TICKS : 0;
    uint32_t k = 0;
    if (!(most > least)) return SHELL_CLASSES;
    while (k < SHELL_CLASSES && ldexp(d->longest, -(int)k) > most) k++;
    return ldexp(d->longest, -(int)k) > least ? k : SHELL_CLASSES;
}

static carom_status refuse(const world *w, const uint32_t *at, error *e)
{
    const uint32_t of = w->mesh_of[at[0]];
    return scene_refuse(scene_at(w->scene, "meshes.%zu", (size_t)of), e,
                        "mesh '%s': near its vertex that is particle %u it is so stiff for its mass, or its "
                        "triangles so thin, that no step is short enough: make it softer or heavier, or its "
                        "triangles better",
                        w->scene->meshes[of].name, w->id[at[0]]);
}

/* Where elements of two classes balance each other, nodes go to and fro between their kicks, at rest in the mean only,
 * and drag that looks at them once in a while would always see the same phase: all of a damped mesh is in one class. */
static carom_status join_classes(const world *w, draft *d, error *e)
{
    uint8_t *finest = NEW_ARRAY(w->scene->mesh_count, uint8_t);
    if (finest == NULL) return error_memory(e, "shells", w->scene->mesh_count);
    for (int pass = 0; pass < 2; pass++)
        for (size_t n = 0; n < (size_t)d->triangle_count + d->hinge_count; n++) {
            const bool bent = n >= d->triangle_count;
            const uint32_t at = bent ? d->hinge[n - d->triangle_count].at[0] : d->triangle[n].at[0];
            uint8_t *class = bent ? &d->hinge_class[n - d->triangle_count] : &d->triangle_class[n];
            const scene_mesh *of = &w->scene->meshes[w->mesh_of[at]];
            uint8_t *most = &finest[w->mesh_of[at]];
            if (of->stretch_damping + of->bend_damping == 0) continue;
            if (pass == 0 && *class > *most) *most = *class;
            if (pass == 1) *class = *most;
        }
    memory_free(finest);
    return CAROM_OK;
}

static carom_status choose_classes(const world *w, draft *d, error *e)
{
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const shell_triangle *s = &d->triangle[n];
        pull_nodes(d, s->at, 3, triangle_norm(s), s->stiff, s->viscous);
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const shell_hinge *h = &d->hinge[n];
        pull_nodes(d, h->at, 4, hinge_norm(w, h), h->stiff, h->viscous);
    }
    choose_longest(w, d);
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        uint32_t class = class_of(w, d, d->triangle[n].at, 3);
        if (class == SHELL_CLASSES) return refuse(w, d->triangle[n].at, e);
        d->triangle_class[n] = (uint8_t) class;
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        uint32_t class = class_of(w, d, d->hinge[n].at, 4);
        if (class == SHELL_CLASSES) return refuse(w, d->hinge[n].at, e);
        d->hinge_class[n] = (uint8_t) class;
    }
    return join_classes(w, d, e);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static uint32_t first_node(const uint32_t *at, int count)
{
    uint32_t first = at[0];
    for (int q = 1; q < count; q++) first = at[q] < first ? at[q] : first;
    return first;
}

/* The elements in the order of their first nodes, so that those that share nodes are close in memory. */
static void sort_elements(const draft *d, uint64_t *key, uint64_t *space, bool hinges)
{
    const uint32_t count = hinges ? d->hinge_count : d->triangle_count;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t first = hinges ? first_node(d->hinge[n].at, 4) : first_node(d->triangle[n].at, 3);
        key[n] = (uint64_t)first << 32 | n;
    }
    sort_u64(key, space, count);
}

static void fill_class(shells *s, const draft *d, const uint64_t *triangles, const uint64_t *hinges, uint32_t class)
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

/* The node at a slot, in the class's list or, before that is made, in the world. */
static uint32_t *corner_of(const shell_class *c, element_kind kind, size_t slot)
{
    return kind == TRIANGLES ? &c->triangle[slot / 3].at[slot % 3] : &c->hinge[slot / 4].at[slot % 4];
}

/* Elements know their nodes by their place in the class's list from here on. */
static bool list_nodes(const world *w, shell_class *c, uint32_t *local)
{
    for (uint32_t i = 0; i < w->count; i++) local[i] = NOBODY;
    for (element_kind kind = TRIANGLES; kind <= HINGES; kind++)
        for (size_t q = 0; q < slots_of(c, kind); q++) local[*corner_of(c, kind, q)] = 0;
    for (uint32_t i = 0; i < w->count; i++) c->node_count += local[i] == 0;
    c->node = NEW_ARRAY(c->node_count, uint32_t);
    if (c->node == NULL) return false;
    c->node_count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        if (local[i] == NOBODY) continue;
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
    uint32_t *end = of->first + 1; /* while they are filled: where the next slot of a node goes */
    for (size_t q = 0; q < slots; q++) end[*corner_of(c, kind, q) + 1]++;
    for (uint32_t n = 0; n < c->node_count; n++) end[n + 1] += end[n];
    for (size_t q = 0; q < slots; q++) of->at[end[*corner_of(c, kind, q)]++] = (uint32_t)q;
    return true;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Room for one class at a time. */
static bool make_room(shells *s)
{
    size_t nodes = 0, slots = 0, hinges = 0;
    bool damped = false;
    for (uint32_t k = 0; k < s->class_count; k++) {
        const shell_class *c = &s->class[k];
        nodes = larger(nodes, c->node_count);
        slots = larger(slots, larger(slots_of(c, TRIANGLES), slots_of(c, HINGES)));
        hinges = larger(hinges, c->plastic ? c->hinge_count : 0);
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

/* What the ledger of contacts that lose energy needs to know of the last kicks. */
static bool make_kicks(const world *w, shells *s)
{
    for (uint32_t k = 0; k < s->class_count; k++) s->kick_count += s->class[k].node_count;
    s->kick = memory_new(s->kick_count, sizeof *s->kick);
    s->first_seat = NEW_ARRAY((size_t)w->count + 2, uint32_t);
    s->seat = NEW_ARRAY(s->kick_count, shell_seat);
    if (s->kick == NULL || s->first_seat == NULL || s->seat == NULL) return false;
    uint32_t *end = s->first_seat + 1; /* while they are filled: where the next seat of a node goes */
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

static bool fill(const world *w, shells *s, const draft *d)
{
    uint64_t *triangles = NEW_ARRAY(d->triangle_count, uint64_t), *hinges = NEW_ARRAY(d->hinge_count, uint64_t);
    uint64_t *space = NEW_ARRAY(larger(d->triangle_count, d->hinge_count), uint64_t);
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
    return made && make_room(s) && (w->elastic || make_kicks(w, s));
}

static carom_status add_clocks(world *w, double longest, error *e)
{
    shells *s = w->shells;
    for (uint32_t k = 0; k < s->class_count; k++) {
        s->step[k] = ldexp(longest, -(int)k);
        if (s->class[k].node_count > 0 && clock_add(w, CLOCK_SHELLS, k, 0, s->step[k]) == NOBODY)
            return error_memory(e, "clocks", sizeof(clock));
    }
    return CAROM_OK;
}

static carom_status make(world *w, draft *d, error *e)
{
    TRY(choose_classes(w, d, e));
    shells *s = w->shells = NEW_ARRAY(1, shells);
    if (s == NULL) return error_memory(e, "shells", sizeof *s);
    s->triangle = NEW_ARRAY(d->triangle_count, shell_triangle);
    s->hinge = NEW_ARRAY(d->hinge_count, shell_hinge);
    if (s->triangle == NULL || s->hinge == NULL || !fill(w, s, d))
        return error_memory(e, "shells", d->triangle_count * sizeof *s->triangle + d->hinge_count * sizeof *s->hinge);
    return add_clocks(w, d->longest, e);
}

carom_status shells_create(world *w, const initial_state *state, error *e)
{
    draft d = {0};
    if (state->mesh_count == 0) return CAROM_OK;
    w->ledger.shells = true;
    carom_status status = add_elements(w, &d, state, e);
    if (status == CAROM_OK && d.triangle_count + d.hinge_count > 0) status = make(w, &d, e);
    memory_free(d.triangle);
    memory_free(d.hinge);
    memory_free(d.triangle_class);
    memory_free(d.hinge_class);
    memory_free(d.pull);
    memory_free(d.drag);
    return status;
}
