/* The next event, found by local operations only.
 *
 * Each particle has one entry in the queue: a time before which no event with its present neighbours can involve it.
 * The entry of a root also covers the time when its cluster meets a wall, or has used up its skin and needs a new place
 * in the grid. When an entry is due, its plan is checked: either the contact happens, or a new entry replaces it.
 *
 * A merge with a small cluster changes the velocity of a large cluster only a little. The plans of a large cluster
 * therefore allow for any velocity in a ball around a nominal one, as if its particles grew at that rate. They are
 * replaced only when its velocity leaves the ball: the cost of a merge is that of the smaller cluster. Pairs too close
 * for such a bound are hot: their plans are exact, and are replaced whenever a velocity changes. */
#include "aggregation/kernel/events/feature.h"
#include "aggregation/kernel/events/grid.h"
#include "aggregation/kernel/events/isolated.h"
#include "aggregation/kernel/events/members.h"

#include "base/memory.h"
#include "queue/fel.h"

/* At equal times, bookkeeping precedes events. */
typedef enum rank { RANK_RECHECK, RANK_TOUCH, RANK_WALL } rank;

typedef struct plan {
    double time;
    uint32_t partner; /* NONE: no contact planned */
    uint8_t rank;
    bool hot, listed; /* listed: in the list of hot plans */
} plan;

typedef struct planner {
    fel *queue;
    plan *plan;
    uint32_t *hot; /* particles with hot plans; some entries are out of date */
    uint32_t hot_count;
    uint32_t *work; /* particles that need a plan */
} planner;

/* ---- the order of events ----------------------------------------------------------------------------------------- */

typedef struct key {
    rank rank;
    uint32_t low, high;
} key;

static double cluster_time(const cluster_state *s, uint32_t root)
{
    return fmin(s->cluster[root].renew, s->cluster[root].wall);
}

static key key_of(const cluster_state *s, uint32_t i)
{
    const plan *p = &s->planner->plan[i];
    const cluster *c = &s->cluster[i];
    key touch = {(rank)p->rank, s->id[i], p->partner == NONE ? NONE : s->id[p->partner]};
    if (touch.low > touch.high) touch = (key){touch.rank, touch.high, touch.low};
    if (s->particle[i].root != i || cluster_time(s, i) > p->time) return touch;
    key own = {c->renew <= c->wall ? RANK_RECHECK : RANK_WALL, c->id, c->id};
    return cluster_time(s, i) == p->time && touch.rank < own.rank ? touch : own;
}

static bool entry_precedes(const void *context, uint32_t a, uint32_t b)
{
    key x = key_of(context, a), y = key_of(context, b);
    if (x.rank != y.rank) return x.rank < y.rank;
    return x.low != y.low ? x.low < y.low : x.high < y.high;
}

static void schedule(cluster_state *s, uint32_t i)
{
    double time = s->planner->plan[i].time;
    if (s->particle[i].root == i) time = fmin(time, cluster_time(s, i));
    fel_schedule(s->planner->queue, i, time);
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static void activate(cluster_state *s, uint32_t i)
{
    particle *p = &s->particle[i];
    if (p->place & PLACE_ACTIVE) return;
    p->place |= PLACE_ACTIVE;
    s->next_active[i] = s->cluster[p->root].active;
    s->cluster[p->root].active = i;
}

/* The plan of a pair: the time of its contact, or of the next check. */
static plan plan_of_pair(const cluster_state *s, uint32_t i, uint32_t j)
{
    plan p = {INFINITY, j, RANK_TOUCH, false, false};
    if (s->motion[s->particle[i].root].slack + s->motion[s->particle[j].root].slack == 0) {
        const double until = touch_horizon(s, i, j);
        p.time = touch_time(s, i, j, until);
        if (p.time > until) p.rank = RANK_RECHECK;
        return p;
    }
    double speed, contact = radius_of(s, i) + radius_of(s, j);
    if (touch_gap(s, i, j, &speed) > HOT_GAP * contact) {
        p.time = touch_bound(s, i, j);
        p.rank = RANK_RECHECK;
        return p;
    }
    p.hot = true;
    double again = s->now + HOT_RECHECK * contact / speed;
    p.time = touch_time(s, i, j, again);
    if (again < p.time) {
        p.time = again;
        p.rank = RANK_RECHECK;
    }
    return p;
}

static bool is_earlier(const cluster_state *s, const plan *a, const plan *b)
{
    if (a->time != b->time || b->partner == NONE) return a->time < b->time;
    if (a->rank != b->rank) return a->rank < b->rank;
    return s->id[a->partner] < s->id[b->partner];
}

/* Collects up to `room` particles of other clusters in a cell, starting at j. *next is the particle at which to
 * continue, NONE at the end. */
static int foreign_particles(const cluster_state *s, uint32_t own, uint32_t j, uint32_t *next, uint32_t *found,
                             int room)
{
    int count = 0;
    for (; j != NONE && count < room; j = s->particle[j].next) {
        const uint32_t root = s->particle[j].root;
        if (root == own) continue;
        __builtin_prefetch(&s->motion[root]);
        found[count++] = j;
    }
    *next = j;
    return count;
}

static void consider_pairs(cluster_state *s, uint32_t i, const uint32_t *found, int count, plan *best)
{
    for (int n = 0; n < count; n++) {
        activate(s, found[n]);
        plan other = plan_of_pair(s, i, found[n]);
        other.hot = other.hot || best->hot;
        if (is_earlier(s, &other, best)) *best = other;
        best->hot = other.hot;
    }
    if (count > 0) activate(s, i);
}

/* Finds the earliest contact in some cells, if it is earlier than `best`. Particles are collected first, so that their
 * clusters are prefetched meanwhile. */
static void search_cells(cluster_state *s, uint32_t i, const uint32_t *cells, int count, plan *best)
{
    const uint32_t own = s->particle[i].root;
    uint32_t found[FOUND_AT_ONCE];
    int found_count = 0;
    for (int n = 0; n < count; n++) {
        /* cppcheck-suppress uninitvar ; the first of them are set */
        const cell *c = &s->grid->cell[cells[n]];
        if (c->head == NONE || c->owner == own) continue;
        for (uint32_t next = c->head; next != NONE;) {
            found_count += foreign_particles(s, own, next, &next, found + found_count, FOUND_AT_ONCE - found_count);
            if (found_count < FOUND_AT_ONCE) continue;
            consider_pairs(s, i, found, found_count, best);
            found_count = 0;
        }
    }
    consider_pairs(s, i, found, found_count, best);
}

static void plan_store(cluster_state *s, uint32_t i, plan p)
{
    planner *n = s->planner;
    const plan before = n->plan[i];
    p.listed = p.hot || before.listed;
    if (p.hot && !before.listed) n->hot[n->hot_count++] = i;
    n->plan[i] = p;
    const bool same = p.time == before.time && p.partner == before.partner && p.rank == before.rank;
    if (!same || s->particle[i].root == i) schedule(s, i);
}

static void plan_particle(cluster_state *s, uint32_t i)
{
    uint32_t cells[AROUND];
    plan p = {INFINITY, NONE, RANK_TOUCH, false, false};
    const int count = grid_around(s->grid, s, s->particle[i].place, cells);
    search_cells(s, i, cells, count, &p);
    plan_store(s, i, p);
}

/* Moves a particle to another cell. Its plan stays valid; only the cells that are new neighbours have to be
 * searched. */
static void plan_moved(cluster_state *s, uint32_t i, uint32_t place)
{
    uint32_t cells[AROUND], before = s->particle[i].place;
    plan p = s->planner->plan[i];
    grid_remove(s, i);
    grid_add(s, i, place);
    const int count = grid_newly_around(s->grid, s, place, before, cells);
    search_cells(s, i, cells, count, &p);
    plan_store(s, i, p);
}

static void plan_times(cluster_state *s, uint32_t root)
{
    cluster *c = &s->cluster[root];
    int axis = 0;
    c->renew = skin_time(s, root);
    c->wall = wall_next(s, root, &c->renew, &axis);
    c->axis = (int8_t)axis;
}

static void plan_hot(cluster_state *s)
{
    planner *n = s->planner;
    uint32_t left = 0;
    for (uint32_t k = 0; k < n->hot_count; k++) {
        plan *p = &n->plan[n->hot[k]];
        p->listed = p->hot;
        if (p->hot) n->hot[left++] = n->hot[k];
    }
    n->hot_count = left;
    s->work += left;
    for (uint32_t k = 0; k < left; k++) plan_particle(s, n->hot[k]);
}

#if CAROM_ROTATING

/* A rotating cluster: its particles may have any velocity up to its slack. */
static void set_velocity_bound(cluster_state *s, uint32_t root)
{
    s->motion[root].slack =
        s->cluster[root].size >= LARGE_CLUSTER ? (1 + VELOCITY_TOLERANCE) * fastest_speed(s, root) : 0;
}

static bool within_velocity_bound(cluster_state *s, uint32_t root)
{
    const double slack = s->motion[root].slack, speed = fastest_speed(s, root);
    return speed <= slack && slack <= 2 * speed;
}

#else

/* Starts from the present velocity. */
static void set_velocity_bound(cluster_state *s, uint32_t root)
{
    motion *m = &s->motion[root];
    cluster *c = &s->cluster[root];
    double v2 = 0;
    for (int k = 0; k < DIM; k++) {
        c->nominal[k] = m->v[k];
        v2 += m->v[k] * m->v[k];
    }
    c->radius = m->slack = c->size >= LARGE_CLUSTER ? VELOCITY_TOLERANCE * sqrt(v2) : 0;
}

/* Whether the plans allow for the present velocity. If so, only the hot plans have to be replaced. */
static bool within_velocity_bound(cluster_state *s, uint32_t root)
{
    motion *m = &s->motion[root];
    const cluster *c = &s->cluster[root];
    double off2 = 0;
    for (int k = 0; k < DIM; k++) off2 += (m->v[k] - c->nominal[k]) * (m->v[k] - c->nominal[k]);
    if (c->radius == 0 || off2 > c->radius * c->radius) return false;
    m->slack = c->radius + sqrt(off2);
    return true;
}

#endif

/* Prefetches the data for the event of a particle. */
static void fetch_ahead(const void *context, uint32_t i, int ahead)
{
    const cluster_state *s = context;
    const particle *p = &s->particle[i];
    const uint32_t here = p->place & PLACE_CELL;
    if (ahead == 0) {
        for (int n = 0; n < AROUND && !(p->place & PLACE_EDGE); n++) {
            const uint32_t j = s->grid->cell[(uint32_t)((int32_t)here + s->grid->offset[n])].head;
            if (j == NONE) continue;
            __builtin_prefetch(&s->particle[j]);
            __builtin_prefetch(&s->motion[j]);
        }
        return;
    }
    const char *c = (const char *)&s->cluster[p->root];
    for (size_t at = 0; at < sizeof(cluster); at += 64) __builtin_prefetch(c + at);
    __builtin_prefetch(&s->motion[p->root]);
    __builtin_prefetch(&s->planner->plan[i]);
    fel_prefetch(s->planner->queue, i);
    for (int n = 1; n < AROUND; n += 3)
        __builtin_prefetch(&s->grid->cell[(uint32_t)((int32_t)here + s->grid->offset[n])]);
}

static void plan_active(cluster_state *s, uint32_t root)
{
    planner *n = s->planner;
    uint32_t count = 0;
    for (uint32_t m = s->cluster[root].active; m != NONE; m = s->next_active[m]) n->work[count++] = m;
    s->work += count;
    for (uint32_t k = 0; k < count; k++) {
        if (k + FETCH_PARTICLE < count) __builtin_prefetch(&s->particle[n->work[k + FETCH_PARTICLE]]);
        if (k + FETCH_CLUSTER < count) fetch_ahead(s, n->work[k + FETCH_CLUSTER], 1);
        if (k + FETCH_CLUSTER / 2 < count) fetch_ahead(s, n->work[k + FETCH_CLUSTER / 2], 0);
        plan_particle(s, n->work[k]);
    }
}

/* Updates plans after a change of the velocity of a cluster. */
static void plan_velocity_changed(cluster_state *s, uint32_t root)
{
    plan_times(s, root);
    if (within_velocity_bound(s, root)) {
        plan_hot(s);
    } else {
        set_velocity_bound(s, root);
        plan_active(s, root);
    }
    schedule(s, root);
}

static void plan_bounced(cluster_state *s, uint32_t root)
{
    plan_velocity_changed(s, root);
}

static void deactivate(cluster_state *s, uint32_t i)
{
    s->particle[i].place &= ~PLACE_ACTIVE;
    s->planner->plan[i].hot = false;
}

/* Returns the particles of a cluster that is no longer isolated to the grid. */
static void return_to_grid(cluster_state *s, uint32_t root)
{
    cluster *c = &s->cluster[root];
    c->isolated = false;
    c->active = NONE;
    walk w = members_walk(s, root), again = w;
    for (uint32_t i; (i = members_next(s, &w)) != NONE;) {
        deactivate(s, i);
        grid_add(s, i, grid_place(s, i));
    }
    for (uint32_t i; (i = members_next(s, &again)) != NONE;) plan_particle(s, i);
}

static void leave_grid(cluster_state *s, uint32_t root)
{
    cluster *c = &s->cluster[root];
    walk w = members_walk(s, root);
    for (uint32_t i; (i = members_next(s, &w)) != NONE;) {
        if (!c->isolated) grid_remove(s, i);
        deactivate(s, i);
        plan_store(s, i, (plan){INFINITY, NONE, RANK_TOUCH, false, false});
    }
    c->isolated = true;
    c->active = NONE;
}

/* Moves particles whose cell has changed. In a cramped grid the nearest image of a neighbour may have changed, so that
 * all plans are replaced. */
static void move_in_grid(cluster_state *s, uint32_t root)
{
    walk w = members_walk(s, root);
    for (uint32_t i; (i = members_next(s, &w)) != NONE;) {
        uint32_t place = grid_place(s, i);
        if (s->grid->cramped) {
            grid_remove(s, i);
            grid_add(s, i, place);
            plan_particle(s, i);
        } else if (place != (s->particle[i].place & ~PLACE_ACTIVE)) {
            plan_moved(s, i, place);
        }
    }
}

static void renew(cluster_state *s, uint32_t root, bool may_leave);

/* Returns isolated clusters that are too near this cluster to the grid. */
static void return_near(cluster_state *s, uint32_t root)
{
    for (uint32_t other; (other = isolated_too_near(s, root)) != NONE;) renew(s, other, false);
}

/* Sets the list origin of a cluster and the places of its particles to the present position, after its skin is used up
 * or another cluster is near. */
static void renew(cluster_state *s, uint32_t root, bool may_leave)
{
    cluster *c = &s->cluster[root];
    s->work += c->size;
    anchor_here(s, root);
    isolated_moved(s, root);
    const double room = may_leave ? isolated_skin(s, root) : 0;
    c->skin = room > 0 ? room : s->skin;
    if (room > 0)
        leave_grid(s, root);
    else if (c->isolated)
        return_to_grid(s, root);
    else
        move_in_grid(s, root);
    plan_times(s, root);
    schedule(s, root);
    if (!c->isolated) return_near(s, root);
    s->events[EVENT_TRANSFER]++;
}

static void plan_merge(cluster_state *s, uint32_t i, uint32_t j)
{
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    uint32_t m;
    walk added;
    fel_schedule(s->planner->queue, a, INFINITY);
    fel_schedule(s->planner->queue, b, INFINITY);
    const uint32_t small = merge_absorbs(s, a, b) ? b : a;
    s->work += s->cluster[small].size;
    s->planner->plan[small] = (plan){INFINITY, NONE, RANK_TOUCH, false, s->planner->plan[small].listed};
    walk w = members_walk(s, small);
    while ((m = members_next(s, &w)) != NONE) grid_remove(s, m);
    const uint32_t root = merge_clusters(s, i, j, &added);
    isolated_merged(s, root, small);
    w = added;
    while ((m = members_next(s, &w)) != NONE) {
        deactivate(s, m);
        grid_add(s, m, grid_place(s, m));
    }
    plan_velocity_changed(s, root);
    w = added;
    while ((m = members_next(s, &w)) != NONE) plan_particle(s, m);
    return_near(s, root);
}

/* ---- all plans
 * ------------------------------------------------------------------------------------------------------- */

static void plan_all(cluster_state *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->particle[i].root != i) continue;
        anchor_here(s, i);
        s->cluster[i].active = NONE;
        s->cluster[i].skin = s->skin;
        s->cluster[i].isolated = false;
        plan_times(s, i);
        set_velocity_bound(s, i);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        deactivate(s, i);
        grid_add(s, i, grid_place(s, i));
    }
    for (uint32_t i = 0; i < s->count; i++) plan_particle(s, i);
    isolated_begin(s);
}

static carom_status planner_allocate(cluster_state *s, error *e)
{
    planner *n = s->planner = NEW_ARRAY(1, planner);
    if (n == NULL) return error_memory(e, "the plans", sizeof *n);
    n->plan = NEW_ARRAY(s->count, plan);
    n->hot = NEW_ARRAY(s->count, uint32_t);
    n->work = NEW_ARRAY(s->count, uint32_t);
    if (n->plan == NULL || n->hot == NULL || n->work == NULL)
        return error_memory(e, "the plans", s->count * sizeof(plan));
    TRY(grid_create(s, e));
    TRY(isolated_create(s, e));
    TRY(fel_create(&n->queue, s->count, entry_precedes, s, e));
    fel_set_hint(n->queue, fetch_ahead, 1);
    return CAROM_OK;
}

static bool plan_enabled(const cluster_state *s)
{
    return !s->settings->reference;
}

static size_t plan_memory(size_t particles)
{
    const size_t cells = 2 * sizeof(cell);
    return particles * (sizeof(plan) + 2 * sizeof(uint32_t) + cells) + fel_memory((uint32_t)particles);
}

static carom_status plan_create(cluster_state *s, error *e)
{
    TRY(planner_allocate(s, e));
    plan_all(s);
    return CAROM_OK;
}

static void plan_destroy(cluster_state *s)
{
    grid_destroy(s);
    isolated_destroy(s);
    if (s->planner == NULL) return;
    fel_destroy(s->planner->queue);
    memory_free(s->planner->plan);
    memory_free(s->planner->hot);
    memory_free(s->planner->work);
    memory_free(s->planner);
    s->planner = NULL;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* active: in the list of particles with neighbours of its cluster. */
typedef struct saved_plan {
    double time;
    uint32_t partner;
    uint8_t rank, hot, listed, active;
} saved_plan;

static carom_status plan_save(const cluster_state *s, snapshot *out, error *e)
{
    saved_plan *plans = NEW_ARRAY(s->count, saved_plan);
    if (plans == NULL) return error_memory(e, "a checkpoint", s->count * sizeof *plans);
    for (uint32_t i = 0; i < s->count; i++) {
        const plan *p = &s->planner->plan[i];
        const bool active = (s->particle[i].place & PLACE_ACTIVE) != 0;
        plans[i] = (saved_plan){p->time, p->partner, p->rank, p->hot, p->listed, active};
    }
    carom_status status = snapshot_put(out, "engine/plans", SNAPSHOT_U8, s->count * sizeof *plans, plans, e);
    memory_free(plans);
    return status == CAROM_OK ? isolated_save(s, out, e) : status;
}

/* The plan of particle i. A particle of an isolated cluster has no planned contact. */
static bool plan_fits(const cluster_state *s, uint32_t i, const saved_plan *p)
{
    if (s->cluster[s->particle[i].root].isolated && !(p->time == INFINITY)) return false;
    const bool meets = p->rank == RANK_TOUCH && !isinf(p->time);
    return p->time >= s->now && p->rank <= RANK_WALL && (p->partner < s->count || (p->partner == NONE && !meets));
}

static bool cluster_fits(const cluster_state *s, const cluster *c)
{
    bool fits = c->skin >= 0 && c->renew >= s->now && c->wall >= s->now;
    for (int k = 0; k < DIM; k++) fits = fits && isfinite(c->anchor[k]);
    return fits;
}

/* Inserts particles into the grid and into the lists. */
static carom_status restore(cluster_state *s, const saved_plan *plans, error *e)
{
    planner *n = s->planner;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t root = s->particle[i].root;
        if (!plan_fits(s, i, &plans[i]) || !cluster_fits(s, &s->cluster[root]))
            return error_set(e, CAROM_BAD_DATA,
                             "error: the plans of the checkpoint do not fit its state; start again with --force");
        s->particle[i].place = grid_place(s, i); /* isolated clusters as well: fetch_ahead reads the cells around it */
        s->cluster[i].active = NONE;
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const saved_plan *p = &plans[i];
        n->plan[i] = (plan){p->time, p->partner, p->rank, p->hot != 0, p->listed != 0};
        if (p->listed) n->hot[n->hot_count++] = i;
        if (!s->cluster[s->particle[i].root].isolated) grid_add(s, i, s->particle[i].place);
        if (p->active) activate(s, i);
        schedule(s, i);
    }
    return CAROM_OK;
}

static carom_status plan_load(cluster_state *s, const snapshot *in, error *e)
{
    const snapshot_array *stored = snapshot_find(in, "engine/plans");
    if (stored == NULL || stored->type != SNAPSHOT_U8 || stored->count != s->count * sizeof(saved_plan))
        return error_set(e, CAROM_BAD_DATA, "error: the saved state lacks 'engine/plans'");
    plan_destroy(s);
    TRY(planner_allocate(s, e));
    TRY(restore(s, stored->data, e));
    return isolated_restore(s, in, e);
}

/* Plans follow from the state. The times at which clusters got their places in the grid do not, so they are saved,
 * too. */
static const state_feature plan_feature = {.name = "plan",
                                           .enabled = plan_enabled,
                                           .memory = plan_memory,
                                           .create = plan_create,
                                           .destroy = plan_destroy,
                                           .save = plan_save,
                                           .load = plan_load};

/* ---- execution of entries
 * -------------------------------------------------------------------------------------------- */

/* The event of the entry of a root whose own plan is later. */
static step cluster_step(cluster_state *s, uint32_t root, double time)
{
    if (s->cluster[root].renew > s->cluster[root].wall) return (step){STEP_WALL, time, root, NONE};
    s->now = time;
    renew(s, root, true);
    return (step){STEP_OTHER, time, root, NONE};
}

/* Whether a particle is in the grid. An isolated cluster returns to it before it can touch another. */
static bool is_in_grid(const cluster_state *s, uint32_t i)
{
    return !s->cluster[s->particle[i].root].isolated;
}

static step particle_step(cluster_state *s, uint32_t i, double time)
{
    const plan *p = &s->planner->plan[i];
    const uint32_t j = p->partner;
    const bool touches = p->rank == RANK_TOUCH && s->particle[i].root != s->particle[j].root && is_in_grid(s, j);
    if (touches && touch_time(s, i, j, time) <= time) return (step){STEP_MERGE, time, i, j};
    s->now = time;
    plan_particle(s, i);
    return (step){STEP_OTHER, time, i, NONE};
}

static step plan_next(cluster_state *s, double limit)
{
    uint32_t i;
    double time;
    if (!fel_peek(s->planner->queue, &i, &time) || time > limit) return (step){STEP_NONE, limit, NONE, NONE};
    bool of_cluster = s->particle[i].root == i && cluster_time(s, i) <= time;
    if (of_cluster && key_of(s, i).rank != s->planner->plan[i].rank) return cluster_step(s, i, time);
    if (of_cluster && s->planner->plan[i].time > time) return cluster_step(s, i, time);
    return particle_step(s, i, time);
}
