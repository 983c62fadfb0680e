/* Knots. The tables contain the centre lines of ribbons of half-width 1, and their transverse directions. They are the
 * result of an optimisation for short ribbons with large distances and small strain, starting from the diagrams of the
 * knots. */
#include <math.h>

#include "mesh/make.h"

enum { ROWS_MOST = 40 };

typedef struct row {
    double point[3], side[3];
} row;

/* Half of one ribbon, from its end at the left to the bend at the right. The other half is its mirror image in y. The
 * other ribbon is the first rotated by 180 degrees about y. */
static const row reef[] = {
    {{-4.758, 1.053, 1.241}, {0.349, 0.553, -0.757}},   {{-3.237, 1.068, -0.058}, {-0.419, 0.863, -0.283}},
    {{-1.508, 1.261, -1.157}, {-0.129, 0.936, -0.329}}, {{0.118, 1.825, -0.934}, {-0.337, 0.931, 0.137}},
    {{1.911, 2.45, -0.125}, {-0.647, 0.503, 0.573}},    {{3.175, 2.689, 0.595}, {-0.337, 0.141, 0.931}},
    {{4.055, 1.94, 1.259}, {-0.528, -0.154, 0.835}},    {{4.48, 0, 1.616}, {-0.618, 0, 0.724}},
};

/* From the standing end through the small loop and along the large loop, up through the small loop, behind the standing
 * end, and down again. */
static const row bowline[] = {
    {{-0.754, 3.546, 0.369}, {0.918, 0.388, 0.078}},    {{-0.759, 3.378, 0.304}, {0.999, -0.035, -0.031}},
    {{-0.793, 2.295, -0.303}, {0.426, 0.738, 0.524}},   {{-0.857, 0.777, -0.991}, {0.519, -0.855, 0.002}},
    {{-0.746, -0.948, -1.085}, {0.89, 0.291, -0.351}},  {{0.258, -2.406, 0.548}, {0.214, 0.926, 0.312}},
    {{2.047, -2.75, 0.773}, {-0.167, 0.292, 0.942}},    {{2.613, -1.871, 0.43}, {-0.652, 0.093, 0.752}},
    {{2.042, -0.354, -0.775}, {-0.63, -0.684, -0.367}}, {{1.135, 0.182, -0.707}, {0.147, -0.508, -0.849}},
    {{-0.052, 0.136, -0.303}, {0.18, -0.545, -0.819}},  {{-1.318, -0.201, 0.043}, {0.411, -0.773, -0.482}},
    {{-2.476, -1.302, 1.085}, {0.725, -0.47, 0.504}},   {{-2.613, -2.12, 0.932}, {0.957, 0.067, 0.283}},
    {{-2.013, -2.68, -0.649}, {0.237, 0.932, -0.276}},  {{-0.954, -2.805, -0.94}, {-0.066, 0.847, -0.527}},
    {{0.171, -2.706, -0.932}, {-0.2, 0.574, -0.794}},   {{0.909, -2.157, -0.579}, {-0.149, 0.308, -0.94}},
    {{1.148, -1.124, 0.02}, {-0.195, 0.002, -0.981}},   {{1.099, 0.447, 0.819}, {-0.94, 0.339, -0.045}},
    {{0.931, 1.373, 0.853}, {-0.9, -0.436, 0.009}},     {{0.526, 2.197, -0.387}, {-0.114, -0.968, -0.225}},
    {{-1.093, 2.805, -0.89}, {0.168, -0.616, -0.77}},   {{-2.112, 2.428, -0.561}, {0.138, -0.685, -0.715}},
    {{-1.294, 1.018, 0.896}, {0.993, 0.097, -0.063}},   {{-0.609, 0.056, 0.979}, {0.82, 0.393, 0.417}},
    {{0.505, -0.778, 0.189}, {0.155, -0.005, 0.988}},   {{0.782, -1.19, -0.112}, {0.142, -0.368, 0.919}},
    {{0.572, -1.831, -0.479}, {-0.007, -0.602, 0.799}}, {{0.136, -2.331, -0.767}, {0.243, -0.463, 0.853}},
};

/* Lengths of the ribbons without straight ends, in units of the width. */
static const double lengths[2] = {[REEF_KNOT] = 12.8000, [BOWLINE] = 19.961};

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

/* Appends the mirror image in y of all rows except the last. */
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

/* Copy of a ribbon, rotated about y. */
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
    TRY(mesh_make_ribbon(m, (const double(*)[3])points, (const double(*)[3])sides, count, length,
                         which == REEF_KNOT ? 0.5 : 1, width, cells, e));
    if (which == REEF_KNOT) turn(m);
    return mesh_done(m, e);
}
