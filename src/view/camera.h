/* The camera of a picture. In three dimensions a perspective projection along `ahead`; in two dimensions the plane
 * itself. */
#ifndef CAROM_VIEW_CAMERA_H
#define CAROM_VIEW_CAMERA_H

#include <stdbool.h>

typedef struct camera {
    bool flat;
    double right[3], up[3], ahead[3], eye[3];
    double scale;    /* pixels for a length of 1: at a depth of 1, or anywhere where it is flat */
    double x, y;     /* pixel of the centre of the scene */
    double distance; /* of the middle of the scene */
} camera;

/* A part of the picture, in pixels. */
typedef struct viewport {
    double x, y, width, height;
} viewport;

typedef struct camera_options {
    double azimuth, elevation; /* degrees; 0, 0: along the second axis, the first to the right */
    double zoom;               /* 1: all bodies are in the picture */
    int upward;                /* which axis points up in the picture; CAMERA_AGAINST_GRAVITY */
    bool aimed;                /* the centre of the picture is the target, else that of the box */
    double target[3];
    bool framed; /* the picture shows the box from low to high, else all bodies */
    double low[3], high[3];
} camera_options;

enum { CAMERA_AGAINST_GRAVITY = -1 };

/* The default camera. */
camera_options camera_default(void);

/* The axis that points up: that of the settings; otherwise the axis opposite to gravity, or the third. */
int camera_upward(const camera_options *options, const double gravity[3]);

/* Places the camera so that all of a box is visible. */
void camera_fit(camera *c, int dimension, const double low[3], const double high[3], const camera_options *options,
                viewport v);

/* Scales and shifts the picture so that these pixels fill the viewport; if it is aimed, the target is at its centre. */
void camera_fill(camera *c, const double least[2], const double greatest[2], const camera_options *options, viewport v);

/* Coordinates of a point in the frame of the camera: right, up, depth. */
void camera_see(const camera *c, const double point[3], double seen[3]);

/* Pixels (y downwards) of a point in that frame. */
void camera_project(const camera *c, const double seen[3], double pixel[2]);

#endif
