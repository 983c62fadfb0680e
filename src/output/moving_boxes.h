/* Which of many boxes, whose sides move on straight lines, overlap at some time? By a tree of such boxes. */
#ifndef CAROM_OUTPUT_MOVING_BOXES_H
#define CAROM_OUTPUT_MOVING_BOXES_H

#include "base/error.h"

typedef struct moving_box {
    double low[2][3], high[2][3]; /* at the start and the end */
} moving_box;

/* Called for each pair of two boxes that overlap, the second moved by `shift`; once for each shift. */
typedef void boxes_found(size_t first, size_t second, const double shift[3], void *data);

typedef struct boxes_request {
    const moving_box *boxes;
    size_t count;
    double period[3]; /* of images, 0: none along this axis */
    uint64_t most;    /* comparisons; a pair that is told counts as 50 */
    boxes_found *found;
    void *data;
} boxes_request;

/* *finished: false where `most` were not enough; some pairs have then been told. */
carom_status boxes_overlapping(const boxes_request *r, bool *finished, error *e);

#endif
