/* The energy ledger of an engine with forces: where the energy is, where it went, and the drift, which is what the
 * steps in time make of it: total + dissipated - work (- heat supplied, in `hard`), since observation began. */
#include "measure/gauge.h"

static const settings_table settings = {
    .name = "ledger",
    .help = "energy in motion, gravity, springs and contacts (and shells), dissipated by restitution, friction and "
            "damping (and plastic "
            "bending), work of what the scene moves, and the drift: what remains of the sum (`variational`)",
};

/* Shells have rows of their own, in scenes that have meshes. */
#define STORED                                                                                                         \
    {"drift", "energy", 1, true}, {"total", "energy", 1, true}, {"kinetic", "energy", 1, true},                        \
        {"potential", "energy", 1, true}, {"springs", "energy", 1, true},                                              \
    {                                                                                                                  \
        "contact", "energy", 1, true                                                                                   \
    }
#define LOST                                                                                                           \
    {"restitution", "energy", 1, false}, {"friction", "energy", 1, false}, {"damping", "energy", 1, false},            \
    {                                                                                                                  \
        "work", "energy", 1, false                                                                                     \
    }
static const series_column columns[] = {STORED, LOST};
static const series_column with_shells[] = {
    STORED, {"stretch", "energy", 1, true}, {"bend", "energy", 1, true}, LOST, {"plastic", "energy", 1, false}};

/* In the gauge, last[BUDGET]: the budget where observation began. */
enum { BUDGET = 0, COLUMNS = sizeof columns / sizeof *columns, MOST = sizeof with_shells / sizeof *with_shells };

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    const bool shells = first->tallies.ledger.shells;
    if (!first->tallies.ledger.kept)
        return error_set(e, CAROM_BAD_DATA,
                         "error: ledger: this engine keeps no ledger of energy; `energy` says what it knows");
    TRY(gauge_create(self, &settings, shells ? with_shells : columns, shells ? MOST : COLUMNS, first, e));
    frame_energy energy = frame_energy_of(first);
    ((gauge *)*self)->last[BUDGET] = frame_budget(first, &energy);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    const frame_ledger *l = &frame->tallies.ledger;
    frame_energy now = frame_energy_of(frame);
    const double drift = frame_budget(frame, &now) - g->last[BUDGET];
    const double row[COLUMNS] = {drift,      now.total,      now.kinetic, now.potential, l->springs,
                                 l->contact, l->restitution, l->friction, l->damping,    l->work};
    const double all[MOST] = {drift,   now.total,      now.kinetic, now.potential, l->springs, l->contact, l->stretch,
                              l->bend, l->restitution, l->friction, l->damping,    l->work,    l->plastic};
    return series_add(&g->rows, frame->time, 1.0, l->shells ? all : row, e);
}

const observable observable_ledger = {.settings = &settings,
                                      .of = MEASURE_MASSES,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      GAUGE_FUNCTIONS};
