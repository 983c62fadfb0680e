/* Detects results of the stable rule that differ from its definition, for any three numbers. */
#include "../support/contact_oracle.h"
#include "geometry/contact.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Squares of larger numbers overflow, which the engine's units exclude. */
static bool usable(double x)
{
    return isfinite(x) && fabs(x) < 1e150;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double x[3];
    if (size < sizeof x) return 0;
    memcpy(x, data, sizeof x);
    if (!usable(x[0]) || !usable(x[1]) || !usable(x[2])) return 0;
    if (!oracle_agrees(x[0], x[1], x[2], contact_parabola(x[0], x[1], x[2]))) abort();
    if (x[0] <= 0) return 0; /* v.v of a pair that moves */
    if (!oracle_agrees(x[0], x[1], x[2], contact_spheres(x[0], x[1], x[2]))) abort();
    return 0;
}
