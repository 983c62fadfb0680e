#include "frame/frame.h"

#include <math.h>

#include "base/memory.h"
#include "frame/blocks.h"
#include "frame/channels.h"

const char *const event_kind_names[EVENT_KINDS] = {
    [EVENT_COLLISION] = "collision",
    [EVENT_WALL] = "wall",
    [EVENT_MERGE] = "merge",
    [EVENT_FORCE] = "force",
    [EVENT_CERTIFICATE] = "certificate",
    [EVENT_TRANSFER] = "transfer",
    [EVENT_REBASE] = "rebase",
};

carom_status frame_create(carom_frame *f, int dimension, size_t count, error *e)
{
    *f = (carom_frame){.dimension = dimension, .count = count, .box = {1, 1, 1}};
    const carom_status status = frame_add(f, 0, e);
    if (status != CAROM_OK) frame_destroy(f);
    return status;
}

void frame_destroy(carom_frame *f)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS) memory_free(frame_array(f, c));
    memory_free(f->solid);
    memory_free(f->unscaled);
    memory_free(f->unscaled_spin);
    *f = (carom_frame){0};
}

void frame_detach(carom_frame *f)
{
    f->tallies.impact = NULL;
    f->tallies.impact_density = NULL;
    f->tallies.merges = NULL;
    f->tallies.merge_count = 0;
    f->tallies.layers = NULL;
    f->tallies.starts = NULL;
    f->tallies.start_count = 0;
    f->tallies.moments = NULL;
    f->tallies.moment_count = 0;
}

carom_status frame_add_solids(carom_frame *f, size_t count, error *e)
{
    f->solids = count;
    f->solid = NEW_ARRAY(count, frame_solid);
    return f->solid != NULL ? CAROM_OK : error_memory(e, "a frame", count * sizeof *f->solid);
}

/* A sum with compensation of its rounding errors (Neumaier, Z. angew. Math. Mech. 54, 39 (1974)). */
typedef struct compensated {
    double sum, rest;
} compensated;

static void add(compensated *c, double x)
{
    double sum = c->sum + x;
    c->rest += fabs(c->sum) >= fabs(x) ? (c->sum - sum) + x : (x - sum) + c->sum;
    c->sum = sum;
}

static double total(compensated c)
{
    return c.sum + c.rest;
}

/* x * 2^power for any power: beyond the range of a double it is 0 or infinity. */
static double scaled(double x, int64_t power)
{
    enum { FAR = 5000 };
    return ldexp(x, power > FAR ? FAR : power < -FAR ? -FAR : (int)power);
}

static int64_t clamped(int64_t scale)
{
    enum { FAR = 1 << 20 };
    return scale > FAR ? FAR : scale < -FAR ? -FAR : scale;
}

double frame_true(const carom_frame *f, double value)
{
    return scaled(value, -clamped(f->scale));
}

carom_frame frame_of_particles(const carom_frame *f)
{
    carom_frame particles = *f;
    particles.count = frame_particles(f);
    particles.vertices = 0;
    while (particles.solids > 0 && f->solid[particles.solids - 1].first >= particles.count) particles.solids--;
    return particles;
}

double frame_spin_energy(const carom_frame *f, size_t i)
{
    if (f->spin == NULL) return 0;
    const double *w = f->spin + 3 * i, solid = f->dimension == 2 ? 0.5 : 0.4;
    const double inertia = f->inertia != NULL ? f->inertia[i] : solid * f->mass[i] * f->radius[i] * f->radius[i];
    return 0.5 * inertia * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

static carom_status add_unscaled(double **array, size_t count, error *e)
{
    if (*array == NULL) *array = NEW_ARRAY(count, double);
    return *array != NULL ? CAROM_OK : error_memory(e, "a frame", count * sizeof(double));
}

carom_status frame_unscale(carom_frame *f, error *e)
{
    if (f->scale == 0) return CAROM_OK;
    TRY(add_unscaled(&f->unscaled, f->count * (size_t)f->dimension, e));
    if (f->spin != NULL) TRY(add_unscaled(&f->unscaled_spin, 3 * f->count, e));
    if (f->source == NULL) frame_fill_unscaled(f);
    return CAROM_OK;
}

void frame_fill_unscaled(carom_frame *f)
{
    if (f->scale == 0) return;
    for (size_t k = 0; f->unscaled != NULL && k < f->count * (size_t)f->dimension; k++)
        f->unscaled[k] = frame_true(f, f->velocity[k]);
    for (size_t k = 0; f->unscaled_spin != NULL && k < 3 * f->count; k++)
        f->unscaled_spin[k] = frame_true(f, f->spin[k]);
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Calls a function of the arrays of these columns. */
static void each_array(const carom_frame *f, unsigned columns, void (*call)(void *array))
{
    for (const frame_channel *c = frame_channels; columns != 0 && c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS && (c->column & columns) != 0 && frame_array(f, c) != NULL)
            call(frame_array(f, c));
}

unsigned frame_begin(frame_source *source, unsigned columns)
{
    if ((columns & FRAME_UNSCALED) != 0) columns |= FRAME_VELOCITY | FRAME_SPIN;
    const unsigned missing = columns & ~source->filled;
    each_array(source->frame, missing, memory_show);
    source->filled |= missing;
    return missing;
}

void frame_forget(frame_source *source, unsigned keep)
{
    each_array(source->frame, source->filled & ~keep, memory_hide);
    source->filled &= keep;
}

void frame_release(const carom_frame *f, unsigned columns)
{
    unsigned large = 0;
    for (const frame_channel *c = frame_channels; f->source != NULL && c < frame_channels + frame_channel_count; c++)
        if (c->kind != CHANNEL_NUMBERS && frame_array(f, c) != NULL && memory_is_large(frame_array(f, c)))
            large |= c->column & columns;
    if (large == 0) return;
    frame_forget(f->source, ~large);
    each_array(f, large, memory_release);
}

size_t frame_present(const carom_frame *f)
{
    size_t count = frame_particles(f);
    if (f->present == NULL && f->clump == NULL) return count;
    frame_need(f, (f->present != NULL ? FRAME_PRESENT : 0) | (f->clump != NULL ? FRAME_SPECIES : 0));
    for (size_t i = frame_particles(f); i-- > 0;) count -= frame_is_absent(f, i) || !frame_begins_body(f, i);
    return count;
}

/* ---- energies ---------------------------------------------------------------------------------------------------- */

unsigned frame_spin_columns(const carom_frame *f)
{
    if (f->spin == NULL) return 0;
    return FRAME_SPIN | (f->inertia == NULL ? FRAME_MASS | FRAME_RADIUS : 0);
}

unsigned frame_energy_columns(const carom_frame *f)
{
    unsigned columns = FRAME_VELOCITY | FRAME_MASS | frame_spin_columns(f) | (f->present != NULL ? FRAME_PRESENT : 0);
    for (int k = 0; k < f->dimension; k++)
        if (f->gravity[k] != 0) columns |= FRAME_PATH;
    return columns;
}

/* Sums over all moving masses: times 2^(2 scale), 2^scale for velocities. */
typedef struct motion {
    compensated kinetic, spinning, potential, momentum[3];
    size_t massive;
} motion;

static void add_point(motion *m, const carom_frame *f, size_t i)
{
    const double mass = f->mass[i];
    const size_t dimension = (size_t)f->dimension;
    double square = 0;
    m->massive += mass > 0 && !frame_is_absent(f, i);
    for (size_t k = 0; k < dimension; k++) {
        const double v = f->velocity[i * dimension + k];
        square += v * v;
        add(&m->momentum[k], mass * v);
        if (f->gravity[k] != 0) add(&m->potential, -mass * f->gravity[k] * frame_unwrapped(f, i, k));
    }
    add(&m->kinetic, 0.5 * mass * square);
    add(&m->spinning, frame_spin_energy(f, i));
}

/* The energy of rotation of a clump, which counts as one body: that of the corners, `all`, and of own_inertia, less that of
 * the centre of mass, which is returned. */
static double split_clump(motion *m, const carom_frame *f, const frame_solid *s, double all)
{
    const size_t dimension = (size_t)f->dimension;
    double mass = 0, square = 0, momentum[3] = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            mass += s->share_mass[i][j];
            for (size_t k = 0; k < dimension; k++)
                momentum[k] += s->share_mass[i][j] * f->velocity[s->corner[j] * dimension + k];
        }
    for (int k = 0; k < 3; k++) square += momentum[k] * momentum[k];
    const double moving = 0.5 * square / mass, *w = f->spin != NULL ? f->spin + 3 * s->first : NULL;
    add(&m->spinning, all - moving);
    if (w != NULL) add(&m->spinning, 0.5 * s->own_inertia * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    m->massive += !frame_is_absent(f, s->first);
    return moving;
}

static void add_solid(motion *m, const carom_frame *f, const frame_solid *s)
{
    const size_t dimension = (size_t)f->dimension;
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double mass = 0, along = 0;
        for (int j = 0; j < 4; j++) mass += s->share_mass[i][j];
        for (size_t k = 0; k < dimension; k++) {
            double momentum = 0;
            for (int j = 0; j < 4; j++) momentum += s->share_mass[i][j] * f->velocity[s->corner[j] * dimension + k];
            along += f->velocity[s->corner[i] * dimension + k] * momentum;
            add(&m->momentum[k], momentum);
            if (f->gravity[k] != 0) add(&m->potential, -mass * f->gravity[k] * frame_unwrapped(f, s->corner[i], k));
        }
        sum += 0.5 * along;
        if (!s->clump) add(&m->kinetic, 0.5 * along);
    }
    if (s->clump) add(&m->kinetic, split_clump(m, f, s, sum));
    if (!s->clump) m->massive += s->count;
}

/* A block of points. Frames with solids are one block. */
static bool add_points(void *context, const carom_frame *f)
{
    motion *m = context;
    size_t i = 0;
    for (size_t n = 0; n <= f->solids; n++) {
        const size_t end = n < f->solids ? f->solid[n].first : f->count;
        for (; i < end; i++) add_point(m, f, i);
        if (n == f->solids) break;
        add_solid(m, f, &f->solid[n]);
        i += f->solid[n].count;
    }
    return true;
}

frame_energy frame_energy_of(const carom_frame *f)
{
    motion m = {.massive = 0};
    const size_t dimension = (size_t)f->dimension;
    (void)frame_each_block(f, frame_energy_columns(f), 1, add_points, &m);
    int64_t scale = clamped(f->scale);
    frame_energy energy = {.kinetic = scaled(total(m.kinetic), -2 * scale),
                           .potential = total(m.potential) + f->pair_energy};
    for (size_t k = 0; k < dimension; k++) energy.momentum[k] = scaled(total(m.momentum[k]), -scale);
    if (m.massive > 0) energy.temperature = 2 * energy.kinetic / ((double)dimension * (double)m.massive);
    energy.kinetic += scaled(total(m.spinning), -2 * scale);
    energy.stored = frame_balance(f, BALANCE_STORED, 0);
    energy.total = energy.kinetic + energy.potential + energy.stored;
    return energy;
}

double frame_budget(const carom_frame *f, const frame_energy *energy)
{
    const double kept = energy->total - f->tallies.supplied;
    if (!f->tallies.ledger.kept) return kept + f->tallies.dissipated;
    return frame_balance(f, BALANCE_LOST, kept) - frame_balance(f, BALANCE_WORK, 0);
}

double frame_mean_layer(const uint64_t layers[LAYER_BINS], size_t *used)
{
    double impacts = 0, depth = 0;
    *used = 0;
    for (size_t i = 0; i < LAYER_BINS; i++) {
        impacts += (double)layers[i];
        depth += (double)layers[i] * (double)(i + 1);
        if (layers[i] > 0) *used = i + 1;
    }
    return depth / impacts;
}
