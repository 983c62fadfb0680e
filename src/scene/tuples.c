#include "scene/tuples.h"

#include <stdlib.h>
#include <string.h>

tuple tuple_of(const uint32_t *numbers, size_t width, size_t place)
{
    tuple out = {.place = (uint32_t)place};
    const bool turned = numbers[0] > numbers[width - 1];
    for (size_t k = 0; k < width; k++) out.at[k] = numbers[turned ? width - 1 - k : k];
    return out;
}

static int compare(const void *a, const void *b)
{
    const tuple *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->at[k] != q->at[k]) return p->at[k] < q->at[k] ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

void tuples_sort(tuple *all, size_t count)
{
    qsort(all, count, sizeof *all, compare);
}

bool tuples_equal(const tuple *a, const tuple *b)
{
    return memcmp(a->at, b->at, sizeof a->at) == 0;
}
