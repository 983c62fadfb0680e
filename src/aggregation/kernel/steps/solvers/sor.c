/* Successive over-relaxation: corrects one bond after the other by slightly more than its error. The ends share the
 * displacement by their masses, which conserves the centre of mass. */
#include "aggregation/kernel/steps/solvers.h"

typedef struct sweep {
    double relaxation, pull, tolerance;
    double overlap, gap; /* largest errors found, relative to the lengths of bonds */
} sweep;

static void relax(problem *p, const bond *l, sweep *s)
{
    node *a = &p->nodes[l->a], *b = &p->nodes[l->b];
    double r[DIM];
    bond_now(p, l, r);
    double distance = sqrt(dot(r, r)), gap = distance - l->length, limit = s->tolerance * l->length;
    if (fabs(gap) <= limit || (l->slack && gap > 0)) return;
    if (gap > 0)
        s->gap = fmax(s->gap, gap / l->length);
    else
        s->overlap = fmax(s->overlap, -gap / l->length);
    if (distance == 0) r[0] = distance = 1; /* coincident centres: an arbitrary direction */
    double way = s->relaxation * gap * (gap > 0 ? s->pull : 1) / (distance * (a->w + b->w));
    node_move(a, r, -way * a->w);
    node_move(b, r, way * b->w);
}

/* Bonds that could not be closed are not attracted again. */
static void mark_unclosable(problem *p, double tolerance)
{
    for (uint32_t n = 0; n < p->bond_count; n++) {
        double r[DIM];
        bond_now(p, &p->bonds[n], r);
        if (sqrt(dot(r, r)) > (1 + tolerance) * p->bonds[n].length) p->bonds[n].slack = true;
    }
}

static solution solve_sor(problem *p, const steps_settings *settings, double pseudo_time_scale)
{
    (void)pseudo_time_scale;
    solution result = {0};
    sweep s = {
        .relaxation = p->bond_count == 1 ? 1 : settings->relaxation, .pull = 1, .tolerance = settings->tolerance};
    for (; result.iterations < settings->iterations && !p->out_of_memory; result.iterations++) {
        s.overlap = s.gap = 0;
        for (uint32_t n = 0; n < p->bond_count; n++) relax(p, &p->bonds[n], &s);
        bool grown = p->expand != NULL && p->expand(p, 0, false);
        if (grown) s.relaxation = settings->relaxation;
        if (!grown && s.overlap == 0 && (s.gap == 0 || s.pull < SOR_FADED)) {
            if (s.gap > 0) mark_unclosable(p, s.tolerance);
            result.converged = true;
            return result;
        }
        if (result.iterations >= SOR_FULL_SWEEPS) s.pull *= SOR_FADING;
    }
    return result;
}
