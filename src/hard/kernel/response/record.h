/* Recording of events: the change of velocity in a physical event, its normal and its bodies. Without a log
 * g->recorder is NULL, and each of the calls below is one test of this pointer. */
#ifndef CAROM_HARD_KERNEL_RECORD_H
#define CAROM_HARD_KERNEL_RECORD_H

#include "hard/kernel/gas.h"

#include "frame/contact_log.h"

typedef struct recorder {
    event_log *log;     /* NULL: events are not recorded */
    bool logs_contacts; /* TALLY_CONTACTS: */
    contact_log contacts;
    bool pending;     /* an event is in progress: */
    uint32_t body[2]; /* the one with the smaller id first; one body twice if there is no second one */
    uint32_t partner; /* of next_event */
    real time;
    real before[2][DIM]; /* velocities before it, at its time */
    int64_t row[2];      /* sheared boxes: images along y before it */
    real normal[DIM];    /* towards the first body; 0 except in contacts */
    uint64_t counts[EVENT_KINDS];
} recorder;

static carom_status gas_log_events(void *self, event_log *log, error *e);
static void recorder_destroy(gas *g);

/* The contact log. */
static carom_status recorder_log_contacts(gas *g, error *e);
static contact_log *gas_take_contacts(void *self, double time, bool lasting);

static void recorder_begin(gas *g, uint32_t i, uint32_t j, const next_event *event);
static void recorder_finish(gas *g);
static void recorder_normal(gas *g, const real normal[DIM]);
static void recorder_rest(gas *g, uint32_t i, carom_event_kind kind);

/* Before and after a physical event of bodies i and j (i has the smaller id; j == i: one body). */
static inline void record_begin(gas *g, uint32_t i, uint32_t j, const next_event *event)
{
    if (g->recorder != NULL) recorder_begin(g, i, j, event);
}

static inline void record_end(gas *g)
{
    if (g->recorder != NULL) recorder_finish(g);
}

/* The normal of the present contact, towards its body with the smaller id. */
static inline void record_normal(gas *g, const real normal[DIM])
{
    if (g->recorder != NULL) recorder_normal(g, normal);
}

/* Body i falls asleep, at its present velocity, or has been woken. */
static inline void record_rest(gas *g, uint32_t i, carom_event_kind kind)
{
    if (g->recorder != NULL) recorder_rest(g, i, kind);
}

#endif
