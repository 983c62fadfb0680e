/* VTK's XML polydata, with arrays as base64 in the file: the variant that ParaView, VTK and OVITO can all read. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "frame/compact.h"
#include "output/results/export_frame.h"
#include "output/results/strain.h"

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Adds bytes one after another; each third byte completes four characters. */
typedef struct encoder {
    sink *s;
    unsigned char held[3];
    size_t count;
} encoder;

static void emit(encoder *n)
{
    uint32_t bits = (uint32_t)n->held[0] << 16 | (uint32_t)n->held[1] << 8 | n->held[2];
    char letters[4];
    for (unsigned k = 0; k < 4; k++) letters[k] = k <= n->count ? base64[bits >> (18 - 6 * k) & 63] : '=';
    text_add_bytes(&n->s->text, letters, 4);
    memset(n->held, 0, sizeof n->held);
    n->count = 0;
}

static void encode(encoder *n, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        n->held[n->count++] = bytes[i];
        if (n->count == 3) emit(n);
        if (i % 4096 == 0) sink_pass(n->s);
    }
}

static void finish(encoder *n)
{
    if (n->count > 0) emit(n);
}

/* The tag of the array, and the size in front of its data (in separate base64). */
static encoder begin_array(sink *s, const char *type, const char *name, int components, uint64_t bytes)
{
    encoder n = {.s = s};
    text_add(&s->text, "<DataArray type=\"%s\" Name=\"%s\"", type, name);
    if (components > 1) text_add(&s->text, " NumberOfComponents=\"%d\"", components);
    text_add(&s->text, " format=\"binary\">");
    encode(&n, &bytes, sizeof bytes);
    finish(&n);
    return n;
}

static void end_array(encoder *n)
{
    finish(n);
    text_add(&n->s->text, "</DataArray>\n");
}

static void vectors(sink *s, const char *name, const double *data, const carom_frame *f)
{
    encoder n = begin_array(s, "Float64", name, 3, f->count * 3 * sizeof(double));
    size_t dimension = (size_t)f->dimension;
    for (size_t i = 0; i < f->count; i++) {
        double x[3] = {0};
        memcpy(x, data + i * dimension, dimension * sizeof *x);
        encode(&n, x, sizeof x);
    }
    end_array(&n);
}

static void scalars(sink *s, const char *type, const char *name, const void *data, size_t size, const carom_frame *f)
{
    encoder n = begin_array(s, type, name, 1, f->count * size);
    encode(&n, data, f->count * size);
    end_array(&n);
}

/* An unchanged array of the frame. */
static void channel(sink *s, const frame_channel *c, const carom_frame *f)
{
    static const char *const types[] = {
        [SNAPSHOT_U8] = "UInt8",  [SNAPSHOT_I32] = "Int32",  [SNAPSHOT_U32] = "UInt32",
        [SNAPSHOT_I64] = "Int64", [SNAPSHOT_U64] = "UInt64", [SNAPSHOT_F64] = "Float64"};
    const size_t width = channel_width(c, f->dimension), bytes = f->count * width * snapshot_element_size(c->type);
    encoder n = begin_array(s, types[c->type], c->name, (int)width, bytes);
    encode(&n, frame_array(f, c), bytes);
    end_array(&n);
}

/* Each particle is one vertex cell. */
static void vertices(sink *s, const carom_frame *f)
{
    static const char *const names[] = {"connectivity", "offsets"};
    text_add(&s->text, "<Verts>\n");
    for (int64_t k = 0; k < 2; k++) {
        encoder n = begin_array(s, "Int64", names[k], 1, f->count * sizeof(int64_t));
        for (size_t i = 0; i < f->count; i++) {
            int64_t value = (int64_t)i + k;
            encode(&n, &value, sizeof value);
        }
        end_array(&n);
    }
    text_add(&s->text, "</Verts>\n");
}

/* Springs, segments and triangles of meshes that are present, without those that cross a periodic boundary, which would be
 * drawn across the box. */
typedef struct lines {
    uint32_t (*ends)[2];
    uint32_t (*corners)[3];
    uint8_t *kind; /* of all cells: 0 the particles, 1 springs, 2 segments, 3 triangles */
    size_t count, triangles;
    uint32_t *place; /* [points]: number of a point in the file, which omits absent particles */
    size_t points;
} lines;

static bool crosses(const carom_frame *f, uint32_t i, uint32_t j)
{
    size_t dimension = (size_t)f->dimension;
    for (size_t k = 0; k < dimension; k++)
        if (f->boundary[k] == FRAME_PERIODIC &&
            fabs(f->position[i * dimension + k] - f->position[j * dimension + k]) > 0.5 * f->box[k])
            return true;
    return false;
}

static void add_lines(lines *l, const carom_frame *f, uint32_t *const ends[2], size_t count, uint8_t kind)
{
    for (size_t n = 0; n < count; n++) {
        if (crosses(f, ends[0][n], ends[1][n])) continue;
        for (int k = 0; k < 2; k++) l->ends[l->count][k] = l->place[ends[k][n]];
        l->kind[l->points + l->count++] = kind;
    }
}

static void add_triangles(lines *l, const carom_frame *f, const result_mesh *m)
{
    for (size_t t = 0; t < m->triangle_count; t++) {
        uint32_t at[3];
        for (int k = 0; k < 3; k++) at[k] = m->first + m->triangles[t][k];
        if (crosses(f, at[0], at[1]) || crosses(f, at[1], at[2]) || crosses(f, at[2], at[0])) continue;
        for (int k = 0; k < 3; k++) l->corners[l->triangles][k] = l->place[at[k]];
        l->kind[l->points + l->count + l->triangles++] = 3;
    }
}

static bool find_lines(lines *l, const carom_frame *f, const result_links *links)
{
    size_t most = links->springs + links->segments, triangles = 0;
    for (size_t k = 0; k < links->meshes; k++) triangles += links->mesh[k].triangle_count;
    *l = (lines){.ends = memory_new(most, sizeof *l->ends),
                 .corners = memory_new(triangles, sizeof *l->corners),
                 .kind = NEW_ARRAY(f->count + most + triangles, uint8_t),
                 .place = NEW_ARRAY(f->count, uint32_t)};
    if (l->ends == NULL || l->corners == NULL || l->kind == NULL || l->place == NULL) return false;
    const size_t particles = frame_particles(f);
    for (size_t i = 0; i < f->count; i++)
        l->place[i] = (uint32_t)(i < particles && frame_is_absent(f, i) ? l->points : l->points++);
    add_lines(l, f, links->spring, links->springs, 1);
    add_lines(l, f, links->segment, links->segments, 2);
    for (size_t k = 0; k < links->meshes; k++)
        if (!links_mesh_is_absent(links, k, f)) add_triangles(l, f, &links->mesh[k]);
    return true;
}

static void free_lines(lines *l)
{
    memory_free(l->ends);
    memory_free(l->corners);
    memory_free(l->kind);
    memory_free(l->place);
}

/* Cells of `width` points each. */
static void write_cells(sink *s, const char *what, const uint32_t *points, size_t count, size_t width)
{
    text_add(&s->text, "<%s>\n", what);
    encoder n = begin_array(s, "Int64", "connectivity", 1, width * count * sizeof(int64_t));
    for (size_t i = 0; i < width * count; i++) {
        int64_t value = points[i];
        encode(&n, &value, sizeof value);
    }
    end_array(&n);
    n = begin_array(s, "Int64", "offsets", 1, count * sizeof(int64_t));
    for (size_t i = 1; i <= count; i++) {
        int64_t value = (int64_t)(width * i);
        encode(&n, &value, sizeof value);
    }
    end_array(&n);
    text_add(&s->text, "</%s>\n", what);
}

/* Data of meshes that are not part of frames. */
typedef struct shells {
    mesh_strain rest;
    uint32_t *mesh; /* [points]: mesh of the vertex, from 1; 0: a particle */
    double *strain; /* [points] */
} shells;

static void free_shells(shells *all)
{
    strain_free(&all->rest);
    memory_free(all->mesh);
    memory_free(all->strain);
}

/* f: the first frame. */
static carom_status find_shells(shells *all, const result_links *links, const carom_frame *f, error *e)
{
    *all = (shells){0};
    if (links->meshes == 0) return CAROM_OK;
    TRY(strain_create(&all->rest, links, f, e));
    all->mesh = NEW_ARRAY(f->count, uint32_t);
    all->strain = NEW_ARRAY(f->count, double);
    if (all->mesh == NULL || all->strain == NULL) return error_memory(e, "meshes", f->count * sizeof *all->strain);
    for (size_t k = 0; k < links->meshes; k++)
        for (size_t i = 0; i < links->mesh[k].vertices; i++) all->mesh[links->mesh[k].first + i] = (uint32_t)k + 1;
    return CAROM_OK;
}

static void write_kinds(sink *s, const carom_frame *f, const lines *l)
{
    text_add(&s->text, "<CellData>\n");
    const size_t count = f->count + l->count + l->triangles;
    encoder n = begin_array(s, "UInt8", "kind", 1, count);
    encode(&n, l->kind, count);
    end_array(&n);
    text_add(&s->text, "</CellData>\n");
}

static void write_point_data(sink *s, const carom_frame *f, const shells *meshes)
{
    scalars(s, "Float64", "radius", f->radius, sizeof *f->radius, f);
    scalars(s, "Float64", "mass", f->mass, sizeof *f->mass, f);
    vectors(s, "velocity", f->velocity, f);
    scalars(s, "UInt32", "species", f->species, sizeof *f->species, f);
    scalars(s, "UInt32", "id", f->id, sizeof *f->id, f);
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS && (c->exports & CHANNEL_IN_VTP) && frame_has(f, c)) channel(s, c, f);
    if (meshes->mesh == NULL) return;
    scalars(s, "UInt32", "mesh", meshes->mesh, sizeof *meshes->mesh, f);
    scalars(s, "Float64", "strain", meshes->strain, sizeof *meshes->strain, f);
}

static void write_vtp(sink *s, const carom_frame *f, const lines *l, const shells *meshes)
{
    text_add(&s->text,
             "<?xml version=\"1.0\"?>\n"
             "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
             "<PolyData>\n<FieldData>\n");
    text_add(&s->text, "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    text_add_number(&s->text, f->time);
    text_add(&s->text, "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\"", f->count,
             f->count);
    if (l->count > 0) text_add(&s->text, " NumberOfLines=\"%zu\"", l->count);
    if (l->triangles > 0) text_add(&s->text, " NumberOfPolys=\"%zu\"", l->triangles);
    text_add(&s->text, ">\n<PointData>\n");
    write_point_data(s, f, meshes);
    text_add(&s->text, "</PointData>\n");
    if (l->count + l->triangles > 0) write_kinds(s, f, l);
    text_add(&s->text, "<Points>\n");
    vectors(s, "Points", f->position, f);
    text_add(&s->text, "</Points>\n");
    vertices(s, f);
    if (l->count > 0) write_cells(s, "Lines", l->ends[0], l->count, 2);
    if (l->triangles > 0) write_cells(s, "Polys", l->corners[0], l->triangles, 3);
    text_add(&s->text, "</Piece>\n</PolyData>\n</VTKFile>\n");
}

static void xml_text(text_buffer *t, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *safe = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '"' ? "&quot;" : NULL;
        if (safe != NULL)
            text_add(t, "%s", safe);
        else
            text_add_bytes(t, text, 1);
    }
}

/* Particles precede vertices: without the first `gone` numbers, data of meshes are those of the points that are left. */
static shells without(const shells *meshes, size_t gone)
{
    shells left = *meshes;
    if (left.mesh != NULL) left.mesh += gone;
    if (left.strain != NULL) left.strain += gone;
    return left;
}

static carom_status write_one(const carom_frame *f, const result_links *links, const shells *meshes, const char *path,
                              bool force, error *e)
{
    sink s;
    lines l;
    carom_frame room = {0}, present = *f;
    carom_status status = find_lines(&l, f, links) ? CAROM_OK : error_memory(e, "the lines", f->count);
    if (status == CAROM_OK && f->present != NULL) status = frame_compact(f, &room, &present, e);
    const shells left = without(meshes, f->count - present.count);
    if (status == CAROM_OK) status = sink_open(&s, path, force, e);
    if (status == CAROM_OK) {
        write_vtp(&s, &present, &l, &left);
        status = sink_close(&s, CAROM_OK, e);
    }
    frame_destroy(&room);
    free_lines(&l);
    return status;
}

/* path: relative to the folder of the list. */
static void list_one(sink *list, double time, const char *path)
{
    text_add(&list->text, "<DataSet timestep=\"");
    text_add_number(&list->text, time);
    text_add(&list->text, "\" part=\"0\" file=\"");
    xml_text(&list->text, path);
    text_add(&list->text, "\"/>\n");
}

static carom_status write_frames(const reader *r, carom_frame *f, const result_links *links, const char *folder,
                                 bool force, sink *list, error *e)
{
    const char *slash = strrchr(folder, '/');
    const size_t above = slash != NULL ? (size_t)(slash + 1 - folder) : 0;
    shells meshes = {0};
    carom_status status = CAROM_OK;
    for (uint64_t n = 0; n < reader_about(r)->frames && status == CAROM_OK; n++) {
        char *path = export_name(folder, n, ".vtp");
        status = path != NULL ? export_frame(r, n, f, e) : error_memory(e, "a file name", strlen(folder));
        if (status == CAROM_OK && n == 0) status = find_shells(&meshes, links, f, e);
        if (status == CAROM_OK && meshes.strain != NULL) strain_find(&meshes.rest, links, f, meshes.strain);
        if (status == CAROM_OK) status = write_one(f, links, &meshes, path, force, e);
        if (status == CAROM_OK) list_one(list, f->time, path + above);
        memory_free(path);
    }
    free_shells(&meshes);
    return status;
}

static carom_status write_all(const reader *r, carom_frame *f, const char *folder, bool force, sink *list, error *e)
{
    result_links links;
    TRY(reader_links(r, &links, e));
    text_add(&list->text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                          "byte_order=\"LittleEndian\">\n<Collection>\n");
    const carom_status status = write_frames(r, f, &links, folder, force, list, e);
    text_add(&list->text, "</Collection>\n</VTKFile>\n");
    links_free(&links);
    return status;
}

static carom_status write_files(const reader *r, carom_frame *f, const char *target, bool force, error *e)
{
    sink list;
    const size_t length = strlen(target);
    const bool frame = length > 4 && strcmp(target + length - 4, ".vtp") == 0;
    char *folder = export_folder(target, frame ? ".vtp" : ".pvd");
    char *path = folder != NULL ? memory_format("%s.pvd", folder) : NULL;
    carom_status status =
        path != NULL ? sink_open(&list, path, force, e) : error_memory(e, "a file name", strlen(target));
    if (status == CAROM_OK) status = sink_close(&list, write_all(r, f, folder, force, &list, e), e);
    memory_free(folder);
    memory_free(path);
    return status;
}

const export_format export_vtp = {.name = "vtp", .write_files = write_files};
