#include "measure/track.h"

#include <math.h>

#include "measure/store.h"
#include "measure/sum.h"

void track_start(track *t, const char *what, const carom_frame *first)
{
    *t = (track){.what = what,
                 .count = first->count,
                 .dimension = first->dimension,
                 .groups = first->count < TRACK_GROUPS ? first->count : TRACK_GROUPS,
                 .first_time = first->time,
                 .last_time = first->time};
}

carom_status track_next(track *t, const carom_frame *frame, bool *fresh, error *e)
{
    const double tolerance = 1e-3; /* of a step: rounding of late times, not more */
    *fresh = frame->time != t->last_time;
    if (!*fresh) return CAROM_OK;
    if (frame->count != t->count)
        return error_set(e, CAROM_BAD_DATA, "error: %s follows particles, but their number changed from %zu to %zu",
                         t->what, t->count, frame->count);
    double step = frame->time - t->last_time;
    if (t->samples == 0) t->step = step;
    if (!(fabs(step - t->step) <= tolerance * t->step))
        return error_set(e, CAROM_BAD_DATA,
                         "error: %s needs samples at equal time steps, but a step of %.9g follows one of %.9g; "
                         "give it `every` in simulated time",
                         t->what, step, t->step);
    t->last_time = frame->time;
    t->samples++;
    return CAROM_OK;
}

static void centre(const track *t, const carom_frame *frame, double *x)
{
    size_t d = (size_t)t->dimension;
    sum mass = {0}, moment[3] = {{0}};
    frame_need(frame, FRAME_MASS);
    for (size_t i = 0; i < t->count; i++) {
        double m = frame->mass[i], *row = x + frame->id[i] * d;
        sum_add(&mass, m);
        for (size_t a = 0; a < d; a++) sum_add(&moment[a], m * row[a]);
    }
    for (size_t a = 0; a < d; a++) {
        double mean = sum_total(&moment[a]) / sum_total(&mass);
        for (size_t i = 0; i < t->count; i++) x[i * d + a] -= mean;
    }
}

static carom_status check_ids(const track *t, const carom_frame *frame, error *e)
{
    frame_need(frame, FRAME_ID);
    for (size_t i = 0; i < t->count; i++)
        if (frame->id[i] >= t->count)
            return error_set(e, CAROM_BAD_DATA, "error: %s follows particles, but id %u is new", t->what, frame->id[i]);
    return CAROM_OK;
}

carom_status track_positions(const track *t, const carom_frame *frame, bool centred, double *out, error *e)
{
    size_t d = (size_t)t->dimension;
    TRY(check_ids(t, frame, e));
    frame_need(frame, FRAME_PATH);
    for (size_t i = 0; i < t->count; i++)
        for (size_t a = 0; a < d; a++) {
            out[frame->id[i] * d + a] = frame_unwrapped(frame, i, a);
        }
    if (centred) centre(t, frame, out);
    return CAROM_OK;
}

carom_status track_velocities(const track *t, const carom_frame *frame, bool centred, double *out, error *e)
{
    size_t d = (size_t)t->dimension;
    TRY(check_ids(t, frame, e));
    frame_need(frame, FRAME_VELOCITY);
    for (size_t i = 0; i < t->count; i++)
        for (size_t a = 0; a < d; a++) out[frame->id[i] * d + a] = frame->velocity[i * d + a];
    if (centred) centre(t, frame, out);
    return CAROM_OK;
}

size_t track_group_size(const track *t, size_t group)
{
    return (t->count + t->groups - 1 - group) / t->groups;
}

double track_error(const track *t, const double *value, size_t stride)
{
    if (t->groups < 2) return NAN;
    double n = (double)t->groups, mean = 0.0, square = 0.0;
    for (size_t g = 0; g < t->groups; g++) mean += value[g * stride] / n;
    for (size_t g = 0; g < t->groups; g++) square += (value[g * stride] - mean) * (value[g * stride] - mean);
    return sqrt(square / (n * (n - 1.0)));
}

carom_status track_save(const track *t, const char *prefix, snapshot *out, error *e)
{
    const double times[] = {t->first_time, t->last_time, t->step};
    const uint64_t counts[] = {t->count, t->samples};
    TRY(store_put(out, prefix, "times", SNAPSHOT_F64, 3, times, e));
    return store_put(out, prefix, "counts", SNAPSHOT_U64, 2, counts, e);
}

carom_status track_load(track *t, const char *prefix, const snapshot *in, error *e)
{
    double times[3];
    uint64_t counts[2];
    TRY(store_get(in, prefix, "times", SNAPSHOT_F64, 3, times, e));
    TRY(store_get(in, prefix, "counts", SNAPSHOT_U64, 2, counts, e));
    if (counts[0] != t->count) return store_mismatch(prefix, "counts", e);
    t->first_time = times[0];
    t->last_time = times[1];
    t->step = times[2];
    t->samples = counts[1];
    return CAROM_OK;
}
