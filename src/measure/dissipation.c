/* Rate of dissipation of energy between two samples, and its parts by cause: differences of the energies that `ledger` lists as
 * dissipated since the start, over the time between the samples. With rotation in `variational` friction has parts of its
 * own, whose sum it is: sliding, rolling and twisting. */
#include <string.h>

#include "measure/gauge.h"

static const settings_table settings = {
    .name = "dissipation",
    .help =
        "energy dissipated per unit time, and its parts: restitution, friction, damping of springs and shells, plastic "
        "bending; with `variational.rotation` also the parts of friction: sliding, rolling, twisting",
};

static const series_column columns[] = {
    {"dissipation", "energy / time", 1, true}, {"restitution", "energy / time", 1, true},
    {"friction", "energy / time", 1, true},    {"damping", "energy / time", 1, true},
    {"plastic", "energy / time", 1, true},     {"sliding", "energy / time", 1, true},
    {"rolling", "energy / time", 1, true},     {"twisting", "energy / time", 1, true}};

enum { ALL = sizeof columns / sizeof *columns, OF_FRICTION = 3 };

static size_t columns_of(const carom_frame *f)
{
    return f->tallies.ledger.rotation ? ALL : ALL - OF_FRICTION;
}

static void look(const carom_frame *f, double now[ALL])
{
    const frame_ledger *l = &f->tallies.ledger;
    const double all[ALL] = {f->tallies.dissipated,
                             l->restitution,
                             l->friction,
                             l->damping,
                             l->plastic,
                             l->sliding,
                             l->rolling,
                             l->twisting};
    memcpy(now, all, sizeof all);
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    TRY(gauge_create(self, &settings, columns, columns_of(first), first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[ALL], row[ALL];
    const double interval = frame->time - g->last_time;
    if (!(interval > 0)) return CAROM_OK;
    look(frame, now);
    for (int k = 0; k < ALL; k++) row[k] = (now[k] - g->last[k]) / interval;
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
