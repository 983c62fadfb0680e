/* The map that a run is: from places and momenta at the start to those at a time, and its derivative. */
#ifndef CAROM_TESTS_FLOW_H
#define CAROM_TESTS_FLOW_H

#include <float.h>
#include <math.h>

#include "engine/engine.h"
#include "play.h"
#include "scene/state.h"
#include "sim/scene_api.h"

enum { FLOW_MOST = 64 }; /* dimensions of the phase space */

typedef double flow_matrix[FLOW_MOST][FLOW_MOST];

/* Of a scene that nothing but its particles and free vertices moves in. z: places, then momenta, each as in frames. */
typedef struct flow_map {
    play owner;
    const scene *s;
    const engine_kernel *kernel;
    initial_state state;
    carom_frame frame; /* of the run last made */
    size_t size;       /* coordinates of places; z has twice as many */
    double time, start[FLOW_MOST], end[FLOW_MOST];
    uint64_t forces; /* of the run that is not displaced */
} flow_map;

/* A run from z to a time; what it ends at. Deterministic: no state is left in the flow but the frame. */
static inline void flow_run(flow_map *f, const double *z, double time, double *end)
{
    const size_t d = (size_t)f->s->dimension;
    const engine_limits limits = {time, UINT64_MAX, UINT64_MAX, (uint64_t)1 << 40, 0, 0};
    error e = {0};
    void *self = NULL;
    carom_stop stop = CAROM_STOP_NONE;
    for (size_t c = 0; c < f->size; c++) {
        f->state.position[c / d][c % d] = z[c];
        f->state.velocity[c / d][c % d] = z[f->size + c] / f->state.mass[c / d];
    }
    if (f->kernel->create(&self, f->s, &f->state, 0, NULL, &e) != CAROM_OK) ck_abort_msg("%s", error_text(&e));
    if (f->kernel->advance(self, &limits, &stop, &e) != CAROM_OK || stop != CAROM_STOP_TIME)
        ck_abort_msg("stop %d: %s", (int)stop, error_text(&e));
    engine_fill_frame(f->kernel, self, time, FRAME_ALL, &f->frame);
    for (size_t c = 0; c < f->size; c++) {
        end[c] = frame_unwrapped(&f->frame, c / d, c % d);
        end[f->size + c] = f->frame.mass[c / d] * f->frame.velocity[c];
    }
    f->kernel->destroy(self);
}

static inline flow_map flow_open(const char *text, double time)
{
    flow_map f = {.owner = play_open(text, NULL), .time = time};
    error e = {0};
    f.s = f.owner.scene->checked;
    f.kernel = engine_of(f.s)->kernel(f.s);
    REQUIRE(state_create(&f.state, f.s, &e) == CAROM_OK);
    REQUIRE(frame_create(&f.frame, f.s->dimension, f.state.count, &e) == CAROM_OK);
    const size_t d = (size_t)f.s->dimension;
    f.size = d * f.state.count;
    REQUIRE(2 * f.size <= FLOW_MOST);
    for (size_t c = 0; c < f.size; c++) {
        f.start[c] = f.state.position[c / d][c % d];
        f.start[f.size + c] = f.state.mass[c / d] * f.state.velocity[c / d][c % d];
    }
    flow_run(&f, f.start, time, f.end);
    f.forces = f.frame.events[EVENT_FORCE];
    return f;
}

static inline void flow_close(flow_map *f)
{
    frame_destroy(&f->frame);
    state_free(&f->state);
    play_close(&f->owner);
}

/* The derivative of the end along one direction of the start, by central differences of fourth order. Where as many
 * forces act in all runs, the same ticks of the same layers do, and the map is smooth. */
static inline void flow_along(flow_map *f, const double *direction, double step, double *slope)
{
    static const double weight[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
    static const int away[4] = {-2, -1, 1, 2};
    for (size_t r = 0; r < 2 * f->size; r++) slope[r] = 0;
    for (int k = 0; k < 4; k++) {
        double z[FLOW_MOST], end[FLOW_MOST];
        for (size_t r = 0; r < 2 * f->size; r++) z[r] = f->start[r] + away[k] * step * direction[r];
        flow_run(f, z, f->time, end);
        ck_assert_msg(f->frame.events[EVENT_FORCE] == f->forces,
                      "%llu forces, %llu of a run that starts elsewhere: take a shorter step",
                      (unsigned long long)f->forces, (unsigned long long)f->frame.events[EVENT_FORCE]);
        for (size_t r = 0; r < 2 * f->size; r++) slope[r] += weight[k] * (end[r] - f->end[r]) / step;
    }
}

static inline double flow_norm(const flow_map *f, const double *a)
{
    double sum = 0;
    for (size_t r = 0; r < 2 * f->size; r++) sum += a[r] * a[r];
    return sqrt(sum);
}

/* What the forces of a run round, of numbers of this size: at random, 1 / sqrt(12) of the last digit each, and a node has
 * its share of all forces, which act on two or more. */
static inline double flow_dust(const flow_map *f, double size)
{
    const double each = 2 * (double)f->forces / (double)f->state.count;
    return DBL_EPSILON * size * sqrt(each / 12);
}

/* The same of a slope, without what the motion makes of it later: of four ends with the weights above, over the step. */
static inline double flow_rounding(const flow_map *f, double step)
{
    double size = 0;
    for (size_t r = 0; r < 2 * f->size; r++) size = fmax(size, fmax(fabs(f->start[r]), fabs(f->end[r])));
    return sqrt(65.0 / 72) / step * flow_dust(f, size);
}

/* Columns are slopes: jacobian[c][r] is that of coordinate r of the end by coordinate c of the start. Returns the length of the
 * longest. */
static inline double flow_jacobian(flow_map *f, double step, flow_matrix jacobian)
{
    double growth = 0;
    for (size_t c = 0; c < 2 * f->size; c++) {
        double direction[FLOW_MOST] = {0};
        direction[c] = 1;
        flow_along(f, direction, step, jacobian[c]);
        growth = fmax(growth, flow_norm(f, jacobian[c]));
    }
    return growth;
}

/* The symplectic form of two vectors. */
static inline double flow_form(const flow_map *f, const double *a, const double *b)
{
    double sum = 0;
    for (size_t c = 0; c < f->size; c++) sum += a[c] * b[f->size + c] - a[f->size + c] * b[c];
    return sum;
}

#endif
