/* The nematic order parameter: the largest eigenvalue of Q = <(D u u - 1) / (D - 1)>, u the axes of all particles
 * that are not spheres, and its eigenvector, the director. 0 for random orientations (with N particles about 1 /
 * sqrt(N)), 1 for parallel axes. */
#include <math.h>

#include "base/vec.h"
#include "measure/gauge.h"
#include "measure/sum.h"

static const settings_table settings = {
    .name = "nematic_order",
    .help = "nematic order parameter of the axes of ellipsoids (0: isotropic, 1: parallel), and the director",
};

static const series_column columns[] = {{"nematic_order", "", 1, true}, {"director", "", 3, false}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    if (first->axis == NULL)
        return error_set(e, CAROM_BAD_DATA,
                         "error: nematic_order: spheres have no axis; set 'semi_axes' of a species (engine `hard`)");
    return gauge_create(self, &settings, columns, 2, first, e);
}

static void mean_q(const carom_frame *f, double q[3][3])
{
    sum sums[3][3] = {{{0}}};
    double count = 0;
    frame_need(f, FRAME_AXIS);
    for (size_t i = 0; i < f->count; i++) {
        const double *u = f->axis + 3 * i, *semi = f->semi_axes + 3 * i;
        if (semi[0] == semi[1]) continue;
        count++;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) sum_add(&sums[a][b], u[a] * u[b]);
    }
    const double ways = f->dimension;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const double mean = count > 0 ? sum_total(&sums[a][b]) / count : 0;
            q[a][b] = a < f->dimension && b < f->dimension ? (ways * mean - (a == b)) / (ways - 1) : 0;
        }
}

/* The largest eigenvalue of a matrix without trace, by Vieta's formula. */
static double largest(const double q[3][3])
{
    double squares = 0, cubes = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            squares += q[a][b] * q[b][a];
            for (int c = 0; c < 3; c++) cubes += q[a][b] * q[b][c] * q[c][a];
        }
    if (!(squares > 0)) return 0;
    const double size = sqrt(squares / 6), cosine = cubes / 6 / (size * size * size);
    return 2 * size * cos(acos(fmax(-1, fmin(1, cosine))) / 3);
}

/* The longest column of the adjugate of q - value: orthogonal to two rows. */
static void find_director(const double q[3][3], double value, double out[3])
{
    double m[3][3], most = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) m[a][b] = q[a][b] - (a == b) * value;
    out[0] = 1;
    out[1] = out[2] = 0;
    for (int a = 0; a < 3; a++) {
        const double *x = m[(a + 1) % 3], *y = m[(a + 2) % 3];
        double n[3];
        cross3(x, y, n);
        const double square = dot3(n, n);
        if (square <= most) continue;
        most = square;
        for (int k = 0; k < 3; k++) out[k] = n[k] / sqrt(square);
    }
    const double sign = out[2] < 0 || (out[2] == 0 && out[1] < 0) ? -1 : 1;
    for (int k = 0; k < 3; k++) out[k] *= sign;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    double q[3][3], row[4];
    mean_q(frame, q);
    /* In 2D Q has the eigenvalues S and -S, and a third one without physical meaning; in 3D its trace is 0. */
    row[0] = frame->dimension == 2 ? hypot(q[0][0], q[0][1]) : largest((const double(*)[3])q);
    find_director((const double(*)[3])q, row[0], row + 1);
    gauge *g = self;
    return series_add(&g->rows, frame->time, 1.0, row, e);
}

const observable observable_nematic_order = {
    .settings = &settings, .needs_particles = true, .create = create, .sample = sample, GAUGE_FUNCTIONS};
