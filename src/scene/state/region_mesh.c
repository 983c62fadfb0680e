/* Whether a region and a triangle have common points: the part of the triangle between the flat sides of the region, and its
 * distance from the centre or axis. */
#include "scene/state/region.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "geometry/closest.h"

enum { CORNERS = 3 + 6 }; /* each flat side adds one */

typedef struct polygon {
    double at[CORNERS][3];
    int count;
} polygon;

/* Keeps the part on the side n.r >= least. */
static void clip(polygon *p, const double n[3], double least)
{
    polygon kept = {.count = 0};
    for (int k = 0; k < p->count; k++) {
        const double *a = p->at[k], *b = p->at[(k + 1) % p->count];
        const double above = dot3(n, a) - least, next = dot3(n, b) - least;
        if (above >= 0) memcpy(kept.at[kept.count++], a, sizeof kept.at[0]);
        if ((above > 0 && next < 0) || (above < 0 && next > 0)) {
            for (int c = 0; c < 3; c++) kept.at[kept.count][c] = a[c] + above / (above - next) * (b[c] - a[c]);
            kept.count++;
        }
    }
    *p = kept;
}

static void clip_between(polygon *p, const double n[3], double low, double high)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    clip(p, n, low);
    clip(p, back, -high);
}

/* The distance of a point from the polygon, which is plane and convex. */
static double distance_from(const polygon *p, const double at[3])
{
    double least = INFINITY;
    for (int k = 1; k + 1 < p->count; k++) {
        double corner[3][3], way[3], share[3];
        memcpy(corner[0], p->at[0], sizeof corner[0]);
        memcpy(corner[1], p->at[k], 2 * sizeof corner[1]);
        closest_in_triangle(at, (const double(*)[3])corner, way, share);
        least = fmin(least, sqrt(dot3(way, way)));
    }
    return least;
}

bool region_meets(const scene_region *region, const double triangle[3][3])
{
    polygon p = {.count = 3};
    double axis[3];
    memcpy(p.at, triangle, 3 * sizeof p.at[0]);
    if (region->kind == REGION_BALL) return distance_from(&p, region->from) < region->radius;
    if (region->kind == REGION_BOX) {
        for (int k = 0; k < 3; k++)
            clip_between(&p, (const double[3]){k == 0, k == 1, k == 2}, region->from[k], region->to[k]);
        return p.count > 0;
    }
    const double length = region_axis(region, axis), low = dot3(axis, region->from);
    clip_between(&p, axis, low, low + length);
    for (int k = 0; k < p.count; k++) { /* onto the plane across the axis */
        const double along = dot3(axis, p.at[k]) - low;
        for (int c = 0; c < 3; c++) p.at[k][c] -= along * axis[c];
    }
    return distance_from(&p, region->from) < region->radius;
}
