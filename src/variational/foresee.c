#include "variational/foresee.h"

#include "base/memory.h"
#include "variational/choose.h"
#include "variational/settings.h"
#include "variational/strains.h"

#include <math.h>
#include <stdio.h>

enum { LINE = 400 };

/* Beyond this strain the membrane of a shell is no model of a material (docs/shells.md, limits). */
static const double LARGE_STRAIN = 1;

/* A step this many times shorter than that of all others is named. */
static const double SHORTER = 10;

static void foresee_strains(const scene *s, const initial_state *state, char line[LINE])
{
    const load_strain worst = loads_strain(s, state);
    if (!(worst.strain > LARGE_STRAIN)) return;
    snprintf(
        line, LINE,
        "load '%s': a force of %.3g on vertex %zu of mesh '%s' stretches its edges by a strain of some %.1g: give a "
        "smaller force, more vertices, or a stiffer mesh",
        s->loads[worst.load].name, worst.force, worst.vertex, s->meshes[worst.mesh].name, worst.strain);
}

/* ---- the lightest part --------------------------------------------------------------------------------------------- */

/* Of species, then of meshes (of copies, their template): the smallest mass that moves freely. */
typedef struct parts {
    double *least;
    size_t species, count;
} parts;

static void count_mass(parts *all, size_t part, double mass)
{
    all->least[part] = fmin(all->least[part], mass);
}

static size_t part_of(const scene *s, const initial_state *state, const parts *all, size_t i)
{
    size_t k = 0;
    if (i < state_particles(state)) return state->species[i];
    while (k + 1 < state->mesh_count && i >= state->mesh_first[k + 1]) k++;
    return all->species + (s->meshes[k].copied ? s->meshes[k].copy_of : k);
}

static void count_parts(parts *all, const scene *s, const initial_state *state, bool *held)
{
    for (size_t k = 0; k < all->count; k++) all->least[k] = INFINITY;
    for (size_t k = 0; k < state->body_count; k++) {
        const state_body *b = &state->bodies[k];
        if (!b->solid || b->count == 0) continue;
        if (!held[b->particles[0]]) count_mass(all, part_of(s, state, all, b->particles[0]), solid_lightest(b, state));
        for (size_t n = 0; n < b->count; n++) held[b->particles[n]] = true;
    }
    for (size_t i = 0; i < state->count; i++)
        if (!held[i]) count_mass(all, part_of(s, state, all, i), state->mass[i]);
}

static void name_lightest(const parts *all, const scene *s, char line[LINE])
{
    size_t lightest = 0;
    double others = INFINITY;
    for (size_t k = 1; k < all->count; k++)
        if (all->least[k] < all->least[lightest]) lightest = k;
    for (size_t k = 0; k < all->count; k++)
        if (k != lightest) others = fmin(others, all->least[k]);
    const double shorter = sqrt(others / all->least[lightest]);
    if (!isfinite(others) || !(shorter >= SHORTER)) return;
    const bool of_mesh = lightest >= all->species;
    snprintf(
        line, LINE,
        "%s '%s' is so light that it sets the time step: without it the step of contacts would be %.3g times as long; "
        "its smallest mass is %.3g, that of all others %.3g: make it heavier",
        of_mesh ? "mesh" : "species", of_mesh ? s->meshes[lightest - all->species].name : s->species[lightest].name,
        shorter, all->least[lightest], others);
}

/* Elastic spheres have stiffnesses of their own. */
static void foresee_light(const scene *s, const initial_state *state, char line[LINE])
{
    if (scene_is_elastic(s) || ((const variational_settings *)s->engine_settings)->step > 0) return;
    parts all = {.species = s->species_count, .count = s->species_count + s->mesh_count};
    all.least = NEW_ARRAY(all.count, double);
    bool *held = state_find_held(state, s);
    if (all.least != NULL && held != NULL) {
        count_parts(&all, s, state, held);
        name_lightest(&all, s, line);
    }
    memory_free(all.least);
    memory_free(held);
}

void variational_foresee(const scene *s, const initial_state *state, void (*say)(const char *line, void *user),
                         void *user)
{
    void (*const all[])(const scene *, const initial_state *, char *) = {foresee_strains, foresee_light};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char line[LINE] = "";
        all[k](s, state, line);
        if (line[0] != '\0') say(line, user);
    }
}
