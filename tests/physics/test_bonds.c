/* Detects wrong bonds: against exact statistics of nearly isolated molecules, a theory of chains, and the reference
 * path. */
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
    EXPECT_CLOSE("energy over the first", play_number(summary, "energy.total") / play_number(summary, "energy.initial"),
                 1, 6.6e-14); /* 2.2e-14, of tangent pairs, whose bonds are met most */
    json_decref(summary);
    play_close(&p);
    return s;
}

/* ---- molecules drawn at random, and what one keeps others from ---------------------------------------------------- */

static double squared(const double a[3], const double b[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a[k] - b[k]) * (a[k] - b[k]);
    return square;
}

typedef struct chain_kind {
    int length;
    double diameter, low, high;
} chain_kind;

/* Bonds in their shells, all places alike; cores that are not bonded do not overlap. */
static void draw_molecule(dice *d, const chain_kind *c, double at[MOST][3])
{
    bool good;
    do {
        good = true;
        for (int k = 0; k < 3; k++) at[0][k] = 0;
        for (int i = 1; i < c->length; i++) {
            double way[3], square;
            do {
                for (int k = 0; k < 3; k++) way[k] = dice_real(d, -c->high, c->high);
                square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
            } while (square > c->high * c->high || square < c->low * c->low);
            for (int k = 0; k < 3; k++) at[i][k] = at[i - 1][k] + way[k];
        }
        for (int i = 2; i < c->length; i++)
            for (int j = 0; j + 1 < i; j++) good = good && squared(at[i], at[j]) >= c->diameter * c->diameter;
    } while (!good);
}

/* An estimate of the volume that `one` keeps `other` from: beads i and j overlap, at a place drawn at random; of k pairs
 * that overlap there, each would have been drawn as well. */
static double excluded(dice *d, const chain_kind *c, const double one[MOST][3], const double other[MOST][3])
{
    const double sigma = c->diameter, ball = 4.0 / 3 * 3.14159265358979323846 * pow(sigma, 3);
    const int i = (int)dice_below(d, (uint32_t)c->length), j = (int)dice_below(d, (uint32_t)c->length);
    double shift[3];
    int overlaps = 0;
    do {
        for (int k = 0; k < 3; k++) shift[k] = dice_real(d, -sigma, sigma);
    } while (shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2] > sigma * sigma);
    for (int k = 0; k < 3; k++) shift[k] += one[i][k] - other[j][k];
    for (int m = 0; m < c->length; m++)
        for (int n = 0; n < c->length; n++) {
            const double moved[3] = {other[n][0] + shift[0], other[n][1] + shift[1], other[n][2] + shift[2]};
            overlaps += squared(one[m], moved) < sigma * sigma;
        }
    return ball * c->length * c->length / (overlaps > 1 ? overlaps : 1);
}

/* The mean square end-to-end distance of molecules, `density` of them a volume: each form is as frequent as the place
 * that it leaves the others, 1 - density times what it keeps one of them from. And the second virial coefficient. */
static double drawn(const chain_kind *c, double density, int count, double *B2)
{
    dice d = {3};
    double sum = 0, all = 0, kept = 0, one[MOST][3], other[MOST][3];
    for (int n = 0; n < count; n++) {
        draw_molecule(&d, c, one);
        draw_molecule(&d, c, other);
        const double volume = excluded(&d, c, (const double(*)[3])one, (const double(*)[3])other);
        const double weight = 1 - density * volume;
        sum += weight * squared(one[c->length - 1], one[0]);
        all += weight;
        kept += volume / count;
    }
    *B2 = kept / 2;
    return sum / all;
}

static double density_of(const chain_kind *c, double packing)
{
    return packing / (3.14159265358979323846 / 6 * pow(c->diameter, 3)) / c->length;
}

/* Two beads. Alone <r^2> = 3/5 (b^5 - a^5) / (b^3 - a^3) = 1.3577; others press it by 0.3 %. Energy is shared equally, but
 * for the momentum of the whole. Pressure: Z = 1 + B2 n + 5/8 (B2 n)^2, the last as for spheres. */
START_TEST(pairs)
{
    const double packing = 0.02;
    const chain_kind c = {2, 0.8, 0.8, 1.4};
    double Z, error_of_Z, B2, alone;
    const double density = density_of(&c, packing), expected = drawn(&c, density, 400000, &B2);
    alone = 0.6 * (pow(c.high, 5) - pow(c.low, 5)) / (pow(c.high, 3) - pow(c.low, 3));
    EXPECT_CLOSE("drawn, alone", drawn(&c, 0, 400000, &B2), alone, 3 * 0.0006); /* 0.37 over the root of 400,000 */
    add_chains(1000, c.length, packing, c.diameter, c.low, c.high);
    sums s = watch(2, 200, 40, 1, &Z, &error_of_Z);
    printf(
        "bond: mean square %.4f, expected %.4f; energy relative to centre of mass %.4f; Z of molecules %.4f +- %.4f\n",
        s.bond / s.count, expected, s.relative / s.centre, 2 * Z, 2 * error_of_Z);
    /* six seeds scatter by 0.0024, 0.0066 and 0.0038 */
    EXPECT_CLOSE("mean square of the bonds", s.bond / s.count, expected, 3 * 0.0024);
    EXPECT_CLOSE("energy within molecules over that of their centres", s.relative / s.centre, 500.0 / 499, 3 * 0.0066);
    EXPECT_CLOSE("Z of molecules", 2 * Z, 1 + B2 * density + 0.625 * pow(B2 * density, 2), 3 * 0.0038);
}
END_TEST

/* Chains, pressed by the others. */
START_TEST(chains)
{
    const double packing = 0.01;
    const chain_kind c = {5, 0.8, 0.85, 1.15};
    double Z, error_of_Z, B2;
    const double expected = drawn(&c, density_of(&c, packing), 200000, &B2);
    add_chains(600, c.length, packing, c.diameter, c.low, c.high);
    sums s = watch(c.length, 150, 40, 1.5, &Z, &error_of_Z);
    EXPECT_CLOSE("end to end, squared", s.square / s.count, expected, 3 * 0.041); /* six seeds scatter by 0.041 */
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
        if (lost > 2.4e-14) ck_abort_msg("energy is lost\n%s", text.text);
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
    ck_assert(fabs(turn / 6.283185307179586 - 1) < 1e-14);
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
