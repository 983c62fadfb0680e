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

static bool make_means(observed *o, const result_observable *given)
{
    double unknown[9];
    const uint8_t no = 0;
    for (int k = 0; k < 9; k++) unknown[k] = NAN;
    hsize_t width = o->width > 1 ? o->width : 0;
    return !o->has_mean ||
           (h5_attribute(o->group, "mean", SNAPSHOT_F64, width, unknown) &&
            h5_attribute(o->group, "error", SNAPSHOT_F64, width, unknown) &&
            h5_attribute(o->group, "error_converged", SNAPSHOT_U8, 0, &no) && quantity(o->group, given->unit));
}

static bool make_observable(hid_t parent, observed *o, const result_observable *given)
{
    const measure_result *shape = given->shape;
    const uint8_t series = shape->series;
    *o = (observed){.series = shape->series,
                    .has_mean = shape->has_mean,
                    .width = shape->width > 0 ? shape->width : 1,
                    .column_count = shape->column_count,
                    .columns = NEW_ARRAY(shape->column_count, column)};
    if (o->columns == NULL || o->width > 9) return false;
    o->group = h5_group(parent, given->name);
    if (o->group < 0 || !h5_text(o->group, "what", given->what) ||
        !h5_attribute(o->group, "series", SNAPSHOT_U8, 0, &series) || !make_means(o, given))
        return false;
    for (size_t i = 0; i < o->column_count; i++) {
        const measure_column *from = &shape->columns[i];
        const char *name = o->series && i == 0 ? "time" : from->name;
        if (!make_column(o->group, name, numbers(from->width), from->unit, &o->columns[i])) return false;
    }
    return !o->series || make_column(o->group, "step", (h5_row){.type = SNAPSHOT_U64}, NULL, &o->step);
}

static bool make_observables(result *r, const result_observable *observables)
{
    hid_t parent = h5_group(r->file, LAYOUT_OBSERVABLES);
    bool done = parent >= 0;
    for (size_t i = 0; done && i < r->observed_count; i++)
        done = make_observable(parent, &r->observed[i], &observables[i]);
    if (parent >= 0) H5Gclose(parent);
    return done;
}

/* The names and order of columns, for whoever reads them: HDF5 itself lists them by the alphabet. */
static bool name_columns(result *r, const result_observable *observables)
{
    for (size_t i = 0; i < r->observed_count; i++) {
        const char *names[16];
        observed *o = &r->observed[i];
        if (o->column_count > 16) return false;
        for (size_t c = 0; c < o->column_count; c++)
            names[c] = o->series && c == 0 ? "time" : observables[i].shape->columns[c].name;
        if (o->column_count > 0 && !h5_texts(o->group, "columns", names, o->column_count)) return false;
    }
    return true;
}

static bool make_complete(result *r)
{
    if (!h5_fixed(r->root, "complete", SNAPSHOT_U64, 1 + r->observed_count, r->lengths)) return false;
    r->complete = H5Dopen2(r->root, "complete", H5P_DEFAULT);
    return r->complete >= 0;
}

static carom_status cannot_create(const result *r, int failure, error *e)
{
    return error_set(e, failure == ENOSPC || failure == EFBIG || failure == EDQUOT ? CAROM_IO : CAROM_NO_CREATE,
                     "error: cannot create '%s': %s; choose a folder that can be written and has room", r->path,
                     failure != 0 ? strerror(failure) : "HDF5 refused");
}

carom_status result_build(result *r, const result_header *header, const result_observable *observables,
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
        make_observables(r, observables) && name_columns(r, observables) && make_complete(r))
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
