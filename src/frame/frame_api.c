/* carom_frame_*: what the public interface shows of a frame. */
#include "base/memory.h"
#include "frame/channels.h"

#include <string.h>

_Static_assert((int)CAROM_U8 == (int)SNAPSHOT_U8 && (int)CAROM_I32 == (int)SNAPSHOT_I32 &&
                   (int)CAROM_U32 == (int)SNAPSHOT_U32 && (int)CAROM_I64 == (int)SNAPSHOT_I64 &&
                   (int)CAROM_U64 == (int)SNAPSHOT_U64 && (int)CAROM_F64 == (int)SNAPSHOT_F64,
               "the types of snapshots are those of the interface");
_Static_assert((int)CAROM_CHANNEL_NUMBERS == (int)CHANNEL_NUMBERS_MOST, "room for the numbers of a channel");

int carom_frame_dimension(const carom_frame *frame)
{
    return frame != NULL ? frame->dimension : 0;
}

size_t carom_frame_count(const carom_frame *frame)
{
    return frame != NULL ? frame->count : 0;
}

size_t carom_frame_particles(const carom_frame *frame)
{
    return frame != NULL ? frame_particles(frame) : 0;
}

double carom_frame_time(const carom_frame *frame)
{
    return frame != NULL ? frame->time : 0;
}

const double *carom_frame_positions(const carom_frame *frame)
{
    if (frame == NULL) return NULL;
    frame_need(frame, FRAME_POSITION);
    return frame->position;
}

static unsigned velocities_of(const carom_frame *f)
{
    return f->scale != 0 ? FRAME_UNSCALED : FRAME_VELOCITY;
}

const double *carom_frame_velocities(const carom_frame *frame)
{
    if (frame == NULL) return NULL;
    frame_need(frame, velocities_of(frame));
    return frame->scale != 0 ? frame->unscaled : frame->velocity;
}

const double *carom_frame_radii(const carom_frame *frame)
{
    if (frame == NULL) return NULL;
    frame_need(frame, FRAME_RADIUS);
    return frame->radius;
}

const char *carom_frame_boundary(const carom_frame *frame, int axis)
{
    static const char *const words[] = {[FRAME_PERIODIC] = "periodic", [FRAME_WALL] = "wall", [FRAME_OPEN] = "open"};
    return frame != NULL && axis >= 0 && axis < frame->dimension ? words[frame->boundary[axis]] : "";
}

uint64_t carom_frame_state_hash(const carom_frame *frame)
{
    if (frame == NULL) return 0;
    frame_need(frame, FRAME_HASH);
    return frame->state_hash;
}

void carom_frame_free(carom_frame *frame)
{
    if (frame == NULL) return;
    if (frame->source != NULL) {
        if (frame->source->release != NULL) frame->source->release(frame->source);
        return;
    }
    frame_destroy(frame);
    memory_free(frame);
}

carom_status carom_frame_energy(const carom_frame *frame, carom_energy *energy)
{
    if (frame == NULL || energy == NULL) return CAROM_USAGE;
    const frame_energy now = frame_energy_of(frame);
    *energy = (carom_energy){.kinetic = now.kinetic,
                             .potential = now.potential,
                             .stored = now.stored,
                             .total = now.total,
                             .dissipated = frame->tallies.dissipated,
                             .supplied = frame->tallies.supplied,
                             .conserved = frame_budget(frame, &now),
                             .temperature = now.temperature};
    memcpy(energy->momentum, now.momentum, sizeof energy->momentum);
    return CAROM_OK;
}

const char *carom_frame_channel_name(const carom_frame *frame, size_t n)
{
    if (frame == NULL) return NULL;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (frame_has(frame, c) && n-- == 0) return c->name;
    return NULL;
}

static const frame_channel *find(const carom_frame *f, const char *name)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (strcmp(c->name, name) == 0 && frame_has(f, c)) return c;
    return NULL;
}

static const void *array_of(const carom_frame *f, const frame_channel *c)
{
    frame_need(f, c->scaled ? velocities_of(f) | c->column : c->column);
    if (c->scaled && f->scale != 0) return c->offset == offsetof(carom_frame, spin) ? f->unscaled_spin : f->unscaled;
    return frame_array(f, c);
}

/* Energies and sums over bodies are in the row only; all else is in the frame. */
static void copy_numbers(carom_channel *out, const carom_frame *f, const frame_channel *c)
{
    frame_row row;
    const void *from = (const char *)f + c->offset;
    frame_need(f, c->column);
    if (c->offset >= sizeof *f) {
        row = frame_row_of(f);
        from = (const char *)&row + c->offset;
    }
    for (size_t k = 0; k < channel_width(c, f->dimension); k++) {
        out->numbers[k] = channel_value(c, from, k);
        if (c->type == SNAPSHOT_U64) out->counts[k] = ((const uint64_t *)from)[k];
    }
}

carom_status carom_frame_channel(const carom_frame *frame, const char *name, carom_channel *out)
{
    if (frame == NULL || name == NULL || out == NULL) return CAROM_USAGE;
    const frame_channel *c = find(frame, name);
    if (c == NULL) return CAROM_USAGE;
    const bool array = c->kind != CHANNEL_NUMBERS;
    *out = (carom_channel){.name = c->name, .quantity = c->quantity, .type = (carom_type)c->type};
    if (array) out->shape[out->rank++] = frame->count;
    for (int k = 0; k < c->rank; k++) out->shape[out->rank++] = c->dims[k] > 0 ? c->dims[k] : (size_t)frame->dimension;
    if (array)
        out->data = array_of(frame, c);
    else
        copy_numbers(out, frame, c);
    return CAROM_OK;
}
