/* The table of shapes. */
#ifndef CAROM_GEOMETRY_SHAPES_H
#define CAROM_GEOMETRY_SHAPES_H

#include "geometry/ellipsoid.h"

/* Numbers of the shapes of bodies, which result files hold (`particles/all/shape`): a new shape goes to the end. */
enum { BODY_ELLIPSOID, BODY_KINDS };

static const body_shape *const shapes[BODY_KINDS] = {[BODY_ELLIPSOID] = &shape_ellipsoid};

/* As shape.meet, of any two. A sphere is a body of the other's shape. */
static inline void shapes_approach(const body_shape *const of[2], const posed at[2], real w[2][3], const real r[3],
                                   const real v[3], real *share, shape_approach *a)
{
    of[0]->meet(at, w, r, v, share, a);
}

/* As shape.gap, likewise; NULL: a sphere. */
static inline real shapes_gap(const body_shape *first, const body_shape *second, const posed *p, const posed *q,
                              const real r[3])
{
    const body_shape *of = first != NULL ? first : second;
    return (of != NULL ? of : shapes[BODY_ELLIPSOID])->gap(p, q, r);
}

#endif
