/* A cell grid of list reference positions, and neighbour lists made from it. */
#include "variational/kernel/broad/origins.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/schedule/nominal.h"

#include "base/memory.h"
#include "base/pi.h"

#include <assert.h>

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Balls: a skin so wide that they seldom leave it, and so narrow that lists stay short. */
static double choose_ball_skin(const world *w, const grid *n, uint32_t count, double spacing, double wide)
{
    double skin = count > 0 ? greater(SKIN_OF_SPACE * (spacing - wide),
                                      greater(SKIN_OF_RADIUS * n->widest, SKIN_OF_TAU * w->flights.tau))
                            : n->mesh_skin;
    /* A certificate is valid for the nearest image. Any other is half a box away or more. While the list holds, both
     * nodes may come two skins closer to it, and must not touch it. */
    for (int k = 0; k < DIM; k++)
        if (w->domain.box[k] > 0)
            skin = lesser(skin, greater(IMAGE_ROOM * w->domain.size[k] - n->widest, LEAST_SKIN_OF_RADIUS * n->widest));
    return skin;
}

/* Sets the period of the cells: along an open axis the space that balls occupy at the start, elsewhere the box. */
static void set_periods(world *w)
{
    for (int k = 0; k < DIM; k++) {
        const double size = w->domain.size[k];
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < w->count; i++) {
            if (is_vertex(w, i)) continue;
            const bool absent = node_is_absent(&w->node[i]);
            low = lesser(low, absent ? 0 : w->node[i].x[k] - w->radius[i]);
            high = greater(high, absent ? size : w->node[i].x[k] + w->radius[i]);
        }
        const bool open = w->scene->box.boundary[k] == BOUNDARY_OPEN && high > low;
        w->neighbours.period[k] = open ? lesser(size, high - low) : size;
    }
}

/* Meshes: a skin of a fixed part of their spacing, so that the neighbours in a sheet are few. Then the largest
 * tolerance of nodes for these lists, and the distance of reference positions ahead of nodes. The latter pays if
 * nodes cross their skins between impacts. */
static void choose_skins(world *w, grid *n)
{
    double volume = 1, filled = 0;
    uint32_t count = 0;
    for (int k = 0; k < DIM; k++) volume *= n->period[k];
    for (uint32_t i = 0; i < w->count; i++) {
        if (is_vertex(w, i)) continue;
        filled += pow(2 * w->radius[i], DIM);
        count++;
    }
    double spacing = pow(volume / count, 1.0 / DIM), wide = pow(filled / count, 1.0 / DIM);
    n->mesh_skin = w->topology.face_count > 0
                       ? greater(MESH_SKIN_OF_SPACING * w->neighbours.spacing, SKIN_OF_TAU * w->flights.tau)
                       : INFINITY;
    n->skin = choose_ball_skin(w, n, count, spacing, wide);
    n->mesh_skin = lesser(n->mesh_skin, n->skin);
    w->flights.tau = lesser(w->flights.tau, TAU_OF_MESH_SKIN * n->mesh_skin);
    double crossed = DIM == 2 ? 2 * wide : PI * wide * wide, path = volume / (sqrt(2) * count * crossed);
    n->ahead = count > 0 ? BALLS_AHEAD * (0.5 * n->skin - w->flights.tau) * greater(0, 1 - 0.5 * n->skin / path) : 0;
    const double room =
        0.5 * n->mesh_skin -
        greater(w->flights.tau,
                lists_tolerance(w)); /* the list of a reference position farther ahead expires at once */
    n->mesh_ahead = lesser(MESH_AHEAD * n->mesh_skin, MESH_AHEAD_OF_ROOM * room);
}

static carom_status set_cells(world *w, grid *n, error *e)
{
    const uint32_t others = w->topology.balls + w->topology.edges_from - w->count;
    const double most = cbrt(w->topology.face_count > 0 ? 8.0 * others : 4e6 + 8.0 * w->count);
    double width = 2 * n->widest + n->skin;
    size_t total = 1;
    for (int k = 0; k < DIM; k++) {
        double fit = lesser(floor(n->period[k] / width), DIM == 2 ? pow(most, 1.5) : most);
        n->cells[k] = fit > 1 ? (uint32_t)fit : 1;
        n->per_length[k] = n->cells[k] / n->period[k];
        n->wraps[k] = w->scene->box.boundary[k] != BOUNDARY_WALL;
        total *= n->cells[k];
    }
    n->head = NEW_ARRAY(total, uint32_t);
    n->crossed = NEW_ARRAY(total, uint32_t);
    if (n->head == NULL || n->crossed == NULL) return error_memory(e, "cells", total * sizeof *n->head);
    for (size_t c = 0; c < total; c++) n->head[c] = n->crossed[c] = NONE;
    return CAROM_OK;
}

static carom_status grid_create(world *w, error *e)
{
    grid *n = w->neighbours.grid = NEW_ARRAY(1, grid);
    w->neighbours.list = NEW_ARRAY(w->elements, list);
    if (n == NULL || w->neighbours.list == NULL) return error_memory(e, "lists", w->count * sizeof *w->neighbours.list);
    const uint32_t parts = w->elements - w->count;
    n->mark = NEW_ARRAY(parts, uint32_t);
    n->ends = memory_new(2 * (size_t)w->topology.rod_count + 3 * (size_t)w->topology.face_count, sizeof *n->ends);
    n->has_origin = NEW_ARRAY(parts, bool);
    n->crossing_free = NONE;
    n->origin = NEW_ARRAY(w->count, origin);
    n->used_up = NEW_ARRAY(w->elements, uint32_t);
    n->found_set = NEW_ARRAY((size_t)w->team.most, found_set);
    if (n->found_set == NULL || n->mark == NULL || n->origin == NULL || n->used_up == NULL || n->ends == NULL ||
        n->has_origin == NULL)
        return error_memory(e, "homes", w->count * sizeof *n->origin);
    for (uint32_t i = 0; i < w->count; i++) {
        n->origin[i] = (origin){.cell = NONE, .radius = w->radius[i]};
        n->widest = greater(n->widest, w->radius[i]);
    }
    for (uint32_t r = w->count; r < w->elements; r++) n->widest = greater(n->widest, w->radius[r]);
    if (w->neighbours.spacing == 0) {
        w->neighbours.spacing = mesh_grid_spacing(w);
        set_periods(w);
    }
    memcpy(n->period, w->neighbours.period, sizeof n->period);
    TRY(mesh_grid_create(w, n, e));
    choose_skins(w, n);
    return set_cells(w, n, e);
}

static void grid_destroy(world *w)
{
    grid *n = w->neighbours.grid;
    memory_free(w->neighbours.list);
    if (n == NULL) return;
    lists_destroy(n);
    mesh_grid_destroy(n);
    memory_free(n->head);
    memory_free(n->origin);
    for (int k = 0; n->found_set != NULL && k < w->team.most; k++) memory_free(n->found_set[k].at);
    memory_free(n->found_set);
    memory_free(n->used_up);
    memory_free(n->ends);
    memory_free(n->mark);
    memory_free(n->has_origin);
    memory_free(n->crossed);
    memory_free(n->crossing);
    memory_free(n);
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

static void origin_leave_cell(grid *n, origin *h)
{
    if (h->cell == NONE) return;
    uint32_t *before = h->prior != NONE ? &n->origin[h->prior].next : &n->head[h->cell];
    *before = h->next;
    if (h->next != NONE) n->origin[h->next].prior = h->prior;
    h->cell = NONE;
}

static void origin_enter_cell(grid *n, uint32_t i)
{
    origin *h = &n->origin[i];
    size_t cell = 0;
    for (int k = 0; k < DIM; k++) cell = cell * n->cells[k] + (size_t)grid_cell_along(n, k, h->x[k]);
    if (h->cell == cell) return;
    origin_leave_cell(n, h);
    h->cell = (uint32_t)cell;
    h->prior = NONE;
    h->next = n->head[cell];
    if (h->next != NONE) n->origin[h->next].prior = i;
    n->head[cell] = i;
}

/* ---- search ------------------------------------------------------------------------------------------------------ */

static void look_at_ball(const world *w, const grid *n, found_set *f, uint32_t i, uint32_t j)
{
    const origin *a = &n->origin[i], *b = &n->origin[j];
    const components r = to_nearest_image(w, components_at(a->x) - components_at(b->x));
    const double far = a->radius + n->skin + b->radius;
    if (components_dot(r, r) <= far * far && j != i && !never_touch(w, i, j)) found_add(f, j);
}

/* Reads the chains in turn: the entries of different cells are on their way at the same time. */
static void search_chains(const world *w, const grid *n, found_set *f, uint32_t i, uint32_t *at, uint32_t count)
{
    uint32_t open = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (at[k] == NONE) continue;
        __builtin_prefetch(&n->origin[at[k]]);
        at[open++] = at[k];
    }
    while (open > 0)
        for (uint32_t k = 0; k < open;) {
            const uint32_t next = n->origin[at[k]].next;
            if (next != NONE) __builtin_prefetch(&n->origin[next]);
            look_at_ball(w, n, f, i, at[k]);
            at[k] = next != NONE ? next : at[--open];
            k += next != NONE;
        }
}

/* The cells around the reference position, each of them once, also if an axis has fewer than three. */
static void search_cells(const world *w, const grid *n, found_set *f, uint32_t i)
{
    uint32_t at[3][3], most[3] = {1, 1, 1}, first[27], count = 0;
    for (int k = 0; k < DIM; k++) {
        int32_t here = grid_cell_along(n, k, n->origin[i].x[k]), all = (int32_t)n->cells[k];
        most[k] = 0;
        for (int32_t c = here - 1; c <= here + 1; c++) {
            int32_t wrapped = n->wraps[k] ? (c + all) % all : c;
            bool again = wrapped < 0 || wrapped >= all;
            for (uint32_t q = 0; q < most[k]; q++) again = again || at[k][q] == (uint32_t)wrapped;
            if (!again) at[k][most[k]++] = (uint32_t)wrapped;
        }
    }
    for (uint32_t a = 0; a < most[0]; a++)
        for (uint32_t b = 0; b < most[1]; b++)
            for (uint32_t c = 0; c < most[2]; c++) {
                size_t cell = (size_t)at[0][a] * n->cells[1] + at[1][b];
                if (DIM == 3) cell = cell * n->cells[DIM - 1] + at[2][c];
                first[count++] = n->head[cell];
            }
    search_chains(w, n, f, i, first, count);
}

static void search_near_surfaces(const world *w, const grid *n, found_set *f, uint32_t i)
{
    for (uint32_t s = 0; s < w->domain.surface_count; s++) {
        const surface *plane = &w->domain.surface[s];
        double r[DIM];
        for (int k = 0; k < DIM; k++) r[k] = n->origin[i].x[k] - plane->point[k];
        bool moves = dot(plane->velocity, plane->velocity) > 0 || plane->driven;
        if (node_is_held(&w->node[i]) || (!moves && dot(r, plane->normal) > w->radius[i] + n->skin)) continue;
        found_add(f, NODES + s);
    }
}

/* The time at which a point at `off` with velocity v leaves the ball of this radius around 0. */
static double exit_time(double off2, double approach, double square, double radius)
{
    return square > 0 ? (sqrt(approach * approach + square * (radius * radius - off2)) - approach) / square : INFINITY;
}

/* The same for a falling point. Its path deviates from the straight line by at most fall s^2 / 2. */
static double falling_exit_time(double off2, double approach, double square, double radius, double fall)
{
    double straight = exit_time(off2, approach, square, radius), rest = radius - 0.5 * fall * straight * straight;
    if (rest > 0 && rest * rest > off2) return exit_time(off2, approach, square, rest);
    double room = radius - sqrt(off2);
    return 2 * room / (sqrt(square) + sqrt(square + 2 * fall * room));
}

/* The time until which node i is certainly within half a skin of a place, by its nominal motion. */
static double leave_time(const world *w, uint32_t i, const double place[DIM], double skin, double t)
{
    const motion m = nominal_motion(w, i, t);
    const components x = m.x - components_from(place);
    double radius = 0.5 * skin - w->flights.nominal[i].tau - w->flights.margin, off2 = components_dot(x, x),
           inner = radius - 0.01 * skin;
    double approach = components_dot(x, m.v), square = components_dot(m.v, m.v),
           fall = w->flights.nominal[i].straight ? 0 : w->domain.gravity_magnitude;
    if (inner <= 0 || off2 >= inner * inner) return t; /* not for a time as short as rounding */
    if (fall > 0) return t + falling_exit_time(off2, approach, square, radius, fall);
    return t + exit_time(off2, approach, square, radius);
}

static double list_valid_until(const world *w, uint32_t i, double t)
{
    const grid *n = w->neighbours.grid;
    double skin = skin_of(w, n, i), first = INFINITY;
    if (i < w->count && node_is_absent(&w->node[i])) return INFINITY; /* an empty list */
    if (i < w->count) return n->origin[i].cell != NONE ? leave_time(w, i, n->origin[i].x, skin, t) : t;
    uint32_t ends[3];
    if (!n->has_origin[i - w->count]) return t;
    for (int q = ends_of(w, i, ends); q-- > 0;)
        first = lesser(first, leave_time(w, ends[q], origin_ends(w, n, i)[q], skin, t));
    return first;
}

static double lists_tolerance(const world *w)
{
    return TREMBLING_OF_MESH_SKIN * w->neighbours.grid->mesh_skin;
}

static void grid_prefetch(const world *w, uint32_t i)
{
    if (i < w->count) __builtin_prefetch(&w->neighbours.grid->origin[i]);
}

static carom_status origin_move(world *w, grid *n, uint32_t i, double t, error *e)
{
    if (i >= w->count) return part_origin_move(w, n, i, t, e);
    const bool vertex = is_vertex(w, i);
    if (vertex && n->origin[i].cell != NONE) mesh_grid_remove(w, n, i);
    origin_choose(w, n, i, t, n->origin[i].x);
    if (vertex) {
        n->origin[i].cell = 0;
        mesh_grid_enter(w, n, i);
    } else {
        origin_enter_cell(n, i);
    }
    return CAROM_OK;
}

static carom_status grid_restore(world *w, uint32_t i, error *e)
{
    grid *n = w->neighbours.grid;
    if (i >= w->count) return part_origin_restore(w, n, i, e);
    origin *h = &n->origin[i];
    h->cell = NONE;
    h->radius = w->radius[i];
    h->mark = 0;
    if (is_vertex(w, i)) {
        h->cell = 0;
        mesh_grid_enter(w, n, i);
    } else if (!node_is_absent(&w->node[i])) {
        origin_enter_cell(n, i);
    }
    return CAROM_OK;
}

static void grid_remove(world *w, uint32_t i)
{
    lists_empty(w, i);
    origin_leave_cell(w->neighbours.grid, &w->neighbours.grid->origin[i]);
}

static bool grid_is_clear(const world *w, uint32_t element, double t, bool *is_clear)
{
    grid *n = w->neighbours.grid;
    found_set *f = &n->found_set[0];
    f->count = 0;
    grid_search(w, n, f, element);
    *is_clear = true;
    for (uint32_t k = 0; k < f->count && *is_clear; k++) *is_clear = gap_at(w, element, f->at[k], t) >= thickness(w, 1);
    return !f->failed;
}

static void grid_place(const world *w, uint32_t i, const double x[DIM])
{
    memcpy(w->neighbours.grid->origin[i].x, x, DIM * sizeof *x);
}

static void grid_search(const world *w, grid *n, found_set *f, uint32_t i)
{
    if (i >= w->count) {
        grid_search_part(w, n, f, i);
        return;
    }
    if (!is_vertex(w, i)) {
        search_cells(w, n, f, i);
        grid_search_segments(w, n, f, i);
    }
    mesh_grid_search(w, n, f, i, MESH_GRID_FACE);
    search_near_surfaces(w, n, f, i);
}
