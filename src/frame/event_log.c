#include "frame/event_log.h"

#include "base/memory.h"

const char *const event_names[CAROM_EVENT_KINDS + 1] = {
    [CAROM_EVENT_COLLISION] = "collision", [CAROM_EVENT_WALL] = "wall", [CAROM_EVENT_MERGE] = "merge",
    [CAROM_EVENT_STEP] = "step",           [CAROM_EVENT_KICK] = "kick", [CAROM_EVENT_SLEEP] = "sleep",
    [CAROM_EVENT_WAKE] = "wake",           [CAROM_EVENT_KINDS] = NULL,
};

const char *const event_body_names[CAROM_BODY_NONE + 1] = {
    [CAROM_BODY_PARTICLE] = "particle", [CAROM_BODY_WALL] = "wall",         [CAROM_BODY_PLANE] = "plane",
    [CAROM_BODY_SURFACE] = "surface",   [CAROM_BODY_TRIANGLE] = "triangle", [CAROM_BODY_ROD] = "rod",
    [CAROM_BODY_NONE] = "none",
};

const char *carom_event_kind_name(carom_event_kind kind)
{
    return (unsigned)kind < CAROM_EVENT_KINDS ? event_names[kind] : "unknown";
}

void event_log_free(event_log *log)
{
    memory_free(log->at);
    memory_free(log->wanted);
    *log = (event_log){0};
}

static bool make_room(event_log *log)
{
    enum { FIRST = 1 << 15 };
    const size_t capacity = log->capacity > 0 ? 2 * log->capacity : FIRST;
    carom_event *more = memory_resize(log->at, log->capacity, capacity, sizeof *more);
    if (more == NULL) return false;
    log->at = more;
    log->capacity = capacity;
    return true;
}

void event_log_append(event_log *log, const carom_event *event)
{
    if (log->count == log->capacity && !make_room(log))
        log->no_memory = true;
    else
        log->at[log->count++] = *event;
}
