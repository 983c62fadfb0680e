/* Size distribution of clusters, over frames. */
#include "base/memory.h"
#include "measure/shape.h"

/* The sizes of a frame, rising; its groups come largest first. */
static size_t sizes_of(const shape_partition *p, shape_size *sizes)
{
    size_t count = 0;
    for (size_t k = p->count; k-- > 0;) {
        if (count == 0 || sizes[count - 1].size != p->groups[k].size)
            sizes[count++] = (shape_size){.size = p->groups[k].size};
        sizes[count - 1].clusters++;
        sizes[count - 1].mass += p->groups[k].mass;
    }
    return count;
}

static size_t different_sizes(const shape_partition *p)
{
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++) count += k == 0 || p->groups[k].size != p->groups[k - 1].size;
    return count;
}

carom_status shape_distribution_add(shape_distribution *d, const shape_partition *p, error *e)
{
    size_t more = different_sizes(p), room = d->count + more;
    shape_size *merged = NEW_ARRAY(room, shape_size), *now = NEW_ARRAY(more, shape_size);
    if (merged == NULL || now == NULL) {
        memory_free(merged);
        memory_free(now);
        return error_memory(e, "the distribution of sizes", 2 * room * sizeof *merged);
    }
    sizes_of(p, now);
    size_t i = 0, j = 0, count = 0;
    while (i < d->count || j < more) {
        bool same = i < d->count && j < more && d->sizes[i].size == now[j].size;
        bool old = same || j == more || (i < d->count && d->sizes[i].size < now[j].size);
        merged[count] = old ? d->sizes[i++] : now[j];
        if (same) {
            merged[count].clusters += now[j].clusters;
            merged[count].mass += now[j].mass;
        }
        if (same || !old) j++;
        count++;
    }
    memory_free(now);
    memory_free(d->sizes);
    *d = (shape_distribution){merged, count};
    return CAROM_OK;
}

void shape_distribution_free(shape_distribution *d)
{
    memory_free(d->sizes);
    *d = (shape_distribution){0};
}
