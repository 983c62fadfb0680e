/* Energies and forces of thin shells: triangles that stretch, edges that bend. Formulas and sources: docs/shells.md. */
#ifndef CAROM_VARIATIONAL_SHELL_MATH_H
#define CAROM_VARIATIONAL_SHELL_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/pi.h"
#include "base/vec.h"

typedef double vector3[3];

/* A lower bound in place of the eigenvalue of a triangle without width, where rounding leaves none. */
static const double PLATE_LEAST = 1e-10;

/* A triangle of a St Venant-Kirchhoff membrane. One cache line. */
typedef struct shell_triangle {
    uint32_t at[3];    /* indices in its class's list of nodes */
    uint32_t group;    /* of damping */
    double inverse[3]; /* [[p, q], [0, r]] takes edges 0-1 and 0-2 to the material's frame; both as columns */
    double stiff;      /* area stretch / (1 - poisson^2) */
    double viscous;    /* the same with the damping */
    double poisson;
} shell_triangle;

/* Two triangles a b c and b a d that bend against each other. One cache line. */
typedef struct shell_hinge {
    uint32_t at[4];
    double stiff;   /* energy = stiff (angle - rest)^2 */
    double viscous; /* moment = 2 viscous d angle / dt */
    double rest;
    double yield; /* largest elastic angle from rest; infinite: elastic */
    double hardening;
    uint32_t group; /* of damping */
    uint32_t plate; /* 1: its energy is that of a plate, below the one of `stiff`; otherwise 0 */
} shell_hinge;

/* A hinge of a plate: its row of the compliance, which couples the moments of the edges of a triangle. One cache line. */
typedef struct plate_row {
    uint32_t hinge;    /* index in its class */
    uint32_t at[4];    /* rows of the other edges of its two triangles; of a missing one: itself */
    double inverse;    /* of the diagonal */
    double coupled[4]; /* the compliance with these rows; 0: none */
} plate_row;

/* A triangle of a plate with plastic bending. */
typedef struct plate_yield {
    uint32_t row[3]; /* of its edges; NONE: without a moment */
    double compliance[3][3];
    double scale; /* scale times moments compliance moments: 1 at the yield moment */
} plate_yield;

/* ---- triangles --------------------------------------------------------------------------------------------------- */

/* The deformation gradient: its columns are the images of the material's two directions. */
static inline void triangle_frame(const shell_triangle *s, const vector3 x, const vector3 y, const vector3 z,
                                  vector3 first, vector3 second)
{
    for (int k = 0; k < 3; k++) {
        first[k] = s->inverse[0] * (y[k] - x[k]);
        second[k] = s->inverse[1] * (y[k] - x[k]) + s->inverse[2] * (z[k] - x[k]);
    }
}

/* Green's strain: 11, 22, 12. */
static inline void triangle_strain(const vector3 first, const vector3 second, double strain[3])
{
    strain[0] = 0.5 * (dot3(first, first) - 1);
    strain[1] = 0.5 * (dot3(second, second) - 1);
    strain[2] = 0.5 * dot3(first, second);
}

static inline double triangle_energy(const shell_triangle *s, const vector3 x, const vector3 y, const vector3 z)
{
    vector3 first, second;
    double e[3];
    triangle_frame(s, x, y, z, first, second);
    triangle_strain(first, second, e);
    return 0.5 * s->stiff *
           (e[0] * e[0] + e[1] * e[1] + 2 * s->poisson * e[0] * e[1] + 2 * (1 - s->poisson) * e[2] * e[2]);
}

/* Forces of a stress, 11, 22 and 12, on corners y and z. The force on x is opposite to their sum. */
static inline void triangle_press(const shell_triangle *s, const vector3 first, const vector3 second,
                                  const double stress[3], vector3 on_y, vector3 on_z)
{
    for (int k = 0; k < 3; k++) {
        const double along = first[k] * stress[0] + second[k] * stress[2];
        const double across = first[k] * stress[2] + second[k] * stress[1];
        on_y[k] = -(s->inverse[0] * along + s->inverse[1] * across);
        on_z[k] = -s->inverse[2] * across;
    }
}

static inline void triangle_pull(const shell_triangle *s, const vector3 first, const vector3 second,
                                 const double strain[3], double modulus, vector3 on_y, vector3 on_z)
{
    const double s11 = modulus * (strain[0] + s->poisson * strain[1]);
    const double s22 = modulus * (strain[1] + s->poisson * strain[0]);
    const double s12 = modulus * (1 - s->poisson) * strain[2];
    triangle_press(s, first, second, (const double[3]){s11, s22, s12}, on_y, on_z);
}

static inline void triangle_force(const shell_triangle *s, const vector3 x, const vector3 y, const vector3 z,
                                  vector3 on_y, vector3 on_z)
{
    vector3 first, second;
    double strain[3];
    triangle_frame(s, x, y, z, first, second);
    triangle_strain(first, second, strain);
    triangle_pull(s, first, second, strain, s->stiff, on_y, on_z);
}

/* The same for the damping, with the velocities u, v, w of the corners. */
static inline void triangle_drag(const shell_triangle *s, const vector3 x, const vector3 y, const vector3 z,
                                 const vector3 u, const vector3 v, const vector3 w, vector3 on_y, vector3 on_z)
{
    vector3 first, second, first_rate, second_rate;
    triangle_frame(s, x, y, z, first, second);
    triangle_frame(s, u, v, w, first_rate, second_rate);
    const double rate[3] = {dot3(first, first_rate), dot3(second, second_rate),
                            0.5 * (dot3(first, second_rate) + dot3(second, first_rate))};
    triangle_pull(s, first, second, rate, s->viscous, on_y, on_z);
}

/* Sets a triangle at rest with these corners; stretch and damping are per area; false: it has no area. */
static inline bool triangle_set(shell_triangle *s, const vector3 x, const vector3 y, const vector3 z, double stretch,
                                double damping, double poisson)
{
    vector3 d, f, normal;
    for (int k = 0; k < 3; k++) {
        d[k] = y[k] - x[k];
        f[k] = z[k] - x[k];
    }
    cross3(d, f, normal);
    const double length = sqrt(dot3(d, d)), twice = sqrt(dot3(normal, normal));
    if (!(length > 0 && twice > 0)) return false;
    const double height = twice / length, beside = dot3(d, f) / length;
    s->inverse[0] = 1 / length;
    s->inverse[1] = -beside / (length * height);
    s->inverse[2] = 1 / height;
    s->stiff = 0.5 * twice * stretch / (1 - poisson * poisson);
    s->viscous = 0.5 * twice * damping / (1 - poisson * poisson);
    s->poisson = poisson;
    return true;
}

/* A bound of the largest eigenvalue of the second derivative of its energy at rest, for `stiff` = 1: (1 + poisson)
 * times that of the triangle's Laplacian. */
static inline double triangle_norm(const shell_triangle *s)
{
    const double p = s->inverse[0], q = s->inverse[1], r = s->inverse[2];
    const double g[3][2] = {{-p, -q - r}, {p, q}, {0, r}};
    double xx = 0, yy = 0, xy = 0;
    for (int k = 0; k < 3; k++) {
        xx += g[k][0] * g[k][0];
        yy += g[k][1] * g[k][1];
        xy += g[k][0] * g[k][1];
    }
    const double half = 0.5 * (xx - yy);
    return (1 + s->poisson) * (0.5 * (xx + yy) + sqrt(half * half + xy * xy));
}

/* ---- hinges ------------------------------------------------------------------------------------------------------ */

/* Quantities of the angle and its gradients: the edge from a to b, and twice the areas as normals. */
typedef struct hinge_shape {
    vector3 edge, ac, bd, n, m;
    double nn, mm, square, length;
} hinge_shape;

/* Sets these quantities. False: a triangle has no area, and there is no angle. */
static inline bool hinge_look(const vector3 a, const vector3 b, const vector3 c, const vector3 d, hinge_shape *s)
{
    vector3 back;
    for (int k = 0; k < 3; k++) {
        s->edge[k] = b[k] - a[k];
        s->ac[k] = c[k] - a[k];
        s->bd[k] = d[k] - b[k];
        back[k] = -s->edge[k];
    }
    cross3(s->edge, s->ac, s->n);
    cross3(back, s->bd, s->m);
    s->nn = dot3(s->n, s->n);
    s->mm = dot3(s->m, s->m);
    s->square = dot3(s->edge, s->edge);
    s->length = sqrt(s->square);
    return s->nn > 0 && s->mm > 0;
}

/* The angle between the normals, negative if the tips are on the side to which the normals point. */
static inline double hinge_angle(const hinge_shape *s)
{
    vector3 cross;
    cross3(s->n, s->m, cross);
    return atan2(dot3(cross, s->edge), dot3(s->n, s->m) * s->length);
}

/* The gradient of the angle with respect to the four corners. */
static inline void hinge_gradient(const hinge_shape *s, vector3 gradient[4])
{
    const double c_foot = dot3(s->ac, s->edge) / s->square, d_foot = 1 + dot3(s->bd, s->edge) / s->square;
    const double by_n = s->length / s->nn, by_m = s->length / s->mm;
    for (int k = 0; k < 3; k++) {
        const double u = by_n * s->n[k], v = by_m * s->m[k];
        gradient[0][k] = (1 - c_foot) * u + (1 - d_foot) * v;
        gradient[1][k] = c_foot * u + d_foot * v;
        gradient[2][k] = -u;
        gradient[3][k] = -v;
    }
}

/* The difference of two angles, reduced to within half a turn. */
static inline double angle_from(double angle, double rest)
{
    double off = angle - rest;
    if (off > PI) off -= 2 * PI;
    if (off < -PI) off += 2 * PI;
    return off;
}

/* Plastic bending: the excess over yield changes the rest angle, and yield grows. Returns the dissipated energy. */
static inline double hinge_flow(shell_hinge *h, double *off)
{
    const double over = fabs(*off) - h->yield;
    if (!(over > 0)) return 0;
    const double before = *off, flow = copysign(over / (1 + h->hardening), before);
    h->rest += flow;
    h->yield += h->hardening * fabs(flow);
    *off -= flow;
    return h->stiff * (before * before - *off * *off);
}

/* ---- plates ------------------------------------------------------------------------------------------------------ */

/* The compliance of a triangle x y z: angles at its edges by moments there (edge k from corner k to the next), for
 * constant curvature. `rigidity`: of the plate. False: it has no area. */
static inline bool plate_compliance(const vector3 x, const vector3 y, const vector3 z, double rigidity, double poisson,
                                    double compliance[3][3])
{
    vector3 edge[3], normal;
    double length[3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = y[k] - x[k];
        edge[1][k] = z[k] - y[k];
        edge[2][k] = x[k] - z[k];
    }
    cross3(edge[0], edge[1], normal);
    const double twice = sqrt(dot3(normal, normal));
    if (!(twice > 0)) return false;
    for (int i = 0; i < 3; i++) length[i] = sqrt(dot3(edge[i], edge[i]));
    const double scale = 1 / (2 * twice * twice * twice * rigidity * (1 - poisson * poisson));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double *a = edge[(i + 1) % 3], *b = edge[(i + 2) % 3], *c = edge[(j + 1) % 3], *d = edge[(j + 2) % 3];
            const double squares = 0.5 * (dot3(a, c) * dot3(b, d) + dot3(a, d) * dot3(b, c));
            compliance[i][j] =
                scale * length[i] * length[j] * ((1 + poisson) * squares - poisson * dot3(a, b) * dot3(c, d));
        }
    return true;
}

/* Plastic bending of a triangle with these moments: changes of the rest angles, by which the excess over the yield moment
 * vanishes where the triangle alone carries its angles. The yield surface is one of equal elastic energy, and the flow normal to it. */
static inline void plate_flow(const plate_yield *of, const double moment[3], double flow[3])
{
    double energy = 0;
    for (int i = 0; i < 3; i++) {
        flow[i] = 0;
        for (int j = 0; j < 3; j++) flow[i] += of->compliance[i][j] * moment[j];
        energy += moment[i] * flow[i];
    }
    const double size = sqrt(energy * of->scale), share = size > 1 ? 1 - 1 / size : 0;
    for (int i = 0; i < 3; i++) flow[i] *= share;
}

/* The least eigenvalue of a compliance scaled to a diagonal of 1: the compliance is at least this times its diagonal. */
static inline double plate_least(double compliance[3][3])
{
    double product = 1, squares = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double scaled = compliance[i][j] / sqrt(compliance[i][i] * compliance[j][j]);
        product *= scaled;
        squares += scaled * scaled;
    }
    const double third = sqrt(squares / 3), cosine = product / (third * third * third);
    const double turn = third > 0 ? acos(fmax(-1, fmin(1, cosine))) : 0;
    return fmax(1 + 2 * third * cos((turn + 2 * PI) / 3), PLATE_LEAST);
}

#endif
