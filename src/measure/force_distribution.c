/* Distribution of contact forces in units of their mean (Mueth, Jaeger, Nagel, Phys. Rev. E 57, 3164 (1998)). The force of a
 * contact is the sum of its impulses between two samples, divided by the time between them. Its normal part is along the
 * line of centres, positive for a push. Each sample has a mean of its own, over all contacts with an impulse. Of a species: half of a contact
 * belongs to each of its particles, in sums, means and numbers, so that distributions of species, weighted by their numbers, add up. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "measure/gauge.h"
#include "measure/species.h"
#include "measure/store.h"

enum { COLUMNS = 5, FIRST_ROOM = 1024 };

typedef struct force_settings {
    uint32_t species; /* first: SPECIES_ROW */
    uint64_t bins;
    double range;
    bool walls;
} force_settings;

static const setting entries[] = {
    SPECIES_ROW("contacts of this species only: half of each contact with another one"),
    {.name = "bins",
     .type = SETTING_INTEGER,
     .offset = offsetof(force_settings, bins),
     .unit = "",
     .fallback = "50",
     .min = 1,
     .max = 100000,
     .help = "number of bins, from 0 to range"},
    {.name = "range",
     .type = SETTING_REAL,
     .offset = offsetof(force_settings, range),
     .unit = "",
     .fallback = "5",
     .max = 1e9,
     .above_min = true,
     .help = "largest force in the histograms, in units of the mean"},
    {.name = "walls",
     .type = SETTING_BOOL,
     .offset = offsetof(force_settings, walls),
     .unit = "",
     .fallback = "false",
     .help = "also contacts with walls, planes and meshes"},
};

static const settings_table settings = {
    .name = "force_distribution",
    .help = "distribution of the normal and tangential forces of contacts, in units of their means (`variational`)",
    .size = sizeof(force_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = species_begin,
};

static const series_column series_columns[] = {
    {"normal", "energy / length", 1, true}, {"tangential", "energy / length", 1, true}, {"contacts", "", 1, false}};

/* The impulse of a contact since the last sample: doubles only, for checkpoints. */
typedef struct force {
    double i, j, boundary, rank; /* rank: in the list */
    double normal, across[3];
    double share; /* of the species */
} force;
enum { FORCE_NUMBERS = sizeof(force) / sizeof(double) };

typedef struct force_distribution {
    gauge g; /* first: the functions of gauges cast to it */
    force_settings set;
    size_t d;
    force *at; /* [room] */
    size_t count, room;
    double *now;      /* [2 * bins] */
    blocking density; /* [2 * bins]: normal, then tangential */
    double *table;    /* [COLUMNS][bins] */
    measure_column columns[COLUMNS];
    measure_table tables[2];
} force_distribution;

static void destroy(void *self)
{
    force_distribution *o = self;
    if (o == NULL) return;
    blocking_destroy(&o->density);
    memory_free(o->at);
    memory_free(o->now);
    memory_free(o->table);
    gauge_destroy(self);
}

static carom_status allocate(force_distribution *o, error *e)
{
    const size_t bins = (size_t)o->set.bins;
    o->at = NEW_ARRAY(FIRST_ROOM, force);
    o->now = NEW_ARRAY(2 * bins, double);
    o->table = NEW_ARRAY(COLUMNS * bins, double);
    if (o->at == NULL || o->now == NULL || o->table == NULL)
        return error_memory(e, settings.name, FIRST_ROOM * sizeof *o->at + (2 + COLUMNS) * bins * sizeof(double));
    o->room = FIRST_ROOM;
    return blocking_create(&o->density, 2 * bins, e);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(force_distribution), 0, &settings, series_columns, 3, first, e));
    force_distribution *o = *self;
    o->set = *(const force_settings *)set;
    o->d = (size_t)first->dimension;
    const carom_status status = allocate(o, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static int compare(const force *p, const force *q)
{
    if (p->i != q->i) return p->i < q->i ? -1 : 1;
    if (p->j != q->j) return p->j < q->j ? -1 : 1;
    return p->boundary < q->boundary ? -1 : p->boundary > q->boundary;
}

static int by_contact(const void *a, const void *b)
{
    const force *p = a, *q = b;
    const int order = compare(p, q);
    return order != 0 ? order : p->rank < q->rank ? -1 : p->rank > q->rank;
}

/* One entry for each contact, with the sum of its impulses in their order: it does not depend on the times of calls. */
static void merge(force_distribution *o)
{
    size_t kept = 0;
    if (o->count > 0) qsort(o->at, o->count, sizeof *o->at, by_contact);
    for (size_t n = 0; n < o->count; n++) {
        force *last = &o->at[kept - (kept > 0)];
        if (kept == 0 || compare(last, &o->at[n]) != 0) {
            o->at[kept] = o->at[n];
            o->at[kept].rank = (double)kept;
            kept++;
            continue;
        }
        last->normal += o->at[n].normal;
        for (int k = 0; k < 3; k++) last->across[k] += o->at[n].across[k];
    }
    o->count = kept;
}

/* The list grows with the number of contacts that are different, not with time. */
static carom_status make_room(force_distribution *o, error *e)
{
    merge(o);
    if (o->count < o->room / 2) return CAROM_OK;
    force *more = memory_resize(o->at, o->room, 2 * o->room, sizeof *more);
    if (more == NULL) return error_memory(e, settings.name, 2 * o->room * sizeof *more);
    o->at = more;
    o->room *= 2;
    return CAROM_OK;
}

static void add(force_distribution *o, const contact_impulse *c, double share)
{
    const bool turned = c->j < c->i; /* one orientation for each pair */
    force f = {.i = turned ? c->j : c->i,
               .j = turned ? c->i : c->j,
               .boundary = c->boundary,
               .rank = (double)o->count,
               .share = share};
    double square = 0;
    for (size_t k = 0; k < o->d; k++) square += c->line[k] * c->line[k];
    for (size_t k = 0; k < o->d && square > 0; k++) f.normal += c->impulse[k] * c->line[k] / sqrt(square);
    for (size_t k = 0; k < o->d && square > 0; k++) {
        const double along = c->impulse[k] - f.normal * c->line[k] / sqrt(square);
        f.across[k] = turned ? -along : along;
    }
    o->at[o->count++] = f;
}

static carom_status gather(void *self, const contact_log *log, error *e)
{
    force_distribution *o = self;
    for (size_t n = 0; n < log->count; n++) {
        const contact_impulse *c = &log->at[n];
        const double share = species_share(o->set.species, c->species[0], c->species[1]);
        if (share == 0 || (c->j == CONTACT_BOUNDARY && !o->set.walls)) continue;
        if (o->count == o->room) TRY(make_room(o, e));
        add(o, c, share);
    }
    return CAROM_OK;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static double across_of(const force *f)
{
    return sqrt(f->across[0] * f->across[0] + f->across[1] * f->across[1] + f->across[2] * f->across[2]);
}

static void drop(const force_distribution *o, double *bin, double x, double share, double contacts)
{
    const double bins = (double)o->set.bins, width = o->set.range / bins, at = floor(x / width);
    if (at >= 0 && at < bins) bin[(size_t)at] += share / (contacts * width);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    force_distribution *o = self;
    const size_t bins = (size_t)o->set.bins;
    const double interval = frame->time - o->g.last_time;
    double normal = 0, across = 0, contacts = 0;
    if (!(interval > 0)) return CAROM_OK;
    o->g.last_time = frame->time;
    merge(o);
    if (o->count == 0) return CAROM_OK;
    for (size_t n = 0; n < o->count; n++) contacts += o->at[n].share;
    for (size_t n = 0; n < o->count; n++) {
        normal += o->at[n].share * o->at[n].normal / contacts;
        across += o->at[n].share * across_of(&o->at[n]) / contacts;
    }
    memset(o->now, 0, 2 * bins * sizeof *o->now);
    for (size_t n = 0; n < o->count; n++) {
        const double share = o->at[n].share;
        if (normal > 0) drop(o, o->now, o->at[n].normal / normal, share, contacts);
        if (across > 0) drop(o, o->now + bins, across_of(&o->at[n]) / across, share, contacts);
    }
    const double row[] = {normal / interval, across / interval, contacts};
    o->count = 0;
    TRY(blocking_add(&o->density, 1, o->now, e));
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static carom_status result(void *self, measure_result *out, error *e)
{
    static const char *const names[COLUMNS] = {"force", "normal", "normal_error", "tangential", "tangential_error"};
    force_distribution *o = self;
    const size_t bins = (size_t)o->set.bins;
    TRY(gauge_result(self, out, e));
    for (size_t n = 0; n < bins; n++) {
        o->table[n] = ((double)n + 0.5) * o->set.range / (double)bins;
        for (size_t part = 0; part < 2; part++) {
            bool converged;
            o->table[(1 + 2 * part) * bins + n] = blocking_mean(&o->density, part * bins + n);
            o->table[(2 + 2 * part) * bins + n] = blocking_standard_error(&o->density, part * bins + n, &converged);
        }
    }
    for (size_t c = 0; c < COLUMNS; c++) o->columns[c] = (measure_column){names[c], "", 1, o->table + c * bins};
    o->tables[0] = *out->tables;
    o->tables[1] = (measure_table){.name = "distribution",
                                   .rows = o->density.count > 0 ? bins : 0,
                                   .columns = o->columns,
                                   .column_count = COLUMNS};
    out->tables = o->tables;
    out->table_count = 2;
    return CAROM_OK;
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const force_distribution *o = self;
    TRY(gauge_save(self, prefix, out, e));
    const uint64_t count = o->count;
    TRY(store_put(out, prefix, "count", SNAPSHOT_U64, 1, &count, e));
    TRY(store_put(out, prefix, "forces", SNAPSHOT_F64, o->count * FORCE_NUMBERS, o->at, e));
    char *path = store_path(prefix, "density");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    const carom_status status = blocking_save(&o->density, path, out, e);
    memory_free(path);
    return status;
}

static carom_status load_forces(force_distribution *o, const char *prefix, const snapshot *in, error *e)
{
    uint64_t count;
    TRY(store_get(in, prefix, "count", SNAPSHOT_U64, 1, &count, e));
    o->count = 0;
    if (count == 0) return CAROM_OK;
    size_t stored;
    TRY(store_length(in, prefix, "forces", SNAPSHOT_F64, &stored, e));
    if (count > SIZE_MAX / FORCE_NUMBERS || stored != count * FORCE_NUMBERS) return store_mismatch(prefix, "forces", e);
    while (o->room < count) {
        force *more = memory_resize(o->at, o->room, 2 * o->room, sizeof *more);
        if (more == NULL) return error_memory(e, settings.name, 2 * o->room * sizeof *more);
        o->at = more;
        o->room *= 2;
    }
    TRY(store_get(in, prefix, "forces", SNAPSHOT_F64, stored, o->at, e));
    o->count = (size_t)count;
    return CAROM_OK;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    force_distribution *o = self;
    TRY(gauge_load(self, prefix, in, e));
    TRY(load_forces(o, prefix, in, e));
    char *path = store_path(prefix, "density");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 9);
    const carom_status status = blocking_load(&o->density, path, in, e);
    memory_free(path);
    return status;
}

const observable observable_force_distribution = {.settings = &settings,
                                                  .tallies = TALLY_CONTACTS | TALLY_FORCES,
                                                  .needs_particles = true,
                                                  .create = create,
                                                  .sample = sample,
                                                  .gather = gather,
                                                  .result = result,
                                                  .drain = gauge_drain,
                                                  .save = save,
                                                  .load = load,
                                                  .destroy = destroy};
