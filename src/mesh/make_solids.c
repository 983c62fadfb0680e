/* Surfaces of solids, and tubes. */
#include <math.h>

#include "base/memory.h"
#include "base/pi.h"
#include "mesh/make.h"

static void put_at(mesh *m, uint32_t vertex, double radius)
{
    double *r = m->vertices[vertex];
    const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int k = 0; k < 3; k++) r[k] *= radius / length;
}

/* A polygon oriented away from the origin, for any order of its corners. */
static void add_face(mesh *m, const int8_t *corners, size_t count)
{
    uint32_t face[5];
    const double *a, *b, *c;
    if (m->failed) return;
    for (size_t i = 0; i < count; i++) face[i] = (uint32_t)corners[i];
    a = m->vertices[face[0]];
    b = m->vertices[face[1]];
    c = m->vertices[face[2]];
    const double side =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    for (size_t i = 0; side < 0 && i < count; i++) face[i] = (uint32_t)corners[count - 1 - i];
    mesh_add_polygon(m, face, count);
}

/* Corners: tetrahedron, every second corner of a cube; cube, (+-1, +-1, +-1); octahedron, along the axes; icosahedron,
 * (0, +-1, +-phi) and its cyclic permutations; dodecahedron, a cube and (0, +-1 / phi, +-phi) with its permutations. */
static const int8_t tetrahedron[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
static const int8_t cube[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
static const int8_t octahedron[8][3] = {{0, 2, 4}, {0, 2, 5}, {0, 3, 4}, {0, 3, 5},
                                        {1, 2, 4}, {1, 2, 5}, {1, 3, 4}, {1, 3, 5}};
static const int8_t dodecahedron[12][5] = {{0, 8, 4, 18, 16},  {0, 8, 10, 2, 12},  {0, 12, 14, 1, 16},
                                           {1, 9, 5, 18, 16},  {1, 9, 11, 3, 14},  {2, 10, 6, 19, 17},
                                           {2, 12, 14, 3, 17}, {3, 11, 7, 19, 17}, {4, 8, 10, 6, 13},
                                           {4, 13, 15, 5, 18}, {5, 9, 11, 7, 15},  {6, 13, 15, 7, 19}};
static const int8_t icosahedron[20][3] = {{0, 2, 4},  {0, 2, 5},  {0, 4, 8},  {0, 5, 10}, {0, 8, 10},
                                          {1, 3, 6},  {1, 3, 7},  {1, 6, 8},  {1, 7, 10}, {1, 8, 10},
                                          {2, 4, 9},  {2, 5, 11}, {2, 9, 11}, {3, 6, 9},  {3, 7, 11},
                                          {3, 9, 11}, {4, 6, 8},  {4, 6, 9},  {5, 7, 10}, {5, 7, 11}};

/* Corners of a cube: all, or those with an even number of minus signs. */
static void add_cube_corners(mesh *m, bool all)
{
    for (int i = 0; i < 8; i++) {
        const int x = i & 4 ? -1 : 1, y = i & 2 ? -1 : 1, z = i & 1 ? -1 : 1;
        if (all || x * y * z > 0) mesh_add_vertex(m, x, y, z);
    }
}

static void add_axis_corners(mesh *m)
{
    for (int k = 0; k < 3; k++)
        for (int sign = 1; sign >= -1; sign -= 2) mesh_add_vertex(m, sign * (k == 0), sign * (k == 1), sign * (k == 2));
}

/* (0, +-a, +-b) and its cyclic permutations. */
static void add_rectangles(mesh *m, double a, double b)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            double r[3] = {0, 0, 0};
            r[(axis + 1) % 3] = i & 2 ? -a : a;
            r[(axis + 2) % 3] = i & 1 ? -b : b;
            mesh_add_vertex(m, r[0], r[1], r[2]);
        }
}

void mesh_make_platonic(mesh *m, platonic_solid which, double radius)
{
    const double phi = (1 + sqrt(5)) / 2;
    static const int8_t *const faces[5] = {tetrahedron[0], cube[0], octahedron[0], dodecahedron[0], icosahedron[0]};
    static const size_t sides[5] = {3, 4, 3, 5, 3}, counts[5] = {4, 6, 8, 12, 20};
    if (which == OCTAHEDRON)
        add_axis_corners(m);
    else if (which != ICOSAHEDRON)
        add_cube_corners(m, which != TETRAHEDRON);
    if (which == ICOSAHEDRON) add_rectangles(m, 1, phi);
    if (which == DODECAHEDRON) add_rectangles(m, 1 / phi, phi);
    for (uint32_t i = 0; i < m->vertex_count; i++) put_at(m, i, radius);
    for (size_t i = 0; i < counts[which]; i++) add_face(m, faces[which] + i * sides[which], sides[which]);
}

void mesh_make_box(mesh *m, const double size[3])
{
    add_cube_corners(m, true);
    for (uint32_t i = 0; i < m->vertex_count; i++)
        for (int k = 0; k < 3; k++) m->vertices[i][k] *= 0.5 * size[k];
    for (size_t i = 0; i < sizeof cube / sizeof *cube; i++) add_face(m, cube[i], 4);
}

carom_status mesh_make_sphere(mesh *m, double radius, uint32_t parts, error *e)
{
    mesh_make_platonic(m, ICOSAHEDRON, radius);
    TRY(mesh_refine(m, parts, e));
    for (uint32_t i = 0; i < m->vertex_count; i++) put_at(m, i, radius);
    return CAROM_OK;
}

/* Two triangles; low, right, far, above are in counterclockwise order. */
static void add_cell(mesh *m, uint32_t low, uint32_t right, uint32_t far, uint32_t above, bool turned)
{
    const uint32_t plain[4] = {low, right, far, above}, other[4] = {right, far, above, low};
    mesh_add_polygon(m, turned ? other : plain, 4);
}

void mesh_make_globe(mesh *m, double radius, uint32_t around, uint32_t rings)
{
    const uint32_t south = mesh_add_vertex(m, 0, 0, -radius), north = mesh_add_vertex(m, 0, 0, radius), first = 2;
    for (uint32_t j = 1; j < rings && !m->failed; j++)
        for (uint32_t i = 0; i < around; i++) {
            const double latitude = PI * ((double)j / rings - 0.5), angle = 2 * PI * i / around;
            const double r = radius * cos(latitude);
            mesh_add_vertex(m, r * cos(angle), r * sin(angle), radius * sin(latitude));
        }
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t next = (i + 1) % around, last = first + (rings - 2) * around;
        mesh_add_triangle(m, south, first + next, first + i);
        for (uint32_t j = 0; j + 2 < rings && !m->failed; j++) {
            const uint32_t low = first + j * around;
            add_cell(m, low + i, low + next, low + around + next, low + around + i, (i + j) % 2 != 0);
        }
        mesh_add_triangle(m, north, last + i, last + next);
    }
}

void mesh_make_torus(mesh *m, double major, double minor, uint32_t around, uint32_t across)
{
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across && !m->failed; j++) {
            const double u = 2 * PI * i / around, v = 2 * PI * j / across, r = major + minor * cos(v);
            mesh_add_vertex(m, r * cos(u), r * sin(u), minor * sin(v));
        }
    for (uint32_t i = 0; i < around && !m->failed; i++)
        for (uint32_t j = 0; j < across; j++) {
            const uint32_t here = i * across, there = (i + 1) % around * across, next = (j + 1) % across;
            add_cell(m, here + j, there + j, there + next, here + next, (i + j) % 2 != 0);
        }
}

/* A row of the profile: a circle of `around` vertices, or a point on the axis. Returns the first. */
static uint32_t add_circle(mesh *m, const double at[3], uint32_t around)
{
    const uint32_t first = mesh_add_vertex(m, at[0], 0, at[1]);
    for (uint32_t i = 1; at[0] > 0 && i < around && !m->failed; i++) {
        const double angle = 2 * PI * i / around;
        mesh_add_vertex(m, at[0] * cos(angle), at[0] * sin(angle), at[1]);
    }
    return first;
}

void mesh_make_revolution(mesh *m, const double (*profile)[3], size_t count, uint32_t around)
{
    const double *start = profile[0], *end = profile[count - 1];
    const bool closed = start[0] == end[0] && start[1] == end[1];
    uint32_t below = add_circle(m, start, around);
    for (size_t k = 1; k < count && !m->failed; k++) {
        const uint32_t above = closed && k == count - 1 ? 0 : add_circle(m, profile[k], around);
        for (uint32_t i = 0; i < around; i++) {
            const uint32_t next = (i + 1) % around;
            if (!(profile[k - 1][0] > 0))
                mesh_add_triangle(m, below, above + next, above + i);
            else if (!(profile[k][0] > 0))
                mesh_add_triangle(m, below + i, below + next, above);
            else
                add_cell(m, below + i, below + next, above + next, above + i, (i + k) % 2 != 0);
        }
        below = above;
    }
}

/* A point of the profile of a capsule, as mesh_make_revolution takes it: `band` of `bands` above the equator. */
static void put_on_cap(double at[3], double length, double radius, uint32_t band, uint32_t bands)
{
    const double latitude = 0.5 * PI * band / bands;
    at[0] = band == bands ? 0 : radius * cos(latitude);
    at[1] = 0.5 * length + radius * sin(latitude);
    at[2] = 0;
}

carom_status mesh_make_capsule(mesh *m, double length, double radius, uint32_t around, uint32_t along, error *e)
{
    const uint32_t bands = around < 6 ? 1 : (around + 2) / 4;
    const size_t count = 2 * (size_t)bands + along + 1;
    double(*profile)[3] = memory_new(count, sizeof *profile);
    if (profile == NULL) return error_memory(e, "a mesh", count * sizeof *profile);
    for (uint32_t k = 0; k <= bands; k++) {
        put_on_cap(profile[bands - k], length, radius, k, bands);
        put_on_cap(profile[bands + along + k], length, radius, k, bands);
        profile[bands - k][1] = -profile[bands - k][1];
    }
    for (uint32_t j = 1; j < along; j++) {
        profile[bands + j][0] = radius;
        profile[bands + j][1] = length * ((double)j / along - 0.5);
    }
    mesh_make_revolution(m, (const double(*)[3])profile, count, around);
    memory_free(profile);
    return mesh_done(m, e);
}

void mesh_make_tube(mesh *m, double radius, double length, uint32_t around, uint32_t along)
{
    for (uint32_t j = 0; j <= along; j++)
        for (uint32_t i = 0; i < around && !m->failed; i++) {
            const double angle = 2 * PI * i / around;
            mesh_add_vertex(m, radius * cos(angle), radius * sin(angle), length * ((double)j / along - 0.5));
        }
    for (uint32_t j = 0; j < along && !m->failed; j++)
        for (uint32_t i = 0; i < around; i++) {
            const uint32_t low = j * around, high = low + around, next = (i + 1) % around;
            add_cell(m, low + i, low + next, high + next, high + i, (i + j) % 2 != 0);
        }
}

carom_status mesh_make_prism(mesh *m, double base, double height, double length, uint32_t parts, uint32_t cells,
                             error *e)
{
    for (uint32_t j = 0; j <= cells && !m->failed; j++) {
        const double y = length * ((double)j / cells - 0.5);
        mesh_add_vertex(m, -base / 2, y, 0);
        mesh_add_vertex(m, base / 2, y, 0);
        mesh_add_vertex(m, 0, y, height);
    }
    mesh_add_triangle(m, 0, 1, 2);
    for (uint32_t j = 0; j < cells && !m->failed; j++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t low = 3 * j, next = (k + 1) % 3;
            add_cell(m, low + next, low + k, low + 3 + k, low + 3 + next, (j + k) % 2 != 0);
        }
    mesh_add_triangle(m, 3 * cells, 3 * cells + 2, 3 * cells + 1);
    return mesh_refine(m, parts, e);
}
