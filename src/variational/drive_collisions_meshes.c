/* Collisions of held parts of meshes (rigid meshes, driven vertices) with each other and with held particles. Parts
 * with the same motion are a group. While two groups move with constant velocities, the continuous check of
 * geometry/ccd.h tests each pair of a vertex and a triangle, and of two edges, if the boxes that they sweep overlap. */
#include "variational/drive_collisions.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "geometry/ccd.h"
#include "scene/where.h"
#include "variational/constants.h"
#include "variational/motions.h"

#include <math.h>
#include <string.h>

/* A vertex or particle, an edge, a triangle. */
typedef struct part {
    double corner[3][3], low[3], high[3], radius;
    uint32_t end[3];
    int corners;
    size_t group; /* 0: fixed; 1 + drive */
} part;

typedef struct meshes_search {
    const scene *s;
    const initial_state *state;
    size_t *group; /* [particles] */
    bool *held;    /* [particles] */
    part *part;
    size_t count;
    double end;
} meshes_search;

typedef struct meshes_collision {
    double time;
    const part *a, *b;
} meshes_collision;

/* ---- held parts -------------------------------------------------------------------------------------------------- */

static const scene_drive *drive_of(const meshes_search *q, size_t group)
{
    return group > 0 ? &q->s->drives[group - 1] : NULL;
}

static void add_part(meshes_search *q, const uint32_t *end, int corners)
{
    part *p = &q->part[q->count];
    *p = (part){.corners = corners, .group = q->group[end[0]], .radius = 0.5 * q->state->diameter[end[0]]};
    for (int c = 0; c < corners; c++) {
        if (!q->held[end[c]] || q->group[end[c]] != p->group) return;
        p->end[c] = end[c];
    }
    for (int k = 0; k < 3; k++) {
        const double size = q->state->size[k], first = q->state->position[end[0]][k];
        const bool periodic = q->s->box.boundary[k] == BOUNDARY_PERIODIC;
        p->low[k] = p->high[k] = first;
        for (int c = 0; c < corners; c++) {
            double x = q->state->position[end[c]][k];
            p->corner[c][k] = x - (periodic ? nearest_periods(x - first, size) : 0);
            p->low[k] = fmin(p->low[k], p->corner[c][k]);
            p->high[k] = fmax(p->high[k], p->corner[c][k]);
        }
        p->low[k] -= p->radius;
        p->high[k] += p->radius;
    }
    q->count++;
}

/* Meshes that appear or vanish may be led through others. */
static void leave_out_changing(meshes_search *q)
{
    for (size_t m = 0; m < q->state->mesh_count; m++)
        for (size_t i = q->state->mesh_first[m]; scene_mesh_changes(q->s, m) && i < q->state->mesh_first[m + 1]; i++)
            q->held[i] = false;
}

static void add_parts(meshes_search *q)
{
    for (uint32_t i = 0; i < q->state->count; i++) add_part(q, &i, 1);
    for (size_t m = 0; m < q->state->mesh_count; m++) {
        const mesh *all = &q->state->meshes[m];
        const uint32_t first = (uint32_t)q->state->mesh_first[m];
        if (q->state->mesh_first[m + 1] == first) continue;
        for (size_t t = 0; t < all->triangle_count; t++) {
            uint32_t end[4];
            for (int c = 0; c < 4; c++) end[c] = first + all->triangles[t][c % 3];
            add_part(q, end, 3);
            for (int c = 0; c < 3; c++) add_part(q, end + c, 2);
        }
    }
}

/* ---- pairs of parts ---------------------------------------------------------------------------------------------- */

/* Whether two parts collide within `time` from the beginning of the motion of a relative to b, and the earliest time
 * as a share of `time`. */
static bool parts_collide(const meshes_search *q, const motion_part *m, double time, const part *a, const part *b,
                          double *share)
{
    const bool edges = a->corners == 2 && b->corners == 2;
    const part *t = a->corners == 3 ? a : b, *v = a->corners == 3 ? b : a;
    double x[2][2][3][3]; /* [of a, b][start, end][corner] */
    if (!edges && (t->corners != 3 || v->corners != 1)) return false;
    for (int k = 0; k < 3; k++) {
        const double moved = m->moved[k], way = time * m->velocity[k], size = q->state->size[k];
        const bool periodic = q->s->box.boundary[k] == BOUNDARY_PERIODIC;
        double off = periodic ? nearest_periods(a->low[k] + moved - b->low[k], size) : 0;
        double low = a->low[k] + moved - off + fmin(way, 0), high = a->high[k] + moved - off + fmax(way, 0);
        if (low > b->high[k] || b->low[k] > high) return false;
        for (int c = 0; c < a->corners; c++)
            for (int n = 0; n < 2; n++) x[0][n][c][k] = a->corner[c][k] + moved - off + n * way;
        for (int c = 0; c < b->corners; c++)
            for (int n = 0; n < 2; n++) x[1][n][c][k] = b->corner[c][k];
    }
    const double contact = (a->radius + b->radius) * COLLIDING;
    if (edges) {
        double one[2][2][3], other[2][2][3];
        for (int n = 0; n < 2; n++) {
            memcpy(one[n], x[0][n], sizeof one[n]);
            memcpy(other[n], x[1][n], sizeof other[n]);
        }
        return ccd_edge_edge((const double(*)[2][3])one, (const double(*)[2][3])other, contact, share);
    }
    double point[2][3];
    for (int n = 0; n < 2; n++) memcpy(point[n], x[v == b][n][0], sizeof point[n]);
    return ccd_vertex_face((const double(*)[3])point, (const double(*)[3][3])x[t == b], contact, share);
}

/* An upper bound of all distances. */
static double farthest(const meshes_search *q, const motion_part *m)
{
    double low[3], high[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (size_t n = 0; n < q->count; n++) {
            low[k] = fmin(low[k], q->part[n].low[k]);
            high[k] = fmax(high[k], q->part[n].high[k]);
        }
        sum += high[k] - low[k] + fabs(m->moved[k]);
    }
    return sum;
}

static void search_piece(const meshes_search *q, const motion_part *m, size_t g, size_t h, meshes_collision *first)
{
    double speed2 = 0, share;
    for (int k = 0; k < 3; k++) speed2 += m->velocity[k] * m->velocity[k];
    if (!(speed2 > 0)) return;
    double time = fmin(m->to - m->from, 2 * farthest(q, m) / sqrt(speed2));
    for (size_t i = 0; i < q->count; i++)
        for (size_t j = 0; j < q->count && q->part[i].group == g; j++) {
            if (q->part[j].group != h || !parts_collide(q, m, time, &q->part[i], &q->part[j], &share)) continue;
            if (m->from + share * time >= first->time) continue;
            *first = (meshes_collision){m->from + share * time, &q->part[i], &q->part[j]};
        }
}

/* Rotations, and drives with a start condition, are not followed. */
static bool is_beyond(const scene_drive *d)
{
    if (d != NULL && d->start.given) return true;
    for (size_t k = 0; d != NULL && k < d->motion_count; k++)
        if (d->motion[k].rate != 0) return true;
    return false;
}

static meshes_collision search_groups(const meshes_search *q, size_t g, size_t h)
{
    const scene_drive *a = drive_of(q, g), *b = drive_of(q, h);
    meshes_collision first = {.time = INFINITY};
    motion_part m;
    if ((!drive_moves(a) && !drive_moves(b)) || is_beyond(a) || is_beyond(b)) return first;
    for (double t = 0; isinf(first.time) && motion_piece(q->end, a, b, t, &m); t = m.to)
        search_piece(q, &m, g, h, &first);
    return first;
}

static carom_status report(const meshes_search *q, const meshes_collision *m, error *e)
{
    static const char *const what[] = {"", "", "an edge at ", "a triangle at "};
    char name[2][200];
    const part *a = m->a->group > m->b->group ? m->a : m->b, *b = a == m->a ? m->b : m->a;
    state_name(q->state, q->s, a->end[0], name[0], sizeof name[0]);
    state_name(q->state, q->s, b->end[0], name[1], sizeof name[1]);
    return scene_refuse(scene_at(q->s, "drives.%zu", a->group - 1), e,
                        "drive '%s': at time %.9g %s%s collides with %s%s; both have prescribed motion: end the "
                        "motion before, or lead it elsewhere",
                        drive_of(q, a->group)->name, m->time, what[a->corners], name[0], what[b->corners], name[1]);
}

carom_status check_mesh_collisions(const scene *s, const initial_state *state, error *e)
{
    meshes_search q = {.s = s, .state = state, .end = s->until.time > 0 ? s->until.time : INFINITY};
    size_t most = state->count;
    carom_status status = CAROM_OK;
    if (s->drive_count == 0 || state->mesh_count == 0) return CAROM_OK;
    for (size_t m = 0; m < state->mesh_count; m++) most += 4 * state->meshes[m].triangle_count;
    q.held = state_find_held(state, s);
    q.group = NEW_ARRAY(state->count, size_t);
    q.part = NEW_ARRAY(most, part);
    if (q.held == NULL || q.group == NULL || q.part == NULL) {
        status = error_memory(e, "the drives", most * sizeof *q.part);
    } else {
        for (size_t d = 0; d < state->drive_count; d++)
            for (size_t n = 0; n < state->drives[d].count; n++) q.group[state->drives[d].particles[n]] = 1 + d;
        leave_out_changing(&q);
        add_parts(&q);
        for (size_t g = 1; g <= s->drive_count; g++)
            for (size_t h = 0; h < g; h++) {
                meshes_collision m = search_groups(&q, g, h);
                if (!isinf(m.time)) status = report(&q, &m, e);
            }
    }
    memory_free(q.held);
    memory_free(q.group);
    memory_free(q.part);
    return status;
}
