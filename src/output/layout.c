#include "output/layout.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "frame/event_count.h"

#define FIELD(path, unit, type, rank, a, b, member)                                                                    \
    {                                                                                                                  \
        path, unit, type, rank, {a, b}, offsetof(frame_row, member)                                                    \
    }

const row_field row_fields[ROW_FIELDS] = {
    [ROW_STEP] = FIELD("particles/all/position/step", "", SNAPSHOT_U64, 0, 0, 0, step),
    [ROW_TIME] = FIELD("particles/all/position/time", "time", SNAPSHOT_F64, 0, 0, 0, time),
    [ROW_EDGES] = FIELD("particles/all/box/edges/value", "length", SNAPSHOT_F64, 2, 0, 0, edges),
    FIELD("carom/frames/kinetic", "energy", SNAPSHOT_F64, 0, 0, 0, kinetic),
    FIELD("carom/frames/potential", "energy", SNAPSHOT_F64, 0, 0, 0, potential),
    FIELD("carom/frames/total", "energy", SNAPSHOT_F64, 0, 0, 0, total),
    FIELD("carom/frames/momentum", "momentum", SNAPSHOT_F64, 1, 3, 0, momentum),
    FIELD("carom/frames/dissipated", "energy", SNAPSHOT_F64, 0, 0, 0, dissipated),
    FIELD("carom/frames/scale", "", SNAPSHOT_I64, 0, 0, 0, scale),
    FIELD("carom/frames/events", "", SNAPSHOT_U64, 1, EVENT_KINDS, 0, events),
    FIELD("carom/frames/virial", "energy", SNAPSHOT_F64, 2, 3, 3, virial),
    FIELD("carom/frames/wall_impulse", "momentum", SNAPSHOT_F64, 2, 3, 2, wall_impulse),
    FIELD("carom/frames/stabilising", "", SNAPSHOT_U64, 0, 0, 0, stabilising),
    FIELD("carom/frames/three_body_again", "", SNAPSHOT_U64, 0, 0, 0, three_body_again),
    FIELD("carom/frames/three_body_double", "", SNAPSHOT_U64, 0, 0, 0, three_body_double),
    FIELD("carom/frames/max_overlap", "length", SNAPSHOT_F64, 0, 0, 0, max_overlap),
    FIELD("carom/frames/state_hash", "", SNAPSHOT_U64, 0, 0, 0, state_hash),
    [ROW_LEDGER] = FIELD("carom/frames/springs", "energy", SNAPSHOT_F64, 0, 0, 0, springs),
    FIELD("carom/frames/contact", "energy", SNAPSHOT_F64, 0, 0, 0, contact),
    FIELD("carom/frames/restitution", "energy", SNAPSHOT_F64, 0, 0, 0, restitution),
    FIELD("carom/frames/friction", "energy", SNAPSHOT_F64, 0, 0, 0, friction),
    FIELD("carom/frames/damping", "energy", SNAPSHOT_F64, 0, 0, 0, damping),
    FIELD("carom/frames/work", "energy", SNAPSHOT_F64, 0, 0, 0, work),
    [ROW_SHELLS] = FIELD("carom/frames/stretch", "energy", SNAPSHOT_F64, 0, 0, 0, stretch),
    FIELD("carom/frames/bend", "energy", SNAPSHOT_F64, 0, 0, 0, bend),
    FIELD("carom/frames/plastic", "energy", SNAPSHOT_F64, 0, 0, 0, plastic),
    [ROW_PAIRS] = FIELD("carom/frames/pair_energy", "energy", SNAPSHOT_F64, 0, 0, 0, pair_energy),
    [ROW_SUPPLY] = FIELD("carom/frames/supplied", "energy", SNAPSHOT_F64, 0, 0, 0, supplied),
};

#define ARRAY(path, unit, type, rank, member)                                                                          \
    {                                                                                                                  \
        path, unit, type, rank, {0, 0}, offsetof(carom_frame, member)                                                  \
    }

const row_field particle_fields[PARTICLE_FIELDS] = {
    [PARTICLE_POSITION] = ARRAY("particles/all/position/value", "length", SNAPSHOT_F64, 2, position),
    [PARTICLE_VELOCITY] = ARRAY("particles/all/velocity/value", "speed", SNAPSHOT_F64, 2, velocity),
    [PARTICLE_IMAGE] = ARRAY("particles/all/image/value", "", SNAPSHOT_I64, 2, image),
    [PARTICLE_CLUSTER] = ARRAY("particles/all/cluster/value", "", SNAPSHOT_U32, 1, cluster),
    [PARTICLE_SPIN] =
        {"particles/all/angular_velocity/value", "frequency", SNAPSHOT_F64, 2, {0, 3}, offsetof(carom_frame, spin)},
    [PARTICLE_AXIS] = {"particles/all/orientation/value", "", SNAPSHOT_F64, 2, {0, 3}, offsetof(carom_frame, axis)},
    [PARTICLE_LAYERS] = ARRAY("particles/all/layers/value", "", SNAPSHOT_U32, 1, layers),
};

const row_field fixed_fields[FIXED_FIELDS] = {
    [FIXED_SPECIES] = ARRAY("particles/all/species", "", SNAPSHOT_U32, 1, species),
    [FIXED_ID] = ARRAY("particles/all/id", "", SNAPSHOT_U32, 1, id),
    [FIXED_RADIUS] = ARRAY("particles/all/radius", "length", SNAPSHOT_F64, 1, radius),
    [FIXED_MASS] = ARRAY("particles/all/mass", "mass", SNAPSHOT_F64, 1, mass),
    [FIXED_INERTIA] = ARRAY("particles/all/moment_of_inertia", "mass length^2", SNAPSHOT_F64, 1, inertia),
    [FIXED_SEMI_AXES] =
        {"particles/all/semi_axes", "length", SNAPSHOT_F64, 2, {0, 3}, offsetof(carom_frame, semi_axes)},
};

#define MERGE(path, unit, type, member)                                                                                \
    {                                                                                                                  \
        path, unit, type, 0, {0, 0}, offsetof(frame_merge, member)                                                     \
    }

const row_field merge_fields[MERGE_FIELDS] = {
    [MERGE_TIME] = MERGE("carom/merges/time", "time", SNAPSHOT_F64, time),
    [MERGE_I] = MERGE("carom/merges/i", "", SNAPSHOT_U32, i),
    [MERGE_J] = MERGE("carom/merges/j", "", SNAPSHOT_U32, j),
};

h5_row row_shape(const row_field *field, int dimension)
{
    h5_row row = {.type = field->type, .rank = field->rank};
    for (int k = 0; k < field->rank; k++) row.dims[k] = field->dims[k] > 0 ? field->dims[k] : (hsize_t)dimension;
    return row;
}

row_parts row_parts_of(const carom_frame *f)
{
    return (row_parts){f->tallies.ledger.kept, f->tallies.ledger.shells, f->has_pair_energy, f->tallies.fed};
}

bool row_has(row_parts parts, size_t field)
{
    return field < ROW_LEDGER   ? true
           : field < ROW_SHELLS ? parts.ledger
           : field < ROW_PAIRS  ? parts.shells
           : field < ROW_SUPPLY ? parts.pairs
                                : parts.supply;
}

const char *layout_group(const row_field *field, char out[LAYOUT_GROUP])
{
    snprintf(out, LAYOUT_GROUP, "%.*s", (int)(strrchr(field->path, '/') - field->path), field->path);
    return out;
}

const char *layout_digests(const row_field *field, char out[LAYOUT_GROUP])
{
    snprintf(out, LAYOUT_GROUP, "%.*s/" H5_DIGEST, (int)(strrchr(field->path, '/') - field->path), field->path);
    return out;
}

h5_row particle_shape(const row_field *field, int dimension, size_t count)
{
    const hsize_t width = field->dims[1] > 0 ? field->dims[1] : (hsize_t)dimension;
    return (h5_row){.type = field->type, .rank = field->rank, .dims = {count, width}};
}

h5_row layout_numbers(size_t width)
{
    return (h5_row){.type = SNAPSHOT_F64, .rank = width > 1, .dims = {width}};
}

/* As of 32-bit integers, which earlier files have, where all fit these. */
static uint64_t image_digest(const int64_t *image, size_t count)
{
    enum { BLOCK = 1024 }; /* whole words of the hash */
    int32_t narrow[BLOCK];
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < count; i++)
        if (image[i] < INT32_MIN || image[i] > INT32_MAX) return h5_digest(image, count * sizeof *image);
    for (size_t at = 0; at < count; at += BLOCK) {
        const size_t some = count - at < BLOCK ? count - at : BLOCK;
        for (size_t i = 0; i < some; i++) narrow[i] = (int32_t)image[at + i];
        digest = hash_bytes(digest, narrow, some * sizeof *narrow);
    }
    return hash_finish(digest);
}

uint64_t particle_digest(size_t field, const h5_row *row, const void *data)
{
    const size_t count = h5_row_elements(row);
    return field == PARTICLE_IMAGE ? image_digest(data, count)
                                   : h5_digest(data, count * snapshot_element_size(row->type));
}

/* A series' first column is its clock, the others are H5MD elements. */
char *layout_column(const char *name, size_t index, bool series)
{
    return series && index > 0 ? memory_format("%s/value", name) : memory_text(series ? "time" : name);
}

void *frame_array(const carom_frame *f, const row_field *field)
{
    void *array;
    memcpy(&array, (const char *)f + field->offset, sizeof array);
    return array;
}

uint64_t events_total(const uint64_t events[EVENT_KINDS])
{
    return physical_events(events);
}

frame_row frame_row_of(const carom_frame *f)
{
    frame_energy energy = frame_energy_of(f);
    frame_row row = {
        .step = events_total(f->events),
        .time = f->time,
        .kinetic = energy.kinetic,
        .potential = energy.potential,
        .total = energy.total,
        .dissipated = f->tallies.dissipated - f->tallies.supplied,
        .scale = f->scale,
        .stabilising = f->tallies.stabilising,
        .three_body_again = f->tallies.three_body_again,
        .three_body_double = f->tallies.three_body_double,
        .max_overlap = f->tallies.max_overlap,
        .state_hash = f->state_hash,
        .springs = f->tallies.ledger.springs,
        .contact = f->tallies.ledger.contact,
        .restitution = f->tallies.ledger.restitution,
        .friction = f->tallies.ledger.friction,
        .damping = f->tallies.ledger.damping,
        .work = f->tallies.ledger.work,
        .stretch = f->tallies.ledger.stretch,
        .bend = f->tallies.ledger.bend,
        .plastic = f->tallies.ledger.plastic,
        .pair_energy = f->pair_energy,
        .supplied = f->tallies.supplied,
    };
    for (int k = 0; k < f->dimension; k++) row.edges[k * (f->dimension + 1)] = f->box[k];
    row.edges[f->dimension] = f->slid; /* the box above is displaced along x */
    memcpy(row.momentum, energy.momentum, sizeof row.momentum);
    memcpy(row.events, f->events, sizeof row.events);
    memcpy(row.virial, f->tallies.virial, sizeof row.virial);
    memcpy(row.wall_impulse, f->tallies.wall_impulse, sizeof row.wall_impulse);
    return row;
}

uint64_t row_digest(const frame_row *row, row_parts parts, int dimension)
{
    uint64_t digest = HASH_START;
    for (size_t i = 0; i < ROW_FIELDS; i++) {
        if (!row_has(parts, i)) continue;
        const h5_row shape = row_shape(&row_fields[i], dimension);
        const size_t bytes = h5_row_elements(&shape) * snapshot_element_size(shape.type);
        digest = hash_bytes(digest, (const char *)row + row_fields[i].offset, bytes);
    }
    return hash_finish(digest);
}

uint64_t merge_digest(const frame_merge *merge)
{
    uint64_t digest = hash_bytes(HASH_START, &merge->time, sizeof merge->time);
    return hash_finish(hash_u64(hash_u64(digest, merge->i), merge->j));
}

uint64_t series_digest_add(uint64_t digest, const double *numbers, size_t width)
{
    return hash_bytes(digest, numbers, width * sizeof *numbers);
}

uint64_t series_digest_end(uint64_t digest, uint64_t step)
{
    return hash_finish(hash_u64(digest, step));
}
