/* The number type of the engine. */
#include "hard/features/feature_checks.h"

#include "hard/settings.h"
#include "scene/where.h"

#include <math.h>

/* Of the alternatives to the stable rule, only one has a setting. */
static carom_status check_bias(const scene *s, error *e)
{
    const hard_settings *settings = s->engine_settings;
    if (settings->detection == DETECTION_BIAS || !settings_changed(s->engine_table, settings, "bias")) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.bias"), e,
                        "hard.bias does nothing without hard.detection: bias" HINT "give that, too, or leave bias out");
}

static carom_status check_precision(const scene *s, error *e)
{
#ifdef CAROM_HAVE_QUAD
    const bool quad = true;
#else
    const bool quad = false;
#endif
    TRY(check_bias(s, e));
    if (quad || ((const hard_settings *)s->engine_settings)->precision != PRECISION_QUAD) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.precision"), e,
                        "this build has no hard.precision quad" HINT "use long_double");
}

/* Squares and quotients of sizes, masses and speeds have to be finite numbers as well. */
static carom_status check_float(const scene *s, const initial_state *state, error *e)
{
    const double most = 1e12, least = 1e-12;
    bool fits = true;
    for (size_t i = 0; i < state->count; i++) {
        const bool vertex = i >= state_particles(state);
        fits = fits && state->mass[i] < most && (vertex || state->mass[i] > least);
        fits = fits && state->diameter[i] < most && (vertex || state->diameter[i] > least);
        for (int k = 0; k < s->dimension; k++)
            fits = fits && fabs(state->position[i][k]) < most && fabs(state->velocity[i][k]) < most;
        for (int k = 0; state->spin != NULL && k < 3; k++) fits = fits && fabs(state->spin[i][k]) < most;
    }
    for (int k = 0; k < s->dimension; k++) fits = fits && state->size[k] < most && fabs(s->gravity[k]) < most;
    if (fits) return CAROM_OK;
    return scene_refuse(scene_at(s, "hard.precision"), e,
                        "masses, lengths, speeds or gravity are beyond 1e-12 to 1e12" HINT "use other units, or "
                        "hard.precision double");
}

static carom_status check_single(const scene *s, const initial_state *state, error *e)
{
    const bool single = ((const hard_settings *)s->engine_settings)->precision == PRECISION_FLOAT;
    return single ? check_float(s, state, e) : CAROM_OK;
}

const feature_checks hard_feature_precision = {.check = check_precision, .check_state = check_single};
