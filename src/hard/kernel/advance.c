#include "hard/kernel/advance.h"
#include "hard/kernel/create.h"
#include "hard/kernel/gates.h"
#include "hard/kernel/parallel/crew.h"
#include "hard/kernel/schedule/run.h"

#include <float.h>

static carom_status advance_to(gas *g, const engine_limits *limits, carom_stop *stop, error *e)
{
    const bool endless = limits->time > DBL_MAX;
    engine_limits finite = *limits;
    if (endless) finite.time = DBL_MAX; /* later times are no numbers */
    const carom_status status =
        g->crew != NULL ? crew_advance(g, &finite, stop, e) : advance_serial(g, &finite, REAL_NEVER, stop, e);
    return endless && *stop == CAROM_STOP_TIME ? clock_overflow(g, stop, e) : status;
}

/* A mesh that appears or vanishes, and a drive that starts, end a slice. */
static carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    gas *g = self;
    TRY(gas_begin(g, e));
    const double change = gates_next(g);
    engine_limits here = *limits;
    if (change <= limits->time) here.time = change;
    TRY(advance_to(g, &here, stop, e));
    if (*stop == CAROM_STOP_NO_EVENTS && isfinite(change)) *stop = CAROM_STOP_TIME; /* none before the change */
    if (*stop != CAROM_STOP_TIME || change > limits->time) return CAROM_OK;
    *stop = CAROM_STOP_NONE;
    return gates_change(g, e);
}
