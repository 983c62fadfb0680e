#include "variational/kernel/features/potentials.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"
#include "variational/kernel/schedule/clocks.h"

#include "base/memory.h"

typedef struct potential {
    double (*force)(void *user, double time, const double *positions, double *forces);
    void *user;
    uint32_t *node; /* [count] */
    uint32_t count;
    double *positions, *forces; /* [count][DIM] */
} potential;

typedef struct potentials {
    potential *at;
    uint32_t count;
} potentials;

/* Smallest ratio of a step of the user's to that of the engine, in runs without an end time. */
#define SHORTEST 1e-9

static bool make_potential(const world *w, potential *q, const carom_potential *p)
{
    q->force = p->force;
    q->user = p->user;
    q->count = p->particles != NULL ? (uint32_t)p->count : w->count;
    q->node = NEW_ARRAY(q->count, uint32_t);
    q->positions = NEW_ARRAY((size_t)q->count * DIM, double);
    q->forces = NEW_ARRAY((size_t)q->count * DIM, double);
    if (q->node == NULL || q->positions == NULL || q->forces == NULL) return false;
    for (uint32_t k = 0; k < q->count; k++) q->node[k] = w->index_of[p->particles != NULL ? p->particles[k] : k];
    return true;
}

static carom_status potentials_add(void *self, const carom_potential *p, error *e)
{
    world *w = self;
    if (w->potentials == NULL) w->potentials = NEW_ARRAY(1, potentials);
    potentials *all = w->potentials;
    potential *more = all != NULL ? memory_resize(all->at, all->count, all->count + 1, sizeof *more) : NULL;
    if (more == NULL) return error_memory(e, "potentials", sizeof *more);
    all->at = more;
    if (w->reserve != NULL)
        return error_set(
            e, CAROM_USAGE,
            "error: potentials of a program act on all particles, and those of this scene enter or leave: leave "
            "out the potentials, or `inflow` and `outflow`");
    if (p->step < SHORTEST * w->choice.step)
        return error_set(e, CAROM_USAGE,
                         "error: a potential's step of %g is less than %g of the engine's, %g: the run would have no "
                         "end; make it longer",
                         p->step, SHORTEST, w->choice.step);
    if (!(w->now / p->step < 0x1p52))
        return error_set(e, CAROM_USAGE, "error: a potential's step of %g is too small for the time, %g", p->step,
                         w->now);
    if (!make_potential(w, &all->at[all->count++], p)) return error_memory(e, "potentials", w->count * sizeof(double));
    uint32_t c = clock_add(w, CLOCK_USER, all->count - 1, 0, p->step);
    if (c == NONE) return error_memory(e, "clocks", sizeof(clock));
    (void)clock_start(w, c, w->now);
    return CAROM_OK;
}

static void gather_positions(const world *w, const potential *q, double t)
{
    for (uint32_t k = 0; k < q->count; k++) node_place(w, q->node[k], t, q->positions + (size_t)k * DIM);
}

static void potentials_fire(world *w, const clock *c, double t)
{
    potential *q = &w->potentials->at[c->group];
    gather_positions(w, q, t);
    memset(q->forces, 0, (size_t)q->count * DIM * sizeof *q->forces);
    q->force(q->user, t, q->positions, q->forces);
    for (uint32_t k = 0; k < q->count; k++) {
        kick out = {.i = q->node[k], .j = NONE};
        for (int d = 0; d < DIM; d++) out.impulse[d] = c->step * q->forces[(size_t)k * DIM + (size_t)d];
        if (dot(out.impulse, out.impulse) > 0 && !add_kick(w, &out)) return;
    }
    w->totals.events[EVENT_FORCE]++;
}

static double potentials_energy(const world *w, double t)
{
    double sum = 0;
    for (uint32_t k = 0; w->potentials != NULL && k < w->potentials->count; k++) {
        const potential *q = &w->potentials->at[k];
        gather_positions(w, q, t);
        sum += q->force(q->user, t, q->positions, NULL);
    }
    return sum;
}

static void potentials_destroy(world *w)
{
    potentials *all = w->potentials;
    if (all == NULL) return;
    for (uint32_t k = 0; k < all->count; k++) {
        memory_free(all->at[k].node);
        memory_free(all->at[k].positions);
        memory_free(all->at[k].forces);
    }
    memory_free(all->at);
    memory_free(all);
}

static bool potentials_enabled(const world *w)
{
    return w->potentials != NULL;
}

static void potentials_fill_frame(const world *w, double t, carom_frame *f)
{
    f->tallies.ledger.springs += potentials_energy(w, t);
}

static const feature potentials_feature = {.name = "potentials",
                                           .enabled = potentials_enabled,
                                           .destroy = potentials_destroy,
                                           .fire = potentials_fire,
                                           .fill_frame = potentials_fill_frame};
