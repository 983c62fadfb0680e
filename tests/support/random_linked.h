/* A small scene of the engine `variational` from a number, of things that are tied together: free rods, chains, rigid
 * polygons and tetrahedra with edges that others touch, among balls, driven balls and a plane that comes in; springs
 * between bodies, hinges, gravity, friction, restitution, all boundaries, one thing that is much too fast. */
#ifndef CAROM_TESTS_RANDOM_LINKED_H
#define CAROM_TESTS_RANDOM_LINKED_H

#include <math.h>

#include "random_contact.h"

enum { LINKED_MOST = 120, LINKED_RODS = 170 };

typedef enum linked_thing { BALL, ROD, ROPE, BLOCK, DRIVEN, LINKED_THINGS } linked_thing;

/* What belongs to what, for tests that look at distances. */
typedef struct linked_scene {
    int dimension;
    uint32_t count, rods;
    uint32_t ends[LINKED_RODS][2];
    uint32_t owner[LINKED_MOST]; /* rigid bodies and driven balls: 1 + a number; 0: free */
    bool driven[LINKED_MOST];
    bool periodic[3];
    double edge, ball, rod; /* diameters */
    double time;
    double plane, lift; /* height of the plane at the start, and its speed; NAN: there is none */
} linked_scene;

/* The lists of a scene, as they grow. */
typedef struct linked_lists {
    play_text at, each, springs, hinges, rods, bodies, drives;
} linked_lists;

static inline uint32_t linked_node(linked_scene *s, linked_lists *l, const double *x, const double *v, uint32_t owner)
{
    REQUIRE(s->count < LINKED_MOST);
    play_add(&l->at, s->count > 0 ? ", " : "");
    play_add(&l->each, s->count > 0 ? ", " : "");
    add_vector(&l->at, x, s->dimension);
    add_vector(&l->each, v, s->dimension);
    s->owner[s->count] = owner;
    return s->count++;
}

static inline void linked_rod(linked_scene *s, linked_lists *l, uint32_t i, uint32_t j)
{
    REQUIRE(s->rods < LINKED_RODS);
    play_add(&l->rods, "%s[%u, %u]", s->rods > 0 ? ", " : "", i, j);
    s->ends[s->rods][0] = i;
    s->ends[s->rods++][1] = j;
}

static inline void linked_spring(linked_lists *l, uint32_t i, uint32_t j)
{
    play_add(&l->springs, "%s[%u, %u]", l->springs.length > 0 ? ", " : "", i, j);
}

/* A direction; in 2D in the plane. */
static inline void dice_direction(dice *d, int dimension, double u[3])
{
    double square;
    do {
        for (int k = 0; k < 3; k++) u[k] = k < dimension ? dice_real(d, -1, 1) : 0;
        square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++) u[k] /= sqrt(square);
}

/* Two or three nodes through the middle of a cell. */
static inline void linked_line(linked_scene *s, linked_lists *l, dice *d, const double *middle, const double *velocity,
                               double speed, bool rope)
{
    double u[3];
    uint32_t before = 0, first = s->count;
    const bool tied = s->periodic[0] || s->periodic[1] || s->periodic[2]; /* else it would be too long for the box */
    dice_direction(d, s->dimension, u);
    for (int n = 0; n < (rope ? 3 : 2); n++) {
        double x[3], v[3], along = rope ? 0.6 * (n - 1) : 1.2 * n - 0.6;
        for (int k = 0; k < 3; k++) {
            x[k] = middle[k] + along * u[k];
            v[k] = velocity[k] + 0.5 * speed * dice_real(d, -1, 1);
        }
        uint32_t i = linked_node(s, l, x, v, 0);
        if (n > 0) linked_rod(s, l, before, i);
        if (n > 0 && (rope || tied || dice_below(d, 3) > 0)) linked_spring(l, before, i);
        before = i;
    }
    if (rope && s->dimension == 2)
        play_add(&l->hinges, "%s[%u, %u, %u]", l->hinges.length > 0 ? ", " : "", first, first + 1, first + 2);
}

/* A polygon with three or four sides, or a tetrahedron. */
static inline void linked_block(linked_scene *s, linked_lists *l, dice *d, const double *middle, double speed,
                                uint32_t owner)
{
    static const double corners[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const uint32_t first = s->count, sides = s->dimension == 3 || dice_below(d, 2) ? 4 : 3;
    double v[3] = {0}, size = dice_real(d, 0.3, 0.6), turn = dice_real(d, 0, 6), spin = speed * dice_real(d, -1, 1);
    const bool hollow = s->dimension == 3 && dice_below(d, 3) == 0; /* corners alone */
    for (int k = 0; k < s->dimension; k++) v[k] = speed * dice_real(d, -1, 1);
    for (uint32_t n = 0; n < sides; n++) {
        double x[3], at = turn + 2 * 3.141592653589793 * n / sides;
        if (s->dimension == 2) memcpy(x, (double[3]){middle[0] + size * cos(at), middle[1] + size * sin(at)}, sizeof x);
        for (int k = 0; s->dimension == 3 && k < 3; k++)
            x[k] = middle[k] + size / sqrt(3) * corners[n][k] * (k == 0 ? 1.2 : 1);
        linked_node(s, l, x, v, owner);
    }
    for (uint32_t i = 0; i < sides && !hollow; i++)
        for (uint32_t j = 0; j < i; j++)
            if (s->dimension == 3 || i - j == 1 || i - j == sides - 1) linked_rod(s, l, first + j, first + i);
    play_add(&l->bodies, "  - {name: body%u, particles: {from: %u, to: %u}, angular_velocity: ", owner, first,
             s->count - 1);
    if (s->dimension == 2)
        play_add(&l->bodies, "%.17g}\n", spin);
    else
        play_add(&l->bodies, "[%.17g, %.17g, %.17g]}\n", spin, 0.3 * spin, -0.2 * spin);
    if (first > 0 && dice_below(d, 3) == 0) linked_spring(l, first - 1, first);
}

/* A ball that goes to and fro within its cell. */
static inline void linked_drive(linked_scene *s, linked_lists *l, dice *d, const double *middle, double speed,
                                uint32_t owner)
{
    const double zero[3] = {0};
    double u[3], back[3], turn = 0.5 / speed;
    dice_direction(d, s->dimension, u);
    uint32_t i = linked_node(s, l, middle, zero, owner);
    s->driven[i] = true;
    for (int k = 0; k < 3; k++) {
        u[k] *= speed;
        back[k] = -u[k];
    }
    play_add(&l->drives, "  - {name: drive%u, particles: [%u]", owner, i);
    if (dice_below(d, 3) > 0) {
        play_add(&l->drives, ", motion: [{time: 0, velocity: ");
        add_vector(&l->drives, u, s->dimension);
        play_add(&l->drives, "}, {time: %.17g, velocity: ", turn);
        add_vector(&l->drives, back, s->dimension);
        play_add(&l->drives, "}, {time: %.17g, velocity: ", 2 * turn);
        add_vector(&l->drives, zero, s->dimension);
        play_add(&l->drives, "}]");
    }
    play_add(&l->drives, "}\n");
}

/* A thing in each cell of a grid, all within 0.8 of its middle. */
static inline void linked_things(linked_scene *s, linked_lists *l, dice *d, double speed)
{
    const uint32_t side = s->dimension == 2 ? 4 : 3, cells = s->dimension == 2 ? side * side : side * side * side;
    const uint32_t fast = dice_below(d, 2) ? dice_below(d, cells) : cells;
    const double cell = 1.7, clear = s->periodic[s->dimension - 1] ? 0 : 0.9;
    s->edge = cell * side + 2 * clear;
    for (uint32_t c = 0; c < cells; c++) {
        const uint32_t at[3] = {c % side, c / side % side, c / side / side};
        linked_thing what = (linked_thing)dice_below(d, LINKED_THINGS);
        double middle[3], v[3] = {0}, quick = c == fast ? 20 * speed : speed;
        for (int k = 0; k < 3; k++) middle[k] = clear + cell * (at[k] + 0.5);
        if (s->dimension == 3 && dice_below(d, 4) == 0) continue;
        for (int k = 0; k < s->dimension; k++) v[k] = quick * dice_real(d, -1, 1);
        if (what == BALL) linked_node(s, l, middle, v, 0);
        if (what == ROD || what == ROPE) linked_line(s, l, d, middle, v, speed, what == ROPE);
        if (what == BLOCK) linked_block(s, l, d, middle, quick, 1 + c);
        if (what == DRIVEN) linked_drive(s, l, d, middle, speed, 1 + c);
    }
    if (s->count == 0) linked_node(s, l, (double[3]){1, 1, 1}, (double[3]){0}, 0);
}

static inline void linked_surroundings(linked_scene *s, play_text *t, dice *d, double speed, linked_lists *l)
{
    static const char *const laws[] = {"0", "0.5", "0.9", "1", "{viscoelastic: 0.3}"}, *const rough[] = {"0", "0.4"};
    const int last = s->dimension - 1;
    bool lies = !s->periodic[last] && dice_below(d, 2), lossy = dice_below(d, 3) > 0;
    s->plane = NAN;
    play_add(t, "planes:\n");
    if (!s->periodic[last] && dice_below(d, 2)) {
        s->plane = -0.5;
        s->lift = dice_below(d, 2) ? 0.3 * speed : 0;
        play_add(t, "  - {name: floor, point: [%s-0.5], normal: [%s1]}\n", last == 2 ? "0, 0, " : "0, ",
                 last == 2 ? "0, 0, " : "0, ");
        play_add(&l->drives, "  - {name: lift, plane: floor, motion: [{time: %.17g, velocity: [%s%.17g]}]}\n",
                 0.2 / speed, last == 2 ? "0, 0, " : "0, ", s->lift);
    } else {
        t->length -= strlen("planes:\n");
    }
    if (lies) play_add(t, "fields: {gravity: [%s%.17g]}\n", last == 2 ? "0, 0, " : "0, ", -0.5 * speed * speed);
    if (!lossy) return;
    play_add(t, "contacts:\n  - {between: [a, a], restitution: %s, friction: %s}\n", dice_word(d, laws, 5),
             dice_word(d, rough, 2));
    play_add(t, "  - {between: [a, wall], restitution: %s, friction: %s}\n", dice_word(d, laws, 5),
             dice_word(d, rough, 2));
    if (!isnan(s->plane)) play_add(t, "  - {between: [a, floor], restitution: %s}\n", dice_word(d, laws, 5));
}

static inline linked_scene random_linked_write(play_text *t, uint64_t seed)
{
    static linked_lists l;
    static const char *const words[] = {"periodic", "wall", "open"};
    dice d = {seed * 32452843};
    linked_scene s = {.dimension = 2 + (int)(seed % 2), .ball = 0.3, .rod = 0.2};
    const double speed = dice_power(&d, -1, 1), pull = 1000 * speed * speed;
    l.at.length = l.each.length = l.springs.length = l.hinges.length = l.rods.length = 0;
    l.bodies.length = l.drives.length = 0;
    *t = (play_text){.length = 0};
    play_add(t, "carom: 1\nengine: variational\ndimension: %d\nseed: %llu\n", s.dimension, (unsigned long long)seed);
    uint32_t word[3];
    for (int k = 0; k < s.dimension; k++) {
        word[k] = dice_below(&d, 3);
        s.periodic[k] = word[k] == 0;
    }
    linked_things(&s, &l, &d, speed);
    play_add(t, "box: {size: %.17g, boundary: [%s, %s", s.edge, words[word[0]], words[word[1]]);
    play_add(t, s.dimension == 3 ? ", %s]}\n" : "]}\n", words[word[s.dimension - 1]]);
    play_add(t, "species: {a: {diameter: %g, mass: 1}}\n", s.ball);
    play_add(t, "particles:\n  - {species: a, place: {at: [%s]},\n     velocity: {each: [%s]}}\n", l.at.text,
             l.each.text);
    if (l.springs.length > 0)
        play_add(t, "springs: [{name: ties, pairs: [%s], stiffness: %.17g, damping: %.3g}]\n", l.springs.text, pull,
                 dice_below(&d, 2) ? 0.1 * sqrt(pull) : 0);
    if (l.hinges.length > 0)
        play_add(t, "hinges: [{name: bends, triples: [%s], stiffness: %.17g}]\n", l.hinges.text, 0.1 * pull);
    if (s.rods > 0)
        play_add(t, "segments: [{name: rods, pairs: [%s], diameter: %g, species: a}]\n", l.rods.text, s.rod);
    if (l.bodies.length > 0) play_add(t, "bodies:\n%s", l.bodies.text);
    linked_surroundings(&s, t, &d, speed, &l);
    if (l.drives.length > 0) play_add(t, "drives:\n%s", l.drives.text);
    play_add(t, "variational: {eta: %g, stiffness: %.17g, exponent: %u%s}\n", dice_below(&d, 2) ? 0.05 : 0.02,
             dice_power(&d, 3, 5) * speed * speed, 2 + dice_below(&d, 2),
             dice_below(&d, 6) || strstr(t->text, "fields:") == NULL ? "" : ", gravity: kick");
    s.time = 1.5 / speed;
    play_add(t, "run: {until: {time: %.17g}}\n", s.time);
    return s;
}

#endif
