/* Detects wrong rotation of clusters: exact cases, conservation laws, a tumbling body, missed contacts. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

#include <unistd.h>

static play_text text;

/* Of a contact, by the contact distance: hunt.c. Times and what follows from them are off by shares of that; bounds are
 * three times the largest deviation. */
static const double gap = 1e-10;

/* ---- help ------------------------------------------------------------------------------------------------------ */

static play open_scene(int dimension, const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: aggregation\naggregation: {rotation: true, skin: 0.1}\ndimension: %d\n%s",
             dimension, body);
    return play_open(text.text, NULL);
}

/* r x v, in space. */
static void cross(const double r[3], const double v[3], double m[3])
{
    for (int k = 0; k < 3; k++) m[k] = r[(k + 1) % 3] * v[(k + 2) % 3] - r[(k + 2) % 3] * v[(k + 1) % 3];
}

/* ---- exact cases ------------------------------------------------------------------------------------------------ */

/* b = 0.6: L = 0.5 * 0.6, J = 2 I + 0.5. */
static void off_centre(int dimension, const char *z, double own)
{
    static char body[1000];
    snprintf(body, sizeof body,
             "box: {size: 20, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
             "  - {species: a, place: {at: [[5, 5%s], [8, 5.6%s]]}, velocity: {each: [[1, 0%s], [0, 0%s]]}}\n"
             "run: {until: {time: 4}}\n",
             *z ? ", 5" : "", *z ? ", 5" : "", z, z);
    play p = open_scene(dimension, body);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double w = 0.3 / (2 * own + 0.5);
    EXPECT_CLOSE("time of the merge", carom_frame_time(f), 2.2, 3.2 * gap);
    EXPECT_CLOSE("angular velocity", f->spin[2], w, 1.5 * gap);
    EXPECT_CLOSE("energy lost", f->tallies.dissipated, 0.25 - 0.5 * 0.3 * w, 0.23 * gap);
    /* v = V + w x r, with r = (-0.4, -0.3) */
    EXPECT_CLOSE("velocity along x", f->velocity[0], 0.5 + 0.3 * w, 0.46 * gap);
    EXPECT_CLOSE("velocity along y", f->velocity[1], -0.4 * w, 0.092 * gap);
    play_close(&p);
}

START_TEST(two_disks)
{
    off_centre(2, "", 0.125);
}
END_TEST

START_TEST(two_spheres)
{
    off_centre(3, ", 0", 0.1);
}
END_TEST

/* A rod of two, made head on at time 1, is hit at its end by a third that has its velocity along x: shift (0.5, 1). */
START_TEST(rod_hit_at_its_end)
{
    play p = open_scene(2, "box: {size: 20, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[5, 5], [7, 5], [6.5, 8]]}\n"
                           "    velocity: {each: [[1, 0], [0, 0], [0.5, -1]]}\n"
                           "run: {until: {time: 4}}\n");
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double inertia = 3.0 / 8 + 0.5 + 2.0 / 3 * 1.25, w = -1.0 / 3 / inertia;
    EXPECT_CLOSE("time of the hit", carom_frame_time(f), 2, 2.6 * gap);
    for (size_t i = 0; i < 3; i++) EXPECT_CLOSE("angular velocity", f->spin[3 * i + 2], w, 0.7 * gap);
    EXPECT_CLOSE("momentum", f->velocity[1] + f->velocity[3] + f->velocity[5], -1, 3.4e-16);
    play_close(&p);
}
END_TEST

/* The distance of the nearer one of the pair of `two_disks` from a third that comes from the right. */
static double from_third(double t)
{
    const double c = cos(0.4 * (t - 2.2)), s = sin(0.4 * (t - 2.2)), x = 7.6 + 0.5 * (t - 2.2), y = 5.3;
    const double ax = -0.4 * c + 0.3 * s, ay = -0.4 * s - 0.3 * c, bx = 14 - 0.3 * t - x, by = 5.5 - y;
    return fmin(hypot(bx - ax, by - ay), hypot(bx + ax, by + ay));
}

/* The pair turns at 0.4 as it meets the third. */
START_TEST(chain_of_three)
{
    play p = open_scene(2, "box: {size: 20, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[5, 5], [8, 5.6], [14, 5.5]]}\n"
                           "    velocity: {each: [[1, 0], [0, 0], [-0.3, 0]]}\n"
                           "run: {until: {time: 20}}\n");
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    double early = 2.2, late = early;
    while (from_third(late) > 1) late += 1e-4;
    for (int n = 0; n < 60; n++) {
        const double t = 0.5 * (early + late);
        if (from_third(t) > 1)
            early = t;
        else
            late = t;
    }
    double x = 0, y = 0, inertia = 0;
    const double turning = momenta_of(f, NULL).angular[2];
    for (size_t i = 0; i < 3; i++) x += f->position[2 * i] / 3, y += f->position[2 * i + 1] / 3;
    for (size_t i = 0; i < 3; i++)
        inertia += 0.125 + pow(f->position[2 * i] - x, 2) + pow(f->position[2 * i + 1] - y, 2);
    EXPECT_CLOSE("time of the second merge", carom_frame_time(f), late, 1.3 * gap);
    EXPECT_CLOSE("angular momentum", turning, -5 + 0.3 * 5.5, 1.4e-15);
    EXPECT_CLOSE("angular velocity", f->spin[2], (turning + 0.7 * y) / inertia, 8.4e-17);
    play_close(&p);
}
END_TEST

/* ---- a body in space --------------------------------------------------------------------------------------------- */

typedef struct tumbling {
    double r[3][3]; /* of three particles, from their centre of mass */
    double w[3];
} tumbling;

static tumbling bodily(const carom_frame *f)
{
    tumbling b;
    double centre[3] = {0};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) centre[k] += f->position[3 * i + k] / 3;
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) b.r[i][k] = f->position[3 * i + k] - centre[k];
    for (size_t k = 0; k < 3; k++) b.w[k] = f->spin[k];
    return b;
}

/* J w, by the particles of mass 1 and radius 0.5. */
static void momentum_of(const double r[3][3], const double w[3], double l[3])
{
    for (int k = 0; k < 3; k++) l[k] = 0.3 * w[k];
    for (int i = 0; i < 3; i++) {
        double u[3], m[3];
        cross(w, r[i], u);
        cross(r[i], u, m);
        for (int k = 0; k < 3; k++) l[k] += m[k];
    }
}

/* w of a given l: J is linear in w, Cramer's rule. */
static void velocity_of(const double r[3][3], const double l[3], double w[3])
{
    double j[3][3], unit[3], minor[3], determinant;
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 3; k++) unit[k] = k == n;
        momentum_of(r, unit, j[n]);
    }
    cross(j[1], j[2], minor);
    determinant = j[0][0] * minor[0] + j[0][1] * minor[1] + j[0][2] * minor[2];
    for (int n = 0; n < 3; n++) {
        cross(j[(n + 1) % 3], j[(n + 2) % 3], minor);
        w[n] = (l[0] * minor[0] + l[1] * minor[1] + l[2] * minor[2]) / determinant;
    }
}

/* dr/dt = w x r for each particle; w follows from the constant l and where they are. */
static void slope_of(const double r[3][3], const double l[3], double u[3][3])
{
    double w[3];
    velocity_of(r, l, w);
    for (int i = 0; i < 3; i++) cross(w, r[i], u[i]);
}

static void runge_kutta(double r[3][3], const double l[3], double h)
{
    double u[4][3][3], x[3][3];
    const double part[4] = {0, 0.5, 0.5, 1};
    for (int stage = 0; stage < 4; stage++) {
        for (int n = 0; n < 9; n++)
            x[n / 3][n % 3] = r[n / 3][n % 3] + (stage > 0 ? part[stage] * h * u[stage - 1][n / 3][n % 3] : 0);
        slope_of((const double(*)[3])x, l, u[stage]);
    }
    for (int n = 0; n < 9; n++)
        r[n / 3][n % 3] +=
            h / 6 * (u[0][n / 3][n % 3] + 2 * u[1][n / 3][n % 3] + 2 * u[2][n / 3][n % 3] + u[3][n / 3][n % 3]);
}

/* An L of three, made by two hits out of one plane; a fourth far away keeps the run going. */
START_TEST(tumbling_body)
{
    play p = open_scene(3, "box: {size: 2000, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[1005, 1005, 1005], [1008, 1005.6, 1005], [1007, 1005.5, "
                           "1010.7], [10, 10, 10]]}\n"
                           "    velocity: {each: [[1, 0, 0], [0, 0, 0], [0.5, 0, -2], [0, 0, 0]]}\n"
                           "run: {until: {time: 1000}}\n");
    play_advance(&p, 4);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_MERGE], 2);
    tumbling b = bodily(f);
    double l[3], wobble = 0;
    momentum_of((const double(*)[3])b.r, b.w, l);
    const double start = f->time;
    enum { STEPS = 2000 };
    for (int n = 1; n <= 400; n++) {
        for (int m = 0; m < STEPS / 20; m++) runge_kutta(b.r, l, 0.1 / (STEPS / 20));
        play_advance(&p, start + 0.1 * n);
        const tumbling now = bodily(carom_sim_frame(p.sim));
        for (int k = 0; k < 3; k++) wobble = fmax(wobble, fabs(now.w[k] - b.w[k]));
        if (n % 100 > 0) continue;
        for (int k = 0; k < 9; k++) EXPECT_CLOSE("place", now.r[k / 3][k % 3], b.r[k / 3][k % 3], 1.6e-12);
    }
    ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_WALL], 0);
    ck_assert_msg(wobble > 0.05, "the body does not tumble: %g", wobble);
    play_close(&p);
}
END_TEST

/* What a long flight leaves of the body's shape, energy and angular momentum. */
START_TEST(long_flight)
{
    play p = open_scene(3, "box: {size: 4000, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[2005, 2005, 2005], [2008, 2005.6, 2005], [2007, 2005.5, "
                           "2010.7], [10, 10, 10]]}\n"
                           "    velocity: {each: [[1, 0, 0], [0, 0, 0], [0.5, 0, -2], [0, 0, 0]]}\n"
                           "run: {until: {time: 10000}}\n");
    play_advance(&p, 4);
    ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_MERGE], 2);
    const tumbling before = bodily(carom_sim_frame(p.sim));
    const double energy = frame_energy_of(carom_sim_frame(p.sim)).total;
    play_advance(&p, 1000);
    const tumbling after = bodily(carom_sim_frame(p.sim));
    double l[3], m[3];
    momentum_of((const double(*)[3])before.r, before.w, l);
    momentum_of((const double(*)[3])after.r, after.w, m);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("angular momentum", m[k], l[k], 3.5e-13);
    EXPECT_CLOSE("energy", frame_energy_of(carom_sim_frame(p.sim)).total, energy, 5e-15);
    play_close(&p);
}
END_TEST

/* A rod that turns on the spot sweeps up one that rests beside it: its particles come into cells where they never
 * were. */
START_TEST(sweeping_rod)
{
    play p = open_scene(
        2, "box: {size: 13, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
           "  - species: a\n    place: {at: [[2, 6.7], [4.25, 6.7], [5.75, 6.7], [7.25, 6.7], [8.75, 6.7], [11, 6.7],\n"
           "                 [9, 11.7], [4, 1.7], [6.5, 3.9]]}\n"
           "    velocity: {each: [[1, 0], [0, 0], [0, 0], [0, 0], [0, 0], [-1, 0], [0, -1], [0, 1], [0, 0]]}\n"
           "run: {until: {time: 40}}\n");
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const frame_merge *last = &f->tallies.merges[7];
    ck_assert_uint_eq(f->tallies.merge_count, 8);
    ck_assert_uint_eq(last->j, 8);
    EXPECT_CLOSE("time of the hits", f->tallies.merges[6].time, 4, 2.6 * gap);
    EXPECT_CLOSE("distance",
                 hypot(f->position[2 * last->i] - f->position[16], f->position[2 * last->i + 1] - f->position[17]), 1,
                 2 * gap);
    play_close(&p);
}
END_TEST

/* ---- many clusters ----------------------------------------------------------------------------------------------- */

typedef struct variety {
    int dimension;
    uint32_t count;
    bool periodic, sticky;
    double end;
} variety;

static variety random_swarm(play_text *t, uint64_t seed, double packing)
{
    dice d = {seed};
    static const char *const kinds[] = {"periodic", "wall", "[periodic, wall%s]"};
    static const uint32_t counts[] = {6, 12, 40, 120};
    static const char *const skins[] = {"0", "0.02", "0.6"};
    variety v = {.dimension = 2 + (int)dice_below(&d, 2), .end = 20};
    const uint32_t kind = dice_below(&d, 3);
    char boundary[80];
    snprintf(boundary, sizeof boundary, kinds[kind], v.dimension == 3 ? ", periodic" : "");
    v.count = counts[dice_below(&d, 4)];
    v.periodic = kind == 0;
    v.sticky = dice_below(&d, 4) > 0;
    t->length = 0;
    play_add(t, "carom: 1\nengine: aggregation\naggregation: {rotation: true, skin: %s}\ndimension: %d\nseed: %u\n",
             dice_word(&d, skins, 3), v.dimension, dice_below(&d, 1000));
    play_add(t, "box: {packing_fraction: %g, boundary: %s}\n", packing, boundary);
    add_species(t, &d);
    play_add(t, "particles: [{species: {a: 1, b: 1}, count: %u, place: random, velocity: {maxwell: 1}}]\n", v.count);
    if (!v.sticky)
        play_add(t, "contacts: [{between: [a, a], restitution: 0.8, stick: {below: 1}}, "
                    "{between: [a, b], restitution: 0.5, stick: {below: 0.7}}]\n");
    play_add(t, "run: {until: {time: %g}}\n", v.end);
    return v;
}

/* As dense as its periodic box allows: the largest particle must have room in it. */
static variety open_swarm(play *p, uint64_t seed)
{
    for (double packing = 0.12;; packing /= 2) {
        const variety v = random_swarm(&text, seed, packing);
        *p = play_try(text.text, NULL, NULL);
        if (p->created == CAROM_OK) return v;
        play_close(p);
    }
}

/* The fast path and all pairs: the same bits. */
START_TEST(reference_agrees)
{
    for (uint64_t n = 0; n < 4; n++) {
        play p, q;
        open_swarm(&p, 4 * (uint64_t)_i + n);
        q = play_open(text.text, "aggregation.reference=true");
        REQUIRE(carom_sim_run(p.sim) == CAROM_OK);
        REQUIRE(carom_sim_run(q.sim) == CAROM_OK);
        const carom_frame *f = carom_sim_frame(p.sim), *g = carom_sim_frame(q.sim);
        if (f->state_hash != g->state_hash || f->tallies.merge_count != g->tallies.merge_count)
            ck_abort_msg("%s\n%u merges by %g, reference %u by %g", text.text, (unsigned)f->tallies.merge_count,
                         f->time, (unsigned)g->tallies.merge_count, g->time);
        play_close(&p);
        play_close(&q);
    }
}
END_TEST

/* The deepest overlap of particles of two clusters. */
static double deepest(const carom_frame *f)
{
    double most = -INFINITY;
    const size_t d = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t j = 0; j < i; j++) {
            double square = 0;
            if (f->cluster[i] == f->cluster[j]) continue;
            for (size_t k = 0; k < d; k++) {
                double x = f->position[i * d + k] - f->position[j * d + k];
                if (f->boundary[k] == FRAME_PERIODIC) x -= f->box[k] * rint(x / f->box[k]);
                square += x * x;
            }
            most = fmax(most, f->radius[i] + f->radius[j] - sqrt(square));
        }
    return most;
}

static double beyond_walls(const carom_frame *f)
{
    double most = -INFINITY;
    for (size_t n = 0; n < f->count * (size_t)f->dimension; n++) {
        const size_t i = n / (size_t)f->dimension, k = n % (size_t)f->dimension;
        if (f->boundary[k] != FRAME_WALL) continue;
        most = fmax(most, f->radius[i] - fmin(f->position[n], f->box[k] - f->position[n]));
    }
    return most;
}

/* No contact was missed: nothing overlaps, however often one looks; and looking changes nothing. */
START_TEST(no_contact_is_missed)
{
    for (uint64_t n = 0; n < 5; n++) {
        play p, q;
        const variety v = open_swarm(&p, 1000 + 5 * (uint64_t)_i + n);
        q = play_open(text.text, NULL);
        const double energy = frame_energy_of(carom_sim_frame(p.sim)).total, step = 0.004;
        for (double t = step; t < v.end && carom_sim_stop(p.sim) != CAROM_STOP_CLUSTERS; t += step) {
            play_advance(&p, t);
            const carom_frame *f = carom_sim_frame(p.sim);
            if (deepest(f) > 1e-11 || beyond_walls(f) > 1e-11)
                ck_abort_msg("%s\nat %g: overlap %g, beyond the walls %g", text.text, t, deepest(f), beyond_walls(f));
            const double now = frame_energy_of(f).total + f->tallies.dissipated;
            if (fabs(now - energy) > 1e-11 * energy)
                ck_abort_msg("%s\nat %g: energy %.17g, not %.17g", text.text, t, now, energy);
        }
        play_advance(&p, v.end);
        play_advance(&q, v.end);
        if (play_hash(&p) != play_hash(&q)) ck_abort_msg("%s\nlooking has changed the run", text.text);
        play_close(&p);
        play_close(&q);
    }
}
END_TEST

/* Resumed again and again: the same bits. */
START_TEST(resumed)
{
    char path[80], rest[100];
    snprintf(path, sizeof path, "rotation-%ld.h5", (long)getpid());
    snprintf(rest, sizeof rest, "%s.checkpoint", path);
    play p, q;
    const variety v = open_swarm(&p, 2000 + (uint64_t)_i);
    for (int n = 0; n < 5; n++) {
        carom_options options = {.output = path, .force = n == 0, .resume = n > 0};
        char until[80];
        snprintf(until, sizeof until, "run.until.time=%g", 0.17 * v.end * (n + 1));
        q = play_try(text.text, until, &options);
        REQUIRE(q.created == CAROM_OK && carom_sim_run(q.sim) == CAROM_OK);
        play_advance(&p, 0.17 * v.end * (n + 1));
        if (play_hash(&p) != play_hash(&q)) ck_abort_msg("%s\nthe resumed run is another", text.text);
        play_close(&q);
    }
    play_close(&p);
    (void)remove(path);
    (void)remove(rest);
}
END_TEST

/* Walls that nothing comes near. */
START_TEST(angular_momentum_stays)
{
    const int dimension = 2 + _i, side = dimension == 2 ? 8 : 4;
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: aggregation\naggregation: {rotation: true}\ndimension: %d\nseed: 5\n"
             "box: {size: 80, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 2, mass: 3}}\n"
             "run: {until: {time: 15}}\nparticles:\n  - species: {a: 1, b: 1}\n    velocity: {maxwell: 0.3}\n"
             "    zero_momentum: true\n    place: {at: [",
             dimension);
    for (int n = 0; n < 64; n++)
        play_add(&text, "%s[%g, %g%s]", n > 0 ? ", " : "", 32 + 2.2 * (n % side), 32 + 2.2 * (n / side % side),
                 dimension == 2         ? ""
                 : n / side / side == 0 ? ", 36"
                 : n / side / side == 1 ? ", 38.2"
                 : n / side / side == 2 ? ", 40.4"
                                        : ", 42.6");
    play_add(&text, "]}\n");
    play p = play_open(text.text, NULL);
    const momenta before = momenta_of(carom_sim_frame(p.sim), NULL);
    play_advance(&p, 15);
    const carom_frame *f = carom_sim_frame(p.sim);
    const momenta after = momenta_of(f, NULL);
    ck_assert_uint_eq(f->events[EVENT_WALL], 0);
    ck_assert_uint_gt(f->events[EVENT_MERGE], 10);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("angular momentum", after.angular[k], before.angular[k], 4e-13);
    play_close(&p);
}
END_TEST

/* A pair that turns meets a wall: smooth and elastic. */
START_TEST(wall_is_smooth)
{
    play p = open_scene(2, "box: {size: 20, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[5, 5], [8, 5.6], [3, 17]]}\n"
                           "    velocity: {each: [[1, 0.2], [0, 0.2], [0, 0]]}\n"
                           "run: {until: {time: 200}}\n");
    play_advance(&p, 3);
    const carom_frame *f = carom_sim_frame(p.sim);
    double energy = frame_energy_of(f).total, along = f->velocity[1] + f->velocity[3];
    uint64_t hits = 0;
    const momenta before = momenta_of(f, NULL);
    for (double t = 3; t < 60 && hits == 0; t += 0.01) {
        play_advance(&p, t);
        hits = carom_sim_frame(p.sim)->events[EVENT_WALL];
    }
    const momenta after = momenta_of(carom_sim_frame(p.sim), NULL);
    ck_assert_uint_eq(hits, 1);
    ck_assert_uint_eq(f->events[EVENT_MERGE], 1);
    EXPECT_CLOSE("energy", frame_energy_of(f).total, energy, 1.2e-15);
    EXPECT_CLOSE("momentum along the wall", f->velocity[1] + f->velocity[3], along, 1.7e-16);
    ck_assert_msg(fabs(after.angular[2] - before.angular[2]) > 1e-3, "the wall turns nothing");
    play_close(&p);
}
END_TEST

/* A cluster that does not fit into a periodic box would meet its own image: it turns no more. */
START_TEST(too_large_to_turn)
{
    play p = open_scene(
        2, "seed: 2\nbox: {packing_fraction: 0.2, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
           "particles: [{species: a, count: 50, place: random, velocity: {maxwell: 1}}]\n"
           "run: {until: {time: 1000}}\n");
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (size_t i = 0; i < f->count; i++) ck_assert_double_eq(f->spin[3 * i + 2], 0);
    play_close(&p);
}
END_TEST

/* A pair that spins fast on the spot, and one that drifts there slowly: rare, but nothing is overdue. */
START_TEST(spin_is_no_drift)
{
    play p = open_scene(2, "box: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\nparticles:\n"
                           "  - species: a\n    place: {at: [[4.5, 5], [5.5, 5.6], [9, 5.3]]}\n"
                           "    velocity: {each: [[0, 1000], [0, -1000], [-0.001, 0]]}\n"
                           "run: {until: {clusters: 1}}\n");
    play_run(&p, CAROM_STOP_CLUSTERS);
    /* the pair reaches at most 1 from its centre, at x = 5 */
    const double time = carom_frame_time(carom_sim_frame(p.sim)), first = (9 - 5 - 1.5) / 0.001;
    printf("the third is met at %g\n", time);
    REQUIRE(time > first && time < first + 10);
    play_close(&p);
}
END_TEST

/* Three that make one cluster, which spins fast and drifts slowly to a wall; a fourth rests. */
static void add_spinner(double drift, double x)
{
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: aggregation\naggregation: {rotation: true, skin: 1e6}\ndimension: 2\n"
        "box: {size: 9e6, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
        "particles:\n  - species: a\n    place: {at: [[5e6, 10], [%.9g, 4e6], [%.9g, 4000006], [%.9g, 4000003.4]]}\n"
        "    velocity: {each: [[0, 0], [%.9g, 300], [%.9g, -300], [%.9g, 0]]}\nrun: {until: {events: 4}}\n",
        x, x + 0.9, x - 12, drift - 150, drift - 150, drift + 300);
}

static const char *const ways[] = {"aggregation.reference=false", "aggregation.reference=true"};

START_TEST(spinning_to_a_far_wall)
{
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        add_spinner(0.01, 4e6);
        play p = play_open(text.text, ways[k]);
        play_run(&p, CAROM_STOP_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert_uint_eq(f->events[EVENT_MERGE], 2);
        ck_assert_uint_eq(f->events[EVENT_WALL], 2);
        hashes[k] = play_hash(&p);
        play_close(&p);
    }
    REQUIRE(hashes[0] == hashes[1]);
}
END_TEST

/* It turns 10^9 times while its tip comes to the wall; looking for the contact can be interrupted. */
START_TEST(a_search_can_be_stopped)
{
    carom_scene *s = carom_scene_new();
    carom_sim *sim = NULL;
    add_spinner(-1e-6, 20);
    REQUIRE(carom_scene_set(s, ways[_i]) == CAROM_OK && carom_scene_set(s, "run.until.wall_time=0.1") == CAROM_OK);
    REQUIRE(carom_scene_load_text(s, "test.yaml", text.text, text.length) == CAROM_OK);
    REQUIRE(carom_sim_new(&sim, s, NULL) == CAROM_OK && carom_sim_run(sim) == CAROM_OK);
    ck_assert_int_eq(carom_sim_stop(sim), CAROM_STOP_WALL_TIME);
    carom_sim_free(sim);
    carom_scene_free(s);
}
END_TEST

int main(void)
{
    TCase *exact = tcase_create("exact"), *many = tcase_create("many"), *more = suite_ci_case();
    tcase_set_timeout(exact, 60);
    tcase_set_timeout(many, 240);
    tcase_add_test(exact, two_disks);
    tcase_add_test(exact, two_spheres);
    tcase_add_test(exact, rod_hit_at_its_end);
    tcase_add_test(exact, chain_of_three);
    tcase_add_test(exact, tumbling_body);
    tcase_add_test(exact, long_flight);
    tcase_add_test(exact, sweeping_rod);
    tcase_add_test(exact, wall_is_smooth);
    tcase_add_test(exact, too_large_to_turn);
    tcase_add_test(more, spin_is_no_drift);
    tcase_add_loop_test(exact, a_search_can_be_stopped, 0, 2);
    tcase_add_test(exact, spinning_to_a_far_wall);
    tcase_add_loop_test(many, angular_momentum_stays, 0, 2);
    tcase_add_loop_test(many, resumed, 0, 8);
    tcase_add_loop_test(many, reference_agrees, 0, 10);
    tcase_add_loop_test(many, no_contact_is_missed, 0, 3);
    tcase_add_loop_test(more, no_contact_is_missed, 3, 5);
    tcase_add_loop_test(many, no_contact_is_missed, 5, 8);
    tcase_add_loop_test(more, no_contact_is_missed, 8, 9);
    tcase_add_loop_test(many, no_contact_is_missed, 9, 10);
    return suite_run("rotation", exact, many, more);
}
