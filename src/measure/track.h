/* Tracking of particles from frame to frame at equal time steps, in groups whose variance gives the errors. */
#ifndef CAROM_MEASURE_TRACK_H
#define CAROM_MEASURE_TRACK_H

#include "frame/snapshot.h"
#include "measure/measure.h"

/* Particles are divided by id into this many groups (or as many as there are particles). Particles move almost
 * independently, but each has long correlations in time: the variance between the averages of the groups over the whole
 * run gives a reliable error, whereas blocking in time would have few independent samples. */
enum { TRACK_GROUPS = 32 };

typedef struct track {
    const char *what; /* for messages */
    size_t count;     /* particles */
    int dimension;
    size_t groups;
    double first_time, last_time, step; /* step: 0 until the second sample */
    uint64_t samples;                   /* taken after the first frame, which is number 0 */
} track;

void track_start(track *t, const char *what, const carom_frame *first);

/* Adds a sample. *fresh: false if the frame is the last one again. CAROM_BAD_DATA: the number of particles has
 * changed, or unequal time steps. */
carom_status track_next(track *t, const carom_frame *frame, bool *fresh, error *e);

/* Unwrapped positions (or scaled velocities) in the order of ids, [count][dimension]; `centred`: relative to the
 * centre of mass. CAROM_BAD_DATA: ids are not 0 ... count - 1. */
carom_status track_positions(const track *t, const carom_frame *frame, bool centred, double *out, error *e);
carom_status track_velocities(const track *t, const carom_frame *frame, bool centred, double *out, error *e);

/* Particles in a group. */
size_t track_group_size(const track *t, size_t group);

/* Standard error of the mean of the groups' values value[0], value[stride], ...; NAN for fewer than two. */
double track_error(const track *t, const double *value, size_t stride);

carom_status track_save(const track *t, const char *prefix, snapshot *out, error *e);
carom_status track_load(track *t, const char *prefix, const snapshot *in, error *e);

#endif
