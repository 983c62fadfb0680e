#include "geometry/crossing.h"

#include <math.h>
#include <string.h>

#include "geometry/ccd.h"
#include "geometry/closest.h"

/* A vertex and a face, or two edges: four points. */
typedef struct pair {
    bool face;
    const double (*v)[3], (*f)[3][3];
    const double (*a)[2][3], (*b)[2][3];
} pair;

static const double *corner(const pair *p, int n, int t)
{
    if (p->face) return n == 0 ? p->v[t] : p->f[t][n - 1];
    return n < 2 ? p->a[t][n] : p->b[t][n - 2];
}

static bool meet(const pair *p, double separation, double *time)
{
    return p->face ? ccd_vertex_face(p->v, p->f, separation, time) : ccd_edge_edge(p->a, p->b, separation, time);
}

/* An axis that separates the two at both ends: most pairs have one, and this test is faster than ccd. */
static bool are_apart(const pair *p, double near)
{
    const int first = p->face ? 1 : 2; /* points of the first feature */
    for (int k = 0; k < 3; k++) {
        bool above = true, below = true;
        for (int t = 0; t < 2; t++) {
            double low = corner(p, 0, t)[k], high = low, least = corner(p, first, t)[k], most = least;
            for (int n = 1; n < first; n++) low = fmin(low, corner(p, n, t)[k]), high = fmax(high, corner(p, n, t)[k]);
            for (int n = first + 1; n < 4; n++)
                least = fmin(least, corner(p, n, t)[k]), most = fmax(most, corner(p, n, t)[k]);
            above = above && low - most > near;
            below = below && least - high > near;
        }
        if (above || below) return true;
    }
    return false;
}

static void positions(const pair *p, double t, double out[4][3])
{
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++) out[n][k] = (1 - t) * corner(p, n, 0)[k] + t * corner(p, n, 1)[k];
}

static double distance(const pair *p, double t)
{
    double at[4][3], r[3], share[3], along[2], way[2][3], w[3];
    positions(p, t, at);
    if (p->face) {
        closest_in_triangle(at[0], (const double(*)[3])(at + 1), r, share);
    } else {
        for (int k = 0; k < 3; k++) {
            way[0][k] = at[1][k] - at[0][k];
            way[1][k] = at[3][k] - at[2][k];
            w[k] = at[0][k] - at[2][k];
        }
        closest_of_segments(w, way[0], way[1], r, along);
    }
    return sqrt(dot3(r, r));
}

/* Six times the volume of the tetrahedron of the four points: zero if they are coplanar. */
static double volume(const pair *p, double t)
{
    double at[4][3], way[3][3], n[3];
    positions(p, t, at);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) way[i][k] = at[i + 1][k] - at[0][k];
    cross3(way[0], way[1], n);
    return dot3(n, way[2]);
}

/* A point of one edge and the other edge, or the vertex and a side of the face. */
static bool side_meets(const pair *p, int point, int from, int to, double bend)
{
    double one[2][2][3], other[2][2][3];
    for (int t = 0; t < 2; t++) {
        memcpy(one[t][0], corner(p, point, t), sizeof one[t][0]);
        memcpy(one[t][1], corner(p, point, t), sizeof one[t][1]);
        memcpy(other[t][0], corner(p, from, t), sizeof other[t][0]);
        memcpy(other[t][1], corner(p, to, t), sizeof other[t][1]);
    }
    return ccd_edge_edge((const double(*)[2][3])one, (const double(*)[2][3])other, bend, NULL);
}

static bool a_side_meets(const pair *p, double bend)
{
    static const int faces[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const int edges[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    for (int n = 0; n < (p->face ? 3 : 4); n++) {
        const int *s = p->face ? faces[n] : edges[n];
        if (side_meets(p, s[0], s[1], s[2], bend)) return true;
    }
    return false;
}

/* Times that divide [0, 1] into intervals in which the volume, a cubic, is monotonic; *count of them, including 0 and
 * 1. */
static void turning_points(const pair *p, double times[4], int *count)
{
    double v[4];
    for (int n = 0; n < 4; n++) v[n] = volume(p, n / 3.0);
    double c1 = -5.5 * v[0] + 9 * v[1] - 4.5 * v[2] + v[3], c2 = 9 * v[0] - 22.5 * v[1] + 18 * v[2] - 4.5 * v[3];
    double c3 = -4.5 * v[0] + 13.5 * v[1] - 13.5 * v[2] + 4.5 * v[3];
    double square = c2 * c2 - 3 * c1 * c3, root = square > 0 ? sqrt(square) : 0, q = -(c2 + copysign(root, c2));
    double one = q / (3 * c3), other = c1 / q; /* not real: outside the interval */
    *count = 0;
    times[(*count)++] = 0;
    if (fmin(one, other) > 0 && fmin(one, other) < 1) times[(*count)++] = fmin(one, other);
    if (fmax(one, other) > times[*count - 1] && fmax(one, other) < 1) times[(*count)++] = fmax(one, other);
    times[(*count)++] = 1;
}

static double bisect(const pair *p, double low, double high)
{
    const bool rises = volume(p, high) > 0;
    for (int n = 0; n < 60; n++) {
        double middle = 0.5 * (low + high);
        if ((volume(p, middle) > 0) == rises)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Whether the features pass through each other an odd number of times. No side of their difference comes within `bend`
 * of the origin, so that coplanar features are that far apart or intersect. */
static bool odd_passages(const pair *p, double bend)
{
    double times[4];
    int count, passages = 0;
    turning_points(p, times, &count);
    for (int n = 0; n + 1 < count; n++) {
        double from = volume(p, times[n]), to = volume(p, times[n + 1]);
        if ((from > 0) == (to > 0)) continue;
        passages += distance(p, bisect(p, times[n], times[n + 1])) < 0.5 * bend;
    }
    return passages % 2 == 1;
}

static bool surely_near(const pair *p, crossing_limits limits)
{
    static const double SLACK = 1e-6; /* the time of ccd may be early: tests at this tolerance */
    double t, near = limits.near - limits.bend;
    return near > 0 && meet(p, near, &t) && distance(p, t) <= (1 + SLACK) * near;
}

static crossing judge(const pair *p, crossing_limits limits, double *time)
{
    if (are_apart(p, limits.near) || !meet(p, limits.near, time)) return CROSSING_NONE;
    double least = fmin(distance(p, 0), distance(p, 1));
    if (least <= limits.near) return CROSSING_NONE;
    if (surely_near(p, limits)) return CROSSING_CERTAIN;
    if (least <= limits.bend || a_side_meets(p, limits.bend)) return CROSSING_UNCLEAR;
    return odd_passages(p, limits.bend) ? CROSSING_CERTAIN : CROSSING_UNCLEAR;
}

crossing crossing_vertex_face(const double v[2][3], const double f[2][3][3], crossing_limits limits, double *time)
{
    const pair p = {.face = true, .v = v, .f = f};
    return judge(&p, limits, time);
}

crossing crossing_edge_edge(const double a[2][2][3], const double b[2][2][3], crossing_limits limits, double *time)
{
    const pair p = {.face = false, .a = a, .b = b};
    return judge(&p, limits, time);
}
