/* Stepped potentials, liquid bridges and bonds: creation, checkpoints and sorting of the links; energy and hash. */
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/features/stepped_domains.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/rearrange.h"

#include "base/memory.h"
#include "neighbors/curve.h"
#include "neighbors/packing.h"

#include <string.h>

enum { FIRST_LINKS = 8 };

/* ---- shells ------------------------------------------------------------------------------------------------------ */

static void add_potential(gas *g, const scene_potential *p)
{
    stepped *s = g->stepped;
    const size_t n = g->scene->species_count, pair = p->between[0] * n + p->between[1],
                 mirror = p->between[1] * n + p->between[0];
    const uint32_t first = s->shell_count;
    for (size_t k = 0; k < p->count; k++) {
        const bool last = k + 1 == p->count;
        const real outer = (real)p->steps[k].distance, inner = last ? 1 : (real)p->steps[k + 1].distance;
        shell *new = &s->shell[s->shell_count++];
        *new = (shell){.inner = inner * inner, .outer = outer * outer};
        new->inside = last ? SHELL_CORE : s->shell_count;
        new->beyond = k == 0 ? SHELL_OUTSIDE : s->shell_count - 2;
        new->energy = p->bridge ? 0 : p->steps[k].energy;
        new->torn = p->bridge ? p->steps[k].energy : 0;
    }
    uint32_t *from = p->bridge ? s->wetted : s->entered;
    from[pair] = from[mirror] = first;
    if (p->bridge) return;
    s->outermost[pair] = s->outermost[mirror] = s->shell[first].outer;
    g->reach = later(g->reach, (real)p->steps[0].distance);
}

static carom_status add_bonds(gas *g, const scene_bonds *b, error *e)
{
    stepped *s = g->stepped;
    const real shortest = (real)b->shortest, longest = (real)b->longest;
    const real inner = shortest > 0 ? shortest * shortest : -longest * longest; /* negative: never reached */
    s->shell[s->shell_count++] = (shell){.inner = inner, .outer = longest * longest, .lengths = true};
    for (size_t k = 0; k < b->count; k++) TRY(links_set(g, b->pairs[k][0], b->pairs[k][1], s->shell_count - 1, e));
    return CAROM_OK;
}

/* ---- linked pairs at the start ----------------------------------------------------------------------------------- */

typedef struct finder {
    gas *g;
    error *e;
    carom_status status;
} finder;

static bool link_pair(const packing_pair *pair, void *user)
{
    finder *f = user;
    gas *g = f->g;
    const uint32_t i = pair->i, j = pair->j;
    uint32_t in = g->stepped->entered[species_of(g, i) * g->scene->species_count + species_of(g, j)];
    if (in == SHELL_OUTSIDE || stepped_linked(g, i, j)) return true;
    real r[DIM], v[DIM], contact = radius_of(g, i) + radius_of(g, j), unit = contact * contact;
    relative_at(g, i, j, 0, 0, r, v);
    const real rr = dot(r, r);
    if (!(rr < g->stepped->shell[in].outer * unit)) return true;
    while (g->stepped->shell[in].inside != SHELL_CORE && rr < g->stepped->shell[in].inner * unit)
        in = g->stepped->shell[in].inside;
    f->status = links_set(g, i, j, in, f->e);
    return f->status == CAROM_OK;
}

static carom_status find_pairs(gas *g, const initial_state *state, error *e)
{
    finder f = {g, e, CAROM_OK};
    cells_box box = {.dimension = DIM};
    for (int k = 0; k < 3; k++) {
        box.size[k] = state->size[k];
        box.periodic[k] = k < DIM && g->scene->box.boundary[k] == BOUNDARY_PERIODIC;
    }
    if (g->reach == 1) return CAROM_OK;
    TRY(packing_pairs(&box, g->count, (const double(*)[3])state->position, state->diameter, (double)g->reach, link_pair,
                      &f, e));
    return f.status;
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

static bool stepped_allocate(gas *g, size_t shells)
{
    stepped *s = g->stepped;
    const size_t species = g->scene->species_count, pairs = species * species;
    s->shell = NEW_ARRAY(shells, shell);
    s->halves = NEW_ARRAY(shells, uint64_t);
    s->entered = NEW_ARRAY(pairs, uint32_t);
    s->wetted = NEW_ARRAY(pairs, uint32_t);
    s->outermost = NEW_ARRAY(pairs, real);
    s->length = NEW_ARRAY(g->count, uint32_t);
    s->linked = NEW_ARRAY(g->count, uint8_t);
    s->place = NEW_ARRAY(g->count, uint32_t);
    if (!s->shell || !s->halves || !s->entered || !s->wetted || !s->outermost || !s->length || !s->linked || !s->place)
        return false;
    for (size_t k = 0; k < pairs; k++) s->outermost[k] = 1;
    s->shell_count = 1;
    return true;
}

static size_t shells_of(const scene *s)
{
    size_t shells = 1 + s->bonds_count;
    for (size_t k = 0; k < s->potential_count; k++) shells += s->potentials[k].count;
    return shells;
}

static bool stepped_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return shells_of(g->scene) > 1;
}

/* The linked pairs follow from the positions of the bodies, which are in the order of the scene. */
static carom_status stepped_place(gas *g, const initial_state *state, error *e)
{
    const scene *s = g->scene;
    if (!stepped_allocate(g, shells_of(s))) return error_memory(e, "links of pairs", g->count * sizeof(link));
    TRY(links_widen(g, FIRST_LINKS, e));
    for (size_t k = 0; k < s->potential_count; k++) add_potential(g, &s->potentials[k]);
    for (size_t k = 0; k < s->bonds_count; k++) TRY(add_bonds(g, &s->bonds[k], e));
    return find_pairs(g, state, e);
}

static void stepped_destroy(gas *g)
{
    stepped *s = g->stepped;
    memory_free(s->shell);
    memory_free(s->halves);
    memory_free(s->entered);
    memory_free(s->wetted);
    memory_free(s->outermost);
    memory_free(s->row);
    memory_free(s->length);
    memory_free(s->linked);
    memory_free(s->spare);
    memory_free(s->place);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static snapshot_part part_of_rows(const gas *g)
{
    const stepped *s = g->stepped;
    return (snapshot_part){"engine/links", s->row, (size_t)g->count * s->capacity * sizeof *s->row};
}

static int stepped_saved(gas *g, snapshot_part parts[MOST_FEATURE_PARTS])
{
    stepped *s = g->stepped;
    parts[0] = (snapshot_part){"engine/link_room", &s->capacity, sizeof s->capacity};
    parts[1] = (snapshot_part){"engine/link_count", s->length, g->count * sizeof *s->length};
    parts[2] = part_of_rows(g);
    return 3;
}

/* Whether the partner has the same link exactly once. */
static bool is_mutual(const gas *g, uint32_t i, const link *l)
{
    uint32_t known = 0;
    for (uint32_t k = 0; k < g->stepped->length[l->with]; k++) {
        const link *other = &links_of(g, l->with)[k];
        if (other->with == i) known += other->shell == l->shell ? 1 : 2;
    }
    return known == 1;
}

/* All numbers of a file have to be valid indices of the lists. */
static bool links_are_sound(const gas *g)
{
    const stepped *s = g->stepped;
    for (uint32_t i = 0; i < g->count; i++) {
        if (s->length[i] > s->capacity) return false;
        for (uint32_t k = 0; k < s->length[i]; k++) {
            const link *l = &links_of(g, i)[k];
            if (l->with >= g->count || l->with == i || l->shell == 0 || l->shell >= s->shell_count) return false;
        }
    }
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < s->length[i]; k++)
            if (!is_mutual(g, i, &links_of(g, i)[k])) return false;
    return true;
}

static carom_status stepped_load(gas *g, const snapshot *in, error *e)
{
    uint32_t room = 0;
    const snapshot_part parts[] = {{"engine/link_room", &room, sizeof room},
                                   {"engine/link_count", g->stepped->length, g->count * sizeof *g->stepped->length}};
    const snapshot_array *rows = snapshot_find(in, "engine/links");
    TRY(snapshot_get_parts(in, parts, 1, e));
    if (rows == NULL || room == 0 || room > UINT32_MAX / 2 || rows->count != (size_t)g->count * room * sizeof(link))
        return error_set(e, CAROM_BAD_DATA, "error: 'engine/links' of the saved state does not fit the scene");
    memset(g->stepped->length, 0, g->count * sizeof *g->stepped->length);
    TRY(links_widen(g, room, e));
    const snapshot_part row = part_of_rows(g);
    TRY(snapshot_get_parts(in, parts + 1, 1, e));
    TRY(snapshot_get_parts(in, &row, 1, e));
    if (links_are_sound(g)) return CAROM_OK;
    return error_set(e, CAROM_BAD_DATA, "error: 'engine/links' of the saved state is damaged");
}

/* ---- sorting ----------------------------------------------------------------------------------------------------- */

static void stepped_reorder(gas *g, struct curve_place *from)
{
    stepped *s = g->stepped;
    rearrange(s->row, s->capacity * sizeof *s->row, from, g->count, s->spare);
    link held;
    rearrange(s->length, sizeof *s->length, from, g->count, &held);
    for (uint32_t i = 0; i < g->count; i++) s->place[from[i].item] = i;
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < s->length[i]; k++) {
            link *l = &s->row[(size_t)i * s->capacity + k];
            l->with = s->place[l->with];
        }
}

/* ---- energy and hash --------------------------------------------------------------------------------------------- */

/* In unscaled units. */
static double stepped_energy(const gas *g)
{
    const stepped *s = g->stepped;
    double energy = 0;
    memset(s->halves, 0, s->shell_count * sizeof *s->halves);
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < s->length[i]; k++) s->halves[links_of(g, i)[k].shell]++;
    for (uint32_t in = 0; in < s->shell_count; in++) energy += (double)(s->halves[in] / 2) * s->shell[in].energy;
    return energy;
}

static uint64_t stepped_hash(const gas *g)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->count; i++)
        for (uint32_t k = 0; k < g->stepped->length[i]; k++) {
            const link *l = &links_of(g, i)[k];
            uint64_t one = hash_u64(HASH_START, (uint64_t)g->id[i] << 32 | g->id[l->with]);
            sum += hash_finish(hash_u64(one, l->shell));
        }
    return sum;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static uint64_t stepped_hash_events(const gas *g, uint64_t hash)
{
    return hash_u64(hash_u64(hash, g->events[EVENT_FORCE]), stepped_hash(g));
}

static void stepped_fill_frame(const gas *g, real t, carom_frame *f)
{
    (void)t;
    f->has_pair_energy = true;
    f->pair_energy = stepped_energy(g);
}

static const feature feature_stepped = {.name = "stepped potentials, bridges and bonds",
                                        FEATURE_STATE(stepped),
                                        .enabled = stepped_enabled,
                                        .place = stepped_place,
                                        .destroy = stepped_destroy,
                                        .reorder = stepped_reorder,
                                        .saved = stepped_saved,
                                        .load = stepped_load,
                                        .hash_place = HASH_AFTER_COLLISIONS,
                                        .hash = stepped_hash_events,
                                        .fill_frame = stepped_fill_frame,
                                        .divide = stepped_divide,
                                        .unite = stepped_unite,
                                        .widen = stepped_widen,
                                        .put = stepped_put,
                                        .get = stepped_get,
                                        .bytes = stepped_bytes,
                                        .join = stepped_join,
                                        .leave = stepped_leave,
                                        .chain = stepped_chain};
