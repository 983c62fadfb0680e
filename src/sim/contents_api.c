/* Contents of result files of carom.h: properties, frames, numbers of all frames, merges, connections. */
#include "sim/file_api.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

void contents_free(file_contents *contents)
{
    contents_free_observables(contents);
    memory_free(contents->merges);
    if (contents->linked) links_free(&contents->links);
    memory_free(contents->meshes);
    memory_free(contents->numbers);
    *contents = (file_contents){0};
}

/* HDF5 shares the cached metadata of a file that is opened twice: it has to be closed first. */
carom_status carom_file_refresh(carom_file *file)
{
    TRY(file_need_result(file, "read again"));
    if (access(file->path, R_OK) != 0)
        return error_set(&file->message, CAROM_NO_INPUT, "error: '%s' no longer exists", file->path);
    if (!reader_about(file->result)->live && reader_is(file->result, file->path)) return CAROM_OK;
    contents_free(&file->contents);
    reader_close(file->result);
    return guard_made(&file->guard, reader_open(&file->result, file->path, &file->message));
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static carom_contents contents_of_checkpoint(const checkpoint *c)
{
    return (carom_contents){.checkpoint = true,
                            .version = c->version,
                            .commit = c->commit,
                            .engine = c->engine,
                            .title = c->title,
                            .scene = c->scene,
                            .summary = "",
                            .stop = "none",
                            .state_hash = "",
                            .particles = c->particles,
                            .frames = c->length_count > 0 ? c->lengths[0] : 0,
                            .time = c->time};
}

carom_status carom_file_contents(carom_file *file, carom_contents *out)
{
    ENTER(file, "no file has been opened");
    NEED(file, out);
    error_clear(&file->message);
    if (file->result == NULL) {
        *out = contents_of_checkpoint(&file->checkpoint);
        return CAROM_OK;
    }
    const result_about *about = reader_about(file->result);
    *out = (carom_contents){.being_written = about->live && strcmp(about->stop, "none") == 0,
                            .version = about->version,
                            .commit = about->commit,
                            .engine = about->engine,
                            .title = about->title,
                            .scene = about->scene,
                            .summary = about->summary,
                            .stop = about->stop,
                            .state_hash = about->state_hash,
                            .seed = about->seed,
                            .threads = about->threads,
                            .dimension = about->dimension,
                            .particles = about_particles(about),
                            .vertices = about->vertices,
                            .frames = about->frames,
                            .merges = about->merges,
                            .bytes = about->bytes,
                            .observables = about->observable_count,
                            .species = about->species_count,
                            .time = about->time};
    return CAROM_OK;
}

/* NULL for an object that cannot be used, and for a checkpoint. */
static const result_about *about_of(const carom_file *file)
{
    return USABLE(file) && file->result != NULL ? reader_about(file->result) : NULL;
}

const char *carom_file_species(const carom_file *file, size_t n)
{
    const result_about *about = about_of(file);
    return about != NULL && n < about->species_count ? about->species[n] : NULL;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static carom_status read_frame(carom_file *file, uint64_t index, carom_frame *frame)
{
    error *e = &file->message;
    TRY(reader_frame_create(file->result, frame, e));
    TRY(reader_frame(file->result, index, frame, e));
    return frame_unscale(frame, e);
}

carom_status carom_file_frame(carom_file *file, uint64_t index, carom_frame **frame)
{
    if (frame != NULL) *frame = NULL;
    TRY(file_need_result(file, "read"));
    NEED(file, frame);
    carom_frame *fresh = NEW_ARRAY(1, carom_frame);
    if (fresh == NULL) return error_memory(&file->message, "a frame", sizeof *fresh);
    const carom_status status = read_frame(file, index, fresh);
    if (status == CAROM_OK)
        *frame = fresh;
    else
        carom_frame_free(fresh);
    return status;
}

static const frame_channel *numbers_channel(const result_about *about, size_t n)
{
    for (size_t i = 0; about != NULL && i < frame_channel_count; i++)
        if (channel_stored(i, CHANNEL_NUMBERS, about->has) && n-- == 0) return &frame_channels[i];
    return NULL;
}

const char *carom_file_numbers_name(const carom_file *file, size_t n)
{
    const frame_channel *c = numbers_channel(about_of(file), n);
    return c != NULL ? c->name : NULL;
}

/* Blocks of rows: a row has all numbers of a frame. */
static carom_status gather(carom_file *file, const frame_channel *c, uint64_t first, uint64_t count, char *to)
{
    enum { BLOCK = 512 };
    const size_t size = channel_width(c, reader_about(file->result)->dimension) * snapshot_element_size(c->type);
    frame_row *rows = NEW_ARRAY(BLOCK, frame_row);
    if (rows == NULL) return error_memory(&file->message, "the numbers of frames", BLOCK * sizeof *rows);
    carom_status status = CAROM_OK;
    for (uint64_t done = 0; done < count && status == CAROM_OK; done += BLOCK) {
        const uint64_t some = count - done < BLOCK ? count - done : BLOCK;
        status = reader_rows(file->result, first + done, some, rows, &file->message);
        for (uint64_t k = 0; k < some && status == CAROM_OK; k++)
            memcpy(to + (done + k) * size, (const char *)(rows + k) + c->offset, size);
    }
    memory_free(rows);
    return status;
}

carom_status carom_file_numbers(carom_file *file, const char *name, uint64_t first, uint64_t count, carom_channel *out)
{
    TRY(file_need_result(file, "read"));
    NEED(file, name);
    NEED(file, out);
    const result_about *about = reader_about(file->result);
    const frame_channel *c;
    size_t n = 0;
    do c = numbers_channel(about, n++);
    while (c != NULL && strcmp(c->name, name) != 0);
    if (c == NULL)
        return error_set(&file->message, CAROM_USAGE, "error: the frames of '%s' have no numbers '%s'", file->path,
                         name);
    if (first > about->frames || count > about->frames - first)
        return error_set(&file->message, CAROM_USAGE,
                         "error: '%s' has %" PRIu64 " frames, not %" PRIu64 " from number %" PRIu64 " on", file->path,
                         about->frames, count, first);
    memory_free(file->contents.numbers);
    file->contents.numbers = memory_new(count, channel_width(c, about->dimension) * snapshot_element_size(c->type));
    if (file->contents.numbers == NULL) return error_memory(&file->message, "the numbers of frames", count);
    TRY(gather(file, c, first, count, file->contents.numbers));
    *out = (carom_channel){.name = c->name,
                           .quantity = c->quantity,
                           .data = file->contents.numbers,
                           .type = (carom_type)c->type,
                           .rank = 1 + c->rank,
                           .shape = {count}};
    for (int k = 0; k < c->rank; k++) out->shape[1 + k] = c->dims[k] > 0 ? c->dims[k] : (size_t)about->dimension;
    return CAROM_OK;
}

/* ---- merges and connections -------------------------------------------------------------------------------------- */

carom_status carom_file_merges(carom_file *file, const carom_merge **merges, size_t *count)
{
    if (merges != NULL) *merges = NULL;
    TRY(file_need_result(file, "read"));
    NEED(file, merges);
    NEED(file, count);
    if (file->contents.merges == NULL) TRY(reader_merges(file->result, &file->contents.merges, &file->message));
    *merges = file->contents.merges;
    *count = reader_about(file->result)->merges;
    return CAROM_OK;
}

static carom_status read_links(carom_file *file)
{
    file_contents *c = &file->contents;
    if (!c->linked) TRY(reader_links(file->result, &c->links, &file->message));
    c->linked = true;
    c->meshes = NEW_ARRAY(c->links.meshes, carom_mesh);
    if (c->meshes == NULL) return error_memory(&file->message, "meshes", c->links.meshes * sizeof *c->meshes);
    for (size_t k = 0; k < c->links.meshes; k++) {
        const result_mesh *from = &c->links.mesh[k];
        c->meshes[k] = (carom_mesh){.name = from->name,
                                    .repairs = from->repairs,
                                    .first = from->first,
                                    .vertices = from->vertices,
                                    .triangles = (const uint32_t *)from->triangles,
                                    .triangle_count = from->triangle_count,
                                    .rigid = from->rigid != 0};
    }
    return CAROM_OK;
}

carom_status carom_file_links(carom_file *file, carom_links *out)
{
    TRY(file_need_result(file, "read"));
    NEED(file, out);
    if (file->contents.meshes == NULL) TRY(read_links(file));
    const result_links *l = &file->contents.links;
    *out = (carom_links){.spring_i = l->spring[0],
                         .spring_j = l->spring[1],
                         .shortest = l->shortest,
                         .longest = l->longest,
                         .springs = l->springs,
                         .segment_i = l->segment[0],
                         .segment_j = l->segment[1],
                         .radius = l->radius,
                         .segments = l->segments,
                         .owner = l->owner,
                         .meshes = file->contents.meshes,
                         .mesh_count = l->meshes};
    return CAROM_OK;
}
