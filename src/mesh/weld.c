#include "mesh/weld.h"

#include "base/hash.h"
#include "base/memory.h"

/* The slot of a vertex, or the free slot for it. */
static size_t slot_of(const weld *w, const mesh *m, const double r[3])
{
    const double key[3] = {r[0] + 0.0, r[1] + 0.0, r[2] + 0.0}; /* -0 + 0 is 0 */
    size_t slot = (size_t)hash_finish(hash_bytes(HASH_START, key, sizeof key)) & (w->room - 1);
    for (; w->slots[slot] != 0; slot = (slot + 1) & (w->room - 1)) {
        const double *other = m->vertices[w->slots[slot] - 1];
        if (other[0] == r[0] && other[1] == r[1] && other[2] == r[2]) break;
    }
    return slot;
}

uint32_t weld_find(weld *w, mesh *m, const double r[3])
{
    if (w->room == 0) return MESH_NONE;
    return w->slots[slot_of(w, m, r)] - 1; /* MESH_NONE: the slot is free */
}

void weld_tell(weld *w, mesh *m, uint32_t vertex)
{
    if (2 * (w->count + 1) > w->room) {
        weld larger = {.room = w->room < 32 ? 64 : 2 * w->room, .count = w->count};
        larger.slots = NEW_ARRAY(larger.room, uint32_t);
        m->failed = m->failed || larger.slots == NULL;
        if (m->failed) return;
        for (size_t i = 0; i < w->room; i++)
            if (w->slots[i] != 0) larger.slots[slot_of(&larger, m, m->vertices[w->slots[i] - 1])] = w->slots[i];
        memory_free(w->slots);
        *w = larger;
    }
    w->slots[slot_of(w, m, m->vertices[vertex])] = vertex + 1;
    w->count++;
}

uint32_t weld_vertex(weld *w, mesh *m, const double r[3])
{
    uint32_t vertex = weld_find(w, m, r);
    if (vertex != MESH_NONE || m->failed) return vertex;
    vertex = mesh_add_vertex(m, r[0], r[1], r[2]);
    if (!m->failed) weld_tell(w, m, vertex);
    return vertex;
}

void weld_free(weld *w)
{
    memory_free(w->slots);
    *w = (weld){0};
}
