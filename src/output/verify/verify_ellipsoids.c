/* Overlap of two ellipsoids, without the contact function of the engine: after an affine map one is a ball of radius 1
 * and the other an ellipsoid with three axes; its distance from the centre of the ball decides. The nearest point is
 * the solution of a secular equation (as in Eberly, Distance from a Point to an Ellipsoid). */
#include "output/verify/verify_ellipsoids.h"

#include <math.h>
#include <string.h>

/* Eigenvalues and eigenvectors (rows) of a symmetric matrix, by Jacobi rotations. */
static void jacobi(double m[3][3], double vector[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) vector[a][b] = a == b;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (m[p][q] == 0) continue;
                const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; k++) {
                    const double x = m[k][p], y = m[k][q];
                    m[k][p] = c * x - s * y;
                    m[k][q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    const double x = m[p][k], y = m[q][k], u = vector[p][k], v = vector[q][k];
                    m[p][k] = c * x - s * y;
                    m[q][k] = s * x + c * y;
                    vector[p][k] = c * u - s * v;
                    vector[q][k] = s * u + c * v;
                }
            }
}

/* Multiplies by the tensor b + (a - b) u u of an ellipsoid. */
static void stretch(const double u[3], double a, double b, const double x[3], double y[3])
{
    const double along = u[0] * x[0] + u[1] * x[1] + u[2] * x[2];
    for (int k = 0; k < 3; k++) y[k] = b * x[k] + (a - b) * along * u[k];
}

/* Distance of a point, in the frame of its axes, from an ellipsoid with squared semi-axes e; 0 inside. */
static double distance_from(const double e[3], const double y[3])
{
    double low = 0, high = 0, inside = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        inside += y[k] * y[k] / e[k];
        high += fabs(y[k]) * sqrt(e[k]);
    }
    if (inside <= 1) return 0;
    for (int step = 0; step < 200 && high > low; step++) { /* sum e y^2 / (e + t)^2 = 1 */
        const double t = 0.5 * (low + high);
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += e[k] * (y[k] / (e[k] + t)) * (y[k] / (e[k] + t));
        if (t <= low || t >= high) break;
        if (sum > 1)
            low = t;
        else
            high = t;
    }
    for (int k = 0; k < 3; k++) {
        const double gap = y[k] * high / (e[k] + high);
        square += gap * gap;
    }
    return sqrt(square);
}

double verify_ellipsoids_depth(const double u[2][3], const double semi[2][3], const double r[3])
{
    double m[3][3], axes[3][3], place[3], inverse[2] = {1 / semi[0][0], 1 / semi[0][1]}, e[3], y[3];
    stretch(u[0], inverse[0], inverse[1], r, place);
    for (int k = 0; k < 3; k++) {
        double x[3] = {k == 0, k == 1, k == 2}, w[3];
        stretch(u[0], inverse[0], inverse[1], x, w);
        stretch(u[1], semi[1][0] * semi[1][0], semi[1][1] * semi[1][1], w, x);
        stretch(u[0], inverse[0], inverse[1], x, m[k]);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < a; b++) m[a][b] = m[b][a] = 0.5 * (m[a][b] + m[b][a]);
    jacobi(m, axes);
    for (int k = 0; k < 3; k++) {
        e[k] = m[k][k];
        y[k] = axes[k][0] * place[0] + axes[k][1] * place[1] + axes[k][2] * place[2];
    }
    return (1 - distance_from(e, y)) * fmin(semi[0][0], semi[0][1]);
}

double verify_ellipsoids_reach(const double u[3], const double semi[3], const double n[3])
{
    const double lean = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    return sqrt(semi[0] * semi[0] * lean * lean + semi[1] * semi[1] * (1 - lean * lean));
}
