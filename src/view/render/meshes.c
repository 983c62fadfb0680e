/* Meshes: opaque, transparent, or edges only. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "view/render/render.h"

carom_status render_meshes_begin(renderer *v, error *e)
{
    v->faces = NEW_ARRAY(v->links->meshes, faces);
    if (v->faces == NULL) return error_memory(e, "the meshes", v->links->meshes * sizeof *v->faces);
    if (v->links->meshes > 0) TRY(render_read(v, 0, e));
    for (size_t m = 0; m < v->links->meshes; m++) {
        const result_mesh *mesh = &v->links->mesh[m];
        TRY(faces_create(&v->faces[m], (const uint32_t(*)[3])mesh->triangles, mesh->triangle_count, e));
        if (mesh->rigid) continue; /* for shells, the whole mesh, as quadrilaterals if it consists of them */
        double(*x)[3] = memory_new(mesh->vertices, sizeof *x);
        if (x == NULL) return error_memory(e, "a mesh", mesh->vertices * sizeof *x);
        for (size_t i = 0; i < mesh->vertices; i++) render_unwrapped(&v->frame, mesh->first + i, x[i]);
        carom_status status = faces_find_diagonals(&v->faces[m], x, e);
        memory_free(x);
        TRY(status);
    }
    return CAROM_OK;
}

void render_meshes_end(renderer *v)
{
    for (size_t m = 0; v->faces != NULL && m < v->links->meshes; m++) faces_free(&v->faces[m]);
    memory_free(v->faces);
}

/* Size of a mean triangle, in pixels. */
static double area_of(const renderer *v, const result_mesh *m, double (*seen)[3])
{
    const double per_length = v->raster.camera.scale / v->raster.fine / v->camera.distance;
    double area = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *at = m->triangles[t];
        double a[3], b[3], square = 0;
        for (int k = 0; k < 3; k++) {
            a[k] = seen[at[1]][k] - seen[at[0]][k];
            b[k] = seen[at[2]][k] - seen[at[0]][k];
        }
        for (int k = 0; k < 3; k++) square += pow(a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3], 2);
        area += 0.5 * sqrt(square);
    }
    return area / fmax((double)m->triangle_count, 1) * per_length * per_length;
}

static void draw_triangles(renderer *v, size_t mesh, double (*seen)[3], unsigned flags)
{
    const result_mesh *m = &v->links->mesh[mesh];
    const faces *f = &v->faces[mesh];
    const uint32_t paint = render_mesh_paint(v, mesh);
    /* Small triangles of a shell would consist of edges only. */
    const bool edges = !(flags & RASTER_CLEAR) && (m->rigid || area_of(v, m, seen) > 50);
    for (size_t t = 0; t < m->triangle_count; t++) {
        raster_corner c[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t at = m->triangles[t][k];
            memcpy(c[k].seen, seen[at], sizeof c[k].seen);
            faces_normal(f, t, k, c[k].normal);
            c[k].value = v->legend.map ? (float)fmin(v->value[m->first + at] / v->legend.to, 1) : -1;
        }
        raster_triangle(&v->raster, c, paint, flags | (edges ? f->lines[t] * (unsigned)RASTER_EDGE : 0));
    }
}

static void draw_lines(renderer *v, size_t mesh)
{
    const result_mesh *m = &v->links->mesh[mesh];
    const faces *f = &v->faces[mesh];
    for (uint32_t h = 0; h < 3 * f->count; h++) {
        double ends[2][3];
        if (!(f->lines[h / 3] >> h % 3 & 1) || (f->twin[h] != FACES_NONE && f->twin[h] < h)) continue;
        for (uint32_t n = 0; n < 2; n++)
            render_unwrapped(&v->frame, m->first + m->triangles[h / 3][(h % 3 + 1 + n) % 3], ends[n]);
        raster_rod(&v->raster, ends[0], ends[1], v->line, raster_paint(v->theme->soft), false);
    }
}

/* The positions of the vertices in the frame of the camera; also computes the normals. The caller frees the array;
 * NULL: no memory. */
static double (*see_mesh(renderer *v, size_t mesh))[3]
{
    const result_mesh *m = &v->links->mesh[mesh];
    double(*seen)[3] = memory_new(m->vertices, sizeof *seen);
    for (size_t i = 0; seen != NULL && i < m->vertices; i++) {
        double x[3];
        render_unwrapped(&v->frame, m->first + i, x);
        camera_see(&v->raster.camera, x, seen[i]);
    }
    if (seen != NULL) faces_shade(&v->faces[mesh], seen);
    return seen;
}

carom_status render_solid_meshes(renderer *v, error *e)
{
    for (size_t k = 0; k < v->links->meshes && v->options.meshes == MESH_SOLID; k++) {
        if (links_mesh_is_absent(v->links, k, &v->frame)) continue;
        double(*seen)[3] = see_mesh(v, k);
        if (seen == NULL) return error_memory(e, "a mesh", v->links->mesh[k].vertices * sizeof *seen);
        draw_triangles(v, k, seen, 0);
        memory_free(seen);
    }
    return CAROM_OK;
}

carom_status render_thin_meshes(renderer *v, error *e)
{
    const bool clear = v->options.meshes == MESH_TRANSPARENT;
    for (size_t k = 0; k < v->links->meshes && (clear || v->options.meshes == MESH_EDGES); k++) {
        if (links_mesh_is_absent(v->links, k, &v->frame)) continue;
        double(*seen)[3] = see_mesh(v, k);
        if (seen == NULL) return error_memory(e, "a mesh", v->links->mesh[k].vertices * sizeof *seen);
        draw_lines(v, k);
        if (clear) draw_triangles(v, k, seen, RASTER_CLEAR);
        memory_free(seen);
    }
    return CAROM_OK;
}
