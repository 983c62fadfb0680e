#include "variational/kernel/narrow/separation.h"

static double sight_wait_for_surface(const sight *s, double far)
{
    double gap = s->r2 - far, root = s->rw * s->rw - 2 * s->fall * gap;
    if (gap <= 0) return 0;
    if (s->fall >= 0 && (s->rw >= 0 || root <= 0)) return INFINITY;
    if (s->rw <= 0) return 2 * gap / (-s->rw + sqrt(root));
    return (s->rw + sqrt(root)) / -s->fall;
}
