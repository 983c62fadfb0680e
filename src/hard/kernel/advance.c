#include "hard/kernel/advance.h"
#include "hard/kernel/parallel/crew.h"
#include "hard/kernel/schedule/run.h"

static carom_status gas_advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    gas *g = self;
    return g->crew != NULL ? crew_advance(g, limits, stop, e) : advance_serial(g, limits, REAL_NEVER, stop, e);
}
