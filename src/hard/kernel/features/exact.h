/* Exact surfaces: boundaries with a formula, of the kinds in scene/exact/kinds.h. They are numbered on from the planes. The
 * kernel calls the functions below; they call, by a switch, those of the kind, which are in a file of its own. */
#ifndef CAROM_HARD_KERNEL_EXACT_H
#define CAROM_HARD_KERNEL_EXACT_H

#include "hard/kernel/features/meshes.h"
#include "scene/exact/kinds.h"

typedef struct exact_surface {
    exact_id kind;
    uint32_t law;         /* index of column in scene.surface_law */
    bool pulled;          /* gravity matters for the gap to it */
    const motion *motion; /* NULL: it stands still */
    void *shape;          /* what its kind knows of it */
} exact_surface;

/* ---- what a kind offers: NAME_make, ... -------------------------------------------------------------------------- */

/* Of a kind NAME, whose struct in the scene is scene_NAME:
 *   make   sets `shape`, which is freed with memory_free (NULL: no memory), and `pulled`;
 *   holds  does it push along this axis?
 *   time   local time of the next contact of body i, where that is not after `until`;
 *   later  can that certainly not come before local time `than`?
 *   look   what body i sees of it at dt after its stored time: all but the normal, the gap and its rate is void;
 *   sight  likewise at its stored time; and how fast the surface moves where they touch. */
#define EXACT_FUNCTIONS(NAME, many, ONE, words)                                                                        \
    static void NAME##_make(const gas *g, exact_surface *of, const scene_##NAME *from);                                \
    static bool NAME##_holds(const exact_surface *of, int axis);                                                       \
    static real NAME##_time(const gas *g, uint32_t i, const exact_surface *of, real until);                            \
    static bool NAME##_later(const gas *g, uint32_t i, const exact_surface *of, real than);                            \
    static void NAME##_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s);                  \
    static void NAME##_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3]);
EXACT_KINDS(EXACT_FUNCTIONS)

/* ---- what the kernel calls --------------------------------------------------------------------------------------- */

typedef struct exact_surfaces {
    exact_surface *surface;
    uint32_t count;
} exact_surfaces;

static void exact_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s);
static void exact_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3]);

/* Improves the plan of i by them: the later this comes the better. */
static void exact_plan(const gas *g, uint32_t i, plan *p);

static inline void plan_exact(const gas *g, uint32_t i, plan *p)
{
    if (g->exact != NULL) exact_plan(g, i, p);
}

/* Improves `best` by them. */
static void exact_detect(const gas *g, uint32_t i, next_event *best);

#endif
