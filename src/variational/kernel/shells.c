/* Forces of thin shells. All of a class act on the same positions, and each node is kicked once. */
#include "variational/kernel/shells.h"

#include "variational/kernel/elements.h"
#include "variational/kernel/fire.h"

#include "base/memory.h"

/* ---- forces ---------------------------------------------------------------------------------------------------------- */

static void gather(const world *w, const shell_class *c, double t)
{
    const uint32_t ahead = 8;
    for (uint32_t n = 0; n < c->node_count; n++) {
        double x[3] = {0}, v[3] = {0};
        if (n + ahead < c->node_count) __builtin_prefetch(&w->node[c->node[n + ahead]]);
        node_place(w, c->node[n], t, x);
        w->shells->at[n] = (shell_node){.x = {x[0], x[1], x[2]}};
        if (!c->damped) continue;
        node_velocity(w, c->node[n], t, v);
        w->shells->speed[n] = (shell_speed){.v = {v[0], v[1], v[2]}};
    }
}

static inline void add_forces(vector3 on_x, vector3 on_y, vector3 on_z, const vector3 y, const vector3 z)
{
    for (int k = 0; k < 3; k++) {
        on_x[k] -= y[k] + z[k];
        on_y[k] += y[k];
        on_z[k] += z[k];
    }
}

static void stretch(const shells *s, const shell_class *c)
{
    for (uint32_t n = c->first_triangle; n < c->triangle_end; n++) {
        const shell_triangle *one = &s->triangle[n];
        shell_node *x = &s->at[one->at[0]], *y = &s->at[one->at[1]], *z = &s->at[one->at[2]];
        vector3 on_y, on_z;
        triangle_force(one, x->x, y->x, z->x, on_y, on_z);
        add_forces(x->force, y->force, z->force, on_y, on_z);
    }
}

static void damp_stretch(const shells *s, const shell_class *c)
{
    for (uint32_t n = c->first_triangle; n < c->triangle_end; n++) {
        const shell_triangle *one = &s->triangle[n];
        const uint32_t *at = one->at;
        shell_speed *u = &s->speed[at[0]], *v = &s->speed[at[1]], *w = &s->speed[at[2]];
        vector3 on_y, on_z;
        if (one->viscous == 0) continue;
        triangle_drag(one, s->at[at[0]].x, s->at[at[1]].x, s->at[at[2]].x, u->v, v->v, w->v, on_y, on_z);
        add_forces(u->drag, v->drag, w->drag, on_y, on_z);
    }
}

static inline void damp_bend(const shells *s, const shell_hinge *h, vector3 gradient[4])
{
    double rate = 0;
    for (int q = 0; q < 4; q++) rate += dot3(gradient[q], s->speed[h->at[q]].v);
    const double moment = -2 * h->viscous * rate;
    for (int q = 0; q < 4; q++)
        for (int k = 0; k < 3; k++) s->speed[h->at[q]].drag[k] += moment * gradient[q][k];
}

/* The energy that plastic bending has taken. */
static double bend(const shells *s, const shell_class *c)
{
    double lost = 0, angle;
    vector3 gradient[4];
    for (uint32_t n = c->first_hinge; n < c->hinge_end; n++) {
        shell_hinge *h = &s->hinge[n];
        const uint32_t *at = h->at;
        if (!hinge_angle(s->at[at[0]].x, s->at[at[1]].x, s->at[at[2]].x, s->at[at[3]].x, &angle, gradient)) continue;
        double off = angle_from(angle, h->rest);
        if (c->plastic) lost += hinge_flow(h, &off);
        const double moment = -2 * h->stiff * off;
        for (int q = 0; q < 4; q++)
            for (int k = 0; k < 3; k++) s->at[at[q]].force[k] += moment * gradient[q][k];
        if (c->damped && h->viscous > 0) damp_bend(s, h, gradient);
    }
    return lost;
}

/* A kick each; the work of damping's part is at the mean of the velocities before and after it. */
static void give(world *w, const shell_class *c, double step)
{
    const shells *s = w->shells;
    for (uint32_t n = 0; n < c->node_count; n++) {
        kick out = {.i = c->node[n], .j = NOBODY};
        const double *force = s->at[n].force, *v = s->speed != NULL ? s->speed[n].v : NULL;
        double square = 0, lost = 0, drag = 0;
        for (int k = 0; k < DIM; k++) {
            if (c->damped) drag = s->speed[n].drag[k];
            out.impulse[k] = step * (force[k] + drag);
            square += out.impulse[k] * out.impulse[k];
            if (c->damped) lost -= step * drag * (v[k] + 0.5 * out.impulse[k] * lightness(w, c->node[n]));
        }
        w->ledger.damping += lost;
        if (square > 0 && !add_kick(w, &out)) return;
    }
}

void shells_fire(world *w, const clock *from, double t)
{
    const shells *s = w->shells;
    const shell_class *c = &s->class[from->group];
    gather(w, c, t);
    stretch(s, c);
    if (c->damped) damp_stretch(s, c);
    w->ledger.plastic += bend(s, c);
    give(w, c, from->step);
    w->events[EVENT_FORCE] += c->triangle_end - c->first_triangle + c->hinge_end - c->first_hinge;
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
        for (uint32_t n = c->first_triangle; n < c->triangle_end; n++) {
            for (int q = 0; q < 3; q++) place(w, c, s->triangle[n].at[q], t, x[q]);
            *stretched += triangle_energy(&s->triangle[n], x[0], x[1], x[2]);
        }
        for (uint32_t n = c->first_hinge; n < c->hinge_end; n++) {
            const shell_hinge *h = &s->hinge[n];
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
    for (uint32_t k = 0; k < SHELL_CLASSES; k++) memory_free(s->class[k].node);
    memory_free(s->triangle);
    memory_free(s->hinge);
    memory_free(s->at);
    memory_free(s->speed);
    memory_free(s);
}
