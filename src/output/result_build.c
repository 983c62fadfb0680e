#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/result_file.h"

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static bool quantity(hid_t object, const char *word)
{
    return word == NULL || word[0] == '\0' || h5_text(object, "quantity", word);
}

static bool make_column(hid_t group, const char *name, h5_row row, const char *word, column *out)
{
    *out = (column){.dataset = h5_column(group, name, &row), .row = row};
    return out->dataset >= 0 && quantity(out->dataset, word);
}

static bool named_group(hid_t parent, const char *name, const char *attribute, const char *value, const char *version)
{
    hid_t group = h5_group(parent, name);
    if (group < 0) return false;
    bool done = h5_text(group, attribute, value) && (version == NULL || h5_text(group, "version", version));
    return H5Gclose(group) >= 0 && done;
}

static bool make_h5md(hid_t file, const result_header *header)
{
    const int32_t version[2] = {1, 1};
    hid_t group = h5_group(file, "h5md");
    if (group < 0) return false;
    bool done = h5_attribute(group, "version", SNAPSHOT_I32, 2, version) &&
                named_group(group, "author", "name", "unknown", NULL) &&
                named_group(group, "creator", "name", LAYOUT_CREATOR, text_or_empty(header->version));
    return H5Gclose(group) >= 0 && done;
}

static bool make_box(hid_t file, const carom_frame *first)
{
    const int32_t dimension = first->dimension;
    const char *boundary[3];
    for (int k = 0; k < first->dimension; k++) boundary[k] = first->boundary[k] == FRAME_PERIODIC ? "periodic" : "none";
    hid_t box = h5_group(file, "particles/all/box");
    if (box < 0) return false;
    bool done = h5_attribute(box, "dimension", SNAPSHOT_I32, 0, &dimension) &&
                h5_texts(box, "boundary", boundary, (hsize_t)dimension);
    hid_t edges = h5_group(box, "edges");
    done = done && edges >= 0;
    if (edges >= 0) H5Gclose(edges);
    return H5Gclose(box) >= 0 && done;
}

/* step and time are one dataset each, linked wherever H5MD wants them. */
static bool link_clock(hid_t file, const char *group)
{
    static const int clock[] = {ROW_STEP, ROW_TIME};
    for (size_t i = 0; i < 2; i++) {
        const char *from = row_fields[clock[i]].path;
        char to[64];
        snprintf(to, sizeof to, "%s%s", group, strrchr(from, '/'));
        if (H5Lcreate_hard(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT) < 0) return false;
    }
    return true;
}

static bool make_particles(result *r, const carom_frame *first)
{
    static const char *const groups[] = {"particles/all/position", "particles/all/velocity", "particles/all/image",
                                         "carom/frames"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        hid_t group = h5_group(r->file, groups[i]);
        if (group < 0 || H5Gclose(group) < 0) return false;
    }
    if (!make_box(r->file, first)) return false;
    for (size_t i = 0; i < PARTICLE_FIELDS; i++)
        if (!make_column(r->file, particle_fields[i].path, particle_shape(&particle_fields[i], r->dimension, r->count),
                         particle_fields[i].quantity, &r->particles[i]))
            return false;
    for (size_t i = 0; i < ROW_FIELDS; i++)
        if (!make_column(r->file, row_fields[i].path, row_shape(&row_fields[i], r->dimension), row_fields[i].quantity,
                         &r->rows[i]))
            return false;
    for (size_t i = 0; i < FIXED_FIELDS; i++)
        if (!h5_fixed(r->file, fixed_fields[i].path, fixed_fields[i].type, r->count,
                      frame_array(first, &fixed_fields[i])))
            return false;
    return link_clock(r->file, "particles/all/velocity") && link_clock(r->file, "particles/all/image") &&
           link_clock(r->file, "particles/all/box/edges") && link_clock(r->file, "carom/frames");
}

static bool make_carom(result *r, const result_header *header, const carom_frame *first)
{
    const int32_t layout = LAYOUT_VERSION, threads = header->threads;
    const uint64_t nothing[EVENT_KINDS] = {0};
    const double start = first->time;
    static const char *const boundaries[] = {"periodic", "wall", "open"};
    const char *boundary[3];
    for (int k = 0; k < 3; k++) boundary[k] = boundaries[first->boundary[k]];
    r->root = H5Gopen2(r->file, "carom", H5P_DEFAULT);
    return r->root >= 0 && h5_attribute(r->root, "layout", SNAPSHOT_I32, 0, &layout) &&
           h5_text(r->root, "version", text_or_empty(header->version)) &&
           h5_text(r->root, "commit", text_or_empty(header->commit)) &&
           h5_text(r->root, "scene", text_or_empty(header->scene)) &&
           h5_text(r->root, "title", text_or_empty(header->title)) &&
           h5_text(r->root, "engine", text_or_empty(header->engine)) &&
           h5_text(r->root, "flags", text_or_empty(header->flags)) &&
           h5_texts(r->root, "species", header->species, header->species_count) &&
           h5_texts(r->root, "boundary", boundary, 3) &&
           h5_texts(r->root, "event_kinds", event_kind_names, EVENT_KINDS) &&
           h5_attribute(r->root, "seed", SNAPSHOT_U64, 0, &header->seed) &&
           h5_attribute(r->root, "threads", SNAPSHOT_I32, 0, &threads) &&
           h5_attribute(r->root, "gravity", SNAPSHOT_F64, 3, first->gravity) &&
           h5_word(r->root, "stop", "none", true) && h5_word(r->root, "state_hash", "", true) &&
           h5_attribute(r->root, "time", SNAPSHOT_F64, 0, &start) &&
           h5_attribute(r->root, "events", SNAPSHOT_U64, EVENT_KINDS, nothing) &&
           make_column(r->root, "summary", (h5_row){.type = SNAPSHOT_U8}, NULL, &r->summary);
}

static h5_row numbers(size_t width)
{
    return (h5_row){.type = SNAPSHOT_F64, .rank = width > 1, .dims = {width}};
}

static hid_t make_value(hid_t parent, const measure_value *value)
{
    double unknown[MEASURE_WIDTH];
    const uint8_t no = 0;
    for (int k = 0; k < MEASURE_WIDTH; k++) unknown[k] = NAN;
    hsize_t width = value->width > 1 ? value->width : 0;
    hid_t group = h5_group(parent, value->name);
    if (group >= 0 && h5_attribute(group, "mean", SNAPSHOT_F64, width, unknown) &&
        h5_attribute(group, "error", SNAPSHOT_F64, width, unknown) &&
        h5_attribute(group, "converged", SNAPSHOT_U8, 0, &no) && quantity(group, value->unit))
        return group;
    return -1;
}

/* Names are listed in their order: HDF5 itself lists by the alphabet. */
static bool list_names(hid_t group, const char *attribute, const char *const *names, size_t count)
{
    bool done = names != NULL && h5_texts(group, attribute, names, count);
    memory_free((void *)(uintptr_t)names);
    return done;
}

static bool list_columns(hid_t group, const measure_table *shape)
{
    const char **names = NEW_ARRAY(shape->column_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->column_count; i++) names[i] = shape->columns[i].name;
    return list_names(group, "columns", names, shape->column_count);
}

static bool list_tables(hid_t group, const measure_result *shape)
{
    const char **names = NEW_ARRAY(shape->table_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->table_count; i++) names[i] = shape->tables[i].name;
    return list_names(group, "tables", names, shape->table_count);
}

static bool list_values(hid_t group, const measure_result *shape)
{
    const char **names = NEW_ARRAY(shape->value_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->value_count; i++) names[i] = shape->values[i].name;
    return list_names(group, "names", names, shape->value_count);
}

static bool list_observables(hid_t group, const result_observable *watched, size_t count)
{
    const char **names = NEW_ARRAY(count, const char *);
    for (size_t i = 0; names != NULL && i < count; i++) names[i] = watched[i].name;
    return list_names(group, "names", names, count);
}

static bool make_table(hid_t parent, table *t, const measure_table *shape)
{
    const uint8_t series = shape->series;
    *t = (table){.series = shape->series, .column_count = shape->column_count};
    t->columns = NEW_ARRAY(shape->column_count, column);
    hid_t group = t->columns != NULL ? h5_group(parent, shape->name) : -1;
    bool done = group >= 0 && h5_attribute(group, "series", SNAPSHOT_U8, 0, &series) && list_columns(group, shape);
    for (size_t i = 0; done && i < t->column_count; i++) {
        const measure_column *c = &shape->columns[i];
        done = make_column(group, c->name, numbers(c->width), c->unit, &t->columns[i]);
    }
    if (done && t->series) done = make_column(group, "step", (h5_row){.type = SNAPSHOT_U64}, NULL, &t->step);
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool make_observable(hid_t parent, observed *o, const result_observable *given)
{
    const measure_result *shape = given->shape;
    *o = (observed){.tables = NEW_ARRAY(shape->table_count, table), .values = NEW_ARRAY(shape->value_count, hid_t)};
    hid_t group = h5_group(parent, given->name), values = group >= 0 ? h5_group(group, "values") : -1;
    bool done = values >= 0 && o->tables != NULL && o->values != NULL && h5_text(group, "what", given->what) &&
                list_tables(group, shape) && list_values(values, shape);
    for (size_t i = 0; done && i < shape->value_count; i++) {
        o->values[o->value_count++] = make_value(values, &shape->values[i]);
        done = o->values[i] >= 0;
    }
    for (size_t i = 0; done && i < shape->table_count; i++)
        done = make_table(group, &o->tables[o->table_count++], &shape->tables[i]);
    if (values >= 0) H5Gclose(values);
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool make_observables(result *r, const result_observable *watched)
{
    hid_t parent = h5_group(r->file, LAYOUT_OBSERVABLES);
    bool done = parent >= 0 && list_observables(parent, watched, r->observed_count);
    for (size_t i = 0; done && i < r->observed_count; i++) done = make_observable(parent, &r->observed[i], &watched[i]);
    if (parent >= 0) H5Gclose(parent);
    return done;
}

static bool make_complete(result *r)
{
    if (!h5_fixed(r->root, "complete", SNAPSHOT_U64, 1 + r->table_count, r->lengths)) return false;
    r->complete = H5Dopen2(r->root, "complete", H5P_DEFAULT);
    return r->complete >= 0;
}

static carom_status cannot_create(const result *r, int failure, error *e)
{
    return error_set(e, failure == ENOSPC || failure == EFBIG || failure == EDQUOT ? CAROM_IO : CAROM_NO_CREATE,
                     "error: cannot create '%s': %s; choose a folder that can be written and has room", r->path,
                     failure != 0 ? strerror(failure) : "HDF5 refused");
}

carom_status result_build(result *r, const result_header *header, const result_observable *watched,
                          const carom_frame *first, error *e)
{
    r->aside = memory_format("%s.part", r->path);
    if (r->aside == NULL) return error_memory(e, "a file name", strlen(r->path));
    unlink(r->aside);
    hid_t access = h5_access();
    if (access < 0) return error_memory(e, "an HDF5 file", 0);
    r->file = H5Fcreate(r->aside, H5F_ACC_EXCL, H5P_DEFAULT, access);
    H5Pclose(access);
    if (r->file < 0) return cannot_create(r, h5_errno(), e);
    if (make_h5md(r->file, header) && make_particles(r, first) && make_carom(r, header, first) &&
        make_observables(r, watched) && make_complete(r))
        return CAROM_OK;
    return result_fail(r, e);
}

/* Gives the file its name. A link, unlike a rename, does not replace what is there; but not every file system has it. */
static int take_place(const result *r, bool force)
{
    if (force) return rename(r->aside, r->path) == 0 ? 0 : errno;
    if (link(r->aside, r->path) == 0) return unlink(r->aside) == 0 ? 0 : errno;
    if (errno == EEXIST) return EEXIST;
    if (access(r->path, F_OK) == 0) return EEXIST;
    return rename(r->aside, r->path) == 0 ? 0 : errno;
}

carom_status result_begin(result *r, bool force, error *e)
{
    if (H5Fstart_swmr_write(r->file) < 0) return result_fail(r, e);
    TRY(result_flush(r, e));
    int failure = take_place(r, force);
    if (failure != 0) return cannot_create(r, failure, e);
    memory_free(r->aside);
    r->aside = NULL;
    return CAROM_OK;
}
