/* Files of carom.h: results, and checkpoints (for carom_file_info only). */
#include "sim/file_api.h"

#include "base/memory.h"

#include <string.h>

#include "output/results/export.h"
#include "output/results/info.h"
#include "output/verify/verify.h"
#include "sim/scene_api.h"
#include "sim/sim.h"
#include "sim/view_api.h"

carom_status carom_file_open(carom_file **out, const char *path)
{
    if (out == NULL) return CAROM_USAGE;
    carom_file *file = NEW_ARRAY(1, carom_file);
    *out = file;
    if (file == NULL) return CAROM_INTERNAL;
    NEED(file, path);
    file->path = memory_text(path);
    if (file->path == NULL) return error_memory(&file->message, "a file name", 1);
    return guard_made(&file->guard, checkpoint_is(path) ? checkpoint_read(&file->checkpoint, path, &file->message)
                                                        : reader_open(&file->result, path, &file->message));
}

void carom_file_free(carom_file *file)
{
    if (file == NULL || file->guard.busy) return;
    reader_close(file->result);
    contents_free(&file->contents);
    checkpoint_free(&file->checkpoint);
    error_clear(&file->message);
    memory_free(file->path);
    memory_free(file);
}

const char *carom_file_message(const carom_file *file)
{
    return file != NULL ? error_text(&file->message) : "error: out of memory";
}

carom_status carom_file_info(carom_file *file, bool json, char **out)
{
    ENTER(file, "no file has been opened");
    NEED(file, out);
    error_clear(&file->message);
    return file->result != NULL ? info_result(file->result, json, out, &file->message)
                                : info_checkpoint(&file->checkpoint, file->path, json, out, &file->message);
}

carom_status file_need_result(carom_file *file, const char *purpose)
{
    ENTER(file, "no file has been opened");
    error_clear(&file->message);
    if (file->result != NULL) return CAROM_OK;
    return error_set(&file->message, CAROM_BAD_DATA,
                     "error: '%s' is a checkpoint and contains no frames to %s; use the result file", file->path,
                     purpose);
}

void carom_file_follow(carom_file *file, carom_progress_callback progress, void *user)
{
    if (file == NULL) return;
    file->progress = progress;
    file->user = user;
}

static void tell(double done, double time, void *data)
{
    static const double every = 0.2;
    carom_file *file = data;
    const double now = clock_wall(), wall = now - file->began;
    if (file->progress == NULL || now - file->told < every) return;
    file->told = now;
    const carom_progress progress = {.time = time,
                                     .fraction = done,
                                     .wall_s = wall,
                                     .left_s = done > 0 ? wall * (1 - done) / done : -1,
                                     .phase = "verify"};
    file->progress(&progress, file->user);
}

carom_status carom_file_verify(carom_file *file, bool json, char **report)
{
    if (report != NULL) *report = NULL;
    TRY(file_need_result(file, "verify"));
    NEED(file, report);
    carom_scene *stored = stored_scene(file->result);
    if (stored == NULL) return error_memory(&file->message, "a scene", 1);
    file->began = file->told = clock_wall();
    const verify_watch watch = {tell, file};
    file->guard.busy = true; /* `progress` */
    const carom_status status = verify_result(file->result, stored->checked, &watch, json, report, &file->message);
    file->guard.busy = false;
    carom_scene_free(stored);
    return status;
}

/* An export must not replace the result. */
static carom_status need_other_file(carom_file *file, const char *target)
{
    if (!reader_is(file->result, target)) return CAROM_OK;
    return error_set(&file->message, CAROM_USAGE, "error: '%s' is the result file; give the export another name",
                     target);
}

uint64_t carom_file_event_count(const carom_file *file)
{
    return USABLE(file) && file->result != NULL ? reader_about(file->result)->event_rows : 0;
}

static carom_status read_events(carom_file *file, uint64_t first, size_t count, carom_event *events, carom_event *block)
{
    while (count > 0) {
        const size_t within = (size_t)(first % EVENT_BLOCK);
        size_t found;
        TRY(reader_event_block(file->result, first / EVENT_BLOCK, block, &found, &file->message));
        const size_t some = count < found - within ? count : found - within;
        memcpy(events, block + within, some * sizeof *events);
        first += some;
        events += some;
        count -= some;
    }
    return CAROM_OK;
}

carom_status carom_file_events(carom_file *file, uint64_t first, carom_event *events, size_t count)
{
    TRY(file_need_result(file, "read events from"));
    if (count > 0) NEED(file, events);
    const uint64_t stored = reader_about(file->result)->event_rows;
    if (first > stored || count > stored - first)
        return error_set(&file->message, CAROM_USAGE,
                         "error: '%s' has %llu events; there are not %zu from number %llu on", file->path,
                         (unsigned long long)stored, count, (unsigned long long)first);
    carom_event *block = NEW_ARRAY(EVENT_BLOCK, carom_event);
    if (block == NULL) return error_memory(&file->message, "events", EVENT_BLOCK * sizeof *block);
    const carom_status status = read_events(file, first, count, events, block);
    memory_free(block);
    return status;
}

carom_status carom_file_export(carom_file *file, const char *format, const char *target, bool force)
{
    TRY(file_need_result(file, "export"));
    NEED(file, format);
    NEED(file, target);
    TRY(need_other_file(file, target));
    return export_result(file->result, format, target, force, &file->message);
}

carom_status carom_file_export_table(carom_file *file, const char *what, const char *target, bool force)
{
    TRY(file_need_result(file, "export"));
    NEED(file, what);
    NEED(file, target);
    TRY(need_other_file(file, target));
    return export_table(file->result, what, target, force, &file->message);
}
