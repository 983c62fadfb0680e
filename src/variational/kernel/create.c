/* Creation and destruction of the state. */
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/world.h"

#include "variational/choose.h"
#include "variational/kernel/features/feature.h"
#include "variational/kernel/features/potentials.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/reference/reference.h"
#include "variational/kernel/response/contacts.h"
#include "variational/kernel/schedule/flight_bound.h"
#include "variational/kernel/schedule/monitoring.h"
#include "variational/kernel/schedule/run.h"
#include "variational/kernel/steps.h"

#include "base/memory.h"
#include "base/threads.h"
#include "neighbors/curve.h"
#include "scene/where.h"

#include <stdio.h>

static carom_status world_allocate(world *w, error *e)
{
    uint32_t n = w->count;
    w->id = NEW_ARRAY(n, uint32_t);
    w->index_of = NEW_ARRAY(n, uint32_t);
    w->node = NEW_ARRAY(n, node);
    w->core = NEW_ARRAY(w->elements, double);
    w->radius = NEW_ARRAY(w->elements, double);
    w->mass = NEW_ARRAY(n, double);
    w->inverse_mass = NEW_ARRAY(n, double);
    w->species = NEW_ARRAY(w->elements, uint32_t);
    w->domain.surface = NEW_ARRAY(2 * DIM + w->scene->plane_count, surface);
    w->contacts.law = NEW_ARRAY(w->scene->law_count, law);
    bool made = w->id != NULL && w->index_of != NULL && w->node != NULL && w->core != NULL && w->radius != NULL &&
                w->mass != NULL && w->inverse_mass != NULL && w->species != NULL && w->domain.surface != NULL &&
                w->contacts.law != NULL;
    return made ? CAROM_OK : error_memory(e, "the nodes", n * sizeof(node));
}

static void set_box(world *w, const initial_state *state)
{
    bool kicks = w->settings->gravity == GRAVITY_KICK;
    for (int k = 0; k < DIM; k++) {
        bool periodic = w->scene->box.boundary[k] == BOUNDARY_PERIODIC;
        w->domain.size[k] = state->size[k];
        w->domain.periodic = w->domain.periodic || periodic;
        w->domain.box[k] = periodic ? state->size[k] : 0;
        w->domain.inverse_box[k] = periodic ? 1 / state->size[k] : 0;
        w->domain.gravity[k] = kicks ? 0 : w->scene->gravity[k];
        w->domain.half_gravity[k] = 0.5 * w->domain.gravity[k];
    }
    w->domain.gravity_magnitude = sqrt(dot(w->domain.gravity, w->domain.gravity));
}

/* Nodes are in the order of a space-filling curve, so that neighbours in space are close in memory. */
static carom_status set_order(world *w, const initial_state *state, error *e)
{
    curve_place *order = NEW_ARRAY(w->count, curve_place), *room = NEW_ARRAY(w->count, curve_place);
    if (order != NULL && room != NULL) {
        int levels = curve_levels(DIM, w->count);
        for (uint32_t i = 0; i < w->count; i++) {
            double x[3];
            for (int k = 0; k < DIM; k++) x[k] = state->position[i][k] / state->size[k];
            order[i] = (curve_place){curve_key(DIM, levels, x), i};
        }
        curve_sort(order, room, w->count);
        for (uint32_t i = 0; i < w->count; i++) {
            w->id[i] = order[i].item;
            w->index_of[w->id[i]] = i;
        }
    }
    bool made = order != NULL && room != NULL;
    memory_free(order);
    memory_free(room);
    return made ? CAROM_OK : error_memory(e, "the order", w->count * sizeof *order);
}

static void set_nodes(world *w, const initial_state *state)
{
    for (uint32_t i = 0; i < w->count; i++) {
        node *a = &w->node[i];
        uint32_t id = w->id[i];
        for (int k = 0; k < DIM; k++) {
            a->x[k] = state->position[id][k];
            a->v[k] = state->velocity[id][k];
        }
        w->mass[i] = state->mass[id];
        w->inverse_mass[i] = 1 / state->mass[id];
        w->radius[i] = 0.5 * state->diameter[id];
        w->core[i] = w->radius[i] - w->choice.eta;
        w->species[i] = state->species[id];
    }
}

static carom_status set_meshes(world *w, const initial_state *state, error *e)
{
    if (state->mesh_count == 0) return CAROM_OK;
    w->topology.mesh_of = NEW_ARRAY(w->count, uint32_t);
    w->topology.mesh_first = NEW_ARRAY(state->mesh_count, uint32_t);
    if (w->topology.mesh_of == NULL || w->topology.mesh_first == NULL)
        return error_memory(e, "the meshes", w->count * sizeof *w->topology.mesh_of);
    for (uint32_t i = 0; i < w->count; i++) w->topology.mesh_of[i] = NONE;
    for (size_t k = 0; k < state->mesh_count; k++) {
        w->topology.mesh_first[k] = (uint32_t)state->mesh_first[k];
        for (size_t i = state->mesh_first[k]; i < state->mesh_first[k + 1]; i++)
            w->topology.mesh_of[w->index_of[i]] = (uint32_t)k;
    }
    return CAROM_OK;
}

static void set_surfaces(world *w)
{
    for (int k = 0; k < DIM; k++) {
        if (w->scene->box.boundary[k] != BOUNDARY_WALL) continue;
        for (int side = 0; side < 2; side++) {
            surface *s = &w->domain.surface[w->domain.surface_count++];
            *s = (surface){.axis = k, .side = side};
            s->normal[k] = side == 0 ? 1 : -1;
            s->point[k] = side == 0 ? 0 : w->domain.size[k];
        }
    }
    for (size_t p = 0; p < w->scene->plane_count; p++) {
        surface *s = &w->domain.surface[w->domain.surface_count++];
        *s = (surface){.axis = -1, .law = (uint32_t)(1 + p)};
        memcpy(s->normal, w->scene->planes[p].normal, sizeof s->normal);
        memcpy(s->point, w->scene->planes[p].point, sizeof s->point);
    }
}

static bool keeps_speed(const restitution_law *l)
{
    return l->kind == RESTITUTION_CONSTANT && l->value == 1;
}

static void set_laws(world *w)
{
    const restitution_law *laws = w->scene->laws;
    bool bounces = true, smooth = true; /* all laws; smooth: only layers act */
    for (size_t k = 0; k < w->scene->law_count; k++) {
        bounces = bounces && keeps_speed(&laws[k]);
        smooth = smooth && laws[k].friction == 0 && laws[k].cohesion == 0;
    }
    for (size_t k = 0; k < w->scene->law_count; k++)
        w->contacts.law[k] = (law){&laws[k], laws[k].friction, laws[k].cohesion,
                                   keeps_speed(&laws[k]) && (bounces || laws[k].friction > 0)};
    w->contacts.elastic = bounces && smooth;
}

/* Classes of reduced masses (of elastic spheres over hardness), from the lightest to the heaviest pair. */
static carom_status set_classes(world *w, error *e)
{
    double heaviest = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (!node_is_driven(&w->node[i])) heaviest = fmax(heaviest, w->mass[i]);
    int exponent;
    heaviest /= w->choice.softest;
    frexp(fmax(heaviest / w->choice.lightest, 1) * (1 + 1e-9), &exponent);
    w->schedule.class_count = exponent > 1 ? (uint32_t)(exponent - 1) / 2 + 1 : 1;
    bool made = OWN_CLOCKS || clocks_make_room(w, 0, w->schedule.class_count);
    return made ? CAROM_OK : error_memory(e, "clocks", w->schedule.class_count * sizeof *w->schedule.layer_clock);
}

/* Elements of meshes that are too close to others at the start. */
static carom_status report_start(const world *w, error *e)
{
    char name[2][ELEMENT_NAME];
    const uint32_t partner[2] = {w->start.i, w->start.partner};
    const double reach = contact_reach(w, partner[0], partner[1]), wide = thickness(w, 1);
    for (int k = 0; k < 2; k++) element_name(w, partner[k], name[k]);
    uint32_t ends[3];
    ends_of(w, is_of_mesh(w, partner[0]) ? partner[0] : partner[1], ends);
    const scene_spot at = scene_at(w->scene, "meshes.%zu", (size_t)w->topology.mesh_of[ends[0]]);
    if (w->start.given && !(is_of_mesh(w, partner[0]) && partner[1] < NODES && is_of_mesh(w, partner[1])))
        return scene_refuse(
            at, e,
            "%s and %s are %.6g apart at the start; contacts of a given state are compressed to at least "
            "%.6g (no two elements are closer): move the mesh, or give eta of the earlier run",
            name[0], name[1], reach + w->start.gap, reach + (1 - STATE_COMPRESSION) * wide);
    return scene_refuse(at, e,
                        "%s and %s are %.6g apart, and closer than %.6g, where contact begins, at the start "
                        "(no two elements of meshes are closer): choose smaller thicknesses, larger "
                        "triangles or other places",
                        name[0], name[1], reach + w->start.gap, reach + wide);
}

static size_t memory_of(size_t count)
{
    const size_t moving = 64 + 64 + 72 + 8 * 8, contacts = 6 * 200;
    return count * (moving + contacts);
}

/* Creates all but the monitoring. */
static carom_status world_make(world *w, const scene *drawn, const initial_state *state, error *e)
{
    w->scene = drawn;
    w->settings = drawn->engine_settings;
    w->observer = w->settings->reference ? &reference_observer : NULL;
    w->count = (uint32_t)state->count;
    w->contacts.contact_free = NONE;
    w->progress.squeezed = w->elastic_links.stretched[0] = NONE;
    w->totals.closest = INFINITY;
    team_size_begin(&w->team, threads_most());
    w->totals.ledger.kept = true;
    TRY(elements_count(w, state, e));
    TRY(world_allocate(w, e));
    TRY(choose(&w->choice, drawn, state, e));
    set_box(w, state);
    TRY(set_order(w, state, e));
    set_nodes(w, state);
    TRY(set_meshes(w, state, e));
    set_surfaces(w);
    set_laws(w);
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->create != NULL && FEATURES[k]->enabled(w)) TRY(FEATURES[k]->create(w, state, e));
    TRY(set_classes(w, e));
    return elements_create(w, e);
}

static carom_status world_create(void **self, const scene *drawn, const initial_state *state, unsigned tallies,
                                 const engine_workers *workers, error *e)
{
    (void)workers;
    world *w = NEW_ARRAY(1, world);
    if (w == NULL) return error_memory(e, "the engine", sizeof *w);
    *self = w;
    w->start.given = state_is_given(drawn);
    TRY(world_make(w, drawn, state, e));
    TRY(loads_create(w, tallies, e));
    TRY(monitoring_begin(w, e));
    if (w->observer != NULL) return CAROM_OK;
    w->start.checking = true;
    w->start.gap = INFINITY;
    TRY(flights_renew_all(w, w->now, e));
    w->start.checking = false;
    return isinf(w->start.gap) ? CAROM_OK : report_start(w, e);
}

static void world_destroy(void *self)
{
    world *w = self;
    if (w == NULL) return;
    monitoring_end(w);
    for (int k = 0; k < FEATURE_COUNT; k++)
        if (FEATURES[k]->destroy != NULL) FEATURES[k]->destroy(w);
    elements_destroy(w);
    contacts_destroy(w);
    impacts_destroy(w);
    loads_destroy(w);
    kicks_destroy(w);
    clocks_destroy(w);
    memory_free(w->contacts.law);
    memory_free(w->domain.surface);
    memory_free(w->species);
    memory_free(w->mass);
    memory_free(w->inverse_mass);
    memory_free(w->topology.mesh_of);
    memory_free(w->topology.mesh_first);
    memory_free(w->radius);
    memory_free(w->core);
    memory_free(w->node);
    memory_free(w->index_of);
    memory_free(w->id);
    memory_free(w);
}

static carom_status steps_of(const scene *s, const initial_state *state, engine_steps *out, error *e)
{
    world *w = NEW_ARRAY(1, world);
    if (w == NULL) return error_memory(e, "the engine", sizeof *w);
    carom_status status = world_make(w, s, state, e);
    if (status == CAROM_OK) status = world_steps(w, state, out, e);
    world_destroy(w);
    return status;
}

static double time_of(const void *self)
{
    return ((const world *)self)->last_event;
}

static const uint64_t *events_of(const void *self)
{
    return ((const world *)self)->totals.events;
}
