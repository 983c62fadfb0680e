/* carom check: validation of a scene and estimate of its run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"

static void show(const char *scene, const carom_estimate *e)
{
    char memory[QUANTITY_SIZE], frame[QUANTITY_SIZE], frames[QUANTITY_SIZE];
    out("%s: good\n", scene);
    out("  %-17s %llu\n", "particles", (unsigned long long)e->particles);
    if (e->vertices > 0) out("  %-17s %llu\n", "mesh vertices", (unsigned long long)e->vertices);
    out("  %-17s %.6g\n", "packing fraction", e->packing_fraction);
    out("  %-17s %.10g x %.10g", "box", e->box[0], e->box[1]);
    if (e->dimension == 3) out(" x %.10g", e->box[2]);
    out("\n  %-17s %s\n", "memory", format_bytes(memory, (double)e->memory_bytes));
    out("  %-17s %s\n", "a frame", format_bytes(frame, (double)e->frame_bytes));
    if (e->frames > 0)
        out("  %-17s %llu, %s\n", "frames", (unsigned long long)e->frames,
            format_bytes(frames, (double)e->frames * (double)e->frame_bytes));
}

/* ---- A trial: estimate of the cost ---- */

typedef struct trial {
    carom_sim *sim;
    double seconds;
    carom_progress last;
    bool compresses; /* the trial ended while particles were compressed to their packing fraction */
} trial;

static void follow(const carom_progress *p, void *user)
{
    trial *t = user;
    if (strcmp(p->phase, "place") == 0) return; /* the trial begins afterwards */
    t->last = *p;
    t->compresses = p->phase[0] == 'c';
    if (p->wall_s >= t->seconds) carom_sim_request_stop(t->sim);
}

/* For variable time steps, the mean so far. */
static void show_mean_step(const char *summary)
{
    double time, steps;
    if (json_number(json_find(summary, "steps.count"), &steps) && json_number(json_find(summary, "time"), &time) &&
        steps > 0)
        out("  %-17s %.4g at the mean, up to t = %.4g\n", "step", time / steps, time);
}

/* Extrapolates the cost of the whole run from the trial. */
static carom_cost cost_of(const trial *t, carom_status status)
{
    const carom_progress *p = &t->last;
    carom_cost cost = {-1, -1, p->events_per_s, p->time, p->wall_s, status == CAROM_OK, status == CAROM_DYNAMICS};
    const bool ends = cost.whole || cost.fails;
    if (!ends && (t->compresses || !(p->fraction > 0))) return cost;
    const double share = ends ? 1 : p->fraction;
    cost.events = (double)p->events / share;
    cost.wall_s = p->wall_s / share;
    return cost;
}

static void show_cost(const trial *t, const carom_cost *cost)
{
    char events[QUANTITY_SIZE], rate[QUANTITY_SIZE], wall[QUANTITY_SIZE];
    format_count(rate, cost->events_per_s);
    if (t->compresses) {
        out("  %-17s not known: compressing takes longer than the trial of %s\n", "cost",
            format_duration(wall, t->seconds));
    } else if (cost->fails) {
        out("  %-17s %s events in %s, and then the run stops, at t = %.4g, with exit status %d\n", "cost",
            format_count(events, cost->events), format_duration(wall, cost->wall_s), cost->trial_time, CAROM_DYNAMICS);
    } else if (cost->whole) {
        out("  %-17s %s events in %s: the whole run\n", "cost", format_count(events, cost->events),
            format_duration(wall, cost->wall_s));
    } else if (cost->events >= 0) {
        out("  %-17s %s events in %s, by a trial up to t = %.4g (%s events/s)\n", "cost",
            format_count(events, cost->events), format_duration(wall, cost->wall_s), cost->trial_time, rate);
    } else {
        out("  %-17s not known: a trial came to t = %.4g at %s events/s\n", "cost", cost->trial_time, rate);
    }
}

/* Runs for some seconds, without files. CAROM_OK also if the run is longer or if the dynamics would end it, which is no
 * error of the scene; other failures are those of the run, with the message of t->sim. */
static carom_status try_run(const carom_scene *scene, trial *t, carom_cost *cost)
{
    const carom_options options = {.progress = follow, .user = t};
    carom_status status = carom_sim_new(&t->sim, scene, &options);
    const bool ready = status == CAROM_OK;
    if (ready) status = carom_sim_run(t->sim);
    *cost = cost_of(t, status);
    return status == CAROM_EARLY || (ready && status == CAROM_DYNAMICS) ? CAROM_OK : status;
}

static void show_trial(const trial *t, const carom_cost *cost)
{
    char *summary = carom_sim_summary(t->sim);
    if (summary != NULL) show_mean_step(summary);
    carom_free(summary);
    show_cost(t, cost);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void show_step(const carom_step *step, int dimension)
{
    out("    %-15s %.4g", step->kind, step->step);
    if (step->bound > 0) out(" (bound %.4g)", step->bound);
    if (step->element[0] != '\0') out(": %s", step->element);
    for (int k = 0; k < dimension && isfinite(step->position[k]); k++)
        out("%s%.6g", k == 0 ? ", at (" : ", ", step->position[k]);
    out("%s\n", isfinite(step->position[0]) ? ")" : "");
}

static void show_steps(const carom_scene *scene, int dimension)
{
    const carom_step *step;
    for (size_t n = 0; (step = carom_scene_step(scene, n)) != NULL; n++)
        if (step->source[0] != '\0') out("  %-17s %s\n", "stiffness", step->source);
    if (carom_scene_step(scene, 0) != NULL) out("  time steps\n");
    for (size_t n = 0; (step = carom_scene_step(scene, n)) != NULL; n++) show_step(step, dimension);
    for (size_t n = 0; (step = carom_scene_step(scene, n)) != NULL; n++)
        if (step->warning[0] != '\0') out("  warning: %s\n", step->warning);
}

static void show_all(const carom_scene *scene, const carom_estimate *estimate, const char *name)
{
    show(name, estimate);
    show_steps(scene, estimate->dimension);
    if (carom_scene_message(scene)[0] != '\0') out("%s\n", carom_scene_message(scene));
}

static carom_status print_report(carom_scene *scene, const carom_cost *cost)
{
    char *json = NULL;
    const carom_status status = carom_scene_report(scene, cost, &json);
    if (status == CAROM_OK)
        out("%s\n", json);
    else
        complain_message(carom_scene_message(scene));
    carom_free(json);
    return status;
}

/* Report on a scene without errors. The trial comes first, as a scene whose run fails immediately is invalid. */
static carom_status describe(carom_scene *scene, const carom_estimate *estimate, const arguments *args)
{
    const double seconds = args->trial != NULL ? strtod(args->trial, NULL) : 1, many = 3e5;
    const bool large = args->trial == NULL && (double)(estimate->particles + estimate->vertices) > many;
    const bool tried = !large && seconds > 0;
    carom_cost cost;
    trial t = {.seconds = seconds};
    carom_status status = tried ? try_run(scene, &t, &cost) : CAROM_OK;
    if (status == CAROM_OK && args->json_text) status = print_report(scene, tried ? &cost : NULL);
    if (status == CAROM_OK && !args->json_text) {
        show_all(scene, estimate, args->operand);
        if (tried) show_trial(&t, &cost);
        if (large) out("  %-17s not tried, as the set-up may be long: --trial 1 does\n", "cost");
    }
    if (tried && (status != CAROM_OK || cost.fails)) complain_message(carom_sim_message(t.sim));
    carom_sim_free(t.sim);
    return status;
}

static int check(const arguments *args)
{
    carom_scene *scene = NULL;
    carom_estimate estimate = {0};
    carom_status status = load_scene(&scene, args);
    if (status != CAROM_OK) return (int)status;
    status = carom_scene_check(scene, &estimate);
    if (status == CAROM_OK)
        status = describe(scene, &estimate, args);
    else
        complain_message(carom_scene_message(scene));
    carom_scene_free(scene);
    return (int)status;
}

static const option options[] = {
    {"json", 0, OPTION_FLAG, offsetof(arguments, json_text), NULL, NULL, false, "as one JSON object"},
    {"set", 0, OPTION_SETS, 0, "KEY=VALUE", NULL, false, "override a key of the scene; may be repeated"},
    {"trial", 0, OPTION_NUMBER, offsetof(arguments, trial), "SECONDS", NULL, false,
     "seconds to run for an estimate of the cost; 0: no trial run; default: 1"},
    {"seed", 0, OPTION_COUNT, offsetof(arguments, seed), "N", NULL, false, "override the scene's seed"},
};

const command command_check = {
    .name = "check",
    .summary = "validate a scene and estimate what its run needs",
    .text = "Reads SCENE and builds its initial state without running it. Reports all faults with their lines, or the "
            "number of particles, the packing fraction, the box, the memory and the size of the frames. For runs with "
            "time steps it prints the step of each kind of element, its stability bound and the element that "
            "determines it, and warns if a few elements cost ten times all the others together. It also warns of "
            "what the run does not reach: rates and numbers of inflows, starts and times after its end. Then it runs "
            "the scene for a second, without files, and extrapolates the number of events and the duration of the "
            "whole run.",
    .operand = OPERAND_SCENE,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = check,
};
