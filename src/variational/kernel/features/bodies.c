/* A body turns about a fixed axis between kicks. If its moments of inertia differ, its angular velocity changes at
 * constant angular momentum. At each tick of the bodies' clock, and at each kick, the angular velocity is set to
 * that of the attitude half a step ahead. This is the midpoint rule: the energy has no drift to second order. */
#include "variational/kernel/features/bodies.h"

#include "variational/kernel/schedule/clocks.h"
#include "variational/kernel/schedule/nominal.h"
#include "variational/kernel/schedule/pending.h"
#include "variational/kernel/step_rows.h"

#include "base/hash.h"
#include "engine/sound.h"

#include <stdio.h>

typedef struct body {
    double x[DIM], v[DIM], t; /* of the centre of mass, at time t */
    double turn[4];           /* 3D: attitude at time t, a quaternion (w, x, y, z); 2D: the angle, first */
    double spin[3];           /* angular velocity; 2D: the third */
    double momentum[3];       /* angular, about the centre; 2D: the third */
    double w;                 /* 1 / mass */
    double inverse[3][3];     /* of the moments of inertia, in the body's frame */
    bool even;                /* the moments of inertia are equal */
    double longest;           /* distance of a node from the centre */
    uint32_t first, count;    /* its nodes, in bodies.member */
} body;

/* The attitude of a body at time t, from that at `from`: of one firing, whose touches need it many times. */
typedef struct pose {
    double t, from, turn[4];
} pose;

typedef struct bodies {
    body *body;
    uint32_t count;
    uint32_t *member;
    double (*arm)[3]; /* [nodes] vector from the centre, in the body's frame */
    bool *solid;      /* [count] */
    double *yield;    /* [count] of clumps: scene/state.h; else negative */
    pose *pose;       /* [count] */
    /* [count] If the number of bodies changes: whether a body is absent; its initial state, with which it enters; its moments of
     * inertia in its own frame. Otherwise NULL. */
    bool *absent;
    body *initial;
    double (*inertia)[3][3];
} bodies;

static bool body_is_absent(const world *w, uint32_t index)
{
    return w->rigid.bodies->absent != NULL && w->rigid.bodies->absent[index];
}

/* ---- rotation ---------------------------------------------------------------------------------------------------- */

/* The attitude q after rotation with `spin` for a time. */
static void turned(const double q[4], const double spin[3], double time, double out[4])
{
    if (DIM == 2) {
        out[0] = q[0] + spin[2] * time;
        return;
    }
    double rate = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]), half = 0.5 * rate * time;
    double c = cos(half), s = rate > 0 ? sin(half) / rate : 0, a[3] = {s * spin[0], s * spin[1], s * spin[2]}, b[3];
    cross3(a, q + 1, b);
    out[0] = c * q[0] - (a[0] * q[1] + a[1] * q[2] + a[2] * q[3]);
    for (int k = 0; k < 3; k++) out[k + 1] = c * q[k + 1] + q[0] * a[k] + b[k];
}

/* Rotates a vector from the body's frame (back: into it). */
static void rotate(const double q[4], const double a[3], bool back, double out[3])
{
    if (DIM == 2) {
        double c = cos(q[0]), s = back ? -sin(q[0]) : sin(q[0]);
        out[0] = c * a[0] - s * a[1];
        out[1] = s * a[0] + c * a[1];
        out[2] = 0;
        return;
    }
    double sign = back ? -1 : 1, u[3] = {sign * q[1], sign * q[2], sign * q[3]}, b[3], c[3];
    cross3(u, a, b);
    cross3(u, b, c);
    for (int k = 0; k < 3; k++) out[k] = a[k] + 2 * (q[0] * b[k] + c[k]);
}

/* The inverse inertia, rotated by q, times a. */
static void angular_response(const body *b, const double q[4], const double a[3], double out[3])
{
    double in[3], mid[3];
    if (DIM == 2) {
        out[0] = out[1] = 0;
        out[2] = b->inverse[2][2] * a[2];
        return;
    }
    rotate(q, a, true, in);
    for (int k = 0; k < 3; k++) mid[k] = b->inverse[k][0] * in[0] + b->inverse[k][1] * in[1] + b->inverse[k][2] * in[2];
    rotate(q, mid, false, out);
}

/* The angular velocity for the coming `step`. */
static void set_spin(body *b, double step)
{
    double middle[4];
    angular_response(b, b->turn, b->momentum, b->spin);
    for (int k = 0; k < 3 && !b->even && step > 0; k++) {
        turned(b->turn, b->spin, 0.5 * step, middle);
        angular_response(b, middle, b->momentum, b->spin);
    }
}

static void bring_to(const world *w, body *b, double t)
{
    double dt = t - b->t, q[4];
    if (dt == 0) return;
    for (int k = 0; k < DIM; k++) {
        b->x[k] += dt * (b->v[k] + dt * w->domain.half_gravity[k]);
        b->v[k] += dt * w->domain.gravity[k];
    }
    turned(b->turn, b->spin, dt, q);
    double norm = DIM == 3 ? sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) : 1;
    for (int k = 0; k < (DIM == 3 ? 4 : 1); k++) b->turn[k] = q[k] / norm;
    b->t = t;
}

/* At time t. */
static void attitude_at(const world *w, const body *b, double t, double turn[4])
{
    const pose *known = &w->rigid.bodies->pose[b - w->rigid.bodies->body];
    if (known->t == t && known->from == b->t)
        memcpy(turn, known->turn, sizeof known->turn);
    else
        turned(b->turn, b->spin, t - b->t, turn);
}

static void bodies_prepare(world *w, double t)
{
    if (w->rigid.bodies == NULL) return;
    for (uint32_t k = 0; k < w->rigid.bodies->count; k++) {
        const body *b = &w->rigid.bodies->body[k];
        pose *p = &w->rigid.bodies->pose[k];
        if (b->t == t || body_is_absent(w, k)) continue; /* its spin may change without a change of the time */
        turned(b->turn, b->spin, t - b->t, p->turn);
        p->t = t;
        p->from = b->t;
    }
}

/* From the centre to node i, at time t. */
static void arm_at(const world *w, const body *b, uint32_t i, double t, double arm[3])
{
    double q[4];
    attitude_at(w, b, t, q);
    rotate(q, w->rigid.bodies->arm[i], false, arm);
}

static void centre_at(const world *w, const body *b, double t, double x[DIM])
{
    double dt = t - b->t;
    for (int k = 0; k < DIM; k++) x[k] = b->x[k] + dt * (b->v[k] + dt * w->domain.half_gravity[k]);
}

static const body *body_with(const world *w, uint32_t i)
{
    return &w->rigid.bodies->body[w->rigid.body_of[i]];
}

static void body_place(const world *w, uint32_t i, double t, double x[DIM])
{
    const body *b = body_with(w, i);
    double arm[3];
    arm_at(w, b, i, t, arm);
    centre_at(w, b, t, x);
    for (int k = 0; k < DIM; k++) x[k] += arm[k];
}

static void body_velocity(const world *w, uint32_t i, double t, double v[DIM])
{
    const body *b = body_with(w, i);
    double arm[3], round[3];
    arm_at(w, b, i, t, arm);
    cross3(b->spin, arm, round);
    for (int k = 0; k < DIM; k++) v[k] = b->v[k] + (t - b->t) * w->domain.gravity[k] + round[k];
}

static double body_acceleration(const world *w, uint32_t i)
{
    const body *b = body_with(w, i);
    const double *arm = w->rigid.bodies->arm[i], *s = b->spin;
    return (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
}

static double body_mobility(const world *w, uint32_t index, const double place[DIM], const double along[DIM], double t)
{
    const body *b = &w->rigid.bodies->body[index];
    double x[DIM], arm[3] = {0}, n[3] = {0}, torque[3], spin[3], q[4], round[3], sum = b->w;
    centre_at(w, b, t, x);
    for (int k = 0; k < DIM; k++) {
        arm[k] = place[k] - x[k];
        n[k] = along[k];
    }
    cross3(arm, n, torque);
    attitude_at(w, b, t, q);
    angular_response(b, q, torque, spin);
    cross3(spin, arm, round);
    for (int k = 0; k < 3; k++) sum += n[k] * round[k];
    return sum;
}

static void mark_members(world *w, const body *b)
{
    for (uint32_t k = 0; k < b->count; k++) {
        uint32_t i = w->rigid.bodies->member[b->first + k];
        if (w->observer != NULL)
            w->observer->kicked(w, i);
        else
            pending_add(w, i, KICKED);
    }
}

/* The expected time for which the angular velocity stays constant: until the bodies' clock fires, or at most a step
 * of the first layer, for the next kick. */
static double to_tick(const world *w, double t)
{
    if (w->rigid.bodies_clock == NONE) return 0;
    return lesser(greater(clock_time(&w->schedule.clock[w->rigid.bodies_clock]) - t, 0), w->choice.step);
}

static void body_push(world *w, uint32_t i, const double impulse[DIM], double sign, double t)
{
    body *b = &w->rigid.bodies->body[w->rigid.body_of[i]];
    double arm[3], j[3] = {0}, torque[3];
    bring_to(w, b, t);
    rotate(b->turn, w->rigid.bodies->arm[i], false, arm);
    for (int k = 0; k < DIM; k++) {
        j[k] = sign * impulse[k];
        b->v[k] += b->w * j[k];
    }
    cross3(arm, j, torque);
    for (int k = 0; k < 3; k++) b->momentum[k] += torque[k];
    set_spin(b, to_tick(w, t));
    mark_members(w, b);
}

static void body_twist(world *w, uint32_t i, const double torque[3], double t)
{
    body *b = &w->rigid.bodies->body[w->rigid.body_of[i]];
    bring_to(w, b, t);
    for (int k = 0; k < 3; k++) b->momentum[k] += torque[k];
    set_spin(b, to_tick(w, t));
    mark_members(w, b);
}

static void body_spin(const world *w, uint32_t i, double spin[3])
{
    memcpy(spin, body_with(w, i)->spin, 3 * sizeof *spin);
}

static double body_yield(const world *w, uint32_t i, const double axis[3])
{
    const body *b = body_with(w, i);
    double out[3];
    angular_response(b, b->turn, axis, out);
    return dot3(axis, out);
}

static void bodies_fire(world *w, const clock *c, double t)
{
    for (uint32_t k = 0; k < w->rigid.bodies->count; k++) {
        body *b = &w->rigid.bodies->body[k];
        if (b->even || body_is_absent(w, k)) continue;
        bring_to(w, b, t);
        set_spin(b, c->step);
        mark_members(w, b);
    }
}

static void bodies_fall(world *w, double step, double t)
{
    for (uint32_t k = 0; k < w->rigid.bodies->count; k++) {
        body *b = &w->rigid.bodies->body[k];
        if (!w->rigid.bodies->solid[k] || body_is_absent(w, k)) continue;
        bring_to(w, b, t);
        for (int n = 0; n < DIM; n++) b->v[n] += step * w->scene->gravity[n];
        mark_members(w, b);
    }
}

static double clump_yield(const world *w, uint32_t i)
{
    return is_rigid(w, i) ? w->rigid.bodies->yield[w->rigid.body_of[i]] : -1;
}

static bool is_in_clump(const world *w, uint32_t i)
{
    return w->rigid.bodies != NULL && node_is_rigid(&w->node[i]) && clump_yield(w, i) >= 0;
}

static bool clump_arm(const world *w, uint32_t i, double t, double arm[3])
{
    if (!is_in_clump(w, i)) return false;
    arm_at(w, body_with(w, i), i, t, arm);
    return true;
}

static bool body_has(const world *w, uint32_t i)
{
    return w->rigid.bodies != NULL && w->rigid.body_of[i] != NONE;
}

static bool is_of_clump(const world *w, uint32_t i)
{
    return body_has(w, i) && w->rigid.bodies->yield[w->rigid.body_of[i]] >= 0;
}

static int32_t clump_number(const world *w, uint32_t i)
{
    if (!is_of_clump(w, i)) return -1;
    return (int32_t)(w->rigid.body_of[i] - (uint32_t)w->scene->body_count);
}

static bool clump_begins(const world *w, uint32_t i)
{
    return !is_of_clump(w, i) || body_member(w, w->rigid.body_of[i], 0) == i;
}

static bool body_is_solid(const world *w, uint32_t i)
{
    return w->rigid.bodies != NULL && node_is_rigid(&w->node[i]) && w->rigid.bodies->solid[w->rigid.body_of[i]];
}

/* ---- presence ---------------------------------------------------------------------------------------------------- */

static uint32_t body_size(const world *w, uint32_t index)
{
    return w->rigid.bodies->body[index].count;
}

static uint32_t body_member(const world *w, uint32_t index, uint32_t n)
{
    return w->rigid.bodies->member[w->rigid.bodies->body[index].first + n];
}

static void body_set_absent(world *w, uint32_t index, double t)
{
    body *b = &w->rigid.bodies->body[index];
    *b = w->rigid.bodies->initial[index];
    memset(b->x, 0, sizeof b->x);
    memset(b->v, 0, sizeof b->v);
    memset(b->spin, 0, sizeof b->spin);
    memset(b->momentum, 0, sizeof b->momentum);
    b->t = t;
    w->rigid.bodies->absent[index] = true;
}

static void body_enter(world *w, uint32_t index, const double position[DIM], double t)
{
    body *b = &w->rigid.bodies->body[index];
    *b = w->rigid.bodies->initial[index];
    memcpy(b->x, position, sizeof b->x);
    b->t = t;
    if (!b->even) set_spin(b, to_tick(w, t));
    w->rigid.bodies->absent[index] = false;
}

static void body_withdraw(world *w, uint32_t index, double t)
{
    bring_to(w, &w->rigid.bodies->body[index], t);
    w->rigid.bodies->absent[index] = true;
}

static void body_set_presence(world *w, uint32_t index)
{
    w->rigid.bodies->absent[index] = node_is_absent(&w->node[body_member(w, index, 0)]);
}

/* With the angular velocity between two kicks, which frames have, and not with the angular momentum: see set_spin. */
static double body_energy(const world *w, uint32_t index)
{
    const body *b = &w->rigid.bodies->body[index];
    const double(*inertia)[3] = (const double(*)[3])w->rigid.bodies->inertia[index];
    double energy = 0.5 * dot(b->v, b->v) / b->w, spin[3] = {0, 0, b->spin[2]};
    for (int k = 0; k < DIM; k++) energy -= w->scene->gravity[k] * b->x[k] / b->w;
    if (DIM == 3) rotate(b->turn, b->spin, true, spin);
    for (int k = 0; k < 3; k++) energy += 0.5 * spin[k] * dot3(inertia[k], spin);
    return energy;
}

/* ---- moments of inertia ------------------------------------------------------------------------------------------ */

static bool is_even(double a[3][3])
{
    double mean = (a[0][0] + a[1][1] + a[2][2]) / 3, off = 0;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) off = greater(off, fabs(a[p][q] - (p == q ? mean : 0)));
    return off <= 1e-12 * mean;
}

/* The inverse of a symmetric matrix. Points on a line do not rotate about it. Their inverse is restricted to the
 * other axes: that of J (1 - n n) is (1 - n n) / J. */
static void invert(double a[3][3], double out[3][3])
{
    double half = 0.5 * (a[0][0] + a[1][1] + a[2][2]), minor[3][3], det = 0;
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) {
            int p1 = (p + 1) % 3, p2 = (p + 2) % 3, q1 = (q + 1) % 3, q2 = (q + 2) % 3;
            minor[p][q] = a[p1][q1] * a[p2][q2] - a[p1][q2] * a[p2][q1];
        }
    for (int q = 0; q < 3; q++) det += a[0][q] * minor[0][q];
    bool line = !(det > 1e-12 * half * half * half);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) out[p][q] = line ? (half > 0 ? a[p][q] / (half * half) : 0) : minor[q][p] / det;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Centre of mass, arms, and moments of inertia from the present positions of the nodes. */
static double gather_points(world *w, body *b, double inertia[3][3])
{
    double mass = 0;
    const uint32_t *member = w->rigid.bodies->member + b->first;
    for (uint32_t n = 0; n < b->count; n++) {
        double r[DIM];
        uint32_t i = member[n];
        for (int k = 0; k < DIM; k++) r[k] = w->node[i].x[k] - w->node[member[0]].x[k];
        nearest_image(w, r);
        mass += w->mass[i];
        for (int k = 0; k < DIM; k++) {
            w->rigid.bodies->arm[i][k] = r[k];
            b->x[k] += w->mass[i] * r[k];
            b->v[k] += w->mass[i] * w->node[i].v[k];
        }
    }
    for (int k = 0; k < DIM; k++) {
        b->x[k] /= mass;
        b->v[k] /= mass;
    }
    for (uint32_t n = 0; n < b->count; n++) {
        double *arm = w->rigid.bodies->arm[member[n]], square = 0;
        for (int k = 0; k < DIM; k++) arm[k] -= b->x[k];
        for (int k = 0; k < 3; k++) square += arm[k] * arm[k];
        for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++) inertia[p][q] += w->mass[member[n]] * ((p == q ? square : 0) - arm[p] * arm[q]);
        b->longest = greater(b->longest, sqrt(square));
    }
    for (int k = 0; k < DIM; k++) b->x[k] += w->node[member[0]].x[k];
    return mass;
}

/* The same for a solid. Vertices of a mesh are in one image, spheres of a clump at the nearest images. */
static double gather_solid(world *w, body *b, const state_body *from, double inertia[3][3])
{
    const uint32_t *member = w->rigid.bodies->member + b->first;
    for (int k = 0; k < DIM; k++) {
        b->x[k] = from->centre[k];
        b->v[k] = w->node[member[0]].v[k];
    }
    for (uint32_t n = 0; n < b->count; n++) {
        double *arm = w->rigid.bodies->arm[member[n]], square = 0;
        for (int k = 0; k < DIM; k++) {
            arm[k] = w->node[member[n]].x[k] - b->x[k];
            if (from->clump) arm[k] -= w->domain.box[k] * nearest_whole(arm[k] * w->domain.inverse_box[k]);
            square += arm[k] * arm[k];
        }
        w->inverse_mass[member[n]] = state_body_mobility(from, arm);
        b->longest = greater(b->longest, sqrt(square));
    }
    memcpy(inertia, from->inertia, sizeof from->inertia);
    return from->mass;
}

static void gather_body(world *w, body *b, const state_body *state)
{
    double inertia[3][3] = {{0}};
    b->w = 1 / (state->solid ? gather_solid(w, b, state, inertia) : gather_points(w, b, inertia));
    b->turn[0] = DIM == 3 ? 1 : 0;
    memcpy(b->spin, state->angular_velocity, sizeof b->spin);
    for (int p = 0; p < 3; p++)
        for (int q = 0; q < 3; q++) b->momentum[p] += inertia[p][q] * b->spin[q];
    invert(inertia, b->inverse);
    if (DIM == 2) b->inverse[2][2] = inertia[2][2] > 0 ? 1 / inertia[2][2] : 0;
    b->even = DIM == 2 || is_even(inertia);
    if (w->rigid.bodies->inertia != NULL)
        memcpy(w->rigid.bodies->inertia[b - w->rigid.bodies->body], inertia, sizeof inertia);
}

static void make_body(world *w, body *b, const state_body *state)
{
    for (size_t n = 0; n < state->count; n++) {
        uint32_t i = w->index_of[state->particles[n]];
        w->rigid.bodies->member[b->first + b->count++] = i;
        w->rigid.body_of[i] = (uint32_t)(b - w->rigid.bodies->body);
    }
    gather_body(w, b, state);
    w->rigid.bodies->solid[b - w->rigid.bodies->body] = state->solid;
    w->rigid.bodies->yield[b - w->rigid.bodies->body] = state->clump ? state->yield : -1;
    for (uint32_t n = 0; n < b->count; n++) w->node[w->rigid.bodies->member[b->first + n]].kind = NODE_RIGID;
}

/* The step of the clock. Bodies that spin at the start turn by at most BODY_TURN per step. */
static double bodies_step(const world *w)
{
    double fastest = 0;
    for (uint32_t k = 0; k < w->rigid.bodies->count; k++) {
        const double *s = w->rigid.bodies->body[k].spin;
        fastest = greater(fastest, sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]));
    }
    return lesser(BODY_TICKS * w->choice.step, BODY_TURN / fastest);
}

static carom_status bodies_allocate(world *w, const initial_state *state, error *e)
{
    const size_t count = state->body_count;
    const bool changes = scene_flows(w->scene);
    size_t members = 0;
    for (size_t k = 0; k < count; k++) members += state->bodies[k].count;
    bodies *all = w->rigid.bodies = NEW_ARRAY(1, bodies);
    if (all == NULL) return error_memory(e, "rigid bodies", sizeof *all);
    all->body = NEW_ARRAY(count, body);
    all->member = NEW_ARRAY(members, uint32_t);
    all->arm = memory_new(w->count, sizeof *all->arm);
    all->solid = NEW_ARRAY(count, bool);
    all->yield = NEW_ARRAY(count, double);
    all->pose = NEW_ARRAY(count, pose);
    w->rigid.body_of = NEW_ARRAY(w->count, uint32_t);
    if (changes) {
        all->absent = NEW_ARRAY(count, bool);
        all->initial = NEW_ARRAY(count, body);
        all->inertia = memory_new(count, sizeof *all->inertia);
    }
    const bool known = !changes || (all->absent != NULL && all->initial != NULL && all->inertia != NULL);
    if (all->body == NULL || all->member == NULL || all->arm == NULL || all->solid == NULL || all->yield == NULL ||
        all->pose == NULL || w->rigid.body_of == NULL || !known)
        return error_memory(e, "rigid bodies", w->count * sizeof *all->arm);
    for (uint32_t i = 0; i < w->count; i++) w->rigid.body_of[i] = NONE;
    return CAROM_OK;
}

static void keep_initial(bodies *all)
{
    if (all->initial != NULL) memcpy(all->initial, all->body, all->count * sizeof *all->initial);
}

static carom_status bodies_create(world *w, const initial_state *state, error *e)
{
    const size_t count = state->body_count;
    bool even = true;
    w->rigid.bodies_clock = NONE;
    TRY(bodies_allocate(w, state, e));
    bodies *all = w->rigid.bodies;
    for (uint32_t first = 0; all->count < count; all->count++) {
        body *b = &all->body[all->count];
        all->pose[all->count].t = NAN;
        b->first = first;
        make_body(w, b, &state->bodies[all->count]);
        first += b->count;
        even = even && b->even;
    }
    keep_initial(all);
    if (even) return CAROM_OK;
    const double step = bodies_step(w);
    w->rigid.bodies_clock = clock_add(w, CLOCK_BODIES, 0, 0, step);
    if (w->rigid.bodies_clock == NONE) return error_memory(e, "clocks", sizeof(clock));
    for (uint32_t k = 0; k < all->count; k++) set_spin(&all->body[k], step);
    return CAROM_OK;
}

static void bodies_destroy(world *w)
{
    memory_free(w->rigid.body_of);
    if (w->rigid.bodies == NULL) return;
    memory_free(w->rigid.bodies->body);
    memory_free(w->rigid.bodies->member);
    memory_free(w->rigid.bodies->arm);
    memory_free(w->rigid.bodies->solid);
    memory_free(w->rigid.bodies->yield);
    memory_free(w->rigid.bodies->pose);
    memory_free(w->rigid.bodies->absent);
    memory_free(w->rigid.bodies->initial);
    memory_free(w->rigid.bodies->inertia);
    memory_free(w->rigid.bodies);
}

/* The constants of a body must be equal. */
static bool same_body(const body *a, const body *b)
{
    return sound_same(&a->w, &b->w, sizeof a->w) && sound_same(a->inverse, b->inverse, sizeof a->inverse) &&
           sound_flags(&b->even, 1) && a->even == b->even && sound_same(&a->longest, &b->longest, sizeof a->longest) &&
           a->first == b->first && a->count == b->count;
}

static bool bodies_are_sound(const world *w, const body *known)
{
    for (uint32_t k = 0; k < w->rigid.bodies->count; k++) {
        const body *b = &w->rigid.bodies->body[k];
        double norm = 0;
        for (int q = 0; q < 4; q++) norm += b->turn[q] * b->turn[q];
        if (!same_body(&known[k], b) || !sound_numbers(b->x, DIM) || !sound_speeds(b->v, DIM) ||
            !sound_numbers(b->turn, 4) || !sound_speeds(b->spin, 3) || !sound_numbers(b->momentum, 3) ||
            !isfinite(b->t) || b->t > w->now || (DIM == 3 && fabs(norm - 1) > 0.01))
            return false;
    }
    return true;
}

/* ---- the feature ------------------------------------------------------------------------------------------------- */

static bool bodies_enabled(const world *w)
{
    return scene_has_bodies(w->scene);
}

static int bodies_saved(const world *w, snapshot_part parts[FEATURE_ARRAYS])
{
    parts[0] =
        (snapshot_part){"engine/bodies", w->rigid.bodies->body, w->rigid.bodies->count * sizeof *w->rigid.bodies->body};
    return 1;
}

static uint64_t bodies_hash(const world *w, uint64_t hash)
{
    return hash_bytes(hash, w->rigid.bodies->body, w->rigid.bodies->count * sizeof *w->rigid.bodies->body);
}

static const char *bodies_find_unsound(const world *w, void *const before[FEATURE_ARRAYS])
{
    return bodies_are_sound(w, before[0]) ? NULL : "engine/bodies";
}

static double spin_of(const state_body *b)
{
    const double *s = b->angular_velocity;
    return sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
}

static carom_status bodies_steps(const world *w, const initial_state *state, engine_steps *out, error *e)
{
    (void)e;
    const scene *s = w->scene;
    const double step = step_of_clock(w, CLOCK_BODIES);
    const state_body *fastest = &state->bodies[0];
    if (!(step > 0)) return CAROM_OK;
    carom_step *row = steps_add(out, "rotation", step, 0, state->body_count);
    for (size_t k = 1; k < state->body_count; k++)
        if (spin_of(&state->bodies[k]) > spin_of(fastest)) fastest = &state->bodies[k];
    if (spin_of(fastest) > 0 && fastest->clump)
        snprintf(row->element, sizeof row->element, "a clump '%.100s'", s->clumps[fastest->template].name);
    else if (spin_of(fastest) > 0)
        snprintf(row->element, sizeof row->element, "body '%.100s'", s->bodies[fastest - state->bodies].name);
    return CAROM_OK;
}

static const feature bodies_feature = {.name = "rigid bodies",
                                       .enabled = bodies_enabled,
                                       .create = bodies_create,
                                       .destroy = bodies_destroy,
                                       .fire = bodies_fire,
                                       .saved = bodies_saved,
                                       .hash = bodies_hash,
                                       .find_unsound = bodies_find_unsound,
                                       .steps = bodies_steps};
