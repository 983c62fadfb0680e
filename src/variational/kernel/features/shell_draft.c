/* Elements of shells from meshes, and their classes. */
#include "variational/kernel/features/shell_draft.h"
#include "variational/kernel/features/shells_membranes.h"
#include "variational/kernel/features/shells_plates.h"

#include "variational/kernel/features/springs.h"
#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"
#include "mesh/topology.h"
#include "scene/where.h"

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static bool stretches(const scene_mesh *from)
{
    return !from->rigid && from->thickness > 0 && shell_stretch(from) + from->stretch_damping > 0;
}

static bool bends(const scene_mesh *from)
{
    return !from->rigid && from->thickness > 0 && from->young + from->bend + from->bend_damping > 0;
}

static bool is_free(const world *w, const uint32_t *at, int count)
{
    bool any = false;
    for (int q = 0; q < count; q++) any = any || !node_is_driven(&w->node[at[q]]);
    return any;
}

static carom_status add_triangles(const world *w, shell_draft *d, const scene_mesh *from, const mesh *m, size_t first,
                                  error *e)
{
    for (size_t n = 0; n < m->triangle_count; n++) {
        const uint32_t *corner = m->triangles[n];
        shell_triangle *s = &d->triangle[d->triangle_count];
        for (int q = 0; q < 3; q++) s->at[q] = w->index_of[first + corner[q]];
        bool made = triangle_set(s, m->vertices[corner[0]], m->vertices[corner[1]], m->vertices[corner[2]],
                                 shell_stretch(from), from->stretch_damping, from->poisson);
        if (!made || !is_free(w, s->at, 3)) continue;
        if (d->membrane != NULL) TRY(draft_membrane(w, &d->membrane[d->triangle_count], s, from, m, n, e));
        d->triangle_count++;
    }
    return CAROM_OK;
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

static void draft_hinge(const world *w, shell_draft *d, const scene_mesh *from, const mesh *m, const mesh_hinge *edge,
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

static carom_status add_hinges(const world *w, shell_draft *d, const scene_mesh *from, const mesh *m, size_t first,
                               error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    uint32_t *hinge_of = NEW_ARRAY(t.edge_count, uint32_t);
    for (size_t n = 0; hinge_of != NULL && n < t.edge_count; n++) hinge_of[n] = NONE;
    for (size_t n = 0; hinge_of != NULL && n < t.hinge_count; n++) {
        const uint32_t before = d->hinge_count;
        draft_hinge(w, d, from, m, &t.hinges[n], first);
        if (d->hinge_count > before) hinge_of[t.hinges[n].edge] = before;
    }
    if (hinge_of != NULL && from->young > 0) draft_plate(w, d, from, m, &t, first, hinge_of);
    const size_t edges = t.edge_count;
    mesh_topology_free(&t);
    if (hinge_of == NULL) return error_memory(e, "shells", edges * sizeof *hinge_of);
    memory_free(hinge_of);
    return CAROM_OK;
}

static carom_status shell_draft_elements(const world *w, shell_draft *d, const initial_state *state, error *e)
{
    const scene *s = w->scene;
    size_t triangles = 0, hinges = 0;
    bool plates = false, membranes = false, yields = false;
    for (size_t k = 0; k < s->mesh_count; k++) {
        if (stretches(&s->meshes[k])) triangles += state->meshes[k].triangle_count;
        if (bends(&s->meshes[k])) hinges += 3 * state->meshes[k].triangle_count / 2;
        plates = plates || s->meshes[k].young > 0;
        yields = yields || s->meshes[k].yield_moment > 0;
        membranes = membranes || mesh_membrane(&s->meshes[k]) != MEMBRANE_LINEAR;
    }
    d->triangle = NEW_ARRAY(triangles, shell_triangle);
    d->membrane = membranes ? NEW_ARRAY(triangles, shell_membrane) : NULL;
    d->hinge = NEW_ARRAY(hinges, shell_hinge);
    d->plate = plates ? NEW_ARRAY(hinges, plate_row) : NULL;
    d->yield = yields ? NEW_ARRAY(triangles, plate_yield) : NULL;
    d->triangle_class = NEW_ARRAY(triangles, uint8_t);
    d->hinge_class = NEW_ARRAY(hinges, uint8_t);
    d->pull = NEW_ARRAY(w->count, double);
    d->drag = NEW_ARRAY(w->count, double);
    if (d->triangle == NULL || (membranes && d->membrane == NULL) || d->hinge == NULL || (plates && d->plate == NULL) ||
        (yields && d->yield == NULL) || d->triangle_class == NULL || d->hinge_class == NULL || d->pull == NULL ||
        d->drag == NULL)
        return error_memory(e, "shells", triangles * sizeof(shell_triangle) + hinges * sizeof(shell_hinge));
    for (size_t k = 0; k < s->mesh_count; k++) {
        const scene_mesh *from = &s->meshes[k];
        if (stretches(from)) TRY(add_triangles(w, d, from, &state->meshes[k], state->mesh_first[k], e));
        if (bends(from)) TRY(add_hinges(w, d, from, &state->meshes[k], state->mesh_first[k], e));
    }
    return CAROM_OK;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static double shell_hinge_norm(const world *w, const shell_hinge *h)
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

static void pull_nodes(shell_draft *d, const uint32_t *at, int count, double norm, double stiff, double viscous)
{
    for (int q = 0; q < count; q++) {
        d->pull[at[q]] += norm * stiff;
        d->drag[at[q]] += norm * viscous;
    }
}

static shell_bounds shell_bounds_of(const world *w, const shell_draft *d, const uint32_t *at, int count)
{
    shell_bounds least = {INFINITY, INFINITY};
    for (int q = 0; q < count; q++) {
        const double f = d->pull[at[q]] * w->inverse_mass[at[q]], c = d->drag[at[q]] * w->inverse_mass[at[q]];
        if (f > 0) least.pull = lesser(least.pull, 2 / sqrt(f));
        if (c > 0) least.drag = lesser(least.drag, 2 / c);
    }
    return least;
}

/* The longest step of an element. The node with the highest rate sets it. */
static double longest_of(const world *w, const shell_draft *d, const uint32_t *at, int count)
{
    const shell_bounds bounds = shell_bounds_of(w, d, at, count);
    return lesser(shell_share_of_bound(w) * bounds.pull, SHELL_SAFE * shell_drag_bound(&bounds));
}

static double shell_drag_bound(const shell_bounds *bounds)
{
    return bounds->drag * stages_span(MOST_STAGES);
}

static double shell_share_of_bound(const world *w)
{
    return w->settings->material_step > 0 ? SHELL_SAFE : lesser(SHELL_SAFE, SHELL_SHARE_OF_BOUND * material_courant(w));
}

static void choose_longest(const world *w, shell_draft *d)
{
    d->longest = w->settings->material_step;
    if (d->longest > 0) return;
    for (uint32_t n = 0; n < d->triangle_count; n++)
        d->longest = greater(d->longest, longest_of(w, d, d->triangle[n].at, 3));
    for (uint32_t n = 0; n < d->hinge_count; n++) d->longest = greater(d->longest, longest_of(w, d, d->hinge[n].at, 4));
    d->longest = lesser(d->longest, longest_material_step(w));
}

/* SHELL_CLASSES: no class is stable. */
static uint32_t shell_class_of(const world *w, const shell_draft *d, const uint32_t *at, int count)
{
    const double most = longest_of(w, d, at, count), until = w->scene->until.time;
    const double least = isfinite(until) ? until / MOST_TICKS : 0;
    uint32_t k = 0;
    if (!(most > least)) return SHELL_CLASSES;
    while (k < SHELL_CLASSES && ldexp(d->longest, -(int)k) > most) k++;
    return ldexp(d->longest, -(int)k) > least ? k : SHELL_CLASSES;
}

static carom_status refuse_stiffness(const world *w, const uint32_t *at, error *e)
{
    const uint32_t of = w->topology.mesh_of[at[0]];
    return scene_refuse(scene_at(w->scene, "meshes.%zu", (size_t)of), e,
                        "mesh '%s': near its vertex that is particle %u it is so stiff for its mass, or its "
                        "triangles so thin, that no step is short enough: make it softer or heavier, or its "
                        "triangles better",
                        w->scene->meshes[of].name, w->id[at[0]]);
}

/* ---- damping on several levels: classes, and groups of them ------------------------------------------------------ */

/* Numbers of elements by level, and the cost of one of them. */
typedef struct shell_levels {
    uint32_t count[SHELL_CLASSES];
    double cost[SHELL_CLASSES];
} shell_levels;

static double cost_of_raising(const shell_levels *of, int from, int to)
{
    double cost = 0;
    for (int k = from; k < to; k++) cost += of->count[k] * (of->cost[to] - of->cost[k]);
    return cost;
}

/* Damping on two levels acts in turn, which is less accurate where they meet. The lower levels are raised to one, and all
 * above it to the highest, if each costs at most half more. */
static void join_levels(const shell_levels *of, uint8_t to[SHELL_CLASSES])
{
    double half = 0;
    int lowest = 0, highest = 0;
    for (int k = 0; k < SHELL_CLASSES; k++) {
        half += 0.5 * of->count[k] * of->cost[k];
        if (of->count[k] > 0) highest = k;
    }
    for (int k = 0; k <= highest; k++)
        if (of->count[k] > 0 && cost_of_raising(of, 0, k) <= half) lowest = k;
    const bool joined = cost_of_raising(of, lowest + 1, highest) <= half;
    for (int k = 0; k < SHELL_CLASSES; k++) to[k] = (uint8_t)(k <= lowest ? lowest : joined ? highest : k);
}

/* An element of the draft. The hinges follow the triangles. */
typedef struct shell_element {
    const uint32_t *at;
    int corners;
    double viscous;
    uint8_t *class;
    uint32_t *group;
} shell_element;

static shell_element element_of(shell_draft *d, uint32_t n)
{
    if (n < d->triangle_count) {
        shell_triangle *one = &d->triangle[n];
        return (shell_element){one->at, 3, one->viscous, &d->triangle_class[n], &one->group};
    }
    n -= d->triangle_count;
    return (shell_element){d->hinge[n].at, 4, d->hinge[n].viscous, &d->hinge_class[n], &d->hinge[n].group};
}

/* The classes of the elements of damped meshes. */
static carom_status join_classes(const world *w, shell_draft *d, error *e)
{
    const size_t meshes = w->scene->mesh_count;
    const uint32_t count = d->triangle_count + d->hinge_count;
    shell_levels *of = NEW_ARRAY(meshes, shell_levels);
    uint8_t(*to)[SHELL_CLASSES] = memory_new(meshes, sizeof *to);
    if (of == NULL || to == NULL) {
        memory_free(of);
        memory_free(to);
        return error_memory(e, "shells", meshes * sizeof *of);
    }
    for (uint32_t n = 0; n < count; n++) {
        const shell_element one = element_of(d, n);
        of[w->topology.mesh_of[one.at[0]]].count[*one.class]++;
    }
    for (size_t k = 0; k < meshes; k++) {
        const bool damped = w->scene->meshes[k].stretch_damping + w->scene->meshes[k].bend_damping > 0;
        for (int class = 0; class < SHELL_CLASSES; class ++) {
            of[k].cost[class] = ldexp(1, class);
            to[k][class] = (uint8_t) class;
        }
        if (damped) join_levels(&of[k], to[k]);
    }
    for (uint32_t n = 0; n < count; n++) {
        const shell_element one = element_of(d, n);
        *one.class = to[w->topology.mesh_of[one.at[0]]][*one.class];
    }
    memory_free(of);
    memory_free(to);
    return CAROM_OK;
}

static uint32_t stages_of(const world *w, const shell_draft *d, const shell_element *one)
{
    const double rate = 2 / shell_bounds_of(w, d, one->at, one->corners).drag;
    return stages_for(ldexp(d->longest, -(int)*one->class), rate);
}

/* The groups of damping in the classes: the smallest that has the stages of an element, or one that they join. */
static void choose_groups(const world *w, shell_draft *d)
{
    shell_levels of[SHELL_CLASSES] = {0};
    uint8_t to[SHELL_CLASSES][SHELL_CLASSES];
    memset(d->stages, 0, sizeof d->stages);
    for (uint32_t n = 0; n < d->triangle_count + d->hinge_count; n++) {
        const shell_element one = element_of(d, n);
        *one.group = UNDAMPED;
        if (!(one.viscous > 0)) continue;
        for (*one.group = 0; 1u << *one.group < stages_of(w, d, &one);) ++*one.group;
        of[*one.class].count[*one.group]++;
    }
    for (int k = 0; k < SHELL_CLASSES; k++) {
        for (int group = 0; group < DAMPING_GROUPS; group++) of[k].cost[group] = ldexp(1, group);
        join_levels(&of[k], to[k]);
    }
    for (uint32_t n = 0; n < d->triangle_count + d->hinge_count; n++) {
        const shell_element one = element_of(d, n);
        if (*one.group == UNDAMPED) continue;
        *one.group = to[*one.class][*one.group];
        uint32_t *stages = &d->stages[*one.class][*one.group];
        if (stages_of(w, d, &one) > *stages) *stages = stages_of(w, d, &one);
    }
}

/* ------------------------------------------------------------------------------------------------------------------ */

static carom_status shell_draft_classes(const world *w, shell_draft *d, error *e)
{
    memset(d->pull, 0, w->count * sizeof *d->pull);
    memset(d->drag, 0, w->count * sizeof *d->drag);
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const shell_triangle *s = &d->triangle[n];
        pull_nodes(d, s->at, 3, triangle_norm(s), s->stiff, s->viscous);
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const shell_hinge *h = &d->hinge[n];
        pull_nodes(d, h->at, 4, shell_hinge_norm(w, h), h->stiff, h->viscous);
    }
    choose_longest(w, d);
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        uint32_t class = shell_class_of(w, d, d->triangle[n].at, 3);
        if (class == SHELL_CLASSES) return refuse_stiffness(w, d->triangle[n].at, e);
        d->triangle_class[n] = (uint8_t) class;
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        uint32_t class = shell_class_of(w, d, d->hinge[n].at, 4);
        if (class == SHELL_CLASSES) return refuse_stiffness(w, d->hinge[n].at, e);
        d->hinge_class[n] = (uint8_t) class;
    }
    TRY(join_classes(w, d, e));
    TRY(join_plates(w, d, e));
    choose_groups(w, d);
    return CAROM_OK;
}

static void shell_draft_free(shell_draft *d)
{
    memory_free(d->triangle);
    memory_free(d->membrane);
    memory_free(d->hinge);
    memory_free(d->plate);
    memory_free(d->yield);
    memory_free(d->triangle_class);
    memory_free(d->hinge_class);
    memory_free(d->pull);
    memory_free(d->drag);
}
