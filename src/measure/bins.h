/* The keys `axis` and `bins` of observables with a profile: bins of equal width along an axis, over the whole box. */
#ifndef CAROM_MEASURE_BINS_H
#define CAROM_MEASURE_BINS_H

#include <math.h>
#include <stddef.h>

#include "frame/frame.h"
#include "scene/settings.h"

typedef struct bins_settings {
    int axis;       /* BINS_NONE, or 1 + the axis */
    uint64_t count; /* 0: not given */
} bins_settings;

enum { BINS_NONE, BINS_USUAL = 20 };

extern const char *const bins_axes[];

/* Rows of a settings table whose struct has bins_settings as `member`. */
#define BINS_ROWS(type_, member, most)                                                                                 \
    {.name = "axis",                                                                                                   \
     .type = SETTING_CHOICE,                                                                                           \
     .offset = offsetof(type_, member.axis),                                                                           \
     .unit = "",                                                                                                       \
     .fallback = "none",                                                                                               \
     .choices = bins_axes,                                                                                             \
     .help = "also a profile in bins along this axis"},                                                                \
    {                                                                                                                  \
        .name = "bins", .type = SETTING_INTEGER, .offset = offsetof(type_, member.count), .unit = "", .fallback = "",  \
        .min = 1, .max = most, .help = "number of bins of the profile, over the whole box; not given: 20"              \
    }

/* Refuses bins without an axis, and axes that the box does not have, with e->key. */
carom_status bins_check(const bins_settings *set, const carom_frame *first, error *e);

typedef struct bins {
    size_t count; /* 0 without a profile */
    size_t along; /* its axis */
    double length;
    bool periodic, open;
} bins;

bins bins_of(const bins_settings *set, const carom_frame *first);

/* A place along the axis, in bins. */
static inline double bins_place(const bins *b, double x)
{
    return x * (double)b->count / b->length;
}

/* Whether there is a bin at that place: there is none beyond an open side. */
static inline bool bins_has(const bins *b, double at)
{
    return !b->open || (at >= 0 && at < (double)b->count);
}

/* The bin with this number in an infinite row of boxes; places beyond a wall belong to the last bin. */
static inline size_t bins_at(const bins *b, double at)
{
    const double count = (double)b->count;
    if (b->periodic) at -= floor(at / count) * count;
    return at <= 0 ? 0 : at >= count - 1 ? b->count - 1 : (size_t)at;
}

static inline double bins_middle(const bins *b, size_t bin)
{
    return ((double)bin + 0.5) * b->length / (double)b->count;
}

#endif
