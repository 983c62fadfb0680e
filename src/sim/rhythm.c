/* Times of samples and frames. They are multiples of the interval, not sums, so that they do not drift. */
#include "sim/sim.h"

#include <math.h>

double rhythm_time(const rhythm *r)
{
    return r->every > 0 ? r->start + (double)r->done * r->every : INFINITY;
}

uint64_t rhythm_events(const rhythm *r)
{
    return r->every_events > 0 ? r->done * r->every_events : UINT64_MAX;
}

uint64_t rhythm_collisions(const rhythm *r)
{
    return r->every_collisions > 0 ? r->done * r->every_collisions : UINT64_MAX;
}

bool rhythm_due(const rhythm *r, double time, const uint64_t events[EVENT_KINDS])
{
    if (time < r->start) return false;
    return time >= rhythm_time(r) || events_total(events) >= rhythm_events(r) ||
           events[EVENT_COLLISION] >= rhythm_collisions(r);
}

void rhythm_pass(rhythm *r, double time, const uint64_t events[EVENT_KINDS])
{
    if (r->every_events > 0) r->done = events_total(events) / r->every_events;
    if (r->every_collisions > 0) r->done = events[EVENT_COLLISION] / r->every_collisions;
    do r->done++;
    while (r->every > 0 && rhythm_time(r) <= time);
}

void rhythm_skip(rhythm *r, double time, const uint64_t events[EVENT_KINDS])
{
    r->done = r->every > 0 && time > r->start ? (uint64_t)((time - r->start) / r->every) : 0;
    rhythm_pass(r, time, events);
}
