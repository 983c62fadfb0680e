/* Penalty layers: thickness, stiffness and step. */
#include "variational/features/feature.h"

#include "variational/choose.h"

static carom_status check_layers(const scene *s, const initial_state *state, error *e)
{
    variational_choice c;
    return choose(&c, s, state, e);
}

const variational_feature variational_feature_layers = {.check_state = check_layers};
