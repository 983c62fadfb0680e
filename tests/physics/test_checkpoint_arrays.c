/* Detects arrays that a checkpoint lacks, or keeps in vain. A run is saved and goes on in another simulation to the
 * same end; with any one of its arrays as it was at the start, it must be refused or come to another end, in at least
 * one of the scenes below. */
#include "../support/expect.h"
#include "../support/play.h"
#include "../support/suite.h"

#include "base/hash.h"
#include "sim/sim.h"

/* A run is saved when it is SAVED old and, in the engine `hard`, its clock has been set anew twice. It is looked at every
 * STEP. */
#define STEP 0.7
#define SAVED 2.1
#define HEAD(until, engine) "carom: 1\nseed: 21\nrun: {until: {" until "}}\nengine: " engine "\n"
#define HARD HEAD("time: 60, events: 2500", "hard")
#define DUST HEAD("time: 1e9", "aggregation")
#define SOFT HEAD("time: 5", "variational")
#define GRAIN "species: {a: {diameter: 1, mass: 1}}\n"
#define GAS(count) "particles: [{species: a, count: " count ", place: random, velocity: {maxwell: 1}}]\n"

typedef struct trial {
    const char *text;
    unsigned bases;  /* so often the clock is set anew before (2) */
    const char *set; /* save where this ends the run, instead; */
    double time;     /* or at this time */
} trial;

static const trial trials[] = {
    {.text = HARD
     "dimension: 3\nbox: {size: [4, 5, 6]}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
     "particles: [{species: {a: 1, b: 1}, count: 30, place: random, velocity: {maxwell: 1}}]\n"
     "contacts: [{between: [a, a], restitution: 0.98}]\n"
     "observe: [{what: energy, every: 0.3}, {what: momentum, every: 0.3}, {what: temperature}, {what: pressure}, "
     "{what: msd, every: 0.1}, {what: vacf, every: 0.1, lags: 10}, {what: radial_distribution, range: 1.9, every: "
     "0.5}, {what: velocity_distribution, every_collisions: 50}, {what: impact_separation, start: 1}, {what: "
     "three_body}, "
     "{what: stabilising}, {what: collision_rate}, {what: packing_fraction}]\n"},
    {.text = HEAD(
         "time: 35",
         "hard") "dimension: 2\nbox: {size: [6, 9], boundary: [wall, wall]}\n" GRAIN "fields: {gravity: [0, -1]}\n"
                 "hard: {collapse: {policy: sleep, speed: 0.1}}\n" GAS(
                     "25") "contacts: [{between: [a, a], restitution: 0.5}, {between: [a, wall], restitution: 0.5}]\n"
                           "observe: [{what: energy, every: 0.3}, {what: wall_pressure}]\n",
     .time = 12.2},
    {.text = HARD "dimension: 2\nbox: {size: [9, 8]}\n" GRAIN GAS(
         "30") "contacts: [{between: [a, a], restitution: 0.5}]\nhard: {collapse: {policy: tc, tc: 1}}\n"},
    {.text = HEAD("time: 1e15, events: 8000",
                  "hard") "dimension: 3\nbox: {size: [5, 5, 5]}\n" GRAIN
                          "particles: [{species: a, count: 30, place: random, velocity: {uniform: [0, 1]}}]\n"
                          "contacts: [{between: [a, a], restitution: 0.3}]\nhard: {collapse: {policy: tc, tc: 1e-9}}\n"
                          "observe: [{what: temperature}]\n",
     .bases = 12},
    {.text = HEAD("time: 100", "hard") "dimension: 2\nbox: {size: [4, 9], boundary: [periodic, wall]}\n" GRAIN
                                       "fields: {gravity: [0, -1]}\nparticles: [{species: a, place: {at: [[2, 4]]}}]\n"
                                       "contacts: [{between: [a, wall], restitution: 0.5}]\n",
     .set = "run.until.events=600"},
    {.text = HEAD("time: 100", "hard") "dimension: 2\nbox: {size: [4, 9], boundary: [periodic, wall]}\n" GRAIN
                                       "hard: {precision: float}\nfields: {gravity: [0, -1]}\nparticles: [{species: a, "
                                       "place: {at: [[2, 4]]}}]\n"
                                       "contacts: [{between: [a, wall], restitution: 0.5}]\n",
     .set = "run.until.events=600"},
    {.text = HEAD("time: 1e9", "hard") "dimension: 2\nbox: {size: [20, 20], boundary: open}\n" GRAIN GAS("20"),
     .set = "run.until.time=1"},
    {.text = HARD
     "dimension: 3\nbox: {size: [4, 5, 6], boundary: [wall, periodic, wall]}\n" GRAIN
     "particles: [{species: a, count: 30, place: random, velocity: {maxwell: 1}, angular_velocity: {maxwell: 2}}]\n"
     "contacts: [{between: [a, a], restitution: 0.9, tangential: 0.5}, {between: [a, wall], temperature: 2}]\n"
     "observe: [{what: rotational_temperature, every: 0.3}, {what: wall_pressure}, {what: power}]\n"},
    {.text = HARD "dimension: 3\nbox: {size: [5, 5, 5]}\n" GRAIN GAS(
         "30") "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {thermostat: {temperature: 1, rate: 1}}\n"
               "observe: [{what: power}]\n"},
    {.text = HARD "dimension: 3\nbox: {size: [5, 5, 5]}\n" GRAIN GAS(
         "30") "contacts: [{between: [a, a], restitution: 0.8}]\nhard: {shear: {rate: 0.5}}\n"
               "observe: [{what: shear_viscosity}]\n"},
    {.text = HARD
     "dimension: 3\nbox: {size: [5, 5, 5]}\n" GRAIN GAS("30") "observe: [{what: viscosity, every: 0.1, lags: 10}, "
                                                              "{what: thermal_conductivity, every: 0.1, lags: 10}]\n"},
    {.text = HEAD(
         "time: 60, events: 5000, pressure: 15",
         "hard") "dimension: 3\nbox: {packing_fraction: 0.3, boundary: [wall, periodic, periodic]}\n"
                 "species: {a: {diameter: {uniform: [0.8, 1.2]}, mass: 1}}\nhard: {compression: {rate: 0.02}}\n" GAS(
                     "30") "observe: [{what: pressure}]\n",
     .bases = 4},
    {.text = HARD "dimension: 3\nbox: {size: [5, 6, 5], boundary: [periodic, wall, periodic]}\n"
                  "species: {a: {semi_axes: [0.8, 0.4, 0.4], mass: 1}, b: {diameter: 0.8}}\n"
                  "particles: [{species: {a: 2, b: 1}, count: 30, place: random, velocity: {maxwell: 1}}]\n"
                  "contacts: [{between: [a, a], restitution: 0.9}]\n"
                  "observe: [{what: nematic_order, every: 0.3}, {what: rotational_temperature, every: 0.3}]\n"},
    {.text = HARD
     "dimension: 3\nbox: {size: [5, 6, 5]}\nspecies: {a: {diameter: 1, mass: 1}, b: {diameter: 0.8, mass: 2}}\n"
     "particles: [{species: {a: 1, b: 1}, count: 40, place: random, velocity: {maxwell: 1}}]\n"
     "potentials: [{between: [a, a], square_well: {range: 1.5, depth: 1}}, {between: [a, b], bridge: {rupture: "
     "1.2, energy: 0.1}}]\nobserve: [{what: energy, every: 0.3}]\n"},
    {.text =
         HARD "dimension: 2\nbox: {size: [20, 20]}\n" GRAIN
              "particles: [{species: a, count: 16, place: {walk: {length: 8, step: 1.05}}, velocity: {maxwell: 1}}]\n"
              "bonds: [{name: b, chain: {from: 0, to: 15}, length: 8, shortest: 1, longest: 1.2}]\n"},
    {.text = HARD
     "dimension: 2\nbox: {size: [8, 8]}\n" GRAIN
     "particles: [{species: a, count: 20, place: random, velocity: {uniform: [0.5, 2]}, zero_momentum: false}]\n"
     "observe: [{what: momentum}, {what: msd, every: 0.25}]\n"},
    {.text = HARD
     "dimension: 2\nbox: {size: [8, 8], boundary: [wall, wall]}\n" GRAIN
     "planes: [{name: plate, point: [4, 1.5], normal: [0, 1]}]\nfields: {gravity: [0, -1]}\n"
     "drives: [{name: p, plane: plate, motion: [{oscillate: {by: [0, 0.2], frequency: 1}}]}]\n"
     "particles: [{species: a, place: {at: [[2, 3], [4, 3], [6, 3], [3, 5], [5, 5]]}, velocity: {maxwell: 1}}]\n"
     "contacts: [{between: [a, plate], restitution: 0.9}]\nobserve: [{what: ledger, every: 0.3}]\n"},
    {.text =
         DUST "dimension: 2\nbox: {size: [20, 24]}\nspecies: {a: {diameter: {uniform: [0.5, 1]}, density: 1}}\n" GAS(
             "60") "observe: [{what: clusters, every: 0.3}, {what: energy, every: 0.3}]\n"},
    {.text = SOFT
     "dimension: 3\nbox: {size: [6, 4, 4], boundary: open}\nspecies: {a: {diameter: 0.2}}\nfields: {gravity: [0, 0, "
     "-1]}\n"
     "meshes: [{name: plate, shape: {rectangle: {length: 3, width: 3, along: 3, across: 3}}, place: {at: [2, 2, 1]}, "
     "thickness: 0.1, rigid: true}, {name: sheet, shape: {rectangle: {length: 1, width: 1, along: 2, across: 2}}, "
     "place: "
     "{at: [2, 2, 1.15]}, thickness: 0.1, density: 10, stretch: 50, bend: 0.05, damping: {stretch: 1, bend: 0.002}}]\n"
     "drives: [{name: side, mesh: sheet, vertices: [0], motion: [{velocity: [0.1, 0, 0.1]}], start: {when: {slower: "
     "0.1, "
     "for: 0.1, every: 0.02}}}]\ncontacts: [{between: [a, a], restitution: 0.1}]\n"
     "observe: [{what: paths, every: 0.1, per_frame: 8, within: 0.01}]\noutput: {frames: {every: 0.8}}\n"},
    {.text =
         SOFT "dimension: 2\nbox: {size: [6, 30], boundary: open}\n" GRAIN
              "particles: [{species: a, place: {at: [[3, 15]]}, velocity: {each: [[0, 1]]}}]\n"
              "drives: [{name: hand, particles: [0], motion: [{velocity: [0.5, 0.25]}], start: {when: {slower: 0.11, "
              "every: 0.1}, free: true}}]\nfields: {gravity: [0, -1]}\nobserve: [{what: ledger, every: 0.3}]\n"},
    {.text =
         HARD "dimension: 3\nbox: {packing_fraction: 0.5}\n" GRAIN
              "particles: [{species: a, count: 108, place: fcc, velocity: {maxwell: 1}}]\nhard: {precision: float}\n"
              "observe: [{what: impact_separation, start: 1}, {what: three_body}, {what: stabilising}]\n"},
    {.text = DUST "dimension: 3\nbox: {size: [8, 9, 10], boundary: [wall, periodic, wall]}\n" GRAIN GAS(
         "60") "contacts: [{between: [a, a], restitution: 0.7, stick: {below: 0.8}}]\nobserve: [{what: energy, every: "
               "0.3}]\n"},
    {.text = DUST "dimension: 3\nbox: {size: [8, 9, 10]}\n" GRAIN GAS(
         "60") "aggregation: {rotation: true}\nobserve: [{what: energy, every: 0.3}]\n"},
    {.text = DUST "dimension: 2\nbox: {size: [14, 12], boundary: wall}\n" GRAIN GAS(
         "40") "aggregation: {method: steps, steps: {dt: 0.05}}\nobserve: [{what: energy, every: 0.3}]\n",
     .time = 1.6},
    {.text = DUST "dimension: 2\nbox: {size: [20, 24]}\n" GRAIN GAS(
         "60") "aggregation: {method: steps, steps: {dt: 0.05, solver: daha}}\n"},
    {.text = HEAD("time: 1e9", "aggregation") "dimension: 2\nbox: {size: [16, 16]}\n" GRAIN GAS(
         "30") "contacts: [{between: [a, a], restitution: 1, stick: {below: 0.7}}]\naggregation: {patience: 1}\n",
     .time = 16},
    {.text = DUST "dimension: 2\nbox: {size: [60, 60]}\n" GRAIN GAS("12")},
    {.text = SOFT "dimension: 2\nbox: {size: [6, 7], boundary: [wall, periodic]}\n" GRAIN GAS(
         "12") "fields: {gravity: [-1, 0]}\ncontacts: [{between: [a, a], restitution: 0.5, friction: 0.3}, {between: "
               "[a, "
               "wall], restitution: 0.7, friction: 0.2}]\n"
               "observe: [{what: ledger, every: 0.3}, {what: layers, start: 1}, {what: pressure}]\n"},
    {.text = SOFT
     "dimension: 3\nbox: {size: [6, 6, 6], boundary: wall}\n" GRAIN
     "particles: [{species: a, place: {at: [[2, 2, 2], [3.2, 2, 2], [3.2, 3.2, 2], [3, 3, 4.4]]}, velocity: "
     "{uniform: [-1, 1]}}]\nbodies: [{name: two, particles: [0, 1, 2]}]\nfields: {gravity: [0, 0, -1]}\n"
     "planes: [{name: lid, point: [3, 3, 1.2], normal: [0, 0, 1]}]\n"
     "drives: [{name: d, plane: lid, motion: [{velocity: [0, 0, 0.1]}]}]\n"
     "contacts: [{between: [a, a], restitution: 0.5, friction: 0.3}]\nobserve: [{what: ledger, every: 0.3}]\n"},
    {.text = SOFT
     "dimension: 2\nbox: {size: [9, 9], boundary: wall}\n" GRAIN
     "particles: [{species: a, place: {at: [[2, 2], [3.2, 2], [4.4, 2], [3, 4]]}, velocity: {uniform: [-1, 1]}}]\n"
     "springs: [{name: a, pairs: [[0, 1], [1, 2]], stiffness: 10, damping: 0.1}]\n"
     "observe: [{what: ledger, every: 0.3}]\n"},
    {.text = SOFT
     "dimension: 2\nbox: {size: [5, 5], boundary: wall}\n" GRAIN
     "particles: [{species: a, place: {at: [[1, 1], [2.2, 1], [3.4, 1], [2, 3]]}, velocity: {uniform: [-1, 1]}}]\n"
     "fields: {gravity: [0, -1]}\ncontacts: [{between: [a, wall], restitution: 0.5, friction: 0.3}]\n"
     "variational: {reference: true}\n"},
    {.text = SOFT
     "dimension: 3\nbox: {size: [8, 8, 8], boundary: [open, open, wall]}\n" GRAIN
     "meshes: [{name: sheet, shape: {rectangle: {length: 3, width: 3, along: 4, across: 4}}, place: {at: [4, 4, "
     "3]}, species: a, thickness: 0.2, density: 1, stretch: 50, bend: 0.1, damping: {stretch: 0.1, bend: 0.001}, "
     "yield: {angle: 0.01, hardening: 0.5}}]\n"
     "particles: [{species: a, place: {at: [[4, 4.2, 4]]}, velocity: {each: [0, 0, -2]}}]\n"
     "fields: {gravity: [0, 0, -1]}\ncontacts: [{between: [a, a], restitution: 0.5}, {between: [a, wall], restitution: "
     "0.5}]\n"
     "observe: [{what: ledger, every: 0.3}]\n",
     .time = 2.45},
};

/* ---- saving and going on --------------------------------------------------------------------------------------- */

static void keep(const play *p, snapshot *out)
{
    const carom_sim *sim = p->sim;
    snapshot lent = {0};
    error e = {0};
    REQUIRE(sim->kernel->save(sim->gas, &lent, &e) == CAROM_OK);
    REQUIRE(snapshot_own(&lent, &e) == CAROM_OK);
    for (size_t k = 0; k < sim->observer_count; k++)
        REQUIRE(sim->observers[k].kind->save(sim->observers[k].self, sim->observers[k].kind->settings->name, &lent,
                                             &e) == CAROM_OK);
    for (size_t k = 0; k < lent.count; k++) {
        const snapshot_array *a = &lent.arrays[k];
        REQUIRE(snapshot_put(out, a->name, a->type, a->count, a->data, &e) == CAROM_OK);
    }
    snapshot_free(&lent);
}

/* What a run has come to: its state, its summary but for clocks, all numbers of its observables. */
static uint64_t outcome(play *p)
{
    static const char *const clocks[] = {"setup_s", "cpu_s", "wall_s", "events_per_s", "peak_rss_bytes"};
    (void)carom_sim_run(p->sim);
    uint64_t hash = hash_u64(HASH_START, play_hash(p));
    json_t *s = play_summary(p);
    for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++) json_object_del(s, clocks[k]);
    char *told = json_dumps(s, JSON_SORT_KEYS);
    hash = hash_bytes(hash, told, strlen(told));
    free(told);
    json_decref(s);
    for (size_t k = 0; k < p->sim->observer_count; k++) {
        const observer *o = &p->sim->observers[k];
        measure_result r = {0};
        error e = {0};
        REQUIRE(o->kind->result(o->self, &r, &e) == CAROM_OK);
        for (size_t t = 0; t < r.table_count; t++)
            for (size_t c = 0; c < r.tables[t].column_count; c++)
                hash = hash_bytes(hash, r.tables[t].columns[c].data,
                                  r.tables[t].rows * r.tables[t].columns[c].width * sizeof(double));
    }
    return hash_finish(hash);
}

/* Goes on from a saved state, as sim/files.c does; false: it is refused. */
static bool go_on(const char *text, const carom_sim *from, const snapshot *saved, uint64_t *end)
{
    play p = play_open(text, NULL);
    carom_sim *sim = p.sim;
    error e = {0};
    bool good = sim->kernel->load(sim->gas, saved, &e) == CAROM_OK;
    for (size_t k = 0; k < sim->observer_count && good; k++) {
        observer *o = &sim->observers[k];
        o->rhythm = from->observers[k].rhythm;
        o->begun = from->observers[k].begun;
        o->last_time = from->observers[k].last_time;
        good = o->kind->load(o->self, o->kind->settings->name, saved, &e) == CAROM_OK;
    }
    sim->time = from->time;
    sim->last_frame = from->last_frame;
    sim->initial_energy = from->initial_energy;
    sim->frames = from->frames;
    if (good) look(sim, fmax(sim->time, sim->kernel->time(sim->gas)));
    if (good) *end = outcome(&p);
    error_clear(&e);
    play_close(&p);
    return good;
}

/* ---- which arrays matter --------------------------------------------------------------------------------------- */

enum { MOST_NAMES = 400 };

typedef struct ledger_of_arrays {
    char name[MOST_NAMES][80];
    int matters[MOST_NAMES], refused[MOST_NAMES], same[MOST_NAMES], idle[MOST_NAMES];
    size_t count;
} ledger_of_arrays;

/* What all observables of a kind keep by the same lines is one array: of gauges, of series, of averages by blocks. */
static const char *common(const char *name)
{
    static const char *const shared[] = {"/last_time", "/last",   "/last_count",   "/time",
                                         "/rows",      "/blocks", "/blocks_count", "/blocks_shift"};
    const char *end = strrchr(name, '/');
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
        if (strcmp(end, shared[k]) == 0) return shared[k] + 1;
    return name;
}

static size_t find(ledger_of_arrays *all, const char *kind, const char *path)
{
    char name[80];
    const bool own =
        strncmp(path, "engine/", 7) == 0 || strncmp(path, "watch/", 6) == 0 || strncmp(path, "alone/", 6) == 0;
    size_t k = 0;
    snprintf(name, sizeof name, "%s%s%s", own ? kind : "", own ? ": " : "", own ? path : common(path));
    for (char *end = name + strlen(name) - 1; *end >= '0' && *end <= '9'; end--) *end = 0; /* one of many */
    while (k < all->count && strcmp(all->name[k], name) != 0) k++;
    if (k < all->count) return k;
    REQUIRE(all->count < MOST_NAMES);
    snprintf(all->name[all->count], sizeof *all->name, "%s", name);
    return all->count++;
}

/* As it was at the start; where it still is, or had another size then: zeros. False: it is nothing else. */
static bool reset(snapshot_array *a, const snapshot *start)
{
    const snapshot_array *first = snapshot_find(start, a->name);
    const size_t bytes = a->count * snapshot_element_size(a->type);
    char *zeros = calloc(bytes + 1, 1);
    REQUIRE(zeros != NULL);
    const bool moved =
        first != NULL && first->count == a->count && bytes > 0 && memcmp(a->data, first->data, bytes) != 0;
    const bool changes = moved || (bytes > 0 && memcmp(a->data, zeros, bytes) != 0);
    if (changes) memcpy(a->data, moved ? first->data : zeros, bytes);
    free(zeros);
    return changes;
}

/* In the first half of the time that it may take. */
static void save_at(play *p, unsigned bases)
{
    const bool has_bases = strcmp(p->sim->engine->settings->name, "hard") == 0;
    double step = STEP, time = 0;
    while (time < SAVED || (has_bases && carom_sim_frame(p->sim)->events[EVENT_REBASE] < bases)) {
        if (time > 0.4 * p->sim->scene->until.time) return;
        time += step;
        step *= time < SAVED ? 1 : 1.1; /* what cools takes its time */
        play_advance(p, time);
    }
}

static void try_scene(const trial *t, ledger_of_arrays *all)
{
    const char *text = t->text;
    snapshot start = {0}, saved = {0};
    uint64_t whole, other;
    play p = play_open(text, t->set);
    const char *kind = p.sim->engine->settings->name;
    keep(&p, &start);
    if (t->set != NULL)
        (void)carom_sim_run(p.sim);
    else if (t->time > 0)
        play_advance(&p, t->time);
    else
        save_at(&p, t->bases > 0 ? t->bases : 2);
    carom_sim from = *p.sim;
    observer *watching = calloc(from.observer_count + 1, sizeof *watching);
    REQUIRE(watching != NULL);
    for (size_t k = 0; k < from.observer_count; k++) watching[k] = from.observers[k];
    from.observers = watching;
    keep(&p, &saved);
    play_close(&p);
    p = play_open(text, NULL);
    whole = outcome(&p);
    play_close(&p);
    ck_assert_msg(go_on(text, &from, &saved, &other) && other == whole, "goes on to another end:\n%s", text);
    for (size_t k = 0; k < saved.count; k++) {
        snapshot_array *a = &saved.arrays[k];
        const size_t bytes = a->count * snapshot_element_size(a->type), at = find(all, kind, a->name);
        if (all->matters[at] + all->refused[at] > 0) continue; /* a scene before has told */
        char *kept = malloc(bytes + 1);
        REQUIRE(kept != NULL);
        if (bytes > 0) memcpy(kept, a->data, bytes);
        if (!reset(a, &start))
            all->idle[at]++;
        else if (!go_on(text, &from, &saved, &other))
            all->refused[at]++;
        else if (other == whole)
            all->same[at]++;
        else
            all->matters[at]++;
        if (bytes > 0) memcpy(a->data, kept, bytes);
        free(kept);
    }
    free(watching);
    snapshot_free(&start);
    snapshot_free(&saved);
}

/* Arrays of which no scene above tells, and why. */
static const struct {
    const char *name, *reason;
} silent[] = {
    {"hard: engine/last_event", "the next event replaces it"},
    {"hard: engine/stall_time", "of a stall that goes on: as good as 0 there; of others it is set anew"},
    {"hard: engine/stalls", "whether to move those times"},
    {"hard: engine/crawled", "of runs that crawl, which take minutes"},
    {"hard: engine/base_exponent", "follows from the scene"},
    {"hard: engine/idle", "a search for the end of the run, which begins anew"},
    {"hard: engine/idle_since", "likewise"},
    {"hard: engine/idle_count", "likewise"},
    {"hard: engine/witness", "likewise"},
    {"hard: engine/witness_stamps", "likewise"},
    {"hard: engine/crossing", "when a body enters another cell, within a tolerance: the count of transfers"},
    {"hard: engine/frame_since", "0 but after a change from outside: test_changes"},
    {"aggregation: engine/since", "likewise"},
    {"vacf/origin_scale", "0 but in gases that have cooled by 2^32: test_measure_resume"},
    {"impact_separation/now", "the next sample replaces it"},
    {"impact_separation/now_density", "likewise"},
    {"three_body/again", "events too rare for short runs: test_measure_resume"},
    {"three_body/again_fraction", "likewise"},
    {"three_body/double", "likewise"},
    {"three_body/double_fraction", "likewise"},
    {"stabilising/stabilising", "likewise"},
    {"stabilising/fraction", "likewise"},
    {"layers/now", "the next sample replaces it"},
    {"layers/closest", "likewise"},
    {"aggregation: engine/idle", "when to look whether there is hope"},
    {"aggregation: engine/hopeful", "likewise"},
    {"aggregation: engine/flown", "likewise"},
    {"aggregation: engine/drift", "pairs that may touch are listed anew"},
    {"aggregation: engine/last_event", "the next event replaces it"},
    {"variational: engine/last_event", "likewise"},
    {"variational: engine/quiet_since", "a search for the end of the run, which begins anew"},
    {"variational: engine/quiet_looks", "likewise"},
};

static bool is_silent(const char *name)
{
    for (size_t k = 0; k < sizeof silent / sizeof *silent; k++)
        if (strcmp(silent[k].name, name) == 0) return true;
    return false;
}

START_TEST(every_array)
{
    static ledger_of_arrays all;
    size_t wrong = 0;
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) try_scene(&trials[k], &all);
    for (size_t k = 0; k < all.count; k++) {
        const bool matters = all.matters[k] + all.refused[k] > 0, good = matters != is_silent(all.name[k]);
        printf("%-36s differs %d, refused %d, same %d, nothing %d%s\n", all.name[k], all.matters[k], all.refused[k],
               all.same[k], all.idle[k],
               good      ? ""
               : matters ? " <- matters, and is said not to"
                         : " <- does not matter");
        wrong += !good;
    }
    fflush(stdout);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* ---- a sleeper that is due for a look ---------------------------------------------------------------------------- */

static void *saved_array(snapshot *in, const char *name)
{
    for (size_t k = 0; k < in->count; k++)
        if (strcmp(in->arrays[k].name, name) == 0) return in->arrays[k].data;
    ck_abort_msg("no %s", name);
}

static double height_of(const play *p, uint32_t id)
{
    const carom_frame *f = carom_sim_frame(p->sim);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->id[i] == id) return f->position[2 * i + 1];
    ck_abort_msg("no particle %u", id);
}

/* A sleeper whose support has gone falls at the time of its next look, however often the clock is set anew before. */
START_TEST(look_at_a_sleeper)
{
    enum { LAST = 20 };
    const double due = 40, top = 38;
    const char *text = HEAD(
        "time: 100",
        "hard") "dimension: 2\nbox: {size: [8, 40], boundary: [wall, wall]}\n" GRAIN
                "fields: {gravity: [0, -1]}\nhard: {collapse: {policy: sleep, speed: 1e-6}}\n"
                "particles: [{species: a, count: 20, place: {random: {region: {box: {from: [0, 0], to: [8, 6]}}}}, "
                "velocity: {maxwell: 1}}, {species: a, place: {at: [[4, 38]]}}]\n";
    snapshot saved = {0};
    error e = {0};
    play p = play_open(text, NULL);
    keep(&p, &saved);
    const uint32_t *id = saved_array(&saved, "engine/id");
    uint32_t i = 0;
    while (id[i] != LAST) i++;
    ((bool *)saved_array(&saved, "engine/asleep"))[i] = true;
    ((double *)saved_array(&saved, "engine/check"))[i] = due;
    REQUIRE(p.sim->kernel->load(p.sim->gas, &saved, &e) == CAROM_OK);
    play_advance(&p, due - 1);
    const uint64_t bases = carom_sim_frame(p.sim)->events[EVENT_REBASE];
    printf("re-basings before the look %llu\n", (unsigned long long)bases);
    ck_assert_uint_ge(bases, 3);
    EXPECT_CLOSE("height before", height_of(&p, LAST), top, 0);
    play_advance(&p, due + 2);
    EXPECT_CLOSE("height after", height_of(&p, LAST), top - 2, 1e-12);
    play_close(&p);
    snapshot_free(&saved);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");
    tcase_add_test(all, every_array);
    tcase_add_test(all, look_at_a_sleeper);
    tcase_set_timeout(all, 300);
    return suite_run("checkpoint_arrays", all);
}
