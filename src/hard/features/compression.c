/* Runs that compress. */
#include "hard/features/feature.h"

#include "geometry/ball.h"
#include "hard/settings.h"
#include "scene/exact.h"
#include "scene/planes.h"
#include "scene/scale.h"
#include "scene/where.h"

#include <math.h>
#include <stdio.h>

static const setting compression_entries[] = {
    {.name = "rate",
     .type = SETTING_REAL,
     .offset = offsetof(hard_compression, rate),
     .unit = "",
     .fallback = "0",
     .max = 1,
     .help = "growth of the mean diameter over the thermal speed, as seen from a box that keeps its size; 0: none"},
};
const settings_table hard_compression_settings = {
    .name = "compression",
    .help = "Lubachevsky and Stillinger's: the box shrinks around spheres that are kept at their temperature",
    .size = sizeof(hard_compression),
    .entries = compression_entries,
    .count = sizeof compression_entries / sizeof *compression_entries};

static carom_status check_compression(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    if (h->compression.rate == 0) {
        if (s->until.pressure == 0) return CAROM_OK;
        return scene_refuse(scene_at(s, "run.until.pressure"), e,
                            "run.until.pressure ends runs that compress: give hard.compression.rate");
    }
    char boundaries[300];
    snprintf(boundaries, sizeof boundaries, "planes%s or meshes: only the walls of the box move in",
             scene_exact_words(s, true, ", ", ", ", "").text);
    const char *what = h->thermostat.rate > 0 ? "hard.thermostat: velocities are kept at their temperature anyway"
                       : h->detection != DETECTION_STABLE          ? "hard.detection but stable"
                       : h->collapse.policy == COLLAPSE_SLEEP      ? "hard.collapse.policy sleep"
                       : s->rough                                  ? "particles that turn"
                       : scene_is_thermal(s)                       ? "thermal walls"
                       : s->potential_count > 0                    ? "potentials: they would have to grow, too"
                       : s->bonds_count > 0                        ? "bonds"
                       : scene_surfaces(s) - 1 + s->mesh_count > 0 ? boundaries
                       : scene_has_gravity(s)                      ? "fields.gravity"
                                                                   : NULL;
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_OPEN) what = "open boundaries: there is nothing to shrink";
    if (what == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.compression"), e, "hard.compression does not go with %s", what);
}

/* A box full of spheres may not be narrower than two of them on a periodic axis: a sphere would meet its own image. */
static carom_status check_room(const scene *s, const initial_state *state, error *e)
{
    double room = 1, taken = 0, largest = 0, moving = 0;
    if (((const hard_settings *)s->engine_settings)->compression.rate == 0) return CAROM_OK;
    for (int k = 0; k < s->dimension; k++) room *= state->size[k];
    for (size_t i = 0; i < state->count; i++) {
        largest = fmax(largest, state->diameter[i]);
        taken += ball_volume(s->dimension, state->diameter[i]);
        for (int k = 0; k < s->dimension; k++) moving = fmax(moving, fabs(state->velocity[i][k]));
    }
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_PERIODIC &&
            state->size[k] * pow(taken / room, 1.0 / s->dimension) < SCALE_PERIODIC * largest)
            return scene_refuse(scene_at(s, "hard.compression"), e,
                                "hard.compression: too few particles: the box would become narrower than two of the "
                                "largest spheres");
    if (moving > 0) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.compression"), e,
                        "hard.compression: nothing moves, and the rate is over the thermal speed");
}

const hard_feature hard_feature_compression = {.check = check_compression, .check_state = check_room};
