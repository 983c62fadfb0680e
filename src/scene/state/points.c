#define _POSIX_C_SOURCE 200809L /* fileno */
#include "scene/state/points.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

carom_status points_create(points *p, size_t count, unsigned arrays, error *e)
{
    *p = (points){.count = count};
    p->position = memory_new(count, sizeof *p->position);
    bool failed = p->position == NULL;
    if ((arrays & POINTS_VELOCITY) != 0) failed |= (p->velocity = memory_new(count, sizeof *p->velocity)) == NULL;
    if ((arrays & POINTS_SPECIES) != 0) failed |= (p->species = NEW_ARRAY(count, uint32_t)) == NULL;
    if ((arrays & POINTS_DIAMETER) != 0) failed |= (p->diameter = NEW_ARRAY(count, double)) == NULL;
    if ((arrays & POINTS_MASS) != 0) failed |= (p->mass = NEW_ARRAY(count, double)) == NULL;
    if ((arrays & POINTS_SPIN) != 0) failed |= (p->spin = memory_new(count, sizeof *p->spin)) == NULL;
    if ((arrays & POINTS_AXIS) != 0) failed |= (p->axis = memory_new(count, sizeof *p->axis)) == NULL;
    if (!failed) return CAROM_OK;
    points_free(p);
    return error_memory(e, "the particles of a file", count * 10 * sizeof(double));
}

void points_free(points *p)
{
    memory_free(p->position);
    memory_free(p->velocity);
    memory_free(p->species);
    memory_free(p->diameter);
    memory_free(p->mass);
    memory_free(p->spin);
    memory_free(p->axis);
    memory_free(p->stranger_name);
    *p = (points){0};
}

static bool named(const scene_species *species, const char *name, size_t length)
{
    return strlen(species->name) == length && memcmp(species->name, name, length) == 0;
}

size_t points_species(const points_rules *rules, const char *name, size_t length, size_t *guess)
{
    if (*guess < rules->species_count && named(&rules->species[*guess], name, length)) return *guess;
    for (size_t i = 0; i < rules->species_count; i++)
        if (named(&rules->species[i], name, length)) return *guess = i;
    return rules->species_count;
}

static carom_status read_all(FILE *file, const char *path, char **text, size_t *length, error *e)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0 || about.st_size < 0)
        return error_set_at(e, CAROM_IO, path, 0, "cannot be read: %s", strerror(errno));
    size_t room = (size_t)about.st_size;
    *text = NEW_ARRAY(room + 1, char);
    if (*text == NULL) return error_memory(e, "the text of a particle file", room);
    *length = fread(*text, 1, room, file);
    if (ferror(file)) return error_set_at(e, CAROM_IO, path, 0, "cannot be read: %s", strerror(errno));
    return CAROM_OK;
}

bool points_frame(const points_rules *rules, uint64_t frames, uint64_t *index)
{
    const uint64_t back = rules->frame < 0 ? -(uint64_t)rules->frame : 0;
    *index = rules->frame < 0 ? frames - back : (uint64_t)rules->frame;
    return rules->frame < 0 ? back <= frames : *index < frames;
}

static carom_status read_text(points *p, FILE *file, const char *path, const points_rules *rules, error *e)
{
    char *text = NULL;
    size_t length = 0;
    carom_status status = read_all(file, path, &text, &length, e);
    if (status == CAROM_OK) status = xyz_parse(p, path, text, length, rules, e);
    memory_free(text);
    return status;
}

carom_status points_read(points *p, const char *path, const points_rules *rules, error *e)
{
    static const char hdf5_mark[8] = "\211HDF\r\n\032\n";
    *p = (points){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) return error_set_at(e, CAROM_NO_INPUT, path, 0, "cannot be opened: %s", strerror(errno));
    struct stat about;
    if (fstat(fileno(file), &about) == 0 && !S_ISREG(about.st_mode)) {
        fclose(file);
        return error_set_at(e, CAROM_NO_INPUT, path, 0, "not a regular file");
    }
    char mark[8] = {0};
    size_t got = fread(mark, 1, sizeof mark, file);
    rewind(file);
    bool hdf5 = got == sizeof mark && memcmp(mark, hdf5_mark, sizeof mark) == 0;
    carom_status status = hdf5 ? CAROM_OK : read_text(p, file, path, rules, e);
    fclose(file);
    return hdf5 ? h5md_read(p, path, rules, e) : status;
}
