/* The run in one JSON object: what scripts, benchmarks and tests read. */
#include "sim/json_values.h"
#include "sim/sim.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* A number where the width is 1, else an array. */
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

/* The main value's mean and error lie on top, the others under their names. Tables that are complete (histograms,
 * distributions) give their columns: on top where there is nothing else, under their names where there is; series are
 * in the result file. */
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
    json_object_set_new(object, "total", json_count(physical_events(events)));
    return object;
}

static json_t *energy_object(const carom_sim *sim, const frame_energy *energy)
{
    const frame_ledger *ledger = &sim->frame.tallies.ledger;
    json_t *object = json_object();
    json_object_set_new(object, "kinetic", json_number(energy->kinetic));
    json_object_set_new(object, "potential", json_number(energy->potential));
    if (ledger->kept) {
        json_object_set_new(object, "springs", json_number(ledger->springs));
        json_object_set_new(object, "contact", json_number(ledger->contact));
    }
    if (ledger->shells) {
        json_object_set_new(object, "stretch", json_number(ledger->stretch));
        json_object_set_new(object, "bend", json_number(ledger->bend));
    }
    json_object_set_new(object, "total", json_number(energy->total));
    json_object_set_new(object, "initial", json_number(sim->initial_energy));
    json_object_set_new(object, "dissipated", json_number(sim->frame.tallies.dissipated));
    if (sim->frame.tallies.supplied != 0)
        json_object_set_new(object, "supplied", json_number(sim->frame.tallies.supplied));
    if (!ledger->kept) return object;
    json_object_set_new(object, "restitution", json_number(ledger->restitution));
    json_object_set_new(object, "friction", json_number(ledger->friction));
    json_object_set_new(object, "damping", json_number(ledger->damping));
    if (ledger->shells) json_object_set_new(object, "plastic", json_number(ledger->plastic));
    json_object_set_new(object, "work", json_number(ledger->work));
    json_object_set_new(object, "drift", json_number(frame_budget(&sim->frame, energy) - sim->initial_energy));
    return object;
}

/* Impacts by the deepest layer that they reached, the first at the front, up to the last that any reached. */
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

/* When the drives that wait have begun; null: they have not. */
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

static json_t *steps_object(const frame_steps *steps)
{
    json_t *object = json_object();
    json_object_set_new(object, "count", json_count(steps->count));
    json_object_set_new(object, "problems", json_count(steps->problems));
    json_object_set_new(object, "iterations", json_count(steps->iterations));
    json_object_set_new(object, "stalls", json_count(steps->stalls));
    json_object_set_new(object, "held_back", json_count(steps->held_back));
    return object;
}

/* Linux: of this program alone. What getrusage tells includes the process that has started it. */
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
    double events = (double)physical_events(sim->kernel->events(sim->gas));
    json_object_set_new(to, "setup_s", json_number(sim->setup_s));
    json_object_set_new(to, "cpu_s", json_number(sim->cpu_s));
    json_object_set_new(to, "wall_s", json_number(sim->wall_s));
    json_object_set_new(to, "events_per_s", json_number(sim->wall_s > 0 ? events / sim->wall_s : 0));
    json_object_set_new(to, "peak_rss_bytes", json_count(peak_rss()));
}

/* By body, those of meshes. */
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

static json_t *summary(carom_sim *sim)
{
    char hash[17];
    json_t *object = json_object(), *watched = json_object();
    look(sim, sim->time);
    frame_energy energy = frame_energy_of(&sim->frame);
    json_object_set_new(object, "carom", json_string(carom_version()));
    json_object_set_new(object, "engine", json_string(sim->engine->settings->name));
    json_object_set_new(object, "scene", json_string(sim->scene->source));
    json_object_set_new(object, "title", json_string(sim->scene->title));
    json_object_set_new(object, "seed", json_seed(sim->scene->seed));
    json_object_set_new(object, "particles", json_count(frame_particles(&sim->frame)));
    if (sim->frame.vertices > 0) json_object_set_new(object, "vertices", json_count(sim->frame.vertices));
    json_object_set_new(object, "dimension", json_integer(sim->scene->dimension));
    json_object_set_new(object, "box", json_numbers_of(sim->frame.box, (size_t)sim->scene->dimension));
    if (sim->engine->merges) json_object_set_new(object, "clusters", json_count(sim->frame.clusters));
    json_put_repairs(object, sim->scene);
    if (sim->links.solids > 0) json_object_set_new(object, "bodies", bodies_object(&sim->links));
    json_object_set_new(object, "stop", json_string(carom_stop_name(sim->stop)));
    json_object_set_new(object, "time", json_number(sim->time));
    json_object_set_new(object, "events", events_object(sim));
    if (sim->frame.tallies.steps.count > 0)
        json_object_set_new(object, "steps", steps_object(&sim->frame.tallies.steps));
    add_cost(sim, object);
    json_object_set_new(object, "energy", energy_object(sim, &energy));
    json_object_set_new(object, "velocity_scale_log2", json_integer(sim->frame.scale));
    json_object_set_new(object, "momentum", json_numbers_of(energy.momentum, (size_t)sim->scene->dimension));
    json_object_set_new(object, "max_overlap", json_number(sim->frame.tallies.max_overlap));
    if (sim->frame.tallies.layers != NULL) {
        double closest = sim->frame.tallies.closest;
        json_object_set_new(object, "layers", layers_object(&sim->frame.tallies));
        json_object_set_new(object, "closest", closest > 0 ? json_number(closest) : json_null());
    }
    if (sim->frame.tallies.start_count > 0) json_object_set_new(object, "starts", starts_object(sim));
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
    sim->guard.busy = true; /* potentials are asked for their energy */
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
