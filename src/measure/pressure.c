/* Pressure tensor of the time between two samples,
 *
 *     P_ab V = N/(N-1) <sum m c_a c_b> + (1/dt) sum over collisions of J_a r_b,
 *
 * c = v - V relative to the centre of mass, J the impulse on i and r = r_i - r_j at contact (the collisional virial;
 * e.g. Alder and Wainwright, J. Chem. Phys. 33, 1439 (1960)). The kinetic average is the mean of both ends of the
 * interval; its trace is exact if energy is conserved. The factor N/(N-1) corrects for the degrees of freedom that c
 * lacks, so that the kinetic part is N T / V with T as in `temperature`, and
 *
 *     P = trace / D,   Z = P V / (N T) = 1 + (virial trace) / (D N T dt),
 *
 * T the mean of both ends. There is no other correction for the finite N. */
#include <string.h>

#include "measure/box.h"
#include "measure/gauge.h"
#include "measure/motion.h"

static const settings_table settings = {
    .name = "pressure",
    .help =
        "pressure, scalar and tensor, from collisional virial and kinetic part, and the compressibility P V / (N T)",
};

/* Contents of `last` of the gauge: three tensors of the last sample. */
enum { VIRIAL = 0, KINETIC = 9, TEMPERATURE = 18 };

/* The virial so far, the kinetic part N / (N - 1) sum m c_a c_b and the temperature, in true units. */
static void look(const carom_frame *f, double now[GAUGE_LAST])
{
    motion m = motion_of(f);
    double freedom = f->count > 1 ? (double)f->count / (double)(f->count - 1) : 1.0;
    for (int a = 0; a < f->dimension; a++)
        for (int b = 0; b < f->dimension; b++) {
            int ab = a * f->dimension + b;
            now[VIRIAL + ab] = f->tallies.virial[a][b];
            now[KINETIC + ab] = motion_unscaled(f, freedom * m.stress[a][b], 2);
        }
    now[TEMPERATURE] = motion_unscaled(f, m.temperature, 2);
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    size_t tensor = (size_t)(first->dimension * first->dimension);
    const series_column columns[] = {{"pressure", "energy / volume", 1, true},
                                     {"compressibility", "", 1, true},
                                     {"tensor", "energy / volume", tensor, true}};
    (void)unused;
    if (box_has(first, BOUNDARY_OPEN))
        return error_set(e, CAROM_BAD_DATA,
                         "error: pressure needs a volume: make every boundary of the box periodic or wall");
    TRY(gauge_create(self, &settings, columns, 3, first, e));
    look(first, ((gauge *)*self)->last);
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    gauge *g = self;
    double now[GAUGE_LAST] = {0}, row[2 + 9] = {0}, interval = frame->time - g->last_time;
    if (!(interval > 0.0)) return CAROM_OK;
    int d = frame->dimension;
    look(frame, now);
    for (int ab = 0; ab < d * d; ab++) {
        double kinetic = 0.5 * (g->last[KINETIC + ab] + now[KINETIC + ab]);
        double virial = (now[VIRIAL + ab] - g->last[VIRIAL + ab]) / interval;
        row[2 + ab] = box_ratio(kinetic + virial, box_volume(frame));
    }
    for (int a = 0; a < d; a++) row[0] += row[2 + a * (d + 1)] / (double)d;
    double temperature = 0.5 * (g->last[TEMPERATURE] + now[TEMPERATURE]);
    row[1] = row[0] * box_volume(frame) / ((double)frame->count * temperature);
    g->last_time = frame->time;
    memcpy(g->last, now, sizeof now);
    if (!motion_is_thermal(frame, frame->count)) return CAROM_OK; /* no compressibility */
    return series_add(&g->rows, frame->time, interval, row, e);
}

const observable observable_pressure = {.settings = &settings,
                                        .separate = true,
                                        .tallies = TALLY_IMPULSES,
                                        .needs_particles = true,
                                        .create = create,
                                        .sample = sample,
                                        GAUGE_FUNCTIONS};
