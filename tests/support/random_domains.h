/* A small scene for runs on several threads, from a number: one of several kinds of particles, surfaces and forces, with
 * boundaries, sizes, contacts, gravity and limits at random. All of it runs by domains. */
#ifndef CAROM_TESTS_RANDOM_DOMAINS_H
#define CAROM_TESTS_RANDOM_DOMAINS_H

#include "dice.h"
#include "play.h"

typedef enum domains_kind {
    DOMAINS_GAS,
    DOMAINS_LATTICE, /* many events at one time, bodies on the cuts between domains */
    DOMAINS_FEW,     /* often fewer bodies than domains */
    DOMAINS_WIDE,    /* diameters 1:10 and 1:100 */
    DOMAINS_POTENTIALS,
    DOMAINS_BONDS,
    DOMAINS_CYLINDERS,
    DOMAINS_MESHES,
    DOMAINS_BATH,
    DOMAINS_PLANES,
    DOMAINS_KINDS
} domains_kind;

typedef struct domains_scene {
    domains_kind kind;
    int dimension;
    bool wide;                       /* diameters 1:100 */
    bool periodic[3], closed, whole; /* closed: no axis is open; whole: all are periodic */
    bool rough, gravity, drives;
    bool upright;           /* a cylinder along the last axis */
    const char *surface[4]; /* what collides besides a and b */
    int surfaces;
    double time;
} domains_scene;

static inline bool has_surfaces(const domains_scene *s)
{
    return s->kind == DOMAINS_CYLINDERS || s->kind == DOMAINS_MESHES || s->kind == DOMAINS_PLANES;
}

static inline void domains_box(play_text *t, dice *d, domains_scene *s)
{
    static const char *const words[] = {"periodic", "wall", "open"};
    static const double packings[] = {0.01, 0.08, 0.2, 0.3};
    const bool mixed = dice_below(d, 3) == 0;
    uint32_t word = dice_below(d, 5) / 2;
    s->closed = s->whole = true;
    if (has_surfaces(s) || s->kind == DOMAINS_BONDS || s->kind == DOMAINS_LATTICE || s->kind == DOMAINS_FEW)
        play_add(t, "box: {size: %g, boundary: [", s->kind == DOMAINS_BONDS && s->dimension == 2 ? 25.0 : 12.0);
    else
        play_add(t, "box: {packing_fraction: %g, boundary: [",
                 packings[dice_below(d, s->kind == DOMAINS_WIDE ? 2 : 4)]);
    for (int k = 0; k < s->dimension; k++) {
        if (mixed) word = dice_below(d, 3);
        if (s->upright && k < 2 && word == 0) word = 1; /* a cylinder must not cross a periodic boundary */
        s->periodic[k] = word == 0;
        s->closed = s->closed && word != 2;
        s->whole = s->whole && word == 0;
        play_add(t, "%s%s", k > 0 ? ", " : "", words[word]);
    }
    play_add(t, "]}\n");
    if (!s->whole) s->surface[s->surfaces++] = "wall";
}

static inline void domains_species(play_text *t, dice *d, const domains_scene *s)
{
    static const char *const sizes[] = {"1", "1", "{uniform: [0.7, 1.3]}", "{lognormal: [1, 0.3], min: 0.5, max: 1.4}"};
    const char *inertia = s->rough ? ", inertia: 0.4" : "";
    const bool equal = s->kind == DOMAINS_BONDS || s->kind == DOMAINS_LATTICE;
    if (s->kind == DOMAINS_WIDE)
        play_add(t, "species:\n  a: {diameter: %s, density: 2%s}\n  b: {diameter: 1, density: 1%s}\n",
                 s->wide ? "0.01" : "0.1", inertia, inertia);
    else
        play_add(t, "species:\n  a: {diameter: %s, mass: 1%s}\n  b: {diameter: %g, mass: %g%s}\n",
                 equal ? "1" : dice_word(d, sizes, 4), inertia, dice_real(d, 0.5, equal ? 1 : 1.5),
                 dice_real(d, 0.1, 10), inertia);
    if (s->kind == DOMAINS_MESHES) play_add(t, "  m: {diameter: 1, mass: 1}\n");
}

/* Bodies that move at one speed along the axes, in alternate directions: many meet at the same times. */
static inline void domains_lattice(play_text *t, dice *d, const domains_scene *s)
{
    static const char *const speeds[] = {"1", "0.5", "0.25"};
    const char *speed = dice_word(d, speeds, 3), *dot = "";
    const int side = s->dimension == 2 ? 8 : 6, all = s->dimension == 2 ? 64 : 216;
    const bool along = dice_below(d, 2);
    const double step = 12.0 / side;
    play_add(t, "particles:\n  - species: a\n    place: {at: [");
    for (int n = 0; n < all; n++, dot = ", ") {
        play_add(t, "%s[%g, %g", dot, (n % side + 0.5) * step, (n / side % side + 0.5) * step);
        play_add(t, s->dimension == 2 ? "]" : ", %g]", (n / side / side + 0.5) * step);
    }
    play_add(t, "]}\n    velocity: {each: [");
    dot = "";
    for (int n = 0; n < all; n++, dot = ", ") {
        const int sum = along ? n % side + n / side % side + n / side / side : n % side;
        const char *sign = sum % 2 ? "-" : "";
        play_add(t, "%s[%s%s, %s%s%s]", dot, sign, speed, along ? sign : "", along ? speed : "0",
                 s->dimension == 2 ? "" : ", 0");
    }
    play_add(t, "]}\n");
}

static inline void domains_bonds(play_text *t, dice *d)
{
    const int length = 3 + (int)dice_below(d, 4), pieces = 1 + (int)dice_below(d, 9);
    play_add(t, "particles:\n  - {species: {a: 1, b: 1}, count: %d, place: {walk: {length: %d, step: 1.05}}, ",
             length * pieces, length);
    play_add(t, "velocity: {maxwell: 1}}\n  - {species: a, count: 20, place: random, velocity: {maxwell: 1}}\n");
    play_add(t, "bonds: [{name: chains, chain: {from: 0, to: %d}, length: %d, shortest: %g, longest: %g",
             length * pieces - 1, length, dice_below(d, 2) ? 0.0 : 0.6, dice_real(d, 1.06, 1.5));
    play_add(t, "}, {name: far, pairs: [[0, 2]], longest: 2.2}]\n");
}

static inline void domains_particles(play_text *t, dice *d, const domains_scene *s)
{
    static const uint32_t counts[] = {40, 60, 120, 200, 400}, few[] = {1, 2, 3, 5, 9};
    static const char *const speeds[] = {"{maxwell: 1}", "{maxwell: 1}", "{maxwell: 1}", "{maxwell: 0.01}", "zero"};
    if (s->kind == DOMAINS_LATTICE) {
        domains_lattice(t, d, s);
    } else if (s->kind == DOMAINS_BONDS) {
        domains_bonds(t, d);
    } else if (s->kind == DOMAINS_WIDE) {
        play_add(t, "particles:\n  - {species: b, count: %u, place: random, velocity: {maxwell: 1}}\n",
                 2 + dice_below(d, 20));
        play_add(t, "  - {species: a, count: %u, place: random, velocity: {maxwell: %s}}\n", 50 + dice_below(d, 250),
                 s->wide ? "1e-6" : "0.01");
    } else {
        const uint32_t count = s->kind == DOMAINS_FEW ? few[dice_below(d, 5)] : counts[dice_below(d, 5)];
        const uint32_t most = !has_surfaces(s) ? 400 : s->dimension == 2 ? 25 : 100;
        play_add(t, "particles:\n  - {species: %s, count: %u, place: random, velocity: %s}\n",
                 dice_below(d, 2) ? "{a: 1, b: 1}" : "a", count < most ? count : most,
                 dice_word(d, speeds, s->kind == DOMAINS_FEW || s->gravity ? 5 : 4));
    }
}

static inline void domains_potentials(play_text *t, dice *d)
{
    static const char *const pairs[] = {"[a, a]", "[a, b]", "[b, b]"};
    static const char *const forms[] = {"square_well: {range: 1.6, depth: 0.7}",
                                        "square_shoulder: {range: 1.5, height: 0.6}",
                                        "steps: [[1.7, -0.3], [1.5, 0.2], [1.4, -1]]",
                                        "staircase: {range: 1.8, depth: 1, steps: 7}",
                                        "lennard_jones: {epsilon: 0.5, cutoff: 2, steps: 9}",
                                        "bridge: {rupture: 1.7, energy: 0.4}",
                                        "bridge: {rupture: 5, energy: 0.1}"};
    play_add(t, "potentials:\n");
    for (int k = 0; k < 3; k++) play_add(t, "  - {between: %s, %s}\n", pairs[k], dice_word(d, forms, 7));
}

static inline void domains_cylinders(play_text *t, dice *d, domains_scene *s)
{
    static const char *const motions[] = {"{velocity: [0.05, 0.02%s], turn: {rate: 0.6}}",
                                          "{oscillate: {by: [0.2, 0.1%s], frequency: 0.4}}"};
    const bool inside = dice_below(d, 2);
    s->surface[s->surfaces++] = "drum";
    play_add(t, "cylinders: [{name: drum, through: [6, 6%s], radius: %g, side: %s}]\n",
             s->dimension == 3 ? ", 6], axis: [0, 0, 1" : "", inside ? 5.5 : 1.5, inside ? "inside" : "outside");
    if (!s->drives) return;
    play_add(t, "drives: [{name: d, cylinder: drum, motion: [");
    if (dice_below(d, 2))
        play_add(t, motions[0], s->dimension == 3 ? ", 0.01" : "");
    else
        play_add(t, motions[1], s->dimension == 3 ? ", 0.1" : "");
    play_add(t, "]}]\n");
}

static inline void domains_meshes(play_text *t, dice *d, domains_scene *s)
{
    static const char *const shapes[] = {"solid: {kind: icosahedron, radius: 1.5}",
                                         "torus: {radius: 1.2, tube: 0.4, around: 9, across: 6}",
                                         "prism: {width: 0.1, height: 3, length: 3, along: 3}"};
    static const char *const motions[] = {
        "{velocity: [0.3, 0, 0]}, {time: 1, velocity: [-0.3, 0, 0]}, {time: 3, velocity: [0, 0, 0]}",
        "{turn: {axis: [0, 1, 1], through: [6, 6, 6], rate: 0.7}}", "{oscillate: {by: [0, 0.1, 0.3], frequency: 0.5}}"};
    s->surface[s->surfaces++] = "m";
    play_add(t, "meshes: [{name: stone, shape: {%s}, place: {at: [6, 6, 6]}, species: m, rigid: true}]\n",
             dice_word(d, shapes, 3));
    if (s->drives && !s->periodic[0] && !s->periodic[1] && !s->periodic[2])
        play_add(t, "drives: [{name: d, mesh: stone, motion: [%s]}]\n", dice_word(d, motions, 3));
}

static inline void domains_planes(play_text *t, dice *d, domains_scene *s)
{
    const int last = s->dimension - 1;
    if (s->periodic[last]) return;
    s->surface[s->surfaces++] = "floor";
    play_add(t, "planes: [{name: floor, point: [1, 1%s], normal: [", last == 2 ? ", 1" : "");
    for (int k = 0; k < last; k++)
        play_add(t, "%g, ", s->periodic[k] || dice_below(d, 2) ? 0 : dice_real(d, -0.5, 0.5));
    play_add(t, "1]}]\n");
    if (!s->drives) return;
    play_add(t, "drives: [{name: d, plane: floor, motion: [{oscillate: {by: [%s%g], frequency: %g}}]}]\n",
             last == 2 ? "0, 0, " : "0, ", dice_real(d, 0.05, 0.5), dice_real(d, 0.1, 1));
}

static inline void domains_contacts(play_text *t, dice *d, const domains_scene *s, bool elastic)
{
    static const char *const laws[] = {
        "1", "0.95", "0.9", "0.7", "{viscoelastic: 0.1}", "{table: [[0.1, 0.95], [1, 0.7], [3, 0.4]]}"};
    static const char *const spins[] = {", tangential: 0.4", ", tangential: -0.3, friction: 0.35", ""};
    static const char *const pairs[] = {"a", "b"};
    play_add(t, "contacts:\n");
    for (int k = 0; k < 3; k++)
        play_add(t, "  - {between: [%s, %s], restitution: %s%s}\n", pairs[k / 2], pairs[(k + 1) / 2],
                 elastic ? "1" : dice_word(d, laws, 6), s->rough ? dice_word(d, spins, k == 0 ? 2 : 3) : "");
    for (int n = 0; n < s->surfaces; n++)
        for (int k = 0; k < 2; k++)
            if (dice_below(d, 4) == 0)
                play_add(t, "  - {between: [%s, %s], temperature: %g}\n", pairs[k], s->surface[n],
                         dice_real(d, 0.5, 1.5));
            else
                play_add(t, "  - {between: [%s, %s], restitution: %s%s}\n", pairs[k], s->surface[n],
                         elastic ? "1" : dice_word(d, laws, 6), s->rough ? dice_word(d, spins, 3) : "");
}

/* Gravity along an axis that is not periodic: along one that is, the gas would fall without end. */
static inline void domains_gravity(play_text *t, dice *d, const domains_scene *s)
{
    const bool tilted = !s->periodic[0] && dice_below(d, 3) == 0;
    if (s->gravity)
        play_add(t, "fields: {gravity: [%s, %s%g]}\n", tilted ? "0.3" : "0", s->dimension == 3 ? "0, " : "",
                 dice_below(d, 2) ? -1 : -0.1);
}

static inline void domains_engine(play_text *t, dice *d, const domains_scene *s)
{
    static const char *const policies[] = {"stop", "tc", "tc", "cutoff"};
    static const char *const precisions[] = {"double", "double", "double", "double", "double", "float", "long_double"};
    const char *policy = dice_word(d, policies, 4);
    play_add(t, "hard:\n  precision: %s\n  collapse: {policy: %s", dice_word(d, precisions, 7), policy);
    if (strcmp(policy, "tc") == 0) play_add(t, ", tc: %g", dice_real(d, 1e-5, 1e-2));
    if (strcmp(policy, "cutoff") == 0) play_add(t, ", speed: %g", dice_real(d, 1e-5, 1e-2));
    play_add(t, "}\n");
    if (s->kind == DOMAINS_BATH)
        play_add(t, "  thermostat: {temperature: %g, rate: %g}\n", dice_real(d, 0.5, 2), dice_real(d, 0.05, 2));
}

static inline void domains_observe(play_text *t, const domains_scene *s)
{
    const double every = s->time / 20;
    play_add(t, "observe:\n  - {what: energy, every: %g}\n  - {what: momentum, every: %g}\n", every, every);
    if (s->closed) play_add(t, "  - {what: pressure, every: %g}\n", every);
    if (s->whole && s->kind <= DOMAINS_WIDE && !s->rough)
        play_add(t, "  - {what: viscosity, every: %g, lags: 5}\n", every);
    play_add(t, "  - {what: impact_separation, every: %g}\n", every);
}

/* Writes the scene for a number; events: the most that it may run to. */
static inline domains_scene random_domains_write(play_text *t, uint64_t number, bool widest, uint32_t events)
{
    dice d = {number * 15485863 + 11};
    domains_scene s = {.kind = (domains_kind)(number % DOMAINS_KINDS)};
    s.dimension = s.kind == DOMAINS_MESHES || dice_below(&d, 2) ? 3 : 2;
    s.wide = s.kind == DOMAINS_WIDE && widest && dice_below(&d, 2);
    s.upright = s.kind == DOMAINS_CYLINDERS;
    s.rough = dice_below(&d, 4) == 0;
    s.drives = dice_below(&d, 2);
    s.time = s.kind == DOMAINS_LATTICE ? dice_real(&d, 3, 20) : dice_real(&d, 1, 60);
    t->length = 0;
    play_add(t, "carom: 1\nengine: hard\ndimension: %d\nseed: %llu\n", s.dimension, (unsigned long long)number);
    domains_box(t, &d, &s);
    s.gravity = !s.periodic[s.dimension - 1] && dice_below(&d, 2);
    domains_species(t, &d, &s);
    domains_particles(t, &d, &s);
    if (s.kind == DOMAINS_POTENTIALS) domains_potentials(t, &d);
    if (s.kind == DOMAINS_CYLINDERS) domains_cylinders(t, &d, &s);
    if (s.kind == DOMAINS_MESHES) domains_meshes(t, &d, &s);
    if (s.kind == DOMAINS_PLANES) domains_planes(t, &d, &s);
    domains_contacts(t, &d, &s, s.kind == DOMAINS_LATTICE && dice_below(&d, 2));
    domains_gravity(t, &d, &s);
    domains_engine(t, &d, &s);
    domains_observe(t, &s);
    play_add(t, "run: {until: {time: %.17g", s.time);
    if (s.kind == DOMAINS_WIDE) events /= 20; /* their windows are very short */
    play_add(t, ", events: %u", dice_below(&d, 2) ? events : 1 + dice_below(&d, events));
    if (dice_below(&d, 3) == 0) play_add(t, ", collisions: %u", 1 + dice_below(&d, events));
    play_add(t, "}}\n");
    return s;
}

#endif
