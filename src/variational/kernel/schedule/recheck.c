#include "variational/kernel/schedule/recheck.h"

static void recheck_schedule(world *w, uint32_t i)
{
    recheck *g = &w->recheck[i];
    double due = i < w->count ? lesser(w->flight_bound[i].until, g->next) : g->next;
    if (due == g->due) return;
    g->due = due;
    fel_schedule(w->queue, i, due);
}
