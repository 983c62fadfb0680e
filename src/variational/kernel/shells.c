/* Forces of thin shells. All of a class act on the same positions, and each node is kicked once. */
#include "variational/kernel/shells.h"

#include "variational/kernel/elements.h"
#include "variational/kernel/kicks.h"

#include "base/memory.h"

enum { FEW = 2000 }; /* elements, that are not worth sharing */

#define SHARED                                                                                                         \
    _Pragma("omp parallel for schedule(static) num_threads(w->threads) if (c->triangle_count + c->hinge_count > FEW)")

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

static void place_nodes(const world *w, const shell_class *c, double t)
{
    shell_place *at = w->shells->at;
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        at[n].x[2] = at[n].v[2] = 0;
        node_place(w, c->node[n], t, at[n].x);
        if (c->damped) node_velocity(w, c->node[n], t, at[n].v);
    }
}

/* What pushes the second and third corner pulls at the first. */
static inline void balance(double (*slot)[3])
{
    for (int k = 0; k < 3; k++) slot[0][k] = -(slot[1][k] + slot[2][k]);
}

static void stretch(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->triangle_count; n++) {
        const shell_triangle *one = &c->triangle[n];
        const shell_place *x = &s->at[one->at[0]], *y = &s->at[one->at[1]], *z = &s->at[one->at[2]];
        double(*slot)[3] = s->push + 3 * (size_t)n;
        triangle_force(one, x->x, y->x, z->x, slot[1], slot[2]);
        balance(slot);
        if (!c->damped) continue;
        slot = s->drag + 3 * (size_t)n;
        triangle_drag(one, x->x, y->x, z->x, x->v, y->v, z->v, slot[1], slot[2]);
        balance(slot);
    }
}

static inline void damp_bend(const shells *s, const shell_hinge *h, vector3 gradient[4], double (*slot)[3])
{
    double rate = 0;
    for (int q = 0; q < 4; q++) rate += dot3(gradient[q], s->at[h->at[q]].v);
    const double moment = -2 * h->viscous * rate;
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) slot[q][k] = moment * gradient[q][k];
}

static void bend(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    const size_t first = 3 * (size_t)c->triangle_count;
    SHARED
    for (uint32_t n = 0; n < c->hinge_count; n++) {
        shell_hinge *h = &c->hinge[n];
        const uint32_t *at = h->at;
        const size_t slot = first + 4 * (size_t)n;
        double angle = 0, off = 0;
        vector3 gradient[4] = {{0}};
        if (hinge_angle(s->at[at[0]].x, s->at[at[1]].x, s->at[at[2]].x, s->at[at[3]].x, &angle, gradient))
            off = angle_from(angle, h->rest);
        if (c->plastic) s->lost[n] = hinge_flow(h, &off);
        const double moment = -2 * h->stiff * off;
        for (int q = 0; q < 4; q++)
            for (int k = 0; k < 3; k++) s->push[slot + (size_t)q][k] = moment * gradient[q][k];
        if (c->damped) damp_bend(s, h, gradient, s->drag + slot);
    }
}

static inline void add_up(const shell_class *c, uint32_t n, double (*slot)[3], double sum[3])
{
    for (int k = 0; k < 3; k++) sum[k] = 0;
    for (uint32_t q = c->first_slot[n]; q < c->first_slot[n + 1]; q++)
        for (int k = 0; k < 3; k++) sum[k] += slot[c->slot[q]][k];
}

static void add_up_all(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->node_count; n++) {
        add_up(c, n, s->push, s->force[n]);
        if (c->damped) add_up(c, n, s->drag, s->resistance[n]);
    }
}

/* A kick each; the work of damping's part is at the mean of the velocities before and after it. */
static void give(world *w, const shell_class *c, double step)
{
    const shells *s = w->shells;
    for (uint32_t n = 0; n < c->node_count; n++) {
        kick out = {.i = c->node[n], .j = NOBODY};
        double square = 0, lost = 0, drag = 0;
        for (int k = 0; k < DIM; k++) {
            if (c->damped) drag = s->resistance[n][k];
            out.impulse[k] = step * (s->force[n][k] + drag);
            square += out.impulse[k] * out.impulse[k];
            if (c->damped) lost -= step * drag * (s->at[n].v[k] + 0.5 * out.impulse[k] * lightness(w, c->node[n]));
        }
        w->ledger.damping += lost;
        if (square > 0 && !add_kick(w, &out)) return;
    }
}

void shells_fire(world *w, const clock *from, double t)
{
    const shells *s = w->shells;
    const shell_class *c = &s->class[from->group];
    place_nodes(w, c, t);
    stretch(w, c);
    bend(w, c);
    add_up_all(w, c);
    for (uint32_t n = 0; c->plastic && n < c->hinge_count; n++) w->ledger.plastic += s->lost[n];
    give(w, c, from->step);
    w->events[EVENT_FORCE] += c->triangle_count + c->hinge_count;
}

/* ---- energy ---------------------------------------------------------------------------------------------------------- */

static void place(const world *w, const shell_class *c, uint32_t local, double t, vector3 x)
{
    x[2] = 0;
    node_place(w, c->node[local], t, x);
}

void shells_energy(const world *w, double t, double *stretched, double *bent)
{
    const shells *s = w->shells;
    vector3 x[4];
    double angle;
    *stretched = *bent = 0;
    for (uint32_t k = 0; s != NULL && k < s->class_count; k++) {
        const shell_class *c = &s->class[k];
        for (uint32_t n = 0; n < c->triangle_count; n++) {
            for (int q = 0; q < 3; q++) place(w, c, c->triangle[n].at[q], t, x[q]);
            *stretched += triangle_energy(&c->triangle[n], x[0], x[1], x[2]);
        }
        for (uint32_t n = 0; n < c->hinge_count; n++) {
            const shell_hinge *h = &c->hinge[n];
            for (int q = 0; q < 4; q++) place(w, c, h->at[q], t, x[q]);
            if (!hinge_angle(x[0], x[1], x[2], x[3], &angle, NULL)) continue;
            const double off = angle_from(angle, h->rest);
            *bent += h->stiff * off * off;
        }
    }
}

bool shells_state(const world *w, void **data, size_t *bytes)
{
    const shells *s = w->shells;
    if (s == NULL || !s->plastic) return false;
    *data = s->hinge;
    *bytes = s->hinge_count * sizeof *s->hinge;
    return true;
}

void shells_destroy(world *w)
{
    shells *s = w->shells;
    if (s == NULL) return;
    for (uint32_t k = 0; k < SHELL_CLASSES; k++) {
        memory_free(s->class[k].node);
        memory_free(s->class[k].first_slot);
        memory_free(s->class[k].slot);
    }
    memory_free(s->triangle);
    memory_free(s->hinge);
    memory_free(s->at);
    memory_free(s->push);
    memory_free(s->drag);
    memory_free(s->force);
    memory_free(s->resistance);
    memory_free(s->lost);
    memory_free(s);
}
