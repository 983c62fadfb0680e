/* Shapes of clusters of carom.h. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "frame/compact.h"
#include "output/results/checkpoint.h"
#include "output/results/read.h"
#include "output/results/shape_report.h"
#include "sim/guard.h"

struct carom_shape {
    guard guard;
    shape_study study;
    int64_t frame;
    char **files;
    size_t file_count;
    error message;
};

carom_status carom_shape_new(carom_shape **out, const carom_shape_options *options)
{
    static const carom_shape_options usual = {.frame = CAROM_SHAPE_LAST, .cluster = CAROM_SHAPE_LARGEST};
    if (out == NULL) return CAROM_USAGE;
    if (options == NULL) options = &usual;
    carom_shape *shape = NEW_ARRAY(1, carom_shape);
    *out = shape;
    if (shape == NULL) return CAROM_INTERNAL;
    shape->frame = options->frame;
    shape->study.options = (shape_options){.cluster = options->cluster,
                                           .min_size = options->min_size > 0 ? options->min_size : 2,
                                           .gap = options->gap == 0 ? 1e-6 : options->gap};
    if (!(options->gap >= 0) || options->gap > 1)
        return error_set(&shape->message, CAROM_USAGE, "error: the gap of contacts must be above 0 and at most 1");
    if (options->frame < CAROM_SHAPE_ALL || options->cluster < CAROM_SHAPE_TOGETHER ||
        options->cluster == CAROM_SHAPE_LAST)
        return error_set(&shape->message, CAROM_USAGE, "error: frame or cluster is out of range");
    shape->guard.made = true;
    return CAROM_OK;
}

void carom_shape_free(carom_shape *shape)
{
    if (shape == NULL) return;
    shape_study_free(&shape->study);
    for (size_t k = 0; k < shape->file_count; k++) memory_free(shape->files[k]);
    memory_free(shape->files);
    error_clear(&shape->message);
    memory_free(shape);
}

const char *carom_shape_message(const carom_shape *shape)
{
    return shape != NULL ? error_text(&shape->message) : "error: out of memory";
}

static carom_status add_file(carom_shape *shape, const char *path)
{
    char **grown = memory_resize(shape->files, shape->file_count, shape->file_count + 1, sizeof *grown);
    if (grown == NULL) return error_memory(&shape->message, "a file name", strlen(path));
    shape->files = grown;
    shape->files[shape->file_count] = memory_text(path);
    if (shape->files[shape->file_count] == NULL) return error_memory(&shape->message, "a file name", strlen(path));
    shape->file_count++;
    return CAROM_OK;
}

/* Adds the name of the file to messages about a frame. */
static carom_status add_frame(carom_shape *shape, const reader *r, uint64_t number, carom_frame *f)
{
    error e = {0};
    carom_frame room = {0}, present;
    TRY(reader_frame(r, number, f, &shape->message));
    present = *f;
    carom_status status = f->present != NULL ? frame_compact(f, &room, &present, &e) : CAROM_OK;
    const carom_frame particles = frame_of_particles(&present);
    if (status == CAROM_OK) status = shape_study_add(&shape->study, shape->file_count - 1, number, &particles, &e);
    if (status == CAROM_INTERNAL)
        error_set(&shape->message, status, "%s", error_text(&e)); /* memory: not an error of the file */
    else if (status != CAROM_OK) {
        const char *text = error_text(&e), *said = strncmp(text, "error: ", 7) == 0 ? text + 7 : text;
        error_set(&shape->message, status, "error: '%s': %s", reader_path(r), said);
    }
    error_clear(&e);
    frame_destroy(&room);
    return status;
}

static carom_status add_frames(carom_shape *shape, const reader *r)
{
    uint64_t frames = reader_about(r)->frames, from = (uint64_t)shape->frame, to;
    size_t before = shape->study.cluster_count;
    carom_frame f;
    if (frames == 0)
        return error_set(&shape->message, CAROM_BAD_DATA,
                         "error: '%s' contains no frames; set output.frames in the scene", reader_path(r));
    if (shape->frame < 0) from = shape->frame == CAROM_SHAPE_ALL ? 0 : frames - 1;
    to = shape->frame == CAROM_SHAPE_ALL ? frames - 1 : from;
    TRY(reader_frame_create(r, &f, &shape->message));
    carom_status status = CAROM_OK;
    for (uint64_t k = from; status == CAROM_OK && k <= to; k++) status = add_frame(shape, r, k, &f);
    frame_destroy(&f);
    bool missing = shape->study.options.cluster >= 0 && shape->study.cluster_count == before;
    if (status == CAROM_OK && missing)
        return error_set(&shape->message, CAROM_USAGE,
                         "error: '%s' has no cluster %" PRId64 " %s %" PRIu64
                         ": a cluster's id is the smallest particle id in it; 'all' lists them",
                         reader_path(r), shape->study.options.cluster, from < to ? "up to frame" : "in frame", to);
    return status;
}

carom_status carom_shape_add(carom_shape *shape, const char *path)
{
    reader *r = NULL;
    ENTER(shape, "there is no study");
    NEED(shape, path);
    error_clear(&shape->message);
    if (checkpoint_is(path))
        return error_set(&shape->message, CAROM_BAD_DATA,
                         "error: '%s' is a checkpoint and contains no frames; use the result file", path);
    TRY(reader_open(&r, path, &shape->message));
    carom_status status = add_file(shape, path);
    if (status == CAROM_OK) status = add_frames(shape, r);
    reader_close(r);
    return status;
}

carom_status carom_shape_report(carom_shape *shape, const char *format, char **out)
{
    ENTER(shape, "there is no study");
    NEED(shape, format);
    NEED(shape, out);
    shape_report report = {&shape->study, (const char *const *)shape->files, shape->file_count, shape->frame};
    error_clear(&shape->message);
    if (strcmp(format, "json") == 0) return shape_report_json(&report, out, &shape->message);
    if (strcmp(format, "csv") == 0) return shape_report_csv(&report, out, &shape->message);
    return shape_report_text(&report, out, &shape->message);
}
