/* Detects crashes and hangs of runs resumed from a checkpoint with a valid checksum and wrong content: it is refused
 * with a message, or the run goes on. Each input is a list of changes to the saved state of a small run: the first
 * byte says of which scene, then 8 bytes a change: which array, where in it, and what to put there. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene_api.h"
#include "sim/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEAD "carom: 1\nseed: 5\n"
#define BOX(n, side) "box: {size: " side ", boundary: periodic}\n"
#define GRAIN "species: {grain: {diameter: 1, mass: 1}}\n"
#define TEN(more) "particles: [{species: grain, count: 10, place: random, velocity: {maxwell: 1}" more "}]\n"
#define END "run: {until: {time: 4}}\n"

static const char *const scenes[] = {
    HEAD "engine: hard\ndimension: 3\n" BOX(3, "[4, 4, 4]") GRAIN TEN("") "observe: [{what: msd, every: 0.1}]\n" END,
    HEAD "engine: hard\ndimension: 2\nbox: {size: [9, 9], boundary: wall}\n" GRAIN TEN(
        "") "contacts: [{between: [grain, grain], restitution: 0.7}]\nfields: {gravity: [0, -1]}\nhard: {collapse: "
            "{policy: sleep, speed: 0.1}}\n" END,
    HEAD "engine: hard\ndimension: 2\n" BOX(2, "[9, 9]")
        GRAIN TEN("") "potentials: [{between: [grain, grain], square_well: {range: 1.5, depth: 1}}]\n" END,
    HEAD "engine: hard\ndimension: 3\n" BOX(3, "[4, 4, 4]") GRAIN TEN("") "hard: {thermostat: {temperature: 1, rate: "
                                                                          "1}}\n" END,
    HEAD "engine: hard\ndimension: 2\n" BOX(2, "[9, 9]") GRAIN TEN("") "hard: {shear: {rate: 0.1}}\n" END,
    HEAD
    "engine: hard\ndimension: 2\nbox: {size: [9, 9], boundary: [wall, open]}\n" GRAIN
    "particles:\n  - {species: grain, count: 6, place: random, velocity: {maxwell: 1}}\n"
    "  - {species: grain, count: 12, velocity: {each: [0, -1]}, place: {inflow: {region: {box: {from: [1, 6], to: [8, "
    "9]}}, rate: 4}}}\noutflow: [{name: below, side: y-, every: 0.3}]\n" END,
    HEAD "engine: aggregation\ndimension: 2\n" BOX(2, "[9, 9]") GRAIN TEN("") "observe: [{what: clusters, every: "
                                                                              "0.1}]\n" END,
    HEAD "engine: aggregation\ndimension: 3\n" BOX(3, "[5, 5, 5]") GRAIN TEN("") "aggregation: {rotation: true}\n" END,
    HEAD "engine: aggregation\ndimension: 2\n" BOX(2, "[9, 9]") GRAIN TEN("") "aggregation: {method: steps, steps: "
                                                                              "{dt: 0.05}}\n" END,
    HEAD "engine: variational\ndimension: 2\n" BOX(2, "[9, 9]") GRAIN TEN("") END,
    HEAD "engine: variational\ndimension: 3\nbox: {size: [6, 6, 6], boundary: wall}\n" GRAIN
         "particles: [{species: grain, place: {at: [[2, 2, 2], [3.2, 2, 2], [3.2, 3.2, 2], [3, 3, 4.4]]}, velocity: "
         "{uniform: [-1, 1]}}]\nbodies: [{name: two, particles: [0, 1, 2]}]\nfields: {gravity: [0, 0, -1]}\ncontacts: "
         "[{between: [grain, grain], restitution: 0.5, friction: 0.3}]\n" END,
    HEAD "engine: variational\ndimension: 2\nbox: {size: [9, 9], boundary: wall}\n" GRAIN
         "particles: [{species: grain, place: {at: [[2, 2], [3.2, 2], [4.4, 2], [3, 4]]}, velocity: {uniform: [-1, "
         "1]}}]\nsprings: [{name: a, pairs: [[0, 1], [1, 2]], stiffness: 10}]\n" END,
    HEAD "engine: variational\ndimension: 2\nbox: {size: [5, 5], boundary: wall}\n" GRAIN
         "particles: [{species: grain, place: {at: [[1, 1], [2.2, 1], [3.4, 1], [2, 3]]}, velocity: {uniform: [-1, "
         "1]}}]\nfields: {gravity: [0, -1]}\ncontacts: [{between: [grain, wall], restitution: 0.5, friction: 0.3}]\n"
         "variational: {reference: true}\n" END,
};
enum { SCENES = sizeof scenes / sizeof *scenes, CHANGE = 8 };

typedef struct prepared {
    carom_scene *scene;
    carom_sim *sim;
    snapshot state;
} prepared;

#define need(truth, message)                                                                                           \
    do {                                                                                                               \
        if (!(truth)) {                                                                                                \
            fprintf(stderr, "%s\n", message);                                                                          \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Runs the scene to its middle, and keeps the state there. */
static const prepared *prepare(size_t number)
{
    static prepared all[SCENES];
    prepared *p = &all[number];
    error e = {0};
    if (p->scene != NULL) return p;
    p->scene = carom_scene_new();
    need(carom_scene_load_text(p->scene, "fuzz", scenes[number], strlen(scenes[number])) == CAROM_OK,
         carom_scene_message(p->scene));
    need(carom_sim_new(&p->sim, p->scene, NULL) == CAROM_OK, carom_sim_message(p->sim));
    need(carom_sim_advance(p->sim, 1.5) == CAROM_OK, carom_sim_message(p->sim));
    snapshot lent = {0};
    need(p->sim->kernel->save(p->sim->gas, &lent, &e) == CAROM_OK, error_text(&e));
    need(snapshot_own(&lent, &e) == CAROM_OK, error_text(&e));
    for (size_t k = 0; k < p->sim->observer_count; k++)
        need(p->sim->observers[k].kind->save(p->sim->observers[k].self, "o", &lent, &e) == CAROM_OK, error_text(&e));
    for (size_t k = 0; k < lent.count; k++) {
        const snapshot_array *a = &lent.arrays[k];
        need(snapshot_put(&p->state, a->name, a->type, a->count, a->data, &e) == CAROM_OK, error_text(&e));
    }
    snapshot_free(&lent);
    return p;
}

/* A word that is worth a try. */
static uint64_t word(uint8_t choice, uint64_t old, uint64_t random)
{
    static const double reals[] = {0, -0.0, 1, -1, 1e300, -1e300, 1e-310, INFINITY, -INFINITY, NAN, 1e10, 0.5};
    enum { REALS = sizeof reals / sizeof *reals };
    uint64_t bits;
    if (choice < REALS) {
        memcpy(&bits, &reals[choice], sizeof bits);
        return bits;
    }
    switch (choice % 8) {
    case 0:
        return old ^ 1ull << random % 64;
    case 1:
        return old + 1;
    case 2:
        return old - 1;
    case 3:
        return UINT64_MAX;
    case 4:
        return (old & 0xffffffff00000000u) | (uint32_t)random;
    case 5:
        return (old & 0xffffffffu) | random << 32;
    case 6:
        return 0;
    default:
        return random;
    }
}

/* what: the array; its size; where; how; the last four bytes of a random number. */
static void change(snapshot *s, const uint8_t c[CHANGE])
{
    snapshot_array *a = &s->arrays[c[0] % s->count];
    const size_t bytes = a->count * snapshot_element_size(a->type);
    uint32_t seed;
    memcpy(&seed, c + 4, sizeof seed);
    const uint64_t random = seed * 0x9e3779b97f4a7c15u;
    if (bytes == 0) return;
    const size_t width = bytes < 8 ? bytes : 8, places = (bytes - width) / 4 + 1;
    const size_t at = (c[1] | (size_t)c[2] << 8) % places * 4;
    uint64_t old = 0;
    memcpy(&old, (char *)a->data + at, width);
    const uint64_t new = word(c[3], old, random ^ random >> 29);
    memcpy((char *)a->data + at, &new, width);
}

static void run(const prepared *p, const snapshot *s)
{
    error e = {0};
    initial_state state = {0};
    const scene *about = p->scene->checked;
    const engine_kernel *kernel = p->sim->kernel;
    void *self = NULL;
    need(state_create(&state, about, &e) == CAROM_OK, error_text(&e));
    need(kernel->create(&self, about, &state, 0, NULL, &e) == CAROM_OK, error_text(&e));
    state_free(&state);
    carom_status status = kernel->load(self, s, &e);
    need(status == CAROM_OK || e.length > 0, "refused without a message");
    carom_stop stop = CAROM_STOP_NONE;
    const engine_limits limits = {.time = 3, .events = UINT64_MAX, .collisions = UINT64_MAX, .slice = 300};
    for (int k = 0; k < 2 && status == CAROM_OK && stop == CAROM_STOP_NONE; k++)
        status = kernel->advance(self, &limits, &stop, &e);
    kernel->destroy(self);
    error_clear(&e);
}

static void observe(const prepared *p, const snapshot *s)
{
    for (size_t k = 0; k < p->sim->observer_count; k++) {
        error e = {0};
        observer *o = &p->sim->observers[k];
        if (o->kind->load(o->self, "o", s, &e) != CAROM_OK) need(e.length > 0, "refused without a message");
        error_clear(&e);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    error e = {0};
    snapshot s = {0};
    if (size < 1 + CHANGE) return 0;
    const prepared *p = prepare(data[0] % SCENES);
    for (size_t k = 0; k < p->state.count; k++) {
        const snapshot_array *a = &p->state.arrays[k];
        need(snapshot_put(&s, a->name, a->type, a->count, a->data, &e) == CAROM_OK, error_text(&e));
    }
    for (size_t at = 1; at + CHANGE <= size && at < 1 + 4 * CHANGE; at += CHANGE) change(&s, data + at);
    run(p, &s);
    observe(p, &s);
    snapshot_free(&s);
    return 0;
}
