/* Detects crashes of the XYZ reader on any text, and accepted particles that are not finite. The first byte selects
 * the dimension. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "scene/state/points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool truth)
{
    if (!truth) abort();
}

static void look_at(const points *p, const points_rules *rules)
{
    for (size_t i = 0; i < p->count; i++) {
        for (int k = 0; k < 3; k++) {
            need(isfinite(p->position[i][k]));
            need(p->velocity == NULL || isfinite(p->velocity[i][k]));
        }
        need(p->species == NULL || p->species[i] < rules->species_count);
        need(p->diameter == NULL || (p->diameter[i] > 0 && isfinite(p->diameter[i])));
        need(p->mass == NULL || (p->mass[i] > 0 && isfinite(p->mass[i])));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char grain[] = "grain", dust[] = "dust";
    static const scene_species species[] = {{.name = grain}, {.name = dust}};
    if (size == 0) return 0;
    const points_rules rules = {.dimension = 2 + (data[0] & 1), .species = species, .species_count = 2, .frame = -1};
    points p;
    error e = {0};
    carom_status status = xyz_parse(&p, "fuzz", (const char *)data + 1, size - 1, &rules, &e);
    need(status == e.status);
    if (status == CAROM_OK)
        look_at(&p, &rules);
    else
        need(status == CAROM_BAD_DATA && e.length > 0 && p.position == NULL);
    points_free(&p);
    error_clear(&e);
    return 0;
}
