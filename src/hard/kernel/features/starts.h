/* Drives that start when a condition holds (`drives: start`): their checks, and the times from which their motions count.
 * kernel/gates.c starts them. */
#ifndef CAROM_HARD_KERNEL_STARTS_H
#define CAROM_HARD_KERNEL_STARTS_H

#include "hard/kernel/gas.h"
#include "scene/gates.h"

/* Saved as bytes. */
typedef struct drive_wait {
    double began;            /* time; negative: it waits */
    condition_checks checks; /* so far */
    uint64_t drive;
} drive_wait;

struct starts {
    drive_wait *wait; /* in the order of the drives */
    uint32_t count;
    frame_start *times; /* [count], for frames */
};

/* The drive with the earliest check; NULL: none waits. */
static drive_wait *starts_first(const gas *g);

/* True time of that check; INFINITY: none. */
static double starts_next(const gas *g);

/* The motion of a drive counts from this time on. */
static void starts_begin(gas *g, drive_wait *one, double time);

/* Whether two scenes have the same drives that wait. */
static bool starts_agree(const scene *a, const scene *b);

#endif
