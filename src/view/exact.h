/* Exact surfaces as pictures see them: `world` knows what they are, and where at some time. */
#ifndef CAROM_VIEW_EXACT_H
#define CAROM_VIEW_EXACT_H

#include <stddef.h>

#include "geometry/outline.h"

typedef struct view_exact {
    size_t first, count; /* those from `first` on are shown */
    const void *world;
    void (*draw)(const void *world, size_t n, double time, const outline *to);
    void (*extent)(const void *world, size_t n, double time, const double middle[3], outline_extent *found);
} view_exact;

#endif
