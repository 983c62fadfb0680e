/* Detects wrong rods, rigid bodies, drives and user potentials in the engine `variational`, in cases with exact
 * answers.
 * Bounds of what steps decide are three times the largest deviation of the cases. */
#include "../support/expect.h"
#include "../support/layer_sum.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

static play open_scene(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 1e6}}\n%s", body);
    return play_open(text.text, NULL);
}

static const carom_frame *frame_of_play(const play *p)
{
    return carom_sim_frame(p->sim);
}

static double books(const play *p)
{
    frame_energy energy = frame_energy_of(frame_of_play(p));
    return frame_budget(frame_of_play(p), &energy);
}

static double kinetic(const play *p)
{
    return frame_energy_of(frame_of_play(p)).kinetic;
}

/* ---- turns in a row ---------------------------------------------------------------------------------------------- */

/* A quarter turn about z, then one about x: (a, b, c) goes to (-b, a, c), and then to (-b, -c, a). */
START_TEST(turns_follow_each_other)
{
    play p = play_open("carom: 1\nengine: variational\ndimension: 3\nbox: {size: 10, boundary: open}\n"
                       "species: {a: {diameter: 0.2, mass: 1}}\nmeshes: [{name: plate, rigid: true, thickness: 0.1, "
                       "shape: {rectangle: {length: 2, width: 1, along: 1, across: 1}}, place: {at: [5, 5, 5]}}]\n"
                       "drives: [{name: d, mesh: plate, motion: [\n"
                       "  {turn: {axis: [0, 0, 1], through: [5, 5, 5], rate: 1.5707963267948966}},\n"
                       "  {time: 1, turn: {axis: [1, 0, 0], through: [5, 5, 5], rate: 1.5707963267948966}}]}]\n"
                       "variational: {stiffness: 1000}\nrun: {until: {time: 3}}\n",
                       NULL);
    double first[4][3];
    memcpy(first, frame_of_play(&p)->position, sizeof first);
    for (int n = 1; n <= 2; n++) {
        play_advance(&p, n);
        for (int i = 0; i < 4; i++) {
            const double *x = frame_of_play(&p)->position + 3 * i, *f = first[i];
            const double wanted[2][3] = {{10 - f[1], f[0], f[2]}, {10 - f[1], 10 - f[2], f[0]}};
            for (int k = 0; k < 3; k++) EXPECT_CLOSE("place", x[k], wanted[n - 1][k], 1.1e-5); /* on chords */
        }
    }
    play_close(&p);
}
END_TEST

/* ---- a body across the boundary ---------------------------------------------------------------------------------- */

/* Three of mass 1 at a corner of a periodic box, that turn about their middle: I = 26 / 75. */
START_TEST(body_through_the_boundary)
{
    play p = open_scene("dimension: 2\nbox: {size: 10, boundary: periodic}\nspecies: {a: {diameter: 0.2, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[9.7, 9.9], [0.3, 9.9], [0, 0.4]]}, velocity: zero}]\n"
                        "bodies: [{name: corner, particles: [0, 1, 2], angular_velocity: 2}]\n"
                        "variational: {stiffness: 1000}\n");
    EXPECT_CLOSE("energy", kinetic(&p), 0.5 * 26.0 / 75 * 4, 5.4e-15);
    play_advance(&p, 10);
    const double *v = carom_frame_velocities(frame_of_play(&p));
    EXPECT_CLOSE("energy, later", kinetic(&p), 0.5 * 26.0 / 75 * 4, 5.4e-15);
    EXPECT_CLOSE("speed of the first", hypot(v[0], v[1]), 2 * hypot(0.3, 0.5 / 3), 3.7e-15);
    EXPECT_CLOSE("momentum", hypot(v[0] + v[2] + v[4], v[1] + v[3] + v[5]), 0, 3.8e-16);
    play_close(&p);
}
END_TEST

/* ---- impacts ----------------------------------------------------------------------------------------------------- */

/* A ball of mass m meets, at right angles, a rod whose two nodes have mass 1, at a share s of its length. Free nodes
 * and a rigid body answer alike: the inverse mass there is (1 - s)^2 + s^2. */
START_TEST(ball_hits_rod)
{
    static const double shares[] = {0.5, 0.7, 0.95}, masses[] = {0.5, 4};
    const bool rigid = _i % 2, slack = _i / 2; /* slack: e = 0.4 */
    const double e = slack ? 0.4 : 1;
    for (size_t k = 0; k < 6; k++) {
        char body[1000];
        double s = shares[k / 2], m = masses[k % 2];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 20, boundary: open}\n"
                 "species: {ball: {diameter: 0.4, mass: %g}, end: {diameter: 0.2, mass: 1}}\nparticles:\n"
                 "  - {species: ball, place: {at: [[%.17g, 9]]}, velocity: {each: [0, 1]}}\n"
                 "  - {species: end, place: {at: [[9, 10], [11, 10]]}, velocity: zero}\n"
                 "segments: [{name: rod, pairs: [[1, 2]], diameter: 0.2, species: end}]\n%s"
                 "contacts: [{between: [ball, end], restitution: %g}]\nvariational: {eta: 0.005, stiffness: 2e6}\n",
                 m, 9 + 2 * s, rigid ? "bodies: [{name: bar, particles: [1, 2]}]\n" : "", e);
        play p = open_scene(body);
        double spin, impulse = (1 + e) / (1 / m + (1 - s) * (1 - s) + s * s);
        const momenta before = momenta_of(frame_of_play(&p), NULL);
        play_advance(&p, 0.8);
        const momenta after = momenta_of(frame_of_play(&p), NULL);
        const double *v = carom_frame_velocities(frame_of_play(&p)), *x = carom_frame_positions(frame_of_play(&p));
        spin = rigid ? ((x[4] - x[2]) * (v[5] - v[3]) - (x[5] - x[3]) * (v[4] - v[2])) / 4 : (v[5] - v[3]) / 2;
        EXPECT_CLOSE("ball", v[1], 1 - impulse / m, 1.4e-4);
        EXPECT_CLOSE("rod, its centre", 0.5 * (v[3] + v[5]), 0.5 * impulse, 2.7e-4);
        EXPECT_CLOSE("rod, its spin", spin, (s - 0.5) * impulse, 2.4e-4);
        EXPECT_CLOSE("momentum", after.linear[1], m, 1.4e-14);
        EXPECT_CLOSE("momentum across", after.linear[0], 0, 8e-18);
        EXPECT_CLOSE("angular momentum", after.angular[2], before.angular[2], 2.6e-13);
        EXPECT_CLOSE("energy and what was lost", books(&p), 0.5 * m, 3e-7 * m);
        ck_assert_uint_eq(frame_of_play(&p)->events[EVENT_COLLISION], 1);
        play_close(&p);
    }
}
END_TEST

/* One end comes down first: J = (1 + e) v / (1/M + a^2/I), a the way along the wall from the centre to that end. */
START_TEST(dumbbell_at_wall)
{
    for (int k = 0; k < 4; k++) {
        char body[800];
        const double tilt = 0.25 + 0.25 * k, e = k % 2 ? 0.5 : 1, c = cos(tilt), s = sin(tilt);
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: [8, 8], boundary: [open, wall]}\nspecies: {a: {diameter: 0.2, mass: 1}}\n"
                 "particles: [{species: a, place: {at: [[%.17g, %.17g], [%.17g, %.17g]]}, velocity: {each: [0, -1]}}]\n"
                 "bodies: [{name: bell, particles: [0, 1]}]\ncontacts: [{between: [a, wall], restitution: %g}]\n"
                 "variational: {eta: 0.002, stiffness: 5e6}\n",
                 4 - c, 2 - s, 4 + c, 2 + s, e);
        play p = open_scene(body);
        const double meets = 2 - s - 0.1, impulse = (1 + e) / (0.5 + 0.5 * c * c), spin = -impulse * c / 2;
        play_advance(&p, meets + 0.05);
        const double *v = carom_frame_velocities(frame_of_play(&p)), *x = carom_frame_positions(frame_of_play(&p));
        EXPECT_CLOSE("centre", 0.5 * (v[1] + v[3]), -1 + 0.5 * impulse, 1e-3);
        EXPECT_CLOSE("spin", ((x[2] - x[0]) * (v[3] - v[1]) - (x[3] - x[1]) * (v[2] - v[0])) / 4, spin, 3.4e-4);
        EXPECT_CLOSE("length", hypot(x[2] - x[0], x[3] - x[1]), 2, 3e-15);
        EXPECT_CLOSE("books", books(&p), 1, 4.1e-7);
        play_close(&p);
    }
}
END_TEST

/* No force of the neighbourhood stops it: it turns back, by as much energy as it came with. */
START_TEST(far_too_fast_for_a_rod)
{
    for (int k = 0; k < 2; k++) {
        char body[800];
        const double speed = k == 0 ? 1 : 1e4;
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 20, boundary: open}\n"
                 "species: {ball: {diameter: 0.4, mass: 1}, end: {diameter: 0.2, mass: 1}}\nparticles:\n"
                 "  - {species: ball, place: {at: [[10, 9]]}, velocity: {each: [0, %g]}}\n"
                 "  - {species: end, place: {at: [[9, 10], [11, 10]]}, velocity: zero}\n"
                 "segments: [{name: rod, pairs: [[1, 2]], diameter: 0.2, species: end}]\n"
                 "bodies: [{name: bar, particles: [1, 2]}]\nvariational: {eta: 0.005, stiffness: 1e5}\n",
                 speed);
        play p = open_scene(body);
        play_advance(&p, 0.75 / speed);
        const double *v = carom_frame_velocities(frame_of_play(&p));
        EXPECT_CLOSE("ball", v[1] / speed, -1 / 3.0, 2.2e-4);
        EXPECT_CLOSE("rod", v[3] / speed, 2 / 3.0, 1.1e-4);
        play_advance(&p, 0.75 / speed + 1e-3); /* the first layer sees that it is over */
        printf("%llu forces\n", (unsigned long long)frame_of_play(&p)->events[EVENT_FORCE]);
        double energy = 0.5 * (2 / 3.0) * speed * speed / (1e5 * 0.005 * 0.005);
        EXPECT_CLOSE("closest over the exact one", frame_of_play(&p)->tallies.closest / layer_gap(energy, 3), 1,
                     1.6e-4);
        play_close(&p);
    }
}
END_TEST

/* ---- tops -------------------------------------------------------------------------------------------------------- */

/* Spun about a place near the middle axis, from which it tumbles over and over. */
START_TEST(torque_free_top)
{
    play p = open_scene("dimension: 3\nbox: {size: 10, boundary: open}\nspecies: {a: {diameter: 0.2, mass: 1}, b: "
                        "{diameter: 0.2, mass: 3}}\nparticles:\n"
                        "  - {species: a, place: {at: [[6, 5, 5], [4, 5, 5], [5, 5.7, 5], [5, 4.3, 5]]}, velocity: "
                        "zero}\n  - {species: b, place: {at: [[5, 5, 5.2], [5, 5, 4.8]]}, velocity: zero}\n"
                        "bodies: [{name: top, particles: {from: 0, to: 5}, angular_velocity: [0.05, 1, 0.1]}]\n"
                        "variational: {eta: 0.02, stiffness: 10000}\n");
    double energy = kinetic(&p), most = 0, least = INFINITY, off = 0, length, flips = 0, side = 1;
    const momenta start = momenta_of(frame_of_play(&p), NULL);
    length = hypot(hypot(start.angular[0], start.angular[1]), start.angular[2]);
    for (int n = 1; n <= 1300; n++) {
        play_advance(&p, 0.5 * n);
        const momenta now = momenta_of(frame_of_play(&p), NULL);
        most = fmax(most, kinetic(&p) / energy);
        least = fmin(least, kinetic(&p) / energy);
        for (int k = 0; k < 3; k++) off = fmax(off, fabs(now.angular[k] - start.angular[k]) / length);
        const double *x = carom_frame_positions(frame_of_play(&p));
        flips += (x[7] - x[10]) * side < -0.7;
        if ((x[7] - x[10]) * side < -0.7) side = -side;
    }
    printf("turned over %g times\n", flips);
    ck_assert_double_gt(flips, 10);
    EXPECT_CLOSE("most energy", most, 1, 1e-9);
    EXPECT_CLOSE("least energy", least, 1, 3.1e-7);
    EXPECT_CLOSE("angular momentum, worst", off, 0, 1e-3);
    play_close(&p);
}
END_TEST

/* ---- slopes ------------------------------------------------------------------------------------------------------ */

static const double slope_cos = 0.89442719099991588, slope_sin = 0.44721359549995794;

/* A block of four corners, `wide` and `high`, on a slope of tan = 0.5. */
static play block_on_slope(double wide, double high, double e, double mu)
{
    char body[1200];
    double x[4][2];
    const double off = 0.052;
    for (int k = 0; k < 4; k++) {
        double a = k == 1 || k == 2 ? wide : 0, b = off + (k >= 2 ? high : 0);
        x[k][0] = 4 + a * slope_cos - b * slope_sin;
        x[k][1] = 2 + a * slope_sin + b * slope_cos;
    }
    snprintf(body, sizeof body,
             "dimension: 2\nbox: {size: 8, boundary: open}\nfields: {gravity: [0, -9.81]}\n"
             "species: {a: {diameter: 0.1, mass: 0.25}}\nparticles: [{species: a, place: {at: [[%.17g, %.17g], [%.17g, "
             "%.17g], [%.17g, %.17g], [%.17g, %.17g]]}}]\nbodies: [{name: block, particles: [0, 1, 2, 3]}]\n"
             "planes: [{name: slope, point: [4, 2], normal: [%.17g, %.17g]}]\n"
             "contacts: [{between: [a, slope], restitution: %g, friction: %g}]\n"
             "variational: {eta: 0.01, stiffness: 1e4}\n",
             x[0][0], x[0][1], x[1][0], x[1][1], x[2][0], x[2][1], x[3][0], x[3][1], -slope_sin, slope_cos, e, mu);
    return open_scene(body);
}

/* Of the block's middle; positive: up. */
static double up_the_slope(const play *p)
{
    const double *x = carom_frame_positions(frame_of_play(p));
    double a = 0, b = 0;
    for (int k = 0; k < 4; k++) {
        a += 0.25 * x[2 * k];
        b += 0.25 * x[2 * k + 1];
    }
    return a * slope_cos + b * slope_sin;
}

START_TEST(block_holds_or_slides)
{
    const double e = _i == 0 ? 0 : 0.5;
    play p = block_on_slope(1, 0.5, e, 0.51);
    play_advance(&p, 4);
    double before = up_the_slope(&p);
    play_advance(&p, 9);
    EXPECT_CLOSE("creep, sizes a second", (up_the_slope(&p) - before) / 5, 0, 1.4e-9);
    play_close(&p);
    p = block_on_slope(1, 0.5, e, 0.49);
    double s[3];
    for (int n = 0; n < 3; n++) {
        play_advance(&p, 3 + 2 * n);
        s[n] = up_the_slope(&p);
    }
    EXPECT_CLOSE("acceleration over Coulomb's", (s[2] - 2 * s[1] + s[0]) / 4 / (-9.81 * (slope_sin - 0.49 * slope_cos)),
                 1, 2.3e-6);
    play_close(&p);
}
END_TEST

/* At 0.99 of the cap, mu = 0.5; the plane is level and gravity leans along x. On four corners the uphill ones are at the
 * cap, the others are not. A stiffness of 1000 takes the downhill ones into their second layer. */
static const struct {
    const char *name, *body, *gravity;
    int dimension, corners;
} resting[] = {
    {"cube on four corners",
     "particles: [{species: a, place: {at: [[4, 4, 0.052], [4, 5, 0.052], [5, 4, 0.052], [5, 5, 0.052], [4, 4, 1.052], "
     "[4, 5, 1.052], [5, 4, 1.052], [5, 5, 1.052]]}}]\nplanes: [{name: slope, point: [0, 0, 0], normal: [0, 0, "
     "1]}]\nvariational: {eta: 0.01, stiffness: 1e4}\n",
     "4.3535, 0, -8.795", 3, 8},
    {"body on three corners",
     "particles: [{species: a, place: {at: [[4.5, 4, 0.052], [4, 4.8, 0.052], [5, 4.9, 0.052], [4.5, 4.6, "
     "0.852]]}}]\nplanes: [{name: slope, point: [0, 0, 0], normal: [0, 0, 1]}]\nvariational: {eta: 0.01, stiffness: "
     "1e4}\n",
     "4.3535, 0, -8.795", 3, 4},
    {"block in its second layer",
     "particles: [{species: a, place: {at: [[4, 0.052], [5, 0.052], [5, 0.552], [4, 0.552]]}}]\nplanes: [{name: slope, "
     "point: [0, 0], normal: [0, 1]}]\nvariational: {eta: 0.01, stiffness: 1000, courant: 0.05}\n",
     "4.3535, -8.795", 2, 4}};

static double way_along(const play *p, int dimension, int corners)
{
    const double *x = carom_frame_positions(frame_of_play(p));
    double sum = 0;
    for (int k = 0; k < corners; k++) sum += x[k * dimension] / corners;
    return sum;
}

START_TEST(holds_near_the_cap)
{
    const int d = resting[_i].dimension, corners = resting[_i].corners;
    char body[1200];
    snprintf(
        body, sizeof body,
        "dimension: %d\nbox: {size: 8, boundary: open}\nfields: {gravity: [%s]}\nspecies: {a: {diameter: 0.1, mass: "
        "%g}}\nbodies: [{name: block, particles: {from: 0, to: %d}}]\ncontacts: [{between: [a, slope], restitution: "
        "0, friction: 0.5}]\n%s",
        d, resting[_i].gravity, 1.0 / corners, corners - 1, resting[_i].body);
    play p = open_scene(body);
    printf("%s:\n", resting[_i].name);
    play_advance(&p, 6);
    const double before = way_along(&p, d, corners), account = books(&p);
    play_advance(&p, 8);
    EXPECT_CLOSE("creep, sizes a second", (way_along(&p, d, corners) - before) / 2, 0, 9e-8);
    EXPECT_CLOSE("the books", books(&p), account, 3e-6);
    play_close(&p);
}
END_TEST

/* It turns about its lower corner where its middle is beyond: wide / high < tan. */
START_TEST(block_tips)
{
    static const double highs[] = {1.8, 2.2};
    for (int k = 0; k < 2; k++) {
        play p = block_on_slope(1, highs[k], 0, 2);
        play_advance(&p, 4);
        const double *x = carom_frame_positions(frame_of_play(&p));
        double turned = atan2(x[3] - x[1], x[2] - x[0]) - atan(0.5);
        printf("%g high: turned by %.6g\n", highs[k], turned);
        if (k == 0)
            EXPECT_CLOSE("stands, but for the layers' give", turned, 0, 0.01);
        else
            ck_assert_double_gt(fabs(remainder(turned, 2 * acos(-1))), 1);
        play_close(&p);
    }
}
END_TEST

/* ---- drives ------------------------------------------------------------------------------------------------------ */

START_TEST(work_of_drives)
{
    play p = open_scene(
        "dimension: 2\nseed: 2\nbox: {size: [8, 6], boundary: wall}\nfields: {gravity: [0, -0.5]}\n"
        "species: {a: {diameter: 0.5, mass: 1}, paddle: {diameter: 0.6, mass: 5}}\nparticles:\n"
        "  - {species: paddle, place: {at: [[3, 3], [5, 3]]}}\n"
        "  - {species: a, count: 20, place: random, velocity: {maxwell: 1}}\n"
        "segments: [{name: bat, pairs: [[0, 1]], diameter: 0.3, species: paddle}]\n"
        "planes: [{name: piston, point: [-0.1, 3], normal: [1, 0]}]\ndrives:\n"
        "  - {name: press, plane: piston, motion: [{time: 0.5, velocity: [0.6, 0]}, {time: 3, velocity: [0, 0]}]}\n"
        "  - {name: wave, particles: [0, 1], motion: [{time: 0, velocity: [0, 1]}, {time: 1, velocity: [0, -1]}, "
        "{time: 2.5, velocity: [0.3, 0]}, {time: 4, velocity: [0, 0]}]}\n"
        "contacts: [{between: [a, a], restitution: 0.9, friction: 0.2}]\nvariational: {courant: 0.02}\n");
    double start = books(&p);
    for (int n = 1; n <= 10; n++) {
        play_advance(&p, 0.5 * n);
        const frame_ledger *l = &frame_of_play(&p)->tallies.ledger;
        EXPECT_CLOSE("books", books(&p) - start, 0, 5.8e-4 * (start + fabs(l->work)));
    }
    const frame_ledger *l = &frame_of_play(&p)->tallies.ledger;
    printf("work %.4g, lost %.4g and %.4g\n", l->work, l->restitution, l->friction);
    ck_assert_double_gt(l->work, 5);
    const double *x = carom_frame_positions(frame_of_play(&p));
    EXPECT_CLOSE("paddle went right", x[0], 3.45, 1.3e-15);
    EXPECT_CLOSE("paddle went down", x[1], 2.5, 1.3e-15);
    play_close(&p);
}
END_TEST

/* Without room left the run ends, soon, and nothing has passed through. */
static void squeeze(const char *body, double limit, bool in_between)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: 4}}\n%s", body);
    play p = play_open(text.text, NULL);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_DYNAMICS);
    const carom_frame *f = frame_of_play(&p);
    const double *x = carom_frame_positions(f);
    printf("%s; %llu forces, at %.6g\n", carom_sim_message(p.sim), (unsigned long long)f->events[EVENT_FORCE], f->time);
    ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_SQUEEZED);
    ck_assert_double_lt(f->time, limit);
    if (in_between) ck_assert(x[0] < x[4] && x[4] < x[2]);
    for (size_t i = 0; i < f->count && !in_between; i++) ck_assert(x[2 * i] > 0 && x[2 * i] < 3);
    play_close(&p);
}

START_TEST(squeezed)
{
    static const char *const laws[] = {"1", "0.5", "0"};
    char body[1000];
    snprintf(body, sizeof body,
             "dimension: 2\nseed: 5\nbox: {size: [3, 2], boundary: wall}\nspecies: {a: {diameter: 0.5, mass: 1}}\n"
             "particles: [{species: a, place: {at: [[0.5, 0.5], [1.5, 0.5], [2.5, 0.6], [0.5, 1.4], [1.5, 1.5]]}, "
             "velocity: {each: [[1, 0], [0, 0], [0, 0], [0, 0], [0, 1]]}}]\n"
             "planes: [{name: piston, point: [3.1, 1], normal: [-1, 0]}]\n"
             "drives: [{name: press, plane: piston, motion: [{time: 0, velocity: [-1, 0]}]}]\n"
             "contacts: [{between: [a, a], restitution: %s}, {between: [a, piston], restitution: %s}]\n",
             laws[_i], laws[_i]);
    squeeze(body, 3.1, false);
    snprintf(body, sizeof body,
             "dimension: 2\nbox: {size: 8, boundary: open}\nspecies: {jaw: {diameter: 1}, a: {diameter: 0.5}}\n"
             "particles:\n  - {species: jaw, place: {at: [[2, 4], [6, 4]]}}\n"
             "  - {species: a, place: {at: [[4, 4]]}, velocity: {each: [0.1, 0]}}\ndrives:\n"
             "  - {name: left, particles: [0], motion: [{time: 0, velocity: [1, 0]}, {time: 1.45, velocity: [0, 0]}]}\n"
             "  - {name: right, particles: [1], motion: [{time: 0, velocity: [-1, 0]}, {time: 1.45, velocity: [0, "
             "0]}]}\ncontacts: [{between: [jaw, a], restitution: %s}]\n",
             laws[_i]);
    squeeze(body, 1.45, true);
}
END_TEST

/* ---- potentials of the user's ------------------------------------------------------------------------------------ */

typedef struct trap {
    double stiffness, centre;
    size_t count;
    uint64_t calls;
} trap;

static double pull(void *user, double time, const double *positions, double *forces)
{
    (void)time;
    trap *t = user;
    double energy = 0;
    t->calls += forces != NULL;
    for (size_t i = 0; i < 2 * t->count; i++) {
        double off = positions[i] - t->centre;
        energy += 0.5 * t->stiffness * off * off;
        if (forces != NULL) forces[i] = -t->stiffness * off;
    }
    return energy;
}

/* One free node, or one of a rigid pair that both are pulled: either way omega^2 = stiffness / mass. */
START_TEST(harmonic_trap)
{
    const bool rigid = _i == 1;
    trap t = {.stiffness = 8, .centre = 5, .count = rigid ? 2 : 1};
    const size_t who[] = {1, 0};
    const double pi = acos(-1), omega = 2;
    play p =
        open_scene(rigid ? "dimension: 2\nbox: {size: 10, boundary: open}\nspecies: {a: {diameter: 0.5, mass: 2}}\n"
                           "particles: [{species: a, place: {at: [[5, 4.5], [7, 5.5]]}, velocity: zero}]\n"
                           "bodies: [{name: bar, particles: [0, 1]}]\nvariational: {stiffness: 1000}\n"
                         : "dimension: 2\nbox: {size: 10, boundary: open}\nspecies: {a: {diameter: 0.5, mass: 2}}\n"
                           "particles: [{species: a, place: {at: [[1, 1], [6, 5]]}, velocity: {each: [[0, 0], [0, "
                           "0]]}}]\nvariational: {stiffness: 1000}\n");
    const carom_potential potential = {.step = 0.001, .particles = who, .count = t.count, .force = pull, .user = &t};
    if (carom_sim_add_potential(p.sim, &potential) != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    double start = books(&p), worst = 0;
    const double away =
        carom_frame_positions(frame_of_play(&p))[2] + (rigid ? carom_frame_positions(frame_of_play(&p))[0] - 5 : 0) - 5;
    for (int n = 1; n <= 200; n++) {
        play_advance(&p, 0.25 * pi / omega * n);
        const double *x = carom_frame_positions(frame_of_play(&p));
        double now = x[2] + (rigid ? x[0] - 5 : 0) - 5;
        worst = fmax(worst, fabs(now / away - cos(0.25 * pi * n)));
        EXPECT_CLOSE("energy", books(&p) / start, 1, 2e-3);
    }
    EXPECT_CLOSE("way, against a cosine", worst, 0, 3e-3);
    EXPECT_CLOSE("calls", (double)t.calls, 200 * 0.25 * pi / omega / 0.001, 1);
    play_close(&p);
}
END_TEST

/* What pulls from outside changes the momentum, also where nothing in the scene does. */
START_TEST(harmonic_trap_verified)
{
    char path[60], beside[80], *report = NULL;
    snprintf(path, sizeof path, "trap-%ld.h5", (long)getpid());
    snprintf(beside, sizeof beside, "%s.checkpoint", path);
    trap t = {.stiffness = 8, .centre = 5, .count = 1};
    const carom_potential potential = {.step = 0.001, .count = 1, .force = pull, .user = &t};
    const carom_options options = {.output = path, .force = true};
    play p = play_try("carom: 1\nengine: variational\ndimension: 2\nbox: {size: 10, boundary: open}\n"
                      "species: {a: {diameter: 0.5, mass: 2}}\n"
                      "particles: [{species: a, place: {at: [[6, 5]]}, velocity: zero}]\n"
                      "variational: {stiffness: 1000}\nrun: {until: {time: 1}}\noutput: {frames: {every: 0.2}}\n",
                      NULL, &options);
    if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
    ck_assert_int_eq(carom_sim_add_potential(p.sim, &potential), CAROM_OK);
    play_run(&p, CAROM_STOP_TIME);
    play_close(&p);
    carom_file *result = NULL;
    ck_assert_int_eq(carom_file_open(&result, path), CAROM_OK);
    if (carom_file_verify(result, false, &report) != CAROM_OK) ck_abort_msg("%s", report);
    carom_free(report);
    carom_file_free(result);
    remove(path);
    remove(beside);
}
END_TEST

/* A rigid body, something driven and gravity: what the body gains by falling is no work of the drive. */
START_TEST(drive_beside_a_falling_body)
{
    play p =
        open_scene("dimension: 2\nbox: {size: 40, boundary: open}\nspecies: {c: {diameter: 0.2, mass: 1}}\nparticles:\n"
                   "  - {species: c, place: {at: [[5, 30], [6, 30]]}, velocity: {each: [0, 3]}}\n"
                   "  - {species: c, place: {at: [[30, 5]]}, velocity: zero}\n"
                   "bodies: [{name: b, particles: [0, 1]}]\ndrives: [{name: d, particles: [2]}]\n"
                   "fields: {gravity: [0, -1]}\n");
    play_advance(&p, 2);
    json_t *summary = play_summary(&p);
    EXPECT_CLOSE("work", play_number(summary, "energy.work"), 0, 0);
    EXPECT_CLOSE("drift", play_number(summary, "energy.drift"), 0, 0);
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* Two drives begin at one time, when a spring's clock ticks, too: a run that stops by its number of events stops before
 * that moment or after it, and goes on from a checkpoint as if it had not. */
START_TEST(drives_begin_in_spite_of_a_stop)
{
    static const char beginning[] =
        "carom: 1\nengine: variational\ndimension: 2\nbox: {size: 40, boundary: open}\n"
        "species: {c: {diameter: 0.4, mass: 1}}\nparticles:\n"
        "  - {species: c, place: {at: [[5, 10], [15, 10], [25, 10], [26, 10]]}, "
        "velocity: {each: [[0, 0], [0, 0], [0, 0], [1, 0]]}}\n"
        "springs: [{name: s, pairs: [[2, 3]], stiffness: 1}]\n"
        "drives:\n  - {name: a, particles: [0], motion: [{time: 1, velocity: [0, 1]}]}\n"
        "  - {name: b, particles: [1], motion: [{time: 1, velocity: [0, 1]}]}\n"
        "variational: {material_step: 0.0078125, stiffness: 1000}\nrun: {until: {time: 3}}\n";
    char path[100], checkpoint[120], set[60];
    snprintf(path, sizeof path, "drives-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = play_open(beginning, NULL);
    play_run(&whole, CAROM_STOP_TIME);
    for (int events = 126; events <= 130; events++) {
        carom_options options = {.output = path, .force = true};
        snprintf(set, sizeof set, "run.until.events=%d", events);
        play p = play_try(beginning, set, &options);
        play_run(&p, CAROM_STOP_EVENTS);
        play_close(&p);
        options = (carom_options){.output = path, .resume = true};
        p = play_try(beginning, NULL, &options);
        play_run(&p, CAROM_STOP_TIME);
        ck_assert_msg(play_hash(&p) == play_hash(&whole), "stopped after %d events: states differ", events);
        play_close(&p);
    }
    play_close(&whole);
    remove(path);
    remove(checkpoint);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, turns_follow_each_other);
    tcase_add_test(all, body_through_the_boundary);
    tcase_add_loop_test(all, ball_hits_rod, 0, 4);
    tcase_add_test(all, dumbbell_at_wall);
    tcase_add_test(all, far_too_fast_for_a_rod);
    tcase_add_test(all, torque_free_top);
    tcase_add_loop_test(all, block_holds_or_slides, 0, 2);
    tcase_add_loop_test(all, holds_near_the_cap, 0, 3);
    tcase_add_test(all, block_tips);
    tcase_add_test(all, work_of_drives);
    tcase_add_test(all, drive_beside_a_falling_body);
    tcase_add_test(all, drives_begin_in_spite_of_a_stop);
    suite_split_loop(all, rest, squeezed, 1, 3);
    tcase_add_loop_test(all, harmonic_trap, 0, 2);
    tcase_add_test(all, harmonic_trap_verified);
    tcase_set_timeout(all, 120);
    return suite_run("variational, bodies", all, rest);
}
