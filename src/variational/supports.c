#include "variational/supports.h"

#include <math.h>
#include <stdlib.h>

#include "base/forest.h"
#include "base/memory.h"
#include "scene/planes.h"

/* A body of the scene, or a mesh that is not a part of one. */
typedef struct unit {
    double low[3], high[3]; /* a box around it */
    double mass;
    uint32_t contacts; /* vertices and particles at walls and planes below */
    double carried;    /* mass of those without contacts; of a group, in its root */
    uint32_t carriers; /* units with contacts; of a group, in its root */
} unit;

typedef struct units {
    unit *of;
    uint32_t *unit_of; /* of a particle or vertex; NONE */
    uint32_t *parent;  /* groups: base/forest.h */
    uint32_t count;
} units;

static const uint32_t NONE = UINT32_MAX;

static double along_gravity(const scene *s, const double direction[3])
{
    double sum = 0;
    for (int k = 0; k < s->dimension; k++) sum += s->gravity[k] * direction[k];
    return sum;
}

static bool is_at_rest(const scene *s, const initial_state *state)
{
    bool rests = s->drive_count == 0 && s->load_count == 0 && s->potential_count == 0 && state->absent == NULL;
    for (size_t i = 0; i < state->count && rests; i++)
        for (int k = 0; k < 3; k++)
            rests = rests && state->velocity[i][k] == 0 && (state->spin == NULL || state->spin[i][k] == 0);
    for (size_t b = 0; b < state->body_count; b++)
        for (int k = 0; k < 3; k++) rests = rests && state->bodies[b].angular_velocity[k] == 0;
    return rests;
}

/* False if a particle that can move belongs to no unit. */
static bool assign(const units *all, const scene *s, const initial_state *state)
{
    bool complete = true;
    for (size_t i = 0; i < state->count; i++) all->unit_of[i] = NONE;
    for (size_t m = 0; m < state->mesh_count; m++)
        for (size_t i = state->mesh_first[m]; i < state->mesh_first[m + 1] && !s->meshes[m].rigid; i++)
            all->unit_of[i] = (uint32_t)(state->body_count + m);
    for (size_t b = 0; b < state->body_count; b++)
        for (size_t n = 0; n < state->bodies[b].count; n++) all->unit_of[state->bodies[b].particles[n]] = (uint32_t)b;
    for (size_t i = 0; i < state_particles(state); i++) complete = complete && all->unit_of[i] != NONE;
    return complete;
}

static uint32_t contacts_of(const scene *s, const initial_state *state, size_t i, double gap)
{
    const double *r = state->position[i], within = 0.5 * state->diameter[i] + gap;
    uint32_t found = 0;
    for (int k = 0; k < s->dimension; k++) {
        if (s->box.boundary[k] != BOUNDARY_WALL) continue;
        found += s->gravity[k] < 0 && r[k] <= within;
        found += s->gravity[k] > 0 && state->size[k] - r[k] <= within;
    }
    for (size_t p = 0; p < s->plane_count; p++)
        found += along_gravity(s, s->planes[p].normal) < 0 && scene_plane_height(&s->planes[p], NULL, r) <= within;
    return found;
}

static void measure(const units *all, const scene *s, const initial_state *state, double gap)
{
    for (uint32_t u = 0; u < all->count; u++) {
        all->of[u] = (unit){.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
        all->parent[u] = u;
    }
    for (size_t i = 0; i < state->count; i++) {
        if (all->unit_of[i] == NONE) continue;
        unit *u = &all->of[all->unit_of[i]];
        for (int k = 0; k < 3; k++) {
            const double reach = k < s->dimension ? 0.5 * (state->diameter[i] + gap) : 0;
            u->low[k] = fmin(u->low[k], state->position[i][k] - reach);
            u->high[k] = fmax(u->high[k], state->position[i][k] + reach);
        }
        u->mass += state->mass[i];
        u->contacts += contacts_of(s, state, i, gap);
    }
}

/* Units without vertices come last. */
static int by_low(const void *a, const void *b)
{
    const double x = ((const unit *)a)->low[0], y = ((const unit *)b)->low[0];
    return (x > y) - (x < y);
}

static bool touch(const unit *a, const unit *b)
{
    bool some = true;
    for (int k = 0; k < 3; k++) some = some && a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
    return some;
}

/* Sorts the units; unit_of is invalid afterwards. */
static void group(const units *all)
{
    qsort(all->of, all->count, sizeof *all->of, by_low);
    for (uint32_t a = 0; a < all->count; a++)
        for (uint32_t b = a + 1; b < all->count && all->of[b].low[0] <= all->of[a].high[0]; b++)
            if (touch(&all->of[a], &all->of[b])) all->parent[forest_root(all->parent, b)] = forest_root(all->parent, a);
}

static void add_up(const units *all)
{
    for (uint32_t u = 0; u < all->count; u++) {
        unit *one = &all->of[u], *whole = &all->of[forest_root(all->parent, u)];
        whole->carried += one->contacts == 0 ? one->mass : 0;
        whole->carriers += one->contacts > 0;
    }
    for (uint32_t u = 0; u < all->count; u++) {
        const uint32_t root = forest_root(all->parent, u);
        if (root == u) continue;
        all->of[root].mass += all->of[u].mass;
        all->of[root].contacts += all->of[u].contacts;
    }
}

/* The largest mass on a contact; 0 if a group has none. Units on others stand on `legs` contacts with each. */
static double largest_share(const units *all, uint32_t legs)
{
    double most = 0;
    add_up(all);
    for (uint32_t u = 0; u < all->count; u++) {
        const unit *whole = &all->of[u];
        if (all->parent[u] != u || whole->mass == 0) continue;
        if (whole->contacts == 0) return 0;
        most = fmax(most, fmax(whole->mass / whole->contacts, whole->carried / (legs * whole->carriers)));
    }
    return most;
}

double supports_load(const scene *s, const initial_state *state, double gap)
{
    const size_t count = state->body_count + state->mesh_count;
    if (count == 0 || count > NONE || !is_at_rest(s, state)) return 0;
    const units all = {NEW_ARRAY(count, unit), NEW_ARRAY(state->count, uint32_t), NEW_ARRAY(count, uint32_t),
                       (uint32_t)count};
    double mass = 0;
    if (all.of != NULL && all.unit_of != NULL && all.parent != NULL && assign(&all, s, state)) {
        measure(&all, s, state, gap);
        group(&all);
        mass = largest_share(&all, s->dimension == 2 ? 2 : 4);
    }
    memory_free(all.of);
    memory_free(all.unit_of);
    memory_free(all.parent);
    return mass * sqrt(along_gravity(s, s->gravity));
}
