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
    {{-7.16, 1.372, 0.654}, {-0.281, 0.959, 0.041}},  {{-5.014, 1.386, 0.577}, {0.283, 0.954, 0.103}},
    {{-3.275, 1.463, 0.137}, {-0.598, 0.792, 0.123}}, {{-1.406, 1.412, -0.209}, {0.368, 0.461, -0.808}},
    {{0.691, 2.209, -0.162}, {0.27, 0.955, -0.124}},  {{2.097, 2.555, 0.189}, {-0.078, 0.829, 0.554}},
    {{3.327, 2.359, 0.693}, {-0.547, 0.252, 0.799}},  {{3.718, 1.574, 0.984}, {-0.291, 0.268, 0.919}},
    {{3.563, 0, 1.121}, {0.158, 0, 0.976}},
};

static const row bowline[] = {
    {{1.411, 4.834, 0.13}, {0.267, -0.803, 0.533}},      {{1.341, 4.042, 0.12}, {0.612, 0.135, 0.779}},
    {{0.983, 1.32, 0.104}, {0.208, -0.449, 0.869}},      {{0.695, 0.073, 0.2}, {0.739, 0.468, 0.485}},
    {{0.587, -1.108, 0.029}, {0.504, 0.017, 0.864}},     {{0.613, -2.151, 0.128}, {-0.056, 0.357, 0.932}},
    {{1.287, -3.004, 0.286}, {-0.395, 0.239, 0.887}},    {{1.92, -2.769, 0.302}, {-0.585, 0.309, 0.75}},
    {{1.983, -1.413, -0.495}, {-0.742, -0.157, -0.652}}, {{1.343, -1.217, -0.28}, {-0.602, -0.583, -0.546}},
    {{0.224, -1.824, 0.148}, {0.581, -0.803, -0.135}},   {{-0.623, -2.503, -0.022}, {0.433, -0.646, 0.629}},
    {{-0.869, -3.135, -0.425}, {-0.016, -0.501, 0.865}}, {{-0.758, -3.598, -0.671}, {-0.244, -0.433, 0.868}},
    {{-0.617, -3.745, -0.716}, {-0.485, -0.088, 0.87}},  {{-0.191, -4.016, -0.747}, {-0.278, -0.018, 0.96}},
    {{0.612, -4, -0.724}, {-0.287, 0.424, 0.859}},       {{1.524, -2.899, -1.048}, {-0.774, 0.61, -0.172}},
    {{1.738, -2.172, -0.571}, {-0.975, 0.191, -0.112}},  {{1.84, -1.368, -0.251}, {-0.882, -0.066, 0.467}},
    {{1.676, -0.593, -0.199}, {-0.917, -0.392, -0.073}}, {{1.397, 0.081, 0.013}, {-0.777, -0.371, -0.509}},
    {{1.152, 0.741, -0.078}, {-0.42, -0.29, -0.86}},     {{0.72, 0.917, -0.08}, {0.132, -0.427, -0.895}},
    {{0.258, -0.483, 0.533}, {0.863, -0.266, 0.429}},    {{0.373, -1.226, 0.443}, {0.448, 0.154, 0.88}},
    {{0.746, -1.795, 0.191}, {0.872, -0.28, 0.402}},     {{1.121, -2.753, 0.004}, {0.905, 0.057, 0.421}},
    {{1.168, -2.929, 0.031}, {0.639, -0.659, 0.397}},
};

/* Lengths of ribbons without straight ends, in widths; make_knots does not change them. */
static const double lengths[2] = {[REEF_KNOT] = 13.5170, [BOWLINE] = 13.6000};

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
