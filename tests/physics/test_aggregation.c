/* Detects wrong merges, bounces and conserved sums of event-driven ballistic aggregation, in cases with an exact
 * answer and in endless ones, on the fast path and the reference. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/suite.h"

static const double ulp = 0x1p-52;
static const char *const paths[] = {"aggregation.reference=false", "aggregation.reference=true"};
enum { PATHS = 2 };

static play_text text;

static play open_scene(const char *body, int path)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: aggregation\n%s", body);
    return play_open(text.text, paths[path]);
}

static void expect_merge(const carom_frame *f, uint64_t k, double time, uint32_t i, uint32_t j, double tolerance)
{
    REQUIRE(k < f->tallies.merge_count);
    const frame_merge *m = &f->tallies.merges[k];
    EXPECT_CLOSE("time of the merge", m->time, time, tolerance);
    ck_assert_uint_eq(m->i, i);
    ck_assert_uint_eq(m->j, j);
}

/* ---- by hand ----------------------------------------------------------------------------------------------------- */

START_TEST(head_on)
{
    play p = open_scene("dimension: 3\nbox: {size: 8, boundary: wall}\n"
                        "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 3}}\nparticles:\n"
                        "  - {species: a, place: {at: [[2, 4, 4]]}, velocity: {each: [1, 0, 0]}}\n"
                        "  - {species: b, place: {at: [[6, 4, 4]]}, velocity: {each: [-0.5, 0, 0]}}\n"
                        "run: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->clusters, 1);
    ck_assert_uint_eq(f->events[EVENT_MERGE], 1);
    expect_merge(f, 0, 2, 0, 1, 0);
    EXPECT_CLOSE("end", carom_frame_time(f), 2, 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_CLOSE("velocity", f->velocity[3 * i], -0.125, 0);
        ck_assert_uint_eq(f->cluster[i], 0);
    }
    EXPECT_CLOSE("energy lost", f->tallies.dissipated, 0.5 * 0.75 * 1.5 * 1.5, ulp);
    play_close(&p);
}
END_TEST

START_TEST(off_centre)
{
    play p = open_scene("dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 2}}\n"
                        "particles: [{species: a, place: {at: [[2, 2], [5.8, 2.6], [1, 11]]},"
                        " velocity: {each: [[1, 0], [0, 0], [0, 0]]}}]\nrun: {until: {time: 10}}\n",
                        _i);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    expect_merge(f, 0, 3, 0, 1, 4 * ulp);
    EXPECT_CLOSE("energy lost", f->tallies.dissipated, 0.5, 4 * ulp);
    for (int i = 0; i < 2; i++) {
        EXPECT_CLOSE("along", f->velocity[2 * i], 0.5, 0);
        EXPECT_CLOSE("across", f->velocity[2 * i + 1], 0, 0);
    }
    EXPECT_CLOSE("first, seven later", f->position[0], 5 + 3.5, 16 * ulp);
    EXPECT_CLOSE("the shape stays, x", f->position[2] - f->position[0], 0.8, 16 * ulp);
    EXPECT_CLOSE("the shape stays, y", f->position[3] - f->position[1], 0.6, 16 * ulp);
    ck_assert_uint_eq(f->clusters, 2);
    ck_assert_uint_eq(f->cluster[2], 2);
    play_close(&p);
}
END_TEST

/* Two disks that barely touch in passing merge; a hair further apart they pass. */
START_TEST(glancing)
{
    for (int near = 0; near < 2; near++) {
        char body[400];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, place: {at: [[2, 2], [5, %s]]}, velocity: {each: [[1, 0], [0, 0]]}}]\n"
                 "run: {until: {time: 6}}\n",
                 near ? "3" : "3.0000001");
        play p = open_scene(body, _i);
        play_run(&p, near ? CAROM_STOP_CLUSTERS : CAROM_STOP_TIME);
        ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_MERGE], (unsigned)near);
        play_close(&p);
    }
}
END_TEST

START_TEST(three_in_a_row)
{
    play p = open_scene("dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[8, 5], [5, 5], [2, 5]]},"
                        " velocity: {each: [[0, 0], [0, 0], [1, 0]]}}]\nrun: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    expect_merge(f, 0, 2, 1, 2, 0);
    expect_merge(f, 1, 6, 0, 1, 0);
    EXPECT_CLOSE("velocity", f->velocity[4], 1.0 / 3, ulp);
    EXPECT_CLOSE("energy lost", f->tallies.dissipated, 0.5 - 0.5 / 3, 2 * ulp);
    play_close(&p);
}
END_TEST

/* 1 and 2 merge at time 1 and go on with velocity 1; the one ahead meets the wall at 13.5, the other its own at
 * 31.5. */
START_TEST(a_cluster_at_a_wall)
{
    static const double moments[] = {1, 13.5, 31.5}, velocities[] = {1, -1, 1};
    for (int n = 0; n < 3; n++) {
        char body[400];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 20, boundary: [wall, periodic]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, place: {at: [[10, 2], [4, 10], [7, 10]]},"
                 " velocity: {each: [[0, 0], [2, 0], [0, 0]]}}]\nrun: {until: {events: %d}}\n",
                 n + 1);
        play p = open_scene(body, _i);
        play_run(&p, CAROM_STOP_EVENTS);
        const carom_frame *f = carom_sim_frame(p.sim);
        EXPECT_CLOSE("time", carom_frame_time(f), moments[n], 0);
        EXPECT_CLOSE("velocity", f->velocity[2], velocities[n], 0);
        EXPECT_CLOSE("distance", f->position[4] - f->position[2], 1, 0);
        ck_assert_uint_eq(f->events[EVENT_WALL], (unsigned)n);
        play_close(&p);
    }
}
END_TEST

/* 0 leaves the box at low x and meets 1 by its image there; then 2 meets 1 from behind, by an image again. */
START_TEST(across_the_periodic_boundary)
{
    play p = open_scene("dimension: 2\nbox: {size: 10, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[1, 5], [8, 5], [2, 5]]},"
                        " velocity: {each: [[-1, 0], [0.5, 0], [0.25, 0]]}}]\nrun: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    /* 1 is at -2 to begin with: 2 between surfaces, closing at 1.5. Then both move with -0.25. */
    const double first = 2 / 1.5, other = -2 + 0.5 * first + 10, behind = 2 + 0.25 * first;
    expect_merge(f, 0, first, 0, 1, 4 * ulp);
    expect_merge(f, 1, first + (other - behind - 1) / 0.5, 1, 2, 64 * ulp);
    EXPECT_CLOSE("velocity", f->velocity[0], (-1 + 0.5 + 0.25) / 3, ulp);
    const double apart = f->position[0] - f->position[2];
    EXPECT_CLOSE("0 right of 1", apart - 10 * rint(apart / 10), 1, 32 * ulp);
    play_close(&p);
}
END_TEST

/* 0 crosses the boundary and merges with an image of 1, whose image count changes: unwrapped, a cluster is connected. */
START_TEST(unwrapped_across_the_boundary)
{
    play p = open_scene("dimension: 2\nbox: {size: 10, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[8, 5], [2, 5]]}, velocity: {each: [[2, 0], [1, 0]]}}]\n"
                        "run: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    expect_merge(f, 0, 3, 0, 1, 4 * ulp);
    EXPECT_CLOSE("0", frame_unwrapped(f, 0, 0), 8 + 3 * 2, 32 * ulp);
    EXPECT_CLOSE("1", frame_unwrapped(f, 1, 0), 10 + 2 + 3 * 1, 32 * ulp);
    play_close(&p);
}
END_TEST

/* ---- many at one time -------------------------------------------------------------------------------------------- */

/* One meets two at once that touch each other, at rest. */
START_TEST(two_at_once)
{
    play p = open_scene("dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[2, 2.5], [5, 2], [5, 3]]},"
                        " velocity: {each: [[1, 0], [0, 0], [0, 0]]}}]\nrun: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    expect_merge(f, 0, 3 - sqrt(0.75), 0, 1, 4 * ulp);
    expect_merge(f, 1, 3 - sqrt(0.75), 0, 2, 32 * ulp);
    EXPECT_CLOSE("velocity", f->velocity[0], 1.0 / 3, ulp);
    play_close(&p);
}
END_TEST

/* Columns of a square lattice meet in pairs, all at time 1, in the order of their numbers; then nothing moves. */
START_TEST(a_lattice_at_once)
{
    static play_text body;
    body.length = 0;
    play_add(&body, "dimension: 2\nbox: {size: 16, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                    "particles: [{species: a, count: 64, place: square, velocity: {each: [");
    for (int i = 0; i < 64; i++) play_add(&body, "%s[%s, 0]", i > 0 ? ", " : "", i % 2 ? "-0.5" : "0.5");
    play_add(&body, "]}}]\nrun: {until: {clusters: 1}}\n");
    play p = open_scene(body.text, _i);
    play_run(&p, CAROM_STOP_NO_PROGRESS);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->tallies.merge_count, 32);
    for (uint32_t k = 0; k < 32; k++) {
        const frame_merge *m = &f->tallies.merges[k];
        REQUIRE(m->time == 1 && m->i == 2 * k && m->j == 2 * k + 1);
    }
    EXPECT_CLOSE("all energy is lost", f->tallies.dissipated, 64 * 0.125, 64 * ulp);
    play_close(&p);
}
END_TEST

/* Touching at the start: approaching, at once; receding, when they come back (0 meets the wall at 1.5). */
START_TEST(touching_at_the_start)
{
    for (int back = 0; back < 2; back++) {
        char body[400];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 10, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, place: {at: [[2, 5], [3, 5]]}, velocity: {each: [[%d, 0], [0, 0]]}}]\n"
                 "run: {until: {clusters: 1}}\n",
                 back ? -1 : 1);
        play p = open_scene(body, _i);
        play_run(&p, CAROM_STOP_CLUSTERS);
        expect_merge(carom_sim_frame(p.sim), 0, back ? 3 : 0, 0, 1, 0);
        play_close(&p);
    }
}
END_TEST

/* ---- the sticking law -------------------------------------------------------------------------------------------- */

/* They bounce at speed 1.5, with restitution 0.5; the light one comes back from its wall at a closing speed of
 * 0.625. */
START_TEST(too_fast_to_stick)
{
    play p = open_scene("dimension: 2\nbox: {size: [40, 8], boundary: wall}\n"
                        "species: {a: {diameter: 1, mass: 1}, b: {diameter: 1, mass: 3}}\nparticles:\n"
                        "  - {species: a, place: {at: [[2, 4]]}, velocity: {each: [1, 0]}}\n"
                        "  - {species: b, place: {at: [[6, 4]]}, velocity: {each: [-0.5, 0]}}\n"
                        "contacts: [{between: [a, b], restitution: 0.5, stick: {below: 1}}]\n"
                        "run: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_COLLISION], 1);
    ck_assert_uint_eq(f->events[EVENT_WALL], 1);
    /* from time 2: 3.5 to the wall, then 0.625 t = the way between them */
    const double wall = 3.5 / 0.6875, heavy = 5 + 0.0625 * wall, way = heavy - 0.5 - 1;
    expect_merge(f, 0, 2 + wall + way / 0.625, 0, 1, 64 * ulp);
    EXPECT_CLOSE("velocity", f->velocity[0], (0.6875 + 3 * 0.0625) / 4, 4 * ulp);
    EXPECT_CLOSE("energy lost", f->tallies.dissipated, 0.5 * 0.75 * (1.5 * 1.5 * 0.75 + 0.625 * 0.625), 8 * ulp);
    play_close(&p);
}
END_TEST

/* Impacts count by their speed along the line of centres: a fast but glancing one sticks. */
START_TEST(a_glance_is_slow)
{
    for (int slow = 0; slow < 2; slow++) {
        char body[500];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, place: {at: [[2, 2], [6, %s]]}, velocity: {each: [[1, 0], [0, 0]]}}]\n"
                 "contacts: [{between: [a, a], restitution: 1, stick: {below: 0.61}}]\nrun: {until: {time: 6}}\n",
                 slow ? "2.8" : "2.6");
        play p = open_scene(body, _i);
        play_run(&p, slow ? CAROM_STOP_CLUSTERS : CAROM_STOP_TIME);
        ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_MERGE], (unsigned)slow);
        play_close(&p);
    }
}
END_TEST

/* ---- what is conserved ------------------------------------------------------------------------------------------- */

static double kinetic(const carom_frame *f)
{
    double energy = 0;
    const size_t d = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < d; k++) energy += 0.5 * f->mass[i] * f->velocity[i * d + k] * f->velocity[i * d + k];
    return energy;
}

/* How far those that touched are from contact, at most; particles of one cluster have images that make it one piece. */
static double worst_contact(const carom_frame *f)
{
    double worst = 0;
    const size_t d = (size_t)f->dimension;
    for (uint64_t n = 0; n < f->tallies.merge_count; n++) {
        const frame_merge *m = &f->tallies.merges[n];
        double square = 0;
        for (size_t k = 0; k < d; k++) {
            double apart = f->position[m->i * d + k] - f->position[m->j * d + k];
            apart += (double)(f->image[m->i * d + k] - f->image[m->j * d + k]) * f->box[k];
            square += apart * apart;
        }
        worst = fmax(worst, fabs(sqrt(square) - (f->radius[m->i] + f->radius[m->j])));
    }
    return worst;
}

/* Energy only falls, by what is called dissipated; momentum stays; particles that touched, touch. */
START_TEST(what_is_conserved)
{
    static const char *const laws[] = {"", "contacts: [{between: [a, a], restitution: 0.7, stick: {below: 0.5}}]\n"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int law = 0; law < 2; law++) {
            char body[600];
            snprintf(body, sizeof body,
                     "dimension: %d\nseed: 4\nbox: {packing_fraction: 0.1, boundary: periodic}\n"
                     "species: {a: {diameter: {uniform: [0.5, 1]}, density: 1}}\n"
                     "particles: [{species: a, count: %d, place: random, velocity: {maxwell: 1}}]\n%s"
                     "run: {until: {clusters: 1}}\n",
                     dimension, _i == 0 ? 300 : 60, laws[law]);
            play p = open_scene(body, _i);
            const carom_frame *f = carom_sim_frame(p.sim);
            double mass = 0;
            for (size_t i = 0; i < f->count; i++) mass += f->mass[i];
            const double start = kinetic(f), scale = sqrt(2 * start * mass);
            const momenta moving = momenta_of(f, NULL);
            double before = start;
            double worst = 0, apart = 0, budget = 0;
            for (double t = 0.1; carom_sim_stop(p.sim) == CAROM_STOP_NONE; t *= 1.2) {
                (void)carom_sim_advance(p.sim, t);
                const double now = kinetic(f);
                REQUIRE(now <= before * (1 + 1e-13));
                before = now;
                budget = fmax(budget, fabs(now + f->tallies.dissipated - start));
                apart = fmax(apart, worst_contact(f));
                const momenta still = momenta_of(f, NULL);
                for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(still.linear[k] - moving.linear[k]));
            }
            ck_assert_int_eq(carom_sim_stop(p.sim), CAROM_STOP_CLUSTERS);
            /* the worst of eight: 9 ulp, 0.4 ulp, 2.5e-15 of the box */
            EXPECT_CLOSE("energy budget", budget, 0, 27 * ulp * start);
            EXPECT_CLOSE("momentum", worst, 0, ulp * scale);
            EXPECT_CLOSE("contacts", apart, 0, 12 * ulp * f->box[0]);
            play_close(&p);
        }
}
END_TEST

/* ---- units ------------------------------------------------------------------------------------------------------- */

/* Lengths and times by 2^k: the same merges, at times that are scaled exactly. */
START_TEST(units_do_not_matter)
{
    static frame_merge plain[99];
    static const int powers[] = {0, -80, -30, 30, 80};
    for (int n = 0; n < 5; n++) {
        char body[600];
        snprintf(body, sizeof body,
                 "dimension: 2\nseed: 4\nbox: {size: %.17g, boundary: [wall, periodic]}\n"
                 "species: {a: {diameter: %.17g, mass: 1}}\n"
                 "particles: [{species: a, count: 100, place: square, velocity: {uniform: [-1, 1]}}]\n"
                 "run: {until: {clusters: 1}}\n",
                 ldexp(32, powers[n]), ldexp(1, powers[n]));
        play p = open_scene(body, _i);
        play_run(&p, CAROM_STOP_CLUSTERS);
        const carom_frame *f = carom_sim_frame(p.sim);
        ck_assert_uint_eq(f->tallies.merge_count, 99);
        for (int k = 0; k < 99; k++) {
            const frame_merge *m = &f->tallies.merges[k];
            if (n == 0) plain[k] = *m;
            REQUIRE(m->time == ldexp(plain[k].time, powers[n]) && m->i == plain[k].i && m->j == plain[k].j);
        }
        play_close(&p);
    }
}
END_TEST

/* ---- nothing to hope for ----------------------------------------------------------------------------------------- */

START_TEST(one_particle)
{
    play p = open_scene("dimension: 2\nbox: {size: 12, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[2, 2.5]]}, velocity: {each: [1, 0]}}]\n"
                        "run: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_CLUSTERS);
    EXPECT_CLOSE("time", carom_frame_time(carom_sim_frame(p.sim)), 0, 0);
    play_close(&p);
}
END_TEST

/* Two rows that pass each other without end, a gap of 1 between them; and the same bouncing between walls. */
START_TEST(rows_that_never_meet)
{
    static play_text body;
    double ends[2];
    for (int walls = 0; walls < 2; walls++) {
        body.length = 0;
        play_add(&body,
                 "dimension: 2\nbox: {size: [60, 8], boundary: %s}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles:\n",
                 walls ? "[wall, periodic]" : "periodic");
        for (int row = 0; row < 2; row++) {
            play_add(&body, "  - {species: a, velocity: {each: [%s, 0]}, place: {at: [", row ? "-1" : "1");
            for (int i = 0; i < (walls ? 1 : 30); i++)
                play_add(&body, "%s[%d, %d]", i > 0 ? ", " : "", 1 + 2 * i, 2 + 2 * row);
            play_add(&body, "]}}\n");
        }
        play_add(&body, "aggregation: {patience: 10}\nrun: {until: {clusters: 1}}\n");
        play p = open_scene(body.text, _i);
        play_run(&p, CAROM_STOP_NO_PROGRESS);
        ends[walls] = carom_frame_time(carom_sim_frame(p.sim));
        printf("%s: given up at time %g\n", walls ? "walls" : "periodic", ends[walls]);
        ck_assert_uint_eq(carom_sim_frame(p.sim)->events[EVENT_MERGE], 0);
        play_close(&p);
    }
    /* ten mean free paths at relative speed 1: each a box of 60 at least, and 480 / 2 for two */
    EXPECT_CLOSE("periodic", ends[0], 10 * 60, 600 * 4 * ulp); /* 1e-15 of it */
    EXPECT_CLOSE("walls", ends[1], 10 * 240, 600 * 4 * ulp);
}
END_TEST

/* The pair comes to rest, the third hits a wall every 59: one mean free path at the root mean square of their
 * speeds. */
START_TEST(overdue_at_a_wall)
{
    play p = open_scene("dimension: 2\nbox: {size: [60, 8], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "particles: [{species: a, place: {at: [[20, 2], [23, 2], [30, 6]]},"
                        " velocity: {each: [[1, 0], [-1, 0], [1, 0]]}}]\naggregation: {patience: 1}\n"
                        "run: {until: {clusters: 1}}\n",
                        _i);
    play_run(&p, CAROM_STOP_NO_PROGRESS);
    const carom_frame *f = carom_sim_frame(p.sim);
    ck_assert_uint_eq(f->events[EVENT_MERGE], 1);
    ck_assert_uint_eq(f->events[EVENT_WALL], 7);
    EXPECT_CLOSE("end", carom_frame_time(f), 1 + sqrt(3) * 240, 1.7e-13);
    play_close(&p);
}
END_TEST

START_TEST(all_alike)
{
    static const char *const velocities[] = {"zero", "{uniform: [1, 1]}"};
    for (int k = 0; k < 2; k++) {
        char body[500];
        snprintf(body, sizeof body,
                 "dimension: 2\nbox: {packing_fraction: 0.1, boundary: %s}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                 "particles: [{species: a, count: 49, place: square, velocity: %s}]\nrun: {until: {clusters: 1}}\n",
                 k == 0 ? "wall" : "periodic", velocities[k]);
        play p = open_scene(body, _i);
        play_run(&p, CAROM_STOP_NO_PROGRESS);
        EXPECT_CLOSE("time", carom_frame_time(carom_sim_frame(p.sim)), 0, 0);
        play_close(&p);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {head_on,
                                  off_centre,
                                  glancing,
                                  three_in_a_row,
                                  a_cluster_at_a_wall,
                                  across_the_periodic_boundary,
                                  unwrapped_across_the_boundary,
                                  two_at_once,
                                  a_lattice_at_once,
                                  touching_at_the_start,
                                  too_fast_to_stick,
                                  a_glance_is_slow,
                                  what_is_conserved,
                                  units_do_not_matter,
                                  one_particle,
                                  rows_that_never_meet,
                                  overdue_at_a_wall,
                                  all_alike};
    TCase *all = tcase_create("all");
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) tcase_add_loop_test(all, tests[k], 0, PATHS);
    tcase_set_timeout(all, 300);
    return suite_run("aggregation", all);
}
