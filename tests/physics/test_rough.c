/* Detects wrong collisions of rough spheres: linear equations solved in 80 bits, Garwin's ball, conservation laws,
 * time reversal, equipartition, and the cooling state of Huthmann and Zippelius. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/rough_boltzmann.h"
#include "../support/suite.h"

static const double ulp = 0x1p-52;
static play_text text;

static void begin(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\n%s", body);
}

/* ---- one contact ----------------------------------------------------------------------------------------------- */

typedef long double wide;
typedef struct ball {
    wide r[3], v[3], w[3], radius, mass, inertia;
} ball;

static void cross3(const wide a[3], const wide b[3], wide c[3])
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static wide dot3(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Adds what a unit impulse along each axis at `arm` does to the velocity there: columns of K. */
static void add_response(wide K[3][3], const ball *b, const wide arm[3])
{
    for (int c = 0; c < 3; c++) {
        wide p[3] = {0}, turn[3], at[3];
        p[c] = 1;
        cross3(arm, p, turn);
        for (int k = 0; k < 3; k++) turn[k] /= b->inertia;
        cross3(turn, arm, at);
        for (int k = 0; k < 3; k++) K[k][c] += p[k] / b->mass + at[k];
    }
}

static wide determinant(wide m[3][3])
{
    wide c[3];
    cross3(m[1], m[2], c);
    return dot3(m[0], c);
}

static void solve(wide K[3][3], const wide b[3], wide x[3])
{
    for (int c = 0; c < 3; c++) {
        wide m[3][3];
        memcpy(m, K, sizeof m);
        for (int k = 0; k < 3; k++) m[k][c] = b[k];
        x[c] = determinant(m) / determinant(K);
    }
}

static void push(ball *b, const wide arm[3], const wide p[3], wide sign)
{
    wide turn[3];
    cross3(arm, p, turn);
    for (int k = 0; k < 3; k++) {
        b->v[k] += sign * p[k] / b->mass;
        b->w[k] += sign * turn[k] / b->inertia;
    }
}

/* Coulomb: what acts along the surfaces is at most mu times what acts across. Returns by how much it was cut. */
static wide limit(const wide n[3], wide mu, wide p[3])
{
    wide across = dot3(p, n), along[3];
    for (int k = 0; k < 3; k++) along[k] = p[k] - across * n[k];
    const wide cut = fminl(1, mu * fabsl(across) / sqrtl(dot3(along, along)));
    for (int k = 0; k < 3; k++) p[k] = across * n[k] + cut * along[k];
    return cut;
}

/* The impulse that turns the relative velocity g of the points of contact into -e g_n - beta g_t, where friction does
 * not limit it. */
static wide collide(ball *a, ball *b, wide e, wide beta, wide mu)
{
    wide n[3], arm_a[3], arm_b[3], g[3], at_a[3], at_b[3], wanted[3], p[3], K[3][3] = {{0}};
    for (int k = 0; k < 3; k++) n[k] = a->r[k] - b->r[k];
    const wide length = sqrtl(dot3(n, n));
    for (int k = 0; k < 3; k++) {
        n[k] /= length;
        arm_a[k] = -a->radius * n[k];
        arm_b[k] = b->radius * n[k];
    }
    cross3(a->w, arm_a, at_a);
    cross3(b->w, arm_b, at_b);
    for (int k = 0; k < 3; k++) g[k] = a->v[k] + at_a[k] - b->v[k] - at_b[k];
    for (int k = 0; k < 3; k++) wanted[k] = -(1 + e) * dot3(g, n) * n[k] - (1 + beta) * (g[k] - dot3(g, n) * n[k]);
    add_response(K, a, arm_a);
    add_response(K, b, arm_b);
    solve(K, wanted, p);
    const wide cut = limit(n, mu, p);
    push(a, arm_a, p, 1);
    push(b, arm_b, p, -1);
    return cut;
}

static void fly_together(ball *a, ball *b)
{
    wide r[3], v[3];
    for (int k = 0; k < 3; k++) {
        r[k] = a->r[k] - b->r[k];
        v[k] = a->v[k] - b->v[k];
    }
    const wide s = a->radius + b->radius, vr = dot3(v, r), c = dot3(r, r) - s * s;
    const wide t = c / (-vr + sqrtl(vr * vr - dot3(v, v) * c));
    for (int k = 0; k < 3; k++) {
        a->r[k] += t * a->v[k];
        b->r[k] += t * b->v[k];
    }
}

/* Numbers that are exact in the scene's text. */
static double coarse(dice *d, double low, double high)
{
    return floor(dice_real(d, low, high) * 256) / 256;
}

static ball any_ball(dice *d, int dimension, double x, double speed)
{
    ball b = {.r = {x, 8, 8}, .v = {speed, 0, 0}};
    b.radius = coarse(d, 0.4, 0.7);
    b.mass = coarse(d, 0.5, 2);
    for (int k = 1; k < dimension; k++) {
        b.r[k] += coarse(d, -0.2, 0.2);
        b.v[k] = coarse(d, -0.1, 0.1);
    }
    for (int k = dimension == 3 ? 0 : 2; k < 3; k++) b.w[k] = coarse(d, -2, 2);
    if (dimension == 2) b.r[2] = 0;
    return b;
}

static void add_vector(const wide v[3], int dimension)
{
    play_add(&text, "[%.17g, %.17g", (double)v[0], (double)v[1]);
    play_add(&text, dimension == 3 ? ", %.17g]" : "]", (double)v[2]);
}

static void add_ball(const ball *b, const char *name, int dimension)
{
    play_add(&text, "  - {species: %s, place: {at: [", name);
    add_vector(b->r, dimension);
    play_add(&text, "]}, velocity: {each: ");
    add_vector(b->v, dimension);
    play_add(&text, "}, angular_velocity: {each: ");
    if (dimension == 3)
        add_vector(b->w, 3);
    else
        play_add(&text, "%.17g", (double)b->w[2]);
    play_add(&text, "}}\n");
}

static void compare_ball(const carom_frame *f, size_t i, const ball *b)
{
    const size_t d = (size_t)f->dimension;
    for (size_t k = 0; k < d; k++) EXPECT_CLOSE("velocity", f->velocity[i * d + k], (double)b->v[k], 60 * ulp);
    for (size_t k = 0; k < 3; k++) EXPECT_CLOSE("spin", f->spin[i * 3 + k], (double)b->w[k], 300 * ulp);
}

START_TEST(two_bodies)
{
    dice d = {77 + (uint64_t)_i};
    const int dimension = _i % 2 ? 3 : 2;
    ball a = any_ball(&d, dimension, 5, 1), b = any_ball(&d, dimension, 8, -0.5);
    const double e = coarse(&d, 0, 1), beta = _i < 4 ? 1 : coarse(&d, -1, 1);
    const double mu = _i % 3 == 2 ? coarse(&d, 0, 0.3) : INFINITY;
    const double q[2] = {coarse(&d, 0.1, 0.6), dimension == 3 ? 0.4 : 0.5};
    a.inertia = q[0] * a.mass * a.radius * a.radius;
    b.inertia = (wide)q[1] * b.mass * b.radius * b.radius;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\nbox: {size: 16, boundary: open}\nspecies:\n", dimension);
    play_add(&text,
             "  a: {radius: %.17g, mass: %.17g, inertia: %.17g}\n  b: {radius: %.17g, mass: %.17g}\nparticles:\n",
             (double)a.radius, (double)a.mass, q[0], (double)b.radius, (double)b.mass);
    add_ball(&a, "a", dimension);
    add_ball(&b, "b", dimension);
    play_add(&text, "contacts: [{between: [a, b], restitution: %.17g, tangential: %.17g", e, beta);
    if (!isinf(mu)) play_add(&text, ", friction: %.17g", mu);
    play_add(&text, "}]\n");
    play_add(&text, "run: {until: {collisions: 1}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_COLLISIONS);
    fly_together(&a, &b);
    const wide cut = collide(&a, &b, e, beta, mu);
    printf("friction %g: %.3f of the impulse along the surfaces\n", mu, (double)cut);
    compare_ball(carom_sim_frame(p.sim), 0, &a);
    compare_ball(carom_sim_frame(p.sim), 1, &b);
    play_close(&p);
}
END_TEST

/* R. L. Garwin, Am. J. Phys. 37, 88 (1969): a ball of beta = e = 1 on the floor, C = a w: v' = (3 v - 4 C) / 7 and
 * C' = -(10 v + 3 C) / 7 where C counts as v does at the point of contact. */
START_TEST(ultraelastic_ball)
{
    begin("dimension: 3\nbox: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 3}}\n"
          "particles: [{species: a, place: {at: [[2, 2, 2]]}, velocity: {each: [0.5, -1, 0]}, "
          "angular_velocity: {each: [0.75, 0.25, 1.5]}}]\n"
          "contacts: [{between: [a, wall], tangential: 1}]\nrun: {until: {events: 1}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    /* at the bottom the surface moves at w x (0, -1/2, 0) = (w_z, 0, -w_x) / 2 */
    const double x = 0.5 * 1.5, z = -0.5 * 0.75;
    EXPECT_CLOSE("v_x", f->velocity[0], (3 * 0.5 - 4 * x) / 7, 2 * ulp);
    EXPECT_CLOSE("v_y", f->velocity[1], 1, 0);
    EXPECT_CLOSE("v_z", f->velocity[2], -4 * z / 7, 2 * ulp);
    EXPECT_CLOSE("w_z / 2", f->spin[2] / 2, -(10 * 0.5 + 3 * x) / 7, 4 * ulp);
    EXPECT_CLOSE("-w_x / 2", -f->spin[0] / 2, -3 * z / 7, 4 * ulp);
    EXPECT_CLOSE("w_y", f->spin[1], 0.25, 0);
    play_close(&p);
}
END_TEST

/* Disks that pass each other by touching, and a hair deeper. */
START_TEST(glancing)
{
    static const double depth[] = {0, 0x1p-51, 0x1p-49, 1e-6};
    for (int k = 0; k < 4; k++) {
        text.length = 0;
        play_add(&text,
                 "carom: 1\nengine: hard\ndimension: 2\nbox: {size: 12, boundary: open}\n"
                 "species: {a: {diameter: 1}}\n"
                 "particles: [{species: a, place: {at: [[2, 2], [5, %.17g]]}, velocity: {each: [[1, 0], [0, 0]]}}]\n"
                 "contacts: [{between: [a, a], tangential: 1}]\nrun: {until: {time: 20}}\n",
                 3 - depth[k]);
        play p = play_open(text.text, NULL);
        (void)carom_sim_run(p.sim);
        const carom_frame *f = carom_sim_frame(p.sim);
        printf("depth %g: %llu collisions, spins %g %g, v_y %g\n", depth[k],
               (unsigned long long)f->events[EVENT_COLLISION], f->spin[2], f->spin[5], f->velocity[1]);
        ck_assert(k == 3 ? fabs(f->spin[2]) > 0.3 : f->spin[2] == 0 && f->spin[5] == 0);
        /* n_x^2 = 2 depth - depth^2 goes across; a third of the rest, along, where they touch deep enough to be rough */
        const double across = 2 * depth[k] - depth[k] * depth[k], along = k == 3 ? (1 - across) / 3 : 0;
        EXPECT_CLOSE("v_x", f->velocity[0], 1 - across - along, k == 3 ? 3e-15 : 2 * ulp);
        play_close(&p);
    }
}
END_TEST

/* A ball alone in a channel without an end: rough walls do not move with it, and brake it to rolling. */
START_TEST(walls_at_rest)
{
    begin("dimension: 2\nbox: {size: 4, boundary: [periodic, wall]}\nspecies: {a: {diameter: 1}}\n"
          "particles: [{species: a, place: {at: [[1, 2]]}, velocity: {each: [3, -1]}}]\n"
          "contacts: [{between: [a, wall], tangential: 0}]\nrun: {until: {events: 1}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    EXPECT_CLOSE("v_x", carom_sim_frame(p.sim)->velocity[0], 3 / 1.5, 4 * ulp);
    EXPECT_CLOSE("w", carom_sim_frame(p.sim)->spin[2], -2 * 3 / 1.5, 8 * ulp);
    play_close(&p);
    p = play_open(text.text, "fields.gravity=[0.5, 0]");
    play_run(&p, CAROM_STOP_EVENTS);
    EXPECT_CLOSE("v_x", carom_sim_frame(p.sim)->velocity[0], (3 + 0.5 * 1.5) / 1.5, 4 * ulp);
    play_close(&p);
}
END_TEST

/* A ball that slides all the while is pushed back by mu times the normal impulse, however rough it is; the faster spin
 * of the second ends the sliding. */
START_TEST(sliding_ball)
{
    begin("dimension: 3\nbox: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 3}}\n"
          "particles: [{species: a, place: {at: [[2, 2, 2]]}, velocity: {each: [0.5, 0, -1]}, "
          "angular_velocity: {each: [0, -4, 0]}}]\n"
          "contacts: [{between: [a, wall], restitution: 0.5, tangential: 0.25, friction: 0.125}]\nrun: {until: "
          "{events: 1}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double push = 0.125 * 1.5, slip = 0.5 + 0.5 * 4; /* the surface moves at v_x - w_y / 2 */
    EXPECT_CLOSE("v_x", f->velocity[0], 0.5 - push, 2 * ulp);
    EXPECT_CLOSE("w_y", f->spin[1], -4 + push * 0.5 / (0.4 * 0.25), 4 * ulp);
    EXPECT_CLOSE("v_z", f->velocity[2], 0.5, ulp);
    EXPECT_CLOSE("dissipated", f->tallies.dissipated, 3 * (0.5 * 0.75 + push * slip - push * push * 3.5 / 2), 16 * ulp);
    EXPECT_CLOSE("of that across", f->tallies.ledger.restitution, 3 * 0.5 * 0.75, 16 * ulp);
    EXPECT_CLOSE("and along", f->tallies.ledger.friction, 3 * (push * slip - push * push * 3.5 / 2), 16 * ulp);
    play_close(&p);
    p = play_open(text.text, "particles.0.angular_velocity.each=[0, 0.5, 0]");
    play_run(&p, CAROM_STOP_EVENTS);
    f = carom_sim_frame(p.sim);
    EXPECT_CLOSE("sliding is turned round", f->velocity[0] - f->spin[1] / 2, -0.25 * 0.25, 4 * ulp);
    play_close(&p);
}
END_TEST

/* ---- what stays ------------------------------------------------------------------------------------------------ */

static void add_cluster(int dimension, const char *contact, const char *until)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: %d\nseed: 5\nbox: {packing_fraction: 0.3, boundary: open}\n",
             dimension);
    play_add(&text, "species: {a: {diameter: {uniform: [0.6, 1.4]}, density: 1}, b: {diameter: 1, inertia: 0.2}}\n"
                    "particles: [{species: {a: 1, b: 1}, count: 60, place: random, velocity: {maxwell: 1}, "
                    "angular_velocity: {maxwell: 2}}]\n");
    for (int k = 0; k < 3; k++)
        play_add(&text, "%s{between: [%s], %s}%s", k == 0 ? "contacts: [" : ", ",
                 k == 0   ? "a, a"
                 : k == 1 ? "a, b"
                          : "b, b",
                 contact, k == 2 ? "]\n" : "");
    play_add(&text, "run: {until: {%s}}\n", until);
}

START_TEST(conserved)
{
    static const char *const contacts[] = {"tangential: 1", "tangential: -0.999", "restitution: 0.7, tangential: 0.3",
                                           "restitution: {viscoelastic: 0.3}, tangential: -0.5",
                                           "restitution: 0.8, tangential: 0.4, friction: 0.2"};
    for (int dimension = 2; dimension <= 3; dimension++) {
        add_cluster(dimension, contacts[_i], "time: 30");
        play p = play_open(text.text, NULL);
        const momenta before = momenta_of(carom_sim_frame(p.sim), NULL);
        const double energy = frame_energy_of(carom_sim_frame(p.sim)).kinetic;
        (void)carom_sim_run(p.sim);
        const carom_frame *f = carom_sim_frame(p.sim);
        const momenta after = momenta_of(f, NULL);
        printf("%s, %dd: %llu collisions, dissipated %g of %g\n", contacts[_i], dimension,
               (unsigned long long)f->events[EVENT_COLLISION], f->tallies.dissipated, energy);
        ck_assert_uint_gt(f->events[EVENT_COLLISION], 60);
        /* the worst of all ten: 3, 12 and 240 grains; positions reach to about 100, 60 particles */
        EXPECT_CLOSE("energy", frame_energy_of(f).kinetic + f->tallies.dissipated, energy, 10 * ulp * energy);
        if (_i == 0) EXPECT_CLOSE("dissipated", f->tallies.dissipated, 0, 0);
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("momentum", after.linear[k], before.linear[k], 36 * ulp);
            EXPECT_CLOSE("angular momentum", after.angular[k], before.angular[k], 750 * ulp);
        }
        play_close(&p);
    }
}
END_TEST

/* Perfectly rough elastic spheres run back the way they came. */
START_TEST(time_reversal)
{
    enum { COUNT = 40 };
    static double position[3 * COUNT], velocity[3 * COUNT];
    static const char head[] = "carom: 1\nengine: hard\nseed: 5\nspecies: {a: {diameter: 1, mass: 1, inertia: 0.3}}\n"
                               "contacts: [{between: [a, a], tangential: 1}]\nrun: {until: {time: 1e9}}\n";
    const int dimension = _i + 2;
    const size_t d = (size_t)dimension;
    text.length = 0;
    play_add(&text, "%sdimension: %d\nbox: {packing_fraction: 0.3, boundary: open}\n", head, dimension);
    play_add(&text, "particles: [{species: a, count: %d, place: random, velocity: {maxwell: 1}}]\n", COUNT);
    play p = play_open(text.text, NULL);
    memcpy(position, carom_sim_frame(p.sim)->position, COUNT * d * sizeof(double));
    memcpy(velocity, carom_sim_frame(p.sim)->velocity, COUNT * d * sizeof(double));
    play_advance(&p, 1);
    const carom_frame *f = carom_sim_frame(p.sim);
    const uint64_t there = f->events[EVENT_COLLISION];
    text.length = 0;
    play_add(&text, "%sdimension: %d\nbox: {size: 100, boundary: open}\nparticles:\n", head, dimension);
    for (size_t i = 0; i < COUNT; i++) {
        ball b = {.r = {0}};
        for (size_t k = 0; k < d; k++) {
            b.r[k] = f->position[i * d + k] + 20; /* rounded once more: part of the error */
            b.v[k] = -f->velocity[i * d + k];
        }
        for (size_t k = 0; k < 3; k++) b.w[k] = -f->spin[i * 3 + k];
        add_ball(&b, "a", dimension);
    }
    play_close(&p);
    p = play_open(text.text, NULL);
    play_advance(&p, 1);
    const carom_frame *back = carom_sim_frame(p.sim);
    printf("%llu collisions there, %llu back\n", (unsigned long long)there,
           (unsigned long long)back->events[EVENT_COLLISION]);
    ck_assert_uint_ge(there, 20);
    ck_assert_uint_eq(there, back->events[EVENT_COLLISION]);
    double worst = 0;
    for (size_t k = 0; k < COUNT * d; k++) {
        worst = fmax(worst, fabs(back->position[k] - 20 - position[k]));
        worst = fmax(worst, fabs(back->velocity[k] + velocity[k]));
    }
    for (size_t k = 0; k < 3 * COUNT; k++) worst = fmax(worst, fabs(back->spin[k]));
    EXPECT_CLOSE("worst position, velocity or spin", worst, 0, 2.3e-12); /* 7.5e-13 of 16 scenes */
    play_close(&p);
}
END_TEST

/* Smooth, explicitly: spins stay what they are, and the gas is that without spins. */
START_TEST(smooth_spins)
{
    begin("dimension: 3\nseed: 2\nbox: {packing_fraction: 0.3}\nspecies: {a: {diameter: 1}}\n"
          "particles: [{species: a, count: 100, place: random, velocity: {maxwell: 1}}]\n"
          "contacts: [{between: [a, a], restitution: 0.9, tangential: -1}]\nrun: {until: {collisions: 3000}}\n");
    play plain = play_open(text.text, NULL);
    play turning = play_open(text.text, "particles.0.angular_velocity={each: [1, -2, 3]}");
    play_run(&plain, CAROM_STOP_COLLISIONS);
    play_run(&turning, CAROM_STOP_COLLISIONS);
    const carom_frame *a = carom_sim_frame(plain.sim), *b = carom_sim_frame(turning.sim);
    ck_assert(a->spin == NULL && b->spin != NULL);
    ck_assert(memcmp(a->velocity, b->velocity, 300 * sizeof(double)) == 0);
    for (size_t i = 0; i < 100; i++)
        ck_assert(b->spin[3 * i] == 1 && b->spin[3 * i + 1] == -2 && b->spin[3 * i + 2] == 3);
    play_close(&plain);
    play_close(&turning);
}
END_TEST

/* ---- fast and reference, bit by bit ---------------------------------------------------------------------------- */

/* A random scene whose contacts, or half of them, are rough. */
static random_scene rough_scene(uint64_t seed)
{
    static const char key[] = "restitution: ", *const betas[] = {"1", "0.5", "0", "-0.7", "-1", "-1"};
    static const char *const limits[] = {"", "", "friction: 0, ", "friction: 0.1, ", "friction: 0.4, "};
    static play_text smooth;
    dice d = {seed * 104729};
    random_scene s = random_scene_write(&smooth, seed, 2000);
    const char *from = smooth.text, *at;
    text.length = 0;
    while ((at = strstr(from, key)) != NULL) {
        const char *beta = dice_word(&d, betas, 6), *limit = strcmp(beta, "-1") == 0 ? "" : dice_word(&d, limits, 5);
        play_add(&text, "%.*stangential: %s, %s%s", (int)(at - from), from, beta, limit, key);
        from = at + strlen(key);
    }
    play_add(&text, "%s", from);
    return s;
}

/* Hash of the end; spins of the whole gas in *spin. 0: there is no such scene. */
static uint64_t run_hash(const char *set, double *spin)
{
    play p = play_try(text.text, set, NULL);
    uint64_t hash = 0;
    if (p.created == CAROM_OK) {
        (void)carom_sim_run(p.sim);
        const carom_frame *f = carom_sim_frame(p.sim);
        hash = f->state_hash;
        *spin = 0;
        for (size_t i = 0; f->spin != NULL && i < f->count; i++) *spin += frame_spin_energy(f, i);
    }
    play_close(&p);
    return hash;
}

enum { EACH = 20 };

START_TEST(paths)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) {
        random_scene s = rough_scene(seed + 1000);
        double spin = 0, ignored;
        const uint64_t fast = run_hash(NULL, &spin), slow = run_hash("hard.reference=true", &ignored);
        printf("%llu: %dd, %u particles, %s, %s: %016llx, energy of spins %g\n", (unsigned long long)seed, s.dimension,
               s.count, s.policy, s.precision, (unsigned long long)fast, spin);
        if (fast != slow) ck_abort_msg("seed %llu: fast and reference differ\n%s", (unsigned long long)seed, text.text);
    }
}
END_TEST

/* Rough walls along an axis that gravity pulls along and that has no end: dilute (cells) and dense (lists), and clocks
 * that are re-based. */
START_TEST(chutes)
{
    static const char *const boxes[] = {"{packing_fraction: 0.05, boundary: [periodic, periodic, wall]}",
                                        "{packing_fraction: 0.35, boundary: [periodic, periodic, wall]}"};
    text.length = 0;
    play_add(
        &text,
        "carom: 1\nengine: hard\nseed: 6\nbox: %s\nspecies: {a: {diameter: 1}}\nfields: {gravity: [0.3, 0.1, -1]}\n"
        "particles: [{species: a, count: 150, place: random, velocity: {uniform: [0, 2]}}]\n"
        "contacts: [{between: [a, a], restitution: 0.9, tangential: 0.2}, "
        "{between: [a, wall], tangential: 0.6}]\nrun: {until: {events: 8000}}\n",
        boxes[_i]);
    double spin, ignored;
    const uint64_t fast = run_hash(NULL, &spin), slow = run_hash("hard.reference=true", &ignored);
    printf("%016llx %016llx, energy of spins %g\n", (unsigned long long)fast, (unsigned long long)slow, spin);
    ck_assert(fast != 0 && fast == slow && spin > 0);
}
END_TEST

/* A gas that cools until its velocities are rescaled: energy ratios go on, spins and all, bits as in the reference. */
START_TEST(cooled)
{
    begin(
        "dimension: 2\nseed: 3\nbox: {packing_fraction: 0.2}\nspecies: {a: {diameter: 1}}\n"
        "particles: [{species: a, count: 40, place: random, velocity: {maxwell: 1}, zero_momentum: true}]\n"
        "contacts: [{between: [a, a], restitution: 0.7, tangential: 0.3}]\nrun: {until: {collisions: 12000}}\n"
        "hard: {collapse: {policy: tc, tc: 1e-6}}\nobserve: [{what: rotational_temperature, every_collisions: 100}]\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_COLLISIONS);
    json_t *o = play_summary(&p);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("scale 2^%lld, kinetic energy %g\n", (long long)f->scale, frame_energy_of(f).kinetic);
    ck_assert_int_ge(f->scale, 32);
    EXPECT_CLOSE("energy", frame_energy_of(f).kinetic + f->tallies.dissipated, play_number(o, "energy.initial"), 1e-12);
    json_decref(o);
    play_close(&p);
    double spin, ignored;
    ck_assert(run_hash(NULL, &spin) == run_hash("hard.reference=true", &ignored));
}
END_TEST

/* ---- temperatures ---------------------------------------------------------------------------------------------- */

typedef struct gas_case {
    int dimension;
    double e, beta, q, within; /* of the ratio */
    int first, last;           /* samples, one a collision of each particle, between which it is averaged */
} gas_case;

/* T_rot / T_tr in the cooling state in mean field: Huthmann and Zippelius, Phys. Rev. E 56, R6275 (1997); Luding et
 * al., Phys. Rev. E 58, 3416 (1998): d T_tr = -A T_tr + B T_rot, d T_rot = D' (B T_tr - C T_rot), T of one freedom
 * each. */
static double mean_field(const gas_case *c)
{
    const double eta = c->q * (1 + c->beta) / (2 * c->q + 2), share = c->dimension == 3 ? 1 : 0.5;
    const double A = (1 - c->e * c->e) / 4 + share * eta * (1 - eta), B = share * eta * eta / c->q,
                 C = share * eta / c->q * (1 - eta / c->q), ways = c->dimension == 3 ? 1 : 2;
    const double half = (A - ways * C) / (2 * B);
    return half + sqrt(half * half + ways);
}

static double ratio_measured(const gas_case *c)
{
    enum { COUNT = 4000 };
    text.length = 0;
    play_add(&text,
             "carom: 1\nengine: hard\ndimension: %d\nseed: 4\nbox: {packing_fraction: 0.02}\n"
             "species: {a: {diameter: 1, inertia: %g}}\nparticles: [{species: a, count: %d, place: random, "
             "velocity: {maxwell: 1}, zero_momentum: true, angular_velocity: {maxwell: %g}}]\n"
             "contacts: [{between: [a, a], restitution: %g, tangential: %g}]\nrun: {until: {collisions: 1000000000}}\n",
             c->dimension, c->q, COUNT, 0.8 * mean_field(c), c->e, c->beta);
    play p = play_open(text.text, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    double sum = 0, samples = 0;
    while (f->events[EVENT_COLLISION] < (uint64_t)c->last * COUNT / 2) {
        double spin = 0, all = frame_energy_of(f).kinetic, ways = c->dimension == 3 ? 1 : 2;
        for (size_t i = 0; i < COUNT; i++) spin += frame_spin_energy(f, i);
        if (f->events[EVENT_COLLISION] >= (uint64_t)c->first * COUNT / 2) {
            sum += ways * spin / (all - spin);
            samples++;
        }
        play_advance(&p, f->time + 3 / sqrt(frame_energy_of(f).temperature)); /* about a collision of each */
        f = carom_sim_frame(p.sim);
    }
    play_close(&p);
    return sum / samples;
}

START_TEST(ratio)
{
    /* Equipartition is exact: the ratio of 4000 fluctuates by 2 to 3 %, its average here by 0.5 to 0.8 %. Mean field
     * leaves out that spins lean to velocities, and that velocities are not Maxwell's: up to 2 % here, by the Boltzmann
     * equation, which has both; a packing fraction of 0.02 is dilute to it. */
    static const gas_case cases[] = {
        {3, 1, 1, 0.4, 0.02, 20, 60},      {2, 1, 1, 0.5, 0.02, 20, 60},      {3, 1, 1, 0.1, 0.02, 20, 60},
        {3, 1, 0.5, 0.4, 0.04, 20, 60},    {2, 1, 0.5, 0.5, 0.04, 20, 60},    {3, 0.9, 0.5, 0.4, 0.04, 20, 60},
        {3, 0.95, 0.9, 0.4, 0.04, 20, 60}, {2, 0.95, 0.9, 0.5, 0.04, 20, 60},
    };
    const gas_case *c = &cases[_i];
    const double measured = ratio_measured(c), theory = mean_field(c);
    const double exact = boltzmann_ratio(c->dimension, c->e, c->beta, c->q);
    printf("%dd, e = %g, beta = %g, q = %g\n", c->dimension, c->e, c->beta, c->q);
    EXPECT_CLOSE("T_rot / T_tr, mean field", measured, theory, c->within * theory);
    EXPECT_CLOSE("T_rot / T_tr, Boltzmann equation", measured, exact, 0.025 * exact);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, two_bodies, 0, 40);
    tcase_add_test(all, ultraelastic_ball);
    tcase_add_test(all, glancing);
    tcase_add_test(all, walls_at_rest);
    tcase_add_test(all, sliding_ball);
    tcase_add_loop_test(all, conserved, 0, 5);
    tcase_add_loop_test(all, time_reversal, 0, 2);
    tcase_add_test(all, smooth_spins);
    tcase_add_loop_test(all, paths, 0, 1);
    tcase_add_loop_test(rest, paths, 1, 4);
    tcase_add_loop_test(all, paths, 4, 5);
    tcase_add_loop_test(more, paths, 5, 6);
    suite_split_loop(all, more, chutes, 1, 2);
    tcase_add_test(all, cooled);
    suite_split_loop(all, rest, ratio, 2, 8);
    tcase_set_timeout(all, 300);
    return suite_run("rough", all, more, rest);
}
