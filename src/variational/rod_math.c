#include "variational/rod_math.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/vec.h"

void rod_look(elastic_rod *r)
{
    for (uint32_t j = 0; j < r->edges; j++) {
        rod_edge *e = &r->edge[j];
        e->size = sqrt(dot3(e->way, e->way));
        for (int k = 0; k < 3; k++) e->unit[k] = e->way[k] / e->size;
    }
    for (uint32_t j = 0; j < r->joints; j++) {
        rod_edge *e = &r->edge[j];
        const rod_edge *f = rod_after(r, j);
        cross3(e->unit, f->unit, e->bend);
        const double factor = 2 / (1 + dot3(e->unit, f->unit));
        for (int k = 0; k < 3; k++) e->bend[k] *= factor;
    }
}

/* ---- twist ------------------------------------------------------------------------------------------------------- */

void rod_carry(const double from[3], const double to[3], double v[3])
{
    const double share = dot3(v, to) / (1 + dot3(from, to));
    for (int k = 0; k < 3; k++) v[k] -= share * (from[k] + to[k]);
}

static void carry_along(const elastic_rod *r, double v[3])
{
    for (uint32_t j = 0; j < r->joints; j++) rod_carry(r->edge[j].unit, rod_after(r, j)->unit, v);
}

/* From the carried first director to the last one, about the last edge. */
static double angle_at_end(const elastic_rod *r, const rod_state *s)
{
    double v[3], side[3];
    const int last = rod_is_closed(r) ? 0 : 1;
    memcpy(v, s->director[0], sizeof v);
    carry_along(r, v);
    cross3(v, s->director[last], side);
    return atan2(dot3(side, s->tangent[last]), dot3(v, s->director[last]));
}

void rod_set_normal(double v[3], const double unit[3])
{
    const double along = dot3(v, unit);
    for (int k = 0; k < 3; k++) v[k] -= along * unit[k];
    const double size = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++) v[k] /= size;
}

void rod_find_normal(const double unit[3], double v[3])
{
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(unit[k]) < fabs(unit[least])) least = k;
    for (int k = 0; k < 3; k++) v[k] = k == least ? 1 : 0;
    rod_set_normal(v, unit);
}

rod_state rod_begin(elastic_rod *r)
{
    rod_state s = {.twist = r->first, .held = r->first};
    const double *u = r->edge[0].unit;
    rod_find_normal(u, s.director[0]);
    memcpy(s.tangent[0], u, sizeof s.tangent[0]);
    memcpy(s.director[1], s.director[0], sizeof s.director[1]);
    memcpy(s.tangent[1], u, sizeof s.tangent[1]);
    if (!rod_is_closed(r)) {
        memcpy(s.tangent[1], r->edge[r->edges - 1].unit, sizeof s.tangent[1]);
        carry_along(r, s.director[1]);
        rod_set_normal(s.director[1], s.tangent[1]);
    }
    r->closing = angle_at_end(r, &s);
    return s;
}

double rod_rotation(const elastic_rod *r, double from, double to)
{
    return r->rate != 0 ? r->rate * (fmin(to, r->until) - fmin(from, r->until)) : 0;
}

rod_state rod_advance(const elastic_rod *r, const rod_state *before, double t)
{
    rod_state s = *before;
    if (r->torsion == 0) return s;
    for (int end = 0; end < (rod_is_closed(r) ? 1 : 2); end++) {
        const double *unit = r->edge[end == 0 ? 0 : r->edges - 1].unit;
        rod_carry(s.tangent[end], unit, s.director[end]);
        rod_set_normal(s.director[end], unit);
        memcpy(s.tangent[end], unit, sizeof s.tangent[end]);
    }
    const double rotated = rod_rotation(r, s.time, t);
    s.held += rotated;
    s.twist += rotated;
    s.twist += remainder(s.held + angle_at_end(r, &s) - r->closing - s.twist, 2 * PI); /* known up to turns */
    s.time = t;
    return s;
}

double rod_work(const elastic_rod *r, const rod_state *from, const rod_state *to)
{
    return 0.5 * r->torsion * (from->twist + to->twist) * (to->held - from->held);
}

/* ---- energy and forces ------------------------------------------------------------------------------------------- */

rod_energy rod_energy_of(const elastic_rod *r, double twist)
{
    rod_energy sum = {.twist = 0.5 * r->torsion * twist * twist};
    for (uint32_t j = 0; j < r->edges; j++) {
        const rod_edge *e = &r->edge[j];
        const double longer = e->size - e->length;
        sum.stretch += 0.5 * r->stretch / e->length * longer * longer;
        if (j < r->joints && e->span > 0) sum.bend += 0.5 * r->bend / e->span * dot3(e->bend, e->bend);
    }
    return sum;
}

static void stretch_edge(const elastic_rod *r, rod_edge *e)
{
    const double stiff = r->stretch / e->length, pull = -stiff * (e->size - e->length);
    const double slowed = -r->damping * stiff * dot3(e->unit, e->speed);
    for (int k = 0; k < 3; k++) {
        e->drag[k] = slowed * e->unit[k];
        e->force[k] = pull * e->unit[k];
    }
}

/* With c the cosine of the angle, the energy is 2 stiff (1 - c) / (1 + c). The dashpot acts on the angle. */
static void bend_joint(const elastic_rod *r, rod_edge *e, rod_edge *f)
{
    const double stiff = r->bend / e->span, cosine = dot3(e->unit, f->unit),
                 push = 4 * stiff / ((1 + cosine) * (1 + cosine));
    double along_e[3], along_f[3], square = 0;
    for (int k = 0; k < 3; k++) {
        along_e[k] = (f->unit[k] - cosine * e->unit[k]) / e->size; /* derivatives of the cosine */
        along_f[k] = (e->unit[k] - cosine * f->unit[k]) / f->size;
    }
    rod_add(e->force, push, along_e);
    rod_add(f->force, push, along_f);
    if (r->damping == 0) return;
    square = e->size * e->size * dot3(along_e, along_e); /* of the sine */
    if (!(square > 0)) return;
    const double slowed = -r->damping * stiff / square * (dot3(along_e, e->speed) + dot3(along_f, f->speed));
    rod_add(e->drag, slowed, along_e);
    rod_add(f->drag, slowed, along_f);
}

/* The derivative of the twist by an edge is half the curvature of its joints over its length (2008, eq. 9). */
static void twist_joint(double moment, rod_edge *e, rod_edge *f)
{
    rod_add(e->force, -0.5 * moment / e->size, e->bend);
    rod_add(f->force, -0.5 * moment / f->size, e->bend);
}

void rod_stretch(elastic_rod *r)
{
    for (uint32_t j = 0; j < r->edges; j++) stretch_edge(r, &r->edge[j]);
}

void rod_force(elastic_rod *r, double twist)
{
    rod_stretch(r);
    for (uint32_t j = 0; j < r->joints; j++) {
        rod_edge *e = &r->edge[j], *f = rod_after(r, j);
        if (e->span > 0) bend_joint(r, e, f);
        if (r->torsion > 0) twist_joint(r->torsion * twist, e, f);
    }
    for (uint32_t j = 0; j < r->edges; j++) rod_add(r->edge[j].force, 1, r->edge[j].drag);
}
