/* P(r): number of particles of the cluster within a distance of a particle; all measures of a cluster. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "measure/pairs.h"
#include "measure/shape.h"

/* The largest radius of the counts, in half radii: 40, or fewer if half a periodic box is smaller. */
static size_t steps_of(const shape_partition *p, const shape_group *g)
{
    double most = SHAPE_FIRST + SHAPE_RADII - 1;
    for (int a = 0; g->state != SHAPE_WHOLE && a < p->dimension; a++)
        if (p->periodic[a]) most = fmin(most, floor(p->box[a] / p->radius * (1 - 1e-8)));
    return (size_t)most;
}

/* A frame of the cluster only, in its bounding box; a cluster that cannot be unwrapped remains in the periodic box. */
static carom_status make_frame(carom_frame *f, const shape_partition *p, const shape_group *g, error *e)
{
    const double(*x)[3] = (const double(*)[3])p->position + g->first;
    size_t d = (size_t)p->dimension;
    *f = (carom_frame){.dimension = p->dimension, .count = g->size, .position = NEW_ARRAY(g->size * d, double)};
    if (f->position == NULL) return error_memory(e, "the pairs", g->size * d * sizeof(double));
    for (size_t a = 0; a < d; a++) {
        bool whole = g->state == SHAPE_WHOLE;
        double low = x[0][a], high = x[0][a];
        for (size_t i = 1; i < g->size; i++) {
            low = fmin(low, x[i][a]);
            high = fmax(high, x[i][a]);
        }
        bool round = !whole && p->periodic[a];
        f->boundary[a] = round ? FRAME_PERIODIC : FRAME_OPEN;
        f->box[a] = round ? p->box[a] : high - low + p->radius;
        for (size_t i = 0; i < g->size; i++) f->position[i * d + a] = x[i][a] - (round ? 0 : low);
    }
    return CAROM_OK;
}

static carom_status count_pairs(const shape_partition *p, const shape_group *g, size_t steps, shape_curves *curves,
                                error *e)
{
    const double wider = 1 + 1e-9; /* a distance of r up to rounding counts */
    pairs all;
    carom_frame f;
    TRY(make_frame(&f, p, g, e));
    carom_status status = pairs_create(&all, 0.5 * p->radius * (double)steps * wider, steps, e);
    if (status == CAROM_OK) status = pairs_count(&all, &f, e);
    uint64_t found = 0;
    for (size_t k = 0; status == CAROM_OK && k < steps; k++) {
        found += all.count[k];
        if (k + 1 >= SHAPE_FIRST) curves->pairs[k + 1 - SHAPE_FIRST] = 2 * (double)found / (double)g->size;
    }
    pairs_destroy(&all);
    memory_free(f.position);
    return status;
}

carom_status shape_pairs(const shape_partition *p, size_t group, double gyration_radius, shape_cluster *out,
                         shape_curves *curves, error *e)
{
    const shape_group *g = &p->groups[group];
    double r[SHAPE_RADII], with_self[SHAPE_RADII];
    size_t steps = steps_of(p, g), count = 0;
    for (int k = 0; k < SHAPE_RADII; k++) curves->pairs[k] = (double)NAN;
    if (steps >= SHAPE_FIRST) TRY(count_pairs(p, g, steps, curves, e));
    for (size_t k = 0; k < SHAPE_RADII && k + SHAPE_FIRST <= steps; k++) {
        r[k] = 0.5 * p->radius * (double)(SHAPE_FIRST + k);
        with_self[k] = curves->pairs[k] + 1;
        if (isnan(gyration_radius) || r[k] <= gyration_radius) count = k + 1;
    }
    out->pairs = shape_fit_logs(r, curves->pairs, count);
    out->pairs_self = shape_fit_logs(r, with_self, count);
    return CAROM_OK;
}

carom_status shape_measure(const shape_partition *p, size_t group, shape_cluster *out, shape_curves *curves, error *e)
{
    const shape_group *g = &p->groups[group];
    const double most = p->dimension == 2 ? 6 : 12, n = (double)g->size, near = 2 * (double)g->near_pairs;
    *curves = (shape_curves){0};
    *out = (shape_cluster){.id = g->id, .state = g->state, .size = g->size, .mass = g->mass, .radius = p->radius};
    out->contacts = near / (most * n);
    out->contacts_self = (n + near) / (most * n);
    shape_gyration_of(p, group, &out->gyration);
    TRY(shape_pairs(p, group, out->gyration.radius, out, curves, e));
    return shape_boxes(p, group, out, curves, e);
}
