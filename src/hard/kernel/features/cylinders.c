/* Cylinders as boundaries (2D: circles), without ends. Only the plane perpendicular to the axis matters. In it a body
 * is a disk and the boundary is a circle around the origin. With the position p of the centre in this plane and the
 * distance s at contact, the overlap function is
 *   f = s^2 - p.p  inside,  p.p - s^2  outside,  f' = -+2 p.v,  f'' = -+2 (v.v + p.a),
 * a parabola in time without acceleration. With gravity or a moving cylinder it is of degree four, or contains a sine;
 * then its root is searched for (overlap_search.h).
 *
 * For a sphere that slides along the inside, f'' = -2 (v.v + p.a) < 0 has a fixed sign and size, however slow its
 * normal velocity. The steps of the search are as long as its bounces: it does not penetrate, and the search ends. */
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/overlap_search.h"

#include "base/memory.h"
#include "geometry/closest.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/narrow/flight.h"

typedef struct cylinder {
    real across[2][DIM]; /* unit vectors, perpendicular to the axis and to each other */
    real through[DIM];   /* a point of the axis at the start */
    real axis[3];        /* 2D: perpendicular to the plane */
    real radius;
    bool inside; /* side of the bodies */
} cylinder;

static void project(const cylinder *c, const real x[DIM], real p[2])
{
    for (int n = 0; n < 2; n++) p[n] = dot(c->across[n], x);
}

/* ---- position relative to the axis ------------------------------------------------------------------------------- */

/* The centre of a body relative to the axis. */
typedef struct axis_view {
    real p[2], v[2];
    real square;                 /* squared distance from the axis */
    real contact, overlap, rate; /* as in overlap_bound */
} axis_view;

static void view_from_axis(const gas *g, uint32_t i, const cylinder *c, real dt, const pose *p, axis_view *w)
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

static void cylinder_bound(const gas *g, uint32_t i, const exact_surface *of, real dt, overlap_bound *w)
{
    const cylinder *c = of->shape;
    pose p;
    axis_view at;
    real pull[DIM], a[2];
    motion_at(of->motion, g->body[i].t + dt, &p);
    view_from_axis(g, i, c, dt, &p, &at);
    for (int k = 0; k < DIM; k++) pull[k] = acceleration(g, i, k);
    project(c, pull, a);
    const real swing = real_sqrt(dot3(p.swing, p.swing)), vv = dot2(at.v, at.v);
    const real bend = vv + dot2(at.p, a);
    w->inside = c->inside;
    w->contact = at.contact;
    w->overlap = at.overlap;
    w->rate = at.rate;
    w->place = real_sqrt(at.square);
    w->speed = real_sqrt(vv);
    w->pull = real_sqrt(dot2(a, a)) + swing;
    w->growing = dot2(at.v, a);
    w->curve = (c->inside ? -bend : bend) - w->place * swing;
    w->left = p.left;
    w->ends = swing > 0 || p.left < REAL_NEVER;
}

static void gap_from_view(const gas *g, uint32_t i, const cylinder *c, const axis_view *w, gap_state *s)
{
    const real distance = real_sqrt(w->square), sign = c->inside ? -1 : 1;
    *s = (gap_state){.gap = sign * (distance - w->contact), .rate = w->rate / distance - radius_of(g, i) * g->growth};
    for (int k = 0; k < DIM; k++)
        s->normal[k] = sign * (c->across[0][k] * (w->p[0] / distance) + c->across[1][k] * (w->p[1] / distance));
}

static void cylinder_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s)
{
    pose p;
    axis_view w;
    motion_at(of->motion, g->body[i].t + dt, &p);
    view_from_axis(g, i, of->shape, dt, &p, &w);
    gap_from_view(g, i, of->shape, &w, s);
}

static void cylinder_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3])
{
    const cylinder *c = of->shape;
    pose p;
    axis_view w;
    motion_at(of->motion, g->body[i].t, &p);
    view_from_axis(g, i, c, 0, &p, &w);
    gap_from_view(g, i, c, &w, s);
    real arm[3] = {0, 0, 0}; /* from the axis to the point of contact */
    for (int k = 0; k < DIM; k++) arm[k] = (c->inside ? -c->radius : c->radius) * s->normal[k];
    for (int k = 0; k < 3; k++)
        velocity[k] = p.velocity[k] +
                      p.roll * (c->axis[(k + 1) % 3] * arm[(k + 2) % 3] - c->axis[(k + 2) % 3] * arm[(k + 1) % 3]);
}

/* ---- contact times ----------------------------------------------------------------------------------------------- */

/* Uniform motion relative to a fixed cylinder: a parabola, also for growing spheres. */
static real straight_contact(const gas *g, uint32_t i, const cylinder *c)
{
    static const pose still = {.left = REAL_NEVER};
    axis_view v;
    view_from_axis(g, i, c, 0, &still, &v);
    const real grows = radius_of(g, i) * g->growth, vv = dot2(v.v, v.v) - grows * grows;
    const real rate = v.rate - v.contact * grows;
    const real dt = contact_parabola(c->inside ? -vv : vv, rate, v.overlap);
    return g->body[i].t + dt;
}

static real cylinder_time(const gas *g, uint32_t i, const exact_surface *of, real until)
{
    return overlap_is_curved(g, i, of) ? overlap_search(g, i, of, until, cylinder_bound)
                                       : straight_contact(g, i, of->shape);
}

static bool cylinder_later(const gas *g, uint32_t i, const exact_surface *of, real than)
{
    static const pose still = {.left = REAL_NEVER};
    const cylinder *c = of->shape;
    if (!overlap_may_skip(g, of, than)) return false;
    axis_view v;
    view_from_axis(g, i, c, 0, &still, &v);
    const real far = c->inside ? v.contact - real_sqrt(v.square) : real_sqrt(v.square) - v.contact;
    return overlap_not_before(g, i, of, than, far, c->radius, real_sqrt(dot2(v.v, v.v)));
}

static bool cylinder_holds(const exact_surface *of, int axis)
{
    const cylinder *c = of->shape;
    return c->across[0][axis] != 0 || c->across[1][axis] != 0;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

#if CAROM_DIM == 3
/* Normalises the axis in this precision. The perpendicular vectors start from the coordinate with the smallest
 * component of the axis. */
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

static void cylinder_make(const gas *g, exact_surface *of, const scene_cylinder *from)
{
    cylinder *c = of->shape = NEW_ARRAY(1, cylinder);
    if (c == NULL) return;
    *c = (cylinder){.radius = (real)from->radius, .inside = from->side == SIDE_INSIDE};
    set_axes(c, from->axis);
    for (int k = 0; k < DIM; k++) c->through[k] = (real)from->through[k];
    for (int a = 0; a < 2; a++) of->pulled = of->pulled || dot(c->across[a], g->gravity) != 0;
}
