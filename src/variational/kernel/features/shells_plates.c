/* The bending of plates.
 *
 * The energy is that of plate theory for curvatures that are constant in each triangle, and bending moments M that are
 * continuous: n M n is the same on both sides of an edge of normal n (Morley's plate; Hellan, Herrmann and Johnson's
 * moments; with angles between triangles: Neunteufel and Schoeberl, Computers & Structures 225, 106109 (2019)). With
 * moments m at the edges, the triangles' compliances F, summed over the mesh, and the angles a from rest, F m = a; the
 * energy is a m / 2. Free edges have m = 0: they have no rows. Triangles that cannot bend since all their nodes are
 * driven have no compliance.
 *
 * F is constant, and its diagonal D bounds it within factors that depend on the shapes of triangles only, not on their
 * size: m = p(F / D) a / D with Chebyshev's polynomial p for the inverse. The polynomial is fixed, so m is linear in a
 * and symmetric, and forces are the gradients of a m / 2 however short the polynomial is. */
#include "variational/kernel/features/shells_plates.h"
#include "variational/kernel/features/shells_membranes.h"

#include "base/memory.h"

#include <string.h>

/* ---- moments ----------------------------------------------------------------------------------------------------- */

/* `stiff` bounds F from below (end_row), Gershgorin's circles from above; in a triangle the sum of the eigenvalues is 3. The
 * residual of n turns is 1 / cosh(n acosh((most + least) / (most - least))). Where the bounds need too many turns, the
 * least is raised: components below it, those of slivers, remain softer. */
static void bound_plates(shell_class *c)
{
    const double decay = acosh(1 / PLATE_ACCURACY), ratio = cosh(decay / MOST_PLATE_TURNS);
    double least = INFINITY, most = 0;
    for (uint32_t n = 0; n < c->plate_count; n++) {
        const plate_row *row = &c->plate[n];
        double sum = 0;
        for (int k = 0; k < 4; k++) sum += fabs(row->coupled[k]);
        most = greater(most, lesser(3, 1 + row->inverse * sum));
        least = lesser(least, row->inverse / (2 * c->set.hinge[row->hinge].stiff));
    }
    least = lesser(greater(least, most * (ratio - 1) / (ratio + 1)), 0.999 * most); /* a single hinge: least = most */
    c->plate_least = least;
    c->plate_most = most;
    c->plate_turns = (uint32_t)lesser(ceil(decay / acosh((most + least) / (most - least))), MOST_PLATE_TURNS);
}

/* Chebyshev's iteration for F m = a from m = 0 (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1). */
static inline void begin_row(const shells *s, const plate_row *row, double middle, plate_state *q)
{
    const double off = s->off[row->hinge], first = row->inverse * off / middle;
    *q = (plate_state){first, off, {first, 0}};
}

/* The change of a turn: so much of the last change, and of the angle that is left. */
static inline void turn_row(plate_state *state, const plate_row *row, plate_state *q, uint32_t turn, double last,
                            double left)
{
    const uint32_t old = (turn - 1) % 2, new = turn % 2;
    double balanced = q->change[old] / row->inverse;
    for (int k = 0; k < 4; k++) balanced += row->coupled[k] * state[row->at[k]].change[old];
    q->left -= balanced;
    q->change[new] = last * q->change[old] + left * row->inverse * q->left;
    q->moment += q->change[new];
}

/* By one thread: turns of few rows are shorter than the waiting of threads for each other. */
static void find_few_moments(const world *w, const shell_class *c)
{
    plate_state *state = w->shells->plate_state;
    const double middle = 0.5 * (c->plate_most + c->plate_least), half = 0.5 * (c->plate_most - c->plate_least);
    double share = half / middle;
    for (uint32_t n = 0; n < c->plate_count; n++) begin_row(w->shells, &c->plate[n], middle, &state[n]);
    for (uint32_t turn = 1; turn < c->plate_turns; turn++) {
        const double next = 1 / (2 * middle / half - share), last = next * share, left = 2 * next / half;
        for (uint32_t n = 0; n < c->plate_count; n++) turn_row(state, &c->plate[n], &state[n], turn, last, left);
        share = next;
    }
}

/* The same by all threads of the class. */
static void find_moments(const world *w, const shell_class *c)
{
    plate_state *state = w->shells->plate_state;
    const double middle = 0.5 * (c->plate_most + c->plate_least), half = 0.5 * (c->plate_most - c->plate_least);
    double share = half / middle;
    SHARED
    for (uint32_t n = 0; n < c->plate_count; n++) begin_row(w->shells, &c->plate[n], middle, &state[n]);
    for (uint32_t turn = 1; turn < c->plate_turns; turn++) {
        const double next = 1 / (2 * middle / half - share), last = next * share, left = 2 * next / half;
        SHARED
        for (uint32_t n = 0; n < c->plate_count; n++) turn_row(state, &c->plate[n], &state[n], turn, last, left);
        share = next;
    }
}

static void balance_plates(const world *w, const shell_class *c)
{
    if (c->plate_count > FEW_ROWS) {
        find_moments(w, c);
    } else {
#pragma omp single
        find_few_moments(w, c);
    }
}

static double plates_energy(const world *w, const shell_class *c)
{
    double sum = 0;
    find_few_moments(w, c);
    for (uint32_t n = 0; n < c->plate_count; n++)
        sum += 0.5 * w->shells->plate_state[n].moment * w->shells->off[c->plate[n].hinge];
    return sum;
}

/* ---- plastic bending --------------------------------------------------------------------------------------------- */

static double row_moment(const shells *s, uint32_t row)
{
    return row == NONE ? 0 : s->plate_state[row].moment;
}

static void flow_row(shells *s, const shell_class *c, uint32_t n)
{
    const uint32_t *part = c->yield_parts[n], at = c->plate[n].hinge;
    double flow = 0;
    for (int k = 0; k < 2; k++) flow += part[k] == NONE ? 0 : s->flow[part[k]];
    s->row_flow[n] = flow;
    s->lost[at] = 0.5 * flow * s->plate_state[n].moment;
    s->off[at] -= flow;
    c->set.hinge[at].rest += flow;
}

/* Rest angles change where moments exceed the yield moment. The energy falls by the change times the mean of the moments before and
 * after, which are computed anew: they are linear in the angles. */
static void yield_plates(const world *w, const shell_class *c)
{
    shells *s = w->shells;
    SHARED
    for (uint32_t n = 0; n < c->yield_count; n++) {
        const plate_yield *of = &c->yield[n];
        const double moment[3] = {row_moment(s, of->row[0]), row_moment(s, of->row[1]), row_moment(s, of->row[2])};
        plate_flow(of, moment, &s->flow[3 * (size_t)n]);
    }
    SHARED
    for (uint32_t n = 0; n < c->plate_count; n++) flow_row(s, c, n);
#pragma omp single
    {
        s->flows = false;
        for (uint32_t n = 0; n < c->plate_count && !s->flows; n++) s->flows = s->row_flow[n] != 0;
    }
    if (!s->flows) return;
    balance_plates(w, c);
    SHARED
    for (uint32_t n = 0; n < c->plate_count; n++)
        s->lost[c->plate[n].hinge] += 0.5 * s->row_flow[n] * s->plate_state[n].moment;
}

static void bend_plates(const world *w, const shell_class *c)
{
    const shells *s = w->shells;
    balance_plates(w, c);
    if (c->yield_count > 0) yield_plates(w, c);
    SHARED
    for (uint32_t n = 0; n < c->plate_count; n++) s->moment[c->plate[n].hinge] = -s->plate_state[n].moment;
}

/* ---- draft ------------------------------------------------------------------------------------------------------- */

static void couple(plate_row *row, uint32_t other, double compliance)
{
    int k = 0;
    while (k < 3 && row->coupled[k] != 0) k++;
    row->at[k] = other;
    row->coupled[k] = compliance;
}

/* `inverse` sums the diagonal, `stiff` of the hinge its parts times the least eigenvalues. */
static void add_compliance(shell_draft *d, const uint32_t at[3], double compliance[3][3])
{
    const double least = plate_least(compliance);
    for (int i = 0; i < 3; i++) {
        if (at[i] == NONE) continue;
        plate_row *row = &d->plate[at[i]];
        row->inverse += compliance[i][i];
        d->hinge[at[i]].stiff += least * compliance[i][i];
        for (int j = 0; j < 3; j++)
            if (j != i && at[j] != NONE && compliance[i][j] != 0) couple(row, at[j], compliance[i][j]);
    }
}

/* F is at least the diagonal of these sums, so that `stiff` angle^2 with half their inverse bounds the energy. */
static void end_row(shell_draft *d, uint32_t n)
{
    plate_row *row = &d->plate[n];
    shell_hinge *h = &d->hinge[n];
    row->hinge = n;
    row->inverse = 1 / row->inverse;
    for (int k = 0; k < 4; k++)
        if (row->coupled[k] == 0) row->at[k] = n;
    h->stiff = 0.5 / h->stiff;
    h->plate = 1;
}

/* At the yield moment of a strip, bent to a cylinder with free sides, a triangle of this area has the energy area moment^2 / (2 young h^3 / 12). */
static void draft_yield(shell_draft *d, const scene_mesh *from, const uint32_t at[3], double compliance[3][3],
                        double area)
{
    const double h = shell_thickness(from), moment = from->yield_moment;
    if (!(moment > 0) || (at[0] == NONE && at[1] == NONE && at[2] == NONE)) return;
    plate_yield *of = &d->yield[d->yield_count++];
    of->scale = from->young * h * h * h / (12 * area * moment * moment);
    memcpy(of->row, at, sizeof of->row);
    memcpy(of->compliance, compliance, sizeof of->compliance);
}

static void draft_plate(const world *w, shell_draft *d, const scene_mesh *from, const mesh *m, const mesh_topology *t,
                        size_t first, const uint32_t *hinge_of)
{
    const double h = shell_thickness(from), nu = from->poisson;
    const double rigidity = from->young * h * h * h / (12 * (1 - nu * nu));
    const fabric woven = mesh_fabric(from);
    for (size_t n = 0; n < m->triangle_count; n++) {
        const uint32_t *corner = m->triangles[n], *edge = t->triangle_edges[n];
        const uint32_t bent[3] = {hinge_of[edge[0]], hinge_of[edge[1]], hinge_of[edge[2]]};
        const double *x = m->vertices[corner[0]], *y = m->vertices[corner[1]], *z = m->vertices[corner[2]];
        double compliance[3][3];
        uint32_t at[3];
        for (int q = 0; q < 3; q++) at[q] = w->index_of[first + corner[q]];
        if (is_free(w, at, 3) && (from->fabric.given ? fabric_compliance(x, y, z, &woven, h, compliance)
                                                     : plate_compliance(x, y, z, rigidity, nu, compliance))) {
            add_compliance(d, bent, compliance);
            draft_yield(d, from, bent, compliance, area_of(m, corner[0], corner[1], corner[2]));
        }
    }
    for (size_t n = 0; n < t->edge_count; n++)
        if (hinge_of[n] != NONE) end_row(d, hinge_of[n]);
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

static carom_status join_plates(const world *w, shell_draft *d, error *e)
{
    uint8_t *finest = NEW_ARRAY(w->scene->mesh_count, uint8_t);
    if (finest == NULL) return error_memory(e, "shells", w->scene->mesh_count);
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        uint8_t *of = &finest[w->topology.mesh_of[d->hinge[n].at[0]]];
        if (d->hinge[n].plate && d->hinge_class[n] > *of) *of = d->hinge_class[n];
    }
    for (uint32_t n = 0; n < d->hinge_count; n++)
        if (d->hinge[n].plate) d->hinge_class[n] = finest[w->topology.mesh_of[d->hinge[n].at[0]]];
    memory_free(finest);
    return CAROM_OK;
}

/* The triangles of a class; row_of: of the hinges of the draft. */
static void fill_yield(shells *s, const shell_draft *d, uint32_t class, const uint32_t *row_of)
{
    shell_class *c = &s->class[class];
    c->yield = s->yield + s->yield_count;
    c->yield_parts = s->yield_parts + s->plate_count;
    for (uint32_t n = 0; n < c->plate_count; n++) c->yield_parts[n][0] = c->yield_parts[n][1] = NONE;
    for (uint32_t n = 0; n < d->yield_count; n++) {
        plate_yield of = d->yield[n];
        bool here = false;
        for (uint32_t k = 0; k < 3; k++) {
            if (of.row[k] == NONE || d->hinge_class[of.row[k]] != class) continue;
            here = true;
            of.row[k] = row_of[of.row[k]];
            uint32_t *part = c->yield_parts[of.row[k]];
            part[part[0] != NONE] = 3 * c->yield_count + k;
        }
        if (here) c->yield[c->yield_count++] = of;
    }
    c->plastic = c->plastic || c->yield_count > 0;
    s->plastic = s->plastic || c->plastic;
    s->yield_count += c->yield_count;
}

static void fill_plates(shells *s, const shell_draft *d, const uint64_t *hinges, uint32_t class, uint32_t *row_of)
{
    shell_class *c = &s->class[class];
    uint32_t place = 0;
    c->plate = s->plate + s->plate_count;
    for (uint32_t n = 0; n < d->hinge_count; n++) {
        const uint32_t from = (uint32_t)hinges[n];
        if (d->hinge_class[from] != class) continue;
        if (d->hinge[from].plate) {
            row_of[from] = c->plate_count;
            c->plate[c->plate_count] = d->plate[from];
            c->plate[c->plate_count++].hinge = place;
        }
        place++;
    }
    for (uint32_t n = 0; n < c->plate_count; n++)
        for (int k = 0; k < 4; k++) c->plate[n].at[k] = row_of[c->plate[n].at[k]];
    if (d->yield != NULL) fill_yield(s, d, class, row_of);
    s->plate_count += c->plate_count;
    if (c->plate_count > 0) bound_plates(c);
}
