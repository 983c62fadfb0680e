/* Random places of clumps, by random sequential addition. The orientation of a clump is drawn once, and only the place of its
 * centre is drawn again: trials near walls would otherwise prefer some orientations. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/state/build.h"

enum { TRIALS = 100000 }; /* of one clump */

static bool is_random(const build *b, size_t entry)
{
    return build_is_clump(b, entry) && b->s->particles[entry].place == PLACE_RANDOM;
}

bool build_is_in_box(const build *b, const double r[3], double diameter)
{
    for (int k = 0; k < b->s->dimension; k++)
        if (b->s->box.boundary[k] == BOUNDARY_WALL && (r[k] < 0.5 * diameter || r[k] > b->box.size[k] - 0.5 * diameter))
            return false;
    return true;
}

static bool is_free(const build *b, const packing *p, size_t entry, const bool *barred, const double r[3],
                    double diameter)
{
    return build_is_in_box(b, r, diameter) && build_is_free(b, r, diameter) &&
           packing_hit(p, r, diameter) == CELLS_END &&
           build_place_allowed(b, &b->s->particles[entry], barred, diameter, r);
}

/* Whether the clump has a place within the number of trials. */
static bool place_clump(const build *b, packing *p, size_t entry, size_t n, const bool *barred)
{
    const size_t size = scene_item_size(b->s, entry), first = b->first[entry] + n * size;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        double centre[3] = {0};
        bool fits = true;
        build_draw_place(b, &b->s->particles[entry], 0, (uint32_t)first, trial, centre);
        for (size_t m = 0; m < size && fits; m++) {
            double *r = b->state->position[first + m];
            build_clump_sphere(b, entry, n, m, centre, r);
            fits = is_free(b, p, entry, barred, r, b->state->diameter[first + m]);
        }
        if (!fits) continue;
        for (size_t m = 0; m < size; m++) packing_add(p, (uint32_t)(first + m));
        return true;
    }
    return false;
}

static carom_status place_entry(const build *b, packing *p, size_t entry, const bool *barred, error *e)
{
    const size_t count = build_items(b, entry);
    for (size_t n = 0; n < count; n++) {
        if (!place_clump(b, p, entry, n, barred))
            return scene_refuse(scene_at(b->s, "particles.%zu.place", entry), e,
                                "random placement found no place for clump %zu of %zu of '%s' in %d trials" HINT
                                "use fewer or smaller clumps, or give them more room",
                                n + 1, count, b->s->clumps[b->s->particles[entry].clump].name, TRIALS);
        if (n % 100 == 99) TRY(build_report(b, (double)(n + 1) / (double)count, e));
    }
    return CAROM_OK;
}

/* Particles with given places, and clumps, come before single particles with random places. */
carom_status build_random_clumps(const build *b, const bool *barred, error *e)
{
    packing p = {0};
    bool any = false;
    for (size_t entry = 0; entry < b->s->particles_count; entry++) any = any || is_random(b, entry);
    if (!any) return CAROM_OK;
    carom_status status = packing_create(&p, &b->box, build_particles(b), (const double(*)[3])b->state->position,
                                         b->state->diameter, b->scale, e);
    for (size_t entry = 0; status == CAROM_OK && entry < b->s->particles_count; entry++) {
        const int place = (int)b->s->particles[entry].place;
        const bool placed = place != PLACE_RANDOM && place != PLACE_COMPRESS && place != PLACE_INFLOW;
        for (size_t i = b->first[entry]; placed && i < b->first[entry + 1]; i++) packing_add(&p, (uint32_t)i);
    }
    for (size_t entry = 0; status == CAROM_OK && entry < b->s->particles_count; entry++)
        if (is_random(b, entry)) status = place_entry(b, &p, entry, barred + entry * b->s->mesh_count, e);
    packing_destroy(&p);
    return status;
}
