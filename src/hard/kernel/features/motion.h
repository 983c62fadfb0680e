/* What the scene moves: planes, exact surfaces and rigid meshes, by drives. A motion is a row of pieces; in each it moves at
 * a velocity, turns about an axis that moves with it, and swings to and fro. How far it has come is kept as of the
 * clock's origin, angles less whole turns: so places are as fine after a long time as at the start. */
#ifndef CAROM_HARD_KERNEL_MOTION_H
#define CAROM_HARD_KERNEL_MOTION_H

#include "hard/kernel/gas.h"

typedef struct motion_piece {
    double time;               /* when it begins; */
    real start;                /* local time from which on it is looked at: when it begins, or 0 where that is past */
    real velocity[3], gone[3]; /* gone: by which it has moved until then */
    real axis[3], through[3], rate, angle; /* axis: a unit vector; angle: by which it has turned until then */
    real roll;                             /* of an exact surface: it turns about its own axis */
    real swing[3], pace, first, phase;     /* moved by swing * (sin(pace * (t - start) + phase) - sin(first)) */
    real turned[3][3], moved[3];           /* what the pieces before have done: x -> turned x + moved */
} motion_piece;

typedef struct motion {
    motion_piece *piece; /* the first begins at time 0 or before */
    uint32_t count;
} motion;

/* Where something is that moves, and how it goes on: x -> turned x + moved; what is at y moves at velocity + spin x
 * (y - through). */
typedef struct pose {
    real turned[3][3], moved[3];
    real velocity[3], spin[3], through[3];
    real swing[3], rate; /* the most that the velocity changes by swinging, a unit of time; |spin| */
    real roll;           /* of an exact surface, at this rate about its axis */
    real left;           /* local time until the next piece begins */
} pose;

/* At local time t; `m` may be NULL: then nothing moves. */
static void motion_at(const motion *m, real t, pose *p);

/* The velocity of what is at y. */
static void motion_velocity(const pose *p, const real y[3], real v[3]);

/* ---- what the others call ---------------------------------------------------------------------------------------- */

typedef struct motions {
    motion *drive;  /* of each drive of the scene */
    real lookahead; /* local time for which what moves is looked at in one go */
} motions;

/* Of a plane, an exact surface or a mesh of the scene (else SIZE_MAX); NULL: it stands still. */
static const motion *motion_of(const gas *g, size_t plane, size_t exact, size_t solid);

/* Local time until which what moves has to be looked at anew. */
static inline real lookahead_end(const gas *g)
{
    return g->motions != NULL ? g->now + g->motions->lookahead : REAL_NEVER;
}

/* Where a surface is at local time t. */
static void surface_pose(const surface *s, real t, struct pose *p, real point[DIM]);

#endif
