#include "frame/frame.h"

#include <math.h>

#include "base/memory.h"

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
    size_t d = (size_t)dimension;
    *f = (carom_frame){.dimension = dimension, .count = count, .box = {1, 1, 1}};
    f->position = memory_new(count, d * sizeof(double));
    f->velocity = memory_new(count, d * sizeof(double));
    f->image = memory_new(count, d * sizeof(int32_t));
    f->radius = NEW_ARRAY(count, double);
    f->mass = NEW_ARRAY(count, double);
    f->species = NEW_ARRAY(count, uint32_t);
    f->id = NEW_ARRAY(count, uint32_t);
    if (f->position != NULL && f->velocity != NULL && f->image != NULL && f->radius != NULL && f->mass != NULL &&
        f->species != NULL && f->id != NULL)
        return CAROM_OK;
    frame_destroy(f);
    return error_memory(e, "a frame", count * (d * (2 * sizeof(double) + sizeof(int32_t)) + 2 * sizeof(double) + 8));
}

void frame_destroy(carom_frame *f)
{
    memory_free(f->position);
    memory_free(f->velocity);
    memory_free(f->image);
    memory_free(f->radius);
    memory_free(f->mass);
    memory_free(f->species);
    memory_free(f->id);
    memory_free(f->cluster);
    memory_free(f->spin);
    memory_free(f->axis);
    memory_free(f->semi_axes);
    memory_free(f->layers);
    memory_free(f->inertia);
    *f = (carom_frame){0};
}

carom_status frame_add_clusters(carom_frame *f, error *e)
{
    f->cluster = NEW_ARRAY(f->count, uint32_t);
    return f->cluster != NULL ? CAROM_OK : error_memory(e, "a frame", f->count * sizeof *f->cluster);
}

carom_status frame_add_spins(carom_frame *f, bool inertia, error *e)
{
    f->spin = memory_new(f->count, 3 * sizeof(double));
    if (inertia) f->inertia = NEW_ARRAY(f->count, double);
    bool done = f->spin != NULL && (!inertia || f->inertia != NULL);
    return done ? CAROM_OK : error_memory(e, "a frame", f->count * 4 * sizeof *f->spin);
}

carom_status frame_add_axes(carom_frame *f, error *e)
{
    f->axis = memory_new(f->count, 3 * sizeof(double));
    f->semi_axes = memory_new(f->count, 3 * sizeof(double));
    const bool done = f->axis != NULL && f->semi_axes != NULL;
    return done ? CAROM_OK : error_memory(e, "a frame", f->count * 6 * sizeof *f->axis);
}

carom_status frame_add_layers(carom_frame *f, error *e)
{
    f->layers = NEW_ARRAY(f->count, uint32_t);
    return f->layers != NULL ? CAROM_OK : error_memory(e, "a frame", f->count * sizeof *f->layers);
}

/* A sum with its rounding errors carried along (Neumaier, Z. angew. Math. Mech. 54, 39 (1974)). */
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

carom_frame frame_measured(const carom_frame *f)
{
    carom_frame measured = *f;
    measured.count -= f->vertices;
    measured.vertices = 0;
    return measured;
}

double frame_spin_energy(const carom_frame *f, size_t i)
{
    if (f->spin == NULL) return 0;
    const double *w = f->spin + 3 * i,
                 solid = (f->dimension == 2 ? 0.5 : 0.4) * f->mass[i] * f->radius[i] * f->radius[i];
    const double inertia = f->inertia != NULL ? f->inertia[i] : solid;
    return 0.5 * inertia * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

frame_energy frame_energy_of(const carom_frame *f)
{
    compensated kinetic = {0}, spinning = {0}, potential = {0}, momentum[3] = {{0}};
    size_t dimension = (size_t)f->dimension, massive = 0;
    for (size_t i = 0; i < f->count; i++) {
        double mass = f->mass[i], square = 0;
        massive += mass > 0;
        for (size_t k = 0; k < dimension; k++) {
            size_t at = i * dimension + k;
            double v = f->velocity[at];
            square += v * v;
            add(&momentum[k], mass * v);
            if (f->gravity[k] != 0)
                add(&potential, -mass * f->gravity[k] * (f->position[at] + f->image[at] * f->box[k]));
        }
        add(&kinetic, 0.5 * mass * square);
        add(&spinning, frame_spin_energy(f, i));
    }
    int64_t scale = clamped(f->scale);
    frame_energy energy = {.kinetic = scaled(total(kinetic), -2 * scale),
                           .potential = total(potential) + f->pair_energy};
    for (size_t k = 0; k < dimension; k++) energy.momentum[k] = scaled(total(momentum[k]), -scale);
    if (massive > 0) energy.temperature = 2 * energy.kinetic / ((double)dimension * (double)massive);
    energy.kinetic += scaled(total(spinning), -2 * scale);
    energy.stored =
        f->tallies.ledger.springs + f->tallies.ledger.contact + f->tallies.ledger.stretch + f->tallies.ledger.bend;
    energy.total = energy.kinetic + energy.potential + energy.stored;
    return energy;
}

double frame_budget(const carom_frame *f, const frame_energy *energy)
{
    const frame_ledger *ledger = &f->tallies.ledger;
    if (!ledger->kept) return energy->total + f->tallies.dissipated - f->tallies.supplied;
    return energy->total + ledger->restitution + ledger->friction + ledger->damping + ledger->plastic - ledger->work;
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

int carom_frame_dimension(const carom_frame *frame)
{
    return frame->dimension;
}

size_t carom_frame_count(const carom_frame *frame)
{
    return frame->count;
}

double carom_frame_time(const carom_frame *frame)
{
    return frame->time;
}

const double *carom_frame_positions(const carom_frame *frame)
{
    return frame->position;
}

const double *carom_frame_velocities(const carom_frame *frame)
{
    return frame->velocity;
}

const double *carom_frame_radii(const carom_frame *frame)
{
    return frame->radius;
}

int64_t carom_frame_scale(const carom_frame *frame)
{
    return frame->scale;
}
