/* Stabilising collisions: those of pairs (or with a wall) that overlap already, by rounding, when the collision is
 * found, so that it happens at once (Bannerman et al., J. Comput. Phys. 2014: the stable algorithm). */
#include "measure/per_collision.h"

static const settings_table settings = {
    .name = "stabilising",
    .help = "stabilising collisions (the pair overlaps when its collision is found): count, and fraction of all",
};

static const series_column columns[] = {
    {"fraction", "", 1, true}, {"stabilising", "", 1, false}, {"collisions", "", 1, false}};

/* Walls too stabilise. */
static uint64_t collisions(const carom_frame *f)
{
    return f->events[EVENT_COLLISION] + f->events[EVENT_WALL];
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    TRY(gauge_create(self, &settings, columns, 3, first, e));
    per_collision_start(*self, 1, &first->tallies.stabilising, collisions(first));
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    return per_collision_sample(self, 1, frame->time, &frame->tallies.stabilising, collisions(frame), e);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    static const char *const names[] = {"stabilising"};
    return per_collision_result(self, 1, names, out, e);
}

const observable observable_stabilising = {
    .settings = &settings,
    .of = MEASURE_EVENTS,
    .tallies = TALLY_STABILISING,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = gauge_drain,
    .save = gauge_save,
    .load = gauge_load,
    .destroy = gauge_destroy,
};
