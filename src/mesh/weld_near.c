#include "mesh/weld_near.h"

#include <math.h>

#include "base/hash.h"
#include "base/memory.h"

/* Cells are as wide as the distance; representative vertices are in lists by the hash of their cell. */
typedef struct cells {
    const mesh *m;
    double within;
    uint32_t *head, *next; /* vertex + 1; 0: the end */
    size_t room;           /* length of head: a power of two */
} cells;

static size_t slot_of(const cells *c, const double cell[3])
{
    const double key[3] = {cell[0] + 0.0, cell[1] + 0.0, cell[2] + 0.0}; /* -0 + 0 is 0 */
    return (size_t)hash_finish(hash_bytes(HASH_START, key, sizeof key)) & (c->room - 1);
}

static bool is_near(const cells *c, uint32_t i, uint32_t j)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double way = c->m->vertices[i][k] - c->m->vertices[j][k];
        square += way * way;
    }
    return square <= c->within * c->within;
}

/* The first representative within the distance in the adjacent cells; i if there is none. */
static uint32_t find_near(const cells *c, uint32_t i, const double cell[3])
{
    uint32_t first = i;
    for (int n = 0; n < 27; n++) {
        const double there[3] = {cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1};
        for (uint32_t at = c->head[slot_of(c, there)]; at != 0; at = c->next[at - 1])
            if (at - 1 < first && is_near(c, i, at - 1)) first = at - 1;
    }
    return first;
}

carom_status weld_near(const mesh *m, double within, uint32_t *others, error *e)
{
    cells c = {.m = m, .within = within, .room = 64};
    while (c.room < 2 * m->vertex_count) c.room *= 2;
    c.head = NEW_ARRAY(c.room, uint32_t);
    c.next = NEW_ARRAY(m->vertex_count, uint32_t);
    const bool made = c.head != NULL && c.next != NULL;
    for (uint32_t i = 0; made && i < m->vertex_count; i++) {
        double cell[3];
        for (int k = 0; k < 3; k++) cell[k] = floor(m->vertices[i][k] / within);
        others[i] = find_near(&c, i, cell);
        if (others[i] != i) continue;
        const size_t slot = slot_of(&c, cell);
        c.next[i] = c.head[slot];
        c.head[slot] = i + 1;
    }
    memory_free(c.head);
    memory_free(c.next);
    return made ? CAROM_OK : error_memory(e, "a repair of a mesh", c.room * sizeof *c.head);
}
