/* Detects meshes that appear or vanish in the engine `hard` at a wrong time, collide while they are absent, appear in grains, leave
 * grains asleep in the air, or change bits with threads, in the reference or after a checkpoint. Closed forms: impacts of single
 * particles, the expansion of an ideal gas, effusion. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

static const double PI = 3.14159265358979323846;

/* Whether the mesh of the points from this one on is absent. */
static bool is_absent(const play *p, size_t point)
{
    frame_need(frame(p), FRAME_ALL);
    return frame_is_absent(frame(p), point);
}

/* ---- one ball ---------------------------------------------------------------------------------------------------- */

/* A ball of diameter 1 and a plate of thickness 0.2 at height 5: they touch at heights 5.6 and 4.4. Beside them another ball may go to and
 * fro, so that the run has no end. */
#define PLATE                                                                                                          \
    "dimension: 3\nbox: {size: [6, 12, 20], boundary: [wall, open, open]}\nspecies: {a: {diameter: 1, mass: 1}}\n"     \
    "particles: [{species: a, place: {at: [[3, 3, %.17g]]}, velocity: {each: [0, 0, %.17g]}}%s]\n"                     \
    "meshes: [{name: plate, shape: {rectangle: {length: 4, width: 4, along: 2, across: 2}}, place: {at: [3.1, 3.2, "   \
    "5]}, rigid: true, thickness: 0.2, %s}]\n"                                                                         \
    "fields: {gravity: [0, 0, %g]}\n"
#define OTHER ", {species: a, place: {at: [[3, 10, 9]]}, velocity: {each: [0.1, 0, 0]}}"

static play plate(double height, double speed, double gravity, const char *moments)
{
    char body[1000];
    snprintf(body, sizeof body, PLATE, height, speed, gravity == 0 ? OTHER : "", moments, gravity);
    return open_engine("hard", body, NULL);
}

static double height(const play *p)
{
    frame_need(frame(p), FRAME_ALL);
    return frame(p)->position[2];
}

static bool plate_is_absent(const play *p)
{
    return is_absent(p, frame_particles(frame(p)));
}

/* It reaches height 5 after 2 s, and the mesh appears before or after. */
START_TEST(a_ball_passes_before)
{
    play early = plate(9, -2, 0, "appear: {time: 1, every: 0.1}"),
         late = plate(9, -2, 0, "appear: {time: 3, every: 0.1}");
    for (int n = 1; n <= 40; n++) {
        const double t = 0.1 * n + 0.05, bounce = 1.7, free = 9 - 2 * t;
        play_advance(&early, t);
        play_advance(&late, t);
        ck_assert_int_eq(plate_is_absent(&early), t < 1);
        ck_assert_int_eq(plate_is_absent(&late), t < 3);
        EXPECT_CLOSE("height of a ball that passes", height(&late), free, 1e-14);
        EXPECT_CLOSE("height of a ball that bounces", height(&early), t < bounce ? free : 5.6 + 2 * (t - bounce),
                     3e-15);
    }
    play_close(&early);
    play_close(&late);
}
END_TEST

/* The plate waits until the ball, which crosses its place from 1.7 to 2.3, has left. */
START_TEST(a_plate_waits_for_its_place)
{
    play p = plate(9, -2, 0, "appear: {time: 1.8, every: 0.11}");
    for (int n = 1; n <= 40; n++) {
        const double t = 0.1 * n + 0.005;
        play_advance(&p, t);
        ck_assert_int_eq(plate_is_absent(&p), t < 1.8 + 5 * 0.11);
        EXPECT_CLOSE("height", height(&p), 9 - 2 * t, 1e-14);
    }
    play_close(&p);
}
END_TEST

/* A moving plate goes on while it is absent: it appears where its drive has led it. */
START_TEST(an_absent_plate_follows_its_drive)
{
    char body[1200];
    snprintf(body, sizeof body, PLATE "drives: [{name: lift, mesh: plate, motion: [{velocity: [0, 0, 1.5]}]}]\n", 12.0,
             0.0, OTHER, "appear: {time: 2, every: 0.1}", 0.0);
    play p = open_engine("hard", body, NULL);
    const double start = budget(&p);
    play_advance(&p, 1.9);
    const carom_frame *f = frame(&p);
    frame_need(f, FRAME_ALL);
    EXPECT_CLOSE("height of the plate", f->position[8], 5 + 1.5 * 1.9, 1e-15);
    play_advance(&p, 4);
    EXPECT_CLOSE("height before the impact", height(&p), 12, 0); /* they touch at (12 - 5.6) / 1.5 = 4.27 */
    play_advance(&p, 5);
    EXPECT_CLOSE("height after it", height(&p), 12 + 3 * (5 - 6.4 / 1.5), 4e-15);
    EXPECT_CLOSE("energy balance", budget(&p), start, 1e-15);
    play_close(&p);
}
END_TEST

/* The ball is slower than 0.5 once, at the top of its flight up: from height 6 at speed 2, after 1 s. */
START_TEST(conditions_hold_at_checks)
{
    play slow = plate(5 + 1, 2, -2, "vanish: {when: {slower: 0.5, every: 0.3}}");
    play lasting = plate(5 + 1, 2, -2, "vanish: {when: {slower: 0.5, for: 0.2, every: 0.1}}");
    play count = plate(9, -0.1, 0, "appear: {when: {particles: 1, every: 0.4}}");
    play_advance(&slow, 0.89); /* the speed is 2 - 2 t */
    ck_assert(!plate_is_absent(&slow));
    play_advance(&slow, 0.91);
    ck_assert(plate_is_absent(&slow));
    play_advance(&lasting, 0.99); /* the checks at 0.8, 0.9, 1 */
    ck_assert(!plate_is_absent(&lasting));
    play_advance(&lasting, 1.01);
    ck_assert(plate_is_absent(&lasting));
    play_advance(&count, 0.39);
    ck_assert(plate_is_absent(&count));
    play_advance(&count, 0.41);
    ck_assert(!plate_is_absent(&count));
    play_close(&slow);
    play_close(&lasting);
    play_close(&count);
}
END_TEST

/* 0.7 is below 70 times 0.01 by rounding: a state at the moment of the change can be resumed. */
START_TEST(a_change_between_checks_can_be_resumed)
{
    char body[1000];
    snprintf(body, sizeof body, PLATE, 9.0, -2.0, OTHER,
             "appear: {time: 0.7, every: 0.1}, vanish: {when: {slower: 0.1, every: 0.01}}", 0.0);
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nrun: {until: {time: 0.7}}\n%s", body);
    char path[60];
    snprintf(path, sizeof path, "hard-presence-moment-%ld.h5", (long)getpid());
    carom_options options = {.output = path, .force = true};
    for (int n = 0; n < 2; n++) {
        play p = play_try(text.text, n == 0 ? NULL : "run.until.time=1", &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        play_run(&p, CAROM_STOP_TIME);
        ck_assert(!plate_is_absent(&p));
        play_close(&p);
        options = (carom_options){.output = path, .resume = true};
    }
    remove(path);
}
END_TEST

/* A change of the scene makes another engine, and new velocities a re-basing: the mesh stays absent, then present. */
START_TEST(changes_keep_the_stages)
{
    const uint32_t id = 0;
    const double back[] = {0, 0, -2};
    play p = plate(9, -2, 0, "appear: {time: 1, every: 0.1}, vanish: {time: 3}");
    for (int n = 0; n < 8; n++) {
        const double t = 0.5 * n + 0.25;
        play_advance(&p, t);
        ck_assert_int_eq(carom_sim_change(p.sim, n % 2 == 0 ? "run.until.time=1e5" : "run.until.time=1e4"), CAROM_OK);
        if (n == 4) ck_assert_int_eq(carom_sim_set_velocities(p.sim, 1, &id, back), CAROM_OK);
        ck_assert_int_eq(plate_is_absent(&p), t < 1 || t > 3);
    }
    /* Bounces at 1.7 and, after the change at 2.25 at height 6.7, at 2.8. */
    EXPECT_CLOSE("height", height(&p), 5.6 + 2 * (3.75 - 2.8), 1e-14);
    play_close(&p);
}
END_TEST

/* ---- particles without collisions -------------------------------------------------------------------------------- */

enum { BEAMS = 40 };

/* Particles of diameter 0.1 side by side, at these heights and speeds along z. */
static void add_beams(play_text *body, const double *z, const double *v)
{
    play_add(body, "species: {a: {diameter: 0.1, mass: 1}}\nparticles:\n");
    for (int n = 0; n < BEAMS; n++)
        play_add(body, "  - {species: a, place: {at: [[%.17g, 1, %.17g]]}, velocity: {each: [0, 0, %.17g]}}\n",
                 0.15 + 0.2 * n, z[n], v[n]);
}

/* Height and velocity after a time between two elastic walls. */
static void fold(double *z, double *v, double time, double low, double high)
{
    *z += *v * time;
    for (bool inside = false; !inside;) {
        inside = *z >= low && *z <= high;
        if (!inside) *z = *z < low ? 2 * low - *z : 2 * high - *z;
        if (!inside) *v = -*v;
    }
}

/* A lid at height 5 of thickness 0.2, above a floor, appears at the first trial from 2 on at which none is there. */
START_TEST(a_lid_reflects_from_then_on)
{
    static play_text body;
    double z[BEAMS], v[BEAMS], since = NAN;
    for (int n = 0; n < BEAMS; n++) {
        z[n] = 0.2 + fmod(0.6180339887 * n, 1) * 3;
        v[n] = 0.4 + fmod(0.7548776662 * n, 1) * 4;
    }
    body.length = 0;
    play_add(&body, "dimension: 3\nbox: {size: [8, 2, 9], boundary: open}\n");
    add_beams(&body, z, v);
    play_add(&body, "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
                    "meshes: [{name: lid, shape: {rectangle: {length: 9, width: 2, along: 5, across: 2}},\n"
                    "  place: {at: [4, 1, 5]}, rigid: true, thickness: 0.2, appear: {time: 1.3, every: 0.02}}]\n");
    for (int k = 0; isnan(since); k++) {
        bool is_free = true;
        for (int n = 0; n < BEAMS; n++) is_free = is_free && fabs(z[n] + (1.3 + 0.02 * k) * v[n] - 5) > 0.15;
        if (is_free) since = 1.3 + 0.02 * k;
    }
    printf("the lid appears at %.3g\n", since);
    ck_assert(since > 1.4 && since < 3);
    play p = open_engine("hard", body.text, NULL);
    for (int m = 0; m <= 60; m++) {
        const double t = since - 0.19 + 0.1 * m;
        double worst = 0;
        uint64_t passed = 0;
        play_advance(&p, t);
        ck_assert_int_eq(is_absent(&p, BEAMS), t < since);
        for (int n = 0; n < BEAMS; n++) {
            double at = z[n], speed = v[n];
            fold(&at, &speed, fmin(t, since), 0.05, INFINITY);
            const bool above = z[n] + v[n] * since > 5;
            if (t > since) fold(&at, &speed, t - since, above ? 5.15 : 0.05, above ? INFINITY : 4.85);
            worst = fmax(worst, fabs(frame(&p)->position[3 * n + 2] - at));
            passed += above;
        }
        ck_assert(passed > 3 && passed < BEAMS - 3);
        EXPECT_CLOSE("height", worst, 0, 3e-14);
    }
    play_close(&p);
}
END_TEST

/* Elastic bounces under gravity 1 from rest at height `z`, above `floor`: height and velocity after a time; counts the impacts. */
static void fall(double *z, double *v, double time, double floor, uint64_t *impacts)
{
    for (;;) {
        const double drop = *v + sqrt(*v * *v + 2 * (*z - floor)); /* time to the floor */
        if (drop > time) break;
        *v = drop - *v;
        *z = floor;
        time -= drop;
        ++*impacts;
    }
    *z += time * (*v - time / 2);
    *v -= time;
}

/* Particles that bounce on a mesh at height 5 of thickness 0.2; it vanishes, and they bounce on the ground. */
START_TEST(a_floor_vanishes)
{
    static play_text body;
    const double moment = 7.3;
    double z[BEAMS], v[BEAMS] = {0};
    for (int n = 0; n < BEAMS; n++) z[n] = 5.3 + fmod(0.6180339887 * n, 1) * 3;
    body.length = 0;
    play_add(&body, "dimension: 3\nbox: {size: [8, 2, 9], boundary: open}\nfields: {gravity: [0, 0, -1]}\n");
    add_beams(&body, z, v);
    play_add(&body, "planes: [{name: ground, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
                    "meshes: [{name: floor, shape: {rectangle: {length: 9, width: 2, along: 5, across: 2}},\n"
                    "  place: {at: [4, 1, 5]}, rigid: true, thickness: 0.2, vanish: {time: 7.3}}]\n");
    play p = open_engine("hard", body.text, NULL);
    const double start = budget(&p);
    for (int m = 1; m <= 70; m++) {
        const double t = 0.2 * m + 0.013;
        double worst = 0;
        uint64_t impacts = 0;
        play_advance(&p, t);
        ck_assert_int_eq(is_absent(&p, BEAMS), t > moment);
        for (int n = 0; n < BEAMS; n++) {
            double at = z[n], speed = 0;
            fall(&at, &speed, fmin(t, moment), 5.15, &impacts);
            if (t > moment) fall(&at, &speed, t - moment, 0.05, &impacts);
            worst = fmax(worst, fabs(frame(&p)->position[3 * n + 2] - at));
        }
        ck_assert_uint_eq(frame(&p)->events[EVENT_WALL], impacts);
        EXPECT_CLOSE("height", worst, 0, 1e-12);
        EXPECT_CLOSE("energy balance", budget(&p), start, 1e-12);
    }
    play_close(&p);
}
END_TEST

/* The fraction of an ideal gas in 0 < z < 1, with a wall at 0, that is still there at time t after the other side opens (test_hard_flows.c). */
static double ideal_rest(double t)
{
    const double w = 2 / t;
    return erf(w / sqrt(2)) - sqrt(2 / PI) * (1 - exp(-w * w / 2)) / w;
}

/* A gate at height 1 in a box of height 2 opens: the path of each particle, and the number of those above. The normal of an impact has the
 * rounding of positions over the radius, 2^-53 / r. */
START_TEST(an_ideal_gas_expands)
{
    enum { COUNT = 4000 };
    const double r = 0.5e-5, opens = 1.7;
    static double start[COUNT][3], speed[COUNT][3];
    char body[700];
    snprintf(body, sizeof body,
             "dimension: 3\nseed: %d\nbox: {size: [1, 1, 2], boundary: wall}\nspecies: {a: {diameter: 1e-5, mass: 1}}\n"
             "particles: [{species: a, count: %d, velocity: {maxwell: 1},\n"
             "  place: {random: {region: {box: {from: [0, 0, 0], to: [1, 1, 0.999]}}}}}]\n"
             "meshes: [{name: gate, rigid: true, shape: {rectangle: {length: 1, width: 1, along: 3, across: 3}},\n"
             "  place: {at: [0.5, 0.5, 1]}, vanish: {time: 1.7}}]\n",
             3 + _i, COUNT);
    play p = open_engine("hard", body, NULL);
    frame_need(frame(&p), FRAME_ALL);
    memcpy(start, frame(&p)->position, sizeof start);
    memcpy(speed, frame(&p)->velocity, sizeof speed);
    for (int n = 1; n <= 40; n++) {
        const double t = n < 17 ? 0.1 * n : 1.7 + 0.01 * (n - 17);
        double worst = 0;
        uint64_t above = 0;
        play_advance(&p, t);
        frame_need(frame(&p), FRAME_ALL);
        for (size_t i = 0; i < COUNT; i++)
            for (int k = 0; k < 3; k++) {
                double at = start[i][k], v = speed[i][k];
                fold(&at, &v, k == 2 ? fmin(t, opens) : t, r, 1 - r);
                if (k == 2 && t > opens) fold(&at, &v, t - opens, r, 2 - r);
                worst = fmax(worst, fabs(frame(&p)->position[3 * i + (size_t)k] - at));
                above += k == 2 && frame(&p)->position[3 * i + 2] > 1;
            }
        EXPECT_CLOSE("place", worst, 0, 2.7e-10);
        const double rest = t > opens ? 1 - ideal_rest(t - opens) : 0;
        EXPECT_CLOSE("fraction above the gate", (double)above / COUNT, rest, 3 * sqrt(rest * (1 - rest) / COUNT));
    }
    ck_assert_uint_eq(frame(&p)->events[EVENT_COLLISION], 0);
    play_close(&p);
}
END_TEST

/* A gas of spheres of diameter d between walls at its temperature, below a plate with a hole, a polygon of 48 sides (test_hard_flows.c), that
 * a gate closes until 100 and a lid closes again. */
enum { GAS = 600, SIDES = 48 };
static const double d = 0.1, side = 6, hole = 0.5;

static double time_constant(void)
{
    const double apothem = hole * cos(PI / SIDES) - d / 2, area = SIDES * apothem * apothem * tan(PI / SIDES);
    const double volume = (side - d) * (side - d) * (side - d);
    return 4 * volume / (area * sqrt(8 / PI));
}

START_TEST(effusion_through_a_gate)
{
    char body[1800];
    const double tau = time_constant(), closes = 100 + tau;
    snprintf(
        body, sizeof body,
        "dimension: 3\nseed: %d\nbox: {size: [%g, %g, %g], boundary: [wall, wall, open]}\n"
        "species: {a: {diameter: %g, mass: 1}, iron: {diameter: 1, mass: 1}}\n"
        "planes: [{name: floor, point: [0, 0, 0], normal: [0, 0, 1]}]\n"
        "meshes:\n  - {name: plate, rigid: true, species: iron, place: {at: [%g, %g, %g]},\n"
        "     shape: {revolution: {profile: [[%g, 0], [%g, 0]], around: %d}}}\n"
        "  - {name: gate, rigid: true, species: iron, place: {at: [%g, %g, %g]}, shape: {disk: {radius: %g, rings: "
        "4}}, vanish: {time: 100}}\n"
        "  - {name: lid, rigid: true, species: iron, place: {at: [%g, %g, %g]}, shape: {disk: {radius: %g, rings: "
        "4}}, appear: {time: %.17g, every: 0.01}}\n"
        "particles: [{species: a, count: %d, place: {random: {region: {box: {from: [0, 0, 0], to: [%g, %g, %g]}}}},\n"
        "  velocity: {maxwell: 1}}]\noutflow: [{name: hole, side: z+, every: 0.5}]\n"
        "contacts: [{between: [a, wall], temperature: 1}, {between: [a, floor], temperature: 1}, "
        "{between: [a, iron], temperature: 1}]\n",
        1 + _i, side, side, side, d, side / 2, side / 2, side, hole, side, SIDES, side / 2, side / 2, side, 0.98 * hole,
        side / 2, side / 2, side + 0.01, 0.98 * hole, closes, GAS, side, side, side);
    play p = open_engine("hard", body, NULL);
    const double start = budget(&p);
    play_advance(&p, 100);
    ck_assert_uint_eq(frame_present(frame(&p)), GAS);
    for (int n = 1; n <= 4; n++) {
        const double t = 0.25 * n * tau, rest = exp(-t / tau);
        play_advance(&p, 100 + t);
        EXPECT_CLOSE("fraction that is left", (double)frame_present(frame(&p)) / GAS, rest,
                     3 * sqrt(rest * (1 - rest) / GAS));
        EXPECT_CLOSE("energy balance", budget(&p), start, 5e-15 * start);
    }
    play_advance(&p, closes + 5); /* those above the lid have left */
    const size_t present = frame_present(frame(&p));
    play_advance(&p, closes + 100);
    ck_assert_uint_eq(frame_present(frame(&p)), present);
    play_close(&p);
}
END_TEST

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

/* Two towers of balls asleep on two shelves, of which one vanishes: its tower falls as a whole, and sleeps again on the floor. */
START_TEST(a_tower_falls)
{
    const char *const body =
        "dimension: 3\nbox: {size: [3, 1, 9], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
        "particles: [{species: a, place: {at: [[0.5, 0.5, 4.7], [0.5, 0.5, 5.8], [0.5, 0.5, 6.9], [2.5, 0.5, 4.7], "
        "[2.5, 0.5, "
        "5.8]]}}]\n"
        "meshes:\n  - {name: gate, rigid: true, thickness: 0.2, shape: {rectangle: {length: 1, width: 1, along: 3, "
        "across: "
        "3}}, place: {at: [0.5, 0.5, 4]}, vanish: {time: 60}}\n"
        "  - {name: shelf, rigid: true, thickness: 0.2, shape: {rectangle: {length: 1, width: 1, along: 3, across: "
        "3}}, "
        "place: {at: [2.5, 0.5, 4]}}\n"
        "contacts: [{between: [a, a], restitution: 0.3}, {between: [a, wall], restitution: 0.3}]\n"
        "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {policy: sleep, speed: 1e-4}}\n";
    play p = open_engine("hard", body, _i == 0 ? NULL : "hard.reference=true");
    double rest[5];
    play_advance(&p, 59);
    EXPECT_CLOSE("at rest", frame_energy_of(frame(&p)).kinetic, 0, 0);
    for (int i = 0; i < 5; i++) rest[i] = frame(&p)->position[3 * i + 2];
    for (int n = 1; n <= 25; n++) {
        const double t = 0.1 * n; /* the lowest reaches the floor after sqrt(2 * 4.1) = 2.86 */
        play_advance(&p, 60 + t);
        frame_need(frame(&p), FRAME_ALL);
        for (int i = 0; i < 5; i++)
            EXPECT_CLOSE("height", frame(&p)->position[3 * i + 2], i < 3 ? rest[i] - t * t / 2 : rest[i],
                         i < 3 ? 2e-14 : 0);
        EXPECT_CLOSE("kinetic energy", frame_energy_of(frame(&p)).kinetic, 1.5 * t * t, 4e-14);
    }
    play_advance(&p, 140);
    EXPECT_CLOSE("at rest", frame_energy_of(frame(&p)).kinetic, 0, 0);
    EXPECT_CLOSE("height", frame_energy_of(frame(&p)).potential, 0.5 + 1.5 + 2.5 + 4.6 + 5.6, 1e-7);
    play_close(&p);
}
END_TEST

/* ---- many grains ------------------------------------------------------------------------------------------------- */

/* Grains pour onto a gate that vanishes when they are slow; then a moving slab appears above them, and vanishes again. */
#define GATE                                                                                                           \
    "dimension: 3\nseed: %d\nbox: {size: [6.5, 3, 9], boundary: wall}\n"                                               \
    "species: {a: {diameter: {uniform: [%s, 1.2]}, density: 1.9}}\n"                                                   \
    "particles: [{species: a, count: 30, velocity: {maxwell: 0.2}, angular_velocity: {maxwell: 1},\n"                  \
    "  place: {inflow: {region: {box: {from: [0, 0, 6], to: [6.5, 3, 8.5]}}, rate: 12}}}]\n"                           \
    "meshes:\n"                                                                                                        \
    "  - {name: gate, shape: {rectangle: {length: 6.4, width: 3, along: 6, across: 3}}, place: {at: [3.2, 1.5, 3]},\n" \
    "     rigid: true, thickness: 0.2, vanish: {when: {slower: 1.5, every: 0.2, particles: 30}}}\n"                    \
    "  - {name: slab, shape: {rectangle: {length: 2, width: 2, along: 2, across: 2}}, place: {at: [2, 1.5, 5]},\n"     \
    "     rigid: true, thickness: 0.2, appear: {time: 3, every: 0.05}, vanish: {time: 8}}\n"                           \
    "drives: [{name: press, mesh: slab, motion: [{velocity: [0, 0, -0.15]}, {time: 4}]}]\n"                            \
    "contacts:\n  - {between: [a, a], restitution: 0.6, friction: 0.4, tangential: 0}\n"                               \
    "  - {between: [a, wall], restitution: 0.6, friction: 0.4, tangential: 0}\n"                                       \
    "fields: {gravity: [0, 0, -1]}\nhard: {collapse: {%s}}\n"

/* A gas between a gate and a lid; the cage appears in the gas. */
#define CAGED                                                                                                          \
    "dimension: 3\nseed: %d\nbox: {size: [7, 7, 9], boundary: [%s, wall, wall]}\n"                                     \
    "species: {a: {diameter: {uniform: [0.25, %s]}, density: 1}}\n"                                                    \
    "particles: [{species: a, count: 200, place: {random: {region: {box: {from: [0, 0, 4], to: [7, 7, 9]}}}}, "        \
    "velocity: {maxwell: 1}}]\n"                                                                                       \
    "meshes:\n"                                                                                                        \
    "  - {name: gate, shape: {rectangle: {length: 6.9, width: 7, along: 4, across: 4}}, place: {at: [3.45, 3.5, "      \
    "4]},\n"                                                                                                           \
    "     rigid: true, thickness: 0.1, vanish: {time: 1}}\n"                                                           \
    "  - {name: cage, shape: {sphere: {radius: 0.6, parts: 2}}, place: {at: [2, 2, 6]},\n"                             \
    "     rigid: true, appear: {time: 1.5, every: 0.013}, vanish: {when: {slower: 3.2, every: 0.1}}}\n"                \
    "  - {name: paddle, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, place: {at: [5, 5, 2]},\n"     \
    "     rigid: true, appear: {when: {particles: 200, every: 0.37}}, vanish: {time: 3.3}}\n"                          \
    "%s"

enum { SEEDS = 16, SOME = 4 };

static const char *some_text(int n)
{
    static char body[2500];
    static const char *const policies[] = {"policy: sleep, speed: 0.01", "policy: cutoff, speed: 0.01",
                                           "policy: tc, tc: 0.001"};
    if (n % 4 == 3)
        snprintf(body, sizeof body, CAGED, n, n % 8 == 3 ? "wall" : "periodic", n % 8 == 3 ? "0.3" : "0.7",
                 n % 8 == 3 ? "drives: [{name: swing, mesh: paddle, motion: [{oscillate: {by: [0, 0, 0.5], frequency: "
                              "0.7}}]}]\n"
                            : "");
    else
        snprintf(body, sizeof body, GATE, n, n % 2 == 0 ? "0.8" : "0.3", policies[n % 3]);
    return body;
}

START_TEST(the_reference_agrees)
{
    play fast = open_engine("hard", some_text(_i), NULL);
    play all_pairs = open_engine("hard", some_text(_i), "hard.reference=true");
    const double start = budget(&fast);
    for (int n = 0; n <= 8; n++) {
        play_advance(&fast, 1.1 * n);
        play_advance(&all_pairs, 1.1 * n);
        same_state(&fast, &all_pairs);
        EXPECT_CLOSE("drift", budget(&fast), start, 3e-15 * (fabs(start) + frame(&fast)->tallies.flow.energy_entered));
        EXPECT_CLOSE("overlap", frame(&fast)->tallies.max_overlap, 0, 1e-13);
    }
    const bool gone = is_absent(&fast, frame_particles(frame(&fast)));
    ck_assert(gone || (_i % 4 != 3 && frame(&fast)->tallies.flow.entered < 30));
    play_close(&fast);
    play_close(&all_pairs);
}
END_TEST

/* Stopped between frames; and a run with other frames, some of them at times of changes. */
START_TEST(resumed_runs_agree)
{
    char name[40];
    snprintf(name, sizeof name, "hard-presence-%d", _i);
    parts_of_engine("hard", 1, name, some_text(_i), "output.frames.every=0.31", 9);
    play some = open_engine("hard", some_text(_i), "output.frames.every=0.1");
    play none = open_engine("hard", some_text(_i), NULL);
    for (int n = 1; n <= 45; n++) play_advance(&some, 0.2 * n);
    play_advance(&none, 9);
    same_state(&some, &none);
    play_close(&some);
    play_close(&none);
}
END_TEST

/* Without particles that enter and without sleep, in domains. */
START_TEST(threads_agree)
{
    char name[40];
    snprintf(name, sizeof name, "hard-presence-threads-%d", _i);
    parts_of_engine("hard", 2 + _i % 2, name, some_text(4 * _i + 3), NULL, 5);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_test(all, a_ball_passes_before);
    tcase_add_test(all, a_plate_waits_for_its_place);
    tcase_add_test(all, an_absent_plate_follows_its_drive);
    tcase_add_test(all, conditions_hold_at_checks);
    tcase_add_test(all, a_change_between_checks_can_be_resumed);
    tcase_add_test(all, changes_keep_the_stages);
    tcase_add_test(all, a_lid_reflects_from_then_on);
    tcase_add_test(all, a_floor_vanishes);
    suite_split_loop(more, rest, an_ideal_gas_expands, 1, 4);
    suite_split_loop(all, rest, effusion_through_a_gate, 1, 8);
    tcase_add_loop_test(all, a_tower_falls, 0, 2);
    suite_split_loop(all, rest, the_reference_agrees, SOME, SEEDS);
    suite_split_loop(all, rest, resumed_runs_agree, SOME, SEEDS);
    tcase_add_loop_test(all, threads_agree, 0, 4);
    tcase_set_timeout(all, 300);
    return suite_run("hard presence", all, more, rest);
}
