#include "measure/store.h"

#include <string.h>

#include "base/memory.h"

char *store_path(const char *prefix, const char *name)
{
    return memory_format("%s/%s", prefix, name);
}

carom_status store_mismatch(const char *prefix, const char *name, error *e)
{
    return error_set(e, CAROM_BAD_DATA, "error: checkpoint: %s/%s does not belong to this scene", prefix, name);
}

carom_status store_put(snapshot *out, const char *prefix, const char *name, snapshot_type type, size_t count,
                       const void *data, error *e)
{
    if (count == 0) return CAROM_OK;
    char *path = store_path(prefix, name);
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + strlen(name) + 2);
    carom_status status = snapshot_put(out, path, type, count, data, e);
    memory_free(path);
    return status;
}

carom_status store_get(const snapshot *in, const char *prefix, const char *name, snapshot_type type, size_t count,
                       void *data, error *e)
{
    if (count == 0) return CAROM_OK;
    char *path = store_path(prefix, name);
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + strlen(name) + 2);
    carom_status status = snapshot_get(in, path, type, count, data, e);
    memory_free(path);
    return status;
}

carom_status store_length(const snapshot *in, const char *prefix, const char *name, snapshot_type type, size_t *count,
                          error *e)
{
    char *path = store_path(prefix, name);
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + strlen(name) + 2);
    const snapshot_array *array = snapshot_find(in, path);
    memory_free(path);
    if (array == NULL || array->type != type) return store_mismatch(prefix, name, e);
    *count = array->count;
    return CAROM_OK;
}
