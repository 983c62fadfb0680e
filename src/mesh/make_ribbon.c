/* Ribbons along curves: Catmull-Rom splines through points and transverse directions, with equal steps in arc
 * length. */
#include <math.h>

#include "base/memory.h"
#include "mesh/make.h"

enum { STEPS = 64 }; /* number of steps of each piece of the spline */

typedef struct place {
    double point[3], side[3];
    double way; /* along the curve */
} place;

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

/* The spline between b (t = 0) and c (t = 1). */
static double spline(double a, double b, double c, double d, double t)
{
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/* Row i of `count`, continued by reflection beyond the ends. */
static double beyond(const double (*rows)[3], size_t count, size_t i, int step, int k)
{
    if (step < 0) return i > 0 ? rows[i - 1][k] : 2 * rows[0][k] - rows[1][k];
    return i + 2 < count ? rows[i + 2][k] : 2 * rows[count - 1][k] - rows[count - 2][k];
}

static void walk(place *places, const double (*points)[3], const double (*sides)[3], size_t count)
{
    for (size_t n = 0; n <= (count - 1) * STEPS; n++) {
        const size_t i = n / STEPS < count - 1 ? n / STEPS : count - 2;
        const double t = (double)(n - i * STEPS) / STEPS;
        for (int k = 0; k < 3; k++) {
            places[n].point[k] = spline(beyond(points, count, i, -1, k), points[i][k], points[i + 1][k],
                                        beyond(points, count, i, 1, k), t);
            places[n].side[k] =
                spline(beyond(sides, count, i, -1, k), sides[i][k], sides[i + 1][k], beyond(sides, count, i, 1, k), t);
        }
        places[n].way = n > 0 ? places[n - 1].way + distance(places[n - 1].point, places[n].point) : 0;
    }
}

/* The point of the curve at arc length `way`, also beyond its ends; *at: where the search starts. */
static void place_at(const place *places, size_t count, double way, size_t *at, double point[3], double side[3])
{
    while (*at + 2 < count && places[*at + 1].way < way) ++*at;
    const place *a = &places[*at], *b = a + 1;
    const double t = (way - a->way) / (b->way - a->way), inside = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) {
        point[k] = a->point[k] + t * (b->point[k] - a->point[k]);
        side[k] = a->side[k] + inside * (b->side[k] - a->side[k]);
    }
}

/* Makes side[] a unit vector normal to the direction from a to b. */
static void straighten(double side[3], const double a[3], const double b[3])
{
    const double length = distance(a, b);
    double along = 0, square = 0;
    for (int k = 0; k < 3; k++) along += side[k] * (b[k] - a[k]) / length;
    for (int k = 0; k < 3; k++) {
        side[k] -= along * (b[k] - a[k]) / length;
        square += side[k] * side[k];
    }
    for (int k = 0; k < 3; k++) side[k] /= sqrt(square);
}

static void lay(mesh *m, const place *places, size_t place_count, double length, double before, double width,
                const uint32_t cells[2], double (*rows)[3], double (*across)[3])
{
    const double natural = places[place_count - 1].way;
    const double whole = length > natural ? length : natural, start = (natural - whole) * before;
    const size_t last = cells[0];
    size_t at = 0;
    for (size_t i = 0; i <= last; i++)
        place_at(places, place_count, start + whole * (double)i / (double)last, &at, rows[i], across[i]);
    for (size_t i = 0; i <= last; i++) straighten(across[i], rows[i > 0 ? i - 1 : 0], rows[i < last ? i + 1 : last]);
    mesh_make_strip(m, (const double(*)[3])rows, (const double(*)[3])across, last + 1, width, cells[1]);
}

carom_status mesh_make_ribbon(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double length,
                              double before, double width, const uint32_t cells[2], error *e)
{
    const size_t place_count = (count - 1) * STEPS + 1, row_count = (size_t)cells[0] + 1;
    place *places = NEW_ARRAY(place_count, place);
    double(*rows)[3] = memory_new(2 * row_count, sizeof *rows);
    m->failed = m->failed || places == NULL || rows == NULL;
    if (!m->failed) {
        walk(places, points, sides, count);
        lay(m, places, place_count, length, before, width, cells, rows, rows + row_count);
    }
    memory_free(places);
    memory_free(rows);
    return mesh_done(m, e);
}
