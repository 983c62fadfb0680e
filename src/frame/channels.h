/* Channels: the quantities of frames that code outside the engines reads, each one row of one table. The following use
 * the table: allocation and release of frames, result files (writing, reading, resuming, checksums), `carom info`,
 * exports, the summary of a run and the checks of the energy balance.
 *
 * A new channel needs a field of the frame (frame.h), a row in channels.c, and an engine that fills the field and, for
 * an array, allocates it (engine.add_arrays). */
#ifndef CAROM_FRAME_CHANNELS_H
#define CAROM_FRAME_CHANNELS_H

#include <stddef.h>

#include "frame/frame.h"
#include "frame/snapshot.h"

typedef enum channel_kind {
    CHANNEL_NUMBERS, /* one number, vector or matrix per frame */
    CHANNEL_ARRAY,   /* one element per body and frame */
    CHANNEL_FIXED    /* one element per body, the same in all frames */
} channel_kind;

/* Numbers: relation of the value at a time to earlier values. Arrays: the number for all bodies in a report. */
typedef enum channel_reduction {
    REDUCE_NONE, /* numbers: the present value; arrays: no number */
    REDUCE_SUM,  /* since the start of the run; over all bodies */
    REDUCE_MAX,
    REDUCE_MEAN
} channel_reduction;

/* Role in the energy balance of engines that keep a ledger. */
typedef enum channel_balance {
    BALANCE_NONE,
    BALANCE_STORED, /* part of the total energy */
    BALANCE_LOST,   /* dissipated since the start */
    BALANCE_PART,   /* part of a dissipated energy with a row of its own: not a term of the balance */
    BALANCE_WORK    /* done on the system since the start */
} channel_balance;

/* Exported formats that contain an array under its name. The arrays that all frames have are written in the form of
 * each format. */
enum { CHANNEL_IN_XYZ = 1, CHANNEL_IN_VTP = 2 };

typedef struct frame_channel {
    const char *name;
    const char *path;     /* of the dataset in a result file, from the root; NULL: not stored */
    const char *quantity; /* kind of its unit; "": a pure number */
    channel_kind kind;
    snapshot_type type;
    int rank;       /* axes of the value (of one body's value): 0 a number, 1 a vector, 2 a matrix */
    size_t dims[2]; /* 0: the dimension */
    size_t offset;  /* of the numbers in frame_row; of the pointer to the array in carom_frame */
    size_t unless;  /* offset in carom_frame of an array: files of frames with it do not store the channel; 0: always */
    size_t given; /* offset in carom_frame of the flag or array that marks its presence in a frame; 0: always present */
    unsigned column; /* FRAME_; of numbers: FRAME_HASH or 0 */
    bool required;   /* all result files have it; others may lack it, e.g. those of earlier versions */
    bool scaled;     /* in frames 2^scale times the true value */
    channel_reduction reduction;
    channel_balance balance;
    const char *summary; /* name in the JSON summary of a run, for numbers of the frame; NULL: not in the summary */
    const char *csv; /* headings in exported tables, one per component; NULL: not in tables, or written by other code */
    unsigned exports; /* CHANNEL_IN_ flags */
} frame_channel;

enum { FRAME_CHANNELS_MOST = 64, CHANNEL_NUMBERS_MOST = 9 }; /* channels; numbers of one */

extern const frame_channel frame_channels[];
extern const size_t frame_channel_count; /* <= FRAME_CHANNELS_MOST */

/* The data of a frame in a result file other than arrays: numbers of the frame, and sums over its bodies. */
typedef struct frame_row {
    carom_frame f;   /* its numbers; arrays are not part of the row */
    uint64_t step;   /* events so far, without bookkeeping */
    double edges[9]; /* of the box: [D][D], packed */
    double kinetic, potential, total;
    double momentum[3];
    double dissipated; /* less the energy that a heat bath or shearing has supplied */
} frame_row;

frame_row frame_row_of(const carom_frame *f);

/* Copies the numbers of a row into a frame. */
void frame_set_numbers(carom_frame *f, const frame_row *row);

/* The number of the channel of an array: FRAME_CHANNEL(position). */
size_t frame_channel_of(size_t offset);
#define FRAME_CHANNEL(array) frame_channel_of(offsetof(carom_frame, array))

bool frame_has(const carom_frame *f, const frame_channel *c);

/* Whether result files have a dataset for it. */
bool frame_stores(const carom_frame *f, const frame_channel *c);

/* The array of a frame; NULL if it has none. */
void *frame_array(const carom_frame *f, const frame_channel *c);

/* Allocates an optional array and its companions: FRAME_ADD(f, axis, e) also adds semi_axes. */
carom_status frame_add(carom_frame *f, size_t given, error *e);
#define FRAME_ADD(f, array, e) frame_add(f, offsetof(carom_frame, array), e)

/* Whether two frames have the same size and the same arrays. */
bool frame_matches(const carom_frame *f, const carom_frame *other);

/* Copies the state of a frame to one that matches. The copy has no references to memory of an engine (frame_detach). */
void frame_copy(carom_frame *to, const carom_frame *from);

/* Creates a frame that matches, with its state. The caller destroys it, also after a failure. */
carom_status frame_clone(carom_frame *to, const carom_frame *from, error *e);

/* Components of the value (of one body's value). */
size_t channel_width(const frame_channel *c, int dimension);

/* Bytes per frame of the arrays that a frame has. */
size_t frame_array_bytes(const carom_frame *f);

/* Component `index` of numbers or of an array. */
double channel_value(const frame_channel *c, const void *data, size_t index);

/* The number for all bodies, NAN if there is none: only for arrays of scalars. */
double channel_reduced(const frame_channel *c, const carom_frame *f);

/* Sum of the energies of this role, added to `sum` one after the other in the order of the table. */
double frame_balance(const carom_frame *f, channel_balance role, double sum);

/* Sum of their absolute values. */
double frame_balance_scale(const carom_frame *f, channel_balance role);

#endif
