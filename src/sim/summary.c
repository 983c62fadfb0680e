/* The summary of a run, one JSON object, for scripts, benchmarks and tests. */
#include "sim/json_values.h"
#include "sim/sim.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* A number if the width is 1, else an array. */
static json_t *row(const double *x, size_t width)
{
    return width == 1 ? json_number(x[0]) : json_numbers_of(x, width);
}

static json_t *column(const measure_column *c, size_t rows)
{
    json_t *array = json_array();
    for (size_t k = 0; k < rows; k++) json_array_append_new(array, row(c->data + k * c->width, c->width));
    return array;
}

static void add_value(json_t *to, const measure_value *v)
{
    json_object_set_new(to, "mean", row(v->mean, v->width));
    json_object_set_new(to, "error", row(v->error, v->width));
    json_object_set_new(to, "converged", json_boolean(v->converged));
}

static void add_columns(json_t *to, const measure_table *table)
{
    for (size_t c = 0; c < table->column_count; c++)
        json_object_set_new(to, table->columns[c].name, column(&table->columns[c], table->rows));
}

/* Mean and error of the main value are at the top level, those of others under their names. Complete tables
 * (histograms, distributions) give their columns: at the top level if there is nothing else, otherwise under their
 * names. Series are in the result file only. */
static json_t *observation(observer *o)
{
    measure_result now;
    error ignored = {0};
    json_t *object = json_object();
    carom_status status = o->kind->result(o->self, &now, &ignored);
    error_clear(&ignored);
    if (status != CAROM_OK) return object;
    for (size_t k = 0; k < now.value_count; k++) {
        if (k == 0) {
            json_object_set_new(object, "quantity", json_string(now.values[0].name));
            add_value(object, &now.values[0]);
            continue;
        }
        json_t *other = json_object();
        add_value(other, &now.values[k]);
        if (measure_is_setting(o->kind->settings->name, now.values[k].name))
            json_object_set_new(other, "setting", json_true());
        json_object_set_new(object, now.values[k].name, other);
    }
    for (size_t t = 0; t < now.table_count; t++) {
        const measure_table *table = &now.tables[t];
        if (table->series) continue;
        if (now.value_count == 0 && now.table_count == 1) {
            add_columns(object, table);
            continue;
        }
        json_t *columns = json_object();
        add_columns(columns, table);
        json_object_set_new(object, table->name, columns);
    }
    return object;
}

static json_t *events_object(const carom_sim *sim)
{
    const uint64_t *events = sim->kernel->events(sim->gas);
    json_t *object = json_object();
    for (int k = 0; k < EVENT_KINDS; k++) json_object_set_new(object, event_kind_names[k], json_count(events[k]));
    json_object_set_new(object, "total", json_count(events_total(events)));
    return object;
}

static void put_numbers(json_t *to, const char *key, const frame_channel *c, const carom_frame *f)
{
    const void *numbers = (const char *)f + c->offset;
    const size_t width = channel_width(c, f->dimension);
    json_t *array = width > 1 ? json_array() : NULL;
    for (size_t k = 0; k < width; k++) {
        json_t *value = c->type == SNAPSHOT_U64   ? json_count(((const uint64_t *)numbers)[k])
                        : c->type == SNAPSHOT_F64 ? json_number(((const double *)numbers)[k])
                                                  : json_integer((json_int_t)channel_value(c, numbers, k));
        if (array == NULL)
            json_object_set_new(to, key, value);
        else
            json_array_append_new(array, value);
    }
    if (array != NULL) json_object_set_new(to, key, array);
}

/* The energies of that role in the balance. */
static void put_balance(json_t *to, channel_balance role, const carom_frame *f)
{
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++)
        if (c->balance == role && frame_has(f, c)) put_numbers(to, c->name, c, f);
}

/* The channels whose path in the summary begins with `group`; "": those without one. */
static void put_group(json_t *to, const char *group, const carom_frame *f)
{
    const size_t length = strlen(group);
    for (const frame_channel *c = frame_channels; c < frame_channels + frame_channel_count; c++) {
        if (c->summary == NULL || strncmp(c->summary, group, length) != 0 || !frame_has(f, c)) continue;
        if (strchr(c->summary + length, '.') == NULL) put_numbers(to, c->summary + length, c, f);
    }
}

static json_t *energy_object(const carom_sim *sim, const frame_energy *energy)
{
    const carom_frame *f = &sim->frame;
    json_t *object = json_object();
    json_object_set_new(object, "kinetic", json_number(energy->kinetic));
    json_object_set_new(object, "potential", json_number(energy->potential));
    put_balance(object, BALANCE_STORED, f);
    json_object_set_new(object, "total", json_number(energy->total));
    json_object_set_new(object, "initial", json_number(sim->initial_energy));
    json_object_set_new(object, "dissipated", json_number(f->tallies.dissipated));
    if (f->tallies.supplied != 0) json_object_set_new(object, "supplied", json_number(f->tallies.supplied));
    put_balance(object, BALANCE_LOST, f);
    put_balance(object, BALANCE_PART, f);
    put_balance(object, BALANCE_WORK, f);
    if (f->tallies.ledger.kept)
        json_object_set_new(object, "drift", json_number(frame_budget(f, energy) - sim->initial_energy));
    return object;
}

/* Numbers of impacts by their deepest layer, from the first layer to the deepest of all. */
static json_t *layers_object(const frame_tallies *t)
{
    size_t used;
    double mean = frame_mean_layer(t->layers, &used);
    json_t *object = json_object(), *impacts = json_array();
    for (size_t i = 0; i < used; i++) json_array_append_new(impacts, json_count(t->layers[i]));
    json_object_set_new(object, "impacts", impacts);
    json_object_set_new(object, "mean_depth", json_number(mean));
    json_object_set_new(object, "eta", json_number(t->eta));
    json_object_set_new(object, "stiffness", json_number(t->stiffness));
    json_object_set_new(object, "step", json_number(t->step));
    return object;
}

/* Start times of the drives that wait; null: not started. */
static json_t *starts_object(const carom_sim *sim)
{
    const frame_tallies *t = &sim->frame.tallies;
    json_t *object = json_object();
    for (size_t k = 0; k < t->start_count; k++) {
        const double time = t->starts[k].time;
        json_object_set_new(object, sim->scene->drives[t->starts[k].drive].name,
                            isnan(time) ? json_null() : json_number(time));
    }
    return object;
}

static void put_moment(json_t *object, const char *key, const scene_moment *of, double time)
{
    if (of->given) json_object_set_new(object, key, time >= 0 ? json_number(time) : json_null());
}

/* Times at which meshes have appeared and vanished; null: not yet. */
static json_t *moments_object(const carom_sim *sim)
{
    const frame_tallies *t = &sim->frame.tallies;
    json_t *object = json_object();
    for (size_t k = 0; k < t->moment_count; k++) {
        const frame_moments *m = &t->moments[k];
        const scene_mesh *of = &sim->scene->meshes[m->mesh];
        json_t *one = json_object();
        put_moment(one, "appeared", &of->appear, m->appeared);
        put_moment(one, "vanished", &of->vanish, m->vanished);
        json_object_set_new(object, of->name, one);
    }
    return object;
}

/* Numbers of particles for which drives wait that have not started. */
static json_t *waiting_object(const carom_sim *sim)
{
    const frame_tallies *t = &sim->frame.tallies;
    json_t *object = json_object();
    for (size_t k = 0; k < t->start_count; k++) {
        const scene_drive *d = &sim->scene->drives[t->starts[k].drive];
        if (isnan(t->starts[k].time) && d->start.when.particles > 0)
            json_object_set_new(object, d->name, json_count(d->start.when.particles));
    }
    return object;
}

static json_t *steps_object(const carom_frame *f)
{
    json_t *object = json_object();
    put_group(object, "steps.", f);
    return object;
}

/* Linux: of this program only. getrusage includes the parent process. */
static uint64_t peak_rss(void)
{
    char line[128];
    FILE *status = fopen("/proc/self/status", "r");
    unsigned long long kilobytes = 0;
    while (status != NULL && kilobytes == 0 && fgets(line, sizeof line, status) != NULL)
        (void)sscanf(line, "VmHWM: %llu kB", &kilobytes);
    if (status != NULL) (void)fclose(status);
    if (kilobytes > 0) return kilobytes * 1024;
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

static void add_cost(const carom_sim *sim, json_t *to)
{
    double events = (double)events_total(sim->kernel->events(sim->gas));
    json_object_set_new(to, "setup_s", json_number(sim->setup_s));
    json_object_set_new(to, "cpu_s", json_number(sim->cpu_s));
    json_object_set_new(to, "wall_s", json_number(sim->wall_s));
    json_object_set_new(to, "events_per_s", json_number(sim->wall_s > 0 ? events / sim->wall_s : 0));
    json_object_set_new(to, "peak_rss_bytes", json_count(peak_rss()));
}

/* Bodies made of meshes, by name. */
static json_t *bodies_object(const result_links *links)
{
    json_t *object = json_object();
    for (size_t k = 0; k < links->solids; k++) {
        const result_solid *s = &links->solid[k];
        json_t *body = json_object(), *inertia = json_array();
        for (int p = 0; p < 3; p++) json_array_append_new(inertia, json_numbers_of(s->inertia + 3 * p, 3));
        json_object_set_new(body, "mass", json_number(s->mass));
        json_object_set_new(body, "volume", json_number(s->volume));
        json_object_set_new(body, "centre", json_numbers_of(s->centre, 3));
        json_object_set_new(body, "inertia", inertia);
        json_object_set_new(object, s->name, body);
    }
    return object;
}

/* Clumps, by template. */
static json_t *clumps_object(const result_links *links)
{
    json_t *object = json_object();
    for (size_t k = 0; k < links->clumps; k++) {
        const result_clump *c = &links->clump[k];
        json_t *clump = json_object();
        json_object_set_new(clump, "count", json_count(c->copies));
        json_object_set_new(clump, "spheres", json_count(c->motion.count));
        json_object_set_new(clump, "mass", json_number(c->mass));
        json_object_set_new(clump, "volume", json_number(c->volume));
        json_object_set_new(object, c->name, clump);
    }
    return object;
}

/* Costs of the domains of a parallel run. */
static void add_domains(const carom_sim *sim, json_t *object)
{
    engine_domains d;
    if (sim->kernel->domains == NULL || !sim->kernel->domains(sim->gas, &d)) return;
    json_t *domains = json_object();
    json_object_set_new(domains, "count", json_integer(d.count));
    json_object_set_new(domains, "windows", json_count(d.windows));
    json_object_set_new(domains, "repeated", json_count(d.repeated));
    json_object_set_new(domains, "recuts", json_count(d.recuts));
    json_object_set_new(domains, "cpu_s", json_number(d.cpu_s));
    json_object_set_new(domains, "critical_s", json_number(d.critical_s));
    json_object_set_new(domains, "messages", json_count(d.messages));
    json_object_set_new(domains, "bytes", json_count(d.bytes));
    json_object_set_new(object, "domains", domains);
}

/* `particles` counts all that are, were or will be in the system. */
static void add_flow(const carom_sim *sim, json_t *object)
{
    json_t *flow = json_object();
    put_group(flow, "flow.", &sim->frame);
    json_object_set_new(flow, "present", json_count(frame_present(&sim->frame)));
    json_object_set_new(object, "flow", flow);
}

static json_t *summary(carom_sim *sim)
{
    char hash[17];
    json_t *object = json_object(), *watched = json_object();
    look(sim, sim->time);
    frame_need(&sim->frame, FRAME_HASH);
    frame_energy energy = frame_energy_of(&sim->frame);
    json_object_set_new(object, "carom", json_string(carom_version()));
    json_object_set_new(object, "engine", json_string(sim->engine->settings->name));
    json_object_set_new(object, "scene", json_string(sim->scene->source));
    json_object_set_new(object, "title", json_string(sim->scene->title));
    json_object_set_new(object, "seed", json_seed(sim->scene->seed));
    json_object_set_new(object, "particles", json_count(frame_particles(&sim->frame)));
    if (flows_total(sim) != NULL) add_flow(sim, object);
    if (sim->frame.vertices > 0) json_object_set_new(object, "vertices", json_count(sim->frame.vertices));
    json_object_set_new(object, "dimension", json_integer(sim->scene->dimension));
    json_object_set_new(object, "box", json_numbers_of(sim->frame.box, (size_t)sim->scene->dimension));
    if (sim->engine->merges) json_object_set_new(object, "clusters", json_count(sim->frame.clusters));
    json_put_repairs(object, sim->scene);
    if (sim->links.solids > 0) json_object_set_new(object, "bodies", bodies_object(&sim->links));
    if (sim->links.clumps > 0) json_object_set_new(object, "clumps", clumps_object(&sim->links));
    json_object_set_new(object, "stop", json_string(carom_stop_name(sim->stop)));
    json_object_set_new(object, "time", json_number(sim->time));
    json_object_set_new(object, "threads", json_integer(sim->workers.threads));
    json_object_set_new(object, "ranks", json_integer(transport_ranks(sim->workers.transport)));
    add_domains(sim, object);
    json_object_set_new(object, "events", events_object(sim));
    if (sim->frame.tallies.steps.count > 0) json_object_set_new(object, "steps", steps_object(&sim->frame));
    add_cost(sim, object);
    json_object_set_new(object, "energy", energy_object(sim, &energy));
    json_object_set_new(object, "velocity_scale_log2", json_integer(sim->frame.scale));
    json_object_set_new(object, "momentum", json_numbers_of(energy.momentum, (size_t)sim->scene->dimension));
    put_group(object, "", &sim->frame);
    if (sim->frame.tallies.layers != NULL) {
        double closest = sim->frame.tallies.closest;
        json_object_set_new(object, "layers", layers_object(&sim->frame.tallies));
        json_object_set_new(object, "closest", closest > 0 ? json_number(closest) : json_null());
    }
    if (sim->frame.tallies.start_count > 0) {
        json_t *waiting = waiting_object(sim);
        json_object_set_new(object, "starts", starts_object(sim));
        if (json_object_size(waiting) > 0) json_object_set(object, "waiting_for", waiting);
        json_decref(waiting);
    }
    if (sim->frame.tallies.moment_count > 0) json_object_set_new(object, "meshes", moments_object(sim));
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sim->frame.state_hash);
    json_object_set_new(object, "state_hash", json_string(hash));
    for (size_t k = 0; k < sim->observer_count; k++)
        json_object_set_new(watched, sim->observers[k].entry->name, observation(&sim->observers[k]));
    json_object_set_new(object, "observables", watched);
    return object;
}

char *carom_sim_summary(carom_sim *sim)
{
    if (!USABLE(sim)) return NULL;
    if (sim->guard.spent != CAROM_OK && transport_ranks(sim->workers.transport) > 1) return NULL; /* parts are lost */
    sim->guard.busy = true; /* user-defined potentials are called for their energy */
    char *text = summary_text(sim);
    sim->guard.busy = false;
    return text;
}

char *summary_text(carom_sim *sim)
{
    json_t *object = summary(sim);
    char *text = json_written(object);
    json_decref(object);
    return text;
}
