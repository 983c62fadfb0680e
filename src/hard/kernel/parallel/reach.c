#include "hard/kernel/parallel/reach.h"
#include "hard/kernel/parallel/domain.h"

static void domain_reach(const domain *d, int k, double *low, double *high)
{
    const crew *c = d->crew;
    const region *own = &c->cuts.region[d->index];
    *low = own->low[k] - c->reach;
    *high = own->high[k] + c->reach;
}
