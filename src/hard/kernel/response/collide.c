/* Collision rules: bodies are advanced to the time of contact, and their velocities change instantaneously. */
#include "hard/kernel/response/collide.h"
#include "hard/kernel/clock.h"
#include "hard/kernel/features/compression.h"
#include "hard/kernel/features/contact_duration.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/impacts.h"
#include "hard/kernel/features/meshes.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/features/shear.h"
#include "hard/kernel/features/sleep.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/thermal.h"
#include "hard/kernel/narrow/flight.h"
#include "hard/kernel/response/collapse.h"
#include "hard/kernel/response/record.h"
#include "hard/kernel/response/tallies.h"

#include "scene/restitution.h"

/* Whether the collapse policy makes an impact elastic: an impact at (scaled) `speed` of bodies with their last contacts
 * at `last`. Such an impact is also smooth. */
static bool is_elastic_contact(const gas *g, double speed, real last, real t)
{
    const hard_collapse *c = &g->settings->collapse;
    if (c->policy == COLLAPSE_TC) return ldexp((double)(t - last), (int)g->scale) <= c->tc;
    return c->policy == COLLAPSE_CUTOFF && ldexp(speed, (int)-g->scale) < c->speed;
}

static double contact_restitution(const gas *g, uint32_t law, double speed, real last, real t)
{
    return is_elastic_contact(g, speed, last, t) ? 1 : restitution(&g->scene->laws[law], ldexp(speed, (int)-g->scale));
}

/* With the policy `sleep`: whether a contact is so slow that it dissipates no energy. Otherwise bodies that press on
 * each other would collapse, in flight as on the ground. */
static bool is_slow(const gas *g, double speed)
{
    return g->sleep != NULL && ldexp(speed, (int)-g->scale) <= g->settings->collapse.speed;
}

static void count_overlap(gas *g, real rr, real s)
{
    if (rr >= s * s) return;
    tally_overlap(g, (double)(s - real_sqrt(rr)));
}

/* Whether body j has infinite mass in an impact at this speed: it sleeps, and does not wake. */
static bool stays_asleep(const gas *g, uint32_t j, double speed)
{
    return is_asleep(g, j) && ldexp(speed, (int)-g->scale) <= g->settings->collapse.speed;
}

static void tally_pair(gas *g, const real r[DIM], real impulse_per_r, double dissipated)
{
    const double scale = ldexp(1, (int)-g->scale);
    tally_impulse(g, impulse_per_r, r, scale, dissipated * scale * scale);
}

static void contact_done(gas *g, uint32_t i, real t, double speed)
{
    if (g->contact_duration != NULL) g->contact_duration->last_contact[i] = t;
    if (g->sleep == NULL) return;
    bool slow = ldexp(speed, (int)-g->scale) <= g->settings->collapse.speed;
    if (!slow)
        g->sleep->slow[i] = 0;
    else if (g->sleep->slow[i] < UINT16_MAX)
        g->sleep->slow[i]++;
}

/* The impulse of a very slow contact may be below the rounding of the velocities, so that the pair collides again at
 * the same time. With a policy that continues the run, an impulse that doubles removes the remaining approach
 * velocity. */
static void separate(gas *g, uint32_t i, uint32_t j, real t, real w_i, real w_j)
{
    real r[DIM], v[DIM];
    relative_at(g, i, j, t, t, r, v);
    real push = -dot(v, r) / (dot(r, r) * (w_i + w_j));
    while (dot(v, r) < 0 && push > 0) {
        for (int k = 0; k < DIM; k++) {
            g->body[i].v[k] += push * w_i * r[k];
            g->body[j].v[k] -= push * w_j * r[k];
        }
        relative_at(g, i, j, t, t, r, v);
        push *= 2;
    }
}

/* Slow contacts are elastic with the policy `sleep`. If the velocity v of separation along the unit normal n is below
 * half the sleeping speed, v is rotated towards the normal at constant size, so that bounces do not become smaller and
 * more frequent without limit. `change`: what is added to v. Returns its normal component. */
static real regularise_bounce(const gas *g, const real v[DIM], const real n[DIM], real change[DIM])
{
    const real least = least_bounce(g);
    real parting = dot(v, n), all = dot(v, v), sliding = all - parting * parting;
    real wanted = later(parting, all < 2 * least * least ? real_sqrt(all / 2) : least);
    bool turns = parting < wanted && sliding > 0;
    real slower = turns ? real_sqrt((all - wanted * wanted) / sliding) - 1 : 0;
    for (int k = 0; k < DIM; k++) change[k] = turns ? (wanted - parting) * n[k] + slower * (v[k] - parting * n[k]) : 0;
    return turns ? wanted - parting : 0;
}

static real regularise_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], real w_i, real w_j)
{
    real v[DIM], n[DIM], change[DIM], distance = real_sqrt(dot(r, r));
    for (int k = 0; k < DIM; k++) {
        n[k] = r[k] / distance;
        v[k] = g->body[i].v[k] - g->body[j].v[k];
    }
    const real faster = regularise_bounce(g, v, n, change);
    for (int k = 0; k < DIM; k++) {
        g->body[i].v[k] += change[k] * (w_i / (w_i + w_j));
        g->body[j].v[k] -= change[k] * (w_j / (w_i + w_j));
    }
    return faster;
}

/* The rest of a slow contact of a pair with the policy `sleep`, after the normal impulse `press`. v: velocity before. */
static void finish_slow_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM], real w_i, real w_j,
                             const restitution_law *law, real press)
{
    const real faster = regularise_pair(g, i, j, r, w_i, w_j);
    if (g->rotation != NULL) friction_slow_pair(g, i, j, r, v, w_i, w_j, law, press + faster / (w_i + w_j));
}

static void collide_pair(gas *g, uint32_t i, uint32_t j, real t)
{
    bool at_once = t == later(g->body[i].t, g->body[j].t);
    real r[DIM], v[DIM];
    relative_at(g, i, j, t, t, r, v);
    fly(g, i, t);
    fly(g, j, t);
    const uint32_t lower =
        g->shear == NULL || g->id[i] < g->id[j] ? i : j; /* the work is rounded in the same way for each order */
    const real before = g->body[lower].v[0],
               lead = before - g->body[lower == i ? j : i].v[0] - (lower == i ? v[0] : -v[0]);
    real s = contact_distance(g, i, j, t), rr = dot(r, r), vr = dot(v, r);
    real approach = vr - s * (radius_of(g, i) + radius_of(g, j)) * g->growth;
    count_event(g, EVENT_COLLISION);
    if (at_once && rr <= s * s) tally_stabilising(g);
    count_overlap(g, rr, s);
    if (g->impacts != NULL) tally_impact(g, real_sqrt(rr), s);
    if (approach >= 0) return; /* glancing, within rounding: no impulse */

    double speed = (double)(-approach / real_sqrt(rr));
    uint32_t law = g->scene->pair_law[species_of(g, i) * g->scene->species_count + species_of(g, j)];
    real last = g->contact_duration != NULL
                    ? later(g->contact_duration->last_contact[i], g->contact_duration->last_contact[j])
                    : 0;
    double e = contact_restitution(g, law, speed, last, t);
    bool slow = is_slow(g, speed);
    if (slow) e = 1;
    const bool drags = (is_asleep(g, i) || is_asleep(g, j)) && friction_drags(g, i, j, r, v, &g->scene->laws[law]);
    real w_i = stays_asleep(g, i, speed) && !drags ? 0 : 1 / (real)mass_of(g, i);
    real w_j = stays_asleep(g, j, speed) && !drags ? 0 : 1 / (real)mass_of(g, j);
    if (is_asleep(g, i) && w_i > 0) sleep_wake(g, i);
    if (is_asleep(g, j) && w_j > 0) sleep_wake(g, j);
    real impulse_per_r = -(1 + (real)e) * (approach / rr) / (w_i + w_j);
    for (int k = 0; k < DIM; k++) {
        real impulse = impulse_per_r * r[k];
        g->body[i].v[k] += impulse * w_i;
        g->body[j].v[k] -= impulse * w_j;
    }
    int policy = g->settings->collapse.policy;
    if (g->rotation != NULL && !slow && !is_elastic_contact(g, speed, last, t))
        friction_pair(g, i, j, r, v, &g->scene->laws[law], impulse_per_r * real_sqrt(rr));
    if (slow) finish_slow_pair(g, i, j, r, v, w_i, w_j, &g->scene->laws[law], impulse_per_r * real_sqrt(rr));
    if (policy == COLLAPSE_TC || policy == COLLAPSE_CUTOFF) separate(g, i, j, t, w_i, w_j);
    if (g->shear != NULL) shear_work(g, lower, before, lead);
    tally_pair(g, r, impulse_per_r, 0.5 * (1 - e * e) * speed * speed / (double)(w_i + w_j));
    if (g->growth != 0)
        compression_count_work(g, impulse_per_r * real_sqrt(rr), (radius_of(g, i) + radius_of(g, j)) * g->growth);
    contact_done(g, i, t, speed);
    contact_done(g, j, t, speed);
    if (g->sleep == NULL) return;
    sleep_after_contact(g, i);
    sleep_after_contact(g, j);
}

/* A contact with a boundary: `law` is an index of scene.laws, `moves` the velocity of the boundary. */
typedef struct hit {
    const surface *s;
    uint32_t law;
    const real *moves; /* NULL: at rest */
    bool slow;
} hit;

/* Reflection at a thermal wall, at rest or moving. */
static void thermal_reflect(gas *g, uint32_t i, const hit *h, real approach)
{
    static const real still[3] = {0, 0, 0};
    const real *u = h->moves != NULL ? h->moves : still;
    const double scale = ldexp(1, (int)-g->scale), before = energy_of_motion(g, i);
    thermal_emit(g, i, h->s->normal, u, g->scene->laws[h->law].temperature);
    fly_farther(g, i);
    const double leaving = (double)(dot(g->body[i].v, h->s->normal) - dot(u, h->s->normal));
    tally_supplied(g, (energy_of_motion(g, i) - before) * scale * scale);
    tally_wall_impulse(g, h->s, mass_of(g, i) * (leaving - (double)approach) * scale);
}

/* The normal part of v, of size `approach`, for the unit normal n. The length of a normal has a rounding error, with
 * the same sign at each hit of a wall, so that energy would drift. (v.m) m / (m.m) does not depend on the length of m;
 * with varying lengths the errors are random. For slow approaches the error is negligible, and the given sign is
 * kept. */
static void along_normal(const gas *g, const real v[DIM], const real n[DIM], real approach, real part[DIM])
{
    real sum = 0, m[DIM];
    bool exact = g->growth != 0; /* the approach includes the growth */
    int power;
    for (int k = 0; k < DIM; k++) {
        exact = exact || real_fabs(n[k]) == 1;
        sum += real_fabs(v[k]);
    }
    const real length = exact || -approach * 1024 < sum ? 1 : real_frexp(sum, &power);
    for (int k = 0; k < DIM; k++) m[k] = length * n[k];
    const real times = length == 1 ? approach : dot(v, m) / dot(m, m);
    for (int k = 0; k < DIM; k++) part[k] = times * m[k];
}

/* Records if a body that moves along a surface at velocity v approaches it by rounding only. */
static void record_sliding(gas *g, uint32_t i, const real v[DIM], real approach)
{
    const real grain = 16 * REAL_GRAIN;
    real speed = 0; /* a sum: squares may underflow */
    for (int k = 0; k < DIM; k++) speed += real_fabs(v[k]);
    if (DETECTS_SLIDING && -approach <= grain * speed) g->stall.sliding_time = 4 * grain * radius_of(g, i) / speed;
}

/* Records if a body comes to a surface by a fall through the rounding of its position only: it is at rest. */
static void record_resting(gas *g, uint32_t i, real approach)
{
    real place = radius_of(g, i);
    for (int k = 0; k < DIM; k++) place += real_fabs(g->body[i].r[k]);
    const real pull = real_sqrt(dot(g->gravity, g->gravity)), fall = 16 * REAL_GRAIN * place;
    if (DETECTS_SLIDING && approach * approach <= 2 * pull * fall)
        g->stall.sliding_time = later(g->stall.sliding_time, 4 * real_sqrt(2 * fall / pull));
}

static void bounce(gas *g, uint32_t i, const hit *h, real t, real approach)
{
    if (g->scene->laws[h->law].temperature > 0) {
        thermal_reflect(g, i, h, approach);
        return;
    }
    const surface *s = h->s;
    double speed = -(double)approach, scale = ldexp(1, (int)-g->scale), mass = mass_of(g, i);
    real last = g->contact_duration != NULL ? g->contact_duration->last_contact[i] : 0;
    double e = h->slow ? 1 : contact_restitution(g, h->law, speed, last, t);
    const double before = h->moves != NULL ? energy_of_motion(g, i) : 0;
    double lost = 0.5 * mass * (1 - e * e) * speed * speed * scale * scale;
    real v[DIM], part[DIM];
    for (int k = 0; k < DIM; k++) v[k] = g->body[i].v[k] - (h->moves != NULL ? h->moves[k] : 0);
    record_sliding(g, i, v, approach);
    if (g->has_gravity && e < 1) record_resting(g, i, approach);
    along_normal(g, v, s->normal, approach, part);
    for (int k = 0; k < DIM; k++) g->body[i].v[k] -= (1 + (real)e) * part[k];
    if (g->rotation != NULL && !h->slow && !is_elastic_contact(g, speed, last, t))
        lost += friction_surface(g, i, s, v, approach, &g->scene->laws[h->law], (real)(mass * (1 + e) * speed));
    tally_dissipated(g, lost);
    if (g->growth != 0) compression_count_work(g, -(real)(mass * (1 + e)) * approach, radius_of(g, i) * g->growth);
    tally_wall_impulse(g, s, mass * (1 + e) * speed * scale);
    if (h->moves == NULL) return;
    tally_work(g, energy_of_motion(g, i) - before + lost);
    fly_farther(g, i);
}

/* Regularises the velocity of a body after a slow contact with a surface of unit normal n and velocity u. Returns the
 * change of its normal component. */
static real regularise_body(gas *g, uint32_t i, const real n[DIM], const real u[DIM])
{
    real v[DIM], change[DIM];
    for (int k = 0; k < DIM; k++) v[k] = g->body[i].v[k] - u[k];
    const real faster = regularise_bounce(g, v, n, change);
    for (int k = 0; k < DIM; k++) g->body[i].v[k] += change[k];
    return faster;
}

/* The rest of a slow contact with a boundary, as finish_slow_pair. */
static void finish_slow(gas *g, uint32_t i, const hit *h, const real u[DIM], real speed)
{
    const double before = h->moves != NULL ? energy_of_motion(g, i) : 0;
    const real faster = regularise_body(g, i, h->s->normal, u), mass = (real)mass_of(g, i);
    double lost = 0;
    if (g->rotation != NULL)
        lost = friction_slow_surface(g, i, h->s, u, -speed, &g->scene->laws[h->law], mass * (2 * speed + faster));
    tally_dissipated(g, lost);
    if (h->moves != NULL) tally_work(g, energy_of_motion(g, i) - before + lost);
}

static void collide_surface(gas *g, uint32_t i, uint32_t index, real t)
{
    const surface *s = &g->surface[index];
    const uint32_t columns = (uint32_t)scene_surfaces(g->scene);
    hit h = {.s = s, .law = g->scene->surface_law[species_of(g, i) * columns + s->law]};
    bool at_once = t == g->body[i].t;
    fly(g, i, t);
    if (is_asleep(g, i)) sleep_wake(g, i);
    body *b = &g->body[i];
    real point[DIM];
    pose p;
    surface_pose(s, t, &p, point);
    if (s->motion != NULL) h.moves = p.velocity;
    real radius = radius_of(g, i), distance = -radius * (1 + g->growth * t), approach = -radius * g->growth;
    for (int k = 0; k < DIM; k++) {
        distance += s->normal[k] * (b->r[k] - point[k]);
        approach += s->normal[k] * (b->v[k] - p.velocity[k]);
    }
    if (s->motion != NULL && is_apart(g, i, distance, approach, radius)) return;
    count_event(g, EVENT_WALL);
    record_normal(g, s->normal);
    if (at_once && distance <= 0) tally_stabilising(g);
    tally_overlap(g, -(double)distance);
    double speed = approach < 0 ? -(double)approach : 0;
    h.slow = is_slow(g, speed);
    if (approach < 0) bounce(g, i, &h, t, approach);
    if (h.slow) finish_slow(g, i, &h, p.velocity, (real)speed);
    contact_done(g, i, t, speed);
    if (g->sleep != NULL) sleep_after_contact(g, i);
}

/* Removes an approach velocity that rounding leaves in sliding along a triangle, by an impulse that doubles. */
static void remove_approach(gas *g, uint32_t i, const real n[DIM], const real u[DIM])
{
    real *v = g->body[i].v;
    for (real rate = dot(v, n) - dot(u, n), push = -rate; rate < 0 && push > 0; push *= 2) {
        for (int k = 0; k < DIM; k++) v[k] += push * n[k];
        rate = dot(v, n) - dot(u, n);
    }
}

/* Contact of body i, at its stored time, with a boundary of this normal. */
static void hit_boundary(gas *g, uint32_t i, const gap_state *state, hit h, bool at_once, const real u[3])
{
    surface touched = {.axis = -1};
    for (int k = 0; k < DIM; k++) touched.normal[k] = state->normal[k];
    h.s = &touched;
    count_event(g, EVENT_WALL);
    record_normal(g, touched.normal);
    if (at_once && state->gap <= 0) tally_stabilising(g);
    tally_overlap(g, -(double)state->gap);
    const double speed = state->rate < 0 ? -(double)state->rate : 0;
    h.slow = is_slow(g, speed);
    if (state->rate < 0) {
        bounce(g, i, &h, g->body[i].t, state->rate);
        remove_approach(g, i, touched.normal, u);
    }
    if (h.slow) finish_slow(g, i, &h, u, (real)speed);
}

static void finish_contact(gas *g, uint32_t i, real t, const gap_state *state)
{
    contact_done(g, i, t, state->rate < 0 ? -(double)state->rate : 0);
    if (g->sleep != NULL) sleep_after_contact(g, i);
}

static void collide_element(gas *g, uint32_t i, uint32_t index, real t)
{
    const bool at_once = t == g->body[i].t;
    real u[3];
    gap_state state;
    fly(g, i, t);
    if (is_asleep(g, i)) sleep_wake(g, i);
    const solid *of = meshes_contact(g, i, index, &state, u);
    if (is_apart(g, i, state.gap, state.rate, radius_of(g, i))) return;
    hit h = {.moves = of->motion != NULL ? u : NULL};
    h.law = g->scene->pair_law[species_of(g, i) * g->scene->species_count + of->species];
    hit_boundary(g, i, &state, h, at_once, u);
    finish_contact(g, i, t, &state);
}

/* As remove_approach, until the gap to the exact surface does not decrease, with the rounding of the next
 * prediction. */
static void remove_exact_approach(gas *g, uint32_t i, const exact_surface *of, const real n[DIM])
{
    gap_state now;
    exact_gap(g, i, of, 0, &now);
    for (real push = -now.rate; now.rate < 0 && push > 0; push *= 2) {
        for (int k = 0; k < DIM; k++) g->body[i].v[k] += push * n[k];
        exact_gap(g, i, of, 0, &now);
    }
}

static void collide_exact(gas *g, uint32_t i, uint32_t index, real t)
{
    const exact_surface *of = &g->exact->surface[index];
    const bool at_once = t == g->body[i].t;
    real u[3];
    gap_state state;
    fly(g, i, t);
    if (is_asleep(g, i)) sleep_wake(g, i);
    exact_contact(g, i, of, &state, u);
    if ((of->motion != NULL || of->pulled) && is_apart(g, i, state.gap, state.rate, radius_of(g, i))) return;
    hit h = {.moves = of->motion != NULL ? u : NULL};
    h.law = g->scene->surface_law[species_of(g, i) * (uint32_t)scene_surfaces(g->scene) + of->law];
    hit_boundary(g, i, &state, h, at_once, u);
    remove_exact_approach(g, i, of, state.normal);
    finish_contact(g, i, t, &state);
}
