/* Thickness, stiffness and step: see docs/variational.md. */
#include "variational/choose.h"

#include "base/memory.h"
#include "base/sort.h"
#include "scene/losses.h"
#include "scene/where.h"
#include "variational/constants.h"
#include "variational/materials.h"
#include "variational/supports.h"

#include <math.h>
#include <stdio.h>

typedef struct census {
    double smallest;           /* diameter, including segments */
    double thinnest;           /* thickness of meshes */
    double lightest, heaviest; /* masses of free nodes */
    double solid;              /* smallest effective mass of solid bodies */
    double yield;              /* of clumps: the largest (state.h) */
    double fastest, driven;
    double thermal; /* mean of m v^2 / D */
} census;

/* It decreases with the distance from the centre. */
double solid_lightest(const state_body *b, const initial_state *state)
{
    double most = 0;
    if (b->clump) return b->lightest;
    for (size_t n = 0; n < b->count; n++) {
        double arm[3];
        for (int k = 0; k < 3; k++) arm[k] = state->position[b->particles[n]][k] - b->centre[k];
        most = fmax(most, state_body_mobility(b, arm));
    }
    return 1 / most;
}

/* Counts a rigid body. It collides with its whole mass, and its corners have the speed of its rotation in addition. */
static void count_body(census *all, const scene *s, size_t index, const initial_state *state)
{
    const state_body *b = &state->bodies[index];
    const double *turn = b->angular_velocity;
    double mass = 0, centre[3] = {0}, farthest = 0, spin = 0, speed = 0;
    for (size_t n = 0; n < b->count; n++) {
        size_t i = b->particles[n];
        mass += state->mass[i];
        for (int k = 0; k < s->dimension; k++) {
            centre[k] += state->mass[i] * state->position[i][k];
            speed = fmax(speed, fabs(state->velocity[i][k]));
        }
    }
    for (size_t n = 0; n < b->count && !b->clump; n++) {
        double square = 0;
        for (int k = 0; k < s->dimension; k++) {
            double arm = state->position[b->particles[n]][k] - (b->solid ? b->centre[k] : centre[k] / mass);
            square += arm * arm;
        }
        farthest = fmax(farthest, sqrt(square));
    }
    if (b->clump) farthest = b->reach;
    if (b->clump) all->yield = fmax(all->yield, b->yield);
    for (int k = 0; k < 3; k++) spin += turn[k] * turn[k];
    if (b->solid) all->solid = fmin(all->solid, solid_lightest(b, state));
    all->lightest = fmin(all->lightest, all->solid);
    all->heaviest = fmax(all->heaviest, mass);
    all->fastest = fmax(all->fastest, sqrt(s->dimension) * speed + sqrt(spin) * farthest);
}

/* A bound of the speed of a drive's nodes: that of the node farthest from the axis, for any effect of earlier pieces
 * of the motion. */
static double driven_speed(const scene_motion *m, const initial_state *state, size_t drive)
{
    const double *v = m->velocity;
    double farthest = 0;
    for (size_t n = 0; m->rate != 0 && n < state->drives[drive].count; n++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double arm = state->position[state->drives[drive].particles[n]][k] - m->through[k];
            square += arm * arm;
        }
        farthest = fmax(farthest, sqrt(square));
    }
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + fabs(m->rate) * farthest;
}

/* Nodes without independent motion: held ones, and vertices of solids. */
static bool *find_held(const scene *s, const initial_state *state)
{
    bool *held = state_find_held(state, s);
    for (size_t k = 0; held != NULL && k < state->body_count; k++)
        for (size_t n = 0; state->bodies[k].solid && n < state->bodies[k].count; n++)
            held[state->bodies[k].particles[n]] = true;
    return held;
}

static census count_up(const scene *s, const initial_state *state)
{
    census all = {.smallest = INFINITY, .thinnest = INFINITY, .lightest = INFINITY, .solid = INFINITY};
    const size_t vertices_from = state_particles(state);
    bool *held = find_held(s, state);
    for (size_t i = 0; i < state->count; i++) {
        double square = 0;
        double *least = i < vertices_from ? &all.smallest : &all.thinnest;
        *least = fmin(*least, state->diameter[i]);
        for (int k = 0; k < s->dimension; k++) square += state->velocity[i][k] * state->velocity[i][k];
        all.fastest = fmax(all.fastest, sqrt(square));
        if (held != NULL && held[i]) continue;
        all.lightest = fmin(all.lightest, state->mass[i]);
        all.heaviest = fmax(all.heaviest, state->mass[i]);
        all.thermal += state->mass[i] * square / (s->dimension * (double)state->count);
    }
    memory_free(held);
    for (size_t k = 0; k < state->body_count; k++) count_body(&all, s, k, state);
    for (size_t k = 0; k < s->segments_count; k++) all.smallest = fmin(all.smallest, s->segments[k].diameter);
    for (size_t d = 0; d < s->drive_count; d++)
        for (size_t k = 0; k < s->drives[d].motion_count; k++) {
            const double now = driven_speed(&s->drives[d].motion[k], state, d);
            all.driven = fmax(all.driven, now);
        }
    all.fastest = fmax(all.fastest, all.driven);
    return all;
}

/* Energy of a fall through the box, divided by the mass. */
static double fall_of(const scene *s, const initial_state *state)
{
    double fall = 0;
    for (int k = 0; k < s->dimension; k++) fall += fabs(s->gravity[k]) * state->size[k];
    return fall;
}

/* The head-on impact of two of the fastest bodies, or an impact after a fall through the box. */
static double hardest_impact(const scene *s, const initial_state *state, const census *all)
{
    return all->heaviest * (all->fastest * all->fastest + fall_of(s, state));
}

static carom_status choose_eta(variational_choice *c, const scene *s, const initial_state *state, const census *all,
                               error *e)
{
    c->eta = ((const variational_settings *)s->engine_settings)->eta;
    double longest = 0;
    for (int k = 0; k < s->dimension; k++) longest = fmax(longest, state->size[k]);
    const bool given = c->eta > 0;
    if (!given) c->eta = state_layer(all->smallest, all->thinnest);
    if (!given && scene_is_elastic(s) && !state_is_given(s)) /* given particles may overlap by the default */
        c->eta = materials_eta(s, state, hardest_impact(s, state, all), c->eta);
    if (c->eta < FINEST * longest)
        return scene_refuse(given ? scene_at(s, "variational.eta") : scene_at_size(s), e,
                            "layers of eta = %.6g are lost in the rounding of a box that is %.6g long: choose "
                            "eta at least %.6g, or a smaller box",
                            c->eta, longest, FINEST * longest);
    const double most = 0.5 * fmin(all->smallest, all->thinnest);
    if (c->eta <= most) return CAROM_OK;
    return scene_refuse(scene_at(s, "variational.eta"), e,
                        "variational.eta is %.6g, but cores are the particles, segments and meshes less eta, "
                        "and the smallest has a radius of %.6g: choose eta at most that",
                        c->eta, most);
}

/* Energy of an ordinary impact along the normal: the thermal one, or a part of the hardest expected one. */
static double impact_energy(const scene *s, const initial_state *state, const census *all)
{
    return fmax(all->thermal, hardest_impact(s, state, all) / HARDEST_IMPACT);
}

/* The energy of the first layer is k eta^2 2^(3 - p) / (p (p - 1)) at the gap at which the second begins. */
static double stiffness_of(const variational_choice *c, double energy)
{
    return energy * c->exponent * (c->exponent - 1) * exp2(c->exponent - 3) / (FILLED * c->eta * c->eta);
}

/* At which the overlap of a contact that carries `load` is half of eta, a quarter of the first layer. */
static double stiffness_for(const variational_choice *c, double load)
{
    return load * (c->exponent - 1) * exp2(2 * c->exponent - 4) / c->eta;
}

static void default_stiffness(variational_choice *c, const scene *s, const initial_state *state, const census *all)
{
    const double load = scene_contacts_lose(s) ? supports_load(s, state, c->eta) : 0, of_load = stiffness_for(c, load);
    c->stiffness = stiffness_of(c, impact_energy(s, state, all));
    c->rests = load > 0 && of_load < c->stiffness;
    if (c->rests) c->stiffness = of_load;
}

/* Soft layers at rest in long steps feed vibrations of shells. */
static double courant_of(const variational_choice *c, const scene *s)
{
    const bool given = ((const variational_settings *)s->engine_settings)->courant > 0;
    return c->rests && !given ? fmin(scene_courant(s), REST_COURANT) : scene_courant(s);
}

static carom_status choose_stiffness(variational_choice *c, const scene *s, const initial_state *state,
                                     const census *all, error *e)
{
    const bool elastic = scene_is_elastic(s);
    const variational_settings *settings = s->engine_settings;
    c->exponent = elastic ? 2.5 : (double)settings->exponent;
    const double p = c->exponent;
    c->lightest = all->lightest / 2;
    c->softest = 1;
    c->rests = false;
    if (elastic) {
        bool *held = find_held(s, state);
        materials_choose(c, s, state, held, all->solid);
        memory_free(held);
    } else {
        c->stiffness = settings->stiffness;
        if (c->stiffness == 0) default_stiffness(c, s, state, all);
    }
    c->coefficient = 2 * c->stiffness / (p * (p - 1) * pow(2 * c->eta, p - 2));
    if (c->stiffness > 0 && isfinite(c->stiffness) && isfinite(c->coefficient)) return CAROM_OK;
    if (c->stiffness > 0)
        return scene_refuse(scene_at(s, "variational.stiffness"), e,
                            "layers of eta = %.6g and stiffness %.6g exceed the range of floating point: choose "
                            "others, or other units",
                            c->eta, c->stiffness);
    return scene_refuse(scene_at(s, "variational.stiffness"), e,
                        "no default stiffness: all initial velocities and gravity are zero" HINT "give "
                        "variational.stiffness");
}

carom_status choose(variational_choice *c, const scene *s, const initial_state *state, error *e)
{
    const variational_settings *settings = s->engine_settings;
    census all = count_up(s, state);
    TRY(choose_eta(c, s, state, &all, e));
    if (isinf(all.lightest)) all.lightest = all.heaviest = 1; /* all are driven */
    TRY(choose_stiffness(c, s, state, &all, e));
    c->driven = all.driven;
    c->speed = sqrt(all.fastest * all.fastest + 2 * fall_of(s, state));
    const double bound = sqrt(2 * c->lightest / c->stiffness) / materials_sliding(s, all.yield);
    c->step = settings->step > 0 ? settings->step : courant_of(c, s) * sqrt(2 * c->lightest / c->stiffness);
    if (!(c->step > 0) || !isfinite(c->lightest) || isinf(bound))
        return scene_refuse(scene_at(s, "species"), e,
                            "masses from %.6g to %.6g with a stiffness of %.6g give time steps outside the range of "
                            "floating point: use other units",
                            all.lightest, all.heaviest, c->stiffness);
    if (isfinite(s->until.time) && c->step < s->until.time / MOST_TICKS)
        return scene_refuse(scene_at(s, "run.until.time"), e,
                            "the first layer's step is %.6g: times up to run.until.time, %.6g, are too long to "
                            "tell its ticks apart" HINT "make variational.stiffness smaller, or the run shorter",
                            c->step, s->until.time);
    if (c->step < bound) return CAROM_OK;
    if (scene_is_elastic(s))
        return scene_refuse(scene_at(s, "variational.%s", settings->step > 0 ? "step" : "courant"), e,
                            "the step of the layers is %.6g, beyond the stability of contacts and of their friction: "
                            "it must be below %.6g",
                            c->step, bound);
    return scene_refuse(scene_at(s, "variational.step"), e,
                        "variational.step is %.6g, beyond the stability of the lightest pair; it must be "
                        "below sqrt(2 m / k) = %.6g",
                        c->step, bound);
}

static const char AT_LARGEST[] = "for impacts at the largest speed at the start";

/* A speed this many times the median is named. */
static const double FAR_BEYOND = 20;

static const char *impact_rule(const scene *s, const initial_state *state, const census *all)
{
    const double hardest = hardest_impact(s, state, all);
    if (all->thermal > hardest / HARDEST_IMPACT) return "for impacts at the mean energy at the start";
    if (fall_of(s, state) > all->fastest * all->fastest) return "for impacts after a fall through the box";
    if (all->driven >= all->fastest) return "for impacts at the speed of drives";
    return AT_LARGEST;
}

/* The fastest of the free nodes, if it sets the largest speed and this is far beyond their median; else SIZE_MAX. */
static size_t find_outlier(const scene *s, const initial_state *state, const census *all, double *times)
{
    bool *held = find_held(s, state);
    sort_key *speeds = NEW_ARRAY(state->count, sort_key);
    size_t count = 0, outlier = SIZE_MAX;
    for (size_t i = 0; held != NULL && speeds != NULL && i < state->count; i++) {
        double square = 0;
        for (int k = 0; k < s->dimension; k++) square += state->velocity[i][k] * state->velocity[i][k];
        if (!held[i]) speeds[count++] = (sort_key){sqrt(square), (uint32_t)i};
    }
    for (size_t n = 0; n < count && outlier == SIZE_MAX; n++)
        if (speeds[n].key == all->fastest) outlier = speeds[n].item;
    if (outlier != SIZE_MAX) {
        sort_select(speeds, count, count / 2);
        *times = all->fastest / speeds[count / 2].key; /* infinite if most are at rest: then it is a projectile */
        if (!(*times > FAR_BEYOND) || isinf(*times)) outlier = SIZE_MAX;
    }
    memory_free(held);
    memory_free(speeds);
    return outlier;
}

void choice_source(const variational_choice *c, const scene *s, const initial_state *state, char *out, size_t size)
{
    const census all = count_up(s, state);
    const bool given = ((const variational_settings *)s->engine_settings)->stiffness > 0;
    const char *rule = impact_rule(s, state, &all);
    if (c->rests) rule = "for the loads of bodies at rest";
    if (given) rule = "given";
    if (scene_is_elastic(s)) rule = "of the elastic constants";
    double times;
    const size_t outlier = rule == AT_LARGEST ? find_outlier(s, state, &all, &times) : SIZE_MAX;
    char of[120] = "", name[80];
    if (outlier != SIZE_MAX) {
        state_name(state, s, outlier, name, sizeof name);
        snprintf(of, sizeof of, ", of %s, %.3g times the median", name, times);
    }
    snprintf(out, size, "%.4g, %s%s", c->stiffness, rule, of);
}
