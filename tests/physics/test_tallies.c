/* Detects wrong sums of impulses, virials and energies in the kernels: a run is stopped after each event, and the
 * difference of two frames gives what the event did, independent of the collision rules. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "sim/sim.h"

enum { EVENTS = 120, BODIES = 16 };

/* How energy comes and goes in a scene: at walls and planes that are hot or move, else by losses. */
typedef struct trial {
    const char *text;
    bool hot;      /* whatever hits a wall or plane, or meets a bath, is given energy: none is dissipated there */
    bool round;    /* spheres: where they touch a wall tells which */
    double moving; /* velocity of the one plane, along the last axis */
} trial;

static const trial trials[] = {
    {.text = "dimension: 2\nbox: {size: [5, 3.5]}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
             "particles: [{species: {a: 1, b: 1}, count: 6, place: random, velocity: {maxwell: 1}}]\n"
             "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, b], restitution: {table: [[0, 1], [3, "
             "0.5]]}}]\n",
     .round = true},
    {.text = "dimension: 3\nbox: {size: [3, 4, 5], boundary: [wall, periodic, wall]}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
             "particles: [{species: {a: 1, b: 1}, count: 10, place: random, velocity: {maxwell: 1}, angular_velocity: "
             "{maxwell: 2}}]\nfields: {gravity: [0, 0, -0.5]}\n"
             "contacts: [{between: [a, a], restitution: 0.95, tangential: 0.5}, {between: [a, b], tangential: 0.2, "
             "friction: 0.1}, {between: [b, b], tangential: -0.5}, {between: [a, wall], restitution: 0.9, tangential: "
             "0.4}]\n",
     .round = true},
    {.text = "dimension: 2\nbox: {size: [3, 5], boundary: [wall, periodic]}\n"
             "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
             "particles: [{species: {a: 1, b: 1}, count: 6, place: random, velocity: {maxwell: 1}, angular_velocity: "
             "{maxwell: 2}}]\n"
             "contacts: [{between: [a, a], restitution: 0.95, tangential: 0.5}, {between: [a, b], tangential: 0.2}, "
             "{between: [b, b], tangential: -0.5}, {between: [a, wall], tangential: 0.4, friction: 0.2}]\n",
     .round = true},
    {.text = "dimension: 2\nbox: {size: [4, 3], boundary: wall}\nspecies: {a: {diameter: 1, mass: 2}}\n"
             "particles: [{species: a, count: 4, place: random, velocity: {maxwell: 1}}]\n"
             "contacts: [{between: [a, wall], temperature: 2}]\n",
     .hot = true,
     .round = true},
    {.text =
         "dimension: 3\nbox: {size: [3, 4, 5], boundary: [wall, periodic, wall]}\n"
         "species: {a: {diameter: 1, mass: 2}}\n"
         "particles: [{species: a, count: 8, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}]\n"
         "contacts: [{between: [a, a], restitution: 0.8, tangential: 0.3}, {between: [a, wall], temperature: 2}]\n",
     .hot = true,
     .round = true},
    {.text =
         "dimension: 3\nbox: {size: [3, 4, 5], boundary: wall}\n"
         "species: {a: {semi_axes: [0.8, 0.4, 0.4], mass: 1.5}, b: {diameter: 0.8}}\n"
         "planes: [{name: slope, point: [0, 2, 1], normal: [0, 0.6, 0.8]}]\n"
         "particles: [{species: a, place: {at: [[1, 2, 3], [2, 1, 3.8], [1.9, 3.2, 3.1]]}, velocity: {maxwell: 1}}, "
         "{species: b, place: {at: [[2, 2.5, 4.3]]}, velocity: {maxwell: 2}}]\n"
         "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, wall], restitution: 0.8}, {between: [a, "
         "slope], restitution: 0.95}]\n"},
    {.text = "dimension: 2\nbox: {size: [5, 4], boundary: wall}\nspecies: {a: {semi_axes: [0.8, 0.4], mass: 1.5}}\n"
             "particles: [{species: a, place: {at: [[1, 2], [2.5, 1], [4, 2.5]]}, velocity: {maxwell: 1}}]\n"
             "fields: {gravity: [0, -0.5]}\n"
             "contacts: [{between: [a, a], restitution: 0.95}, {between: [a, wall], restitution: 0.9}]\n"},
    {.text =
         "dimension: 3\nbox: {size: [4, 5, 4.5]}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
         "particles: [{species: {a: 1, b: 1}, count: 8, place: random, velocity: {maxwell: 1}}]\n"
         "potentials: [{between: [a, a], square_well: {range: 1.4, depth: 0.5}}, {between: [a, b], bridge: {rupture: "
         "1.2, energy: 0.1}}]\n",
     .round = true},
    {.text = "dimension: 2\nbox: {size: [12, 5]}\nspecies: {a: {diameter: 1, mass: 1}}\n"
             "particles: [{species: a, count: 8, place: {walk: {length: 8, step: 1.05}}, velocity: {maxwell: 1}}]\n"
             "bonds: [{name: b, chain: {from: 0, to: 7}, length: 8, shortest: 1, longest: 1.2}]\n",
     .round = true},
    {.text =
         "dimension: 3\nbox: {size: [4, 5, 4.5]}\nspecies: {a: {diameter: 1, mass: 3}}\n"
         "particles: [{species: a, count: 6, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 1}}]\n"
         "contacts: [{between: [a, a], restitution: 0.8, tangential: 0.2}]\n"
         "hard: {thermostat: {temperature: 2, rate: 1}}\n",
     .hot = true,
     .round = true},
    {.text = "dimension: 2\nbox: {size: [4, 9], boundary: [periodic, wall]}\nspecies: {a: {diameter: 1, mass: 2}}\n"
             "planes: [{name: piston, point: [0, 1], normal: [0, 1]}]\n"
             "drives: [{name: d, plane: piston, motion: [{velocity: [0, 0.05]}]}]\n"
             "particles: [{species: a, place: {at: [[1, 3], [2.5, 4], [1, 6], [3, 7.5]]}, velocity: {maxwell: 1}}]\n"
             "contacts: [{between: [a, a], restitution: 0.9}, {between: [a, piston], restitution: 0.8}]\n",
     .round = true,
     .moving = 0.05},
};
enum { TRIALS = sizeof trials / sizeof *trials };

/* A frame, kept; velocities are true ones. */
typedef struct shot {
    size_t d, count;
    double time, x[BODIES][3], v[BODIES][3], w[BODIES][3], mass[BODIES], radius[BODIES], inertia[BODIES];
    double gravity[3], box[3], pairs;
    int boundary[3];
    frame_tallies tallies;
    uint64_t events[EVENT_KINDS];
} shot;

/* What the events of a run add up to. */
typedef struct sums {
    double virial[3][3], wall[3][2], lost, supplied, work, size;
    uint64_t collisions, pairs;
} sums;

/* Of an ellipsoid about axes across its own, of an ellipse, a ball and a disk. */
static double moment_of(const carom_frame *f, size_t i)
{
    const double a = f->semi_axes != NULL ? f->semi_axes[3 * i] : f->radius[i];
    const double b = f->semi_axes != NULL ? f->semi_axes[3 * i + 1] : f->radius[i];
    return f->mass[i] * (a * a + b * b) / (f->dimension == 3 ? 5 : 4);
}

static void take(play *p, shot *s)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    REQUIRE(f->scale == 0 && f->count <= BODIES);
    *s = (shot){.d = (size_t)f->dimension, .count = f->count, .time = f->time, .tallies = f->tallies};
    memcpy(s->events, f->events, sizeof s->events);
    memcpy(s->gravity, f->gravity, sizeof s->gravity);
    memcpy(s->box, f->box, sizeof s->box);
    memcpy(s->boundary, f->boundary, sizeof s->boundary);
    s->pairs = f->pair_energy;
    for (size_t i = 0; i < f->count; i++) {
        for (size_t k = 0; k < s->d; k++) {
            s->x[i][k] = f->position[i * s->d + k];
            s->v[i][k] = f->velocity[i * s->d + k];
        }
        for (size_t k = 0; k < 3 && f->spin != NULL; k++) s->w[i][k] = f->spin[3 * i + k];
        s->mass[i] = f->mass[i];
        s->radius[i] = f->radius[i];
        s->inertia[i] = moment_of(f, i);
    }
}

static double kinetic_of(const shot *s, size_t i)
{
    double energy = 0;
    for (size_t k = 0; k < 3; k++)
        energy += 0.5 * (s->mass[i] * s->v[i][k] * s->v[i][k] + s->inertia[i] * s->w[i][k] * s->w[i][k]);
    return energy;
}

/* The state as it was just before the event that `after` shows. */
static void fly_to(shot *before, double time)
{
    for (size_t i = 0; i < before->count; i++)
        for (size_t k = 0; k < before->d; k++) before->v[i][k] += before->gravity[k] * (time - before->time);
}

/* Those whose velocity or spin an event has changed, by more than rounding. */
static size_t changed(const shot *a, const shot *b, size_t found[BODIES])
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        double change = 0;
        for (int k = 0; k < 3; k++) change += fabs(b->v[i][k] - a->v[i][k]) + fabs(b->w[i][k] - a->w[i][k]);
        if (change > 1e-10) found[count++] = i;
    }
    return count;
}

static void add_pair(const shot *a, const shot *b, size_t i, size_t j, sums *s)
{
    double r[3] = {0};
    for (size_t k = 0; k < a->d; k++) {
        r[k] = b->x[i][k] - b->x[j][k];
        if (b->boundary[k] == FRAME_PERIODIC) r[k] -= b->box[k] * rint(r[k] / b->box[k]);
    }
    for (size_t p = 0; p < a->d; p++)
        for (size_t q = 0; q < a->d; q++) {
            const double part = b->mass[i] * (b->v[i][p] - a->v[i][p]) * r[q];
            s->virial[p][q] += part;
            s->size += fabs(part);
        }
}

/* Which face of the box the body is at: where it is, or for other shapes than balls where it is pushed. */
static bool face_of(const trial *t, const shot *a, const shot *b, size_t i, size_t *axis, int *side)
{
    double nearest = 1e-9, most = 0;
    bool found = false;
    for (size_t k = 0; k < a->d; k++) {
        if (b->boundary[k] != FRAME_WALL) continue;
        const double push = b->v[i][k] - a->v[i][k], low = fabs(b->x[i][k] - b->radius[i]);
        const double high = fabs(b->box[k] - b->x[i][k] - b->radius[i]);
        double others = 0;
        for (size_t n = 0; n < a->d; n++) others += n == k ? 0 : fabs(b->v[i][n] - a->v[i][n]);
        const bool here = t->round ? fmin(low, high) < nearest : fabs(push) > most && others < 1e-10;
        if (!here) continue;
        found = true;
        *axis = k;
        *side = t->round ? high < low : push < 0;
        nearest = fmin(low, high);
        most = fabs(push);
    }
    return found;
}

static void add_alone(const trial *t, const shot *a, const shot *b, size_t i, bool wall, sums *s)
{
    const double gain = kinetic_of(b, i) - kinetic_of(a, i), work = b->mass[i] * t->moving;
    const size_t last = a->d - 1;
    size_t axis;
    int side;
    if (wall && face_of(t, a, b, i, &axis, &side)) {
        const double push = b->mass[i] * fabs(b->v[i][axis] - a->v[i][axis]);
        s->wall[axis][side] += push;
        s->size += push;
        if (t->moving != 0) s->lost -= gain;
    } else if (t->moving != 0) {
        s->work += work * (b->v[i][last] - a->v[i][last]);
        s->lost += work * (b->v[i][last] - a->v[i][last]) - gain;
    }
    if (t->moving != 0) return;
    *(t->hot ? &s->supplied : &s->lost) += t->hot ? gain : -gain;
}

/* One event, from just before to just after. */
static void add_event(const trial *t, const shot *a, const shot *b, sums *s)
{
    size_t who[BODIES], count = changed(a, b, who);
    const uint64_t met = b->events[EVENT_COLLISION] - a->events[EVENT_COLLISION];
    const uint64_t wall = b->events[EVENT_WALL] - a->events[EVENT_WALL];
    const uint64_t force = b->events[EVENT_FORCE] - a->events[EVENT_FORCE];
    REQUIRE(met + wall + force == 1 && count <= 2);
    s->collisions += met;
    if (count == 2) {
        REQUIRE(wall == 0);
        s->pairs++;
        add_pair(a, b, who[0], who[1], s);
        for (int k = 0; k < 2; k++) s->lost -= kinetic_of(b, who[k]) - kinetic_of(a, who[k]);
        s->lost -= b->pairs - a->pairs;
    } else if (count == 1) {
        REQUIRE(met == 0);
        add_alone(t, a, b, who[0], wall == 1, s);
    } else {
        s->lost -= b->pairs - a->pairs;
    }
}

static void compare(const shot *first, const shot *last, const sums *s)
{
    const frame_tallies *t = &last->tallies;
    const double rounding = 3.4e-16 * (1 + s->size + s->lost + s->supplied);
    for (size_t p = 0; p < first->d; p++) {
        for (size_t q = 0; q < first->d; q++) EXPECT_CLOSE("virial", t->virial[p][q], s->virial[p][q], rounding);
        for (int side = 0; side < 2; side++)
            EXPECT_CLOSE("impulse on a face", t->wall_impulse[p][side], s->wall[p][side], rounding);
    }
    EXPECT_CLOSE("dissipated", t->dissipated, s->lost, rounding);
    EXPECT_CLOSE("supplied", t->supplied, s->supplied, rounding);
    EXPECT_CLOSE("work", t->ledger.work, s->work, rounding);
}

/* sum m c_a c_b about the centre of mass, times N / (N - 1). */
static void kinetic_tensor(const shot *s, double out[3][3])
{
    double mass = 0, mean[3] = {0};
    for (size_t i = 0; i < s->count; i++) {
        mass += s->mass[i];
        for (int k = 0; k < 3; k++) mean[k] += s->mass[i] * s->v[i][k];
    }
    memset(out, 0, 9 * sizeof(double));
    for (size_t i = 0; i < s->count; i++)
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
                out[p][q] += s->mass[i] * (s->v[i][p] - mean[p] / mass) * (s->v[i][q] - mean[q] / mass) *
                             (double)s->count / ((double)s->count - 1);
}

/* The value of an observable at the end, of a run that it watched from the beginning. */
static measure_value value_of(play *p, const char *what, const char *name)
{
    for (size_t k = 0; k < p->sim->observer_count; k++) {
        const observer *o = &p->sim->observers[k];
        measure_result r;
        error e = {0};
        if (strcmp(o->kind->settings->name, what) != 0) continue;
        REQUIRE(o->kind->result(o->self, &r, &e) == CAROM_OK);
        for (size_t v = 0; v < r.value_count; v++)
            if (strcmp(r.values[v].name, name) == 0) return r.values[v];
    }
    ck_abort_msg("no %s of %s", name, what);
}

static void compare_observed(play *p, const shot *first, const shot *last, const sums *s)
{
    const double span = last->time - first->time, size = 1.9e-16 * (1 + s->size / span);
    double ends[2][3][3], volume = 1, trace = 0, temperature = 0;
    bool wall = false;
    kinetic_tensor(first, ends[0]);
    kinetic_tensor(last, ends[1]);
    for (size_t k = 0; k < first->d; k++) volume *= first->box[k];
    const measure_value tensor = value_of(p, "pressure", "tensor");
    for (size_t a = 0; a < first->d; a++) {
        wall = wall || first->boundary[a] == FRAME_WALL;
        for (size_t b = 0; b < first->d; b++) {
            const double expected = (0.5 * (ends[0][a][b] + ends[1][a][b]) + s->virial[a][b] / span) / volume;
            EXPECT_CLOSE("pressure tensor", tensor.mean[a * first->d + b], expected, size);
            if (a == b) trace += expected / (double)first->d;
        }
        temperature += 0.5 * (ends[0][a][a] + ends[1][a][a]) / (double)(first->d * first->count);
    }
    EXPECT_CLOSE("pressure", value_of(p, "pressure", "pressure").mean[0], trace, size);
    EXPECT_CLOSE("P V / (N T)", value_of(p, "pressure", "compressibility").mean[0],
                 trace * volume / ((double)first->count * temperature), size / temperature);
    EXPECT_CLOSE("collision rate", value_of(p, "collision_rate", "collision_rate").mean[0],
                 2 * (double)s->collisions / ((double)first->count * span), 6.7e-16);
    EXPECT_CLOSE("power supplied", value_of(p, "power", "supplied").mean[0], s->supplied / span, size);
    EXPECT_CLOSE("and dissipated", value_of(p, "power", "dissipated").mean[0], s->lost / span, size);
    if (!wall) return;
    const measure_value faces = value_of(p, "wall_pressure", "faces");
    double force = 0, area = 0;
    for (size_t a = 0; a < first->d; a++)
        for (int side = 0; side < 2; side++) {
            const double push = s->wall[a][side] / span;
            EXPECT_CLOSE("face", faces.mean[2 * a + (size_t)side], push * first->box[a] / volume, size);
            if (first->boundary[a] != FRAME_WALL) continue;
            force += push;
            area += volume / first->box[a];
        }
    EXPECT_CLOSE("wall pressure", value_of(p, "wall_pressure", "wall_pressure").mean[0], force / area, size);
}

START_TEST(events)
{
    const trial *t = &trials[_i];
    static play_text text;
    shot first = {0}, before = {0}, after;
    sums s = {0};
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 8\n%s", t->text);
    play_add(&text,
             "observe: [{what: pressure, every: 1e6}, {what: collision_rate, every: 1e6}, {what: power, every: 1e6}");
    play_add(&text, "%s]\nrun: {until: {events: 1}}\n",
             strstr(t->text, "wall") != NULL ? ", {what: wall_pressure, every: 1e6}" : "");
    for (int n = 0; n <= EVENTS; n++) {
        char set[40];
        snprintf(set, sizeof set, "run.until.events=%d", n > 0 ? n : 1);
        play p = play_open(text.text, set);
        if (n > 0) play_run(&p, CAROM_STOP_EVENTS);
        take(&p, &after);
        if (n > 0) {
            fly_to(&before, after.time);
            add_event(t, &before, &after, &s);
        } else {
            first = after;
        }
        before = after;
        if (n == EVENTS) {
            compare(&first, &after, &s);
            compare_observed(&p, &first, &after, &s);
        }
        play_close(&p);
    }
    printf("%llu impulses between bodies, virials and impulses of %g\n", (unsigned long long)s.pairs, s.size);
    ck_assert_uint_ge(s.pairs, 10);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, events, 0, TRIALS);
    return suite_run("tallies", all);
}
