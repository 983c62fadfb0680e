#include "output/results/clumps.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scene/state.h"

/* ---- from the initial state -------------------------------------------------------------------------------------- */

static void describe(result_clump *out, const state_body *from)
{
    const uint32_t first = from->particles[0];
    out->volume = from->volume;
    out->mass = from->mass;
    out->motion = (frame_solid){.count = (uint32_t)from->count, .clump = true, .own_inertia = from->own_inertia};
    for (int q = 0; q < 4; q++) out->motion.corner[q] = from->corner[q] - first;
    memcpy(out->motion.share_mass, from->share_mass, sizeof out->motion.share_mass);
}

static carom_status collect(result_clump *out, size_t template, const scene *s, const initial_state *state, error *e)
{
    size_t copies = 0;
    for (size_t k = 0; k < state->body_count; k++)
        copies += state->bodies[k].clump && state->bodies[k].template == template;
    if (copies == 0) return CAROM_OK;
    out->name = memory_text(s->clumps[template].name);
    out->first = NEW_ARRAY(copies, uint32_t);
    if (out->name == NULL || out->first == NULL) return error_memory(e, "the clumps", copies * sizeof *out->first);
    for (size_t k = 0; k < state->body_count; k++) {
        const state_body *body = &state->bodies[k];
        if (!body->clump || body->template != template) continue;
        if (out->copies == 0) describe(out, body);
        out->first[out->copies++] = body->particles[0];
    }
    return CAROM_OK;
}

carom_status clumps_of_state(result_clump **out, size_t *count, const scene *s, const initial_state *state, error *e)
{
    *count = 0;
    *out = NEW_ARRAY(s->clump_count, result_clump);
    if (*out == NULL) return error_memory(e, "the clumps", s->clump_count * sizeof **out);
    for (size_t k = 0; k < s->clump_count; k++) {
        result_clump *clump = &(*out)[*count];
        const carom_status status = collect(clump, k, s, state, e);
        *count += clump->copies > 0 || status != CAROM_OK;
        TRY(status);
    }
    return CAROM_OK;
}

void clumps_free(result_clump *clumps, size_t count)
{
    for (size_t k = 0; clumps != NULL && k < count; k++) {
        memory_free(clumps[k].name);
        memory_free(clumps[k].first);
    }
    memory_free(clumps);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* The attributes of a template. */
#define FIELD(member) offsetof(result_clump, member)
static const struct {
    const char *name;
    snapshot_type type;
    size_t count, offset; /* count 0: a scalar */
} fields[] = {
    {"count", SNAPSHOT_U32, 0, FIELD(motion.count)},
    {"volume", SNAPSHOT_F64, 0, FIELD(volume)},
    {"mass", SNAPSHOT_F64, 0, FIELD(mass)},
    {"corners", SNAPSHOT_U32, 4, FIELD(motion.corner)},
    {"share_mass", SNAPSHOT_F64, 16, FIELD(motion.share_mass)},
    {"own_inertia", SNAPSHOT_F64, 0, FIELD(motion.own_inertia)},
};
#undef FIELD
enum { FIELDS = sizeof fields / sizeof *fields };

static bool store(hid_t parent, const result_clump *c)
{
    hid_t group = h5_group(parent, c->name);
    bool done = group >= 0;
    for (size_t k = 0; k < FIELDS && done; k++)
        done = h5_attribute(group, fields[k].name, fields[k].type, fields[k].count, (const char *)c + fields[k].offset);
    done = done && h5_fixed(group, "first", SNAPSHOT_U32, c->copies, c->first);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

bool clumps_store(hid_t root, const result_clump *clumps, size_t count)
{
    if (count == 0) return true;
    const char **names = NEW_ARRAY(count, const char *);
    hid_t group = names != NULL ? h5_group(root, "clumps") : -1;
    for (size_t k = 0; k < count && names != NULL; k++) names[k] = clumps[k].name;
    bool done = group >= 0 && h5_texts(group, "names", names, count);
    for (size_t k = 0; k < count && done; k++) done = store(group, &clumps[k]);
    memory_free((void *)(uintptr_t)names);
    return group >= 0 && H5Gclose(group) >= 0 && done;
}

/* Whether its numbers are valid; copies do not share particles. */
static bool is_sound(const result_clump *c, size_t particles)
{
    const frame_solid *m = &c->motion;
    bool sound = c->mass > 0 && c->volume > 0 && isfinite(c->mass) && isfinite(c->volume) && isfinite(m->own_inertia);
    for (int p = 0; p < 4; p++) sound = sound && m->corner[p] < m->count;
    for (int p = 0; p < 16; p++) sound = sound && isfinite(m->share_mass[p / 4][p % 4]);
    uint64_t end = 0;
    for (size_t k = 0; k < c->copies && sound; k++) {
        sound = c->first[k] >= end;
        end = (uint64_t)c->first[k] + m->count;
    }
    return sound && end <= particles;
}

static carom_status load(hid_t parent, size_t particles, result_clump *c, error *e)
{
    const h5_row number = {.type = SNAPSHOT_U32};
    hid_t group = H5Gopen2(parent, c->name, H5P_DEFAULT);
    bool good = group >= 0;
    for (size_t k = 0; k < FIELDS && good; k++)
        good = h5_attribute_read(group, fields[k].name, fields[k].type, fields[k].count, (char *)c + fields[k].offset);
    hid_t dataset = good ? H5Dopen2(group, "first", H5P_DEFAULT) : -1;
    const int64_t rows = dataset >= 0 ? h5_rows(dataset, &number) : -1;
    good = rows > 0 && (uint64_t)rows <= particles;
    if (good) c->first = NEW_ARRAY((size_t)rows, uint32_t);
    const bool room = !good || c->first != NULL;
    good = good && room && h5_read_rows(dataset, &number, 0, (hsize_t)rows, c->first);
    if (good) c->copies = (size_t)rows;
    c->motion.clump = true;
    if (dataset >= 0) H5Dclose(dataset);
    if (group >= 0) H5Gclose(group);
    if (!room) return error_memory(e, "the clumps", (size_t)rows * sizeof *c->first);
    return good && is_sound(c, particles) ? CAROM_OK : CAROM_BAD_DATA;
}

static int by_first(const void *left, const void *right)
{
    const frame_solid *a = left, *b = right;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Copies of different templates do not share particles either. */
static carom_status check_apart(const result_clump *clumps, size_t count, error *e)
{
    const size_t copies = clumps_copies(clumps, count);
    frame_solid *all = NEW_ARRAY(copies, frame_solid);
    if (all == NULL) return error_memory(e, "the clumps", copies * sizeof *all);
    clumps_fill(clumps, count, all);
    bool apart = true;
    for (size_t k = 1; k < copies; k++) apart = apart && all[k].first - all[k - 1].first >= all[k - 1].count;
    memory_free(all);
    return apart ? CAROM_OK : CAROM_BAD_DATA;
}

carom_status clumps_load(hid_t file, size_t particles, result_clump **out, size_t *count, error *e)
{
    char **names = NULL;
    size_t listed = 0;
    *out = NULL;
    *count = 0;
    if (H5Lexists(file, CLUMPS_GROUP, H5P_DEFAULT) <= 0) return CAROM_OK;
    hid_t group = H5Gopen2(file, CLUMPS_GROUP, H5P_DEFAULT);
    carom_status status = group >= 0 ? h5_texts_read(group, "names", &names, &listed, e) : CAROM_BAD_DATA;
    if (status == CAROM_OK) *out = NEW_ARRAY(listed, result_clump);
    if (status == CAROM_OK && *out == NULL) status = error_memory(e, "the clumps", listed * sizeof **out);
    for (size_t k = 0; k < listed && status == CAROM_OK; k++) {
        result_clump *c = &(*out)[(*count)++];
        c->name = names[k];
        names[k] = NULL;
        status = load(group, particles, c, e);
    }
    h5_texts_free(names, listed);
    if (group >= 0) H5Gclose(group);
    if (status == CAROM_OK) status = check_apart(*out, *count, e);
    if (status == CAROM_OK) return CAROM_OK;
    clumps_free(*out, *count);
    *out = NULL;
    *count = 0;
    return status;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

size_t clumps_copies(const result_clump *clumps, size_t count)
{
    size_t copies = 0;
    for (size_t k = 0; k < count; k++) copies += clumps[k].copies;
    return copies;
}

void clumps_fill(const result_clump *clumps, size_t count, frame_solid *out)
{
    size_t at = 0;
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; n < clumps[k].copies; n++) {
            frame_solid *one = &out[at++];
            *one = clumps[k].motion;
            one->first = clumps[k].first[n];
            for (int q = 0; q < 4; q++) one->corner[q] += one->first;
        }
    qsort(out, at, sizeof *out, by_first);
}
