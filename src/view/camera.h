/* The camera of a picture: in three dimensions a perspective projection along `ahead`; in two dimensions the plane
 * itself. */
#ifndef CAROM_VIEW_CAMERA_H
#define CAROM_VIEW_CAMERA_H

#include <stdbool.h>

typedef struct camera {
    bool flat;
    double right[3], up[3], ahead[3], eye[3];
    double scale;    /* pixels per length 1: at depth 1; in two dimensions everywhere */
    double x, y;     /* pixel of the centre of the scene */
    double distance; /* of the centre of the scene */
} camera;

/* A part of the picture, in pixels. */
typedef struct viewport {
    double x, y, width, height;
} viewport;

typedef struct camera_options {
    double azimuth, elevation; /* degrees; 0, 0: along the second axis, with the first axis to the right */
    double zoom;               /* 1: all bodies are within the picture */
    int upward;                /* axis that points up in the picture; CAMERA_AGAINST_GRAVITY */
    bool aimed;                /* the picture is centred on the target, otherwise on the box */
    double target[3];
    bool framed; /* the picture shows the box from low to high, otherwise all bodies */
    double low[3], high[3];
} camera_options;

enum { CAMERA_AGAINST_GRAVITY = -1 };

/* The default camera. */
camera_options camera_default(void);

/* The axis that points up: the one in the settings; otherwise the axis opposite to gravity, or the third. */
int camera_upward(const camera_options *options, const double gravity[3]);

/* Places the camera so that the whole box is visible. */
void camera_fit(camera *c, int dimension, const double low[3], const double high[3], const camera_options *options,
                viewport v);

/* Scales and shifts the picture so that these pixels fill the viewport; if the camera has a target, the target is at
 * the centre. */
void camera_fill(camera *c, const double least[2], const double greatest[2], const camera_options *options, viewport v);

/* Coordinates of a point in the frame of the camera: right, up, depth. */
void camera_see(const camera *c, const double point[3], double seen[3]);

/* Pixels (y downwards) of a point in that frame. */
void camera_project(const camera *c, const double seen[3], double pixel[2]);

#endif
