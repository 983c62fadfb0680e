/* The gyration tensor and derived measures. */
#include <math.h>
#include <string.h>

#include "base/pi.h"
#include "measure/shape.h"

/* One Jacobi rotation that makes matrix[p][q] zero. */
static void rotate(double m[3][3], double v[3][3], int p, int q)
{
    if (m[p][q] == 0) return;
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) { /* rows are the vectors */
        double a = v[p][k], b = v[q][k];
        v[p][k] = c * a - s * b;
        v[q][k] = s * a + c * b;
    }
}

static void swap_axes(double value[3], double vector[3][3], int a, int b)
{
    double kept = value[a], axis[3];
    value[a] = value[b];
    value[b] = kept;
    memcpy(axis, vector[a], sizeof axis);
    memcpy(vector[a], vector[b], sizeof axis);
    memcpy(vector[b], axis, sizeof axis);
}

static void choose_sign(double axis[3])
{
    double last = axis[2] != 0 ? axis[2] : axis[1] != 0 ? axis[1] : axis[0];
    for (int k = 0; k < 3; k++) axis[k] = last < 0 ? -axis[k] : axis[k] + 0.0; /* + 0.0: no negative zero */
}

void shape_eigen(int dimension, double matrix[3][3], double value[3], double vector[3][3])
{
    enum { SWEEPS = 30 }; /* five or six are sufficient */
    const double rounding = 1e-14;
    double m[3][3];
    memcpy(m, matrix, sizeof m);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) vector[a][b] = a == b;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < dimension; p++)
            for (int q = p + 1; q < dimension; q++) rotate(m, vector, p, q);
    for (int k = 0; k < 3; k++) value[k] = m[k][k];
    for (int a = 0; a < dimension; a++)
        for (int b = a + 1; b < dimension; b++)
            if (value[b] > value[a]) swap_axes(value, vector, a, b);
    for (int k = 0; k < dimension; k++) {
        if (value[k] < rounding * value[0]) value[k] = 0;
        choose_sign(vector[k]);
    }
}

/* In two passes, the centre first, so that a cluster far from the origin loses no digits. */
static void moments(const shape_partition *p, const shape_group *group, shape_gyration *g)
{
    const double(*x)[3] = (const double(*)[3])p->position + group->first;
    double n = (double)group->size;
    for (size_t i = 0; i < group->size; i++)
        for (int a = 0; a < p->dimension; a++) g->centre[a] += x[i][a] - x[0][a];
    for (int a = 0; a < p->dimension; a++) g->centre[a] = x[0][a] + g->centre[a] / n;
    for (size_t i = 0; i < group->size; i++)
        for (int a = 0; a < p->dimension; a++)
            for (int b = 0; b <= a; b++) g->tensor[a][b] += (x[i][a] - g->centre[a]) * (x[i][b] - g->centre[b]);
    for (int a = 0; a < p->dimension; a++)
        for (int b = 0; b <= a; b++) g->tensor[a][b] = g->tensor[b][a] = g->tensor[a][b] / n;
}

static void describe(int dimension, shape_gyration *g)
{
    const double same = 1e-12; /* axes are undefined if their lengths are equal up to rounding */
    const double *l = g->value;
    double total = l[0] + l[1] + l[2];
    g->radius = sqrt(total);
    if (!(total > 0)) return;
    if (l[1] > 0) g->aspect = l[0] / l[1];
    if (dimension == 2) {
        double degrees = atan2(g->vector[0][1], g->vector[0][0]) * (180 / PI);
        if (l[0] - l[1] > same * l[0]) g->orientation = degrees < 180 ? degrees : 0;
        g->anisotropy = (l[0] - l[1]) * (l[0] - l[1]) / (total * total);
        return;
    }
    g->asphericity = l[0] - 0.5 * (l[1] + l[2]);
    g->acylindricity = l[1] - l[2];
    g->anisotropy = (g->asphericity * g->asphericity + 0.75 * g->acylindricity * g->acylindricity) / (total * total);
}

void shape_gyration_of(const shape_partition *p, size_t group, shape_gyration *g)
{
    const shape_group *which = &p->groups[group];
    *g = (shape_gyration){.aspect = (double)NAN,
                          .orientation = (double)NAN,
                          .asphericity = (double)NAN,
                          .acylindricity = (double)NAN,
                          .anisotropy = (double)NAN};
    if (which->state == SHAPE_WHOLE) {
        moments(p, which, g);
        shape_eigen(p->dimension, g->tensor, g->value, g->vector);
        describe(p->dimension, g);
        return;
    }
    g->radius = (double)NAN;
    for (int a = 0; a < 3; a++) {
        g->centre[a] = g->value[a] = (double)NAN;
        for (int b = 0; b < 3; b++) g->tensor[a][b] = g->vector[a][b] = (double)NAN;
    }
}
