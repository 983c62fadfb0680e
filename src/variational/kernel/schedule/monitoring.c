#include "variational/kernel/schedule/monitoring.h"

#include "variational/kernel/broad/grid.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/reference/reference.h"

#include "base/memory.h"

/* Wide enough that kicks seldom need new nominal motions; and, where layers are so stiff that contacts last only a
 * small part of eta, so narrow that those that approach do not tick long before they touch. */
static double choose_tau(const world *w)
{
    const double share = 0.06, steps = 8;
    if (OWN_CLOCKS) return w->margin;
    double tau = share * w->choice.eta, way = steps * w->choice.step * w->choice.speed;
    return way > 0 ? greater(lesser(tau, way), w->margin) : tau;
}

/* The lists of several threads, each as long as can be. */
static bool make_crew(world *w)
{
    w->loose.at = NEW_ARRAY(w->count, uint32_t);
    w->crew = NEW_ARRAY((size_t)w->threads, loose_nodes);
    bool made = w->loose.at != NULL && w->crew != NULL;
    for (int k = 0; made && w->threads > 1 && k < w->threads; k++) {
        w->crew[k].at = NEW_ARRAY(w->count, uint32_t);
        made = w->crew[k].at != NULL;
    }
    return made;
}

static void dismiss_crew(world *w)
{
    for (int k = 0; w->crew != NULL && k < w->threads; k++) memory_free(w->crew[k].at);
    memory_free(w->crew);
    memory_free(w->loose.at);
    w->crew = NULL;
    w->loose = (loose_nodes){0};
}

static carom_status begin_leashes(world *w, error *e)
{
    w->tau = choose_tau(w);
    w->leash = NEW_ARRAY(w->count, leash);
    w->glance = NEW_ARRAY(w->elements, glance);
    w->nominal = NEW_ARRAY(w->count, nominal);
    w->is_loose = NEW_ARRAY(w->count, uint8_t);
    w->fate = NEW_ARRAY(w->count, uint8_t);
    w->anew = NEW_ARRAY(w->elements, uint32_t);
    w->is_anew = NEW_ARRAY(w->elements - w->count, bool);
    if (w->fate == NULL || w->anew == NULL || w->is_anew == NULL || w->leash == NULL || w->glance == NULL ||
        w->nominal == NULL || w->is_loose == NULL || !make_crew(w))
        return error_memory(e, "leashes", w->count * sizeof *w->leash);
    TRY(fel_create(&w->queue, w->elements, NULL, NULL, e));
    fel_reset(w->queue, w->now);
    for (uint32_t i = 0; i < w->count; i++) { /* no tolerance yet; others may look at it before it gets one */
        nominal *n = &w->nominal[i];
        *n = (nominal){.t = w->now, .straight = w->node[i].w == 0};
        node_place(w, i, w->now, n->x);
        node_velocity(w, i, w->now, n->v);
    }
    for (uint32_t i = 0; i < w->elements; i++) w->glance[i].due = INFINITY;
    return near_create(w, e);
}

static carom_status watch_begin(world *w, error *e)
{
    double longest = 0;
    for (int k = 0; k < DIM; k++) longest = greater(longest, w->size[k]);
    w->margin = 1e-9 * w->choice.eta + 1e-14 * longest;
    w->heap_count = 0;
    for (uint32_t c = 0; c < w->clock_count; c++) {
        clock *k = &w->clock[c];
        k->place = NOBODY;
        k->pairs.count = k->pairs.sorted = k->pairs.dead = 0;
        k->surfaces.count = k->surfaces.sorted = k->surfaces.dead = 0;
        k->linked.count = k->linked.sorted = k->linked.dead = 0;
        if (k->kind != CLOCK_LAYER) clock_start(w, c, w->now);
    }
    contacts_forget(w);
    return w->settings->reference ? reference_create(w, e) : begin_leashes(w, e);
}

static void watch_end(world *w)
{
    near_destroy(w);
    reference_destroy(w);
    if (w->queue != NULL) fel_destroy(w->queue);
    memory_free(w->leash);
    memory_free(w->glance);
    memory_free(w->nominal);
    dismiss_crew(w);
    memory_free(w->is_loose);
    memory_free(w->fate);
    memory_free(w->anew);
    memory_free(w->is_anew);
    w->near = NULL;
    w->list = NULL;
    w->reference = NULL;
    w->queue = NULL;
    w->leash = NULL;
    w->glance = NULL;
    w->nominal = NULL;
    w->is_loose = NULL;
    w->fate = NULL;
    w->anew = NULL;
    w->is_anew = NULL;
}
