/* Thermal walls. */
#include "hard/features/feature_checks.h"

#include "base/memory.h"
#include "scene/exact.h"
#include "scene/where.h"

/* Particles have no wall temperature. Species of meshes may have one. */
static carom_status check_thermal(const scene *s, error *e)
{
    bool *particles = NEW_ARRAY(s->species_count, bool);
    if (particles == NULL) return error_memory(e, "species", s->species_count);
    for (size_t k = 0; k < s->particles_count; k++)
        for (size_t n = 0; n < s->particles[k].share_count; n++) particles[s->particles[k].shares[n].species] = true;
    carom_status status = CAROM_OK;
    for (size_t a = 0; a < s->species_count; a++)
        for (size_t b = a; b < s->species_count; b++) {
            if (s->laws[s->pair_law[a * s->species_count + b]].temperature == 0 || !particles[a] || !particles[b])
                continue;
            status =
                scene_refuse(scene_at_law(s, s->pair_law[a * s->species_count + b], "temperature"), e,
                             "contacts of '%s' and '%s' have a temperature, but both are particles: walls, "
                             "planes%s and meshes may be thermal",
                             s->species[a].name, s->species[b].name, scene_exact_words(s, true, ", ", ", ", "").text);
        }
    memory_free(particles);
    return status;
}

const feature_checks hard_feature_thermal = {.check = check_thermal};
