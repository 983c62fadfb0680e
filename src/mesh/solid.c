#include "mesh/solid.h"

#include <math.h>

#include "base/memory.h"
#include "base/vec.h"

/* For one surface, about a common origin; positive if its triangles are oriented outwards. */
typedef struct piece {
    double volume, first[3], second[3][3];
    double low[3], high[3]; /* bounding box of its corners */
    uint32_t corner;        /* one of its vertices */
    double angle;           /* solid angle of the surface at a position */
    bool near;              /* its bounding box contains the position */
} piece;

/* Six times the signed volume of the tetrahedron with the origin. */
static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static void corners_from(const mesh *m, size_t triangle, const double origin[3], double r[3][3])
{
    for (int q = 0; q < 3; q++)
        for (int k = 0; k < 3; k++) r[q][k] = m->vertices[m->triangles[triangle][q]][k] - origin[k];
}

static void add_triangle(piece *p, const double r[3][3])
{
    const double volume = determinant(r[0], r[1], r[2]) / 6;
    double sum[3];
    p->volume += volume;
    for (int k = 0; k < 3; k++) {
        sum[k] = r[0][k] + r[1][k] + r[2][k];
        p->first[k] += volume / 4 * sum[k];
        for (int q = 0; q < 3; q++) {
            p->low[k] = fmin(p->low[k], r[q][k]);
            p->high[k] = fmax(p->high[k], r[q][k]);
        }
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            double own = sum[k] * sum[l];
            for (int q = 0; q < 3; q++) own += r[q][k] * r[q][l];
            p->second[k][l] += volume / 20 * own;
        }
}

/* The solid angle of a triangle (A. van Oosterom and J. Strackee, IEEE Trans. Biomed. Eng. 30, 125 (1983)). */
static double angle_of(const double r[3][3])
{
    const double a = sqrt(dot3(r[0], r[0])), b = sqrt(dot3(r[1], r[1])), c = sqrt(dot3(r[2], r[2]));
    return 2 * atan2(determinant(r[0], r[1], r[2]),
                     a * b * c + dot3(r[0], r[1]) * c + dot3(r[1], r[2]) * a + dot3(r[2], r[0]) * b);
}

/* Whether an even number of other surfaces enclose this one. Surfaces do not intersect, so that one point is
 * sufficient. */
static bool is_outer(piece *pieces, size_t which, const mesh *m, const mesh_topology *t, const double origin[3])
{
    const double *place = m->vertices[pieces[which].corner];
    size_t near = 0, around = 0;
    for (size_t n = 0; n < t->component_count; n++) {
        piece *p = &pieces[n];
        p->near = n != which;
        for (int k = 0; k < 3; k++)
            p->near = p->near && place[k] - origin[k] >= p->low[k] && place[k] - origin[k] <= p->high[k];
        p->angle = 0;
        near += p->near;
    }
    for (size_t n = 0; near > 0 && n < m->triangle_count; n++) {
        double r[3][3];
        if (!pieces[t->component[n]].near) continue;
        corners_from(m, n, place, r);
        pieces[t->component[n]].angle += angle_of((const double(*)[3])r);
    }
    for (size_t n = 0; n < t->component_count; n++) around += fabs(pieces[n].angle) > 6; /* 0 or 4 pi */
    return around % 2 == 0;
}

static void measure(piece *pieces, const mesh *m, const mesh_topology *t, const double origin[3])
{
    for (size_t n = 0; n < t->component_count; n++)
        for (int k = 0; k < 3; k++) {
            pieces[n].low[k] = INFINITY;
            pieces[n].high[k] = -INFINITY;
        }
    for (size_t n = 0; n < m->triangle_count; n++) {
        double r[3][3];
        piece *p = &pieces[t->component[n]];
        corners_from(m, n, origin, r);
        add_triangle(p, (const double(*)[3])r);
        p->corner = m->triangles[n][0];
    }
}

static void middle_of(const mesh *m, double out[3])
{
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < m->vertex_count; i++) {
            low = fmin(low, m->vertices[i][k]);
            high = fmax(high, m->vertices[i][k]);
        }
        out[k] = m->vertex_count > 0 ? 0.5 * (low + high) : 0;
    }
}

carom_status mesh_solid_of(mesh_solid *out, const mesh *m, const mesh_topology *t, error *e)
{
    double origin[3], first[3] = {0};
    *out = (mesh_solid){0};
    piece *pieces = NEW_ARRAY(t->component_count, piece);
    if (pieces == NULL) return error_memory(e, "the inside of a mesh", t->component_count * sizeof *pieces);
    middle_of(m, origin);
    measure(pieces, m, t, origin);
    for (size_t n = 0; n < t->component_count; n++) {
        const piece *p = &pieces[n];
        const double sign = is_outer(pieces, n, m, t, origin) == (p->volume > 0) ? 1 : -1;
        out->volume += sign * p->volume;
        for (int k = 0; k < 3; k++) {
            first[k] += sign * p->first[k];
            for (int l = 0; l < 3; l++) out->second[k][l] += sign * p->second[k][l];
        }
    }
    for (int k = 0; k < 3 && out->volume > 0; k++) {
        out->centre[k] = origin[k] + first[k] / out->volume;
        for (int l = 0; l < 3; l++) out->second[k][l] -= first[k] * first[l] / out->volume;
    }
    memory_free(pieces);
    return CAROM_OK;
}
