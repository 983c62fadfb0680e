#include "frame/contact_log.h"

#include "base/memory.h"

void contact_log_free(contact_log *log)
{
    memory_free(log->at);
    *log = (contact_log){0};
}

static bool make_room(contact_log *log)
{
    enum { FIRST = 1 << 10 };
    const size_t capacity = log->capacity > 0 ? 2 * log->capacity : FIRST;
    contact_impulse *more = memory_resize(log->at, log->capacity, capacity, sizeof *more);
    if (more == NULL) return false;
    log->at = more;
    log->capacity = capacity;
    return true;
}

void contact_log_append(contact_log *log, const contact_impulse *impulse)
{
    if (log->count == log->capacity && !make_room(log))
        log->no_memory = true;
    else
        log->at[log->count++] = *impulse;
}
