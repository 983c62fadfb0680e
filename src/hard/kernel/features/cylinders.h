/* Cylinders as boundaries (2D: circles): exact ones, without ends. All that matters of them lies in the plane across
 * the axis, where a body is a disk and the boundary a circle around the origin. */
#ifndef CAROM_HARD_KERNEL_CYLINDERS_H
#define CAROM_HARD_KERNEL_CYLINDERS_H

#include "hard/kernel/features/meshes.h"

typedef struct cylinder {
    real across[2][DIM]; /* unit vectors across the axis and each other */
    real through[DIM];   /* a point of the axis at the start */
    real axis[3];        /* 2D: towards the eye */
    real radius;
    bool inside;          /* where bodies are */
    bool pulled;          /* gravity pulls across the axis */
    uint32_t law;         /* index of column in scene.surface_law */
    const motion *motion; /* NULL: it stands still */
} cylinder;

/* What body i sees of a cylinder at dt after its stored time: all but the normal, the gap and its rate is void. */
static void cylinder_look(const gas *g, uint32_t i, const cylinder *c, real dt, sight *s);

/* Local time of their next contact, where that is not after `until`. */
static real cylinder_time(const gas *g, uint32_t i, const cylinder *c, real until);

/* Likewise of body i, at its stored time; and how fast its surface moves where they touch. */
static void cylinder_sight(const gas *g, uint32_t i, const cylinder *c, sight *s, real velocity[3]);

/* ---- for the plans ----------------------------------------------------------------------------------------------- */

typedef struct cylinders {
    cylinder *cylinder;
    uint32_t count;
} cylinders;

/* Improves the plan of i by cylinders: the later this comes the better. */
static void cylinders_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_cylinders(const gas *g, uint32_t i, plan *p)
{
    if (g->cylinders != NULL) cylinders_plan(g, i, p);
}

/* Improves `best` by them. */
static void cylinders_detect(const gas *g, uint32_t i, next_event *best);

#endif
