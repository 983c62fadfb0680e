/* The shape of the largest cluster as a function of time: the main measures of shape.h. */
#include <math.h>

#include "measure/gauge.h"
#include "measure/shape.h"

static const settings_table settings = {
    .name = "shape",
    .help =
        "shape of the largest cluster, at each sample and (as values) at the last: size, radius of gyration, aspect "
        "ratio, orientation (3D: relative shape anisotropy), contacts, box-counting dimension; for engines that merge",
};

enum { COLUMNS = 7 };

static const series_column columns_2d[COLUMNS] = {{"size", "", 1, true},         {"gyration_radius", "length", 1, true},
                                                  {"aspect_ratio", "", 1, true}, {"orientation", "", 1, true},
                                                  {"contacts", "", 1, true},     {"contacts_self", "", 1, true},
                                                  {"box_dimension", "", 1, true}};
static const series_column columns_3d[COLUMNS] = {{"size", "", 1, true},         {"gyration_radius", "length", 1, true},
                                                  {"aspect_ratio", "", 1, true}, {"anisotropy", "", 1, true},
                                                  {"contacts", "", 1, true},     {"contacts_self", "", 1, true},
                                                  {"box_dimension", "", 1, true}};

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    if (first->cluster == NULL)
        return error_set(e, CAROM_BAD_DATA, "error: shape: this engine has no merges; use `engine: aggregation`");
    return gauge_create(self, &settings, first->dimension == 2 ? columns_2d : columns_3d, COLUMNS, first, e);
}

static carom_status measure_largest(const carom_frame *f, double row[COLUMNS], error *e)
{
    shape_partition p;
    shape_cluster c;
    shape_curves curves;
    for (int k = 0; k < COLUMNS; k++) row[k] = (double)NAN;
    TRY(shape_partition_create(&p, f, 0, false, e));
    carom_status status = p.count > 0 ? shape_measure(&p, 0, &c, &curves, e) : CAROM_OK;
    const bool none = p.count == 0;
    shape_partition_destroy(&p);
    if (none || status != CAROM_OK) return status;
    row[0] = (double)c.size;
    row[1] = c.gyration.radius;
    row[2] = c.gyration.aspect;
    row[3] = f->dimension == 2 ? c.gyration.orientation : c.gyration.anisotropy;
    row[4] = c.contacts;
    row[5] = c.contacts_self;
    row[6] = -c.boxes.slope;
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *f, error *e)
{
    gauge *g = self;
    double row[COLUMNS];
    TRY(measure_largest(f, row, e));
    for (int k = 0; k < COLUMNS; k++) g->last[k] = row[k];
    return series_add(&g->rows, f->time, 1.0, row, e);
}

/* A cluster that grows has no mean shape: the values are those of the last sample. */
static carom_status result(void *self, measure_result *out, error *e)
{
    gauge *g = self;
    TRY(gauge_result(self, out, e));
    for (size_t k = 0; k < COLUMNS; k++) {
        g->values[k].mean[0] = g->last[k];
        g->values[k].error[0] = (double)NAN;
        g->values[k].converged = false;
    }
    return CAROM_OK;
}

const observable observable_shape = {.settings = &settings,
                                     .needs_particles = true,
                                     .create = create,
                                     .sample = sample,
                                     .result = result,
                                     .drain = gauge_drain,
                                     .save = gauge_save,
                                     .load = gauge_load,
                                     .destroy = gauge_destroy};
