#include "frame/channels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

#define ARRAY(array, column_, name_, quantity_, type_)                                                                 \
    .name = name_, .path = "particles/all/" name_ "/value", .quantity = quantity_, .kind = CHANNEL_ARRAY,              \
    .type = type_, .offset = offsetof(carom_frame, array), .column = FRAME_##column_
#define FIXED(array, column_, name_, quantity_, type_)                                                                 \
    .name = name_, .path = "particles/all/" name_, .quantity = quantity_, .kind = CHANNEL_FIXED, .type = type_,        \
    .offset = offsetof(carom_frame, array), .column = FRAME_##column_
#define NUMBERS(path_, name_, quantity_, type_, member)                                                                \
    .name = name_, .path = path_, .quantity = quantity_, .kind = CHANNEL_NUMBERS, .type = type_,                       \
    .offset = offsetof(frame_row, member)
#define NUMBER(member, name_, quantity_, type_) NUMBERS("carom/frames/" name_, name_, quantity_, type_, member)
#define ENERGY(entry, role, flag)                                                                                      \
    NUMBER(f.tallies.ledger.entry, #entry, "energy", SNAPSHOT_F64), .balance = role, GIVEN(tallies.ledger.flag)
#define FLOW(field, quantity_, type_)                                                                                  \
    NUMBER(f.tallies.flow.field, #field, quantity_, type_), GIVEN(tallies.flow.given), .reduction = REDUCE_SUM,        \
                                                                                       .summary = "flow." #field
#define STEPS(field)                                                                                                   \
    .name = "steps_" #field, .quantity = "", .kind = CHANNEL_NUMBERS, .type = SNAPSHOT_U64,                            \
    .offset = offsetof(frame_row, f.tallies.steps.field), .reduction = REDUCE_SUM, .summary = "steps." #field

#define VECTOR .rank = 1 /* with as many components as dimensions */
#define TRIPLE .rank = 1, .dims = {3}
#define REQUIRED .required = true
#define GIVEN(flag) .given = offsetof(carom_frame, flag)

/* Files store channels of a kind in this order, and digests of rows use it: add a new row at the end of its kind. */
const frame_channel frame_channels[] = {
    {ARRAY(position, POSITION, "position", "length", SNAPSHOT_F64), VECTOR, REQUIRED},
    {ARRAY(velocity, VELOCITY, "velocity", "speed", SNAPSHOT_F64), VECTOR, REQUIRED, .scaled = true},
    {ARRAY(image, IMAGE, "image", "", SNAPSHOT_I64), VECTOR, REQUIRED},
    {FIXED(species, SPECIES, "species", "", SNAPSHOT_U32), REQUIRED},
    {FIXED(id, ID, "id", "", SNAPSHOT_U32), REQUIRED, .unless = offsetof(carom_frame, present)},
    {FIXED(radius, RADIUS, "radius", "length", SNAPSHOT_F64), REQUIRED, .reduction = REDUCE_MEAN},
    {FIXED(mass, MASS, "mass", "mass", SNAPSHOT_F64), REQUIRED, .reduction = REDUCE_SUM},
    {ARRAY(cluster, CLUSTER, "cluster", "", SNAPSHOT_U32), GIVEN(cluster)},
    {ARRAY(spin, SPIN, "angular_velocity", "frequency", SNAPSHOT_F64), TRIPLE, GIVEN(spin), .scaled = true,
     .csv = "wx,wy,wz", .exports = CHANNEL_IN_XYZ | CHANNEL_IN_VTP},
    {FIXED(inertia, SPIN, "moment_of_inertia", "mass length^2", SNAPSHOT_F64), GIVEN(inertia),
     .reduction = REDUCE_MEAN},
    {ARRAY(axis, AXIS, "orientation", "", SNAPSHOT_F64), TRIPLE, GIVEN(axis), .csv = "ux,uy,uz",
     .exports = CHANNEL_IN_VTP},
    {FIXED(semi_axes, AXIS, "semi_axes", "length", SNAPSHOT_F64), TRIPLE, GIVEN(axis),
     .csv = "semi_axis_along,semi_axis_across", .exports = CHANNEL_IN_VTP},
    {FIXED(shape, AXIS, "shape", "", SNAPSHOT_U32), GIVEN(shape), .exports = CHANNEL_IN_VTP},
    {ARRAY(layers, LAYERS, "layers", "", SNAPSHOT_U32), GIVEN(layers), .reduction = REDUCE_MAX,
     .exports = CHANNEL_IN_VTP},
    {.name = "present",
     .path = "particles/all/id/value",
     .quantity = "",
     .kind = CHANNEL_ARRAY,
     .type = SNAPSHOT_U32,
     .offset = offsetof(carom_frame, present),
     .column = FRAME_PRESENT,
     GIVEN(present)},
    {FIXED(clump, SPECIES, "clump", "", SNAPSHOT_I32), GIVEN(clump), .csv = "clump",
     .exports = CHANNEL_IN_XYZ | CHANNEL_IN_VTP},

    {NUMBERS("particles/all/position/step", "step", "", SNAPSHOT_U64, step), REQUIRED, .reduction = REDUCE_SUM},
    {NUMBERS("particles/all/position/time", "time", "time", SNAPSHOT_F64, f.time), REQUIRED, .reduction = REDUCE_SUM},
    {NUMBERS("particles/all/box/edges/value", "edges", "length", SNAPSHOT_F64, edges), REQUIRED, .rank = 2},
    {NUMBER(kinetic, "kinetic", "energy", SNAPSHOT_F64), REQUIRED},
    {NUMBER(potential, "potential", "energy", SNAPSHOT_F64), REQUIRED},
    {NUMBER(total, "total", "energy", SNAPSHOT_F64), REQUIRED},
    {NUMBER(momentum, "momentum", "momentum", SNAPSHOT_F64), TRIPLE, REQUIRED},
    {NUMBER(dissipated, "dissipated", "energy", SNAPSHOT_F64), REQUIRED},
    {NUMBER(f.scale, "scale", "", SNAPSHOT_I64), REQUIRED},
    {NUMBER(f.events, "events", "", SNAPSHOT_U64), REQUIRED, .rank = 1, .dims = {EVENT_KINDS}, .reduction = REDUCE_SUM},
    {NUMBER(f.tallies.virial, "virial", "energy", SNAPSHOT_F64), REQUIRED, .rank = 2, .dims = {3, 3}},
    {NUMBER(f.tallies.wall_impulse, "wall_impulse", "momentum", SNAPSHOT_F64), REQUIRED, .rank = 2, .dims = {3, 2},
     .reduction = REDUCE_SUM},
    {NUMBER(f.tallies.stabilising, "stabilising", "", SNAPSHOT_U64), REQUIRED, .reduction = REDUCE_SUM},
    {NUMBER(f.tallies.three_body_again, "three_body_again", "", SNAPSHOT_U64), REQUIRED, .reduction = REDUCE_SUM},
    {NUMBER(f.tallies.three_body_double, "three_body_double", "", SNAPSHOT_U64), REQUIRED, .reduction = REDUCE_SUM},
    {NUMBER(f.tallies.max_overlap, "max_overlap", "length", SNAPSHOT_F64), REQUIRED, .reduction = REDUCE_MAX,
     .summary = "max_overlap"},
    {NUMBER(f.state_hash, "state_hash", "", SNAPSHOT_U64), REQUIRED, .column = FRAME_HASH},
    {ENERGY(springs, BALANCE_STORED, kept)},
    {ENERGY(contact, BALANCE_STORED, kept)},
    {ENERGY(restitution, BALANCE_LOST, kept)},
    {ENERGY(friction, BALANCE_LOST, kept)},
    {ENERGY(damping, BALANCE_LOST, kept)},
    {ENERGY(work, BALANCE_WORK, kept)},
    {ENERGY(stretch, BALANCE_STORED, shells)},
    {ENERGY(bend, BALANCE_STORED, shells)},
    {ENERGY(plastic, BALANCE_LOST, shells)},
    {ENERGY(twist, BALANCE_STORED, rods)},
    {NUMBER(f.pair_energy, "pair_energy", "energy", SNAPSHOT_F64), GIVEN(has_pair_energy)},
    {NUMBER(f.tallies.supplied, "supplied", "energy", SNAPSHOT_F64), GIVEN(tallies.fed)},
    {STEPS(count)},
    {STEPS(problems)},
    {STEPS(iterations)},
    {STEPS(stalls)},
    {STEPS(held_back)},
    {FLOW(entered, "", SNAPSHOT_U64)},
    {FLOW(left, "", SNAPSHOT_U64)},
    {FLOW(mass_entered, "mass", SNAPSHOT_F64)},
    {FLOW(mass_left, "mass", SNAPSHOT_F64)},
    {FLOW(energy_entered, "energy", SNAPSHOT_F64), .balance = BALANCE_WORK},
    {FLOW(energy_left, "energy", SNAPSHOT_F64), .balance = BALANCE_LOST},
    {ENERGY(sliding, BALANCE_PART, rotation)},
    {ENERGY(rolling, BALANCE_PART, rotation)},
    {ENERGY(twisting, BALANCE_PART, rotation)},
};
const size_t frame_channel_count = sizeof frame_channels / sizeof *frame_channels;

_Static_assert(sizeof frame_channels / sizeof *frame_channels <= FRAME_CHANNELS_MOST, "room for all channels");
_Static_assert(offsetof(frame_row, f) == 0, "an offset in the frame is one in the row");

size_t frame_channel_of(size_t offset)
{
    size_t i = 0;
    while (frame_channels[i].kind == CHANNEL_NUMBERS || frame_channels[i].offset != offset) i++;
    assert(i < frame_channel_count);
    return i;
}

void *frame_array(const carom_frame *f, const frame_channel *c)
{
    void *array;
    memcpy(&array, (const char *)f + c->offset, sizeof array);
    return array;
}

bool frame_has(const carom_frame *f, const frame_channel *c)
{
    const char *given = (const char *)f + c->given;
    void *array;
    bool flag;
    if (c->given == 0) return true;
    if (c->kind == CHANNEL_NUMBERS) {
        memcpy(&flag, given, sizeof flag);
        return flag;
    }
    memcpy(&array, given, sizeof array);
    return array != NULL;
}

bool frame_stores(const carom_frame *f, const frame_channel *c)
{
    void *instead;
    memcpy(&instead, (const char *)f + c->unless, sizeof instead);
    return c->path != NULL && frame_has(f, c) && (c->unless == 0 || instead == NULL);
}

size_t channel_width(const frame_channel *c, int dimension)
{
    size_t width = 1;
    for (int k = 0; k < c->rank; k++) width *= c->dims[k] > 0 ? c->dims[k] : (size_t)dimension;
    return width;
}

size_t frame_array_bytes(const carom_frame *f)
{
    size_t bytes = 0;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->kind == CHANNEL_ARRAY && frame_has(f, c))
            bytes += f->count * channel_width(c, f->dimension) * snapshot_element_size(c->type);
    return bytes;
}

carom_status frame_add(carom_frame *f, size_t given, error *e)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind == CHANNEL_NUMBERS || c->given != given) continue;
        const size_t bytes = channel_width(c, f->dimension) * snapshot_element_size(c->type);
        void *array = memory_new(f->count, bytes);
        if (array == NULL) return error_memory(e, "a frame", f->count * bytes);
        memcpy((char *)f + c->offset, &array, sizeof array);
    }
    return CAROM_OK;
}

bool frame_matches(const carom_frame *f, const carom_frame *other)
{
    bool same = f->count == other->count && f->dimension == other->dimension && f->vertices == other->vertices &&
                f->solids == other->solids;
    for (const frame_channel *c = frame_channels; same && c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS) same = (frame_array(f, c) != NULL) == (frame_array(other, c) != NULL);
    return same;
}

void frame_copy(carom_frame *to, const carom_frame *from)
{
    frame_need(from, FRAME_ALL);
    carom_frame copy = *from; /* of its numbers */
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind == CHANNEL_NUMBERS || frame_array(from, c) == NULL) continue;
        void *array = frame_array(to, c);
        memcpy(array, frame_array(from, c),
               from->count * channel_width(c, from->dimension) * snapshot_element_size(c->type));
        memcpy((char *)&copy + c->offset, &array, sizeof array);
    }
    copy.solid = to->solid;
    copy.source = to->source;
    copy.unscaled = to->unscaled;
    copy.unscaled_spin = to->unscaled_spin;
    if (from->solids > 0) memcpy(copy.solid, from->solid, from->solids * sizeof *copy.solid);
    frame_detach(&copy);
    *to = copy;
}

carom_status frame_clone(carom_frame *to, const carom_frame *from, error *e)
{
    TRY(frame_create(to, from->dimension, from->count, e));
    to->vertices = from->vertices;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS && frame_array(from, c) != NULL && frame_array(to, c) == NULL)
            TRY(frame_add(to, c->given, e));
    if (from->solids > 0) TRY(frame_add_solids(to, from->solids, e));
    frame_copy(to, from);
    return CAROM_OK;
}

double channel_value(const frame_channel *c, const void *data, size_t index)
{
    switch (c->type) {
    case SNAPSHOT_U8:
        return ((const uint8_t *)data)[index];
    case SNAPSHOT_I32:
        return ((const int32_t *)data)[index];
    case SNAPSHOT_U32:
        return ((const uint32_t *)data)[index];
    case SNAPSHOT_I64:
        return (double)((const int64_t *)data)[index];
    case SNAPSHOT_U64:
        return (double)((const uint64_t *)data)[index];
    case SNAPSHOT_F64:
        return ((const double *)data)[index];
    }
    return NAN;
}

double channel_reduced(const frame_channel *c, const carom_frame *f)
{
    frame_need(f, c->column);
    const void *array = frame_array(f, c);
    double sum = 0, largest = -INFINITY;
    if (c->rank > 0 || c->reduction == REDUCE_NONE || f->count == 0) return NAN;
    for (size_t i = 0; i < f->count; i++) {
        const double value = channel_value(c, array, i);
        sum += value;
        largest = fmax(largest, value);
    }
    return c->reduction == REDUCE_MAX ? largest : c->reduction == REDUCE_SUM ? sum : sum / (double)f->count;
}

double frame_balance(const carom_frame *f, channel_balance role, double sum)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->balance == role) sum += channel_value(c, (const char *)f + c->offset, 0);
    return sum;
}

double frame_balance_scale(const carom_frame *f, channel_balance role)
{
    double sum = 0;
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->balance == role) sum += fabs(channel_value(c, (const char *)f + c->offset, 0));
    return sum;
}

frame_row frame_row_of(const carom_frame *f)
{
    const frame_energy energy = frame_energy_of(f);
    frame_need(f, FRAME_HASH);
    frame_row row = {.f = *f,
                     .step = events_total(f->events),
                     .kinetic = energy.kinetic,
                     .potential = energy.potential,
                     .total = energy.total,
                     .dissipated = f->tallies.dissipated - f->tallies.supplied};
    for (int k = 0; k < f->dimension; k++) row.edges[k * (f->dimension + 1)] = f->box[k];
    row.edges[f->dimension] = f->slid; /* the box above is displaced along x */
    memcpy(row.momentum, energy.momentum, sizeof row.momentum);
    return row;
}

void frame_set_numbers(carom_frame *f, const frame_row *row)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->kind != CHANNEL_NUMBERS || c->path == NULL || c->offset >= sizeof *f) continue;
        const size_t bytes = channel_width(c, f->dimension) * snapshot_element_size(c->type);
        memcpy((char *)f + c->offset, (const char *)row + c->offset, bytes);
    }
    for (int k = 0; k < f->dimension; k++) f->box[k] = row->edges[k * (f->dimension + 1)];
    f->slid = row->edges[f->dimension];
    f->tallies.dissipated = row->dissipated + row->f.tallies.supplied;
}
