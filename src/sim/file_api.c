/* The part of carom.h about files: results, and checkpoints where only `info` is wanted. */
#include "sim/file_api.h"

#include "base/memory.h"
#include "output/export.h"
#include "output/info.h"
#include "output/verify.h"
#include "sim/scene_api.h"
#include "sim/view_api.h"

carom_status carom_file_open(carom_file **out, const char *path)
{
    carom_file *file = NEW_ARRAY(1, carom_file);
    *out = file;
    if (file == NULL) return CAROM_INTERNAL;
    file->path = memory_text(path);
    if (file->path == NULL) return error_memory(&file->message, "a file name", 1);
    return checkpoint_is(path) ? checkpoint_read(&file->checkpoint, path, &file->message)
                               : reader_open(&file->result, path, &file->message);
}

void carom_file_free(carom_file *file)
{
    if (file == NULL) return;
    reader_close(file->result);
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
    error_clear(&file->message);
    return file->result != NULL ? info_result(file->result, json, out, &file->message)
                                : info_checkpoint(&file->checkpoint, file->path, json, out, &file->message);
}

carom_status file_need_result(carom_file *file, const char *purpose)
{
    error_clear(&file->message);
    if (file->result != NULL) return CAROM_OK;
    return error_set(&file->message, CAROM_BAD_DATA,
                     "error: '%s' is a checkpoint, which holds no frames to %s; name the result beside it", file->path,
                     purpose);
}

carom_status carom_file_verify(carom_file *file, bool json, char **report)
{
    *report = NULL;
    TRY(file_need_result(file, "verify"));
    carom_scene *stored = stored_scene(file->result);
    if (stored == NULL) return error_memory(&file->message, "a scene", 1);
    const carom_status status = verify_result(file->result, stored->checked, json, report, &file->message);
    carom_scene_free(stored);
    return status;
}

carom_status carom_file_export(carom_file *file, const char *format, const char *target, bool force)
{
    TRY(file_need_result(file, "export"));
    return export_result(file->result, format, target, force, &file->message);
}
