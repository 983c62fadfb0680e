#include "hard/kernel/bodies.h"
#include "hard/kernel/features/features.h"

#include "base/memory.h"

static bool allocate_missing(void *pointer, size_t count, size_t size)
{
    void *array;
    memcpy(&array, pointer, sizeof array);
    if (array != NULL) return true;
    array = memory_new(count, size);
    memcpy(pointer, &array, sizeof array);
    return array != NULL;
}

static bool bodies_allocate(gas *g, bool plans)
{
    const size_t n = g->count;
    return allocate_missing(&g->body, n, sizeof *g->body) && allocate_missing(&g->id, n, sizeof *g->id) &&
           allocate_missing(&g->image, n, sizeof *g->image) &&
           allocate_missing(&g->image_high, n, sizeof *g->image_high) &&
           (!plans || allocate_missing(&g->plan, n, sizeof *g->plan)) &&
           allocate_missing(&g->stall.time, n, sizeof *g->stall.time) &&
           allocate_missing(&g->stall.count, n, sizeof *g->stall.count) && features_allocate_arrays(g);
}

static void release(void *pointer)
{
    void *array;
    memcpy(&array, pointer, sizeof array);
    memory_free(array);
    array = NULL;
    memcpy(pointer, &array, sizeof array);
}

static void bodies_release_plans(gas *g)
{
    release(&g->plan);
}

static void bodies_release(gas *g)
{
    bodies_release_plans(g);
    release(&g->body);
    release(&g->id);
    release(&g->image);
    release(&g->image_high);
    release(&g->stall.time);
    release(&g->stall.count);
    features_release_arrays(g);
    g->ending.witness_stamps = 0; /* stamps begin anew */
}
