/* Pairs of boxes with linearly moving sides that overlap at some time, found with two trees of boxes: held ones and
 * others. */
#ifndef CAROM_OUTPUT_VERIFY_MOVING_BOXES_H
#define CAROM_OUTPUT_VERIFY_MOVING_BOXES_H

#include "base/error.h"

typedef struct moving_box {
    double low[2][3], high[2][3]; /* at the start and the end */
} moving_box;

/* Called for each pair of two boxes that overlap, the second moved by `shift`; once for each shift. */
typedef void boxes_found(size_t first, size_t second, const double shift[3], void *data);

typedef struct boxes_request {
    const moving_box *boxes;
    size_t count, held; /* the first `held` boxes are not tested against each other */
    bool held_again;    /* the held boxes are unchanged since the previous request */
    double period[3];   /* number of images; 0: none along this axis */
    uint64_t most;      /* comparisons; a reported pair counts as 50 */
    boxes_found *found;
    void *data;
} boxes_request;

/* Stores the tree of the held boxes for later requests. */
typedef struct moving_boxes moving_boxes;
carom_status moving_boxes_create(moving_boxes **out, error *e);
void moving_boxes_destroy(moving_boxes *m);

/* *finished: false if the limit of `most` comparisons was reached; pairs reported until then are valid. */
carom_status boxes_overlapping(moving_boxes *m, const boxes_request *r, bool *finished, error *e);

#endif
