/* Rectangles, disks, strips, and plates with spikes. */
#include <math.h>

#include "base/pi.h"
#include "base/random.h"
#include "mesh/make.h"

/* Two triangles of a cell; `turned`: divided from the lower right to the upper left. */
static void add_cell(mesh *m, uint32_t low, uint32_t right, uint32_t above, uint32_t far, bool turned)
{
    if (turned) {
        mesh_add_triangle(m, low, right, above);
        mesh_add_triangle(m, right, far, above);
    } else {
        mesh_add_triangle(m, low, right, far);
        mesh_add_triangle(m, low, far, above);
    }
}

void mesh_make_rectangle(mesh *m, const double size[2], const uint32_t cells[2])
{
    const uint32_t row = cells[0] + 1;
    for (uint32_t j = 0; j <= cells[1] && !m->failed; j++)
        for (uint32_t i = 0; i <= cells[0]; i++)
            mesh_add_vertex(m, size[0] * ((double)i / cells[0] - 0.5), size[1] * ((double)j / cells[1] - 0.5), 0);
    for (uint32_t j = 0; j < cells[1] && !m->failed; j++)
        for (uint32_t i = 0; i < cells[0]; i++) {
            uint32_t low = j * row + i;
            add_cell(m, low, low + 1, low + row, low + row + 1, (i + j) % 2 != 0);
        }
}

/* Vertex i of row j: odd rows begin and end with half a cell. */
static void add_rough_vertex(mesh *m, const double size[2], const uint32_t cells[2], uint32_t i, uint32_t j,
                             uint64_t seed)
{
    const bool odd = j % 2 != 0, side = i == 0 || i == cells[0] + odd;
    double shift[2] = {0, 0}, x = i;
    if (odd && i > 0) x = side ? cells[0] : i - 0.5;
    if (!side && j > 0 && j < cells[1]) {
        random_uniform2((random_key){seed, RANDOM_GENERAL}, m->vertex_count, 0, shift);
        for (int k = 0; k < 2; k++) shift[k] = 0.4 * (shift[k] - 0.5);
    }
    mesh_add_vertex(m, size[0] * ((x + shift[0]) / cells[0] - 0.5), size[1] * ((j + shift[1]) / cells[1] - 0.5), 0);
}

void mesh_make_rough_rectangle(mesh *m, const double size[2], const uint32_t cells[2], uint64_t seed)
{
    uint32_t low = 0;
    for (uint32_t j = 0; j <= cells[1]; j++)
        for (uint32_t i = 0; i <= cells[0] + j % 2 && !m->failed; i++) add_rough_vertex(m, size, cells, i, j, seed);
    for (uint32_t j = 0; j < cells[1] && !m->failed; j++) {
        /* An even row has cells + 1 vertices, an odd row one more: vertices of the longer and the shorter row
         * alternate. */
        const bool odd = j % 2 != 0;
        const uint32_t above = low + cells[0] + 1 + odd, few = odd ? above : low, many = odd ? low : above;
        for (uint32_t i = 0; i <= cells[0]; i++) {
            mesh_add_triangle(m, odd ? many + i : many + i + 1, odd ? many + i + 1 : many + i, few + i);
            if (i == cells[0]) continue;
            mesh_add_triangle(m, odd ? few + i + 1 : few + i, odd ? few + i : few + i + 1, many + i + 1);
        }
        low = above;
    }
}

/* Triangles between ring k of the disk and the next, sextant by sextant. */
static void add_ring(mesh *m, uint32_t inner, uint32_t outer, uint32_t k)
{
    const uint32_t inside = k == 0 ? 1 : 6 * k, outside = 6 * (k + 1);
    for (uint32_t sextant = 0; sextant < 6; sextant++)
        for (uint32_t i = 0; i <= k; i++) {
            uint32_t in = inner + (sextant * k + i) % inside, next = inner + (sextant * k + i + 1) % inside;
            uint32_t out = sextant * (k + 1) + i;
            mesh_add_triangle(m, in, outer + out, outer + (out + 1) % outside);
            if (i < k) mesh_add_triangle(m, in, outer + (out + 1) % outside, next);
        }
}

void mesh_make_disk(mesh *m, double radius, uint32_t rings)
{
    mesh_add_vertex(m, 0, 0, 0);
    uint32_t inner = 0;
    for (uint32_t k = 0; k < rings && !m->failed; k++) {
        const uint32_t outer = (uint32_t)m->vertex_count, count = 6 * (k + 1);
        const double r = radius * (k + 1) / rings;
        for (uint32_t i = 0; i < count; i++)
            mesh_add_vertex(m, r * cos(2 * PI * i / count), r * sin(2 * PI * i / count), 0);
        if (!m->failed) add_ring(m, inner, outer, k);
        inner = outer;
    }
}

void mesh_make_strip(mesh *m, const double (*points)[3], const double (*sides)[3], size_t count, double width,
                     uint32_t across)
{
    const uint32_t row = across + 1;
    for (size_t j = 0; j < count; j++)
        for (uint32_t i = 0; i <= across && !m->failed; i++) {
            const double *p = points[j], *w = sides[j], s = width * ((double)i / across - 0.5);
            mesh_add_vertex(m, p[0] + s * w[0], p[1] + s * w[1], p[2] + s * w[2]);
        }
    for (size_t j = 0; j + 1 < count && !m->failed; j++)
        for (uint32_t i = 0; i < across; i++) {
            uint32_t low = (uint32_t)j * row + i;
            add_cell(m, low, low + 1, low + row, low + row + 1, (i + j) % 2 != 0);
        }
}

/* The area between a square cell and the base of its spike: corner k is connected to the sides k and k + 1 of four
 * quarters. */
static void add_spike(mesh *m, const uint32_t corners[4], const double centre[2], double height, double radius)
{
    /* Corners are at 225, 315, 45 and 135 degrees; those of the base at 180, 240, ... */
    static const int sees[4] = {2, 1, 2, 1};
    const uint32_t foot = (uint32_t)m->vertex_count;
    for (int k = 0; k < 6; k++) {
        const double angle = PI + k * PI / 3;
        mesh_add_vertex(m, centre[0] + radius * cos(angle), centre[1] + radius * sin(angle), 0);
    }
    const uint32_t top = mesh_add_vertex(m, centre[0], centre[1], height);
    for (uint32_t k = 0; k < 6; k++) mesh_add_triangle(m, foot + k, foot + (k + 1) % 6, top);
    uint32_t side = 0;
    for (int c = 0; c < 4; c++) {
        for (int k = 0; k < sees[c]; k++, side++)
            mesh_add_triangle(m, corners[c], foot + (side + 1) % 6, foot + side % 6);
        mesh_add_triangle(m, corners[c], corners[(c + 1) % 4], foot + side % 6);
    }
}

void mesh_make_spikes(mesh *m, const double size[2], const uint32_t spikes[2], double height, double radius)
{
    const uint32_t row = spikes[0] + 1;
    for (uint32_t j = 0; j <= spikes[1] && !m->failed; j++)
        for (uint32_t i = 0; i <= spikes[0]; i++)
            mesh_add_vertex(m, size[0] * ((double)i / spikes[0] - 0.5), size[1] * ((double)j / spikes[1] - 0.5), 0);
    for (uint32_t j = 0; j < spikes[1]; j++)
        for (uint32_t i = 0; i < spikes[0] && !m->failed; i++) {
            const uint32_t low = j * row + i, corners[4] = {low, low + 1, low + row + 1, low + row};
            const double centre[2] = {size[0] * ((i + 0.5) / spikes[0] - 0.5), size[1] * ((j + 0.5) / spikes[1] - 0.5)};
            add_spike(m, corners, centre, height, radius);
        }
}
