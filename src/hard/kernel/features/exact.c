#include "hard/kernel/features/exact.h"
#include "hard/kernel/features/feature.h"

#include "base/memory.h"
#include "hard/kernel/features/motion.h"
#include "scene/exact.h"

#include <assert.h>

/* ---- calls by kind ----------------------------------------------------------------------------------------------- */

#define TIME(name, many, ONE, words)                                                                                   \
    case EXACT_##ONE:                                                                                                  \
        return name##_time(g, i, of, until);
#define LATER(name, many, ONE, words)                                                                                  \
    case EXACT_##ONE:                                                                                                  \
        return name##_later(g, i, of, than);
#define HOLDS(name, many, ONE, words)                                                                                  \
    case EXACT_##ONE:                                                                                                  \
        return name##_holds(of, axis);
#define GAP(name, many, ONE, words)                                                                                    \
    case EXACT_##ONE:                                                                                                  \
        name##_gap(g, i, of, dt, s);                                                                                   \
        return;
#define CONTACT_STATE(name, many, ONE, words)                                                                          \
    case EXACT_##ONE:                                                                                                  \
        name##_contact(g, i, of, s, velocity);                                                                         \
        return;
#define MAKE(name, many, ONE, words)                                                                                   \
    case EXACT_##ONE:                                                                                                  \
        name##_make(g, of, from);                                                                                      \
        return;

static real time_of_contact(const gas *g, uint32_t i, const exact_surface *of, real until)
{
    switch (of->kind) {
        EXACT_KINDS(TIME)
    default:
        break;
    }
    assert(false);
    return REAL_NEVER;
}

static bool comes_later(const gas *g, uint32_t i, const exact_surface *of, real than)
{
    switch (of->kind) {
        EXACT_KINDS(LATER)
    default:
        break;
    }
    assert(false);
    return false;
}

static bool holds_along(const exact_surface *of, int axis)
{
    switch (of->kind) {
        EXACT_KINDS(HOLDS)
    default:
        break;
    }
    assert(false);
    return false;
}

static void exact_gap(const gas *g, uint32_t i, const exact_surface *of, real dt, gap_state *s)
{
    switch (of->kind) {
        EXACT_KINDS(GAP)
    default:
        break;
    }
    assert(false);
}

static void exact_contact(const gas *g, uint32_t i, const exact_surface *of, gap_state *s, real velocity[3])
{
    switch (of->kind) {
        EXACT_KINDS(CONTACT_STATE)
    default:
        break;
    }
    assert(false);
}

static void make_shape(const gas *g, exact_surface *of, const void *from)
{
    switch (of->kind) {
        EXACT_KINDS(MAKE)
    default:
        break;
    }
    assert(false);
}

/* ---- predictions ------------------------------------------------------------------------------------------------- */

static real until_of(const gas *g, uint32_t i, const exact_surface *of)
{
    return of->motion != NULL ? lookahead_end(g, i) : REAL_NEVER;
}

static void exact_plan(const gas *g, uint32_t i, plan *p)
{
    for (uint32_t k = 0; k < g->exact->count; k++) {
        const exact_surface *of = &g->exact->surface[k];
        if (!may_be_hit(g, i, of->motion) || comes_later(g, i, of, p->second.time)) continue;
        const uint32_t partner = PARTNER_SURFACE + g->surface_count + k;
        consider(g, p, i, (next_event){time_of_contact(g, i, of, until_of(g, i, of)), partner, 0});
    }
}

static void exact_detect(const gas *g, uint32_t i, next_event *best)
{
    for (uint32_t k = 0; k < g->exact->count; k++) {
        const exact_surface *of = &g->exact->surface[k];
        if (!may_be_hit(g, i, of->motion)) continue;
        const next_event e = {time_of_contact(g, i, of, until_of(g, i, of)), PARTNER_SURFACE + g->surface_count + k, 0};
        if (e.time < REAL_NEVER && event_before(g, i, &e, i, best)) *best = e;
    }
}

static bool exact_hold(const gas *g, int axis)
{
    for (uint32_t k = 0; k < g->exact->count; k++)
        if (holds_along(&g->exact->surface[k], axis)) return true;
    return false;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static bool exact_enabled(const gas *g, const initial_state *state, unsigned tallies)
{
    (void)state;
    (void)tallies;
    return scene_exact_count(g->scene) > 0;
}

static carom_status exact_create(gas *g, const initial_state *state, error *e)
{
    const scene *s = g->scene;
    exact_surfaces *all = g->exact;
    const size_t count = scene_exact_count(s);
    (void)state;
    all->surface = NEW_ARRAY(count, exact_surface);
    if (all->surface == NULL) return error_memory(e, "exact surfaces", count * sizeof *all->surface);
    all->count = (uint32_t)count;
    uint32_t n = 0;
    for (exact_id kind = 0; kind < EXACT_COUNT; kind++)
        for (size_t k = 0; k < s->exact[kind].count; k++, n++) {
            exact_surface *of = &all->surface[n];
            *of = (exact_surface){.kind = kind, .law = (uint32_t)(1 + s->plane_count + n)};
            of->motion = motion_of(g, SIZE_MAX, n, SIZE_MAX);
            make_shape(g, of, scene_exact_at(s, n).one);
            if (of->shape == NULL) return error_memory(e, "an exact surface", sizeof *of);
        }
    return CAROM_OK;
}

static void exact_destroy(gas *g)
{
    for (uint32_t k = 0; g->exact->surface != NULL && k < g->exact->count; k++) memory_free(g->exact->surface[k].shape);
    memory_free(g->exact->surface);
}

static const feature feature_exact = {.name = "exact surfaces",
                                      FEATURE_STATE(exact),
                                      .enabled = exact_enabled,
                                      .create = exact_create,
                                      .destroy = exact_destroy,
                                      .holds = exact_hold};
