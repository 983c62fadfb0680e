#include "output/results/strain.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static double edge_length(const carom_frame *f, const result_mesh *m, const uint32_t corners[3], int k)
{
    const size_t from = m->first + corners[k], to = m->first + corners[(k + 1) % 3];
    double square = 0;
    for (size_t n = 0; n < (size_t)f->dimension; n++) {
        const double side = frame_unwrapped(f, to, n) - frame_unwrapped(f, from, n);
        square += side * side;
    }
    return sqrt(square);
}

carom_status strain_create(mesh_strain *s, const result_links *links, const carom_frame *rest, error *e)
{
    size_t edges = 0, at = 0;
    for (size_t k = 0; k < links->meshes; k++) edges += 3 * links->mesh[k].triangle_count;
    *s = (mesh_strain){NEW_ARRAY(edges, double), NEW_ARRAY(rest->count, uint32_t)};
    if (s->rest == NULL || s->ends == NULL) return error_memory(e, "the lengths of edges", edges * sizeof *s->rest);
    for (size_t k = 0; k < links->meshes; k++) {
        const result_mesh *m = &links->mesh[k];
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int n = 0; n < 3; n++) {
                s->rest[at++] = edge_length(rest, m, m->triangles[t], n);
                s->ends[m->first + m->triangles[t][n]] += 2;
            }
    }
    return CAROM_OK;
}

void strain_free(mesh_strain *s)
{
    memory_free(s->rest);
    memory_free(s->ends);
    *s = (mesh_strain){0};
}

void strain_find(const mesh_strain *s, const result_links *links, const carom_frame *f, double *strain)
{
    size_t at = 0;
    for (size_t k = 0; k < links->meshes; k++) {
        const result_mesh *m = &links->mesh[k];
        double *sum = strain + m->first;
        memset(sum, 0, m->vertices * sizeof *sum);
        for (size_t t = 0; t < m->triangle_count; t++)
            for (int n = 0; n < 3; n++, at++) {
                const double change = fabs(edge_length(f, m, m->triangles[t], n) / s->rest[at] - 1);
                if (!isfinite(change)) continue;
                sum[m->triangles[t][n]] += change;
                sum[m->triangles[t][(n + 1) % 3]] += change;
            }
        for (size_t i = 0; i < m->vertices; i++) sum[i] /= fmax(s->ends[m->first + i], 1);
    }
}
