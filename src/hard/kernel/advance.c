#include "hard/kernel/advance.h"
#include "hard/kernel/create.h"
#include "hard/kernel/parallel/crew.h"
#include "hard/kernel/schedule/run.h"

#include <float.h>

static carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    gas *g = self;
    const bool endless = limits->time > DBL_MAX;
    engine_limits finite = *limits;
    if (endless) finite.time = DBL_MAX; /* later times are no numbers */
    TRY(gas_begin(g, e));
    const carom_status status =
        g->crew != NULL ? crew_advance(g, &finite, stop, e) : advance_serial(g, &finite, REAL_NEVER, stop, e);
    return endless && *stop == CAROM_STOP_TIME ? clock_overflow(g, stop, e) : status;
}
