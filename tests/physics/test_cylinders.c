/* Detects wrong collisions with cylinders and circles: the circular billiard, free fall between them against other
 * roots, rotating and swinging drums, pressure on a curved wall, the fast path against the reference. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

static const double pi = 3.14159265358979323846;
static play_text text;

static void begin(const char *body)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 7\n%s", body);
}

/* ---- exact motions ----------------------------------------------------------------------------------------------- */

/* In a circle the chords of a billiard are equal: 2 s cos(a), at s the radius for its centre and a the angle of
 * impact. */
START_TEST(billiard)
{
    static const char *const ways[] = {"0.6, 0.8", "0.9999995, 0.001", "1, 0"};
    const double speeds[3][2] = {{0.6, 0.8}, {0.9999995, 0.001}, {1, 0}}, bounces = 1e6, s = 4.5, x = 3;
    begin("dimension: 2\nbox: {size: [10, 10], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
          "cylinders: [{name: ring, through: [5, 5], radius: 5, side: inside}]\nrun: {until: {events: 1000000}}\n");
    play_add(&text, "particles: [{species: a, place: {at: [[8, 5]]}, velocity: {each: [%s]}}]\n", ways[_i]);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double u = speeds[_i][0], v = speeds[_i][1], square = u * u + v * v, lever = x * v;
    const double half = sqrt(s * s * square - lever * lever) / square; /* of the time of a chord */
    const double first = half - x * u / square, wanted = first + (bounces - 1) * 2 * half;
    const double *r = f->position, *w = f->velocity;
    /* a million bounces, a thousand times the rounding of one: 1.4e-13, 7.1e-13, 4.9e-13; 1.2e-13 at a glance */
    EXPECT_CLOSE("time of the last bounce, relative", f->time / wanted, 1, 4.2e-13);
    EXPECT_CLOSE("energy", w[0] * w[0] + w[1] * w[1], square, 2.1e-12);
    EXPECT_CLOSE("angular momentum", (r[0] - 5) * w[1] - (r[1] - 5) * w[0], lever, 1.5e-12);
    EXPECT_CLOSE("the largest overlap", f->tallies.max_overlap, 0, 3.5e-13);
    ck_assert_uint_eq(f->events[EVENT_WALL], 1000000);
    play_close(&p);
}
END_TEST

typedef long double wide;

/* A case: a circle or, seen along a leaning axis, a cylinder; its motion is `drift` and `swing` sin(2 pi pace t). */
typedef struct fall {
    const char *scene;
    wide axis[3], through[3], pull[3], drift[3], swing[3], pace, contact;
    bool inside;
} fall;

static const fall falls[] = {
    {"dimension: 2\nbox: {size: [10, 10], boundary: open}\nfields: {gravity: [0, -1]}\n"
     "cylinders: [{name: c, through: [5, 5], radius: 4, side: inside}]\n"
     "particles: [{species: a, place: {at: [[6.5, 7]]}, velocity: {each: [0.3, 0.1]}}]\n",
     {0, 0, 1},
     {5, 5, 0},
     {0, -1, 0},
     {0, 0, 0},
     {0, 0, 0},
     0,
     3.5L,
     true},
    {"dimension: 2\nbox: {size: [10, 10], boundary: wall}\nfields: {gravity: [0, -1]}\n"
     "cylinders: [{name: c, through: [5, 3], radius: 2, side: outside}]\n"
     "particles: [{species: a, place: {at: [[5.1, 8]]}, velocity: {each: [0, 0]}}]\n",
     {0, 0, 1},
     {5, 3, 0},
     {0, -1, 0},
     {0, 0, 0},
     {0, 0, 0},
     0,
     2.5L,
     false},
    {"dimension: 3\nbox: {size: [40, 40, 40], boundary: open}\nfields: {gravity: [0, 0.3, -1]}\n"
     "cylinders: [{name: c, through: [20, 20, 20], axis: [1, 2, 0.5], radius: 4, side: inside}]\n"
     "particles: [{species: a, place: {at: [[20, 20, 21]]}, velocity: {each: [0.3, -0.2, 0.1]}}]\n",
     {1, 2, 0.5L},
     {20, 20, 20},
     {0, 0.3L, -1},
     {0, 0, 0},
     {0, 0, 0},
     0,
     3.5L,
     true},
    {"dimension: 2\nbox: {size: [10, 10], boundary: open}\nfields: {gravity: [0, -1]}\n"
     "cylinders: [{name: c, through: [5, 5], radius: 4, side: inside}]\n"
     "drives: [{name: d, cylinder: c, motion: [{velocity: [0.05, 0], oscillate: {by: [0.3, 0.2], frequency: 0.5}}]}]\n"
     "particles: [{species: a, place: {at: [[6.5, 7]]}, velocity: {each: [0.3, 0.1]}}]\n",
     {0, 0, 1},
     {5, 5, 0},
     {0, -1, 0},
     {0.05L, 0, 0},
     {0.3L, 0.2L, 0},
     0.5L,
     3.5L,
     true},
    {"dimension: 2\nbox: {size: [10, 10], boundary: wall}\n"
     "cylinders: [{name: c, through: [5, 4], radius: 2, side: outside}]\n"
     "drives: [{name: d, cylinder: c, motion: [{oscillate: {by: [0.5, 0.4], frequency: 1}}]}]\n"
     "particles: [{species: a, place: {at: [[5.1, 8]]}, velocity: {each: [0, -0.3]}}]\n",
     {0, 0, 1},
     {5, 4, 0},
     {0, 0, 0},
     {0, 0, 0},
     {0.5L, 0.4L, 0},
     1,
     2.5L,
     false},
};

/* The gap at a time `since` a state at time t; `steep`, its rate. */
static wide gap_at(const fall *f, const wide r[3], const wide v[3], wide t, wide since, wide *steep)
{
    const wide turn = 2 * 3.14159265358979323846264338L * f->pace, at = t + since;
    wide y[3], u[3], along = 0, with = 0, axis = 0, square = 0, rate = 0;
    for (int k = 0; k < 3; k++) {
        y[k] = r[k] + since * (v[k] + f->pull[k] * since / 2);
        y[k] -= f->through[k] + f->drift[k] * at + f->swing[k] * sinl(turn * at);
        u[k] = v[k] + f->pull[k] * since - f->drift[k] - f->swing[k] * turn * cosl(turn * at);
        along += y[k] * f->axis[k];
        with += u[k] * f->axis[k];
        axis += f->axis[k] * f->axis[k];
    }
    for (int k = 0; k < 3; k++) {
        y[k] -= along / axis * f->axis[k];
        u[k] -= with / axis * f->axis[k];
        square += y[k] * y[k];
        rate += y[k] * u[k];
    }
    const wide distance = sqrtl(square);
    *steep = (f->inside ? -rate : rate) / distance;
    return f->inside ? f->contact - distance : distance - f->contact;
}

/* The next contact after a bounce, by small steps and halving; NaN where there is none within `most`. */
static wide next_contact(const fall *f, const wide r[3], const wide v[3], wide t, wide most)
{
    const wide step = 1e-4L;
    wide steep;
    for (wide from = step / 64; from < most; from += step) {
        wide low = from, high = from + step;
        if (gap_at(f, r, v, t, low, &steep) < 0 || gap_at(f, r, v, t, high, &steep) >= 0) continue;
        for (int n = 0; n < 70; n++) {
            const wide middle = (low + high) / 2;
            *(gap_at(f, r, v, t, middle, &steep) >= 0 ? &low : &high) = middle;
        }
        return high;
    }
    return NAN;
}

/* From each bounce to the next. */
START_TEST(falling)
{
    const fall *f = &falls[_i];
    const size_t d = _i == 2 ? 3 : 2;
    double worst = 0;
    int compared = 0, hits = 0;
    begin(f->scene);
    play_add(&text, "species: {a: {diameter: 1, mass: 1}}\nrun: {until: {events: 60}}\n");
    wide r[3] = {0}, v[3] = {0}, since = 0;
    for (int n = 1; n <= 60; n++) {
        char limit[40];
        snprintf(limit, sizeof limit, "run.until.events=%d", n);
        play p = play_open(text.text, limit);
        play_run(&p, CAROM_STOP_EVENTS);
        const carom_frame *now = carom_sim_frame(p.sim);
        const wide t = now->time;
        wide steep, gap = 1;
        const wide wanted = n > 1 ? next_contact(f, r, v, since, t - since + 1e-3L) : (wide)NAN;
        for (size_t k = 0; k < d; k++) r[k] = now->position[k], v[k] = now->velocity[k];
        gap = gap_at(f, r, v, t, 0, &steep);
        const bool touches = fabsl(gap) < 1e-9L; /* else a wall of the box */
        if (touches && wanted == wanted) {
            worst = fmax(worst, (double)fabsl(since + wanted - t));
            compared++;
        }
        REQUIRE(!(wanted == wanted) || touches); /* none is missed */
        REQUIRE(gap > -1e-12L && (!touches || steep >= 0));
        hits += touches;
        since = t;
        play_close(&p);
    }
    printf("%d bounces, %d compared\n", hits, compared);
    ck_assert_int_gt(compared, 15);
    EXPECT_CLOSE("time of a bounce, the worst", worst, 0, 1e-11);
}
END_TEST

/* ---- what drums do ----------------------------------------------------------------------------------------------- */

/* A rough drum that turns about its axis. */
START_TEST(turning_drum)
{
    begin(_i == 0 ? "dimension: 3\nbox: {size: [12, 12, 6], boundary: [open, open, periodic]}\n"
                    "cylinders: [{name: drum, through: [6, 6, 1], axis: [0, 0, 2], radius: 5, side: inside}]\n"
                  : "dimension: 2\nbox: {size: [12, 12], boundary: open}\n"
                    "cylinders: [{name: drum, through: [6, 6], radius: 5, side: inside}]\n");
    play_add(&text, "species: {a: {diameter: 1, mass: 2}}\ndrives: [{name: d, cylinder: drum, motion: [{turn: {rate: "
                    "0.8}}]}]\ncontacts: [{between: [a, drum], tangential: 1}, {between: [a, a], tangential: 1}]\n"
                    "particles: [{species: a, count: 12, place: random, velocity: {maxwell: 1}}]\n"
                    "run: {until: {events: 20000}}\n");
    play p = play_open(text.text, NULL);
    expect_turning(&p, 0.8, (double[]){6, 6, 0}, 4.8e-11); /* 1.6e-11 after 20,000 events */
    play_close(&p);
}
END_TEST

/* All that it holds takes the temperature of a thermal cylinder. */
START_TEST(thermal_pipe)
{
    begin("dimension: 3\nbox: {size: [6, 6, 8], boundary: [open, open, periodic]}\nspecies: {a: {diameter: 0.5, mass: "
          "2}}\n"
          "cylinders: [{name: pipe, through: [3, 3, 0], axis: [0, 0, 1], radius: 3, side: inside}]\n"
          "contacts: [{between: [a, pipe], temperature: 0.7}, {between: [a, a], restitution: 1}]\n"
          "particles: [{species: a, count: 100, place: random, velocity: {maxwell: 3}}]\n"
          "observe: [{what: temperature, every: 1, start: 50}]\nrun: {until: {time: 3000}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    json_t *s = play_summary(&p);
    /* six seeds scatter by 0.0031 */
    EXPECT_CLOSE("temperature", play_number(s, "observables.temperature.mean"), 0.7, 3 * 0.0031);
    json_decref(s);
    play_close(&p);
}
END_TEST

/* Hits of the wall of a bent vessel: the force on it is s P A, and by the virial theorem 2 K + (virial of pairs) = s F,
 * where in equilibrium F = hits sqrt(2 pi m T). In two dimensions, across the axis in three. */
START_TEST(pressure)
{
    const bool flat = _i == 0;
    begin(flat ? "dimension: 2\nbox: {size: [20, 20], boundary: open}\n"
                 "cylinders: [{name: ring, through: [10, 10], radius: 10, side: inside}]\n"
               : "dimension: 3\nbox: {size: [10, 10, 10], boundary: [open, open, periodic]}\n"
                 "cylinders: [{name: pipe, through: [5, 5, 0], axis: [0, 0, 1], radius: 5, side: inside}]\n");
    play_add(&text,
             "species: {a: {diameter: 1, mass: 1}}\nrun: {until: {events: 2000000}}\n"
             "particles: [{species: a, count: %d, place: random, velocity: {maxwell: 1}}]\n",
             flat ? 120 : 250);
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double kinetic = frame_energy_of(f).kinetic, n = (double)f->count, d = f->dimension, s = flat ? 9.5 : 4.5;
    const double temperature = 2 * kinetic / (d * n - 1 - (flat ? 0 : 1)); /* the axis: L, and momentum along it */
    const double force = (double)f->events[EVENT_WALL] * sqrt(2 * pi * temperature) / f->time;
    const double virial = (f->tallies.virial[0][0] + f->tallies.virial[1][1]) / f->time;
    /* six seeds scatter by 0.0023 and 0.0008 */
    EXPECT_CLOSE("s F / (2 N T + virial)", s * force / (2 * n * temperature + virial), 1, 3 * (flat ? 0.0023 : 0.0008));
    play_close(&p);
}
END_TEST

/* Placed by compression; no one gets out. */
START_TEST(packed)
{
    begin("dimension: 2\nbox: {size: [20, 20], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
          "cylinders: [{name: ring, through: [10, 10], radius: 9, side: inside},\n"
          "            {name: post, through: [12, 10], radius: 2, side: outside}]\n"
          "particles: [{species: a, count: 210, place: compress, velocity: {maxwell: 1}}]\nrun: {until: {events: "
          "200000}}\n");
    play p = play_open(text.text, NULL);
    for (int look = 0; look < 2; look++) {
        const carom_frame *f = carom_sim_frame(p.sim);
        for (size_t i = 0; i < f->count; i++) {
            const double *r = f->position + 2 * i;
            REQUIRE(hypot(r[0] - 10, r[1] - 10) < 8.5 + 1e-12 && hypot(r[0] - 12, r[1] - 10) > 2.5 - 1e-12);
        }
        if (look == 0) play_run(&p, CAROM_STOP_EVENTS);
    }
    ck_assert(carom_sim_frame(p.sim)->tallies.max_overlap < 1e-13);
    play_close(&p);
}
END_TEST

/* A heap that comes to rest in a trough: all fall asleep, none leaks, and nothing loops. One grain that slides
 * without friction inside goes on without end, with small hops. */
START_TEST(resting)
{
    begin("dimension: 2\nbox: {size: [12, 12], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
          "cylinders: [{name: trough, through: [6, 6], radius: 5, side: inside}]\nfields: {gravity: [0, -1]}\n"
          "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, trough], restitution: 0.5}]\n"
          "hard: {collapse: {policy: sleep, speed: 0.02}}\n");
    play_add(&text,
             "particles: [{species: a, count: %d, place: random, velocity: {maxwell: 1}}]\n"
             "run: {until: {time: 60}}\n",
             _i == 0 ? 35 : 1);
    play p = play_open(text.text, NULL);
    play_run(&p, _i == 0 ? CAROM_STOP_NO_EVENTS : CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    for (size_t i = 0; i < f->count; i++)
        REQUIRE(hypot(f->position[2 * i] - 6, f->position[2 * i + 1] - 6) < 4.5 + 1e-12);
    printf("%llu wall events, kinetic energy %g\n", (unsigned long long)f->events[EVENT_WALL],
           frame_energy_of(f).kinetic);
    ck_assert(f->tallies.max_overlap < 1e-12);
    play_close(&p);
}
END_TEST

/* Slides at the bottom with no speed across the wall at all: a collapse is told of, as on a plane. */
START_TEST(collapses)
{
    begin("dimension: 2\nbox: {size: [12, 12], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
          "cylinders: [{name: trough, through: [6, 6], radius: 5, side: inside}]\nfields: {gravity: [0, -1]}\n"
          "contacts: [{between: [a, trough], restitution: 0.5}]\n"
          "particles: [{species: a, place: {at: [[6, 2]]}, velocity: {each: [0.3, 0]}}]\nrun: {until: {time: 60}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_COLLAPSE);
    play_close(&p);
}
END_TEST

/* ---- fast and reference, bit by bit ------------------------------------------------------------------------------ */

static void add_motion(dice *d, const char *what, int dimension)
{
    const char *const z = dimension == 3 ? ", 0" : "";
    play_add(&text, "%s{name: d%s, cylinder: %s, motion: [{",
             strstr(text.text, "drives:") != NULL ? ",\n  " : "drives: [", what, what);
    switch (dice_below(d, 3)) {
    case 0:
        play_add(&text, "turn: {rate: %g}}]}", dice_real(d, -2, 2));
        break;
    case 1:
        play_add(&text, "time: 0.5, oscillate: {by: [%g, %g%s], frequency: %g, phase: 1}}]}", dice_real(d, -0.2, 0.2),
                 dice_real(d, -0.2, 0.2), z, dice_real(d, 0.1, 2));
        break;
    default:
        play_add(&text, "velocity: [0.02, 0.01%s]}, {time: 3, velocity: [-0.02, 0.01%s], turn: {rate: 1}}]}", z, z);
    }
}

static void random_drum(uint64_t seed)
{
    static const char *const policies[] = {"{policy: stop}", "{policy: tc, tc: 1e-3}", "{policy: cutoff, speed: 0.01}",
                                           "{policy: sleep, speed: 0.02}"};
    static const char *const precisions[] = {"double", "double", "double", "double", "float", "long_double", "quad"};
    static const char *const laws[] = {"restitution: 1", "restitution: 0.9", "restitution: {viscoelastic: 0.05}",
                                       "restitution: 0.8, tangential: 0.3", "temperature: 1"};
    dice d = {seed * 7919};
    const int dimension = 2 + (int)dice_below(&d, 2);
    const bool solid = dimension == 3, periodic = solid && dice_below(&d, 2), core = dice_below(&d, 2);
    const bool leans = solid && !periodic && dice_below(&d, 2), pulled = dice_below(&d, 3) > 0;
    const uint32_t policy = dice_below(&d, pulled ? 4 : 3), law = dice_below(&d, policy == 3 ? 3 : 5);
    begin("");
    play_add(&text, "dimension: %d\nbox: {size: [10, 10%s], boundary: [open, %s%s]}\n", dimension, solid ? ", 8" : "",
             solid ? "open" : "wall",
             !solid     ? ""
             : periodic ? ", periodic"
                        : ", wall");
    const bool wide_sizes = dice_below(&d, 4) == 0;
    play_add(&text, "species: {a: {diameter: {uniform: [0.5, %g]}, density: 1}}\n", wide_sizes ? 2.0 : 1.0);
    play_add(&text, "cylinders:\n  - {name: drum, through: [5, 5%s], radius: 4.5, side: inside%s}\n",
             solid ? ", 4" : "",
             !solid  ? ""
             : leans ? ", axis: [0.2, 0.1, 1]"
                     : ", axis: [0, 0, 1]");
    if (core)
        play_add(&text, "  - {name: core, through: [5, 4%s], radius: 1, side: outside%s}\n", solid ? ", 0" : "",
                 solid ? ", axis: [0, 0, 1]" : "");
    if (dice_below(&d, 2)) add_motion(&d, "drum", dimension);
    if (core && dice_below(&d, 2)) add_motion(&d, "core", dimension);
    if (strstr(text.text, "drives:") != NULL) play_add(&text, "]\n");
    if (pulled) play_add(&text, "fields: {gravity: [%g, -1%s]}\n", dice_real(&d, -1, 1), solid ? ", -0.2" : "");
    play_add(&text, "contacts: [{between: [a, drum], %s}, {between: [a, a], restitution: %g%s}]\n", laws[law],
             dice_below(&d, 2) ? 0.95 : 1.0, law == 3 ? ", tangential: 0.1" : "");
    play_add(&text, "particles: [{species: a, count: %u, place: random, velocity: {maxwell: 1}}]\n",
             dice_below(&d, 2) || (wide_sizes && !solid) ? 12 : 40); /* as many as there is room for */
    play_add(&text, "hard: {precision: %s, collapse: %s}\nrun: {until: {events: 3000, time: 300}}\n",
             dice_word(&d, precisions, 7), policies[policy]);
}

static uint64_t run_hash(const char *set, const char **stop)
{
    play p = play_try(text.text, set, NULL);
    uint64_t hash = 0;
    if (p.created == CAROM_OK) {
        (void)carom_sim_run(p.sim);
        hash = play_hash(&p);
        *stop = carom_stop_name(carom_sim_stop(p.sim));
    } else if (strstr(carom_sim_message(p.sim), "quad") == NULL) /* which not every machine has */
        ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text.text);
    play_close(&p);
    return hash;
}

enum { EACH = 25 };

START_TEST(paths)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) {
        const char *stop = "", *also = "";
        random_drum(seed + 1);
        const uint64_t fast = run_hash(NULL, &stop), slow = run_hash("hard.reference=true", &also);
        printf("%llu: %016llx, %s\n", (unsigned long long)seed, (unsigned long long)fast, stop);
        if (fast != slow || strcmp(stop, also) != 0)
            ck_abort_msg("seed %llu: fast and reference differ (%s, %s)\n%s", (unsigned long long)seed, stop, also,
                         text.text);
    }
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(all, billiard, 0, 3);
    tcase_add_loop_test(all, falling, 0, (int)(sizeof falls / sizeof *falls));
    tcase_add_loop_test(all, turning_drum, 0, 2);
    tcase_add_test(all, thermal_pipe);
    suite_split_loop(all, more, pressure, 1, 2);
    tcase_add_test(all, packed);
    tcase_add_loop_test(all, resting, 0, 2);
    tcase_add_test(all, collapses);
    suite_split_loop(more, rest, paths, 1, 8);
    tcase_set_timeout(all, 300);
    return suite_run("cylinders", all, more, rest);
}
