/* The fabric tensor of contacts, F = (1 / N_c) sum n n, n the unit vectors along the normals of the N_c contacts
 * (Satake, in Deformation and failure of granular materials, 1982); its trace is 1. Anisotropy: with F' = F - 1 / D, sqrt(D / (D - 1) F':F'), 0 for
 * isotropic and 1 for parallel normals; in 2D the difference of the two eigenvalues. Direction: the eigenvector of the
 * largest eigenvalue. */
#include <math.h>

#include "measure/contacts.h"
#include "measure/gauge.h"
#include "measure/shape.h"
#include "measure/sum.h"

static const settings_table settings = {
    .name = "fabric",
    .help = "fabric tensor of contacts, the mean of n n over their normals; its anisotropy (0: isotropic, 1: parallel "
            "normals) and principal direction",
    .size = sizeof(contact_settings),
    .entries = contact_entries,
    .count = CONTACT_ENTRIES,
    .begin = contact_begin,
};

enum { COLUMNS = 4 };

typedef struct fabric {
    gauge g; /* first: the functions of gauges cast to it */
    contact_settings set;
    uint64_t contacts; /* of the last frame */
    sum products[3][3];
} fabric;

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    const size_t d = (size_t)first->dimension;
    const series_column columns[COLUMNS] = {{"anisotropy", "", 1, true},
                                            {"tensor", "", d * d, true},
                                            {"contacts", "", 1, false},
                                            {"direction", "", d, false}};
    contact_settings complete = *(const contact_settings *)set;
    TRY(contacts_plan(&complete, settings.name, first, e));
    TRY(gauge_create_in(self, sizeof(fabric), 0, &settings, columns, COLUMNS, first, e));
    ((fabric *)*self)->set = complete;
    return CAROM_OK;
}

static void add(const contact *c, void *user)
{
    fabric *o = user;
    o->contacts++;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) sum_add(&o->products[a][b], c->normal[a] * c->normal[b]);
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

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    fabric *o = self;
    const int d = frame->dimension;
    double tensor[3][3] = {{0}}, value[3], axes[3][3], row[1 + 9 + 1 + 3], *to = row;
    o->contacts = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) o->products[a][b] = (sum){0};
    TRY(contacts_find(&o->set, frame, add, o, e));
    if (o->contacts == 0) return CAROM_OK; /* no normal */
    for (int a = 0; a < d; a++)
        for (int b = 0; b <= a; b++) tensor[a][b] = tensor[b][a] = sum_total(&o->products[a][b]) / (double)o->contacts;
    shape_eigen(d, tensor, value, axes);
    *to++ = anisotropy(d, (const double(*)[3])tensor);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) *to++ = tensor[a][b];
    *to++ = (double)o->contacts;
    for (int a = 0; a < d; a++) *to++ = axes[0][a];
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

const observable observable_fabric = {.settings = &settings,
                                      .separate = true,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      GAUGE_FUNCTIONS};
