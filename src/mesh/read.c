#define _POSIX_C_SOURCE 200809L /* strcasecmp */
#include "mesh/read.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/text_file.h"
#include "mesh/scan.h"

static const struct {
    const char *ending;
    carom_status (*parse)(scan *s);
} formats[MESH_FORMATS] = {[MESH_OBJ] = {".obj", obj_parse},
                           [MESH_STL] = {".stl", stl_parse},
                           [MESH_PLY] = {".ply", ply_parse},
                           [MESH_OFF] = {".off", off_parse},
                           [MESH_GMSH] = {".msh", gmsh_parse}};

carom_status mesh_parse(mesh *m, mesh_format format, const char *name, const char *data, size_t length, error *e)
{
    *m = (mesh){0};
    scan s = {m, name, lines_begin(data, length), e};
    carom_status status = length > 0 ? formats[format].parse(&s) : SCAN_FILE_FAULT(&s, "%s", "the file is empty");
    if (status == CAROM_OK) status = mesh_done(m, e);
    if (status == CAROM_OK && m->triangle_count == 0) status = SCAN_FILE_FAULT(&s, "%s", "the file holds no triangles");
    if (status != CAROM_OK) mesh_free(m);
    return status;
}

static mesh_format format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    mesh_format format = 0;
    while (format < MESH_FORMATS && (ending == NULL || strcasecmp(ending, formats[format].ending) != 0)) format++;
    return format;
}

bool mesh_is_readable(const char *path)
{
    return format_of(path) != MESH_FORMATS;
}

carom_status mesh_read(mesh *m, const char *path, error *e)
{
    struct stat about;
    char *data = NULL;
    size_t length = 0;
    mesh_format format = format_of(path);
    *m = (mesh){0};
    if (format == MESH_FORMATS)
        return error_set_at(e, CAROM_BAD_DATA, path, 0, "the name of a mesh file ends in " MESH_ENDINGS);
    if (stat(path, &about) != 0)
        return error_set_at(e, CAROM_NO_INPUT, path, 0, "the mesh cannot be opened: %s", strerror(errno));
    if (!S_ISREG(about.st_mode)) return error_set_at(e, CAROM_NO_INPUT, path, 0, "not a regular file");
    carom_status status = text_file_read(path, "mesh", "make it coarser", &data, &length, e);
    if (status == CAROM_OK) status = mesh_parse(m, format, path, data, length, e);
    memory_free(data);
    return status;
}
