/* Clusters: number, sizes, and distribution of number and mass over mass, as functions of time. */
#include <math.h>

#include "base/memory.h"
#include "measure/gauge.h"
#include "measure/store.h"

static const settings_table settings = {
    .name = "clusters",
    .help = "number and masses of the clusters, and their distribution over octaves of mass; for engines that merge",
};

enum { NUMBER, MEAN_MASS, WEIGHTED_MASS, LARGEST_MASS, SINGLES, SCALARS };

typedef struct clusters {
    gauge g; /* first: the functions of gauges cast to it */
    measure_table tables[2];
    measure_column bin_columns[2];
    size_t bins;        /* octaves of mass: bin k begins at smallest 2^k */
    double smallest;    /* mass of a particle */
    double *low, *high; /* [bins] */
    double *row;        /* [SCALARS + 2 bins] */
    double *mass;       /* [count]: of the cluster with this id */
} clusters;

static void destroy(void *self)
{
    clusters *c = self;
    if (c == NULL) return;
    memory_free(c->low);
    memory_free(c->high);
    memory_free(c->row);
    memory_free(c->mass);
    gauge_destroy(self);
}

static void set_bins(clusters *c, const carom_frame *first)
{
    double total = 0;
    frame_need(first, FRAME_MASS);
    c->smallest = INFINITY;
    for (size_t i = 0; i < first->count; i++) {
        total += first->mass[i];
        c->smallest = fmin(c->smallest, first->mass[i]);
    }
    c->bins = 1 + (size_t)fmax(0, ceil(log2(total / c->smallest)));
}

static carom_status allocate(clusters *c, size_t count, error *e)
{
    c->low = NEW_ARRAY(c->bins, double);
    c->high = NEW_ARRAY(c->bins, double);
    c->row = NEW_ARRAY(SCALARS + 2 * c->bins, double);
    c->mass = NEW_ARRAY(count, double);
    if (c->low == NULL || c->high == NULL || c->row == NULL || c->mass == NULL)
        return error_memory(e, settings.name, count * sizeof(double));
    for (size_t k = 0; k < c->bins; k++) {
        c->low[k] = ldexp(c->smallest, (int)k);
        c->high[k] = ldexp(c->smallest, (int)k + 1);
    }
    c->bin_columns[0] = (measure_column){"mass_from", "mass", 1, c->low};
    c->bin_columns[1] = (measure_column){"mass_to", "mass", 1, c->high};
    return CAROM_OK;
}

static carom_status create(void **self, const void *unused, const carom_frame *first, error *e)
{
    (void)unused;
    if (first->cluster == NULL)
        return error_set(e, CAROM_BAD_DATA, "error: clusters: this engine has no merges; use `engine: aggregation`");
    clusters *c = NEW_ARRAY(1, clusters);
    if (c == NULL) return error_memory(e, settings.name, sizeof *c);
    set_bins(c, first);
    const series_column columns[] = {{"number", "", 1, false},
                                     {"mean_mass", "mass", 1, false},
                                     {"weighted_mass", "mass", 1, false},
                                     {"largest_mass", "mass", 1, false},
                                     {"single_particles", "", 1, false},
                                     {"number_per_octave", "", c->bins, false},
                                     {"mass_per_octave", "mass", c->bins, false}};
    carom_status status = series_create(&c->g.rows, settings.name, columns, sizeof columns / sizeof *columns, e);
    if (status == CAROM_OK) status = allocate(c, first->count, e);
    if (status == CAROM_OK)
        *self = c;
    else
        destroy(c);
    return status;
}

/* Mass by id; the mass of a cluster is stored at its smallest id. Masses are summed in order of index. */
static carom_status weigh(clusters *c, const carom_frame *f, error *e)
{
    frame_need(f, FRAME_CLUSTER | FRAME_MASS | FRAME_ID);
    for (size_t i = 0; i < f->count; i++) c->mass[i] = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->cluster[i] >= f->count)
            return error_set(e, CAROM_BAD_DATA, "error: clusters: particle %u is in cluster %u, which cannot be",
                             f->id[i], f->cluster[i]);
        c->mass[f->cluster[i]] += f->mass[i];
    }
    return CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *f, error *e)
{
    clusters *c = self;
    double *number = c->row + SCALARS, *mass = number + c->bins, total = 0;
    for (size_t k = 0; k < SCALARS + 2 * c->bins; k++) c->row[k] = 0;
    TRY(weigh(c, f, e));
    for (size_t i = 0; i < f->count; i++) {
        const double m = c->mass[f->id[i]];
        c->row[SINGLES] += m == f->mass[i] && f->cluster[i] == f->id[i];
        if (m == 0) continue;
        int octave = ilogb(m / c->smallest);
        size_t k = octave < 0 ? 0 : (size_t)octave < c->bins ? (size_t)octave : c->bins - 1;
        number[k]++;
        mass[k] += m;
        total += m;
        c->row[NUMBER]++;
        c->row[WEIGHTED_MASS] += m * m;
        c->row[LARGEST_MASS] = fmax(c->row[LARGEST_MASS], m);
    }
    c->row[MEAN_MASS] = total / c->row[NUMBER];
    c->row[WEIGHTED_MASS] /= total;
    return series_add(&c->g.rows, f->time, 1.0, c->row, e);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    clusters *c = self;
    (void)e;
    c->tables[0] = series_table(&c->g.rows);
    c->tables[1] = (measure_table){.name = "octaves", .rows = c->bins, .columns = c->bin_columns, .column_count = 2};
    *out = (measure_result){.tables = c->tables, .table_count = 2};
    return CAROM_OK;
}

const observable observable_clusters = {.settings = &settings,
                                        .needs_particles = true,
                                        .create = create,
                                        .sample = sample,
                                        .result = result,
                                        .drain = gauge_drain,
                                        .save = gauge_save,
                                        .load = gauge_load,
                                        .destroy = destroy};
