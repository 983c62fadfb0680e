/* Power supplied by a heat bath or by shear, and power dissipated. In a steady state they are equal. */
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "power",
    .help = "energy supplied by a heat bath or by shearing, and energy dissipated, per unit time",
};

static void look(const carom_frame *f, double now[2])
{
    now[0] = f->tallies.supplied;
    now[1] = f->tallies.dissipated;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const series_column columns[] = {{"supplied", "energy / time", 1, true}, {"dissipated", "energy / time", 1, true}};
    (void)unused;
    TRY(gauge_create(self, &settings, columns, 2, first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[2], row[2], interval = frame->time - g->last_time;
    if (!(interval > 0)) return CAROM_OK;
    look(frame, now);
    for (int k = 0; k < 2; k++) {
        row[k] = (now[k] - g->last[k]) / interval;
        g->last[k] = now[k];
    }
    g->last_time = frame->time;
    return series_add(&g->rows, frame->time, interval, row, e);
}

const observable observable_power = {.settings = &settings,
                                     .of = MEASURE_EVENTS,
                                     .tallies = TALLY_SUPPLY,
                                     .create = create,
                                     .sample = sample,
                                     GAUGE_FUNCTIONS};
