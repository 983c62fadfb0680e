/* Frames of a page in one file (docs/view.md): their messages, thinned out to a limit, and compressed at the end. */
#ifndef CAROM_VIEW_SERVER_RECORDING_H
#define CAROM_VIEW_SERVER_RECORDING_H

#include "base/text.h"
#include "view/server/picture.h"

/* A message without the header of a WebSocket. */
typedef struct recorded {
    uint8_t *data;
    size_t size;
    uint64_t number; /* of a frame */
    view_moment moment;
} recorded;

typedef struct recording {
    size_t most;                    /* largest number of frames, at least 2 */
    size_t limit;                   /* largest size of the page in bytes */
    uint64_t every;                 /* frames whose number is a multiple are kept, and the last */
    recorded hello, things, charts; /* data NULL: none */
    recorded *frames;
    size_t count, capacity, bytes; /* bytes: of the frames */
} recording;

void recording_create(recording *r, size_t most, size_t limit);
void recording_destroy(recording *r);

/* Copies a complete WebSocket message (NULL: no memory), which it frees. CAROM_INTERNAL: no memory. */
carom_status recording_take(recorded *to, uint8_t *message, size_t size, error *e);

/* Whether a frame will be kept until a limit is reached; `last`: none follows. */
bool recording_keeps(const recording *r, uint64_t number, bool last);
/* Adds frame `number`, above those before; takes over the message (NULL: no memory). The last frame is replaced unless
 * its number is a multiple of `every`. */
carom_status recording_add(recording *r, uint64_t number, const view_moment *m, uint8_t *message, size_t size,
                           error *e);

/* Adds the page to `out`: its text with all messages. Frames are thinned out until it is below the limit. CAROM_USAGE:
 * two frames are above it. */
carom_status recording_page(recording *r, uint64_t recorded_frames, text_buffer *out, error *e);

#endif
