#include "output/results/solids.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/state.h"

static int by_particles(const void *left, const void *right)
{
    const result_solid *a = left, *b = right;
    return a->motion.first < b->motion.first ? -1 : a->motion.first > b->motion.first;
}

static void describe(result_solid *out, const state_body *from)
{
    out->volume = from->volume;
    out->mass = from->mass;
    memcpy(out->centre, from->centre, sizeof out->centre);
    memcpy(out->inertia, from->inertia, sizeof out->inertia);
    out->motion.first = from->particles[0];
    out->motion.count = (uint32_t)from->count;
    memcpy(out->motion.corner, from->corner, sizeof out->motion.corner);
    memcpy(out->motion.share_mass, from->share_mass, sizeof out->motion.share_mass);
}

carom_status solids_of_state(result_solid **out, size_t *count, const scene *s, const initial_state *state, error *e)
{
    *count = 0;
    *out = NEW_ARRAY(state->body_count, result_solid);
    if (*out == NULL) return error_memory(e, "the bodies", state->body_count * sizeof **out);
    for (size_t k = 0; k < state->body_count; k++) {
        if (!state->bodies[k].solid || state->bodies[k].clump) continue;
        result_solid *solid = &(*out)[(*count)++];
        describe(solid, &state->bodies[k]);
        solid->name = memory_text(s->bodies[k].name);
        if (solid->name == NULL) return error_memory(e, "the bodies", sizeof *solid);
    }
    qsort(*out, *count, sizeof **out, by_particles);
    return CAROM_OK;
}

void solids_free(result_solid *solids, size_t count)
{
    for (size_t k = 0; solids != NULL && k < count; k++) memory_free(solids[k].name);
    memory_free(solids);
}

/* The attributes of a solid in a result. */
#define FIELD(member) offsetof(result_solid, member)
static const struct {
    const char *name;
    snapshot_type type;
    size_t count, offset; /* count 0: a scalar */
} fields[] = {
    {"first", SNAPSHOT_U32, 0, FIELD(motion.first)},    {"count", SNAPSHOT_U32, 0, FIELD(motion.count)},
    {"volume", SNAPSHOT_F64, 0, FIELD(volume)},         {"mass", SNAPSHOT_F64, 0, FIELD(mass)},
    {"centre", SNAPSHOT_F64, 3, FIELD(centre)},         {"inertia", SNAPSHOT_F64, 9, FIELD(inertia)},
    {"corners", SNAPSHOT_U32, 4, FIELD(motion.corner)}, {"share_mass", SNAPSHOT_F64, 16, FIELD(motion.share_mass)},
};
#undef FIELD
enum { FIELDS = sizeof fields / sizeof *fields };

static bool store(hid_t parent, const result_solid *s)
{
    hid_t group = h5_group(parent, s->name);
    bool done = group >= 0;
    for (size_t k = 0; k < FIELDS && done; k++)
        done = h5_attribute(group, fields[k].name, fields[k].type, fields[k].count, (const char *)s + fields[k].offset);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

bool solids_store(hid_t root, const result_solid *solids, size_t count)
{
    if (count == 0) return true;
    const char **names = NEW_ARRAY(count, const char *);
    hid_t group = names != NULL ? h5_group(root, "solids") : -1;
    for (size_t k = 0; k < count && names != NULL; k++) names[k] = solids[k].name;
    bool done = group >= 0 && h5_texts(group, "names", names, count);
    for (size_t k = 0; k < count && done; k++) done = store(group, &solids[k]);
    memory_free((void *)(uintptr_t)names);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

/* Whether its numbers are valid. */
static bool is_sound(const result_solid *s, size_t particles)
{
    const frame_solid *m = &s->motion;
    bool sound = (uint64_t)m->first + m->count <= particles && s->mass > 0 && s->volume > 0 && isfinite(s->mass) &&
                 isfinite(s->volume);
    for (int k = 0; k < 3; k++) sound = sound && isfinite(s->centre[k]);
    for (int k = 0; k < 9; k++) sound = sound && isfinite(s->inertia[k]);
    for (int p = 0; p < 4; p++) sound = sound && m->corner[p] - m->first < m->count;
    for (int p = 0; p < 16; p++) sound = sound && isfinite(m->share_mass[p / 4][p % 4]);
    return sound;
}

static bool load(hid_t parent, size_t particles, result_solid *s)
{
    hid_t group = H5Gopen2(parent, s->name, H5P_DEFAULT);
    bool good = group >= 0;
    for (size_t k = 0; k < FIELDS && good; k++)
        good = h5_attribute_read(group, fields[k].name, fields[k].type, fields[k].count, (char *)s + fields[k].offset);
    if (group >= 0) H5Gclose(group);
    return good && is_sound(s, particles);
}

carom_status solids_load(hid_t file, size_t particles, result_solid **out, size_t *count, error *e)
{
    char **names = NULL;
    size_t listed = 0;
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, SOLIDS_GROUP, H5P_DEFAULT) <= 0) return CAROM_OK;
    hid_t group = H5Gopen2(file, SOLIDS_GROUP, H5P_DEFAULT);
    carom_status status = group >= 0 ? h5_texts_read(group, "names", &names, &listed, e) : CAROM_BAD_DATA;
    if (status == CAROM_OK) *out = NEW_ARRAY(listed, result_solid);
    if (status == CAROM_OK && *out == NULL) status = error_memory(e, "the bodies", listed * sizeof **out);
    uint64_t end = 0; /* of the previous solids */
    for (size_t k = 0; k < listed && status == CAROM_OK; k++) {
        result_solid *s = &(*out)[(*count)++];
        s->name = names[k];
        names[k] = NULL;
        if (!load(group, particles, s) || s->motion.first < end) status = CAROM_BAD_DATA;
        end = (uint64_t)s->motion.first + s->motion.count;
    }
    h5_texts_free(names, listed);
    if (group >= 0) H5Gclose(group);
    if (status == CAROM_OK) return CAROM_OK;
    solids_free(*out, *count);
    *out = NULL;
    *count = 0;
    return status;
}

carom_status solids_to_frame(const result_solid *solids, size_t count, const result_clump *clumps, size_t clump_count,
                             carom_frame *f, error *e)
{
    const size_t all = count + clumps_copies(clumps, clump_count);
    if (all == 0) return CAROM_OK;
    TRY(frame_add_solids(f, all, e));
    clumps_fill(clumps, clump_count, f->solid);
    for (size_t k = 0; k < count; k++) f->solid[all - count + k] = solids[k].motion;
    return CAROM_OK;
}
