/* Detects wrong collisions with rigid meshes in the engine `hard`, in cases with an exact answer, and particles that
 * pass through a mesh. */
#include "../support/expect.h"
#include "../support/momenta.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "scene/state.h"
#include "sim/scene_api.h"

/* ---- billiards --------------------------------------------------------------------------------------------------- */

/* Between two walls: a zigzag. */
static double zigzag(double x, double low, double high)
{
    const double width = high - low, turns = fmod(x - low, 2 * width), at = turns < 0 ? turns + 2 * width : turns;
    return low + (at < width ? at : 2 * width - at);
}

/* A box of triangles: where they meet is flat, and not felt. (A hit within 1e-8 of an edge may take its normal from
 * there, since distances do not tell the two apart; numbers as below do not come so near.) */
START_TEST(box_of_triangles)
{
    static const char *const parts[] = {"1", "7"};
    const double start[3] = {3, 4, 5.5}, v[3] = {1.1234567, 0.7345678, -1.3141592}, time = 3000;
    static play_text t;
    t.length = 0;
    play_add(&t, "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [10, 10, 10], boundary: open}\n"
                 "species: {a: {diameter: 1, mass: 1}}\n");
    play_add(&t,
             "meshes: [{name: box, shape: {solid: {kind: cube, radius: 8.660254037844386, parts: %s}}, "
             "place: {at: [5, 5, 5]}, rigid: true}]\n",
             parts[_i]);
    play_add(
        &t,
        "particles: [{species: a, place: {at: [[3, 4, 5.5]]}, velocity: {each: [1.1234567, 0.7345678, -1.3141592]}}]\n"
        "run: {until: {time: 3000}}\n");
    play p = play_open(t.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%llu hits\n", (unsigned long long)f->events[EVENT_WALL]);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("place", f->position[k], zigzag(start[k] + time * v[k], 0.5, 9.5), 1e-9);
    play_close(&p);
}
END_TEST

/* ---- leaks ------------------------------------------------------------------------------------------------------- */

static double half_angle(const double a[3], const double b[3], const double c[3])
{
    double volume = 0, ab = 0, bc = 0, ca = 0, u = 0, v = 0, w = 0;
    for (int k = 0; k < 3; k++) {
        volume += a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]);
        ab += a[k] * b[k];
        bc += b[k] * c[k];
        ca += c[k] * a[k];
        u += a[k] * a[k];
        v += b[k] * b[k];
        w += c[k] * c[k];
    }
    return atan2(volume, sqrt(u * v * w) + ab * sqrt(w) + bc * sqrt(u) + ca * sqrt(v));
}

/* How often a mesh winds around a place. */
static double winding(const mesh *m, const double x[3])
{
    double sum = 0;
    for (size_t n = 0; n < m->triangle_count; n++) {
        double at[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) at[c][k] = m->vertices[m->triangles[n][c]][k] - x[k];
        sum += half_angle(at[0], at[1], at[2]);
    }
    return sum / 6.283185307179586;
}

typedef struct cage {
    const char *shape, *place, *at, *extra;
} cage;

static const cage cages[] = {
    /* thousands of slivers that meet in the poles */
    {"globe: {radius: 1, around: 600, rings: 2}", "{at: [5, 5, 5], rotate: {axis: [1, 1, 0], angle: 1}}",
     "[5, 5, 5], [5.1, 5.2, 5.1]", ""},
    /* concave, and a sharp wedge */
    {"torus: {radius: 1, tube: 0.4, around: 12, across: 5}", "{at: [5, 5, 5]}", "[6, 5, 5], [4, 5, 5], [5, 6, 5]", ""},
    {"prism: {width: 0.1, height: 2, length: 1, along: 1}", "{at: [5, 5, 5]}", "[5, 5, 5.3], [5, 5.1, 5.5]", ""},
    /* down into the edges and corners */
    {"solid: {kind: tetrahedron, radius: 1, parts: 3}", "{at: [5, 5, 5]}", "[5, 5, 5], [5, 5.1, 5]",
     "fields: {gravity: [0.3, 0.1, -1]}\n"},
    /* turns and swings */
    {"solid: {kind: cube, radius: 1, parts: 2}", "{at: [5, 5, 5]}", "[5, 5, 5], [5.1, 5, 5], [5, 5.1, 5]",
     "drives: [{name: d, mesh: cage, motion: [{turn: {axis: [1, 2, 3], through: [5.2, 5, 5], rate: 0.7}, "
     "oscillate: {by: [0.1, 0.2, 0], frequency: 0.3}}]}]\n"},
};

/* Small spheres in closed meshes, for a long time; the mesh is where the frame's vertices are. */
START_TEST(none_leaks)
{
    const cage *c = &cages[_i];
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: hard\ndimension: 3\nseed: 5\nbox: {size: [10, 10, 10], boundary: open}\n"
             "species: {a: {diameter: 1e-3, mass: 1}}\nmeshes: [{name: cage, shape: {%s}, place: %s, rigid: true}]\n",
             c->shape, c->place);
    play_add(&t, "particles: [{species: a, place: {at: [%s]}, velocity: {maxwell: 1}}]\n%s", c->at, c->extra);
    play_add(&t, "run: {until: {events: 40000}}\n");
    play p = play_open(t.text, NULL);
    initial_state s;
    error e = {0};
    ck_assert_int_eq(state_create(&s, p.scene->checked, &e), CAROM_OK);
    for (int look = 1; look <= 40 && carom_sim_stop(p.sim) == CAROM_STOP_NONE; look++) {
        play_advance(&p, 25.0 * look);
        const carom_frame *f = carom_sim_frame(p.sim);
        memcpy(s.meshes[0].vertices, f->position + 3 * s.mesh_first[0], s.meshes[0].vertex_count * sizeof(double[3]));
        for (size_t i = 0; i < s.mesh_first[0]; i++)
            ck_assert_msg(fabs(winding(&s.meshes[0], f->position + 3 * i) - 1) < 1e-6, "particle %zu is out at %g", i,
                          f->time);
    }
    const carom_frame *f = carom_sim_frame(p.sim);
    printf("%llu hits until %g, deepest overlap %.2g\n", (unsigned long long)f->events[EVENT_WALL], f->time,
           f->tallies.max_overlap);
    ck_assert_uint_gt(f->events[EVENT_WALL], 1000);
    ck_assert(f->tallies.max_overlap < 1e-12);
    state_free(&s);
    play_close(&p);
}
END_TEST

/* ---- what moves -------------------------------------------------------------------------------------------------- */

/* A vessel of triangles. */
START_TEST(turning_vessel)
{
    static const char text[] =
        "carom: 1\nengine: hard\ndimension: 3\nseed: 3\nbox: {size: [10, 10, 10], boundary: open}\n"
        "species: {a: {diameter: 0.5, mass: 2}}\n"
        "meshes: [{name: drum, shape: {solid: {kind: icosahedron, radius: 3}}, place: {at: [5, 5, 5]}, rigid: true}]\n"
        "drives: [{name: d, mesh: drum, motion: [{turn: {axis: [0, 0, 1], through: [5, 5, 5], rate: 0.8}}]}]\n"
        "particles: [{species: a, place: {at: [[5, 5, 5], [6, 5, 5], [5, 6, 5], [4, 5, 5], [5, 4, 5], [5, 5, 6]]},\n"
        "             velocity: {maxwell: 1}}]\nrun: {until: {events: 5000}}\n";
    play p = play_open(text, NULL);
    expect_turning(&p, 0.8, (double[]){5, 5, 5}, 1e-10);
    play_close(&p);
}
END_TEST

/* After 5e4, or a million, swings a mesh is where it should be as exactly as at the start. */
START_TEST(long_motion)
{
    static const char text[] =
        "carom: 1\nengine: hard\ndimension: 3\nseed: 3\nbox: {size: [10, 10, 10], boundary: open}\n"
        "species: {a: {diameter: 0.5, mass: 2}}\n"
        "meshes: [{name: cage, shape: {solid: {kind: cube, radius: 2}}, place: {at: [5, 5, 5]}, rigid: true}]\n"
        "drives: [{name: d, mesh: cage, motion: [{turn: {axis: [0, 0, 1], through: [5, 5, 5], rate: 0.7},\n"
        "          oscillate: {by: [0, 0, 0.1], frequency: 1.3}}]}]\n"
        "particles: [{species: a, place: {at: [[5, 5, 5]]}, velocity: {each: [[0.001, 0.002, 0.003]]}}]\n"
        "run: {until: {time: %g}}\n";
    const double speed = 0.7, often = 6.283185307179586 * 1.3; /* as the engine has them */
    static play_text t;
    t.length = 0;
    play_add(&t, text, _i == 0 ? 4e4 : 1e6);
    play p = play_open(t.text, NULL);
    const carom_frame *f = carom_sim_frame(p.sim);
    double first[3];
    memcpy(first, f->position + 3, sizeof first);
    play_run(&p, CAROM_STOP_TIME);
    f = carom_sim_frame(p.sim);
    const long double angle = (long double)speed * (long double)f->time,
                      swing = (long double)often * (long double)f->time;
    const double c = (double)cosl(angle), s = (double)sinl(angle), x = first[0] - 5, y = first[1] - 5;
    const double should[3] = {5 + c * x - s * y, 5 + s * x + c * y, first[2] + 0.1 * (double)sinl(swing)};
    printf("%llu hits\n", (unsigned long long)f->events[EVENT_WALL]);
    for (int k = 0; k < 3; k++) EXPECT_CLOSE("place of a corner", f->position[3 + k], should[k], 5e-14);
    play_close(&p);
}
END_TEST

/* A ball on a plate that swings by A sin(w t), period one: it hits when cos(w t) = pi (1 - e) / ((1 + e) G), with
 * G = A w^2 / g, and leaves at g T / 2; stable for G^2 < (pi (1 - e) / (1 + e))^2 + (2 (1 + e^2) / (1 + e)^2)^2. */
START_TEST(bouncing_ball)
{
    const double e = 0.5, gamma = 1.3, pi = 3.141592653589793, frequency = 0.25;
    const double amplitude = gamma / pow(2 * pi * frequency, 2), cosine = pi * (1 - e) / ((1 + e) * gamma);
    static const char *const plates[] = {
        "planes: [{name: plate, point: [5, 5, 5], normal: [0, 0, 1]}]\ndrives: [{name: d, plane: plate, ",
        "meshes: [{name: plate, shape: {rectangle: {length: 4, width: 4, along: 3, across: 3}}, place: {at: [5, 5, "
        "5]}, "
        "species: plate, rigid: true}]\ndrives: [{name: d, mesh: plate, "};
    static play_text t;
    t.length = 0;
    play_add(&t,
             "carom: 1\nengine: hard\ndimension: 3\nbox: {size: [10, 10, 20], boundary: open}\n"
             "species: {a: {diameter: 1, mass: 1}%s}\nfields: {gravity: [0, 0, -1]}\n",
             _i == 1 ? ", plate: {diameter: 1}" : "");
    play_add(&t, "%smotion: [{oscillate: {by: [0, 0, %.17g], frequency: %g}}]}]\n", plates[_i], amplitude, frequency);
    play_add(&t, "contacts: [{between: [a, plate], restitution: 0.5}]\n"
                 "particles: [{species: a, place: {at: [[5.1, 5.2, 6.6]]}, velocity: {each: [0, 0, 1.5]}}]\n"
                 "hard: {collapse: {policy: cutoff, speed: 1e-6}}\nrun: {until: {time: 400}}\n");
    play p = play_open(t.text, NULL);
    play_run(&p, CAROM_STOP_TIME);
    const carom_frame *f = carom_sim_frame(p.sim);
    const uint64_t before = f->events[EVENT_WALL];
    const double v = f->velocity[2], z = f->position[2];
    /* It was hit last at -2 < t - 400 <= 2, and left at speed 2: v = 2 - since. */
    const double since = 2 - v, hit = 400 - since, height = z - (2 * since - 0.5 * since * since) - 5.5;
    EXPECT_CLOSE("cosine of the phase of a hit", cos(2 * pi * frequency * hit), cosine, 1e-9);
    EXPECT_CLOSE("height of a hit", height, amplitude * sin(2 * pi * frequency * hit), 1e-9);
    ck_assert_uint_gt(before, 90);
    play_close(&p);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all"), *rest = suite_long_case();
    tcase_add_loop_test(all, box_of_triangles, 0, 2);
    tcase_add_loop_test(all, none_leaks, 0, (int)(sizeof cages / sizeof *cages));
    tcase_add_test(all, turning_vessel);
    suite_split_loop(all, rest, long_motion, 1, 2);
    tcase_add_loop_test(all, bouncing_ball, 0, 2);
    tcase_set_timeout(all, 300);
    return suite_run("meshes, exact", all, rest);
}
