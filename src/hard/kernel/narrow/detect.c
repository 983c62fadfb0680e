/* Event detection: the next collision of two bodies, or of a body and a surface. */
#include "hard/kernel/narrow/detect.h"
#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/motion.h"
#include "hard/kernel/features/shape_state.h"
#include "hard/kernel/features/shapes.h"
#include "hard/kernel/features/sleepers.h"
#include "hard/kernel/features/stepped_bonds.h"
#include "hard/kernel/narrow/mesh_contact.h"
#include "hard/kernel/narrow/remedies.h"
#include "hard/kernel/narrow/spheres.h"

#include "geometry/contact.h"

static real detect_pair(const gas *g, uint32_t i, uint32_t j, real now)
{
    if (g->stepped != NULL) return stepped_detect(g, i, j, now);
    if (g->shapes != NULL && shapes_any(g, i, j)) return shapes_detect(g, i, j, now);
    return detect_spheres(g, i, j, now);
}

static real detect_surface(const gas *g, uint32_t i, uint32_t index)
{
    const body *b = &g->body[i];
    const surface *s = &g->surface[index];
    if (g->shapes != NULL && shapes_any(g, i, i)) return shapes_detect_surface(g, i, index, REAL_NEVER);
    if (s->motion != NULL) return touch_plane_time(g, i, s, lookahead_end(g, i));
    real distance = 0, speed = 0, pull = 0;
    for (int k = 0; k < DIM; k++) {
        distance += s->normal[k] * (b->r[k] - s->point[k]);
        speed += s->normal[k] * b->v[k];
        pull += s->normal[k] * g->gravity[k];
    }
    distance -= radius_of(g, i) * (1 + g->growth * b->t);
    speed -= radius_of(g, i) * g->growth;
    if (!is_stable(g)) return remedy_surface(g, i, s, pull, speed, distance);
    return b->t + contact_parabola(pull, speed, 2 * distance);
}

static void detect_surfaces(const gas *g, uint32_t i, next_event *best)
{
    for (uint32_t k = 0; k < g->surface_count; k++) {
        if (!may_be_hit(g, i, g->surface[k].motion)) continue;
        next_event e = {detect_surface(g, i, k), PARTNER_SURFACE + k, 0};
        if (e.time < REAL_NEVER && event_before(g, i, &e, i, best)) *best = e;
    }
    if (g->exact != NULL) exact_detect(g, i, best);
}
