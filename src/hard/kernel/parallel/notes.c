#include "hard/kernel/parallel/notes.h"
#include "hard/kernel/parallel/domain.h"

static bool push(uint32_t **list, uint32_t *count, uint32_t *room, uint32_t value)
{
    if (*count == *room) {
        const uint32_t more = *room + *room / 2 + 64;
        uint32_t *grown = *list == NULL ? NEW_ARRAY(more, uint32_t) : memory_resize(*list, *room, more, sizeof *grown);
        if (grown == NULL) return false;
        *list = grown;
        *room = more;
    }
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
    memcpy(one.before, d->gas->image[i], sizeof one.before);
    buffer_put(&d->images, &one, sizeof one);
}

static void note_crossings(domain *d, uint32_t i, uint32_t count)
{
    if (d->role[i] == ROLE_OWNED) d->gas->events[EVENT_TRANSFER] += count;
    if (!push(&d->moved, &d->moved_count, &d->moved_room, i)) out_of_memory(d, "a window");
}
