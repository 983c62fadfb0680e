#include "variational/rod_frames.h"

#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "base/vec.h"

/* Newton's method ends after a step below the first, whose error is of the order of its square; steps beyond the second are
 * tested for a decrease of the energy; none is larger than the third. */
static const double SMALL = 1e-8, LARGE = 1e-2, LARGEST = 0.3;
static const int MOST_STEPS = 500, MOST_HALVINGS = 20;
/* Of the stiffness of twist: added to equations that are not positive, a pivot and a torque that count as zero. */
static const double SHIFT = 1e-6, SINGULAR = 1e-12, ROUNDING = 1e-15;

/* Between two edges that are held there is no twist. */
static double twist_stiffness(const elastic_rod *r, uint32_t j)
{
    return r->edge[j].span > 0 ? r->frames->torsion / r->edge[j].span : 0;
}

/* The first edge of the end that rotates: held edges before the last one rotate with it. */
static uint32_t end_of(const elastic_rod *r)
{
    uint32_t first = r->edges - 1;
    while (first > 0 && r->edge[first - 1].span == 0) first--;
    return first;
}

static void look_aside(const elastic_rod *r, const rod_frame *f)
{
    for (uint32_t j = 0; j < r->edges; j++) cross3(r->edge[j].unit, f[j].director, r->frames->equation[j].side);
}

/* Of the joint at the end of edge j, about the axes of that edge (0) or the one after (1). */
static void curvature_of(const elastic_rod *r, const rod_frame *f, uint32_t j, int side, double k[2])
{
    const uint32_t at = side == 0 ? j : rod_next(r, j);
    k[0] = dot3(r->edge[j].bend, f[at].director);
    k[1] = dot3(r->edge[j].bend, r->frames->equation[at].side);
}

/* Rotates a director about its edge. */
static void turn(rod_frame *f, const double unit[3], double angle)
{
    double aside[3];
    cross3(unit, f->director, aside);
    const double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; k++) f->director[k] = c * f->director[k] + s * aside[k];
    rod_set_normal(f->director, unit);
}

/* From the director of edge j, carried to the edge after, to the director there. */
static double angle_of(const elastic_rod *r, const rod_frame *f, uint32_t j)
{
    const uint32_t after = rod_next(r, j);
    double v[3], aside[3];
    memcpy(v, f[j].director, sizeof v);
    rod_carry(r->edge[j].unit, r->edge[after].unit, v);
    cross3(v, f[after].director, aside);
    return atan2(dot3(aside, r->edge[after].unit), dot3(v, f[after].director));
}

static void measure(const elastic_rod *r, rod_frame *f)
{
    look_aside(r, f);
    for (uint32_t j = 0; j < r->joints; j++)
        f[j].twist += remainder(angle_of(r, f, j) - r->frames->rest[j].angle - f[j].twist, 2 * PI);
}

/* ---- the start --------------------------------------------------------------------------------------------------- */

static void set_rest(elastic_rod *r, const rod_frame *f, bool curved)
{
    for (uint32_t j = 0; j < r->joints; j++) {
        rod_joint_rest *rest = &r->frames->rest[j];
        *rest = (rod_joint_rest){.angle = 0};
        for (int side = 0; curved && side < 2; side++) curvature_of(r, f, j, side, rest->curvature[side]);
    }
}

void frames_begin(elastic_rod *r, rod_frame *f, const double along[3], bool curved)
{
    double length = 0, turned = 0;
    for (uint32_t j = 0; j < r->edges; j++) {
        const double *unit = r->edge[j].unit;
        f[j] = (rod_frame){.twist = 0};
        memcpy(f[j].director, j == 0 ? along : f[j - 1].director, sizeof f[j].director);
        if (j > 0) rod_carry(r->edge[j - 1].unit, unit, f[j].director);
        rod_set_normal(f[j].director, unit);
        memcpy(f[j].tangent, unit, sizeof f[j].tangent);
    }
    look_aside(r, f);
    set_rest(r, f, curved);
    for (uint32_t j = 0; j < r->joints; j++) length += r->edge[j].span;
    for (uint32_t j = 0; j < r->edges; j++) {
        turn(&f[j], r->edge[j].unit, turned);
        if (j < r->joints && length > 0) turned += f[j].twist = r->first * r->edge[j].span / length;
    }
    for (uint32_t j = 0; j < r->joints; j++)
        r->frames->rest[j].angle = rod_after(r, j) == r->edge ? angle_of(r, f, j) - f[j].twist : 0;
    frames_advance(r, f, 0);
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------- */

/* Adds the terms of a joint's bending to the equation of an edge: for its torque, and for its second derivative or, if `rough`, the
 * part of it that is not negative. */
static void bend_equation(const elastic_rod *r, const rod_frame *f, uint32_t j, int side, bool rough)
{
    frame_equation *q = &r->frames->equation[side == 0 ? j : rod_next(r, j)];
    const rod_joint_rest *rest = &r->frames->rest[j];
    const double *stiff = r->frames->bend, share = 0.5 / r->edge[j].span;
    double k[2], moment[2];
    curvature_of(r, f, j, side, k);
    for (int a = 0; a < 2; a++) moment[a] = share * stiff[a] * (k[a] - rest->curvature[side][a]);
    q->right -= moment[0] * k[1] - moment[1] * k[0];
    q->diagonal += share * (stiff[0] * k[1] * k[1] + stiff[1] * k[0] * k[0]);
    if (!rough) q->diagonal -= moment[0] * k[0] + moment[1] * k[1];
}

static void clear_equations(const elastic_rod *r, double shift)
{
    frame_equation *q = r->frames->equation;
    for (uint32_t j = 0; j < r->edges; j++) q[j].diagonal = q[j].next = q[j].right = q[j].turn = 0;
    for (uint32_t j = 0; j < r->joints; j++) {
        const double stiff = twist_stiffness(r, j);
        q[j].diagonal += (1 + shift) * stiff;
        q[rod_next(r, j)].diagonal += (1 + shift) * stiff;
        q[j].next = -stiff;
    }
}

/* Of each director: its torque, on the right, and the second derivatives of the energy. */
static void set_equations(const elastic_rod *r, const rod_frame *f, bool rough, double shift)
{
    frame_equation *q = r->frames->equation;
    clear_equations(r, shift);
    for (uint32_t j = 0; j < r->joints; j++) {
        const double moment = twist_stiffness(r, j) * f[j].twist;
        q[j].right += moment;
        q[rod_next(r, j)].right -= moment;
        for (int side = 0; r->edge[j].span > 0 && side < 2; side++) bend_equation(r, f, j, side, rough);
    }
}

static double usual_stiffness(const elastic_rod *r)
{
    return r->frames->torsion / r->edge[0].length;
}

/* Directors that are held rotate as given by `turn`. */
static void hold_directors(const elastic_rod *r)
{
    frame_equation *q = r->frames->equation;
    for (uint32_t j = 0; j < r->edges; j++) {
        if (!r->frames->held[j]) continue;
        q[j].diagonal = usual_stiffness(r);
        q[j].right = q[j].turn * q[j].diagonal;
        q[j].next = q[j > 0 ? j - 1 : r->edges - 1].next = 0;
    }
}

/* Solves for the rotations of all directors. The last unknown is eliminated last: it is coupled to its neighbour and, in a closed
 * rod, to the first one. False: the matrix is not positive definite, or nearly singular. */
static bool solve_equations(const elastic_rod *r)
{
    frame_equation *q = r->frames->equation;
    const uint32_t last = r->edges - 1;
    const double least = SINGULAR * usual_stiffness(r);
    for (uint32_t i = 0; i < last; i++) q[i].last = i + 1 == last ? q[i].next : 0;
    if (rod_is_closed(r)) q[0].last += q[last].next;
    for (uint32_t i = 0; i < last; i++) {
        if (!(q[i].diagonal > least)) return false;
        const double next = i + 1 < last ? q[i].next / q[i].diagonal : 0, end = q[i].last / q[i].diagonal;
        if (i + 1 < last) {
            q[i + 1].diagonal -= next * q[i].next;
            q[i + 1].right -= next * q[i].right;
            q[i + 1].last -= next * q[i].last;
        }
        q[last].diagonal -= end * q[i].last;
        q[last].right -= end * q[i].right;
    }
    if (!(q[last].diagonal > least)) return false;
    q[last].turn = q[last].right / q[last].diagonal;
    for (uint32_t i = last; i-- > 0;) {
        const double next = i + 1 < last ? q[i].next * q[i + 1].turn : 0;
        q[i].turn = (q[i].right - next - q[i].last * q[last].turn) / q[i].diagonal;
    }
    return true;
}

/* Largest absolute values of the torques of free directors, and of their rotations. */
static void find_largest(const elastic_rod *r, double *torque, double *turned)
{
    *torque = *turned = 0;
    for (uint32_t j = 0; j < r->edges; j++) {
        if (r->frames->held[j]) continue;
        *torque = fmax(*torque, fabs(r->frames->equation[j].right));
        *turned = fmax(*turned, fabs(r->frames->equation[j].turn));
    }
}

static void turn_all(const elastic_rod *r, rod_frame *f, double share)
{
    for (uint32_t j = 0; j < r->edges; j++) turn(&f[j], r->edge[j].unit, share * r->frames->equation[j].turn);
    measure(r, f);
}

static double frames_energy(const elastic_rod *r, const rod_frame *f)
{
    const rod_energy e = frames_energy_of(r, f);
    return e.bend + e.twist;
}

/* A step that may be too large for the second derivatives: halved until the energy does not increase. */
static void turn_down(const elastic_rod *r, rod_frame *f, double share)
{
    const double before = frames_energy(r, f);
    turn_all(r, f, share);
    for (int n = 0; n < MOST_HALVINGS && frames_energy(r, f) > before; n++) {
        share *= 0.5;
        turn_all(r, f, -share);
    }
}

/* Rotates the end, and with it the free directors before it, in proportion to their distance from the one that is held. */
static void turn_end(const elastic_rod *r, rod_frame *f, double rotated)
{
    const uint32_t end = end_of(r);
    double length = 0, share = 1;
    uint32_t from = end;
    while (from > 0) {
        length += r->edge[--from].span;
        if (r->frames->held[from]) break;
    }
    for (uint32_t j = end; j < r->edges; j++) turn(&f[j], r->edge[j].unit, rotated);
    for (uint32_t j = end; j-- > from;) {
        const double part = r->edge[j].span / length;
        f[j].twist += part * rotated; /* full turns too */
        share -= part;
        if (j > from) turn(&f[j], r->edge[j].unit, share * rotated);
    }
}

/* Carries all directors with their edges, and rotates the end. */
static void carry_frames(const elastic_rod *r, rod_frame *f, double rotated)
{
    for (uint32_t j = 0; j < r->edges; j++) {
        rod_carry(f[j].tangent, r->edge[j].unit, f[j].director);
        rod_set_normal(f[j].director, r->edge[j].unit);
        memcpy(f[j].tangent, r->edge[j].unit, sizeof f[j].tangent);
    }
    if (rotated != 0) turn_end(r, f, rotated);
    measure(r, f);
}

/* Solves the equations, or those of the part of the second derivatives that is not negative; true: the former. */
static bool solve_for_turns(const elastic_rod *r, const rod_frame *f)
{
    hold_directors(r);
    if (solve_equations(r)) return true;
    set_equations(r, f, true, SHIFT);
    hold_directors(r);
    solve_equations(r);
    return false;
}

double frames_advance(const elastic_rod *r, rod_frame *f, double rotated)
{
    double stiff = 0, torque, most, before = NAN;
    for (uint32_t j = 0; j < r->joints; j++) stiff = fmax(stiff, twist_stiffness(r, j));
    carry_frames(r, f, rotated);
    for (int n = 0; n < MOST_STEPS; n++) {
        set_equations(r, f, false, 0);
        find_largest(r, &torque, &most);
        if (torque <= ROUNDING * stiff) break;
        const bool exact = solve_for_turns(r, f);
        find_largest(r, &torque, &most);
        if (!exact && isnan(before)) before = frames_energy(r, f);
        if (!exact || most > LARGE)
            turn_down(r, f, fmin(1, LARGEST / most));
        else
            turn_all(r, f, 1);
        if (most < SMALL) break;
    }
    set_equations(r, f, false, 0);
    for (uint32_t j = 0; j < r->edges; j++) f[j].torque = -r->frames->equation[j].right;
    return isnan(before) ? 0 : before - frames_energy(r, f);
}

double frames_end_torque(const elastic_rod *r, const rod_frame *f)
{
    double sum = 0;
    for (uint32_t j = end_of(r); j < r->edges; j++) sum += f[j].torque;
    return sum;
}

/* ---- energy and forces ------------------------------------------------------------------------------------------- */

double frames_twist(const elastic_rod *r, const rod_frame *f)
{
    double sum = 0;
    for (uint32_t j = 0; j < r->joints; j++) sum += f[j].twist;
    return sum;
}

rod_energy frames_energy_of(const elastic_rod *r, const rod_frame *f)
{
    rod_energy sum = {.twist = 0};
    for (uint32_t j = 0; j < r->edges; j++) {
        const rod_edge *e = &r->edge[j];
        const double longer = e->size - e->length;
        sum.stretch += 0.5 * r->stretch / e->length * longer * longer;
    }
    for (uint32_t j = 0; j < r->joints; j++) {
        const rod_joint_rest *rest = &r->frames->rest[j];
        sum.twist += 0.5 * twist_stiffness(r, j) * f[j].twist * f[j].twist;
        for (int side = 0; r->edge[j].span > 0 && side < 2; side++) {
            double k[2];
            curvature_of(r, f, j, side, k);
            for (int a = 0; a < 2; a++) {
                const double more = k[a] - rest->curvature[side][a];
                sum.bend += 0.25 * r->frames->bend[a] / r->edge[j].span * more * more;
            }
        }
    }
    return sum;
}

/* Adds the forces of a moment, by the derivatives of the curvature vector, and of a twisting moment (2008, eq. 9) at a joint. */
static void push_edges(const rod_edge *e, const rod_edge *f, const double moment[3], double twisting, double on_e[3],
                       double on_f[3])
{
    const double cosine = dot3(e->unit, f->unit), share = 1 / (1 + cosine), along = share * dot3(moment, e->bend);
    double by_e[3], by_f[3];
    cross3(f->unit, moment, by_e);
    cross3(moment, e->unit, by_f);
    for (int k = 0; k < 3; k++) {
        by_e[k] = 2 * share * by_e[k] - along * f->unit[k];
        by_f[k] = 2 * share * by_f[k] - along * e->unit[k];
    }
    rod_add(by_e, -dot3(by_e, e->unit), e->unit);
    rod_add(by_f, -dot3(by_f, f->unit), f->unit);
    rod_add(by_e, 0.5 * twisting, e->bend);
    rod_add(by_f, 0.5 * twisting, e->bend);
    rod_add(on_e, -1 / e->size, by_e);
    rod_add(on_f, -1 / f->size, by_f);
}

static void push_joint(elastic_rod *r, const rod_frame *f, uint32_t j)
{
    rod_edge *e = &r->edge[j];
    const rod_joint_rest *rest = &r->frames->rest[j];
    double moment[3] = {0};
    for (int side = 0; e->span > 0 && side < 2; side++) {
        const uint32_t at = side == 0 ? j : rod_next(r, j);
        const double share = 0.5 / e->span;
        double k[2];
        curvature_of(r, f, j, side, k);
        rod_add(moment, share * r->frames->bend[0] * (k[0] - rest->curvature[side][0]), f[at].director);
        rod_add(moment, share * r->frames->bend[1] * (k[1] - rest->curvature[side][1]), r->frames->equation[at].side);
    }
    rod_edge *after = rod_after(r, j);
    push_edges(e, after, moment, twist_stiffness(r, j) * f[j].twist, e->force, after->force);
}

/* ---- damping ----------------------------------------------------------------------------------------------------- */

/* Rates of the curvature vector of a joint and of its twist, at directors that do not rotate about their edges. */
static double joint_rates(const rod_edge *e, const rod_edge *f, double rate[3])
{
    double turn_e[3], turn_f[3], one[3], two[3];
    for (int k = 0; k < 3; k++) {
        turn_e[k] = (e->speed[k] - dot3(e->speed, e->unit) * e->unit[k]) / e->size;
        turn_f[k] = (f->speed[k] - dot3(f->speed, f->unit) * f->unit[k]) / f->size;
    }
    const double share = 1 / (1 + dot3(e->unit, f->unit));
    const double less = share * (dot3(turn_e, f->unit) + dot3(e->unit, turn_f));
    cross3(turn_e, f->unit, one);
    cross3(e->unit, turn_f, two);
    for (int k = 0; k < 3; k++) rate[k] = 2 * share * (one[k] + two[k]) - less * e->bend[k];
    return 0.5 * (dot3(e->bend, turn_e) + dot3(e->bend, turn_f));
}

/* Rate of the curvature about the axes of an edge whose director rotates. */
static void axes_rates(const elastic_rod *r, const rod_frame *f, uint32_t j, int side, const double rate[3],
                       double turning, double out[2])
{
    const uint32_t at = side == 0 ? j : rod_next(r, j);
    double k[2];
    curvature_of(r, f, j, side, k);
    out[0] = dot3(rate, f[at].director) + k[1] * turning;
    out[1] = dot3(rate, r->frames->equation[at].side) - k[0] * turning;
}

/* The equations for the rates of rotation with the least dissipation. */
static void set_rate_equations(const elastic_rod *r, const rod_frame *f, double turning, double shift)
{
    frame_equation *q = r->frames->equation;
    const double *stiff = r->frames->bend;
    set_equations(r, f, true, shift);
    for (uint32_t j = 0; j < r->edges; j++) q[j].right = 0;
    for (uint32_t j = end_of(r); turning != 0 && j < r->edges; j++) q[j].turn = turning;
    for (uint32_t j = 0; j < r->joints; j++) {
        const rod_edge *e = &r->edge[j];
        double rate[3], out[2], k[2];
        const double twisting = joint_rates(e, rod_after(r, j), rate) + q[rod_next(r, j)].turn - q[j].turn;
        const double moment = twist_stiffness(r, j) * twisting;
        q[j].right += moment;
        q[rod_next(r, j)].right -= moment;
        for (int side = 0; e->span > 0 && side < 2; side++) {
            curvature_of(r, f, j, side, k);
            axes_rates(r, f, j, side, rate, 0, out);
            q[side == 0 ? j : rod_next(r, j)].right -=
                0.5 / e->span * (stiff[0] * out[0] * k[1] - stiff[1] * out[1] * k[0]);
        }
    }
}

static void set_turning(const elastic_rod *r, const rod_frame *f, double turning)
{
    set_rate_equations(r, f, turning, 0);
    hold_directors(r);
    if (solve_equations(r)) return;
    set_rate_equations(r, f, turning, SHIFT);
    hold_directors(r);
    solve_equations(r);
}

/* Torque of the drag on the director of an edge. */
static double viscous_torque(const elastic_rod *r, const rod_frame *f, uint32_t at)
{
    const frame_equation *q = r->frames->equation;
    const double *stiff = r->frames->bend;
    double sum = 0;
    for (uint32_t j = at > 0 ? at - 1 : 0; j < r->joints && j <= at; j++) {
        const int side = j == at ? 0 : 1;
        double rate[3], out[2], k[2];
        const double twisting = joint_rates(&r->edge[j], rod_after(r, j), rate) + q[rod_next(r, j)].turn - q[j].turn;
        sum += (side == 0 ? -1 : 1) * twist_stiffness(r, j) * twisting;
        if (r->edge[j].span == 0) continue;
        curvature_of(r, f, j, side, k);
        axes_rates(r, f, j, side, rate, q[at].turn, out);
        sum += 0.5 / r->edge[j].span * (stiff[0] * out[0] * k[1] - stiff[1] * out[1] * k[0]);
    }
    return r->damping * sum;
}

static void drag_joint(elastic_rod *r, const rod_frame *f, uint32_t j)
{
    rod_edge *e = &r->edge[j], *after = rod_after(r, j);
    const frame_equation *q = r->frames->equation;
    double rate[3], moment[3] = {0}, out[2];
    const double twisting = joint_rates(e, after, rate) + q[rod_next(r, j)].turn - q[j].turn;
    for (int side = 0; e->span > 0 && side < 2; side++) {
        const uint32_t at = side == 0 ? j : rod_next(r, j);
        const double share = 0.5 * r->damping / e->span;
        axes_rates(r, f, j, side, rate, q[at].turn, out);
        rod_add(moment, share * r->frames->bend[0] * out[0], f[at].director);
        rod_add(moment, share * r->frames->bend[1] * out[1], q[at].side);
    }
    push_edges(e, after, moment, r->damping * twist_stiffness(r, j) * twisting, e->drag, after->drag);
}

void frames_force(elastic_rod *r, const rod_frame *f, double turning)
{
    rod_stretch(r);
    for (uint32_t j = 0; j < r->joints; j++) push_joint(r, f, j);
    if (r->damping > 0) {
        set_turning(r, f, turning);
        for (uint32_t j = 0; j < r->joints; j++) drag_joint(r, f, j);
        r->frames->viscous = 0;
        for (uint32_t j = end_of(r); turning != 0 && j < r->edges; j++) r->frames->viscous += viscous_torque(r, f, j);
    }
    for (uint32_t j = 0; j < r->edges; j++) rod_add(r->edge[j].force, 1, r->edge[j].drag);
}

double frames_stiffness(const elastic_rod *r, uint32_t j)
{
    const rod_edge *e = &r->edge[j];
    const double wide = 2 / (1 + dot3(e->unit, rod_after(r, j)->unit));
    const double bent = fmax(r->frames->bend[0], r->frames->bend[1]) * wide * wide;
    return bent + 0.25 * r->frames->torsion * dot3(e->bend, e->bend);
}
