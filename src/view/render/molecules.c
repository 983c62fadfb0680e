#include "view/render/molecules.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "frame/image.h"
#include "measure/shape.h"

/* Neighbours of each particle: those of i are other[first[i] .. first[i + 1] - 1]. */
typedef struct links {
    size_t *first;
    uint32_t *other;
} links;

static carom_status list_links(links *l, size_t count, const connection *kinds, size_t kind_count, error *e)
{
    size_t ends = 0;
    for (size_t k = 0; k < kind_count; k++) ends += 2 * kinds[k].count;
    *l = (links){.first = NEW_ARRAY(count + 2, size_t), .other = NEW_ARRAY(ends, uint32_t)};
    if (l->first == NULL || l->other == NULL) return error_memory(e, "the molecules", count * sizeof *l->first);
    for (size_t k = 0; k < kind_count; k++)
        for (size_t n = 0; n < kinds[k].count; n++)
            for (int end = 0; end < 2; end++) l->first[kinds[k].ends[end][n] + 2]++;
    for (size_t i = 1; i < count + 2; i++) l->first[i] += l->first[i - 1];
    for (size_t k = 0; k < kind_count; k++)
        for (size_t n = 0; n < kinds[k].count; n++)
            for (int end = 0; end < 2; end++)
                l->other[l->first[kinds[k].ends[end][n] + 1]++] = kinds[k].ends[1 - end][n];
    return CAROM_OK;
}

static void follow(molecules *m, const links *l)
{
    size_t reached = 0, next = 0;
    for (uint32_t start = 0; start < m->count; start++) {
        if (m->from[start] != UINT32_MAX) continue;
        m->from[start] = m->root[start] = start;
        m->turn[reached++] = start;
        for (; next < reached; next++) {
            const uint32_t i = m->turn[next];
            for (size_t k = l->first[i]; k < l->first[i + 1]; k++) {
                const uint32_t j = l->other[k];
                if (m->from[j] != UINT32_MAX) continue;
                m->from[j] = i;
                m->root[j] = start;
                m->turn[reached++] = j;
            }
        }
    }
}

carom_status molecules_create(molecules *m, size_t count, const connection *kinds, size_t kind_count, error *e)
{
    links l = {0};
    *m = (molecules){.count = count,
                     .root = NEW_ARRAY(count, uint32_t),
                     .from = NEW_ARRAY(count, uint32_t),
                     .turn = NEW_ARRAY(count, uint32_t)};
    carom_status status = CAROM_OK;
    if (m->root == NULL || m->from == NULL || m->turn == NULL)
        status = error_memory(e, "the molecules", count * 3 * sizeof *m->root);
    if (status == CAROM_OK) status = list_links(&l, count, kinds, kind_count, e);
    if (status == CAROM_OK) {
        memset(m->from, 0xff, count * sizeof *m->from);
        follow(m, &l);
    }
    memory_free(l.first);
    memory_free(l.other);
    return status;
}

void molecules_free(molecules *m)
{
    memory_free(m->root);
    memory_free(m->from);
    memory_free(m->turn);
    *m = (molecules){0};
}

/* Moves particle i by whole box lengths to the image nearest to x. */
static void move_near(carom_frame *f, size_t i, const double *x)
{
    for (int k = 0; k < f->dimension; k++) {
        double *at = &f->position[i * (size_t)f->dimension + (size_t)k];
        const double boxes = f->boundary[k] == FRAME_PERIODIC ? nearest_whole((x[k] - *at) / f->box[k]) : 0;
        if (!isfinite(boxes) || boxes == 0) continue;
        *at += boxes * f->box[k];
        int64_t *image = &f->image[i * (size_t)f->dimension + (size_t)k];
        *image = image_moved(*image, -boxes);
    }
}

void molecules_unwrap(const molecules *m, carom_frame *f)
{
    for (size_t n = 0; n < m->count; n++) {
        const uint32_t i = m->turn[n];
        if (m->from[i] != i) move_near(f, i, f->position + m->from[i] * (size_t)f->dimension);
    }
}

carom_status clusters_unwrap(carom_frame *f, error *e)
{
    const double gap = 1e-6;
    shape_partition p;
    if (f->cluster == NULL) return CAROM_OK;
    TRY(shape_partition_create(&p, f, gap, false, e));
    for (size_t g = 0; g < p.count; g++)
        for (size_t k = p.groups[g].first; k < p.groups[g].first + p.groups[g].size; k++)
            if (p.groups[g].state == SHAPE_WHOLE) move_near(f, p.place[k], p.position[k]);
    shape_partition_destroy(&p);
    return CAROM_OK;
}
