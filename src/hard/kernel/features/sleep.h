/* Falling asleep, and waking up. */
#ifndef CAROM_HARD_KERNEL_SLEEP_H
#define CAROM_HARD_KERNEL_SLEEP_H

#include "hard/kernel/features/sleepers.h"

/* After a contact of i: puts it to sleep where it has been slow for a while and its contacts carry it. */
static void sleep_after_contact(gas *g, uint32_t i);

/* A sleeper is looked at that others hold, which may have gone. */
static void sleep_check(gas *g, uint32_t i, real t);

/* Puts i to sleep where it is. */
static void sleep_now(gas *g, uint32_t i);

/* Body i has been hit hard: it wakes, and so does whatever it carried. */
static void sleep_wake(gas *g, uint32_t i);

#endif
