#include "output/verify_drift.h"

#include <math.h>

static const double LASTING = 0.02, ERRORS = 3, DEFAULT_COURANT = 0.05;

drift_steps verify_drift_steps(const scene *s)
{
    drift_steps steps = {scene_engine_number(s, "courant", DEFAULT_COURANT), 0};
    steps.gravity_step = scene_engine_number(s, "gravity_step", 0);
    return steps;
}

double verify_drift_allowed(const carom_frame *f, const frame_energy *energy, drift_steps steps, double scale,
                            double flow)
{
    const frame_ledger *l = &f->tallies.ledger;
    const double stored = fabs(l->springs) + fabs(l->contact) + l->stretch + l->bend, n = (double)f->count;
    double pull = 0;
    for (int k = 0; k < f->dimension; k++) pull += f->gravity[k] * f->gravity[k];
    return fmin(1, ERRORS / sqrt(n)) * steps.courant * sqrt(2 * stored * energy->kinetic) +
           LASTING * steps.courant * scale + steps.gravity_step * sqrt(pull) * flow;
}
