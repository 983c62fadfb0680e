/* Paths between frames, as chains of straight segments within a given distance of the true paths, for `carom
 * verify`.
 *
 * The chain of each point begins and ends at its positions in the frames. Between them a position is stored when no
 * straight segment fits any longer: along each axis there is a range of slopes whose lines pass all samples since
 * the last stored position within their part of the distance (swinging door: Bristol, 1990); an empty range ends the
 * segment at the previous sample. Half of the distance is for this; the other half is for the path between samples,
 * whose deviation from the straight line is at most three times that of the cubic of Hermite through both ends (as
 * in output/verify/verify_between.h for frames). If it is more, the chain of the point ends with a row whose
 * position begins with NaN and the deviation, which holds from that frame to the next. A row of point -1 ends those
 * of each frame, with the start time of the chains and the distance of all others. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "frame/image.h"
#include "measure/series.h"
#include "measure/store.h"

typedef struct paths_settings {
    double within;
    uint64_t per_frame;
} paths_settings;

static const setting entries[] = {
    {.name = "within",
     .type = SETTING_REAL,
     .offset = offsetof(paths_settings, within),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help = "largest distance of a path from its stored chain: less than a quarter of the smallest radius; 0: a sixth "
             "of it"},
    {.name = "per_frame",
     .type = SETTING_INTEGER,
     .offset = offsetof(paths_settings, per_frame),
     .unit = "",
     .fallback = "0",
     .max = 1000000,
     .help = "samples from frame to frame; 0: output.frames.every over `every`, the only number that fits"},
};
static const settings_table settings = {
    .name = "paths",
    .help = "paths of all points between frames, as chains of straight pieces, for `carom verify`",
    .size = sizeof(paths_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
};

/* The chain of a point since its last stored position. */
typedef struct chain {
    double place[3], time;    /* start of the segment: position and time */
    double least[3], most[3]; /* slopes */
    double x[3], v[3];        /* at the last sample */
    double away;              /* deviation of the path from the chain, if larger than `within` */
} chain;

typedef struct paths {
    paths_settings settings;
    series rows;
    measure_table table;
    chain *chains;
    size_t count;
    int dimension;
    double began, last; /* start of the chains, and time of the last sample */
    uint64_t taken;     /* samples since */
} paths;

static void destroy(void *self)
{
    paths *p = self;
    if (p == NULL) return;
    series_destroy(&p->rows);
    memory_free(p->chains);
    memory_free(p);
}

static void begin(chain *c, double time, const double x[3])
{
    memcpy(c->place, x, sizeof c->place);
    c->time = time;
    for (int k = 0; k < 3; k++) {
        c->least[k] = -INFINITY;
        c->most[k] = INFINITY;
    }
}

static void see(const carom_frame *f, size_t i, double x[3], double v[3])
{
    const size_t dimension = (size_t)f->dimension;
    for (size_t k = 0; k < 3; k++) {
        x[k] = k < dimension ? frame_unwrapped(f, i, k) : 0;
        v[k] = k < dimension ? frame_true(f, f->velocity[i * dimension + k]) : 0;
    }
}

/* Restarts all chains. */
static void begin_all(paths *p, const carom_frame *f)
{
    frame_need(f, FRAME_PATH | FRAME_VELOCITY);
    for (size_t i = 0; i < p->count; i++) {
        chain *c = &p->chains[i];
        see(f, i, c->x, c->v);
        begin(c, f->time, c->x);
        c->away = 0;
    }
    p->began = p->last = f->time;
    p->taken = 0;
}

/* Whether b is a multiple of a, up to rounding. */
static bool divides(double a, double b)
{
    return fabs(b / a - round(b / a)) <= 1e-9 * (b / a);
}

static carom_status refuse(error *e, const char *key, carom_status status)
{
    e->key = key;
    return status;
}

/* Chains begin and end at frames. */
static carom_status plan(void *set, const measure_plan *run, error *e)
{
    paths_settings *s = set;
    const double frames = run->frames, every = run->every, exact = frames / every, samples = fmax(round(exact), 1);
    if (!(frames > 0))
        return refuse(e, "what",
                      error_set(e, CAROM_BAD_DATA,
                                "error: paths are recorded from frame to frame, and frames are not at equal times; "
                                "give output.frames.every, a multiple of `every`"));
    if (!divides(every, frames) || every > frames)
        return refuse(e, "every",
                      error_set(e, CAROM_BAD_DATA,
                                "error: paths: output.frames.every, %.9g, is not a multiple of `every`, %.9g: samples "
                                "would miss the frames; give `every: %.9g`",
                                frames, every, frames / ceil(exact)));
    if (!divides(frames, run->start))
        return refuse(
            e, "start",
            error_set(e, CAROM_BAD_DATA,
                      "error: paths: start, %.9g, is between frames, which are %.9g apart; give `start: %.9g`",
                      run->start, frames, frames * round(run->start / frames)));
    if (s->per_frame != 0 && (double)s->per_frame != samples)
        return refuse(e, "per_frame",
                      error_set(e, CAROM_BAD_DATA,
                                "error: paths: per_frame is %llu, but output.frames.every over `every` is %.9g; give "
                                "that, or leave per_frame out",
                                (unsigned long long)s->per_frame, samples));
    s->per_frame = (uint64_t)samples;
    return CAROM_OK;
}

static carom_status create(void **self, const void *given, const carom_frame *first, error *e)
{
    const series_column columns[] = {{"point", "", 1, false}, {"place", "length", (size_t)first->dimension, false}};
    paths *p = NEW_ARRAY(1, paths);
    if (p == NULL) return error_memory(e, "paths", sizeof *p);
    *p = (paths){.settings = *(const paths_settings *)given, .count = first->count, .dimension = first->dimension};
    carom_status status = series_create(&p->rows, "paths", columns, 2, e);
    if (status != CAROM_OK) {
        memory_free(p);
        return status;
    }
    p->chains = NEW_ARRAY(p->count, chain);
    if (p->chains == NULL) {
        destroy(p);
        return error_memory(e, "paths", p->count * sizeof *p->chains);
    }
    double smallest = INFINITY;
    frame_need(first, FRAME_RADIUS);
    for (size_t i = 0; i < p->count; i++) smallest = fmin(smallest, first->radius[i]);
    if (!(p->settings.within > 0)) p->settings.within = smallest / 6;
    begin_all(p, first);
    *self = p;
    return CAROM_OK;
}

static carom_status add_row(paths *p, double time, double point, const double place[3], error *e)
{
    const double row[4] = {point, place[0], place[1], place[2]};
    return series_add(&p->rows, time, 1, row, e);
}

/* Largest deviation of the path since the last sample from the straight line. */
static double bend(const chain *c, const double x[3], const double v[3], double time)
{
    static const double FACTOR = 3 * 4.0 / 27;
    double from = 0, to = 0;
    for (int k = 0; k < 3; k++) {
        const double mean = (x[k] - c->x[k]) / time, a = c->v[k] - mean, b = v[k] - mean;
        from += a * a;
        to += b * b;
    }
    return FACTOR * time * (sqrt(from) + sqrt(to));
}

/* Restricts the slopes to those that pass x within the distance; false if none is left. */
static bool narrow(chain *c, double time, const double x[3], double share)
{
    bool some = true;
    for (int k = 0; k < 3; k++) {
        c->least[k] = fmax(c->least[k], (x[k] - share - c->place[k]) / (time - c->time));
        c->most[k] = fmin(c->most[k], (x[k] + share - c->place[k]) / (time - c->time));
        some = some && c->least[k] <= c->most[k];
    }
    return some;
}

/* Position at the last sample, as near to that of the point as the slopes allow. */
static void end_piece(const chain *before, double time, double place[3])
{
    for (int k = 0; k < 3; k++) {
        const double way = time - before->time, slope = (before->x[k] - before->place[k]) / way;
        place[k] = before->place[k] + way * fmin(fmax(slope, before->least[k]), before->most[k]);
    }
}

/* Whether the segment may end at x. */
static bool leads_to(const chain *c, double time, const double x[3])
{
    for (int k = 0; k < 3; k++) {
        const double slope = (x[k] - c->place[k]) / (time - c->time);
        if (!(slope >= c->least[k] && slope <= c->most[k])) return false;
    }
    return true;
}

static carom_status follow(paths *p, size_t i, const carom_frame *f, bool closes, error *e)
{
    const double share = p->settings.within / (2 * sqrt(3));
    chain *c = &p->chains[i];
    double x[3], v[3], place[3];
    see(f, i, x, v);
    const double away = bend(c, x, v, f->time - p->last) + p->settings.within / 2;
    if (away > p->settings.within) c->away = fmax(c->away, away);
    const chain before = *c;
    const bool first = before.time == p->last; /* a single sample is always near enough */
    if (!first && (!narrow(c, f->time, x, share) || (closes && !leads_to(c, f->time, x)))) {
        end_piece(&before, p->last, place);
        TRY(add_row(p, p->last, (double)i, place, e));
        begin(c, p->last, place);
    }
    if (c->time == p->last) narrow(c, f->time, x, share);
    memcpy(c->x, x, sizeof x);
    memcpy(c->v, v, sizeof v);
    const double wider[3] = {NAN, c->away, 0};
    return closes && c->away > 0 ? add_row(p, f->time, (double)i, wider, e) : CAROM_OK;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    paths *p = self;
    if (!(frame->time > p->last)) return CAROM_OK; /* the first one */
    const bool closes = ++p->taken == p->settings.per_frame;
    frame_need(frame, FRAME_PATH | FRAME_VELOCITY);
    for (size_t i = 0; i < p->count; i++) TRY(follow(p, i, frame, closes, e));
    p->last = frame->time;
    if (!closes) return CAROM_OK;
    const double whole[3] = {p->began, p->settings.within, 0};
    TRY(add_row(p, frame->time, -1, whole, e));
    begin_all(p, frame);
    return CAROM_OK;
}

static carom_status result(void *self, measure_result *out, error *e)
{
    paths *p = self;
    (void)e;
    p->table = series_table(&p->rows);
    *out = (measure_result){NULL, 0, &p->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    paths *p = self;
    series_drain(&p->rows);
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const paths *p = self;
    const double times[2] = {p->began, p->last};
    TRY(store_put(out, prefix, "chains", SNAPSHOT_F64, p->count * (sizeof(chain) / sizeof(double)), p->chains, e));
    TRY(store_put(out, prefix, "times", SNAPSHOT_F64, 2, times, e));
    TRY(store_put(out, prefix, "taken", SNAPSHOT_U64, 1, &p->taken, e));
    return series_save(&p->rows, prefix, out, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    paths *p = self;
    double times[2];
    TRY(store_get(in, prefix, "chains", SNAPSHOT_F64, p->count * (sizeof(chain) / sizeof(double)), p->chains, e));
    TRY(store_get(in, prefix, "times", SNAPSHOT_F64, 2, times, e));
    TRY(store_get(in, prefix, "taken", SNAPSHOT_U64, 1, &p->taken, e));
    p->began = times[0];
    p->last = times[1];
    return series_load(&p->rows, prefix, in, e);
}

const observable observable_paths = {
    .settings = &settings,
    .of = MEASURE_MASSES,
    .tallies = TALLY_IMAGES,
    .needs_particles = true,
    .equal_steps = true,
    .follows = true,
    .plan = plan,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
