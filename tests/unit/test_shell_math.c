/* Detects forces of shells that are not the gradient of their energy, differ from other derivations, or arise from
 * rigid motions. */
#include "../support/expect.h"
#include "../support/suite.h"

#include "base/random.h"
#include "variational/shell_lanes.h"
#include "variational/shell_math.h"

enum { TRIES = 200 };

static double draw(uint64_t entity, uint64_t index, double low, double high)
{
    const random_key key = {1, 77};
    return low + (high - low) * random_uniform(key, entity, index);
}

/* A triangle, or two; `wild` is how far from flat and regular. */
static void draw_points(uint64_t entity, double wild, vector3 x[4])
{
    static const double flat[4][3] = {{0, 0, 0}, {0, 1, 0}, {-0.9, 0.5, 0}, {0.9, 0.5, 0}};
    for (uint64_t q = 0; q < 4; q++)
        for (uint64_t k = 0; k < 3; k++) x[q][k] = flat[q][k] + draw(entity, 3 * q + k, -wild, wild);
}

/* Turned and moved at random. */
static void move_points(uint64_t entity, const vector3 x[4], vector3 out[4])
{
    double q[4], norm = 0;
    for (uint64_t k = 0; k < 4; k++) {
        q[k] = draw(entity, 40 + k, -1, 1);
        norm += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
    for (int n = 0; n < 4; n++) {
        vector3 once, twice;
        cross3(q + 1, x[n], once);
        for (int k = 0; k < 3; k++) once[k] += q[0] * x[n][k];
        cross3(q + 1, once, twice);
        for (int k = 0; k < 3; k++) out[n][k] = x[n][k] + 2 * twice[k] + draw(entity, 50 + (uint64_t)k, -3, 3);
    }
}

static double largest(const vector3 *vectors, int count)
{
    double most = 0;
    for (int k = 0; k < 3 * count; k++) most = fmax(most, fabs(vectors[k / 3][k % 3]));
    return most;
}

static void forces_of(const shell_triangle *s, const vector3 x[4], vector3 force[3])
{
    triangle_force(s, x[0], x[1], x[2], force[1], force[2]);
    for (int k = 0; k < 3; k++) force[0][k] = -force[1][k] - force[2][k];
}

/* Of a quantity by one coordinate: differences of sixth order. */
#define DIFFERENCE(out, at, expression)                                                                                \
    do {                                                                                                               \
        static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60};                                              \
        const double step_ = 2e-3, kept_ = (at);                                                                       \
        (out) = 0;                                                                                                     \
        for (int n_ = 1; n_ <= 3; n_++) {                                                                              \
            (at) = kept_ + n_ * step_;                                                                                 \
            const double above_ = (expression);                                                                        \
            (at) = kept_ - n_ * step_;                                                                                 \
            (out) += weight[n_ - 1] * (above_ - (expression)) / step_;                                                 \
        }                                                                                                              \
        (at) = kept_;                                                                                                  \
    } while (0)

/* And the gradient, unless it is NULL. */
static double look_at(const vector3 x[4], vector3 gradient[4])
{
    hinge_shape shape;
    if (!hinge_look(x[0], x[1], x[2], x[3], &shape)) ck_abort_msg("no angle");
    if (gradient != NULL) hinge_gradient(&shape, gradient);
    return hinge_angle(&shape);
}

START_TEST(gradients_are_those_of_differences)
{
    double off_triangle = 0, off_hinge = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 rest[4], x[4], force[3], gradient[4];
        shell_triangle s;
        double slope;
        draw_points(2 * n, 0.2, rest);
        draw_points(2 * n + 1, 0.3, x);
        ck_assert(triangle_set(&s, rest[0], rest[1], rest[2], 3, 0, 0.3));
        forces_of(&s, (const vector3 *)x, force);
        look_at((const vector3 *)x, gradient);
        for (int q = 0; q < 4; q++)
            for (int k = 0; k < 3; k++) {
                if (q < 3) {
                    DIFFERENCE(slope, x[q][k], triangle_energy(&s, x[0], x[1], x[2]));
                    off_triangle = fmax(off_triangle, fabs(slope + force[q][k]) / largest((const vector3 *)force, 3));
                }
                DIFFERENCE(slope, x[q][k], look_at((const vector3 *)x, NULL));
                off_hinge = fmax(off_hinge, fabs(slope - gradient[q][k]) / largest((const vector3 *)gradient, 4));
            }
    }
    EXPECT_CLOSE("forces of triangles, relative", off_triangle, 0, 4.4e-13);
    EXPECT_CLOSE("gradients of angles, relative", off_hinge, 0, 4e-12);
}
END_TEST

/* The membrane's energy without frames: A C / 2 (nu tr^2 M + (1 - nu) tr M^2), M = (inverse rest metric times metric -
 * 1) / 2. */
static void metric_forces(const vector3 rest[4], const vector3 x[4], double stretch, double nu, vector3 force[3],
                          double *energy)
{
    double g[2][2], h[2][2];
    vector3 d[2], f[2], normal;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            d[i][k] = x[i + 1][k] - x[0][k];
            f[i][k] = rest[i + 1][k] - rest[0][k];
        }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            g[i][j] = dot3(d[i], d[j]);
            h[i][j] = dot3(f[i], f[j]);
        }
    const double det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
    const double inverse[2][2] = {{h[1][1] / det, -h[0][1] / det}, {-h[1][0] / det, h[0][0] / det}};
    double m[2][2], trace = 0, square = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) m[i][j] = 0.5 * (inverse[i][0] * g[0][j] + inverse[i][1] * g[1][j] - (i == j));
    for (int i = 0; i < 2; i++) {
        trace += m[i][i];
        for (int j = 0; j < 2; j++) square += m[i][j] * m[j][i];
    }
    cross3(f[0], f[1], normal);
    const double scale = 0.5 * sqrt(dot3(normal, normal)) * stretch / (1 - nu * nu);
    *energy = 0.5 * scale * (nu * trace * trace + (1 - nu) * square);
    for (int k = 0; k < 3; k++) force[0][k] = 0;
    for (int i = 0; i < 2; i++) {
        double by_metric[2]; /* derivatives by g[i][j], g symmetric */
        for (int j = 0; j < 2; j++)
            by_metric[j] =
                0.5 * scale *
                (nu * trace * inverse[i][j] + (1 - nu) * (m[i][0] * inverse[0][j] + m[i][1] * inverse[1][j]));
        for (int k = 0; k < 3; k++) {
            force[i + 1][k] = -2 * (by_metric[0] * d[0][k] + by_metric[1] * d[1][k]);
            force[0][k] -= force[i + 1][k];
        }
    }
}

static double corner_cosine(const vector3 at, const vector3 one, const vector3 other)
{
    vector3 d, f;
    for (int k = 0; k < 3; k++) {
        d[k] = one[k] - at[k];
        f[k] = other[k] - at[k];
    }
    return dot3(d, f) / sqrt(dot3(d, d) * dot3(f, f));
}

/* By the angles and heights of the two triangles: a corner moves the angle by its height alone where it is a tip; an
 * end of the edge by cos(angle at the other end) over its own height. */
static void height_gradient(const vector3 x[4], vector3 gradient[4])
{
    const int order[2][3] = {{0, 1, 2}, {1, 0, 3}};
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) gradient[q][k] = 0;
    for (int side = 0; side < 2; side++) {
        const int a = order[side][0], b = order[side][1], tip = order[side][2];
        vector3 ab, at, normal;
        for (int k = 0; k < 3; k++) {
            ab[k] = x[b][k] - x[a][k];
            at[k] = x[tip][k] - x[a][k];
        }
        cross3(ab, at, normal);
        const double twice = sqrt(dot3(normal, normal));
        double height[4];
        for (int q = 0; q < 3; q++) {
            const int one = order[side][(q + 1) % 3], other = order[side][(q + 2) % 3];
            double square = 0;
            for (int k = 0; k < 3; k++) square += (x[one][k] - x[other][k]) * (x[one][k] - x[other][k]);
            height[order[side][q]] = twice / sqrt(square);
        }
        const double on_a = corner_cosine(x[b], x[a], x[tip]) / height[a];
        const double on_b = corner_cosine(x[a], x[b], x[tip]) / height[b];
        for (int k = 0; k < 3; k++) {
            gradient[a][k] += on_a * normal[k] / twice;
            gradient[b][k] += on_b * normal[k] / twice;
            gradient[tip][k] -= normal[k] / twice / height[tip];
        }
    }
}

START_TEST(forces_are_those_of_other_derivations)
{
    double off_triangle = 0, off_energy = 0, off_hinge = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 rest[4], x[4], force[3], other[3], gradient[4], again[4];
        shell_triangle s;
        double energy;
        draw_points(2 * n, 0.2, rest);
        draw_points(2 * n + 1, 0.4, x);
        ck_assert(triangle_set(&s, rest[0], rest[1], rest[2], 3, 0, 0.3));
        forces_of(&s, (const vector3 *)x, force);
        metric_forces((const vector3 *)rest, (const vector3 *)x, 3, 0.3, other, &energy);
        off_energy = fmax(off_energy, fabs(energy / triangle_energy(&s, x[0], x[1], x[2]) - 1));
        for (int k = 0; k < 9; k++)
            off_triangle = fmax(off_triangle,
                                fabs(force[k / 3][k % 3] - other[k / 3][k % 3]) / largest((const vector3 *)force, 3));
        look_at((const vector3 *)x, gradient);
        height_gradient((const vector3 *)x, again);
        for (int k = 0; k < 12; k++)
            off_hinge = fmax(off_hinge, fabs(gradient[k / 3][k % 3] - again[k / 3][k % 3]) /
                                            largest((const vector3 *)gradient, 4));
    }
    EXPECT_CLOSE("energies by the metric, relative", off_energy, 0, 3.1e-14);
    EXPECT_CLOSE("forces by the metric, relative", off_triangle, 0, 2.5e-14);
    EXPECT_CLOSE("gradients by heights, relative", off_hinge, 0, 1.7e-15);
}
END_TEST

START_TEST(rigid_motions_change_nothing)
{
    double force_off = 0, angle_off = 0, drag_off = 0, sum_off = 0, torque_off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[4], y[4], force[3], gradient[4], spin, v[3], drag[2], sum = {0}, torque = {0};
        shell_triangle s;
        draw_points(n, 0.3, x);
        move_points(n, (const vector3 *)x, y);
        ck_assert(triangle_set(&s, x[0], x[1], x[2], 1, 1, 0.3));
        forces_of(&s, (const vector3 *)y, force);
        force_off = fmax(force_off, largest((const vector3 *)force, 3));
        angle_off = fmax(angle_off, fabs(look_at((const vector3 *)x, NULL) - look_at((const vector3 *)y, gradient)));
        for (int k = 0; k < 3; k++) spin[k] = draw(n, 60 + (uint64_t)k, -1, 1);
        for (int q = 0; q < 3; q++) cross3(spin, y[q], v[q]);
        triangle_drag(&s, y[0], y[1], y[2], v[0], v[1], v[2], drag[0], drag[1]);
        drag_off = fmax(drag_off, largest((const vector3 *)drag, 2));
        for (int q = 0; q < 4; q++) {
            vector3 arm;
            cross3(y[q], gradient[q], arm);
            for (int k = 0; k < 3; k++) {
                sum[k] += gradient[q][k];
                torque[k] += arm[k];
            }
        }
        sum_off = fmax(sum_off, largest((const vector3 *)&sum, 1) / largest((const vector3 *)gradient, 4));
        torque_off = fmax(torque_off, largest((const vector3 *)&torque, 1) / largest((const vector3 *)gradient, 4));
    }
    EXPECT_CLOSE("forces of moved triangles", force_off, 0, 1.6e-15);
    EXPECT_CLOSE("drags of turning triangles", drag_off, 0, 2.1e-15);
    EXPECT_CLOSE("angles of moved hinges", angle_off, 0, 3e-15);
    EXPECT_CLOSE("sums of a hinge's forces", sum_off, 0, 1.3e-15);
    EXPECT_CLOSE("sums of their torques", torque_off, 0, 4.8e-15);
}
END_TEST

/* The drag on a triangle is what its elastic force changes by, in the direction of the velocities, where it is at
 * rest. */
START_TEST(drag_is_proportional_to_stiffness)
{
    double off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[4], y[4], v[3], drag[2], force[3], back[3];
        shell_triangle s;
        const double step = 1e-6;
        draw_points(n, 0.3, x);
        ck_assert(triangle_set(&s, x[0], x[1], x[2], 2, 2, 0.25));
        for (int q = 0; q < 3; q++)
            for (int k = 0; k < 3; k++) v[q][k] = draw(n, 70 + (uint64_t)(3 * q + k), -1, 1);
        triangle_drag(&s, x[0], x[1], x[2], v[0], v[1], v[2], drag[0], drag[1]);
        for (int k = 0; k < 9; k++) y[k / 3][k % 3] = x[k / 3][k % 3] + step * v[k / 3][k % 3];
        forces_of(&s, (const vector3 *)y, force);
        for (int k = 0; k < 9; k++) y[k / 3][k % 3] = x[k / 3][k % 3] - step * v[k / 3][k % 3];
        forces_of(&s, (const vector3 *)y, back);
        for (int k = 0; k < 6; k++)
            off = fmax(off, fabs(drag[k / 3][k % 3] - (force[1 + k / 3][k % 3] - back[1 + k / 3][k % 3]) / (2 * step)) /
                                largest((const vector3 *)drag, 2));
    }
    EXPECT_CLOSE("drags, relative", off, 0, 1.5e-9); /* 5e-10: rounding over the step */
}
END_TEST

START_TEST(degenerate_elements_have_no_force)
{
    const vector3 x = {0, 0, 0}, y = {1, 0, 0}, z = {2, 0, 0}, up = {0, 1, 0};
    shell_triangle s;
    hinge_shape shape;
    ck_assert(!triangle_set(&s, x, y, z, 1, 1, 0.3));
    ck_assert(!hinge_look(x, y, z, up, &shape));
    ck_assert(!hinge_look(x, x, z, up, &shape));
}
END_TEST

/* The norm bounds the second derivative, and is no more than twice it. */
START_TEST(norms_bound_stiffness)
{
    double least = INFINITY, most = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[4], y[4], force[3], v[3];
        shell_triangle s;
        const double step = 1e-6;
        double rayleigh = 0;
        draw_points(n, 0.4, x);
        if (!triangle_set(&s, x[0], x[1], x[2], 1, 0, 0.3)) continue;
        for (int k = 0; k < 9; k++) v[k / 3][k % 3] = draw(n, 80 + (uint64_t)k, -1, 1);
        for (int turn = 0; turn < 60; turn++) { /* power iteration */
            double square = 0;
            for (int k = 0; k < 9; k++) y[k / 3][k % 3] = x[k / 3][k % 3] + step * v[k / 3][k % 3];
            forces_of(&s, (const vector3 *)y, force);
            for (int k = 0; k < 9; k++) square += force[k / 3][k % 3] * force[k / 3][k % 3];
            for (int k = 0; k < 9; k++) v[k / 3][k % 3] = -force[k / 3][k % 3] / sqrt(square);
            rayleigh = sqrt(square) / step;
        }
        const double ratio = s.stiff * triangle_norm(&s) / rayleigh;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    printf("bounds over eigenvalues: %.6g to %.6g\n", least, most);
    ck_assert(least > 1 - 1e-4 && most < 2);
}
END_TEST

/* Bent beyond yield, back, and beyond on the other side: what is lost is the area of the loop. */
START_TEST(plastic_cycle)
{
    shell_hinge h = {.stiff = 2, .rest = 0, .yield = 0.5, .hardening = 0};
    double lost = 0, work = 0, before = 0;
    for (int n = 0; n <= 40000; n++) { /* 0 to 1, to -1, to 0 */
        const double phase = n / 10000.0, angle = phase < 1 ? phase : phase < 3 ? 2 - phase : phase - 4;
        double off = angle_from(angle, h.rest);
        lost += hinge_flow(&h, &off);
        work += 2 * h.stiff * off * (angle - before);
        before = angle;
    }
    /* Flow by 0.5, and back by 1, under the yield moment, 2 stiff yield = 2. */
    EXPECT_CLOSE("plastic work", lost, 2 * (0.5 + 1), 9e-4); /* 3e-4: three parts of the angle, each 1e-4 */
    EXPECT_CLOSE("rest after the cycle", h.rest, -0.5, 1.7e-16);
    EXPECT_CLOSE("work of the moment less what is stored", work - h.stiff * h.rest * h.rest, lost, 6e-4); /* 2e-4 */
    shell_hinge hard = {.stiff = 2, .rest = 0, .yield = 0.5, .hardening = 3};
    double off = 1;
    hinge_flow(&hard, &off);
    EXPECT_CLOSE("flow with hardening", hard.rest, 0.125, 4.2e-17);
    EXPECT_CLOSE("yield angle grown", hard.yield, 0.875, 3.4e-16);
    EXPECT_CLOSE("what is left is at yield", off, hard.yield, 3.4e-16);
}
END_TEST

/* ---- plates ------------------------------------------------------------------------------------------------------ */

/* Edge k of a triangle, its length, and its normal in the plane, to the outside of triangles that run counterclockwise. */
static double edge_of(const vector3 x[3], int k, double normal[2])
{
    const double *a = x[k], *b = x[(k + 1) % 3];
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    normal[0] = (b[1] - a[1]) / length;
    normal[1] = (a[0] - b[0]) / length;
    return length;
}

/* Slopes at the edges against the edges' normals, 2 slope / height (n n), are a curvature, whose energy is that of a plate: the
 * compliance is the inverse of the second derivative of this energy. */
START_TEST(compliance_is_the_inverse_of_the_stiffness)
{
    double off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[4];
        double f[3][3], k[3][3], normal[3][2], length[3];
        const double rigidity = draw(n, 90, 0.5, 2), nu = draw(n, 91, 0, 0.5);
        draw_points(n, 0.3, x);
        for (int q = 0; q < 3; q++) x[q][2] = 0;
        ck_assert(plate_compliance(x[0], x[1], x[2], rigidity, nu, f));
        for (int q = 0; q < 3; q++) length[q] = edge_of((const vector3 *)x, q, normal[q]);
        const double area =
            0.5 * fabs((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double cosine = normal[i][0] * normal[j][0] + normal[i][1] * normal[j][1];
                k[i][j] = rigidity * length[i] * length[j] / area * ((1 - nu) * cosine * cosine + nu);
            }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                off = fmax(off, fabs(f[i][0] * k[0][j] + f[i][1] * k[1][j] + f[i][2] * k[2][j] - (i == j)));
    }
    EXPECT_CLOSE("compliance times stiffness", off, 0, 1.6e-14);
}
END_TEST

/* The slope of the plane through three points of z = (x S x) / 2. */
static void slope_of(const vector3 x[3], const double s[3], double slope[2])
{
    double z[3];
    for (int q = 0; q < 3; q++)
        z[q] = 0.5 * (s[0] * x[q][0] * x[q][0] + s[1] * x[q][1] * x[q][1]) + s[2] * x[q][0] * x[q][1];
    const double a = x[1][0] - x[0][0], b = x[1][1] - x[0][1], c = x[2][0] - x[0][0], d = x[2][1] - x[0][1];
    const double det = a * d - b * c;
    slope[0] = (d * (z[1] - z[0]) - b * (z[2] - z[0])) / det;
    slope[1] = (a * (z[2] - z[0]) - c * (z[1] - z[0])) / det;
}

/* The patch test: on any two triangles, the moments of a constant curvature balance the angle between them. */
START_TEST(constant_curvature_is_exact_on_any_triangles)
{
    double off = 0, least_off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[4];
        double s[3], slope[2][2], wanted = 0, found = 0;
        const double rigidity = draw(n, 90, 0.5, 2), nu = draw(n, 91, 0, 0.5);
        for (uint64_t k = 0; k < 3; k++) s[k] = draw(n, 92 + k, -1, 1);
        const double m[3] = {rigidity * (s[0] + nu * s[1]), rigidity * (s[1] + nu * s[0]), rigidity * (1 - nu) * s[2]};
        draw_points(n, 0.3, x);
        for (int side = 0; side < 2; side++) {
            vector3 corner[3];
            double f[3][3], normal[2];
            for (int q = 0; q < 3; q++)
                for (int k = 0; k < 3; k++) corner[q][k] = k == 2 ? 0 : x[side == 0 ? q : (int[]){1, 0, 3}[q]][k];
            ck_assert(plate_compliance(corner[0], corner[1], corner[2], rigidity, nu, f));
            slope_of((const vector3 *)corner, s, slope[side]);
            for (int k = 2; k >= 0; k--) {
                const double length = edge_of((const vector3 *)corner, k, normal);
                found +=
                    f[0][k] * length *
                    (m[0] * normal[0] * normal[0] + m[1] * normal[1] * normal[1] + 2 * m[2] * normal[0] * normal[1]);
            }
            wanted += slope[side][0] * normal[0] + slope[side][1] * normal[1]; /* of the common edge, k = 0 */
            /* f - least diagonal is singular, and not less than 0 */
            double g[3][3];
            const double least = plate_least(f);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) g[i][j] = f[i][j] / sqrt(f[i][i] * f[j][j]) - (i == j ? least : 0);
            const double det = g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[1][2]) -
                               g[0][1] * (g[0][1] * g[2][2] - g[1][2] * g[0][2]) +
                               g[0][2] * (g[0][1] * g[1][2] - g[1][1] * g[0][2]);
            least_off = fmax(least_off, fabs(det));
            ck_assert(g[0][0] > 0 && g[0][0] * g[1][1] > g[0][1] * g[0][1]);
        }
        off = fmax(off, fabs(found + wanted));
    }
    EXPECT_CLOSE("angle less that of the moments", off, 0, 5.3e-15);
    EXPECT_CLOSE("determinant at the least eigenvalue", least_off, 0, 2e-15);
}
END_TEST

/* ---- several elements at once ------------------------------------------------------------------------------------ */

/* Places, velocities and elements of a test; those of the last try have no area. */
typedef struct lane_rows {
    double x[4][LANES][ELEMENT_ROW], v[4][LANES][ELEMENT_ROW];
    lanes place[4][ELEMENT_ROW], velocity[4][ELEMENT_ROW];
} lane_rows;

static void draw_rows(uint64_t try, lane_rows *r)
{
    for (uint64_t n = 0; n < LANES; n++) {
        vector3 x[4];
        draw_points(1000 + LANES * try + n, try + 1 < TRIES ? 0.4 : 0, x);
        if (try + 1 == TRIES && n % 2 == 0) memcpy(x[2], x[1], sizeof x[2]);
        for (uint64_t q = 0; q < 4; q++)
            for (uint64_t k = 0; k < 3; k++) {
                r->x[q][n][k] = x[q][k];
                r->v[q][n][k] = draw(5000 + LANES * try + n, 3 * q + k, -1, 1);
            }
    }
    for (int q = 0; q < 4; q++) {
        const double *place[LANES], *velocity[LANES];
        for (int n = 0; n < LANES; n++) {
            place[n] = r->x[q][n];
            velocity[n] = r->v[q][n];
        }
        lanes_transpose(place, r->place[q]);
        lanes_transpose(velocity, r->velocity[q]);
    }
}

/* The number of components that differ in any bit. */
static int count_different(lanes (*force)[3], int n, const vector3 *wanted, int corners)
{
    int count = 0;
    for (int k = 0; k < 3 * corners; k++) count += force[k / 3][k % 3][n] != wanted[k / 3][k % 3];
    return count;
}

START_TEST(lanes_have_the_same_bits)
{
    static lane_rows r;
    int different = 0, flat = 0;
    for (uint64_t try = 0; try < TRIES; try++) {
        shell_triangle one[LANES];
        const double *number[LANES];
        lanes row[ELEMENT_ROW], pull[3][3], drag[3][3], gradient[4][3], sine, cosine;
        draw_rows(try, &r);
        for (int n = 0; n < LANES; n++) {
            vector3 rest[4];
            draw_points(9000 + try, 0.2, rest);
            ck_assert(triangle_set(&one[n], rest[0], rest[1], rest[2], 70, 0.3, 0.3));
            number[n] = (const double *)&one[n];
        }
        lanes_transpose(number, row);
        triangle_lanes_force(row, r.place, pull);
        triangle_lanes_drag(row, r.place, r.velocity, drag);
        const unsigned sound = hinge_lanes_look(r.place, gradient, &sine, &cosine);
        const lanes rate = hinge_lanes_rate(gradient, r.velocity);
        for (int n = 0; n < LANES; n++) {
            vector3 wanted[4] = {{0}};
            hinge_shape shape;
            double turn = 0;
            triangle_force(&one[n], r.x[0][n], r.x[1][n], r.x[2][n], wanted[1], wanted[2]);
            different += count_different(pull + 1, n, wanted + 1, 2);
            triangle_drag(&one[n], r.x[0][n], r.x[1][n], r.x[2][n], r.v[0][n], r.v[1][n], r.v[2][n], wanted[1],
                          wanted[2]);
            different += count_different(drag + 1, n, wanted + 1, 2);
            memset(wanted, 0, sizeof wanted);
            const bool angle = hinge_look(r.x[0][n], r.x[1][n], r.x[2][n], r.x[3][n], &shape);
            if (angle) hinge_gradient(&shape, wanted);
            ck_assert_int_eq(angle, sound >> n & 1);
            flat += !angle;
            different += count_different(gradient, n, wanted, 4);
            if (angle) different += atan2(sine[n], cosine[n]) != hinge_angle(&shape);
            for (int q = 0; q < 4; q++) turn += dot3(wanted[q], r.v[q][n]);
            different += turn != rate[n];
        }
    }
    ck_assert_int_eq(flat, LANES / 2);
    ck_assert_int_eq(different, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("shell_math");
    tcase_add_test(cases, gradients_are_those_of_differences);
    tcase_add_test(cases, forces_are_those_of_other_derivations);
    tcase_add_test(cases, rigid_motions_change_nothing);
    tcase_add_test(cases, drag_is_proportional_to_stiffness);
    tcase_add_test(cases, degenerate_elements_have_no_force);
    tcase_add_test(cases, norms_bound_stiffness);
    tcase_add_test(cases, plastic_cycle);
    tcase_add_test(cases, lanes_have_the_same_bits);
    tcase_add_test(cases, compliance_is_the_inverse_of_the_stiffness);
    tcase_add_test(cases, constant_curvature_is_exact_on_any_triangles);
    return suite_run("shell_math", cases);
}
