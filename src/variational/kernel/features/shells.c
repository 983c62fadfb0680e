/* Forces of thin shells. All elements of a class act on the same positions, and each node receives one kick. */
#include "variational/kernel/features/shells_damping.h"
#include "variational/kernel/features/shells_plates.h"
#include "variational/kernel/features/vertex_loads.h"

#include "variational/kernel/narrow/element_kinds.h"
#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/kicks.h"

/* ---- triangles ------------------------------------------------------------------------------------------------------- */

HOT void stretch_block(const shells *s, const shell_set *set, const element_block *b, node_sums *to)
{
    const double *number[LANES], *place[3][LANES];
    const uint32_t *corner[LANES];
    for (int n = 0; n < LANES; n++) {
        const shell_triangle *one = &set->triangle[b->at[n]];
        number[n] = (const double *)one;
        corner[n] = one->at;
        for (int q = 0; q < 3; q++) place[q][n] = s->at[one->at[q]].x;
    }
    lanes row[ELEMENT_ROW], x[3][ELEMENT_ROW], force[3][3];
    lanes_transpose(number, row);
    for (int q = 0; q < 3; q++) lanes_transpose(place[q], x[q]);
    triangle_lanes_force(row, x, force);
    add_block(to, b, corner, 3, force);
}

static void stretch_one(const shells *s, const shell_set *set, uint32_t n, node_sums *to)
{
    const shell_triangle *one = &set->triangle[n];
    vector3 on_y, on_z;
    const double *x = s->at[one->at[0]].x, *y = s->at[one->at[1]].x, *z = s->at[one->at[2]].x;
    if (set->membrane != NULL)
        membrane_force(&set->membrane[n], one, x, y, z, on_y, on_z);
    else
        triangle_force(one, x, y, z, on_y, on_z);
    add_triangle(to, one->at, on_y, on_z);
}

/* ---- hinges ---------------------------------------------------------------------------------------------------------- */

/* The angles of a block from rest, and their gradients. */
HOT void look_block(const shells *s, const shell_set *set, const element_block *b, const uint32_t *corner[LANES],
                    lanes gradient[4][3], double off[LANES])
{
    const double *place[4][LANES];
    for (int n = 0; n < LANES; n++) {
        corner[n] = set->hinge[b->at[n]].at;
        for (int q = 0; q < 4; q++) place[q][n] = s->at[corner[n][q]].x;
    }
    lanes x[4][ELEMENT_ROW], sine, cosine;
    for (int q = 0; q < 4; q++) lanes_transpose(place[q], x[q]);
    const unsigned sound = hinge_lanes_look(x, gradient, &sine, &cosine);
    for (int n = 0; n < LANES; n++)
        off[n] = sound >> n & 1 ? angle_from(atan2(sine[n], cosine[n]), set->hinge[b->at[n]].rest) : 0;
}

HOT void bend_block(const shells *s, const shell_set *set, const element_block *b, node_sums *to)
{
    const uint32_t *corner[LANES];
    lanes gradient[4][3], moment = {0};
    double off[LANES];
    look_block(s, set, b, corner, gradient, off);
    for (int n = 0; n < LANES; n++) moment[n] = -2 * set->hinge[b->at[n]].stiff * off[n];
    turn_block(to, b, corner, moment, gradient);
}

static double look_one(const shells *s, const shell_hinge *h, vector3 gradient[4])
{
    hinge_shape shape;
    memset(gradient, 0, 4 * sizeof *gradient);
    if (!hinge_look(s->at[h->at[0]].x, s->at[h->at[1]].x, s->at[h->at[2]].x, s->at[h->at[3]].x, &shape)) return 0;
    hinge_gradient(&shape, gradient);
    return angle_from(hinge_angle(&shape), h->rest);
}

static void bend_one(const shells *s, const shell_set *set, uint32_t n, node_sums *to)
{
    const shell_hinge *h = &set->hinge[n];
    vector3 gradient[4];
    const double off = look_one(s, h, gradient);
    add_hinge(to, h->at, -2 * h->stiff * off, gradient);
}

/* ---- hinges with stored moments -------------------------------------------------------------------------------------- */

static inline void store_moment(const shells *s, const shell_class *c, uint32_t n, double off)
{
    shell_hinge *h = &c->set.hinge[n];
    if (c->plastic) s->lost[n] = hinge_flow(h, &off);
    if (c->plate_count > 0) s->off[n] = off;
    s->moment[n] = -2 * h->stiff * off;
}

static void store_block(const shells *s, const shell_class *c, uint32_t first)
{
    const element_block b = block_of(&(element_span){.to = c->set.hinge_count}, first);
    const uint32_t *corner[LANES];
    lanes gradient[4][3];
    row_lanes row[4][LANES];
    double off[LANES];
    look_block(s, &c->set, &b, corner, gradient, off);
    for (int q = 0; q < 4; q++) rows_of(gradient[q], row[q]);
    for (uint32_t n = 0; n < b.count; n++) {
        for (int q = 0; q < 4; q++) memcpy(s->gradient[b.at[n]][q], &row[q][n], sizeof(vector3));
        store_moment(s, c, b.at[n], off[n]);
    }
}

static void store_moments(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    const uint32_t width = in_lanes(w) ? LANES : 1;
    SHARED
    for (uint32_t n = 0; n < c->set.hinge_count; n += width) {
        if (width > 1)
            store_block(s, c, n);
        else
            store_moment(s, c, n, look_one(s, &c->set.hinge[n], s->gradient[n]));
    }
    if (c->plate_count > 0) bend_plates(w, c);
}

HOT void stored_block(const shells *s, const shell_set *set, const element_block *b, node_sums *to)
{
    const uint32_t *corner[LANES];
    lanes gradient[4][3], moment = {0};
    for (int n = 0; n < LANES; n++) {
        corner[n] = set->hinge[b->at[n]].at;
        moment[n] = s->moment[b->at[n]];
    }
    gradient_lanes(s, b->at, gradient);
    turn_block(to, b, corner, moment, gradient);
}

/* ---- a kick ---------------------------------------------------------------------------------------------------------- */

static void place_nodes(const world *w, const shell_class *c, double t)
{
    shell_place *at = w->shells->at;
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        at[n].x[2] = at[n].v[2] = 0;
        node_place(w, c->set.node[n], t, at[n].x);
        if (c->damped) node_velocity(w, c->set.node[n], t, at[n].v);
    }
}

static void add_part(const shells *s, const shell_class *c, const shell_part *part)
{
    node_sums to = begin_sums(part, s->force);
    for (uint32_t n = 0; c->set.membrane != NULL && n < span_count(&part->triangles); n++)
        stretch_one(s, &c->set, span_element(&part->triangles, n), &to);
    for (uint32_t n = 0; c->set.membrane == NULL && n < span_count(&part->triangles); n += LANES) {
        const element_block b = block_of(&part->triangles, n);
        stretch_block(s, &c->set, &b, &to);
    }
    for (uint32_t n = 0; n < span_count(&part->hinges); n += LANES) {
        const element_block b = block_of(&part->hinges, n);
        if (c->turns)
            stored_block(s, &c->set, &b, &to);
        else
            bend_block(s, &c->set, &b, &to);
    }
}

/* The same, one element after the other. */
static void add_one_by_one(const shells *s, const shell_class *c, const shell_part *part)
{
    node_sums to = begin_sums(part, s->force);
    for (uint32_t n = 0; n < span_count(&part->triangles); n++)
        stretch_one(s, &c->set, span_element(&part->triangles, n), &to);
    for (uint32_t n = 0; n < span_count(&part->hinges); n++) {
        const uint32_t at = span_element(&part->hinges, n);
        if (c->turns)
            add_hinge(&to, c->set.hinge[at].at, s->moment[at], s->gradient[at]);
        else
            bend_one(s, &c->set, at, &to);
    }
}

static void push_class(world *w, const shell_class *c, double step, double t, kick *out)
{
    const shells *s = w->shells;
    place_nodes(w, c, t);
    if (c->turns) store_moments(w, c);
    SHARED
    for (uint32_t n = 0; n < c->set.part_count; n++) {
        if (in_lanes(w))
            add_part(s, c, &c->set.part[n]);
        else
            add_one_by_one(s, c, &c->set.part[n]);
    }
    if (c->loaded) {
#pragma omp single
        vertex_loads_act(w, c, t);
    }
    if (c->damped) damp(w, c, step, t);
    SHARED
    for (uint32_t n = 0; n < c->set.node_count; n++) {
        out[n] = (kick){.i = c->set.node[n], .j = NONE};
        for (int k = 0; k < DIM; k++) out[n].impulse[k] = step * s->force[n][k];
        for (int k = 0; c->kick != NULL && k < DIM; k++)
            c->kick[n][k] = w->inverse_mass[c->set.node[n]] * out[n].impulse[k];
    }
}

/* A team of one thread for few elements: unshared loops must not belong to the team of a caller. */
static void shells_fire(world *w, const clock *from, double t)
{
    shells *s = w->shells;
    const shell_class *c = &s->class[from->group];
    kick *out = add_kicks(w, c->set.node_count);
    if (out == NULL) return;
    shells_look_ahead(w, t);
#pragma omp parallel num_threads(c->set.triangle_count + c->set.hinge_count > FEW_ELEMENTS ? w->team.now : 1)
    push_class(w, c, from->step, t, out);
    for (uint32_t n = 0; c->plastic && n < c->set.hinge_count; n++) w->totals.ledger.plastic += s->lost[n];
    for (uint32_t n = 0; c->damped && n < c->set.node_count; n++) w->totals.ledger.damping += s->damped[n];
    w->totals.events[EVENT_FORCE] += c->set.triangle_count + c->set.hinge_count;
    s->middle[from->group] = t + 0.5 * from->step;
}

static void shells_look_ahead(world *w, double t)
{
    shells *s = w->shells;
    for (uint32_t n = 0; n < s->class_count; n++) s->ahead[n] = (s->middle[n] - t) / s->step[n];
}

HOT components shells_velocity_ahead(const world *w, uint32_t i, uint32_t but)
{
    const shells *s = w->shells;
    components v = {0};
    for (uint32_t q = s->first_seat[i]; q < s->first_seat[i + 1]; q++) {
        const uint32_t class = s->seat[q].class;
        if (class != but) v += s->ahead[class] * components_from(s->kick[s->seat[q].kick]);
    }
    return v;
}

static void shells_forget_kicks(world *w, uint32_t i)
{
    const shells *s = w->shells;
    if (s == NULL || s->kick == NULL) return;
    for (uint32_t q = s->first_seat[i]; q < s->first_seat[i + 1]; q++)
        memset(s->kick[s->seat[q].kick], 0, sizeof *s->kick);
}
