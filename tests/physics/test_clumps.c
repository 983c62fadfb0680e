/* Detects clumps with wrong masses or moments of inertia, that turn, roll or bounce as other bodies do, that lose momentum or
 * energy, or whose bits depend on threads, the reference or checkpoints.
 * Exact solutions: moments of a dumbbell, rolling on a slope, one impact off centre. Bounds of what steps decide are three
 * times the largest deviation. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

#include <math.h>
#include <unistd.h>

static const double PI_OF = 3.14159265358979323846;

/* ---- momenta from frames ----------------------------------------------------------------------------------------- */

static void add_moment(const carom_frame *f, size_t i, const double p[3], double inertia, double sum[3])
{
    double x[3] = {0};
    memcpy(x, f->position + (size_t)f->dimension * i, (size_t)f->dimension * sizeof *x);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        sum[k] += x[a] * p[b] - x[b] * p[a] + inertia * f->spin[3 * i + (size_t)k];
    }
}

/* Clumps by their shares, the other particles by themselves. */
static void angular_momentum(const carom_frame *f, double sum[3])
{
    const size_t d = (size_t)f->dimension;
    const double none[3] = {0};
    size_t i = 0;
    memset(sum, 0, 3 * sizeof *sum);
    for (size_t n = 0; n <= f->solids; n++) {
        for (; i < (n < f->solids ? f->solid[n].first : f->count); i++) {
            double p[3] = {0};
            for (size_t k = 0; k < d; k++) p[k] = f->mass[i] * f->velocity[d * i + k];
            add_moment(f, i, p, f->inertia[i], sum);
        }
        if (n == f->solids) break;
        const frame_solid *s = &f->solid[n];
        for (int a = 0; a < 4; a++) {
            double p[3] = {0};
            for (size_t k = 0; k < d; k++)
                for (int b = 0; b < 4; b++) p[k] += s->share_mass[a][b] * f->velocity[d * s->corner[b] + k];
            add_moment(f, s->corner[a], p, 0, sum);
        }
        add_moment(f, s->first, none, s->own_inertia, sum);
        i += s->count;
    }
}

/* ---- mass properties --------------------------------------------------------------------------------------------- */

#define ALONE                                                                                                          \
    "dimension: %d\nbox: {size: 20, boundary: open}\nspecies: {a: {diameter: 1, density: 2}}\n"                        \
    "clumps: [{name: c, species: a, spheres: [%s]}]\n"                                                                 \
    "particles: [{clump: c, orientation: fixed, place: {at: [[10, 10%s]]}, velocity: {each: [1, 0%s]}, "               \
    "angular_velocity: {each: %s}}]\ncontacts: [{between: [a, a]}]\n"                                                  \
    "variational: {rotation: true, stiffness: 1e4}\n"

static play alone(int dimension, const char *spheres, const char *spin)
{
    char body[1500];
    const bool flat = dimension == 2;
    snprintf(body, sizeof body, ALONE, dimension, spheres, flat ? "" : ", 10", flat ? "" : ", 0", spin);
    return open_scene(body, NULL);
}

/* Two balls of radius R with centres 2a apart: about their line 4/5 m R^2, across 4/5 m R^2 + 2 m a^2. */
START_TEST(dumbbell_has_its_moments)
{
    static const char *const spins[] = {"[0.5, 0, 0]", "[0, 0.5, 0]", "[0, 0, 0.5]"};
    const double m = 2 * PI_OF / 6, along = 0.8 * m * 0.25, across = along + 2 * m * 0.36;
    for (int axis = 0; axis < 3; axis++) {
        const double inertia = axis == 2 ? along : across;
        play p = alone(3, "{at: [1, 2, 2.4], diameter: 1}, {at: [1, 2, 3.6], diameter: 1}", spins[axis]);
        const frame_energy e = frame_energy_of(frame(&p));
        double turn[3];
        EXPECT_CLOSE("kinetic energy", e.kinetic, m + 0.5 * inertia * 0.25, 2e-15);
        EXPECT_CLOSE("momentum", e.momentum[0], 2 * m, 2e-15);
        EXPECT_CLOSE("temperature: one body", e.temperature, 2 * m / 3, 1e-15);
        angular_momentum(frame(&p), turn);
        const double orbit[3] = {0, 20 * m, -20 * m};
        for (int k = 0; k < 3; k++)
            EXPECT_CLOSE("angular momentum", turn[k], orbit[k] + (k == axis ? 0.5 * inertia : 0), 2e-14);
        play_close(&p);
    }
}
END_TEST

/* Balls that overlap: volume and centre of mass of the union. */
START_TEST(overlap_counts_once)
{
    const double volume = 2 * PI_OF / 6 - PI_OF * (4 * 0.5 + 0.6) * (1 - 0.6) * (1 - 0.6) / 12;
    play p = alone(3, "{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 1}", "[0, 0, 0]");
    json_t *summary = play_summary(&p);
    EXPECT_CLOSE("volume", play_number(summary, "clumps.c.volume"), volume, 4e-16);
    EXPECT_CLOSE("mass", play_number(summary, "clumps.c.mass"), 2 * volume, 8e-16);
    EXPECT_CLOSE("place", carom_frame_positions(frame(&p))[0], 9.7, 4e-15);
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* Two disks in two dimensions: I = 2 (m R^2 / 2 + m a^2). */
START_TEST(disks_have_their_moment)
{
    const double m = 2 * PI_OF / 4, inertia = 2 * (0.5 * m * 0.25 + m * 0.36);
    play p = alone(2, "{at: [0, 0.6], diameter: 1}, {at: [0, -0.6], diameter: 1}", "3");
    EXPECT_CLOSE("kinetic energy", frame_energy_of(frame(&p)).kinetic, m + 0.5 * inertia * 9, 2e-14);
    play_close(&p);
}
END_TEST

/* ---- free motion ------------------------------------------------------------------------------------------------- */

/* Three different moments: spins about all axes; a rotation about the middle one would tumble. */
START_TEST(free_flight_conserves)
{
    play p =
        alone(3, "{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 0.8}, {at: [0, 0.4, 0.3], diameter: 0.5}",
              "[0.4, 1, 0.2]");
    double before[3], after[3], spin[3];
    angular_momentum(frame(&p), before);
    memcpy(spin, frame(&p)->spin, sizeof spin);
    const double whole = frame_energy_of(frame(&p)).kinetic;
    double changed = 0;
    for (int n = 1; n <= 40; n++) {
        play_advance(&p, 0.5 * n);
        angular_momentum(frame(&p), after);
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("angular momentum", after[k], before[k], 2e-4);
            changed = fmax(changed, fabs(frame(&p)->spin[k] - spin[k]));
        }
        EXPECT_CLOSE("energy", frame_energy_of(frame(&p)).kinetic, whole, 5e-9);
    }
    ck_assert_double_gt(changed, 0.1);
    play_close(&p);
}
END_TEST

/* ---- rolling ----------------------------------------------------------------------------------------------------- */

#define SLOPE                                                                                                          \
    "dimension: 3\nbox: {size: [200, 4, 4], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                   \
    "clumps: [{name: one, species: a, mass: 1, spheres: [{at: [3, 1, 4], diameter: 1}]}]\n"                            \
    "particles: [{%s, place: {at: [[2, 2, 0.5]]}, velocity: zero}]\n"                                                  \
    "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\nfields: {gravity: [%.17g, 0, %.17g]}\n"             \
    "contacts: [{between: [a, floor], restitution: 0, friction: 0.4, rolling_friction: %g}]\n"                         \
    "variational: {rotation: true, courant: 0.05, eta: 0.001, stiffness: 1e5}\n"

static play slope(const char *what, double tan, double resistance)
{
    char body[1200];
    const double down = 1 / sqrt(1 + tan * tan);
    snprintf(body, sizeof body, SLOPE, what, tan * down, -down, resistance);
    return open_scene(body, NULL);
}

/* A clump of one sphere has the acceleration 5/7 g sin, less 5/7 g mu_r cos, and the motion of a single sphere. */
START_TEST(one_sphere_rolls)
{
    const double tan = 0.5, g = 1 / sqrt(1 + tan * tan);
    for (int k = 0; k < 2; k++) {
        const double resistance = k * 0.1;
        play p = slope("clump: one", tan, resistance), q = slope("species: a", tan, resistance);
        play_advance(&p, 1);
        const double v = carom_frame_velocities(frame(&p))[0];
        play_advance(&p, 5);
        play_advance(&q, 5);
        const double a = (carom_frame_velocities(frame(&p))[0] - v) / 4;
        const double arm = carom_frame_positions(frame(&p))[2];
        EXPECT_CLOSE("acceleration", a, (tan - resistance) * g / (1 + 0.1 / (arm * arm)), 7e-6);
        EXPECT_CLOSE("velocity of a single sphere", carom_frame_velocities(frame(&p))[0],
                     carom_frame_velocities(frame(&q))[0], 4e-12);
        EXPECT_CLOSE("spin of a single sphere", frame(&p)->spin[1], frame(&q)->spin[1], 1.6e-12);
        play_close(&p);
        play_close(&q);
    }
}
END_TEST

/* ---- one impact -------------------------------------------------------------------------------------------------- */

#define IMPACT                                                                                                         \
    "dimension: %d\nbox: {size: 20, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                           \
    "clumps: [{name: c, species: a, mass: 2, spheres: [{at: [%.17g, %.17g%s], diameter: 1}, "                          \
    "{at: [%.17g, %.17g%s], diameter: 1}]}]\n"                                                                         \
    "particles: [{clump: c, orientation: fixed, place: {at: [[10, 0.8%s]]}, velocity: {each: [%.17g, -1%s]}}]\n"       \
    "planes: [{name: floor, point: [0, 0%s], normal: [0, 1%s]}]\n"                                                     \
    "contacts: [{between: [a, floor], restitution: %g, friction: %g}]\n"                                               \
    "variational: {rotation: true, eta: 0.0005, stiffness: 1e8, courant: 0.01}\n"

/* A dumbbell falls on one end, at an angle to the floor, and slides. With the contact at r from the centre of mass, impulse
 * J (t mu, 1), t = -1 or 1: v_n' = -e v_n, v_n' = v_n + J (1 / M + r_x (r_x - t mu r_y) / I). */
START_TEST(dumbbell_hits_a_floor)
{
    static const struct {
        int dimension;
        double e, mu, along;
    } cases[] = {{3, 1, 0, 0}, {3, 0.6, 0, 0}, {3, 0.6, 0.1, 4}, {2, 0.8, 0.1, -4}, {3, 1, 0.1, 4}};
    for (int k = 0; k < 5; k++) {
        const int d = cases[k].dimension;
        const double e = cases[k].e, mu = cases[k].mu, angle = 0.5, a = 0.5, m = 2, c = cos(angle), s = sin(angle);
        const char *const z = d == 3 ? ", 0" : "";
        const double inertia = d == 3 ? 0.4 * m * 0.25 + m * a * a : 0.5 * m * 0.25 + m * a * a;
        char body[1500];
        snprintf(body, sizeof body, IMPACT, d, a * c, a * s, z, -a * c, -a * s, z, d == 3 ? ", 10" : "", cases[k].along,
                 z, z, z, e, mu);
        play p = open_scene(body, NULL);
        play_advance(&p, 0.2);
        const double x = -a * c, y = -a * s - 0.5, t = cases[k].along > 0 ? -1 : 1;
        const double j = (1 + e) / (1 / m + x * (x - t * mu * y) / inertia);
        const double spin = j * (x - t * mu * y) / inertia;
        EXPECT_CLOSE("spin", frame(&p)->spin[2], spin, 0.011 * fabs(spin));
        const frame_energy now = frame_energy_of(frame(&p));
        EXPECT_CLOSE("momentum along the normal", now.momentum[1], j - m, 0.011 * j);
        EXPECT_CLOSE("momentum along the floor", now.momentum[0], m * cases[k].along + t * mu * j, 0.011 * j);
        play_close(&p);
    }
}
END_TEST

/* ---- many -------------------------------------------------------------------------------------------------------- */

#define CLUMPS                                                                                                         \
    "clumps:\n"                                                                                                        \
    "  - {name: pair, species: a, density: 1, spheres: [{at: [0, 0%s], diameter: 1}, {at: [0.6, 0%s], diameter: "      \
    "0.8}]}\n"                                                                                                         \
    "  - {name: bent, species: b, mass: 1, spheres: [{at: [0, 0%s], diameter: 0.7}, {at: [0.5, 0%s], diameter: 0.7}, " \
    "{at: [0, 0.5%s], diameter: 0.6}]}\n"

#define LAWS                                                                                                           \
    "contacts:\n  - {between: [a, a], restitution: 0.7, friction: 0.5, rolling_friction: 0.1, twisting_friction: "     \
    "0.2}\n"                                                                                                           \
    "  - {between: [a, b], restitution: 0.9, friction: 0.3, rolling_viscosity: 0.1}\n"                                 \
    "  - {between: [b, b], friction: 1}\n"

#define SWARM                                                                                                          \
    "seed: 7\ndimension: %d\nbox: {size: 20, boundary: open}\nspecies: {a: {diameter: 0.8, mass: 0.5}, b: {diameter: " \
    "1, mass: 1}}\n" CLUMPS "particles:\n"                                                                             \
    "  - {clump: pair, count: 10, place: {random: {region: {box: {from: [4, 4%s], to: [%s]}}}}, velocity: "            \
    "{maxwell: 2}, angular_velocity: {maxwell: 1}}\n"                                                                  \
    "  - {clump: bent, count: 10, place: {random: {region: {box: {from: [4, 4%s], to: [%s]}}}}, velocity: "            \
    "{maxwell: 2}, angular_velocity: {maxwell: 1}}\n"                                                                  \
    "  - {species: a, count: 8, place: {random: {region: {box: {from: [4, 4%s], to: [%s]}}}}, velocity: "              \
    "{maxwell: 2}, angular_velocity: {maxwell: 1}}\n" LAWS "variational: {rotation: true}\n"

/* Impulses of friction and torques of resistance act at the points of contact: nothing is lost. In three dimensions frames
 * have the velocities of the middle of a step, and their angular momentum is that of the bodies within its error. */
START_TEST(angular_momentum_is_conserved)
{
    const int d = 2 + _i;
    const char *const z = d == 2 ? "" : ", 0", *const from = d == 2 ? "" : ", 4",
                      *const to = d == 2 ? "16, 16" : "9, 9, 9";
    char body[3000];
    snprintf(body, sizeof body, SWARM, d, z, z, z, z, z, from, to, from, to, from, to);
    play p = open_scene(body, NULL);
    double before[3], after[3];
    angular_momentum(frame(&p), before);
    const double whole = budget(&p);
    const frame_energy first = frame_energy_of(frame(&p));
    play_advance(&p, 1.9); /* no impact in progress */
    angular_momentum(frame(&p), after);
    const frame_energy last = frame_energy_of(frame(&p));
    printf("%llu impacts, energy %g to %g\n", (unsigned long long)frame(&p)->events[EVENT_COLLISION], first.total,
           last.total);
    ck_assert_uint_gt(frame(&p)->events[EVENT_COLLISION], 15);
    for (int k = d == 2 ? 2 : 0; k < 3; k++)
        EXPECT_CLOSE("angular momentum", after[k], before[k], d == 2 ? 5.4e-13 : 5e-4);
    for (int k = 0; k < d; k++) EXPECT_CLOSE("momentum", last.momentum[k], first.momentum[k], 2.6e-14);
    EXPECT_CLOSE("energy balance", budget(&p), whole, (d == 2 ? 8e-16 : 5.6e-6) * whole);
    play_close(&p);
}
END_TEST

#define HEAP                                                                                                           \
    "dimension: 3\nseed: 4\nbox: {size: [5, 4, 7], boundary: [periodic, wall, wall]}\nfields: {gravity: [0, 0, -1]}\n" \
    "species: {a: {diameter: 0.8, mass: 0.5}, b: {diameter: 1, mass: 1}}\n"                                            \
    "clumps:\n"                                                                                                        \
    "  - {name: pair, species: a, density: 1, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: "    \
    "0.8}]}\n"                                                                                                         \
    "  - {name: bent, species: b, mass: 1, spheres: [{at: [0, 0, 0], diameter: 0.7}, {at: [0.5, 0, 0], diameter: "     \
    "0.7}, {at: [0, 0.5, 0.2], diameter: 0.6}]}\n"                                                                     \
    "particles:\n  - {clump: pair, count: 12, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: "     \
    "1}}\n"                                                                                                            \
    "  - {species: a, count: 6, place: random, velocity: {maxwell: 1}}\n"                                              \
    "  - {clump: bent, count: 8, place: random, velocity: {maxwell: 1}}\n" LAWS                                        \
    "  - {between: [b, wall], restitution: 0, friction: 0.5}\n  - {between: [a, wall], friction: 0.3, "                \
    "rolling_friction: 0.2}\nvariational: {rotation: true, courant: 0.2}\n"

START_TEST(reference_and_threads_agree)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 1e6}}\n%s", HEAP);
    const carom_options two = {.threads = 2};
    play team = play_try(text.text, NULL, &two);
    play fast = open_scene(HEAP, NULL), slow = open_scene(HEAP, "variational.reference=true");
    for (int n = 1; n <= 4; n++) {
        play_advance(&fast, 0.6 * n);
        play_advance(&slow, 0.6 * n);
        play_advance(&team, 0.6 * n);
        ck_assert_uint_eq(play_hash(&fast), play_hash(&slow));
        ck_assert_uint_eq(play_hash(&fast), play_hash(&team));
    }
    ck_assert_uint_gt(frame(&fast)->events[EVENT_COLLISION], 20);
    play_close(&fast);
    play_close(&slow);
    play_close(&team);
}
END_TEST

/* Halted in the midst of contacts, and continued from the file alone. */
START_TEST(resumed_runs_agree)
{
    char path[100], checkpoint[120];
    snprintf(path, sizeof path, "clumps-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = open_scene(HEAP, "run.until.time=2.4");
    (void)carom_sim_run(whole.sim);
    const uint64_t wanted = play_hash(&whole);
    play_close(&whole);
    for (int n = 1; n <= 4; n++) {
        text.length = 0;
        play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 2.4}}\n%s", HEAP);
        carom_options options = {.output = path, .force = n == 1, .resume = n > 1};
        play p = play_try(text.text, NULL, &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        if (n < 4) {
            play_advance(&p, 0.7 * n);
            carom_sim_request_stop(p.sim);
        }
        (void)carom_sim_run(p.sim);
        if (n == 4) ck_assert_uint_eq(play_hash(&p), wanted);
        play_close(&p);
    }
    remove(path);
    remove(checkpoint);
}
END_TEST

/* All clumps come to rest, and the energy balance holds. */
START_TEST(heap_comes_to_rest)
{
    play p = open_scene("dimension: 3\nseed: 3\nbox: {size: [4, 4, 8], boundary: wall}\nfields: {gravity: [0, 0, -1]}\n"
                        "species: {a: {diameter: 1, density: 1}}\n"
                        "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.5, 0, 0], "
                        "diameter: 1}, {at: [0, 0.5, 0], diameter: 1}]}]\n"
                        "particles: [{clump: c, count: 12, place: random, velocity: {maxwell: 1}}]\n"
                        "contacts: [{between: [a, a], restitution: 0.5, friction: 0.4, rolling_friction: 0.02}, "
                        "{between: [a, wall], restitution: 0.5, friction: 0.4, rolling_friction: 0.02}]\n"
                        "variational: {rotation: true, courant: 0.1}\n",
                        NULL);
    const double whole = budget(&p);
    play_advance(&p, 30);
    EXPECT_CLOSE("energy balance", budget(&p), whole, 1e-5 * whole);
    EXPECT_CLOSE("kinetic energy", frame_energy_of(frame(&p)).kinetic, 0, 3e-6);
    play_close(&p);
}
END_TEST

/* ---- orientations ------------------------------------------------------------------------------------------------ */

/* Uniform: the mean of the axes is 0, that of their squares 1/3, within three standard errors. */
START_TEST(orientations_are_uniform)
{
    enum { COUNT = 2000 };
    play p = open_scene("dimension: 3\nbox: {size: 40, boundary: periodic}\nspecies: {a: {diameter: 1, density: 1}}\n"
                        "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [1, 0, 0], "
                        "diameter: 1}]}]\nparticles: [{clump: c, count: 2000, place: random, velocity: {maxwell: 1}}]\n"
                        "contacts: [{between: [a, a]}]\nvariational: {rotation: true}\n",
                        NULL);
    const double *x = carom_frame_positions(frame(&p));
    double mean[3] = {0}, square[3] = {0};
    for (int n = 0; n < COUNT; n++)
        for (int k = 0; k < 3; k++) {
            double u = x[6 * n + 3 + k] - x[6 * n + k];
            u -= 40 * round(u / 40);
            mean[k] += u / COUNT;
            square[k] += u * u / COUNT;
        }
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("mean of an axis", mean[k], 0, 3 * sqrt(1.0 / 3 / COUNT));
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("mean square", square[k], 1.0 / 3, 3 * sqrt(4.0 / 45 / COUNT));
    EXPECT_CLOSE("temperature", frame_energy_of(frame(&p)).temperature, 1, 3 * sqrt(2.0 / 3 / COUNT));
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_test(all, dumbbell_has_its_moments);
    tcase_add_test(all, overlap_counts_once);
    tcase_add_test(all, disks_have_their_moment);
    tcase_add_test(all, free_flight_conserves);
    tcase_add_test(all, one_sphere_rolls);
    tcase_add_test(all, dumbbell_hits_a_floor);
    tcase_add_loop_test(all, angular_momentum_is_conserved, 0, 2);
    tcase_add_test(more, reference_and_threads_agree);
    tcase_add_test(all, resumed_runs_agree);
    tcase_add_test(all, orientations_are_uniform);
    tcase_add_test(rest, heap_comes_to_rest);
    tcase_set_timeout(all, 300);
    return suite_run("clumps", all, more, rest);
}
