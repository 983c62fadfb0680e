/* Lines through logarithms; statistics of many values. */
#include <math.h>

#include "base/pi.h"
#include "measure/shape.h"
#include "measure/sum.h"

shape_fit shape_fit_logs(const double *x, const double *y, size_t count)
{
    shape_fit fit = {
        .slope = (double)NAN, .error = (double)NAN, .intercept = (double)NAN, .from = (double)NAN, .to = (double)NAN};
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (size_t k = 0; k < count; k++) {
        if (!(x[k] > 0) || !(y[k] > 0)) continue;
        double a = log(x[k]), b = log(y[k]), n = ++fit.points;
        double da = a - mx, db = b - my;
        mx += da / n;
        my += db / n;
        xx += da * (a - mx);
        xy += da * (b - my);
        yy += db * (b - my);
        fit.from = fit.points == 1 ? x[k] : fmin(fit.from, x[k]);
        fit.to = fit.points == 1 ? x[k] : fmax(fit.to, x[k]);
    }
    if (fit.points < 2 || !(xx > 0)) return fit;
    fit.slope = xy / xx;
    fit.intercept = my - fit.slope * mx;
    if (fit.points > 2) fit.error = sqrt(fmax(0, yy - fit.slope * xy) / (fit.points - 2) / xx);
    return fit;
}

void shape_mean_axis(const double *degrees, size_t count, double *mean, double *order)
{
    const double radian = PI / 180;
    double c = 0, s = 0, known = 0;
    for (size_t k = 0; k < count; k++) {
        if (isnan(degrees[k])) continue;
        c += cos(2 * radian * degrees[k]);
        s += sin(2 * radian * degrees[k]);
        known++;
    }
    *order = known > 0 ? sqrt(c * c + s * s) / known : (double)NAN;
    *mean = *order > 1e-12 ? fmod(0.5 * atan2(s, c) / radian + 180, 180) : (double)NAN;
}

void shape_growth_add(shape_growth *g, double mass, double gyration_radius)
{
    if (!(mass > 0) || !(gyration_radius > 0)) return;
    double x = log(mass), y = log(gyration_radius), n = (double)++g->count;
    double dx = x - g->x, dy = y - g->y;
    g->x += dx / n;
    g->y += dy / n;
    g->xx += dx * (x - g->x);
    g->xy += dx * (y - g->y);
    g->yy += dy * (y - g->y);
}

void shape_growth_dimension(const shape_growth *g, double *dimension, double *deviation)
{
    double slope = g->xy / g->xx;
    *dimension = *deviation = (double)NAN;
    if (g->count < 2 || !(g->xx > 0) || !(slope > 0)) return;
    *dimension = 1 / slope;
    if (g->count < 3) return;
    double spread = sqrt(fmax(0, g->yy - slope * g->xy) / (double)(g->count - 2) / g->xx);
    *deviation = spread / (slope * slope);
}
