/* Detects differences in bits between event-driven aggregation and its all-pairs reference, over scenes of all kinds,
 * skins and numbers of halts. */
#include "../support/random_scene.h"
#include "../support/suite.h"

typedef struct outcome {
    carom_status status;
    carom_stop stop;
    uint64_t hash, clusters, events[EVENT_KINDS], merge_count;
    double time, dissipated;
    frame_merge *merges;
} outcome;

static void look(play *p, outcome *o)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    *o = (outcome){.status = o->status,
                   .stop = carom_sim_stop(p->sim),
                   .hash = f->state_hash,
                   .clusters = f->clusters,
                   .merge_count = f->tallies.merge_count,
                   .time = f->time,
                   .dissipated = f->tallies.dissipated};
    for (int k = 0; k < EVENT_KINDS; k++) o->events[k] = k == EVENT_TRANSFER ? 0 : f->events[k];
    o->merges = malloc(o->merge_count * sizeof *o->merges + 1);
    REQUIRE(o->merges != NULL);
    memcpy(o->merges, f->tallies.merges, o->merge_count * sizeof *o->merges);
}

/* Runs to the end, halting `halts` times before `until`. */
static outcome run(const char *text, const char *set, int halts, double until)
{
    outcome o = {.status = CAROM_OK};
    play p = play_open(text, set);
    for (int k = 1; k <= halts && carom_sim_stop(p.sim) == CAROM_STOP_NONE; k++)
        (void)carom_sim_advance(p.sim, until * k / halts);
    o.status = carom_sim_run(p.sim);
    look(&p, &o);
    play_close(&p);
    return o;
}

static const char *difference(const outcome *a, const outcome *b)
{
    static char text[200];
    const uint64_t both = a->merge_count < b->merge_count ? a->merge_count : b->merge_count;
    for (uint64_t k = 0; k < both; k++) {
        const frame_merge *m = &a->merges[k], *n = &b->merges[k];
        if (m->time == n->time && m->i == n->i && m->j == n->j) continue;
        snprintf(text, sizeof text, "merge %llu is of %u and %u at %.17g, or of %u and %u at %.17g",
                 (unsigned long long)k, m->i, m->j, m->time, n->i, n->j, n->time);
        return text;
    }
    if (a->merge_count != b->merge_count) return "numbers of merges differ";
    if (memcmp(a->events, b->events, sizeof a->events) != 0) return "counts differ";
    if (a->hash != b->hash) return "states differ";
    if (a->stop != b->stop || a->status != b->status) return "stops differ";
    if (a->time != b->time) return "times differ";
    if (a->dissipated != b->dissipated || a->clusters != b->clusters) return "tallies differ";
    return NULL;
}

static void expect_same(const outcome *fast, outcome other, const char *what, const char *text)
{
    const char *fault = difference(fast, &other);
    if (fault != NULL) ck_abort_msg("%s: %s\n%s", what, fault, text);
    free(other.merges);
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct kind_of_scene {
    int dimension;
    uint32_t count;
    bool lattice, law;
    double packing, edge, largest;
} kind_of_scene;

/* Sizes by volume, as a periodic box that holds a pair in one way only may have to be larger than the packing says. */
static void add_swarm_box(play_text *t, dice *d, kind_of_scene *s)
{
    const double pi = 3.141592653589793;
    const uint32_t mode = dice_below(d, 3);
    bool periodic[3];
    for (int k = 0; k < 3; k++) periodic[k] = mode == 0 || (mode == 1 && dice_below(d, 2));
    double volume = s->count * (s->dimension == 2 ? pi / 4 : pi / 6) / s->packing;
    s->edge = pow(volume, 1.0 / s->dimension);
    if (s->edge < 2.3 * s->largest) s->edge = 2.3 * s->largest;
    play_add(t, "box: {size: [");
    for (int k = 0; k < s->dimension; k++) play_add(t, "%s%.6g", k > 0 ? ", " : "", s->edge);
    play_add(t, "], boundary: [");
    for (int k = 0; k < s->dimension; k++) play_add(t, "%s%s", k > 0 ? ", " : "", periodic[k] ? "periodic" : "wall");
    play_add(t, "]}\n");
}

static void add_swarm_contacts(play_text *t, dice *d, kind_of_scene *s)
{
    s->law = dice_below(d, 3) == 0;
    if (!s->law) return;
    play_add(t, "contacts:\n  - {between: [a, a], restitution: %.3g, stick: {below: %.3g}}\n", dice_real(d, 0.3, 1),
             dice_real(d, 0.2, 1));
    if (dice_below(d, 2)) play_add(t, "  - {between: [a, b], restitution: 1, stick: always}\n");
}

static kind_of_scene write_scene(play_text *t, uint64_t seed, uint64_t events)
{
    static const uint32_t counts[] = {2, 3, 7, 20, 40, 80, 150, 300};
    static const double packings[] = {0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.45};
    static const char *const sizes[] = {"1", "{uniform: [0.5, 1]}", "{lognormal: [0.5, 0.3], min: 0.2, max: 1}"};
    static const char *const velocities[] = {"{maxwell: 1}", "{uniform: [-0.5, 0.5]}", "{circle: 1}"};
    dice d = {seed * 104729};
    kind_of_scene s = {.dimension = dice_below(&d, 2) ? 3 : 2, .count = counts[dice_below(&d, 8)]};
    s.packing = packings[dice_below(&d, 7)];
    s.lattice = dice_below(&d, 4) == 0;
    if (s.dimension == 3 && s.packing > 0.3) s.packing = 0.3;
    bool binary = !s.lattice && dice_below(&d, 2);
    const char *size = s.lattice ? sizes[0] : dice_word(&d, sizes, 3);
    s.largest = 1;
    *t = (play_text){.length = 0};
    play_add(t, "carom: 1\nengine: aggregation\ndimension: %d\nseed: %llu\n", s.dimension, (unsigned long long)seed);
    add_swarm_box(t, &d, &s);
    play_add(t, "species:\n  a: {diameter: %s, %s}\n  b: {diameter: %.3g, mass: %.3g}\n", size,
             dice_below(&d, 2) ? "mass: 1" : "density: 2", dice_real(&d, 0.1, 1), dice_real(&d, 0.1, 10));
    play_add(t, "particles:\n  - {species: %s, count: %u, place: %s, velocity: %s, zero_momentum: %s}\n",
             binary ? "{a: 1, b: 1}" : "a", s.count, s.lattice ? s.dimension == 2 ? "square" : "sc" : "random",
             dice_word(&d, velocities, 3), dice_below(&d, 2) ? "true" : "false");
    add_swarm_contacts(t, &d, &s);
    play_add(t, "run: {until: {events: %llu}}\n", (unsigned long long)events);
    return s;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void compare(uint64_t seed)
{
    static play_text t;
    kind_of_scene s = write_scene(&t, seed, 2500);
    outcome fast = run(t.text, NULL, 0, 0);
    printf("%4llu: %dd, %3u particles, packing %g, %s: %llu merges, %llu walls, %llu bounces, time %g, %s\n",
           (unsigned long long)seed, s.dimension, s.count, s.packing, s.law ? "law" : "all stick",
           (unsigned long long)fast.merge_count, (unsigned long long)fast.events[EVENT_WALL],
           (unsigned long long)fast.events[EVENT_COLLISION], fast.time, carom_stop_name(fast.stop));
    expect_same(&fast, run(t.text, "aggregation.reference=true", 0, 0), "reference", t.text);
    expect_same(&fast, run(t.text, NULL, 37, fast.time), "halting", t.text);
    expect_same(&fast, run(t.text, "aggregation.skin=0.05", 0, 0), "small skin", t.text);
    expect_same(&fast, run(t.text, "aggregation.skin=0.7", 0, 0), "skin 0.7", t.text);
    expect_same(&fast, run(t.text, "aggregation.skin=30", 0, 0), "large skin", t.text);
    free(fast.merges);
}

enum { GROUPS = 8, EACH = 7 };

START_TEST(scenes_of_all_kinds)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) compare(seed);
}
END_TEST

/* Enough particles for clusters that their plans treat as large, that wrap around the box, that leave the grid. */
START_TEST(many_particles)
{
    static const char *const scenes[] = {
        "dimension: 2\nbox: {packing_fraction: 0.2, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
        "particles: [{species: a, count: 784, place: square, velocity: {uniform: [-0.5, 0.5]}}]\n"
        "run: {until: {events: 2500}}\n",
        "dimension: 3\nbox: {packing_fraction: 0.1, boundary: periodic}\nspecies: {a: {diameter: 1, mass: 1}}\n"
        "particles: [{species: a, count: 600, place: random, velocity: {maxwell: 1}}]\nrun: {until: {events: 2500}}\n",
        "dimension: 2\nbox: {packing_fraction: 0.3, boundary: [periodic, wall]}\n"
        "species: {a: {diameter: {uniform: [0.5, 1]}, density: 1}}\n"
        "particles: [{species: a, count: 2500, place: random, velocity: {circle: 1}}]\nrun: {until: {events: 200}}\n",
    };
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: aggregation\nseed: 5\n%s", scenes[_i]);
    outcome fast = run(t.text, NULL, 0, 0);
    printf("%llu merges, %llu clusters left, hash %016llx\n", (unsigned long long)fast.merge_count,
           (unsigned long long)fast.clusters, (unsigned long long)fast.hash);
    expect_same(&fast, run(t.text, "aggregation.reference=true", 0, 0), "reference", t.text);
    free(fast.merges);
}
END_TEST

/* Dilute, and more particles than 32 x 64: clusters that are alone are found by a coarse grid, where its cells are as
 * wide as 32 skins; with the wider skins they are not. Large clusters are beside the grid: the second scene has
 * some. */
START_TEST(alone_by_a_grid)
{
    static const char *const scenes[] = {
        "dimension: 2\nbox: {packing_fraction: 0.001, boundary: periodic}\n"
        "particles: [{species: a, count: 5000, place: random, velocity: {maxwell: 1}}]\nrun: {until: {clusters: 40}}\n",
        "dimension: 2\nbox: {packing_fraction: 0.04, boundary: [wall, periodic]}\n"
        "particles: [{species: a, count: 5000, place: random, velocity: {circle: 1}}]\nrun: {until: {clusters: 40}}\n",
        "dimension: 3\nbox: {packing_fraction: 1e-3, aspect: [6, 3, 1], boundary: [periodic, wall, periodic]}\n"
        "particles: [{species: a, count: 8000, place: random, velocity: {maxwell: 1}}]\nrun: {until: {clusters: 60}}\n",
    };
    static const char *const narrow[] = {NULL, "aggregation.skin=0.5", "aggregation.skin=1.5"};
    static const char *const wide[] = {"aggregation.skin=25", "aggregation.skin=8", "aggregation.skin=5"};
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: aggregation\nseed: 7\nspecies: {a: {diameter: 1, mass: 1}}\n%s", scenes[_i]);
    outcome fast = run(t.text, narrow[_i], 0, 0);
    ck_assert_int_eq(fast.stop, CAROM_STOP_CLUSTERS);
    expect_same(&fast, run(t.text, wide[_i], 0, 0), "without the grid", t.text);
    expect_same(&fast, run(t.text, narrow[_i], 7, fast.time), "halting", t.text);
    free(fast.merges);
}
END_TEST

/* Impacts and walls go on, and slow the clusters down, while a merge becomes overdue: given up at the same time. */
START_TEST(given_up_alike)
{
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: aggregation\ndimension: %d\nseed: %d\naggregation: {patience: 20}\n"
             "box: {packing_fraction: 0.1, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 1, "
             "mass: 1}}\n"
             "contacts:\n  - {between: [a, b], restitution: 0.998, stick: {below: 1e-9}}\n"
             "  - {between: [b, b], restitution: 0.998, stick: {below: 1e-9}}\n"
             "particles:\n  - {species: {a: 3, b: 7}, count: 20, place: random, velocity: {maxwell: 1}}\n"
             "run: {until: {clusters: 1}}\n",
             2 + _i % 2, _i);
    outcome fast = run(t.text, NULL, 0, 0);
    ck_assert_int_eq(fast.stop, CAROM_STOP_NO_PROGRESS);
    ck_assert_uint_ge(fast.merge_count, 2);
    ck_assert_uint_gt(fast.events[EVENT_COLLISION], 800);
    expect_same(&fast, run(t.text, "aggregation.reference=true", 0, 0), "reference", t.text);
    expect_same(&fast, run(t.text, NULL, 37, 0.99 * fast.time), "halting", t.text);
    expect_same(&fast, run(t.text, "aggregation.skin=0.05", 0, 0), "small skin", t.text);
    free(fast.merges);
}
END_TEST

/* A column of 16 is hit again and again while what it does next is not known beyond a bound on its velocity. */
START_TEST(large_cluster_hit_again)
{
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: aggregation\ndimension: 2\nbox: {size: [60, 40], boundary: periodic}\n"
                 "species: {a: {diameter: 1, mass: 1}}\nrun: {until: {clusters: 1}}\nparticles:\n"
                 "  - {species: a, place: {at: [[27.3, 13], [31.908, 5], [10.868, 16], [33, 10], [35.476, 3]]},\n"
                 "     velocity: {each: [[17, 0], [-4.04, 0], [11.36, 0], [0, 0], [-1, 0]]}}\n"
                 "  - {species: a, place: {at: [");
    for (int k = 0; k < 16; k++) play_add(&t, "%s[30, %.17g]", k > 0 ? ", " : "", 10 + 1.001 * (k - 8));
    play_add(&t, "]}, velocity: {each: [");
    for (int k = 0; k < 16; k++) play_add(&t, "%s[0, %g]", k > 0 ? ", " : "", k < 8 ? 0.1 : k > 8 ? -0.1 : 0);
    play_add(&t, "]}}\n");
    outcome fast = run(t.text, NULL, 0, 0);
    ck_assert_int_eq(fast.stop, CAROM_STOP_CLUSTERS);
    expect_same(&fast, run(t.text, "aggregation.reference=true", 0, 0), "reference", t.text);
    free(fast.merges);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *more = suite_ci_case(), *rest = suite_long_case();
    tcase_add_loop_test(rest, scenes_of_all_kinds, 0, 2);
    tcase_add_loop_test(rest, scenes_of_all_kinds, 5, GROUPS);
    tcase_add_loop_test(all, scenes_of_all_kinds, 2, 5);
    tcase_add_test(all, large_cluster_hit_again);
    suite_split_loop(more, rest, many_particles, 1, 3);
    suite_split_loop(all, rest, alone_by_a_grid, 2, 3);
    tcase_add_loop_test(all, given_up_alike, 0, 6);
    tcase_set_timeout(all, 300);
    return suite_run("aggregation paths", all, more, rest);
}
