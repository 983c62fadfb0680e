/* Detects copies of bodies that differ from their template, overlap, prefer orientations, have wrong velocities, or whose bits
 * depend on threads, the reference or checkpoints.
 * Exact: moments of a box, equipartition, sliding on a slope, conservation. Bounds of what steps decide are three times the
 * largest deviation, those of random numbers three standard errors. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"
#include "scene/copies.h"
#include "sim/scene_api.h"

#include <math.h>
#include <unistd.h>

static play_text text;

static play open_scene(const char *body, const char *set)
{
    text.length = 0;
    play_add(&text, "carom: 1\nengine: variational\ndimension: 3\nrun: {until: {time: 1e6}}\n%s", body);
    return play_open(text.text, set);
}

static const carom_frame *frame(play *p)
{
    return carom_sim_frame(p->sim);
}

static double budget(play *p)
{
    json_t *summary = play_summary(p);
    const double total = play_number(summary, "energy.total") + play_number(summary, "energy.dissipated");
    json_decref(summary);
    return total;
}

/* Edges of a box from its first corner along x, y and z: vertices 0, 4, 2 and 1 of the generated mesh. */
static void edges_of(const carom_frame *f, const double *x, size_t solid, double edge[3][3])
{
    static const uint32_t along[3] = {4, 2, 1};
    const uint32_t first = f->solid[solid].first;
    for (int q = 0; q < 3; q++)
        for (size_t k = 0; k < 3; k++) edge[q][k] = x[3 * (first + along[q]) + k] - x[3 * first + k];
}

/* The mean over the corners of a box, which is its centre. */
static void centre_of(const carom_frame *f, const double *x, size_t solid, double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = 0;
        for (size_t n = 0; n < f->solid[solid].count; n++)
            out[k] += x[3 * (f->solid[solid].first + n) + k] / f->solid[solid].count;
    }
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- many copies ------------------------------------------------------------------------------------------------- */

#define BRICK "{box: {size: [0.6, 0.4, 0.8]}}"
enum { MANY = 2000 };
static const double sides[3] = {0.6, 0.4, 0.8}, mass = 2 * 0.6 * 0.4 * 0.8, thickness = 0.02;
#define GAS                                                                                                            \
    "box: {size: 24, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                                          \
    "meshes:\n  - {name: brick, shape: " BRICK ", thickness: 0.02, velocity: [3, 0, 0]}\n"                             \
    "bodies:\n  - {name: bricks, mesh: brick, density: 2, copies: {count: 2000, velocity: {maxwell: 1.5}, "            \
    "angular_velocity: {maxwell: 0.5}}}\n"

/* Of a box, from its frame: columns of the rotation; its angular velocity along them. */
static void turning(const carom_frame *f, size_t n, double axis[3][3], double within[3])
{
    double rate[3][3];
    edges_of(f, carom_frame_positions(f), n, axis);
    edges_of(f, carom_frame_velocities(f), n, rate);
    for (int q = 0; q < 3; q++)
        for (int k = 0; k < 3; k++) {
            axis[q][k] /= -sides[q];
            rate[q][k] /= -sides[q];
        }
    for (int q = 0; q < 3; q++) within[q] = dot(rate[(q + 1) % 3], axis[(q + 2) % 3]); /* w_q = (w x e_1) . e_2 */
}

START_TEST(many_copies)
{
    play p = open_scene(GAS, NULL);
    const carom_frame *f = frame(&p);
    const double *v = carom_frame_velocities(f);
    const double square[3] = {mass / 12 * (0.16 + 0.64), mass / 12 * (0.36 + 0.64), mass / 12 * (0.36 + 0.16)};
    double mean[3][3] = {{0}}, second[3][3] = {{0}}, drift[3] = {0}, heat = 0, spin[3] = {0}, skew = 0, weight = 0;
    ck_assert_uint_eq(f->solids, MANY);
    ck_assert_uint_eq(f->count, 8 * MANY);
    for (size_t n = 0; n < MANY; n++) {
        double axis[3][3], within[3], across[3], speed[3];
        ck_assert_uint_eq(f->solid[n].first, 8 * n);
        turning(f, n, axis, within);
        centre_of(f, v, n, speed);
        for (int q = 0; q < 3; q++)
            for (int k = 0; k < 3; k++) {
                mean[q][k] += axis[q][k] / MANY;
                second[q][k] += axis[q][k] * axis[q][k] / MANY;
                weight = fmax(weight, fabs(dot(axis[q], axis[k]) - (q == k)));
            }
        cross(axis[0], axis[1], across);
        skew = fmax(skew, fabs(dot(across, axis[2]) - 1));
        for (int k = 0; k < 3; k++) {
            const double own = speed[k] - (k == 0 ? 3 : 0);
            drift[k] += own / MANY;
            heat += mass * own * own / (3 * MANY);
            spin[k] += square[k] * within[k] * within[k] / MANY;
        }
    }
    EXPECT_CLOSE("edges, off orthogonal by at most", weight, 0, 1e-13);
    EXPECT_CLOSE("no reflection", skew, 0, 1e-13);
    for (int q = 0; q < 3; q++)
        for (int k = 0; k < 3; k++) {
            EXPECT_CLOSE("mean of an axis", mean[q][k], 0, 3 * sqrt(1.0 / 3 / MANY));
            EXPECT_CLOSE("mean square of an axis", second[q][k], 1.0 / 3, 3 * sqrt(4.0 / 45 / MANY));
        }
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("mean velocity", drift[k], 0, 3 * sqrt(1.5 / mass / MANY));
    EXPECT_CLOSE("temperature", heat, 1.5, 3 * 1.5 * sqrt(2.0 / 3 / MANY));
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("temperature of spins", spin[k], 0.5, 3 * 0.5 * sqrt(2.0 / MANY));
    play_close(&p);
}
END_TEST

/* Spheres around copies touch neither each other nor particles, meshes and sides of the region; places do not depend on
 * orientations. */
static const char *const crowd =
    "box: {size: [9, 9, 9], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"
    "particles:\n  - {species: a, place: {at: [[4, 4, 4], [6, 4, 4]]}}\n"
    "  - {species: a, count: 12, place: random}\n"
    "meshes:\n  - {name: brick, shape: " BRICK ", thickness: 0.02}\n"
    "  - {name: post, shape: {box: {size: [1, 1, 6]}}, place: {at: [2, 2, 4]}, "
    "rigid: true, thickness: 0.02}\n"
    "bodies:\n  - {name: bricks, mesh: brick, density: 2, copies: {count: 60, place: "
    "{random: {region: {ball: {centre: [4.5, 4.5, 4.5], radius: 4.4}}}}}}\nvariational: {stiffness: 1e4}\n";

START_TEST(copies_keep_apart)
{
    const double reach = 0.5 * sqrt(0.36 + 0.16 + 0.64) + 0.5 * thickness;
    play p = open_scene(crowd, NULL), fixed = open_scene(crowd, "bodies.0.copies.orientation=fixed");
    const carom_frame *f = frame(&p);
    const double *x = carom_frame_positions(f), *straight = carom_frame_positions(frame(&fixed));
    double nearest = INFINITY, outside = -INFINITY, moved = 0, turned = 0;
    ck_assert_uint_eq(f->solids, 60);
    ck_assert_uint_eq(f->solid[0].first, 14); /* particles, then copies, then the post: the order of the scene */
    for (size_t n = 0; n < 60; n++) {
        double at[3], other[3], edge[3][3], gap;
        centre_of(f, x, n, at);
        for (size_t m = 0; m < n; m++) {
            centre_of(f, x, m, other);
            gap = -2 * reach;
            gap += sqrt(pow(at[0] - other[0], 2) + pow(at[1] - other[1], 2) + pow(at[2] - other[2], 2));
            nearest = fmin(nearest, gap);
        }
        for (size_t i = 0; i < 2; i++) {
            gap = -reach - 0.5;
            gap += sqrt(pow(at[0] - x[3 * i], 2) + pow(at[1] - x[3 * i + 1], 2) + pow(at[2] - x[3 * i + 2], 2));
            nearest = fmin(nearest, gap);
        }
        const double post = hypot(fmax(fabs(at[0] - 2) - 0.5, 0), fmax(fabs(at[1] - 2) - 0.5, 0));
        if (at[2] > 1 && at[2] < 7) nearest = fmin(nearest, post - reach - 0.5 * thickness);
        outside = fmax(outside, sqrt(pow(at[0] - 4.5, 2) + pow(at[1] - 4.5, 2) + pow(at[2] - 4.5, 2)) + reach - 4.4);
        centre_of(frame(&fixed), straight, n, other);
        for (int k = 0; k < 3; k++) moved = fmax(moved, fabs(at[k] - other[k]));
        edges_of(frame(&fixed), straight, n, edge);
        for (int k = 0; k < 3; k++) turned = fmax(turned, fabs(edge[k][k] + sides[k]));
    }
    printf("nearest gap %g, outermost %g\n", nearest, outside);
    ck_assert(nearest > -1e-12 && nearest < 0.1);
    ck_assert(outside < 1e-12 && outside > -0.5);
    EXPECT_CLOSE("places with fixed orientations", moved, 0, 1e-13);
    EXPECT_CLOSE("edges of fixed copies", turned, 0, 1e-13);
    play_close(&p);
    play_close(&fixed);
}
END_TEST

/* The list of the scene: names, order, references. */
START_TEST(lists_are_expanded)
{
    static const char *const names[] = {"post", "a.0", "a.1", "a.2", "lid", "b.0", "b.1"};
    static const size_t templates[] = {0, 1, 1, 1, 4, 5, 5}, watched[] = {5, 6, 1, 2, 3};
    play p = open_scene("box: {size: 9, boundary: wall}\nspecies: {s: {diameter: 1, mass: 1}}\n"
                        "meshes:\n  - {name: post, shape: {box: {size: [1, 1, 6]}}, place: {at: [2, 2, 4]}, "
                        "rigid: true, thickness: 0.02}\n"
                        "  - {name: a, shape: " BRICK ", thickness: 0.02}\n"
                        "  - {name: lid, shape: {box: {size: [8, 8, 0.1]}}, rigid: true, thickness: 0.1, "
                        "place: {at: [4.5, 4.5, 8]}}\n"
                        "  - {name: b, shape: {capsule: {length: 0.5, radius: 0.3, around: 6}}, thickness: 0.02}\n"
                        "bodies:\n  - {name: second, mesh: b, density: 1, copies: {count: 2}}\n"
                        "  - {name: first, mesh: a, density: 1, copies: {place: {at: [[5, 5, 2], [5, 5, 3], [5, 5, "
                        "4]]}, orientation: fixed, velocity: {each: [[0, 0, 0], [0, 0, 1], [0, 0, 2]]}}}\n"
                        "drives: [{name: lift, mesh: lid, motion: [{velocity: [0, 0, 1]}], start: {when: {slower: 1, "
                        "for: 1, every: 1, meshes: [b, a]}}}]\n",
                        NULL);
    json_t *summary = play_summary(&p), *bodies = json_object_get(summary, "bodies");
    const char *resolved = carom_scene_resolved(p.scene);
    const carom_frame *f = frame(&p);
    size_t k = 0;
    ck_assert_uint_eq(json_object_size(bodies), 5);
    for (k = 0; k < 3; k++) {
        double at[3], speed[3];
        centre_of(f, carom_frame_positions(f), k, at);
        centre_of(f, carom_frame_velocities(f), k, speed);
        EXPECT_CLOSE("listed height", at[2], 2 + (double)k, 1e-14);
        EXPECT_CLOSE("listed velocity", speed[2], (double)k, 1e-14);
    }
    const char *const solids[] = {"first.0", "first.1", "first.2", "second.0", "second.1"};
    for (k = 0; k < 5; k++) ck_assert_ptr_nonnull(json_object_get(bodies, solids[k]));
    EXPECT_CLOSE("mass", play_number(json_object_get(bodies, "first.2"), "mass"), 0.192, 1e-15);
    const scene *s = p.scene->checked;
    ck_assert_uint_eq(s->mesh_count, 7);
    for (k = 0; k < 7; k++) {
        ck_assert_str_eq(s->meshes[k].name, names[k]);
        ck_assert(!s->meshes[k].copied || s->meshes[k].copy_of == templates[k]);
    }
    ck_assert_uint_eq(s->drives[0].mesh, 4);
    ck_assert_uint_eq(s->drives[0].start.when.mesh_count, 5);
    for (k = 0; k < 5; k++) ck_assert_uint_eq(s->drives[0].start.when.meshes[k], watched[k]);
    ck_assert_ptr_nonnull(strstr(resolved, "copies: {count: 2, place: random, orientation: random, velocity: zero}"));
    json_decref(summary);
    play_close(&p);
}
END_TEST

/* ---- dynamics ---------------------------------------------------------------------------------------------------- */

/* Slabs slide down a slope with g (sin - mu cos). */
START_TEST(boxes_slide)
{
    play p = open_scene("box: {size: [60, 20, 10], boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"
                        "planes: [{name: slope, point: [0, 0, 1], normal: [0, 0, 1]}]\n"
                        "meshes: [{name: slab, shape: {box: {size: [1, 1, 0.3]}}, thickness: 0.1}]\n"
                        "bodies: [{name: slabs, mesh: slab, density: 2, copies: {orientation: fixed, place: {at: "
                        "[[3, 5, 1.2], [3, 10, 1.2]]}}}]\n"
                        "contacts: [{between: [a, slope], restitution: 0, friction: 0.3}]\n"
                        "fields: {gravity: [4, 0, -8]}\nvariational: {stiffness: 1e4}\n",
                        NULL);
    double speed[2][3], later[2][3];
    play_advance(&p, 1);
    for (size_t n = 0; n < 2; n++) centre_of(frame(&p), carom_frame_velocities(frame(&p)), n, speed[n]);
    play_advance(&p, 3);
    for (size_t n = 0; n < 2; n++) {
        centre_of(frame(&p), carom_frame_velocities(frame(&p)), n, later[n]);
        EXPECT_CLOSE("acceleration", 0.5 * (later[n][0] - speed[n][0]), 4 - 0.3 * 8, 1.7e-4);
    }
    EXPECT_CLOSE("both alike", later[1][0], later[0][0], 1e-14);
    play_close(&p);
}
END_TEST

/* A cloud of capsules and boxes, without gravity. */
#define CLOUD                                                                                                          \
    "seed: 5\nbox: {size: 8, boundary: open}\nspecies: {a: {diameter: 1, mass: 1}}\n"                                  \
    "meshes:\n  - {name: pill, shape: {capsule: {length: 0.6, radius: 0.3, around: 5}}, thickness: 0.1}\n"             \
    "  - {name: brick, shape: " BRICK ", thickness: 0.1}\n"                                                            \
    "bodies:\n  - {name: pills, mesh: pill, density: 1, copies: {place: {at: [[3, 3, 3], [3, 5, 3.2]]}, velocity: "    \
    "{each: [[1, 0.6, 0.4], [1, -0.6, 0]]}, angular_velocity: {maxwell: 0.05}}}\n"                                     \
    "  - {name: bricks, mesh: brick, density: 1, copies: {place: {at: [[5, 3, 3], [5, 5, 3]]}, velocity: "             \
    "{each: [[-1, 0.5, 0.2], [-1, -0.5, 0]]}, angular_velocity: {maxwell: 0.05}}}\n"

static void angular_momentum(const carom_frame *f, double sum[3])
{
    (void)carom_frame_positions(f);
    (void)carom_frame_velocities(f);
    memset(sum, 0, 3 * sizeof *sum);
    for (size_t n = 0; n < f->solids; n++)
        for (int a = 0; a < 4; a++) {
            const frame_solid *s = &f->solid[n];
            double p[3] = {0}, moment[3];
            for (size_t k = 0; k < 3; k++)
                for (int b = 0; b < 4; b++) p[k] += s->share_mass[a][b] * f->velocity[3 * s->corner[b] + k];
            cross(f->position + 3 * (size_t)s->corner[a], p, moment);
            for (int k = 0; k < 3; k++) sum[k] += moment[k];
        }
}

START_TEST(cloud_conserves)
{
    play p = open_scene(CLOUD "contacts: [{between: [a, a], restitution: 1}]\nvariational: {stiffness: 1e4}\n", NULL);
    double start[3], now[3], off = 0;
    const frame_energy first = frame_energy_of(frame(&p));
    angular_momentum(frame(&p), start);
    play_advance(&p, 4);
    const frame_energy last = frame_energy_of(frame(&p));
    angular_momentum(frame(&p), now);
    ck_assert_uint_gt(frame(&p)->events[EVENT_COLLISION], 4);
    for (int k = 0; k < 3; k++) {
        EXPECT_CLOSE("momentum", last.momentum[k], first.momentum[k], 2.6e-15);
        off = fmax(off, fabs(now[k] - start[k]));
    }
    EXPECT_CLOSE("angular momentum, off by at most", off, 0, 6.3e-5);
    EXPECT_CLOSE("energy", last.kinetic, first.kinetic, 6.9e-7);
    play_close(&p);
}
END_TEST

/* ---- the same bits ----------------------------------------------------------------------------------------------- */

#define POUR(pills, bricks)                                                                                            \
    "seed: 7\nbox: {size: [3, 3, 8], boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"                          \
    "meshes:\n  - {name: pill, shape: {capsule: {length: 0.5, radius: 0.25, around: 4}}, thickness: 0.1}\n"            \
    "  - {name: brick, shape: " BRICK ", thickness: 0.1}\n"                                                            \
    "bodies:\n  - {name: pills, mesh: pill, density: 1, copies: {count: " pills ", velocity: {maxwell: 0.1}}}\n"       \
    "  - {name: bricks, mesh: brick, density: 1, copies: {count: " bricks "}}\n"                                       \
    "contacts:\n  - {between: [a, a], restitution: 0.3, friction: 0.4}\n"                                              \
    "  - {between: [a, wall], restitution: 0.3, friction: 0.4}\nfields: {gravity: [0, 0, -5]}\n"

#define FEW                                                                                                            \
    "seed: 7\nbox: {size: 2.7, boundary: wall}\nspecies: {a: {diameter: 1, mass: 1}}\n"                                \
    "meshes: [{name: brick, shape: " BRICK ", thickness: 0.1, velocity: [0, 0, -2]}]\n"                                \
    "bodies: [{name: bricks, mesh: brick, density: 1, copies: {count: 3, velocity: {circle: 1}}}]\n"                   \
    "contacts:\n  - {between: [a, a], restitution: 0.3, friction: 0.4}\n"                                              \
    "  - {between: [a, wall], restitution: 0.3, friction: 0.4}\nfields: {gravity: [0, 0, -5]}\n"

START_TEST(reference_and_threads_agree)
{
    const carom_options two = {.threads = 2};
    play fast = open_scene(FEW, NULL), slow = open_scene(FEW, "variational.reference=true");
    play team = play_try(text.text, NULL, &two);
    for (int n = 1; n <= 3; n++) {
        play_advance(&fast, 0.13 * n);
        play_advance(&slow, 0.13 * n);
        play_advance(&team, 0.13 * n);
        ck_assert_uint_eq(play_hash(&fast), play_hash(&slow));
        ck_assert_uint_eq(play_hash(&fast), play_hash(&team));
    }
    ck_assert_uint_gt(frame(&fast)->events[EVENT_COLLISION] + frame(&fast)->events[EVENT_WALL], 3);
    play_close(&fast);
    play_close(&slow);
    play_close(&team);
}
END_TEST

/* Halted in the midst of contacts, and continued from the file alone. */
START_TEST(resumed_runs_agree)
{
    char path[100], checkpoint[120];
    snprintf(path, sizeof path, "copies-%ld.h5", (long)getpid());
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
    play whole = open_scene(POUR("3", "3"), "run.until.time=1.2");
    (void)carom_sim_run(whole.sim);
    const uint64_t wanted = play_hash(&whole);
    play_close(&whole);
    for (int n = 1; n <= 3; n++) {
        carom_options options = {.output = path, .force = n == 1, .resume = n > 1};
        play p = play_try(text.text, "run.until.time=1.2", &options);
        if (p.created != CAROM_OK) ck_abort_msg("%s", carom_sim_message(p.sim));
        if (n < 3) {
            play_advance(&p, 0.5 * n);
            carom_sim_request_stop(p.sim);
        }
        (void)carom_sim_run(p.sim);
        if (n == 3) ck_assert_uint_eq(play_hash(&p), wanted);
        play_close(&p);
    }
    remove(path);
    remove(checkpoint);
}
END_TEST

/* 27 grains come to rest on the floor, and the energy balance holds. */
START_TEST(pour_comes_to_rest)
{
    play p = open_scene(POUR("13", "14"), "box.size=[3, 3, 14]");
    const double whole = budget(&p);
    play_advance(&p, 8);
    const frame_energy last = frame_energy_of(frame(&p));
    printf("kinetic energy %g, potential %g\n", last.kinetic, last.potential);
    EXPECT_CLOSE("energy balance", budget(&p), whole, 3.9e-4);
    EXPECT_CLOSE("kinetic energy", last.kinetic, 0, 2.4e-8);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_test(all, many_copies);
    tcase_add_test(all, copies_keep_apart);
    tcase_add_test(all, lists_are_expanded);
    tcase_add_test(all, boxes_slide);
    tcase_add_test(all, cloud_conserves);
    tcase_add_test(all, reference_and_threads_agree);
    tcase_add_test(all, resumed_runs_agree);
    tcase_add_test(rest, pour_comes_to_rest);
    tcase_set_timeout(all, 300);
    return suite_run("copies", all, rest);
}
