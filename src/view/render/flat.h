/* The renderer for two dimensions: disks and thick lines, blended by the fraction of a pixel that they cover. */
#ifndef CAROM_VIEW_RENDER_FLAT_H
#define CAROM_VIEW_RENDER_FLAT_H

#include <stdint.h>

#include "geometry/shape.h"

/* Pixels [height][width], 0x00RRGGBB; drawing is limited to `low` <= x < `high`. */
typedef struct flat {
    uint32_t *pixels;
    int width, height;
    int low[2], high[2];
} flat;

/* Drawing on all pixels. */
flat flat_on(uint32_t *pixels, int width, int height);

/* In pixels, y downwards. */
void flat_disk(flat *f, double x, double y, double radius, uint32_t paint);

/* `axis`: unit vector along the axis of the body; `half`: its half lengths along and across the axis. */
void flat_shape(flat *f, const body_shape *of, double x, double y, const double axis[2], const double half[2],
                uint32_t paint);
void flat_rod(flat *f, const double a[2], const double b[2], double radius, uint32_t paint);

#endif
