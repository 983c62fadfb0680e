#include "output/results/read_about.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "output/results/embedded.h"

/* Reads a text attribute; "" if absent. */
static carom_status text(hid_t object, const char *name, char **out, error *e)
{
    *out = h5_text_read(object, name);
    if (*out == NULL) *out = memory_text("");
    return *out != NULL ? CAROM_OK : error_memory(e, name, 1);
}

/* An existing dataset must be readable. */
static carom_status scene_text(result_about *about, hid_t root, const char **fault, error *e)
{
    *fault = "carom/scene";
    about->scene = h5_text_read(root, "scene");
    if (about->scene == NULL && H5Lexists(root, "scene", H5P_DEFAULT) != 0) return CAROM_BAD_DATA;
    if (about->scene == NULL) about->scene = memory_text("");
    return about->scene != NULL ? CAROM_OK : error_memory(e, "scene", 1);
}

static carom_status run_texts(result_about *about, hid_t root, error *e)
{
    TRY(text(root, "version", &about->version, e));
    TRY(text(root, "commit", &about->commit, e));
    TRY(text(root, "title", &about->title, e));
    TRY(text(root, "engine", &about->engine, e));
    return text(root, "flags", &about->flags, e);
}

/* [N] and D from the datasets themselves. */
static carom_status particle_sizes(result_about *about, hid_t file, const char **fault)
{
    hsize_t size[3] = {0};
    *fault = frame_channels[FRAME_CHANNEL(position)].path;
    hid_t dataset = H5Dopen2(file, *fault, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    bool done =
        space >= 0 && H5Sget_simple_extent_ndims(space) == 3 && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    if (space >= 0) H5Sclose(space);
    if (dataset >= 0) H5Dclose(dataset);
    if (!done || size[2] < 2 || size[2] > 3 || size[1] > UINT32_MAX) return CAROM_BAD_DATA;
    about->count = size[1];
    about->dimension = (int)size[2];
    return CAROM_OK;
}

/* 0 if absent, as in files of earlier versions. */
static bool optional(hid_t root, const char *name, double *value)
{
    *value = 0;
    return H5Aexists(root, name) <= 0 || h5_attribute_read(root, name, SNAPSHOT_F64, 0, value);
}

/* "none" if absent. */
static bool stop_word(hid_t root, char stop[H5_WORD])
{
    if (H5Aexists(root, "stop") != 0) return h5_word_read(root, "stop", stop);
    memcpy(stop, "none", sizeof "none");
    return true;
}

static carom_status run_numbers(result_about *about, hid_t root, const char **fault)
{
    int32_t threads = 0;
    *fault = "carom/layout";
    if (!h5_attribute_read(root, "layout", SNAPSHOT_I32, 0, &about->layout) || about->layout < LAYOUT_FIRST ||
        about->layout > LAYOUT_VERSION)
        return CAROM_BAD_DATA;
    *fault = "carom";
    if (!h5_attribute_read(root, "seed", SNAPSHOT_U64, 0, &about->seed) ||
        !h5_attribute_read(root, "threads", SNAPSHOT_I32, 0, &threads) ||
        !h5_attribute_read(root, "gravity", SNAPSHOT_F64, 3, about->gravity) ||
        !h5_attribute_read(root, "time", SNAPSHOT_F64, 0, &about->time) ||
        !h5_attribute_read(root, "events", SNAPSHOT_U64, EVENT_KINDS, about->events) || !stop_word(root, about->stop) ||
        !h5_word_read(root, "state_hash", about->state_hash))
        return CAROM_BAD_DATA;
    about->threads = threads;
    uint8_t edited = 0;
    if (H5Aexists(root, "edited") > 0 && !h5_attribute_read(root, "edited", SNAPSHOT_U8, 0, &edited))
        return CAROM_BAD_DATA;
    about->edited = edited != 0;
    return optional(root, "leeway", &about->leeway) && optional(root, "shear", &about->shear) &&
                   optional(root, "grain", &about->grain)
               ? CAROM_OK
               : CAROM_BAD_DATA;
}

static carom_status boundaries(result_about *about, hid_t root, const char **fault, error *e)
{
    static const char *const words[] = {"periodic", "wall", "open"};
    char **names = NULL;
    size_t count = 0;
    *fault = "carom/boundary";
    TRY(h5_texts_read(root, "boundary", &names, &count, e));
    carom_status status = count == 3 ? CAROM_OK : CAROM_BAD_DATA;
    for (size_t k = 0; k < count && status == CAROM_OK; k++) {
        int word = 0;
        while (word < 3 && strcmp(names[k], words[word]) != 0) word++;
        if (word == 3) status = CAROM_BAD_DATA;
        about->boundary[k] = word;
    }
    h5_texts_free(names, count);
    return status;
}

static carom_status summary(result_about *about, hid_t root, const char **fault, error *e)
{
    const h5_row byte = {.type = SNAPSHOT_U8};
    *fault = "carom/summary";
    hid_t dataset = H5Dopen2(root, "summary", H5P_DEFAULT);
    int64_t length = dataset >= 0 ? h5_rows(dataset, &byte) : -1;
    about->summary = length >= 0 ? memory_new((size_t)length + 1, 1) : NULL;
    bool done = about->summary != NULL && h5_read_rows(dataset, &byte, 0, (hsize_t)length, about->summary);
    if (dataset >= 0) H5Dclose(dataset);
    if (length >= 0 && about->summary == NULL) return error_memory(e, "a summary", (size_t)length);
    return done ? CAROM_OK : CAROM_BAD_DATA;
}

/* From layout 2 on, the last number is a digest of the others. A run rewrites them repeatedly, and a read may
 * overlap with a write. */
static bool read_lengths(hid_t dataset, hsize_t count, const result_about *about, uint64_t *lengths)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    for (int looks = 0;;) {
        const bool done = h5_read_rows(dataset, &number, 0, count, lengths);
        if (done && (about->layout == 1 || h5_digest(lengths, (count - 1) * sizeof *lengths) == lengths[count - 1]))
            return true;
        if (!h5_look_again(about->live, &looks)) return false;
        H5Drefresh(dataset);
    }
}

/* Numbers of complete rows: of the frames, then of each table. */
static carom_status complete(hid_t root, const result_about *about, uint64_t **lengths, size_t *count,
                             const char **fault, error *e)
{
    const h5_row number = {.type = SNAPSHOT_U64};
    *fault = "carom/complete";
    hid_t dataset = H5Dopen2(root, "complete", H5P_DEFAULT);
    int64_t rows = dataset >= 0 ? h5_rows(dataset, &number) : -1;
    const bool enough = rows > (about->layout > 1 ? 1 : 0);
    *lengths = enough ? NEW_ARRAY((size_t)rows, uint64_t) : NULL;
    const bool done = *lengths != NULL && read_lengths(dataset, (hsize_t)rows, about, *lengths);
    if (dataset >= 0) H5Dclose(dataset);
    if (enough && *lengths == NULL) return error_memory(e, "a result file", (size_t)rows * sizeof **lengths);
    *count = done ? (size_t)rows - (about->layout > 1) : 0;
    return done ? CAROM_OK : CAROM_BAD_DATA;
}

/* Channels that occur together have the same flag or array in the frame; the first shows whether all exist. */
static void find_channels(result_about *about, hid_t file)
{
    char group[LAYOUT_GROUP];
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i], *first = c;
        if (c->path == NULL) continue;
        for (size_t k = 0; k < i && c->given != 0 && first == c; k++)
            if (frame_channels[k].given == c->given) first = &frame_channels[k];
        const bool whole =
            first->offset == offsetof(carom_frame, present); /* its group may be the dataset of constant ids */
        const char *there = first->kind == CHANNEL_ARRAY && !whole ? layout_group(first->path, group) : first->path;
        about->has[i] = c->required || H5Lexists(file, there, H5P_DEFAULT) > 0;
    }
    for (size_t i = 0; i < frame_channel_count; i++)
        for (size_t k = 0; k < frame_channel_count && frame_channels[i].unless > 0; k++)
            if (about->has[k] && frame_channels[k].given == frame_channels[i].unless) about->has[i] = false;
}

bool about_has_ledger(const result_about *about)
{
    for (size_t i = 0; i < frame_channel_count; i++)
        if (frame_channels[i].balance != BALANCE_NONE && about->has[i]) return true;
    return false;
}

carom_status about_read(result_about *about, hid_t file, const char **fault, error *e)
{
    *fault = "carom";
    hid_t root = H5Gopen2(file, "carom", H5P_DEFAULT);
    if (root < 0) return CAROM_BAD_DATA;
    uint64_t *lengths = NULL;
    size_t length_count = 0;
    carom_status status = run_texts(about, root, e);
    if (status == CAROM_OK) status = scene_text(about, root, fault, e);
    if (status == CAROM_OK) status = run_numbers(about, root, fault);
    if (status == CAROM_OK) status = boundaries(about, root, fault, e);
    if (status == CAROM_OK) status = h5_texts_read(root, "species", &about->species, &about->species_count, e);
    if (status == CAROM_OK) status = summary(about, root, fault, e);
    if (status == CAROM_OK) status = complete(root, about, &lengths, &length_count, fault, e);
    if (status == CAROM_OK) status = particle_sizes(about, file, fault);
    if (status == CAROM_OK && !meshes_count_vertices(file, about->count, &about->vertices)) {
        *fault = "carom/meshes";
        status = CAROM_BAD_DATA;
    }
    about->events_stored = H5Lexists(file, LAYOUT_EVENTS, H5P_DEFAULT) > 0;
    about->lasting = about->events_stored && H5Lexists(file, event_fields[EVENT_DURATION].path, H5P_DEFAULT) > 0;
    if (status == CAROM_OK && about->events_stored && length_count > 2) about->event_rows = lengths[--length_count];
    if (status == CAROM_OK) status = about_read_observables(about, file, lengths + 1, length_count - 1, fault, e);
    if (status == CAROM_OK && !embedded_size(file, &about->checkpoint)) {
        *fault = EMBEDDED_PATH;
        status = CAROM_BAD_DATA;
    }
    if (status == CAROM_OK) about->frames = lengths[0];
    if (status == CAROM_OK && length_count > 1) about->merges = lengths[length_count - 1];
    find_channels(about, file);
    about->digests = H5Lexists(file, LAYOUT_ROW_DIGESTS, H5P_DEFAULT) > 0;
    memory_free(lengths);
    H5Gclose(root);
    return status;
}

void about_free(result_about *about)
{
    memory_free(about->version);
    memory_free(about->commit);
    memory_free(about->scene);
    memory_free(about->title);
    memory_free(about->engine);
    memory_free(about->flags);
    memory_free(about->summary);
    h5_texts_free(about->species, about->species_count);
    about_free_observables(about);
    *about = (result_about){0};
}
