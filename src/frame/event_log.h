/* The event log: records of events (carom_event), in their order. An engine appends to it if one is attached; the run
 * loop empties it after each slice of the run, which bounds its size. */
#ifndef CAROM_FRAME_EVENT_LOG_H
#define CAROM_FRAME_EVENT_LOG_H

#include "base/error.h"

_Static_assert(sizeof(carom_event) == 80, "events are stored and passed on as they are: no padding");

extern const char *const event_body_names[CAROM_BODY_NONE + 1];
extern const char *const event_names[CAROM_EVENT_KINDS + 1]; /* NULL at the end */

typedef struct event_log {
    carom_event *at;
    size_t count, capacity;
    uint32_t kinds;    /* sum of 1 << kind of the wanted ones */
    bool *wanted;      /* [bodies] whether events of a particle or vertex are wanted; NULL: all are */
    size_t body_count; /* number of entries of `wanted` */
    bool no_memory;    /* an event was lost; the run loop reports it */
} event_log;

void event_log_free(event_log *log);

static inline bool event_log_has_kind(const event_log *log, carom_event_kind kind)
{
    return (log->kinds >> kind & 1) != 0;
}

static inline bool event_log_has_body(const event_log *log, uint32_t type, uint32_t number)
{
    return type == CAROM_BODY_PARTICLE && number < log->body_count && log->wanted[number];
}

/* Whether the filter passes an event whose bodies are particles or surfaces. */
static inline bool event_log_passes(const event_log *log, const carom_event *event)
{
    return event_log_has_kind(log, event->kind) &&
           (log->wanted == NULL || event_log_has_body(log, event->i_type, event->i) ||
            event_log_has_body(log, event->j_type, event->j));
}

/* Appends an event, past the filter. */
void event_log_append(event_log *log, const carom_event *event);

/* Appends the event if the filter passes it. */
static inline void event_log_add(event_log *log, const carom_event *event)
{
    if (event_log_passes(log, event)) event_log_append(log, event);
}

#endif
