/* Step 2: solves the contacts of a round by groups. A group consists of the clusters that are connected by contacts.
 * Groups are independent, so they are solved in parallel. */
#include "aggregation/kernel/steps/feature.h"

#include "aggregation/kernel/steps/sort.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/threads.h"
#include "engine/sound.h"

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void join(steps *s, const contact *c)
{
    uint32_t a = forest_root(s->group, s->particles[c->i].cluster),
             b = forest_root(s->group, s->particles[c->j].cluster);
    if (a < b) s->group[b] = a;
    if (b < a) s->group[a] = b;
}

static uint32_t group_of(const steps *s, const contact *c)
{
    return forest_root(s->group, s->particles[c->i].cluster);
}

/* ---- the bound of displacements ---------------------------------------------------------------------------------- */

/* The radius is that of a particle, or the smallest one of a rigid cluster. */
static void set_bound(const steps *s, node *n, uint32_t slot, double radius)
{
    if (s->bound.shifts == NULL) return;
    const displacement *earlier = &s->bound.shifts[n->element];
    n->reach = s->settings->bound * (s->settings->bound_by == BOUND_RADIUS ? radius : s->dt * s->motions[slot].speed);
    for (int k = 0; k < DIM; k++) n->shift[k] = earlier->step == s->tally.count ? earlier->by[k] : 0;
}

static void store_displacement(const steps *s, const node *n)
{
    if (s->bound.shifts == NULL) return;
    displacement *all = &s->bound.shifts[n->element];
    all->step = s->tally.count;
    for (int k = 0; k < DIM; k++) all->by[k] = n->shift[k] + n->u[k];
}

/* ---- the problem of a group of flexible clusters ----------------------------------------------------------------- */

typedef struct expand_context {
    steps *steps;
    thread_buffers *thread_buffers;
} expand_context;

static uint32_t node_of(problem *p, steps *s, uint32_t i)
{
    if (s->local[i] != NONE) return s->local[i];
    uint32_t n = problem_add_node(p, i, s->mass[i]);
    if (n == NONE) return n;
    s->local[i] = n;
    set_bound(s, &p->nodes[n], s->particles[i].cluster, s->particles[i].radius);
    double r[DIM];
    position_of(s, i, r);
    for (int k = 0; k < DIM; k++) {
        if (!s->walls.on[k]) continue;
        p->nodes[n].low[k] = fmin(s->particles[i].radius - r[k], 0);
        p->nodes[n].high[k] = fmax(s->size[k] - s->particles[i].radius - r[k], 0);
    }
    return n;
}

/* Adds all bonds of a node; those to expanded nodes are already in the problem. */
static void expand_node(problem *p, steps *s, uint32_t n)
{
    uint32_t i = p->nodes[n].element;
    p->nodes[n].expanded = true;
    for (uint32_t edge = s->links.first[i]; edge != NONE; edge = s->links.edges[edge].next) {
        uint32_t j = s->links.edges[edge].to & ~SLACK_BIT, m = node_of(p, s, j);
        if (m == NONE || p->nodes[m].expanded) continue;
        double r[DIM];
        between(s, i, j, r);
        uint32_t l = problem_add_bond(p, n, m, r, contact_distance(s, i, j));
        if (l == NONE) continue;
        p->bonds[l].element = edge;
        p->bonds[l].known = edge < s->links.known;
        p->bonds[l].slack = (s->links.edges[edge].to & SLACK_BIT) != 0;
    }
}

/* Whether a bond of this node outside the problem has a length outside the tolerance. */
static bool is_strained(const problem *p, const steps *s, const node *n)
{
    for (uint32_t edge = s->links.first[n->element]; edge != NONE; edge = s->links.edges[edge].next) {
        uint32_t j = s->links.edges[edge].to & ~SLACK_BIT, m = s->local[j];
        if (m != NONE && p->nodes[m].expanded) continue;
        double r[DIM];
        between(s, n->element, j, r);
        for (int k = 0; k < DIM; k++) r[k] += n->u[k] - (m != NONE ? p->nodes[m].u[k] : 0);
        bond l = {.length = contact_distance(s, n->element, j), .slack = (s->links.edges[edge].to & SLACK_BIT) != 0};
        if (!bond_is_met(&l, sqrt(dot(r, r)), s->settings->tolerance)) return true;
    }
    return false;
}

static bool expand(problem *p, double moved, bool check)
{
    steps *s = ((expand_context *)p->expand_context)->steps;
    bool any = false;
    const uint32_t count = p->node_count;
    for (uint32_t n = 0; n < count; n++) {
        const node *a = &p->nodes[n];
        if (a->expanded) continue;
        double square = dot(a->u, a->u), far = moved * s->particles[a->element].radius;
        if (square == 0 || !(square > far * far || (check && is_strained(p, s, a)))) continue;
        expand_node(p, s, n);
        any = true;
    }
    return any;
}

static void append_moved(thread_buffers *c, uint32_t element)
{
    if (c->moved_count == c->moved_capacity) {
        uint32_t *more = memory_resize(c->moved, c->moved_capacity, 2 * c->moved_capacity + 64, sizeof *more);
        if (more == NULL) {
            c->out_of_memory = true;
            return;
        }
        c->moved = more;
        c->moved_capacity = 2 * c->moved_capacity + 64;
    }
    c->moved[c->moved_count++] = element;
}

/* A member that moves outwards extends its cluster; if the outermost member moves inwards, the extent is measured again
 * later. */
static void follow_extent(steps *s, const particle *b, const double u[DIM])
{
    extent *x = &s->walls.extents[b->cluster];
    const double near = OUTERMOST_SHARE * b->radius;
    for (int k = 0; k < DIM; k++) {
        double low = b->x[k] - b->radius, high = b->x[k] + b->radius;
        if ((low <= x->low[k] + near && u[k] > 0) || (high >= x->high[k] - near && u[k] < 0))
            s->touched[b->cluster] |= TOUCHED_EXTENT;
        x->low[k] = fmin(x->low[k], low + u[k]);
        x->high[k] = fmax(x->high[k], high + u[k]);
    }
}

static void commit_node(steps *s, thread_buffers *c, const node *n)
{
    particle *b = &s->particles[n->element];
    double way = sqrt(dot(n->u, n->u));
    s->local[n->element] = NONE;
    if (way == 0) return;
    store_displacement(s, n);
    if (s->walls.extents != NULL) follow_extent(s, b, n->u);
    for (int k = 0; k < DIM; k++) b->x[k] += n->u[k];
    s->pair_list.drift[n->element] += (float)way;
    if (way > MOVED_SHARE * s->settings->tolerance * b->radius) append_moved(c, n->element);
}

static void commit_flexible(steps *s, thread_buffers *c, const problem *p)
{
    for (uint32_t n = 0; n < p->node_count; n++) commit_node(s, c, &p->nodes[n]);
    for (uint32_t n = 0; n < p->bond_count; n++) {
        if (!p->bonds[n].slack) continue;
        s->links.edges[p->bonds[n].element].to |= SLACK_BIT;
        s->links.edges[p->bonds[n].element ^ 1].to |= SLACK_BIT; /* the halves of a link are adjacent */
    }
}

static void build_flexible(steps *s, thread_buffers *c, const uint64_t *group, size_t count)
{
    problem *p = &c->problem;
    for (size_t n = 0; n < count; n++) {
        const contact *k = &s->contacts[(uint32_t)group[n]];
        uint32_t a = node_of(p, s, k->i), b = node_of(p, s, k->j);
        if (a == NONE || b == NONE) return;
        if (!p->nodes[a].expanded) expand_node(p, s, a);
        if (!p->nodes[b].expanded) expand_node(p, s, b);
    }
}

/* ---- the problem of a group of rigid clusters -------------------------------------------------------------------- */

static uint32_t rigid_node_of(problem *p, steps *s, uint32_t slot)
{
    if (s->local[slot] != NONE) return s->local[slot];
    uint32_t n = problem_add_node(p, slot, s->clusters[slot].mass);
    if (n == NONE) return n;
    s->local[slot] = n;
    set_bound(s, &p->nodes[n], slot, s->least_radius);
    for (int k = 0; k < DIM; k++) {
        if (!s->walls.on[k]) continue;
        p->nodes[n].low[k] = fmin(-s->motions[slot].offset[k] - s->walls.extents[slot].low[k], 0);
        p->nodes[n].high[k] = fmax(s->size[k] - s->motions[slot].offset[k] - s->walls.extents[slot].high[k], 0);
    }
    return n;
}

static double depth(const bond *l)
{
    return 1 - sqrt(dot(l->r, l->r)) / l->length;
}

/* Of several contacts of the same two clusters, the one with the largest overlap is brought to contact; the others only
 * prevent overlap. Otherwise the number of contacts would increase with the time step. */
static void keep_deepest(problem *p, uint32_t latest)
{
    bond *l = &p->bonds[latest];
    for (uint32_t n = 0; n < latest; n++) {
        bond *o = &p->bonds[n];
        bool same = (o->a == l->a && o->b == l->b) || (o->a == l->b && o->b == l->a);
        if (!same || o->slack) continue;
        bond *shallower = depth(o) < depth(l) ? o : l;
        shallower->slack = true;
        return;
    }
}

static void build_rigid(steps *s, thread_buffers *c, const uint64_t *group, size_t count)
{
    problem *p = &c->problem;
    for (size_t n = 0; n < count; n++) {
        const contact *k = &s->contacts[(uint32_t)group[n]];
        uint32_t a = rigid_node_of(p, s, s->particles[k->i].cluster),
                 b = rigid_node_of(p, s, s->particles[k->j].cluster);
        if (a == NONE || b == NONE) return;
        double r[DIM];
        between(s, k->i, k->j, r);
        uint32_t latest = problem_add_bond(p, a, b, r, contact_distance(s, k->i, k->j));
        if (latest != NONE) keep_deepest(p, latest);
    }
}

static void commit_rigid(steps *s, thread_buffers *c, const problem *p)
{
    for (uint32_t n = 0; n < p->node_count; n++) {
        const node *a = &p->nodes[n];
        double way = sqrt(dot(a->u, a->u));
        s->local[a->element] = NONE;
        if (way == 0) continue;
        store_displacement(s, a);
        for (int k = 0; k < DIM; k++) s->motions[a->element].offset[k] += a->u[k];
        s->motions[a->element].used += way;
        s->touched[a->element] |= TOUCHED_OFFSET;
        c->displaced++;
    }
}

/* Last resort: the clusters return to their positions before this step, which had no overlap. */
static void revert_group(steps *s, thread_buffers *c, const problem *p)
{
    c->tally.held_back++;
    for (uint32_t n = 0; n < p->node_count; n++) {
        const uint32_t element = p->nodes[n].element,
                       slot = s->settings->mode == MODE_RIGID ? element : s->particles[element].cluster;
        s->local[element] = NONE;
        for (int k = 0; k < DIM; k++) s->motions[slot].offset[k] = s->before[slot][k];
        s->motions[slot].used = (double)INFINITY;
        s->touched[slot] |= TOUCHED_OFFSET;
    }
    c->displaced++;
}

/* ---- all groups -------------------------------------------------------------------------------------------------- */

static void resolve_group(steps *s, thread_buffers *c, const uint64_t *group, size_t count)
{
    const bool rigid = s->settings->mode == MODE_RIGID;
    if ((uint32_t)group[count - 1] < s->round_start) return; /* no contact of this round */
    expand_context mine = {s, c};
    problem *p = &c->problem;
    problem_clear(p);
    p->expand_context = &mine;
    p->expand = rigid ? NULL : expand;
    if (rigid)
        build_rigid(s, c, group, count);
    else
        build_flexible(s, c, group, count);
    solution found = problem_solve(p, s->settings, s->solver.pseudo_time_scale);
    c->tally.problems++;
    c->tally.iterations += found.iterations;
    c->work += (1 + found.iterations) * (p->bond_count + p->node_count) / 16;
    c->tally.stalls += found.fell_back;
    c->out_of_memory = c->out_of_memory || p->out_of_memory;
    if (!found.converged)
        revert_group(s, c, p);
    else if (rigid)
        commit_rigid(s, c, p);
    else
        commit_flexible(s, c, p);
}

/* Contacts to be solved, by group. The only links of rigid clusters are those of this step. */
static size_t sort_by_group(steps *s)
{
    const bool rigid = s->settings->mode == MODE_RIGID;
    size_t first = rigid ? 0 : s->round_start, count = 0;
    for (size_t n = s->round_start; n < s->contact_count; n++) join(s, &s->contacts[n]);
    for (size_t n = first; n < s->contact_count; n++)
        s->order[count++] = (uint64_t)group_of(s, &s->contacts[n]) << 32 | n;
    sort_numbers(s->order, s->order + count, count);
    return count;
}

static carom_status resolve_contacts(steps *s, error *e)
{
    s->links.known = s->links.count;
    for (size_t n = s->round_start; n < s->contact_count; n++) TRY(links_add(s, s->contacts[n].i, s->contacts[n].j, e));
    size_t count = sort_by_group(s), groups = 0;
    uint64_t *start = s->order + count; /* first contact of each group */
    for (size_t n = 0; n < count; n++)
        if (n == 0 || s->order[n] >> 32 != s->order[n - 1] >> 32) start[groups++] = n;
    start[groups] = count;
#pragma omp parallel for schedule(dynamic, 16) num_threads(s->threads) if (groups > PARALLEL_PROBLEMS)
    for (size_t g = 0; g < groups; g++)
        resolve_group(s, &s->buffers[threads_here()], s->order + start[g], start[g + 1] - start[g]);
    return CAROM_OK;
}

/* ---- features: the bound of displacements, and the state of solvers ---------------------------------------------- */

static bool bound_enabled(const steps *s)
{
    return s->settings->bound > 0;
}

static carom_status bound_create(steps *s, error *e)
{
    s->bound.shifts = NEW_ARRAY(s->count, displacement);
    return s->bound.shifts != NULL ? CAROM_OK : error_memory(e, "the engine", s->count * sizeof(displacement));
}

static void bound_destroy(steps *s)
{
    memory_free(s->bound.shifts);
}

static const steps_feature bound_feature = {
    .name = "bound", .enabled = bound_enabled, .create = bound_create, .destroy = bound_destroy};

static carom_status solver_create(steps *s, error *e)
{
    s->solver.pseudo_time_scale = 1;
    s->buffers = NEW_ARRAY((size_t)s->threads, thread_buffers);
    return s->buffers != NULL ? CAROM_OK : error_memory(e, "the engine", (size_t)s->threads * sizeof(thread_buffers));
}

static void solver_destroy(steps *s)
{
    for (int t = 0; s->buffers != NULL && t < s->threads; t++) {
        thread_buffers *b = &s->buffers[t];
        memory_free(b->pairs);
        memory_free(b->found);
        memory_free(b->near);
        memory_free(b->moved);
        problem_free(&b->problem);
    }
    memory_free(s->buffers);
}

static int solver_parts(steps *s, snapshot_part parts[FEATURE_PARTS])
{
    solver_state *x = &s->solver;
    parts[0] = (snapshot_part){"engine/pace", &x->pseudo_time_scale, sizeof x->pseudo_time_scale};
    return 1;
}

static carom_status solver_check(const steps *s, error *e)
{
    const double scale = s->solver.pseudo_time_scale;
    return scale > 0 && isfinite(scale) ? CAROM_OK : sound_not("engine/pace", e);
}

static const steps_feature solver_feature = {
    .name = "solver", .create = solver_create, .destroy = solver_destroy, .parts = solver_parts, .check = solver_check};
