/* Particles that enter and leave (`place: {inflow: ...}`, `outflow`): mass and number per unit of time between two samples, their
 * sums since the start, and the number of particles in the system. */
#include <string.h>

#include "measure/gauge.h"

static const settings_table settings = {
    .name = "exchange",
    .help = "mass and number of the particles that leave and enter per unit of time, their sums since the start, and "
            "the number of "
            "particles in the system (`inflow`, `outflow`)",
};

enum { LEFT, ENTERED, MASS_LEFT, MASS_ENTERED, SUMS };

typedef struct exchange {
    gauge g;        /* first: the functions of gauges cast to it */
    double initial; /* number of particles when nothing had entered or left */
} exchange;

static void look(const carom_frame *f, double now[SUMS])
{
    const frame_flow *flow = &f->tallies.flow;
    const double all[SUMS] = {(double)flow->left, (double)flow->entered, flow->mass_left, flow->mass_entered};
    memcpy(now, all, sizeof all);
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const series_column columns[] = {{"outflow", "mass / time", 1, true},
                                     {"inflow", "mass / time", 1, true},
                                     {"number_outflow", "1 / time", 1, true},
                                     {"number_inflow", "1 / time", 1, true},
                                     {"particles", "", 1, true},
                                     {"left", "", 1, false},
                                     {"entered", "", 1, false},
                                     {"mass_left", "mass", 1, false},
                                     {"mass_entered", "mass", 1, false}};
    (void)unused;
    TRY(gauge_create_in(self, sizeof(exchange), 0, &settings, columns, sizeof columns / sizeof *columns, first, e));
    exchange *o = *self;
    look(first, o->g.last);
    o->initial = (double)frame_present(first) - o->g.last[ENTERED] + o->g.last[LEFT];
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    exchange *o = self;
    double now[SUMS];
    const double interval = frame->time - o->g.last_time;
    if (!(interval > 0)) return CAROM_OK;
    look(frame, now);
    const double *last = o->g.last;
    const double row[] = {(now[MASS_LEFT] - last[MASS_LEFT]) / interval,
                          (now[MASS_ENTERED] - last[MASS_ENTERED]) / interval,
                          (now[LEFT] - last[LEFT]) / interval,
                          (now[ENTERED] - last[ENTERED]) / interval,
                          o->initial + now[ENTERED] - now[LEFT],
                          now[LEFT],
                          now[ENTERED],
                          now[MASS_LEFT],
                          now[MASS_ENTERED]};
    memcpy(o->g.last, now, sizeof now);
    o->g.last_time = frame->time;
    return series_add(&o->g.rows, frame->time, interval, row, e);
}

const observable observable_exchange = {
    .settings = &settings, .of = MEASURE_EVENTS, .create = create, .sample = sample, GAUGE_FUNCTIONS};
