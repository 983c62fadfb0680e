/* The engine `variational`: asynchronous variational contact (Vouga, Harmon, Tamstorf, Grinspun). */
#include "base/memory.h"
#include "variational/kernel.h"
#include "variational/settings.h"

typedef struct variational {
    const variational_kernel *kernel;
    void *world;
} variational;

static carom_status check(const scene *s, error *e)
{
    for (size_t k = 0; k < s->law_count; k++)
        if (s->laws[k].stick_given)
            return error_set(e, CAROM_BAD_DATA,
                             "%s: error: nothing sticks in the engine `variational`; leave 'stick' out of contacts, or "
                             "use `engine: aggregation`",
                             s->source);
    return CAROM_OK;
}

static size_t memory(const scene *s, size_t count)
{
    const size_t node = 64 + 64 + 72 + 8 * 8, contacts = 6 * 200;
    (void)s;
    return count * (node + contacts);
}

static carom_status create(void **self, const scene *s, const initial_state *state, unsigned tallies, error *e)
{
    (void)tallies;
    if (state->count >= 0x7fff0000u)
        return error_set(e, CAROM_BAD_DATA, "error: %zu particles are more than the engine can number", state->count);
    variational *a = NEW_ARRAY(1, variational);
    if (a == NULL) return error_memory(e, "the engine", sizeof *a);
    *self = a;
    a->kernel = s->dimension == 2 ? &variational_kernel_2d : &variational_kernel_3d;
    return a->kernel->create(&a->world, s, state, e);
}

static carom_status advance(void *self, const engine_limits *limits, carom_stop *stop, error *e)
{
    variational *a = self;
    return a->kernel->advance(a->world, limits, stop, e);
}

static double time_of(const void *self)
{
    const variational *a = self;
    return a->kernel->time(a->world);
}

static const uint64_t *events_of(const void *self)
{
    const variational *a = self;
    return a->kernel->events(a->world);
}

static void fill_frame(void *self, double time, carom_frame *frame)
{
    variational *a = self;
    a->kernel->fill_frame(a->world, time, frame);
}

static carom_status save(const void *self, snapshot *out, error *e)
{
    const variational *a = self;
    return a->kernel->save(a->world, out, e);
}

static carom_status load(void *self, const snapshot *in, error *e)
{
    variational *a = self;
    return a->kernel->load(a->world, in, e);
}

static void destroy(void *self)
{
    variational *a = self;
    if (a == NULL) return;
    if (a->world != NULL) a->kernel->destroy(a->world);
    memory_free(a);
}

const engine engine_variational = {
    "asynchronous variational contact: penalty layers with clocks of their own; nothing passes through anything",
    false,
    &variational_table,
    check,
    memory,
    create,
    advance,
    time_of,
    events_of,
    NULL,
    NULL,
    fill_frame,
    save,
    load,
    destroy,
};
