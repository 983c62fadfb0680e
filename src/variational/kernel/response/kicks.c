/* Application of kicks. With several threads each applies those of a range of nodes, in the same order as a single
 * thread. */
#include "variational/kernel/response/kicks.h"

#include "variational/kernel/features/bodies.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/surface_motion.h"
#include "variational/kernel/schedule/nominal.h"
#include "variational/kernel/schedule/pending.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- driven elements and surfaces -------------------------------------------------------------------------------- */

static double work_on_ends(const world *w, const kick *q, int side)
{
    const uint32_t partner = side == 0 ? q->i : q->j;
    uint32_t ends[3];
    int count = ends_of(w, partner, ends);
    double sum = 0;
    for (int n = 0; n < count; n++) {
        double share = count == 1 ? 1 : w->contacts.contact[q->linked - 1].share[side][n];
        if (node_is_driven(&w->node[ends[n]])) sum += share * dot(q->impulse, w->node[ends[n]].v);
    }
    return sum;
}

static double work_against(const world *w, const kick *q)
{
    double sum = -work_on_ends(w, q, 0);
    return q->j < NODES ? sum + work_on_ends(w, q, 1) : sum;
}

/* `virial`: its rows. */
static inline void tally_kick(world *w, const kick *q, components virial[DIM])
{
    if (q->j < NODES) {
        const components r = components_from(q->r);
        for (int a = 0; a < DIM; a++) virial[a] += q->impulse[a] * r;
    } else if (q->j != NONE) {
        const surface *s = &w->domain.surface[q->j - NODES];
        w->totals.sum.work += dot(q->impulse, s->velocity);
        if (s->axis >= 0) w->totals.sum.wall[s->axis][s->side] += (s->side == 0 ? 1 : -1) * q->impulse[s->axis];
    }
    if (w->driven.drives != NULL) w->totals.sum.work += work_against(w, q);
}

/* ---- collecting -------------------------------------------------------------------------------------------------- */

static kick *add_kicks(world *w, uint32_t count)
{
    uint32_t capacity = w->batch.kick_capacity > 0 ? w->batch.kick_capacity : 64;
    while (capacity < w->batch.kick_count + count) capacity *= 2;
    if (capacity > w->batch.kick_capacity) {
        kick *more = memory_resize(w->batch.kick, w->batch.kick_capacity, capacity, sizeof *more);
        w->progress.out_of_memory = w->progress.out_of_memory || more == NULL;
        if (more == NULL) return NULL;
        w->batch.kick = more;
        w->batch.kick_capacity = capacity;
    }
    w->batch.kick_count += count;
    return w->batch.kick + w->batch.kick_count - count;
}

static bool add_kick(world *w, const kick *new)
{
    kick *out = add_kicks(w, 1);
    if (out != NULL) *out = *new;
    return out != NULL;
}

static bool kick_contact(world *w, uint32_t index, const double impulse[DIM], const double r[DIM])
{
    const contact *c = &w->contacts.contact[index];
    kick out = {.i = c->i, .j = c->j, .linked = c->linked ? 1 + index : 0, .turns = w->spins != NULL};
    memcpy(out.impulse, impulse, sizeof out.impulse);
    memcpy(out.r, r, sizeof out.r);
    return add_kick(w, &out);
}

static bool reserve_blocks(world *w, uint32_t slots, uint32_t blocks)
{
    uint32_t capacity = w->batch.slot_capacity > 0 ? w->batch.slot_capacity : 64;
    while (capacity < slots) capacity *= 2;
    if (capacity > w->batch.slot_capacity) {
        kick *kicks = memory_resize(w->batch.pressed, w->batch.slot_capacity, capacity, sizeof *kicks);
        if (kicks != NULL) w->batch.pressed = kicks;
        response *responses = memory_resize(w->batch.response, w->batch.slot_capacity, capacity, sizeof *responses);
        if (responses != NULL) w->batch.response = responses;
        note *notes = memory_resize(w->batch.note, w->batch.slot_capacity, capacity, sizeof *notes);
        if (notes != NULL) w->batch.note = notes;
        if (kicks == NULL || responses == NULL || notes == NULL) return !(w->progress.out_of_memory = true);
        w->batch.slot_capacity = capacity;
    }
    if (blocks <= w->batch.block_capacity) return true;
    block *more = memory_resize(w->batch.block, w->batch.block_capacity, 2 * blocks, sizeof *more);
    if (more != NULL) w->batch.block = more;
    if (more == NULL) return !(w->progress.out_of_memory = true);
    w->batch.block_capacity = 2 * blocks;
    return true;
}

static void kicks_destroy(world *w)
{
    memory_free(w->batch.kick);
    memory_free(w->batch.pressed);
    memory_free(w->batch.response);
    memory_free(w->batch.note);
    memory_free(w->batch.block);
}

/* ---- giving ------------------------------------------------------------------------------------------------------ */

/* The nodes of one thread, and those of them whose flights may leave their bounds. */
typedef struct share_of_nodes {
    bool all;
    bool adds_up; /* this thread sums the tally of kicks */
    uint32_t from, to;
    pending_nodes *pending;
} share_of_nodes;

/* Not a free one, or with an observer. */
static __attribute__((noinline)) void push_other(world *w, uint32_t i, const double *impulse, double sign, double t)
{
    if (w->observer != NULL) w->observer->kicked(w, i);
    if (node_is_rigid(&w->node[i])) body_push(w, i, impulse, sign, t);
}

/* `impulse`: as for components_at. */
HOT void push_node(world *w, const share_of_nodes *mine, uint32_t i, const double *impulse, double sign, double t)
{
    if (!mine->all && (i < mine->from || i >= mine->to)) return;
    node *a = &w->node[i];
    if (w->observer != NULL || !node_is_free(a)) push_other(w, i, impulse, sign, t);
    if (!node_is_free(a)) return;
    const double dt = t - a->t;
    const components x = components_at(a->x), v = components_at(a->v);
    const components half = components_at(w->domain.half_gravity), gravity = components_at(w->domain.gravity);
    const components here = dt > 0 ? x + dt * (v + dt * half) : x;
    const components left = v + (dt * gravity + sign * w->inverse_mass[i] * components_at(impulse));
    const bool leaves = w->flights.flight_bound != NULL && !flight_bound_holds(w, i, t, here, left);
    components_put(here, a->x);
    components_put(left, a->v);
    a->t = t;
    if (leaves) pending_add_to(w, mine->pending, i, KICKED);
}

static void push_ends(world *w, const share_of_nodes *mine, const kick *q, int side, double t)
{
    const contact *c = &w->contacts.contact[q->linked - 1];
    uint32_t ends[3];
    int count = ends_of(w, side == 0 ? q->i : q->j, ends);
    for (int n = 0; n < count; n++) {
        double share = (side == 0 ? 1 : -1) * (count == 1 ? 1 : c->share[side][n]), part[COMPONENTS];
        if (share == 0) continue;
        *(loose_components *)part = share * components_at(q->impulse);
        push_node(w, mine, ends[n], part, 1, t);
    }
}

static void turn_mine(world *w, const share_of_nodes *mine, const kick *q, double t)
{
    const bool on_i = mine->all || (q->i >= mine->from && q->i < mine->to);
    const bool on_j = mine->all || (q->j >= mine->from && q->j < mine->to);
    if (on_i || on_j) turn_sides(w, q, on_i, on_j, t);
}

HOT void give_kick(world *w, const share_of_nodes *mine, const kick *q, double t)
{
    if (w->spins != NULL && q->turns) turn_mine(w, mine, q, t);
    if (q->linked > 0) {
        push_ends(w, mine, q, 0, t);
        if (q->j < NODES) push_ends(w, mine, q, 1, t);
        return;
    }
    push_node(w, mine, q->i, q->impulse, 1, t);
    if (q->j < NODES) push_node(w, mine, q->j, q->impulse, -1, t);
}

static inline void prefetch_kick(const world *w, const kick *q)
{
    if (q->linked > 0) {
        __builtin_prefetch(&w->contacts.contact[q->linked - 1]);
        return;
    }
    __builtin_prefetch(&w->node[q->i], 1);
    __builtin_prefetch(&w->inverse_mass[q->i]);
    if (w->flights.flight_bound != NULL) __builtin_prefetch(&w->flights.flight_bound[q->i]);
    if (q->j >= NODES) return;
    __builtin_prefetch(&w->node[q->j], 1);
    __builtin_prefetch(&w->inverse_mass[q->j]);
    if (w->flights.flight_bound != NULL) __builtin_prefetch(&w->flights.flight_bound[q->j]);
}

HOT void give_list(world *w, const share_of_nodes *mine, const kick *kicks, uint32_t count, double t)
{
    components virial[DIM] = {0};
    for (int a = 0; a < DIM && mine->adds_up; a++) virial[a] = components_from(w->totals.sum.virial[a]);
    for (uint32_t n = 0; n < count; n++) {
        if (n + AHEAD < count) prefetch_kick(w, &kicks[n + AHEAD]);
        if (mine->adds_up) tally_kick(w, &kicks[n], virial);
        give_kick(w, mine, &kicks[n], t);
    }
    for (int a = 0; a < DIM && mine->adds_up; a++) components_put(virial[a], w->totals.sum.virial[a]);
}

/* The kicks of a block; after the last block, the kicks outside blocks. */
static inline const kick *kicks_of(const world *w, uint32_t b, uint32_t *count)
{
    bool beside = b == w->batch.block_count;
    *count = beside ? w->batch.kick_count : w->batch.block[b].kicks;
    return beside ? w->batch.kick : w->batch.pressed + w->batch.block[b].slot;
}

HOT void give_share(world *w, const share_of_nodes *mine, double t)
{
    uint32_t count;
    for (uint32_t b = 0; b <= w->batch.block_count; b++) {
        const kick *kicks = kicks_of(w, b, &count);
        give_list(w, mine, kicks, count, t);
    }
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* An evenly spaced sample of the nodes that receive kicks. Returns its size. */
static int sample(const world *w, uint32_t total, uint32_t *out, int most)
{
    const uint32_t every = total / (uint32_t)most + 1;
    uint32_t next = 0, before = 0, here, ends[3];
    int count = 0;
    for (uint32_t b = 0; b <= w->batch.block_count; b++, before += here) {
        const kick *kicks = kicks_of(w, b, &here);
        for (; next < before + here; next += every) {
            const kick *q = &kicks[next - before];
            ends_of(w, count % 2 == 1 && q->j < NODES ? q->j : q->i, ends);
            out[count++] = ends[0];
        }
    }
    qsort(out, (size_t)count, sizeof *out, by_number);
    return count;
}

/* Each thread applies the kicks of a range of nodes. The numbers of kicks are about equal. */
static void give_together(world *w, uint32_t total, double t)
{
    enum { SAMPLES = 128 };
    uint32_t out[SAMPLES];
    const int threads = w->team.now, count = sample(w, total, out, SAMPLES);
    /* The team may be smaller than requested. */
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int k = 0; k < threads; k++) {
        share_of_nodes mine = {false, k == 0, k > 0 ? out[k * count / threads] : 0,
                               k + 1 < threads ? out[(k + 1) * count / threads] : w->count,
                               &w->flights.thread_pending[k]};
        give_share(w, &mine, t);
    }
    for (int k = 0; k < threads; k++) {
        memcpy(w->flights.pending.at + w->flights.pending.count, w->flights.thread_pending[k].at,
               w->flights.thread_pending[k].count * sizeof *w->flights.pending.at);
        w->flights.pending.count += w->flights.thread_pending[k].count;
        w->flights.thread_pending[k].count = 0;
    }
}

/* The order of pending nodes does not depend on the threads. Many are found by their marks. */
static void sort_pending(world *w)
{
    pending_nodes *p = &w->flights.pending;
    if (p->count < w->count / 64) {
        qsort(p->at, p->count, sizeof *p->at, by_number);
        return;
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < w->count && found < p->count; i++)
        if (w->flights.pending_reason[i] != NOT_PENDING) p->at[found++] = i;
}

static void give_kicks(world *w, double t)
{
    uint32_t total = w->batch.kick_count;
    for (uint32_t b = 0; b < w->batch.block_count; b++) total += w->batch.block[b].kicks;
    bool many = w->observer == NULL && w->rigid.bodies == NULL && total > FEW_KICKS;
    if (many && w->team.now > 1)
        give_together(w, total, t);
    else
        give_share(w, &(share_of_nodes){.all = true, .adds_up = true, .pending = &w->flights.pending}, t);
    if (many) sort_pending(w);
    w->batch.kick_count = 0;
    for (uint32_t b = 0; b < w->batch.block_count; b++) w->batch.block[b].kicks = 0;
}
