/* The key `species` of observables of a part of the particles. Their settings begin with the field. */
#ifndef CAROM_MEASURE_SPECIES_H
#define CAROM_MEASURE_SPECIES_H

#include "frame/frame.h"
#include "scene/settings.h"

/* Settings with this key alone. */
typedef struct species_settings {
    uint32_t species; /* NO_SPECIES: all */
} species_settings;

extern const char *const species_choices[];

/* The row of a settings table. */
#define SPECIES_ROW(text)                                                                                              \
    {                                                                                                                  \
        .name = "species", .type = SETTING_SHAPE, .unit = "", .fallback = "", .choices = species_choices,              \
        .form = &form_species, .written = setting_has_species, .help = text                                            \
    }

/* `begin` of that table. */
void species_begin(struct reader *r, void *filled);

/* Whether a particle counts. It reads FRAME_SPECIES unless all count. */
static inline bool species_has(uint32_t species, const carom_frame *f, size_t i)
{
    return species == NO_SPECIES || f->species[i] == species;
}

/* The part of a contact that belongs to the species, of particles of the species `i` and `j`: half for each of them. */
static inline double species_share(uint32_t species, uint32_t i, uint32_t j)
{
    return species == NO_SPECIES ? 1 : 0.5 * (i == species) + 0.5 * (j == species);
}

#endif
