/* Detects crashes of the mesh readers, and meshes with NaN or missing corners that they accept; an accepted mesh can
 * be checked, written and read again. The first byte selects the format. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/check.h"
#include "mesh/read.h"
#include "mesh/topology.h"
#include "mesh/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool truth)
{
    if (!truth) abort();
}

static void need_same(const mesh *a, const mesh *b)
{
    need(a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count);
    for (size_t i = 0; i < 3 * a->vertex_count; i++) need(a->vertices[i / 3][i % 3] == b->vertices[i / 3][i % 3]);
    need(memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0);
}

static void look_at(const mesh *m)
{
    error e = {0};
    mesh_report report;
    for (size_t i = 0; i < 3 * m->vertex_count; i++) need(isfinite(m->vertices[i / 3][i % 3]));
    for (size_t i = 0; i < 3 * m->triangle_count; i++) need(m->triangles[i / 3][i % 3] < m->vertex_count);
    need(mesh_check(&report, m, true, &e) == CAROM_OK);
    carom_status status = mesh_report_faults(&report, (error_place){.text = "fuzz"}, "m", &e);
    need((status == CAROM_OK) == (e.length == 0));
    error_clear(&e);
}

static void write_and_read(const mesh *m, mesh_format format)
{
    text_buffer text = {0};
    mesh again;
    error e = {0};
    (format == MESH_OBJ ? mesh_write_obj : mesh_write_ply)(&text, m);
    need(mesh_parse(&again, format, "fuzz", text.data, text.length, &e) == CAROM_OK);
    need_same(m, &again);
    mesh_free(&again);
    text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh m;
    error e = {0};
    if (size == 0) return 0;
    mesh_format format = (mesh_format)(data[0] % MESH_FORMATS);
    carom_status status = mesh_parse(&m, format, "fuzz", (const char *)data + 1, size - 1, &e);
    need(status == e.status);
    if (status == CAROM_OK) {
        look_at(&m);
        write_and_read(&m, MESH_OBJ);
        write_and_read(&m, MESH_PLY);
    } else {
        need(status == CAROM_BAD_DATA && e.length > 0 && m.vertices == NULL && m.triangles == NULL);
    }
    mesh_free(&m);
    error_clear(&e);
    return 0;
}
