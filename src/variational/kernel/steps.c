#include "variational/kernel/steps.h"

#include "variational/kernel/features/springs.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

#include <stdio.h>

/* ---- rates ------------------------------------------------------------------------------------------------------- */

/* ---- what determines a step -------------------------------------------------------------------------------------- */

/* The element with the least bound; of those that share it, through a node, the one with the highest rate. */
typedef struct step_candidate {
    double bound, rate;
    uint64_t count; /* of its kind */
    uint32_t n;
} step_candidate;

static void consider(step_candidate *best, uint32_t n, double bound, double rate)
{
    if (!(rate > 0)) return;
    best->count++;
    if (best->count > 1 && (bound > best->bound || (bound == best->bound && rate <= best->rate))) return;
    best->bound = bound;
    best->rate = rate;
    best->n = n;
}

/* Where an element is, and its particles; those of meshes are vertices. */
static void set_place(const world *w, carom_step *row, const uint32_t *at, int count)
{
    double first[DIM], x[DIM];
    row->particle_count = count;
    for (int q = 0; q < count; q++) row->particles[q] = w->id[at[q]];
    node_place(w, at[0], 0, first);
    row->position[2] = 0;
    for (int k = 0; k < DIM; k++) row->position[k] = first[k];
    for (int q = 1; q < count; q++) {
        node_place(w, at[q], 0, x);
        for (int k = 0; k < DIM; k++) x[k] -= first[k];
        nearest_image(w, x);
        for (int k = 0; k < DIM; k++) row->position[k] += x[k] / count;
    }
}

static uint32_t vertex(const world *w, uint32_t i)
{
    return w->id[i] - w->mesh_first[w->mesh_of[i]];
}

/* The draft leaves out triangles that nothing moves. */
static size_t number_of(const world *w, const mesh *m, const uint32_t *at)
{
    size_t n = 0;
    for (; n + 1 < m->triangle_count; n++)
        if (m->triangles[n][0] == vertex(w, at[0]) && m->triangles[n][1] == vertex(w, at[1]) &&
            m->triangles[n][2] == vertex(w, at[2]))
            break;
    return n;
}

static void name_triangle(const world *w, const initial_state *state, carom_step *row, const uint32_t *at)
{
    const uint32_t of = w->mesh_of[at[0]];
    snprintf(row->element, sizeof row->element, "triangle %zu (vertices %u, %u, %u) of mesh '%.100s'",
             number_of(w, &state->meshes[of], at), vertex(w, at[0]), vertex(w, at[1]), vertex(w, at[2]),
             w->scene->meshes[of].name);
    set_place(w, row, at, 3);
}

static void name_edge(const world *w, carom_step *row, const uint32_t *at)
{
    snprintf(row->element, sizeof row->element, "edge %u, %u (with vertices %u, %u) of mesh '%.100s'", vertex(w, at[0]),
             vertex(w, at[1]), vertex(w, at[2]), vertex(w, at[3]), w->scene->meshes[w->mesh_of[at[0]]].name);
    set_place(w, row, at, 4);
}

/* ---- contacts, and clocks that no element has -------------------------------------------------------------------- */

static double step_of_clock(const world *w, clock_kind kind)
{
    for (uint32_t c = 0; c < w->clock_count; c++)
        if (w->clock[c].kind == (uint32_t)kind) return w->clock[c].step;
    return 0;
}

static carom_status add_layer_rows(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    uint32_t least = NONE;
    uint64_t moved = 0;
    bool *held = state_find_held(state, w->scene);
    if (held == NULL) return error_memory(e, "particles", w->count);
    for (uint32_t id = 0; id < w->count; id++) {
        if (held[id]) continue;
        moved++;
        if (least == NONE || state->mass[id] < state->mass[least]) least = id;
    }
    memory_free(held);
    const double bound = sqrt(2 * w->choice.lightest / w->choice.stiffness);
    carom_step *row = steps_add(out, "layers", w->choice.step, bound, moved);
    if (least == NONE) return CAROM_OK;
    char name[ELEMENT_NAME];
    element_name(w, w->index_of[least], name);
    snprintf(row->element, sizeof row->element, "%.*s", (int)sizeof row->element - 1, name);
    set_place(w, row, &w->index_of[least], 1);
    return CAROM_OK;
}

static double spin_of(const scene_body *b)
{
    const double *s = b->angular_velocity;
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

static void add_clock_rows(const world *w, engine_steps *out)
{
    const scene *s = w->scene;
    const double gravity = step_of_clock(w, CLOCK_GRAVITY), turning = step_of_clock(w, CLOCK_BODIES);
    size_t fastest = 0;
    if (gravity > 0) steps_add(out, "gravity", gravity, 0, w->count);
    if (!(turning > 0)) return;
    carom_step *row = steps_add(out, "rotation", turning, 0, s->body_count);
    for (size_t k = 1; k < s->body_count; k++)
        if (spin_of(&s->bodies[k]) > spin_of(&s->bodies[fastest])) fastest = k;
    if (spin_of(&s->bodies[fastest]) > 0)
        snprintf(row->element, sizeof row->element, "body '%.100s'", s->bodies[fastest].name);
}

/* ---- springs ----------------------------------------------------------------------------------------------------- */

static double pull_bound(const world *w, const double *pull, const uint32_t *at, int count)
{
    double most = 0;
    for (int q = 0; q < count; q++) most = greater(most, 2 * pull[at[q]] * inverse_mass(w, at[q]));
    return 2 / sqrt(most);
}

static void add_spring_row(const world *w, engine_steps *out, const char *kind, const step_candidate *best)
{
    const scene *s = w->scene;
    size_t k = 0, n = best->n;
    if (best->count == 0) return;
    carom_step *row = steps_add(out, kind, step_of_clock(w, CLOCK_SPRINGS), best->bound, best->count);
    const uint32_t at[2] = {w->spring[best->n].i, w->spring[best->n].j};
    while (n >= s->springs[k].count) n -= s->springs[k++].count;
    snprintf(row->element, sizeof row->element, "spring %zu of '%.100s' (particles %u and %u)", n, s->springs[k].name,
             w->id[at[0]], w->id[at[1]]);
    set_place(w, row, at, 2);
}

static void add_hinge_row(const world *w, engine_steps *out, const step_candidate *best)
{
    const scene *s = w->scene;
    size_t k = 0, n = best->n;
    if (best->count == 0) return;
    carom_step *row = steps_add(out, "hinges", step_of_clock(w, CLOCK_SPRINGS), best->bound, best->count);
    const hinge *q = &w->hinge[best->n];
    const uint32_t at[3] = {q->a, q->b, q->c};
    while (n >= s->hinges[k].count) n -= s->hinges[k++].count;
    snprintf(row->element, sizeof row->element, "hinge %zu of '%.100s' (particles %u, %u and %u)", n, s->hinges[k].name,
             w->id[at[0]], w->id[at[1]], w->id[at[2]]);
    set_place(w, row, at, 3);
}

static carom_status add_spring_rows(const world *w, engine_steps *out, error *e)
{
    step_candidate springs = {0}, dashpots = {0}, hinges = {0};
    if (!(step_of_clock(w, CLOCK_SPRINGS) > 0)) return CAROM_OK;
    double *pull = NEW_ARRAY(w->count, double);
    if (pull == NULL) return error_memory(e, "springs", w->count * sizeof *pull);
    springs_pull(w, pull);
    for (uint32_t n = 0; n < w->spring_count; n++) {
        const spring *q = &w->spring[n];
        const step_rates rates = spring_rates(w, q);
        consider(&springs, n, pull_bound(w, pull, (const uint32_t[2]){q->i, q->j}, 2), rates.pull);
        consider(&dashpots, n, 1 / (q->damping * (inverse_mass(w, q->i) + inverse_mass(w, q->j))), rates.drag);
    }
    for (uint32_t n = 0; n < w->hinge_count; n++) {
        const hinge *q = &w->hinge[n];
        consider(&hinges, n, pull_bound(w, pull, (const uint32_t[3]){q->a, q->b, q->c}, 3), hinge_rates(w, q).pull);
    }
    memory_free(pull);
    add_spring_row(w, out, "springs", &springs);
    add_spring_row(w, out, "spring_damping", &dashpots);
    add_hinge_row(w, out, &hinges);
    return CAROM_OK;
}

/* ---- shells ------------------------------------------------------------------------------------------------------ */

static void add_shell_rows(const world *w, const initial_state *state, const shell_draft *d, engine_steps *out)
{
    static const char *const kinds[4] = {"stretch", "stretch_damping", "bend", "bend_damping"};
    step_candidate best[4] = {0};
    for (uint32_t n = 0; n < d->triangle_count; n++) {
        const step_rates rates = triangle_rates(w, &d->triangle[n]);
        const shell_bounds bounds = shell_bounds_of(w, d, d->triangle[n].at, 3);
        consider(&best[0], n, bounds.pull, rates.pull);
        consider(&best[1], n, bounds.drag, rates.drag);
    }
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const step_rates rates = bend_rates(w, &d->hinge[n]);
        const shell_bounds bounds = shell_bounds_of(w, d, d->hinge[n].at, 4);
        consider(&best[2], n, bounds.pull, rates.pull);
        consider(&best[3], n, bounds.drag, rates.drag);
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

static carom_status world_steps(world *w, const initial_state *state, engine_steps *out, error *e)
{
    shell_draft d = {0};
    TRY(add_layer_rows(w, state, out, e));
    add_clock_rows(w, out);
    TRY(add_spring_rows(w, out, e));
    carom_status status = shell_draft_elements(w, &d, state, e);
    if (status == CAROM_OK) status = shell_draft_classes(w, &d, e);
    if (status == CAROM_OK) add_shell_rows(w, state, &d, out);
    if (status == CAROM_OK) status = steps_warn(w, state, &d, out, e);
    shell_draft_free(&d);
    return status;
}
