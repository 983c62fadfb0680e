/* Detects recorded events from which the motion does not follow: a wrong impulse, normal, body, time or order, an event
 * that is missing, and a recording that changes the run. */
#include "../support/play.h"
#include "../support/suite.h"

#include <math.h>

enum { MOST = 200000, BODIES = 200 };

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

#define HEAD(engine, dimension, box) "carom: 1\nengine: " engine "\ndimension: " dimension "\nbox: " box "\n"
#define MIXTURE                                                                                                        \
    "species: {large: {diameter: 1, mass: 3}, small: {diameter: 0.6, mass: 0.5}}\n"                                    \
    "particles: [{species: {large: 1, small: 1}, count: 60, place: random, velocity: {maxwell: 1}}]\n"
#define GRAINS(count)                                                                                                  \
    "species: {grain: {diameter: 1}}\n"                                                                                \
    "particles: [{species: grain, count: " count ", place: random, velocity: {maxwell: 1}}]\n"
#define UNTIL(time) "run: {until: {time: " time "}}\n"

/* Scenes of `hard` in which bodies fly on parabolas between events. */
static const char *const flights[] = {
    HEAD("hard", "3", "{packing_fraction: 0.3}") MIXTURE UNTIL("2"),
    HEAD("hard", "2", "{size: 12, boundary: wall}")
        GRAINS("40") "fields: {gravity: [0, -1]}\ncontacts: [{between: [grain, grain], restitution: 0.9},"
                     " {between: [grain, wall], restitution: 0.8}]\n" UNTIL("3"),
    HEAD("hard", "3", "{packing_fraction: 0.2}") GRAINS(
        "50") "contacts: [{between: [grain, grain], restitution: 0.9, tangential: 0.4, friction: 0.3}]\n" UNTIL("2"),
    HEAD("hard", "2", "{packing_fraction: 0.3}")
        GRAINS("50") "potentials: [{between: [grain, grain], square_well: {range: 1.5, depth: 1}}]\n" UNTIL("2"),
    HEAD("hard", "3", "{packing_fraction: 0.1}")
        GRAINS("50") "hard: {thermostat: {temperature: 2, rate: 1}}\n" UNTIL("2"),
    HEAD("hard", "2", "{size: 12, boundary: wall}")
        GRAINS("30") "contacts: [{between: [grain, wall], temperature: 2}]\n" UNTIL("4"),
    HEAD("hard", "2", "{size: [8, 8], boundary: [periodic, wall]}")
        GRAINS("12") "fields: {gravity: [0, -1]}\ncontacts: [{between: [grain, grain], restitution: 0.4},"
                     " {between: [grain, wall], restitution: 0.4}]\n"
                     "hard: {collapse: {policy: sleep, speed: 0.05}}\n" UNTIL("30"),
    HEAD("hard", "3", "{packing_fraction: 0.2}") "species: {egg: {semi_axes: [0.8, 0.5, 0.5]}}\n"
                                                 "particles: [{species: egg, count: 30, place: random,"
                                                 " velocity: {maxwell: 1}}]\n" UNTIL("2"),
    HEAD("hard", "2", "{size: 12, boundary: open}")
        GRAINS("20") "cylinders: [{name: pen, through: [6, 6], radius: 9, side: inside}]\nplanes: [{name: floor, "
                     "point: [6, 1], normal: "
                     "[0, 1]}]\n" UNTIL("4"),
    HEAD("hard", "3", "{packing_fraction: 0.3}")
        GRAINS("50") "contacts: [{between: [grain, grain], restitution: 0.7}]\n" UNTIL("300"),
    HEAD("hard", "3", "{packing_fraction: 0.3}") MIXTURE "hard: {precision: float}\n" UNTIL("1"),
};
enum { FLIGHTS = sizeof flights / sizeof *flights };

static const char shear[] =
    HEAD("hard", "3", "{packing_fraction: 0.2}") GRAINS("60") "hard: {shear: {rate: 0.5}}\n" UNTIL("3");
static const char layers[] = HEAD("variational", "2", "{size: 10, boundary: wall}")
    GRAINS("20") "contacts: [{between: [grain, grain], restitution: 0.8, friction: 0.2}]\n" UNTIL("4");
static const char sticky[] = HEAD("aggregation", "3", "{packing_fraction: 0.05}") MIXTURE UNTIL("6");
static const char bouncing[] = HEAD("aggregation", "2", "{size: 30, boundary: wall}")
    GRAINS("60") "contacts: [{between: [grain, grain], restitution: 0.5, stick: {below: 1}}]\n" UNTIL("10");
static const char stepped[] =
    HEAD("aggregation", "2", "{size: 30, boundary: wall}") GRAINS("60") "aggregation: {method: steps}\n" UNTIL("10");
enum { ALL = 8 };

static const char *scene_of(int n)
{
    const char *const all[ALL] = {flights[0], flights[1], flights[6], shear, layers, sticky, bouncing, stepped};
    return all[n];
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

typedef struct record {
    carom_event *at;
    size_t count;
} record;

static void take_events(const carom_event *events, size_t count, void *user)
{
    record *r = user;
    REQUIRE(r->count + count <= MOST);
    memcpy(r->at + r->count, events, count * sizeof *events);
    r->count += count;
}

static record new_record(void)
{
    record r = {.at = calloc(MOST, sizeof *r.at)};
    REQUIRE(r.at != NULL);
    return r;
}

static void attach(play *p, record *r, carom_record_options options)
{
    carom_recording *recording;
    options.events = take_events;
    options.user = r;
    if (carom_sim_record(p->sim, &options, &recording) != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p->sim));
}

/* A run of a scene with a recording of all events. */
static play recorded_run(const char *scene, record *r, double until)
{
    play p = play_open(scene, NULL);
    *r = new_record();
    attach(&p, r, (carom_record_options){0});
    play_advance(&p, until);
    return p;
}

static size_t count_kind(const record *r, carom_event_kind kind)
{
    size_t count = 0;
    for (size_t n = 0; n < r->count; n++) count += r->at[n].kind == (uint32_t)kind;
    return count;
}

/* ---- motion from events ------------------------------------------------------------------------------------------ */

typedef struct body {
    double r[3], v[3], t;
    bool asleep;
} body;

static void fly(body *b, double t, const double gravity[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = b->asleep ? 0 : gravity[k], dt = t - b->t;
        b->r[k] += b->v[k] * dt + 0.5 * a * dt * dt;
        b->v[k] += a * dt;
    }
    b->t = t;
}

static void read_bodies(const carom_frame *f, body *bodies)
{
    const double *v = carom_frame_velocities(f);
    for (size_t i = 0; i < f->count; i++) {
        bodies[i] = (body){.t = f->time};
        for (int k = 0; k < f->dimension; k++) {
            bodies[i].r[k] = frame_unwrapped(f, i, (size_t)k);
            bodies[i].v[k] = v[i * (size_t)f->dimension + (size_t)k];
        }
    }
}

static void push(body *b, const carom_event *e, double sign, double mass, const double gravity[3])
{
    fly(b, e->time, gravity);
    for (int k = 0; k < 3 && !b->asleep; k++) b->v[k] += sign * e->impulse[k] / mass;
}

static void follow(body *bodies, const carom_frame *f, const carom_event *e)
{
    push(&bodies[e->i], e, 1, f->mass[e->i], f->gravity);
    if (e->kind == CAROM_EVENT_SLEEP || e->kind == CAROM_EVENT_WAKE) bodies[e->i].asleep = e->kind == CAROM_EVENT_SLEEP;
    if (e->j_type == CAROM_BODY_PARTICLE) push(&bodies[e->j], e, -1, f->mass[e->j], f->gravity);
}

/* Positions and velocities at the end, from those at the start and the events alone. */
START_TEST(motion_follows_from_events)
{
    static body bodies[BODIES], there[BODIES];
    play p = play_open(flights[_i], NULL);
    const double rounding = _i == FLIGHTS - 1 ? 2e-5 : _i == 9 ? 1e-9 : 1e-11;
    record r = new_record();
    attach(&p, &r, (carom_record_options){0});
    REQUIRE(carom_frame_count(carom_sim_frame(p.sim)) <= BODIES);
    read_bodies(carom_sim_frame(p.sim), bodies);
    REQUIRE(carom_sim_run(p.sim) == CAROM_OK);
    const carom_frame *f = carom_sim_frame(p.sim);
    read_bodies(f, there);
    double last = 0, off = 0, way = 0, fastest = 0, farthest = 0;
    for (size_t n = 0; n < r.count; n++) {
        REQUIRE(r.at[n].time >= last && r.at[n].i_type == CAROM_BODY_PARTICLE);
        last = r.at[n].time;
        follow(bodies, f, &r.at[n]);
    }
    for (size_t i = 0; i < f->count; i++) {
        fly(&bodies[i], f->time, f->gravity);
        for (int k = 0; k < f->dimension; k++) {
            off = fmax(off, fabs(bodies[i].v[k] - there[i].v[k]));
            way = fmax(way, fabs(bodies[i].r[k] - there[i].r[k]));
            fastest = fmax(fastest, fabs(there[i].v[k]));
            farthest = fmax(farthest, fabs(there[i].r[k]) + f->box[k]);
        }
    }
    printf("scene %d: %zu events, velocities off by %.3g, positions by %.3g\n", _i, r.count, off, way);
    ck_assert_uint_gt(r.count, 20);
    ck_assert(off <= rounding * fmax(fastest, 1e-3) && way <= rounding * farthest);
    ck_assert_uint_eq(count_kind(&r, CAROM_EVENT_COLLISION), f->events[EVENT_COLLISION]);
    ck_assert_uint_eq(count_kind(&r, CAROM_EVENT_WALL), f->events[EVENT_WALL]);
    ck_assert_uint_eq(count_kind(&r, CAROM_EVENT_STEP) + count_kind(&r, CAROM_EVENT_KICK), f->events[EVENT_FORCE]);
    free(r.at);
    play_close(&p);
}
END_TEST

/* The bodies of the events of the sleeping pile, and that some sleep and wake. */
START_TEST(sleep_is_recorded)
{
    record r;
    play p = recorded_run(flights[6], &r, 30);
    const size_t slept = count_kind(&r, CAROM_EVENT_SLEEP);
    printf("%zu fell asleep, %zu woke\n", slept, count_kind(&r, CAROM_EVENT_WAKE));
    ck_assert_uint_gt(slept, 5);
    free(r.at);
    play_close(&p);
}
END_TEST

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Momentum transfer between spheres at contact distance is the virial, that to a wall its impulse, and the kinetic
 * energy lost in collisions what the engine counts as dissipated. */
START_TEST(impulses_add_up_to_the_tallies)
{
    record r;
    play p = recorded_run(flights[1], &r, 3);
    const carom_frame *f = carom_sim_frame(p.sim);
    double virial[3][3] = {{0}}, wall[3][2] = {{0}}, scale = 0;
    for (size_t n = 0; n < r.count; n++) {
        const carom_event *e = &r.at[n];
        double square = 0, along = 0;
        for (int a = 0; a < 3; a++) {
            square += e->normal[a] * e->normal[a];
            along += e->normal[a] * e->impulse[a];
            scale += fabs(e->impulse[a]);
        }
        ck_assert(fabs(square - 1) < 1e-14 && along >= 0);
        if (e->j_type == CAROM_BODY_WALL) wall[e->j / 2][e->j % 2] += along;
        for (int a = 0; a < 3 && e->j_type == CAROM_BODY_PARTICLE; a++)
            for (int b = 0; b < 3; b++) virial[a][b] += e->impulse[a] * e->normal[b]; /* diameters are 1 */
    }
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            printf("virial %.17g, from events %.17g; wall %.17g, from events %.17g\n", f->tallies.virial[a][b],
                   virial[a][b], f->tallies.wall_impulse[a][b], wall[a][b]);
            ck_assert(fabs(virial[a][b] - f->tallies.virial[a][b]) < 1e-12 * scale);
            ck_assert(fabs(wall[a][b] - f->tallies.wall_impulse[a][b]) < 1e-12 * scale);
        }
    free(r.at);
    play_close(&p);
}
END_TEST

/* In a sheared box the velocities change at the boundary as well; impulses are those of collisions alone. */
START_TEST(impulses_in_a_sheared_box)
{
    record r;
    play p = recorded_run(shear, &r, 3);
    const carom_frame *f = carom_sim_frame(p.sim);
    double xy = 0;
    for (size_t n = 0; n < r.count; n++) xy += r.at[n].impulse[0] * r.at[n].normal[1];
    printf("%zu events, virial %.17g, from events %.17g\n", r.count, f->tallies.virial[0][1], xy);
    ck_assert(r.count > 50 && fabs(xy - f->tallies.virial[0][1]) < 1e-11 * (double)r.count);
    free(r.at);
    play_close(&p);
}
END_TEST

/* Without impacts in progress the momentum of each disk has changed by its impulses. */
START_TEST(impacts_of_layers_add_up)
{
    record r;
    play p = play_open(layers, NULL);
    static double momentum[BODIES][3];
    r = new_record();
    attach(&p, &r, (carom_record_options){0});
    const carom_frame *f = carom_sim_frame(p.sim);
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < 2; k++) momentum[i][k] = f->mass[i] * carom_frame_velocities(f)[2 * i + k];
    uint64_t begun = 0;
    for (double t = 2; begun == 0 || begun != r.count; t += 0.01) {
        REQUIRE(t < 4);
        play_advance(&p, t);
        begun = carom_sim_events(p.sim, "collision") + carom_sim_events(p.sim, "wall");
    }
    for (size_t n = 0; n < r.count; n++)
        for (int k = 0; k < 2; k++) {
            const carom_event *e = &r.at[n];
            REQUIRE(e->duration > 0 && e->duration < 1);
            momentum[e->i][k] += e->impulse[k];
            if (e->j_type == CAROM_BODY_PARTICLE) momentum[e->j][k] -= e->impulse[k];
        }
    f = carom_sim_frame(p.sim);
    double off = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < 2; k++)
            off = fmax(off, fabs(momentum[i][k] - f->mass[i] * carom_frame_velocities(f)[2 * i + k]));
    printf("%zu impacts, momenta off by %.3g\n", r.count, off);
    ck_assert(r.count > 20 && off < 1e-13);
    free(r.at);
    play_close(&p);
}
END_TEST

/* ---- clusters ---------------------------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i];
    return i;
}

/* The momentum of a cluster is that of its particles at the start and its impulses: after a merge both parts have the
 * velocity of the whole. */
static void check_clusters(const char *scene, double until)
{
    static double mass[BODIES], v[BODIES][3];
    static uint32_t parent[BODIES];
    record r;
    play p = play_open(scene, NULL);
    r = new_record();
    attach(&p, &r, (carom_record_options){0});
    const carom_frame *f = carom_sim_frame(p.sim);
    const size_t d = (size_t)f->dimension;
    for (uint32_t i = 0; i < f->count; i++) {
        parent[i] = i;
        mass[i] = f->mass[i];
        for (size_t k = 0; k < d; k++) v[i][k] = carom_frame_velocities(f)[i * d + k];
    }
    play_advance(&p, until);
    double off = 0;
    for (size_t n = 0; n < r.count; n++) {
        const carom_event *e = &r.at[n];
        const bool pair = e->j_type == CAROM_BODY_PARTICLE;
        const uint32_t a = root_of(parent, e->i), b = pair ? root_of(parent, e->j) : a;
        for (size_t k = 0; k < d; k++) {
            v[a][k] += e->impulse[k] / mass[a];
            if (pair) v[b][k] -= e->impulse[k] / mass[b];
            if (e->kind == CAROM_EVENT_MERGE) off = fmax(off, fabs(v[a][k] - v[b][k]));
        }
        if (e->kind != CAROM_EVENT_MERGE) continue;
        mass[a] += mass[b];
        parent[b] = a;
    }
    f = carom_sim_frame(p.sim);
    for (uint32_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < d; k++)
            off = fmax(off, fabs(v[root_of(parent, i)][k] - carom_frame_velocities(f)[i * d + k]));
    printf("%zu merges, %zu bounces, %zu walls; velocities off by %.3g\n", count_kind(&r, CAROM_EVENT_MERGE),
           count_kind(&r, CAROM_EVENT_COLLISION), count_kind(&r, CAROM_EVENT_WALL), off);
    ck_assert(off < 1e-12 && count_kind(&r, CAROM_EVENT_MERGE) > 5);
    ck_assert_uint_eq(count_kind(&r, CAROM_EVENT_MERGE), f->events[EVENT_MERGE]);
    ck_assert_uint_eq(count_kind(&r, CAROM_EVENT_COLLISION), f->events[EVENT_COLLISION]);
    free(r.at);
    play_close(&p);
}

START_TEST(velocities_of_clusters_follow)
{
    const char *const scenes[] = {sticky, bouncing, stepped};
    check_clusters(scenes[_i], _i == 0 ? 6 : 10);
}
END_TEST

/* Two rotating spheres that merge off centre: each is a part of the new body, and its own velocity shows the impulse. */
START_TEST(merge_of_rotating_clusters)
{
    static const char text[] = HEAD(
        "aggregation", "3",
        "{size: 20, boundary: wall}") "species: {a: {diameter: 1, mass: 1}, b: {diameter: 2, mass: 5}}\n"
                                      "particles:\n"
                                      "  - {species: b, place: {at: [[10, 10, 10]]}, velocity: {each: [0, 0, 0]}}\n"
                                      "  - {species: a, place: {at: [[6, 10.7, 10.4]]}, velocity: {each: [1, 0, "
                                      "0]}}\n"
                                      "aggregation: {rotation: true}\n" UNTIL("8");
    record r;
    play p = play_open(text, NULL);
    r = new_record();
    attach(&p, &r, (carom_record_options){0});
    ck_assert_int_eq(carom_sim_run_to(p.sim, &(carom_limits){.events = 1}), CAROM_OK);
    const carom_frame *f = carom_sim_frame(p.sim);
    const double *v = carom_frame_velocities(f), *x = carom_frame_positions(f);
    ck_assert_uint_eq(r.count, 1);
    ck_assert_uint_eq(r.at[0].kind, CAROM_EVENT_MERGE);
    ck_assert(r.at[0].i == 0 && r.at[0].j == 1 && r.at[0].time == f->time);
    const double apart = hypot(hypot(x[0] - x[3], x[1] - x[4]), x[2] - x[5]);
    for (int k = 0; k < 3; k++) {
        printf("impulse %.17g, on b %.17g, on a %.17g\n", r.at[0].impulse[k], 5 * v[k], -(v[3 + k] - (k == 0)));
        ck_assert(fabs(r.at[0].impulse[k] - 5 * v[k]) < 1e-14);
        ck_assert(fabs(r.at[0].impulse[k] + (v[3 + k] - (k == 0))) < 1e-14);
        ck_assert(fabs(r.at[0].normal[k] - (x[k] - x[3 + k]) / apart) < 1e-12);
    }
    free(r.at);
    play_close(&p);
}
END_TEST

/* ---- recordings -------------------------------------------------------------------------------------------------- */

/* A recording changes no bit of the run, and its own bits do not depend on the parts in which it runs. */
START_TEST(a_recording_changes_nothing)
{
    record whole, parts;
    play plain = play_open(scene_of(_i), NULL), p = recorded_run(scene_of(_i), &whole, 3),
         q = play_open(scene_of(_i), NULL);
    play_advance(&plain, 3);
    ck_assert_uint_eq(play_hash(&plain), play_hash(&p));
    parts = new_record();
    attach(&q, &parts, (carom_record_options){0});
    for (double t = 0.1; t < 3; t += 0.37) play_advance(&q, t);
    play_advance(&q, 3);
    printf("scene %d: %zu events\n", _i, whole.count);
    ck_assert_uint_gt(whole.count, 0);
    ck_assert_uint_eq(whole.count, parts.count);
    ck_assert_mem_eq(whole.at, parts.at, whole.count * sizeof *whole.at);
    free(whole.at);
    free(parts.at);
    play_close(&plain);
    play_close(&p);
    play_close(&q);
}
END_TEST

START_TEST(filters_choose)
{
    static const size_t chosen[] = {3, 17};
    static const char *const species[] = {"small"};
    const carom_record_options options[] = {
        {.kinds = 1 << CAROM_EVENT_WALL},
        {.particles = chosen, .particle_count = 2},
        {.kinds = 1 << CAROM_EVENT_COLLISION, .particles = chosen, .particle_count = 1},
        {.species = species, .species_count = 1},
    };
    const char *scene = _i == 3 ? flights[0] : flights[1];
    record whole, some, alone;
    play p = play_open(scene, NULL), q = play_open(scene, NULL);
    whole = new_record();
    some = new_record();
    alone = new_record();
    attach(&p, &whole, (carom_record_options){0});
    attach(&p, &some, options[_i]);
    attach(&q, &alone, options[_i]);
    play_advance(&p, 2);
    play_advance(&q, 2);
    const carom_frame *f = carom_sim_frame(p.sim);
    size_t n = 0;
    for (size_t k = 0; k < whole.count; k++) {
        const carom_event *e = &whole.at[k];
        const bool pair = e->j_type == CAROM_BODY_PARTICLE;
        const bool wanted[] = {e->kind == CAROM_EVENT_WALL,
                               e->i == 3 || e->i == 17 || (pair && (e->j == 3 || e->j == 17)),
                               e->kind == CAROM_EVENT_COLLISION && (e->i == 3 || (pair && e->j == 3)),
                               f->species[e->i] == 1 || (pair && f->species[e->j] == 1)};
        if (!wanted[_i]) continue;
        REQUIRE(n < some.count && memcmp(e, &some.at[n], sizeof *e) == 0 && memcmp(e, &alone.at[n], sizeof *e) == 0);
        n++;
    }
    printf("%zu of %zu events\n", n, whole.count);
    ck_assert(n > 0 && n < whole.count && n == some.count && n == alone.count);
    free(whole.at);
    free(some.at);
    free(alone.at);
    play_close(&p);
    play_close(&q);
}
END_TEST

START_TEST(a_buffer_keeps_the_first_events)
{
    carom_event buffer[8];
    carom_recording *recording, *none;
    record whole;
    play p = play_open(flights[0], NULL);
    whole = new_record();
    attach(&p, &whole, (carom_record_options){0});
    const carom_record_options options = {.buffer = buffer, .capacity = 8};
    ck_assert_int_eq(carom_sim_record(p.sim, &options, &recording), CAROM_OK);
    play_advance(&p, 0.5);
    ck_assert_uint_gt(whole.count, 20);
    ck_assert_uint_eq(carom_recording_count(recording), 8);
    ck_assert_uint_eq(carom_recording_total(recording), whole.count);
    ck_assert_mem_eq(buffer, whole.at, sizeof buffer);
    carom_recording_clear(recording);
    const size_t before = whole.count;
    play_advance(&p, 1);
    ck_assert_mem_eq(buffer, whole.at + before, sizeof buffer);
    carom_recording_free(recording);
    play_advance(&p, 1.5);
    const size_t missing = 60;
    ck_assert_int_eq(carom_sim_record(p.sim, &(carom_record_options){0}, &none), CAROM_USAGE);
    ck_assert_int_eq(
        carom_sim_record(
            p.sim, &(carom_record_options){.buffer = buffer, .capacity = 8, .particles = &missing, .particle_count = 1},
            &none),
        CAROM_USAGE);
    ck_assert_ptr_null(none);
    printf("%s\n", carom_sim_message(p.sim));
    free(whole.at);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("events");
    tcase_add_loop_test(c, motion_follows_from_events, 0, FLIGHTS);
    tcase_add_test(c, sleep_is_recorded);
    tcase_add_test(c, impulses_add_up_to_the_tallies);
    tcase_add_test(c, impulses_in_a_sheared_box);
    tcase_add_test(c, impacts_of_layers_add_up);
    tcase_add_loop_test(c, velocities_of_clusters_follow, 0, 3);
    tcase_add_test(c, merge_of_rotating_clusters);
    tcase_add_loop_test(c, a_recording_changes_nothing, 0, ALL);
    tcase_add_loop_test(c, filters_choose, 0, 4);
    tcase_add_test(c, a_buffer_keeps_the_first_events);
    return suite_run("test_events", c);
}
