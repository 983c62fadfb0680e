/* Determinants in floating point, with a bound of their errors; if the sign remains uncertain, as an exact sum of
 * doubles (an expansion: Dekker 1971, Shewchuk 1997). */
#include "geometry/orient.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { MOST_TERMS = 2048 };

/* Doubles that do not overlap, of rising magnitude; their sum is the value. */
typedef struct expansion {
    double terms[MOST_TERMS];
    int count;
} expansion;

/* sum + *error = a + b exactly */
static double two_sum(double a, double b, double *error)
{
    double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static double two_product(double a, double b, double *error)
{
    double product = a * b;
    *error = fma(a, b, -product);
    return product;
}

static void add(expansion *x, double term)
{
    int kept = 0;
    for (int i = 0; i < x->count; i++) {
        double error;
        term = two_sum(term, x->terms[i], &error);
        if (error != 0) x->terms[kept++] = error;
    }
    if (term != 0) x->terms[kept++] = term;
    x->count = kept;
    assert(kept < MOST_TERMS);
}

static int sign_of(const expansion *x)
{
    if (x->count == 0) return 0;
    return x->terms[x->count - 1] > 0 ? 1 : -1;
}

static void add_product(expansion *x, double a, double b, double c)
{
    double low, lowest, high = two_product(a, b, &low), top = two_product(high, c, &lowest);
    add(x, lowest);
    add(x, top);
    top = two_product(low, c, &lowest);
    add(x, lowest);
    add(x, top);
}

/* The six products of three differences p - d, each a sum of eight products of coordinates. */
static int exact_3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *const rows[3] = {a, b, c};
    expansion x = {.count = 0};
    for (int i = 0; i < 3; i++)
        for (int turn = 0; turn < 2; turn++) {
            const int j = (i + 1 + turn) % 3, k = (i + 2 - turn) % 3; /* axes of the rows a, b, c: i, j, k */
            const int axes[3] = {i, j, k};
            for (int choice = 0; choice < 8; choice++) {
                double factor[3], sign = turn == 0 ? 1 : -1;
                for (int row = 0; row < 3; row++) {
                    bool minus = (choice >> row & 1) != 0;
                    factor[row] = minus ? d[axes[row]] : rows[row][axes[row]];
                    if (minus) sign = -sign;
                }
                add_product(&x, sign * factor[0], factor[1], factor[2]);
            }
        }
    return sign_of(&x);
}

int orient_3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], value = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = a[k] - d[k];
        v[k] = b[k] - d[k];
        w[k] = c[k] - d[k];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double one = v[j] * w[k], two = v[k] * w[j];
        value += u[i] * (one - two);
        size += fabs(u[i]) * (fabs(one) + fabs(two));
    }
    /* u . (v x w) > 0 if d is below: seen from there a, b, c are clockwise. The bound is that of Shewchuk with a
     * margin. */
    const double bound = 16 * 0x1p-53 * size;
    if (value > bound || value < -bound) return value < 0 ? 1 : -1;
    if (size == 0) return 0;
    return -exact_3d(a, b, c, d);
}

static int exact_2d(const double a[3], const double b[3], const double c[3], int x, int y)
{
    expansion sum = {.count = 0};
    /* (ax - cx)(by - cy) - (ay - cy)(bx - cx) = ax by - ax cy - cx by - ay bx + ay cx + cy bx */
    add_product(&sum, a[x], b[y], 1);
    add_product(&sum, -a[x], c[y], 1);
    add_product(&sum, -c[x], b[y], 1);
    add_product(&sum, -a[y], b[x], 1);
    add_product(&sum, a[y], c[x], 1);
    add_product(&sum, c[y], b[x], 1);
    return sign_of(&sum);
}

int orient_2d(const double a[3], const double b[3], const double c[3], int x, int y)
{
    const double one = (a[x] - c[x]) * (b[y] - c[y]), two = (a[y] - c[y]) * (b[x] - c[x]);
    const double bound = 8 * 0x1p-53 * (fabs(one) + fabs(two));
    if (one - two > bound || one - two < -bound) return one - two > 0 ? 1 : -1;
    return exact_2d(a, b, c, x, y);
}
