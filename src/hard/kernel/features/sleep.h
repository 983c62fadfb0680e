/* Sleep: falling asleep, checks of supports, waking. */
#ifndef CAROM_HARD_KERNEL_SLEEP_H
#define CAROM_HARD_KERNEL_SLEEP_H

#include "hard/kernel/features/sleepers.h"

/* After a contact of i: puts it to sleep if its last contacts were slow and it is supported or confined. */
static void sleep_after_contact(gas *g, uint32_t i);

/* Checks the support of a sleeping body that depends on other bodies. */
static void sleep_check(gas *g, uint32_t i, real t);

/* Puts i to sleep at its present position. */
static void sleep_now(gas *g, uint32_t i);

/* Wakes body i after a fast impact, and the bodies that it supports. */
static void sleep_wake(gas *g, uint32_t i);

/* Wakes the bodies that body i supported, which leaves. */
static void sleep_release(gas *g, uint32_t i);

/* The same for a boundary that vanishes. The `count` sleeping bodies that touched it are in `awakened`. */
static void sleep_release_all(gas *g, uint32_t count);

#endif
