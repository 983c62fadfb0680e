/* A cylinder that things bounce from, where it is at some time; in two dimensions, without an axis, a circle. */
#ifndef CAROM_VIEW_CYLINDER_H
#define CAROM_VIEW_CYLINDER_H

#include <stdbool.h>

typedef struct view_cylinder {
    double through[3], axis[3], radius;
    bool inside; /* where they are */
} view_cylinder;

#endif
