#include "variational/kernel/narrow/separation.h"

static double separation_wait_for_surface(const separation *s, double far)
{
    double gap = s->r2 - far, root = s->rw * s->rw - 2 * s->acceleration * gap;
    if (gap <= 0) return 0;
    if (s->acceleration >= 0 && (s->rw >= 0 || root <= 0)) return INFINITY;
    if (s->rw <= 0) return 2 * gap / (-s->rw + sqrt(root));
    return (s->rw + sqrt(root)) / -s->acceleration;
}
