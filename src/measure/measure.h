/* Observables: each one const struct, fed with frames, giving values (mean and standard error) and tables. */
#ifndef CAROM_MEASURE_MEASURE_H
#define CAROM_MEASURE_MEASURE_H

#include "frame/frame.h"
#include "frame/snapshot.h"
#include "scene/settings.h"

enum { MEASURE_WIDTH = 9 }; /* numbers in the widest value: a tensor */

/* One column of a table. */
typedef struct measure_column {
    const char *name;   /* "time", "pressure", "r", "g" */
    const char *unit;   /* in words, as in settings.h; "" for pure numbers */
    size_t width;       /* numbers a row: 1, D, D * D */
    const double *data; /* [rows][width] */
} measure_column;

/* Rows that belong together. columns[0] is the abscissa: the time of each sample, a lag, the middle of each bin.
 *
 * A series has a row a sample. Its rows stay here until `drain` removes them: a caller that writes them to a file as
 * they come drains after each write, so that memory stays bounded; one that never drains finds all of them here.
 * first_row is the number of rows forgotten so far, hence the number that must be in the file. Any other table is
 * complete each time it is asked for, and replaces the one before. */
typedef struct measure_table {
    const char *name;
    bool series;
    uint64_t first_row; /* 0 unless a series */
    size_t rows;
    const measure_column *columns; /* [column_count] */
    size_t column_count;
} measure_table;

/* A number, vector or tensor with its standard error. NAN where it is not known: a mean without samples, an error
 * with fewer than two. */
typedef struct measure_value {
    const char *name;
    const char *unit;
    size_t width; /* 1, D, D * D (row by row) */
    double mean[MEASURE_WIDTH], error[MEASURE_WIDTH];
    bool converged; /* the error can be trusted: the samples outlast their correlation */
} measure_value;

typedef struct measure_result {
    const measure_value *values; /* values[0] is the one that the observable is about; there may be none */
    size_t value_count;
    const measure_table *tables; /* the first is the one that the observable is about */
    size_t table_count;
} measure_result;

/* What of a frame an observable is shown. */
typedef enum measure_of {
    MEASURE_PARTICLES, /* the particles alone: averages over them; a scene without any is refused */
    MEASURE_MASSES,    /* vertices of meshes too: sums over all that has a mass */
    MEASURE_EVENTS     /* neither: box, clock, counters and tallies */
} measure_of;

typedef struct observable {
    const settings_table *settings; /* its name is the value of `what:` */
    measure_of of;
    unsigned tallies;     /* TALLY_ flags that it needs */
    bool needs_particles; /* false: reads only time, box, count, counters and tallies, so that a sample costs O(1) */
    bool equal_steps;     /* samples have to come at equal time steps: the scene has to give `every` */
    /* `first`: the state where observation begins; tallies before it do not count. It is not itself a sample: the
     * caller may sample the same frame too, for a row at the start (of what is an average over an interval there is
     * none). CAROM_BAD_DATA where it cannot be measured in that box, with what to do about it. */
    carom_status (*create)(void **self, const void *settings, const carom_frame *first, error *e);
    carom_status (*sample)(void *self, const carom_frame *frame, error *e);
    /* What is known now; valid until the next call of any function. May be called at any time, and several times. */
    carom_status (*result)(void *self, measure_result *out, error *e);
    void (*drain)(void *self); /* removes the rows of its series */
    /* The exact state, rows not yet drained included: an observer that is created (from any frame of the same run)
     * and loaded goes on to the same bits. Arrays are named prefix/... */
    carom_status (*save)(const void *self, const char *prefix, snapshot *out, error *e);
    carom_status (*load)(void *self, const char *prefix, const snapshot *in, error *e);
    void (*destroy)(void *self);
} observable;

/* All of them, in the order of the manual. */
extern const observable *const observables[];
extern const size_t observable_count;

/* Whether a value of the observable `what` repeats a setting of it, or the default in its place: where a fit begins. */
bool measure_is_setting(const char *what, const char *value);

/* Standard error of the mean of a correlated series (data[0], data[stride], ...) by blocking; see blocking.h.
 * *converged: a plateau was found. NAN for fewer than two numbers. */
double blocking_error(const double *data, size_t count, size_t stride, bool *converged);

#endif
