/* Driven planes, exact surfaces and rigid meshes. A motion is a sequence of pieces. In each piece the boundary moves at
 * a velocity, rotates about an axis that moves with it, and oscillates. Displacements are stored relative to the origin
 * of the clock, and angles modulo full turns: the precision of positions does not decrease with time. */
#ifndef CAROM_HARD_KERNEL_MOTION_H
#define CAROM_HARD_KERNEL_MOTION_H

#include "hard/kernel/gas.h"

typedef struct motion_piece {
    double time;                           /* start */
    real start;                            /* local time of the start, or 0 if it is before the origin of local time */
    real velocity[3], gone[3];             /* gone: displacement at `start` */
    real axis[3], through[3], rate, angle; /* axis: a unit vector; angle: rotation at `start` */
    real roll;                             /* rate of rotation of an exact surface about its own axis */
    real swing[3], pace, first, phase;     /* displacement swing * (sin(pace * (t - start) + phase) - sin(first)) */
    real turned[3][3], moved[3];           /* effect of the pieces before: x -> turned x + moved */
} motion_piece;

typedef struct motion {
    motion_piece *piece; /* the first begins at or before time 0 */
    uint32_t count;
} motion;

/* Pose of a driven boundary, and its velocity: x -> turned x + moved; the point at y moves at velocity + spin x (y -
 * through). */
typedef struct pose {
    real turned[3][3], moved[3];
    real velocity[3], spin[3], through[3];
    real swing[3], rate; /* bound of the acceleration of the oscillation; |spin| */
    real roll;           /* rate of rotation of an exact surface about its own axis */
    real left;           /* local time until the next piece begins */
} pose;

/* At local time t. `m` may be NULL: at rest. */
static void motion_at(const motion *m, real t, pose *p);

/* Velocity of the point at y. */
static void motion_velocity(const pose *p, const real y[3], real v[3]);

/* ---- functions for the kernel ------------------------------------------------------------------------------------ */

typedef struct motions {
    motion *drive;  /* one for each drive of the scene */
    real lookahead; /* local time between two searches for contacts of a body with driven boundaries */
} motions;

/* The pieces of the motion of a drive after the first one, at rest, count from this time on; infinite: they wait. */
static void motion_start(const gas *g, motion *m, const scene_drive *d, double time);

/* Motion of a plane, an exact surface or a mesh of the scene (the others SIZE_MAX). NULL: at rest. */
static const motion *motion_of(const gas *g, size_t plane, size_t exact, size_t solid);

/* Local time until which contacts of body i with driven boundaries have been searched. */
static real lookahead_end(const gas *g, uint32_t i);

/* Pose of a surface at local time t. */
static void surface_pose(const surface *s, real t, struct pose *p, real point[DIM]);

#endif
