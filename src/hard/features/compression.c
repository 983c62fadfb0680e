/* Compression during a run: settings, and refused combinations. */
#include "hard/features/feature_checks.h"

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
     .help = "growth rate of the mean diameter over the thermal speed, relative to a fixed box; 0: none"},
};
const settings_table hard_compression_settings = {
    .name = "compression",
    .help = "compression (Lubachevsky and Stillinger): the box shrinks at a constant temperature of the spheres",
    .size = sizeof(hard_compression),
    .entries = compression_entries,
    .count = sizeof compression_entries / sizeof *compression_entries};

static carom_status check_compression(const scene *s, error *e)
{
    const hard_settings *h = s->engine_settings;
    if (h->compression.rate == 0) {
        if (s->until.pressure == 0) return CAROM_OK;
        return scene_refuse(scene_at(s, "run.until.pressure"), e,
                            "run.until.pressure applies to compressions only: give hard.compression.rate");
    }
    char boundaries[300];
    snprintf(boundaries, sizeof boundaries, "planes%s or meshes: only the walls of the box move in",
             scene_exact_words(s, true, ", ", ", ", "").text);
    const char *what = h->thermostat.rate > 0 ? "hard.thermostat: compression keeps the temperature constant"
                       : h->detection != DETECTION_STABLE     ? "hard.detection other than stable"
                       : h->collapse.policy == COLLAPSE_SLEEP ? "hard.collapse.policy sleep"
                       : s->rough                             ? "rotating particles"
                       : scene_is_thermal(s)                  ? "thermal walls"
                       : s->potential_count > 0               ? "potentials: their range would have to grow as well"
                       : s->bonds_count > 0                   ? "bonds"
                       : scene_surfaces(s) - 1 + s->mesh_count > 0 ? boundaries
                       : scene_has_gravity(s)                      ? "fields.gravity"
                                                                   : NULL;
    for (int k = 0; k < s->dimension; k++)
        if (s->box.boundary[k] == BOUNDARY_OPEN) what = "open boundaries: an open box has no volume to compress";
    if (what == NULL) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.compression"), e, "hard.compression cannot be combined with %s", what);
}

/* In a box full of spheres, a periodic axis has to be longer than two spheres: otherwise a sphere would collide with
 * its own image. */
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
                        "hard.compression: all velocities are 0, and the rate is relative to the thermal speed");
}

const feature_checks hard_feature_compression = {.check = check_compression, .check_state = check_room};
