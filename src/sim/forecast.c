#include "sim/forecast.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "geometry/ball.h"
#include "scene/state/region.h"
#include "scene/tuples.h"
#include "sim/sim.h"

typedef struct forecaster {
    const scene *s;
    const initial_state *state;
    void (*say)(const char *line, void *user);
    void *user;
} forecaster;

__attribute__((format(printf, 2, 3))) static void say(const forecaster *f, const char *format, ...)
{
    char line[400];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    f->say(line, f->user);
}

/* ---- inflows ----------------------------------------------------------------------------------------------------- */

/* The particles or clumps of an entry that enter: from particle `first` on, `size` for each of them. */
typedef struct stream {
    size_t entry, first, size;
    const scene_particles *of;
    double end;    /* of the inflow or of the run; infinite: none */
    double trials; /* number of times at which one may enter; infinite likewise */
} stream;

static stream stream_of(const forecaster *f, size_t entry, size_t first)
{
    const scene_particles *p = &f->s->particles[entry];
    stream in = {entry, first, scene_item_size(f->s, entry), p, fmin(p->inflow_end, f->s->until.time), INFINITY};
    if (isfinite(in.end)) in.trials = fmax(floor((in.end - p->inflow_start) * p->inflow_rate * (1 + 1e-12)) + 1, 0);
    return in;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The area that a region shows to an observer along v, times |v|: a flow of that velocity empties as much per time. */
static double emptied(const scene_region *region, int dimension, const double v[3])
{
    double flux = 0, axis[3];
    const double square = dot(v, v);
    if (region->kind == REGION_BALL)
        return sqrt(square) * (dimension == 3 ? ball_volume(2, 2 * region->radius) : 2 * region->radius);
    if (region->kind == REGION_CYLINDER) {
        const double length = region_axis(region, axis), along = dot(v, axis);
        return fabs(along) * ball_volume(2, 2 * region->radius) +
               2 * region->radius * length * sqrt(fmax(square - along * along, 0));
    }
    for (int k = 0; k < dimension; k++) {
        double area = fabs(v[k]);
        for (int j = 0; j < dimension; j++) area *= j == k ? 1 : region->to[j] - region->from[j];
        flux += area;
    }
    return flux;
}

/* The extent of a region along a unit vector. */
static double extent(const scene_region *region, int dimension, const double n[3])
{
    double axis[3], length = 0;
    if (region->kind == REGION_BALL) return 2 * region->radius;
    if (region->kind == REGION_CYLINDER) {
        length = region_axis(region, axis);
        const double along = fabs(dot(n, axis));
        return along * length + 2 * region->radius * sqrt(fmax(1 - along * along, 0));
    }
    for (int k = 0; k < dimension; k++) length += fabs(n[k]) * (region->to[k] - region->from[k]);
    return length;
}

/* The largest volume that leaves the region per time: bodies fall by no more than its extent before they have left, and the
 * flux of a sum of velocities is at most the sum of their fluxes. */
static double volume_rate(const forecaster *f, const stream *in, const double v[3])
{
    const scene_region *region = &in->of->region;
    const double *g = f->s->gravity, size = sqrt(dot(g, g));
    double rate = emptied(region, f->s->dimension, v);
    if (!(size > 0)) return rate;
    const double down[3] = {g[0] / size, g[1] / size, g[2] / size}, along = dot(v, down);
    const double high = extent(region, f->s->dimension, down);
    const double time = (sqrt(along * along + 2 * size * high) - along) / size;
    return rate + time * emptied(region, f->s->dimension, g);
}

/* Only velocities that are given have a direction. */
static bool fastest(const forecaster *f, const stream *in, double *rate)
{
    static const double rest[3] = {0};
    const scene_particles *p = in->of;
    *rate = 0;
    if (p->velocity == VELOCITY_ZERO) *rate = volume_rate(f, in, rest);
    for (size_t k = 0; p->velocity == VELOCITY_EACH && k < p->each_count; k++)
        *rate = fmax(*rate, volume_rate(f, in, p->each[k]));
    return p->velocity == VELOCITY_ZERO || p->velocity == VELOCITY_EACH;
}

/* The clump that begins with a particle; NULL: it is single. */
static const state_body *clump_of(const forecaster *f, size_t particle)
{
    for (size_t k = f->s->body_count; k < f->state->body_count; k++)
        if (f->state->bodies[k].particles[0] == particle) return &f->state->bodies[k];
    return NULL;
}

/* The mean over those that enter. Clumps of an entry are equal. */
static double mean_volume(const forecaster *f, const stream *in)
{
    const state_body *clump = clump_of(f, in->first);
    double volume = 0;
    if (clump != NULL) return clump->volume;
    for (size_t i = in->first; i < in->first + in->of->count; i++)
        volume += ball_volume(f->s->dimension, f->state->diameter[i]);
    return volume / (double)in->of->count;
}

static void foresee_space(const forecaster *f, const stream *in)
{
    const scene_particles *p = in->of;
    const double wanted = fmin((double)p->count, in->trials), time = (wanted - 1) / p->inflow_rate;
    double rate;
    if (p->count == 0 || !fastest(f, in, &rate)) return;
    const double volume = mean_volume(f, in);
    const double room = region_volume(&p->region, f->s->dimension) / volume;
    if (wanted <= room + rate / volume * time) return;
    if (rate > 0)
        say(f,
            "particles.%zu: the inflow cannot have its rate, %.6g: from its region, even if it is completely filled, "
            "%.3g "
            "particles move away per time, with the velocity at which they enter%s",
            in->entry, p->inflow_rate, rate / volume, scene_has_gravity(f->s) ? " and gravity" : "");
    else
        say(f,
            "particles.%zu: %.6g particles are to enter, but nothing moves them away from the region of the inflow, "
            "which has the volume of %.3g",
            in->entry, wanted, room);
}

static void foresee_count(const forecaster *f, const stream *in)
{
    const scene_particles *p = in->of;
    if (in->trials < 1)
        say(f, "particles.%zu: no particle enters: the `start` of the inflow is at time %.9g, and the run ends at %.9g",
            in->entry, p->inflow_start, in->end);
    else if ((double)p->count > in->trials)
        say(f,
            "particles.%zu: at most %.0f of the %llu particles enter: one in a time of 1/%.6g, from time %.9g to the "
            "end of the %s at %.9g",
            in->entry, in->trials, (unsigned long long)p->count, p->inflow_rate, p->inflow_start,
            p->inflow_end <= f->s->until.time ? "inflow" : "run", in->end);
}

/* ---- outflows ---------------------------------------------------------------------------------------------------- */

/* Whether both act at one time. */
static bool coincide(const forecaster *f, const stream *in, const scene_outflow *o)
{
    const double enters = in->of->inflow_start + (double)(in->of->count - 1) / in->of->inflow_rate;
    return o->start <= fmin(enters + o->every, in->end) && o->end >= in->of->inflow_start &&
           o->start <= f->s->until.time;
}

/* Of 4096 places of the first one that enters: the number inside of the region, and of those at which it would leave. */
typedef struct trial_places {
    unsigned inside, lost;
} trial_places;

static trial_places try_places(const forecaster *f, const stream *in, const flows_item *item, const scene_outflow *o)
{
    enum { DRAWS = 4096 };
    trial_places all = {0};
    for (uint64_t n = 0; n < DRAWS; n++) {
        double r[3] = {0};
        if (!flows_place(f->s, f->state->size, in->entry, in->first, item, n, r)) continue;
        all.inside++;
        all.lost += flows_leaves(f->s, f->state->size, o, r);
    }
    return all;
}

static void foresee_loss(const forecaster *f, const stream *in, const scene_outflow *o)
{
    const state_body *clump = clump_of(f, in->first);
    trial_places all = {0};
    if (in->trials < 1 || !coincide(f, in, o)) return;
    double(*arm)[3] = memory_new(in->size, sizeof *arm), *radius = NEW_ARRAY(in->size, double);
    for (size_t n = 0; arm != NULL && radius != NULL && n < in->size; n++) {
        radius[n] = 0.5 * f->state->diameter[in->first + n];
        if (clump != NULL) flows_arm(f->s, f->state, clump, n, arm[n]);
    }
    const flows_item item = {in->size, (const double(*)[3])arm, radius};
    if (arm != NULL && radius != NULL) all = try_places(f, in, &item, o);
    memory_free(arm);
    memory_free(radius);
    if (all.lost > 0)
        say(f,
            "outflow '%s': it removes particles where those of particles.%zu enter: at %.3g %% of the places of that "
            "inflow",
            o->name, in->entry, 100.0 * all.lost / all.inside);
}

/* Checks are at multiples of `every`. */
static void foresee_checks(const forecaster *f, const scene_outflow *o)
{
    const double first = fmax(1, ceil(o->start / o->every)) * o->every, end = f->s->until.time;
    if (fmax(o->start, first) > end)
        say(f, "outflow '%s': no particle leaves: %s is at time %.9g, and the run ends at %.9g", o->name,
            o->start > end ? "its `start`" : "its first check", o->start > end ? o->start : first, end);
}

static void foresee_flows(const forecaster *f)
{
    size_t at = 0;
    for (size_t k = 0; k < f->s->particles_count; k++) {
        if (f->s->particles[k].place != PLACE_INFLOW || f->s->particles[k].count == 0) continue;
        while (!f->state->absent[at]) at++;
        const stream in = stream_of(f, k, at);
        foresee_count(f, &in);
        if (in.trials >= 1) foresee_space(f, &in);
        for (size_t n = 0; n < f->s->outflow_count; n++) foresee_loss(f, &in, &f->s->outflows[n]);
        at += in.size * f->s->particles[k].count;
    }
    for (size_t n = 0; n < f->s->outflow_count; n++) foresee_checks(f, &f->s->outflows[n]);
}

/* ---- moments after the end --------------------------------------------------------------------------------------- */

/* The earliest time at which a condition can hold. */
static double earliest(const scene_condition *when)
{
    return fmax(when->every, when->lasting);
}

static void foresee_rest(const forecaster *f)
{
    const scene_condition *rest = &f->s->until.rest;
    if (rest->every > 0 && earliest(rest) > f->s->until.time)
        say(f, "run.until.rest: it cannot hold before time %.9g, and the run ends at %.9g", earliest(rest),
            f->s->until.time);
}

static void foresee_moment(const forecaster *f, size_t k, const scene_moment *m, const char *verb)
{
    const double time = m->waits ? earliest(&m->when) : m->time;
    if (m->given && time > f->s->until.time)
        say(f, "mesh '%s' does not %s: %s is %.9g, and the run ends at %.9g", f->s->meshes[k].name, verb,
            m->waits ? "the earliest time of its condition" : "its time", time, f->s->until.time);
}

static bool moves(const scene_motion *m)
{
    return dot(m->velocity, m->velocity) > 0 || m->rate != 0 || m->frequency != 0;
}

/* A motion that would end after the run is as the user may want it; one that would begin then is not. */
static void foresee_drive(const forecaster *f, const scene_drive *d)
{
    const double end = f->s->until.time;
    if (d->start.given && earliest(&d->start.when) > end) {
        say(f, "drive '%s' does not start: its condition cannot hold before time %.9g, and the run ends at %.9g",
            d->name, earliest(&d->start.when), end);
        return;
    }
    for (size_t k = 0; k < d->motion_count; k++) {
        if (!(d->motion[k].time > end) || !moves(&d->motion[k])) continue;
        say(f, "drive '%s': item %zu of its motion begins at time %.9g%s, and the run ends at %.9g", d->name, k,
            d->motion[k].time, d->start.given ? " after its start" : "", end);
        return;
    }
}

/* ---- clumps ------------------------------------------------------------------------------------------------------ */

static bool lies_within(const scene_clump_sphere *a, const scene_clump_sphere *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++) square += (a->at[k] - b->at[k]) * (a->at[k] - b->at[k]);
    return sqrt(square) + 0.5 * a->diameter <= 0.5 * b->diameter;
}

/* The reader refuses two equal spheres. */
static void foresee_spheres(const forecaster *f, const scene_clump *c)
{
    for (size_t i = 0; i < c->sphere_count; i++)
        for (size_t j = 0; j < c->sphere_count; j++) {
            if (j == i || !lies_within(&c->spheres[i], &c->spheres[j])) continue;
            say(f,
                "clump '%s': sphere %zu lies within sphere %zu and touches nothing before it: the body is the same "
                "without "
                "it, and costs less",
                c->name, i, j);
            break;
        }
}

/* ---- springs and hinges ------------------------------------------------------------------------------------------ */

/* Entries of one list; the particles of entry k and their number. */
typedef struct links {
    const char *lists;
    size_t entries, width;
    const char *(*name)(const scene *s, size_t k);
    const uint32_t *(*numbers)(const scene *s, size_t k, size_t *count);
} links;

static const char *spring_name(const scene *s, size_t k)
{
    return s->springs[k].name;
}

static const uint32_t *spring_numbers(const scene *s, size_t k, size_t *count)
{
    *count = s->springs[k].count;
    return s->springs[k].pairs[0];
}

static const char *hinge_name(const scene *s, size_t k)
{
    return s->hinges[k].name;
}

static const uint32_t *hinge_numbers(const scene *s, size_t k, size_t *count)
{
    *count = s->hinges[k].count;
    return s->hinges[k].triples[0];
}

/* Two springs of a pair can be intended, as one that is under tension from the start. */
static void foresee_links(const forecaster *f, const links *of)
{
    size_t total = 0, count, found = 0, first = 0;
    for (size_t k = 0; k < of->entries; k++, total += count) (void)of->numbers(f->s, k, &count);
    tuple *all = of->entries > 1 ? NEW_ARRAY(total, tuple) : NULL;
    if (all == NULL) return;
    total = 0;
    for (size_t k = 0; k < of->entries; k++) {
        const uint32_t *numbers = of->numbers(f->s, k, &count);
        for (size_t i = 0; i < count; i++) all[total++] = tuple_of(&numbers[i * of->width], of->width, k);
    }
    tuples_sort(all, total);
    for (size_t i = 1; i < total; i++)
        if (tuples_equal(&all[i - 1], &all[i]) && found++ == 0) first = i;
    char middle[16] = "";
    const uint32_t *at = all[first].at;
    if (of->width == 3) snprintf(middle, sizeof middle, ", %lu", (unsigned long)at[1]);
    if (found > 0)
        say(f, "%s '%s' and '%s' both connect particles %lu%s and %lu%s: their forces add", of->lists,
            of->name(f->s, all[first - 1].place), of->name(f->s, all[first].place), (unsigned long)at[0], middle,
            (unsigned long)at[of->width - 1], found > 1 ? ", and others" : "");
    memory_free(all);
}

void forecast(const scene *s, const initial_state *state, void (*to)(const char *line, void *user), void *user)
{
    const forecaster f = {s, state, to, user};
    foresee_flows(&f);
    for (size_t k = 0; k < s->mesh_count; k++) {
        foresee_moment(&f, k, &s->meshes[k].appear, "appear");
        foresee_moment(&f, k, &s->meshes[k].vanish, "vanish");
    }
    for (size_t k = 0; k < s->drive_count; k++) foresee_drive(&f, &s->drives[k]);
    foresee_rest(&f);
    foresee_links(&f, &(links){"springs", s->springs_count, 2, spring_name, spring_numbers});
    foresee_links(&f, &(links){"hinges", s->hinges_count, 3, hinge_name, hinge_numbers});
    for (size_t k = 0; k < s->clump_count; k++) foresee_spheres(&f, &s->clumps[k]);
    if (engine_of(s)->foresee != NULL) engine_of(s)->foresee(s, state, to, user);
}
