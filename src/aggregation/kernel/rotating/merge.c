/* Merges of two rotating clusters. */
#include "aggregation/kernel/rotating/body.h"

#include "aggregation/kernel/events/members.h"
#include "aggregation/kernel/events/record.h"

static double energy_of(const cluster_state *s, uint32_t root)
{
    double square = 0;
    for (int k = 0; k < DIM; k++) square += s->cluster[root].p[k] * s->cluster[root].p[k];
    return 0.5 * square / s->cluster[root].mass + body_energy(s, root);
}

/* Vector from the centre of mass of a to that of b, by the images of the particles in contact. */
static void shift_between(const cluster_state *s, uint32_t i, uint32_t j, double shift[DIM])
{
    double a[DIM], b[DIM];
    const uint32_t from = s->particle[i].root, to = s->particle[j].root;
    position_at(s, i, s->now, a);
    position_at(s, j, s->now, b);
    for (int k = 0; k < DIM; k++)
        shift[k] =
            s->motion[to].o[k] - s->motion[from].o[k] - s->period[k] * nearest_whole((b[k] - a[k]) * s->per_period[k]);
}

/* Transforms the particles of b to the axes and the origin of a. */
static void rebase(cluster_state *s, uint32_t a, uint32_t b, const double shift[DIM])
{
    const body *c = &s->rotation.body[a], *d = &s->rotation.body[b];
    double e[DIM][DIM], f[DIM][DIM], x[DIM], y[DIM];
    attitude_axes(c->attitude, e);
    attitude_axes(d->attitude, f);
    walk w = members_walk(s, b);
    for (uint32_t m; (m = members_next(s, &w)) != NONE;) {
        for (int k = 0; k < DIM; k++) x[k] = s->particle[m].xi[k] - d->centre[k];
        to_space(f, x, y);
        for (int k = 0; k < DIM; k++) y[k] += shift[k];
        to_body(e, y, x);
        for (int k = 0; k < DIM; k++) s->particle[m].xi[k] = c->centre[k] + x[k];
        s->particle[m].root = a;
    }
}

/* Adds the momentum, angular momentum and moments of inertia of b to those of a, and updates the centre of mass. */
static void add_body(cluster_state *s, uint32_t a, uint32_t b, const double shift[DIM])
{
    body *c = &s->rotation.body[a], *d = &s->rotation.body[b];
    const double whole = s->cluster[a].mass + s->cluster[b].mass, share = s->cluster[b].mass / whole;
    const double reduced = s->cluster[a].mass * share;
    double e[DIM][DIM], f[DIM][DIM], between[DIM][DIM], apart[DIM], u[DIM], orbital[TURN], column[DIM], own[DIM];
    attitude_axes(c->attitude, e);
    attitude_axes(d->attitude, f);
    for (int n = 0; n < DIM; n++) {
        for (int k = 0; k < DIM; k++) column[k] = f[k][n];
        to_body(e, column, own);
        for (int k = 0; k < DIM; k++) between[k][n] = own[k];
    }
    to_body(e, shift, apart);
    inertia_add(c->inertia, d->inertia, between, reduced, apart);
    for (int k = 0; k < DIM; k++) u[k] = s->motion[b].v[k] - s->motion[a].v[k];
    moment(shift, u, orbital);
    for (int k = 0; k < TURN; k++) c->l[k] += d->l[k] + reduced * orbital[k];
    double moved[DIM];
    for (int k = 0; k < DIM; k++) apart[k] *= share;
    for (int k = 0; k < DIM; k++) c->centre[k] += apart[k];
    attitude_axes(c->anchored, e);
    to_space(e, apart, moved);
    for (int k = 0; k < DIM; k++) {
        s->motion[a].o[k] += share * shift[k];
        s->cluster[a].anchor[k] += moved[k];
        s->cluster[a].p[k] += s->cluster[b].p[k];
    }
    s->cluster[a].mass = whole;
    c->reach += share * length_of(shift, DIM);
}

static double reach_of(const cluster_state *s, walk w, double least)
{
    for (uint32_t i; (i = members_next(s, &w)) != NONE;) least = fmax(least, body_distance(s, i) + radius_of(s, i));
    return least;
}

/* Measures the reach again if the bound may be far above it, or if it decides whether the cluster rotates. */
static void set_reach(cluster_state *s, uint32_t root, walk added)
{
    body *b = &s->rotation.body[root];
    b->reach = reach_of(s, added, b->reach);
    if (s->cluster[root].size < 2 * b->measured && body_turns(s, root)) return;
    b->reach = reach_of(s, members_walk(s, root), 0);
    b->measured = s->cluster[root].size;
}

/* Velocity of the centre of mass of one of the two parts of a merged cluster: b, or a. */
static void part_velocity(const cluster_state *s, uint32_t a, bool of_b, double mass_of_b, const double shift[DIM],
                          double v[DIM])
{
    const pose now = pose_at(s, a, s->now);
    const double share = mass_of_b / s->cluster[a].mass;
    double arm[DIM], u[DIM];
    for (int k = 0; k < DIM; k++) arm[k] = (of_b ? 1 - share : -share) * shift[k];
    turning(now.w, arm, u);
    for (int k = 0; k < DIM; k++) v[k] = now.v[k] + u[k];
}

static void record_parts(cluster_state *s, const merge_before *before, uint32_t a, bool of_b, double mass_of_b,
                         const double shift[DIM])
{
    double v[DIM];
    part_velocity(s, a, of_b, mass_of_b, shift, v);
    record_merged(s, before, v);
}

static uint32_t merge_clusters(cluster_state *s, uint32_t i, uint32_t j, walk *added)
{
    if (!merge_absorbs(s, s->particle[i].root, s->particle[j].root)) {
        uint32_t other = i;
        i = j;
        j = other;
    }
    const uint32_t a = s->particle[i].root, b = s->particle[j].root;
    advance_to_now(s, a);
    advance_to_now(s, b);
    merge_before parts = {.mass = 0};
    bool of_b = false;
    if (s->log != NULL) {
        const impact m = impact_of(s, i, j);
        parts = record_before_merge(s, i, j, &m);
        of_b = s->particle[parts.i].root == b;
    }
    const double before = energy_of(s, a) + energy_of(s, b);
    double shift[DIM];
    shift_between(s, i, j, shift);
    rebase(s, a, b, shift);
    add_body(s, a, b, shift);
    *added = members_append(s, a, b);
    s->cluster[a].size += s->cluster[b].size;
    if (s->cluster[b].id < s->cluster[a].id) s->cluster[a].id = s->cluster[b].id;
    set_reach(s, a, *added);
    if (!body_turns(s, a))
        for (int k = 0; k < TURN; k++) s->rotation.body[a].l[k] = 0;
    bring_inside(s, a);
    set_velocity(s, a);
    s->history.dissipated += before - energy_of(s, a);
    merge_record(s, i, j);
    if (s->log != NULL) record_parts(s, &parts, a, of_b, s->cluster[b].mass, shift);
    return a;
}
