/* Exact surfaces for pictures: `world` holds their data; their positions are those at some time. */
#ifndef CAROM_VIEW_EXACT_H
#define CAROM_VIEW_EXACT_H

#include <stddef.h>

#include "geometry/outline.h"

typedef struct view_exact {
    size_t first, count; /* surfaces from `first` on are drawn */
    const void *world;
    void (*draw)(const void *world, size_t n, double time, const outline *to);
    void (*extent)(const void *world, size_t n, double time, const double middle[3], outline_extent *found);
} view_exact;

#endif
