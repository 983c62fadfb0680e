/* Input files and arrays of a scene (particles, meshes): they must not change before a run or a sweep is resumed. Their
 * digests are part of checkpoints and of the rows of a sweep. */
#include "sim/sim.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char part[] = "run/inputs";

static carom_status digest_of_file(const char *path, uint64_t *digest, error *e)
{
    static _Thread_local char block[1 << 16]; /* whole words: hash_bytes */
    FILE *file = fopen(path, "rb");
    if (file == NULL) return error_set(e, CAROM_NO_INPUT, "error: cannot open '%s': %s", path, strerror(errno));
    *digest = HASH_START;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) *digest = hash_bytes(*digest, block, got);
    const bool whole = ferror(file) == 0;
    fclose(file);
    *digest = hash_finish(*digest);
    return whole ? CAROM_OK : error_set(e, CAROM_NO_INPUT, "error: cannot read '%s'", path);
}

static carom_status digest_of(scene_input input, uint64_t *digest, error *e)
{
    if (input.path != NULL) return digest_of_file(input.path, digest, e);
    *digest = input.array != NULL ? input.array->digest : 0;
    return CAROM_OK;
}

carom_status inputs_create(carom_sim *sim)
{
    size_t most = 0;
    while (scene_input_at(sim->scene, most).name != NULL) most++;
    sim->inputs = NEW_ARRAY(most, uint64_t);
    if (sim->inputs == NULL) return error_memory(&sim->message, "the files of the scene", most * sizeof *sim->inputs);
    for (; sim->input_count < most; sim->input_count++)
        TRY(digest_of(scene_input_at(sim->scene, sim->input_count), &sim->inputs[sim->input_count], &sim->message));
    return CAROM_OK;
}

uint64_t inputs_hash(const scene *s)
{
    uint64_t hash = HASH_START, digest;
    error e = {0};
    for (size_t k = 0; scene_input_at(s, k).name != NULL; k++) {
        if (digest_of(scene_input_at(s, k), &digest, &e) != CAROM_OK) {
            error_clear(&e);
            return 0;
        }
        hash = hash_u64(hash, digest);
    }
    return hash == HASH_START ? 0 : hash_finish(hash);
}

carom_status inputs_save(const carom_sim *sim, snapshot *out, error *e)
{
    return snapshot_put(out, part, SNAPSHOT_U64, sim->input_count, sim->inputs, e);
}

carom_status inputs_check(carom_sim *sim, const snapshot *in)
{
    const snapshot_array *stored = snapshot_find(in, part);
    if (stored == NULL || stored->type != SNAPSHOT_U64 || stored->count != sim->input_count)
        return error_set(&sim->message, CAROM_BAD_DATA, "error: the saved state lacks '%s'", part);
    for (size_t k = 0; k < sim->input_count; k++) {
        const scene_input input = scene_input_at(sim->scene, k);
        const char *quote = input.path != NULL ? "'" : "";
        if (((const uint64_t *)stored->data)[k] != sim->inputs[k])
            return error_set(&sim->message, CAROM_BAD_DATA,
                             "error: cannot resume: %s%s%s has changed since the run began; restore it, or start anew "
                             "with --force",
                             quote, input.name, quote);
    }
    return CAROM_OK;
}
