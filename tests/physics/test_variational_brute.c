/* The engine `variational` against a brute force that knows no certificates, no sleep and no queue: every layer of every pair is
 * looked at whenever its clock ticks. A layer that woke too late would leave out a force: the numbers of forces are compared,
 * and the motions. Rounding grows from impact to impact, so the brute force starts from the engine's frames again and again. */
#include "../support/expect.h"
#include "../support/random_contact.h"

enum { MOST = 16, LAYERS = 100, CLASSES = 12, SURFACES = 7, STRETCHES = 24 };

typedef struct flier {
    double x[3], v[3], t, mass, radius;
} flier;

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
    int layers; /* clocks that there are */
    bool deep;  /* the last of them acted: there should be more */
    double now, place[MOST][3];
    uint64_t forces, ticks;
    uint64_t doubtful; /* looks at gaps that are a layer's thickness to rounding */
} brute;

/* ---- making ------------------------------------------------------------------------------------------------------- */

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
        b->lightest = fmin(b->lightest, 0.5 * f->mass[i]);
    }
}

/* From where the engine is. */
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
}

/* ---- motion ------------------------------------------------------------------------------------------------------- */

static void shorten(const brute *b, double r[3])
{
    for (int k = 0; k < b->dimension; k++)
        if (b->box[k] > 0) r[k] -= b->box[k] * rint(r[k] / b->box[k]);
}

static void go_to(brute *b, double t)
{
    for (uint32_t i = 0; i < b->count; i++)
        for (int k = 0; k < b->dimension; k++) {
            const flier *a = &b->body[i];
            b->place[i][k] = a->x[k] + (t - a->t) * (a->v[k] + 0.5 * (t - a->t) * b->gravity[k]);
        }
}

static void push(brute *b, uint32_t i, const double *impulse, double sign, double t)
{
    flier *a = &b->body[i];
    for (int k = 0; k < b->dimension; k++) {
        a->x[k] = b->place[i][k];
        a->v[k] += (t - a->t) * b->gravity[k] + sign * impulse[k] / a->mass;
    }
    a->t = t;
}

/* ---- forces ------------------------------------------------------------------------------------------------------- */

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

static void press_bodies(brute *b, uint32_t i, uint32_t j, int layer, double step, double t)
{
    double r[3] = {0}, square = 0;
    for (int k = 0; k < b->dimension; k++) r[k] = b->place[i][k] - b->place[j][k];
    shorten(b, r);
    for (int k = 0; k < b->dimension; k++) square += r[k] * r[k];
    double distance = sqrt(square), impulse;
    impulse = impulse_of(b, distance - b->body[i].radius - b->body[j].radius + 2 * b->s->eta, layer, step);
    if (impulse == 0) return;
    for (int k = 0; k < b->dimension; k++) r[k] *= impulse / distance;
    push(b, i, r, 1, t);
    push(b, j, r, -1, t);
}

static void press_wall(brute *b, uint32_t i, const wall *s, int layer, double step, double t)
{
    double distance = 0, kick[3];
    for (int k = 0; k < b->dimension; k++) distance += (b->place[i][k] - s->point[k]) * s->normal[k];
    double impulse = impulse_of(b, distance - b->body[i].radius + 2 * b->s->eta, layer, step);
    if (impulse == 0) return;
    for (int k = 0; k < b->dimension; k++) kick[k] = impulse * s->normal[k];
    push(b, i, kick, 1, t);
}

static void press_all(brute *b, int class, int layer, double step, double t)
{
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t j = i + 1; j < b->count; j++) {
            const double m = b->body[i].mass, n = b->body[j].mass;
            if (class_of(b, m * n / (m + n)) == class) press_bodies(b, i, j, layer, step, t);
        }
    for (uint32_t i = 0; i < b->count; i++)
        for (int s = 0; s < b->walls && class_of(b, b->body[i].mass) == class; s++)
            press_wall(b, i, &b->wall[s], layer, step, t);
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
        for (int k = 0; k < c.classes; k++)
            for (int l = 0; l < b->layers; l++) {
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

/* ---- comparing ---------------------------------------------------------------------------------------------------- */

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

static uint64_t first, count = 240;

START_TEST(no_activation_is_missed)
{
    all = (tally){0};
    for (uint64_t k = 0; k < count; k++) compare(first + k);
    printf("%llu scenes, %llu impacts, %llu ticks, %llu forces (%llu looks in doubt), %llu stretches too deep; worst "
           "%.2g, "
           "%llu apart\n",
           (unsigned long long)all.scenes, (unsigned long long)all.impacts, (unsigned long long)all.ticks,
           (unsigned long long)all.forces, (unsigned long long)all.doubtful, (unsigned long long)all.skipped, all.worst,
           (unsigned long long)all.apart);
    ck_assert_uint_eq(all.apart, 0);
    ck_assert_uint_ge(all.impacts, 2 * count);
}
END_TEST

/* Other scenes than usual: FIRST COUNT. */
int main(int argc, char **argv)
{
    if (argc > 1) first = strtoull(argv[1], NULL, 10);
    if (argc > 2) count = strtoull(argv[2], NULL, 10);
    Suite *suite = suite_create("variational brute force");
    TCase *group = tcase_create("all");
    tcase_add_test(group, no_activation_is_missed);
    tcase_set_timeout(group, 0);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
