/* Contact times of two particles of two clusters, and of a cluster and a wall. */
#include "aggregation/kernel/events/record.h"
#include "aggregation/kernel/rotating/body.h"

#include "aggregation/kernel/events/members.h"

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static gap_state gap_of_pair(const advancement *h, double t)
{
    double a[DIM], b[DIM], u[DIM], w[DIM], d2 = 0, du = 0;
    particle_at(h->cluster_state, h->i, t, a, u);
    particle_at(h->cluster_state, h->j, t, b, w);
    for (int k = 0; k < DIM; k++) {
        const double d = a[k] - b[k] + h->image[k];
        d2 += d * d;
        du += d * (u[k] - w[k]);
    }
    const double distance = sqrt(d2);
    return (gap_state){distance - h->contact, du / distance};
}

static advancement advancement_of_pair(const cluster_state *s, uint32_t i, uint32_t j)
{
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    const double arm = body_distance(s, i), other = body_distance(s, j);
    advancement h = {
        .cluster_state = s, .i = i, .j = j, .contact = radius_of(s, i) + radius_of(s, j), .gap_at = gap_of_pair};
    double x[DIM], y[DIM], u2 = 0;
    position_at(s, i, s->now, x);
    position_at(s, j, s->now, y);
    for (int k = 0; k < DIM; k++) {
        const double u = s->motion[a].v[k] - s->motion[b].v[k];
        h.image[k] = -s->period[k] * nearest_whole((x[k] - y[k]) * s->per_period[k]);
        u2 += u * u;
    }
    h.speed = sqrt(u2) + s->rotation.body[a].rate * arm + s->rotation.body[b].rate * other;
    h.acceleration = s->rotation.body[a].acceleration * arm + s->rotation.body[b].acceleration * other;
    advancement_prepare(&h, h.contact);
    return h;
}

/* The interval in which the particles can touch: while the balls that enclose their clusters at any attitude
 * overlap. */
static void balls_meet(const advancement *h, double reach, double *from, double *until)
{
    const cluster_state *s = h->cluster_state;
    const motion *m = &s->motion[s->particle[h->i].root], *n = &s->motion[s->particle[h->j].root];
    const double t = *from;
    double d2 = 0, du = 0, u2 = 0;
    for (int k = 0; k < DIM; k++) {
        const double u = m->v[k] - n->v[k];
        const double d = (m->o[k] + m->v[k] * (t - m->t)) - (n->o[k] + n->v[k] * (t - n->t)) + h->image[k];
        d2 += d * d;
        du += d * u;
        u2 += u * u;
    }
    const double c = d2 - reach * reach, disc = du * du - u2 * c;
    *until = INFINITY;
    if (u2 == 0 && c <= 0) return;
    if (c > 0 && (du >= 0 || disc < 0)) {
        *from = INFINITY;
        return;
    }
    const double root = sqrt(disc);
    if (c > 0) *from = t + ROUND_DOWN * (c / (root - du));
    *until = t + (du < 0 ? (root - du) / u2 : -c / (root + du)) / ROUND_DOWN;
}

static double touch_time(const cluster_state *s, uint32_t i, uint32_t j, double until)
{
    const double start = later(s->motion[s->particle[i].root].t, s->motion[s->particle[j].root].t);
    const advancement h = advancement_of_pair(s, i, j);
    const double reach = h.contact + h.near + h.noise + body_distance(s, i) + body_distance(s, j);
    double from = later(start, s->now), out;
    balls_meet(&h, reach * ROUND_OUT, &from, &out);
    if (isinf(from)) return INFINITY;
    const double time = advancement_contact(&h, start, from, fmin(until, out));
    return time > out ? INFINITY : time;
}

/* At later times the particles have other neighbours. */
static double touch_horizon(const cluster_state *s, uint32_t i, uint32_t j)
{
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    return s->now + SEARCH_SKINS * s->skin / (fastest_speed(s, a) + fastest_speed(s, b));
}

/* If the cluster of a particle has slack, only the present position counts. */
static double touch_bound(const cluster_state *s, uint32_t i, uint32_t j)
{
    const uint32_t pair[2] = {i, j};
    advancement h = advancement_of_pair(s, i, j);
    double r[2][DIM], u[2][DIM], d2 = 0, du = 0, slack = 0;
    h.speed = h.acceleration = 0;
    for (int n = 0; n < 2; n++) {
        const uint32_t root = s->particle[pair[n]].root;
        particle_at(s, pair[n], s->now, r[n], u[n]);
        const double own = s->motion[root].slack;
        slack += own;
        for (int k = 0; k < DIM && own > 0; k++) u[n][k] = 0;
        if (own == 0) h.acceleration += s->rotation.body[root].acceleration * body_distance(s, pair[n]);
        if (own == 0) h.speed += fastest_speed(s, root);
    }
    for (int k = 0; k < DIM; k++) {
        const double d = r[0][k] - r[1][k] + h.image[k];
        d2 += d * d;
        du += d * (u[0][k] - u[1][k]);
    }
    h.speed += slack;
    const gap_state now = {sqrt(d2) - h.contact, du / sqrt(d2) - slack};
    return s->now + advancement_safe(&h, now);
}

static double touch_gap(const cluster_state *s, uint32_t i, uint32_t j, double *speed)
{
    const advancement h = advancement_of_pair(s, i, j);
    *speed = h.speed;
    return gap_of_pair(&h, s->now).gap;
}

/* ---- walls ------------------------------------------------------------------------------------------------------- */

/* Faces: 2 axis, plus 1 for the upper one. */
static gap_state gap_of_wall(const advancement *h, double t)
{
    const cluster_state *s = h->cluster_state;
    const int k = h->face / 2;
    double r[DIM], u[DIM];
    particle_at(s, h->i, t, r, u);
    return h->face % 2 == 0 ? (gap_state){r[k] - h->contact, u[k]} : (gap_state){s->size[k] - r[k] - h->contact, -u[k]};
}

static advancement advancement_to_wall(const cluster_state *s, uint32_t i, int face)
{
    const uint32_t root = s->particle[i].root;
    const double arm = body_distance(s, i);
    advancement h = {
        .cluster_state = s, .i = i, .j = NONE, .face = face, .contact = radius_of(s, i), .gap_at = gap_of_wall};
    h.speed = fabs(s->motion[root].v[face / 2]) + s->rotation.body[root].rate * arm;
    h.acceleration = s->rotation.body[root].acceleration * arm;
    advancement_prepare(&h, 2 * h.contact);
    return h;
}

/* The interval in which a body with that reach from its centre of mass can touch the face: not before *from, which is
 * at or after the present time, and not after *until. */
static void reach_wall(const cluster_state *s, uint32_t root, int face, double reach, double *from, double *until)
{
    const motion *m = &s->motion[root];
    const int k = face / 2;
    const double x = m->o[k] + m->v[k] * (s->now - m->t), speed = face % 2 == 0 ? -m->v[k] : m->v[k];
    const double gap = (face % 2 == 0 ? x : s->size[k] - x) - reach * ROUND_OUT;
    *from = s->now;
    *until = INFINITY;
    if (gap <= 0 && speed < 0) *until = s->now + gap / speed / ROUND_DOWN;
    if (gap <= 0) return;
    *from = speed > 0 ? fmax(s->now, nextafter(s->now + ROUND_DOWN * (gap / speed), 0)) : INFINITY;
}

static double particle_to_wall(const cluster_state *s, uint32_t i, int face, double until)
{
    const advancement h = advancement_to_wall(s, i, face);
    const uint32_t root = s->particle[i].root;
    const double start = s->motion[root].t;
    double from, out;
    reach_wall(s, root, face, body_distance(s, i) + h.contact + h.near + h.noise, &from, &out);
    until = fmin(until, out);
    if (from > until) return INFINITY;
    const double time = advancement_contact(&h, start, later(start, from), until);
    return time > until ? INFINITY : time;
}

static double wall_next(const cluster_state *s, uint32_t root, double *until, int *face)
{
    const body *b = &s->rotation.body[root];
    double first = INFINITY, longest = 0;
    for (int k = 0; k < DIM; k++) longest = fmax(longest, s->size[k]);
    for (int f = 0; f < 2 * DIM; f++) {
        double from, out;
        if (s->period[f / 2] > 0) continue;
        reach_wall(s, root, f, b->reach * ROUND_UP + WALL_NOISE * longest, &from, &out);
        if (from > fmin(*until, first)) continue;
        *until = fmin(*until, from + WALL_SEARCH / b->rate);
        walk w = members_walk(s, root);
        for (uint32_t i; (i = members_next(s, &w)) != NONE;) {
            const double time = particle_to_wall(s, i, f, fmin(*until, first));
            if (time >= first) continue;
            first = time;
            *face = f;
        }
    }
    return first;
}

/* The particle at the wall with the smallest gap. */
static uint32_t at_wall(const cluster_state *s, uint32_t root, int face)
{
    uint32_t found = root;
    double deepest = INFINITY;
    walk w = members_walk(s, root);
    for (uint32_t i; (i = members_next(s, &w)) != NONE;) {
        const advancement h = advancement_to_wall(s, i, face);
        if (!advancement_touches(&h, s->now)) continue;
        const double gap = gap_of_wall(&h, s->now).gap;
        if (gap > deepest || (gap == deepest && s->id[i] > s->id[found])) continue;
        deepest = gap;
        found = i;
    }
    return found;
}

/* The wall is smooth, and the impact elastic: an impulse along the normal of the wall, at the particle in contact,
 * reverses the normal velocity of the point of contact. */
static void wall_reflect(cluster_state *s, uint32_t root, int face)
{
    const uint32_t i = at_wall(s, root, face);
    double r[DIM], u[DIM], normal[DIM] = {0};
    const pose now = pose_at(s, root, s->now);
    pose_particle(s, &now, i, r, u);
    for (int k = 0; k < DIM; k++) r[k] -= now.o[k];
    normal[face / 2] = 1;
    const double impulse = -2 * u[face / 2] / body_inverse_mass(s, root, &now, r, normal);
    normal[face / 2] = impulse;
    advance_to_now(s, root);
    body_apply_impulse(s, root, r, normal);
    s->events[EVENT_WALL]++;
    if (s->log != NULL) record_wall(s, s->id[i], face / 2, impulse);
}
