/* Particles that enter and leave during the run (`place: {inflow: ...}`, `outflow`): when, where, and how many. Clumps enter and
 * leave as a whole: by their centre of mass, and counted as one. */
#include "sim/sim.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/random.h"
#include "measure/bodies.h"
#include "scene/state/region.h"
#include "scene/where.h"

#include <math.h>
#include <string.h>

enum { TRIES = 64 }; /* places that a particle tries at one time */

/* An entry of `particles` that enters: its next particle or clump tries at start + due / rate. */
typedef struct inflow {
    size_t entry;       /* of `particles`: a change may replace the scene */
    uint64_t next, end; /* numbers of the next particle, and after the last one */
    uint64_t size;      /* 1; of clumps the number of spheres */
    uint64_t due;
    uint64_t waits; /* times at which the region had no free place */
} inflow;

typedef struct outflow {
    size_t entry; /* of `outflow` */
    rhythm when;
} outflow;

typedef struct flows flows;

struct flows {
    inflow *in;
    outflow *out;
    size_t in_count, out_count;
    uint32_t *going; /* [particles] that leave at this time */
    bool *held;      /* [particles] driven, or linked to others: they stay, with their clumps */
    frame_flow total;
    uint32_t *size;   /* [particles] of the first sphere of a clump the number of spheres; otherwise 1 */
    double (*arm)[3]; /* [particles] at the start: from the centre of mass of its clump; otherwise 0 */
};

/* ---- creation ---------------------------------------------------------------------------------------------------- */

/* Absent particles are in the order of their entries. */
static void find_gates(flows *f, const scene *s, const initial_state *state)
{
    uint64_t at = 0;
    for (size_t k = 0; k < s->particles_count; k++) {
        const scene_particles *p = &s->particles[k];
        if (p->place != PLACE_INFLOW) continue;
        const uint64_t size = scene_item_size(s, k), all = p->count * size;
        while (at < state->count && !state->absent[at]) at++;
        f->in[f->in_count++] = (inflow){.entry = k, .next = at, .end = at + all, .size = size};
        at += all;
    }
    for (size_t k = 0; k < s->outflow_count; k++) {
        const scene_outflow *o = &s->outflows[k];
        f->out[f->out_count++] = (outflow){k, {.every = o->every, .start = o->start}};
    }
}

static void hold(flows *f, size_t particles, size_t count, const uint32_t *list)
{
    for (size_t n = 0; n < count; n++)
        if (list[n] < particles) f->held[list[n]] = true;
}

/* Without images: spheres may be beyond periodic faces. */
static void find_clumps(flows *f, const scene *s, const initial_state *state)
{
    for (size_t i = 0; i < state_particles(state); i++) f->size[i] = 1;
    for (size_t k = s->body_count; k < state->body_count; k++) {
        const state_body *body = &state->bodies[k];
        f->size[body->particles[0]] = (uint32_t)body->count;
        for (size_t n = 0; n < body->count; n++) flows_arm(s, state, body, n, f->arm[body->particles[n]]);
    }
}

static void find_held(flows *f, const scene *s, const initial_state *state)
{
    const size_t n = state_particles(state);
    for (size_t k = 0; k < state->drive_count; k++) hold(f, n, state->drives[k].count, state->drives[k].particles);
    for (size_t k = 0; k < s->body_count; k++) hold(f, n, state->bodies[k].count, state->bodies[k].particles);
    for (size_t k = 0; k < s->springs_count; k++) hold(f, n, 2 * s->springs[k].count, s->springs[k].pairs[0]);
    for (size_t k = 0; k < s->hinges_count; k++) hold(f, n, 3 * s->hinges[k].count, s->hinges[k].triples[0]);
    for (size_t k = 0; k < s->rods_count; k++) hold(f, n, s->rods[k].count, s->rods[k].particles);
    for (size_t k = 0; k < s->segments_count; k++) hold(f, n, 2 * s->segments[k].count, s->segments[k].pairs[0]);
    for (size_t i = 0; i < n; i += f->size[i])
        for (size_t m = 1; m < f->size[i]; m++) f->held[i] = f->held[i] || f->held[i + m];
}

carom_status flows_create(carom_sim *sim)
{
    const scene *s = sim->scene;
    const size_t n = state_particles(&sim->state);
    if (!scene_flows(s)) return CAROM_OK;
    flows *f = sim->flows = NEW_ARRAY(1, flows);
    if (f == NULL) return error_memory(&sim->message, "inflow and outflow", sizeof *f);
    f->in = NEW_ARRAY(s->particles_count, inflow);
    f->out = NEW_ARRAY(s->outflow_count, outflow);
    f->going = NEW_ARRAY(n, uint32_t);
    f->held = NEW_ARRAY(n, bool);
    f->size = NEW_ARRAY(n, uint32_t);
    f->arm = memory_new(n, sizeof *f->arm);
    if (f->in == NULL || f->out == NULL || f->going == NULL || f->held == NULL || f->size == NULL || f->arm == NULL)
        return error_memory(&sim->message, "inflow and outflow", n * (sizeof *f->going + sizeof *f->arm));
    f->total.given = true;
    find_gates(f, s, &sim->state);
    find_clumps(f, s, &sim->state);
    find_held(f, s, &sim->state);
    return CAROM_OK;
}

void flows_destroy(carom_sim *sim)
{
    flows *f = sim->flows;
    if (f == NULL) return;
    memory_free(f->in);
    memory_free(f->out);
    memory_free(f->going);
    memory_free(f->held);
    memory_free(f->size);
    memory_free(f->arm);
    memory_free(f);
    sim->flows = NULL;
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

static double inflow_time(const carom_sim *sim, const inflow *g)
{
    const scene_particles *p = &sim->scene->particles[g->entry];
    const double time = p->inflow_start + (double)g->due / p->inflow_rate;
    return g->next < g->end && time <= p->inflow_end ? time : INFINITY;
}

static double outflow_time(const carom_sim *sim, const outflow *g)
{
    const double time = rhythm_time(&g->when);
    return time <= sim->scene->outflows[g->entry].end ? time : INFINITY;
}

double flows_time(const carom_sim *sim)
{
    const flows *f = sim->flows;
    double time = INFINITY;
    for (size_t k = 0; f != NULL && k < f->in_count; k++) time = fmin(time, inflow_time(sim, &f->in[k]));
    for (size_t k = 0; f != NULL && k < f->out_count; k++) time = fmin(time, outflow_time(sim, &f->out[k]));
    return time;
}

bool flows_go_on(const carom_sim *sim)
{
    const flows *f = sim->flows;
    bool more = false;
    for (size_t k = 0; f != NULL && k < f->in_count; k++) more = more || isfinite(inflow_time(sim, &f->in[k]));
    return more || (isfinite(sim->until.time) && isfinite(flows_time(sim)));
}

/* Exchange more often than contacts act would only take time: without a limit, a run might not end. */
carom_status flows_check(carom_sim *sim)
{
    const scene *s = sim->scene;
    const double step = sim->frame.tallies.step;
    for (size_t k = 0; k < s->particles_count; k++)
        if (s->particles[k].place == PLACE_INFLOW && s->particles[k].inflow_rate * step > 1)
            return scene_refuse(
                scene_at(s, "particles.%zu.place", k), &sim->message,
                "a rate of %.6g is more than one particle per time step of the contacts, %.6g: choose at most %.6g",
                s->particles[k].inflow_rate, step, 1 / step);
    for (size_t k = 0; k < s->outflow_count; k++)
        if (s->outflows[k].every < step)
            return scene_refuse(
                scene_at(s, "outflow.%zu.every", k), &sim->message,
                "an interval of %.6g is less than the time step of the contacts, %.6g: choose at least that",
                s->outflows[k].every, step);
    return CAROM_OK;
}

/* ---- leaving ----------------------------------------------------------------------------------------------------- */

bool flows_leaves(const scene *s, const double box[3], const scene_outflow *o, const double position[3])
{
    const int axis = o->side / 2;
    if (o->region.kind != REGION_ALL) return region_holds_image(&o->region, s, box, position, 0);
    return o->side % 2 == 0 ? position[axis] < 0 : position[axis] > box[axis];
}

/* The centre of a particle, or that of the mass of the clump that it begins, which is solid `clump` of the frame. */
static bool leaves(const carom_sim *sim, const scene_outflow *o, size_t i, const frame_solid *clump)
{
    const carom_frame *f = &sim->frame;
    const size_t d = (size_t)f->dimension;
    double r[3] = {0};
    memcpy(r, f->position + i * d, d * sizeof *r);
    if (clump != NULL) bodies_centre(f, clump, r);
    for (size_t k = 0; clump != NULL && k < d; k++)
        if (f->boundary[k] == FRAME_PERIODIC) r[k] = region_wrap(r[k], f->box[k]);
    return flows_leaves(sim->scene, f->box, o, r);
}

/* Of particles, which come first, solids are clumps, in the order of their spheres. */
static size_t find_going(const carom_sim *sim, const scene_outflow *o)
{
    flows *f = sim->flows;
    const carom_frame *now = &sim->frame;
    size_t count = 0, solid = 0;
    for (size_t i = 0; i < frame_particles(now); i += f->size[i]) {
        const bool is_clump = solid < now->solids && now->solid[solid].first == i;
        const frame_solid *clump = is_clump ? &now->solid[solid++] : NULL;
        if (frame_is_absent(now, i) || f->held[i] || !leaves(sim, o, i, clump)) continue;
        f->total.left++;
        for (size_t m = i; m < i + f->size[i]; m++) {
            f->going[count++] = (uint32_t)m;
            f->total.mass_left += now->mass[m];
        }
    }
    return count;
}

static carom_status let_out(carom_sim *sim, const outflow *g)
{
    flows *f = sim->flows;
    look(sim, sim->time);
    frame_need(&sim->frame, FRAME_POSITION | FRAME_MASS | FRAME_PRESENT);
    const size_t count = find_going(sim, &sim->scene->outflows[g->entry]);
    if (count == 0) return CAROM_OK;
    TRY(observers_renew(sim, count, f->going));
    frames_leave_state(sim, FRAME_FIXED);
    return sim->kernel->leave(sim->gas, sim->time, count, f->going, &f->total.energy_left, &sim->message);
}

/* ---- entering ---------------------------------------------------------------------------------------------------- */

void flows_arm(const scene *s, const initial_state *state, const state_body *clump, size_t n, double arm[3])
{
    for (int k = 0; k < 3; k++) {
        arm[k] = k < s->dimension ? state->position[clump->particles[n]][k] - clump->centre[k] : 0;
        if (k < s->dimension && s->box.boundary[k] == BOUNDARY_PERIODIC)
            arm[k] -= nearest_periods(arm[k], state->size[k]);
    }
}

/* The coordinates k of centres with which all spheres are in the region and between the walls. */
static void range_of(const scene *s, const double box[3], const scene_region *region, const flows_item *item, int k,
                     double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t n = 0; n < item->count; n++) {
        double from, to;
        (void)region_range(region, k, item->radius[n], &from, &to);
        if (s->box.boundary[k] == BOUNDARY_WALL) {
            from = fmax(from, item->radius[n]);
            to = fmin(to, box[k] - item->radius[n]);
        }
        *low = fmax(*low, from - item->arm[n][k]);
        *high = fmin(*high, to - item->arm[n][k]);
    }
    if (s->box.boundary[k] == BOUNDARY_PERIODIC) region_limit_range(box[k], low, high);
}

bool flows_place(const scene *s, const double box[3], size_t entry, uint64_t particle, const flows_item *item,
                 uint64_t draw, double r[3])
{
    const random_key key = {s->seed, RANDOM_INFLOW};
    const scene_region *region = &s->particles[entry].region;
    double u[4];
    bool inside = true;
    random_uniform2(key, particle, 2 * draw, u);
    random_uniform2(key, particle, 2 * draw + 1, u + 2);
    for (int k = 0; k < s->dimension; k++) {
        double low, high;
        range_of(s, box, region, item, k, &low, &high);
        r[k] = low + u[k] * fmax(high - low, 0);
        if (s->box.boundary[k] == BOUNDARY_PERIODIC) r[k] = region_wrap(r[k], box[k]);
    }
    for (size_t n = 0; n < item->count && inside; n++) {
        double at[3] = {r[0], r[1], r[2]};
        for (int k = 0; k < s->dimension; k++) {
            at[k] += item->arm[n][k];
            if (s->box.boundary[k] == BOUNDARY_PERIODIC) at[k] = region_wrap(at[k], box[k]);
        }
        inside = region_holds_image(region, s, box, at, item->radius[n]);
    }
    return inside;
}

/* Its next particle or clump tries to enter. */
static carom_status let_in(carom_sim *sim, inflow *g)
{
    flows *f = sim->flows;
    bool entered = false;
    double mass = 0;
    frame_need(&sim->frame, FRAME_RADIUS | FRAME_MASS);
    const flows_item item = {g->size, (const double(*)[3])f->arm + g->next, sim->frame.radius + g->next};
    for (uint64_t n = 0; n < g->size; n++) {
        mass += sim->frame.mass[g->next + n];
        f->going[n] = (uint32_t)(g->next + n);
    }
    frames_leave_state(sim, FRAME_FIXED);
    for (uint64_t n = 0; n < TRIES && !entered; n++) {
        double r[3] = {0};
        if (!flows_place(sim->scene, sim->frame.box, g->entry, g->next, &item, g->due * TRIES + n, r)) continue;
        TRY(sim->kernel->enter(sim->gas, sim->time, (uint32_t)g->next, r, &entered, &f->total.energy_entered,
                               &sim->message));
    }
    g->due++;
    g->waits += !entered;
    if (!entered) return CAROM_OK;
    TRY(observers_renew(sim, g->size, f->going));
    g->next += g->size;
    f->total.entered++;
    f->total.mass_entered += mass;
    return CAROM_OK;
}

carom_status flows_pass(carom_sim *sim)
{
    flows *f = sim->flows;
    if (f == NULL || flows_time(sim) > sim->time) return CAROM_OK;
    for (size_t k = 0; k < f->out_count; k++) {
        outflow *g = &f->out[k];
        if (outflow_time(sim, g) > sim->time) continue;
        TRY(let_out(sim, g));
        rhythm_pass(&g->when, sim->time, sim->kernel->events(sim->gas));
    }
    for (size_t k = 0; k < f->in_count; k++)
        while (inflow_time(sim, &f->in[k]) <= sim->time) {
            look(sim, sim->time);
            TRY(let_in(sim, &f->in[k]));
        }
    look(sim, sim->time);
    return CAROM_OK;
}

const frame_flow *flows_total(const carom_sim *sim)
{
    return sim->flows != NULL ? &sim->flows->total : NULL;
}

void flows_warn_of_waits(const carom_sim *sim)
{
    const flows *f = sim->flows;
    for (size_t k = 0; f != NULL && k < f->in_count; k++) {
        const inflow *g = &f->in[k];
        const scene_particles *p = &sim->scene->particles[g->entry];
        const uint64_t entered = p->count - (g->end - g->next) / g->size;
        if (g->waits > 0)
            warn(sim,
                 "particles.%zu: the region of the inflow had no free place at %llu of %llu times: %llu particles "
                 "entered, and the mean rate was %.3g, not %.3g",
                 g->entry, (unsigned long long)g->waits, (unsigned long long)g->due, (unsigned long long)entered,
                 (double)entered / (double)g->due * p->inflow_rate, p->inflow_rate);
    }
}

/* forecast.c warns of starts after the end that the scene gives. */
void flows_warn_of_starts(const carom_sim *sim)
{
    const flows *f = sim->flows;
    for (size_t k = 0; f != NULL && k < f->in_count; k++) {
        const scene_particles *p = &sim->scene->particles[f->in[k].entry];
        if (p->inflow_start > sim->time && p->inflow_start <= sim->scene->until.time)
            warn(sim,
                 "particles.%zu: no particle has entered: the `start` of the inflow is at time %.9g, and the run ended "
                 "at %.9g",
                 f->in[k].entry, p->inflow_start, sim->time);
    }
    for (size_t k = 0; f != NULL && k < f->out_count; k++) {
        const scene_outflow *o = &sim->scene->outflows[f->out[k].entry];
        if (o->start > sim->time && o->start <= sim->scene->until.time)
            warn(sim, "outflow '%s': no particle has left: its `start` is at time %.9g, and the run ended at %.9g",
                 o->name, o->start, sim->time);
    }
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Of an inflow: next, due, waits; of an outflow: number of checks. */
enum { SAVED_IN = 3 };

carom_status flows_save(const carom_sim *sim, snapshot *out, error *e)
{
    const flows *f = sim->flows;
    if (f == NULL) return CAROM_OK;
    const size_t count = SAVED_IN * f->in_count + f->out_count;
    uint64_t *numbers = NEW_ARRAY(count, uint64_t), *to = numbers;
    if (numbers == NULL) return error_memory(e, "a checkpoint", count * sizeof *numbers);
    for (size_t k = 0; k < f->in_count; k++) {
        *to++ = f->in[k].next;
        *to++ = f->in[k].due;
        *to++ = f->in[k].waits;
    }
    for (size_t k = 0; k < f->out_count; k++) *to++ = f->out[k].when.done;
    carom_status status = snapshot_put(out, "flows/gates", SNAPSHOT_U64, count, numbers, e);
    memory_free(numbers);
    frame_flow total;
    memset(&total, 0, sizeof total); /* with its padding */
    total.given = true;
    total.entered = f->total.entered;
    total.left = f->total.left;
    total.mass_entered = f->total.mass_entered;
    total.mass_left = f->total.mass_left;
    total.energy_entered = f->total.energy_entered;
    total.energy_left = f->total.energy_left;
    if (status == CAROM_OK) status = snapshot_put(out, "flows/total", SNAPSHOT_U8, sizeof total, &total, e);
    return status;
}

static bool is_sound(const flows *f, const uint64_t *from, const frame_flow *total)
{
    const double numbers[] = {total->mass_entered, total->mass_left, total->energy_entered, total->energy_left};
    bool sound = true;
    for (size_t k = 0; k < f->in_count; k++, from += SAVED_IN)
        sound = sound && from[0] >= f->in[k].next && from[0] <= f->in[k].end &&
                (from[0] - f->in[k].next) % f->in[k].size == 0 && from[1] < UINT64_MAX / TRIES && from[1] >= from[2];
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) sound = sound && isfinite(numbers[k]);
    return sound;
}

carom_status flows_load(carom_sim *sim, const snapshot *in)
{
    flows *f = sim->flows;
    error *e = &sim->message;
    frame_flow total;
    if (f == NULL) return CAROM_OK;
    const size_t count = SAVED_IN * f->in_count + f->out_count;
    uint64_t *numbers = NEW_ARRAY(count, uint64_t), *from = numbers;
    if (numbers == NULL) return error_memory(e, "a checkpoint", count * sizeof *numbers);
    carom_status status = snapshot_get(in, "flows/gates", SNAPSHOT_U64, count, numbers, e);
    if (status == CAROM_OK) status = snapshot_get(in, "flows/total", SNAPSHOT_U8, sizeof total, &total, e);
    if (status == CAROM_OK && !is_sound(f, numbers, &total))
        status = error_set(e, CAROM_BAD_DATA, "error: 'flows' of the saved state contains invalid values");
    for (size_t k = 0; status == CAROM_OK && k < f->in_count; k++) {
        f->in[k].next = *from++;
        f->in[k].due = *from++;
        f->in[k].waits = *from++;
    }
    for (size_t k = 0; status == CAROM_OK && k < f->out_count; k++) f->out[k].when.done = *from++;
    memory_free(numbers);
    if (status == CAROM_OK) {
        f->total = total;
        f->total.given = true;
    }
    return status;
}
