/* The meshes of a result, one file for each frame: Wavefront OBJ with one object for each mesh, or PLY with all
 * meshes; without those that are absent. */
#include <string.h>

#include "base/memory.h"
#include "mesh/write.h"
#include "output/results/export_frame.h"

/* Unwrapped positions. */
static void place_vertices(mesh *m, const carom_frame *f, const result_mesh *from)
{
    for (size_t n = 0; n < from->vertices; n++) {
        double x[3];
        for (size_t k = 0; k < 3; k++) x[k] = frame_unwrapped(f, from->first + n, k);
        mesh_add_vertex(m, x[0], x[1], x[2]);
    }
}

static void add_mesh(mesh *m, const carom_frame *f, const result_mesh *from)
{
    const uint32_t first = (uint32_t)m->vertex_count;
    place_vertices(m, f, from);
    for (size_t t = 0; t < from->triangle_count; t++) {
        const uint32_t *at = from->triangles[t];
        mesh_add_triangle(m, first + at[0], first + at[1], first + at[2]);
    }
}

static void write_obj(text_buffer *out, const carom_frame *f, const result_links *links, mesh *m)
{
    size_t before = 0;
    for (size_t k = 0; k < links->meshes; k++) {
        if (links_mesh_is_absent(links, k, f)) continue;
        place_vertices(m, f, &links->mesh[k]);
        text_add(out, "o %s\n", links->mesh[k].name);
        mesh_write_obj_from(out, m, before);
        for (size_t t = 0; t < links->mesh[k].triangle_count; t++) {
            const uint32_t *at = links->mesh[k].triangles[t];
            text_add(out, "f %zu %zu %zu\n", before + at[0] + 1, before + at[1] + 1, before + at[2] + 1);
        }
        before = m->vertex_count;
    }
}

static carom_status write_frame(const carom_frame *f, const result_links *links, const char *format, const char *path,
                                bool force, error *e)
{
    sink s;
    mesh all = {0};
    TRY(sink_open(&s, path, force, e));
    if (strcmp(format, "obj") == 0) {
        write_obj(&s.text, f, links, &all);
    } else {
        for (size_t k = 0; k < links->meshes; k++)
            if (!links_mesh_is_absent(links, k, f)) add_mesh(&all, f, &links->mesh[k]);
        mesh_write_ply(&s.text, &all);
    }
    carom_status status = mesh_done(&all, e);
    mesh_free(&all);
    return sink_close(&s, status, e);
}

static carom_status write_meshes(const reader *r, carom_frame *f, const char *format, const char *target, bool force,
                                 error *e)
{
    result_links links;
    TRY(reader_links(r, &links, e));
    char *ending = memory_format(".%s", format), *folder = ending != NULL ? export_folder(target, ending) : NULL;
    carom_status status = folder != NULL ? CAROM_OK : error_memory(e, "a file name", strlen(target));
    if (status == CAROM_OK && links.meshes == 0)
        status = error_set(e, CAROM_USAGE, "error: '%s' has no meshes; export it as xyz, vtp or csv", reader_path(r));
    for (uint64_t n = 0; n < reader_about(r)->frames && status == CAROM_OK; n++) {
        char *path = export_name(folder, n, ending);
        status = path != NULL ? export_frame(r, n, f, e) : error_memory(e, "a file name", strlen(folder));
        if (status == CAROM_OK) status = write_frame(f, &links, format, path, force, e);
        memory_free(path);
    }
    memory_free(ending);
    memory_free(folder);
    links_free(&links);
    return status;
}

static carom_status write_obj_files(const reader *r, carom_frame *f, const char *target, bool force, error *e)
{
    return write_meshes(r, f, "obj", target, force, e);
}

static carom_status write_ply_files(const reader *r, carom_frame *f, const char *target, bool force, error *e)
{
    return write_meshes(r, f, "ply", target, force, e);
}

const export_format export_obj = {.name = "obj", .write_files = write_obj_files};
const export_format export_ply = {.name = "ply", .write_files = write_ply_files};
