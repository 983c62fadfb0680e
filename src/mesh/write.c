#include "mesh/write.h"

#include <string.h>

void mesh_write_obj_from(text_buffer *out, const mesh *m, size_t first)
{
    for (size_t i = first; i < m->vertex_count; i++) {
        text_add_bytes(out, "v", 1);
        for (int k = 0; k < 3; k++) {
            text_add_bytes(out, " ", 1);
            text_add_number(out, m->vertices[i][k]);
        }
        text_add_bytes(out, "\n", 1);
    }
}

void mesh_write_obj(text_buffer *out, const mesh *m)
{
    mesh_write_obj_from(out, m, 0);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *corners = m->triangles[t];
        text_add(out, "f %llu %llu %llu\n", 1ull + corners[0], 1ull + corners[1], 1ull + corners[2]);
    }
}

static void add_little(text_buffer *out, uint64_t bits, size_t size)
{
    char bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (char)(unsigned char)(bits >> 8 * i);
    text_add_bytes(out, bytes, size);
}

void mesh_write_ply(text_buffer *out, const mesh *m)
{
    text_add(out,
             "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty double x\nproperty double y\nproperty "
             "double z\nelement face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
             m->vertex_count, m->triangle_count);
    for (size_t i = 0; i < 3 * m->vertex_count; i++) {
        uint64_t bits;
        memcpy(&bits, &m->vertices[i / 3][i % 3], sizeof bits);
        add_little(out, bits, 8);
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        add_little(out, 3, 1);
        for (int k = 0; k < 3; k++) add_little(out, m->triangles[t][k], 4);
    }
}
