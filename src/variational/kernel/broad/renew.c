/* Renewal of lists. Elements with expired lists get new reference positions one by one. Then each thread searches
 * around some of these. Then the results enter the lists, in an order that does not depend on the number of threads. */
#include "variational/kernel/broad/origins.h"

#include "base/memory.h"
#include "base/threads.h"

static void search_some(const world *w, grid *n, uint32_t from, uint32_t to)
{
    const int thread = threads_here();
    found_set *f = &n->found_set[thread];
    for (uint32_t k = from; k < to; k++) {
        renewal *r = &n->renewal[k];
        r->thread = (uint32_t)thread;
        r->from = f->count;
        grid_search(w, n, f, r->element);
        r->count = f->count - r->from;
    }
}

/* Searches for segments write marks: one thread at a time. */
static int team(const world *w, uint32_t count)
{
    return count > FEW_LISTS && w->topology.edges_from == w->count ? w->team.now : 1;
}

static carom_status search_renewals(const world *w, grid *n, uint32_t count, error *e)
{
    for (int k = 0; k < w->team.most; k++) n->found_set[k].count = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team(w, count))
    for (uint32_t from = 0; from < count; from += SOME_LISTS)
        search_some(w, n, from, from + SOME_LISTS < count ? from + SOME_LISTS : count);
    for (int k = 0; k < w->team.most; k++)
        if (n->found_set[k].failed)
            return error_memory(e, "lists", n->found_set[k].capacity * sizeof *n->found_set[k].at);
    return CAROM_OK;
}

static carom_status renew_some(world *w, grid *n, const uint32_t *element, uint32_t count, double t, error *e)
{
    enum { SEARCH = 32 }; /* operations */
    w->progress.work += (uint64_t)count * SEARCH;
    for (uint32_t k = 0; k < count; k++) n->renewal[k].element = element[k];
    TRY(search_renewals(w, n, count, e));
    for (uint32_t k = 0; k < count; k++) {
        const renewal *r = &n->renewal[k];
        if (!list_renew(w, n, r->element, n->found_set[r->thread].at + r->from, r->count))
            return error_memory(e, "lists", r->count * sizeof(neighbour));
        w->flights.recheck[r->element].next = list_valid_until(w, r->element, t);
    }
    return CAROM_OK;
}

static carom_status lists_renew(world *w, const uint32_t *element, uint32_t count, double t, error *e)
{
    for (uint32_t from = 0; from < count; from += RENEWALS)
        TRY(renew_some(w, w->neighbours.grid, element + from, count - from < RENEWALS ? count - from : RENEWALS, t, e));
    return CAROM_OK;
}

static carom_status lists_keep_valid(world *w, const uint32_t *element, uint32_t count, double t, double until,
                                     error *e)
{
    grid *n = w->neighbours.grid;
    uint32_t used_up = 0;
    for (uint32_t k = 0; k < count; k++) {
        w->flights.recheck[element[k]].next = list_valid_until(w, element[k], t);
        if (w->flights.recheck[element[k]].next > until) continue;
        n->used_up[used_up++] = element[k];
        TRY(origin_move(w, n, element[k], t, e));
    }
    return lists_renew(w, n->used_up, used_up, t, e);
}
