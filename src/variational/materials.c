#include "variational/materials.h"

#include "variational/constants.h"

#include <math.h>

/* ---- moduli ------------------------------------------------------------------------------------------------------ */

static contact_moduli compliances(double young, double poisson)
{
    if (!(young > 0)) return (contact_moduli){0, 0};
    return (contact_moduli){(1 - poisson * poisson) / young, 2 * (2 - poisson) * (1 + poisson) / young};
}

static contact_moduli in_series(contact_moduli a, contact_moduli b)
{
    return (contact_moduli){1 / (a.normal + b.normal), 1 / (a.shear + b.shear)};
}

contact_moduli materials_between(const scene *s, size_t a, size_t b)
{
    return in_series(compliances(s->species[a].young, s->species[a].poisson),
                     compliances(s->species[b].young, s->species[b].poisson));
}

contact_moduli materials_at_surface(const scene *s, size_t species, const restitution_law *law)
{
    return in_series(compliances(s->species[species].young, s->species[species].poisson),
                     compliances(law->young, law->poisson));
}

double materials_stiffness(contact_moduli m, double radius, double eta)
{
    return m.normal * sqrt(2 * eta * radius);
}

/* ---- extremes of a scene ----------------------------------------------------------------------------------------- */

/* Of a species: the largest and smallest moduli of its contacts with other species and with surfaces. */
typedef struct range {
    double hardest, softest, at_surfaces;
} range;

static range range_of(const scene *s, size_t a)
{
    range r = {.softest = INFINITY};
    for (size_t b = 0; b < s->species_count; b++) {
        const double normal = materials_between(s, a, b).normal;
        r.hardest = fmax(r.hardest, normal);
        r.softest = fmin(r.softest, normal);
    }
    for (size_t k = 0; k < scene_surfaces(s); k++) {
        const restitution_law *law = &s->laws[s->surface_law[a * scene_surfaces(s) + k]];
        const double normal = materials_at_surface(s, a, law).normal;
        r.at_surfaces = fmax(r.at_surfaces, normal);
        r.softest = fmin(r.softest, normal);
    }
    return r;
}

static range range_of_all(const scene *s)
{
    range all = {.softest = INFINITY};
    for (size_t a = 0; a < s->species_count; a++) {
        const range one = range_of(s, a);
        all.hardest = fmax(all.hardest, fmax(one.hardest, one.at_surfaces));
        all.softest = fmin(all.softest, one.softest);
    }
    return all;
}

static double smallest_radius(const scene *s, const initial_state *state)
{
    double least = INFINITY;
    for (size_t i = 0; i < state->count; i++) least = fmin(least, 0.5 * state->diameter[i]);
    for (size_t k = 0; k < s->segments_count; k++) least = fmin(least, 0.5 * s->segments[k].diameter);
    return least;
}

static double largest_radius(const scene *s, const initial_state *state)
{
    double most = 0;
    for (size_t i = 0; i < state->count; i++) most = fmax(most, 0.5 * state->diameter[i]);
    for (size_t k = 0; k < s->segments_count; k++) most = fmax(most, 0.5 * s->segments[k].diameter);
    return most;
}

double materials_eta(const scene *s, const initial_state *state, double energy, double most)
{
    if (energy == 0) return most;
    const double radius = 0.5 * smallest_radius(s, state);
    return fmin(most, pow(HERTZ_ROOM * energy / (8.0 / 15 * range_of_all(s).softest * sqrt(radius)), 0.4));
}

/* Along surfaces the stiffness is 8 G* a and that of the normal 2 E* a, a the radius of contact. The reduced mass of balls that
 * rotate is smaller by 1 + m R^2 / I. */
static double sliding(const scene *s, contact_moduli m, const restitution_law *law, double inertia, double clumps)
{
    const double yield = fmax(s->rough ? 1 / inertia : 0, clumps);
    return law->friction > 0 ? sqrt(4 * m.shear / m.normal * (1 + yield)) : 1;
}

double materials_sliding(const scene *s, double yield)
{
    double most = 1;
    for (size_t a = 0; scene_is_elastic(s) && a < s->species_count; a++) {
        const double inertia = scene_inertia(s, (uint32_t)a);
        for (size_t b = 0; b < s->species_count; b++)
            most = fmax(most, sliding(s, materials_between(s, a, b), &s->laws[s->pair_law[a * s->species_count + b]],
                                      fmin(inertia, scene_inertia(s, (uint32_t)b)), yield));
        for (size_t k = 0; k < scene_surfaces(s); k++) {
            const restitution_law *law = &s->laws[s->surface_law[a * scene_surfaces(s) + k]];
            most = fmax(most, sliding(s, materials_at_surface(s, a, law), law, inertia, yield));
        }
    }
    return most;
}

/* The contact with the shortest step: the smallest mass over stiffness. */
typedef struct fastest {
    double mass, hardness; /* hardness: modulus times root of the radius */
} fastest;

static void note(fastest *f, double mass, double hardness)
{
    if (mass * f->hardness < f->mass * hardness) *f = (fastest){mass, hardness};
}

/* A pair of balls has at least half the mass of the lighter one, and at most its radius. Ends of rods and vertices of
 * meshes are lighter than the balls that touch them there, whose radius is up to the largest. */
void materials_choose(variational_choice *c, const scene *s, const initial_state *state, const bool *held,
                      double lightest)
{
    const bool parts = s->segments_count + s->mesh_count > 0;
    const range all = range_of_all(s);
    const double largest = largest_radius(s, state);
    fastest f = {INFINITY, 1};
    if (isfinite(lightest)) note(&f, lightest / 2, all.hardest * sqrt(largest));
    for (size_t a = 0; a < s->species_count; a++) {
        const range one = range_of(s, a);
        for (size_t i = 0; i < state->count; i++) {
            if (state->species[i] != a || (held != NULL && held[i])) continue;
            const double radius = sqrt(parts ? largest : 0.5 * state->diameter[i]);
            note(&f, state->mass[i] / 2, (parts ? all.hardest : one.hardest) * radius);
            note(&f, state->mass[i], one.at_surfaces * radius);
        }
    }
    if (isinf(f.mass)) f = (fastest){0.5, all.hardest * sqrt(largest)}; /* all are driven */
    c->stiffness = f.hardness * sqrt(2 * c->eta);
    c->lightest = f.mass;
    c->softest = all.softest * sqrt(0.5 * smallest_radius(s, state)) / f.hardness;
}
