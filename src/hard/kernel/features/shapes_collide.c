/* Collision response of bodies that are not spheres: the rules of collide.c, along the normal of the shapes. */
#include "hard/kernel/features/shapes_collide.h"
#include "hard/kernel/features/contact_duration.h"
#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/features/shapes.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/collapse.h"
#include "hard/kernel/response/collide.h"
#include "hard/kernel/response/record.h"
#include "hard/kernel/response/tallies.h"

/* Common beginning of both kinds of contact; false: no contact, or no approach. */
static bool begin_contact(gas *g, uint32_t i, const shape_approach *a, real size, bool at_once, event_kind kind)
{
    if (is_apart(g, i, a->gap, a->rate, size)) return false;
    count_event(g, kind);
    record_normal(g, a->normal);
    if (at_once && a->gap <= 0) tally_stabilising(g);
    tally_overlap(g, -(double)a->gap);
    const real step = a->bend > 0 ? shape_least_step(a, size) : 0;
    if (DETECTS_SLIDING && -a->rate <= 2 * a->bend * step) g->stall.sliding_time = 2 * step;
    return a->rate < 0;
}

static void shapes_collide(gas *g, uint32_t i, uint32_t j, real t)
{
    if (is_sphere(g, i) && is_sphere(g, j)) {
        collide_pair(g, i, j, t);
        return;
    }
    const bool at_once = t == later(g->body[i].t, g->body[j].t);
    real r[3] = {0, 0, 0}, v[3] = {0, 0, 0}, w[2][3], torque[2][3];
    shape_approach a;
    posed at[2];
    const body_shape *of[2];
    relative_at(g, i, j, t, t, r, v);
    fly(g, i, t);
    fly(g, j, t);
    pose_at(g, i, t, &at[0], w[0]);
    pose_at(g, j, t, &at[1], w[1]);
    real share = posed_guess(&at[0], &at[1]);
    shapes_of(g, i, j, of);
    shapes_approach(of, at, w, r, v, &share, &a);
    for (int k = 0; k < 2; k++) lever(&at[k], &a, k, torque[k]);
    if (!begin_contact(g, i, &a, radius_of(g, i) + radius_of(g, j), at_once, EVENT_COLLISION)) return;

    const double speed = -(double)a.rate;
    const uint32_t law = g->scene->pair_law[species_of(g, i) * g->scene->species_count + species_of(g, j)];
    const real last = g->contact_duration != NULL
                          ? later(g->contact_duration->last_contact[i], g->contact_duration->last_contact[j])
                          : 0;
    const double left = contact_restitution(g, law, speed, last, t);
    const real w_i = 1 / (real)mass_of(g, i), w_j = 1 / (real)mass_of(g, j);
    const real inverse_mass = w_i + w_j + dot3(torque[0], torque[0]) * inverse_inertia(g, i) +
                              dot3(torque[1], torque[1]) * inverse_inertia(g, j);
    const real impulse = -(1 + (real)left) * a.rate / inverse_mass;
    real push[DIM];
    for (int k = 0; k < DIM; k++) {
        push[k] = impulse * a.normal[k];
        g->body[i].v[k] += push[k] * w_i;
        g->body[j].v[k] -= push[k] * w_j;
    }
    shape_apply_torque(g, i, torque[0], impulse);
    shape_apply_torque(g, j, torque[1], impulse);
    const double scale = ldexp(1, (int)-g->scale);
    tally_virial(g, push, r, scale);
    tally_dissipated(g, 0.5 * (1 - left * left) * speed * speed / (double)inverse_mass * scale * scale);
    contact_done(g, i, t, speed);
    contact_done(g, j, t, speed);
}

static void shapes_hit(gas *g, uint32_t i, uint32_t index, real t)
{
    if (is_sphere(g, i)) {
        collide_surface(g, i, index, t);
        return;
    }
    const surface *s = &g->surface[index];
    const uint32_t law = g->scene->surface_law[species_of(g, i) * (uint32_t)scene_surfaces(g->scene) + s->law];
    const bool at_once = t == g->body[i].t;
    contact_search p = {.g = g, .i = i, .s = s, .of = {shape_of(g, i)}, .start = t, .size = radius_of(g, i)};
    shape_approach a;
    fly(g, i, t);
    for (int k = 0; k < DIM; k++) {
        p.r[k] = g->body[i].r[k] - s->point[k];
        p.v[k] = g->body[i].v[k];
    }
    approach_surface(&p, 0, &a);
    if (!begin_contact(g, i, &a, radius_of(g, i), at_once, EVENT_WALL)) return;

    posed at;
    real w[3], torque[3];
    pose_at(g, i, t, &at, w);
    lever(&at, &a, 0, torque);
    const double speed = -(double)a.rate, scale = ldexp(1, (int)-g->scale);
    const real last = g->contact_duration != NULL ? g->contact_duration->last_contact[i] : 0;
    const double left = contact_restitution(g, law, speed, last, t);
    const real w_i = 1 / (real)mass_of(g, i), inverse_mass = w_i + dot3(torque, torque) * inverse_inertia(g, i);
    const real impulse = -(1 + (real)left) * a.rate / inverse_mass;
    for (int k = 0; k < DIM; k++) g->body[i].v[k] += impulse * a.normal[k] * w_i;
    shape_apply_torque(g, i, torque, impulse);
    tally_wall_impulse(g, s, (double)impulse * scale);
    tally_dissipated(g, 0.5 * (1 - left * left) * speed * speed / (double)inverse_mass * scale * scale);
    contact_done(g, i, t, speed);
}
