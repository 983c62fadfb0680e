/* Exact surfaces: boundaries given by a formula, of the kinds in scene/exact/kinds.h. Their numbers follow those of the
 * planes. The kernel calls the functions below. They call those of the kind, which has its own file, by a switch. */
#ifndef CAROM_HARD_KERNEL_EXACT_H
#define CAROM_HARD_KERNEL_EXACT_H

#include "hard/kernel/features/meshes.h"
#include "scene/exact/kinds.h"

typedef struct exact_surface {
    exact_id kind;
    uint32_t law;         /* index of column in scene.surface_law */
    bool pulled;          /* gravity affects the gap */
    const motion *motion; /* NULL: at rest */
    void *shape;          /* data of the kind */
} exact_surface;

/* ---- functions of a kind: NAME_make, ... ------------------------------------------------------------------------- */

/* Of a kind NAME, whose struct in the scene is scene_NAME:
 *   make     sets `shape`, which is freed with memory_free (NULL: no memory), and `pulled`;
 *   holds    whether it exerts a force along this axis;
 *   time     local time of the next contact of body i, if it is not after `until`;
 *   later    true only if that contact does not come before local time `than`;
 *   gap      normal, gap and rate of the gap of body i at dt after its stored time; other members are not used;
 *   contact  the same at its stored time, and the velocity of the surface at the point of contact. */
#define EXACT_FUNCTIONS(NAME, many, ONE, words)                                                                        \
    static void NAME##_make(const gas *g, exact_surface *of, const scene_##NAME *from);                                \
    static bool NAME##_holds(const exact_surface *of, int axis);                                                       \
    static real NAME##_time(const gas *g, uint32_t i, const exact_surface *of, real until);                            \
    static bool NAME##_later(const gas *g, uint32_t i, const exact_surface *of, real than);                            \
    static void NAME##_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s);                  \
    static void NAME##_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3]);
EXACT_KINDS(EXACT_FUNCTIONS)

/* ---- functions for the kernel ------------------------------------------------------------------------------------ */

typedef struct exact_surfaces {
    exact_surface *surface;
    uint32_t count;
} exact_surfaces;

static void exact_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s);
static void exact_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3]);

/* Improves the plan of i by exact surfaces. Cheapest after all other predictions: later contacts are skipped. */
static void exact_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_exact(const gas *g, uint32_t i, plan *p)
{
    if (g->exact != NULL) exact_plan(g, i, p);
}

/* Improves `best` by exact surfaces. */
static void exact_detect(const gas *g, uint32_t i, next_event *best);

#endif
