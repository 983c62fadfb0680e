#include "output/verify/verify_drift.h"

#include <jansson.h>
#include <math.h>

#include "frame/channels.h"
#include "scene/losses.h"

static const double LASTING = 0.02, SCATTER = 0.25, SCATTER_OF_SQUARES = 0.6, ERRORS = 3;
static const double DEFAULT_EXPONENT = 3, HERTZ_EXPONENT = 2.5;

static double first_step(const char *summary)
{
    json_t *object = json_loads(summary, 0, NULL);
    const double step = json_number_value(json_object_get(json_object_get(object, "layers"), "step"));
    json_decref(object);
    return step;
}

drift_steps verify_drift_steps(const scene *s, const char *summary)
{
    drift_steps steps = {.courant = s != NULL ? scene_courant(s) : ELASTIC_COURANT, .first = first_step(summary)};
    steps.gravity_step = scene_engine_number(s, "gravity_step", 0);
    steps.exponent = scene_engine_number(s, "exponent", DEFAULT_EXPONENT);
    if (s != NULL && scene_is_elastic(s)) steps.exponent = HERTZ_EXPONENT;
    return steps;
}

double verify_drift_allowed(const carom_frame *f, const frame_energy *energy, drift_steps steps, drift_scales scales)
{
    const double scatter = steps.exponent < DEFAULT_EXPONENT ? SCATTER_OF_SQUARES : SCATTER;
    const double stored = frame_balance_scale(f, BALANCE_STORED), n = (double)f->count;
    double pull = 0;
    for (int k = 0; k < f->dimension; k++) pull += f->gravity[k] * f->gravity[k];
    const double share = fmin(1, ERRORS / sqrt(n));
    const double together = steps.courant * sqrt(2 * stored * energy->kinetic);
    return fmin(together, share * together + steps.first / 2 * scales.rate) +
           fmax(LASTING, share * scatter) * steps.courant * scales.account +
           steps.gravity_step * sqrt(pull) * scales.flow;
}
