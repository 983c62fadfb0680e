/* Checks of loaded checkpoints: the checksum proves that a file is complete, not that its numbers are valid. */
#ifndef CAROM_ENGINE_SOUND_H
#define CAROM_ENGINE_SOUND_H

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "frame/frame.h"

/* Boxes: limit of valid positions. 12 bits of a double are left for the position in the box. */
static const double SOUND_BOXES = 0x1p40;

static inline bool sound_numbers(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Limit of speeds and rates: scenes allow at most 1e40, runs hardly exceed it, and the fourth powers remain finite. */
static inline bool sound_speeds(const double *v, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(v[i]) <= 1e50)) return false;
    return true;
}

/* Whether these momenta and that mass give valid velocities. */
static inline bool sound_momenta(const double *p, size_t count, double mass)
{
    for (size_t i = 0; i < count; i++) {
        const double v = p[i] / mass;
        if (!sound_speeds(&v, 1)) return false;
    }
    return mass > 0 && isfinite(mass);
}

/* Whether two values are equal bit for bit. */
static inline bool sound_same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

/* Whether the byte is a valid bool. */
static inline bool sound_flags(const bool *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char byte;
        memcpy(&byte, &flags[i], 1);
        if (byte > 1) return false;
    }
    return true;
}

/* Whether ids are the numbers from 0 to count - 1, each once. */
static inline carom_status sound_ids(const uint32_t *id, uint32_t count, bool *good, error *e)
{
    bool *seen = NEW_ARRAY(count, bool);
    if (seen == NULL) return error_memory(e, "a checkpoint", count);
    *good = true;
    for (uint32_t i = 0; i < count && *good; i++) {
        *good = id[i] < count && !seen[id[i]];
        if (*good) seen[id[i]] = true;
    }
    memory_free(seen);
    return CAROM_OK;
}

static inline bool sound_merges(const frame_merge *merges, uint64_t merge_count, uint32_t count, double now)
{
    if (merge_count >= count && merge_count > 0) return false;
    for (uint64_t k = 0; k < merge_count; k++)
        if (merges[k].i >= count || merges[k].j >= count || merges[k].i == merges[k].j || !(merges[k].time <= now) ||
            !isfinite(merges[k].time))
            return false;
    return true;
}

static inline carom_status sound_not(const char *name, error *e)
{
    return error_set(e, CAROM_BAD_DATA,
                     "error: '%s' of the saved state contains invalid values: the checkpoint is damaged or "
                     "was changed; start again with --force",
                     name);
}

#endif
