#include "separation.h"

#include <stdlib.h>

#if CAROM_DIM == 2
enum { WAYS = 4 }; /* 8-DOPs */
static const double way[WAYS][2] = {{1, 0}, {0, 1}, {M_SQRT1_2, M_SQRT1_2}, {M_SQRT1_2, -M_SQRT1_2}};
#else
enum { WAYS = 7 }; /* 14-DOPs */
#define THIRD 0.57735026918962576
static const double way[WAYS][3] = {{1, 0, 0},
                                    {0, 1, 0},
                                    {0, 0, 1},
                                    {THIRD, THIRD, THIRD},
                                    {THIRD, THIRD, -THIRD},
                                    {THIRD, -THIRD, THIRD},
                                    {-THIRD, THIRD, THIRD}};
#endif

/* Bounds along the directions at time t, of their rates, and of the rates of those: they give later bounds. */
typedef struct dop {
    double t, low[WAYS], high[WAYS], low_rate[WAYS], high_rate[WAYS], low_bend[WAYS], high_bend[WAYS];
} dop;

typedef struct branch {
    dop box;
    uint32_t parent, child[2]; /* child[0] NONE: a leaf */
    uint32_t element, pairs;   /* pairs: the first in the list that has this branch */
    uint32_t changed;          /* batch in which its bounds were widened */
} branch;

typedef enum pair_state { APART, SPLIT, NEAR, TOUCHING, NEVER, UNUSED } pair_state;

/* In the cut, or above it (SPLIT). NEAR and TOUCHING: pairs of leaves, with certificates of their own. */
typedef struct pair {
    uint32_t at[2]; /* branches */
    uint32_t parent, child[3], heap;
    uint32_t next[2], prior[2]; /* in the lists of its branches: 2 pair + side */
    uint32_t looked;            /* batch */
    double until;
    pair_state state;
} pair;

struct separation_lists {
    world *w;
    nominal *motion; /* [count] at the last call */
    branch *branch;
    uint32_t branch_count, *leaf; /* leaf: [elements] */
    pair *pair;
    uint32_t pair_count, pair_capacity, pair_free, cut;
    uint32_t *heap, heap_count, heap_capacity;
    uint32_t *moved; /* [count] batch in which the motion of a node changed */
    uint32_t *widened, widened_count, batch;
    separation_counts *counts;
};

static void *must(void *p)
{
    if (p == NULL) abort();
    return p;
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

static void dop_move(dop *d, double t)
{
    const double s = t - d->t;
    if (s == 0) return;
    for (int k = 0; k < WAYS; k++) {
        d->low[k] += s * (d->low_rate[k] + 0.5 * s * d->low_bend[k]);
        d->high[k] += s * (d->high_rate[k] + 0.5 * s * d->high_bend[k]);
        d->low_rate[k] += s * d->low_bend[k];
        d->high_rate[k] += s * d->high_bend[k];
    }
    d->t = t;
}

/* Both at the same time. */
static void dop_join(dop *d, const dop *e)
{
    for (int k = 0; k < WAYS; k++) {
        d->low[k] = lesser(d->low[k], e->low[k]);
        d->high[k] = greater(d->high[k], e->high[k]);
        d->low_rate[k] = lesser(d->low_rate[k], e->low_rate[k]);
        d->high_rate[k] = greater(d->high_rate[k], e->high_rate[k]);
        d->low_bend[k] = lesser(d->low_bend[k], e->low_bend[k]);
        d->high_bend[k] = greater(d->high_bend[k], e->high_bend[k]);
    }
}

static bool dop_holds(const dop *d, const dop *e)
{
    bool all = true;
    for (int k = 0; k < WAYS; k++)
        all &= d->low[k] <= e->low[k] && d->high[k] >= e->high[k] && d->low_rate[k] <= e->low_rate[k] &&
               d->high_rate[k] >= e->high_rate[k] && d->low_bend[k] <= e->low_bend[k] &&
               d->high_bend[k] >= e->high_bend[k];
    return all;
}

static dop dop_of_element(const separation_lists *s, uint32_t element, double t)
{
    const world *w = s->w;
    dop d = {.t = t};
    uint32_t ends[3];
    const int count = ends_of(w, element, ends);
    for (int n = 0; n < count; n++) {
        const nominal *m = &s->motion[ends[n]];
        const double past = t - m->t, wide = w->radius[element] + (double)m->tau + w->flights.margin;
        dop one = {.t = t};
        for (int k = 0; k < WAYS; k++) {
            const double bend = m->straight ? 0 : dot(w->domain.gravity, way[k]),
                         rate = dot(m->v, way[k]) + past * bend;
            const double place = dot(m->x, way[k]) + past * (rate - 0.5 * past * bend);
            one.low[k] = place - wide;
            one.high[k] = place + wide;
            one.low_rate[k] = one.high_rate[k] = rate;
            one.low_bend[k] = one.high_bend[k] = bend;
        }
        if (n == 0) d = one;
        dop_join(&d, &one);
    }
    return d;
}

/* The time during which gap + rate s + bend s^2 / 2 stays positive. */
static double wait_of(double gap, double rate, double bend)
{
    if (gap <= 0) return 0;
    const double root = rate * rate - 2 * bend * gap;
    if (root < 0 || (rate >= 0 && bend >= 0)) return INFINITY;
    if (rate <= 0) return 2 * gap / (-rate + sqrt(root));
    return -(rate + sqrt(root)) / bend;
}

/* For two bounds at the same time. */
static double dops_wait(const dop *a, const dop *b)
{
    double most = 0;
    for (int k = 0; k < WAYS; k++) {
        most = greater(
            most, wait_of(b->low[k] - a->high[k], b->low_rate[k] - a->high_rate[k], b->low_bend[k] - a->high_bend[k]));
        most = greater(
            most, wait_of(a->low[k] - b->high[k], a->low_rate[k] - b->high_rate[k], a->low_bend[k] - b->high_bend[k]));
    }
    return most;
}

/* The bounds of its element, or of both children. */
static void refit(separation_lists *s, branch *b, double t)
{
    s->counts->refits++;
    if (b->child[0] == NONE) {
        b->box = dop_of_element(s, b->element, t);
        return;
    }
    dop other = s->branch[b->child[1]].box;
    b->box = s->branch[b->child[0]].box;
    dop_move(&b->box, t);
    dop_move(&other, t);
    dop_join(&b->box, &other);
}

/* ---- the queue --------------------------------------------------------------------------------------------------- */

static void cut_heap_put(separation_lists *s, uint32_t place, uint32_t p)
{
    s->heap[place] = p;
    s->pair[p].heap = place;
}

/* Moves a pair to its position in the heap. */
static void heap_sift(separation_lists *s, uint32_t place, uint32_t p)
{
    const double until = s->pair[p].until;
    for (; place > 0 && until < s->pair[s->heap[(place - 1) / 2]].until; place = (place - 1) / 2)
        cut_heap_put(s, place, s->heap[(place - 1) / 2]);
    for (uint32_t below; (below = 2 * place + 1) < s->heap_count; place = below) {
        if (below + 1 < s->heap_count && s->pair[s->heap[below + 1]].until < s->pair[s->heap[below]].until) below++;
        if (s->pair[s->heap[below]].until >= until) break;
        cut_heap_put(s, place, s->heap[below]);
    }
    cut_heap_put(s, place, p);
}

static void cut_heap_leave(separation_lists *s, uint32_t p)
{
    const uint32_t place = s->pair[p].heap;
    if (place == NONE) return;
    s->pair[p].heap = NONE;
    if (place != --s->heap_count) heap_sift(s, place, s->heap[s->heap_count]);
}

static void schedule_cut(separation_lists *s, uint32_t p, double until)
{
    s->pair[p].until = until;
    if (isinf(until)) {
        cut_heap_leave(s, p);
        return;
    }
    if (s->pair[p].heap == NONE) {
        if (s->heap_count == s->heap_capacity) {
            s->heap_capacity = s->heap_capacity > 0 ? 2 * s->heap_capacity : 1024;
            s->heap = must(realloc(s->heap, s->heap_capacity * sizeof *s->heap));
        }
        s->pair[p].heap = s->heap_count++;
    }
    heap_sift(s, s->pair[p].heap, p);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static uint32_t *prior_of(separation_lists *s, uint32_t link)
{
    return &s->pair[link / 2].prior[link % 2];
}

static uint32_t *next_of(separation_lists *s, uint32_t link)
{
    return &s->pair[link / 2].next[link % 2];
}

/* Inserts a pair of the cut into the lists of its branches, or removes it. */
static void list_pair(separation_lists *s, uint32_t p, bool in)
{
    const int sides = s->pair[p].at[0] == s->pair[p].at[1] ? 1 : 2;
    for (uint32_t side = 0; side < (uint32_t)sides; side++) {
        uint32_t link = 2 * p + side, *head = &s->branch[s->pair[p].at[side]].pairs;
        if (in) {
            *next_of(s, link) = *head;
            *prior_of(s, link) = NONE;
            if (*head != NONE) *prior_of(s, *head) = link;
            *head = link;
            continue;
        }
        const uint32_t next = *next_of(s, link), prior = *prior_of(s, link);
        *(prior == NONE ? head : next_of(s, prior)) = next;
        if (next != NONE) *prior_of(s, next) = prior;
    }
    s->cut += in ? 1 : (uint32_t)-1;
    if (s->cut > s->counts->most) s->counts->most = s->cut;
}

static uint32_t pair_new(separation_lists *s, uint32_t a, uint32_t b, uint32_t parent)
{
    uint32_t p = s->pair_free;
    if (p == NONE) {
        if (s->pair_count == s->pair_capacity) {
            s->pair_capacity = s->pair_capacity > 0 ? 2 * s->pair_capacity : 1024;
            s->pair = must(realloc(s->pair, s->pair_capacity * sizeof *s->pair));
        }
        p = s->pair_count++;
    } else {
        s->pair_free = s->pair[p].parent;
    }
    s->pair[p] = (pair){.at = {a, b}, .parent = parent, .child = {NONE, NONE, NONE}, .heap = NONE, .state = APART};
    list_pair(s, p, true);
    return p;
}

/* Removes the descendants of a pair, which is inserted into the cut. */
static void merge(separation_lists *s, uint32_t p)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t c = s->pair[p].child[k];
        if (c == NONE) continue;
        if (s->pair[c].state == SPLIT) merge(s, c);
        list_pair(s, c, false);
        cut_heap_leave(s, c);
        s->pair[c].state = UNUSED;
        s->pair[c].parent = s->pair_free;
        s->pair_free = c;
        s->pair[p].child[k] = NONE;
    }
    s->pair[p].state = APART;
    list_pair(s, p, true);
}

/* ---- certificates ------------------------------------------------------------------------------------------------ */

static double boxes_wait(separation_lists *s, const pair *p, double t, bool tight)
{
    branch *a = &s->branch[p->at[0]], *b = &s->branch[p->at[1]];
    s->counts->boxes++;
    if (a == b) return 0;
    if (tight) {
        refit(s, a, t);
        refit(s, b, t);
    }
    dop_move(&a->box, t);
    dop_move(&b->box, t);
    return dops_wait(&a->box, &b->box);
}

/* The certificate of the engine that the first layer is inactive; 0: there is none. */
static double sight_certificate(separation_lists *s, uint32_t i, uint32_t j, double t)
{
    world *w = s->w;
    nominal *kept = w->flights.nominal;
    double slack;
    separation seen;
    w->flights.nominal = s->motion;
    if (is_linked(w, i, j)) {
        seen = separation_of_elements(w, i, j, t, true, &slack);
    } else {
        const motion a = nominal_motion(w, i, t), b = nominal_motion(w, j, t);
        seen = separation_of_nodes(w, &a, &b);
        slack = (double)s->motion[i].tau + (double)s->motion[j].tau + w->flights.margin;
    }
    w->flights.nominal = kept;
    const double wait = separation_wait(&seen, contact_reach(w, i, j) + thickness(w, 1) + slack);
    return wait > (seen.kind == SEPARATION_BOUND ? 0.5 : 1e-3) * w->choice.step ? wait : 0;
}

/* For two elements; those in contact are left to their layers, and checked some steps later. */
static void look_near(separation_lists *s, uint32_t p, double t)
{
    pair *q = &s->pair[p];
    const uint32_t i = s->branch[q->at[0]].element, j = s->branch[q->at[1]].element;
    now_in = q->state == TOUCHING ? PHASE_REST : PHASE_SIGHTS;
    const double wait = i < j ? sight_certificate(s, i, j, t) : sight_certificate(s, j, i, t);
    s->counts->sights += q->state != TOUCHING;
    s->counts->touching += q->state == TOUCHING;
    q->state = wait > 0 ? NEAR : TOUCHING;
    schedule_cut(s, p, t + (wait > 0 ? wait : 8 * s->w->choice.step));
    now_in = PHASE_BOXES;
}

/* Pairs with earlier certificates are split. */
static double worth(const separation_lists *s)
{
    return s->w->choice.step;
}

static double width(const branch *b)
{
    double sum = 0;
    for (int k = 0; k < WAYS; k++) sum += b->box.high[k] - b->box.low[k];
    return sum;
}

static void look(separation_lists *s, uint32_t p, double t, bool tight);

static void split(separation_lists *s, uint32_t p, double t)
{
    const uint32_t a = s->pair[p].at[0], b = s->pair[p].at[1];
    const branch *one = &s->branch[a], *other = &s->branch[b];
    uint32_t count = 0, to[3][2];
    list_pair(s, p, false);
    cut_heap_leave(s, p);
    s->pair[p].state = SPLIT;
    if (a == b) {
        for (int k = 0; k < 3; k++, count++) {
            to[k][0] = one->child[k == 1];
            to[k][1] = one->child[k != 0];
        }
    } else {
        const bool first = other->child[0] == NONE || (one->child[0] != NONE && width(one) > width(other));
        for (int k = 0; k < 2; k++, count++) {
            to[k][0] = first ? one->child[k] : a;
            to[k][1] = first ? b : other->child[k];
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t c = pair_new(s, to[k][0], to[k][1], p);
        s->pair[p].child[k] = c;
        look(s, c, t, true);
    }
}

/* The pair that would replace this one and its siblings, if it remains separated for as long. */
static bool rise(separation_lists *s, uint32_t p, double t)
{
    const uint32_t parent = s->pair[p].parent;
    if (parent == NONE) return false;
    const double wait = boxes_wait(s, &s->pair[parent], t, true);
    if (wait < worth(s) || t + wait < s->pair[p].until) return false;
    merge(s, parent);
    schedule_cut(s, parent, t + wait);
    return true;
}

static void look(separation_lists *s, uint32_t p, double t, bool tight)
{
    const uint32_t a = s->pair[p].at[0], b = s->pair[p].at[1];
    const bool leaves = s->branch[a].child[0] == NONE && s->branch[b].child[0] == NONE;
    if (leaves && (a == b || never_touch(s->w, s->branch[a].element, s->branch[b].element))) {
        s->pair[p].state = NEVER;
        schedule_cut(s, p, INFINITY);
        return;
    }
    const double wait = boxes_wait(s, &s->pair[p], t, tight);
    if (wait > worth(s)) {
        s->pair[p].state = APART;
        schedule_cut(s, p, t + wait);
    } else if (leaves) {
        look_near(s, p, t);
    } else {
        split(s, p, t);
    }
}

/* The end of a certificate. */
static void expire(separation_lists *s, uint32_t p)
{
    const double t = s->pair[p].until;
    look(s, p, t, true);
    while (s->pair[p].state == APART) {
        const uint32_t parent = s->pair[p].parent;
        if (!rise(s, p, t)) return;
        p = parent;
    }
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static void widen(separation_lists *s, uint32_t b)
{
    if (s->branch[b].changed == s->batch) return;
    s->branch[b].changed = s->batch;
    s->widened[s->widened_count++] = b;
}

/* New bounds of an element, and of its ancestors that do not contain them. */
static void follow(separation_lists *s, uint32_t element, double t)
{
    uint32_t b = s->leaf[element];
    if (b == NONE || s->branch[b].changed == s->batch) return;
    refit(s, &s->branch[b], t);
    widen(s, b);
    for (uint32_t up; (up = s->branch[b].parent) != NONE; b = up) {
        dop_move(&s->branch[up].box, t);
        dop_move(&s->branch[b].box, t);
        if (dop_holds(&s->branch[up].box, &s->branch[b].box)) return;
        refit(s, &s->branch[up], t);
        widen(s, up);
    }
}

/* All pairs of a branch with widened bounds. */
static void look_at_pair_again(separation_lists *s, uint32_t b, double t)
{
    for (uint32_t link = s->branch[b].pairs, next; link != NONE; link = next) {
        const uint32_t p = link / 2;
        next = *next_of(s, link);
        if (s->pair[p].looked == s->batch || s->pair[p].state == NEVER) continue;
        s->pair[p].looked = s->batch;
        if (s->pair[p].state == NEAR || s->pair[p].state == TOUCHING)
            look_near(s, p, t);
        else
            look(s, p, t, false);
    }
}

void separation_advance(separation_lists *s, const nominal *anew, const uint32_t *partner, uint32_t count, double t)
{
    const world *w = s->w;
    bool any = false;
    while (s->heap_count > 0 && s->pair[s->heap[0]].until <= t) expire(s, s->heap[0]);
    s->batch++;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = partner[k];
        if (i >= w->count || memcmp(&s->motion[i], &anew[i], sizeof *anew) == 0) continue;
        s->motion[i] = anew[i];
        s->moved[i] = s->batch;
        s->counts->motions++;
        any = true;
    }
    if (!any) return;
    s->widened_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t ends[3];
        bool moved = false;
        for (int n = ends_of(w, partner[k], ends); n-- > 0;) moved = moved || s->moved[ends[n]] == s->batch;
        if (moved) follow(s, partner[k], t);
    }
    for (uint32_t k = 0; k < s->widened_count; k++) look_at_pair_again(s, s->widened[k], t);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static const dop *sorted_by;
static int sorted_way;

static int by_middle(const void *one, const void *two)
{
    const dop *a = &sorted_by[*(const uint32_t *)one], *b = &sorted_by[*(const uint32_t *)two];
    const double x = a->low[sorted_way] + a->high[sorted_way], y = b->low[sorted_way] + b->high[sorted_way];
    return x < y ? -1 : x > y;
}

/* A tree over elements, divided into halves along the axis of their largest extent. */
static uint32_t grow(separation_lists *s, const dop *boxes, uint32_t *some, uint32_t count, uint32_t parent)
{
    const uint32_t at = s->branch_count++;
    branch *b = &s->branch[at];
    dop all = boxes[some[0]];
    int widest = 0;
    *b = (branch){.parent = parent, .child = {NONE, NONE}, .element = some[0], .pairs = NONE};
    for (uint32_t k = 1; k < count; k++) dop_join(&all, &boxes[some[k]]);
    b->box = all;
    if (count == 1) {
        s->leaf[some[0]] = at;
        return at;
    }
    for (int k = 1; k < DIM; k++)
        if (all.high[k] - all.low[k] > all.high[widest] - all.low[widest]) widest = k;
    sorted_by = boxes;
    sorted_way = widest;
    qsort(some, count, sizeof *some, by_middle);
    const uint32_t left = grow(s, boxes, some, count / 2, at);
    const uint32_t right = grow(s, boxes, some + count / 2, count - count / 2, at);
    s->branch[at].child[0] = left;
    s->branch[at].child[1] = right;
    return at;
}

enum { BALLS, SEGMENTS, VERTICES, EDGES, FACES, KINDS };

static int kind_of(const world *w, uint32_t element)
{
    if (element < w->count) return is_vertex(w, element) ? VERTICES : BALLS;
    return element < w->topology.edges_from ? SEGMENTS : element < w->topology.faces_from ? EDGES : FACES;
}

separation_lists *separation_create(world *w, const nominal *start, separation_counts *counts)
{
    static const int meet[][2] = {{BALLS, BALLS},    {BALLS, SEGMENTS}, {BALLS, FACES}, {SEGMENTS, SEGMENTS},
                                  {SEGMENTS, EDGES}, {VERTICES, FACES}, {EDGES, EDGES}};
    separation_lists *s = must(calloc(1, sizeof *s));
    dop *boxes = must(malloc(w->elements * sizeof *boxes));
    uint32_t *some = must(malloc(w->elements * sizeof *some)), root[KINDS];
    s->w = w;
    s->counts = counts;
    s->pair_free = NONE;
    s->motion = must(malloc(w->count * sizeof *s->motion));
    memcpy(s->motion, start, w->count * sizeof *start);
    s->branch = must(malloc(2 * w->elements * sizeof *s->branch));
    s->widened = must(malloc(2 * w->elements * sizeof *s->widened));
    s->leaf = must(malloc(w->elements * sizeof *s->leaf));
    s->moved = must(calloc(w->count, sizeof *s->moved));
    for (uint32_t i = 0; i < w->elements; i++) boxes[i] = dop_of_element(s, i, w->now);
    for (int kind = 0; kind < KINDS; kind++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < w->elements; i++)
            if (kind_of(w, i) == kind) some[count++] = i;
        root[kind] = count > 0 ? grow(s, boxes, some, count, NONE) : NONE;
    }
    free(some);
    free(boxes);
    for (size_t k = 0; k < sizeof meet / sizeof *meet; k++)
        if (root[meet[k][0]] != NONE && root[meet[k][1]] != NONE)
            look(s, pair_new(s, root[meet[k][0]], root[meet[k][1]], NONE), w->now, false);
    return s;
}

void separation_destroy(separation_lists *s)
{
    if (s == NULL) return;
    free(s->motion);
    free(s->branch);
    free(s->widened);
    free(s->leaf);
    free(s->moved);
    free(s->pair);
    free(s->heap);
    free(s);
}

bool separation_holds(const separation_lists *s, uint32_t i, uint32_t j)
{
    const uint32_t a = s->leaf[i], b = s->leaf[j];
    for (uint32_t link = a != NONE ? s->branch[a].pairs : NONE; link != NONE; link = s->pair[link / 2].next[link % 2]) {
        const pair *p = &s->pair[link / 2];
        if ((p->state == NEAR || p->state == TOUCHING) && (p->at[0] == b || p->at[1] == b)) return true;
    }
    return false;
}
