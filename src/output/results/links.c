#include "output/results/links.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "scene/state.h"

static bool allocate(result_links *links, bool bonds)
{
    if (bonds) links->shortest = NEW_ARRAY(links->springs, double);
    if (bonds) links->longest = NEW_ARRAY(links->springs, double);
    if (bonds && (links->shortest == NULL || links->longest == NULL)) return false;
    for (int k = 0; k < 2; k++) {
        links->spring[k] = NEW_ARRAY(links->springs, uint32_t);
        links->segment[k] = NEW_ARRAY(links->segments, uint32_t);
        if (links->spring[k] == NULL || links->segment[k] == NULL) return false;
    }
    links->radius = NEW_ARRAY(links->segments, double);
    return links->radius != NULL;
}

static void fill_owner(result_links *links, const scene *s, const initial_state *state)
{
    uint32_t number = 0;
    for (size_t b = 0; b < state->body_count; b++, number++)
        for (size_t i = 0; i < state->bodies[b].count; i++) links->owner[state->bodies[b].particles[i]] = number + 1;
    for (size_t d = 0; d < s->drive_count; d++, number++)
        for (size_t i = 0; !s->drives[d].start.free && i < state->drives[d].count; i++)
            links->owner[state->drives[d].particles[i]] = number + 1;
}

static size_t rod_edges(const scene_rod *rod)
{
    return rod->closed ? rod->count : rod->count - 1;
}

/* Edges of elastic rods are stored with the springs. */
static void fill_pairs(result_links *links, const scene *s)
{
    size_t at = 0;
    for (size_t k = 0; k < s->springs_count; k++)
        for (size_t i = 0; i < s->springs[k].count; i++, at++)
            for (int end = 0; end < 2; end++) links->spring[end][at] = s->springs[k].pairs[i][end];
    for (size_t k = 0; k < s->rods_count; k++)
        for (size_t i = 0; i < rod_edges(&s->rods[k]); i++, at++)
            for (size_t end = 0; end < 2; end++)
                links->spring[end][at] = s->rods[k].particles[(i + end) % s->rods[k].count];
    for (size_t k = 0; k < s->bonds_count; k++)
        for (size_t i = 0; i < s->bonds[k].count; i++, at++) {
            for (int end = 0; end < 2; end++) links->spring[end][at] = s->bonds[k].pairs[i][end];
            links->shortest[at] = s->bonds[k].shortest;
            links->longest[at] = s->bonds[k].longest;
        }
    at = 0;
    for (size_t k = 0; k < s->segments_count; k++)
        for (size_t i = 0; i < s->segments[k].count; i++, at++) {
            for (int end = 0; end < 2; end++) links->segment[end][at] = s->segments[k].pairs[i][end];
            links->radius[at] = 0.5 * s->segments[k].diameter;
        }
}

/* Whether no external force or motion acts. */
static bool is_closed(const scene *s)
{
    bool rigid = false;
    for (size_t k = 0; k < s->mesh_count; k++) rigid = rigid || s->meshes[k].rigid;
    return scene_surfaces(s) == 1 && s->drive_count + s->load_count == 0 && !rigid && !scene_flows(s);
}

carom_status links_of_scene(result_links *links, const scene *s, const initial_state *state, error *e)
{
    *links = (result_links){.closed = is_closed(s)};
    for (size_t k = 0; k < s->springs_count; k++) links->springs += s->springs[k].count;
    for (size_t k = 0; k < s->rods_count; k++) links->springs += rod_edges(&s->rods[k]);
    for (size_t k = 0; k < s->bonds_count; k++) links->springs += s->bonds[k].count;
    for (size_t k = 0; k < s->segments_count; k++) links->segments += s->segments[k].count;
    const bool owned = state->body_count + s->drive_count > 0;
    if (owned) links->owner = NEW_ARRAY(state->count, uint32_t);
    carom_status status = CAROM_OK;
    if (!allocate(links, s->bonds_count > 0) || (owned && links->owner == NULL))
        status = error_memory(e, "springs and segments", state->count * sizeof(uint32_t));
    if (status == CAROM_OK) status = meshes_of_state(&links->mesh, &links->meshes, s, state, e);
    if (status == CAROM_OK) status = solids_of_state(&links->solid, &links->solids, s, state, e);
    if (status == CAROM_OK) status = clumps_of_state(&links->clump, &links->clumps, s, state, e);
    if (status != CAROM_OK) {
        links_free(links);
        return status;
    }
    fill_pairs(links, s);
    if (owned) fill_owner(links, s, state);
    return CAROM_OK;
}

void links_free(result_links *links)
{
    for (int k = 0; k < 2; k++) {
        memory_free(links->spring[k]);
        memory_free(links->segment[k]);
    }
    memory_free(links->shortest);
    memory_free(links->longest);
    memory_free(links->radius);
    memory_free(links->owner);
    meshes_free(links->mesh, links->meshes);
    solids_free(links->solid, links->solids);
    clumps_free(links->clump, links->clumps);
    *links = (result_links){0};
}

static bool store_pairs(hid_t file, const char *path, uint32_t *const ends[2], size_t count)
{
    hid_t group = h5_group(file, path);
    if (group < 0) return false;
    bool done =
        h5_fixed(group, "i", SNAPSHOT_U32, count, ends[0]) && h5_fixed(group, "j", SNAPSHOT_U32, count, ends[1]);
    return H5Gclose(group) >= 0 && done;
}

bool links_store(hid_t file, const result_links *links, size_t particles)
{
    if (links == NULL) return true;
    const uint8_t closed = links->closed;
    hid_t root = H5Gopen2(file, "carom", H5P_DEFAULT);
    if (root < 0) return false;
    bool done = h5_attribute(root, "closed", SNAPSHOT_U8, 0, &closed);
    const bool bonds = links->longest != NULL;
    if (done && links->springs > 0)
        done = store_pairs(root, bonds ? "bonds" : "springs", links->spring, links->springs);
    if (done && bonds)
        done = h5_fixed(root, "bonds/shortest", SNAPSHOT_F64, links->springs, links->shortest) &&
               h5_fixed(root, "bonds/longest", SNAPSHOT_F64, links->springs, links->longest);
    if (done && links->segments > 0)
        done = store_pairs(root, "segments", links->segment, links->segments) &&
               h5_fixed(root, "segments/radius", SNAPSHOT_F64, links->segments, links->radius);
    if (done && links->owner != NULL) done = h5_fixed(root, "owner", SNAPSHOT_U32, particles, links->owner);
    if (done) done = meshes_store(root, links->mesh, links->meshes) && solids_store(root, links->solid, links->solids);
    if (done) done = clumps_store(root, links->clump, links->clumps);
    return H5Gclose(root) >= 0 && done;
}

/* Rows of a column of numbers; -1 if it does not exist or has another type. */
static int64_t length_of(hid_t file, const char *path, snapshot_type type)
{
    const h5_row number = {.type = type};
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    int64_t rows = dataset >= 0 ? h5_rows(dataset, &number) : -1;
    if (dataset >= 0) H5Dclose(dataset);
    return rows;
}

static bool load(hid_t file, const char *path, snapshot_type type, size_t count, void *out)
{
    const h5_row number = {.type = type};
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    bool done = dataset >= 0 && h5_read_rows(dataset, &number, 0, count, out);
    if (dataset >= 0) H5Dclose(dataset);
    return done;
}

static bool below(const uint32_t *numbers, size_t count, size_t particles)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= particles) return false;
    return true;
}

static bool load_pairs(hid_t file, const char *const paths[2], uint32_t *const ends[2], size_t count, size_t particles)
{
    for (int k = 0; count > 0 && k < 2; k++)
        if (!load(file, paths[k], SNAPSHOT_U32, count, ends[k]) || !below(ends[k], count, particles)) return false;
    return true;
}

carom_status links_load(hid_t file, size_t particles, result_links *links, const char **fault, error *e)
{
    static const char *const both[2][2] = {{"carom/springs/i", "carom/springs/j"}, {"carom/bonds/i", "carom/bonds/j"}};
    static const char *const segments[2] = {"carom/segments/i", "carom/segments/j"};
    uint8_t closed = 0;
    *links = (result_links){0};
    hid_t root = H5Gopen2(file, "carom", H5P_DEFAULT);
    if (root >= 0 && H5Aexists(root, "closed") > 0 && h5_attribute_read(root, "closed", SNAPSHOT_U8, 0, &closed))
        links->closed = closed != 0;
    const bool has_bonds = root >= 0 && H5Lexists(root, "bonds", H5P_DEFAULT) > 0;
    const bool has_springs = root >= 0 && (has_bonds || H5Lexists(root, "springs", H5P_DEFAULT) > 0);
    const char *const *springs = both[has_bonds];
    const bool has_segments = root >= 0 && H5Lexists(root, "segments", H5P_DEFAULT) > 0;
    const bool has_owner = root >= 0 && H5Lexists(root, "owner", H5P_DEFAULT) > 0;
    if (root >= 0) H5Gclose(root);
    int64_t spring_rows = has_springs ? length_of(file, springs[0], SNAPSHOT_U32) : 0;
    int64_t segment_rows = has_segments ? length_of(file, segments[0], SNAPSHOT_U32) : 0;
    *fault = spring_rows >= 0 ? "carom/segments" : has_bonds ? "carom/bonds" : "carom/springs";
    if (spring_rows < 0 || segment_rows < 0) return CAROM_BAD_DATA;
    links->springs = (size_t)spring_rows;
    links->segments = (size_t)segment_rows;
    if (has_owner) links->owner = NEW_ARRAY(particles, uint32_t);
    if (!allocate(links, has_bonds) || (has_owner && links->owner == NULL)) {
        links_free(links);
        return error_memory(e, "springs and segments", particles * sizeof(uint32_t));
    }
    bool good = load_pairs(file, springs, links->spring, links->springs, particles);
    *fault = has_bonds ? "carom/bonds" : "carom/springs";
    if (good && has_bonds)
        good = load(file, "carom/bonds/shortest", SNAPSHOT_F64, links->springs, links->shortest) &&
               load(file, "carom/bonds/longest", SNAPSHOT_F64, links->springs, links->longest);
    if (good) {
        *fault = "carom/segments";
        good =
            load_pairs(file, segments, links->segment, links->segments, particles) &&
            (links->segments == 0 || load(file, "carom/segments/radius", SNAPSHOT_F64, links->segments, links->radius));
    }
    if (good && has_owner) {
        *fault = "carom/owner";
        good = load(file, "carom/owner", SNAPSHOT_U32, particles, links->owner);
    }
    carom_status status = good ? CAROM_OK : CAROM_BAD_DATA;
    if (good) {
        *fault = "carom/meshes";
        status = meshes_load(file, particles, &links->mesh, &links->meshes, e);
        if (status == CAROM_OK) {
            *fault = SOLIDS_GROUP;
            status = solids_load(file, particles, &links->solid, &links->solids, e);
        }
        if (status == CAROM_OK) {
            *fault = CLUMPS_GROUP;
            status = clumps_load(file, particles, &links->clump, &links->clumps, e);
        }
    }
    if (status != CAROM_OK) links_free(links);
    return status;
}
