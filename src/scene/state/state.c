#include "scene/state.h"

#include <math.h>

#include "base/memory.h"
#include "base/periodic.h"
#include "scene/scale.h"
#include "scene/state/build.h"
#include "scene/state/region.h"

static carom_status allocate(initial_state *state, const scene *s, size_t count, error *e)
{
    size_t bytes = count * ((s->shaped ? 14 : s->rough ? 11 : 8) * sizeof(double) + sizeof(uint32_t));
    if (!memory_can_hold(bytes)) return error_memory(e, "the initial state", bytes);
    state->count = count;
    state->position = memory_new(count, sizeof *state->position);
    state->velocity = memory_new(count, sizeof *state->velocity);
    state->species = NEW_ARRAY(count, uint32_t);
    state->diameter = NEW_ARRAY(count, double);
    state->mass = NEW_ARRAY(count, double);
    if (scene_flows(s)) state->absent = NEW_ARRAY(count, bool);
    if (s->rough) state->spin = memory_new(count, sizeof *state->spin);
    if (s->shaped) state->axis = memory_new(count, sizeof *state->axis);
    if (state->position == NULL || state->velocity == NULL || state->species == NULL || state->diameter == NULL ||
        state->mass == NULL || (scene_flows(s) && state->absent == NULL) || (s->rough && state->spin == NULL) ||
        (s->shaped && state->axis == NULL))
        return error_memory(e, "the initial state", bytes);
    return CAROM_OK;
}

static carom_status count_entries(build *b, error *e)
{
    uint64_t total = 0;
    for (size_t i = 0; i < b->s->particles_count; i++) {
        const bool file = b->s->particles[i].place == PLACE_FILE;
        if (file) TRY(build_file(b, i, e));
        uint64_t count = file ? b->files[i].count : b->s->particles[i].count;
        if (!file && count < UINT32_MAX) count *= scene_item_size(b->s, i);
        if (count >= UINT32_MAX || (total += count) >= UINT32_MAX)
            return scene_refuse(scene_at(b->s, "particles.%zu.count", i), e,
                                "particles.%zu: more than %lu particles in all", i, (unsigned long)UINT32_MAX - 1);
        b->first[i + 1] = total;
    }
    if (total > 0 || b->s->mesh_count > 0) return CAROM_OK;
    for (size_t i = 0; i < b->s->particles_count; i++)
        if (b->s->particles[i].place == PLACE_FILE)
            return scene_refuse(scene_at(b->s, "particles.%zu.place", i), e,
                                "no particles: the file has none; vertices of meshes are left out");
    return scene_refuse(scene_at(b->s, "particles"), e,
                        "no particles: add an entry to `particles` with a count of 1 or more");
}

carom_status build_open(build *b, const scene *s, initial_state *state, error *e)
{
    *b = (build){.s = s, .state = state, .scale = 1};
    b->first = NEW_ARRAY(s->particles_count + 1, size_t);
    b->files = NEW_ARRAY(s->particles_count, points);
    if (b->first == NULL || b->files == NULL)
        return error_memory(e, "the entries of particles", s->particles_count * sizeof(points));
    TRY(build_clump_models(b, e));
    return count_entries(b, e);
}

void build_close(build *b)
{
    if (b->files != NULL)
        for (size_t i = 0; i < b->s->particles_count; i++) points_free(&b->files[i]);
    build_clump_models_free(b);
    memory_free(b->files);
    memory_free(b->first);
    memory_free(b->owner);
    memory_free(b->ends);
}

/* Positions from a file or a list. */
static carom_status place_given(build *b, size_t entry, const double (*given)[3], error *e)
{
    double(*position)[3] = b->state->position + b->first[entry];
    for (size_t i = 0; i < build_items(b, entry); i++)
        for (int k = 0; k < b->s->dimension; k++) {
            if (!isfinite(given[i][k]) || (b->box.periodic[k] && fabs(given[i][k]) > SCALE_IMAGES * b->box.size[k]))
                return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                                    "particle %zu is at %c = %.6g, and the periodic box is %.6g long; positions must "
                                    "be within %.0e boxes",
                                    b->first[entry] + i, "xyz"[k], given[i][k], b -> box.size[k], SCALE_IMAGES);
            position[i][k] = b->box.periodic[k] ? periodic_image(given[i][k], b->box.size[k]) : given[i][k];
        }
    return CAROM_OK;
}

static carom_status place_file(build *b, size_t entry, error *e)
{
    double(*centre)[3] = b->state->position + b->first[entry];
    TRY(build_compare_box(b, entry, e));
    if (!build_is_clump(b, entry)) return place_given(b, entry, (const double(*)[3])b->files[entry].position, e);
    TRY(build_compare_clumps(b, entry, e));
    build_file_centres(b, entry, centre);
    return place_given(b, entry, (const double(*)[3])centre, e);
}

static void mark_absent(build *b)
{
    for (size_t k = 0; k < b->s->particles_count; k++)
        for (size_t i = b->first[k]; b->s->particles[k].place == PLACE_INFLOW && i < b->first[k + 1]; i++)
            b->state->absent[i] = true;
}

static carom_status place_entries(build *b, error *e)
{
    TRY(region_check(b, e));
    for (size_t i = 0; i < b->s->particles_count; i++) {
        if (build_count(b, i) == 0) continue;
        switch (b->s->particles[i].place) {
        case PLACE_FCC:
        case PLACE_BCC:
        case PLACE_SC:
        case PLACE_SQUARE:
        case PLACE_HEXAGONAL:
            TRY(build_lattice(b, i, e));
            break;
        case PLACE_FILE:
            TRY(place_file(b, i, e));
            break;
        case PLACE_AT:
            TRY(place_given(b, i, (const double(*)[3])b->s->particles[i].at, e));
            break;
        case PLACE_RANDOM:
        case PLACE_COMPRESS:
        case PLACE_WALK:
        case PLACE_INFLOW:
            break;
        }
        if (build_is_clump(b, i) && b->s->particles[i].place != PLACE_RANDOM) build_expand_clumps(b, i);
    }
    TRY(build_copies(b, e));
    TRY(build_walks(b, e));
    return build_random(b, e);
}

size_t state_items(const initial_state *state)
{
    size_t count = state_particles(state);
    for (size_t k = 0; k < state->body_count; k++)
        if (state->bodies[k].clump) count -= state->bodies[k].count - 1;
    return count;
}

carom_status state_check_condition(const initial_state *state, const scene_condition *when, scene_spot at, error *e)
{
    const size_t most = state_items(state);
    if (when->particles <= most) return CAROM_OK;
    return scene_refuse(at, e, "%llu particles are never in the system, which has %zu%s" HINT "wait for at most %zu",
                        (unsigned long long)when->particles, most,
                        state->absent != NULL ? " with those that enter" : "", most);
}

carom_status build_report(const build *b, double fraction, error *e)
{
    if (b->watch == NULL || b->watch(fraction, b->watch_user)) return CAROM_OK;
    return error_set(e, CAROM_EARLY, "error: stopped while placing particles; there is nothing yet to resume from");
}

static carom_status create(build *b, initial_state *state, error *e)
{
    const scene *s = b->s;
    TRY(build_meshes(b, e));
    TRY(allocate(state, s, s->mesh_count > 0 ? state->mesh_first[s->mesh_count] : b->first[s->particles_count], e));
    mark_absent(b);
    TRY(build_species(b, e));
    if (s->shaped) TRY(build_orientations(b, e));
    TRY(build_box(b, e));
    TRY(place_entries(b, e));
    TRY(build_vertices(b, e));
    TRY(build_check(b, e));
    TRY(build_velocities(b, e));
    TRY(state_check_condition(state, &s->until.rest, scene_at(s, "run.until.rest.particles"), e));
    return build_check_scale(b, e);
}

carom_status state_create_watched(initial_state *state, const scene *s, state_watch *watch, void *user, error *e)
{
    build b;
    *state = (initial_state){0};
    carom_status status = build_open(&b, s, state, e);
    b.watch = watch;
    b.watch_user = user;
    if (status == CAROM_OK) status = create(&b, state, e);
    build_close(&b);
    if (status != CAROM_OK) state_free(state);
    return status;
}

carom_status state_create(initial_state *state, const scene *s, error *e)
{
    return state_create_watched(state, s, NULL, NULL, e);
}

carom_status state_draw_velocities(initial_state *state, const scene *s, error *e)
{
    build b;
    carom_status status = build_open(&b, s, state, e);
    if (status == CAROM_OK) status = build_velocities(&b, e);
    build_close(&b);
    return status;
}

void state_free(initial_state *state)
{
    memory_free(state->position);
    memory_free(state->velocity);
    memory_free(state->spin);
    memory_free(state->axis);
    memory_free(state->species);
    memory_free(state->diameter);
    memory_free(state->mass);
    memory_free(state->absent);
    for (size_t i = 0; i < state->mesh_count; i++) {
        mesh_free(&state->meshes[i]);
        memory_free(state->repairs[i]);
    }
    memory_free(state->repairs);
    memory_free(state->meshes);
    memory_free(state->mesh_first);
    for (size_t i = 0; i < state->drive_count; i++) memory_free(state->drives[i].particles);
    memory_free(state->drives);
    for (size_t i = 0; i < state->load_count; i++) memory_free(state->loads[i].particles);
    memory_free(state->loads);
    for (size_t i = 0; i < state->body_count; i++) memory_free(state->bodies[i].particles);
    memory_free(state->bodies);
    *state = (initial_state){0};
}
