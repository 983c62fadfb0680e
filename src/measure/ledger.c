/* The energy balance of an engine with forces: stored and dissipated energy, and the drift, the error of time steps:
 * change of total + dissipated - work (- heat supplied, in `hard`) since observation began. */
#include <assert.h>

#include "frame/channels.h"
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "ledger",
    .help = "kinetic energy, energy of gravity, springs and contacts (and shells and rods), energy dissipated by "
            "restitution, "
            "friction and damping (and plastic bending), work of drives, and the drift of the energy balance; with "
            "`variational.rotation` the parts of friction: sliding, rolling, twisting (`variational`)",
};

/* Columns: sums, then the energies that are stored, then those that are lost, their parts, and the work. */
static const char *const sums[] = {"drift", "total", "kinetic", "potential"};
enum { SUMS = sizeof sums / sizeof *sums, MOST = SERIES_COLUMNS - 1 };

typedef struct ledger {
    gauge g;       /* first: the functions of gauges cast to it */
    double budget; /* at the start of observation */
} ledger;

/* The channels of the columns after the sums. */
static size_t find_entries(const frame_channel *entries[MOST - SUMS], const carom_frame *f)
{
    size_t count = 0;
    for (int stored = 1; stored >= 0; stored--)
        for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
            if (c->balance != BALANCE_NONE && (c->balance == BALANCE_STORED) == stored && frame_has(f, c)) {
                assert(count < MOST - SUMS);
                entries[count++] = c;
            }
    return count;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    const frame_channel *entries[MOST - SUMS];
    series_column columns[MOST];
    if (!first->tallies.ledger.kept)
        return error_set(e, CAROM_BAD_DATA, "error: ledger: this engine has no ledger of energy; use `energy`");
    const size_t count = find_entries(entries, first);
    for (size_t k = 0; k < SUMS; k++) columns[k] = (series_column){sums[k], "energy", 1, true};
    for (size_t k = 0; k < count; k++)
        columns[SUMS + k] =
            (series_column){entries[k]->name, entries[k]->quantity, 1, entries[k]->balance == BALANCE_STORED};
    TRY(gauge_create_in(self, sizeof(ledger), 1, &settings, columns, SUMS + count, first, e));
    frame_energy energy = frame_energy_of(first);
    ((ledger *)*self)->budget = frame_budget(first, &energy);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    ledger *l = self;
    const frame_channel *entries[MOST - SUMS];
    frame_energy now = frame_energy_of(frame);
    const double drift = frame_budget(frame, &now) - l->budget;
    double row[MOST] = {drift, now.total, now.kinetic, now.potential};
    const size_t count = find_entries(entries, frame);
    for (size_t k = 0; k < count; k++)
        row[SUMS + k] = channel_value(entries[k], (const char *)frame + entries[k]->offset, 0);
    return series_add(&l->g.rows, frame->time, 1.0, row, e);
}

const observable observable_ledger = {.settings = &settings,
                                      .of = MEASURE_MASSES,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      GAUGE_FUNCTIONS};
