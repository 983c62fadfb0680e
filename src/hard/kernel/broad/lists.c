/* Neighbour lists, renewed for each body separately.
 *
 * The list of i contains each j with |list_origin_i - list_origin_j| < contact distance + skin (and a margin for
 * rounding). The list origin of a body is its position at the last renewal of its list. A body renews its list at a
 * distance of half a skin from its list origin. Until then only bodies in its list can reach it. Cells contain the
 * bodies by their list origins. Lists do not affect the physics. */
#include "hard/kernel/broad/lists.h"
#include "hard/kernel/broad/extent.h"
#include "hard/kernel/broad/grid.h"
#include "hard/kernel/broad/large_bodies.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/stepped_plan.h"
#include "hard/kernel/features/thermostat.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/predict.h"
#include "hard/kernel/numbers.h"

#include "base/memory.h"
#include "geometry/ball.h"

/* Thickness of the skin, from the contact distance and the spacing of the bodies. */
static double skin_for(double contact, double spacing)
{
    double gap = spacing > contact ? spacing - contact : 0;
    return SKIN_OF_CONTACT * contact + SKIN_OF_GAP * gap;
}

/* ---- storage of the lists ---------------------------------------------------------------------------------------- */

static carom_status append(gas *g, uint32_t i, uint32_t j, error *e)
{
    return is_large(g->lists, i) ? large_bodies_append(g, i, j, e) : row_append(g, i, j, e);
}

static void drop(gas *g, uint32_t i, uint32_t j)
{
    if (is_large(g->lists, i))
        large_bodies_drop(g, i, j);
    else
        row_drop(g, i, j);
}

static bool contains(const uint32_t *row, uint32_t length, uint32_t j)
{
    bool found = false;
    for (uint32_t k = 0; k < length; k++) found |= row[k] == j;
    return found;
}

static carom_status build_lists(gas *g, bool from_origins, error *e)
{
    neighbor_lists *l = g->lists;
    grid_clear(g);
    if (g->shear != NULL && !from_origins) g->shear->grid_time = g->now;
    rows_clear(g);
    TRY(large_bodies_clear(g, e));
    for (uint32_t i = 0; i < g->count; i++) {
        TRY(from_origins ? grid_place(g, i, e) : grid_insert(g, i, e));
        TRY(grid_find(g, i, i, e));
        for (uint32_t k = 0; k < l->found_count; k++) {
            TRY(append(g, i, l->found[k], e));
            TRY(append(g, l->found[k], i, e));
        }
    }
    return CAROM_OK;
}

/* Rows are widened if too many lists are longer. */
static carom_status build_wide_lists(gas *g, bool from_origins, error *e)
{
    row_store *s = &g->lists->rows;
    TRY(build_lists(g, from_origins, e));
    while (s->long_count > g->count / LONG_LISTS_PART && s->capacity + s->capacity / 2 <= ROW_MOST) {
        TRY(rows_create(g, s->capacity + s->capacity / 2, e));
        TRY(build_lists(g, from_origins, e));
    }
    return CAROM_OK;
}

static carom_status lists_rebuild(gas *g, error *e)
{
    return build_wide_lists(g, false, e);
}

static carom_status lists_restore(gas *g, error *e)
{
    return build_wide_lists(g, true, e);
}

/* Makes the found bodies the list of i, and updates the lists of the bodies that are new in it or no longer in it. */
static carom_status exchange(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    const uint32_t before = g->plan[i].length;
    row_copy(g, i);
    for (uint32_t k = 0; k < l->found_count; k++)
        if (!contains(l->rows.copy, before, l->found[k])) TRY(append(g, l->found[k], i, e));
    for (uint32_t k = 0; k < before; k++)
        if (!contains(l->found, l->found_count, l->rows.copy[k])) drop(g, l->rows.copy[k], i);
    row_empty(g, i);
    return CAROM_OK;
}

/* The same for long lists: bodies of the old list are marked OLD, those that remain STAY. */
static carom_status exchange_many(gas *g, uint32_t i, error *e)
{
    enum { NEW, OLD, STAY };
    neighbor_lists *l = g->lists;
    const uint32_t *row = l->large[l->large_of[i]].row, before = g->plan[i].length;
    for (uint32_t k = 0; k < before; k++) l->mark[row[k]] = OLD;
    for (uint32_t k = 0; k < l->found_count; k++) {
        if (l->mark[l->found[k]] == NEW) TRY(append(g, l->found[k], i, e));
        l->mark[l->found[k]] = STAY;
    }
    for (uint32_t k = 0; k < before; k++)
        if (l->mark[row[k]] == OLD) drop(g, row[k], i);
    for (uint32_t k = 0; k < before; k++) l->mark[row[k]] = NEW;
    for (uint32_t k = 0; k < l->found_count; k++) l->mark[l->found[k]] = NEW;
    large_bodies_empty(g, i);
    return CAROM_OK;
}

static carom_status lists_renew(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    grid_remove(g, i);
    TRY(grid_insert(g, i, e));
    TRY(grid_find(g, i, NONE, e));
    if (is_large(l, i))
        TRY(exchange_many(g, i, e));
    else
        TRY(exchange(g, i, e));
    for (uint32_t k = 0; k < l->found_count; k++) TRY(append(g, i, l->found[k], e));
    return CAROM_OK;
}

/* The list of a body that enters a domain, or leaves it. */
static carom_status lists_enter(gas *g, uint32_t i, error *e)
{
    neighbor_lists *l = g->lists;
    g->plan[i].length = 0;
    TRY(large_bodies_enter(g, i, e));
    TRY(grid_insert(g, i, e));
    TRY(grid_find(g, i, NONE, e));
    for (uint32_t k = 0; k < l->found_count; k++) {
        TRY(append(g, i, l->found[k], e));
        TRY(append(g, l->found[k], i, e));
    }
    return CAROM_OK;
}

static void lists_leave(gas *g, uint32_t i)
{
    grid_remove(g, i);
    list_copy room;
    const uint32_t *list = lists_row(g, i, &room);
    for (uint32_t k = 0; k < g->plan[i].length; k++) drop(g, list[k], i);
    if (!is_large(g->lists, i)) row_empty(g, i);
    g->plan[i].length = 0;
    large_bodies_leave(g, i);
}

static bool lists_follow_flow(const gas *g)
{
    return g->shear != NULL && real_fabs(shear_strain(g)) > MOST_STRAIN;
}

static carom_status lists_move_with_flow(gas *g, error *e)
{
    return grid_renew_sheared(g, e);
}

/* ---- validity of a list ------------------------------------------------------------------------------------------ */

/* The time at which a list ceases to be valid is a function of the stored state of the body and of its list origin, not
 * of the time of the prediction: a run that is resumed from a checkpoint renews the same lists at the same times. */

/* Position of i at its stored time, relative to its list origin, and relative velocity, for the image that is nearest
 * now. Times below count from the stored time. */
static void from_list_origin(const gas *g, uint32_t i, real d[DIM], real v[DIM])
{
    const body *b = &g->body[i];
    const real *list_origin = g->plan[i].list_origin, dt = g->now - b->t;
    memcpy(v, b->v, sizeof b->v);
    if (g->shear != NULL) {
        shear_from_origin(g, i, list_origin, d, v);
        return;
    }
    for (int k = 0; k < DIM; k++) {
        d[k] = b->r[k] - list_origin[k];
        real image = (d[k] + dt * (v[k] + acceleration(g, i, k) * (dt / 2))) * g->inverse_box[k];
        image = nearest_whole(image);
        d[k] -= image * g->box[k];
    }
}

/* The later root of |d + v t| = h, for a path that enters the ball. */
static real straight_exit(const real d[DIM], const real v[DIM], real h)
{
    const real a = dot(v, v), b = dot(d, v);
    if (a == 0) return REAL_NEVER;
    const real root = real_sqrt(later(a * h * h - moment_squared(d, v), 0));
    return b > 0 ? (h * h - dot(d, d)) / (b + root) : (root - b) / a;
}

/* The time at which a height u + w t + pull t^2 / 2, which is between -h and h at `dt`, leaves this range. */
static real falling_exit(real u, real w, real pull, real h, real dt)
{
    const real above = w * w - 2 * pull * (u + h), below = later(w * w + 2 * pull * (h - u), 0);
    if (w + pull * dt < 0 && above > 0) return 2 * (u + h) / (real_sqrt(above) - w);
    return w > 0 ? 2 * (h - u) / (w + real_sqrt(below)) : (real_sqrt(below) - w) / pull;
}

/* Under gravity: the time at which a body leaves the cylinder along gravity that fits into the ball of radius h. */
static real curved_exit(const gas *g, const real d[DIM], const real v[DIM], real h, real dt)
{
    const real pull = real_sqrt(dot(g->gravity, g->gravity)), half = h * real_sqrt((real)0.5);
    const real u = dot(d, g->gravity) / pull, w = dot(v, g->gravity) / pull;
    real across[DIM], drift[DIM];
    for (int k = 0; k < DIM; k++) {
        across[k] = d[k] - u * (g->gravity[k] / pull);
        drift[k] = v[k] - w * (g->gravity[k] / pull);
    }
    const real sideways = straight_exit(across, drift, half), down = falling_exit(u, w, pull, half, dt);
    return sideways < down ? sideways : down;
}

/* Local time until which the list of i is valid on its present flight. In sheared boxes list origins move with the flow,
 * and relative to each other; a third of the skin covers this. */
static real lists_due(const gas *g, uint32_t i)
{
    const neighbor_lists *l = g->lists;
    const body *b = &g->body[i];
    real d[DIM], v[DIM], due;
    from_list_origin(g, i, d, v);
    if (g->shear != NULL) {
        const real third = l->skin / 3, reach = l->largest + l->skin + l->slack + l->coarse;
        const real sliding = shear_due(g, i, third, reach), flight = b->t + straight_exit(d, v, third);
        due = sliding < flight ? sliding : flight;
    } else if (g->has_gravity && !is_asleep(g, i))
        due = b->t + curved_exit(g, d, v, l->skin / 2, g->now - b->t);
    else
        due = b->t + straight_exit(d, v, l->skin / 2);
    return later(due, g->now); /* by rounding it may be earlier */
}

/* In the ball, or under gravity the cylinder, of lists_due. */
static bool lists_stay(const gas *g, uint32_t i)
{
    const real half = g->lists->skin / 2, dt = g->now - g->body[i].t, square = dot(g->gravity, g->gravity);
    real d[DIM], v[DIM];
    from_list_origin(g, i, d, v);
    for (int k = 0; k < DIM; k++) d[k] += dt * (v[k] + acceleration(g, i, k) * (dt / 2));
    if (!g->has_gravity) return dot(d, d) < half * half;
    const real along = dot(d, g->gravity) * dot(d, g->gravity) / square, across = dot(d, d) - along;
    return along < half * half / 2 && across < half * half / 2;
}

static bool lists_hold(const gas *g, uint32_t i)
{
    const real most = (real)0.501 * g->lists->skin, dt = g->now - g->body[i].t;
    real d[DIM], v[DIM];
    from_list_origin(g, i, d, v);
    for (int k = 0; k < DIM; k++) {
        const real x = g->plan[i].list_origin[k], rounding = (real)1e-6 * g->box[k];
        if (!within(&x, 1, REAL_MOST)) return false;
        if (g->box[k] > 0 && !(x >= -rounding && x <= g->box[k] + rounding)) return false;
        d[k] += dt * (v[k] + acceleration(g, i, k) * (dt / 2));
    }
    return dot(d, d) <= most * most;
}

static void lists_plan(gas *g, uint32_t i)
{
    plan *p = &g->plan[i];
    plan_clear(p);
    consider(g, p, i, (next_event){lists_due(g, i), PARTNER_TRANSFER, 0});
    plan_kick(g, i, p);
    plan_check(g, i, p);
    plan_surfaces(g, i, p);
    if (g->stepped != NULL) plan_links(g, i, p);
    if (is_large(g->lists, i)) {
        plan_exact(g, i, p);
        plan_meshes(g, i, p);
        large_bodies_plan(g, i, p);
        return;
    }
    list_copy room;
    predict(g, i, lists_row(g, i, &room), p->length, p);
    plan_exact(g, i, p);
    plan_meshes(g, i, p);
    if (g->lists->large_of != NULL) large_bodies_renew_bounds(g, i);
}

/* ---- creation and destruction ------------------------------------------------------------------------------------ */

/* The skin suits the most frequent size; bodies of other sizes have a longer one than necessary. In a small periodic
 * box a prediction uses the image that is nearest at that time. The body may then move from one side of its list origin
 * to the other, and so may its neighbour. Even if another image is nearer by two skins, it must not be in contact. */
static void choose_skin(const gas *g, neighbor_lists *l)
{
    double largest = (double)largest_contact(g), mean = (double)mean_contact(g), room = 1, taken = 0;
    const double core = mean / (double)g->reach;
    for (int k = 0; k < DIM; k++) room *= (double)least_size(g, k);
    for (uint32_t k = 0; k < g->kind_count; k++) {
        double contact = 2 * (double)(g->radius[k] * g->grow_to);
        if (contact > core) taken += (pow(contact, DIM) - pow(core, DIM)) * g->population[k];
    }
    taken *= ball_volume(DIM, 1);
    double skin = skin_for(mean, pow((room - taken) / all_bodies(g), 1.0 / DIM));
    for (int k = 0; k < DIM; k++) {
        double most = IMAGE_MARGIN * (0.5 * (double)least_size(g, k) - largest);
        if (g->box[k] > 0 && skin > most) skin = most;
    }
    l->largest = (real)largest;
    l->skin = (real)skin;
    /* Rounding of positions, and of squares that are compared in single precision. */
    l->slack = (g->sleep != NULL ? g->sleep->holding : 0) + (real)(LIST_ROUNDING * (largest + skin));
}

/* Room for the mean number of neighbours in a homogeneous fluid, and more. */
static uint32_t first_capacity(const gas *g, const neighbor_lists *l)
{
    const double reach = (double)(mean_contact(g) + l->skin);
    double others = ball_volume(DIM, 2 * reach);
    for (int k = 0; k < DIM; k++) others /= (double)g->size[k];
    others *= all_bodies(g);
    return (uint32_t)(CAPACITY_FACTOR * fmin(others, ROW_MOST)) + CAPACITY_SPARE;
}

static size_t lists_bytes(uint32_t count)
{
    const size_t row = 64, grid = sizeof(block) / 3; /* for a dense fluid */
    return (size_t)count * (row + grid);
}

static carom_status lists_create(gas *g, error *e)
{
    neighbor_lists *l = g->lists = NEW_ARRAY(1, neighbor_lists);
    if (l == NULL) return error_memory(e, "neighbour lists", sizeof *l);
    choose_skin(whole_of(g), l);
    TRY(grid_create(g, e));
    TRY(large_bodies_create(g, e));
    TRY(rows_create(g, first_capacity(whole_of(g), l), e));
    return lists_rebuild(g, e);
}

static void lists_destroy(gas *g)
{
    neighbor_lists *l = g->lists;
    if (l == NULL) return;
    large_bodies_destroy(l);
    grid_destroy(l);
    rows_destroy(&l->rows);
    memory_free(l);
    g->lists = NULL;
}
