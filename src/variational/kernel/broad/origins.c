/* List reference positions: their choice, and the pairs of elements near each other. */
#include "variational/kernel/broad/origins.h"

#include "variational/kernel/narrow/elements.h"
#include "variational/kernel/schedule/nominal.h"

#include "base/memory.h"

static int32_t grid_cell_along(const grid *n, int k, double x)
{
    if (n->wraps[k]) x -= n->period[k] * floor(x / n->period[k]);
    double cell = x * n->per_length[k], last = n->cells[k] - 1;
    return (int32_t)lesser(greater(cell, 0), last);
}

static void found_add(found_set *f, uint32_t element)
{
    if (f->count == f->capacity) {
        uint32_t capacity = f->capacity > 0 ? 2 * f->capacity : 64;
        uint32_t *at = memory_resize(f->at, f->capacity, capacity, sizeof *at);
        f->failed = f->failed || at == NULL;
        if (at == NULL) return;
        f->at = at;
        f->capacity = capacity;
    }
    f->at[f->count++] = element;
}

/* If gravity soon changes the direction, the reference position is less far ahead. */
static void origin_choose(const world *w, const grid *n, uint32_t i, double t, double x[DIM])
{
    double v[DIM], fall = w->flights.nominal[i].straight ? 0 : w->domain.gravity_magnitude;
    const double ahead = is_vertex(w, i) ? n->mesh_ahead : n->ahead;
    nominal_at(w, i, t, x, v);
    double square = dot(v, v);
    if (ahead == 0 || square == 0) return;
    double far = ahead * square / (square + 4 * fall * skin_of(w, n, i)), factor = far / sqrt(square);
    for (int k = 0; k < DIM; k++) x[k] += factor * v[k];
}

static int origin_of(const world *w, const grid *n, uint32_t element, double x[3][DIM])
{
    if (element < w->count) {
        memcpy(x[0], n->origin[element].x, sizeof x[0]);
        return 1;
    }
    const int count = is_face(w, element) ? 3 : 2;
    memcpy(x, origin_ends(w, n, element), (size_t)count * sizeof x[0]);
    return count;
}

static void origin_box(const world *w, const grid *n, uint32_t element, double low[DIM], double high[DIM])
{
    double x[3][DIM];
    int ends = origin_of(w, n, element, x);
    join_ends(w, x, ends, NULL, 0);
    for (int k = 0; k < DIM; k++) {
        low[k] = high[k] = x[0][k];
        for (int p = 1; p < ends; p++) {
            low[k] = lesser(low[k], x[p][k]);
            high[k] = greater(high[k], x[p][k]);
        }
    }
}

/* Whether the boxes around two elements are farther apart than this. */
static bool boxes_apart(double x[3][DIM], int m, double y[3][DIM], int q, double far)
{
    for (int k = 0; k < DIM; k++) {
        double low[2] = {x[0][k], y[0][k]}, high[2] = {x[0][k], y[0][k]};
        for (int p = 1; p < m; p++) {
            low[0] = lesser(low[0], x[p][k]);
            high[0] = greater(high[0], x[p][k]);
        }
        for (int p = 1; p < q; p++) {
            low[1] = lesser(low[1], y[p][k]);
            high[1] = greater(high[1], y[p][k]);
        }
        if (low[0] - high[1] > far || low[1] - high[0] > far) return true;
    }
    return false;
}

static bool are_near(const world *w, const grid *n, uint32_t i, uint32_t partner)
{
    double x[3][DIM], y[3][DIM], r[DIM], share[2][3];
    double far = w->radius[i] + w->radius[partner] + 0.5 * (skin_of(w, n, i) + skin_of(w, n, partner));
    int m = origin_of(w, n, i, x), q = origin_of(w, n, partner, y);
    join_ends(w, x, m, y, q);
    if (boxes_apart(x, m, y, q, far) || never_touch(w, i, partner)) return false;
    closest_of_ends(x, m, y, q, r, share);
    return dot(r, r) <= far * far;
}
