/* Detects forces of elastic rods that are not the gradient of their energy, torques, energies of circles and helices, a twist that
 * differs from White's formula, and wrong critical twists of rings and clamped rods. */
#include "../support/expect.h"
#include "../support/stability.h"
#include "../support/suite.h"

#include <string.h>

#include "base/pi.h"
#include "base/random.h"
#include "base/vec.h"
#include "variational/rod_math.h"

enum { MOST = 200, TRIES = 50 };

typedef struct sample {
    rod_edge edge[MOST];
    elastic_rod rod;
} sample;

static double draw(uint64_t entity, uint64_t index, double low, double high)
{
    const random_key key = {1, 78};
    return low + (high - low) * random_uniform(key, entity, index);
}

/* Through `count` points; `rest` is the factor of the lengths at rest. */
static void through(sample *s, uint32_t count, const double (*x)[3], bool closed, double rest)
{
    const uint32_t edges = closed ? count : count - 1;
    s->rod.edge = s->edge;
    s->rod.edges = edges;
    s->rod.joints = closed ? edges : edges - 1;
    for (uint32_t j = 0; j < edges; j++)
        for (int k = 0; k < 3; k++) s->edge[j].way[k] = x[(j + 1) % count][k] - x[j][k];
    rod_look(&s->rod);
    for (uint32_t j = 0; j < edges && rest > 0; j++) s->edge[j].length = rest * s->edge[j].size;
    for (uint32_t j = 0; j < s->rod.joints && rest > 0; j++)
        s->edge[j].span = 0.5 * (s->edge[j].length + s->edge[(j + 1) % edges].length);
}

/* Random, and not straight anywhere. */
static rod_state draw_rod(sample *s, uint64_t n, bool closed)
{
    double x[9][3];
    *s = (sample){.rod = {.stretch = 7, .bend = 2, .torsion = 0.6, .first = draw(n, 90, -9, 9)}};
    for (uint64_t i = 0; i < 9; i++) {
        const double angle = 2 * PI * (double)i / 9;
        x[i][0] = cos(angle) + draw(n, 3 * i, -0.2, 0.2);
        x[i][1] = sin(angle) + draw(n, 3 * i + 1, -0.2, 0.2);
        x[i][2] = draw(n, 3 * i + 2, -0.5, 0.5);
    }
    through(s, 9, (const double(*)[3])x, closed, draw(n, 91, 0.8, 1.2));
    return rod_begin(&s->rod);
}

static double energy_at(sample *s, const rod_state *from)
{
    rod_look(&s->rod);
    const rod_energy e = rod_energy_of(&s->rod, rod_advance(&s->rod, from, 0).twist);
    return e.stretch + e.bend + e.twist;
}

START_TEST(forces_are_gradients)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1e-3;
    double worst = 0;
    for (uint64_t n = 0; n < 2 * TRIES; n++) {
        sample s;
        const rod_state start = draw_rod(&s, n, n % 2 == 1);
        rod_look(&s.rod);
        rod_force(&s.rod, start.twist);
        for (uint32_t j = 0; j < s.rod.edges; j++)
            for (int k = 0; k < 3; k++) {
                const double at = s.edge[j].way[k], force = s.edge[j].force[k];
                double slope = 0;
                for (int m = 1; m <= 3; m++)
                    for (int sign = -1; sign <= 1; sign += 2) {
                        s.edge[j].way[k] = at + sign * m * step;
                        slope += sign * weight[m - 1] / step * energy_at(&s, &start);
                    }
                s.edge[j].way[k] = at;
                worst = fmax(worst, fabs(slope + force));
            }
    }
    EXPECT_CLOSE("force and difference of energies", worst, 0, 4.5e-11);
}
END_TEST

/* A closed rod has no torque; the ends of an open one have that of the twist, about their directions. */
START_TEST(torques)
{
    double worst = 0;
    for (uint64_t n = 0; n < 2 * TRIES; n++) {
        sample s;
        double sum[3] = {0}, one[3];
        const rod_state start = draw_rod(&s, n, n % 2 == 1);
        rod_force(&s.rod, start.twist);
        for (uint32_t j = 0; j < s.rod.edges; j++) {
            cross3(s.edge[j].way, s.edge[j].force, one);
            for (int k = 0; k < 3; k++) sum[k] += one[k];
        }
        const double moment = n % 2 == 1 ? 0 : s.rod.torsion * start.twist;
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(sum[k] - moment * (s.edge[s.rod.edges - 1].unit[k] - s.edge[0].unit[k])));
    }
    EXPECT_CLOSE("torque", worst, 0, 2.4e-14);
}
END_TEST

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Writhe of a polygon: exact integrals of Gauss over pairs of edges (Klenin, Langowski, Biopolymers 54, 307 (2000), method 1a). */
static double writhe(uint32_t count, const double (*x)[3])
{
    double sum = 0;
    for (uint32_t i = 2; i < count; i++)
        for (uint32_t j = 0; j + 1 < i; j++) {
            if (j == 0 && i == count - 1) continue;
            const double *p[4] = {x[i], x[(i + 1) % count], x[j], x[j + 1]};
            static const int pairs[4][4] = {{0, 2, 0, 3}, {0, 3, 1, 3}, {1, 3, 1, 2}, {1, 2, 0, 2}};
            double n[4][3], r[2][3], solid = 0, way[3][3], c[3];
            for (int m = 0; m < 4; m++) {
                for (int k = 0; k < 3; k++) {
                    r[0][k] = p[pairs[m][1]][k] - p[pairs[m][0]][k];
                    r[1][k] = p[pairs[m][3]][k] - p[pairs[m][2]][k];
                }
                cross3(r[0], r[1], n[m]);
                const double size = sqrt(dot3(n[m], n[m]));
                for (int k = 0; k < 3; k++) n[m][k] /= size;
            }
            for (int m = 0; m < 4; m++) {
                cross3(n[m], n[(m + 1) % 4], c);
                solid += atan2(dot3(n[m], n[(m + 1) % 4]), sqrt(dot3(c, c)));
            }
            for (int k = 0; k < 3; k++) {
                way[0][k] = p[1][k] - p[0][k];
                way[1][k] = p[3][k] - p[2][k];
                way[2][k] = p[2][k] - p[0][k];
            }
            cross3(way[1], way[0], c);
            sum += (dot3(c, way[2]) > 0 ? 1 : -1) * solid;
        }
    return sum / (2 * PI);
}

/* White's formula: twist / 2 pi + writhe is constant while a closed rod moves without passing through itself. */
START_TEST(twist_and_writhe)
{
    enum { POINTS = 60, MOVES = 40 };
    static double x[POINTS][3];
    static sample s;
    double worst = 0;
    rod_state state = {0};
    s = (sample){.rod = {.torsion = 1, .first = 3}};
    for (int m = 0; m <= MOVES; m++) {
        for (uint32_t i = 0; i < POINTS;
             i++) { /* from a circle to a coil on a torus, one and a half times round itself */
            const double a = 2 * PI * i / POINTS, grown = (double)m / MOVES;
            x[i][0] = (1 + 0.4 * grown * cos(3 * a)) * cos(a);
            x[i][1] = (1 + 0.4 * grown * cos(3 * a)) * sin(a);
            x[i][2] = 0.7 * grown * sin(3 * a);
        }
        through(&s, POINTS, (const double(*)[3])x, true, m == 0 ? 1 : 0);
        state = m == 0 ? rod_begin(&s.rod) : rod_advance(&s.rod, &state, 0);
        const double writhing = m == 0 ? 0 : writhe(POINTS, (const double(*)[3])x);
        worst = fmax(worst, fabs(state.twist / (2 * PI) + writhing - s.rod.first / (2 * PI)));
    }
    printf("  twist from %g to %g\n", s.rod.first, state.twist);
    ck_assert(fabs(state.twist - s.rod.first) > 1);
    EXPECT_CLOSE("twist / 2 pi + writhe", worst, 0, 1e-12);
}
END_TEST

/* Of a part of a helix: the relative errors of the energy of bending, and of the twist of the frame of Frenet. */
static rod_energy helix(uint32_t count, double radius, double pitch, double turns)
{
    static double x[MOST][3];
    static sample s;
    const double ends = 2 * PI * turns, curvature = radius / (radius * radius + pitch * pitch);
    const double torsion = pitch / (radius * radius + pitch * pitch),
                 length = ends * sqrt(radius * radius + pitch * pitch);
    for (uint32_t i = 0; i < count; i++) {
        const double a = ends * i / (count - 1);
        x[i][0] = radius * cos(a);
        x[i][1] = radius * sin(a);
        x[i][2] = pitch * a;
    }
    s = (sample){.rod = {.bend = 2}};
    through(&s, count, (const double(*)[3])x, false, 1);
    double bent = 0;
    for (uint32_t j = 0; j < s.rod.joints; j++) bent += s.edge[j].span;
    s.rod.torsion = 1 / bent;
    /* The directors are the binormals of the first and last joint. */
    rod_state state = rod_begin(&s.rod);
    for (int end = 0; end < 2; end++) {
        const double *binormal = s.edge[end == 0 ? 0 : s.rod.joints - 1].bend;
        const double size = sqrt(dot3(binormal, binormal));
        for (int k = 0; k < 3; k++) state.director[end][k] = binormal[k] / size;
    }
    s.rod.closing = state.held = 0;
    state.twist = torsion * length; /* within half a turn */
    state = rod_advance(&s.rod, &state, 0);
    rod_energy e = rod_energy_of(&s.rod, state.twist);
    e.bend = e.bend / (0.5 * s.rod.bend * curvature * curvature * bent) - 1;
    e.twist =
        state.twist / (torsion * bent * (s.rod.joints - 1) / s.rod.joints) - 1; /* from the first joint to the last */
    return e;
}

START_TEST(circles_and_helices)
{
    double before[2] = {0};
    for (uint32_t n = 20; n <= 160; n *= 2) {
        const rod_energy circle = helix(n + 1, 2, 0, 1), coil = helix(n + 1, 2, 0.7, 2);
        printf("  %u edges: circle %.3e, helix: bending %.3e, twist %.3e\n", n, circle.bend, coil.bend, coil.twist);
        /* A regular polygon: 2 tan(x) / (2 tan(x)), of sides 2 r tan(x) or 2 r sin(x). */
        const double x = PI / n, exact = pow(tan(x) / sin(x), 2) - 1;
        EXPECT_CLOSE("circle", circle.bend, exact, 3e-14);
        if (n > 40) {
            EXPECT_CLOSE("order of the bending energy", log2(before[0] / coil.bend), 2, 0.1);
            EXPECT_CLOSE("order of the twist", log2(before[1] / coil.twist), 2, 0.1);
        }
        before[0] = coil.bend;
        before[1] = coil.twist;
    }
}
END_TEST

/* ---- stability --------------------------------------------------------------------------------------------------- */

enum { FREE = 3 * 64 };

/* Points from..to of a rod are free: fills the second derivatives of its energy. */
static void stiffness(sample *s, const rod_state *state, uint32_t points, uint32_t from, uint32_t free,
                      double (*h)[FREE])
{
    static const double step = 1e-4, weight[2] = {8.0 / 12, -1.0 / 12};
    static double way[MOST][3];
    for (uint32_t j = 0; j < s->rod.edges; j++) memcpy(way[j], s->edge[j].way, sizeof way[j]);
    for (uint32_t c = 0; c < 3 * free; c++) {
        const uint32_t i = from + c / 3, k = c % 3;
        for (uint32_t r = 0; r < 3 * free; r++) h[c][r] = 0;
        for (int m = -2; m <= 2; m++) {
            if (m == 0) continue;
            for (uint32_t j = 0; j < s->rod.edges; j++) memcpy(s->edge[j].way, way[j], sizeof way[j]);
            if (i < s->rod.edges) s->edge[i].way[k] -= m * step;
            if (i > 0 || s->rod.joints == s->rod.edges) s->edge[(i + points - 1) % points].way[k] += m * step;
            rod_look(&s->rod);
            rod_force(&s->rod, rod_advance(&s->rod, state, 0).twist);
            const double factor = (m > 0 ? 1 : -1) * weight[abs(m) - 1] / step;
            for (uint32_t r = 0; r < 3 * free;
                 r++) { /* force on a point: of the edge before it, less that of its own */
                const uint32_t p = from + r / 3;
                double force = 0;
                if (p > 0 || s->rod.joints == s->rod.edges) force += s->edge[(p + points - 1) % points].force[r % 3];
                if (p < s->rod.edges) force -= s->edge[p].force[r % 3];
                h[c][r] -= factor * force;
            }
        }
    }
    for (uint32_t j = 0; j < s->rod.edges; j++) memcpy(s->edge[j].way, way[j], sizeof way[j]);
    rod_look(&s->rod);
}

/* A ring of radius 1 with its rigid motions held by springs. */
static bool ring_is_stable(const void *edges, double twist)
{
    const uint32_t count = *(const uint32_t *)edges;
    static double h[FREE][FREE], x[FREE / 3][3];
    static sample s;
    s = (sample){.rod = {.stretch = 1e6, .bend = 1, .torsion = 0.75 / (2 * PI), .first = twist}};
    for (uint32_t i = 0; i < count; i++) {
        x[i][0] = cos(2 * PI * i / count);
        x[i][1] = sin(2 * PI * i / count);
        x[i][2] = 0;
    }
    through(&s, count, (const double(*)[3])x, true, 1);
    double length = 0;
    for (uint32_t j = 0; j < count; j++) length += s.edge[j].span;
    s.rod.torsion = 0.75 / length;
    const rod_state state = rod_begin(&s.rod);
    stiffness(&s, &state, count, 0, count, h);
    for (int m = 0; m < 6; m++)
        for (uint32_t i = 0; i < 3 * count; i++)
            for (uint32_t j = 0; j < 3 * count; j++) {
                double a[2];
                for (int q = 0; q < 2; q++) { /* translations and rotations, at a coordinate */
                    const uint32_t at = q == 0 ? i : j, k = at % 3;
                    double axis[3] = {0}, move[3];
                    axis[m % 3] = 1;
                    cross3(axis, x[at / 3], move);
                    a[q] = m < 3 ? axis[k] : move[k];
                }
                h[i][j] += 10 * a[0] * a[1] / count;
            }
    return negative_eigenvalues(3 * count, FREE, h[0]) == 0;
}

/* Michell (1889), Zajac (1962): a twisted ring leaves its plane at 2 pi sqrt(3) EI / GJ. */
START_TEST(rings)
{
    const double exact = 2 * PI * sqrt(3) / 0.75;
    double before = 0;
    for (uint32_t n = 16; n <= 64; n *= 2) {
        const double off = critical_load(ring_is_stable, &n, exact) / exact - 1;
        printf("  %u edges: critical twist over the exact one, less 1: %.3e\n", n, off);
        if (n > 16) EXPECT_CLOSE("order", log2(before / off), 2, 0.1);
        before = off;
    }
}
END_TEST

/* Clamped, of length 1, under tension: at which EI y'''' - i M y''' - T y'' = 0 has a solution. */
static double buckling_moment(double tension)
{
    double last = 1, moment = 2 * sqrt(tension) + 1e-3;
    for (double step = 1e-2; step > 1e-12;) {
        const double root = sqrt(moment * moment - 4 * tension), a = 0.5 * (moment + root), b = 0.5 * (moment - root);
        const double now = (2 * sin(0.5 * a) * sin(0.5 * b) - a * b * sin(0.5 * root) / root) / (a * b);
        if (last * now < 0 && fabs(last) < 1) {
            moment -= step;
            step *= 0.1;
        } else {
            last = now;
        }
        moment += step;
    }
    return moment;
}

typedef struct clamped_rod {
    uint32_t free;
    double tension;
} clamped_rod;

static bool rod_is_stable(const void *rod, double moment)
{
    const uint32_t free = ((const clamped_rod *)rod)->free;
    const double tension = ((const clamped_rod *)rod)->tension;
    static double h[FREE][FREE], x[MOST][3];
    static sample s;
    const uint32_t count = free + 4; /* two points are held at each end; the length between the inner ones is 1 */
    s = (sample){.rod = {.stretch = 1e5, .bend = 1, .torsion = 0.5, .first = moment / 0.5}};
    for (uint32_t i = 0; i < count; i++) x[i][0] = ((double)i - 1) / (free + 1);
    through(&s, count, (const double(*)[3])x, false, 1 / (1 + tension / 1e5));
    for (uint32_t j = 0; j < s.rod.joints; j++)
        s.edge[j].span = (j == 0 || j == s.rod.joints - 1 ? 0.5 : 1) / (free + 1);
    const rod_state state = rod_begin(&s.rod);
    stiffness(&s, &state, count, 2, free, h);
    return negative_eigenvalues(3 * free, FREE, h[0]) == 0;
}

START_TEST(clamped_rods)
{
    EXPECT_CLOSE("without tension: 2 x, tan(x) = x", buckling_moment(1e-6), 8.98681891, 3e-6);
    for (int tension = 1; tension <= 101; tension += 50) {
        const double exact = buckling_moment(tension);
        double before = 0;
        for (uint32_t n = 16; n <= 64; n *= 2) {
            const clamped_rod rod = {n - 1, tension};
            const double off = critical_load(rod_is_stable, &rod, exact) / exact - 1;
            printf("  tension %d: moment %.5f, with %u edges: %.3e of it off\n", tension, exact, n, off);
            if (n > 16) EXPECT_CLOSE("order", log2(before / off), 2, 0.1);
            before = off;
        }
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("rods");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, forces_are_gradients);
    tcase_add_test(c, torques);
    tcase_add_test(c, twist_and_writhe);
    tcase_add_test(c, circles_and_helices);
    tcase_add_test(c, rings);
    tcase_add_test(c, clamped_rods);
    return suite_run("rod_math", c);
}
