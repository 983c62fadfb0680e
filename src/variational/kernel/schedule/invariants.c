#include "variational/kernel/schedule/invariants.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/response/layers.h"
#include "variational/kernel/schedule/flight_bound.h"

#include "geometry/ccd.h"

/* The caller returns the condition that does not hold. */
#define MUST_HOLD(condition)                                                                                           \
    if (!(condition)) return #condition
#define ALL_HOLD(check)                                                                                                \
    do {                                                                                                               \
        const char *failed = check;                                                                                    \
        if (failed != NULL) return failed;                                                                             \
    } while (0)

static uint32_t awake(const world *w, uint32_t i, uint32_t partner)
{
    const list *l = &w->neighbours.list[i];
    for (uint32_t k = 0; k < l->count; k++)
        if (l->at[k].partner == partner && l->at[k].contact != NONE) return w->contacts.contact[l->at[k].contact].n;
    return 0;
}

/* The present ends of an element, and their displacements up to a later time without the common fall; false if they
 * do not fly freely. */
static bool ends_ahead(const world *w, uint32_t element, double dt, double x[3][DIM], double way[3][DIM], int *count)
{
    uint32_t ends[3];
    *count = ends_of(w, element, ends);
    for (int n = 0; n < *count; n++) {
        if (node_is_rigid(&w->node[ends[n]]) || (node_is_held(&w->node[ends[n]]) && w->domain.gravity_magnitude > 0))
            return false;
        position_at(w, &w->node[ends[n]], w->now, x[n]);
        velocity_at(w, &w->node[ends[n]], w->now, way[n]);
        for (int k = 0; k < DIM; k++) way[n][k] *= dt;
    }
    return true;
}

static double longest(double way[3][DIM], int count)
{
    double most = 0;
    for (int n = 0; n < count; n++) most = greater(most, size(way[n]));
    return most;
}

/* Start and end of the flight in the order of the continuous check: `points` of them. If there are fewer, the last
 * is repeated. */
static void stretch_out(double x[3][DIM], double way[3][DIM], int count, int points, double out[2][3][3])
{
    memset(out, 0, 2 * sizeof *out);
    for (int n = 0; n < points; n++)
        for (int k = 0; k < DIM; k++) {
            int from = n < count ? n : count - 1;
            out[0][n][k] = x[from][k];
            out[1][n][k] = x[from][k] + way[from][k];
        }
}

/* Conservative: pairs for which it is false are apart throughout. */
static bool may_meet(double a[2][3][3], int m, double b[2][3][3], int n, double distance)
{
    double edge[2][2][2][3], vertex[2][3];
    if (m < 3 && n < 3) {
        for (int t = 0; t < 2; t++) {
            memcpy(edge[0][t], a[t], sizeof edge[0][t]);
            memcpy(edge[1][t], b[t], sizeof edge[1][t]);
        }
        return ccd_edge_edge((const double(*)[2][3])edge[0], (const double(*)[2][3])edge[1], distance, NULL);
    }
    for (int t = 0; t < 2; t++) memcpy(vertex[t], m == 3 ? b[t][0] : a[t][0], sizeof vertex[t]);
    return ccd_vertex_face((const double(*)[3])vertex, (const double(*)[3][3])(m == 3 ? a : b), distance, NULL);
}

static const char *check_piece(const world *w, uint32_t i, uint32_t partner, double gap, double safe, double dt)
{
    double x[3][DIM], y[3][DIM], way[3][DIM], other[3][DIM], a[2][3][3], b[2][3][3];
    int m, n;
    if (partner >= NODES || !ends_ahead(w, i, dt, x, way, &m) || !ends_ahead(w, partner, dt, y, other, &n)) return NULL;
    if (gap - longest(way, m) - longest(other, n) > safe) return NULL;
    join_ends(w, x, m, y, n);
    stretch_out(x, way, m, m < 3 ? 2 : 3, a);
    stretch_out(y, other, n, n < 3 ? 2 : 3, b);
    MUST_HOLD(!may_meet(a, m, b, n, contact_reach(w, i, partner) + safe));
    return NULL;
}

static const char *check_pair(const world *w, uint32_t i, uint32_t partner, double dt)
{
    if (never_touch(w, i, partner)) return NULL;
    uint32_t n = awake(w, i, partner);
    MUST_HOLD(partner >= NODES || awake(w, partner, i) == n);
    double gap = gap_at(w, i, partner, w->now);
    MUST_HOLD(gap > 0);
    MUST_HOLD(IMPULSES || gap > thickness(w, n + 1) - w->flights.margin);
    return dt > 0 ? check_piece(w, i, partner, gap, 0.5 * thickness(w, n + 1), dt) : NULL;
}

static const char *invariants_broken(const world *w, double until)
{
    const double dt = isinf(until) ? 0 : until - w->now;
    for (uint32_t i = 0; i < w->count; i++) MUST_HOLD(nominal_is_close(w, i));
    for (uint32_t i = 0; i < w->elements; i++) {
        for (uint32_t j = i + 1; j < w->elements; j++) ALL_HOLD(check_pair(w, i, j, dt));
        for (uint32_t s = 0; s < w->domain.surface_count; s++) ALL_HOLD(check_pair(w, i, NODES + s, dt));
    }
    return NULL;
}
