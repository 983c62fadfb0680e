/* Detects wrong membranes of rubber and of fabric: forces that are no gradients, energies that differ from those of the
 * three-dimensional material, moduli of other directions, steps that are too long, and bending of a fabric. */
#include "../support/expect.h"
#include "../support/suite.h"

#include "base/random.h"
#include "variational/shell_membranes.h"

enum { TRIES = 200 };

static double draw(uint64_t entity, uint64_t index, double low, double high)
{
    return low + (high - low) * random_uniform((random_key){1, 78}, entity, index);
}

static void draw_triangle(uint64_t entity, double wild, vector3 x[3])
{
    static const double flat[3][3] = {{0, 0, 0}, {0, 1, 0}, {-0.9, 0.5, 0}};
    for (uint64_t q = 0; q < 3; q++)
        for (uint64_t k = 0; k < 3; k++) x[q][k] = flat[q][k] + draw(entity, 3 * q + k, -wild, wild);
}

static fabric draw_fabric(uint64_t entity)
{
    fabric f = {
        draw(entity, 20, 0.5, 3), draw(entity, 21, 0.5, 3), draw(entity, 22, 0.1, 2), draw(entity, 23, 0, 0.35), {0}};
    for (uint64_t k = 0; k < 3; k++) f.along[k] = draw(entity, 24 + k, -1, 1);
    return f;
}

/* Of one kind after the other; stretch 3, of a random Poisson's ratio. */
static void make(uint64_t entity, membrane_kind kind, const vector3 x[3], shell_triangle *s, shell_membrane *m)
{
    const double poisson[3] = {0, draw(entity, 30, 0, 0.5), 0.5};
    const fabric f = draw_fabric(entity);
    *m = (shell_membrane){.kind = kind};
    ck_assert(triangle_set(s, x[0], x[1], x[2], 3, 0, kind == MEMBRANE_FABRIC ? f.poisson : poisson[entity % 3]));
    if (kind == MEMBRANE_FABRIC) ck_assert(fabric_set(m, s, x[0], x[1], x[2], &f));
}

static void forces_of(const shell_membrane *m, const shell_triangle *s, vector3 x[3], vector3 force[3])
{
    membrane_force(m, s, x[0], x[1], x[2], force[1], force[2]);
    for (int k = 0; k < 3; k++) force[0][k] = -force[1][k] - force[2][k];
}

static double largest(vector3 *vectors, int count)
{
    double most = 0;
    for (int k = 0; k < 3 * count; k++) most = fmax(most, fabs(vectors[k / 3][k % 3]));
    return most;
}

static double slope_of(const shell_membrane *m, const shell_triangle *s, vector3 x[3], double *at)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1.5e-3; /* of sixth order */
    const double kept = *at;
    double slope = 0;
    for (int n = 1; n <= 3; n++) {
        *at = kept + n * step;
        const double above = membrane_energy(m, s, x[0], x[1], x[2]);
        *at = kept - n * step;
        slope += weight[n - 1] * (above - membrane_energy(m, s, x[0], x[1], x[2])) / step;
    }
    *at = kept;
    return slope;
}

START_TEST(forces_are_gradients)
{
    double off = 0, shrunk_off = 0;
    for (uint64_t n = 0; n < 2 * TRIES; n++) {
        vector3 rest[3], x[3], force[3];
        shell_triangle s;
        shell_membrane m;
        draw_triangle(2 * n, 0.2, rest);
        draw_triangle(2 * n + 1, 0.3, x);
        make(n, n % 2 == 0 ? MEMBRANE_NEO_HOOKEAN : MEMBRANE_FABRIC, (const vector3 *)rest, &s, &m);
        /* Every fourth is far smaller than a tenth of its area at rest. */
        for (int k = 0; k < 9 && n % 8 == 6; k++) x[k / 3][k % 3] *= 0.15;
        forces_of(&m, &s, x, force);
        double *worst = n % 8 == 6 ? &shrunk_off : &off;
        for (int q = 0; q < 3; q++)
            for (int k = 0; k < 3; k++)
                *worst = fmax(*worst, fabs(slope_of(&m, &s, x, &x[q][k]) + force[q][k]) / largest(force, 3));
    }
    EXPECT_CLOSE("forces, relative", off, 0, 3e-12);
    EXPECT_CLOSE("forces of shrunk triangles, relative", shrunk_off, 0, 1.1e-11);
}
END_TEST

/* A triangle with its first edge along x, stretched along x and y. */
static double stretched_energy(const shell_membrane *m, const shell_triangle *s, double a, double b)
{
    vector3 x[3] = {{0, 0, 0}, {a, 0, 0}, {0.3 * a, 0.8 * b, 0}};
    return membrane_energy(m, s, x[0], x[1], x[2]);
}

/* Least energy of the three-dimensional material over the stretch of the thickness. */
static double solid_energy(double nu, double a, double b)
{
    const double beta = nu / (1 - 2 * nu);
    double low = 0.01, high = 100;
    for (int n = 0; n < 200 && nu < 0.5; n++) {
        const double c = sqrt(low * high);
        *(c - pow(a * b * c, -2 * beta) / c > 0 ? &high : &low) = c;
    }
    const double c = nu < 0.5 ? low : 1 / (a * b);
    const double volume = nu < 0.5 ? (pow(a * b * c, -2 * beta) - 1) / beta : 0;
    return 0.5 * (a * a + b * b + c * c - 3 + volume);
}

START_TEST(rubber_is_the_solid_without_stress_across)
{
    static const vector3 rest[3] = {{0, 0, 0}, {1, 0, 0}, {0.3, 0.8, 0}};
    static const double ratios[3] = {0.1, 0.3, 0.5};
    double off = 0;
    for (int n = 0; n < 3; n++)
        for (double a = 0.5; a < 4; a += 0.25)
            for (double b = 0.5; b < 4; b += 0.25) {
                shell_triangle s;
                const shell_membrane m = {.kind = MEMBRANE_NEO_HOOKEAN};
                ck_assert(triangle_set(&s, rest[0], rest[1], rest[2], 2 * (1 + ratios[n]), 0, ratios[n]));
                const double wanted = 0.4 * solid_energy(ratios[n], a, b); /* shear modulus 1, area 0.4 */
                off = fmax(off, fabs(stretched_energy(&m, &s, a, b) - wanted));
            }
    EXPECT_CLOSE("energy", off, 0, 5.4e-15);
}
END_TEST

START_TEST(equal_moduli_are_isotropic)
{
    double off = 0, bend_off = 0, stiff_off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 rest[3], x[3], force[3], other[3];
        shell_triangle s, same;
        shell_membrane m, linear = {.kind = MEMBRANE_LINEAR};
        double bent[3][3], plate[3][3];
        const double nu = draw(n, 31, 0, 0.5), h = draw(n, 32, 0.1, 0.3), young = 3 / h;
        fabric f = draw_fabric(n);
        f = (fabric){3, 3, 1.5 / (1 + nu), nu, {f.along[0], f.along[1], f.along[2]}};
        draw_triangle(2 * n, 0.2, rest);
        draw_triangle(2 * n + 1, 0.3, x);
        ck_assert(triangle_set(&s, rest[0], rest[1], rest[2], 3, 0, nu));
        same = s;
        ck_assert(fabric_set(&m, &s, rest[0], rest[1], rest[2], &f));
        stiff_off = fmax(stiff_off, fabs(s.stiff / same.stiff - 1));
        forces_of(&m, &s, x, force);
        forces_of(&linear, &same, x, other);
        for (int k = 0; k < 9; k++)
            off = fmax(off, fabs(force[k / 3][k % 3] - other[k / 3][k % 3]) / largest(force, 3));
        ck_assert(fabric_compliance(rest[0], rest[1], rest[2], &f, h, bent));
        ck_assert(plate_compliance(rest[0], rest[1], rest[2], young * h * h * h / (12 * (1 - nu * nu)), nu, plate));
        for (int k = 0; k < 9; k++)
            bend_off = fmax(bend_off, fabs(bent[k / 3][k % 3] / sqrt(plate[k / 3][k / 3] * plate[k % 3][k % 3]) -
                                           plate[k / 3][k % 3] / sqrt(plate[k / 3][k / 3] * plate[k % 3][k % 3])));
    }
    EXPECT_CLOSE("forces, relative", off, 0, 4.9e-15);
    EXPECT_CLOSE("compliance of bending, relative", bend_off, 0, 6.7e-15);
    EXPECT_CLOSE("bound of the stiffness, relative", stiff_off, 0, 1e-15);
}
END_TEST

/* Stress by strain at an angle from the warp: the strain along and the shear by a pull along the first edge alone (Jones, Mechanics of
 * Composite Materials, sec. 2.8). */
START_TEST(modulus_off_the_axes)
{
    double off = 0, shear_off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        const double angle = draw(n, 40, -3, 3), c = cos(angle), t = sin(angle);
        const vector3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0.3, 0.8, 0}};
        fabric f = draw_fabric(n);
        shell_triangle s;
        shell_membrane m;
        f.along[0] = 2 * c;
        f.along[1] = 2 * t;
        ck_assert(triangle_set(&s, x[0], x[1], x[2], 1, 0, f.poisson));
        ck_assert(fabric_set(&m, &s, x[0], x[1], x[2], &f));
        double(*q)[3] = m.modulus;
        const double det = q[0][0] * (q[1][1] * q[2][2] - q[1][2] * q[2][1]) -
                           q[0][1] * (q[1][0] * q[2][2] - q[1][2] * q[2][0]) +
                           q[0][2] * (q[1][0] * q[2][1] - q[1][1] * q[2][0]);
        const double found = (q[1][1] * q[2][2] - q[1][2] * q[2][1]) / det * 0.4; /* 1 / E; area 0.4 */
        const double wanted =
            c * c * c * c / f.warp + t * t * t * t / f.weft + (1 / f.shear - 2 * f.poisson / f.warp) * c * c * t * t;
        const double shear = (q[0][1] * q[1][2] - q[0][2] * q[1][1]) / det * 0.4, s66 = 1 / f.shear,
                     s12 = -f.poisson / f.warp;
        const double sheared =
            (2 / f.warp - 2 * s12 - s66) * t * c * c * c - (2 / f.weft - 2 * s12 - s66) * t * t * t * c;
        off = fmax(off, fabs(found / wanted - 1));
        shear_off = fmax(shear_off, fabs(shear - sheared) * f.shear);
    }
    EXPECT_CLOSE("shear, relative", shear_off, 0, 5.8e-15);
    EXPECT_CLOSE("1 / E, relative", off, 0, 2.7e-15);
}
END_TEST

/* Edge k of a triangle in a plane, its length, and its normal. */
static double edge_of(const vector3 x[3], int k, double normal[2])
{
    const double *a = x[k], *b = x[(k + 1) % 3];
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    normal[0] = (b[1] - a[1]) / length;
    normal[1] = (a[0] - b[0]) / length;
    return length;
}

/* As of plates (test_shell_math): the compliance is the inverse of the second derivative of the energy of curvatures
 * 2 slope / height (n n), here of an orthotropic plate. */
START_TEST(a_fabric_bends_like_an_orthotropic_plate)
{
    double off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[3];
        double f[3][3], k[3][3], d[3][3], curve[3][3];
        fabric woven = draw_fabric(n);
        const double h = draw(n, 41, 0.1, 0.3);
        draw_triangle(n, 0.3, x);
        for (int q = 0; q < 3; q++) x[q][2] = 0;
        ck_assert(fabric_compliance(x[0], x[1], x[2], &woven, h, f));
        fabric_moduli(&woven, d);
        const double size = hypot(woven.along[0], woven.along[1]), c = woven.along[0] / size, t = woven.along[1] / size;
        for (int q = 0; q < 3; q++) {
            double normal[2];
            const double length = edge_of((const vector3 *)x, q, normal);
            const double along = c * normal[0] + t * normal[1], across = c * normal[1] - t * normal[0];
            curve[q][0] = length * along * along;
            curve[q][1] = length * across * across;
            curve[q][2] = 2 * length * along * across;
        }
        const double area =
            0.5 * fabs((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                k[i][j] = 0;
                for (int p = 0; p < 9; p++)
                    k[i][j] += h * h / 12 / area * curve[i][p / 3] * d[p / 3][p % 3] * curve[j][p % 3];
            }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                off = fmax(off, fabs(f[i][0] * k[0][j] + f[i][1] * k[1][j] + f[i][2] * k[2][j] - (i == j)));
    }
    EXPECT_CLOSE("compliance times stiffness", off, 0, 2.4e-14);
}
END_TEST

/* The largest eigenvalue of the second derivative, by power iteration. */
static double stiffness_of(const shell_membrane *m, const shell_triangle *s, vector3 x[3], uint64_t entity)
{
    const double step = 1e-6;
    vector3 y[3], v[3], there[3], back[3];
    double size = 0;
    for (int k = 0; k < 9; k++) v[k / 3][k % 3] = draw(entity, 80 + (uint64_t)k, -1, 1);
    for (int turn = 0; turn < 100; turn++) {
        double square = 0;
        for (int k = 0; k < 9; k++) y[k / 3][k % 3] = x[k / 3][k % 3] + step * v[k / 3][k % 3];
        forces_of(m, s, y, there);
        for (int k = 0; k < 9; k++) y[k / 3][k % 3] = x[k / 3][k % 3] - step * v[k / 3][k % 3];
        forces_of(m, s, y, back);
        for (int k = 0; k < 9; k++) square += pow(there[k / 3][k % 3] - back[k / 3][k % 3], 2);
        for (int k = 0; k < 9; k++) v[k / 3][k % 3] = (back[k / 3][k % 3] - there[k / 3][k % 3]) / sqrt(square);
        size = sqrt(square) / (2 * step);
    }
    return size;
}

/* Steps are chosen by `stiff` times the norm: at rest, and for rubber also where it is pulled. */
START_TEST(steps_are_chosen_by_a_bound)
{
    double least = INFINITY, most = 0, pulled = INFINITY;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[3];
        shell_triangle s;
        shell_membrane m;
        draw_triangle(n, 0.3, x);
        make(n, n % 2 == 0 ? MEMBRANE_NEO_HOOKEAN : MEMBRANE_FABRIC, (const vector3 *)x, &s, &m);
        const double bound = s.stiff * triangle_norm(&s), ratio = bound / stiffness_of(&m, &s, x, n);
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        if (m.kind != MEMBRANE_NEO_HOOKEAN) continue;
        const double pull = draw(n, 33, 1, 4),
                     narrow = draw(n, 34, 0, 1) < 0.5 ? pow(pull, -s.poisson) : draw(n, 35, 1, 4);
        for (int q = 0; q < 3; q++) {
            x[q][0] *= pull;
            x[q][1] *= narrow;
        }
        pulled = fmin(pulled, bound / stiffness_of(&m, &s, x, n));
    }
    printf("bounds over eigenvalues: %.6g to %.6g, pulled %.6g\n", least, most, pulled);
    ck_assert(least > 1 - 1e-4 && pulled > 1 - 1e-4);
}
END_TEST

/* Compressed rubber: four times the bound at rest, that of a step of half the bound, and 25 times, of a fifth (docs/shells.md). */
START_TEST(compression_stiffens)
{
    static const double one[2] = {0.518, 0.2729}, both[2] = {0.776, 0.567};
    const vector3 rest[3] = {{0, 0, 0}, {1, 0, 0}, {0.5, sqrt(0.75), 0}};
    const shell_membrane m = {.kind = MEMBRANE_NEO_HOOKEAN};
    shell_triangle s;
    ck_assert(triangle_set(&s, rest[0], rest[1], rest[2], 3, 0, 0.5));
    for (int n = 0; n < 4; n++) {
        const double along = n < 2 ? one[n] : both[n - 2], across = n < 2 ? 1 / sqrt(along) : along;
        vector3 x[3];
        for (int q = 0; q < 3; q++) {
            x[q][0] = along * rest[q][0];
            x[q][1] = across * rest[q][1];
            x[q][2] = 0;
        }
        EXPECT_CLOSE("stiffness over the bound", stiffness_of(&m, &s, x, 0) / (s.stiff * triangle_norm(&s)),
                     n % 2 == 0 ? 4 : 25, n % 2 == 0 ? 0.04 : 0.25);
    }
}
END_TEST

START_TEST(rigid_motions_and_crushed_triangles)
{
    double off = 0;
    for (uint64_t n = 0; n < TRIES; n++) {
        vector3 x[3], y[3], force[3], axis = {draw(n, 50, -1, 1), draw(n, 51, -1, 1), draw(n, 52, -1, 1)};
        shell_triangle s;
        shell_membrane m;
        draw_triangle(n, 0.3, x);
        make(n, n % 2 == 0 ? MEMBRANE_NEO_HOOKEAN : MEMBRANE_FABRIC, (const vector3 *)x, &s, &m);
        const double turn = draw(n, 53, -3, 3), size = sqrt(dot3(axis, axis));
        for (int k = 0; k < 3; k++) axis[k] /= size;
        for (int q = 0; q < 3; q++) {
            vector3 once, twice;
            cross3(axis, x[q], once);
            cross3(axis, once, twice);
            for (int k = 0; k < 3; k++) y[q][k] = x[q][k] + sin(turn) * once[k] + (1 - cos(turn)) * twice[k] + 0.7;
        }
        forces_of(&m, &s, y, force);
        off = fmax(off, largest(force, 3));
        for (int k = 0; k < 3; k++) y[2][k] = 0.5 * (y[0][k] + y[1][k]);
        forces_of(&m, &s, y, force);
        ck_assert(isfinite(largest(force, 3)) && isfinite(membrane_energy(&m, &s, y[0], y[1], y[2])));
    }
    EXPECT_CLOSE("forces of moved triangles", off, 0, 5.5e-15);
}
END_TEST

START_TEST(a_warp_needs_a_direction)
{
    const vector3 x = {0, 0, 0}, y = {1, 0, 0}, z = {0, 1, 0};
    const fabric up = {1, 1, 1, 0, {0, 0, 1}};
    shell_triangle s;
    shell_membrane m;
    double f[3][3];
    ck_assert(triangle_set(&s, x, y, z, 1, 1, 0));
    ck_assert(!fabric_set(&m, &s, x, y, z, &up));
    ck_assert(!fabric_compliance(x, y, z, &up, 1, f));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("shell_membranes");
    tcase_add_test(cases, forces_are_gradients);
    tcase_add_test(cases, rubber_is_the_solid_without_stress_across);
    tcase_add_test(cases, equal_moduli_are_isotropic);
    tcase_add_test(cases, modulus_off_the_axes);
    tcase_add_test(cases, a_fabric_bends_like_an_orthotropic_plate);
    tcase_add_test(cases, steps_are_chosen_by_a_bound);
    tcase_add_test(cases, compression_stiffens);
    tcase_add_test(cases, rigid_motions_and_crushed_triangles);
    tcase_add_test(cases, a_warp_needs_a_direction);
    return suite_run("shell_membranes", cases);
}
