#include "variational/kernel/schedule/recheck.h"

static void recheck_schedule(world *w, uint32_t i)
{
    recheck *g = &w->flights.recheck[i];
    double due = i < w->count ? lesser(w->flights.flight_bound[i].until, g->next) : g->next;
    if (due == g->due) return;
    g->due = due;
    fel_schedule(w->flights.queue, i, due);
}
