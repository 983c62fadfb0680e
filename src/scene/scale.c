#include "scene/scale.h"

#include <math.h>
#include <string.h>

/* Within these limits, squares and products of two or three quantities are finite and not zero, in single precision
 * after division by a typical value. Times of at least `most` mean "never". */
const scale scales[SCALES] = {
    [SCALE_LENGTH] = {"length", "lengths", 1e-30, 1e30},
    [SCALE_MASS] = {"mass", "masses", 1e-60, 1e60},
    [SCALE_TIME] = {"time", "times", 1e-40, 1e300},
    [SCALE_SPEED] = {"speed", "speeds", 1e-40, 1e40},
    [SCALE_ACCELERATION] = {"length / time^2", "accelerations", 1e-60, 1e60},
    [SCALE_RATE] = {"1 / time", "rates", 1e-40, 1e40},
    [SCALE_ENERGY] = {"energy", "energies", 1e-100, 1e100},
    {"mass / volume", "densities", 1e-100, 1e100},
    {"force", "forces", 1e-100, 1e100},
    {"force / length", "stiffnesses", 1e-100, 1e100},
    {"force / area", "elastic moduli", 1e-100, 1e100},
    {"energy / radian^2", "stiffnesses", 1e-100, 1e100},
    {"force / speed", "dampings", 1e-100, 1e100},
    {"force time / length", "dampings", 1e-100, 1e100},
    {"energy time", "dampings", 1e-100, 1e100},
};
const scale *scale_of_unit(const char *unit)
{
    for (size_t k = 0; k < SCALES; k++)
        if (strcmp(scales[k].unit, unit) == 0) return &scales[k];
    return NULL;
}

bool scale_fits(const scale *of, double value)
{
    return value == 0 || (fabs(value) >= of->least && fabs(value) <= of->most);
}

bool scale_fits_component(const scale *of, double value)
{
    return fabs(value) <= of->most;
}
