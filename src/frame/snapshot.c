#include "frame/snapshot.h"

#include <string.h>

#include "base/memory.h"

size_t snapshot_element_size(snapshot_type type)
{
    switch (type) {
    case SNAPSHOT_U8:
        return 1;
    case SNAPSHOT_I32:
    case SNAPSHOT_U32:
        return 4;
    case SNAPSHOT_I64:
    case SNAPSHOT_U64:
    case SNAPSHOT_F64:
        return 8;
    }
    return 0;
}

static carom_status make_room(snapshot *s, error *e)
{
    if (s->count < s->capacity) return CAROM_OK;
    size_t capacity = s->capacity > 0 ? 2 * s->capacity : 16;
    snapshot_array *arrays = memory_resize(s->arrays, s->count, capacity, sizeof *arrays);
    if (arrays == NULL) return error_memory(e, "a snapshot", capacity * sizeof *arrays);
    s->arrays = arrays;
    s->capacity = capacity;
    return CAROM_OK;
}

/* Adds an array without its data. */
static carom_status add(snapshot *s, const char *name, snapshot_type type, size_t count, error *e)
{
    if (snapshot_find(s, name) != NULL)
        return error_set(e, CAROM_INTERNAL, "error: a snapshot holds '%s' already", name);
    TRY(make_room(s, e));
    snapshot_array array = {.name = memory_text(name), .type = type, .count = count, .lent = true};
    if (array.name == NULL) return error_memory(e, "a snapshot", strlen(name));
    s->arrays[s->count++] = array;
    return CAROM_OK;
}

carom_status snapshot_lend(snapshot *s, const char *name, snapshot_type type, size_t count, const void *data, error *e)
{
    TRY(add(s, name, type, count, e));
    s->arrays[s->count - 1].data = (void *)data;
    return CAROM_OK;
}

carom_status snapshot_lend_source(snapshot *s, const char *name, size_t count, const snapshot_source *source,
                                  const void *owner, error *e)
{
    TRY(add(s, name, SNAPSHOT_U8, count * source->bytes, e));
    s->arrays[s->count - 1].source = source;
    s->arrays[s->count - 1].owner = owner;
    return CAROM_OK;
}

void snapshot_read(const snapshot_array *array, size_t first, size_t count, void *to)
{
    const snapshot_source *source = array->source;
    const size_t size = snapshot_element_size(array->type);
    if (source != NULL)
        source->read(source, array->owner, first / source->bytes, count / source->bytes, to);
    else if (count > 0)
        memcpy(to, (const char *)array->data + first * size, count * size);
}

carom_status snapshot_own(snapshot *s, error *e)
{
    for (snapshot_array *a = s->arrays; a < s->arrays + s->count; a++) {
        if (a->source == NULL) continue;
        void *data = memory_new(a->count, snapshot_element_size(a->type));
        if (data == NULL) return error_memory(e, a->name, a->count);
        snapshot_read(a, 0, a->count, data);
        a->data = data;
        a->lent = false;
        a->source = NULL;
    }
    return CAROM_OK;
}

carom_status snapshot_reserve(snapshot *s, const char *name, snapshot_type type, size_t count, void **data, error *e)
{
    size_t size = snapshot_element_size(type);
    TRY(add(s, name, type, count, e));
    snapshot_array *array = &s->arrays[s->count - 1];
    array->data = memory_new(count, size);
    if (array->data == NULL) {
        memory_free(array->name);
        s->count--;
        return error_memory(e, name, count * size);
    }
    array->lent = false;
    *data = array->data;
    return CAROM_OK;
}

carom_status snapshot_put(snapshot *s, const char *name, snapshot_type type, size_t count, const void *data, error *e)
{
    void *copy = NULL;
    TRY(snapshot_reserve(s, name, type, count, &copy, e));
    if (count > 0) memcpy(copy, data, count * snapshot_element_size(type));
    return CAROM_OK;
}

carom_status snapshot_get(const snapshot *s, const char *name, snapshot_type type, size_t count, void *data, error *e)
{
    const snapshot_array *array = snapshot_find(s, name);
    if (array == NULL) return error_set(e, CAROM_BAD_DATA, "error: the saved state lacks '%s'", name);
    if (array->type != type || array->count != count)
        return error_set(e, CAROM_BAD_DATA,
                         "error: '%s' of the saved state does not fit the scene: %zu elements, not %zu", name,
                         array->count, count);
    snapshot_read(array, 0, count, data);
    return CAROM_OK;
}

const snapshot_array *snapshot_find(const snapshot *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->arrays[i].name, name) == 0) return &s->arrays[i];
    return NULL;
}

void snapshot_free(snapshot *s)
{
    for (size_t i = 0; i < s->count; i++) {
        memory_free(s->arrays[i].name);
        if (!s->arrays[i].lent) memory_free(s->arrays[i].data);
    }
    memory_free(s->arrays);
    *s = (snapshot){0};
}

carom_status snapshot_put_parts(snapshot *s, const snapshot_part *parts, int count, const void *self, size_t size,
                                error *e)
{
    const char *begin = self;
    for (const snapshot_part *p = parts; p < parts + count; p++) {
        const char *data = p->data;
        const bool inside = data >= begin && data < begin + size;
        TRY((inside ? snapshot_put : snapshot_lend)(s, p->name, SNAPSHOT_U8, p->bytes, p->data, e));
    }
    return CAROM_OK;
}

carom_status snapshot_get_parts(const snapshot *s, const snapshot_part *parts, int count, error *e)
{
    for (const snapshot_part *p = parts; p < parts + count; p++)
        TRY(snapshot_get(s, p->name, SNAPSHOT_U8, p->bytes, p->data, e));
    return CAROM_OK;
}
