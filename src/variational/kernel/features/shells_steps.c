/* The steps of shells, and the elements that determine them. */
#include "variational/kernel/features/shell_draft.h"
#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/step_rows.h"

static step_rates shell_rates(const world *w, double pull, double drag)
{
    return (step_rates){sqrt(pull) / (2 * shell_share_of_bound(w)), drag / (2 * SHELL_SAFE * stages_span(MOST_STAGES))};
}

static double lightest_of(const world *w, const uint32_t *at, int count)
{
    double most = 0;
    for (int q = 0; q < count; q++) most = greater(most, w->inverse_mass[at[q]]);
    return most;
}

static step_rates triangle_rates(const world *w, const shell_triangle *s)
{
    const double light = triangle_norm(s) * lightest_of(w, s->at, 3);
    return shell_rates(w, light * s->stiff, light * s->viscous);
}

static step_rates bend_rates(const world *w, const shell_hinge *h)
{
    const double light = shell_hinge_norm(w, h) * lightest_of(w, h->at, 4);
    return shell_rates(w, light * h->stiff, light * h->viscous);
}

/* The number of a triangle in its mesh. The draft omits triangles without free nodes. */
static size_t number_of(const world *w, const mesh *m, const uint32_t *at)
{
    size_t n = 0;
    for (; n + 1 < m->triangle_count; n++)
        if (m->triangles[n][0] == mesh_vertex(w, at[0]) && m->triangles[n][1] == mesh_vertex(w, at[1]) &&
            m->triangles[n][2] == mesh_vertex(w, at[2]))
            break;
    return n;
}

static void name_triangle(const world *w, const initial_state *state, carom_step *row, const uint32_t *at)
{
    const uint32_t of = w->topology.mesh_of[at[0]];
    snprintf(row->element, sizeof row->element, "triangle %zu (vertices %u, %u, %u) of mesh '%.100s'",
             number_of(w, &state->meshes[of], at), mesh_vertex(w, at[0]), mesh_vertex(w, at[1]), mesh_vertex(w, at[2]),
             w->scene->meshes[of].name);
    step_set_place(w, row, at, 3);
}

static void name_edge(const world *w, carom_step *row, const uint32_t *at)
{
    snprintf(row->element, sizeof row->element, "edge %u, %u (with vertices %u, %u) of mesh '%.100s'",
             mesh_vertex(w, at[0]), mesh_vertex(w, at[1]), mesh_vertex(w, at[2]), mesh_vertex(w, at[3]),
             w->scene->meshes[w->topology.mesh_of[at[0]]].name);
    step_set_place(w, row, at, 4);
}

static void add_shell_rows(const world *w, const initial_state *state, const shell_draft *d, engine_steps *out)
{
    static const char *const kinds[4] = {"stretch", "stretch_damping", "bend", "bend_damping"};
    step_candidate best[4] = {0};
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const step_rates rates = triangle_rates(w, &d->triangle[n]);
        const shell_bounds bounds = shell_bounds_of(w, d, d->triangle[n].at, 3);
        step_consider(&best[0], n, bounds.pull, rates.pull);
        step_consider(&best[1], n, shell_drag_bound(&bounds), rates.drag);
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const step_rates rates = bend_rates(w, &d->hinge[n]);
        const shell_bounds bounds = shell_bounds_of(w, d, d->hinge[n].at, 4);
        step_consider(&best[2], n, bounds.pull, rates.pull);
        step_consider(&best[3], n, shell_drag_bound(&bounds), rates.drag);
    }
    for (int k = 0; k < 4; k++) {
        const uint32_t n = best[k].n;
        if (best[k].count == 0) continue;
        const int class = k < 2 ? d->triangle_class[n] : d->hinge_class[n];
        carom_step *row = steps_add(out, kinds[k], ldexp(d->longest, -class), best[k].bound, best[k].count);
        if (k < 2)
            name_triangle(w, state, row, d->triangle[n].at);
        else
            name_edge(w, row, d->hinge[n].at);
    }
}

static carom_status shells_steps(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    shell_draft d = {0};
    carom_status status = shell_draft_elements(w, &d, state, e);
    if (status == CAROM_OK) status = shell_draft_classes(w, &d, e);
    if (status == CAROM_OK) add_shell_rows(w, state, &d, out);
    shell_draft_free(&d);
    return status;
}
