#include "output/results/meshes.h"

#include <string.h>

#include "base/memory.h"
#include "scene/state.h"

static const h5_row corners = {.type = SNAPSHOT_U32, .rank = 1, .dims = {3}};

carom_status meshes_of_state(result_mesh **out, size_t *count, const scene *s, const initial_state *state, error *e)
{
    *count = 0;
    *out = NEW_ARRAY(state->mesh_count, result_mesh);
    if (*out == NULL) return error_memory(e, "the meshes", state->mesh_count * sizeof **out);
    for (size_t k = 0; k < state->mesh_count; k++) {
        const mesh *from = &state->meshes[k];
        if (state->mesh_first[k] == state->mesh_first[k + 1]) continue;
        result_mesh *m = &(*out)[(*count)++];
        *m = (result_mesh){.name = memory_text(s->meshes[k].name),
                           .first = (uint32_t)state->mesh_first[k],
                           .vertices = (uint32_t)from->vertex_count,
                           .rigid = s->meshes[k].rigid,
                           .triangles = memory_new(from->triangle_count, sizeof *m->triangles),
                           .triangle_count = from->triangle_count};
        const char *repairs = state->repairs[k];
        m->repairs = repairs != NULL ? memory_text(repairs) : NULL;
        if (m->name == NULL || m->triangles == NULL || (repairs != NULL && m->repairs == NULL))
            return error_memory(e, "the meshes", from->triangle_count * sizeof *m->triangles);
        memcpy(m->triangles, from->triangles, from->triangle_count * sizeof *m->triangles);
    }
    return CAROM_OK;
}

void meshes_free(result_mesh *meshes, size_t count)
{
    for (size_t k = 0; meshes != NULL && k < count; k++) {
        memory_free(meshes[k].name);
        memory_free(meshes[k].repairs);
        memory_free(meshes[k].triangles);
    }
    memory_free(meshes);
}

static bool store(hid_t parent, const result_mesh *m)
{
    hid_t group = h5_group(parent, m->name);
    hid_t dataset = group >= 0 ? h5_column(group, "triangles", &corners, 0) : -1;
    bool done = dataset >= 0 && h5_append(dataset, &corners, 0, m->triangle_count, m->triangles) &&
                h5_seal(dataset, h5_digest(m->triangles, m->triangle_count * sizeof *m->triangles), true) &&
                h5_attribute(group, "first", SNAPSHOT_U32, 0, &m->first) &&
                h5_attribute(group, "vertices", SNAPSHOT_U32, 0, &m->vertices) &&
                h5_attribute(group, "rigid", SNAPSHOT_U32, 0, &m->rigid) &&
                (m->repairs == NULL || h5_text(group, "repairs", m->repairs));
    if (dataset >= 0) H5Dclose(dataset);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

bool meshes_store(hid_t root, const result_mesh *meshes, size_t count)
{
    if (count == 0) return true;
    const char **names = NEW_ARRAY(count, const char *);
    hid_t group = names != NULL ? h5_group(root, "meshes") : -1;
    for (size_t k = 0; k < count && names != NULL; k++) names[k] = meshes[k].name;
    bool done = group >= 0 && h5_texts(group, "names", names, count);
    for (size_t k = 0; k < count && done; k++) done = store(group, &meshes[k]);
    memory_free((void *)(uintptr_t)names);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

static carom_status load_triangles(hid_t group, result_mesh *m, error *e)
{
    hid_t dataset = H5Dopen2(group, "triangles", H5P_DEFAULT);
    int64_t rows = dataset >= 0 ? h5_rows(dataset, &corners) : -1;
    m->triangles = rows >= 0 ? memory_new((size_t)rows, sizeof *m->triangles) : NULL;
    bool good = m->triangles != NULL && h5_read_rows(dataset, &corners, 0, (hsize_t)rows, m->triangles);
    if (dataset >= 0) H5Dclose(dataset);
    if (rows >= 0 && m->triangles == NULL) return error_memory(e, "the meshes", (size_t)rows * sizeof *m->triangles);
    m->triangle_count = good ? (size_t)rows : 0;
    for (size_t i = 0; i < 3 * m->triangle_count; i++) good = good && m->triangles[i / 3][i % 3] < m->vertices;
    return good ? CAROM_OK : CAROM_BAD_DATA;
}

static carom_status load(hid_t parent, size_t particles, result_mesh *m, error *e)
{
    hid_t group = H5Gopen2(parent, m->name, H5P_DEFAULT);
    bool good = group >= 0 && h5_attribute_read(group, "first", SNAPSHOT_U32, 0, &m->first) &&
                h5_attribute_read(group, "vertices", SNAPSHOT_U32, 0, &m->vertices) &&
                h5_attribute_read(group, "rigid", SNAPSHOT_U32, 0, &m->rigid);
    good = good && (uint64_t)m->first + m->vertices <= particles;
    const bool repaired = good && H5Aexists(group, "repairs") > 0;
    m->repairs = repaired ? h5_text_read(group, "repairs") : NULL;
    good = good && (!repaired || m->repairs != NULL);
    carom_status status = good ? load_triangles(group, m, e) : CAROM_BAD_DATA;
    if (group >= 0) H5Gclose(group);
    return status;
}

typedef struct extent {
    size_t first, vertices;
} extent;

/* The names of many meshes are a dataset among the groups. */
static herr_t widen(hid_t parent, const char *name, const H5L_info_t *unused, void *data)
{
    (void)unused;
    uint32_t first, vertices;
    extent *all = data;
    hid_t object = H5Oopen(parent, name, H5P_DEFAULT);
    const bool names = object >= 0 && H5Iget_type(object) == H5I_DATASET;
    const bool good = object >= 0 && !names && h5_attribute_read(object, "first", SNAPSHOT_U32, 0, &first) &&
                      h5_attribute_read(object, "vertices", SNAPSHOT_U32, 0, &vertices);
    if (object >= 0) H5Oclose(object);
    if (names) return 0;
    if (!good) return -1;
    if (first < all->first) all->first = first;
    all->vertices += vertices;
    return 0;
}

bool meshes_count_vertices(hid_t file, size_t points, size_t *vertices)
{
    extent all = {points, 0};
    *vertices = 0;
    if (H5Lexists(file, "carom", H5P_DEFAULT) <= 0 || H5Lexists(file, "carom/meshes", H5P_DEFAULT) <= 0) return true;
    hid_t group = H5Gopen2(file, "carom/meshes", H5P_DEFAULT);
    const bool read =
        group >= 0 && H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, widen, &all) >= 0 && H5Gclose(group) >= 0;
    *vertices = all.vertices;
    return read && all.first + all.vertices == points;
}

carom_status meshes_load(hid_t file, size_t particles, result_mesh **out, size_t *count, error *e)
{
    char **names = NULL;
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, "carom/meshes", H5P_DEFAULT) <= 0) return CAROM_OK;
    hid_t group = H5Gopen2(file, "carom/meshes", H5P_DEFAULT);
    size_t listed = 0;
    carom_status status = group >= 0 ? h5_texts_read(group, "names", &names, &listed, e) : CAROM_BAD_DATA;
    if (status == CAROM_OK) *out = NEW_ARRAY(listed, result_mesh);
    if (status == CAROM_OK && *out == NULL) status = error_memory(e, "the meshes", listed * sizeof **out);
    for (size_t k = 0; k < listed && status == CAROM_OK; k++) {
        result_mesh *m = &(*out)[(*count)++];
        m->name = names[k];
        names[k] = NULL;
        status = load(group, particles, m, e);
    }
    h5_texts_free(names, listed);
    if (group >= 0) H5Gclose(group);
    return status;
}
