#include "hard/kernel/parallel/notes.h"
#include "hard/kernel/images.h"
#include "hard/kernel/parallel/domain.h"

#include "base/memory.h"

static bool widen_array(void *pointer, uint32_t before, uint32_t room, size_t size)
{
    void *array;
    memcpy(&array, pointer, sizeof array);
    void *more = array == NULL ? memory_new(room, size) : memory_resize(array, before, room, size);
    if (more == NULL) return false;
    memcpy(pointer, &more, sizeof more);
    return true;
}

static bool reserve(void *pointer, uint32_t *room, uint32_t wanted, size_t size)
{
    if (wanted <= *room) return true;
    const uint32_t more = wanted + wanted / 2 + 64;
    if (!widen_array(pointer, *room, more, size)) return false;
    *room = more;
    return true;
}

static bool push(uint32_t **list, uint32_t *count, uint32_t *room, uint32_t value)
{
    if (!reserve(list, room, *count + 1, sizeof **list)) return false;
    (*list)[(*count)++] = value;
    return true;
}

static void out_of_memory(domain *d, const char *what)
{
    if (d->status == CAROM_OK) d->status = error_memory(&d->error, what, 0);
}

static void note_image(domain *d, uint32_t i)
{
    image_change one = {.body = i};
    images_get(d->gas, i, one.before);
    buffer_put(&d->images, &one, sizeof one);
}

static void note_crossings(domain *d, uint32_t i, uint32_t count)
{
    if (d->role[i] == ROLE_OWNED) d->gas->events[EVENT_TRANSFER] += count;
    if (!push(&d->moved, &d->moved_count, &d->moved_room, i)) out_of_memory(d, "a window");
}
