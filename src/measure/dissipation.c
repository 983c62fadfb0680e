/* Rate of dissipation of energy between two samples, and its parts by cause: differences of the energies that `ledger` lists as
 * dissipated since the start, over the time between the samples. Friction includes the resistance to rolling. */
#include <string.h>

#include "measure/gauge.h"

static const settings_table settings = {
    .name = "dissipation",
    .help =
        "energy dissipated per unit time, and its parts: restitution, friction (with rolling), damping of springs and "
        "shells, plastic bending",
};

enum { PARTS = 5 };

static void look(const carom_frame *f, double now[PARTS])
{
    const frame_ledger *l = &f->tallies.ledger;
    const double all[PARTS] = {f->tallies.dissipated, l->restitution, l->friction, l->damping, l->plastic};
    memcpy(now, all, sizeof all);
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    const series_column columns[PARTS] = {{"dissipation", "energy / time", 1, true},
                                          {"restitution", "energy / time", 1, true},
                                          {"friction", "energy / time", 1, true},
                                          {"damping", "energy / time", 1, true},
                                          {"plastic", "energy / time", 1, true}};
    (void)unused;
    TRY(gauge_create(self, &settings, columns, PARTS, first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[PARTS], row[PARTS];
    const double interval = frame->time - g->last_time;
    if (!(interval > 0)) return CAROM_OK;
    look(frame, now);
    for (int k = 0; k < PARTS; k++) row[k] = (now[k] - g->last[k]) / interval;
    memcpy(g->last, now, sizeof now);
    g->last_time = frame->time;
    return series_add(&g->rows, frame->time, interval, row, e);
}

const observable observable_dissipation = {.settings = &settings,
                                           .of = MEASURE_EVENTS,
                                           .tallies = TALLY_IMPULSES,
                                           .create = create,
                                           .sample = sample,
                                           GAUGE_FUNCTIONS};
