/* Rigid bodies of the initial state, and solids enclosed by meshes. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/closest.h"
#include "mesh/repair.h"
#include "mesh/solid.h"
#include "scene/state/build.h"

/* ---- Solids ---- */

bool build_invert(const double (*a)[3], double (*out)[3])
{
    double det = 0, minor[3][3];
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            const int p1 = (p + 1) % 3, p2 = (p + 2) % 3, q1 = (q + 1) % 3, q2 = (q + 2) % 3;
            minor[p][q] = a[p1][q1] * a[p2][q2] - a[p1][q2] * a[p2][q1];
        }
    for (int q = 0; q < 3; q++) det += a[0][q] * minor[0][q];
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) out[p][q] = minor[q][p] / det;
    return det > 1e-12 * mean * mean * mean;
}

static void way_between(const double (*place)[3], uint32_t from, uint32_t to, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = place[to][k] - place[from][k];
}

/* Square of the distance of point i from the first corner, from the line through two, or distance from the plane through
 * three, times a length, or an area, of these. */
static double distance_from(const double (*place)[3], const uint32_t corner[4], int known, uint32_t i)
{
    double a[3], b[3], c[3], n[3];
    way_between(place, corner[0], i, c);
    if (known == 1) return dot3(c, c);
    way_between(place, corner[0], corner[1], a);
    cross3(a, c, n);
    if (known == 2) return dot3(n, n);
    way_between(place, corner[0], corner[2], b);
    cross3(a, b, n);
    return fabs(dot3(n, c));
}

static double farthest_from(const double (*place)[3], size_t count, const uint32_t corner[4], int known, uint32_t *out)
{
    double most = 0;
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double now = distance_from(place, corner, known, i);
        if (now > most) farthest = i;
        if (now > most) most = now;
    }
    *out = farthest;
    return most;
}

int build_choose_corners(const double (*place)[3], size_t count, int most, double flat, uint32_t corner[4])
{
    double edge = 0;
    int known = 1;
    corner[0] = 0;
    farthest_from(place, count, corner, 1, &corner[0]);
    for (; known < most; known++) {
        const double away = farthest_from(place, count, corner, known, &corner[known]);
        if (known == 1) edge = sqrt(away);
        if (known == 1 && !(away > 0)) break;
        if (known == 2 && !(away > flat * flat * edge * edge * edge * edge)) break;
        if (known == 3 && !(away > flat * edge * edge * edge)) break;
    }
    return known;
}

/* share_mass, from the integral of density r r about the centre. */
static bool weigh_corners(state_body *body, const mesh *m, const double second[3][3])
{
    double edge[3][3], slope[4][3] = {{0}}, share[4], from[3];
    for (int q = 0; q < 3; q++)
        way_between((const double(*)[3])m->vertices, body->corner[0], body->corner[q + 1], edge[q]);
    cross3(edge[1], edge[2], slope[1]);
    cross3(edge[2], edge[0], slope[2]);
    cross3(edge[0], edge[1], slope[3]);
    const double volume = dot3(edge[0], slope[1]);
    if (volume == 0) return false;
    for (int k = 0; k < 3; k++) {
        for (int q = 1; q < 4; q++) slope[q][k] /= volume;
        slope[0][k] = -(slope[1][k] + slope[2][k] + slope[3][k]);
        from[k] = body->centre[k] - m->vertices[body->corner[0]][k];
    }
    for (int q = 0; q < 4; q++) share[q] = (q == 0) + dot3(slope[q], from);
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) {
            double sum = body->mass * share[p] * share[q];
            for (int k = 0; k < 3; k++) sum += slope[p][k] * dot3(second[k], slope[q]);
            body->share_mass[p][q] = sum;
        }
    return true;
}

static bool set_inertia(state_body *body, const mesh *m, const mesh_solid *solid, double density)
{
    double second[3][3], trace = 0;
    body->volume = solid->volume;
    body->mass = density * solid->volume;
    memcpy(body->centre, solid->centre, sizeof body->centre);
    for (int k = 0; k < 3; k++) trace += density * solid->second[k][k];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            second[k][l] = density * solid->second[k][l];
            body->inertia[k][l] = (k == l ? trace : 0) - second[k][l];
        }
    if (build_choose_corners((const double(*)[3])m->vertices, m->vertex_count, 4, 0, body->corner) < 4) return false;
    return solid->volume > 0 && build_invert((const double(*)[3])body->inertia, body->inverse) &&
           weigh_corners(body, m, (const double(*)[3])second);
}

double state_body_mobility(const state_body *body, const double arm[3])
{
    double k[3][3], trace = 0, square = 0;
    for (int p = 0; p < 3; p++) { /* a unit impulse along p, and the resulting velocity */
        const double along[3] = {p == 0, p == 1, p == 2};
        double torque[3], spin[3];
        cross3(arm, along, torque);
        for (int q = 0; q < 3; q++) spin[q] = dot3(body->inverse[q], torque);
        cross3(spin, arm, k[p]);
        trace += k[p][p];
        for (int q = 0; q < 3; q++) square += k[p][q] * k[p][q];
    }
    /* One eigenvalue is zero: along the arm. */
    const double apart = 2 * square - trace * trace;
    return (1 / body->mass + 0.5 * (trace + sqrt(apart > 0 ? apart : 0))) * (1 + 1e-12);
}

/* ---- Their meshes ---- */

static carom_status refuse_open(const build *b, const scene_body *from, const mesh_topology *t, error *e)
{
    const scene_mesh *m = &b->s->meshes[from->mesh];
    const char *remedy = m->from == NULL         ? "choose a closed shape such as a sphere, a box, a capsule or a solid"
                         : m->repair & MESH_FILL ? "its holes share vertices: close them by hand"
                                                 : "`repair: [fill]` of that mesh closes holes";
    return scene_refuse(scene_at(b->s, "bodies.%zu.mesh", (size_t)(from - b->s->bodies)), e,
                        "body '%s': mesh '%s' is open, %zu of its edges belong to one triangle, so that it has no "
                        "inside" HINT "%s",
                        from->name, m->name, t->boundary_count, remedy);
}

carom_status build_solid(const build *b, const scene_body *from, const mesh *m, mesh_solid *out, error *e)
{
    mesh_topology t;
    TRY(mesh_topology_create(&t, m, e));
    const carom_status status = t.boundary_count > 0 ? refuse_open(b, from, &t, e) : mesh_solid_of(out, m, &t, e);
    mesh_topology_free(&t);
    return status;
}

static carom_status make_solid(const build *b, const scene_body *from, const mesh *m, state_body *body, error *e)
{
    mesh_solid solid = {0};
    carom_status status = build_solid(b, from, m, &solid, e);
    if (status == CAROM_OK && !set_inertia(body, m, &solid, from->density))
        status = scene_refuse(scene_at(b->s, "bodies.%zu.mesh", (size_t)(from - b->s->bodies)), e,
                              "body '%s': mesh '%s' encloses a volume of %.6g: too flat for a solid with inertia",
                              from->name, b->s->meshes[from->mesh].name, solid.volume);
    return status;
}

/* The mass of each vertex is proportional to the area of its triangles. */
static carom_status fill_solid(const build *b, const scene_body *from, state_body *body, error *e)
{
    initial_state *state = b->state;
    const mesh *m = &state->meshes[from->mesh];
    const size_t first = state->mesh_first[from->mesh];
    double sum = 0;
    body->solid = true;
    body->count = m->vertex_count;
    body->particles = NEW_ARRAY(body->count, uint32_t);
    if (body->particles == NULL) return error_memory(e, "the bodies", body->count * sizeof *body->particles);
    TRY(make_solid(b, from, m, body, e));
    for (size_t n = 0; n < body->count; n++) {
        body->particles[n] = (uint32_t)(first + n);
        sum += state->mass[first + n];
    }
    for (size_t n = 0; n < body->count; n++) state->mass[first + n] *= body->mass / sum;
    for (int q = 0; q < 4; q++) body->corner[q] += (uint32_t)first;
    return CAROM_OK;
}

static carom_status fill_points(const scene_body *from, state_body *body, error *e)
{
    body->particles = NEW_ARRAY(from->count, uint32_t);
    if (body->particles == NULL) return error_memory(e, "the bodies", from->count * sizeof *body->particles);
    memcpy(body->particles, from->particles, from->count * sizeof *body->particles);
    body->count = from->count;
    return CAROM_OK;
}

carom_status build_bodies(const build *b, error *e)
{
    const scene *s = b->s;
    carom_status all = CAROM_OK;
    size_t count = s->body_count;
    for (size_t k = 0; k < s->particles_count; k++) count += build_is_clump(b, k) ? build_items(b, k) : 0;
    if (count == 0) return CAROM_OK;
    b->state->bodies = NEW_ARRAY(count, state_body);
    if (b->state->bodies == NULL) return error_memory(e, "the bodies", count * sizeof(state_body));
    b->state->body_count = count;
    for (size_t k = 0; k < s->body_count; k++) {
        const scene_body *from = &s->bodies[k];
        state_body *body = &b->state->bodies[k];
        memcpy(body->angular_velocity, from->angular_velocity, sizeof body->angular_velocity);
        const carom_status one = from->mesh == SIZE_MAX ? fill_points(from, body, e) : fill_solid(b, from, body, e);
        if (all == CAROM_OK) all = one;
    }
    return all == CAROM_OK ? build_clump_bodies(b, e) : all;
}
