/* Overlap of two bodies, by a separate table of shapes that shares no code with geometry/shapes.h. */
#include "output/verify/verify_shapes.h"

#include <math.h>

#include "geometry/shapes.h"
#include "output/verify/verify_ellipsoids.h"

typedef struct verify_shape {
    /* Overlap of two bodies with axes u and half lengths `half` (along, across, across), the centre of the second at r
     * relative to the first: exact to rounding near 0, otherwise of the correct sign. */
    double (*depth)(const double u[2][3], const double half[2][3], const double r[3]);
    /* Half its extent along a unit vector. */
    double (*reach)(const double u[3], const double half[3], const double n[3]);
} verify_shape;

static const verify_shape rows[BODY_KINDS] = {
    [BODY_ELLIPSOID] = {verify_ellipsoids_depth, verify_ellipsoids_reach},
};

/* A sphere is a special case of each shape. */
static bool is_round(const carom_frame *f, size_t i)
{
    return f->semi_axes[3 * i] == f->semi_axes[3 * i + 1];
}

static uint32_t kind_of(const carom_frame *f, size_t i)
{
    return f->shape != NULL && f->shape[i] < BODY_KINDS ? f->shape[i] : BODY_ELLIPSOID;
}

double verify_shapes_depth(const carom_frame *f, size_t i, size_t j)
{
    double r[3] = {0}, u[2][3], half[2][3];
    const size_t dimension = (size_t)f->dimension;
    for (size_t k = 0; k < dimension; k++) {
        r[k] = f->position[j * dimension + k] - f->position[i * dimension + k];
        if (f->boundary[k] == FRAME_PERIODIC) r[k] -= f->box[k] * rint(r[k] / f->box[k]);
    }
    for (size_t k = 0; k < 3; k++) {
        u[0][k] = f->axis[3 * i + k];
        u[1][k] = f->axis[3 * j + k];
        half[0][k] = f->semi_axes[3 * i + k];
        half[1][k] = f->semi_axes[3 * j + k];
    }
    const uint32_t kind = kind_of(f, is_round(f, i) ? j : i);
    return rows[kind].depth((const double(*)[3])u, (const double(*)[3])half, r);
}

double verify_shapes_reach(const carom_frame *f, size_t i, size_t k)
{
    const double n[3] = {k == 0, k == 1, k == 2};
    return rows[kind_of(f, i)].reach(f->axis + 3 * i, f->semi_axes + 3 * i, n);
}

double verify_shapes_within(const carom_frame *f, size_t i)
{
    return fmin(f->semi_axes[3 * i], f->semi_axes[3 * i + 1]);
}
