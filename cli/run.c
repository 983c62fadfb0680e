/* carom run: simulate a scene. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "json.h"
#include "progress.h"

static carom_sim *volatile running;

static void on_stop(int number)
{
    (void)number;
    signal(SIGINT, SIG_DFL); /* the next Ctrl-C kills */
    if (running != NULL) carom_sim_request_stop(running);
}

static void on_checkpoint(int number)
{
    (void)number;
    if (running != NULL) carom_sim_request_checkpoint(running);
}

void handle_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Only rank 0 acts: launchers and batch systems send signals to all ranks. */
static void leave_signals_to_rank_0(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) handle_signal(numbers[k], SIG_IGN);
}

static void handle_signals(carom_sim *sim)
{
    struct sigaction hangup;
    running = sim;
    handle_signal(SIGINT, on_stop);
    handle_signal(SIGTERM, on_stop);
    handle_signal(SIGUSR1, on_checkpoint);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        handle_signal(SIGHUP, on_stop); /* nohup */
}

/* ---- The summary for people ---- */

static double number_at(const char *summary, const char *path)
{
    double number = 0;
    json_number(json_find(summary, path), &number);
    return number;
}

static bool is_true(const char *object, const char *key)
{
    const char *value = json_find(object, key);
    return value != NULL && strncmp(value, "true", 4) == 0;
}

/* Values of observables; the first one is preceded by the heading. */
typedef struct measured {
    bool merges, headed;
} measured;

static void show_heading(measured *to)
{
    if (!to->headed)
        fputs(to->merges ? "measured (in time: carom plot, carom export --to csv --what NAME)\n" : "measured\n",
              stderr);
    to->headed = true;
}

/* " msd.diffusion 3.2 +- 0.01" for a number with its error. Tensors and tables are in the file only, and settings are
 * not results. If particles merge, the state is not stationary and means have no significance: only final values
 * without an error are shown. */
static void show_value(measured *to, const char *name, const char *value)
{
    double mean, error;
    const char *number = json_find(value, "mean");
    const bool averaged = json_number(json_find(value, "error"), &error);
    if (number == NULL || *number == '[' || (to->merges && averaged) || is_true(value, "setting")) return;
    show_heading(to);
    if (!json_number(number, &mean)) {
        fprintf(stderr, "  %-24s no value: not sampled since `start`, or too seldom, or undefined\n", name);
        return;
    }
    fprintf(stderr, "  %-24s %.8g", name, mean);
    if (averaged && error > 0) fprintf(stderr, " +- %.2g", error);
    fputs(averaged && !is_true(value, "converged") ? "  (not converged: a transient, or too few samples)\n" : "\n",
          stderr);
}

/* Terms of an energy balance are shown as final values, not as means. */
static void show_ledger(measured *to, const char *name, size_t name_length, const char *terms)
{
    static const char *const not_of_it[] = {"initial", "dissipated", "supplied"};
    const char *at = NULL, *term, *value;
    size_t length;
    while (json_next(terms, &at, &term, &length, &value)) {
        char full[192];
        double number;
        bool shown = json_number(value, &number);
        for (size_t k = 0; k < sizeof not_of_it / sizeof *not_of_it; k++)
            shown = shown && strncmp(term, not_of_it[k], length) != 0;
        snprintf(full, sizeof full, "%.*s.%.*s", (int)name_length, name, (int)length, term);
        if (!shown) continue;
        show_heading(to);
        fprintf(stderr, "  %-24s %.8g at the end\n", full, number);
    }
}

static void show_observables(const char *summary, const char *all, bool merges)
{
    const char *at = NULL, *name, *value;
    size_t length;
    measured to = {.merges = merges};
    while (json_next(all, &at, &name, &length, &value)) {
        const char *inner_at = NULL, *inner_name, *inner;
        char quantity[64], full[192];
        size_t inner_length;
        if (json_find(value, "springs") != NULL) {
            show_ledger(&to, name, length, json_find(summary, "energy"));
            continue;
        }
        json_text(json_find(value, "quantity"), quantity, sizeof quantity);
        snprintf(full, sizeof full, "%.*s.%s", (int)length, name, quantity);
        show_value(&to, full, value);
        while (json_next(value, &inner_at, &inner_name, &inner_length, &inner)) {
            snprintf(full, sizeof full, "%.*s.%.*s", (int)length, name, (int)inner_length, inner_name);
            show_value(&to, full, inner);
        }
    }
}

/* Why a drive has not begun. */
static void show_why(const char *summary, const char *name, size_t length)
{
    double wanted = 0, present;
    const char *const waiting = json_find(summary, "waiting_for"), *at = NULL, *key, *value;
    size_t key_length;
    while (waiting != NULL && json_next(waiting, &at, &key, &key_length, &value))
        if (key_length == length && strncmp(key, name, length) == 0) (void)json_number(value, &wanted);
    if (!json_number(json_find(summary, "flow.present"), &present)) present = wanted;
    if (present < wanted)
        fprintf(stderr, "has not begun: %.0f of the %.0f particles that it waits for are in the system\n", present,
                wanted);
    else
        fprintf(stderr, "has not begun: its condition did not hold at any check\n");
}

/* Drives that wait until the particles are at rest. */
static void show_starts(const char *summary)
{
    const char *const starts = json_find(summary, "starts"), *at = NULL, *name, *value;
    char stop[20] = "";
    json_text(json_find(summary, "stop"), stop, sizeof stop);
    size_t length;
    while (starts != NULL && json_next(starts, &at, &name, &length, &value)) {
        double time;
        fprintf(stderr, "  drive %-18.*s ", (int)length, name);
        if (json_number(value, &time))
            fprintf(stderr, "began at t = %.8g\n", time);
        else if (strcmp(stop, "squeezed") == 0)
            fprintf(stderr, "has not begun\n");
        else
            show_why(summary, name, length);
    }
}

static void show_moment(const char *moments, const char *key, const char *yet)
{
    double time;
    const char *const value = json_find(moments, key);
    if (value == NULL) return;
    if (json_number(value, &time))
        fprintf(stderr, " %s at t = %.8g", key, time);
    else
        fprintf(stderr, " %s", yet);
}

/* Meshes that appear or vanish. */
static void show_meshes(const char *summary)
{
    const char *const meshes = json_find(summary, "meshes"), *at = NULL, *name, *value;
    size_t length;
    while (meshes != NULL && json_next(meshes, &at, &name, &length, &value)) {
        fprintf(stderr, "  mesh %-19.*s", (int)length, name);
        show_moment(value, "appeared", "has not appeared");
        show_moment(value, "vanished", "has not vanished");
        fputc('\n', stderr);
    }
}

/* Particles that enter and leave. */
static void show_flow(const char *summary)
{
    double present, entered, left;
    if (json_number(json_find(summary, "flow.present"), &present) &&
        json_number(json_find(summary, "flow.entered"), &entered) &&
        json_number(json_find(summary, "flow.left"), &left))
        fprintf(stderr, "  %-24s %.0f; %.0f have entered, %.0f have left\n", "particles in the system", present,
                entered, left);
}

/* Further lines for engines with forces. */
static void show_forces(const char *summary)
{
    double drift, depth, closest, eta, stiffness, step;
    if (json_number(json_find(summary, "layers.eta"), &eta) &&
        json_number(json_find(summary, "layers.stiffness"), &stiffness) &&
        json_number(json_find(summary, "layers.step"), &step))
        fprintf(stderr, "  %-24s eta %.4g, stiffness %.4g, step %.4g\n", "penalty layers", eta, stiffness, step);
    if (json_number(json_find(summary, "energy.drift"), &drift))
        fprintf(stderr, "  %-24s %.2g\n", "drift of energy", drift);
    if (json_number(json_find(summary, "layers.mean_depth"), &depth) &&
        json_number(json_find(summary, "closest"), &closest))
        fprintf(stderr, "  %-24s %.3g at the mean; smallest gap %.3g of the thickness of contacts\n", "deepest layer",
                depth, closest);
    show_starts(summary);
    show_meshes(summary);
    show_flow(summary);
}

/* Events of other kinds, which are included in the rate of events. */
static void show_other_events(const char *summary)
{
    char count[QUANTITY_SIZE];
    const double events = number_at(summary, "events.force");
    if (events > 0)
        fprintf(stderr, "  %-24s %s %s\n", "other events", format_count(count, events),
                json_find(summary, "layers") != NULL ? "kicks of forces"
                                                     : "steps of potentials, or kicks of a heat bath");
}

/* Without further events the particles are at rest, or separate. */
static void show_end(const char *summary, const char *stop, double initial)
{
    const double time = number_at(summary, "time"), kinetic = number_at(summary, "energy.kinetic");
    if (strcmp(stop, "none") == 0)
        fprintf(stderr, "interrupted at t = %.8g\n", time);
    else if (strcmp(stop, "no_events") != 0)
        fprintf(stderr, "stopped by %s at t = %.8g\n", stop, time);
    else if (kinetic <= 1e-6 * (initial < 0 ? -initial : initial))
        fprintf(stderr, "everything is at rest at t = %.8g\n", time);
    else
        fprintf(stderr, "no further collision is possible after t = %.8g\n", time);
}

/* While particles enter and leave, the energy changes with them: its error is that of the balance, relative to all that was
 * there or has entered. */
static void show_energy(const char *summary)
{
    const double initial = number_at(summary, "energy.initial"), total = number_at(summary, "energy.total");
    double entered, drift;
    const bool flows = json_number(json_find(summary, "flow.energy_entered"), &entered);
    fprintf(stderr, "  %-24s %.8g, initially %.8g", "energy", total, initial);
    if (!flows && initial > 0) fprintf(stderr, " (relative change %.2g)", (total - initial) / initial);
    const double all = flows ? fabs(initial) + fabs(entered) : 0;
    if (all > 0 && json_number(json_find(summary, "energy.drift"), &drift))
        fprintf(stderr, " (drift %.2g of the initial and entered energy)", drift / all);
    fputc('\n', stderr);
}

static void show_summary(const char *summary, const char *output)
{
    char stop[32], count[QUANTITY_SIZE], rate[QUANTITY_SIZE], wall[QUANTITY_SIZE];
    json_text(json_find(summary, "stop"), stop, sizeof stop);
    show_end(summary, stop, number_at(summary, "energy.initial"));
    const bool merges = json_find(summary, "clusters") != NULL;
    const double walls = merges ? 0 : number_at(summary, "events.wall"); /* not among `run.until.collisions` */
    fprintf(stderr, "  %-24s %s", merges ? "merges" : "collisions",
            format_count(count, number_at(summary, merges ? "events.merge" : "events.collision")));
    if (walls > 0) fprintf(stderr, ", and %s with walls,", format_count(count, walls));
    fprintf(stderr, " in %s, %s events/s\n", format_duration(wall, number_at(summary, "wall_s")),
            format_count(rate, number_at(summary, "events_per_s")));
    show_other_events(summary);
    show_energy(summary);
    show_forces(summary);
    fprintf(stderr, "  %-24s %s\n", "result", output);
    const char *observables = json_find(summary, "observables");
    if (observables != NULL && strncmp(observables, "{}", 2) != 0) show_observables(summary, observables, merges);
}

void show_way_on(const arguments *args, const char *output)
{
    fprintf(stderr, "to continue: carom run %s -o %s", args->operand, output);
    for (size_t i = 0; i < args->set_count; i++) fprintf(stderr, " --set '%s'", args->sets[i]);
    if (args->seed != NULL) fprintf(stderr, " --seed %s", args->seed);
    fputs(" --resume\n", stderr);
}

/* ---- The run ---- */

static carom_status simulate(carom_sim *sim, const arguments *args, const char *output, progress_view *view)
{
    handle_signals(sim);
    carom_status status = carom_sim_run(sim);
    progress_clear(view);
    complain_message(carom_sim_message(sim));
    char *summary = carom_sim_summary(sim);
    carom_status written = summary != NULL ? put_text(args->json, summary) : CAROM_INTERNAL;
    if (summary != NULL && !args->quiet) show_summary(summary, output);
    if (status == CAROM_EARLY && !args->quiet) show_way_on(args, output);
    carom_free(summary);
    running = NULL;
    return status != CAROM_OK ? status : written;
}

static int threads_of(const arguments *args)
{
    return args->threads > 0 ? args->threads : CAROM_THREADS_AUTOMATIC;
}

/* On ranks other than 0. */
static carom_status follow(const carom_scene *scene, const arguments *args)
{
    const carom_options options = {.resume = args->resume, .threads = threads_of(args), .ranks = true};
    carom_sim *sim = NULL;
    carom_status status = carom_sim_new(&sim, scene, &options);
    leave_signals_to_rank_0();
    if (status == CAROM_OK) status = carom_sim_run(sim);
    if (status != CAROM_OK) complain_message(carom_sim_message(sim));
    carom_sim_free(sim);
    return status;
}

static carom_status run_scene(const carom_scene *scene, const arguments *args, const char *output)
{
    progress_view view = progress_begin(args->quiet);
    carom_options options = {
        .output = output,
        .force = args->force,
        .resume = args->resume,
        .keep_checkpoint = args->keep_checkpoint,
        .threads = threads_of(args),
        .ranks = true,
    };
    progress_follow(&options, &view);
    carom_sim *sim = NULL;
    carom_status status = carom_sim_new(&sim, scene, &options);
    if (status == CAROM_OK) {
        status = simulate(sim, args, output, &view);
    } else {
        progress_clear(&view);
        complain_message(sim != NULL ? carom_sim_message(sim) : "error: out of memory");
    }
    carom_sim_free(sim);
    return status;
}

static carom_status check_targets(const carom_scene *scene, const arguments *args, const char *output)
{
    if (same_file(output, args->operand)) {
        complain("the result '%s' would replace the scene; choose another file with -o", output);
        return CAROM_USAGE;
    }
    bool to_file = args->json != NULL && strcmp(args->json, "-") != 0;
    if (to_file && (same_file(args->json, output) || same_file(args->json, args->operand))) {
        complain("'--json %s' is the %s file", args->json, same_file(args->json, output) ? "result" : "scene");
        return CAROM_USAGE;
    }
    if (to_file && carom_scene_reads(scene, args->json)) {
        complain("'--json %s' would replace an input file of the scene; choose another file", args->json);
        return CAROM_USAGE;
    }
    return check_text_target(args->json, args->force || args->resume);
}

static carom_status run_file(const arguments *args, const char *output)
{
    if (strcmp(args->operand, "-") == 0 && carom_ranks() > 1) {
        complain("a scene on standard input reaches rank 0 only; give the name of a file");
        return CAROM_USAGE;
    }
    carom_scene *scene = NULL;
    carom_status status = load_scene(&scene, args);
    if (status == CAROM_OK && carom_rank() > 0) {
        status = follow(scene, args);
    } else if (status == CAROM_OK) {
        status = check_targets(scene, args, output);
        if (status == CAROM_OK) status = run_scene(scene, args, output);
    }
    carom_scene_free(scene);
    return status;
}

/* Runs that were stopped or that the dynamics ended have ended on all ranks. */
static void end_ranks(carom_status status)
{
    const bool ended = status == CAROM_OK || status == CAROM_EARLY || status == CAROM_DYNAMICS;
    flush_output(); /* after the loss of a rank, the process ends within the call */
    carom_ranks_end(ended ? 0 : (int)status, complaint());
}

static int run(const arguments *args)
{
    char *made = NULL;
    const char *output = args->output;
    if (output == NULL) {
        made = name_with_ending(strcmp(args->operand, "-") == 0 ? "stdin" : args->operand, ".h5");
        output = made;
    }
    if (output == NULL) complain("out of memory");
    const carom_status status = output != NULL ? run_file(args, output) : CAROM_INTERNAL;
    end_ranks(status);
    free(made);
    return (int)status;
}

static const option options[] = {
    {"output", 'o', OPTION_FILE, offsetof(arguments, output), "OUT.h5", NULL, false,
     "result file; default: the name of the scene with .h5, in the current folder"},
    {"set", 0, OPTION_SETS, 0, "KEY=VALUE", NULL, false,
     "override a key of the scene, as in run.until.time=10 or particles.0.count=500; may be repeated"},
    {"seed", 0, OPTION_COUNT, offsetof(arguments, seed), "N", NULL, false, "override the scene's seed"},
    {"threads", 0, OPTION_THREADS, offsetof(arguments, threads), "N", NULL, false,
     "number of threads; default: as many cores as shorten the run; the bits of the result do not depend on it"},
    {"resume", 0, OPTION_FLAG, offsetof(arguments, resume), NULL, NULL, false,
     "continue from the newest checkpoint of the result; a finished run continues if run.until is larger"},
    {"keep-checkpoint", 0, OPTION_FLAG, offsetof(arguments, keep_checkpoint), NULL, NULL, false,
     "keep the checkpoint file of a finished run; default: it is stored in the result"},
    {"force", 'f', OPTION_FLAG, offsetof(arguments, force), NULL, NULL, false, "replace an existing result"},
    {"quiet", 'q', OPTION_FLAG, offsetof(arguments, quiet), NULL, NULL, false, "no progress and no summary"},
    {"json", 0, OPTION_FILE, offsetof(arguments, json), "FILE", NULL, false,
     "write the summary of the run as one JSON object; - is standard output"},
};

const command command_run = {
    .name = "run",
    .summary = "simulate a scene",
    .text =
        "Simulates SCENE (a YAML file; - is standard input) up to its limits, and writes one HDF5 result. Ctrl-C "
        "or SIGTERM writes a checkpoint and stops, a second Ctrl-C kills; SIGUSR1 writes a checkpoint, and the run "
        "continues. A stopped run continues with --resume: its frames, observables and final state have the same bits "
        "as those of an uninterrupted run. The file differs: it has a mark that the run was resumed, and times and "
        "memory of its own.",
    .operand = OPERAND_SCENE,
    .operand_required = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
