/* Contacts of each particle: their mean number, its distribution, and the fraction of rattlers, particles with fewer
 * contacts than the D + 1 that mechanical equilibrium without friction requires. A clump is one particle, and two of them may have
 * several contacts. Of a species: the contacts of its particles, with those of all species. */
#include <string.h>

#include "base/memory.h"
#include "measure/bodies.h"
#include "measure/contacts.h"
#include "measure/gauge.h"
#include "measure/store.h"

enum { BINS = 32 }; /* numbers of contacts; the last bin holds all beyond */

static const setting entries[] = {
    CONTACT_ROWS("particles of this species only: their contacts with particles of all species"),
};

static const settings_table settings = {
    .name = "coordination",
    .help =
        "mean number of contacts of a particle, its distribution, and the fraction of particles with fewer than D + 1 "
        "contacts (rattlers)",
    .size = sizeof(contact_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = contact_begin,
};

static const series_column columns[] = {
    {"coordination", "", 1, true}, {"rattlers", "", 1, true}, {"contacts", "", 1, false}};

typedef struct coordination {
    gauge g; /* first: the functions of gauges cast to it */
    contact_settings set;
    blocking shares;      /* [BINS] side by side */
    const carom_frame *f; /* of the present sample */
    uint32_t *number;     /* [room]: contacts of each particle of that frame */
    size_t room;
    uint64_t all; /* contacts of that frame, at least one of whose particles counts */
    double bin[BINS], share[BINS], wrong[BINS];
    measure_column columns[3];
    measure_table tables[2];
} coordination;

static void destroy(void *self)
{
    coordination *o = self;
    if (o == NULL) return;
    blocking_destroy(&o->shares);
    memory_free(o->number);
    gauge_destroy(self);
}

static carom_status reserve(coordination *o, size_t count, error *e)
{
    if (count <= o->room) return CAROM_OK;
    memory_free(o->number);
    o->room = 0;
    o->number = NEW_ARRAY(count, uint32_t);
    if (o->number == NULL) return error_memory(e, settings.name, count * sizeof *o->number);
    o->room = count;
    return CAROM_OK;
}

static carom_status start(coordination *o, const carom_frame *first, error *e)
{
    TRY(contacts_plan(&o->set, settings.name, first, e));
    TRY(reserve(o, first->count, e));
    return blocking_create(&o->shares, BINS, e);
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    TRY(gauge_create_in(self, sizeof(coordination), 0, &settings, columns, 3, first, e));
    coordination *o = *self;
    o->set = *(const contact_settings *)set;
    const carom_status status = start(o, first, e);
    if (status == CAROM_OK) return status;
    destroy(o);
    *self = NULL;
    return status;
}

static bool counts(const coordination *o, size_t i)
{
    return species_has(o->set.species, o->f, i);
}

static void count(const contact *c, void *user)
{
    coordination *o = user;
    o->all += counts(o, c->i) || (c->j != CONTACT_WALL && counts(o, c->j));
    o->number[c->i]++;
    if (c->j != CONTACT_WALL) o->number[c->j]++;
}

/* Contacts of a clump are listed at its first sphere. Returns the number of particles that count. */
static double gather_bodies(coordination *o)
{
    double n = 0;
    size_t first = 0;
    for (size_t i = 0; i < o->f->count; i++) {
        if (frame_begins_body(o->f, i)) first = i;
        if (first != i) o->number[first] += o->number[i];
        n += first == i && counts(o, i);
    }
    return n;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    coordination *o = self;
    double shares[BINS] = {0}, total = 0, few = 0;
    if (frame->count == 0) return CAROM_OK;
    o->f = frame;
    TRY(reserve(o, frame->count, e));
    memset(o->number, 0, frame->count * sizeof *o->number);
    o->all = 0;
    frame_need(frame, FRAME_SPECIES);
    TRY(contacts_find(&o->set, frame, count, o, e));
    const double n = gather_bodies(o);
    if (n == 0) return CAROM_OK;
    for (size_t i = 0; i < frame->count; i++) {
        if (!frame_begins_body(frame, i) || !counts(o, i)) continue;
        total += o->number[i];
        few += o->number[i] < (uint32_t)frame->dimension + 1;
        shares[o->number[i] < BINS ? o->number[i] : BINS - 1] += 1 / n;
    }
    const double row[] = {total / n, few / n, (double)o->all};
    TRY(blocking_add(&o->shares, 1, shares, e));
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    coordination *o = self;
    size_t used = 0;
    TRY(gauge_result(self, out, e));
    for (size_t k = 0; k < BINS; k++) {
        bool converged;
        o->bin[k] = (double)k;
        o->share[k] = blocking_mean(&o->shares, k);
        o->wrong[k] = blocking_standard_error(&o->shares, k, &converged);
        if (o->share[k] > 0) used = k + 1;
    }
    o->columns[0] = (measure_column){"number", "", 1, o->bin};
    o->columns[1] = (measure_column){"fraction", "", 1, o->share};
    o->columns[2] = (measure_column){"error", "", 1, o->wrong};
    o->tables[0] = *out->tables;
    o->tables[1] = (measure_table){.name = "distribution", .rows = used, .columns = o->columns, .column_count = 3};
    out->tables = o->tables;
    out->table_count = 2;
    return CAROM_OK;
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const coordination *o = self;
    char *path = store_path(prefix, "shares");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 8);
    const carom_status status = blocking_save(&o->shares, path, out, e);
    memory_free(path);
    return status == CAROM_OK ? gauge_save(self, prefix, out, e) : status;
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    coordination *o = self;
    char *path = store_path(prefix, "shares");
    if (path == NULL) return error_memory(e, "a checkpoint's names", strlen(prefix) + 8);
    const carom_status status = blocking_load(&o->shares, path, in, e);
    memory_free(path);
    return status == CAROM_OK ? gauge_load(self, prefix, in, e) : status;
}

const observable observable_coordination = {.settings = &settings,
                                            .needs_particles = true,
                                            .create = create,
                                            .sample = sample,
                                            .result = result,
                                            .drain = gauge_drain,
                                            .save = save,
                                            .load = load,
                                            .destroy = destroy};
