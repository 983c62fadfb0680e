/* Clocks, progress reports and warnings of a run. */
#include "sim/sim.h"

#include <math.h>
#include <stdarg.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double clock_cpu(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

void warn(const carom_sim *sim, const char *format, ...)
{
    char line[1024];
    va_list args;
    if (sim->options.warning == NULL) return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    sim->options.warning(line, sim->options.user);
}

static double fraction_done(const carom_progress *p)
{
    double done = -1;
    if (p->until_time > 0) done = p->time / p->until_time;
    if (p->until_events > 0) done = fmax(done, (double)p->events / (double)p->until_events);
    if (p->until_collisions > 0) done = fmax(done, (double)p->collisions / (double)p->until_collisions);
    return done > 1 ? 1 : done;
}

static const double interval = 0.2; /* between reports [s] */

void report_progress(carom_sim *sim, bool always)
{
    double now = clock_wall();
    if (sim->options.progress == NULL || (!always && now - sim->last_progress < interval)) return;
    const uint64_t *events = sim->kernel->events(sim->gas);
    const run_until *until = &sim->until;
    carom_progress p = {.time = fmax(sim->time, sim->kernel->time(sim->gas)), .phase = "run"};
    p.until_time = isfinite(until->time) ? until->time : 0;
    p.events = events_total(events);
    p.until_events = until->events < UINT64_MAX ? until->events : 0;
    p.collisions = events[EVENT_COLLISION];
    p.merges = events[EVENT_MERGE];
    p.until_collisions = until->collisions < UINT64_MAX ? until->collisions : 0;
    p.fraction = fraction_done(&p);
    p.wall_s = now - sim->began_wall;
    double new_events = (double)(p.events - sim->earlier_events);
    p.events_per_s = p.wall_s > 0 ? new_events / p.wall_s : 0;
    p.left_s = p.fraction > 0 ? p.wall_s * (1 - p.fraction) / p.fraction : -1;
    sim->last_progress = now;
    sim->between = true;
    sim->options.progress(&p, sim->options.user);
    sim->between = false;
}

void report_placement(carom_sim *sim, double fraction)
{
    const double now = clock_wall();
    if (sim->options.progress == NULL || now - fmax(sim->last_progress, sim->began_wall) < interval) return;
    carom_progress p = {.phase = "place", .fraction = fraction, .left_s = -1, .wall_s = now - sim->began_wall};
    sim->last_progress = now;
    sim->options.progress(&p, sim->options.user);
}

void report_compression(carom_sim *sim, double factor)
{
    if (sim->options.progress == NULL) return;
    double volume = pow(factor, sim->scene->dimension);
    carom_progress p = {.phase = "compress", .fraction = volume, .left_s = -1};
    p.packing_fraction = sim->state.compress_to * volume;
    p.wall_s = clock_wall() - sim->began_wall;
    sim->options.progress(&p, sim->options.user);
}
