/* Size of chains: the square of the distance of their ends, and of their radius of gyration, the mean square distance of
 * their beads from the mean of their positions (each bead counts the same). A chain is followed from bead to bead by nearest
 * images: two that follow each other must be nearer than half a periodic side, as bonds and springs are. A chain at random
 * of n beads with bonds of length b has (n - 1) b^2 and b^2 (n^2 - 1) / (6 n) in the mean. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "measure/gauge.h"
#include "measure/sum.h"
#include "scene/scene.h"

typedef struct chain_settings {
    uint64_t from, to, length;
} chain_settings;

static bool has_to(const struct scene *s, const void *from)
{
    (void)s;
    return ((const chain_settings *)from)->to != UINT64_MAX;
}

static const setting entries[] = {
    {.name = "from",
     .type = SETTING_INTEGER,
     .offset = offsetof(chain_settings, from),
     .unit = "",
     .fallback = "0",
     .max = UINT32_MAX,
     .help = "number of the first particle"},
    {.name = "to",
     .type = SETTING_INTEGER,
     .offset = offsetof(chain_settings, to),
     .unit = "",
     .fallback = "",
     .max = UINT32_MAX,
     .written = has_to,
     .help = "number of the last one; without it the last of the scene"},
    {.name = "length",
     .type = SETTING_INTEGER,
     .offset = offsetof(chain_settings, length),
     .unit = "",
     .fallback = "0",
     .max = UINT32_MAX,
     .help = "particles of each chain, one chain after the other; 0: one chain"},
};

static void begin(struct reader *r, void *filled)
{
    (void)r;
    ((chain_settings *)filled)->to = UINT64_MAX;
}

static const settings_table settings = {
    .name = "chains",
    .help = "mean-square end-to-end distance and radius of gyration of chains of particles with consecutive numbers, "
            "and their "
            "mean bond length",
    .size = sizeof(chain_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
    .begin = begin,
};

static const series_column columns[] = {
    {"end_to_end_square", "length^2", 1, true}, {"gyration_square", "length^2", 1, true}, {"bond", "length", 1, true}};

typedef struct chains {
    gauge g; /* first: the functions of gauges cast to it */
    chain_settings set;
    size_t count;
    uint32_t *place; /* [count] by id: in the frame */
} chains;

static void destroy(void *self)
{
    chains *o = self;
    if (o == NULL) return;
    memory_free(o->place);
    gauge_destroy(self);
}

/* Makes the number of the last particle and the length certain. */
static carom_status complete(chain_settings *set, size_t count, error *e)
{
    if (set->to == UINT64_MAX) set->to = count > 0 ? count - 1 : 0;
    e->key = set->to >= count ? "to" : "from";
    if (set->to >= count || set->from > set->to)
        return error_set(
            e, CAROM_BAD_DATA,
            "error: chains: there are no particles %llu to %llu; give 'from' and 'to' of the %zu of the scene",
            (unsigned long long)set->from, (unsigned long long)set->to, count);
    const uint64_t beads = set->to - set->from + 1;
    e->key = "length";
    if (set->length == 0) set->length = beads;
    if (set->length < 2 || beads % set->length != 0)
        return error_set(
            e, CAROM_BAD_DATA,
            "error: chains: %llu particles are no chains of %llu; give a length of at least 2 that divides them",
            (unsigned long long)beads, (unsigned long long)set->length);
    e->key = NULL;
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    chain_settings given = *(const chain_settings *)set;
    TRY(complete(&given, first->count, e));
    TRY(gauge_create_in(self, sizeof(chains), 0, &settings, columns, 3, first, e));
    chains *o = *self;
    o->set = given;
    o->count = first->count;
    o->place = NEW_ARRAY(o->count, uint32_t);
    if (o->place != NULL) return CAROM_OK;
    destroy(o);
    *self = NULL;
    return error_memory(e, settings.name, first->count * sizeof *o->place);
}

static carom_status find_places(chains *o, const carom_frame *f, error *e)
{
    if (f->count != o->count)
        return error_set(e, CAROM_BAD_DATA, "error: chains follows particles, but their number changed from %zu to %zu",
                         o->count, f->count);
    for (size_t i = 0; i < f->count; i++) {
        if (f->id[i] >= o->count)
            return error_set(e, CAROM_BAD_DATA, "error: chains follows particles, but id %u is new", f->id[i]);
        o->place[f->id[i]] = (uint32_t)i;
    }
    return CAROM_OK;
}

typedef struct sizes {
    sum ends, gyration, bonds;
} sizes;

/* The vector from one bead to the next. */
static double step(const carom_frame *f, size_t from, size_t to, double out[3])
{
    double square = 0;
    for (size_t k = 0; k < (size_t)f->dimension; k++) {
        const size_t d = (size_t)f->dimension;
        out[k] = f->position[to * d + k] - f->position[from * d + k];
        if (f->boundary[k] == BOUNDARY_PERIODIC) out[k] -= nearest_periods(out[k], f->box[k]);
        square += out[k] * out[k];
    }
    return sqrt(square);
}

/* Positions relative to the first bead: sum of (x - mean)^2 = sum of x^2 - n mean^2. */
static void add_chain(const chains *o, const carom_frame *f, size_t first, sizes *all)
{
    const double n = (double)o->set.length;
    double x[3] = {0}, way[3] = {0}, ends = 0, mean = 0;
    sum total[3] = {{0}}, squares = {0};
    for (size_t b = 1; b < o->set.length; b++) {
        sum_add(&all->bonds, step(f, o->place[first + b - 1], o->place[first + b], way));
        for (int k = 0; k < f->dimension; k++) {
            x[k] += way[k];
            sum_add(&total[k], x[k]);
            sum_add(&squares, x[k] * x[k]);
        }
    }
    for (int k = 0; k < f->dimension; k++) {
        ends += x[k] * x[k];
        mean += pow(sum_total(&total[k]) / n, 2);
    }
    sum_add(&all->ends, ends);
    sum_add(&all->gyration, sum_total(&squares) / n - mean);
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    chains *o = self;
    sizes all = {.ends = {0}};
    frame_need(frame, FRAME_POSITION | FRAME_ID);
    TRY(find_places(o, frame, e));
    const double number = (double)((o->set.to - o->set.from + 1) / o->set.length);
    for (uint64_t b = o->set.from; b <= o->set.to; b += o->set.length) add_chain(o, frame, (size_t)b, &all);
    const double row[] = {sum_total(&all.ends) / number, sum_total(&all.gyration) / number,
                          sum_total(&all.bonds) / (number * (double)(o->set.length - 1))};
    return series_add(&o->g.rows, frame->time, 1, row, e);
}

const observable observable_chains = {.settings = &settings,
                                      .tallies = TALLY_IMAGES,
                                      .needs_particles = true,
                                      .follows = true,
                                      .create = create,
                                      .sample = sample,
                                      .result = gauge_result,
                                      .drain = gauge_drain,
                                      .save = gauge_save,
                                      .load = gauge_load,
                                      .destroy = destroy};
