/* A small scene of the engine `variational` from a number, with meshes: loose shells and sheets whose vertices are
 * tied by springs, rigid ones that stand, move or are driven to and fro, among balls and segments; restitution,
 * friction, gravity, all boundaries, a plane, one thing that is much too fast. */
#ifndef CAROM_TESTS_RANDOM_SHELLS_H
#define CAROM_TESTS_RANDOM_SHELLS_H

#include "random_linked.h"

enum { SHELL_MESHES = 8 };

typedef struct shell_scene {
    linked_scene linked; /* of balls and segments, numbered before the vertices */
    uint32_t meshes, vertices;
    bool rigid[SHELL_MESHES];
    double thickness, eta;
} shell_scene;

typedef struct shell_form {
    const char *text;
    uint32_t vertices;
} shell_form;

static const shell_form shell_forms[] = {{"solid: {kind: tetrahedron, radius: 0.6}", 4},
                                         {"solid: {kind: cube, radius: 0.6}", 8},
                                         {"solid: {kind: octahedron, radius: 0.6}", 6},
                                         {"solid: {kind: icosahedron, radius: 0.5}", 12},
                                         {"rectangle: {length: 1, width: 1, along: 2, across: 2}", 9},
                                         {"rectangle: {length: 1.2, width: 0.1, along: 3, across: 1}", 8},
                                         {"rectangle: {length: 0.8, width: 0.8, along: 1, across: 1}", 4}};

typedef struct shell_lists {
    linked_lists linked;
    play_text meshes, springs;
} shell_lists;

static inline void shell_drive(shell_scene *s, shell_lists *l, dice *d, double speed)
{
    double v[3], back[3];
    dice_direction(d, 3, v);
    for (int k = 0; k < 3; k++) back[k] = -(v[k] *= speed);
    play_add(&l->linked.drives, "  - {name: way%u, mesh: m%u, motion: [{time: 0, velocity: ", s->meshes, s->meshes);
    add_vector(&l->linked.drives, v, 3);
    play_add(&l->linked.drives, "}, {time: %.17g, velocity: ", 0.25 / speed);
    add_vector(&l->linked.drives, back, 3);
    play_add(&l->linked.drives, "}, {time: %.17g, velocity: [0, 0, 0]}]}\n", 0.5 / speed);
}

/* Springs between vertices, which follow all particles in the scene's numbers: written with their own, from 0. */
static inline void shell_ties(shell_scene *s, dice *d, uint32_t vertices, uint32_t pairs[][2], uint32_t *count)
{
    const bool *periodic = s->linked.periodic,
               tied = periodic[0] || periodic[1] || periodic[2]; /* long edges are refused */
    for (uint32_t i = 0; i < vertices; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (!tied && dice_below(d, 3) > 0) continue;
            pairs[*count][0] = s->vertices + j;
            pairs[(*count)++][1] = s->vertices + i;
        }
}

static inline void shell_mesh(shell_scene *s, shell_lists *l, dice *d, const double *middle, const double *v,
                              double speed, uint32_t pairs[][2], uint32_t *count)
{
    const shell_form *form = &shell_forms[dice_below(d, sizeof shell_forms / sizeof *shell_forms)];
    const bool rigid = dice_below(d, 3) == 0;
    double axis[3];
    dice_direction(d, 3, axis);
    play_add(&l->meshes, "  - {name: m%u, shape: {%s}, thickness: %g, place: {at: ", s->meshes, form->text,
             s->thickness);
    add_vector(&l->meshes, middle, 3);
    play_add(&l->meshes, ", rotate: {axis: ");
    add_vector(&l->meshes, axis, 3);
    play_add(&l->meshes, ", angle: %.17g}}, %s", dice_below(d, 4) ? dice_real(d, 0, 6) : 0, rigid ? "rigid: true" : "");
    if (!rigid) {
        play_add(&l->meshes, "density: %.3g, velocity: ", dice_power(d, 1, 2.5));
        add_vector(&l->meshes, v, 3);
        shell_ties(s, d, form->vertices, pairs, count);
    } else if (dice_below(d, 2)) {
        shell_drive(s, l, d, speed);
    }
    play_add(&l->meshes, "}\n");
    s->rigid[s->meshes++] = rigid;
    s->vertices += form->vertices;
}

static inline void shell_things(shell_scene *s, shell_lists *l, dice *d, double speed, uint32_t pairs[][2],
                                uint32_t *count)
{
    linked_scene *q = &s->linked;
    const bool slow =
        q->periodic[0] || q->periodic[1] || q->periodic[2]; /* what is hit hard would be too long for the box */
    const uint32_t cells = 8, fast = !slow && dice_below(d, 2) ? dice_below(d, cells) : cells;
    const double cell = 1.35, clear = slow ? 1.7 : 0.9;
    q->edge = cell * 2 + 2 * clear;
    for (uint32_t c = 0; c < cells; c++) {
        const uint32_t at[3] = {c % 2, c / 2 % 2, c / 4}, what = dice_below(d, 10);
        double middle[3], v[3], quick = c == fast ? 20 * speed : speed;
        for (int k = 0; k < 3; k++) {
            middle[k] = clear + cell * (at[k] + 0.5);
            v[k] = quick * (0.7 * dice_real(d, -1, 1) + (at[k] == 0 ? 1 : -1)); /* all to the middle */
        }
        if (what == 0) linked_node(q, &l->linked, middle, v, 0);
        if (what == 1 || what == 2) linked_line(q, &l->linked, d, middle, v, speed, what == 2);
        if (what == 3) linked_drive(q, &l->linked, d, middle, speed, 1 + c);
        if (what > 4) shell_mesh(s, l, d, middle, v, speed, pairs, count);
    }
    if (s->meshes == 0) shell_mesh(s, l, d, (double[3]){2, 2, 2}, (double[3]){speed}, speed, pairs, count);
}

static inline shell_scene random_shells_write(play_text *t, uint64_t seed)
{
    static shell_lists l;
    static uint32_t pairs[SHELL_MESHES * 66][2];
    static const char *const words[] = {"periodic", "wall", "open"};
    dice d = {seed * 49979687};
    uint32_t count = 0;
    shell_scene s = {.linked = {.dimension = 3, .ball = 0.3, .rod = 0.2}, .thickness = 0.06};
    const double speed = dice_power(&d, -1, 1), pull = dice_power(&d, -1, 0.5) * speed * speed;
    l = (shell_lists){0};
    *t = (play_text){.length = 0};
    play_add(t, "carom: 1\nengine: variational\nseed: %llu\n", (unsigned long long)seed);
    uint32_t word[3];
    for (int k = 0; k < 3; k++) {
        word[k] = dice_below(&d, 3);
        s.linked.periodic[k] = word[k] == 0;
    }
    shell_things(&s, &l, &d, speed, pairs, &count);
    play_add(t, "box: {size: %.17g, boundary: [%s, %s, %s]}\n", s.linked.edge, words[word[0]], words[word[1]],
             words[word[2]]);
    play_add(t, "species: {a: {diameter: %g, mass: 1}}\nmeshes:\n%s", s.linked.ball, l.meshes.text);
    if (s.linked.count > 0)
        play_add(t, "particles:\n  - {species: a, place: {at: [%s]},\n     velocity: {each: [%s]}}\n", l.linked.at.text,
                 l.linked.each.text);
    play_add(t, "springs:\n");
    if (l.linked.springs.length > 0)
        play_add(t, "  - {name: ties, pairs: [%s], stiffness: %.17g}\n", l.linked.springs.text, 20 * speed * speed);
    play_add(t, "  - {name: cloth, stiffness: %.17g, damping: %.3g, pairs: [", pull,
             dice_below(&d, 2) ? 0.01 * sqrt(pull) : 0);
    for (uint32_t k = 0; k < count; k++)
        play_add(t, "%s[%u, %u]", k > 0 ? ", " : "", s.linked.count + pairs[k][0], s.linked.count + pairs[k][1]);
    play_add(t, "]}\n");
    if (count == 0) t->length = (size_t)(strstr(t->text, "  - {name: cloth") - t->text), t->text[t->length] = 0;
    if (count + l.linked.springs.length == 0) t->length -= strlen("springs:\n"), t->text[t->length] = 0;
    if (s.linked.rods > 0)
        play_add(t, "segments: [{name: rods, pairs: [%s], diameter: %g, species: a}]\n", l.linked.rods.text,
                 s.linked.rod);
    linked_surroundings(&s.linked, t, &d, speed, &l.linked);
    if (l.linked.drives.length > 0) play_add(t, "drives:\n%s", l.linked.drives.text);
    s.eta = dice_below(&d, 2) ? 0.03 : 0.015;
    play_add(t, "variational: {eta: %g, stiffness: %.17g, exponent: %u, material_step: %.17g%s}\n", s.eta,
             dice_power(&d, 2.5, 3.7) * speed * speed, 2 + dice_below(&d, 2), 0.01 / speed,
             dice_below(&d, 6) || strstr(t->text, "fields:") == NULL ? "" : ", gravity: kick");
    s.linked.time = 0.8 / speed;
    play_add(t, "run: {until: {time: %.17g}}\n", s.linked.time);
    return s;
}

#endif
