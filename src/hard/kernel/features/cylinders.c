/* When does a sphere touch a cylinder? With p the place of its centre across the axis, as seen from there, and s the
 * distance at contact, the overlap function is
 *   f = s^2 - p.p  inside,  p.p - s^2  outside,  f' = -+2 p.v,  f'' = -+2 (v.v + p.a),
 * a parabola in time where nothing pulls. Where gravity does, or the cylinder moves, it is of degree four, or holds a
 * sine. There f'' is bounded from below for a time w ahead: v and p change by no more than |a| w and (|v| + |a| w) w.
 * So a parabola lies below f, whose root comes before the contact, or is it. From there one looks again: the steps
 * converge as Newton's do, from the left, and jump over no root. A sphere that overlaps and parts does so until that
 * parabola turns.
 *
 * A sphere that slides inside has f'' of one sign and size, -2 (v.v + p.a) < 0, however slowly it parts: the steps are
 * as long as its bounces, and it neither gets through nor is looked at without end. */
#include "hard/kernel/features/cylinders.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/narrow/flight.h"

#include "base/memory.h"
#include "geometry/closest.h"
#include "geometry/contact.h"

enum { CYLINDER_STEPS = 1000 };

static real dot2(const real a[2], const real b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static void project(const cylinder *c, const real x[DIM], real p[2])
{
    for (int n = 0; n < 2; n++) p[n] = dot(c->across[n], x);
}

/* ---- seeing ------------------------------------------------------------------------------------------------------ */

/* The centre as seen from the axis, and what its acceleration is at most. */
typedef struct view {
    real p[2], v[2];
    real square;  /* of its distance from the axis */
    real contact; /* that distance at contact */
    real overlap; /* f */
    real rate;    /* f' / 2 */
    real curve;   /* f'' / 2, at least */
    real speed, place, pull;
    real growing; /* v.a */
    real left;    /* local time for which the bounds hold */
    bool ends;    /* nothing is known of what comes then; or nothing swings, and all of it is */
} view;

static void stand(const gas *g, uint32_t i, const cylinder *c, real dt, const pose *p, view *w)
{
    const body *b = &g->body[i];
    real x[DIM], u[DIM];
    for (int k = 0; k < DIM; k++) {
        const real a = acceleration(g, i, k);
        x[k] = b->r[k] + dt * (b->v[k] + a * (dt / 2)) - c->through[k] - p->moved[k];
        u[k] = b->v[k] + a * dt - p->velocity[k];
    }
    project(c, x, w->p);
    project(c, u, w->v);
    w->square = dot2(w->p, w->p);
    const real grown = radius_of(g, i) * (1 + g->growth * (b->t + dt));
    w->contact = c->inside ? c->radius - grown : c->radius + grown;
    w->overlap = c->inside ? w->contact * w->contact - w->square : w->square - w->contact * w->contact;
    w->rate = c->inside ? -dot2(w->p, w->v) : dot2(w->p, w->v);
}

static void look(const gas *g, uint32_t i, const cylinder *c, real dt, view *w)
{
    pose p;
    real pull[DIM], a[2];
    motion_at(c->motion, g->body[i].t + dt, &p);
    stand(g, i, c, dt, &p, w);
    for (int k = 0; k < DIM; k++) pull[k] = acceleration(g, i, k);
    project(c, pull, a);
    const real swing = real_sqrt(dot3(p.swing, p.swing)), vv = dot2(w->v, w->v);
    const real bend = vv + dot2(w->p, a);
    w->place = real_sqrt(w->square);
    w->speed = real_sqrt(vv);
    w->pull = real_sqrt(dot2(a, a)) + swing;
    w->growing = dot2(w->v, a);
    w->curve = (c->inside ? -bend : bend) - w->place * swing;
    w->left = p.left;
    w->ends = swing > 0 || p.left < REAL_NEVER;
}

static void show(const gas *g, uint32_t i, const cylinder *c, const view *w, sight *s)
{
    const real distance = real_sqrt(w->square), sign = c->inside ? -1 : 1;
    *s = (sight){.gap = sign * (distance - w->contact), .rate = w->rate / distance - radius_of(g, i) * g->growth};
    for (int k = 0; k < DIM; k++)
        s->normal[k] = sign * (c->across[0][k] * (w->p[0] / distance) + c->across[1][k] * (w->p[1] / distance));
}

static void cylinder_look(const gas *g, uint32_t i, const cylinder *c, real dt, sight *s)
{
    pose p;
    view w;
    motion_at(c->motion, g->body[i].t + dt, &p);
    stand(g, i, c, dt, &p, &w);
    show(g, i, c, &w, s);
}

static void cylinder_sight(const gas *g, uint32_t i, const cylinder *c, sight *s, real velocity[3])
{
    pose p;
    view w;
    motion_at(c->motion, g->body[i].t, &p);
    stand(g, i, c, 0, &p, &w);
    show(g, i, c, &w, s);
    real arm[3] = {0, 0, 0}; /* from the axis to where they touch */
    for (int k = 0; k < DIM; k++) arm[k] = (c->inside ? -c->radius : c->radius) * s->normal[k];
    for (int k = 0; k < 3; k++)
        velocity[k] = p.velocity[k] +
                      p.roll * (c->axis[(k + 1) % 3] * arm[(k + 2) % 3] - c->axis[(k + 2) % 3] * arm[(k + 1) % 3]);
}

/* ---- searching --------------------------------------------------------------------------------------------------- */

/* By how much f'' / 2 may sink in a time w. */
static real sinks(const view *v, real w)
{
    const real faster = v->pull * w, further = (v->speed + faster) * w;
    return faster * (2 * v->speed + faster) + further * v->pull;
}

/* When f gets to 0, or where it is there already begins to fall, if its curve is that. */
static real turn_or_root(const view *v, real curve)
{
    if (v->overlap > 0) return contact_parabola(curve, v->rate, v->overlap);
    return curve < 0 ? v->rate / -curve : REAL_NEVER;
}

static real shorter(real a, real b)
{
    return a < b ? a : b;
}

/* How far to go ahead: surely not beyond the event. */
static real cylinder_step(const cylinder *c, const view *v)
{
    if (v->pull == 0) return shorter(turn_or_root(v, v->curve), v->left);
    const bool parts = !c->inside && v->rate >= 0 && v->curve >= 0 && v->growing >= 0;
    if (parts && !v->ends) return REAL_NEVER;
    real window = v->speed / v->pull + real_sqrt(later(v->place, v->contact) / v->pull);
    window = shorter(shorter(window, v->left), turn_or_root(v, v->curve));
    const real first = shorter(turn_or_root(v, v->curve - sinks(v, window)), window);
    window = (window + first) / 2;
    return later(first, shorter(turn_or_root(v, v->curve - sinks(v, window)), window));
}

/* The least by which time goes on, where steps get lost in rounding. */
static real cylinder_least_step(const gas *g, uint32_t i, real dt, const view *v)
{
    const real grain = REAL_GRAIN * (real_fabs(g->body[i].t) + dt), way = REAL_GRAIN * v->contact;
    return later(grain, v->speed > 0 ? way / v->speed : v->pull > 0 ? real_sqrt(way / v->pull) : 0);
}

static real cylinder_search(const gas *g, uint32_t i, const cylinder *c, real until)
{
    const real start = g->body[i].t;
    real dt = 0;
    for (int n = 0; n < CYLINDER_STEPS && start + dt <= until; n++) {
        view v;
        look(g, i, c, dt, &v);
        if (v.overlap <= 0 && v.rate < 0) return start + dt;
        real step = cylinder_step(c, &v);
        if (!(step < REAL_NEVER)) return REAL_NEVER;
        if (!(dt + step > dt)) { /* as near as time can tell */
            if (v.overlap > 0 && v.rate < 0 && v.left > step) return start + dt;
            step = later(cylinder_least_step(g, i, dt, &v), REAL_GRAIN * (real_fabs(start) + dt));
        }
        dt += step;
    }
    return start + dt <= until ? start + dt : REAL_NEVER;
}

/* A straight flight past what stands still: a parabola, also where spheres grow. */
static real fly_past(const gas *g, uint32_t i, const cylinder *c)
{
    static const pose still = {.left = REAL_NEVER};
    view v;
    stand(g, i, c, 0, &still, &v);
    const real grows = radius_of(g, i) * g->growth, vv = dot2(v.v, v.v) - grows * grows;
    const real rate = v.rate - v.contact * grows;
    const real dt = contact_parabola(c->inside ? -vv : vv, rate, v.overlap);
    return g->body[i].t + dt;
}

static real cylinder_time(const gas *g, uint32_t i, const cylinder *c, real until)
{
    const bool falls = c->pulled && (g->sleep == NULL || !g->sleep->asleep[i]);
    return c->motion != NULL || falls ? cylinder_search(g, i, c, until) : fly_past(g, i, c);
}

/* ---- planning ---------------------------------------------------------------------------------------------------- */

static real until_of(const gas *g, const cylinder *c)
{
    return c->motion != NULL ? lookahead_end(g) : REAL_NEVER;
}

/* No body covers more ground than falling straight on: can the contact not come before this local time? */
static bool comes_later(const gas *g, uint32_t i, const cylinder *c, real than)
{
    static const pose still = {.left = REAL_NEVER};
    if (c->motion != NULL || g->growth != 0 || !(than < REAL_NEVER)) return false;
    view v;
    stand(g, i, c, 0, &still, &v);
    const real gap = (real)0.999 * (c->inside ? v.contact - real_sqrt(v.square) : real_sqrt(v.square) - v.contact);
    if (gap <= (real)0x1p10 * REAL_GRAIN * c->radius) return false;
    const real pull = c->pulled ? real_sqrt(dot(g->gravity, g->gravity)) : 0, dt = than - g->body[i].t;
    return (real_sqrt(dot2(v.v, v.v)) + pull * dt / 2) * dt < gap;
}

static void cylinders_plan(const gas *g, uint32_t i, plan *p)
{
    for (uint32_t k = 0; k < g->cylinders->count; k++) {
        const cylinder *c = &g->cylinders->cylinder[k];
        if (!may_be_hit(g, i, c->motion) || comes_later(g, i, c, p->second.time)) continue;
        const uint32_t partner = PARTNER_SURFACE + g->surface_count + k;
        consider(p, i, (next_event){cylinder_time(g, i, c, until_of(g, c)), partner, 0});
    }
}

static void cylinders_detect(const gas *g, uint32_t i, next_event *best)
{
    for (uint32_t k = 0; k < g->cylinders->count; k++) {
        const cylinder *c = &g->cylinders->cylinder[k];
        if (!may_be_hit(g, i, c->motion)) continue;
        const next_event e = {cylinder_time(g, i, c, until_of(g, c)), PARTNER_SURFACE + g->surface_count + k, 0};
        if (e.time < REAL_NEVER && event_before(i, &e, i, best)) *best = e;
    }
}

/* Do they push along this axis? */
static bool cylinders_hold(const gas *g, int axis)
{
    for (uint32_t k = 0; k < g->cylinders->count; k++)
        if (g->cylinders->cylinder[k].across[0][axis] != 0 || g->cylinders->cylinder[k].across[1][axis] != 0)
            return true;
    return false;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

#if CAROM_DIM == 3
/* The axis becomes a unit vector in this precision; those across begin with the coordinate that it has least of. */
static void set_axes(cylinder *c, const double axis[3])
{
    real n[3], square = 0;
    for (int k = 0; k < 3; k++) n[k] = (real)axis[k];
    const real length = real_sqrt(dot3(n, n));
    for (int k = 0; k < 3; k++) c->axis[k] = n[k] /= length;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (real_fabs(n[k]) < real_fabs(n[least])) least = k;
    for (int k = 0; k < 3; k++) {
        c->across[0][k] = (real)(k == least) - n[least] * n[k];
        square += c->across[0][k] * c->across[0][k];
    }
    for (int k = 0; k < 3; k++) c->across[0][k] /= real_sqrt(square);
    for (int k = 0; k < 3; k++)
        c->across[1][k] = n[(k + 1) % 3] * c->across[0][(k + 2) % 3] - n[(k + 2) % 3] * c->across[0][(k + 1) % 3];
}
#else
static void set_axes(cylinder *c, const double axis[3])
{
    (void)axis;
    c->axis[2] = c->across[0][0] = c->across[1][1] = 1;
}
#endif

static bool cylinders_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return g->scene->cylinder_count > 0;
}

static carom_status cylinders_create(gas *g, const initial_state *state, error *e)
{
    const scene *s = g->scene;
    cylinders *all = g->cylinders;
    (void)state;
    all->cylinder = NEW_ARRAY(s->cylinder_count, cylinder);
    if (all->cylinder == NULL) return error_memory(e, "cylinders", s->cylinder_count * sizeof *all->cylinder);
    all->count = (uint32_t)s->cylinder_count;
    for (uint32_t n = 0; n < all->count; n++) {
        const scene_cylinder *from = &s->cylinders[n];
        cylinder *c = &all->cylinder[n];
        *c = (cylinder){.radius = (real)from->radius, .inside = from->side == SIDE_INSIDE};
        c->law = (uint32_t)(1 + s->plane_count + n);
        c->motion = motion_of(g, SIZE_MAX, n, SIZE_MAX);
        set_axes(c, from->axis);
        for (int k = 0; k < DIM; k++) c->through[k] = (real)from->through[k];
        for (int a = 0; a < 2; a++) c->pulled = c->pulled || dot(c->across[a], g->gravity) != 0;
    }
    return CAROM_OK;
}

static void cylinders_destroy(gas *g)
{
    memory_free(g->cylinders->cylinder);
}

static const feature feature_cylinders = {.name = "cylinders",
                                          FEATURE_STATE(cylinders),
                                          .enabled = cylinders_enabled,
                                          .create = cylinders_create,
                                          .destroy = cylinders_destroy,
                                          .holds = cylinders_hold};
