/* The cost of elements: kicks per unit of time, with and without the most expensive elements. */
#include "variational/kernel/steps.h"

#include "variational/kernel/features/elastic_rods.h"
#include "variational/kernel/features/springs.h"
#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"

/* All elements in one sequence: springs, hinges, triangles, edges that bend, edges of rods. */
typedef struct cost_ledger {
    world *w;
    const initial_state *state;
    const shell_draft *all;
    spring *spring; /* all springs; the array of the world holds those kept */
    hinge *hinge;
    uint32_t springs, hinges;
    uint32_t rods;         /* edges of rods */
    step_rates *of_rod;    /* [rods] */
    bool *rod_gone;        /* [rods] omitted ones */
    double *pull;          /* [nodes] scratch */
    double *rate, *sorted; /* [count] */
    size_t count;
    shell_draft kept;
    bool *held, *gone; /* [nodes, as in the scene] held: moved by the scene alone; gone: ends of omitted elements */
    double step;       /* h_1 of the run */
    carom_status status;
    error *e;
} cost_ledger;

/* Kicks of an element per unit of time. Each stage of damping counts as one. */
static double cost_of(const shell_draft *d, uint32_t class, uint32_t group)
{
    const double kicks = ldexp(1, (int)class) / d->longest;
    return group == UNDAMPED ? kicks : kicks * d->stages[class][group];
}

static double cost_now(cost_ledger *l)
{
    const world *w = l->w;
    double cost = 0;
    if (w->elastic_links.spring_count + w->elastic_links.hinge_count > 0) {
        const double bound = springs_bound(w);
        if (isfinite(bound))
            cost += (double)(w->elastic_links.spring_count + w->elastic_links.hinge_count) / springs_step(w, bound);
    }
    if (l->rods > 0) cost += rods_cost(w, l->rod_gone, l->pull);
    const shell_draft *d = &l->kept;
    if (l->status != CAROM_OK || d->triangle_count + d->hinge_count == 0) return cost;
    l->status = shell_draft_classes(w, &l->kept, l->e);
    for (uint32_t n = 0; n < d->triangle_count; n++) cost += cost_of(d, d->triangle_class[n], d->triangle[n].group);
    for (uint32_t n = 0; n < d->hinge_count; n++) cost += cost_of(d, d->hinge_class[n], (uint32_t)d->hinge[n].group);
    return cost;
}

/* h_1 follows from the lightest of the remaining nodes. */
static double first_step(const cost_ledger *l)
{
    double least = INFINITY, left = INFINITY;
    for (uint32_t i = 0; i < l->w->count; i++) {
        if (l->held[i]) continue;
        least = lesser(least, l->state->mass[i]);
        if (!l->gone[i]) left = lesser(left, l->state->mass[i]);
    }
    const bool follows = l->w->settings->step == 0 && isfinite(left);
    return follows ? l->step * sqrt(left / least) : l->step;
}

static void leave_out(cost_ledger *l, const uint32_t *at, int count)
{
    for (int q = 0; q < count; q++) l->gone[l->w->id[at[q]]] = true;
}

/* Keeps the elements up to this rate. Marks the nodes of the others. */
static void keep_up_to(cost_ledger *l, double rate)
{
    world *w = l->w;
    const double *r = l->rate;
    w->elastic_links.spring_count = w->elastic_links.hinge_count = l->kept.triangle_count = l->kept.hinge_count = 0;
    memset(l->gone, 0, w->count * sizeof *l->gone);
    for (uint32_t n = 0; n < l->springs; n++) {
        const spring *q = &l->spring[n];
        if (*r++ > rate)
            leave_out(l, (const uint32_t[2]){q->i, q->j}, 2);
        else
            w->elastic_links.spring[w->elastic_links.spring_count++] = *q;
    }
    for (uint32_t n = 0; n < l->hinges; n++) {
        const hinge *q = &l->hinge[n];
        if (*r++ > rate)
            leave_out(l, (const uint32_t[3]){q->a, q->b, q->c}, 3);
        else
            w->elastic_links.hinge[w->elastic_links.hinge_count++] = *q;
    }
    for (uint32_t n = 0; n < l->all->triangle_count; n++) {
        if (*r++ > rate)
            leave_out(l, l->all->triangle[n].at, 3);
        else
            l->kept.triangle[l->kept.triangle_count++] = l->all->triangle[n];
    }
    for (uint32_t n = 0; n < l->all->hinge_count; n++) {
        if (*r++ > rate)
            leave_out(l, l->all->hinge[n].at, 4);
        else
            l->kept.hinge[l->kept.hinge_count++] = l->all->hinge[n];
    }
    for (uint32_t n = 0; n < l->rods; n++) {
        uint32_t ends[2];
        rods_edge_ends(w, n, ends);
        l->rod_gone[n] = *r++ > rate;
        if (l->rod_gone[n]) leave_out(l, ends, 2);
    }
    w->choice.step = first_step(l);
}

static double cost_up_to(void *data, double rate)
{
    cost_ledger *l = data;
    keep_up_to(l, rate);
    return cost_now(l);
}

/* The same of particles: the rate decreases with the mass. */
static double cost_of_heavier(void *data, double rate)
{
    cost_ledger *l = data;
    keep_up_to(l, INFINITY);
    for (uint32_t i = 0; i < l->w->count; i++) l->gone[i] = !l->held[i] && 1 / l->state->mass[i] > rate;
    l->w->choice.step = first_step(l);
    return cost_now(l);
}

/* The row of the worst element. */
typedef struct worst {
    double rate;
    const char *kind, *remedy;
} worst;

static const char BETTER_MESH[] = "give the mesh better triangles there, or make it softer or heavier";
static const char LESS_DAMPING[] = "give the mesh better triangles there, or less damping";

static double note_rates(worst *most, step_rates rates, const char *pulled, const char *dragged, bool of_mesh)
{
    if (rates.pull > most->rate)
        *most = (worst){rates.pull, pulled, of_mesh ? BETTER_MESH : "make it softer, or its particles heavier"};
    if (rates.drag > most->rate)
        *most =
            (worst){rates.drag, dragged, of_mesh ? LESS_DAMPING : "give it less damping, or its particles more mass"};
    return greater(rates.pull, rates.drag);
}

static worst find_rates(cost_ledger *l)
{
    const world *w = l->w;
    worst most = {0};
    double *r = l->rate;
    for (uint32_t n = 0; n < l->springs; n++)
        *r++ = note_rates(&most, spring_rates(w, &l->spring[n]), "springs", "spring_damping", false);
    for (uint32_t n = 0; n < l->hinges; n++)
        *r++ = note_rates(&most, hinge_rates(w, &l->hinge[n]), "hinges", "hinges", false);
    for (uint32_t n = 0; n < l->all->triangle_count; n++)
        *r++ = note_rates(&most, triangle_rates(w, &l->all->triangle[n]), "stretch", "stretch_damping", true);
    for (uint32_t n = 0; n < l->all->hinge_count; n++)
        *r++ = note_rates(&most, bend_rates(w, &l->all->hinge[n]), "bend", "bend_damping", true);
    for (uint32_t n = 0; n < l->rods; n++) *r++ = note_rates(&most, l->of_rod[n], "rods", "rod_damping", false);
    memcpy(l->sorted, l->rate, l->count * sizeof *l->rate);
    return most;
}

static void warn_of_particles(cost_ledger *l, engine_steps *out)
{
    size_t count = 0;
    if (l->w->settings->step > 0) return;
    for (uint32_t i = 0; i < l->w->count; i++)
        if (!l->held[i]) l->sorted[count++] = 1 / l->state->mass[i];
    steps_find_outliers(steps_find(out, "layers"), &(steps_costs){l->sorted, count, cost_of_heavier, l},
                        "make the lightest particles heavier, or give variational.material_step");
}

static void warn_of_all(cost_ledger *l, engine_steps *out)
{
    const worst most = find_rates(l);
    carom_step *row = most.kind != NULL ? steps_find(out, most.kind) : NULL;
    if (row != NULL) steps_find_outliers(row, &(steps_costs){l->sorted, l->count, cost_up_to, l}, most.remedy);
    warn_of_particles(l, out);
}

static size_t larger_count(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool make_cost_room(cost_ledger *l)
{
    world *w = l->w;
    const shell_draft *d = l->all;
    l->held = state_find_held(l->state, w->scene);
    l->gone = NEW_ARRAY(w->count, bool);
    l->rate = NEW_ARRAY(l->count, double);
    l->sorted = NEW_ARRAY(larger_count(l->count, w->count), double);
    l->of_rod = NEW_ARRAY(l->rods, step_rates);
    l->rod_gone = NEW_ARRAY(l->rods, bool);
    l->pull = NEW_ARRAY(w->count, double);
    l->kept = (shell_draft){.triangle = NEW_ARRAY(d->triangle_count, shell_triangle),
                            .hinge = NEW_ARRAY(d->hinge_count, shell_hinge),
                            .triangle_class = NEW_ARRAY(d->triangle_count, uint8_t),
                            .hinge_class = NEW_ARRAY(d->hinge_count, uint8_t),
                            .pull = NEW_ARRAY(w->count, double),
                            .drag = NEW_ARRAY(w->count, double)};
    w->elastic_links.spring = NEW_ARRAY(l->springs, spring);
    w->elastic_links.hinge = NEW_ARRAY(l->hinges, hinge);
    if (l->of_rod == NULL || l->rod_gone == NULL || l->pull == NULL) return false;
    if (l->rods > 0) rods_rates(w, l->of_rod);
    return l->held != NULL && l->gone != NULL && l->rate != NULL && l->sorted != NULL && l->kept.triangle != NULL &&
           l->kept.hinge != NULL && l->kept.triangle_class != NULL && l->kept.hinge_class != NULL &&
           l->kept.pull != NULL && l->kept.drag != NULL && w->elastic_links.spring != NULL &&
           w->elastic_links.hinge != NULL;
}

static carom_status steps_warn(world *w, const initial_state *state, const shell_draft *d, engine_steps *out, error *e)
{
    cost_ledger l = {.w = w,
                     .state = state,
                     .all = d,
                     .spring = w->elastic_links.spring,
                     .hinge = w->elastic_links.hinge,
                     .springs = w->elastic_links.spring_count,
                     .hinges = w->elastic_links.hinge_count,
                     .rods = rods_edges(w),
                     .step = w->choice.step,
                     .e = e};
    l.count = (size_t)l.springs + l.hinges + d->triangle_count + d->hinge_count + l.rods;
    if (l.count == 0) return CAROM_OK;
    if (make_cost_room(&l))
        warn_of_all(&l, out);
    else
        l.status = error_memory(e, "steps", l.count * sizeof(double));
    memory_free(l.spring);
    memory_free(l.hinge);
    memory_free(l.of_rod);
    memory_free(l.rod_gone);
    memory_free(l.pull);
    memory_free(l.rate);
    memory_free(l.sorted);
    memory_free(l.held);
    memory_free(l.gone);
    shell_draft_free(&l.kept);
    return l.status;
}
