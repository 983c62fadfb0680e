#include "output/verify/verify_drift.h"

#include <math.h>

#include "frame/channels.h"
#include "scene/losses.h"

static const double LASTING = 0.02, SCATTER = 0.25, SCATTER_OF_SQUARES = 0.6, ERRORS = 3;
static const double DEFAULT_EXPONENT = 3, HERTZ_EXPONENT = 2.5;

drift_steps verify_drift_steps(const scene *s)
{
    drift_steps steps = {s != NULL ? scene_courant(s) : ELASTIC_COURANT, 0, 0};
    steps.gravity_step = scene_engine_number(s, "gravity_step", 0);
    steps.exponent = scene_engine_number(s, "exponent", DEFAULT_EXPONENT);
    if (s != NULL && scene_is_elastic(s)) steps.exponent = HERTZ_EXPONENT;
    return steps;
}

double verify_drift_allowed(const carom_frame *f, const frame_energy *energy, drift_steps steps, double scale,
                            double flow)
{
    const double scatter = steps.exponent < DEFAULT_EXPONENT ? SCATTER_OF_SQUARES : SCATTER;
    const double stored = frame_balance_scale(f, BALANCE_STORED), n = (double)f->count;
    double pull = 0;
    for (int k = 0; k < f->dimension; k++) pull += f->gravity[k] * f->gravity[k];
    const double share = fmin(1, ERRORS / sqrt(n));
    return share * steps.courant * sqrt(2 * stored * energy->kinetic) +
           fmax(LASTING, share * scatter) * steps.courant * scale + steps.gravity_step * sqrt(pull) * flow;
}
