#include "frame/compact.h"

#include <string.h>

#include "frame/channels.h"

/* The present points of one array; returns their number. */
static size_t compact_array(const carom_frame *f, const frame_channel *c, carom_frame *to)
{
    const size_t bytes = channel_width(c, f->dimension) * snapshot_element_size(c->type),
                 particles = frame_particles(f);
    const char *from = frame_array(f, c);
    char *at = frame_array(to, c);
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        if (i >= particles || !frame_is_absent(f, i)) memcpy(at + bytes * count++, from + bytes * i, bytes);
    return count;
}

/* Solids are in the order of their points. Those of clumps that are absent are left out, with their points. */
static void move_solids(const carom_frame *f, carom_frame *to)
{
    const size_t particles = frame_particles(f);
    size_t i = 0, gone = 0;
    to->solids = 0;
    for (size_t k = 0; k < f->solids; k++) {
        for (; i < f->solid[k].first; i++) gone += i < particles && frame_is_absent(f, i);
        if (f->solid[k].clump && frame_is_absent(f, i)) continue;
        frame_solid *s = &to->solid[to->solids++];
        *s = f->solid[k];
        s->first -= (uint32_t)gone;
        for (int n = 0; n < 4; n++) s->corner[n] -= (uint32_t)gone;
    }
}

carom_status frame_compact(const carom_frame *f, carom_frame *room, carom_frame *out, error *e)
{
    size_t count = f->count;
    if (room->dimension == 0) TRY(frame_clone(room, f, e));
    frame_need(f, FRAME_ALL);
    *out = *f;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind == CHANNEL_NUMBERS || frame_array(f, c) == NULL) continue;
        void *array = frame_array(room, c);
        count = compact_array(f, c, room);
        memcpy((char *)out + c->offset, &array, sizeof array);
    }
    out->solid = room->solid;
    out->unscaled = out->unscaled_spin = NULL;
    out->source = NULL;
    move_solids(f, out);
    out->count = count;
    return CAROM_OK;
}
