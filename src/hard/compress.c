#include "hard/compress.h"

#include "base/memory.h"
#include "base/random.h"
#include "hard/kernel.h"
#include "hard/kernel/tuning.h"
#include "hard/settings.h"
#include "scene/where.h"

#include <math.h>
#include <string.h>

/* The growing state: diameters are `factor` times the final ones. */
typedef struct growth {
    initial_state now;
    scene scene; /* the box of the scene, elastic contacts, no gravity, no potentials */
    hard_settings settings;
    const hard_kernel *kernel;
    double factor;
    compress_watch *watch;
    void *user;
} growth;

static carom_status begin(growth *g, const initial_state *wanted, const scene *s, error *e)
{
    size_t n = wanted->count, species = s->species_count, columns = scene_surfaces(s);
    g->scene = *s;
    g->settings.collapse.count = GROWTH_COLLAPSE_COUNT;
    g->scene.engine_settings = &g->settings;
    g->scene.potential_count = g->scene.bonds_count = 0;
    memset(g->scene.gravity, 0, sizeof g->scene.gravity);
    g->scene.pair_law = NEW_ARRAY(species * species, uint32_t); /* zeros: all elastic */
    g->scene.surface_law = NEW_ARRAY(species * columns, uint32_t);
    g->kernel = hard_kernel_double(s->dimension);
    g->factor = wanted->compress_scale;
    g->now = *wanted;
    g->now.spin = NULL;
    g->now.diameter = NEW_ARRAY(n, double);
    g->now.velocity = memory_new(n, sizeof *g->now.velocity);
    if (g->scene.pair_law == NULL || g->scene.surface_law == NULL || g->now.diameter == NULL || g->now.velocity == NULL)
        return error_memory(e, "the compression", n * 4 * sizeof(double));
    random_key key = {s->seed, RANDOM_GENERAL};
    for (size_t i = 0; i < n; i++) {
        double pair[4];
        random_normal2(key, i, 0, pair);
        random_normal2(key, i, 1, pair + 2);
        for (int k = 0; k < s->dimension; k++) g->now.velocity[i][k] = pair[k] / sqrt(wanted->mass[i]);
    }
    return CAROM_OK;
}

static void finish(growth *g)
{
    memory_free(g->scene.pair_law);
    memory_free(g->scene.surface_law);
    memory_free(g->now.diameter);
    memory_free(g->now.velocity);
}

/* Growing spheres increase the kinetic energy: velocities are rescaled to unit temperature. */
static void copy_state(growth *g, const carom_frame *f)
{
    int d = f->dimension;
    double kinetic = frame_energy_of(f).kinetic;
    double scale = kinetic > 0 ? sqrt(0.5 * d * (double)f->count / kinetic) : 1;
    for (size_t i = 0; i < f->count; i++)
        for (int k = 0; k < d; k++) {
            g->now.position[i][k] = f->position[i * (size_t)d + (size_t)k];
            g->now.velocity[i][k] = f->velocity[i * (size_t)d + (size_t)k] * scale;
        }
}

static double mean_diameter(const growth *g)
{
    double sum = 0;
    for (size_t i = 0; i < g->now.count; i++) sum += g->now.diameter[i];
    return sum / (double)g->now.count;
}

/* Elementary operations between two reports: some hundredths of a second. */
enum { GROWTH_SLICE = 65536 };

/* Reports the present factor. CAROM_EARLY if the caller wants to stop. */
static carom_status report(const growth *g, double factor, error *e)
{
    if (g->watch == NULL || g->watch(factor, g->user)) return CAROM_OK;
    return error_set(e, CAROM_EARLY, "error: stopped while compressing; there is nothing yet to resume from");
}

/* Runs to the limits, and reports after each slice: a round of a million spheres takes a minute. */
static carom_status advance_round(const growth *g, void *gas, const engine_limits *limits, double rate,
                                  carom_stop *stop, error *e)
{
    *stop = CAROM_STOP_NONE;
    for (;;) {
        TRY(g->kernel->run.advance(gas, limits, stop, e));
        if (*stop != CAROM_STOP_NONE) return CAROM_OK;
        TRY(report(g, g->factor * (1 + rate * g->kernel->run.time(gas)), e));
    }
}

/* Some collisions of growing spheres. */
static carom_status grow_round(growth *g, const initial_state *wanted, carom_frame *frame, error *e)
{
    void *gas = NULL;
    carom_stop stop = CAROM_STOP_NONE;
    for (size_t i = 0; i < wanted->count; i++) g->now.diameter[i] = wanted->diameter[i] * g->factor;
    double rate = wanted->compress_rate / mean_diameter(g), until = (1 / g->factor - 1) / rate;
    engine_limits limits = {until,        UINT64_MAX, COLLISIONS_PER_ROUND * (uint64_t)wanted->count / 2 + 1,
                            GROWTH_SLICE, 0,          0};
    carom_status status = g->kernel->run.create(&gas, &g->scene, &g->now, 0, NULL, e);
    if (status == CAROM_OK) status = g->kernel->grow(gas, rate, 1 / g->factor, e);
    if (status == CAROM_OK) status = advance_round(g, gas, &limits, rate, &stop, e);
    if (status == CAROM_OK) {
        bool all = stop == CAROM_STOP_TIME || stop == CAROM_STOP_NO_EVENTS;
        double time = all ? until : g->kernel->run.time(gas);
        engine_fill_frame(&g->kernel->run, gas, time, FRAME_POSITION | FRAME_VELOCITY | FRAME_MASS, frame);
        copy_state(g, frame);
        g->factor = all ? 1 : g->factor * (1 + rate * time);
    }
    g->kernel->run.destroy(gas);
    return status;
}

static carom_status jammed(const growth *g, const initial_state *wanted, int dimension, error *e)
{
    return scene_refuse(scene_at_compression(&g->scene), e,
                        "the compression jams at packing fraction %.5f, below %.5f" HINT "give a lower one, or "
                        "compress more slowly: place: {compress: {rate: %g}}",
                        wanted->compress_to * pow(g->factor, dimension), wanted->compress_to,
                        GROWTH_SLOWER * wanted->compress_rate);
}

static carom_status grow_all(growth *g, const initial_state *wanted, carom_frame *frame, error *e)
{
    while (g->factor < 1) {
        double before = g->factor;
        TRY(grow_round(g, wanted, frame, e));
        if (g->factor < 1 && g->factor / before - 1 < JAMMED_GROWTH) return jammed(g, wanted, frame->dimension, e);
        TRY(report(g, g->factor, e));
    }
    return CAROM_OK;
}

carom_status hard_compress(initial_state *state, const scene *s, compress_watch *watch, void *user, error *e)
{
    growth g = {.watch = watch, .user = user};
    carom_frame frame = {0};
    carom_status status = begin(&g, state, s, e);
    if (status == CAROM_OK) status = frame_create(&frame, s->dimension, state->count, e);
    if (status == CAROM_OK) status = grow_all(&g, state, &frame, e);
    frame_destroy(&frame);
    finish(&g);
    return status;
}
