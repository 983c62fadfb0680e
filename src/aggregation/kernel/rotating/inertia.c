/* Moments of inertia. */
#include "aggregation/kernel/rotating/body.h"

static void inertia_of_particle(double mass, double radius, double m[MOMENTS])
{
    for (int k = 0; k < MOMENTS; k++) m[k] = 0;
    for (int k = 0; k < TURN; k++) m[k] = (DIM == 2 ? 0.5 : 0.4) * mass * radius * radius;
}

#if CAROM_DIM == 2

static void inertia_add(double a[MOMENTS], const double b[MOMENTS], const double e[DIM][DIM], double mass,
                        const double apart[DIM])
{
    (void)e;
    a[0] += b[0] + mass * (apart[0] * apart[0] + apart[1] * apart[1]);
}

static void inertia_update(body *b, const double attitude[ATTITUDE])
{
    (void)attitude;
    b->inverse[0] = 1 / b->inertia[0];
    b->rate = fabs(b->l[0] * b->inverse[0]) * ROUND_UP;
    b->acceleration = b->rate * b->rate * ROUND_UP;
}

static void inertia_angular_velocity(const body *b, const double e[DIM][DIM], const double l[TURN], double w[TURN])
{
    (void)e;
    moments_by(b->inverse, l, w);
}

#else

/* Index in `moments` of matrix entry k, n. */
static int entry(int k, int n)
{
    return k == n ? k : 6 - k - n;
}

static void inertia_add(double a[MOMENTS], const double b[MOMENTS], const double e[DIM][DIM], double mass,
                        const double apart[DIM])
{
    const double square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    for (int k = 0; k < 3; k++)
        for (int n = 0; n <= k; n++) {
            double sum = mass * ((k == n ? square : 0) - apart[k] * apart[n]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) sum += e[k][i] * b[entry(i, j)] * e[n][j];
            a[entry(k, n)] += sum;
        }
}

static double invert(const double m[MOMENTS], double inverse[MOMENTS])
{
    inverse[0] = m[1] * m[2] - m[3] * m[3];
    inverse[1] = m[0] * m[2] - m[4] * m[4];
    inverse[2] = m[0] * m[1] - m[5] * m[5];
    inverse[3] = m[4] * m[5] - m[0] * m[3];
    inverse[4] = m[3] * m[5] - m[1] * m[4];
    inverse[5] = m[3] * m[4] - m[2] * m[5];
    const double determinant = m[0] * inverse[0] + m[5] * inverse[5] + m[4] * inverse[4];
    for (int k = 0; k < MOMENTS; k++) inverse[k] /= determinant;
    return determinant;
}

/* A close upper bound of the largest eigenvalue: Newton's method on the characteristic polynomial, from above. Near a
 * multiple root its error is that of rounding. */
static double largest_eigenvalue(const double m[MOMENTS])
{
    double minors[MOMENTS];
    const double trace = m[0] + m[1] + m[2], determinant = invert(m, minors);
    const double second = (minors[0] + minors[1] + minors[2]) * determinant;
    double x = trace;
    for (bool on = true; on;) {
        const double value = ((x - trace) * x + second) * x - determinant, slope = (3 * x - 2 * trace) * x + second;
        const double next = x - value / slope;
        on = value > 0 && slope > 0 && value > MOMENT_STEP * x * slope && next < x;
        if (on) x = next;
    }
    return x * (1 + MOMENT_MARGIN);
}

/* |omega|^2 is largest if the rotation about the middle axis is 0, with the largest possible energy about the axis of
 * the smallest moment. */
static void inertia_update(body *b, const double attitude[ATTITUDE])
{
    double e[DIM][DIM], l[3], w[3], twice = 0;
    invert(b->inertia, b->inverse);
    const double fast = largest_eigenvalue(b->inverse), slow = 1 / largest_eigenvalue(b->inertia);
    attitude_axes(attitude, e);
    to_body(e, b->l, l);
    moments_by(b->inverse, l, w);
    for (int k = 0; k < 3; k++) twice += l[k] * w[k];
    const double square = l[0] * l[0] + l[1] * l[1] + l[2] * l[2], above = fmax(0, twice - square * slow);
    const double rate2 = square * slow * slow + above * (fast + slow);
    b->rate = sqrt(rate2) * ROUND_UP;
    /* |w'| <= w^2 / sqrt(3), as each moment of inertia is at most the sum of the others */
    b->acceleration = rate2 * (1 + sqrt(1.0 / 3)) * ROUND_UP;
}

static void inertia_angular_velocity(const body *b, const double e[DIM][DIM], const double l[TURN], double w[TURN])
{
    double own[3], angular[3];
    to_body(e, l, own);
    moments_by(b->inverse, own, angular);
    to_space(e, angular, w);
}

#endif
