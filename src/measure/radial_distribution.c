/* Radial distribution function: the number of pairs at each distance divided by that of an ideal gas in the same box.
 *
 * The number for the ideal gas is exact. In a periodic box it is proportional to the volume of a shell. Between walls,
 * centres reach up to the mean radius from them. A displacement r is then possible for a fraction prod_a (1 - |r_a| /
 * l_a) of the positions (a: the axes with walls, l_a the range of the centres along them), averaged over directions. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/pi.h"
#include "geometry/ball.h"
#include "measure/blocking.h"
#include "measure/box.h"
#include "measure/measure.h"
#include "measure/pairs.h"
#include "measure/store.h"

enum { COLUMNS = 4, NEIGHBOURS_MAX = 500 };

typedef struct radial_settings {
    uint64_t bins;
    double range;
    bool shrinks; /* whether the box shrinks, by `plan` */
} radial_settings;

static const setting entries[] = {
    {.name = "bins",
     .type = SETTING_INTEGER,
     .offset = offsetof(radial_settings, bins),
     .unit = "",
     .fallback = "200",
     .min = 1,
     .max = 100000,
     .help = "number of bins from 0 to range"},
    {.name = "range",
     .type = SETTING_REAL,
     .offset = offsetof(radial_settings, range),
     .unit = "length",
     .fallback = "0",
     .max = INFINITY,
     .help =
         "largest distance; 0: half the shortest periodic side (wall: the side), of the box at a packing fraction of 1 "
         "if the run compresses it, but within 500 mean neighbours"},
};

static const settings_table settings = {
    .name = "radial_distribution",
    .help = "radial distribution function: pairs at a distance, over those of an ideal gas in the same box",
    .size = sizeof(radial_settings),
    .entries = entries,
    .count = sizeof entries / sizeof entries[0],
};

typedef struct radial {
    radial_settings set; /* with the range in use */
    pairs pairs;
    blocking g;         /* [bins] side by side */
    double *neighbours; /* [bins] per particle, summed over samples */
    double *row;        /* [COLUMNS][bins] */
    measure_column columns[COLUMNS];
    measure_table table;
} radial;

/* Region accessible to the centres of a frame. */
typedef struct room {
    int dimension;
    double reach[3]; /* of the centres along each axis */
    bool wall[3];
} room;

static room room_of(const carom_frame *f)
{
    room m = {.dimension = f->dimension};
    double diameter = 0.0;
    frame_need(f, FRAME_RADIUS);
    for (size_t i = 0; i < f->count; i++) diameter += 2.0 * f->radius[i] / (double)f->count;
    for (int a = 0; a < f->dimension; a++) {
        m.wall[a] = f->boundary[a] == BOUNDARY_WALL;
        m.reach[a] = m.wall[a] ? f->box[a] - diameter : f->box[a];
    }
    return m;
}

/* The smallest region of a run. A box that shrinks around its spheres keeps its shape, and a packing fraction of 1 is
 * above that of any packing. */
static room smallest_room_of(const carom_frame *f, bool shrinks)
{
    room m = room_of(f);
    double filled = 0.0;
    for (size_t i = 0; i < f->count; i++) filled += ball_volume(f->dimension, 2.0 * f->radius[i]);
    const double ratio = shrinks ? fmin(pow(filled / box_volume(f), 1.0 / f->dimension), 1.0) : 1.0;
    for (int a = 0; a < f->dimension; a++) m.reach[a] -= (1.0 - ratio) * f->box[a];
    return m;
}

static double longest_range(const room *m)
{
    double range = DBL_MAX;
    for (int a = 0; a < m->dimension; a++) range = fmin(range, m->wall[a] ? m->reach[a] : 0.5 * m->reach[a]);
    return range;
}

static double default_range(const carom_frame *f, const room *m)
{
    const double ball = f->dimension == 3 ? 4.18879020478639098 : PI;
    double spread = box_volume(f) / (double)(f->count > 0 ? f->count : 1);
    return fmin(longest_range(m), pow(NEIGHBOURS_MAX * spread / ball, 1.0 / f->dimension));
}

/* Probability that two points of an ideal gas are less than r apart: 1 / V times the integral of S r^(D-1) times the
 * directional average of prod_a (1 - r |n_a| / l_a), whose terms are averages of |n_x|, |n_x n_y|, |n_x n_y n_z|. */
static double ideal_within(const room *m, double r)
{
    static const double surface[2] = {2 * PI, 4 * PI};
    static const double average[2][4] = {{1.0, 0.63661977236758134, 0.31830988618379067, 0.0},
                                         {1.0, 0.5, 0.21220659078919378, 0.079577471545947668}};
    double symmetric[4] = {1.0, 0.0, 0.0, 0.0}, volume = 1.0, total = 0.0;
    int d = m->dimension;
    for (int a = 0; a < d; a++) {
        volume *= m->reach[a];
        if (!m->wall[a]) continue;
        for (int k = 3; k > 0; k--) symmetric[k] -= symmetric[k - 1] / m->reach[a];
    }
    for (int k = 0; k <= 3; k++) total += symmetric[k] * average[d - 2][k] * pow(r, d + k) / (d + k);
    return surface[d - 2] * total / volume;
}

static void destroy(void *self)
{
    radial *o = self;
    if (o == NULL) return;
    pairs_destroy(&o->pairs);
    blocking_destroy(&o->g);
    memory_free(o->neighbours);
    memory_free(o->row);
    memory_free(o);
}

static carom_status allocate(radial *o, error *e)
{
    size_t bins = (size_t)o->set.bins;
    o->neighbours = NEW_ARRAY(bins, double);
    o->row = NEW_ARRAY(bins * COLUMNS, double);
    if (o->neighbours == NULL || o->row == NULL)
        return error_memory(e, "radial_distribution", bins * (1 + COLUMNS) * sizeof(double));
    TRY(pairs_create(&o->pairs, o->set.range, bins, e));
    return blocking_create(&o->g, bins, e);
}

static carom_status check_range(const room *m, double range, bool shrinks, error *e)
{
    double longest = longest_range(m);
    if (range > 0.0 && range <= longest) return CAROM_OK;
    e->key = "range";
    return error_set(e, CAROM_BAD_DATA,
                     "error: radial_distribution: range %.9g is not within (0, %.9g], half of the shortest periodic "
                     "side and as far as centres reach between walls%s; give a smaller 'range'",
                     range, longest,
                     shrinks ? ", of the box at a packing fraction of 1, as the run compresses it" : "");
}

static carom_status plan(void *set, const measure_plan *run, error *e)
{
    (void)e;
    ((radial_settings *)set)->shrinks = run->shrinks;
    return CAROM_OK;
}

static carom_status create(void **self, const void *set, const carom_frame *first, error *e)
{
    radial_settings used = *(const radial_settings *)set;
    room m = smallest_room_of(first, used.shrinks);
    if (box_has(first, BOUNDARY_OPEN))
        return error_set(e, CAROM_BAD_DATA,
                         "error: radial_distribution needs a volume: make every boundary of the box periodic or wall");
    if (used.range == 0.0) used.range = default_range(first, &m);
    TRY(check_range(&m, used.range, used.shrinks, e));
    radial *o = NEW_ARRAY(1, radial);
    if (o == NULL) return error_memory(e, "radial_distribution", sizeof *o);
    o->set = used;
    carom_status status = allocate(o, e);
    if (status == CAROM_OK)
        *self = o;
    else
        destroy(o);
    return status;
}

static carom_status sample(void *self, const carom_frame *frame, error *e)
{
    radial *o = self;
    if (frame->count < 2) return CAROM_OK;
    room m = room_of(frame);
    TRY(check_range(&m, o->set.range, false, e));
    TRY(pairs_count(&o->pairs, frame, e));
    double all = 0.5 * (double)frame->count * (double)(frame->count - 1), width = o->set.range / (double)o->set.bins;
    double inner = 0.0, *g = o->row;
    for (size_t b = 0; b < o->set.bins; b++) {
        double outer = ideal_within(&m, (double)(b + 1) * width), count = (double)o->pairs.count[b];
        g[b] = count / (all * (outer - inner));
        o->neighbours[b] += 2.0 * count / (double)frame->count;
        inner = outer;
    }
    return blocking_add(&o->g, 1.0, g, e);
}

static carom_status result(void *self, measure_result *out, error *e)
{
    radial *o = self;
    size_t bins = (size_t)o->set.bins;
    double *r = o->row, *g = r + bins, *wrong = g + bins, *neighbours = wrong + bins, running = 0.0;
    (void)e;
    for (size_t b = 0; b < bins; b++) {
        bool converged;
        r[b] = ((double)b + 0.5) * o->set.range / (double)bins;
        g[b] = blocking_mean(&o->g, b);
        wrong[b] = blocking_standard_error(&o->g, b, &converged);
        running += o->neighbours[b] / (double)o->g.count;
        neighbours[b] = running;
    }
    o->columns[0] = (measure_column){"r", "length", 1, r};
    o->columns[1] = (measure_column){"g", "", 1, g};
    o->columns[2] = (measure_column){"error", "", 1, wrong};
    o->columns[3] = (measure_column){"neighbours", "", 1, neighbours};
    o->table = (measure_table){"radial_distribution", false, 0, o->g.count > 0 ? bins : 0, o->columns, COLUMNS};
    *out = (measure_result){NULL, 0, &o->table, 1};
    return CAROM_OK;
}

static void drain(void *self)
{
    (void)self; /* no series */
}

static carom_status save(const void *self, const char *prefix, snapshot *out, error *e)
{
    const radial *o = self;
    TRY(store_put(out, prefix, "range", SNAPSHOT_F64, 1, &o->set.range, e));
    TRY(store_put(out, prefix, "neighbours", SNAPSHOT_F64, (size_t)o->set.bins, o->neighbours, e));
    return blocking_save(&o->g, prefix, out, e);
}

static carom_status load(void *self, const char *prefix, const snapshot *in, error *e)
{
    radial *o = self;
    TRY(store_get(in, prefix, "range", SNAPSHOT_F64, 1, &o->set.range, e));
    TRY(store_get(in, prefix, "neighbours", SNAPSHOT_F64, (size_t)o->set.bins, o->neighbours, e));
    o->pairs.range = o->set.range;
    return blocking_load(&o->g, prefix, in, e);
}

const observable observable_radial_distribution = {
    .settings = &settings,
    .separate = true,
    .needs_particles = true,
    .tallies = TALLY_IMAGES,
    .plan = plan,
    .create = create,
    .sample = sample,
    .result = result,
    .drain = drain,
    .save = save,
    .load = load,
    .destroy = destroy,
};
