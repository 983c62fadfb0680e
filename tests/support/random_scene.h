/* A small scene of any kind from a number: dimension, boundaries, sizes, masses, contacts, gravity, planes, policy. */
#ifndef CAROM_TESTS_RANDOM_SCENE_H
#define CAROM_TESTS_RANDOM_SCENE_H

#include "dice.h"
#include "play.h"

/* What the scene came to be, for messages and for tests that need a kind. */
typedef struct random_scene {
    int dimension;
    uint32_t count;
    bool gravity, inelastic, closed; /* closed: no axis is open */
    bool periodic[3];
    const char *policy, *precision;
} random_scene;

static inline void add_box(play_text *t, dice *d, random_scene *s, double packing)
{
    static const char *const kinds[] = {"periodic", "wall", "open"};
    bool mixed = dice_below(d, 2) == 0;
    const char *word = dice_word(d, kinds, 3);
    s->closed = true;
    play_add(t, "box: {packing_fraction: %g, boundary: [", packing);
    for (int k = 0; k < s->dimension; k++) {
        if (mixed) word = dice_word(d, kinds, 3);
        if (strcmp(word, "open") == 0) s->closed = false;
        s->periodic[k] = strcmp(word, "periodic") == 0;
        play_add(t, "%s%s", k > 0 ? ", " : "", word);
    }
    play_add(t, "]}\n");
}

static inline void add_species(play_text *t, dice *d)
{
    static const char *const sizes[] = {"1", "{uniform: [0.7, 1.3]}", "{lognormal: [1, 0.3], min: 0.4, max: 2}"};
    play_add(t, "species:\n  a: {diameter: %s, %s}\n", dice_word(d, sizes, 3),
             dice_below(d, 3) ? "mass: 1" : "density: 2");
    play_add(t, "  b: {diameter: %g, mass: %g}\n", dice_real(d, 0.5, 1.5), dice_real(d, 0.1, 10));
}

static inline void add_particles(play_text *t, dice *d, random_scene *s, double packing)
{
    static const uint32_t counts[] = {1, 2, 3, 10, 60, 200};
    bool binary = dice_below(d, 2) == 0, dense = packing > 0.25;
    s->count = counts[dice_below(d, 6)];
    if (dense && s->count < 10) s->count = 10;
    play_add(t, "particles:\n  - {species: %s, count: %u, place: %s, velocity: {maxwell: 1}, zero_momentum: %s}\n",
             binary ? "{a: 1, b: 1}" : "a", s->count, dense ? "{compress: {rate: 0.05}}" : "random",
             dice_below(d, 2) ? "true" : "false");
}

static inline void add_contacts(play_text *t, dice *d, random_scene *s, bool plane)
{
    static const char *const laws[] = {
        "1", "0.9", "0.5", "{viscoelastic: 0.3}", "{table: [[0.1, 0.95], [1, 0.7], [3, 0.4]]}", "0.95"};
    const char *pair = dice_word(d, laws, 6);
    s->inelastic = strcmp(pair, "1") != 0;
    play_add(t, "contacts:\n  - {between: [a, a], restitution: %s}\n  - {between: [a, b], restitution: %s}\n", pair,
             dice_word(d, laws, s->inelastic ? 6 : 1));
    play_add(t, "  - {between: [a, wall], restitution: %s}\n", dice_word(d, laws, 6));
    if (plane) play_add(t, "  - {between: [a, tilted], restitution: %s}\n", dice_word(d, laws, 6));
}

static inline void add_engine(play_text *t, dice *d, random_scene *s)
{
    static const char *const policies[] = {"stop", "tc", "cutoff", "sleep"};
    static const char *const precisions[] = {"double", "double", "double", "double", "double", "long_double", "quad"};
    s->policy = dice_word(d, policies, s->gravity ? 4 : 3);
    s->precision = dice_word(d, precisions, s->count <= 60 ? 7 : 5);
    play_add(t, "hard:\n  precision: %s\n  collapse: {policy: %s", s->precision, s->policy);
    if (strcmp(s->policy, "tc") == 0) play_add(t, ", tc: %g", dice_real(d, 1e-6, 1e-3));
    if (strcmp(s->policy, "cutoff") == 0) play_add(t, ", speed: %g", dice_real(d, 1e-5, 1e-2));
    if (strcmp(s->policy, "sleep") == 0) play_add(t, ", speed: %g", dice_real(d, 1e-4, 3e-2));
    play_add(t, "}\n");
}

/* A plane may lean only along axes that are not periodic. */
static inline bool add_plane(play_text *t, dice *d, const random_scene *s)
{
    double normal[3] = {0, 0, 0};
    bool any = false;
    for (int k = 0; k < s->dimension; k++) {
        if (s->periodic[k]) continue;
        normal[k] = dice_below(d, 2) ? dice_real(d, -1, 1) : 0.5;
        any = true;
    }
    if (!any || dice_below(d, 3) != 0) return false;
    play_add(t, "planes:\n  - {name: tilted, point: [%s], normal: [%g, %g", s->dimension == 3 ? "1, 1, 1" : "1, 1",
             normal[0], normal[1]);
    play_add(t, s->dimension == 3 ? ", %g]}\n" : "]}\n", normal[2]);
    return true;
}

/* Gravity along an axis that is not periodic: along one that is, the gas would fall without end. */
static inline void add_gravity(play_text *t, dice *d, random_scene *s)
{
    s->gravity = !s->periodic[s->dimension - 1] && dice_below(d, 3) != 0;
    if (!s->gravity) return;
    bool tilted = !s->periodic[0] && dice_below(d, 3) == 0;
    play_add(t, "fields: {gravity: [%s, %s-1]}\n", tilted ? "0.3" : "0", s->dimension == 3 ? "0, " : "");
}

/* Writes the scene for a seed; the text ends with the limit `events`. */
static inline random_scene random_scene_write(play_text *t, uint64_t seed, uint64_t events)
{
    dice d = {seed * 7919};
    random_scene s = {.dimension = dice_below(&d, 2) ? 3 : 2};
    double packings[] = {0.01, 0.05, 0.15, 0.25, 0.4, s.dimension == 2 ? 0.75 : 0.55};
    double packing = packings[dice_below(&d, 6)];
    *t = (play_text){.length = 0};
    play_add(t, "carom: 1\nengine: hard\ndimension: %d\nseed: %llu\n", s.dimension, (unsigned long long)seed);
    add_box(t, &d, &s, packing);
    add_species(t, &d);
    bool plane = packing < 0.2 && add_plane(t, &d, &s);
    add_particles(t, &d, &s, packing);
    add_contacts(t, &d, &s, plane);
    add_gravity(t, &d, &s);
    add_engine(t, &d, &s);
    play_add(t, "observe:\n  - {what: impact_separation, every: 1e9}\n  - {what: three_body, every: 1e9}\n");
    play_add(t, "run: {until: {events: %llu, time: %d}}\n", (unsigned long long)events,
             s.gravity && !s.closed ? 60 : 1000);
    return s;
}

#endif
