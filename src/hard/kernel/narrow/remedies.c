/* Event detection by the settings of hard.detection other than `stable`, for experiments. With CAROM_REMEDIES 0 these
 * functions are not called. */
#include "hard/kernel/narrow/remedies.h"
#include "hard/kernel/narrow/flight.h"

#include "geometry/remedies.h"

/* Moves the time of a collision back, by steps that double, until the pair does not overlap; not before `start`, the
 * beginning of its present flight. */
static real retrospective_pair(const gas *g, uint32_t i, uint32_t j, real start, real t)
{
    real step = (real_fabs(t) + real_fabs(t - start)) * (REAL_GRAIN / 2);
    while (t > start && step > 0 && is_overlapping(g, i, j, t)) {
        t = later(t - step, start);
        step *= 2;
    }
    return t;
}

static real remedy_pair(const gas *g, uint32_t i, uint32_t j, real t, const real r[DIM], const real v[DIM], real s)
{
    real a = dot(v, v), b = dot(v, r), rr = dot(r, r), c = rr - s * s;
    switch ((hard_detection)g->settings->detection) {
    case DETECTION_IGNORE_OVERLAP:
        return t + contact_ignoring(a, b, c);
    case DETECTION_BIAS:
        return t + contact_biased(a, b, rr, s, (real)g->settings->bias);
    case DETECTION_RETROSPECTIVE: {
        real dt = contact_root(a, b, c);
        return dt > 0 && dt < REAL_NEVER ? retrospective_pair(g, i, j, t, t + dt) : t + dt;
    }
    default:
        return t + contact_naive(a, b, c);
    }
}

static bool below(const gas *g, uint32_t i, const surface *s, real t)
{
    real r[DIM], height = -radius_of(g, i);
    position_at(g, i, t, r);
    for (int k = 0; k < DIM; k++) height += s->normal[k] * (r[k] - s->point[k]);
    return height < 0;
}

static real retrospective_surface(const gas *g, uint32_t i, const surface *s, real t)
{
    real start = g->body[i].t, step = (real_fabs(t) + real_fabs(t - start)) * (REAL_GRAIN / 2);
    while (t > start && step > 0 && below(g, i, s, t)) {
        t = later(t - step, start);
        step *= 2;
    }
    return t;
}

static real remedy_surface(const gas *g, uint32_t i, const surface *s, real pull, real speed, real distance)
{
    real t = g->body[i].t, gap = radius_of(g, i) * (real)g->settings->bias;
    switch ((hard_detection)g->settings->detection) {
    case DETECTION_IGNORE_OVERLAP:
        return distance < 0 ? REAL_NEVER : t + contact_naive(pull, speed, 2 * distance);
    case DETECTION_BIAS:
        return t + contact_naive(pull, speed, 2 * (distance > gap ? distance - gap : distance));
    case DETECTION_RETROSPECTIVE: {
        real dt = contact_naive(pull, speed, 2 * distance);
        return dt > 0 && dt < REAL_NEVER ? retrospective_surface(g, i, s, t + dt) : t + dt;
    }
    default:
        return t + contact_naive(pull, speed, 2 * distance);
    }
}
