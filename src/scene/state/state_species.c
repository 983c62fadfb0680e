/* Species, sizes and masses of particles. */
#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "geometry/ball.h"
#include "scene/state/build.h"

/* Largest-remainder method: each number is rounded down, and those with the largest remainders are increased by one. */
static carom_status share_counts(const scene_particles *p, size_t count, size_t *counts, error *e)
{
    double *rest = NEW_ARRAY(p->share_count, double);
    if (rest == NULL) return error_memory(e, "the shares of species", p->share_count * sizeof(double));
    double sum = 0;
    for (size_t i = 0; i < p->share_count; i++) sum += p->shares[i].ratio;
    assert(sum > 0);
    size_t given = 0;
    for (size_t i = 0; i < p->share_count; i++) {
        double due = (double)count * (p->shares[i].ratio / sum);
        double whole = fmin(floor(due * (1 + 1e-15)), (double)(count - given));
        counts[i] = (size_t)whole;
        rest[i] = due - whole;
        given += counts[i];
    }
    for (; given < count; given++) {
        size_t best = 0;
        for (size_t i = 1; i < p->share_count; i++)
            if (rest[i] > rest[best] + 1e-9) best = i;
        counts[best]++;
        rest[best] -= 1;
    }
    memory_free(rest);
    return CAROM_OK;
}

static void shuffle(uint32_t *items, size_t count, uint64_t seed, size_t entity)
{
    const random_key key = {seed, RANDOM_SPECIES};
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)random_below(key, entity + i - 1, 0, i);
        uint32_t swap = items[j];
        items[j] = items[i - 1];
        items[i - 1] = swap;
    }
}

static carom_status mix_species(build *b, size_t entry, error *e)
{
    const scene_particles *p = &b->s->particles[entry];
    size_t count = build_count(b, entry);
    uint32_t *species = b->state->species + b->first[entry];
    size_t *counts = NEW_ARRAY(p->share_count, size_t);
    if (counts == NULL) return error_memory(e, "the shares of species", p->share_count * sizeof(size_t));
    carom_status status = share_counts(p, count, counts, e);
    if (status == CAROM_OK) {
        size_t at = 0;
        for (size_t i = 0; i < p->share_count; i++)
            for (size_t n = 0; n < counts[i]; n++) species[at++] = p->shares[i].species;
        if (p->share_count > 1) shuffle(species, count, b->s->seed, b->first[entry]);
    }
    memory_free(counts);
    return status;
}

static carom_status name_species(build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    if (file->species == NULL) return mix_species(b, entry, e);
    for (size_t i = 0; i < file->count; i++) b->state->species[b->first[entry] + i] = file->species[i];
    return CAROM_OK;
}

/* Draws a diameter, possibly outside the limits. Lognormal: mean a and deviation b of the diameter itself. */
static double try_diameter(const scene_size *law, random_key key, size_t particle, uint64_t index)
{
    double pair[2];
    if (law->law == SIZE_CONSTANT) return law->a;
    if (law->law == SIZE_UNIFORM) return law->a + (law->b - law->a) * random_uniform(key, particle, index);
    random_normal2(key, particle, index, pair);
    if (law->law == SIZE_NORMAL) return law->a + law->b * pair[0];
    double variance = log1p((law->b / law->a) * (law->b / law->a));
    return exp(log(law->a) - 0.5 * variance + sqrt(variance) * pair[0]);
}

/* 0 if the probability within the limits is almost 0. */
static double draw_diameter(const scene_size *law, uint64_t seed, size_t particle)
{
    const random_key key = {seed, RANDOM_DIAMETER};
    const double max = law->max > 0 ? law->max : INFINITY;
    const bool cut = law->law == SIZE_NORMAL || law->law == SIZE_LOGNORMAL;
    for (uint64_t index = 0; index < 100000; index++) {
        double d = try_diameter(law, key, particle, index);
        if (!cut || (d > 0 && d >= law->min && d <= max)) return d;
    }
    return 0;
}

static carom_status draw_sizes(build *b, size_t entry, error *e)
{
    const points *file = &b->files[entry];
    initial_state *state = b->state;
    for (size_t n = 0; n < build_count(b, entry); n++) {
        size_t i = b->first[entry] + n;
        const scene_species *species = &b->s->species[state->species[i]];
        const bool given = file->diameter != NULL && species->half[0] == 0; /* else: from the scene */
        if (build_is_clump(b, entry)) {
            const clump_model *clump = &b->clumps[b->s->particles[entry].clump];
            const size_t sphere = n % scene_item_size(b->s, entry);
            state->diameter[i] = b->s->clumps[b->s->particles[entry].clump].spheres[sphere].diameter;
            state->mass[i] = clump->share[sphere] * clump->body.mass;
            continue;
        }
        double d = given ? file->diameter[n] : draw_diameter(&species->diameter, b->s->seed, i);
        if (!(d > 0))
            return scene_refuse(scene_at(b->s, "species.%s.diameter", species->name), e,
                                "species.%s.diameter: no diameter of the distribution lies within its limits" HINT
                                "widen "
                                "min and max",
                                species->name);
        state->diameter[i] = d;
        double volume = ball_volume(b->s->dimension, d) * scene_fullness(b->s, state->species[i]);
        double mass = species->density > 0 ? species->density * volume : species->mass;
        state->mass[i] = file->mass != NULL ? file->mass[n] : mass;
    }
    return CAROM_OK;
}

carom_status build_species(build *b, error *e)
{
    for (size_t entry = 0; entry < b->s->particles_count; entry++) {
        TRY(name_species(b, entry, e));
        TRY(draw_sizes(b, entry, e));
        if (b->s->particles[entry].place == PLACE_FILE) TRY(build_compare_file(b, entry, e));
    }
    b->widest = 0;
    b->equal = true;
    for (size_t i = 0; i < build_particles(b); i++) {
        b->widest = fmax(b->widest, b->state->diameter[i]);
        b->equal = b->equal && b->state->diameter[i] == b->state->diameter[0];
    }
    return CAROM_OK;
}
