/* Detects wrong collision laws that the fast path and its reference share: viscoelastic restitution, contact
 * duration, oscillating, rotating and translating surfaces, against the literature. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "scene/restitution.h"

static const double pi = 3.14159265358979323846;
static play_text text;

/* ---- restitution ----------------------------------------------------------------------------------------------- */

static double viscoelastic(double a, double speed)
{
    const restitution_law law = {.kind = RESTITUTION_VISCOELASTIC, .value = a};
    return restitution(&law, speed);
}

/* x'' = -(x^(3/2) + 3/2 A' x^(1/2) x'), from x = 0, x' = 1, until the force is none (T. Schwager and T. Poeschel, Phys. Rev. E
 * 78, 051304 (2008)); in s with x = s^2 all is smooth: s' = v / (2 s), and time is dt = 2 s ds / v. So in steps of time that grow
 * as s does: dtau = dt / s, s' = v / 2, v' = -s (s^3 + 3/2 A' s v). */
static double collide_viscoelastic(double a)
{
    const double h = 1e-4, damping = 1.5 * a;
    double s = 1e-9, v = 1;
    for (;;) {
        double ks[4], kv[4], before = v;
        for (int n = 0; n < 4; n++) {
            const double by = n == 0 ? 0 : n == 3 ? h : h / 2;
            const double at = s + (n > 0 ? by * ks[n - 1] : 0), u = v + (n > 0 ? by * kv[n - 1] : 0);
            ks[n] = u / 2;
            kv[n] = -at * (at * at * at + damping * at * u);
        }
        s += h / 6 * (ks[0] + 2 * ks[1] + 2 * ks[2] + ks[3]);
        v += h / 6 * (kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3]);
        if (v < 0 && s * s + damping * v <= 0) return -before;
        REQUIRE(s > 0);
    }
}

/* Within three times the error of the approximant: 1.4e-9, ..., 7e-3 at e = 0.28. */
START_TEST(viscoelastic_spheres)
{
    static const double damping[] = {0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 1},
                        bound[] = {4e-9, 7e-7, 6e-5, 4e-4, 2e-3, 4e-3, 2e-2};
    for (int k = 0; k < 7; k++) {
        const double e = collide_viscoelastic(damping[k]);
        EXPECT_CLOSE("e", viscoelastic(1.5 * damping[k], 1), e, bound[k]);
        EXPECT_CLOSE("e at 32 times the speed", viscoelastic(0.75 * damping[k], 32), e, bound[k]);
    }
}
END_TEST

/* Its coefficients: 1 - C1 x^2 + 3/5 C1^2 x^4 + 4/15 x^5 (the same paper); and the approximant that has these five, whose
 * coefficients are printed to six digits. */
START_TEST(viscoelastic_series)
{
    const double c1 = tgamma(0.6) * sqrt(pi) / (pow(50, 0.2) * tgamma(2.1));
    for (double x = 0.01; x < 0.2; x *= 1.5) {
        const double series = 1 - c1 * x * x + 0.6 * c1 * c1 * pow(x, 4) + 4.0 / 15 * pow(x, 5);
        const double above = 1 + 2 / (3 * c1 * c1) * x;
        const double below = above + c1 * x * x + 2 / (3 * c1) * pow(x, 3) + 0.4 * c1 * c1 * pow(x, 4);
        EXPECT_CLOSE("series", viscoelastic(x * x, 1), series, 1e-5 * x * x + 1.5 * pow(x, 6));
        /* half of the last digit of each; those of x cancel in the first order */
        const double digits = 5e-7 * (10 * x * x + 2 * pow(x, 3) + pow(x, 4)) + 1e-15;
        EXPECT_CLOSE("approximant", viscoelastic(x * x, 1), above / below, digits);
    }
}
END_TEST

/* e of two disks that meet head-on, and of one off a wall, at the speeds of a table. */
START_TEST(table)
{
    static const double speed[] = {0.5, 1, 1.25, 2, 2.75, 4}, expected[] = {1, 1, 0.95, 0.8, 0.5, 0.5};
    for (int k = 0; k < 6; k++) {
        text.length = 0;
        play_add(
            &text,
            "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [20, 20], boundary: wall}\nspecies: {a: {diameter: 1}}\n"
            "particles: [{species: a, place: {at: [[8, 10], [12, 10], [10, 2]]}, velocity: {each: [[%.17g, 0], [%.17g, "
            "0], [0, "
            "%.17g]]}}]\ncontacts: [{between: [a, a], restitution: {table: [[1, 1], [2, 0.8], [2.75, 0.5]]}}, "
            "{between: [a, "
            "wall], restitution: {table: [[1, 1], [2, 0.8], [2.75, 0.5]]}}]\nrun: {until: {events: 2}}\n",
            speed[k] / 4, -0.75 * speed[k], -speed[k]);
        play p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_EVENTS);
        const double *v = carom_sim_frame(p.sim)->velocity;
        EXPECT_CLOSE("e of two", (v[2] - v[0]) / speed[k], expected[k], 1e-14);
        EXPECT_CLOSE("e off a wall", v[5] / speed[k], expected[k], 1e-14);
        play_close(&p);
    }
}
END_TEST

/* Three disks in a row: the middle one is hit by one neighbour and hits the other `gap` later. The second contact is elastic where
 * it comes within tc of the first, whichever of the two has had it (S. Luding and S. McNamara, Granul. Matter 1, 113 (1998)). */
START_TEST(contact_duration)
{
    for (int way = 0; way < 4; way++) {
        const double gap = way < 2 ? 0.2 : 0.4, sign = way % 2 ? -1 : 1; /* it takes 0.75 / e' = 4/3 gap */
        text.length = 0;
        play_add(
            &text,
            "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [40, 4], boundary: open}\nspecies: {a: {diameter: 1}}\n"
            "particles: [{species: a, place: {at: [[%.17g, 2], [20, 2], [%.17g, 2]]}, velocity: {each: [[%g, 0], [0, "
            "0], [0, "
            "0]]}}]\ncontacts: [{between: [a, a], restitution: 0.5}]\nhard: {collapse: {policy: tc, tc: 0.4}}\n"
            "run: {until: {collisions: 2}}\n",
            20 - 3 * sign, 20 + (1 + gap) * sign, sign);
        play p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_COLLISIONS);
        const double *v = carom_sim_frame(p.sim)->velocity, e = gap / 0.75 <= 0.4 ? 1 : 0.5;
        EXPECT_CLOSE("the first", v[0] * sign, 0.25, 1e-15);
        EXPECT_CLOSE("the middle", v[2] * sign, 0.75 * (1 - e) / 2, 1e-15);
        EXPECT_CLOSE("the last", v[4] * sign, 0.75 * (1 + e) / 2, 1e-15);
        play_close(&p);
        /* the one with the recent contact has the higher number, and the lower */
        text.length = 0;
        play_add(
            &text,
            "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [40, 4], boundary: open}\nspecies: {a: {diameter: 1}}\n"
            "particles: [{species: a, place: {at: [[%.17g, 2], [%.17g, 2], [20, 2]]}, velocity: {each: [[0, 0], [%g, "
            "0], [0, "
            "0]]}}]\ncontacts: [{between: [a, a], restitution: 0.5}]\nhard: {collapse: {policy: tc, tc: 0.4}}\n"
            "run: {until: {collisions: 2}}\n",
            20 + (1 + gap) * sign, 20 - 3 * sign, sign);
        p = play_open(text.text, NULL);
        play_run(&p, CAROM_STOP_COLLISIONS);
        EXPECT_CLOSE("the last", carom_sim_frame(p.sim)->velocity[0] * sign, 0.75 * (1 + e) / 2, 1e-15);
        play_close(&p);
    }
}
END_TEST

/* However often the clock is set anew: contacts that follow each other slowly are lossy, and fast ones are not. */
START_TEST(contact_duration_in_long_runs)
{
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [4, 4], boundary: wall}\nspecies: {a: {diameter: 1}}\n"
             "particles: [{species: a, place: {at: [[2, 2]]}, velocity: {each: [[1, 0]]}}]\n"
             "contacts: [{between: [a, wall], restitution: 0.99}]\nhard: {collapse: {policy: tc, tc: %g}}\nrun: "
             "{until: {events: 400}}\n",
             _i ? 1e4 : 0.1);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    EXPECT_CLOSE("speed", fabs(carom_sim_frame(p.sim)->velocity[0]), _i ? 0.99 : pow(0.99, 400), 1e-13);
    play_close(&p);
}
END_TEST

/* ---- what moves ------------------------------------------------------------------------------------------------ */

typedef struct seen {
    double time, x[3], v[3], before[3];
} seen;

/* Event number n of the one body of a scene in space: when and where it was, and its velocities before and after. */
static seen look_at(const char *of, int n)
{
    seen s = {0};
    for (int k = 0; k < 2; k++) {
        char set[40];
        snprintf(set, sizeof set, "run.until.events=%d", n - 1 + k > 0 ? n - 1 + k : 1);
        play p = play_open(of, set);
        if (n - 1 + k > 0) play_run(&p, CAROM_STOP_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        s.time = f->time;
        memcpy(k == 0 ? s.before : s.v, f->velocity, 3 * sizeof(double));
        memcpy(s.x, f->position, sizeof s.x);
        play_close(&p);
    }
    return s;
}

/* A mirror at `point`, with a unit normal and the velocity of the place where it is hit: the body is at the distance `reach`, and
 * the part of its velocity along the normal is turned round, as seen from there. */
static void expect_echo(const seen *s, const double point[3], const double normal[3], const double velocity[3],
                        double reach, double tolerance)
{
    double distance = 0, coming = 0, going = 0, across = 0;
    for (int k = 0; k < 3; k++) {
        distance += normal[k] * (s->x[k] - point[k]);
        coming += normal[k] * (s->before[k] - velocity[k]);
        going += normal[k] * (s->v[k] - velocity[k]);
    }
    for (int k = 0; k < 3; k++) across += fabs(s->v[k] - s->before[k] - normal[k] * (going - coming));
    EXPECT_CLOSE("distance", fabs(distance), reach, tolerance);
    EXPECT_CLOSE("echo", going, -coming, tolerance);
    EXPECT_CLOSE("change along the surface", across, 0, tolerance);
}

/* A floor that swings from a time on, x0 + A (sin(w t + phase) - sin(phase)), and rises, and then another swing. */
static double swing(double t, const double *piece, double *rate)
{
    const double angle = 2 * pi * piece[2] * t + piece[3];
    *rate = piece[0] + 2 * pi * piece[2] * piece[1] * cos(angle);
    return piece[0] * t + piece[1] * (sin(angle) - sin(piece[3]));
}

START_TEST(oscillation)
{
    static const char *const bodies[] = {
        "planes: [{name: floor, point: [5, 5, 1], normal: [0, 0, 1]}]\ndrives: [{name: d, plane: floor, ",
        ("meshes: [{name: floor, shape: {rectangle: {length: 30, width: 30, along: 2, across: 2}}, place: {at: [5, 5, "
         "1]}, rigid: true}]\ndrives: [{name: d, mesh: floor, "),
        ("cylinders: [{name: floor, through: [5, 5, -19], axis: [1, 0, 0], radius: 20, side: outside}]\n"
         "drives: [{name: d, cylinder: floor, ")};
    /* velocity, amplitude, frequency, phase; from the times 0.5 and 4 on */
    static const double piece[2][4] = {{0.03, 0.2, 0.3, 0.7}, {-0.02, 0.15, 0.5, -2.1}};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [10, 10, 20], boundary: open}\nspecies: {a: {diameter: "
             "0.5}}\n"
             "fields: {gravity: [0, 0, -1]}\nparticles: [{species: a, place: {at: [[5, 5, 1.5]]}, velocity: {each: [0, "
             "0, 0.2]}}]\n"
             "%smotion: [{time: 0.5, velocity: [0, 0, 0.03], oscillate: {by: [0, 0, 0.2], frequency: 0.3, phase: "
             "0.7}}, {time: 4, "
             "velocity: [0, 0, -0.02], oscillate: {by: [0, 0, 0.15], frequency: 0.5, phase: -2.1}}]}]\nrun: {until: "
             "{events: 1}}\n",
             bodies[_i]);
    double reached = 0;
    for (int n = 1; n <= 6; n++) {
        seen s = look_at(text.text, n);
        double rate = 0, height = 1, point[3] = {5, 5, 0}, normal[3] = {0, 0, 1}, velocity[3] = {0};
        const double start = n == 1 ? 0 : look_at(text.text, n - 1).time;
        s.before[2] -= s.time - start; /* it has fallen since the event before */
        if (s.time > 0.5) height += swing(fmin(s.time, 4) - 0.5, piece[0], &rate);
        if (s.time > 4) height += swing(s.time - 4, piece[1], &rate);
        point[2] = height;
        velocity[2] = rate;
        expect_echo(&s, point, normal, velocity, 0.25, 1e-11);
        reached = s.time;
    }
    printf("up to %g\n", reached);
    ck_assert(reached > 4.5);
}
END_TEST

/* A plate or mesh that is left behind, and overtakes later. */
START_TEST(overtaken)
{
    static const char *const bodies[] = {
        "planes: [{name: plate, point: [5, 5, 4.1], normal: [0, 0, 1]}]\ndrives: [{name: d, plane: plate, ",
        ("meshes: [{name: plate, shape: {rectangle: {length: 6, width: 6, along: 2, across: 2}}, rigid: true, "
         "thickness: "
         "0.2, place: {at: [5, 5, 4]}}]\ndrives: [{name: d, mesh: plate, "),
        ("cylinders: [{name: plate, through: [5, 5, -15.9], axis: [1, 0, 0], radius: 20, side: outside}]\n"
         "drives: [{name: d, cylinder: plate, ")};
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [10, 10, 10], boundary: open}\nspecies: {a: {diameter: "
             "1}}\nparticles: [{species: a, place: {at: [[5, 5, 5]]}, velocity: {each: [0, 0, 0.1]}}]\n"
             "%smotion: [{velocity: [0, 0, 0]}, {time: 5, velocity: [0, 0, 1]}, {time: 8, velocity: [0, 0, 0]}]}]\n"
             "run: {until: {events: 1}}\n",
             bodies[_i]);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("time: 4.1 + (t - 5) = 4.5 + 0.1 t", f->time, 6, 1e-14);
    EXPECT_CLOSE("velocity: 2 - 0.1", f->velocity[2], 1.9, 1e-15);
    play_close(&p);
}
END_TEST

/* A plate that travels and turns at once, about an axis that travels with it, leaning: the ball in front is hit by it. */
START_TEST(turning_and_travelling)
{
    static const double axis[3] = {0.6, 0, 0.8}, through[3] = {4, 5, 5}, v[3] = {0.05, 0.1, -0.07};
    const double rate = 0.3;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [12, 12, 12], boundary: open}\nspecies: {a: {diameter: "
             "0.5}}\n"
             "meshes: [{name: plate, shape: {rectangle: {length: 30, width: 30, along: 2, across: 2}}, place: {at: [5, "
             "5, 4]}, rigid: "
             "true}]\ndrives: [{name: d, mesh: plate, motion: [{velocity: [0.05, 0.1, -0.07], turn: {axis: [0.6, 0, "
             "0.8], through: "
             "[4, 5, 5], rate: 0.3}}]}]\n"
             "particles: [{species: a, place: {at: [[5.5, 6.5, 6]]}, velocity: {each: [%g, 0.1, %g]}}]\nrun: {until: "
             "{events: 1}}\n",
             _i * 0.1, -0.5 - 0.2 * _i);
    const seen s = look_at(text.text, 1);
    double arm[3] = {1, 0, -1}, normal[3] = {0, 0, 1}, point[3], velocity[3], spin[3];
    const double c = cos(rate * s.time), sine = sin(rate * s.time);
    for (int side = 0; side < 2; side++) {
        double *r = side == 0 ? arm : normal, turned[3], along = 0;
        for (int k = 0; k < 3; k++) along += axis[k] * r[k];
        for (int k = 0; k < 3; k++)
            turned[k] = c * r[k] + sine * (axis[(k + 1) % 3] * r[(k + 2) % 3] - axis[(k + 2) % 3] * r[(k + 1) % 3]) +
                        (1 - c) * along * axis[k];
        memcpy(r, turned, sizeof turned);
    }
    for (int k = 0; k < 3; k++) {
        point[k] = through[k] + v[k] * s.time + arm[k];
        spin[k] = rate * axis[k];
    }
    /* where the ball touches, from the axis */
    double gap = 0, touch[3];
    for (int k = 0; k < 3; k++) gap += normal[k] * (s.x[k] - point[k]);
    for (int k = 0; k < 3; k++) touch[k] = s.x[k] - copysign(0.25, gap) * normal[k] - through[k] - v[k] * s.time;
    for (int k = 0; k < 3; k++)
        velocity[k] = v[k] + spin[(k + 1) % 3] * touch[(k + 2) % 3] - spin[(k + 2) % 3] * touch[(k + 1) % 3];
    printf("at %g\n", s.time);
    expect_echo(&s, point, normal, velocity, 0.25, 1e-11);
}
END_TEST

/* A rough drum that rolls: at e = 1, beta = 1 the surface of the ball and that of the drum exchange what they slide at. */
START_TEST(rolling_drum)
{
    const bool inside = _i % 2 == 0;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [20, 20, 20], boundary: open}\nspecies: {a: {diameter: "
             "1, mass: 2}}\n"
             "cylinders: [{name: drum, through: [10, 10, 0], axis: [0, 0, 1], radius: %g, side: %s}]\n"
             "drives: [{name: d, cylinder: drum, motion: [{turn: {rate: 0.5}}]}]\ncontacts: [{between: [a, drum], "
             "tangential: 1}]\n"
             "particles: [{species: a, place: {at: [[13, 10, 10]]}, velocity: {each: [%g, 0.3, 0.2]}, "
             "angular_velocity: {each: [0.1, "
             "0.2, 0.7]}}]\nrun: {until: {events: 1}}\n",
             inside ? 5.0 : 2.0, inside ? "inside" : "outside", inside ? 1.0 : -1.0);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double x[3] = {f->position[0] - 10, f->position[1] - 10, 0}, far = hypot(x[0], x[1]);
    double before[3] = {inside ? 1 : -1, 0.3, 0.2}, spin[3] = {0.1, 0.2, 0.7}, slip[2][3];
    for (int side = 0; side < 2; side++) {
        const double *v = side == 0 ? before : f->velocity, *w = side == 0 ? spin : f->spin;
        /* from the centre of the ball to where it touches, and from the axis of the drum */
        const double to = inside ? 0.5 : -0.5, arm[3] = {to * x[0] / far, to * x[1] / far, 0};
        const double drum[3] = {-0.5 * (x[1] + arm[1]), 0.5 * (x[0] + arm[0]), 0};
        for (int k = 0; k < 3; k++)
            slip[side][k] = v[k] + w[(k + 1) % 3] * arm[(k + 2) % 3] - w[(k + 2) % 3] * arm[(k + 1) % 3] - drum[k];
    }
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("sliding, turned round", slip[1][k], -slip[0][k], 1e-13);
    play_close(&p);
}
END_TEST

/* ---- far below the start --------------------------------------------------------------------------------------- */

/* A ball between lossy walls has half the speed after each: soon speeds are scaled by powers of two. What it spins at stays, for
 * walls are smooth; no contact follows another within the contact duration; and when it drifts, in 1e45 units of time, to a hot plane, it is given the energy that it has afterwards. */
START_TEST(rescaled)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: hard\nseed: 4\ndimension: 2\nbox: {size: [4, 4], boundary: [open, wall]}\n"
        "species: {a: {diameter: 1, mass: 3}}\nplanes: [{name: hot, point: [4, 0], normal: [-1, 0]}]\n"
        "contacts: [{between: [a, a], tangential: 0.5}, {between: [a, wall], restitution: 0.5}, {between: [a, hot], "
        "temperature: 2}]\n"
        "particles: [{species: a, place: {at: [[2, 2]]}, velocity: {each: [1e-45, 1]}, angular_velocity: {each: "
        "0.7}}]\n"
        "hard: {collapse: {policy: tc, tc: 0.1}}\nrun: {until: {events: 1}}\n");
    bool scaled = false, given = false;
    for (int events = 120; events < 200 && !given; events++) {
        char set[40];
        snprintf(set, sizeof set, "run.until.events=%d", events);
        play p = play_open(text.text, set);
        play_run(&p, CAROM_STOP_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        const double vx = ldexp(f->velocity[0], (int)-f->scale), vy = ldexp(f->velocity[1], (int)-f->scale);
        const double w = ldexp(f->spin[2], (int)-f->scale), inertia = 0.5 * 3 * 0.25;
        given = f->tallies.supplied != 0;
        if (given) {
            EXPECT_CLOSE("energy given",
                         f->tallies.supplied / (1.5 * (vx * vx + vy * vy) + 0.5 * inertia * (w * w - 0.49)), 1, 1e-12);
        } else {
            EXPECT_CLOSE("spin", w, 0.7, 1e-15);
            EXPECT_CLOSE("speed", fabs(vy) * ldexp(1, events), 1, 1e-12);
            scaled = scaled || f->scale > 32;
        }
        play_close(&p);
    }
    ck_assert(scaled && given);
}
END_TEST

/* Two of unequal masses around a periodic box: with e = 1/2 they are half as fast after each meeting, in the ratio of their
 * masses, so that their momenta cancel however far the gas has cooled. */
START_TEST(momentum_of_what_cools)
{
    enum { MEETINGS = 150 };
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: 2\nbox: {size: [4, 4]}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 8}}\n"
             "contacts: [{between: [a, b], restitution: 0.5}]\n"
             "particles:\n  - {species: a, place: {at: [[1, 2]]}, velocity: {each: [[0.8, 0]]}}\n"
             "  - {species: b, place: {at: [[3, 2]]}, velocity: {each: [[-0.1, 0]]}}\n"
             "run: {until: {collisions: %d}}\n",
             MEETINGS);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_COLLISIONS);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_int_gt(f->scale, 32);
    const double whole = ldexp(1, MEETINGS - (int)f->scale);
    /* three times a rounding or two of each meeting */
    EXPECT_CLOSE("the light one", f->velocity[0] * whole, 0.8, 3 * 2 * sqrt(MEETINGS) * 0x1p-53);
    EXPECT_CLOSE("the heavy one", f->velocity[2] * whole, -0.1, 3 * 2 * sqrt(MEETINGS) * 0x1p-53);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, viscoelastic_spheres);
    tcase_add_test(all, viscoelastic_series);
    tcase_add_test(all, table);
    tcase_add_test(all, contact_duration);
    tcase_add_loop_test(all, contact_duration_in_long_runs, 0, 2);
    tcase_add_loop_test(all, oscillation, 0, 3);
    tcase_add_loop_test(all, overtaken, 0, 3);
    tcase_add_loop_test(all, turning_and_travelling, 0, 3);
    tcase_add_loop_test(all, rolling_drum, 0, 2);
    tcase_add_test(all, rescaled);
    tcase_add_test(all, momentum_of_what_cools);
    return suite_run("laws", all);
}
