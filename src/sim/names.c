#include "carom/carom.h"

const char *carom_stop_name(carom_stop stop)
{
    static const char *const names[] = {"none",     "time",      "events",    "collisions",  "clusters",
                                        "pressure", "wall_time", "no_events", "no_progress", "collapse",
                                        "squeezed", "stretched", "signal",    "rest"};
    return (unsigned)stop < sizeof names / sizeof *names ? names[stop] : "unknown";
}
