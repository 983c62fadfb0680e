/* Rough spheres: a contact also has a tangential impulse (Huthmann and Zippelius, Phys. Rev. E 56, R6275 (1997);
 * Luding, Huthmann, McNamara and Zippelius, Phys. Rev. E 58, 3416 (1998)). With n from j to i, the relative velocity of
 * the surfaces is
 *   g = v - (n.v) n - (a_i w_i + a_j w_j) x n,
 * and an impulse along -g changes it to -beta g: (1 + beta) g / (sum of (1 + 1/q) / m), q = I / (m a^2). With a
 * coefficient of friction the impulse is at most this coefficient times the normal one (Walton and Braun, J. Rheol. 30,
 * 949 (1986)): contacts that slide throughout.
 *
 * Glancing contacts have no tangential impulse, as they have no normal force (Bannerman et al. 2014, Sec. 4.1):
 * contacts in which the straight paths overlap by no more than the rounding of positions. The remaining approach
 * velocity is removed as between smooth spheres. Slow contacts of the policy `sleep` have rules of their own, below. */
#include "hard/kernel/features/rotation.h"
#include "hard/kernel/features/feature.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/response/tallies.h"

/* w x n. */
static void cross_spin(const real w[TURN], const real n[DIM], real u[DIM])
{
#if CAROM_DIM == 3
    cross3(w, n, u);
#else
    u[0] = -w[0] * n[1];
    u[1] = w[0] * n[0];
#endif
}

/* n x p. */
static void torque(const real n[DIM], const real p[DIM], real m[TURN])
{
#if CAROM_DIM == 3
    cross3(n, p, m);
#else
    m[0] = n[0] * p[1] - n[1] * p[0];
#endif
}

/* Relative velocity of the surfaces; `rim`: sum of radius times spin. */
static void sliding(const real v[DIM], const real n[DIM], const real rim[TURN], real slip[DIM])
{
    real u[DIM], parting = dot(v, n);
    cross_spin(rim, n, u);
    for (int k = 0; k < DIM; k++) slip[k] = v[k] - parting * n[k] - u[k];
}

static real inertia_ratio(const gas *g, uint32_t i)
{
    return (real)scene_inertia(g->scene, species_of(g, i));
}

/* Applies the torque of the impulse p on body i, at the point -n of its surface, to its spin. */
static void apply_spin_impulse(gas *g, uint32_t i, const real n[DIM], const real p[DIM])
{
    real m[TURN], lever = 1 / ((real)mass_of(g, i) * inertia_ratio(g, i) * radius_of(g, i));
    torque(n, p, m);
    for (int k = 0; k < TURN; k++) g->rotation->spin[i][k] -= lever * m[k];
}

/* Tangential restitution -g'/g, as far as Coulomb friction permits it; `press`: the normal impulse. */
static real tangential_factor(const restitution_law *law, real press, real mass, const real slip[DIM])
{
    const real beta = (real)law->tangential, most = mass * real_sqrt(dot(slip, slip));
    if (!law->friction_given || (1 + beta) * most <= (real)law->friction * press) return beta;
    return (real)law->friction * press / most - 1;
}

/* The tangential part of a contact. */
typedef struct rubbing {
    const restitution_law *law;
    uint32_t i, j;          /* j == i: with a boundary */
    real w_i, w_j;          /* inverse masses; 0: of a boundary, and of a body that stays asleep */
    real n[DIM], slip[DIM]; /* unit normal towards i; relative velocity of the surfaces */
    real mass;              /* reduced mass of that velocity */
} rubbing;

/* Energy lost by friction, in true units. */
static double friction_loss(const gas *g, real slip_squared, real beta, real mass)
{
    const double scale = ldexp(1, (int)-g->scale);
    const double lost = 0.5 * (double)((1 - beta * beta) * mass * slip_squared) * scale * scale;
    return lost;
}

/* Applies the tangential impulse, which is returned in p; returns the energy lost, in true units. */
static double rub(gas *g, const rubbing *c, real press, real p[DIM])
{
    const real beta = tangential_factor(c->law, press, c->mass, c->slip);
    for (int k = 0; k < DIM; k++) {
        p[k] = -(1 + beta) * c->mass * c->slip[k];
        g->body[c->i].v[k] += p[k] * c->w_i;
        if (c->j != c->i) g->body[c->j].v[k] -= p[k] * c->w_j;
    }
    if (c->w_i > 0) apply_spin_impulse(g, c->i, c->n, p);
    if (c->w_j > 0) apply_spin_impulse(g, c->j, c->n, p);
    return friction_loss(g, dot(c->slip, c->slip), beta, c->mass);
}

/* Sum of the coordinates of a body, which determines their rounding. */
static real reach(const gas *g, uint32_t i)
{
    real sum = 0;
    for (int k = 0; k < DIM; k++) sum += real_fabs(g->body[i].r[k]);
    return sum;
}

static bool is_glancing(const gas *g, uint32_t i, uint32_t j, real vv, real vr, real rr)
{
    real depth = vr * vr, rounding = GLANCING_ROUNDING * real_sqrt(rr) * (reach(g, i) + reach(g, j) + real_sqrt(rr));
    return depth <= rounding * vv;
}

static rubbing rubbing_of_pair(const gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                               const restitution_law *law, real w_i, real w_j)
{
    rubbing c = {.law = law, .i = i, .j = j, .w_i = w_i, .w_j = w_j};
    real distance = real_sqrt(dot(r, r)), rim[TURN];
    for (int k = 0; k < DIM; k++) c.n[k] = r[k] / distance;
    for (int k = 0; k < TURN; k++)
        rim[k] = radius_of(g, i) * g->rotation->spin[i][k] + radius_of(g, j) * g->rotation->spin[j][k];
    sliding(v, c.n, rim, c.slip);
    c.mass = 1 / (w_i * (1 + 1 / inertia_ratio(g, i)) + w_j * (1 + 1 / inertia_ratio(g, j)));
    return c;
}

static void friction_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                          const restitution_law *law, real press)
{
    real p[DIM];
    if (law->tangential == -1 || is_glancing(g, i, j, dot(v, v), dot(v, r), dot(r, r))) return;
    const rubbing c = rubbing_of_pair(g, i, j, r, v, law, 1 / (real)mass_of(g, i), 1 / (real)mass_of(g, j));
    const double lost = rub(g, &c, press, p);
    tally_friction(g, lost);
    tally_dissipated(g, lost);
    tally_virial(g, p, r, ldexp(1, (int)-g->scale));
}

/* Whether the contact is glancing: along the surface, or at the turning point of a fall. */
static bool is_glancing_surface(const gas *g, uint32_t i, const surface *s, const real v[DIM], real approach)
{
    real terms = 0, pull = 0;
    for (int k = 0; k < DIM; k++) {
        terms += real_fabs(s->normal[k] * v[k]);
        pull += s->normal[k] * g->gravity[k];
    }
    if (-approach <= GLANCING_ROUNDING * terms) return true;
    return pull > 0 && approach * approach <= GLANCING_ROUNDING * pull * (reach(g, i) + radius_of(g, i));
}

static rubbing rubbing_at_surface(const gas *g, uint32_t i, const surface *s, const real v[DIM],
                                  const restitution_law *law)
{
    rubbing c = {.law = law, .i = i, .j = i, .w_i = 1 / (real)mass_of(g, i)};
    real rim[TURN];
    for (int k = 0; k < DIM; k++) c.n[k] = s->normal[k];
    for (int k = 0; k < TURN; k++) rim[k] = radius_of(g, i) * g->rotation->spin[i][k];
    sliding(v, c.n, rim, c.slip);
    c.mass = 1 / (c.w_i * (1 + 1 / inertia_ratio(g, i)));
    return c;
}

static double friction_surface(gas *g, uint32_t i, const surface *s, const real v[DIM], real approach,
                               const restitution_law *law, real press)
{
    real p[DIM];
    if (law->tangential == -1 || is_glancing_surface(g, i, s, v, approach)) return 0;
    const rubbing c = rubbing_at_surface(g, i, s, v, law);
    const double lost = rub(g, &c, press, p);
    tally_friction(g, lost);
    return lost;
}

/* ---- slow contacts of the policy `sleep` ------------------------------------------------------------------------- */

/* They transfer the weight by their normal impulses, however small, and friction is bounded by these impulses, also in
 * glancing contacts. The exception is friction without a bound, which has no relation to the normal impulse. */
static bool is_rough_when_slow(const restitution_law *law, bool glancing)
{
    return law->tangential != -1 && (law->friction_given || !glancing);
}

static real heat_of(const rubbing *c, real press)
{
    const real beta = tangential_factor(c->law, press, c->mass, c->slip);
    return (1 - beta * beta) * c->mass * dot(c->slip, c->slip) / 2;
}

/* Slow contacts may not lose the energy of their bounces: with friction they would become smaller and more frequent
 * without limit, as with restitution below 1. If the velocity of separation `parting` is below that of the smallest
 * bounces, the heat of friction is used to increase it. Returns the increase, and adds its impulse to `press`. */
static real bounce_of_heat(const gas *g, const rubbing *c, real parting, real mass, real *press)
{
    const real least = least_bounce(g), wanted = least - parting;
    if (!(wanted > 0)) return 0;
    if (2 * heat_of(c, *press + mass * wanted) >= mass * (least * least - parting * parting)) {
        *press += mass * wanted;
        return wanted;
    }
    const real most = real_sqrt(parting * parting + 2 * heat_of(c, *press) / mass) - parting;
    return most < wanted ? most : wanted;
}

static double rub_slowly(gas *g, const rubbing *c, real parting, real press, real p[DIM])
{
    const real mass = 1 / (c->w_i + c->w_j), faster = bounce_of_heat(g, c, parting, mass, &press);
    const double scale = ldexp(1, (int)-g->scale), kept = (double)(mass * faster * (parting + faster / 2));
    for (int k = 0; k < DIM; k++) {
        g->body[c->i].v[k] += faster * mass * c->w_i * c->n[k];
        if (c->j != c->i) g->body[c->j].v[k] -= faster * mass * c->w_j * c->n[k];
    }
    const double lost = rub(g, c, press, p) - kept * scale * scale;
    tally_friction(g, lost);
    return lost;
}

static void friction_slow_pair(gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM], real w_i, real w_j,
                               const restitution_law *law, real press)
{
    real now[DIM], p[DIM];
    if (!is_rough_when_slow(law, is_glancing(g, i, j, dot(v, v), dot(v, r), dot(r, r)))) return;
    for (int k = 0; k < DIM; k++) now[k] = g->body[i].v[k] - g->body[j].v[k];
    const rubbing c = rubbing_of_pair(g, i, j, r, now, law, w_i, w_j);
    tally_dissipated(g, rub_slowly(g, &c, later(dot(now, c.n), 0), press, p));
    tally_virial(g, p, r, ldexp(1, (int)-g->scale));
}

static double friction_slow_surface(gas *g, uint32_t i, const surface *s, const real u[DIM], real approach,
                                    const restitution_law *law, real press)
{
    real now[DIM], p[DIM];
    for (int k = 0; k < DIM; k++) now[k] = g->body[i].v[k] - u[k];
    if (!is_rough_when_slow(law, is_glancing_surface(g, i, s, now, approach))) return 0;
    const rubbing c = rubbing_at_surface(g, i, s, now, law);
    return rub_slowly(g, &c, later(dot(now, c.n), 0), press, p);
}

static bool friction_drags(const gas *g, uint32_t i, uint32_t j, const real r[DIM], const real v[DIM],
                           const restitution_law *law)
{
    const real speed = (real)g->settings->collapse.speed;
    if (g->rotation == NULL || law->tangential == -1 || law->friction_given) return false;
    const rubbing c = rubbing_of_pair(g, i, j, r, v, law, 1 / (real)mass_of(g, i), 1 / (real)mass_of(g, j));
    return dot(c.slip, c.slip) > speed * speed;
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

static double inertia_of(const gas *g, uint32_t i)
{
    const double radius = (double)radius_of(g, i);
    return scene_inertia(g->scene, species_of(g, i)) * mass_of(g, i) * radius * radius;
}

static double energy_of_motion(const gas *g, uint32_t i)
{
    double energy = kinetic_of(g, i);
    if (g->rotation == NULL) return energy;
    const double half = 0.5 * inertia_of(g, i);
    for (int k = 0; k < TURN; k++) energy += half * (double)(g->rotation->spin[i][k] * g->rotation->spin[i][k]);
    return energy;
}

/* Whether a surface exerts tangential impulses. */
static bool rotation_holds(const gas *g, int axis)
{
    (void)axis;
    const scene *s = g->scene;
    for (size_t k = 0; k < s->species_count * scene_surfaces(s); k++)
        if (s->laws[s->surface_law[k]].tangential > -1) return g->surface_count > 0 || g->exact != NULL;
    return false;
}

static bool rotation_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)g;
    (void)tallies;
    return state->spin != NULL;
}

static carom_status rotation_place(gas *g, const initial_state *state, error *e)
{
    (void)e;
    for (uint32_t i = 0; i < g->count; i++)
        for (int k = 0; k < TURN; k++) g->rotation->spin[i][k] = (real)state->spin[i][DIM == 3 ? k : 2];
    return CAROM_OK;
}

static void rotation_fill_columns(const gas *g, real t, unsigned columns, carom_frame *f)
{
    const int unscale = (int)(f->scale - g->scale);
    if (!(columns & FRAME_SPIN)) return;
    for (uint32_t i = 0; i < all_bodies(g); i++) {
        const size_t id = g->id[i];
        for (int k = 0; k < TURN; k++)
            f->spin[3 * id + (size_t)(DIM == 3 ? k : 2)] = (double)real_ldexp(g->rotation->spin[i][k], unscale);
        const double radius = frame_radius(g, i, t);
        f->inertia[id] = scene_inertia(g->scene, species_of(g, i)) * mass_of(g, i) * radius * radius;
    }
}

static const body_array rotation_arrays[] = {
    {"engine/spin", BODY_ARRAY(rotation, spin), .kind = ARRAY_VELOCITIES, .hash = HASH_REALS},
};

static const feature feature_rotation = {.name = "rotation",
                                         FEATURE_STATE(rotation),
                                         .enabled = rotation_enabled,
                                         FEATURE_ARRAYS(rotation_arrays),
                                         .place = rotation_place,
                                         .holds = rotation_holds,
                                         .fill_columns = rotation_fill_columns};
