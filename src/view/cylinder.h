/* A cylinder that reflects particles, at its position at some time; in two dimensions a circle (no axis). */
#ifndef CAROM_VIEW_CYLINDER_H
#define CAROM_VIEW_CYLINDER_H

#include <stdbool.h>

typedef struct view_cylinder {
    double through[3], axis[3], radius;
    bool inside; /* side on which the particles are */
} view_cylinder;

#endif
