/* Detects solvers of time stepping that miss the solution, or change what they must not. Compiled here for two
 * dimensions, in test_steps_solvers_3d.c for three. */
#ifndef CAROM_DIM
#define CAROM_DIM 2
#endif
#include "../support/dice.h"
#include "../support/expect.h"
#include "../support/suite.h"
#include "aggregation/kernel/steps/solvers.h"

enum { SPHERES = 40 };

typedef struct cloud {
    problem p;
    double start[SPHERES][DIM], mass[SPHERES], radius[SPHERES];
} cloud;

static dice die;

static double uniform(double low, double high)
{
    return dice_real(&die, low, high);
}

static const char *const solvers[] = {"sor", "newton", "daha", "aha"};

/* The non-smooth constraint gives the plain algorithm damping; with the smooth one it has none. */
static steps_settings settings_of(int solver)
{
    return (steps_settings){
        .solver = solver,
        .tolerance = 1e-8,
        .relaxation = 1.3,
        .iterations = 20000,
        .daha = {.alpha2 = 0.03, .beta = 1, .gamma = 0.3, .damping = 0.8, .lambda = -1},
        .aha = {.alpha2 = 0.1, .beta = 0.1, .lambda = -1, .constraint = CONSTRAINT_NON_SMOOTH},
    };
}

static void add_sphere(cloud *c, const double at[DIM], double radius, double mass)
{
    uint32_t n = problem_add_node(&c->p, c->p.node_count, mass);
    ck_assert_uint_lt(n, SPHERES);
    for (int k = 0; k < DIM; k++) c->start[n][k] = at[k];
    c->mass[n] = mass;
    c->radius[n] = radius;
}

static void add_link(cloud *c, uint32_t a, uint32_t b)
{
    double r[DIM];
    for (int k = 0; k < DIM; k++) r[k] = c->start[a][k] - c->start[b][k];
    ck_assert_uint_ne(problem_add_bond(&c->p, a, b, r, c->radius[a] + c->radius[b]), NONE);
}

/* The worst of the overlaps and of the gaps, of contact distances. */
static void strains(const cloud *c, double *overlap, double *gap)
{
    *overlap = *gap = 0;
    for (uint32_t n = 0; n < c->p.bond_count; n++) {
        double r[DIM];
        bond_now(&c->p, &c->p.bonds[n], r);
        double strain = sqrt(dot(r, r)) / c->p.bonds[n].length - 1;
        *overlap = fmax(*overlap, -strain);
        *gap = fmax(*gap, strain);
    }
}

/* How far the centre of mass has moved. */
static double drift(const cloud *c)
{
    double sum[DIM] = {0}, mass = 0;
    for (uint32_t n = 0; n < c->p.node_count; n++) {
        mass += c->mass[n];
        for (int k = 0; k < DIM; k++) sum[k] += c->mass[n] * c->p.nodes[n].u[k];
    }
    return sqrt(dot(sum, sum)) / mass;
}

static solution solve(cloud *c, const steps_settings *settings)
{
    solution s = problem_solve(&c->p, settings, 1);
    double overlap, gap;
    strains(c, &overlap, &gap);
    printf("%s: %llu iterations%s%s, overlap %.2g, gap %.2g, centre of mass moved by %.2g\n", solvers[settings->solver],
           (unsigned long long)s.iterations, s.converged ? "" : ", not converged", s.fell_back ? ", fell back" : "",
           overlap, gap, drift(c));
    return s;
}

static void expect_contact(cloud *c, const steps_settings *settings)
{
    double overlap, gap;
    solution s = solve(c, settings);
    ck_assert(s.converged);
    ck_assert(!s.fell_back);
    strains(c, &overlap, &gap);
    EXPECT_CLOSE("overlap", overlap, 0, 2 * settings->tolerance);
    EXPECT_CLOSE("gap", gap, 0, 2 * settings->tolerance);
    EXPECT_CLOSE("motion of the centre of mass", drift(c), 0, 1e-12);
}

/* Two overlapping spheres of masses 1 and 3 part along their line, the light one three times as far. */
START_TEST(test_pair)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    add_sphere(&c, (double[3]){0, 0, 0}, 0.5, 1);
    add_sphere(&c, (double[3]){0.6, 0.3, 0}, 0.4, 3);
    add_link(&c, 0, 1);
    double distance = sqrt(0.45), way = (0.9 - distance) / distance;
    expect_contact(&c, &settings);
    EXPECT_CLOSE("x of the light one", c.p.nodes[0].u[0], -0.75 * way * 0.6, 1e-7);
    EXPECT_CLOSE("y of the light one", c.p.nodes[0].u[1], -0.75 * way * 0.3, 1e-7);
    EXPECT_CLOSE("x of the heavy one", c.p.nodes[1].u[0], 0.25 * way * 0.6, 1e-7);
    problem_free(&c.p);
}
END_TEST

/* One centre upon the other: no direction is better than another, but there is a way out. */
START_TEST(test_coincident)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    add_sphere(&c, (double[3]){0}, 0.5, 1);
    add_sphere(&c, (double[3]){0}, 0.5, 1);
    add_link(&c, 0, 1);
    double overlap, gap;
    ck_assert(solve(&c, &settings).converged);
    strains(&c, &overlap, &gap);
    EXPECT_CLOSE("overlap", overlap, 0, 2 * settings.tolerance);
    problem_free(&c.p);
}
END_TEST

START_TEST(test_triangle)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    add_sphere(&c, (double[3]){0, 0, 0}, 0.5, 1);
    add_sphere(&c, (double[3]){0.9, 0.1, 0}, 0.5, 2);
    add_sphere(&c, (double[3]){0.4, 0.8, 0.1}, 0.5, 1);
    add_link(&c, 0, 1);
    add_link(&c, 1, 2);
    add_link(&c, 0, 2);
    expect_contact(&c, &settings);
    problem_free(&c.p);
}
END_TEST

/* A chain in contact, hit at one end. */
START_TEST(test_chain)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    die.state = 5;
    double at[3] = {0};
    for (uint32_t n = 0; n < 12; n++) {
        add_sphere(&c, at, 0.5, 1);
        double angle = uniform(-0.8, 0.8), step = n == 0 ? 0.8 : 1;
        at[0] += step * cos(angle);
        at[1] += step * sin(angle);
        if (n > 0) add_link(&c, n - 1, n);
    }
    expect_contact(&c, &settings);
    problem_free(&c.p);
}
END_TEST

/* Trees with sizes and masses of all kinds, bonds too short and too long. */
static void random_tree(cloud *c, uint64_t seed)
{
    die.state = seed;
    for (uint32_t n = 0; n < SPHERES; n++) {
        double radius = uniform(0.3, 0.6), r[DIM], at[DIM] = {0};
        uint32_t to = n > 0 ? (uint32_t)uniform(n > 4 ? n - 4 : 0, n) : 0;
        for (int k = 0; k < DIM; k++) r[k] = uniform(-1, 1);
        double stretch = uniform(0.85, 1.05) * (radius + c->radius[to]) / sqrt(dot(r, r));
        for (int k = 0; k < DIM; k++) at[k] = n > 0 ? c->start[to][k] + stretch * r[k] : 0;
        add_sphere(c, at, radius, uniform(0.5, 2));
        if (n > 0) add_link(c, to, n);
    }
}

START_TEST(test_trees)
{
    for (int solver = 0; solver < 4; solver++)
        for (uint64_t seed = 1; seed <= 25; seed++) {
            steps_settings settings = settings_of(solver);
            cloud c = {0};
            random_tree(&c, seed);
            expect_contact(&c, &settings);
            problem_free(&c.p);
        }
}
END_TEST

/* One more than can touch each other all: none may overlap, and what stays open is marked as slack. */
START_TEST(test_frustrated)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    die.state = 9;
    for (uint32_t n = 0; n < DIM + 2; n++) {
        double at[DIM];
        for (int k = 0; k < DIM; k++) at[k] = uniform(-0.5, 0.5);
        add_sphere(&c, at, 0.5, uniform(1, 2));
        for (uint32_t m = 0; m < n; m++) add_link(&c, m, n);
    }
    double overlap, gap;
    solution s = solve(&c, &settings);
    ck_assert(s.converged);
    strains(&c, &overlap, &gap);
    EXPECT_CLOSE("overlap", overlap, 0, 2 * settings.tolerance);
    ck_assert_msg(gap > 0.1, "no gap in a state that must have one");
    ck_assert_msg(gap < 1, "torn apart");
    EXPECT_CLOSE("motion of the centre of mass", drift(&c), 0, 1e-10);
    uint32_t slack = 0;
    for (uint32_t n = 0; n < c.p.bond_count; n++) slack += c.p.bonds[n].slack;
    if (settings.solver == SOLVER_SOR || s.fell_back) ck_assert_uint_ge(slack, 1);
    problem_free(&c.p);
}
END_TEST

/* At a wall the one that cannot give way leaves it to the other; iterations that swing may leave the wall. */
START_TEST(test_wall)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    add_sphere(&c, (double[3]){0.5, 0, 0}, 0.5, 1);
    add_sphere(&c, (double[3]){1.2, 0, 0}, 0.5, 1);
    add_link(&c, 0, 1);
    c.p.nodes[0].low[0] = 0;
    ck_assert(solve(&c, &settings).converged);
    double at = c.p.nodes[0].u[0];
    printf("the one at the wall is %g off it\n", at);
    ck_assert(at >= 0);
    if (_i <= SOLVER_NEWTON) ck_assert(at == 0);
    EXPECT_CLOSE("the other", c.p.nodes[1].u[0], at + 0.3, 1e-7);
    problem_free(&c.p);
}
END_TEST

/* A sphere that may go a third of its way leaves the rest to the other; what it went earlier in the step counts.
 * Iterations that swing may come back from the bound. */
START_TEST(test_bound)
{
    steps_settings settings = settings_of(_i);
    for (int earlier = 0; earlier < 2; earlier++) {
        cloud c = {0};
        add_sphere(&c, (double[3]){0, 0, 0}, 0.5, 1);
        add_sphere(&c, (double[3]){0.7, 0, 0}, 0.5, 1);
        add_link(&c, 0, 1);
        c.p.nodes[0].reach = 0.05;
        c.p.nodes[0].shift[0] = earlier ? -0.02 : 0;
        ck_assert(solve(&c, &settings).converged);
        const double way = earlier ? 0.03 : 0.05;
        const double went = c.p.nodes[0].u[0] + c.p.nodes[0].shift[0];
        if (settings.solver <= SOLVER_NEWTON) EXPECT_CLOSE("the one with a bound", c.p.nodes[0].u[0], -way, 1e-15);
        ck_assert_msg(fabs(went) <= 0.05 * (1 + 1e-15), "it went %g", went);
        EXPECT_CLOSE("the other", c.p.nodes[1].u[0], 0.3 + c.p.nodes[0].u[0], 1e-7);
        problem_free(&c.p);
    }
}
END_TEST

/* Both are bounded so that they cannot part: no solver says that they have. */
START_TEST(test_bound_too_small)
{
    steps_settings settings = settings_of(_i);
    cloud c = {0};
    add_sphere(&c, (double[3]){0, 0, 0}, 0.5, 1);
    add_sphere(&c, (double[3]){0.7, 0, 0}, 0.5, 1);
    add_link(&c, 0, 1);
    c.p.nodes[0].reach = c.p.nodes[1].reach = 0.14;
    solution s = solve(&c, &settings);
    ck_assert(!s.converged);
    ck_assert(s.fell_back == (settings.solver != SOLVER_SOR));
    problem_free(&c.p);
}
END_TEST

/* A pair a little out of contact, in small pseudo-time: it comes to rest above the bound on gamma, and not below. */
static bool settles(steps_settings settings)
{
    cloud c = {0};
    settings.iterations = 100000;
    settings.tolerance = 1e-10;
    add_sphere(&c, (double[3]){0}, 0.5, 1);
    add_sphere(&c, (double[3]){0.9999, 0, 0}, 0.5, 1);
    add_link(&c, 0, 1);
    solution s = solver_table[settings.solver].solve(&c.p, &settings, 0.02);
    double overlap, gap;
    strains(&c, &overlap, &gap);
    printf("gamma %g: %s after %llu iterations\n", settings.daha.gamma, s.converged ? "at rest" : "not at rest",
           (unsigned long long)s.iterations);
    problem_free(&c.p);
    return s.converged;
}

static bool is_accepted(const steps_settings *settings)
{
    error e = {0};
    steps_settings complete = *settings;
    complete.aha = (steps_hurwicz){.alpha2 = 0.1, .beta = 0.5, .lambda = -1}; /* the defaults */
    bool accepted = steps_settings_check(&complete, &(scene){0}, "steps", &e) == CAROM_OK;
    if (!accepted) printf("%s\n", error_text(&e));
    error_clear(&e);
    return accepted;
}

/* With the multipliers' own damping the bound is another; the settings know both. */
START_TEST(test_stability_bound)
{
    static const struct {
        int constraint;
        double alpha2, beta, damping, multiplier_damping, bound;
    } cases[] = {
        {CONSTRAINT_SMOOTH, 0.03, 1, 0.8, 0, 2 * 0.03 * 1 / 0.8},
        {CONSTRAINT_SMOOTH, 0.02, 2, 0.5, 0, 2 * 0.02 * 2 / 0.5},
        {CONSTRAINT_NON_SMOOTH, 0.02, 2, 0.5, 0, 0.02 * 2 / 0.5 - 0.02},
    };
    steps_settings settings = settings_of(SOLVER_DAHA);
    const int n = _i;
    settings.daha = (steps_hurwicz){.alpha2 = cases[n].alpha2,
                                    .beta = cases[n].beta,
                                    .damping = cases[n].damping,
                                    .lambda = -1,
                                    .constraint = cases[n].constraint};
    settings.daha.gamma = 1.1 * cases[n].bound;
    ck_assert(is_accepted(&settings));
    ck_assert(settles(settings));
    settings.daha.gamma = 0.9 * cases[n].bound;
    ck_assert(!is_accepted(&settings));
    ck_assert(!settles(settings));
}
END_TEST

START_TEST(test_multiplier_damping)
{
    steps_settings settings = settings_of(SOLVER_DAHA);
    settings.daha.beta = 0.02;
    settings.daha.multiplier_damping = 0.5;
    cloud c = {0};
    random_tree(&c, 3);
    ck_assert(is_accepted(&settings));
    expect_contact(&c, &settings);
    problem_free(&c.p);
    settings.daha.beta = 5;
    ck_assert(!is_accepted(&settings));
    ck_assert(!settles(settings));
}
END_TEST

/* The plain algorithm swings for ever where the constraint is smooth: there the Lagrangian of a link has no second
 * derivative at the solution. In each half the largest of some 30 swings is met to a thirtieth of an iteration:
 * (0.2 / 30)^2 / 2 of it. */
START_TEST(test_plain_swings)
{
    steps_settings settings = settings_of(SOLVER_AHA);
    settings.aha = (steps_hurwicz){.alpha2 = 0.02, .beta = 0.5, .lambda = -1, .constraint = CONSTRAINT_SMOOTH};
    settings.tolerance = 0;
    double swing[2] = {0};
    for (settings.iterations = 1; settings.iterations <= 2000; settings.iterations++) {
        cloud c = {0};
        add_sphere(&c, (double[3]){0}, 0.5, 1);
        add_sphere(&c, (double[3]){0.9, 0, 0}, 0.5, 1);
        add_link(&c, 0, 1);
        ck_assert(!solver_table[settings.solver].solve(&c.p, &settings, 1).converged);
        double overlap, gap;
        strains(&c, &overlap, &gap);
        const int half = settings.iterations > 1000;
        swing[half] = fmax(swing[half], fmax(overlap, gap));
        problem_free(&c.p);
    }
    EXPECT_CLOSE("swing of iterations 1,001 to 2,000, of that before", swing[1] / swing[0], 1, 6e-5);
    EXPECT_CLOSE("swing", swing[0], 0.1, 0.01);
}
END_TEST

/* Hence it stalls, and sor takes over. */
START_TEST(test_fall_back)
{
    steps_settings settings = settings_of(SOLVER_AHA);
    settings.aha.constraint = CONSTRAINT_SMOOTH;
    settings.iterations = 500;
    cloud c = {0};
    random_tree(&c, 4);
    solution s = solve(&c, &settings);
    double overlap, gap;
    strains(&c, &overlap, &gap);
    ck_assert(s.converged && s.fell_back);
    ck_assert_uint_gt(s.iterations, 500);
    EXPECT_CLOSE("overlap", overlap, 0, 2 * settings.tolerance);
    problem_free(&c.p);
}
END_TEST

int main(void)
{
    TCase *solving = tcase_create("solving");
    tcase_add_loop_test(solving, test_pair, 0, 4);
    tcase_add_loop_test(solving, test_coincident, 0, 4);
    tcase_add_loop_test(solving, test_triangle, 0, 4);
    tcase_add_loop_test(solving, test_chain, 0, 4);
    tcase_add_test(solving, test_trees);
    tcase_add_loop_test(solving, test_frustrated, 0, 4);
    tcase_add_loop_test(solving, test_wall, 0, 4);
    tcase_add_loop_test(solving, test_bound, 0, 4);
    tcase_add_loop_test(solving, test_bound_too_small, 0, 4);
    tcase_add_loop_test(solving, test_stability_bound, 0, 3);
    tcase_add_test(solving, test_multiplier_damping);
    tcase_add_test(solving, test_plain_swings);
    tcase_add_test(solving, test_fall_back);
    return suite_run("steps", solving);
}
