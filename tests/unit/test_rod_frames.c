/* Detects directors of elastic rods that are not in equilibrium, forces and drags that are not derivatives, torques, energies that
 * differ from those of round rods, and a wrong lateral buckling of ribbons. */
#include "../support/expect.h"
#include "../support/stability.h"
#include "../support/suite.h"

#include <string.h>

#include "base/pi.h"
#include "base/random.h"
#include "base/vec.h"
#include "variational/rod_frames.h"

enum { POINTS = 9, MOST = 200, TRIES = 30, KINDS = 4 };

typedef struct sample {
    rod_edge edge[MOST];
    rod_frame frame[MOST];
    rod_joint_rest rest[MOST];
    frame_equation equation[MOST];
    bool held[MOST];
    rod_frames frames;
    elastic_rod rod;
} sample;

static double draw(uint64_t entity, uint64_t index, double low, double high)
{
    const random_key key = {1, 79};
    return low + (high - low) * random_uniform(key, entity, index);
}

static bool is_closed(uint64_t n)
{
    return n % KINDS == KINDS - 1;
}

/* Random, nowhere straight, and moved from its start. By n: both ends free, one held, both held, closed. */
static void draw_rod(sample *s, uint64_t n, const double stiff[2], double torsion, bool curved)
{
    const bool closed = is_closed(n);
    *s = (sample){.rod = {.stretch = 7, .bend = stiff[0], .first = n % KINDS < 2 ? 0 : draw(n, 90, -4, 4)}};
    elastic_rod *r = &s->rod;
    r->edge = s->edge;
    r->edges = closed ? POINTS : POINTS - 1;
    r->joints = closed ? r->edges : r->edges - 1;
    r->frames = &s->frames;
    s->frames = (rod_frames){
        .bend = {stiff[0], stiff[1]}, .torsion = torsion, .rest = s->rest, .equation = s->equation, .held = s->held};
    s->held[0] = n % KINDS == 1 || n % KINDS == 2;
    s->held[r->edges - 1] = n % KINDS == 2;
    for (int moved = 0; moved < 2; moved++) {
        double x[POINTS][3];
        for (uint64_t i = 0; i < POINTS; i++) {
            const double angle = 2 * PI * (double)i / POINTS;
            for (uint64_t k = 0; k < 3; k++)
                x[i][k] = draw(n, 3 * i + k, -0.2, 0.2) + (moved ? draw(n, 200 + 3 * i + k, -0.1, 0.1) : 0);
            x[i][0] += cos(angle);
            x[i][1] += sin(angle);
        }
        for (uint32_t j = 0; j < r->edges; j++)
            for (int k = 0; k < 3; k++) s->edge[j].way[k] = x[(j + 1) % POINTS][k] - x[j][k];
        rod_look(r);
        if (moved) break;
        for (uint32_t j = 0; j < r->edges; j++) s->edge[j].length = s->edge[j].size;
        for (uint32_t j = 0; j < r->joints; j++) s->edge[j].span = 0.5 * (s->edge[j].length + rod_after(r, j)->length);
        frames_begin(r, s->frame, (double[3]){0.3, 0.1, 1}, curved);
    }
    frames_advance(r, s->frame, 0);
}

static const double RIBBON[2] = {0.4, 2.5}, ROUND[2] = {0.8, 0.8};

static double total(const elastic_rod *r, const rod_frame *f)
{
    const rod_energy e = frames_energy_of(r, f);
    return e.stretch + e.bend + e.twist;
}

/* ---- equilibrium and forces -------------------------------------------------------------------------------------- */

START_TEST(directors_are_in_equilibrium)
{
    double worst = 0;
    for (uint64_t n = 0; n < TRIES * KINDS; n++) {
        sample s;
        draw_rod(&s, n, RIBBON, 0.3, n % 3 == 0);
        for (uint32_t j = 0; j < s.rod.edges; j++) {
            if (!s.held[j]) worst = fmax(worst, fabs(s.frame[j].torque));
        }
    }
    EXPECT_CLOSE("torque on free directors", worst, 0, 4e-15);
}
END_TEST

static double energy_at(const sample *from, uint32_t j, int k, double by)
{
    sample s = *from;
    s.rod.edge = s.edge;
    s.rod.frames = &s.frames;
    s.frames.rest = s.rest;
    s.frames.equation = s.equation;
    s.frames.held = s.held;
    s.edge[j].way[k] += by;
    rod_look(&s.rod);
    frames_advance(&s.rod, s.frame, 0);
    return total(&s.rod, s.frame);
}

START_TEST(forces_are_gradients)
{
    static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 1e-4;
    double worst = 0;
    for (uint64_t n = 0; n < TRIES * KINDS; n++) {
        sample s;
        draw_rod(&s, n, RIBBON, 0.3, n % 3 == 0);
        frames_force(&s.rod, s.frame, 0);
        for (uint32_t j = 0; j < s.rod.edges; j++)
            for (int k = 0; k < 3; k++) {
                double slope = 0;
                for (int m = 1; m <= 3; m++)
                    for (int sign = -1; sign <= 1; sign += 2)
                        slope += sign * weight[m - 1] / step * energy_at(&s, j, k, sign * m * step);
                worst = fmax(worst, fabs(slope + s.edge[j].force[k]));
            }
    }
    EXPECT_CLOSE("force and difference of energies", worst, 0, 6e-10);
}
END_TEST

/* Free and closed rods have no torque. */
START_TEST(torques)
{
    double worst = 0;
    for (uint64_t n = 0; n < TRIES * KINDS; n++) {
        if (n % KINDS == 1 || n % KINDS == 2) continue;
        sample s;
        double sum[3] = {0}, one[3];
        draw_rod(&s, n, RIBBON, 0.3, n % 3 == 0);
        frames_force(&s.rod, s.frame, 0);
        for (uint32_t j = 0; j < s.rod.edges; j++) {
            cross3(s.edge[j].way, s.edge[j].force, one);
            for (int k = 0; k < 3; k++) sum[k] += one[k];
        }
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(sum[k]));
    }
    EXPECT_CLOSE("torque", worst, 0, 1e-14);
}
END_TEST

/* A round rod, straight at rest, whose ends are held, has the energy and the forces of rod_math.h. */
START_TEST(round_rods)
{
    double off = 0, twist = 0;
    for (uint64_t n = 2; n < TRIES * KINDS; n += KINDS) {
        sample s;
        draw_rod(&s, n, ROUND, 0.3, false);
        frames_force(&s.rod, s.frame, 0);
        double force[POINTS][3], length = 0;
        for (uint32_t j = 0; j < s.rod.edges; j++) memcpy(force[j], s.edge[j].force, sizeof force[j]);
        for (uint32_t j = 0; j < s.rod.joints; j++) length += s.edge[j].span;
        s.rod.torsion = 0.3 / length;
        const double all = frames_twist(&s.rod, s.frame);
        const rod_energy round = rod_energy_of(&s.rod, all), framed = frames_energy_of(&s.rod, s.frame);
        off = fmax(off, fmax(fabs(round.bend - framed.bend), fabs(round.twist - framed.twist)));
        rod_force(&s.rod, all);
        for (uint32_t j = 0; j < s.rod.edges; j++)
            for (int k = 0; k < 3; k++) off = fmax(off, fabs(force[j][k] - s.edge[j].force[k]));
        twist = fmax(twist, fabs(all - s.rod.first));
    }
    ck_assert(twist > 0.1);
    EXPECT_CLOSE("energies and forces", off, 0, 2.2e-14);
}
END_TEST

/* ---- damping ----------------------------------------------------------------------------------------------------- */

static void set_speeds(sample *s, uint64_t n, uint64_t index, bool rigid)
{
    double spin[3];
    for (uint64_t k = 0; k < 3; k++) spin[k] = draw(n, index + k, -1, 1);
    for (uint32_t j = 0; j < s->rod.edges; j++) {
        cross3(spin, s->edge[j].way, s->edge[j].speed);
        for (uint64_t k = 0; k < 3 && !rigid; k++) s->edge[j].speed[k] = draw(n, index + 3 * j + k, -1, 1);
    }
    double sum[3] = {0}; /* a closed rod remains closed */
    for (uint32_t j = 0; j < s->rod.edges; j++)
        for (int k = 0; k < 3; k++) sum[k] += s->edge[j].speed[k] / s->rod.edges;
    for (uint32_t j = 0; rod_is_closed(&s->rod) && j < s->rod.edges; j++)
        for (int k = 0; k < 3; k++) s->edge[j].speed[k] -= sum[k];
}

/* The drag is that of a quadratic form (Rayleigh) that is positive and that rigid rotations do not change. */
START_TEST(drags)
{
    double rigid = 0, torque = 0, symmetric = 0, least = INFINITY;
    for (uint64_t n = 0; n < TRIES * KINDS; n++) {
        sample s;
        double speed[2][POINTS][3], drag[2][POINTS][3], power[2][2] = {{0}}, sum[3] = {0}, one[3];
        draw_rod(&s, n, RIBBON, 0.3, n % 3 == 0);
        s.rod.damping = 1;
        const bool held = s.held[0] || s.held[s.rod.edges - 1];
        set_speeds(&s, n, 300, true);
        frames_force(&s.rod, s.frame, 0);
        for (uint32_t j = 0; !held && j < s.rod.edges; j++)
            for (int k = 0; k < 3; k++) rigid = fmax(rigid, fabs(s.edge[j].drag[k]));
        for (int m = 0; m < 2; m++) {
            set_speeds(&s, n, 400 + 100 * (uint64_t)m, false);
            frames_force(&s.rod, s.frame, 0);
            for (uint32_t j = 0; j < s.rod.edges; j++) {
                memcpy(speed[m][j], s.edge[j].speed, sizeof speed[m][j]);
                memcpy(drag[m][j], s.edge[j].drag, sizeof drag[m][j]);
                cross3(s.edge[j].way, s.edge[j].drag, one);
                for (int k = 0; k < 3; k++) sum[k] += one[k];
            }
        }
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                for (uint32_t j = 0; j < s.rod.edges; j++) power[a][b] -= dot3(drag[a][j], speed[b][j]);
        for (int k = 0; !held && k < 3; k++) torque = fmax(torque, fabs(sum[k]));
        symmetric = fmax(symmetric, fabs(power[0][1] - power[1][0]));
        least = fmin(least, fmin(power[0][0], power[1][1]));
    }
    EXPECT_CLOSE("drag of rigid rotations", rigid, 0, 2e-14);
    EXPECT_CLOSE("torque of the drag", torque, 0, 4e-14);
    EXPECT_CLOSE("difference of mixed powers", symmetric, 0, 9e-14);
    ck_assert(least > 0);
}
END_TEST

/* ---- exact solutions --------------------------------------------------------------------------------------------- */

static void set_lengths(sample *s)
{
    for (uint32_t j = 0; j < s->rod.edges; j++) s->edge[j].length = s->edge[j].size;
    for (uint32_t j = 0; j < s->rod.joints; j++) s->edge[j].span = 0.5 * (s->edge[j].length + s->edge[j + 1].length);
}

static void set_helix(sample *s, uint32_t edges, double radius, double pitch, double length)
{
    const double ends = length / sqrt(radius * radius + pitch * pitch);
    s->rod.edges = edges;
    s->rod.joints = edges - 1;
    for (uint32_t j = 0; j < edges; j++) {
        const double a = ends * j / edges, b = ends * (j + 1) / edges;
        s->edge[j].way[0] = radius * (cos(b) - cos(a));
        s->edge[j].way[1] = radius * (sin(b) - sin(a));
        s->edge[j].way[2] = pitch * (b - a);
    }
    rod_look(&s->rod);
}

/* The binormal of a joint, normal to an edge, and the direction that completes them. */
static void find_binormal(const elastic_rod *r, uint32_t j, uint32_t joint, double u[3], double side[3])
{
    memcpy(u, r->edge[joint].bend, sizeof r->edge[joint].bend);
    rod_set_normal(u, r->edge[j].unit);
    cross3(r->edge[j].unit, u, side);
}

static double director_angle(const elastic_rod *r, const rod_frame *f, uint32_t j, uint32_t joint)
{
    double u[3], side[3];
    find_binormal(r, j, joint, u, side);
    return atan2(dot3(side, f[j].director), dot3(u, f[j].director));
}

/* The angle of a director to the binormal is kept: it rotates with the frame of Frenet. */
static void hold_director(const elastic_rod *r, rod_frame *f, uint32_t j, uint32_t joint, double angle)
{
    double u[3], side[3];
    find_binormal(r, j, joint, u, side);
    for (int k = 0; k < 3; k++) f[j].director[k] = cos(angle) * u[k] + sin(angle) * side[k];
    memcpy(f[j].tangent, r->edge[j].unit, sizeof f[j].tangent);
}

/* A round helix whose curvature and torsion change from (k, t) to (k', t') has the energy B (k' - k)^2 / 2 + G J (t' - t)^2 / 2 per length
 * (Kirchhoff; Love, Mathematical Theory of Elasticity, sec. 270). Relative error. */
static double helix_energy(uint32_t edges)
{
    static sample s;
    static const double bend = 2, torsion = 1.5, radius[2] = {1, 0.7}, pitch[2] = {0.2, 0.35}, length = 9;
    s = (sample){.rod = {.bend = bend}};
    elastic_rod *r = &s.rod;
    r->edge = s.edge;
    r->frames = &s.frames;
    s.frames =
        (rod_frames){.bend = {bend, bend}, .torsion = torsion, .rest = s.rest, .equation = s.equation, .held = s.held};
    s.held[0] = s.held[edges - 1] = true;
    set_helix(&s, edges, radius[0], pitch[0], length);
    set_lengths(&s);
    frames_begin(r, s.frame, (double[3]){0, 0, 1}, true);
    const double angle[2] = {director_angle(r, s.frame, 0, 0), director_angle(r, s.frame, edges - 1, edges - 2)};
    set_helix(&s, edges, radius[1], pitch[1], length);
    hold_director(r, s.frame, 0, 0, angle[0]);
    hold_director(r, s.frame, edges - 1, edges - 2, angle[1]);
    frames_advance(r, s.frame, 0);
    const rod_energy e = frames_energy_of(r, s.frame);
    double change[2], spans = 0;
    for (uint32_t j = 0; j < r->joints; j++) spans += s.edge[j].span;
    for (int k = 0; k < 2; k++) {
        const double size[2] = {pow(radius[0], 2) + pow(pitch[0], 2), pow(radius[1], 2) + pow(pitch[1], 2)};
        change[k] = k == 0 ? radius[1] / size[1] - radius[0] / size[0] : pitch[1] / size[1] - pitch[0] / size[0];
    }
    change[1] *= (r->joints - 1.0) / r->joints; /* from the first joint to the last */
    return (e.bend + e.twist) / (0.5 * spans * (bend * pow(change[0], 2) + torsion * pow(change[1], 2))) - 1;
}

START_TEST(helices)
{
    double before = 0;
    for (uint32_t n = 45; n <= 180; n *= 2) {
        const double off = helix_energy(n);
        printf("  %u edges: energy of a deformed helix: %.3e\n", n, off);
        if (n > 45) EXPECT_CLOSE("order", log2(before / off), 2, 0.1);
        before = off;
    }
}
END_TEST

/* Number of displacements of points 2 to `edges` across the plane of bending that lower the energy: negative eigenvalues of its second
 * derivatives. */
static int unstable_ways(const sample *at)
{
    enum { FREE = 64 };
    static double h[FREE][FREE];
    static sample s;
    const uint32_t edges = at->rod.edges, free = edges - 1;
    static const double step = 3e-8;
    for (uint32_t c = 0; c < free; c++)
        for (int sign = -1; sign <= 1; sign += 2) {
            s = *at;
            s.rod.edge = s.edge;
            s.rod.frames = &s.frames;
            s.frames.rest = s.rest;
            s.frames.equation = s.equation;
            s.frames.held = s.held;
            s.edge[c + 1].way[1] += sign * step;
            if (c + 2 < edges) s.edge[c + 2].way[1] -= sign * step;
            rod_look(&s.rod);
            frames_advance(&s.rod, s.frame, 0);
            frames_force(&s.rod, s.frame, 0);
            for (uint32_t i = 0; i < free; i++) {
                const double force = s.edge[i + 1].force[1] - (i + 2 < edges ? s.edge[i + 2].force[1] : 0);
                h[c][i] = (sign < 0 ? 0 : h[c][i]) - sign * force / (2 * step);
            }
        }
    return negative_eigenvalues(free, FREE, h[0]);
}

/* A cantilever of length 1 along x from the end of its first edge, which is held, bent in the plane x, z by a load at its end. The width
 * is along z, and the stiffness there so large that the shape is that of the moments along a straight one. */
static bool ribbon_is_stable(const void *count, double load)
{
    const uint32_t edges = *(const uint32_t *)count;
    static sample s;
    static const double stiff = 1e5;
    s = (sample){.rod = {.stretch = 1, .edges = edges + 1, .joints = edges}};
    elastic_rod *r = &s.rod;
    r->edge = s.edge;
    r->frames = &s.frames;
    s.frames = (rod_frames){.bend = {1, stiff}, .torsion = 1, .rest = s.rest, .equation = s.equation, .held = s.held};
    s.held[0] = true;
    for (int bent = 0; bent < 2; bent++) {
        double angle = 0;
        for (uint32_t j = 0; j <= edges; j++) {
            s.edge[j].way[0] = cos(angle) / edges;
            s.edge[j].way[1] = 0;
            s.edge[j].way[2] = -sin(angle) / edges;
            if (bent) angle += 2 * atan(0.5 * load * (1 - (double)j / edges) * s.edge[j].span / stiff);
        }
        rod_look(r);
        if (bent) break;
        set_lengths(&s);
        s.edge[0].span *= 0.5;
        frames_begin(r, s.frame, (double[3]){0, 0, 1}, false);
    }
    frames_advance(r, s.frame, 0);
    return unstable_ways(&s) == 0;
}

/* Prandtl, Michell (1899): a deep cantilever buckles sideways at the load 4.01260 sqrt(E I G J) / L^2. */
START_TEST(ribbons_buckle)
{
    static const double exact = 4.0125990;
    double before = 0;
    for (uint32_t n = 16; n <= 32; n *= 2) {
        const double off = critical_load(ribbon_is_stable, &n, exact) / exact - 1;
        printf("  %u edges: critical load over the exact one, less 1: %.3e\n", n, off);
        if (n > 16) EXPECT_CLOSE("order", log2(before / off), 2, 0.1);
        before = off;
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("rods");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, directors_are_in_equilibrium);
    tcase_add_test(c, forces_are_gradients);
    tcase_add_test(c, torques);
    tcase_add_test(c, round_rods);
    tcase_add_test(c, drags);
    tcase_add_test(c, helices);
    tcase_add_test(c, ribbons_buckle);
    return suite_run("rod_frames", c);
}
