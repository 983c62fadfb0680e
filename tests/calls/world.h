/* The files that calls may name, and what callbacks do. */
#ifndef CAROM_CALLS_WORLD_H
#define CAROM_CALLS_WORLD_H

#define SCENE "scene.yaml"
#define HARD_SCENE "hard.yaml"
#define BAD_SCENE "bad.yaml"
#define SWEEP "sweep.yaml"
#define BAD_SWEEP "bad_sweep.yaml"
#define RESULT "result.h5"
#define CHECKPOINT "result.h5.checkpoint"
#define DAMAGED "damaged.h5"

#define SCENE_OF(engine)                                                                                               \
    "carom: 1\n"                                                                                                       \
    "engine: " engine "\n"                                                                                             \
    "dimension: 2\n"                                                                                                   \
    "box: {size: 8, boundary: wall}\n"                                                                                 \
    "species: {a: {diameter: 1, mass: 1}}\n"                                                                           \
    "particles:\n"                                                                                                     \
    "  - {species: a, place: {at: [[6, 4], [4, 6], [2, 4], [4, 2]]},\n"                                                \
    "     velocity: {each: [[0, 2], [1, 0], [0, 1], [3, 0]]}}\n"                                                       \
    "run: {until: {time: 2}}\n"                                                                                        \
    "observe: [{what: energy, every: 0.1}]\n"                                                                          \
    "output: {frames: {every: 0.5}}\n"
#define SCENE_TEXT SCENE_OF("variational")

/* Calls on the simulation from within one of its callbacks. */
void world_call_back(void);

#endif
