#include "variational/kernel/response/layers.h"

#include "variational/kernel/features/hertz.h"

static uint32_t layers_within(const world *w, double gap)
{
    const double wide = 2 * w->choice.eta, layers = ceil(wide / gap) - 1; /* number of l with l gap < wide */
    return gap > 0 && layers < UINT32_MAX ? (uint32_t)greater(layers, 0) : UINT32_MAX;
}

static double layers_energy(const world *w, uint32_t index, double gap)
{
    const contact_hertz *h = hertz_of(w, index);
    double sum = 0, wide = 2 * w->choice.eta;
    for (double l = 1; l * gap < wide && l < 1e6; l++) {
        double depth = wide - l * gap, term = l * depth * depth;
        if (h != NULL)
            term *= sqrt(depth);
        else
            for (uint64_t p = 2; p < w->settings->exponent; p++) term *= depth;
        sum += term;
    }
    return h != NULL ? w->choice.coefficient * h->hardness * sum : w->choice.coefficient * sum;
}
