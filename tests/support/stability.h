/* Stability of equilibria: negative second derivatives, and the load at which the first one appears. */
#ifndef CAROM_TESTS_STABILITY_H
#define CAROM_TESTS_STABILITY_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

/* Number of negative eigenvalues of the symmetric part of an n x n matrix with rows of `stride`, by Sylvester's law. Overwrites it. */
static inline int negative_eigenvalues(size_t n, size_t stride, double *h)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            h[i * stride + j] = h[j * stride + i] = 0.5 * (h[i * stride + j] + h[j * stride + i]);
    for (size_t p = 0; p < n; p++) {
        const double *pivot = &h[p * stride];
        if (pivot[p] < 0) count++;
        for (size_t i = p + 1; i < n; i++)
            for (size_t j = p + 1; j < n; j++) h[i * stride + j] -= h[i * stride + p] * pivot[j] / pivot[p];
    }
    return count;
}

/* The load, between half and one and a half times the expected one, up to which a body is stable; to a millionth of it. */
static inline double critical_load(bool (*is_stable)(const void *body, double load), const void *body, double expected)
{
    double low = 0.5 * expected, high = 1.5 * expected;
    ck_assert(is_stable(body, low) && !is_stable(body, high));
    while (high - low > 1e-6 * expected) {
        const double middle = 0.5 * (low + high);
        *(is_stable(body, middle) ? &low : &high) = middle;
    }
    return low;
}

#endif
