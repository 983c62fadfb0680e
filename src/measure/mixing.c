/* Mixing of two species: Lacey's index, and the fraction of unlike neighbours.
 *
 * Lacey's index (J. Appl. Chem. 4, 257 (1954)) is (S - s) / (S - R): s the variance of the number fraction of the first
 * species between cells, S that of segregated and R that of randomly mixed species. Cells are weighted by their numbers of
 * particles; then S = p (1 - p), and the expectation over all exchanges of particles is R = p (1 - p) (K - 1) / (N - 1),
 * exactly, for N particles in K cells that are not empty: each cell is a sample without replacement. The index is 0 where each
 * cell has one species, and 1 in the mean for random species.
 *
 * Neighbours are nearer than `within` contact distances. A pair at random is unlike with the probability
 * 2 A B / (N (N - 1)), A and B the numbers of the species. A frame without neighbours of the two species has no row. */
#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/sort.h"
#include "measure/contacts.h"
#include "measure/gauge.h"
#include "scene/scene.h"

typedef struct mixing_settings {
    uint32_t between[2];
    double cell;
    double within;
} mixing_settings;

static const char *const pair_of_names[] = {"[NAME, NAME]", NULL};

static const setting entries[] = {
    {.name = "between",
     .type = SETTING_SHAPE,
     .offset = offsetof(mixing_settings, between),
     .unit = "",
     .choices = pair_of_names,
     .form = &form_species_pair,
     .help = "the two species; others are left out"},
    {.name = "cell",
     .type = SETTING_REAL,
     .offset = offsetof(mixing_settings, cell),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help = "side of the cells, rounded to a fraction of the box on axes that are not open; 0: four times the mean "
             "diameter"},
    {.name = "within",
     .type = SETTING_REAL,
     .offset = offsetof(mixing_settings, within),
     .unit = "",
     .fallback = "1.5",
     .min = 1,
     .max = 100,
     .help = "largest distance of neighbours, over the sum of their radii"},
};

static const settings_table settings = {
    .name = "mixing",
    .help = "mixing of two species: Lacey's index between cells (0: segregated, 1: random), and the fraction of unlike "
            "neighbours, also over that of random species",
    .size = sizeof(mixing_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
};

static const series_column columns[] = {
    {"lacey", "", 1, true}, {"unlike", "", 1, true}, {"unlike_ratio", "", 1, true}, {"cells", "", 1, false}};

typedef struct mixing {
    gauge g; /* first: the functions of gauges cast to it */
    mixing_settings set;
    contact_settings near;
    const carom_frame *f;  /* of the present sample */
    uint64_t pairs, mixed; /* neighbours of the two species, and those of both */
} mixing;

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    contact_settings near = {.species = NO_SPECIES, .gap = 0, .ratio = ((const mixing_settings *)set)->within - 1};
    TRY(contacts_plan(&near, settings.name, first, e));
    TRY(gauge_create_in(self, sizeof(mixing), 0, &settings, columns, sizeof columns / sizeof *columns, first, e));
    mixing *o = *self;
    o->set = *(const mixing_settings *)set;
    o->near = near;
    if (o->set.cell > 0 || first->count == 0) return CAROM_OK;
    frame_need(first, FRAME_RADIUS);
    for (size_t i = 0; i < first->count; i++) o->set.cell += 8 * first->radius[i] / (double)first->count;
    return CAROM_OK;
}

/* 0 or 1 for the two species, -1 for others. */
static int kind_of(const mixing *o, const carom_frame *f, size_t i)
{
    return f->species[i] == o->set.between[0] ? 0 : f->species[i] == o->set.between[1] ? 1 : -1;
}

/* ---- cells ------------------------------------------------------------------------------------------------------- */

enum { KEY_BITS = 21 };

/* The number of a cell, and the species in the last bit. */
static uint64_t key_of(const mixing *o, const carom_frame *f, size_t i)
{
    const double most = (double)(1 << (KEY_BITS - 1)) - 1;
    uint64_t key = 0;
    for (int k = 0; k < f->dimension; k++) {
        const bool open = f->boundary[k] == BOUNDARY_OPEN;
        const double number = fmax(round(f->box[k] / o->set.cell), 1), side = open ? o->set.cell : f->box[k] / number;
        double at = floor(f->position[i * (size_t)f->dimension + (size_t)k] / side);
        if (!open) at = fmin(fmax(at, 0), number - 1);
        at = fmin(fmax(at, -most), most);
        key = key << KEY_BITS | (uint64_t)(at + most);
    }
    return key << 1 | (uint64_t)kind_of(o, f, i);
}

typedef struct counts {
    double of[2];         /* particles of the species */
    double cells, square; /* sum over cells of the squared number of the first species over that of both */
} counts;

static counts count_cells(const uint64_t *keys, size_t count)
{
    counts c = {.cells = 0};
    for (size_t from = 0, to = 0; from < count; from = to) {
        double own[2] = {0};
        for (; to < count && keys[to] >> 1 == keys[from] >> 1; to++) own[keys[to] & 1]++;
        c.cells++;
        c.of[0] += own[0];
        c.of[1] += own[1];
        c.square += own[0] * own[0] / (own[0] + own[1]);
    }
    return c;
}

static carom_status count_species(const mixing *o, const carom_frame *f, counts *c, error *e)
{
    uint64_t *keys = NEW_ARRAY(f->count, uint64_t), *space = NEW_ARRAY(f->count, uint64_t);
    const bool good = keys != NULL && space != NULL;
    size_t count = 0;
    if (good) {
        for (size_t i = 0; i < f->count; i++)
            if (kind_of(o, f, i) >= 0) keys[count++] = key_of(o, f, i);
        sort_u64(keys, space, count);
        *c = count_cells(keys, count);
    }
    memory_free(keys);
    memory_free(space);
    return good ? CAROM_OK : error_memory(e, settings.name, 2 * f->count * sizeof(uint64_t));
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

static void count_pair(const contact *c, void *user)
{
    mixing *o = user;
    const int one = kind_of(o, o->f, c->i), other = kind_of(o, o->f, c->j);
    if (one < 0 || other < 0) return;
    o->pairs++;
    o->mixed += one != other;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    mixing *o = self;
    counts c = {.cells = 0};
    if (frame->count == 0) return CAROM_OK;
    frame_need(frame, FRAME_POSITION | FRAME_SPECIES);
    TRY(count_species(o, frame, &c, e));
    const double n = c.of[0] + c.of[1];
    if (!(c.of[0] > 0 && c.of[1] > 0)) return CAROM_OK; /* one species is not mixed */
    o->f = frame;
    o->pairs = o->mixed = 0;
    TRY(contacts_find(&o->near, frame, count_pair, o, e));
    const double p = c.of[0] / n, apart = p * (1 - p), random = apart * (c.cells - 1) / (n - 1);
    const double variance = c.square / n - p * p;
    if (!(apart > random) || o->pairs == 0) return CAROM_OK; /* each particle has its own cell; no neighbours */
    const double unlike = (double)o->mixed / (double)o->pairs;
    const double row[] = {(apart - variance) / (apart - random), unlike, unlike * n * (n - 1) / (2 * c.of[0] * c.of[1]),
                          c.cells};
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

const observable observable_mixing = {.settings = &settings,
                                      .separate = true,
                                      .needs_particles = true,
                                      .create = create,
                                      .sample = sample,
                                      GAUGE_FUNCTIONS};
