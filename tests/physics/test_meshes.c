/* Detects differences in bits between fast path and reference for rigid meshes in the engine `hard`, and particles
 * that pass through a mesh. */
#include "../support/random_scene.h"
#include "../support/suite.h"

#include <math.h>

/* ---- random scenes ----------------------------------------------------------------------------------------------- */

static const char *const shapes[] = {
    "solid: {kind: cube, radius: 6, parts: 1}",       "solid: {kind: tetrahedron, radius: 8, parts: 2}",
    "solid: {kind: octahedron, radius: 6, parts: 3}", "sphere: {radius: 5, parts: 3}",
    "globe: {radius: 5, around: 30, rings: 3}", /* slivers at the poles */
};

static const char *const obstacles[] = {
    "solid: {kind: icosahedron, radius: 1.5}",
    "torus: {radius: 1.2, tube: 0.4, around: 9, across: 6}",
    "spikes: {length: 3, width: 3, along: 2, across: 2, height: 1.5, radius: 0.4}",
    "prism: {width: 0.1, height: 3, length: 3, along: 3}",
    "rectangle: {length: 4, width: 0.02, along: 1, across: 1}",
};

static void add_motion(play_text *t, dice *d, bool cage)
{
    static const char *const motions[] = {
        "{velocity: [0.3, 0, 0]}, {time: 1, velocity: [-0.3, 0, 0]}, {time: 3, velocity: [0, 0, 0]}",
        "{turn: {axis: [0, 1, 1], through: [5, 5, 5], rate: 0.7}}, {time: 4, turn: {axis: [1, 0, 0], through: [5, 5, "
        "5], "
        "rate: -2}}",
        "{oscillate: {by: [0, 0.1, 0.3], frequency: 0.5}}",
        "{oscillate: {by: [0.2,0,0], frequency: 0.2, phase: 1}, turn: {axis: [0,0,1], through: [5,5,5], rate: 0.5}}",
    };
    play_add(t, "drives:\n  - {name: mover, mesh: solid, motion: [%s]}\n", dice_word(d, motions, 4));
    if (!cage)
        play_add(t, "  - {name: shaker, plane: floor, motion: [{oscillate: {by: [0, 0, 0.4], frequency: 1}}]}\n");
}

/* A gas in a cage, or around obstacles in a box. */
static void write_scene(play_text *t, uint64_t seed, bool moves, uint64_t events)
{
    static const char *const laws[] = {"1", "0.9", "0.5", "{viscoelastic: 0.3}"};
    static const char *const boundaries[] = {"periodic", "wall", "[periodic, wall, wall]",
                                             "[periodic, periodic, wall]"};
    static const char *const precisions[] = {"double", "double", "double", "double", "long_double", "float"};
    dice d = {seed * 104729 + 7};
    const bool cage = dice_below(&d, 2) == 0, gravity = dice_below(&d, 3) == 0;
    const uint32_t boundary = moves ? 1 : dice_below(&d, 4);
    t->length = 0;
    play_add(t, "carom: 1\nengine: hard\ndimension: 3\nseed: %llu\n", (unsigned long long)seed);
    play_add(t, "box: {size: [10, 10, 10], boundary: %s}\n", cage ? "open" : boundaries[boundary]);
    play_add(t, "species:\n  a: {diameter: {uniform: [0.6, 1]}, mass: 1}\n  m: {diameter: 1, mass: 1}\n");
    play_add(t, "meshes:\n  - {name: solid, shape: {%s}, place: {at: [5, 5, 5]%s}, species: m, rigid: true%s}\n",
             cage ? dice_word(&d, shapes, 5) : dice_word(&d, obstacles, 5), ", rotate: {axis: [1, 2, 3], angle: 0.7}",
             dice_below(&d, 2) ? ", thickness: 0.1" : "");
    if (moves && !cage) play_add(t, "planes: [{name: floor, point: [0, 0, 0.3], normal: [0, 0, 1]}]\n");
    play_add(t, "particles:\n  - {species: a, place: {at: [");
    for (int n = 0; n < 8; n++) {
        const double far = cage ? 0.75 : 3.5, x[3] = {n & 1 ? far : -far, n & 2 ? far : -far, n & 4 ? far : -far};
        play_add(t, "%s[%g, %g, %g]", n > 0 ? ", " : "", 5 + x[0] + dice_real(&d, -0.1, 0.1),
                 5 + x[1] + dice_real(&d, -0.1, 0.1), 5 + x[2] + dice_real(&d, -0.1, 0.1));
    }
    play_add(t, "]}, velocity: {maxwell: 1}}\ncontacts:\n  - {between: [a, a], restitution: %s}\n",
             dice_word(&d, laws, 4));
    play_add(t, "  - {between: [a, m], restitution: %s}\n", dice_word(&d, laws, 4));
    if (gravity) play_add(t, "fields: {gravity: [0.1, 0, -1]}\n");
    play_add(t, "hard: {precision: %s, collapse: {policy: tc, tc: 1e-4}}\n", dice_word(&d, precisions, 6));
    if (moves) add_motion(t, &d, cage);
    play_add(t, "run: {until: {events: %llu, time: 200}}\n", (unsigned long long)events);
}

typedef struct outcome {
    uint64_t hash, collisions, walls;
    double overlap, time;
    carom_stop stop;
} outcome;

static outcome run(const char *text, const char *set)
{
    play p = play_open(text, set);
    (void)carom_sim_run(p.sim);
    const carom_frame *f = carom_sim_frame(p.sim);
    outcome o = {f->state_hash, f->events[EVENT_COLLISION], f->events[EVENT_WALL], f->tallies.max_overlap,
                 f->time,       carom_sim_stop(p.sim)};
    play_close(&p);
    return o;
}

static void compare(uint64_t seed, bool moves)
{
    static play_text t;
    write_scene(&t, seed, moves, 400);
    outcome fast = run(t.text, NULL), slow = run(t.text, "hard.reference=true");
    printf("%3llu: %llu collisions, %llu with walls, overlap %.2g, time %g, %s\n", (unsigned long long)seed,
           (unsigned long long)fast.collisions, (unsigned long long)fast.walls, fast.overlap, fast.time,
           carom_stop_name(fast.stop));
    if (fast.hash != slow.hash || fast.stop != slow.stop || fast.overlap != slow.overlap)
        ck_abort_msg("seed %llu: fast and reference differ: %s, %s\n%s", (unsigned long long)seed,
                     carom_stop_name(fast.stop), carom_stop_name(slow.stop), t.text);
}

enum { GROUPS = 4, EACH = 10 };

START_TEST(still_meshes)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) compare(seed, false);
}
END_TEST

START_TEST(moving_meshes)
{
    for (uint64_t seed = (uint64_t)_i * EACH; seed < (uint64_t)(_i + 1) * EACH; seed++) compare(seed, true);
}
END_TEST

/* Bodies that have left for good are looked at for as long as what moves behind them may. */
START_TEST(long_way_off)
{
    static const char text[] =
        "carom: 1\nengine: hard\nseed: 412\nbox: {size: [6, 7.8, 6.5], boundary: open}\n"
        "species: {a: {diameter: 1, mass: 1}}\n"
        "particles: [{species: a, count: 14, place: random, velocity: {maxwell: 1}}]\n"
        "meshes: [{name: m, shape: {solid: {kind: tetrahedron, radius: 1.4}}, place: {at: [3, 3, 3]}, rigid: true}]\n"
        "drives: [{name: d, mesh: m, motion: [{turn: {axis: [1, -0.2, 0.3], through: [3, 3, 3], rate: 0.83}, "
        "oscillate: {by: [0.2, 0, 0.1], frequency: 0.4}}]}]\nrun: {until: {time: 1000}}\n";
    const outcome fast = run(text, NULL), slow = run(text, "hard.reference=true");
    ck_assert_int_eq(fast.stop, CAROM_STOP_TIME);
    ck_assert(fast.hash == slow.hash);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("meshes"), *more = suite_ci_case();
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(more, still_meshes, 0, 3);
    tcase_add_loop_test(c, still_meshes, 3, GROUPS);
    tcase_add_loop_test(more, moving_meshes, 0, 1);
    tcase_add_loop_test(c, moving_meshes, 1, 2);
    tcase_add_loop_test(more, moving_meshes, 2, GROUPS);
    tcase_add_test(c, long_way_off);
    return suite_run("meshes", c, more);
}
