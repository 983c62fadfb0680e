/* Contact times of bodies that are not spheres.
 *
 * A shape returns a parabola in time below the gap of two bodies (geometry/shape.h), equal to the gap at contact. While
 * the parabola is positive, contact is excluded. At its root a new parabola is computed. The search misses no contact,
 * and its steps converge like Newton's method (conservative advancement, as in mesh_contact.c). It ends when the
 * spheres around the two bodies separate.
 *
 * The rule is that of spheres, with the gap f: the event is at f <= 0 with decreasing f. For a pair that overlaps by
 * rounding and separates, the search continues at the earliest time at which the gap may decrease again. */
#include "hard/kernel/features/shapes.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/spheres.h"

#include "base/memory.h"
#include "geometry/contact.h"

/* ---- geometry ---------------------------------------------------------------------------------------------------- */

/* Torque of a unit impulse along the normal. */
static void lever(const posed *p, const shape_approach *a, int side, real torque[3])
{
    cross3(p->axis, a->normal, torque);
    for (int k = 0; k < 3; k++) torque[k] *= a->arm[side];
}

/* ---- searches ---------------------------------------------------------------------------------------------------- */

/* A search for a contact of a pair, or of a body and a surface, from a local time on. */
typedef struct contact_search {
    const gas *g;
    uint32_t i, j;
    const surface *s; /* NULL: a pair */
    const body_shape *of[2];
    real start, r[3], v[3];
    real dt, until; /* contact is excluded before start + dt, and not searched after `until` */
    real share, size;
    int steps;
} contact_search;

static void approach_pair(contact_search *p, real dt, shape_approach *a)
{
    posed at[2];
    real w[2][3], r[3];
    pose_at(p->g, p->i, p->start + dt, &at[0], w[0]);
    pose_at(p->g, p->j, p->start + dt, &at[1], w[1]);
    for (int k = 0; k < 3; k++) r[k] = p->r[k] + p->v[k] * dt;
    shapes_approach(p->of, at, w, r, p->v, &p->share, a);
}

static void approach_surface(contact_search *p, real dt, shape_approach *a)
{
    posed at;
    real w[3], pull = 0;
    pose_at(p->g, p->i, p->start + dt, &at, w);
    *a = (shape_approach){.gap = 0};
    for (int k = 0; k < DIM; k++) {
        const real fall = p->g->gravity[k], n = p->s->normal[k];
        a->normal[k] = n;
        a->gap += n * (p->r[k] + dt * (p->v[k] + fall * (dt / 2)));
        a->rate += n * (p->v[k] + fall * dt);
        pull += n * fall;
    }
    const real clear = a->gap - p->size * (1 + 16 * REAL_GRAIN);
    a->free = clear > 0 ? contact_parabola(pull, a->rate, 2 * clear) : 0;
    a->arm[0] = p->of[0]->see(&at, w, a);
    a->bend = later(a->bend - pull, 0);
}

typedef enum search_state { UNDECIDED, CONTACT, NO_CONTACT } search_state;

/* One step of a search; CONTACT: at start + dt. A search with too many steps gives an event as well, which has no
 * effect except a new prediction. */
static search_state search_step(contact_search *p)
{
    shape_approach a;
    const real t = p->start + p->dt;
    if (t > p->until) return NO_CONTACT;
    if (p->steps++ == MOST_SEARCH_STEPS) return CONTACT;
    if (p->s != NULL)
        approach_surface(p, p->dt, &a);
    else
        approach_pair(p, p->dt, &a);
    if (a.gap <= SHAPE_ROUNDING * p->size && a.rate < 0) return CONTACT;
    const real step = later(shape_step(&a, p->size), a.free);
    if (!(step < REAL_NEVER)) return NO_CONTACT;
    if (t + step > t)
        p->dt += step;
    else if (a.gap > 0 && a.rate < 0)
        return CONTACT; /* the resolution of time is reached */
    else
        p->dt += 2 * REAL_GRAIN * (real_fabs(t) + p->dt);
    return UNDECIDED;
}

/* Local time of the event, if it is not after `until`. */
static real shape_search(contact_search *p, real until)
{
    search_state v = UNDECIDED;
    if (until < p->until) p->until = until;
    while (v == UNDECIDED) v = search_step(p);
    return v == CONTACT ? p->start + p->dt : REAL_NEVER;
}

/* Limits the search to the time in which the spheres around the two bodies overlap; false: they do not. */
static bool begin_pair(contact_search *p, const gas *g, uint32_t i, uint32_t j, real now)
{
    sort_pair(g, &i, &j);
    *p = (contact_search){.g = g, .i = i, .j = j, .start = later(g->body[i].t, g->body[j].t)};
    relative_at(g, i, j, p->start, now, p->r, p->v);
    p->size = radius_of(g, i) + radius_of(g, j);
    const real reach = p->size * (1 + 16 * REAL_GRAIN);
    const real vv = dot(p->v, p->v), vr = dot(p->v, p->r), apart = dot(p->r, p->r) - reach * reach;
    const real square = vr * vr - vv * apart;
    if (apart > 0 && (vr >= 0 || square <= 0)) return false;
    const real root = real_sqrt(square);
    p->dt = apart > 0 ? apart / (root - vr) : 0;
    p->until = vv > 0 ? p->start + (vr > 0 ? -apart / (root + vr) : (root - vr) / vv) : REAL_NEVER;
    const real *a = half_of(g, i), *b = half_of(g, j);
    p->share = (a[0] + a[1]) / (a[0] + a[1] + b[0] + b[1]);
    shapes_of(g, i, j, p->of);
    return true;
}

static real shapes_detect(const gas *g, uint32_t i, uint32_t j, real now)
{
    contact_search p;
    return begin_pair(&p, g, i, j, now) ? shape_search(&p, REAL_NEVER) : REAL_NEVER;
}

static real shapes_detect_surface(const gas *g, uint32_t i, uint32_t index, real until)
{
    const body *b = &g->body[i];
    const surface *s = &g->surface[index];
    contact_search p = {
        .g = g, .i = i, .s = s, .of = {shape_of(g, i)}, .start = b->t, .until = until, .size = radius_of(g, i)};
    real distance = 0, speed = 0, pull = 0;
    for (int k = 0; k < DIM; k++) {
        p.r[k] = b->r[k] - s->point[k];
        p.v[k] = b->v[k];
        distance += s->normal[k] * p.r[k];
        speed += s->normal[k] * p.v[k];
        pull += s->normal[k] * g->gravity[k];
    }
    distance -= p.size * (1 + 16 * REAL_GRAIN);
    p.dt = distance > 0 ? contact_parabola(pull, speed, 2 * distance) : 0;
    return p.dt < REAL_NEVER ? shape_search(&p, until) : REAL_NEVER;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

enum { MOST_SEARCHES = 64 };

static void consider_search(const contact_search *p, uint32_t i, real time, plan *known)
{
    const uint32_t j = p->i == i ? p->j : p->i;
    consider(p->g, known, i, (next_event){time, j, p->g->body[j].stamp});
}

/* Completes searches in the order of their lower bounds, until the bounds are later than two known events. */
static void finish_searches(contact_search *all, uint32_t count, uint32_t i, plan *known)
{
    uint32_t order[MOST_SEARCHES];
    for (uint32_t n = 0; n < count; n++) {
        const real time = all[n].start + all[n].dt;
        uint32_t at = n;
        for (; at > 0 && all[order[at - 1]].start + all[order[at - 1]].dt > time; at--) order[at] = order[at - 1];
        order[at] = n;
    }
    for (uint32_t n = 0; n < count; n++) {
        contact_search *p = &all[order[n]];
        if (p->start + p->dt > known->second.time) return;
        consider_search(p, i, shape_search(p, known->second.time), known);
    }
}

/* One step for each candidate, then the searches that may give the first events. */
static void shapes_predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    contact_search all[MOST_SEARCHES];
    uint32_t count = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t j = list[k];
        if (j == i) continue;
        if (!shapes_any(g, i, j)) {
            consider(g, p, i, (next_event){detect_spheres(g, i, j, g->now), j, g->body[j].stamp});
            continue;
        }
        if (count == MOST_SEARCHES) {
            finish_searches(all, count, i, p);
            count = 0;
        }
        contact_search *one = &all[count];
        if (!begin_pair(one, g, i, j, g->now) || one->start + one->dt > p->second.time) continue;
        const search_state v = search_step(one);
        if (v == CONTACT) consider_search(one, i, one->start + one->dt, p);
        count += v == UNDECIDED;
    }
    finish_searches(all, count, i, p);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool shapes_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)tallies;
    return state->axis != NULL;
}

static carom_status shapes_place(gas *g, const initial_state *state, error *e)
{
    shape_bodies *all = g->shapes;
    all->half = memory_new(g->kind_count, sizeof *all->half);
    all->shape = memory_new(g->kind_count, sizeof *all->shape);
    if (all->half == NULL || all->shape == NULL) return error_memory(e, "shapes", g->kind_count * sizeof *all->half);
    for (uint32_t k = 0; k < g->kind_count; k++) {
        const scene_species *species = &g->scene->species[g->species[k]];
        const bool round = species->half[0] == 0;
        all->shape[k] = round ? NULL : shapes[species->shape];
        for (int side = 0; side < 2; side++) all->half[k][side] = round ? g->radius[k] : (real)species->half[side];
    }
    for (uint32_t i = 0; i < g->count; i++) {
        real *axis = all->axis[i];
        for (int k = 0; k < 3; k++) axis[k] = (real)state->axis[i][k];
        const real length = real_sqrt(dot3(axis, axis));
        for (int k = 0; k < 3; k++) axis[k] /= length;
        shape_apply_torque(g, i, axis, 0);
    }
    return CAROM_OK;
}

static void shapes_destroy(gas *g)
{
    memory_free(g->shapes->half);
    memory_free(g->shapes->shape);
}

static void shapes_fill_columns(const gas *g, real t, unsigned columns, carom_frame *f)
{
    if (!(columns & FRAME_AXIS)) return;
    for (uint32_t i = 0; i < g->count; i++) {
        posed p;
        real w[3];
        const size_t id = g->id[i];
        pose_at(g, i, t, &p, w);
        for (int k = 0; k < 3; k++) f->axis[3 * id + (size_t)k] = (double)p.axis[k];
        for (int k = 0; k < 3; k++) f->semi_axes[3 * id + (size_t)k] = (double)(k == 0 ? p.along : p.across);
        if (f->shape != NULL) f->shape[id] = is_sphere(g, i) ? 0 : g->scene->species[species_of(g, i)].shape;
    }
}

static const char *shapes_fault(const gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const real square = dot(g->shapes->axis[i], g->shapes->axis[i]);
        if (!(square > (real)0.99 && square < (real)1.01)) return "engine/axis";
    }
    return NULL;
}

static const body_array shape_arrays[] = {
    {"engine/axis", BODY_ARRAY(shape_bodies, axis), .hash = HASH_REALS},
};

static const feature feature_shapes = {.name = "shapes",
                                       FEATURE_STATE(shapes),
                                       .enabled = shapes_enabled,
                                       FEATURE_ARRAYS(shape_arrays),
                                       .place = shapes_place,
                                       .destroy = shapes_destroy,
                                       .fault = shapes_fault,
                                       .fill_columns = shapes_fill_columns};
