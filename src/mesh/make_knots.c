/* Tied knots. The tables hold the middles of ribbons of half-width 1, and their sides there. They were found by a search for ribbons
 * as short, as far apart and as little stretched as could be, which started from the knots' diagrams. */
#include <math.h>

#include "mesh/make.h"

enum { ROWS_MOST = 40 };

typedef struct row {
    double point[3], side[3];
} row;

/* Half of one ribbon, from its end at the left, over the other's bight (behind it, through it, ...), to the turn at the right. The
 * other half is its mirror image in y, and the other ribbon is the first turned by half a circle about y. */
static const row reef[] = {
    {{-4.758, 1.053, 1.241}, {0.349, 0.553, -0.757}},   {{-3.237, 1.068, -0.058}, {-0.419, 0.863, -0.283}},
    {{-1.508, 1.261, -1.157}, {-0.129, 0.936, -0.329}}, {{0.118, 1.825, -0.934}, {-0.337, 0.931, 0.137}},
    {{1.911, 2.45, -0.125}, {-0.647, 0.503, 0.573}},    {{3.175, 2.689, 0.595}, {-0.337, 0.141, 0.931}},
    {{4.055, 1.94, 1.259}, {-0.528, -0.154, 0.835}},    {{4.48, 0, 1.616}, {-0.618, 0, 0.724}},
};

static const row bowline[] = {
    {{1.393, 4.363, -0.105}, {0.201, -0.905, 0.376}},    {{1.384, 3.728, -0.098}, {0.224, 0.111, 0.968}},
    {{0.975, 1.064, 0.036}, {0.175, -0.684, 0.708}},     {{0.731, 0.073, 0.137}, {0.723, 0.531, 0.442}},
    {{0.638, -1.039, 0.028}, {0.571, 0.376, 0.73}},      {{0.634, -2.12, 0.11}, {0.009, 0.452, 0.892}},
    {{1.265, -3.007, 0.272}, {-0.436, 0.193, 0.879}},    {{1.893, -2.753, 0.343}, {-0.647, 0.319, 0.693}},
    {{1.966, -1.397, -0.505}, {-0.702, -0.339, -0.627}}, {{1.341, -1.207, -0.313}, {-0.205, -0.525, -0.826}},
    {{0.282, -1.859, 0.155}, {0.521, -0.832, -0.19}},    {{-0.591, -2.527, -0.042}, {0.391, -0.677, 0.624}},
    {{-0.829, -3.015, -0.365}, {0.041, -0.464, 0.885}},  {{-0.778, -3.45, -0.626}, {-0.265, -0.422, 0.867}},
    {{-0.517, -3.798, -0.74}, {-0.27, -0.228, 0.936}},   {{-0.083, -4.021, -0.747}, {-0.261, 0.029, 0.965}},
    {{0.648, -3.918, -0.736}, {-0.328, 0.421, 0.846}},   {{1.483, -2.802, -1.107}, {-0.822, 0.563, -0.086}},
    {{1.735, -2.096, -0.575}, {-0.996, 0.093, -0.007}},  {{1.835, -1.363, -0.25}, {-0.885, -0.274, 0.377}},
    {{1.69, -0.579, -0.233}, {-0.952, -0.286, -0.11}},   {{1.465, 0.071, -0.02}, {-0.796, -0.231, -0.56}},
    {{1.323, 0.957, -0.195}, {-0.1, -0.359, -0.928}},    {{0.777, 0.945, -0.13}, {0.237, -0.43, -0.871}},
    {{0.329, -0.442, 0.569}, {0.825, -0.456, 0.334}},    {{0.346, -1.163, 0.527}, {0.74, -0.391, 0.547}},
    {{0.761, -1.866, 0.184}, {0.892, -0.223, 0.392}},    {{1.053, -2.624, 0.024}, {0.846, -0.396, 0.358}},
    {{1.137, -2.905, 0.016}, {0.474, 0.772, 0.423}},
};

/* Lengths of ribbons without straight ends, in widths; make_knots does not change them. */
static const double lengths[2] = {[REEF_KNOT] = 12.8000, [BOWLINE] = 13.4560};

double mesh_knot_length(mesh_knot which)
{
    return lengths[which];
}

static size_t fill(const row *rows, size_t count, double scale, double (*points)[3], double (*sides)[3])
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            points[i][k] = scale * rows[i].point[k];
            sides[i][k] = rows[i].side[k];
        }
    return count;
}

/* The mirror image in y of all rows but the last, behind it. */
static size_t mirror(size_t count, double (*points)[3], double (*sides)[3])
{
    for (size_t i = count - 1; i-- > 0;)
        for (int k = 0; k < 3; k++) {
            const double sign = k == 1 ? -1 : 1;
            points[2 * count - 2 - i][k] = sign * points[i][k];
            sides[2 * count - 2 - i][k] = sign * sides[i][k];
        }
    return 2 * count - 1;
}

/* The same ribbon again, turned about y. */
static void turn(mesh *m)
{
    mesh other = {0};
    mesh_append(&other, m);
    mesh_place(&other, (const double[3]){0, 0, 0}, (const double[3][3]){{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, 1);
    mesh_append(m, &other);
    mesh_free(&other);
}

carom_status mesh_make_knot(mesh *m, mesh_knot which, double length, double width, const uint32_t cells[2], error *e)
{
    double points[ROWS_MOST][3], sides[ROWS_MOST][3];
    const row *rows = which == REEF_KNOT ? reef : bowline;
    size_t count = which == REEF_KNOT ? sizeof reef / sizeof *reef : sizeof bowline / sizeof *bowline;
    fill(rows, count, width / 2, points, sides);
    if (which == REEF_KNOT) count = mirror(count, points, sides);
    TRY(mesh_make_ribbon(m, (const double(*)[3])points, (const double(*)[3])sides, count, length, width, cells, e));
    if (which == REEF_KNOT) turn(m);
    return mesh_done(m, e);
}
