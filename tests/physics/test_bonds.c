/* Bonds against exact statistics of molecules that hardly meet, a theory of chains, and the reference path. */
#include <math.h>

#include "../support/expect.h"
#include "../support/random_scene.h"
#include "../support/suite.h"

static play_text text;

/* ---- molecules alone: lengths and energies ----------------------------------------------------------------------- */

enum { MOST = 8 };

typedef struct sums {
    double square, bond, relative, centre, count;
} sums;

/* From particle i to j, on the shortest way. */
static void way_to(const carom_frame *f, size_t i, size_t j, double way[3])
{
    for (size_t k = 0; k < 3; k++) {
        way[k] = f->position[3 * j + k] - f->position[3 * i + k];
        way[k] -= f->box[k] * rint(way[k] / f->box[k]);
    }
}

/* Adds the squared end-to-end distances of pieces of `length`, and of their bonds; and how energy is shared. */
static void add_molecules(const carom_frame *f, size_t length, sums *s)
{
    for (size_t first = 0; first < f->count; first += length) {
        double end[3] = {0}, total[3] = {0}, kinetic = 0, centre = 0, square = 0, bond = 0;
        for (size_t i = first; i < first + length; i++) {
            double way[3];
            for (size_t k = 0; k < 3; k++) {
                total[k] += f->velocity[3 * i + k];
                kinetic += 0.5 * f->velocity[3 * i + k] * f->velocity[3 * i + k];
            }
            if (i + 1 == first + length) continue;
            way_to(f, i, i + 1, way);
            for (size_t k = 0; k < 3; k++) {
                end[k] += way[k];
                bond += way[k] * way[k];
            }
        }
        for (size_t k = 0; k < 3; k++) {
            square += end[k] * end[k];
            centre += 0.5 * total[k] * total[k] / (double)length;
        }
        s->square += square;
        s->bond += bond / (double)(length - 1);
        s->centre += centre;
        s->relative += kinetic - centre;
        s->count++;
    }
}

static void add_chains(int count, int length, double packing, double diameter, double low, double high)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: 5\nbox: {packing_fraction: %g}\nrun: {until: {time: 1e9}}\n",
             packing);
    play_add(&text, "species: {a: {diameter: %g, mass: 1}}\nparticles:\n  - {species: a, count: %d, ", diameter, count);
    play_add(&text, "place: {walk: {length: %d, step: %g}}, velocity: {maxwell: 1}, zero_momentum: true}\n", length,
             0.5 * (low + high));
    play_add(&text, "bonds: [{name: chains, chain: {from: 0, to: %d}, length: %d, shortest: %g, longest: %g}]\n",
             count - 1, length, low, high);
    play_add(&text, "observe: [{what: pressure, every: 1, start: 10}]\n");
}

static sums watch(int length, int frames, double start, double every, double *Z, double *error_of_Z)
{
    sums s = {0};
    play p = play_open(text.text, NULL);
    for (int n = 0; n < frames; n++) {
        play_advance(&p, start + every * n);
        add_molecules(carom_sim_frame(p.sim), (size_t)length, &s);
    }
    json_t *summary = play_summary(&p);
    *Z = play_number(summary, "observables.pressure.compressibility.mean");
    *error_of_Z = play_number(summary, "observables.pressure.compressibility.error");
    ck_assert(fabs(play_number(summary, "energy.total") / play_number(summary, "energy.initial") - 1) < 1e-12);
    json_decref(summary);
    play_close(&p);
    return s;
}

/* Two beads: all places within the bond are alike, <r^2> = 3/5 (b^5 - a^5) / (b^3 - a^3); energy is shared equally, and
 * the pressure is that of the molecules, N T / V with the second virial coefficient (here from TPT1). */
START_TEST(pairs)
{
    const double a = 0.8, b = 1.4, expected = 0.6 * (pow(b, 5) - pow(a, 5)) / (pow(b, 3) - pow(a, 3));
    double Z, error_of_Z;
    add_chains(1000, 2, 0.02, 0.8, a, b);
    sums s = watch(2, 200, 40, 1, &Z, &error_of_Z);
    printf(
        "bond: mean square %.4f, expected %.4f; energy relative to centre of mass %.4f; Z of molecules %.4f +- %.4f\n",
        s.bond / s.count, expected, s.relative / s.centre, 2 * Z, 2 * error_of_Z);
    ck_assert(fabs(s.bond / s.count / expected - 1) < 0.007);
    ck_assert(fabs(s.relative / s.centre - 1) < 0.02);
    ck_assert(2 * Z > 1.05 && 2 * Z < 1.25);
}
END_TEST

/* The mean square end-to-end distance of chains drawn at random: bonds in their shells, cores that do not overlap. */
static double drawn(dice *d, int length, double diameter, double low, double high, int count)
{
    double sum = 0;
    for (int n = 0; n < count;) {
        double at[MOST][3] = {{0}};
        bool good = true;
        for (int i = 1; i < length; i++) {
            double way[3], square;
            do {
                square = 0;
                for (int k = 0; k < 3; k++) {
                    way[k] = dice_real(d, -high, high);
                    square += way[k] * way[k];
                }
            } while (square > high * high || square < low * low);
            for (int k = 0; k < 3; k++) at[i][k] = at[i - 1][k] + way[k];
        }
        for (int i = 2; i < length; i++)
            for (int j = 0; j + 1 < i; j++) {
                double square = 0;
                for (int k = 0; k < 3; k++) square += (at[i][k] - at[j][k]) * (at[i][k] - at[j][k]);
                good = good && square >= diameter * diameter;
            }
        if (!good) continue;
        for (int k = 0; k < 3; k++) sum += at[length - 1][k] * at[length - 1][k];
        n++;
    }
    return sum / count;
}

START_TEST(chains)
{
    const int length = 5;
    dice d = {3};
    double Z, error_of_Z, expected = drawn(&d, length, 0.8, 0.85, 1.15, 200000);
    add_chains(600, length, 0.01, 0.8, 0.85, 1.15);
    sums s = watch(length, 150, 40, 1.5, &Z, &error_of_Z);
    printf("chains of %d: end to end %.4f squared, drawn %.4f\n", length, s.square / s.count, expected);
    ck_assert(fabs(s.square / s.count / expected - 1) < 0.03);
}
END_TEST

/* Tangent pairs at packing fraction 0.3: the compressibility of Wertheim's theory of chains (J. Chem. Phys. 87, 7323
 * (1987)), Z = m Z_CS - (m - 1) (1 + eta - eta^2 / 2) / ((1 - eta) (1 - eta / 2)), which is within a per cent for m =
 * 2. */
START_TEST(tangent_pairs)
{
    const double eta = 0.3, m = 2;
    const double expected = m * (1 + eta + eta * eta - pow(eta, 3)) / pow(1 - eta, 3) -
                            (m - 1) * (1 + eta - eta * eta / 2) / ((1 - eta) * (1 - eta / 2));
    double Z, error_of_Z;
    add_chains(400, 2, eta, 1, 1, 1.01);
    watch(2, 2, 10, 30, &Z, &error_of_Z);
    printf("tangent pairs: Z %.4f +- %.4f, theory %.4f\n", 2 * Z, 2 * error_of_Z, expected);
    ck_assert(fabs(2 * Z / expected - 1) < 3 * 0.0056);
}
END_TEST

/* ---- the fast path and the reference ----------------------------------------------------------------------------- */

static void add_random_molecules(dice *d, uint64_t seed)
{
    static const char *const boundaries[] = {"periodic", "wall", "open"};
    const int dimension = 2 + (int)dice_below(d, 2), length = 3 + (int)dice_below(d, 4),
              pieces = 1 + (int)dice_below(d, 9);
    const char *const boundary = boundaries[dice_below(d, 3)];
    const bool falls = strcmp(boundary, "wall") == 0 && dice_below(d, 2) == 0;
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\nseed: %llu\ndimension: %d\n", (unsigned long long)seed, dimension);
    play_add(&text, "box: {size: %g, boundary: %s}\n", dimension == 2 ? 25.0 : 12.0, boundary);
    if (falls) play_add(&text, "fields: {gravity: [0, %s-0.3]}\n", dimension == 3 ? "0, " : "");
    play_add(&text, "species: {a: {diameter: 1, mass: 1}, b: {diameter: 0.7, mass: 2}}\nparticles:\n");
    play_add(&text, "  - {species: {a: 1, b: 1}, count: %d, place: {walk: {length: %d, step: 1.05}}, ", length * pieces,
             length);
    play_add(&text, "velocity: {maxwell: 1}}\n  - {species: a, count: 20, place: random, velocity: {maxwell: 1}}\n");
    play_add(&text, "bonds: [{name: chains, chain: {from: 0, to: %d}, length: %d, shortest: %g, longest: %g",
             length * pieces - 1, length, dice_below(d, 2) ? 0.0 : 0.6, dice_real(d, 1.06, 1.5));
    play_add(&text, "}, {name: far, pairs: [[0, 2]], longest: 2.2}]\ncontacts: [{between: [a, a], restitution: %s}]\n",
             dice_below(d, 2) ? "1" : "0.9");
    if (dice_below(d, 2)) play_add(&text, "potentials: [{between: [a, b], square_well: {range: 1.3, depth: 1}}]\n");
    play_add(&text, "run: {until: {events: 3000, time: 200}}\n");
}

static uint64_t hash_of(const char *set, uint64_t *forces, double *lost)
{
    play p = play_open(text.text, set);
    const carom_frame *f = carom_sim_frame(p.sim);
    frame_energy energy = frame_energy_of(f);
    const double first = frame_budget(f, &energy);
    ck_assert_int_eq(carom_sim_run(p.sim), CAROM_OK);
    f = carom_sim_frame(p.sim);
    energy = frame_energy_of(f);
    *lost = fabs(frame_budget(f, &energy) / first - 1);
    *forces = f->events[EVENT_FORCE];
    const uint64_t hash = f->state_hash;
    play_close(&p);
    return hash;
}

START_TEST(paths)
{
    for (uint64_t seed = 10 * (uint64_t)_i; seed < 10 * (uint64_t)(_i + 1); seed++) {
        dice d = {seed + 1};
        uint64_t fast_forces, forces;
        double lost, ignored;
        add_random_molecules(&d, seed);
        const uint64_t fast = hash_of(NULL, &fast_forces, &lost),
                       slow = hash_of("hard.reference=true", &forces, &ignored);
        printf("%3llu: %llu bonds and steps, energy off by %.1g\n", (unsigned long long)seed,
               (unsigned long long)forces, lost);
        if (fast != slow) ck_abort_msg("fast and reference differ\n%s", text.text);
        if (lost > 1e-11) ck_abort_msg("energy is lost\n%s", text.text);
    }
}
END_TEST

/* ---- rings ------------------------------------------------------------------------------------------------------- */

/* A ring of beads goes round a post that they cannot pass, without end: a loop that is threaded stays threaded. */
START_TEST(rings)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: hard\ndimension: 2\nbox: {size: 40, boundary: open}\n");
    play_add(&text, "species: {bead: {diameter: 1, mass: 1}, post: {diameter: 4, mass: 1e6}}\nparticles:\n");
    play_add(&text, "  - {species: post, place: {at: [[20, 20]]}}\n  - species: bead\n    place: {at: [");
    const int beads = 24;
    for (int k = 0; k < beads; k++) {
        const double angle = 6.283185307179586 * k / beads, radius = 1.1 / (2 * sin(3.141592653589793 / beads));
        play_add(&text, "%s[%.15g, %.15g]", k > 0 ? ", " : "", 20 + radius * cos(angle), 20 + radius * sin(angle));
    }
    play_add(&text, "]}\n    velocity: {each: [");
    for (int k = 0; k < beads; k++) play_add(&text, "%s[%g, %g]", k > 0 ? ", " : "", 1 + sin(5.0 * k), cos(3.0 * k));
    play_add(&text, "]}\nbonds: [{name: ring, chain: {from: 1, to: %d}, closed: true, shortest: 1, longest: 1.2}]\n",
             beads);
    play_add(&text, "run: {until: {events: 200000}}\n");
    play p = play_open(text.text, NULL);
    play_run(&p, CAROM_STOP_EVENTS);
    const carom_frame *f = carom_sim_frame(p.sim);
    double turn = 0, longest = 0;
    for (int k = 0; k < beads; k++) {
        const double *a = f->position + 2 * (1 + k), *b = f->position + 2 * (1 + (k + 1) % beads), *c = f->position;
        const double x[2] = {a[0] - c[0], a[1] - c[1]}, y[2] = {b[0] - c[0], b[1] - c[1]};
        turn += atan2(x[0] * y[1] - x[1] * y[0], x[0] * y[0] + x[1] * y[1]);
        longest = fmax(longest, hypot(b[0] - a[0], b[1] - a[1]));
    }
    printf("the ring winds %.12g times round its post after %.4g; longest bond %.15g\n", turn / 6.283185307179586,
           f->time, longest);
    ck_assert(fabs(turn / 6.283185307179586 - 1) < 1e-9);
    ck_assert(longest < 1.2 * (1 + 1e-13));
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, pairs);
    tcase_add_test(all, chains);
    tcase_add_test(all, tangent_pairs);
    tcase_add_loop_test(all, paths, 0, 6);
    tcase_add_test(all, rings);
    tcase_set_timeout(all, 300);
    return suite_run("bonds", all);
}
