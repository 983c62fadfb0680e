/* Queries to the continuous collision check, with their truth, in the format of the public benchmark of Wang et al.,
 * ACM Trans. Graph. 40, 188 (2021): 8 rows a query, x, y and z as integers, numerator and denominator, and the truth (0
 * or 1) in each row. Vertex and face: v, f0, f1, f2 at time 0, then at time 1. Two edges: a0, a1, b0, b1 at time 0,
 * then at time 1. */
#ifndef CAROM_TESTS_CCD_QUERIES_H
#define CAROM_TESTS_CCD_QUERIES_H

#include "geometry/ccd.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum query_kind { VERTEX_FACE, EDGE_EDGE, UNKNOWN } query_kind;

typedef struct query {
    double point[2][4][3];
    bool meets, rounded;
} query;

static inline bool ask(query_kind k, const query *q, double separation, double *toi)
{
    if (k == VERTEX_FACE) {
        double f[2][3][3];
        memcpy(f[0], q->point[0] + 1, sizeof f[0]);
        memcpy(f[1], q->point[1] + 1, sizeof f[1]);
        const double v[2][3] = {{q->point[0][0][0], q->point[0][0][1], q->point[0][0][2]},
                                {q->point[1][0][0], q->point[1][0][1], q->point[1][0][2]}};
        return ccd_vertex_face(v, (const double(*)[3][3])f, separation, toi);
    }
    double a[2][2][3], b[2][2][3];
    for (int t = 0; t < 2; t++) {
        memcpy(a[t], q->point[t], sizeof a[t]);
        memcpy(b[t], q->point[t] + 2, sizeof b[t]);
    }
    return ccd_edge_edge((const double(*)[2][3])a, (const double(*)[2][3])b, separation, toi);
}

/* An integer before `end`; *exact stays true where it is a double. */
static inline bool read_integer(char **at, char end, double *value, bool *exact)
{
    char *after, digits[400];
    *value = strtod(*at, &after);
    size_t length = (size_t)(after - *at);
    if (length == 0 || *after != end || !isfinite(*value)) return false;
    snprintf(digits, sizeof digits, "%.0f", *value);
    if (strlen(digits) != length || memcmp(digits, *at, length) != 0) *exact = false;
    *at = after + 1;
    return true;
}

static inline bool read_row(char *line, double point[3], bool *meets, bool *exact)
{
    for (int k = 0; k < 3; k++) {
        double above, below;
        int power;
        if (!read_integer(&line, ',', &above, exact) || !read_integer(&line, ',', &below, exact) || below <= 0.0) {
            return false;
        }
        if (frexp(below, &power) != 0.5) *exact = false;
        point[k] = above / below;
    }
    *meets = line[0] == '1';
    return line[0] == '0' || line[0] == '1';
}

/* 1 for a query, 0 at the end of the file, -1 where a row is not as it should be; *row counts. */
static inline int read_query(FILE *file, query *q, long *row)
{
    char line[4096];
    q->rounded = false;
    for (int i = 0; i < 8; i++) {
        if (fgets(line, sizeof line, file) == NULL) return i == 0 ? 0 : -1;
        (*row)++;
        bool exact = true;
        if (!read_row(line, q->point[i / 4][i % 4], &q->meets, &exact)) return -1;
        if (!exact) q->rounded = true;
    }
    return 1;
}

#endif
