#include "scene/losses.h"

#include <math.h>

#include "base/memory.h"
#include "geometry/ball.h"

/* Larger ratios of masses give pairs different clocks, and heaps vibrate at the longer step. */
static const double ALIKE = 4;

/* Elements of a species. */
typedef struct users {
    uint64_t moving; /* particles, segments, shells, bodies; 2: several, or one that can touch itself */
    bool fixed;      /* rigid meshes, which do not meet each other */
} users;

/* Whether the particles from `first` to before `end` are all in one body. */
static bool in_one_body(const scene *s, uint64_t first, uint64_t end)
{
    bool some = false;
    for (size_t b = 0; b < s->body_count && !some; b++) {
        uint64_t members = 0;
        for (size_t n = 0; n < s->bodies[b].count; n++)
            members += s->bodies[b].particles[n] >= first && s->bodies[b].particles[n] < end;
        some = members == end - first;
    }
    return some;
}

static void count_particles(const scene *s, users *of)
{
    uint64_t first = 0;
    bool numbered = true; /* files and walks add particles that the scene does not count */
    for (size_t k = 0; k < s->particles_count; k++) {
        const scene_particles *p = &s->particles[k];
        const bool alike = p->share_count == 1 && p->place != PLACE_WALK;
        numbered = numbered && p->count > 0 && p->place != PLACE_WALK && p->clump == SIZE_MAX;
        const bool lone = alike && (p->count == 1 || (numbered && in_one_body(s, first, first + p->count)));
        first += p->count;
        for (size_t n = 0; n < p->share_count; n++) of[p->shares[n].species].moving += lone ? 1 : 2;
    }
}

static bool is_solid(const scene *s, size_t mesh)
{
    bool some = false;
    for (size_t b = 0; b < s->body_count; b++) some = some || s->bodies[b].mesh == mesh;
    return some;
}

static void count_meshes(const scene *s, users *of)
{
    for (size_t k = 0; k < s->mesh_count; k++) {
        users *its = &of[s->meshes[k].species];
        if (s->meshes[k].rigid)
            its->fixed = true;
        else
            its->moving += is_solid(s, k) ? 1 : 2;
    }
    for (size_t k = 0; k < s->segments_count; k++) of[s->segments[k].species].moving += 2;
}

static bool can_meet(const users *a, const users *b)
{
    if (a == b && a->moving == 1) return a->fixed;
    return (a->moving > 0 && (b->moving > 0 || b->fixed)) || (a->fixed && b->moving > 0);
}

static bool has_walls(const scene *s)
{
    bool some = false;
    for (int k = 0; k < s->dimension; k++) some = some || s->box.boundary[k] == BOUNDARY_WALL;
    return some;
}

static bool always_loses(const restitution_law *law)
{
    if (law->kind == RESTITUTION_CONSTANT) return law->value < 1;
    if (law->kind == RESTITUTION_VISCOELASTIC) return law->value > 0;
    for (size_t k = 0; k < law->count; k++)
        if (law->table[k][1] >= 1) return false;
    return true;
}

bool scene_contacts_lose(const scene *s)
{
    const size_t surfaces = scene_surfaces(s);
    bool lose = true, some = false;
    users *of = NEW_ARRAY(s->species_count + 1, users);
    if (of == NULL) return false;
    count_particles(s, of);
    count_meshes(s, of);
    for (size_t a = 0; a < s->species_count; a++) {
        for (size_t b = 0; b <= a; b++) {
            if (!can_meet(&of[a], &of[b])) continue;
            some = true;
            lose = lose && always_loses(&s->laws[s->pair_law[a * s->species_count + b]]);
        }
        for (size_t k = has_walls(s) ? 0 : 1; k < surfaces && of[a].moving > 0; k++) {
            some = true;
            lose = lose && always_loses(&s->laws[s->surface_law[a * surfaces + k]]);
        }
    }
    memory_free(of);
    return some && lose;
}

/* The smallest and the largest mass of a species. */
static void mass_range(const scene *s, const scene_species *of, double range[2])
{
    const scene_size *d = &of->diameter;
    const bool bounded = d->law == SIZE_NORMAL || d->law == SIZE_LOGNORMAL;
    const double low = bounded ? d->min : d->a, high = bounded ? d->max : d->law == SIZE_UNIFORM ? d->b : d->a;
    range[0] = of->mass > 0 ? of->mass : of->density * ball_volume(s->dimension, low);
    range[1] = of->mass > 0 ? of->mass : of->density * ball_volume(s->dimension, high);
}

/* Whether the masses of particles differ by a factor of ALIKE at most. Those of clumps are not known yet: copies of one template
 * are alike, others may not be. */
static bool masses_are_alike(const scene *s)
{
    double least = INFINITY, most = 0;
    const scene_particles *before = NULL;
    for (size_t k = 0; k < s->particles_count; k++) {
        const scene_particles *p = &s->particles[k];
        if (p->count == 0 && p->place != PLACE_FILE) continue;
        if (before != NULL && p->clump != before->clump) return false;
        before = p;
        for (size_t n = 0; n < p->share_count && p->clump == SIZE_MAX; n++) {
            double range[2];
            mass_range(s, &s->species[p->shares[n].species], range);
            least = fmin(least, range[0]);
            most = fmax(most, range[1]);
        }
    }
    return most <= ALIKE * least;
}

/* Whether errors of a long step show in this scene even if all contacts lose energy. */
static bool needs_short_step(const scene *s)
{
    return scene_is_elastic(s) || scene_engine_number(s, "exponent", 3) < 3 || scene_engine_number(s, "step", 0) > 0 ||
           scene_engine_number(s, "restitution_rule", 0) > 0 || !masses_are_alike(s);
}

double scene_courant(const scene *s)
{
    const double given = scene_engine_number(s, "courant", ELASTIC_COURANT);
    if (given > 0) return given;
    return !needs_short_step(s) && scene_contacts_lose(s) ? LOSSY_COURANT : ELASTIC_COURANT;
}
