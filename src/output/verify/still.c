#include "output/verify/still.h"

#include <string.h>

#include "base/memory.h"

carom_status still_create(still_meshes *s, const carom_frame *f, const result_links *links, error *e)
{
    const size_t numbers = f->count * (size_t)f->dimension;
    *s = (still_meshes){.links = links};
    s->mesh = NEW_ARRAY(links->meshes, bool);
    s->position = NEW_ARRAY(numbers, double);
    s->image = NEW_ARRAY(numbers, int64_t);
    if (s->mesh != NULL && s->position != NULL && s->image != NULL) return CAROM_OK;
    return error_memory(e, "a look at meshes", numbers * sizeof(double));
}

void still_destroy(still_meshes *s)
{
    memory_free(s->mesh);
    memory_free(s->position);
    memory_free(s->image);
}

static bool same_vertices(still_meshes *s, const carom_frame *f, const result_mesh *m)
{
    const size_t d = (size_t)f->dimension, from = m->first * d, count = m->vertices * d;
    /* compares bits: a zero with a different sign is a different number */
    if (memcmp((const void *)(s->position + from), (const void *)(f->position + from), count * sizeof(double)) == 0 &&
        memcmp(s->image + from, f->image + from, count * sizeof(int64_t)) == 0)
        return true;
    memcpy(s->position + from, f->position + from, count * sizeof *s->position);
    memcpy(s->image + from, f->image + from, count * sizeof *s->image);
    return false;
}

void still_update(still_meshes *s, const carom_frame *f)
{
    bool box = s->begun;
    for (int k = 0; k < f->dimension; k++) box = box && s->box[k] == f->box[k];
    for (size_t k = 0; k < s->links->meshes; k++) s->mesh[k] = same_vertices(s, f, &s->links->mesh[k]) && box;
    memcpy(s->box, f->box, sizeof s->box);
    s->begun = true;
}
