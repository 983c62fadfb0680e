/* Detects clumps of a stored state that start at other places, with other orientations, velocities or energies, that lose their
 * contacts, or that depend on threads or the reference; and particles of a file that get lost beside clumps. */
#include "../support/expect.h"
#include "../support/grains.h"
#include "../support/suite.h"

#include "geometry/closest.h"

/* Writes the state at `end` of a scene to a file, without the extension that all have. */
static play stored(const char *path, const char *body, double end)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\nrun: {until: {time: %.17g}}\n%s", end, body);
    play p = play_try(text.text, NULL, &(carom_options){.output = path, .force = true});
    if (p.created != CAROM_OK) ck_abort_msg("%s\n%s", carom_sim_message(p.sim), text.text);
    play_run(&p, CAROM_STOP_TIME);
    return p;
}

static const char *path_of(const char *name)
{
    static char path[100];
    snprintf(path, sizeof path, "clump-starts-%s-%d.h5", name, (int)getpid());
    return path;
}

/* ---- the same state ---------------------------------------------------------------------------------------------- */

typedef struct flight {
    const char *name;
    int dimension;
    const char *boundary, *spheres;
    bool nutates; /* different moments of inertia: the direction of the angular velocity changes */
} flight;

/* Spheres in general position, in a plane, on a line and in a point; periodic boxes cut clumps. */
static const flight flights[] = {
    {"solid", 3, "periodic",
     "{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0, 0], diameter: 0.8}, {at: [0, 0.4, 0.3], diameter: 0.5}, {at: [0.1, "
     "0.2, "
     "-0.5], diameter: 0.4}",
     true},
    {"plane", 3, "periodic",
     "{at: [0.2, 0, 0], diameter: 1}, {at: [0.6, 0, 0.3], diameter: 0.8}, {at: [-0.2, 0.4, 0], diameter: 0.5}", true},
    {"line", 3, "open", "{at: [0, 0, 0], diameter: 1}, {at: [0.6, 0.1, 0], diameter: 0.8}", true},
    {"point", 3, "periodic", "{at: [3, 1, 0], diameter: 1}", false},
    {"triangle", 2, "periodic",
     "{at: [0, 0], diameter: 1}, {at: [0.6, 0], diameter: 0.8}, {at: [0.1, 0.5], diameter: 0.5}", false},
    {"pair", 2, "open", "{at: [0, 0], diameter: 1}, {at: [0, -0.6], diameter: 0.8}", false},
};
enum { FLIGHTS = sizeof flights / sizeof *flights, CLUMPS = 9, POINTS = 4 * CLUMPS };

/* The columns of a frame. */
typedef struct columns {
    double position[3 * POINTS], velocity[3 * POINTS], spin[3 * POINTS];
    frame_energy energy;
} columns;

static void copy_columns(columns *to, const play *p)
{
    const carom_frame *f = frame(p);
    const size_t vectors = f->count * (size_t)f->dimension;
    ck_assert_uint_le(f->count, POINTS);
    memcpy(to->position, f->position, vectors * sizeof(double));
    memcpy(to->velocity, f->velocity, vectors * sizeof(double));
    memcpy(to->spin, f->spin, 3 * f->count * sizeof(double));
    to->energy = frame_energy_of(f);
}

static void compare(const char *what, const double *a, const double *b, size_t count, double bound)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    EXPECT_CLOSE(what, worst, 0, bound);
}

static double fastest_of(const columns *c, size_t points)
{
    double most = 0;
    for (size_t i = 0; i < points; i++) most = fmax(most, sqrt(dot3(c->spin + 3 * i, c->spin + 3 * i)));
    return most;
}

/* Rounding: positions of up to 8, velocities of up to 3, some 100 operations. Angular velocities that nutate are those of the middle
 * of a step, in which the fastest body turns by 0.01: half of this angle is the error of their direction. */
START_TEST(the_start_is_the_stored_state)
{
    const flight *one = &flights[_i];
    const bool flat = one->dimension == 2;
    const char *path = path_of(one->name);
    char head[700], body[1400];
    snprintf(
        head, sizeof head,
        "dimension: %d\nseed: 4\nbox: {size: %s, boundary: %s}\nspecies: {a: {diameter: 1, density: 1}}\n"
        "clumps: [{name: c, species: a, density: 2, spheres: [%s]}]\nvariational: {rotation: true, stiffness: 1e4}\n",
        one->dimension, flat ? "[8, 8]" : "[8, 8, 8]", one->boundary, one->spheres);
    snprintf(
        body, sizeof body,
        "%sparticles: [{clump: c, count: 9, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}]\n",
        head);
    static columns before, after;
    play p = stored(path, body, 1.7);
    copy_columns(&before, &p);
    const size_t points = frame(&p)->count;
    play_close(&p);
    snprintf(body, sizeof body, "%sparticles: [{clump: c, count: %d, place: {file: %s}, velocity: file}]\n", head,
             CLUMPS, path);
    p = open_scene(body, NULL);
    ck_assert_uint_eq(frame(&p)->count, points);
    copy_columns(&after, &p);
    const double turn = one->nutates ? 0.005 : 0, fastest = fastest_of(&before, points);
    compare("positions", before.position, after.position, points * (size_t)one->dimension, 1e-14);
    compare("velocities", before.velocity, after.velocity, points * (size_t)one->dimension, 1e-14 + turn * fastest);
    compare("angular velocities", before.spin, after.spin, 3 * points, 1e-14 + turn * fastest);
    EXPECT_CLOSE("kinetic energy", after.energy.kinetic, before.energy.kinetic, (1e-14 + turn) * before.energy.kinetic);
    ck_assert(before.energy.kinetic > 1);
    play_close(&p);
    remove(path);
}
END_TEST

/* ---- a bed ------------------------------------------------------------------------------------------------------- */

#define BED                                                                                                            \
    "dimension: 3\nseed: 2\nbox: {size: [3, 3, 12], boundary: [wall, wall, wall]}\n"                                   \
    "species: {a: {diameter: 0.8, density: 1}, b: {diameter: 0.7, density: 2}}\n"                                      \
    "clumps: [{name: c, species: a, spheres: [{at: [0, 0, 0], diameter: 0.8}, {at: [0.5, 0, 0], diameter: 0.8}]},\n"   \
    "  {name: d, species: a, spheres: [{at: [0, 0, 0], diameter: 1}, {at: [0.5, 0, 0], diameter: 0.6}, "               \
    "{at: [0, 0.4, 0], diameter: 0.6}]}]\n"                                                                            \
    "contacts: [{between: [a, a], restitution: 0.3, friction: 0.5, rolling_friction: 0.02}, "                          \
    "{between: [a, b], restitution: 0.3, friction: 0.5}, {between: [b, b], restitution: 0.3, friction: 0.5}, "         \
    "{between: [a, wall], restitution: 0.3, friction: 0.5}, {between: [b, wall], restitution: 0.3, friction: 0.5}]\n"  \
    "fields: {gravity: [0, 0, -1]}\nparticles:\n"

static const char NEW_BED[] =
    BED "  - {clump: c, count: 14, place: random}\n  - {species: b, count: 10, place: random}\n"
        "  - {clump: d, count: 8, place: random}\nvariational: {rotation: true, courant: 0.2}\n";

/* The entries of the file in another order. */
static const char *next_bed(const char *path, double eta, double stiffness)
{
    static char next[3000];
    snprintf(next, sizeof next,
             BED
             "  - {species: b, place: {file: %s}, velocity: file}\n  - {clump: d, place: {file: %s}, velocity: file}\n"
             "  - {clump: c, place: {file: %s}, velocity: file}\n"
             "variational: {rotation: true, courant: 0.2, eta: %.17g, stiffness: %.17g}\n",
             path, path, path, eta, stiffness);
    return next;
}

/* Clumps beside single particles, compressed by their weight: the energy of the layers is there, and nothing falls. */
START_TEST(a_stored_bed_stays_at_rest)
{
    const char *path = path_of("bed");
    play before = stored(path, NEW_BED, 30);
    const frame_energy settled = frame_energy_of(frame(&before));
    const double eta = frame(&before)->tallies.eta, stiffness = frame(&before)->tallies.stiffness;
    const size_t particles = frame(&before)->count;
    play_close(&before);
    const char *next = next_bed(path, eta, stiffness);
    play p = open_scene(next, NULL);
    ck_assert_uint_eq(frame(&p)->count, particles);
    const frame_energy start = frame_energy_of(frame(&p));
    EXPECT_CLOSE("height", start.potential, settled.potential, 1e-13 * settled.potential);
    EXPECT_CLOSE("stored in contacts", start.stored, settled.stored, 0.02 * settled.stored);
    const double balance = budget(&p);
    play_advance(&p, 5);
    const frame_energy end = frame_energy_of(frame(&p));
    EXPECT_CLOSE("height later", end.potential, start.potential, 2e-3 * start.potential);
    EXPECT_CLOSE("energy balance", budget(&p), balance, 1e-5 * start.potential);
    play_close(&p);
    reference_gives_the_same(next, 0.1, 1);
    parts_give_the_same("clump-starts", next, NULL, 1);
    remove(path);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case();
    tcase_add_loop_test(all, the_start_is_the_stored_state, 0, FLIGHTS);
    tcase_add_test(more, a_stored_bed_stays_at_rest);
    return suite_run("clump starts", all, more);
}
