#include "variational/kernel/invariants.h"

#include "variational/kernel/elements.h"
#include "variational/kernel/leash.h"

#include <assert.h>

static void check_leash(const world *w, uint32_t i)
{
    double x[DIM], y[DIM], v[DIM];
    node_place(w, i, w->now, x);
    nominal_at(w, i, w->now, y, v);
    for (int k = 0; k < DIM; k++) x[k] -= y[k];
    assert(sqrt(dot(x, x)) <= w->nominal[i].tau * (1 + 1e-9) + w->margin);
}

static uint32_t awake(const world *w, uint32_t i, uint32_t who)
{
    const list *l = &w->list[i];
    for (uint32_t k = 0; k < l->count; k++)
        if (l->at[k].who == who && l->at[k].contact != NOBODY) return w->contact[l->at[k].contact].n;
    return 0;
}

static void check_pair(const world *w, uint32_t i, uint32_t who)
{
    if (never_touch(w, i, who)) return;
    uint32_t n = awake(w, i, who);
    assert(who >= NODES || awake(w, who, i) == n);
    double gap = gap_at(w, i, who, w->now);
    assert(gap > 0);
    assert(gap > thickness(w, n + 1) - w->margin);
}

void invariants_check(const world *w)
{
    if (w->settings->reference) return;
    for (uint32_t i = 0; i < w->count; i++) check_leash(w, i);
    for (uint32_t i = 0; i < w->elements; i++) {
        for (uint32_t j = i + 1; j < w->elements; j++) check_pair(w, i, j);
        for (uint32_t s = 0; s < w->surface_count; s++) check_pair(w, i, NODES + s);
    }
}
