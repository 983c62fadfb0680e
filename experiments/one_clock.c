/* A gas of hard spheres by the stable rule as the paper prints it, with one clock from the start to the end: no re-basing,
 * no rescaling, all pairs, elastic walls. Prints, for windows that end after so many collisions a sphere: that end, impacts, the
 * share that overlaps, mean and rms of their distance from contact in 2^-52, the clock, and the rms speed.
 *
 *     one_clock SPHERES-ALONG-AN-EDGE NUMBER-DENSITY RESTITUTION SEED WINDOW-ENDS... */
#include "base/random.h"
#include "geometry/contact.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WALL = -1, NEVER = -2 };

/* An inelastic contact within this share of the mean free time of a sphere's last one is elastic: no collapse. */
static const double SHORT = 1e-3;

typedef struct sphere {
    double r[3], v[3], since; /* as of the last event of the sphere */
    double next;              /* time of its next event */
    int with, axis;           /* a sphere, or WALL */
    double last;              /* time of its last impact */
} sphere;

typedef struct gas {
    int count;
    double side, free_path, restitution;
    sphere *s;
} gas;

typedef struct window {
    double impacts, overlaps, sum, squares;
} window;

static double at(const sphere *s, int k, double t)
{
    return s->r[k] + s->v[k] * (t - s->since);
}

static double pair_time(const gas *g, int i, int j, double now)
{
    double a = 0, b = 0, c = -1;
    for (int k = 0; k < 3; k++) {
        const double r = at(&g->s[i], k, now) - at(&g->s[j], k, now), v = g->s[i].v[k] - g->s[j].v[k];
        a += v * v;
        b += v * r;
        c += r * r;
    }
    return now + contact_spheres(a, b, c);
}

static void plan(sphere *s, double t, int with, int axis)
{
    s->next = t;
    s->with = with;
    s->axis = axis;
}

/* The next event of a sphere, and of all whose next one it becomes. */
static void predict(gas *g, int i, double now)
{
    sphere *s = &g->s[i];
    plan(s, HUGE_VAL, NEVER, 0);
    for (int k = 0; k < 3; k++) {
        const double place = at(s, k, now), way = s->v[k] > 0 ? g->side - 0.5 - place : place - 0.5;
        const double t = s->v[k] == 0 ? HUGE_VAL : now + (way > 0 ? way : 0) / fabs(s->v[k]);
        if (t < s->next) plan(s, t, WALL, k);
    }
    for (int j = 0; j < g->count; j++) {
        if (j == i) continue;
        const double t = pair_time(g, i, j, now);
        if (t < s->next) plan(s, t, j, 0);
        if (t < g->s[j].next) plan(&g->s[j], t, i, 0);
    }
}

static void fly(sphere *s, double t)
{
    for (int k = 0; k < 3; k++) s->r[k] = at(s, k, t);
    s->since = t;
}

static double speed(const gas *g) /* root of the mean square */
{
    double sum = 0;
    for (int i = 0; i < g->count; i++)
        for (int k = 0; k < 3; k++) sum += g->s[i].v[k] * g->s[i].v[k];
    return sqrt(sum / g->count);
}

static void collide(gas *g, int i, int j, double t, window *w)
{
    sphere *a = &g->s[i], *b = &g->s[j];
    fly(a, t);
    fly(b, t);
    double rr = 0, vr = 0;
    for (int k = 0; k < 3; k++) {
        rr += (a->r[k] - b->r[k]) * (a->r[k] - b->r[k]);
        vr += (a->r[k] - b->r[k]) * (a->v[k] - b->v[k]);
    }
    const double off = (sqrt(rr) - 1) * 0x1p52, soon = SHORT * g->free_path / speed(g);
    w->impacts++;
    w->overlaps += off < 0;
    w->sum += off;
    w->squares += off * off;
    const bool spared = t - a->last < soon || t - b->last < soon;
    const double push = -0.5 * (1 + (spared ? 1 : g->restitution)) * vr / rr;
    for (int k = 0; k < 3; k++) {
        const double r = a->r[k] - b->r[k];
        a->v[k] += push * r;
        b->v[k] -= push * r;
    }
    a->last = b->last = t;
}

/* Predicts anew for those that were to meet a sphere whose motion has changed. */
static void mend(gas *g, int i, double now)
{
    for (int j = 0; j < g->count; j++)
        if (j != i && g->s[j].with == i) predict(g, j, now);
}

/* One event; whether it was an impact of two spheres. */
static bool step(gas *g, double *now, window *w)
{
    int i = 0;
    for (int j = 1; j < g->count; j++)
        if (g->s[j].next < g->s[i].next) i = j;
    const int j = g->s[i].with;
    *now = g->s[i].next;
    if (j == WALL) {
        fly(&g->s[i], *now);
        g->s[i].v[g->s[i].axis] *= -1;
    } else {
        collide(g, i, j, *now, w);
        g->s[j].with = NEVER;
        predict(g, j, *now);
    }
    g->s[i].with = NEVER;
    predict(g, i, *now);
    mend(g, i, *now);
    if (j >= 0) mend(g, j, *now);
    return j >= 0;
}

/* On a lattice, with Maxwell's velocities of temperature 1. */
static void begin(gas *g, int edge, uint64_t seed)
{
    const random_key key = {.seed = seed, .stream = RANDOM_VELOCITY};
    const double cell = (g->side - 1) / (edge - 1);
    for (int i = 0; i < g->count; i++) {
        sphere *s = &g->s[i];
        const int place[3] = {i % edge, i / edge % edge, i / edge / edge};
        double normal[4];
        random_normal2(key, (uint64_t)i, 0, normal);
        random_normal2(key, (uint64_t)i, 1, normal + 2);
        for (int k = 0; k < 3; k++) {
            s->r[k] = 0.5 + place[k] * cell;
            s->v[k] = normal[k];
        }
        s->last = -HUGE_VAL;
        plan(s, HUGE_VAL, NEVER, 0);
    }
    for (int i = 0; i < g->count; i++) predict(g, i, 0);
}

int main(int arguments, char **argument)
{
    const int edge = arguments < 6 ? 0 : atoi(argument[1]);
    const double density = arguments < 6 ? 0 : atof(argument[2]);
    if (edge < 2 || !(density > 0) || cbrt(edge * edge * edge / density) < edge) {
        fprintf(stderr, "one_clock: EDGE (2 or more) DENSITY (of spheres that fit) RESTITUTION SEED WINDOW-END...\n");
        return 64;
    }
    gas g = {
        .count = edge * edge * edge, .restitution = atof(argument[3]), .free_path = 1 / (sqrt(2) * acos(-1) * density)};
    g.side = cbrt(g.count / density);
    g.s = calloc((size_t)g.count, sizeof *g.s);
    if (g.s == NULL) return 70;
    begin(&g, edge, strtoull(argument[4], NULL, 10));
    double now = 0, collisions = 0;
    for (int k = 5; k < arguments; k++) {
        const double end = 0.5 * g.count * atof(argument[k]);
        window w = {0};
        for (; collisions < end;) collisions += step(&g, &now, &w);
        printf("%s %.0f %.6g %.6g %.6g %.6g %.6g\n", argument[k], w.impacts, w.overlaps / w.impacts, w.sum / w.impacts,
               sqrt(w.squares / w.impacts), now, speed(&g));
    }
    free(g.s);
    return 0;
}
