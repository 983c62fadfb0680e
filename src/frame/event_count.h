/* The number of events of the physics. */
#ifndef CAROM_FRAME_EVENT_COUNT_H
#define CAROM_FRAME_EVENT_COUNT_H

#include "frame/frame.h"

/* Events of the physics: all kinds before EVENT_CERTIFICATE. `total` in results and summaries, and what run.until.events
 * limits. */
static inline uint64_t physical_events(const uint64_t events[EVENT_KINDS])
{
    uint64_t total = 0;
    for (int k = 0; k < EVENT_CERTIFICATE; k++) total += events[k];
    return total;
}

#endif
