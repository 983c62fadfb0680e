/* Clumps: mass properties of the templates, and the rigid bodies of an initial state. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/periodic.h"
#include "base/pi.h"
#include "base/random.h"
#include "geometry/ball.h"
#include "geometry/ball_union.h"
#include "geometry/closest.h"
#include "scene/state/build.h"

/* Spheres closer than this to a line or plane, relative to the size of the clump, lie in it. */
static const double FLAT = 1e-6;

/* ---- Mass of a template ---- */

/* The vectors f_a in the space of the edges with f_a . e_b = 1 for a = b, otherwise 0. */
static void dual_of(double edge[3][3], int count, double dual[3][3])
{
    double area[3];
    if (count == 1)
        for (int k = 0; k < 3; k++) dual[0][k] = edge[0][k] / dot3(edge[0], edge[0]);
    if (count < 2) return;
    cross3(edge[0], edge[1], area);
    if (count == 2) memcpy(edge[2], area, sizeof area);
    for (int a = 0; a < count; a++) {
        cross3(edge[(a + 1) % 3], edge[(a + 2) % 3], dual[a]);
        const double volume = dot3(edge[a], dual[a]);
        for (int k = 0; k < 3; k++) dual[a][k] /= volume;
    }
}

/* The part c of the second moments S normal to all edges: S - c is a sum over pairs of edges. Spheres on a line or in a plane are
 * symmetric about it. */
static double second_across(int dimension, const double second[3][3], double edge[3][3], int count)
{
    double trace = 0, normal[3] = {0}, along = 0;
    for (int k = 0; k < dimension; k++) trace += second[k][k];
    if (count == dimension) return 0;
    if (count == 0) return trace / dimension;
    if (count == 1) memcpy(normal, edge[0], sizeof normal);
    if (count == 2) cross3(edge[0], edge[1], normal);
    for (int k = 0; k < 3; k++) along += normal[k] * dot3(second[k], normal) / dot3(normal, normal);
    return count == 2 ? along : (trace - along) / (dimension - 1);
}

/* own_inertia, corners and share_mass: kinetic energy, momentum and place of the centre are those of the corners. */
static void share_moments(clump_model *c, int dimension, size_t spheres, const double second[3][3])
{
    state_body *body = &c->body;
    double edge[3][3] = {{0}}, dual[3][3] = {{0}}, slope[4][3] = {{0}}, share[4] = {0};
    const double(*arm)[3] = (const double(*)[3])c->arm;
    const int corners = build_choose_corners(arm, spheres, dimension + 1, FLAT, body->corner), edges = corners - 1;
    for (int q = corners; q < 4; q++) body->corner[q] = body->corner[0];
    for (int a = 0; a < edges; a++)
        for (int k = 0; k < 3; k++) edge[a][k] = arm[body->corner[a + 1]][k] - arm[body->corner[0]][k];
    const double across = second_across(dimension, second, edge, edges);
    dual_of(edge, edges, dual);
    for (int a = 0; a < edges; a++)
        for (int k = 0; k < 3; k++) {
            slope[a + 1][k] = dual[a][k];
            slope[0][k] -= dual[a][k];
        }
    for (int q = 0; q < corners; q++) share[q] = (q == 0) - dot3(slope[q], arm[body->corner[0]]);
    body->own_inertia = 2 * across;
    for (int p = 0; p < corners; p++)
        for (int q = 0; q < corners; q++) {
            double sum = body->mass * share[p] * share[q];
            for (int k = 0; k < 3; k++) sum += slope[p][k] * dot3(second[k], slope[q]);
            body->share_mass[p][q] = sum - across * dot3(slope[p], slope[q]);
        }
}

static void set_inertia(state_body *body, int dimension, const double second[3][3])
{
    const double trace = second[0][0] + second[1][1] + second[2][2];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) body->inertia[k][l] = (k == l ? trace : 0) - second[k][l];
    if (dimension == 3) {
        build_invert((const double(*)[3])body->inertia, body->inverse);
        return;
    }
    memset(body->inertia, 0, sizeof body->inertia);
    memset(body->inverse, 0, sizeof body->inverse);
    body->inertia[2][2] = trace;
    body->inverse[2][2] = 1 / trace;
}

/* The largest mobility among points on the surface of a sphere: the outermost, and those along the axes of the template. Between
 * them it may be larger, by less than the steps of contacts allow for. */
static double surface_mobility(const state_body *body, int dimension, const double arm[3], double radius)
{
    const double length = sqrt(dot3(arm, arm));
    double most = 0, out[3] = {radius, 0, 0};
    for (int k = 0; k < 3 && length > 0; k++) out[k] = radius / length * arm[k];
    for (int n = 0; n <= 2 * dimension; n++) {
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = arm[k] + (n == 2 * dimension ? out[k] : k != n / 2 ? 0 : n % 2 == 0 ? radius : -radius);
        most = fmax(most, state_body_mobility(body, point));
    }
    return most;
}

/* Effective masses at the spheres. */
static void set_mobilities(clump_model *c, const scene_clump *from, int dimension)
{
    double most = 0, outside = 0;
    for (size_t k = 0; k < from->sphere_count; k++) {
        c->body.reach = fmax(c->body.reach, sqrt(dot3(c->arm[k], c->arm[k])));
        most = fmax(most, state_body_mobility(&c->body, c->arm[k]));
        outside = fmax(outside, surface_mobility(&c->body, dimension, c->arm[k], 0.5 * from->spheres[k].diameter));
    }
    c->body.lightest = 1 / most;
    c->body.yield = outside / most - 1;
}

static carom_status make_model(const build *b, const scene_clump *from, clump_model *c, error *e)
{
    const size_t count = from->sphere_count;
    const int dimension = b->s->dimension;
    ball_moments m;
    double second[3][3], volumes = 0;
    ball *balls = NEW_ARRAY(count, ball);
    c->arm = memory_new(count, sizeof *c->arm);
    c->share = NEW_ARRAY(count, double);
    bool made = balls != NULL && c->arm != NULL && c->share != NULL;
    for (size_t k = 0; made && k < count; k++) {
        memcpy(balls[k].at, from->spheres[k].at, sizeof balls[k].at);
        balls[k].radius = 0.5 * from->spheres[k].diameter;
    }
    made = made && ball_union_of(dimension, balls, count, &m);
    memory_free(balls);
    if (!made) return error_memory(e, "the clumps", count * (sizeof(ball) + sizeof *c->arm));
    const double density = from->mass > 0 ? from->mass / m.volume : from->density;
    c->body =
        (state_body){.clump = true, .solid = true, .count = count, .volume = m.volume, .mass = density * m.volume};
    for (int k = 0; k < 9; k++) second[k / 3][k % 3] = density * m.second[k / 3][k % 3];
    for (size_t k = 0; k < count; k++) volumes += ball_volume(dimension, from->spheres[k].diameter);
    set_inertia(&c->body, dimension, (const double(*)[3])second);
    for (size_t k = 0; k < count; k++) {
        for (int n = 0; n < 3; n++) c->arm[k][n] = from->spheres[k].at[n] - m.centre[n];
        c->share[k] = ball_volume(dimension, from->spheres[k].diameter) / volumes;
    }
    set_mobilities(c, from, dimension);
    share_moments(c, dimension, count, (const double(*)[3])second);
    return CAROM_OK;
}

carom_status build_clump_models(build *b, error *e)
{
    b->clumps = NEW_ARRAY(b->s->clump_count, clump_model);
    if (b->clumps == NULL) return error_memory(e, "the clumps", b->s->clump_count * sizeof *b->clumps);
    for (size_t k = 0; k < b->s->clump_count; k++) TRY(make_model(b, &b->s->clumps[k], &b->clumps[k], e));
    return CAROM_OK;
}

/* A clump has one image of each sphere, nearest to its centre of mass, and no contact with itself. */
carom_status build_check_clumps(const build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        if (!build_is_clump(b, entry)) continue;
        const scene_clump *clump = &b->s->clumps[b->s->particles[entry].clump];
        const double(*arm)[3] = (const double(*)[3])b->clumps[b->s->particles[entry].clump].arm;
        double width = 0;
        for (size_t i = 0; i < clump->sphere_count; i++)
            width = fmax(width, 2 * sqrt(dot3(arm[i], arm[i])) + clump->spheres[i].diameter);
        for (int k = 0; k < b->s->dimension; k++)
            if (b->box.periodic[k] && width >= b->box.size[k])
                return scene_refuse(scene_at(b->s, "particles.%zu.clump", entry), e,
                                    "clumps '%s' can be %.6g wide about their centre of mass, and the periodic box is "
                                    "%.6g along %c" HINT "use a larger box, or smaller clumps",
                                    clump->name, width, b->box.size[k], "xyz"[k]);
    }
    return CAROM_OK;
}

void build_clump_models_free(build *b)
{
    for (size_t k = 0; b->clumps != NULL && k < b->s->clump_count; k++) {
        memory_free(b->clumps[k].arm);
        memory_free(b->clumps[k].share);
    }
    memory_free(b->clumps);
}

/* ---- Orientations ---- */

/* Shoemake, Graphics Gems III (1992). */
void build_random_rotation(const build *b, uint64_t id, double out[3][3])
{
    const random_key key = {b->s->seed, RANDOM_ORIENTATION};
    double u[4] = {0};
    random_uniform2(key, id, 0, u);
    random_uniform2(key, id, 1, u + 2);
    double q[4] = {1, 0, 0, 0}; /* w, x, y, z */
    if (b->s->dimension == 2) {
        q[0] = cos(PI * u[0]);
        q[3] = sin(PI * u[0]);
    } else {
        const double low = sqrt(1 - u[0]), high = sqrt(u[0]);
        q[0] = high * cos(2 * PI * u[2]);
        q[1] = low * sin(2 * PI * u[1]);
        q[2] = low * cos(2 * PI * u[1]);
        q[3] = high * sin(2 * PI * u[2]);
    }
    for (int i = 0; i < 3; i++) {
        const double *v = q + 1;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i][i] = 1 - 2 * (v[j] * v[j] + v[k] * v[k]);
        out[i][j] = 2 * (v[i] * v[j] - q[0] * v[k]);
        out[i][k] = 2 * (v[i] * v[k] + q[0] * v[j]);
    }
}

static void attitude_of(const build *b, size_t entry, size_t n, double out[3][3])
{
    static const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (b->s->particles[entry].place == PLACE_FILE)
        build_file_attitude(b, entry, n, out);
    else if (b->s->particles[entry].orientation == ORIENTATION_RANDOM)
        build_random_rotation(b, b->first[entry] + n * scene_item_size(b->s, entry), out);
    else
        memcpy(out, none, sizeof none);
}

static void turn(const double by[3][3], const double r[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = dot3(by[k], r);
}

/* R M R^T */
static void turn_tensor(const double by[3][3], const double m[3][3], double out[3][3])
{
    double half[3][3];
    for (int k = 0; k < 3; k++) turn(m, by[k], half[k]); /* M is symmetric */
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) out[p][q] = dot3(by[p], half[q]);
}

/* ---- Places ---- */

void build_clump_arm(const build *b, size_t entry, size_t n, size_t sphere, double out[3])
{
    double attitude[3][3];
    attitude_of(b, entry, n, attitude);
    turn((const double(*)[3])attitude, b->clumps[b->s->particles[entry].clump].arm[sphere], out);
}

void build_clump_sphere(const build *b, size_t entry, size_t n, size_t sphere, const double centre[3], double out[3])
{
    build_clump_arm(b, entry, n, sphere, out);
    for (int k = 0; k < 3; k++) {
        out[k] = k < b->s->dimension ? centre[k] + out[k] : 0;
        if (k < b->s->dimension && b->box.periodic[k]) out[k] = periodic_image(out[k], b->box.size[k]);
    }
}

/* From the last to the first: a centre is not behind the first sphere of its clump. */
void build_expand_clumps(const build *b, size_t entry)
{
    double(*place)[3] = b->state->position + b->first[entry];
    const size_t size = scene_item_size(b->s, entry);
    for (size_t n = build_items(b, entry); n-- > 0;) {
        double centre[3];
        memcpy(centre, place[n], sizeof centre);
        for (size_t m = 0; m < size; m++) build_clump_sphere(b, entry, n, m, centre, place[n * size + m]);
    }
}

/* ---- Bodies ---- */

state_body *build_clump_body(const build *b, size_t entry, size_t n)
{
    size_t at = b->s->body_count + n;
    for (size_t k = 0; k < entry; k++)
        if (build_is_clump(b, k)) at += build_items(b, k);
    return &b->state->bodies[at];
}

static carom_status make_body(const build *b, size_t entry, size_t n, state_body *body, error *e)
{
    const clump_model *model = &b->clumps[b->s->particles[entry].clump];
    const size_t size = model->body.count, first = b->first[entry] + n * size;
    double attitude[3][3], arm[3];
    *body = model->body;
    body->template = b->s->particles[entry].clump;
    body->particles = NEW_ARRAY(size, uint32_t);
    if (body->particles == NULL) return error_memory(e, "the bodies", size * sizeof *body->particles);
    for (size_t m = 0; m < size; m++) body->particles[m] = (uint32_t)(first + m);
    attitude_of(b, entry, n, attitude);
    turn_tensor((const double(*)[3])attitude, (const double(*)[3])model->body.inertia, body->inertia);
    turn_tensor((const double(*)[3])attitude, (const double(*)[3])model->body.inverse, body->inverse);
    turn((const double(*)[3])attitude, model->arm[0], arm);
    for (int k = 0; k < 3; k++) body->centre[k] = b->state->position[first][k] - (k < b->s->dimension ? arm[k] : 0);
    for (int q = 0; q < 4; q++) body->corner[q] += (uint32_t)first;
    return CAROM_OK;
}

carom_status build_clump_bodies(const build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        if (!build_is_clump(b, entry) || build_count(b, entry) == 0) continue;
        state_body *body = build_clump_body(b, entry, 0);
        for (size_t n = 0; n < build_items(b, entry); n++) TRY(make_body(b, entry, n, body + n, e));
    }
    return CAROM_OK;
}

/* Maxwell's distribution: the angular momentum is normal with the covariance T I. With I = L L^T it is sqrt(T) L times normal
 * numbers. */
void build_thermal_spin(const build *b, const state_body *body, double temperature, double spin[3])
{
    const random_key key = {b->s->seed, RANDOM_SPIN};
    double normal[4], l[3][3] = {{0}}, momentum[3] = {0};
    random_normal2(key, body->particles[0], 0, normal);
    random_normal2(key, body->particles[0], 1, normal + 2);
    if (b->s->dimension == 2) {
        spin[2] = sqrt(temperature / body->inertia[2][2]) * normal[2];
        return;
    }
    for (int p = 0; p < 3; p++)
        for (int q = 0; q <= p; q++) {
            double rest = body->inertia[p][q];
            for (int k = 0; k < q; k++) rest -= l[p][k] * l[q][k];
            l[p][q] = p == q ? sqrt(rest) : rest / l[q][q];
            momentum[p] += sqrt(temperature) * l[p][q] * normal[q];
        }
    turn((const double(*)[3])body->inverse, momentum, spin);
}
