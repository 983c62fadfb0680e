/* Rigid meshes: creation, and predictions for bodies. */
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/mesh_contact.h"

#include "base/memory.h"

#include <string.h>

/* ---- bounds of a triangle ---------------------------------------------------------------------------------------- */

static double inner(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void bound_triangle(triangle_bounds *s, const double c[3][3])
{
    double square = 0, way[2][3], n[3];
    for (int k = 0; k < 3; k++) {
        s->middle[k] = (c[0][k] + c[1][k] + c[2][k]) / 3;
        way[0][k] = c[1][k] - c[0][k];
        way[1][k] = c[2][k] - c[0][k];
    }
    for (int corner = 0; corner < 3; corner++) {
        double arm[3];
        for (int k = 0; k < 3; k++) arm[k] = c[corner][k] - s->middle[k];
        square = fmax(square, inner(arm, arm));
    }
    s->radius = sqrt(square) * (1 + 1e-12);
    for (int k = 0; k < 3; k++)
        n[k] = way[0][(k + 1) % 3] * way[1][(k + 2) % 3] - way[0][(k + 2) % 3] * way[1][(k + 1) % 3];
    const double length = sqrt(inner(n, n));
    const bool flat = length > SLIVER_HEIGHT * square; /* the plane of a sliver is unreliable */
    for (int k = 0; k < 3; k++) s->normal[k] = flat ? n[k] / length : 0;
    s->offset = inner(s->normal, s->middle);
}

/* Whether the ball certainly does not touch the triangle on its path. */
static bool misses(const tree_path *p, const triangle_bounds *s)
{
    double w[3];
    for (int k = 0; k < 3; k++) w[k] = p->from[k] + p->share * p->way[k] - s->middle[k];
    const double square = inner(w, w), along = inner(w, p->way), all = inner(p->way, p->way);
    const double far = p->reach + s->radius, excess = square - far * far;
    if (excess > 0 && (along < 0 || excess * all > along * along)) return true;
    const double start = inner(s->normal, p->from) - s->offset, end = start + p->share * inner(s->normal, p->way);
    return (start > p->reach && end > p->reach) || (start < -p->reach && end < -p->reach);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static void corners_of(const mesh *m, size_t n, double c[3][3])
{
    for (int k = 0; k < 3; k++) memcpy(c[k], m->vertices[m->triangles[n][k]], sizeof c[k]);
}

static carom_status make_tree(solid *s, const mesh *m, uint32_t *order, error *e)
{
    tree_box *boxes = NEW_ARRAY(s->count, tree_box);
    if (boxes == NULL) return error_memory(e, "meshes", s->count * sizeof *boxes);
    for (uint32_t n = 0; n < s->count; n++) {
        double c[3][3];
        corners_of(m, n, c);
        for (int k = 0; k < 3; k++) {
            boxes[n].low[k] = fmin(c[0][k], fmin(c[1][k], c[2][k]));
            boxes[n].high[k] = fmax(c[0][k], fmax(c[1][k], c[2][k]));
        }
    }
    carom_status status = box_tree_create(&s->tree, boxes, s->count, e);
    memory_free(boxes);
    if (status == CAROM_OK) box_tree_renumber(s->tree, order);
    return status;
}

/* The bounding box, and the rounding of coordinates. */
static void bound_solid(solid *s)
{
    double farthest = 0;
    for (int k = 0; k < 3 && s->count > 0; k++) {
        const double low = box_tree_all(s->tree)->low[k], high = box_tree_all(s->tree)->high[k];
        farthest = fmax(farthest, fmax(fabs(low), fabs(high)));
        s->low[k] = (real)low;
        s->high[k] = (real)high;
    }
    s->rounding = (real)(MESH_ROUNDING * farthest);
}

/* Triangles are numbered in the order of the tree: neighbours in space are near each other in memory. */
static carom_status make_solid(solid *s, const mesh *m, error *e)
{
    uint32_t *order = NEW_ARRAY(m->triangle_count, uint32_t);
    s->count = (uint32_t)m->triangle_count;
    s->corner = memory_new(m->triangle_count, sizeof *s->corner);
    s->triangle_bounds = NEW_ARRAY(m->triangle_count, triangle_bounds);
    carom_status status = CAROM_OK;
    if (order == NULL || s->corner == NULL || s->triangle_bounds == NULL)
        status = error_memory(e, "meshes", m->triangle_count * (sizeof *s->corner + sizeof *s->triangle_bounds));
    if (status == CAROM_OK) status = make_tree(s, m, order, e);
    for (uint32_t n = 0; n < s->count && status == CAROM_OK; n++) {
        double c[3][3];
        corners_of(m, order[n], c);
        for (int at = 0; at < 9; at++) s->corner[n][at / 3][at % 3] = (real)c[at / 3][at % 3];
        bound_triangle(&s->triangle_bounds[n], (const double(*)[3])c);
    }
    memory_free(order);
    if (status == CAROM_OK) bound_solid(s);
    return status;
}

/* Frames contain the vertices of meshes after the bodies. */
static carom_status keep_vertices(gas *g, const initial_state *state, error *e)
{
    solids *all = g->solids;
    all->vertices = (uint32_t)(state->count - g->count);
    all->vertex = memory_new(all->vertices, sizeof *all->vertex);
    if (all->vertex == NULL) return error_memory(e, "meshes", all->vertices * sizeof *all->vertex);
    memcpy(all->vertex, state->position + g->count, all->vertices * sizeof *all->vertex);
    return CAROM_OK;
}

static bool meshes_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)tallies;
    return state->mesh_count > 0;
}

static carom_status meshes_create(gas *g, const initial_state *state, error *e)
{
    solids *all = g->solids;
    all->solid = NEW_ARRAY(state->mesh_count, solid);
    if (all->solid == NULL) return error_memory(e, "meshes", state->mesh_count * sizeof *all->solid);
    for (size_t k = 0; k < state->mesh_count; k++) {
        solid *s = &all->solid[all->count++];
        s->first = all->elements;
        s->vertex = (uint32_t)(state->mesh_first[k] - g->count);
        s->vertices = (uint32_t)(state->mesh_first[k + 1] - state->mesh_first[k]);
        s->reach = (real)g->scene->meshes[k].thickness / 2;
        s->species = g->scene->meshes[k].species;
        s->motion = motion_of(g, SIZE_MAX, SIZE_MAX, k);
        TRY(make_solid(s, &state->meshes[k], e));
        all->elements += s->count;
    }
    return keep_vertices(g, state, e);
}

static void meshes_destroy(gas *g)
{
    solids *all = g->solids;
    for (uint32_t k = 0; k < all->count; k++) {
        memory_free(all->solid[k].corner);
        memory_free(all->solid[k].triangle_bounds);
        box_tree_destroy(all->solid[k].tree);
    }
    memory_free(all->solid);
    memory_free(all->vertex);
}

/* ---- periodic images --------------------------------------------------------------------------------------------- */

typedef struct image_range {
    int32_t low[3], high[3];
} image_range;

/* Images of a mesh within `reach` of the region from `low` to `high`. */
static image_range images_near(const gas *g, const solid *s, const real low[3], const real high[3], real reach)
{
    image_range n = {{0}, {0}};
    for (int k = 0; k < DIM; k++) {
        if (g->box[k] == 0) continue;
        n.low[k] = (int32_t)-real_floor((s->high[k] + reach - low[k]) * g->inverse_box[k]);
        n.high[k] = (int32_t)real_floor((high[k] + reach - s->low[k]) * g->inverse_box[k]);
    }
    return n;
}

static bool next_image(const image_range *n, int32_t at[3])
{
    for (int k = 0; k < 3; k++) {
        if (at[k]++ < n->high[k]) return true;
        at[k] = n->low[k];
    }
    return false;
}

static bool any_image(const image_range *n)
{
    return n->low[0] <= n->high[0] && n->low[1] <= n->high[1] && n->low[2] <= n->high[2];
}

/* ---- the fast path: contacts on a flight ------------------------------------------------------------------------- */

/* A part of a body's flight in the frame of a mesh. */
typedef struct flight_part {
    const gas *g;
    uint32_t i;
    element of;
    plan *p;
    real from, to; /* local time */
} flight_part;

/* Events after this time do not enter the plan. If the first event is one of a pair, it may become invalid; then the
 * second event counts. */
static real known_until(const plan *p)
{
    return is_pair(&p->first) ? p->second.time : p->first.time;
}

static void mesh_candidate(tree_path *path, uint32_t triangle, void *data)
{
    flight_part *s = data;
    if (misses(path, &s->of.of->triangle_bounds[triangle])) return;
    s->of.triangle = triangle;
    const real time = touch_time(s->g, s->i, &s->of, known_until(s->p));
    if (!(time < REAL_NEVER)) return;
    consider(s->g, s->p, s->i, (next_event){time, PARTNER_ELEMENT + s->of.of->first + triangle, 0});
    const real until = known_until(s->p);
    if (until < s->to) path->share = fmin(path->share, (double)((until - s->from) / (s->to - s->from)));
}

/* Duration of the next part of the flight. A straight flight: until the mesh cannot be reached any more. A curved one:
 * as long as it deviates from a straight line by less than the reach. `pull` bounds the acceleration for `window`. */
static real duration_of_part(const solid *s, const real x[3], const real v[3], real reach, real pull, real window)
{
    if (pull > 0) {
        const real nearly = real_sqrt(8 * reach / pull);
        return nearly < window ? nearly : window;
    }
    if (window < REAL_NEVER) return window;
    real far = reach, speed = real_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) far += real_fabs(x[k] - s->low[k]) + (s->high[k] - s->low[k]);
    return speed > 0 ? far / speed : 0;
}

/* Whether the body is outside the box around the mesh and remains there. */
static bool is_past(const gas *g, uint32_t i, const solid *s, const real x[3], const real v[3], real reach)
{
    for (int k = 0; k < DIM && s->motion == NULL; k++) {
        const real a = acceleration(g, i, k);
        if (g->box[k] > 0) continue;
        if (x[k] > s->high[k] + reach && v[k] >= 0 && a >= 0) return true;
        if (x[k] < s->low[k] - reach && v[k] <= 0 && a <= 0) return true;
    }
    return false;
}

static void mesh_follow(flight_part *s, const real x[3], real reach)
{
    real low[3], high[3], end[3], end_v[3];
    const gas *g = s->g;
    touch_place(g, s->i, &(element){.of = s->of.of}, s->to - g->body[s->i].t, end, end_v);
    for (int k = 0; k < 3; k++) {
        low[k] = x[k] < end[k] ? x[k] : end[k];
        high[k] = x[k] > end[k] ? x[k] : end[k];
    }
    const image_range n = images_near(g, s->of.of, low, high, reach);
    if (!any_image(&n)) return;
    memcpy(s->of.image, n.low, sizeof n.low);
    do {
        tree_path path = {.reach = (double)reach, .share = 1};
        for (int k = 0; k < 3; k++) {
            path.from[k] = (double)(x[k] - (k < DIM ? (real)s->of.image[k] * g->box[k] : 0));
            path.way[k] = (double)(end[k] - x[k]);
        }
        box_tree_follow(s->of.of->tree, &path, mesh_candidate, s);
    } while (next_image(&n, s->of.image));
}

static void plan_solid(const gas *g, uint32_t i, const solid *s, plan *p)
{
    const body *b = &g->body[i];
    flight_part now = {.g = g, .i = i, .of = {.of = s}, .p = p, .from = g->now};
    do {
        const real left = known_until(p) - now.from, contact = radius_of(g, i) + s->reach;
        real x[3], v[3], far = 0, window;
        touch_place(g, i, &(element){.of = s}, now.from - b->t, x, v);
        const real pull = touch_acceleration_bound(g, i, s, now.from - b->t, &window);
        const real span = duration_of_part(s, x, v, contact, pull, left < window ? left : window);
        for (int k = 0; k < 3; k++) far = later(far, real_fabs(x[k]));
        const real rounding = s->rounding + (real)MESH_ROUNDING * far;
        const real reach = contact + pull * span * span / 8 + rounding;
        if (is_past(g, i, s, x, v, reach)) return;
        now.to = now.from + span;
        mesh_follow(&now, x, reach);
        if (pull == 0 && !(window < REAL_NEVER) && !(left < REAL_NEVER)) return;
        now.from = now.to > now.from
                       ? now.to
                       : now.from + REAL_GRAIN * real_fabs(now.from); /* pieces of a motion are contiguous */
    } while (now.from < known_until(p));
}

static void meshes_plan(const gas *g, uint32_t i, plan *p)
{
    for (uint32_t k = 0; k < g->solids->count; k++) {
        const solid *s = &g->solids->solid[k];
        if (!s->absent && may_be_hit(g, i, s->motion)) plan_solid(g, i, s, p);
    }
}

/* ---- supports of a body ------------------------------------------------------------------------------------------ */

typedef struct nearby {
    const gas *g;
    uint32_t i;
    element of;
    real gap;
    meshes_touched *touched;
    void *data;
} nearby;

static void test_nearby(tree_path *path, uint32_t triangle, void *data)
{
    nearby *n = data;
    gap_state state;
    (void)path;
    n->of.triangle = triangle;
    touch_gap(n->g, n->i, &n->of, n->g->now - n->g->body[n->i].t, &state);
    if (state.gap <= n->gap) n->touched(n->of.of, n->of.of->first + triangle, &state, n->data);
}

static void mesh_touching(const gas *g, uint32_t i, const solid *s, real gap, meshes_touched *touched, void *data)
{
    nearby n = {g, i, {.of = s}, gap, touched, data};
    const real reach = radius_of(g, i) + s->reach + gap + s->rounding;
    real x[3], v[3];
    touch_place(g, i, &n.of, g->now - g->body[i].t, x, v);
    const image_range all = images_near(g, s, x, x, reach);
    if (!any_image(&all)) return;
    memcpy(n.of.image, all.low, sizeof all.low);
    do {
        tree_path path = {.reach = (double)reach, .share = 1};
        touch_place(g, i, &n.of, g->now - g->body[i].t, x, v);
        for (int a = 0; a < 3; a++) path.from[a] = (double)x[a];
        box_tree_follow(s->tree, &path, test_nearby, &n);
    } while (next_image(&all, n.of.image));
}

static void meshes_touching(const gas *g, uint32_t i, real gap, meshes_touched *touched, void *data)
{
    for (uint32_t k = 0; k < g->solids->count; k++)
        if (!g->solids->solid[k].absent) mesh_touching(g, i, &g->solids->solid[k], gap, touched, data);
}

/* ---- the reference path: all triangles --------------------------------------------------------------------------- */

/* Local time until which body i moves less than half a box. */
static real half_a_box(const gas *g, uint32_t i, const real v[3])
{
    real limit = REAL_NEVER;
    for (int k = 0; k < DIM; k++) {
        const real room = g->box[k] / 2, speed = real_fabs(v[k]), pull = real_fabs(acceleration(g, i, k));
        if (g->box[k] == 0 || (speed == 0 && pull == 0)) continue;
        const real dt = 2 * room / (speed + real_sqrt(speed * speed + 2 * pull * room));
        if (g->now + dt < limit) limit = g->now + dt;
    }
    return limit;
}

static void meshes_detect(const gas *g, uint32_t i, next_event *best, real *limit)
{
    for (uint32_t m = 0; m < g->solids->count; m++) {
        const solid *s = &g->solids->solid[m];
        if (s->absent || !may_be_hit(g, i, s->motion)) continue;
        real x[3], v[3], low[3], high[3];
        touch_place(g, i, &(element){.of = s}, g->now - g->body[i].t, x, v);
        const real until = half_a_box(g, i, v);
        for (int k = 0; k < 3; k++) {
            const real room = k < DIM ? g->box[k] : 0; /* half a box, and as much again for rounding */
            low[k] = x[k] - room;
            high[k] = x[k] + room;
        }
        if (until < *limit) *limit = until;
        const image_range n = images_near(g, s, low, high, radius_of(g, i) + s->reach);
        if (!any_image(&n)) continue;
        element of = {.of = s};
        memcpy(of.image, n.low, sizeof n.low);
        do {
            for (of.triangle = 0; of.triangle < s->count; of.triangle++) {
                next_event e = {touch_time(g, i, &of, *limit), PARTNER_ELEMENT + s->first + of.triangle, 0};
                if (e.time < REAL_NEVER && event_before(g, i, &e, i, best)) *best = e;
            }
        } while (next_image(&n, of.image));
    }
}

/* ---- the contact ------------------------------------------------------------------------------------------------- */

/* The image of an element nearest to body i at its stored time. */
static element find_element(const gas *g, uint32_t i, uint32_t index, gap_state *nearest)
{
    const solid *s = g->solids->solid;
    while (index >= s->first + s->count) s++;
    element of = {.of = s, .triangle = index - s->first}, best = of;
    real x[3], v[3];
    touch_place(g, i, &of, 0, x, v);
    const image_range n = images_near(g, s, x, x, 2 * (radius_of(g, i) + s->reach));
    memcpy(of.image, n.low, sizeof n.low);
    nearest->gap = REAL_NEVER;
    do {
        gap_state state;
        touch_gap(g, i, &of, 0, &state);
        if (!(state.gap < nearest->gap)) continue;
        *nearest = state;
        best = of;
    } while (next_image(&n, of.image));
    return best;
}

static const solid *meshes_contact(const gas *g, uint32_t i, uint32_t index, gap_state *state, real velocity[3])
{
    const element of = find_element(g, i, index, state);
    const real n[3] = {state->normal[0], state->normal[1], state->normal[2]}, contact = state->gap + radius_of(g, i);
    real y[3] = {0, 0, 0};
    pose p;
    motion_at(of.of->motion, g->body[i].t, &p);
    for (int k = 0; k < 3; k++)
        state->normal[k] = p.turned[k][0] * n[0] + p.turned[k][1] * n[1] + p.turned[k][2] * n[2];
    for (int k = 0; k < DIM; k++)
        y[k] = g->body[i].r[k] - (real)of.image[k] * g->box[k] - (contact + of.of->reach) * state->normal[k];
    motion_velocity(&p, y, velocity);
    return of.of;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Vertices have no mass: observables ignore them. */
static void fill_vertex(const gas *g, const double r[3], const double v[3], size_t id, unsigned columns, carom_frame *f)
{
    for (int k = 0; k < DIM; k++) {
        const double turns = g->box[k] > 0 ? floor(r[k] / (double)g->box[k]) : 0;
        const double x = r[k] - turns * (double)g->box[k];
        const bool rounded_up = g->box[k] > 0 && x >= (double)g->box[k];
        if (columns & FRAME_POSITION) f->position[id * DIM + (size_t)k] = rounded_up ? 0 : x;
        if (columns & FRAME_IMAGE) f->image[id * DIM + (size_t)k] = image_of(turns + rounded_up);
        if (columns & FRAME_VELOCITY) f->velocity[id * DIM + (size_t)k] = v[k];
    }
    if (columns & FRAME_MASS) f->mass[id] = 0;
    if (columns & FRAME_ID) f->id[id] = (uint32_t)id;
}

static void fill_presence(const gas *g, carom_frame *f)
{
    for (uint32_t m = 0; f->present != NULL && m < g->solids->count; m++) {
        const solid *s = &g->solids->solid[m];
        for (size_t id = all_bodies(g) + s->vertex, end = id + s->vertices; id < end; id++)
            f->present[id] = s->absent ? FRAME_ABSENT : (uint32_t)id;
    }
}

/* The vertices of meshes, after the bodies. */
static void meshes_fill_columns(const gas *g, real t, unsigned columns, carom_frame *f)
{
    const solids *all = g->solids;
    if (columns & FRAME_PRESENT) fill_presence(g, f);
    if (!(columns & (FRAME_PATH | FRAME_VELOCITY | FRAME_FIXED))) return;
    for (uint32_t m = 0; m < all->count; m++) {
        pose p;
        motion_at(all->solid[m].motion, t, &p);
        for (uint32_t n = all->solid[m].vertex; n < all->solid[m].vertex + all->solid[m].vertices; n++) {
            real y[3], u[3];
            double r[3], v[3];
            for (int k = 0; k < 3; k++) {
                const double *x = all->vertex[n];
                y[k] = p.turned[k][0] * (real)x[0] + p.turned[k][1] * (real)x[1] + p.turned[k][2] * (real)x[2];
                y[k] += p.moved[k];
            }
            motion_velocity(&p, y, u);
            for (int k = 0; k < 3; k++) {
                r[k] = (double)y[k];
                v[k] = (double)u[k];
            }
            fill_vertex(g, r, v, all_bodies(g) + n, columns, f);
            if (columns & FRAME_RADIUS) f->radius[all_bodies(g) + n] = (double)all->solid[m].reach;
            if (columns & FRAME_SPECIES) f->species[all_bodies(g) + n] = all->solid[m].species;
        }
    }
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool meshes_hold(const gas *g, int k)
{
    (void)g;
    (void)k;
    return true;
}

static const feature feature_meshes = {.name = "meshes",
                                       FEATURE_STATE(solids),
                                       .enabled = meshes_enabled,
                                       .create = meshes_create,
                                       .destroy = meshes_destroy,
                                       .holds = meshes_hold,
                                       .fill_columns = meshes_fill_columns};
