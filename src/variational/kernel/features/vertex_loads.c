#include "variational/kernel/features/vertex_loads.h"

#include "variational/kernel/narrow/elements.h"

#include "base/memory.h"
#include "engine/sound.h"
#include "scene/where.h"

/* A vertex of a load: a node of a class, and its share of the load. */
typedef struct load_point {
    uint32_t node, class, local;
    double share;
} load_point;

/* At the last kick: position, and force since then. */
typedef struct load_state {
    double x[3], force[3];
} load_state;

typedef struct vertex_loads {
    load_point *point; /* of load k: point[first[k] .. first[k + 1]) */
    load_state *state; /* [points] */
    /* [points of the largest load]: from their centre; forces at present. */
    double (*arm)[3], (*force)[3];
    uint32_t *first; /* [loads + 1] */
} vertex_loads;

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static double ramp_at(const scene_load *from, double t)
{
    double time = 0, factor = 0;
    if (from->ramp_count == 0) return 1;
    for (size_t k = 0; k < from->ramp_count; k++) {
        const scene_ramp *to = &from->ramp[k];
        if (t < to->time) return factor + (to->factor - factor) * (t - time) / (to->time - time);
        time = to->time;
        factor = to->factor;
    }
    return factor;
}

static void place_point(const world *w, const load_point *p, double t, double x[3])
{
    x[2] = 0;
    node_place(w, p->node, t, x);
}

/* Arms from the centre of the points, with their shares as weights. Returns the sum of their squares normal to the
 * moment, times the square of the moment: 0 where the points lie on a line along it. */
static double set_arms(const world *w, size_t k, double t)
{
    const vertex_loads *all = w->vertex_loads;
    const load_point *point = all->point + all->first[k];
    const double *moment = w->scene->loads[k].moment;
    const uint32_t count = all->first[k + 1] - all->first[k];
    double centre[3] = {0}, sum = 0, across[3];
    for (uint32_t n = 0; n < count; n++) {
        place_point(w, &point[n], t, all->arm[n]);
        for (int c = 0; c < 3; c++) centre[c] += point[n].share * all->arm[n][c];
    }
    for (uint32_t n = 0; n < count; n++) {
        for (int c = 0; c < 3; c++) all->arm[n][c] -= centre[c];
        cross3(moment, all->arm[n], across);
        sum += point[n].share * dot3(across, across);
    }
    return sum;
}

/* The forces on all points of a load: those of the couple turn the points about the moment like a rigid body, and their
 * moment about its axis is that of the load. */
static void load_forces(const world *w, size_t k, double t, double (*out)[3])
{
    const vertex_loads *all = w->vertex_loads;
    const scene_load *from = &w->scene->loads[k];
    const double factor = ramp_at(from, t), square = dot3(from->moment, from->moment);
    const double sum = square > 0 ? set_arms(w, k, t) : 0, turn = sum > 0 ? square / sum : 0;
    for (uint32_t n = 0; n < all->first[k + 1] - all->first[k]; n++) {
        double across[3] = {0};
        if (turn > 0) cross3(from->moment, all->arm[n], across);
        for (int c = 0; c < 3; c++)
            out[n][c] = factor * all->point[all->first[k] + n].share * (from->force[c] + turn * across[c]);
    }
}

/* The work is that of the mean of the forces at two kicks over the way between them. */
static void vertex_loads_act(world *w, const shell_class *c, double t)
{
    const vertex_loads *all = w->vertex_loads;
    const uint32_t class = (uint32_t)(c - w->shells->class);
    for (size_t k = 0; k < w->scene->load_count; k++) {
        double(*force)[3] = all->force;
        load_forces(w, k, t, force);
        for (uint32_t n = all->first[k]; n < all->first[k + 1]; n++, force++) {
            const load_point *p = &all->point[n];
            load_state now, *last = &all->state[n];
            if (p->class != class) continue;
            place_point(w, p, t, now.x);
            memcpy(now.force, *force, sizeof now.force);
            for (int q = 0; q < 3; q++) {
                w->totals.sum.work += 0.5 * (last->force[q] + now.force[q]) * (now.x[q] - last->x[q]);
                w->shells->force[p->local][q] += now.force[q];
            }
            *last = now;
        }
    }
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool vertex_loads_enabled(const world *w)
{
    return w->scene->load_count > 0;
}

static uint32_t find_local(const shell_set *set, uint32_t i)
{
    uint32_t low = 0, high = set->node_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (set->node[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->node_count && set->node[low] == i ? low : NONE;
}

/* The finest class of a node. */
static void seat_point(const world *w, load_point *p)
{
    p->class = NONE;
    for (uint32_t k = w->shells != NULL ? w->shells->class_count : 0; k-- > 0 && p->class == NONE;) {
        p->local = find_local(&w->shells->class[k].set, p->node);
        if (p->local != NONE) p->class = k;
    }
}

/* Shares in proportion to the sides of triangles that join two points, half of each: along an edge of the mesh, to the
 * length that belongs to a vertex. Equal shares if a point has no such side. `length`: [vertices of the mesh]. */
static void share_load(const world *w, const initial_state *state, size_t k, double *length, bool *chosen)
{
    const vertex_loads *all = w->vertex_loads;
    const scene_load *from = &w->scene->loads[k];
    const mesh *m = &state->meshes[from->mesh];
    const size_t vertices_from = state->mesh_first[from->mesh];
    double sum = 0;
    bool each = true;
    memset(chosen, 0, m->vertex_count * sizeof *chosen);
    memset(length, 0, m->vertex_count * sizeof *length);
    for (size_t n = 0; n < state->loads[k].count; n++) chosen[state->loads[k].particles[n] - vertices_from] = true;
    for (size_t n = 0; n < m->triangle_count; n++)
        for (int q = 0; q < 3; q++) {
            const uint32_t a = m->triangles[n][q], b = m->triangles[n][(q + 1) % 3];
            double side[3];
            if (!chosen[a] || !chosen[b]) continue;
            for (int c = 0; c < 3; c++) side[c] = m->vertices[b][c] - m->vertices[a][c];
            const double half = 0.5 * sqrt(dot3(side, side));
            length[a] += half;
            length[b] += half;
            sum += 2 * half;
        }
    for (size_t n = 0; n < state->loads[k].count; n++)
        each = each && length[state->loads[k].particles[n] - vertices_from] > 0;
    for (size_t n = 0; n < state->loads[k].count; n++) {
        const double own = length[state->loads[k].particles[n] - vertices_from];
        all->point[all->first[k] + n].share = each ? own / sum : 1 / (double)state->loads[k].count;
    }
}

static carom_status make_load(world *w, const initial_state *state, size_t k, error *e)
{
    const vertex_loads *all = w->vertex_loads;
    const scene_load *from = &w->scene->loads[k];
    const size_t vertices = state->meshes[from->mesh].vertex_count;
    double *length = NEW_ARRAY(vertices, double);
    bool *chosen = NEW_ARRAY(vertices, bool);
    if (length != NULL && chosen != NULL) share_load(w, state, k, length, chosen);
    const bool made = length != NULL && chosen != NULL;
    memory_free(length);
    memory_free(chosen);
    if (!made) return error_memory(e, "the loads", vertices * sizeof *length);
    for (uint32_t n = all->first[k]; n < all->first[k + 1]; n++) {
        load_point *p = &all->point[n];
        p->node = w->index_of[state->loads[k].particles[n - all->first[k]]];
        seat_point(w, p);
        if (p->class == NONE)
            return scene_refuse(scene_at(w->scene, "loads.%zu", k), e,
                                "load '%s': vertex %zu of mesh '%s' has no material, in whose kicks a load acts" HINT
                                "give the mesh `young`, or `stretch` and `bend`",
                                from->name,
                                state->loads[k].particles[n - all->first[k]] - state->mesh_first[from->mesh],
                                w->scene->meshes[from->mesh].name);
        w->shells->class[p->class].loaded = true;
        place_point(w, p, 0, all->state[n].x);
    }
    return CAROM_OK;
}

/* The load of the start. */
static carom_status begin_load(const world *w, size_t k, error *e)
{
    const vertex_loads *all = w->vertex_loads;
    const double *moment = w->scene->loads[k].moment, square = dot3(moment, moment);
    double wide = 0;
    load_forces(w, k, 0, all->force);
    for (uint32_t n = all->first[k]; n < all->first[k + 1]; n++)
        memcpy(all->state[n].force, all->force[n - all->first[k]], sizeof all->state[n].force);
    if (square == 0) return CAROM_OK;
    const double across = set_arms(w, k, 0);
    for (uint32_t n = 0; n < all->first[k + 1] - all->first[k]; n++) wide += dot3(all->arm[n], all->arm[n]);
    if (across > SHORTEST_ARM * SHORTEST_ARM * square * wide) return CAROM_OK;
    return scene_refuse(scene_at(w->scene, "loads.%zu.moment", k), e,
                        "load '%s': its vertices lie on a line along the moment, about which they cannot turn" HINT
                        "choose the next row of vertices, too",
                        w->scene->loads[k].name);
}

static carom_status vertex_loads_create(world *w, const initial_state *state, error *e)
{
    size_t count = 0, most = 0;
    vertex_loads *all = w->vertex_loads = NEW_ARRAY(1, vertex_loads);
    if (all == NULL) return error_memory(e, "the loads", sizeof *all);
    all->first = NEW_ARRAY(state->load_count + 1, uint32_t);
    for (size_t k = 0; k < state->load_count && all->first != NULL; k++) {
        count += state->loads[k].count;
        most = state->loads[k].count > most ? state->loads[k].count : most;
        all->first[k + 1] = (uint32_t)count;
    }
    all->point = NEW_ARRAY(count, load_point);
    all->state = NEW_ARRAY(count, load_state);
    all->arm = memory_new(most, sizeof *all->arm);
    all->force = memory_new(most, sizeof *all->force);
    if (all->first == NULL || all->point == NULL || all->state == NULL || all->arm == NULL || all->force == NULL)
        return error_memory(e, "the loads", count * sizeof *all->state);
    for (size_t k = 0; k < state->load_count; k++) {
        TRY(make_load(w, state, k, e));
        TRY(begin_load(w, k, e));
    }
    return CAROM_OK;
}

static void vertex_loads_destroy(world *w)
{
    vertex_loads *all = w->vertex_loads;
    if (all == NULL) return;
    memory_free(all->point);
    memory_free(all->state);
    memory_free(all->arm);
    memory_free(all->force);
    memory_free(all->first);
    memory_free(all);
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static int vertex_loads_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    const vertex_loads *all = w->vertex_loads;
    parts[0] = (snapshot_part){"engine/loads", all->state, all->first[w->scene->load_count] * sizeof *all->state};
    return 1;
}

static const char *vertex_loads_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    const vertex_loads *all = w->vertex_loads;
    (void)before;
    return sound_numbers(all->state->x, 6 * (size_t)all->first[w->scene->load_count]) ? NULL : "engine/loads";
}

/* The work since the last kick. */
static void vertex_loads_fill_frame(const world *w, double t, carom_frame *f)
{
    const vertex_loads *all = w->vertex_loads;
    for (uint32_t n = 0; n < all->first[w->scene->load_count]; n++) {
        double x[3];
        place_point(w, &all->point[n], t, x);
        for (int c = 0; c < 3; c++) f->tallies.ledger.work += all->state[n].force[c] * (x[c] - all->state[n].x[c]);
    }
}

static const feature vertex_loads_feature = {.name = "loads",
                                             .enabled = vertex_loads_enabled,
                                             .create = vertex_loads_create,
                                             .destroy = vertex_loads_destroy,
                                             .saved = vertex_loads_saved,
                                             .find_unsound = vertex_loads_find_unsound,
                                             .fill_frame = vertex_loads_fill_frame};
