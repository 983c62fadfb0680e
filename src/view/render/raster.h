/* The renderer of three dimensions: spheres, rods and triangles, lit, into a depth buffer with several samples a
 * pixel. Spheres and rods are met by each sample's ray, so that their outlines are exact. */
#ifndef CAROM_VIEW_RENDER_RASTER_H
#define CAROM_VIEW_RENDER_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "geometry/shape.h"
#include "view/camera.h"
#include "view/colours.h"

enum { RASTER_TILE = 8 };

typedef struct raster {
    int width, height; /* in pixels */
    int fine;          /* samples along the side of a pixel */
    int across, down;  /* in samples, whole tiles */
    camera camera;     /* in samples */
    float *depth;      /* [down][across]; infinite where there is nothing */
    uint32_t *paint;   /* 0x00RRGGBB of each sample */
    float *farthest;   /* of each tile: what lies behind is hidden */
    float *bodies;     /* [height][width]: 1 / depth before raster_backdrop; 0 where there is nothing */
    uint32_t background;
    double least; /* no sphere is seen smaller: its radius over its depth, as a slope; it hides no more for that */
    double reach; /* a length: so far away bodies shade what lies behind them; 0: no shade */
} raster;

uint32_t raster_paint(colour c);

carom_status raster_create(raster *r, int width, int height, int fine, error *e);
void raster_free(raster *r);

/* Empties it; the camera is given in pixels. */
void raster_clear(raster *r, const camera *c, colour background);

/* `seen`: by camera_see of the raster's camera. */
void raster_sphere(raster *r, const double seen[3], double radius, uint32_t paint);

/* A body that is no sphere; `axis`: a unit vector, as seen, along its own; `half`: its extents along and across that. */
void raster_shape(raster *r, const body_shape *of, const double seen[3], const double axis[3], const double half[2],
                  uint32_t paint);

/* Spheres, nearest first, so that what they hide costs nothing. [count][3], [count]. */
carom_status raster_spheres(raster *r, const double *positions, const double *radii, const uint32_t *paints,
                            size_t count, error *e);

/* A segment with round ends; unlit: a line of one colour. */
void raster_rod(raster *r, const double a[3], const double b[3], double radius, uint32_t paint, bool lit);

typedef struct raster_corner {
    double seen[3];
    float normal[3]; /* as seen; either side */
    float value;     /* 0 to 1, on the colour map; negative: the triangle's paint */
} raster_corner;

/* RASTER_EDGE << k: the edge opposite corner k is drawn as a line. RASTER_CLEAR: what lies behind is seen through it. */
enum { RASTER_UNLIT = 1, RASTER_CLEAR = 2, RASTER_EDGE = 4, RASTER_EDGES = 7 * RASTER_EDGE };

/* Both sides are seen. What of it is behind the eye is cut off. */
void raster_triangle(raster *r, const raster_corner corners[3], uint32_t paint, unsigned flags);

/* What is drawn from here on, walls and outlines, casts no shade, and is shaded only by bodies that are close to it. */
void raster_backdrop(raster *r);

/* Pixels, [height][width]: the mean of the samples, darkened in hollows (occlusion.h). */
carom_status raster_resolve(const raster *r, uint32_t *pixels, error *e);

#endif
