#include "output/verify/verify_clusters.h"

#include <math.h>

#include "base/forest.h"
#include "base/memory.h"

/* The smaller id is kept: the id of the root is that of the cluster. */
static bool unite(uint32_t *parent, size_t count, const frame_merge *m)
{
    if (m->i >= count || m->j >= count) return false;
    uint32_t a = forest_root(parent, m->i), b = forest_root(parent, m->j);
    parent[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

static void check_names(const carom_frame *f, uint32_t *parent, cluster_fault *fault, void *data)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->cluster[i] >= f->count || forest_root(parent, (uint32_t)i) != f->cluster[i])
            fault(i, "is not in the cluster that the merges give", data);
}

/* (v_i - v_c) . (r_i - r_c) = 0 for the particle c whose id is that of the cluster. */
static bool rigid(const carom_frame *f, size_t i, size_t c)
{
    const double tolerance = 1e-9;
    const size_t d = (size_t)f->dimension;
    double along = 0, way = 0, speed = 0;
    for (size_t k = 0; k < d; k++) {
        double r = f->position[i * d + k] - f->position[c * d + k];
        double v = f->velocity[i * d + k], u = f->velocity[c * d + k];
        if (f->boundary[k] == FRAME_PERIODIC) r += frame_boxes_apart(f, i, c, k) * f->box[k];
        along += r * (v - u);
        way += r * r;
        speed = fmax(speed, fmax(v * v, u * u));
    }
    return fabs(along) <= tolerance * sqrt(way * speed);
}

/* v_i - v_c = w x (r_i - r_c), with the same w for both. */
static bool turning(const carom_frame *f, size_t i, size_t c)
{
    const double tolerance = 1e-9;
    const size_t d = (size_t)f->dimension;
    const double *w = f->spin + 3 * i, *own = f->spin + 3 * c;
    double r[3] = {0}, off = 0, scale = 0;
    for (size_t k = 0; k < d; k++) {
        r[k] = f->position[i * d + k] - f->position[c * d + k];
        if (f->boundary[k] == FRAME_PERIODIC) r[k] += frame_boxes_apart(f, i, c, k) * f->box[k];
    }
    const double u[3] = {w[1] * r[2] - w[2] * r[1], w[2] * r[0] - w[0] * r[2], w[0] * r[1] - w[1] * r[0]};
    for (size_t k = 0; k < d; k++) {
        const double v = f->velocity[i * d + k], other = f->velocity[c * d + k];
        off = fmax(off, fabs(v - other - u[k]));
        scale = fmax(scale, fmax(fabs(v), fabs(other)));
    }
    for (size_t k = 0; k < 3; k++) scale = fmax(scale, fabs(w[k]) * f->radius[i]);
    for (size_t k = 0; k < 3; k++) off = fmax(off, fabs(w[k] - own[k]) * f->radius[i]);
    return off <= tolerance * scale;
}

static void check_merges(const carom_frame *f, const frame_merge *merges, uint64_t merge_count, uint32_t *parent,
                         cluster_fault *fault, void *data)
{
    for (uint64_t k = 0; k < merge_count && merges[k].time <= f->time; k++) {
        if (k > 0 && merges[k].time < merges[k - 1].time) fault(merges[k].i, "merges out of order in time", data);
        if (!unite(parent, f->count, &merges[k])) fault(merges[k].i, "merges with its own cluster, or with none", data);
    }
    check_names(f, parent, fault, data);
}

carom_status verify_clusters(const carom_frame *f, const frame_merge *merges, uint64_t merge_count,
                             cluster_fault *fault, void *data, error *e)
{
    uint32_t *parent = NEW_ARRAY(f->count, uint32_t);
    if (parent == NULL) return error_memory(e, "the clusters", f->count * sizeof *parent);
    for (size_t i = 0; i < f->count; i++) parent[i] = (uint32_t)i;
    check_merges(f, merges, merge_count, parent, fault, data);
    for (size_t i = 0; i < f->count; i++)
        if (f->cluster[i] < f->count && !rigid(f, i, f->cluster[i])) fault(i, "does not move with its cluster", data);
    for (size_t i = 0; f->spin != NULL && i < f->count; i++)
        if (f->cluster[i] < f->count && !turning(f, i, f->cluster[i])) fault(i, "does not turn with its cluster", data);
    memory_free(parent);
    return CAROM_OK;
}
