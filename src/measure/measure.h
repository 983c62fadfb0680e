/* Observables: each is a const struct with functions from frames to values (mean and standard error) and tables. */
#ifndef CAROM_MEASURE_MEASURE_H
#define CAROM_MEASURE_MEASURE_H

#include "frame/contact_log.h"
#include "frame/frame.h"
#include "frame/snapshot.h"
#include "scene/settings.h"

enum { MEASURE_WIDTH = CAROM_VALUE_WIDTH };

/* carom.h describes them. Rows of a series remain until `drain` removes them: a caller that writes them to a file drains
 * after each write, so that memory is bounded; without drains all rows are here. first_row is the number of rows
 * removed so far, which is the number of rows in the file. Any other table replaces the previous one at each call. */
typedef carom_column measure_column;
typedef carom_table measure_table;
typedef carom_value measure_value;

typedef struct measure_result {
    const measure_value *values; /* values[0] is the main value of the observable; the list may be empty */
    size_t value_count;
    const measure_table *tables; /* the first is the main table of the observable */
    size_t table_count;
} measure_result;

/* Part of a frame that an observable uses. */
typedef enum measure_of {
    MEASURE_PARTICLES, /* particles only: averages over them; scenes without particles are rejected */
    MEASURE_MASSES,    /* also vertices of meshes: sums over all masses */
    MEASURE_EVENTS     /* no points: box, clock, counters and tallies */
} measure_of;

/* Properties of the planned run, from the scene. */
typedef struct measure_plan {
    double every;  /* simulated time between samples; 0: other times */
    double start;  /* observation begins */
    double frames; /* simulated time between frames; 0: none, or irregular */
    double until;  /* end of the run; infinite: not limited by time */
    bool shrinks;  /* whether the box shrinks */
} measure_plan;

typedef struct observable {
    const settings_table *settings; /* its name is the value of the key `what` */
    measure_of of;
    unsigned tallies;     /* TALLY_ flags that it requires */
    bool needs_particles; /* false: reads only time, box, count, counters and tallies, so that a sample costs O(1) */
    bool follows;         /* follows single particles: their number must not change */
    bool separate;        /* takes each sphere for a body of its own, which those of clumps are not */
    bool equal_steps;     /* samples have to be at equal time steps: the scene has to set `every` */
    /* Adapts the settings to the run: sets those that are not given, and refuses contradictions (CAROM_BAD_DATA, with
     * e->key). Called once, after a scene has been read; NULL: none. */
    carom_status (*plan)(void *settings, const measure_plan *run, error *e);
    /* `first`: the state at the start of observation; earlier tallies do not count. It is not itself a sample: the
     * caller may sample the same frame as well, for a row at the start (averages over an interval are undefined in it).
     * CAROM_BAD_DATA if the quantity cannot be measured in that box, with a recommended action, and with e->key if that
     * is a setting. */
    carom_status (*create)(void **self, const void *settings, const carom_frame *first, error *e);
    carom_status (*sample)(void *self, const carom_frame *frame, error *e);
    /* Of an observable that follows particles by id, below the number at creation: these points of the frame have just
     * entered, or leave after this state. NULL: particles must not enter or leave. */
    carom_status (*renew)(void *self, const carom_frame *frame, size_t count, const uint32_t *points, error *e);
    /* With TALLY_CONTACTS: the contacts since the last call, in the order of the engine. Before `sample` it receives those
     * up to the time of the sample, so that those between two samples have been received once. */
    carom_status (*gather)(void *self, const contact_log *log, error *e);
    /* The present results; valid until the next call of any function. It may be called at any time, and repeatedly. */
    carom_status (*result)(void *self, measure_result *out, error *e);
    void (*drain)(void *self); /* removes the rows of its series */
    /* The exact state, including rows not yet drained: an observable that is created (from any frame of the same run)
     * and loaded continues with the same bits. Arrays are named prefix/... */
    carom_status (*save)(const void *self, const char *prefix, snapshot *out, error *e);
    carom_status (*load)(void *self, const char *prefix, const snapshot *in, error *e);
    void (*destroy)(void *self);
} observable;

/* All of them, in the order of the manual. */
extern const observable *const observables[];
extern const size_t observable_count;

/* Whether a value of the observable `what` is one of its settings or a default, such as the start of a fit. */
bool measure_is_setting(const char *what, const char *value);

/* Standard error of the mean of a correlated series (data[0], data[stride], ...) by blocking; see blocking.h.
 * *converged: a plateau was found. NAN for fewer than two numbers. */
double blocking_error(const double *data, size_t count, size_t stride, bool *converged);

#endif
