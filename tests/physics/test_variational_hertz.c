/* Detects wrong contacts of elastic spheres in the engine `variational`: Hertz's duration, overlap and indentation, Mindlin's
 * shear, oblique impacts, restitution and the guarantee beyond Hertz's law, conservation, and the bits of
 * the reference, of threads and of resumed runs.
 * Sources: H. Hertz, J. reine angew. Math. 92, 156 (1882); K. L. Johnson, Contact Mechanics (1985), sections 4.2, 7.2, 11.4;
 * N. Maw, J. R. Barber, J. N. Fawcett, Wear 38, 101 (1976); S. F. Foerster, M. Y. Louge, H. Chang, K. Allia, Phys. Fluids 6,
 * 1108 (1994).
 * Bounds of what steps decide are three times the largest deviation of the cases. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/momenta.h"
#include "../support/suite.h"

static const double PI_ = 3.14159265358979323846;

/* ---- normal impacts ---------------------------------------------------------------------------------------------- */

/* What the ball hits. */
typedef struct target {
    const char *what, *rest;
    double young, poisson, radius, mass; /* radius, mass: infinite where it is flat or fixed; young infinite: rigid */
} target;

#define BALL_YOUNG 1e7
#define BALL_POISSON 0.3

/* A ball of diameter 1 and density 2, at a distance of 0.01 from it, with the velocity -v along z. */
#define HEAD_ON                                                                                                        \
    "box: {size: [8, 8, 8], boundary: open}\n"                                                                         \
    "species: {a: {diameter: 1, density: 2, young: 1e7, poisson: 0.3}, b: {diameter: 0.6, density: 5, young: 3e7, "    \
    "poisson: 0.1}}\n"

static const target targets[] = {
    {"a rigid plane",
     "particles: [{species: a, place: {at: [[4, 4, 4.51]]}, velocity: {each: [0, 0, %.17g]}}]\n"
     "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\n",
     INFINITY, 0, INFINITY, INFINITY},
    {"an elastic plane",
     "particles: [{species: a, place: {at: [[4, 4, 4.51]]}, velocity: {each: [0, 0, %.17g]}}]\n"
     "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\n"
     "contacts: [{between: [a, floor], young: 2e6, poisson: 0.45}]\n",
     2e6, 0.45, INFINITY, INFINITY},
    {"a ball of another material",
     "particles: [{species: a, place: {at: [[4, 4, 4.81]]}, velocity: {each: [0, 0, %.17g]}}, {species: b, place: {at: "
     "[[4, 4, 4]]}}]\n",
     3e7, 0.1, 0.3, 0.18 * 3.14159265358979323846},
    {"a rigid mesh of another material",
     "particles: [{species: a, place: {at: [[4.5, 3.5, 4.535]]}, velocity: {each: [0, 0, %.17g]}}]\n"
     "meshes: [{name: floor, shape: {rectangle: {length: 3, width: 3, along: 1, across: 1}}, place: {at: [4, 4, 4]}, "
     "thickness: 0.05, species: b, rigid: true}]\n",
     3e7, 0.1, INFINITY, INFINITY},
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* Largest overlap, and duration: 2 Gamma(1/2) Gamma(7/5) / Gamma(9/10) = 2.943 times overlap over speed. */
static void hertz_impact(const target *t, double v, double *overlap, double *duration)
{
    const double yield = (1 - BALL_POISSON * BALL_POISSON) / BALL_YOUNG +
                         (isinf(t->young) ? 0 : (1 - t->poisson * t->poisson) / t->young),
                 radius = 1 / (2 + 1 / t->radius), mass = 1 / (3 / PI_ + 1 / t->mass);
    *overlap = pow(15 * mass * v * v * yield / (16 * sqrt(radius)), 0.4);
    *duration = 2 * sqrt(PI_) * tgamma(1.4) / tgamma(0.9) * *overlap / v;
}

static double overlap_of(const play *p, const target *t)
{
    const double *x = carom_frame_positions(frame(p));
    const double z = frame(p)->count > 1 && !isinf(t->mass) ? x[2] - x[5] : x[2] - 4;
    return (strstr(t->rest, "meshes") != NULL ? 0.525 : isinf(t->radius) ? 0.5 : 0.5 + t->radius) - z;
}

/* The first and last moments of contact are found between kicks, in steps of 1/4000 of the duration. */
static void measure_impact(const target *t, double v, double found[3])
{
    char body[2000], rest[1200];
    double wanted[2];
    hertz_impact(t, v, &wanted[0], &wanted[1]);
    snprintf(rest, sizeof rest, t->rest, -v);
    snprintf(body, sizeof body, HEAD_ON "%s", rest);
    play p = open_scene(body, NULL);
    double deepest = 0, first = -1, last = 0;
    for (int k = 0; k < 5000; k++) {
        const double time = 0.01 / v + (k - 200) * wanted[1] / 4000;
        play_advance(&p, time);
        const double overlap = overlap_of(&p, t);
        if (overlap > 0 && first < 0) first = time;
        if (overlap > 0) last = time;
        deepest = fmax(deepest, overlap);
    }
    const double *u = carom_frame_velocities(frame(&p));
    found[0] = deepest / wanted[0] - 1;
    found[1] = (last - first) / wanted[1] - 1;
    found[2] = (u[2] - (frame(&p)->count > 1 && !isinf(t->mass) ? u[5] : 0)) / v - 1;
    printf("%s, speed %g: overlap %.6g (%+.2g), duration %.6g (%+.2g), ratio of speeds %+.2g\n", t->what, v, deepest,
           found[0], last - first, found[1], found[2]);
    play_close(&p);
}

START_TEST(hertz_impacts)
{
    static const double speeds[] = {0.01, 1, 10};
    double worst[3] = {0}, found[3];
    for (int n = 0; n < TARGETS; n++)
        for (int k = 0; k < 3; k++) {
            measure_impact(&targets[n], speeds[k], found);
            for (int q = 0; q < 3; q++) worst[q] = fmax(worst[q], fabs(found[q]));
        }
    EXPECT_CLOSE("overlap over Hertz's, worst error", worst[0], 0, 3.9e-4);
    EXPECT_CLOSE("duration over Hertz's, worst error", worst[1], 0, 1.5e-3); /* the steps of the search */
    EXPECT_CLOSE("ratio of speeds, worst error", worst[2], 0, 7.5e-5);
}
END_TEST

/* The duration falls as v^(-1/5), and e of a dissipative impact does not depend on the speed. */
START_TEST(restitution_at_all_speeds)
{
    double worst = 0;
    for (double v = 1e-3; v < 2e2; v *= 10)
        for (int k = 0; k < 3; k++) {
            static const double ratios[] = {0.97, 0.5, 0.2};
            char body[1000];
            snprintf(body, sizeof body,
                     HEAD_ON "particles: [{species: a, place: {at: [[4, 4, 4.51]]}, velocity: {each: [0, 0, -1]}}]\n"
                             "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\n"
                             "contacts: [{between: [a, floor], restitution: %g}]\n",
                     ratios[k]);
            char set[100];
            snprintf(set, sizeof set, "particles.0.velocity.each=[0, 0, %.17g]", -v);
            play p = open_scene(body, set);
            play_advance(&p, 0.01 / v + 0.1);
            worst = fmax(worst, fabs(carom_frame_velocities(frame(&p))[2] / v / ratios[k] - 1));
            play_close(&p);
        }
    EXPECT_CLOSE("restitution, worst relative error", worst, 0, 6e-15);
}
END_TEST

/* An impact far beyond Hertz's law: more layers act, and the ball returns. */
START_TEST(nothing_passes)
{
    char body[1000];
    snprintf(body, sizeof body,
             HEAD_ON "particles: [{species: a, place: {at: [[4, 4, 4.51]]}, velocity: {each: [0, 0, -1000]}}]\n"
                     "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\nvariational: {eta: 0.001}\n");
    play p = open_scene(body, NULL);
    play_advance(&p, 1e-3);
    json_t *summary = play_summary(&p);
    const double depth = play_number(json_object_get(summary, "layers"), "mean_depth");
    json_decref(summary);
    printf("%g layers\n", depth);
    ck_assert_double_gt(depth, 10);
    EXPECT_CLOSE("speed after the impact", carom_frame_velocities(frame(&p))[2] / 1000, 1, 0.0027);
    play_close(&p);
}
END_TEST

/* ---- at rest ----------------------------------------------------------------------------------------------------- */

/* A force along x on the first particle, from time 10 on. */
static double push_along(void *user, double time, const double *positions, double *forces)
{
    (void)positions;
    if (forces == NULL) return 0;
    memset(forces, 0, 3 * sizeof *forces);
    if (time > 10) forces[0] = *(const double *)user * fmin(time - 10, 1);
    return 0;
}

/* Weight W presses x = (9 W^2 / (16 E*^2 R))^(1/3) into the floor, in a circle of radius a = sqrt(R x). A force T along it moves
 * the ball by 3 mu W / (16 G* a) (1 - (1 - T / (mu W))^(2/3)), for small T by T / (8 G* a). (Mindlin.) */
START_TEST(indentation_and_shear)
{
    static const double poissons[] = {0, 0.3, 0.5}, shares[] = {0.01, 0.5, 0.9};
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < 3; n++) {
            char body[1000];
            const double nu = poissons[k], young = 1e6, weight = PI_ / 3, hertz = young / (1 - nu * nu);
            snprintf(body, sizeof body,
                     "box: {size: [8, 8, 8], boundary: open}\n"
                     "species: {a: {diameter: 1, density: 2, young: 1e6, poisson: %g}}\n"
                     "particles: [{species: a, place: {at: [[4, 4, 4.5001]]}}]\nfields: {gravity: [0, 0, -1]}\n"
                     "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\n"
                     "contacts: [{between: [a, floor], restitution: 0.3, friction: 1}]\nvariational: {eta: 0.001, "
                     "courant: 0.005}\n",
                     nu);
            play p = open_scene(body, NULL);
            double force = shares[n] * weight;
            const carom_potential potential = {.step = 1e-5, .force = push_along, .user = &force};
            ck_assert_int_eq(carom_sim_add_potential(p.sim, &potential), CAROM_OK);
            const double whole = budget(&p), sunk = pow(9 * weight * weight / (16 * hertz * hertz * 0.5), 1.0 / 3);
            play_advance(&p, 10);
            const double x = carom_frame_positions(frame(&p))[0], depth = 4.5 - carom_frame_positions(frame(&p))[2];
            EXPECT_CLOSE("indentation over Hertz's", depth / sunk, 1, 4.5e-6);
            EXPECT_CLOSE("energy balance", budget(&p) / whole, 1, 9.5e-11);
            play_advance(&p, 13);
            const double area = 8 * young / (2 * (1 + nu)) / (2 - nu) * sqrt(0.5 * depth),
                         wanted = 1.5 * weight / area * (1 - pow(1 - shares[n], 2.0 / 3));
            printf("T = %g mu W: ", shares[n]);
            EXPECT_CLOSE("shear over Mindlin's", (carom_frame_positions(frame(&p))[0] - x) / wanted, 1, 0.038);
            play_close(&p);
        }
}
END_TEST

/* ---- oblique impacts --------------------------------------------------------------------------------------------- */

/* Velocity of the surface along x after an impact with the normal speed 1, in units of mu; before it psi / kappa. */
static double local_angle(double psi, double poisson, double friction, double restitution, double *balance)
{
    char body[1200];
    const double kappa = 2 * (1 - poisson) / (2 - poisson), along = psi * friction / kappa;
    snprintf(body, sizeof body,
             "box: {size: [8, 8, 8], boundary: open}\n"
             "species: {a: {diameter: 1, density: 2, young: 1e13, poisson: %.17g}}\n"
             "particles: [{species: a, place: {at: [[4, 4, 4.51]]}, velocity: {each: [%.17g, 0, -1]}}]\n"
             "planes: [{name: floor, point: [0, 0, 4], normal: [0, 0, 1]}]\n"
             "contacts: [{between: [a, floor], restitution: %.17g, friction: %.17g}]\n"
             "variational: {rotation: true, courant: 0.01}\n",
             poisson, along, restitution, friction);
    play p = open_scene(body, NULL);
    const double whole = budget(&p);
    play_advance(&p, 0.02);
    *balance = fmax(*balance, fabs(budget(&p) / whole - 1));
    const double after = carom_frame_velocities(frame(&p))[0] - 0.5 * frame(&p)->spin[1];
    play_close(&p);
    return kappa * after / friction;
}

/* From psi = 4 chi - 1 on, chi = 7 kappa / 4, the surfaces slide throughout: psi' = psi - 4 chi. Below they stick before the
 * end, and the surface of the ball has less than that speed. */
START_TEST(gross_sliding)
{
    static const double poissons[] = {0, 0.3, 0.5};
    double balance = 0, worst = 0;
    for (int k = 0; k < 3; k++) {
        const double chi = 3.5 * (1 - poissons[k]) / (2 - poissons[k]);
        for (int n = 0; n < 4; n++) {
            const double psi = 4 * chi - 1 + 0.02 + n;
            worst = fmax(worst, fabs(local_angle(psi, poissons[k], 0.1, 1, &balance) - (psi - 4 * chi)));
        }
        const double before = local_angle(4 * chi - 1.3, poissons[k], 0.1, 1, &balance);
        printf("nu = %g: %.6g at 4 chi - 1.3\n", poissons[k], before);
        ck_assert_double_gt(before, -1.3 + 0.01);
    }
    EXPECT_CLOSE("psi' in gross sliding, worst error", worst, 0, 0.015);
    EXPECT_CLOSE("energy balance, worst error", balance, 0, 5.4e-15);
}
END_TEST

/* All angles, for nu = 0.22, by the method of annuli of Maw, Barber and Fawcett (validate/annuli.py, 30 annuli; 60 change them by
 * 0.001). Surfaces stick, slip in part, slip, or change between these. */
START_TEST(partial_slip)
{
    static const double angles[][2] = {{0.25, 0.06392}, {0.5, 0.09983}, {1, 0.05847},  {1.5, -0.27202}, {2, -0.68861},
                                       {3, -1.30352},   {4, -1.50337},  {5, -1.12230}, {6.5, 0.36517}};
    double worst = 0, balance = 0;
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        const double after = local_angle(angles[k][0], 0.22, 0.1, 1, &balance);
        printf("psi = %g: %.5f, by annuli %.5f\n", angles[k][0], after, angles[k][1]);
        worst = fmax(worst, fabs(after - angles[k][1]));
    }
    EXPECT_CLOSE("psi', largest error", worst, 0, 0.059);
    EXPECT_CLOSE("energy balance, worst error", balance, 0, 5.4e-15);
}
END_TEST

/* The same in the parameters of Foerster et al., with their e and mu of glass. */
START_TEST(sliding_glass)
{
    const double e = 0.97, mu = 0.092, kappa = 2 * (1 - 0.22) / (2 - 0.22);
    double balance = 0, worst = 0;
    for (int n = 0; n < 4; n++) {
        const double before = 0.7 + 0.3 * n,
                     after = local_angle(before * kappa / mu, 0.22, mu, e, &balance) * mu / kappa;
        worst = fmax(worst, fabs(after - (before - 3.5 * (1 + e) * mu)));
    }
    EXPECT_CLOSE("Psi2 in sliding, worst error", worst, 0, 1.6e-5);
    EXPECT_CLOSE("energy balance, worst error", balance, 0, 5.4e-15);
}
END_TEST

/* ---- many -------------------------------------------------------------------------------------------------------- */

/* Three materials, 1 : 30 : 1000 in stiffness, walls and a mesh. */
#define HEAP                                                                                                           \
    "seed: 4\nbox: {size: [5, 3, 5], boundary: [periodic, wall, wall]}\nfields: {gravity: [0, 0, -1]}\n"               \
    "species:\n  a: {diameter: 1, density: 2, young: 1e6, poisson: 0.3}\n"                                             \
    "  b: {diameter: {uniform: [0.5, 0.8]}, density: 5, young: 3e4, poisson: 0.45}\n"                                  \
    "  c: {diameter: 0.6, density: 8, young: 1e3, poisson: 0.5}\n"                                                     \
    "particles: [{species: {a: 1, b: 1, c: 1}, count: 24, place: random, velocity: {maxwell: 1}}]\n"                   \
    "contacts:\n  - {between: [a, a], restitution: 0.5, friction: 0.4, rolling_friction: 0.1}\n"                       \
    "  - {between: [a, b], restitution: 0.8, friction: 1, rolling_viscosity: 0.1}\n"                                   \
    "  - {between: [b, b], friction: 0.2}\n  - {between: [b, wall], restitution: 0, friction: 0.5}\n"                  \
    "  - {between: [a, c], restitution: {viscoelastic: 0.1}, friction: 0.3}\n"                                         \
    "  - {between: [a, wall], friction: 0.3, young: 1e5, poisson: 0.2}\nvariational: {rotation: true}\n"

START_TEST(reference_agrees)
{
    reference_gives_the_same(HEAP, 0.5, 4);
}
END_TEST

/* Halted in the midst of contacts, and continued from the file alone; also the reference. */
START_TEST(resumed_runs_agree)
{
    parts_give_the_same("hertz", HEAP, _i == 0 ? NULL : "variational.reference=true", 2);
}
END_TEST

/* A cluster in an open box: momentum, angular momentum, energy. */
START_TEST(conservation)
{
    play p = open_scene(
        "seed: 7\nbox: {size: 12, boundary: open}\n"
        "species:\n  a: {diameter: 1, density: 2, young: 1e5, poisson: 0.3}\n"
        "  b: {diameter: {uniform: [0.5, 0.8]}, density: 5, young: 3e4, poisson: 0.45}\n"
        "particles:\n"
        "  - {species: {a: 1, b: 1}, count: 40, place: {random: {region: {box: {from: [3, 3, 3], to: [7, 7, 7]}}}}, "
        "velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}\n"
        "contacts:\n  - {between: [a, a], restitution: 0.7, friction: 0.5, rolling_friction: 0.1, twisting_friction: "
        "0.2}\n  - {between: [a, b], friction: 0.3}\n  - {between: [b, b], restitution: 0.9}\nvariational: {rotation: "
        "true}\n",
        NULL);
    const double whole = budget(&p);
    const frame_energy first = frame_energy_of(frame(&p));
    const momenta before = momenta_of(frame(&p), NULL);
    play_advance(&p, 10);
    const momenta after = momenta_of(frame(&p), NULL);
    const frame_energy last = frame_energy_of(frame(&p));
    printf("%llu impacts, energy %g to %g\n", (unsigned long long)frame(&p)->events[EVENT_COLLISION], first.total,
           last.total);
    ck_assert_uint_gt(frame(&p)->events[EVENT_COLLISION], 10);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("angular momentum", after.angular[k], before.angular[k], 1.8e-13);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 2.7e-14);
    EXPECT_CLOSE("energy balance", budget(&p), whole, 1e-14 * whole);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, hertz_impacts);
    tcase_add_test(all, restitution_at_all_speeds);
    tcase_add_test(all, nothing_passes);
    tcase_add_test(all, indentation_and_shear);
    tcase_add_test(all, gross_sliding);
    tcase_add_test(all, partial_slip);
    tcase_add_test(all, sliding_glass);
    tcase_add_test(all, reference_agrees);
    tcase_add_loop_test(all, resumed_runs_agree, 0, 2);
    tcase_add_test(all, conservation);
    tcase_set_timeout(all, 300);
    return suite_run("variational hertz", all, NULL);
}
