/* Ellipsoids: when do they meet, and what do they do then?
 *
 * Along any unit vector n the gap of the shadows, s_n(t) = n.r - h_i - h_j (geometry/ellipsoid.h), is at most the
 * gap of the bodies. With the n of now, s_n has the sign of the gap, and a second derivative that is bounded from
 * below: as long as that cannot bring s_n to zero nothing can have happened. There n is found anew. No contact is
 * jumped over, and as in contacts s_n touches the gap, the steps converge as Newton's do (conservative advancement,
 * as in touch.c). The search ends where the spheres around the two part.
 *
 * The rule is that of spheres, with f = s_n: the event is where f <= 0 and falls. A pair that overlaps by rounding
 * and parts is looked at again when it may have turned round. */
#include "hard/kernel/features/ellipsoids.h"
#include "hard/kernel/features/ellipsoid_shape.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/narrow/spheres.h"

#include "base/memory.h"
#include "geometry/contact.h"

enum { ELLIPSOID_STEPS = 1000 };

/* Of gaps, in radii of the two: what is less cannot be told from contact. */
#define ELLIPSOID_ROUNDING (4 * REAL_GRAIN)

/* What is seen of the gap between two bodies, or a body and a plane, along a normal that stays what it is. */
typedef struct ellipsoid_approach {
    real normal[3];
    real gap, rate;
    real bend; /* the rate falls by at most this a unit of time */
    real free; /* before this time the sphere around the body does not reach the plane; of pairs 0 */
} ellipsoid_approach;

/* ---- where they are ---------------------------------------------------------------------------------------------- */

/* What a unit impulse along n, at the point that reaches furthest along it, does as a torque: r x n. */
static void lever(const ellipsoid *e, const real n[3], real torque[3])
{
    real lean;
    const real reach = ellipsoid_reach(e, n, &lean), arm = (e->along * e->along - e->across * e->across) * lean / reach;
    cross3(e->axis, n, torque);
    for (int k = 0; k < 3; k++) torque[k] *= arm;
}

/* Adds what the turning of a body does to the gap along n. With c = n.u = C cos, h'' = (a^2 - b^2) (c'^2 b^2 / h^3 -
 * c^2 w^2 / h) is at most |a^2 - b^2| w^2 C^2 over the least h that there is. */
static void add_turning(const ellipsoid *e, const real w[3], ellipsoid_approach *a)
{
    const real flat = e->along * e->along - e->across * e->across, square = dot3(w, w);
    real lean, torque[3], side[3];
    if (flat == 0 || square == 0) return;
    ellipsoid_reach(e, a->normal, &lean);
    lever(e, a->normal, torque);
    cross3(w, e->axis, side);
    const real across = dot3(a->normal, side);
    real most = lean * lean + across * across / square;
    if (most > 1) most = 1;
    const real least =
        flat > 0 ? e->across : real_sqrt(e->across * e->across * (1 - most) + e->along * e->along * most);
    a->rate -= dot3(w, torque);
    a->bend += real_fabs(flat) * square * most / least;
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

/* The time in which two that touch, and do not part, may come nearer by what cannot be told from contact. */
static real ellipsoid_least_step(const ellipsoid_approach *a, real size)
{
    return real_sqrt(ELLIPSOID_ROUNDING * size / a->bend);
}

/* How far to go ahead: surely not beyond the event. `size`: of the two. */
static real ellipsoid_step(const ellipsoid_approach *a, real size)
{
    if (a->gap <= ELLIPSOID_ROUNDING * size) {
        if (a->bend == 0) return a->rate > 0 ? REAL_NEVER : 0;
        return later(a->rate / a->bend, ellipsoid_least_step(a, size));
    }
    if (a->bend == 0) return a->rate < 0 ? a->gap / -a->rate : REAL_NEVER;
    const real root = real_sqrt(a->rate * a->rate + 2 * a->bend * a->gap);
    return a->rate < 0 ? 2 * a->gap / (root - a->rate) : (a->rate + root) / a->bend;
}

/* A pair, or a body and a surface, from a local time on. */
typedef struct pursuit {
    const gas *g;
    uint32_t i, j;
    const surface *s; /* NULL: a pair */
    real start, r[3], v[3];
    real dt, until; /* nothing happens before start + dt, or after `until` */
    real share, size;
    int steps;
} pursuit;

static void look_pair(pursuit *p, real dt, ellipsoid_approach *a)
{
    ellipsoid e[2];
    real w[2][3], r[3];
    shape_at(p->g, p->i, p->start + dt, &e[0], w[0]);
    shape_at(p->g, p->j, p->start + dt, &e[1], w[1]);
    for (int k = 0; k < 3; k++) r[k] = p->r[k] + p->v[k] * dt;
    a->gap = ellipsoid_gap(&e[0], &e[1], r, &p->share, a->normal);
    a->rate = dot3(a->normal, p->v);
    a->bend = a->free = 0;
    for (int k = 0; k < 2; k++) add_turning(&e[k], w[k], a);
}

static void look_surface(pursuit *p, real dt, ellipsoid_approach *a)
{
    ellipsoid e;
    real w[3], pull = 0;
    shape_at(p->g, p->i, p->start + dt, &e, w);
    *a = (ellipsoid_approach){.gap = 0};
    for (int k = 0; k < DIM; k++) {
        const real fall = p->g->gravity[k], n = p->s->normal[k];
        a->normal[k] = n;
        a->gap += n * (p->r[k] + dt * (p->v[k] + fall * (dt / 2)));
        a->rate += n * (p->v[k] + fall * dt);
        pull += n * fall;
    }
    const real clear = a->gap - p->size * (1 + 16 * REAL_GRAIN);
    a->free = clear > 0 ? contact_parabola(pull, a->rate, 2 * clear) : 0;
    a->gap -= ellipsoid_reach(&e, a->normal, NULL);
    add_turning(&e, w, a);
    a->bend = later(a->bend - pull, 0);
}

typedef enum verdict { GOES_ON, HAPPENS, NEVER } verdict;

/* Looks once, and goes ahead; HAPPENS: at start + dt. A search without an end is an event, too, in which nothing
 * happens but that the bodies are looked at anew. */
static verdict advance(pursuit *p)
{
    ellipsoid_approach a;
    const real t = p->start + p->dt;
    if (t > p->until) return NEVER;
    if (p->steps++ == ELLIPSOID_STEPS) return HAPPENS;
    if (p->s != NULL)
        look_surface(p, p->dt, &a);
    else
        look_pair(p, p->dt, &a);
    if (a.gap <= ELLIPSOID_ROUNDING * p->size && a.rate < 0) return HAPPENS;
    const real step = later(ellipsoid_step(&a, p->size), a.free);
    if (!(step < REAL_NEVER)) return NEVER;
    if (t + step > t)
        p->dt += step;
    else if (a.gap > 0 && a.rate < 0)
        return HAPPENS; /* as near as time can tell */
    else
        p->dt += 2 * REAL_GRAIN * (real_fabs(t) + p->dt);
    return GOES_ON;
}

/* Local time of the event, if that is not after `until`. */
static real ellipsoid_search(pursuit *p, real until)
{
    verdict v = GOES_ON;
    if (until < p->until) p->until = until;
    while (v == GOES_ON) v = advance(p);
    return v == HAPPENS ? p->start + p->dt : REAL_NEVER;
}

/* From where the spheres around two bodies meet until they part; false: they do not. */
static bool begin_pair(pursuit *p, const gas *g, uint32_t first, uint32_t second, real now)
{
    const uint32_t i = first < second ? first : second, j = first < second ? second : first;
    *p = (pursuit){.g = g, .i = i, .j = j, .start = later(g->body[i].t, g->body[j].t)};
    relative_at(g, i, j, p->start, now, p->r, p->v);
    p->size = radius_of(g, i) + radius_of(g, j);
    const real reach = p->size * (1 + 16 * REAL_GRAIN);
    const real vv = dot(p->v, p->v), vr = dot(p->v, p->r), apart = dot(p->r, p->r) - reach * reach;
    const real square = vr * vr - vv * apart;
    if (apart > 0 && (vr >= 0 || square <= 0)) return false;
    const real root = real_sqrt(square);
    p->dt = apart > 0 ? apart / (root - vr) : 0;
    p->until = vv > 0 ? p->start + (vr > 0 ? -apart / (root + vr) : (root - vr) / vv) : REAL_NEVER;
    const real *a = semi_of(g, i), *b = semi_of(g, j);
    p->share = (a[0] + a[1]) / (a[0] + a[1] + b[0] + b[1]);
    return true;
}

static real ellipsoids_meet(const gas *g, uint32_t i, uint32_t j, real now)
{
    pursuit p;
    return begin_pair(&p, g, i, j, now) ? ellipsoid_search(&p, REAL_NEVER) : REAL_NEVER;
}

static real ellipsoids_touch(const gas *g, uint32_t i, uint32_t index, real until)
{
    const body *b = &g->body[i];
    const surface *s = &g->surface[index];
    pursuit p = {.g = g, .i = i, .s = s, .start = b->t, .until = until, .size = radius_of(g, i)};
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
    return p.dt < REAL_NEVER ? ellipsoid_search(&p, until) : REAL_NEVER;
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

enum { PURSUITS = 64 };

static void consider_pursuit(const pursuit *p, uint32_t i, real time, plan *known)
{
    const uint32_t j = p->i == i ? p->j : p->i;
    consider(known, i, (next_event){time, j, p->g->body[j].stamp});
}

/* Goes on with those that may be first, and leaves the others as soon as two events come before them. */
static void ellipsoid_follow(pursuit *all, uint32_t count, uint32_t i, plan *known)
{
    uint32_t order[PURSUITS];
    for (uint32_t n = 0; n < count; n++) {
        const real time = all[n].start + all[n].dt;
        uint32_t at = n;
        for (; at > 0 && all[order[at - 1]].start + all[order[at - 1]].dt > time; at--) order[at] = order[at - 1];
        order[at] = n;
    }
    for (uint32_t n = 0; n < count; n++) {
        pursuit *p = &all[order[n]];
        if (p->start + p->dt > known->second.time) return;
        consider_pursuit(p, i, ellipsoid_search(p, known->second.time), known);
    }
}

/* All are looked at once. */
static void ellipsoids_predict(const gas *g, uint32_t i, const uint32_t *list, uint32_t length, plan *p)
{
    pursuit all[PURSUITS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < length; k++) {
        const uint32_t j = list[k];
        if (j == i) continue;
        if (!ellipsoids_any(g, i, j)) {
            consider(p, i, (next_event){detect_spheres(g, i, j, g->now), j, g->body[j].stamp});
            continue;
        }
        if (count == PURSUITS) {
            ellipsoid_follow(all, count, i, p);
            count = 0;
        }
        pursuit *one = &all[count];
        if (!begin_pair(one, g, i, j, g->now) || one->start + one->dt > p->second.time) continue;
        const verdict v = advance(one);
        if (v == HAPPENS) consider_pursuit(one, i, one->start + one->dt, p);
        count += v == GOES_ON;
    }
    ellipsoid_follow(all, count, i, p);
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static bool ellipsoids_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)tallies;
    return state->axis != NULL;
}

static carom_status ellipsoids_place(gas *g, const initial_state *state, error *e)
{
    ellipsoids *all = g->ellipsoids;
    all->semi = memory_new(g->kind_count, sizeof *all->semi);
    all->round = NEW_ARRAY(g->kind_count, bool);
    if (all->semi == NULL || all->round == NULL)
        return error_memory(e, "ellipsoids", g->kind_count * sizeof *all->semi);
    for (uint32_t k = 0; k < g->kind_count; k++) {
        const double *semi = g->scene->species[g->species[k]].semi_axes;
        all->round[k] = semi[0] == 0;
        for (int side = 0; side < 2; side++) all->semi[k][side] = all->round[k] ? g->radius[k] : (real)semi[side];
    }
    for (uint32_t i = 0; i < g->count; i++) {
        real *axis = all->axis[i];
        for (int k = 0; k < 3; k++) axis[k] = (real)state->axis[i][k];
        const real length = real_sqrt(dot3(axis, axis));
        for (int k = 0; k < 3; k++) axis[k] /= length;
        ellipsoid_apply_torque(g, i, axis, 0);
    }
    return CAROM_OK;
}

static void ellipsoids_destroy(gas *g)
{
    memory_free(g->ellipsoids->semi);
    memory_free(g->ellipsoids->round);
}

static void ellipsoids_fill_frame(const gas *g, real t, carom_frame *f)
{
    for (uint32_t i = 0; i < g->count; i++) {
        ellipsoid e;
        real w[3];
        const size_t id = g->id[i];
        shape_at(g, i, t, &e, w);
        for (int k = 0; k < 3; k++) f->axis[3 * id + (size_t)k] = (double)e.axis[k];
        for (int k = 0; k < 3; k++) f->semi_axes[3 * id + (size_t)k] = (double)(k == 0 ? e.along : e.across);
    }
}

static const char *ellipsoids_fault(const gas *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const real square = dot(g->ellipsoids->axis[i], g->ellipsoids->axis[i]);
        if (!(square > (real)0.99 && square < (real)1.01)) return "engine/axis";
    }
    return NULL;
}

static const body_array ellipsoid_arrays[] = {
    {"engine/axis", BODY_ARRAY(ellipsoids, axis), .hash = HASH_REALS},
};

static const feature feature_ellipsoids = {.name = "ellipsoids",
                                           FEATURE_STATE(ellipsoids),
                                           .enabled = ellipsoids_enabled,
                                           FEATURE_ARRAYS(ellipsoid_arrays),
                                           .place = ellipsoids_place,
                                           .destroy = ellipsoids_destroy,
                                           .fault = ellipsoids_fault,
                                           .fill_frame = ellipsoids_fill_frame};
