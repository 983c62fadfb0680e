/* H5MD in the form that MDAnalysis opens without arguments: the group `trajectory`, three dimensions, and the units
 * of MDAnalysis, so that it does not convert numbers. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/export_frame.h"

#define GROUP "particles/trajectory"

/* ID: if particles enter or leave; absent ones have the fill value. */
enum { POSITION, VELOCITY, IMAGE, EDGES, ID, ELEMENTS };

/* Time-dependent elements; all have the step and time of the first. */
static const struct {
    const char *path, *unit;
    snapshot_type type;
} elements[ELEMENTS] = {
    [POSITION] = {GROUP "/position", "Angstrom", SNAPSHOT_F64},
    [VELOCITY] = {GROUP "/velocity", "Angstrom ps-1", SNAPSHOT_F64},
    [IMAGE] = {GROUP "/image", NULL, SNAPSHOT_I64},
    [EDGES] = {GROUP "/box/edges", "Angstrom", SNAPSHOT_F64},
    [ID] = {GROUP "/id", NULL, SNAPSHOT_U32},
};

typedef struct h5md {
    hid_t file, value[ELEMENTS], step, time;
    h5_row row[ELEMENTS];
    double *number;  /* [points][3] */
    int64_t *image;  /* likewise */
    uint32_t *whole; /* [points] */
} h5md;

static hid_t column(hid_t group, const char *name, const h5_row *row, const char *unit)
{
    hid_t dataset = h5_column(group, name, row, 0);
    if (dataset < 0 || unit == NULL || h5_text_variable(dataset, "unit", unit)) return dataset;
    H5Dclose(dataset);
    return -1;
}

static bool make_element(h5md *h, int which, size_t points)
{
    const h5_row number = {.type = SNAPSHOT_U64}, real = {.type = SNAPSHOT_F64};
    h->row[which] = (h5_row){elements[which].type, which == ID ? 1 : 2, {which == EDGES ? 3 : points, 3}, which == ID};
    hid_t group = h5_group(h->file, elements[which].path);
    if (group < 0) return false;
    h->value[which] = column(group, "value", &h->row[which], elements[which].unit);
    bool done = h->value[which] >= 0;
    if (which == POSITION) {
        h->step = column(group, "step", &number, NULL);
        h->time = column(group, "time", &real, "ps");
        done = done && h->step >= 0 && h->time >= 0;
    } else {
        done = done && H5Lcreate_hard(h->file, GROUP "/position/step", group, "step", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
               H5Lcreate_hard(h->file, GROUP "/position/time", group, "time", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    return H5Gclose(group) >= 0 && done;
}

static bool named_group(hid_t file, const char *path, const char *name, const char *version)
{
    hid_t group = h5_group(file, path);
    if (group < 0) return false;
    const bool done =
        h5_text_variable(group, "name", name) && (version == NULL || h5_text_variable(group, "version", version));
    return H5Gclose(group) >= 0 && done;
}

static bool describe(const h5md *h, const carom_frame *f, const result_about *about)
{
    const int32_t version[2] = {1, 1}, dimension = 3;
    const char *boundary[3];
    for (int k = 0; k < 3; k++)
        boundary[k] = k < f->dimension && f->boundary[k] == FRAME_PERIODIC ? "periodic" : "none";
    hid_t group = h5_group(h->file, "h5md");
    bool done = group >= 0 && h5_attribute(group, "version", SNAPSHOT_I32, 2, version) &&
                named_group(h->file, "h5md/author", "unknown", NULL) &&
                named_group(h->file, "h5md/creator", LAYOUT_CREATOR, about->version);
    if (group >= 0) H5Gclose(group);
    group = done ? h5_group(h->file, GROUP "/box") : -1;
    done = group >= 0 && h5_attribute(group, "dimension", SNAPSHOT_I32, 0, &dimension) &&
           h5_texts(group, "boundary", boundary, 3);
    if (group >= 0) H5Gclose(group);
    return done;
}

/* Constant numbers of the points. */
static bool store_fixed(const h5md *h, const carom_frame *f, const export_points *all)
{
    bool done = true;
    for (int pass = 0; done && pass < 2; pass++) {
        for (size_t n = 0; n < all->count; n++) h->whole[n] = (pass == 0 ? f->species : f->id)[all->point[n]];
        if (pass == 0 || f->present == NULL)
            done = h5_fixed(h->file, pass == 0 ? GROUP "/species" : GROUP "/id", SNAPSHOT_U32, all->count, h->whole);
    }
    for (int pass = 0; done && pass < 2; pass++) {
        for (size_t n = 0; n < all->count; n++) h->number[n] = (pass == 0 ? f->radius : f->mass)[all->point[n]];
        done = h5_fixed(h->file, pass == 0 ? GROUP "/radius" : GROUP "/mass", SNAPSHOT_F64, all->count, h->number);
    }
    return done;
}

static bool append(const h5md *h, int which, uint64_t row, const void *data)
{
    return h5_append(h->value[which], &h->row[which], row, 1, data);
}

static bool store_frame(const h5md *h, const carom_frame *f, const export_points *all, uint64_t index)
{
    const h5_row number = {.type = SNAPSHOT_U64}, real = {.type = SNAPSHOT_F64};
    const uint64_t step = events_total(f->events);
    const size_t d = (size_t)f->dimension;
    double edges[3][3] = {{0}};
    bool done = h5_append(h->step, &number, index, 1, &step) && h5_append(h->time, &real, index, 1, &f->time);
    for (int which = POSITION; done && which <= VELOCITY; which++) {
        const double *from = which == POSITION ? f->position : f->velocity;
        for (size_t n = 0; n < all->count; n++)
            for (size_t k = 0; k < 3; k++) h->number[3 * n + k] = k < d ? from[all->point[n] * d + k] : 0;
        done = append(h, which, index, h->number);
    }
    for (size_t n = 0; n < all->count; n++)
        for (size_t k = 0; k < 3; k++) h->image[3 * n + k] = k < d ? f->image[all->point[n] * d + k] : 0;
    for (size_t k = 0; k < d; k++) edges[k][k] = f->box[k];
    for (size_t n = 0; f->present != NULL && n < all->count; n++) h->whole[n] = f->present[all->point[n]];
    if (f->present != NULL) done = done && append(h, ID, index, h->whole);
    return done && append(h, IMAGE, index, h->image) && append(h, EDGES, index, edges);
}

static carom_status cannot_write(const char *target, error *e)
{
    if (h5_no_memory()) return error_memory(e, "an HDF5 file", 0);
    return error_set(e, CAROM_IO, "error: cannot write '%s'; free disk space or choose another folder", target);
}

static carom_status write_file(h5md *h, const reader *r, carom_frame *f, const export_points *all, const char *target,
                               error *e)
{
    const result_about *about = reader_about(r);
    h->number = memory_new(all->count, 3 * sizeof *h->number);
    h->image = memory_new(all->count, 3 * sizeof *h->image);
    h->whole = NEW_ARRAY(all->count, uint32_t);
    if (h->number == NULL || h->image == NULL || h->whole == NULL)
        return error_memory(e, "an export", all->count * 3 * sizeof(double));
    h->file = H5Fcreate(target, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool done = h->file >= 0 && describe(h, f, about);
    for (int which = 0; done && which < ELEMENTS; which++)
        if (which != ID || f->present != NULL) done = make_element(h, which, all->count);
    for (uint64_t n = 0; done && n < about->frames; n++) {
        TRY(export_frame(r, n, f, e));
        done = (n > 0 || store_fixed(h, f, all)) && store_frame(h, f, all, n);
    }
    return done ? CAROM_OK : cannot_write(target, e);
}

static carom_status write_points(const reader *r, carom_frame *f, const export_points *all, const char *target,
                                 bool force, error *e)
{
    if (!memory_headroom(0)) return error_memory(e, "an HDF5 file", 0);
    H5_QUIETLY;
    sink s;
    h5md h = {.file = -1, .step = -1, .time = -1};
    for (int which = 0; which < ELEMENTS; which++) h.value[which] = -1;
    TRY(sink_open(&s, target, force, e)); /* checks that the file can be created */
    carom_status status = write_file(&h, r, f, all, target, e);
    for (int which = 0; which < ELEMENTS; which++)
        if (h.value[which] >= 0) H5Dclose(h.value[which]);
    if (h.step >= 0) H5Dclose(h.step);
    if (h.time >= 0) H5Dclose(h.time);
    if (h.file >= 0 && H5Fclose(h.file) < 0 && status == CAROM_OK) status = cannot_write(target, e);
    memory_free(h.whole);
    memory_free(h.number);
    memory_free(h.image);
    return sink_close(&s, status, e);
}

static carom_status write_files(const reader *r, carom_frame *f, const char *target, bool force, error *e)
{
    export_points all;
    TRY(export_points_create(&all, r, f, e));
    const carom_status status = write_points(r, f, &all, target, force, e);
    export_points_free(&all);
    return status;
}

const export_format export_h5md = {.name = "h5md", .write_files = write_files};
