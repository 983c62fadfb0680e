#define _GNU_SOURCE
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "output/results/embedded.h"
#include "output/results/result_structure.h"

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static bool quantity(hid_t object, const char *word)
{
    return word == NULL || word[0] == '\0' || h5_text(object, "quantity", word);
}

static bool make_compressed(hid_t group, const char *name, h5_row row, const char *word, int deflate)
{
    hid_t dataset = h5_column(group, name, &row, deflate);
    if (dataset < 0) return false;
    bool done = quantity(dataset, word);
    return H5Dclose(dataset) >= 0 && done;
}

static bool make_column(hid_t group, const char *name, h5_row row, const char *word)
{
    return make_compressed(group, name, row, word, 0);
}

/* A dataset that is rewritten as a whole and gets its digest at the end. */
static bool make_rewritten(hid_t group, const char *name, h5_row row, const char *word)
{
    if (!make_column(group, name, row, word)) return false;
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    bool done = h5_seal(dataset, 0, true);
    return H5Dclose(dataset) >= 0 && done;
}

static bool make_digests(hid_t group, const char *name)
{
    return make_column(group, name, (h5_row){.type = SNAPSHOT_U64}, NULL);
}

static bool named_group(hid_t parent, const char *name, const char *attribute, const char *value, const char *version)
{
    hid_t group = h5_group(parent, name);
    if (group < 0) return false;
    bool done = h5_text(group, attribute, value) && (version == NULL || h5_text(group, "version", version));
    return H5Gclose(group) >= 0 && done;
}

enum { AUTHOR = 200 };

static bool is_text(const char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s < ' ') return false;
    return true;
}

/* The author, required by H5MD: CAROM_AUTHOR, or the full name of the account, or its name. */
static const char *author(char name[AUTHOR])
{
    const char *given = getenv("CAROM_AUTHOR");
    char room[4096];
    struct passwd account, *found = NULL;
    if (given == NULL && getpwuid_r(getuid(), &account, room, sizeof room, &found) == 0 && found != NULL) {
        account.pw_gecos[strcspn(account.pw_gecos, ",")] = '\0';
        given = account.pw_gecos[0] != '\0' ? account.pw_gecos : account.pw_name;
    }
    if (given == NULL || given[0] == '\0' || !is_text(given)) given = "unknown";
    snprintf(name, AUTHOR, "%s", given);
    return name;
}

static bool make_h5md(hid_t file, const result_header *header)
{
    const int32_t version[2] = {1, 1};
    char name[AUTHOR];
    hid_t group = h5_group(file, "h5md");
    if (group < 0) return false;
    bool done = h5_attribute(group, "version", SNAPSHOT_I32, 2, version) &&
                named_group(group, "author", "name", author(name), NULL) &&
                named_group(group, "creator", "name", LAYOUT_CREATOR, text_or_empty(header->version));
    return H5Gclose(group) >= 0 && done;
}

static bool make_box(hid_t file, const carom_frame *first)
{
    const int32_t dimension = first->dimension;
    const char *boundary[3];
    for (int k = 0; k < first->dimension; k++) boundary[k] = first->boundary[k] == FRAME_PERIODIC ? "periodic" : "none";
    hid_t box = h5_group(file, "particles/all/box");
    if (box < 0) return false;
    bool done = h5_attribute(box, "dimension", SNAPSHOT_I32, 0, &dimension) &&
                h5_texts(box, "boundary", boundary, (hsize_t)dimension);
    hid_t edges = h5_group(box, "edges");
    done = done && edges >= 0;
    if (edges >= 0) H5Gclose(edges);
    return H5Gclose(box) >= 0 && done;
}

/* step and time are one dataset each, with links at the paths that H5MD requires. */
static bool link_clock(hid_t file, const char *group)
{
    static const char *const clock[] = {LAYOUT_STEP, LAYOUT_TIME};
    for (size_t i = 0; i < 2; i++) {
        char to[64];
        snprintf(to, sizeof to, "%s%s", group, strrchr(clock[i], '/'));
        if (H5Lcreate_hard(file, clock[i], file, to, H5P_DEFAULT, H5P_DEFAULT) < 0) return false;
    }
    return true;
}

static bool make_group(hid_t file, const char *name)
{
    hid_t group = h5_group(file, name);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool make_array(hid_t file, const frame_channel *c, const carom_frame *first, int deflate, bool digests)
{
    char group[LAYOUT_GROUP];
    return make_group(file, layout_group(c->path, group)) &&
           make_compressed(file, c->path, channel_shape(c, first->dimension, first->count), c->quantity, deflate) &&
           (!digests || make_digests(file, layout_digests(c->path, group)));
}

static bool make_fixed(hid_t file, const frame_channel *c, const carom_frame *first)
{
    const hsize_t width = c->rank > 0 ? channel_width(c, first->dimension) : 0;
    frame_need(first, c->column);
    const bool done = h5_fixed_rows(file, c->path, c->type, first->count, width, frame_array(first, c));
    frame_release(first, c->column);
    return done;
}

/* Creates all channels of a kind. */
static bool make_channels(hid_t file, channel_kind kind, const carom_frame *first, const bool *has, int deflate,
                          bool digests)
{
    for (size_t i = 0; i < frame_channel_count; i++) {
        const frame_channel *c = &frame_channels[i];
        if (!channel_stored(i, kind, has)) continue;
        if (!(kind == CHANNEL_ARRAY   ? make_array(file, c, first, deflate, digests)
              : kind == CHANNEL_FIXED ? make_fixed(file, c, first)
                                      : make_column(file, c->path, channel_shape(c, first->dimension, 0), c->quantity)))
            return false;
    }
    return true;
}

static bool make_row_digests(hid_t file, const carom_frame *first)
{
    char path[LAYOUT_GROUP];
    return make_digests(file, LAYOUT_ROW_DIGESTS) &&
           (first->cluster == NULL || make_digests(file, layout_digests(merge_fields[MERGE_TIME].path, path)));
}

/* The clock of positions is the common one. */
static bool link_arrays(hid_t file, const bool *has)
{
    char group[LAYOUT_GROUP];
    for (size_t i = 0; i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_ARRAY, has) && i != FRAME_CHANNEL(position) &&
            !link_clock(file, layout_group(frame_channels[i].path, group)))
            return false;
    return true;
}

static bool make_particles(hid_t file, const carom_frame *first, const bool *has, int deflate, bool digests)
{
    if (!make_group(file, "carom/frames") || (first->cluster != NULL && !make_group(file, "carom/merges")))
        return false;
    if (!make_box(file, first)) return false;
    if (!make_channels(file, CHANNEL_ARRAY, first, has, deflate, digests) ||
        (digests && !make_row_digests(file, first)) || !make_channels(file, CHANNEL_NUMBERS, first, has, 0, false))
        return false;
    for (size_t i = 0; first->cluster != NULL && i < MERGE_FIELDS; i++)
        if (!make_column(file, merge_fields[i].path, (h5_row){.type = merge_fields[i].type}, merge_fields[i].quantity))
            return false;
    return make_channels(file, CHANNEL_FIXED, first, has, 0, false) && link_arrays(file, has) &&
           link_clock(file, "particles/all/box/edges") && link_clock(file, "carom/frames");
}

static bool describe_run(hid_t root, const result_header *header, const carom_frame *first)
{
    const int32_t layout = LAYOUT_VERSION, threads = header->threads;
    const uint64_t nothing[EVENT_KINDS] = {0};
    const double start = first->time;
    const uint8_t edited = 0;
    static const char *const boundaries[] = {"periodic", "wall", "open"};
    const char *boundary[3];
    for (int k = 0; k < 3; k++) boundary[k] = boundaries[first->boundary[k]];
    return h5_attribute(root, "layout", SNAPSHOT_I32, 0, &layout) &&
           h5_text(root, "version", text_or_empty(header->version)) &&
           h5_text(root, "commit", text_or_empty(header->commit)) &&
           h5_text_dataset(root, "scene", text_or_empty(header->scene)) &&
           h5_text(root, "title", text_or_empty(header->title)) &&
           h5_text(root, "engine", text_or_empty(header->engine)) &&
           h5_text(root, "flags", text_or_empty(header->flags)) &&
           h5_texts(root, "species", header->species, header->species_count) &&
           h5_texts(root, "boundary", boundary, 3) && h5_texts(root, "event_kinds", event_kind_names, EVENT_KINDS) &&
           h5_attribute(root, "seed", SNAPSHOT_U64, 0, &header->seed) &&
           h5_attribute(root, "threads", SNAPSHOT_I32, 0, &threads) &&
           h5_attribute(root, "gravity", SNAPSHOT_F64, 3, first->gravity) &&
           h5_attribute(root, "leeway", SNAPSHOT_F64, 0, &first->leeway) &&
           h5_attribute(root, "edited", SNAPSHOT_U8, 0, &edited) &&
           (first->grain == 0 || h5_attribute(root, "grain", SNAPSHOT_F64, 0, &first->grain)) &&
           (first->shear == 0 || h5_attribute(root, "shear", SNAPSHOT_F64, 0, &first->shear)) &&
           h5_word(root, "stop", "none", true) && h5_word(root, "state_hash", "", true) &&
           h5_attribute(root, "time", SNAPSHOT_F64, 0, &start) &&
           h5_attribute(root, "events", SNAPSHOT_U64, EVENT_KINDS, nothing) &&
           make_rewritten(root, "summary", (h5_row){.type = SNAPSHOT_U8}, NULL) && embedded_make(root);
}

/* Numbers of complete rows: 0 at first; rewritten with each frame. */
static bool make_complete(hid_t root, const result_header *header, const result_observable *watched,
                          size_t watched_count)
{
    size_t count = 3 + (header->events ? 1 : 0);
    for (size_t i = 0; i < watched_count; i++) count += watched[i].shape->table_count;
    uint64_t *none = NEW_ARRAY(count, uint64_t);
    hid_t dataset = none != NULL ? h5_fixed_open(root, "complete", H5T_NATIVE_UINT64, count, 0, none) : -1;
    memory_free(none);
    return dataset >= 0 && H5Dclose(dataset) >= 0;
}

static bool make_carom(hid_t file, const result_header *header, const result_observable *watched, size_t watched_count,
                       const carom_frame *first)
{
    hid_t root = H5Gopen2(file, "carom", H5P_DEFAULT);
    if (root < 0) return false;
    bool done = describe_run(root, header, first) && make_complete(root, header, watched, watched_count);
    return H5Gclose(root) >= 0 && done;
}

static bool make_value(hid_t parent, const char *what, const measure_value *value)
{
    double unknown[MEASURE_WIDTH];
    const uint8_t no = 0, repeats = measure_is_setting(what, value->name);
    for (int k = 0; k < MEASURE_WIDTH; k++) unknown[k] = NAN;
    hsize_t width = value->width > 1 ? value->width : 0;
    hid_t group = h5_group(parent, value->name);
    if (group < 0) return false;
    bool done = h5_attribute(group, "mean", SNAPSHOT_F64, width, unknown) &&
                h5_attribute(group, "error", SNAPSHOT_F64, width, unknown) &&
                h5_attribute(group, "converged", SNAPSHOT_U8, 0, &no) && quantity(group, value->unit) &&
                (!repeats || h5_attribute(group, "setting", SNAPSHOT_U8, 0, &repeats));
    return H5Gclose(group) >= 0 && done;
}

/* Names are listed in their order: HDF5 lists alphabetically. */
static bool list_names(hid_t group, const char *attribute, const char *const *names, size_t count)
{
    bool done = names != NULL && h5_texts(group, attribute, names, count);
    memory_free((void *)(uintptr_t)names);
    return done;
}

static bool list_columns(hid_t group, const measure_table *shape)
{
    const char **names = NEW_ARRAY(shape->column_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->column_count; i++) names[i] = shape->columns[i].name;
    return list_names(group, "columns", names, shape->column_count);
}

static bool list_tables(hid_t group, const measure_result *shape)
{
    const char **names = NEW_ARRAY(shape->table_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->table_count; i++) names[i] = shape->tables[i].name;
    return list_names(group, "tables", names, shape->table_count);
}

static bool list_values(hid_t group, const measure_result *shape)
{
    const char **names = NEW_ARRAY(shape->value_count, const char *);
    for (size_t i = 0; names != NULL && i < shape->value_count; i++) names[i] = shape->values[i].name;
    return list_names(group, "names", names, shape->value_count);
}

static bool list_observables(hid_t group, const result_observable *watched, size_t count)
{
    const char **names = NEW_ARRAY(count, const char *);
    for (size_t i = 0; names != NULL && i < count; i++) names[i] = watched[i].name;
    return list_names(group, "names", names, count);
}

/* A column of a series as an H5MD element: with links to step and time of the table. */
static bool make_element(hid_t table, const measure_column *c)
{
    static const char *const clock[] = {"step", "time"};
    hid_t group = h5_group(table, c->name);
    if (group < 0) return false;
    bool done = make_column(group, "value", layout_numbers(c->width), c->unit);
    for (size_t i = 0; i < 2; i++)
        done = done && H5Lcreate_hard(table, clock[i], group, clock[i], H5P_DEFAULT, H5P_DEFAULT) >= 0;
    return H5Gclose(group) >= 0 && done;
}

static bool make_series(hid_t group, const measure_table *shape, bool digests)
{
    bool done = shape->column_count > 0 && (!digests || make_digests(group, H5_DIGEST)) &&
                make_column(group, "step", (h5_row){.type = SNAPSHOT_U64}, NULL) &&
                make_column(group, "time", layout_numbers(1), shape->columns[0].unit);
    for (size_t i = 1; done && i < shape->column_count; i++) done = make_element(group, &shape->columns[i]);
    return done;
}

/* In a separate group, or in that of its observable. */
static bool fill_table(hid_t group, const measure_table *shape, bool digests)
{
    const uint8_t series = shape->series;
    bool done = h5_attribute(group, "series", SNAPSHOT_U8, 0, &series) && list_columns(group, shape);
    if (done && shape->series) return make_series(group, shape, digests);
    for (size_t i = 0; done && i < shape->column_count; i++) {
        const measure_column *c = &shape->columns[i];
        done = make_rewritten(group, c->name, layout_numbers(c->width), c->unit);
    }
    return done;
}

static bool make_table(hid_t parent, const measure_table *shape, bool first, bool digests)
{
    if (first && shape->series) return fill_table(parent, shape, digests);
    hid_t group = h5_group(parent, shape->name);
    if (group < 0) return false;
    bool done = fill_table(group, shape, digests);
    return H5Gclose(group) >= 0 && done;
}

static bool make_observable(hid_t parent, const result_observable *given, bool digests)
{
    const measure_result *shape = given->shape;
    hid_t group = h5_group(parent, given->name), values = group >= 0 ? h5_group(group, "values") : -1;
    bool done =
        values >= 0 && h5_text(group, "what", given->what) && list_tables(group, shape) && list_values(values, shape);
    for (size_t i = 0; done && i < shape->value_count; i++) done = make_value(values, given->what, &shape->values[i]);
    for (size_t i = 0; done && i < shape->table_count; i++)
        done = make_table(group, &shape->tables[i], i == 0, digests);
    if (values >= 0) H5Gclose(values);
    if (group >= 0) H5Gclose(group);
    return done;
}

static bool make_observables(hid_t file, const result_observable *watched, size_t count, bool digests)
{
    hid_t parent = h5_group(file, LAYOUT_OBSERVABLES);
    if (parent < 0) return false;
    bool done = list_observables(parent, watched, count);
    for (size_t i = 0; done && i < count; i++) done = make_observable(parent, &watched[i], digests);
    return H5Gclose(parent) >= 0 && done;
}

bool result_lay_out(hid_t file, const result_header *header, const result_observable *watched, size_t watched_count,
                    const carom_frame *first, const bool has[FRAME_CHANNELS_MOST], bool digests)
{
    return make_h5md(file, header) && make_particles(file, first, has, header->compression, digests) &&
           make_carom(file, header, watched, watched_count, first) && links_store(file, header->links, first->count) &&
           events_make(file, header, first->dimension) && make_observables(file, watched, watched_count, digests);
}
