#include "sim/guard.h"

carom_status guard_check(const guard *g, error *message, const char *missing)
{
    if (g->busy) return CAROM_USAGE;
    if (g->made) return g->spent;
    if (message->status != CAROM_OK) return message->status;
    return error_set(message, CAROM_USAGE, "error: %s", missing);
}

carom_status guard_made(guard *g, carom_status status)
{
    *g = (guard){.made = status == CAROM_OK};
    return status;
}

carom_status guard_leave(guard *g, carom_status status)
{
    const bool goes_on =
        status == CAROM_OK || status == CAROM_USAGE || status == CAROM_EARLY || status == CAROM_DYNAMICS;
    g->busy = false;
    if (!goes_on) g->spent = status;
    return status;
}
