/* A plane that reflects particles, at its position at some time; particles are on the side of the normal. */
#ifndef CAROM_VIEW_PLANE_H
#define CAROM_VIEW_PLANE_H

typedef struct view_plane {
    double point[3], normal[3];
} view_plane;

#endif
