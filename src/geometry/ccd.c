/* Both pairs are one problem. The differences of the points of one feature and of the other fill a convex polygon: face
 * minus vertex is a triangle, edge minus edge a parallelogram. Its corners move linearly, and the two features touch when
 * it contains the origin.
 *
 * For any fixed direction n, n.corner(t) is linear in t. Where it is positive at all corners the plane through the origin
 * separates the polygon from it; so each n rules out contact in a whole interval of time, whose ends are roots of linear
 * functions (`reach`). The search asks at time t for the n that points to the nearest point of the polygon, goes on to the
 * end of the interval of that n, and repeats: Newton's method on the distance, from the left. How n was found is of no
 * consequence for the guarantee, which rests on `reach` alone. */
#include "geometry/ccd.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* A triangle has its last corner twice. */
enum { CORNERS = 4 };

typedef struct motion {
    double from[3][CORNERS], to[3][CORNERS]; /* by axis */
    double separation;
} motion;

/* Relative differences are within [2^-RANGE, 2^RANGE] at their largest: no product overflows, and one that underflows is
 * below TINY. */
#define RANGE 100
#define TINY 0x1p-700
#define SMALLEST_NORMAL_SQUARED 0x1p-900
#define SLACK (4.0 * DBL_EPSILON)

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Lower bounds of n.corner - separation |n|. */
static void clearances(const double corner[3][CORNERS], const double n[3], double gap, double out[CORNERS])
{
    for (int i = 0; i < CORNERS; i++) {
        double x = n[0] * corner[0][i], y = n[1] * corner[1][i], z = n[2] * corner[2][i];
        out[i] = (x + y + z) - (SLACK * (fabs(x) + fabs(y) + fabs(z) + gap) + (gap + TINY));
    }
}

/* The end of the interval around t in which n separates: `t` where there is none, INFINITY where it includes 1. */
static double reach(const motion *m, const double n[3], double t)
{
    double square = dot(n, n);
    if (!(square > SMALLEST_NORMAL_SQUARED)) return t;
    double gap = m->separation > 0.0 ? m->separation * sqrt(square) : 0.0;
    double at0[CORNERS], at1[CORNERS], end = INFINITY;
    clearances(m->from, n, gap, at0);
    clearances(m->to, n, gap, at1);
    for (int i = 0; i < CORNERS; i++) {
        if (at0[i] > 0.0 && at1[i] > 0.0) continue;
        if (at0[i] <= 0.0 && at1[i] <= 0.0) return t;
        double root = at0[i] / (at0[i] - at1[i]);
        if (at0[i] > 0.0) {
            end = fmin(end, root * (1.0 - SLACK));
        } else if (root * (1.0 + SLACK) >= t) {
            return t;
        }
    }
    return end > t && end > TINY ? end : t;
}

/* ---- Directions to try -------------------------------------------------------------------------------------------- */

typedef struct polygon {
    double corner[CORNERS][3];
} polygon;

static polygon at_time(const motion *m, double t)
{
    polygon p;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) p.corner[i][k] = (1.0 - t) * m->from[k][i] + t * m->to[k][i];
    }
    return p;
}

static void edge_of(const polygon *p, int i, double edge[3])
{
    const double *a = p->corner[i], *b = p->corner[(i + 1) % CORNERS];
    for (int k = 0; k < 3; k++) edge[k] = b[k] - a[k];
}

/* Towards the plane of the polygon. */
static void normal_of(const polygon *p, double n[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = p->corner[1][k] - p->corner[0][k];
        b[k] = p->corner[2][k] - p->corner[0][k];
    }
    cross(a, b, n);
}

static void face_outward(const polygon *p, double n[3])
{
    if (dot(n, p->corner[0]) < 0.0) {
        for (int k = 0; k < 3; k++) n[k] = -n[k];
    }
}

/* Towards the line of an edge: twice, since the first result is only about orthogonal. */
static void perpendicular(const double corner[3], const double edge[3], double n[3])
{
    double square = dot(edge, edge);
    for (int k = 0; k < 3; k++) n[k] = corner[k];
    for (int again = 0; again < 2 && square > 0.0; again++) {
        double along = dot(n, edge) / square;
        for (int k = 0; k < 3; k++) n[k] -= along * edge[k];
    }
}

/* Towards the nearest point of the polygon, but for rounding. */
static void nearest(const polygon *p, double n[3])
{
    double plane[3], closest = INFINITY;
    normal_of(p, plane);
    for (int i = 0; i < CORNERS; i++) {
        double edge[3], inward[3];
        const double *corner = p->corner[i];
        edge_of(p, i, edge);
        cross(plane, edge, inward);
        double square = dot(edge, edge);
        if (dot(inward, corner) <= 0.0 || square == 0.0) continue;
        double along = -dot(corner, edge) / square, point[3];
        double within = fmin(fmax(along, 0.0), 1.0);
        for (int k = 0; k < 3; k++) point[k] = corner[k] + within * edge[k];
        double distance = dot(point, point);
        if (distance >= closest) continue;
        closest = distance;
        if (along > 0.0 && along < 1.0) {
            perpendicular(point, edge, n);
        } else {
            for (int k = 0; k < 3; k++) n[k] = point[k];
        }
    }
    if (closest < INFINITY) return;
    face_outward(p, plane);
    for (int k = 0; k < 3; k++) n[k] = plane[k];
}

/* The farthest reach of the directions to the plane, the edges' lines and the corners. One of them points to the nearest
 * point; which one may be hard to tell where the polygon is a sliver or a line. */
static double farthest(const motion *m, const polygon *p, double t)
{
    double n[3];
    normal_of(p, n);
    face_outward(p, n);
    double end = reach(m, n, t);
    for (int i = 0; i < CORNERS; i++) {
        double edge[3];
        edge_of(p, i, edge);
        perpendicular(p->corner[i], edge, n);
        end = fmax(end, reach(m, n, t));
        end = fmax(end, reach(m, p->corner[i], t));
    }
    return end;
}

static bool meet(const motion *m, double *time)
{
    double t = 0.0;
    for (int step = 0; step < CCD_STEPS; step++) {
        polygon p = at_time(m, t);
        double n[3];
        nearest(&p, n);
        double next = reach(m, n, t);
        if (next <= t) next = farthest(m, &p, t);
        if (next <= t) break;
        t = next;
        if (t == INFINITY) break;
    }
    if (time != NULL) *time = t;
    return t < INFINITY;
}

/* Brings the largest difference near 1 where it is far from it. false where a number is not finite. */
static bool rescale(motion *m)
{
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) {
            if (!isfinite(m->from[k][i]) || !isfinite(m->to[k][i])) return false;
            largest = fmax(largest, fmax(fabs(m->from[k][i]), fabs(m->to[k][i])));
        }
    }
    if (!isfinite(m->separation) || m->separation < 0.0) return false;
    int power;
    frexp(largest, &power);
    if (largest == 0.0 || (power > -RANGE && power < RANGE)) return true;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) {
            m->from[k][i] = ldexp(m->from[k][i], -power);
            m->to[k][i] = ldexp(m->to[k][i], -power);
        }
    }
    m->separation = ldexp(m->separation, -power);
    return isfinite(m->separation);
}

static bool solve(motion *m, double *time)
{
    if (rescale(m)) return meet(m, time);
    if (time != NULL) *time = 0.0;
    return true;
}

bool ccd_vertex_face(const double v[2][3], const double f[2][3][3], double separation, double *time)
{
    motion m = {.separation = separation};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) {
            int corner = i < 3 ? i : 2;
            m.from[k][i] = f[0][corner][k] - v[0][k];
            m.to[k][i] = f[1][corner][k] - v[1][k];
        }
    }
    return solve(&m, time);
}

bool ccd_edge_edge(const double a[2][2][3], const double b[2][2][3], double separation, double *time)
{
    static const int end_of_a[CORNERS] = {0, 1, 1, 0}, end_of_b[CORNERS] = {0, 0, 1, 1};
    motion m = {.separation = separation};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) {
            m.from[k][i] = a[0][end_of_a[i]][k] - b[0][end_of_b[i]][k];
            m.to[k][i] = a[1][end_of_a[i]][k] - b[1][end_of_b[i]][k];
        }
    }
    return solve(&m, time);
}
