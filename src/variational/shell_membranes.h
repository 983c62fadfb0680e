/* Membranes that are not St Venant and Kirchhoff's, or not isotropic. Formulas and sources: docs/shells.md. */
#ifndef CAROM_VARIATIONAL_SHELL_MEMBRANES_H
#define CAROM_VARIATIONAL_SHELL_MEMBRANES_H

#include <string.h>

#include "variational/shell_math.h"

typedef enum membrane_kind { MEMBRANE_LINEAR, MEMBRANE_NEO_HOOKEAN, MEMBRANE_FABRIC } membrane_kind;

/* The membrane of a triangle: linear and neo-Hookean ones have the moduli of the triangle. */
typedef struct shell_membrane {
    membrane_kind kind;
    double modulus[3][3]; /* fabric: area times stress by strain 11, 22 and twice 12, in the triangle's frame */
} shell_membrane;

/* Moduli of plane stress times the thickness. */
typedef struct fabric {
    double warp, weft, shear, poisson; /* poisson: contraction along the weft, for a pull along the warp */
    vector3 along;                     /* direction of the warp, projected onto each triangle */
} fabric;

/* Below this square of the ratio of areas, a tenth, the pressure of a neo-Hookean triangle no longer grows. */
static const double LEAST_SQUARED_AREA = 0.01;

/* A projection of the warp that is shorter has no direction. */
static const double LEAST_WARP = 1e-6;

/* ---- neo-Hookean --------------------------------------------------------------------------------------------------- */

static inline double neo_hookean_energy(const shell_triangle *s, const double strain[3])
{
    const double a = 1 + 2 * strain[0], b = 1 + 2 * strain[1], c = 2 * strain[2], square = a * b - c * c;
    const double least = fmax(square, LEAST_SQUARED_AREA), power = s->poisson / (1 - s->poisson), grown = log(least);
    const double pressed = power > 0 ? expm1(-power * grown) / power : -grown;
    const double beyond = square < least ? exp(-(1 + power) * grown) * (least - square) : 0;
    return 0.25 * (1 - s->poisson) * s->stiff * (2 * (strain[0] + strain[1]) + pressed + beyond);
}

/* Half the shear modulus is the factor of the energy. */
static inline void neo_hookean_stress(const shell_triangle *s, const double strain[3], double stress[3])
{
    const double a = 1 + 2 * strain[0], b = 1 + 2 * strain[1], c = 2 * strain[2];
    const double square = fmax(a * b - c * c, LEAST_SQUARED_AREA);
    const double shear = 0.5 * (1 - s->poisson) * s->stiff, pressed = pow(square, -1 / (1 - s->poisson));
    stress[0] = shear * (1 - pressed * b);
    stress[1] = shear * (1 - pressed * a);
    stress[2] = shear * pressed * c;
}

/* ---- fabric ---------------------------------------------------------------------------------------------------------- */

static inline void fabric_stress(const shell_membrane *membrane, const double strain[3], double stress[3])
{
    for (int i = 0; i < 3; i++)
        stress[i] = membrane->modulus[i][0] * strain[0] + membrane->modulus[i][1] * strain[1] +
                    membrane->modulus[i][2] * 2 * strain[2];
}

/* Unit vectors in the plane of a triangle, and twice its area. False: it has none, or no warp. */
static inline bool fabric_axes(const vector3 x, const vector3 y, const vector3 z, const fabric *f, vector3 warp,
                               vector3 weft, double *twice)
{
    vector3 d, e, normal;
    for (int k = 0; k < 3; k++) {
        d[k] = y[k] - x[k];
        e[k] = z[k] - x[k];
    }
    cross3(d, e, normal);
    *twice = sqrt(dot3(normal, normal));
    if (!(*twice > 0)) return false;
    for (int k = 0; k < 3; k++) normal[k] /= *twice;
    cross3(normal, f->along, weft);
    const double length = sqrt(dot3(weft, weft));
    if (!(length > LEAST_WARP * sqrt(dot3(f->along, f->along)))) return false;
    for (int k = 0; k < 3; k++) weft[k] /= length;
    cross3(weft, normal, warp);
    return true;
}

/* The stiffness by strain 11, 22 and twice 12 along warp and weft. */
static inline void fabric_moduli(const fabric *f, double modulus[3][3])
{
    const double scale = 1 / (1 - f->poisson * f->poisson * f->weft / f->warp);
    memset(modulus, 0, 9 * sizeof(double));
    modulus[0][0] = scale * f->warp;
    modulus[1][1] = scale * f->weft;
    modulus[0][1] = modulus[1][0] = scale * f->poisson * f->weft;
    modulus[2][2] = f->shear;
}

/* The largest ratio of the stress to the strain, as tensors. */
static inline double fabric_stiffest(const fabric *f)
{
    double m[3][3];
    fabric_moduli(f, m);
    const double half = 0.5 * (m[0][0] - m[1][1]);
    return fmax(0.5 * (m[0][0] + m[1][1]) + sqrt(half * half + m[0][1] * m[0][1]), 2 * m[2][2]);
}

/* Makes a triangle, set at these corners, one of fabric. Its `stiff`, by which its step is chosen, becomes a bound. False:
 * it has no warp. */
static inline bool fabric_set(shell_membrane *membrane, shell_triangle *s, const vector3 x, const vector3 y,
                              const vector3 z, const fabric *f)
{
    vector3 warp, weft, edge;
    double twice, m[3][3];
    if (!fabric_axes(x, y, z, f, warp, weft, &twice)) return false;
    for (int k = 0; k < 3; k++) edge[k] = s->inverse[0] * (y[k] - x[k]);
    /* Strain 11, 22 and twice 12 along warp and weft, by those in the frame whose first axis is the first edge. */
    const double c = dot3(warp, edge), t = -dot3(weft, edge);
    const double turn[3][3] = {{c * c, t * t, c * t}, {t * t, c * c, -c * t}, {-2 * c * t, 2 * c * t, c * c - t * t}};
    fabric_moduli(f, m);
    *membrane = (shell_membrane){.kind = MEMBRANE_FABRIC};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int n = 0; n < 3; n++) membrane->modulus[i][j] += 0.5 * twice * turn[k][i] * m[k][n] * turn[n][j];
    s->stiff = 0.5 * twice * fabric_stiffest(f) / (1 + s->poisson);
    return true;
}

/* As plate_compliance, for a fabric. */
static inline bool fabric_compliance(const vector3 x, const vector3 y, const vector3 z, const fabric *f,
                                     double thickness, double compliance[3][3])
{
    vector3 edge[3], warp, weft;
    double twice, moment[3][3], length[3];
    if (!fabric_axes(x, y, z, f, warp, weft, &twice)) return false;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = y[k] - x[k];
        edge[1][k] = z[k] - y[k];
        edge[2][k] = x[k] - z[k];
    }
    for (int i = 0; i < 3; i++) {
        const double *a = edge[(i + 1) % 3], *b = edge[(i + 2) % 3];
        length[i] = sqrt(dot3(edge[i], edge[i]));
        moment[i][0] = dot3(a, warp) * dot3(b, warp);
        moment[i][1] = dot3(a, weft) * dot3(b, weft);
        moment[i][2] = 0.5 * (dot3(a, warp) * dot3(b, weft) + dot3(a, weft) * dot3(b, warp));
    }
    const double scale = 6 / (twice * twice * twice * thickness * thickness);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double *m = moment[i], *n = moment[j];
            const double along = (m[0] - f->poisson * m[1]) / f->warp * n[0];
            const double across = (m[1] / f->weft - f->poisson * m[0] / f->warp) * n[1];
            compliance[i][j] = scale * length[i] * length[j] * (along + across + m[2] * n[2] / f->shear);
        }
    return true;
}

/* ---- triangles of any membrane -------------------------------------------------------------------------------------------- */

static inline double membrane_energy(const shell_membrane *membrane, const shell_triangle *s, const vector3 x,
                                     const vector3 y, const vector3 z)
{
    vector3 first, second;
    double strain[3], stress[3];
    if (membrane->kind == MEMBRANE_LINEAR) return triangle_energy(s, x, y, z);
    triangle_frame(s, x, y, z, first, second);
    triangle_strain(first, second, strain);
    if (membrane->kind == MEMBRANE_NEO_HOOKEAN) return neo_hookean_energy(s, strain);
    fabric_stress(membrane, strain, stress);
    return 0.5 * (stress[0] * strain[0] + stress[1] * strain[1]) + stress[2] * strain[2];
}

static inline void membrane_force(const shell_membrane *membrane, const shell_triangle *s, const vector3 x,
                                  const vector3 y, const vector3 z, vector3 on_y, vector3 on_z)
{
    vector3 first, second;
    double strain[3], stress[3];
    if (membrane->kind == MEMBRANE_LINEAR) {
        triangle_force(s, x, y, z, on_y, on_z);
        return;
    }
    triangle_frame(s, x, y, z, first, second);
    triangle_strain(first, second, strain);
    if (membrane->kind == MEMBRANE_NEO_HOOKEAN)
        neo_hookean_stress(s, strain, stress);
    else
        fabric_stress(membrane, strain, stress);
    triangle_press(s, first, second, stress, on_y, on_z);
}

/* Damping. That of rubber is divided by the square of the largest stretch, as its forces grow with this square: steps are
 * chosen at rest. */
static inline void membrane_drag(const shell_membrane *membrane, const shell_triangle *s, const vector3 x,
                                 const vector3 y, const vector3 z, const vector3 u, const vector3 v, const vector3 w,
                                 vector3 on_y, vector3 on_z)
{
    triangle_drag(s, x, y, z, u, v, w, on_y, on_z);
    if (membrane->kind != MEMBRANE_NEO_HOOKEAN) return;
    vector3 first, second;
    triangle_frame(s, x, y, z, first, second);
    const double a = dot3(first, first), b = dot3(second, second), c = dot3(first, second), half = 0.5 * (a - b);
    const double less = 1 / fmax(1, 0.5 * (a + b) + sqrt(half * half + c * c));
    for (int k = 0; k < 3; k++) {
        on_y[k] *= less;
        on_z[k] *= less;
    }
}

#endif
