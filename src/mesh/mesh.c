#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* Largest number of triangles: half-edges have 32-bit indices. */
static const size_t most_triangles = UINT32_MAX / 3 - 1;

void mesh_free(mesh *m)
{
    memory_free(m->vertices);
    memory_free(m->triangles);
    *m = (mesh){0};
}

carom_status mesh_done(mesh *m, error *e)
{
    if (!m->failed) return CAROM_OK;
    size_t bytes = m->vertex_room * sizeof *m->vertices + m->triangle_room * sizeof *m->triangles;
    mesh_free(m);
    return error_memory(e, "a mesh", 2 * bytes);
}

/* Reserves memory for one more element of `size` bytes. */
static void *grow(mesh *m, void *block, size_t count, size_t most, size_t *room, size_t size)
{
    if (m->failed || count < *room) return block;
    size_t more = *room < 32 ? 64 : 2 * *room;
    void *bigger = count < most ? memory_resize(block, *room, more, size) : NULL;
    m->failed = bigger == NULL;
    if (m->failed) return block;
    *room = more;
    return bigger;
}

uint32_t mesh_add_vertex(mesh *m, double x, double y, double z)
{
    m->vertices = grow(m, m->vertices, m->vertex_count, UINT32_MAX - 1, &m->vertex_room, sizeof *m->vertices);
    if (m->failed) return 0;
    double *r = m->vertices[m->vertex_count];
    r[0] = x;
    r[1] = y;
    r[2] = z;
    return (uint32_t)m->vertex_count++;
}

void mesh_add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    m->triangles = grow(m, m->triangles, m->triangle_count, most_triangles, &m->triangle_room, sizeof *m->triangles);
    if (m->failed) return;
    uint32_t *corners = m->triangles[m->triangle_count++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

void mesh_add_polygon(mesh *m, const uint32_t *corners, size_t count)
{
    for (size_t i = 2; i < count; i++) mesh_add_triangle(m, corners[0], corners[i - 1], corners[i]);
}

void mesh_append(mesh *m, const mesh *more)
{
    const uint32_t first = (uint32_t)m->vertex_count;
    m->failed = m->failed || more->failed;
    for (size_t i = 0; i < more->vertex_count; i++)
        mesh_add_vertex(m, more->vertices[i][0], more->vertices[i][1], more->vertices[i][2]);
    for (size_t t = 0; t < more->triangle_count && !m->failed; t++) {
        const uint32_t *corners = more->triangles[t];
        mesh_add_triangle(m, first + corners[0], first + corners[1], first + corners[2]);
    }
}

void mesh_place(mesh *m, const double at[3], const double rotation[3][3], double scale)
{
    for (size_t i = 0; i < m->vertex_count; i++) {
        double *r = m->vertices[i];
        const double x = scale * r[0], y = scale * r[1], z = scale * r[2];
        for (int k = 0; k < 3; k++) r[k] = at[k] + (rotation[k][0] * x + rotation[k][1] * y + rotation[k][2] * z);
    }
}

static void edges_of(const mesh *m, size_t t, double u[3], double v[3])
{
    const double *a = m->vertices[m->triangles[t][0]];
    for (int k = 0; k < 3; k++) {
        u[k] = m->vertices[m->triangles[t][1]][k] - a[k];
        v[k] = m->vertices[m->triangles[t][2]][k] - a[k];
    }
}

double mesh_area(const mesh *m)
{
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        double u[3], v[3], n[3];
        edges_of(m, t, u, v);
        cross3(u, v, n);
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return sum;
}

double mesh_volume(const mesh *m)
{
    double sum = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const double *a = m->vertices[m->triangles[t][0]], *origin = m->vertices[0];
        double u[3], v[3], n[3];
        edges_of(m, t, u, v);
        cross3(u, v, n);
        for (int k = 0; k < 3; k++) sum += (a[k] - origin[k]) * n[k] / 6;
    }
    return sum;
}
