/* Three-body events, by both counts of Bannerman et al. (J. Comput. Phys. 2014, Fig. 5): collisions of a particle that
 * still overlaps another (`again`), and collisions that leave a particle overlapping two (`double`). */
#include "measure/per_collision.h"

static const settings_table settings = {
    .name = "three_body",
    .help = "three-body events: collisions of a particle that overlaps another (again), or is left overlapping two "
            "(double)",
};

static const series_column columns[] = {{"again_fraction", "", 1, true},
                                        {"double_fraction", "", 1, true},
                                        {"again", "", 1, false},
                                        {"double", "", 1, false},
                                        {"collisions", "", 1, false}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const uint64_t counts[] = {first->tallies.three_body_again, first->tallies.three_body_double};
    (void)unused;
    TRY(gauge_create(self, &settings, columns, 5, first, e));
    per_collision_start(*self, 2, counts, first->events[EVENT_COLLISION]);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    const uint64_t counts[] = {frame->tallies.three_body_again, frame->tallies.three_body_double};
    return per_collision_sample(self, 2, frame->time, counts, frame->events[EVENT_COLLISION], e);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    static const char *const names[] = {"again", "double"};
    return per_collision_result(self, 2, names, out, e);
}

const observable observable_three_body = {
    .settings = &settings,
    .of = MEASURE_EVENTS,
    .tallies = TALLY_THREE_BODY,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = gauge_drain,
    .save = gauge_save,
    .load = gauge_load,
    .destroy = gauge_destroy,
};
