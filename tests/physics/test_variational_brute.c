/* Detects forces that certificates, sleep or the queue of the engine `variational` leave out, against brute force:
 * every layer of every pair, of balls, segments and rigid pairs, smooth or rough, is looked at whenever its clock
 * ticks. A layer that woke too late would leave out a force: the numbers of forces are compared, and the motions.
 * Rounding grows from impact to impact, so the brute force starts from the engine's frames again and again. */
#include "../support/expect.h"
#include "../support/random_contact.h"
#include "../support/suite.h"

enum { MOST = 16, RODS = MOST - 1, LAYERS = 100, CLASSES = 12, SURFACES = 7, STRETCHES = 24, ALONE = -1 };

typedef struct flier {
    double x[3], v[3], t, mass, radius;
    int body; /* that it belongs to, or ALONE */
} flier;

/* A rigid pair, in 2D. */
typedef struct rigid {
    double x[2], v[2], t, angle, spin, mass, inertia;
    uint32_t first; /* of its two */
    double arm[2][2];
} rigid;

/* What friction remembers of an impact. */
typedef struct grip {
    bool on, anchored, parts;
    double pending, anchor[3], normal[3], place[3];
} grip;

/* A ball, or a rod between two: where, and the way from one end to the other. */
typedef struct element {
    uint32_t ends[2];
    double at[3], way[3], radius;
} element;

typedef struct wall {
    double point[3], normal[3];
} wall;

typedef struct brute {
    const contact_scene *s;
    int dimension;
    uint32_t count;
    flier body[MOST];
    double box[3]; /* 0: not periodic */
    double gravity[3], lightest, coefficient, rest[MOST];
    wall wall[SURFACES];
    int walls;
    int layers;                                  /* clocks that there are */
    bool deep;                                   /* the last of them acted: there should be more */
    double now, place[MOST][3], before[MOST][3]; /* before: velocities before a clock's kicks */
    rigid rigid[MOST / 2];
    uint32_t rods;
    grip grip[MOST][MOST + SURFACES];
    uint64_t forces, ticks;
    uint64_t doubtful; /* looks at gaps that are a layer's thickness to rounding */
} brute;

/* ---- making ------------------------------------------------------------------------------------------------------ */

static void add_wall(brute *b, const double *point, const double *normal)
{
    double square = 0;
    for (int k = 0; k < b->dimension; k++) square += normal[k] * normal[k];
    for (int k = 0; k < b->dimension; k++) {
        b->wall[b->walls].point[k] = point[k];
        b->wall[b->walls].normal[k] = normal[k] / sqrt(square);
    }
    b->walls++;
}

static void brute_set(brute *b, const contact_scene *s, const carom_frame *f)
{
    *b = (brute){.s = s, .dimension = f->dimension, .count = (uint32_t)f->count, .lightest = INFINITY};
    const double p = s->exponent;
    b->coefficient = 2 * s->stiffness / (p * (p - 1) * pow(2 * s->eta, p - 2));
    for (int k = 0; k < f->dimension; k++) {
        b->box[k] = f->boundary[k] == FRAME_PERIODIC ? f->box[k] : 0;
        b->gravity[k] = f->gravity[k];
        double low[3] = {0}, high[3] = {0}, up[3] = {0}, down[3] = {0};
        high[k] = f->box[k];
        up[k] = 1;
        down[k] = -1;
        if (f->boundary[k] != FRAME_WALL) continue;
        add_wall(b, low, up);
        add_wall(b, high, down);
    }
    if (s->plane) add_wall(b, s->point, s->normal);
    for (uint32_t i = 0; i < b->count; i++) {
        b->body[i].mass = f->mass[i];
        b->body[i].radius = f->radius[i];
        b->body[i].body = ALONE;
        b->lightest = fmin(b->lightest, 0.5 * f->mass[i]);
    }
    for (uint32_t k = 0; k < s->bodies; k++) b->body[2 * k + 1].body = b->body[2 * k + 2].body = (int)k;
    b->rods = s->rod > 0 ? b->count - 1 : 0;
}

static void shorten(const brute *b, double r[3])
{
    for (int k = 0; k < b->dimension; k++)
        if (b->box[k] > 0) r[k] -= b->box[k] * rint(r[k] / b->box[k]);
}

/* A rigid pair, from its two. */
static void place_rigid(brute *b, rigid *q)
{
    const flier *one = &b->body[q->first], *other = one + 1;
    double way[3] = {0}, part = other->mass / (one->mass + other->mass), turn;
    for (int k = 0; k < 2; k++) way[k] = other->x[k] - one->x[k];
    shorten(b, way);
    q->mass = one->mass + other->mass;
    q->t = b->now;
    q->angle = 0;
    for (int k = 0; k < 2; k++) {
        q->arm[0][k] = -part * way[k];
        q->arm[1][k] = (1 - part) * way[k];
        q->x[k] = one->x[k] + part * way[k];
        q->v[k] = one->v[k] + part * (other->v[k] - one->v[k]);
    }
    double square = way[0] * way[0] + way[1] * way[1];
    turn = way[0] * (other->v[1] - one->v[1]) - way[1] * (other->v[0] - one->v[0]);
    q->spin = turn / square;
    q->inertia = one->mass * other->mass / q->mass * square;
}

/* From where the engine is. Grips are not to be seen there: they stay. */
static void brute_place(brute *b, const carom_frame *f)
{
    const size_t d = (size_t)f->dimension;
    b->now = f->time;
    b->forces = b->doubtful = 0;
    b->deep = false;
    for (uint32_t i = 0; i < b->count; i++) {
        b->body[i].t = f->time;
        for (size_t k = 0; k < d; k++) b->body[i].x[k] = b->place[i][k] = f->position[i * d + k];
        for (size_t k = 0; k < d; k++) b->body[i].v[k] = f->velocity[i * d + k];
    }
    for (uint32_t k = 0; k < b->s->bodies; k++) {
        b->rigid[k].first = 2 * k + 1;
        place_rigid(b, &b->rigid[k]);
    }
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

static void rigid_arm(const rigid *q, uint32_t i, double t, double arm[2])
{
    const double *from = q->arm[i - q->first], turn = q->angle + q->spin * (t - q->t), c = cos(turn), s = sin(turn);
    arm[0] = c * from[0] - s * from[1];
    arm[1] = s * from[0] + c * from[1];
}

static void go_to(brute *b, double t)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const flier *a = &b->body[i];
        const rigid *q = &b->rigid[a->body == ALONE ? 0 : a->body];
        const double *x = a->body == ALONE ? a->x : q->x, *v = a->body == ALONE ? a->v : q->v;
        double dt = t - (a->body == ALONE ? a->t : q->t), arm[3] = {0};
        if (a->body != ALONE) rigid_arm(q, i, t, arm);
        for (int k = 0; k < b->dimension; k++) {
            b->place[i][k] = x[k] + dt * (v[k] + 0.5 * dt * b->gravity[k]) + arm[k];
            b->before[i][k] = v[k] + dt * b->gravity[k];
        }
    }
}

static void push_rigid(brute *b, rigid *q, uint32_t i, const double *impulse, double sign, double t)
{
    const double dt = t - q->t;
    double arm[2];
    rigid_arm(q, i, t, arm);
    for (int k = 0; k < 2; k++) {
        q->x[k] += dt * (q->v[k] + 0.5 * dt * b->gravity[k]);
        q->v[k] += dt * b->gravity[k] + sign * impulse[k] / q->mass;
    }
    q->angle += dt * q->spin;
    q->t = t;
    q->spin += sign * (arm[0] * impulse[1] - arm[1] * impulse[0]) / q->inertia;
}

static void push(brute *b, uint32_t i, const double *impulse, double sign, double t)
{
    flier *a = &b->body[i];
    if (a->body != ALONE) {
        push_rigid(b, &b->rigid[a->body], i, impulse, sign, t);
        return;
    }
    for (int k = 0; k < b->dimension; k++) {
        a->x[k] = b->place[i][k];
        a->v[k] += (t - a->t) * b->gravity[k] + sign * impulse[k] / a->mass;
    }
    a->t = t;
}

/* ---- forces ------------------------------------------------------------------------------------------------------ */

static int class_of(const brute *b, double mass)
{
    double ratio = mass / b->lightest * (1 + 1e-9);
    int class = 0;
    while (ratio >= 4 && class < CLASSES - 1) {
        ratio /= 4;
        class ++;
    }
    return class;
}

static double impulse_of(brute *b, double gap, int layer, double step)
{
    const double l = layer, wide = 2 * b->s->eta / l, p = b->s->exponent;
    b->doubtful += fabs(gap - wide) < 1e-14 * b->s->edge;
    if (gap >= wide) return 0;
    b->forces++;
    b->deep |= layer == b->layers;
    return step * p * b->coefficient * pow(l, p + 1) * pow(wide - gap, p - 1);
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static void along(const brute *b, const double *normal, double *v)
{
    double across = 0;
    for (int k = 0; k < b->dimension; k++) across += v[k] * normal[k];
    for (int k = 0; k < b->dimension; k++) v[k] -= across * normal[k];
}

static void cut(const brute *b, double *v, double longest)
{
    double square = 0;
    for (int k = 0; k < b->dimension; k++) square += v[k] * v[k];
    for (int k = 0; k < b->dimension && square > longest * longest; k++) v[k] *= longest / sqrt(square);
}

/* j: a ball, or MOST + the number of a wall. */
static double mass_of(const brute *b, uint32_t i, uint32_t j)
{
    const double m = b->body[i].mass;
    return j < MOST ? m * b->body[j].mass / (m + b->body[j].mass) : m;
}

static void push_both(brute *b, uint32_t i, uint32_t j, const double *impulse, double t)
{
    push(b, i, impulse, 1, t);
    if (j < MOST) push(b, j, impulse, -1, t);
}

/* The tick of a layer that acts with an impulse. */
static void rub(brute *b, uint32_t i, uint32_t j, const double *place, const double *normal, double impulse, int layer,
                double step, double t)
{
    grip *g = &b->grip[i][j];
    if (b->s->friction == 0) return;
    if (!g->on) *g = (grip){.on = true};
    g->pending += impulse;
    for (int k = 0; k < b->dimension; k++) g->normal[k] = normal[k];
    if (layer > 1) return;
    const double cap = b->s->friction * g->pending / step;
    double stretch[3], v[3], kick[3];
    for (int k = 0; k < b->dimension; k++) {
        stretch[k] = g->anchored ? place[k] - g->anchor[k] : 0;
        v[k] = b->before[i][k] - (j < MOST ? b->before[j][k] : 0);
    }
    shorten(b, stretch); /* frames put all back into the box */
    along(b, normal, stretch);
    cut(b, stretch, cap / b->s->stiffness);
    along(b, normal, v);
    const double mass = mass_of(b, i, j), damping = fmin(sqrt(b->s->stiffness * mass), 0.2 * mass / step);
    for (int k = 0; k < b->dimension; k++) {
        g->anchor[k] = place[k] - stretch[k];
        kick[k] = -b->s->stiffness * stretch[k] - damping * v[k];
    }
    cut(b, kick, cap);
    for (int k = 0; k < b->dimension; k++) kick[k] *= step;
    g->anchored = true;
    g->pending = 0;
    push_both(b, i, j, kick, t);
}

/* The first layer does not act: what is left of friction stops the sliding at most. */
static void part(brute *b, uint32_t i, uint32_t j, double t)
{
    grip *g = &b->grip[i][j];
    double v[3];
    for (int k = 0; k < b->dimension; k++) {
        const flier *one = &b->body[i], *other = &b->body[j < MOST ? j : i];
        v[k] = one->v[k] + (t - one->t) * b->gravity[k];
        if (j < MOST) v[k] -= other->v[k] + (t - other->t) * b->gravity[k];
    }
    along(b, g->normal, v);
    for (int k = 0; k < b->dimension; k++) v[k] *= -mass_of(b, i, j);
    cut(b, v, b->s->friction * g->pending);
    push_both(b, i, j, v, t);
    *g = (grip){.on = false};
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static element element_of(const brute *b, uint32_t who)
{
    element e = {.ends = {who, who}, .radius = b->body[who % MOST].radius};
    if (who >= MOST) e = (element){.ends = {who - MOST, who - MOST + 1}, .radius = 0.5 * b->s->rod};
    for (int k = 0; k < b->dimension; k++) {
        e.at[k] = b->place[e.ends[0]][k];
        e.way[k] = b->place[e.ends[1]][k] - e.at[k];
    }
    shorten(b, e.way);
    return e;
}

static double product(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double within(double s)
{
    return fmin(fmax(s, 0), 1);
}

/* Where two elements come closest, 0 to 1 along each: inside both, else at an end of one and what lies opposite. r:
 * from the start of the second to that of the first. */
static void closest_points(const double *r, const double *d, const double *f, double at[2])
{
    const double dd = product(d, d), ff = product(f, f), df = product(d, f), dr = product(d, r), fr = product(f, r);
    const double det = dd * ff - df * df;
    at[0] = det > 0 ? within((df * fr - ff * dr) / det) : 0;
    at[1] = ff > 0 ? (df * at[0] + fr) / ff : 0;
    if (at[1] != within(at[1]) || ff == 0) {
        at[1] = within(at[1]);
        at[0] = dd > 0 ? within((df * at[1] - dr) / dd) : 0;
    }
}

/* The point of e that is touched is pushed: its ends share it by how near they are. */
static void push_element(brute *b, const element *e, double at, const double *impulse, double sign, double t)
{
    if (e->ends[0] == e->ends[1]) {
        push(b, e->ends[0], impulse, sign, t);
        return;
    }
    push(b, e->ends[0], impulse, sign * (1 - at), t);
    push(b, e->ends[1], impulse, sign * at, t);
}

static bool joined(const brute *b, const element *e, const element *f)
{
    const int one = b->body[e->ends[0]].body;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            if (e->ends[p] == f->ends[q]) return true;
    return one != ALONE && one == b->body[f->ends[0]].body;
}

static double lightness(const brute *b, const element *e)
{
    return 1 / fmin(b->body[e->ends[0]].mass, b->body[e->ends[1]].mass);
}

/* One layer of two elements, with the tick of its clock. */
static void press_elements(brute *b, uint32_t i, uint32_t j, int class, int layer, double step, double t)
{
    const element e = element_of(b, i), f = element_of(b, j);
    double r[3] = {0}, middle[3] = {0}, image[3] = {0}, at[2], square = 0;
    if (joined(b, &e, &f) || class_of(b, 1 / (lightness(b, &e) + lightness(b, &f))) != class) return;
    for (int k = 0; k < b->dimension; k++) {
        r[k] = e.at[k] - f.at[k];
        middle[k] = image[k] = r[k] + 0.5 * (e.way[k] - f.way[k]);
    }
    shorten(b, image);
    for (int k = 0; k < b->dimension; k++) r[k] += image[k] - middle[k];
    closest_points(r, e.way, f.way, at);
    for (int k = 0; k < b->dimension; k++) {
        r[k] += at[0] * e.way[k] - at[1] * f.way[k];
        square += r[k] * r[k];
    }
    double distance = sqrt(square), normal[3] = {0}, kick[3];
    double impulse = impulse_of(b, distance - e.radius - f.radius + 2 * b->s->eta, layer, step);
    if (impulse == 0) {
        if (i < MOST && j < MOST) b->grip[i][j].parts = b->grip[i][j].on && layer == 1;
        return;
    }
    for (int k = 0; k < b->dimension; k++) {
        normal[k] = r[k] / distance;
        kick[k] = impulse * normal[k];
    }
    push_element(b, &e, at[0], kick, 1, t);
    push_element(b, &f, at[1], kick, -1, t);
    if (i < MOST && j < MOST) rub(b, i, j, r, normal, impulse, layer, step, t);
}

static void press_wall(brute *b, uint32_t i, int s, int class, int layer, double step, double t)
{
    const element e = element_of(b, i);
    const double *normal = b->wall[s].normal;
    if (class_of(b, 1 / lightness(b, &e)) != class) return;
    double at = product(e.way, normal) < 0 ? 1 : 0, place[3], distance = 0, kick[3];
    for (int k = 0; k < b->dimension; k++) {
        place[k] = e.at[k] + at * e.way[k] - b->wall[s].point[k];
        distance += place[k] * normal[k];
    }
    double impulse = impulse_of(b, distance - e.radius + 2 * b->s->eta, layer, step);
    if (impulse == 0) {
        if (i < MOST) b->grip[i][MOST + s].parts = b->grip[i][MOST + s].on && layer == 1;
        return;
    }
    for (int k = 0; k < b->dimension; k++) kick[k] = impulse * normal[k];
    push_element(b, &e, at, kick, 1, t);
    if (i < MOST) rub(b, i, MOST + (uint32_t)s, place, normal, impulse, layer, step, t);
}

/* Balls are numbered from 0, rods from MOST. */
static void press_all(brute *b, int class, int layer, double step, double t)
{
    const uint32_t all = b->count + b->rods;
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t one = i < b->count ? i : MOST + i - b->count;
        for (uint32_t j = i + 1; j < all; j++)
            press_elements(b, one, j < b->count ? j : MOST + j - b->count, class, layer, step, t);
        for (int s = 0; s < b->walls; s++) press_wall(b, one, s, class, layer, step, t);
    }
    if (b->s->friction == 0 || layer > 1) return;
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t j = 0; j < MOST + SURFACES; j++)
            if (b->grip[i][j].parts) part(b, i, j, t);
}

/* The way from i to the next in the chain, and its length. */
static double link(const brute *b, uint32_t i, double r[3])
{
    double square = 0;
    for (int k = 0; k < b->dimension; k++) r[k] = b->place[i][k] - b->place[i + 1][k];
    shorten(b, r);
    for (int k = 0; k < b->dimension; k++) square += r[k] * r[k];
    return sqrt(square);
}

static void pull_chain(brute *b, double step, double t)
{
    for (uint32_t i = 0; i + 1 < b->count; i++) {
        double r[3] = {0}, length = link(b, i, r);
        for (int k = 0; k < b->dimension; k++) r[k] *= -step * b->s->springs * (length - b->rest[i]) / length;
        push(b, i, r, 1, t);
        push(b, i + 1, r, -1, t);
        b->forces++;
    }
}

static double tick_after(double step, double t)
{
    double tick = floor(t / step);
    while (tick * step <= t) tick++;
    return tick;
}

/* The clocks: [class][layer - 1], how often each has ticked, and their steps. */
typedef struct ticking {
    double tick[CLASSES][LAYERS], step[CLASSES][LAYERS], spring;
    int classes;
} ticking;

static void start_clocks(const brute *b, ticking *c)
{
    double heaviest = 0;
    for (uint32_t i = 0; i < b->count; i++) heaviest = fmax(heaviest, b->body[i].mass);
    c->classes = class_of(b, heaviest) + 1;
    for (int k = 0; k < c->classes; k++)
        for (int l = 0; l < b->layers; l++) {
            c->step[k][l] = ldexp(b->s->step, k) * pow(l + 1, -b->s->step_law);
            c->tick[k][l] = tick_after(c->step[k][l], b->now);
        }
    c->spring = b->s->springs > 0 ? tick_after(b->s->material_step, b->now) : INFINITY;
}

/* Ticks of all clocks in order of time, up to a time. */
static void brute_run(brute *b, double until)
{
    static ticking c;
    start_clocks(b, &c);
    for (;; b->ticks++) {
        int class = -1, layer = 0;
        double t = b->s->springs > 0 ? c.spring * b->s->material_step : INFINITY;
        for (int l = 0; l < b->layers; l++)
            for (int k = 0; k < c.classes; k++) {
                if (c.tick[k][l] * c.step[k][l] >= t) continue;
                t = c.tick[k][l] * c.step[k][l];
                class = k;
                layer = l;
            }
        if (t > until) break;
        go_to(b, t);
        if (class < 0) {
            pull_chain(b, b->s->material_step, t);
            c.spring++;
        } else {
            press_all(b, class, layer + 1, c.step[class][layer], t);
            c.tick[class][layer]++;
        }
    }
    go_to(b, until);
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

/* How far both are apart, in units of the box. */
static double difference(brute *b, const carom_frame *f)
{
    double most = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        double r[3] = {0};
        for (int k = 0; k < b->dimension; k++)
            r[k] = b->place[i][k] - f->position[i * (size_t)b->dimension + (size_t)k];
        shorten(b, r);
        for (int k = 0; k < b->dimension; k++) most = fmax(most, fabs(r[k]));
    }
    return most / b->s->edge;
}

typedef struct tally {
    uint64_t scenes, ticks, forces, doubtful, impacts, skipped, apart;
    double worst;
} tally;

static tally all;

/* From one frame to the next, with as many layers as it takes. */
static void follow(brute *b, const carom_frame *from, play *p, double until)
{
    brute_place(b, from);
    brute before = *b;
    const uint64_t earlier = from->events[EVENT_FORCE];
    play_advance(p, until);
    const carom_frame *f = carom_sim_frame(p->sim);
    do {
        int layers = b->deep ? 2 * b->layers : b->layers;
        *b = before;
        if ((b->layers = layers) > LAYERS) {
            all.skipped++;
            return;
        }
        brute_run(b, until);
    } while (b->deep);
    double off = difference(b, f);
    uint64_t forces = f->events[EVENT_FORCE] - earlier;
    bool same = off < 1e-9 && forces <= b->forces + b->doubtful && b->forces <= forces + b->doubtful;
    all.forces += b->forces;
    all.doubtful += b->doubtful;
    all.apart += !same;
    all.worst = fmax(all.worst, off);
    if (same) return;
    printf("scene %u, %s, to %.6g: %llu forces, by brute force %llu; off by %.2g\n", (unsigned)all.scenes,
           contact_kind_names[b->s->kind], until, (unsigned long long)forces, (unsigned long long)b->forces, off);
}

static void compare(uint64_t seed)
{
    static play_text t;
    static brute b;
    contact_scene s = random_contact_write(&t, seed, true);
    play p = play_open(t.text, NULL);
    brute_set(&b, &s, carom_sim_frame(p.sim));
    brute_place(&b, carom_sim_frame(p.sim));
    for (uint32_t i = 0; i + 1 < b.count; i++) b.rest[i] = link(&b, i, (double[3]){0});
    for (int k = 1; k <= STRETCHES; k++) {
        b.layers = 3;
        follow(&b, carom_sim_frame(p.sim), &p, s.time * k / STRETCHES);
    }
    const carom_frame *end = carom_sim_frame(p.sim);
    all.ticks += b.ticks;
    all.impacts += end->events[EVENT_COLLISION] + end->events[EVENT_WALL];
    all.scenes++;
    play_close(&p);
}

enum { EACH = 60 };

static uint64_t first, count = 4 * EACH;

START_TEST(no_activation_is_missed)
{
    all = (tally){0};
    const uint64_t from = (uint64_t)_i * EACH, to = from + EACH < count ? from + EACH : count;
    for (uint64_t k = from; k < to; k++) compare(first + k);
    printf("%llu scenes, %llu impacts, %llu ticks, %llu forces (%llu looks in doubt), %llu stretches too deep; worst "
           "%.2g, "
           "%llu apart\n",
           (unsigned long long)all.scenes, (unsigned long long)all.impacts, (unsigned long long)all.ticks,
           (unsigned long long)all.forces, (unsigned long long)all.doubtful, (unsigned long long)all.skipped, all.worst,
           (unsigned long long)all.apart);
    ck_assert_uint_eq(all.apart, 0);
    ck_assert_uint_ge(all.impacts, 2 * (to - from));
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    suite_scenes(argc, argv, &first, &count);
    TCase *all_scenes = tcase_create("all"), *rest = suite_long_case();
    suite_split_loop(all_scenes, rest, no_activation_is_missed, 1, (int)((count + EACH - 1) / EACH));
    tcase_set_timeout(all_scenes, 0);
    tcase_set_timeout(rest, 0);
    return suite_run("variational brute force", all_scenes, rest);
}
