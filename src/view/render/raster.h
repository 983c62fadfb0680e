/* The renderer for three dimensions: spheres, rods and triangles, lit, with a depth buffer of several samples per
 * pixel. Spheres and rods are intersected with the ray of each sample, so that their outlines are exact. */
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
    float *depth;      /* [down][across]; infinite for the background */
    uint32_t *paint;   /* 0x00RRGGBB of each sample */
    float *farthest;   /* of each tile: samples beyond it are hidden */
    float *bodies;     /* [height][width]: 1 / depth before raster_backdrop; 0 for the background */
    uint32_t background;
    double least; /* lower limit of the apparent radius of a sphere, as a slope; it hides no more */
    double reach; /* a length: the largest distance at which bodies shade surfaces behind them; 0: no shade */
} raster;

uint32_t raster_paint(colour c);

carom_status raster_create(raster *r, int width, int height, int fine, error *e);
void raster_free(raster *r);

/* Clears the buffers; the camera is given in pixels. */
void raster_clear(raster *r, const camera *c, colour background);

/* `seen`: coordinates from camera_see with the camera of the raster. */
void raster_sphere(raster *r, const double seen[3], double radius, uint32_t paint);

/* A body that is not a sphere; `axis`: unit vector along its axis, in the frame of the camera; `half`: half lengths
 * along and across it. */
void raster_shape(raster *r, const body_shape *of, const double seen[3], const double axis[3], const double half[2],
                  uint32_t paint);

/* Spheres, nearest first, so that hidden spheres cost little. [count][3], [count]. */
carom_status raster_spheres(raster *r, const double *positions, const double *radii, const uint32_t *paints,
                            size_t count, error *e);

/* A segment with round ends; unlit: a line of one colour. */
void raster_rod(raster *r, const double a[3], const double b[3], double radius, uint32_t paint, bool lit);

typedef struct raster_corner {
    double seen[3];
    float normal[3]; /* in the frame of the camera; of either sign */
    float value;     /* 0 to 1, on the colour map; negative: the colour of the triangle */
} raster_corner;

/* RASTER_EDGE << k: draw the edge opposite corner k as a line. RASTER_CLEAR: transparent. */
enum { RASTER_UNLIT = 1, RASTER_CLEAR = 2, RASTER_EDGE = 4, RASTER_EDGES = 7 * RASTER_EDGE };

/* Both sides are visible. The part behind the camera is clipped. */
void raster_triangle(raster *r, const raster_corner corners[3], uint32_t paint, unsigned flags);

/* Bodies drawn from here on, walls and outlines, cast no shade; only bodies close to them shade them. */
void raster_backdrop(raster *r);

/* Pixels, [height][width]: the mean of the samples, times the ambient light (occlusion.h). */
carom_status raster_resolve(const raster *r, uint32_t *pixels, error *e);

#endif
