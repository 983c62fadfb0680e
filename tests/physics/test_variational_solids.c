/* Detects bodies of meshes that do not turn, fall or bounce as the solid inside does, or are accounted for as their
 * vertices.
 * Bounds of what steps decide are three times the largest deviation of the cases. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <math.h>
#include <unistd.h>

static play open_scene(const char *body)
{
    static play_text text;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\ndimension: 3\nspecies: {a: {diameter: 0.4, mass: 0.5}}\n%s", body);
    return play_open(text.text, NULL);
}

/* ---- where a body is and how it turns, from its vertices ---------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Of three vectors and what a linear map makes of them, the map. */
static void map_of(const double from[3][3], const double to[3][3], double out[3][3])
{
    double c[3][3];
    for (int q = 0; q < 3; q++) cross(from[(q + 1) % 3], from[(q + 2) % 3], c[q]);
    const double volume = dot(from[0], c[0]);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            out[k][l] = 0;
            for (int q = 0; q < 3; q++) out[k][l] += to[q][k] * c[q][l] / volume;
        }
}

/* Edges from the first corner, of positions or velocities. */
static void edges_of(const carom_frame *f, const double *x, double out[3][3])
{
    const uint32_t *corner = f->solid[0].corner;
    for (int q = 0; q < 3; q++)
        for (int k = 0; k < 3; k++) out[q][k] = x[3 * corner[q + 1] + (size_t)k] - x[3 * corner[0] + (size_t)k];
}

/* The angular velocity, and along the axes of the body as it was at first. */
static void turning(const carom_frame *f, const double first[3][3], double spin[3], double within[3])
{
    double edge[3][3], rate[3][3], turn[3][3], map[3][3];
    edges_of(f, carom_frame_positions(f), edge);
    edges_of(f, carom_frame_velocities(f), rate);
    map_of(first, (const double(*)[3])edge, turn);
    map_of((const double(*)[3])edge, (const double(*)[3])rate, map);
    for (int k = 0; k < 3; k++) spin[k] = 0.5 * (map[(k + 2) % 3][(k + 1) % 3] - map[(k + 1) % 3][(k + 2) % 3]);
    for (int k = 0; k < 3; k++) within[k] = turn[0][k] * spin[0] + turn[1][k] * spin[1] + turn[2][k] * spin[2];
}

/* ---- tops --------------------------------------------------------------------------------------------------------- */

/* sn, cn, dn by the arithmetic-geometric mean (Abramowitz and Stegun, 16.4). */
static void jacobi(double u, double modulus2, double *sn, double *cn, double *dn)
{
    enum { STEPS = 12 };
    double a[STEPS], c[STEPS], b = sqrt(1 - modulus2), phi, before = 0;
    a[0] = 1;
    for (int n = 1; n < STEPS; n++) {
        a[n] = 0.5 * (a[n - 1] + b);
        c[n] = 0.5 * (a[n - 1] - b);
        b = sqrt(a[n - 1] * b);
    }
    phi = ldexp(a[STEPS - 1] * u, STEPS - 1);
    for (int n = STEPS - 1; n > 0; n--) {
        before = phi;
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = cos(phi) / cos(before - phi);
}

/* A roof 1 wide, 0.6 high and 1.6 long, density 3: a triangle's moments are width^2 / 24 and height^2 / 18. */
static const double roof_mass = 3 * 0.48, roof_square[3] = {1 / 24., 1.6 * 1.6 / 12, 0.36 / 18};
#define ROOF(place, spin)                                                                                              \
    "box: {size: 10, boundary: open}\nmeshes: [{name: roof, shape: {prism: {width: 1, height: 0.6, length: 1.6, "      \
    "along: 2}}, place: {at: " place "}, thickness: 0.05, velocity: [0.5, 0, 0.25]}]\n"                                \
    "bodies: [{name: roof, mesh: roof, density: 3, angular_velocity: " spin "}]\n"

/* Landau and Lifshitz, Mechanics, section 37: about y, -x and z the moments are in increasing order. */
START_TEST(free_top)
{
    const double inertia[3] = {roof_mass * (roof_square[0] + roof_square[2]),
                               roof_mass * (roof_square[1] + roof_square[2]),
                               roof_mass * (roof_square[0] + roof_square[1])},
                 start[3] = {1, 0, 2}, *i = inertia;
    double twice = 0, square = 0, first[3][3], worst = 0, spin[3], within[3], l0[3] = {0}, off = 0;
    for (int k = 0; k < 3; k++) {
        twice += inertia[k] * start[k] * start[k];
        square += inertia[k] * inertia[k] * start[k] * start[k];
    }
    const double rate = sqrt((i[2] - i[1]) * (square - twice * i[0]) / (i[0] * i[1] * i[2]));
    const double modulus2 = (i[1] - i[0]) * (twice * i[2] - square) / ((i[2] - i[1]) * (square - twice * i[0]));
    const double high[3] = {sqrt((twice * i[2] - square) / (i[0] * (i[2] - i[0]))),
                            sqrt((twice * i[2] - square) / (i[1] * (i[2] - i[1]))),
                            sqrt((square - twice * i[0]) / (i[2] * (i[2] - i[0])))};
    play p = open_scene(ROOF("[3, 5, 5]", "[0, 1, 2]") "run: {until: {time: 100}}\n");
    const carom_frame *f = carom_sim_frame(p.sim);
    edges_of(f, carom_frame_positions(f), first);
    const frame_energy energy = frame_energy_of(f);
    EXPECT_CLOSE("kinetic energy", energy.kinetic, 0.5 * twice + 0.5 * roof_mass * 0.3125,
                 4e-8); /* of the step ahead */
    EXPECT_CLOSE("momentum", energy.momentum[0], 0.5 * roof_mass, 2e-15);
    for (int n = 0; n <= 200; n++) {
        double sn, cn, dn;
        play_advance(&p, 0.1 * n);
        f = carom_sim_frame(p.sim);
        turning(f, (const double(*)[3])first, spin, within);
        jacobi(rate * 0.1 * n, modulus2, &sn, &cn, &dn);
        const double exact[3] = {-high[1] * sn, high[0] * cn, high[2] * dn};
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(within[k] - exact[k]));
        const frame_energy now = frame_energy_of(f);
        off = fmax(off, fabs(now.kinetic / energy.kinetic - 1));
        for (int k = 0; k < 3; k++) l0[k] = fmax(l0[k], fabs(now.momentum[k] - energy.momentum[k]));
    }
    printf("%.3g periods\n", rate * 20 / 6.28);
    EXPECT_CLOSE("angular velocity, off by at most", worst, 0, 8.5e-4);
    EXPECT_CLOSE("energy, off by at most", off, 0, 1.8e-8);
    EXPECT_CLOSE("momentum, off by at most", fmax(l0[0], fmax(l0[1], l0[2])), 0, 1.8e-15);
    play_close(&p);
}
END_TEST

/* In gravity, in flight and in kicks: a parabola, without a torque. */
START_TEST(falls)
{
    play p = open_scene(_i == 0 ? ROOF("[5, 5, 8]", "[0, 0, 0]") "fields: {gravity: [0, 0, -2]}\n"
                                                                 "run: {until: {time: 10}}\n"
                                : ROOF("[5, 5, 8]", "[0, 0, 0]") "fields: {gravity: [0, 0, -2]}\n"
                                                                 "variational: {gravity: kick, gravity_step: 0.001}\n"
                                                                 "run: {until: {time: 10}}\n");
    double first[3][3], spin[3], within[3];
    const carom_frame *f = carom_sim_frame(p.sim);
    edges_of(f, carom_frame_positions(f), first);
    EXPECT_CLOSE("potential energy", frame_energy_of(f).potential, 2 * roof_mass * (8 + 0.2), 5.4e-14);
    play_advance(&p, 2);
    f = carom_sim_frame(p.sim);
    turning(f, (const double(*)[3])first, spin, within);
    const frame_energy energy = frame_energy_of(f);
    /* a first kick by half a step too much leaves g h t / 2 = 2e-3 of the height */
    static const double high[] = {4e-14, 6e-3}, fast[] = {4e-15, 6e-13};
    EXPECT_CLOSE("height", energy.potential / 2 / roof_mass, 8.2 + 0.5 - 4, high[_i]);
    EXPECT_CLOSE("velocity", energy.momentum[2] / roof_mass, 0.25 - 4, fast[_i]);
    EXPECT_CLOSE("spin", fmax(fabs(spin[0]), fmax(fabs(spin[1]), fabs(spin[2]))), 0, 0);
    play_close(&p);
}
END_TEST

/* ---- impacts ------------------------------------------------------------------------------------------------------ */

/* A ball meets a face of a cube beside its middle: J = (1 + e) v / (1/m + 1/M + off^2 / I), I = M / 6. */
START_TEST(ball_hits_cube)
{
    const double e = _i == 0 ? 1 : 0.4, density = 2, off = 0.3, m = 0.5;
    char body[1000];
    snprintf(body, sizeof body,
             "box: {size: 10, boundary: open}\n"
             "particles: [{species: a, place: {at: [[3.9, 5.3, 5]]}, velocity: {each: [1, 0, 0]}}]\n"
             "meshes: [{name: cube, shape: {solid: {kind: cube, radius: %.17g}}, place: {at: [5, 5, 5]}, thickness: "
             "0.02}]\nbodies: [{name: cube, mesh: cube, density: %g}]\ncontacts: [{between: [a, a], restitution: %g}]\n"
             "variational: {eta: 0.002, stiffness: 5e6}\nrun: {until: {time: 10}}\n",
             sqrt(0.75), density, e);
    play p = open_scene(body);
    double first[3][3], spin[3], within[3];
    const double impulse = (1 + e) / (1 / m + 1 / density + off * off * 6 / density);
    const carom_frame *f = carom_sim_frame(p.sim);
    edges_of(f, carom_frame_positions(f), first);
    play_advance(&p, 0.6);
    f = carom_sim_frame(p.sim);
    turning(f, (const double(*)[3])first, spin, within);
    const frame_energy energy = frame_energy_of(f);
    EXPECT_CLOSE("ball", carom_frame_velocities(f)[0], 1 - impulse / m, 3e-4);
    EXPECT_CLOSE("spin of the cube", spin[2], -impulse * off * 6 / density, 5e-4);
    EXPECT_CLOSE("momentum", energy.momentum[0], m, 2.2e-15);
    EXPECT_CLOSE("energy and what was lost", frame_budget(f, &energy), 0.5 * m, 2.2e-7 * m);
    play_close(&p);
}
END_TEST

/* ---- going on ----------------------------------------------------------------------------------------------------- */

/* A brick tumbles on a floor: stopped and gone on with, it ends as if it had not been; and its result is sound. */
START_TEST(goes_on)
{
    static const char tumbling[] =
        "carom: 1\nengine: variational\ndimension: 3\nspecies: {a: {diameter: 0.4, mass: 1}}\n"
        "box: {size: 4, boundary: wall}\nfields: {gravity: [0, 0, -3]}\n"
        "meshes: [{name: roof, shape: {prism: {width: 1, height: 0.6, length: 1.6, along: 2}}, place: {at: [2, 2, "
        "1.5], "
        "rotate: {axis: [1, 2, 0.5], angle: 0.8}}, thickness: 0.1}]\n"
        "bodies: [{name: roof, mesh: roof, density: 3, angular_velocity: [1, 2, 0]}]\n"
        "contacts: [{between: [a, wall], restitution: 0.5, friction: 0.3}]\nrun: {until: {time: 1.5}}\n"
        "output: {frames: {every: 0.1}}\n";
    char path[100], checkpoint[120], *report = NULL;
    snprintf(path, sizeof path, "solid-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = play_open(tumbling, NULL);
    play_run(&whole, CAROM_STOP_TIME);
    ck_assert_uint_gt(carom_sim_frame(whole.sim)->events[EVENT_WALL], 2);
    carom_options options = {.output = path, .force = true};
    play p = play_try(tumbling, "run.until.time=0.9", &options);
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
    options = (carom_options){.output = path, .resume = true};
    p = play_try(tumbling, NULL, &options);
    play_run(&p, CAROM_STOP_TIME);
    ck_assert(play_hash(&p) == play_hash(&whole));
    const frame_energy one = frame_energy_of(carom_sim_frame(p.sim)),
                       other = frame_energy_of(carom_sim_frame(whole.sim));
    ck_assert(memcmp(&one, &other, sizeof one) == 0);
    play_close(&p);
    play_close(&whole);
    carom_file *result = NULL;
    ck_assert_int_eq(carom_file_open(&result, path), CAROM_OK);
    if (carom_file_verify(result, false, &report) != CAROM_OK) ck_abort_msg("%s", report);
    carom_free(report);
    carom_file_free(result);
    remove(path);
    remove(checkpoint);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, free_top);
    tcase_add_loop_test(all, falls, 0, 2);
    tcase_add_loop_test(all, ball_hits_cube, 0, 2);
    tcase_add_test(all, goes_on);
    tcase_set_timeout(all, 120);
    return suite_run("variational, solids", all);
}
