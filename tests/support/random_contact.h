/* A small scene of the engine `variational` from a number: gases, grazing pairs, heaps, rows that touch, chains, one
 * that is much too fast; dimension, boundaries, sizes, masses, gravity, planes, exponent, friction; plain ones also
 * with a chain's links as segments, and with rigid pairs (2D). */
#ifndef CAROM_TESTS_RANDOM_CONTACT_H
#define CAROM_TESTS_RANDOM_CONTACT_H

#include <math.h>

#include "random_scene.h"

typedef enum contact_kind { GAS, GRAZING, RESTING, TOUCHING, CHAIN, FAST, CONTACT_KINDS } contact_kind;

static const char *const contact_kind_names[] = {"gas", "grazing", "resting", "touching", "chain", "fast"};

typedef struct contact_scene {
    contact_kind kind;
    int dimension;
    uint32_t count;
    bool plain; /* elastic, no dashpots, no hinges; eta, stiffness and step are given: what a brute force can follow */
    bool periodic[3];
    double edge, speed, time;
    double eta, stiffness, step, step_law, lightest; /* lightest: below all masses */
    int exponent;
    bool plane;
    double point[3], normal[3];
    double springs, material_step; /* stiffness of a chain through all; 0: none */
    double rod;                    /* diameter of the segments along it; 0: none */
    uint32_t bodies;               /* rigid ones, of two each: 1 and 2, 3 and 4, ... */
    double friction;               /* plain: of all contacts */
} contact_scene;

static inline double dice_power(dice *d, double low, double high)
{
    return pow(10, dice_real(d, low, high));
}

static inline void add_contact_box(play_text *t, dice *d, contact_scene *s)
{
    static const char *const words[] = {"periodic", "wall", "open"};
    const int last = s->dimension - 1;
    const double pi = 3.141592653589793, fill = dice_real(d, 0.02, s->dimension == 2 ? 0.3 : 0.2);
    s->edge = fmax(3.5, pow(s->count * (s->dimension == 2 ? pi / 4 : pi / 6) / fill, 1.0 / s->dimension));
    if (s->rod > 0) s->edge = fmax(s->edge, 10); /* links are told from their images */
    if (s->kind >= TOUCHING) s->edge = fmax(s->edge, 2 * s->count + 1.0);
    play_add(t, "box: {size: %.6g, boundary: [", s->edge);
    for (int k = 0; k < s->dimension; k++) {
        uint32_t word = s->kind == RESTING && k == last ? 1 : dice_below(d, 3);
        s->periodic[k] = word == 0;
        play_add(t, "%s%s", k > 0 ? ", " : "", words[word]);
    }
    play_add(t, "]}\n");
}

static inline void add_contact_species(play_text *t, dice *d, contact_scene *s)
{
    bool sizes = s->kind != TOUCHING && s->kind != GRAZING && dice_below(d, 2), dense = dice_below(d, 3) == 0;
    double density = dice_real(d, 0.5, 2), other = dice_power(d, -1, 1);
    play_add(t, "species:\n  a: {diameter: %s, ", sizes ? "{uniform: [0.7, 1.3]}" : "1");
    play_add(t, dense ? "density: %.6g}\n" : "mass: 1}\n", density);
    play_add(t, "  b: {diameter: 1, mass: %.6g}\n", other);
    s->lightest = fmin(other, dense ? density * 0.5 * pow(sizes ? 0.7 : 1, s->dimension) : 1);
}

static inline void add_vector(play_text *t, const double *x, int dimension)
{
    for (int k = 0; k < dimension; k++) play_add(t, "%s%.17g", k > 0 ? ", " : "[", x[k]);
    play_add(t, "]");
}

/* Two that pass each other about a diameter apart, or in a row that touches, or in a loose row. */
static inline void add_row(play_text *t, dice *d, const contact_scene *s)
{
    double x[3] = {0.8, 1.2, 1.2},
           miss = s->kind == GRAZING ? dice_power(d, -15, -0.5) * (dice_below(d, 2) ? 1 : -1) : 0;
    play_add(t, "{at: [");
    for (uint32_t i = 0; i < s->count; i++) {
        play_add(t, i > 0 ? ", " : "");
        add_vector(t, x, s->dimension);
        x[0] += s->kind == GRAZING    ? 1.5
                : s->kind == TOUCHING ? 1 + (dice_below(d, 2) ? 0 : dice_power(d, -16, -1))
                                      : 1.5;
        if (s->kind == GRAZING) x[1] += (1 + miss) / (s->count - 1);
    }
    play_add(t, "]}, velocity: {each: [");
    for (uint32_t i = 0; i < s->count; i++) {
        double v[3] = {0, 0, 0};
        bool moves = s->kind == CHAIN || i == 0 || dice_below(d, 3) == 0;
        for (int k = 0; moves && k < s->dimension; k++) v[k] = s->speed * dice_real(d, -1, 1);
        if (s->kind == GRAZING) memcpy(v, (double[3]){i == 0 ? s->speed : 0}, sizeof v);
        if (s->kind == FAST && i == 0) memcpy(v, (double[3]){s->speed * dice_real(d, 5, 15), 0.1 * s->speed}, sizeof v);
        play_add(t, i > 0 ? ", " : "");
        add_vector(t, v, s->dimension);
    }
    play_add(t, "]}}\n");
}

static inline void add_contact_particles(play_text *t, dice *d, contact_scene *s)
{
    const char *species = dice_below(d, 2) ? "{a: 1, b: 1}" : "a";
    play_add(t, "particles:\n  - {species: %s, count: %u, place: ", species, s->count);
    if (s->kind == GAS || s->kind == RESTING)
        play_add(t, "random, velocity: {maxwell: %.6g}}\n", s->speed * s->speed * (s->kind == RESTING ? 0.01 : 1));
    else
        add_row(t, d, s);
}

static inline void add_contact_laws(play_text *t, dice *d, const contact_scene *s)
{
    static const char *const laws[] = {
        "0", "0.5", "0.9", "1", "{viscoelastic: 0.3}", "{table: [[0.1, 0.95], [3, 0.4]]}"};
    static const char *const pairs[] = {"[a, a]", "[a, b]", "[a, wall]"}, *const rough[] = {"0", "0.1", "0.5"};
    if (s->plain || dice_below(d, 2)) return;
    play_add(t, "contacts:\n");
    for (int k = 0; k < 3; k++)
        play_add(t, "  - {between: %s, restitution: %s, friction: %s}\n", pairs[k], dice_word(d, laws, 6),
                 dice_word(d, rough, 3));
}

/* What a brute force follows beside balls: rough ones, segments, rigid pairs. */
static inline void add_contact_more(play_text *t, dice *d, contact_scene *s)
{
    static const char *const pairs[] = {"[a, a]",    "[a, b]",      "[b, b]",     "[a, wall]",
                                        "[b, wall]", "[a, tilted]", "[b, tilted]"};
    if (!s->plain) return;
    if (s->rod > 0)
        play_add(t, "segments: [{name: links, chain: {from: 0, to: %u}, diameter: %.17g, species: a}]\n", s->count - 1,
                 s->rod);
    if (s->kind == CHAIN || dice_below(d, 2)) return;
    if (s->kind == FAST && s->dimension == 2 && s->count > 2) {
        s->bodies = (s->count - 1) / 2;
        play_add(t, "bodies:\n");
        for (uint32_t k = 0; k < s->bodies; k++)
            play_add(t, "  - {name: pair%u, particles: [%u, %u], angular_velocity: %.17g}\n", k, 2 * k + 1, 2 * k + 2,
                     s->speed * dice_real(d, -1, 1));
    } else if (s->kind != FAST) {
        s->friction = dice_power(d, -1.5, 0.5);
        play_add(t, "contacts:\n");
        for (int k = 0; k < (s->plane ? 7 : 5); k++)
            play_add(t, "  - {between: %s, friction: %.17g}\n", pairs[k], s->friction);
    }
}

/* Along axes that are not periodic, below all that starts. */
static inline void add_contact_plane(play_text *t, dice *d, contact_scene *s)
{
    for (int k = 0; k < s->dimension; k++) {
        s->normal[k] = s->periodic[k] ? 0 : k == s->dimension - 1 ? 1 : dice_real(d, -0.3, 0.3);
        s->point[k] = s->kind == GAS || s->kind == RESTING ? -0.3 * s->edge : 0.4;
    }
    s->plane = !s->periodic[s->dimension - 1] && s->kind != RESTING && dice_below(d, 3) == 0;
    if (s->kind == CHAIN || s->kind == TOUCHING || s->kind == FAST || s->kind == GRAZING)
        memset(s->normal, 0, sizeof(double) * (size_t)(s->dimension - 1));
    if (!s->plane) return;
    play_add(t, "planes:\n  - {name: tilted, point: ");
    add_vector(t, s->point, s->dimension);
    play_add(t, ", normal: ");
    add_vector(t, s->normal, s->dimension);
    play_add(t, "}\n");
}

/* So strong that a fall through the box gives the scene's speed. */
static inline void add_contact_gravity(play_text *t, dice *d, const contact_scene *s)
{
    double g[3] = {0, 0, 0}, strength = s->speed * s->speed / (2 * s->edge);
    if (s->kind != RESTING && dice_below(d, 2)) return;
    if (s->periodic[s->dimension - 1]) return;
    g[s->dimension - 1] = -strength;
    if (!s->periodic[0] && dice_below(d, 3) == 0) g[0] = 0.3 * strength;
    play_add(t, "fields: {gravity: ");
    add_vector(t, g, s->dimension);
    play_add(t, "}\n");
}

static inline void add_contact_chain(play_text *t, dice *d, contact_scene *s)
{
    if (s->kind != CHAIN) return;
    /* else it would be too long for the box */
    const bool stiff = s->rod > 0 || s->periodic[0] || s->periodic[1] || s->periodic[2];
    s->springs = s->lightest * s->speed * s->speed * dice_power(d, stiff ? 2 : -1, stiff ? 3 : 1);
    s->material_step = 0.1 * sqrt(s->lightest / s->springs) * dice_real(d, 0.3, 1);
    bool damped = !s->plain && dice_below(d, 2),
         bends = !s->plain && s->dimension == 2 && s->count > 2 && dice_below(d, 2);
    play_add(t, "springs:\n  - {name: chain, chain: {from: 0, to: %u}, stiffness: %.17g, damping: %.6g}\n",
             s->count - 1, s->springs, damped ? 0.1 * sqrt(s->springs * s->lightest) : 0);
    if (bends)
        play_add(t, "hinges:\n  - {name: bends, chain: {from: 0, to: %u}, stiffness: %.6g, angle: 0.1}\n", s->count - 1,
                 0.1 * s->springs);
}

/* Stiff enough that the impacts of most use a few layers. */
static inline void add_contact_engine(play_text *t, dice *d, contact_scene *s)
{
    static const double etas[] = {0.02, 0.05, 0.1, 0.2, 0.3};
    s->eta = etas[dice_below(d, 5)];
    s->exponent = 2 + (int)dice_below(d, 3);
    s->step_law = dice_below(d, 2) ? 1.5 : dice_real(d, 1.5, 2);
    s->stiffness = s->speed * s->speed * dice_power(d, 0, 1.5) / (s->eta * s->eta);
    s->step = dice_real(d, 0.02, 0.2) * sqrt(s->lightest / s->stiffness);
    play_add(t, "variational: {exponent: %d, step_law: %.17g", s->exponent, s->step_law);
    if (s->plain || dice_below(d, 3) > 0)
        play_add(t, ", eta: %.17g, stiffness: %.17g, step: %.17g", s->eta, s->stiffness, s->step);
    if (s->springs > 0) play_add(t, ", material_step: %.17g", s->material_step);
    if (!s->plain && dice_below(d, 6) == 0 && strstr(t->text, "fields:") != NULL) play_add(t, ", gravity: kick");
    play_add(t, "}\n");
}

static inline contact_scene random_contact_write(play_text *t, uint64_t seed, bool plain)
{
    static const uint32_t counts[] = {2, 3, 5, 8, 12, 30, 60};
    dice d = {seed * 15485863};
    contact_scene s = {.kind = (contact_kind)(seed % CONTACT_KINDS), .plain = plain};
    s.dimension = dice_below(&d, 2) ? 3 : 2;
    s.count = s.kind == GRAZING ? 2 : counts[dice_below(&d, plain ? 4 : s.kind == GAS || s.kind == RESTING ? 7 : 5)];
    s.speed = dice_power(&d, -2, 2);
    if (plain && s.kind == CHAIN && dice_below(&d, 2)) s.rod = dice_real(&d, 0.6, 1);
    *t = (play_text){.length = 0};
    play_add(t, "carom: 1\nengine: variational\ndimension: %d\nseed: %llu\n", s.dimension, (unsigned long long)seed);
    add_contact_box(t, &d, &s);
    add_contact_species(t, &d, &s);
    add_contact_particles(t, &d, &s);
    add_contact_laws(t, &d, &s);
    add_contact_plane(t, &d, &s);
    add_contact_gravity(t, &d, &s);
    add_contact_chain(t, &d, &s);
    add_contact_more(t, &d, &s);
    add_contact_engine(t, &d, &s);
    s.time = fmin((plain ? 2000 : 6000) * s.step, (plain ? 1 : 4) * s.edge / s.speed);
    play_add(t, "run: {until: {time: %.17g}}\n", s.time);
    return s;
}

#endif
