/* Contact times of a sphere with a triangle, or with a moving plane.
 *
 * The overlap function is f(t) = d(t) - s, with the distance d of the centre and the contact distance s. For a triangle
 * d is the distance from its nearest point: on the face, an edge or a corner.
 *
 * A triangle is convex. It lies behind the plane through its nearest point perpendicular to the line to the centre. The
 * time at which the sphere touches that plane is at or before the contact. The search continues from there
 * (conservative advancement; Newton's method on a convex function). It misses no root, also between face and edge, and
 * finds a contact with a face in one step. For an acceleration a, d'' >= -|a|, since d is a convex function of
 * position: a sphere that overlaps and moves away at d' continues to do so for a time d' / |a|.
 *
 * The search is done in the frame of the mesh. If the mesh rotates or oscillates, the acceleration in this frame is
 * unknown, but bounded for some time; the steps are shorter then. */
#include "hard/kernel/narrow/mesh_contact.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/narrow/flight.h"

#include "geometry/closest.h"
#include "geometry/contact.h"

/* ---- positions --------------------------------------------------------------------------------------------------- */

static void flight_at(const gas *g, uint32_t i, real dt, real x[3], real v[3])
{
    const body *b = &g->body[i];
    for (int k = 0; k < 3; k++) {
        const real a = k < DIM ? acceleration(g, i, k) : 0;
        x[k] = k < DIM ? b->r[k] + dt * (b->v[k] + a * (dt / 2)) : 0;
        v[k] = k < DIM ? b->v[k] + a * dt : 0;
    }
}

/* Transforms x and v to position and velocity in the frame of the mesh. */
static void to_mesh_frame(const pose *p, real x[3], real v[3])
{
    real y[3], u[3];
    motion_velocity(p, x, u);
    for (int k = 0; k < 3; k++) {
        y[k] = x[k] - p->moved[k];
        u[k] = v[k] - u[k];
    }
    for (int k = 0; k < 3; k++) {
        x[k] = p->turned[0][k] * y[0] + p->turned[1][k] * y[1] + p->turned[2][k] * y[2];
        v[k] = p->turned[0][k] * u[0] + p->turned[1][k] * u[1] + p->turned[2][k] * u[2];
    }
}

static void touch_place(const gas *g, uint32_t i, const element *of, real dt, real x[3], real v[3])
{
    flight_at(g, i, dt, x, v);
    for (int k = 0; k < DIM; k++) x[k] -= (real)of->image[k] * g->box[k];
    if (of->of->motion == NULL) return;
    pose p;
    motion_at(of->of->motion, g->body[i].t + dt, &p);
    to_mesh_frame(&p, x, v);
}

/* ---- accelerations ----------------------------------------------------------------------------------------------- */

static real size(const real v[3])
{
    return real_sqrt(dot3(v, v));
}

/* Bound of the acceleration in a frame that rotates at `rate`, for a time `time`: `pull`, the other accelerations, + 2
 * rate |v| + rate^2 r. `arm` is the distance from the axis and `speed` the speed at the start of this time; both
 * grow. */
static real rotating_frame_bound(real rate, real arm, real speed, real pull, real time)
{
    const real v = speed + pull * time, r = arm + v * time;
    return pull + 2 * rate * (v + rate * r) + rate * rate * r;
}

static real touch_acceleration_bound(const gas *g, uint32_t i, const solid *of, real dt, real *window)
{
    real a[3] = {0, 0, 0}, x[3], v[3], u[3];
    for (int k = 0; k < DIM; k++) a[k] = acceleration(g, i, k);
    *window = REAL_NEVER;
    if (of->motion == NULL) return size(a);
    pose p;
    motion_at(of->motion, g->body[i].t + dt, &p);
    *window = p.left;
    const real pull = size(a) + size(p.swing);
    if (p.rate == 0) return pull;
    if (ROTATION_WINDOW / p.rate < *window) *window = ROTATION_WINDOW / p.rate;
    flight_at(g, i, dt, x, v);
    for (int k = 0; k < 3; k++) {
        u[k] = v[k] - p.velocity[k];
        x[k] -= p.through[k];
    }
    return rotating_frame_bound(p.rate, size(x), size(u), pull, *window);
}

/* ---- the gap ----------------------------------------------------------------------------------------------------- */

/* Lower bounds of the second derivative of the gap: in any case, and for the plane of the nearest point. */
static void touch_bounds(const gas *g, uint32_t i, const element *of, real dt, gap_state *s)
{
    real a[3] = {0, 0, 0};
    for (int k = 0; k < DIM; k++) a[k] = acceleration(g, i, k);
    s->least = -touch_acceleration_bound(g, i, of->of, dt, &s->left);
    s->pull = s->least;
    if (of->of->motion == NULL) {
        s->pull = dot3(s->normal, a);
        return;
    }
    pose p;
    motion_at(of->of->motion, g->body[i].t + dt, &p);
    if (p.rate > 0) return;
    s->pull = 0;
    for (int k = 0; k < 3; k++) {
        const real n = p.turned[k][0] * s->normal[0] + p.turned[k][1] * s->normal[1] + p.turned[k][2] * s->normal[2];
        s->pull += n * a[k] - real_fabs(n) * p.swing[k];
    }
}

static void touch_gap(const gas *g, uint32_t i, const element *of, real dt, gap_state *s)
{
    real x[3], v[3], share[3];
    touch_place(g, i, of, dt, x, v);
    closest_in_triangle(x, (const real(*)[3])of->of->corner[of->triangle], s->normal, share);
    const real distance = size(s->normal);
    for (int k = 0; k < 3; k++) s->normal[k] /= distance;
    s->gap = distance - (radius_of(g, i) + of->of->reach);
    s->rate = dot3(s->normal, v);
    s->speed = size(v);
}

static void touch_gap_plane(const gas *g, uint32_t i, const surface *of, real dt, gap_state *s)
{
    real x[3], v[3];
    pose p;
    flight_at(g, i, dt, x, v);
    motion_at(of->motion, g->body[i].t + dt, &p);
    *s = (gap_state){.gap = -radius_of(g, i), .left = p.left, .speed = 0};
    for (int k = 0; k < DIM; k++) {
        s->normal[k] = of->normal[k];
        s->gap += of->normal[k] * (x[k] - of->point[k] - p.moved[k]);
        s->rate += of->normal[k] * (v[k] - p.velocity[k]);
        s->pull += of->normal[k] * acceleration(g, i, k) - real_fabs(of->normal[k]) * p.swing[k];
    }
    s->least = s->pull;
    s->speed = real_fabs(s->rate);
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* Smallest step, if steps are below rounding. */
static real touch_least_step(const gas *g, uint32_t i, real dt, const gap_state *s)
{
    const real grain = REAL_GRAIN * (real_fabs(g->body[i].t) + dt), way = REAL_GRAIN * radius_of(g, i);
    return later(grain, time_of_way(way, s->speed, -s->least));
}

/* Step that does not pass the event. `least` doubles as long as the search does not progress. */
static real touch_step(const gas *g, uint32_t i, real dt, const gap_state *s, real *least)
{
    if (s->gap > 0) return contact_parabola(s->pull, s->rate, 2 * s->gap);
    if (s->least >= 0) return REAL_NEVER;
    *least = later(2 * *least, touch_least_step(g, i, dt, s));
    return later(s->rate / -s->least, *least);
}

static inline void touch_evaluate(const gas *g, uint32_t i, const element *of, const surface *plane, real dt,
                                  gap_state *s)
{
    if (plane != NULL)
        touch_gap_plane(g, i, plane, dt, s);
    else
        touch_gap(g, i, of, dt, s);
}

static inline bool is_event(const gap_state *s)
{
    return s->gap <= 0 && s->rate < 0;
}

/* Start of the event, by bisection between a time before and a time after it. */
static inline real bisect_event(const gas *g, uint32_t i, const element *of, const surface *plane, real before,
                                real after)
{
    for (real middle; (middle = before + (after - before) / 2) > before && middle < after;) {
        gap_state s;
        touch_evaluate(g, i, of, plane, middle, &s);
        if (is_event(&s))
            after = middle;
        else
            before = middle;
    }
    return after;
}

/* For a triangle or, if `plane` is not NULL, for a plane. There is no event before `sure`: a step of `least` may pass
 * one. */
static inline real touch_search(const gas *g, uint32_t i, const element *of, const surface *plane, real until)
{
    const real start = g->body[i].t;
    real dt = 0, least = 0, sure = 0;
    for (int n = 0; n < MOST_SEARCH_STEPS && start + sure <= until; n++) {
        gap_state s;
        touch_evaluate(g, i, of, plane, dt, &s);
        if (is_event(&s)) {
            /* Late by more than the rounding of positions. */
            const bool late = -s.rate * (dt - sure) > REAL_GRAIN * radius_of(g, i);
            const real when = start + (late ? bisect_event(g, i, of, plane, sure, dt) : dt);
            return when <= until ? when : REAL_NEVER;
        }
        if (plane == NULL) touch_bounds(g, i, of, dt, &s);
        real step = touch_step(g, i, dt, &s, &least);
        const bool ventured = step == least;
        if (!(step <= s.left)) step = s.left;
        if (!(step < REAL_NEVER)) return REAL_NEVER;
        if (!(dt + step > dt)) { /* the resolution of time is reached */
            if (s.gap > 0 && s.rate < 0 && s.left > step) return start + dt;
            step = later(touch_least_step(g, i, dt, &s), REAL_GRAIN * (real_fabs(start) + dt));
        }
        sure = ventured ? dt : dt + step;
        dt += step;
    }
    return start + dt <= until ? start + dt : REAL_NEVER;
}

static real touch_time(const gas *g, uint32_t i, const element *of, real until)
{
    return touch_search(g, i, of, NULL, until);
}

static real touch_plane_time(const gas *g, uint32_t i, const surface *of, real until)
{
    return touch_search(g, i, NULL, of, until);
}
