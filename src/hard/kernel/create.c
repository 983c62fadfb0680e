/* Creation and destruction of the gas. */
#include "hard/kernel/create.h"
#include "hard/kernel/bodies.h"
#include "hard/kernel/broad/cells.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/order.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/features.h"
#include "hard/kernel/features/reserve.h"
#include "hard/kernel/parallel/crew.h"
#include "hard/kernel/response/record.h"
#include "hard/kernel/schedule/rebase.h"
#include "hard/kernel/schedule/reference.h"
#include "hard/kernel/schedule/schedule.h"
#include "hard/kernel/schedule/start.h"
#include "hard/kernel/totals.h"

#include "base/memory.h"

static void set_box(gas *g, const initial_state *state)
{
    for (int k = 0; k < DIM; k++) {
        bool periodic = g->scene->box.boundary[k] == BOUNDARY_PERIODIC;
        g->size[k] = (real)state->size[k];
        g->box[k] = periodic ? g->size[k] : 0;
        g->inverse_box[k] = periodic ? 1 / g->size[k] : 0;
        g->gravity[k] = (real)g->scene->gravity[k];
    }
}

static void set_surfaces(gas *g)
{
    for (int k = 0; k < DIM; k++) {
        if (g->scene->box.boundary[k] != BOUNDARY_WALL) continue;
        for (int side = 0; side < 2; side++) {
            surface *s = &g->surface[g->surface_count++];
            s->axis = k;
            s->side = side;
            s->normal[k] = side == 0 ? 1 : -1;
            s->point[k] = side == 0 ? 0 : g->size[k];
        }
    }
    for (size_t p = 0; p < g->scene->plane_count; p++) {
        surface *s = &g->surface[g->surface_count++];
        s->axis = -1;
        s->law = (uint32_t)(1 + p);
        for (int k = 0; k < DIM; k++) {
            s->normal[k] = (real)g->scene->planes[p].normal[k];
            s->point[k] = (real)g->scene->planes[p].point[k];
        }
    }
}

/* Whether a surface exerts a force along this axis, or a feature breaks the symmetry under translations or boosts. */
static bool is_held(const gas *g, int k)
{
    for (uint32_t s = 0; s < g->surface_count; s++)
        if (g->surface[s].normal[k] != 0) return true;
    return features_hold(g, k);
}

/* Along an axis without such forces, gravity accelerates the frame of reference only. A long fall therefore does not
 * increase rounding. */
static void set_fall(gas *g)
{
    for (int k = 0; k < DIM; k++) {
        if (!is_held(g, k)) {
            g->fall[k] = (double)g->gravity[k];
            g->gravity[k] = 0;
        }
        g->has_gravity = g->has_gravity || g->gravity[k] != 0;
    }
}

static uint32_t add_kind(gas *g, const initial_state *state, size_t i)
{
    uint32_t k = g->kind_count++;
    g->radius[k] = (real)state->diameter[i] / 2;
    g->mass[k] = state->mass[i];
    g->species[k] = state->species[i];
    return k;
}

static bool is_kind(const gas *g, uint32_t k, const initial_state *state, size_t i)
{
    return g->radius[k] == (real)state->diameter[i] / 2 && g->mass[k] == state->mass[i] &&
           g->species[k] == state->species[i];
}

/* Bodies with equal radius, mass and species share a kind. If there are many kinds, each body has its own. */
static void find_kinds(gas *g, const initial_state *state)
{
    enum { FEW = 64 };
    for (uint32_t i = 0; i < g->count && g->kind_count <= FEW; i++) {
        uint32_t k = i > 0 ? g->body[i - 1].kind : 0;
        if (k >= g->kind_count || !is_kind(g, k, state, i))
            for (k = 0; k < g->kind_count && !is_kind(g, k, state, i);) k++;
        g->body[i].kind = k < g->kind_count ? k : add_kind(g, state, i);
    }
    if (g->kind_count <= FEW) return;
    g->kind_count = 0;
    for (uint32_t i = 0; i < g->count; i++) g->body[i].kind = add_kind(g, state, i);
}

/* Frees memory for kinds that do not exist, if possible. */
static void shrink_kinds(gas *g)
{
    const size_t n = g->count, kinds = g->kind_count;
    real *radius = memory_resize(g->radius, n, kinds, sizeof *radius);
    if (radius != NULL) g->radius = radius;
    double *mass = memory_resize(g->mass, n, kinds, sizeof *mass);
    if (mass != NULL) g->mass = mass;
    uint32_t *species = memory_resize(g->species, n, kinds, sizeof *species);
    if (species != NULL) g->species = species;
    uint32_t *population = memory_resize(g->population, n, kinds, sizeof *population);
    if (population != NULL) g->population = population;
}

static void set_kinds(gas *g, const initial_state *state)
{
    find_kinds(g, state);
    for (uint32_t i = 0; i < g->count; i++) g->population[g->body[i].kind]++;
    if (g->kind_count < g->count) shrink_kinds(g);
}

static void set_bodies(gas *g, const initial_state *state)
{
    for (uint32_t i = 0; i < g->count; i++) {
        body *b = &g->body[i];
        g->id[i] = i;
        for (int k = 0; k < DIM; k++) {
            b->r[k] = (real)state->position[i][k];
            b->v[k] = (real)state->velocity[i][k];
        }
    }
}

/* The gas is described in the frame of its centre of mass: the physics is the same, and a cooling gas with a drift
 * keeps its precision. A drift at the level of rounding is removed. */
static void set_drift(gas *g)
{
    const double rounding = fmax(1e-12, 64 * (double)REAL_GRAIN);
    real drift[DIM];
    for (int k = 0; k < DIM; k++) g->free_axis[k] = g->box[k] > 0 && !is_held(g, k);
    remove_drift(g, drift);
    const double speed = rms_speed(g);
    for (int k = 0; k < DIM; k++) g->drift[k] = fabs((double)drift[k]) > rounding * speed ? (double)drift[k] : 0;
    if (speed > 0) frexp(speed, &g->base_exponent);
    g->far = far_flight(g);
}

static bool allocate(gas *g, const initial_state *state, unsigned tallies)
{
    size_t n = g->count;
    g->radius = NEW_ARRAY(n, real);
    g->mass = NEW_ARRAY(n, double);
    g->species = NEW_ARRAY(n, uint32_t);
    g->population = NEW_ARRAY(n, uint32_t);
    g->surface = NEW_ARRAY(2 * DIM + g->scene->plane_count, surface);
    return features_allocate(g, state, tallies) && bodies_allocate(g, true) && g->radius && g->mass && g->species &&
           g->population && g->surface;
}

static size_t memory_of(size_t n)
{
    return n * (sizeof(body) + sizeof(plan) + sizeof(uint32_t) + DIM * sizeof(int32_t)) + lists_bytes((uint32_t)n) +
           fel_memory((uint32_t)n);
}

static carom_status gas_create(void **self, const scene *s, const initial_state *state, unsigned tallies,
                               const engine_workers *workers, error *e)
{
    gas *g = NEW_ARRAY(1, gas);
    if (g == NULL) return error_memory(e, "the engine", sizeof *g);
    *self = g;
    g->scene = s;
    g->settings = s->engine_settings;
    g->count = g->room = (uint32_t)state_particles(state); /* vertices follow */
    g->grow_to = g->reach = 1;
    g->counts = true;
    g->tally_three_body = (tallies & TALLY_THREE_BODY) != 0;
    if (!allocate(g, state, tallies)) return error_memory(e, "the engine", memory_of(state->count));
    set_box(g, state);
    set_surfaces(g);
    TRY(features_create(g, state, e));
    set_fall(g);
    set_kinds(g, state);
    set_bodies(g, state);
    TRY(features_place(g, state, e));
    set_drift(g);
    features_start(g);
    if (workers != NULL && (workers->threads > 1 || transport_ranks(workers->transport) > 1))
        TRY(crew_create(g, workers->threads, workers->transport, e));
    if (tallies & TALLY_CONTACTS) TRY(recorder_log_contacts(g, e));
    if (g->reserve != NULL) reserve_begin(g, state);
    order_bodies(g);
    features_rebased(g);
    return CAROM_OK;
}

/* Domains find their events when they begin. */
static carom_status gas_begin(void *self, error *e)
{
    gas *g = self;
    return g->crew != NULL || g->begun ? CAROM_OK : start(g, e);
}

static void gas_destroy(void *self)
{
    gas *g = self;
    if (g == NULL) return;
    crew_destroy(g);
    schedule_destroy(g);
    lists_destroy(g);
    cell_grid_destroy(g);
    bodies_release(g);
    features_destroy(g);
    recorder_destroy(g);
    memory_free(g->radius);
    memory_free(g->mass);
    memory_free(g->species);
    memory_free(g->population);
    memory_free(g->surface);
    memory_free(g);
}

static carom_status grow(void *self, double rate, double factor, error *e)
{
    gas *g = self;
    lists_destroy(g);
    cell_grid_destroy(g);
    schedule_destroy(g);
    g->growth = (real)rate;
    g->grow_to = (real)factor;
    return start(g, e);
}
