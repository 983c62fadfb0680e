/* Rigid meshes that appear and vanish (`meshes: appear, vanish`), and conditions (`when`): their times and checks, for all
 * engines. Checks are at multiples of an interval, regardless of other events: the moment at which a condition holds
 * depends on the state alone. Speeds, and whether a place is free, are for the engine to find. */
#ifndef CAROM_SCENE_GATES_H
#define CAROM_SCENE_GATES_H

#include "scene/state.h"
#include "scene/where.h"

/* ---- conditions -------------------------------------------------------------------------------------------------- */

typedef struct condition_checks {
    uint64_t count, slow; /* number of checks, and of those in succession at which all points were slow */
} condition_checks;

double condition_next(const scene_condition *when, const condition_checks *checks);

/* Counts a check. `slow`: whether the condition is met at this moment. Returns whether it holds. */
bool condition_count(const scene_condition *when, condition_checks *checks, bool slow);

/* Of a checkpoint. */
bool condition_is_sound(const scene_condition *when, const condition_checks *checks, double now);

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

typedef enum presence_stage { PRESENCE_AWAITED, PRESENCE_NOW, PRESENCE_OVER } presence_stage;

/* A mesh with changes; saved as bytes. */
typedef struct gate {
    double since;            /* time at which the present stage began */
    double appeared;         /* time; negative: it has not */
    condition_checks checks; /* of this stage; trials at times count as well */
    uint32_t mesh, stage;    /* stage: presence_stage */
} gate;

/* Checks of the scene: a run with a condition or trials, which may never succeed, has a limit of time; no condition requires more
 * particles than the scene has. */
carom_status gates_check(const scene *s, error *e);
carom_status gates_check_state(const scene *s, const initial_state *state, error *e);

/* The gates at the start, in the order of the meshes: at most [mesh_count]. Returns their number. */
uint32_t gates_begin(const scene *s, gate *gates);

/* The gate with the earliest trial; NULL: none. */
gate *gates_first(const scene *s, gate *gates, uint32_t count);

/* Of the stages. */
uint64_t gates_hash(const gate *gates, uint32_t count, uint64_t hash);

static inline bool gate_is_absent(const gate *g)
{
    return g->stage != PRESENCE_NOW;
}

/* The time at which it has vanished; negative: it has not. */
static inline double gate_vanished(const gate *g)
{
    return g->stage == PRESENCE_OVER ? g->since : -1;
}

/* The moment at which the next stage begins; not given: it is the last one. */
const scene_moment *gate_moment(const scene *s, const gate *g);

/* The time of the next trial or check; INFINITY: none. */
double gate_next(const scene *s, const gate *g);

/* Counts the trial or check that is due. `slow` as above, for a condition. Returns whether the mesh may change. */
bool gate_try(const scene *s, gate *g, bool slow);

/* Begins the next stage at time t. Its checks come after t. */
void gate_pass(const scene *s, gate *g, double t);

/* Of a checkpoint of this time, known within `slack`. from: at the start of the run. */
bool gate_is_sound(const scene *s, const gate *g, const gate *from, double now, double slack);

#endif
