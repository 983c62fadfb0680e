/* The fabric tensor of contacts, F = (1 / N_c) sum n n, n the unit vectors along the normals of the N_c contacts
 * (Satake, in Deformation and failure of granular materials, 1982); its trace is 1. Anisotropy: with F' = F - 1 / D, sqrt(D / (D - 1) F':F'), 0 for
 * isotropic and 1 for parallel normals; in 2D the difference of the two eigenvalues. Direction: the eigenvector of the
 * largest eigenvalue.
 *
 * Of a species: half of a contact belongs to each of its particles, in the sum and in N_c, so that N_c F of species add up. A profile has
 * the contacts by their places, midway between the surfaces. In a bin F is the mean over all contacts of all samples: that of samples
 * weighted by N_c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "measure/bins.h"
#include "measure/contacts.h"
#include "measure/gauge.h"
#include "measure/shape.h"
#include "measure/store.h"
#include "measure/sum.h"

typedef struct fabric_settings {
    contact_settings contacts; /* first: CONTACT_ROWS */
    bins_settings bins;
} fabric_settings;

static const setting entries[] = {
    CONTACT_ROWS("contacts of this species only: half of each contact with another one"),
    BINS_ROWS(fabric_settings, bins, 10000),
};

static const settings_table settings = {
    .name = "fabric",
    .help =
        "fabric tensor of contacts, the mean of n n over their normals, also in bins along an axis; its anisotropy (0: "
        "isotropic, 1: parallel normals) and principal direction",
    .size = sizeof(fabric_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = contact_begin,
};

enum { COLUMNS = 4, PROFILE_COLUMNS = 6 };

typedef struct fabric {
    gauge g; /* first: the functions of gauges cast to it */
    fabric_settings set;
    const carom_frame *f; /* of the present sample */
    size_t d;
    double contacts; /* of that frame */
    sum products[3][3];
    bins bins;
    double *now;      /* [bins][1 + d * d]: number of contacts, and sum of n n, of that frame */
    double *numbers;  /* [bins]: the former alone */
    blocking number;  /* [bins] */
    blocking *tensor; /* [bins] */
    double *table[PROFILE_COLUMNS];
    measure_column columns[PROFILE_COLUMNS];
    measure_table tables[2];
} fabric;

static void destroy(void *self)
{
    fabric *o = self;
    if (o == NULL) return;
    for (size_t bin = 0; o->tensor != NULL && bin < o->bins.count; bin++) blocking_destroy(&o->tensor[bin]);
    blocking_destroy(&o->number);
    memory_free(o->tensor);
    memory_free(o->now);
    memory_free(o->numbers);
    for (int c = 0; c < PROFILE_COLUMNS; c++) memory_free(o->table[c]);
    gauge_destroy(self);
}

static size_t width_of(const fabric *o, int column)
{
    const size_t tensor = o->d * o->d, widths[PROFILE_COLUMNS] = {1, 1, 1, tensor, tensor, 1};
    return widths[column];
}

static carom_status make_profile(fabric *o, error *e)
{
    const size_t tensor = o->d * o->d, count = o->bins.count;
    o->now = NEW_ARRAY(count * (1 + tensor), double);
    o->numbers = NEW_ARRAY(count, double);
    o->tensor = NEW_ARRAY(count, blocking);
    bool made = o->now != NULL && o->numbers != NULL && o->tensor != NULL;
    for (int c = 0; c < PROFILE_COLUMNS; c++) {
        o->table[c] = NEW_ARRAY(count * width_of(o, c), double);
        made = made && o->table[c] != NULL;
    }
    if (!made) return error_memory(e, settings.name, count * (6 + 3 * tensor) * sizeof(double));
    for (size_t bin = 0; bin < count; bin++) TRY(blocking_create(&o->tensor[bin], tensor, e));
    return blocking_create(&o->number, count, e);
}

static carom_status create(void **self, const void *given, const carom_frame *first, error *e)
{
    const size_t d = (size_t)first->dimension;
    const series_column columns[COLUMNS] = {{"anisotropy", "", 1, true},
                                            {"tensor", "", d * d, true},
                                            {"contacts", "", 1, false},
                                            {"direction", "", d, false}};
    fabric_settings set = *(const fabric_settings *)given;
    TRY(bins_check(&set.bins, first, e));
    TRY(contacts_plan(&set.contacts, settings.name, first, e));
    TRY(gauge_create_in(self, sizeof(fabric), 0, &settings, columns, COLUMNS, first, e));
    fabric *o = *self;
    o->set = set;
    o->d = d;
    o->bins = bins_of(&set.bins, first);
    const carom_status status = o->bins.count > 0 ? make_profile(o, e) : CAROM_OK;
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static void add_to_bin(fabric *o, const contact *c, double share)
{
    const double at = bins_place(&o->bins, c->place[o->bins.along]);
    if (!bins_has(&o->bins, at)) return;
    double *to = o->now + bins_at(&o->bins, floor(at)) * (1 + o->d * o->d);
    to[0] += share;
    for (size_t a = 0; a < o->d; a++)
        for (size_t b = 0; b < o->d; b++) to[1 + a * o->d + b] += share * c->normal[a] * c->normal[b];
}

static void add(const contact *c, void *user)
{
    fabric *o = user;
    const uint32_t *of = o->f->species, j = c->j != CONTACT_WALL ? c->j : c->i;
    const double share = species_share(o->set.contacts.species, of[c->i], of[j]);
    if (share == 0) return;
    o->contacts += share;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) sum_add(&o->products[a][b], share * c->normal[a] * c->normal[b]);
    if (o->bins.count > 0) add_to_bin(o, c, share);
}

static double anisotropy(int dimension, const double tensor[3][3])
{
    double squares = 0;
    for (int a = 0; a < dimension; a++)
        for (int b = 0; b < dimension; b++) {
            const double part = tensor[a][b] - (a == b ? 1.0 / dimension : 0);
            squares += part * part;
        }
    return sqrt(squares * dimension / (dimension - 1));
}

static carom_status sample_profile(fabric *o, error *e)
{
    const size_t tensor = o->d * o->d;
    for (size_t bin = 0; bin < o->bins.count; bin++) {
        double *from = o->now + bin * (1 + tensor);
        const double contacts = o->numbers[bin] = from[0];
        for (size_t ab = 1; ab <= tensor && contacts > 0; ab++) from[ab] /= contacts;
        if (contacts > 0) TRY(blocking_add(&o->tensor[bin], contacts, from + 1, e));
    }
    return blocking_add(&o->number, 1, o->numbers, e);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    fabric *o = self;
    const int d = frame->dimension;
    double tensor[3][3] = {{0}}, value[3], axes[3][3], row[1 + 9 + 1 + 3], *to = row;
    o->f = frame;
    o->contacts = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) o->products[a][b] = (sum){0};
    if (o->bins.count > 0) memset(o->now, 0, o->bins.count * (1 + o->d * o->d) * sizeof *o->now);
    frame_need(frame, FRAME_SPECIES);
    TRY(contacts_find(&o->set.contacts, frame, add, o, e));
    if (o->bins.count > 0) TRY(sample_profile(o, e));
    if (o->contacts == 0) return CAROM_OK; /* no normal */
    for (int a = 0; a < d; a++)
        for (int b = 0; b <= a; b++) tensor[a][b] = tensor[b][a] = sum_total(&o->products[a][b]) / o->contacts;
    shape_eigen(d, tensor, value, axes);
    *to++ = anisotropy(d, (const double(*)[3])tensor);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) *to++ = tensor[a][b];
    *to++ = o->contacts;
    for (int a = 0; a < d; a++) *to++ = axes[0][a];
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void fill_bin(fabric *o, size_t bin)
{
    const size_t d = o->d;
    double tensor[3][3] = {{0}};
    bool converged;
    o->table[0][bin] = bins_middle(&o->bins, bin);
    o->table[1][bin] = blocking_mean(&o->number, bin);
    o->table[2][bin] = blocking_standard_error(&o->number, bin, &converged);
    for (size_t ab = 0; ab < d * d; ab++) {
        const double mean = tensor[ab / d][ab % d] = blocking_mean(&o->tensor[bin], ab);
        o->table[3][bin * d * d + ab] = mean;
        o->table[4][bin * d * d + ab] = blocking_standard_error(&o->tensor[bin], ab, &converged);
    }
    o->table[5][bin] = anisotropy((int)d, (const double(*)[3])tensor);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    static const char *const names[PROFILE_COLUMNS] = {"position", "contacts",     "contacts_error",
                                                       "tensor",   "tensor_error", "anisotropy"};
    fabric *o = self;
    TRY(gauge_result(self, out, e));
    if (o->bins.count == 0) return CAROM_OK;
    for (size_t bin = 0; bin < o->bins.count; bin++) fill_bin(o, bin);
    for (int c = 0; c < PROFILE_COLUMNS; c++)
        o->columns[c] = (measure_column){names[c], c == 0 ? "length" : "", width_of(o, c), o->table[c]};
    o->tables[0] = *out->tables;
    o->tables[1] = (measure_table){.name = "profile",
                                   .rows = o->number.count > 0 ? o->bins.count : 0,
                                   .columns = o->columns,
                                   .column_count = PROFILE_COLUMNS};
    out->tables = o->tables;
    out->table_count = 2;
    return CAROM_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Of a bin of the profile, or with SIZE_MAX of the numbers of contacts. */
static char *path_of(const char *prefix, size_t bin)
{
    char name[40];
    if (bin == SIZE_MAX) return store_path(prefix, "number");
    snprintf(name, sizeof name, "bin_%zu", bin);
    return store_path(prefix, name);
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const fabric *o = self;
    carom_status status = gauge_save(self, prefix, out, e);
    for (size_t n = 0; n <= o->bins.count && o->bins.count > 0 && status == CAROM_OK; n++) {
        char *path = path_of(prefix, n < o->bins.count ? n : SIZE_MAX);
        if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 40);
        status = blocking_save(n < o->bins.count ? &o->tensor[n] : &o->number, path, out, e);
        memory_free(path);
    }
    return status;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    fabric *o = self;
    carom_status status = gauge_load(self, prefix, in, e);
    for (size_t n = 0; n <= o->bins.count && o->bins.count > 0 && status == CAROM_OK; n++) {
        char *path = path_of(prefix, n < o->bins.count ? n : SIZE_MAX);
        if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 40);
        status = blocking_load(n < o->bins.count ? &o->tensor[n] : &o->number, path, in, e);
        memory_free(path);
    }
    return status;
}

const observable observable_fabric = {.settings = &settings,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      .result = result,
                                      .drain = gauge_drain,
                                      .save = save,
                                      .load = load,
                                      .destroy = destroy};
