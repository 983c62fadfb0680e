/* Bodies that enter and leave during the run (`place: {inflow: ...}`, `outflow`). Those that are absent at present are behind the
 * others in memory, from index gas.count to gas.room: no loop over the bodies meets them. They are at rest at the origin. */
#ifndef CAROM_HARD_KERNEL_RESERVE_H
#define CAROM_HARD_KERNEL_RESERVE_H

#include "hard/kernel/gas.h"

struct reserve {
    real (*velocity)[DIM]; /* [number]: with which bodies enter, in true units */
    real (*spin)[TURN];    /* NULL: bodies do not rotate */
    bool *leaving;         /* [room]: marks of those that leave now */
    uint32_t *index_of;    /* [number]: scratch */
};

/* Moves the bodies marked as leaving behind the others, where they are absent. Plans become invalid. */
static void reserve_take(gas *g);

/* At the start: the absent ones of the initial state. */
static void reserve_begin(gas *g, const initial_state *state);

/* The absent bodies are those of another gas with the same bodies, and so is the motion with which they enter. */
static void reserve_adopt(gas *g, const gas *before);

/* Makes body `number`, which is absent, the last present one, at rest at the origin at g->now. Returns its index;
 * gas.room if it is not absent. */
static uint32_t reserve_give(gas *g, uint32_t number);

/* The last present body, which has just been given, is absent again. */
static void reserve_return(gas *g);

/* Sets the motion with which body i enters. */
static void reserve_set_motion(gas *g, uint32_t i);

#endif
