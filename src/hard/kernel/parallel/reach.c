#include "hard/kernel/parallel/reach.h"
#include "hard/kernel/parallel/domain.h"

static void domain_reach(const domain *d, int k, double *low, double *high)
{
    const crew *c = d->crew;
    const region *own = &c->cuts.region[d->index];
    const double depth = c->range + c->slack + c->shield;
    *low = own->low[k] - depth;
    *high = own->high[k] + depth;
}
