#include "frame/blocks.h"

#include <string.h>

#include "base/memory.h"
#include "frame/channels.h"

/* Engines go through all bodies for each block: few blocks. */
enum { LEAST = 1 << 16, MOST_BLOCKS = 16 };

static size_t block_size(size_t count, size_t multiple)
{
    const size_t wanted = count / MOST_BLOCKS < LEAST ? LEAST : count / MOST_BLOCKS + 1;
    return (wanted + multiple - 1) / multiple * multiple;
}

static void set_array(carom_frame *f, const frame_channel *c, void *array)
{
    memcpy((char *)f + c->offset, &array, sizeof array);
}

static bool is_array_of(const carom_frame *f, const frame_channel *c, unsigned columns)
{
    return c->kind != CHANNEL_NUMBERS && (c->column & columns) != 0 && frame_array(f, c) != NULL;
}

#define EACH_ARRAY(f, columns, c)                                                                                      \
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)                       \
        if (is_array_of(f, c, columns))

/* A frame with arrays of its own for these columns; false without memory. */
static bool make_part(carom_frame *part, const carom_frame *f, unsigned columns, size_t size)
{
    bool all = true;
    *part = *f;
    part->source = NULL;
    EACH_ARRAY(f, columns, c)
    {
        void *array = memory_new(size * channel_width(c, f->dimension), snapshot_element_size(c->type));
        set_array(part, c, array);
        all = all && array != NULL;
    }
    return all;
}

static void free_part(const carom_frame *part, const carom_frame *f, unsigned columns)
{
    EACH_ARRAY(f, columns, c)
    memory_free(frame_array(part, c));
}

static bool is_divisible(const frame_source *source, unsigned columns)
{
    if (source == NULL || source->fill_part == NULL || (columns & ~source->filled) == 0) return false;
    return source->has_parts(source);
}

bool frame_each_block(const carom_frame *f, unsigned columns, size_t multiple, frame_block *use, void *context)
{
    const size_t size = block_size(f->count, multiple);
    carom_frame part;
    bool done = true;
    if (size >= f->count || !is_divisible(f->source, columns)) {
        frame_need(f, columns);
        return use(context, f);
    }
    if (!make_part(&part, f, columns, size)) {
        free_part(&part, f, columns);
        frame_need(f, columns);
        return use(context, f);
    }
    for (; part.first < f->count && done; part.first += size) {
        part.count = f->count - part.first < size ? f->count - part.first : size;
        f->source->fill_part(f->source, columns, &part);
        done = use(context, &part);
    }
    free_part(&part, f, columns);
    return done;
}
