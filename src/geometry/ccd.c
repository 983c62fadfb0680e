/* Both kinds of pair lead to one problem. The differences of the points of one feature and of the other form a convex
 * polygon: face minus vertex is a triangle, edge minus edge a parallelogram. Its corners move linearly. The two
 * features come within the separation when the polygon comes within that distance of the origin.
 *
 * If a plane through the origin with normal n has all corners on its positive side, farther than the separation, there
 * is no contact. For a fixed n, n.corner(t) is linear in time; for a rotating one, n + (t - t0) turn, it is quadratic;
 * for one that follows a feature exactly, a polynomial of degree up to 4. So each n excludes contact in a whole
 * interval of time, up to the root of a polynomial (`reach`, `turning_reach`, `following_reach`). At time t, the search
 * uses the n that points to the nearest point of the polygon, advances to the end of its interval, and repeats:
 * Newton's method on the distance, from the left. The choice of n does not affect the guarantee, which depends on these
 * three functions only. docs/ccd.md has the proof. */
#include "geometry/ccd.h"
#include "base/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The last corner of a triangle occurs twice. */
enum { CORNERS = 4 };

typedef struct motion {
    double from[3][CORNERS], to[3][CORNERS]; /* by axis */
    double separation;
} motion;

/* The motion at a time. */
typedef struct polygon {
    double corner[CORNERS][3], velocity[CORNERS][3];
} polygon;

typedef struct direction {
    double n[3], turn[3];
} direction;

/* A direction as a polynomial in the time since. */
enum { FOLLOWING = 4 };
typedef struct following {
    double n[FOLLOWING][3];
} following;

/* The largest difference is within 2^-RANGE and 2^RANGE. Directions of a length outside [2^-450, 2^350], or with a
 * larger rate of change, are not used. Hence no product overflows, and products that underflow add up to less than
 * TINY. */
#define RANGE 20
#define TINY 0x1p-700
#define SHORTEST_SQUARED 0x1p-900
#define LONGEST_SQUARED 0x1p700

/* With u = DBL_EPSILON / 2: a difference of coordinates has a relative error of u, a product of it with n 2u, the sum
 * of three 4u of the sum of absolute values, subtracting the bound itself u; the gap is within 4u, and rounded three
 * times more. */
#define SLACK (4.0 * DBL_EPSILON)

/* Positions at a time are within 4u of |from| + |to|, velocities within 3u; with products and sums that is 12u at
 * most. */
#define TURNING_SLACK (8.0 * DBL_EPSILON)

/* Below this the square of a coefficient may underflow. */
#define SMALLEST_CLEARANCE 0x1p-400

/* A pair that passes very closely has steps as short as this; shorter steps are within rounding of a contact. */
#define SHORT_STEP 0x1p-40
enum { MOST_SHORT_STEPS = 1 };

/* ---- Intervals without contact ----------------------------------------------------------------------------------- */

/* Lower bounds of n.corner - gap, with gap = separation |n|. */
static void clearances(const double corner[3][CORNERS], const double n[3], double gap, double out[CORNERS])
{
    for (int i = 0; i < CORNERS; i++) {
        double x = n[0] * corner[0][i], y = n[1] * corner[1][i], z = n[2] * corner[2][i];
        out[i] = (x + y + z) - (SLACK * (fabs(x) + fabs(y) + fabs(z) + gap) + (gap + TINY));
    }
}

/* The end of the interval around t in which n separates: `t` if there is none, INFINITY if it includes 1. The clearance
 * at any time is at least the mean of its bounds at 0 and 1, with the weights of that time. */
static double reach(const motion *m, const double n[3], double t)
{
    double square = dot3(n, n);
    if (!(square > SHORTEST_SQUARED && square < LONGEST_SQUARED)) return t;
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

/* A lower bound of the first x > 0 with a + b x + c x^2 = 0, a > 0. The discriminant is increased by its rounding
 * error. */
static double first_root(double a, double b, double c)
{
    double square = b * b, product = 4.0 * a * c;
    double discriminant = square - product + SLACK * (square + fabs(product));
    if (c >= 0.0 && (b >= 0.0 || discriminant < 0.0)) return INFINITY;
    double root = b <= 0.0 ? 2.0 * a / (sqrt(discriminant) - b) : (b + sqrt(square - product)) / (-2.0 * c);
    return root * (1.0 - 2.0 * SLACK);
}

/* As reach, for the direction n + x turn at time t + x, x >= 0. Its length is at most
 * |n| + x n.turn / |n| + x^2 turn.turn / (2 |n|), so that the clearance is at least a quadratic in x. */
static double turning_reach(const motion *m, const polygon *p, const direction *d, double t)
{
    double square = dot3(d->n, d->n), turning = dot3(d->turn, d->turn);
    if (!(square > SHORTEST_SQUARED && square < LONGEST_SQUARED && turning < LONGEST_SQUARED)) return t;
    double length = sqrt(square), gap = m->separation * length, speed = m->separation * sqrt(turning);
    double drift = m->separation * (dot3(d->n, d->turn) / length), bend = m->separation * (turning / (2.0 * length));
    double end = INFINITY;
    for (int i = 0; i < CORNERS; i++) {
        double still = gap, moving = speed;
        for (int k = 0; k < 3; k++) {
            double size = fabs(m->from[k][i]) + fabs(m->to[k][i]);
            still += fabs(d->n[k]) * size;
            moving += fabs(d->turn[k]) * size;
        }
        const double *corner = p->corner[i], *velocity = p->velocity[i];
        double a = dot3(d->n, corner) - gap - (TURNING_SLACK * still + TINY);
        double b = dot3(d->n, velocity) + dot3(d->turn, corner) - drift - (TURNING_SLACK * (still + moving) + TINY);
        double c = dot3(d->turn, velocity) - bend - (TURNING_SLACK * (moving + bend) + TINY);
        if (!(a > SMALLEST_CLEARANCE)) return t;
        end = fmin(end, (t + first_root(a, b, c)) * (1.0 - SLACK));
    }
    if (end >= 1.0) return INFINITY;
    return end > t && end > TINY ? end : t;
}

/* Lower bounds of the coefficients of the clearance of a corner, in the time since t, for a direction that follows. */
static void following_clearance(const motion *m, const polygon *p, const following *f, int i, double out[FOLLOWING + 1])
{
    double sizes[FOLLOWING + 1] = {0};
    for (int k = 0; k <= FOLLOWING; k++) out[k] = 0.0;
    for (int k = 0; k < FOLLOWING; k++) {
        double size = 0.0;
        for (int x = 0; x < 3; x++) size += fabs(f->n[k][x]) * (fabs(m->from[x][i]) + fabs(m->to[x][i]));
        out[k] += dot3(f->n[k], p->corner[i]);
        out[k + 1] += dot3(f->n[k], p->velocity[i]);
        sizes[k] += size;
        sizes[k + 1] += size;
    }
    for (int k = 0; k <= FOLLOWING; k++) out[k] -= TURNING_SLACK * sizes[k] + TINY;
}

/* Whether a polynomial of degree 4 is positive on [0, end], by its Bernstein coefficients there. */
static bool positive_until(const double a[FOLLOWING + 1], double end)
{
    double b[FOLLOWING + 1], power = end, size = fabs(a[0]);
    b[0] = a[0];
    for (int k = 1; k <= FOLLOWING; k++, power *= end) {
        b[k] = a[k] * power;
        size += fabs(b[k]);
    }
    const double least = TURNING_SLACK * size + TINY;
    return b[0] > least && b[0] + b[1] / 4.0 > least && b[0] + b[1] / 2.0 + b[2] / 6.0 > least &&
           b[0] + 0.75 * b[1] + 0.5 * b[2] + b[3] / 4.0 > least && b[0] + b[1] + b[2] + b[3] + b[4] > least;
}

/* As turning_reach, without separation, for a direction that follows. The end is one of a few estimates that passes the
 * test. */
static double following_reach(const motion *m, const polygon *p, const following *f, double t)
{
    static const double guesses[] = {0x1.fp-1, 0.5, 0.125, 0x1p-5};
    enum { GUESSES = sizeof guesses / sizeof *guesses };
    const double all = (1.0 - t) * (1.0 + SLACK);
    double a[CORNERS][FOLLOWING + 1], root = all;
    for (int k = 0; k < FOLLOWING; k++) {
        if (!(dot3(f->n[k], f->n[k]) < LONGEST_SQUARED)) return t;
    }
    for (int i = 0; i < CORNERS; i++) {
        following_clearance(m, p, f, i, a[i]);
        if (!(a[i][0] > SMALLEST_CLEARANCE)) return t;
        root = fmin(root, first_root(a[i][0], a[i][1], a[i][2]));
    }
    for (int k = -1, i = 0; k < GUESSES; k++) {
        const double x = k < 0 ? all : guesses[k] * root;
        while (i < CORNERS && positive_until(a[i], x)) i++;
        if (i == CORNERS) return k < 0 ? INFINITY : fmax(t, (t + x) * (1.0 - SLACK));
    }
    return t;
}

/* ---- Directions to try ------------------------------------------------------------------------------------------- */

static polygon at_time(const motion *m, double t)
{
    polygon p;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < CORNERS; i++) {
            p.corner[i][k] = (1.0 - t) * m->from[k][i] + t * m->to[k][i];
            p.velocity[i][k] = m->to[k][i] - m->from[k][i];
        }
    }
    return p;
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static void add_multiple(double factor, const double a[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] += factor * a[k];
}

/* The features that can contain the nearest point of the polygon: a corner, the edge from a corner to the next, or its
 * plane. */
enum { EDGES = CORNERS, PLANE = 2 * CORNERS, FEATURES };

/* Away from the origin. */
static following plane_normal(const polygon *p)
{
    following f = {0};
    double a[2][3], b[2][3];
    subtract(p->corner[1], p->corner[0], a[0]);
    subtract(p->corner[2], p->corner[0], b[0]);
    subtract(p->velocity[1], p->velocity[0], a[1]);
    subtract(p->velocity[2], p->velocity[0], b[1]);
    double sign = 1.0;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            double part[3];
            cross3(a[i], b[j], part);
            if (i + j == 0 && dot3(part, p->corner[0]) < 0.0) sign = -1.0;
            add_multiple(sign, part, f.n[i + j]);
        }
    }
    return f;
}

/* Direction to the line of an edge. It becomes orthogonal to it in two steps, since the first one is inaccurate near
 * the line. */
static direction to_edge(const polygon *p, int i)
{
    const int j = (i + 1) % CORNERS;
    double edge[3], edge_speed[3], along = 0.0;
    direction d;
    for (int k = 0; k < 3; k++) {
        d.n[k] = p->corner[i][k];
        d.turn[k] = p->velocity[i][k];
    }
    subtract(p->corner[j], p->corner[i], edge);
    subtract(p->velocity[j], p->velocity[i], edge_speed);
    double square = dot3(edge, edge);
    if (square == 0.0) return d;
    for (int again = 0; again < 2; again++) {
        double step = -dot3(d.n, edge) / square;
        add_multiple(step, edge, d.n);
        along += step;
    }
    add_multiple(along, edge_speed, d.turn);
    add_multiple(-(dot3(d.turn, edge) + dot3(d.n, edge_speed)) / square, edge, d.turn);
    return d;
}

/* The normal of the plane, orthogonal to an edge or to a corner at all times. For an edge that is (e.e) q - (q.e) e,
 * with q the point of its line that is nearest at present and moves with it. */
static following follow(const polygon *p, int feature)
{
    if (feature == PLANE) return plane_normal(p);
    following f = {0};
    const double *corner = p->corner[feature % EDGES], *velocity = p->velocity[feature % EDGES];
    if (feature < EDGES) {
        memcpy(f.n[0], corner, sizeof f.n[0]);
        memcpy(f.n[1], velocity, sizeof f.n[1]);
        return f;
    }
    const int next = (feature + 1) % CORNERS;
    double e[2][3], q[2][3], squares[3] = {0}, products[3] = {0};
    subtract(p->corner[next], corner, e[0]);
    subtract(p->velocity[next], velocity, e[1]);
    const double along = -dot3(corner, e[0]) / dot3(e[0], e[0]);
    memcpy(q[0], corner, sizeof q[0]);
    memcpy(q[1], velocity, sizeof q[1]);
    for (int i = 0; i < 2; i++) add_multiple(along, e[i], q[i]);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            squares[i + j] += dot3(e[i], e[j]);
            products[i + j] += dot3(q[i], e[j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            add_multiple(squares[i], q[j], f.n[i + j]);
            add_multiple(-products[i], e[j], f.n[i + j]);
        }
    }
    return f;
}

/* The rate of change of the length of a direction does not affect the separation. */
static direction to_feature(const polygon *p, int feature)
{
    direction d;
    if (feature >= EDGES && feature < PLANE) {
        d = to_edge(p, feature - EDGES);
    } else {
        following f = follow(p, feature);
        memcpy(d.n, f.n[0], sizeof d.n);
        memcpy(d.turn, f.n[1], sizeof d.turn);
    }
    double square = dot3(d.n, d.n);
    if (square > 0.0) add_multiple(-dot3(d.turn, d.n) / square, d.n, d.turn);
    return d;
}

/* The feature of the nearest point, except for rounding: the plane, unless the origin is beyond an edge. */
static int nearest(const polygon *p)
{
    const following plane = plane_normal(p);
    double closest = INFINITY;
    int feature = PLANE;
    double side = 0.0;
    for (int i = 0; i < CORNERS; i++) {
        double edge[3], inward[3], point[3];
        const double *corner = p->corner[i];
        subtract(p->corner[(i + 1) % CORNERS], corner, edge);
        double square = dot3(edge, edge);
        if (square == 0.0) continue;
        cross3(plane.n[0], edge, inward);
        if (side == 0.0) {
            double across[3];
            subtract(p->corner[(i + 2) % CORNERS], corner, across);
            side = dot3(inward, across);
        }
        if (side * dot3(inward, corner) <= 0.0) continue;
        double along = -dot3(corner, edge) / square, within = fmin(fmax(along, 0.0), 1.0);
        for (int k = 0; k < 3; k++) point[k] = corner[k] + within * edge[k];
        double distance = dot3(point, point);
        if (distance >= closest) continue;
        closest = distance;
        feature = along <= 0.0 ? i : along < 1.0 ? EDGES + i : (i + 1) % CORNERS;
    }
    return feature;
}

/* The end of the excluded interval for the direction to a feature; `t` if it excludes nothing. */
static double advance(const motion *m, const polygon *p, int feature, double t)
{
    direction d = to_feature(p, feature);
    double end = reach(m, d.n, t);
    if (end < INFINITY) end = fmax(end, turning_reach(m, p, &d, t));
    if (end == INFINITY || m->separation > 0.0) return end;
    const following f = follow(p, feature);
    return fmax(end, following_reach(m, p, &f, t));
}

static bool meet(const motion *m, double *time)
{
    double t = 0.0;
    int short_steps = 0;
    for (int step = 0; step < CCD_STEPS && t < INFINITY; step++) {
        polygon p = at_time(m, t);
        double next = advance(m, &p, nearest(&p), t);
        const double enough = t + SHORT_STEP;
        /* The nearest feature may be uncertain: if the polygon is a sliver or a line, or passes very closely. */
        for (int feature = 0; feature < FEATURES && next < enough; feature++) {
            next = fmax(next, advance(m, &p, feature, t));
        }
        if (next <= t || (next < enough && ++short_steps > MOST_SHORT_STEPS)) break;
        t = next;
    }
    if (time != NULL) *time = t;
    return t < INFINITY;
}

/* Scales the largest difference to about 1 if it is far from it. Returns false if a number is not finite. */
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
