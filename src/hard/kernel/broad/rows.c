/* Storage of neighbour lists: rows of one cache line or two, and longer lists apart. */
#include "hard/kernel/broad/rows.h"

#include "base/memory.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void row_put(row_store *s, uint32_t i, uint32_t k, uint32_t j)
{
    uint16_t *low = (uint16_t *)(void *)row_of(s, i);
    void *const rest = low + s->capacity;
    low[k] = (uint16_t)j;
    if (s->index_bytes == 3)
        ((uint8_t *)rest)[k] = (uint8_t)(j >> 16);
    else if (s->index_bytes == 4)
        ((uint16_t *)rest)[k] = (uint16_t)(j >> 16);
}

/* ---- longer lists ------------------------------------------------------------------------------------------------ */

/* Room for `room` lists of `capacity` bodies each. */
static carom_status longer_reserve(gas *g, uint32_t room, uint32_t capacity, error *e)
{
    row_store *s = &g->lists->rows;
    uint32_t *more = NEW_ARRAY((size_t)room * capacity, uint32_t), *copy = NEW_ARRAY(capacity + PADDING, uint32_t);
    if (more == NULL || copy == NULL) {
        memory_free(more);
        memory_free(copy);
        return error_memory(e, "neighbour lists", (size_t)room * capacity * sizeof *more);
    }
    for (size_t n = 0; n < s->long_room; n++)
        memcpy(more + n * capacity, s->longer + n * s->long_capacity, s->long_capacity * sizeof *more);
    for (uint32_t n = room; n-- > s->long_room;) {
        more[(size_t)n * capacity] = s->free_longer;
        s->free_longer = n;
    }
    const uint32_t before = s->long_capacity;
    if (before > 0) memcpy(copy, s->copy, before * sizeof *copy);
    memory_free(s->longer);
    memory_free(s->copy);
    s->longer = more;
    s->copy = copy;
    s->long_room = room;
    s->long_capacity = capacity;
    for (uint32_t i = 0; i < g->count && before > 0 && capacity > before; i++)
        if (!is_large(g->lists, i) && g->plan[i].length > s->capacity)
            for (uint32_t k = before; k < capacity; k++) longer_list(s, i)[k] = i;
    return CAROM_OK;
}

/* Moves a full row to the longer lists. */
static carom_status lengthen(gas *g, uint32_t i, error *e)
{
    row_store *s = &g->lists->rows;
    list_copy from;
    if (s->free_longer == NONE)
        TRY(longer_reserve(g, s->long_room + s->long_room / 2 + LONGER_SPARE, s->long_capacity, e));
    row_read(s, i, s->capacity, from.body);
    const uint32_t n = s->free_longer;
    uint32_t *to = s->longer + (size_t)n * s->long_capacity;
    s->free_longer = to[0];
    s->long_count++;
    memcpy(row_of(s, i), &n, sizeof n);
    memcpy(to, from.body, s->capacity * sizeof *to);
    for (uint32_t k = s->capacity; k < s->long_capacity; k++) to[k] = i;
    return CAROM_OK;
}

static void give_longer_back(row_store *s, uint32_t i)
{
    uint32_t n;
    memcpy(&n, row_of(s, i), sizeof n);
    s->longer[(size_t)n * s->long_capacity] = s->free_longer;
    s->free_longer = n;
    s->long_count--;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

static void rows_clear(gas *g)
{
    row_store *s = &g->lists->rows;
    for (uint32_t i = 0; i < g->room; i++) g->plan[i].length = 0;
    s->free_longer = NONE;
    s->long_count = 0;
    for (uint32_t n = s->long_room; n-- > 0;) {
        s->longer[(size_t)n * s->long_capacity] = s->free_longer;
        s->free_longer = n;
    }
}

static carom_status row_append(gas *g, uint32_t i, uint32_t j, error *e)
{
    row_store *s = &g->lists->rows;
    const uint32_t length = g->plan[i].length;
    if (length < s->capacity) {
        row_put(s, i, length, j);
    } else {
        if (length == s->capacity) TRY(lengthen(g, i, e));
        if (length == s->long_capacity) TRY(longer_reserve(g, s->long_room, 2 * s->long_capacity, e));
        longer_list(s, i)[length] = j;
    }
    g->plan[i].length++;
    return CAROM_OK;
}

static void row_drop(gas *g, uint32_t i, uint32_t j)
{
    row_store *s = &g->lists->rows;
    const uint32_t last = --g->plan[i].length;
    list_copy room;
    uint32_t *list = room.body, k = 0;
    if (last < s->capacity)
        row_read(s, i, last + 1, list);
    else
        list = longer_list(s, i);
    while (list[k] != j) k++;
    if (last < s->capacity) {
        row_put(s, i, k, list[last]);
        return;
    }
    list[k] = list[last];
    list[last] = i;
    if (last > s->capacity) return;
    memcpy(room.body, list, s->capacity * sizeof *list);
    give_longer_back(s, i);
    for (k = 0; k < s->capacity; k++) row_put(s, i, k, room.body[k]);
}

static void row_empty(gas *g, uint32_t i)
{
    if (g->plan[i].length > g->lists->rows.capacity) give_longer_back(&g->lists->rows, i);
    g->plan[i].length = 0;
}

static void row_copy(gas *g, uint32_t i)
{
    list_copy room;
    const uint32_t *list = lists_row(g, i, &room);
    memcpy(g->lists->rows.copy, list, g->plan[i].length * sizeof *list);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

static carom_status rows_create(gas *g, uint32_t capacity, error *e)
{
    row_store *s = &g->lists->rows;
    memory_free(s->bytes);
    s->index_bytes = g->room > 1u << 24 ? 4 : g->room > 1u << 16 ? 3 : 2;
    const uint32_t wanted = (capacity < ROW_MOST ? capacity : ROW_MOST) * s->index_bytes;
    s->stride = (wanted + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
    s->capacity = s->stride / s->index_bytes < ROW_MOST ? s->stride / s->index_bytes : ROW_MOST;
    const size_t bytes = (size_t)g->room * s->stride + ROW_SPARE;
    s->bytes = memory_new(bytes, 1);
    if (s->bytes == NULL) return error_memory(e, "neighbour lists", bytes);
    rows_clear(g);
    const uint32_t long_capacity = (2 * s->capacity + PADDING - 1) / PADDING * PADDING;
    return s->long_capacity >= long_capacity ? CAROM_OK : longer_reserve(g, s->long_room, long_capacity, e);
}

static void rows_destroy(row_store *s)
{
    memory_free(s->bytes);
    memory_free(s->longer);
    memory_free(s->copy);
}
